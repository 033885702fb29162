"""The same executor on a cluster: its scheduler is Dask's, and so are its workers.

A worker cannot be ended from here, so a time limit holds between the parts that a task gives.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from pymorph.errors import InputError, OutOfTime, PymorphError, clipped
from pymorph.runtime.executor import Died, Task, Tasks, late
from pymorph.runtime.installation import VERSION
from pymorph.runtime.limits import TICK

PATIENCE = 10.0  # seconds for a scheduler to answer
STATES = 4  # that a worker keeps, of what it was asked last
Dumps = Callable[[Any, bool], bytes]
Loads = Callable[[bytes], Any]


class Cluster(Tasks):
    """The workers of a Dask cluster.

    *dumps* and *loads* are how values travel; *dumps* is told whether all that a worker needs to
    read them has to go along, and *answered* reads what workers give. Each thread of a worker makes
    the state once.
    Raises: InputError, if there is no scheduler at the *address*, or no worker that can be used.
    """

    def __init__(
        self,
        address: str,
        initializer: Callable[..., Any],
        initargs: tuple[Any, ...],
        seconds_each: float | None = None,
        dumps: Dumps = lambda value, _: pickle.dumps(value),
        loads: Loads = pickle.loads,
        answered: Loads = pickle.loads,
    ) -> None:
        self._answered = answered
        self._client = _client(address)
        try:
            self.jobs = _threads(self._client, address)
            self._how = (dumps, loads, seconds_each)
            self._executor = self._client.get_executor(pure=False)
            made = _closed(dumps((initializer, initargs), True))
            digest = hashlib.sha256(made).hexdigest()
            # As a task it is kept by whoever needs it, and made again if that is lost.
            self._setup = self._client.submit(tuple, (digest, made), pure=False)
        except BaseException:
            self._client.close(timeout=1)
            raise
        self._news: SimpleQueue[tuple[Task, Future[bytes]]] = SimpleQueue()

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> Task:
        task = Task()
        task.set_running_or_notify_cancel()
        dumps, _, _ = self._how
        message = _closed(dumps((function, arguments, options), False))
        future = self._executor.submit(_work, self._setup, message, *self._how)
        future.add_done_callback(lambda done: self._news.put((task, done)))
        return task

    def wait(self, seconds: float = TICK) -> None:
        with suppress(Empty):
            self._settle(*self._news.get(timeout=seconds) if seconds else self._news.get_nowait())
            while True:
                self._settle(*self._news.get_nowait())

    def _settle(self, task: Task, done: Future[bytes]) -> None:
        if task.done():
            return
        try:
            data = zlib.decompress(done.result())
            parts, result, error, task.seconds = self._answered(data)
        except (Exception, CancelledError) as failure:
            unmade = f"the cluster lost this task: {clipped(str(failure), 200)[1:-1]}"
            task.set_exception(failure if isinstance(failure, PymorphError) else Died(unmade))
            return
        if parts is not None:
            task.parts.extend(parts)
        if error is not None:
            task.set_exception(error)
        else:
            task.set_result(result if parts is None else tuple(parts))

    def close(self) -> None:
        """Let go of the cluster; its workers stay, and end what they are at."""
        with suppress(Exception):
            self._executor.shutdown(wait=False)
        self._client.close(timeout=1)


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        needed = "a cluster needs more packages: pip install 'pymorph-referee[cluster]'"
        raise InputError(needed) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is said here
    try:
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        cause = " ".join(str(error).split()) or type(error).__name__
        message = f"no scheduler answers at {clipped(address)}: {clipped(cause, 120)[1:-1]}"
        raise InputError(message) from None


def _threads(client: Any, address: str) -> int:
    """How many threads the workers have together, if they can be used."""
    number: int = sum(client.nthreads().values())
    if not number:
        raise InputError(f"the scheduler at {clipped(address)} has no workers")
    try:
        versions = set(client.run(_version).values())
    except Exception:
        versions = {"none"}
    if versions != {VERSION}:
        others = ", ".join(sorted(versions - {VERSION}))
        message = f"the workers at {clipped(address)} have pymorph {others}, not {VERSION}"
        raise InputError(message)
    return number


def _closed(data: bytes) -> bytes:
    return zlib.compress(data, zlib.Z_BEST_SPEED)


# -- in a worker -----------------------------------------------------------------------------------

_here = threading.local()  # the states that a thread has made


def _version() -> str:
    return VERSION


def _state(digest: str, made: bytes, loads: Loads) -> Any:
    """What the functions of somebody's tasks are given first."""
    if not hasattr(_here, "states"):
        _here.states = {}
    states: dict[str, Any] = _here.states
    if digest not in states:
        initializer, initargs = loads(zlib.decompress(made))
        while len(states) >= STATES:
            del states[next(iter(states))]
        states[digest] = initializer(*initargs)
    return states[digest]


def _work(
    setup: tuple[str, bytes], message: bytes, dumps: Dumps, loads: Loads, seconds: float | None
) -> bytes:
    """The parts of a task, or None; its result; its error; and the seconds it took."""
    parts: list[Any] | None = None
    result: Any = None
    error: Exception | None = None
    start = time.monotonic()
    try:
        state = _state(*setup, loads)
        start = time.monotonic()
        function, arguments, options = loads(zlib.decompress(message))
        outcome = function(state, *arguments, **options)
        if isinstance(outcome, Iterator):
            parts = []
            for part in outcome:
                parts.append(part)
                if seconds is not None and time.monotonic() - start > seconds:
                    error = late(seconds)
                    break
        else:
            result = outcome
    except Exception as raised:
        error = _made_again(raised)
    return _closed(dumps((parts, result, error, time.monotonic() - start), False))


def _made_again(error: Exception) -> Exception:
    """An error, or one that tells of it, if it cannot be made again elsewhere."""
    if isinstance(error, PymorphError | OutOfTime | MemoryError):
        return error
    return RuntimeError(f"{type(error).__name__}: {error}")
