"""Processes that check the pieces of properties; one that is late or dies is replaced."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from pymorph.errors import PymorphError, clipped
from pymorph.limits import TICK, start_method, work_for
from pymorph.ruleset import standing
from pymorph.verify.properties import Property
from pymorph.verify.results import UNKNOWN, Finding, Piece, merged
from pymorph.verify.setting import Setting

MEGABYTE = 1 << 20
MEMORY = 1800 * MEGABYTE  # what all workers may have together, where there are as many as usual
LEAST = 400 * MEGABYTE  # what each of them has, however many there are
RETIRING = 250 * MEGABYTE  # what a process may have had that is to go on with the next piece
USUAL = 4  # no more workers than that, unless they are asked for
SELDOM = 20_000  # objects more than before, after which garbage is looked for
BEGINNING = 60.0  # seconds that a worker may take until it begins with its first piece

Task = tuple[Property, str | Piece]  # a piece of work by name, or what all came to, to settle it
Found = Piece | Mapping[str, Piece]
BEGUN, BIT = "begun", "bit"  # what a worker tells before the result of a piece
Outcome = tuple[Found, float]  # with the seconds that it took


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is: *done* of so many *pieces*, and the property that was begun last."""

    done: int
    pieces: int
    property: str
    seconds: float


Told = Callable[[Progress], None]


