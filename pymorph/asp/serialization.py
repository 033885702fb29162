"""Checked statements and files to and from plain values, with numbers for the keys of signs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pymorph.asp.dependency import Statement
from pymorph.asp.facts import Key, Signs
from pymorph.asp.program import CheckedFile
from pymorph.asp.statements import CheckedStatement
from pymorph.errors import Place


class Numbered(dict[Key, int]):
    """Keys by number, in the order in which they were first used."""

    def __missing__(self, key: Key) -> int:
        self[key] = number = len(self)
        return number

    def of(self, keys: Iterable[Key]) -> list[int]:
        return [self[key] for key in sorted(keys, key=lambda k: (k[0], k[1], k[2] or ""))]


def statement_json(statement: CheckedStatement, file: int | str, keys: Numbered) -> list[Any]:
    """A statement; *file* is the number of its file."""
    place, signs = statement.place, statement.signs
    head = [statement.text, file, place.line, place.column, statement.kind, statement.trusted]
    requires = [keys.of(alternatives) for alternatives in signs.requires]
    defines = [[keys[key], keys[(*s, None)] if s else None] for key, s in signs.defines]
    return [*head, requires, defines, keys.of(signs.uses)]


def statement_of(values: Sequence[Any], file: str, keys: Sequence[Key]) -> CheckedStatement:
    """The statement in a *file* of that name."""
    text, _, line, column, kind, trusted, *_ = values
    return CheckedStatement(text, Place(file, line, column), kind, trusted, _signs(values, keys))


def part_of(values: Sequence[Any], keys: Sequence[Key]) -> Statement:
    """The statement as a slice has it."""
    return Statement(values[0], _signs(values, keys))


def _signs(values: Sequence[Any], keys: Sequence[Key]) -> Signs:
    *_, requires, defines, uses = values
    return Signs(
        tuple(frozenset([keys[n] for n in alternatives]) for alternatives in requires),
        tuple((keys[n], None if f is None else keys[f][:2]) for n, f in defines),
        frozenset([keys[n] for n in uses]),
    )


def file_json(file: CheckedFile, keys: Numbered) -> list[Any]:
    """A checked file, but for its statements."""
    places = (
        [[keys[(*signature, None)], at.line, at.column] for signature, at in first.items()]
        for first in (file.read, file.derived)
    )
    return [keys.of((*signature, None) for signature in file.defined), *places]


def file_of(
    values: Sequence[Any], statements: Iterable[Any], name: str, keys: Sequence[Key]
) -> CheckedFile:
    """The checked file of that *name* with these *statements*, which are plain values too."""
    defined, *places = values
    read, derived = (
        {keys[n][:2]: Place(name, line, column) for n, line, column in first} for first in places
    )
    return CheckedFile(
        tuple(statement_of(statement, name, keys) for statement in statements),
        {keys[n][:2] for n in defined},
        read,
        derived,
    )
