"""Places and the ways between them as SVG: a column for each layer of the graph."""

from __future__ import annotations

from collections.abc import Sequence

from pymorph.views.layout import capital, headline, words
from pymorph.views.pictures.chart import Chart, chart_lines
from pymorph.views.pictures.scene import PictureScene
from pymorph.views.pictures.svg_file import PixelPoint, SvgFile
from pymorph.views.pictures.turn_order_svg import Strip, turn_note, turn_words


def tenths(**numbers: float) -> dict[str, str]:
    """Where something is drawn, as attributes."""
    return {name: f"{number:.1f}" for name, number in numbers.items()}


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
        marker = self.add("defs").add(
            "marker", id="head", viewBox="0 0 8 8", refX="7", refY="4",
            markerWidth="5", markerHeight="5", orient="auto-start-reverse",
        )  # fmt: skip
        marker.add("path", "mark", d="M0 0L8 4L0 8Z")
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
        name = words(label) if label else "way"
        before, joining = ("between", "and") if both else ("from", "to")
        places = f" {joining} ".join(map(self.chart.called, (one, other)))
        box = self.group(f"{name} {before} {places}")
        ends_at = tenths(x1=x, y1=y, x2=u, y2=v)
        line = box.add("line", "wall", **ends_at, stroke_width="2.5")
        if not both:
            line.set("marker-end", "url(#head)")
        if label:
            middle = tenths(x=(x + u) / 2, y=(y + v) / 2 - 6)
            box.add("text", "axis", words(label), **middle)

    def put_place(self, place: str) -> None:
        x, y, wide, high = self.boxes[place]
        box, rooms = self.group(self.chart.called(place)), self.chart.rooms[place]
        middle = (x + wide / 2, y + high / 2)
        inside = [self.scene.called(name) for who in rooms.values() for name in who]
        title = f"{self.chart.called(place)}: {', '.join(inside) or 'empty'}"
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
