"""The cards of a designer's own in `designed/*.lp`, and the cases about them beside each."""

import shutil
from dataclasses import replace
from pathlib import Path

from pymorph.ruleset.loader import load
from pymorph.state.position import Position
from pymorph.state.test_case import Bases, GoldenCase
from tests import casework
from tests.conftest import ROOT

GAME = "morphyry"
FOLDER = Path(__file__).parent / "designed"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.lp")))


def cases(name: str) -> tuple[GoldenCase, ...]:
    """The cases about a set of cards."""
    return casework.load(FOLDER / f"{name}.yaml")


def made(folder: Path, *names: str) -> Path:
    """A ruleset in *folder*: the shipped one with the cards of some sets."""
    for part in ("rules", "encodings"):
        shutil.copytree(ROOT / part / GAME, folder / part)
    for name in names:
        shutil.copy(FOLDER / f"{name}.lp", folder / "rules")
    return folder


def position(case: GoldenCase, folder: Path) -> Position:
    """Where a case begins, in the ruleset of *folder*."""
    bases = Bases(casework.folder(GAME))
    base = bases.get(case.word("base"), case.place)
    return case.based_on(replace(base, ruleset=load(str(folder))))
