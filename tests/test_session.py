"""Values as a programmer meets them: a game that is pushed and popped, short reprs, comparisons."""

from pathlib import Path

import pytest

import pymorph
from pymorph import Position, Record, Session

PROJECT = Path(__file__).parent.parent
CROSS = PROJECT / "examples/positions/right_cross.yaml"
BLOW = PROJECT / "examples/positions/spear_against_mail.yaml"
DUEL = PROJECT / "examples/duel/duel.yaml"


@pytest.fixture
def cross() -> Position:
    return Position.load(str(CROSS))


def test_push_and_pop(cross: Position) -> None:
    game = Session(cross)
    assert game.legal_actions == pymorph.legal_actions(cross)
    assert (game.turn, game.is_over) == (("baganal",), False)
    outcome = game.push("interrupt(baganal, block_and_evade)")
    assert game.position == outcome.position != cross
    assert game.legal_actions == pymorph.legal_actions(outcome.position)
    assert game.record().steps[0].action == "interrupt(baganal, main, hand, block_and_evade)"
    assert game.pop() == "interrupt(baganal, main, hand, block_and_evade)"
    assert game.position == cross
    with pytest.raises(IndexError):
        game.pop()


def test_what_is_not_legal_changes_nothing(cross: Position) -> None:
    game = Session(cross)
    with pytest.raises(pymorph.IllegalAction, match="mor_tick_03"):
        game.push("advance(baganal, 3)")
    assert game.position == cross
    assert game.why("advance(baganal, 3)").legal is False
    assert game.forecast("inertia")["inertia(baganal)"] == 7


def test_a_roll_is_pushed_with_its_action_or_after_it() -> None:
    roll = "roll_breakage(chance, baganal, leather_jerkin, 8)"
    at_once, after = Session(Position.load(str(BLOW))), Session(Position.load(str(BLOW)))
    at_once.push("advance(lathana, 3)", roll)
    after.push("advance(lathana, 3)")
    assert after.now.pending
    after.push(roll)
    assert at_once.position == after.position
    assert at_once.record() == after.record()


def test_from_a_record(cross: Position) -> None:
    first = Session(cross)
    first.push("interrupt(baganal, block_and_evade)")
    game = Session(first.record())
    assert game.position == first.position
    assert game.pop() == "interrupt(baganal, main, hand, block_and_evade)"
    assert game.position == cross


def test_values_compare_with_what_python_has(cross: Position) -> None:
    turn, die = cross.value("turn"), cross.value("die(baganal, main)")
    assert turn == "baganal"
    assert turn in {"baganal"}
    assert turn != "lathana"
    assert (die == 0, die < 1, die == "0", die in {0}) == (True, True, False, True)
    assert "invoke(baganal)" in pymorph.legal_actions(cross)
    with pytest.raises(TypeError):
        turn < 3  # noqa: B015


def test_a_forecast_is_a_mapping(cross: Position) -> None:
    found = pymorph.forecast(cross)
    assert dict(found)["inertia(baganal)"] == found["inertia(baganal)"] == 7
    assert len(found) == len(found.figures) == len(list(found.items()))
    assert found.get("inertia(nobody)") is None


def test_reprs_are_one_short_line(cross: Position) -> None:
    record = Record.load(str(DUEL))
    values: list[object] = [
        cross,
        cross.ruleset,
        record,
        pymorph.legal(cross),
        pymorph.why(cross, "advance(baganal, 3)"),
        pymorph.forecast(cross),
        pymorph.apply(cross, "invoke(baganal)"),
        pymorph.check(cross),
        pymorph.replay(record, to=1),
        pymorph.Case.load(str(PROJECT / "examples/disputes/in_time.yaml")),
    ]
    for value in values:
        assert len(repr(value)) <= 120
        assert "\n" not in repr(value)


@pytest.mark.parametrize("name", ["legal", "legal_actions", "check", "forecast", "rolls_due"])
def test_a_path_is_no_position(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name} takes a Position, not str; load one"):
        getattr(pymorph, name)(str(CROSS))


def test_a_game_that_waits_for_an_entry_is_not_over() -> None:
    start = PROJECT / "rules/phases_of_play/positions/start.yaml"
    game = Session(Position.load(str(start)))
    assert game.legal_actions == ()
    assert [each.form.name for each in game.legality.awaited] == ["initiative"] * 4
    assert not game.is_over
    game.push("objective(master)")
    assert game.legality.over
    assert game.is_over
