"""A picture of a position: as SVG, as text, and in a notebook."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pymorph import yamlio
from pymorph.answers import BRIEF, json_keys, pictured
from pymorph.errors import Fault, InputError, Place, clipped, printable
from pymorph.explore.execution import replay
from pymorph.explore.execution.session import Session
from pymorph.questions import consistency
from pymorph.questions.board import drawing, overlays
from pymorph.questions.board import sight as sights
from pymorph.runtime.arguments import checked
from pymorph.state.position import Position
from pymorph.state.record import Record
from pymorph.views.layout import headline
from pymorph.views.lines import sight as sight_lines
from pymorph.views.pictures import ascii, overlay, scene, svg, svg_file


@json_keys(optional=["sight", "reach", "threat", "template", "path"])
class Overlays(NamedTuple):
    """The answers that are drawn over a board."""

    sight: sights.SightLine | None = None
    reach: overlays.Reach | None = None
    threat: overlays.Threat | None = None
    template: overlays.Template | None = None
    path: overlays.Route | None = None

    @classmethod
    def asked(
        cls,
        position: Position,
        sight: tuple[str, str] | None = None,
        reach: str | None = None,
        threat: str | None = None,
        template: str | None = None,
        path: str | None = None,
    ) -> Overlays:
        """The answers about a position, each to what is asked.

        Raises: UnknownName, if there is no such thing; InputError, if no rule answers.
        """
        return cls(
            sights.sight(position, *sight).lines[0] if sight else None,
            overlays.reach(position, reach) if reach else None,
            overlays.threat(position, threat) if threat else None,
            overlays.template(position, template) if template else None,
            overlays.route(position, path) if path else None,
        )

    def over(self, position: Position) -> overlay.Overlay:
        """All of them, as they are laid over the picture of the position."""
        draw: tuple[Any, ...] = (
            sight_lines.laid_over,
            overlay.of_reach,
            overlay.of_threat,
            overlay.of_template,
            overlay.of_route,
        )
        pairs = zip(draw, self, strict=True)
        return overlay.combined(one(answer, position) for one, answer in pairs if answer)


@pictured
class Picture:
    """A picture of a position; a notebook shows it. `str` is the drawing in characters.

    >>> import pymorph
    >>> picture = pymorph.draw(pymorph.position("tictactoe"))
    >>> picture
    <Picture of Tic-tac-toe: turn x>
    >>> picture.svg[:4]
    '<svg'
    """

    def __init__(self, scene: scene.PictureScene) -> None:
        self.scene = scene

    @cached_property
    def file(self) -> svg_file.SvgFile:
        """The SVG file, element by element. Raises: InputError, if the position has no board."""
        return svg.board_picture(self.scene)

    @cached_property
    def svg(self) -> str:
        """The text of an SVG file. Raises: InputError, if the position has no board."""
        return self.file.file_text()

    @cached_property
    def areas(self) -> tuple[svg_file.Area, ...]:
        """Where each place and each piece is in the SVG, and what it is called, in reading order.

        They are in the units of the SVG's `viewBox`. Empty, if the position has no board.

        >>> import pymorph
        >>> area = pymorph.draw(pymorph.position("tictactoe")).areas[0]
        >>> area.term, area.title, area.row, area.column
        ('a3', 'a3: empty', 1, 1)
        """
        return self.file.in_reading_order() if self.has_surface else ()

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the SVG's `viewBox`. Raises: InputError, if there is no board."""
        return self.file.page_size

    @property
    def surface(self) -> svg_file.PixelBox:
        """The part of the SVG with the board alone, without heading and notes: left, top, width
        and height, to be set as another `viewBox`. Raises: InputError, if there is no board."""
        return self.file.surface

    @property
    def scale(self) -> svg_file.Scale | None:
        """How a table in lengths is drawn; none, for a board or a chart."""
        return self.file.lengths if self.has_surface else None

    @cached_property
    def text(self) -> str:
        """The whole position, drawn in characters."""
        return "\n".join(ascii.position_text(self.scene))

    @checked
    def save(self, file: str | os.PathLike[str]) -> None:
        """Write the picture to a file, by its ending: `.svg`, or `.txt` for characters.

        Raises: InputError, if the file has another ending, or cannot be written.
        """
        ending = Path(file).suffix.lower()
        if ending not in (".svg", ".txt"):
            place = Place(printable(os.fspath(file)))
            message = f"no picture can be saved as {clipped(ending)}; use .svg or .txt"
            raise InputError(Fault(message, place))
        yamlio.write(Path(file), self.svg if ending == ".svg" else f"{self.text}\n")

    @property
    def has_surface(self) -> bool:
        """Is there a board, a table or a chart, and so an SVG?"""
        scene = self.scene
        return (scene.board, scene.table, scene.chart) != (None, None, None)

    def _repr_svg_(self) -> str | None:
        """What a program that shows SVG alone takes."""
        return self.svg if self.has_surface else None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Picture of {clipped(headline(self.scene.position), BRIEF - 20)[1:-1]}>"


@checked
def draw(
    position: Position | Session | Record,
    viewer: str | None = None,
    *,
    sight: tuple[str, str] | None = None,
    reach: str | None = None,
    threat: str | None = None,
    template: str | None = None,
    path: str | None = None,
) -> Picture:
    """Draw a position; of a session the one now, of a record the one at its end.

    *viewer* draws what somebody knows of it. Over the board come the line of *sight* between two,
    the places in *reach* of somebody, what somebody *threat*ens, what a *template* covers, and the
    *path* of an action. Raises: InputError, if the rules say nothing of that; UnknownName.

    >>> import pymorph
    >>> print(pymorph.draw(pymorph.position("tictactoe")).text.splitlines()[0])
    Tic-tac-toe: turn x
    """
    now = position_in(position)
    seen = now if viewer is None else consistency.as_seen_by(now, viewer)
    laid = Overlays.asked(seen, sight, reach, threat, template, path)
    return Picture(scene_of(seen, laid.over(seen)))


def position_in(source: Position | Session | Record) -> Position:
    """A position, the one of a session now, or the one at the end of a record."""
    if isinstance(source, Record):
        return replay.end_of(source)
    return source.position if isinstance(source, Session) else source


def scene_of(position: Position, over: overlay.Overlay = overlay.NOTHING) -> scene.PictureScene:
    """All that a picture of a position shows, with what is laid over it."""
    return replace(scene.scene_of(position, drawing.drawn(position)), overlay=over)
