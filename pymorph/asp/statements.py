"""Files of statements, and statements once checked, as all that comes after the gate knows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from clingo import Control, Symbol, ast, parse_term

from pymorph.asp.facts import Key, Signature, Signs, StatementKind
from pymorph.asp.syntax_trees import Atom
from pymorph.errors import Place


@dataclass(frozen=True, slots=True)
class Source:
    """One file; only *trusted* ones, our own core, may derive what belongs to the engine."""

    name: str
    text: bytes
    trusted: bool = False


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """One checked statement; a negated predicate is called ``-name``.

    A key is a signature with the functor of the first argument, which is None where it is unknown
    or the predicate is not among the keyed ones. A *fact* is one ground atom, *facts* are those of
    pools and ranges (see `fact_symbols`). *body* holds whatever is read, also by a condition in
    the head, by an aggregate or by ``#show``. The *signs* say on what the statement waits and what
    it brings, functor by functor, for every predicate. While it is checked, it has the atoms of its
    *head* and those that it *looks* at.
    """

    text: str
    place: Place
    kind: StatementKind
    trusted: bool
    heads: frozenset[Signature]
    body: frozenset[Signature]
    head_keys: frozenset[Key]
    body_keys: frozenset[Key]
    signs: Signs
    head: tuple[Atom, ...] = field(default=(), compare=False, repr=False)
    looks: tuple[Atom, ...] = field(default=(), compare=False, repr=False)

    def __reduce__(self) -> tuple[type[CheckedStatement], tuple[object, ...]]:
        """What is kept of it has no trees."""
        kept = (self.text, self.place, self.kind, self.trusted, self.heads, self.body)
        return CheckedStatement, (*kept, self.head_keys, self.body_keys, self.signs)


def same_name(signature: Signature, known: Iterable[Signature]) -> str:
    return " and ".join(plain(s) for s in sorted(known) if s[0] == signature[0])


def plain(signature: Signature) -> str:
    name, arity = signature
    return f"{name if len(name) <= 64 else name[:61] + '...'}/{arity}"


def fact_symbols(statements: Sequence[CheckedStatement]) -> list[list[Symbol] | None]:
    """The atoms that each statement states, sorted; None where it is no fact.

    All pools and ranges are expanded in one grounding, so give many statements at once.
    """
    found: list[list[Symbol] | None] = []
    expanded: dict[int, list[Symbol]] = {}
    wrapped: list[str] = []
    for index, statement in enumerate(statements):
        if statement.kind == "facts":
            wrapped.append(f"fact({index},{statement.text[:-1]}).")
            found.append(expanded.setdefault(index, []))
        else:
            fact = statement.kind == "fact"
            found.append([parse_term(statement.text[:-1])] if fact else None)
    if wrapped:
        control = Control([], lambda *_: None)
        with ast.ProgramBuilder(control) as builder:
            ast.parse_string("\n".join(wrapped), builder.add, logger=lambda *_: None)
        control.ground([("base", [])])
        for atom in sorted(a.symbol for a in control.symbolic_atoms.by_signature("fact", 2)):
            number, symbol = atom.arguments
            expanded[number.number].append(symbol)
    return found
