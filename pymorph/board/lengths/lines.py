"""What a line or a base on its way meets on a table, in order, and how long a path is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isqrt
from operator import itemgetter
from typing import NamedTuple

from pymorph.board.lengths.exact import (
    KINDS,
    CrossingKind,
    against,
    end_of,
    into,
    near,
    parts,
    sign_of,
)
from pymorph.board.lengths.shapes import Disc, Point, Solid, Wall

# A line or a base on its way, past many bodies


class Body(NamedTuple):
    """A disc, polygon or wall in its bounding box, which rules most of them out at a glance."""

    x0: int
    y0: int
    x1: int
    y1: int
    shape: Solid


class Meeting(NamedTuple):
    """What is met: the number of a body in the order given, and how."""

    body: int
    kind: CrossingKind


def boxed(shape: Solid) -> Body:
    """A shape in its box."""
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
        (at, Meeting(number, kind))
        for number, shape in nearby(start, end, 0, bodies)
        for at, kind in _entries(start, end, shape)
    ]
    entries.sort(key=itemgetter(0))
    return tuple([meeting for _, meeting in entries])


def _entries(start: Point, end: Point, shape: Solid) -> list[tuple[int, CrossingKind]]:
    """Where a line meets a shape, touching it first and entering it then."""
    if isinstance(shape, Disc):
        kind = KINDS[near(start, end, shape[:2], shape.r)]
        return [] if kind == "clear" else [(into(start, end, shape), kind)]
    on_line = parts(start, end, shape)
    entries: list[tuple[int, CrossingKind]] = [(part.low, "touches") for part in on_line[:1]]
    entering = next((part.low for part in on_line if part.crosses), None)
    if entering is None:
        return entries
    return [*(entry for entry in entries if entry[0] < entering), (entering, "crosses")]


def part_before(start: Point, end: Point, shape: Solid, touching: bool = False) -> float:
    """About which part of a line comes before it enters a shape, or before it touches it.

    It is for pictures, and 1 where the line does not meet the shape.
    """
    entries = _entries(start, end, shape)
    if start == end or not entries:
        return 1.0
    return entries[0 if touching else -1][0] / end_of(start, end)


def swept(start: Point, end: Point, radius: int, bodies: Sequence[Body]) -> tuple[Meeting, ...]:
    """Which bodies a disc meets on its way, in the order in which they are given; see `meets`."""
    meetings = (
        Meeting(number, KINDS[against(shape, start, end, radius)])
        for number, shape in nearby(start, end, radius, bodies)
    )
    return tuple([meeting for meeting in meetings if meeting.kind != "clear"])


def nearby(
    start: Point, end: Point, radius: int, bodies: Sequence[Body]
) -> list[tuple[int, Solid]]:
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


def box_pairs(bodies: Sequence[Body]) -> Iterator[tuple[int, int]]:
    """The numbers of any two bodies whose boxes meet, looked for from left to right."""
    going: list[int] = []
    for number in sorted(range(len(bodies)), key=lambda n: bodies[n].x0):
        left, low, _, top, _ = bodies[number]
        going = [n for n in going if bodies[n].x1 >= left]
        for n in going:
            if bodies[n].y0 <= top and bodies[n].y1 >= low:
                yield n, number
        going.append(number)


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
