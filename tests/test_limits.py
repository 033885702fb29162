"""Time limits and Ctrl-C hold while clingo grounds and while it solves."""

import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import pytest

import pymorph
from pymorph.dynamics.asking.batch import uncollected
from pymorph.errors import (
    Fault,
    IllegalAction,
    IllFormed,
    InputError,
    OutOfTime,
    Place,
    PymorphError,
    RulesetError,
    UnknownName,
    Unsettled,
)
from pymorph.runtime.limits import in_thread
from pymorph.runtime.processes import within
from pymorph.state.position import Position
from tests.conftest import at_work, started
from tests.games import file_text

# A ruleset that passes the gate, and whose `legal` never comes to an end.
HEAD = file_text("endless/head.lp")
GROUNDS = file_text("endless/grounding.lp")
JOINS = file_text("endless/joining.lp")
# Thirteen pigeons in twelve holes, without a constraint: an odd loop where two share one.
SOLVES = file_text("endless/solving.lp")
ENDLESS = {"grounding": GROUNDS, "joining": JOINS, "solving": SOLVES}
SLACK = 6.0  # seconds that a busy machine may take for what takes none


@pytest.fixture(params=ENDLESS)
def endless(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A position of which nobody will ever know what is legal, in its one-line form."""
    game = tmp_path / request.param
    (game / "rules").mkdir(parents=True)
    (game / "rules" / "game.lp").write_text(HEAD + ENDLESS[request.param])
    return f'{{ruleset: "{game}", turn: anna}}'


def test_time_limit(endless: str) -> None:
    start = time.monotonic()
    words = ["legal", endless] if "grounding" not in endless else ["why", endless, "go(anna)"]
    process = started(*words, "--timeout", "0.5")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (3, "")
    assert err == "pymorph: no answer within 0.5 seconds\n"
    assert time.monotonic() - start < 1 + SLACK


@pytest.mark.skipif(os.name != "posix", reason="signals of this kind are of Unix")
def test_ctrl_c(endless: str) -> None:
    process = started("legal", endless, stdin=subprocess.DEVNULL)
    at_work(process)
    assert process.poll() is None
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "interrupted\n")
    assert time.monotonic() - start < SLACK


@pytest.mark.skipif(os.name != "posix", reason="signals of this kind are of Unix")
@pytest.mark.parametrize("module", ["click", "yaml", "clingo", "pymorph.questions.legality"])
def test_ctrl_c_while_modules_are_imported(my_game: Path, module: str) -> None:
    """However early it comes; what is imported when is not for the one at the keyboard to know."""
    script = f"""
import os, signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv[1:] = ["legal", "my_game/positions/start.yaml"]
from pymorph.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_enough_time(my_game: Path) -> None:
    process = started("legal", my_game / "positions/start.yaml", "--timeout", "60")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "take(anna, 1)" in out


def test_limit_covers_reading(tmp_path: Path) -> None:
    """Standard input that never ends."""
    process = started("legal", "-", "--timeout", "0.5", stdin=subprocess.PIPE)
    assert process.wait(timeout=60) == 3
    assert process.stderr is not None
    assert process.stderr.read() == "pymorph: no answer within 0.5 seconds\n"
    for pipe in (process.stdin, process.stdout, process.stderr):
        assert pipe is not None
        pipe.close()


# From Python


def children() -> set[int]:
    """The processes that this one has started and that still live.

    One of them is what multiprocessing keeps to the end once it has started processes.
    """
    resource_tracker.ensure_running()
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and fields[0] != "Z":
            found.add(int(path.parent.name))
    return found


def test_within_ends_the_process(endless: str) -> None:
    position = Position.parse(endless)
    before = children()
    start = time.monotonic()
    with pytest.raises(OutOfTime, match=r"^no answer within 0\.5 seconds$"):
        pymorph.within(0.5, pymorph.legal_actions, position)
    assert time.monotonic() - start < 1 + SLACK
    assert children() <= before


def test_within_answers(my_game: Path) -> None:
    position = Position.load(my_game / "positions" / "start.yaml")
    assert within(60, pymorph.legal_actions, position) == pymorph.legal_actions(position)
    assert within(60, pymorph.why, position, "take(5)") == pymorph.why(position, "take(5)")
    assert within(60, pymorph.legal, position) == pymorph.legal(position)
    assert within(60, pymorph.check, position) == pymorph.check(position)
    assert within(60, pymorph.forecast, position, "score", wide=True) == pymorph.forecast(
        position, "score", wide=True
    )
    assert within(60, pymorph.apply, position, "take(2)") == pymorph.apply(position, "take(2)")
    successors = within(60, pymorph.successors_of, [position])
    assert successors == pymorph.successors_of([position])


def test_within_raises_what_the_question_raises(my_game: Path, inn: Path) -> None:
    position = Position.load(my_game / "positions" / "start.yaml")
    with pytest.raises(IllegalAction) as illegal:
        within(60, pymorph.apply, position, "take(5)")
    assert (illegal.value.action, illegal.value.rules) == ("take(anna, 5)", ("heap_02",))
    with pytest.raises(UnknownName) as unknown:
        within(60, pymorph.why, position, "tak(5)")
    assert str(unknown.value) == "unknown action 'tak'; did you mean 'take'?"
    with pytest.raises(InputError) as wrong:
        within(60, Position.parse, "ruleset: ./my_game\nturn: cy\nheap: x\n", "f")
    assert [fault.place for fault in wrong.value.faults][-1] == Place("f", 3, 7)
    dinner = pymorph.as_seen_by(Position.load(inn / "positions" / "dinner.yaml"), "bo")
    with pytest.raises(Unsettled) as unsettled:
        within(60, pymorph.apply, dinner, "eat(plum_cake)")
    assert unsettled.value.depends_on == ("hand(anna, hidden)",)
    assert unsettled.value.rules == ("inn_05",)
    with pytest.raises(KeyError):
        within(60, dict.__getitem__, {}, "nothing")
    with pytest.raises(SystemExit):
        within(60, sys.exit, 3)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def leave_a_lock() -> Any:
    return threading.Lock()


class Odd(Exception):
    """An error that cannot be made again from its text."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def raise_odd() -> None:
    raise Odd(1, 2)


def test_a_process_that_dies() -> None:
    with pytest.raises(
        PymorphError, match=r"^the process that worked on the answer died \(exit -9\)$"
    ):
        within(60, die)
    with pytest.raises(PymorphError, match="died"):
        within(60, os._exit, 7)


def test_what_does_not_pickle() -> None:
    with pytest.raises(TypeError, match="cannot pickle the answer"):
        within(60, leave_a_lock)
    with pytest.raises(TypeError, match=r"cannot pickle the error Odd"):
        within(60, raise_odd)


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_no_time_at_all(seconds: float) -> None:
    with pytest.raises(ValueError, match="more than 0"):
        within(seconds, len, "abc")


def test_a_very_long_time() -> None:
    assert within(float("inf"), len, "abc") == 3
    assert within(1e300, len, "abc") == 3


def test_alone_and_beside_other_threads(my_game: Path) -> None:
    """A copy of the process where that is safe, a fresh one where other threads may hold locks."""
    code = (
        "import threading, pymorph\n"
        "if __name__ == '__main__':\n"
        "    position = pymorph.Position.load('my_game/positions/start.yaml')\n"
        "    alone = pymorph.within(60, pymorph.legal_actions, position)\n"
        "    stop = threading.Event()\n"
        "    threading.Thread(target=stop.wait, daemon=True).start()\n"
        "    beside = pymorph.within(60, pymorph.legal_actions, position)\n"
        "    assert alone == beside\n"
        "    print(*alone)\n"
    )
    Path("script.py").write_text(code)
    found = subprocess.run(
        [sys.executable, "-W", "error", "script.py"], capture_output=True, text=True, timeout=60
    )
    assert (found.stdout, found.stderr) == ("take(anna, 1) take(anna, 2) take(anna, 3)\n", "")


@pytest.mark.skipif(os.name != "posix", reason="signals of this kind are of Unix")
def test_ctrl_c_during_within(tmp_path: Path) -> None:
    Path(tmp_path / "script.py").write_text(
        "import time, pymorph\n"
        "if __name__ == '__main__':\n"
        "    print('ready', flush=True)\n"
        "    pymorph.within(60, time.sleep, 60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "script.py")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT)
    assert "KeyboardInterrupt" in err
    assert time.monotonic() - start < SLACK


def test_in_thread() -> None:
    assert in_thread(None, lambda: 3) == 3
    assert in_thread(5, lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        in_thread(5, lambda: 1 // 0)
    release = threading.Event()
    start = time.monotonic()
    with pytest.raises(OutOfTime, match=r"^no answer within 0\.3 seconds$"):
        in_thread(0.3, lambda: release.wait(30))
    assert 0.3 <= time.monotonic() - start < 0.3 + SLACK
    release.set()


FAULT = Fault("wrong", Place("f", 1, 2), ("rule_01",))


@pytest.mark.parametrize(
    "error",
    [
        InputError(FAULT),
        InputError([FAULT, Fault("more")]),
        UnknownName(FAULT),
        IllFormed([FAULT, FAULT]),
        RulesetError([FAULT]),
        IllegalAction("take(anna, 5)", ("heap_01", "heap_02")),
        Unsettled("eat(anna)", ("hand(anna, hidden)",), ("inn_05",)),
        OutOfTime("no answer within 1 second"),
        PymorphError("something"),
    ],
)
def test_errors_travel_whole(error: PymorphError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert vars(back) == vars(error)


@pytest.mark.parametrize("was_on", [True, False])
def test_garbage_is_looked_for_after_a_question_as_it_was_before(was_on: bool) -> None:
    (gc.enable if was_on else gc.disable)()
    try:
        with uncollected(), uncollected():
            assert not gc.isenabled()
        assert gc.isenabled() is was_on
        with pytest.raises(ZeroDivisionError), uncollected():
            raise ZeroDivisionError
        assert gc.isenabled() is was_on
    finally:
        gc.enable()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="as Linux has it")
def test_memory_of_whoever_started_it(my_game: Path) -> None:
    """A large program starts pymorph: what that program holds is not held against the answer."""
    question = (
        "from pymorph.runtime import limits; from pymorph.cli import app; import time;"
        "limits.MEMORY = 150 << 20; limits.TICK = 0.01;"
        "limits.in_thread(9, lambda: time.sleep(0.1));"
        "app.run(['legal', 'my_game/positions/start.yaml'])"
    )
    large = (
        "import os, sys; held = b'x' * (300 << 20); child = os.fork();"
        f"child or os.execv(sys.executable, [sys.executable, '-c', {question!r}]);"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    done = subprocess.run([sys.executable, "-c", large], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "take(anna, 1)" in done.stdout
