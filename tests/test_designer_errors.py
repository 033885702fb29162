"""Slips in a ruleset of one's own: each has its place, the rule's text, and what is meant."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pymorph import Position, RulesetError, Session, successors_of
from tests.conftest import Run
from tests.tables import parametrized

START = "my_game/positions/start.yaml"
PLAY = Path("my_game/encodings/play.lp")
LINE = re.compile(r"my_game/encodings/play\.lp:\d+:\d+: ")


@parametrized
def test_slip(
    rules: str,
    below: int,
    column: int,
    said: str,
    meant: str,
    cites: str,
    my_game: Path,
    pymorph: Run,
) -> None:
    """The rules are added at the end: the message names the line *below* the last, and cites it."""
    before = PLAY.read_text("utf-8")
    PLAY.write_text(before + rules + "\n", "utf-8")
    code, out, err = pymorph("legal", START)
    assert (code, out) == (2, "")
    lines = err.splitlines()
    place = f"{PLAY}:{len(before.splitlines()) + below}:{column}: "
    told = [line for line in lines if line.removeprefix(f"{my_game.parent}/").startswith(place)]
    assert len(told) == 1, lines
    assert said in told[0]
    assert meant in told[0]
    assert f" | {cites}" in told[0]
    assert all(LINE.match(line) for line in lines), "one line each"
    assert not re.search(r"Traceback|<block>|<string>|error:|info:", err)


def refused(pymorph: Run) -> str:
    """The one line that is said when an action is carried out by rules that cannot be right."""
    code, out, err = pymorph("apply", START, "take(anna, 1)")
    assert (code, out) == (2, "")
    [line] = err.splitlines()
    assert LINE.match(line)
    return line


@parametrized
def test_value_that_comes_about(old: str, new: str, told: str, my_game: Path, pymorph: Run) -> None:
    text = PLAY.read_text("utf-8")
    assert old in text
    PLAY.write_text(text.replace(old, new), "utf-8")
    line = refused(pymorph)
    assert told in line
    assert "forbid what leads there" in line
    assert " | sets(" in line


BELOW = "heap would be '-10', which is not in the sort counters; expected 0 to 99 (heap_02)"


@pytest.mark.parametrize(
    "words",
    [
        ("apply", START, "take(anna, 1)", "--odds"),
        ("plan", START, "--goal", "heap = 2"),
        ("count", START, "--depth", "2", "--jobs", "1"),
    ],
    ids=lambda words: " ".join(words[::3]),
)
def test_value_that_comes_about_in_any_verb(
    words: tuple[str, ...], my_game: Path, pymorph: Run
) -> None:
    """Whoever looks ahead meets it as well, and says whose it is, and where."""
    text = PLAY.read_text("utf-8").replace("sets(heap, K - N, T", "sets(heap, K - 20 * N, T")
    PLAY.write_text(text, "utf-8")
    code, out, err = pymorph(*words)
    assert (code, out) == (2, "")
    [line] = err.splitlines()
    assert LINE.match(line)
    assert BELOW in line
    position = Position.load(START)
    with pytest.raises(RulesetError, match=re.escape(BELOW)):
        Session(position).push("take(anna, 1)")
    with pytest.raises(RulesetError, match=re.escape(BELOW)):
        successors_of([position])


@parametrized
def test_change_of_what_cannot_be(more: str, told: str, my_game: Path, pymorph: Run) -> None:
    PLAY.write_text(f"{PLAY.read_text('utf-8')}{more}\n", "utf-8")
    line = refused(pymorph)
    assert told in line
    assert "add a condition that says what its arguments are" in line
    assert f" | {more.splitlines()[-1][:5]}" in line


def test_without_end_in_a_circle(my_game: Path) -> None:
    """What no look at the text tells ends with the time, or else with the memory."""
    endless = (
        "n(0). n(X + 1) :- m(X). m(X) :- n(X).\nover(S, heap_03) :- holds(heap, 10, S), m(9).\n"
    )
    PLAY.write_text(PLAY.read_text("utf-8") + endless, "utf-8")
    script = (
        "from pymorph.runtime import limits; from pymorph.cli import app; "
        "limits.MEMORY = {} << 20; app.main()"
    )
    for most, words, code, told in (
        (2000, ["legal", START, "--timeout", "0.5"], 3, "pymorph: no answer within 0.5 seconds\n"),
        (
            100,
            ["legal", START],
            2,
            "pymorph: the answer needs more than 0.1 GB and does not end; give each ",
        ),
    ):
        found = subprocess.run(
            [sys.executable, "-c", script.format(most), *words],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert found.returncode == code
        assert found.stdout == ""
        assert found.stderr.startswith(told)
        assert len(found.stderr.splitlines()) == 1
