"""Counting sequences of actions: in few groundings, and step by step as a player would go."""

import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

import pymorph as package
from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics import bitsliced, engine, grounded
from pymorph.dynamics.bits import compiled
from pymorph.errors import InputError, PymorphError, RulesetError, UnknownName
from pymorph.explore.execution import application
from pymorph.explore.perft import merging, perft
from pymorph.explore.perft.counting import Count
from pymorph.questions import legality
from pymorph.runtime import executor
from pymorph.state.position import Position
from pymorph.terms import Term
from tests.conftest import EXAMPLES, Run, position_of
from tests.dice import WITHOUT_TIES, write_stall
from tests.tables import sampled, tables
from tests.test_cli import completed

NOUGHTS = EXAMPLES / "rulesets" / "tictactoe" / "positions" / "start.yaml"
FOUR = EXAMPLES / "rulesets" / "connect_four" / "positions" / "start.yaml"


def step_by_step(
    position: Position, depth: int, followed: Callable[[Position, Term], bool] = lambda *_: True
) -> list[int]:
    """The same numbers by the questions that a player asks: what is legal, and what comes of it."""
    ways = Counter({position: 1})
    found = []
    for _ in range(depth):
        after: Counter[Position] = Counter()
        number = 0
        for at, times in ways.items():
            for action in legality.legal_actions(at):
                if followed(at, action):
                    number += times
                    if len(found) + 1 < depth:
                        after[application.apply(at, action).position] += times
        if not number:
            break
        ways = after
        found.append(number)
    return found


# -- known numbers ---------------------------------------------------------------------------------


def test_noughts_and_crosses() -> None:
    """255168 games, of which 1440 are over after five marks, and 5478 positions."""
    found = package.count(Position.load(NOUGHTS), 10, positions=True)
    assert found.sequences == (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)
    assert [each.ended for each in found.lengths] == [0] * 4 + [1440, 5328, 47952, 72576, 127872]
    assert sum(each.ended or 0 for each in found.lengths) == 255168
    positions = tuple(each.positions for each in found.lengths)
    assert positions == (9, 72, 252, 756, 1260, 1520, 1140, 390, 78)
    assert (found.positions, found.complete, found.final) == (5478, True, True)
    for each in found.lengths:
        assert sum(number for _, number in each.by_first) == each.sequences
        # By symmetry a corner is as good as another, and so is the middle of a side.
        shares = {str(action)[-3:-1]: number for action, number in each.by_first}
        assert len({shares[corner] for corner in ("a1", "a3", "c1", "c3")}) == 1
        assert len({shares[side] for side in ("a2", "b1", "b3", "c2")}) == 1


def test_noughts_and_crosses_step_by_step() -> None:
    assert step_by_step(Position.load(NOUGHTS), 3) == [9, 72, 504]


def test_shares_are_those_of_the_positions_after() -> None:
    """As many begin with an action as there are of one action less in the position after it."""
    start = Position.load(EXAMPLES / "positions" / "fate_pile.yaml")
    longest = package.count(start, 4).lengths[-1]
    for action, number in longest.by_first:
        after = application.apply(start, action).position
        assert package.count(after, 3).sequences[-1] == number


# Of positions of the shipped game: the numbers of sequences of one, two and three actions.
MORPHYRY = {
    "edge_of_the_pit": (7, 52, 407),
    "fate_pile": (2, 2, 14),
    "right_cross": (15, 30, 415),
    "wall": (6, 35, 151),
    "worn_out": (5, 18, 83),
}


@sampled("name", MORPHYRY, ["fate_pile", "wall"])
def test_positions_of_the_shipped_game(name: str) -> None:
    """Rolls and draws count as actions; the numbers are the same step by step."""
    start = Position.load(EXAMPLES / "positions" / f"{name}.yaml")
    numbers = package.count(start, 3).sequences
    assert numbers == MORPHYRY[name]
    depth = 3 if numbers[2] < 100 else 2
    assert step_by_step(start, depth) == list(numbers[:depth])


def test_the_last_length_is_as_any_other() -> None:
    """Where no positions are counted, it is not asked where the last actions lead."""
    start = Position.load(EXAMPLES / "positions" / "wall.yaml")
    bare, whole = package.count(start, 2), package.count(start, 2, positions=True)
    assert [each.by_first for each in bare.lengths] == [each.by_first for each in whole.lengths]


