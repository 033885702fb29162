"""The reasons of random games are true where they are given, and the rules cited most are tried."""

import pytest

from tests.reasons import PROJECT, tally

RULESETS = sorted(path.parent.name for path in PROJECT.glob("tests/*/reasons_true.py"))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_in_a_few_games(ruleset: str) -> None:
    found = tally(ruleset, games=1, steps=12, number=2)
    assert not found.false, found.report()


@pytest.mark.campaign
@pytest.mark.parametrize("ruleset", RULESETS)
def test_in_fifty_games(ruleset: str) -> None:
    found = tally(ruleset, games=50, steps=60)
    assert not found.false, found.report()
    assert found.untold == []
