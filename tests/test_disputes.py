"""The published disputes are judged as their files say, and their index tells what is in them."""

from pathlib import Path

import pytest

from pymorph import load_ruleset
from tests import rederiving
from tests.tables import tables
from tools import disputes

FILES = {game: disputes.files(game) for game in disputes.games()}
EVERY = [path for files in FILES.values() for path in files]
SOME = [path for files in FILES.values() for path in files[8::60]]
FEW = SOME[::3]
CAMPAIGN, VERDICTS = pytest.mark.campaign, pytest.mark.verdicts
ENOUGH = tables(__name__)["enough"]


def reasons_hold(path: Path) -> bool:
    """Does each verdict follow from what it cites?"""
    answer = disputes.judged(path)
    return rederiving.faults(answer.case, answer.json()) == []


@pytest.mark.parametrize(
    "path",
    [path if path in SOME else pytest.param(path, marks=VERDICTS) for path in EVERY],
    ids=lambda path: path.stem,
)
def test_dispute(path: Path) -> None:
    """A dispute has the verdicts of its file, and exercises what the index says.

    Every 60th by default and all before a landing (`-m verdicts`). Of a few the verdicts are
    derived again from what they cite; `-m campaign` does so with the others.
    """
    assert disputes.faults(path) == []
    assert disputes.exercised(path) == disputes.told_of(path)
    assert path not in FEW or reasons_hold(path)


@CAMPAIGN
@pytest.mark.parametrize("path", sorted({*EVERY} - {*FEW}), ids=lambda path: path.stem)
def test_reasons(path: Path) -> None:
    """Each verdict follows from what it cites."""
    assert reasons_hold(path)


@pytest.mark.parametrize("game", FILES)
def test_numbers(game: str) -> None:
    """Each dispute has the number of its file and its ruleset, and none has that of another."""
    cases = [disputes.case_of(path) for path in FILES[game]]
    assert [case.id for case in cases] == [path.stem[:5] for path in FILES[game]]
    assert len({case.id for case in cases}) == len(cases) >= ENOUGH[game]
    assert {case.position.ruleset.name for case in cases} == {game}


def test_numbers_of_all() -> None:
    """No two suites number alike."""
    assert len({path.stem[:5] for path in EVERY}) == len(EVERY)


@pytest.mark.parametrize("game", FILES)
def test_index(game: str) -> None:
    """Every question of the game decides a dispute, and the index is that of the files.

    `python -m tools.disputes` writes it. That a dispute exercises what the index says is tried
    with the dispute.
    """
    told = disputes.indexed(game)
    assert {q for one in told.values() for q in one.questions} == set(load_ruleset(game).questions)
    assert disputes.index_file(game).read_text(encoding="utf-8") == disputes.index(
        game, lambda path: told[path.stem[:5]]
    )
