"""A grounding in which something is left open: readings, hidden values, positions, versions.

What is open is a choice of the program. Everything else follows from it, so there is one answer set
for each choice. What all answer sets have are the cautious consequences, what some have the brave
ones. Assumptions, which are literals, narrow the choice down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from clingo import Control, MessageCode, Model, Symbol

from pymorph.asp.facts import Signature
from pymorph.asp.grounding import IGNORED, PLAIN, WORK, grounded
from pymorph.errors import OutOfTime
from pymorph.terms import sorted_symbols

if TYPE_CHECKING:
    from pymorph.board.lengths.measuring import Context

QUIET = IGNORED | {MessageCode.OperationUndefined}
Literals = Mapping[Symbol, int]  # of atoms
_T = TypeVar("_T")


class SolveLimits(NamedTuple):
    """Where a search gives up: after so many conflicts, or seconds on the clock."""

    conflicts: int
    seconds: float


class OpenProgram:
    """A program with open choices, grounded once and solved under assumptions."""

    def __init__(
        self,
        program: str,
        facts: Iterable[Symbol],
        geometry: Context | None,
        options: Sequence[str] = PLAIN,
    ) -> None:
        self.control: Control = grounded(program, facts, geometry, QUIET, options)

    def literal(self, atom: Symbol) -> int | None:
        """The literal of an atom; None, if it holds in all answer sets or in none."""
        known = self.control.symbolic_atoms[atom]
        return None if known is None or known.is_fact else known.literal

    def atoms(self, signatures: Iterable[Signature]) -> tuple[list[Symbol], dict[Symbol, int]]:
        """The atoms of some signatures: those of all answer sets, and the others with literals."""
        certain: list[Symbol] = []
        literals: dict[Symbol, int] = {}
        for signature in dict.fromkeys(signatures):
            for atom in self.control.symbolic_atoms.by_signature(*signature):
                if atom.is_fact:
                    certain.append(atom.symbol)
                else:
                    literals[atom.symbol] = atom.literal
        return certain, literals

    def models(
        self,
        read: Callable[[Model], _T],
        assumed: Iterable[int] = (),
        most: int = 1,
        limits: SolveLimits | None = None,
        mode: str = "auto",
    ) -> list[_T]:
        """What *read* makes of each of up to *most* answer sets, or with 0 of all of them.

        If the program prefers some, with 0 they are better and better ones. In the *modes* brave
        and cautious, it is the set of consequences alone.
        Raises: OutOfTime, if the limits end a search that met none.
        """
        assumptions, models = list(assumed), list[_T]()

        def on_model(model: Model) -> None:
            models.append(read(model))

        WORK["solves"] += 1
        solving = self.control.configuration.solve
        solving.enum_mode, solving.models = mode, most  # type: ignore[union-attr]
        if limits is None:
            if mode == "auto":
                self.control.solve(assumptions, on_model)
            else:
                self.control.solve(assumptions, on_last=on_model)
            return models
        solving.opt_mode = "ignore" if most else "opt"  # type: ignore[union-attr]
        solving.solve_limit = str(limits.conflicts)  # type: ignore[union-attr]
        with self.control.solve(assumptions, on_model, async_=True) as handle:
            if not handle.wait(limits.seconds):
                handle.cancel()
            decided = handle.get().satisfiable is not None
        if not models and not decided:
            raise OutOfTime(f"no answer within {limits.conflicts} conflicts")
        return models

    def model(
        self, literals: Mapping[_T, int], assumed: Iterable[int] = (), mode: str = "auto"
    ) -> set[_T] | None:
        """Those of some things whose literals hold in an answer set, or by *mode* in all of them
        (cautious) or in some (brave); None, if there are no answer sets."""

        def read(model: Model) -> set[_T]:
            return {thing for thing, literal in literals.items() if model.is_true(literal)}

        models = self.models(read, assumed, most=1 if mode == "auto" else 0, mode=mode)
        return models[-1] if models else None

    def core(self, assumed: Sequence[int], choices: Literals) -> set[Symbol] | None:
        """A minimal set of the *choices* that no answer set has together; None, if one has all."""
        core = self._some_core(assumed, choices)
        for choice in sorted_symbols(core or ()):
            if core and choice in core:
                rest = {other: choices[other] for other in core - {choice}}
                less = self._some_core(assumed, rest)
                core = core if less is None else less
        return core

    def _some_core(self, assumed: Iterable[int], choices: Literals) -> set[Symbol] | None:
        WORK["solves"] += 1
        choice_of = {literal: choice for choice, literal in choices.items()}
        with self.control.solve([*assumed, *choice_of], yield_=True) as handle:
            if handle.get().satisfiable:
                return None
            return {choice_of[literal] for literal in handle.core() if literal in choice_of}


def flip(
    one: Mapping[str, str], other: Mapping[str, str], alike: Callable[[Mapping[str, str]], bool]
) -> str:
    """A question that alone changes the answer, between two readings that differ in it.

    *alike* says whether a reading has the answer of the first. From the one to the other, their
    choices are exchanged question by question; halving that path finds where the answer changes.
    """
    differing = [question for question in sorted(other) if one[question] != other[question]]
    low, high = 0, len(differing)
    while high - low > 1:
        middle = (low + high) // 2
        if alike({**one, **{q: other[q] for q in differing[:middle]}}):
            low = middle
        else:
            high = middle
    return differing[low]
