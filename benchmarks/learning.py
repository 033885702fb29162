"""Random games of learning environments, against OpenSpiel's own games."""

import random
import time
from typing import Any

from benchmarks.results import Result

GAMES = (  # ours, theirs, how many games, and how many times as long ours may take
    ("tictactoe", "python_tic_tac_toe", 1000, 2.0),
    ("connect_four", "connect_four", 50, 500.0),
)


def played(game: Any, number: int) -> float:
    """How long an action of random games takes, in seconds of the processor."""
    source, actions = random.Random(number), 0
    began = time.process_time()
    for _ in range(number):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(source.choice(state.legal_actions()))
            actions += 1
    return (time.process_time() - began) / actions


def learning() -> list[Result]:
    """(n) Actions of games from the start: against a game in Python, whose states are few, and
    against one in C++, whose states are new in every game."""
    try:
        import pyspiel  # type: ignore[import-not-found]
        from open_spiel.python.games import tic_tac_toe  # type: ignore[import-not-found]

        from pymorph.adapters import open_spiel
    except ImportError:
        print("learning: open_spiel is not installed")
        return []
    assert tic_tac_toe  # which registers itself
    results = []
    for name, other, number, most in GAMES:
        began = time.process_time()
        game = open_spiel.game(name)
        set_up = time.process_time() - began
        ours, theirs = played(game, number), played(pyspiel.load_game(other), number)
        told = f"{1 / ours:,.0f} actions a second against {1 / theirs:,.0f}, after {set_up:.2f} s"
        results.append(Result(f"learning {name}", ours / theirs, most, told))
    return results
