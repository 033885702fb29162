"""A game with seats: everybody asks from what is known in a seat, and plays for it alone.

Whatever leaves a seat is worked out from its view of the position, never from the position itself:
two games that look the same from a seat give it the same answers.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

from pymorph import yamlio
from pymorph.answers import json_keys
from pymorph.cli.loading import HANDLE, Kept, PositionOptions
from pymorph.cli.verb import CommandLine
from pymorph.doors.requests import Requests
from pymorph.dynamics.asking import chance
from pymorph.dynamics.outcomes import Change, Event, LineOfPlay, Outcome, Step
from pymorph.dynamics.results import Legality, Why
from pymorph.errors import Fault, InputError, PymorphError, UnknownName, nearest
from pymorph.explore.execution import application, replay
from pymorph.questions import consistency, explanation, legality
from pymorph.questions.observers import Observer
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state import rulings
from pymorph.state.files import record_file
from pymorph.state.position import Position
from pymorph.state.record import Move, Record
from pymorph.terms import names_in, parse

MASTER = "master"
SPECTATOR = "spectator"
PLAYER = "player "  # before the name of a seat whose player is called as one of these two
# The verbs that any seat may ask, with the options that read no file and write none.
ASKED = {
    "show": ("sight", "reach", "threat", "template", "path"),
    "legal": ("actor", "all"),
    "why": ("what",),
    "forecast": ("names", "next"),
    "measure": ("one", "other"),
}
UNSAID = "this seat cannot be answered now; ask who runs the game"


class SeatAnswer(NamedTuple):
    """An answer: as JSON, with the keys of the verb, and as lines."""

    data: dict[str, Any]
    lines: list[str]


Then = Callable[[Any], Any]


def kept(answer: Any) -> Any:
    return answer


class PlayedStep(NamedTuple):
    """A step that was played, and the position after it; the first has no step."""

    position: Position
    move: Move | None = None
    outcome: Outcome | None = None


@json_keys(optional=["action"])
class SeenStep(NamedTuple):
    """What a seat sees of one step: the action, if the seat knows it; changes and events."""

    action: str
    changes: tuple[Change, ...]
    events: tuple[Event, ...] = ()


class SeenSteps(NamedTuple):
    """What a seat has seen since the game began."""

    seen: tuple[SeenStep, ...]


class Table:
    """A game with seats, whose state is the record in a file; several processes may share it."""

    def __init__(self, path: str) -> None:
        """Raises: InputError, if the file has no record, or its steps cannot be carried out."""
        self.path = path
        self._lock = threading.RLock()
        self._file: record_file.RecordFile | None = None
        self._house = b""  # the rulings file beside it
        self.ruled: rulings.RulingsInForce = {}
        self._moments: list[PlayedStep] = []
        self._holders: dict[str, str] = {}
        self.seen_steps: dict[str | None, list[tuple[PlayedStep, SeenStep]]] = {}
        self.moments()

    @classmethod
    def laid(cls, path: str, start: Position | Record, seed: str = "") -> Table:
        """A table for a game that starts so, with a new record; rolls come from the *seed*."""
        record = start if isinstance(start, Record) else Record(start)
        edition = record.position.ruleset
        seed = seed or record.seed or secrets.token_hex(16)
        record = replace(record, version=edition.version, hash=edition.hash, seed=seed, result=None)
        consistency.require_well_formed(record.position, yamlio.name_of(path))
        if os.path.exists(path):
            raise InputError(Fault(f"{path} exists already; choose another file"))
        yamlio.write(path, record.yaml(yamlio.folder_of(path)))
        table = cls(path)
        table.play()
        return table

    # -- the game --------------------------------------------------------------------------------

    def moments(self) -> list[PlayedStep]:
        """The game so far; it is read again if somebody has written to its file, or has ruled."""
        with self._lock:
            data, _ = yamlio.read_bytes(self.path, yamlio.LIMITS.long_bytes)
            beside = rulings.beside(self.path)
            house = beside.read_bytes() if beside.is_file() else b""
            unread = self._file is None or data != self._file.text.encode("utf-8")
            if unread or house != self._house:
                file, options = record_file.read(self.path), PositionOptions()
                start = options.under(file.record.position, self.path)
                played = _played(replace(file.record, position=start), self._moments)
                self._file, self._house, self._moments = file, house, played
                self.ruled = dict(options.ruled)
            return self._moments

    @property
    def position(self) -> Position:
        """The position now."""
        return self.moments()[-1].position

    def ruling_on(self, question: str, ruling: rulings.Ruling | None) -> list[Change]:
        """Write a ruling on a question to the rulings file beside the record, or none; gives what
        that changes in the position.

        Raises: InputError, if the record says it itself, or could not have come so far.
        """
        with self._lock, record_file.locked(self.path):
            before, file = self.position, rulings.beside(self.path)
            assert self._file is not None
            own = self.ruled.get(question)
            if own is not None and own.origin == rulings.OWN:
                raise InputError(Fault(f"the record itself says {question} = {own.option}"))
            text = rulings.written(file, before.ruleset, question, ruling)
            options = {**before.rulings}
            options.pop(question, None)
            if ruling is not None:
                options[question] = ruling.option
            record = self._file.record
            start = record.position.with_rulings(options)
            replay.end_of(replace(record, position=start, result=None))
            yamlio.write(file, text)
            return list(changes(before, self.position))

    @property
    def seed(self) -> str:
        """The seed of the rolls that the table makes."""
        self.moments()
        assert self._file is not None
        return self._file.record.seed

    def text(self) -> str:
        """The whole record, with the seed and all actions."""
        self.moments()
        assert self._file is not None
        return self._file.text

    def play(self, *actions: str, given: Sequence[str] = (), rolls: bool = True) -> LineOfPlay:
        """Carry out actions, with the rolls that are *given*, and make all others if it *rolls*;
        all of it is written to the record, or nothing."""
        with self._lock, record_file.locked(self.path):
            moments = self.moments()
            assert self._file is not None
            dice = chance.seeded(f"{self.seed} {len(moments) - 1}") if rolls else None
            start = moments[-1].position
            answer, moves = replay.written_down(start, actions, given, dice)
            if answer.done and moves:
                file = self._file.extended(moves, answer.outcome.position)
                yamlio.write(self.path, file.text)
                if len(moves) == 1:  # nothing has to be read and carried out again
                    self._file = file
                    step = PlayedStep(answer.outcome.position, moves[0], answer.outcome)
                    self._moments = [*moments, step]
        return answer

    def undo(self, number: int = 1) -> list[Move]:
        """Take back up to *number* steps; gives them, the last one first."""
        with self._lock, record_file.locked(self.path):
            self.moments()
            assert self._file is not None
            record = self._file.record
            kept = record.steps[: max(len(record.steps) - number, 0)]
            text = replace(record, steps=kept, result=None).yaml(yamlio.folder_of(self.path))
            yamlio.write(self.path, text)
        return list(reversed(record.steps[len(kept) :]))

    # -- seats -----------------------------------------------------------------------------------

    def seat(self, name: str) -> Seat:
        """The seat of a name: a player, a character, `master`, or `spectator`; a player with one of
        these two names has the seat `player master`.

        Raises: UnknownName, with the nearest names.
        """
        if name in (MASTER, SPECTATOR):
            return Seat(self, "" if name == MASTER else None)
        return Seat(self, Observer.of(self.position, player_of(name)).name)

    def deal(self, name: str) -> str:
        """A new token, which holds the seat of this name from now on."""
        self.seat(name)
        token = secrets.token_urlsafe(24)
        self._holders[token] = name
        return token

    def held(self, token: str) -> Seat:
        """The seat that a token holds. Raises: UnknownName, which names none."""
        holders = [name for own, name in self._holders.items() if _same(own, token)]
        if not holders:
            raise UnknownName(Fault("no seat has this token"))
        return self.seat(holders[0])


def player_of(seat: str) -> str:
    """Who has a seat."""
    return seat.removeprefix(PLAYER)


def seat_for(player: str) -> str:
    """The name of a player's seat."""
    return PLAYER + player if player in (MASTER, SPECTATOR) else player


