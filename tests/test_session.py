"""Values as a programmer meets them: a game that is pushed and popped, short reprs, comparisons."""

import re
from pathlib import Path

import pytest

import pymorph
from pymorph import Position, Record, Session
from pymorph.methods import Questions

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
    assert game.record.steps[0].action == "interrupt(baganal, main, hand, block_and_evade)"
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
    assert at_once.record == after.record


def test_from_a_record(cross: Position) -> None:
    first = Session(cross)
    first.push("interrupt(baganal, block_and_evade)")
    game = Session(first.record)
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


def test_a_branch_goes_on_by_itself() -> None:
    game = Session(pymorph.position("tictactoe"))
    game.push("put(x, b2)")
    branch = game.branch()
    branch.push("put(o, a1)")
    assert (len(game.steps), len(branch.steps)) == (1, 2)
    branch.undo(2)
    game.push("put(o, c3)")
    assert branch.redo(2) == ["put(x, b2)", "put(o, a1)"]
    assert game.position.value("cell(a1)") == "none"


def test_a_branch_is_not_written_to_the_file_of_its_game(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    game = Session(pymorph.position("tictactoe"))
    game.push("put(x, b2)")
    game.save(str(file))
    assert game.keeps(str(file))
    assert not game.branch().keeps(str(file))


def test_keys_are_those_of_the_position() -> None:
    one, other = (Session(pymorph.position("tictactoe")) for _ in range(2))
    for action in ("put(x, a1)", "put(o, b2)", "put(x, c3)"):
        one.push(action)
    for action in ("put(x, c3)", "put(o, b2)", "put(x, a1)"):
        other.push(action)
    assert one.key == other.key == one.position.key
    one.pop()
    assert one.key != other.key


def test_an_observation_has_what_a_player_knows() -> None:
    start = pymorph.Position.load("examples/positions/right_cross.yaml")
    seen = Session(start).observation("lathana")
    assert seen.position == pymorph.as_seen_by(start, "lathana") != start
    assert {action.actor for action in seen.legal_actions} <= {"lathana"}
    assert seen.waiting_for == ("baganal",)
    with pytest.raises(pymorph.UnknownName, match="did you mean 'lathana'"):
        Session(start).observation("latana")


EXPECTED = {
    "why takes a Term or str for action, not int (5)": lambda p: p.why(5),
    "apply takes a Term or str for actions, not list (['put(x, a1)'])": lambda p: p.apply(
        ["put(x, a1)"]
    ),
    "apply takes a Sequence for given, not str ('x')": lambda p: p.apply("put(x, a1)", given="x"),
    "count takes an int for depth, not str ('3')": lambda p: p.count("3"),
    "Session takes a Position or Record for start, not str ('tictactoe')": lambda p: Session(
        "tictactoe"
    ),
    "Session.push takes a Term or str for action, not int (4)": lambda p: Session(p).push(4),
    "legal_actions_of takes a Sequence for positions, not Position": pymorph.legal_actions_of,
    "Position.load takes a str or PathLike for path, not int (4)": lambda p: type(p).load(4),
}


@pytest.mark.parametrize("message", EXPECTED)
def test_another_type_is_refused_with_what_was_expected(message: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(message)}"):
        EXPECTED[message](pymorph.position("tictactoe"))


def test_methods_are_the_functions() -> None:
    start = pymorph.position("tictactoe")
    for name in vars(Questions):
        if not name.startswith("_"):
            assert getattr(pymorph.Position, name) is getattr(pymorph, name), name
    assert start.legal_actions() == pymorph.legal_actions(start)
    assert start.outcome() is None


def test_a_game_s_name_stands_for_its_start() -> None:
    assert pymorph.Position.load("chess") == pymorph.position("chess")
    assert pymorph.position("chess", "start") == pymorph.position("chess")
    with pytest.raises(pymorph.UnknownName, match="did you mean 'chess'"):
        pymorph.position("ches")
    with pytest.raises(pymorph.UnknownName, match="expected start"):
        pymorph.position("chess", "pinned")
