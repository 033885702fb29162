"""What is asked of many positions at once is answered for each as if it stood alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from pymorph import ruleset
from tests import casework
from tests.mutants.trials import together
from tests.wording import GAMES

CHAPTERS = [
    pytest.param(name, path, id=f"{name}-{path.stem}")
    for name in GAMES
    for path in casework.files(name)
]


@pytest.mark.parametrize(("name", "path"), CHAPTERS)
def test_together(name: str, path: Path) -> None:
    trial = together(path, casework.load(path))
    assert trial.failure(ruleset.load(name)) == ""
