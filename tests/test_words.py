"""The words of a game: what can be written in a position, and asked of it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pymorph.cli.app import run
from pymorph.ruleset import loader, locations
from pymorph.ruleset.catalogue import glossary, looked_up
from pymorph.state.files.schema import schema
from pymorph.views.lines import rules
from tests.conftest import ROOT
from tests.inn import write_inn

TEMPLATE = ROOT / "pymorph" / "ruleset" / "template"
GAMES = [*locations.shipped(), *locations.examples(), str(TEMPLATE)]
LONGEST = 14  # words of a description


@pytest.fixture
def inn(tmp_path: Path) -> Path:
    return write_inn(tmp_path / "inn")


def test_keys_actions_and_figures(inn: Path) -> None:
    """Keys stand as a file has them, arguments in capitals, with ranges and defaults."""
    found = glossary(loader.load(str(inn)))
    keys = {key[:3] for key in found.keys}
    assert ("guests.GUEST.purse", "-5 to 99", "given") in keys
    assert ("guests.GUEST.at", "ROOM", "") in keys
    assert ("guests.GUEST.eaten", "0 to 9", "0") in keys
    assert ("tower.MOOD.rings.ROOM", "0 to 9", "0") in keys
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
    assert [line.split()[:3] for line in lines if "needed" in line] == [
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


LISTED = """\
Heap, a game to start from

keys of a position
  turn                  PLAYER   needed  the player whose turn it is
  heap                  0 to 99  needed  counters on the heap
  players.PLAYER.taken  0 to 99  0       counters that the player has taken so far
  last                  0 to 99  0       counters that were taken last

actions
  take(PLAYER, AMOUNT)  take counters from the heap

figures
  score(PLAYER)  counters: all that the player has taken

fluents that a claim can name
  turn, heap, taken(PLAYER), last

events that a claim can name
  emptied

meaning of the words in capitals
  PLAYER: names of the file
  AMOUNT: 1 to 9
  COUNTERS: 0 to 99
"""

IN_FULL = """\
Heap, a game to start from

keys of a position
  players.PLAYER.taken: counters that the player has taken so far
    value      0 to 99
    default    0
    in claims  taken(PLAYER)
    see rules  heap_02
    example    players: {player_1: {taken: 1}}

actions
  take(PLAYER, AMOUNT)  take counters from the heap

meaning of the words in capitals
  PLAYER: names of the file
  AMOUNT: 1 to 9
"""


def test_descriptions(pymorph: Callable[..., tuple[int, str, str]]) -> None:
    """All words have a line; those that are named have all that there is to say of them."""
    assert pymorph("words", TEMPLATE) == (0, LISTED, "")
    for names in (("taken", "take"), ("players.player.taken", "TAKE")):
        assert pymorph("words", TEMPLATE, *names) == (0, IN_FULL, "")
    data = json.loads(pymorph("words", TEMPLATE, "taken", "take", "--json")[1])
    assert data["keys"] == [
        {
            "path": "players.PLAYER.taken",
            "value": "0 to 99",
            "default": "0",
            "description": "counters that the player has taken so far",
            "fluent": "taken(PLAYER)",
            "example": "players: {player_1: {taken: 1}}",
            "rules": ["heap_02"],
        }
    ]
    assert data["descriptions"] == [
        {"kind": "action", "name": "take", "description": "take counters from the heap"}
    ]
    assert data["actions"] == ["take(PLAYER, AMOUNT)"]
    assert [sort["sort"] for sort in data["sorts"]] == ["player", "amount"]


def test_unknown_word(pymorph: Callable[..., tuple[int, str, str]]) -> None:
    told = "pymorph: unknown word 'takn'; did you mean 'taken' or 'take'?\n"
    assert pymorph("words", TEMPLATE, "heap", "takn") == (2, "", told)


def test_sorts_of_sorts() -> None:
    """With a word come the sorts that it uses, and those of which they are made."""
    found = looked_up(loader.load("morphyry"), ["hand"])
    assert [key.path for key in found.keys] == ["characters.CHARACTER.hand.CARD"]
    assert {"card", "technique_card", "character"} <= dict(found.sorts).keys()
    assert "facing" not in dict(found.sorts)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).name)
def test_every_key_is_described(game: str) -> None:
    """In a few words without a full stop; editors show them."""
    ruleset = loader.load(game)
    drawn = json.dumps(schema(ruleset))
    for key in glossary(ruleset).keys:
        assert 0 < len(key.description.split()) <= LONGEST, key
        assert key.description[-1].isalnum() or key.description[-1] in ")]", key
        assert not key.fluent or json.dumps(key.description) in drawn, key
