"""What every SVG file has: its elements, colours and letters, dark where the viewer prefers it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import NamedTuple

from pymorph.errors import visible

HUES = 8
TINTS = 11
PACES = 4  # shades for paces; those past them have the last
# A side that is called by a colour has that one; `black` and `white` are classes of their own.
COLOURS = {"blue": "hue0", "red": "hue1", "green": "hue2", "purple": "hue3", "yellow": "hue4"}
SHADES = {"black": False, "white": True}  # is it a ring?

SHEET = """
text { font-family: system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #24292f; }
.page { fill: #ffffff; }
.head { font-size: 15px; font-weight: 600; text-anchor: middle; }
.note { font-size: 13px; }
.axis { font-size: 13px; fill: #6a737d; text-anchor: middle; }
.name { fill: #3d444d; text-anchor: middle; }
.cell { stroke: #c4cad1; stroke-width: 1; }
.usual { fill: #f4f5f2; }
.bare { fill: none; stroke-dasharray: 3 4; }
.tint0 { fill: #dcebd3; } .tint1 { fill: #d6e6f2; } .tint2 { fill: #e9dfcf; }
.tint3 { fill: #f0d9d4; } .tint4 { fill: #e4e0da; } .tint5 { fill: #e3dcf0; }
.tint6 { fill: #f5ecc6; } .tint7 { fill: #cfe8e4; } .tint8 { fill: #f3dcea; }
.tint9 { fill: #c9cfd6; } .tint10 { fill: #d9c9ae; }
.hatch { stroke: #24292f; stroke-opacity: .22; stroke-width: 3; }
.wall { stroke: #32383f; stroke-linecap: round; }
.mark { fill: #24292f; text-anchor: middle; font-weight: 600; }
.initial { fill: #ffffff; text-anchor: middle; font-weight: 700; }
.ring { stroke: #ffffff; stroke-width: 2; stroke-linejoin: round; }
.hue0 { fill: #2563a8; color: #2563a8; } .hue1 { fill: #b8432f; color: #b8432f; }
.hue2 { fill: #2c7d53; color: #2c7d53; } .hue3 { fill: #7d4698; color: #7d4698; }
.hue4 { fill: #946a00; color: #946a00; } .hue5 { fill: #11707f; color: #11707f; }
.hue6 { fill: #a83a72; color: #a83a72; } .hue7 { fill: #55606c; color: #55606c; }
.hollow { fill: #ffffff; stroke: currentColor; }
.turn { fill: #f4f5f2; stroke: #8b949e; stroke-width: 1.2; }
.now { stroke: #24292f; stroke-width: 3; } .waiting { fill: none; stroke-dasharray: 4 4; }
.tick { fill: none; stroke: #24292f; stroke-width: 2; }
.dot { fill: none; stroke: #6a737d; stroke-width: 1.5; }
.black { fill: #1b1f24; stroke: #8b949e; } .white { fill: #ffffff; stroke: #1b1f24; }
.on_black { fill: #ffffff; } .on_white { fill: #1b1f24; }
.line { fill: none; stroke-width: 3; stroke-dasharray: 9 6; }
.free { stroke: #1a7f37; } .met { stroke: #cf222e; } .told { fill: #cf222e; }
.end { fill: #ffffff; stroke-width: 2.5; }
.block { fill: none; stroke: #cf222e; stroke-linecap: round; }
.shelter { fill: none; stroke: #bf8700; stroke-linecap: round; }
.pace0 { fill: #1a7f37; fill-opacity: .42; } .pace1 { fill: #1a7f37; fill-opacity: .27; }
.pace2 { fill: #1a7f37; fill-opacity: .16; } .pace3 { fill: #1a7f37; fill-opacity: .08; }
.covered { fill: #8250df; fill-opacity: .24; stroke: #8250df; stroke-width: 1.5; }
.risk { stroke: #cf222e; stroke-opacity: .6; stroke-width: 2; }
.way { fill: none; stroke: #0969da; stroke-width: 4; stroke-linejoin: round; }
.swept { fill: none; stroke: #0969da; stroke-opacity: .2; stroke-linecap: round;
  stroke-linejoin: round; }
.lost { fill: #cf222e; stroke: #ffffff; } .left { fill: #ffffff; stroke: #6a737d; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .page { fill: #14181d; }
  .axis { fill: #9198a1; }
  .name { fill: #c9d1d9; }
  .cell { stroke: #3b434c; }
  .usual { fill: #1f252c; }
  .tint0 { fill: #2b4030; } .tint1 { fill: #24394b; } .tint2 { fill: #443b2c; }
  .tint3 { fill: #4b2f2c; } .tint4 { fill: #393a3c; } .tint5 { fill: #393050; }
  .tint6 { fill: #4a431f; } .tint7 { fill: #1f4541; } .tint8 { fill: #4a2a40; }
  .tint9 { fill: #555d66; } .tint10 { fill: #5a4a2c; }
  .hatch { stroke: #e6edf3; }
  .wall { stroke: #d7dde3; }
  .mark { fill: #e6edf3; }
  .ring { stroke: #14181d; }
  .hue0 { fill: #4b8ed6; color: #4b8ed6; } .hue1 { fill: #d9644e; color: #d9644e; }
  .hue2 { fill: #41a06f; color: #41a06f; } .hue3 { fill: #a46dc0; color: #a46dc0; }
  .hue4 { fill: #b98b1c; color: #b98b1c; } .hue5 { fill: #2b98a8; color: #2b98a8; }
  .hue6 { fill: #cb5f95; color: #cb5f95; } .hue7 { fill: #7d8996; color: #7d8996; }
  .hollow { fill: #14181d; stroke: currentColor; }
  .turn { fill: #1f252c; } .waiting { fill: none; } .now, .tick { stroke: #e6edf3; }
  .dot { stroke: #9198a1; }
  .end { fill: #14181d; }
  .free { stroke: #3fb950; } .met { stroke: #f85149; } .told { fill: #f85149; }
  .pace0, .pace1, .pace2, .pace3 { fill: #3fb950; } .covered { fill: #a371f7; stroke: #a371f7; }
  .risk { stroke: #f85149; } .way, .swept { stroke: #58a6ff; }
  .lost { fill: #f85149; stroke: #14181d; } .left { fill: #14181d; stroke: #9198a1; }
  .block { stroke: #f85149; } .shelter { stroke: #d29922; }
}
"""


class Look(NamedTuple):
    """The classes of a side's pieces: its hue, their disc and letters. By turns they are filled
    and rings, to be told apart without colours."""

    hue: str
    disc: str
    letters: str
    ring: bool


def look_of(side: str, tone: int) -> Look:
    """How the pieces of a side look, which is the one of that number."""
    if side in SHADES:
        return Look(side, side, f"initial on_{side}", SHADES[side])
    hue = COLOURS.get(side, f"hue{tone % HUES}")
    if tone % 2:
        return Look(hue, f"{hue} hollow", f"initial {hue}", True)
    return Look(hue, f"{hue} ring", "initial", False)


MARK = 'role="img" aria-labelledby="title desc"'  # what our pictures have in their first line


def is_drawn_here(text: str) -> bool:
    """Does a file begin as our pictures do?"""
    return text.startswith("<svg ") and MARK in text.partition(">")[0]


class SvgFile:
    """An SVG file that is drawn element by element; it begins with what it shows in words."""

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

    def disc(
        self,
        look: Look,
        middle: tuple[float, float],
        size: float,
        letters: tuple[str, float],
        within: ET.Element | None = None,
    ) -> None:
        """A piece with its letters, of a size: a filled disc or a ring."""
        (x, y), (text, letter) = middle, letters
        if look.ring:
            rim = size / 6
            more = {"r": size - rim / 2, "stroke_width": rim}
            self.add("circle", look.disc, "", within, cx=x, cy=y, **more)
        else:
            self.add("circle", look.disc, "", within, cx=x, cy=y, r=size)
        word = self.add("text", look.letters, text, within, x=x, y=y + letter * 0.36)
        word.set("font-size", f"{letter:.1f}")

    def line_of_sight(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        part: float,
        within: ET.Element,
    ) -> None:
        """A line of which the first *part* is free."""
        (x, y), (u, v) = start, end
        m, n = x + (u - x) * part, y + (v - y) * part
        if part:
            self.add("line", "line free", "", within, x1=x, y1=y, x2=m, y2=n)
        if part < 1:
            self.add("line", "line met", "", within, x1=m, y1=n, x2=u, y2=v)

    def put_hatching(self) -> None:
        """The hatching of what is threatened."""
        risk = self.add(
            "pattern", within=self.add("defs"), id="risk", width=9, height=9,
            patternUnits="userSpaceOnUse", patternTransform="rotate(-45)",
        )  # fmt: skip
        self.add("path", "risk", "", risk, d="M4 0V9")

    def page(self) -> None:
        """The ground on which everything else is drawn."""
        self.add("rect", "page", width=self.wide, height=self.high)

    def group(self, title: str) -> ET.Element:
        """A group with a title, which viewers show and readers say."""
        group = self.add("g")
        self.add("title", "", title, group)
        return group

    def text(self) -> str:
        """The text of the file."""
        ET.indent(self.root)
        return visible(ET.tostring(self.root, encoding="unicode"), "\n\t") + "\n"
