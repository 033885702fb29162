"""The rules for cards that a designer adds: figures that no card of the starter set has."""

from functools import partial
from pathlib import Path

from pymorph.adjudication import test_runner
from pymorph.adjudication.query_batcher import batched
from pymorph.asp.solver import Solver
from pymorph.errors import Fault
from pymorph.state.test_case import GoldenCase
from tests.morphyry import designing


def test_cases(tmp_path: Path) -> None:
    """The cases about each set of cards, judged together."""
    folder = designing.made(tmp_path / "designed", *designing.NAMES)
    cases = [(name, case) for name in designing.NAMES for case in designing.cases(name)]

    def run(case: GoldenCase, answers: Solver) -> list[Fault]:
        return [*test_runner.faults(case, designing.position(case, folder), answers)]

    results = [future.result() for future in batched(partial(run, case) for _, case in cases)]
    named = zip(cases, results, strict=True)
    assert [(name, case.id, faults) for (name, case), faults in named if faults] == []
