"""Does pieces of work in several processes, with the time and memory that there are for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pymorph.errors import OutOfTime, PymorphError, clipped
from pymorph.ruleset.sharing import executor
from pymorph.runtime.executor import Task, short_of_memory, usual_jobs
from pymorph.verify.effort import EFFORT
from pymorph.verify.report import Piece, Property, merge, unsettled
from pymorph.verify.scope import Scope

Work = tuple[Property, str | Piece]  # a piece of work by name, or what all came to, to settle it
PieceResult = Piece | Mapping[str, Piece]


class TimedResult(NamedTuple):
    """What a piece of work came to, with the seconds of processor that it took."""

    result: PieceResult
    seconds: float


POSITIONS = "positions"  # what most properties are about
OTHERS = "other positions"  # which are looked at last


class Progress(NamedTuple):
    """How far it is: *done* of so many *pieces*, and the property that was begun last."""

    done: int
    pieces: int
    property: str
    seconds: float


Listener = Callable[[Progress], None]


class Resources(NamedTuple):
    """What the work is done with: so many processes (0: the usual number), or those of a cluster
    whose scheduler has this address; how long each piece may take; who hears how far it is; at what
    time all of it ends, as `time.monotonic` has it; and how many seconds of processor each process
    has, where nobody named a time: after them no piece of work is started, and what is left is not
    unknown, but was not searched."""

    jobs: int = 0
    scheduler: str = ""
    seconds_each: float | None = EFFORT.piece_seconds
    listener: Listener | None = None
    end: float | None = None
    usual: float | None = None

    def after(self, spent: float) -> Resources:
        """What is left after so many seconds of processor of all processes together."""
        if self.usual is None:
            return self
        return self._replace(usual=self.usual - spent / (self.jobs or usual_jobs()))

    @property
    def over(self) -> bool:
        """Is there no time left?"""
        late = self.end is not None and time.monotonic() >= self.end
        return late or (self.usual is not None and self.usual <= 0)


def run(
    scope: Scope, properties: Sequence[Property], work: Sequence[Work], resources: Resources
) -> tuple[list[TimedResult], bool]:
    """What became of each piece of work, as far as there was time; was it interrupted?"""
    start = time.monotonic()
    interrupted = False
    jobs, scheduler, seconds_each, listener, end, usual = resources
    given = (scope, tuple(properties))
    with executor(jobs or usual_jobs(), scheduler, begin, given, seconds_each) as workers:
        tasks = [workers.submit(check, about.id, what) for about, what in work]

        def report() -> None:
            if usual is not None and sum(map(_cost, tasks)) > usual * workers.jobs:
                for task in tasks:
                    task.cancel()  # unless it was started
            if listener is not None:
                done = sum(task.done() for task in tasks)
                begun = [n for n, task in enumerate(tasks) if task.running() or task.done()]
                last, _ = work[max(begun, default=0)]
                listener(Progress(done, len(tasks), last.id, time.monotonic() - start))

        try:
            workers.finish(tasks, end, report)
        except KeyboardInterrupt:
            interrupted = True
        left = "interrupted" if interrupted else "out of time"
        leaves = usual is not None
        outcomes = [_outcome(t, *one, left, leaves) for t, one in zip(tasks, work, strict=True)]
    return outcomes, interrupted


def _cost(task: Task) -> float:
    """The seconds of processor that a task took so far as is known, or on the clock."""
    done = task.done() and not task.cancelled() and task.exception() is None
    return (
        task.result().seconds if done and isinstance(task.result(), TimedResult) else task.seconds
    )


def _outcome(
    task: Task, about: Property, what: str | Piece, left: str, leaves: bool
) -> TimedResult:
    """What became of a task; what it found before it was ended is kept. What others came to is not
    unknown where it could not be settled, if that *leaves* it out."""
    if task.cancelled():
        return TimedResult(_left_out(about, what), 0.0)
    error = task.exception() if task.done() else None
    if leaves and isinstance(error, OutOfTime) and isinstance(what, Piece):
        return TimedResult(_left_out(about, what), task.seconds)
    if error is not None or not task.done():
        open_one = _unsettled(about, what, left if error is None else _in_words(error))
        piece = merge([*task.parts, open_one]) if task.parts else open_one
        return TimedResult(piece, task.seconds)
    result = task.result()
    if isinstance(result, TimedResult):
        return result
    if isinstance(result, tuple):  # what was found bit by bit
        result = merge([*result, Piece(closed=True)])
    return TimedResult(result, task.seconds)


def _unsettled(about: Property, what: str | Piece, why: str) -> Piece:
    """That a piece of work was not settled; what the others came to stays as it is."""
    piece, name = (what, "") if isinstance(what, Piece) else (Piece(), what)
    finding = unsettled(name or about.id, why)
    return replace(piece, findings=(*piece.findings, finding), closed=False)


def _left_out(about: Property, what: str | Piece) -> Piece:
    """That a piece of work was left out, because the usual time was over."""
    if not isinstance(what, Piece):
        return Piece(left=(what or about.id,), partial=True)
    due, met = (0, 0) if about.counted == POSITIONS else (len(what.due), len(what.due & what.met))
    piece = replace(what, looked=what.looked + due, subjects=what.subjects + met, closed=False)
    return replace(piece, left=(*what.left, OTHERS), partial=True)


def _in_words(error: BaseException) -> str:
    """What went wrong with a piece, in one line."""
    if short_of_memory(error):
        return "out of memory"
    if isinstance(error, PymorphError | OutOfTime):
        return " ".join(str(error).split())
    says = clipped(f"{type(error).__name__}: {error}", 200)[1:-1]
    return f"internal error: {says} (set PYMORPH_TRACEBACK=1 to see where)"


# -- in a worker -----------------------------------------------------------------------------------

State = tuple[Scope, Mapping[str, Property]]  # properties by their ids


def begin(scope: Scope, properties: Sequence[Property]) -> State:
    """What a worker needs to check pieces."""
    _ = scope.sources
    return scope, {about.id: about for about in properties}


def check(state: State, name: str, what: str | Piece) -> TimedResult | Iterator[Piece]:
    """What a piece of a property comes to, at once or bit by bit; or what all of them come to."""
    scope, properties = state
    about, start = properties[name], time.process_time()
    result: PieceResult | Iterator[Piece]
    if isinstance(what, Piece):
        assert about.settle is not None
        result = about.settle(scope, what)
    else:
        result = about.check(scope, what)
    if isinstance(result, Iterator):
        return result
    return TimedResult(result, time.process_time() - start)
