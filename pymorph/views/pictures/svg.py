"""A board as SVG: one file without scripts, in light or dark as the viewer prefers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import isqrt, sqrt

from clingo import Symbol

from pymorph.board.lattice import HEXES
from pymorph.errors import Fault, InputError
from pymorph.questions.board.sight import SightLine, places_in
from pymorph.terms import text_of
from pymorph.views.layout import capital, headline
from pymorph.views.pictures import table_svg
from pymorph.views.pictures.chart_svg import ChartPicture, MapPicture
from pymorph.views.pictures.overlay import NOTHING
from pymorph.views.pictures.scene import PictureScene, ScenePiece, hyphened, sorted_names
from pymorph.views.pictures.scene_svg import (
    HATCHED,
    PLAIN_GROUND,
    PictureNote,
    ScenePicture,
    Swatch,
    pace_class,
)
from pymorph.views.pictures.style import USUAL
from pymorph.views.pictures.svg_file import (
    PixelPoint,
    SvgElement,
    SvgFile,
    dashes,
    path,
    short_lines,
)
from pymorph.views.pictures.turn_order_svg import turn_note, turn_words

SOLID: Mapping[str, float | str] = {"fill": "url(#solid)"}  # what stands in the way


def board_svg(scene: PictureScene) -> str:
    """The board as the text of a self-contained SVG file. Raises: InputError, as `board_picture`"""
    return board_picture(scene).file_text()


def board_picture(scene: PictureScene) -> SvgFile:
    """The board as an SVG file with the areas in it, with whatever is laid over it.

    Raises: InputError, if there is no board; if one of the two is not on it.
    """
    if scene.chart is not None and scene.overlay == NOTHING:
        return (MapPicture if scene.chart.is_map else ChartPicture)(scene, scene.chart)
    if scene.table is not None:
        return table_svg.TablePicture(scene, scene.table)
    if scene.board is None:
        raise InputError(Fault("this position has no board to draw"))
    return BoardPicture(scene)


class Cells:
    """Where the places of a board lie, squares or hexes, in pixels: *width* of a place, *side* of
    its edges, *breadth* and *depth* of all.

    Rows lie a *pitch* apart.
    """

    # The sizes of a place, and of a small and of a large board in all.
    smallest, usual, largest, spread, widest = 36, 72, 112, 640, 1800

    def __init__(self, scene: PictureScene) -> None:
        columns, self.rows = scene.size()
        most = max(columns, self.rows, 1)
        small = max(self.usual, min(self.largest, self.spread // most))
        self.width = max(self.smallest, min(small, self.widest // most))
        self.hexes = scene.lattice is HEXES
        self.unit = self.width / scene.lattice.width  # a coordinate across
        self.side = self.width / sqrt(3) if self.hexes else float(self.width)
        self.pitch = 1.5 * self.side if self.hexes else self.side
        self.tall = 2 * self.side if self.hexes else self.side
        self.breadth = scene.across() * self.unit
        self.depth = self.tall + (self.rows - 1) * self.pitch

    def across(self, x: int) -> float:
        """How far from the left the middle of a place is with that first coordinate."""
        return x * self.unit + self.width / 2

    def down(self, row: int) -> float:
        """How far from above the middle of a row is."""
        return self.tall / 2 + (self.rows - row - 1) * self.pitch

    def crooked(self, x: int) -> float:
        """The same as `across`, for the name of a column: a column of hexes is crooked."""
        return self.across(x) + (self.unit / 2 if self.hexes else 0)

    def corners(self, middle: PixelPoint, less: float = 0) -> list[PixelPoint]:
        """The corners of a hex about its middle, so much *less* wide."""
        across, up = (self.width - less) / 2, (self.side - less / sqrt(3)) / 2
        return [(middle[0] + u * across, middle[1] - v * up) for u, v in HEXES.corners.values()]


class BoardPicture(ScenePicture):
    """Draws the board of a scene."""

    # In pixels: the margin, and how large a cell is that has the name of its ground. Notes with a
    # sign in one column, columns of more of them, and dots of one thing measured of a piece.
    edge, named, few, columns, most_dots = 40, 60, 14, 3, 12

    def __init__(self, scene: PictureScene) -> None:
        self.scene, self.over, self.cells = scene, scene.overlay, Cells(scene)
        self.cell = self.cells.width
        self.tints = self.tinted_grounds()
        self.written = self.written_grounds()
        self.walls = {label: number for number, label in enumerate(scene.wall_kinds)}
        notes = self.notes()
        longest, head = self.longest(notes), len(headline(scene.position)) * self.capital
        size = (self.cells.breadth, self.cells.depth)
        width = round(max(size[0] + 2 * self.edge, longest + self.edge, head))
        across = self.note_columns(notes, width)
        signed = sum(sign is not None for _, sign in notes)
        super().__init__(scene, size, width, len(notes) - signed + -(-signed // across))
        self.put_axes()
        ways = partial(self.put_ways, scene.ways)
        cells = partial(self.put_cells, [place for place in scene.at if place not in scene.crossed])
        for draw in (ways, cells) if scene.is_lined else (cells, ways):
            draw()
        self.put_overlay()
        for pair in scene.walls:
            self.put_wall(pair)
        if self.over.sight is not None:
            self.put_sight(self.over.sight)
        for place in scene.at:
            self.put_name(place)
        self.put_pieces()
        self.put_way()
        indent = max(self.edge / 2, min(self.left, (width - longest) / 2))
        self.put_notes(notes, signed, across, indent, (width - 2 * indent) / across)

    def put_patterns(self) -> None:
        self.hatching("solid", "hatch", 10, 45, "M5 0V10")
        self.hatching("risk", "risk", 9, -45, "M4 0V9")

    # -- places ----------------------------------------------------------------------------------

    def centre(self, place: Symbol) -> PixelPoint:
        x, y = self.scene.at[place]
        return (self.left + self.cells.across(x), self.top + self.cells.down(y))

    def put_place(
        self,
        within: SvgElement,
        place: Symbol,
        kind: str,
        more: Mapping[str, float | str] = {},
        less: float = 0,
    ) -> None:
        """The outline of a place, a square or a hex, so much *less* wide."""
        if self.cells.hexes:
            corners = self.cells.corners(self.centre(place), less)
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
            within.add("polygon", kind, "", points=points, **more)
        else:
            (x, y), side = self.centre(place), self.cell - less
            within.box(kind, (x - side / 2, y - side / 2), (side, side), **more)

    def between(self, one: Symbol, other: Symbol) -> PixelPoint:
        """The middle of the edge or the corner that two places share."""
        (x, y), (u, v) = self.centre(one), self.centre(other)
        return ((x + u) / 2, (y + v) / 2)

    def tinted_grounds(self) -> list[str]:
        """The grounds that are there, in the order of the vocabulary, but plain and bare ones."""
        looks, used = self.scene.ground_looks, set(self.scene.grounds.values())
        bare = {self.scene.grounds[place] for place in self.scene.bare}
        return [label for label in looks if label in used - bare and looks[label] != USUAL]

    def written_grounds(self) -> set[str]:
        """The grounds whose name stands in each of their places: none that is a third of all."""
        return set(self.tints) & self.scene.rare if self.cell >= self.named else set()

    def put_axes(self) -> None:
        columns, rows = self.scene.axes()
        for x, name in columns.items():
            middle = self.left + self.cells.crooked(x)
            for y in (self.top - 9, self.foot + 17):
                self.add("text", "axis", name, x=middle, y=y)
        for rank, name in rows.items():
            height = self.top + self.cells.down(rank) + 5
            for middle in (self.left - 16, self.left + self.cells.breadth + 16):
                self.add("text", "axis", name, x=middle, y=height)

    def put_ways(self, ways: Iterable[tuple[Symbol, Symbol]]) -> None:
        """The lines from place to place."""
        for one, other in ways:
            self.line("wall", self.centre(one), self.centre(other), stroke_width=2.5)

    def put_cells(self, places: Iterable[Symbol]) -> None:
        """All places, each with its area."""
        for place in places:
            self.put_cell(place)
            self.put_place_area(place)

    def put_cell(self, place: Symbol) -> None:
        x, y = self.centre(place)
        label = self.scene.grounds[place]
        look = self.scene.ground_looks[label]
        name = self.scene.title(label)
        box = self.group(f"{text_of(place)}: {name}")
        kind = "bare" if place in self.scene.bare else look.kind
        if self.scene.is_lined:
            box.circle("point", (x, y), self.cell / 11)
        else:
            self.put_place(box, place, f"cell {kind}", look.paint)
        if place in self.scene.solid:
            self.put_place(box, place, "", SOLID)
        if place in self.scene.reachable:
            box.circle("dot", (x, y), self.cell / 12)

    def put_name(self, place: Symbol) -> None:
        """The name of the ground of a place, over all that is laid on it."""
        (x, y), label = self.centre(place), self.scene.grounds[place]
        if label in self.written:
            name, size = self.scene.title(label), max(8.5, min(13.0, self.cell / 7.5))
            lines = short_lines(name, int(self.cell / (size * 0.56)))
            for number, line in enumerate(reversed(lines)):
                height = y + self.cell * (0.36 if self.cells.hexes else 0.41) - number * size * 1.1
                self.add("text", "name halo", line, x=x, y=height, font_size=f"{size:.1f}")

    def put_place_area(self, place: Symbol) -> None:
        """Keep where a place is."""
        title = f"{text_of(place)}: {self.scene.standing(place)}"
        size = (self.cells.width, self.cells.tall)
        self.put_area(text_of(place), "place", title, self.centre(place), size, self.cell_of(place))

    def cell_of(self, place: Symbol) -> tuple[int, int]:
        """The row and the column of a place, from 1, from the top left."""
        x, y = self.scene.at[place]
        return self.cells.rows - y, x // self.scene.lattice.width + 1

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
        start, end = (x - half[0], y - half[1]), (x + half[0], y + half[1])
        box.line(kind, start, end, stroke_width=width, **more)

    # -- pieces ----------------------------------------------------------------------------------

    def put_pieces(self) -> None:
        """Each piece at its spot; several at one spot side by side and smaller."""
        spots: dict[tuple[float, float], list[ScenePiece]] = defaultdict(list)
        for piece in self.scene.pieces:
            spots[self.spot(piece)].append(piece)
        for (x, y), pieces in spots.items():
            across = isqrt(len(pieces) - 1) + 1
            down = -(-len(pieces) // across)
            few = {1: (0.0, 0.25), 2: (0.47, 0.17)}
            apart, size = few.get(across, (0.9 / across, 0.3 / across))
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
        else:
            title, across = self.scene.described(piece), (2 * size, 2 * size)
            cell = self.cell_of(piece.place)
            self.put_area(piece.name, "piece", title, (x, y), across, cell)
        if piece.facing is not None and piece.facing in self.scene.lattice.numbers:
            turn = 15 * self.scene.lattice.bearings[self.scene.lattice.numbers[piece.facing]]
            turn -= 360 if turn > 180 else 0
            wide, low, high = 0.62 * size, -0.78 * size, -1.55 * size
            nose = f"M{-wide:.1f} {low:.1f}L0 {high:.1f}L{wide:.1f} {low:.1f}Z"
            place = f"translate({x:.1f} {y:.1f}) rotate({turn:.0f})"
            look = self.scene.look(piece.name)
            box.add("path", f"{look.hue} ring", d=nose, transform=place, **look.paint)
        self.put_man(box, piece, (x, y), size)
        self.put_dots(box, piece, (x, y), size)

    def put_dots(self, within: SvgElement, piece: ScenePiece, at: PixelPoint, size: float) -> None:
        """Below a piece a row of dots for each thing of which it has lost, or done, a part."""
        parts = [part for part in self.scene.counts(piece.name) if part[1] <= self.most_dots]
        for number, (done, total) in enumerate(parts):
            apart = min(size / 2.1, 2.4 * size / total)
            y = at[1] + size * 1.25 + number * size / 2
            for dot in range(total):
                x = at[0] + (dot - (total - 1) / 2) * apart
                within.circle("lost" if dot < done else "left", (x, y), apart * 0.42)

    # -- what is laid over it ----------------------------------------------------------------------

    def put_overlay(self) -> None:
        """Shades where somebody can come and on what is covered; what is threatened is hatched."""
        for place, pace in self.over.reach.items():
            box = self.group(f"{text_of(place)}: {self.over.paces[pace]}")
            self.put_place(box, place, pace_class(pace))
        for place in sorted(self.over.covered):
            self.put_place(self.group(text_of(place)), place, "covered")
        for place in sorted(self.over.threatened):
            box = self.group(f"{text_of(place)}: threatened")
            self.put_place(box, place, "", HATCHED)

    def put_way(self) -> None:
        """The way of an action, from where it begins to its end, which has a ring."""
        points = [self.centre(place) for place in self.over.way]
        if not points:
            return
        box = self.group(" to ".join(map(text_of, self.over.way)))
        box.add("path", "way", d=path(points))
        for point in points[1:-1]:
            box.circle("way", point, 2)
        box.circle("way", points[-1], 9)

    # -- sight -----------------------------------------------------------------------------------

    def put_sight(self, sight: SightLine) -> None:
        """The straight line between the two, and whatever the answer says is in its way."""
        ends = self.ends_of(sight, self.scene.pieces, "board")
        start, end = (self.centre(piece.place) for piece in ends)
        box = self.put_line_of_sight(sight, start, end, self.part_before(sight, start, end))
        for point, kind in ((start, "free"), (end, "met" if sight.stopped_by else "free")):
            box.circle(f"end {kind}", point, 4)
        for kind, terms in (("shelter", sight.sheltered_by), ("block", sight.stopped_by)):
            for term in terms:
                self.put_block(places_in(self.scene.position, term), kind)

    def part_before(self, sight: SightLine, start: PixelPoint, end: PixelPoint) -> float:
        """Which part of a line comes before what stops it first."""
        if not sight.stopped_by:
            return 1
        places = list(map(self.centre, places_in(self.scene.position, sight.stopped_by[0])))
        right, down = end[0] - start[0], end[1] - start[1]
        length = right * right + down * down
        if not places or not length:
            return 0
        ahead = sum((x - start[0]) * right + (y - start[1]) * down for x, y in places)
        return max(0.0, min(1.0, ahead / len(places) / length))

    def put_block(self, places: list[Symbol], kind: str) -> None:
        """Mark a place, the edge between two, or the corner that they share."""
        wide = self.cell / 20
        if len(places) == 1:
            self.put_place(self, places[0], kind, {"stroke_width": wide}, wide)
        elif len(places) == 2:
            if self.scene.board and places[1] in self.scene.board.joined[places[0]]:
                self.put_join((places[0], places[1]), kind, wide * 2.2)
            else:
                self.circle(kind, self.between(*places), self.cell / 8, stroke_width=wide)

    # -- words -----------------------------------------------------------------------------------

    def notes(self) -> list[PictureNote]:
        """The lines under the board, each with the token that it is about, or a class of shade."""
        scene = self.scene
        lines: list[PictureNote] = []
        lines += [(scene.described(piece), piece) for piece in scene.tokens]
        marks = {piece.name: piece for piece in scene.pieces if piece.mark}
        lines += [(scene.called(name), piece) for name, piece in marks.items()]
        looks = {label: scene.ground_looks[label] for label in self.tints}
        for label, look in looks.items():
            if label not in self.written:
                layer = (f"swatch {look.kind}", look.paint)
                lines.append((scene.title(label), Swatch((layer,))))
        if len(self.walls) > 1:
            for label, number in self.walls.items():
                more = {"stroke_width": 4, **dashes(number, 4)}
                lines.append((scene.title(label), Swatch(line=("wall", more))))
        if scene.solid:
            hatched = Swatch((PLAIN_GROUND, ("", SOLID)))
            lines.append(("blocks the way", hatched))
        for number, text in enumerate(self.over.paces):
            lines.append((text, Swatch((PLAIN_GROUND, (pace_class(number), {})))))
        covered = Swatch((PLAIN_GROUND, ("covered", {})))
        lines += [("covered", covered)] if self.over.covered else []
        threatened = Swatch((PLAIN_GROUND, ("", HATCHED)))
        lines += [("threatened", threatened)] if self.over.threatened else []
        return lines + [(text, None) for text in (*self.over.notes, *self.remarks())]

    def remarks(self) -> list[str]:
        """What else is drawn: a line about grounds, about walls and pieces, and about turns."""
        scene, turns = self.scene, turn_note(self.scene)
        bare = {scene.title(scene.grounds[place]) for place in scene.bare - scene.crossed}
        facing = any(piece.facing in scene.lattice.numbers for piece in scene.pieces)
        dotted = any(scene.counts(piece.name) for piece in scene.tokens)
        parts = (
            {
                f"without a name: {scene.title(scene.usual)}": self.written,
                f"dashed: {', '.join(sorted(bare))}": bare,
            },
            {
                f"thick line: {', '.join(map(scene.title, self.walls))}": len(self.walls) == 1,
                "the point of a piece shows its facing": facing,
                "dots below a piece: how much is lost or done": dotted,
                "small ring: in reach this turn": scene.reachable,
            },
            {turns: turns},
        )
        lines = ("; ".join(text for text, used in part.items() if used) for part in parts)
        return [capital(line) for line in lines if line]

    def note_columns(self, notes: Sequence[PictureNote], width: float) -> int:
        """In how many columns the notes that have a sign are set: in one, if they are few."""
        keyed = [text for text, piece in notes if piece is not None]
        if len(keyed) <= self.few:
            return 1
        wide = max(map(len, keyed)) * self.letter + 50
        return max(1, min(self.columns, int((width - self.edge) // wide)))

    def description(self) -> list[str]:
        """The picture in words."""
        scene = self.scene
        columns, rows = scene.size()
        what = "hexes in " if self.cells.hexes else ""
        parts = [f"A board of {what}{columns} columns and {rows} rows"]
        parts += [f"{scene.title(p.name)} at {scene.whereabouts(p)}" for p in scene.pieces]
        for label in self.tints:
            if label == scene.usual:
                continue
            places = (place for place, ground in scene.grounds.items() if ground == label)
            parts.append(f"{scene.title(label)} at {', '.join(sorted_names(places))}")
        for label in self.walls:
            pairs = (pair for pair, kind in scene.walls.items() if kind == label)
            parts.append(f"{scene.title(label)} on {', '.join(map(hyphened, pairs))}")
        parts += [f"Lines {', '.join(map(hyphened, scene.ways))}"] if scene.ways else []
        if scene.usual:
            parts.append(f"Everything else is {scene.title(scene.usual)}")
        parts += turn_words(scene)
        if scene.reachable:
            parts.append(f"In reach this turn: {', '.join(sorted_names(scene.reachable))}")
        return [*parts, *self.over.notes]
