"""How places lie beside one another, in squares or in hexes: all that the two have of their own."""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from types import MappingProxyType

from clingo import Function, Symbol

Offset = tuple[int, int]


class Lattice:
    """One way to lay places side by side, with whole numbers as coordinates.

    *steps* has the facings clockwise from north, each with its step in coordinates, and *corners*
    those in which a place has a corner, clockwise, each with the way there from the middle. Such a
    way is in points, which lie so close that each corner is one: see `middle`.
    """

    lacking: frozenset[Symbol] = frozenset()  # the facings that others have
    key: str  # of a drawing, in the file of a position
    metrics: tuple[str, ...]  # those of `Geometry.distance` that differ
    bearings: tuple[int, ...]  # of the facings, in 24ths of a full turn
    diagonals: frozenset[int] = frozenset()  # the facings in which places share a corner only
    width: int  # of a place, in coordinates
    rise: int  # the square of how much longer a coordinate up is than one across
    scale: Offset  # the points in a coordinate across, and in one up

    def __init__(self, steps: Mapping[str, Offset], corners: Mapping[str, Offset]) -> None:
        self.steps = MappingProxyType({Function(name): step for name, step in steps.items()})
        self.corners = MappingProxyType(
            {Function(name): vector for name, vector in corners.items()}
        )
        self.facings: tuple[Symbol, ...] = tuple(self.steps)
        self.ways: tuple[Offset, ...] = tuple(self.steps.values())
        edges = [way for number, way in enumerate(self.ways) if number not in self.diagonals]
        self.edges_ahead = [(right, up) for right, up in edges if (up, -right) < (0, 0)]
        self.numbers = {facing: number for number, facing in enumerate(self.facings)}
        self._toward = {reduced(*step): number for number, step in enumerate(self.ways)}
        self._turned = [
            {clockwise(turn): number for number, turn in enumerate(self._clockwise(here))}
            for here in self.bearings
        ]

    def _clockwise(self, here: int) -> list[int]:
        return [(there - here) % 24 for there in self.bearings]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return lattice_of, (self.key,)

    # -- facings, by their numbers ---------------------------------------------------------------

    def turn(self, one: int, other: int) -> int:
        """The eighths of a full turn between two facings, 0 to 4; a part of one counts as one."""
        eighths = clockwise((self.bearings[one] - self.bearings[other]) % 24)
        return min(eighths, 8 - eighths)

    def turned(self, facing: int, eighths: int) -> int | None:
        """The facing that lies so many eighths clockwise, as `turn` counts them, if one does."""
        return self._turned[facing].get(eighths % 8)

    def toward(self, across: int, up: int) -> int | None:
        """The facing that points exactly so many coordinates across and up, if one does."""
        return self._toward.get(reduced(across, up))

    def ahead(self, facing: int, across: int, up: int) -> int:
        """Above 0, if so many coordinates across and up lie in front, below 0, if behind."""
        right, rise = self.ways[facing]
        return right * across + self.rise * rise * up

    def rightward(self, facing: int, across: int, up: int) -> int:
        """Above 0, if that lies to the right, below 0, if to the left."""
        right, rise = self.ways[facing]
        return rise * across - right * up

    # -- distances, in coordinates across and up -------------------------------------------------

    def edges(self, across: int, up: int) -> int:
        """The steps from one place to another, each over an edge."""
        raise NotImplementedError

    def king(self, across: int, up: int) -> int:
        """The steps from one place to another, each in any of the facings."""
        return self.edges(across, up)

    def squared(self, across: int, up: int) -> int:
        """The square of the distance from middle to middle, in widths of a place: always whole."""
        return (across * across + self.rise * up * up) // self.width**2

    # -- points ----------------------------------------------------------------------------------

    def middle(self, x: int, y: int) -> Offset:
        """The point in the middle of a place."""
        return self.scale[0] * x, self.scale[1] * y

    def outline(self, x: int, y: int) -> list[Offset]:
        """The points at the corners of a place, clockwise."""
        u, v = self.middle(x, y)
        return [(u + right, v + up) for right, up in self.corners.values()]


class Squares(Lattice):
    """Columns and rows."""

    key = "board"
    metrics = ("steps", "king", "straight")
    bearings = tuple(range(0, 24, 3))
    diagonals = frozenset((1, 3, 5, 7))
    width, rise, scale = 1, 1, (2, 2)

    def edges(self, across: int, up: int) -> int:
        return abs(across) + abs(up)

    def king(self, across: int, up: int) -> int:
        return max(abs(across), abs(up))


class Hexes(Lattice):
    """Rows of hexes, each half a hex to the side of the next, with a corner to the north.

    Coordinates are doubled: a step to the east is two across, one to the north-east one across and
    one up. Middle and corners lie on whole points, as they do in true proportions: a line is the
    same, however high it is drawn. The facings lie sixths of a turn apart: 2, 3 and 4 eighths.
    """

    key = "hexes"
    metrics = ("steps", "straight")
    bearings = tuple(range(2, 24, 4))
    width, rise, scale = 2, 3, (1, 3)

    def edges(self, across: int, up: int) -> int:
        return abs(up) + max(0, abs(across) - abs(up)) // 2


def reduced(across: int, up: int) -> Offset:
    """The shortest way of that direction in whole numbers."""
    many = gcd(across, up) or 1
    return across // many, up // many


def clockwise(turn: int) -> int:
    """The eighths in so many 24ths of a turn clockwise: to the nearer side, rounded up."""
    return -(-turn // 3) if turn <= 12 else turn // 3


SQUARES = Squares(
    steps={
        "north": (0, 1),
        "north_east": (1, 1),
        "east": (1, 0),
        "south_east": (1, -1),
        "south": (0, -1),
        "south_west": (-1, -1),
        "west": (-1, 0),
        "north_west": (-1, 1),
    },
    corners={
        "north_east": (1, 1),
        "south_east": (1, -1),
        "south_west": (-1, -1),
        "north_west": (-1, 1),
    },
)
HEXES = Hexes(
    steps={
        "north_east": (1, 1),
        "east": (2, 0),
        "south_east": (1, -1),
        "south_west": (-1, -1),
        "west": (-2, 0),
        "north_west": (-1, 1),
    },
    corners={
        "north": (0, 2),
        "north_east": (1, 1),
        "south_east": (1, -1),
        "south": (0, -2),
        "south_west": (-1, -1),
        "north_west": (-1, 1),
    },
)
HEXES.lacking = frozenset(SQUARES.facings).difference(HEXES.facings)
LATTICES: dict[str, Lattice] = {lattice.key: lattice for lattice in (SQUARES, HEXES)}


def lattice_of(key: str) -> Lattice:
    return LATTICES[key]
