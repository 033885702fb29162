"""A position as a picture: a board and what lies before each player, in characters or as SVG.

What stands where is the ruleset's to say, as `drawn(What, Where, S)`; see `stage`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pymorph.render.characters import board_lines
from pymorph.render.chart import chart_lines
from pymorph.render.picture import board_svg
from pymorph.render.stage import Stage, staged
from pymorph.render.tableau import tableau_lines
from pymorph.text import PLAIN, Style, heading

if TYPE_CHECKING:
    from pymorph.position import Position

__all__ = ["board_svg", "board_text", "position_text", "tableau_text"]


def board_text(position: Position, plain: bool = False, style: Style = PLAIN) -> list[str]:
    """The lines of the drawn board with its legend, or of places and the ways between them.

    There are none, if the position has neither. *plain* draws with ASCII characters alone.
    """
    return surface_lines(staged(position), plain, style)


def surface_lines(stage: Stage, plain: bool, style: Style) -> list[str]:
    """The lines of the board, or of the chart."""
    if stage.chart is not None:
        return chart_lines(stage.chart, plain, style)
    return board_lines(stage, plain, style)


def tableau_text(position: Position, plain: bool = False, style: Style = PLAIN) -> list[str]:
    """The lines of what each listed member has before it, as the file groups it."""
    return tableau_lines(staged(position), plain, style)


def position_text(position: Position, plain: bool = False, style: Style = PLAIN) -> list[str]:
    """The lines of a whole position: the game, its board, and what each has before it."""
    stage = staged(position)
    board = surface_lines(stage, plain, style)
    tableau = tableau_lines(stage, plain, style)
    return [*heading(position, style), *board, *([""] if board and tableau else []), *tableau]
