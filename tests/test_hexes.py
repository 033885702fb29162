"""A board of hexes: drawn, measured, seen across and walked over, beside cube coordinates."""

import heapq
import pickle
import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import pairwise
from math import cos, isqrt, pi, sin, sqrt
from pathlib import Path

import pytest
from clingo import Function, Symbol
from hypothesis import given, settings
from hypothesis import strategies as st

from pymorph.board.geometry import Geometry
from pymorph.board.grid import Board
from pymorph.board.lattice import HEXES
from pymorph.errors import Fault, InputError, Place
from pymorph.questions.board.drawing import drawn as drawn_of
from pymorph.questions.board.measuring import measure
from pymorph.state.position import Position
from pymorph.views.pictures import ascii, svg
from pymorph.views.pictures.scene import scene_of
from tests.conftest import EXAMPLES
from tests.inn import write_inn
from tests.tables import parametrized, tables, tupled
from tests.test_board import JOINS, SYMBOLS, ask, crossed, items, listed, require_answers
from tests.test_ruleset import LINE, refusal, spoilt

Cube = tuple[Fraction, Fraction]  # the first two of three that add up to nothing
SVG = "{http://www.w3.org/2000/svg}"
NAMES = [str(facing) for facing in HEXES.facings]
# Each facing with its step in the first two cube coordinates, across and up.
CUBE = tupled(tables(__name__)["cube"])
BEARINGS = dict(zip(CUBE, range(30, 360, 60), strict=True))  # clockwise from north, in degrees
# Each corner with the two facings between which it lies.
CORNERS = tupled(tables(__name__)["corners"])


def drawn(text: str) -> Board:
    return Board.from_drawing(text, SYMBOLS, JOINS, lattice=HEXES)


def rows(width: int, height: int) -> str:
    row = " ".join("." * width)
    return "\n".join((" " if n % 2 else "") + row for n in range(height))


GRID = drawn(rows(9, 9))
PLACES = st.sampled_from(GRID.places)
INNER = [p for p, (x, y) in GRID.coordinates.items() if 2 < x < 14 and 1 < y < 7]


def cube(place: Symbol) -> Cube:
    x, y = GRID.coordinates[place]
    return Fraction(x - y, 2), Fraction(y)


AT = {cube(place): place for place in GRID.places}


def apart(one: Cube, other: Cube) -> int:
    q, r = other[0] - one[0], other[1] - one[1]
    return int(max(abs(q), abs(r), abs(q + r)))


# Drawings


def test_drawing_is_canonical() -> None:
    text = ". .|.\n . T .\n. . ."
    assert drawn(text).drawing(SYMBOLS, JOINS) == ".   . | .\n  .   T   .\n.   .   .\n"
    assert drawn("+\n  . T\n . .") == drawn("+\n    .   T\n  .   .\n")
    assert drawn(" . T\n. .").drawing(SYMBOLS, JOINS) == "+\n  .   T\n.   .\n"
    assert drawn(". .") != Board.from_drawing(". .", SYMBOLS, JOINS)


@parametrized
def test_answers(board: str, answers: str) -> None:
    require_answers(drawn(board), answers)


@parametrized
def test_drawing_fault(text: str, line: int, column: int, message: str) -> None:
    place = Place("camp.yaml", 7, 3)
    with pytest.raises(InputError) as caught:
        Board.from_drawing(text, SYMBOLS, JOINS, place, HEXES)
    at = Place("camp.yaml", 6 + line, 2 + column)
    assert caught.value.faults == (Fault(message, at),)


@st.composite
def drawings(draw: st.DrawFn) -> str:
    """A drawing of hexes with joins wherever there may be some."""
    width, height = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    first = draw(st.booleans())
    cell, join = st.sampled_from(".TW_"), st.sampled_from("     |#")
    flat = st.sampled_from("    -#")
    lines = ["+"] if first else []
    for row in range(height):
        shifted = (row + first) % 2
        cells = [draw(cell) + (f" {draw(join)} " if n + 1 < width else "") for n in range(width)]
        lines.append("  " * shifted + "".join(cells))
        if row + 1 < height:
            marks = [1 + 2 * n for n in range(2 * width - 1)]
            lines.append("".join(draw(flat) if c in marks else " " for c in range(4 * width)))
    return "\n".join(lines)


@settings(deadline=None)
@given(drawings())
def test_drawing_is_read_back(text: str) -> None:
    board = drawn(text)
    again = board.drawing(SYMBOLS, JOINS)
    assert drawn(again) == board
    assert drawn(again).drawing(SYMBOLS, JOINS) == again
    for columns, height in ((2, 2), (3, 1), (1, 3)):
        part = board.corner(columns, height)
        assert drawn(part.drawing(SYMBOLS, JOINS)) == part


