"""Other ways to say how a disc on its way meets a shape: in fractions, and in long decimals.

`by_fractions` looks for the least distance among the points where it can lie, all of which are
fractions while facings have whole lengths. `by_decimals` finds where the way cuts the border of the
shape grown by the radius, and looks between; it takes less than `HAIR` for nothing. Neither shares
a line with what it checks.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import Any

import shapely
from clingo import Symbol

from pymorph.board.grid import Board
from pymorph.board.lengths import exact
from pymorph.board.lengths.shapes import Disc, HalfDisc, HalfPlane, Point, Shape, Wall

HAIR = Decimal(10) ** -60
DIGITS = 150


def meets(start: Point, end: Point, radius: int, shape: Shape | Wall) -> exact.CrossingKind:
    """How a disc on its way meets a shape; of a template with a facing, one that stands."""
    if isinstance(shape, HalfDisc | HalfPlane):
        assert start == end
        return exact.KINDS[exact.over(shape, Disc(*start, radius))]
    return exact.KINDS[exact.against(shape, start, end, radius)]


def sign(value: Any) -> int:
    return (value > 0) - (value < 0)


def whole_length(x: int, y: int) -> int | None:
    """The length of a vector, if it is whole."""
    found = isqrt(x * x + y * y)
    return found if found * found == x * x + y * y else None


# The same for fractions and decimals: a shape as corners, rays and arcs


def corners_of(shape: Shape, size: Any, number: Any) -> list[tuple[Any, Any]]:
    """The corners of a shape, in numbers of a kind; *size* is the length of its facing."""
    if isinstance(shape, Disc | HalfPlane):
        return []
    if isinstance(shape, HalfDisc):
        x, y, r, fx, fy = map(number, shape)
        return [(x - r * fy / size, y + r * fx / size), (x + r * fy / size, y - r * fx / size)]
    return [(number(x), number(y)) for x, y in shape]


def facing_of(shape: Shape) -> Point:
    return (shape.fx, shape.fy) if isinstance(shape, HalfDisc | HalfPlane) else (1, 0)


def lies_in(x: Any, y: Any, corners: Sequence[tuple[Any, Any]], hair: Any = 0) -> int:
    """-1 inside a polygon, 0 on its border, 1 outside: by how often it winds around the point."""
    winds = 0
    for (ax, ay), (bx, by) in pairwise((corners[-1], *corners)):
        turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        between = (x - ax) * (x - bx) + (y - ay) * (y - by)
        if abs(turn) <= hair and between <= hair:
            return 0
        if ay <= y < by and turn > 0:
            winds += 1
        if by <= y < ay and turn < 0:
            winds -= 1
    return -1 if winds else 1


def square_from(x: Any, y: Any, one: Any, other: Any, endless: bool = False) -> Any:
    """The square of a point's distance from a side, or from an endless ray."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    t = ((x - one[0]) * dx + (y - one[1]) * dy) / (dx * dx + dy * dy)
    t = max(t, 0) if endless else min(max(t, 0), 1)
    return (x - one[0] - t * dx) ** 2 + (y - one[1] - t * dy) ** 2


def sides_of(shape: Shape, corners: Sequence[Any], number: Any) -> list[tuple[Any, Any, bool]]:
    """The sides of a shape: two points, and whether it goes on for ever beyond the second."""
    if isinstance(shape, Disc):
        return []
    if isinstance(shape, HalfPlane):
        x, y, fx, fy = map(number, shape)
        return [((x, y), (x - fy, y + fx), True), ((x, y), (x + fy, y - fx), True)]
    if isinstance(shape, HalfDisc):
        return [(corners[0], corners[1], False)]
    return [(a, b, False) for a, b in pairwise((corners[-1], *corners))]


def is_inside(shape: Shape, corners: Sequence[Any], x: Any, y: Any, hair: Any = 0) -> int:
    """-1 inside a shape with straight sides, 0 on its border, 1 outside."""
    if isinstance(shape, HalfPlane):
        return -within(shape.fx * (x - shape.x) + shape.fy * (y - shape.y), hair)
    return lies_in(x, y, corners, hair)


def within(value: Any, hair: Any) -> int:
    return 0 if abs(value) <= hair else sign(value)


