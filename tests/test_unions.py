"""Walls and areas that share a point are one: cutting them in pieces changes no line and no way."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from math import gcd
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pymorph.board import unions
from pymorph.board.measuring import Measuring
from pymorph.board.plane import Plane, Terrain
from pymorph.board.rulers import list_term, point_term
from pymorph.board.shapes import Point, Polygon, Wall
from pymorph.terms import parse_term

LINE = ((0, 0), (20, 0))
ABOVE, BELOW = ((5, 0), (9, 0), (7, 4)), ((5, 0), (7, -4), (9, 0))


@pytest.mark.parametrize(
    ("shapes", "found"),
    [
        ((ABOVE, BELOW), {0, 1}),  # side against side
        ((ABOVE, tuple(reversed(BELOW))), {0, 1}),  # however they go round
        ((ABOVE, ((9, 0), (11, -4), (13, -2))), {0, 1}),  # corner against corner
        ((ABOVE, ((7, 0), (8, -4), (6, -4))), {0, 1}),  # a corner against a side
        ((ABOVE, ((10, 0), (11, -4), (13, -2))), set()),  # one after the other
        ((ABOVE, ((9, 0), (13, 0), (11, 4))), set()),  # on one side
        ((ABOVE, ((30, 0), (31, -4), (33, -2))), set()),  # past its end
        ((Wall(((5, 0), (5, 4))), Wall(((5, 0), (6, -4)))), {0, 1}),  # end against end
        ((Wall(((0, 0), (0, 4))), Wall(((0, 0), (0, -4)))), set()),  # where the line begins
        ((Wall(((5, 0), (9, 0))), BELOW), set()),  # a wall along it has no side
        ((Wall(((5, 0), (5, 4))), Wall(((2, 0), (6, 0))), BELOW), {0, 1, 2}),
        ((Wall(((5, 0), (5, 4))), Wall(((5, 0), (9, 0))), Wall(((9, 0), (9, -4)))), {0, 1, 2}),
        ((Wall(((5, 0), (5, 4))), Wall(((5, 0), (8, 0))), Wall(((9, 0), (9, -4)))), set()),
        ((Wall(((5, -4), (5, 4))), ABOVE), set()),  # what is gone over anyway stops nothing else
    ],
)
def test_between_what_meets(shapes: tuple[Any, ...], found: set[int]) -> None:
    for start, end in (LINE, LINE[::-1]):
        assert {n for n, _ in unions.pinched(start, end, [[each] for each in shapes])} == found


@pytest.mark.parametrize(
    ("point", "inside"),
    [
        ((5, 5), True), ((5, 0), False), ((5, 2), True), ((5, 10), False), ((0, 5), False),
        ((2, 5), True), ((12, 5), False), ((5, 7), True),
    ],
)  # fmt: skip
def test_inside_what_hangs_together(point: Point, inside: bool) -> None:
    """A square in four, whose pieces meet in (5, 5) and at its sides."""
    squares: list[Polygon] = [
        ((x, y), (x + 5, y), (x + 5, y + 5), (x, y + 5)) for x in (0, 5) for y in (0, 5)
    ]
    assert unions.surrounded(point, squares) is inside
    assert unions.surrounded(point, squares[:3]) is (inside and point[0] + point[1] < 10) or (
        point in ((5, 7), (5, 2), (2, 5))
    )


# -- any walls and areas, whole and in pieces

spots = st.tuples(st.integers(0, 8), st.integers(0, 8))


@st.composite
def walls(draw: st.DrawFn) -> list[Point]:
    """A bent wall with points of a small grid."""
    points = draw(st.lists(spots, min_size=2, max_size=6).filter(lambda found: len(set(found)) > 1))
    return [points[0], *(b for a, b in pairwise(points) if a != b)]


def on_the_way(start: Point, end: Point) -> list[Point]:
    """The whole points between two."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    n = gcd(dx, dy)
    return [(start[0] + dx // n * k, start[1] + dy // n * k) for k in range(1, n)]


def cut_wall(points: Sequence[Point], rng: random.Random) -> list[Wall]:
    """A wall in pieces that meet end to end, and in any order and sense."""
    pieces: list[Wall] = []
    going = [points[0]]
    for start, end in pairwise(points):
        for each in (*on_the_way(start, end), end):
            if each != end and rng.random() < 0.5:
                continue
            going.append(each)
            if rng.random() < 0.5:
                pieces.append(Wall(tuple(going[:: rng.choice((1, -1))])))
                going = [each]
    pieces += [Wall(tuple(going))] if len(going) > 1 else []
    rng.shuffle(pieces)
    return pieces


def table_of(shapes: Sequence[Wall | Polygon]) -> Measuring:
    terrain = [
        Terrain(f"t{n:02}", "wall", each.points if isinstance(each, Wall) else each,
                isinstance(each, Wall))
        for n, each in enumerate(shapes)
    ]  # fmt: skip
    return Measuring(Plane.of((8, 8), terrain))


def met(table: Measuring, start: Point, end: Point) -> str:
    """How a line meets the walls of a table."""
    one, two = point_term(start), point_term(end)
    found = [str(each.arguments[1]) for each in table.crossed(one, two, list_term([]))]
    kinds = {"touches" if each.startswith("touched") else "crosses" for each in found}
    return "crosses" if "crosses" in kinds else "".join(kinds)


def told(table: Measuring, start: Point, end: Point) -> list[Any]:
    """All that a table says of a line and of a base on that way, without the names of pieces."""
    assert table.board is not None
    one, two = point_term(start), point_term(end)
    items = list_term([item.arguments[0] for item in table.terrain()])
    names = {str(table.piece(item.arguments[0], item.arguments[1])) for item in table.terrain()}
    times = {name: str(table.crossings(one, two, parse_term(name))) for name in names}
    base = parse_term("disc(a, (4, 4), 1)")
    return [
        met(table, start, end),
        sorted(times.values()),
        [  # what is overlapped comes before what is only touched
            min(
                (str(each) for each in table.swept(one, two, parse_term(str(r)), items)), default=""
            )[:4]
            for r in (2, 3)
        ],
        str(table.reached(one, two, *map(parse_term, ("1", "disc(a,(4,4),1)", "3", "()")), items)),
        min(table.gap(base, item.arguments[0]).number for item in table.terrain()),
    ]


@given(walls(), st.integers(0, 10**6), spots, spots)
@settings(max_examples=600)
def test_a_wall_in_pieces(points: list[Point], seed: int, start: Point, end: Point) -> None:
    whole, pieces = table_of([Wall(tuple(points))]), table_of(cut_wall(points, random.Random(seed)))
    assert told(pieces, start, end) == told(whole, start, end)


OUTLINES: dict[str, tuple[Polygon, tuple[tuple[Polygon, ...], ...]]] = {
    "square": (
        ((2, 2), (6, 2), (6, 6), (2, 6)),
        (
            (((2, 2), (4, 2), (4, 6), (2, 6)), ((4, 2), (6, 2), (6, 6), (4, 6))),
            (((2, 2), (6, 2), (6, 6)), ((2, 2), (6, 6), (2, 6))),
            (((2, 2), (5, 2), (5, 6), (2, 6)), ((3, 2), (6, 2), (6, 6), (3, 6))),
            (
                ((2, 2), (6, 2), (4, 4)),
                ((6, 2), (6, 6), (4, 4)),
                ((6, 6), (2, 6), (4, 4)),
                ((2, 6), (2, 2), (4, 4)),
            ),
        ),
    ),
    "corner": (
        ((1, 1), (6, 1), (6, 3), (3, 3), (3, 6), (1, 6)),
        (
            (((1, 1), (6, 1), (6, 3), (1, 3)), ((1, 3), (3, 3), (3, 6), (1, 6))),
            (((1, 1), (3, 1), (3, 6), (1, 6)), ((3, 1), (6, 1), (6, 3), (3, 3))),
            (((1, 1), (6, 1), (6, 3), (3, 3)), ((1, 1), (3, 3), (3, 6), (1, 6))),
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OUTLINES)
def test_an_area_in_pieces(name: str) -> None:
    """Every line between points of a grid, and every point of it."""
    outline, cuts = OUTLINES[name]
    whole = table_of([outline])
    for pieces in cuts:
        table = table_of(pieces)
        for a in range(0, 8 * 9, 2):
            for b in range(0, 9 * 9):
                start, end = divmod(a, 9), divmod(b, 9)
                assert met(table, start, end) == met(whole, start, end), (pieces, start, end)
                one, two = point_term(start), point_term(end)
                [item, *_] = [each.arguments[0] for each in whole.terrain()]
                [part, *_] = [each.arguments[0] for each in table.terrain()]
                told = table.crossings(one, two, part), whole.crossings(one, two, item)
                assert told[0] == told[1], (pieces, start, end)


@given(st.lists(walls(), min_size=2, max_size=3), st.integers(0, 10**6), spots, spots)
@settings(max_examples=300)
def test_walls_that_touch_are_one(
    rows: list[list[Point]], seed: int, start: Point, end: Point
) -> None:
    """T-joints and crossings: cut where they like, whole walls tell as their pieces do."""
    rng = random.Random(seed)
    whole = table_of([Wall(tuple(points)) for points in rows])
    pieces = table_of([piece for points in rows for piece in cut_wall(points, rng)])
    assert told(pieces, start, end) == told(whole, start, end)
