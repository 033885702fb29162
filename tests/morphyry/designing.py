"""The cards of a designer's own in `designed/*.lp`, and the cases about them beside each."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import yaml

from pymorph.position import Position
from pymorph.terms import parse_symbol
from tests import casework
from tests.conftest import ROOT, position_of

GAME = "morphyry"
FOLDER = Path(__file__).parent / "designed"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.lp")))


def cases(name: str) -> list[dict[str, Any]]:
    """The cases about a set of cards."""
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = yaml.load(text, casework.Loader)
    return found


def made(name: str, folder: Path) -> Path:
    """A ruleset in *folder*: the shipped one with the cards of a set."""
    for part in ("rules", "encodings"):
        shutil.copytree(ROOT / part / GAME, folder / part)
    shutil.copy(FOLDER / f"{name}.lp", folder / "rules")
    return folder


def position(case: dict[str, Any], folder: Path) -> Position:
    """Where a case begins, in the ruleset of *folder*."""
    base = casework.bases(GAME)
    start = position_of({**base[case["base"]], "ruleset": str(folder)}, case["id"])
    wanted = {parse_symbol(f): parse_symbol(str(value)) for f, value in case["set"].items()}
    return start.with_changes(wanted)
