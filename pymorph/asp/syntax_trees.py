"""The trees that clingo makes of statements: their parts, and the atoms in them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from clingo import ast
from clingo.ast import AST, ASTSequence, ASTType

from pymorph.terms import ANY

OWN = "own__"  # before what a ruleset calls its own, if the core has a word of that name
UNTOLD = frozenset({"S", "T"})  # the variables of situations and transitions
Atom = tuple[str, int, list[AST]]  # name, arity and arguments


def positive(part: AST) -> bool:
    """Is a part of a body an atom that has to hold?"""
    return bool(
        part.ast_type == ASTType.Literal
        and part.sign == ast.Sign.NoSign
        and part.atom.ast_type == ASTType.SymbolicAtom
    )


def children(node: AST) -> Iterator[AST]:
    """The parts of which a part of a rule is directly made."""
    for child in node.values():
        for each in child if isinstance(child, ASTSequence) else (child,):
            if isinstance(each, AST):
                yield each


def signatures(symbol: AST, sign: str = "") -> list[Atom]:
    """Name, arity and arguments of an atom, for each alternative of its pool."""
    kind = symbol.ast_type
    if kind == ASTType.Function:
        return [(sign + symbol.name, len(symbol.arguments), list(symbol.arguments))]
    if kind == ASTType.UnaryOperation:
        return signatures(symbol.argument, "-")
    return list(chain.from_iterable(signatures(a, sign) for a in symbol.arguments))


def untimed(atom: AST) -> AST:
    """An atom as it is told: as its game calls it, without situations and transitions, and `ANY`
    for each ``_``."""
    if atom.ast_type == ASTType.Variable and atom.name == "_":
        return ast.SymbolicTerm(atom.location, ANY)
    if atom.ast_type != ASTType.Function:
        return atom
    told = [each for each in atom.arguments if getattr(each, "name", "") not in UNTOLD]
    name = atom.name.removeprefix(OWN)
    return atom.update(name=name, arguments=list(map(untimed, told)))


def atoms_of(node: AST) -> Iterator[Atom]:
    """The atoms in a part of a rule, wherever they stand in it."""
    if node.ast_type == ASTType.SymbolicAtom:
        yield from signatures(node.symbol)
        return
    for child in children(node):
        yield from atoms_of(child)
