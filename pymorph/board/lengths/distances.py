"""How far bodies are from one another: discs, polygons and walls, in whole numbers."""

from __future__ import annotations

from itertools import pairwise
from math import isqrt

from pymorph.board.lengths import exact
from pymorph.board.lengths.outlines import around, meet, same
from pymorph.board.lengths.shapes import (
    Disc,
    Point,
    Polygon,
    Wall,
)

Solid = Disc | Polygon | Wall
Ratio = tuple[int, int]  # of the square of a distance, its lower number above 0


def gap(one: Solid, other: Solid) -> int:
    """The gap between two bodies, rounded up; 0 if it is below one unit, which is contact."""
    over, under = _square(one, other)
    radii = sum(body.r for body in (one, other) if isinstance(body, Disc))
    if over < (radii + 1) ** 2 * under:
        return 0
    return isqrt(-(-over // under) - 1) + 1 - radii


def is_whole(one: Solid, other: Solid) -> bool:
    """Is the gap between two bodies a whole number of units as it is?"""
    over, under = _square(one, other)
    return over % under == 0 and isqrt(over // under) ** 2 == over // under


def overlap(one: Solid, other: Solid) -> bool:
    """Do two bases overlap by more than one unit, be they discs or squares along the table?

    Of any other polygon the inside is enough, and nothing overlaps a wall but a base.
    """
    if isinstance(one, Disc) and isinstance(other, Disc):
        return exact.overlap(one, other)
    if isinstance(one, Disc):
        centre = (one.x, one.y)
        return exact.meets(centre, centre, max(one.r - 1, 0), other) == "crosses"
    if isinstance(other, Disc):
        return overlap(other, one)
    if isinstance(one, Wall) or isinstance(other, Wall):
        return False
    if not (is_square(one) and is_square(other)):
        across = any(exact.meets(*side, 0, other) == "crosses" for side in around(one))
        back = any(exact.meets(*side, 0, one) == "crosses" for side in around(other))
        return across or back or same(one, other)
    deep = []
    for axis in (0, 1):
        ends = [sorted(corner[axis] for corner in square) for square in (one, other)]
        deep.append(min(ends[0][-1] - ends[1][0], ends[1][-1] - ends[0][0]))
    return min(deep) > 1


def is_square(corners: Polygon) -> bool:
    """Is a polygon a square along the table, its corners as `square` has them?"""
    (x, y), (u, w) = corners[0], corners[2]
    return corners == ((x, y), (u, y), (u, w), (x, w)) and u - x == w - y


def _square(one: Solid, other: Solid) -> Ratio:
    """The square of the distance between bodies, a disc being its centre."""
    outlines = [_outline(one), _outline(other)]
    for points, shape in ((outlines[0], other), (outlines[1], one)):
        solid = not isinstance(shape, Disc | Wall)
        if solid and exact.meets(points[0], points[0], 0, shape) != "clear":
            return 0, 1
    sides = [list(pairwise(points)) or [(points[0], points[0])] for points in outlines]
    if any(meet(side, other) for side in sides[0] for other in sides[1]):
        return 0, 1
    best = 1, 0
    for points, lines in ((outlines[0], sides[1]), (outlines[1], sides[0])):
        for point in points:
            for line in lines:
                ratio = from_line(point, *line)
                best = ratio if ratio[0] * best[1] < best[0] * ratio[1] or not best[1] else best
    return best


def _outline(body: Solid) -> tuple[Point, ...]:
    """The centre of a disc, the points of a wall, or the corners of a polygon all around."""
    if isinstance(body, Disc):
        return ((body.x, body.y),)
    return body.points if isinstance(body, Wall) else (*body, body[0])


def from_line(point: Point, start: Point, end: Point) -> Ratio:
    """The square of a point's distance from a line."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    ex, ey = point[0] - start[0], point[1] - start[1]
    along, square = dx * ex + dy * ey, dx * dx + dy * dy
    if along <= 0:
        return ex * ex + ey * ey, 1
    if along >= square:
        return (ex - dx) ** 2 + (ey - dy) ** 2, 1
    return (dx * ey - dy * ex) ** 2, square
