"""The rules for cards that a designer adds: figures that no card of the starter set has."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest

from pymorph.errors import Fault
from pymorph.queries import test_runner
from pymorph.queries.batching import together
from tests.morphyry import designing


def all_cases() -> list[Any]:
    return [
        pytest.param(name, case.id, id=f"{name}:{case.id}")
        for name in designing.NAMES
        for case in designing.cases(name)
    ]


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, list[Fault]]]:
    """Where the cases about a set of cards come out otherwise, by their ids."""

    @cache
    def with_cards(name: str) -> dict[str, list[Fault]]:
        folder = designing.made(name, tmp_path_factory.mktemp("games") / name)
        cases = designing.cases(name)
        starts = [designing.position(case, folder) for case in cases]
        runs = [
            partial(list[Fault], test_runner.faults(*each))
            for each in zip(cases, starts, strict=True)
        ]
        rows = [found.result() for found in together(runs)]
        return {case.id: row for case, row in zip(cases, rows, strict=True)}

    return with_cards


@pytest.mark.parametrize(("cards", "case"), all_cases())
def test_case(cards: str, case: str, faults: Callable[[str], dict[str, list[Fault]]]) -> None:
    assert faults(cards)[case] == []
