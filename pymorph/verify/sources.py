"""A ruleset as it is written: every checked statement with its place, and every fact."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from clingo import Symbol

from pymorph.asp.dependency import DependencyGraph, Kind, Slices, Statement
from pymorph.asp.facts import Key, Signature
from pymorph.asp.program import CheckedStatement, fact_symbols
from pymorph.errors import Place
from pymorph.ruleset.compiler import GENERATED, CheckedRuleset
from pymorph.ruleset.contract import CATALOGUE, KEYED
from pymorph.ruleset.loader import Ruleset

Rows = dict[Signature, list[tuple[Symbol, Place]]]


@dataclass(frozen=True)
class Sources:
    """The statements of a ruleset, of the core and those that the vocabulary calls for, in order.

    *facts* are its ground facts by signature, each with its place.
    """

    statements: tuple[CheckedStatement, ...]
    facts: Rows

    @classmethod
    def of(cls, ruleset: Ruleset) -> Sources:
        """The statements of a ruleset as it was loaded."""
        assert isinstance(ruleset.slices, Slices)
        statements = tuple(
            _statement(part, _place(ruleset.files, file, line, at), kind, trusted)
            for part, (file, line, at, kind, trusted) in zip(
                ruleset.slices.statements, ruleset.slices.written, strict=True
            )
        )
        stated = [each for each in statements if each.place.file != GENERATED]
        return cls(statements, _facts(zip(stated, fact_symbols(stated), strict=True)))

    @classmethod
    def made(cls, found: CheckedRuleset) -> Sources:
        """Those that were just checked."""
        return cls(found.everything, _facts(found.stated))

    @cached_property
    def own(self) -> tuple[int, ...]:
        """The numbers of the statements in the ruleset's own files."""
        return tuple(n for n, s in enumerate(self.statements) if not s.trusted)

    @cached_property
    def parts(self) -> tuple[Statement, ...]:
        """All of it as a slice has it, but for the catalogue and what only branching reads."""
        return tuple(part for _, part in self.numbered)

    @cached_property
    def numbered(self) -> tuple[tuple[int, Statement], ...]:
        """The parts, each with the number of its statement."""
        return tuple(
            (n, Statement(s.text, s.signs)) for n, s in enumerate(self.statements) if playing(s)
        )

    def index(self, parts: Sequence[Statement] | None = None) -> DependencyGraph:
        """Statements as they are looked up, by default all parts; made once for each set."""
        if parts is None:
            return self._index
        rows = tuple(parts)
        if rows not in self._indexes:
            self._indexes[rows] = DependencyGraph(rows)
        return self._indexes[rows]

    @cached_property
    def _index(self) -> DependencyGraph:
        return DependencyGraph(self.parts)

    @cached_property
    def _indexes(self) -> dict[tuple[Statement, ...], DependencyGraph]:
        return {}

    @cached_property
    def _givers(self) -> Mapping[Signature, tuple[int, ...]]:
        found: dict[Signature, list[int]] = defaultdict(list)
        for n, part in self.numbered:
            for key, _ in part.signs.gives:
                found[key[:2]].append(n)
        return {signature: tuple(numbers) for signature, numbers in found.items()}

    def giving(self, signature: Signature) -> tuple[int, ...]:
        """The numbers of the statements that give atoms of a signature."""
        return self._givers.get(signature, ())

    def rows(self, name: str, arity: int) -> list[tuple[Symbol, ...]]:
        """The arguments of the facts of a signature."""
        return [tuple(symbol.arguments) for symbol, _ in self.facts.get((name, arity), ())]


def _facts(stated: Iterable[tuple[CheckedStatement, list[Symbol] | None]]) -> Rows:
    facts: Rows = defaultdict(list)
    for statement, row in stated:
        for symbol in row or ():
            facts[symbol.name, len(symbol.arguments)].append((symbol, statement.place))
    return facts


def _place(files: Sequence[str], number: int | None, line: int, column: int) -> Place:
    return Place(GENERATED if number is None else files[number], line, column)


def _statement(part: Statement, place: Place, kind: Kind, trusted: bool) -> CheckedStatement:
    """A statement from what is kept of it."""
    heads = frozenset(keyed(key) for key, _ in part.signs.gives)
    body = frozenset(map(keyed, part.signs.reads))
    return CheckedStatement(
        part.text, place, kind, trusted,
        frozenset(key[:2] for key in heads), frozenset(key[:2] for key in body),
        heads, body, part.signs,
    )  # fmt: skip


def keyed(key: Key) -> Key:
    """A key that has no functor unless the predicate is among the keyed ones."""
    return key if key[0] in KEYED else (*key[:2], None)


def playing(statement: CheckedStatement) -> bool:
    """Does a statement bear on play, rather than on the catalogue or on branching?"""
    if statement.heads == {("does", 3)}:
        return False
    return not (
        statement.kind in ("fact", "facts") and {name for name, _ in statement.heads} <= CATALOGUE
    )


def shown(place: Place) -> str:
    """A place as it is written: file and line."""
    return f"{place.file}:{place.line}" if place.line else place.file


def numbers_at(sources: Sources, changed: Sequence[str]) -> frozenset[int]:
    """The statements that stand in files whose names end as one of those that *changed*."""
    return frozenset(
        n
        for n, statement in enumerate(sources.statements)
        if any(statement.place.file.endswith(name) for name in changed)
    )
