"""A small game with a board, cards of which some are hidden, rulings and figures, for the tests."""

from __future__ import annotations

from pathlib import Path

GAME = """
ruleset(inn, "1.2.0", "The Inn").
sort(guest, file).     heading(guest, guests).
sort(room, board).
sort(ware, from(ware)).
sort(unseen, listed).  member(unseen, hidden).
sort(dish, union((ware, unseen))).
sort(mood, listed).    member(mood, (glad; grim)).
sort(copies, range(0, 9)).
sort(coins, range(-5, 99)).
ware(pear_tart). ware(plum_cake). ware(rye_bread).
symbol(".", hall).     symbol("K", kitchen).
join_symbol("|", wall). join_symbol("-", wall).

fluent(turn, (), guest, given).
fluent(purse, (guest,), coins, given).
fluent(hand, (guest, dish), copies, 0).
fluent(at, (guest,), room, none).
fluent(mood, (guest,), mood, glad).
fluent(eaten, (guest,), copies, 0).
fluent(lit, (room,), mood, none).
fluent(bell, (room, mood), copies, 0).
written(bell, (tower, by(2), rings, by(1))).

action(eat, (guest, dish)).
action(walk, (guest, room)).
action(pay, (guest, coins)).
figure(bill, (guest,), coins, 0, 999).
figure(debt, (guest,), coins, 0, 999).
finding(sight, (guest, guest)).
sight_finding(sight, clear).

document(book, "The Guest Book").
rule(inn_01). title(inn_01, "In turn"). says(inn_01, "The guests act in turn.").
source(inn_01, book, "Turns"). status(inn_01, stated).
rule(inn_02). title(inn_02, "At hand"). says(inn_02, "A guest eats what he has at hand.").
source(inn_02, book, "Meals"). status(inn_02, stated). raises(inn_02, grace).
rule(inn_03). title(inn_03, "Next door"). says(inn_03, "A guest walks to a room next door.").
source(inn_03, book, "Rooms"). status(inn_03, derived).
rule(inn_04). title(inn_04, "One to a room"). says(inn_04, "A room has one guest at most.").
source(inn_04, book, "Rooms"). status(inn_04, stated).
rule(inn_05). title(inn_05, "Covered dishes"). says(inn_05, "Who has a dish alone knows it.").
source(inn_05, book, "Meals"). status(inn_05, stated). waived(inn_05, "it is about manners").
question(grace).
asks(grace, "May a grim guest eat?").
option(grace, yes). means(grace, yes, "Whoever is hungry eats.").
option(grace, no).  means(grace, no, "A grim guest waits until he is glad.").
default(grace, yes).
because(grace, "The book does not say.").
"""

PLAY = """
proposed(eat(C, W), S, inn_02) :- holds(turn, C, S), holds(hand(C, W), _, S), ware(W).
proposed(eat(C, W), S, inn_02) :- holds(turn, C, S), covered(C, S), ware(W).
forbidden(A, S, inn_01) :- considered(A, S), actor(A, C), not holds(turn, C, S).
forbidden(eat(C, W), S, inn_02) :-
    considered(eat(C, W), S), not holds(hand(C, W), _, S), not covered(C, S).
forbidden(eat(C, W), S, inn_02) :-
    considered(eat(C, W), S), holds(mood(C), grim, S), reading(grace, no, S).
unsettled(eat(C, W), hand(C, hidden), S, inn_05) :-
    considered(eat(C, W), S), not holds(hand(C, W), _, S), covered(C, S).
covered(C, S) :- holds(hand(C, hidden), _, S).
weighs(bill(C), eat(C, W), S, inn_02) :- considered(eat(C, W), S).
adds(hand(C, W), -1, bite, T, inn_02) :- does(eat(C, W), _, T).
adds(eaten(C), 1, bite, T, inn_02)    :- does(eat(C, W), _, T).
happens(fed(C, W), T, inn_02)         :- does(eat(C, W), _, T).

proposed(walk(C, P), S, inn_03) :- holds(turn, C, S), near(C, P, S).
forbidden(walk(C, P), S, inn_03) :- considered(walk(C, P), S), not near(C, P, S).
forbidden(walk(C, P), S, inn_04) :- considered(walk(C, P), S), holds(at(_), P, S).
near(C, P, S) :- holds(at(C), Q, S), P = @neighbours(Q).
sets(at(C), P, T, inn_03) :- does(walk(C, P), _, T).
sets(turn, D, T, inn_01)  :- does(A, S, T), actor(A, C), present(D, S), D != C.

forbidden(pay(C, N), S, inn_05) :- considered(pay(C, N), S).
costs(walk(C, P), purse(C), shoes, 1, S, inn_03) :- considered(walk(C, P), S).

ill_formed(at(C), S, inn_04) :- holds(at(C), P, S), holds(at(D), P, S), C < D.
concealed(hand(C, W), C, hand(C, hidden), S, inn_05) :- holds(hand(C, W), _, S), ware(W).
entry(bill(C), eaten, N, S, inn_02) :- holds(eaten(C), N, S).
entry(debt(C), W, N, S, inn_02) :- holds(hand(C, W), N, S), ware(W).
unknown(debt(C), hand(C, hidden), S, inn_05) :- covered(C, S).
finding(sight(C, D), clear, S, inn_03) :- holds(at(C), _, S), holds(at(D), _, S), C != D.
drawn(token(C), P, S) :- holds(at(C), P, S).
"""

POSITION = """\
# Anna has two tarts, and dines next to Bo.
ruleset: ..
board: |
  .   K   .
  -
  . | .   .
turn: anna
rulings: {grace: yes}
guests:
  anna:
    purse: 3
    hand: [pear_tart, rye_bread, pear_tart]
    at: a1
  bo: {purse: -2, at: b1, mood: grim, hand: {plum_cake: 1}}
lit: {a1: glad}
tower: {glad: {rings: {c2: 4}}}
"""


def write_inn(folder: Path) -> Path:
    """The game in a new *folder*, with the position above as positions/dinner.yaml."""
    return write_game(folder, GAME, PLAY, {"dinner.yaml": POSITION})


def write_game(folder: Path, game: str, play: str, positions: dict[str, str]) -> Path:
    """A ruleset in a new *folder*, with its positions."""
    files = {"rules/game.lp": game, "encodings/play.lp": play}
    files |= {f"positions/{name}": text for name, text in positions.items()}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder
