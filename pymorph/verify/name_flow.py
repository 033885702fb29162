"""The flow of names through the rules, and the statements that could tell one from another.

What a position's file names (characters, say) flows from the position through the rules. A
statement that only matches, joins and copies such names treats all alike: names may be exchanged
in what it reads, and are in what it gives. One that compares them by order, takes the least or the
greatest, hands them to a function, or holds them against a word that is none of the game's, may
not; such a statement is *partial*.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from clingo import Symbol, SymbolType, ast
from clingo.ast import AST, ASTType, ComparisonOperator

from pymorph.asp.facts import HOLDS, Signature
from pymorph.asp.passes.renaming import rules_in
from pymorph.asp.syntax_trees import positive, signatures
from pymorph.ruleset.contract import CATALOGUE
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import Declared, Fluent
from pymorph.verify.sources import Sources
from pymorph.verify.spaces.domain import parts_of

Path = tuple[Any, ...]  # numbers of arguments, and functions with theirs between
Suffixes = frozenset[Path]
Seed = tuple[Signature, str | None, Path]
CUT: Path = ("...",)  # at the end of a path: somewhere below
ITSELF: Suffixes = frozenset([()])
BELOW: Suffixes = frozenset([CUT])
NONE: Suffixes = frozenset()
DEEPEST = 5  # how far a path is followed; no difference is made below it
ALIKE = {ComparisonOperator.Equal, ComparisonOperator.NotEqual}  # what does not compare by order
EXTREMES = frozenset({ast.AggregateFunction.Min, ast.AggregateFunction.Max})


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A variable or a word in an atom: where it stands, and what stands there."""

    signature: Signature
    functor: str | None
    path: Path
    term: AST


class Spread:
    """Where terms of a kind may stand in the atoms that rules give: paths by predicate.

    A path goes from an argument down through functions: (0, ("f", 2), 1) is Y in p(f(X, Y), Z).
    A *word* of a rule may be of the kind as well, and so may what is *called* for by an @function.
    """

    def __init__(
        self,
        seeds: Iterable[Seed],
        word: Callable[[Symbol], bool] = lambda _: False,
        called: Suffixes = NONE,
    ) -> None:
        self.word, self.called = word, called
        self.paths: dict[Signature, set[tuple[str | None, Path]]] = defaultdict(set)
        for signature, functor, path in seeds:
            self.paths[signature].add((functor, path))

    def at(self, spot: Occurrence) -> Suffixes:
        """What may be so at a spot and below: the ways down, which is () for the spot itself."""
        found = set()
        size = len(spot.path)
        for functor, path in self.paths.get(spot.signature, ()):
            if None not in (functor, spot.functor) and functor != spot.functor:
                continue
            if path[:size] == spot.path:
                found.add(path[size:])
            elif path[-1:] == CUT and spot.path[: len(path) - 1] == path[:-1]:
                return BELOW
        return frozenset(found)

    def spread(self, rules: Sequence[RuleFlow]) -> Spread:
        """What follows for the heads of rules."""
        reading: dict[Signature, list[RuleFlow]] = defaultdict(list)
        for rule in rules:
            for signature in {spot.signature for spot in rule.read}:
                reading[signature].append(rule)
        agenda = dict.fromkeys(rules)
        while agenda:
            rule = next(iter(agenda))
            del agenda[rule]
            for spot in rule.heads:
                known = self.paths[spot.signature]
                ways = self.ways(rule, spot.term)
                rows = {(spot.functor, shortened(spot.path + way)) for way in ways}
                if not rows <= known:
                    known |= rows
                    agenda.update(dict.fromkeys(reading[spot.signature]))
        return self

    def ways(self, rule: RuleFlow, term: AST) -> Suffixes:
        """What may be so of a term in a rule."""
        kind = term.ast_type
        if kind == ASTType.SymbolicTerm:
            return ITSELF if self.word(term.symbol) else NONE
        if kind == ASTType.Variable:
            bound = rule.bound.get(term.name)
            if bound:
                met = self.at(bound[0])
                for spot in bound[1:]:
                    met = common(met, self.at(spot))
                return met
            found: set[Path] = set()
            for spot in rule.local.get(term.name, ()):
                found |= self.at(spot)
            for other in rule.equal.get(term.name, ()):
                found |= self.ways(rule, other)
            return frozenset(found)
        if kind == ASTType.Function and term.external:
            return self.called
        if kind in (ASTType.Pool, ASTType.Function):
            return BELOW if any(self.ways(rule, each) for each in term.arguments) else NONE
        return NONE


