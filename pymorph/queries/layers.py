"""Positions by breadth on compiled rules: those that so many actions lead to, each of them once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from clingo import Symbol

from pymorph.queries.compiled import CompiledScene
from pymorph.queries.compiled_steps import CompiledSteps, LegalLayer
from pymorph.queries.frontier import first_of_equal
from pymorph.queries.planes import Matrix, where
from pymorph.state.position import Position
from pymorph.terms import order

Look = Callable[[int, int, LegalLayer], None]


class _Piece(NamedTuple):
    """Some positions of a layer: the number of the first, all of them, and what may be done."""

    first: int
    keys: Matrix
    options: LegalLayer


class _Way(NamedTuple):
    """An action: from which positions of a layer, by their numbers, and where it leads."""

    action: Symbol
    origin: Matrix
    keys: Matrix


class Layers:
    """The positions that play leads to from some of one table: those of layer 0 are these, and of
    each further one those that are new after one more action.

    *look*, if it is set, is told of the depth of each layer of which the next one is sought, piece
    by piece: the number of the first position, and what may be done.
    """

    def __init__(self, scene: CompiledScene, starts: Sequence[Position]) -> None:
        self.scene = scene
        self.look: Look | None = None
        self._steps = CompiledSteps(scene)
        self._seen = scene.keys_of(list(dict.fromkeys(starts)))
        self._layers = [self._seen]
        actions = sorted(scene.actions.values(), key=lambda action: order(action.symbol))
        self._rank = {action.symbol: rank for rank, action in enumerate(actions)}
        self._symbols = [action.symbol for action in actions]

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
        return self.scene.position_of(self._layers[depth][number])

    def newest(self) -> list[Position]:
        """The positions of the last layer."""
        return [self.scene.position_of(key) for key in self._layers[-1]]

    def grow(self, going: Callable[[], bool] = lambda: True) -> bool:
        """Find the next layer, unless *going* says that there is no time left; was it found?

        Raises: Uncompiled, where something comes about that rules must not bring about.
        """
        new = self._seen[:0]
        for piece in self._pieces(self.depth):
            if self.look:
                self.look(self.depth, piece.first, piece.options)
            found = [new]
            for way in self._ways(piece):
                found.append(way.keys)
                if not going():
                    return False
            both = np.concatenate([self._seen, *found])
            fresh = first_of_equal(both) == np.arange(len(both))
            new = both[len(self._seen) :][fresh[len(self._seen) :]]
        self._layers.append(new)
        self._seen = np.concatenate([self._seen, new])
        return True

    def line_to(self, depth: int, numbers: Sequence[int]) -> tuple[Position, list[Symbol]]:
        """A shortest line of play to one of some positions of a layer, from where it begins: of
        several, at each step the one with the first action."""
        wanted = np.array(sorted(numbers))
        steps: list[dict[int, tuple[int, int]]] = []
        for k in range(depth - 1, -1, -1):
            steps.insert(0, self._leading(k, wanted))
            wanted = np.array(sorted(steps[0]))
        number = int(wanted[0])
        start = self.position(0, number)
        line = []
        for step in steps:
            rank, number = step[number]
            line.append(self._symbols[rank])
        return start, line

    def _leading(self, depth: int, wanted: Matrix) -> dict[int, tuple[int, int]]:
        """The positions of a layer from which *wanted* ones of the next are reached: each with the
        first action that does, and where that leads."""
        targets = self._layers[depth + 1][wanted]
        found: dict[int, tuple[int, int]] = {}
        for piece in self._pieces(depth):
            ways = list(self._ways(piece))
            keys = np.concatenate([targets, *(way.keys for way in ways)])
            places = first_of_equal(keys)[len(targets) :]
            for way in ways:
                here, places = places[: len(way.keys)], places[len(way.keys) :]
                for n in np.flatnonzero(here < len(targets)):
                    step = (self._rank[way.action], int(wanted[here[n]]))
                    number = int(way.origin[n])
                    found[number] = min(step, found.get(number, step))
        return found

    def _pieces(self, depth: int) -> Iterator[_Piece]:
        """The positions of a layer, as many of them as are looked at together."""
        layer, size = self._layers[depth], self.scene.together
        for first in range(0, len(layer), size):
            keys = layer[first : first + size]
            yield _Piece(first, keys, self._steps.options(self.scene.side_by_side(keys)))

    def _ways(self, piece: _Piece) -> Iterator[_Way]:
        """Where each legal action leads from the positions of a piece."""
        first, keys, options = piece
        for action, bits in options.legal:
            origin = np.flatnonzero(where(bits, len(keys)))
            after = self._steps.carry_out(options, [(action, bits)]).after
            found = self.scene.keys_after(keys, options.positions, after, origin)
            yield _Way(action.symbol, first + origin, found)