# -- what counts -----------------------------------------------------------------------------------


def test_rolls_count_and_what_comes_of_itself_does_not(stall: Path) -> None:
    """A throw, and then six ways for the die to fall; with twenty points the stall closes."""
    start = Position.load(stall / "positions" / "start.yaml")
    found = package.count(start, 2)
    assert step_by_step(start, 2) == list(found.sequences)
    by_first = {str(action): number for action, number in found.lengths[1].by_first}
    assert by_first["throw(anna)"] == 6
    assert by_first["throws(anna, 3)"] == 6
    assert by_first["duel(anna)"] == 12
    data = start.data() | {"players": {"anna": {"points": 14}, "bo": {}}}
    late = position_of(data)
    found = package.count(late, 3, without=["throws", "duel", "pass"])
    assert found.sequences == (1, 6, 7)  # a six is followed by the coin, and the rest by a throw
    assert step_by_step(late, 3, lambda _, a: a.name in ("throw", "roll", "flip")) == [1, 6, 7]


def test_a_position_in_which_a_step_is_due(stall: Path) -> None:
    """What comes of itself at the start is carried out before anything is counted."""
    start = Position.load(stall / "positions" / "start.yaml")
    full = position_of(start.data() | {"players": {"anna": {"points": 20}, "bo": {}}})
    found = package.count(full, 3, positions=True)
    assert (found.sequences, found.complete, found.final) == ((), True, True)
    assert found.positions == 1


# -- which are followed ----------------------------------------------------------------------------


def test_of_an_actor(my_game: Path) -> None:
    """Only what anna does: once, and then it is for bo."""
    start = Position.load(my_game / "positions" / "start.yaml")
    found = package.count(start, 3, of=["anna"])
    assert (found.sequences, found.final, found.lengths[0].ended) == ((3,), True, 3)
    assert package.count(start, 3, of=["bo"]).sequences == ()
    assert package.count(start, 3, of=["anna", "bo"]) == followed_all(start, 3, ("anna", "bo"))


def followed_all(start: Position, depth: int, of: tuple[str, ...]) -> Count:
    from dataclasses import replace

    return replace(package.count(start, depth), of=of)


def test_without_a_form(my_game: Path) -> None:
    """Without taking three, and without anna's taking one, in both ways."""
    start = Position.load(my_game / "positions" / "start.yaml")
    found = package.count(start, 4, without=["take(3)", "take(anna, 1)"])
    assert found.without == ("take(3)", "take(anna, 1)")
    kept = {"take(anna, 2)", "take(bo, 1)", "take(bo, 2)"}
    assert list(found.sequences) == step_by_step(start, 4, lambda _, a: str(a) in kept)
    assert found.sequences == (1, 2, 2, 4)


def test_until_the_end_of_a_period() -> None:
    """The ways to spend one turn: an action that ends it is the last, and then it is another's."""
    start = Position.load(EXAMPLES / "positions" / "right_cross_2.yaml")
    found = package.count(start, 3, of=["baganal"], until="turn", without=["interrupt"])
    own = start.value("turn")

    def followed(at: Position, action: Term) -> bool:
        return at.value("turn") == own and action.actor == "baganal" and action.name != "interrupt"

    assert list(found.sequences) == step_by_step(start, 3, followed)
    assert sum(each.ended or 0 for each in found.lengths) > 0


def test_what_is_asked_wrongly(my_game: Path) -> None:
    start = Position.load(my_game / "positions" / "start.yaml")
    for options, told in tables(__name__)["asked_wrongly"]:
        with pytest.raises((InputError, UnknownName), match=re.escape(told)):
            package.count(start, 2, **options)
    with pytest.raises(InputError, match="1 or more"):
        package.count(start, 0)


# -- processes -------------------------------------------------------------------------------------


