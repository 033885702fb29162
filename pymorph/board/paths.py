"""Searches for the cheapest ways over a board, on a NetworkX graph that grows as it is searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import networkx  # type: ignore[import-untyped]
from clingo import Symbol, SymbolType

from pymorph.board.grid import DIRECTIONS, EIGHTHS, Board
from pymorph.terms import Term

# A state is a whole number: where one is, how one faces, and a bit for each facing with which one
# may leave. Numbers make a search of thousands of states several times as fast as tuples do.
FACING = 1 << 8
PLACE = 8 * FACING
ANY_EXIT = FACING - 1

# The weight of a move is its price, then its steps, then its turns, in one number. The price leads
# because no cheapest way has so many moves: the largest drawn board has fewer states.
TURNED = 1
STEPPED = 1 << 24
PRICED = 1 << 48
HIGHEST_COST = 2**31 - 1

# How many closed sides of a corner bar the diagonal step past it.
BARRING_SIDES = {"blocked_if_any_side": 1, "blocked_if_both_sides": 2, "never_blocked": 3}

Adjacency = dict[int, dict[str, int]]


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
class Bars:
    """What closes places and joins, and how many closed sides of a corner bar a step past it."""

    join_labels: frozenset[Symbol]
    place_labels: frozenset[Symbol]
    joins: frozenset[frozenset[Symbol]]
    places: frozenset[Symbol]
    opened: frozenset[Symbol]
    sides: int

    @classmethod
    def of(cls, symbol: Symbol) -> Bars:
        """The bars that a term describes; TermError, if it is something else."""
        *lists, corner = arguments(symbol, "bars", 6)
        join_labels, place_labels, joins, places, opened = map(items, lists)
        if constant(corner) not in BARRING_SIDES:
            raise TermError(str(corner))
        return cls(
            join_labels=frozenset(join_labels),
            place_labels=frozenset(place_labels),
            joins=frozenset(frozenset(arguments(join, "join", 2)) for join in joins),
            places=frozenset(places),
            opened=frozenset(opened),
            sides=BARRING_SIDES[constant(corner)],
        )


@dataclass(frozen=True, slots=True)
class Gate:
    """How one may leave a place: eighths clockwise from the facing with which one entered it.

    It is the gate of one *place*, or of every place with a *label*.
    """

    place: Symbol | None
    label: Symbol | None
    turns: frozenset[int]

    @classmethod
    def of(cls, symbol: Symbol) -> Gate:
        """The gate that a term describes; TermError, if it is something else."""
        where, turns = arguments(symbol, "gate", 2)
        eighths = frozenset(whole(turn) % 8 for turn in items(turns))
        if is_call(where, "label"):
            (label,) = arguments(where, "label", 1)
            return cls(None, label, eighths)
        return cls(where, None, eighths)

    def exits(self, entry: int) -> int:
        """A bit for each facing with which one may leave after entering with facing *entry*."""
        return sum(1 << (entry + turn) % 8 for turn in self.turns)


@dataclass(frozen=True, slots=True)
class Gates:
    """The gates of a board, and a bit for each facing with which one may leave the start."""

    gates: tuple[Gate, ...]
    exits: int

    @classmethod
    def of(cls, symbol: Symbol) -> Gates:
        """The gates that a term describes; TermError, if it is something else."""
        gates = []
        exits = ANY_EXIT
        for item in items(symbol):
            if is_call(item, "start"):
                (facings,) = arguments(item, "start", 1)
                exits &= sum({1 << eighth(facing) for facing in items(facings)})
            else:
                gates.append(Gate.of(item))
        return cls(tuple(gates), exits)


def is_call(symbol: Symbol, name: str) -> bool:
    """Whether a term is a function of that name; that of a tuple is empty."""
    return symbol.type == SymbolType.Function and symbol.name == name and not symbol.negative


def arguments(symbol: Symbol, name: str, *counts: int) -> list[Symbol]:
    """The arguments of a function of that name; TermError, if it is something else.

    Without *counts* there may be any number of them.
    """
    if not is_call(symbol, name):
        raise TermError(str(symbol))
    found = list(symbol.arguments)
    if counts and len(found) not in counts:
        raise TermError(str(symbol))
    return found


def items(symbol: Symbol) -> list[Symbol]:
    """The items of a list, (First, Rest) and () at the end; TermError, if it is something else."""
    found = []
    while rest := arguments(symbol, "", 0, 2):
        first, symbol = rest
        found.append(first)
    return found


def eighth(symbol: Symbol) -> int:
    """The number of a facing; TermError, if it is something else."""
    if symbol not in EIGHTHS:
        raise TermError(str(symbol))
    return EIGHTHS[symbol]


def constant(symbol: Symbol) -> str:
    """The name of a constant; empty, if it is something else."""
    return str(symbol) if symbol.type == SymbolType.Function and not symbol.arguments else ""


def whole(symbol: Symbol) -> int:
    """A whole number; TermError, if it is something else."""
    found = Term(symbol).number
    if found is None:
        raise TermError(str(symbol))
    return found


def natural(symbol: Symbol) -> int:
    """A whole number of 0 or more; TermError, if it is something else."""
    found = whole(symbol)
    if found < 0:
        raise TermError(str(symbol))
    return found


class Moves(dict[int, Adjacency]):
    """The moves out of each state, found when a search first looks them up."""

    def __init__(self, find: Callable[[int], Adjacency]) -> None:
        super().__init__()
        self.find = find

    def __missing__(self, state: int) -> Adjacency:
        moves = self[state] = self.find(state)
        return moves


class States(networkx.DiGraph):  # type: ignore[misc]
    """The graph of states under some prices, bars and gates.

    A search meets few of the states that a board has, so the graph never holds them all: by way of
    its adjacency factory, the moves of a state are computed when NetworkX looks them up. They stand
    in the order in which equally good ways are preferred: the step ahead, then clockwise from north
    each turn with the step that it comes with, and the turn alone.
    """

    def __init__(self, board: Board, prices: Prices, bars: Bars, gates: Gates) -> None:
        self.adjlist_outer_dict_factory = lambda: Moves(self.moves)
        super().__init__()
        self.board = board
        self.places = board.places
        self.numbers = {place: number for number, place in enumerate(board.places)}
        self.prices = prices
        self.bars = bars
        self.exits = gates.exits
        self.gates = self.gates_by_place(gates.gates)
        self.steps: dict[int, list[int | None]] = {}
        self.turns = [
            [to for to in range(8) if min((to - facing) % 8, (facing - to) % 8) <= prices.most]
            for facing in range(8)
        ]
        self.turn = {"weight": PRICED * prices.turn + TURNED}
        straight = {"weight": PRICED * prices.straight + STEPPED}
        diagonal = {"weight": PRICED * prices.diagonal + STEPPED}
        self.step = [straight, diagonal] * 4
        self.turn_and_step = {"weight": diagonal["weight"] + self.turn["weight"]}

    def __contains__(self, state: object) -> bool:
        return True

    def gates_by_place(self, gates: tuple[Gate, ...]) -> dict[int, list[Gate]]:
        """The gates of each place that has any, under its number."""
        found: dict[int, list[Gate]] = {}
        for gate in gates:
            if gate.place in self.numbers:
                found.setdefault(self.numbers[gate.place], []).append(gate)
        if labelled := [gate for gate in gates if gate.label is not None]:
            for place, number in self.numbers.items():
                if place not in self.bars.opened:
                    labels = self.board.labels[place]
                    found[number] = [
                        *found.get(number, ()),
                        *(gate for gate in labelled if gate.label in labels),
                    ]
        return {number: gates_there for number, gates_there in found.items() if gates_there}

    def start(self, place: Symbol, facing: int) -> int:
        """The state of one who has not moved yet."""
        return self.numbers[place] * PLACE + facing * FACING + self.exits

    def moves(self, state: int) -> Adjacency:
        """What one may do in a state, with the weight of each."""
        number, rest = divmod(state, PLACE)
        facing, exits = divmod(rest, FACING)
        here = number * PLACE + exits
        steps = self.steps_from(number)
        always = self.prices.always
        # A turn in parts passes through facings in which one does not step.
        in_parts = self.prices.most < 4
        found: Adjacency = {}
        ahead = steps[facing]
        if ahead is not None and exits >> facing & 1 and not (always and facing % 2):
            found[self.entry(ahead, facing)] = self.step[facing]
        for to in self.turns[facing]:
            there = steps[to] if exits >> to & 1 else None
            if always and to % 2:
                if there is not None:
                    found[self.entry(there, to)] = self.turn_and_step
                there = None
            if to != facing and (in_parts or there is not None):
                found[here + to * FACING] = self.turn
        return found

    def entry(self, number: int, facing: int) -> int:
        """The state of one who has just entered a place."""
        if number not in self.gates:
            return number * PLACE + facing * FACING + ANY_EXIT
        exits = ANY_EXIT
        for gate in self.gates[number]:
            exits &= gate.exits(facing)
        return number * PLACE + facing * FACING + exits

    def steps_from(self, number: int) -> list[int | None]:
        """The place that a step with each of the eight facings leads to, None if it is barred."""
        if number in self.steps:
            return self.steps[number]
        place = self.places[number]
        x, y = self.board.coordinates[place]
        cells = self.board.cells
        steps = self.steps[number] = []
        for right, up in DIRECTIONS.values():
            there = cells.get((x + right, y + up))
            if there is None or self.is_closed(there):
                steps.append(None)
            elif right and up:
                flanks = (cells.get((x + right, y)), cells.get((x, y + up)))
                closed = sum(self.is_shut(place, by) or self.is_shut(by, there) for by in flanks)
                steps.append(self.numbers[there] if closed < self.bars.sides else None)
            else:
                steps.append(None if self.is_shut(place, there) else self.numbers[there])
        return steps

    def is_closed(self, place: Symbol) -> bool:
        """Whether nobody may enter a place."""
        if place in self.bars.places:
            return True
        if place in self.bars.opened:
            return False
        return not self.bars.place_labels.isdisjoint(self.board.labels[place])

    def is_shut(self, one: Symbol | None, other: Symbol | None) -> bool:
        """Whether the join between two places is closed, or there is none."""
        joined = self.board.graph.get_edge_data(one, other)
        if joined is None or not self.bars.join_labels.isdisjoint(joined["labels"]):
            return True
        return frozenset((one, other)) in self.bars.joins


class PathSearch:
    """The cheapest ways from one state to all others, no dearer than the limit."""

    def __init__(self, states: States, place: Symbol, facing: int, limit: int | None) -> None:
        self.states = states
        self.start = states.start(place, facing)
        most = HIGHEST_COST if limit is None else limit
        self.before, self.weights = networkx.dijkstra_predecessor_and_distance(
            states, self.start, cutoff=PRICED * (most + 1) - 1
        )
        # The states are found in the order of their weights, so the first of a place are its best.
        self.arrivals: dict[int, list[int]] = {}
        for state, weight in self.weights.items():
            arrived = self.arrivals.setdefault(state // PLACE, [])
            if not arrived or weight == self.weights[arrived[0]]:
                arrived.append(state)

    def costs(self) -> list[tuple[Symbol, int]]:
        """Each place that can be reached, with its cost, in the order of the board."""
        return [
            (self.states.places[number], self.weights[self.arrivals[number][0]] // PRICED)
            for number in sorted(self.arrivals)
        ]

    def way(self, goal: Symbol) -> tuple[int, list[int | Symbol]] | None:
        """The cost of the best way to a place, and its turns (as eighths) and steps (as places)."""
        arrived = self.arrivals.get(self.states.numbers[goal])
        if arrived is None:
            return None
        leading = set(arrived)
        unread = list(arrived)
        while unread:
            for state in self.before[unread.pop()]:
                if state not in leading:
                    leading.add(state)
                    unread.append(state)
        way: list[int | Symbol] = []
        state = self.start
        while state not in arrived:
            after = next(
                after
                for after in self.states.succ[state]
                if after in leading and state in self.before[after]
            )
            facing = after % PLACE // FACING
            if after // PLACE == state // PLACE:
                way.append(facing)
            else:
                if self.states.prices.always and facing % 2:
                    way.append(facing)
                way.append(self.states.places[after // PLACE])
            state = after
        return self.weights[arrived[0]] // PRICED, way


def graph_of(board: Board, prices: Symbol, bars: Symbol, gates: Symbol) -> States | None:
    """The graph that three terms describe; None, if one of them is no such description."""
    try:
        return States(board, Prices.of(prices), Bars.of(bars), Gates.of(gates))
    except TermError:
        return None
