"""rules/ says what is printed: each card and each table, held against a list of its own."""

from collections.abc import Mapping

import pytest

from pymorph.ruleset import loader
from pymorph.ruleset.loader import Ruleset
from tests import wording
from tests.morphyry import printed


@pytest.fixture(scope="module")
def game() -> Ruleset:
    return loader.load("morphyry")


@pytest.fixture(scope="module")
def stated(game: Ruleset) -> Mapping[str, set[str]]:
    return wording.stated(game)


@pytest.mark.parametrize("name", sorted(printed.facts()))
def test_facts(name: str, stated: Mapping[str, set[str]]) -> None:
    """mor_tick_01, mor_art_08, mor_attr_01, mor_scn_01: no card or table says another thing."""
    assert stated.get(name, set()) == printed.facts()[name]


def test_all_tables(game: Ruleset) -> None:
    """mor_tick_01: whatever a card may say is held against the list."""
    assert game.vocabulary.tables.keys() <= printed.facts().keys()


@pytest.mark.parametrize("card", sorted(printed.sheet()["techniques"]))
def test_totals(card: str) -> None:
    """mor_tick_07, mor_int_03: ticks and inertia of a whole card are those that it is known by."""
    told = printed.sheet()["techniques"][card]
    actions = [printed.ACTION.fullmatch(text) for text in told["actions"]]
    found = [action for action in actions if action]
    assert sum(int(action["ticks"]) for action in found) == told["total"]
    counts = sum(int(action["calls"] or 0) + int(action["points"] or 0) for action in found)
    assert counts == told["inertia"]


@pytest.mark.parametrize("rule", sorted(printed.sheet()["readings"]))
def test_readings(rule: str, game: Ruleset) -> None:
    """Each question about a rule has these answers and no others, and the first is the usual."""
    told = printed.sheet()["readings"][rule]
    asked = [q for q in game.questions.values() if q.rules[:1] == (rule,)]
    assert told in [[option for option, _ in question.options] for question in asked]
    assert told[0] in [question.default for question in asked]
