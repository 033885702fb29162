"""Games with a fault planted in them, for the properties to find."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from pymorph.ruleset import loader
from pymorph.verify.report import VIOLATED, Finding, Piece, Property
from pymorph.verify.scope import Scope
from tests.conftest import EXAMPLES

TICTACTOE = EXAMPLES / "rulesets" / "tictactoe"
PLAY = "encodings/play.lp"


def rewritten(game: Path, old: str, new: str, file: str = PLAY) -> None:
    """Put a text that stands once in a file of a game, or nowhere but at its end, otherwise."""
    path = game / file
    text = path.read_text(encoding="utf-8")
    assert not old or text.count(old) == 1, old
    path.write_text(text.replace(old, new) if old else f"{text}\n{new}\n", encoding="utf-8")


def with_fault(game: Path, old: str, new: str, file: str = PLAY) -> Scope:
    """A game, where one text stands instead of another, or is added if that is empty."""
    rewritten(game, old, new, file)
    return Scope(loader.load(str(game)))


def tictactoe(folder: Path) -> Path:
    """A copy of tic-tac-toe."""
    return Path(shutil.copytree(TICTACTOE, folder / "tictactoe"))


def found(known: Iterable[Property], setting: Scope, name: str) -> dict[str, list[Finding]]:
    """The findings of each property, after the actions of one name were looked at; all certain."""
    properties = {each.id: each for each in known}
    [check] = {each.check for each in properties.values()}
    pieces = check(setting, name)
    assert not isinstance(pieces, Piece)
    rows = {}
    for each, piece in pieces.items():
        settle = properties[each].settle
        whole = settle(setting, piece) if settle and piece.due else piece
        assert {finding.status for finding in whole.findings} <= {VIOLATED}
        rows[each] = list(whole.findings)
    return rows


def at(finding: Finding) -> tuple[str, str]:
    """What is so in the position of a finding's witness, and the action there."""
    assert finding.witness is not None
    held = sorted(finding.witness.position.fluents.items())
    return ", ".join(f"{fluent} = {value}" for fluent, value in held), finding.witness.action
