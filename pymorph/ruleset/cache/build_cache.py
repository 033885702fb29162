"""What the gate found of each file, kept for the next time: an edit then costs the files it is in.

A file is taken as found before if its bytes are the same and nothing that its statements were
compared with is gone: words of the vocabulary, rules of the catalogue, names that facts bring.
What comes to that makes nothing wrong that was right.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from pymorph.asp.dependency import StatementKind
from pymorph.asp.facts import Key, Signature
from pymorph.asp.program import Gated
from pymorph.asp.serialization import Numbered, signs_of
from pymorph.asp.statements import CheckedStatement, Source
from pymorph.errors import Place
from pymorph.ruleset.cache import sections

KINDS = frozenset(get_args(StatementKind))
SPOILT = (OSError, ValueError, TypeError, LookupError, AttributeError)


@dataclass(slots=True)
class BuildCache:
    """The files of a ruleset as they were found, in one file of the cache."""

    path: Path
    _rows: Mapping[str, Any] = field(default_factory=dict)
    _compared: frozenset[str] = frozenset()
    _keys: Sequence[Key] = ()

    @classmethod
    def at(cls, path: Path) -> BuildCache:
        """What stands at a *path*; nothing, if that is no such file."""
        try:
            told = sections.read(path)
            keys = [(name, arity, word) for name, arity, word in told["keys"]]
            return cls(path, dict(told["files"]), frozenset(told["compared"]), keys)
        except SPOILT:
            return cls(path)

    def known(self, sources: Iterable[Source]) -> dict[Source, Gated]:
        """What was found of those *sources* that have not changed."""
        try:
            rows = ((source, self._rows.get(_digest(source))) for source in sources)
            return {source: _gated(source, row, self._keys) for source, row in rows if row}
        except SPOILT:
            return {}

    def stands(self, compared: frozenset[str]) -> bool:
        """Is everything still there that the statements were compared with?"""
        return self._compared <= compared

    def keep(self, found: Mapping[Source, Gated], compared: frozenset[str]) -> None:
        """Write what was found of faultless files; if it cannot be, the next start is slower."""
        keys = Numbered()
        rows = {_digest(source): _row(each, keys) for source, each in found.items()}
        told = {"files": rows, "compared": sorted(compared), "keys": [list(key) for key in keys]}
        sections.write(self.path, told)


def _digest(source: Source) -> str:
    head = f"{source.name}\0{source.trusted}\0".encode("utf-8", "surrogateescape")
    return hashlib.sha256(head + source.text).hexdigest()[:32]


def _row(found: Gated, keys: Numbered) -> list[Any]:
    statements = [
        [
            s.text, s.place.line, s.place.column, s.kind,
            keys.row(s.head_keys), keys.row(s.body_keys), *keys.signs(s.signs),
        ]
        for s in found.statements
    ]  # fmt: skip
    defined = keys.row((*signature, None) for signature in found.defined)
    places = (
        [[keys[(*s, None)], at.line, at.column] for s, at in row.items()]
        for row in (found.read, found.derived)
    )
    return [statements, defined, *places]


def _gated(source: Source, row: Sequence[Any], keys: Sequence[Key]) -> Gated:
    """Raises: one of `SPOILT`, if the row is none."""
    statements, defined, *places = row
    read, derived = (
        {keys[n][:2]: Place(source.name, line, column) for n, line, column in rows}
        for rows in places
    )
    return Gated(
        tuple(_statement(source, each, keys) for each in statements),
        {keys[n][:2] for n in defined},
        read,
        derived,
    )


def _statement(source: Source, row: Sequence[Any], keys: Sequence[Key]) -> CheckedStatement:
    text, line, column, kind, head, body, *signs = row
    if kind not in KINDS or not isinstance(text, str):
        raise ValueError("this is not a statement")
    head_keys, body_keys = (frozenset(keys[n] for n in numbers) for numbers in (head, body))
    return CheckedStatement(
        text,
        Place(source.name, line, column),
        kind,
        source.trusted,
        _signatures(head_keys),
        _signatures(body_keys),
        head_keys,
        body_keys,
        signs_of(signs, keys),
    )


def _signatures(keys: Iterable[Key]) -> frozenset[Signature]:
    return frozenset([key[:2] for key in keys])
