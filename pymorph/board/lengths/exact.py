"""Exact questions about a table in lengths: whole numbers go in, verdicts come out.

Coordinates, radii and limits are whole numbers of one unit, which a ruleset declares. What needs a
square root is decided by squaring, so a verdict holds to the last unit on a table of any size.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key
from itertools import pairwise
from typing import Literal

from pymorph.board.lengths.quadratic import Number, root, sign_of
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
    checked,
)

CrossingKind = Literal["clear", "touches", "crosses"]
KINDS: dict[int, CrossingKind] = {1: "clear", 0: "touches", -1: "crosses"}

ExactPoint = tuple[Number, Number]
Where = tuple[Number, Number]  # a fraction of a line, its lower number above 0
SideChange = tuple[Number, Number, bool, bool]  # where, and on which sides of the line


# Discs among themselves


def overlap(one: Disc, other: Disc) -> bool:
    """Do two discs overlap by more than one unit, as no two bases may?"""
    least = one.r + other.r - 1
    return least > 0 and (one.x - other.x) ** 2 + (one.y - other.y) ** 2 < least * least


# A disc on its way, against any shape


def meets(start: Point, end: Point, radius: int, shape: Shape) -> CrossingKind:
    """How a disc meets *shape* while its centre goes straight from *start* to *end*.

    A line is a disc of radius 0, and a base that stands still starts where it ends. The disc
    `crosses` what it comes to lie over the inside of (a line, for a positive length), `touches`
    what it meets the border of and no more. A wall has no inside: a line crosses it where it goes
    over from one side to the other, a disc where it comes to lie over a part of it.

    With a limit added to the radius, all but `clear` comes within the limit; with one unit taken
    from it, what `crosses` overlaps by more than a unit.
    Raises: ValueError for a radius below 0, and as `checked` does.
    """
    if radius < 0:
        raise ValueError(f"a radius cannot be below 0: {radius}")
    return KINDS[against(checked(shape), start, end, radius)]


def covers(shape: Shape, disc: Disc) -> bool:
    """Does the whole disc lie in *shape*? It may touch the border from within."""
    (x, y, r), shape = disc, checked(shape)
    if isinstance(shape, Disc):
        return r <= shape.r and (x - shape.x) ** 2 + (y - shape.y) ** 2 <= (shape.r - r) ** 2
    if isinstance(shape, HalfDisc):
        front = HalfPlane(shape.x, shape.y, shape.fx, shape.fy)
        return covers(front, disc) and covers(Disc(shape.x, shape.y, shape.r), disc)
    if isinstance(shape, HalfPlane):
        before = shape.fx * (x - shape.x) + shape.fy * (y - shape.y)
        return sign_of(before - r * root(shape.fx**2 + shape.fy**2)) >= 0
    if isinstance(shape, Wall):
        return False
    scale, corners = _corners(shape, (x, y), (x, y), r)
    centre = (x * scale, y * scale)
    inside = along(centre, centre, corners)[0] is not None
    sides = pairwise((corners[-1], *corners))
    return inside and all(near(a, b, centre, r * scale) >= 0 for a, b in sides)


def step_on(start: Point, end: Point, step: int) -> Point:
    """The whole point nearest to a line after so many steps; of two, that nearer the start."""
    vector = end[0] - start[0], end[1] - start[1]
    steps = max(map(abs, vector)) or 1
    x, y = (sign_of(d) * ((2 * step * abs(d) + steps - 1) // (2 * steps)) for d in vector)
    return start[0] + x, start[1] + y


def against(shape: Shape, start: Point, end: Point, radius: int, scale: int = 1) -> int:
    """The sign of the least distance of a way from a shape, less the radius; -1 if it goes inside.

    The way and the radius are in units smaller by *scale* than those of the shape.
    """
    if isinstance(shape, Disc):
        return near(start, end, (shape.x * scale, shape.y * scale), shape.r * scale + radius)
    if isinstance(shape, HalfPlane | HalfDisc):
        x, y, fx, fy = shape.x * scale, shape.y * scale, shape.fx, shape.fy
        first, last = (fx * (a - x) + fy * (b - y) for a, b in (start, end))
        if isinstance(shape, HalfPlane):
            return sign_of(-max(first, last) - radius * root(fx * fx + fy * fy))
        # Within the radius of half a disc is half of a larger one, and what is near the diameter.
        sign = 1
        if max(first, last) >= 0:
            k, one, two = _in_front(start, end, first, last)
            sign = near(one, two, (x * k, y * k), (shape.r * scale + radius) * k)
            sign = max(sign, 0) if max(first, last) == 0 else sign
        if radius == 0 or sign < 0:
            return sign
        n = fx * fx + fy * fy
        ox, oy = -shape.r * scale * fy * root(n), shape.r * scale * fx * root(n)
        ends = (x * n + ox, y * n + oy), (x * n - ox, y * n - oy)
        return min(sign, _apart(_times(start, n), _times(end, n), *ends, radius * n))
    if isinstance(shape, Wall):
        return _against_wall(shape, start, end, radius, scale)
    more, corners = _corners(shape, start, end, radius, scale)
    start, end = _times(start, more), _times(end, more)
    meeting, entering = along(start, end, corners)
    if meeting is not None:
        return -1 if radius or entering is not None else 0
    if radius == 0:
        return 1
    # What does not meet is nearest at a corner of the polygon or at an end of the way.
    limit = radius * more
    sign = min([near(start, end, corner, limit) for corner in corners])
    if sign >= 0:
        for a, b in pairwise((corners[-1], *corners)):
            sign = min(sign, near(a, b, start, limit), near(a, b, end, limit))
    return sign


def _against_wall(wall: Wall, start: Point, end: Point, radius: int, scale: int) -> int:
    """The same of a wall."""
    points = [_times(point, scale) for point in wall.points]
    if radius:
        return min(_apart(start, end, a, b, radius) for a, b in pairwise(points))
    meeting, entering = over(start, end, points)
    return -1 if entering is not None else 1 if meeting is None else 0


def over(
    start: Point, end: Point, points: Sequence[Point]
) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """Where a line first meets a wall, and where it first goes over to the other side of it.

    Points of the wall that lie on the line, as it runs on for ever, are one stretch: the line goes
    over there, if the wall comes from one side and leaves to the other, all within the line.
    """
    (ax, ay), dx, dy = start, end[0] - start[0], end[1] - start[1]
    span = dx * dx + dy * dy
    if not span:
        on = any(
            not turn(a, b, start)
            and min(a[0], b[0]) <= ax <= max(a[0], b[0])
            and min(a[1], b[1]) <= ay <= max(a[1], b[1])
            for a, b in pairwise(points)
        )
        return ((0, 1) if on else None), None
    seen = [(dx * (y - ay) - dy * (x - ax), dx * (x - ax) + dy * (y - ay)) for x, y in points]
    if points[0] == points[-1]:
        first = next((n for n, (s, _) in enumerate(seen) if s), 0)
        seen = [*seen[first:-1], *seen[: first + 1]]
    meeting: tuple[int, int] | None = None
    entering: tuple[int, int] | None = None
    side, low, high = 0, None, None  # the side come from, and the stretch on the line since
    w = t = 0
    for number, (s, v) in enumerate(seen):
        at = (v, 1) if not s else None
        if number and s * t < 0:
            at = (w * s - v * t, s - t) if s > t else (v * t - w * s, t - s)
        if at is not None:
            stretch = [at]
            if not s and number and not t:
                stretch = [(max(min(v, w), 0), 1)] if max(v, w) >= 0 <= span - min(v, w) else []
            for over, under in stretch:
                if 0 <= over <= span * under and _before((over, under), meeting):
                    meeting = over, under
            low = at if low is None or at[0] * low[1] < low[0] * at[1] else low
            high = at if high is None or at[0] * high[1] > high[0] * at[1] else high
        if s:
            if low is not None and high is not None and side and side * s < 0:
                within = low[0] > 0 and high[0] < span * high[1]
                if within and _before(low, entering):
                    entering = low
            side, low, high = sign_of(s), None, None
        t, w = s, v
    return meeting, entering


def _before(one: tuple[int, int], other: tuple[int, int] | None) -> bool:
    return other is None or one[0] * other[1] < other[0] * one[1]


def _times(point: Point, scale: int) -> Point:
    """A point in a plane so many times as large."""
    return point[0] * scale, point[1] * scale


def _in_front(start: Point, end: Point, first: int, last: int) -> tuple[int, Point, Point]:
    """The part of a line before a dividing line, from how far before it the ends are.

    All is stretched by the first number given, so that the part ends at whole numbers.
    """
    if min(first, last) >= 0:
        return 1, start, end
    k, sign = abs(last - first), sign_of(last - first)
    on = (
        sign * (start[0] * last - end[0] * first),
        sign * (start[1] * last - end[1] * first),
    )
    return (k, on, _times(end, k)) if first < 0 else (k, _times(start, k), on)


def _corners(
    shape: Wedge | Triangle | Polygon, start: Point, end: Point, radius: int, scale: int = 1
) -> tuple[int, tuple[ExactPoint, ...]]:
    """By how much to stretch all once more, and then the corners of a shape.

    A wedge is cut off so far away that what is asked about cannot tell.
    """
    if isinstance(shape, Wedge):
        (x, y), right, left = _times((shape.x, shape.y), scale), shape.right, shape.left
        reach = radius + sum(abs(a - x) + abs(b - y) for a, b in (start, end))
        # Whole vectors span a unit or more, so the far sides are k / |left| and k / |right| away.
        k = (1 + reach) * max(abs(a) + abs(b) for a, b in (right, left))
        (ax, ay), (bx, by) = _times(right, k), _times(left, k)
        return 1, ((x, y), (x + ax, y + ay), (x + ax + bx, y + ay + by), (x + bx, y + by))
    if isinstance(shape, Triangle):
        return corners_of(shape, scale)
    return 1, shape if scale == 1 else tuple(_times(corner, scale) for corner in shape)


def corners_of(cone: Triangle, scale: int = 1) -> tuple[int, tuple[ExactPoint, ...]]:
    """By how much to stretch all, and then the corners of a cone, its apex first."""
    x, y, length, width, fx, fy, shift = cone
    n = fx * fx + fy * fy
    (x, y), unit = _times((x, y), 2 * n * scale), scale * root(n)
    ends = (
        (x + (2 * length * fx - left * fy) * unit, y + (2 * length * fy + left * fx) * unit)
        for left in (2 * shift - width, 2 * shift + width)
    )
    return 2 * n, ((x, y), *ends)


def near(start: ExactPoint, end: ExactPoint, point: ExactPoint, limit: int) -> int:
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


def _apart(
    start: ExactPoint, end: ExactPoint, one: ExactPoint, other: ExactPoint, limit: int
) -> int:
    """The sign of the distance of two lines, less a limit above 0."""
    if (
        turn(start, end, one) * turn(start, end, other) < 0
        and turn(one, other, start) * turn(one, other, end) < 0
    ):
        return -1
    return min(
        near(start, end, one, limit),
        near(start, end, other, limit),
        near(one, other, start, limit),
        near(one, other, end, limit),
    )


def turn(a: ExactPoint, b: ExactPoint, c: ExactPoint) -> int:
    """1 if c lies to the left of the line from a to b, -1 to the right, 0 on it."""
    return sign_of((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def along(
    start: ExactPoint, end: ExactPoint, corners: Sequence[ExactPoint], entering: bool = False
) -> tuple[Where | None, Where | None]:
    """Where a line first meets a polygon, and where a part of it that is inside begins.

    The line is looked at as it runs on for ever, a hair to its left and a hair to its right: a side
    that reaches across changes what is inside there. Where both are inside, so is the line; where
    one is, it runs along a side. A line of no length has a part inside if it lies there. If it is
    to be *entering*, a part that begins where the line does is none.
    """
    (ax, ay), dx, dy = start, end[0] - start[0], end[1] - start[1]
    span = dx * dx + dy * dy
    if not span > 0:
        dx = 1
    seen = [(dx * (y - ay) - dy * (x - ax), dx * (x - ax) + dy * (y - ay)) for x, y in corners]
    events: list[SideChange] = []
    s, w = seen[-1]
    for t, v in seen:
        left, right = (s > 0) != (t > 0), (s < 0) != (t < 0)
        if left or right:
            over, under = (w * t - v * s, t - s) if t > s else (v * s - w * t, s - t)
            events.append((over, under, left, right))
        s, w = t, v
    events.sort(key=cmp_to_key(_earlier))
    meeting: Where | None = None
    before: Where | None = None
    inside_left = inside_right = False
    for over, under, left, right in events:
        if before is not None and over >= 0 and before[0] <= span * before[1]:
            begin: Where = before if before[0] > 0 else (0, 1)
            if inside_left or inside_right:
                meeting = meeting or begin
            reaches = over > 0 and before[0] < span * before[1]
            reaches = reaches and (begin[0] > 0 or not entering)
            if inside_left and inside_right and reaches and before[0] * under < over * before[1]:
                return meeting, begin
        if meeting is None and over >= 0 and over <= span * under:
            meeting = over, under
        inside_left, inside_right = inside_left != left, inside_right != right
        before = over, under
    return meeting, None


def _earlier(one: SideChange, other: SideChange) -> int:
    """The sign of one event's fraction less another's."""
    return sign_of(one[0] * other[1] - other[0] * one[1])
