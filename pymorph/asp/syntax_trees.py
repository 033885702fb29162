"""Helpers for the syntax trees of statements: their parts, and the atoms in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from clingo import Function, Symbol, SymbolType, ast
from clingo.ast import AST, ASTSequence, ASTType, Sign

from pymorph.asp.facts import PAIRED, Key, Signature, Signs, paired
from pymorph.terms import ANY

OWN = "own__"  # the prefix of a predicate of a ruleset that the core has as well
# The parts of a rule in which there are atoms.
WITH_ATOMS = frozenset(
    (
        ASTType.Literal, ASTType.Aggregate, ASTType.BodyAggregate, ASTType.BodyAggregateElement,
        ASTType.HeadAggregate, ASTType.HeadAggregateElement, ASTType.Disjunction,
    )
)  # fmt: skip
TIMES = frozenset({"S", "T"})  # the variables of situations and transitions
Atom = tuple[str, int, list[AST]]  # name, arity and arguments


class Occurrence(NamedTuple):
    """An atom in a rule: its tree, and each alternative of its pool.

    It is *derived* in a head, and *needed* if the body cannot hold without it.
    """

    tree: AST
    atoms: list[Atom]
    derived: bool
    needed: bool


class RuleAtoms(NamedTuple):
    """The atoms of a rule: those of its head, those that its body requires, all of its body."""

    heads: Sequence[Atom]
    required: Sequence[Atom]
    body: Sequence[Atom]

    @classmethod
    def of(cls, every: Sequence[Occurrence]) -> RuleAtoms:
        return cls(
            [atom for one in every if one.derived for atom in one.atoms],
            [atom for one in every if one.needed for atom in one.atoms],
            [atom for one in every if not one.derived for atom in one.atoms],
        )


@lru_cache(maxsize=2_000)
def rules_in(text: str) -> tuple[AST, ...]:
    """The syntax trees of the rules and facts in a text."""
    nodes: list[AST] = []
    ast.parse_string(text, nodes.append)
    return tuple(node for node in nodes if node.ast_type == ASTType.Rule)


def unpooled(text: str) -> list[AST]:
    """The same, one rule for each alternative of their pools."""
    return [rule for pooled in rules_in(text) for rule in pooled.unpool()]


def positive(part: AST) -> bool:
    """Is a part of a body an atom that has to hold?"""
    return is_atom(part) and bool(part.sign == Sign.NoSign)


def is_atom(part: AST) -> bool:
    """Is a part of a rule an atom, or the negation of one?"""
    return bool(part.ast_type == ASTType.Literal and part.atom.ast_type == ASTType.SymbolicAtom)


def children(node: AST) -> Iterator[AST]:
    """The direct parts of a part of a rule."""
    for key in node.child_keys:
        child = getattr(node, key)
        yield from child if isinstance(child, ASTSequence) else filter(None, (child,))


def parts_of(node: AST) -> Iterator[AST]:
    """A part of a rule, and all parts within it, in the order of the text."""
    yield node
    for child in children(node):
        yield from parts_of(child)


def variables(node: AST) -> Iterator[str]:
    """The names of the variables in a part of a rule, but for ``_``."""
    for part in parts_of(node):
        if part.ast_type == ASTType.Variable and part.name != "_":
            yield part.name


def calls_in(node: AST) -> Iterator[AST]:
    """The calls of @functions in a part of a rule."""
    for part in parts_of(node):
        if part.ast_type == ASTType.Function and part.external:
            yield part


def alternatives(term: AST) -> Iterator[AST]:
    """The alternatives of a pool, or the term itself."""
    if term.ast_type == ASTType.Pool:
        for argument in term.arguments:
            yield from alternatives(argument)
    else:
        yield term


def named(term: AST) -> Signature | None:
    """Name and number of arguments of a term, if it is a plain one."""
    if term.ast_type == ASTType.Function and not term.external and term.name:
        return term.name, len(term.arguments)
    symbol = value_of(term)
    if symbol is not None and symbol.type == SymbolType.Function:
        return symbol.name, len(symbol.arguments)
    return None


def value_of(term: AST) -> Symbol | None:
    """The constant that a term is, if it is one."""
    value: Symbol | None = term.symbol if term.ast_type == ASTType.SymbolicTerm else None
    return value


def names_in(node: AST) -> dict[str, None]:
    """The names of predicates, functions and constants in a part of a rule, in order."""
    return {form[0]: None for form in map(named, parts_of(node)) if form}


def symbol_of(term: AST) -> Symbol:
    """A term as a symbol, with `ANY` for what may be anything."""
    if term.ast_type != ASTType.Function or term.external:
        return value_of(term) or ANY
    return Function(term.name, list(map(symbol_of, term.arguments)))


def functors(term: AST) -> Iterator[str | None]:
    """The functor of a term, for each alternative of a pool; None if it is not known."""
    for one in alternatives(term):
        if one.ast_type == ASTType.Function and not one.external:
            yield one.name
        else:
            form = named(one)
            yield form[0] if form else None


def signatures(symbol: AST, sign: str = "") -> list[Atom]:
    """Name, arity and arguments of an atom, for each alternative of its pool."""
    kind = symbol.ast_type
    if kind == ASTType.Function:
        return [(sign + symbol.name, len(symbol.arguments), list(symbol.arguments))]
    if kind == ASTType.UnaryOperation:
        return signatures(symbol.argument, "-")
    return list(chain.from_iterable(signatures(a, sign) for a in symbol.arguments))


def occurrences_in(rule: AST) -> list[Occurrence]:
    """The atoms of a rule, those of its head first; what a constraint denies is not derived."""
    denial = rule.head.ast_type == ASTType.Literal and rule.head.sign != Sign.NoSign
    heads = () if denial else occurrences(rule.head, derived=True)
    return [*heads, *chain.from_iterable(occurrences(part, top=True) for part in rule.body)]


def occurrences(node: AST, derived: bool = False, top: bool = False) -> Iterator[Occurrence]:
    """The atoms in a part of a rule; *top*: it is a part of the rule's body.

    Those that the conditions of a head read are not *derived*.
    """
    kind = node.ast_type
    if kind == ASTType.Literal and (atom := node.atom).ast_type == ASTType.SymbolicAtom:
        symbol = atom.symbol
        yield Occurrence(symbol, signatures(symbol), derived, top and node.sign == Sign.NoSign)
    elif kind == ASTType.ConditionalLiteral:
        yield from occurrences(node.literal, derived)
        yield from chain.from_iterable(map(occurrences, node.condition))
    elif kind in WITH_ATOMS:
        for part in children(node):
            yield from occurrences(part, derived)


def signs_of(every: Sequence[Occurrence], shown: frozenset[Key] = frozenset()) -> Signs:
    """The keys that a statement requires, defines and uses; it uses those that are *shown*."""
    requires = []
    uses = set(shown)
    sources: dict[str, Signature] = {}  # of variables
    for _, atoms, derived, needed in every:
        if derived:
            continue
        keys = frozenset(chain.from_iterable(map(keys_of_atom, atoms)))
        uses |= keys
        if not needed:
            continue
        requires.append(keys)
        name, arity, arguments = atoms[0]
        if len(atoms) == 1 and arguments and arguments[0].ast_type == ASTType.Variable:
            sources.setdefault(arguments[0].name, (name, arity))
    defines = [
        (key, sources.get(getattr(atom[2][0], "name", "")) if atom[2] else None)
        for occurrence in every
        for atom in (occurrence.atoms if occurrence.derived else ())
        for key in keys_of_atom(atom)
    ]
    return Signs(tuple(requires), tuple(defines), frozenset(uses))


def keys_of_atom(atom: Atom) -> Iterator[Key]:
    """The keys of an atom, whatever its predicate; those of pairs have both words."""
    name, arity, arguments = atom
    for functor in functors(arguments[0]) if arguments else (None,):
        if (name, arity) in PAIRED:
            for second in functors(arguments[1]):
                yield (name, arity, paired(functor, second))
        else:
            yield (name, arity, functor)


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


class Renamer(ast.Transformer):
    """Gives each atom the name that *name_of* says.

    With ``lambda atom: "new_" + atom.name``, ``p(X) :- q(X).`` becomes ``new_p(X) :- new_q(X).``
    """

    def __init__(self, name_of: Callable[[AST], str]) -> None:
        self.name_of = name_of

    def visit_SymbolicAtom(self, node: AST) -> AST:  # noqa: N802
        return node.update(symbol=self.renamed(node.symbol))

    def renamed(self, term: AST) -> AST:
        """An atom, or each alternative of its pool, with its other name."""
        if term.ast_type == ASTType.Pool:
            return term.update(arguments=list(map(self.renamed, term.arguments)))
        return term.update(name=self.name_of(term)) if term.ast_type == ASTType.Function else term


def by_signature(names: Mapping[Signature, str]) -> Callable[[AST], str]:
    """The other *names* of some predicates."""
    return lambda atom: names.get((atom.name, len(atom.arguments)), atom.name)