def seats_around(players: Iterable[str]) -> list[str]:
    """All seats at a table with these players."""
    return [MASTER, *map(seat_for, players), SPECTATOR]


def _same(own: str, given: str) -> bool:
    return secrets.compare_digest(own.encode(), given.encode("utf-8", "replace"))


def _played(record: Record, before: Sequence[PlayedStep]) -> list[PlayedStep]:
    """The moments of a record; those *before* that it still has are kept."""
    begun = [PlayedStep(application.apply(record.position).position)]
    moments = list(before) if before[:1] == begun else begun
    moves = [moment.move for moment in moments[1:]]
    if tuple(moves) != record.steps[: len(moves)]:
        moments, moves = begun, []
    rest = replace(
        record, position=moments[-1].position, steps=record.steps[len(moves) :], result=None
    )

    def keep(_: int, move: Move, outcome: Outcome) -> None:
        moments.append(PlayedStep(outcome.position, move, outcome))

    replay.end_of(rest, keep)
    return moments


@dataclass(frozen=True)
class Seat:
    """A place at a table: its *name* is "" for who runs the game, None for a spectator.

    It looks at the position after the step of a *number*; by default, at the last one.
    """

    table: Table
    name: str | None
    number: int = -1

    @cached_property
    def is_master(self) -> bool:
        return self.name == ""

    @property
    def title(self) -> str:
        """The name by which a table gives this seat."""
        if self.name:
            return seat_for(self.name)
        return MASTER if self.is_master else SPECTATOR

    def view(self) -> Position:
        """The position as this seat knows it."""
        return self._seen(self.number)

    def view_of(self, position: Position) -> Position:
        return position if self.is_master else consistency.as_seen_by(position, self.name)

    def _seen(self, number: int) -> Position:
        if self.is_master:
            return self.table.moments()[number].position
        with unsaid():
            return self.view_of(self.table.moments()[number].position)

    def actors(self, view: Position) -> set[str]:
        """Those for whom this seat plays."""
        if not self.name:
            return set()
        return consistency.observers(view).get(self.name, set()) | {self.name}

    # -- asking ----------------------------------------------------------------------------------

    def ask(self, verb: str, options: Mapping[str, Any], then: Then = kept) -> SeatAnswer:
        """What a verb answers of this view, and what is *then* left of it.

        Raises: UnknownName, if a seat may not ask it, or not with such options.
        """
        if not self.is_master:
            open_to(ASKED, verb, options)
        view = self.view()
        return answered(verb, view, options, lambda asked: then(self.part(view, asked.answered())))

    def part(self, view: Position, answer: Any) -> Any:
        """What is left of an answer: of what is legal, the part of those for whom it plays."""
        if self.is_master or not isinstance(answer, Legality):
            return answer
        own = self.actors(view)
        return answer._replace(
            actions=tuple(action for action in answer.actions if action.actor in own),
            unsettled=tuple(doubt for doubt in answer.unsettled if doubt.action.actor in own),
            awaited=tuple(each for each in answer.awaited if each.form.actor in own),
            rolls=(),
        )

    def knows_all(self, view: Position) -> bool:
        """Is this view all there is? The rules and the view say so, not what is hidden."""
        parts = view.ruleset.slices["concealed"].parts
        feigns = any(name == "feigned" for part in parts for name, *_ in part.signs.heads)
        return self.is_master or not (feigns or HIDDEN.name in words_of(view))

    def seen(self) -> SeenSteps:
        """What this seat has seen since the game began; a step without any trace is left out."""
        with unsaid():
            steps = self.steps()
        return SeenSteps(tuple(step for step in steps if step.action or step.changes))

    def steps(self) -> list[SeenStep]:
        """What this seat has seen of each step; those that were asked about before are kept."""
        kept = self.table.seen_steps.setdefault(self.name, [])
        pairs = list(pairwise(self.table.moments()))
        same = takewhile(
            lambda each: each[0][0] is each[1], zip(kept, (p[1] for p in pairs), strict=False)
        )
        del kept[len(list(same)) :]
        kept += [(after, self.step(before, after)) for before, after in pairs[len(kept) :]]
        return [step for _, step in kept]

    def step(self, before: PlayedStep, after: PlayedStep) -> SeenStep:
        """What this seat sees of a step that was played."""
        was, now = self.view_of(before.position), self.view_of(after.position)
        assert after.move is not None
        assert after.outcome is not None
        if self.knows_all(was) and self.knows_all(now):
            outcome = after.outcome
            return SeenStep(after.move.action, outcome.changes, outcome.events)
        own = parse(after.move.action).actor in self.actors(was)
        return SeenStep(after.move.action if own else "", changes(was, now))

    def record(self) -> str:
        """The record, with the seed of its rolls and all actions. Raises: InputError until the
        game is over as far as this seat knows."""
        if not self.is_master and not legality.legal(self.view()).over:
            raise InputError(Fault("the record is open to a seat when the game is over"))
        return self.table.text()

    # -- playing ---------------------------------------------------------------------------------

    def apply(
        self, action: str, then: Then = kept, rolls: Sequence[str] | None = None
    ) -> SeatAnswer:
        """What `apply` answers of an action of this seat, which is carried out, with the *rolls*
        that somebody enters; without them, the table makes them."""

        def ask(asked: CommandLine) -> Any:
            answer = self.play(action, rolls)
            asked.asked_about(answer.outcome.position, {})
            return then(answer)

        return answered("apply", None, {"file": HANDLE, "actions": [action]}, ask)

    def play(self, action: str, rolls: Sequence[str] | None = None) -> LineOfPlay:
        """Carry out an action of this seat; the answer says what it sees of that.

        An action that depends on something hidden is refused, if it is not legal, as the seat sees
        it: the answer does not say what stood in its way.
        """
        if self.is_master:
            return self.table.play(action, given=rolls or (), rolls=rolls is None)
        view = self.view()
        meant = application.meant(view, action)
        own = self.actors(view)
        if meant.actor not in own:
            who = ", ".join(sorted(own)) or "nobody"
            raise InputError(Fault(f"this seat plays for {who}, not for {meant.actor}"))
        why = explanation.why(view, meant)
        if why.legal is False:
            return refused(view, why)
        with unsaid():
            answer = self.table.play(str(meant), given=rolls or (), rolls=rolls is None)
        now = self._seen(-1)
        if not answer.done:
            return refused(now, explanation.why(now, meant))
        if self.knows_all(view) and self.knows_all(now):
            return answer
        step = Step(meant, changes(view, now), (), now)
        done = Outcome(now.ruleset, (meant,), (step,), now, step.changes)
        return LineOfPlay(done)


