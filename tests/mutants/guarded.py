"""Whether a literal that is left out is asked for again wherever that could matter.

A rule without a literal gives more than it did only where that literal does not hold. Whatever
reads it there, and asks for the same literal, or for something that is given only where that holds,
gives what it gave; what does not ask gives other things only there in its turn. Where no answer is
reached in that way, every answer is as it was, and nothing has to be searched.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import count, product
from math import prod
from typing import TypeAlias

from clingo.ast import AST, ASTType, Sign

from pymorph.asp.facts import Signature
from pymorph.ruleset import compiler, contract
from pymorph.verify.spaces.goals import VARIABLE
from tests.mutants.operators import Mutant, atoms, parsed, walk
from tests.mutants.planting import Original

Path: TypeAlias = tuple[int, ...]
Ways: TypeAlias = frozenset[tuple[Path, ...]]  # where the terms of the literal stand in an atom
Tree: TypeAlias = tuple[str, tuple["Tree", ...]]  # a term or an atom: its name, its arguments

SURVEYING: Signature = ("surveying", 1)
# What is told with a question for a position of which the figures are asked, and no other. (A claim
# that compares none has nothing to do with them.)
SURVEYED: Mapping[Signature, Path] = {
    ("wide", 1): (0,), ("wanted", 2): (1,), ("claims_value", 5): (4,),
}  # fmt: skip
# Of an answer that is about a figure: where it says of which position.
OF_POSITION = {"entry": 3, "total": 2, "never": 1, "finding": 2, "unknown": 2, "ground": 2}
WEIGHED: tuple[Signature, ...] = (("weighs", 4), ("accounts", 3))  # told though nobody asked
WEIGHING = frozenset({"entry", "total", "never"})  # what is told of those then
# What is said of an action is told where it is considered, and nowhere else.
TELLING = ("reason(A,S,R)", "waits(A,S,R)", "proposed(A,S,R)", "unsettled(A,_,S,_)")
TOLD: Signature = ("told", 0)
# What comes with the question whether something is legal, and where that and the position stand.
ASKED = {("does", 3): slice(0, 2), ("claims_legal", 3): slice(1, 3)}
AT_NONE = -1  # of no literal
NOWHERE: Ways = frozenset()
MOST_WAYS, MOST_SHAPES = 400, 1000


@dataclass(frozen=True)
class Read:
    """An atom or a comparison that literal number *literal* of a body reads, with its sign.

    *asked*: what reads it beside it fires, or counts, only where it holds; *among*: that is an
    element of an aggregate, or a conditional literal, by its number; 0: the body.
    """

    tree: Tree
    sign: int
    asked: bool
    literal: int
    among: int = 0


@dataclass(frozen=True)
class Rule:
    """A statement; *whole*: it is a rule with an atom for a head, or no rule at all."""

    heads: tuple[Tree, ...]
    body: tuple[Read, ...]
    names: frozenset[str]
    whole: bool


@dataclass(frozen=True)
class Lacking:
    """Where a predicate may be another one: in atoms of a *shape*, in which the literal does not
    hold of *terms*, that stand in it."""

    shape: Tree
    terms: tuple[Tree, ...]

    @classmethod
    def of(cls, atom: Tree, terms: Sequence[Tree]) -> Lacking:
        """The same with names of its own for whatever is no constant. Raises: Unknown, if a
        term hangs on something that does not stand in the atom."""
        names: dict[Tree, Tree] = {}

        def renamed(tree: Tree, new: bool) -> Tree:
            if tree[1]:
                return tree[0], tuple(renamed(part, new) for part in tree[1])
            if is_constant(tree):
                return tree
            if tree not in names and not new:
                raise Unknown
            return names.setdefault(tree, (f"_s{len(names)}", ()))

        shape = renamed(atom, True)
        return cls(shape, tuple(renamed(term, False) for term in terms))

    @property
    def figure(self) -> str | None:
        """The name of the figure that it is about; None, if it may be any."""
        return _name(self.shape[1][0])


def unread(original: Original, mutant: Mutant) -> bool:
    """Does a literal that is left out matter to no answer, since it is asked for again?"""
    if mutant.operator != "drop" or mutant.at is None:
        return False
    before = rule_of(original.sources.statements[mutant.number].text)
    after = rule_of(mutant.text)
    gone = [read for read in before.body if read.literal == mutant.at]
    if not before.whole or len(gone) != 1 or not gone[0].asked or _reckons(gone[0].tree):
        return False
    rules = [rule_of(part.text) for n, part in original.sources.numbered if n != mutant.number]
    try:
        return Spread(original, [*rules, *telling(), after], gone[0], after).ends()
    except Unknown:
        return False


class Unknown(Exception):
    """It cannot be said where something is another one."""


@dataclass(frozen=True)
class Spread:
    """How far it spreads that a rule, *faulty*, does not ask for a *literal*."""

    original: Original
    rules: Sequence[Rule]
    literal: Read
    faulty: Rule

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The variables of the literal that are not its own."""
        own = dict.fromkeys(variables(self.literal.tree))
        return tuple(name for name in own if name in self.faulty.names)

    @cached_property
    def signature(self) -> Signature:
        return signature_of(self.literal.tree)

    @property
    def surveying(self) -> bool:
        """Is it that the figures are asked for?"""
        return self.signature == SURVEYING and self.literal.sign == Sign.NoSign

    def ends(self) -> bool:
        """Is no answer reached?"""
        terms = [(leaf, ()) for leaf in self.leaves]
        agenda = [Lacking.of(head, terms) for head in self.faulty.heads]
        seen: set[Lacking] = set()
        while agenda:
            one = agenda.pop()
            if one in seen:
                continue
            seen.add(one)
            signature = signature_of(one.shape)
            if signature == self.signature or self._told(one) or len(seen) > MOST_SHAPES:
                return False
            for rule, read in self._readers[signature]:
                agenda += self._further(rule, read, one)
        return True

    @cached_property
    def _readers(self) -> Mapping[Signature, Sequence[tuple[Rule, Read]]]:
        """By what they read, the rules that may fire: the core has some for what no rule gives."""
        given = {signature_of(head) for rule in self.rules for head in rule.heads}
        missing = contract.CONTRACT - given
        found = defaultdict(list)
        for rule in self.rules:
            needs = (read for read in rule.body if read.sign == Sign.NoSign and not read.among)
            fires = missing.isdisjoint(signature_of(read.tree) for read in needs if read.asked)
            for read in rule.body if fires else ():
                found[signature_of(read.tree)].append((rule, read))
        return found

    def _told(self, one: Lacking) -> bool:
        """Does an answer tell what is lacking?"""
        name, signature = one.shape[0], signature_of(one.shape)
        if signature not in self._shown:
            return False
        if not self.surveying or name not in OF_POSITION:
            return True
        if one.shape[1][OF_POSITION[name]] != one.terms[0]:
            return True
        if name not in WEIGHING:
            return False
        return one.figure is None or not self._weighed.isdisjoint({one.figure, None})

    @cached_property
    def _shown(self) -> frozenset[Signature]:
        slices = self.original.ruleset.slices
        shown = {each for verb in compiler.VERBS for each in slices[verb].shown}
        told = {signature_of(read.tree) for rule in telling() for read in rule.body[:1]}
        return frozenset(shown - told)

    @cached_property
    def _weighed(self) -> frozenset[str | None]:
        """The names of the figures that weigh in where nobody asks for them."""
        heads = (head for rule in self.rules for head in rule.heads)
        return frozenset(_name(head[1][0]) for head in heads if signature_of(head) in WEIGHED)

    def _further(self, rule: Rule, read: Read, one: Lacking) -> Iterator[Lacking]:
        """What a rule gives that reads what is lacking, unless it asks for the literal as well."""
        bound = unified(read.tree, one.shape)
        if bound is None:
            return
        if not rule.whole or not rule.heads:
            raise Unknown
        terms = [put(term, bound) for term in one.terms]
        for other in rule.body:
            if other is not read and other.asked and other.among in (0, read.among):
                about = replace(other, tree=put(other.tree, bound))
                if terms in self._holding(about):
                    return
        if any(signature_of(head) == TOLD for head in rule.heads):
            raise Unknown
        for head in rule.heads:
            yield Lacking.of(put(head, bound), terms)

    def _holding(self, read: Read) -> Iterator[Sequence[Tree]]:
        """The terms for which the literal holds where something that is asked for does."""
        yield from self._by(read, self._implying.get(signature_of(read.tree), NOWHERE))

    def _by(self, read: Read, implying: Ways) -> Iterator[Sequence[Tree]]:
        bound: dict[str, Tree] = {}
        if read.sign == self.literal.sign and self._fits(self.literal.tree, read.tree, bound):
            yield [bound[leaf] for leaf in self.leaves]
        for paths in implying if read.sign == Sign.NoSign else ():
            terms = _terms(read.tree, paths)
            if terms is not None:
                yield terms

    def _fits(self, ours: Tree, theirs: Tree, bound: dict[str, Tree]) -> bool:
        """Is one the same as the literal, but about other terms?"""
        if is_variable(ours):
            if ours[0] in self.leaves:
                return bound.setdefault(ours[0], theirs) == theirs
            return self.literal.sign == Sign.NoSign or is_any(theirs)
        return (
            ours[0] == theirs[0]
            and len(ours[1]) == len(theirs[1])
            and all(self._fits(a, b, bound) for a, b in zip(ours[1], theirs[1], strict=True))
        )

    @cached_property
    def _implying(self) -> Mapping[Signature, Ways]:
        """The predicates that are given only where the literal holds: where its terms stand.

        At first whatever is derived might be one, and then what some rule gives without is not.
        """
        found: dict[Signature, Ways | None] = {}
        for rule in self.rules:
            found |= dict.fromkeys(map(signature_of, rule.heads))
        found |= dict.fromkeys([*contract.INPUTS, self.signature], NOWHERE)
        if self.surveying:
            found |= {signature: frozenset([(path,)]) for signature, path in SURVEYED.items()}
        agenda = [(rule, head) for rule in self.rules for head in rule.heads]
        agenda = [row for row in agenda if found[signature_of(row[1])] is None]
        changed = True
        while changed:
            changed = False
            for rule, head in agenda:
                before = found[signature_of(head)]
                if before == NOWHERE:
                    continue
                ways = self._ways(rule, head, found)
                after = before if ways is None else ways if before is None else before & ways
                if after != before:
                    found[signature_of(head)], changed = after, True
        return {signature: ways for signature, ways in found.items() if ways}

    def _ways(self, rule: Rule, head: Tree, known: Mapping[Signature, Ways | None]) -> Ways | None:
        """Where the terms stand in a head, if the rule asks for the literal; None: not known."""
        ways: set[tuple[Path, ...]] = set()
        places = _places(head)
        for read in rule.body:
            if not read.asked or read.among:
                continue
            implying = known.get(signature_of(read.tree), NOWHERE)
            if implying is None and read.sign == Sign.NoSign:
                return None
            for terms in self._by(read, implying or NOWHERE):
                stand = [places.get(term, ()) for term in terms]
                if prod(map(len, stand)) <= MOST_WAYS:
                    ways.update(product(*stand))
        return frozenset(ways)


