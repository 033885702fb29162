"""Walls and areas that share a point are one: cutting them in pieces changes no line and no way."""

import json
import random
from collections.abc import Sequence
from itertools import pairwise
from math import gcd
from typing import Any

import pytest
from clingo import Function, Number, Symbol, parse_term
from hypothesis import given, settings
from hypothesis import strategies as st

from pymorph.board.calls import CallResult
from pymorph.board.lengths import unions
from pymorph.board.lengths.length_units import point_term
from pymorph.board.lengths.measuring import Measuring
from pymorph.board.lengths.plane import Plane, Terrain
from pymorph.board.lengths.shapes import Point, Polygon, Wall
from pymorph.questions.board.sight import sight
from pymorph.questions.explanation import why
from pymorph.state.position import Position
from pymorph.terms import list_term
from tests.tables import parametrized, tables, tupled

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
        assert unions.pinched(start, end, [{n: each} for n, each in enumerate(shapes)]) == found


@parametrized
def test_inside_what_hangs_together(at: list[int], inside: bool) -> None:
    """A square in four, whose pieces meet in (5, 5) and at its sides."""
    point = (at[0], at[1])
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


def pieces_of(table: Measuring) -> list[tuple[Symbol, Symbol]]:
    """The pieces of terrain of a table, each with its label."""
    found = table.terrain()
    assert isinstance(found, list)
    return [(each.arguments[0], each.arguments[1]) for each in found]


def listed(answer: CallResult) -> list[Symbol]:
    return answer if isinstance(answer, list) else [answer]


def met(table: Measuring, start: Point, end: Point) -> str:
    """How a line meets the walls of a table."""
    one, two = point_term(start), point_term(end)
    found = [str(each.arguments[1]) for each in listed(table.crossed(one, two, list_term([])))]
    kinds = {"touches" if each.startswith("touched") else "crosses" for each in found}
    return "crosses" if "crosses" in kinds else "".join(kinds)


def told(table: Measuring, start: Point, end: Point) -> list[Any]:
    """All that a table says of a line and of a base on that way, without the names of pieces."""
    assert table.board is not None
    one, two = point_term(start), point_term(end)
    items = list_term([item for item, _ in pieces_of(table)])
    names = {str(table.piece(item, label)) for item, label in pieces_of(table)}
    times = {name: str(table.crossings(one, two, parse_term(name))) for name in names}
    base = parse_term("disc(a, (4, 4), 1)")
    return [
        met(table, start, end),
        sorted(times.values()),
        [  # what is overlapped comes before what is only touched
            min(
                (str(each) for each in listed(table.swept(one, two, Number(r), items))), default=""
            )[:4]
            for r in (2, 3)
        ],
        str(table.reached(one, two, Number(1), base, Number(3), Function("", []), items)),
        min(listed(table.gap(base, item))[0].number for item, _ in pieces_of(table)),
    ]


@given(walls(), st.integers(0, 10**6), spots, spots)
@settings(max_examples=600)
def test_a_wall_in_pieces(points: list[Point], seed: int, start: Point, end: Point) -> None:
    whole, pieces = table_of([Wall(tuple(points))]), table_of(cut_wall(points, random.Random(seed)))
    assert told(pieces, start, end) == told(whole, start, end)


OUTLINES = tupled(tables(__name__)["outlines"])


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
                item, part = pieces_of(whole)[0][0], pieces_of(table)[0][0]
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


# -- the same as games tell it

STANDOFF = tables(__name__)["standoff"]
SKIRMISH = tables(__name__)["skirmish"]
BENDS = tables(__name__)["bends"]


def position_of(game: dict[str, Any], walls: Sequence[Wall], label: str) -> Position:
    terrain = {
        f"t{n}": {"label": label, "edge": [list(point) for point in wall.points]}
        for n, wall in enumerate(walls)
    }
    return Position.parse(json.dumps({**game, "table": {"size": [12, 12], "terrain": terrain}}))


def verdicts(position: Position) -> list[tuple[str, ...]]:
    return sorted(
        (line.viewer, line.other, line.sight, line.cover) for line in sight(position).lines
    )


@pytest.mark.parametrize("bend", range(len(BENDS)))
@pytest.mark.parametrize(
    ("game", "label"),
    [(STANDOFF, "wall"), (SKIRMISH, "low_wall"), (SKIRMISH, "house_wall")],
    ids=["standoff", "low_wall", "house_wall"],
)
def test_games_tell_the_same_of_pieces(game: dict[str, Any], label: str, bend: int) -> None:
    """Sight, cover and moves, with bases that have a width, past walls in pieces."""
    points, moves = BENDS[bend], [(6, 3), (7, 3), (5, 9), (8, 5), (2, 9)]
    whole = position_of(game, [Wall(tuple(points))], label)
    pieces = position_of(game, cut_wall(points, random.Random(bend)), label)
    assert verdicts(pieces) == verdicts(whole)
    who = "move(ann, [[{}, {}]])" if game is STANDOFF else "go(w1, rush, [[{}, {}]])"
    for x, y in moves:
        action = who.format(x, y)
        assert why(pieces, action).legal == why(whole, action).legal, action
