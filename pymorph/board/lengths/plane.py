"""A table in lengths: its size, and the terrain that lies on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from clingo import Function, Symbol

from pymorph.board.lengths import unions
from pymorph.board.lengths.lines import Body, boxed
from pymorph.board.lengths.shapes import Point, Polygon, Wall


class Terrain(NamedTuple):
    """A piece of terrain: an area with an inside, or an *edge*, which has none."""

    name: str
    label: str
    points: tuple[Point, ...]
    edge: bool = False

    @property
    def shape(self) -> Polygon | Wall:
        return Wall(self.points) if self.edge else self.points

    @property
    def item(self) -> Symbol:
        """What it is called in programs: ``area(T)`` or ``edge(T)``."""
        return Function("edge" if self.edge else "area", [Function(self.name)])


@dataclass(frozen=True)
class Plane:
    """A table so many whole units wide and deep, its corner at (0, 0), with terrain by name."""

    size: Point
    terrain: tuple[Terrain, ...] = ()

    @classmethod
    def of(cls, size: Point, terrain: Iterable[Terrain]) -> Plane:
        """A table whose terrain stands in the order of its names, however it was given."""
        return cls(size, tuple(sorted(terrain)))

    @property
    def places(self) -> tuple[Symbol, ...]:
        """None: whoever stands on a table stands at a point."""
        return ()

    @cached_property
    def pieces(self) -> dict[str, Terrain]:
        return {piece.name: piece for piece in self.terrain}

    @cached_property
    def items(self) -> dict[Symbol, Terrain]:
        return {piece.item: piece for piece in self.terrain}

    @cached_property
    def unions(self) -> tuple[int, ...]:
        """For each piece the number of the first one in its union: all with its label that is
        connected with it."""
        shapes = [piece.shape for piece in self.terrain]
        return tuple(unions.connected(shapes, [piece.label for piece in self.terrain]))

    @cached_property
    def bodies(self) -> tuple[Body, ...]:
        """The terrain in boxes, for `crossed` and `swept`."""
        return tuple(boxed(piece.shape) for piece in self.terrain)