def squares_under(board: Board, start: Any, end: Any) -> list[Symbol]:
    """The squares inside which a line runs for a length, in its order, as shapely has it."""
    line = shapely.LineString([start, end])
    inner = 0.5 - 1e-6  # so that a line along its side is not inside a square
    parts = {
        place: line.intersection(shapely.box(x - inner, y - inner, x + inner, y + inner))
        for place, (x, y) in board.coordinates.items()
    }
    cut = [place for place, part in parts.items() if part.length > 1e-6]
    return sorted(cut, key=lambda place: line.project(parts[place].centroid))


# In fractions


def by_fractions(start: Any, end: Any, radius: Any, shape: Shape) -> int | None:
    """1 clear, 0 touches, -1 crosses; None, if the facing is of no whole length."""
    size = whole_length(*facing_of(shape))
    if size is None:
        return None
    corners = corners_of(shape, Fraction(size), Fraction)
    sides = sides_of(shape, corners, Fraction)
    (ax, ay), (bx, by) = (tuple(map(Fraction, p)) for p in (start, end))
    dx, dy, r = bx - ax, by - ay, Fraction(radius)
    times = {Fraction(0), Fraction(1)}

    def cut(x: Any, y: Any, across: Any, over: Any) -> None:
        """Where the way cuts the line through a point that is square to a vector."""
        if dx * across + dy * over:
            times.add(((x - ax) * across + (y - ay) * over) / (dx * across + dy * over))

    points = [*corners]
    if isinstance(shape, Disc | HalfDisc):
        points.append((Fraction(shape.x), Fraction(shape.y)))
    for x, y in points:
        cut(x, y, dx, dy)
    for (ox, oy), (px, py), _ in sides:
        vx, vy = px - ox, py - oy
        cut(ox, oy, vx, vy), cut(px, py, vx, vy), cut(ox, oy, -vy, vx)
    order = sorted(t for t in times if 0 <= t <= 1)
    if not r:
        order += [(t + u) / 2 for t, u in pairwise(order)]
    ends = [
        facing_of(shape)[0] * (x - shape.x) + facing_of(shape)[1] * (y - shape.y)
        if isinstance(shape, HalfDisc)
        else 0
        for x, y in ((ax, ay), (bx, by))
    ]
    found = 1
    for t in order:
        x, y = ax + t * dx, ay + t * dy
        if isinstance(shape, Disc | HalfDisc):
            square = (x - shape.x) ** 2 + (y - shape.y) ** 2
            here = sign(square - (shape.r + r) ** 2)
            if isinstance(shape, HalfDisc):
                before = shape.fx * (x - shape.x) + shape.fy * (y - shape.y)
                if before < 0:
                    here = sign(square_from(x, y, *corners) - r * r) if r else 1
                elif before == 0 and r == 0 and max(ends) <= 0:
                    here = max(here, 0)
        else:
            here = is_inside(shape, corners, x, y)
            if r:
                near = (sign(square_from(x, y, *side) - r * r) for side in sides)
                here = -1 if here <= 0 else min(near)
        found = min(found, here)
        if found < 0:
            break
    return found


# In decimals


def deep_in(shape: Shape, x: Decimal, y: Decimal) -> Decimal:
    """How far a point is from the border of a shape: less than 0 inside."""
    size = Decimal(sum(n * n for n in facing_of(shape))).sqrt()
    corners = corners_of(shape, size, Decimal)
    if isinstance(shape, Disc):
        return ((x - shape.x) ** 2 + (y - shape.y) ** 2).sqrt() - shape.r
    if isinstance(shape, HalfDisc):
        before = (shape.fx * (x - shape.x) + shape.fy * (y - shape.y)) / size
        away = ((x - shape.x) ** 2 + (y - shape.y) ** 2).sqrt() - shape.r
        if before < 0:
            return square_from(x, y, *corners).sqrt()
        return max(away, -before)
    sides = sides_of(shape, corners, Decimal)
    near = min(square_from(x, y, *side) for side in sides).sqrt()
    return near * (is_inside(shape, corners, x, y, HAIR) or 0)


def by_decimals(start: Point, end: Point, radius: int, shape: Shape) -> int:
    """1 clear, 0 touches, -1 crosses."""
    with localcontext() as context:
        context.prec = DIGITS
        return _by_decimals(start, end, radius, shape)


