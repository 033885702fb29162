"""The cheapest paths over a board, which NetworkX finds in a graph of moves."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import networkx as nx  # type: ignore[import-untyped]
from clingo import Function, Symbol, SymbolType

from pymorph.board.grid import Board
from pymorph.board.lattice import SQUARES, Lattice
from pymorph.terms import NO_ITEMS, items_of

# A state is a whole number: the place times so many, and the number of the facing with which it was
# entered. Of hexes there are fewer facings.
FACINGS = len(SQUARES.facings)

# If ties count, the weight of a move is its price, then its steps, then its turns, in one number:
# no cheapest path has a million of these, for it enters no place twice with one facing.
TIE_BITS = 20

# How many closed sides of a corner bar the diagonal step past it.
BARRING_SIDES = {"blocked_if_any_side": 1, "blocked_if_both_sides": 2, "never_blocked": 3}


class TermError(ValueError):
    """A term that does not describe prices, obstacles or turn restrictions."""


class OnDemand(dict[int, Any]):
    """A dictionary that makes each value when it is first looked up."""

    def __init__(self, make: Callable[[int], Any]) -> None:
        self.make = make

    def __missing__(self, key: int) -> Any:
        value = self[key] = self.make(key)
        return value


class Prices(NamedTuple):
    """What moving costs, the *most* eighths of one turn, and if one turns before each diagonal."""

    straight: int
    diagonal: int
    turn: int
    most: int
    always: bool

    @classmethod
    def of(cls, term: Symbol) -> Prices:
        """The prices that a term describes. Raises: TermError."""
        *numbers, always = arguments(term, "prices", 5)
        straight, diagonal, turn, most = map(integer, numbers)
        if min(straight, diagonal, turn, most) < 0 or str(always) not in ("always", "needed"):
            raise TermError(str(term))
        return cls(straight, diagonal, turn, most, str(always) == "always")


class Corners(NamedTuple):
    """What closes a side of a corner, and how many closed sides bar the diagonal step past it.

    A side is closed by a join with one of the *labels*, one of the *joins*, and a *filled* place.
    """

    labels: frozenset[Symbol]
    joins: frozenset[frozenset[Symbol]]
    filled: frozenset[Symbol]
    barring: int


class Obstacles(NamedTuple):
    """What closes the sides of corners, which places nobody may enter, and which labels do not
    count: those of the *opened* places."""

    corners: Corners
    closed: frozenset[Symbol]
    opened: frozenset[Symbol]

    @classmethod
    def of(cls, term: Symbol, board: Board) -> Obstacles:
        """The obstacles on a board that a term describes. Raises: TermError."""
        *lists, corner = arguments(term, "bars", 6)
        join_labels, place_labels, joins, places, opened = map(items, lists)
        side_labels = side_places = NO_ITEMS
        if corner.match("corner", 3):
            corner, side_labels, side_places = corner.arguments
        if str(corner) not in BARRING_SIDES:
            raise TermError(str(corner))

        def closed(labels: list[Symbol], listed: list[Symbol]) -> frozenset[Symbol]:
            return board.labelled(labels) - frozenset(opened) | frozenset(listed)

        corners = Corners(
            labels=frozenset(join_labels),
            joins=frozenset(frozenset(arguments(join, "join", 2)) for join in joins),
            filled=closed(items(side_labels), items(side_places)),
            barring=BARRING_SIDES[str(corner)],
        )
        return cls(corners, closed(place_labels, places), frozenset(opened))


def arguments(term: Symbol, name: str, count: int) -> list[Symbol]:
    """The arguments of a function of that name. Raises: TermError."""
    if not term.match(name, count):
        raise TermError(str(term))
    return term.arguments


def items(term: Symbol) -> list[Symbol]:
    """The items of a list. Raises: TermError."""
    listed = items_of(term)
    if listed is None:
        raise TermError(str(term))
    return listed


def integer(term: Symbol) -> int:
    """The number that a term is. Raises: TermError."""
    if term.type != SymbolType.Number:
        raise TermError(str(term))
    return term.number


@lru_cache(maxsize=32)
def steps_of(board: Board, corners: Corners) -> OnDemand:
    """For each place, by number, where a step with each facing leads: -1 if it is barred."""
    lattice, numbers, cells = board.lattice, board.numbers, list(board.coordinates.values())
    at = {cell: number for number, cell in enumerate(cells)}
    filled = {numbers[place] for place in corners.filled if place in numbers}
    joined = {
        (numbers[place], numbers[other])
        for place, joins in board.graph.adjacency()
        for other, join in joins.items()
        if corners.labels.isdisjoint(join["labels"])
        and frozenset((place, other)) not in corners.joins
    }

    def steps_from(number: int) -> list[int]:
        x, y = cells[number]
        steps = [at.get((x + right, y + up), -1) for right, up in lattice.ways]
        for facing, there in enumerate(steps):
            if facing in lattice.diagonals:
                right, up = lattice.ways[facing]
                flanks = at.get((x + right, y)), at.get((x, y + up))
                closed = [
                    by in filled or (number, by) not in joined or (by, there) not in joined
                    for by in flanks
                ]
                barred = sum(closed) >= corners.barring
            else:
                barred = (number, there) not in joined
            if barred:
                steps[facing] = -1
        return steps

    return OnDemand(steps_from)


@cache
def turns_of(lattice: Lattice, most: int) -> list[dict[int, list[int]]]:
    """For each facing the turns to each other one, by no more than so many eighths: as few as can
    be, and of those the first clockwise from north."""
    turns = nx.empty_graph(len(lattice.facings))
    turns.add_edges_from(p for p in combinations(turns, 2) if lattice.turn(*p) <= most)
    return [
        {
            other: min(nx.all_shortest_paths(turns, one, other))[1:]
            for other in nx.node_connected_component(turns, one)
        }
        for one in turns
    ]


class MovementGraph(nx.DiGraph):  # type: ignore[misc]
    """The moves from state to state over a board, each with its `weight`, made when looked up.

    If *ties*, steps and turns are in the weight as well. A state past *size*, at the same place and
    with the same facing as that which is lower by *size*, is that of a start: nothing leads to it.
    Raises: TermError.
    """

    def __init__(
        self, board: Board, prices: Symbol, bars: Symbol, gates: Symbol, ties: bool
    ) -> None:
        self.adjlist_outer_dict_factory = lambda: OnDemand(self.moves_from)
        super().__init__()
        self.board, self.lattice, self.ties = board, board.lattice, ties
        self.places = board.places
        self.size = FACINGS * len(self.places)
        obstacles = Obstacles.of(bars, board)
        self.steps = steps_of(board, obstacles.corners)
        self.closed = {board.numbers.get(place) for place in obstacles.closed}
        self.exits = frozenset(self.lattice.numbers.values())  # from the start
        self.gates: dict[int, set[int]] = {}
        self.restrict(items(gates), obstacles.opened)
        self.price(Prices.of(prices))

    def __contains__(self, state: object) -> bool:
        return state in range(2 * self.size)

    def restrict(self, gates: list[Symbol], opened: frozenset[Symbol]) -> None:
        """Set the facings with which one may leave the start, and the turns at other places."""
        for item in gates:
            if item.match("start", 1):
                exits = {self.lattice.numbers.get(facing) for facing in items(*item.arguments)}
                if None in exits:
                    raise TermError(str(item))
                self.exits &= exits
                continue
            where, turns = arguments(item, "gate", 2)
            allowed = {integer(turn) % FACINGS for turn in items(turns)}
            places = frozenset([where])
            if where.type == SymbolType.Function and where.name == "label":
                places = self.board.labelled(arguments(where, "label", 1)) - opened
            for place in places & self.board.numbers.keys():
                number = self.board.numbers[place]
                self.gates[number] = self.gates.get(number, allowed) & allowed

    def price(self, prices: Prices) -> None:
        """Set for each facing the turns to others, and the steps with their data."""
        always = self.lattice.diagonals if prices.always else ()
        self.turns = [
            {to: turns or [to] * (to in always) for to, turns in turns_to.items()}
            for turns_to in turns_of(self.lattice, prices.most)
        ]
        self.onward = [
            {to: {"weight": self.weight(prices, to, len(turns))} for to, turns in turns_to.items()}
            for turns_to in self.turns
        ]
        # Facings are told apart only where they matter: not where all turns are free.
        turnable = len(self.turns[0]) == len(self.turns)
        self.is_free = turnable and not prices.turn and not self.ties

    def weight(self, prices: Prices, facing: int, turns: int) -> int:
        """The weight of a step with a facing after some turns."""
        diagonal = facing in self.lattice.diagonals
        price = (prices.diagonal if diagonal else prices.straight) + prices.turn * turns
        return (price << TIE_BITS | 1) << TIE_BITS | turns if self.ties else price

    def state_of(self, place: Symbol, facing: int) -> int:
        """The state of a start."""
        return self.size + FACINGS * self.board.numbers[place] + facing

    def exits_from(self, state: int) -> Container[int | None]:
        """The facings with which one may leave."""
        number, facing = divmod(state, FACINGS)
        if state >= self.size:
            return self.exits
        if number in self.gates:
            return {self.lattice.turned(facing, turn) for turn in self.gates[number]}
        return self.onward[facing]

    def moves_from(self, state: int) -> dict[int, dict[str, int]]:
        """The states to which one step leads, each with its data."""
        number, facing = divmod(state % self.size, FACINGS)
        exits, steps, moves = self.exits_from(state), self.steps[number], {}
        for to, data in self.onward[facing].items():
            there = steps[to]
            if there >= 0 and there not in self.closed and to in exits:
                entered = 0 if self.is_free and there not in self.gates else to
                moves[FACINGS * there + entered] = data
        return moves

    def costs(self, start: Symbol, facing: int, limit: int) -> list[tuple[Symbol, int]]:
        """Each place that costs no more than the limit, in the order of the board, with its cost.

        Ties must not count.
        """
        origin = self.state_of(start, facing)
        weights = nx.single_source_dijkstra_path_length(self, origin, cutoff=limit)
        costs: dict[int, int] = {}
        for state, cost in weights.items():
            costs.setdefault(state % self.size // FACINGS, cost)  # the least weights come first
        return [(self.places[number], costs[number]) for number in sorted(costs)]

    def path(self, start: Symbol, facing: int, goal: Symbol) -> tuple[int, list[Symbol]] | None:
        """The cost of the best path, and its turns and steps; None, if there is none.

        Ties must count.
        """
        state = self.state_of(start, facing)
        before, weights = best_of(self, state)
        entries = range(
            self.state_of(goal, 0) - self.size, self.state_of(goal, FACINGS) - self.size
        )
        arrivals = [state] if start == goal else weights.keys() & entries
        least = min((weights[arrival] for arrival in arrivals), default=-1)
        if least < 0:
            return None
        ends = {arrival for arrival in arrivals if weights[arrival] == least}
        after: dict[int, list[int]] = {}
        unread = list(ends)
        for following in unread:
            for previous in before[following]:
                if previous not in after:
                    unread.append(previous)
                after.setdefault(previous, []).append(following)
        moves = []
        while state not in ends:
            turns = self.turns[state % FACINGS]
            # To step at once is better than to turn, and so is the first turn from north.
            state = min(after[state], key=lambda following: (*turns[following % FACINGS], -1))
            names = [self.lattice.facings[facing] for facing in turns[state % FACINGS]]
            moves += [Function("turn", [name]) for name in names]
            moves.append(Function("step", [self.places[state // FACINGS]]))
        return least >> 2 * TIE_BITS, moves


@lru_cache(maxsize=32)
def best_of(movement: MovementGraph, start: int) -> tuple[dict[int, list[int]], dict[int, int]]:
    """For each state those before it on best paths from the start, and the weight of these."""
    before, weights = nx.dijkstra_predecessor_and_distance(movement, start)
    return before, weights


@lru_cache(maxsize=32)
def movement_graph(
    board: Board, prices: Symbol, bars: Symbol, gates: Symbol, ties: bool
) -> MovementGraph | None:
    """The moves that three terms describe; None, if one of them is no such description."""
    try:
        return MovementGraph(board, prices, bars, gates, ties)
    except TermError:
        return None
