"""Planning: lines of play, proofs that there is none, on small games whose trees can be counted."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pytest

from pymorph.dynamics import transitions
from pymorph.dynamics.transitions import Expander
from pymorph.errors import InputError, UnknownName
from pymorph.explore.execution import application
from pymorph.explore.search import planning, together
from pymorph.explore.search.planning import Plan
from pymorph.questions import legality
from pymorph.state.position import Position
from pymorph.state.record import Move
from pymorph.views.lines import lookahead as text
from tests.conftest import EXAMPLES, ROOT, position_of

Run = Callable[..., tuple[int, str, str]]
TICTACTOE = EXAMPLES / "rulesets" / "tictactoe"
TEMPLATE = ROOT / "pymorph" / "ruleset" / "template"

GREEDY = """
policy(greedy, "Takes as much as it may.").
inclined(greedy, take(C, N), 10 - N, S, heap_02) :- holds(turn, C, S), member(amount, N).
policy(stubborn, "Takes two or nothing.").
inclined(stubborn, take(C, 2), 1, S, heap_02) :- holds(turn, C, S).
"""


def board(turn: str, **cells: str) -> Position:
    return position_of({"ruleset": str(TICTACTOE), "turn": turn, "cells": cells})


def heap(counters: int, turn: str = "anna", ruleset: Path = TEMPLATE, **more: str) -> Position:
    players: dict[str, dict[str, int]] = {"anna": {}, "bo": {}}
    data = {"ruleset": str(ruleset), "turn": turn, "heap": counters, "players": players, **more}
    return position_of(data)


@pytest.fixture
def policed(my_game: Path) -> Path:
    """The starter game with two policies."""
    rules = my_game / "encodings" / "play.lp"
    gives = "  policy(P, Text), inclined(P, A, Rank, S, R)  policies.\n*%"
    rules.write_text(rules.read_text().replace("*%", gives) + GREEDY)
    return my_game


def by_counting(
    start: Position, met: Callable[[Position], bool], by: str, within: int
) -> int | None:
    """The fewest decisions at worst in which *by* brings it about, by trying out everything."""

    @cache
    def won(position: Position, left: int) -> bool:
        if met(position):
            return True
        following = transitions.successors_of([position])[0] if left else ()
        own = [after for action, after in following if by in ("", action.actor)]
        others = [after for action, after in following if by not in ("", action.actor)]
        if not following or not all(won(after, left - 1) for after in others):
            return False
        return not own or any(won(after, left - 1) for after in own)

    return next((left for left in range(within + 1) if won(start, left)), None)


def agrees(start: Position, goal: str, met: Callable[[Position], bool], by: str, most: int) -> Plan:
    """The plan, which finds just what counting finds, with the bound just enough and one short."""
    fewest = by_counting(start, met, by, most)
    found = planning.plan(start, goal, str(most), by=by)
    assert found.found is (fewest is not None), (goal, by)
    if fewest is not None:
        assert found.decisions == fewest
        assert planning.plan(start, goal, str(fewest), by=by).decisions == fewest
        if fewest:
            assert not planning.plan(start, goal, str(fewest - 1), by=by).found
    return found


def holding(**fluents: str) -> Callable[[Position], bool]:
    wanted = {name.replace("_", "(", 1) + ")" * ("_" in name): v for name, v in fluents.items()}
    return lambda position: all(str(position.value(f)) == v for f, v in wanted.items())


# -- everything carried out at once ----------------------------------------------------------------


def test_legs_are_what_apply_gives() -> None:
    """One grounding for what is legal and what comes of it says the same as one for each."""
    positions = [heap(n, turn) for n in (0, 1, 2, 7) for turn in ("anna", "bo")]
    legs = Expander(positions[0].ruleset).legs_of(positions)
    for position, row in zip(positions, legs, strict=True):
        assert {action: leg.after for action, leg in row.items()} == {
            action.symbol: application.apply(position, action).position
            for action in legality.legal_actions(position)
        }


# -- against counting ------------------------------------------------------------------------------


@pytest.mark.parametrize("counters", range(1, 9))
@pytest.mark.parametrize("by", ["", "anna", "bo"])
def test_who_takes_the_last_counter(counters: int, by: str) -> None:
    """With perfect play whoever finds a multiple of four loses; together anything goes."""
    last = by or "bo"
    other = {"anna": "bo", "bo": "anna"}[last]
    found = agrees(heap(counters), f"wins({last})", holding(heap="0", turn=other), by, 8)
    if by:
        assert found.found is ((counters % 4 != 0) == (by == "anna"))


@pytest.mark.parametrize("by", ["", "x", "o"])
@pytest.mark.parametrize("turn", ["x", "o"])
def test_three_in_a_row(turn: str, by: str) -> None:
    """x threatens a row; alone it is stopped if the other is to move, together it is not."""
    marks = {"a1": "x", "a2": "x", "b2": "o", "c1": "o"} | ({"b3": "x"} if turn == "o" else {})
    start = board(turn, **marks)
    goal = "cell(a1) = x and cell(a2) = x and cell(a3) = x"
    met = holding(cell_a1="x", cell_a2="x", cell_a3="x")
    found = agrees(start, goal, met, by, 4)
    if by != "o":
        assert found.found is (by == "" or turn == "x")


def test_fork_cannot_be_stopped() -> None:
    """x threatens two rows at once: o stops either, and loses by the other."""
    start = board("o", a1="x", b2="o", c3="x", a3="o", c1="x")
    for square in ("b1", "c2"):
        assert not planning.plan(start, f"cell({square}) = x", by="x").found
    either = planning.plan(start, "cell(b1) != o and illegal(put(o, a2))", "4", by="x")
    assert either.found is not None


def test_proof_that_a_row_is_never_had() -> None:
    """o blocks the column: to the end of the game there is no line, so no bound matters."""
    start = board("x", a1="x", a2="x", a3="o", b2="o")
    goal = "cell(a1) = x and cell(a2) = x and cell(a3) = x"
    found = planning.plan(start, goal, "9")
    assert (found.found, found.complete) == (False, True)
    assert found.positions > 50
    assert found.expanded <= found.positions
    short = planning.plan(start, goal, "2")
    assert (short.found, short.complete) == (False, False)
    assert short.positions < found.positions


def test_goal_that_the_rules_judge() -> None:
    """What is legal, and figures, are asked of the rules, many positions at a time."""
    found = planning.plan(heap(5), "illegal(take(bo, 2)) and score(anna) = 3", "3")
    assert list(map(str, found.actions)) == ["take(anna, 3)", "take(bo, 1)"]
    assert planning.plan(heap(5), "score(anna) >= 5", "2").found is False
    assert planning.plan(heap(5), "score(anna) >= 4", "3").found is True


def test_goal_that_holds_already() -> None:
    """Nothing has to be done for what is so."""
    found = planning.plan(heap(5), "heap = 5", "0", by="bo")
    assert (found.found, found.decisions, found.actions, found.positions) == (True, 0, (), 1)


def test_nothing_to_be_done() -> None:
    """With an empty heap the game is over: there is one position, and no line from it."""
    found = planning.plan(heap(0), "heap = 1")
    assert (found.found, found.complete, found.positions) == (False, True, 1)


def test_order_of_events() -> None:
    """Who wins first: an event that comes too late does not count, and ends the search there."""
    found = planning.plan(heap(4), "before(emptied(anna), emptied(bo))", by="anna")
    assert (found.found, found.complete) == (False, True)
    assert found.deadline is not None
    assert str(found.deadline.event) == "emptied(bo)"
    assert found.deadline.longest
    assert [moment.step for moment in found.deadline.timeline] == [1, 2]
    assert planning.plan(heap(4), "not happens(emptied(bo)) and heap = 0", by="anna").found is False


def test_strategy_answers_every_reply() -> None:
    """After each reply of bo the strategy has an action for anna, and all of them end well."""
    start = heap(10)
    found = planning.plan(start, "wins(anna)", by="anna")
    choices = {choice.number: choice for choice in found.strategy}
    reached = set()

    def follow(position: Position, number: int | None) -> None:
        if number is None:
            assert position.value("heap").number == 0
            return
        reached.add(number)
        following = dict(transitions.successors_of([position])[0])
        choice = choices[number]
        if choice.do is not None:
            assert choice.do.action.actor == "anna"
            follow(following[choice.do.action], choice.do.to)
        else:
            assert {reply.action for reply in choice.replies} == set(following)
        for reply in choice.replies:
            follow(following[reply.action], reply.to)

    follow(start, 1)
    assert reached == set(choices)
    assert len(found.actions) == found.decisions == 5


def test_order_of_the_file_changes_nothing() -> None:
    """The same board written in another order has the same plan, to the letter."""
    marks = {"a1": "x", "b2": "o", "c3": "x", "a3": "o"}
    goal = "cell(c2) = x and turn = x"
    one = planning.plan(board("x", **marks), goal, "4", by="x")
    other = planning.plan(board("x", **dict(reversed(marks.items()))), goal, "4", by="x")
    assert json.dumps(one.json()) == json.dumps(other.json())
    assert one.strategy


# -- against a policy, a file ----------------------------------------------------------------------


def test_policy(policed: Path) -> None:
    """Against one who takes three each time anna wins where against the best play she does not."""
    start = heap(8, ruleset=policed)
    assert planning.plan(start, "wins(anna)", by="anna").found is False
    found = planning.plan(start, "wins(anna)", by="anna", against="greedy")
    assert found.found
    assert {str(a) for a in found.actions if a.actor == "bo"} <= {"take(bo, 3)", "take(bo, 2)"}
    assert planning.plan(start, "taken(bo) = 5", by="anna", against="greedy").found is True
    assert planning.plan(start, "taken(bo) = 1", by="anna", against="greedy").found is False


def test_policy_with_nothing_to_say(policed: Path) -> None:
    """One who takes two or nothing stands still before a single counter, and the answer says so."""
    start = heap(2, ruleset=policed)
    found = planning.plan(start, "wins(bo)", by="anna", against="stubborn")
    assert (found.found, found.complete) == (False, False)
    assert found.stops == ("stubborn proposes nothing for bo",)


def test_file(policed: Path) -> None:
    """bo takes what the file has, step after step; one that is illegal ends the line."""
    start = heap(6, ruleset=policed)
    steps = (Move("take(bo, 1)"), Move("take(anna, 3)"), Move("take(bo, 3)"))
    found = planning.plan(start, "wins(bo)", by="anna", moves=steps)
    assert [str(a) for a in found.actions] == [
        "take(anna, 1)", "take(bo, 1)", "take(anna, 1)", "take(bo, 3)",
    ]  # fmt: skip
    assert found.against == "file"
    other = planning.plan(heap(9, ruleset=policed), "taken(bo) = 6", by="anna", moves=steps)
    assert other.found is False
    assert any("step 2, take(bo, 3), is not legal at that point" in stop for stop in other.stops)
    assert any("the missing policy passes proposes nothing for bo" in stop for stop in other.stops)


# -- others who could go on for ever ---------------------------------------------------------------

WORDS = """
fluent(hummed, (player,), counters, 0).
action(hum, (player,)).
action(pass, (player,)).
"""
HUMMING = """
proposed(pass(C), S, heap_01) :- holds(turn, C, S).
sets(turn, D, T, heap_01) :- does(pass(C), S, T), present(D, S), D != C.
"""
HUMS = {
    "in turn": "proposed(hum(C), S, heap_01) :- holds(turn, C, S).",
    "out of turn": "proposed(hum(D), S, heap_01) :- holds(turn, C, S), present(D, S), D != C.",
    "whenever": "proposed(hum(C), S, heap_01) :- present(C, S).",
}
COUNTED = "adds(hummed(C), 1, hums, T, heap_01) :- does(hum(C), S, T)."


def humming(game: Path, when: str, counted: bool) -> Path:
    """The starter game where players hum as often as they like, and whoever is in turn may pass."""
    words, rules = game / "rules" / "game.lp", game / "encodings" / "play.lp"
    words.write_text(words.read_text() + WORDS)
    rules.write_text("\n".join([rules.read_text(), HUMMING, HUMS[when], COUNTED * counted, ""]))
    return game


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("when", HUMS)
def test_stalling_is_no_play(my_game: Path, when: str, counted: bool) -> None:
    """Hums that bo could go on with for ever neither keep anna waiting, nor bo from his turn.

    While she may hum herself to some effect, he does not have to act: what hangs on that alone is
    not settled, and the answer says so.
    """
    game = humming(my_game, when, counted)
    mine = planning.plan(heap(9, "anna", game), "taken(anna) = 2", by="anna")
    his = planning.plan(heap(9, "bo", game), "turn = anna", by="anna")
    assert mine.found
    assert his.found is (None if when != "in turn" and counted else True)
    assert mine.decisions == 1 + (when != "in turn" and counted)
    assert any("do not stall" in text for text in mine.assumed) is (when != "in turn")
    waiting = "nobody else has to act while anna may act"
    assert (waiting in his.assumed) is (his.found is None)
    assert ("not settled" in text.plan(his)[1]) is (his.found is None)
    never = planning.plan(heap(9, "bo", game), "taken(bo) = 2", "4", by="anna")
    assert never.found is False
    assert waiting not in never.assumed


def test_free_actions_of_a_shipped_game(tmp_path: Path, pymorph: Run) -> None:
    """Where others may act for nothing at any time both verbs find the same, and say how."""
    start = (
        "{ruleset: actions_reactions, round: 2, turn: kara, zones: {yard: {spots: 2}}, characters: "
        "{grub: {order: 2, side: foes, vitality: 8, defence: 12, at: yard, spot: 1}, "
        "kara: {order: 1, side: heroes, vitality: 10, defence: 14, at: yard, spot: 1}}}"
    )
    found = planning.plan(Position.parse(start), "spot(kara) = 2", by="kara")
    assert (found.found, found.decisions) == (True, 2)
    assert "assumed: the others do not stall. While kara may act" in "\n".join(text.plan(found))
    case = tmp_path / "case.yaml"
    case.write_text(f"position: {start}\nclaims: [{{claim: can spot(kara) = 2, who: kara}}]\n")
    _, out, _ = pymorph("adjudicate", case, "--json")
    [claim] = json.loads(out)["claims"]
    assert claim["defaults"] == "upheld"
    assert found.assumed[0] in claim["readings"][0]["facts"]


def test_not_settled(
    my_game: Path, tmp_path: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a bound a search that comes to too many positions gives up, in both verbs."""
    monkeypatch.setattr(planning, "MOST_POSITIONS", 3)
    goal = "heap = 9 and turn = anna"
    words = ["plan", my_game / "positions" / "start.yaml", "--goal", goal]
    code, out, _ = pymorph(*words)
    assert code == 3
    assert "not settled: no line of" in out
    assert "stopped after 3 positions; to search further: --within '12 decisions'" in out
    code, out, _ = pymorph(*words, "--json")
    assert (json.loads(out)["found"], json.loads(out)["limit"]) == (None, 3)
    assert pymorph(*words, "--within", "12")[0] == 1
    case = tmp_path / "case.yaml"
    for mode in ("can", "cannot"):
        claim = f"position: {words[1]}\nclaims: [{{claim: {mode} {goal}}}]\n"
        case.write_text(claim)
        code, out, _ = pymorph("adjudicate", case)
        assert (code, "not settled" in out) == (3, True)
        assert "the claim is not settled" in pymorph("adjudicate", case, "--explain")[1]
        code, out, _ = pymorph("adjudicate", case, "--json")
        assert json.loads(out)["claims"][0]["defaults"] == "undecided"


