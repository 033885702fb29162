"""Reactions that a user adds: what one does still stands when what it bears on comes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT

Run = Callable[..., tuple[int, str, str]]

OWN = """
reaction(brace, interrupt).     triggered(brace, attacks_me).      brings(brace, guard(2)).
reaction(cover, interrupt).     triggered(cover, leaves_reach).    brings(cover, guard(2)).
reaction(soften, interrupt).    triggered(soften, leaves_reach).   brings(soften, soft_fall).
reaction(afterthought, response). triggered(afterthought, has_hit_me).
brings(afterthought, guard(2)).
"""
POSITION = """
ruleset: act
round: 2
turn: grub
characters:
  bram: {order: 1, side: heroes, vitality: 12, defence: 15, at: yard, spot: 2}
  kara: {order: 2, side: heroes, vitality: 12, defence: 15, at: yard}
  grub: {order: 3, side: foes, vitality: 8, defence: 12, at: yard}
zones:
  yard: {spots: 2, to: {ditch: drop}}
  ditch:
"""
BLOW = "attack(grub, standard, attack_melee, kara)"
CHARGE = "attack(grub, standard, charge, bram)"
LEAP = "go(grub, move, jump, ditch, 1)"


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


@pytest.mark.parametrize(
    ("learned", "actions", "event"),
    [
        ("brace", (BLOW, "decline(kara)", "roll(chance, 16)"), "hit(grub, kara)"),
        ("brace", (BLOW, "react(kara, brace, grub)", "roll(chance, 16)"), "miss(grub, kara)"),
        ("brace", (BLOW, "react(kara, brace, grub)", "roll(chance, 17)"), "hit(grub, kara)"),
        ("cover", (CHARGE, "react(kara, cover, grub)", "roll(chance, 16)"), "miss(grub, bram)"),
        ("soften", (LEAP, "decline(kara)"), "harmed(grub, 4)"),
        ("soften", (LEAP, "react(kara, soften, grub)"), "falls(grub, ditch, 1)"),
    ],
)
def test_lasts(
    play: Callable[..., tuple[int, str]], learned: str, actions: tuple[str, ...], event: str
) -> None:
    """A guard against an attack that only comes stands at its roll, and that of a charge; a fall is
    soft that was made so before it began.
    """
    code, told = play(learned, *actions)
    assert (code, event in told) == (0, True), told
    assert ("harmed" in told) == (event.startswith("harmed")), told


@pytest.mark.parametrize(
    ("learned", "actions", "refused", "rule"),
    [
        ("cover", (LEAP,), "react(kara, cover, grub)", "act_react_08"),
        (
            "afterthought",
            (BLOW, "roll(chance, 16)", "harm(chance, 1)"),
            "react(kara, afterthought, grub)",
            "act_react_08",
        ),
    ],
)
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