class RuleFlow:
    """A statement, taken apart: what it gives, what binds its variables, what it compares."""

    def __init__(self, number: int, tree: AST) -> None:
        self.number, self.tree = number, tree
        self.heads: list[Occurrence] = []
        self.read: list[Occurrence] = []
        self.bound: dict[str, list[Occurrence]] = defaultdict(list)
        self.local: dict[str, list[Occurrence]] = defaultdict(list)
        self.equal: dict[str, list[AST]] = defaultdict(list)
        self.compared: list[tuple[AST, AST]] = []
        self.ordered: list[tuple[AST, AST]] = []
        self.extreme: list[AST] = []
        self.handed: list[AST] = []
        head = tree.head
        atoms = [head] if head.ast_type == ASTType.Literal else [e.literal for e in head.elements]
        for atom in atoms:
            if atom.atom.ast_type == ASTType.SymbolicAtom:
                self.heads += spots(atom.atom.symbol)
        for literal in tree.body:
            self._literal(literal, self.bound)
        self._functions(tree)

    def _literal(self, literal: AST, binding: dict[str, list[Occurrence]]) -> None:
        kind = literal.ast_type
        if kind == ASTType.ConditionalLiteral:
            for each in (literal.literal, *literal.condition):
                self._literal(each, self.local)
            return
        atom = literal.atom
        if atom.ast_type == ASTType.SymbolicAtom:
            found = spots(atom.symbol)
            self.read += found
            if positive(literal):
                for spot in found:
                    if spot.term.ast_type == ASTType.Variable:
                        binding[spot.term.name].append(spot)
        elif atom.ast_type == ASTType.Comparison:
            left = atom.term
            for guard in atom.guards:
                self._compare(left, guard.comparison, guard.term, literal.sign)
                left = guard.term
        elif atom.ast_type in (ASTType.BodyAggregate, ASTType.Aggregate):
            self._aggregate(atom)

    def _aggregate(self, atom: AST) -> None:
        firsts = []
        extreme = False
        for element in atom.elements:
            if atom.ast_type == ASTType.BodyAggregate:
                extreme = atom.function in EXTREMES
                firsts += list(element.terms[:1])
                for each in element.condition:
                    self._literal(each, self.local)
            else:
                self._literal(element, self.local)
        if extreme:
            self.extreme += firsts
            for guard in (atom.left_guard, atom.right_guard):
                if guard is not None and guard.term.ast_type == ASTType.Variable:
                    self.equal[guard.term.name] += firsts

    def _compare(self, left: AST, how: int, right: AST, sign: int) -> None:
        if how not in ALIKE:
            self.ordered.append((left, right))
            return
        self.compared.append((left, right))
        if how == ComparisonOperator.Equal and sign == ast.Sign.NoSign:
            for one, other in ((left, right), (right, left)):
                if one.ast_type == ASTType.Variable:
                    self.equal[one.name].append(other)

    def _functions(self, tree: AST) -> None:
        handed = self.handed

        class Handed(ast.Transformer):
            def visit_Function(self, term: AST) -> AST:  # noqa: N802
                if term.external:
                    handed.extend(term.arguments)
                return term.update(**self.visit_children(term))

        Handed().visit(tree)


def spots(symbol: AST) -> list[Occurrence]:
    """The variables and words of an atom, each with its way."""
    found = []
    for name, arity, arguments in signatures(symbol):
        functor = None
        if arguments and arguments[0].ast_type == ASTType.Function:
            functor = arguments[0].name or None
        elif arguments and arguments[0].ast_type == ASTType.SymbolicTerm:
            first = arguments[0].symbol
            functor = first.name if first.type == SymbolType.Function else None
        for index, argument in enumerate(arguments):
            for path, term in leaves(argument, (index,)):
                found.append(Occurrence((name, arity), functor, path, term))
    return found


