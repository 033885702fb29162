"""Actions that rules propose are those that the vocabulary declares, whatever verb looks."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
START = "my_game/positions/start.yaml"
PLAY = Path("my_game/encodings/play.lp")
WON = "wins(bo)"
GAME = Path("my_game/rules/game.lp")


def added(file: Path, text: str) -> int:
    """Add lines at the end of a file; the number of the first."""
    before = file.read_text("utf-8")
    file.write_text(f"{before}{text}\n", "utf-8")
    return len(before.splitlines()) + 1


def instead(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize(
    "words",
    [("legal",), ("legal", "--all"), ("count", "--depth", "1"), ("plan", "--goal", WON)],
    ids=lambda words: " ".join(words),
)
def test_a_proposal_outside_its_sort(words: tuple[str, ...], my_game: Path, pymorph: Run) -> None:
    line = added(PLAY, "proposed(take(C, 0), S, heap_02) :- holds(turn, C, S).")
    verb, *rest = words
    code, out, err = pymorph(verb, START, *rest)
    assert (code, out) == (2, "")
    told = "heap_02 proposes take(anna, 0): '0' is not in the sort amount; expected 1 to 9"
    assert f"play.lp:{line}:1: {told}" in err


def test_members_that_a_rule_derives(my_game: Path, pymorph: Run) -> None:
    """They count for every verb, as facts of the same predicate do."""
    instead(GAME, "sort(amount, range(1, 9)).", "sort(amount, from(amt)). amt(1).")
    instead(PLAY, "S), member(amount, N)", "S), amt(N)")
    added(PLAY, "amt(N + 1) :- amt(N), most(M), N < M.")
    code, out, err = pymorph("legal", START)
    assert (code, err) == (0, "")
    assert "take(anna, 3)" in out
    assert pymorph("why", START, "take(anna, 3)")[0] == 0
    code, out, _ = pymorph("verify", "my_game", "--property", "incomplete")
    assert code == 0, out
    assert "take(anna, 4)" not in pymorph("legal", START)[1]


@pytest.mark.campaign
def test_verify_looks_past_the_sorts(my_game: Path, pymorph: Run) -> None:
    """Also where the position from which it is proposed is far from any start."""
    line = added(PLAY, "proposed(take(C, 0), S, heap_02) :- holds(turn, C, S), holds(heap, 3, S).")
    code, out, err = pymorph("verify", "my_game", "--property", "incomplete")
    assert (code, err) == (1, "")
    told = r"heap_02 proposes take\((anna|bo), 0\): '0' is not in the sort amount; expected 1 to 9"
    assert re.search(told, " ".join(out.split()))
    assert f"play.lp:{line}:1" in out


def test_an_action_without_a_case(my_game: Path, pymorph: Run) -> None:
    added(GAME, "action(pass, (player,)).")
    added(PLAY, "forbidden(pass(C), S, heap_01) :- considered(pass(C), S).")
    for name in ("incomplete", "conflict", "kept"):
        code, out, _ = pymorph("verify", "my_game", "--property", name)
        assert code == 0
        assert "pass: not tested, because no case was found" in " ".join(out.split())


BOARDLESS = {
    "far": "far(S) :- situation(S), 3 < @distance(a1, b2, steps).",
    "sees": "over(S, heap_03) :- holds(heap, 5, S), a1 = @neighbours(b1).",
}


@pytest.mark.parametrize("name", BOARDLESS)
@pytest.mark.parametrize("verb", ["legal", "check", "why"])
def test_a_game_without_a_board_asks_it_nothing(
    name: str, verb: str, my_game: Path, pymorph: Run
) -> None:
    line = added(PLAY, BOARDLESS[name])
    code, out, err = pymorph(verb, START, *(["take(anna, 1)"] if verb == "why" else []))
    assert (code, out) == (2, "")
    called = BOARDLESS[name].partition("@")[2].partition("(")[0]
    assert f"play.lp:{line}:1: @{called} needs a board, but this game has none" in err
    assert "declare a board" in err
