"""A ground program in evaluation order, also as plain values.

It has only the atoms on which the wanted ones depend, each after those that it depends on itself,
and none that always or never hold.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from clingo import Symbol, parse_term

from pymorph.asp.bitslice.ground_program import GroundProgram, Operation, Uncompiled

DONE = 1 << 62  # above the number of any node


class Operations(NamedTuple):
    """Components in evaluation order: single operations, or those of a circle. The *always* atoms
    need no operation. *symbols* has the number of each atom that is given or wanted; atoms that are
    always equal share one."""

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
    def of(cls, values: Any) -> Operations:
        """Operations from plain values. Raises: ValueError, TypeError or RuntimeError."""
        size, plain, always, numbers, texts = values
        components = [[Operation(*fields) for fields in component] for component in plain]
        every = chain.from_iterable(components)
        integers = chain([size], always, numbers, chain.from_iterable(map(_numbers, every)))
        if set(map(type, integers)) != {int}:  # they become part of a Python text
            raise ValueError("these are not operations")
        symbols = parse_term(f"({','.join(texts)},)").arguments if texts else ()
        return cls(size, components, always, list(zip(numbers, symbols, strict=True)))


class Translation(NamedTuple):
    """The operations of a program, or why it has none."""

    operations: Operations | None
    refused: Sequence[str] = ()

    @classmethod
    def to(cls, make: Callable[[], Operations]) -> Translation:
        """What *make* makes, or why it cannot."""
        try:
            return cls(make())
        except Uncompiled as error:
            return cls(None, (str(error), error.statement, error.given, error.word))

    def json(self) -> list[Any]:
        """As plain values."""
        return [self.operations and self.operations.json(), self.refused]

    @classmethod
    def of(cls, values: Iterable[Any]) -> Translation:
        """From plain values. Raises: as `Operations.of`."""
        operations, refused = values
        return cls(operations and Operations.of(operations), tuple(map(str, refused)))

    def result(self) -> Operations:
        """Raises: Uncompiled."""
        if self.operations is None:
            raise Uncompiled(*self.refused)
        return self.operations


def _numbers(operation: Operation) -> Iterator[Any]:
    yield operation.node
    parts = (*operation.bodies, *operation.sums, *(operation.items or ()))
    yield from chain.from_iterable(parts)


def in_order(program: GroundProgram, wanted: Iterable[int], given: Collection[int]) -> Operations:
    """The operations for the *wanted* atoms from the truth of the *given* ones.

    Raises: Uncompiled, if there is a circle through a ``not``.
    """
    sought, free = list(wanted), frozenset(given)
    known = Known(program)
    components = []

    @cache
    def depends_on(node: int) -> Collection[int]:
        if node in free or node not in program.operations:
            return ()
        return set(map(abs, program.operations[node].literals()))

    for nodes in _components(sought, depends_on):
        if len(nodes) > 1 or nodes[0] in depends_on(nodes[0]):
            circle = [known.operation(node)._replace(circular=True) for node in nodes]
            _require_no_not(circle)
            components.append(circle)
        elif nodes[0] not in free:
            operation = known.operation(nodes[0])
            if not known.learns(operation):
                components.append([operation])
    size = 1 + max([0, *program.symbols, *program.operations])
    always = [atom for atom in sought if known.values.get(atom)]
    named = {*sought, *free}
    symbols = [(known.same.get(a, a), s) for a, s in program.symbols.items() if a in named]
    return Operations(size, components, always, symbols)


class Known:
    """The *values* of atoms that always or never hold, and the first of *same* atoms and sums."""

    def __init__(self, program: GroundProgram) -> None:
        self._program = program
        self.values: dict[int, bool] = {}
        self.same: dict[int, int] = {}
        self._first_of: dict[object, int] = {}

    def learns(self, operation: Operation) -> bool:
        """Is it known, or the same as another, so that it needs no evaluation?"""
        node, value = operation.node, operation.value
        if value is not None:
            self.values[node] = value
            return True
        if len(operation.bodies) == 1 and not operation.sums and len(operation.bodies[0]) == 1:
            (literal,) = operation.bodies[0]
            if literal > 0:
                self.same[node] = literal
                return True
        bodies = frozenset(map(frozenset, operation.bodies))
        content = (bodies, frozenset(operation.sums), operation.items)
        first = self._first_of.setdefault(content, node)
        if first != node:
            self.same[node] = first
        return first != node

    def operation(self, node: int) -> Operation:
        """The operation of an atom or a sum, without the literals that are known."""
        whole = self._program.operations.get(node)
        if whole is None:
            return Operation(node)
        if whole.items is not None:
            items = [(x, weight, self._value(x)) for x, weight in whole.items]
            unknown = [
                (0 if value else self._first(x), weight)
                for x, weight, value in items
                if value is not False
            ]
            return Operation(node, items=tuple(unknown))
        bodies = []
        for body in whole.bodies:
            values = [self._value(literal) for literal in body]
            if False not in values:
                left = (x for x, value in zip(body, values, strict=True) if value is None)
                bodies.append(list(dict.fromkeys(map(self._first, left))))
        sums = [(self.same.get(number, number), bound) for number, bound in whole.sums]
        return Operation(node, bodies if all(bodies) else [[]], sums)

    def _value(self, literal: int) -> bool | None:
        value = self.values.get(abs(literal))
        return None if value is None else value == (literal > 0)

    def _first(self, literal: int) -> int:
        if literal > 0:
            return self.same.get(literal, literal)
        return -self.same.get(-literal, -literal)


def _require_no_not(circle: Sequence[Operation]) -> None:
    inside = {-operation.node for operation in circle}
    if not all(inside.isdisjoint(operation.literals()) for operation in circle):
        raise Uncompiled("a rule depends on a circle through 'not'")


def _components(
    wanted: Iterable[int], depends_on: Callable[[int], Iterable[int]]
) -> Iterator[list[int]]:
    """The strongly connected components of the dependencies, bottom up (Tarjan)."""
    numbers: dict[int, int] = {}
    low: dict[int, int] = {}  # the least number that may be in the same component
    waiting: list[int] = []
    for root in wanted:
        going: list[tuple[int, Iterator[int]]] = []
        further = None if root in numbers else root
        while going or further is not None:
            if further is not None:
                numbers[further] = low[further] = len(numbers)
                waiting.append(further)
                going.append((further, iter(depends_on(further))))
            node, others = going[-1]
            further = next((other for other in others if other not in numbers), None)
            if further is not None:
                continue
            going.pop()
            low[node] = min([low[node], *map(low.__getitem__, depends_on(node))])
            if low[node] == numbers[node]:
                component: list[int] = []
                while not component or component[-1] != node:
                    component.append(waiting.pop())
                low.update(dict.fromkeys(component, DONE))
                yield sorted(component)
