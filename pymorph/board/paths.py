"""Searches for the cheapest ways over a board, in whole numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from heapq import heappop, heappush
from operator import and_

from clingo import Symbol, SymbolType

from pymorph.board.grid import Board
from pymorph.board.lattice import SQUARES, Lattice
from pymorph.terms import MAX_NUMBER, NO_ITEMS, Term, items_of

# A state is a whole number: the place times eight, and the number of the facing with which it was
# entered. Of hexes there are six facings.
ANY_EXIT = (1 << 8) - 1  # a bit for each facing with which one may leave a place

# The weight of a move is its price, then its steps, then its turns, in one number. The price leads
# because no cheapest way has a million turns: it enters no place twice with one facing.
TURNED = 1
STEPPED = 1 << 20
PRICED = 1 << 40

# How many closed sides of a corner bar the diagonal step past it.
BARRING_SIDES = {"blocked_if_any_side": 1, "blocked_if_both_sides": 2, "never_blocked": 3}


class TermError(ValueError):
    """A term that is no description of prices, bars or gates."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What moving costs, the *most* eighths of one turn, and if one turns before each diagonal."""

    straight: int
    diagonal: int
    turn: int
    most: int
    always: bool

    @classmethod
    def of(cls, symbol: Symbol) -> Prices:
        """The prices that a term describes; TermError, if it is something else."""
        *numbers, always = arguments(symbol, "prices", 5)
        straight, diagonal, turn, most = map(natural, numbers)
        if constant(always) not in ("always", "needed"):
            raise TermError(str(always))
        return cls(straight, diagonal, turn, most, constant(always) == "always")


@dataclass(frozen=True, slots=True)
class Obstacles:
    """What closes places and joins, and how many closed sides of a corner bar a step past it.

    A side is closed by a join, and by a place with a *side label*, or a *side place*.
    """

    join_labels: frozenset[Symbol]
    place_labels: frozenset[Symbol]
    joins: frozenset[frozenset[Symbol]]
    places: frozenset[Symbol]
    opened: frozenset[Symbol]
    sides: int
    side_labels: frozenset[Symbol] = frozenset()
    side_places: frozenset[Symbol] = frozenset()

    @classmethod
    def of(cls, symbol: Symbol) -> Obstacles:
        """The bars that a term describes; TermError, if it is something else."""
        *lists, corner = arguments(symbol, "bars", 6)
        join_labels, place_labels, joins, places, opened = map(items, lists)
        labels = filled = NO_ITEMS
        if is_call(corner, "corner"):
            corner, labels, filled = arguments(corner, "corner", 3)
        if constant(corner) not in BARRING_SIDES:
            raise TermError(str(corner))
        return cls(
            join_labels=frozenset(join_labels),
            place_labels=frozenset(place_labels),
            joins=frozenset(frozenset(arguments(join, "join", 2)) for join in joins),
            places=frozenset(places),
            opened=frozenset(opened),
            sides=BARRING_SIDES[constant(corner)],
            side_labels=frozenset(items(labels)),
            side_places=frozenset(items(filled)),
        )


@dataclass(frozen=True, slots=True)
class TurnRestriction:
    """How one may leave a place: eighths clockwise from the facing with which one entered it.

    It is the gate of one *place*, or of every place with a *label*.
    """

    place: Symbol | None
    label: Symbol | None
    turns: frozenset[int]

    @classmethod
    def of(cls, symbol: Symbol) -> TurnRestriction:
        """The gate that a term describes; TermError, if it is something else."""
        where, turns = arguments(symbol, "gate", 2)
        eighths = frozenset(integer(turn) % 8 for turn in items(turns))
        if is_call(where, "label"):
            (label,) = arguments(where, "label", 1)
            return cls(None, label, eighths)
        return cls(where, None, eighths)

    def exits(self, entry: int, lattice: Lattice) -> int:
        """A bit for each facing with which one may leave after entering with facing *entry*."""
        facings = (lattice.turned(entry, turn) for turn in self.turns)
        return sum(1 << facing for facing in facings if facing is not None)


@dataclass(frozen=True, slots=True)
class TurnRestrictions:
    """The gates of a board, and a bit for each facing with which one may leave the start."""

    gates: tuple[TurnRestriction, ...]
    exits: int

    @classmethod
    def of(cls, symbol: Symbol, lattice: Lattice) -> TurnRestrictions:
        """The gates that a term describes; TermError, if it is something else."""
        gates = []
        exits = ANY_EXIT
        for item in items(symbol):
            if is_call(item, "start"):
                (facings,) = arguments(item, "start", 1)
                exits &= sum({1 << facing_of(facing, lattice) for facing in items(facings)})
            else:
                gates.append(TurnRestriction.of(item))
        return cls(tuple(gates), exits)


