"""Properties are checked side by side; what is late, dies or eats all memory is unknown."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from clingo import Control

from pymorph.errors import Fault, RulesetError, UnknownName
from pymorph.ruleset import loader, locations
from pymorph.runtime import executor
from pymorph.state.position import Position
from pymorph.verify import runner
from pymorph.verify.effort import EFFORT
from pymorph.verify.pieces import Progress
from pymorph.verify.report import (
    PROVED,
    UNKNOWN,
    VIOLATED,
    WITHIN,
    Finding,
    Piece,
    Property,
    Witness,
)
from pymorph.verify.runner import Report, in_turns, properties_of, selected, verify
from pymorph.verify.scope import Bounds, Scope

BOUND = "3x3 board, 2 guests, each card once, numbers up to 12"  # of the inn
SLACK = 6.0  # seconds that a busy machine may take for what takes none

# Stand-ins for properties: a fresh process finds them by their names.


def rooms(_: Scope) -> list[str]:
    return ["attic", "cellar", "hall", "yard"]


def in_the_dark(_: Scope) -> list[str]:
    return ["dark"]


def look(_: Scope, name: str) -> Piece:
    return Piece(looked=len(name), subjects=1, notes=("swept",))


def late_look(setting: Scope, name: str) -> Piece:
    """The first room takes longest."""
    time.sleep(0.2 if name == "attic" else 0)
    return replace(look(setting, name), findings=(Finding(name, "is dark", ("inn_01",)),))


def sleep(_: Scope, name: str) -> Piece:
    if name in ("", "attic"):
        time.sleep(60)
    return Piece(looked=1)


def toil(_: Scope, name: str) -> Piece:
    end = time.process_time() + 0.3
    while time.process_time() < end:
        pass
    return Piece(looked=1, subjects=1)


def ground(_: Scope, name: str) -> Piece:
    control = Control(["-t1"])
    control.add("base", [], "n(0). n(N + 1) :- n(N), N < 999999999.")
    control.ground([("base", [])])
    return Piece()


def die(_: Scope, name: str) -> Piece:
    if name in ("", "attic"):
        os.kill(os.getpid(), signal.SIGKILL)
    return Piece(looked=1)


def leave(_: Scope, name: str) -> Piece:
    sys.exit(7)


def eat(_: Scope, name: str) -> Piece:
    if name in ("", "attic"):
        return Piece(looked=len(bytearray(1 << 40)))
    return Piece(looked=1)


def refuse(_: Scope, name: str) -> Piece:
    raise RulesetError([Fault("cannot ground the rules: n(X) is unsafe"), Fault("m(X) too")])


def stumble(_: Scope, name: str) -> Piece:
    raise ZeroDivisionError("by nought")


def keep_a_lock(_: Scope, name: str) -> Any:
    return Piece(notes=(lambda: None,))  # type: ignore[arg-type]


def show(setting: Scope, name: str) -> Piece:
    position = Position.load(Path(setting.ruleset.folders[0]) / "positions" / "dinner.yaml")
    found = Finding("walk", "goes nowhere", witness=Witness(position, "walk(anna, b1)", ()))
    return Piece(1, findings=(found,))


def unsure(_: Scope, name: str) -> Piece:
    doubt = Finding("eat", "not settled", status=UNKNOWN)
    return Piece(1, findings=(doubt,) if name == "dark" else (Finding("walk", "wrong"), doubt))


def bit_by_bit(_: Scope, name: str) -> Iterator[Piece]:
    yield Piece(2, findings=(Finding("attic", "is dark"),))
    time.sleep(60)


def glance(_: Scope, name: str) -> Piece:
    return Piece(looked=3, partial=True)


def nothing(_: Scope, name: str) -> Piece:
    return Piece(looked=3, closed=True)


QUICK = Property("quick", "Rooms are looked at.", look, rooms, "rooms")
LATE = Property("late", "No room is dark.", late_look, rooms, "rooms")


@pytest.fixture(scope="module")
def setting(inn: Path) -> Scope:
    return Scope(loader.load(str(inn)))


def alone(setting: Scope, check: Any, **options: Any) -> Report:
    """The report on one property that is done in one piece."""
    return verify(setting, properties=[Property("one", "It holds.", check)], **options)


def says(report: Report) -> list[str]:
    return [f"{f.subject}: {f.says}" for each in report.checked for f in each.findings]


# What it comes to


def test_nothing_found(setting: Scope) -> None:
    report = verify(setting, properties=[QUICK])
    [found] = report.checked
    assert (found.id, found.status, found.bound) == ("quick", WITHIN, BOUND)
    assert (found.looked, found.subjects, found.findings, found.notes) == (19, 4, (), ("swept",))
    assert (report.ruleset, report.interrupted) == (setting.ruleset, False)
    assert 0 < found.seconds < 60


def test_order_is_that_of_the_pieces(setting: Scope) -> None:
    report = verify(setting, properties=[LATE, QUICK], jobs=3)
    assert [each.id for each in report.checked] == ["late", "quick"]
    assert says(report) == [f"{room}: is dark" for room in rooms(setting)]
    assert report.checked[0].status == VIOLATED
    assert report == verify(setting, properties=[LATE, QUICK], jobs=1)


def test_status(setting: Scope) -> None:
    assert alone(setting, unsure).checked[0].status == VIOLATED
    doubtful = Property("one", "It holds.", unsure, in_the_dark)
    assert verify(setting, properties=[doubtful]).checked[0].status == UNKNOWN


def test_a_witness_travels(setting: Scope) -> None:
    [found] = alone(setting, show).checked
    position = Position.load(Path(setting.ruleset.folders[0]) / "positions" / "dinner.yaml")
    assert found.witness == Witness(position, "walk(anna, b1)", ())
    assert alone(setting, show).json()["properties"][0]["witness"]["reached"] == []


def test_fresh_processes(setting: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside other threads a worker is no copy of this process."""
    known = [LATE, Property("one", "It holds.", show), Property("two", "It holds.", die)]
    assert setting.sources
    report = verify(setting, properties=known)
    monkeypatch.setattr(executor, "start_method", lambda: "spawn")
    assert verify(setting, properties=known, seconds_each=30) == report


