"""Answers as lines: a small game of its own with all that an answer may have, told line by line."""

import re

import pytest

from pymorph.dynamics.results import Entry, Figure
from pymorph.explore.execution import application
from pymorph.questions import explanation, figures, legality
from pymorph.ruleset.loader import Ruleset, load
from pymorph.state.position import Position
from pymorph.terms import parse
from pymorph.views import layout, width
from pymorph.views.lines import answers
from tests.conftest import EXAMPLES
from tests.games import RULESETS
from tests.tables import expected, parametrized

FERRY = RULESETS / "ferry"


@pytest.fixture(scope="module")
def game() -> Ruleset:
    return load(str(FERRY))


def moored(old: str = "", new: str = "") -> Position:
    """The position in the harbour, with something in it replaced."""
    path = FERRY / "positions" / "harbour.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    return Position.parse(text.replace(old, new, 1), base=path.parent)


# A style that shows where it was applied.
MARKS = layout.Style(*(f"<{mark}>{{}}</{mark}>".format for mark in "bdgx"))


def lines(told: str) -> list[str]:
    return told.strip("\n").split("\n")


# Words


@parametrized
def test_count(number: int, noun: str, told: str) -> None:
    assert layout.count(number, noun) == told


@parametrized
def test_ledger(game: Ruleset, items: str, told: str) -> None:
    pairs = re.findall(r"([a-z_]+(?:\((?:[^()]|\([^()]*\))*\))?) (-?\d+)", items)
    assert layout.ledger(game, [Entry(parse(i), int(n), "fer_03") for i, n in pairs]) == told


def test_ledger_breaks_before_a_sign(game: Ruleset) -> None:
    entries = tuple(Entry(parse(f"hold({n}, salt_cod)"), 10 + n, "fer_03") for n in range(12))
    found = layout.wrapped(
        answers.figure_line(game, Figure(parse("fare(bo)"), 198, "coins", entries)), "    "
    )
    assert len(found) > 1
    assert all(line.startswith("    + Salt <Cod> ") for line in found[1:-1])
    assert all(len(line) <= width.WIDTH for line in found)
    assert width.TIE not in "".join(found)


@parametrized
def test_ground(term: str, told: str) -> None:
    assert layout.ground(parse(term)) == told


def test_table_pads_and_wraps() -> None:
    rows = [("a", "one", "x " * 60), ("bbb", "", ""), ("c", "three", "")]
    found = layout.table(rows, "")
    assert [line[:12] for line in found] == ["a    one    ", " " * 12, "bbb", "c    three"]
    assert found[1].strip() == "x " * 21 + "x"
    assert all(line == line.rstrip() for line in found)
    assert layout.table([]) == []


# Answers


def test_legal_in_doubt() -> None:
    position = moored("coins: 2", "chart: 9")
    assert answers.legality(legality.legal(position), style=MARKS) == lines(
        expected("text/legal_in_doubt")
    )


def test_why_not() -> None:
    position = moored("turn: anna", "turn: bo\nrulings: {tide_reading: nobody}")
    assert answers.why(explanation.why(position, "sail(anna, b1)"), MARKS) == lines(
        expected("text/why_not")
    )


def test_why_it_would_be_otherwise() -> None:
    """The question that turns it is named, whatever its option; one that is idle is not."""
    position = moored()
    found = answers.why(explanation.why(position, "wait(anna, 5)"), MARKS)
    assert found[-2:] == [
        "assumes: tide_reading = <b>everybody</b> (default)",
        "  legal under nobody",
    ]
    ruled = moored("turn: anna", "turn: anna\nrulings: {tide_reading: nobody}")
    found = answers.why(explanation.why(ruled, "wait(anna, 5)"), MARKS)
    assert found[-2:] == [
        "assumes: tide_reading = <b>nobody</b> (ruled)",
        "  not legal under everybody",
    ]
    assert "assumes" not in "".join(answers.why(explanation.why(ruled, "wait(anna, 2)")))


# The shipped example


def test_all_lines_are_plain_text() -> None:
    position = Position.load(str(EXAMPLES / "positions" / "right_cross.yaml"))
    told = [
        *answers.legality(legality.judge_all(position), position),
        *answers.forecast(figures.forecast(position, wide=True), position),
        *answers.why(explanation.why(position, "interrupt(baganal, block_and_evade)")),
        *answers.outcome(application.apply(position, "interrupt(baganal, block_and_evade)")),
    ]
    assert all(line.isprintable() and line == line.rstrip() for line in told)
