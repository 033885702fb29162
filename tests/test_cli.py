"""The command line: what is printed, where, and with which exit code."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import get_completion_class

import pymorph as package
from pymorph.cli import app
from pymorph.explore.execution import application
from pymorph.questions import legality
from pymorph.ruleset import locations
from pymorph.state.position import Position
from tests.conftest import EXAMPLES, started
from tests.inn import POSITION
from tests.tables import parametrized

Run = Callable[..., tuple[int, str, str]]
START = "my_game/positions/start.yaml"
HEAD = {"ruleset", "version", "hash"}


@pytest.fixture
def dinner(inn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The position of `inn.py`, in a folder that the test works in."""
    monkeypatch.chdir(tmp_path)
    Path("dinner.yaml").write_text(POSITION.replace("ruleset: ..", f'ruleset: "{inn}"'))
    return "dinner.yaml"


@pytest.fixture
def crowded(dinner: str) -> str:
    """The same with two guests in one room, which inn_04 does not allow."""
    Path("crowded.yaml").write_text(Path(dinner).read_text().replace("at: b1", "at: a1"))
    return "crowded.yaml"


# Exit codes


def test_exit_codes_of_legal(my_game: Path, dinner: str, crowded: str, pymorph: Run) -> None:
    assert pymorph("legal", START)[0] == 0
    over = "{ruleset: ./my_game, turn: anna, heap: 0, players: {anna: {}, bo: {}}}"
    code, out, _ = pymorph("legal", over)
    assert code == 1
    assert "the game is over: bo wins, The last counter [heap_03]" in out
    assert pymorph("legal", START, "--actor", "bo")[0] == 1
    assert pymorph("legal", "nowhere.yaml")[0] == 2
    code, out, err = pymorph("legal", crowded)
    assert (code, out) == (2, "")
    assert err == (
        "crowded.yaml:13:5: not a valid position: at(anna) breaks inn_04 "
        "(A room has one guest at most); change or remove 'guests: anna: at'\n"
    )
    code, out, _ = pymorph("legal", dinner, "--as", "bo")
    assert code == 0
    assert "eat(anna, plum_cake)  depends on hand(anna, hidden)  [inn_05]" in out
    Path("alone.yaml").write_text(Path(dinner).read_text().replace("at: a1", "at: none"))
    code, out, _ = pymorph("legal", "alone.yaml", "--as", "bo")
    assert code == 3
    assert "depends on hand(anna, hidden)" in out


def test_exit_codes_of_why(my_game: Path, dinner: str, crowded: str, pymorph: Run) -> None:
    assert pymorph("why", START, "take(anna, 2)")[0] == 0
    code, out, _ = pymorph("why", START, "take(anna, 5)")
    assert code == 1
    assert "heap_02" in out
    assert pymorph("why", START, "tak(anna, 5)")[0] == 2
    assert pymorph("why", crowded, "eat(pear_tart)")[0] == 2
    code, out, err = pymorph("why", dinner, "eat(anna, plum_cake)", "--as", "bo")
    assert (code, err) == (3, "")
    assert "depends on hand(anna, hidden)" in out
    assert "inn_05" in out


def test_exit_codes_of_apply(my_game: Path, dinner: str, crowded: str, pymorph: Run) -> None:
    assert pymorph("apply", START, "take(2)", "take(3)")[0] == 0
    assert pymorph("apply", START, "take(5)")[0] == 1
    assert pymorph("apply", START, "take(2)", "tak(2)")[0] == 2
    assert pymorph("apply", crowded, "eat(pear_tart)")[0] == 2
    code, out, err = pymorph("apply", dinner, "eat(anna, plum_cake)", "--as", "bo")
    assert (code, err) == (3, "")
    assert "depends on hand(anna, hidden)" in out


def test_exit_codes_of_forecast(my_game: Path, dinner: str, crowded: str, pymorph: Run) -> None:
    after = pymorph("apply", START, "take(2)", "--line")[1].strip()
    code, out, _ = pymorph("forecast", after, "score")
    assert code == 0
    assert "score(anna)" in out
    duel = str(EXAMPLES / "positions" / "right_cross.yaml")
    assert pymorph("forecast", duel, "ticks_if_next(baganal, side, spark)")[0] == 1
    assert pymorph("forecast", START, "scor")[0] == 2
    assert pymorph("forecast", crowded)[0] == 2
    code, out, _ = pymorph("forecast", dinner, "debt", "--as", "bo")
    assert code == 3
    assert "unknown" in out
    assert "hand(anna, hidden)" in out


