"""What is said of a position as it is: somebody can act in it, and each figure adds up."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pymorph.questions import legality
from pymorph.ruleset import loader
from pymorph.verify.properties import figures
from pymorph.verify.report import VIOLATED, Finding
from pymorph.verify.scope import Bounds, Scope
from tests.conftest import ROOT

TEMPLATE = ROOT / "pymorph" / "ruleset" / "template"


@pytest.fixture(scope="module")
def morphyry() -> Scope:
    return Scope(loader.load("morphyry"), Bounds(cards=4))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of the starter ruleset."""
    return shutil.copytree(TEMPLATE, tmp_path / "game")


def edited(folder: Path, old: str, new: str, file: str = "encodings/play.lp") -> Scope:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return Scope(loader.load(str(folder)))


def of_score(setting: Scope, name: str) -> tuple[Finding, ...]:
    return figures.study(setting, "score")[name].findings


# Somebody can act


def test_the_starter_ruleset_is_never_stuck() -> None:
    piece = figures.deadlock(Scope(loader.load(str(TEMPLATE))), "")
    assert piece.findings == ()
    assert piece.subjects > 0


def test_a_game_without_an_end_is_stuck_in_the_smallest_position(game: Path) -> None:
    """heap_03: with the heap empty nothing can be taken, and nothing says that it is over."""
    (found,) = figures.deadlock(
        edited(game, "\nover(S, heap_03)", "\nended(S, heap_03)"), ""
    ).findings
    assert (found.subject, found.status) == ("stuck", VIOLATED)
    assert found.witness is not None
    assert legality.legal_actions(found.witness.position) == ()
    assert found.witness.position.value("heap").symbol.number == 0


@pytest.mark.campaign
def test_the_great_ruleset_is_never_stuck(morphyry: Scope) -> None:
    """It is looked at within smaller bounds, which is said."""
    piece = figures.deadlock(morphyry, "")
    assert piece.findings == ()
    assert piece.subjects > 0
    (note,) = piece.notes
    assert note.startswith("searched within ")


# Each figure adds up


def test_the_figures_of_the_starter_ruleset_add_up() -> None:
    setting = Scope(loader.load(str(TEMPLATE)))
    assert figures.figures(setting) == ["score"]
    pieces = figures.study(setting, "score")
    assert all(piece.findings == () and piece.subjects > 0 for piece in pieces.values())


def test_an_item_with_two_amounts_is_found(game: Path) -> None:
    more = "\nentry(score(C), counters, N + 1, S, heap_02) :- holds(taken(C), N, S).\n"
    more += "entry(score(C), counters, N, S, heap_03) :- holds(taken(C), N, S).\n"
    (game / "encodings" / "more.lp").write_text(more, encoding="utf-8")
    (found,) = of_score(Scope(loader.load(str(game))), "ledger")
    assert (found.subject, found.status) == ("score", VIOLATED)
    assert "twice: " in found.says
    assert {"heap_02", "heap_03"} <= set(found.rules)


def test_a_figure_out_of_its_range_is_found(game: Path) -> None:
    old = "figure(score, (player,), counters, 0, 99)."
    new = "figure(score, (player,), counters, 0, 5)."
    (found,) = of_score(edited(game, old, new, "rules/game.lp"), "range")
    assert (found.subject, found.status) == ("score", VIOLATED)
    assert found.says.endswith("is 6, but declared 0 to 5")


@pytest.mark.campaign
@pytest.mark.parametrize("name", ["pips", "encumbrance", "inertia"])
def test_figures_of_the_great_ruleset_add_up(morphyry: Scope, name: str) -> None:
    pieces = figures.study(morphyry, name)
    assert all(piece.findings == () and piece.subjects > 0 for piece in pieces.values())
