"""Adding to a record's file: what stands in it stays as it is, and one at a time adds to it."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from pymorph import yamlio
from pymorph.errors import InputError, Place, reason
from pymorph.state import record
from pymorph.state.position import Position
from pymorph.state.record import Move, Record
from pymorph.yamlio import Items, Keys, Scalar

try:
    import fcntl
except ImportError:  # a system without such locks
    fcntl = None  # type: ignore[assignment]

PATIENCE = 20.0  # seconds that another process may take over its addition
TICK = 0.02


@dataclass(frozen=True)
class RecordFile:
    """A record as it stands in a file, with what else somebody wrote there."""

    path: str
    text: str
    record: Record

    def extended(self, steps: Sequence[Move], result: Position) -> RecordFile:
        """The file with *steps* added, and the position that they come to, if it has a result.

        Raises: InputError, if it cannot be added to.
        """
        name, folder = yamlio.name_of(self.path), yamlio.folder_of(self.path)
        body = self.text.removeprefix("\ufeff")
        mark = self.text[: len(self.text) - len(body)]
        end = "\r\n" if "\r\n" in body else "\n"
        root, _ = yamlio.parse(body.replace("\r\n", "\n"), name, yamlio.LIMITS.long_nodes)
        assert isinstance(root, Keys)
        indent, inner = "  ", None
        added = list(steps)
        play = root.get("play")
        if isinstance(play, Items):
            indent = " " * (play.place.column - 1)
            inner = _group_indent(play, steps)
            if inner is not None:
                added[0] = replace(added[0], heading=())
        stated = root.get("result")
        if self.record.end is not None:
            message = f"the record says that the game has ended ({self.record.end.reason}); "
            raise InputError(f"{message}remove its 'result' to continue", stated and stated.place)
        if isinstance(stated, Scalar):
            body = _replace(body, stated, yamlio.flow(record.line_in(result, folder)))
        if not body.endswith("\n"):
            body += end
        lines = record.lines(added, self.record.position.ruleset.vocabulary.rulers, indent, inner)
        text = mark + body + "".join(f"{line}{end}" for line in lines)
        steps = (*self.record.steps, *added)
        expected = replace(self.record, steps=steps, result=result if stated else None)
        if not _reads_as(expected, text, self.path):
            message = "cannot append: 'play' is not a list with a dash before each step"
            raise InputError(message, Place(name))
        return replace(self, text=text, record=expected)


def _group_indent(play: Items, steps: Sequence[Move]) -> str | None:
    """The indent of the group that *steps* go on with, if it is the last thing there is."""
    last = play.items[-1] if play.items else None
    if not isinstance(last, Keys) or not steps:
        return None
    at, do = last.get("at"), last.entries[-1][1]
    if last.entries[-1][0].text != "do" or not isinstance(do, Items) or do.flow:
        return None
    heading = at.entries if isinstance(at, Keys) else ()
    pairs = tuple((key.text, value.text) for key, value in heading if isinstance(value, Scalar))
    same = set(pairs) == set(steps[0].heading) != set()
    return " " * (do.place.column - 1) if same else None


def _replace(text: str, old: Scalar, new: str) -> str:
    """*text* with *new* in the place of a value."""
    lines = text.split("\n")
    first, last = old.place, old.end or old.place
    line = lines[first.line - 1][: first.column - 1] + new + lines[last.line - 1][last.column - 1 :]
    return "\n".join([*lines[: first.line - 1], line, *lines[last.line :]])


def _reads_as(expected: Record, text: str, path: str) -> bool:
    try:
        data = yamlio.decode(text.encode("utf-8"), yamlio.name_of(path), yamlio.LIMITS.long_bytes)
        return Record.parse(data, yamlio.name_of(path), yamlio.folder_of(path)) == expected
    except InputError:
        return False


def read(path: str) -> RecordFile:
    """The record in a file, with its text. Raises: InputError, if it cannot be read."""
    data, name = yamlio.read_bytes(path, yamlio.LIMITS.long_bytes)
    text = yamlio.decode(data, name, yamlio.LIMITS.long_bytes)
    return RecordFile(path, data.decode("utf-8"), Record.parse(text, name, yamlio.folder_of(path)))


@contextmanager
def locked(path: str) -> Iterator[None]:
    """Nobody else who asks for this file has it meanwhile.

    Raises: InputError, if it is not a regular file, or stays in use by others.
    """
    if fcntl is None:
        yield
        return
    handle = _lock(os.path.realpath(path), yamlio.name_of(path))
    try:
        yield
    finally:
        os.close(handle)


def _lock(target: str, name: str) -> int:
    """The file, opened and locked, and still the one that *target* names."""
    until = time.monotonic() + PATIENCE
    while True:
        handle = -1
        try:
            handle = os.open(target, os.O_RDWR | getattr(os, "O_NONBLOCK", 0))
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise OSError(0, "it is not a regular file")
            with suppress(BlockingIOError):
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(os.fstat(handle), os.stat(target)):
                    return handle
        except (OSError, ValueError) as error:
            if handle >= 0:
                os.close(handle)
            raise InputError(f"cannot append: {reason(error)}", Place(name)) from None
        os.close(handle)
        if time.monotonic() > until:
            raise InputError("cannot append: another process uses the file", Place(name))
        time.sleep(TICK)
