"""Files of statements, and statements once checked, as all that comes after the gate knows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from clingo import Symbol, parse_term
from clingo.ast import AST

from pymorph.asp.facts import Signature, Signs, StatementKind
from pymorph.asp.grounding import grounded
from pymorph.asp.syntax_trees import RuleAtoms, occurrences_in, rules_in
from pymorph.errors import Place


@dataclass(frozen=True, slots=True)
class Source:
    """One file; only *trusted* ones, our own core, may derive what belongs to the engine."""

    name: str
    text: bytes
    trusted: bool = False


@dataclass(frozen=True)
class CheckedStatement:
    """One checked statement; a negated predicate is called ``-name``.

    A *fact* is one ground atom, *facts* are those of pools and ranges (see `fact_symbols`). The
    *signs* say on what the statement waits and what it brings, functor by functor; they count
    whatever is read, also by a condition in the head, by an aggregate or by ``#show``.
    """

    text: str
    place: Place
    kind: StatementKind
    trusted: bool
    signs: Signs

    def __reduce__(self) -> tuple[type[CheckedStatement], tuple[object, ...]]:
        """What is kept of it has no trees."""
        return CheckedStatement, (self.text, self.place, self.kind, self.trusted, self.signs)

    @cached_property
    def tree(self) -> AST:
        """The syntax tree of a rule or a fact; that of the gate, where it was just checked."""
        return rules_in(self.text)[-1]

    @cached_property
    def atoms(self) -> RuleAtoms:
        """The atoms of a rule or a fact."""
        return RuleAtoms.of(occurrences_in(self.tree))

    @cached_property
    def heads(self) -> frozenset[Signature]:
        """The predicates that it defines."""
        return self.signs.heads

    @cached_property
    def body(self) -> frozenset[Signature]:
        """The predicates that it uses."""
        return self.signs.body


def behind(
    statements: Iterable[CheckedStatement], sought: Iterable[Signature]
) -> Iterator[CheckedStatement]:
    """The statements from which atoms of some predicates are derived, by way of others, too."""
    defining: dict[Signature, list[CheckedStatement]] = defaultdict(list)
    for statement in statements:
        for signature in statement.heads:
            defining[signature].append(statement)
    agenda = list(sought)
    for signature in agenda:  # which grows
        for statement in defining.pop(signature, ()):
            agenda += statement.body
            yield statement


def same_name(signature: Signature, known: Iterable[Signature]) -> str:
    return " and ".join(plain(s) for s in sorted(known) if s[0] == signature[0])


def plain(signature: Signature) -> str:
    name, arity = signature
    return f"{name if len(name) <= 64 else name[:61] + '...'}/{arity}"


def fact_symbols(statements: Sequence[CheckedStatement]) -> list[list[Symbol] | None]:
    """The atoms that each statement states, sorted; None where it is no fact.

    All pools and ranges are expanded in one grounding, so give many statements at once.
    """
    symbols: list[list[Symbol] | None] = []
    expanded: dict[int, list[Symbol]] = {}
    wrapped: list[str] = []
    for index, statement in enumerate(statements):
        if statement.kind == "facts":
            wrapped.append(f"fact({index},{statement.text[:-1]}).")
            symbols.append(expanded.setdefault(index, []))
        else:
            fact = statement.kind == "fact"
            symbols.append([parse_term(statement.text[:-1])] if fact else None)
    if wrapped:
        control = grounded("\n".join(wrapped), (), None)
        for atom in sorted(a.symbol for a in control.symbolic_atoms.by_signature("fact", 2)):
            number, symbol = atom.arguments
            expanded[number.number].append(symbol)
    return symbols
