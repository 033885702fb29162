"""A board as SVG: one file without scripts, in light or dark as the viewer prefers."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Sequence
from math import atan2, degrees, isqrt
from typing import TYPE_CHECKING

from clingo import Symbol

from pymorph.board.grid import DIRECTIONS
from pymorph.errors import Fault, InputError
from pymorph.terms import text_of
from pymorph.views.chart_svg import ChartPicture
from pymorph.views.layout import capital, headline, words
from pymorph.views.scene import PictureScene, ScenePiece, sorted_names
from pymorph.views.sight import sight_text
from pymorph.views.strip_svg import Strip, turn_note, turn_words
from pymorph.views.style import TINTS, SvgFile

Point = tuple[float, float]

if TYPE_CHECKING:
    from pymorph.queries.results import Figure

# In pixels: the size of a cell, and of a small board in all; margins; a line of the legend; the
# width that a letter of the legend and of the heading may have.
SMALLEST, LARGEST, SPREAD = 72, 112, 640
EDGE, TOP, LINE = 40, 64, 24
LETTER, CAPITAL = 7.9, 9.8


def board_svg(scene: PictureScene, sight: Figure | None = None) -> str:
    """The board as a self-contained SVG file, with *sight* the line between two and what is in it.

    Raises: InputError, if there is no board; if one of the two is not on it.
    """
    if scene.chart is not None and sight is None:
        return ChartPicture(scene, scene.chart).text()
    if scene.table is not None:
        from pymorph.views.table_svg import TablePicture

        return TablePicture(scene, scene.table, sight).text()
    if scene.board is None:
        raise InputError(Fault("this position has no board to draw"))
    return BoardPicture(scene, sight).text()


class BoardPicture(SvgFile):
    """Draws the board of a scene."""

    def __init__(self, scene: PictureScene, sight: Figure | None) -> None:
        self.scene = scene
        self.sight = sight
        self.columns, self.rows = scene.size()
        self.cell = max(SMALLEST, min(LARGEST, SPREAD // max(self.columns, self.rows, 1)))
        self.tints = self.tints_of_grounds()
        notes = self.notes()
        head = headline(scene.position)
        longest = max((len(text) for text, _ in notes), default=0) * LETTER + 30
        wide = max(self.columns * self.cell + 2 * EDGE, longest + EDGE, len(head) * CAPITAL)
        width = round(wide)
        strip = Strip(scene, width)
        self.top = TOP + strip.height
        height = self.top + self.rows * self.cell + LINE * (len(notes) + 2)
        self.left = (width - self.columns * self.cell) / 2
        super().__init__(width, height, head, self.description())
        hatch = self.add(
            "pattern", within=self.add("defs"), id="solid", width=10, height=10,
            patternUnits="userSpaceOnUse", patternTransform="rotate(45)",
        )  # fmt: skip
        self.add("path", "hatch", "", hatch, d="M5 0V10")
        self.page()
        self.put_text(width / 2, 26, head, "head")
        strip.put(self, TOP - 24)
        self.put_axes()
        for place in scene.at:
            self.put_cell(place)
        for pair in scene.walls:
            self.put_join(pair, "wall", self.cell / 11)
        if sight is not None:
            self.put_sight(sight)
        self.put_pieces()
        self.put_notes(notes, max(EDGE / 2, min(self.left, (width - longest) / 2)))

    # -- elements --------------------------------------------------------------------------------

    def put_box(
        self,
        middle: Point,
        side: float,
        kind: str,
        within: ET.Element | None = None,
        **more: float | str,
    ) -> None:
        x, y = middle[0] - side / 2, middle[1] - side / 2
        self.add("rect", kind, "", within, x=x, y=y, width=side, height=side, **more)

    def put_text(
        self,
        x: float,
        y: float,
        text: str,
        kind: str,
        size: float = 0,
        within: ET.Element | None = None,
    ) -> None:
        found = self.add("text", kind, text, within, x=x, y=y)
        if size:
            found.set("font-size", f"{size:.1f}")

    # -- places ----------------------------------------------------------------------------------

    def centre(self, place: Symbol) -> Point:
        x, y = self.scene.at[place]
        return (self.left + (x + 0.5) * self.cell, self.top + (self.rows - y - 0.5) * self.cell)

    def between(self, one: Symbol, other: Symbol) -> Point:
        """The middle of the edge or the corner that two places share."""
        (x, y), (u, v) = self.centre(one), self.centre(other)
        return ((x + u) / 2, (y + v) / 2)

    def tints_of_grounds(self) -> dict[str, int]:
        """A tint for each ground but the usual one, in the order of the vocabulary."""
        used = set(self.scene.grounds.values())
        known = dict.fromkeys(self.scene.position.ruleset.vocabulary.symbols.values())
        labels = [label for label in known if label in used] + sorted(used - known.keys())
        bare = {self.scene.grounds[place] for place in self.scene.bare}
        told = [label for label in labels if label != self.scene.usual and label not in bare]
        return {label: number % TINTS for number, label in enumerate(told)}

    def put_axes(self) -> None:
        columns, rows = self.scene.axes()
        bottom = self.top + self.rows * self.cell + 17
        for x, name in columns.items():
            self.put_text(self.left + (x + 0.5) * self.cell, self.top - 9, name, "axis")
            self.put_text(self.left + (x + 0.5) * self.cell, bottom, name, "axis")
        for y, name in rows.items():
            height = self.top + (self.rows - y - 0.5) * self.cell + 5
            self.put_text(self.left - 16, height, name, "axis")
            self.put_text(self.left + self.columns * self.cell + 16, height, name, "axis")

    def put_cell(self, place: Symbol) -> None:
        x, y = self.centre(place)
        label = self.scene.grounds[place]
        named = label in self.tints
        kind = f"tint{self.tints[label]}" if named else "usual"
        name = self.scene.title(label)
        box = self.group(f"{text_of(place)}: {name}")
        self.put_box((x, y), self.cell, f"cell {'bare' if place in self.scene.bare else kind}", box)
        if place in self.scene.solid:
            self.put_box((x, y), self.cell, "", box, fill="url(#solid)")
        if place in self.scene.reachable:
            self.add("circle", "dot", "", box, cx=x, cy=y, r=self.cell / 12)
        if named:
            size = max(8.5, min(13.0, self.cell / 7.5))
            lines = short_lines(name, int(self.cell / (size * 0.56)))
            for number, line in enumerate(reversed(lines)):
                height = y + self.cell * 0.41 - number * size * 1.1
                self.put_text(x, height, line, "name", size, within=box)

    def put_join(self, pair: tuple[Symbol, Symbol], kind: str, width: float) -> None:
        """A line along the edge between two places."""
        x, y = self.between(*pair)
        across, along = (0.0, self.cell / 2), (self.cell / 2, 0.0)
        half = along if abs(self.centre(pair[0])[0] - x) < 1 else across
        name = self.scene.title(self.scene.walls.get(pair, "join"))
        box = self.group(f"{name} between {' and '.join(sorted_names(pair))}")
        ends = {"x1": x - half[0], "y1": y - half[1], "x2": x + half[0], "y2": y + half[1]}
        self.add("line", kind, "", box, **ends, stroke_width=width)

    # -- pieces ----------------------------------------------------------------------------------

    def put_pieces(self) -> None:
        """Each piece at its spot; several at one spot side by side and smaller."""
        spots: dict[tuple[float, float], list[ScenePiece]] = defaultdict(list)
        for piece in self.scene.pieces:
            spots[self.spot(piece)].append(piece)
        for (x, y), pieces in spots.items():
            across = isqrt(len(pieces) - 1) + 1
            down = -(-len(pieces) // across)
            apart, size = {1: (0.0, 0.25), 2: (0.47, 0.17)}.get(
                across, (0.9 / across, 0.3 / across)
            )
            for number, piece in enumerate(pieces):
                right = (number % across - (across - 1) / 2) * apart * self.cell
                below = (number // across - (down - 1) / 2) * apart * self.cell
                self.put_piece(piece, x + right, y + below, size * self.cell)

    def spot(self, piece: ScenePiece) -> Point:
        """Where the middle of a piece is: on the corner, against an edge, or about the centre."""
        x, y = self.centre(piece.place)
        if piece.other is not None and piece.site in ("corner", "join"):
            return self.between(piece.place, piece.other)
        right, up = self.scene.step(piece)
        named = self.scene.grounds[piece.place] in self.tints and not piece.mark
        lift = 0.07 * self.cell if named and piece.other is None else 0
        return (x + right * 0.2 * self.cell, y - up * 0.2 * self.cell - lift)

    def put_piece(self, piece: ScenePiece, x: float, y: float, size: float) -> None:
        box = self.group(f"{capital(words(piece.name))}: {self.scene.whereabouts(piece)}")
        if piece.mark:
            size *= 1.4
        step = DIRECTIONS.get(piece.facing) if piece.facing is not None else None
        if step is not None:
            turn = degrees(atan2(step[0], step[1]))
            wide, low, high = 0.62 * size, -0.78 * size, -1.55 * size
            nose = f"M{-wide:.1f} {low:.1f}L0 {high:.1f}L{wide:.1f} {low:.1f}Z"
            place = f"translate({x:.1f} {y:.1f}) rotate({turn:.0f})"
            self.add(
                "path", f"{self.scene.look(piece.name).hue} ring", "", box, d=nose, transform=place
            )
        self.put_disc(piece, (x, y), size, box)

    def put_disc(
        self, piece: ScenePiece, middle: Point, size: float, within: ET.Element | None = None
    ) -> None:
        letter = size * (1.15, 0.9, 0.7)[min(len(piece.label), 3) - 1]
        self.disc(self.scene.look(piece.name), middle, size, (piece.label, letter), within)

    # -- sight -----------------------------------------------------------------------------------

    def put_sight(self, figure: Figure) -> None:
        """The straight line between the two, and whatever the answer says is in its way."""
        ends = [p for a in figure.name.arguments for p in self.scene.pieces if p.name == str(a)]
        if len(ends) < 2:
            raise InputError(Fault(f"{figure.name} has no line: somebody is not on the board"))
        (x, y), (u, v) = (self.centre(piece.place) for piece in ends[:2])
        kind = "met" if figure.grounds else "free"
        box = self.group(sight_text(figure))
        self.add("line", f"line {kind}", "", box, x1=x, y1=y, x2=u, y2=v)
        for end in ((x, y), (u, v)):
            self.add("circle", f"end {kind}", "", box, cx=end[0], cy=end[1], r=4)
        for term in figure.grounds:
            self.put_block([a.symbol for a in term.arguments if a.symbol in self.scene.at])

    def put_block(self, places: list[Symbol]) -> None:
        """Mark a place, the edge between two, or the corner that they share."""
        wide = self.cell / 20
        if len(places) == 1:
            self.put_box(self.centre(places[0]), self.cell - wide, "block", stroke_width=wide)
        elif len(places) == 2:
            (x, y), (u, v) = (self.scene.at[place] for place in places)
            if abs(x - u) + abs(y - v) == 1:
                self.put_join((places[0], places[1]), "block", wide * 2.2)
            else:
                self.put_ring(self.between(*places), self.cell / 8, wide)

    def put_ring(self, middle: Point, size: float, width: float) -> None:
        self.add("circle", "block", cx=middle[0], cy=middle[1], r=size, stroke_width=width)

    # -- words -----------------------------------------------------------------------------------

    def notes(self) -> list[tuple[str, ScenePiece | None]]:
        """The lines under the board, each with the token that it is about."""
        scene = self.scene
        lines: list[tuple[str, ScenePiece | None]] = [
            (f"{self.called(piece)}: {'; '.join(told)}", piece)
            for piece in scene.tokens
            for told in [[scene.whereabouts(piece), *scene.measured(piece.name)]]
        ]
        marks = {piece.name: piece for piece in scene.pieces if piece.mark}
        lines += [(self.called(piece), piece) for piece in marks.values()]
        if self.sight is not None:
            lines.append((sight_text(self.sight), None))
        bare = {scene.title(scene.grounds[place]) for place in scene.bare}
        signs = [f"without a name: {scene.title(scene.usual)}"] if self.tints else []
        signs += [f"dashed: {', '.join(sorted(bare))}"] if bare else []
        signs += ["hatched: stands in the way"] if scene.solid else []
        walls = dict.fromkeys(scene.title(label) for label in scene.walls.values())
        more = [f"thick line: {', '.join(walls)}"] if walls else []
        more += ["the point shows where a piece faces"] if self.facing() else []
        more += ["small ring: in reach of whoever has the turn"] if scene.reachable else []
        rows = [signs, more, [turn_note(scene)]]
        return [
            *lines,
            *((capital("; ".join(filter(None, row))), None) for row in rows if any(row)),
        ]

    def called(self, piece: ScenePiece) -> str:
        """A piece by name, with its side if that is called otherwise."""
        side = self.scene.side(piece.name)
        more = "" if side == piece.name else f" ({words(side)})"
        return f"{capital(words(piece.name))}{more}"

    def facing(self) -> bool:
        return any(piece.facing in DIRECTIONS for piece in self.scene.pieces if piece.facing)

    def put_notes(self, notes: Sequence[tuple[str, ScenePiece | None]], indent: float) -> None:
        for number, (text, piece) in enumerate(notes):
            x, y = indent, self.top + self.rows * self.cell + LINE * (number + 2)
            if piece is not None:
                self.put_disc(piece, (x + 10, y - 4.5), 10)
                x += 26
            met = self.sight is not None and self.sight.grounds and text == sight_text(self.sight)
            self.put_text(x, y, text, "note told" if met else "note")

    def description(self) -> str:
        """The picture in words."""
        scene = self.scene
        parts = [f"A board of {self.columns} columns and {self.rows} rows"]
        parts += [f"{capital(words(p.name))} at {scene.whereabouts(p)}" for p in scene.pieces]
        places: dict[str, list[Symbol]] = defaultdict(list)
        for place, label in scene.grounds.items():
            places[label].append(place)
        for label in self.tints:
            parts.append(f"{scene.title(label)} at {', '.join(sorted_names(places[label]))}")
        joins: dict[str, list[str]] = defaultdict(list)
        for pair, label in scene.walls.items():
            joins[label].append("-".join(sorted_names(pair)))
        for label, found in joins.items():
            parts.append(f"{scene.title(label)} on {', '.join(found)}")
        if scene.usual:
            parts.append(f"All else is {scene.title(scene.usual)}")
        parts += turn_words(scene)
        if scene.reachable:
            places_in_reach = ", ".join(sorted_names(scene.reachable))
            parts.append(f"In reach of whoever has the turn: {places_in_reach}")
        if self.sight is not None:
            parts.append(sight_text(self.sight))
        return ". ".join(parts) + "."


def short_lines(text: str, width: int) -> list[str]:
    """*text* in at most two lines of about *width* letters, the rest cut off."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    kept = lines[:2] if len(lines) <= 2 else [lines[0], " ".join(lines[1:])]
    return [line if len(line) <= width else line[: max(1, width - 1)] + "…" for line in kept]
