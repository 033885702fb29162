"""What every SVG file has: its elements, colours and letters, dark where the viewer prefers it."""

from __future__ import annotations

import textwrap
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from importlib import resources
from itertools import count
from typing import Any, NamedTuple

from pymorph.errors import visible
from pymorph.views.layout import one_line
from pymorph.views.pictures.style import SHADES, Look

AS_TEXT = "\ufe0e"  # after a character that could be an emoji
PixelPoint = tuple[float, float]
PixelBox = tuple[float, float, float, float]  # left, top, width and height


class Area(NamedTuple):
    """A part of a picture that stands for something a rule can name, and what to say of it.

    *kind* is `place` or `piece`. A piece that takes its whole place, a mark, has no area: its place
    says it. *row* and *column* count from 1, from the top left; only a board has them.
    """

    term: str
    kind: str
    title: str
    box: PixelBox
    row: int | None = None
    column: int | None = None


class Scale(NamedTuple):
    """How a table in lengths is drawn: where its point [0, 0] is, with up as less; how many pixels
    a *unit* takes, the usual one; and of how many whole units of the rules that one consists."""

    origin: PixelPoint
    pixels: float
    unit: str
    parts: int


DASHES = ((), (3, 1.5), (1, 1), (4, 1.2, 1, 1.2), (0.5, 1))  # of lines, in their widths, by kind

SHEET = "\n" + resources.files(__package__).joinpath("picture.css").read_text("utf-8")


