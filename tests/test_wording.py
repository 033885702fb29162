"""rules/ says what the shipped games have always said: every word, held against a list."""

from collections.abc import Mapping
from functools import cache

import pytest

from pymorph.ruleset import loader
from tests import wording


@cache
def found_in(game: str) -> Mapping[str, set[str]]:
    known = loader.load(game)
    return {**wording.stated(known), **wording.spoken(known)}


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        pytest.param(game, kind, marks=[pytest.mark.campaign] if kind == "sort" else [])
        for game in wording.GAMES
        for kind in wording.words(game)
    ],
)
def test_words(game: str, kind: str) -> None:
    """Files and programs of players are written in these words and ranges (mor_tick_01)."""
    assert found_in(game).get(kind, set()) == wording.words(game)[kind]


def test_all_tables() -> None:
    """Whatever a table of the second game may say is held against its list."""
    tables = loader.load("actions_reactions").vocabulary.tables
    assert tables.keys() <= wording.words("actions_reactions").keys()
