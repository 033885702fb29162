"""A ruleset as it is written: every checked statement with its place, and every fact; encodings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from clingo import Symbol

from pymorph.asp.dependency import DependencyGraph, Statement
from pymorph.asp.facts import Key, Signature, parse_signatures
from pymorph.asp.statements import CheckedStatement, fact_symbols
from pymorph.errors import Place
from pymorph.ruleset.cache.build import Build
from pymorph.ruleset.compiler import GENERATED
from pymorph.ruleset.contract import CATALOGUE
from pymorph.ruleset.loader import Ruleset

ENCODINGS = Path(__file__).parent / "encodings"  # what is looked for, in rules
PART = re.compile(r"^#program (\w+)\.\n", re.MULTILINE)

PlacedFacts = dict[Signature, list[tuple[Symbol, Place]]]


@dataclass(frozen=True)
class Sources:
    """The statements of a ruleset, of the core and those that the vocabulary calls for, in order.

    *facts* are its ground facts by signature, each with its place.
    """

    statements: tuple[CheckedStatement, ...]
    facts: PlacedFacts

    @classmethod
    def of(cls, ruleset: Ruleset) -> Sources:
        """The statements of a ruleset as it was loaded."""
        assert isinstance(ruleset.slices, Build)
        statements = ruleset.slices.statements
        facts: PlacedFacts = defaultdict(list)
        stated = [s for s in statements if s.place.file != GENERATED]
        for statement, symbols in zip(stated, fact_symbols(stated), strict=True):
            for symbol in symbols or ():
                facts[symbol.name, len(symbol.arguments)].append((symbol, statement.place))
        return cls(statements, facts)

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
        statements = enumerate(self.statements)
        return tuple((n, Statement(s.text, s.signs)) for n, s in statements if of_play(s))

    def numbers(self, places: Iterable[int]) -> frozenset[int]:
        """The numbers of the statements of some parts, which are known by their places."""
        return frozenset(self.numbered[place][0] for place in places)

    def behind(self, sought: Iterable[Key]) -> tuple[Statement, ...]:
        """The statements that bear on some atoms, whatever is given."""
        return tuple(self._index.leading_to(sought, range(len(self.parts)), figured=True))

    def index(self, parts: Sequence[Statement] | None = None) -> DependencyGraph:
        """Statements as they are looked up, by default all parts; made once for each set."""
        if parts is None:
            return self._index
        statements = tuple(parts)
        if statements not in self._indexes:
            self._indexes[statements] = DependencyGraph(statements)
        return self._indexes[statements]

    @cached_property
    def _index(self) -> DependencyGraph:
        return DependencyGraph(self.parts)

    @cached_property
    def _indexes(self) -> dict[tuple[Statement, ...], DependencyGraph]:
        return {}

    def arguments_of(self, name: str, arity: int) -> list[tuple[Symbol, ...]]:
        """The arguments of the facts of a signature."""
        return [tuple(symbol.arguments) for symbol, _ in self.facts.get((name, arity), ())]


def keys(signatures: str) -> frozenset[Key]:
    """The keys of signatures that a text lists, whatever their functors."""
    return frozenset((name, arity, None) for name, arity in parse_signatures(signatures))


def of_play(statement: CheckedStatement) -> bool:
    """Does a statement bear on play, rather than on the catalogue or on branching?"""
    if statement.heads == {("does", 3)}:
        return False
    names = {name for name, _ in statement.heads}
    return statement.kind not in ("fact", "facts") or not names <= CATALOGUE


def location(place: Place) -> str:
    """A place in words: file and line."""
    return f"{place.file}:{place.line}" if place.line else place.file


# -- what verification looks for ------------------------------------------------------------------


@cache
def encoding(name: str) -> dict[str, str]:
    """The parts of an encoding in `encodings/`, each by the name that its ``#program`` gives it."""
    _, *parts = PART.split((ENCODINGS / f"{name}.lp").read_text(encoding="utf-8"))
    return dict(zip(parts[::2], parts[1::2], strict=True))