def open_to(asked: Mapping[str, tuple[str, ...]], verb: str, options: Mapping[str, Any]) -> None:
    """Raises: UnknownName, if a seat that has *asked* may not ask a verb, or not so."""
    for name, known in ((verb, asked), *((name, asked.get(verb, ())) for name in options)):
        if name not in known:
            raise UnknownName(Fault(f"a seat cannot ask {name}{nearest(name, known)}"))


def refused(view: Position, why: Why) -> LineOfPlay:
    """An action that was not carried out. Raises: InputError, if its seat cannot know why."""
    if why.legal:
        raise InputError(Fault(f"{why.action} cannot be carried out now"))
    nothing = Outcome(view.ruleset, (), (), view, ())
    return LineOfPlay(nothing, 1, why, tuple(map(str, why.depends_on)))


def changes(before: Position, after: Position) -> tuple[Change, ...]:
    """What differs between two views, whatever rules changed it."""
    differing = replay.differences(before, after)
    return tuple(Change(each.fluent, each.recorded, each.now, ()) for each in differing)


def words_of(view: Position) -> frozenset[str]:
    """The names in a view, those of unfinished actions as well."""
    return view.words | frozenset(names_in(view.unfinished))


def answered(
    verb: str,
    position: Position | None,
    options: Mapping[str, Any],
    ask: Callable[[CommandLine], Any] = CommandLine.answered,
) -> SeatAnswer:
    """What a verb answers of a position as it is, or of none; *ask* may ask it otherwise."""
    asked = ready(verb, position, options)
    answer = ask(asked)
    return SeatAnswer(asked.in_json(answer), asked.lines(answer))


def ready(verb: str, position: Position | None, options: Mapping[str, Any]) -> CommandLine:
    """A verb that can be asked about a position as it is, or about none."""
    requests = Requests()
    given = dict(options)
    if position is not None:
        requests.handles[HANDLE] = Kept(position, position, {})
        given["file"] = HANDLE
    return requests.verb(verb, {}, given)


@contextmanager
def unsaid() -> Iterator[None]:
    """Of an error about the whole game, a seat hears only that there is one."""
    try:
        yield
    except PymorphError:
        raise PymorphError(UNSAID) from None