def _by_decimals(start: Point, end: Point, radius: int, shape: Shape) -> int:
    size = Decimal(sum(n * n for n in facing_of(shape))).sqrt()
    corners = corners_of(shape, size, Decimal)
    circles = [(x, y, Decimal(radius)) for x, y in corners if radius]
    if isinstance(shape, Disc | HalfDisc):
        circles.append((Decimal(shape.x), Decimal(shape.y), Decimal(shape.r + radius)))
    ax, ay, dx, dy = map(Decimal, (*start, end[0] - start[0], end[1] - start[1]))
    square = dx * dx + dy * dy
    times = [Decimal(0), Decimal(1)]
    for x, y, r in circles if square else ():
        along, aside = dx * (x - ax) + dy * (y - ay), dx * (y - ay) - dy * (x - ax)
        under = r * r * square - aside * aside
        if under > -HAIR:
            reach = max(under, Decimal(0)).sqrt() if under > HAIR else Decimal(0)
            times += [(along - reach) / square, (along + reach) / square]
    for (ox, oy), (px, py), _ in sides_of(shape, corners, Decimal):
        vx, vy = px - ox, py - oy
        turn, offset = dx * vy - dy * vx, radius * (vx * vx + vy * vy).sqrt()
        if abs(turn) > HAIR:
            here = (ox - ax) * vy - (oy - ay) * vx
            times += [(here - offset) / turn, here / turn, (here + offset) / turn]
    order = sorted(t for t in times if -HAIR < t < 1 + HAIR)
    between = [(t + u) / 2 for t, u in pairwise(order) if u - t > HAIR]
    found = 1
    for t in (*between, *order):
        found = min(found, within(deep_in(shape, ax + t * dx, ay + t * dy) - radius, HAIR))
        if found < 0:
            break
    return found


def entries(start: Point, end: Point, shapes: Iterable[Shape]) -> list[tuple[Decimal, int, int]]:
    """Where along a line it meets discs and polygons, and where it enters them, in order.

    Each is a part of the line, the number of the shape, and 0 or -1 for touching and crossing.
    """
    with localcontext() as context:
        context.prec = DIGITS
        ax, ay, dx, dy = map(Decimal, (*start, end[0] - start[0], end[1] - start[1]))
        found: list[tuple[Decimal, int, int]] = []
        for number, shape in enumerate(shapes):
            times = sorted(t for t in _cuts(start, end, shape) if -HAIR < t < 1 + HAIR)
            known = [t for k, t in enumerate(times) if not k or t - times[k - 1] > HAIR]
            kinds: list[tuple[Decimal, int]] = []
            for t, u in pairwise((*known, known[-1])):
                if within(deep_in(shape, ax + t * dx, ay + t * dy), HAIR) <= 0:
                    kinds.append((t, 0))
                middle = (t + u) / 2
                if u > t and within(deep_in(shape, ax + middle * dx, ay + middle * dy), HAIR) < 0:
                    kinds.append((t, -1))
                    break
            if kinds:
                first, last = kinds[0], kinds[-1]
                if last[1] == 0 or last[0] > first[0]:
                    found.append((first[0], number, 0))
                if last[1] < 0:
                    found.append((last[0], number, -1))
        return sorted(((t / HAIR).to_integral_value() * HAIR, n, k) for t, n, k in found)


def _cuts(start: Point, end: Point, shape: Shape) -> list[Decimal]:
    """Where a line of some length cuts the border of a shape, and its ends."""
    ax, ay, dx, dy = map(Decimal, (*start, end[0] - start[0], end[1] - start[1]))
    square, found = dx * dx + dy * dy, [Decimal(0), Decimal(1)]
    if isinstance(shape, Disc):
        along = dx * (shape.x - ax) + dy * (shape.y - ay)
        aside = dx * (shape.y - ay) - dy * (shape.x - ax)
        under = shape.r**2 * square - aside * aside
        return (
            found
            if under < 0
            else [*found, *((along + s * under.sqrt()) / square for s in (-1, 1))]
        )
    for (ox, oy), (px, py), _ in sides_of(shape, corners_of(shape, 1, Decimal), Decimal):
        vx, vy = px - ox, py - oy
        turn = dx * vy - dy * vx
        if turn:
            found.append(((ox - ax) * vy - (oy - ay) * vx) / turn)
        found += [(dx * (x - ax) + dy * (y - ay)) / square for x, y in ((ox, oy), (px, py))]
    return found