def test_exit_codes_of_check_and_show(dinner: str, crowded: str, pymorph: Run) -> None:
    assert pymorph("check", dinner)[:2] == (0, "consistent: a valid position of The Inn\n")
    code, out, err = pymorph("check", crowded)
    assert (code, err) == (1, "")
    opening = "not consistent: not a valid position of The Inn\n\ncrowded.yaml:13:5: at(anna) "
    assert out.startswith(f"{opening}breaks inn_04")
    assert "\n  change or remove 'guests: anna: at'\n" in out
    assert pymorph("check", "nowhere.yaml")[0] == 2
    code, out, err = pymorph("show", crowded)
    assert (code, err) == (0, "")
    assert "anna" in out
    assert pymorph("show", crowded, "--line")[0] == 0


@parametrized
def test_what_a_default_makes_ill_formed(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run
) -> None:
    """act_data_05, act_zone_05: the value in the file, and the default where the file says none."""
    monkeypatch.chdir(tmp_path)
    kara = "order: 1, side: heroes, vitality: 9, defence: 9, at: gate, weapons: {sword: dropped}"
    Path("odd.yaml").write_text(
        "ruleset: actions_reactions\nround: 1\nturn: kara\nzones: {gate: {}}\n"
        f"characters:\n  kara: {{{kara},\n    spot: 2}}\n"
    )
    Path("record.yaml").write_text("position: odd.yaml\nplay: []\n")
    Path("case.yaml").write_text(
        "position: odd.yaml\nclaims: [{by: kara, claim: 'legal(end_turn(kara))'}]\n"
    )
    code, out, err = pymorph(*words)
    assert (code, out) == (2, "")
    lies, spot = err.splitlines()
    assert re.match(r".*vocabulary\.lp:\d+:\d+: not a valid position: ", lies)
    assert "lies(kara, sword) is none by default, which breaks act_data_05 (A combatant can" in lies
    assert lies.endswith("; write 'characters: kara: lies: sword' in odd.yaml")
    assert spot.startswith("odd.yaml:7:5: not a valid position: spot(kara) breaks act_zone_05 (")
    assert spot.endswith("; change or remove 'characters: kara: spot'")


def test_check_of_several_files(dinner: str, crowded: str, pymorph: Run) -> None:
    Path("wrong.yaml").write_text(Path(dinner).read_text().replace("grim", "gram"))
    code, out, err = pymorph("check", dinner, crowded, dinner)
    assert (code, err) == (1, "")
    assert out.splitlines()[:2] == [
        "dinner.yaml: consistent: a valid position of The Inn",
        "crowded.yaml: not consistent: not a valid position of The Inn",
    ]
    code, out, err = pymorph("check", crowded, "wrong.yaml", "nowhere.yaml", dinner)
    assert code == 2
    assert err.splitlines() == [
        "wrong.yaml:14:33: unknown mood 'gram' for mood; did you mean 'grim'?",
        "nowhere.yaml: cannot be read: no such file or directory",
    ]
    assert "dinner.yaml: consistent" in out
    code, out, _ = pymorph("check", dinner, crowded, "wrong.yaml", "--json")
    assert code == 2
    found = json.loads(out)["files"]
    assert {name: row["consistent"] for name, row in found.items()} == {
        "dinner.yaml": True,
        "crowded.yaml": False,
    }


# JSON


