"""A small game of chance for the tests: dice that follow actions, rolls that follow rolls."""

from __future__ import annotations

from pathlib import Path

from tests.inn import write_game

GAME = """
ruleset(stall, "1.0.0", "The Dice Stall").
sort(player, file).       heading(player, players).
sort(chancer, listed).    member(chancer, chance).
sort(keeper, listed).     member(keeper, clock).
sort(pips, range(1, 6)).
sort(many, range(2, 4)).
sort(side, listed).       member(side, (gold; plain)).
sort(points, range(0, 99)).
sort(dice, range(0, 9)).
sort(mark, listed).       member(mark, (on; off)).

fluent(turn, (), player, given).
fluent(winner, (), player, none).
fluent(points, (player,), points, 0).
fluent(dice, (player,), dice, 0).
fluent(coin, (player,), mark, off).
fluent(bold, (player,), mark, off).

action(throw, (player,)).
action(throws, (player, many)).
action(duel, (player,)).
action(pass, (player,)).
action(roll, (chancer, player, pips)).
action(flip, (chancer, player, side)).
action(close, (keeper,)).
figure(stake, (player,), points, 0, 99).

goal(20).

document(sign, "The sign above the stall").
rule(stall_01). title(stall_01, "In turn"). says(stall_01, "The players throw in turn.").
source(stall_01, sign, "Turns"). status(stall_01, stated).
rule(stall_02). title(stall_02, "A die"). says(stall_02, "Who throws rolls a die for each throw.").
source(stall_02, sign, "Dice"). status(stall_02, stated).
rule(stall_03). title(stall_03, "The coin"). says(stall_03, "A six is followed by the coin.").
source(stall_03, sign, "Coin"). status(stall_03, stated).
rule(stall_04). title(stall_04, "Duels"). says(stall_04, "In a duel both roll at once.").
source(stall_04, sign, "Duels"). status(stall_04, stated).
rule(stall_05). title(stall_05, "Stakes"). says(stall_05, "A bold player counts each pip twice.").
source(stall_05, sign, "Stakes"). status(stall_05, stated).
rule(stall_06). title(stall_06, "Closing"). says(stall_06, "With 20 points the stall closes.").
source(stall_06, sign, "End"). status(stall_06, stated).
"""

PLAY = """
proposed(throw(C), S, stall_01)     :- holds(turn, C, S).
proposed(throws(C, N), S, stall_01) :- holds(turn, C, S), member(many, N).
proposed(duel(C), S, stall_04)      :- holds(turn, C, S).
proposed(pass(C), S, stall_01)      :- holds(turn, C, S).
forbidden(A, S, stall_01) :- considered(A, S), actor(A, C), present(C, S), not holds(turn, C, S).
unfolds(throws(C, 2), throw(C), throw(C), S) :- considered(throws(C, 2), S).
unfolds(throws(C, N), throw(C), throws(C, N - 1), S) :- considered(throws(C, N), S), N > 2.
sets(turn, D, T, stall_01) :- does(pass(C), S, T), present(D, S), D != C.
adds(dice(C), 1, throw, T, stall_02) :- does(throw(C), _, T).
adds(dice(C), 1, duel, T, stall_04)  :- does(duel(_), S, T), present(C, S).

chance(roll(chance, C, N), 1, 6, S, stall_02) :- holds(dice(C), _, S), member(pips, N).
forbidden(roll(chance, C, N), S, stall_02) :-
    considered(roll(chance, C, N), S), not holds(dice(C), _, S).
adds(dice(C), -1, die, T, stall_02) :- does(roll(_, C, _), _, T).
adds(points(C), N * K, pips, T, stall_05) :- does(roll(_, C, N), S, T), total(stake(C), K, S).
happens(six(C), T, stall_03) :- does(roll(_, C, 6), _, T).
halts(T, stall_03)           :- does(roll(_, C, 1), S, T), holds(bold(C), on, S).

chance(flip(chance, C, gold), 1, 3, S, stall_03)  :- holds(coin(C), on, S).
chance(flip(chance, C, plain), 4, 6, S, stall_03) :- holds(coin(C), on, S).
forbidden(flip(chance, C, N), S, stall_03) :-
    considered(flip(chance, C, N), S), not holds(coin(C), on, S).
sets(coin(C), on, T, stall_03)         :- does(roll(_, C, 6), _, T).
sets(coin(C), off, T, stall_03)        :- does(flip(_, C, _), _, T).
adds(points(C), 5, gold, T, stall_03)  :- does(flip(_, C, gold), _, T).

entry(stake(C), player, 1, S, stall_05) :- present(C, S).
entry(stake(C), bold, 1, S, stall_05)   :- holds(bold(C), on, S).
accounts(stake(C), T, stall_05) :- does(roll(_, C, _), _, T).

enough(C, S) :- holds(points(C), N, S), goal(M), N >= M.
forced(close(clock), S, stall_06) :- enough(_, S), not holds(winner, _, S).
forbidden(close(clock), S, stall_06) :- considered(close(clock), S), not enough(_, S).
sets(winner, C, T, stall_06) :- does(close(_), S, T), enough(C, S), not higher(C, S).
higher(C, S) :- enough(C, S), enough(D, S), holds(points(C), N, S), holds(points(D), M, S), M > N.
over(S, stall_06) :- holds(winner, _, S).
"""

TIED = "enough(C, S), not higher(C, S)."
assert TIED in PLAY
WITHOUT_TIES = PLAY.replace(TIED, "C = #min { D : enough(D, S) }.")  # with as many the first wins


def write_stall(folder: Path, play: str = PLAY) -> Path:
    """The game in a new *folder*, with a position as positions/start.yaml."""
    start = "ruleset: ..\nturn: anna\nplayers:\n  anna: {}\n  bo: {bold: on}\n"
    return write_game(folder, GAME, play, {"start.yaml": start})
