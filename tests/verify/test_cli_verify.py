"""The verb `verify`: what is printed, where, and with which exit code; and what has changed."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree as Xml

import click
import pytest
from click.shell_completion import ShellComplete

from pymorph.cli import app
from pymorph.ruleset import locations
from pymorph.state.position import Position
from pymorph.verify import runner
from pymorph.verify.effort import EFFORT
from pymorph.verify.report import UNKNOWN, Finding, Piece, Property, Witness
from pymorph.verify.scope import Bounds, Scope
from pymorph.views.lines.reports import _by_subject
from tests.inn import write_inn
from tests.tables import parametrized
from tests.verify.test_revisions import committed, write_on
from tests.verify.test_runner import BOUND, QUICK, sleep

Run = Callable[..., tuple[int, str, str]]


# Stand-ins for properties: a fresh process finds them by their names.


def look(setting: Scope, name: str) -> Piece:
    """A finding with a position that is reached, one with a start, one with neither."""
    position = Position.load(Path(setting.ruleset.folders[0]) / "positions" / "dinner.yaml")
    line = ("eat(anna, pear_tart)", "walk(bo, c1)")
    walk = Witness(position, "walk(anna, b1)", line)
    eat = Witness(position, line=(), choices=(("grace", "no"),))
    return Piece(
        20,
        7,
        True,
        (
            Finding("walk", "leads nowhere", ("inn_03", "inn_04"), "rules/game.lp:12", walk),
            Finding("eat", "fills nobody", witness=eat),
            Finding("pay", "costs\nnothing", ("inn_05",)),
        ),
        ("the cellar was locked",),
    )


def many(_: Scope, name: str) -> Piece:
    return Piece(1, findings=tuple(Finding(f"room_{n}", "is dark") for n in range(12)))


def wordy(_: Scope, name: str) -> Piece:
    place = "rules/game.lp:7"
    return Piece(1, findings=(Finding(place, " ".join(["word"] * 100), place=place),))


def unsure(_: Scope, name: str) -> Piece:
    return Piece(1, findings=(Finding("eat", "not settled", status=UNKNOWN),))


def count(setting: Scope, name: str) -> Piece:
    """What it was asked to look at."""
    bounds, changed = setting.bounds, sorted(setting.changed or ())
    statements = [setting.sources.statements[number] for number in changed]
    places = sorted({Path(statement.place.file).name for statement in statements})
    return Piece(
        bounds.characters,
        bounds.board[0] * bounds.board[1],
        notes=(f"{dict(setting.rulings)} {bounds.cards} {bounds.numbers} {places}",),
    )


BROKEN = Property("broken", "Whoever walks\narrives.", look, family="play", speaks_of="guests")
DARK = Property("dark", "No room is dark.", many, family="play", counted="houses", speaks_of="")
DOUBT = Property("doubt", "It is settled.", unsure)
COUNT = Property("count", "It is counted.", count)
SLOW = Property("slow", "It is quick.", sleep)


@pytest.fixture
def stub(inn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """The inn, in a folder that the test works in, with these properties and no others."""

    def made(*known: Property) -> str:
        monkeypatch.chdir(tmp_path)
        shutil.copytree(inn, tmp_path / "inn", dirs_exist_ok=True)
        monkeypatch.setattr(runner, "properties_of", lambda _: known)
        return "./inn"

    return made


Stub = Callable[..., str]


# Text


def test_what_holds(stub: Stub, pymorph: Run) -> None:
    code, out, err = pymorph("verify", stub(QUICK))
    assert (code, err) == (0, "")
    head, bounds, empty, row, *_ = out.splitlines()
    assert (head, bounds, empty) == ("The Inn 1.2.0", BOUND, "")
    assert row.startswith("quick  holds within bound  ")
    assert row.endswith("  19 positions, 4 with subjects")
    assert out.splitlines()[-1] == "1 property: 1 holds within bound"


def test_what_is_violated(stub: Stub, pymorph: Run) -> None:
    game = stub(BROKEN, DARK, QUICK)
    code, out, err = pymorph("verify", game)
    assert (code, err) == (1, "")
    assert "20+ positions, 7+ with guests\n" in out
    assert " 1 house\n" in out
    rows = out.splitlines()[3:6]
    assert len({re.search(r"\d", row).start() for row in rows}) == 1
    assert "broken: Whoever walks arrives.\n" in out
    assert "  walk: leads nowhere [inn_03, inn_04] (rules/game.lp:12)\n" in out
    assert (
        "    reached from a start position: eat(anna, pear_tart); walk(bo, c1)\n    pymorph why '{"
        in out
    )
    assert "    a start position; assumes grace = no\n    pymorph legal '{" in out
    assert "  pay: costs nothing [inn_05]\n" in out
    assert "  note: the cellar was locked\n" in out
    assert "room_9" in out
    assert "  and 2 more: --all\n" in out
    assert "room_10" not in out
    assert out.endswith("\n3 properties: 1 holds within bound, 2 violated\n")
    assert "room_11" in pymorph("verify", game, "--all")[1]


def test_its_commands_work(stub: Stub, pymorph: Run) -> None:
    out = pymorph("verify", stub(BROKEN))[1]
    why, legal = (shlex.split(line)[1:] for line in out.splitlines() if "    pymorph " in line)
    assert why[0] == "why"
    code, told, err = pymorph(*why)
    assert (code, err) == (1, "")
    assert "inn_04" in told
    assert legal[0] == "legal"
    assert "grace: no" in legal[1]
    assert pymorph(*legal)[0] == 0


def test_what_is_unknown(stub: Stub, pymorph: Run) -> None:
    code, out, err = pymorph("verify", stub(DOUBT, QUICK))
    assert (code, err) == (3, "")
    assert "  eat: not settled\n" in out
    assert pymorph("verify", stub(DOUBT, DARK))[0] == 1


def test_what_is_accepted(stub: Stub, pymorph: Run) -> None:
    game = stub(BROKEN, DARK)
    because = '"so be it", book, "Rooms"'
    Path("inn/rules/accepted.lp").write_text(
        f"accepted(broken, (walk; eat; pay), {because}). accepted(dark, room_0, {because}).\n"
    )
    code, out, _ = pymorph("verify", game, "--property", "broken")
    assert code == 0
    assert "with guests, 3 accepted\n" in out
    assert "leads nowhere" not in out
    out = pymorph("verify", game, "--all")[1]
    assert "    accepted: so be it (The Guest Book, Rooms)\n" in out


@pytest.mark.campaign
def test_time(stub: Stub, pymorph: Run) -> None:
    code, out, err = pymorph("verify", stub(SLOW, QUICK), "--timeout", "1.5", "--jobs", "2")
    assert (code, err) == (3, "")
    assert "  slow: out of time\n" in out
    assert "quick  holds" in out
    out = pymorph("verify", stub(SLOW), "--timeout-each", "0.5")[1]
    assert "  slow: out of time: not settled within 0.5 seconds\n" in out


# What is looked at


def test_bounds_and_readings(stub: Stub, pymorph: Run) -> None:
    game = stub(COUNT)
    out = pymorph("verify", game)[1]
    defaults = Bounds()
    assert f"note: {{}} {defaults.cards} {defaults.numbers} []\n" in out
    sizes = ["--characters", "5", "--board", "4x2", "--cards", "0", "--numbers", "7"]
    out = pymorph("verify", game, *sizes, "--reading", "grace=no")[1]
    assert "4x2 board, 5 guests, each card once, numbers up to 7\n" in out
    assert "5 positions, 8 with subjects\n" in out
    assert "note: {'grace': 'no'} 0 7 []\n" in out
    told = pymorph("verify", "--help")[1]
    side = EFFORT.board_side
    for usual in (defaults.characters, f"{side}x{side}", defaults.cards, defaults.numbers):
        assert f"({usual})" in told


def test_bounds_of_a_ruleset(stub: Stub, pymorph: Run) -> None:
    """What the ruleset names counts where the user names nothing."""
    game = stub(COUNT)
    Path("inn/rules/extent.lp").write_text("extent(cards, 3). extent(numbers, 5).\n")
    assert "note: {} 3 5 []\n" in pymorph("verify", game)[1]
    assert "note: {} 3 9 []\n" in pymorph("verify", game, "--numbers", "9")[1]


def test_notes_alike_are_told_together() -> None:
    notes = ["attic: swept", "yard: swept", "late", "hall: dark"]
    assert _by_subject(notes) == ["attic, yard: swept", "late", "hall: dark"]


def test_properties_by_name(stub: Stub, pymorph: Run) -> None:
    game = stub(BROKEN, DARK, QUICK)
    data = json.loads(pymorph("verify", game, "--property", "play", "--json")[1])
    assert [row["id"] for row in data["properties"]] == ["broken", "dark"]
    named = ["--property", "quick", "--property", "dark"]
    data = json.loads(pymorph("verify", game, *named, "--json")[1])
    assert [row["id"] for row in data["properties"]] == ["dark", "quick"]


def test_list(stub: Stub, pymorph: Run) -> None:
    game = stub(BROKEN, QUICK)
    code, out, err = pymorph("verify", game, "--list")
    assert (code, err) == (0, "")
    assert out == "broken  play   Whoever walks arrives.\nquick   rooms  Rooms are looked at.\n"
    data = json.loads(pymorph("verify", game, "--list", "--json", "--property", "quick")[1])
    row = {"id": "quick", "family": "rooms", "meaning": "Rooms are looked at."}
    assert data["properties"] == [row]


@pytest.mark.campaign
def test_several_rulesets(stub: Stub, pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a name it is those that ship."""
    game = stub(BROKEN, QUICK)
    other = write_inn(Path("other"))
    (other / "rules" / "game.lp").write_text(
        (other / "rules" / "game.lp").read_text().replace("ruleset(inn, ", "ruleset(pub, ")
    )
    monkeypatch.setattr(locations, "shipped", lambda: [game, "./other"])
    code, out, _ = pymorph("verify", "--save", "found")
    assert code == 1
    assert out.count("The Inn 1.2.0") == 2
    assert sorted(str(path) for path in Path("found").rglob("*.yaml")) == [
        f"found/{name}/broken-{number}.yaml" for name in ("inn", "pub") for number in (1, 2)
    ]
    assert "pymorph why found/pub/broken-1.yaml 'walk(anna, b1)'" in out
    code, out, _ = pymorph("verify", "--json")
    assert code == 1
    assert [each["ruleset"] for each in json.loads(out)["rulesets"]] == ["inn", "pub"]
    changed = ["--changed", "other/rules/game.lp"]
    found = json.loads(pymorph("verify", "--json", *changed)[1])["rulesets"]
    assert [len(each["properties"]) for each in found] == [0, 2]


