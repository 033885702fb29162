"""Questions with open readings; those about hidden information solve one reading at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import product
from typing import TYPE_CHECKING

from clingo import Function, String, Symbol

from pymorph.asp.dependency import Slice
from pymorph.asp.facts import RULED, Facts, Key, Signature
from pymorph.asp.open_program import flip
from pymorph.dynamics.asking import batch
from pymorph.errors import Unsettled
from pymorph.questions.readings.partition import Choices

if TYPE_CHECKING:
    from pymorph.state.position import Position

About = Callable[[Symbol], bool]
# Two readings with different answers, and whether another has the answer of the first.
Apart = tuple[Choices, Choices, Callable[[Choices], bool]]
ABOUT_ANY: About = lambda _: True  # noqa: E731
STOPPED = "_stopped"


class ReadingsQuery(ABC):
    """One question about a position with the readings open, but for those that are *fixed*.

    *questions* are those that it looks at and that are open, with their options.
    """

    def __init__(
        self,
        position: Position,
        part: Slice,
        facts: Iterable[Symbol],
        fixed: Choices,
        wanted: Iterable[Key] = (),
        compared: Sequence[Signature] = (),
        proposing: frozenset[str] | None = None,
    ) -> None:
        ruleset = position.ruleset
        every = ruleset.options
        self._facts = Facts(f for f in facts if (f.name, len(f.arguments)) != RULED)
        self._facts += self._openings([q for q in every if q not in fixed])
        opening = part.open_program(self._facts, every, ruleset.bounds, wanted, proposing)
        self.questions = {q: every[q] for q in opening.questions if q not in fixed}
        self._fixed = {q: fixed[q] for q in opening.questions if q in fixed}
        self._part, self._position = part, position
        self._prepare(opening.text, compared or part.shown)

    @abstractmethod
    def _openings(self, questions: Iterable[str]) -> list[Symbol]:
        """The facts that leave questions open."""

    @abstractmethod
    def _prepare(self, program: str, compared: Sequence[Signature]) -> None:
        """Get ready to answer by a program, with the atoms of the signatures *compared*."""

    @abstractmethod
    def under(self, reading: Choices) -> Set[Symbol]:
        """The atoms of the answer under one reading, as far as it is about these questions."""

    @abstractmethod
    def _apart(self, choices: Choices, about: About, reading: Choices | None) -> Apart | None:
        """Two readings with these choices and different answers; None, if there are none.

        The first is *reading*, if there is one.
        """

    def pivot(self, choices: Choices, about: About, reading: Choices | None = None) -> str | None:
        """A question that alone turns the answer under these choices; None, if nothing does.

        Of a *reading* that makes them it is one that turns the answer under that.
        """
        apart = self._apart(choices, about, reading)
        return apart and flip(*apart)

    def cells(
        self, choices: Choices, about: About = ABOUT_ANY, most: int = 0
    ) -> Iterator[tuple[dict[str, str], bool]]:
        """Cells of readings with one answer each, by the choices that make them.

        Only atoms that the answer is *about* count. With more than *most* cells, the rest comes in
        cells whose readings may differ in their answers; the second value says whether all readings
        of a cell are known to be alike.
        """
        agenda = [dict(choices)]
        given = 0
        while agenda:
            here = agenda.pop(0)
            looked = not most or given + len(agenda) < most
            pivot = self.pivot(here, about) if looked else None
            if pivot is None:
                given += 1
                yield here, looked
            else:
                agenda += [{**here, pivot: option} for option in self.questions[pivot]]

    def choices_keeping(
        self, reading: Choices, given: Choices, about: About = ABOUT_ANY
    ) -> dict[str, str]:
        """Choices of *reading* by which the answer is as under it, in what it is *about*.

        They come on top of those *given*, which it makes too.
        """
        chosen = {question: reading[question] for question in self.questions}
        needed = dict(given)
        while (pivot := self.pivot(needed, about, chosen)) is not None:
            needed[pivot] = chosen[pivot]
        return needed


class VeiledReadings(ReadingsQuery):
    """A question about a position with something hidden.

    What is certain, whatever is hidden, is calculated for each reading that the question looks at.
    """

    def _openings(self, questions: Iterable[str]) -> list[Symbol]:
        return []

    def _prepare(self, program: str, compared: Sequence[Signature]) -> None:
        names = {name for name, _ in compared}
        self._compared = names | {STOPPED} | ({"unknown"} if "total" in names else set())
        self._known: dict[frozenset[tuple[str, str]], frozenset[Symbol]] = {}

    def under(self, reading: Choices) -> Set[Symbol]:
        chosen = {question: reading[question] for question in self.questions}
        key = frozenset(chosen.items())
        if key not in self._known:
            facts = Facts(self._facts)
            here = [fact.arguments[0] for fact in self._facts if fact.name == "situation"]
            for question, option in {**self._fixed, **chosen}.items():
                words = [Function(question), Function(option)]
                facts.extend(Function("ruled", [*words, place]) for place in here)
            try:
                atoms = batch.solve(self._part, facts, self._position)
            except Unsettled as stop:
                atoms = {STOPPED: [Function(STOPPED, [String(str(stop))])]}
            self._known[key] = frozenset(
                atom for name in self._compared & atoms.keys() for atom in atoms[name]
            )
        return self._known[key]

    def _apart(self, choices: Choices, about: About, reading: Choices | None) -> Apart | None:
        one = reading or next(self._readings(choices))
        answer = self._said(one, about)

        def alike(reading: Choices) -> bool:
            return self._said(reading, about) == answer

        other = next((r for r in self._readings(choices) if not alike(r)), None)
        return None if other is None else (one, other, alike)

    def _readings(self, choices: Choices) -> Iterator[Choices]:
        """The readings that make these choices."""
        open_ones = [(choices[q],) if q in choices else o for q, o in self.questions.items()]
        for options in product(*open_ones):
            yield dict(zip(self.questions, options, strict=True))

    def _said(self, reading: Choices, about: About) -> frozenset[Symbol]:
        """What the answer under one reading says, as far as it is *about* something."""
        return frozenset(filter(about, self.under(reading)))
