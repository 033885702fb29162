"""Exact questions about a table in lengths: whole numbers go in, verdicts come out.

Coordinates, radii and limits are whole numbers of one unit, which a ruleset declares. What needs a
square root is decided by squaring, so a verdict holds to the last unit on a table of any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from pymorph.board.lengths.length_units import FARTHEST
from pymorph.board.lengths.shapes import (
    Disc,
    HalfDisc,
    HalfPlane,
    Point,
    Polygon,
    Shape,
    Solid,
    Wall,
    ceil_root,
    points_of,
    sides_of,
)

CrossingKind = Literal["clear", "touches", "crosses"]
KINDS: dict[int, CrossingKind] = {1: "clear", 0: "touches", -1: "crosses"}
COVERS = {0: "touched", -1: "partly"}

# A place on a line is a whole number: its distance from the start, times the length of the line,
# with so many binary digits after the point, rounded down. No two places get one number: each is
# (a - √b) / c, where a, √b and c have less than 2n + 5 digits if coordinates have n. The product of
# a difference and its conjugates is a fraction, so no difference is below 2 ** -(6n + 15).
DIGITS = (FARTHEST**8).bit_length()


class LinePart(NamedTuple):
    """A part of a line that lies on shapes: from where to where, and on which sides these are
    there, within the line without its ends. *members* are their names, where it matters."""

    low: int
    high: int
    left: bool
    right: bool
    members: frozenset[Any] = frozenset()

    @property
    def crosses(self) -> bool:
        return self.left and self.right


def end_of(start: Point, end: Point) -> int:
    """Where a line ends."""
    return (end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2 << DIGITS


def parts(start: Point, end: Point, shape: Polygon | Wall) -> list[LinePart]:
    """The parts of a line that lie on a shape, in order.

    A line goes over a wall where this comes from one side of it and leaves to the other, be it past
    a stretch along the line. A line of no length is on both sides of itself inside an area.
    """
    (x, y), dx, dy = start, end[0] - start[0], end[1] - start[1]
    last = end_of(start, end)
    dx = dx or int(not last)
    offsets = [
        (dx * (v - y) - dy * (u - x), dx * (u - x) + dy * (v - y)) for u, v in points_of(shape)
    ]
    is_wall = isinstance(shape, Wall)
    on_line = [
        LinePart(max(low, 0), min(high, last), left and inside, right and inside)
        for low, high, left, right in (_on_wall if is_wall else _in_area)(offsets)
        if high >= 0 and low <= last
        for inside in [low < last and high > 0]
    ]
    return joined(on_line) if is_wall else on_line


Offsets = Sequence[tuple[int, int]]  # how far points are to the left of a line, and along it


def _on_wall(offsets: Offsets) -> Iterator[tuple[int, int, bool, bool]]:
    for (s, v), (t, w) in pairwise(offsets):
        if s * t < 0:
            at = _meeting(s, v, t, w)
            yield at, at, True, True
        elif s == t == 0:
            yield min(v, w) << DIGITS, max(v, w) << DIGITS, False, False
        elif s == 0 or t == 0:
            at = (w if s else v) << DIGITS
            yield at, at, s + t > 0, s + t < 0


def _in_area(offsets: Offsets) -> Iterator[tuple[int, int, bool, bool]]:
    """What is inside a hair to the left of the line, and a hair to its right, changes at a side."""
    changes: list[tuple[int, bool, bool]] = []
    for (s, v), (t, w) in pairwise(offsets):
        left, right = (s > 0) != (t > 0), (s < 0) != (t < 0)
        if left or right:
            changes.append((_meeting(s, v, t, w), left, right))
    changes.sort(key=itemgetter(0))
    is_left = is_right = False
    for (at, left, right), (after, *_) in pairwise(changes):
        is_left, is_right = is_left != left, is_right != right
        if is_left or is_right:
            yield at, after, is_left, is_right


def _meeting(s: int, v: int, t: int, w: int) -> int:
    """Where a side that reaches a line meets it; s and t differ."""
    return (w * s - v * t << DIGITS) // (s - t)


def joined(on_line: Iterable[LinePart]) -> list[LinePart]:
    """The same parts of a line, those that share a point as one."""
    merged: list[LinePart] = []
    for part in sorted(on_line, key=itemgetter(0, 1)):
        if merged and part.low <= merged[-1].high:
            last = merged.pop()
            part = LinePart(
                last.low,
                max(last.high, part.high),
                last.left or part.left,
                last.right or part.right,
                last.members | part.members,
            )
        merged.append(part)
    return merged


def into(start: Point, end: Point, disc: Disc) -> int:
    """Where a line first meets a disc that it does meet."""
    dx, dy, ex, ey = end[0] - start[0], end[1] - start[1], disc.x - start[0], disc.y - start[1]
    square = disc.r * disc.r
    if ex * ex + ey * ey <= square:
        return 0
    half = square * (dx * dx + dy * dy) - (dx * ey - dy * ex) ** 2
    return (dx * ex + dy * ey << DIGITS) - ceil_root(half << 2 * DIGITS)


# A disc on its way


def against(shape: Solid, start: Point, end: Point, radius: int) -> int:
    """The sign of the least distance of a way from a shape, less the radius; -1 if it goes inside.

    A line is a disc of radius 0, and a base that stands still starts where it ends.
    """
    if isinstance(shape, Disc):
        return near(start, end, shape[:2], shape.r + radius)
    on_line = parts(start, end, shape)
    if on_line:
        return -1 if radius or any(part.crosses for part in on_line) else 0
    # What does not meet is nearest at a corner of the shape or at an end of the way.
    corners = [near(start, end, corner, radius) for corner in points_of(shape)]
    ends = [near(*side, point, radius) for side in sides_of(shape) for point in (start, end)]
    return min(corners + ends)


def near(start: Point, end: Point, point: Point, limit: int) -> int:
    """The sign of a point's distance from a line, less a limit of at least 0."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    ex, ey = point[0] - start[0], point[1] - start[1]
    along, square = dx * ex + dy * ey, dx * dx + dy * dy
    if along <= 0:
        return sign_of(ex * ex + ey * ey - limit * limit)
    if along >= square:
        return sign_of((ex - dx) * (ex - dx) + (ey - dy) * (ey - dy) - limit * limit)
    beside = dx * ey - dy * ex
    return sign_of(beside * beside - limit * limit * square)


