"""How a template lies over a body, in whole numbers: not at all, touching, partly, wholly."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key
from itertools import pairwise

from pymorph.board.lengths.exact import along, corners_of, covers, meets
from pymorph.board.lengths.outlines import around, same, sides_of
from pymorph.board.lengths.shapes import (
    Disc,
    HalfDisc,
    HalfPlane,
    Point,
    Polygon,
    Shape,
    Triangle,
    Wall,
    Wedge,
)


def cover(template: Shape, shape: Disc | Polygon | Wall) -> str:
    """How a template lies over a body: ``touched``, ``partly``, ``wholly``; nothing, if not."""
    if isinstance(shape, Disc):
        how = meets(shape[:2], shape[:2], shape.r, template)
        if how == "crosses" and covers(template, shape):
            return "wholly"
    elif isinstance(template, Disc):
        how = meets(template[:2], template[:2], template.r, shape)
        if how == "crosses" and reaches_round(template, shape):
            return "wholly"
    else:
        return cover_outline(template, shape)
    return {"clear": "", "touches": "touched", "crosses": "partly"}[how]


def cover_outline(template: Shape, shape: Polygon | Wall) -> str:
    """The same of a template with corners over what has corners as well.

    Where no side of one goes through the inside of the other, the two have no inside in common, or
    all of it.
    """
    sides = sides_of(shape)
    kinds = {meets(a, b, 0, template) for a, b in sides}
    crosses, how = "crosses" in kinds, ""
    if isinstance(template, Disc | HalfDisc | HalfPlane | Triangle | Wall | Wedge):
        if isinstance(shape, Wall):
            how = "partly" if crosses else ""
        elif crosses or lies_in(template, shape):
            how = "partly"
        if (how or not isinstance(shape, Wall)) and reaches_round(template, shape):
            how = "wholly"
    elif isinstance(shape, Wall):
        if crosses:
            how = "wholly" if all(stays(a, b, template) for a, b in sides) else "partly"
    else:
        back = any(meets(a, b, 0, shape) == "crosses" for a, b in around(template))
        if back or crosses or same(template, shape):
            how = "partly" if back else "wholly"
    return how or ("touched" if "touches" in kinds else "")


def reaches_round(template: Shape, shape: Polygon | Wall) -> bool:
    """Does a template without a notch hold all of an outline?"""
    points = shape.points if isinstance(shape, Wall) else shape
    return all(meets(point, point, 0, template) != "clear" for point in points)


def lies_in(template: Shape, shape: Polygon) -> bool:
    """Does a template go through the inside of a polygon, none of whose sides goes through its own?

    What has no end does not.
    """
    if isinstance(template, HalfDisc):  # a little ahead of its middle it has its inside
        x, y, _, fx, fy = template
        k = abs(fx) + abs(fy)
        ahead = (x * k + fx, y * k + fy)
        return along((x * k, y * k), ahead, stretched(shape, k))[1] is not None
    if isinstance(template, Triangle):
        k, corners = corners_of(template)
        ends = pairwise((*corners, corners[0]))
        return any(along(a, b, stretched(shape, k))[1] is not None for a, b in ends)
    return False


def stays(start: Point, end: Point, corners: Polygon) -> bool:
    """Does no part of a line leave a polygon? Asked in the middle of each that is between sides."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    span = dx * dx + dy * dy
    cuts = [(0, 1), (1, 1)]
    for one, other in around(corners):
        (v, s), (w, t) = (
            (dx * (x - start[0]) + dy * (y - start[1]), dx * (y - start[1]) - dy * (x - start[0]))
            for x, y in (one, other)
        )
        if s * t < 0:
            over, under = (w * s - v * t, s - t) if s > t else (v * t - w * s, t - s)
            cuts.append((over, under * span))
        elif s == 0:
            cuts.append((v, span))
    cuts = [(over, under) for over, under in cuts if 0 <= over <= under]
    cuts.sort(key=cmp_to_key(_later))
    for (over, under), (more, less) in pairwise(cuts):
        k, n = 2 * under * less, over * less + more * under
        spot = (start[0] * k + dx * n, start[1] * k + dy * n)
        if meets(spot, spot, 0, stretched(corners, k)) == "clear":
            return False
    return True


def _later(one: tuple[int, int], other: tuple[int, int]) -> int:
    return one[0] * other[1] - other[0] * one[1]


def stretched(corners: Sequence[Point], k: int) -> Polygon:
    return tuple((x * k, y * k) for x, y in corners)
