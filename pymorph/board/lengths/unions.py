"""Pieces of terrain that share a point, as the one shape that they make: what a line does there.

A line goes over a union where a stretch that both share has something on the left of the line and
something on the right, within the line; where it has that on one side alone, the line touches it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from math import gcd
from typing import NamedTuple

from pymorph.board.lengths.exact import along
from pymorph.board.lengths.outlines import Side, around, meet, sides_of
from pymorph.board.lengths.shapes import Point, Polygon, Wall

TerrainShape = Polygon | Wall
CoveredInterval = tuple[Fraction, Fraction, bool, bool]
Offsets = list[tuple[int, int]]  # how far points are to the left of a line, and how far along it


class Covered(NamedTuple):
    """Parts of a line that hang together, and the numbers of the shapes that they belong to."""

    low: Fraction
    high: Fraction
    left: bool
    right: bool
    members: frozenset[int]

    @property
    def crosses(self) -> bool:
        return self.left and self.right


# -- along a line


def stretches(start: Point, end: Point, shapes: Sequence[TerrainShape]) -> list[Covered]:
    """What a line has in common with the union of some shapes, in the order of the line."""
    covered = [
        Covered(*part, frozenset((number,)))
        for number, shape in enumerate(shapes)
        for part in parts(start, end, shape)
    ]
    return joined(covered)


def joined(stretches: list[Covered]) -> list[Covered]:
    """The same stretches, those that share a point as one."""
    merged: list[Covered] = []
    for stretch in sorted(stretches, key=lambda other: other[:2]):
        if merged and stretch.low <= merged[-1].high:
            last = merged.pop()
            stretch = Covered(
                last.low,
                max(last.high, stretch.high),
                last.left or stretch.left,
                last.right or stretch.right,
                last.members | stretch.members,
            )
        merged.append(stretch)
    return merged


def crosses(start: Point, end: Point, shapes: Sequence[TerrainShape]) -> bool:
    """Does a line go over the union of some shapes, or through its inside?"""
    if start == end:
        return surrounded(start, shapes)
    return any(stretch.crosses for stretch in stretches(start, end, shapes))


def over(start: Point, end: Point, shapes: Sequence[TerrainShape]) -> set[int]:
    """The numbers of the shapes where a line goes over their union."""
    if start == end:
        return set(range(len(shapes))) if surrounded(start, shapes) else set()
    members = [stretch.members for stretch in stretches(start, end, shapes) if stretch.crosses]
    return set().union(*members)


def times_over(start: Point, end: Point, shapes: Sequence[TerrainShape]) -> int:
    """How often a line goes over the union of some shapes, or comes into its inside."""
    if start == end:
        return 0
    over = [stretch for stretch in stretches(start, end, shapes) if stretch.crosses]
    begins_inside = over and over[0].low == 0 and surrounded(start, shapes)
    return len(over) - bool(begins_inside)


def pinched(
    start: Point, end: Point, kinds: Sequence[Sequence[TerrainShape]]
) -> list[tuple[int, int]]:
    """The shapes between which a line has no way, though it only touches each: which of which kind.

    Of one kind are those that make one piece. What a line goes over anyway, as one piece, stops
    nothing beside it.
    """
    if start == end:
        return []
    numbers = [(kind, n) for kind, shapes in enumerate(kinds) for n in range(len(shapes))]
    at = {pair: number for number, pair in enumerate(numbers)}
    pinching: set[tuple[int, int]] = set()
    touched: list[Covered] = []
    for kind, shapes in enumerate(kinds):
        for stretch in stretches(start, end, shapes):
            mine = frozenset(at[kind, n] for n in stretch.members)
            if not stretch.crosses:
                touched.append(stretch._replace(members=mine))
            elif len(mine) > 1:
                pinching |= {numbers[n] for n in mine}
    for stretch in joined(touched):
        if stretch.crosses:
            pinching |= {numbers[n] for n in stretch.members}
    return sorted(pinching)


def parts(start: Point, end: Point, shape: TerrainShape) -> Iterator[CoveredInterval]:
    """The parts of a line, from 0 to 1, that lie on a shape, and on which sides the shape is: left
    and right, within the line without its ends."""
    parts_of = _wall_parts if isinstance(shape, Wall) else _area_parts
    points = shape.points if isinstance(shape, Wall) else shape
    (x, y), dx, dy = start, end[0] - start[0], end[1] - start[1]
    span = dx * dx + dy * dy
    seen = [(dx * (v - y) - dy * (u - x), dx * (u - x) + dy * (v - y)) for u, v in points]
    for low, high, left, right in parts_of(seen, span):
        if high < 0 or low > 1:
            continue
        low, high = max(low, Fraction(0)), min(high, Fraction(1))
        inside = low < 1 and high > 0
        yield low, high, left and inside, right and inside


def _wall_parts(seen: Offsets, span: int) -> Iterator[CoveredInterval]:
    for (s, v), (t, w) in pairwise(seen):
        if s * t < 0:
            at = _where(s, v, t, w, span)
            yield at, at, True, True
        elif s == t == 0:
            yield Fraction(min(v, w), span), Fraction(max(v, w), span), False, False
        elif s == 0 or t == 0:
            at = Fraction(w if s else v, span)
            yield at, at, s + t > 0, s + t < 0


def _area_parts(seen: Offsets, span: int) -> Iterator[CoveredInterval]:
    """What is inside a hair to the left of the line, and a hair to its right, changes at a side."""
    events: list[tuple[Fraction, bool, bool]] = []
    for (s, v), (t, w) in around(seen):
        left, right = (s > 0) != (t > 0), (s < 0) != (t < 0)
        if left or right:
            events.append((_where(s, v, t, w, span), left, right))
    events.sort(key=lambda event: event[0])
    is_left = is_right = False
    for (at, left, right), (after, *_) in pairwise(events):
        is_left, is_right = is_left != left, is_right != right
        if is_left or is_right:
            yield at, after, is_left, is_right


def _where(s: int, v: int, t: int, w: int, span: int) -> Fraction:
    """Where a side that reaches a line meets it; s and t differ."""
    over, under = (w * s - v * t, s - t) if s > t else (v * t - w * s, t - s)
    return Fraction(over, under * span)


# -- around a point


def surrounded(point: Point, shapes: Sequence[TerrainShape]) -> bool:
    """Does a point lie inside the union of some areas, be it on the border of each?"""
    areas = [shape for shape in shapes if not isinstance(shape, Wall)]
    if any(along(point, point, area)[1] is not None for area in areas):
        return True
    corners = [wedge for area in areas for wedge in _wedges(point, area)]
    if not corners:
        return False
    rays = sorted({ray for wedge in corners for ray in wedge}, key=cmp_to_key(_turn_order))
    middles = [_between(one, other) for one, other in pairwise((*rays, rays[0]))]
    return all(any(_in_wedge(ray, *wedge) for wedge in corners) for ray in middles)


def _wedges(point: Point, area: Polygon) -> Iterator[Side]:
    """Between which two ways, counterclockwise, an area lies around a point of its border."""
    sides = around(area)
    turn = sum(x * w - v * y for (x, y), (v, w) in sides)
    if turn < 0:
        sides = around(tuple(reversed(area)))
    px, py = point
    for (start, end), (_, after) in pairwise((*sides, sides[0])):
        if end == point:
            yield _ray(px, py, after), _ray(px, py, start)
        elif _between_ends(point, start, end):
            yield _ray(px, py, end), _ray(px, py, start)


def _between_ends(point: Point, start: Point, end: Point) -> bool:
    ahead, back = (end[0] - point[0], end[1] - point[1]), (start[0] - point[0], start[1] - point[1])
    return _cross(ahead, back) == 0 and ahead[0] * back[0] + ahead[1] * back[1] < 0


def _ray(x: int, y: int, to: Point) -> Point:
    """The way from one point to another, as short as it can be said."""
    size = gcd(to[0] - x, to[1] - y)
    return (to[0] - x) // size, (to[1] - y) // size


def _half(ray: Point) -> int:
    return 0 if ray[1] > 0 or (ray[1] == 0 and ray[0] > 0) else 1


def _cross(one: Point, other: Point) -> int:
    return one[0] * other[1] - one[1] * other[0]


def _turn_order(one: Point, other: Point) -> int:
    return _half(one) - _half(other) or -_cross(one, other)


def _between(one: Point, other: Point) -> Point:
    """A way between two, counterclockwise from one; between one and itself, any other."""
    turn = _cross(one, other)
    if turn > 0:
        return one[0] + other[0], one[1] + other[1]
    if turn == 0 and one[0] * other[0] + one[1] * other[1] > 0:
        return -one[0], -one[1]
    if turn == 0:
        return -one[1], one[0]
    return -one[0] - other[0], -one[1] - other[1]


def _in_wedge(ray: Point, right: Point, left: Point) -> bool:
    """Does a way lie between two, counterclockwise from right?"""
    turn = _cross(right, left)
    if turn > 0 or (turn == 0 and right[0] * left[0] + right[1] * left[1] < 0):
        return _cross(right, ray) > 0 and (turn == 0 or _cross(ray, left) > 0)
    return not (_cross(left, ray) > 0 and _cross(ray, right) > 0)


# -- which hang together


def connected(shapes: Sequence[TerrainShape], labels: Sequence[str]) -> list[int]:
    """For each shape the number of the first of those with its label that hang together with it."""
    boxes = [_box(shape) for shape in shapes]
    first = list(range(len(shapes)))

    def root(number: int) -> int:
        while first[number] != number:
            number = first[number]
        return number

    going: list[int] = []
    for number in sorted(range(len(shapes)), key=lambda n: boxes[n][0]):
        left, low, _, top = boxes[number]
        going = [n for n in going if boxes[n][2] >= left]
        for n in going:
            if labels[n] == labels[number] and boxes[n][1] <= top and boxes[n][3] >= low:
                one, other = sorted((root(number), root(n)))
                if one != other and share(shapes[number], shapes[n]):
                    first[other] = one
        going.append(number)
    return [root(number) for number in range(len(shapes))]


def share(one: TerrainShape, other: TerrainShape) -> bool:
    """Have two shapes a point in common?"""
    mine, theirs = sides_of(one), sides_of(other)
    if any(meet(a, b) for a, b in _near(mine, theirs)):
        return True
    return any(
        not isinstance(area, Wall) and along(side[0], side[0], area)[0] is not None
        for area, (side, *_) in ((one, theirs), (other, mine))
    )


def _near(mine: Sequence[Side], theirs: Sequence[Side]) -> Iterator[tuple[Side, Side]]:
    """The pairs of sides, one of each, whose boxes meet, from left to right."""
    both = [(0, side) for side in mine] + [(1, side) for side in theirs]
    boxes = [(_box(Wall(side)), owner, side) for owner, side in both]
    going: list[list[tuple[int, int, int, Side]]] = [[], []]
    for (left, low, right, top), owner, side in sorted(boxes):
        others = going[1 - owner] = [box for box in going[1 - owner] if box[0] >= left]
        yield from ((side, of) for _, least, most, of in others if least <= top and most >= low)
        going[owner].append((right, low, top, side))


def _box(shape: TerrainShape) -> tuple[int, int, int, int]:
    xs, ys = zip(*(shape.points if isinstance(shape, Wall) else shape), strict=True)
    return min(xs), min(ys), max(xs), max(ys)
