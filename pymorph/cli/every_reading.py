"""What verbs have in common that answer under every reading, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import click

from pymorph.adjudication import per_reading
from pymorph.cli.options import Options, PositionName
from pymorph.dynamics import engine
from pymorph.state import position as positions
from pymorph.state.files import position_file


def _questions(position: positions.Position) -> list[str]:
    return [per_reading.ALL, *position.ruleset.options]


every_reading_option = click.option(
    "--every-reading",
    "every",
    multiple=True,
    type=PositionName("question", _questions),
    metavar="QUESTION",
    help="Answer under each option of this question, side by side; may be repeated. 'all': every "
    "question without a ruling on which play depends.",
)


class UnderEachReading:
    """The position in a file under each of the readings of some questions, the one in force first.

    Raises: InputError, as a position does, or if a question cannot be left open.
    """

    def __init__(self, options: Options, file: str, every: tuple[str, ...]) -> None:
        self._options, self._file = options, file
        self._source = position_file.load(file)
        in_force = options.reached(self._source, file, True)
        self.readings: per_reading.Readings = per_reading.readings_of(
            in_force, every, options.readings
        )
        self.opened = engine.OpenScene(self.readings.questions)

    def positions(self) -> Iterator[positions.Position]:
        """One after the other."""
        for choices in self.readings.choices:
            under = replace(self._options, readings={**self._options.readings, **choices})
            yield under.reached(self._source, self._file, True)
            for question in choices:
                self._options.ruled.pop(question, None)
