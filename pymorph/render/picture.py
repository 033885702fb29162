"""A board as SVG: one file without scripts, in light or dark as the viewer prefers."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import defaultdict
from math import atan2, degrees
from typing import TYPE_CHECKING

from clingo import Symbol

from pymorph import queries
from pymorph.answers import Figure
from pymorph.board.compass import DIRECTIONS
from pymorph.errors import Fault, InputError
from pymorph.render.characters import where
from pymorph.render.stage import Piece, Stage, ordered, staged
from pymorph.terms import text_of
from pymorph.text import capital, frame, ground, one_line, rule_ids, title, words

if TYPE_CHECKING:
    from pymorph.position import Position

SMALLEST, LARGEST, SPREAD = 64, 112, 640  # sizes of a cell, and of a small board in all, in pixels
EDGE, TOP, LINE = 40, 64, 22
LETTER = 7.2  # the width of a letter of the legend, about
HUES = 8
TINTS = 7

# Light colours, then dark ones where the viewer prefers them.
SHEET = """
text { font-family: system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #24292f; }
.page { fill: #ffffff; }
.head { font-size: 15px; font-weight: 600; }
.note { font-size: 13px; }
.axis { font-size: 13px; fill: #6a737d; text-anchor: middle; }
.name { fill: #3d444d; text-anchor: middle; }
.cell { stroke: #c4cad1; stroke-width: 1; }
.usual { fill: #f4f5f2; }
.bare { fill: none; stroke-dasharray: 3 4; }
.tint0 { fill: #dcebd3; } .tint1 { fill: #d6e6f2; } .tint2 { fill: #e9dfcf; }
.tint3 { fill: #f0d9d4; } .tint4 { fill: #e4e0da; } .tint5 { fill: #e3dcf0; } .tint6 { fill: #f5ecc6; }
.hatch { stroke: #24292f; stroke-opacity: .22; stroke-width: 3; }
.wall { stroke: #32383f; stroke-linecap: round; }
.mark { fill: #24292f; text-anchor: middle; font-weight: 600; }
.initial { fill: #ffffff; text-anchor: middle; font-weight: 700; }
.ring { stroke: #ffffff; stroke-width: 2; stroke-linejoin: round; }
.hue0 { fill: #2563a8; } .hue1 { fill: #b8432f; } .hue2 { fill: #2c7d53; } .hue3 { fill: #7d4698; }
.hue4 { fill: #946a00; } .hue5 { fill: #11707f; } .hue6 { fill: #a83a72; } .hue7 { fill: #55606c; }
.line { fill: none; stroke-width: 3; stroke-dasharray: 9 6; }
.free { stroke: #1a7f37; } .met { stroke: #cf222e; } .told { fill: #cf222e; }
.block { fill: none; stroke: #cf222e; stroke-linecap: round; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .page { fill: #14181d; }
  .axis { fill: #9198a1; }
  .name { fill: #c9d1d9; }
  .cell { stroke: #3b434c; }
  .usual { fill: #1f252c; }
  .tint0 { fill: #2b4030; } .tint1 { fill: #24394b; } .tint2 { fill: #443b2c; }
  .tint3 { fill: #4b2f2c; } .tint4 { fill: #393a3c; } .tint5 { fill: #393050; } .tint6 { fill: #4a431f; }
  .hatch { stroke: #e6edf3; }
  .wall { stroke: #d7dde3; }
  .mark { fill: #e6edf3; }
  .ring { stroke: #14181d; }
  .hue0 { fill: #4b8ed6; } .hue1 { fill: #d9644e; } .hue2 { fill: #41a06f; } .hue3 { fill: #a46dc0; }
  .hue4 { fill: #b98b1c; } .hue5 { fill: #2b98a8; } .hue6 { fill: #cb5f95; } .hue7 { fill: #7d8996; }
  .free { stroke: #3fb950; } .met { stroke: #f85149; } .told { fill: #f85149; } .block { stroke: #f85149; }
}
"""


def board_svg(position: Position, sight: tuple[str, str] | None = None) -> str:
    """The board as a self-contained SVG file, with *sight* the line between two and what is in it.

    Raises: InputError, if there is no board; if one of the two is not known or not on the board.
    """
    stage = staged(position)
    if stage.board is None:
        raise InputError(Fault("this position has no board to draw"))
    figure = seen(position, sight) if sight else None
    return Picture(stage, figure).text()


def seen(position: Position, sight: tuple[str, str]) -> Figure:
    """What the ruleset says of the sight from one to the other."""
    name = f"sight({sight[0]}, {sight[1]})"
    found = queries.forecast(position, name).figures
    if len(found) != 1:
        raise InputError(Fault(f"{name} is nothing that this position tells"))
    return found[0]


class Picture:
    """Draws one stage."""

    def __init__(self, stage: Stage, sight: Figure | None) -> None:
        self.stage = stage
        self.sight = sight
        self.columns, self.rows = stage.size()
        self.cell = max(SMALLEST, min(LARGEST, SPREAD // max(self.columns, self.rows, 1)))
        self.hues = {name: n % HUES for n, name in enumerate(dict.fromkeys(p.name for p in stage.pieces))}
        self.tints = self.tints_of_grounds()
        notes = self.notes()
        longest = max([len(frame(stage.position)) + 4, *(len(text) + 6 for text, _ in notes)])
        self.width = max(2 * EDGE + self.columns * self.cell, round(longest * LETTER))
        self.left = (self.width - self.columns * self.cell) / 2
        self.height = TOP + self.rows * self.cell + LINE * (len(notes) + 2)
        self.root = ET.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {self.width} {self.height}",
                "width": str(self.width),
                "height": str(self.height),
                "role": "img",
                "aria-labelledby": "title desc",
            },
        )

    def text(self) -> str:
        """The whole file."""
        stage = self.stage
        game = one_line(stage.position.ruleset.title)
        told = frame(stage.position)
        self.add("title", f"{game}: {told}" if told else game, id="title")
        self.add("desc", self.description(), id="desc")
        self.add("style", SHEET)
        hatch = self.add(
            "pattern",
            within=self.add("defs"),
            id="solid",
            width="10",
            height="10",
            patternUnits="userSpaceOnUse",
            patternTransform="rotate(45)",
        )
        self.add("path", within=hatch, d="M5 0V10", **{"class": "hatch"})
        self.add("rect", width=self.width, height=self.height, **{"class": "page"})
        self.put_text(self.width / 2, 26, f"{game}" + (f" · {told}" if told else ""), "head", middle=True)
        self.put_axes()
        for place in stage.at:
            self.put_cell(place)
        for pair in stage.walls:
            self.put_join(pair, "wall", self.cell / 11)
        self.put_pieces()
        if self.sight is not None:
            self.put_sight(self.sight)
        self.put_notes()
        ET.indent(self.root)
        return ET.tostring(self.root, encoding="unicode") + "\n"

    # -- elements --------------------------------------------------------------------------------

    def add(
        self, tag: str, text: str = "", within: ET.Element | None = None, **attributes: float | str
    ) -> ET.Element:
        """A new element; numbers are written in tenths of a pixel at most."""
        written = {
            name.replace("_", "-"): value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
            for name, value in attributes.items()
        }
        element = ET.SubElement(self.root if within is None else within, tag, written)
        if text:
            element.text = text
        return element

    def put_text(
        self,
        x: float,
        y: float,
        text: str,
        kind: str,
        size: float = 0,
        middle: bool = False,
        within: ET.Element | None = None,
    ) -> None:
        style: dict[str, float | str] = {"class": kind}
        if size:
            style["font_size"] = size
        if middle:
            style["text_anchor"] = "middle"
        self.add("text", text, within, x=x, y=y, **style)

    def group(self, told: str) -> ET.Element:
        """A group with a title, which viewers show and readers say."""
        found = self.add("g")
        self.add("title", told, found)
        return found

    # -- places ----------------------------------------------------------------------------------

    def centre(self, place: Symbol) -> tuple[float, float]:
        x, y = self.stage.at[place]
        return (self.left + (x + 0.5) * self.cell, TOP + (self.rows - y - 0.5) * self.cell)

    def between(self, one: Symbol, other: Symbol) -> tuple[float, float]:
        """The middle of the edge or the corner that two places share."""
        (x, y), (u, v) = self.centre(one), self.centre(other)
        return ((x + u) / 2, (y + v) / 2)

    def tints_of_grounds(self) -> dict[str, int]:
        """A tint for each ground but the usual one, in the order of the vocabulary."""
        used = set(self.stage.grounds.values())
        known = dict.fromkeys(self.stage.position.ruleset.vocabulary.symbols.values())
        labels = [label for label in known if label in used] + sorted(used - known.keys())
        bare = {self.stage.grounds[place] for place in self.stage.bare}
        told = [label for label in labels if label != self.stage.usual and label not in bare]
        return {label: number % TINTS for number, label in enumerate(told)}

    def put_axes(self) -> None:
        columns: dict[int, str] = {}
        rows: dict[int, str] = {}
        for place, (x, y) in self.stage.at.items():
            letters = text_of(place).rstrip("0123456789")
            columns[x], rows[y] = letters, text_of(place)[len(letters) :]
        bottom = TOP + self.rows * self.cell + 17
        for x, name in columns.items():
            self.put_text(self.left + (x + 0.5) * self.cell, TOP - 9, name, "axis")
            self.put_text(self.left + (x + 0.5) * self.cell, bottom, name, "axis")
        for y, name in rows.items():
            height = TOP + (self.rows - y - 0.5) * self.cell + 5
            self.put_text(self.left - 16, height, name, "axis")
            self.put_text(self.left + self.columns * self.cell + 16, height, name, "axis")

    def put_cell(self, place: Symbol) -> None:
        x, y = self.centre(place)
        corner = {"x": x - self.cell / 2, "y": y - self.cell / 2, "width": self.cell, "height": self.cell}
        label = self.stage.grounds[place]
        named = label in self.tints
        kind = "bare" if place in self.stage.bare else f"tint{self.tints[label]}" if named else "usual"
        name = title(self.stage.position.ruleset, label)
        box = self.group(f"{text_of(place)}: {name}")
        self.add("rect", within=box, **corner, **{"class": f"cell {kind}"})
        if place in self.stage.solid:
            self.add("rect", within=box, **corner, fill="url(#solid)")
        if named:
            size = max(8.5, min(13.0, self.cell / 7.5))
            lines = broken(name, int(self.cell / (size * 0.56)))
            for number, line in enumerate(reversed(lines)):
                height = y + self.cell / 2 - 6 - number * size * 1.1
                self.put_text(x, height, line, "name", size, within=box)

    def put_join(self, pair: tuple[Symbol, Symbol], kind: str, width: float) -> None:
        """A line along the edge between two places."""
        (x, y), (u, v) = self.between(*pair), self.centre(pair[0])
        half = self.cell / 2
        ends = (x - half, y, x + half, y) if abs(u - x) < 1 else (x, y - half, x, y + half)
        told = " and ".join(ordered(pair))
        box = self.group(f"{title(self.stage.position.ruleset, self.stage.walls.get(pair, ''))}: {told}".lstrip(": "))
        x1, y1, x2, y2 = ends
        self.add("line", within=box, x1=x1, y1=y1, x2=x2, y2=y2, stroke_width=width, **{"class": kind})

    # -- pieces ----------------------------------------------------------------------------------

    def put_pieces(self) -> None:
        """Each piece at its spot; several at one spot side by side and smaller."""
        spots: dict[tuple[float, float], list[Piece]] = defaultdict(list)
        for piece in self.stage.pieces:
            spots[self.spot(piece)].append(piece)
        for (x, y), pieces in spots.items():
            across = 1 if len(pieces) == 1 else 2
            down = -(-len(pieces) // across)
            size = {1: 0.25, 2: 0.17}.get(max(across, down), 0.3 / down) * self.cell
            for number, piece in enumerate(pieces):
                column, row = number % across, number // across
                right = (column - (across - 1) / 2) * 0.47 * self.cell
                below = (row - (down - 1) / 2) * 0.45 * self.cell
                self.put_piece(piece, x + right, y + below, size)

    def spot(self, piece: Piece) -> tuple[float, float]:
        """Where the middle of a piece is: on the corner, against an edge, or about the centre."""
        x, y = self.centre(piece.place)
        if piece.other is not None and piece.site in ("corner", "join"):
            return self.between(piece.place, piece.other)
        right, up = self.stage.step(piece)
        named = self.stage.grounds[piece.place] in self.tints and not piece.mark
        lift = 0.07 * self.cell if named and piece.other is None else 0
        return (x + right * 0.2 * self.cell, y - up * 0.2 * self.cell - lift)

    def put_piece(self, piece: Piece, x: float, y: float, size: float) -> None:
        box = self.group(f"{capital(words(piece.name))}: {where(self.stage, piece)}")
        if piece.mark:
            big = size * 2.6
            self.put_text(x, y + big * 0.36, piece.label, "mark", big, within=box)
            return
        hue = f"hue{self.hues[piece.name]}"
        step = DIRECTIONS.get(piece.facing) if piece.facing is not None else None
        if step is not None:
            turn = degrees(atan2(step[0], step[1]))
            nose = f"M{-0.62 * size:.1f} {-0.78 * size:.1f}L0 {-1.55 * size:.1f}L{0.62 * size:.1f} {-0.78 * size:.1f}Z"
            place = f"translate({x:.1f} {y:.1f}) rotate({turn:.0f})"
            self.add("path", within=box, d=nose, transform=place, **{"class": f"{hue} ring"})
        self.add("circle", within=box, cx=x, cy=y, r=size, **{"class": f"{hue} ring"})
        letter = size * (1.15, 0.9, 0.7)[len(piece.label) - 1]
        self.put_text(x, y + letter * 0.36, piece.label, "initial", letter, within=box)

    # -- sight -----------------------------------------------------------------------------------

    def put_sight(self, figure: Figure) -> None:
        """The straight line between the two, and whatever the answer says is in its way."""
        ends = [p for a in figure.name.arguments for p in self.stage.pieces if p.name == str(a)]
        if len(ends) < 2:
            raise InputError(Fault(f"{figure.name} has no line: somebody is not on the board"))
        (x, y), (u, v) = (self.centre(piece.place) for piece in ends[:2])
        kind = "met" if figure.grounds else "free"
        box = self.group(told_of(figure))
        self.add("line", within=box, x1=x, y1=y, x2=u, y2=v, **{"class": f"line {kind}"})
        self.add("circle", within=box, cx=x, cy=y, r=3, **{"class": f"line {kind}"})
        self.add("circle", within=box, cx=u, cy=v, r=3, **{"class": f"line {kind}"})
        for term in figure.grounds:
            self.put_block([a.symbol for a in term.arguments if a.symbol in self.stage.at])

    def put_block(self, places: list[Symbol]) -> None:
        """Mark a place, the edge between two, or the corner that they share."""
        wide = self.cell / 14
        if len(places) == 1:
            x, y = self.centre(places[0])
            side = self.cell - wide
            self.add(
                "rect",
                x=x - side / 2,
                y=y - side / 2,
                width=side,
                height=side,
                stroke_width=wide,
                **{"class": "block"},
            )
        elif len(places) == 2:
            (x, y), (u, v) = (self.stage.at[place] for place in places)
            if abs(x - u) + abs(y - v) == 1:
                self.put_join((places[0], places[1]), "block", wide * 1.6)
            else:
                middle = self.between(*places)
                self.add(
                    "circle",
                    cx=middle[0],
                    cy=middle[1],
                    r=self.cell / 8,
                    stroke_width=wide,
                    **{"class": "block"},
                )

    # -- words -----------------------------------------------------------------------------------

    def notes(self) -> list[tuple[str, int | None]]:
        """The lines under the board, each with the hue of the piece that it is about."""
        stage = self.stage
        tokens = [piece for piece in stage.pieces if not piece.mark]
        lines: list[tuple[str, int | None]] = [
            (f"{piece.label}  {capital(words(piece.name))}: {where(stage, piece)}", self.hues[piece.name])
            for piece in tokens
        ]
        if self.sight is not None:
            lines.append((told_of(self.sight), None))
        if self.tints and stage.usual:
            lines.append((f"Squares without a name: {title(stage.position.ruleset, stage.usual)}", None))
        return lines

    def put_notes(self) -> None:
        left = max(24.0, min(self.left, (self.width - 6 * 60) / 2))
        for number, (text, hue) in enumerate(self.notes()):
            y = TOP + self.rows * self.cell + LINE * (number + 2)
            if hue is not None:
                self.add("circle", cx=left + 6, cy=y - 4.5, r=6, **{"class": f"hue{hue}"})
            told = self.sight is not None and text == told_of(self.sight) and self.sight.grounds
            self.put_text(left + (20 if hue is not None else 0), y, text, "note told" if told else "note")

    def description(self) -> str:
        """The picture in words."""
        stage = self.stage
        ruleset = stage.position.ruleset
        parts = [f"A board of {self.columns} columns and {self.rows} rows"]
        parts += [f"{capital(words(p.name))} at {where(stage, p)}" for p in stage.pieces]
        places: dict[str, list[Symbol]] = defaultdict(list)
        for place, label in stage.grounds.items():
            places[label].append(place)
        parts += [f"{title(ruleset, label)} at {', '.join(ordered(places[label]))}" for label in self.tints]
        joins: dict[str, list[str]] = defaultdict(list)
        for pair, label in stage.walls.items():
            joins[label].append("-".join(ordered(pair)))
        parts += [f"{title(ruleset, label)} on {', '.join(found)}" for label, found in joins.items()]
        if stage.usual:
            parts.append(f"All else is {title(ruleset, stage.usual)}")
        if self.sight is not None:
            parts.append(told_of(self.sight))
        return ". ".join(parts) + "."


def told_of(figure: Figure) -> str:
    """A finding in words, with what it rests on and its rules."""
    two = [capital(words(str(a))) for a in figure.name.arguments]
    grounds = ", ".join(map(ground, figure.grounds))
    told = f"{capital(words(figure.name.name))} from {two[0]} to {two[1]}: {figure.value}"
    return f"{told}{f' by {grounds}' if grounds else ''} {rule_ids(figure.rules)}"


def broken(text: str, width: int) -> list[str]:
    """*text* in at most two lines of about *width* letters, the rest cut off."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    kept = lines[:2] if len(lines) <= 2 else [lines[0], " ".join(lines[1:])]
    return [line if len(line) <= width else line[: max(1, width - 1)] + "…" for line in kept]
