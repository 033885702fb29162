"""What is asked of many positions at once is answered for each as if it stood alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pymorph.adjudication import test_runner
from pymorph.ruleset import loader
from pymorph.state.test_case import GoldenCase, TestStep
from tests import casework
from tests.wording import GAMES
from tools.mutants.trials import together

CAMPAIGN = pytest.mark.campaign
CHAPTERS = [
    pytest.param(name, path, id=f"{name}-{path.stem}", marks=[CAMPAIGN] * (number % 48 > 0))
    for name in GAMES
    for number, path in enumerate(casework.files(name))
]


@pytest.mark.parametrize(("name", "path"), CHAPTERS)
def test_together(name: str, path: Path) -> None:
    """Of one chapter in 24 by default, of the others with `-m campaign`."""
    trial = together(path, casework.load(path))
    assert trial.failure(loader.load(name)) == ""


def same_alone(cases: Sequence[GoldenCase]) -> bool:
    """Do cases come out alone as they do together, with what else is wrong beside them?"""
    wrong = [replace(case, items=tuple(map(turned, case.items))) for case in cases]
    told = test_runner.faults_of([*cases, *wrong])
    return told == [tuple(test_runner.faults(case)) for case in (*cases, *wrong)]


def turned(item: TestStep) -> TestStep:
    """What is expected of an item with nothing that it is to be: no answer is as is expected."""
    expected = tuple(one._replace(wanted="otherwise") for one in item.expected)
    return item._replace(expected=expected, items=tuple(map(turned, item.items)))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[CAMPAIGN] * (name != GAMES[0])) for name in GAMES]
)
def test_cases(name: str) -> None:
    """What the rules say of cases is what they say of each alone.

    Of two of one game by default, of all with `-m campaign`.
    """
    cases = [case for path in casework.files(name)[::4] for case in casework.load(path)]
    assert same_alone(cases[:: len(cases) // 2])


@CAMPAIGN
@pytest.mark.parametrize(
    "path", [path for name in GAMES for path in casework.files(name)], ids=lambda path: path.stem
)
def test_every_case(path: Path) -> None:
    assert same_alone(casework.load(path))