def test_the_properties_travel() -> None:
    """A fresh process is sent them, whatever ruleset they are of."""
    for known in (properties_of(Scope(loader.load(name))) for name in locations.shipped()):
        travelled = pickle.loads(pickle.dumps(known))
        assert [each.id for each in travelled] == [each.id for each in known]


def test_nothing_changed(setting: Scope) -> None:
    assert verify(replace(setting, changed=frozenset()), properties=[LATE]).checked == ()
    [found] = verify(replace(setting, changed=frozenset({1})), properties=[QUICK]).checked
    assert found.bound == f"only what changed; {BOUND}"


def test_json(setting: Scope) -> None:
    report = verify(setting, properties=[QUICK])
    data = report.json()
    assert data.keys() == {
        "ruleset",
        "version",
        "hash",
        "bounds",
        "properties",
        "play",
        "interrupted",
    }
    assert data["bounds"] == {**asdict(Bounds()), "extent": []}
    assert "seconds" not in data["properties"][0]
    timed = report.with_timings().json()
    assert timed["seconds"] >= 0
    assert timed["properties"][0]["seconds"] >= 0


# Which


def test_selected() -> None:
    other = Property("other", "", look)
    known = (QUICK, LATE, other)
    assert selected(known, ()) == known
    assert selected(known, ["other", "quick"]) == (QUICK, other)
    assert selected(known, ["rooms"]) == (QUICK, LATE)
    with pytest.raises(UnknownName, match=r"^unknown property 'quik'; did you mean 'quick'\?$"):
        selected(known, ["quik", "late"])


# What is accepted

ACCEPTED = """
accepted(late, "attic", "nobody sleeps there", book, "Rooms").
accepted(late, yard(back), "it is night", book, "Rooms").
accepted(quick, "attic", "it was dark", book, "Rooms").
"""


def accepting(inn: Path, tmp_path: Path, text: str) -> Scope:
    """The inn with a file more."""
    folder = tmp_path / "inn"
    subprocess.run(["cp", "-r", str(inn), str(folder)], check=True)
    (folder / "rules" / "accepted.lp").write_text(text)
    return Scope(loader.load(str(folder)))