def leaves(term: AST, path: Path) -> Iterator[tuple[Path, AST]]:
    kind = term.ast_type
    if kind == ASTType.Pool:
        for each in term.arguments:
            yield from leaves(each, path)
    elif kind == ASTType.Function and not term.external and term.arguments:
        for index, each in enumerate(term.arguments):
            yield from leaves(each, (*path, (term.name, len(term.arguments)), index))
    else:
        yield path, term


def shortened(path: Path) -> Path:
    return path if len(path) <= DEEPEST else (*path[:DEEPEST], *CUT)


def common(one: Suffixes, other: Suffixes) -> Suffixes:
    """What is so by both."""
    return frozenset(max(a, b, key=len) for a in one for b in other if meet(a, b))


def meet(a: Path, b: Path) -> bool:
    """May two ways be the same?"""
    return (
        a == b
        or (a[-1:] == CUT and b[: len(a) - 1] == a[:-1])
        or (b[-1:] == CUT and a[: len(b) - 1] == b[:-1])
    )


class Naming:
    """Where the names that files list flow in the rules of a ruleset, and what may be partial.

    *strangers* are words that stand where a file's names belong.
    """

    def __init__(self, ruleset: Ruleset, sources: Sources) -> None:
        self.words = ruleset.vocabulary
        self.known = known_words(ruleset)
        self.rules = [
            RuleFlow(number, tree)
            for number, part in sources.numbered
            if sources.statements[number].kind == "rule"
            for tree in rules_in(part.text)
        ]
        sorts = self.words.sorts
        kinds = {s: {sorts[part].kind for part in parts_of(self.words, s)} for s in sorts}
        self.filed = {sort for sort, parts in kinds.items() if "file" in parts}
        symbolic = {sort for sort, parts in kinds.items() if parts - {"range", "union"}}
        self.names = Spread(self._given(self.filed)).spread(self.rules)
        stated = [row for row in _stated(sources) if row[3].type != SymbolType.Number]
        symbols = [*self._given(symbolic), *_situations(), *(row[:3] for row in stated)]
        self.symbols = Spread(symbols, _is_symbol, BELOW).spread(self.rules)
        strange = [row[:3] for row in stated if self.is_strange(row[3])]
        self.strange = Spread(strange, self.is_strange).spread(self.rules)

    def is_strange(self, word: Symbol) -> bool:
        """Is it a word that means nothing in the game, so that it may be somebody's name?"""
        return word.type == SymbolType.Function and word.name not in self.known

    def _given(self, sorts: Container[str]) -> Iterator[Seed]:
        """Where a question has members of some sorts."""
        words = self.words
        declarations: tuple[tuple[Mapping[str, Fluent | Declared], tuple[Signature, ...]], ...] = (
            (words.fluents, (HOLDS,)),
            (words.actions, (("asked", 2), ("does", 3), ("excused", 3))),
            (words.figures, (("wanted", 2),)),
            (words.findings, (("wanted", 2),)),
        )
        for declared, predicates in declarations:
            for each in declared.values():
                places = [index for index, sort in enumerate(each.sorts) if sort in sorts]
                for signature, index in product(predicates, places):
                    yield signature, each.name, (0, (each.name, len(each.sorts)), index)
        for fluent in words.fluents.values():
            if fluent.value in sorts:
                yield HOLDS, fluent.name, (1,)
        yield ("present", 2), None, (0,)

    @cached_property
    def strangers(self) -> frozenset[Symbol]:
        """The words of rules that stand where a name belongs."""
        return frozenset(
            spot.term.symbol
            for rule in self.rules
            for spot in (*rule.heads, *rule.read)
            if self._misplaced(spot)
        )

    def _misplaced(self, spot: Occurrence) -> bool:
        """Does a word stand where the vocabulary has a name of a file?"""
        if spot.term.ast_type != ASTType.SymbolicTerm or not self.is_strange(spot.term.symbol):
            return False
        words = self.words
        if spot.signature in (("holds", 3), ("sets", 4)) and spot.path == (1,):
            fluent = words.fluents.get(spot.functor or "")
            return fluent is not None and fluent.value in self.filed
        if len(spot.path) < 3:
            return False
        (name, arity), index = spot.path[-2:]
        for kind in (words.fluents, words.actions, words.figures, words.findings):
            declared = kind.get(name)
            if declared is not None and len(declared.sorts) == arity:
                return declared.sorts[index] in self.filed
        return False

    @cached_property
    def partialities(self) -> dict[int, str]:
        """The statements that may tell one name from another, by number, each with what it does."""
        found: dict[int, str] = {}
        for rule in self.rules:
            if why := self._partial(rule):
                found[rule.number] = why
        return found

    def _partial(self, rule: RuleFlow) -> str:
        def named(term: AST) -> Suffixes:
            return self.names.ways(rule, term)

        for left, right in rule.ordered:
            sides = (named(left), named(right))
            numbers = [not self.symbols.ways(rule, side) for side in (left, right)]
            if any(sides) and not any(numbers):
                return "compares names by order"
        if any(map(named, rule.extreme)):
            return "takes the least or the greatest name"
        if any(map(named, rule.handed)):
            return "passes a name to a function"
        if any(map(self._misplaced, (*rule.heads, *rule.read))):
            return "contains a name"
        for left, right in rule.compared:
            for one, other in ((left, right), (right, left)):
                if common(named(one), self.strange.ways(rule, other)):
                    return "compares a name with a word"
        spots: dict[str, list[Occurrence]] = defaultdict(list)
        for spot in rule.read:
            if spot.term.ast_type == ASTType.Variable and spot.term.name != "_":
                spots[spot.term.name].append(spot)
            elif common(self.names.at(spot), self.strange.ways(rule, spot.term)):
                return "compares a name with a word"
        for rows in spots.values():
            strange = [way for way in map(self.strange.at, rows) if way]
            if any(common(self.names.at(spot), way) for spot in rows for way in strange):
                return "compares a name with a word"
        return ""


