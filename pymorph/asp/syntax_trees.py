"""Helpers for the syntax trees of statements: their parts, and the atoms in them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from clingo import ast
from clingo.ast import AST, ASTSequence, ASTType

from pymorph.terms import ANY

OWN = "own__"  # the prefix of a predicate of a ruleset that the core has as well
TIMES = frozenset({"S", "T"})  # the variables of situations and transitions
Atom = tuple[str, int, list[AST]]  # name, arity and arguments


def positive(part: AST) -> bool:
    """Is a part of a body an atom that has to hold?"""
    return bool(
        part.ast_type == ASTType.Literal
        and part.sign == ast.Sign.NoSign
        and part.atom.ast_type == ASTType.SymbolicAtom
    )


def children(node: AST) -> Iterator[AST]:
    """The direct parts of a part of a rule."""
    for child in node.values():
        for part in child if isinstance(child, ASTSequence) else (child,):
            if isinstance(part, AST):
                yield part


def variables(node: AST) -> Iterator[str]:
    """The names of the variables in a part of a rule, but for ``_``."""
    if node.ast_type == ASTType.Variable and node.name != "_":
        yield node.name
    for child in children(node):
        yield from variables(child)


def signatures(symbol: AST, sign: str = "") -> list[Atom]:
    """Name, arity and arguments of an atom, for each alternative of its pool."""
    kind = symbol.ast_type
    if kind == ASTType.Function:
        return [(sign + symbol.name, len(symbol.arguments), list(symbol.arguments))]
    if kind == ASTType.UnaryOperation:
        return signatures(symbol.argument, "-")
    return list(chain.from_iterable(signatures(a, sign) for a in symbol.arguments))


def untimed(atom: AST) -> AST:
    """An atom as people read it: with the name in its game, without situations and transitions, and
    with `ANY` for each ``_``."""
    if atom.ast_type == ASTType.Variable and atom.name == "_":
        return ast.SymbolicTerm(atom.location, ANY)
    if atom.ast_type != ASTType.Function:
        return atom
    arguments = [term for term in atom.arguments if getattr(term, "name", "") not in TIMES]
    name = atom.name.removeprefix(OWN)
    return atom.update(name=name, arguments=list(map(untimed, arguments)))


def atoms_of(node: AST) -> Iterator[Atom]:
    """The atoms anywhere in a part of a rule."""
    if node.ast_type == ASTType.SymbolicAtom:
        yield from signatures(node.symbol)
        return
    for child in children(node):
        yield from atoms_of(child)
