"""What facts alone make of the vocabulary: members of sorts that rules derive from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from clingo import Symbol

from pymorph.asp.facts import Signature
from pymorph.asp.grounding import grounded
from pymorph.asp.statements import CheckedStatement

MEMBER: Signature = ("member", 2)


def derived(
    statements: Sequence[CheckedStatement],
    inputs: Collection[Signature],
    tables: Collection[str],
    known: Iterable[str],
) -> Iterator[Symbol]:
    """The atoms of *tables* and of ``member`` that rules give whatever the position is.

    What rests on *inputs*, or on the board, is no member of a sort. *known* are facts of the
    vocabulary that come along.
    """
    giving = [s for s in statements if s.kind == "rule" and not s.trusted]
    wanted = {h for s in giving for h in s.heads if h == MEMBER or h[0] in tables}
    if not wanted:
        return
    resting = frozenset(inputs)
    while True:
        more = {h for s in statements if _rests(s, resting) for h in s.heads} - resting
        if not more:
            break
        resting |= more
    still = [s for s in statements if s.heads and not _rests(s, resting)]
    needed: set[Signature] = set()
    agenda = set(wanted)
    while agenda:
        needed |= agenda
        agenda = {b for s in still if s.heads & needed for b in s.body} - needed
    program = "\n".join([*(s.text for s in still if s.heads & needed), *known])
    control = grounded(program, (), None)  # what it holds ends with it
    for name, arity in sorted(wanted):
        atoms = control.symbolic_atoms.by_signature(name, arity)
        yield from sorted(atom.symbol for atom in atoms if atom.is_fact)


def _rests(statement: CheckedStatement, resting: Collection[Signature]) -> bool:
    """Does what a statement gives rest on the position?"""
    return "@" in statement.text or not statement.body.isdisjoint(resting)
