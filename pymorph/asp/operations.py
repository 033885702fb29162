"""A ground program in the order in which it is worked out, and as plain values that can be kept.

Of all that was grounded only what the wanted atoms rest on is here, each after what it rests on
itself; what always holds or never does is left out wherever it stood.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from clingo import Symbol, parse_term

from pymorph.asp.compile import GroundProgram, Uncompiled

DONE = 1 << 62  # above the number of anything that was begun


class Row(NamedTuple):
    """How an atom is worked out, or, if it has *items*, a sum: of literals with their weights.

    An atom holds where all literals of one of its *bodies* do, or where one of the *sums* is as
    large as a bound. Literal 0 holds always. *circular*: it may rest on itself.
    """

    node: int
    bodies: Sequence[Sequence[int]] = ()
    sums: Sequence[tuple[int, int]] = ()
    items: Sequence[tuple[int, int]] | None = None
    circular: bool = False

    @property
    def value(self) -> bool | None:
        """Whether an atom always holds, or never does."""
        if self.items is not None:
            return None
        return True if not all(self.bodies) else None if self.bodies or self.sums else False


class Operations(NamedTuple):
    """What is worked out one after the other; together, what goes round in a circle. Those of the
    *always* need not be. *symbols* has which atom is whose, of those that are given or wanted."""

    size: int
    components: Sequence[Sequence[Row]]
    always: Sequence[int]
    symbols: Mapping[int, Symbol]

    def json(self) -> list[Any]:
        """As plain values."""
        return [
            self.size, self.components, self.always,
            list(self.symbols), list(map(str, self.symbols.values())),
        ]  # fmt: skip

    @classmethod
    def of(cls, told: Any) -> Operations:
        """What plain values say. Raises: ValueError, TypeError or RuntimeError, if it is none."""
        size, rows, always, numbers, texts = told
        components = [[Row(*row) for row in component] for component in rows]
        every = chain.from_iterable(components)
        found = chain([size], always, numbers, chain.from_iterable(map(_numbers, every)))
        if set(map(type, found)) != {int}:  # they become part of a Python text
            raise ValueError("these are no operations")
        symbols = parse_term(f"({','.join(texts)},)").arguments if texts else ()
        return cls(size, components, always, dict(zip(numbers, symbols, strict=True)))


def _numbers(row: Row) -> Iterator[Any]:
    yield row.node
    yield from chain.from_iterable(row.bodies)
    yield from chain.from_iterable(row.sums)
    yield from chain.from_iterable(row.items or ())


def in_order(program: GroundProgram, wanted: Iterable[int], given: Collection[int]) -> Operations:
    """What the *wanted* atoms rest on, where the truth of those that are *given* is told.

    Raises: Uncompiled, where something goes round in a circle through a ``not``.
    """
    known: dict[int, bool] = {}
    components = []
    sought = list(wanted)
    free = frozenset(given)

    @cache
    def rests_on(node: int) -> Collection[int]:
        total = program.totals.get(node)
        if total:
            return {abs(literal) for literal, _ in total.items}
        if node in free or node not in program.definitions:
            return ()
        return set(map(abs, program.definitions[node].literals()))

    for nodes in _components(sought, rests_on):
        circular = len(nodes) > 1 or nodes[0] in rests_on(nodes[0])
        rows = [_row(program, node, known, circular) for node in nodes if node not in free]
        if circular:
            _require_no_not(rows)
            components.append(rows)
        elif rows and rows[0].value is not None:
            known[nodes[0]] = rows[0].value
        elif rows:
            components.append(rows)
    size = 1 + max([0, *program.symbols, *program.definitions, *program.totals])
    named = {*sought, *free}
    symbols = {atom: symbol for atom, symbol in program.symbols.items() if atom in named}
    return Operations(size, components, [a for a in sought if known.get(a)], symbols)


def _row(program: GroundProgram, node: int, known: Mapping[int, bool], circular: bool) -> Row:
    """An atom or a sum without all that is known."""

    def value(literal: int) -> bool | None:
        found = known.get(abs(literal))
        return None if found is None else found == (literal > 0)

    total = program.totals.get(node)
    if total:
        items = [(x, weight, value(x)) for x, weight in total.items]
        kept = [(0 if holds else x, weight) for x, weight, holds in items if holds is not False]
        return Row(node, items=kept, circular=circular)
    if node not in program.definitions:
        return Row(node)
    definition = program.definitions[node]
    bodies = []
    for body in definition.bodies:
        values = [value(literal) for literal in body]
        if False not in values:
            bodies.append([x for x, holds in zip(body, values, strict=True) if holds is None])
    return Row(node, bodies if all(bodies) else [[]], definition.sums, None, circular)


def _require_no_not(rows: Sequence[Row]) -> None:
    inside = {row.node for row in rows}
    for row in rows:
        literals = chain(chain.from_iterable(row.bodies), (x for x, _ in row.items or ()))
        if any(-literal in inside for literal in literals):
            raise Uncompiled("a rule rests on a 'not' that goes round in a circle")


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
                found = []
                while not found or found[-1] != node:
                    found.append(waiting.pop())
                low.update(dict.fromkeys(found, DONE))
                yield sorted(found)
