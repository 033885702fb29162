"""Single steps: what the rules say of actions in many positions, asked in few groundings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from clingo import Function, Symbol

from pymorph.asp.facts import Facts
from pymorph.asp.grounding import Atoms
from pymorph.dynamics.asking import batch
from pymorph.dynamics.asking.changing import changes_in, happened
from pymorph.dynamics.asking.ledgers import figures_in
from pymorph.dynamics.outcomes import Change, Event, Step
from pymorph.dynamics.results import Figure
from pymorph.errors import IllegalAction, Unsettled
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.position import Position
from pymorph.terms import Term, sorted_symbols, text_of

_T = TypeVar("_T")
PositionAction = tuple[Position, Symbol]  # an action, and where it is carried out

# Where a transition stands among the arguments of what it brings about.
OF_TRANSITION = {"sets": 2, "clears": 1, "adds": 3, "halts": 0, "happens": 1, "ends": 0}
OF_SITUATION = {"legal": 1, "reason": 1, "unsettled": 2, "unfolds": 3}
LEDGER = ("entry", "total", "never")
NO_ROWS: batch.ArgumentsByPredicate = dict.fromkeys(OF_TRANSITION, ())
ALONE = batch.situation(0)


@dataclass(frozen=True, slots=True)
class SingleStep:
    """A single step: the position after it, what it brought about, which periods it ended.

    *happens* has the arguments of the atoms that say so. *halted*: what was to follow it is left
    undone. *settled*: nobody chose it. What it *changes*, and by which rules, is told where it was
    asked about by itself, and the *figures* that account for it where these were asked for.
    """

    action: Symbol
    position: Position
    happens: Sequence[batch.Arguments]
    ended: tuple[str, ...] = ()
    halted: bool = False
    changes: tuple[Change, ...] = ()
    figures: tuple[Figure, ...] = ()
    settled: bool = False

    @classmethod
    def of(
        cls,
        action: Symbol,
        position: Position,
        rows: batch.ArgumentsByPredicate,
        changes: tuple[Change, ...] = (),
        figures: tuple[Figure, ...] = (),
    ) -> SingleStep:
        """The step that some rows, the arguments of atoms, tell of."""
        ended = tuple(sorted({period.name for _, period, _ in rows["ends"]}))
        halted = bool(rows["halts"])
        return cls(action, position, tuple(rows["happens"]), ended, halted, changes, figures)

    @property
    def events(self) -> tuple[Event, ...]:
        """What it brought about, in the order in which it is told."""
        return happened(self.position, self.happens)

    @property
    def step(self) -> Step:
        """The same for an answer."""
        result = (self.changes, self.events, self.position, self.halted)
        return Step(Term(self.action), *result, self.figures, self.settled)


class MacroAction(NamedTuple):
    """An action that is made of several: its first step, and the rest."""

    first: Symbol
    rest: Symbol


class Refusal(NamedTuple):
    """An action is not legal: the rules against it, or else what it hangs on, and by which rules;
    all of that is told where it was asked for."""

    rules: tuple[str, ...] = ()
    items: tuple[Symbol, ...] = ()
    decided: tuple[str, ...] = ()

    def of(self, action: Symbol) -> IllegalAction | Unsettled:
        """Why *action*, of which this is a part, is not carried out."""
        if self.rules or not self.items:
            return IllegalAction(text_of(action), self.rules)
        return Unsettled(text_of(action), tuple(map(text_of, self.items)), self.decided)


class StepAnswers:
    """What the rules say of some actions that were asked about in one grounding: by the number of
    each, where it is carried out, and in which situation that is."""

    def __init__(self, atoms: Atoms, asked: Mapping[int, tuple[PositionAction, Symbol]]) -> None:
        self._atoms, self._asked = atoms, asked
        self._rows = by_transition(atoms)
        self._told: dict[tuple[str, Symbol, Symbol], list[batch.Arguments]] = defaultdict(list)
        for name, index in OF_SITUATION.items():
            for atom in atoms.get(name, ()):
                row = atom.arguments
                self._told[name, row[0], row[index]].append(row)

    def step(self, number: int) -> SingleStep | MacroAction | Refusal:
        """What comes of an action, if it is legal."""
        (_, action), here = self._asked[number]
        if ("legal", action, here) not in self._told:
            unsettled = self._told["unsettled", action, here]
            rules = {row[2].name for row in self._told["reason", action, here]}
            items = sorted_symbols({row[1] for row in unsettled})
            decided = {row[3].name for row in unsettled}
            return Refusal(tuple(sorted(rules)), tuple(items), tuple(sorted(decided)))
        for _, first, rest, _ in self._told["unfolds", action, here]:
            return MacroAction(first, rest)
        return self.link(number)

    def link(self, number: int) -> SingleStep:
        """What comes of an action as a single step, be it legal or not."""
        (position, action), here = self._asked[number]
        rows = self._rows.get(batch.situation(number), NO_ROWS)
        changes = changes_in(position, rows)
        after = position.with_changes({c.fluent.symbol: c.after.symbol for c in changes})
        figures = tuple(self._accounts(position, here, batch.situation(number)))
        return SingleStep.of(action, after, rows, changes, figures)

    def forced(self, number: int) -> SingleStep:
        """What comes of a step that nobody chose."""
        return replace(self.link(number), settled=True)

    def _accounts(self, position: Position, here: Symbol, number: Symbol) -> Sequence[Figure]:
        """The figures that account for what a transition brought about."""
        rows = (atom.arguments for atom in self._atoms.get("accounts", ()))
        telling = {figure for figure, transition, _ in rows if transition == number}
        if not telling:
            return ()
        mine = {
            name: [atom for atom in rows if atom.arguments[batch.situated(atom)] == here]
            for name, rows in self._atoms.items()
            if name in LEDGER
        }
        return figures_in(position, mine, telling)


def facts_of_doing(position: Position, action: Symbol) -> Facts:
    """What the rules are told where one action is carried out."""
    facts = position.facts(ALONE)
    facts += [Function("asked", [action, ALONE]), Function("does", [action, ALONE, ALONE])]
    return facts


def answered(
    pairs: Sequence[PositionAction], verb: str, read: Callable[[StepAnswers, int], _T]
) -> list[_T]:
    """The answers about each of some actions where it is carried out, as *read* by its number; one
    situation for each position. With the verb ``apply`` also what speaks against an action, and the
    figures behind it."""
    numbered: dict[object, int] = {}
    wanted: dict[int, dict[int, PositionAction]] = defaultdict(dict)
    for index, (position, action) in enumerate(pairs):
        # What hangs on something hidden, and the figures, are those of a single action.
        alone = verb == "apply" or HIDDEN in position.fluents.values()
        number = numbered.setdefault((position, action if alone else None), len(numbered))
        wanted[number][index] = (position, action)
    positions = [next(iter(row.values()))[0] for row in wanted.values()]
    results: dict[int, _T] = {}
    for first, numbers in batch.batches(positions):
        facts = batch.facts_of(positions, numbers)
        asked = {i: (pair, batch.situation(n)) for n in numbers for i, pair in wanted[n].items()}
        for index, ((_, action), here) in asked.items():
            facts.append(Function("asked", [action, here]))
            facts.append(Function("does", [action, here, batch.situation(index)]))
        answers = StepAnswers(batch.ask(verb, first, facts), asked)
        results |= {index: read(answers, index) for index in asked}
    return [results[index] for index in range(len(pairs))]


def by_transition(atoms: Atoms) -> Mapping[Symbol, batch.ArgumentsByPredicate]:
    """The arguments of the atoms that tell what a transition changes and brings about."""
    found: dict[Symbol, dict[str, list[batch.Arguments]]] = defaultdict(
        lambda: {name: [] for name in OF_TRANSITION}
    )
    for name, index in OF_TRANSITION.items():
        for atom in atoms.get(name, ()):
            row = atom.arguments
            found[row[index]][name].append(row)
    return found
