"""Sorts of lists: a frog leaps over others, as often as it can, and its way is one argument."""

import json
import shutil
from pathlib import Path

import pytest

from pymorph.errors import RulesetError
from pymorph.explore.execution import application
from pymorph.questions import explanation, legality
from pymorph.ruleset import loader
from pymorph.ruleset.catalogue import glossary
from pymorph.state.files.schema import schema
from pymorph.state.position import Position
from pymorph.verify.report import VIOLATED, WITHIN
from pymorph.verify.runner import verify
from pymorph.verify.scope import Scope
from pymorph.verify.spaces.domain import Domain
from tests.conftest import Run
from tests.games import RULESETS, file_text
from tests.tables import parametrized, tables

GAME = file_text("frogs/rules/game.lp")
PLAY = file_text("frogs/encodings/play.lp")


@pytest.fixture
def frogs(tmp_path: Path) -> Path:
    return shutil.copytree(RULESETS / "frogs", tmp_path / "frogs")


def start(frogs: Path) -> Position:
    return Position.load(str(frogs / "positions" / "start.yaml"))


def test_a_way_is_one_argument(frogs: Path) -> None:
    position = start(frogs)
    legal = {str(action) for action in legality.legal_actions(position)}
    assert legal == set(tables(__name__)["legal"])
    after = application.apply(position, "leap(green, a1, (c1, (c3, ())))").position
    assert {str(after.value(f"frog({pad})")) for pad in ("a1", "c1")} == {"none"}
    assert str(after.value("frog(c3)")) == "green"
    assert Position.parse(after.yaml(), str(frogs / "positions" / "x.yaml")) == after
    assert 'trail: "(c1, (c3, ()))"' in after.yaml()
    told = explanation.why(position, "leap(green, a1, (c1, (c2, ())))")
    assert [reason.rule.id for reason in told.reasons] == ["frog_01"]


def test_claims_and_everything_that_can_be_typed(frogs: Path, pymorph: Run) -> None:
    path = frogs / "positions" / "start.yaml"
    case = frogs / "positions" / "case.yaml"
    claims = ["legal(leap(green, a1, (c1, ())))", "trail = ()", "legal(leap(green, a1, ()))"]
    rows = "".join(f"  - claim: {claim}\n" for claim in claims)
    case.write_text(f"position: start.yaml\nclaims:\n{rows}", "utf-8")
    _, out, err = pymorph("adjudicate", case, "--json")
    assert not err
    assert [told["verdict"] for told in json.loads(out)["claims"]] == [
        "upheld", "upheld", "rejected",
    ]  # fmt: skip
    _, out, _ = pymorph("legal", path, "--all", "--json")
    told = json.loads(out)
    assert len(told["actions"]) == 4
    assert told["forbidden"] == []  # the others are too many to be written out
    game = frogs / "rules" / "game.lp"
    game.write_text(GAME.replace("list(pad, 3)", "list(pad, 1)"), "utf-8")
    play = frogs / "encodings" / "play.lp"
    play.write_text(PLAY.replace("N < 3", "N < 1"), "utf-8")
    _, out, _ = pymorph("legal", path, "--all", "--json")
    told = json.loads(out)
    assert len(told["actions"]) == 1
    assert len(told["forbidden"]) == 2 * 12 * (1 + 12) - 1


def test_words_and_schema(frogs: Path) -> None:
    game = loader.load(str(frogs))
    assert ("way", "lists of up to 3 PAD") in glossary(game).sorts
    assert schema(game)["$defs"]["way"] == {"type": "string", "pattern": r"^\(.*\)$"}


def test_verified(frogs: Path) -> None:
    """As long as the extent says; what is longer is told."""
    game = loader.load(str(frogs))
    domain = Domain.of(Scope(game))
    assert [*map(str, domain.members("way"))][:3] == ["()", "(a1,())", "(b1,())"]
    assert "ways of up to 1" in domain.bound
    told = verify(Scope(game), ["incomplete", "kept"], jobs=1).checked
    assert [(each.status, each.findings) for each in told] == [(WITHIN, ())] * 2
    play = frogs / "encodings" / "play.lp"
    play.write_text(PLAY.replace("W, N, S), N < 3.", "W, N, S), N < 4."), "utf-8")
    [found] = verify(Scope(loader.load(str(frogs))), ["incomplete"], jobs=1).checked
    assert found.status == VIOLATED


@parametrized
def test_slips(old: str, new: str, says: str, frogs: Path) -> None:
    rules = frogs / "rules" / "game.lp"
    assert old in GAME
    rules.write_text(GAME.replace(old, new), "utf-8")
    with pytest.raises(RulesetError) as raised:
        loader.load(str(frogs))
    assert any(says in str(fault) for fault in raised.value.faults), raised.value.faults
