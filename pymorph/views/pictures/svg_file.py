"""What every SVG file has: its elements, colours and letters, dark where the viewer prefers it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from importlib import resources

from pymorph.errors import visible
from pymorph.views.pictures.style import Look

PixelPoint = tuple[float, float]

SHEET = "\n" + resources.files(__package__).joinpath("picture.css").read_text("utf-8")


def path(points: Iterable[PixelPoint], end: str = "") -> str:
    """A path along points, as SVG has it; with the *end* Z it is closed."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + end


class SvgFile:
    """An SVG file that is drawn element by element; it begins with what it shows in words."""

    # In pixels: a line of text below a picture, and what a letter of it and of the heading take.
    line, letter, capital = 24, 7.9, 9.8

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
        self.root = ET.Element("svg", attributes)
        self.add("title", text=head, id="title")
        self.add("desc", text=description, id="desc")
        self.add("style", text=SHEET)

    def add(
        self,
        tag: str,
        kind: str = "",
        text: str = "",
        within: ET.Element | None = None,
        **attributes: float | str,
    ) -> ET.Element:
        """A new element of a class; its numbers are written in tenths of a pixel."""
        element = ET.SubElement(self.root if within is None else within, tag)
        if kind:
            element.set("class", kind)
        for name, value in attributes.items():
            number = value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
            element.set(name.replace("_", "-"), number)
        element.text = text or None
        return element

    def box(
        self,
        kind: str,
        corner: PixelPoint,
        size: PixelPoint,
        within: ET.Element | None = None,
        **more: float | str,
    ) -> None:
        """A rectangle by its upper left corner and its width and height."""
        (x, y), (wide, high) = corner, size
        self.add("rect", kind, "", within, x=x, y=y, width=wide, height=high, **more)

    def letters(
        self, kind: str, text: str, middle: PixelPoint, size: float, within: ET.Element | None
    ) -> None:
        """A text of a size around its middle."""
        x, y = middle
        self.add("text", kind, text, within, x=x, y=y + size * 0.36, font_size=f"{size:.1f}")

    def disc(
        self,
        look: Look,
        middle: PixelPoint,
        size: float,
        letters: tuple[str, float],
        within: ET.Element | None = None,
    ) -> None:
        """A piece with its letters, of a size: a filled disc or a ring."""
        rim = size / 6 if look.ring else 0
        more = {"stroke_width": rim} if look.ring else {}
        x, y = middle
        self.add("circle", look.disc, "", within, cx=x, cy=y, r=size - rim / 2, **more)
        self.letters(look.letters, letters[0], middle, letters[1], within)

    def hatching(self, name: str, kind: str, size: int, turn: int, line: str) -> None:
        """A pattern of a name: one line again and again."""
        pattern = self.add(
            "pattern", within=self.add("defs"), id=name, width=size, height=size,
            patternUnits="userSpaceOnUse", patternTransform=f"rotate({turn})",
        )  # fmt: skip
        self.add("path", kind, "", pattern, d=line)

    def page(self, head: str, middle: float | str) -> None:
        """The ground on which everything else is drawn, and the heading on it."""
        self.add("rect", "page", width=self.wide, height=self.high)
        self.add("text", "head", head, x=middle, y=26)

    def group(self, title: str) -> ET.Element:
        """A group with a title, which viewers show and readers say."""
        group = self.add("g")
        self.add("title", "", title, group)
        return group

    def text(self) -> str:
        """The text of the file."""
        ET.indent(self.root)
        return visible(ET.tostring(self.root, encoding="unicode"), "\n\t") + "\n"
