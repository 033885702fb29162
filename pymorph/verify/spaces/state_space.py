"""The positions that play leads to from where it begins, breadth first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf
from sys import maxsize
from time import process_time
from typing import NamedTuple

from clingo import Symbol

from pymorph.dynamics.asking.batch import BATCH
from pymorph.dynamics.carrying import Trajectories
from pymorph.dynamics.transitions import NodeExpander
from pymorph.errors import RulesetError
from pymorph.explore.execution.application import apply
from pymorph.state.position import Position
from pymorph.terms import order, text_of
from pymorph.verify.effort import EFFORT

TableKey = tuple[object, ...]


class Transition(NamedTuple):
    """An action with what follows of itself, and the numbers of the positions that it joins.

    *ended*: a period ends on the way. *rolled*: nobody chooses it, it is how a roll comes out.
    """

    action: Symbol
    source: int
    target: int
    ended: bool
    rolled: bool


class Explored:
    """Positions that play leads to, in the order in which they were found, and the transitions
    between them (*ways*).

    *looked* counts those of which the successors are known, the first ones. In those of *faults*
    the rules come to no end, or to nothing.
    """

    def __init__(self, roots: Iterable[Position]) -> None:
        self.positions: list[Position] = []
        self.ways: list[Transition] = []
        self.looked = 0
        self.faults: dict[int, RulesetError] = {}
        self._numbers: dict[Position, int] = {}
        self._first: dict[int, Transition] = {}  # the transition by which each was found
        self._expanders: dict[TableKey, NodeExpander] = {}
        self._tables: list[TableKey] = []
        for root in roots:
            self._begin(root)

    @property
    def complete(self) -> bool:
        """Is every position known that play leads to?"""
        return self.looked == len(self.positions) and not self.faults

    def line_to(self, position: Position) -> tuple[str, ...] | None:
        """The actions of a shortest line of play to *position*, rolls among them, if it was found.

        It is empty for a start, and for what that comes to by itself. Under whatever words its
        readings are ruled, it is the same position.
        """
        number = self._numbers.get(plain(position))
        return None if number is None else tuple(text_of(w.action) for w in self.ways_to(number))

    def ways_to(self, number: int) -> list[Transition]:
        """The transitions of a shortest line of play to a position."""
        ways: list[Transition] = []
        while number in self._first:
            ways.append(self._first[number])
            number = ways[-1].source
        return ways[::-1]

    # -- exploring -------------------------------------------------------------------------------

    def _begin(self, root: Position) -> None:
        """Explore from *root* as well; what it comes to by itself counts as the same."""
        given = plain(root)
        try:
            begun = apply(given).position
        except RulesetError:
            begun = given  # the fault is met again where its successors are looked for
        self._numbers[given] = self._add(begun, _table(given))

    def unfinished(self, most: int) -> bool:
        """Is there a position left of which the successors are to be looked at?"""
        room = len(self.ways) < EFFORT.line_transitions and len(self.faults) < EFFORT.line_faults
        return self.looked < min(most, len(self.positions)) and room

    def proceed(self, most: int) -> None:
        """Look at the successors of the next positions, at most so many in all."""
        numbers = range(self.looked, min(self.looked + BATCH, most, len(self.positions)))
        self.looked = numbers.stop
        tables: dict[TableKey, list[int]] = defaultdict(list)
        for number in numbers:
            tables[self._tables[number]].append(number)
        legs = {n: own for table, ns in tables.items() for n, own in self._legs(table, ns)}
        for number in sorted(legs):
            self._join(number, legs[number])

    def _legs(self, table: TableKey, numbers: list[int]) -> Iterator[tuple[int, Trajectories]]:
        """The legs of some positions of a table, but for those where the rules fail."""
        if len(self.faults) >= EFFORT.line_faults:
            return
        try:
            legs = self._expanders[table].expand([self.positions[number] for number in numbers])
        except RulesetError as error:
            if len(numbers) == 1:
                self.faults[numbers[0]] = error
                return
            middle = len(numbers) // 2
            yield from self._legs(table, numbers[:middle])
            yield from self._legs(table, numbers[middle:])
        else:
            yield from zip(numbers, legs, strict=True)

    def _join(self, number: int, legs: Trajectories) -> None:
        """Add the transitions from a position, and the positions that are new."""
        table = self._tables[number]
        rolled = bool(self._expanders[table].moves_at(self.positions[number]).rolls)
        for action in sorted(legs, key=order):
            leg = legs[action]
            known = len(self.positions)
            target = self._add(leg.after, table)
            way = Transition(action, number, target, bool(leg.ended), rolled)
            self.ways.append(way)
            if target == known:
                self._first[target] = way

    def _add(self, position: Position, table: TableKey) -> int:
        """The number of a position, which may be new."""
        number = self._numbers.get(position)
        if number is None:
            number = self._numbers[position] = len(self.positions)
            self.positions.append(position)
            self._tables.append(table)
            if table not in self._expanders:
                self._expanders[table] = NodeExpander(position.ruleset)
        return number


def explored(roots: Iterable[Position], most: int = maxsize, seconds: float = inf) -> Explored:
    """What lines of play from some positions lead to, breadth first.

    Exploring ends with the successors of *most* positions, or where the rules have failed in
    several; *seconds* of work are there in case that takes too long.
    """
    space = Explored(roots)
    until = process_time() + seconds
    while space.unfinished(most) and process_time() < until:
        space.proceed(most)
    return space


def plain(position: Position) -> Position:
    """The position without the rulings that only say what is read by default."""
    defaults = position.ruleset.defaults
    rulings = {q: option for q, option in position.rulings.items() if defaults.get(q) != option}
    shorter = len(rulings) < len(position.rulings)
    return replace(position, rulings=rulings) if shorter else position


def _table(position: Position) -> TableKey:
    """What stays as it is in play: positions that agree in it may be asked about together."""
    listed = frozenset((sort, frozenset(members)) for sort, members in position.listed.items())
    return (position.ruleset.hash, position.board, listed, frozenset(position.rulings.items()))