def path(points: Iterable[PixelPoint], end: str = "") -> str:
    """A path along points, as SVG has it; with the *end* Z it is closed."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + end


def round_step(most: float, parts: int) -> float:
    """The least of 1, 2 and 5 with zeros of which at most so many *parts* come up to *most*."""
    steps = (factor * 10.0**tens for tens in count(-3) for factor in (1, 2, 5))
    return next(step for step in steps if most / step <= parts)


def dashes(number: int, width: float) -> dict[str, Any]:
    """How the lines of the kind of that number are dashed; those of the first are not."""
    parts = DASHES[number % len(DASHES)]
    if not parts:
        return {}
    return {
        "stroke_dasharray": " ".join(f"{part * width:.1f}" for part in parts),
        "stroke_linecap": "butt",
    }


def short_lines(text: str, width: int) -> list[str]:
    """*text* in at most two lines of about *width* letters, the rest cut off."""
    words = one_line(text)
    first, *rest = textwrap.wrap(words, width, break_long_words=False, break_on_hyphens=False)
    two = filter(None, (first, " ".join(rest)))
    return [line if len(line) <= width else line[: max(1, width - 1)] + "…" for line in two]


def letter_size(label: str, size: float) -> float:
    """How large the letters of a label are in a disc of a size: the more, the smaller."""
    return size * (1.15, 0.9, 0.7)[min(len(label), 3) - 1]


class SvgElement(ET.Element):
    """An element of an SVG file, in which others are drawn."""

    def add(
        self, tag: str, kind: str = "", text: str = "", **attributes: float | str
    ) -> SvgElement:
        """A new element of a class in this one; its numbers are written in tenths of a pixel."""
        element = SvgElement(tag, {"class": kind} if kind else {})
        for name, value in attributes.items():
            number = value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
            element.set(name.replace("_", "-"), number)
        element.text = text or None
        self.append(element)
        return element

    def group(self, title: str) -> SvgElement:
        """A group with a title, which viewers show and readers say."""
        group = self.add("g")
        group.add("title", "", title)
        return group

    def box(self, kind: str, corner: PixelPoint, size: PixelPoint, **more: float | str) -> None:
        """A rectangle by its upper left corner and its width and height."""
        (x, y), (wide, high) = corner, size
        self.add("rect", kind, "", x=x, y=y, width=wide, height=high, **more)

    def circle(self, kind: str, middle: PixelPoint, radius: float, **more: float | str) -> None:
        """A circle around its middle."""
        self.add("circle", kind, "", cx=middle[0], cy=middle[1], r=radius, **more)

    def line(self, kind: str, start: PixelPoint, end: PixelPoint, **more: float | str) -> None:
        """A straight line."""
        self.add("line", kind, "", x1=start[0], y1=start[1], x2=end[0], y2=end[1], **more)

    def letters(self, look: Look, text: str, middle: PixelPoint, size: float) -> None:
        """The letters of a piece, of a size, around their middle; none of them as an emoji."""
        if not text:
            return
        x, y = middle
        text = "".join(c if c.isascii() else f"{c}{AS_TEXT}" for c in text if c != AS_TEXT)
        more = {"font_size": f"{size:.1f}", **look.paint}
        self.add("text", look.letters, text, x=x, y=y + size * 0.36, **more)

    def disc(
        self, look: Look, middle: PixelPoint, size: float, label: str, letter: float = 0
    ) -> None:
        """A piece of a size with its label, in letters that fit or are of a size: a filled disc or
        a ring. Without a label, a ring is a disc with another circle on it."""
        if look.ring and not label and look.hue not in SHADES:
            self.circle(f"{look.hue} ring", middle, size, **look.paint)
            self.circle("dent", middle, size * 0.6, stroke_width=size / 8)
            return
        rim = size / 6 if look.ring else 0
        more = {"stroke_width": rim} if look.ring else {}
        self.circle(look.disc, middle, size - rim / 2, **more, **look.paint)
        self.letters(look, label, middle, letter or letter_size(label, size))

    def sign(self, look: Look, middle: PixelPoint, size: float, sign: str) -> None:
        """A piece that is its sign alone, about as large as a disc of a size."""
        kind = "glyph hollow" if look.ring and look.hue not in SHADES else "glyph"
        self.letters(look._replace(letters=f"{kind} {look.hue}"), sign, middle, size * 2)


class SvgFile(SvgElement):
    """An SVG file that is drawn element by element; it begins with what it shows in words."""

    # In pixels: a line of text below a picture, and what a letter of it and of the heading take.
    row, letter, capital = 24, 7.9, 9.8

    def __init__(self, width: float, height: float, head: str, description: str) -> None:
        self.wide, self.high = f"{width:.0f}", f"{height:.0f}"
        attributes = {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {self.wide} {self.high}",
            "width": self.wide,
            "height": self.high,
            "role": "img",
            "aria-labelledby": "title desc",
        }
        super().__init__("svg", attributes)
        self.page_size = (float(self.wide), float(self.high))
        self.surface: PixelBox = (0, 0, *self.page_size)  # what heading and notes leave of it
        self.areas: list[Area] = []
        self.lengths: Scale | None = None
        self.add("title", text=head, id="title")
        self.add("desc", text=description, id="desc")
        self.add("style", text=SHEET)

    def hatching(self, name: str, kind: str, size: int, turn: int, line: str) -> None:
        """A pattern of a name: one line again and again."""
        pattern = self.add("defs").add(
            "pattern", id=name, width=size, height=size, patternUnits="userSpaceOnUse",
            patternTransform=f"rotate({turn})",
        )  # fmt: skip
        pattern.add("path", kind, d=line)

    def page(self, head: str, middle: float | str) -> None:
        """The ground on which everything else is drawn, and the heading on it."""
        self.add("rect", "page", width=self.wide, height=self.high)
        self.add("text", "head", head, x=middle, y=26)

    def put_area(
        self,
        term: str,
        kind: str,
        title: str,
        middle: PixelPoint,
        size: PixelPoint,
        at: tuple[int, int] | None = None,
    ) -> None:
        """Keep where something is drawn: its middle, its width and height, its row and column."""
        (x, y), (wide, high) = middle, size
        left, top = round(x - wide / 2, 1), round(y - high / 2, 1)
        box = (left, top, round(wide, 1), round(high, 1))
        self.areas.append(Area(term, kind, title, box, *(at or ())))

    def in_reading_order(self) -> tuple[Area, ...]:
        """The areas row by row; on a table terrain first, from the top; on a chart as drawn."""
        on_table = self.lengths is not None

        def order(area: Area) -> tuple[float, float]:
            row, column = (area.row or 0, area.column or 0)
            return (area.kind == "piece", area.box[1]) if on_table else (row, column)

        return tuple(sorted(self.areas, key=order))

    def file_text(self) -> str:
        """The text of the file."""
        ET.indent(self)
        return visible(ET.tostring(self, encoding="unicode"), "\n\t") + "\n"
