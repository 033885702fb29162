"""Actions that are made of others: as legal as the first of them, however they are asked about."""

from pathlib import Path

import pytest
from clingo import parse_term

from pymorph.dynamics.bits.compiled import CompiledScene
from pymorph.dynamics.transitions import successors_of
from pymorph.errors import IllegalAction, Unsettled
from pymorph.explore.execution.application import apply
from pymorph.questions.explanation import why
from pymorph.questions.legality import legal, legal_actions
from pymorph.state.position import Position
from tests.agreement import Tally, compare, explored
from tests.dice import WITHOUT_TIES, write_stall
from tests.tables import tables

STEADY = """
forbidden(throw(C), S, stall_06) :- considered(throw(C), S), holds(points(C), N, S), N >= 6.
"""
PROPOSED = "proposed(throw(C), S, stall_01)     :- holds(turn, C, S).\n"
STEP = """
sets(bold(C), on, T, stall_05) :- does(throw(C), S, T).
"""
DOUBT = """
unsettled(throw(C), coin(C), S, stall_03) :- considered(throw(C), S), holds(coin(C), hidden, S).
"""
LATER = tables(__name__)["later"]
MADE = [f"throws(anna, {number})" for number in (2, 3, 4)]


def start_of(folder: Path, play: str) -> Position:
    return Position.load(write_stall(folder / "stall", play) / "positions/start.yaml")


def names(position: Position) -> set[str]:
    return {str(action) for action in legal_actions(position)}


def require_agreement(start: Position, most: int, alone: int) -> None:
    """So many positions, so many of them alone, come to the same however they are asked about."""
    tally = Tally()
    compare(CompiledScene(start), explored(start, most), alone, tally)
    assert (tally.errors, tally.refused) == (0, 0)


def steps_of(start: Position, action: str) -> list[str]:
    """The steps that an action is, which lead where it leads in batches."""
    outcome = apply(start, action)
    after = {str(each): position for each, position in successors_of([start])[0]}
    assert after[action] == outcome.position
    return [str(step.action) for step in outcome.steps]


def test_it_is_forbidden_by_what_forbids_its_first_step(tmp_path: Path) -> None:
    start = start_of(tmp_path, WITHOUT_TIES + STEADY)
    given = ["roll(chance, anna, 6)", "flip(chance, anna, plain)"]
    six = apply(start, "throw(anna)", given=given).position
    assert set(MADE) <= names(start)
    assert names(six) == {"duel(anna)", "pass(anna)"}
    for action in MADE:
        with pytest.raises(IllegalAction) as refused:
            apply(six, action)
        assert refused.value.rules == ("stall_06",)
        assert [reason.rule.id for reason in why(six, action).reasons] == ["stall_06"]
    require_agreement(start, 60, 8)


def test_its_first_step_need_not_be_proposed(tmp_path: Path) -> None:
    assert PROPOSED in WITHOUT_TIES
    start = start_of(tmp_path, WITHOUT_TIES.replace(PROPOSED, "") + STEP)
    assert set(MADE) <= names(start)
    assert steps_of(start, MADE[0]) == ["throw(anna)"]
    require_agreement(start, 15, 4)


def test_a_later_step_that_nobody_proposes_is_asked_about(tmp_path: Path) -> None:
    play = WITHOUT_TIES
    for old, new in LATER:
        assert old in play
        play = play.replace(old, new)
    start = start_of(tmp_path, play)
    assert "pass(anna)" not in names(start)
    assert steps_of(start, MADE[0]) == ["duel(anna)", "pass(anna)"]
    require_agreement(start, 60, 8)


def test_it_hangs_on_what_its_first_step_hangs_on(tmp_path: Path) -> None:
    start = start_of(tmp_path, WITHOUT_TIES + DOUBT)
    hidden = start.with_changes({parse_term("coin(anna)"): parse_term("hidden")})
    answer = legal(hidden)
    assert set(MADE) <= {str(doubt.action) for doubt in answer.unsettled}
    assert not set(MADE) & {str(action) for action in answer.actions}
    with pytest.raises(Unsettled):
        apply(hidden, MADE[0])
