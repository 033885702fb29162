"""The fluents that may be hidden, of which the core finds out what depends on them; what a rule
may not show instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from clingo import Symbol
from clingo.ast import AST, ASTType, ComparisonOperator

from pymorph.asp.facts import HOLDS, Signature
from pymorph.asp.statements import CheckedStatement, behind
from pymorph.asp.syntax_trees import (
    Atom,
    alternatives,
    is_atom,
    named,
    names_in,
    parts_of,
    signatures,
    symbol_of,
    variables,
)
from pymorph.errors import Fault
from pymorph.ruleset.vocabulary import HIDDEN, LIMITS, MEASURED, Vocabulary, longest

# What speaks of something hidden without saying what hangs on it.
SILENT = frozenset({"concealed", "feigned", "sees_for", "ill_formed", "drawn"})
MEANT = (
    "write a rule that says what depends on it, such as "
    "unsettled(A, F, S, R) :- considered(A, S), holds(F, hidden, S), F = {name}(...), ..."
)
# What says that something depends on what is hidden.
DOUBTING: tuple[Signature, ...] = (("unsettled", 4), ("unknown", 4))
INSTEAD = (
    "write a fluent of each card with its owner as the value, such as "
    "concealed(place(X), C, place(X), S, R) :- holds(place(X), C, S), ..."
)
OPENLY = (
    "conceal the fluent's own value, concealed(F, C, F, S, R); or write a rule that says what "
    "depends on {name}, such as unsettled(A, F, S, R) :- considered(A, S), holds(F, _, S), "
    "F = {shown}, ..."
)


class Concealing(NamedTuple):
    """A statement that conceals the value of fluents; *bare*, also if they have none."""

    statement: CheckedStatement
    fluents: tuple[str, ...]
    bare: bool


def veiled(statements: Sequence[CheckedStatement], words: Vocabulary) -> dict[str, bool]:
    """The fluents whose value may be hidden, without a rule that says what depends on that; with
    each, whether what is hidden may be the default."""
    spoken_of = _spoken_of(statements, words)
    concealing = list(_concealing(statements, words))
    for rule in concealing:  # what one rule conceals is hidden as one
        if not spoken_of.isdisjoint(rule.fluents):
            spoken_of.update(rule.fluents)
    fluents = {
        name: False
        for name, fluent in words.fluents.items()
        if words.belongs(HIDDEN, fluent.value, words.usual_scene())
    }
    for rule in concealing:
        for name in rule.fluents:
            fluents[name] = fluents.get(name, False) or rule.bare
    return {name: bare for name, bare in sorted(fluents.items()) if name not in spoken_of}


def untried(statements: Sequence[CheckedStatement], words: Vocabulary) -> Iterator[Fault]:
    """What conceals a fluent whose values are too many to be tried out, and says no more of it."""
    left = veiled(statements, words)
    seen: set[str] = set()
    for rule in _concealing(statements, words):
        for name in rule.fluents:
            why = _too_many(name, words)
            if name in left and why and name not in seen:
                seen.add(name)
                says = f"{name} is concealed, but it has too many values to try: {why}"
                yield Fault(says, rule.statement.place, meant=MEANT.format(name=name))


def misshown(statements: Sequence[CheckedStatement], words: Vocabulary) -> Iterator[Fault]:
    """What shows to those who do not see a fluent something that is none of its sort, or another
    fluent on which nothing depends by the rules: they would learn that nothing is there."""
    doubted: set[str] | None = None
    for statement in statements:
        for first, name, shown in _shown_instead(statement, words):
            says = f"{shown} is shown instead of {first}, but"
            wrong = _stranger(shown, words.fluents[name].sorts, words)
            if wrong:
                yield Fault(f"{says} {wrong}", statement.place, meant=INSTEAD)
                continue
            if doubted is None:
                own = [statement for statement in statements if not statement.trusted]
                doubted = _read_by(DOUBTING, own, words)
            if name not in doubted:
                meant = OPENLY.format(name=name, shown=shown)
                says = f"{says} no rule says what depends on it"
                yield Fault(says, statement.place, meant=meant)
        for name, value in _feigned(statement, words):
            fluent = words.fluents[name]
            wrong = words.stranger(value, fluent.value) if value != fluent.default else ""
            if wrong:
                says = f"{name} is feigned with a value outside its sort: {wrong}"
                yield Fault(says, statement.place)


def _shown_instead(
    statement: CheckedStatement, words: Vocabulary
) -> Iterator[tuple[AST, str, AST]]:
    """The fluents that a statement conceals by showing another one: with its name, and as it is."""
    for first, _, instead in _atoms_of(statement, "concealed"):
        for shown in _named_by(instead, statement) if first != instead else ():
            functor = named(shown)
            if functor and functor[0] in words.fluents:
                yield first, functor[0], shown


def _feigned(statement: CheckedStatement, words: Vocabulary) -> Iterator[tuple[str, Symbol]]:
    """The fluents that a statement feigns with a value that it names."""
    for first, _, value in _atoms_of(statement, "feigned"):
        for functor in map(named, _named_by(first, statement)) if _is_ground(value) else ():
            if functor and functor[0] in words.fluents:
                yield functor[0], symbol_of(value)


def _atoms_of(statement: CheckedStatement, predicate: str) -> Iterator[list[AST]]:
    """Of `concealed` or `feigned` in a head: the fluent, who does not see it, what is shown."""
    if (predicate, 5) in statement.heads:
        for name, arity, arguments in statement.atoms.heads:
            if (name, arity) == (predicate, 5):
                yield arguments[:3]


def _named_by(term: AST, statement: CheckedStatement) -> Iterator[AST]:
    """The terms for which a term of a head is: itself, or what its variable is in the body."""
    if term.ast_type != ASTType.Variable:
        yield term
        return
    for part in statement.tree.body:
        compared = part.atom if part.ast_type == ASTType.Literal else part
        if compared.ast_type == ASTType.Comparison and compared.term == term:
            guard = compared.guards[0]
            if guard.comparison == ComparisonOperator.Equal:
                yield from alternatives(guard.term)


def _stranger(fluent: AST, sorts: Iterable[str], words: Vocabulary) -> str:
    """What is wrong with an argument of a fluent that is written out; empty, if nothing is."""
    arguments = fluent.arguments if fluent.ast_type == ASTType.Function else ()
    for argument, sort in zip(arguments, sorts, strict=False):
        for value in alternatives(argument):
            wrong = words.stranger(symbol_of(value), sort) if _is_ground(value) else ""
            if wrong:
                return wrong
    return ""


def _is_ground(term: AST) -> bool:
    """Is a term without variables and calculations?"""
    kinds = (ASTType.Function, ASTType.SymbolicTerm)
    parts = parts_of(term)
    return all(part.ast_type in kinds and not getattr(part, "external", 0) for part in parts)


def _too_many(name: str, words: Vocabulary) -> str:
    """Why not all values of a fluent can be tried out, if they cannot."""
    for sort in words.parts(words.fluents[name].value):
        of = words.sorts[sort.of] if sort.of else sort
        if of.kind in MEASURED:
            return f"the sort {sort.name} has no limit"
        number = of.high - of.low + 1 if of.kind == "range" else len(of.members)
        if sort.of and longest(max(number, 1)) < sort.high:
            return f"the sort {sort.name} has too many lists"
        if number > LIMITS.values:
            return f"the sort {sort.name} has {number} members; the limit is {LIMITS.values}"
    return ""


def _spoken_of(statements: Sequence[CheckedStatement], words: Vocabulary) -> set[str]:
    """The fluents of which a rule speaks as of something hidden, if by way of other predicates."""
    fluents: set[str] = set()
    predicates: list[Signature] = []
    for statement in statements:
        if statement.trusted or {name for name, _ in statement.heads} <= SILENT:
            continue
        for name, arity, arguments in _of_the_hidden(statement):
            if (name, arity) != HOLDS:
                predicates.append((name, arity))
                continue
            functor = named(arguments[0])
            fluents.update((functor[0],) if functor else _fluents_in([statement.tree], words))
    return fluents | _read_by(predicates, statements, words)


def _read_by(
    predicates: Iterable[Signature], statements: Iterable[CheckedStatement], words: Vocabulary
) -> set[str]:
    """The fluents that some statements read for some predicates, if by way of others."""
    fluents: set[str] = set()
    for statement in behind(statements, predicates):
        read = {key[2] for key in statement.signs.uses if key[:2] == HOLDS}
        fluents.update(
            filter(None, read), _fluents_in([statement.tree], words) if None in read else ()
        )
    return fluents


def _of_the_hidden(statement: CheckedStatement) -> Iterator[Atom]:
    """The atoms in the body of a statement that speak of something hidden: they name it, or have a
    variable that is compared with it."""
    if HIDDEN.name not in statement.text or statement.kind != "rule":
        return
    parts = [(part, getattr(part, "literal", part)) for part in statement.tree.body]
    compared = {
        variable
        for part, literal in parts
        if not is_atom(literal) and HIDDEN.name in names_in(part)
        for variable in variables(part)
    }
    for part, literal in parts:
        speaks = HIDDEN.name in names_in(part) or not compared.isdisjoint(variables(part))
        if speaks and is_atom(literal):
            yield from signatures(literal.atom.symbol)


def _fluents_in(parts: Iterable[AST], words: Vocabulary) -> tuple[str, ...]:
    """The fluents that some parts of a statement name; all, if they name none."""
    names = dict.fromkeys(chain.from_iterable(map(names_in, parts)))
    return tuple(name for name in names if name in words.fluents) or tuple(words.fluents)


def _concealing(statements: Iterable[CheckedStatement], words: Vocabulary) -> Iterator[Concealing]:
    for statement in statements:
        for first, _, instead in _atoms_of(statement, "concealed"):
            if first != instead:
                continue
            functor = named(first)
            fluents = (functor[0],) if functor else _fluents_in(statement.tree.body, words)
            bare = not any(
                (name, arity) == HOLDS and arguments[0] == first
                for name, arity, arguments in statement.atoms.required
            )
            yield Concealing(statement, tuple(f for f in fluents if f in words.fluents), bare)
