"""Rules that read the position after an action, ``after(A, S)``: which they are, and what of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from clingo.ast import (
    AST,
    ASTType,
    Function,
    Literal,
    Sign,
    SymbolicAtom,
    Transformer,
    parse_string,
)

from pymorph.asp.facts import PAIRED, Key, Signature, paired
from pymorph.asp.passes.owning import as_named
from pymorph.asp.statements import CheckedStatement
from pymorph.asp.trees import MADE, atoms_of, children, positive, signatures

AFTER = "after__"  # before the name of a predicate: what it tells of the position after an action
SEEN = f"{AFTER}seen"  # of the position after an action: it is looked at
CONDITION = re.compile(rf"(?:; |, |: ){SEEN}\(")
WRITTEN = re.compile(r"\bafter\(")
TERM: Signature = ("after", 2)
JUDGING: frozenset[Signature] = frozenset({("forbidden", 3), ("waits", 3), ("unsettled", 4)})
STRAY = "after(A, S) must be the situation of an atom, as in holds(F, V, after(A, S))"
DEEP = "in after(A, S), S must be a situation, without another after"


class AheadRule(NamedTuple):
    """The rule of that *number*, which looks ahead: what it wants to know of the position after an
    action, and what is wrong with it."""

    number: int
    tree: AST
    wanted: frozenset[Key]
    faults: tuple[str, ...]

    @property
    def about_its_own(self) -> bool:
        """Does it judge the action at which it looks, or look at one that is done? Then no other
        has to be known."""
        looked_at = {str(term.arguments[0]) for term in terms(self.tree)}
        done = {
            str(arguments[0])
            for part in self.tree.body
            if positive(part)
            for name, arity, arguments in signatures(part.atom.symbol)
            if (name, arity) == ("does", 3)
        }
        for name, arity, arguments in signatures(self.tree.head.atom.symbol):
            if (name, arity) not in JUDGING:
                return looked_at <= done
            done = {*done, str(arguments[0])}
        return looked_at <= done

    def text(self, names: Mapping[Signature, str]) -> str:
        """The rule, where what it reads of the position after an action has other *names*. It
        speaks of nothing but actions that are looked at."""
        return str(_Renaming(names).rule(self.tree))


def readers(statements: Sequence[CheckedStatement]) -> list[AheadRule]:
    """Those of some statements that look ahead."""
    found = []
    for number, statement in enumerate(statements):
        if statement.kind != "rule" or statement.trusted or not WRITTEN.search(statement.text):
            continue
        trees: list[AST] = []
        parse_string(statement.text, trees.append)
        tree = trees[-1]
        if any(True for _ in terms(tree)):
            found.append(_reader(number, tree))
    return found


def looks_at_others(statements: Sequence[CheckedStatement]) -> bool:
    """Does any of some statements look at what other actions would lead to? Then all that are
    proposed have to be known."""
    return not all(reader.about_its_own for reader in readers(statements))


def terms(node: AST) -> Iterator[AST]:
    """The terms ``after(A, S)`` in a part of a rule, those within one another too."""
    if _is_term(node):
        yield node
    if node.ast_type == ASTType.SymbolicAtom:
        for _, _, arguments in signatures(node.symbol):
            for argument in arguments:
                yield from terms(argument)
        return
    for child in children(node):
        yield from terms(child)


def _is_term(node: AST) -> bool:
    plain = node.ast_type == ASTType.Function and not node.external
    return plain and (node.name, len(node.arguments)) == TERM


def _reader(number: int, tree: AST) -> AheadRule:
    """What a rule wants to know; a term counts that is an argument of an atom of its body."""
    placed: list[AST] = []
    wanted: set[Key] = set()
    for part in tree.body:
        for name, arity, arguments in atoms_of(part):
            mine = [argument for argument in arguments if _is_term(argument)]
            placed += mine
            if mine:
                wanted.add((name, arity, _word(name, arguments)))
    every = list(terms(tree))
    faults = []
    if any(True for term in every for each in term.arguments for _ in terms(each)):
        faults.append(DEEP)
    elif len(placed) != len(every):
        faults.append(STRAY)
    return AheadRule(number, tree, frozenset(wanted), tuple(faults))


def _word(name: str, arguments: Sequence[AST]) -> str | None:
    """The functor by which the key of an atom goes."""
    words = [_functor(argument) for argument in arguments[:2]]
    if (name, len(arguments)) in PAIRED:
        return paired(words[0], words[1])
    return words[0]


def _functor(term: AST) -> str | None:
    if term.ast_type == ASTType.Function and not term.external:
        return str(term.name) or None
    if term.ast_type == ASTType.SymbolicTerm:
        return getattr(term.symbol, "name", None) if str(term)[:1].isalpha() else None
    return None


def is_made(text: str) -> bool:
    """Has a statement been made from those of a ruleset, to look ahead?"""
    return bool(MADE.search(text))


def as_written(text: str) -> str:
    """The text of a statement as it was before."""
    found = CONDITION.search(text)
    while found:
        end, depth = found.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[: found.start()] + text[end:]
        found = CONDITION.search(text)
    return as_named(MADE.sub("", text))


class _Renaming(Transformer):
    """Other names for what is read of the position after an action."""

    def __init__(self, names: Mapping[Signature, str]) -> None:
        self.names = names

    def rule(self, tree: AST) -> AST:
        body: list[AST] = []
        guards: dict[str, AST] = {}
        for part in tree.body:
            if part.ast_type == ASTType.Literal and part.atom.ast_type == ASTType.SymbolicAtom:
                if not positive(part):
                    guards.update((str(term), term) for term in terms(part))
                body.append(self.visit(part))
            else:
                body.append(self.visit(part))
        return tree.update(body=[*body, *map(_guard, guards.values())])

    def visit_SymbolicAtom(self, node: AST) -> AST:  # noqa: N802
        return node.update(symbol=self._named(node.symbol))

    def visit_ConditionalLiteral(self, node: AST) -> AST:  # noqa: N802
        return self._guarded(node)

    def visit_BodyAggregateElement(self, node: AST) -> AST:  # noqa: N802
        return self._guarded(node)

    def _guarded(self, node: AST) -> AST:
        """With the condition that what is looked at is there."""
        guards = {str(term): term for term in terms(node)}
        new = node.update(**self.visit_children(node))
        return new.update(condition=[*new.condition, *map(_guard, guards.values())])

    def _named(self, symbol: AST) -> AST:
        if symbol.ast_type == ASTType.Pool:
            return symbol.update(arguments=[self._named(each) for each in symbol.arguments])
        if symbol.ast_type != ASTType.Function or not any(map(_is_term, symbol.arguments)):
            return symbol
        signature = (symbol.name, len(symbol.arguments))
        return symbol.update(name=self.names.get(signature, symbol.name))


def _guard(term: AST) -> AST:
    atom = SymbolicAtom(Function(term.location, SEEN, [term], 0))
    return Literal(term.location, Sign.NoSign, atom)
