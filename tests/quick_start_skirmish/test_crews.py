"""What a table adds to the Crew Cards: a card that is not whole is told, part by part."""

import shutil
from pathlib import Path

import pytest

from pymorph.questions.consistency import check
from tests.conftest import ROOT, position_of
from tests.games import file_text
from tests.tables import tables

CARD = file_text("crew_card/witch.lp")


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
    """qsr_own_23: a card has each part; qsr_main_15 to 17: so has each of its weapons."""
    assert faults(copy, CARD) == []
    card, expected = CARD, []
    for old, new, what, rule in map(dict.values, tables(__name__)["faults"]):
        assert card.count(old) == 1, old
        card = card.replace(old, new)
        expected.append((what, rule))
    assert faults(copy, card) == sorted(expected)


@pytest.mark.campaign
def test_a_deck_that_does_not_add_up_is_told(copy: Path) -> None:
    data = copy / "rules" / "data.lp"
    data.write_text(data.read_text().replace("deck(standard, 42)", "deck(standard, 43)"))
    assert faults(copy, CARD) == [("deck(standard, 43)", "qsr_own_08")]
