"""Answers as lines: a small game of its own with all that an answer may have, told line by line."""

from __future__ import annotations

import re
from pathlib import Path

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

GAME = """
ruleset(ferry, "1.0.0", "Ferries & Fares").
sort(captain, file).  heading(captain, captains).
sort(berth, board).
sort(way, listed).    member(way, (north; north_east; east; south_east)).
                      member(way, (south; south_west; west; north_west)).
sort(load, from(load)).
sort(few, range(0, 9)).
fluent(turn, (), captain, given).
fluent(weather, (), few, 0).
fluent(at, (captain,), berth, none).
fluent(facing, (captain,), way, none).
fluent(tied, (captain,), way, none).
fluent(adrift, (captain,), way, none).
fluent(aboard, (captain, load), few, 0).
fluent(coins, (captain,), few, 0).
fluent(rowed, (captain,), few, 0).
fluent(chart, (captain,), few, 0).
fluent(reef, (berth,), load, none).
symbol(".", water).  symbol("R", reef).  symbol("_", land).
join_symbol("|", chain).  join_symbol("-", chain).  join_symbol("=", rope).
load(salt_cod).      named(salt_cod, "Salt <Cod>").
load(lamp_oil).      named(lamp_oil, "Lamp Oil").    status(lamp_oil, own).
load(letters).
action(sail, (captain, berth)).
action(wait, (captain, few)).
figure(fare, (captain,), coins, -9, 99).
figure(delay, (captain,), days, 0, 99).
figure(tide, (few,), fathoms, 0, 9).
finding(sight, (captain, captain)).
sight_finding(sight, clear).

document(log, "The Ferry Log").
rule(fer_01).
title(fer_01, "Ferries sail in turn").
says(fer_01, "SAILING").
source(fer_01, log, "Sailing").
source(fer_01, log, "Waiting").
status(fer_01, stated).
raises(fer_01, tide_reading).
rule(fer_02).
title(fer_02, "Coal").
says(fer_02, "Coal costs a coin.").
source(fer_02, log, "Coal").
status(fer_02, reconstructed).
rule(fer_03).
title(fer_03, "Fares").
says(fer_03, "A fare is what is aboard, less the harbour dues.").
status(fer_03, stated).
waived(fer_03, "it is only said").
question(tide_reading).
asks(tide_reading, "Who waits for the tide?").
option(tide_reading, everybody).  means(tide_reading, everybody, "Each ferry in a harbour.").
option(tide_reading, nobody).     means(tide_reading, nobody, "The word is a figure of speech.").
default(tide_reading, everybody).
because(tide_reading, "It says whoever.").
because(fer_03, wait, "{1} has no fare for {2} tides.").
"""

SAILING = (
    "A ferry sails from berth to berth in the turn of its captain, and whoever lies in a harbour "
    "waits for the tide that suits him."
)

