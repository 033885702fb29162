"""The ground program of rules with free facts of the positions, as the grounder reports it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
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


class Operation(NamedTuple):
    """How an atom is evaluated, or, if it has *items*, a sum: of literals with their weights.

    An atom holds where all literals of one of its *bodies* do, or where one of the *sums*, by its
    number, is as large as a bound. Literal 0 holds always. *circular*: it may depend on itself.
    """

    node: int
    bodies: Sequence[Sequence[Literal]] = ()
    sums: Sequence[tuple[int, int]] = ()
    items: Sequence[tuple[Literal, int]] | None = None
    circular: bool = False

    def literals(self) -> Iterator[Literal]:
        """The literals and the numbers of sums on which it depends."""
        yield from chain(*self.bodies, dict(self.sums), dict(self.items or ()))

    @property
    def value(self) -> bool | None:
        """Whether an atom always holds, or never does."""
        if self.items is not None:
            return None
        return True if not all(self.bodies) else None if self.bodies or self.sums else False


class GroundProgram(Observer):
    """Observes the ground rules that clingo makes of a program."""

    def __init__(self, most: int = MOST) -> None:
        self.operations: dict[int, Operation] = {}
        self.symbols: dict[int, Symbol] = {}
        self._bodies: dict[int, list[Sequence[Literal]]] = defaultdict(list)
        self._sums: dict[int, list[tuple[tuple[tuple[Literal, int], ...], int]]] = defaultdict(list)
        self._left = self._most = most

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self._count()
        if not choice and head:
            self._bodies[head[0]].append(tuple(body))

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
        self._count()
        self._sums[head[0]].append((tuple(body), lower_bound))

    def _count(self) -> None:
        self._left -= 1
        if not self._left:
            raise Uncompiled(f"there are more than {self._most} ground rules")

    def close(self, control: Control, noted: Iterable[Signature]) -> None:
        """Make the operations, of sums with numbers after all atoms, and store the symbols of the
        *noted* predicates."""
        self.symbols = {
            atom.literal: atom.symbol
            for name, arity in noted
            for atom in control.symbolic_atoms.by_signature(name, arity)
        }
        literals = chain.from_iterable(chain.from_iterable(self._bodies.values()))
        first = 1 + max([0, *self.symbols, *self._sums, *self._bodies, *map(abs, literals)])
        numbers: dict[object, int] = {}
        for atom in dict.fromkeys((*self._bodies, *self._sums)):
            sums = []
            for items, bound in self._sums[atom]:
                number = numbers.setdefault(items, first + len(numbers))
                self.operations[number] = Operation(number, items=items)
                sums.append((number, bound))
            self.operations[atom] = Operation(atom, self._bodies[atom], sums)


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
