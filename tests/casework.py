"""The case files of `<ruleset>/cases/*.yaml`; `pymorph/state/test_case.py` tells their format."""

from functools import cache
from pathlib import Path

from pymorph.state import test_case
from pymorph.state.test_case import GoldenCase

ROOT = Path(__file__).parent


def folder(game: str) -> Path:
    """Where the cases of a ruleset are."""
    return ROOT / game / "cases"


def files(game: str) -> list[Path]:
    """The case files of a ruleset."""
    return files_in(folder(game))


def files_in(folder: Path) -> list[Path]:
    """The case files of a folder."""
    return [path for path in sorted(folder.glob("*.yaml")) if path.name != test_case.BASES]


load = cache(test_case.load)


def written(text: str) -> GoldenCase:
    """The one case that a text describes."""
    (case,) = test_case.parse(text)
    return case
