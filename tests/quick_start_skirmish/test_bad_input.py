"""What cannot be meant: one clear line, its place or its rule, and the documented exit code."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tables import parametrized

ROOT = Path(__file__).resolve().parents[2]
CLEARING = ROOT / "examples/clearing"
NAME = "quick_start_skirmish"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def own_rules(*changes: tuple[str, str, str]) -> None:
    """The ruleset as one of one's own, in which some facts are others."""
    shutil.copytree(ROOT / "rules" / NAME, "own/rules")
    shutil.copytree(ROOT / "encodings" / NAME, "own/encodings")
    for file, old, new in changes:
        rewritten(Path("own/rules", file), (old, new))
    rewritten(CLEARING / "in_reach.yaml", (NAME, "./own"), to="fight.yaml")


def rewritten(path: Path, *changes: tuple[str, str], to: str = "") -> None:
    text = path.read_text("utf-8")
    for old, new in changes:
        assert text.count(old) >= 1, old
        text = text.replace(old, new)
    Path(to or path).write_text(text, "utf-8")


def place(file: str, fact: str) -> str:
    """Where a fact stands in the table's own rules."""
    path = Path("own/rules", file)
    rows = enumerate(path.read_text("utf-8").splitlines(), 1)
    return next(f"{path}:{line}:{text.index(fact) + 1}" for line, text in rows if fact in text)


def test_a_card_with_an_unknown_skill(here: Path, pymorph: Run) -> None:
    own_rules(("crew_cards.lp", "skill(grenadier, throw, 1)", "skill(grenadier, thrw, 1)"))
    code, out, err = pymorph("legal", "fight.yaml")
    assert (code, out) == (2, "")
    assert err == (
        f"{place('crew_cards.lp', 'skill(grenadier, thrw, 1)')}: in 'skill(grenadier, thrw, 1)' "
        "'thrw' is not in the sort skill; did you mean 'throw'? | skill(grenadier, thrw, 1).\n"
    )


@pytest.mark.campaign
def test_a_profile_and_a_deck_that_do_not_fit_together(here: Path, pymorph: Run) -> None:
    """qsr_main_16: a reach or a range; qsr_own_08: a deck has its cards."""
    own_rules(
        ("crew_cards.lp", "reach(pike, 4).", "reach(pike, 4).  range(pike, 12)."),
        ("data.lp", "deck(standard, 42).", "deck(standard, 43)."),
    )
    said = (
        (
            f"{place('data.lp', 'deck(standard, 43)')}: deck(standard, 43) breaks qsr_own_08 (",
            "; change that fact of the ruleset",
        ),
        (
            f"{place('crew_cards.lp', 'range(pike, 12)')}: one_too_many(range(pike, 12)) "
            "breaks qsr_main_16 (",
            "; change that fact of the ruleset",
        ),
    )
    code, out, err = pymorph("legal", "fight.yaml")
    assert (code, out) == (2, "")
    for line, (opening, remedy) in zip(err.splitlines(), said, strict=True):
        assert line.startswith(opening)
        assert line.endswith(remedy)


@parametrized
def test_a_position(old: str, new: str, told: str, here: Path, pymorph: Run) -> None:
    rewritten(CLEARING / "in_reach.yaml", (old, new), to="fight.yaml")
    code, out, err = pymorph("legal", "fight.yaml")
    assert (code, out) == (2, "")
    assert all(line.startswith("fight.yaml:") for line in err.splitlines())
    assert f"fight.yaml:{told}" in err


def test_a_push_without_a_token(here: Path, pymorph: Run) -> None:
    """qsr_chal_12: it is refused, with what there is of them."""
    foxes = "push: {}\n    buffs: {{3:"
    change = (foxes.format(3), foxes.format(0))
    rewritten(CLEARING / "buffing.yaml", change, to="fight.yaml")
    code, out, err = pymorph("apply", "fight.yaml", "decline(rook); decline(ada); push(rook)")
    assert (code, err) == (1, "")
    assert "not legal: push(rook)" in out
    assert "forbidden by qsr_chal_12" in out
    assert "push(foxes) = 0 left" in out


def test_a_card_that_is_in_a_hand(here: Path, pymorph: Run) -> None:
    """qsr_own_08: the deck has one 12, and whoever holds it does not draw it again."""
    deal = "attack(ada, sword, rook, basic); react(rook, def); draw(ada, 12)"
    fight = CLEARING / "in_reach.yaml"
    code, out, err = pymorph("apply", fight, f"{deal}; draw(ada, 12)")
    assert (code, err) == (1, "")
    assert "forbidden by qsr_own_08" in out
    code, out, err = pymorph("apply", fight, f"{deal}; draw(rook, 12)")
    assert (code, err) == (0, "")
