"""Predicates of a ruleset whose names the core has as well, renamed to separate them.

A predicate that a ruleset both gives and reads is its own, unless the contract defines it. If the
core has one of the same name and arity, the ruleset's gets the prefix `OWN` after the gate, so that
neither reads what the other gives. With ``route_of/2`` as its own,

    near(P) :- route_of(P, Q), far(Q).      becomes
    near(P) :- own__route_of(P, Q); far(Q).

The examples below are of these rules:

>>> from pymorph.asp.program import GateRules, check
>>> from pymorph.asp.statements import Source
>>> game = b"near(P) :- route_of(P, Q), far(Q). far(b). route_of(a, b)."
>>> core = Source("core.lp", b"reached(P) :- far(P).", trusted=True)
>>> CORE = GateRules(contract=frozenset([("table", 2)]))
>>> RULES = check([Source("game.lp", game), core], CORE)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from clingo import ast
from clingo.ast import AST, ASTType

from pymorph.asp.facts import Signature
from pymorph.asp.statements import CheckedStatement
from pymorph.asp.syntax_trees import OWN, Renamer, by_signature

OF_CORE = re.compile(rf"\b{OWN}(?=\w)")
# Facts whose first argument names a predicate, whose second says how many arguments it has.
TABLE: Signature = ("table", 2)
SORT: Signature = ("sort", 2)


def given(statements: Iterable[CheckedStatement]) -> frozenset[Signature]:
    """The predicates that the rules and facts of a ruleset define.

    >>> sorted(given(RULES))
    [('far', 1), ('near', 1), ('route_of', 2)]
    """
    return frozenset().union(*(s.heads for s in statements if not s.trusted))


def used_words(statements: Iterable[CheckedStatement]) -> frozenset[Signature]:
    """The predicates that a ruleset both defines and uses, in rules or to make a sort of facts.

    >>> sorted(used_words(RULES))
    [('far', 1), ('route_of', 2)]
    """
    own = [s for s in statements if not s.trusted]
    sorts = (s.tree.head.atom.symbol for s in own if s.kind != "rule" and SORT in s.heads)
    names = {str(_table_of(sort)) for sort in sorts if sort.ast_type == ASTType.Function}
    bodies = frozenset().union(*(s.body for s in own))
    return frozenset(word for word in given(own) if word in bodies or word[0] in names)


def within_reach(
    statements: Sequence[CheckedStatement], known: Collection[Signature]
) -> frozenset[Signature]:
    """The predicates that the rules of the core can derive from the *known* ones.

    >>> sorted(within_reach(RULES, [("far", 1)]))
    [('far', 1), ('reached', 1)]
    """
    waiting = [s for s in statements if s.trusted and s.heads]
    derived = set(known)
    size = -1
    while size < len(derived):
        size = len(derived)
        for statement in waiting:
            if all(
                any(key[:2] in derived for key in alternatives)
                for alternatives in statement.signs.requires
            ):
                derived |= statement.heads
    return frozenset(derived)


def with_own_names(
    statements: Sequence[CheckedStatement], own: Collection[Signature]
) -> tuple[CheckedStatement, ...]:
    """The statements, with other names for the predicates that are a ruleset's *own*.

    >>> print(*(rule.text for rule in with_own_names(RULES, [("route_of", 2)])), sep="\\n")
    near(P) :- own__route_of(P,Q); far(Q).
    far(b).
    own__route_of(a,b).
    reached(P) :- far(P).
    """
    if not own:
        return tuple(statements)
    names = {signature: OWN + signature[0] for signature in own}
    return tuple(
        _renamed(s, names) if not s.trusted and _mentions(s, own) else s for s in statements
    )


def as_named(text: str) -> str:
    """A text with the names that the files have.

    >>> as_named("near(P) :- own__route_of(P,Q).")
    'near(P) :- route_of(P,Q).'
    """
    return OF_CORE.sub("", text)


def _mentions(s: CheckedStatement, own: Collection[Signature]) -> bool:
    if not (s.heads | s.body).isdisjoint(own):
        return True
    return bool({TABLE, SORT} & s.heads) and any(name in s.text for name, _ in own)


def _renamed(statement: CheckedStatement, names: Mapping[Signature, str]) -> CheckedStatement:
    tree = _Renamer(names).visit(statement.tree)
    renamed = replace(statement, text=str(tree), signs=statement.signs.renamed(names))
    vars(renamed).update(tree=tree)
    return renamed


class _Renamer(Renamer):
    """Renames predicates also where a fact names them."""

    def __init__(self, names: Mapping[Signature, str]) -> None:
        super().__init__(by_signature(names))
        self.names = names
        self.alone = {name: own for (name, _), own in names.items()}

    def renamed(self, term: AST) -> AST:
        renamed = super().renamed(term)
        if term.ast_type != ASTType.Function:
            return renamed
        signature = (term.name, len(term.arguments))
        if signature == TABLE:
            first, second = term.arguments
            return renamed.update(arguments=[self.name_in(first, _arity(second)), second])
        if signature == SORT and (table := _table_of(term)) is not None:
            inner = [self.name_in(table, None)]
            sort, kind = term.arguments
            return renamed.update(arguments=[sort, kind.update(arguments=inner)])
        return renamed

    def name_in(self, term: AST, arity: int | None) -> AST:
        """The name of a predicate in a fact; of any arity, if that is not given."""
        word = str(term)
        own = self.alone.get(word) if arity is None else self.names.get((word, arity))
        return ast.Function(term.location, own, [], False) if own else term


def _table_of(sort: AST) -> AST | None:
    """The predicate whose facts make a sort, in the declaration of one."""
    kind = sort.arguments[1]
    made = kind.ast_type == ASTType.Function and kind.name == "from"
    return kind.arguments[0] if made and len(kind.arguments) == 1 else None


def _arity(term: AST) -> int | None:
    """The arity of a table: a number, or the number of its sorts."""
    if term.ast_type == ASTType.Function and not term.name:
        return len(term.arguments)
    word = str(term)
    return int(word) if word.isdigit() else None


def tabled(statements: Iterable[CheckedStatement]) -> Iterator[Signature]:
    """The predicates that a ruleset declares as tables by facts.

    >>> list(tabled(check([Source("game.lp", b"table(price, (card, number)).")], CORE)))
    [('price', 2)]
    """
    for statement in statements:
        if statement.trusted or TABLE not in statement.heads:
            continue
        for name, arity, arguments in statement.atoms.heads:
            size = _arity(arguments[1]) if (name, arity) == TABLE else None
            if size is not None:
                yield (str(arguments[0]), size)
