"""Processes that work for this one: for a question with a time limit, and workers in general."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from pymorph.errors import PymorphError
from pymorph.runtime.limits import late

_T = TypeVar("_T")
LONGEST = 1_000_000.0  # seconds; more than a system call takes is never waited for


def within(seconds: float, question: Callable[..., _T], *arguments: Any, **options: Any) -> _T:
    """The answer to *question*, from a process that is stopped after a number of seconds.

    The question, its arguments and its answer must pickle, as all values of pymorph do.
    Raises: OutOfTime, when no answer came within *seconds*; PymorphError, when the process died;
    whatever the question raises.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> len(pymorph.within(60, pymorph.legal_actions, start))
    9
    """
    if not seconds > 0:
        raise ValueError("a time limit must be more than 0 seconds")
    context: Any = multiprocessing.get_context(start_method())
    ours, theirs = context.Pipe(duplex=False)
    with ours:
        with theirs:
            process = context.Process(
                target=_answer, args=(theirs, question, arguments, options), daemon=True
            )
            process.start()
        try:
            if not ours.poll(min(seconds, LONGEST)):
                raise late(seconds)
            worked, answer = ours.recv()
        except (EOFError, ConnectionResetError):
            process.join()
            died = f"the process that worked on the answer died (exit {process.exitcode})"
            raise PymorphError(died) from None
        finally:
            process.kill()
            process.join()
    if not worked:
        raise answer
    value: _T = answer
    return value


def start_method() -> str:
    """A copy of this process is quickest, and safe while it has no other threads."""
    known = multiprocessing.get_all_start_methods()
    return "fork" if "fork" in known and threading.active_count() == 1 else "spawn"


def _answer(pipe: Connection, question: Callable[..., Any], arguments: Any, options: Any) -> None:
    result: tuple[bool, Any]
    try:
        result = (True, question(*arguments, **options))
    except BaseException as error:
        result = (False, error)
    try:
        data = pickle.dumps(result)
        if not result[0]:
            pickle.loads(data)
    except Exception as error:
        what = "answer" if result[0] else f"error {result[1]!r}"
        data = pickle.dumps((False, TypeError(f"cannot pickle the {what}: {error}")))
    pipe.send_bytes(data)
    pipe.close()


@contextmanager
def out_of_earshot() -> Iterator[None]:
    """Processes that are started meanwhile do not hear Ctrl-C, where the system can do that."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    if start_method() == "spawn":
        resource_tracker.ensure_running()  # as it starts, it would let the signal through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def work_for(parent: int) -> None:
    """Make this process one that works for another: deaf to Ctrl-C, and ended when that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_stay, args=(parent,), daemon=True).start()


def _stay(parent: int) -> None:
    """End with the process that started this one, whatever that died of."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