@pytest.fixture
def shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little work is shared out, too, and no rules are compiled."""

    def uncompiled(*_: Any, **__: Any) -> None:
        raise Uncompiled("not here")

    monkeypatch.setattr(engine, "WORTH", 0)
    monkeypatch.setattr(perft, "SHARED_FROM", 0)
    monkeypatch.setattr(compiled, "CompiledScene", uncompiled)


@pytest.mark.usefixtures("shared_out")
def test_several_processes(my_game: Path, stall: Path) -> None:
    """They come to the same, whatever is followed, and beside other threads, too."""
    for folder in (my_game, stall):
        start = Position.load(folder / "positions" / "start.yaml")
        options: dict[str, Any] = {"positions": True, "without": ["pass"] * (folder == stall)}
        alone = package.count(start, 4, **options)
        assert package.count(start, 4, jobs=2, **options) == alone
    assert package.within(60, package.count, start, 2, jobs=2) == package.count(start, 2)


def test_what_travels_of_a_position(stall: Path) -> None:
    """The text of how it differs from the first one, the same whatever way leads to it."""
    start = Position.load(stall / "positions" / "start.yaml")
    layer = [start]
    for _ in range(4):
        layer = [after for row in package.successors_of(layer) for _, after in row]
        texts = [grounded.delta(start, position) for position in layer]
        assert [grounded.with_delta(start, text) for text in texts] == layer
        assert len(set(texts)) == len(set(layer))
        layer = list(dict.fromkeys(layer))


@pytest.mark.usefixtures("shared_out")
def test_an_error_and_a_death_in_a_process(my_game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = Position.load(my_game / "positions" / "start.yaml")
    legal = grounded.GroundedStates.legal

    def failing(states: Any, follow: Any) -> Any:
        if set(states.positions) == {start}:
            return legal(states, follow)
        raise RulesetError([])

    monkeypatch.setattr(executor, "start_method", lambda: "fork")
    monkeypatch.setattr(grounded.GroundedStates, "legal", failing)
    with pytest.raises(RulesetError):
        package.count(start, 3, jobs=2)

    def dying(states: Any, follow: Any) -> Any:
        return legal(states, follow) if set(states.positions) == {start} else os._exit(9)

    monkeypatch.setattr(grounded.GroundedStates, "legal", dying)
    with pytest.raises(PymorphError, match="the process died"):
        package.count(start, 3, jobs=2)


# -- the verb --------------------------------------------------------------------------------------


@pytest.mark.usefixtures("shared_out")
@pytest.mark.parametrize(("jobs", "as_json"), [(1, False), (2, True)])
def test_time_limit(
    my_game: Path,
    pymorph: Run,
    monkeypatch: pytest.MonkeyPatch,
    time_is_up: Callable[[], NoReturn],
    jobs: int,
    as_json: bool,
) -> None:
    """When the time is up the answer has what was counted so far, and the exit code is 3."""
    legal = grounded.GroundedStates.legal

    def slowly(states: Any, follow: Any) -> Any:
        if len(set(states.positions)) > 3:
            time_is_up()
        return legal(states, follow)

    monkeypatch.setattr(executor, "start_method", lambda: "fork")
    monkeypatch.setattr(grounded.GroundedStates, "legal", slowly)
    start = my_game / "positions" / "start.yaml"
    words: list[object] = ["count", start, "--depth", "5", "--timeout", "50"]
    words += ["--jobs", str(jobs)]
    code, out, err = pymorph(*words, *["--json"] * as_json)
    assert (code, err) == (3, "")
    if not as_json:
        assert "stopped: length 3 is incomplete" in out
        return
    found = json.loads(out)
    assert found["complete"] is False
    assert [each["sequences"] for each in found["lengths"]] == [3, 9]


@pytest.mark.skipif(os.name != "posix", reason="signals of this kind are of Unix")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c(jobs: int) -> None:
    """It ends with 130 and tells what was counted so far; no process stays behind."""
    script = f"""
import multiprocessing, os, signal, sys
from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.cli import verb
from pymorph.dynamics import engine
from pymorph.dynamics.bits import compiled
from pymorph.explore.perft import perft

def uncompiled(*_, **__):
    raise Uncompiled("not here")

if {jobs} > 1:
    compiled.CompiledScene, engine.WORTH, perft.SHARED_FROM = uncompiled, 0, 0

class Line(verb.ProgressLine):
    def write(self, words):
        at_work = {jobs} == 1 or multiprocessing.active_children()
        if at_work and not words.startswith(("length 1:", "length 2:")):
            Line.write = super().write
            os.killpg(0, signal.SIGINT)

