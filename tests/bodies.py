"""Other ways to say how bodies lie to one another, in fractions: by points, and by areas.

`lies_over` looks a hair to both sides of each piece of either outline; `shared` cuts off what lies
beyond the sides of a convex outline, and adds up what is left. Neither shares a line with what it
checks, nor with the other.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pymorph.board.lengths.shapes import Disc, Point, Polygon, Wall
from tests.measuring import by_decimals, lies_in, sign, square_from

Spot = tuple[Any, Any]
HAIR = Fraction(1, 10**9)  # far less than what is between corners of small whole numbers


def turn(p: Spot, q: Spot, r: Spot) -> Any:
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def around(corners: Sequence[Spot]) -> list[tuple[Spot, Spot]]:
    return list(pairwise((*corners, corners[0])))


# How far apart


def ways_of(body: Disc | Polygon | Wall) -> list[tuple[Point, Point]]:
    """What a body is made of, as lines; a disc is its centre."""
    if isinstance(body, Disc):
        return [((body.x, body.y), (body.x, body.y))]
    return list(pairwise(body.points)) if isinstance(body, Wall) else around(body)


def from_decimals(one: Any, other: Any, limit: int) -> int:
    """The sign of the distance of two bodies, discs being their centres, less a limit."""
    found = 1
    for body, against in ((one, other), (other, one)):
        shapes: list[Any] = [against]
        if isinstance(against, Disc):
            shapes = [Disc(against.x, against.y, 0)]
        elif isinstance(against, Wall):
            shapes = list(pairwise(against.points))
        for start, end in ways_of(body):
            for shape in shapes:
                found = min(found, by_decimals(start, end, limit, shape))
                if found < 0:
                    return found
    return found


def square_between(one: Any, other: Any) -> Fraction:
    """The square of the distance of two bodies, discs being their centres."""
    outline = []
    for body in (one, other):
        points = body[:2] if isinstance(body, Disc) else None
        found = [points] if points else list(body.points if isinstance(body, Wall) else body)
        outline.append([(Fraction(x), Fraction(y)) for x, y in found])
    for points, shape, corners in ((outline[0], other, outline[1]), (outline[1], one, outline[0])):
        if not isinstance(shape, Disc | Wall) and lies_in(*points[0], corners) <= 0:
            return Fraction(0)
    sides = [
        list(pairwise(points if isinstance(body, Wall) else [*points, points[0]]))
        for points, body in zip(outline, (one, other), strict=True)
    ]
    best: list[Fraction] = []
    for a, b in sides[0]:
        for c, d in sides[1]:
            if turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0:
                return Fraction(0)
            if c != d:
                best += [square_from(*a, c, d), square_from(*b, c, d)]
            if a != b:
                best += [square_from(*c, a, b), square_from(*d, a, b)]
            best.append((a[0] - c[0]) ** 2 + (a[1] - c[1]) ** 2)
    return min(best)


# One over the other


def pieces(one: Sequence[Spot], other: Sequence[Spot]) -> list[tuple[Spot, Spot]]:
    """The sides of an outline, parted where they meet those of another."""
    found = []
    for a, b in around(one):
        dx, dy = b[0] - a[0], b[1] - a[1]
        square = dx * dx + dy * dy
        times = {Fraction(0), Fraction(1)}
        for c, d in around(other):
            s, t = turn(a, b, c), turn(a, b, d)
            if s * t < 0:
                x, y = (c[i] + (d[i] - c[i]) * Fraction(s) / (s - t) for i in (0, 1))
                times.add(Fraction((x - a[0]) * dx + (y - a[1]) * dy) / square)
            for p, beside in ((c, s), (d, t)):
                if not beside:
                    times.add(Fraction((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square)
        order = sorted(t for t in times if 0 <= t <= 1)
        spots = [(a[0] + t * dx, a[1] + t * dy) for t in order]
        found += list(pairwise(spots))
    return found


def lies_over(template: Sequence[Spot], shape: Sequence[Spot]) -> str:
    """``partly`` or ``wholly``, by points beside each piece of either outline; nothing, if not."""
    inside = outside = False
    for (ax, ay), (bx, by) in pieces(template, shape) + pieces(shape, template):
        for side in (HAIR, -HAIR):
            x, y = (ax + bx) / 2 - side * (by - ay), (ay + by) / 2 + side * (bx - ax)
            if lies_in(x, y, shape) < 0:
                within = lies_in(x, y, template) < 0
                inside, outside = inside or within, outside or not within
    return ("partly" if outside else "wholly") if inside else ""


def area(corners: Sequence[Spot]) -> Fraction:
    """What an outline covers, whichever way it goes round."""
    twice = sum((a[0] * b[1] - b[0] * a[1] for a, b in around(corners)), Fraction(0))
    return abs(twice) / 2


def shared(convex: Sequence[Spot], other: Sequence[Spot]) -> Fraction:
    """The area that a convex outline has in common with another."""
    left = sign(sum(turn(convex[0], a, b) for a, b in around(convex)))
    kept: list[Spot] = [(Fraction(x), Fraction(y)) for x, y in other]
    for a, b in around(convex):
        found: list[Spot] = []
        for p, q in around(kept) if kept else ():
            s, t = turn(a, b, p) * left, turn(a, b, q) * left
            if s >= 0:
                found.append(p)
            if s * t < 0:
                found.append(tuple(p[i] + (q[i] - p[i]) * Fraction(s) / (s - t) for i in (0, 1)))
        kept = found
    return area(kept) if kept else Fraction(0)
