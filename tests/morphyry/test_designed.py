"""The rules for cards that a designer adds: figures that no card of the starter set has."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests import casework
from tests.morphyry import designing


def all_cases() -> list[Any]:
    return [
        pytest.param(name, case, id=f"{name}:{case['id']}")
        for name in designing.NAMES
        for case in designing.cases(name)
    ]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Any:
    @cache
    def with_cards(name: str) -> Path:
        return designing.made(name, tmp_path_factory.mktemp("games") / name)

    return with_cards


@pytest.mark.parametrize(("cards", "case"), all_cases())
def test_case(cards: str, case: dict[str, Any], game: Any) -> None:
    start = designing.position(case, game(cards))
    casework.expect(start, case["expect"], case["id"])
