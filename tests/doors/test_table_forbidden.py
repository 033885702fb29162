"""The forbidden actions that the table shows: the likeliest first, and never too many of them."""

import pytest
from clingo import Function

from pymorph.doors.table.forbidden import MOST, Wanted, forbidden
from pymorph.state.position import Position
from tests.conftest import EXAMPLES

Term = Function


def start(game: str, name: str = "start") -> Position:
    return Position.load(EXAMPLES / "rulesets" / game / "positions" / f"{name}.yaml")


def test_from_to_is_the_first_meaning_of_two_clicks() -> None:
    """chs_04: a pawn cannot move three squares; the plain move comes before claims of a draw."""
    wanted = Wanted(clicked=[[Term("e2")], [Term("e5")]], actors=frozenset({Term("white")}))
    (first, verdict), *others = forbidden(start("chess"), wanted).items()
    assert str(first) == "move(white,e2,e5)"
    assert verdict.rules == ("chs_04",)
    assert all(not verdict.legal for _, verdict in others)


def test_what_was_clicked_may_have_several_names() -> None:
    """sto_09: whoever is clicked is an actor or a target, under one of the names."""
    position = start("standoff")
    wanted = Wanted("shoot", clicked=[[Term("nobody"), Term("bea")], [Term("ann")]])
    found = forbidden(position, wanted)
    assert [str(action) for action in found] == ["shoot(bea,ann)", "shoot(ann,bea)"]
    assert found[Term("shoot", [Term("bea"), Term("ann")])].rules == ("sto_09",)


def test_a_chosen_part_that_was_clicked_needs_no_other_place() -> None:
    """The one who acts was clicked and chosen: all that it cannot shoot is listed."""
    wanted = Wanted("shoot", (Term("bea"), Term("dan")), [[Term("bea")]])
    assert list(map(str, forbidden(start("standoff"), wanted))) == ["shoot(bea,dan)"]


@pytest.mark.parametrize("game", ["chess", "diplomacy"])
def test_of_thousands_there_are_few(game: str) -> None:
    """With nothing chosen, each name of which nothing is legal has one line, with its rules."""
    position = start(game)
    assert len(forbidden(position, Wanted())) < MOST.wanted
    large = {action.name for action in forbidden(position, Wanted(legal=frozenset({"move"})))}
    assert "move" not in large
    assert len(forbidden(position, Wanted("move"))) <= MOST.listed