# -- rolls -----------------------------------------------------------------------------------------


def test_rolls(stall: Path) -> None:
    """A six and the golden side make eleven points; at worst a throw makes one, and there are up to
    four throws to a decision."""
    start = Position.load(stall / "positions" / "start.yaml")
    chosen = planning.plan(start, "points(anna) = 11 and points(bo) = 0 and dice(bo) = 0", "1")
    assert [str(action) for action in chosen.actions] == [
        "throw(anna)", "roll(chance, anna, 6)", "flip(chance, anna, gold)",
    ]  # fmt: skip
    assert (chosen.rolls, chosen.decisions) == ("chosen", 1)
    assert [moment.step for moment in chosen.timeline] == [1, 1, 1]
    twice = planning.plan(start, "points(anna) = 12", "1")
    assert [str(action) for action in twice.actions] == [
        "throws(anna, 2)", "roll(chance, anna, 1)", "roll(chance, anna, 6)",
        "flip(chance, anna, gold)",
    ]  # fmt: skip
    worst = planning.plan(start, "points(anna) >= 5", "2", by="anna")
    assert (worst.found, worst.rolls, worst.decisions) == (True, "adversarial", 2)
    assert planning.plan(start, "points(anna) >= 5", "1", by="anna").found is False
    assert planning.plan(start, "points(anna) >= 4", "1", by="anna").found is True
    lucky = planning.plan(start, "points(anna) >= 2", "1", by="anna", rolls="chosen")
    assert lucky.decisions == 1