def is_call(symbol: Symbol, name: str) -> bool:
    """Whether a term is a function of that name; that of a tuple is empty."""
    return symbol.type == SymbolType.Function and symbol.name == name and not symbol.negative


def arguments(symbol: Symbol, name: str, count: int) -> list[Symbol]:
    """The arguments of a function of that name; TermError, if it is something else."""
    if not is_call(symbol, name) or len(symbol.arguments) != count:
        raise TermError(str(symbol))
    return symbol.arguments


def items(symbol: Symbol) -> list[Symbol]:
    """The items of a list, (First, Rest) and () at the end; TermError, if it is something else."""
    listed = items_of(symbol)
    if listed is None:
        raise TermError(str(symbol))
    return listed


def facing_of(symbol: Symbol, lattice: Lattice) -> int:
    """The number of a facing; TermError, if it is something else."""
    if symbol not in lattice.numbers:
        raise TermError(str(symbol))
    return lattice.numbers[symbol]


def constant(symbol: Symbol) -> str:
    """The name of a constant; empty, if it is something else."""
    return str(symbol) if symbol.type == SymbolType.Function and not symbol.arguments else ""


def integer(symbol: Symbol) -> int:
    """A whole number; TermError, if it is something else."""
    number = Term(symbol).number
    if number is None:
        raise TermError(str(symbol))
    return number


def natural(symbol: Symbol) -> int:
    """A whole number of 0 or more; TermError, if it is something else."""
    number = integer(symbol)
    if number < 0:
        raise TermError(str(symbol))
    return number


class Ground:
    """The steps from each place under some bars, in numbers, found when they are looked up."""

    def __init__(self, board: Board, bars: Obstacles) -> None:
        self.board, self.bars, self.lattice = board, bars, board.lattice
        self.places = board.places
        self.numbers = {place: number for number, place in enumerate(board.places)}
        self.cells = list(board.coordinates.values())
        self.at = dict(zip(self.cells, range(len(self.cells)), strict=True))
        self.columns, self.rows = (1 + max(along) for along in zip(*self.cells, strict=True))
        labelled = list(enumerate(board.labels.items()))
        self.closed = {number for number, place in labelled if self.is_closed(*place)}
        self.filled = {number for number, place in labelled if self.is_side(*place)}
        self.steps: dict[int, list[int]] = {}
        self.beside_shut = self.near_shut()
        full = len(self.cells) == self.columns * self.rows and min(map(min, self.cells)) == 0
        self.is_grid = full and self.lattice is SQUARES  # whose numbers go up row by row

    def is_closed(self, place: Symbol, labels: tuple[Symbol, ...]) -> bool:
        """Whether nobody may enter a place."""
        if place in self.bars.places:
            return True
        return place not in self.bars.opened and not self.bars.place_labels.isdisjoint(labels)

    def is_side(self, place: Symbol, labels: tuple[Symbol, ...]) -> bool:
        """Whether a place closes the side of a corner on which it is."""
        if place in self.bars.side_places:
            return True
        return place not in self.bars.opened and not self.bars.side_labels.isdisjoint(labels)

    def near_shut(self) -> set[int] | None:
        """The places from which a shut join, or a filled place at a corner, may bar a step; None,
        where joins are missing."""
        ways = [s for n, s in enumerate(self.lattice.ways) if n not in self.lattice.diagonals]
        edges = sum((x + u, y + v) in self.at for x, y in self.cells for u, v in ways)
        if 2 * len(self.board.joins) != edges:
            return None
        places = {self.at.get((x + u, y + v), -1) for number in self.filled
                 for x, y in [self.cells[number]] for u, v in ways}  # fmt: skip
        for pair, labels in self.board.joins.items():
            if (labels or self.bars.joins) and self.is_shut(*pair):
                places |= {self.at.get((x + u, y + v), -1) for place in pair
                          for x, y in [self.board.coordinates[place]]
                          for u, v in (*self.lattice.ways, (0, 0))}  # fmt: skip
        return places

    def is_shut(self, one: Symbol, other: Symbol) -> bool:
        """Whether the join between two places is closed, or there is none."""
        labels = self.board.joined[one].get(other)
        if labels is None or not self.bars.join_labels.isdisjoint(labels):
            return True
        return frozenset((one, other)) in self.bars.joins

    def back(self, number: int, facing: int) -> int:
        """The place from which a step with a facing leads to this one."""
        (x, y), (right, up) = self.cells[number], self.lattice.ways[facing]
        return self.at[x - right, y - up]

    def steps_from(self, number: int) -> list[int]:
        """The place that a step with each of the facings leads to, -1 if it is barred."""
        if number in self.steps:
            return self.steps[number]
        x, y = self.cells[number]
        at, closed = self.at, self.closed
        if self.is_grid and 0 < x < self.columns - 1 and 0 < y < self.rows - 1:
            below, above = number - self.columns, number + self.columns
            east, west = (above + 1, number + 1, below + 1), (below - 1, number - 1, above - 1)
            steps = [above, *east, below, *west]
        else:
            steps = [at.get((x + right, y + up), -1) for right, up in self.lattice.ways]
        if self.beside_shut is None or number in self.beside_shut:
            steps = [
                -1 if there >= 0 and self.is_barred(number, facing, there) else there
                for facing, there in enumerate(steps)
            ]
        if closed:
            steps = [-1 if there in closed else there for there in steps]
        self.steps[number] = steps
        return steps

    def is_barred(self, number: int, facing: int, there: int) -> bool:
        """Whether shut joins, or filled places beside it, bar the step with a facing to a place."""
        (x, y), (right, up) = self.cells[number], self.lattice.ways[facing]
        here, next_to = self.places[number], self.places[there]
        if facing not in self.lattice.diagonals:
            return self.is_shut(here, next_to)
        flanks = [self.at.get(cell) for cell in ((x + right, y), (x, y + up))]
        sides = sum(
            by is None
            or by in self.filled
            or self.is_shut(here, self.places[by])
            or self.is_shut(self.places[by], next_to)
            for by in flanks
        )
        return sides >= self.bars.sides


