"""A ground program as bit operations: one integer for each atom, one bit of it for each position.

The program is grounded with free facts. Its atoms are sorted, so that each comes after those that
it depends on, and become Python text; bit k of an atom is its truth in the k-th position. A sum is
added bit by bit; atoms that depend on each other, without a ``not``, are a least fixpoint.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pymorph.asp.bitslice.evaluation_order import Operations
from pymorph.asp.bitslice.ground_program import Operation

LINES = 2_000  # of one Python function
SHARED = -1  # the owner of atoms on which several groups depend
WIDEST = 40  # operands in one expression

Planes = list[int]  # a sum in each position: the bits of its ones, of its twos, of its fours, ...


class BitProgram:
    """Operations as Python functions. Each run starts from the truth of the given atoms.

    Groups of atoms may be evaluated *apart*, each by its number: the atoms of a group, and those on
    which only they depend, are compiled and evaluated when the group is asked for.
    """

    def __init__(
        self, operations: Operations, apart: Mapping[int, Iterable[int]] | None = None
    ) -> None:
        self.size = operations.size
        self._always = operations.always
        owners = _owners(operations, apart or {})
        shared: list[Sequence[Operation]] = []
        self._apart: dict[int, list[Sequence[Operation]]] = defaultdict(list)
        for component in operations.components:
            owner = owners[component[0].node]
            (shared if owner == SHARED else self._apart[owner]).append(component)
        self._parts = list(self._functions(shared))
        self._groups: dict[int, list[Any]] = {}

    def run(self, given: Mapping[int, int], every: int) -> list[Any]:
        """The truth of each atom in all positions, whose bits *every* has.

        Indexed by the number of the atom; 0 for those of groups apart.
        """
        v: list[Any] = [0] * self.size
        for atom in self._always:
            v[atom] = every
        for atom, bits in given.items():
            v[atom] = bits
        for part in self._parts:
            part(v, every)
        return v

    def run_apart(self, group: int, v: list[Any], every: int) -> None:
        """Add the truth of the atoms of a group to that of the others."""
        parts = self._groups.get(group)
        if parts is None:
            parts = self._groups[group] = list(self._functions(self._apart.pop(group, ())))
        for part in parts:
            part(v, every)

    def _functions(self, components: Iterable[Sequence[Operation]]) -> Iterator[Any]:
        """Python functions of up to about `LINES` lines each."""
        lines: list[str] = []
        for component in components:
            lines += self._lines(component)
            if len(lines) > LINES:
                yield _function(lines)
                lines = []
        if lines:
            yield _function(lines)

    def _lines(self, component: Sequence[Operation]) -> list[str]:
        """The lines that evaluate the atoms and sums of a component."""
        if len(component) == 1 and not component[0].circular:
            return [f"v[{component[0].node}] = {_expression(component[0])}"]
        nodes = [operation.node for operation in component]
        sums = [
            f"v[{operation.node}] = []" for operation in component if operation.items is not None
        ]
        step = [f" n{operation.node} = {_expression(operation)}" for operation in component]
        same = " and ".join(f"n{node} == v[{node}]" for node in nodes)
        assign = [f" v[{node}] = n{node}" for node in nodes]
        return [*sums, "while True:", *step, f" if {same}: break", *assign]


def _owners(operations: Operations, apart: Mapping[int, Iterable[int]]) -> dict[int, int]:
    """The group of each atom and sum on which only that group depends; or `SHARED`."""
    owners: dict[int, int] = {}

    def claim(node: int, owner: int) -> None:
        if owners.setdefault(node, owner) != owner:
            owners[node] = SHARED

    for group, literals in apart.items():
        for literal in literals:
            claim(literal, group)
    for component in reversed(operations.components):
        alone = len(component) == 1 and not component[0].circular
        owner = owners.get(component[0].node, SHARED) if alone else SHARED
        for operation in component:
            owners[operation.node] = owner
            for literal in operation.literals():
                claim(abs(literal), owner)
    return owners


def _expression(operation: Operation) -> str:
    """An atom or a sum as an expression."""
    if operation.items is not None:
        items = [f"({weight}, {_body([x]) if x else 'every'})" for x, weight in operation.items]
        return f"total([{', '.join(items)}])"
    if not all(operation.bodies):
        return "every"
    alternatives = _alternatives(operation.bodies)
    alternatives += [f"no_less(v[{number}], {bound}, every)" for number, bound in operation.sums]
    return _chain(" | ", alternatives) or "0"


def _alternatives(bodies: Sequence[Sequence[int]]) -> list[str]:
    """Expressions for the bodies. A literal of many bodies is evaluated first, and the rest of them
    only if it holds anywhere."""
    often = Counter(literal for body in bodies for literal in body)
    groups: dict[int, list[list[int]]] = defaultdict(list)
    for body in bodies:
        common = max(body, key=lambda literal: (literal > 0, often[literal]))
        groups[common].append([literal for literal in body if literal != common])
    expressions = []
    for common, rests in groups.items():
        if common < 0 or len(rests) == 1 or not all(rests):
            expressions += [f"({_body([common, *rest])})" for rest in rests]
        else:
            rest = _chain(" | ", _alternatives(rests))
            expressions.append(f"(v[{common}] and v[{common}] & ({rest}))")
    return list(dict.fromkeys(expressions))


def _body(literals: Sequence[int]) -> str:
    """All of the literals, as an expression."""
    never = _chain(" | ", [f"v[{-literal}]" for literal in literals if literal < 0])
    positive = [f"v[{literal}]" for literal in literals if literal > 0]
    return _chain(" & ", [*positive, f"(every ^ ({never}))"] if never else positive)


def _chain(operator: str, operands: Sequence[str]) -> str:
    """Operands with an operator between them, nested no deeper than Python can compile."""
    terms = list(operands)
    while len(terms) > WIDEST:
        parts = (terms[first : first + WIDEST] for first in range(0, len(terms), WIDEST))
        terms = [f"({operator.join(part)})" for part in parts]
    return operator.join(terms)


def _function(lines: Sequence[str]) -> Any:
    space: dict[str, Any] = {"total": total, "no_less": no_less}
    text = "def part(v, every):\n " + "\n ".join(lines)
    exec(compile(text, "<bits>", "exec"), space)
    return space["part"]


def total(items: Iterable[tuple[int, int]]) -> Planes:
    """The sum of weights in each position: each weight counts where its bits are set."""
    planes: Planes = []
    for weight, bits in items:
        for place in range(weight.bit_length()):
            if weight >> place & 1:
                _add(planes, place, bits)
    return planes


def _add(planes: Planes, place: int, bits: int) -> None:
    """Add the value of a binary place wherever *bits* are set."""
    while bits:
        planes += [0] * (place + 1 - len(planes))
        planes[place], bits = planes[place] ^ bits, planes[place] & bits
        place += 1


def no_less(planes: Planes, bound: int, every: int) -> int:
    """Where a sum is as large as a bound."""
    larger, same = 0, every
    for place in reversed(range(max(len(planes), bound.bit_length()))):
        bits = planes[place] if place < len(planes) else 0
        if bound >> place & 1:
            same &= bits
        else:
            larger |= same & bits
            same &= ~bits
    return larger | same