@settings(deadline=None)
@given(st.text(alphabet=".T|-#+ \n\tx", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        board = drawn(text)
    except InputError:
        return
    assert drawn(board.drawing(SYMBOLS, JOINS)) == board


@settings(deadline=None)
@given(drawings())
def test_board_survives_pickling(text: str) -> None:
    board = drawn(text)
    again = pickle.loads(pickle.dumps(board))
    assert again == board
    assert again.lattice is HEXES
    assert hash(again) == hash(board)


# Facings and distances


@given(PLACES, PLACES)
def test_distances_agree_with_cubes(one: Symbol, other: Symbol) -> None:
    steps = apart(cube(one), cube(other))
    q, r = (b - a for a, b in zip(cube(one), cube(other), strict=True))
    square = q * q + q * r + r * r
    root = isqrt(int(square))
    straight = root + (root * root < square)
    for metric, expected in (
        ("steps", steps), ("king", steps), ("squared", square), ("straight", straight)
    ):  # fmt: skip
        assert ask(GRID, f"distance({one}, {other}, {metric})") == [str(expected)]
    near = ask(GRID, f"around({one}, 2)")
    assert (str(other) in near) == (0 < steps <= 2)


@given(PLACES, PLACES, st.sampled_from(NAMES))
def test_where_it_lies_agrees_with_an_angle(one: Symbol, other: Symbol, facing: str) -> None:
    """In true proportions, where nothing is nearer nought than it looks."""
    q, r = (float(b - a) for a, b in zip(cube(one), cube(other), strict=True))
    x, y = q + r / 2, r * sqrt(3) / 2
    bearing = BEARINGS[facing] * pi / 180
    ahead, aside = (x * sin(bearing) + y * cos(bearing), x * cos(bearing) - y * sin(bearing))

    def sign(value: float) -> int:
        return (value > 1e-6) - (value < -1e-6)

    expected = [] if one == other else [str(sign(ahead))]
    assert ask(GRID, f"side({one}, {facing}, {other})") == expected
    exact = [sign(length) * 4 * length * length for length in (ahead, aside)]
    squares = [round(square) for square in exact]
    assert all(abs(a - b) < 1e-6 for a, b in zip(exact, squares, strict=True))
    assert ask(GRID, f"offset({one}, {facing}, {other})") == [f"({squares[0]},{squares[1]})"]
    pointing = [facing] if sign(aside) == 0 and sign(ahead) > 0 else []
    found = ask(GRID, f"facing({one}, {other})")
    assert [name for name in found if name == facing] == pointing


@given(PLACES, st.sampled_from(NAMES))
def test_neighbour_agrees_with_cubes(place: Symbol, facing: str) -> None:
    q, r = cube(place)
    there = AT.get((q + CUBE[facing][0], r + CUBE[facing][1]))
    assert ask(GRID, f"neighbour({place}, {facing})") == ([str(there)] if there else [])


# Lines, clipped in cube coordinates, where a hex is what lies between three pairs of lines


def inside(hexagon: Cube, point: Cube) -> bool:
    """Is a point in a hex or on its border?"""
    q, r = point[0] - hexagon[0], point[1] - hexagon[1]
    return max(abs(q - r), abs(2 * r + q), abs(2 * q + r)) <= 1


def stretch(hexagon: Cube, start: Cube, end: Cube) -> tuple[Fraction, Fraction] | None:
    """From where to where a line is within a hex, if it is for a length, and not on its border."""
    enter, leave = Fraction(0), Fraction(1)
    for a, b in ((1, -1), (1, 2), (2, 1)):
        first = a * (start[0] - hexagon[0]) + b * (start[1] - hexagon[1])
        long = a * (end[0] - start[0]) + b * (end[1] - start[1])
        if long:
            ways = sorted(((-1 - first) / long, (1 - first) / long))
            enter, leave = max(enter, ways[0]), min(leave, ways[1])
        elif abs(first) >= 1:
            return None
    return (enter, leave) if enter < leave else None


def met(one: Symbol, start: Cube, other: Symbol) -> list[Symbol]:
    """What a line meets that begins in or at one place."""
    end = cube(other)
    long = (end[0] - start[0], end[1] - start[1])

    def at(part: Fraction) -> list[Symbol]:
        point = (start[0] + part * long[0], start[1] + part * long[1])
        return [place for hexagon, place in AT.items() if inside(hexagon, point)]

    def flanks(found: list[Symbol]) -> list[Symbol]:
        """The left one and the right one; the edge itself is across from the other."""

        def side(place: Symbol) -> Fraction:
            q, r = cube(place)
            return long[0] * (r - start[1]) - long[1] * (q - start[0])

        left = [place for place in found if side(place) > 0]
        right = [place for place in found if side(place) < 0]
        edge = Function("edge")
        return [*(left or [edge]), *(right or [edge])]

    spans = [(span, place) for cell, place in AT.items() if (span := stretch(cell, start, end))]
    spans.sort(key=lambda each: each[0])
    if one == other:
        return []
    found: list[Symbol] = []
    (first, _), place = spans[0]
    if first > 0:  # along an edge
        beside = at(first / 2)
        if one in beside:
            spans.insert(0, ((Fraction(0), first), one))
        else:
            found.append(Function("corner", [Function("start"), place, *flanks(beside)]))
    if place not in (one, other) and spans[0][1] != one:
        found.append(Function("cell", [place]))
    for ((_, leave), here), ((enter, _), there) in pairwise(spans):
        around = {*at(leave)}
        if enter > leave:
            found.append(Function("corner", [here, there, *flanks(at((enter + leave) / 2))]))
        elif len(around) == 2:
            found.append(Function("join", [here, there]))
        else:
            found.append(Function("corner", [here, there, *flanks([*(around - {here, there})])]))
        if there != other:
            found.append(Function("cell", [there]))
    return found


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(INNER), st.sampled_from(INNER))
def test_crossed_agrees_with_clipping(one: Symbol, other: Symbol) -> None:
    assert items(Geometry(GRID).crossed(one, other)) == met(one, cube(one), other)


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(INNER), st.sampled_from(INNER), st.sampled_from(list(CORNERS)))
def test_crossed_from_a_corner_agrees_with_clipping(
    one: Symbol, other: Symbol, corner: str
) -> None:
    q, r = cube(one)
    ways = [CUBE[facing] for facing in CORNERS[corner]]
    start = (q + Fraction(sum(w[0] for w in ways), 3), r + Fraction(sum(w[1] for w in ways), 3))
    term = Function("corner", [one, Function(corner)])
    assert items(Geometry(GRID).crossed(term, other)) == met(one, start, other)


