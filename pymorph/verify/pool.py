"""Pieces of properties shared out to an executor, and what each of them came to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pymorph.errors import OutOfTime, PymorphError, clipped
from pymorph.ruleset.loader import standing
from pymorph.ruleset.sharing import executor
from pymorph.runtime.executor import Task, short_of_memory, usual_jobs
from pymorph.verify.effort import EFFORT
from pymorph.verify.report import Piece, Property, merge, unsettled
from pymorph.verify.scope import Scope

Work = tuple[Property, str | Piece]  # a piece of work by name, or what all came to, to settle it
PieceResult = Piece | Mapping[str, Piece]
TimedResult = tuple[PieceResult, float]  # with the seconds that it took


class Progress(NamedTuple):
    """How far it is: *done* of so many *pieces*, and the property that was begun last."""

    done: int
    pieces: int
    property: str
    seconds: float


Listener = Callable[[Progress], None]


class Resources(NamedTuple):
    """What the work is done with: so many processes (0: the usual number), or those of a cluster
    whose scheduler has this address; how long each piece may take; who hears how far it is; and at
    what time all of it ends, as `time.monotonic` has it."""

    jobs: int = 0
    scheduler: str = ""
    seconds_each: float | None = EFFORT.piece_seconds
    listener: Listener | None = None
    end: float | None = None


def run(
    scope: Scope,
    properties: Sequence[Property],
    work: Sequence[Work],
    resources: Resources,
) -> tuple[list[TimedResult], bool]:
    """What became of each piece of work, as far as there was time; was it interrupted?"""
    start = time.monotonic()
    interrupted = False
    jobs, scheduler, seconds_each, listener, end = resources
    given = (scope, tuple(properties))
    with executor(jobs or usual_jobs(), scheduler, begin, given, seconds_each) as workers:
        tasks = [workers.submit(check, about.id, what) for about, what in work]

        def report() -> None:
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
        outcomes = [_outcome(task, *one, left) for task, one in zip(tasks, work, strict=True)]
    return outcomes, interrupted


def _outcome(task: Task, about: Property, what: str | Piece, left: str) -> TimedResult:
    """What became of a task; what it found before it was ended is kept."""
    error = task.exception() if task.done() else None
    if error is not None or not task.done():
        open_one = _unsettled(about, what, left if error is None else _in_words(error))
        return (merge([*task.parts, open_one]) if task.parts else open_one), task.seconds
    result = task.result()
    if isinstance(result, tuple):  # what was found bit by bit
        result = merge([*result, Piece(closed=True)])
    return result, task.seconds


def _unsettled(about: Property, what: str | Piece, why: str) -> Piece:
    """That a piece of work was not settled; what the others came to stays as it is."""
    piece, name = (what, "") if isinstance(what, Piece) else (Piece(), what)
    finding = unsettled(name or about.id, why)
    return replace(piece, findings=(*piece.findings, finding), closed=False)


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


def check(state: State, name: str, what: str | Piece) -> PieceResult | Iterator[Piece]:
    """What a piece of a property comes to, at once or bit by bit; or what all of them come to."""
    scope, properties = state
    about = properties[name]
    with standing(scope.ruleset):
        if isinstance(what, Piece):
            assert about.settle is not None
            return about.settle(scope, what)
        result: Any = about.check(scope, what)
        return _standing(scope, result) if isinstance(result, Iterator) else result


def _standing(scope: Scope, parts: Iterator[Piece]) -> Iterator[Piece]:
    with standing(scope.ruleset):
        yield from parts
