"""What holds after an action: the frame as a part of one program, and rules read afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from clingo import Symbol, ast

from pymorph.asp.dependency import DependencyGraph, Statement, bounded
from pymorph.asp.facts import HOLDS, Key, Signature
from pymorph.ruleset.vocabulary import GIVEN, Vocabulary

CHANGES: tuple[Key, ...] = (("sets", 4, None), ("clears", 3, None), ("adds", 5, None))
PREFIX = "after_"

# The frame: a fluent keeps its value unless a transition sets it, clears it or adds to it. What is
# added leads no further than from one end of its range to the other.
FRAME = """
#defined sets/4. #defined clears/3. #defined adds/5.
verify_set(F,V)    :- sets(F,V,0,_).
verify_set(F,D)    :- clears(F,0,_), verify_default(F,D).
verify_summed(F)   :- adds(F,_,_,0,_).
verify_base(F,V)   :- verify_summed(F), verify_set(F,V).
verify_base(F,V)   :- verify_summed(F), holds(F,V,0), not verify_set(F,_).
verify_base(F,0)   :- verify_summed(F), not holds(F,_,0), not verify_set(F,_).
verify_wide(F,H-L) :- verify_summed(F), verify_range(F,L,H).
verify_delta(F,N)  :- verify_wide(F,W), N = #sum { A,I,R : adds(F,A,I,0,R) }, -W < N, N < W.
verify_delta(F,W)  :- verify_wide(F,W), #sum { A,I,R : adds(F,A,I,0,R) } >= W.
verify_delta(F,-W) :- verify_wide(F,W), #sum { A,I,R : adds(F,A,I,0,R) } <= -W.
verify_total(F,B+N) :- verify_base(F,B), verify_delta(F,N).
verify_after(F,N)  :- verify_total(F,N), verify_range(F,L,H), L <= N, N <= H.
verify_after(F,L)  :- verify_total(F,N), verify_range(F,L,_), N < L.
verify_after(F,H)  :- verify_total(F,N), verify_range(F,_,H), N > H.
verify_after(F,V)  :- verify_set(F,V), not verify_summed(F).
verify_after(F,V)  :- holds(F,V,0), not verify_set(F,_), not verify_summed(F).
next(F,V,0)        :- verify_after(F,V), not verify_default(F,V).
"""


def frame(words: Vocabulary, fluents: Iterable[Symbol]) -> list[str]:
    """The frame rule, with the default and the range of each fluent."""
    return [FRAME, *kinds(words, fluents)]


def kinds(words: Vocabulary, fluents: Iterable[Symbol]) -> list[str]:
    """The default and the range of each fluent."""
    lines = []
    for fluent in fluents:
        declared = words.fluents[fluent.name]
        if declared.default != GIVEN:
            lines.append(f"verify_default({fluent},{declared.default}).")
        sort = words.sorts[declared.value]
        if sort.kind == "range":
            lines.append(f"verify_range({fluent},{sort.low},{sort.high}).")
    return lines


def afterwards(
    index: DependencyGraph,
    sought: Sequence[Key],
    known: Iterable[Key],
    changing: frozenset[str],
    bounds: Mapping[str, tuple[int, int]],
) -> list[str]:
    """The rules behind *sought* atoms, read after a transition that changes the fluents of some
    names: ``ill_formed`` becomes ``after_ill_formed``, and what it reads of them is ``next``.

    Rules that read nothing that has changed are left out where they give what is sought: they say
    what they have said before.
    """
    kept = index.leading_to(sought, index.firing(known), figured=True)
    touched = {("holds", 3, name) for name in changing} | {("holds", 3, None)}
    hanging, moved = downstream(kept, touched)
    names = tuple(sorted(((name, arity), PREFIX + name) for name, arity in hanging))
    wanted = {key[:2] for key in sought}
    copied = [
        part
        for number, part in enumerate(kept)
        if number in moved or any(key[:2] in hanging - wanted for key, _ in part.signs.gives)
    ]
    return [_afterwards(bounded(part, bounds), names, changing) for part in copied]


def _afterwards(
    part: Statement, names: tuple[tuple[Signature, str], ...], changing: frozenset[str]
) -> str:
    """A statement read after the transition. Only what it speaks of is told, so that the same one
    is found to be the same, whatever changes besides."""
    keys = {*part.signs.reads, *(key for key, _ in part.signs.gives)}
    spoken = {key[:2] for key in keys}
    fluents = frozenset(key[2] for key in keys if key[:2] == HOLDS and key[2] in changing)
    return renamed(part.text, tuple(row for row in names if row[0] in spoken), fluents)


def downstream(
    parts: Sequence[Statement], touched: Iterable[Key]
) -> tuple[frozenset[Signature], frozenset[int]]:
    """The predicates that hang on atoms of some keys, directly or not, and the numbers of the
    statements that read any of it."""
    start = set(touched)
    found: set[Signature] = set()
    moved: set[int] = set()
    grown = True
    while grown:
        grown = False
        for number, part in enumerate(parts):
            if number in moved:
                continue
            if any(key in start or key[:2] in found for key in part.signs.reads):
                moved.add(number)
                found |= {key[:2] for key, _ in part.signs.gives}
                grown = True
    return frozenset(found), frozenset(moved)


@lru_cache(maxsize=20000)
def renamed(
    text: str, names: tuple[tuple[Signature, str], ...], changing: frozenset[str] | None = None
) -> str:
    """A statement with other names for some predicates, and for the fluents that are *changing*."""
    known = dict(names)
    lines: list[str] = []

    class Renaming(ast.Transformer):
        def visit_SymbolicAtom(self, node: ast.AST) -> ast.AST:  # noqa: N802
            symbol = node.symbol
            if symbol.ast_type == ast.ASTType.Function:
                name = known.get((symbol.name, len(symbol.arguments)))
                holding = (symbol.name, len(symbol.arguments)) == ("holds", 3)
                if holding and changing is not None:
                    fluent = symbol.arguments[0]
                    functor = getattr(fluent, "name", None)
                    if fluent.ast_type == ast.ASTType.SymbolicTerm:
                        functor = fluent.symbol.name
                    plain = fluent.ast_type != ast.ASTType.Variable
                    name = None if plain and functor not in changing else "next"
                if name is not None:
                    return node.update(symbol=symbol.update(name=name))
            return node

    renaming = Renaming()

    def keep(node: ast.AST) -> None:
        if node.ast_type == ast.ASTType.Rule:
            lines.append(str(renaming.visit(node)))

    ast.parse_string(text, keep)
    return "\n".join(lines)
