"""The rules for cards that a designer adds: figures that no card of the starter set has."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from pymorph.adjudication import test_runner
from pymorph.adjudication.query_batcher import batched
from pymorph.errors import Fault
from tests.morphyry import designing


def all_cases() -> list[Any]:
    return [
        pytest.param(name, case.id, id=f"{name}:{case.id}")
        for name in designing.NAMES
        for case in designing.cases(name)
    ]


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], list[Fault]]:
    """Where the cases about sets of cards come out otherwise, by the set and their ids."""
    folder = designing.made(tmp_path_factory.mktemp("games") / "designed", *designing.NAMES)
    cases = [(name, case) for name in designing.NAMES for case in designing.cases(name)]
    runs = [
        partial(list[Fault], test_runner.faults(case, designing.position(case, folder)))
        for _, case in cases
    ]
    rows = [found.result() for found in batched(runs)]
    return {(name, case.id): row for (name, case), row in zip(cases, rows, strict=True)}


@pytest.mark.parametrize(("cards", "case"), all_cases())
def test_case(cards: str, case: str, faults: dict[tuple[str, str], list[Fault]]) -> None:
    assert faults[cards, case] == []
