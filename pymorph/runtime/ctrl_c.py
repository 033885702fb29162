"""Ctrl-C where an exception would come amiss: while modules are imported, and at the very end.

What is imported before this is loaded is all that a command line cannot answer for.
"""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

STOPPED = 130


def end(*_: object) -> NoReturn:
    """End this process as one that was interrupted, at once."""
    try:
        os.write(2, b"interrupted\n")
    finally:
        os._exit(STOPPED)


class EndingAtOnce:
    """Meanwhile Ctrl-C ends the process; not where it is ignored, or somebody else hears it."""

    def __enter__(self) -> None:
        self.was = signal.getsignal(signal.SIGINT)
        if self.was is signal.default_int_handler:
            self._hear(end)

    def __exit__(self, *_: object) -> None:
        if self.was is signal.default_int_handler:
            self._hear(signal.default_int_handler)

    def _hear(self, handler: object) -> None:
        try:
            signal.signal(signal.SIGINT, handler)  # type: ignore[arg-type]
        except ValueError:  # another thread than the first hears nothing
            return