def test_given_rolls(stall: Path) -> None:
    """Rolls are taken in the order in which they are given; without one the line ends."""
    start = Position.load(stall / "positions" / "start.yaml")
    found = planning.plan(
        start, "points(anna) = 5", "2", by="anna", rolls=["roll(anna, 2)", "roll(anna, 3)"]
    )
    assert [str(a) for a in found.actions if a.actor == "chance"] == [
        "roll(chance, anna, 2)", "roll(chance, anna, 3)",
    ]  # fmt: skip
    short = planning.plan(start, "points(anna) = 5", "2", by="anna", rolls=["roll(anna, 2)"])
    assert short.found is False
    assert "roll(chance, anna) is due, but no roll is given for it" in short.stops
    wrong = planning.plan(start, "points(anna) = 5", "1", by="anna", rolls=["flip(anna, gold)"])
    assert "roll(chance, anna) is due, but the given roll is flip(anna, gold)" in wrong.stops


def test_steps_without_choice_are_no_decisions(stall: Path) -> None:
    """With twenty points the stall closes of itself; that is told, and not counted."""
    start = Position.load(stall / "positions" / "start.yaml")
    data = start.data() | {"players": {"anna": {"points": 19}, "bo": {}}}
    found = planning.plan(position_of(data), "winner = anna", "1", by="anna")
    assert (found.found, found.decisions) == (True, 1)
    assert [str(a) for a in found.timeline[-1].then] == ["close(clock)"]


