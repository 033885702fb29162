"""Rules that record what rests on what: for each atom that a rule gives, those that it is given by.

They stand beside the rules of a question where somebody asks why, and nowhere else. Of a sum or a
count all is recorded that it goes over, and of what a rule denies no more than that. Beside

    near(P,S) :- far(Q,S); next(P,Q); not closed(P,S).      are
    because_(near(P,S),(far(Q,S),next(P,Q),),given) :- far(Q,S); next(P,Q); not closed(P,S).
    because_(near(P,S),(closed(P),),denied) :- far(Q,S); next(P,Q); not closed(P,S).

>>> from clingo import parse_term
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, count

from clingo.ast import AST, ASTType, Sign, Transformer, Variable

from pymorph.asp.dependency import Slice, Statement
from pymorph.asp.syntax_trees import is_atom, positive, unpooled, untimed, variables

BECAUSE = ("because_", 3)  # an atom, others that it rests on, and in which way
GIVEN_BY, COUNTED, DENIED = "given", "counted", "denied"
GROUPS = (ASTType.BodyAggregate, ASTType.Aggregate)


def recorded(part: Slice, shown: Iterable[tuple[str, int]]) -> Slice:
    """A slice of *part* that records what leads to the *shown* atoms.

    >>> game = Slice((Statement.of("near(P) :- far(P)."),), (("near", 1),))
    >>> print(recorded(game, game.shown).program([parse_term("far(door)")]))
    #defined far/1.
    near(P) :- far(P).
    because_(near(P),(far(P),),given) :- far(P).
    """

    def added(parts: Iterable[Statement]) -> Iterator[str]:
        return chain.from_iterable(recordings(part.text) for part in parts)

    return Slice(part.parts, (*shown, BECAUSE), part.folders, added=added)


@lru_cache(maxsize=20_000)
def recordings(statement: str) -> tuple[str, ...]:
    """The rules that record what the atoms of a *statement* rest on.

    >>> print(*recordings("near(P) :- far((a;b)); not closed(P)."), sep="\\n")
    because_(near(P),(far(a),),given) :- far(a); not closed(P).
    because_(near(P),(closed(P),),denied) :- far(a); not closed(P).
    because_(near(P),(far(b),),given) :- far(b); not closed(P).
    because_(near(P),(closed(P),),denied) :- far(b); not closed(P).
    """
    if ":-" not in statement:
        return ()
    return tuple(chain.from_iterable(map(recording, unpooled(statement))))


def recording(rule: AST) -> Iterator[str]:
    """The rules that record what the atom of a *rule* without pools rests on.

    >>> (rule,) = unpooled("full(P) :- 3 <= #count { Q: next(P,Q) }.")
    >>> print(*recording(rule), sep="\\n")
    because_(full(P),(),given) :- 3 <= #count { Q: next(P,Q) }.
    because_(full(P),(next(P,Own_Q),),counted) :- 3 <= #count { Q: next(P,Q) }; next(P,Own_Q).
    """
    if rule.head.ast_type != ASTType.Literal or not rule.body:
        return
    if rule.head.atom.ast_type != ASTType.SymbolicAtom:
        return
    naming = FreshNames()
    head = naming.visit(rule.head.atom.symbol)
    body = [naming.visit(part) if positive(part) else part for part in rule.body]
    conditions = [*map(str, body), *naming.ranges]
    yield _line(head, [part.atom.symbol for part in body if positive(part)], GIVEN_BY, conditions)
    denied = [
        untimed(part.atom.symbol)
        for part in rule.body
        if is_atom(part) and part.sign == Sign.Negation
    ]
    if denied:
        yield _line(head, denied, DENIED, conditions)
    elements = list(chain.from_iterable(map(_elements, rule.body)))
    known = _global(rule.head, rule.body) if elements else frozenset()  # takes long
    for element in elements:
        local = FreshNames(known)
        looked = list(map(local.visit, element))
        atoms = [part.atom.symbol for part in looked if positive(part)]
        if atoms:
            more = [*conditions, *map(str, looked), *local.ranges]
            yield _line(head, atoms, COUNTED, more)


def _line(head: AST, atoms: Iterable[AST], kind: str, conditions: Iterable[str]) -> str:
    listed = "".join(f"{atom}," for atom in atoms)
    return f"{BECAUSE[0]}({head},({listed}),{kind}) :- {'; '.join(conditions)}."


def _elements(part: AST) -> Iterator[list[AST]]:
    """What a part of a body counts or goes over: each time the literals that hold together."""
    if part.ast_type == ASTType.ConditionalLiteral:
        yield [part.literal, *part.condition]
    for element in part.atom.elements if _is_group(part) and part.sign == Sign.NoSign else ():
        own = getattr(element, "literal", None)
        yield [*([] if own is None else [own]), *element.condition]


def _is_group(part: AST) -> bool:
    return part.ast_type == ASTType.Literal and part.atom.ast_type in GROUPS


def _global(head: AST, body: Iterable[AST]) -> frozenset[str]:
    """The variables of a rule that are not those of a single element."""
    parts = [head]
    for part in body:
        if _is_group(part):
            parts += filter(None, (part.atom.left_guard, part.atom.right_guard))
        elif part.ast_type != ASTType.ConditionalLiteral:
            parts.append(part)
    return frozenset(chain.from_iterable(map(variables, parts)))


class FreshNames(Transformer):
    """Gives names to what has none: ranges, and variables written as ``_`` but for those in what is
    denied. With the names that are *known*, all other variables get names of their own."""

    def __init__(self, known: frozenset[str] | None = None) -> None:
        self.ranges: list[str] = []
        self._known = known
        self._numbers = count()
        self._denied = False

    def visit_Literal(self, node: AST) -> AST:  # noqa: N802
        self._denied = node.sign != Sign.NoSign
        literal = node.update(**self.visit_children(node))
        self._denied = False
        return literal

    def visit_Variable(self, node: AST) -> AST:  # noqa: N802
        if node.name == "_":
            return node if self._denied else node.update(name=self._fresh())
        own = self._known is not None and node.name not in self._known
        return node.update(name=f"Own_{node.name}") if own else node

    def visit_Interval(self, node: AST) -> AST:  # noqa: N802
        name = self._fresh()
        self.ranges.append(f"{name} = {node.update(**self.visit_children(node))}")
        return Variable(node.location, name)

    def _fresh(self) -> str:
        return f"{'Any' if self._known is None else 'Each'}{next(self._numbers)}_"
