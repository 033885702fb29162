"""Numbers that may leave what clingo counts in: 32 bits, past which it goes round in silence.

The ranges of sorts and figures, and the numbers in facts, bound the variables of a rule; what its
arithmetic may come to follows, and what it sums or counts over the members of sorts. Of what is
bounded by none of these nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from clingo import Symbol, SymbolType
from clingo.ast import (
    AST,
    AggregateFunction,
    ASTType,
    BinaryOperator,
    ComparisonOperator,
    Sign,
    UnaryOperator,
    parse_string,
)

from pymorph.asp.facts import Signature
from pymorph.asp.statements import CheckedStatement
from pymorph.asp.trees import Atom, children, positive, signatures
from pymorph.board.lengths.rulers import FARTHEST
from pymorph.errors import Fault
from pymorph.ruleset.checks.lint import variables
from pymorph.ruleset.vocabulary import MAX_LISTED, MEASURED, Vocabulary

MOST = 2**31 - 1
LARGE = 10**7  # of numbers up to this, only products get far
WORK = re.compile(r"[\d\w)]\s*\*|\d{8}")
ANY_WORK = re.compile(r"[\d\w)]\s*[-+*]")
DEEPEST = 12
RAISING = max(BinaryOperator)  # N ** K
VALUED = {("holds", 3), ("next", 3), ("total", 3)}  # one value for each fluent or figure
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
            says = f"{term} can reach {most:,}, above the largest whole number, {MOST:,}"
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
        for _, aggregate in _summed(rule.body):
            bound = self._aggregate(aggregate, rule, given)
            if bound is not None and abs(far := max(bound, key=abs)) > MOST:
                yield str(aggregate).partition(" = ")[2], far
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
        for name, aggregate in _summed(rule.body):
            _meet(given, name, self._aggregate(aggregate, rule, given))
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

    def _aggregate(self, aggregate: AST, rule: AST, given: Mapping[str, Interval]) -> Bound:
        """What an aggregate may come to: its weights, as often as its tuples may differ."""
        least = most = 0
        weights = []
        outer = {v for part in rule.body if positive(part) for v in variables(part)}
        for element in aggregate.elements:
            inner = dict(given)
            atoms = [a for c in element.condition if positive(c) for a in signatures(c.atom.symbol)]
            for name, arity, arguments in atoms:
                self._from_atom((name, arity), arguments, inner)
            weight = _value(element.terms[0], inner) if element.terms else None
            number = self._different(element.terms, atoms, inner, outer)
            if aggregate.function == AggregateFunction.Count:
                weight = Interval(0, 1)
            if weight is None or number is None:
                return None
            weights.append(weight)
            least += min(weight.low, 0) * number
            most += max(weight.high, 0) * number
        if aggregate.function in (AggregateFunction.Min, AggregateFunction.Max):
            return _hull(weights)
        return Interval(0 if aggregate.function == AggregateFunction.SumPlus else least, most)

    def _different(
        self,
        terms: Iterable[AST],
        atoms: Iterable[Atom],
        inner: Mapping[str, Interval],
        outer: set[str],
    ) -> int | None:
        """How many different tuples of these terms there may be, as far as sorts tell.

        The value of a fluent or figure of which the arguments are told makes none more.
        """
        names = {v for term in terms for v in variables(term)} - outer
        sizes = {name: bound.high - bound.low + 1 for name, bound in inner.items()}
        for name, arity, arguments in atoms:
            sorts = self._words.tables.get(name, ())
            pairs = [*zip(arguments, sorts, strict=True)] if len(sorts) == arity else []
            for term in (*arguments, *(inside for a in arguments for inside in _inside(a))):
                pairs += zip(_inside(term), self._sorts(term), strict=False)
            if (name, arity) in COUNTED and (fluent := self._fluent(arguments[0])):
                pairs.append((arguments[1], fluent))
            for term, sort in pairs:
                size = self._size(sort)
                if size is not None and term.ast_type == ASTType.Variable:
                    sizes[term.name] = min(size, sizes.get(term.name, size))
        number = 1
        for name, arity, arguments in atoms:
            value = arguments[1] if (name, arity) in VALUED else None
            if value is not None and value.ast_type == ASTType.Variable:
                rest = names - {value.name}
                names = rest if rest | outer >= {*variables(arguments[0])} else names
        for each in names:
            if each not in sizes:
                return None
            number *= sizes[each]
        return number

    def _fluent(self, term: AST) -> str:
        """The sort of the values of the fluent that a term is."""
        name = str(term.symbol) if term.ast_type == ASTType.SymbolicTerm else ""
        found = self._words.fluents.get(name or getattr(term, "name", ""))
        return found.value if found else ""

    def _size(self, name: str) -> int | None:
        """How many members a sort has; None, if that hangs on a position's board."""
        sort = self._words.sorts[name]
        if sort.kind == "range":
            return sort.high - sort.low + 1
        if sort.kind == "file":
            return MAX_LISTED
        if sort.kind == "union":
            sizes = [self._size(part.name) for part in sort.members]
            return None if None in sizes else sum(size or 0 for size in sizes)
        if sort.kind in MEASURED:
            return None
        if sort.kind == "board":
            return len(self._words.usual_scene().places) or None
        return len(sort.members) or None

    def _sorts(self, term: AST) -> Sequence[str]:
        if term.ast_type != ASTType.Function or term.external:
            return ()
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
        if sort.kind == "length":
            return Interval(0, FARTHEST)
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


def _summed(body: Iterable[AST]) -> Iterator[tuple[str, AST]]:
    """The variables of a body that are what an aggregate comes to, and that."""
    for part in body:
        if part.ast_type != ASTType.Literal or part.atom.ast_type != ASTType.BodyAggregate:
            continue
        guard = part.atom.left_guard
        equal = guard and guard.comparison == ComparisonOperator.Equal
        if part.sign == Sign.NoSign and equal and guard.term.ast_type == ASTType.Variable:
            yield guard.term.name, part.atom


def _inside(term: AST) -> Sequence[AST]:
    """The arguments of a term."""
    plain = term.ast_type == ASTType.Function and not term.external
    return list(term.arguments) if plain else ()


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
