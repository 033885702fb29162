"""Time limits and Ctrl-C that hold while clingo grounds and solves, which cannot be interrupted.

Here a thread works on the answer, which costs nothing; `processes` has what can be ended for good.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from pymorph.errors import Fault, OutOfTime, RulesetError

_T = TypeVar("_T")
TICK = 0.2
BOUND = "give each number that counts up a bound, such as N < 10 in a rule that gives N + 1"
MEMORY = 3 << 30  # bytes; an answer that takes more will take no end


def machine() -> int:
    """The bytes of memory of this machine, as far as it tells."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 2 * MEMORY


def of_an_answer() -> int:
    """The bytes that one answer may take."""
    return min(MEMORY, machine() // 2)


def taken() -> tuple[int, int]:
    """The bytes of this process's address space, and of what of it is in memory, as Linux's
    ``statm`` has them; 0 where there is none."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            addresses, resident, *_ = map(int, file.read().split())
        return addresses * os.sysconf("SC_PAGE_SIZE"), resident * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0, 0


def _peak() -> int:
    """The bytes that were taken at most: some systems hand this on from who started the process."""
    try:
        import resource
    except ImportError:
        return 0
    taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return taken if sys.platform == "darwin" else taken * 1024


def memory() -> int:
    """The bytes of memory that this process holds, or has come to take; 0 where nothing tells."""
    return taken()[1] or _peak() - STARTED


STARTED = _peak()


def late(seconds: float) -> OutOfTime:
    return OutOfTime(f"no answer within {seconds:g} second{'s' * (seconds != 1)}")


def in_thread(seconds: float | None, question: Callable[[], _T]) -> _T:
    """What *question* answers, worked out in a thread, so that Ctrl-C and the limit are heard.

    The thread cannot be stopped: after OutOfTime or KeyboardInterrupt the process has to end itself
    with ``os._exit``. Raises: OutOfTime; KeyboardInterrupt; RulesetError, if it takes more memory
    than there can be use for, as rules do that count on without end; whatever the question raises.
    In a thread of its own already, a question without a limit is asked there.
    """
    if seconds is None and threading.current_thread() is not threading.main_thread():
        return question()
    result: list[tuple[bool, Any]] = []
    done = threading.Event()

    def work() -> None:
        try:
            result.append((True, question()))
        except BaseException as error:
            result.append((False, error))
        done.set()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    most = of_an_answer()
    end = None if seconds is None else time.monotonic() + seconds
    while not done.wait(TICK if end is None else max(min(TICK, end - time.monotonic()), 0)):
        if seconds is not None and end is not None and time.monotonic() >= end:
            raise late(seconds)
        if memory() > most:
            raise RulesetError(
                Fault(
                    f"the answer needs more than {most / 1e9:.1f} GB and does not end", meant=BOUND
                )
            )
    thread.join()  # beside no thread, processes may be copies of this one
    worked, answer = result[0]
    if not worked:
        raise answer
    value: _T = answer
    return value
