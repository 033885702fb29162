"""The contents of the files of a ruleset; a file that has not changed is not read again."""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from pathlib import Path

from pymorph import yamlio
from pymorph.errors import Fault, InputError, Place, RulesetError
from pymorph.ruleset import locations
from pymorph.ruleset.cache.store import LIMITS

FileContents = tuple[tuple[str, bytes], ...]  # the label of each file, and its content


def contents(folder: str, top: Path, within: Collection[Path] = ()) -> FileContents:
    """The files of a folder, in order, labelled by their paths from *top*; of one that is too long,
    a byte too much. Raises: RulesetError, if one cannot be read, or is a link out of the folders
    *within* which all have to be."""
    files = []
    start = f"{top}{os.sep}"
    for path in _files(folder):
        label = path.removeprefix(start)
        if within and os.path.islink(path) and leads_out(Path(path), within):
            raise RulesetError(yamlio.LEADS_OUT, Place(label))
        try:
            files.append((label, _bytes(path)))
        except InputError as error:
            raise RulesetError([Fault(f.message, Place(label)) for f in error.faults]) from None
    return tuple(files)


def leads_out(path: Path, folders: Collection[Path]) -> bool:
    """Is a file a link out of its ruleset? An installer may use links for files."""
    if not yamlio.leads_out(path, *folders):
        return False
    installed = chain.from_iterable(place.folders for place in locations.packages().values())
    return {*locations.examples().values(), *installed}.isdisjoint(folders)


def _files(folder: str) -> list[str]:
    below = (os.path.join(top, name) for top, _, names in os.walk(folder) for name in names)
    paths = [path for path in below if path.endswith(".lp") and os.path.isfile(path)]
    if len(paths) > LIMITS.files:
        raise RulesetError(f"the ruleset has more than {LIMITS.files} files", Place(folder))
    return sorted(paths, key=lambda path: path.split(os.sep))


def _bytes(path: str) -> bytes:
    """The content of a file, from memory if the file has not changed."""
    times: tuple[int, ...] = ()
    with suppress(OSError):
        s = os.stat(path)
        times = (s.st_mtime_ns, s.st_ctime_ns, s.st_size, s.st_ino, s.st_dev)
    at_rest = times and max(times[:2]) + LIMITS.at_rest < time.time_ns()
    return (_content if at_rest else _content.__wrapped__)(path, times)


@lru_cache(maxsize=LIMITS.files * LIMITS.entries)
def _content(path: str, _: tuple[int, ...]) -> bytes:
    return yamlio.read_bytes(path, yamlio.LIMITS.rules_bytes)[0]
