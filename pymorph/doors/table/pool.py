"""Where questions of all seats wait: a few processes answer them, each within a time limit."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

from pymorph.runtime.executor import Task, Workers, stateless

IDLE_SECONDS = 0.5  # after which late processes are looked for, where no news comes


class _Asked(NamedTuple):
    """A question, and what hears of its task as soon as there is one."""

    task: Task
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    on_task: Callable[[Task], None]


class ProcessPool:
    """Processes that answer questions. One that is late is stopped and replaced; where all have
    long ones, more are started, up to *spare*."""

    def __init__(self, processes: int, seconds: float, spare: int = 0) -> None:
        self._workers = Workers(processes, stateless, (), seconds, spare=spare)
        self._asked: SimpleQueue[_Asked | None] = SimpleQueue()
        self._stopped: SimpleQueue[Task] = SimpleQueue()
        self._heard, self._bell = multiprocessing.Pipe(duplex=False)
        self._thread = Thread(target=self._run, name="pool", daemon=True)
        self._thread.start()

    async def ask(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        about: str = "",
        long: bool = False,
    ) -> Any:
        """What ``function(None, *arguments)`` returns in one of the processes, if possible in one
        that had a question *about* the same. One that may be *long* leaves a process to others.

        If the caller is cancelled, the process is stopped. Raises: OutOfTime; what it raises.
        """
        task = await self.start(function, *arguments, about=about, long=long)
        try:
            return await asyncio.wrap_future(task)
        except asyncio.CancelledError:
            self.stop(task)
            raise

    async def start(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        about: str = "",
        long: bool = False,
    ) -> Task:
        """The task that is to work on that."""
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[Task] = loop.create_future()

        def on_task(task: Task) -> None:
            loop.call_soon_threadsafe(hand_over, ready, task)

        self._asked.put(_Asked(Task(about, long), function, arguments, on_task))
        self._ring()
        return await asyncio.shield(ready)

    def stop(self, task: Task) -> None:
        """End the work on a task, and its process."""
        self._stopped.put(task)
        self._ring()

    def close(self) -> None:
        """Stop all processes."""
        self._asked.put(None)
        self._ring()
        self._thread.join()

    def _ring(self) -> None:
        with suppress(OSError):
            self._bell.send_bytes(b"!")

    def _run(self) -> None:
        while True:
            while self._heard.poll():
                self._heard.recv_bytes()
            with suppress(Empty):
                while True:
                    asked = self._asked.get_nowait()
                    if asked is None:
                        self._workers.close()
                        return
                    asked.on_task(self._workers.put(asked.task, asked.function, *asked.arguments))
            with suppress(Empty):
                while True:
                    self._workers.stop(self._stopped.get_nowait())
            self._workers.wait(IDLE_SECONDS, [self._heard])


def hand_over(ready: asyncio.Future[Task], task: Task) -> None:
    """Give a task to whoever still waits for it."""
    if not ready.done():
        ready.set_result(task)
