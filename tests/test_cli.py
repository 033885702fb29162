"""The command line: what is printed, where, and with which exit code."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import get_completion_class

import pymorph as package
from pymorph.cli import app
from pymorph.questions import legality
from pymorph.ruleset import locations
from pymorph.state.position import Position
from tests.conftest import EXAMPLES, Run, full, started
from tests.inn import POSITION
from tests.tables import parametrized

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


@pytest.mark.parametrize("step", ["os.fsync", "os.replace"])
def test_full_disk(my_game: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    Path("next.yaml").write_text("old")
    pymorph("legal", START)
    monkeypatch.setattr(step, full)
    said = "next.yaml: cannot be written: no space left on device\n"
    assert pymorph("apply", START, "take(2)", "-o", "next.yaml") == (2, "", said)
    assert Path("next.yaml").read_text() == "old"
    assert sorted(os.listdir()) == ["my_game", "next.yaml"]


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


@parametrized
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
