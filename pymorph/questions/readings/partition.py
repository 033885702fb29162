"""What depends on readings: a value for each reading of a text, as few of them as differ.

A reading chooses an option of each question. A `Partition` cuts the space of all readings into
cells, each with some choices in common and one value. All else is calculated from its cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from pymorph.state.position import Position

Value = TypeVar("Value")
Choices = Mapping[str, str]


def defaults_of(position: Position) -> Choices:
    """The option of each question where nobody chooses another: as ruled, or by default."""
    return {**position.ruleset.defaults, **position.rulings}


@dataclass(frozen=True)
class Cell(Generic[Value]):
    """The readings that make the choices *under*, and their value."""

    under: Choices
    value: Value

    def meets(self, choices: Choices) -> bool:
        """Is there a reading in it that makes these choices too?"""
        return all(
            choices.get(question, option) == option for question, option in self.under.items()
        )


@dataclass(frozen=True)
class Partition(Generic[Value]):
    """Cells that have no reading in common, and all of them together; *options* by question."""

    cells: tuple[Cell[Value], ...]
    options: Mapping[str, tuple[str, ...]]

    def values(self, choices: Choices) -> set[Value]:
        """The values of the readings that make these choices."""
        return {cell.value for cell in self.cells if cell.meets(choices)}

    def at(self, choices: Choices) -> Value:
        """The value of a reading, or the one that all readings with these choices have."""
        (value,) = self.values(choices)
        return value

    def relevant(self, choices: Choices = {}) -> tuple[str, ...]:  # noqa: B006
        """The relevant questions: those on which the value depends, with these choices; sorted.

        It depends on one, if two readings with different values differ in it alone. Their cells can
        then differ in nothing else; and where two cells do, there are such readings.
        """
        cells = [cell for cell in self.cells if cell.meets(choices)]
        questions: set[str] = set()
        for number, cell in enumerate(cells):
            for other in cells[:number]:
                if cell.value != other.value:
                    apart = _apart(cell.under, other.under, choices)
                    if len(apart) == 1:
                        questions.add(apart[0])
        return tuple(sorted(questions))

    def canonical(self) -> Partition[Value]:
        """The canonical form: a tree of the relevant questions, in their order."""
        return Partition(tuple(self._branches({})), self.options)

    def _branches(self, choices: Choices) -> Iterator[Cell[Value]]:
        questions = self.relevant(choices)
        if not questions:
            yield Cell(choices, self.at(choices))
            return
        for option in self.options[questions[0]]:
            yield from self._branches({**choices, questions[0]: option})

    def sufficient(self, value: Value) -> list[dict[str, str]]:
        """The smallest sets of choices that lead to *value* whatever else is chosen; sorted."""
        for size in range(len(self.relevant()) + 1):
            forcing = {tuple(sorted(c.items())) for c in self._forcing({}, value, size)}
            if forcing:
                return [dict(choices) for choices in sorted(forcing)]
        return []

    def _forcing(self, choices: Choices, value: Value, left: int) -> Iterator[Choices]:
        """Choices on top of these, at most so many, by which no other value remains."""
        against = next((c for c in self.cells if c.value != value and c.meets(choices)), None)
        if against is None:
            yield choices
        elif left:
            for question, option in sorted(against.under.items()):
                if question not in choices:
                    for other in self.options[question]:
                        if other != option:
                            yield from self._forcing({**choices, question: other}, value, left - 1)

    def fewest_changes(self, reading: Choices) -> list[tuple[dict[str, str], Value]]:
        """The least that has to be chosen otherwise for another value, each with that value."""
        here = self.at(reading)
        changes = [
            ({q: o for q, o in sorted(cell.under.items()) if reading[q] != o}, cell.value)
            for cell in self.cells
            if cell.value != here
        ]
        least = min((len(change) for change, _ in changes), default=0)
        smallest = {tuple(c.items()): value for c, value in changes if len(c) == least}
        return [(dict(change), smallest[change]) for change in sorted(smallest)]


def _apart(one: Choices, other: Choices, given: Choices) -> Sequence[str]:
    """The questions on which two cells cannot agree."""
    return [
        question
        for question, option in one.items()
        if question not in given and other.get(question, option) != option
    ]


def merge(
    cells: Iterable[tuple[Choices, Value]], options: Mapping[str, tuple[str, ...]]
) -> Partition[Value]:
    """Cells as a partition in canonical form."""
    return Partition(tuple(Cell(dict(c), v) for c, v in cells), options).canonical()