def test_accepted(inn: Path, tmp_path: Path) -> None:
    setting = accepting(inn, tmp_path, ACCEPTED)
    late, quick = verify(setting, properties=[LATE, QUICK]).checked
    told = {each.subject: each.accepted for each in late.findings}
    assert told["attic"] == "nobody sleeps there (The Guest Book, Rooms)"
    assert [subject for subject, because in told.items() if because] == ["attic"]
    assert late.status == VIOLATED
    assert late.notes[-1] == "yard(back): accepted, but it holds; remove the acceptance"
    assert quick.status == WITHIN
    assert quick.notes[-1] == "attic: accepted, but it holds; remove the acceptance"
    # Where not all was looked at, it may still be as accepted.
    part = verify(replace(setting, changed=frozenset({1})), properties=[QUICK])
    assert part.checked[0].notes == ("swept",)


def test_accepted_where_not_all_was_looked_at(inn: Path, tmp_path: Path) -> None:
    setting = accepting(inn, tmp_path, 'accepted(one, "attic", "it was dark", book, "Rooms").')
    assert not [note for note in alone(setting, glance).checked[0].notes if "remove" in note]


def test_all_accepted(inn: Path, tmp_path: Path) -> None:
    known = "attic; cellar; hall; yard; pond; well"
    setting = accepting(inn, tmp_path, f'accepted(late, ({known}), "so be it", book, "Rooms").')
    [late] = verify(setting, properties=[LATE]).checked
    assert (late.status, late.witness) == (WITHIN, None)
    assert len([note for note in late.notes if "remove" in note]) == 2


# What is late, or dies


def test_a_piece_that_is_late(setting: Scope) -> None:
    start = time.monotonic()
    slow = Property("slow", "It holds.", sleep, rooms)
    report = verify(setting, properties=[slow, QUICK], seconds_each=1, jobs=2)
    assert says(report) == ["attic: out of time: not settled within 1 second"]
    assert [each.status for each in report.checked] == [UNKNOWN, WITHIN]
    assert [each.looked for each in report.checked] == [3, 19]
    assert time.monotonic() - start < 2 + SLACK


def test_what_was_found_before_it_was_late(setting: Scope) -> None:
    report = alone(setting, bit_by_bit, seconds_each=0.5)
    assert says(report) == [
        "attic: is dark",
        "one: out of time: not settled within 0.5 seconds",
    ]
    [found] = report.checked
    assert (found.status, found.looked) == (VIOLATED, 2)


def test_grounding_is_ended(setting: Scope) -> None:
    start = time.monotonic()
    report = alone(setting, ground, seconds_each=1)
    assert says(report) == ["one: out of time: not settled within 1 second"]
    assert time.monotonic() - start < 3 + SLACK


def test_all_of_it_is_late(setting: Scope) -> None:
    start = time.monotonic()
    many = [Property("slow", "It holds.", sleep), QUICK, Property("end", "It holds.", sleep)]
    report = verify(setting, properties=many, seconds=3, jobs=2)
    assert says(report) == ["slow: out of time", "end: out of time"]
    assert [each.status for each in report.checked] == [UNKNOWN, WITHIN, UNKNOWN]
    assert time.monotonic() - start < 4 + SLACK
    assert says(verify(setting, properties=[QUICK], seconds=0)) == [
        f"{room}: out of time" for room in rooms(setting)
    ]