@parametrized
def test_what_is_misspelt(stub: Stub, pymorph: Run, words: list[str], said: str) -> None:
    assert pymorph("verify", stub(BROKEN), *words) == (2, "", f"pymorph: {said}\n")


def test_files_that_are_not_there(stub: Stub, pymorph: Run) -> None:
    game = stub(BROKEN)
    Path("plain").write_text("")
    for words, said in (
        (["./out"], "pymorph: unknown ruleset './out'; the folder of a ruleset contains a folder "
                    "'rules'"),
        ([game, "--changed", "rules/game.lp"], "rules/game.lp: cannot be read: no such file"),
        ([game, "--changed", "plain"], "plain: not a file of the ruleset"),
        ([game, "--junit", "none/x.xml"],
         "none/x.xml: cannot be written: no such folder; create it first"),
        ([game, "--save", "plain/x"], "plain/x: cannot be written: not a directory"),
    ):  # fmt: skip
        assert pymorph("verify", *words) == (2, "", f"{said}\n")


# JSON, JUnit, files


def test_json(stub: Stub, pymorph: Run) -> None:
    game = stub(BROKEN, QUICK)
    code, out, err = pymorph("verify", game, "--json")
    assert (code, err) == (1, "")
    data = json.loads(out)
    assert out == json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    assert data.keys() == {
        "ruleset", "version", "hash", "bounds", "properties", "play", "interrupted",
    }  # fmt: skip
    assert [(row["id"], row["status"]) for row in data["properties"]] == [
        ("broken", "violated"),
        ("quick", "holds within bound"),
    ]
    assert data["properties"][0]["witness"]["action"] == "walk(anna, b1)"
    assert pymorph("verify", game, "--json", "--jobs", "1")[1] == out
    timed = json.loads(pymorph("verify", game, "--json", "--timings")[1])
    assert timed["properties"][1]["seconds"] >= 0


