"""``python -m tools.mutants``: plant faults in a ruleset and tell which of them nothing notices."""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from pymorph.errors import PymorphError
from pymorph.verify.sources import location
from tests.conftest import ROOT
from tools.mutants import designed
from tools.mutants.index import Index
from tools.mutants.judging import (
    BY_ALL,
    EQUIVALENT,
    LEFT_OUT,
    MOST_TRIALS,
    STAGES,
    SURVIVES,
    TESTS,
    UNNOTICED,
    VERIFY,
    Verdict,
)
from tools.mutants.marks import WHOLE
from tools.mutants.operators import OPERATORS, Mutant, mutants
from tools.mutants.planting import Original
from tools.mutants.running import Progress, Report, verdicts

KEPT = ROOT / ".pytest_cache" / "mutants"
COLUMNS = ("made", LEFT_OUT, TESTS, VERIFY, EQUIVALENT, SURVIVES)
PAST = (SURVIVES, UNNOTICED)  # the tests
SHARE = 4  # of more statements than a fourth all are marked, and kept for the next campaign


def main(words: Sequence[str] | None = None) -> int:
    """Run a campaign, or tell of one. The exit code is 0 if nothing survives, 130 if stopped."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("--ruleset", default="morphyry")
    parser.add_argument("--sample", type=int, metavar="N", help="so many mutants, drawn by --seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", metavar="TEXT", help="those with TEXT in their names")
    parser.add_argument("--operator", choices=OPERATORS, action="append", help="those of this one")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-disputes", dest="disputes", action="store_false", help="cases only")
    parser.add_argument(
        "--until", choices=STAGES, default=BY_ALL, help="ask the tests and nothing else"
    )
    parser.add_argument(
        "--most", type=int, default=MOST_TRIALS, metavar="N", help="try no more cases (40)"
    )
    parser.add_argument("--report", type=Path, metavar="FILE", help="where the verdicts are kept")
    parser.add_argument("--idle", action="store_true", help="only list the rules no test has fire")
    parser.add_argument("--survivors", action="store_true", help="list what nothing noticed")
    given = parser.parse_args(words)
    if given.jobs < 1 or (given.sample or 0) < 0:
        print("--jobs is 1 or more, and --sample no less than 0", file=sys.stderr)
        return 2
    try:
        original = Original.of(given.ruleset)
    except PymorphError as error:
        print(error, file=sys.stderr)
        return 2
    if given.idle:
        rules = idle(original, given.jobs, given.disputes)
        print("\n".join(rules))
        return int(bool(rules))
    chosen = drawn(original, given.sample, given.seed, given.only, given.operator or OPERATORS)
    report = Report(given.report or KEPT / f"{original.ruleset.name}.jsonl", original.ruleset.hash)
    known = report.known()
    if given.until == BY_ALL:  # what only the tests were asked of is not known yet
        known = {name: said for name, said in known.items() if said.verdict != UNNOTICED}
    left = [mutant for mutant in chosen if mutant.name not in known]
    stopped = False
    try:
        if left:
            run(original, left, given, report, known)
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on", file=sys.stderr)
        stopped = True
    found = [known[mutant.name] for mutant in chosen if mutant.name in known]
    print(table(found))
    if given.survivors:
        print(survivors(found))
    return 130 if stopped else int(any(verdict.verdict in PAST for verdict in found))


def drawn(
    original: Original,
    sample: int | None,
    seed: int,
    only: str = "",
    operators: Collection[str] = OPERATORS,
) -> list[Mutant]:
    """The mutants of a ruleset, or as many of them by chance, the same ones for the same seed."""
    every = [
        mutant
        for mutant in mutants(original.sources, original.numbers)
        if only in mutant.name and mutant.operator in operators
    ]
    if sample is None or sample >= len(every):
        return every
    return random.Random(seed).sample(every, sample)


def run(
    original: Original,
    chosen: Sequence[Mutant],
    given: argparse.Namespace,
    report: Report,
    known: dict[str, Verdict],
) -> None:
    """Judge mutants, and keep the verdicts as they come."""
    marked = {mutant.number for mutant in chosen}
    marked.update(*(original.readers(mutant.number) for mutant in chosen))
    jobs, disputes = given.jobs, given.disputes
    whole = Index(original, KEPT, original.numbers, disputes)
    many = len(marked) > len(original.numbers) / SHARE
    index = (
        whole
        if many or whole.folder.exists()
        else Index(original, KEPT, tuple(sorted(marked)), disputes)
    )
    listed = Progress("trials", len(index.trials))
    index.build(jobs, listed.step)
    for name in index.unknown():
        print(f"{name} fails as it is, and is left out", file=sys.stderr)
    progress, counts = Progress("mutants", len(chosen)), Counter[str]()
    beside = designed.sets(original, KEPT, jobs)
    for verdict in verdicts(index, chosen, jobs, given.until, beside, given.most):
        report.add(verdict)
        known[verdict.mutant] = verdict
        counts[verdict.verdict] += 1
        progress.step(counts)


def idle(original: Original, jobs: int, disputes: bool) -> list[str]:
    """The rules that fire in no trial, of which none would notice the removal."""
    index = Index(original, KEPT, original.numbers, disputes)
    index.build(jobs, Progress("trials", len(index.trials)).step)
    fired = {n for touched in index.touched.values() for n, at in touched.marks if at == WHOLE}
    for cards in designed.sets(original, KEPT, jobs):
        at = {number: place for place, number in cards.at.items()}
        marks = {mark for touched in cards.touched.values() for mark in touched.marks}
        elsewhere = {at[n] for n, literal in marks if literal == WHOLE}
        fired |= {n for n in original.numbers if designed.place_of(original, n) in elsewhere}
    statements = original.sources.statements
    rules = (n for n in original.numbers if statements[n].kind == "rule")
    return [
        f"{location(statements[n].place)}: {statements[n].text}" for n in rules if n not in fired
    ]


def table(found: Collection[Verdict]) -> str:
    """What became of the mutants, by operator; the percentage is of those that differ.

    What nothing has noticed so far is counted with those that differ.
    """
    columns = COLUMNS
    if any(verdict.verdict == UNNOTICED for verdict in found):
        columns = (*COLUMNS, UNNOTICED)
    lines = [" ".join(["operator".ljust(9), *(c.rjust(10) for c in (*columns, "% caught"))])]
    for operator in (*OPERATORS, "all"):
        counts = Counter(v.verdict for v in found if operator in (v.operator, "all"))
        row = [sum(counts.values()), *(counts[word] for word in columns[1:])]
        caught = counts[TESTS] + counts[VERIFY]
        differing = caught + sum(counts[word] for word in PAST)
        percent = f"{100 * caught / differing:.1f}" if differing else "-"
        lines.append(
            " ".join([operator.ljust(9), *(str(cell).rjust(10) for cell in (*row, percent))])
        )
    return "\n".join(lines)


def survivors(found: Collection[Verdict]) -> str:
    """What nothing noticed, and how many trials it could have mattered to."""
    lines = []
    for verdict in sorted(found, key=lambda v: v.mutant):
        if verdict.verdict in PAST:
            lines.append(f"{verdict.mutant} ({verdict.reached} trials)")
            lines.append(f"    {verdict.text or 'removed'}")
            lines += [f"    {verdict.witness}"] if verdict.witness else []
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