class MovementGraph:
    """The moves over a board under some prices, obstacles and turn restrictions."""

    def __init__(self, ground: Ground, prices: Prices, gates: TurnRestrictions) -> None:
        self.ground = ground
        self.prices = prices
        self.exits = gates.exits
        self.gates = self.gates_by_place(gates.gates)
        self.turns = turns_by_facing(prices, ground.lattice)

    def gates_by_place(self, gates: tuple[TurnRestriction, ...]) -> dict[int, list[int]]:
        """For each place with gates a bit for each facing one may leave with, by that of entry."""
        gates_at: dict[int, list[TurnRestriction]] = {}
        numbers, board = self.ground.numbers, self.ground.board
        for gate in gates:
            if gate.place in numbers:
                gates_at.setdefault(numbers[gate.place], []).append(gate)
            elif gate.label is not None:
                for place, labels in board.labels.items():
                    if gate.label in labels and place not in self.ground.bars.opened:
                        gates_at.setdefault(numbers[place], []).append(gate)
        return {
            number: [
                reduce(and_, (gate.exits(entry, self.ground.lattice) for gate in there))
                for entry in range(len(self.ground.lattice.facings))
            ]
            for number, there in gates_at.items()
        }

    def onward(self, turned: int, stepped: int, priced: int) -> list[list[tuple[int, int]]]:
        """For each facing the steps that one may take next, each as its facing and its weight."""
        turn = priced * self.prices.turn + turned
        lattice, prices = self.ground.lattice, self.prices
        step = [
            priced * (prices.diagonal if facing in lattice.diagonals else prices.straight) + stepped
            for facing in range(len(lattice.facings))
        ]
        return [
            [(to, len(turns) * turn + step[to]) for to, turns in turns_to.items()]
            for turns_to in self.turns
        ]


def turns_by_facing(prices: Prices, lattice: Lattice) -> list[dict[int, tuple[int, ...]]]:
    """For each facing the turns before a step with each other one: as few as can be.

    Of those each is the first clockwise from north that does not lead astray. There is nothing for
    a facing that turns of that size do not lead to.
    """
    every = range(len(lattice.facings))

    def fewest(to: int) -> dict[int, int]:
        """The turns that each facing takes to another."""
        counts = {to: 0}
        for here in (queue := [to]):
            fresh = [n for n in every if n not in counts and lattice.turn(here, n) <= prices.most]
            counts |= dict.fromkeys(fresh, counts[here] + 1)
            queue += fresh
        return counts

    needed = {to: fewest(to) for to in every}
    by_facing: list[dict[int, tuple[int, ...]]] = []
    for facing in every:
        turns_to: dict[int, tuple[int, ...]] = {}
        for to in (other for other in every if facing in needed[other]):
            here, turns = facing, []
            while here != to:
                here = next(
                    other
                    for other in every
                    if lattice.turn(here, other) <= prices.most
                    and needed[to].get(other, len(every)) < needed[to][here]
                )
                turns.append(here)
            if not turns and prices.always and to in lattice.diagonals:
                turns.append(to)
            turns_to[to] = tuple(turns)
        by_facing.append(turns_to)
    return by_facing


