"""A table in lengths as an SVG file, to scale: terrain, bases, the ruler along its sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan2, cos, degrees, dist, pi, sin

from pymorph.board.lattice import SQUARES, reduced
from pymorph.board.lengths.lines import part_before
from pymorph.board.lengths.measuring import square
from pymorph.board.lengths.plane import Plane, Terrain
from pymorph.board.lengths.shapes import Disc, HalfDisc, HalfPlane, Point, Polygon, Shape, Wall
from pymorph.questions.board.sight import SightLine
from pymorph.terms import Term, plural, text_of
from pymorph.views.layout import capital, headline, words
from pymorph.views.lines.sight import sight_text
from pymorph.views.lines.table import size_text
from pymorph.views.pictures.overlay import Swath
from pymorph.views.pictures.scene import PictureScene, SceneBase
from pymorph.views.pictures.scene_svg import (
    HATCHED,
    PLAIN_GROUND,
    Layer,
    PictureNote,
    ScenePicture,
    Swatch,
    pace_class,
)
from pymorph.views.pictures.style import Look
from pymorph.views.pictures.svg_file import (
    PixelPoint,
    Scale,
    SvgElement,
    letter_size,
    path,
    round_step,
)
from pymorph.views.pictures.turn_order_svg import turn_note, turn_words


class TablePicture(ScenePicture):
    """Draws the table of a scene, with the line between two and what is in it."""

    # In pixels: the longer side of the table, the margin, and the smallest base that has its
    # letters on it, and not beside it. Numbers on the ruler, notes in a column, corners of a disc.
    longer, edge, smallest, most_numbers, most_rows, corners = 720, 44, 9.0, 15, 12, 72

    def __init__(self, scene: PictureScene, plane: Plane) -> None:
        self.scene, self.plane, self.over = scene, plane, scene.overlay
        self.rulers = scene.position.ruleset.vocabulary.rulers
        self.scale = self.longer / max(plane.size)
        self.size = (plane.size[0] * self.scale, plane.size[1] * self.scale)
        notes, head = self.notes(), len(headline(scene.position)) * self.capital
        longest, bases = self.longest(notes), len(scene.bases)
        across = 1 if bases <= self.most_rows else 2
        width = max(self.size[0] + 2 * self.edge, across * longest + 2 * self.edge, head)
        super().__init__(scene, self.size, width, len(notes) - bases + -(-bases // across))
        self.lengths = Scale(
            self.spot(0, 0),
            self.rulers.usual_size * self.scale,
            words(self.rulers.usual),
            self.rulers.usual_size,
        )
        self.box("cell usual", (self.left, self.top), self.size)
        self.put_ruler()
        pieces = sorted(plane.terrain, key=lambda piece: piece.edge)
        names = list(map(self.put_terrain, pieces))
        if self.over.sight is not None:
            self.put_sight(self.over.sight)
        for kind, shape in self.over.shapes:
            self.put_shape(kind, shape)
        if self.over.swath is not None:
            self.put_swept(self.over.swath)
        for name, (x, y) in names:
            self.add("text", "name halo", name, x=x, y=y, font_size=12)
        for base in sorted(scene.bases, key=lambda base: -base.rim):
            self.put_base(base)
        if self.over.swath is not None:
            self.put_middles(self.over.swath)
        if self.over.sight is not None:
            self.put_blocks(self.over.sight)
        self.put_notes(notes, bases, across, self.left, longest + self.edge)

    def put_patterns(self) -> None:
        if self.over.shapes or self.over.swath:
            self.hatching("risk", "risk", 9, -45, "M4 0V9")
            clip = self.add("defs").add("clipPath", id="table")
            clip.box("", (self.left, self.top), self.size)

    def spot(self, x: float, y: float) -> PixelPoint:
        """Where a point of the table is in the picture, in which up is less."""
        return self.left + x * self.scale, self.foot - y * self.scale

    # -- the ruler -------------------------------------------------------------------------------

    def numbers(self, size: int) -> Iterator[tuple[int, str]]:
        """The points along a side of the table that bear a number of the usual unit."""
        unit = self.rulers.usual_size
        step = max(int(round_step(max(self.plane.size) // unit, self.most_numbers)), 1)
        for number in range(0, size // unit + 1, step):
            yield number * unit, str(number)

    def put_ruler(self) -> None:
        for at, name in self.numbers(self.plane.size[0]):
            x, y = self.spot(at, 0)
            if 0 < at < self.plane.size[0]:
                self.line("cell", (x, self.top), (x, y))
            for height in (y + 17, self.top - 9):
                self.add("text", "axis", name, x=x, y=height)
        for at, name in self.numbers(self.plane.size[1]):
            x, y = self.spot(0, at)
            if 0 < at < self.plane.size[1]:
                self.line("cell", (x, y), (x + self.size[0], y))
            for middle in (x - 16, x + self.size[0] + 16):
                self.add("text", "axis", name, x=middle, y=y + 5)

    # -- terrain and bases -----------------------------------------------------------------------

    def put_terrain(self, piece: Terrain) -> tuple[str, PixelPoint]:
        """Draw a piece; give its name, which stands over all that is laid on it, and where."""
        name = f"{capital(words(piece.name))}: {self.scene.title(piece.label)}"
        box = self.group(name)
        spots = [self.spot(*point) for point in piece.points]
        (left, right), (top, bottom) = ((min(c), max(c)) for c in zip(*spots, strict=True))
        middle, size = ((left + right) / 2, (top + bottom) / 2), (right - left, bottom - top)
        self.put_area(piece.name, "place", name, middle, size)
        if piece.edge:
            box.add("path", "wall", d=path(spots), fill="none", stroke_width=4)
            one, other = max(pairwise(spots), key=lambda side: dist(*side))
            x, y = ((a + b) / 2 for a, b in zip(one, other, strict=True))
        else:
            look = self.scene.ground_looks[piece.label]
            box.add("path", f"cell {look.kind}", d=path(spots, "Z"), **look.paint)
            x, y = (sum(side) / len(spots) for side in zip(*spots, strict=True))
        return words(piece.name), (x, y - 7 * piece.edge)

    def put_base(self, base: SceneBase) -> None:
        x, y = self.spot(*base.at)
        size, look = base.rim * self.scale, self.scene.look(base.name)
        box = self.group(self.described(base))
        self.put_area(base.name, "piece", self.described(base), (x, y), (2 * size, 2 * size))
        if base.facing is not None:
            self.put_front(box, base.facing, (x, y), size, look)
        sign, _ = self.scene.sign(base.name, base.label)
        letters = sign if size >= self.smallest else ""
        letter = letter_size(sign, size)
        if base.square:
            box.box(look.disc, (x - size, y - size), (2 * size, 2 * size), **look.paint)
            box.letters(look, letters, (x, y), letter)
        else:
            box.disc(look, (x, y), size, letters, letter)
        if size < self.smallest:
            box.add("text", "mark", base.label, x=x, y=y - size - 3, font_size=11)

    def put_front(
        self, within: SvgElement, facing: Point, at: PixelPoint, size: float, look: Look
    ) -> None:
        """Half a ring around a base, on the side to which it looks."""
        turn = degrees(atan2(*facing))
        wide, rim = 1.4 * size, 1.04 * size
        ring = f"M{-wide:.1f} 0A{wide:.1f} {wide:.1f} 0 0 1 {wide:.1f} 0L{rim:.1f} 0"
        ring += f"A{rim:.1f} {rim:.1f} 0 0 0 {-rim:.1f} 0Z"
        place = f"translate({at[0]:.1f} {at[1]:.1f}) rotate({turn:.1f})"
        within.add("path", look.hue, d=ring, transform=place, fill_opacity=0.55, **look.paint)

    # -- what is laid over it --------------------------------------------------------------------

    def put_shape(self, kind: str, shape: Shape) -> None:
        """A template, or a zone, as a picture can show it."""
        drawn = path((self.spot(*point) for point in outline(shape, self.corners)), "Z")
        look, more = kind, {"d": drawn, "clip_path": "url(#table)"}
        if kind == "threatened":
            look, more = "", {**more, "fill": "url(#risk)"}
        elif kind.isdigit():
            kind, look = self.over.paces[int(kind)], pace_class(int(kind))
        self.group(kind).add("path", look, **more)

    def along(self, discs: Sequence[Disc]) -> str:
        """A line from middle to middle."""
        return path(self.spot(*disc[:2]) for disc in discs)

    def put_swept(self, swath: Swath) -> None:
        """All that a base comes over: its way, as wide as it is."""
        wide = 2 * swath.gone[0].r * self.scale
        box = self.group("area that the base covers on its way")
        swept, clip = self.along(swath.gone), "url(#table)"
        box.add("path", "swept", d=swept, stroke_width=wide, clip_path=clip)

    def put_middles(self, swath: Swath) -> None:
        """The way of the middle of a base, where it is stopped, and what is left of it then."""
        box = self.group(self.over.notes[0])
        box.add("path", "way", d=self.along(swath.gone))
        for disc in swath.gone[1:]:
            box.circle("way", self.spot(*disc[:2]), disc.r * self.scale, stroke_width=1.5)
        if swath.stopped_short:
            last = swath.gone[-1]
            box.add("path", "line met", d=self.along((last, *swath.stopped_short)))
            (x, y), n = self.spot(*last[:2]), 7.0
            cross = path([(x - n, y - n), (x + n, y + n)]) + path([(x - n, y + n), (x + n, y - n)])
            box.add("path", "block", d=cross, stroke_width=4)

    # -- sight -----------------------------------------------------------------------------------

    def put_sight(self, sight: SightLine) -> None:
        """The line between two centres, as far as it is free, and the rest of it."""
        start, end = (base.at for base in self.ends_of(sight, self.scene.bases, "table"))
        part = self.part_before(sight, start, end)
        self.put_line_of_sight(sight, self.spot(*start), self.spot(*end), part)

    def part_before(self, sight: SightLine, start: Point, end: Point) -> float:
        """Which part of a line comes before what stops it first."""
        if not sight.stopped_by:
            return 1
        first = sight.stopped_by[0]
        shape = self.shape_of(first)
        return 0 if shape is None else part_before(start, end, shape, first.name == "touched")

    def shape_of(self, term: Term) -> Disc | Polygon | Wall | None:
        """The base, or the piece of terrain, that is in a line: ``area(grove)``, ``base(ann)``."""
        name = str(term.arguments[0]) if len(term.arguments) == 1 else ""
        if term.name == "touched" and name:
            return self.shape_of(term.arguments[0])
        if term.name in ("area", "edge") and name in self.plane.pieces:
            return self.plane.pieces[name].shape
        for base in self.scene.bases if term.name == "base" else ():
            if base.name == name:
                return square(base.at, 2 * base.rim) if base.square else Disc(*base.at, base.rim)
        return None

    def put_blocks(self, sight: SightLine) -> None:
        """Mark what the answer says is in the line, and what shelters the other."""
        box = self.group(sight_text(sight, self.scene.position))
        for kind, terms in (("shelter", sight.sheltered_by), ("block", sight.stopped_by)):
            for term in terms:
                self.put_block(box, term, kind)

    def put_block(self, within: SvgElement, term: Term, kind: str) -> None:
        """Mark the outline of what is in a line."""
        shape = self.shape_of(term)
        if isinstance(shape, Disc):
            within.circle(kind, self.spot(shape.x, shape.y), shape.r * self.scale, stroke_width=3)
        elif shape is not None:
            points = shape.points if isinstance(shape, Wall) else (*shape, shape[0])
            drawn = path(self.spot(*point) for point in points)
            within.add("path", kind, d=drawn, stroke_width=3)

    # -- words -----------------------------------------------------------------------------------

    def described(self, base: SceneBase) -> str:
        """A base in words: whose it is, where it stands, how large it is."""
        size = self.rulers.text(2 * base.rim)
        kind = "square base of" if base.square else "base of"
        text = f"{self.rulers.point(*base.at)}, {kind} {size}"
        if base.facing is not None:
            text += f", facing {facing_text(base.facing)}"
        return f"{self.scene.called(base.name)}: {text}"

    def notes(self) -> list[PictureNote]:
        """The lines under the table, each with the base or the terrain that it is about."""
        lines: list[PictureNote] = [(self.described(base), base) for base in self.scene.bases]
        for label in sorted({p.label for p in self.plane.terrain if not p.edge}):
            look = self.scene.ground_looks[label]
            layer = (f"swatch {look.kind}", look.paint)
            lines.append((capital(self.scene.title(label)), Swatch((layer,))))
        edges = dict.fromkeys(self.scene.title(p.label) for p in self.plane.terrain if p.edge)
        rest = [f"thick line: {', '.join(edges)}"] if edges else []
        rest += [f"to scale, numbers in {plural(words(self.rulers.usual))}"]
        if any(base.facing for base in self.scene.bases):
            lines.append(("Half a ring: the front of a base", None))
        lines += [(text, None) for text in self.over.notes]
        paces: list[Layer] = [(pace_class(number), {}) for number, _ in enumerate(self.over.paces)]
        for number, text in enumerate(self.over.paces):  # a slower one lies below each
            lines.append((text, Swatch((PLAIN_GROUND, *reversed(paces[number:])))))
        kinds = {kind for kind, _ in self.over.shapes}
        covered = Swatch((PLAIN_GROUND, ("covered", {})))
        lines += [("covered by the template", covered)] if "covered" in kinds else []
        threatened = Swatch((PLAIN_GROUND, ("", HATCHED)))
        lines += [("threatened", threatened)] if "threatened" in kinds else []
        turns = turn_note(self.scene)
        lines += [(capital(turns), None)] if turns else []
        return [*lines, (capital("; ".join(rest)), None)]

    def description(self) -> list[str]:
        """The picture in words."""
        parts = [capital(size_text(self.scene.position.ruleset, self.plane))]
        parts += [self.described(base) for base in self.scene.bases]
        parts += [f"{words(p.name)} is {self.scene.title(p.label)}" for p in self.plane.terrain]
        return [*parts, *turn_words(self.scene), *self.over.notes]


def outline(shape: Shape, corners: int) -> list[PixelPoint]:
    """The corners of a shape; a whole circle has so many *corners*."""
    if isinstance(shape, Disc | HalfDisc):
        start = atan2(shape.fx, shape.fy) - pi / 2 if isinstance(shape, HalfDisc) else 0
        turn = pi if isinstance(shape, HalfDisc) else 2 * pi
        angles = (start + turn * step / corners for step in range(corners + 1))
        return [(shape.x + shape.r * sin(a), shape.y + shape.r * cos(a)) for a in angles]
    return [] if isinstance(shape, HalfPlane) else list(shape)


def facing_text(facing: Point) -> str:
    """Where a base looks: by the name of the direction, or as a vector."""
    x, y = reduced(*facing)
    name = next((name for name, step in SQUARES.steps.items() if step == (x, y)), None)
    return words(text_of(name)) if name is not None else f"along [{x}, {y}]"