RULES = """
proposed(sail(C, P), S, fer_01) :- holds(turn, C, S), holds(at(C), Q, S), P = @neighbours(Q).
forbidden(sail(C, P), S, fer_01) :- considered(sail(C, P), S), not holds(turn, C, S).
forbidden(wait(C, N), S, fer_01) :-
    considered(wait(C, N), S), reading(tide_reading, everybody, S), N > 3.
forbidden(wait(C, N), S, fer_03) :- considered(wait(C, N), S), N = 0.
instead(wait(C, 0), wait(C, N), S) :- asked(wait(C, 0), S), member(few, N).
proposed(wait(C, N), S, fer_01) :- holds(turn, C, S), member(few, N), holds(chart(C), _, S).
unsettled(wait(C, 2), chart(C), S, fer_01) :- considered(wait(C, 2), S), holds(chart(C), 9, S).
costs(sail(C, P), coins(C), coal, 1, S, fer_02) :- considered(sail(C, P), S).
weighs(fare(C), sail(C, P), S, fer_03) :- considered(sail(C, P), S).
sets(at(C), P, T, fer_01) :- does(sail(C, P), _, T).
adds(rowed(C), N, wait, T, fer_01) :- does(wait(C, N), _, T).
happens(moors(C, P), T, fer_01) :- does(sail(C, P), _, T).

entry(fare(C), hold(1, Load), N, S, fer_03)   :- holds(aboard(C, Load), N, S), present(C, S).
entry(fare(C), fragile(1, Load), 2, S, fer_03) :- holds(aboard(C, Load), _, S), Load = lamp_oil.
entry(fare(C), dues, -3, S, fer_02) :- present(C, S).
entry(delay(C), days, N, S, fer_01) :- holds(rowed(C), N, S).
never(delay(C), S, fer_01)   :- present(C, S), not holds(rowed(C), _, S).
unknown(delay(C), chart(C), S, fer_01) :- holds(chart(C), 9, S).
entry(tide(N), weather(N), N, S, fer_01) :- holds(weather, N, S).
finding(sight(C, D), blocked, S, fer_02) :- fogged(C, D, S, _).
finding(sight(C, D), clear, S, fer_02) :- present(C, S), present(D, S), C != D, not fog(S).
ground(sight(C, D), X, S, fer_02) :- fogged(C, D, S, X).
fogged(C, D, S, (reef(b1); chain(a1, a2); buoy(a2, b1))) :-
    fog(S), present(C, S), present(D, S), C != D.
fog(S) :- holds(weather, _, S).
ill_formed(at(C), S, (fer_01; fer_02)) :- present(C, S), not holds(at(C), _, S).

drawn(token(C, F), P, S) :- holds(at(C), P, S), holds(facing(C), F, S), not off(C, S).
drawn(token(C), P, S)    :- holds(at(C), P, S), not holds(facing(C), _, S), not off(C, S).
drawn(token(C, F), toward(P, Q), S) :-
    holds(at(C), P, S), holds(facing(C), F, S), holds(tied(C), G, S), Q = @neighbour(P, G).
drawn(token(C), corner(P, Q), S) :-
    holds(at(C), P, S), holds(adrift(C), G, S), Q = @neighbour(P, G).
off(C, S) :- holds(tied(C), _, S).
off(C, S) :- holds(adrift(C), _, S).
drawn(card(Load), P, S) :- holds(reef(P), Load, S).
drawn(solid, P, S) :- holds(reef(P), _, S).
drawn(bare, P, S)  :- situation(S), P = @places(), land = @labels(P).
drawn(progress(N, 6), rowed(C), S) :- holds(rowed(C), N, S).
drawn((notch(2); notch(6); goal(4)), rowed(C), S) :- holds(rowed(C), _, S).
"""

POSITION = """
ruleset: FOLDER
board: |
  .   .   _
  -
  . = R   .
turn: anna
captains:
  anna: {at: a1, facing: north_east, coins: 2, rowed: 3, aboard: {salt_cod: 2, lamp_oil: 1}}
  bo: {at: a1, facing: west, aboard: {letters: 1}}
"""


def written(folder: Path) -> Path:
    """The game above as a folder."""
    for name, content in (("rules", GAME.replace("SAILING", SAILING)), ("encodings", RULES)):
        (folder / name).mkdir(parents=True)
        (folder / name / "ferry.lp").write_text(content, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("games") / "ferry")


@pytest.fixture(scope="module")
def game(harbour: Path) -> Ruleset:
    return load(str(harbour))


def moored(harbour: Path, old: str = "", new: str = "") -> Position:
    """The position above, with something in it replaced."""
    assert old in POSITION
    return Position.parse(POSITION.replace(old, new, 1).replace("FOLDER", str(harbour)))


@pytest.fixture(scope="module")
def position(harbour: Path) -> Position:
    return moored(harbour)


# A style that shows where it was applied.
MARKS = layout.Style(*(f"<{mark}>{{}}</{mark}>".format for mark in "bdgx"))