class PathSearch:
    """The cheapest ways from one state to all others, no dearer than the limit.

    With *exact*, ways of one price are told apart by their steps and turns, and so there is `way`.
    A heap of whole numbers takes a tenth of the time of a graph that is built for NetworkX.
    """

    def __init__(
        self, graph: MovementGraph, place: Symbol, facing: int, limit: int | None, exact: bool
    ) -> None:
        self.graph, self.ground = graph, graph.ground
        self.start = 8 * len(self.ground.places)
        self.origin, self.facing = self.ground.numbers[place], facing
        self.scale = PRICED if exact else 1
        self.onward = graph.onward(TURNED, STEPPED, PRICED) if exact else graph.onward(0, 0, 1)
        self.weights = {self.start: 0}
        self.best: dict[int, int] = {}  # the least weight of each place
        self.search(self.scale * ((MAX_NUMBER if limit is None else limit) + 1))

    def search(self, beyond: int) -> None:
        """Find the weights of all states that have less than this one."""
        ground, gates, onward = self.ground, self.graph.gates, self.onward
        known = ground.steps
        weights, best = self.weights, self.best
        # Facings are told apart only where they matter: not where all turns are free.
        free = self.scale == 1 and self.graph.prices.turn == 0 and self.graph.prices.most > 0
        in_one = self.graph.prices.most >= 4
        left: set[int] = set()
        bits = self.start.bit_length()
        mask = (1 << bits) - 1
        heap = [self.start]
        while heap:
            least = heappop(heap)
            weight, state = least >> bits, least & mask
            if weight != weights[state]:
                continue
            exits = self.exits(state) if state == self.start or gates else ANY_EXIT
            number, facing = self.place_and_facing(state) if not weight else (state >> 3, state & 7)
            best.setdefault(number, weight)
            moves = onward[facing]
            if in_one and exits == ANY_EXIT:
                # Who turns as one likes is no better off than who came here first, but ahead.
                if number in left:
                    moves = [moves[facing]]
                left.add(number)
            steps = known.get(number) or ground.steps_from(number)
            for to, price in moves:
                there = steps[to]
                if there < 0 or not exits >> to & 1:
                    continue
                entered = there << 3 if free and there not in gates else there << 3 | to
                total = weight + price
                if total < weights.get(entered, beyond):
                    weights[entered] = total
                    heappush(heap, total << bits | entered)

    def place_and_facing(self, state: int) -> tuple[int, int]:
        return (self.origin, self.facing) if state == self.start else divmod(state, 8)

    def exits(self, state: int) -> int:
        """A bit for each facing with which one may leave in a state."""
        if state == self.start:
            return self.graph.exits
        number, facing = divmod(state, 8)
        return self.graph.gates[number][facing] if number in self.graph.gates else ANY_EXIT

    def costs(self) -> list[tuple[Symbol, int]]:
        """Each place that can be reached, with its cost, in the order of the board."""
        places, scale = self.ground.places, self.scale
        return [(places[number], self.best[number] // scale) for number in sorted(self.best)]

    def moves(self, goal: Symbol) -> tuple[int, list[int | Symbol]] | None:
        """The cost of the best way to a place, and its turns (as eighths) and steps (as places)."""
        number = self.ground.numbers[goal]
        least = self.best.get(number)
        if least is None:
            return None
        entries = range(8 * number, 8 * number + 8)
        arrived = {state for state in entries if self.weights.get(state) == least}
        if number == self.origin:
            arrived = {self.start}
        after: dict[int, list[int]] = {}
        unread = list(arrived - {self.start})
        while unread:
            state = unread.pop()
            for before in self.before(state):
                if before not in after and before != self.start:
                    unread.append(before)
                after.setdefault(before, []).append(state)
        moves: list[int | Symbol] = []
        state = self.start
        while state not in arrived:
            _, facing = self.place_and_facing(state)
            turns = self.graph.turns[facing]
            # To step at once is better than to turn, and so is the first turn from north.
            state = min(after[state], key=lambda then: (*turns[then % 8], -1))
            moves += turns[state % 8]
            moves.append(self.ground.places[state // 8])
        return least // self.scale, moves

    def before(self, state: int) -> Iterator[int]:
        """The states from which a best way leads right to this one."""
        number, facing = divmod(state, 8)
        here = self.ground.back(number, facing)
        states = [*range(8 * here, 8 * here + 8), *([self.start] if here == self.origin else ())]
        for state_before in states:
            if state_before in self.weights and self.exits(state_before) >> facing & 1:
                _, entry = self.place_and_facing(state_before)
                price = dict(self.onward[entry]).get(facing)
                if price is not None and price + self.weights[state_before] == self.weights[state]:
                    yield state_before


def ground_of(board: Board, bars: Symbol) -> Ground | None:
    """The ground that a term of bars makes of a board; None, if it is no such term."""
    try:
        return Ground(board, Obstacles.of(bars))
    except TermError:
        return None


def graph_of(ground: Ground, prices: Symbol, gates: Symbol) -> MovementGraph | None:
    """The ways that two terms describe; None, if one of them is no such description."""
    try:
        return MovementGraph(ground, Prices.of(prices), TurnRestrictions.of(gates, ground.lattice))
    except TermError:
        return None
