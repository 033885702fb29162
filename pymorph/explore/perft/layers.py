"""Positions by breadth on compiled rules: those that so many actions lead to, each of them once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial, reduce
from itertools import chain
from operator import or_
from typing import NamedTuple

import numpy as np
from clingo import Symbol

from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics.bits.compiled import CompiledAction, CompiledScene, Truth
from pymorph.dynamics.bits.compiled_steps import Carried, CompiledSteps, LegalLayer
from pymorph.dynamics.bits.planes import Matrix, spread, where
from pymorph.explore.perft.frontier import first_of_equal
from pymorph.state.position import Position
from pymorph.terms import order

OnLayer = Callable[[int, int, LegalLayer], None]


class ShortestLine(NamedTuple):
    """A line of play: its positions, the first one included, and what is done; and the number of
    the last position in its layer."""

    positions: list[Position]
    actions: list[Symbol]
    end: int


class _Piece(NamedTuple):
    """Some positions of a layer: the number of the first, all of them, and what may be done."""

    first: int
    keys: Matrix
    options: LegalLayer


class _Way(NamedTuple):
    """An action: from which positions of a layer, by their numbers, where it leads, and from which
    of them something happens on the way that matters."""

    action: Symbol
    origin: Matrix
    keys: Matrix
    noted: Matrix


class Layers:
    """The positions that play leads to from some of one table: those of layer 0 are these, and of
    each further one those that are new after one more action.

    *look*, if it is set, is told of the depth of each layer of which the next one is sought, piece
    by piece: the number of the first position, and what may be done. *eventful* are the positions
    of the last layer but one, by their numbers, in which an action brings an event about that
    *matters*, with the first action that does.
    """

    def __init__(
        self,
        scene: CompiledScene,
        starts: Sequence[Position],
        matters: Callable[[Symbol], bool] | None = None,
    ) -> None:
        self.scene = scene
        self.look: OnLayer | None = None
        self.eventful: dict[int, Symbol] = {}
        self._matters = matters
        self._noted = 0
        self._steps = CompiledSteps(scene)
        self._steps.heard = self._hear if matters else None
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

    def fitting(
        self, fits: Mapping[Symbol, Callable[[Symbol], bool]], over: bool = False
    ) -> list[int]:
        """The positions of the last layer, by their numbers, in which each of some fluents has a
        value that *fits*, and the game is *over*, if that is asked for; what play cannot change is
        left to others."""
        found: list[int] = []
        layer, size = self._layers[-1], self.scene.together
        rows = {f: self.scene.fluents.index(f) for f in fits if f in self.scene.fluents}
        for first in range(0, len(layer), size):
            keys = layer[first : first + size]
            here = every = (1 << len(keys)) - 1
            positions = self.scene.side_by_side(keys)
            for fluent, row in rows.items():
                bits = spread(positions.values[row], every)
                pairs = zip(self.scene.values[row], bits, strict=False)
                here &= reduce(or_, (b for value, b in pairs if fits[fluent](value)), 0)
            if here and over:
                ending = chain.from_iterable(self.scene.over.values())
                here &= self.scene.truth(positions).any_of(ending)
            found += (first + np.flatnonzero(where(here, len(keys)))).tolist()
        return found

    def grow(self, going: Callable[[], bool] = lambda: True) -> bool:
        """Find the next layer, unless *going* says that there is no time left; was it found?

        Raises: Uncompiled, where something comes about that rules must not bring about.
        """
        new = self._seen[:0]
        self.eventful = {}
        for piece in self._pieces(self.depth):
            if self.look:
                self.look(self.depth, piece.first, piece.options)
            found = [new]
            for way in self._ways(piece):
                found.append(way.keys)
                for number in way.origin[way.noted].tolist():
                    other = self.eventful.setdefault(number, way.action)
                    if self._rank[way.action] < self._rank[other]:
                        self.eventful[number] = way.action
                if not going():
                    return False
            both = np.concatenate([self._seen, *found])
            fresh = first_of_equal(both) == np.arange(len(both))
            new = both[len(self._seen) :][fresh[len(self._seen) :]]
        self._layers.append(new)
        self._seen = np.concatenate([self._seen, new])
        return True

    def fault(self) -> tuple[int, Symbol | None] | None:
        """Why the next layer cannot be found: the first position of this one, by its number, in
        which rules bring about what they must not, and the first action by which they do, if it
        takes one, or that is none of the vocabulary."""
        layer, size = self._layers[-1], self.scene.together
        for first in range(0, len(layer), size):
            keys = layer[first : first + size]
            at = _first_failing(partial(self._options, keys), len(keys))
            if at is not None:
                positions = self.scene.side_by_side(keys[at : at + 1])
                with suppress(Uncompiled):
                    self.scene.truth(positions)
                return first + at, self.scene.astray(positions.truth) if positions.truth else None
            options = self._options(keys, len(keys))
            for action, bits in sorted(options.legal, key=lambda row: self._rank[row[0].symbol]):
                at = _first_failing(partial(self._carried, options, action, bits), len(keys))
                if at is not None:
                    return first + at, action.symbol
        return None

    def line_to(self, depth: int, numbers: Sequence[int]) -> ShortestLine:
        """A shortest line of play to one of some positions of a layer, from where it begins: of
        several, at each step the one with the first action."""
        wanted = np.array(sorted(numbers))
        steps: list[dict[int, tuple[int, int]]] = []
        for k in range(depth - 1, -1, -1):
            steps.insert(0, self._leading(k, wanted))
            wanted = np.array(sorted(steps[0]))
        number = int(wanted[0])
        positions, actions = [self.position(0, number)], []
        for depth_after, step in enumerate(steps, 1):
            rank, number = step[number]
            actions.append(self._symbols[rank])
            positions.append(self.position(depth_after, number))
        return ShortestLine(positions, actions, number)

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

    def _options(self, keys: Matrix, number: int) -> LegalLayer:
        """What may be done in the first so many positions."""
        return self._steps.options(self.scene.side_by_side(keys[:number]))

    def _carried(
        self, options: LegalLayer, action: CompiledAction, bits: int, number: int
    ) -> Carried:
        """Where an action leads from those of the first so many positions that have their bits."""
        return self._steps.carry_out(options, [(action, bits & (1 << number) - 1)])

    def _pieces(self, depth: int) -> Iterator[_Piece]:
        """The positions of a layer, as many of them as are looked at together."""
        layer, size = self._layers[depth], self.scene.together
        for first in range(0, len(layer), size):
            keys = layer[first : first + size]
            yield _Piece(first, keys, self._options(keys, size))

    def _ways(self, piece: _Piece) -> Iterator[_Way]:
        """Where each legal action leads from the positions of a piece."""
        first, keys, options = piece
        for action, bits in options.legal:
            origin = np.flatnonzero(where(bits, len(keys)))
            self._noted = 0
            after = self._steps.carry_out(options, [(action, bits)]).after
            found = self.scene.keys_after(keys, options.positions, after, origin)
            noted = where(self._noted & bits, len(keys))[origin]
            yield _Way(action.symbol, first + origin, found, noted)

    def _hear(self, action: CompiledAction, bits: int, truth: Truth, *_: object) -> None:
        """Note where an event happens that matters."""
        assert self._matters is not None
        for event, literals in action.happens.items():
            if self._matters(event):
                self._noted |= bits & truth.any_of(literals)


def _first_failing(work: Callable[[int], object], number: int) -> int | None:
    """Of so many positions the first, by its number, of which the *work* cannot be done, which is
    done of the first so many; None, if it can be done of all."""

    def fails(n: int) -> bool:
        try:
            work(n)
        except Uncompiled:
            return True
        return False

    return bisect_left(range(1, number + 1), True, key=fails) if fails(number) else None