def lines(told: str) -> list[str]:
    return told.strip("\n").split("\n")


# Words


@pytest.mark.parametrize(
    ("number", "noun", "told"),
    [
        (1, "counts", "1 count"),
        (2, "counts", "2 counts"),
        (0, "counts", "0 counts"),
        (-1, "counts", "-1 counts"),
        (1, "readies", "1 ready"),
        (1, "inches", "1 inch"),
        (1, "left", "1 left"),
        (1, "mess", "1 mess"),
        (1, "", "1"),
        (3, "sea_miles", "3 sea miles"),
    ],
)
def test_count(number: int, noun: str, told: str) -> None:
    assert layout.count(number, noun) == told


@pytest.mark.parametrize(
    ("items", "told"),
    [
        ("call(1, row) 1, call(2, row) 1", "Row 1 + Row 1"),
        ("call(1, row) 1, call(2, haul) 2, cost(2, haul) 3", "Row 1 + Haul call 2 + Haul cost 3"),
        ("line(salt_cod) 10, uncovered -6", "Salt <Cod> line 10 - Uncovered 6"),
        ("spent -2", "- Spent 2"),
        ("none 0", "None 0"),
        ("crush(3) 3, sea_mile 6", "Crush 3 + Sea mile 6"),
        ("also(port_2, harm(1), jab) 4", "Port 2 Harm Jab 4"),
        ("also(port, 1, jab) 4", "Port Jab 4"),
    ],
)
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


@pytest.mark.parametrize(
    ("term", "told"),
    [("wall(b2, b3)", "wall b2-b3"), ("old_card(c3)", "old card c3"), ("fog", "fog")],
)
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
    assert answers.legality(legality.legal(position), position) == lines("""
Ferries & Fares: turn anna

anna may
  sail(anna, a2)
  sail(anna, b1)
""")


def test_legal_with_all_that_is_forbidden(position: Position) -> None:
    answer = legality.judge_all(position)
    assert answers.legality(answer.of("bo")) == lines("""
bo may
  wait(bo, 1)
  wait(bo, 2)
  wait(bo, 3)

bo may not
  sail(bo, a1|a2|b1|... (6))  [fer_01, fer_02]
  wait(bo, 0)                 [fer_03]
  wait(bo, 4..9)              [fer_01]
""")


def test_legal_in_doubt(harbour: Path) -> None:
    position = moored(harbour, "coins: 2", "chart: 9")
    assert answers.legality(legality.legal(position), style=MARKS) == lines("""
<b>anna may</b>
  <g>wait(anna, 1)</g>
  <g>wait(anna, 3)</g>

<b>anna may or may not</b>
  wait(anna, 2)  depends on chart(anna)  <d>[fer_01]</d>
""")


def test_nothing_legal(position: Position) -> None:
    assert answers.legality(legality.legal(position).of("bo")) == ["no action is legal"]


def test_why_legal(position: Position) -> None:
    assert answers.why(explanation.why(position, "sail(anna, b1)")) == lines("""
legal: sail(anna, b1)

allowed by fer_01  Ferries sail in turn
  A ferry sails from berth to berth in the turn of its captain, and whoever lies in a
  harbour waits for the tide that suits him.
  The Ferry Log, "Sailing", "Waiting"

cost set by fer_02  Coal (reconstructed)
  1 of coins(anna) for coal
  Coal costs a coin.
  The Ferry Log, "Coal"

figures
  fare(anna) = 2 coins: Lamp Oil~ fragile 2 + Lamp Oil~ hold 1 + Salt <Cod> 2
      - Dues 3 [fer_03, fer_02~]

~ not from the source: reconstructed, undecided there, or added by us
""")


