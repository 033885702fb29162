"""Which points make an outline: a simple polygon, whose sides meet at its corners alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pymorph.board.lengths.exact import turn
from pymorph.board.lengths.shapes import Point, Polygon, Wall

Side = tuple[Point, Point]


def around(corners: Sequence[Point]) -> list[Side]:
    """The sides of a polygon."""
    return list(pairwise((*corners, corners[0])))


def sides_of(shape: Polygon | Wall) -> list[Side]:
    """The sides of a polygon, or the parts of a wall from point to point."""
    return list(pairwise(shape.points)) if isinstance(shape, Wall) else around(shape)


def same(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Have two simple polygons one border, wherever its points begin, and whichever way it goes?"""
    return border(one) == border(other)


def border(corners: Sequence[Point]) -> set[frozenset[Point]]:
    """The sides of a simple polygon, those that go straight on as one."""
    sides = around(corners)
    turning = [b for (a, b), (_, c) in pairwise((*sides, sides[0])) if turn(a, b, c)]
    return set(map(frozenset, around(turning)))


def flaw(corners: Sequence[Point]) -> str:
    """What keeps some points from being a simple polygon, in words; nothing, if they are one."""
    if len(corners) < 3:
        return "an area needs at least three corners"
    if len(set(corners)) < len(corners):
        return "a corner is given twice"
    sides = around(corners)
    for (a, b), (_, c) in pairwise((*sides, sides[0])):
        if turn(a, b, c) == 0 and (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0:
            return f"the outline turns back on itself at the {_th(corners.index(b))} corner"
    for one, other in meetings(sides):
        return f"the sides from the {_th(one)} and the {_th(other)} corner cross or touch"
    return ""


def meetings(sides: Sequence[Side]) -> Iterator[tuple[int, int]]:
    """The pairs of sides that meet and are no neighbours, looked for from left to right.

    Sides that no vertical line has in common are never compared.
    """
    order = sorted(range(len(sides)), key=lambda n: min(sides[n][0][0], sides[n][1][0]))
    going: list[int] = []
    for number in order:
        (a, b), (c, d) = sides[number]
        left, low, top = min(a, c), min(b, d), max(b, d)
        going = [n for n in going if max(sides[n][0][0], sides[n][1][0]) >= left]
        for n in going:
            if (number - n) % len(sides) in (1, len(sides) - 1):
                continue
            (_, v), (_, w) = sides[n]
            if max(v, w) >= low and min(v, w) <= top and meet(sides[number], sides[n]):
                yield min(n, number), max(n, number)
        going.append(number)


def meet(one: Side, other: Side) -> bool:
    """Have two sides a point in common?"""
    (a, b), (c, d) = one, other
    turns = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
    if turns[0] * turns[1] < 0 and turns[2] * turns[3] < 0:
        return True
    ends = ((c, a, b), (d, a, b), (a, c, d), (b, c, d))
    return any(not side and _between(*end) for side, end in zip(turns, ends, strict=True))


def _between(point: Point, one: Point, other: Point) -> bool:
    """Does a point of a line lie between two others of it?"""
    return all(min(one[i], other[i]) <= point[i] <= max(one[i], other[i]) for i in (0, 1))


def _th(index: int) -> str:
    """The number of a corner, counted from 1."""
    number = index + 1
    last = "th" if number % 100 in (11, 12, 13) else "stndrd"[2 * (number % 10) - 2 :][:2]
    return f"{number}{last if 0 < number % 10 < 4 or last == 'th' else 'th'}"
