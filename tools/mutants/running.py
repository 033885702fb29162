"""A campaign: many mutants judged by workers that may be killed, each verdict kept as it comes."""

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from pymorph.errors import OutOfTime
from pymorph.runtime.executor import Died, Workers
from pymorph.runtime.limits import machine
from tools.mutants.designed import Cards
from tools.mutants.index import Index
from tools.mutants.judging import BY_ALL, LEFT_OUT, MOST_TRIALS, Verdict, judged
from tools.mutants.operators import Mutant

LIMIT = 90.0  # seconds for one mutant


class State(NamedTuple):
    """What a worker judges by, with a cache of its own."""

    index: Index
    until: str
    beside: Sequence[Cards]
    most: int
    cache: tempfile.TemporaryDirectory[str]


def begin(index: Index, until: str, beside: Sequence[Cards], most: int) -> State:
    """What a worker needs to judge mutants."""
    cache = tempfile.TemporaryDirectory(prefix="mutants-")
    os.environ["PYMORPH_CACHE"] = cache.name
    return State(index, until, beside, most, cache)


def judge(state: State, mutant: Mutant) -> Iterator[Verdict]:
    """The verdict on a mutant, and before it what is said if the rest takes too long."""
    return judged(state.index, mutant, state.until, state.beside, state.most)


def verdicts(
    index: Index,
    mutants: Sequence[Mutant],
    jobs: int,
    until: str = BY_ALL,
    beside: Sequence[Cards] = (),
    most: int = MOST_TRIALS,
) -> Iterator[Verdict]:
    """The verdict on each mutant, as they come, from the stages up to *until*. One that is late, or
    dies, has what was said first, or else no answer."""
    given = (index, until, beside, most)
    with Workers(min(jobs, len(mutants) or 1), begin, given, LIMIT, machine()) as workers:
        tasks = {workers.submit(judge, mutant): mutant for mutant in mutants}
        for task in workers.completed(tasks):
            if task.parts:
                yield task.parts[-1]
                continue
            mutant, error = tasks[task], task.exception()
            why = "it died" if isinstance(error, Died) else f"it fails: {error!r}"[:200]
            if isinstance(error, OutOfTime):
                why = f"no end within {LIMIT:.0f} s"
            yield Verdict(mutant.name, mutant.operator, LEFT_OUT, why, text=mutant.text)


@dataclass(frozen=True)
class Report:
    """The verdicts of a campaign, a line of JSON each, so that it goes on where it stopped."""

    path: Path
    key: str  # of the ruleset as it is

    def known(self) -> dict[str, Verdict]:
        """The verdicts that are there, by the names of the mutants."""
        found = {}
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                try:
                    row = json.loads(line)
                except ValueError:
                    continue  # cut off when it was stopped
                if row.pop("key") == self.key:
                    found[row["mutant"]] = Verdict(**row)
        return found

    def add(self, verdict: Verdict) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": self.key, **verdict.json()}) + "\n")


class Progress:
    """How far a campaign is: a bar on a terminal, otherwise a line a minute."""

    def __init__(self, what: str, total: int) -> None:
        self.what, self.total, self.done = what, total, 0
        self._begun = self._told = monotonic()
        self._bar = sys.stderr.isatty()

    def step(self, counts: Mapping[str, int] | None = None) -> None:
        self.done += 1
        now = monotonic()
        if self._bar or now - self._told >= 60 or self.done == self.total:
            self._told = now
            left = (now - self._begun) / self.done * (self.total - self.done)
            told = ", ".join(f"{n} {word}" for word, n in sorted((counts or {}).items()))
            line = f"{self.what} {self.done}/{self.total}, {left / 60:.0f} min left; {told}"
            end = "\n" if self.done == self.total or not self._bar else ""
            print(f"\r{line:<78}" if self._bar else line, end=end, file=sys.stderr, flush=True)
