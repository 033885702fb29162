"""The well-founded reading of ``not``: predicates that go round in a circle, worked out in rounds.

What is marked so is known twice: what is true (``true__``), and what may be (``maybe__``). Each
round takes the other one of the round before for what is denied, until nothing changes; what may be
and is not true is undefined. Each round is a small grounding, so that all is facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from clingo import Control, Number, Symbol
from clingo.ast import AST, ASTType, Function, Sign, SymbolicTerm, Transformer
from clingo.symbol import Function as Constant

from pymorph.asp.dependency import MAYBE, TRUE, Statement, in_rounds, written
from pymorph.asp.facts import Signature
from pymorph.asp.passes.rewrite import downstream, gives, reads_affected, rules_in
from pymorph.errors import Fault, RulesetError

ROUND = "round__"
OPENED = "is well founded, and needs known values"


class Rounds(NamedTuple):
    """A program in parts: what comes first, what a round makes true, what then may be, and what
    rests on all that. *marked* are the predicates that it works out, under their names here."""

    first: str
    true: str
    maybe: str
    rest: str
    marked: tuple[Signature, ...]


def require_none(parts: Iterable[Statement], why: str) -> None:
    """Raises: RulesetError, if one of them is worked out in rounds, which *why* forbids."""
    for part in parts:
        for name, arity in gives(part) if in_rounds(part) else ():
            named = f"{name.removeprefix(TRUE).removeprefix(MAYBE)}/{arity}"
            raise RulesetError(Fault(f"{named} {OPENED}: {why}"))


def in_rounds_or_not(text: str, parts: tuple[Statement, ...], more: Sequence[str]) -> str | Rounds:
    """A program with *more* lines, and with what is to be worked out in rounds, if anything is."""
    if not any(map(in_rounds, parts)):
        return "\n".join((text, *more))
    found = rounds_of(parts)
    return found._replace(rest="\n".join((found.rest, *more)))


@lru_cache(maxsize=64)
def rounds_of(parts: tuple[Statement, ...]) -> Rounds:
    """The parts of a program that has such statements."""
    turning = [part for part in parts if in_rounds(part)]
    later = downstream(parts, turning)
    first = [part for part in parts if part not in turning and not reads_affected(part, later)]
    rest = [part for part in parts if part not in turning and reads_affected(part, later)]
    marked = sorted({sign for part in turning for sign in gives(part)})
    texts: dict[str, list[str]] = {TRUE: [], MAYBE: []}
    for part in turning:
        for rule in rules_in(part.text):
            mine = TRUE if str(rule.head).startswith(TRUE) else MAYBE
            texts[mine].append(str(_Numbering(mine).visit(rule)))
    known = [
        f"{name}({terms}) :- {name}({','.join(filter(None, (terms, ROUND)))})."
        for name, arity in marked
        for terms in [",".join(f"X{n}" for n in range(arity))]
    ]
    true, maybe = ("\n".join(texts[name]) for name in (TRUE, MAYBE))
    behind = "\n".join((*known, written(rest)))
    return Rounds(written(first), true, maybe, behind, tuple(marked))


class _Numbering(Transformer):
    """The round in which an atom is known, as its last argument."""

    def __init__(self, mine: str) -> None:
        self.mine = mine

    def visit_Literal(self, node: AST) -> AST:  # noqa: N802
        atom = node.atom
        if atom.ast_type != ASTType.SymbolicAtom or atom.symbol.ast_type != ASTType.Function:
            return node
        if not atom.symbol.name.startswith((TRUE, MAYBE)):
            return node
        before = node.sign == Sign.Negation and self.mine == TRUE
        number: AST = SymbolicTerm(node.location, Constant(ROUND))
        if before:
            number = SymbolicTerm(node.location, Constant(f"{ROUND}before"))
        arguments = [*atom.symbol.arguments, number]
        symbol = Function(node.location, atom.symbol.name, arguments, 0)
        return node.update(atom=atom.update(symbol=symbol))


def parts(control: Control, program: Rounds) -> Iterator[tuple[str, Sequence[Symbol]]]:
    """The parts of a program in the order in which *control* is to ground them.

    Raises: RulesetError, if what is worked out in rounds rests on what is not certain.
    """
    control.add("base", [], program.first)
    control.add("maybe", [ROUND], program.maybe)
    control.add("true", [ROUND, f"{ROUND}before"], program.true)
    control.add("rest", [ROUND], program.rest)
    yield "base", ()
    yield "maybe", (Number(0),)
    found, number = 0, 0
    while True:
        number += 1
        yield "true", (Number(number), Number(number - 1))
        now = sum(1 for _ in _atoms(control, program.marked, number))
        if now == found:
            break
        found = now
        yield "maybe", (Number(number),)
    yield "rest", (Number(number - 1),)


def _atoms(control: Control, marked: Sequence[Signature], number: int) -> Iterator[Symbol]:
    """What is true in a round. Raises: RulesetError, if that is not certain."""
    for name, arity in marked:
        if not name.startswith(TRUE):
            continue
        for atom in control.symbolic_atoms.by_signature(name, arity + 1):
            if atom.symbol.arguments[-1].number != number:
                continue
            if not atom.is_fact:
                told = f"{name.removeprefix(TRUE)}/{arity} {OPENED}: what it depends on is open"
                raise RulesetError(Fault(told))
            yield atom.symbol
