"""The positions that play leads to from where it begins, breadth first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, product
from math import inf
from operator import itemgetter
from sys import maxsize
from time import monotonic
from typing import NamedTuple

from clingo import Function, Symbol

from pymorph.dynamics.asking.batch import BATCH
from pymorph.dynamics.asking.legal import judged
from pymorph.dynamics.carrying import Trajectories, Trajectory
from pymorph.dynamics.transitions import NodeExpander
from pymorph.errors import RulesetError
from pymorph.explore.execution.application import apply
from pymorph.state.position import Position, table_of
from pymorph.terms import order, text_of
from pymorph.verify.effort import EFFORT


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
        self._expanders: dict[object, NodeExpander] = {}
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
        self._numbers[given] = self._add(begun)

    def unfinished(self, most: int) -> bool:
        """Is there a position left of which the successors are to be looked at?"""
        room = len(self.ways) < EFFORT.line_transitions and len(self.faults) < EFFORT.line_faults
        return self.looked < min(most, len(self.positions)) and room

    def proceed(self, most: int) -> None:
        """Look at the successors of the next positions, at most so many in all."""
        numbers = range(self.looked, min(self.looked + BATCH, most, len(self.positions)))
        self.looked = numbers.stop
        tables: dict[object, list[int]] = defaultdict(list)
        for number in numbers:
            tables[table_of(self.positions[number])].append(number)
        expanded = chain.from_iterable(map(self._expand, tables.values()))
        for number, rolled, trajectories in sorted(expanded, key=itemgetter(0)):
            self._join(number, rolled, trajectories)

    def _expand(self, numbers: list[int]) -> Iterator[tuple[int, bool, Trajectories]]:
        """The trajectories from some positions of a table, and whether they are outcomes of a roll;
        but for positions where the rules fail."""
        if len(self.faults) >= EFFORT.line_faults:
            return
        positions = [self.positions[number] for number in numbers]
        table = table_of(positions[0])
        if table not in self._expanders:
            self._expanders[table] = NodeExpander(positions[0].ruleset)
        expander = self._expanders[table]
        try:
            trajectories = expander.expand(positions)
            for position, known in zip(positions, trajectories, strict=True):
                known |= {a: Trajectory.of(position, a) for a in entries(expander, position)}
            expander.carry_on([way for known in trajectories for way in known.values()])
        except RulesetError as error:
            if len(numbers) == 1:
                self.faults[numbers[0]] = error
                return
            middle = len(numbers) // 2
            yield from self._expand(numbers[:middle])
            yield from self._expand(numbers[middle:])
        else:
            rolled = (bool(expander.moves_at(position).rolls) for position in positions)
            yield from zip(numbers, rolled, trajectories, strict=True)

    def _join(self, number: int, rolled: bool, trajectories: Trajectories) -> None:
        """Add the transitions from a position, and the positions that are new."""
        for action in sorted(trajectories, key=order):
            trajectory = trajectories[action]
            known = len(self.positions)
            target = self._add(trajectory.after)
            way = Transition(action, number, target, bool(trajectory.ended), rolled)
            self.ways.append(way)
            if target == known:
                self._first[target] = way

    def _add(self, position: Position) -> int:
        """The number of a position, which may be new."""
        number = self._numbers.setdefault(position, len(self.positions))
        if number == len(self.positions):
            self.positions.append(position)
        return number


def explored(roots: Iterable[Position], most: int = maxsize, seconds: float = inf) -> Explored:
    """What lines of play from some positions lead to, breadth first.

    Exploring ends with the successors of *most* positions, or where the rules have failed in
    several; *seconds* on the clock are there in case that takes too long.
    """
    space = Explored(roots)
    until = monotonic() + seconds
    while space.unfinished(most) and monotonic() < until:
        space.proceed(most)
    return space


def entries(expander: NodeExpander, position: Position) -> list[Symbol]:
    """What may be entered where play waits for that: a few legal actions of the first form, spread
    over all the values that there are."""
    moves, words = expander.moves_at(position), position.ruleset.vocabulary
    if moves.over or moves.rolls or not moves.awaited:
        return []
    form = moves.awaited[0]
    values = [
        words.members(sort, position.scene) if argument == Function(sort) else (argument,)
        for sort, argument in zip(words.actions[form.name].sorts, form.arguments, strict=True)
    ]
    typed = [Function(form.name, list(arguments)) for arguments in product(*values)]
    verdicts = judged(position, _spread(typed, EFFORT.entries_asked)) if typed else {}
    legal = [action for action, verdict in verdicts.items() if verdict.legal]
    return _spread(legal, EFFORT.entries_made)


def _spread(items: Sequence[Symbol], most: int) -> list[Symbol]:
    """At most so many of some things, the first and the last among them, evenly spread."""
    if len(items) <= most:
        return list(items)
    return [items[number * (len(items) - 1) // (most - 1)] for number in range(most)]


def plain(position: Position) -> Position:
    """The position without the rulings that only say what is read by default."""
    defaults = position.ruleset.defaults
    rulings = {q: option for q, option in position.rulings.items() if defaults.get(q) != option}
    shorter = len(rulings) < len(position.rulings)
    return replace(position, rulings=rulings) if shorter else position
