"""Lines from corner to corner of places, and calls of the board that nothing could answer."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from clingo import Function, Symbol, parse_term
from clingo.ast import AST
from hypothesis import given, settings
from hypothesis import strategies as st

from pymorph.asp.syntax_trees import calls_in, rules_in
from pymorph.board.geometry import Geometry
from pymorph.board.grid import Board
from pymorph.board.lattice import HEXES, SQUARES
from pymorph.ruleset.checks.calls import unanswerable
from tests.tables import parametrized

SQUARE_GRID = Board.from_drawing("\n".join([" ".join("." * 7)] * 6), {".": "plain"}, {})
HEX_GRID = Board.from_drawing(
    "\n".join(("  " if row % 2 else "") + "   ".join("." * 5) for row in range(5)),
    {".": "plain"},
    {},
    lattice=HEXES,
)
MIRRORED = {"start": "end", "end": "start"}


def met(board: Board, one: str | Symbol, other: str | Symbol) -> list[str]:
    """What a line meets, as texts."""
    ends = [parse_term(each) if isinstance(each, str) else each for each in (one, other)]
    answer = Geometry(board).crossed(*ends)
    assert isinstance(answer, list)
    return [str(numbered.arguments[1]) for numbered in answer]


def test_along_a_row_of_edges() -> None:
    """The line runs between two rows; a wall of two squares has it between its halves."""
    assert met(SQUARE_GRID, "corner(a1, north_east)", "corner(d1, north_west)") == [
        "along(b2,b1)",
        "point(b2,b1,c2,c1)",
        "along(c2,c1)",
    ]
    assert met(SQUARE_GRID, "corner(a1, south_west)", "corner(b1, south_east)") == [
        "along(a1,outside)",
        "point(a1,outside,b1,outside)",
        "along(b1,outside)",
    ]


def test_from_corner_to_corner_through_squares() -> None:
    assert met(SQUARE_GRID, "corner(a1, north_east)", "corner(d4, south_west)") == [
        "cell(b2)",
        "corner(b2,c3,c2,b3)",
        "cell(c3)",
    ]
    assert met(SQUARE_GRID, "corner(a1, south_west)", "corner(c2, north_east)") == [
        "join(a1,b1)",
        "cell(b1)",
        "join(b1,b2)",
        "cell(b2)",
        "join(b2,c2)",
    ]
    assert met(SQUARE_GRID, "b2", "corner(d2, south_east)") == [
        "join(b2,c2)",
        "cell(c2)",
        "join(c2,d2)",
    ]


def test_two_corners_that_are_one_have_nothing_between_them() -> None:
    assert met(SQUARE_GRID, "corner(a1, north_east)", "corner(b2, south_west)") == []
    assert met(HEX_GRID, "corner(b2, north)", "corner(b3, south_east)") == []


def test_from_corner_to_corner_of_hexes() -> None:
    """Along one edge; through a hex; along an edge at the end."""
    assert met(HEX_GRID, "corner(b2, north)", "corner(b4, south)") == ["corner(start,end,b3,c3)"]
    assert met(HEX_GRID, "corner(b2, south)", "corner(b4, north)") == ["corner(b2,b4,b3,c3)"]
    assert met(HEX_GRID, "corner(a1, north_east)", "corner(e3, south_west)")[:3] == [
        "cell(b1)",
        "join(b1,b2)",
        "cell(b2)",
    ]


def test_no_line_from_corner_to_corner_across_a_gap() -> None:
    """Two squares with one missing between them."""
    a1, c1 = Function("a1"), Function("c1")
    board = Board(dict.fromkeys((a1, c1), ()), {}, {a1: (0, 0), c1: (2, 0)})
    assert met(board, "corner(a1, north_east)", "corner(c1, south_west)") == []
    assert met(board, "corner(a1, north_west)", "corner(c1, north_east)") == []


def corners(board: Board) -> st.SearchStrategy[Symbol]:
    places = st.sampled_from(board.places)
    facings = st.sampled_from(tuple(board.lattice.corners))
    return st.builds(lambda place, facing: Function("corner", [place, facing]), places, facings)


def mirrored(item: Symbol) -> str:
    """An item of the same line read the other way."""
    names = [Function(MIRRORED.get(str(each), str(each))) for each in item.arguments]
    if item.name in ("along", "point"):
        return str(Function(item.name, names[::-1]))
    return str(Function(item.name, [*names[:2][::-1], *names[2:][::-1]]))


@pytest.mark.parametrize("board", [SQUARE_GRID, HEX_GRID], ids=["squares", "hexes"])
@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_mirrored(board: Board, data: st.DataObject) -> None:
    """Read backwards a line has the same items, whatever its ends are."""
    ends = st.one_of(corners(board), st.sampled_from(board.places))
    one, other = data.draw(ends), data.draw(ends)
    there, back = met(board, one, other), met(board, other, one)
    assert there == [mirrored(parse_term(item)) for item in reversed(back)]


@settings(deadline=None, max_examples=150)
@given(one=corners(SQUARE_GRID), other=corners(SQUARE_GRID))
def test_squares_agree_with_clipping(one: Symbol, other: Symbol) -> None:
    """The squares inside which the line runs for a length, in order, are those that it has."""
    points: list[tuple[Fraction, Fraction]] = []
    for end in (one, other):
        (x, y), (right, up) = (
            SQUARE_GRID.coordinates[end.arguments[0]],
            SQUARES.corners[end.arguments[1]],
        )
        points.append((x + Fraction(right, 2), y + Fraction(up, 2)))
    begins, ends = points
    expected = []
    for place, (column, row) in SQUARE_GRID.coordinates.items():
        low, high = Fraction(0), Fraction(1)
        for at, to, middle in zip(begins, ends, (column, row), strict=True):
            way = to - at
            if way:
                cut = sorted((Fraction(2 * middle - 1, 2) - at, Fraction(2 * middle + 1, 2) - at))
                reached = sorted(each / way for each in cut)
                low, high = max(low, reached[0]), min(high, reached[1])
            elif abs(at - middle) >= Fraction(1, 2):
                high = Fraction(-1)
        if low < high:
            expected.append((low, str(place)))
    named = {str(one.arguments[0]), str(other.arguments[0])}
    cells = [item[5:-1] for item in met(SQUARE_GRID, one, other) if item.startswith("cell(")]
    assert cells == [place for _, place in sorted(expected) if place not in named]


def called(call: str) -> Iterator[AST]:
    (rule,) = rules_in(f"met(X) :- asked(P, Q, D, B, C), X = {call}.")
    return calls_in(rule)


@parametrized
def test_what_no_board_answers_is_refused(call: str, wrong: str) -> None:
    (said,) = unanswerable(called(call))
    assert said.startswith(wrong)


@parametrized
def test_what_a_board_may_answer_is_not(call: str) -> None:
    assert not list(unanswerable(called(call)))
