"""The positions, records, disputes and test cases that come with each game are right."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pymorph.adjudication import regression
from tests.conftest import ROOT

FOLDERS = ("cases", "disputes", "positions", "records")
PATHS = [*ROOT.glob("rules/**/*.yaml"), *ROOT.glob("examples/rulesets/**/*.yaml")]
FILES = [  # the disputes of games that ship, an example for each question, with `-m verdicts`
    pytest.param(path, marks=[pytest.mark.verdicts] * path.match("rules/*/disputes/*"))
    for path in sorted(PATHS)
    if path.parent.name in FOLDERS
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(path.parts[-4:]))
def test_file(path: Path) -> None:
    assert regression.try_file(regression.kind_of(path), path).faults == ()


@pytest.mark.usefixtures("my_game")
@pytest.mark.parametrize("game", ["my_game", "tictactoe"])
def test_verify(game: str, pymorph: Callable[..., tuple[int, str, str]]) -> None:
    assert pymorph("verify", game, "--jobs", "1")[0] == 0
