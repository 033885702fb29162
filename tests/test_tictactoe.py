"""A second, tiny game, used by its folder's path: the same verbs, and its numbers of games."""

from __future__ import annotations

from pathlib import Path

import pytest

from pymorph.errors import IllegalAction
from pymorph.queries import application, consistency, explanation, legality, transitions
from pymorph.state.position import Position
from tests import exactness
from tests.conftest import EXAMPLES

FOLDER = EXAMPLES / "rulesets" / "tictactoe"
START = FOLDER / "positions" / "start.yaml"


@pytest.mark.campaign
def test_numbers_of_action_sequences() -> None:
    """9, 72, 504, 3024, 15120 and on; 255168 complete games, 131184 won by x, 77904 by o."""
    ways = {Position.load(str(START)): 1}
    counts, complete = [], 0
    while ways:
        rows = transitions.successors_of(list(ways))
        following: dict[Position, int] = {}
        for (_, number), row in zip(ways.items(), rows, strict=True):
            complete += 0 if row else number
            for _, after in row:
                following[after] = following.get(after, 0) + number
        ways = following
        counts.append(sum(ways.values()))
    assert counts == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]
    assert complete == 255168


def test_ttt_01_in_turn() -> None:
    """ttt_01: the players alternate; the first to act is the one whose turn the file says."""
    position = Position.load(str(START))
    assert explanation.why(position, "put(o, b2)").reasons[0].rule.id == "ttt_01"
    after = application.apply(position, "put(x, b2)").position
    assert {action.actor for action in legality.legal_actions(after)} == {"o"}


def test_ttt_02_an_empty_square() -> None:
    """ttt_02: b2 is taken, a2 is not."""
    position = Position.load(str(FOLDER / "positions" / "fork.yaml"))
    with pytest.raises(IllegalAction, match="ttt_02"):
        application.apply(position, "put(o, b2)")
    assert explanation.why(position, "put(o, a2)").legal


def test_ttt_03_three_in_a_row_end_the_game() -> None:
    """ttt_03: two in a row do not, three do, and then nothing is legal, by that rule."""
    position = Position.load(str(FOLDER / "positions" / "fork.yaml"))
    one = application.apply(position, "put(o, a2)").position
    assert legality.legal_actions(one)
    won = application.apply(one, "put(x, c2)").position
    assert legality.legal_actions(won) == ()
    assert "ttt_03" in [reason.rule.id for reason in explanation.why(won, "put(o, b1)").reasons]


@pytest.mark.parametrize(
    ("turn", "cells", "flaws"),
    [("o", "{a1: x}", 0), ("x", "{a1: x}", 1), ("o", "{a1: x, b1: x}", 1), ("o", "{}", 0)],
)
def test_ttt_04_no_mark_too_many(turn: str, cells: str, flaws: int) -> None:
    """ttt_04: one mark ahead is the most, and then it is the other's turn."""
    text = f"{{ruleset: {FOLDER}, turn: {turn}, cells: {cells}}}"
    assert (
        len(consistency.check(Position.parse(text.replace(str(FOLDER), f'"{FOLDER}"'))).flaws)
        == flaws
    )


def test_reasons_are_exact() -> None:
    for path in (FOLDER / "positions").glob("*.yaml"):
        position = Position.load(str(path))
        assert not exactness.faults(position)


def test_the_folder_is_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    position = Position.load(str(START))
    assert Position.parse(position.line()) == position
