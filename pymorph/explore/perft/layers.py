"""Positions by breadth on compiled rules: those that so many actions lead to, each of them once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from clingo import Symbol

from pymorph.dynamics.bits.planes import Matrix
from pymorph.dynamics.bitsliced import BitMoves, BitSliced, BitTransitions
from pymorph.dynamics.engine import attempted
from pymorph.dynamics.protocol import Follow, Mask, batches, numbers_in, union
from pymorph.explore.perft.merging import first_of_equal
from pymorph.state.position import Position
from pymorph.terms import order

OnLayer = Callable[[int, int, BitMoves], None]
Matters = Callable[[Symbol], bool]


class ShortestLine(NamedTuple):
    """A line of play: its positions, the first one included, and what is done; and the number of
    the last position in its layer."""

    positions: list[Position]
    actions: list[Symbol]
    end: int


class BreadthFirst:
    """The positions that play leads to from some of one table: those of layer 0 are these, and of
    each further one those that are new after one more action.

    *look*, if it is set, is told of the depth of each layer of which the next one is sought, piece
    by piece: the number of the first position, and what may be done. *eventful* are the positions
    of the last layer but one, by their numbers, in which an action brings an event about that
    *matters*, with the first action that does.
    """

    def __init__(
        self, dynamics: BitSliced, starts: Sequence[Position], matters: Matters | None = None
    ) -> None:
        self.dynamics = dynamics
        self.look: OnLayer | None = None
        self.eventful: dict[int, Symbol] = {}
        self._matters = matters
        self._seen = dynamics.encode(list(dict.fromkeys(starts)))
        self._layers = [self._seen]
        # By layer, the place of each position among all in the order of their first lines, and
        # that of the position before it, together with the action that leads on from there.
        self._order = [np.arange(len(self._seen))]
        self._paths = [self._order[0]]
        self._symbols = sorted(dynamics.actions.symbols, key=order)
        self._rank = {symbol: rank for rank, symbol in enumerate(self._symbols)}

    @property
    def depth(self) -> int:
        """The number of the last layer."""
        return len(self._layers) - 1

    @property
    def size(self) -> int:
        """How many positions there are in the last layer."""
        return len(self._layers[-1])

    @property
    def positions(self) -> int:
        """How many there are in all layers."""
        return len(self._seen)

    def position(self, depth: int, number: int) -> Position:
        """One of the positions of a layer."""
        return self.dynamics.decode(self._layers[depth][number : number + 1])[0]

    def fitting(self, fits: Mapping[Symbol, Matters], over: bool) -> list[int]:
        """The positions of the last layer, by their numbers, in which each of some fluents has a
        value that *fits*, and the game is *over*, if that is asked for; what play cannot change is
        left to others."""
        numbers: list[int] = []
        fluents, values = self.dynamics.fluents, self.dynamics.values.symbols
        for first, states in batches(self.dynamics.states, self._layers[-1], self.dynamics.batch):
            here = (1 << len(states)) - 1
            for fluent, fit in fits.items():
                if fluent in fluents.symbols:
                    by_value = states.values(fluents.number(fluent))
                    here &= union(bits for value, bits in by_value if fit(values[value]))
            if here and over:
                here &= union(ended for _, ended in states.legal(Follow.NONE).endings().over)
            numbers += (first + numbers_in(here, len(states))).tolist()
        return numbers

    def grow(self, going: Callable[[], bool] = lambda: True) -> bool:
        """Find the next layer, unless *going* says that there is no time left; was it found?

        Raises: Uncompiled, where something comes about that rules must not bring about.
        """
        new, new_paths = self._seen[:0], np.zeros(0, np.int64)
        known = np.zeros(len(self._seen), np.int64)
        self.eventful = {}
        symbols = self.dynamics.actions.symbols
        for first, states in batches(self.dynamics.states, self._layers[-1], self.dynamics.batch):
            moves = states.legal()
            if self.look:
                self.look(self.depth, first, moves)
            reached, paths = [new], [new_paths]
            for (action, bits), step in zip(moves.legal, moves.steps(moves.legal), strict=True):
                numbers, symbol = numbers_in(bits, len(states)), symbols[action]
                reached.append(step.rows(numbers))
                place = self._order[-1][first + numbers]
                paths.append(place * len(self._symbols) + self._rank[symbol])
                eventful = first + numbers_in(self._eventful(step) & bits, len(states))
                for number in eventful.tolist():
                    other = self.eventful.get(number, symbol)
                    self.eventful[number] = min(symbol, other, key=self._rank.__getitem__)
                if not going():
                    return False
            both = np.concatenate([self._seen, *reached])
            least, firsts = np.concatenate([known, *paths]), first_of_equal(both)
            np.minimum.at(least, firsts, least.copy())
            fresh = firsts == np.arange(len(both))
            fresh[: len(known)] = False
            new, new_paths = both[fresh], least[fresh]
        self._layers.append(new)
        self._paths.append(new_paths)
        self._order.append(np.argsort(np.argsort(new_paths)))
        self._seen = np.concatenate([self._seen, new])
        return True

    def fault(self) -> tuple[int, Symbol | None] | None:
        """Why the next layer cannot be found: the first position of this one, by its number, in
        which rules bring about what they must not, and the first action by which they do, if it
        takes one, or that is none of the vocabulary."""
        for first, states in batches(self.dynamics.states, self._layers[-1], self.dynamics.batch):
            rows = states.rows
            at = _first_failing(partial(self._legal, rows), len(rows))
            if at is not None:
                scene, failing = self.dynamics.scene, self.dynamics.states(rows[at : at + 1])
                truth = attempted(partial(scene.truth, failing.planes, 1, {}))
                return first + at, scene.astray(truth) if truth else None
            moves, symbols = states.legal(), self.dynamics.actions.symbols
            for action, bits in sorted(moves.legal, key=lambda pair: self._rank[symbols[pair[0]]]):
                at = _first_failing(partial(_step, moves, action, bits), len(rows))
                if at is not None:
                    return first + at, symbols[action]
        return None

    def _legal(self, rows: Matrix, number: int) -> BitMoves:
        """The legal actions of the first states of some rows."""
        return self.dynamics.states(rows[:number]).legal()

    def line_to(self, depth: int, numbers: Iterable[int]) -> ShortestLine:
        """A shortest line of play to one of some positions of a layer, from where it begins: of
        several, at each step the one with the first action."""
        number = end = min(numbers, key=self._order[depth].__getitem__)
        positions, actions = [self.position(depth, number)], list[Symbol]()
        for layer in range(depth, 0, -1):
            place, rank = divmod(int(self._paths[layer][number]), len(self._symbols))
            number = int(np.flatnonzero(self._order[layer - 1] == place)[0])
            positions.insert(0, self.position(layer - 1, number))
            actions.insert(0, self._symbols[rank])
        return ShortestLine(positions, actions, end)

    def _eventful(self, step: BitTransitions) -> Mask:
        """The states in which an event happens on the way that matters."""
        matters, symbols = self._matters, self.dynamics.events.symbols
        if matters is None:
            return 0
        return union(states for event, states in step.events().items() if matters(symbols[event]))


def _step(moves: BitMoves, action: int, bits: Mask, number: int) -> BitTransitions:
    """The result of an action in those of the first states that have their bits."""
    return moves.step([(action, bits & (1 << number) - 1)])


def _first_failing(work: Callable[[int], object], number: int) -> int | None:
    """Of so many positions the first, by its number, of which the *work* cannot be done, which is
    done of the first so many; None, if it can be done of all."""

    def fails(n: int) -> bool:
        return attempted(partial(work, n)) is None

    return bisect_left(range(1, number + 1), True, key=fails) if fails(number) else None