# -- what is asked wrongly -------------------------------------------------------------------------


def test_wrong_names(policed: Path) -> None:
    start = heap(4, ruleset=policed)
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"by": "ana"}, "unknown actor 'ana'; did you mean 'anna'?"),
        ({"by": "anna", "against": "greed"}, "unknown policy 'greed'; did you mean 'greedy'?"),
        ({"against": "greedy"}, "everybody plays for the goal, so the others cannot play 'greedy'"),
        ({"by": "anna", "against": "together"}, "anna plays alone"),
        ({"within": "2 turns"}, "unknown unit 'turns'"),
        ({"within": "soon"}, "unknown bound 'soon'"),
        ({"rolls": "bad"}, "rolls are chosen, adversarial or given, not 'bad'"),
    )
    for options, told in wrong:
        with pytest.raises((InputError, UnknownName), match=told.replace("?", r"\?")):
            planning.plan(start, "heap = 0", **options)


# -- the verb --------------------------------------------------------------------------------------


def test_time_limit(
    my_game: Path,
    pymorph: Run,
    monkeypatch: pytest.MonkeyPatch,
    time_is_up: Callable[[], NoReturn],
) -> None:
    """When the time is up the answer says how far the search got, and the exit code is 3."""
    from pymorph.explore.search import search as searching

    expand = searching.Search._expand

    def slowly(search: searching.Search, numbers: list[int], cost: int) -> list[int]:
        if cost and search.depth > 2:
            time_is_up()
        return expand(search, numbers, cost)

    monkeypatch.setattr(searching.Search, "_expand", slowly)
    words = ["plan", my_game / "positions" / "start.yaml", "--goal", "heap = 9 and turn = anna"]
    code, out, err = pymorph(*words, "--timeout", "50")
    assert (code, err) == (3, "")
    assert "time limit reached: no line of 2 decisions so far, limit 12 decisions" in out
    code, out, _ = pymorph(*words, "--timeout", "50", "--json")
    assert (code, json.loads(out)["found"]) == (3, None)


