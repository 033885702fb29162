"""Rules that record what rests on what: for each atom that a rule gives, those that it is given by.

They stand beside the rules of a question where somebody asks why, and nowhere else. What a rule
says with ``not`` leaves no trace, and of a sum or a count all is recorded that it goes over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, count

from clingo import Symbol, ast
from clingo.ast import AST, ASTType

from pymorph.asp.dependency import Slice
from pymorph.asp.rewrite import rules_in
from pymorph.asp.trees import children, positive

BECAUSE = ("because_", 3)  # an atom, those that it rests on, and whether these are counted only
GIVEN_BY, COUNTED = "given", "counted"
GROUPS = (ASTType.BodyAggregate, ASTType.Aggregate)


class Recording(Slice):
    """A slice that tells of what it shows, and of all that leads there, what it rests on."""

    def program(self, facts: Iterable[Symbol]) -> str:
        """As much of it as can matter with these facts, and the rules that record."""
        text = super().program(facts)
        return "\n".join([text, *chain.from_iterable(map(recordings, text.split("\n")))])


def recorded(part: Slice, shown: Iterable[tuple[str, int]]) -> Recording:
    """A slice of *part* that records what leads to the *shown* atoms."""
    return Recording(part.parts, (*shown, BECAUSE), part.folders)


@lru_cache(maxsize=20_000)
def recordings(statement: str) -> tuple[str, ...]:
    """The rules that record what the atoms of a *statement* rest on."""
    if ":-" not in statement:
        return ()
    rules = chain.from_iterable(rule.unpool() for rule in rules_in(statement))
    return tuple(chain.from_iterable(map(recording, rules)))


def recording(rule: AST) -> Iterator[str]:
    """The rules that record what the atom of a *rule* without pools rests on."""
    if rule.head.ast_type != ASTType.Literal or not rule.body:
        return
    if rule.head.atom.ast_type != ASTType.SymbolicAtom:
        return
    naming = Naming()
    head = naming(rule.head.atom.symbol)
    body = [naming(part) if positive(part) else part for part in rule.body]
    conditions = [*map(str, body), *naming.ranges]
    yield _line(head, [part.atom.symbol for part in body if positive(part)], GIVEN_BY, conditions)
    known = _global(rule.head, rule.body)
    for element in chain.from_iterable(map(_elements, rule.body)):
        local = Naming(known)
        looked = [local(part) for part in element]
        atoms = [part.atom.symbol for part in looked if positive(part)]
        if atoms:
            more = [*conditions, *map(str, looked), *local.ranges]
            yield _line(head, atoms, COUNTED, more)


def _line(head: AST, atoms: Iterable[AST], kind: str, conditions: Iterable[str]) -> str:
    found = "".join(f"{atom}," for atom in atoms)
    return f"{BECAUSE[0]}({head},({found}),{kind}) :- {'; '.join(conditions)}."


def _elements(part: AST) -> Iterator[list[AST]]:
    """What a part of a body counts or goes over: each time the literals that hold together."""
    if part.ast_type == ASTType.ConditionalLiteral:
        yield [part.literal, *part.condition]
    elif part.ast_type == ASTType.Literal and part.atom.ast_type in GROUPS:
        if part.sign == ast.Sign.NoSign:
            for element in part.atom.elements:
                own = getattr(element, "literal", None)
                yield [*([] if own is None else [own]), *element.condition]


def _global(head: AST, body: Iterable[AST]) -> frozenset[str]:
    """The variables of a rule that are not those of a single aggregate."""
    found = set(_variables(head))
    for part in body:
        if part.ast_type == ASTType.Literal and part.atom.ast_type in GROUPS:
            for guard in (part.atom.left_guard, part.atom.right_guard):
                found |= set(_variables(guard)) if guard is not None else set()
        elif part.ast_type != ASTType.ConditionalLiteral:
            found |= set(_variables(part))
    return frozenset(found)


def _variables(node: AST) -> Iterator[str]:
    if node.ast_type == ASTType.Variable:
        yield node.name
    for child in children(node):
        yield from _variables(child)


class Naming(ast.Transformer):
    """Gives names to what has none: variables written as ``_``, and ranges.

    With the names that are *known*, all other variables get names of their own. In what is denied
    a ``_`` stays as it is.
    """

    def __init__(self, known: frozenset[str] | None = None) -> None:
        self._known = known
        self._numbers = count()
        self.ranges: list[str] = []

    def __call__(self, node: AST) -> AST:
        found: AST = self.visit(node)
        return found

    def visit_Literal(self, node: AST) -> AST:  # noqa: N802
        if node.sign == ast.Sign.NoSign:
            return node.update(**self.visit_children(node))
        return node if self._known is None else node.update(atom=self._denied(node.atom))

    def _denied(self, atom: AST) -> AST:
        inner = _Denied(self._known)
        found: AST = inner.visit(atom)
        return found

    def visit_Variable(self, node: AST) -> AST:  # noqa: N802
        if node.name == "_":
            return node.update(name=self._fresh())
        return node.update(name=_own(node.name, self._known))

    def visit_Interval(self, node: AST) -> AST:  # noqa: N802
        name = self._fresh()
        inner = node.update(**self.visit_children(node))
        self.ranges.append(f"{name} = {inner}")
        return ast.Variable(node.location, name)

    def _fresh(self) -> str:
        return f"{'Any' if self._known is None else 'Each'}{next(self._numbers)}_"


class _Denied(ast.Transformer):
    def __init__(self, known: frozenset[str] | None) -> None:
        self._known = known

    def visit_Variable(self, node: AST) -> AST:  # noqa: N802
        return node if node.name == "_" else node.update(name=_own(node.name, self._known))


def _own(name: str, known: frozenset[str] | None) -> str:
    return name if known is None or name in known else f"Own_{name}"
