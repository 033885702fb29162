"""Shapes on a table in lengths: bases, templates, pieces of terrain.

All numbers are whole: lengths in one unit, which a ruleset declares, and vectors, whose own length
does not matter. What does not end at whole points is rounded once, where a shape is made. A polygon
is a tuple of three points or more, in either sense; its sides meet at its corners and nowhere else.
The border of a shape belongs to it.
"""

from __future__ import annotations

from itertools import pairwise
from math import isqrt
from typing import NamedTuple

Point = tuple[int, int]
Polygon = tuple[Point, ...]


class Disc(NamedTuple):
    """A round base, or all within *r* of a point."""

    x: int
    y: int
    r: int


class HalfDisc(NamedTuple):
    """All within *r* of a point and not behind it, as one sees that faces along *fx*, *fy*."""

    x: int
    y: int
    r: int
    fx: int
    fy: int


class HalfPlane(NamedTuple):
    """All that is not behind a point, as one sees that faces along *fx*, *fy*."""

    x: int
    y: int
    fx: int
    fy: int


class Wall(NamedTuple):
    """A line from point to point, which has no inside; it is closed, if it ends where it begins."""

    points: tuple[Point, ...]


Solid = Disc | Polygon | Wall
Shape = Disc | HalfDisc | HalfPlane | Polygon
Side = tuple[Point, Point]


def sides_of(shape: Polygon | Wall) -> list[Side]:
    """The sides of a polygon, or the parts of a wall from point to point."""
    return list(pairwise(points_of(shape)))


def points_of(shape: Polygon | Wall) -> tuple[Point, ...]:
    """The points of a wall, or the corners of a polygon and the first of them once more."""
    return shape.points if isinstance(shape, Wall) else (*shape, shape[0])


def cone(apex: Point, facing: Point, length: int, width: int, shift: int = 0) -> Polygon:
    """A cone as it lies on the table: *width* wide *length* away from its apex, square to a facing.

    The far end is moved *shift* to the left, or to the right, if negative. Its corners are rounded
    to whole units.
    """
    ends = (2 * shift - width, 2 * shift + width)
    return (apex, *(moved(apex, facing, 2 * length, left) for left in ends))


def moved(point: Point, facing: Point, ahead: int, left: int = 0) -> Point:
    """The whole point nearest to where one comes by so many half units ahead, and to the left."""
    (fx, fy), square = facing, facing[0] ** 2 + facing[1] ** 2
    x, y = (
        (1 if way > 0 else -1) * ((isqrt(way * way // square) + 1) // 2)
        for way in (ahead * fx - left * fy, ahead * fy + left * fx)
    )
    return point[0] + x, point[1] + y


def ceil_root(number: int) -> int:
    """The square root of a whole number, rounded up."""
    return isqrt(number - 1) + 1 if number else 0
