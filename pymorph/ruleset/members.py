"""What facts alone make of the vocabulary: members of sorts that rules derive from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from clingo import Symbol

from pymorph.asp.facts import Signature
from pymorph.asp.grounding import grounded
from pymorph.asp.statements import CheckedStatement, behind

MEMBER: Signature = ("member", 2)


def derived(
    statements: Sequence[CheckedStatement],
    inputs: Collection[Signature],
    tables: Collection[str],
    known: Iterable[str],
) -> Iterator[Symbol]:
    """The atoms of *tables* and of ``member`` that rules give whatever the position is.

    What depends on *inputs*, or on the board, is no member of a sort. *known* are facts of the
    vocabulary that come along.
    """
    giving = [s for s in statements if s.kind == "rule" and not s.trusted]
    wanted = {h for s in giving for h in s.heads if h == MEMBER or h[0] in tables}
    if not wanted:
        return
    dependent = set(inputs)
    size = 0
    while size < len(dependent):
        size = len(dependent)
        dependent.update(*(s.heads for s in statements if _depends_on_position(s, dependent)))
    static = (s for s in statements if not _depends_on_position(s, dependent))
    program = "\n".join([*(s.text for s in behind(static, wanted)), *known])
    control = grounded(program, (), None)  # what it holds ends with it
    for name, arity in sorted(wanted):
        atoms = control.symbolic_atoms.by_signature(name, arity)
        yield from sorted(atom.symbol for atom in atoms if atom.is_fact)


def _depends_on_position(statement: CheckedStatement, dependent: Collection[Signature]) -> bool:
    """Does what a statement defines depend on the position?"""
    return "@" in statement.text or not statement.body.isdisjoint(dependent)
