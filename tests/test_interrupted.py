"""Actions that a roll interrupts: all that plays goes on with the rest after it, like `apply`."""

import json
import pickle
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import pytest

import pymorph
from pymorph import InputError, Position, Record, Session
from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics.bits.compiled import CompiledLimits, CompiledScene
from pymorph.dynamics.bitsliced import BitSliced
from pymorph.dynamics.transitions import successors_of
from pymorph.explore.execution import application, replay
from pymorph.explore.perft.layers import BreadthFirst
from pymorph.terms import parse, text_of
from pymorph.verify.spaces.state_space import explored as all_explored
from tests.agreement import (
    Tally,
    compare,
    counted,
    counted_by_apply,
    explored,
    odds_by_successors,
    same_odds,
    successors_by,
)
from tests.conftest import EXAMPLES, position_of
from tests.dice import PLAY, WITHOUT_TIES, write_stall
from tests.tables import parametrized

FIRST = "proposed(throws(C, N), S, stall_01) :- holds(turn, C, S), member(many, N).\n"
ONCE = (  # all that there is to do is to throw three dice or one, once
    ("proposed(throw(C), S, stall_01)     :- holds(turn, C, S).\n", ""),
    ("proposed(duel(C), S, stall_04)      :- holds(turn, C, S).\n", ""),
    ("proposed(pass(C), S, stall_01)      :- holds(turn, C, S).\n", ""),
    (
        FIRST,
        "proposed(throws(C, 3), S, stall_01) :- holds(turn, C, S), not holds(points(C), _, S).\n",
    ),
    ("sets(coin(C), on, T, stall_03)         :- does(roll(_, C, 6), _, T).\n", ""),
)
DUELS = (
    ("unfolds(throws(C, 2), throw(C), throw(C), S)", "unfolds(throws(C, 2), duel(C), throw(C), S)"),
)
DEPTH = 3


def start_of(folder: Path, *changes: tuple[str, str], play: str = WITHOUT_TIES) -> Position:
    for old, new in changes:
        assert old in play
        play = play.replace(old, new)
    return Position.load(write_stall(folder / "stall", play) / "positions/start.yaml")


def after(position: Position, *actions: str) -> Position:
    """Where actions lead, rolls among them, by `successors_of`."""
    for action in actions:
        position = dict(successors_of([position])[0])[parse(action)]
    return position


def rolls(*pips: int, who: str = "anna") -> list[str]:
    return [f"roll(chance, {who}, {number})" for number in pips]


def left(position: Position) -> list[str]:
    return [text_of(action) for action in position.unfinished]


def points(position: Position) -> int | None:
    return position.value("points(anna)").number


def require_agreement(start: Position, most: int, alone: int) -> Tally:
    tally = Tally()
    compare(CompiledScene(start), explored(start, most), alone, tally)
    assert (tally.errors, tally.refused) == (0, 0)
    assert tally.interrupted
    return tally


# -- step by step ----------------------------------------------------------------------------------


def test_the_rest_follows_after_each_roll(tmp_path: Path) -> None:
    """Two rolls are followed by another throw; the third is the last, and Anna is free again."""
    start = start_of(tmp_path)
    assert left(after(start, "throws(anna, 3)")) == ["throws(anna, 2)"]
    assert left(after(start, "throws(anna, 3)", *rolls(2))) == ["throw(anna)"]
    third = after(start, "throws(anna, 3)", *rolls(2, 3))
    assert (left(third), third.value("dice(anna)")) == ([], 1)
    done = after(start, "throws(anna, 3)", *rolls(2, 3, 4))
    assert (points(done), done.value("dice(anna)")) == (9, 0)
    assert done == application.apply(start, "throws(anna, 3)", given=rolls(2, 3, 4)).position
    assert len(pymorph.legal_actions(done)) == len(pymorph.legal_actions(start))


def test_only_the_roll_may_be_made_meanwhile(tmp_path: Path) -> None:
    held = after(start_of(tmp_path), "throws(anna, 3)")
    assert [str(action) for action in pymorph.legal_actions(held)] == rolls(1, 2, 3, 4, 5, 6)
    with pytest.raises(pymorph.IllegalAction):
        application.apply(held, "throw(anna)")
    assert held == application.apply(held).position


def test_apply_goes_on_from_a_position(tmp_path: Path) -> None:
    """A roll may be given at once, later, or as an action: it makes no difference."""
    start = start_of(tmp_path)
    begun = application.apply(start, "throws(anna, 3)")
    assert begun.position == after(start, "throws(anna, 3)")
    assert [str(each) for each in begun.rest] == left(begun.position)
    whole = application.apply(start, "throws(anna, 3)", given=rolls(2, 3, 4))
    given = application.apply(begun.position, given=rolls(2, 3, 4))
    one_by_one = application.apply(begun.position, *rolls(2, 3, 4))
    at_once = application.apply(start, "throws(anna, 3)", *rolls(2, 3, 4))
    for outcome in (given, one_by_one, at_once):
        assert (outcome.position, outcome.rest, outcome.pending) == (whole.position, (), ())


