"""The position that is asked about: under all that is decided, and in somebody's eyes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pymorph import yamlio
from pymorph.cli.texts import misused, pairs
from pymorph.errors import UnknownName, clipped, nearest
from pymorph.explore.execution import replay
from pymorph.questions import consistency
from pymorph.state import position as positions
from pymorph.state import rulings
from pymorph.state.files import position_file

if TYPE_CHECKING:
    from pymorph.state.position import Position
    from pymorph.state.record import Record
    from pymorph.state.rulings import Ruling, RulingsInForce

HANDLE = "@"  # what a handle starts with


class Kept(NamedTuple):
    """What is kept under a handle: a valid position or record, the position at its end, and the
    rulings in force on it."""

    source: Position | Record
    position: Position
    ruled: RulingsInForce


class PositionOptions:
    """How a position is read: the options that all verbs about positions share.

    *house* is a rulings file that was given; others are looked for unless the verb is *alone*.
    *ruled* is what turned out to be decided of the *position* that was asked about last. *handles*
    are those under which positions are kept; None: every name is that of a file.
    """

    handles: dict[str, Kept] | None = None
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

    def kept(self, file: str) -> Kept | None:
        """What is kept under a handle; None, if *file* is none.

        Raises: UnknownName; UsageError, if it is to be kept under other rulings.
        """
        if self.handles is None or not file.startswith(HANDLE):
            return None
        if file not in self.handles:
            raise UnknownName(f"unknown handle {clipped(file)}{nearest(file, self.handles)}")
        if self.house is not None or self.alone:
            raise misused("rulings files belong to the request that loads a position")
        return self.handles[file]

    def keep_under(self, handle: str, position: Position, source: Record | None = None) -> None:
        """Keep a position, or the record that it ends, under a handle. Raises: UsageError."""
        assert self.handles is not None
        if not handle.startswith(HANDLE):
            raise misused(f"a handle starts with {HANDLE}, not {clipped(handle)}")
        self.handles[handle] = Kept(source or position, position, dict(self.ruled))

    def load(self, file: str) -> Position | Record:
        """The position or record in a file, or under a handle."""
        kept = self.kept(file)
        return position_file.load(file) if kept is None else kept.source

    def position_of(self, file: str, checked: bool = True) -> Position:
        """The position in a file, or at the end of a record, as the options have it."""
        return self.reached(self.load(file), file, checked)

    def asked_first(self, file: str, read: Position | Record | None = None) -> tuple[Position, str]:
        """The position in a file, and its name if it is to be checked with what is asked of it."""
        source = read or self.load(file)
        later = isinstance(source, positions.Position) and self.viewer is None
        later = later and not (self.plain and self.kept(file))
        return self.reached(source, file, not later), yamlio.name_of(file) if later else ""

    def reached(self, source: Position | Record, file: str, checked: bool = True) -> Position:
        """A position, or the one at the end of a record, as the options have it."""
        kept = self.kept(file)
        if kept is not None and self.plain:
            return self.asked_about(kept.position, kept.ruled)
        if isinstance(source, positions.Position):
            return self.under(source, file, checked)
        start = self.under(source.position, file, checked)
        return self.asked_about(replay.end_of(replace(source, position=start)), self.ruled)

    def under(self, position: Position, file: str, checked: bool = True) -> Position:
        """A position under all that is decided, as the viewer knows it."""
        kept = self.kept(file)
        lookup, known = (not self.alone, {}) if kept is None else (False, kept.ruled)
        in_force = rulings.in_force(position, file, self.readings, self.house, lookup, known)
        position = position.with_rulings(rulings.options(in_force))
        if checked:
            consistency.require_well_formed(position, yamlio.name_of(file))
        seen = position if self.viewer is None else consistency.as_seen_by(position, self.viewer)
        return self.asked_about(seen, in_force)

    def asked_about(self, position: Position, in_force: RulingsInForce) -> Position:
        """The position that is asked about, once the rulings in force on it are known."""
        self.position, known = position, dict(in_force)
        self.ruled.clear()
        self.ruled.update(known)
        return position
