"""Replaying: to the end of a record, or to the first step that does not follow, and why."""

import json
import re
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

from pymorph.dynamics.outcomes import Outcome
from pymorph.errors import InputError
from pymorph.explore.execution import replay
from pymorph.ruleset import loader
from pymorph.state.position import Position
from pymorph.state.record import Move, Record
from tests.conftest import Run, started
from tests.games import RULESETS

STALL = "position: stall/positions/start.yaml\n"


def written(play: str) -> str:
    Path("r.yaml").write_text(f"{STALL}play:\n{play}")
    return "r.yaml"


# By the rules


def test_rolls_beside_the_action_or_as_steps(stall: Path) -> None:
    """Both give the same, except that a macro goes on only with rolls beside it."""
    beside = Record.load(written("  - throw(anna): [roll(3)]\n  - pass(anna)\n"))
    alone = Record.load(written("  - throw(anna)\n  - roll(3)\n  - pass(anna)\n"))
    assert replay.end_of(beside) == replay.end_of(alone)
    assert replay.replay(alone).steps == 3
    whole = Record.load(written("  - throws(anna, 2): [roll(3), roll(4)]\n"))
    assert str(replay.end_of(whole).value("points(anna)")) == "7"
    cut = Record.load(written("  - throws(anna, 2)\n  - roll(3)\n"))
    assert str(replay.end_of(cut).value("points(anna)")) == "3"


def test_made_under_this_version(my_game: Path, pymorph: Run) -> None:
    head = f'version: "0.1.0"\nhash: {loader.load("./my_game").hash}\n'
    Path("r.yaml").write_text(f"position: my_game/positions/start.yaml\n{head}play: [take(1)]\n")
    assert json.loads(pymorph("replay", "r.yaml", "--json")[1])["made_under"] is None


# Long records


def ticks(number: int) -> Record:
    """A record of so many steps of a game without end."""
    position = Position.parse("{ruleset: ./ticking, players: {anna: {}}}")
    return Record(position, (Move("go(anna)"),) * number)


@pytest.fixture
def ticking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(RULESETS / "ticking", tmp_path / "ticking")


def grown(number: int, warm: int) -> int:
    """By how many kilobytes a replay of so many steps grows, once it is *warm*."""
    marks: list[int] = []

    def seen(step: int, _: Move, outcome: Outcome) -> None:
        assert outcome.position.value("count").number == step
        if step >= warm:
            marks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    assert replay.replay(ticks(number), on_step=seen).steps == number
    return marks[-1] - marks[0]


def test_some_hundred_steps(ticking: None, pymorph: Run) -> None:
    assert grown(300, 100) < 4_000
    Path("r.yaml").write_text(ticks(300).yaml())
    assert Record.load("r.yaml") == ticks(300)
    code, out, err = pymorph("replay", "r.yaml")
    assert (code, out, err) == (0, "300 steps, all by the rules\nnow: count 300\n", "")


@pytest.mark.campaign
def test_ten_thousand_steps(ticking: None) -> None:
    assert grown(10_000, 1_000) < 8_000


def test_time_limit(ticking: None) -> None:
    Path("r.yaml").write_text(ticks(9_000).yaml())
    process = started("replay", "r.yaml", "--timeout", "1")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (3, "")
    assert re.match(r"partial: time limit reached; \d+ steps? so far, all by the rules\n", out)
    process = started("replay", "r.yaml", "--timeout", "1", "--json")
    found = json.loads(process.communicate(timeout=60)[0])
    assert (process.returncode, found["partial"], found["illegal"]) == (3, True, None)
    assert 0 < found["steps"] < 9_000
    assert found["position"]["count"] == found["steps"]


def test_steps_are_told_as_they_are_carried_out(ticking: None) -> None:
    """Whoever reads only the first lines need not wait for the rest."""
    Path("r.yaml").write_text(ticks(9_000).yaml())
    process = started("replay", "r.yaml", "--show", stdin=subprocess.DEVNULL)
    assert process.stdout
    assert process.stdout.readline() == "1. go(anna)\n"
    process.stdout.close()
    process.wait(timeout=20)
    assert process.returncode == 141


def test_a_step_that_is_not_there(ticking: None) -> None:
    with pytest.raises(InputError, match="the record has no step 4, only 3"):
        replay.replay(ticks(3), 4)
