"""Replaying: to the end of a record, or to the first step that does not follow, and why."""

from __future__ import annotations

import json
import re
import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import pymorph as package
from pymorph.dynamics.outcomes import Outcome
from pymorph.errors import InputError
from pymorph.explore.execution import application, replay
from pymorph.state.position import Position
from pymorph.state.record import Move, Record
from tests.conftest import started
from tests.games import RULESETS
from tests.tables import expected, parametrized

Run = Callable[..., tuple[int, str, str]]

HEAP = "position: my_game/positions/start.yaml\n"
STALL = "position: stall/positions/start.yaml\n"


def written(play: str, head: str = HEAP) -> str:
    Path("r.yaml").write_text(f"{head}play:\n{play}")
    return "r.yaml"


# By the rules


def test_a_whole_game(my_game: Path, pymorph: Run) -> None:
    """Anna takes the last counter; replayed, it ends where playing it ended."""
    line = ["take(anna, 3)", "take(bo, 3)", "take(anna, 1)", "take(bo, 2)", "take(anna, 1)"]
    file = written("".join(f"  - {action}\n" for action in line))
    answer = package.replay(package.Record.load(file))
    assert answer.good
    assert (answer.steps, answer.stop, answer.differs, answer.pending) == (5, None, (), ())
    start = Position.load("my_game/positions/start.yaml")
    assert answer.position == application.apply(start, *line).position
    assert pymorph("replay", file) == (
        0,
        "5 steps, all by the rules\nnow: turn bo, heap 0, last 1\n"
        "the game is over: anna wins, The last counter [heap_03]\n",
        "",
    )


def test_what_each_step_changed(my_game: Path, pymorph: Run) -> None:
    code, out, _ = pymorph("replay", "my_game/records/first.yaml", "--show")
    steps = pymorph("apply", "my_game/positions/start.yaml", "take(2)", "take(3)")[1].split("\n\n")
    assert code == 0
    assert out == f"1. {steps[0]}\n\n2. {steps[1]}\n\n2 steps, all by the rules\n{steps[2]}"


def test_as_far_as_wanted(my_game: Path, pymorph: Run) -> None:
    file = written("  - take(2)\n  - take(3)\n  - take(anna, 9)\n")
    for number, heap in ((0, 10), (1, 8), (2, 5)):
        code, out, _ = pymorph("replay", file, "--to", number, "--json")
        found = json.loads(out)
        assert (code, found["steps"], found["illegal"]) == (0, number, None)
        assert found["position"]["heap"] == heap
    assert pymorph("replay", file, "--to", 3)[0] == 1
    code, out, err = pymorph("replay", file, "--to", 4)
    assert (code, out, err) == (2, "", "pymorph: the record has no step 4, only 3\n")
    assert pymorph("replay", file, "--to", -1)[0] == 2


def test_rolls_beside_the_action_or_as_steps(stall: Path) -> None:
    """Both give the same, except that a macro goes on only with rolls beside it."""
    beside = Record.load(written("  - throw(anna): [roll(3)]\n  - pass(anna)\n", STALL))
    alone = Record.load(written("  - throw(anna)\n  - roll(3)\n  - pass(anna)\n", STALL))
    assert replay.end_of(beside) == replay.end_of(alone)
    assert replay.replay(alone).steps == 3
    whole = Record.load(written("  - throws(anna, 2): [roll(3), roll(4)]\n", STALL))
    assert str(replay.end_of(whole).value("points(anna)")) == "7"
    cut = Record.load(written("  - throws(anna, 2)\n  - roll(3)\n", STALL))
    assert str(replay.end_of(cut).value("points(anna)")) == "3"


def test_a_roll_that_is_pending_at_the_end(stall: Path, pymorph: Run) -> None:
    code, out, _ = pymorph("replay", written("  - throw(anna)\n", STALL))
    assert code == 0
    assert out.endswith("pending: roll(chance, anna, 1..6), each 1/6 [stall_02]\n")


def test_house_rulings(my_game: Path, pymorph: Run) -> None:
    """heap_02: with the ruling, nobody takes what the other has just taken."""
    file = written("  - take(2)\n  - take(2)\n")
    assert pymorph("replay", file)[0] == 0
    assert pymorph("replay", file, "--reading", "same_again=barred")[0] == 1
    assert pymorph("replay", written("  - take(2)\n  - take(2)\n", HEAP + RULED))[0] == 1


RULED = "rulings: {same_again: barred}\n"


def test_every_verb_takes_a_record(my_game: Path, pymorph: Run) -> None:
    """The position at its end is asked about."""
    file = "my_game/records/first.yaml"
    line = json.loads(pymorph("replay", file, "--json")[1])["line"]
    for words in (["legal"], ["show"], ["forecast"], ["check"]):
        assert pymorph(words[0], file) == pymorph(words[0], line), words
    for verb in ("why", "apply"):
        assert pymorph(verb, file, "take(3)") == pymorph(verb, line, "take(3)"), verb
    code, out, err = pymorph("legal", written("  - take(9)\n"))
    assert (code, out) == (2, "")
    assert err == (
        "r.yaml:3:5: step 1 of the record cannot be carried out: take(anna, 9) is not legal: "
        "heap_02\n"
    )


# Not by the rules


