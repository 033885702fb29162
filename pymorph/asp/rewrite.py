"""Rules of a second version beside those of the first: its predicates under names of their own."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from clingo import ast

from pymorph.asp.dependency import Signs, Statement, bounded
from pymorph.asp.facts import Key, Signature

PREFIX = "new_"
SAME = "same_"
Touched = dict[Signature, set[str | None]]


def gives(part: Statement) -> set[Signature]:
    return {key[:2] for key, _ in part.signs.gives}


def downstream(parts: Sequence[Statement], differing: Iterable[Statement]) -> Touched:
    """What *differing* statements give, and all that hangs on that: functors by predicate."""
    touched: Touched = defaultdict(set)
    readers: dict[Signature, list[Statement]] = defaultdict(list)
    for part in parts:
        for signature in {key[:2] for key in part.signs.reads}:
            readers[signature].append(part)
    start = set(differing)
    agenda = list(start)
    while agenda:
        part = agenda.pop()
        for key, source in part.signs.gives:
            if source is None or part in start or strange(part, source, touched):
                found = {key[2]}
            else:
                found = touched[source]
            if not found <= touched[key[:2]]:
                touched[key[:2]] |= found
                agenda += [p for p in readers[key[:2]] if hangs(p, touched)]
    return touched


def strange(part: Statement, source: Signature, touched: Touched) -> bool:
    """Does a statement read anything that is touched but what its head has the functor from?"""
    return any(key[:2] != source and met(key, touched) for key in part.signs.reads)


def met(key: Key, touched: Touched) -> bool:
    functors = touched.get(key[:2], set())
    return bool(functors) and (key[2] is None or None in functors or key[2] in functors)


def beside(
    ours: Sequence[Statement],
    theirs: Sequence[Statement],
    touched: Touched,
    bounds: Mapping[str, tuple[int, int]],
) -> Iterator[Statement]:
    """One program of two versions; what *touched* says may differ goes by two names.

    What both derive alike has a third name, so that it is worked out once.
    """
    here, there = set(ours), set(theirs)
    hanging = frozenset(touched)
    own = tuple(sorted((signature, PREFIX) for signature in hanging))
    same = tuple(sorted((signature, SAME) for signature in hanging))
    for part in ours:
        if part in there and gives(part) & hanging and not hangs(part, touched):
            yield moved(bounded(part, bounds), same, head_only=True)
        else:
            yield part
    for part in theirs:
        if gives(part) & hanging and (part not in here or hangs(part, touched)):
            yield moved(bounded(part, bounds), own)
    for name, arity in sorted(hanging):
        body = (SAME + name, arity)
        terms = ",".join(f"X{n}" for n in range(arity))
        atom = f"{name}({terms})" if arity else name
        for prefix in ("", PREFIX):
            signs = Signs(
                (frozenset({(*body, None)}),),
                (((prefix + name, arity, None), body),),
                frozenset({(*body, None)}),
            )
            yield Statement(f"{prefix}{atom} :- {SAME}{atom}.", signs)


def hangs(part: Statement, touched: Touched) -> bool:
    """Does a statement read anything that may differ?"""
    return any(met(key, touched) for key in part.signs.reads)


def moved(
    part: Statement, names: tuple[tuple[Signature, str], ...], head_only: bool = False
) -> Statement:
    """A statement with a prefix before the names of some predicates; of the head alone, perhaps."""
    own = dict(names)

    def key(found: Key) -> Key:
        return (own.get(found[:2], "") + found[0], *found[1:])

    def source(found: Signature | None) -> Signature | None:
        return key((*found, None))[:2] if found and not head_only else found

    signs = part.signs
    given = tuple((key(k), source(s)) for k, s in signs.gives)
    text = prefixed(part.text, names, head_only)
    if head_only:
        return Statement(text, signs._replace(gives=given))
    needs = tuple(frozenset(map(key, alternatives)) for alternatives in signs.needs)
    return Statement(text, Signs(needs, given, frozenset(map(key, signs.reads))))


@lru_cache(maxsize=20000)
def prefixed(text: str, names: tuple[tuple[Signature, str], ...], head_only: bool) -> str:
    """The text of a statement with a prefix before the names of some predicates."""
    own = dict(names)
    lines: list[str] = []

    def named(term: ast.AST) -> ast.AST:
        if term.ast_type == ast.ASTType.Function:
            prefix = own.get((term.name, len(term.arguments)), "")
            return term.update(name=prefix + term.name)
        if term.ast_type == ast.ASTType.Pool:
            return term.update(arguments=[named(each) for each in term.arguments])
        return term

    class Naming(ast.Transformer):
        def visit_SymbolicAtom(self, node: ast.AST) -> ast.AST:  # noqa: N802
            return node.update(symbol=named(node.symbol))

    def keep(node: ast.AST) -> None:
        if node.ast_type == ast.ASTType.Rule:
            head = node.update(head=Naming().visit(node.head))
            lines.append(str(head if head_only else Naming().visit(node)))

    ast.parse_string(text, keep)
    return "\n".join(lines)


def carried_out(schema: str, hanging: frozenset[Signature]) -> Statement:
    """The rule that what is asked about is done where both versions let it."""
    legal, unfolds = ("legal", 2, schema), ("unfolds", 4, schema)
    keys = [(prefix + n, a, f) for n, a, f in (legal, unfolds) for prefix in ("", PREFIX)]
    keys = [
        k for k in keys if not k[0].startswith(PREFIX) or (k[0][len(PREFIX) :], k[1]) in hanging
    ]
    body = ["asked(A,0)"]
    body += [f"{n}(A,0)" if a == 2 else f"not {n}(A,_,_,0)" for n, a, _ in keys]
    asked = frozenset({("asked", 2, schema)})
    reads = frozenset({*asked, *keys})
    return Statement(
        f"does(A,0,0) :- {', '.join(body)}.", Signs((asked,), ((("does", 3, schema), None),), reads)
    )


def framed(line: str, own: set[str], prefix: str) -> str:
    """A rule of the frame, of one version."""
    found = re.sub(r"\bverify_", f"verify_{prefix}", line)
    found = found.replace(":- ", ":- verify_kind(F,_), ")
    found = re.sub(r"\bnext\(", f"{prefix}next(", found)
    known = "|".join(sorted({"sets", "clears", "adds"} & own))
    return re.sub(rf"\b({known})\b", rf"{prefix}\1", found) if known else found