def usual_jobs() -> int:
    """How many processes work where nobody says: one for each core, within reason."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), USUAL)
    return min(os.cpu_count() or 1, USUAL)


class Pool:
    """Workers that take one piece after the other; who is late or dies is replaced."""

    def __init__(
        self,
        setting: Setting,
        properties: tuple[Property, ...],
        jobs: int,
        seconds_each: float | None,
        told: Told,
    ) -> None:
        method = start_method()
        # A fresh process reads the rules for itself: what is known here does not travel.
        self.setting = (
            setting if method == "fork" else replace(setting, rulings=dict(setting.rulings))
        )
        self.properties = properties
        self.context: Any = multiprocessing.get_context(method)
        self.jobs, self.seconds_each, self.told = jobs, seconds_each, told
        self.outcomes: dict[int, Outcome] = {}
        self.interrupted = False
        self.workers: list[_Worker] = []

    def work(self, tasks: Sequence[Task], end: float | None) -> None:
        """Have every task done, as far as there is time; then there is an outcome of each."""
        try:
            self._share(tasks, end)
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            for worker in self.workers:
                worker.stop()
        left = "interrupted" if self.interrupted else "out of time"
        for number, (about, what) in enumerate(tasks):
            self.outcomes.setdefault(number, (_unsettled(about, what, left), 0.0))

    def _share(self, tasks: Sequence[Task], end: float | None) -> None:
        start = time.monotonic()
        waiting = deque(enumerate(tasks))
        begun = ""
        while len(self.outcomes) < len(tasks) and (end is None or time.monotonic() < end):
            idle = [worker for worker in self.workers if worker.number is None]
            while waiting and (idle or len(self.workers) < self.jobs):
                number, (about, what) = waiting.popleft()
                if not idle:
                    self.workers.append(self._hired())
                    idle.append(self.workers[-1])
                idle.pop().take(number, about, what)
                begun = about.id
            self.told(Progress(len(self.outcomes), len(tasks), begun, time.monotonic() - start))
            wait([worker.pipe for worker in self.workers], TICK)
            for worker in list(self.workers):
                self._heed(worker)

    def _hired(self) -> _Worker:
        memory = max(MEMORY // self.jobs, LEAST)
        return _Worker(self.context, (self.setting, self.properties, memory), self.seconds_each)

    def _heed(self, worker: _Worker) -> None:
        """Take what a worker has to say; let it go if it is late, or has died."""
        number = worker.number
        outcome = worker.heard()
        if number is not None and outcome is not None:
            self.outcomes[number] = outcome
        if worker.gone:
            worker.stop()
            self.workers.remove(worker)


class _Worker:
    """A process that checks pieces, seen from outside. *number* is that of its task."""

    def __init__(
        self, context: Any, arguments: tuple[Any, ...], seconds_each: float | None
    ) -> None:
        self.pipe, theirs = context.Pipe()
        with theirs:
            given = (theirs, os.getpid(), *arguments)
            self.process = context.Process(target=_work, args=given, daemon=True)
            self.process.start()
        self.seconds_each = seconds_each
        self.number: int | None = None
        self.gone = False

    def take(self, number: int, about: Property, what: str | Piece) -> None:
        self.number, self.about, self.what = number, about, what
        self.bits: list[Piece] = []
        self.start = time.monotonic()
        self.limit = BEGINNING
        with suppress(OSError):  # if it has died, that shows when it is heard
            self.pipe.send((about.id, what))

    def heard(self) -> Outcome | None:
        """What became of its piece, if anything did."""
        try:
            while self.pipe.poll():
                result, last = pickle.loads(self.pipe.recv_bytes())
                if last == BEGUN:
                    self.start = time.monotonic()
                    self.limit = float("inf") if self.seconds_each is None else self.seconds_each
                elif last == BIT:
                    self.bits.append(result)
                else:
                    self.gone = last
                    return self._settled(result)
        except (EOFError, OSError):
            self.gone = True
            self.process.join(1)
            code = self.process.exitcode
            return self._settled(f"the process died, perhaps for want of memory (exit {code})")
        except Exception as error:
            return self._settled(_told(error))
        if self.number is not None and time.monotonic() - self.start > self.limit:
            self.gone = True
            return self._settled(_late(self.limit))
        return None

    def _settled(self, result: Found | str) -> Outcome | None:
        if self.number is None:
            return None
        self.number = None
        if isinstance(result, str):
            result = _unsettled(self.about, self.what, result)
        if self.bits and isinstance(result, Piece):
            result = merged([*self.bits, result])
        return result, time.monotonic() - self.start

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _late(seconds: float) -> str:
    return f"out of time: not settled within {seconds:g} second{'s' * (seconds != 1)}"


def _unsettled(about: Property, what: str | Piece, why: str) -> Piece:
    """That a piece of work was not settled; what the others came to stays as it is."""
    whole, name = (what, "") if isinstance(what, Piece) else (Piece(), what)
    finding = Finding(name or about.id, why, status=UNKNOWN)
    return replace(whole, findings=(*whole.findings, finding), closed=False)


# -- in a worker -----------------------------------------------------------------------------------


def _work(
    pipe: Connection, parent: int, setting: Setting, properties: tuple[Property, ...], memory: int
) -> None:
    """Check what is asked for; tell when a piece is begun, the bits that are found, and its result.

    With the result goes whether it is the last: with much memory behind it, or without any, nothing
    works as it should.
    """
    work_for(parent)
    _limit(memory)
    known = {each.id: each for each in properties}
    _ = setting.sources
    gc.freeze()  # what is there by now stays, so that nobody need look for garbage in it
    gc.set_threshold(SELDOM)
    with standing(setting.ruleset):
        _answer(pipe, setting, known)


def _answer(pipe: Connection, setting: Setting, known: Mapping[str, Property]) -> None:
    while True:
        try:
            about, what = pipe.recv()
        except EOFError:
            return
        pipe.send_bytes(pickle.dumps((None, BEGUN)))
        try:
            found = _found(known[about], setting, what)
            if isinstance(found, Iterator):
                for bit in found:
                    pipe.send_bytes(pickle.dumps((bit, BIT)))
                found = Piece(closed=True)
            data = pickle.dumps((found, _grown()))
        except Exception as error:
            data = pickle.dumps((_told(error), short_of_memory(error)))
        pipe.send_bytes(data)


def _found(about: Property, setting: Setting, what: str | Piece) -> Found | Iterator[Piece]:
    if isinstance(what, str):
        return about.check(setting, what)
    assert about.settle is not None
    return about.settle(setting, what)


def _grown() -> bool:
    """Has this process had so much memory that a fresh one is quicker?"""
    try:
        import resource
    except ImportError:
        return False
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit > RETIRING


def _size() -> int:
    """The address space of this process, as far as the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0


def _limit(memory: int) -> None:
    """No more address space than that on top of what came along, where the system can be told."""
    try:
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        memory += _size()
        least = memory if most == resource.RLIM_INFINITY else min(memory, most)
        resource.setrlimit(resource.RLIMIT_AS, (least, most))
    except (ImportError, OSError, ValueError):
        pass


def short_of_memory(error: BaseException | None) -> bool:
    """Is memory at the bottom of an error?"""
    while error is not None:
        if isinstance(error, MemoryError) or "bad_alloc" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _told(error: Exception) -> str:
    """What went wrong with a piece, in one line."""
    if short_of_memory(error):
        return "out of memory"
    if isinstance(error, PymorphError):
        return " ".join(str(error).split())
    if os.environ.get("PYMORPH_TRACEBACK"):
        traceback.print_exception(error)
    told = clipped(f"{type(error).__name__}: {error}", 200)[1:-1]
    return f"a mistake in pymorph itself: {told} (PYMORPH_TRACEBACK=1 shows where)"
