"""A ruleset as it is written: every checked statement with its place, and every fact."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from clingo import Symbol

from pymorph.compiling import CATALOGUE, Checked, checked
from pymorph.errors import Place
from pymorph.gate import Statement
from pymorph.ruleset import Ruleset, files_of
from pymorph.slices import Index, Part, Signature

Rows = dict[Signature, list[tuple[Symbol, Place]]]


@dataclass(frozen=True)
class Sources:
    """The statements of a ruleset, of the core and those that the vocabulary calls for, in order.

    *facts* are its ground facts by signature, each with its place.
    """

    statements: tuple[Statement, ...]
    facts: Rows

    @classmethod
    def of(cls, ruleset: Ruleset) -> Sources:
        """Read the files of a ruleset again. Raises: RulesetError, if they have changed for bad."""
        own, core = files_of(ruleset.folders)
        return cls.made(checked(own, core))

    @classmethod
    def made(cls, found: Checked) -> Sources:
        facts: Rows = defaultdict(list)
        for statement, row in found.stated:
            for symbol in row or ():
                facts[symbol.name, len(symbol.arguments)].append((symbol, statement.place))
        return cls(found.everything, facts)

    @cached_property
    def own(self) -> tuple[int, ...]:
        """The numbers of the statements in the ruleset's own files."""
        return tuple(n for n, s in enumerate(self.statements) if not s.trusted)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """All of it as a slice has it, but for the catalogue and what only branching reads."""
        return tuple(part for _, part in self.numbered)

    @cached_property
    def numbered(self) -> tuple[tuple[int, Part], ...]:
        """The parts, each with the number of its statement."""
        return tuple(
            (n, Part(s.text, s.signs)) for n, s in enumerate(self.statements) if playing(s)
        )

    def index(self, parts: Sequence[Part] | None = None) -> Index:
        """Statements as they are looked up, by default all parts; made once for each set."""
        rows = self.parts if parts is None else tuple(parts)
        if rows not in self._indexes:
            self._indexes[rows] = Index(rows)
        return self._indexes[rows]

    @cached_property
    def _indexes(self) -> dict[tuple[Part, ...], Index]:
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


def playing(statement: Statement) -> bool:
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