@lru_cache(maxsize=1)
def telling() -> tuple[Rule, ...]:
    """Rules by which an action has to be considered that something is told of."""
    return tuple(rule_of(f"told :- {told}, considered(A,S).") for told in TELLING)


# -- rules as trees --------------------------------------------------------------------------------


@lru_cache(maxsize=20000)
def rule_of(text: str) -> Rule:
    """A statement as its heads and what its body reads."""
    node = parsed(text)
    if node.ast_type != ASTType.Rule:
        return Rule((), (), frozenset(), True)
    fresh = count(1)
    heads = tuple(_tree(atom.symbol, fresh) for atom in atoms(node.head))
    body = (read for n, literal in enumerate(node.body) for read in _reads(literal, n, fresh))
    one = node.head.ast_type == ASTType.Literal and len(heads) == 1
    return Rule(heads, tuple(body), frozenset(VARIABLE.findall(text)), one)


def _reads(literal: AST, number: int, fresh: Iterator[int]) -> Iterator[Read]:
    if literal.ast_type == ASTType.Literal:
        if literal.atom.ast_type == ASTType.SymbolicAtom:
            tree = _tree(literal.atom.symbol, fresh)
            yield Read(tree, literal.sign, True, number)
            action = ASKED.get(signature_of(tree))
            if action and literal.sign == Sign.NoSign:
                yield Read(("considered", tree[1][action]), Sign.NoSign, True, AT_NONE)
            return
        if literal.atom.ast_type == ASTType.Comparison:
            yield Read(_compared(literal.atom, fresh), literal.sign, True, number)
            return
    elements = [literal]
    if literal.ast_type == ASTType.Literal:
        elements = list(getattr(literal.atom, "elements", ()))
    for element in elements:
        among = next(fresh)
        conditions = list(element.condition)
        for part in (*conditions, *(each for each in (getattr(element, "literal", None),) if each)):
            for atom in atoms(part):
                tree, asked = _tree(atom.symbol, fresh), part in conditions
                yield Read(tree, part.sign, asked, number, among)


