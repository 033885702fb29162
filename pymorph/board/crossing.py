"""What a line over a board meets on its way to the middle of a place, on squares and on hexes."""

from __future__ import annotations

from typing import NamedTuple

from clingo import Function, Symbol

from pymorph.board.grid import Board
from pymorph.board.lattice import HEXES, SQUARES, Step
from pymorph.board.surds import sign_of

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
        return met(board, start, other)
    except GapError:
        return []


def squares_met(board: Board, start: Beginning, other: Symbol) -> list[Symbol]:
    """The same on squares; there all is measured in halves of a place."""
    (x, y), (u, v) = start.point, SQUARES.middle(*board.coordinates[other])
    across, up = abs(u - x), abs(v - y)
    right, rise = sign_of(u - x), sign_of(v - y)
    cells, joined = board.cells, board.joined
    items: list[Symbol] = []
    column, row = x // 2, y // 2
    if start.corner is not None:  # what lies at a corner begins in the place before it
        column, row = (x + right) // 2, (y + rise) // 2
    here = cells.get((column, row))
    if here is None:
        return []
    if here not in (start.place, other):
        items.append(Function("cell", [here]))
    while here != other:
        # The line leaves its column after this part of its width, and its row after that part
        # of its height: whichever comes first is crossed next.
        lead = abs(2 * column + (right or 1) - x) * up - abs(2 * row + (rise or 1) - y) * across
        in_row = cells.get((column + right, row))
        in_column = cells.get((column, row + rise))
        if lead <= 0:
            column += right
        if lead >= 0:
            row += rise
        there = cells.get((column, row))
        if there is None:
            return []
        if lead:
            if there not in joined[here]:
                return []
            items.append(Function("join", [here, there]))
        else:
            if in_row is None or in_column is None:
                return []
            items.append(Function("corner", [here, there, in_row, in_column]))
        if there != other:
            items.append(Function("cell", [there]))
        here = there
    return items


def hexes_met(board: Board, start: Beginning, other: Symbol) -> list[Symbol]:
    """The same on hexes: from each the line leaves over an edge, or at a corner.

    Corner I lies between edges I - 1 and I, which follow it and one another clockwise, and edge I
    leads in the facing of number I. From a corner a third edge leads on between two neighbours,
    and beyond that edge lies one more hex. Who begins along an edge of a place begins in that.
    """
    goal, cell = board.coordinates[other], board.coordinates[start.place]
    u, v = HEXES.middle(*goal)
    way = (u - start.point[0], v - start.point[1])
    items: list[Symbol] = []
    here = start.place
    first = start.corner if start.corner is not None and not inward(way, start.corner) else None
    while cell != goal:
        if first is None:
            number, at_corner = way_out(cell, start.point, way)
        else:
            number, at_corner = first, True
        left, right = beside(cell, number - 1), beside(cell, number)
        side = turns(way, CORNERS[number]) if at_corner else 1
        cell = right if side > 0 else left if side else beyond(cell, number)
        there = place_at(board, cell)
        if at_corner and (first is None or side == 0):
            flanks = [EDGE if at == cell else board.cells.get(at, OUTSIDE) for at in (left, right)]
            items.append(Function("corner", [START if first is not None else here, there, *flanks]))
        elif not at_corner and OUTSIDE not in (here, there):
            if there not in board.joined[here]:
                raise GapError
            items.append(Function("join", [here, there]))
        if there not in (other, OUTSIDE):
            items.append(Function("cell", [there]))
        here, first = there, None
    return items


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
    x, y = HEXES.middle(*cell)
    right, up = way
    middle = right * (y - point[1]) - up * (x - point[0])
    before = middle + right * CORNERS[-1][1] - up * CORNERS[-1][0]
    sides = [middle + right * v - up * u for u, v in CORNERS]  # as `turns`
    for number, side in enumerate(sides):
        after = sides[number - 5]
        if side > 0 > after:
            return number, False
        if side == 0 and before >= 0 >= after and before != after:
            return number, True
        before = side
    raise GapError


def place_at(board: Board, cell: Cell) -> Symbol:
    """The place at a cell, or that there is none, for there the board ends."""
    found = board.cells.get(cell)
    if found is None and not board.is_rim(cell):
        raise GapError
    return found or OUTSIDE