def test_the_rest_is_left_where_a_roll_halts_it(tmp_path: Path) -> None:
    """Bo is bold: after a one nothing follows, after a two it does."""
    bo = after(start_of(tmp_path), "pass(anna)", "throws(bo, 3)")
    assert left(after(bo, *rolls(1, who="bo"))) == []
    assert left(after(bo, *rolls(2, who="bo"))) == ["throw(bo)"]


def test_the_rest_is_left_where_a_step_without_choice_follows(tmp_path: Path) -> None:
    """The stall closes with twenty points, and not with nineteen."""
    data = start_of(tmp_path).data() | {"players": {"anna": {"points": 16}, "bo": {}}}
    held = after(position_of(data), "throws(anna, 3)")
    assert left(after(held, *rolls(3))) == ["throw(anna)"]
    closed = after(held, *rolls(4))
    assert (left(closed), closed.value("winner")) == ([], "anna")


def test_it_waits_for_all_rolls_that_are_due(tmp_path: Path) -> None:
    """In a duel both roll, and what follows waits for the second roll."""
    start = start_of(tmp_path, *DUELS)
    held = after(start, "throws(anna, 2)", *rolls(2))
    assert left(held) == ["throw(anna)"]
    assert pymorph.legal_actions(held)[0].arguments[1] == "bo"
    second = after(held, *rolls(3, who="bo"))
    assert (left(second), second.value("dice(anna)")) == ([], 1)
    require_agreement(start, 80, 4)


def test_all_engines_agree(tmp_path: Path) -> None:
    for play in (WITHOUT_TIES, WITHOUT_TIES.replace("halts(T", "% halts(T")):
        tally = require_agreement(start_of(tmp_path / str(len(play)), play=play), 150, 12)
        assert tally.interrupted > 20


# -- counts, odds, games, plans --------------------------------------------------------------------


def test_counts(tmp_path: Path) -> None:
    """One by one, in processes and compiled, counts are those that `apply` leads to."""
    start = start_of(tmp_path)
    expected = counted_by_apply(start, DEPTH)
    assert list(pymorph.count(start, DEPTH).sequences) == expected
    assert list(pymorph.count(start, DEPTH, jobs=2).sequences) == expected
    assert counted(start, DEPTH + 1, True) == counted(start, DEPTH + 1, False)
    held = after(start, "throws(anna, 3)")
    assert list(pymorph.count(held, DEPTH).sequences) == counted_by_apply(held, DEPTH)
    assert counted(held, DEPTH, True) == counted(held, DEPTH, False)


def test_the_length_of_a_line(tmp_path: Path) -> None:
    """Three throws are an action and three rolls, one is an action and a roll; then all is done."""
    start = start_of(tmp_path, *ONCE)
    found = pymorph.count(start, 9)
    assert (found.sequences, found.complete) == ((2, 12, 36, 216), True)
    assert counted(start, 9, True) == counted(start, 9, False)


def test_processes_of_their_own(tmp_path: Path) -> None:
    """Where rules are not compiled, what is unfinished goes to other processes and back."""
    start = start_of(tmp_path)
    with patch.object(CompiledScene, "__init__", side_effect=Uncompiled("not now")):
        alone = pymorph.count(start, DEPTH, positions=True)
        with patch("pymorph.explore.perft.perft.SHARED_FROM", 2):
            shared = pymorph.count(start, DEPTH, positions=True, jobs=2)
    assert (alone.lengths, alone.positions) == (shared.lengths, shared.positions)


def test_odds(tmp_path: Path) -> None:
    start = start_of(tmp_path)
    held = after(start, "throws(anna, 2)")
    for position in (start, held, after(held, *rolls(6))):
        if not pymorph.legal(position).rolls:
            assert same_odds(position) == len(pymorph.legal_actions(position))
    whole = odds_by_successors(start, parse("throws(anna, 2)"))
    assert whole == {branch.position: branch.probability for branch in pymorph.odds(held).branches}


def test_games(tmp_path: Path) -> None:
    """Each game is one action and the rolls that it calls for, compiled or not."""
    start = start_of(tmp_path, *ONCE)
    compiled = pymorph.simulate(start, 40)
    with patch.object(CompiledScene, "__init__", side_effect=Uncompiled("not now")):
        one_by_one = pymorph.simulate(start, 40)
    assert (compiled.compiled, one_by_one.compiled) == (True, False)
    for found in (compiled, one_by_one):
        (_, single), (_, triple) = found.lengths
        assert found.lengths == ((2, single), (4, triple))
        taken = {use.name: use.taken for use in found.actions}
        assert taken == {"throw": single, "throws": triple, "roll": single + 3 * triple}
    held = pymorph.simulate(after(start, "throws(anna, 3)"), 10)
    assert held.lengths == ((3, 10),)