HEAP = TEMPLATE / "positions" / "start.yaml"
CONNECT_FOUR = EXAMPLES / "rulesets" / "connect_four" / "positions"


@pytest.mark.parametrize(
    ("file", "goal", "within"),
    [
        (CONNECT_FOUR / "start.yaml", "disc(b2) = yellow and disc(a1) = red", ""),
        (CONNECT_FOUR / "three.yaml", "wins(red)", ""),
        (CONNECT_FOUR / "start.yaml", "wins(red)", "3 decisions"),
        (TICTACTOE / "positions" / "start.yaml", "cell(a1) = o and cell(b2) = o", ""),
        (TICTACTOE / "positions" / "start.yaml", "cell(a1) = o and turn = x", "3 decisions"),
        (TICTACTOE / "positions" / "start.yaml", "legal(put(o, a1)) and cell(b2) = x", ""),
        (HEAP, "score(anna) >= 5 and score(bo) = 3", ""),
        (HEAP, "score(anna) = score(bo) and heap < 3", ""),
        (HEAP, "taken(anna) > 4 and legal(take(bo, 1)) and turn = bo", ""),
        pytest.param(HEAP, "score(anna) > 9", "4 decisions", marks=pytest.mark.campaign),
        pytest.param(HEAP, "score(anna) > 10", "", marks=pytest.mark.campaign),
    ],
)
def test_compiled_lines(
    monkeypatch: pytest.MonkeyPatch, file: Path, goal: str, within: str
) -> None:
    """On compiled rules a line of play is the same as one by one, and so is all told of it."""
    answers = []
    for wide in (sys.maxsize, 0):
        monkeypatch.setattr(together, "WIDE", wide)
        told: list[Any] = []
        found = planning.plan(
            Position.load(file), goal, within, on_layer=lambda p, told=told: told.append(p.json())
        )
        answers.append((found.json(), told))
    assert answers[0] == answers[1]


def test_compiled_lines_that_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a bound it is given up after as many positions."""
    answers = []
    for wide in (sys.maxsize, 0):
        monkeypatch.setattr(together, "WIDE", wide)
        monkeypatch.setattr(planning, "MOST_POSITIONS", 200)
        start = Position.load(CONNECT_FOUR / "start.yaml")
        answers.append(planning.plan(start, "wins(red)").json())
    assert answers[0] == answers[1]
    assert answers[0]["found"] is None


def test_the_end_of_the_game_at_the_end_of_a_line() -> None:
    """ttt_03: a line that ends the game says who wins; one that does not end it says nothing."""
    start = board("x", a1="x", b1="x", a2="o", b2="o")
    found = planning.plan(start, "wins(x)", "2")
    assert found.outcome is not None
    assert found.outcome.winners == ("x",)
    assert text.plan(found)[-1] == "the game is over: x wins, Three in a row [ttt_03]"
    against = planning.plan(board("x", b2="x", a1="o"), "cell(a3) = x", "1", by="x")
    assert (against.found, against.outcome) == (True, None)
    assert "over" not in text.plan(against)[-1]