def test_junit(stub: Stub, pymorph: Run) -> None:
    game = stub(BROKEN, DOUBT, QUICK)
    code, out, err = pymorph("verify", game, "--junit", "-")
    assert (code, err) == (1, "")
    [suite] = Xml.fromstring(out.encode())
    counts = {"tests": "3", "failures": "1", "errors": "1", "skipped": "0"}
    assert counts.items() <= suite.attrib.items()
    broken, doubt, quick = suite
    assert (broken.get("classname"), broken.get("name")) == ("inn.play", "broken")
    [failure] = broken
    assert failure.tag == "failure"
    assert failure.text is not None
    assert failure.text.startswith("rules/game.lp:12: walk: leads nowhere [inn_03, inn_04]\n  {")
    assert [each.tag for each in doubt] == ["error"]
    assert list(quick) == []
    assert pymorph("verify", game, "--junit", "report.xml")[1].startswith("The Inn")
    assert Path("report.xml").read_text().startswith('<?xml version="1.0" encoding="UTF-8"?>\n')


def test_save(stub: Stub, pymorph: Run) -> None:
    code, out, _ = pymorph("verify", stub(BROKEN), "--save", "found/here")
    assert code == 1
    files = sorted(path.name for path in Path("found/here").iterdir())
    assert files == ["broken-1.yaml", "broken-2.yaml"]
    assert "    pymorph why found/here/broken-1.yaml 'walk(anna, b1)'\n" in out
    assert "    pymorph legal found/here/broken-2.yaml\n" in out
    assert pymorph("why", "found/here/broken-1.yaml", "walk(anna, b1)")[0] == 1
    assert Position.load("found/here/broken-2.yaml").rulings == {"grace": "no"}


