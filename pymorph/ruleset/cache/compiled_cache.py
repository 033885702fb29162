"""The cache of compiled programs: operations as plain values, never as code.

An entry belongs to one program with one set of facts and one board, and to this version. That a
program cannot be compiled is cached as well. Only the latest entries stay.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

import clingo

from pymorph.asp.bitslice.evaluation_order import Operations
from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.ruleset.cache import sections
from pymorph.ruleset.loader import cache_folder, code_digest
from pymorph.runtime.installation import VERSION


class CompiledCache:
    """The cache entry of the program that *key* describes."""

    def __init__(self, key: Iterable[str]) -> None:
        parts = "\0".join((VERSION, clingo.__version__, code_digest(), *key))
        digest = hashlib.sha256(parts.encode()).hexdigest()[:32]
        self._path = cache_folder() / "operations" / f"{digest}.json"

    @property
    def is_quick(self) -> bool:
        """Is there an entry that takes next to no time?"""
        try:
            return self._path.stat().st_size <= sections.LIMITS.light
        except OSError:
            return False

    def operations(self, make: Callable[[], Operations]) -> Operations:
        """The cached operations, or else those that *make* makes. Raises: Uncompiled."""
        try:
            refused, content = sections.read(self._path)
            if not refused:
                return Operations.of(content)
            reason = Uncompiled(*map(str, refused))
        except sections.SPOILT:
            return self._made(make)
        raise reason

    def _made(self, make: Callable[[], Operations]) -> Operations:
        try:
            operations = make()
        except Uncompiled as error:
            self._write([[str(error), error.statement, error.given, error.word], None])
            raise
        self._write([[], operations.json()])
        return operations

    def _write(self, entry: list[object]) -> None:
        sections.write(self._path, entry)
        try:
            entries = self._path.parent.glob("*.json")
            latest_first = sorted(entries, key=lambda path: path.stat().st_mtime, reverse=True)
            for path in latest_first[sections.LIMITS.entries :]:
                path.unlink(missing_ok=True)
        except OSError:
            pass
