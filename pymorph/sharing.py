"""Where work is shared out: to processes of this machine, or to a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pymorph.executor import Tasks, Workers


def executor(
    jobs: int,
    scheduler: str = "",
    initializer: Callable[..., Any] = lambda: None,
    initargs: tuple[Any, ...] = (),
    seconds_each: float | None = None,
) -> Tasks:
    """So many processes, or the cluster whose *scheduler* has this address.

    Raises: InputError, if there is no such scheduler, or what it takes to speak with it.
    """
    return Workers(jobs, initializer, initargs, seconds_each)
