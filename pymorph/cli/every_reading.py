"""What verbs have in common that answer under every reading, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from pymorph.adjudication import per_reading
from pymorph.cli.verb import AboutPosition
from pymorph.dynamics import engine
from pymorph.state import position as positions


class UnderEachReading:
    """The position in a file under each of the readings of some questions, the one in force first.

    Raises: InputError, as a position does, or if a question cannot be left open.
    """

    def __init__(self, verb: AboutPosition, file: str, every: tuple[str, ...]) -> None:
        self._verb, self._file = verb, file
        self._source = verb.load(file)
        in_force = verb.reached(self._source, file)
        self.readings: per_reading.Readings = per_reading.readings_of(
            in_force, every, verb.readings
        )
        self.opened = engine.OpenScene(self.readings.questions)

    def positions(self) -> Iterator[positions.Position]:
        """One after the other."""
        for choices in self.readings.choices:
            under = copy(self._verb)
            under.readings = {**under.readings, **choices}
            yield under.reached(self._source, self._file)
            for question in choices:
                self._verb.ruled.pop(question, None)