def test_plans(tmp_path: Path) -> None:
    """Three dice make three points at worst, in one decision, and eighteen at best."""
    start = start_of(tmp_path, *ONCE)
    for goal, chosen, worst in ((3, True, True), (4, True, False), (18, True, False)):
        claim = f"points(anna) >= {goal}"
        assert pymorph.plan(start, claim, "1").found is chosen
        assert pymorph.plan(start, claim, "1", by="anna").found is worst
    assert pymorph.plan(start, "points(anna) >= 19", "3").found is False
    line = pymorph.plan(start, "points(anna) = 18", "1")
    assert [str(action) for action in line.actions] == ["throws(anna, 3)", *rolls(6, 6, 6)]
    assert application.apply(start, *line.actions).position.value("points(anna)") == 18
    held = after(start, "throws(anna, 3)", *rolls(1))
    assert pymorph.plan(held, "points(anna) = 13", "1").found is True
    assert pymorph.plan(held, "points(anna) = 14", "1").found is False


def test_layers(tmp_path: Path) -> None:
    """Layer by layer on compiled rules and by `apply`, play comes to the same positions."""
    start = start_of(tmp_path)
    layers, seen, layer = BreadthFirst(BitSliced(CompiledScene(start)), [start]), {start}, {start}
    for depth in range(1, 4):
        assert layers.grow()
        reached = {
            application.apply(position, action).position
            for position in layer
            for action in pymorph.legal_actions(position)
        }
        layer = reached - seen
        seen |= layer
        assert {layers.position(depth, number) for number in range(layers.size)} == layer
    space = all_explored([start], len(seen))
    assert seen <= {*space.positions}


# -- played and written down -----------------------------------------------------------------------


def record_of(start: Position, *moves: Sequence[str]) -> Record:
    game = Session(start)
    for action, *given in moves:
        game.push(action, *given)
    return game.record


def test_a_game_that_is_played(tmp_path: Path) -> None:
    start = start_of(tmp_path)
    whole = application.apply(start, "throws(anna, 3)", given=rolls(2, 3, 4)).position
    lines = (
        [("throws(anna, 3)", *rolls(2, 3, 4))],
        [("throws(anna, 3)",), *((roll,) for roll in rolls(2, 3, 4))],
        [("throws(anna, 3)", *rolls(2)), ("roll(3)",), ("roll(4)",)],
    )
    for line in lines:
        record = record_of(start, *line)
        assert record.result == whole
        answer = replay.replay(record)
        assert (answer.good, answer.position) == (True, whole)


def test_a_game_goes_on_from_a_file(tmp_path: Path) -> None:
    """What is unfinished is in the file of the position, and a game that begins there goes on."""
    start = start_of(tmp_path)
    held = after(start, "throws(anna, 3)", *rolls(2))
    path = tmp_path / "held.yaml"
    path.write_text(held.yaml(tmp_path))
    assert "unfinished: [throw(anna)]\n" in path.read_text()
    assert Position.load(path) == held == Position.parse(held.line())
    assert pickle.loads(pickle.dumps(held)) == held
    game = Session(Position.load(path))
    game.push(rolls(3)[0])
    game.push(rolls(4)[0])
    assert (points(game.position), game.now.pending) == (9, ())
    game.pop()
    assert points(game.position) == 5


def test_what_is_unfinished_tells_positions_apart(tmp_path: Path) -> None:
    start = start_of(tmp_path)
    held, single = after(start, "throws(anna, 3)"), after(start, "throw(anna)")
    assert held.fluents == single.fluents
    assert held != single == held.with_unfinished(())
    assert len({held, single, after(start, "throws(anna, 2)")}) == 3
    rulings = held.with_changes({}), held.with_rulings({})
    assert {*rulings} == {held}
    assert pymorph.as_seen_by(held, "bo") == held


@parametrized
def test_faults_of_a_file(tmp_path: Path, told: str, message: str) -> None:
    line = start_of(tmp_path).line()
    with pytest.raises(InputError, match=message.replace("(", r"\(").replace(")", r"\)")):
        Position.parse(line.replace("turn: anna", f"unfinished: {told}, turn: anna"))