@pytest.mark.campaign
@pytest.mark.parametrize("one", INNER, ids=str)
def test_every_line_agrees_with_clipping(one: Symbol) -> None:
    """From a place and its six corners to each place that is not at the border."""
    q, r = cube(one)
    for other in INNER:
        assert items(Geometry(GRID).crossed(one, other)) == met(one, (q, r), other)
        for corner, facings in CORNERS.items():
            (a, b), (c, d) = (CUBE[facing] for facing in facings)
            start = (q + Fraction(a + c, 3), r + Fraction(b + d, 3))
            term = Function("corner", [one, Function(corner)])
            assert items(Geometry(GRID).crossed(term, other)) == met(one, start, other)


@given(PLACES, PLACES)
def test_crossed_mirrors(one: Symbol, other: Symbol) -> None:
    there = items(Geometry(GRID).crossed(one, other))
    mirrored = []
    for item in reversed(items(Geometry(GRID).crossed(other, one))):
        x, *rest = item.arguments
        if item.name == "join":
            item = Function("join", [rest[0], x])
        elif item.name == "corner":
            item = Function("corner", [rest[0], x, rest[2], rest[1]])
        mirrored.append(item)
    assert there == mirrored


def test_no_line_runs_across_a_gap() -> None:
    a1, b1, c1 = map(Function, ("a1", "b1", "c1"))
    board = Board({a1: (), c1: ()}, {}, {a1: (0, 0), c1: (4, 0)}, HEXES)
    assert crossed(board, "a1", "c1") == []
    board = Board(dict.fromkeys((a1, b1), ()), {}, {a1: (0, 0), b1: (2, 0)}, HEXES)
    assert crossed(board, "a1", "b1") == []


# Ways


@st.composite
def walks(draw: st.DrawFn) -> tuple[Board, str, str, tuple[int, int, int], list[str]]:
    board = drawn(draw(drawings()))
    places = st.sampled_from(list(map(str, board.places)))
    prices = (draw(st.integers(0, 3)), draw(st.integers(0, 3)), draw(st.integers(0, 4)))
    shut = draw(st.lists(places, max_size=2))
    return board, draw(places), draw(st.sampled_from(NAMES)), prices, shut


