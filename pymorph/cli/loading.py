"""The position that is asked about: under all that is decided, and in somebody's eyes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pymorph import yamlio
from pymorph.cli.texts import pairs
from pymorph.explore.execution import replay
from pymorph.questions import consistency
from pymorph.state import position as positions
from pymorph.state import rulings
from pymorph.state.files import position_file

if TYPE_CHECKING:
    from pymorph.state.position import Position
    from pymorph.state.record import Record
    from pymorph.state.rulings import Ruling


class PositionOptions:
    """How a position is read: the options that all verbs about positions share.

    *house* is a rulings file that was given; others are looked for unless the verb is *alone*.
    *ruled* is what turned out to be decided of the *position* that was asked about last.
    """

    viewer: str | None = None
    house: str | None = None
    alone: bool | None = None
    position: Position

    def __init__(self, **given: Any) -> None:
        vars(self).update(given)
        self.readings = pairs(
            given.get("readings") or (),
            "--reading takes QUESTION=OPTION, not {}",
            "--reading gives two options for {}",
        )
        self.ruled: dict[str, Ruling] = {}

    @property
    def plain(self) -> bool:
        """Is a file asked about as it is, in nobody's eyes and without other rulings?"""
        return self.viewer is None and not self.readings and self.house is None

    def position_of(self, file: str, checked: bool = True) -> Position:
        """The position in a file, or at the end of a record, as the options have it."""
        return self.reached(position_file.load(file), file, checked)

    def asked_first(self, file: str, read: Position | Record | None = None) -> tuple[Position, str]:
        """The position in a file, and its name if it is to be checked with what is asked of it."""
        source = read or position_file.load(file)
        later = isinstance(source, positions.Position) and self.viewer is None
        return self.reached(source, file, not later), yamlio.name_of(file) if later else ""

    def reached(self, source: Position | Record, file: str, checked: bool = True) -> Position:
        """A position, or the one at the end of a record, as the options have it."""
        if isinstance(source, positions.Position):
            return self.under(source, file, checked)
        start = self.under(source.position, file, checked)
        self.position = replay.end_of(replace(source, position=start))
        return self.position

    def under(self, position: Position, file: str, checked: bool = True) -> Position:
        """A position under all that is decided, as the viewer knows it."""
        in_force = rulings.in_force(position, file, self.readings, self.house, not self.alone)
        position = position.with_rulings(rulings.options(in_force))
        self.ruled.clear()
        self.ruled.update(in_force)
        if checked:
            consistency.require_well_formed(position, yamlio.name_of(file))
        seen = position if self.viewer is None else consistency.as_seen_by(position, self.viewer)
        self.position = seen
        return seen
