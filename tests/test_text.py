"""Answers as lines: a small game of its own with all that an answer may have, told line by line."""

from __future__ import annotations

import os
import re

import pytest

from pymorph.adjudication import rules
from pymorph.dynamics.results import Entry, Figure
from pymorph.explore.execution import application
from pymorph.questions import consistency, explanation, figures, legality
from pymorph.ruleset.loader import Ruleset, load
from pymorph.state.position import Position
from pymorph.terms import parse
from pymorph.views import layout, width
from pymorph.views.lines import answers
from pymorph.views.lines.rules import catalogue, rule_in_full
from tests.conftest import EXAMPLES
from tests.games import RULESETS
from tests.tables import expected, expected_lines, parametrized

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


@pytest.fixture(scope="module")
def position() -> Position:
    return moored()


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


def test_legal(position: Position) -> None:
    assert answers.legality(legality.legal(position), position) == expected_lines("text/legal")


def test_legal_with_all_that_is_forbidden(position: Position) -> None:
    answer = legality.judge_all(position)
    assert answers.legality(answer.of("bo")) == lines(
        expected("text/legal_with_all_that_is_forbidden")
    )


def test_legal_in_doubt() -> None:
    position = moored("coins: 2", "chart: 9")
    assert answers.legality(legality.legal(position), style=MARKS) == lines(
        expected("text/legal_in_doubt")
    )


def test_nothing_legal(position: Position) -> None:
    assert answers.legality(legality.legal(position).of("bo")) == ["no action is legal"]


def test_why_legal(position: Position) -> None:
    assert answers.why(explanation.why(position, "sail(anna, b1)")) == lines(
        expected("text/why_legal")
    )


def test_why_not() -> None:
    position = moored("turn: anna", "turn: bo\nrulings: {tide_reading: nobody}")
    assert answers.why(explanation.why(position, "sail(anna, b1)"), MARKS) == lines(
        expected("text/why_not")
    )


def test_why_not_in_this_case() -> None:
    """What a rule has against one action is said ahead of what it says, with a legal way out."""
    position = moored()
    found = explanation.why(position, "wait(anna, 0)")
    assert answers.why(found)[:6] == [
        "not legal: wait(anna, 0)",
        *(f"  instead: wait(anna, {n})" for n in (1, 2, 3)),
        "",
        "forbidden by fer_03  Fares",
    ]
    assert "  anna has no fare for 0 tides." in answers.why(found)
    told = found.json()
    assert told["instead"] == ["wait(anna, 1)", "wait(anna, 2)", "wait(anna, 3)"]
    assert told["reasons"][0]["because"] == "anna has no fare for 0 tides."
    other = explanation.why(position, "wait(anna, 5)")
    assert other.instead == ()
    assert "instead" not in other.json()
    assert [reason.because for reason in other.reasons] == [""]


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


def test_why_in_doubt() -> None:
    position = moored("coins: 2", "chart: 9")
    found = answers.why(explanation.why(position, "wait(anna, 2)"))
    assert found[:3] == [
        "it depends: wait(anna, 2) depends on chart(anna)",
        "",
        "left open by fer_01  Ferries sail in turn",
    ]


def test_forecast() -> None:
    position = moored("turn: anna", "turn: anna\nweather: 1")
    assert answers.forecast(figures.forecast(position), position) == lines(
        expected("text/forecast")
    )


def test_forecast_of_what_is_unknown() -> None:
    position = moored("coins: 2", "chart: 9")
    answer = figures.forecast(position, "delay(anna)")
    assert answers.forecast(answer) == [
        "anna",
        "  delay(anna)  unknown  depends on chart(anna) [fer_01]",
    ]
    assert answers.forecast(figures.forecast(position, "tide")) == [
        "no such figure in this position: tide"
    ]


def test_forecast_of_what_is_absent() -> None:
    """What is asked for by name is told of, also beside a figure that there is."""
    position = moored("coins: 2", "chart: 9")
    answer = figures.forecast(position, "delay(anna)", "tide")
    assert answer.absent == ("tide",)
    assert answer.json()["absent"] == ["tide"]
    assert answers.forecast(answer)[-2:] == ["", "no such figure in this position: tide"]


def test_outcome(position: Position) -> None:
    found = application.apply(position, "sail(anna, a2)", "wait(anna, 2)")
    assert answers.outcome(found) == expected_lines("text/outcome")


def test_line_of_play_that_stops(position: Position) -> None:
    answer = application.play_through(position, ["sail(anna, a2)", "wait(anna, 7)"])
    found = answers.line_of_play(answer)
    assert found[4:9] == [
        "",
        "now: turn anna",
        "",
        "stopped at action 2",
        "not legal: wait(anna, 7)",
    ]
    assert answers.line_of_play(application.play_through(position, ["wait(anna, 7)"]))[:2] == [
        "stopped at action 1",
        "not legal: wait(anna, 7)",
    ]
    done = application.play_through(position, ["sail(anna, a2)"])
    assert answers.line_of_play(done) == answers.outcome(done.outcome)


def test_check(position: Position) -> None:
    assert answers.check(consistency.check(position), name="x.yaml") == [
        "x.yaml: consistent: a valid position of Ferries & Fares"
    ]
    adrift = moored("bo: {at: a1, facing: west, ", "bo: {")
    assert answers.check(consistency.check(adrift)) == lines(
        expected("text/check").replace("PLACE", f"{os.path.relpath(FERRY)}/rules/ferry.lp:10:1")
    )


def test_catalogue(game: Ruleset) -> None:
    assert catalogue(rules.RuleLookup(rulesets=(game,))) == [
        "ferry  1.0.0  Ferries & Fares  3 rules"
    ]
    assert catalogue(rules.look_up([str(FERRY)])) == expected_lines("text/catalogue")
    assert catalogue(rules.look_up([str(FERRY)], "nowhere")) == ["no rule found"]


def test_rule_in_full(game: Ruleset) -> None:
    assert catalogue(rules.look_up([str(FERRY), "FER-03", "fer_01"])) == lines(
        expected("text/rule_in_full")
    )
    assert rule_in_full(game.rule("fer_02"), game)[0] == "fer_02  Coal (reconstructed)"


# The shipped example


def test_right_cross_ledger() -> None:
    position = Position.load(str(EXAMPLES / "positions" / "right_cross.yaml"))
    found = answers.forecast(figures.forecast(position, "inertia(baganal)", "range"))
    assert found == expected_lines("text/right_cross_ledger")


def test_all_lines_are_plain_text() -> None:
    position = Position.load(str(EXAMPLES / "positions" / "right_cross.yaml"))
    told = [
        *answers.legality(legality.judge_all(position), position),
        *answers.forecast(figures.forecast(position, wide=True), position),
        *answers.why(explanation.why(position, "interrupt(baganal, block_and_evade)")),
        *answers.outcome(application.apply(position, "interrupt(baganal, block_and_evade)")),
    ]
    assert all(line.isprintable() and line == line.rstrip() for line in told)