def test_why_not(harbour: Path) -> None:
    position = moored(harbour, "turn: anna", "turn: bo\nrulings: {tide_reading: nobody}")
    assert answers.why(explanation.why(position, "sail(anna, b1)"), MARKS) == lines("""
<x>not legal</x>: <b>sail(anna, b1)</b>

forbidden by <b>fer_01</b>  Ferries sail in turn
  A ferry sails from berth to berth in the turn of its captain, and whoever lies in a
  harbour waits for the tide that suits him.
<d>  The Ferry Log, "Sailing", "Waiting"</d>

<b>figures</b>
  fare(anna) = 2 coins: Lamp Oil~ fragile 2 + Lamp Oil~ hold 1 + Salt <Cod> 2
      - Dues 3 [fer_03, fer_02~]
  coins(anna) = 2 left

<d>~ not from the source: reconstructed, undecided there, or added by us</d>
""")


def test_why_not_in_this_case(harbour: Path) -> None:
    """What a rule has against one action is said ahead of what it says, with a legal way out."""
    position = moored(harbour, "turn: anna", "turn: anna")
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


def test_why_it_would_be_otherwise(harbour: Path) -> None:
    """The question that turns it is named, whatever its option; one that is idle is not."""
    position = moored(harbour, "turn: anna", "turn: anna")
    found = answers.why(explanation.why(position, "wait(anna, 5)"), MARKS)
    assert found[-2:] == [
        "assumes: tide_reading = <b>everybody</b> (default)",
        "  legal under nobody",
    ]
    ruled = moored(harbour, "turn: anna", "turn: anna\nrulings: {tide_reading: nobody}")
    found = answers.why(explanation.why(ruled, "wait(anna, 5)"), MARKS)
    assert found[-2:] == [
        "assumes: tide_reading = <b>nobody</b> (ruled)",
        "  not legal under everybody",
    ]
    assert "assumes" not in "".join(answers.why(explanation.why(ruled, "wait(anna, 2)")))


def test_why_in_doubt(harbour: Path) -> None:
    position = moored(harbour, "coins: 2", "chart: 9")
    found = answers.why(explanation.why(position, "wait(anna, 2)"))
    assert found[:3] == [
        "it depends: wait(anna, 2) depends on chart(anna)",
        "",
        "left open by fer_01  Ferries sail in turn",
    ]


def test_forecast(harbour: Path) -> None:
    position = moored(harbour, "turn: anna", "turn: anna\nweather: 1")
    assert answers.forecast(figures.forecast(position), position) == lines("""
Ferries & Fares: turn anna, weather 1

anna
  fare(anna)        2 coins   Lamp Oil~ fragile 2 + Lamp Oil~ hold 1 + Salt <Cod> 2
                              - Dues 3 [fer_03, fer_02~]
  delay(anna)       3 days    [fer_01]
  sight(anna, bo)  blocked    buoy a2-b1, chain a1-a2, reef b1 [fer_02~]

bo
  fare(bo)         -2 coins   Letters 1 - Dues 3 [fer_03, fer_02~]
  delay(bo)        never      [fer_01]
  sight(bo, anna)  blocked    buoy a2-b1, chain a1-a2, reef b1 [fer_02~]

  tide(1)           1 fathom  Weather 1 [fer_01]

~ not from the source: reconstructed, undecided there, or added by us
""")


def test_forecast_of_what_is_unknown(harbour: Path) -> None:
    position = moored(harbour, "coins: 2", "chart: 9")
    answer = figures.forecast(position, "delay(anna)")
    assert answers.forecast(answer) == [
        "anna",
        "  delay(anna)  unknown  depends on chart(anna) [fer_01]",
    ]
    assert answers.forecast(figures.forecast(position, "tide")) == [
        "no such figure in this position: tide"
    ]


def test_forecast_of_what_is_absent(harbour: Path) -> None:
    """What is asked for by name is told of, also beside a figure that there is."""
    position = moored(harbour, "coins: 2", "chart: 9")
    answer = figures.forecast(position, "delay(anna)", "tide")
    assert answer.absent == ("tide",)
    assert answer.json()["absent"] == ["tide"]
    assert answers.forecast(answer)[-2:] == ["", "no such figure in this position: tide"]


