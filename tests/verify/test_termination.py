"""What can be repeated for ever is found, with the smallest loop; what costs something is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from pymorph.explore.execution import application
from pymorph.ruleset import loader
from pymorph.state.position import Position
from pymorph.verify.properties import termination
from pymorph.verify.report import UNKNOWN, VIOLATED, Finding, Piece
from pymorph.verify.scope import Scope
from tests.conftest import EXAMPLES
from tests.games import file_text

DISPUTE = "rules/disputes/same_again.yaml"
TICTACTOE = EXAMPLES / "rulesets" / "tictactoe"

HATS = file_text("heap/hats.lp")
PASSING = """
action(pass, (player,)).
proposed(pass(C), S, heap_01) :- holds(turn, C, S).
sets(turn, D, T, heap_01) :- does(pass(C), S, T), present(D, S), D != C.
"""
BLINKING = file_text("heap/blinking.lp")
COUNTERS = "measure(counters, N, S) :- holds(heap, N, S).\n"


def planted(game: Path, rules: str, file: str = "rules/planted.lp") -> Scope:
    """The ruleset in a folder, with some rules more."""
    (game / file).parent.mkdir(exist_ok=True)
    (game / file).write_text(rules, encoding="utf-8")
    return Scope(loader.load(str(game)))


def found_in(setting: Scope) -> Piece:
    return termination.check(setting)


def only(piece: Piece) -> Finding:
    [finding] = piece.findings
    return finding


def position_of(finding: Finding) -> Position:
    assert finding.witness is not None
    return finding.witness.position


def test_the_starter_has_none(my_game: Path) -> None:
    piece = found_in(Scope(loader.load(str(my_game))))
    assert not piece.findings
    assert (piece.looked, piece.subjects, piece.more) == (126, 230, False)
    assert piece.notes == (
        "every position that play reaches from start positions (124 positions)",
        "every position that play reaches from other positions (2 positions)",
    )


def test_tictactoe_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(termination, "EFFORT", termination.EFFORT._replace(endless_starts=200))
    piece = found_in(Scope(loader.load(str(TICTACTOE))))
    assert (piece.findings, piece.more) == ((), True)
    assert "up to 3 actions away" in piece.notes[0]


def test_an_action_that_changes_nothing(my_game: Path) -> None:
    rules = "action(wait, (player,)).\nproposed(wait(C), S, heap_01) :- holds(turn, C, S).\n"
    finding = only(found_in(planted(my_game, rules)))
    assert (finding.subject, finding.says) == ("wait", "wait(anna) changes nothing")
    assert (finding.rules, finding.status) == (("heap_01",), VIOLATED)
    assert finding.witness is not None
    assert (finding.witness.action, finding.witness.line) == ("wait(anna)", ())
    assert position_of(finding) == Position.load(my_game / "positions" / "start.yaml")


def test_there_and_back(my_game: Path) -> None:
    """The loop is the shortest one, in the smallest position, where it begins and ends."""
    finding = only(found_in(planted(my_game, HATS)))
    assert finding.subject == "doff, don"
    assert finding.says == "don(anna), doff(anna): back to the same position"
    position = position_of(finding)
    assert position == Position.load(my_game / "positions" / "start.yaml")
    assert application.apply(position, "don(anna)", "doff(anna)").position == position


def test_what_costs_something(my_game: Path) -> None:
    """The same actions, each for a counter, end with the heap."""
    price = "adds(heap, -1, hat, T, heap_01) :- does(don(_), _, T).\n"
    assert not found_in(planted(my_game, HATS + price)).findings


def test_each_set_of_actions_once(my_game: Path) -> None:
    """A loop that is made of two others is not told; each of those is."""
    rules = HATS + HATS.replace("hat", "coat").replace("don", "wear").replace("doff", "shed")
    piece = found_in(planted(my_game, rules))
    assert [finding.subject for finding in piece.findings] == ["doff, don", "shed, wear"]


def test_two_actors_without_periods(my_game: Path) -> None:
    """Where no period ends, what two do in turn is play, and not a loop of one of them."""
    (my_game / DISPUTE).unlink()  # with one player alone
    assert not found_in(planted(my_game, PASSING)).findings


def test_two_actors_in_one_period(my_game: Path) -> None:
    """Where periods end, nothing may come back before one has; whoever acts."""
    (my_game / DISPUTE).unlink()
    ends = "ends(T, round, heap_01) :- does(take(_, _), _, T).\n"
    piece = found_in(planted(my_game, PASSING + ends))
    finding = only(piece)
    assert finding.subject == "pass"
    assert finding.says == "pass(anna), pass(bo): back to the same position, no round ends"
    ends += "ends(T, round, heap_01) :- does(pass(bo), _, T).\n"
    assert not found_in(planted(my_game, PASSING + ends)).findings


def test_a_roll_on_the_way(stall: Path) -> None:
    """Who may ask for the coin again and again, and wins nothing with the plain side."""
    with (stall / "encodings" / "play.lp").open("a", encoding="utf-8") as file:
        file.write(
            "action(ask, (player,)).\n"
            "proposed(ask(C), S, stall_03) :- holds(turn, C, S).\n"
            "sets(coin(C), on, T, stall_03) :- does(ask(C), _, T).\n"
        )
    finding = only(found_in(Scope(loader.load(str(stall)))))
    assert finding.subject == "ask, flip"
    assert finding.says == "ask(anna), flip(chance, anna, plain): back to the same position"
    assert finding.status == VIOLATED


def test_steps_without_end(my_game: Path) -> None:
    """A step without choice that triggers itself."""
    finding = only(found_in(planted(my_game, BLINKING)))
    assert (finding.subject, finding.status) == ("take", VIOLATED)
    assert "take(anna, 3) does not finish: forced steps" in finding.says
    assert finding.witness is not None
    assert (finding.witness.action, finding.witness.line) == ("take(anna, 3)", ())


def test_a_start_without_end(my_game: Path) -> None:
    rules = BLINKING.replace("holds(last, 3, S)", "holds(heap, 10, S)")
    finding = only(found_in(planted(my_game, rules)))
    assert (finding.subject, finding.status) == ("settling", VIOLATED)
    assert finding.says.startswith("forced steps never end")


def test_a_roll_that_changes_nothing(stall: Path) -> None:
    """A coin that stays on the table is due again and again."""
    play = stall / "encodings" / "play.lp"
    rules = [r for r in play.read_text().splitlines() if not r.startswith("sets(coin(C), off")]
    play.write_text("\n".join(rules))
    finding = only(found_in(Scope(loader.load(str(stall)))))
    assert (finding.subject, finding.status) == ("flip", VIOLATED)
    assert finding.says.endswith("the roll flip(chance, anna, plain) changes nothing")
    assert finding.witness is not None
    assert finding.witness.line == ("duel(anna)", "roll(chance, anna, 6)")


def test_other_positions(my_game: Path) -> None:
    """What the starts do not lead to is looked at as well, but has no line of play."""
    rules = "action(wait, (player,)).\nproposed(wait(cem), S, heap_01) :- holds(turn, cem, S).\n"
    text = "ruleset: ..\nturn: cem\nheap: 5\nplayers: {cem: {}, bo: {}}\n"
    (my_game / "positions" / "later.yaml").write_text(text)
    (my_game / "positions" / "odd.yaml").write_text("heap: many\n")
    finding = only(found_in(planted(my_game, rules)))
    assert finding.says == "wait(cem) changes nothing"
    assert finding.witness is not None
    assert finding.witness.line is None
    assert position_of(finding) == Position.load(my_game / "positions" / "later.yaml")


def test_under_another_reading(my_game: Path) -> None:
    """A position that rules otherwise says so."""
    rules = (
        "action(wait, (player,)).\n"
        "proposed(wait(C), S, heap_01) :- holds(turn, C, S), reading(same_again, barred, S).\n"
    )
    setting = planted(my_game, rules)
    assert not found_in(setting).findings
    text = (my_game / "positions" / "start.yaml").read_text() + "rulings: {same_again: barred}\n"
    (my_game / "positions" / "house.yaml").write_text(text)
    finding = only(found_in(setting))
    assert finding.witness is not None
    assert finding.witness.choices == (("same_again", "barred"),)
    ruled = Scope(setting.ruleset, rulings={"same_again": "barred"})
    witness = only(found_in(ruled)).witness
    assert witness is not None
    assert (witness.choices, witness.line) == ((), ())


def test_no_start(my_game: Path) -> None:
    (my_game / "positions" / "start.yaml").unlink()
    piece = found_in(Scope(loader.load(str(my_game))))
    assert piece.notes[0] == "no line of play: there are no start positions"
    assert piece.looked == 2


def test_a_measure_that_falls(my_game: Path) -> None:
    piece = found_in(planted(my_game, COUNTERS, "rules/properties/measures.lp"))
    assert not piece.findings
    assert piece.notes[2] == "measures, in this order: counters"


def test_measures_in_order(my_game: Path) -> None:
    """A later measure may rise where an earlier one falls; not the other way round."""
    rules = COUNTERS + (
        "measure(taken, N, S) :- situation(S), N = #sum { K, C : holds(taken(C), K, S) }.\n"
    )
    piece = found_in(planted(my_game, rules))
    assert not piece.findings
    assert piece.notes[2] == "measures, in this order: counters, taken"
    finding = only(found_in(planted(my_game, rules.replace("taken, N", "already, N"))))
    assert finding.subject == "take"
    assert finding.says == (
        "take(anna, 1) ends no period and raises already from 0 to 1 before it lowers any measure"
    )
    assert finding.witness is not None
    assert (finding.witness.action, finding.witness.line) == ("take(anna, 1)", ())


def test_a_measure_that_stays(my_game: Path) -> None:
    """An action that no measure speaks of, though it is in no loop."""
    rules = (
        "fluent(waited, (player,), counters, 0).\naction(wait, (player,)).\n"
        "proposed(wait(C), S, heap_01) :- holds(turn, C, S), not holds(waited(C), _, S).\n"
        "forbidden(wait(C), S, heap_01) :- considered(wait(C), S), holds(waited(C), _, S).\n"
        "adds(waited(C), 1, wait, T, heap_01) :- does(wait(C), _, T).\n"
    )
    finding = only(found_in(planted(my_game, rules + COUNTERS)))
    assert finding.says == "wait(anna) ends no period and lowers no measure"
    assert finding.status == VIOLATED


def test_a_measure_and_a_loop(my_game: Path) -> None:
    """What goes round in a loop is told once."""
    piece = found_in(planted(my_game, HATS + COUNTERS))
    assert [finding.subject for finding in piece.findings] == ["doff, don"]


def test_not_confirmed(my_game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop that step by step is none is not reported as one."""
    start = Position.load(my_game / "positions" / "start.yaml")
    elsewhere = application.apply(start, "take(1)")
    monkeypatch.setattr(termination, "apply", lambda *_: elsewhere)
    finding = only(found_in(planted(my_game, HATS)))
    assert finding.status == UNKNOWN
    assert finding.says.endswith("played step by step, the result differs")
