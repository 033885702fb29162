"""The statements of a ruleset as they are kept, against those that were just checked."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from pathlib import Path

import pytest

from pymorph.ruleset import compiler, loader, locations
from pymorph.ruleset.loader import Ruleset
from pymorph.verify.sources import Sources
from tests.conftest import ROOT

CAMPAIGN = partial(pytest.param, marks=pytest.mark.campaign)
EXAMPLES = sorted(map(str, (ROOT / "examples" / "rulesets").iterdir()))


def same(game: Ruleset) -> None:
    kept = Sources.of(game)
    checked = compiler.checked(*loader.files_of(game.folders))
    assert kept.statements == checked.everything
    facts = defaultdict(list)
    for statement, symbols in checked.stated:
        for symbol in symbols or ():
            facts[symbol.name, len(symbol.arguments)].append((symbol, statement.place))
    assert kept.facts == facts


@pytest.mark.campaign
@pytest.mark.parametrize("name", [*map(CAMPAIGN, locations.shipped()), *EXAMPLES])
def test_what_is_kept_is_what_was_checked(name: str) -> None:
    same(loader.load(name))


def test_with_all_that_a_vocabulary_calls_for(inn: Path) -> None:
    same(loader.load(str(inn)))


def test_files_are_named_as_from_here(inn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept on the disk is the same wherever one stands."""
    loader.load(str(inn))
    monkeypatch.chdir(inn.parent)
    files = {s.place.file for s in Sources.of(loader.load(str(inn))).statements}
    assert f"{inn.name}/rules/game.lp" in files
