"""The cache of compiled rulesets: sections, each in a file.

A section is read when it is needed: the vocabulary with the catalogue, the program of a verb, all
statements. If one is missing, no regular file of this user, or changed, all are made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

# What reading a file of the cache may raise, and what making anything of its content may.
SPOILT = (OSError, ValueError, TypeError, LookupError, AttributeError, RuntimeError)
BASE = "base"  # the section with the vocabulary and the catalogue
Sections = Mapping[str, Any]  # plain values, by the names of the sections
NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class CacheLimits(NamedTuple):
    """What the cache stores, and for how long."""

    entries: int = 32  # of compiled programs; older ones go
    light: int = (
        1 << 20
    )  # octets of an entry that is there sooner than a few positions are grounded
    files: int = 200  # of a ruleset
    at_rest: int = 2 * 10**9  # nanoseconds after which a change of a file shows in its times


LIMITS = CacheLimits()


class CachedSections:
    """The sections of a ruleset in a *folder* of the cache; *make* makes all of them."""

    def __init__(self, folder: Path, make: Callable[[], Sections]) -> None:
        self._folder = folder
        self._make = make
        self._made: Sections | None = None

    def __call__(self, name: str) -> Any:
        if self._made is None:
            try:
                return read(self._folder / f"{name}.json")
            except (OSError, ValueError):
                self._made = self._make()
                for key, section in self._made.items():
                    write(self._folder / f"{key}.json", section)
        return self._made[name]


def read(path: Path) -> Any:
    """What was written to a file of the cache. Raises: OSError, ValueError."""
    with os.fdopen(os.open(path, os.O_RDONLY | NOFOLLOW), "rb") as file:
        status = os.fstat(file.fileno())
        own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
        if not stat.S_ISREG(status.st_mode) or not own:
            raise ValueError("not a regular file of this user")
        digest, _, body = file.read().partition(b"\n")
    if _digest(path, body).encode() != digest:
        raise ValueError("its content has changed")
    return json.loads(body)


def write(path: Path, value: Any) -> None:
    """Write plain values to a file of the cache, after their digest.

    If that fails, the next start is slower, and nothing else.
    """
    body = json.dumps(value, separators=(",", ":")).encode()
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(f"{_digest(path, body)}\n".encode() + body)
        temporary.replace(path)
    except OSError:
        pass


def _digest(path: Path, body: bytes) -> str:
    """A digest of the content of a file at its path: not valid for a file that was moved."""
    place = f"{path.parent.name}/{path.name}\0".encode("utf-8", "surrogateescape")
    return hashlib.sha256(place + body).hexdigest()
