"""A game as one of its players or characters observes it: position, steps, legal actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from clingo import Function, Symbol

from pymorph.answers import json_keys
from pymorph.dynamics.asking.chance import rolls_due
from pymorph.dynamics.outcomes import Change, Step
from pymorph.dynamics.results import Doubt, GameOutcome, Legality, Roll
from pymorph.questions.consistency import as_seen_by, observers, viewer_of
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.position import Position, value_of
from pymorph.terms import Term


@json_keys(
    also=["turn"], paths={"position": "position.line"}, optional=["unsettled", "rolls", "outcome"]
)
class Observation(NamedTuple):
    """What an observer knows of a game: the position as it is known there, what those may do for
    whom it sees, who else has something to choose, and the rolls that are due."""

    viewer: str
    position: Position
    legal_actions: tuple[Term, ...]
    unsettled: tuple[Doubt, ...] = ()
    waiting_for: tuple[str, ...] = ()
    rolls: tuple[Roll, ...] = ()
    outcome: GameOutcome | None = None

    @property
    def turn(self) -> tuple[str, ...]:
        """Who may act now, sorted by name."""
        return tuple(sorted({action.actor for action in self.legal_actions} | {*self.waiting_for}))


@dataclass(frozen=True, slots=True)
class Observer:
    """Who looks at a game; without a *name*, the referee, who sees all."""

    name: str = ""

    @classmethod
    def of(cls, position: Position, text: str) -> Observer:
        """The observer that a text names. Raises: UnknownName, if nobody of that name looks on."""
        return cls(viewer_of(position, text) if text else "")

    def seen(self, position: Position) -> Position:
        """What is known there. Raises: UnknownName, if nobody of that name looks at the game."""
        return as_seen_by(position, self.name) if self.name else position

    def rolls(self, position: Position, due: Sequence[Roll]) -> tuple[Roll, ...]:
        """The rolls that are *due*, as likely as is known there."""
        return rolls_due(self.seen(position)) if self.name and due else tuple(due)

    def observation(
        self, position: Position, legality: Legality, due: Sequence[Roll]
    ) -> Observation:
        """What is known of a position, of what is legal there, and of the rolls that are due."""
        mine, others = self.legality(position, legality)
        rolls = self.rolls(position, due)
        actions = () if rolls else mine.actions
        seen = self.seen(position)
        state = (actions, mine.unsettled, others, rolls, legality.outcome)
        return Observation(self.name, seen, *state)

    def legality(self, position: Position, legality: Legality) -> tuple[Legality, tuple[str, ...]]:
        """What those may do for whom one sees, and the others who have something to choose."""
        if not self.name:
            return legality, ()
        eyes = observers(position).get(self.name, set()) | {self.name}
        mine = legality._replace(
            actions=tuple(action for action in legality.actions if action.actor in eyes),
            unsettled=tuple(doubt for doubt in legality.unsettled if doubt.action.actor in eyes),
        )
        return mine, tuple(dict.fromkeys(a.actor for a in legality.actions if a.actor not in eyes))

    def steps(self, start: Position, steps: Iterable[Step]) -> Iterator[Step]:
        """Steps from *start* on, each with what is seen of it."""
        before = self.seen(start)
        for step in steps:
            if not self.name:
                yield step
                continue
            after = self.seen(step.position)
            changes = tuple(_changes(before, after, step.changes))
            yield step._replace(action=_veiled(step, after), changes=changes, position=after)
            before = after


def _changes(before: Position, after: Position, changes: Sequence[Change]) -> Iterator[Change]:
    """What is seen to change, by the rules that changed it or its like."""
    rules = {change.fluent.symbol: change.rules for change in changes}
    alike = {change.fluent.name: change.rules for change in changes}
    moved = {fluent for fluent, _ in before.items ^ after.items}
    for fluent in sorted(map(Term, moved)):
        was, now = (Term(value_of(position, fluent.symbol)) for position in (before, after))
        yield Change(fluent, was, now, rules.get(fluent.symbol, alike.get(fluent.name, ())))


def _veiled(step: Step, after: Position) -> Term:
    """The action; its arguments that reveal an unseen change are written ``hidden``."""
    untold: set[Symbol] = set()
    for change in step.changes:
        fluent = change.fluent.symbol
        if value_of(after, fluent) != change.after.symbol:
            untold |= {*fluent.arguments, change.after.symbol}
    untold -= step.position.names
    action = step.action.symbol
    return Term(Function(action.name, [HIDDEN if a in untold else a for a in action.arguments]))
