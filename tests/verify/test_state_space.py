"""Lines of play from the starts: what they lead to, in which order, and by which actions."""

from __future__ import annotations

from pathlib import Path

import pytest

from pymorph.explore.execution import application
from pymorph.questions import consistency
from pymorph.ruleset import loader
from pymorph.state.position import Position
from pymorph.verify.scope import Scope
from pymorph.verify.spaces.state_space import Explored, explored
from tests.conftest import EXAMPLES

TICTACTOE = EXAMPLES / "rulesets" / "tictactoe"


def setting_of(game: Path | str) -> Scope:
    return Scope(loader.load(str(game)))


def replayed(found: Explored, start: Position, every: int = 1) -> None:
    """Each line of play leads from the start to the position that it is said to lead to."""
    for position in found.positions[::every]:
        line = found.line_to(position)
        assert line is not None
        assert application.apply(start, *line).position == position


def test_all_of_a_game(my_game: Path) -> None:
    """A heap of ten has 124 positions, with what was taken by whom and last."""
    setting = setting_of(my_game)
    found = explored(setting.starts)
    assert found.complete
    assert (found.looked, len(found.positions), len(found.ways)) == (124, 124, 229)
    assert found.line_to(setting.starts[0]) == ()
    assert not found.faults
    replayed(found, setting.starts[0])


def test_nearest_first(my_game: Path) -> None:
    found = explored(setting_of(my_game).starts)
    lengths = [len(found.ways_to(number)) for number in range(len(found.positions))]
    assert lengths == sorted(lengths)
    assert max(lengths) == 10 - 2 * 2  # so many moves lead to everything there is


def test_same_again(my_game: Path) -> None:
    setting = setting_of(my_game)
    first, second = explored(setting.starts), explored(setting.starts)
    assert first.positions == second.positions
    assert first.ways == second.ways


def test_bound() -> None:
    """The first positions are the same ones, whatever the bound."""
    setting = setting_of(TICTACTOE)
    few, more = explored(setting.starts, 10), explored(setting.starts, 40)
    assert (few.looked, few.complete) == (10, False)
    assert len(few.positions) == 1 + 9 + 9 * 8
    assert more.positions[: len(few.positions)] == few.positions
    assert not explored(setting.starts, 0).ways


def test_no_time() -> None:
    found = explored(setting_of(TICTACTOE).starts, seconds=0.0)
    assert (found.looked, len(found.positions)) == (0, 1)


def test_line() -> None:
    """Five marks that the start leads to, and the same with the other one to move."""
    fork = Position.load(TICTACTOE / "positions" / "fork.yaml")
    found = explored(setting_of(TICTACTOE).starts, 1100)
    line = found.line_to(fork)
    assert line is not None
    assert [action[:6] for action in line] == ["put(x,", "put(o,", "put(x,", "put(o,", "put(x,"]
    turned = fork.line().replace("turn: o", "turn: x")
    assert found.line_to(Position.load(turned)) is None


def test_rulings(my_game: Path) -> None:
    """A ruling that says what is read anyway makes no difference; another one does."""
    setting = setting_of(my_game)
    [start] = setting.starts
    found = explored(setting.starts)
    assert found.line_to(start.with_rulings({"same_again": "allowed"})) == ()
    assert found.line_to(start.with_rulings({"same_again": "barred"})) is None
    barred = Scope(setting.ruleset, rulings={"same_again": "barred"})
    assert explored(barred.starts).line_to(start.with_rulings({"same_again": "barred"})) == ()
    assert len(explored(barred.starts).positions) < len(found.positions)


def test_several_tables(my_game: Path) -> None:
    """Positions with other players are explored on their own."""
    [start] = setting_of(my_game).starts
    small = "{ruleset: ./my_game, turn: %s, heap: 1, players: {%s: {}, bo: {}}}"
    roots = [Position.load(small % (name, name)) for name in ("cem", "dora")]
    found = explored([start, *roots], 3)
    assert [found.line_to(root) for root in roots] == [(), ()]
    assert len(found.positions) == 3 + 3 + 1 + 1


def test_rolls(stall: Path) -> None:
    """A roll is a step of a line, in each way that it may come out."""
    start = Position.load(stall / "positions" / "start.yaml")
    found = explored([start], 40)
    six = application.apply(start, "throw(anna)", given=["roll(chance, anna, 6)"])
    assert found.line_to(six.position) == ("throw(anna)", "roll(chance, anna, 6)")
    names = {rolled: {w.action.name for w in found.ways if w.rolled == rolled} for rolled in (0, 1)}
    assert names == {0: {"throw", "throws", "duel", "pass"}, 1: {"roll", "flip"}}


@pytest.mark.campaign
def test_steps_without_choice_and_several_steps() -> None:
    """The start settles by itself; what an action is made of, and what follows, is one way."""
    setting = setting_of("morphyry")
    [start] = setting.starts
    assert consistency.check(start).consistent
    found = explored(setting.starts, 12)
    assert found.line_to(start) == found.line_to(application.apply(start).position) == ()
    replayed(found, start, 6)
