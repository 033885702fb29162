"""A ground program as bit operations: one integer for each atom, one bit of it for each position.

The facts of the positions are left open when it is grounded. What the grounder writes down then is
sorted, so that each atom comes after what it rests on, and becomes Python text; bit k of an atom
is its truth in the k-th position. A sum is added up bit by bit; atoms that rest on each other, and
on no ``not`` among them, are worked out by rounds, from nothing up.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pymorph.asp.bitslice.evaluation_order import Operation, Operations

LINES = 2_000  # that one Python function has
SHARED = -1  # what more than one group of atoms rests on
WIDEST = 40  # operands that stand side by side

Planes = list[int]  # a sum in each position: the bits of its ones, of its twos, of its fours, ...


class BitProgram:
    """Operations as Python functions. The truth of the atoms that are given comes with each run.

    Atoms may stand *apart*, by a number for each group of them, and `SHARED` for all others: those
    of a group, and what nothing else rests on, are worked out where they are asked for, and
    compiled the first time.
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

        Indexed by the number of the atom; 0 for those that stand apart.
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
        """Python functions of so many lines each, one after the other."""
        lines: list[str] = []
        for component in components:
            lines += self._lines(component)
            if len(lines) > LINES:
                yield _function(lines)
                lines = []
        if lines:
            yield _function(lines)

    def _lines(self, component: Sequence[Operation]) -> list[str]:
        """What works out the atoms and sums of a component."""
        if len(component) == 1 and not component[0].circular:
            return [f"v[{component[0].node}] = {_told(component[0])}"]
        nodes = [row.node for row in component]
        rows = [f" n{row.node} = {_told(row)}" for row in component]
        same = " and ".join(f"n{node} == v[{node}]" for node in nodes)
        kept = [f" v[{node}] = n{node}" for node in nodes]
        begun = [f"v[{row.node}] = []" for row in component if row.items is not None]
        return [*begun, "while True:", *rows, f" if {same}: break", *kept]


def _owners(operations: Operations, apart: Mapping[int, Iterable[int]]) -> dict[int, int]:
    """Whose each atom and sum is that stands apart, or on which only such rest: a group's, or one
    that is `SHARED`."""
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
        for row in component:
            owners[row.node] = owner
            for literal in row.literals():
                claim(abs(literal), owner)
    return owners


def _told(row: Operation) -> str:
    """An atom or a sum as an expression."""
    if row.items is not None:
        told = [f"({weight}, {_body([x]) if x else 'every'})" for x, weight in row.items]
        return f"total([{', '.join(told)}])"
    if not all(row.bodies):
        return "every"
    told = _alternatives(row.bodies)
    told += [f"no_less(v[{number}], {bound}, every)" for number, bound in row.sums]
    return _chain(" | ", told) or "0"


def _alternatives(bodies: Sequence[Sequence[int]]) -> list[str]:
    """Expressions of which one holds where all of a body do. What many bodies have in common is
    looked at first, and nothing else of them where it holds nowhere."""
    often = Counter(literal for body in bodies for literal in body)
    groups: dict[int, list[list[int]]] = defaultdict(list)
    for body in bodies:
        common = max(body, key=lambda literal: (literal > 0, often[literal]))
        groups[common].append([literal for literal in body if literal != common])
    told = []
    for common, rests in groups.items():
        if common < 0 or len(rests) == 1 or not all(rests):
            told += [f"({_body([common, *rest])})" for rest in rests]
        else:
            rest = _chain(" | ", _alternatives(rests))
            told.append(f"(v[{common}] and v[{common}] & ({rest}))")
    return list(dict.fromkeys(told))


def _body(literals: Sequence[int]) -> str:
    """All of the literals, as an expression."""
    never = _chain(" | ", [f"v[{-literal}]" for literal in literals if literal < 0])
    told = [f"v[{literal}]" for literal in literals if literal > 0]
    return _chain(" & ", [*told, f"(every ^ ({never}))"] if never else told)


def _chain(operator: str, operands: Sequence[str]) -> str:
    """Many operands with an operator between them, none nested so deep that Python gives up."""
    rows = list(operands)
    while len(rows) > WIDEST:
        parts = (rows[first : first + WIDEST] for first in range(0, len(rows), WIDEST))
        rows = [f"({operator.join(part)})" for part in parts]
    return operator.join(rows)


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
    """Add what a binary place stands for wherever *bits* are set."""
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
