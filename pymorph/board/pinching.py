"""Which pieces of terrain a line runs between where they meet: it touches each, past none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from pymorph.board.outlines import twice_area
from pymorph.board.shapes import Point, Polygon, Wall
from pymorph.board.surds import sign_of

Touch = tuple[int, int, int]  # from where to where along the line, and on which side of it


def pinched(start: Point, end: Point, shapes: Sequence[Polygon | Wall]) -> set[int]:
    """The numbers of the shapes that touch a line at one point, one from the left, one from the
    right."""
    rows = [list(touches(start, end, shape)) for shape in shapes]
    found: set[int] = set()
    for one, other in combinations(range(len(rows)), 2):
        if any(
            a * b < 0 and max(low, down) <= min(high, top)
            for low, high, a in rows[one]
            for down, top, b in rows[other]
        ):
            found |= {one, other}
    return found


def touches(start: Point, end: Point, shape: Polygon | Wall) -> Iterator[Touch]:
    """Where a shape touches a line, measured along it, and whether it lies to the left, 1, or to
    the right, -1, there. A wall along the line has no side."""
    (x, y), dx, dy = start, end[0] - start[0], end[1] - start[1]
    span = dx * dx + dy * dy
    wall = isinstance(shape, Wall)
    points = shape.points if isinstance(shape, Wall) else (*shape, shape[0])
    turn = 0 if wall else sign_of(twice_area(points[:-1]))
    seen = [(dx * (v - y) - dy * (u - x), dx * (u - x) + dy * (v - y)) for u, v in points]
    for (s, t), (other, far) in pairwise(seen):
        if not s and not other and not wall:
            low, high = max(0, min(t, far)), min(span, max(t, far))
            if low <= high:
                yield low, high, turn * sign_of(far - t)
        for beside, at, off in ((s, t, other), (other, far, s)):
            if not beside and off and 0 <= at <= span:
                yield at, at, sign_of(off)
