"""The published disputes are judged as their files say, and their index tells what is in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pymorph import load_ruleset
from tests import disputes, rederiving

FILES = disputes.files()
SOME = FILES[1::4]


def reasons_hold(path: Path) -> bool:
    """Does each verdict follow from what it cites?"""
    answer = disputes.judged(path)
    return rederiving.faults(answer.case, answer.json()) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_dispute(path: Path) -> None:
    """A dispute has the verdicts of its file, and exercises what the index says.

    Of every fourth the verdicts are derived again from what they cite; `-m campaign` does so with
    the others.
    """
    assert disputes.faults(path) == []
    assert disputes.exercised(path) == disputes.indexed()[path.stem[:5]]
    assert path not in SOME or reasons_hold(path)


@pytest.mark.campaign
@pytest.mark.parametrize("path", sorted({*FILES} - {*SOME}), ids=lambda path: path.stem)
def test_reasons(path: Path) -> None:
    """Each verdict follows from what it cites."""
    assert reasons_hold(path)


def test_numbers() -> None:
    """Each dispute has the number of its file, and none has that of another."""
    ids = [disputes.case_of(path).id for path in FILES]
    assert ids == [path.stem[:5] for path in FILES]
    assert len(set(ids)) == len(ids) >= 120


def test_index() -> None:
    """Every question of the game decides a dispute, and the index is that of the files.

    `python -m tests.disputes` writes it. That a dispute exercises what the index says is tried
    with the dispute.
    """
    told = disputes.indexed()
    assert {q for one in told.values() for q in one.questions} == set(
        load_ruleset("morphyry").questions
    )
    assert disputes.INDEX.read_text(encoding="utf-8") == disputes.index(
        lambda path: told[path.stem[:5]]
    )
