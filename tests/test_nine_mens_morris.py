"""Nine men's morris, an example of a ruleset, against games of another program."""

from random import Random
from typing import Any

import pytest

from pymorph.dynamics import transitions
from pymorph.state.position import Position
from tests.conftest import EXAMPLES, position_of
from tests.tables import with_campaign

FOLDER = EXAMPLES / "rulesets" / "nine_mens_morris"
# The points as OpenSpiel numbers them: row by row, from the top.
ROWS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"
POINTS = ROWS.split()
SIDES = {"W": "white", "B": "black"}


def of_state(state: Any) -> Position:
    """The position of a state of OpenSpiel's, as its text has it."""
    board, _, rest = str(state).partition("Current player: ")
    signs = [sign for sign in board if sign in ".WB"]
    told = dict(line.split(": ", 1) for line in rest.splitlines() if ": " in line)
    hand = dict(zip(SIDES.values(), map(int, told["Men to deploy"].split()), strict=True))
    data = {
        "ruleset": str(FOLDER),
        "turn": SIDES[rest[0]],
        "men": {p: SIDES[sign] for p, sign in zip(POINTS, signs, strict=True) if sign in SIDES},
        "hand": {side: number for side, number in hand.items() if number},
        "due": int("Capture time" in rest),
    }
    return position_of({key: value for key, value in data.items() if value not in ({}, 0)})


def spelt(state: Any, action: int) -> str:
    """What is called ``Point 0`` there is a man placed on `a7`, or one removed from it."""
    side = ("white", "black")[state.current_player()]
    if action < len(POINTS):
        verb = "remove" if "Capture time" in str(state) else "place"
        return f"{verb}({side}, {POINTS[action]})"
    start, end = divmod(action - len(POINTS), len(POINTS))
    return f"move({side}, {POINTS[start]}, {POINTS[end]})"


@with_campaign("games", [1], [300])
def test_games_of_open_spiel(games: int) -> None:
    """Whatever comes up in games played at random, the same may be done, and it comes to the same.

    There a game is given up as drawn after so many turns, which is no rule of the game.
    """
    pyspiel = pytest.importorskip("pyspiel")
    for seed in range(games):
        source = Random(seed)
        state = pyspiel.load_game("nine_mens_morris").new_initial_state()
        states = [state]
        while not state.is_terminal():
            state = state.child(source.choice(state.legal_actions()))
            states.append(state)
        if not any(state.returns()):
            states.pop()
        positions = list(map(of_state, states))
        rows = [
            {str(action): position for action, position in row}
            for row in transitions.successors_of(positions)
        ]
        for at, row in zip(states, rows, strict=True):
            assert {spelt(at, action) for action in at.legal_actions()} == set(row)
        for number, (at, row) in enumerate(zip(states[1:], rows, strict=False)):
            action = spelt(states[number], at.history()[-1])
            assert row[action] == positions[number + 1]
