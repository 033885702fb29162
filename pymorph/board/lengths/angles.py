"""How far two directions differ, and how far a point lies beside a line."""

from __future__ import annotations

from pymorph.board.lengths.shapes import Point, ceil_root


def angle(vector: Point, other: Point) -> int:
    """The angle between two vectors, as 0 to 8: even for 0, 45, 90, 135 or 180 degrees exactly.

    What is odd lies between two of these.
    """
    ahead = vector[0] * other[0] + vector[1] * other[1]
    across = abs(vector[0] * other[1] - vector[1] * other[0])
    eighth = 0 if not across else 2 if across == abs(ahead) else 1 if across < abs(ahead) else 3
    if not ahead:
        return 4
    return eighth if ahead > 0 else 8 - eighth


def off(point: Point, start: Point, vector: Point) -> int:
    """How far a point is off a line through *start* along *vector*, rounded up to a whole unit."""
    across = vector[0] * (point[1] - start[1]) - vector[1] * (point[0] - start[0])
    square = vector[0] * vector[0] + vector[1] * vector[1]
    # The least n whose square, n² times that of the vector, is no less than that across.
    return ceil_root(-(-across * across // square))
