"""The same work on a local cluster of two processes: the same answers, and errors in one line."""

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pymorph.dynamics import engine
from pymorph.errors import RulesetError
from pymorph.explore.perft import perft
from pymorph.explore.perft.counting import count
from pymorph.ruleset import loader, locations, sharing
from pymorph.runtime import executor
from pymorph.state.position import Position
from tests.conftest import EXAMPLES, Run

NOUGHTS = EXAMPLES / "rulesets" / "tictactoe" / "positions" / "start.yaml"


def distributed() -> Any:
    return pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with two workers, which are somewhere else."""
    here, away = Path.cwd(), tmp_path_factory.mktemp("away")
    os.chdir(away)
    try:
        with distributed().LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster:
            os.chdir(here)
            yield cluster.scheduler_address
    finally:
        os.chdir(here)


def test_count(scheduler: str, stall: Path) -> None:
    for file, depth in ((NOUGHTS, 5), (stall / "positions" / "start.yaml", 4)):
        start = Position.load(file)
        alone = count(start, depth, positions=True)
        assert count(start, depth, positions=True, scheduler=scheduler) == alone


def test_a_compiled_count(scheduler: str, stall: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last two lengths at once, by workers that compile the rules for themselves."""
    monkeypatch.setattr(engine, "WORTH", 5)
    monkeypatch.setattr(perft, "LARGE", 1)
    monkeypatch.setattr(perft, "SOON", -1.0)
    for file, depth in ((NOUGHTS, 6), (stall / "positions" / "start.yaml", 4)):
        start = Position.load(file)
        found = count(start, depth, scheduler=scheduler)
        assert (found, found.compiled) == (count(start, depth), True)


def nothing_found() -> None:
    """Have a worker find no ruleset for itself, so that each is made of what was sent."""

    def load(name: str) -> Any:
        raise RulesetError([])

    known = {name: getattr(loader, name) for name in ("files_of", "of_contents")}
    setattr(sharing, "games", SimpleNamespace(**known, load=load))  # noqa: B010
    sharing._met.clear()


@pytest.mark.parametrize("sent", [False, True])
def test_the_verbs(scheduler: str, my_game: Path, pymorph: Run, sent: bool) -> None:
    """What is printed is the same, places and witnesses included."""
    if sent:
        with distributed().Client(scheduler, set_as_default=False) as client:
            client.run(nothing_found)
    other = my_game.with_name("other")
    shutil.copytree(my_game, other)
    play = other / "encodings" / "play.lp"
    play.write_text(play.read_text().replace("N > K", "N >= K"))
    for words, code in (
        (["verify", my_game, "--json"], None),
        (["verify", other, "--json"], None),
        (["verify", NOUGHTS.parent.parent, "--json"], None),
        (["diff", my_game, other, "--json"], 1),
        (["count", my_game / "positions" / "start.yaml", "--depth", "4", "--json"], 0),
    ):
        alone = pymorph(*words, "--jobs", "1")
        assert pymorph(*words, "--scheduler", scheduler) == alone, words
        assert code is None or alone[0] == code


def slowly(_: Any, number: int) -> Iterator[int]:
    for each in range(number):
        time.sleep(0.2)
        yield each


def fails(_: Any) -> None:
    raise RulesetError([])


def stumbles(_: Any) -> None:
    raise ZeroDivisionError("by nought")


def dies(_: Any) -> None:
    os._exit(3)


def begun() -> str:
    return "state"


def state(given: str) -> str:
    return given


def test_executors_are_alike(scheduler: str) -> None:
    """Results, parts, what is late and errors are the same here and there."""
    for address in ("", scheduler):
        with sharing.executor(2, address, begun, (), 1.0) as workers:
            quick, late = workers.submit(slowly, 2), workers.submit(slowly, 50)
            wrong, odd, plain = map(workers.submit, (fails, stumbles, state))
            workers.finish([quick, late, wrong, odd, plain])
            assert quick.result() == (0, 1)
            assert plain.result() == "state"
            with pytest.raises(RulesetError):
                wrong.result()
            with pytest.raises((ZeroDivisionError, RuntimeError), match="by nought"):
                odd.result()
            with pytest.raises(Exception, match="not settled within 1 second"):
                late.result()
            assert late.parts[:3] == [0, 1, 2]
            assert set(workers.completed([quick, late])) == {quick, late}


def test_a_worker_that_dies(scheduler: str) -> None:
    with sharing.executor(1, scheduler, begun) as workers:
        task = workers.submit(dies)
        workers.finish([task], time.monotonic() + 60)
    with pytest.raises(executor.Died, match="the cluster lost this task"):
        task.result(0)


def test_a_ruleset_travels(my_game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its folder is not, it is made of what was sent; its files are called as they were."""
    start = Position.load(my_game / "positions" / "start.yaml")
    before, answer = start.ruleset, count(start, 3)
    known: dict[sharing.RulesetKey, Any] = {}
    monkeypatch.setattr(sharing, "_met", known)
    message, bare = sharing.dumps(start, True), sharing.dumps(start, False)
    known.clear()
    my_game.rename(my_game.with_name("gone"))
    there = sharing.loads(message)
    assert there == start
    assert there.ruleset is not before
    assert there.ruleset.files == before.files
    assert there.ruleset.folders != before.folders
    assert count(there, 3) == answer
    assert Position.load(Path(there.ruleset.folders[0]) / "positions" / "start.yaml") == start
    # Back, of the ruleset nothing goes along but its hash.
    back = sharing.dumps(there, False)
    known[before.hash, before.folders] = before
    assert sharing.loads(back).ruleset is before
    assert sharing.loads(bare).ruleset is before
    assert len(back) < 1000 < len(message)


def test_a_ruleset_that_ships_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "_met", {})
    game = loader.load(locations.shipped()[0])
    message = sharing.dumps(game, True)
    monkeypatch.setattr(sharing, "_met", {})
    assert sharing.loads(message) is game


def test_no_scheduler(my_game: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says so, and the exit code is 2."""
    from pymorph.runtime import cluster as runtime_cluster

    words = ["count", my_game / "positions" / "start.yaml", "--depth", "2", "--scheduler"]
    monkeypatch.setitem(sys.modules, "distributed", None)
    told = "pymorph: a cluster needs more packages: pip install 'pymorph-referee[cluster]'\n"
    assert pymorph(*words, "tcp://127.0.0.1:1") == (2, "", told)
    monkeypatch.undo()
    pytest.importorskip("distributed")
    monkeypatch.setattr(runtime_cluster, "PATIENCE", 0.5)
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        code, out, err = pymorph(*words, address)
        assert (code, out) == (2, "")
        assert err.startswith(f"pymorph: no scheduler answers at '{address}': ")
        assert err.count("\n") == 1


def test_json_of_both(scheduler: str, pymorph: Run) -> None:
    words = ["count", NOUGHTS, "--depth", "9", "--positions", "--json", "--scheduler", scheduler]
    code, out, _ = pymorph(*words)
    assert (code, json.loads(out)["positions"]) == (0, 5478)
