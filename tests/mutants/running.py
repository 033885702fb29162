"""A campaign: many mutants judged by workers that may be killed, each verdict kept as it comes."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic
from typing import Any

from tests.mutants.designed import Cards
from tests.mutants.index import Index
from tests.mutants.judging import BY_ALL, LEFT_OUT, MOST_TRIALS, Verdict, judged
from tests.mutants.operators import Mutant

LIMIT = 90.0  # seconds for one mutant
FORK = multiprocessing.get_context("fork")


@dataclass
class Worker:
    """A process that judges one mutant after the other, with a cache of its own."""

    index: Index
    until: str = BY_ALL
    beside: Sequence[Cards] = ()
    most: int = MOST_TRIALS
    busy: Mutant | None = None
    since: float = 0.0
    last: Verdict | None = None  # what is said of its mutant, if no more is
    _process: Any = field(init=False)
    _wire: Connection = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        self._wire, theirs = FORK.Pipe()
        self._process = FORK.Process(
            target=work,
            args=(self.index, self.until, self.beside, self.most, theirs, os.getpid()),
            daemon=True,
        )
        self._process.start()
        theirs.close()

    def give(self, mutant: Mutant, past: Verdict | None) -> None:
        self.busy, self.since, self.last = mutant, monotonic(), None
        self._wire.send((mutant, past))

    def take(self) -> Verdict | None:
        """What it says of its mutant at last; None, if there is more to come.

        If it is dead or late, what it said first; or else that there is no answer.
        """
        assert self.busy is not None
        mutant = self.busy
        try:
            while self._wire.poll():
                self.last, final = self._wire.recv()
                if final:
                    self.busy = None
                    return self.last
            if not self.late:
                return None
        except (EOFError, OSError):
            pass
        self.busy = None
        self.stop()
        self.start()
        why = f"no end within {LIMIT:.0f} s" if monotonic() - self.since >= LIMIT else "it died"
        return self.last or Verdict(mutant.name, mutant.operator, LEFT_OUT, why, text=mutant.text)

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._wire.close()

    @property
    def late(self) -> bool:
        return self.busy is not None and monotonic() - self.since >= LIMIT

    @property
    def wire(self) -> Connection:
        return self._wire


def work(
    index: Index,
    until: str,
    beside: Sequence[Cards],
    most: int,
    wire: Connection,
    parent: int,
) -> None:
    """Judge what comes in, until there is no *parent* any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        os.environ["PYMORPH_CACHE"] = folder
        while os.getppid() == parent:
            if wire.poll(1.0):
                mutant, past = wire.recv()
                tell = partial(send, wire)
                said = judged(index, mutant, tell, until, beside, most, past)
                wire.send((said, True))


def send(wire: Connection, said: Verdict) -> None:
    """Tell what was found so far, for there is more to come."""
    wire.send((said, False))


def verdicts(
    index: Index,
    mutants: Sequence[Mutant],
    jobs: int,
    until: str = BY_ALL,
    beside: Sequence[Cards] = (),
    most: int = MOST_TRIALS,
    past: Mapping[str, Verdict] | None = None,
) -> Iterator[Verdict]:
    """The verdict on each mutant, as they come, from the stages up to *until*; *past*: what was
    said of some that had got past a stage before."""
    waiting = list(reversed(mutants))
    workers = [Worker(index, until, beside, most) for _ in range(min(jobs, len(waiting)))]
    try:
        while True:
            for worker in workers:
                if worker.busy is None and waiting:
                    mutant = waiting.pop()
                    worker.give(mutant, (past or {}).get(mutant.name))
            busy = [worker for worker in workers if worker.busy]
            if not busy:
                return
            ready = wait([worker.wire for worker in busy], timeout=1.0)
            for worker in busy:
                if worker.wire in ready or worker.late:
                    verdict = worker.take()
                    if verdict is not None:
                        yield verdict
    finally:
        for worker in workers:
            worker.stop()


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