@settings(deadline=None, max_examples=80)
@given(walks())
def test_reach_agrees_with_a_plain_search(
    walk: tuple[Board, str, str, tuple[int, int, int], list[str]],
) -> None:
    """Over places and facings, by turns of some sixths and by steps ahead, past walls and water."""
    board, start, facing, (step, turn, most), shut = walk
    best: dict[str, int] = {}
    queue, done = [(0, start, facing)], set()
    while queue:
        cost, place, way = heapq.heappop(queue)
        if (place, way) in done:
            continue
        done.add((place, way))
        best.setdefault(place, cost)
        for other in NAMES:
            sixths = abs(NAMES.index(way) - NAMES.index(other))
            if (0, 2, 3, 4)[min(sixths, 6 - sixths)] <= most:
                heapq.heappush(queue, (cost + turn, place, other))
        for there in ask(board, f"neighbour({place}, {way})"):
            labels = ask(board, f"labels({there})") + ask(board, f"edge({place}, {there})")
            if there not in shut and not {"wall", "water"} & {*labels}:
                heapq.heappush(queue, (cost + step, there, way))
    places = listed(map(Function, shut))
    bars = f"bars((wall, ()), (water, ()), (), {places}, (), blocked_if_both_sides)"
    found = ask(
        board,
        f"reach({start}, {facing}, 99, prices({step}, 9, {turn}, {most}, always), {bars}, ())",
    )
    order = {str(place): number for number, place in enumerate(board.places)}
    assert found == [f"({place},{best[place]})" for place in sorted(best, key=order.__getitem__)]


# Positions and pictures


FIELD = EXAMPLES / "field/hexes.yaml"


def test_position_is_read_back() -> None:
    field = Position.load(FIELD)
    assert field.grid is not None
    assert field.grid.lattice is HEXES
    for text in (field.yaml(), field.line()):
        assert Position.parse(text) == field
    assert "hexes" in field.data()
    assert "board" not in field.data()
    assert pickle.loads(pickle.dumps(field)) == field
    assert {"north", "south"}.isdisjoint(
        map(str, field.ruleset.vocabulary.members("facing", field.scene))
    )


def test_two_boards_are_one_too_many() -> None:
    text = FIELD.read_text("utf-8") + "board: |\n  . .\n"
    with pytest.raises(
        InputError, match="expected one board: squares under 'board', or hexes under 'hexes'"
    ):
        Position.parse(text)


def test_svg_of_hexes() -> None:
    """A hex for each place, as high as two of its edges, and a wall along one of them."""
    field = Position.load(FIELD)
    root = ET.fromstring(svg.board_svg(scene_of(field, drawn_of(field))))
    hexes = {}
    for group in root.iter(f"{SVG}g"):
        title, shape = group.find(f"{SVG}title"), group.find(f"{SVG}polygon")
        if title is not None and shape is not None:
            corners = shape.attrib["points"].split()
            hexes[title.text] = [tuple(map(float, corner.split(","))) for corner in corners]
    assert len(hexes) == 88
    (north, north_east, south_east, south, _, north_west) = hexes["d6: Space"]
    assert round(south[1] - north[1]) == round(2 * (south_east[1] - north_east[1]))
    assert round(north_east[0] - north_west[0]) == round((south[1] - north[1]) * sqrt(3) / 2)
    wall = next(
        line
        for group in root.iter(f"{SVG}g")
        for title in group.iter(f"{SVG}title")
        for line in group.iter(f"{SVG}line")
        if title.text == "Low wall between d5 and d6"
    )
    ends = {(float(wall.attrib[f"x{n}"]), float(wall.attrib[f"y{n}"])) for n in (1, 2)}
    low, aslant = south, south_east
    assert all(min(abs(x - u) + abs(y - v) for u, v in (low, aslant)) < 1 for x, y in ends)


def test_board_of_hexes_in_characters() -> None:
    field = Position.load(FIELD)
    lines = ascii.surface_text(scene_of(field, drawn_of(field)), plain=True, legend=False)
    assert [line[:57].rstrip() for line in lines[7:13]] == tables(__name__)["board_in_characters"]


def test_measure_on_hexes() -> None:
    found = measure(Position.load(FIELD), "ada", "gar")
    assert [(m.name, m.value, m.exact) for m in found.measures] == [
        ("steps", 4, True),
        ("straight", 4, False),
    ]


def test_a_game_says_that_it_is_played_on_hexes(tmp_path: Path) -> None:
    """Morphyry is not; of a game that is played on nothing else the surface is of hexes."""
    text = (EXAMPLES / "positions/diagonal.yaml").read_text("utf-8")
    with pytest.raises(InputError, match="unknown key 'hexes'"):
        Position.parse(text.replace("board: |", "hexes: |"))
    own = write_inn(tmp_path / "inn")
    spoilt(own, "lattice(hexes).")
    line = LINE.format(own)
    with pytest.raises(InputError, match="this game draws its board under the key 'hexes'"):
        Position.parse(line)
    spoilt(own, 'lattice(hexes). surface(". .\\n . .").')
    found = Position.parse(line.replace("board: '. . .', ", ""))
    assert found.grid is not None
    assert (found.grid.lattice, len(found.grid.joins)) == (HEXES, 5)
    told = "inn: unknown lattice 'hex'; did you mean 'hexes'?"
    assert refusal(spoilt(own, "lattice(hex).")) == [told]