def test_the_usual_time(setting: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not started by then is named, and nothing is unknown, or proved."""
    few = EFFORT._replace(run_seconds=0.1, run_statements=10**6)
    monkeypatch.setattr(runner, "EFFORT", few)
    toiling = Property("toiling", "It holds.", toil, rooms)
    [told] = verify(setting, properties=[toiling], jobs=1).checked
    assert (told.status, told.findings) == (WITHIN, ())
    assert told.looked in (1, 2)  # as another is begun before that is known
    left = ", ".join(rooms(setting)[told.looked :])
    assert told.notes[-1] == f"not finished: {left} (in 0 seconds; --timeout gives more time)"
    [told] = verify(setting, properties=[toiling], jobs=1, seconds=30).checked
    assert (told.looked, told.notes) == (4, ())


def test_each_property_takes_turns() -> None:
    """What asks no position is first, and of searches the last pieces, which are small."""
    one = Property("one", "It holds.", look, bounded=True)
    other = Property("other", "It holds.", look)
    static = Property("static", "It holds.", look, static=True)
    pieces = {one: ["large", "small"], other: ["a", "b"], static: ["files"]}
    names = ["files", "a", "small", "b", "large"]
    assert [name for _, name in in_turns(pieces)] == names


def test_a_process_that_dies(setting: Scope) -> None:
    dying = Property("dying", "It holds.", die, rooms)
    report = verify(setting, properties=[dying, QUICK], jobs=1)
    died = "the process died, perhaps because it ran out of memory"
    assert says(report) == [f"attic: {died} (exit -9)"]
    assert [each.looked for each in report.checked] == [3, 19]
    assert says(alone(setting, leave)) == [f"one: {died} (exit 7)"]


def test_memory(setting: Scope) -> None:
    eating = Property("eating", "It holds.", eat, rooms)
    report = verify(setting, properties=[eating, QUICK], jobs=1)
    assert says(report) == ["attic: out of memory"]
    assert [each.status for each in report.checked] == [UNKNOWN, WITHIN]


@pytest.mark.campaign
def test_grounding_without_memory(
    setting: Scope, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    limits = executor.LIMITS._replace(memory=100 << 20, least_memory=100 << 20)
    monkeypatch.setattr(executor, "LIMITS", limits)
    start = time.monotonic()
    [found] = says(alone(setting, ground))
    assert "memory" in found
    assert time.monotonic() - start < 60
    assert capfd.readouterr().err == ""


def test_errors(setting: Scope) -> None:
    report = alone(setting, refuse)
    assert says(report) == ["one: cannot ground the rules: n(X) is unsafe m(X) too"]
    told = "internal error: ZeroDivisionError: by nought"
    assert says(alone(setting, stumble)) == [f"one: {told} (set PYMORPH_TRACEBACK=1 to see where)"]
    [found] = says(alone(setting, keep_a_lock))
    assert found.startswith("one: internal error: ")


# From outside


def test_told(setting: Scope) -> None:
    told: list[Progress] = []
    verify(setting, properties=[QUICK, LATE], listener=told.append, jobs=2)
    assert [each.done for each in told] == sorted(each.done for each in told)
    assert {each.pieces for each in told} == {8}
    assert {each.property for each in told} == {"quick", "late"}


def children() -> set[int]:
    """The processes that this one has started and that still live."""
    from tests.test_limits import children as found

    return found()


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are looked up there")
def test_no_process_is_left(setting: Scope) -> None:
    before = children()
    verify(setting, properties=[Property("slow", "", sleep, rooms), QUICK], seconds=0.5, jobs=3)
    assert children() <= before


def test_a_caller_that_fails(setting: Scope) -> None:
    before = children()

    def told(_: Progress) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        verify(setting, properties=[QUICK], listener=told)
    assert children() <= before


SCRIPT = """
import sys, pymorph
from pymorph.verify.report import Property
from pymorph.verify.runner import properties_of, verify
from pymorph.verify.scope import Scope
from tests.verify.test_runner import QUICK, sleep
if __name__ == "__main__":
    setting = Scope(pymorph.load_ruleset(sys.argv[1]))
    slow = Property("slow", "", sleep)
    def told(so_far):
        if so_far.done == 4:
            print("ready", flush=True)
    report = verify(setting, properties=[QUICK, slow], listener=told, jobs=2)
    for each in report.checked:
        print(each.id, each.status, *(f.says for f in each.findings))
    print(report.interrupted)
"""


def waiting(inn: Path) -> subprocess.Popen[str]:
    """A process that has verified all that can be, and waits for the rest."""
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(inn)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.skipif(os.name != "posix", reason="signals of this kind are of Unix")
def test_ctrl_c(inn: Path) -> None:
    process = waiting(inn)
    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - start < SLACK
    assert [line for line in out.splitlines() if line != "ready"] == [
        "quick holds within bound",
        "slow unknown interrupted",
        "True",
    ]
    assert (process.returncode, err) == (0, "")


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are looked up there")
def test_workers_end_with_their_parent(inn: Path) -> None:
    process = waiting(inn)
    process.kill()
    start = time.monotonic()
    process.communicate(timeout=60)  # which hears of the end of every process that could write
    assert time.monotonic() - start < SLACK


def test_proved_of_nothing(setting: Scope) -> None:
    """What is true because there is nothing that it speaks of is told to be so."""
    idle = Property("idle", "No cook sleeps.", nothing, speaks_of="a cook", static=True)
    [found] = verify(setting, properties=[idle]).checked
    assert found.status == PROVED
    assert found.notes == ("the search did not find a cook, so nothing was tested",)


def test_proved_needs_more_than_nothing_found(setting: Scope) -> None:
    assert PROVED not in verify(setting, properties=[QUICK]).statuses
