"""What all questions share: asking a verb, situations of a batch, grouping what comes back."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from clingo import Number, Symbol, SymbolType

from pymorph.asp import solver
from pymorph.asp.facts import Common, Facts
from pymorph.asp.grounding import Atoms
from pymorph.errors import Fault, RulesetError
from pymorph.ruleset import loader
from pymorph.state.position import Position, positions_by_board
from pymorph.terms import Term, order

if TYPE_CHECKING:
    from pymorph.asp.dependency import Slice
    from pymorph.ruleset.loader import Ruleset

BATCH = 200
Arguments = Sequence[Symbol]  # the arguments of an atom
ArgumentsByPredicate = Mapping[str, Sequence[Arguments]]  # by predicate


def ask(verb: str, position: Position, facts: Iterable[Symbol]) -> Atoms:
    """What the program of a verb shows of the situations that *facts* tell."""
    return solve(position.ruleset.slices[verb], facts, position)


def solve(part: Slice, facts: Iterable[Symbol], position: Position | None = None) -> Atoms:
    """What *part* shows at the table of a position, with the place of a fault in the files."""
    try:
        if position is None:
            return solver.solve(part, facts, None)
        return position.answers.solve(part, facts, position.geometry)
    except RulesetError as error:
        faults = [
            f if f.place or not f.text else loader.placed(f, part.folders, f.text)
            for f in error.faults
        ]
        raise RulesetError(faults) from None


def situation(number: int) -> Symbol:
    return Number(number)


def situated(atom: Symbol) -> int:
    """Where the situation stands in an atom: last, or before a rule that stands last."""
    return -1 if atom.arguments[-1].type == SymbolType.Number else -2


def facts_of(positions: Sequence[Position], numbers: Iterable[int]) -> Facts:
    """What is told of some positions, each as the situation of its number.

    What holds in all of them is told once.
    """
    told = {number: positions[number] for number in numbers}
    common = Common()
    if len(told) > 1:
        rows = told.values()
        common = Common(
            frozenset.intersection(*(position.names for position in rows)),
            frozenset.intersection(*(position.items for position in rows)),
        )
    found = common.facts()
    for number, position in told.items():
        found += position.facts(situation(number), common)
    return found


def batches(positions: Sequence[Position]) -> Iterator[tuple[Position, list[int]]]:
    """The numbers of positions that share a grounding, in groups of a bounded size."""
    for first, numbers in positions_by_board(positions):
        for start in range(0, len(numbers), BATCH):
            yield first, numbers[start : start + BATCH]


def by_situation(atoms: Iterable[Symbol], index: int) -> dict[int, list[list[Symbol]]]:
    rows: dict[int, list[list[Symbol]]] = defaultdict(list)
    for atom in atoms:
        arguments = atom.arguments
        rows[arguments[index].number].append(arguments)
    return rows


def grouped(pairs: Iterable[tuple[Symbol, Symbol]]) -> dict[Symbol, tuple[str, ...]]:
    found: dict[Symbol, set[str]] = defaultdict(set)
    for key, rule in pairs:
        found[key].add(rule.name)
    return {key: tuple(sorted(rules)) for key, rules in found.items()}


@contextmanager
def uncollected() -> Iterator[None]:
    """Nobody looks for garbage meanwhile: answers are many, and none of them goes in a circle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def by_actor(term: Term) -> tuple[object, ...]:
    return (term.actor, order(term.symbol))


def blamed(
    fault: Fault,
    ruleset: Ruleset,
    verb: str,
    names: Collection[str],
    functor: str,
    rules: Sequence[str],
) -> Fault:
    """A fault with the place of the first statement of a verb that gives an atom of one of some
    names, about *functor*, by one of some rules."""
    for part in ruleset.slices[verb].parts:
        gives = any(key[0] in names and key[2] in (functor, None) for key, _ in part.signs.defines)
        if gives and any(f",{rule})" in part.text for rule in rules):
            return loader.placed(fault, ruleset.folders, part.text)
    return fault
