"""A game as one of its players or characters observes it: position, steps, legal actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from clingo import Function, Symbol, SymbolType

from pymorph.answers import json_keys
from pymorph.dynamics.asking.chance import rolls_due
from pymorph.dynamics.outcomes import Change, Event, Step
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
            untold = set(_untold(step.changes, changes, after))
            untold -= {*step.action.symbol.arguments[:1]}  # who acts is known
            yield step._replace(
                action=_veiled(step.action, untold),
                changes=changes,
                events=tuple(_seen_event(event, untold, after) for event in step.events),
                position=after,
                figures=() if untold else step.figures,
            )
            before = after


def _changes(before: Position, after: Position, changes: Sequence[Change]) -> Iterator[Change]:
    """What is seen to change, by the rules that changed it or its like."""
    rules = {change.fluent.symbol: change.rules for change in changes}
    alike = {change.fluent.name: change.rules for change in changes}
    moved = {fluent for fluent, _ in before.items ^ after.items}
    for fluent in sorted(map(Term, moved)):
        was, now = (Term(value_of(position, fluent.symbol)) for position in (before, after))
        yield Change(fluent, was, now, rules.get(fluent.symbol, alike.get(fluent.name, ())))


def _untold(changes: Sequence[Change], seen: Sequence[Change], after: Position) -> Iterator[Symbol]:
    """What would reveal a change that is not seen: what the changes that are *seen* do not show."""
    shown = [change.fluent.symbol for change in seen]
    for change in changes:
        fluent, value = change.fluent.symbol, change.after.symbol
        if value_of(after, fluent) == value:
            continue
        stated = next((other for other in shown if _stands_for(other, fluent)), None)
        if stated is None:
            yield from (*fluent.arguments, value)
        elif stated == fluent:
            yield value
        else:  # its hidden arguments are counted, so the value is shown
            yield from set(fluent.arguments).difference(stated.arguments)


def _stands_for(shown: Symbol, fluent: Symbol) -> bool:
    """Is a fluent shown as itself, or with a hidden argument?"""
    if shown.name != fluent.name or len(shown.arguments) != len(fluent.arguments):
        return False
    pairs = zip(shown.arguments, fluent.arguments, strict=True)
    return all(stated in (argument, HIDDEN) for stated, argument in pairs)


def _seen_event(event: Event, untold: Set[Symbol], after: Position) -> Event:
    seen = _veiled(event.event, untold)
    phrase = after.ruleset.vocabulary.phrase
    return event if seen == event.event else event._replace(event=seen, text=phrase(seen.symbol))


def _veiled(term: Term, untold: Set[Symbol]) -> Term:
    """An action or an event; its arguments that have something untold in them are ``hidden``."""
    arguments = term.symbol.arguments
    veiled = [a if untold.isdisjoint(_parts(a)) else HIDDEN for a in arguments]
    return Term(Function(term.symbol.name, veiled))


def _parts(symbol: Symbol) -> Iterator[Symbol]:
    """A symbol and all that is in it."""
    yield symbol
    if symbol.type == SymbolType.Function:
        for argument in symbol.arguments:
            yield from _parts(argument)
