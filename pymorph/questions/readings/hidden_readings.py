"""Questions under every reading where something is hidden: each reading is asked for by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from clingo import Function, String, Symbol

from pymorph.asp.dependency import Slice
from pymorph.asp.facts import RULED, Facts, Key, Signature
from pymorph.dynamics.asking import batch
from pymorph.errors import Unsettled
from pymorph.questions.readings.partition import Answered, Choices

if TYPE_CHECKING:
    from pymorph.board.lengths.measuring import Context
    from pymorph.ruleset.loader import Ruleset

About = Callable[[Symbol], bool]
STOPPED = "_stopped"


class VeiledReadings:
    """One question with the readings open, but for those that are *fixed*; see `OpenReadings`.

    What is certain, whatever is hidden, is worked out for each reading that the question looks at.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        part: Slice,
        facts: Iterable[Symbol],
        geometry: Context | None,
        fixed: Choices,
        wanted: Iterable[Key] = (),
        compared: Sequence[Signature] = (),
        proposing: frozenset[str] | None = None,
    ) -> None:
        told = Facts(fact for fact in facts if (fact.name, len(fact.arguments)) != RULED)
        opening = part.open_program(told, ruleset.options, ruleset.bounds, wanted, proposing)
        self.questions = {q: ruleset.options[q] for q in opening.questions if q not in fixed}
        self.certain: list[Symbol] = []
        self._fixed = {q: fixed[q] for q in opening.questions if q in fixed}
        self._part, self._facts, self._geometry = part, told, geometry
        names = {name for name, _ in compared or part.shown}
        self._compared = names | {STOPPED} | ({"unknown"} if "total" in names else set())
        self._known: dict[frozenset[tuple[str, str]], frozenset[Symbol]] = {}

    def under(self, reading: Choices) -> Answered:
        """The answer under one reading: of its choices, those that this question looks at."""
        chosen = {question: reading[question] for question in self.questions}
        return Answered(chosen, self._atoms(chosen))

    def open_atoms(self, choices: Choices, about: About) -> list[Symbol]:
        """The atoms that hold under some of the readings with these choices, but not under all."""
        rows = [atoms for _, atoms in self._readings(choices, about)]
        return sorted(frozenset.union(*rows) - frozenset.intersection(*rows))

    def cells(
        self, choices: Choices, about: About = lambda _: True, most: int = 0
    ) -> Iterator[tuple[dict[str, str], bool]]:
        """Cells of readings with one answer each, as `OpenReadings` has them."""
        agenda = [dict(choices)]
        given = 0
        while agenda:
            here = agenda.pop(0)
            looked = not most or given + len(agenda) < most
            rows = self._readings(here, about) if looked else iter(())
            first = next(rows, None)
            other = next((row for row in rows if first and row[1] != first[1]), None)
            if first is None or other is None:
                given += 1
                yield here, looked
                continue
            pivot = self._pivot(first[0], other[0], about)
            agenda += [{**here, pivot: option} for option in self.questions[pivot]]

    def choices_keeping(
        self, reading: Choices, given: Choices, about: About = lambda _: True
    ) -> dict[str, str]:
        """Choices of *reading* by which the answer is as under it, in what it is *about*."""
        chosen = {question: reading[question] for question in self.questions}
        mine = frozenset(filter(about, self._atoms(chosen)))
        needed = dict(given)
        while True:
            rows = self._readings(needed, about)
            other = next((under for under, atoms in rows if atoms != mine), None)
            if other is None:
                return needed
            pivot = self._pivot(chosen, other, about)
            needed[pivot] = chosen[pivot]

    def _readings(
        self, choices: Choices, about: About
    ) -> Iterator[tuple[Choices, frozenset[Symbol]]]:
        """The readings that make these choices, with what the answer under each is *about*."""
        rows = [(choices[q],) if q in choices else o for q, o in self.questions.items()]
        for options in product(*rows):
            reading = dict(zip(self.questions, options, strict=True))
            yield reading, frozenset(filter(about, self._atoms(reading)))

    def _pivot(self, one: Choices, other: Choices, about: About) -> str:
        """A question that alone turns the answer, on the way from one reading to another."""
        here = dict(one)
        mine = frozenset(filter(about, self._atoms(here)))
        ways = [question for question in sorted(self.questions) if one[question] != other[question]]
        for question in ways[:-1]:
            here[question] = other[question]
            if frozenset(filter(about, self._atoms(here))) != mine:
                return question
        return ways[-1]

    def _atoms(self, reading: Choices) -> frozenset[Symbol]:
        """What the answer under one reading says."""
        key = frozenset(reading.items())
        if key not in self._known:
            facts = Facts(self._facts)
            here = [fact.arguments[0] for fact in self._facts if fact.name == "situation"]
            for question, option in {**self._fixed, **reading}.items():
                words = [Function(question), Function(option)]
                facts.extend(Function("ruled", [*words, each]) for each in here)
            try:
                found = batch.solve(self._part, facts, self._geometry)
            except Unsettled as stop:
                found = {STOPPED: [Function(STOPPED, [String(str(stop))])]}
            rows = (atom for name, row in found.items() if name in self._compared for atom in row)
            self._known[key] = frozenset(rows)
        return self._known[key]