def _compared(atom: AST, fresh: Iterator[int]) -> Tree:
    rows = [(str(guard.comparison), (_tree(guard.term, fresh),)) for guard in atom.guards]
    return "compared", (_tree(atom.term, fresh), *rows)


def _tree(term: AST, fresh: Iterator[int]) -> Tree:
    """A term or an atom; what stands for several terms, or for any, is like nothing else."""
    if term.ast_type == ASTType.Function and not term.external:
        return term.name, tuple(_tree(each, fresh) for each in term.arguments)
    text = str(term)
    several = any(each.ast_type in (ASTType.Pool, ASTType.Interval) for _, each in walk(term))
    if several:
        return f"_p{next(fresh)}", ()
    return (f"_{next(fresh)}" if text == "_" else text), ()


def signature_of(tree: Tree) -> Signature:
    return tree[0], len(tree[1])


def is_variable(tree: Tree) -> bool:
    return not tree[1] and (tree[0][:1].isupper() or tree[0].startswith("_"))


def is_any(tree: Tree) -> bool:
    """Is it whatever there is, and no more said of it?"""
    return not tree[1] and tree[0][:1] == "_" and tree[0][1:].isdigit()


def is_constant(tree: Tree) -> bool:
    """Is it a name, a number or a text, and not to be reckoned out?"""
    return not tree[1] and not is_variable(tree) and not VARIABLE.search(tree[0])


