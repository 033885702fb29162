"""What a table adds to the Crew Cards: a card that is not whole is told, part by part."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pymorph.questions.consistency import check
from tests.conftest import ROOT, position_of

CARD = """
crew_card(witch).  size(witch, 4).  toughness(witch, (hits; focus), 4).  tokens(witch, 1).
trait(witch, (cast; def; fight; manv; shoot), 5).  attribute(witch, (acts; body; mind; soul), 5).
armour(witch, (dp; de), 4).  carries(witch, (sickle; thorns), 1).
weapon(sickle, fight).  reach(sickle, 1).  force(sickle, 2).  versus(sickle, dp).
severity(sickle, low).
weapon(thorns, cast).  range(thorns, 10).  force(thorns, 3).  versus(thorns, body).
severity(thorns, low).
"""
FAULTS = {
    "size(witch, 4).": ("", "lacks(crew_card(witch), size)", "qsr_own_23"),
    "(hits; focus)": ("hits", "lacks(crew_card(witch), focus)", "qsr_own_23"),
    "(cast; def; ": ("(cast; ", "lacks(crew_card(witch), def)", "qsr_own_23"),
    "(acts; body; ": ("(acts; ", "lacks(crew_card(witch), body)", "qsr_own_23"),
    "(dp; de)": ("dp", "lacks(crew_card(witch), de)", "qsr_own_23"),
    "range(thorns, 10).": ("", "lacks(weapon(thorns, cast), reach_or_range)", "qsr_main_15"),
    "force(sickle, 2).": ("", "lacks(weapon(sickle, fight), force)", "qsr_main_15"),
    "versus(sickle, dp).": ("", "lacks(weapon(sickle, fight), versus)", "qsr_main_15"),
    "severity(sickle, low).": ("", "lacks(weapon(sickle, fight), severity)", "qsr_main_15"),
    "reach(sickle, 1).": (
        "reach(sickle, 1). range(sickle, 8).",
        "one_too_many(range(sickle, 8))",
        "qsr_main_16",
    ),
    "severity(thorns, low).": (
        "severity(thorns, low). all_or_nothing(thorns).",
        "one_too_many(severity(thorns, low))",
        "qsr_main_17",
    ),
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for part in ("rules", "encodings"):
        shutil.copytree(ROOT / part / "quick_start_skirmish", tmp_path / part)
    return tmp_path


def faults(folder: Path, card: str) -> list[tuple[str, str]]:
    """What is wrong with a position in which somebody has the card."""
    (folder / "rules" / "added.lp").write_text(card)
    figures = {
        "wilma": {"card": "witch", "crew": "watch", "at": "a1"},
        "rook": {"card": "runner", "crew": "foxes", "at": "c1"},
    }
    start = {"ruleset": str(folder), "board": ". . .", "figures": figures}
    found = check(position_of({**start, "crews": {"watch": {}, "foxes": {}}}))
    return sorted((str(flaw.what), rule) for flaw in found.flaws for rule in flaw.rules)


@pytest.mark.campaign
def test_each_part_of_a_card_that_is_missing_or_one_too_many_is_told(copy: Path) -> None:
    assert faults(copy, CARD) == []
    card, expected = CARD, []
    for old, (new, what, rule) in FAULTS.items():
        assert card.count(old) == 1, old
        card = card.replace(old, new)
        expected.append((what, rule))
    assert faults(copy, card) == sorted(expected)


@pytest.mark.campaign
def test_a_deck_that_does_not_add_up_is_told(copy: Path) -> None:
    data = copy / "rules" / "data.lp"
    data.write_text(data.read_text().replace("deck(standard, 42)", "deck(standard, 43)"))
    assert faults(copy, CARD) == [("deck(standard, 43)", "qsr_own_08")]
