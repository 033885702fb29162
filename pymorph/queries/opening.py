"""Questions asked under every reading at once: one grounding in which readings are left open.

All of an answer follows from the readings, so the program has one answer set for each of them.
What all have is its cautious consequences, what some have its brave ones; where these are the same
nothing depends on a reading. Otherwise there are two readings with different answers: going from
one to the other, halving the way, leads to a question that turns it; and so on for each of its
options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clingo import Function, MessageCode, Model, Symbol

from pymorph.facts import RULED, Key, Signature
from pymorph.partition import Choices
from pymorph.slices import Slice
from pymorph.solver import IGNORED, grounded

if TYPE_CHECKING:
    from pymorph.board import Geometry
    from pymorph.ruleset import Ruleset

ABOUT_ANY: Callable[[Symbol], bool] = lambda _: True  # noqa: E731


@dataclass(frozen=True, slots=True)
class Answered:
    """What the rules say under one reading: the atoms that some reading lacks."""

    reading: Choices
    atoms: frozenset[Symbol]


class Opened:
    """One question with the readings open, but for those that are *fixed*."""

    def __init__(
        self,
        ruleset: Ruleset,
        part: Slice,
        facts: Iterable[Symbol],
        geometry: Geometry | None,
        fixed: Choices,
        wanted: Iterable[Key] = (),
        compared: Sequence[Signature] = (),
        proposing: frozenset[str] | None = None,
    ) -> None:
        told = [fact for fact in facts if (fact.name, len(fact.arguments)) != RULED]
        every = ruleset.options
        opening = part.opened(told, every, ruleset.bounds, wanted, proposing)
        situations = [fact.arguments[0] for fact in told if fact.name == "situation"]
        self.questions = {q: every[q] for q in opening.questions if q not in fixed}
        for question in opening.questions:
            if question in fixed:
                words = [Function(question), Function(fixed[question])]
                told += [Function("reading", [*words, here]) for here in situations]
        lines = [opening.text]
        if self.questions:
            first, *others = situations
            for question, options in self.questions.items():
                lines.append(f"1 {{ reading({question}, ({'; '.join(options)}), {first}) }} 1.")
            for here in others:
                lines += [
                    f"reading({q}, O, {here}) :- reading({q}, O, {first})." for q in self.questions
                ]
        compared = compared or part.shown
        lines += [f"#show {name}/{arity}." for name, arity in compared]
        ignored = IGNORED | {MessageCode.OperationUndefined}
        self._control = grounded("\n".join(lines), told, geometry, ignored)
        self.certain: list[Symbol] = []
        self._literals: dict[Symbol, int] = {}
        for name, arity in compared:
            for atom in self._control.symbolic_atoms.by_signature(name, arity):
                if atom.is_fact:
                    self.certain.append(atom.symbol)
                else:
                    self._literals[atom.symbol] = atom.literal
        self._choices = {
            (question, option): self._literal(question, option, situations[0])
            for question, options in self.questions.items()
            for option in options
        }

    def _literal(self, question: str, option: str, here: Symbol) -> int:
        atom = self._control.symbolic_atoms[
            Function("reading", [Function(question), Function(option), here])
        ]
        assert atom is not None
        return atom.literal

    # -- solving ---------------------------------------------------------------------------------

    def _solve(
        self, mode: str, literals: Sequence[int], atoms: Iterable[Symbol]
    ) -> Answered | None:
        """The last model of a search, which in the modes of consequences is their set.

        Of its atoms only those that are among *atoms*.
        """
        wanted = [(symbol, self._literals[symbol]) for symbol in atoms]
        found: list[Answered] = []

        def keep(model: Model) -> None:
            found[:] = [
                Answered(
                    {q: o for (q, o), literal in self._choices.items() if model.is_true(literal)},
                    frozenset(symbol for symbol, literal in wanted if model.is_true(literal)),
                )
            ]

        solving = self._control.configuration.solve
        solving.enum_mode = mode  # type: ignore[union-attr]
        solving.models = 1 if mode == "auto" else 0  # type: ignore[union-attr]
        self._control.solve(assumptions=list(literals), on_model=keep)
        return found[0] if found else None

    def _assumed(self, choices: Choices) -> list[int]:
        return [self._choices[item] for item in choices.items() if item in self._choices]

    def under(self, reading: Choices) -> Answered:
        """The answer under one reading: of its choices, those that this question looks at."""
        chosen = {question: reading[question] for question in self.questions}
        found = self._solve("auto", self._assumed(chosen), self._literals)
        assert found is not None
        return found

    def _holds(self, atom: Symbol, reading: Choices) -> bool:
        found = self._solve("auto", self._assumed(reading), [atom])
        assert found is not None
        return bool(found.atoms)

    def open_atoms(self, choices: Choices, about: Callable[[Symbol], bool]) -> list[Symbol]:
        """The atoms that hold under some of the readings with these choices, but not under all."""
        wanted = [atom for atom in self._literals if about(atom)]
        if not wanted:
            return []
        assumed = self._assumed(choices)
        brave = self._solve("brave", assumed, wanted)
        cautious = self._solve("cautious", assumed, wanted)
        assert brave is not None
        assert cautious is not None
        return sorted(brave.atoms - cautious.atoms)

    def _pair(self, atom: Symbol, choices: Choices) -> tuple[Choices, Choices]:
        """A reading with an atom, and one without it."""
        assumed, literal = self._assumed(choices), self._literals[atom]
        having = self._solve("auto", [*assumed, literal], ())
        lacking = self._solve("auto", [*assumed, -literal], ())
        assert having is not None
        assert lacking is not None
        return having.reading, lacking.reading

    # -- walking ---------------------------------------------------------------------------------

    def cells(
        self, choices: Choices, about: Callable[[Symbol], bool] = ABOUT_ANY, most: int = 0
    ) -> Iterator[tuple[dict[str, str], bool]]:
        """Cells of readings with one answer each, by the choices that make them.

        Only atoms that the answer is *about* count. With *most*, what is left over when there are
        more cells than that comes in cells whose readings may differ in their answers: whether all
        in a cell are known to be alike is told with it.
        """
        agenda = [dict(choices)]
        given = 0
        while agenda:
            here = agenda.pop(0)
            looked = not most or given + len(agenda) < most
            varying = self.open_atoms(here, about) if looked else []
            if not varying:
                given += 1
                yield here, looked
                continue
            having, lacking = self._pair(varying[0], here)
            pivot = self._pivot(having, lacking, varying[0], holds=True)
            agenda += [{**here, pivot: option} for option in self.questions[pivot]]

    def _pivot(self, one: Choices, other: Choices, atom: Symbol, holds: bool) -> str:
        """A question that alone turns *atom*, on the way from one reading to another.

        *holds*: does it hold under the first? It does not under the other then, or the reverse.
        """
        ways = [q for q in sorted(self.questions) if one[q] != other[q]]
        low, high = 0, len(ways)
        while high - low > 1:
            middle = (low + high) // 2
            step = {**one, **{q: other[q] for q in ways[:middle]}}
            if self._holds(atom, step) == holds:
                low = middle
            else:
                high = middle
        return ways[low]

    def kept_by(
        self, reading: Choices, given: Choices, about: Callable[[Symbol], bool] = ABOUT_ANY
    ) -> dict[str, str]:
        """Choices of *reading* by which the answer is as under it, in what it is *about*.

        They come on top of those *given*, which it makes too.
        """
        chosen = {question: reading[question] for question in self.questions}
        needed = dict(given)
        while varying := self.open_atoms(needed, about):
            atom = varying[0]
            holds = self._holds(atom, chosen)
            literal = -self._literals[atom] if holds else self._literals[atom]
            other = self._solve("auto", [*self._assumed(needed), literal], ())
            assert other is not None
            pivot = self._pivot(chosen, other.reading, atom, holds)
            needed[pivot] = chosen[pivot]
        return needed
