"""What a line over a board meets on its way to the middle of a place, on squares and on hexes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from clingo import Function, Symbol

from pymorph.board.grid import Board
from pymorph.board.lattice import HEXES, SQUARES, Step

Cell = tuple[int, int]
START, EDGE, OUTSIDE = map(Function, ("start", "edge", "outside"))


class Beginning(NamedTuple):
    """Where a line begins: in the middle of a place, or at a corner of it, which has a number."""

    place: Symbol
    point: Step
    corner: int | None


class GapError(ValueError):
    """There is no line across a gap in the board."""


def items_met(board: Board, start: Beginning, other: Symbol) -> list[Symbol]:
    """The items of `Geometry.crossed`, in order; none, if there is no such line."""
    met = squares_met if board.lattice is SQUARES else hexes_met
    try:
        return list(met(board, start, other))
    except GapError:
        return []


def passed(board: Board, here: Symbol, there: Symbol) -> Iterator[Symbol]:
    """The join over which a line goes from one place to the next; none outside the board."""
    if OUTSIDE not in (here, there):
        if there not in board.joined[here]:
            raise GapError
        yield Function("join", [here, there])


def squares_met(board: Board, start: Beginning, other: Symbol) -> Iterator[Symbol]:
    """The same on squares; there all is measured in halves of a place."""
    (x, y), (u, v) = start.point, SQUARES.middle(*board.coordinates[other])
    across, up = abs(u - x), abs(v - y)
    right, rise = sign(u - x), sign(v - y)
    column, row = x // 2, y // 2
    if start.corner is not None:  # what lies at a corner begins in the place before it
        column, row = (x + right) // 2, (y + rise) // 2
    here = board.cells.get((column, row))
    if here is None:
        return
    if here not in (start.place, other):
        yield Function("cell", [here])
    while here != other:
        # The line leaves its column after this part of its width, and its row after that part
        # of its height: whichever comes first is crossed next.
        lead = abs(2 * column + (right or 1) - x) * up - abs(2 * row + (rise or 1) - y) * across
        in_row = board.cells.get((column + right, row))
        in_column = board.cells.get((column, row + rise))
        if lead <= 0:
            column += right
        if lead >= 0:
            row += rise
        there = board.cells.get((column, row))
        if there is None:
            raise GapError
        if lead:
            yield from passed(board, here, there)
        elif in_row is None or in_column is None:
            raise GapError
        else:
            yield Function("corner", [here, there, in_row, in_column])
        if there != other:
            yield Function("cell", [there])
        here = there


def hexes_met(board: Board, start: Beginning, other: Symbol) -> Iterator[Symbol]:
    """The same on hexes: from each the line leaves over an edge, or at a corner.

    Corner I lies between edges I - 1 and I, which follow it and one another clockwise, and edge I
    leads in the facing of number I. From a corner a third edge leads on between two neighbours,
    and beyond that edge lies one more hex.
    """
    goal = board.coordinates[other]
    u, v = HEXES.middle(*goal)
    way = (u - start.point[0], v - start.point[1])
    cell = board.coordinates[start.place]
    if start.corner is not None and cell != goal and not inward(way, start.corner):
        side = turns(way, CORNERS[start.corner])
        left, right = beside(cell, start.corner - 1), beside(cell, start.corner)
        cell = right if side > 0 else left if side else beyond(cell, start.corner)
        there = place_at(board, cell)
        if side == 0:
            yield Function("corner", [START, there, flank(board, left), flank(board, right)])
        yield from entered(there, other)
    while cell != goal:
        here = place_at(board, cell)
        number, at_corner = way_out(cell, start.point, way)
        left, right = beside(cell, number - 1), beside(cell, number)
        if not at_corner:
            cell = right
            yield from passed(board, here, there := place_at(board, cell))
        else:
            side = turns(way, CORNERS[number])
            cell = right if side > 0 else left if side else beyond(cell, number)
            there = place_at(board, cell)
            flanks = [EDGE if each == cell else flank(board, each) for each in (left, right)]
            yield Function("corner", [here, there, *flanks])
        yield from entered(there, other)


CORNERS = tuple(HEXES.corners.values())


def turns(way: Step, other: Step) -> int:
    """Above 0, if the other way is to the left of this one, below 0, if to the right."""
    return way[0] * other[1] - way[1] * other[0]


def inward(way: Step, corner: int) -> bool:
    """Does a way from a corner of a hex lead into it, or along an edge of it?"""
    (x, y), (u, v), (s, t) = (CORNERS[(corner + n) % 6] for n in (0, 1, -1))
    return turns(way, (u - x, v - y)) >= 0 >= turns(way, (s - x, t - y))


def beside(cell: Cell, edge: int) -> Cell:
    """The hex beyond an edge."""
    right, up = HEXES.ways[edge % 6]
    return cell[0] + right, cell[1] + up


def beyond(cell: Cell, corner: int) -> Cell:
    """The hex that the edge leads to which begins at a corner."""
    right, up = CORNERS[corner]
    return cell[0] + 3 * right, cell[1] + up


def way_out(cell: Cell, point: Step, way: Step) -> tuple[int, bool]:
    """The number of the edge over which a line leaves a hex, or of the corner, and if it is one."""
    sides = [turns(way, (u - point[0], v - point[1])) for u, v in HEXES.outline(*cell)]
    for number, side in enumerate(sides):
        before, after = sides[number - 1], sides[(number + 1) % 6]
        if side > 0 > after:
            return number, False
        if side == 0 and before >= 0 >= after and before != after:
            return number, True
    raise GapError


def place_at(board: Board, cell: Cell) -> Symbol:
    """The place at a cell, or that there is none, for there the board ends."""
    found = board.cells.get(cell)
    if found is None and not board.is_rim(cell):
        raise GapError
    return found or OUTSIDE


def flank(board: Board, cell: Cell) -> Symbol:
    """The place that a line passes by."""
    return board.cells.get(cell, OUTSIDE)


def entered(there: Symbol, other: Symbol) -> Iterator[Symbol]:
    """The place that a line comes into, if it is not where it ends."""
    if there not in (other, OUTSIDE):
        yield Function("cell", [there])


def sign(value: int) -> int:
    return (value > 0) - (value < 0)
