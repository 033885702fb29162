"""Predicates of a ruleset whose names the core has as well, renamed to separate them.

A predicate that a ruleset both gives and reads is its own, unless the contract defines it. If the
core has one of the same name and arity, the ruleset's gets the prefix `OWN` after the gate, so that
neither reads what the other gives.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from clingo import ast
from clingo.ast import AST, ASTType

from pymorph.asp.facts import VALUE, Key, Signature, Signs
from pymorph.asp.passes.renaming import rules_in
from pymorph.asp.statements import CheckedStatement
from pymorph.asp.syntax_trees import OWN, Atom

SORTED = re.compile(r"\bfrom\(([a-z_]\w*)\)")
OF_CORE = re.compile(rf"\b{OWN}(?=\w)")
# Facts whose first argument names a predicate, whose second says how many arguments it has.
TABLE: Signature = ("table", 2)
SORT: Signature = ("sort", 2)


def given(statements: Iterable[CheckedStatement]) -> frozenset[Signature]:
    """The predicates that the rules and facts of a ruleset define."""
    return frozenset().union(*(s.heads for s in statements if not s.trusted))


def read(
    statements: Sequence[CheckedStatement], heads: Collection[Signature]
) -> frozenset[Signature]:
    """The predicates that the rules of a ruleset read, and those of its *heads* that make sorts."""
    own = [s for s in statements if not s.trusted]
    names = {name for s in own if SORT in s.heads for name in SORTED.findall(s.text)}
    return frozenset().union(*(s.body for s in own), (h for h in heads if h[0] in names))


def within_reach(
    statements: Sequence[CheckedStatement], known: Collection[Signature]
) -> frozenset[Signature]:
    """The predicates that the rules of the core can derive from the *known* ones."""
    waiting = [s for s in statements if s.trusted and s.heads]
    derived = set(known)
    size = -1
    while size < len(derived):
        size = len(derived)
        for statement in waiting:
            if all(
                any(key[1] == VALUE or key[:2] in derived for key in alternatives)
                for alternatives in statement.signs.needs
            ):
                derived |= statement.heads
    return frozenset(derived)


def with_own_names(
    statements: Sequence[CheckedStatement], own: Collection[Signature]
) -> tuple[CheckedStatement, ...]:
    """The statements, with other names for the predicates that are a ruleset's *own*."""
    if not own:
        return tuple(statements)
    names = {signature: OWN + signature[0] for signature in own}
    return tuple(
        _renamed(s, names) if not s.trusted and _mentions(s, own) else s for s in statements
    )


def as_named(text: str) -> str:
    """A text with the names that the files have."""
    return OF_CORE.sub("", text)


def _mentions(s: CheckedStatement, own: Collection[Signature]) -> bool:
    if not (s.heads | s.body).isdisjoint(own):
        return True
    return bool({TABLE, SORT} & s.heads) and any(name in s.text for name, _ in own)


def _renamed(statement: CheckedStatement, names: dict[Signature, str]) -> CheckedStatement:
    def signature(of: Signature) -> Signature:
        return (names.get(of, of[0]), of[1])

    def key(of: Key) -> Key:
        return (names.get(of[:2], of[0]), *of[1:])

    def atom(of: Atom) -> Atom:
        return (names.get(of[:2], of[0]), *of[1:])

    renaming = _Renaming(names)
    text = "\n".join(str(renaming.visit(rule)) for rule in rules_in(statement.text))
    signs = statement.signs
    return replace(
        statement,
        text=text,
        heads=frozenset(map(signature, statement.heads)),
        body=frozenset(map(signature, statement.body)),
        head_keys=frozenset(map(key, statement.head_keys)),
        body_keys=frozenset(map(key, statement.body_keys)),
        signs=Signs(
            tuple(frozenset(map(key, alternatives)) for alternatives in signs.needs),
            tuple((key(k), signature(s) if s else None) for k, s in signs.gives),
            frozenset(map(key, signs.reads)),
        ),
        head=tuple(map(atom, statement.head)),
        looks=tuple(map(atom, statement.looks)),
    )


class _Renaming(ast.Transformer):
    """Renames predicates, in atoms and where a fact names them."""

    def __init__(self, names: dict[Signature, str]) -> None:
        self.names = names
        self.alone = {name: own for (name, _), own in names.items()}

    def visit_SymbolicAtom(self, node: AST) -> AST:  # noqa: N802
        return node.update(symbol=self.atom(node.symbol))

    def atom(self, term: AST) -> AST:
        if term.ast_type == ASTType.Pool:
            return term.update(arguments=[self.atom(argument) for argument in term.arguments])
        if term.ast_type != ASTType.Function:
            return term
        signature = (term.name, len(term.arguments))
        renamed = term.update(name=self.names.get(signature, term.name))
        if signature == TABLE:
            first, second = term.arguments
            return renamed.update(arguments=[self.named(first, _arity(second)), second])
        if signature == SORT:
            name, kind = term.arguments
            if kind.ast_type == ASTType.Function and kind.name == "from":
                inner = [self.named(argument, None) for argument in kind.arguments]
                return renamed.update(arguments=[name, kind.update(arguments=inner)])
        return renamed

    def named(self, term: AST, arity: int | None) -> AST:
        """The name of a predicate in a fact; of any arity, if that is not given."""
        word = str(term)
        own = self.alone.get(word) if arity is None else self.names.get((word, arity))
        return ast.Function(term.location, own, [], False) if own else term


def _arity(term: AST) -> int | None:
    """The arity of a table: a number, or the number of its sorts."""
    if term.ast_type == ASTType.Function and not term.name:
        return len(term.arguments)
    word = str(term)
    return int(word) if word.isdigit() else None


def tabled(statements: Iterable[CheckedStatement]) -> Iterator[Signature]:
    """The predicates that a ruleset declares as tables by facts."""
    for statement in statements:
        if statement.trusted or TABLE not in statement.heads:
            continue
        for rule in rules_in(statement.text):
            symbol = rule.head.atom.symbol
            if symbol.ast_type == ASTType.Function and len(symbol.arguments) == 2:
                arity = _arity(symbol.arguments[1])
                if arity is not None:
                    yield (str(symbol.arguments[0]), arity)
