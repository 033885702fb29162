"""The reasons of random games are true where they are given, and the rules cited most are tried."""

from __future__ import annotations

import pytest

from pymorph.ruleset import locations
from tests.reasons import PROJECT, pairs, tally

RULESETS = sorted(path.parent.name for path in PROJECT.glob("tests/*/reasons_true.py"))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_in_a_few_games(ruleset: str) -> None:
    found = tally(ruleset, games=1, steps=12, number=2)
    assert not found.false, found.report()


LISTED = [*locations.shipped(), *(game for game in locations.examples() if game != "diplomacy")]


@pytest.mark.parametrize("ruleset", LISTED)
def test_what_is_refused(ruleset: str) -> None:
    """Every game refuses something in play; each refused form and rule is printed, to be read.

    Of Diplomacy a million orders can be typed; its pages and the DATC show what it refuses.
    """
    found = pairs(ruleset, games=1, steps=4, number=1)
    print("\n".join(found))
    assert found


@pytest.mark.campaign
@pytest.mark.parametrize("ruleset", RULESETS)
def test_in_fifty_games(ruleset: str) -> None:
    found = tally(ruleset, games=50, steps=60)
    assert not found.false, found.report()
    assert found.untold == []
