"""A ground program in the order in which it is worked out, and as plain values that can be kept.

Of all that was grounded only what the wanted atoms rest on is here, each after what it rests on
itself; what always holds or never does is left out wherever it stood.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from clingo import Symbol, parse_term

from pymorph.asp.bitslice.ground_program import GroundProgram, Uncompiled

DONE = 1 << 62  # above the number of anything that was begun


class Operation(NamedTuple):
    """How an atom is worked out, or, if it has *items*, a sum: of literals with their weights.

    An atom holds where all literals of one of its *bodies* do, or where one of the *sums* is as
    large as a bound. Literal 0 holds always. *circular*: it may rest on itself.
    """

    node: int
    bodies: Sequence[Sequence[int]] = ()
    sums: Sequence[tuple[int, int]] = ()
    items: Sequence[tuple[int, int]] | None = None
    circular: bool = False

    def literals(self) -> Iterator[int]:
        """All that it rests on, the numbers of sums among them."""
        yield from chain.from_iterable(self.bodies)
        for number, _ in self.sums:
            yield number
        for literal, _ in self.items or ():
            yield literal

    @property
    def value(self) -> bool | None:
        """Whether an atom always holds, or never does."""
        if self.items is not None:
            return None
        return True if not all(self.bodies) else None if self.bodies or self.sums else False


class Operations(NamedTuple):
    """What is worked out one after the other; together, what goes round in a circle. Those of the
    *always* need not be. *symbols* has by which number each atom that is given or wanted goes: by
    one, where they are always the same."""

    size: int
    components: Sequence[Sequence[Operation]]
    always: Sequence[int]
    symbols: Sequence[tuple[int, Symbol]]

    def json(self) -> list[Any]:
        """As plain values."""
        return [
            self.size, self.components, self.always,
            [number for number, _ in self.symbols], [str(symbol) for _, symbol in self.symbols],
        ]  # fmt: skip

    @classmethod
    def of(cls, told: Any) -> Operations:
        """What plain values say. Raises: ValueError, TypeError or RuntimeError, if it is none."""
        size, rows, always, numbers, texts = told
        components = [[Operation(*row) for row in component] for component in rows]
        every = chain.from_iterable(components)
        found = chain([size], always, numbers, chain.from_iterable(map(_numbers, every)))
        if set(map(type, found)) != {int}:  # they become part of a Python text
            raise ValueError("these are not operations")
        symbols = parse_term(f"({','.join(texts)},)").arguments if texts else ()
        return cls(size, components, always, list(zip(numbers, symbols, strict=True)))


def _numbers(row: Operation) -> Iterator[Any]:
    yield row.node
    yield from chain.from_iterable(row.bodies)
    yield from chain.from_iterable(row.sums)
    yield from chain.from_iterable(row.items or ())


def in_order(program: GroundProgram, wanted: Iterable[int], given: Collection[int]) -> Operations:
    """What the *wanted* atoms rest on, where the truth of those that are *given* is told.

    Raises: Uncompiled, where something goes round in a circle through a ``not``.
    """
    sought, free = list(wanted), frozenset(given)
    known = Known(program)
    components = []

    @cache
    def rests_on(node: int) -> Collection[int]:
        total = program.totals.get(node)
        if total:
            return {abs(literal) for literal, _ in total.items}
        if node in free or node not in program.definitions:
            return ()
        return set(map(abs, program.definitions[node].literals()))

    for nodes in _components(sought, rests_on):
        if len(nodes) > 1 or nodes[0] in rests_on(nodes[0]):
            rows = [known.row(node)._replace(circular=True) for node in nodes]
            _require_no_not(rows)
            components.append(rows)
        elif nodes[0] not in free:
            row = known.row(nodes[0])
            if not known.learns(row):
                components.append([row])
    size = 1 + max([0, *program.symbols, *program.definitions, *program.totals])
    always = [atom for atom in sought if known.values.get(atom)]
    named = {*sought, *free}
    symbols = [(known.same.get(a, a), s) for a, s in program.symbols.items() if a in named]
    return Operations(size, components, always, symbols)


class Known:
    """What is known of the atoms and sums of a program: the *values* of those that always hold or
    never do, and which are the *same* as others."""

    def __init__(self, program: GroundProgram) -> None:
        self._program = program
        self.values: dict[int, bool] = {}
        self.same: dict[int, int] = {}
        self._rows: dict[object, int] = {}

    def learns(self, row: Operation) -> bool:
        """Is there nothing to work out, for it is known or the same as another?"""
        value = row.value
        if value is not None:
            self.values[row.node] = value
            return True
        if len(row.bodies) == 1 and not row.sums and len(row.bodies[0]) == 1:
            (literal,) = row.bodies[0]
            if literal > 0:
                self.same[row.node] = literal
                return True
        told = (frozenset(map(frozenset, row.bodies)), frozenset(row.sums), row.items)
        first = self._rows.setdefault(told, row.node)
        if first != row.node:
            self.same[row.node] = first
        return first != row.node

    def row(self, node: int) -> Operation:
        """An atom or a sum without all that is known."""
        total = self._program.totals.get(node)
        if total:
            items = [(x, weight, self._value(x)) for x, weight in total.items]
            told = [
                (0 if value else self._first(x), weight)
                for x, weight, value in items
                if value is not False
            ]
            return Operation(node, items=tuple(told))
        if node not in self._program.definitions:
            return Operation(node)
        definition = self._program.definitions[node]
        bodies = []
        for body in definition.bodies:
            values = [self._value(literal) for literal in body]
            if False not in values:
                left = (x for x, value in zip(body, values, strict=True) if value is None)
                bodies.append(list(dict.fromkeys(map(self._first, left))))
        sums = [(self.same.get(number, number), bound) for number, bound in definition.sums]
        return Operation(node, bodies if all(bodies) else [[]], sums)

    def _value(self, literal: int) -> bool | None:
        found = self.values.get(abs(literal))
        return None if found is None else found == (literal > 0)

    def _first(self, literal: int) -> int:
        if literal > 0:
            return self.same.get(literal, literal)
        return -self.same.get(-literal, -literal)


def _require_no_not(rows: Sequence[Operation]) -> None:
    inside = {row.node for row in rows}
    for row in rows:
        literals = chain(chain.from_iterable(row.bodies), (x for x, _ in row.items or ()))
        if any(-literal in inside for literal in literals):
            raise Uncompiled("a rule depends on a circle through 'not'")


def _components(
    wanted: Iterable[int], rests_on: Callable[[int], Iterable[int]]
) -> Iterator[list[int]]:
    """All that is rested on, bottom up; together, what goes round in a circle (Tarjan)."""
    begun: dict[int, int] = {}
    low: dict[int, int] = {}  # the earliest that was begun in what may be the same circle
    waiting: list[int] = []
    for root in wanted:
        going: list[tuple[int, Iterator[int]]] = []
        further = None if root in begun else root
        while going or further is not None:
            if further is not None:
                begun[further] = low[further] = len(begun)
                waiting.append(further)
                going.append((further, iter(rests_on(further))))
            node, others = going[-1]
            further = next((other for other in others if other not in begun), None)
            if further is not None:
                continue
            going.pop()
            low[node] = min([low[node], *map(low.__getitem__, rests_on(node))])
            if low[node] == begun[node]:
                found: list[int] = []
                while not found or found[-1] != node:
                    found.append(waiting.pop())
                low.update(dict.fromkeys(found, DONE))
                yield sorted(found)
