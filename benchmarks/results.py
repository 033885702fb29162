"""A line of the table, and the time of a call."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

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
