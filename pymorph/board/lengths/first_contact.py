"""Where a base on its way first comes within reach of another, and what is so far along a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from math import isqrt

from pymorph.board.lengths import distances, unions
from pymorph.board.lengths.exact import sign_of
from pymorph.board.lengths.shapes import Disc, Point, Polygon, Wall, moved, points_of

NEAR = range(-3, 4)  # steps around a change, for whole points lie beside the line


def toward(start: Point, end: Point, units: int) -> Point:
    """The whole point nearest to where a line has gone so far; its end, if that is nearer."""
    vector = end[0] - start[0], end[1] - start[1]
    if units * units >= vector[0] ** 2 + vector[1] ** 2:
        return end
    return moved(start, vector, 2 * units)


def step_on(start: Point, end: Point, step: int) -> Point:
    """The whole point nearest to a line after so many steps; of two, that nearer the start."""
    vector = end[0] - start[0], end[1] - start[1]
    steps = max(map(abs, vector)) or 1
    x, y = (sign_of(d) * ((2 * step * abs(d) + steps - 1) // (2 * steps)) for d in vector)
    return start[0] + x, start[1] + y


def first_within(
    start: Point,
    end: Point,
    radius: int,
    body: Disc,
    limit: int,
    facing: Point | None = None,
    screens: Sequence[Polygon | Wall] = (),
) -> Point | None:
    """The first whole point of a way at which a round base is no farther from another than a limit.

    With a *facing* the middle of the base is not behind the other, and no line between the two
    middles crosses the *screens*, as the one shape that those are which share a point. The start
    itself does not count. What changes along the way is worked out, and whole points around each
    change are tried in order.
    """
    vector = end[0] - start[0], end[1] - start[1]
    fx, fy = facing or (0, 0)

    def is_within(point: Point) -> bool:
        if distances.gap(Disc(*point, radius), body) > limit:
            return False
        if fx * (point[0] - body.x) + fy * (point[1] - body.y) < 0:
            return False
        return not unions.over((body.x, body.y), point, dict(enumerate(screens)))

    changes = _changes(start, vector, body, radius + body.r + limit, (fx, fy), screens)
    return next(filter(is_within, _points_around(start, end, changes)), None)


def _points_around(start: Point, end: Point, changes: Iterable[tuple[int, int]]) -> Iterator[Point]:
    """The whole points of a way around some parts of it, in order; its start is none of them."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    numbers = {steps * over // under + n for over, under in changes for n in NEAR}
    return (step_on(start, end, step) for step in sorted(numbers) if 0 < step <= steps)


def _changes(
    start: Point,
    vector: Point,
    body: Disc,
    reach: int,
    facing: Point,
    screens: Sequence[Polygon | Wall],
) -> Iterator[tuple[int, int]]:
    """The parts of a way after which something changes, as fractions whose lower number is above 0.

    They are the start, where it comes nearest and within reach, where it comes before the other,
    and where a corner of a screen stands in line with it.
    """
    (dx, dy), ex, ey = vector, body.x - start[0], body.y - start[1]
    square, nearest = dx * dx + dy * dy, dx * ex + dy * ey
    yield 0, 1
    if not square:
        return
    yield nearest, square
    inside = nearest * nearest - square * (ex * ex + ey * ey - reach * reach)
    if inside >= 0:
        yield nearest - isqrt(inside), square
    across = facing[0] * dx + facing[1] * dy
    if across:
        yield _above(facing[0] * ex + facing[1] * ey, across)
    for x, y in chain.from_iterable(map(points_of, screens)):
        u, v = x - body.x, y - body.y
        turning = dx * v - dy * u
        if turning:
            yield _above(ex * v - ey * u, turning)


def _above(over: int, under: int) -> tuple[int, int]:
    return (over, under) if under > 0 else (-over, -under)


def turns_in_view(
    start: Point, end: Point, eye: Point, screens: Sequence[Polygon | Wall]
) -> list[Point]:
    """The whole points of a way around which what stands between it and an eye may change.

    They come in the order of the way: those after its start, around each place where a corner of a
    screen stands in line with the eye or the way goes over a side of one, and its end. Where a way
    runs along such a line, within a unit of it, whole points on both sides of it may be left out.
    """
    if start == end:
        return []
    vector = end[0] - start[0], end[1] - start[1]
    changes = [(0, 1), *_crossed_views(start, vector, eye, screens)]
    points = list(_points_around(start, end, changes))
    return points if points[-1] == end else [*points, end]


def _crossed_views(
    start: Point, vector: Point, eye: Point, screens: Sequence[Polygon | Wall]
) -> Iterator[tuple[int, int]]:
    """The parts of a way where a corner comes in line with the eye, or a side is gone over.

    A corner does so only if it lies within a unit of the triangle of the eye and the way.
    """
    (dx, dy), ex, ey = vector, eye[0] - start[0], eye[1] - start[1]
    high, slack = dx * ey - dy * ex, abs(dx) + abs(dy)
    for screen in screens:
        apart = [(x - start[0], y - start[1]) for x, y in points_of(screen)]
        for x, y in apart:
            up = (dx * y - dy * x) * (1 if high >= 0 else -1)
            if not high:
                yield dx * x + dy * y, dx * dx + dy * dy
            elif -slack <= up < abs(high):
                yield _above(ex * (y - ey) - ey * (x - ex), dx * (y - ey) - dy * (x - ex))
        for (x, y), (u, v) in pairwise(apart):
            one, other = dx * y - dy * x, dx * v - dy * u
            if one != other and min(one, other) <= slack and max(one, other) >= -slack:
                yield _above(x * (v - y) - y * (u - x), other - one)
