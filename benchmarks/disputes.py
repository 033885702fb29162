"""What verdicts cost, against `legal` of the same position and against a process for each case."""

import statistics
import subprocess
import sys
import time
from dataclasses import replace

from benchmarks.results import ROOT, Result, median
from pymorph.adjudication import adjudication
from pymorph.adjudication.case import Case
from pymorph.questions import legality

SUITE = sorted((ROOT / "tests" / "cases" / "morphyry").glob("*/*.yaml"), key=lambda path: path.name)
MOST = {0: 2.0, 1: 2.0, 2: 3.0, 3: 4.0}  # by how many questions a verdict depends on
SAMPLE = 12  # of the claims with so many
PROCESSES = 12  # cases that are judged in a process of their own


def verdicts() -> list[Result]:
    """A verdict on a claim about a position of the suite, by how many questions decide it."""
    ratios: dict[int, list[tuple[float, str]]] = {number: [] for number in MOST}
    for path in SUITE:
        case = Case.load(path)
        for number, stated in enumerate(case.claims):
            if stated.after or stated.claim.mode:
                continue
            alone = replace(case, claims=(stated,))
            deciding = len(adjudication.adjudicate(alone).claims[0].depends_on)
            found = ratios.get(deciding)
            if found is None or len(found) >= SAMPLE:
                continue
            plain = median(lambda at=case.position: legality.legal(at), 5)  # type: ignore[misc]
            judged = median(lambda one=alone: adjudication.adjudicate(one), 5)  # type: ignore[misc]
            found.append((judged / plain, f"{case.id}.{number + 1}"))
    results = []
    for deciding, rows in ratios.items():
        if rows:
            ratio = statistics.median(row[0] for row in rows)
            worst, name = max(rows)
            told = f"{len(rows)} claims; worst {worst:.2f} ({name})"
            results.append(Result(f"verdict, {deciding} questions", ratio, MOST[deciding], told))
    return results


def suite() -> Result:
    """The disputes in one process, against a process for each of some of them."""
    start = time.perf_counter()
    for path in SUITE:
        adjudication.adjudicate(Case.load(path))
    each = (time.perf_counter() - start) / len(SUITE)
    sample = SUITE[:: max(len(SUITE) // PROCESSES, 1)]
    start = time.perf_counter()
    for path in sample:
        command = [sys.executable, "-m", "pymorph", "adjudicate", str(path)]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    alone = (time.perf_counter() - start) / len(sample)
    told = f"{each * 1000:.0f} ms a case of {len(SUITE)}, {alone * 1000:.0f} ms in its own process"
    return Result("disputes", each / alone, 0.1, told)