# What has changed


@pytest.fixture
def history(stub: Stub) -> str:
    """The inn with a first revision, and a rule and a file more since then."""
    game = stub(COUNT)
    committed("first")
    write_on(Path("inn"))
    return game


def test_changed(stub: Stub, pymorph: Run) -> None:
    game = stub(COUNT)
    assert "['play.lp']" in pymorph("verify", game, "--changed", "inn/encodings/play.lp")[1]
    both = [
        "--changed",
        "inn/rules/game.lp",
        "--changed",
        str(Path("inn/encodings/play.lp").resolve()),
    ]
    assert "['game.lp', 'play.lp']" in pymorph("verify", game, *both)[1]
    code, out, _ = pymorph("verify", game, "--changed", "inn/positions/dinner.yaml")
    assert (code, out.splitlines()[-1]) == (0, "nothing to check")
    Path("inn/positions/dinner.yaml").rename("inn/positions/start.yaml")
    assert " []\n" in pymorph("verify", game, "--changed", "inn/positions/start.yaml")[1]


def test_since(history: str, pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "nowhere")  # as in a hook of another repository
    assert "['game.lp', 'more.lp']" in pymorph("verify", history, "--since", "first")[1]
    monkeypatch.delenv("GIT_DIR")
    committed("second")
    assert "['game.lp', 'more.lp']" in pymorph("verify", history, "--since", "HEAD~1")[1]
    assert "nothing to check" in pymorph("verify", history, "--since", "HEAD")[1]
    Path("inn/rules/more.lp").unlink()  # what is gone may bear on anything
    assert " []\n" in pymorph("verify", history, "--since", "HEAD")[1]


