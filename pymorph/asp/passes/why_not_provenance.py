"""Why-not provenance: the conditions that prevent rules from deriving an atom.

To say why ``forbidden(take(ada),0,r)`` does not hold, beside rule 0 of those that could derive it,

    forbidden(take(C),S,r) :- considered(take(C),S); not holds(turn,C,S).      are
    met_(0,0) :- considered(take(ada),S).
    met_(0,1) :- holds(turn,ada,S).

>>> from clingo import parse_term
>>> from pymorph.asp.dependency import Statement
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from clingo import Function, Symbol, SymbolType, ast
from clingo.ast import AST, ASTType

from pymorph.asp.dependency import Slice
from pymorph.asp.facts import Key, Signature
from pymorph.asp.grounding import Atoms
from pymorph.asp.syntax_trees import is_atom, signatures, symbol_of, unpooled, untimed
from pymorph.terms import ANY

MET = ("met_", 2)  # by the number of a rule, and of a condition of it
Bindings = dict[str, Symbol]


class Condition(NamedTuple):
    """An atom that a rule requires to hold, or not to hold; *atom* is how people read it."""

    literal: AST
    atom: Symbol
    wanted: bool


class Candidate(NamedTuple):
    """A rule that could have derived an atom, and its conditions then."""

    rule: str
    conditions: tuple[Condition, ...]


class Shortfall(NamedTuple):
    """Why a rule did not derive an atom: conditions that nothing fits, and atoms that hold but must
    not. If there are neither, its conditions do not hold at once; *all* are these."""

    rule: str
    missing: tuple[Symbol, ...]
    against: tuple[Symbol, ...]
    all: tuple[Symbol, ...]


class TestedRules(NamedTuple):
    """A slice that tests which conditions of some rules are met."""

    part: Slice
    candidates: tuple[Candidate, ...]

    def shortfalls(self, atoms: Atoms) -> Iterator[Shortfall]:
        """Why each of the rules did not derive the atom."""
        met = {tuple(argument.number for argument in atom.arguments) for atom in atoms[MET[0]]}
        for number, (rule, conditions) in enumerate(self.candidates):
            wrong = [c for n, c in enumerate(conditions) if ((number, n) in met) != c.wanted]
            missing = tuple(dict.fromkeys(c.atom for c in wrong if c.wanted))
            against = tuple(dict.fromkeys(c.atom for c in wrong if not c.wanted))
            yield Shortfall(rule, missing, against, tuple(c.atom for c in conditions))


def testing(
    part: Slice, predicate: str, first: Symbol, also: Iterable[Signature]
) -> TestedRules | None:
    """A slice of *part* that tests the rules that could give an atom of a *predicate* whose first
    argument is *first*, and that shows some atoms *also*; None, if there is no such rule.

    >>> rule = Statement.of("forbidden(take(C),S,r) :- considered(take(C),S); not holds(turn,C,S).")
    >>> tested = testing(Slice((rule,), ()), "forbidden", parse_term("take(ada)"), ())
    >>> print(*tested.part.added(()), sep="\\n")
    #defined considered/2.
    #defined holds/3.
    #defined met_/2.
    met_(0,0) :- considered(take(ada),S).
    met_(0,1) :- holds(turn,ada,S).
    """
    texts = _giving(part, lambda key: key[::2] == (predicate, first.name))
    candidates = tuple(chain.from_iterable(_candidates(text, first) for text in texts))
    if not candidates:
        return None
    conditions = [
        (f"{MET[0]}({number},{place})", condition.literal)
        for number, candidate in enumerate(candidates)
        for place, condition in enumerate(candidate.conditions)
    ]
    read = (atom[:2] for _, literal in conditions for atom in signatures(literal.atom.symbol))
    shown = (*dict.fromkeys((*also, *read)), MET)
    rules = [f"#defined {name}/{arity}." for name, arity in shown]
    rules += [f"{head} :- {literal}." for head, literal in conditions]
    return TestedRules(Slice(part.parts, shown, part.folders, added=lambda _: rules), candidates)


def _giving(part: Slice, wanted: Callable[[Key], bool]) -> Iterator[str]:
    """The texts of the statements that define atoms of a key that is *wanted*."""
    for text, signs in part.parts:
        if any(wanted(key) for key, _ in signs.defines):
            yield text


def _candidates(text: str, first: Symbol) -> Iterator[Candidate]:
    for rule in unpooled(text):
        head = rule.head.atom.symbol.arguments
        cited = head[-1].symbol.name if head[-1].ast_type == ASTType.SymbolicTerm else ""
        bound: Bindings = {}
        if _fits(head[0], _completed(first, head[0]), bound):
            yield Candidate(cited, tuple(_conditions(rule.body, bound)))


def _completed(value: Symbol, term: AST) -> Symbol:
    """A value with `ANY` for the arguments of a term that were left out, those before its last one;
    of a single argument it is the others."""
    number = len(term.arguments) if term.ast_type == ASTType.Function else 0
    if value.type != SymbolType.Function or number <= len(value.arguments):
        return value
    place = max(len(value.arguments) - 1, 1)
    first, last = value.arguments[:place], value.arguments[place:]
    between = [ANY] * (number - len(value.arguments))
    return Function(value.name, [*first, *between, *last])


def conditions_of(part: Slice, atom: Symbol) -> Iterator[Symbol]:
    """The conditions of the rules of *part* that could derive an atom, all as people read them.

    >>> rule = Statement.of("near(P,S) :- holds(at(ada),P,S); not closed(P).")
    >>> list(map(str, conditions_of(Slice((rule,), ()), parse_term("near(door)"))))
    ['holds(at(ada),door)']
    """
    for text in _giving(part, lambda key: key[0] == atom.name):
        for rule in unpooled(text):
            bound: Bindings = {}
            if _fits(untimed(rule.head.atom.symbol), atom, bound):
                yield from (c.atom for c in _conditions(rule.body, bound) if c.wanted)


def _fits(term: AST, value: Symbol, bound: Bindings) -> bool:
    """Can a term be a value? Then its variables are *bound*; a calculation may be anything, and
    `ANY` fits any term."""
    kind = term.ast_type
    if value == ANY:
        return True
    if kind == ASTType.Variable:
        return term.name == "_" or bound.setdefault(term.name, value) == value
    if kind == ASTType.SymbolicTerm:
        return bool(term.symbol == value)
    if kind != ASTType.Function:
        return True
    if value.type != SymbolType.Function or term.name != value.name:
        return False
    pairs: Sequence[tuple[AST, Symbol]] = list(zip(term.arguments, value.arguments, strict=False))
    return len(term.arguments) == len(value.arguments) and all(_fits(*p, bound) for p in pairs)


def _conditions(body: Iterable[AST], bound: Mapping[str, Symbol]) -> Iterator[Condition]:
    bind = Binding(bound)
    for part in body:
        if not is_atom(part):
            continue
        literal = bind.visit(part)
        atom = symbol_of(untimed(literal.atom.symbol))
        atom = atom.arguments[0] if atom.name == "does" else atom
        wanted = part.sign != ast.Sign.Negation
        if wanted or ANY not in atom.arguments:
            yield Condition(literal.update(sign=ast.Sign.NoSign), atom, wanted)


class Binding(ast.Transformer):
    """Replaces variables by their values."""

    def __init__(self, bound: Mapping[str, Symbol]) -> None:
        self._bound = bound

    def visit_Variable(self, node: AST) -> AST:  # noqa: N802
        value = self._bound.get(node.name)
        return node if value is None else ast.SymbolicTerm(node.location, value)
