"""What is asked of many positions at once is answered for each as if it stood alone."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pymorph.adjudication import test_runner
from pymorph.state.test_case import CaseStep, GoldenCase
from tests import casework
from tests.wording import GAMES


def same_alone(cases: Sequence[GoldenCase]) -> bool:
    """Do cases come out alone as they do together, with what else is wrong beside them?"""
    wrong = [replace(case, items=tuple(map(turned, case.items))) for case in cases]
    told = test_runner.faults_of([*cases, *wrong])
    return told == [tuple(test_runner.faults(case)) for case in (*cases, *wrong)]


def turned(item: CaseStep) -> CaseStep:
    """What is expected of an item with nothing that it is to be: no answer is as is expected."""
    expected = tuple(one._replace(wanted="otherwise") for one in item.expected)
    return item._replace(expected=expected, items=tuple(map(turned, item.items)))


def test_two_cases() -> None:
    """What the rules say of cases is what they say of each alone; `-m campaign` tries all."""
    cases = [case for path in casework.files(GAMES[0])[::4] for case in casework.load(path)]
    assert same_alone(cases[:: len(cases) // 2])


@pytest.mark.campaign
@pytest.mark.parametrize(
    "path", [path for name in GAMES for path in casework.files(name)], ids=lambda path: path.stem
)
def test_every_case(path: Path) -> None:
    assert same_alone(casework.load(path))
