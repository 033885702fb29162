"""A drawn board in a game that is played on tables as well."""

from __future__ import annotations

from collections.abc import Callable

from clingo import Symbol

from pymorph.board.geometry import Geometry, unanswered
from pymorph.board.graphs import CallResult
from pymorph.board.lengths import measuring


class OnBoard(Geometry):
    """What a program may ask of such a board: questions about a table have no answer."""

    def crossed(self, *terms: Symbol) -> CallResult:
        """As of a board; of a table there is a third argument."""
        return super().crossed(*terms) if len(terms) == 2 else []

    def __getattr__(self, name: str) -> Callable[..., CallResult]:
        if any(function.partition("/")[0] == name for function in measuring.TABLE_FUNCTIONS):
            return unanswered
        raise AttributeError(name)
