"""The rules for cards that a designer adds: figures that no card of the starter set has."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from pymorph.terms import parse_symbol
from tests import casework
from tests.conftest import ROOT, position_of

FOLDER = Path(__file__).parent / "designed"


def all_cases() -> list[Any]:
    return [
        pytest.param(path.stem, case, id=f"{path.stem}:{case['id']}")
        for path in sorted(FOLDER.glob("*.yaml"))
        for case in yaml.load(path.read_text(encoding="utf-8"), casework.Loader)
    ]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A ruleset of one's own: the shipped one with the cards of a set."""

    @cache
    def with_cards(name: str) -> Path:
        folder = tmp_path_factory.mktemp("games") / name
        for part in ("rules", "encodings"):
            shutil.copytree(ROOT / part / "morphyry", folder / part)
        shutil.copy(FOLDER / f"{name}.lp", folder / "rules")
        return folder

    return with_cards


@pytest.mark.parametrize(("cards", "case"), all_cases())
def test_case(cards: str, case: dict[str, Any], game: Any) -> None:
    base = casework.bases("morphyry")
    start = position_of({**base[case["base"]], "ruleset": str(game(cards))}, case["id"])
    wanted = {parse_symbol(f): parse_symbol(str(value)) for f, value in case["set"].items()}
    casework.expect(start.with_changes(wanted), case["expect"], case["id"])
