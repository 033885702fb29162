"""The cache: plain values in files, by a digest of all that they were made from.

An entry that is missing, no regular file of this user, or changed, is made again. Of each kind, the
entries that were used last stay.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import clingo

from pymorph.runtime.installation import ROOT, VERSION, user_folder

# What reading an entry may raise, and making anything of its values.
SPOILT = (OSError, ValueError, TypeError, LookupError, AttributeError, RuntimeError)
NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_T = TypeVar("_T")


class CacheLimits(NamedTuple):
    """What the cache stores, and for how long."""

    entries: int = 100  # of each kind; those that were not used for longest go
    light: int = (
        1 << 20
    )  # octets of an entry that is there sooner than a few positions are grounded
    files: int = 200  # of a ruleset
    at_rest: int = 2 * 10**9  # nanoseconds after which a change of a file shows in its times


LIMITS = CacheLimits()


class Values:
    """A list of plain values, each as the text of a line. An item is decoded when it is read."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.lines = lines

    @classmethod
    def of(cls, values: Iterable[Any]) -> Values:
        return cls([json.dumps(value, separators=(",", ":")).encode() for value in values])

    def __getitem__(self, index: int) -> Any:
        return json.loads(self.lines[index])

    def __iter__(self) -> Iterator[Any]:
        return map(json.loads, self.lines)

    def some(self, indices: Iterable[int]) -> list[Any]:
        """The items at some places."""
        items: list[Any] = json.loads(b"[%b]" % b",".join([self.lines[n] for n in indices]))
        return items


class CacheEntry:
    """An entry of a *kind* in the cache, made from what its *key* has.

    The entries of a *group* have part of their key in common.
    """

    def __init__(self, kind: str, key: Iterable[str | bytes], group: Iterable[str] = ()) -> None:
        self._group = _digest(group)
        self._path = cache_folder() / kind / f"{self._group}-{_digest(key)}.json"

    @property
    def is_light(self) -> bool:
        """Is there an entry that takes next to no time?"""
        with suppress(OSError):
            return self._path.stat().st_size <= LIMITS.light
        return False

    def get(
        self,
        make: Callable[[], _T],
        encode: Callable[[_T], Values | list[Any]],
        decode: Callable[[Values], _T],
    ) -> _T:
        """The cached result, or else the one that *make* makes, which is cached."""
        with suppress(*SPOILT):
            return decode(read(self._path))
        result = make()
        values = encode(result)
        write(self._path, Values.of(values) if isinstance(values, list) else values)
        return result

    def latest(self) -> Values:
        """The values of the entry of this group that was used last; none, if there is none."""
        with suppress(*SPOILT):
            return read(_latest_first(self._path.parent, f"{self._group}-*.json")[0])
        return Values([])


def read(path: Path) -> Values:
    """The values in a file of the cache. Raises: OSError, ValueError."""
    with os.fdopen(os.open(path, os.O_RDONLY | NOFOLLOW), "rb") as file:
        status = os.fstat(file.fileno())
        own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
        if not stat.S_ISREG(status.st_mode) or not own:
            raise ValueError("not a regular file of this user")
        digest, _, body = file.read().partition(b"\n")
    if _signed(path, body) != digest:
        raise ValueError("its content has changed")
    with suppress(OSError):
        os.utime(path)
    return Values(body.split(b"\n"))


def write(path: Path, values: Values) -> None:
    """Write values to a file of the cache, after their digest, and remove what is too old.

    If that fails, the next start is slower, and nothing else.
    """
    body = b"\n".join(values.lines)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(_signed(path, body) + b"\n" + body)
        temporary.replace(path)
        for old in _latest_first(path.parent, "*.json")[LIMITS.entries :]:
            old.unlink(missing_ok=True)


def _latest_first(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime_ns, reverse=True)


def _signed(path: Path, body: bytes) -> bytes:
    """A digest of the content of a file at its path: not valid for a file that was moved."""
    place = f"{path.parent.name}/{path.name}\0".encode("utf-8", "surrogateescape")
    return hashlib.sha256(place + body).hexdigest().encode()


def _digest(key: Iterable[str | bytes]) -> str:
    """A digest of a key, and of the code."""
    digest = hashlib.sha256()
    for part in (VERSION, clingo.__version__, code_digest(), *key):
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogateescape")
        digest.update(b"%d\0%b" % (len(data), data))
    return digest.hexdigest()[:32]


@lru_cache(maxsize=1)
def code_digest() -> str:
    """A digest of the modules that turn files into programs, so that no stale cache is used."""
    digest = hashlib.sha256()
    for path in sorted([*(ROOT / "asp").rglob("*.py"), *(ROOT / "ruleset").rglob("*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def cache_folder() -> Path:
    """The folder of compiled rulesets."""
    return user_folder("cache", "PYMORPH_CACHE")
