"""What verifying one action costs, and how that grows with each bound.

`python -m benchmarks.verify` measures each bound on its own, every time in a fresh process, prints
the table of the README and draws docs/growth.svg. `python -m benchmarks verify` compares the usual
bounds with plain clingo.
"""

import json
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from clingo import Control, Symbol

from benchmarks.results import Result
from pymorph.asp import grounding, open_program
from pymorph.board.geometry import Geometry
from pymorph.errors import OutOfTime
from pymorph.ruleset import loader
from pymorph.verify.properties import effects, legality
from pymorph.verify.scope import Bounds, Scope
from pymorph.verify.spaces.domain import Domain

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "growth.svg"
GAME = "morphyry"
LIMIT = 30  # seconds of the processor for one measurement
STUDIES = {"deploy": legality.study, "begin": effects.study}  # asked about; carried out
USUAL = Bounds.of(loader.load(GAME))
GROWING: dict[str, tuple[Any, ...]] = {
    "characters": (1, 2, 3),
    "board": ((2, 2), (3, 3), (4, 4), (5, 5)),
    "cards": (2, 4, 8, 16, 0),
    "copies": (1, 2),
    "numbers": (6, 12, 20),
}
Row = dict[str, float]
Program = tuple[str, Sequence[Symbol], Geometry | None]


def studied(action: str, bounds: Bounds) -> Row:
    """What studying one action costs in this process, and plain clingo on the same programs.

    Seconds are those of the processor; "positions" is how many there are, as a power of ten.
    """
    setting = Scope(loader.load(GAME), bounds)
    vars(setting)["starts"] = ()  # the board of one would be looked at, however large it may be
    list(setting.sources.parts)  # reading a ruleset is no part of it
    programs: list[Program] = []
    grounded = grounding.grounded

    def kept(program: str, facts: Iterable[Symbol], geometry: Any, *more: Any) -> Control:
        programs.append((program, list(facts), geometry))
        return grounded(program, programs[-1][1], geometry, *more)

    start = time.process_time()
    with patch.object(open_program, "grounded", kept):
        STUDIES[action](setting, action)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.process_time()
    for program in programs:
        plain(*program)
    return {
        "seconds": seconds,
        "megabytes": peak,
        "plain": time.process_time() - start,
        "positions": Domain.of(setting).size,
    }


def plain(program: str, facts: Iterable[Symbol], geometry: Geometry | None) -> None:
    """Ground a program by plain clingo, and find one answer set."""
    control = Control(["-t1", "--warn=none"])
    control.add("base", [], program)
    with control.backend() as backend:
        for fact in facts:
            backend.add_rule([backend.add_atom(fact)])
    control.ground([("base", [])], context=geometry)
    control.configuration.solve.opt_mode = "ignore"  # type: ignore[union-attr]
    with control.solve(yield_=True) as handle:
        assert handle.model() is not None


def measured(action: str, bounds: Bounds) -> Row | None:
    """The same in a process of its own; None, if it takes too long, or is not settled."""
    words = [action, json.dumps({name: getattr(bounds, name) for name in GROWING})]
    command = [sys.executable, "-m", "benchmarks.verify", *words]
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if run.returncode == -signal.SIGXCPU:
        return None
    run.check_returncode()
    row: Row | None = json.loads(run.stdout)
    return row


def verifying() -> list[Result]:
    """(i) Studying an action within the usual bounds, against plain clingo on the same program."""
    results = []
    for action in STUDIES:
        row = measured(action, USUAL)
        assert row is not None, f"{action} took more than {LIMIT} s"
        told = f"{row['seconds']:.1f} s, 10^{row['positions']:.0f} positions"
        results.append(Result(f"verify {action}", row["seconds"] / row["plain"], 8, told))
    return results


# -- growth ----------------------------------------------------------------------------------------


def growth() -> Iterator[tuple[str, Any, dict[str, Row | None]]]:
    """What each study costs, with one bound after the other at each of its values."""
    usual: dict[str, Row | None] = {action: measured(action, USUAL) for action in STUDIES}
    for name, values in GROWING.items():
        for value in values:
            bounds = replace(USUAL, **{name: value})
            yield (
                name,
                value,
                usual
                if bounds == USUAL
                else {action: measured(action, bounds) for action in STUDIES},
            )


def label(value: Any) -> str:
    """A value of a bound, as the command line has it."""
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value or "all")


def table(found: Sequence[tuple[str, Any, dict[str, Row | None]]]) -> str:
    """What was measured, in Markdown."""
    heads = [f"`{action}`: s | MB | to plain clingo" for action in STUDIES]
    lines = [f"| bound | | {' | '.join(heads)} |", "|---|" + "---|" * (1 + 3 * len(STUDIES))]
    for name, value, rows in found:
        usual = " (usual)" * (value == getattr(USUAL, name))
        cells = [cell for row in rows.values() for cell in _cells(row)]
        lines.append(f"| {name} | {label(value)}{usual} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cells(row: Row | None) -> tuple[str, str, str]:
    if row is None:
        return "not settled", "", ""
    ratio = row["seconds"] / row["plain"]
    return f"{row['seconds']:.1f}", f"{row['megabytes']:.0f}", f"{ratio:.1f}"


def main(words: Sequence[str]) -> None:
    """Measure one study, if it is named with bounds; otherwise how all of them grow."""
    if words:
        sizes: dict[str, Any] = json.loads(words[1])
        sizes["board"] = tuple(sizes["board"])
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, resource.RLIM_INFINITY))
        try:
            print(json.dumps(studied(words[0], Bounds(**sizes))))
        except OutOfTime:
            print(json.dumps(None))
        return
    from benchmarks.drawing import picture

    found = []
    for name, value, rows in growth():
        found.append((name, value, rows))
        times = (f"{row['seconds']:.1f} s" if row else "too long" for row in rows.values())
        print(f"{name} {label(value)}: {', '.join(times)}", file=sys.stderr, flush=True)
    print(table(found))
    points = {
        name: {
            action: [
                (label(value), rows[action]["seconds"] if rows[action] else None)  # type: ignore[index]
                for of, value, rows in found
                if of == name
            ]
            for action in STUDIES
        }
        for name in GROWING
    }
    PICTURE.write_text(picture(points), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
