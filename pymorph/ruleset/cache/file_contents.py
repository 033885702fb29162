"""What stands in the files of a ruleset; a file that has not changed is not read again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from pymorph import yamlio
from pymorph.errors import Fault, InputError, Place, RulesetError

FileContents = tuple[tuple[str, bytes], ...]  # of each file how it is called, and what stands in it
MAX_FILES = 200
AT_REST = 2 * 10**9  # nanoseconds after which a change of a file shows in its times

_known: dict[str, tuple[tuple[int, ...], bytes]] = {}


def contents(folder: str, top: Path, astray: Callable[[str], bool]) -> FileContents:
    """The files of a folder, in order, called by their ways from *top*; of one that is too long, a
    byte too much. Raises: RulesetError, if one cannot be read, or is *astray*."""
    found = []
    start = f"{top}{os.sep}"
    for path in _files(folder):
        shown = path.removeprefix(start)
        if astray(path):
            raise RulesetError(Fault(yamlio.LEADS_OUT, Place(shown)))
        try:
            found.append((shown, _bytes(path)))
        except InputError as error:
            raise RulesetError([Fault(f.message, Place(shown)) for f in error.faults]) from None
    return tuple(found)


def _files(folder: str) -> list[str]:
    found = sorted(_below(folder), key=lambda path: path.split(os.sep))
    if len(found) > MAX_FILES:
        raise RulesetError(Fault(f"the ruleset has more than {MAX_FILES} files", Place(folder)))
    return found


def _below(folder: str) -> Iterator[str]:
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if name.endswith(".lp") and os.path.isfile(path):
                yield path


def _bytes(path: str) -> bytes:
    """What stands in a file, as it was read before if it is as it was then."""
    try:
        found = os.stat(path)
    except OSError:
        return yamlio.read_bytes(path, yamlio.RULES_BYTES)[0]
    times = (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_dev)
    known = _known.get(path)
    if known is not None and known[0] == times:
        return known[1]
    data, _ = yamlio.read_bytes(path, yamlio.RULES_BYTES)
    if max(times[:2]) + AT_REST < time.time_ns():
        _known[path] = (times, data)
    return data
