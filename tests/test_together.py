"""What is asked of many positions at once is answered for each as if it stood alone."""

from __future__ import annotations

import pytest

from pymorph import ruleset
from tests.mutants.trials import Together, trials_of
from tests.wording import GAMES

TRIALS = [
    pytest.param(name, trial, id=f"{name}-{trial.group}")
    for name in GAMES
    for trial in trials_of(ruleset.load(name))
    if isinstance(trial, Together)
]


@pytest.mark.parametrize(("name", "trial"), TRIALS)
def test_together(name: str, trial: Together) -> None:
    assert trial.failure(ruleset.load(name)) == ""
