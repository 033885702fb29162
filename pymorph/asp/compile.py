"""A ground program as bit operations: one integer for each atom, one bit of it for each position.

The facts of the positions are left open when it is grounded. What the grounder writes down then is
sorted, so that each atom comes after what it rests on, and becomes Python text; bit k of an atom
is its truth in the k-th position. A sum is added up bit by bit; atoms that rest on each other, and
on no ``not`` among them, are worked out by rounds, from nothing up.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from clingo import Control, MessageCode, Observer, Symbol

from pymorph.asp.facts import Signature
from pymorph.asp.grounding import IGNORED

if TYPE_CHECKING:
    from pymorph.asp.operations import Operations, Row
    from pymorph.board.measuring import Context

MOST = 250_000  # ground rules that are worth the while of putting them into operations
AT_LINE = re.compile(r"<block>:(\d+):")  # as a message of clingo begins
LINES = 2_000  # that one Python function has

WIDEST = 40  # operands that stand side by side

Literal = int  # an atom by its number, or, below zero, that it does not hold
Planes = list[int]  # a sum in each position: the bits of its ones, of its twos, of its fours, ...


class Uncompiled(Exception):
    """A program is no bit program: why, in a few words.

    *statement* is the text of the one that prevents it, if it is known; *given* a predicate, and
    perhaps its first *word*, of which there is too much.
    """

    def __init__(self, why: str, statement: str = "", given: str = "", word: str = "") -> None:
        super().__init__(why)
        self.statement = statement
        self.given = given
        self.word = word


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
        self._left = self._most = most

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
            raise Uncompiled(f"there are more than {self._most} ground rules")

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
    except Uncompiled as error:
        signatures = {(n, a) for n, a, positive in control.symbolic_atoms.signatures if positive}
        sizes = {s: sum(1 for _ in control.symbolic_atoms.by_signature(*s)) for s in signatures}
        name, arity = max(sizes, key=lambda s: (sizes[s], s), default=("", 0))
        raise Uncompiled(f"{error}, most of them for {name}/{arity}", given=name) from None
    except (RuntimeError, MemoryError):
        messages = messages or [""]
    if messages:
        lines = program.splitlines()
        found_at = AT_LINE.match(messages[0])
        statement = lines[int(found_at[1]) - 1] if found_at else ""
        raise Uncompiled("a rule cannot be evaluated for all positions at once", statement)
    found.close(control, noted)
    return found


class BitProgram:
    """Operations as Python functions. The truth of the atoms that are given comes with each run."""

    def __init__(self, operations: Operations) -> None:
        self.size = operations.size
        self._always = operations.always
        self._parts = list(self._functions(operations.components))

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

    def _functions(self, components: Iterable[Sequence[Row]]) -> Iterator[Any]:
        """Python functions of so many lines each, one after the other."""
        lines: list[str] = []
        for component in components:
            lines += self._lines(component)
            if len(lines) > LINES:
                yield _function(lines)
                lines = []
        if lines:
            yield _function(lines)

    def _lines(self, component: Sequence[Row]) -> list[str]:
        """What works out the atoms and sums of a component."""
        if len(component) == 1 and not component[0].circular:
            return [f"v[{component[0].node}] = {_told(component[0])}"]
        nodes = [row.node for row in component]
        rows = [f" n{row.node} = {_told(row)}" for row in component]
        same = " and ".join(f"n{node} == v[{node}]" for node in nodes)
        kept = [f" v[{node}] = n{node}" for node in nodes]
        begun = [f"v[{row.node}] = []" for row in component if row.items is not None]
        return [*begun, "while True:", *rows, f" if {same}: break", *kept]


def _told(row: Row) -> str:
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
