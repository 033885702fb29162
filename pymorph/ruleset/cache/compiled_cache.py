"""What compiled rules are made of, kept from one start to the next: as plain values, never as code.

An entry belongs to one program with one set of facts and one board, and to this version. That a
program cannot be compiled is kept as well. The entries that were made last stay.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

import clingo

from pymorph.asp.bitslice.evaluation_order import Operations
from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.ruleset.cache import sections
from pymorph.ruleset.loader import cache_folder, code_digest
from pymorph.runtime.installation import VERSION

ENTRIES = 32  # that are kept
SPOILT = (OSError, ValueError, TypeError, LookupError, RuntimeError)
LIGHT = 1 << 20  # octets of an entry that is there sooner than a few positions are grounded


class KeptOperations:
    """The entry of whatever is *told*, in order."""

    def __init__(self, told: Iterable[str]) -> None:
        parts = "\0".join((VERSION, clingo.__version__, code_digest(), *told))
        digest = hashlib.sha256(parts.encode()).hexdigest()[:32]
        self._path = cache_folder() / "operations" / f"{digest}.json"

    @property
    def is_quick(self) -> bool:
        """Is there an entry that takes next to no time?"""
        try:
            return self._path.stat().st_size <= LIGHT
        except OSError:
            return False

    def operations(self, make: Callable[[], Operations]) -> Operations:
        """What is kept, or else what is made. Raises: Uncompiled, if it cannot be."""
        try:
            refused, told = sections.read(self._path)
            why_not = Uncompiled(*map(str, refused)) if refused else None
            found = None if refused else Operations.of(told)
        except SPOILT:
            return self._made(make)
        if why_not:
            raise why_not
        assert found
        return found

    def _made(self, make: Callable[[], Operations]) -> Operations:
        try:
            found = make()
        except Uncompiled as error:
            self._write([[str(error), error.statement, error.given, error.word], None])
            raise
        self._write([[], found.json()])
        return found

    def _write(self, entry: list[object]) -> None:
        sections.write(self._path, entry)
        try:
            others = sorted(self._path.parent.glob("*.json"), key=_time, reverse=True)
            for path in others[ENTRIES:]:
                path.unlink(missing_ok=True)
        except OSError:
            pass


def _time(path: Path) -> float:
    return path.stat().st_mtime
