"""One of several captures has to be taken: a small game in the manner of draughts."""

import shutil
from pathlib import Path

import pytest

from pymorph.explore.execution import application
from pymorph.questions import legality
from pymorph.ruleset import loader
from pymorph.state.position import Position
from pymorph.verify.report import VIOLATED
from pymorph.verify.runner import verify
from pymorph.verify.scope import Scope
from tests.games import RULESETS, file_text
from tests.tables import parametrized

PLAY = file_text("leap/encodings/play.lp")


@pytest.fixture
def leap(tmp_path: Path) -> Path:
    return shutil.copytree(RULESETS / "leap", tmp_path / "leap")


def closed_in(leap: Path) -> Position:
    """Black closes in, and white may take to the left or to the right."""
    start = Position.load(str(leap / "positions" / "start.yaml"))
    return application.apply(start, "step(black, e3, d2)").position


# `required` of two alternatives makes both illegal; a second "one of these" may do the same.
@parametrized
def test_verify_finds_the_deadlock(leap: Path, old: str, new: str, said: str) -> None:
    rules = leap / "encodings" / "play.lp"
    rules.write_text(PLAY.replace(old, new) if old else f"{PLAY}{new}\n")
    assert legality.legal_actions(closed_in(leap)) == ()
    [told] = verify(Scope(loader.load(str(leap))), ["required"], jobs=1).checked
    assert told.status == VIOLATED
    assert any(said in each.says for each in told.findings), told.findings


def test_verify_finds_none_where_one_may_be_taken(leap: Path) -> None:
    [told] = verify(Scope(loader.load(str(leap))), ["required"], jobs=1).checked
    assert told.findings == ()
    assert told.subjects > 0
