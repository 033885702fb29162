"""Whatever the texts of files hold, a terminal is not steered by it, and nothing hides in it."""

import ast
import json
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from pymorph import yamlio
from pymorph.cli import output
from pymorph.errors import HIDDEN
from tests.conftest import ROOT, Run, started
from tests.tables import tables

# A title for the window, a screen that is cleared, in C0 and C1; text that runs from right to left.
ODD = "a\x1b]0;b\x07c\x9b2Jd\u202ee\u200ff\u2028g\rh\x85i"
SHOWN = r"a\u001b]0;b\u0007c\u009b2Jd\u202ee\u200ff\u2028g\u000dh\u0085i"
RULINGS = f"""
ruleset: ./my_game
rulings:
  - {{question: same_again, option: barred, why: "{SHOWN}", source: "{SHOWN}"}}
"""
AFTER_THREE = "ruleset: ./my_game\nturn: bo\nheap: 5\nlast: 3\nplayers: {anna: {}, bo: {}}\n"


def hidden(text: str) -> list[str]:
    return HIDDEN.findall(text.replace("\n", ""))


def test_text_of_a_rulings_file_that_lies_beside(my_game: Path, pymorph: Run) -> None:
    Path("rulings.yaml").write_text(RULINGS)
    Path("after.yaml").write_text(AFTER_THREE)
    code, out, err = pymorph("legal", "after.yaml")
    assert (code, err, hidden(out)) == (0, "", [])
    assert r"\u001b]0;b\u0007c\u009b2Jd\u202ee\u200ff" in out
    code, out, err = pymorph("legal", "after.yaml", "--json")
    assert (code, err, hidden(out)) == (0, "", [])
    assert json.loads(out)["rulings"]["same_again"]["why"] == " ".join(ODD.split())


def test_text_of_a_ruleset(my_game: Path, pymorph: Run) -> None:
    """The gate lets marks pass that writing from right to left has use for; they can be seen."""
    path = my_game / "rules" / "game.lp"
    text = path.read_text()
    path.write_text(text.replace('says(heap_02, "', 'says(heap_02, "\u200fa\u061cb\u2028'))
    for more in ([], ["--json"]):
        code, out, err = pymorph("rules", "./my_game", "heap_02", *more)
        assert (code, err, hidden(out)) == (0, "", [])
        assert r"\u200fa\u061cb" in out


def test_who_says_so(my_game: Path, pymorph: Run) -> None:
    """A case with a title and parties, as text and as JSON."""
    Path("case.yaml").write_text(
        f'title: "{SHOWN}"\nposition: my_game/positions/start.yaml\n'
        f'claims:\n  - {{by: "{SHOWN}", claim: heap = 8}}\n'
    )
    for more in ([], ["--explain"], ["--json"]):
        _, out, err = pymorph("adjudicate", "case.yaml", *more)
        assert (err, hidden(out)) == ("", [])
        assert r"\u001b]0;b" in out


def test_what_is_written_is_read_back() -> None:
    for text in (ODD, f"{ODD}\n", "a\n", "a\u202eb\n"):
        written = yamlio.block({"why": text})
        assert not hidden(written)
        root, faults = yamlio.parse(yamlio.decode(written.encode(), "f"), "f")
        assert not faults
        assert isinstance(root, yamlio.Keys)
        [(_, found)] = root.entries
        assert isinstance(found, yamlio.Scalar)
        assert found.text == text


def test_colours_of_our_own(capsys: pytest.CaptureFixture[str]) -> None:
    output.put_line(output.painted("\ud800", "\x1b[31mred") + " green")
    assert capsys.readouterr().out == "\\u001b[31mred green\n"  # a file has no colours


@pytest.mark.skipif(os.name != "posix", reason="terminals of this kind are of Unix")
def test_colours_on_a_terminal(my_game: Path) -> None:
    import pty

    Path("rulings.yaml").write_text(RULINGS)
    Path("after.yaml").write_text(AFTER_THREE)
    shown, terminal = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"}
    process = started("legal", "after.yaml", stdin=terminal, stdout=terminal, env=environment)
    process.wait(timeout=60)
    os.close(terminal)
    text = os.read(shown, 1 << 16).decode()
    os.close(shown)
    sequences = set(re.findall("\x1b[^m]*m?", text))
    assert sequences
    assert sequences <= {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[31m"}
    assert not hidden(re.sub("\x1b\\[[0-9]*m", "", text.replace("\r\n", "\n")))


ASKED = tables(__name__)["asked"]


@pytest.mark.parametrize("words", ASKED)
def test_lines_are_as_wide_as_the_terminal(
    words: str, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is too wide for it has no blank in it; and no word is broken, whatever the width is."""
    monkeypatch.chdir(ROOT / "examples" / "positions")
    whole = " ".join(pymorph(*words.split())[1:]).split()
    for width in (40, 100):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = [line for text in pymorph(*words.split())[1:] for line in text.splitlines()]
        assert [line for line in lines if len(line) > width and " " in line.strip()] == []
        assert " ".join(lines).split() == whole


def test_an_error_in_a_pipe_is_one_line(pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    code, _, err = pymorph("legal", "a_file_that_is_not_there.yaml")
    assert (code, err.count("\n")) == (2, 1)


def test_how_wide_a_terminal_is(monkeypatch: pytest.MonkeyPatch) -> None:
    from pymorph.views.width import columns

    for given, found in (("40", 40), ("7", 20), ("500", 120), ("", 88), ("0", 88), ("x", 88)):
        monkeypatch.setenv("COLUMNS", given)
        assert columns() == found


@pytest.mark.skipif(os.name != "posix", reason="terminals of this kind are of Unix")
def test_the_terminal_tells_how_wide_it_is(pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the lines that a file has where COLUMNS says so; colours take no room."""
    import fcntl
    import pty
    import struct
    import termios

    shown, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 50, 0, 0))
    words = ("rules", "morphyry", "mor_int_03", "mor_plan_09", "mor_game_06")
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"}
    process = started(*words, stdin=terminal, stdout=terminal, env=environment)
    process.wait(timeout=60)
    os.close(terminal)
    text = re.sub("\x1b\\[[0-9]*m", "", os.read(shown, 1 << 16).decode())
    os.close(shown)
    assert 40 < max(map(len, text.splitlines())) <= 50
    monkeypatch.setenv("COLUMNS", "50")
    assert text.splitlines() == pymorph(*words)[1].splitlines()


def test_pictures_can_be_read() -> None:
    from pymorph.views.pictures.svg_file import SvgFile

    text = SvgFile(1, 1, ODD, ODD).file_text()
    assert not hidden(text)
    assert ET.fromstring(text)[0].text == SHOWN


def test_one_place_prints() -> None:
    """Nothing but `pymorph.cli.output` prints, and click its own pages of help."""
    for path in sorted((ROOT / "pymorph").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and path.name != "output.py":
                name = ast.unparse(node.func)
                printing = ("print", "click.echo", "click.secho", "echo")
                assert name not in printing, f"{path}:{node.lineno}"
                assert not name.endswith(("stdout.write", "stderr.write")), f"{path}:{node.lineno}"
