"""Rules of a second program beside those of a first: what may differ goes by names of its own.

Where ``near/2`` may differ, the rule of the second program

    forbidden(A,S,r) :- considered(A,S); near(A,S).      becomes
    new_forbidden(A,S,r) :- considered(A,S); new_near(A,S).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from clingo import ast

from pymorph.asp.dependency import Statement, bounded
from pymorph.asp.facts import HOLDS, Key, Signature, Signs
from pymorph.asp.syntax_trees import Renamer, by_signature, named, rules_in

PREFIX = "new_"
SAME = "same_"
Affected = dict[Signature, set[str | None]]  # functors by predicate
Renaming = tuple[tuple[Signature, str], ...]  # other names for predicates


def downstream(
    parts: Sequence[Statement],
    differing: Iterable[Statement] = (),
    affected: Mapping[Signature, Iterable[str | None]] | None = None,
) -> Affected:
    """What *differing* statements give or is *affected* from the start, and all that depends on
    any of that.

    >>> rules = [Statement.of("near(P) :- far(P)."), Statement.of("good(P) :- near(P).")]
    >>> dict(downstream(rules, rules[:1]))
    {('near', 1): {None}, ('good', 1): {None}}
    """
    reached: Affected = defaultdict(set)
    readers: dict[Signature, list[Statement]] = defaultdict(list)
    for part in parts:
        for signature in part.signs.body:
            readers[signature].append(part)
    start = set(differing)
    agenda = list(start)
    for signature, functors in (affected or {}).items():
        reached[signature] |= {*functors}
        agenda += [part for part in readers[signature] if reads_affected(part, reached)]
    while agenda:
        part = agenda.pop()
        for key, source in part.signs.defines:
            if source is None or part in start or _reads_more(part, source, reached):
                given = {key[2]}
            else:
                given = reached[source]
            if not given <= reached[key[:2]]:
                reached[key[:2]] |= given
                agenda += [p for p in readers[key[:2]] if reads_affected(p, reached)]
    return reached


def _reads_more(part: Statement, source: Signature, affected: Affected) -> bool:
    """Is anything affected that a statement reads, but for what its head has the functor from?"""
    return any(key[:2] != source and is_affected(key, affected) for key in part.signs.uses)


def is_affected(key: Key, affected: Affected) -> bool:
    """May atoms of a *key* differ?

    >>> is_affected(("holds", 3, "turn"), {("holds", 3): {"heap"}})
    False
    """
    functors = affected.get(key[:2], set())
    return bool(functors) and (key[2] is None or None in functors or key[2] in functors)


def reads_affected(part: Statement, affected: Affected) -> bool:
    """Does a statement read atoms that may differ?

    >>> reads_affected(Statement.of("good(P) :- near(P)."), {("near", 1): {None}})
    True
    """
    return any(is_affected(key, affected) for key in part.signs.uses)


def product(
    ours: Sequence[Statement],
    theirs: Sequence[Statement],
    affected: Affected,
    bounds: Mapping[str, tuple[int, int]],
) -> Iterator[Statement]:
    """One program of two versions; what is *affected* by their differences goes by two names.

    What both derive alike has a third name, so that it is worked out once.

    >>> ours = [Statement.of("near(P) :- far(P)."), Statement.of("near(P) :- next(P).")]
    >>> for part in product(ours, ours[:1], {("near", 1): {None}}, {}):
    ...     print(part.text)
    same_near(P) :- far(P).
    near(P) :- next(P).
    near(X0) :- same_near(X0).
    new_near(X0) :- same_near(X0).
    """
    here, there = set(ours), set(theirs)
    doubled = frozenset(affected)
    new, same = (
        tuple(sorted((signature, prefix + signature[0]) for signature in doubled))
        for prefix in (PREFIX, SAME)
    )
    for part in ours:
        if part in there and part.signs.heads & doubled and not reads_affected(part, affected):
            yield renamed(bounded(part, bounds), same, head_only=True)
        else:
            yield part
    for part in theirs:
        if part.signs.heads & doubled and (part not in here or reads_affected(part, affected)):
            yield renamed(bounded(part, bounds), new)
    for name, arity in sorted(doubled):
        terms = ",".join(f"X{n}" for n in range(arity))
        atom = f"{name}({terms})" if arity else name
        yield from (Statement.of(f"{prefix}{atom} :- {SAME}{atom}.") for prefix in ("", PREFIX))


def renamed(part: Statement, names: Renaming, head_only: bool = False) -> Statement:
    """A statement with other names for some predicates; in the head alone, perhaps.

    >>> part = Statement.of("near(P) :- next(P,Q); near(Q).")
    >>> renamed(part, ((("near", 1), "new_near"),), head_only=True).text
    'new_near(P) :- next(P,Q); near(Q).'
    """
    signs = part.signs.renamed(dict(names), head_only)
    return Statement(renamed_text(part.text, names, head_only), signs)


@lru_cache(maxsize=20000)
def renamed_text(
    text: str, names: Renaming, head_only: bool = False, changing: frozenset[str] | None = None
) -> str:
    """The text of a statement with other names for some predicates; what it reads of fluents that
    are *changing* is ``next`` instead of ``holds``.

    >>> renamed_text("won(P) :- holds(heap,0,S); holds(turn,P,S).", (), False, frozenset(["heap"]))
    'won(P) :- next(heap,0,S); holds(turn,P,S).'
    """
    plain = by_signature(dict(names))

    def name_of(atom: ast.AST) -> str:
        if changing is None or (atom.name, len(atom.arguments)) != HOLDS:
            return plain(atom)
        fluent = atom.arguments[0]
        functor = named(fluent)
        follows = functor is not None and functor[0] in changing
        return "next" if follows or fluent.ast_type == ast.ASTType.Variable else plain(atom)

    renamer = Renamer(name_of)
    return "\n".join(
        str(rule.update(head=renamer.visit(rule.head)) if head_only else renamer.visit(rule))
        for rule in rules_in(text)
    )


def carrying_out(schema: str, doubled: frozenset[Signature]) -> Statement:
    """The rule that what is asked about is done where both versions let it.

    >>> carrying_out("take", frozenset([("legal", 2)])).text
    'does(A,0,0) :- asked(A,0), legal(A,0), new_legal(A,0), not unfolds(A,_,_,0).'
    """
    keys: list[Key] = [
        (prefix + name, arity, schema)
        for name, arity in (("legal", 2), ("unfolds", 4))
        for prefix in ("", PREFIX)
        if not prefix or (name, arity) in doubled
    ]
    body = [f"{n}(A,0)" if arity == 2 else f"not {n}(A,_,_,0)" for n, arity, _ in keys]
    asked: Key = ("asked", 2, schema)
    signs = Signs((frozenset({asked}),), ((("does", 3, schema), None),), frozenset({asked, *keys}))
    return Statement(f"does(A,0,0) :- {', '.join(('asked(A,0)', *body))}.", signs)


def framed(rules: str, doubled: Collection[str], prefix: str) -> Iterator[str]:
    """Rules of the frame, of one version, for fluents that may change in different ways.

    >>> list(framed("next(F,V,T) :- sets(F,V,T,_).", {"sets"}, "new_"))
    ['new_next(F,V,T) :- verify_kind(F,_); new_sets(F,V,T,_).']
    """
    versioned = {"next", *({"sets", "clears", "adds"} & {*doubled})}

    def name_of(atom: ast.AST) -> str:
        name = str(atom.name)
        if name.startswith("verify_"):
            return f"verify_{prefix}{name.removeprefix('verify_')}"
        return prefix + name if name in versioned else name

    (kind,) = rules_in("verify_moves(F) :- verify_kind(F,_).")[0].body
    for rule in rules_in(rules):
        versions = Renamer(name_of).visit(rule)
        yield str(versions.update(body=[kind, *versions.body]) if rule.body else versions)
