"""Playing a record again, step by step: how far it goes by the rules, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from pymorph.answers import frozen, json_keys
from pymorph.dynamics import history
from pymorph.dynamics.asking.chance import Dice
from pymorph.dynamics.asking.endings import outcome
from pymorph.dynamics.outcomes import WRITTEN, LineOfPlay, Outcome, Step
from pymorph.dynamics.results import GameOutcome, Roll, Why
from pymorph.errors import InputError, Place
from pymorph.explore.execution.application import Typed, apply, play_through
from pymorph.ruleset.loader import Ruleset
from pymorph.runtime.arguments import checked
from pymorph.state.position import Position
from pymorph.state.record import Heading, Move, Record, StatedEnd, heading_of
from pymorph.terms import Term, parse_symbol, sorted_symbols

OnStep = Callable[[int, Move, Outcome], None]


@json_keys(also=["action", "rules"], paths={"line": "_line"}, without=["move", "position", "why"])
@frozen
class Stop:
    """The step at which a record stops: it is not legal, or does not fit.

    *position* is the position before it. *why* explains the action, if the rules forbid it. *says*
    names any other error: a heading that is not true, a roll that no step calls for.
    """

    step: int
    move: Move
    position: Position
    why: Why | None = None
    says: str = ""
    depends_on: tuple[str, ...] = ()
    pending: tuple[Roll, ...] = ()

    @property
    def place(self) -> Place | None:
        return self.move.place

    @property
    def action(self) -> str:
        return str(self.why.action) if self.why else self.move.action

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(sorted({r.rule.id for r in self.why.reasons})) if self.why else ()

    @property
    def _line(self) -> int:
        """Its line in the file; 0 if it is in none."""
        return self.place.line if self.place else 0


@json_keys(paths={"recorded": "recorded._plain", "now": "now._plain"})
@frozen
class ResultDifference:
    """A fluent whose value at the end differs from the record."""

    fluent: Term
    recorded: Term
    now: Term


@json_keys(
    paths={"outcome": "ending", "illegal": "stop", **WRITTEN},
    without=["end"],
    spread=["ruleset.edition"],
    parts={"made_under": ("version", "hash")},
    optional=["partial"],
)
@frozen
class Replay:
    """How far a record goes: the number of its steps carried out, and the position after them.

    *made_under* is the version and hash of the ruleset that it was recorded with, if they differ.
    It is *partial* if the time limit was reached before its end, with no error so far.
    """

    ruleset: Ruleset
    steps: int
    position: Position
    stop: Stop | None = None
    made_under: tuple[str, str] | None = None
    differs: tuple[ResultDifference, ...] = ()
    pending: tuple[Roll, ...] = ()
    end: StatedEnd | None = None
    partial: bool = False

    @property
    def good(self) -> bool:
        return self.stop is None and not self.differs and self.end_fits

    @property
    def end_fits(self) -> bool:
        """Does the record agree with the rules on who has won, if the rules say it?"""
        found = outcome(self.position) if self.end else None
        if found is None or self.end is None:
            return True
        said = (sorted(self.end.winners), self.end.drawn)
        return said == (sorted(map(str, found.winners)), found.drawn)

    @property
    def ending(self) -> GameOutcome | None:
        """Who has won, if the game is over then: by the rules, or else as the record says."""
        found = None if self.partial else outcome(self.position)
        if found is not None or self.end is None:
            return found
        winners = tuple(Term(parse_symbol(name)) for name in self.end.winners)
        return GameOutcome(winners, self.end.drawn, {}, (), self.end.reason)


@json_keys(spread=["replay"], items={"played": ("step", "steps")}, when={"played": "_has_steps"})
class ReplayWithSteps(NamedTuple):
    """A replay; what each step changed, if that is shown."""

    replay: Replay
    played: tuple[tuple[int, tuple[Step, ...]], ...] | None

    @property
    def _has_steps(self) -> bool:
        return self.played is not None


@checked
def replay(
    record: Record,
    to: int | None = None,
    on_step: OnStep | None = None,
    kept: Callable[[Replay], None] | None = None,
) -> Replay:
    """Carry out the steps of *record*, or the first *to* of them, up to the first illegal one.

    *on_step* is told the number, the step and what came of it as soon as it is carried out; nothing
    is kept of a step but the position after it. *kept* is given how far it is after each step.
    Raises: InputError, if there are fewer steps than *to*.

    >>> import pymorph
    >>> record = pymorph.Record.load("examples/rulesets/chess/records/to_and_fro.yaml")
    >>> answer = pymorph.replay(record)
    >>> answer.steps, answer.stop, answer.differs
    (8, None, ())
    """
    total = len(record.steps)
    if to is not None and not 0 <= to <= total:
        raise InputError(f"the record has no step {to}, only {total}")
    begun = apply(history.begun(record.position))
    under = _made_under(record)
    answer = Replay(begun.ruleset, 0, begun.position, made_under=under, pending=begun.pending)
    for number, move in enumerate(record.steps[:to], 1):
        found = _carried_out(number, move, answer.position)
        if isinstance(found, Stop):
            return replace(answer, stop=found)
        answer = replace(answer, steps=number, position=found.position, pending=found.pending)
        if on_step is not None:
            on_step(number, move, found)
        if kept is not None:
            kept(replace(answer, partial=True))
    if answer.steps < total:
        return answer
    differs = differences(record.result, answer.position) if record.result else ()
    return replace(answer, differs=differs, end=record.end)


def end_of(record: Record, on_step: OnStep | None = None, to: int | None = None) -> Position:
    """The position that a record comes to, or the first *to* steps of it.

    Raises: InputError, if a step of it is not legal, or there are fewer.
    """
    found = replay(record, to, on_step)
    if found.stop is None:
        return found.position
    stop = found.stop
    because = stop.says or f"{stop.action} is not legal: {', '.join(stop.rules)}"
    raise InputError(f"step {stop.step} of the record cannot be carried out: {because}", stop.place)


def written_down(
    position: Position, actions: Sequence[str], given: Typed = (), dice: Dice | None = None
) -> tuple[LineOfPlay, tuple[Move, ...]]:
    """What `play_through` answers, with the steps that a record has of it.

    *position* is the end of the record, where nothing is left to settle. The rolls stand with the
    action that called for them, or as steps of their own if there is none; a heading opens the
    steps, and again wherever it is another.
    """
    moves: list[tuple[Move, Position]] = []

    def keep(before: Position, done: Outcome) -> None:
        rolls = tuple(map(str, done.rolls[sum(len(move.rolls) for move, _ in moves) :]))
        moves.append((Move(str(done.actions[-1]), rolls), before if moves else position))

    answer = play_through(position, actions, given, dice, keep)
    if not actions:
        moves = [(Move(str(roll)), position) for roll in answer.outcome.rolls]
    return answer, with_headings(moves)


def with_headings(moves: Iterable[tuple[Move, Position]]) -> tuple[Move, ...]:
    """Moves, each with the position before it, as a record has them: a heading opens them, and
    again wherever it is another."""
    steps: list[Move] = []
    last: Heading = ()
    for move, before in moves:
        heading = heading_of(before)
        steps.append(replace(move, heading=heading if heading != last else ()))
        last = heading
    return tuple(steps)


def _carried_out(number: int, move: Move, position: Position) -> Outcome | Stop:
    for name, said in move.heading:
        found = position.value(name)
        if str(found) != said:
            return Stop(number, move, position, says=f"{name} is {found} here, not {said}")
    try:
        played = play_through(position, [move.action], move.rolls)
    except InputError as error:
        return Stop(number, move, position, says=error.faults[0].message)
    outcome = played.outcome
    if played.done:
        return outcome
    because = (played.why, "", played.depends_on, outcome.pending)
    return Stop(number, move, outcome.position, *because)


def _made_under(record: Record) -> tuple[str, str] | None:
    """The version and hash that a record names, if either is not that of its ruleset."""
    ruleset = record.position.ruleset
    version, digest = record.version or ruleset.version, record.hash or ruleset.hash
    if (version, digest) == (ruleset.version, ruleset.hash):
        return None
    return (record.version, record.hash)


def differences(recorded: Position, now: Position) -> tuple[ResultDifference, ...]:
    """The fluents that differ between two positions of one game."""
    found = []
    for fluent in sorted_symbols(recorded.fluents.keys() | now.fluents.keys()):
        default = now.default(fluent)
        old, new = recorded.fluents.get(fluent, default), now.fluents.get(fluent, default)
        if old != new:
            found.append(ResultDifference(Term(fluent), Term(old), Term(new)))
    return tuple(found)