verb.ProgressLine = Line
sys.argv[1:] = ["count", {str(FOUR)!r}, "--depth", "20", "--positions", "--jobs", "{jobs}"]
from pymorph.__main__ import main
main()
"""
    words = [sys.executable, "-c", script]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(words, **pipes, start_new_session=True)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "interrupted\n")
    assert "is incomplete" in out
    end = time.monotonic() + 20
    while alive(process.pid) and time.monotonic() < end:
        time.sleep(0.2)
    assert not alive(process.pid)


def alive(group: int) -> bool:
    """Is there any process of a group?"""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_progress_is_told() -> None:
    seen: list[tuple[int, int, int]] = []

    def told(so_far: Count, looked: int, waiting: int) -> None:
        seen.append((len(so_far.lengths), looked, waiting))

    package.count(Position.load(NOUGHTS), 4, told=told)
    assert seen == [(0, 0, 1), (0, 1, 1), (1, 0, 9), (1, 9, 9), (2, 0, 72), (2, 72, 72),
                    (3, 0, 252), (3, 252, 252)]  # fmt: skip


def test_completion(my_game: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    line = f"pymorph count {my_game / 'positions' / 'start.yaml'}"
    assert completed(f"{line} --of ", monkeypatch, pymorph) == ["anna", "bo"]
    assert completed(f"{line} --without ta", monkeypatch, pymorph) == ["take"]
    assert completed(f"{line} --until ", monkeypatch, pymorph) == []
    other = EXAMPLES / "positions" / "right_cross.yaml"
    assert completed(f"pymorph count {other} --until t", monkeypatch, pymorph) == ["turn"]


def test_it_runs_as_a_module() -> None:
    words = [sys.executable, "-m", "pymorph", "count", str(NOUGHTS), "--depth", "2", "--jobs", "2"]
    found = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert (found.returncode, found.stderr) == (0, "")
    assert "       2         72" in found.stdout


def test_several_processes_are_for_what_is_not_compiled(
    stall: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With enough to do, compiled rules take one process; the numbers are the same."""
    start = Position.load(stall / "positions" / "start.yaml")
    alone = package.count(start, 5, positions=True)
    monkeypatch.setattr(engine, "WORTH", 5)
    made: list[object] = []
    scene = compiled.CompiledScene

    def noted(position: Position, **options: Any) -> object:
        found = scene(position, **options)
        made.append(position)
        return found

    monkeypatch.setattr(compiled, "CompiledScene", noted)
    assert package.count(start, 5, positions=True, jobs=2) == alone
    assert len(made) == 1


def test_what_turns_out_not_to_compile_goes_on_one_by_one(
    stall: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two values at once are only met with in play: whoever goes one by one says what it is."""
    start = Position.load(stall / "positions" / "start.yaml")
    alone = package.count(start, 4, positions=True, without=["pass"])
    monkeypatch.setattr(engine, "WORTH", 5)
    legal = bitsliced.BitStates.legal

    def failing(states: Any, follow: Any) -> Any:
        if len(states) > 20:
            raise Uncompiled("not here")
        return legal(states, follow)

    monkeypatch.setattr(bitsliced.BitStates, "legal", failing)
    assert package.count(start, 4, positions=True, without=["pass"]) == alone


@pytest.mark.parametrize(("name", "value"), [("MOST_WAITING", 50), ("MIXING", 0)])
def test_equal_positions_are_put_together(
    name: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Piece by piece, and where what is mixed of their keys tells none apart."""
    monkeypatch.setattr(engine, "WORTH", 5)
    monkeypatch.setattr(merging, name, value)
    found = package.count(Position.load(NOUGHTS), 6, positions=True)
    assert found.sequences == (9, 72, 504, 3024, 15120, 54720)
    assert [each.positions for each in found.lengths] == [9, 72, 252, 756, 1260, 1520]
    assert found.positions == 3870


def test_compiled_until_the_end_of_a_period(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending = "ends(T, turn, stall_01) :- does(pass(_), _, T)."
    rolled = "ends(T, turn, stall_03) :- does(roll(_, _, 2), _, T)."
    folder = write_stall(tmp_path / "stall", "\n".join([WITHOUT_TIES, ending, rolled]))
    start = Position.load(folder / "positions" / "start.yaml")
    found = []
    for worth in (5, 1 << 20):
        monkeypatch.setattr(engine, "WORTH", worth)
        found.append(package.count(start, 4, until="turn", positions=True))
    assert found[0] == found[1]
    assert [each.ended for each in found[0].lengths[:3]] == [1, 6, 26]
