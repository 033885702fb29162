"""What sharing work out costs: a count in one process and in two, piece by piece."""

import resource
import statistics
import time

from benchmarks.results import ROOT, Result
from pymorph.explore.perft import counting
from pymorph.state.position import Position

START = ROOT / "examples" / "yard" / "start.yaml"  # whose rules are not compiled
DEPTH = 3  # 791 positions are looked at, and 6,314 come of them
ROUNDS = 3


def counted(jobs: int) -> tuple[float, float]:
    """The seconds by the clock, and those of all processors, that a count takes."""
    start, spent = time.perf_counter(), processors()
    found = counting.count(Position.load(START), DEPTH, positions=True, jobs=jobs)
    assert found.sequences == (50, 1437, 32466)
    return time.perf_counter() - start, processors() - spent


def processors() -> float:
    """The seconds of the processors that this process and those it started have taken."""
    rows = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(row.ru_utime + row.ru_stime for row in rows)


def sharing() -> list[Result]:
    """(j) A count in two processes against half of what it takes in one, in turn.

    By the processors it is what sharing costs; by the clock also what the machine has besides.
    """
    counted(1)
    rows = [(counted(1), counted(2)) for _ in range(ROUNDS)]
    results = []
    for at, name in enumerate(("jobs, clock", "jobs, cpu")):
        half = (2, 1)[at]
        ratio = statistics.median(half * two[at] / one[at] for one, two in rows)
        one, two = (statistics.median(row[n][at] for row in rows) for n in (0, 1))
        told = f"{one:.1f} s in one process, {two:.1f} s in two: {1 / ratio:.0%} of linear"
        results.append(Result(name, ratio, 1.25, told))
    return results
