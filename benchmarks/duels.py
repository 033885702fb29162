"""Random games whose rules are not compiled: side by side against one after the other."""

import random
import time

from benchmarks.results import ROOT, Result
from pymorph.explore.execution.application import apply
from pymorph.explore.sampling.simulation import simulate
from pymorph.questions.legality import legal_actions
from pymorph.state.position import Position

START = ROOT / "examples" / "duel" / "start.yaml"
GAMES, ALONE = 1000, 5
ACTIONS = 20  # of a duel


def duels() -> list[Result]:
    """(l) An action of 1,000 random duels side by side, against one of duels that go alone."""
    start = Position.load(START)
    simulate(start, 2, most=2)
    begun = time.perf_counter()
    found = simulate(start, GAMES, most=ACTIONS)
    taken = sum(use.taken for use in found.actions)
    together = (time.perf_counter() - begun) / taken
    source, done, begun = random.Random(0), 0, time.perf_counter()
    for _ in range(ALONE):
        position = start
        for _ in range(ACTIONS):
            position = apply(position, source.choice(legal_actions(position))).position
            done += 1
    alone = (time.perf_counter() - begun) / done
    told = f"{together * 1000:.1f} ms an action of {taken:,}, {alone * 1000:.0f} ms alone"
    return [Result("duels", together / alone, 0.1, told)]
