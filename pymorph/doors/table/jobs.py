"""Long questions of seats: a plan or odds, worked out beside the game, with what there is so far.

They have processes of their own, so that they hold up no short question. One that is stopped, or
late, ends with its process, and keeps what it had found by then.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from pymorph.answers import encode
from pymorph.cli.app import ErrorAnswer, explained
from pymorph.cli.verb import CommandLine
from pymorph.doors.seats import SeatAnswer, ready
from pymorph.doors.table.given import RequestData, text
from pymorph.doors.table.pool import ProcessPool
from pymorph.doors.table.shown import Shown
from pymorph.doors.table.tasks import seat_of
from pymorph.errors import Fault, InputError, OutOfTime, UnknownName, nearest
from pymorph.runtime.executor import Task
from pymorph.views.layout import TIME_UP
from pymorph.yamlio import Json

TICK = 0.3  # seconds after which it is seen whether there is more
KEYS = {
    "plan": ("goal", "within", "by", "against", "rolls"),
    "odds": ("actions", "policy"),
}
FIXED: dict[str, tuple[str, Json]] = {"plan": ("plan", {}), "odds": ("apply", {"odds": True})}


class JobLimits(NamedTuple):
    """What jobs may take."""

    processes: int = 2
    seconds: float = 120.0  # of each


LIMITS = JobLimits()


class Job(NamedTuple):
    """A long question of a seat; *ended* has why it ended early, and when."""

    number: int
    kind: str
    options: Json
    task: Task
    begun: float
    ended: list[str]


class Jobs:
    """The long questions of all seats: one at a time for each."""

    def __init__(self, limits: JobLimits = LIMITS) -> None:
        self.limits = limits
        self.pool = ProcessPool(limits.processes, limits.seconds)
        self.jobs: dict[tuple[str, str], Job] = {}
        self._starting: set[tuple[str, str]] = set()

    async def start(self, path: str, seat: str, given: RequestData) -> Json:
        """Begin a job; gives its state. Raises: InputError, if the seat has one at work."""
        key, (kind, options) = (path, seat), checked(given)
        old = self.jobs.get(key)
        if key in self._starting or (old is not None and not old.task.done()):
            raise InputError(Fault("another job of this seat is at work; stop it first"))
        self._starting.add(key)
        try:
            task = await self.pool.start(worked_on, path, seat, given.get("step"), kind, options)
        finally:
            self._starting.discard(key)
        number = old.number + 1 if old is not None else 1
        self.jobs[key] = Job(number, kind, options, task, time.monotonic(), [])
        return self.state(path, seat)

    def state(self, path: str, seat: str) -> Json:
        """How the last job of a seat goes: its state, and what it has found so far."""
        job = self.jobs.get((path, seat))
        if job is None:
            return {"state": "none"}
        state = {"id": job.number, "kind": job.kind, "options": job.options}
        parts, error = list(job.task.parts), None
        if not job.task.done():
            word = "running" if job.task.running() else "waiting"
        elif job.ended:
            word = job.ended[0]
        else:
            error = job.task.exception()
            word = "late" if isinstance(error, OutOfTime) else "failed" if error else "done"
        said = {"running": "still running", "late": TIME_UP}.get(word, word)
        found = parts[-1] if parts else None
        found = so_far(found, said) if found and word != "done" else found
        answer = {} if found is None else {"answer": found}
        if isinstance(error, Exception) and word == "failed":
            answer = {"error": encode(ErrorAnswer.of(explained(error)[0]))}
        return {**state, "state": word, "seconds": self.limits.seconds, **answer}

    def stop(self, path: str, seat: str) -> Json:
        """End the job of a seat; gives its state."""
        job = self.jobs.get((path, seat))
        if job is not None and not job.task.done():
            job.ended.append("stopped")
            self.pool.stop(job.task)
        return self.state(path, seat)

    def close(self) -> None:
        """End all jobs."""
        self.pool.close()


def checked(given: RequestData) -> tuple[str, Json]:
    """The kind of a job and its options. Raises: UnknownName."""
    kind, options = text(given, "kind"), given.get("options") or {}
    if kind not in KEYS:
        raise UnknownName(Fault(f"unknown job {kind!r}{nearest(kind, KEYS)}"))
    if not isinstance(options, dict):
        raise InputError(Fault("'options' is an object"))
    for key in options:
        if key not in KEYS[kind]:
            raise UnknownName(Fault(f"unknown option {key!r} of {kind}{nearest(key, KEYS[kind])}"))
    return kind, options


def so_far(part: Json, word: str) -> Json:
    """A part of an answer, which says in a word why it is one."""
    lines = [line.replace(TIME_UP, word) for line in part["lines"]]
    return {**part, "lines": lines, "tree": None}


# -- in a process ----------------------------------------------------------------------------------


def worked_on(
    _: object, path: str, name: str, step: int | None, kind: str, options: Json
) -> Iterator[Json]:
    """What a seat is answered, as far as it is known, whenever there is more; the last is whole."""
    verb, fixed = FIXED[kind]
    asked = ready(verb, seat_of(path, name, {"step": step}).view(), {**options, **fixed})
    ended: list[Any] = []

    def work() -> None:
        try:
            ended.append(asked.answered())
        except BaseException as error:
            ended.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    before: Any = None
    while thread.is_alive():
        thread.join(TICK)
        now = asked.parts[0] if asked.parts else None
        if now is not before and thread.is_alive():
            before = now
            yield shown(asked, now)
    (answer,) = ended
    if isinstance(answer, BaseException):
        raise answer
    yield shown(asked, answer)


def shown(asked: CommandLine, answer: Any) -> Json:
    """An answer, whole or not, as the page shows it."""
    as_tree = Shown()
    as_tree.keep(answer)
    return as_tree.with_tree(SeatAnswer(asked.in_json(answer), asked.lines(answer)))