def same_words(data: Any, text: str, skip: set[str]) -> None:
    """Everything that the JSON says stands in the text too."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key not in skip:
                same_words(value, text, skip)
    elif isinstance(data, list):
        for item in data:
            same_words(item, text, skip)
    elif data not in ("", None) and not isinstance(data, bool):
        assert " ".join(str(data).split()) in " ".join(text.split()), data


@parametrized
def test_json(
    dinner: str,
    crowded: str,
    inn: Path,
    pymorph: Run,
    words: list[str],
    keys: list[str],
    skip: list[str],
) -> None:
    """An answer has these *keys*, and its text all that it says, but for those to *skip*."""
    given = [{"FILE": dinner, "CROWDED": crowded, "INN": str(inn)}.get(w, w) for w in words]
    code, text, _ = pymorph(*given)
    given = [word for word in given if word != "--line"]
    json_code, out, err = pymorph(*given, "--json")
    assert (json_code, err) == (code, "")
    data = json.loads(out)
    assert out == json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    ruled = {"grace": {"option": "yes", "from": "the position"}}
    assert data.pop("rulings", None) == (None if "INN" in words else ruled)
    assert data.keys() == HEAD | {*keys}
    assert (data["ruleset"], data["version"], len(data["hash"])) == ("inn", "1.2.0", 16)
    assert pymorph(*given, "--json")[1] == out
    same_words(data, text, HEAD | {*skip})


RULES = EXAMPLES.parent / "rules"
SHIPPED = sorted(path.name for path in RULES.iterdir() if path.is_dir())


def test_shapes_of_json(dinner: str, crowded: str, pymorph: Run) -> None:
    def data(*words: str) -> Any:
        return json.loads(pymorph(*words, "--json")[1])

    legal = data("legal", dinner, "--all")
    assert all(row.keys() == {"actor", "action"} for row in legal["actions"])
    assert all(row.keys() == {"actor", "action", "rules"} for row in legal["forbidden"])
    assert {"actor": "bo", "action": "walk(bo, a1)", "rules": ["inn_01", "inn_03", "inn_04"]} in (
        legal["forbidden"]
    )
    why = data("why", dinner, "walk(b1)")
    assert why["legal"] is False
    assert {"rule", "title", "source", "says"} <= why["reasons"][0].keys()
    assert why["reasons"][0]["source"] == {"document": "The Guest Book", "section": "Rooms"}
    figures = data("forecast", dinner, "debt")["figures"]
    assert {"name", "value", "entries"} <= figures[0].keys()
    assert figures[0]["entries"][0] == {"item": "pear_tart", "amount": 2, "rule": "inn_02"}
    applied = data("apply", dinner, "eat(pear_tart)")
    assert applied["changes"][1] == {
        "fluent": "hand(anna, pear_tart)", "from": 2, "to": 1, "rules": ["inn_02"],
    }  # fmt: skip
    assert applied["events"] == [{"event": "fed(anna, pear_tart)", "rule": "inn_02"}]
    stopped = data("apply", dinner, "walk(c1)")["illegal"]
    assert stopped == {
        "step": 1, "action": "walk(anna, c1)", "rules": ["inn_03"], "depends_on": [],
    }  # fmt: skip
    flaw = {"what": "at(anna)", "rules": ["inn_04"]}
    place = {"file": "crowded.yaml", "line": 13, "column": 5}
    remedy = {"remedy": "change or remove 'guests: anna: at'"}
    assert data("check", crowded)["flaws"] == [flaw | place | remedy]
    assert data("rules") == {
        "rulesets": [
            {"ruleset": r.name, "version": r.version, "hash": r.hash, "title": r.title,
             "rules": len(r.rules)}
            for r in map(package.load_ruleset, locations.included())
        ]
    }  # fmt: skip


# What is misspelt, or missing


@parametrized
def test_one_line_for_what_is_wrong(
    my_game: Path, pymorph: Run, words: list[str], said: str
) -> None:
    assert pymorph(*words) == (2, "", f"pymorph: {said}\n")


@parametrized
def test_a_misspelt_file(my_game: Path, pymorph: Run, file: str, near: str) -> None:
    told = f"{file}: cannot be read: no such file or directory{near}\n"
    assert pymorph("legal", file) == (2, "", told)


def test_what_is_no_file_but_a_folder_or_a_game(my_game: Path, pymorph: Run) -> None:
    told = "my_game: cannot be read: is a directory; it contains 'my_game/positions/start.yaml'\n"
    assert pymorph("legal", "my_game") == (2, "", told)
    for name in SHIPPED:
        told = f"is a ruleset, not a position; 'pymorph new-position {name}' prints one"
        assert pymorph("legal", name) == (2, "", f"{name}: {told}\n")


def test_readings(my_game: Path, pymorph: Run) -> None:
    ruled = ["--reading", "same_again = barred"]
    assert pymorph("apply", START, "take(2)", "take(2)")[0] == 0
    code, out, _ = pymorph("apply", START, "take(2)", "take(2)", *ruled)
    assert code == 1
    assert "heap_02" in out
    again = [*ruled, *ruled]
    assert pymorph("apply", START, "take(2)", "take(2)", *again)[:2] == (code, out)
    assert pymorph("show", START, "--line", *ruled)[1].startswith(
        '{ruleset: "./my_game", rulings: {same_again: barred}, '
    )


# Where positions come from


def test_standard_input(my_game: Path) -> None:
    text = (my_game / "positions" / "start.yaml").read_text().replace("..", "./my_game")
    for given, expected in ((text, "take(anna, 1)"), (text.replace("anna", "ana", 1), "")):
        process = started("legal", "-", stdin=subprocess.PIPE)
        out, err = process.communicate(given, timeout=60)
        assert expected in out
        if expected:
            assert (process.returncode, err) == (0, "")
        else:
            assert process.returncode == 2
            assert err == "<stdin>:3:7: unknown player 'ana' for turn; did you mean 'anna'?\n"


def test_closed_standard_streams(my_game: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m pymorph legal"
    for line, code, said in (
        (f"{command} - <&-", 2, "<stdin>: cannot be read: it is closed\n"),
        (f"{command} {START} >&-", 0, ""),
        (f"{command} {START} >/dev/full", 2,
         "pymorph: standard output: no space left on device\n"),
    ):  # fmt: skip
        found = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
        assert (found.returncode, found.stdout, found.stderr) == (code, "", said)


def test_one_line_form(my_game: Path, pymorph: Run) -> None:
    line = pymorph("show", START, "--line")[1].strip()
    assert pymorph("legal", line) == pymorph("legal", START)
    assert pymorph("check", f"  {line}")[0] == 0
    assert pymorph("check", line, line.replace("10", "9"), "--json")[0] == 0


# Writing


def test_output(my_game: Path, pymorph: Run) -> None:
    code, out, err = pymorph("apply", START, "take(2)", "-o", "my_game/positions/next.yaml")
    assert (code, err) == (0, "")
    after = application.apply(Position.load(START), "take(2)").position
    assert Position.load("my_game/positions/next.yaml") == after
    assert "now: turn bo" in out
    assert 'ruleset: ".."' in Path("my_game/positions/next.yaml").read_text()
    code, out, _ = pymorph("apply", START, "take(2)", "--line", "--output", "next.yaml")
    assert (code, out) == (0, after.line() + "\n")
    assert Position.load("next.yaml") == after


def test_illegal_actions_write_nothing(my_game: Path, pymorph: Run) -> None:
    Path("next.yaml").write_text("old")
    for line in ([], ["--line"]):
        code, out, err = pymorph(
            "apply", START, "take(2)", "take(anna, 9)", "take(1)", "-o", "next.yaml", *line
        )
        assert (code, err) == (1, "")
        assert "stopped at action 2" in out
        assert "heap_01" in out
        assert "heap_02" in out
        assert Path("next.yaml").read_text() == "old"
    for actions in (
        ["take(2)", "take(bo, 99)"],
        ["take(2); take(bo, 99)"],
        ["take(anna, 2; bo, 99)"],
    ):
        code, out, err = pymorph("apply", START, *actions, "-o", "new.yaml")
        assert (code, out) == (2, "")
        assert err.startswith("pymorph: at action 2, with nothing carried out: unknown ")
        assert not Path("new.yaml").exists()
    assert pymorph("apply", START, "take(bo, 99)")[2].startswith("pymorph: unknown ")


@pytest.mark.parametrize(
    "line",
    ["take(anna, 2; bo, 1)", " take(2) ;take( bo , 1 );", "take(2; bo, 1)"],
)
def test_several_actions_in_one_argument(my_game: Path, pymorph: Run, line: str) -> None:
    apart = pymorph("apply", START, "take(anna, 2)", "take(bo, 1)")
    assert apart[0] == 0
    assert pymorph("apply", START, line) == apart


@pytest.mark.parametrize("step", ["os.fsync", "os.replace"])
def test_full_disk(my_game: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    Path("next.yaml").write_text("old")
    pymorph("legal", START)
    monkeypatch.setattr(step, full)
    said = "next.yaml: cannot be written: no space left on device\n"
    assert pymorph("apply", START, "take(2)", "-o", "next.yaml") == (2, "", said)
    assert Path("next.yaml").read_text() == "old"
    assert sorted(os.listdir()) == ["my_game", "next.yaml"]


def test_unwritable(dinner: str, pymorph: Run) -> None:
    for path, why in (
        ("nowhere/a.yaml", "no such file or directory"),
        (".", "is a directory"),
        ("/dev/full", "no space left on device"),
    ):
        said = f"{path}: cannot be written: {why}\n"
        assert pymorph("apply", dinner, "eat(pear_tart)", "-o", path) == (2, "", said)
        assert pymorph("show", dinner, "--svg", path) == (2, "", said)


def test_picture(dinner: str, pymorph: Run) -> None:
    assert pymorph("show", dinner, "--svg", "a.svg") == (0, "", "wrote a.svg\n")
    assert Path("a.svg").read_text().startswith(("<svg", "<?xml"))
    code, out, _ = pymorph("show", dinner, "--svg", "b.svg", "--sight", "anna", "bo", "--json")
    assert code == 0
    assert json.loads(out)["line"] == Position.load(dinner).line()
    code, out, err = pymorph("show", dinner, "--svg", "c.svg", "--sight", "anna", "nobody")
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert not Path("c.svg").exists()


def test_what_is_no_picture_is_kept(dinner: str, pymorph: Run) -> None:
    own = Path("own.yaml")
    for text in ("ruleset: x\n", "<svg xmlns='http://www.w3.org/2000/svg'/>", "\0\xff"):
        own.write_text(text)
        code, out, err = pymorph("show", dinner, "--svg", own)
        assert (code, out) == (2, "")
        assert err == (
            "own.yaml: not a picture that pymorph drew; choose another file, "
            "or use --force to replace it\n"
        )
        assert own.read_text() == text
    own.write_text("")
    for _ in range(2):  # one of ours is replaced
        assert pymorph("show", dinner, "--svg", own)[0] == 0
    own.write_text("mine")
    assert pymorph("show", dinner, "--svg", own, "--force")[0] == 0
    assert own.read_text().startswith("<svg ")


def test_show_forms(dinner: str, pymorph: Run) -> None:
    position = Position.load(dinner)
    assert pymorph("show", dinner, "--line")[1] == position.line() + "\n"
    assert pymorph("show", dinner, "--yaml")[1] == position.yaml()
    code, out, _ = pymorph("show", dinner, "--ascii")
    assert code == 0
    assert out.isascii()


# Streams, colours


def test_nobody_reads_on(my_game: Path) -> None:
    many = "{ruleset: ./my_game, turn: anna, heap: 9, players: {anna: {}, bo: {}}}"
    for words, reader, lines in (
        (["legal", many, "--all", "--json"], "head -1", 1),
        (["--help"], "head -1", 1),
        (["rules"], "true", 0),
    ):
        command = shlex.join([sys.executable, "-u", "-m", "pymorph", *words])
        found = subprocess.run(
            ["bash", "-c", f"{command} | {reader}"], capture_output=True, text=True, timeout=60
        )
        assert found.stderr == ""
        assert len(found.stdout.splitlines()) == lines


ESC = "\x1b"


class Terminal:
    """A stand-in for a terminal that shows colours."""

    def __init__(self) -> None:
        self.text = ""
        self.encoding = "utf-8"
        self.errors = "strict"

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("settings", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colours(
    my_game: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], coloured: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    assert app.run(["why", START, "take(5)"]) == 1
    assert (ESC in terminal.text) == coloured
    assert "heap_02" in terminal.text


def test_no_colours_in_a_pipe(my_game: Path) -> None:
    out, _ = started("why", START, "take(5)").communicate(timeout=60)
    assert ESC not in out
    assert "heap_02" in out


def test_terminals_that_know_few_characters(dinner: str) -> None:
    settings = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    process = started("show", dinner, env=settings)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "\\u" in out


# The program itself


def test_version(pymorph: Run) -> None:
    assert pymorph("--version") == (0, f"pymorph, version {package.__version__}\n", "")


def test_as_a_module_and_as_a_program(my_game: Path) -> None:
    ways = [[sys.executable, "-m", "pymorph"], [str(Path(sys.executable).with_name("pymorph"))]]
    found = [
        subprocess.run([*way, *words], capture_output=True, text=True, timeout=60)
        for way in ways
        for words in (["legal", START], ["legall"])
    ]
    for one, other in ((found[0], found[2]), (found[1], found[3])):
        assert (one.returncode, one.stdout, one.stderr) == (
            other.returncode,
            other.stdout,
            other.stderr,
        )
    assert found[1].stderr.startswith("pymorph: unknown command 'legall'")


def test_mistakes_of_our_own_are_one_line(
    my_game: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("some\nthing")

    monkeypatch.setattr(legality, "legal", broken)
    monkeypatch.delenv("PYMORPH_TRACEBACK", raising=False)
    code, out, err = pymorph("legal", START)
    assert (code, out) == (2, "")
    assert err == (
        "pymorph: internal error: KeyError: 'some\\\\nthing' "
        "(set PYMORPH_TRACEBACK=1 to see where)\n"
    )
    monkeypatch.setenv("PYMORPH_TRACEBACK", "1")
    with pytest.raises(KeyError):
        pymorph("legal", START)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (RecursionError(), 2, "pymorph: nested too deeply\n"),
        (MemoryError(), 2, "pymorph: out of memory\n"),
        (BrokenPipeError(), 141, ""),
        (OSError(28, "No space left"), 2, "pymorph: standard output: no space left\n"),
    ],
)
def test_what_ends_a_command(
    my_game: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch,
    error: BaseException, code: int, said: str,
) -> None:  # fmt: skip
    def broken(*_: object) -> None:
        raise error

    monkeypatch.setattr(legality, "legal", broken)
    assert pymorph("legal", START) == (code, "", said)


def test_a_game_that_lies_elsewhere(my_game: Path, pymorph: Run) -> None:
    """The folder is told in which it lies; an example has a name."""
    (my_game.parent / "games" / "mine").mkdir(parents=True)
    my_game.rename(my_game.parent / "games" / "mine" / "my_game")
    for verb in ("verify", "rules", "words"):
        code, _, err = pymorph(verb, "my_game")
        assert (code, "did you mean 'games/mine/my_game'?" in err) == (2, True)
        code, _, err = pymorph(verb, "tictacto")
        assert (code, "did you mean 'tictactoe'?" in err) == (2, True)


# Completion


def completed(line: str, monkeypatch: pytest.MonkeyPatch, pymorph: Run) -> list[str]:
    """What is offered after a line, the last word of which is being typed."""
    monkeypatch.setenv("_PYMORPH_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    spaced = line.endswith(" ")
    monkeypatch.setenv("COMP_CWORD", str(len(shlex.split(line)) - (0 if spaced else 1)))
    code, out, err = pymorph()
    assert (code, err) == (0, "")
    return [entry.partition(",")[2] for entry in out.splitlines() if entry]


@parametrized
def test_completion(
    my_game: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch, line: str, expected: list[str]
) -> None:
    assert completed(line, monkeypatch, pymorph) == expected


def test_completion_of_verbs_and_games(
    my_game: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert completed("pymorph ", monkeypatch, pymorph) == sorted(app.VERBS)
    for name in SHIPPED:
        game = package.load_ruleset(name)
        for words in ("rules", "new-position", "new-ruleset mine --from", "schema"):
            assert name in completed(f"pymorph {words} {name[:3]}", monkeypatch, pymorph)
        first = min(game.rules)
        assert first in completed(f"pymorph rules {first[:-1]}", monkeypatch, pymorph)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(pymorph: Run, shell: str) -> None:
    code, out, err = pymorph("completion", shell)
    assert (code, err) == (0, "")
    assert "_PYMORPH_COMPLETE" in out
    assert "pymorph" in out
    assert get_completion_class(shell) is not None


def test_completion_in_a_shell(my_game: Path) -> None:
    script = (
        'eval "$(pymorph completion bash)"\n'
        f"COMP_WORDS=(pymorph why {START} take); COMP_CWORD=3\n"
        "_pymorph_completion pymorph\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    found = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=60,
        env={**os.environ, "PATH": path},
    )  # fmt: skip
    assert found.stdout.splitlines() == ["take(anna, 1)", "take(anna, 2)", "take(anna, 3)"]
