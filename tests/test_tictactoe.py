"""A second, tiny game, used by its folder's path: the same verbs, and its numbers of games."""

from itertools import product
from pathlib import Path

import pytest
from clingo import Function

from pymorph.dynamics import transitions
from pymorph.errors import IllegalAction
from pymorph.explore.execution import application
from pymorph.questions import consistency, explanation, legality
from pymorph.state.position import Position
from tests.conftest import EXAMPLES
from tests.tables import parametrized, with_campaign

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


@parametrized
def test_ttt_04_no_mark_too_many(turn: str, cells: str, flaws: int) -> None:
    """ttt_04: one mark ahead is the most, and then it is the other's turn."""
    at = Position.parse(f'{{ruleset: "{FOLDER}", turn: {turn}, cells: {cells}}}')
    assert len(consistency.check(at).flaws) == flaws


@parametrized
def test_ttt_06_nobody_plays_on(turn: str, cells: str, flaws: int) -> None:
    """ttt_06: the winner does not have the turn, and one mark has closed all the rows of three."""
    at = Position.parse(f'{{ruleset: "{FOLDER}", turn: {turn}, cells: {cells}}}')
    assert [flaw.rules for flaw in consistency.check(at).flaws] == [("ttt_06",)] * flaws


SQUARES = tuple(column + row for row in "123" for column in "abc")
TURNS = tuple(
    tuple(3 * y + x for y in ys for x in xs) if flat else tuple(3 * y + x for x in xs for y in ys)
    for flat in (True, False)
    for xs in ((0, 1, 2), (2, 1, 0))
    for ys in ((0, 1, 2), (2, 1, 0))
)  # where each square goes, as the board is turned and mirrored
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def reached(first: str) -> set[str]:
    """All positions of games in which that player begins, in plain Python: marks, and the turn."""
    layer = found = {"." * 9 + first}
    while layer:
        layer = {
            at[:n] + at[9] + at[n + 1 : 9] + {"x": "o", "o": "x"}[at[9]]
            for at in layer
            if not any(at[i] == at[j] == at[k] != "." for i, j, k in ROWS)
            for n in range(9)
            if at[n] == "."
        }
        found = found | layer
    return found


@with_campaign("alike", [False], [True])
def test_all_positions_that_play_reaches(alike: bool) -> None:
    """The rules call exactly those consistent that play reaches: 5,478, whoever begins.

    Of positions that are *alike*, one by turning or mirroring the board, one is enough.
    """
    games = reached("x") | reached("o")
    assert len(games) == 2 * 5478
    every = [
        "".join(cells) + turn
        for cells in product(".xo", repeat=9)
        if alike or all(tuple(cells[n] for n in way) >= cells for way in TURNS)
        for turn in "xo"
    ]
    start, turn = Position.load(START), Function("turn")
    cells = [Function("cell", [Function(square)]) for square in SQUARES]
    positions = [
        start.with_changes(
            {cell: Function(mark) for cell, mark in zip(cells, at, strict=False) if mark != "."}
            | {turn: Function(at[9])}
        )
        for at in every
    ]
    for at, found in zip(every, consistency.check_of(positions), strict=True):
        assert found.consistent == (at in games), at


def test_the_folder_is_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    position = Position.load(str(START))
    assert Position.parse(position.line()) == position
