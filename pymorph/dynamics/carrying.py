"""Carrying actions out to their end: each step of them, and the steps without choice after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

from clingo import Symbol

from pymorph.asp.grounding import Atoms
from pymorph.dynamics.asking import steps
from pymorph.dynamics.asking.batch import Arguments, ask, batches, by_situation, facts_of
from pymorph.dynamics.asking.chance import rolls_in, rolls_with
from pymorph.dynamics.asking.endings import outcomes_in
from pymorph.dynamics.asking.legal import hold_to_sorts
from pymorph.dynamics.asking.steps import MacroAction, PositionAction, Refusal, SingleStep
from pymorph.dynamics.outcomes import Event
from pymorph.dynamics.results import GameOutcome, Roll
from pymorph.errors import RulesetError
from pymorph.ruleset.loader import Ruleset
from pymorph.state.position import Item, Position
from pymorph.terms import functor, order, text_of

_K = TypeVar("_K")
_T = TypeVar("_T")
MAX_SETTLING = 100  # steps without choice in a row
MAX_STEPS = 1000  # that an action is made of
Relevant = tuple[frozenset[Item], frozenset[tuple[str, str]]]  # fluents, rulings


class ForcedOrChance(NamedTuple):
    """What comes before any choice: a step without choice that is due, or rolls, or neither.

    *chances* has the arguments of the atoms that tell of the rolls.
    """

    due: Symbol | None = None
    chances: tuple[Arguments, ...] = ()


NOTHING = ForcedOrChance()


def _automatic_in(atoms: Atoms) -> dict[int, ForcedOrChance]:
    due, chances = by_situation(atoms["due"], 1), by_situation(atoms["chance"], 3)
    first = {n: min((row[0] for row in rows), key=order) for n, rows in due.items()}
    return {n: ForcedOrChance(first.get(n), tuple(chances.get(n, ()))) for n in due | chances}


class LegalMoves(NamedTuple):
    """The legal *actions* of a position, each with its result where that was asked for, and the
    *rolls* that are due; what has to be entered, by which rules the game is over, and its outcome.
    """

    actions: dict[Symbol, SingleStep | MacroAction | None]
    rolls: tuple[Roll, ...]
    awaited: tuple[Symbol, ...]
    over: tuple[str, ...]
    outcome: GameOutcome | None


def moves_in(
    atoms: Atoms, positions: Sequence[Position], numbers: Iterable[int], rolls: bool = True
) -> dict[int, LegalMoves]:
    """The legal moves that some atoms tell of, by the numbers of the situations."""
    legal = by_situation(atoms["legal"], 1)
    chances = by_situation(atoms["chance"] if rolls else (), 3)
    entries, endings = by_situation(atoms["awaited"], 1), outcomes_in(atoms)
    moves = {}
    for number in numbers:
        actions = dict.fromkeys(row[0] for row in legal.get(number, ()))
        hold_to_sorts(positions[number], actions)
        due = rolls_in(chances.get(number, ()), actions.keys())
        awaited = sorted({row[0] for row in entries.get(number, ())}, key=order)
        moves[number] = LegalMoves(actions, due, tuple(awaited), *endings[number])
    return moves


@dataclass(slots=True)
class Trajectory:
    """An action with what follows of itself, link by link, and where that leads.

    *agenda* is what is left of it to do. It is *stopped* where that is left undone: a part of it is
    *refused*, or a step says so, or nobody chose one. Before rolls that are due it waits; *after*
    is the position with what goes on once they are made.
    """

    position: Position
    pending: tuple[Symbol, ...] = ()
    links: list[SingleStep] = field(default_factory=list)
    stopped: bool = False
    refused: Refusal | None = None
    automatic: ForcedOrChance = NOTHING

    @classmethod
    def of(cls, position: Position, action: Symbol) -> Trajectory:
        """An action that is taken in a position, with what a roll there interrupted."""
        return cls(position.with_unfinished(()), (action, *position.unfinished))

    @property
    def waits(self) -> bool:
        """Does the rest of it go on after the rolls that are due?"""
        return bool(self.pending) and not self.stopped and bool(self.automatic.chances)

    @property
    def after(self) -> Position:
        """The position that it leads to, with what is unfinished there."""
        return self.position.with_unfinished(self.pending) if self.waits else self.position

    @property
    def events(self) -> list[Event]:
        return [event for link in self.links for event in link.events]

    def noted(self, matters: Callable[[Symbol], bool]) -> list[Symbol]:
        """The events of a kind that *matters*, in order; few steps bring any about."""
        links = (link for link in self.links if any(matters(row[0]) for row in link.happens))
        events = (event.event.symbol for link in links for event in link.events)
        return list(filter(matters, events))

    @property
    def ended(self) -> list[str]:
        return [period for link in self.links for period in link.ended]

    @property
    def goes_on(self) -> bool:
        """Is the next step of it to be carried out?"""
        return bool(self.pending) and not (self.stopped or self.automatic.chances)

    def take(self, link: SingleStep) -> None:
        """Go on by a step."""
        self.links.append(link)
        self.position = link.position


Trajectories = dict[Symbol, Trajectory]  # by the action that each begins with


@lru_cache(maxsize=64)
def fluents_read(ruleset: Ruleset, verb: str) -> frozenset[str | None]:
    """The names of the fluents that the rules of a verb read."""
    reads = {key for part in ruleset.slices[verb].parts for key in part.signs.uses}
    names = {word for name, arity, word in reads if (name, arity) == ("holds", 3)}
    return frozenset(ruleset.vocabulary.fluents) if None in names else frozenset(names)


def relevant(position: Position, names: Set[str | None]) -> Relevant:
    """What a question that reads the fluents of some *names* looks at in a position. Positions of
    one game and table that agree in that have the same answer, so it is asked of one of them."""
    items = frozenset([item for item in position.items if functor(item[0]) in names])
    return items, frozenset(position.rulings.items())


class RelevantAnswers(Generic[_T]):
    """What the rules of a verb say of positions of one game and table, as *read* from their atoms
    by the numbers of the situations; or else *nothing*. It is asked once of positions that agree in
    what these rules look at."""

    def __init__(
        self, ruleset: Ruleset, verb: str, read: Callable[[Atoms], Mapping[int, _T]], nothing: _T
    ) -> None:
        self._verb, self._read, self._nothing = verb, read, nothing
        self._names = fluents_read(ruleset, verb)
        self._silent = not ruleset.slices[verb].parts
        self._known: dict[Relevant, _T] = {}

    def of(self, positions: Sequence[Position]) -> list[_T]:
        """The answer for each of some positions."""
        if self._silent:
            return [self._nothing] * len(positions)
        states = [relevant(position, self._names) for position in positions]
        new = {s: p for s, p in zip(states, positions, strict=True) if s not in self._known}
        keys, unknown = list(new), list(new.values())
        for first, numbers in batches(unknown):
            answers = self._read(ask(self._verb, first, facts_of(unknown, numbers)))
            self._known |= {keys[n]: answers.get(n, self._nothing) for n in numbers}
        return [self._known[state] for state in states]

    def forget(self) -> None:
        self._known.clear()


class SuccessorGenerator:
    """Carries out actions in positions of one game and table, many at once; nothing is asked twice.

    With the verb ``apply`` each step is told with the figures behind it, and a refusal with its
    rules. If it does not *remember*, it asks each question again wherever play comes to it: whoever
    listens then hears what each position depends on.
    """

    def __init__(self, ruleset: Ruleset, verb: str = "step", remember: bool = True) -> None:
        self._verb = verb
        self._remember = remember
        self._steps: dict[PositionAction, steps.StepResult] = {}
        self._forced: dict[PositionAction, SingleStep] = {}
        self._automatic = RelevantAnswers(ruleset, "pause", _automatic_in, NOTHING)

    def forget(self) -> None:
        """Let go of what was found of single positions, which may be too much to keep."""
        self._steps.clear()
        self._forced.clear()

    def legal_moves(self, positions: Sequence[Position], rolls: bool = True) -> list[LegalMoves]:
        """The legal moves of some positions, without their results."""
        moves: dict[int, LegalMoves] = {}
        for first, numbers in batches(positions):
            atoms = ask("legal", first, facts_of(positions, numbers))
            moves |= moves_in(atoms, positions, numbers, rolls)
        return [moves[number] for number in range(len(positions))]

    def carry_on(self, legs: Sequence[Trajectory]) -> None:
        """Carry each trajectory on until nothing is left to do, it is stopped, or a roll is due.

        Raises: RulesetError, where that comes to no end.
        """
        for _ in range(MAX_STEPS):
            going = [leg for leg in legs if leg.goes_on]
            if not going:
                return
            taken = []
            results = self.steps([(leg.position, leg.pending[0]) for leg in going])
            for leg, step in zip(going, results, strict=True):
                if isinstance(step, MacroAction):
                    leg.pending = (*step, *leg.pending[1:])
                elif isinstance(step, Refusal):
                    leg.refused, leg.stopped = step, True
                else:
                    leg.pending = leg.pending[1:]
                    leg.stopped = step.halted
                    leg.take(step)
                    taken.append(leg)
            self.settle(taken)
        raise RulesetError("an action never ends")

    def settle(self, legs: Sequence[Trajectory]) -> None:
        """Carry out the steps without choice that are due, which stop trajectories, until none is.

        Raises: RulesetError, where that comes to no end, or one of them changes nothing.
        """
        going = list(legs)
        for _ in range(MAX_SETTLING + 1):
            nodes = self.automatic([leg.position for leg in going])
            for leg, node in zip(going, nodes, strict=True):
                leg.automatic = node
            due = [(leg, (leg.position, leg.automatic.due)) for leg in going if leg.automatic.due]
            if not due:
                return
            self._force(pair for _, pair in due)
            for leg, pair in due:
                leg.take(self._forced[pair])
                leg.stopped = True
            going = [leg for leg, _ in due]
        raise RulesetError(f"forced steps never end: {text_of(due[0][1][1])} is due again")

    def _force(self, pairs: Iterable[PositionAction]) -> None:
        """Find out what comes of the steps that are due."""
        new = self._unknown(pairs, self._forced)
        for pair, link in steps.answered(new, self._verb, steps.StepAnswers.forced).items():
            if link.position == pair[0]:
                raise RulesetError(f"the forced step {text_of(pair[1])} changes nothing")
            self._forced[pair] = link

    def _unknown(self, keys: Iterable[_K], known: dict[_K, Any]) -> list[_K]:
        """Those of the questions of which no answer is known, or remembered."""
        if not self._remember:
            known.clear()
        return [key for key in dict.fromkeys(keys) if key not in known]

    def steps(self, pairs: Sequence[PositionAction]) -> list[steps.StepResult]:
        """What comes of each of some actions where it is carried out, if it is legal there."""
        new = self._unknown(pairs, self._steps)
        self._steps |= steps.answered(new, self._verb, steps.StepAnswers.step)
        return [self._steps[pair] for pair in pairs]

    def automatic(self, positions: Sequence[Position]) -> list[ForcedOrChance]:
        """What comes before any choice in each of some positions."""
        if not self._remember:
            self._automatic.forget()
        return self._automatic.of(positions)

    def rolls(self, positions: Sequence[Position]) -> tuple[tuple[Roll, ...], ...]:
        """The rolls that are due in each of some positions."""
        return rolls_with(positions, [automatic.chances for automatic in self.automatic(positions)])
