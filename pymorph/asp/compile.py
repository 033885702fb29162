"""A ground program as bit operations: one integer for each atom, one bit of it for each position.

The facts of the positions are left open when it is grounded. What the grounder writes down then is
sorted, so that each atom comes after what it rests on, and becomes Python text; bit k of an atom
is its truth in the k-th position. A sum is added up bit by bit; atoms that rest on each other, and
on no ``not`` among them, are worked out by rounds, from nothing up.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from clingo import Control, MessageCode, Observer, Symbol

from pymorph.asp.facts import Signature
from pymorph.asp.grounding import IGNORED

if TYPE_CHECKING:
    from pymorph.board.measuring import Context

MOST = 250_000  # ground rules that are worth the while of putting them into operations
LINES = 2_000  # that one Python function has

WIDEST = 40  # operands that stand side by side

Literal = int  # an atom by its number, or, below zero, that it does not hold
Planes = list[int]  # a sum in each position: the bits of its ones, of its twos, of its fours, ...


class Uncompiled(Exception):
    """A program is no bit program: why, in a few words."""


class Total(NamedTuple):
    """A sum over literals, each with its weight."""

    items: tuple[tuple[Literal, int], ...]


@dataclass(slots=True)
class Definition:
    """What an atom rests on: it holds where all literals of one of its *bodies* do, or where one
    of the *sums*, by its number, is as large as a bound."""

    bodies: list[tuple[Literal, ...]] = field(default_factory=list)
    sums: list[tuple[int, int]] = field(default_factory=list)

    def literals(self) -> Iterator[Literal]:
        """All that it rests on."""
        for body in self.bodies:
            yield from body
        for number, _ in self.sums:
            yield number


class GroundProgram(Observer):
    """What clingo makes of a program, as it writes it down."""

    def __init__(self, most: int = MOST) -> None:
        self.definitions: dict[int, Definition] = defaultdict(Definition)
        self.totals: dict[int, Total] = {}
        self.symbols: dict[int, Symbol] = {}
        self._numbers: dict[Total, int] = {}
        self._left = most

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self._count()
        if not choice and head:
            self.definitions[head[0]].bodies.append(tuple(body))

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
        self._count()
        total = Total(tuple(body))
        number = self._numbers.setdefault(total, -len(self._numbers) - 1)
        self.definitions[head[0]].sums.append((number, lower_bound))

    def _count(self) -> None:
        self._left -= 1
        if not self._left:
            raise Uncompiled("its ground program is too large")

    def close(self, control: Control, noted: Iterable[Signature]) -> None:
        """Number the sums after all atoms, and note which atom of some predicates is whose."""
        self.symbols = {
            atom.literal: atom.symbol
            for name, arity in noted
            for atom in control.symbolic_atoms.by_signature(name, arity)
        }
        first = 1 + max([0, *self.symbols, *self.definitions])
        first = max(
            [first, *(abs(x) + 1 for d in self.definitions.values() for b in d.bodies for x in b)]
        )
        for total, number in self._numbers.items():
            self.totals[first - number - 1] = total
        for definition in self.definitions.values():
            definition.sums = [(first - number - 1, bound) for number, bound in definition.sums]


def ground(
    program: str,
    facts: Iterable[Symbol],
    geometry: Context | None,
    noted: Iterable[Signature],
    most: int = MOST,
) -> GroundProgram:
    """The ground program of *program*, in which choices leave open what is not known.

    It names the atoms of the predicates that are *noted*.

    Raises: Uncompiled, where it has more than so many rules, or one of them cannot be evaluated
    for all that is left open.
    """
    found = GroundProgram(most)
    messages: list[str] = []

    def log(code: MessageCode, text: str) -> None:
        if code not in IGNORED:
            messages.append(text)

    control = Control(["-t1", "--preserve-facts=all"], logger=log, message_limit=1)
    control.register_observer(found)
    try:
        control.add("base", [], program)
        with control.backend() as backend:
            for fact in facts:
                backend.add_rule([backend.add_atom(fact)])
        control.ground([("base", [])], context=geometry)
    except (RuntimeError, MemoryError):
        raise Uncompiled("not all of its rules can be evaluated at once") from None
    if messages:
        raise Uncompiled("not all of its rules can be evaluated at once")
    found.close(control, noted)
    return found


class BitProgram:
    """The atoms that are *wanted* of a ground program, and what they rest on, as operations.

    The truth of the atoms that are *given* is told with each run.
    """

    def __init__(
        self, program: GroundProgram, wanted: Iterable[int], given: Collection[int]
    ) -> None:
        self._program = program
        self._given = frozenset(given)
        self.constants: dict[int, bool] = {}
        self.size = 1 + max([0, *program.symbols, *program.definitions, *program.totals])
        kept = set(wanted)
        self._parts = list(self._functions(self._components(kept)))
        self._always = [atom for atom in kept if self.constants.get(atom)]

    def run(self, given: Mapping[int, int], every: int) -> list[Any]:
        """The truth of each atom in all positions, whose bits *every* has.

        Indexed by the number of the atom.
        """
        v: list[Any] = [0] * self.size
        for atom in self._always:
            v[atom] = every
        for atom, bits in given.items():
            v[atom] = bits
        for part in self._parts:
            part(v, every)
        return v

    def rests_on(self, node: int) -> Iterator[int]:
        """The atoms and sums that an atom or a sum rests on."""
        total = self._program.totals.get(node)
        if total:
            yield from (abs(literal) for literal, _ in total.items)
        elif node in self._program.definitions and node not in self._given:
            yield from map(abs, self._program.definitions[node].literals())

    def _components(self, wanted: Iterable[int]) -> Iterator[list[int]]:
        """What has to be worked out, bottom up; together, what goes round in a circle."""
        import networkx as nx  # type: ignore[import-untyped]

        graph = nx.DiGraph()
        agenda = list(wanted)
        graph.add_nodes_from(agenda)
        seen = set(agenda)
        while agenda:
            node = agenda.pop()
            for other in set(self.rests_on(node)):
                graph.add_edge(node, other)
                if other not in seen:
                    seen.add(other)
                    agenda.append(other)
        for component in nx.strongly_connected_components(graph):  # what is rested on comes first
            (node, *others) = component
            yield sorted(component) if others or graph.has_edge(node, node) else [node]

    def _functions(self, components: Iterable[list[int]]) -> Iterator[Any]:
        """Python functions of so many lines each, one after the other."""
        lines: list[str] = []
        for component in components:
            lines += self._lines(component)
            if len(lines) > LINES:
                yield _function(lines)
                lines = []
        if lines:
            yield _function(lines)

    def _lines(self, component: Sequence[int]) -> list[str]:
        """What works out the atoms and sums of a component."""
        if len(component) == 1 and component[0] not in self.rests_on(component[0]):
            node = component[0]
            told = self._told(node)
            if told in ("every", "0"):
                self.constants[node] = told == "every"
                return []
            return [f"v[{node}] = {told}"] if told else []
        inside = set(component)
        for node in component:
            if any(-other in inside for other in self._negated(node)):
                raise Uncompiled("a rule rests on a 'not' that goes round in a circle")
        rows = [f" n{node} = {self._told(node)}" for node in component]
        same = " and ".join(f"n{node} == v[{node}]" for node in component)
        kept = [f" v[{node}] = n{node}" for node in component]
        begun = [f"v[{node}] = []" for node in component if node in self._program.totals]
        return [*begun, "while True:", *rows, f" if {same}: break", *kept]

    def _negated(self, node: int) -> Iterator[int]:
        """The literals below zero that an atom or a sum rests on."""
        total = self._program.totals.get(node)
        if total:
            return (literal for literal, _ in total.items if literal < 0)
        definition = self._program.definitions.get(node)
        return (x for x in definition.literals() if x < 0) if definition else iter(())

    def _told(self, node: int) -> str:
        """An atom or a sum as an expression: "0" and "every", where that is all; nothing, if it
        is given."""
        if node in self._given:
            return ""
        total = self._program.totals.get(node)
        if total:
            items = [(weight, self._known(literal), literal) for literal, weight in total.items]
            told = [
                f"({weight}, {'every' if known else _body([literal])})"
                for weight, known, literal in items
                if known is not False
            ]
            return f"total([{', '.join(told)}])"
        definition = self._program.definitions.get(node, Definition())
        bodies = []
        for body in definition.bodies:
            values = [self._known(literal) for literal in body]
            if all(values):
                return "every"
            if False not in values:
                bodies.append([x for x, value in zip(body, values, strict=True) if value is None])
        told = _alternatives(bodies)
        told += [f"no_less(v[{number}], {bound}, every)" for number, bound in definition.sums]
        return _chain(" | ", told) or "0"

    def _known(self, literal: int) -> bool | None:
        """Whether a literal always holds, or never does."""
        value = self.constants.get(abs(literal))
        return None if value is None else value == (literal > 0)


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
