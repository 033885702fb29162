"""Compiled rules by their public door: what they say is what the others say."""

from __future__ import annotations

import random

import pytest

import pymorph
from pymorph import Position
from pymorph.dynamics.bits import compiled_table
from pymorph.dynamics.bits.compiled import CompiledScene
from tests.conftest import ROOT

RULESETS = ROOT / "examples" / "rulesets"


def start_of(game: str) -> Position:
    return Position.load(RULESETS / game / "positions" / "start.yaml")


def a_game(start: Position, seed: int, most: int) -> list[Position]:
    """The positions of a game in which all play at random."""
    source, found = random.Random(seed), [start]
    while len(found) < most:
        [after] = pymorph.successors_of(found[-1:])
        if not after:
            break
        found.append(source.choice(after)[1])
    return found


@pytest.mark.parametrize(
    ("game", "most"),
    [
        ("tictactoe", 10),
        ("connect_four", 12),
        pytest.param("breakthrough", 40, marks=pytest.mark.campaign),
        pytest.param("othello", 60, marks=pytest.mark.campaign),
        pytest.param("nine_mens_morris", 80, marks=pytest.mark.campaign),
    ],
)
def test_the_same_as_without(game: str, most: int) -> None:
    start = start_of(game)
    table = pymorph.compiled(start)
    positions = a_game(start, 1, most)
    assert table.legal(positions) == pymorph.legal_actions_of(positions)
    assert table.successors(positions) == pymorph.successors_of(positions)
    assert table.legal(positions[:1]) == (pymorph.legal_actions(start),)
    assert table.legal([]) == table.successors([]) == ()


def test_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    start = start_of("tictactoe")
    positions = a_game(start, 2, 8)
    monkeypatch.setattr(CompiledScene, "together", 3)
    table = compiled_table.CompiledTable(start)
    assert table.legal(positions) == pymorph.legal_actions_of(positions)
    assert table.successors(positions) == pymorph.successors_of(positions)


def test_what_cannot_be_compiled_says_why() -> None:
    with pytest.raises(pymorph.InputError) as error:
        pymorph.compiled(start_of("chess"))
    told = (
        r"the rules cannot be compiled: the fluent \w+ has too many values \(.*game\.lp:\d+:\d+\)"
    )
    error.match(told)


def test_a_position_of_another_table() -> None:
    table = pymorph.compiled(start_of("tictactoe"))
    with pytest.raises(pymorph.InputError):
        table.legal([start_of("connect_four")])
