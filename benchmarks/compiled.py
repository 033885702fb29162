"""Counts and random games on compiled rules, against OpenSpiel's games where that is installed.

OpenSpiel (`pip install open_spiel`) is driven from Python, as a designer would: its rules are
written in C++, ours are the data of the examples.
"""

import random
import time
from typing import Any

from benchmarks.results import ROOT, Result, median
from pymorph.dynamics.engine import dynamics_of
from pymorph.dynamics.transitions import successors_of
from pymorph.explore.perft import counting
from pymorph.explore.sampling import simulation
from pymorph.questions import legality
from pymorph.state.position import Position

EXAMPLES = ROOT / "examples" / "rulesets"
COUNTS = {  # by game and plies, what is published
    ("othello", 8): 390_216,
    ("connect_four", 8): 5_673_234,
    ("breakthrough", 5): 6_182_818,
    ("tictactoe", 9): 127_872,
    ("nine_mens_morris", 5): 5_100_480,
}
NAMES = {"tictactoe": "tic_tac_toe"}
GAMES = 1_000_000


def counted(state: Any, depth: int) -> int:
    """How many sequences of so many actions lead on from a state of OpenSpiel's."""
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(counted(state.child(action), depth - 1) for action in actions)


def played(game: Any, number: int) -> int:
    """How many actions random games of OpenSpiel's have."""
    actions = 0
    for _ in range(number):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            actions += 1
    return actions


def compiled() -> list[Result]:
    """(k) Counts with all that it takes to set them up, and the actions of random games."""
    try:
        import pyspiel  # type: ignore[import-not-found]
    except ImportError:
        print("compiled: open_spiel is not installed")
        return []
    results = []
    for (name, depth), published in COUNTS.items():
        start = Position.load(EXAMPLES / name / "positions" / "start.yaml")
        began = time.perf_counter()
        ours = counting.count(start, depth).sequences[-1]
        middle = time.perf_counter()
        theirs = counted(pyspiel.load_game(NAMES.get(name, name)).new_initial_state(), depth)
        end = time.perf_counter()
        assert ours == published, (name, ours)
        told = f"{middle - began:.2f} s against {end - middle:.2f} s"
        if theirs != ours:
            told += f", which counts {theirs}: not the same game"
        ratio = (middle - began) / (end - middle)
        results.append(Result(f"count {name} {depth}", ratio, 1.0, told))
    start = Position.load(EXAMPLES / "connect_four" / "positions" / "start.yaml")
    began = time.perf_counter()
    found = simulation.simulate(start, GAMES)
    actions = sum(use.taken for use in found.actions)
    middle = time.perf_counter()
    others = played(pyspiel.load_game("connect_four"), GAMES // 200)
    end = time.perf_counter()
    ours_each, theirs_each = (middle - began) / actions, (end - middle) / others
    told = f"{1 / ours_each:,.0f} actions a second against {1 / theirs_each:,.0f}"
    return [*results, Result("random games", ours_each / theirs_each, 0.1, told)]


def answers() -> list[Result]:
    """(m) What is legal in a position by rules compiled before, against `legal_actions`."""
    results = []
    for name in ("tictactoe", "connect_four", "breakthrough", "othello"):
        start = Position.load(EXAMPLES / name / "positions" / "start.yaml")
        dynamics = dynamics_of(start)
        after = [position for _, position in successors_of([start])[0]]
        rows = [dynamics.encode([position]) for position in after]
        for row, actions in zip(rows, legality.legal_actions_of(after), strict=True):
            numbers = {number for number, _ in dynamics.states(row).legal().legal}
            assert numbers == {dynamics.actions.number(a.symbol) for a in actions}
        ours = median(lambda d=dynamics, rows=rows: [d.states(row).legal() for row in rows])
        others = median(lambda after=after: [legality.legal_actions(p) for p in after])
        told = f"{ours / len(after):.2f} ms against {others / len(after):.2f} ms"
        results.append(Result(f"legal {name}", ours / others, 0.5, told))
    return results
