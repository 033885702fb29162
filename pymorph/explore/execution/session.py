"""A game while it is played: steps and the positions after them, back and forth, its record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace

from pymorph import terms, yamlio
from pymorph.answers import pictured
from pymorph.dynamics import history
from pymorph.dynamics.asking.chance import Dice
from pymorph.dynamics.outcomes import LineOfPlay, Outcome, Step
from pymorph.dynamics.results import Forecast, GameOutcome, Legality, Roll, Why
from pymorph.errors import InputError, Place
from pymorph.explore.execution import application, replay
from pymorph.questions import consistency, explanation, figures, legality
from pymorph.questions.observers import Observation, Observer
from pymorph.runtime.arguments import checked
from pymorph.state.files.record_file import RecordFile, locked, read
from pymorph.state.position import Position
from pymorph.state.record import Move, Record
from pymorph.terms import Term


def play_on(
    path: str,
    actions: Sequence[str],
    given: Sequence[str] = (),
    dice: Dice | None = None,
    under: Callable[[Position], Position] = lambda start: start,
) -> LineOfPlay:
    """Carry out *actions* from the end of a record and write them on to its file.

    *under* gives the start of the record as it is to be taken, with the house rulings on it.
    Nothing is written, if one of them is not legal. Raises: InputError, if the file is no record,
    or cannot be written, or stays in use by others; it then stays as it is.
    """
    with locked(path):
        file = read(path)
        consistency.require_well_formed(file.record.position, yamlio.name_of(path))
        start = replay.end_of(replace(file.record, position=under(file.record.position)))
        answer, moves = replay.written_down(start, actions, given, dice)
        if answer.done:
            yamlio.write(path, file.extended(moves, answer.outcome.position).text)
    return answer


@dataclass(frozen=True, slots=True)
class SessionStep:
    """How things stand, and the step that led here from *before*, with *told* its parts so far.

    A step that a roll held up is taken up again when the roll is made; it is *resumed* then.
    """

    position: Position
    pending: tuple[Roll, ...]
    move: Move | None = None
    before: Position | None = None
    told: int = 0
    resumed: bool = False

    @property
    def done(self) -> str:
        """What was done to come here: an action, or a roll that it went on with."""
        assert self.move is not None
        return self.move.rolls[-1] if self.resumed else self.move.action


@pictured
class Session:
    """A game in progress, from a position or a record; steps can be undone and redone.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> session = pymorph.Session(start)
    >>> answer, steps = session.act("put(x, b2)")
    >>> session.position.value("turn")
    Term('o')
    >>> session.undo()
    ['put(x, b2)']
    >>> session.branch().push("put(x, a1)").position == session.position
    False
    """

    @checked
    def __init__(self, start: Position | Record, source: RecordFile | None = None) -> None:
        """*source* is the file of a record, in which what is played can be written on.

        Raises: InputError, if a step of the record is not legal.
        """
        record = start if isinstance(start, Record) else Record(start)
        self._start = record.position
        self._source = source
        self._texts = {source.path: source.text} if source else {}  # of the files known here
        begun = application.apply(history.begun(record.position))
        self._past = [SessionStep(begun.position, begun.pending)]
        self._future: list[SessionStep] = []
        self._legality: tuple[Position, Legality] | None = None
        replay.end_of(record, lambda _, __, outcome: self._keep(outcome))
        self._loaded = self._saved = self.steps

    # -- how things stand ------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position now."""
        return self.now.position

    @property
    def legal_actions(self) -> tuple[Term, ...]:
        """The legal actions now, sorted by actor; if a roll is due, its outcomes."""
        return self.legality.actions

    @property
    def turn(self) -> tuple[str, ...]:
        """Who may act now, sorted by name."""
        return tuple(sorted({action.actor for action in self.legal_actions}))

    @property
    def is_over(self) -> bool:
        """Does a rule end the game here, or is no action legal and no entry awaited?"""
        found = self.legality
        return bool(found.over) or not (found.actions or found.unsettled or found.awaited)

    @property
    def outcome(self) -> GameOutcome | None:
        """How the game has ended, if a rule has ended it."""
        return self.legality.outcome

    @property
    def legality(self) -> Legality:
        """What `legal` says of the position now; it is calculated once."""
        if self._legality is None or self._legality[0] is not self.position:
            self._legality = (self.position, legality.legal(self.position))
        return self._legality[1]

    @property
    def rolls_due(self) -> tuple[Roll, ...]:
        """The rolls that come before anything else now, with their odds."""
        return self.now.pending

    @property
    def key(self) -> str:
        """What the position now shares with equal ones, on every machine: a short text."""
        return self.position.key

    def observation(self, viewer: str) -> Observation:
        """What somebody knows of the game now, such as a player or a character.

        Raises: UnknownName, if nobody of that name looks at the game.
        """
        observer = Observer.of(self.position, viewer)
        return observer.observation(self.position, self.legality, self.now.pending)

    @checked
    def why(self, action: Term | str) -> Why:
        """Why an action is legal now, or not."""
        return explanation.why(self.position, action)

    @checked
    def forecast(self, *names: str) -> Forecast:
        """The figures of the position now; with names, only those."""
        return figures.forecast(self.position, *names)

    def __repr__(self) -> str:
        name, steps = self._start.ruleset.name, len(self._past) - 1
        return f"<Session {name}: {steps} step{'s' * (steps != 1)} played>"

    @property
    def now(self) -> SessionStep:
        return self._past[-1]

    def _keep(self, outcome: Outcome) -> None:
        """Go on from what has come of an action here."""
        move = Move(str(outcome.actions[-1]), tuple(map(str, outcome.rolls)))
        state = (outcome.position, outcome.pending, move, self.position)
        self._past.append(SessionStep(*state, len(outcome.steps)))

    # -- playing ---------------------------------------------------------------------------------

    @checked
    def push(self, action: Term | str, *rolls: Term | str) -> Outcome:
        """Carry out an action, with the *rolls* that it calls for; returns the result.

        Raises: IllegalAction with its rules, or Unsettled; UnknownName or InputError, if *action*
        names none, or several legal ones. The game then stays as it is.
        """
        if any(o == action for roll in self.now.pending for o, _ in roll.outcomes):
            return self.roll(terms.parse(str(action)))[0].outcome
        outcome = application.apply(self.position, action, given=rolls)
        self._keep(outcome)
        self._future.clear()
        return outcome

    def pop(self) -> str:
        """Take back the last step and return it. Raises: IndexError, if there is none."""
        if len(self._past) == 1:
            raise IndexError("nothing has been played")
        return self.undo()[0]

    def act(self, action: str) -> tuple[LineOfPlay, tuple[Step, ...]]:
        """Carry out an action; returns the answer, and the single steps that it took.

        Raises: UnknownName or InputError, if *action* names none, or several legal ones.
        """
        return self._done(self.now.position, action, (), 0)

    def roll(self, outcome: Term) -> tuple[LineOfPlay, tuple[Step, ...]]:
        """Let a roll that is due come out so; what it interrupted continues, if it began here."""
        now = self.now
        if now.move is None or now.before is None or len(self._past) <= len(self._loaded) + 1:
            return self.act(str(outcome))
        return self._done(now.before, now.move.action, (*now.move.rolls, str(outcome)), now.told)

    def _done(
        self, before: Position, action: str, rolls: tuple[str, ...], told: int
    ) -> tuple[LineOfPlay, tuple[Step, ...]]:
        answer, moves = replay.written_down(before, [action], rolls)
        found = answer.outcome
        if answer.done:
            state = (found.position, found.pending, moves[0], before)
            self._past.append(SessionStep(*state, len(found.steps), resumed=told > 0))
            self._future.clear()
        return answer, found.steps[told:]

    def branch(self) -> Session:
        """Another game that begins as this one has gone so far, and goes on by itself."""
        other = copy(self)
        other._past, other._future = list(self._past), list(self._future)
        other._source, other._texts = None, {}
        return other

    @checked
    def undo(self, number: int = 1) -> list[str]:
        """Take back up to *number* steps; returns those taken back, the last one first."""
        return _moved(self._past, self._future, min(number, len(self._past) - 1))

    @checked
    def redo(self, number: int = 1) -> list[str]:
        """Redo up to *number* steps that were taken back."""
        return _moved(self._future, self._past, min(number, len(self._future)))

    # -- the record ------------------------------------------------------------------------------

    def _kept(self) -> list[tuple[Move, Position]]:
        """The steps, each with the position before it; one that was taken up again stands once."""
        return [
            (moment.move, moment.before)
            for moment, after in zip(self._past, [*self._past[1:], None], strict=True)
            if moment.move and moment.before and not (after and after.resumed)
        ]

    @property
    def steps(self) -> tuple[Move, ...]:
        """The steps that were played, as a record has them."""
        return replay.with_headings(self._kept())

    @property
    def record(self) -> Record:
        """The record of the game, from the start."""
        ruleset = self._start.ruleset
        return Record(self._start, self.steps, ruleset.version, ruleset.hash, self.now.position)

    @property
    def unsaved(self) -> bool:
        return self.steps != self._saved

    @property
    def file(self) -> str:
        """The file that the record came from, if there is one."""
        return self._source.path if self._source else ""

    def keeps(self, path: str) -> bool:
        """Is this a known file that loses nothing if the record is written to it?"""
        return path in self._texts and (path != self.file or self._goes_on())

    def _goes_on(self) -> bool:
        """Is all that the record had at first still played so?"""
        return self.steps[: len(self._loaded)] == self._loaded

    @checked
    def save(self, path: str) -> None:
        """Write the record to a file; in the file that it came from, earlier content stays.

        Raises: InputError, if that is not possible, or somebody else has changed the file since; it
        then stays as it is.
        """
        if path not in self._texts:
            self._write(path, self.record.yaml(yamlio.folder_of(path)))
            return
        with locked(path):
            if read(path).text != self._texts[path]:
                message = "the file has changed since; save to another file"
                raise InputError(message, Place(yamlio.name_of(path)))
            if self._source and path == self.file and self._goes_on():
                added = replay.with_headings(self._kept()[len(self._loaded) :])
                self._write(path, self._source.extended(added, self.now.position).text)
            else:
                self._write(path, self.record.yaml(yamlio.folder_of(path)))

    def _write(self, path: str, text: str) -> None:
        yamlio.write(path, text)
        self._texts[path] = text
        self._saved = self.steps


def _moved(source: list[SessionStep], target: list[SessionStep], number: int) -> list[str]:
    """The last steps of a list, moved to another one, the last one first."""
    steps = [source.pop() for _ in range(number)]
    target += steps
    return [step.done for step in steps]
