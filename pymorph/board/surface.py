"""What a program may ask in a game that is played on drawn boards and on tables."""

from __future__ import annotations

from collections.abc import Callable

from clingo import Symbol

from pymorph.board.calls import CallResult, Calls
from pymorph.board.geometry import FUNCTIONS, Geometry
from pymorph.board.lengths.measuring import TABLE_FUNCTIONS, Measuring


class OnEither(Calls):
    """One of the two, on which questions about the other have no answer."""

    line: int  # the arguments of `crossed`

    def crossed(self, *terms: Symbol) -> CallResult:
        """As of a board with two arguments, and as of a table with three."""
        return super().crossed(*terms) if len(terms) == self.line else []  # type: ignore[misc]

    def __getattr__(self, name: str) -> Callable[..., CallResult]:
        if any(called.partition("/")[0] == name for called in FUNCTIONS | TABLE_FUNCTIONS):
            return lambda *_: []
        raise AttributeError(name)


class OnBoard(OnEither, Geometry):
    """A drawn board."""

    line = 2


class OnTable(OnEither, Measuring):
    """A table."""

    line = 3
