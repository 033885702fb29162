"""The verb `diff`: what tells two versions of a ruleset apart, as both say it."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

from pymorph.ruleset import loader
from pymorph.state.position import Position
from pymorph.verify.versions.diff import ALIKE, SAME, compare
from tests.conftest import EXAMPLES
from tests.tables import parametrized
from tests.verify.test_differential import edited
from tests.verify.test_revisions import committed

Run = Callable[..., tuple[int, str, str]]
PLAY, GAME = "encodings/play.lp", "rules/game.lp"


@parametrized
def test_the_smallest_position_that_tells_them_apart(
    my_game: Path, pymorph: Run, file: str, old: str, new: str, topic: str, says: str, where: str
) -> None:
    edited(my_game, file, old, new)
    code, out, err = pymorph("diff", "./my_game", "./my_game_new")
    assert (code, err) == (1, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    verdicts = {
        line.split()[0]: line.split()[1] for line in lines if "0." in line and " s " in line
    }
    assert verdicts == {name: "different" if name == topic else "the" for name in verdicts}
    assert says in " ".join(lines)
    assert lines[-1] == "different"
    [command] = [line for line in lines if line.startswith("pymorph ")]
    assert "turn: anna, " + where in command
    assert pymorph(*shlex.split(command)[1:])[2] in ("", err)


def test_figures_and_what_a_position_is(my_game: Path, pymorph: Run, tmp_path: Path) -> None:
    edited(my_game, PLAY, "score(C), taken, N, S", "score(C), taken, N + 1, S")
    data = json.loads(pymorph("diff", "my_game", "my_game_new", "--json")[1])
    [found] = data["topics"][3]["findings"]
    assert found["subject"] == "score"
    assert found["rules"] == ["heap_02"]
    assert found["says"].startswith("old: score(")
    shutil.copytree(EXAMPLES / "rulesets" / "tictactoe", tmp_path / "ttt")
    edited(tmp_path / "ttt", PLAY, "N > M + 1", "N > M + 2")
    code, out, _ = pymorph("diff", "./ttt", "./ttt_new", "--topic", "positions")
    assert code == 1
    assert "old: not a valid position by ttt_04; new: a valid position" in out
    assert "  pymorph check '{" in out


def test_a_default_and_a_reading_not_in_force(my_game: Path, pymorph: Run) -> None:
    edited(my_game, GAME, "default(same_again, allowed)", "default(same_again, barred)")
    code, out, _ = pymorph("diff", "./my_game", "./my_game_new")
    assert code == 1
    assert "question same_again: the default was allowed, now barred" in out
    assert "take(anna, 1): old: legal; new: forbidden by heap_02" in out
    reading = ("--reading", "same_again=allowed")
    code, out, _ = pymorph("diff", "./my_game", "./my_game_new", *reading, "--json")
    assert code == 1
    assert json.loads(out)["topics"][1]["findings"] == []
    shutil.rmtree("my_game_new")
    edited(my_game, PLAY, "barred, S).", "barred, S), N > 1.")
    code, out, _ = pymorph("diff", "./my_game", "./my_game_new")
    assert code == 1
    assert "    assumes same_again = barred\n" in out
    assert "old: forbidden by heap_02; new: legal" in out


def test_a_renamed_rule(my_game: Path, pymorph: Run) -> None:
    new = edited(my_game, GAME, "heap_03", "heap_04")
    for file in (PLAY, GAME):
        text = (new / file).read_text().replace("heap_03", "heap_04")
        (new / file).write_text(text)
    code, out, _ = pymorph("diff", "./my_game", "./my_game_new")
    assert code == 1
    assert "rule heap_03: removed\n  rule heap_04: added\n" in out
    told = " ".join(out.split())
    assert re.search(r"old: forbidden by [\w ]*heap_03; new: forbidden by [\w ]*heap_04 ", told)
    assert "old: emptied(anna) by heap_03; new: emptied(anna) by heap_04" in told


def test_equal_versions(my_game: Path, pymorph: Run) -> None:
    shutil.copytree(my_game, "copy")
    Path("copy", GAME).write_text(Path("copy", GAME).read_text() + "% nothing but a word\n")
    code, out, err = pymorph("diff", "./my_game", "./copy")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "the same"
    old, new = loader.load("./my_game"), loader.load("./copy")
    assert compare(old, new).status == ALIKE


def test_the_same_within_bounds(my_game: Path) -> None:
    new = edited(my_game, PLAY, "N > M.", "M < N.")
    found = compare(loader.load("./my_game"), loader.load(str(new)))
    assert found.status == SAME
    assert [topic.status for topic in found.topics] == [ALIKE, SAME, ALIKE, ALIKE]
    assert found.topics[1].looked > 0


def test_what_only_one_version_can_speak_of(my_game: Path, pymorph: Run) -> None:
    edited(
        my_game,
        GAME,
        "action(take, (player, amount)).",
        "action(take, (player, amount)). action(pass, (player,)). fluent(tired, (), player, none).",
    )
    code, out, _ = pymorph("diff", "./my_game", "./my_game_new")
    assert code == 1
    assert "  action pass: added\n  fluent tired: added\n" in out
    shutil.rmtree("my_game_new")
    edited(my_game, GAME, "fluent(heap, ()", "fluent(first, (), player, given). fluent(heap, ()")
    code, out, _ = pymorph("diff", "./my_game", "./my_game_new")
    assert code == 1
    assert "no position is valid in both versions" in out


def test_revisions(my_game: Path, pymorph: Run) -> None:
    committed("first")
    text = (my_game / GAME).read_text()
    (my_game / GAME).write_text(text.replace("most(3).", "most(2)."))
    code, out, err = pymorph("diff", "--of", "./my_game", "first", "--json")
    assert (code, err) == (1, "")
    [found] = json.loads(out)["topics"][1]["findings"]
    assert (found["subject"], found["rules"]) == ("take(anna, 3)", ["heap_02"])
    assert found["witness"]["position"]["ruleset"] == "./my_game"
    committed("second")
    code, again, _ = pymorph("diff", "--of", "./my_game", "first", "second", "--json")
    assert code == 1
    assert json.loads(again)["topics"] == json.loads(out)["topics"]
    assert pymorph("diff", "--of", "./my_game", "second")[0] == 0
    assert "unknown revision" in pymorph("diff", "--of", "./my_game", "third")[2]


def test_saved_positions(my_game: Path, pymorph: Run) -> None:
    edited(my_game, PLAY, "N > M.", "N >= M.")
    code, out, _ = pymorph("diff", "./my_game", "./my_game_new", "--save", "found")
    assert code == 1
    assert "pymorph why found/legality-1.yaml 'take(anna, 3)'" in out
    assert Position.load("found/legality-1.yaml").value("heap").symbol.number == 3


@parametrized
def test_misused(my_game: Path, pymorph: Run, words: list[str], says: str) -> None:
    code, out, err = pymorph("diff", *words)
    assert (code, out) == (2, "")
    assert err.startswith(says)
    assert err.count("\n") == 1


def test_out_of_time(my_game: Path, pymorph: Run) -> None:
    edited(my_game, PLAY, "N > M.", "M < N.")
    code, out, _ = pymorph("diff", "./my_game", "./my_game_new", "--timeout", "0.001")
    assert code == 3
    assert "take: out of time" in out