def _reckons(tree: Tree) -> bool:
    """Is something in it to be reckoned out?"""
    if tree[1]:
        return any(map(_reckons, tree[1]))
    return not is_variable(tree) and not is_constant(tree)


def unified(one: Tree, other: Tree) -> dict[str, Tree] | None:
    """What the variables of two atoms without common ones are where they are the same atom; None,
    if they cannot be. What is reckoned out may be anything."""
    bound: dict[str, Tree] = {}

    def same(a: Tree, b: Tree) -> bool:
        a, b = put(a, bound), put(b, bound)
        if a == b:
            return True
        for this, that in ((b, a), (a, b)):
            if is_variable(this):
                bound[this[0]] = that
                return this not in _places(that)
        if a[1] and b[1]:
            fits = a[0] == b[0] and len(a[1]) == len(b[1])
            return fits and all(same(x, y) for x, y in zip(a[1], b[1], strict=True))
        return not (is_constant(a) or a[1]) or not (is_constant(b) or b[1])

    return bound if same(one, other) else None


def put(tree: Tree, bound: Mapping[str, Tree]) -> Tree:
    """A term with what its variables are."""
    if tree[1]:
        return tree[0], tuple(put(part, bound) for part in tree[1])
    while tree[0] in bound and not tree[1]:
        tree = bound[tree[0]]
    return put(tree, bound) if tree[1] else tree


def variables(tree: Tree) -> Iterator[str]:
    """The names of the variables, of a term that is reckoned out too."""
    if not tree[1]:
        yield from VARIABLE.findall(tree[0])
    for part in tree[1]:
        yield from variables(part)


def _name(tree: Tree) -> str | None:
    """The name of a figure; None for a variable."""
    return None if is_variable(tree) else tree[0]


def _places(head: Tree) -> Mapping[Tree, Sequence[Path]]:
    """The terms in an atom, with the ways to each."""
    found: dict[Tree, list[Path]] = defaultdict(list)

    def enter(tree: Tree, path: Path) -> None:
        for index, part in enumerate(tree[1]):
            found[part].append((*path, index))
            enter(part, (*path, index))

    enter(head, ())
    return found


def _terms(tree: Tree, paths: Sequence[Path]) -> Sequence[Tree] | None:
    """What stands at the ends of paths; None, if one of them leads nowhere."""
    found = []
    for path in paths:
        part = tree
        for index in path:
            if index >= len(part[1]):
                return None
            part = part[1][index]
        found.append(part)
    return found