def test_outcome(position: Position) -> None:
    found = application.apply(position, "sail(anna, a2)", "wait(anna, 2)")
    assert answers.outcome(found) == lines("""
sail(anna, a2)
  at(anna):     a1 -> a2         [fer_01]
  coins(anna):  2 -> 1           [fer_02]
  event:        moors(anna, a2)  [fer_01]

wait(anna, 2)
  rowed(anna):  3 -> 5  [fer_01]

now: turn anna
""")


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


def test_check(harbour: Path, position: Position) -> None:
    assert answers.check(consistency.check(position), name="x.yaml") == [
        "x.yaml: consistent: a valid position of Ferries & Fares"
    ]
    adrift = moored(harbour, "bo: {at: a1, facing: west, ", "bo: {")
    assert answers.check(consistency.check(adrift)) == lines(
        """
not consistent: not a valid position of Ferries & Fares

PLACE: at(bo) is none by default, which breaks fer_01  Ferries sail in turn
  A ferry sails from berth to berth in the turn of its captain, and whoever lies in a
  harbour waits for the tide that suits him.
  The Ferry Log, "Sailing", "Waiting"

and fer_02  Coal (reconstructed)
  Coal costs a coin.
  The Ferry Log, "Coal"
  write 'captains: bo: at' in <text>
""".replace("PLACE", f"{harbour / 'rules' / 'ferry.lp'}:11:1")
    )


def test_catalogue(game: Ruleset, harbour: Path) -> None:
    assert catalogue(rules.RuleLookup(rulesets=(game,))) == [
        "ferry  1.0.0  Ferries & Fares  3 rules"
    ]
    assert catalogue(rules.look_up([str(harbour)])) == lines("""
fer_01    stated         Ferries sail in turn
fer_02    reconstructed  Coal
fer_03    stated         Fares

lamp_oil  own            Lamp Oil
""")
    assert catalogue(rules.look_up([str(harbour)], "nowhere")) == ["no rule found"]


def test_rule_in_full(game: Ruleset, harbour: Path) -> None:
    assert catalogue(rules.look_up([str(harbour), "FER-03", "fer_01"])) == lines("""
fer_03  Fares
  A fare is what is aboard, less the harbour dues.
  not encoded: it is only said

fer_01  Ferries sail in turn
  A ferry sails from berth to berth in the turn of its captain, and whoever lies in a
  harbour waits for the tide that suits him.
  The Ferry Log, "Sailing", "Waiting"

  tide_reading: Who waits for the tide?
    * everybody  Each ferry in a harbour.
      nobody     The word is a figure of speech.
    * is the default. It says whoever.
""")
    assert rule_in_full(game.rule("fer_02"), game)[0] == "fer_02  Coal (reconstructed)"


# The shipped example


def test_right_cross_ledger() -> None:
    position = Position.load(str(EXAMPLES / "positions" / "right_cross.yaml"))
    found = answers.forecast(figures.forecast(position, "inertia(baganal)", "range"))
    assert found == lines("""
baganal
  inertia(baganal)         7 points  Ready 1 + Ready 1 + Punch calls 2 + Punch damage 3
                                     [mor_int_03]
  range(baganal, lathana)  melee     [mor_rng_03]

lathana
  range(lathana, baganal)  melee     [mor_rng_03]
""")


def test_all_lines_are_plain_text() -> None:
    position = Position.load(str(EXAMPLES / "positions" / "right_cross.yaml"))
    told = [
        *answers.legality(legality.judge_all(position), position),
        *answers.forecast(figures.forecast(position, wide=True), position),
        *answers.why(explanation.why(position, "interrupt(baganal, block_and_evade)")),
        *answers.outcome(application.apply(position, "interrupt(baganal, block_and_evade)")),
    ]
    assert all(line.isprintable() and line == line.rstrip() for line in told)
