"""Time limits and Ctrl-C that hold while clingo grounds and solves, which cannot be interrupted."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from pymorph.errors import OutOfTime

Answer = TypeVar("Answer")
TICK = 0.2


def within(
    seconds: float, question: Callable[..., Answer], *arguments: Any, **options: Any
) -> Answer:
    """What *question* answers, asked in a process of its own that is ended when the time is up.

    The question, what it is given and what it answers have to pickle, as all values of pymorph do.
    Raises: OutOfTime, when no answer came within *seconds*; whatever the question raises.
    """
    methods = multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(
        target=_answer, args=(theirs, question, arguments, options), daemon=True
    )
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            raise OutOfTime(f"no answer within {seconds:g} seconds")
        try:
            worked, answer = ours.recv()
        except EOFError:
            raise OutOfTime("the process that worked on the answer ended without one") from None
    finally:
        process.kill()
        process.join()
        ours.close()
    if not worked:
        raise answer
    found: Answer = answer
    return found


def _answer(pipe: Connection, question: Callable[..., Any], arguments: Any, options: Any) -> None:
    try:
        result = (True, question(*arguments, **options))
    except BaseException as error:
        result = (False, error)
    pipe.send(result)
    pipe.close()


def in_thread(seconds: float | None, question: Callable[[], Answer]) -> Answer:
    """What *question* answers, worked out in a thread, so that Ctrl-C and the limit are heard.

    The thread cannot be stopped: after OutOfTime or KeyboardInterrupt the process has to end itself
    with ``os._exit``. Raises: OutOfTime; KeyboardInterrupt; whatever the question raises.
    """
    result: list[tuple[bool, Any]] = []
    done = threading.Event()

    def work() -> None:
        try:
            result.append((True, question()))
        except BaseException as error:
            result.append((False, error))
        done.set()

    threading.Thread(target=work, daemon=True).start()
    left = seconds
    while not done.wait(TICK if left is None else min(TICK, max(left, 0.0))):
        if left is not None:
            left -= TICK
            if left <= 0:
                raise OutOfTime(f"no answer within {seconds:g} seconds")
    worked, answer = result[0]
    if not worked:
        raise answer
    found: Answer = answer
    return found
