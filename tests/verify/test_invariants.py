"""A ruleset's own properties: checked in every position, and what breaks them is shown there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pymorph.explore.execution import application
from pymorph.ruleset import loader
from pymorph.verify.properties import invariants
from pymorph.verify.report import VIOLATED, Piece, Property, merge
from pymorph.verify.scope import Bounds, Scope
from pymorph.verify.versions.changes import AND
from tests.conftest import ROOT

TEMPLATE = ROOT / "pymorph" / "ruleset" / "template"
LOOPHOLE = {"interrupted_default": "free_as_well"}
CARDS = (
    "card_actions",
    "card_payoff",
    "card_calls",
    "card_attacks",
    "card_artifacts",
    "card_attributes",
    "card_scenarios",
)


@pytest.fixture(scope="module")
def morphyry() -> Scope:
    return Scope(loader.load("morphyry"), Bounds(cards=4))


def named(setting: Scope, name: str) -> Property:
    return next(each for each in invariants.properties(setting) if each.id == name)


def checked(setting: Scope, name: str, *pieces: str) -> Piece:
    found = named(setting, name)
    rows = [found.check(setting, piece) for piece in pieces or found.pieces(setting)]
    assert all(isinstance(row, Piece) for row in rows)
    return merge([row for row in rows if isinstance(row, Piece)])


# What a property hangs on


@pytest.mark.parametrize("name", CARDS)
def test_properties_of_cards_are_proved_from_the_facts(morphyry: Scope, name: str) -> None:
    """They hang on no position, and take no time."""
    assert named(morphyry, name).static
    assert named(morphyry, name).pieces(morphyry) == [invariants.STATIC]
    found = checked(morphyry, name)
    assert (found.findings, found.closed) == ((), True)
    assert found.subjects > 0


def test_a_property_of_actions_is_checked_for_those_that_bear_on_it(morphyry: Scope) -> None:
    """Only deploying and interrupting bring a card out of the hand."""
    assert named(morphyry, "unplanned_ready").pieces(morphyry) == [
        "interrupt by baganal",
        "interrupt by lathana",
        "deploy",
    ]
    assert named(morphyry, "own_turn").pieces(morphyry) == [invariants.ANYWHERE]
    kept = AND.join(named(morphyry, "cards_kept").pieces(morphyry)).split(AND)
    assert {"advance", "interrupt by lathana", "deploy"} <= {*kept}


# The loophole: Nothing is begun, and broken off in the next turn for a card from hand


@pytest.mark.campaign
@pytest.mark.parametrize("piece", ["deploy", "interrupt"])
def test_unplanned_ready_holds_as_the_rules_are_read(morphyry: Scope, piece: str) -> None:
    """mor_plan_04: whatever way a card from hand comes out, its Ready went before."""
    found = checked(morphyry, "unplanned_ready", piece)
    assert found.findings == ()
    assert found.subjects > 0


@pytest.mark.campaign
def test_unplanned_ready_finds_the_loophole() -> None:
    """mor_int_18: read otherwise, a card from hand takes over from Nothing with no Ready.

    The page on verifying shows it, and is tried by default.
    """
    setting = Scope(loader.load("morphyry"), Bounds(cards=4), LOOPHOLE)
    (found,) = checked(setting, "unplanned_ready", "interrupt").findings
    assert (found.subject, found.status, found.rules) == ("interrupt", VIOLATED, ("mor_plan_04",))
    assert found.witness is not None
    position, action = found.witness.position, found.witness.action
    assert len(position.fluents) <= 6
    who, place, source, card = action.removeprefix("interrupt(").removesuffix(")").split(", ")
    assert source == "hand"
    out = f"technique({who}, {place})"
    assert position.value(out).symbol in position.ruleset.vocabulary.sorts["default_action"].known
    assert application.apply(position, action).position.value(out).name == card


# Other properties of that game


@pytest.mark.campaign
def test_own_turn_holds_unless_interruptions_are_free_in_time(morphyry: Scope) -> None:
    """mor_game_05: who may act has the turn, unless one may break off in that of another."""
    assert checked(morphyry, "own_turn").findings == ()
    wider = Scope(morphyry.ruleset, morphyry.bounds, {"interruption_time": "any_time"})
    (found,) = checked(wider, "own_turn").findings
    assert (found.status, found.rules) == (VIOLATED, ("mor_game_05",))


@pytest.mark.campaign
@pytest.mark.parametrize("piece", ["ready", "cover"])
def test_cards_are_kept(morphyry: Scope, piece: str) -> None:
    """mor_game_01: a technique card is neither made nor lost."""
    assert checked(morphyry, "cards_kept", piece).findings == ()


@pytest.mark.campaign
@pytest.mark.parametrize("piece", ["invoke", "next_phase", "close"])
def test_speed_comes_from_invoking_alone(morphyry: Scope, piece: str) -> None:
    """mor_game_04: nobody has more Speed left than before, unless Electra is invoked."""
    assert checked(morphyry, "speed_once", piece).findings == ()


# A ruleset of a user's


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of the starter ruleset, with a folder for properties."""
    folder = shutil.copytree(TEMPLATE, tmp_path / "game")
    (folder / "properties").mkdir()
    return folder


def with_property(folder: Path, text: str) -> Scope:
    path = folder / "properties" / "mine.lp"
    path.write_text(f'property(mine). meaning(mine, "it is so").\n{text}\n', encoding="utf-8")
    return Scope(loader.load(str(folder)))


def test_what_breaks_a_property_of_facts_is_shown_where_it_stands(game: Path) -> None:
    """There is no position to it."""
    setting = with_property(
        game,
        "speaks(mine, S) :- situation(S), rule(_)."
        "violated(mine, X, S, heap_01) :- situation(S), action(X, _).",
    )
    found = checked(setting, "mine")
    assert named(setting, "mine").static
    assert {each.subject for each in found.findings} == set(setting.ruleset.vocabulary.actions)
    assert all("game.lp:" in each.place and each.witness is None for each in found.findings)


def test_what_nothing_breaks_has_no_findings(game: Path) -> None:
    """A property of positions that no rule can break is looked at in none."""
    setting = with_property(
        game,
        "speaks(mine, S) :- legal(_, S)."
        "violated(mine, X, S, heap_01) :- legal(X, S), not considered(X, S).",
    )
    found = checked(setting, "mine")
    assert found.findings == ()
    assert found.subjects > 0