def turn(a: Point, b: Point, c: Point) -> int:
    """1 if c lies to the left of the line from a to b, -1 to the right, 0 on it."""
    return sign_of((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def sign_of(value: int) -> int:
    return (value > 0) - (value < 0)


# A template over a disc


def cover(template: Shape, disc: Disc) -> str:
    """How a template lies over a disc: ``touched``, ``partly``, ``wholly``; nothing, if not."""
    sign = over(template, disc)
    return "" if sign > 0 else "wholly" if sign and holds(template, disc) else COVERS[sign]


def over(template: Shape, disc: Disc) -> int:
    """The sign of a disc's distance from a template; -1 if this goes inside."""
    x, y, r = disc
    if not isinstance(template, HalfDisc | HalfPlane):
        return against(template, (x, y), (x, y), r)
    ahead, aside, square = _seen_from(template, x, y)
    if isinstance(template, HalfPlane):
        return -1 if ahead > 0 else sign_of(ahead * ahead - r * r * square)
    apart, radius = (x - template.x) ** 2 + (y - template.y) ** 2, template.r
    if ahead >= 0:
        sign = sign_of(apart - (radius + r) ** 2)
        return sign if ahead or r else max(sign, 0)
    if aside * aside <= radius * radius * square:  # beside the diameter, or else beyond its end
        return sign_of(ahead * ahead - r * r * square)
    more = apart + radius * radius - r * r
    return sign_of(more * abs(more) * square - (2 * radius * aside) ** 2)


def holds(template: Shape, disc: Disc) -> bool:
    """Does the whole disc lie in a template? It may touch the border from within."""
    x, y, r = disc
    match template:
        case Disc():
            apart = (x - template.x) ** 2 + (y - template.y) ** 2
            return r <= template.r and apart <= (template.r - r) ** 2
        case HalfPlane():
            ahead, _, square = _seen_from(template, x, y)
            return ahead >= 0 and ahead * ahead >= r * r * square
        case HalfDisc(tx, ty, radius, fx, fy):
            return holds(HalfPlane(tx, ty, fx, fy), disc) and holds(Disc(tx, ty, radius), disc)
    inside = bool(parts((x, y), (x, y), template))
    return inside and all(near(*side, (x, y), r) >= 0 for side in sides_of(template))


def _seen_from(template: HalfDisc | HalfPlane, x: int, y: int) -> tuple[int, int, int]:
    """How far a point is ahead, and aside, times the facing; and the square of this."""
    (fx, fy), u, v = (template.fx, template.fy), x - template.x, y - template.y
    return fx * u + fy * v, fx * v - fy * u, fx * fx + fy * fy
