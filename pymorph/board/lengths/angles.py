"""How far two directions differ, and how far a point lies beside a line."""

from __future__ import annotations

from math import isqrt

from pymorph.board.lengths.shapes import Point


def angle(way: Point, other: Point) -> int:
    """The angle between two vectors, as 0 to 8: even for 0, 45, 90, 135 or 180 degrees exactly.

    What is odd lies between two of these. Raises: ValueError for a vector of no length.
    """
    if (0, 0) in (way, other):
        raise ValueError("a vector of length 0 has no direction")
    ahead = way[0] * other[0] + way[1] * other[1]
    across = abs(way[0] * other[1] - way[1] * other[0])
    eighth = 0 if not across else 2 if across == abs(ahead) else 1 if across < abs(ahead) else 3
    if not ahead:
        return 4
    return eighth if ahead > 0 else 8 - eighth


def off(point: Point, start: Point, way: Point) -> int:
    """How far a point is off a line through *start* along *way*, rounded up to a whole unit.

    Raises: ValueError for a vector of no length.
    """
    if way == (0, 0):
        raise ValueError("a vector of length 0 has no direction")
    across = way[0] * (point[1] - start[1]) - way[1] * (point[0] - start[0])
    square = way[0] * way[0] + way[1] * way[1]
    # The least n whose square, n² times that of the vector, is no less than that across.
    least = -(-across * across // square)
    return isqrt(least - 1) + 1 if least else 0