def test_the_first_illegal_step(my_game: Path, pymorph: Run) -> None:
    """heap_01: Bo takes twice. What comes after it is not judged."""
    file = written("  - take(anna, 2)\n  - take(bo, 3)\n  - take(bo, 1)\n  - take(bo, 9)\n")
    code, out, err = pymorph("replay", file)
    assert (code, err) == (1, "")
    before = json.loads(pymorph("replay", file, "--to", 2, "--json")[1])["line"]
    assert out == (
        "2 steps played\n\nr.yaml:5:5: stopped at step 3\n"
        + pymorph("why", before, "take(bo, 1)")[1]
        + "\nbefore it\n"
        + pymorph("show", before)[1]
    )
    found = json.loads(pymorph("replay", file, "--json")[1])
    assert found["steps"] == 2
    assert found["line"] == before
    assert found["illegal"] == {
        "step": 3,
        "line": 5,
        "action": "take(bo, 1)",
        "rules": ["heap_01"],
        "says": "",
        "depends_on": [],
        "pending": [],
    }


def test_a_heading_that_does_not_hold(my_game: Path, pymorph: Run) -> None:
    file = written("  - take(2)\n  - at: {turn: bo, heap: 9}\n    do: [take(1)]\n")
    code, out, _ = pymorph("replay", file)
    assert code == 1
    assert "r.yaml:5:10: stopped at step 2\ntake(1): heap is 8 here, not 9\n" in out
    found = json.loads(pymorph("replay", file, "--json")[1])["illegal"]
    assert (found["step"], found["rules"], found["says"]) == (2, [], "heap is 8 here, not 9")


@parametrized
def test_rolls_that_are_missing_or_too_many(
    stall: Path, pymorph: Run, play: str, step: int, action: str, rules: list[str], says: str,
    pending: list[str],
) -> None:  # fmt: skip
    Path("r.yaml").write_text(f"{STALL}play: {play}\n")
    code, out, _ = pymorph("replay", "r.yaml", "--json")
    found = json.loads(out)["illegal"]
    assert code == 1
    assert (found["step"], found["action"], found["rules"]) == (step, action, rules)
    assert found["says"].startswith(says)
    assert bool(found["says"]) == bool(says)
    assert [roll["roll"] for roll in found["pending"]] == pending
    code, out, err = pymorph("replay", "r.yaml")
    assert (code, err) == (1, "")
    assert f"stopped at step {step}" in out
    assert all(word in out for word in (says, *rules))


def test_a_position_that_is_none(inn: Path, pymorph: Run) -> None:
    text = (inn / "positions" / "dinner.yaml").read_text().replace("at: b1", "at: a1")
    (inn / "positions" / "crowded.yaml").write_text(text)
    (inn / "r.yaml").write_text("position: positions/crowded.yaml\nplay:\n")
    code, out, err = pymorph("replay", inn / "r.yaml")
    assert (code, out) == (2, "")
    assert "not a valid position: at(anna) breaks inn_04" in err


def test_what_hangs_on_something_hidden(inn: Path, pymorph: Run) -> None:
    """inn_05: of what Bo knows of Anna's hand, it cannot be said whether she could eat it."""
    text = (inn / "positions" / "dinner.yaml").read_text().replace("at: a1", "at: none")
    (inn / "positions" / "alone.yaml").write_text(text)
    (inn / "r.yaml").write_text("position: positions/alone.yaml\nplay:\n  - eat(anna, rye_bread)\n")
    assert pymorph("replay", inn / "r.yaml")[0] == 0
    code, out, _ = pymorph("replay", inn / "r.yaml", "--as", "bo", "--json")
    assert code == 3
    assert json.loads(out)["illegal"]["depends_on"] == ["hand(anna, hidden)"]


# Under other rules, to another end


def test_made_under_another_version(my_game: Path, pymorph: Run) -> None:
    file = written("  - take(1)\n", HEAP + 'version: "0.0.9"\nhash: 0123abcd\n')
    code, out, _ = pymorph("replay", file)
    game = package.load_ruleset("./my_game")
    assert code == 0
    assert out.splitlines()[0] == (
        f"recorded with version 0.0.9 (0123abcd); this is version 0.1.0 ({game.hash})"
    )
    found = json.loads(pymorph("replay", file, "--json")[1])
    assert found["made_under"] == {"version": "0.0.9", "hash": "0123abcd"}
    file = written("  - take(1)\n", f'{HEAP}version: "0.1.0"\nhash: {game.hash}\n')
    assert json.loads(pymorph("replay", file, "--json")[1])["made_under"] is None


def test_another_end_than_recorded(my_game: Path, pymorph: Run) -> None:
    end = "{ruleset: ./my_game, turn: anna, heap: 8, last: 0, players: {anna: {}, bo: {taken: 1}}}"
    file = written("  - take(anna, 2)\n", f"{HEAP}result: '{end}'\n")
    code, out, _ = pymorph("replay", file)
    assert code == 1
    assert out == (expected("replay/another_end_than_recorded"))
    assert json.loads(pymorph("replay", file, "--json")[1])["differs"] == [
        {"fluent": "last", "recorded": 0, "now": 2},
        {"fluent": "taken(anna)", "recorded": 0, "now": 2},
        {"fluent": "taken(bo)", "recorded": 1, "now": 0},
        {"fluent": "turn", "recorded": "anna", "now": "bo"},
    ]
    assert pymorph("replay", file, "--to", 0)[0] == 0


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
