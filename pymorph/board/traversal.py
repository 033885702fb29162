"""What a line over a board meets on its way, on squares and on hexes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from clingo import Function, Symbol

from pymorph.board.grid import Board
from pymorph.board.lattice import HEXES, SQUARES, Offset
from pymorph.board.lengths.exact import sign_of

GridCell = tuple[int, int]
START, END, EDGE, OUTSIDE = map(Function, ("start", "end", "edge", "outside"))


class Beginning(NamedTuple):
    """Where a line begins, or ends: in the middle of a place, or at a corner, by its number."""

    place: Symbol
    point: Offset
    corner: int | None


class GapError(ValueError):
    """There is no line across a gap in the board."""


def items_met(board: Board, start: Beginning, end: Beginning) -> list[Symbol]:
    """The items of `Geometry.crossed`, in order; none, if there is no such line."""
    met = squares_met if board.lattice is SQUARES else hexes_met
    try:
        if end.corner is None:
            return met(board, start, end.place)
        if start.corner is None:
            return [backwards(item) for item in reversed(met(board, end, start.place))]
        return corners_met(board, start, end)
    except GapError:
        return []


def backwards(item: Symbol) -> Symbol:
    """An item of a line that begins at a corner, as met by the same line read backwards."""
    if item.name == "cell":
        return item
    one, other, *sides = item.arguments
    return Function(item.name, [other, END if one == START else one, *reversed(sides)])


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
    line = (u - start.point[0], v - start.point[1])
    items: list[Symbol] = []
    here = start.place
    first = start.corner if start.corner is not None and not inward(line, start.corner) else None
    while cell != goal:
        if first is None:
            number, at_corner = way_out(cell, start.point, line)
        else:
            number, at_corner = first, True
        left, right = beside(cell, number - 1), beside(cell, number)
        side = turns(line, CORNERS[number]) if at_corner else 1
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


def turns(vector: Offset, other: Offset) -> int:
    """Above 0, if the other way is to the left of this one, below 0, if to the right."""
    return vector[0] * other[1] - vector[1] * other[0]


def inward(vector: Offset, corner: int) -> bool:
    """Does a way from a corner of a hex lead into it, or along an edge of it?"""
    (x, y), (u, v), (s, t) = (CORNERS[(corner + n) % 6] for n in (0, 1, -1))
    return turns(vector, (u - x, v - y)) >= 0 >= turns(vector, (s - x, t - y))


def beside(cell: GridCell, edge: int) -> GridCell:
    """The hex beyond an edge."""
    right, up = HEXES.ways[edge % 6]
    return cell[0] + right, cell[1] + up


def beyond(cell: GridCell, corner: int) -> GridCell:
    """The hex that the edge leads to which begins at a corner."""
    right, up = CORNERS[corner]
    return cell[0] + 3 * right, cell[1] + up


def way_out(cell: GridCell, point: Offset, line: Offset) -> tuple[int, bool]:
    """The number of the edge over which a line leaves a hex, or of the corner, and if it is one."""
    x, y = HEXES.middle(*cell)
    right, up = line
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


def place_at(board: Board, cell: GridCell) -> Symbol:
    """The place at a cell, or that there is none, for there the board ends."""
    place = board.cells.get(cell)
    if place is None and not board.is_rim(cell):
        raise GapError
    return place or OUTSIDE


# -- from a corner to a corner


class Part(NamedTuple):
    """A part of a line: from where to where, and through which place or between which two.

    Of two the first lies to the left.
    """

    low: Fraction
    high: Fraction
    cells: tuple[GridCell, ...]


def corners_met(board: Board, start: Beginning, end: Beginning) -> list[Symbol]:
    """What a line from a corner to a corner meets."""
    line = stretches(board, start, end) if start.point != end.point else []
    on_squares = board.lattice is SQUARES
    if not on_squares and line:  # what begins or ends along an edge of its place does so in it
        ends = {0: start.place, len(line) - 1: end.place}
        for number, place in ends.items() if len(line) > 1 else ():
            if board.coordinates[place] in line[number].cells:
                line[number] = line[number]._replace(cells=(board.coordinates[place],))
    items: list[Symbol] = []
    for number, part in enumerate(line):
        here = places_of(board, part.cells)
        before = line[number - 1] if number else None
        if len(here) == 1:
            if before is not None and len(before.cells) == 1:
                items += stepped(board, before.cells[0], part.cells[0], start.point, end.point)
            if here[0] not in (start.place, end.place, OUTSIDE):
                items.append(Function("cell", here))
        elif on_squares:
            if before is not None:
                items.append(Function("point", [*places_of(board, before.cells), *here]))
            items.append(Function("along", here))
        else:
            after = line[number + 1] if number + 1 < len(line) else None
            (one,) = places_of(board, before.cells) if before else [START]
            (other,) = places_of(board, after.cells) if after else [END]
            items.append(Function("corner", [one, other, *here]))
    return items


def places_of(board: Board, cells: tuple[GridCell, ...]) -> list[Symbol]:
    """The place that a stretch lies in, or the two between which it lies: of these one may be
    missing, where the board ends."""
    if len(cells) > 1:
        places = [board.cells.get(cell, OUTSIDE) for cell in cells]
        if all(place == OUTSIDE for place in places):
            raise GapError
        return places
    if board.lattice is SQUARES and cells[0] not in board.cells:
        raise GapError
    return [place_at(board, cells[0])]


def stepped(
    board: Board, cell: GridCell, other: GridCell, start: Offset, end: Offset
) -> list[Symbol]:
    """How a line between two points passes from one place into another."""
    here, there = places_of(board, (cell,)) + places_of(board, (other,))
    line = (end[0] - start[0], end[1] - start[1])
    lattice = board.lattice
    shared = [p for p in lattice.outline(*cell) if p in lattice.outline(*other)]
    if lattice is SQUARES and len(shared) == 1:
        sides = [at for at in ((other[0], cell[1]), (cell[0], other[1])) if at in board.cells]
        if len(sides) < 2:
            raise GapError
        return [Function("corner", [here, there, *(board.cells[at] for at in sides)])]
    through = [p for p in shared if not turns(line, (p[0] - start[0], p[1] - start[1]))]
    if through:  # a corner of hexes, where a third one lies
        cells = [(cell[0] + right, cell[1] + up) for right, up in lattice.ways]
        (third,) = (at for at in cells if at != other and through[0] in lattice.outline(*at))
        x, y = lattice.middle(*third)
        flanks = [board.cells.get(third, OUTSIDE), EDGE]
        to_left = turns(line, (x - start[0], y - start[1])) > 0
        return [Function("corner", [here, there, *(flanks if to_left else reversed(flanks))])]
    if OUTSIDE in (here, there):
        return []
    if there not in board.joined[here]:
        raise GapError
    return [Function("join", [here, there])]


def stretches(board: Board, start: Beginning, end: Beginning) -> list[Part]:
    """The parts into which the places of a board, and those beyond its rim, cut a line."""
    inside: list[Part] = []
    along: dict[tuple[Fraction, Fraction], dict[bool, GridCell]] = {}
    for cell in cells_near(board, start, end):
        part = cut_out(board.lattice.outline(*cell), start.point, end.point)
        if part is None:
            continue
        low, high, leftward = part
        if leftward is None:
            inside.append(Part(low, high, (cell,)))
        else:
            along.setdefault((low, high), {})[leftward] = cell
    return sorted([*inside, *(Part(*ends, (two[True], two[False])) for ends, two in along.items())])


def cells_near(board: Board, start: Beginning, end: Beginning) -> Iterator[GridCell]:
    """The cells that a line may come through or along, row by row."""
    lattice, (wide, high) = board.lattice, board.lattice.scale
    (x, y), (u, v) = start.point, end.point
    parity = sum(board.coordinates[start.place]) % lattice.width
    for row in range(min(y, v) // high - 1, max(y, v) // high + 2):
        middle = lattice.middle(0, row)[1]
        low, top = max(min(y, v), middle - high), min(max(y, v), middle + high)
        if low > top:
            continue
        ends = (x, u) if y == v else [x + Fraction((u - x) * (at - y), v - y) for at in (low, top)]
        first, last = int(min(ends)) // wide - lattice.width, int(max(ends)) // wide + lattice.width
        for column in range(first - 1, last + 2):
            if (column + row) % lattice.width == parity:
                yield column, row


def cut_out(
    outline: list[Offset], start: Offset, end: Offset
) -> tuple[Fraction, Fraction, bool | None] | None:
    """The part of a line in a place, as fractions of it, with the side of the line on which the
    place is, if the line runs along an edge of it: true for the left. None, if there is no part."""
    line = (end[0] - start[0], end[1] - start[1])
    low, high, leftward = Fraction(0), Fraction(1), None
    for (x, y), (u, v) in pairwise([*outline, outline[0]]):
        edge = (u - x, v - y)
        out, more = turns(edge, (start[0] - x, start[1] - y)), turns(edge, line)
        if not more:
            if out > 0:
                return None
            if not out:  # the place is to the right of its edges
                leftward = edge[0] * line[0] + edge[1] * line[1] < 0
        elif more > 0:
            high = min(high, Fraction(-out, more))
        else:
            low = max(low, Fraction(-out, more))
    return (low, high, leftward) if low < high else None
