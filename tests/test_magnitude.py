"""Arithmetic that may leave 32 bits is found when a ruleset is loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
START = "my_game/positions/start.yaml"
PLAY = Path("my_game/encodings/play.lp")
GAME = Path("my_game/rules/game.lp")
LENGTHS = "sort(length, range(0, 109440)).\nfluent(long, (player,), length, 0)."

# What is added, whether to the facts as well, and what is told of the last line.
LEAVING = {
    "of plain numbers": ("entry(score(C), big, 999999999 * 5, S, heap_02) :- present(C, S).",
                         "(999999999*5) can reach 4,999,999,995"),
    "of fluents": ("forbidden(take(C, 1), S, heap_02) :- considered(take(C, 1), S), "
                   "holds(long(C), N, S), N * N > 50.", "(N*N) can reach 11,977,113,600"),
    "of what rules derive": ("half(N / 2, S) :- holds(long(_), N, S).\n"
                             "over(S, heap_03) :- half(N, S), N * 90000 > 3.",
                             "(N*90000) can reach 4,924,800,000"),
    "of powers": ("over(S, heap_03) :- holds(heap, N, S), member(amount, K), N ** K = 64.",
                  "(N**K) can reach 913,517,247,483,640,899"),
    "of a sum": ("over(S, heap_03) :- situation(S), "
                 "N = #sum { M, C : holds(long(C), M, S) }, N * 400 = 9.",
                 "(N*400) can reach 2,801,664,000"),
    "of what is counted": ("over(S, heap_03) :- situation(S), "
                           "N = #count { M : holds(long(C), M, S) }, N * 40000 = 9.",
                           "(N*40000) can reach 4,377,640,000"),
    "a sum itself": ("over(S, heap_03) :- situation(S), N = #sum { M * 5, C, D : "
                     "holds(long(C), M, S), holds(long(D), _, S) }, N > 9.",
                     "#sum { (M*5),C,D: holds(long(C),M,S), holds(long(D),_,S) } can reach "
                     "2,241,331,200"),
    "of an equation": ("over(S, heap_03) :- holds(long(_), N, S), M = N + 1, M * M = 3.",
                       "(M*M) can reach 11,977,332,481"),
}  # fmt: skip
STAYING = {
    "a bound": "over(S, heap_03) :- holds(long(_), N, S), N < 40000, N * N = 9.",
    "a quotient": "over(S, heap_03) :- holds(long(_), N, S), (N / 10) * (N / 10) = 9.",
    "a sum": "over(S, heap_03) :- situation(S), N = #sum { M, C : holds(taken(C), M, S) }, "
    "N * N = 9.",
    "the most": "over(S, heap_03) :- situation(S), N = #max { M, C : holds(long(C), M, S) }, "
    "N * 900 = 9.",
    "what nobody declares": "far(M + 1, S) :- far(M, S), M < 90.\n"
    "far(0, S) :- situation(S).\nover(S, heap_03) :- far(N, S), N * N * N * N * N * N = 9.",
}


@pytest.mark.parametrize("name", LEAVING)
def test_what_leaves(name: str, my_game: Path, pymorph: Run) -> None:
    rules, said = LEAVING[name]
    GAME.write_text(f"{GAME.read_text('utf-8')}{LENGTHS}\n", "utf-8")
    before = PLAY.read_text("utf-8")
    PLAY.write_text(f"{before}{rules}\n", "utf-8")
    line = len(before.splitlines()) + len(rules.splitlines())
    code, out, err = pymorph("legal", START)
    assert (code, out) == (2, "")
    assert f"play.lp:{line}:1: {said}, above the largest whole number, 2,147,483,647" in err
    assert "declare narrower ranges" in err


@pytest.mark.parametrize("name", STAYING)
def test_what_stays(name: str, my_game: Path, pymorph: Run) -> None:
    GAME.write_text(f"{GAME.read_text('utf-8')}{LENGTHS}\n", "utf-8")
    PLAY.write_text(f"{PLAY.read_text('utf-8')}{STAYING[name]}\n", "utf-8")
    assert pymorph("legal", START)[0] == 0
