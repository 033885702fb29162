"""Places and the ways between them as SVG: in columns by the layers of the graph, or as a map."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

from clingo import Function

from pymorph.views.layout import capital, headline, words
from pymorph.views.pictures.chart import Chart, chart_lines
from pymorph.views.pictures.scene import PictureScene, ScenePiece
from pymorph.views.pictures.scene_svg import PictureNote, ScenePicture, Swatch
from pymorph.views.pictures.style import USUAL
from pymorph.views.pictures.svg_file import PixelPoint, SvgElement, SvgFile, dashes, short_lines
from pymorph.views.pictures.turn_order_svg import Strip, turn_note, turn_words


def tenths(**numbers: float) -> dict[str, str]:
    """Where something is drawn, as attributes."""
    return {name: f"{number:.1f}" for name, number in numbers.items()}


def put_head(picture: SvgElement) -> None:
    """The head of an arrow."""
    marker = picture.add("defs").add(
        "marker", id="head", viewBox="0 0 8 8", refX="7", refY="4",
        markerWidth="5", markerHeight="5", orient="auto-start-reverse",
    )  # fmt: skip
    marker.add("path", "mark", d="M0 0L8 4L0 8Z")


def way_title(chart: Chart, one: str, other: str, label: str, both: bool) -> str:
    """A way in words."""
    name = words(label) if label else "way"
    before, joining = ("between", "and") if both else ("from", "to")
    places = f" {joining} ".join(map(chart.called, (one, other)))
    return f"{name} {before} {places}"


def place_title(scene: PictureScene, chart: Chart, place: str) -> str:
    """A place with who is there, its marks and its ground, in words."""
    texts = list(map(scene.called, chart.inside(place))) or ["empty"]
    texts += [scene.title(chart.grounds[place])] if place in chart.grounds else []
    return f"{capital(chart.called(place))}: {', '.join(texts)}"


class ChartPicture(SvgFile):
    """Draws one chart: a column for each layer, a box for each place with its rooms in it."""

    # In pixels: a room, and what lies between places; the circle of a token; the margins.
    room, across, down, token, edge, top_edge = 132, 96, 44, 16, 28, 52

    def __init__(self, scene: PictureScene, chart: Chart) -> None:
        self.scene, self.chart = scene, chart
        head = headline(scene.position)
        arrow = not all(both for _, _, _, both in chart.ways)
        lines = [*chart.notes, "Arrow: one way only" * arrow, capital(turn_note(scene))]
        lines = list(filter(None, lines))
        self.boxes: dict[str, tuple[float, float, float, float]] = {}
        down, column = self.down, self.room + self.across
        heights = [sum(self.size(p) + down for p in layer) - down for layer in chart.layers]
        tallest = max(heights)
        wide = 2 * self.edge + len(chart.layers) * column - self.across
        notes = [len(note) * 8 + 2 * self.edge for note in ["", *lines]]
        width = max(wide, len(head) * 9 + 2 * self.edge, *notes)
        strip = Strip(scene, width)
        top = self.top_edge + strip.height
        for number, layer in enumerate(chart.layers):
            x, y = float(self.edge + number * column), top + (tallest - heights[number]) / 2
            for place in layer:
                self.boxes[place] = (x, y, self.room, self.size(place))
                y += self.size(place) + down
        sides = scene.side_notes
        height = top + tallest + self.edge + self.row * (len(lines) + bool(sides))
        texts = [" ".join(line.split()) for line in chart_lines(chart) if line.strip()]
        texts += turn_words(scene)
        super().__init__(width, height, head, ". ".join(texts))
        put_head(self)
        self.page(head, f"{width / 2:.0f}")
        strip.put(self, self.top_edge - 12)
        self.surface = (0, top - 12, width, tallest + 24)
        for way in chart.ways:
            self.put_way(*way)
        for place in chart.places:
            self.put_place(place)
        x, y = float(self.edge), height - self.edge / 2 - self.row * len(lines)
        for number, note in enumerate(lines, 1):
            self.add("text", "note", note, x=x, y=f"{y + self.row * number:.0f}")
        for side, look in sides:
            self.disc(look, (x + 10, y - 4.5), 10, "", 10)
            self.add("text", "note", side, x=f"{x + 26:.0f}", y=f"{y:.0f}")
            x += 26 + 8 * len(side) + 24

    def size(self, place: str) -> float:
        """The height of the box of a place."""
        return 26 + sum(map(self.room_height, self.chart.rooms[place].values()))

    def room_height(self, who: Sequence[str]) -> float:
        return 12 + max(1, -(-len(who) // 3)) * (2 * self.token + 4)

    def border(self, place: str, toward: str) -> tuple[float, float]:
        """Where the line to another place leaves the box."""
        (x, y, wide, high), (left, top, *size) = self.boxes[place], self.boxes[toward]
        x, y = x + wide / 2, y + high / 2
        right, down = left + size[0] / 2 - x, top + size[1] / 2 - y
        share = min(wide / 2 / abs(right) if right else 9e9, high / 2 / abs(down) if down else 9e9)
        return (x + right * share, y + down * share)

    def put_way(self, one: str, other: str, label: str, both: bool) -> None:
        (x, y), (u, v) = self.border(one, other), self.border(other, one)
        box = self.group(way_title(self.chart, one, other, label, both))
        ends_at = tenths(x1=x, y1=y, x2=u, y2=v)
        line = box.add("line", "wall", **ends_at, stroke_width="2.5")
        if not both:
            line.set("marker-end", "url(#head)")
        if label:
            middle = tenths(x=(x + u) / 2, y=(y + v) / 2 - 6)
            box.add("text", "axis halo", words(label), **middle)

    def put_place(self, place: str) -> None:
        x, y, wide, high = self.boxes[place]
        box, rooms = self.group(self.chart.called(place)), self.chart.rooms[place]
        middle = (x + wide / 2, y + high / 2)
        title = place_title(self.scene, self.chart, place)
        self.put_area(place, "place", title, middle, (wide, high))
        size = {"rx": "8", "width": f"{wide:.0f}", "height": f"{high:.0f}"}
        box.add("rect", "cell usual", **tenths(x=x, y=y), **size)
        box.add("text", "name", self.chart.called(place), **tenths(x=x + wide / 2, y=y + 18))
        top = y + 26
        for number, (room, who) in enumerate(rooms.items()):
            if number:
                box.add("line", "cell", **tenths(x1=x, y1=top, x2=x + wide, y2=top))
            if len(rooms) > 1:
                box.add("text", "axis", room, **tenths(x=x + 10, y=top + 16))
            for index, name in enumerate(who):
                neighbours = who[index - index % 3 : index - index % 3 + 3]
                right = (index % 3 - (len(neighbours) - 1) / 2) * (2 * self.token + 4)
                below = top + 6 + self.token + index // 3 * (2 * self.token + 4)
                self.put_token(name, place, (x + wide / 2 + right, below))
            top += self.room_height(who)

    def put_token(self, name: str, place: str, at: PixelPoint) -> None:
        title = f"{self.scene.called(name)}: {self.chart.called(place)}"
        box = self.group(capital(self.chart.called(name)))
        self.put_area(name, "piece", title, at, (2 * self.token, 2 * self.token))
        sign, _ = self.scene.sign(name, capital(name[:4]))
        box.disc(self.scene.look(name), at, self.token, sign, 9 if len(sign) > 2 else 0)


class MapPicture(ScenePicture):
    """Draws a map: each place at its spot with its name, the ways as lines between them."""

    # In pixels: the longer side, the margin, a spot, a mark beside it, the letters of a name. Notes
    # in a row, and how many letters a line of a name has.
    longer, edge, spot, star, font, columns, letters_in_line = 1300, 60, 14, 10, 12, 5, 14

    def __init__(self, scene: PictureScene, chart: Chart) -> None:
        self.scene, self.chart, self.over = scene, chart, scene.overlay
        across, up = zip(*(chart.spots[place] for place in chart.rooms), strict=True)
        self.corner = (min(across), max(up))
        span = (max(across) - min(across), max(up) - min(up))
        self.scale = self.longer / max(*span, 1)
        self.kinds = sorted({label for _, _, label, _ in chart.ways})  # one without a label first
        notes = self.notes()
        signed = sum(sign is not None for _, sign in notes)
        wide, high = (side * self.scale + 2 * self.edge for side in span)
        width = max(wide, self.columns * self.longest(notes[:signed]))
        rows = len(notes) - signed + -(-signed // self.columns)
        super().__init__(scene, (wide, high), width, rows)
        for way in chart.ways:
            self.put_way(*way)
        for place in chart.rooms:
            self.put_place(place)
        for place in chart.rooms:
            self.put_name(place)
        apart = (width - 2 * self.edge) / self.columns
        self.put_notes(notes, signed, self.columns, self.edge, apart)

    def put_patterns(self) -> None:
        put_head(self)

    def at(self, place: str) -> PixelPoint:
        """Where the spot of a place is."""
        (x, y), (west, north) = self.chart.spots[place], self.corner
        left, top = self.left + self.edge, self.top + self.edge
        return left + (x - west) * self.scale, top + (north - y) * self.scale

    def put_way(self, one: str, other: str, label: str, both: bool) -> None:
        """A line from the rim of a spot to that of another; each kind is dashed otherwise."""
        start, end = self.at(one), self.at(other)
        part = self.spot / max(dist(start, end), 2 * self.spot)
        right, down = ((v - u) * part for u, v in zip(start, end, strict=True))
        box = self.group(way_title(self.chart, one, other, label, both))
        more = {} if both else {"marker_end": "url(#head)"}
        more |= dashes(self.kinds.index(label), 2)
        start, end = (start[0] + right, start[1] + down), (end[0] - right, end[1] - down)
        box.line("route", start, end, **more)

    def put_place(self, place: str) -> None:
        """A spot with who is there, side by side, and its marks at its upper right."""
        (x, y), chart = self.at(place), self.chart
        title = place_title(self.scene, chart, place)
        box, ground = self.group(title), chart.grounds.get(place, "")
        look = self.scene.ground_looks.get(ground, USUAL)
        box.circle(f"cell {look.kind}", (x, y), self.spot, **look.paint)
        self.put_area(place, "place", title, (x, y), (2 * self.spot, 2 * self.spot))
        tokens = [name for who in chart.rooms[place].values() for name in who]
        for number, name in enumerate(tokens):
            middle = (x + (2 * number + 1 - len(tokens)) * self.spot, y)
            self.put_man(box, piece_called(name), middle, self.spot)
            if name.isidentifier():  # else many may have that name
                size = (2 * self.spot, 2 * self.spot)
                said = f"{self.scene.called(name)}: {chart.called(place)}"
                self.put_area(name, "piece", said, middle, size)
        for number, name in enumerate(chart.marks.get(place, ())):
            middle = (x + self.spot + number * 2 * self.star, y - self.spot)
            self.put_man(box, piece_called(name, mark=True), middle, self.star)

    def put_name(self, place: str) -> None:
        """The name below a spot, in at most two lines that no way crosses."""
        x, y = self.at(place)
        name = capital(self.chart.called(place))
        for number, line in enumerate(short_lines(name, self.letters_in_line), 1):
            height = y + self.spot + number * self.font
            self.add("text", "name halo", line, x=x, y=height, font_size=self.font)

    def notes(self) -> list[PictureNote]:
        """The pieces and marks, the grounds, the kinds of ways, and what else is to be said."""
        chart, scene = self.chart, self.scene
        marked = {name for names in chart.marks.values() for name in names}
        lines: list[PictureNote] = [
            (scene.called(name), piece_called(name, name in marked))
            for name in sorted(set(chart.names), key=lambda name: (scene.side(name), name))
        ]
        for ground in dict.fromkeys(chart.grounds.values()):
            look = scene.ground_looks[ground]
            lines.append((scene.title(ground), Swatch(((f"swatch {look.kind}", look.paint),))))
        if len(self.kinds) > 1:
            for number, label in enumerate(self.kinds):
                text = self.scene.title(label) if label else "Way"
                lines.append((text, Swatch(line=("route", dashes(number, 2)))))
        turns = [capital(turn_note(scene))] if scene.line else []
        return lines + [(text, None) for text in (*chart.notes, *turns)]

    def description(self) -> list[str]:
        """The picture in words."""
        chart = self.chart
        places = (place_title(self.scene, chart, place) for place in chart.rooms)
        return [f"A map of {len(chart.rooms)} places", *places, *turn_words(self.scene)]


def piece_called(name: str, mark: bool = False) -> ScenePiece:
    """A piece of a name on no board, with the beginning of the name as its label."""
    return ScenePiece(name, capital(name[:2]), Function(name), mark=mark)
