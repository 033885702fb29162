"""A line of the table, the time of a call, and what all are compared with."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from clingo import Control, Symbol

from pymorph.state.position import Position

ROOT = Path(__file__).resolve().parent.parent

ROUNDS = 21


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the table: a ratio, the most it may be, and what it was made of."""

    name: str
    ratio: float
    most: float
    told: str

    @property
    def kept(self) -> bool:
        return self.ratio <= self.most


def median(call: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median time of a call in milliseconds, after two calls to warm up."""
    call(), call()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def grounded(position: Position, program: str, facts: Sequence[Symbol]) -> Control:
    """clingo itself, given a *program* and *facts* about a position, after grounding."""
    control = Control(["-t1", "--warn=none"])
    control.add("base", [], program)
    with control.backend() as backend:
        for fact in facts:
            backend.add_rule([backend.add_atom(fact)])
    control.ground([("base", [])], context=position.geometry)
    return control
