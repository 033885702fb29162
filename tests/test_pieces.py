"""Two lengths at once on compiled rules, in this process and in several: the same numbers."""

import os
import pickle
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pymorph as package
from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics import engine
from pymorph.dynamics.engine import Engine
from pymorph.errors import PymorphError
from pymorph.explore.perft import merging, perft
from pymorph.explore.perft.counting import Count
from pymorph.explore.perft.perft import ActionFilter, Plies, Successors
from pymorph.runtime import executor
from pymorph.state.position import Position
from tests.conftest import EXAMPLES, Run, start_of
from tests.dice import WITHOUT_TIES, write_stall
from tests.tables import parametrized

ENDING = "ends(T, turn, stall_01) :- does(pass(_), _, T)."
ROLLED = "ends(T, turn, stall_03) :- does(roll(_, _, 2), _, T)."


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little work is compiled, looked at from one length before, and shared out to copies of this
    process."""
    monkeypatch.setattr(engine, "WORTH", 5)
    monkeypatch.setattr(perft, "LARGE", 1)
    monkeypatch.setattr(perft, "SOON", -1.0)
    monkeypatch.setattr(executor, "start_method", lambda: "fork")


def one_length_at_a_time(start: Position, depth: int, **options: Any) -> Count:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(perft, "LARGE", 1 << 60)
        return package.count(start, depth, **options)


@pytest.mark.usefixtures("small")
def test_rolls_and_what_ends(tmp_path: Path) -> None:
    """Ends of periods close a sequence, rolls go on, and some positions have nothing after them."""
    folder = write_stall(tmp_path / "stall", "\n".join([WITHOUT_TIES, ENDING, ROLLED]))
    start = Position.load(folder / "positions" / "start.yaml")
    asked: tuple[tuple[int, dict[str, Any]], ...] = (
        (3, {"until": "turn"}),
        (4, {"until": "turn"}),
        (4, {"of": ["anna", "chance"], "without": ["pass"]}),
    )
    for jobs, (depth, options) in enumerate(asked, 1):
        found = package.count(start, depth, jobs=jobs, **options)
        assert found == one_length_at_a_time(start, depth, **options)
        assert found.compiled


@pytest.mark.usefixtures("small")
@parametrized
def test_known_games(name: str, depth: int, known: int) -> None:
    """Also where games end on the way, and where there is nothing after the last length but one."""
    start = start_of(name)
    alone = one_length_at_a_time(start, depth)
    assert alone.sequences[-1] == known
    assert package.count(start, depth) == package.count(start, depth, jobs=2) == alone


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("name", "depth"), [("connect_four", 11), ("othello", 9), ("breakthrough", 6)]
)
def test_larger_games(name: str, depth: int) -> None:
    start = start_of(name)
    alone = one_length_at_a_time(start, depth)
    for jobs in (1, 2, 3):
        assert package.count(start, depth, jobs=jobs) == alone


@pytest.mark.usefixtures("small")
def test_different_positions_are_counted_as_before() -> None:
    """They have to be put together, which is done here, however many processes there are."""
    found = package.count(start_of("tictactoe"), 6, positions=True, jobs=2)
    assert [each.positions for each in found.lengths] == [9, 72, 252, 756, 1260, 1520]


@pytest.mark.usefixtures("small")
def test_what_turns_out_not_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the last length, here or in a worker: it is gone through one by one."""
    start = start_of("tictactoe")
    alone = package.count(start, 4)

    def refuses(*_: Any) -> Any:
        raise Uncompiled("not here")

    monkeypatch.setattr(Successors, "_second", refuses)
    for jobs in (1, 2):
        found = package.count(start, 4, jobs=jobs)
        assert found == alone
        assert (found.compiled, found.why_not) == (False, "not here")


@pytest.mark.usefixtures("small")
def test_a_worker_that_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Successors, "_second", lambda *_: os._exit(9))
    with pytest.raises(PymorphError, match="the process died"):
        package.count(start_of("tictactoe"), 4, jobs=2)


@pytest.mark.usefixtures("small")
def test_a_worker_that_makes_the_rules_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is no copy of this process has the ruleset, the position and what is followed."""
    start = start_of("tictactoe")
    here = Successors(Engine(start), ActionFilter(), False)
    here.engine.compile()
    there = pickle.loads(pickle.dumps(here))
    assert not there.engine.compiled
    rows, shares = here.engine.dynamics.encode([start]), np.ones((1, 1), np.uint8)
    found = perft.expand(there, rows, shares, Plies.TWO)
    assert (found.looked, found.sequences, found.ended) == (1, [72], 0)
    assert there.engine.compiled
    monkeypatch.setattr(executor, "start_method", lambda: "spawn")
    assert package.count(start, 5, jobs=2) == package.count(start, 5)


@pytest.mark.usefixtures("small")
def test_the_time_is_up(monkeypatch: pytest.MonkeyPatch, pymorph: Run) -> None:
    """What was counted before the last length is told."""
    monkeypatch.setattr(Successors, "_second", lambda *_: time.sleep(9))
    file = EXAMPLES / "rulesets" / "tictactoe" / "positions" / "start.yaml"
    code, out, _ = pymorph("count", file, "--depth", "4", "--timeout", "1", "--jobs", "2")
    assert (code, "stopped: length 4 is incomplete" in out) == (3, True)
    assert "       3        504" in out


def test_large_numbers() -> None:
    """Sums are exact whatever their size."""
    shares = np.array([[1 << 63, 3], [1 << 63, 4]], np.uint64)
    assert perft.weighed(np.array([3, 5]), shares) == [8 << 63, 29]
    gathered = merging.Gathered(np.zeros((2, 3), np.uint8), shares)
    gathered.add(np.array([[1, 1, 1], [1, 1, 1]], np.uint8), np.array([0, 1]))
    keys, sums = gathered.merged()
    assert (keys.tolist(), sums.tolist()) == ([[1, 1, 1]], [[1 << 64, 7]])
    small = merging.Gathered(
        np.zeros((2, 3), np.uint8), np.array([[200, 1, 0], [56, 255, 0]], np.uint8)
    )
    small.add(np.array([[1, 1, 1], [1, 1, 1], [2, 2, 2]], np.uint8), np.array([0, 1, 1]))
    assert sorted(small.merged()[1].tolist()) == [[56, 255, 0], [256, 256, 0]]