def known_words(ruleset: Ruleset) -> frozenset[str]:
    """The words that mean something in the game, so that nobody bears them as a name."""
    words = ruleset.vocabulary
    found = {"given", *words.sorts, *words.fluents, *words.actions, *words.figures}
    found |= {*words.findings, *words.events, *ruleset.questions, *ruleset.rules}
    found |= {option for row in ruleset.options.values() for option in row}
    for sort in words.sorts.values():
        found |= {member.name for member in sort.members if _is_symbol(member)}
    defaults = (fluent.default for fluent in words.fluents.values())
    found |= {default.name for default in defaults if _is_symbol(default)}
    return frozenset(found)


def _is_symbol(term: Symbol) -> bool:
    return bool(term.type == SymbolType.Function and term.name)


def _stated(sources: Sources) -> Iterator[tuple[Signature, str | None, Path, Symbol]]:
    """The words and numbers in the facts of a ruleset, each with its way."""
    for signature, rows in sources.facts.items():
        if signature[0] in CATALOGUE:
            continue
        for fact, _ in rows:
            for index, argument in enumerate(fact.arguments):
                first = fact.arguments[0]
                functor = first.name if first.type == SymbolType.Function else None
                for path, symbol in _inside(argument, (index,)):
                    yield signature, functor or None, path, symbol


def _inside(symbol: Symbol, path: Path) -> Iterator[tuple[Path, Symbol]]:
    if symbol.type == SymbolType.Function and symbol.arguments:
        for index, each in enumerate(symbol.arguments):
            yield from _inside(each, (*path, (symbol.name, len(symbol.arguments)), index))
    else:
        yield path, symbol


def _situations() -> Iterator[Seed]:
    """Where a question has a situation, or a transition."""
    for name, arity in (
        ("situation", 1),
        ("checking", 1),
        ("surveying", 1),
        ("wide", 1),
        ("on_table", 1),
    ):
        yield (name, arity), None, (0,)
    for name, arity in (("holds", 3), ("ruled", 3), ("does", 3)):
        yield (name, arity), None, (2,)
    for name, arity in (
        ("asked", 2),
        ("present", 2),
        ("wanted", 2),
        ("does", 3),
        ("excused", 3),
        ("occurred", 2),
    ):
        yield (name, arity), None, (1,)
