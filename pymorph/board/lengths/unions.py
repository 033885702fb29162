"""Pieces of terrain that share a point, as the one shape that they make: what a line does there.

A line goes over a union where a stretch that both share has something on the left of the line and
something on the right, within the line; where it has that on one side alone, the line touches it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pymorph.board.lengths.exact import LinePart, joined, parts
from pymorph.board.lengths.lines import box_pairs, boxed
from pymorph.board.lengths.shapes import Point, Polygon, Wall, sides_of

TerrainShape = Polygon | Wall
NamedShapes = Mapping[Any, TerrainShape]


# -- along a line


def stretches(start: Point, end: Point, shapes: NamedShapes) -> list[LinePart]:
    """What a line has in common with the union of some shapes, in the order of the line."""
    return joined(
        part._replace(members=frozenset((name,)))
        for name, shape in shapes.items()
        for part in parts(start, end, shape)
    )


def over(start: Point, end: Point, shapes: NamedShapes) -> set[Any]:
    """The names of the shapes where a line goes over their union."""
    if start == end:
        return set(shapes) if surrounded(start, shapes.values()) else set()
    members = [stretch.members for stretch in stretches(start, end, shapes) if stretch.crosses]
    return set().union(*members)


def times_over(start: Point, end: Point, shapes: NamedShapes) -> int:
    """How often a line goes over the union of some shapes, or comes into its inside."""
    if start == end:
        return 0
    over = [stretch for stretch in stretches(start, end, shapes) if stretch.crosses]
    begins_inside = over and over[0].low == 0 and surrounded(start, shapes.values())
    return len(over) - bool(begins_inside)


def pinched(start: Point, end: Point, pieces: Iterable[NamedShapes]) -> set[Any]:
    """The names of the shapes between which a line has no way, though it only touches each piece.

    What a line goes over anyway, as one piece, stops nothing beside it.
    """
    if start == end:
        return set()
    pinching: set[Any] = set()
    touched: list[LinePart] = []
    for shapes in pieces:
        for stretch in stretches(start, end, shapes):
            if not stretch.crosses:
                touched.append(stretch)
            elif len(stretch.members) > 1:
                pinching |= stretch.members
    between = [stretch.members for stretch in joined(touched) if stretch.crosses]
    return pinching.union(*between)


# -- around a point


def surrounded(point: Point, shapes: Iterable[TerrainShape]) -> bool:
    """Does a point lie inside the union of some areas, be it on the border of each?

    Around it areas begin and end at their corners only, so it is enough to look a hair to both
    sides of the ways to these.
    """
    areas = [shape for shape in shapes if not isinstance(shape, Wall)]
    around = [
        [part for area in areas for part in parts(point, corner, area) if not part.low]
        for corner in {corner for area in areas for corner in area if corner != point}
    ]
    return bool(around) and all(
        any(part.left for part in ways) and any(part.right for part in ways) for ways in around
    )


# -- which hang together


def connected(shapes: Sequence[TerrainShape], labels: Sequence[str]) -> list[int]:
    """For each shape the number of the first of those with its label that hang together with it."""
    first = list(range(len(shapes)))

    def root(number: int) -> int:
        while first[number] != number:
            number = first[number]
        return number

    for pair in box_pairs([boxed(shape) for shape in shapes]):
        one, other = sorted(map(root, pair))
        if one != other and labels[one] == labels[other] and share(*(shapes[n] for n in pair)):
            first[other] = one
    return [root(number) for number in range(len(shapes))]


def share(one: TerrainShape, other: TerrainShape) -> bool:
    """Have two shapes a point in common?"""
    return any(parts(*side, other) for side in sides_of(one)) or bool(
        parts(*sides_of(other)[0], one)
    )
