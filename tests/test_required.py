"""One of several captures has to be taken: a small game in the manner of draughts."""

from __future__ import annotations

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

PLAY = file_text("leap/encodings/play.lp")


@pytest.fixture
def leap(tmp_path: Path) -> Path:
    return shutil.copytree(RULESETS / "leap", tmp_path / "leap")


def closed_in(leap: Path) -> Position:
    """Black closes in, and white may take to the left or to the right."""
    start = Position.load(str(leap / "positions" / "start.yaml"))
    return application.apply(start, "step(black, e3, d2)").position


# `required` of two alternatives makes both illegal; a second "one of these" may do the same.
DEADLOCKS = {
    "each required": (
        "required_one(jump(C, P, Q), S, leap_03) :-",
        "required(jump(C, P, Q), S, leap_03) :-",
        "are both required before anything else",
    ),
    "one of none that may be": (
        "",
        "forbidden(jump(C, P, Q), S, leap_01) :- considered(jump(C, P, Q), S), free(Q, S).",
        "every action that leap_03 requires is forbidden: leap_01 forbids jump(",
    ),
    "one of these and one of those": (
        "",
        "required_one(step(C, P, Q), S, leap_01) :- steps(C, P, Q, S), takes(C, _, _, S).",
        "every action that leap_01 requires is forbidden: leap_03 forbids step(",
    ),
}


@pytest.mark.parametrize("name", DEADLOCKS)
def test_verify_finds_the_deadlock(name: str, leap: Path) -> None:
    old, new, said = DEADLOCKS[name]
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
