"""A board as SVG: one file without scripts, in light or dark as the viewer prefers."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import isqrt
from typing import Any

from clingo import Symbol

from pymorph.errors import Fault, InputError
from pymorph.questions.board.sight import SightLine, places_in
from pymorph.terms import text_of
from pymorph.views.layout import called, capital, headline, natural
from pymorph.views.lines.sight import sight_text
from pymorph.views.pictures import table_svg
from pymorph.views.pictures.cells import Cells, PixelPoint
from pymorph.views.pictures.chart_svg import ChartPicture
from pymorph.views.pictures.overlay import NOTHING
from pymorph.views.pictures.scene import PictureScene, ScenePiece, sorted_names
from pymorph.views.pictures.style import PACES, TINTS, SvgFile
from pymorph.views.pictures.turn_order_svg import Strip, turn_note, turn_words

# A line under the board, with the token that it is about, or the class of a shade.
PieceNote = tuple[str, "ScenePiece | str | None"]

# In pixels: margins; a line of the legend; the width that a letter of the legend and of the heading
# may have.
NAMED = 60  # from this size on a cell has the name of its ground
EDGE, TOP, LINE = 40, 64, 24
LETTER, CAPITAL = 7.9, 9.8
FEW, COLUMNS = 14, 3  # notes with a sign that stand in one column; columns of more of them
DASHES = ((), (3, 1.5), (1, 1), (4, 1.2, 1, 1.2), (0.5, 1))  # of lines, in their widths, by kind
MOST_DOTS = 12  # that one thing measured of a piece may have


def board_svg(scene: PictureScene) -> str:
    """The board as a self-contained SVG file, with whatever is laid over it.

    Raises: InputError, if there is no board; if one of the two is not on it.
    """
    if scene.chart is not None and scene.overlay == NOTHING:
        return ChartPicture(scene, scene.chart).text()
    if scene.table is not None:
        return table_svg.TablePicture(scene, scene.table).text()
    if scene.board is None:
        raise InputError(Fault("this position has no board to draw"))
    return BoardPicture(scene).text()


class BoardPicture(SvgFile):
    """Draws the board of a scene."""

    def __init__(self, scene: PictureScene) -> None:
        self.scene = scene
        self.over = scene.overlay
        self.columns, self.rows = scene.size()
        self.cells = Cells(scene)
        self.cell = self.cells.width
        self.tints = self.tints_of_grounds()
        self.written = self.written_grounds()
        self.walls = {
            label: number for number, label in enumerate(dict.fromkeys(scene.walls.values()))
        }
        notes = self.notes()
        head = headline(scene.position)
        longest = max((len(text) for text, _ in notes), default=0) * LETTER + 30
        wide = max(self.cells.breadth + 2 * EDGE, longest + EDGE, len(head) * CAPITAL)
        width = round(wide)
        strip = Strip(scene, width)
        self.top = TOP + strip.height
        across = self.note_columns(notes, width)
        keyed = sum(piece is not None for _, piece in notes)
        lines = len(notes) - keyed + -(-keyed // across)
        height = round(self.top + self.cells.depth + LINE * (lines + 2))
        self.left = (width - self.cells.breadth) / 2
        super().__init__(width, height, head, self.description())
        hatch = self.add(
            "pattern", within=self.add("defs"), id="solid", width=10, height=10,
            patternUnits="userSpaceOnUse", patternTransform="rotate(45)",
        )  # fmt: skip
        self.add("path", "hatch", "", hatch, d="M5 0V10")
        self.put_hatching()
        self.page()
        self.put_text(width / 2, 26, head, "head")
        strip.put(self, TOP - 24)
        self.put_axes()
        for place in scene.at:
            self.put_cell(place)
        for one, other in scene.ways:
            (x, y), (u, v) = self.centre(one), self.centre(other)
            self.add("line", "wall", "", x1=x, y1=y, x2=u, y2=v, stroke_width=2.5)
        self.put_overlay()
        for pair in scene.walls:
            self.put_wall(pair)
        if self.over.sight is not None:
            self.put_sight(self.over.sight)
        self.put_pieces()
        self.put_way()
        indent = max(EDGE / 2, min(self.left, (width - longest) / 2))
        self.put_notes(notes, indent, across, (width - 2 * indent) / across)

    # -- elements --------------------------------------------------------------------------------

    def put_box(
        self,
        middle: PixelPoint,
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
        element = self.add("text", kind, text, within, x=x, y=y)
        if size:
            element.set("font-size", f"{size:.1f}")

    # -- places ----------------------------------------------------------------------------------

    def centre(self, place: Symbol) -> PixelPoint:
        x, y = self.scene.at[place]
        return (self.left + self.cells.across(x), self.top + self.cells.down(y))

    def put_place(
        self,
        place: Symbol,
        kind: str,
        within: ET.Element | None = None,
        less: float = 0,
        **more: float | str,
    ) -> None:
        """The outline of a place, a square or a hex, so much *less* wide."""
        if self.cells.hexes:
            corners = self.cells.corners(self.centre(place), less)
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
            self.add("polygon", kind, "", within, points=points, **more)
        else:
            self.put_box(self.centre(place), self.cell - less, kind, within, **more)

    def between(self, one: Symbol, other: Symbol) -> PixelPoint:
        """The middle of the edge or the corner that two places share."""
        (x, y), (u, v) = self.centre(one), self.centre(other)
        return ((x + u) / 2, (y + v) / 2)

    def tints_of_grounds(self) -> dict[str, int]:
        """A tint for each ground but the usual one, in the order of the vocabulary."""
        used = set(self.scene.grounds.values())
        known = dict.fromkeys(self.scene.position.ruleset.vocabulary.symbols.values())
        labels = [label for label in known if label in used] + sorted(used - known.keys())
        bare = {self.scene.grounds[place] for place in self.scene.bare}
        tinted = [label for label in labels if label != self.scene.usual and label not in bare]
        return {label: number % TINTS for number, label in enumerate(tinted)}

    def written_grounds(self) -> set[str]:
        """The grounds whose name stands in each of their places: none that is a third of all."""
        many = Counter(self.scene.grounds.values())
        most = many.total() / 3
        return {label for label in self.tints if self.cell >= NAMED and many[label] <= most}

    def put_axes(self) -> None:
        columns, rows = self.scene.axes()
        bottom = self.top + self.cells.depth + 17
        for x, name in columns.items():
            middle = self.left + self.cells.crooked(x)
            self.put_text(middle, self.top - 9, name, "axis")
            self.put_text(middle, bottom, name, "axis")
        for y, name in rows.items():
            height = self.top + self.cells.down(y) + 5
            self.put_text(self.left - 16, height, name, "axis")
            self.put_text(self.left + self.cells.breadth + 16, height, name, "axis")

    def put_cell(self, place: Symbol) -> None:
        x, y = self.centre(place)
        label = self.scene.grounds[place]
        named = label in self.tints
        kind = f"tint{self.tints[label]}" if named else "usual"
        name = self.scene.title(label)
        box = self.group(f"{text_of(place)}: {name}")
        self.put_place(place, f"cell {'bare' if place in self.scene.bare else kind}", box)
        if place in self.scene.solid:
            self.put_place(place, "", box, fill="url(#solid)")
        if place in self.scene.reachable:
            self.add("circle", "dot", "", box, cx=x, cy=y, r=self.cell / 12)
        if label in self.written:
            size = max(8.5, min(13.0, self.cell / 7.5))
            lines = short_lines(name, int(self.cell / (size * 0.56)))
            for number, line in enumerate(reversed(lines)):
                height = y + self.cell * (0.36 if self.cells.hexes else 0.41) - number * size * 1.1
                self.put_text(x, height, line, "name", size, within=box)

    def put_wall(self, pair: tuple[Symbol, Symbol]) -> None:
        """A wall along the edge between two places; those of several kinds are dashed otherwise."""
        width = self.cell / 11
        more = dashes(self.walls[self.scene.walls[pair]], width)
        self.put_join(pair, "wall", width, **more)

    def put_join(
        self, pair: tuple[Symbol, Symbol], kind: str, width: float, **more: float | str
    ) -> None:
        """A line along the edge between two places."""
        x, y = self.between(*pair)
        u, v = self.centre(pair[0])
        part = self.cells.side / self.cell  # of the way between the two, which is as long as a cell
        half = (abs(y - v) * part, (u - x if y > v else x - u) * part)
        name = self.scene.title(self.scene.walls.get(pair, "join"))
        box = self.group(f"{name} between {' and '.join(sorted_names(pair))}")
        ends = {"x1": x - half[0], "y1": y - half[1], "x2": x + half[0], "y2": y + half[1]}
        self.add("line", kind, "", box, **ends, stroke_width=width, **more)

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

    def spot(self, piece: ScenePiece) -> PixelPoint:
        """Where the middle of a piece is: on the corner, against an edge, or about the centre."""
        x, y = self.centre(piece.place)
        if piece.other is not None and piece.site in ("corner", "join"):
            return self.between(piece.place, piece.other)
        u, v = self.centre(piece.other) if piece.other is not None else (x, y)
        named = self.scene.grounds[piece.place] in self.written and not piece.mark
        lift = 0.07 * self.cell if named and piece.other is None else 0
        return (x + (u - x) * 0.2, y + (v - y) * 0.2 - lift)

    def put_piece(self, piece: ScenePiece, x: float, y: float, size: float) -> None:
        box = self.group(f"{self.scene.title(piece.name)}: {self.scene.whereabouts(piece)}")
        if piece.mark:
            size *= 1.4
        if piece.facing is not None and piece.facing in self.scene.lattice.numbers:
            turn = 15 * self.scene.lattice.bearings[self.scene.lattice.numbers[piece.facing]]
            turn -= 360 if turn > 180 else 0
            wide, low, high = 0.62 * size, -0.78 * size, -1.55 * size
            nose = f"M{-wide:.1f} {low:.1f}L0 {high:.1f}L{wide:.1f} {low:.1f}Z"
            place = f"translate({x:.1f} {y:.1f}) rotate({turn:.0f})"
            self.add(
                "path", f"{self.scene.look(piece.name).hue} ring", "", box, d=nose, transform=place
            )
        self.put_disc(piece, (x, y), size, box)
        self.put_dots(piece, (x, y), size, box)

    def put_dots(self, piece: ScenePiece, at: PixelPoint, size: float, within: ET.Element) -> None:
        """Below a piece a row of dots for each thing of which it has lost, or done, a part."""
        parts = [part for part in self.scene.counts(piece.name) if part[1] <= MOST_DOTS]
        for number, (done, total) in enumerate(parts):
            apart = min(size / 2.1, 2.4 * size / total)
            y = at[1] + size * 1.25 + number * size / 2
            for dot in range(total):
                x = at[0] + (dot - (total - 1) / 2) * apart
                kind = "lost" if dot < done else "left"
                self.add("circle", kind, "", within, cx=x, cy=y, r=apart * 0.42)

    def put_disc(
        self, piece: ScenePiece, middle: PixelPoint, size: float, within: ET.Element | None = None
    ) -> None:
        letter = size * (1.15, 0.9, 0.7)[min(len(piece.label), 3) - 1]
        self.disc(self.scene.look(piece.name), middle, size, (piece.label, letter), within)

    # -- what is laid over it ----------------------------------------------------------------------

    def put_overlay(self) -> None:
        """Shades where somebody can come and on what is covered; what is threatened is hatched."""
        for place, pace in self.over.reach.items():
            box = self.group(f"{text_of(place)}: {self.over.paces[pace]}")
            self.put_place(place, f"pace{min(pace, PACES - 1)}", box)
        for place in sorted(self.over.covered):
            self.put_place(place, "covered", self.group(text_of(place)))
        for place in sorted(self.over.threatened):
            box = self.group(f"{text_of(place)}: threatened")
            self.put_place(place, "", box, fill="url(#risk)")

    def put_way(self) -> None:
        """The way of an action, from where it begins to its end, which has a ring."""
        points = [self.centre(place) for place in self.over.way]
        if not points:
            return
        box = self.group(" to ".join(map(text_of, self.over.way)))
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self.add("path", "way", "", box, d=f"M{path}")
        for x, y in points[1:-1]:
            self.add("circle", "way", "", box, cx=x, cy=y, r=2)
        self.add("circle", "way", "", box, cx=points[-1][0], cy=points[-1][1], r=9)

    # -- sight -----------------------------------------------------------------------------------

    def put_sight(self, sight: SightLine) -> None:
        """The straight line between the two, and whatever the answer says is in its way."""
        names = (sight.viewer, sight.other)
        ends = [p for name in names for p in self.scene.pieces if p.name == name]
        if len(ends) < 2:
            message = f"{' and '.join(names)} have no line: not both are on the board"
            raise InputError(Fault(message))
        (x, y), (u, v) = (self.centre(piece.place) for piece in ends[:2])
        kind = "met" if sight.stopped_by else "free"
        box = self.group(sight_text(sight, self.scene.position))
        part = self.part_before(sight, (x, y), (u, v))
        self.line_of_sight((x, y), (u, v), part, box)
        self.add("circle", "end free", "", box, cx=x, cy=y, r=4)
        self.add("circle", f"end {kind}", "", box, cx=u, cy=v, r=4)
        for term in sight.sheltered_by:
            self.put_block(places_in(self.scene.position, term), "shelter")
        for term in sight.stopped_by:
            self.put_block(places_in(self.scene.position, term))

    def part_before(self, sight: SightLine, start: PixelPoint, end: PixelPoint) -> float:
        """Which part of a line comes before what stops it first."""
        if not sight.stopped_by:
            return 1
        places = [
            self.centre(place) for place in places_in(self.scene.position, sight.stopped_by[0])
        ]
        right, down = end[0] - start[0], end[1] - start[1]
        length = right * right + down * down
        if not places or not length:
            return 0
        ahead = sum((x - start[0]) * right + (y - start[1]) * down for x, y in places)
        return max(0.0, min(1.0, ahead / len(places) / length))

    def put_block(self, places: list[Symbol], kind: str = "block") -> None:
        """Mark a place, the edge between two, or the corner that they share."""
        wide = self.cell / 20
        if len(places) == 1:
            self.put_place(places[0], kind, less=wide, stroke_width=wide)
        elif len(places) == 2:
            if self.scene.board and places[1] in self.scene.board.joined[places[0]]:
                self.put_join((places[0], places[1]), kind, wide * 2.2)
            else:
                x, y = self.between(*places)
                self.add("circle", kind, cx=x, cy=y, r=self.cell / 8, stroke_width=wide)

    # -- words -----------------------------------------------------------------------------------

    def notes(self) -> list[PieceNote]:
        """The lines under the board, each with the token that it is about, or a class of shade."""
        scene = self.scene
        lines: list[PieceNote] = [
            (f"{self.called(piece)}: {'; '.join(texts)}", piece)
            for piece in sorted(scene.tokens, key=lambda piece: natural(piece.name))
            for texts in [[scene.whereabouts(piece), *scene.measured(piece.name)]]
        ]
        marks = {piece.name: piece for piece in scene.pieces if piece.mark}
        lines += [(self.called(piece), piece) for piece in marks.values()]
        tints = [(label, n) for label, n in self.tints.items() if label not in self.written]
        lines += [(scene.title(label), f"tint{n}") for label, n in tints]
        if len(self.walls) > 1:
            lines += [(scene.title(label), f"wall{n}") for label, n in self.walls.items()]
        lines += [(text, f"pace{min(n, PACES - 1)}") for n, text in enumerate(self.over.paces)]
        lines += [("covered", "covered")] if self.over.covered else []
        lines += [("threatened", "risk")] if self.over.threatened else []
        lines += [(text, None) for text in self.over.notes]
        bare = {scene.title(scene.grounds[place]) for place in scene.bare}
        signs = [f"without a name: {scene.title(scene.usual)}"] if self.written else []
        signs += [f"dashed: {', '.join(sorted(bare))}"] if bare else []
        signs += ["hatched: blocks the way"] if scene.solid else []
        dotted = any(scene.counts(piece.name) for piece in scene.tokens)
        facing = any(piece.facing in scene.lattice.numbers for piece in scene.pieces)
        more = [f"thick line: {scene.title(label)}" for label in self.walls]
        more = more if len(more) == 1 else []
        more += ["the point of a piece shows its facing"] if facing else []
        more += ["dots below a piece: how much is lost or done"] if dotted else []
        more += ["small ring: in reach this turn"] if scene.reachable else []
        for part in (signs, more, [turn_note(scene)]):
            if any(part):
                lines.append((capital("; ".join(filter(None, part))), None))
        return lines

    def called(self, piece: ScenePiece) -> str:
        """A piece by name, with its side if that is called otherwise."""
        side = self.scene.side(piece.name)
        ruleset = self.scene.position.ruleset
        more = "" if side == piece.name else f" ({called(ruleset, side)})"
        return f"{self.scene.title(piece.name)}{more}"

    def note_columns(self, notes: Sequence[PieceNote], width: float) -> int:
        """In how many columns the notes that have a sign are set: in one, if they are few."""
        keyed = [text for text, piece in notes if piece is not None]
        if len(keyed) <= FEW:
            return 1
        return max(1, min(COLUMNS, int((width - EDGE) // (max(map(len, keyed)) * LETTER + 50))))

    def put_notes(
        self, notes: Sequence[PieceNote], indent: float, across: int, apart: float
    ) -> None:
        """Notes that have a sign in so many columns, and below them those that have none."""
        signed = [note for note in notes if note[1] is not None]
        down = -(-len(signed) // across)
        top = self.top + self.cells.depth
        for number, (text, piece) in enumerate(signed):
            x, y = indent + number // down * apart, top + LINE * (number % down + 2)
            self.put_sign(piece, x + 10, y - 4.5)
            self.put_text(x + 26, y, text, "note")
        stopped = self.over.sight is not None and self.over.sight.stopped_by
        plain = [text for text, piece in notes if piece is None]
        for number, text in enumerate(plain, down):
            red = stopped and text == self.over.notes[0]
            self.put_text(indent, top + LINE * (number + 2), text, "note told" if red else "note")

    def put_sign(self, piece: ScenePiece | str | None, x: float, y: float) -> None:
        """What a note is about: a piece, a line or a shade."""
        if isinstance(piece, ScenePiece):
            self.put_disc(piece, (x, y), 10)
        elif piece == "risk":
            self.put_box((x, y), 16, "", self.root, fill="url(#risk)")
        elif piece and piece.startswith("wall"):
            more = dashes(int(piece.removeprefix("wall")), 4)
            self.add("line", "wall", x1=x - 10, y1=y, x2=x + 12, y2=y, stroke_width=4, **more)
        elif piece:
            self.put_box((x, y), 16, piece, self.root)

    def description(self) -> str:
        """The picture in words."""
        scene = self.scene
        what = "hexes in" if self.cells.hexes else ""
        parts = [
            f"A board of {what} {self.columns} columns and {self.rows} rows".replace("  ", " ")
        ]
        parts += [f"{scene.title(p.name)} at {scene.whereabouts(p)}" for p in scene.pieces]
        places: dict[str, list[Symbol]] = defaultdict(list)
        for place, label in scene.grounds.items():
            places[label].append(place)
        for label in self.tints:
            parts.append(f"{scene.title(label)} at {', '.join(sorted_names(places[label]))}")
        joins: dict[str, list[str]] = defaultdict(list)
        for pair, label in scene.walls.items():
            joins[label].append("-".join(sorted_names(pair)))
        for label, names in joins.items():
            parts.append(f"{scene.title(label)} on {', '.join(names)}")
        parts += scene.way_names
        if scene.usual:
            parts.append(f"Everything else is {scene.title(scene.usual)}")
        parts += turn_words(scene)
        if scene.reachable:
            places_in_reach = ", ".join(sorted_names(scene.reachable))
            parts.append(f"In reach this turn: {places_in_reach}")
        parts += self.over.notes
        return ". ".join(parts) + "."


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
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    two = lines[:2] if len(lines) <= 2 else [lines[0], " ".join(lines[1:])]
    return [line if len(line) <= width else line[: max(1, width - 1)] + "…" for line in two]
