"""What a line or a base on its way meets on a table, in order, and how long a path is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key
from itertools import pairwise
from math import isqrt, sqrt
from typing import NamedTuple

from pymorph.board.lengths.exact import KINDS, CrossingKind, Where, against, along, near, over
from pymorph.board.lengths.quadratic import sign_of, sign_of_roots
from pymorph.board.lengths.shapes import Disc, Point, Polygon, Wall, checked

Crossing = tuple[int, int, int]  # (a, b, c) is (a - √b) / c of a line, c above 0

# A line or a base on its way, past many bodies


class Body(NamedTuple):
    """A disc, polygon or wall in its bounding box, which rules most of them out at a glance."""

    x0: int
    y0: int
    x1: int
    y1: int
    shape: Disc | Polygon | Wall


class Meeting(NamedTuple):
    """What is met: the number of a body in the order given, and how."""

    body: int
    kind: CrossingKind


def boxed(shape: Disc | Polygon | Wall) -> Body:
    """A shape in its box. Raises: ValueError as `checked` does."""
    checked(shape)
    if isinstance(shape, Disc):
        x, y, r = shape
        return Body(x - r, y - r, x + r, y + r, shape)
    xs, ys = zip(*(shape.points if isinstance(shape, Wall) else shape), strict=True)
    return Body(min(xs), min(ys), max(xs), max(ys), shape)


def crossed(start: Point, end: Point, bodies: Sequence[Body]) -> tuple[Meeting, ...]:
    """What a line meets, in the order in which it does; at one point, in the order of the bodies.

    A body that is crossed stands where the line enters it; one that is touched first, and crossed
    further on, stands twice. So a reading to which touching is nothing drops what `touches`, and
    one to which it is as good as crossing takes each body where it first stands.
    """
    entries = [
        entry
        for number, shape in nearby(start, end, 0, bodies)
        for entry in _entries(start, end, number, shape)
    ]
    if len(entries) > 1:
        entries.sort(key=cmp_to_key(_sooner))
    return tuple([meeting for _, meeting in entries])


def _entries(
    start: Point, end: Point, number: int, shape: Disc | Polygon | Wall
) -> list[tuple[Crossing, Meeting]]:
    """Where a line meets the shape of that number, touching it first and entering it then."""
    if isinstance(shape, Disc):
        kind = KINDS[near(start, end, shape[:2], shape.r)]
        return [] if kind == "clear" else [(_into(start, end, shape), Meeting(number, kind))]
    meeting, entering = (
        over(start, end, shape.points) if isinstance(shape, Wall) else along(start, end, shape)
    )
    entries: list[tuple[Crossing, Meeting]] = []
    if meeting is not None:
        if entering is None or meeting[0] * entering[1] < entering[0] * meeting[1]:
            entries.append((_entry(meeting), Meeting(number, "touches")))
        if entering is not None:
            entries.append((_entry(entering), Meeting(number, "crosses")))
    return entries


def part_before(
    start: Point, end: Point, shape: Disc | Polygon | Wall, touching: bool = False
) -> float:
    """About which part of a line comes before it enters a shape, or before it touches it.

    It is for pictures, and 1 where the line does not meet the shape.
    """
    span = (end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2
    entries = [entry for entry, _ in _entries(start, end, 0, shape)]
    if not span or not entries:
        return 1.0
    a, b, c = entries[0 if touching else -1]
    return max(0.0, (a - sqrt(b)) / c / span)


def swept(start: Point, end: Point, radius: int, bodies: Sequence[Body]) -> tuple[Meeting, ...]:
    """Which bodies a disc meets on its way, in the order in which they are given; see `meets`."""
    meetings = (
        Meeting(number, KINDS[against(shape, start, end, radius)])
        for number, shape in nearby(start, end, radius, bodies)
    )
    return tuple([meeting for meeting in meetings if meeting.kind != "clear"])


def nearby(
    start: Point, end: Point, radius: int, bodies: Sequence[Body]
) -> list[tuple[int, Disc | Polygon | Wall]]:
    """The bodies that a way may meet, going by their boxes: as high, as wide, and not beside it."""
    (ax, ay), (bx, by) = start, end
    x0, x1 = (ax - radius, bx + radius) if ax < bx else (bx - radius, ax + radius)
    y0, y1 = (ay - radius, by + radius) if ay < by else (by - radius, ay + radius)
    dx, dy, twice_x, twice_y = bx - ax, by - ay, 2 * ax, 2 * ay
    wide, high = abs(dx), abs(dy)
    margin = 2 * radius * (wide + high)
    return [
        (number, shape)
        for number, (left, low, right, top, shape) in enumerate(bodies)
        if left <= x1
        and right >= x0
        and low <= y1
        and top >= y0
        and abs(dx * (low + top - twice_y) - dy * (left + right - twice_x))
        <= wide * (top - low) + high * (right - left) + margin
    ]


def _into(start: Point, end: Point, disc: Disc) -> Crossing:
    """Where a line first meets a disc that it does meet; dx² + dy² is its end."""
    dx, dy, ex, ey = end[0] - start[0], end[1] - start[1], disc.x - start[0], disc.y - start[1]
    if ex * ex + ey * ey <= disc.r * disc.r:
        return 0, 0, 1
    beside = dx * ey - dy * ex
    return dx * ex + dy * ey, disc.r * disc.r * (dx * dx + dy * dy) - beside * beside, 1


def _entry(where: Where) -> Crossing:
    """The same of a polygon, the corners of which are whole."""
    over, under = where
    assert isinstance(over, int)
    assert isinstance(under, int)
    return over, 0, under


def _sooner(one: tuple[Crossing, Meeting], other: tuple[Crossing, Meeting]) -> int:
    """The sign of one entry less another."""
    (a, b, c), (d, e, f) = one[0], other[0]
    return sign_of_roots(a * f - d * c, b * f * f, e * c * c)


# The length of a path


def length(path: Sequence[Point]) -> tuple[int, bool]:
    """The whole units in the length of a path along these points, and whether more is left over.

    The legs whose squares are square numbers add up exactly. Of any others the sum is no whole
    number, nor ever makes one: joined by the square-free parts k of their squares they are a sum of
    c√k with each c above 0, and roots of different square-free numbers are independent over the
    fractions (Besicovitch, 1940), so none of them cancels. It is therefore enough to double the
    digits until the whole units are decided.
    """
    squares = [(x - v) ** 2 + (y - w) ** 2 for (v, w), (x, y) in pairwise(path)]
    slanted = [n for n in squares if isqrt(n) ** 2 != n]
    units = sum(isqrt(n) for n in squares if isqrt(n) ** 2 == n)
    digits = 16
    while slanted:
        least = sum(isqrt(n << 2 * digits) for n in slanted)  # less than one each from the truth
        if least >> digits == least + len(slanted) - 1 >> digits:
            return units + (least >> digits), True
        digits *= 2
    return units, False


def compare_length(path: Sequence[Point], limit: int) -> int:
    """1 if a path is longer than *limit*, 0 if it is as long, -1 if it is shorter."""
    units, more = length(path)
    return sign_of(units - limit) or int(more)
