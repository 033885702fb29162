"""What the pictures of boards and of tables share: heading, turns, sight, and the notes below."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import TypeVar

from pymorph.errors import Fault, InputError
from pymorph.questions.board.sight import SightLine
from pymorph.views.layout import headline
from pymorph.views.pictures.scene import PictureScene, SceneBase, ScenePiece
from pymorph.views.pictures.style import PACES
from pymorph.views.pictures.svg_file import PixelPoint, SvgFile
from pymorph.views.pictures.turn_order_svg import Strip

# A line below the picture, with the piece that it is about, or the class of a shade.
PictureNote = tuple[str, ScenePiece | SceneBase | str | None]
Ended = TypeVar("Ended", ScenePiece, SceneBase)


def pace_class(number: int) -> str:
    """The class of the shade of a pace."""
    return f"pace{min(number, PACES - 1)}"


class ScenePicture(SvgFile):
    """A picture of a scene: its heading and turns, a surface in the middle, notes below that."""

    top_edge = 64  # above the surface, if nobody has a turn

    def __init__(self, scene: PictureScene, size: PixelPoint, width: float, rows: int) -> None:
        """A picture of some *width*, with a surface of a *size* and so many *rows* of notes."""
        self.scene, self.over = scene, scene.overlay
        strip = Strip(scene, width)
        self.top, self.left = self.top_edge + strip.height, (width - size[0]) / 2
        self.foot = self.top + size[1]
        head, height = headline(scene.position), self.foot + self.line * (rows + 2)
        super().__init__(width, height, head, ". ".join(self.description()) + ".")
        self.put_patterns()
        self.page(head, width / 2)
        strip.put(self, self.top_edge - 24)

    def description(self) -> list[str]:
        """The picture in words."""
        raise NotImplementedError

    def put_patterns(self) -> None:
        """What is drawn with: hatchings and clips."""
        raise NotImplementedError

    def longest(self, notes: Sequence[PictureNote]) -> float:
        """The width of the longest note, with its sign."""
        return max((len(text) for text, _ in notes), default=0) * self.letter + 30

    def put_label(
        self,
        piece: ScenePiece | SceneBase,
        middle: PixelPoint,
        size: float,
        within: ET.Element | None = None,
    ) -> None:
        """A disc with the label of a piece."""
        letters = (piece.label, letter_size(piece.label, size))
        self.disc(self.scene.look(piece.name), middle, size, letters, within)

    def put_notes(
        self, notes: Sequence[PictureNote], signed: int, across: int, left: float, wide: float
    ) -> None:
        """The notes, the first ones *signed* in columns of a width, below them all others."""
        down = -(-signed // across)
        sight = self.over.sight
        stopped = self.over.notes[:1] if sight is not None and sight.stopped_by else ()
        for number, (text, sign) in enumerate(notes):
            column, line = divmod(number, down) if number < signed else (0, number - signed + down)
            x, y = left + column * wide, self.foot + self.line * (line + 2)
            if isinstance(sign, str):
                self.put_sign(sign, x, y)
            elif sign is not None:
                self.put_label(sign, (x + 10, y - 4.5), 10)
            kind = "note told" if text in stopped else "note"
            self.add("text", kind, text, x=x + 26 * (sign is not None), y=y)

    def put_sign(self, sign: str, x: float, y: float) -> None:
        """What a note is about that is no piece, left of it."""
        raise NotImplementedError

    def ends_of(self, sight: SightLine, bodies: Sequence[Ended], surface: str) -> list[Ended]:
        """The two between whom a line is. Raises: InputError, if one is not on the *surface*."""
        names = (sight.viewer, sight.other)
        ends = [body for name in names for body in bodies if body.name == name]
        if len(ends) < len(names):
            message = f"{' and '.join(names)} have no line: not both are on the {surface}"
            raise InputError(Fault(message))
        return ends[: len(names)]

    def put_line_of_sight(
        self, start: PixelPoint, end: PixelPoint, part: float, within: ET.Element
    ) -> None:
        """A line of which the first *part* is free."""
        (x, y), (u, v) = start, end
        m, n = x + (u - x) * part, y + (v - y) * part
        if part:
            self.add("line", "line free", "", within, x1=x, y1=y, x2=m, y2=n)
        if part < 1:
            self.add("line", "line met", "", within, x1=m, y1=n, x2=u, y2=v)


def letter_size(label: str, size: float) -> float:
    """How large the letters of a label are in a disc of a size: the more, the smaller."""
    return size * (1.15, 0.9, 0.7)[min(len(label), 3) - 1]
