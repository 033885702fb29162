"""What the pictures of boards and of tables share: heading, turns, sight, and the notes below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from pymorph.errors import Fault, InputError
from pymorph.questions.board.sight import SightLine
from pymorph.views.layout import headline
from pymorph.views.lines.sight import sight_text
from pymorph.views.pictures.scene import PictureScene, SceneBase, ScenePiece
from pymorph.views.pictures.style import PACES, SHADES
from pymorph.views.pictures.svg_file import PixelPoint, SvgElement, SvgFile
from pymorph.views.pictures.turn_order_svg import Strip

Layer = tuple[str, Mapping[str, float | str]]


class Swatch(NamedTuple):
    """What a note is about that is no piece: layers over one another, each with its class and other
    attributes, just as the picture has them; or a line with its class and attributes."""

    layers: tuple[Layer, ...] = ()
    line: tuple[str, Mapping[str, Any]] | None = None


# A line below the picture, with the piece that it is about, or what else.
PictureNote = tuple[str, ScenePiece | SceneBase | Swatch | None]
HATCHED: Mapping[str, float | str] = {"fill": "url(#risk)"}  # what is threatened
PLAIN_GROUND: Layer = ("swatch usual", {})
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
        head, height = headline(scene.position), self.foot + self.row * (rows + 2)
        super().__init__(width, height, head, ". ".join(self.description()) + ".")
        self.put_patterns()
        self.page(head, width / 2)
        strip.put(self, self.top_edge - 24)
        rim = 28  # of the names of rows and columns
        self.surface = (self.left - rim, self.top - rim, size[0] + 2 * rim, size[1] + 2 * rim)

    def description(self) -> list[str]:
        """The picture in words."""
        raise NotImplementedError

    def put_patterns(self) -> None:
        """What is drawn with: hatchings and clips."""
        raise NotImplementedError

    def longest(self, notes: Sequence[PictureNote]) -> float:
        """The width of the longest note, with its sign."""
        return max((len(text) for text, _ in notes), default=0) * self.letter + 30

    def put_notes(
        self, notes: Sequence[PictureNote], signed: int, across: int, left: float, wide: float
    ) -> None:
        """The notes, the first ones *signed* in columns of a width, below them all others."""
        down = -(-signed // across)
        sight = self.over.sight
        stopped = self.over.notes[:1] if sight is not None and sight.stopped_by else ()
        for number, (text, sign) in enumerate(notes):
            column, line = divmod(number, down) if number < signed else (0, number - signed + down)
            x, y = left + column * wide, self.foot + self.row * (line + 2)
            if isinstance(sign, Swatch):
                self.put_swatch(sign, (x + 2, y - 12.5))
            elif sign is not None:
                self.put_man(self, sign, (x + 10, y - 4.5), 10, shelf=True)
            kind = "note told" if text in stopped else "note"
            self.add("text", kind, text, x=x + 26 * (sign is not None), y=y)

    def put_man(
        self,
        within: SvgElement,
        man: ScenePiece | SceneBase,
        middle: PixelPoint,
        size: float,
        shelf: bool = False,
    ) -> None:
        """A piece of a size: its sign alone, or a disc with it. A sign in black or in white is put
        on a *shelf*, a ground on which both are seen."""
        mark = isinstance(man, ScenePiece) and man.mark
        sign, on_disc = self.scene.sign(man.name, man.label, mark)
        look, draw = self.scene.look(man.name), within.disc if on_disc else within.sign
        if shelf and not on_disc and look.hue in SHADES:
            within.box("shelf", (middle[0] - size, middle[1] - size), (2 * size, 2 * size), rx=3)
        draw(look, middle, size, sign)

    def put_swatch(self, swatch: Swatch, corner: PixelPoint) -> None:
        """What a note is about that is no piece, left of it."""
        x, y = corner
        for kind, more in swatch.layers:
            self.box(kind, corner, (16, 16), **more)
        if swatch.line is not None:
            kind, more = swatch.line
            self.line(kind, (x - 2, y + 8), (x + 20, y + 8), **more)

    def ends_of(self, sight: SightLine, bodies: Sequence[Ended], surface: str) -> list[Ended]:
        """The two between whom a line is. Raises: InputError, if one is not on the *surface*."""
        names = (sight.viewer, sight.other)
        ends = [body for name in names for body in bodies if body.name == name]
        if len(ends) < len(names):
            message = f"{' and '.join(names)} have no line: not both are on the {surface}"
            raise InputError(Fault(message))
        return ends[: len(names)]

    def put_line_of_sight(
        self, sight: SightLine, start: PixelPoint, end: PixelPoint, part: float
    ) -> SvgElement:
        """A line of which the first *part* is free, in a group of its own."""
        box = self.group(sight_text(sight, self.scene.position))
        (x, y), (u, v) = start, end
        met = x + (u - x) * part, y + (v - y) * part
        if part:
            box.line("line free", start, met)
        if part < 1:
            box.line("line met", met, end)
        return box