def test_revisions_that_are_not_there(
    history: str, inn: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Path.cwd()
    for name in ("third", "", "--all", "-n", "first:inn"):
        code, out, err = pymorph("verify", history, f"--since={name}")
        assert (code, out, err) == (2, "", f"pymorph: unknown revision {name!r} in {here}\n")
    code, _, err = pymorph("verify", inn, "--since", "HEAD")
    assert (code, err) == (2, f"{inn}: there are no revisions: not in a git repository\n")
    monkeypatch.setenv("PATH", "")
    code, _, err = pymorph("verify", history, "--since", "first")
    assert (code, err) == (2, "pymorph: revisions need git, which is not installed\n")


# Around it


def test_completion(stub: Stub) -> None:
    game = stub(BROKEN, QUICK)
    shell = ShellComplete(app.cli, {}, "pymorph", "_PYMORPH_COMPLETE")

    def offered(words: Sequence[str], begun: str) -> list[str]:
        return [item.value for item in shell.get_completions(list(words), begun)]

    assert offered(["verify", game, "--property"], "") == ["broken", "play", "quick", "rooms"]
    assert offered(["verify", game, "--property"], "qu") == ["quick"]
    assert set(locations.shipped()) <= set(offered(["verify"], ""))


def test_no_progress_but_on_a_terminal(stub: Stub, pymorph: Run) -> None:
    assert pymorph("verify", stub(QUICK))[2] == ""


def test_a_line_of_progress(capsys: pytest.CaptureFixture[str]) -> None:
    from pymorph.cli.verbs.check import VerifyVerb
    from pymorph.verify.runner import Progress

    verb = VerifyVerb()
    verb.progress.visible = True
    verb.on_progress(Progress(1, 20, "endless", 3.2))
    verb.on_progress(Progress(2, 20, "end", 3.4))
    verb.progress.clear()
    assert capsys.readouterr().err == "\r1/20 endless 3 s\r2/20 end 3 s    \r            \r"


SCRIPT = """
import sys
from pymorph.cli import app
from pymorph.cli.verbs import check
from pymorph.verify import runner
from tests.verify.test_cli_verify import QUICK, SLOW
if __name__ == "__main__":
    check.VerifyVerb.on_progress = lambda _, so_far: so_far.done == 4 and print("ready", flush=True)
    runner.properties_of = lambda _: (QUICK, SLOW)
    sys.exit(app.run(["verify", sys.argv[1], "--jobs", "2", "--junit", sys.argv[2]]))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of this kind are of Unix")
def test_ctrl_c(inn: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.xml"
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(inn), str(target)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "interrupted\n")
    assert "quick  holds within bound" in out
    assert "  slow: interrupted\n" in out
    assert out.endswith("1 unknown; interrupted\n")
    assert 'errors="1"' in target.read_text()


def test_the_verb_is_quick_to_import() -> None:
    found = [
        subprocess.run(
            [sys.executable, "-c", f"import sys, pymorph.cli.app; print({name!r} in sys.modules)"],
            capture_output=True, text=True,
        ).stdout
        for name in ("clingo", "multiprocessing", "pymorph.verify", "xml")
    ]  # fmt: skip
    assert found == ["False\n"] * 4


def test_the_verb_is_known() -> None:
    assert isinstance(app.cli.commands["verify"], click.Command)


def test_bounds_that_are_too_wide(stub: Stub, pymorph: Run) -> None:
    """What would not fit into memory is not begun."""
    code, out, err = pymorph("verify", stub(QUICK), "--board", "40x40", "--characters", "30")
    assert (code, out) == (2, "")
    assert err.startswith("pymorph: the bounds are too wide: ")
    assert err.endswith("; lower --board\n")
    assert len(err.splitlines()) == 1


def test_long_findings_are_cut(stub: Stub, pymorph: Run) -> None:
    game = stub(Property("long", "It is short.", wordy))
    out = pymorph("verify", game)[1]
    assert "rules/game.lp:7: word word" in out
    assert "...\n" in out
    assert out.count("word") < 40
    assert pymorph("verify", game, "--all")[1].count("word") == 100
    assert out.count("rules/game.lp:7") == 1
