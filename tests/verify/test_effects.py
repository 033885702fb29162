"""What comes of actions that are carried out: planted faults are found, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from pymorph.errors import RulesetError
from pymorph.explore.execution import application
from pymorph.questions import consistency
from pymorph.ruleset import loader
from pymorph.verify.properties import effects
from pymorph.verify.report import PROVED, WITHIN, Finding
from pymorph.verify.runner import verify
from pymorph.verify.scope import Scope
from tests.verify.faults import TICTACTOE, at, found, tictactoe, with_fault


def findings(setting: Scope, name: str = "take") -> dict[str, list[Finding]]:
    return found(effects.PROPERTIES, setting, name)


# Nothing is found where nothing is wrong


def test_the_template(my_game: Path) -> None:
    setting = Scope(loader.load(str(my_game)))
    assert findings(setting) == {"conflict": [], "kept": []}
    # Numbers are cut off, so that nothing of it is proved.
    assert verify(setting, properties=effects.PROPERTIES).statuses == {WITHIN}


def test_tic_tac_toe_is_proved() -> None:
    report = verify(Scope(loader.load(str(TICTACTOE))), properties=effects.PROPERTIES)
    assert report.statuses == {PROVED}
    assert {each.bound for each in report.checked} == {"all positions"}


# Two values


def test_two_values_for_a_fluent(my_game: Path) -> None:
    seven = "sets(heap, 7, T, heap_03) :- does(take(_, 2), S, T), holds(heap, 5, S)."
    told = findings(with_fault(my_game, "", seven))
    [finding] = told["conflict"]
    assert set(finding.rules) == {"heap_02", "heap_03"}
    assert at(finding) == ("heap = 5, turn = anna", "take(anna, 2)")
    assert finding.witness is not None
    with pytest.raises(RulesetError):
        application.apply(finding.witness.position, finding.witness.action)


def test_a_value_and_none(tmp_path: Path) -> None:
    """A mark is put into a square, and the square is cleared."""
    cleared = "clears(cell(c3), T, ttt_03) :- does(put(_, c3), _, T)."
    [finding] = findings(with_fault(tictactoe(tmp_path), "", cleared), "put")["conflict"]
    assert at(finding) == ("turn = o", "put(o, c3)")


# Where it leads


def test_an_action_that_leads_to_no_position(my_game: Path) -> None:
    one = "ill_formed(heap, S, heap_03) :- checking(S), holds(heap, 1, S)."
    told = findings(with_fault(my_game, "", one))
    [finding] = told["kept"]
    assert finding.rules == ("heap_03",)
    assert at(finding) == ("heap = 2, turn = anna", "take(anna, 1)")
    assert told["conflict"] == []
    assert finding.witness is not None
    after = application.apply(finding.witness.position, finding.witness.action).position
    assert [flaw.rules for flaw in consistency.check(after).flaws] == [("heap_03",)]


def test_a_value_outside_its_sort(my_game: Path) -> None:
    """Without the rule that there have to be so many counters, a heap falls below 0."""
    judged = "forbidden(take(C, N), S, heap_02) :- considered(take(C, N), S)"
    rule = f"{judged}, holds(heap, K, S), N > K."
    [finding] = findings(with_fault(my_game, rule, ""))["kept"]
    assert finding.subject == "heap"
    position, action = at(finding)
    assert position == "heap = 1, turn = anna"
    assert action in ("take(anna, 2)", "take(anna, 3)")


def test_turns_that_are_not_passed_on(tmp_path: Path) -> None:
    """Who has put a mark has the turn still: then neither is behind, or has just won."""
    rule = "sets(turn, D, T, ttt_01) :- does(put(C, _), _, T), other(C, D)."
    finding, won = findings(with_fault(tictactoe(tmp_path), rule, ""), "put")["kept"]
    assert finding.rules == ("ttt_04",)
    assert at(finding)[0] == "turn = o"
    assert won.rules == ("ttt_06",)


# Whether play leads there


def lines(setting: Scope) -> list[tuple[str, ...] | None]:
    report = verify(setting, properties=effects.PROPERTIES)
    found = [f.witness for each in report.checked for f in each.findings]
    return [witness.line for witness in found if witness is not None]


def test_a_witness_that_play_leads_to(tmp_path: Path) -> None:
    """The line of play is one, and ends in the witness."""
    twice = "sets(turn, o, T, ttt_03) :- does(put(o, _), S, T), holds(cell(a1), x, S)."
    setting = with_fault(tictactoe(tmp_path), "", twice)
    report = verify(setting, properties=effects.PROPERTIES)
    [witness] = {f.witness for each in report.checked for f in each.findings}
    assert witness is not None
    assert witness.line == ("put(x, a1)",)
    [start] = setting.starts
    assert application.apply(start, *witness.line).position.fluents == witness.position.fluents


def test_a_witness_that_is_a_start(my_game: Path) -> None:
    seven = "sets(heap, 7, T, heap_03) :- does(take(_, 2), S, T), holds(heap, 10, S)."
    assert lines(with_fault(my_game, "", seven)) == [()]


def test_a_witness_that_play_does_not_lead_to(my_game: Path) -> None:
    """There are eleven counters, and play begins with ten."""
    seven = "sets(heap, 7, T, heap_03) :- does(take(_, 2), S, T), holds(heap, 11, S)."
    assert lines(with_fault(my_game, "", seven)) == [None]


def test_no_line_without_a_start(my_game: Path) -> None:
    seven = "sets(heap, 7, T, heap_03) :- does(take(_, 2), S, T), holds(heap, 10, S)."
    (my_game / "positions" / "start.yaml").rename(my_game / "positions" / "first.yaml")
    assert lines(with_fault(my_game, "", seven)) == [None]
