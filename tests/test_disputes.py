"""The published disputes are judged as their files say, and their index tells what is in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pymorph import Case, load_ruleset
from tests import disputes, rederiving


@pytest.mark.parametrize("path", disputes.files(), ids=lambda path: path.stem)
def test_dispute(path: Path) -> None:
    """A dispute has the verdicts of its file, and each follows from what it cites."""
    assert disputes.faults(path) == []
    answer = disputes.judged(path)
    assert rederiving.faults(answer.case, answer.json()) == []


def test_numbers() -> None:
    """Each dispute has the number of its file, and none has that of another."""
    ids = [Case.load(path).id for path in disputes.files()]
    assert ids == [path.stem[:5] for path in disputes.files()]
    assert len(set(ids)) == len(ids) >= 120


def test_index() -> None:
    """Every question of the game decides a dispute, and the index is that of the files.

    `python -m tests.disputes` writes it.
    """
    decided = {
        question
        for path in disputes.files()
        for ruling in disputes.judged(path).claims
        for question in ruling.depends_on
    }
    assert decided == set(load_ruleset("morphyry").questions)
    assert disputes.INDEX.read_text(encoding="utf-8") == disputes.index()
