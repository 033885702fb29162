"""Shapes on a table in lengths: bases, templates, pieces of terrain.

All numbers are whole: lengths in one unit, which a ruleset declares, and vectors, whose own length
does not matter. A polygon is a tuple of three points or more, in either sense; its sides meet at
its corners and nowhere else. The border of a shape belongs to it.
"""

from __future__ import annotations

from itertools import pairwise
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


class Wedge(NamedTuple):
    """All between two rays from a point: less than half a turn to the left, from *right*."""

    x: int
    y: int
    right: Point
    left: Point


class Triangle(NamedTuple):
    """A cone as it lies on the table: *width* wide *length* away from its apex, square to a facing.

    The far end is moved *shift* to the left, or to the right, if negative.
    """

    x: int
    y: int
    length: int
    width: int
    fx: int
    fy: int
    shift: int = 0


class Wall(NamedTuple):
    """A line from point to point, which has no inside; it is closed, if it ends where it begins."""

    points: tuple[Point, ...]


Shape = Disc | HalfDisc | HalfPlane | Wedge | Triangle | Wall | Polygon


def checked(shape: Shape) -> Shape:
    """The shape itself. Raises: ValueError if it has no size or no facing."""
    match shape:
        case Disc(r=r):
            sound = r >= 0
        case HalfDisc(r=r, fx=fx, fy=fy):
            sound = r > 0 and (fx, fy) != (0, 0)
        case HalfPlane(fx=fx, fy=fy):
            sound = (fx, fy) != (0, 0)
        case Wedge(right=right, left=left):
            sound = right[0] * left[1] > right[1] * left[0]
        case Triangle(length=length, width=width, fx=fx, fy=fy):
            sound = length > 0 and width > 0 and (fx, fy) != (0, 0)
        case Wall(points=points):
            sound = len(points) >= 2 and all(a != b for a, b in pairwise(points))
        case _:
            sound = len(shape) >= 3
    if not sound:
        raise ValueError(f"not a valid shape: {shape}")
    return shape
