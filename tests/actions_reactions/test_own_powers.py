"""Reactions that a user adds: what one does still stands when what it bears on comes."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run
from tests.games import file_text
from tests.tables import parametrized

OWN = file_text("own_powers/powers.lp")
POSITION = file_text("own_powers/position.yaml")


@pytest.fixture
def play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run
) -> Callable[..., tuple[int, str]]:
    """What comes of actions where Kara has learned one of the reactions."""
    for part in ("rules", "encodings"):
        shutil.copytree(ROOT / part / "actions_reactions", tmp_path / "act" / part)
    (tmp_path / "act" / "rules" / "own.lp").write_text(OWN)
    monkeypatch.chdir(tmp_path)

    def played(learned: str, *actions: str) -> tuple[int, str]:
        text = POSITION.replace(
            "defence: 15, at: yard}", f"defence: 15, at: yard, learned: [{learned}]}}"
        )
        Path("position.yaml").write_text(text)
        code, told, wrong = pymorph("apply", "position.yaml", *actions)
        return code, told + wrong

    return played


@parametrized
def test_lasts(
    play: Callable[..., tuple[int, str]], learned: str, actions: tuple[str, ...], event: str
) -> None:
    """A guard against an attack that only comes stands at its roll, and that of a charge; a fall is
    soft that was made so before it began.
    """
    code, told = play(learned, *actions)
    assert (code, event in told) == (0, True), told
    assert ("harmed" in told) == (event.startswith("harmed")), told


@parametrized
def test_is_not_offered(
    play: Callable[..., tuple[int, str]],
    learned: str,
    actions: tuple[str, ...],
    refused: str,
    rule: str,
) -> None:
    """Where there is nothing for it to bear on."""
    code, told = play(learned, *actions)
    assert code == 0, told
    code, told = play(learned, *actions, refused)
    assert (code, rule in told) == (1, True), told
