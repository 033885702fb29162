"""How far bodies are from one another: discs, polygons and walls, in whole numbers."""

from __future__ import annotations

from itertools import chain, product
from math import isqrt

from pymorph.board.lengths.exact import against, parts
from pymorph.board.lengths.shapes import (
    Disc,
    Point,
    Polygon,
    Side,
    Solid,
    Wall,
    ceil_root,
    sides_of,
)

Ratio = tuple[int, int]  # of the square of a distance, its lower number above 0


def gap(one: Solid, other: Solid) -> int:
    """The gap between two bodies, rounded up; 0 if it is below one unit, which is contact."""
    over, under = _square(one, other)
    radii = sum(body.r for body in (one, other) if isinstance(body, Disc))
    if over < (radii + 1) ** 2 * under:
        return 0
    return ceil_root(-(-over // under)) - radii


def is_whole(one: Solid, other: Solid) -> bool:
    """Is the gap between two bodies a whole number of units as it is?"""
    over, under = _square(one, other)
    return over % under == 0 and isqrt(over // under) ** 2 == over // under


def overlap(one: Solid, other: Solid) -> bool:
    """Do two bases overlap by more than one unit, be they discs or squares along the table?

    Of any other polygon the inside is enough, and nothing overlaps a wall but a base.
    """
    if isinstance(one, Disc) and isinstance(other, Disc):
        return against(other, one[:2], one[:2], one.r - 1) < 0 < one.r + other.r - 1
    if isinstance(one, Disc):
        return against(other, one[:2], one[:2], max(one.r - 1, 0)) < 0
    if isinstance(other, Disc):
        return overlap(other, one)
    if isinstance(one, Wall) or isinstance(other, Wall):
        return False
    if not (is_square(one) and is_square(other)):
        return any(beside(side, one, other) for side in sides_of(one) + sides_of(other))
    deep = []
    for axis in (0, 1):
        ends = [sorted(corner[axis] for corner in square) for square in (one, other)]
        deep.append(min(ends[0][-1] - ends[1][0], ends[1][-1] - ends[0][0]))
    return min(deep) > 1


def beside(side: Side, one: Polygon, other: Polygon) -> bool:
    """Have two polygons some inside in common, on the same side of a line?"""
    return any(
        max(mine.low, theirs.low) < min(mine.high, theirs.high)
        and ((mine.left and theirs.left) or (mine.right and theirs.right))
        for mine, theirs in product(parts(*side, one), parts(*side, other))
    )


def is_square(corners: Polygon) -> bool:
    """Is a polygon a square along the table, its corners as `square` has them?"""
    (x, y), (u, w) = corners[0], corners[2]
    return corners == ((x, y), (u, y), (u, w), (x, w)) and u - x == w - y


def _square(one: Solid, other: Solid) -> Ratio:
    """The square of the distance between bodies, a disc being its centre."""
    sides = [_sides(one), _sides(other)]
    for mine, shape in ((sides[0], other), (sides[1], one)):
        if not isinstance(shape, Disc) and any(parts(*side, shape) for side in mine):
            return 0, 1
    best = 1, 0
    for mine, theirs in (sides, sides[::-1]):
        for point, line in product({*chain(*mine)}, theirs):
            ratio = from_line(point, *line)
            best = ratio if ratio[0] * best[1] < best[0] * ratio[1] or not best[1] else best
    return best


def _sides(body: Solid) -> list[Side]:
    """The sides of a body, or the centre of a disc, as a line that ends where it starts."""
    return [(body[:2], body[:2])] if isinstance(body, Disc) else sides_of(body)


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
