"""The words of a game: what can be written in a position, and asked of it."""

import json
from pathlib import Path

import pytest

from pymorph.cli.app import run
from pymorph.ruleset import loader
from pymorph.ruleset.catalogue import FileKey, glossary
from pymorph.views.lines import rules
from tests.inn import write_inn


@pytest.fixture
def inn(tmp_path: Path) -> Path:
    return write_inn(tmp_path / "inn")


def test_keys_actions_and_figures(inn: Path) -> None:
    """Keys stand as a file has them, arguments in capitals, with ranges and defaults."""
    found = glossary(loader.load(str(inn)))
    assert FileKey("guests.GUEST.purse", "-5 to 99", "given") in found.keys
    assert FileKey("guests.GUEST.at", "ROOM", "") in found.keys
    assert FileKey("guests.GUEST.eaten", "0 to 9", "0") in found.keys
    assert FileKey("tower.MOOD.rings.ROOM", "0 to 9", "0") in found.keys
    assert found.actions == ("eat(GUEST, DISH)", "walk(GUEST, ROOM)", "pay(GUEST, COINS)")
    assert ("bill(GUEST)", "coins") in found.figures
    assert ("sight(GUEST, GUEST)", "a word") in found.figures
    assert "purse(GUEST)" in found.fluents
    assert dict(found.sorts)["dish"] == "any of WARE, UNSEEN"
    assert dict(found.sorts)["ware"] == "pear_tart, plum_cake, rye_bread"
    assert dict(found.sorts)["guest"] == "names of the file"


def test_every_fluent_action_and_figure_is_there() -> None:
    game = loader.load("morphyry")
    found = glossary(game)
    words = game.vocabulary
    assert len(found.keys) == len(words.fluents)
    assert len(found.actions) == len(words.actions)
    assert len(found.figures) == len(words.figures) + len(words.findings)
    assert {"paid_off", "deployed", "hits"} <= set(found.events)
    lines = rules.word_list(found)
    assert all(any(action in line for line in lines) for action in found.actions)
    assert [line.split() for line in lines if "needed" in line] == [
        ["turn", "CHARACTER", "needed"],
        ["phase", "PHASE", "needed"],
    ]


def test_the_verb(inn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["words", str(inn)]) == 0
    assert "  walk(GUEST, ROOM)" in capsys.readouterr().out.splitlines()
    assert run(["words", str(inn), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ruleset"] == "inn"


def test_a_game_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["words", "morphyri"]) == 2
    assert "did you mean 'morphyry'" in capsys.readouterr().err
