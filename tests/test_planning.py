"""Planning: lines of play, proofs that there is none, on small games whose trees can be counted."""

import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pytest

from pymorph.dynamics import transitions
from pymorph.dynamics.transitions import NodeExpander
from pymorph.explore.execution import application
from pymorph.explore.search import planning, search
from pymorph.explore.search.planning import Plan
from pymorph.questions import legality
from pymorph.state.position import Position
from pymorph.views.lines import lookahead as text
from tests.conftest import EXAMPLES, ROOT, Run, position_of
from tests.tables import tables

TICTACTOE = EXAMPLES / "rulesets" / "tictactoe"
TEMPLATE = ROOT / "pymorph" / "ruleset" / "template"


def board(turn: str, **cells: str) -> Position:
    return position_of({"ruleset": str(TICTACTOE), "turn": turn, "cells": cells})


def heap(counters: int, turn: str = "anna", ruleset: Path = TEMPLATE, **more: str) -> Position:
    players: dict[str, dict[str, int]] = {"anna": {}, "bo": {}}
    data = {"ruleset": str(ruleset), "turn": turn, "heap": counters, "players": players, **more}
    return position_of(data)


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
    legs = NodeExpander(positions[0].ruleset).expand(positions)
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


# -- others who could go on for ever ---------------------------------------------------------------

WORDS = tables(__name__)["words"]
HUMMING = tables(__name__)["humming"]
HUMS = tables(__name__)["hums"]
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


# -- the verb --------------------------------------------------------------------------------------


def test_time_limit(
    my_game: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch, time_is_up: Callable[[], NoReturn]
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
        monkeypatch.setattr(search, "WIDE", wide)
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
        monkeypatch.setattr(search, "WIDE", wide)
        monkeypatch.setattr(planning, "MOST_POSITIONS", 200)
        start = Position.load(CONNECT_FOUR / "start.yaml")
        answers.append(planning.plan(start, "wins(red)").json())
    assert answers[0] == answers[1]
    assert answers[0]["found"] is None
