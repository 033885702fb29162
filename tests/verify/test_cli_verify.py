"""The verb `verify` with stand-ins for properties; what has changed; time and Ctrl-C."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from pymorph.cli import app
from pymorph.ruleset import locations
from pymorph.state.position import Position
from pymorph.verify import runner
from pymorph.verify.report import UNKNOWN, Finding, Piece, Property, Witness
from pymorph.verify.scope import Scope
from pymorph.views.lines.reports import _by_subject
from tests.conftest import Run
from tests.inn import write_inn
from tests.verify.test_revisions import committed, write_on
from tests.verify.test_runner import QUICK, sleep

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
LONG = Property("long", "It is short.", wordy)
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


def test_what_is_violated(stub: Stub, pymorph: Run) -> None:
    """More findings than are listed, and some that are too long for a line."""
    game = stub(BROKEN, DARK, LONG, QUICK)
    code, out, err = pymorph("verify", game)
    assert (code, err) == (1, "")
    assert "20+ positions, 7+ with guests\n" in out
    assert " 1 house\n" in out
    assert "  walk: leads nowhere [inn_03, inn_04] (rules/game.lp:12)\n" in out
    assert "    a start position; assumes grace = no\n    pymorph legal '{" in out
    assert "  pay: costs nothing [inn_05]\n  note: the cellar was locked\n" in out
    assert "  and 2 more: --all\n" in out
    assert "room_10" not in out
    assert out.count("rules/game.lp:7: word word") == out.count("...\n") == 1
    assert out.count("word") < 40
    everything = pymorph("verify", game, "--all")[1]
    assert "room_11" in everything
    assert everything.count("word") == 100


def test_what_is_unknown(stub: Stub, pymorph: Run) -> None:
    code, out, err = pymorph("verify", stub(DOUBT, QUICK))
    assert (code, err) == (3, "")
    assert "  eat: not settled\n" in out
    assert pymorph("verify", stub(DOUBT, DARK))[0] == 1


@pytest.mark.campaign
def test_time(stub: Stub, pymorph: Run) -> None:
    code, out, err = pymorph("verify", stub(SLOW, QUICK), "--timeout", "1.5", "--jobs", "2")
    assert (code, err) == (3, "")
    assert "  slow: out of time\n" in out
    assert "quick  holds" in out
    out = pymorph("verify", stub(SLOW), "--timeout-each", "0.5")[1]
    assert "  slow: out of time: not settled within 0.5 seconds\n" in out


def test_notes_alike_are_told_together() -> None:
    notes = ["attic: swept", "yard: swept", "late", "hall: dark"]
    assert _by_subject(notes) == ["attic, yard: swept", "late", "hall: dark"]


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


# What has changed


@pytest.fixture
def history(stub: Stub) -> str:
    """The inn with a first revision, and a rule and a file more since then."""
    game = stub(COUNT)
    committed("first")
    write_on(Path("inn"))
    return game


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


def test_a_line_of_progress(capsys: pytest.CaptureFixture[str]) -> None:
    from pymorph.cli.verbs.check import VerifyVerb
    from pymorph.verify.pieces import Progress

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
