"""Lines from corner to corner of places, and calls of the board that nothing could answer."""

from collections.abc import Iterator

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
from tests.measuring import squares_under
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


@parametrized
def test_what_is_met(grid: str, one: str, other: str, items: list[str], whole: bool) -> None:
    """Between the ends of a line, the *whole* of it or its beginning."""
    found = met({"squares": SQUARE_GRID, "hexes": HEX_GRID}[grid], one, other)
    assert (found if whole else found[: len(items)]) == items


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
    points = []
    for end in (one, other):
        (x, y) = SQUARE_GRID.coordinates[end.arguments[0]]
        right, up = SQUARES.corners[end.arguments[1]]
        points.append((x + right / 2, y + up / 2))
    expected = map(str, squares_under(SQUARE_GRID, *points))
    named = {str(one.arguments[0]), str(other.arguments[0])}
    cells = [item[5:-1] for item in met(SQUARE_GRID, one, other) if item.startswith("cell(")]
    assert cells == [place for place in expected if place not in named]


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
