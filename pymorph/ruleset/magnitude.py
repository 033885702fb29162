"""Numbers that may leave what clingo counts in: 32 bits, past which it goes round in silence.

The ranges of sorts and figures, and the numbers in facts, bound the variables of a rule; what its
arithmetic may come to follows. Of what is bounded by none of these nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from clingo import Symbol, SymbolType
from clingo.ast import AST, ASTType, BinaryOperator, UnaryOperator, parse_string

from pymorph.asp.facts import Signature
from pymorph.asp.program import CheckedStatement, children, positive, signatures
from pymorph.errors import Fault
from pymorph.ruleset.vocabulary import Vocabulary

MOST = 2**31 - 1
LARGE = 10**7  # of numbers up to this, only products get far
WORK = re.compile(r"[\d\w)]\s*\*|\d{8}")
ANY_WORK = re.compile(r"[\d\w)]\s*[-+*]")
DEEPEST = 12
RAISING = max(BinaryOperator)  # N ** K
COUNTED = {("holds", 3): (0, 1), ("next", 3): (0, 1), ("sets", 4): (0, 1), ("total", 3): (0, 1)}


class Interval(NamedTuple):
    low: int
    high: int


Bound = Interval | None  # None: nothing is known
Rows = Mapping[Signature, list[tuple[Symbol, ...]]]


def overflows(
    statements: Sequence[CheckedStatement], words: Vocabulary, rows: Rows
) -> Iterator[Fault]:
    """The arithmetic that may leave 32 bits, each with the place of its rule."""
    found = Magnitudes(statements, words, rows)
    ends = [n for s in words.sorts.values() for n in (s.low, s.high)]
    ends += [n for f in words.figures.values() for n in (f.low, f.high)]
    work = ANY_WORK if max(map(abs, ends), default=0) > LARGE else WORK
    for statement in statements:
        if statement.trusted or statement.kind != "rule" or not work.search(statement.text):
            continue
        for term, most in found.past_the_end(statement.text):
            says = f"{term} may come to {most:,}, and whole numbers end at {MOST:,}"
            yield Fault(says, statement.place)


class Magnitudes:
    """What the numbers of a ruleset may be, as far as its declarations tell."""

    def __init__(
        self, statements: Sequence[CheckedStatement], words: Vocabulary, rows: Rows
    ) -> None:
        self._words, self._rows = words, rows
        self._rules: dict[Signature, list[str]] = {}
        for statement in statements:
            for head in statement.heads if statement.kind == "rule" else ():
                self._rules.setdefault(head, []).append(statement.text)
        self._known: dict[tuple[Signature, int], Bound] = {}
        self._depth = 0
        self._trees: dict[str, AST | None] = {}

    def past_the_end(self, text: str) -> Iterator[tuple[str, int]]:
        """The terms of a rule that may leave 32 bits, and how far they get."""
        rule = self._parsed(text)
        if rule is None:
            return
        given = self._bounds(rule)
        seen = set()
        for term in _operations(rule):
            inner = [_value(part, given) for part in children(term)]
            bound = _value(term, given)
            if bound is None or str(term) in seen:
                continue
            seen.add(str(term))
            far = max(bound, key=abs)
            if abs(far) > MOST and all(i is None or abs(max(i, key=abs)) <= MOST for i in inner):
                yield str(term), far

    def _parsed(self, text: str) -> AST | None:
        if text not in self._trees:
            trees: list[AST] = []
            parse_string(text, trees.append)
            self._trees[text] = trees[-1] if trees[-1].ast_type == ASTType.Rule else None
        return self._trees[text]

    def _bounds(self, rule: AST) -> dict[str, Interval]:
        """What is known of the variables of a rule."""
        given: dict[str, Interval] = {}
        for part in rule.body:
            for name, arity, arguments in signatures(part.atom.symbol) if positive(part) else ():
                self._from_atom((name, arity), arguments, given)
        comparisons = [c for part in rule.body for c in _comparisons(part)]
        for left, sign, right in (*comparisons, *comparisons):
            if left.ast_type == ASTType.Variable:
                _narrow(given, left.name, sign, _value(right, given))
        return given

    def _from_atom(
        self, signature: Signature, arguments: Sequence[AST], given: dict[str, Interval]
    ) -> None:
        declared = COUNTED.get(signature)
        for place, argument in enumerate(arguments):
            if argument.ast_type == ASTType.Variable:
                if declared and place == 1:
                    _meet(given, argument.name, self._valued(arguments[0]))
                elif not declared:
                    sort = str(arguments[0]) if signature == ("member", 2) and place else ""
                    known = sort in self._words.sorts
                    bound = self._sort(sort) if known else self._argument(signature, place)
                    _meet(given, argument.name, bound)
            elif argument.ast_type == ASTType.Function and not argument.external:
                for sort, inner in zip(self._sorts(argument), argument.arguments, strict=False):
                    if inner.ast_type == ASTType.Variable:
                        _meet(given, inner.name, self._sort(sort))

    def _sorts(self, term: AST) -> Sequence[str]:
        words = self._words
        for declared in (words.fluents, words.actions, words.figures):
            found = declared.get(term.name)
            if found is not None and len(found.sorts) == len(term.arguments):
                return tuple(found.sorts)
        return ()

    def _valued(self, term: AST) -> Bound:
        """What a fluent or a figure may be."""
        plain = term.ast_type == ASTType.SymbolicTerm
        name = str(term.symbol) if plain else getattr(term, "name", "")
        if name in self._words.figures:
            figure = self._words.figures[name]
            return Interval(figure.low, figure.high)
        fluent = self._words.fluents.get(name)
        return self._sort(fluent.value) if fluent else None

    def _sort(self, name: str) -> Bound:
        sort = self._words.sorts[name]
        if sort.kind == "range":
            return Interval(sort.low, sort.high)
        if sort.kind == "union":
            return _hull(b for b in (self._sort(part.name) for part in sort.members) if b)
        return _hull(_numbers(sort.members))

    def _argument(self, signature: Signature, place: int) -> Bound:
        """What an argument of a predicate may be: of its facts, and of the heads of its rules."""
        key = (signature, place)
        if key not in self._known:
            self._known[key] = None  # what rests on itself is not known
            if self._depth < DEEPEST:
                self._depth += 1
                self._known[key] = self._given(signature, place)
                self._depth -= 1
        return self._known[key]

    def _given(self, signature: Signature, place: int) -> Bound:
        found = list(_numbers(row[place] for row in self._rows.get(signature, ())))
        for text in self._rules.get(signature, ()):
            rule = self._parsed(text)
            if rule is None or rule.head.ast_type != ASTType.Literal:
                return None
            given = self._bounds(rule)
            for name, arity, arguments in signatures(rule.head.atom.symbol):
                if (name, arity) == signature:
                    bound = _value(arguments[place], given)
                    if bound is None:
                        return None
                    found.append(bound)
        return _hull(found)


def _operations(node: AST) -> Iterator[AST]:
    for child in children(node):
        yield from _operations(child)
    if node.ast_type == ASTType.BinaryOperation:
        yield node


def _comparisons(part: AST) -> Iterator[tuple[AST, str, AST]]:
    """The comparisons that a part of a body makes, both ways round: left, sign, right."""
    literal = part.ast_type == ASTType.Literal and part.atom.ast_type == ASTType.Comparison
    if not literal or part.sign:
        return
    terms = [part.atom.term, *(guard.term for guard in part.atom.guards)]
    for left, guard, right in zip(terms, part.atom.guards, terms[1:], strict=False):
        sign = (">", "<", "<=", ">=", "!=", "=")[guard.comparison]
        yield left, sign, right
        yield right, {">": "<", "<": ">", "<=": ">=", ">=": "<="}.get(sign, sign), left


def _narrow(given: dict[str, Interval], name: str, sign: str, other: Bound) -> None:
    """Take a comparison with something known into account."""
    if other is None:
        return
    if sign == "=":
        _meet(given, name, other)
    elif name in given and sign in ("<", "<="):
        _meet(given, name, Interval(given[name].low, other.high - (sign == "<")))
    elif name in given and sign in (">", ">="):
        _meet(given, name, Interval(other.low + (sign == ">"), given[name].high))


def _meet(given: dict[str, Interval], name: str, bound: Bound) -> None:
    if bound is None or name == "_":
        return
    known = given.get(name, bound)
    low, high = max(known.low, bound.low), min(known.high, bound.high)
    given[name] = Interval(low, high) if low <= high else Interval(0, 0)


def _numbers(symbols: Iterable[Symbol]) -> Iterator[Interval]:
    return (Interval(s.number, s.number) for s in symbols if s.type == SymbolType.Number)


def _hull(bounds: Iterable[Interval]) -> Bound:
    every = list(bounds)
    return Interval(min(b.low for b in every), max(b.high for b in every)) if every else None


def _value(term: AST, given: Mapping[str, Interval]) -> Bound:
    """What a term may come to."""
    kind = term.ast_type
    if kind == ASTType.SymbolicTerm:
        return _hull(_numbers([term.symbol]))
    if kind == ASTType.Variable:
        return given.get(term.name)
    if kind == ASTType.Interval:
        ends = [_value(term.left, given), _value(term.right, given)]
        return None if None in ends else _hull(end for end in ends if end)
    if kind == ASTType.UnaryOperation:
        inner = _value(term.argument, given)
        if inner is None or term.operator_type == UnaryOperator.Negation:
            return None
        if term.operator_type == UnaryOperator.Absolute:
            return Interval(0, max(map(abs, inner)))
        return Interval(-inner.high, -inner.low)
    if kind != ASTType.BinaryOperation:
        return None
    left, right = _value(term.left, given), _value(term.right, given)
    if left is None or right is None:
        return None
    return _worked(term.operator_type, left, right)


def _worked(operator: int, left: Interval, right: Interval) -> Bound:
    if operator == BinaryOperator.Plus:
        return Interval(left.low + right.low, left.high + right.high)
    if operator == BinaryOperator.Minus:
        return Interval(left.low - right.high, left.high - right.low)
    if operator == BinaryOperator.Multiplication:
        corners = [a * b for a, b in product(left, right)]
        return Interval(min(corners), max(corners))
    if operator == BinaryOperator.Division:
        far = max(map(abs, left))
        if right.low > 0:
            corners = [abs(a) // b * (1 if a > 0 else -1) for a, b in product(left, right)]
            return Interval(min(corners), max(corners))
        return Interval(0 if left.low >= 0 and right.low >= 0 else -far, far)
    if operator == BinaryOperator.Modulo:
        far = max(map(abs, right))
        return Interval(0 if left.low >= 0 else -far, far)
    if operator == RAISING and right.low >= 0:
        far = max(map(abs, left))
        most = far ** min(right.high, 64)
        return Interval(0 if left.low >= 0 else -most, most)
    return None
