"""Statements that nothing makes fire: planted ones are found, and nothing else is."""

from __future__ import annotations

from pathlib import Path

from pymorph.ruleset import loader
from pymorph.verify.properties import coverage
from pymorph.verify.report import VIOLATED, WITHIN, Finding, PropertyResult
from pymorph.verify.runner import verify
from pymorph.verify.scope import Scope
from tests.tables import parametrized
from tests.verify.faults import PLAY, TICTACTOE, tictactoe, with_fault
from tests.verify.test_changes import game, narrowed, rewritten  # noqa: F401


def checked(setting: Scope) -> PropertyResult:
    [found] = verify(setting, properties=coverage.PROPERTIES, jobs=1).checked
    return found


def said(findings: tuple[Finding, ...]) -> list[str]:
    assert {finding.status for finding in findings} <= {VIOLATED}
    return [
        finding.says.removeprefix("no position makes this statement apply: ")
        for finding in findings
    ]


def test_the_template(my_game: Path) -> None:
    found = checked(Scope(loader.load(str(my_game))))
    assert (found.status, found.findings) == (WITHIN, ())


def test_tic_tac_toe() -> None:
    found = checked(Scope(loader.load(str(TICTACTOE))))
    assert (found.status, found.findings) == (WITHIN, ())


def test_a_rule_that_can_never_fire(my_game: Path) -> None:
    """More is taken at once than may be."""
    never = "happens(emptied(C), T, heap_03) :- does(take(C, N), _, T), most(M), N > M."
    found = checked(with_fault(my_game, "", never))
    assert found.status == VIOLATED
    assert said(found.findings) == [
        "happens(emptied(C),T,heap_03) :- does(take(C,N),_,T); most(M); N > M."
    ]
    [finding] = found.findings
    assert finding.subject == "heap_03"
    assert "play.lp:" in finding.place


def test_whatever_reads_it_is_dead_too(my_game: Path) -> None:
    both = "late(S) :- holds(heap, K, S), K < 0.\nover(S, heap_03) :- late(S)."
    found = checked(with_fault(my_game, "", both))
    assert said(found.findings) == [
        "late(S) :- holds(heap,K,S); K < 0.",
        "over(S,heap_03) :- late(S).",
    ]


def test_a_rule_of_a_position_that_there_is_not(tmp_path: Path) -> None:
    """It says of one mark that there are two in its square; a square holds one."""
    two = "ill_formed(cell, S, ttt_04) :- checking(S), holds(cell(P), x, S), holds(cell(P), o, S)."
    found = checked(with_fault(tictactoe(tmp_path), "", two))
    assert len(found.findings) == 1


def test_a_rule_that_fires_under_another_reading(my_game: Path) -> None:
    barred = "drawn(last(N), S, heap_02) :- holds(last, N, S), reading(same_again, barred, S)."
    setting = with_fault(my_game, "", barred.replace("drawn(last(N), S, heap_02)", "stale(N, S)"))
    rewritten(my_game, "", "entry(score(C), stale, N, S, heap_02) :- stale(N, S), present(C, S).")
    assert checked(Scope(loader.load(str(my_game)), setting.bounds)).findings == ()


@parametrized
def test_what_cases_and_records_show_is_not_dead(my_game: Path, file: str, text: str) -> None:
    """It fires on a heap that is larger than the bounds have them."""
    large = "happens(emptied(C), T, heap_03) :- does(take(C, 1), S, T), holds(heap, K, S), K > 50."
    setting = with_fault(my_game, "", large)
    (my_game / file).write_text(text, "utf-8")
    assert checked(Scope(loader.load(str(my_game)), setting.bounds)).findings == ()
    (my_game / file).unlink()
    assert len(checked(Scope(loader.load(str(my_game)), setting.bounds)).findings) == 1


def test_nothing_but_what_changed(game: Path) -> None:  # noqa: F811
    """Of an edited card it is looked whether it can be played; of a rule whether it fires."""
    rewritten(game, "", "worth(knave, 5).", "rules/game.lp")
    found = checked(narrowed(game, "rules/game.lp"))
    assert (found.looked, found.findings) == (1, ())
    rewritten(game, "", "over(S, heap_03) :- holds(heap, K, S), K < 0.")
    found = checked(narrowed(game, PLAY))
    assert (found.looked, len(found.findings)) == (1, 1)
