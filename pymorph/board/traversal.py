"""What a line over a board meets on its way, on squares and on hexes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import NamedTuple

from clingo import Function, Symbol

from pymorph.board.grid import Board
from pymorph.board.lattice import SQUARES, Offset

GridCell = tuple[int, int]
START, END, EDGE, OUTSIDE = map(Function, ("start", "end", "edge", "outside"))


class Beginning(NamedTuple):
    """Where a line begins, or ends: in the middle of a place, or at a corner of it."""

    place: Symbol
    point: Offset
    is_corner: bool


class GapError(ValueError):
    """There is no line across a gap in the board."""


def items_met(board: Board, start: Beginning, end: Beginning) -> list[Symbol]:
    """The items of `Geometry.crossed`, in order; none, if there is no such line."""
    if start.point == end.point:
        return []
    try:
        return list(BoardLine(board, start, end).items())
    except GapError:
        return []


class BoardLine:
    """A line over a board, from a middle or a corner of a place to another.

    A place is what lies between its two or three pairs of opposite edges. Where the line crosses
    one of these is a whole number: of so many parts of it, in number *span*, that all are.
    """

    def __init__(self, board: Board, start: Beginning, end: Beginning) -> None:
        self.board, self.lattice, self.start, self.end = board, board.lattice, start, end
        self.vector = dx, dy = end.point[0] - start.point[0], end.point[1] - start.point[1]
        self.corners, (wide, high) = list(self.lattice.corners.values()), self.lattice.scale
        pairs = list(pairwise(self.corners[: len(self.corners) // 2 + 1]))
        slopes = [turns((u - s, v - t), self.vector) for (s, t), (u, v) in pairs]
        self.span = prod(abs(slope) or 1 for slope in slopes)
        # Of each two edges the vector of that over which the line leaves a place, or runs back
        # along; how far they are from the middle, the parts in a step across, and the way on.
        self.bands: list[tuple[int, int, int, int, bool, Offset]] = []
        for ((s, t), (u, v)), slope in zip(pairs, slopes, strict=True):
            sign = -1 if slope < 0 else 1
            x, y = sign * (u - s), sign * (v - t)
            way = sign * (s + u) // wide, sign * (t + v) // high
            size = slope and self.span // abs(slope)
            self.bands.append((x, y, abs(turns((x, y), (s, t))), size, x * dx + y * dy < 0, way))

    def items(self) -> Iterator[Symbol]:
        """What it meets, in order. Raises: GapError."""
        line, on_squares = self.parts(), self.lattice is SQUARES
        ends = [self.board.coordinates[end.place] for end in (self.start, self.end)]
        if not on_squares and len(line) > 1:  # what begins or ends along an edge of its place does
            for number, cell in ((0, ends[0]), (-1, ends[1])):  # so in it
                if cell in line[number]:
                    line[number] = [cell]
        places = list(map(self.places, line))
        for number, here in enumerate(places):
            before = places[number - 1] if number else [START]
            if len(here) == 1:
                if number and len(before) == 1:
                    cells = line[number - 1][0], line[number][0]
                    yield from self.step(before[0], here[0], *cells)
                if here[0] is not OUTSIDE and line[number][0] not in ends:
                    yield Function("cell", here)
            elif on_squares:
                if number:
                    yield Function("point", [*before, *here])
                yield Function("along", here)
            else:
                after = places[number + 1] if number + 1 < len(places) else [END]
                yield Function("corner", [*before, *after, *here])

    def parts(self) -> list[list[GridCell]]:
        """The cells that it goes through, one after the other, or two where it goes between them,
        that to the left first."""
        here = [self.board.coordinates[self.start.place]]
        line: list[list[GridCell]] = []
        at = 0
        way: Offset | None = None
        while at < self.span:
            if way and len(here) == 1:
                here = [(here[0][0] + way[0], here[0][1] + way[1])]
                _, at, _, way = self.cut(here[0])
            else:
                near = self.around(here) if line or self.start.is_corner else here
                cuts = {cell: self.cut(cell) for cell in near}
                here = [cell for cell, (low, high, _, _) in cuts.items() if low <= at < high]
                here.sort(key=lambda cell: not cuts[cell][2])
                _, at, _, way = cuts[here[0]]
            line.append(here)
        return line

    def around(self, cells: list[GridCell]) -> list[GridCell]:
        """Some cells and those around them."""
        ways = [(0, 0), *self.lattice.ways]
        return list({(x + right, y + up): 0 for x, y in cells for right, up in ways})

    def cut(self, cell: GridCell) -> tuple[int, int, bool, Offset | None]:
        """From where to where it is in a cell, and if it has that to its left, along an edge; and
        the way to the next cell, if it leaves over an edge."""
        (x, y), (u, v) = self.start.point, self.lattice.middle(*cell)
        low, high, is_left = 0, self.span, False
        way: Offset | None = None
        for right, up, wide, size, is_back, across in self.bands:
            off = right * (y - v) - up * (x - u)
            if not size:
                high = high if abs(off) <= wide else 0
                is_left = is_left or (abs(off) == wide and is_back == (off > 0))
                continue
            low, until = max(low, -(wide + off) * size), (wide - off) * size
            if until <= high:
                high, way = until, across if until < high else None
        return low, high, is_left, way

    def places(self, cells: list[GridCell]) -> list[Symbol]:
        """The place of a part, or the two between which it lies: of these one may be missing, where
        the board ends. Raises: GapError."""
        places = [self.board.cells.get(cell, OUTSIDE) for cell in cells]
        if places[0] is not OUTSIDE or places[-1] is not OUTSIDE:
            return places
        if len(cells) > 1 or self.lattice is SQUARES or not self.board.is_rim(cells[0]):
            raise GapError
        return places

    def step(self, here: Symbol, there: Symbol, cell: GridCell, other: GridCell) -> list[Symbol]:
        """How it passes from one place into the next. Raises: GapError."""
        (x, y), (u, v) = cell, other
        flanks: list[Symbol] = []
        if self.lattice is SQUARES:
            if x != u and y != v:
                sides = (u, y), (x, v)
                flanks = [self.board.cells[side] for side in sides if side in self.board.cells]
                if len(flanks) < len(sides):
                    raise GapError
        else:  # at an end of the edge of both lies a third one
            edge = self.lattice.ways.index((u - x, v - y))
            if self.passes(cell, edge):
                flanks = [self.beside(cell, edge - 1), EDGE]
            elif self.passes(cell, edge - 5):
                flanks = [EDGE, self.beside(cell, edge - 5)]
        if flanks:
            return [Function("corner", [here, there, *flanks])]
        if here is OUTSIDE or there is OUTSIDE:
            return []
        if there not in self.board.joined[here]:
            raise GapError
        return [Function("join", [here, there])]

    def passes(self, cell: GridCell, number: int) -> bool:
        """Is a corner of a cell, by its number, on the line?"""
        (x, y), (u, v), (right, up) = (
            self.start.point,
            self.lattice.middle(*cell),
            self.corners[number],
        )
        return not turns(self.vector, (u + right - x, v + up - y))

    def beside(self, cell: GridCell, edge: int) -> Symbol:
        """The place beyond an edge of a hex, by its number."""
        right, up = self.lattice.ways[edge]
        return self.board.cells.get((cell[0] + right, cell[1] + up), OUTSIDE)


def turns(vector: Offset, other: Offset) -> int:
    """Above 0, if the other way is to the left of this one, below 0, if to the right."""
    return vector[0] * other[1] - vector[1] * other[0]
