"""Work that is shared out: processes that take one task after the other, whatever it is about.

Pebble's pool was tried and is not used: it copies this process beside three threads of its own to
replace a late one, and knows neither partial results nor processes that have grown too large.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from pymorph.errors import OutOfTime, PymorphError
from pymorph.runtime.limits import TICK, taken
from pymorph.runtime.limits import memory as memory_taken
from pymorph.runtime.processes import out_of_earshot, start_method, work_for

ARENAS = -8  # M_ARENA_MAX, as `mallopt` names it
NICE = 10  # of a process that gives way to others
BEGUN, PART, DONE, FAILED = "begun", "part", "done", "failed"  # what is told of a task


class WorkerLimits(NamedTuple):
    """What the processes that work for this one may take; memory is in bytes."""

    memory: int = 1800 << 20  # all of them together, where there are as many as usual
    least_memory: int = 400 << 20  # each of them, however many there are
    growth: int = 200 << 20  # what a process may have had more than at first, if it is to go on
    processes: int = 4  # no more than that, unless they are asked for
    garbage: int = 20_000  # objects more than before, after which garbage is looked for
    start: float = 60.0  # seconds until a process begins with its first task
    patience: float = 1.0  # seconds after which a task that waits may get a process beside others


LIMITS = WorkerLimits()


class Died(PymorphError):
    """The process that worked on a task died."""


class Task(Future[Any]):
    """What becomes of a task: *parts* are what it gave so far, if it gives one thing after another,
    and *seconds* what it took. A process that knows what it is *about* is preferred for it; one
    that may be *long* leaves a process to others."""

    def __init__(self, about: str = "", long: bool = False) -> None:
        super().__init__()
        self.parts: list[Any] = []
        self.seconds = 0.0
        self.about, self.long = about, long


class Tasks(AbstractContextManager["Tasks"]):
    """An executor whose tasks are functions of a state, which each worker makes for itself.

    ``initializer(*initargs)`` gives the state, and ``submit(function, ...)`` has
    ``function(state, ...)`` called. If that gives an iterator, its items are the task's *parts*,
    which stay when it is ended, and the result is a tuple of them. *seconds_each* is what a task
    may take; then it fails with OutOfTime.
    """

    jobs = 1

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> Task:
        raise NotImplementedError

    def wait(self, seconds: float = TICK) -> None:
        """Let the work go on until there is news of a task, or for so many *seconds*."""
        raise NotImplementedError

    def completed(self, tasks: Iterable[Task]) -> Iterator[Task]:
        """Some tasks, each as soon as it is done."""
        waiting = list(tasks)
        while waiting:
            self.wait()
            for task in [task for task in waiting if task.done()]:
                waiting.remove(task)
                yield task

    def finish(
        self,
        tasks: Sequence[Task],
        end: float | None = None,
        on_progress: Callable[[], None] | None = None,
    ) -> None:
        """Wait for all of some tasks, or until `time.monotonic` tells so much."""
        while not all(task.done() for task in tasks) and (end is None or time.monotonic() < end):
            self.wait(0)
            if on_progress is not None:
                on_progress()
            self.wait(TICK if end is None else min(TICK, max(end - time.monotonic(), 0)))

    def close(self) -> None:
        """End the work on all tasks."""
        raise NotImplementedError

    def __exit__(self, *_: object) -> None:
        self.close()


def stateless(*_: Any) -> None:
    """The initializer of workers that need to know nothing."""


def usual_jobs() -> int:
    """How many processes work where nobody says: one for each core, within reason."""
    known = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1
    return min(cores, LIMITS.processes)


def late(seconds: float) -> OutOfTime:
    """What a task fails with that took longer than so many *seconds*."""
    return OutOfTime(f"out of time: not settled within {seconds:g} second{'s' * (seconds != 1)}")


class Workers(Tasks):
    """Processes of this machine. One that is late, dies or has grown is replaced.

    It has no threads: tasks go on whenever somebody waits for them. *memory* are the bytes that
    each process may take on top of what came along, by default its share of `LIMITS.memory`.
    *spare* is how many more processes may start where all others have long tasks.
    """

    def __init__(
        self,
        jobs: int,
        initializer: Callable[..., Any] = stateless,
        initargs: tuple[Any, ...] = (),
        seconds_each: float | None = None,
        memory: int | None = None,
        spare: int = 0,
    ) -> None:
        self.jobs, self.seconds_each, self.spare = jobs, seconds_each, spare
        share = max(LIMITS.memory // jobs, LIMITS.least_memory)
        self._given = (initializer, initargs, memory or share)
        self._context: Any = multiprocessing.get_context(start_method())
        self._waiting: deque[tuple[Task, bytes]] = deque()
        self._workers: list[_Worker] = []

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> Task:
        return self.put(Task(), function, *arguments, **options)

    def put(
        self, task: Task, function: Callable[..., Any], /, *arguments: Any, **options: Any
    ) -> Task:
        """As `submit`, for a task that there is already."""
        self._waiting.append((task, pickle.dumps((function, arguments, options))))
        return task

    def wait(self, seconds: float = TICK, beside: Sequence[Connection] = ()) -> None:
        """As for all; or until there is something to read *beside* that."""
        self._assign()
        wait([*(worker.pipe for worker in self._workers), *beside], seconds)
        for worker in list(self._workers):
            worker.listen()
            if self.spare:
                worker.give_way()
            if worker.gone:
                worker.stop()
                self._workers.remove(worker)
        self._assign()

    def stop(self, task: Task) -> None:
        """End the work on a task, whether it was started or not."""
        task.cancel()
        for worker in [worker for worker in self._workers if worker.task is task]:
            worker.stop()
            self._workers.remove(worker)

    def _assign(self) -> None:
        idle = [worker for worker in self._workers if worker.task is None]
        most = self._most()
        for task, message in list(self._waiting):
            free = most - len(self._workers) + len(idle)
            left = bool(task.long and self.spare)  # one process for others
            if free <= 0:
                break
            if free <= left:
                continue
            self._waiting.remove((task, message))
            if not task.set_running_or_notify_cancel():
                continue
            if len(idle) <= left and len(self._workers) < most:
                idle.append(_Worker(self._context, self._given, self.seconds_each))
                self._workers.append(idle[-1])
            chosen = next((w for w in idle if task.about in w.known), idle[-1])
            idle.remove(chosen)
            chosen.take(task, message)
        if len(self._workers) - len(idle) < self.jobs:
            for worker in idle[: max(len(self._workers) - self.jobs, 0)]:
                worker.stop()
                self._workers.remove(worker)

    def _most(self) -> int:
        """How many processes there may be: some to spare, while nearly all others are late."""
        busy = [worker for worker in self._workers if worker.task is not None]
        late = len(busy) >= max(self.jobs - 1, 1) and all(worker.is_late() for worker in busy)
        return self.jobs + self.spare * late

    def close(self) -> None:
        """End all processes. What is not done by then is cancelled."""
        for task, _ in self._waiting:
            task.cancel()
        self._waiting.clear()
        for worker in self._workers:
            worker.stop()
        self._workers.clear()


class _Worker:
    """A process that takes tasks, seen from outside."""

    def __init__(self, context: Any, setup: tuple[Any, ...], seconds_each: float | None) -> None:
        self.pipe, theirs = context.Pipe()
        with theirs, out_of_earshot():
            arguments = (theirs, os.getpid(), *setup)
            self.process = context.Process(target=_work, args=arguments, daemon=True)
            self.process.start()
        self.seconds_each = seconds_each
        self.task: Task | None = None
        self.known: set[str] = set()  # what its tasks were about
        self.begun = self.gone = self.gave_way = False

    def take(self, task: Task, message: bytes) -> None:
        self.known.add(task.about)
        self.begun = False
        self.task, self.start, self.limit = task, time.monotonic(), LIMITS.start
        with suppress(OSError):  # if it has died, that shows when it is heard
            self.pipe.send_bytes(message)

    def listen(self) -> None:
        """Take what it has to say of its task."""
        try:
            while self.pipe.poll():
                kind, value, self.gone = pickle.loads(self.pipe.recv_bytes())
                if kind == BEGUN:
                    self.begun = True
                    self.start, self.limit = time.monotonic(), self.seconds_each or float("inf")
                elif kind == PART:
                    assert self.task is not None
                    self.task.parts.append(value)
                else:
                    self._settle(value if kind == FAILED else None, value)
                    return
        except (EOFError, OSError):
            self.gone = True
            self.process.join(1)
            died = "the process died, perhaps because it ran out of memory"
            self._settle(Died(f"{died} (exit {self.process.exitcode})"))
        except Exception as error:
            self._settle(error)
        if self.task is not None and time.monotonic() - self.start > self.limit:
            self.gone = True
            self._settle(late(self.limit))

    def is_late(self) -> bool:
        """Does it work on its task for long?"""
        return self.begun and time.monotonic() - self.start > LIMITS.patience

    def give_way(self) -> None:
        """With a long task, it goes on behind all others, and ends when that is done: no process
        can take back what it has given way."""
        if self.task is None:
            self.gone = self.gone or self.gave_way
        elif self.task.long and self.is_late() and not self.gave_way:
            self.gave_way = True
            with suppress(OSError, AttributeError):
                os.setpriority(os.PRIO_PROCESS, self.process.pid, NICE)

    def _settle(self, error: BaseException | None, value: Any = None) -> None:
        task, self.task = self.task, None
        if task is not None:
            task.seconds = time.monotonic() - self.start
            if error is not None:
                task.set_exception(error)
            else:
                task.set_result(tuple(task.parts) if isinstance(value, _Parts) else value)

    def stop(self) -> None:
        if self.task is not None:
            self._settle(Died("the process was stopped"))
        self.process.kill()
        self.process.join()
        self.pipe.close()


class _Parts(NamedTuple):
    """The result of a task that has told its parts."""


# -- in a worker -----------------------------------------------------------------------------------


def _work(
    pipe: Connection,
    parent: int,
    initializer: Callable[..., Any],
    initargs: tuple[Any, ...],
    memory: int,
) -> None:
    """Do what comes in. Of each task is told when it is begun, its parts, and what comes of it;
    then also whether that was the last: with much memory behind it, or without any, nothing works
    as it should."""
    work_for(parent)
    _limit(memory)
    state = initializer(*initargs)
    most = memory_taken() + LIMITS.growth
    gc.freeze()  # what is there by now stays, so that nobody need look for garbage in it
    gc.set_threshold(LIMITS.garbage)
    with suppress(EOFError, ConnectionError):  # nobody is there to ask, or to be told
        while True:
            message = pipe.recv_bytes()
            pipe.send_bytes(pickle.dumps((BEGUN, None, False)))
            try:
                function, arguments, options = pickle.loads(message)
                outcome = function(state, *arguments, **options)
                if isinstance(outcome, Iterator):
                    for part in outcome:
                        pipe.send_bytes(pickle.dumps((PART, part, False)))
                    outcome = _Parts()
                data = pickle.dumps((DONE, outcome, memory_taken() > most))
            except Exception as error:
                data = _failure(error, memory_taken() > most)
            pipe.send_bytes(data)


def _failure(error: Exception, last: bool) -> bytes:
    """An error as it is told, if it can be made again there."""
    if short_of_memory(error):
        return pickle.dumps((FAILED, MemoryError("out of memory"), True))
    if os.environ.get("PYMORPH_TRACEBACK") and not isinstance(error, PymorphError):
        traceback.print_exception(error)
    try:
        data = pickle.dumps((FAILED, error, last))
        pickle.loads(data)
        return data
    except Exception:
        substitute = RuntimeError(f"{type(error).__name__}: {error}")
        return pickle.dumps((FAILED, substitute, last))


def _limit(memory: int) -> None:
    """No more address space than that on top of what came along, where the system can be told.

    Threads share what they take, or each would reserve 64 MB of it.
    """
    try:
        import ctypes
        import resource

        ctypes.CDLL(None).mallopt(ARENAS, 1)
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        memory += taken()[0]
        least = memory if most == resource.RLIM_INFINITY else min(memory, most)
        resource.setrlimit(resource.RLIMIT_AS, (least, most))
    except (ImportError, AttributeError, OSError, ValueError):
        pass


def short_of_memory(error: BaseException | None) -> bool:
    """Is memory at the bottom of an error?"""
    while error is not None:
        if isinstance(error, MemoryError) or "bad_alloc" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False
