"""The ground program of rules with free facts of the positions, as the grounder reports it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from clingo import Control, MessageCode, Observer, Symbol

from pymorph.asp.facts import Signature
from pymorph.asp.grounding import IGNORED
from pymorph.errors import PymorphError

if TYPE_CHECKING:
    from pymorph.board.lengths.measuring import Context

MOST = 180_000  # ground rules that are worth compiling
AT_LINE = re.compile(r"<block>:(\d+):")  # the start of a message of clingo

Literal = int  # an atom by its number, or, below zero, that it does not hold


class Uncompiled(PymorphError):
    """A program cannot become a bit program: why, in a few words.

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
    """The definition of an atom: it holds where all literals of one of its *bodies* do, or where
    one of the *sums*, by its number, is as large as a bound."""

    bodies: list[tuple[Literal, ...]] = field(default_factory=list)
    sums: list[tuple[int, int]] = field(default_factory=list)

    def literals(self) -> Iterator[Literal]:
        """The literals and the numbers of sums on which it depends."""
        yield from chain(*self.bodies, (number for number, _ in self.sums))


class GroundProgram(Observer):
    """Observes the ground rules that clingo makes of a program."""

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
        """Number the sums after all atoms, and store the symbols of the *noted* predicates."""
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
    """The ground program of *program*, in which choices stand for free facts.

    It has the symbols of the predicates that are *noted*.

    Raises: Uncompiled, if it has more than *most* rules, or one of them cannot be evaluated for all
    free facts.
    """
    ground_program = GroundProgram(most)
    messages: list[str] = []

    def log(code: MessageCode, text: str) -> None:
        if code not in IGNORED:
            messages.append(text)

    control = Control(["-t1", "--preserve-facts=all"], logger=log, message_limit=1)
    control.register_observer(ground_program, replace=True)
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
        line = AT_LINE.match(messages[0])
        statement = lines[int(line[1]) - 1] if line else ""
        raise Uncompiled("a rule cannot be evaluated for all positions at once", statement)
    ground_program.close(control, noted)
    return ground_program
