"""An answer as the page shows it: a tree of elements, made where pages of notebooks are made.

The page builds elements of a few kinds from the tree, with a class and texts in them. So it needs
no markup, and an answer reads the same there as in a notebook.
"""

from __future__ import annotations

from typing import Any

from pymorph.doors.seats import SeatAnswer
from pymorph.dynamics.outcomes import LineOfPlay
from pymorph.views.html import pages
from pymorph.views.lines.answers import why
from pymorph.yamlio import Json


class Shown:
    """Keeps an answer on its way to a seat, to add its tree."""

    def __init__(self) -> None:
        self.tree: list[Any] | None = None
        self.lines: list[str] = []

    def keep(self, answer: Any) -> Any:
        """The answer as it is. Of an action that is refused, it shows why, and of one that was
        carried out, the lines alone: the page has the board."""
        if isinstance(answer, LineOfPlay):
            self.lines = why(answer.why) if answer.why else []
            self.tree = pages.tree_of(answer.why)
        else:
            self.tree = pages.tree_of(answer)
        return answer

    def with_tree(self, answer: SeatAnswer) -> Json:
        """The answer with its tree, if its type has one."""
        return {**answer._asdict(), "lines": self.lines or answer.lines, "tree": self.tree}
