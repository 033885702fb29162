"""What the tests share: positions written in a line or two, and a cache of their own."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from multiprocessing.sharedctypes import RawValue
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import settings

from pymorph import yamlio
from pymorph.cli import app, values
from pymorph.ruleset import scaffold
from pymorph.state.position import Position
from tests import collecting
from tests.dice import write_stall
from tests.inn import write_inn

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
NUMBERS = count()
Run = Callable[..., tuple[int, str, str]]  # a command line: its exit code, output and errors

# Or each worker, and each process of a test, compiles all anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile("ci", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ci")


@pytest.fixture(autouse=True, scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Checked rulesets are cached in a folder of the tests; nobody's house rulings are in force.

    What a shell would wait for in vain on a busy machine is waited for, and Ctrl-C is heard where
    whoever runs the tests in the background lets them ignore it.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)

    os.environ.pop("COLUMNS", None)
    os.environ.setdefault("PYMORPH_CACHE", str(ROOT / ".pytest_cache" / "rulesets"))
    os.environ["PYMORPH_CONFIG"] = str(tmp_path_factory.mktemp("configuration"))
    values.PATIENCE = 60.0


def start_of(game: str) -> Position:
    """The start of an example game."""
    return Position.load(EXAMPLES / "rulesets" / game / "positions" / "start.yaml")


def rules(position: Position, action: str) -> list[str]:
    """The rules that are reasons why an action is legal or not."""
    from pymorph.questions import explanation

    return sorted({reason.rule.id for reason in explanation.why(position, action).reasons})


def full(*_: object, **__: object) -> Any:
    """Instead of writing to a disk: there is no room left on it."""
    raise OSError(28, "No space left on device")


def position_of(data: dict[str, Any], name: str = "<case>") -> Position:
    """The position of a mapping as a file would have it."""
    return Position.parse(yamlio.flow(data), name)


def ended(position: Position) -> str:
    """How a game has ended: who has won, `drawn`, or `nobody`; `open`, if it is not over."""
    from pymorph.dynamics.asking.endings import outcome

    found = outcome(position)
    if found is None:
        return "open"
    words = [*map(str, found.winners), *["drawn"] * found.drawn]
    return " and ".join(words) or "nobody"


@pytest.fixture
def tmp_path(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """An empty folder, where each test of a worker has its own: a game that several tests write
    there is the same game at the same place, which is compiled once. Afterwards it goes aside.
    """
    base = tmp_path_factory.getbasetemp()
    folder = base / "here"
    folder.mkdir()
    yield folder
    name = re.sub(r"\W", "_", request.node.name)[:30]
    folder.rename(base / f"{name}_{next(NUMBERS)}")


@pytest.fixture(scope="session")
def inn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the game in `inn.py`."""
    return write_inn(tmp_path_factory.mktemp("games") / "inn")


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter ruleset, of which tests have copies: to write it takes five times as long."""
    folder = tmp_path_factory.mktemp("starter") / "my_game"
    scaffold.write(str(folder))
    return folder


@pytest.fixture
def my_game(starter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The starter ruleset as my_game, in a folder that the test works in."""
    monkeypatch.chdir(tmp_path)
    return shutil.copytree(starter, tmp_path / "my_game")


@pytest.fixture
def stall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The dice game, in a folder that the test works in."""
    monkeypatch.chdir(tmp_path)
    return write_stall(tmp_path / "stall")


@pytest.fixture
def time_is_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], NoReturn]]:
    """Called by a piece of work, in whatever thread or process, it has that limit of 50 seconds
    come to its end at once, however busy the machine is; of the piece nothing more is heard."""
    passed, over, clock = RawValue("i"), threading.Event(), time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: clock() + 55 * passed.value)

    def up() -> NoReturn:
        passed.value += 1
        over.wait(60)
        raise SystemExit

    yield up
    over.set()


@pytest.fixture
def pymorph(capsys: pytest.CaptureFixture[str]) -> Run:
    """A command line, carried out in this process: its exit code, what it printed, its errors."""

    def run(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = app.run([str(word) for word in words])
        return (code, *capsys.readouterr())

    return run


def started(*words: object, **options: Any) -> subprocess.Popen[str]:
    """A command line in a process of its own."""
    command = [sys.executable, "-m", "pymorph", *map(str, words)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, **{**pipes, **options})


def at_work(process: subprocess.Popen[str]) -> None:
    """Wait until a command line has begun to work on its answer, in a thread or a process."""
    status = Path(f"/proc/{process.pid}/status")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if status.exists():
        for _ in range(1500):
            threads = re.search(r"^Threads:\s+[2-9]", status.read_text(), re.MULTILINE)
            if threads or (children.exists() and children.read_text()):
                break
            time.sleep(0.02)
    time.sleep(0.5)


def pytest_report_header() -> str:
    """Which part of the case files of a large game is judged; it changes with the commit."""
    names = ", ".join(collecting.SAMPLED)
    number = collecting.part() + 1
    commit = collecting.commit()[:8]
    return f"case files of {names}: part {number} of {collecting.PARTS}, by commit {commit}"


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """One worker runs a module, or a batch of case files, so that what they share is made once.

    The scheduler knows tests by their names; not every release of pytest-xdist reads marks.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Grouped(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return collecting.group_of(nodeid)

    return Grouped(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the slow tests, and put the longest groups first, so that workers end together.

    Clusters come last: they leave threads behind, beside which no process is a copy but each
    begins from nothing.
    """
    for item in items:
        if collecting.is_slow(item):
            item.add_marker(pytest.mark.slow)
    config.stash[collecting.IDLE] = collecting.idle_entries(items)

    def rank(item: pytest.Item) -> int:
        if isinstance(item, collecting.CaseItem):
            return 0
        if item.path.stem in collecting.APART:
            return 1
        return 3 if item.path.stem == "test_cluster" else 2

    items.sort(key=rank)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Case files are tests too."""
    if collecting.is_case_file(file_path):
        return collecting.CaseFile.from_parent(parent, path=file_path)
    return None


def pytest_configure() -> None:
    """What is collected stays: to look for garbage among it took a quarter of the collecting."""
    import gc

    gc.set_threshold(50_000, 20, 20)


def pytest_collection_finish() -> None:
    """What tests are made of is no garbage, and is not looked through again and again."""
    import gc

    gc.collect()
    gc.freeze()
