"""What is laid over a picture of the board: a line, a reach, threatened places, an area, a way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from clingo import Symbol

from pymorph.terms import text_of

if TYPE_CHECKING:
    from pymorph.queries.sight import SightLine

# The signs beside what a place has in a picture of characters: the free part of a line, where it is
# stopped and behind; a threatened place; a covered one. A number is a pace, or the steps of a way.
FREE, STOPPED, BEHIND = ("*", "*"), ("!", "!"), ("-", "-")
THREATENED, COVERED = "!", ("(", ")")


class Overlay(NamedTuple):
    """What is laid over the board, and what is said of it.

    Of the *paces* of a *reach*, each place has the number of its first one. *told* is what is said
    below the picture.
    """

    told: tuple[str, ...] = ()
    sight: SightLine | None = None
    paces: tuple[str, ...] = ()
    reach: Mapping[Symbol, int] = {}
    threatened: frozenset[Symbol] = frozenset()
    covered: frozenset[Symbol] = frozenset()
    way: tuple[Symbol, ...] = ()

    def beside(self, place: Symbol) -> tuple[str, str]:
        """The signs to the left and to the right of what stands in a place."""
        left, right = "", ""
        if self.sight is not None and (text := text_of(place)) in self.sight.passes:
            left, right = signs_of_a_line(self.sight, self.sight.passes.index(text))
        if place in self.covered:
            left, right = COVERED
        if place in self.reach:
            left = str(self.reach[place] + 1)
        if place in self.way:
            left = str(self.way.index(place))
        if place in self.threatened:
            right += THREATENED
        return left, right

    def keys(self) -> list[str]:
        """What the signs mean."""
        found = []
        if self.sight is not None and self.sight.passes:
            found.append("* * free line")
            if self.sight.stopped_by:
                found.append("! ! where it is stopped   - - behind that")
        found += [f"{number} {pace}" for number, pace in enumerate(self.paces, 1)]
        if self.covered:
            found.append("( ) covered")
        if self.way:
            found.append("0 1 2 the way, step by step")
        if self.threatened:
            found.append(".! threatened")
        return found


def signs_of_a_line(line: SightLine, number: int) -> tuple[str, str]:
    """The signs of the place of that number of a line."""
    if number < line.before:
        return FREE
    return STOPPED if number == line.before else BEHIND


NOTHING = Overlay()
