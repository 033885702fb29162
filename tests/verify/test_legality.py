"""What is said of actions that are asked about: planted faults are found, and nothing else is."""

from __future__ import annotations

from pathlib import Path

from pymorph.questions import explanation
from pymorph.questions import legality as queries_legality
from pymorph.ruleset import loader
from pymorph.verify.properties import effects, legality
from pymorph.verify.report import PROVED, WITHIN, Finding
from pymorph.verify.runner import verify
from pymorph.verify.scope import Scope
from tests.verify.faults import TICTACTOE, at, found, tictactoe, with_fault

CLEAN: dict[str, list[Finding]] = {"incomplete": [], "redundant": [], "required": []}


def findings(setting: Scope, name: str = "take") -> dict[str, list[Finding]]:
    return found(legality.PROPERTIES, setting, name)


# Nothing is found where nothing is wrong


def test_the_template(my_game: Path) -> None:
    setting = Scope(loader.load(str(my_game)))
    assert findings(setting) == CLEAN
    # Numbers are cut off, so that nothing of it is proved.
    assert verify(setting, properties=legality.PROPERTIES).statuses == {WITHIN}


def test_tic_tac_toe_is_proved() -> None:
    known = (
        *legality.PROPERTIES,
        *effects.PROPERTIES,
    )  # what an action leads to counts for all of them
    report = verify(Scope(loader.load(str(TICTACTOE))), properties=known)
    assert {each.id: each.status for each in report.checked if each.id in CLEAN} == {
        "incomplete": PROVED,
        "redundant": WITHIN,
        "required": PROVED,
    }
    assert report.bound == "all positions"


# What is legal and not proposed


def test_a_proposal_that_is_missing(my_game: Path) -> None:
    setting = with_fault(my_game, "member(amount, N), N <= K.", "member(amount, N), N <= K, N < 3.")
    told = findings(setting)
    [finding] = told["incomplete"]
    assert finding.subject == "take"
    assert at(finding) == ("heap = 3, turn = anna", "take(anna, 3)")
    assert finding.witness is not None
    position, action = finding.witness.position, finding.witness.action
    assert explanation.why(position, action).legal
    assert action not in map(str, queries_legality.legal_actions(position))
    assert told["required"] == []


def test_a_proposal_that_is_missing_on_a_board(tmp_path: Path) -> None:
    """At the smallest there is: one square that nobody may mark."""
    setting = with_fault(
        tictactoe(tmp_path),
        "holds(turn, C, S), square(P), not",
        "holds(turn, C, S), square(P), P != c3, not",
    )
    [finding] = findings(setting, "put")["incomplete"]
    assert at(finding) == ("turn = o", "put(o, c3)")


# A prohibition that another covers


def test_a_prohibition_that_another_covers(my_game: Path) -> None:
    covered = "forbidden(take(C, N), S, heap_03) :- considered(take(C, N), S), most(M), N > M + 1."
    told = findings(with_fault(my_game, "", covered))
    assert [finding.subject for finding in told["redundant"]] == ["heap_03"]
    assert told["incomplete"] == told["required"] == []


def test_a_prohibition_that_counts_under_another_reading(my_game: Path) -> None:
    """It stands alone where the question is read otherwise, so it is of use."""
    barred = (
        "forbidden(take(C, 1), S, heap_03) :-"
        " considered(take(C, 1), S), reading(same_again, barred, S)."
    )
    assert findings(with_fault(my_game, "", barred))["redundant"] == []


# What is required


def test_required_and_forbidden(my_game: Path) -> None:
    nine = "required(take(C, 9), S, heap_01) :- holds(turn, C, S), holds(heap, 9, S)."
    [finding] = findings(with_fault(my_game, "", nine))["required"]
    assert finding.rules == ("heap_01", "heap_02")
    assert at(finding) == ("heap = 9, turn = anna", "take(anna, 9)")
    assert finding.witness is not None
    told = explanation.why(finding.witness.position, finding.witness.action)
    assert "heap_02" in {reason.rule.id for reason in told.reasons}


def test_two_things_required_at_once(my_game: Path) -> None:
    both = """
        required(take(C, 1), S, heap_01) :- holds(turn, C, S), holds(heap, 5, S).
        required(take(C, 2), S, heap_03) :- holds(turn, C, S), holds(heap, 5, S).
    """
    [finding] = findings(with_fault(my_game, "", both))["required"]
    assert finding.rules == ("heap_01", "heap_03")
    assert at(finding) == ("heap = 5, turn = anna", "take(anna, 1)")
    assert finding.witness is not None
    assert queries_legality.legal_actions(finding.witness.position) == ()
