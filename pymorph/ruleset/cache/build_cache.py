"""The checked files of a ruleset in the cache: after an edit only the edited files are checked.

A file is not checked again if its bytes are the same and nothing that its statements were
compared with is gone: words of the vocabulary, rules of the catalogue, names that facts bring.
Additions to these make no right statement wrong.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from pymorph.asp.facts import Key, StatementKind
from pymorph.asp.program import CheckedFile
from pymorph.asp.serialization import Numbered, signs_of
from pymorph.asp.statements import CheckedStatement, Source
from pymorph.errors import Place
from pymorph.ruleset.cache import sections

KINDS = frozenset(get_args(StatementKind))


@dataclass(slots=True)
class BuildCache:
    """The checked files of a ruleset, in one file of the cache."""

    path: Path
    _files: Mapping[str, Any] = field(default_factory=dict)
    _compared: frozenset[str] = frozenset()
    _keys: Sequence[Key] = ()

    @classmethod
    def at(cls, path: Path) -> BuildCache:
        """The content of the file at a *path*; nothing, if it is no such file."""
        try:
            content = sections.read(path)
            keys = [(name, arity, word) for name, arity, word in content["keys"]]
            return cls(path, dict(content["files"]), frozenset(content["compared"]), keys)
        except sections.SPOILT:
            return cls(path)

    def known(self, sources: Iterable[Source]) -> dict[Source, CheckedFile]:
        """The checked files of those *sources* that have not changed."""
        try:
            entries = ((source, self._files.get(_digest(source))) for source in sources)
            return {source: _decode(source, file, self._keys) for source, file in entries if file}
        except sections.SPOILT:
            return {}

    def stands(self, compared: frozenset[str]) -> bool:
        """Is everything still there that the statements were compared with?"""
        return self._compared <= compared

    def write(self, files: Mapping[Source, CheckedFile], compared: frozenset[str]) -> None:
        """Write files without faults; if that fails, the next start is slower."""
        keys = Numbered()
        content = {
            "files": {_digest(source): _encode(file, keys) for source, file in files.items()},
            "compared": sorted(compared),
            "keys": list(keys),
        }
        sections.write(self.path, content)


def _digest(source: Source) -> str:
    head = f"{source.name}\0{source.trusted}\0".encode("utf-8", "surrogateescape")
    return hashlib.sha256(head + source.text).hexdigest()[:32]


def _encode(file: CheckedFile, keys: Numbered) -> list[Any]:
    statements = [
        [s.text, s.place.line, s.place.column, s.kind, *keys.signs(s.signs)]
        for s in file.statements
    ]
    defined = keys.numbers((*signature, None) for signature in file.defined)
    places = (
        [[keys[(*s, None)], at.line, at.column] for s, at in first.items()]
        for first in (file.read, file.derived)
    )
    return [statements, defined, *places]


def _decode(source: Source, file: Sequence[Any], keys: Sequence[Key]) -> CheckedFile:
    """Raises: one of `sections.SPOILT`, if it is no encoded file."""
    statements, defined, *places = file
    read, derived = (
        {keys[n][:2]: Place(source.name, line, column) for n, line, column in first}
        for first in places
    )
    return CheckedFile(
        tuple(_statement(source, statement, keys) for statement in statements),
        {keys[n][:2] for n in defined},
        read,
        derived,
    )


def _statement(source: Source, encoded: Sequence[Any], keys: Sequence[Key]) -> CheckedStatement:
    text, line, column, kind, *signs = encoded
    if kind not in KINDS or not isinstance(text, str):
        raise ValueError("this is not a statement")
    place = Place(source.name, line, column)
    return CheckedStatement(text, place, kind, source.trusted, signs_of(signs, keys))
