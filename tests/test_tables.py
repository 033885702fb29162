"""What the facts of a game may say: a slip in one is refused where it stands, with what is near."""

import re
import shutil
import warnings
from pathlib import Path

import pytest

from pymorph.errors import RulesetError, RulesetWarning
from pymorph.ruleset import loader
from tests.conftest import ROOT
from tests.tables import parametrized


@parametrized
def test_slips(name: str, slips: list[dict[str, str]], tmp_path: Path) -> None:
    """All at once: each is a fault of its own, at its line."""
    for part in ("rules", "encodings"):
        shutil.copytree(ROOT / part / name, tmp_path / part)
    texts = {path: path.read_text("utf-8") for path in tmp_path.rglob("*.lp")}
    expected = {}
    for old, new, says in map(dict.values, slips):
        path = next(path for path, text in texts.items() if old in text)
        texts[path] = texts[path].replace(old, new, 1)
        expected[path, new] = says
    for path, text in texts.items():
        path.write_text(text, "utf-8")
    with pytest.raises(RulesetError) as raised:
        loader.load(str(tmp_path))
    faults = raised.value.faults
    assert len(faults) == len(expected)
    for (path, new), says in expected.items():
        line = texts[path][: texts[path].index(new)].count("\n") + 1
        rest = texts[path].split("\n")[line - 1]
        assert new.partition("(")[0] in rest
        found = [f for f in faults if says in f.message]
        assert [(f.place.file, f.place.line) for f in found if f.place] == [(str(path), line)]


def test_what_nothing_checks(tmp_path: Path) -> None:
    """Facts that no table declares, and what nothing reads, are told once; the game is played."""
    game = shutil.copytree(ROOT / "pymorph" / "ruleset" / "template", tmp_path / "game")
    rules, play = game / "rules" / "game.lp", game / "encodings" / "play.lp"
    rules.write_text(rules.read_text("utf-8").replace("table(most, (amount,)).\n", ""), "utf-8")
    play.write_text(play.read_text("utf-8") + "idle(C, S) :- holds(turn, C, S).\n", "utf-8")
    with pytest.warns(RulesetWarning) as told:
        loaded = loader.load(str(game))
    said = [re.sub(r"^.*/(\w+\.lp):\d+:\d+", r"\1", doubt) for doubt in loaded.doubts]
    assert said == [
        "play.lp: nothing reads idle/2",
        "game.lp: nothing checks these facts: most/1; declare each with table(Predicate, Sorts)",
    ]
    assert [str(one.message) for one in told] == list(loaded.doubts)
    loader._loaded.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert loader.load(str(game)).doubts == loaded.doubts


def test_places_off_the_board(tmp_path: Path) -> None:
    """Where a game has a board, facts and rules name its places."""
    game = shutil.copytree(ROOT / "examples" / "rulesets" / "connect_four", tmp_path / "game")
    rules, play = game / "rules" / "game.lp", game / "encodings" / "play.lp"
    rules.write_text(rules.read_text("utf-8").replace("foot(c, c1)", "foot(c, c11)"), "utf-8")
    rule = "over(S, con_04) :- situation(S), foot(a, a10).\n"
    play.write_text(play.read_text("utf-8") + rule, "utf-8")
    with pytest.raises(RulesetError) as raised:
        loader.load(str(game))
    said = [fault.message for fault in raised.value.faults]
    assert said == [
        "in foot/2 'a10' is not in the sort square; did you mean 'a1'?",
        "in 'foot(c, c11)' 'c11' is not in the sort square; did you mean 'c1'?",
    ]


def test_a_table_that_comes_later(tmp_path: Path) -> None:
    """A rule that was right without it is looked at again."""
    game = shutil.copytree(ROOT / "pymorph" / "ruleset" / "template", tmp_path / "game")
    rules, play = game / "rules" / "game.lp", game / "encodings" / "play.lp"
    text = rules.read_text("utf-8")
    play.write_text(play.read_text("utf-8").replace("most(M), N > M", "most(12), N > 3"), "utf-8")
    rules.write_text(text.replace("table(most, (amount,)).\n", ""), "utf-8")
    with pytest.warns(RulesetWarning):
        loader.load(str(game))
    rules.write_text(text, "utf-8")
    with pytest.raises(
        RulesetError, match="in most/1 '12' is not in the sort amount; expected 1 to 9"
    ):
        loader.load(str(game))