def test_nothing_is_unfinished_where_no_roll_is_due(tmp_path: Path) -> None:
    """A file says so, with its line; also in a record, and after the last roll."""
    start = start_of(tmp_path)
    held = after(start, "throws(anna, 3)")
    assert Position.load(held.line()) == held
    message = (
        r"no roll is due in this position, so none interrupted 'throws\(anna, 2\)'; "
        r"remove 'unfinished', or write the position in which the roll is due"
    )
    path = tmp_path / "start.yaml"
    path.write_text(start.yaml(tmp_path) + "unfinished: [throws(anna, 2)]\n")
    last = path.read_text().count("\n")
    with pytest.raises(InputError, match=rf"start.yaml:{last}:1: {message}"):
        Position.load(path)
    done = after(start, "throws(anna, 2)", *rolls(2, 3)).line()
    with pytest.raises(InputError, match=message):
        Position.parse(done.replace("turn: anna", "unfinished: [throws(anna, 2)], turn: anna"))
    inner = path.read_text().replace("\n", "\n  ")
    for text in (f"position:\n  {inner}\nplay: []\n", "position: start.yaml\nplay: []\n"):
        with pytest.raises(InputError, match=message):
            Record.parse(text, "game.yaml", tmp_path)
    game = record_of(held, (rolls(2)[0],), (rolls(3)[0],), (rolls(4)[0],))
    assert Record.parse(game.yaml(tmp_path), "game.yaml", tmp_path) == game


def test_a_ruling_beside_the_position_may_call_for_the_roll(tmp_path: Path) -> None:
    """mor_call_01: a record's own ruling decides whether a roll is due where it begins."""
    start = Position.load(EXAMPLES / f"{JAB}.yaml").with_rulings({"call_check": "roll_d10"})
    held = after(start, "advance(baganal, main, 5)")
    data = dict(held.data())
    rulings = data.pop("rulings")
    text = json.dumps({"position": data, "rulings": rulings, "play": []})
    assert Record.parse(text, "game.yaml", EXAMPLES).position == held
    with pytest.raises(InputError, match="no roll is due"):
        Record.parse(text.replace("roll_d10", "threshold_at_least"), "game.yaml", EXAMPLES)


# -- a game that ships -----------------------------------------------------------------------------

BLADES, JAB, BLOCK = "positions/blade_on_blade", "positions/jab_beside_kick", "duel/block"


@parametrized
def test_morphyry(
    name: str,
    rulings: dict[str, str],
    number: int,
    action: str,
    rest: str,
    outcomes: tuple[int, ...],
) -> None:
    """mor_tick_03: Speed spent on several ticks uncovers all of them, whatever is rolled between.

    Ticks that were interrupted were lost in counts: of jabs there were 988 sequences of length 3,
    of blocks 571.
    """
    start = Position.load(EXAMPLES / f"{name}.yaml").with_rulings(rulings)
    found = pymorph.count(start, 3).sequences
    assert (found[:2], found[2]) == ((*counted_by_apply(start, 2),), number)
    held = after(start, action)
    assert left(held) == [rest]
    for outcome in outcomes:
        held = dict(successors_of([held])[0])[pymorph.legal_actions(held)[outcome - 1]]
    _, part, ticks = parse(action).arguments
    fluent = f"ticks({parse(action).actor}, {part})"
    before, now = (position.value(fluent).number for position in (start, held))
    assert (now, left(held)) == ((before or 0) + int(str(ticks)), [])


# -- compiled --------------------------------------------------------------------------------------


def test_dynamics(tmp_path: Path) -> None:
    start = start_of(tmp_path)
    held = after(start, "throws(anna, 4)")
    positions = [start, held, after(held, *rolls(6)), after(held, *rolls(2, 3))]
    dynamics = pymorph.dynamics_of(start)
    assert successors_by(dynamics, positions) == pymorph.successors_of(positions)
    unheard = held.with_unfinished((parse("pass(anna)").symbol,) * 3)
    with pytest.raises(Uncompiled, match="a fluent has a value that is not in its sort"):
        dynamics.encode([unheard])
    assert points(after(unheard, *rolls(3))) == 3


def test_what_is_too_much_is_not_compiled(tmp_path: Path) -> None:
    start = start_of(tmp_path)
    with (
        patch("pymorph.dynamics.bits.compiled.LIMITS", CompiledLimits(unfinished=3)),
        pytest.raises(Uncompiled, match="a roll may interrupt too many actions"),
    ):
        CompiledScene(start)


def test_nothing_is_kept_where_no_roll_can_be_due(tmp_path: Path) -> None:
    """Keys of positions are as short as they were where there are no rolls, or no such actions."""
    rolling = CompiledScene(start_of(tmp_path / "rolling"))
    assert rolling.unfinished is not None
    still = "\n".join(line for line in PLAY.split("\n") if not line.startswith("unfolds"))
    whole = CompiledScene(start_of(tmp_path / "still", play=still))
    assert whole.unfinished is None
    dynamics = BitSliced(whole)
    assert dynamics.states(dynamics.encode([whole.start])).legal().legal
