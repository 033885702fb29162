"""Carrying actions out to their end: each step of them, and the steps without choice after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from clingo import Symbol

from pymorph.dynamics.asking.batch import Arguments, ask, batches, by_situation, facts_of
from pymorph.dynamics.asking.chance import rolls_with
from pymorph.dynamics.asking.legal import legal_of
from pymorph.dynamics.asking.steps import (
    Link,
    PositionAction,
    Refusal,
    Unfolding,
    links_of,
    steps_of,
)
from pymorph.dynamics.outcomes import Event
from pymorph.dynamics.results import GameOutcome, Roll
from pymorph.errors import Fault, RulesetError
from pymorph.ruleset.loader import Ruleset
from pymorph.state.position import Item, Position
from pymorph.terms import order, text_of

MAX_SETTLING = 100  # steps without choice in a row
MAX_STEPS = 1000  # that an action is made of
Relevant = tuple[frozenset[Item], frozenset[tuple[str, str]]]  # fluents, rulings


@dataclass(frozen=True, slots=True)
class Pause:
    """What comes before any choice: a step without choice that is due, or rolls, or neither.

    *chances* has the arguments of the atoms that tell of the rolls.
    """

    due: Symbol | None = None
    chances: tuple[Arguments, ...] = ()


NOTHING = Pause()


class Prospect(NamedTuple):
    """What may be done in a position, the rolls that are due, by which rules it is over, and who
    has won then."""

    actions: Sequence[Symbol]
    rolls: tuple[Roll, ...]
    over: tuple[str, ...]
    outcome: GameOutcome | None = None


@dataclass(slots=True)
class Leg:
    """An action with what follows of itself, link by link, and where that leads.

    *agenda* is what is left of it to do. It is *stopped* where that is left undone: a part of it is
    *refused*, or a step says so, or nobody chose one. Before rolls that are due it waits; *after*
    is the position with what goes on once they are made.
    """

    position: Position
    agenda: tuple[Symbol, ...] = ()
    links: list[Link] = field(default_factory=list)
    stopped: bool = False
    refused: Refusal | None = None
    pause: Pause = NOTHING

    @classmethod
    def of(cls, position: Position, action: Symbol) -> Leg:
        """An action that is taken in a position, with what a roll there interrupted."""
        return cls(position.with_unfinished(()), (action, *position.unfinished))

    @property
    def waits(self) -> bool:
        """Does the rest of it go on after the rolls that are due?"""
        return bool(self.agenda) and not self.stopped and bool(self.pause.chances)

    @property
    def after(self) -> Position:
        """The position that it leads to, with what is unfinished there."""
        return self.position.with_unfinished(self.agenda) if self.waits else self.position

    @property
    def events(self) -> list[Event]:
        return [event for link in self.links for event in link.events]

    def noted(self, matters: Callable[[Symbol], bool]) -> list[Symbol]:
        """The events of a kind that *matters*, in order; few steps bring any about."""
        return [
            event.event.symbol
            for link in self.links
            if any(matters(row[0]) for row in link.happens)
            for event in link.events
            if matters(event.event.symbol)
        ]

    @property
    def ended(self) -> list[str]:
        return [period for link in self.links for period in link.ended]

    @property
    def goes_on(self) -> bool:
        """Is the next step of it to be carried out?"""
        return bool(self.agenda) and not (self.stopped or self.pause.chances)

    def take(self, link: Link) -> None:
        """Go on by a step."""
        self.links.append(link)
        self.position = link.position


class RelevantState:
    """What a question looks at in the positions of one game and table.

    Positions that agree in that have the same answer, so it is asked of one of them.
    """

    def __init__(self, ruleset: Ruleset, verb: str) -> None:
        self._names = fluents_read(ruleset, verb)
        self._met: set[Item] = set()
        self._idle: set[Item] = set()

    def of(self, position: Position) -> Relevant:
        """The part of a position that the answer can depend on."""
        new = position.items - self._met
        if new:
            self._met |= new
            self._idle |= {item for item in new if item[0].name not in self._names}
        return position.items - self._idle, frozenset(position.rulings.items())


@lru_cache(maxsize=64)
def fluents_read(ruleset: Ruleset, verb: str) -> frozenset[str | None]:
    """The names of the fluents that the rules of a verb read."""
    reads = {key for part in ruleset.slices[verb].parts for key in part.signs.uses}
    names = {functor for name, arity, functor in reads if (name, arity) == ("holds", 3)}
    return frozenset(ruleset.vocabulary.fluents) if None in names else frozenset(names)


class Carrier:
    """Carries out actions in positions of one game and table, many at once; nothing is asked twice.

    With the verb ``apply`` each step is told with the figures behind it, and a refusal with its
    rules. If it does not *remember*, it asks each question again wherever play comes to it: whoever
    listens then hears what each position depends on.
    """

    def __init__(self, ruleset: Ruleset, verb: str = "step", remember: bool = True) -> None:
        self._verb = verb
        self._remember = remember
        self._steps: dict[PositionAction, Link | Unfolding | Refusal] = {}
        self._forced: dict[PositionAction, Link] = {}
        self._aspects = RelevantState(ruleset, "pause")
        self._pauses: dict[Relevant, Pause] = {}

    def forget(self) -> None:
        """Let go of what was found of single positions, which may be too much to keep."""
        self._steps.clear()
        self._forced.clear()

    def prospects(self, positions: Sequence[Position]) -> list[Prospect]:
        """What may be done in each of some positions."""
        return [
            Prospect(
                [action.symbol for action in found.actions], found.rolls, found.over, found.outcome
            )
            for found in legal_of(positions)
        ]

    def carry_on(self, legs: Sequence[Leg]) -> None:
        """Carry each leg on until nothing is left to do, it is stopped, or rolls have to be made.

        Raises: RulesetError, where that comes to no end.
        """
        for _ in range(MAX_STEPS):
            going = [leg for leg in legs if leg.goes_on]
            if not going:
                return
            taken = []
            steps = self.steps([(leg.position, leg.agenda[0]) for leg in going])
            for leg, step in zip(going, steps, strict=True):
                if isinstance(step, Unfolding):
                    leg.agenda = (*step, *leg.agenda[1:])
                elif isinstance(step, Refusal):
                    leg.refused, leg.stopped = step, True
                else:
                    leg.agenda = leg.agenda[1:]
                    leg.stopped = step.halted
                    leg.take(step)
                    taken.append(leg)
            self.settle(taken)
        raise RulesetError(Fault("an action never ends"))

    def settle(self, legs: Sequence[Leg]) -> None:
        """Carry out the steps without choice that are due, which stop the legs, until none is.

        Raises: RulesetError, where that comes to no end, or one of them changes nothing.
        """
        going = list(legs)
        for _ in range(MAX_SETTLING + 1):
            for leg, pause in zip(going, self.pauses([g.position for g in going]), strict=True):
                leg.pause = pause
            due = [(leg, (leg.position, leg.pause.due)) for leg in going if leg.pause.due]
            if not due:
                return
            self._force(pair for _, pair in due)
            for leg, pair in due:
                leg.take(self._forced[pair])
                leg.stopped = True
            going = [leg for leg, _ in due]
        told = f"{text_of(due[0][1][1])} is due again"
        raise RulesetError(Fault(f"forced steps never end: {told}"))

    def _force(self, pairs: Iterable[PositionAction]) -> None:
        """Find out what comes of the steps that are due."""
        if not self._remember:
            self._forced.clear()
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._forced]
        for pair, link in zip(new, links_of(new, self._verb), strict=True):
            if link.position == pair[0]:
                raise RulesetError(Fault(f"the forced step {text_of(pair[1])} changes nothing"))
            self._forced[pair] = link

    def steps(self, pairs: Sequence[PositionAction]) -> list[Link | Unfolding | Refusal]:
        """What comes of each of some actions where it is carried out, if it is legal there."""
        if not self._remember:
            self._steps.clear()
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._steps]
        self._steps.update(zip(new, steps_of(new, self._verb), strict=True))
        return [self._steps[pair] for pair in pairs]

    def pauses(self, positions: Sequence[Position]) -> list[Pause]:
        """What comes before any choice in each of some positions."""
        if not self._remember:
            self._pauses.clear()
        aspects = list(map(self._aspects.of, positions))
        new = {a: p for a, p in zip(aspects, positions, strict=True) if a not in self._pauses}
        keys, unknown = list(new), list(new.values())
        for first, numbers in batches(unknown):
            self._pauses |= dict.fromkeys((keys[n] for n in numbers), NOTHING)
            if first.ruleset.slices["pause"].parts:
                atoms = ask("pause", first, facts_of(unknown, numbers))
                due, chances = by_situation(atoms["due"], 1), by_situation(atoms["chance"], 3)
                for n in due.keys() | chances.keys():
                    action = min((row[0] for row in due.get(n, ())), key=order, default=None)
                    self._pauses[keys[n]] = Pause(action, tuple(chances.get(n, ())))
        return [self._pauses[aspect] for aspect in aspects]

    def rolls(self, positions: Sequence[Position]) -> tuple[tuple[Roll, ...], ...]:
        """The rolls that are due in each of some positions."""
        return rolls_with(positions, [pause.chances for pause in self.pauses(positions)])
