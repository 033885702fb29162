"""Places that hang together by ways, where no board is drawn: a graph, in lines or as SVG.

A ruleset says `drawn(What, Where, S)`, where Where is

    room(P, X)      part X of the place P: What is `empty`, or token(C), somebody who is there;
    way(P, Q)       What is both(Label), a way in both directions, or one_way(Label);
    pair(C, D)      What is the name of something that the two are for each other, as `in_reach`.

Every place has at least one room. A place is told in the order of the graph: from one end of it,
the nearer ones first.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from clingo import Symbol, SymbolType

from pymorph.terms import order, text_of
from pymorph.views.layout import Style, capital, words
from pymorph.views.style import HUES, SHEET

SITES = ("room", "way", "pair")

# In pixels: a room and what lies between places; the circle of a token; margins; a line of text.
ROOM, ACROSS, DOWN = 132, 96, 44
TOKEN, EDGE, TOP, LINE = 16, 28, 52, 24


@dataclass(frozen=True)
class Chart:
    """Places with their rooms, who is where, the ways, and what some are for each other.

    *rooms* has the names of the tokens of each room of each place; *ways* are pairs of places with
    a label and whether one gets back; *pairs* are names by what the two are.
    """

    rooms: Mapping[str, Mapping[str, tuple[str, ...]]]
    ways: tuple[tuple[str, str, str, bool], ...]
    pairs: Mapping[str, tuple[tuple[str, str], ...]]

    @cached_property
    def layers(self) -> list[list[str]]:
        """The places by their distance from one at an end, those without a way to it last."""
        import networkx  # type: ignore[import-untyped]

        graph = networkx.Graph()
        graph.add_nodes_from(self.rooms)
        graph.add_edges_from((one, other) for one, other, _, _ in self.ways)
        found: list[list[str]] = []
        rest = dict.fromkeys(self.rooms)
        while rest:
            group = networkx.node_connected_component(graph, next(iter(rest)))
            far = networkx.eccentricity(graph.subgraph(group))
            end = max((p for p in rest if p in group), key=lambda place: far[place])
            for layer in networkx.bfs_layers(graph, [end]):
                found.append([place for place in self.rooms if place in set(layer)])
            for place in group:
                del rest[place]
        return found

    @property
    def places(self) -> list[str]:
        """The places in the order in which they are told."""
        return [place for layer in self.layers for place in layer]

    def ways_from(self, place: str) -> list[str]:
        """Where one gets from a place, with what the way asks for, the plain ones first."""
        there = [(b, label) for a, b, label, _ in self.ways if a == place]
        there += [(a, label) for a, b, label, both in self.ways if b == place and both]
        found: dict[str, list[str]] = defaultdict(list)
        for other, label in there:
            found[other] += [words(label)] if label else []
        told = [
            f"{words(p)} ({' or '.join(labels)})" if labels else words(p)
            for p, labels in found.items()
        ]
        return sorted(told, key=lambda text: ("(" in text, text))


def charted(drawn: Iterable[tuple[Symbol, Symbol]]) -> Chart | None:
    """The chart of what is drawn, pairs of What and Where; none if nothing has a room."""
    rooms: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    ways = []
    pairs: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for what, where in sorted(drawn, key=lambda row: (order(row[1]), order(row[0]))):
        one, other = map(text_of, where.arguments)
        if where.name == "room":
            room = rooms[one][other]
            room += [text_of(a) for a in what.arguments[:1]] if what.name == "token" else []
        elif where.name == "way":
            label = text_of(what.arguments[0]) if what.arguments else ""
            ways.append((one, other, label, what.name == "both"))
        elif (other, one) not in pairs[text_of(what)]:
            pairs[text_of(what)].append((one, other))
    if not rooms:
        return None
    return Chart(
        {place: {x: tuple(who) for x, who in parts.items()} for place, parts in rooms.items()},
        tuple(way for way in ways if way[0] in rooms and way[1] in rooms),
        {what: tuple(found) for what, found in pairs.items()},
    )


def is_charted(where: Symbol) -> bool:
    """Is that a room, a way or a pair?"""
    return where.type == SymbolType.Function and where.name in SITES and len(where.arguments) == 2


def chart_lines(chart: Chart, plain: bool, style: Style) -> list[str]:
    """The lines of a chart: each place with where one gets from it, and who is in it."""
    arrow = "->" if plain else "→"
    width = max(len(words(place)) for place in chart.places)
    lines = []
    for place in chart.places:
        ways = ", ".join(chart.ways_from(place))
        name = words(place).ljust(width)
        bold = style.bold(name if ways else words(place))
        lines.append(f"  {bold}  {arrow} {ways}" if ways else f"  {bold}")
        rooms = chart.rooms[place]
        for room, who in rooms.items():
            if who or len(rooms) > 1:
                label = f"{room}: " if len(rooms) > 1 else ""
                told = ", ".join(capital(words(name)) for name in who) or style.dim("nobody")
                lines.append(f"  {' ' * width}    {label}{told}")
    for what, pairs in chart.pairs.items():
        told = ", ".join(f"{capital(words(c))} and {capital(words(d))}" for c, d in pairs)
        lines += ["", f"  {capital(words(what))}: {told}"]
    return lines


def chart_svg(chart: Chart, head: str) -> str:
    """The chart as a self-contained SVG file."""
    return ChartPicture(chart, head).text()


class ChartPicture:
    """Draws one chart: a column for each layer, a box for each place with its rooms in it."""

    def __init__(self, chart: Chart, head: str) -> None:
        self.chart = chart
        self.head = head
        names = sorted(
            {name for rooms in chart.rooms.values() for w in rooms.values() for name in w}
        )
        self.hues = {name: number % HUES for number, name in enumerate(names)}
        self.boxes: dict[str, tuple[float, float, float, float]] = {}
        heights = [sum(self.size(p) + DOWN for p in layer) - DOWN for layer in chart.layers]
        tallest = max(heights)
        for column, layer in enumerate(chart.layers):
            y = TOP + (tallest - heights[column]) / 2
            for place in layer:
                self.boxes[place] = (EDGE + column * (ROOM + ACROSS), y, ROOM, self.size(place))
                y += self.size(place) + DOWN
        self.notes = [
            f"{capital(words(what))}: "
            + ", ".join(f"{capital(words(c))} and {capital(words(d))}" for c, d in pairs)
            for what, pairs in chart.pairs.items()
        ]
        wide = 2 * EDGE + len(chart.layers) * (ROOM + ACROSS) - ACROSS
        self.width = max(
            wide, len(head) * 9 + 2 * EDGE, *(len(n) * 8 + 2 * EDGE for n in ["", *self.notes])
        )
        self.height = TOP + tallest + EDGE + LINE * len(self.notes)

    def size(self, place: str) -> float:
        """The height of the box of a place."""
        return 26 + sum(self.room_height(who) for who in self.chart.rooms[place].values())

    def room_height(self, who: tuple[str, ...]) -> float:
        return 12 + max(1, -(-len(who) // 3)) * (2 * TOKEN + 4)

    def text(self) -> str:
        """The whole file."""
        wide, high = f"{self.width:.0f}", f"{self.height:.0f}"
        self.root = ET.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {self.width:.0f} {self.height:.0f}",
                "width": wide,
                "height": high,
                "role": "img",
                "aria-labelledby": "title desc",
            },
        )
        self.add("title", text=self.head, id="title")
        self.add("desc", text=". ".join(chart_lines_plain(self.chart)), id="desc")
        self.add("style", text=SHEET)
        marker = self.add(
            "marker", within=self.add("defs"), id="head", viewBox="0 0 8 8", refX="7", refY="4",
            markerWidth="5", markerHeight="5", orient="auto-start-reverse",
        )  # fmt: skip
        self.add("path", "mark", within=marker, d="M0 0L8 4L0 8Z")
        self.add("rect", "page", width=wide, height=high)
        self.add("text", "head", self.head, x=f"{self.width / 2:.0f}", y="26")
        for way in self.chart.ways:
            self.put_way(*way)
        for place in self.chart.places:
            self.put_place(place)
        for number, note in enumerate(self.notes, 1):
            y = self.height - EDGE / 2 - LINE * (len(self.notes) - number)
            self.add("text", "note", note, x=str(EDGE), y=f"{y:.0f}")
        ET.indent(self.root)
        return ET.tostring(self.root, encoding="unicode") + "\n"

    def add(
        self, tag: str, kind: str = "", text: str = "", within: ET.Element | None = None,
        **attributes: str,
    ) -> ET.Element:  # fmt: skip
        found = ET.SubElement(self.root if within is None else within, tag)
        if kind:
            found.set("class", kind)
        for name, value in attributes.items():
            found.set(name.replace("_", "-"), value)
        found.text = text or None
        return found

    def middle(self, place: str) -> tuple[float, float]:
        x, y, wide, high = self.boxes[place]
        return (x + wide / 2, y + high / 2)

    def border(self, place: str, toward: str) -> tuple[float, float]:
        """Where the line to another place leaves the box."""
        (x, y), (u, v) = self.middle(place), self.middle(toward)
        _, _, wide, high = self.boxes[place]
        across, down = abs(u - x), abs(v - y)
        share = min(wide / 2 / across if across else 9e9, high / 2 / down if down else 9e9)
        return (x + (u - x) * share, y + (v - y) * share)

    def put_way(self, one: str, other: str, label: str, both: bool) -> None:
        (x, y), (u, v) = self.border(one, other), self.border(other, one)
        name = words(label) if label else "way"
        box = self.add("g")
        between = "between" if both else "from"
        joint = "and" if both else "to"
        self.add("title", text=f"{name} {between} {words(one)} {joint} {words(other)}", within=box)
        line = self.add(
            "line", "wall", "", box, x1=f"{x:.1f}", y1=f"{y:.1f}", x2=f"{u:.1f}", y2=f"{v:.1f}",
            stroke_width="2.5",
        )  # fmt: skip
        if not both:
            line.set("marker-end", "url(#head)")
        if label:
            self.add(
                "text",
                "axis",
                words(label),
                box,
                x=f"{(x + u) / 2:.1f}",
                y=f"{(y + v) / 2 - 6:.1f}",
            )

    def put_place(self, place: str) -> None:
        x, y, wide, high = self.boxes[place]
        box = self.add("g")
        self.add("title", text=words(place), within=box)
        self.add(
            "rect", "cell usual", "", box, x=f"{x:.1f}", y=f"{y:.1f}", rx="8", width=f"{wide:.0f}",
            height=f"{high:.0f}",
        )  # fmt: skip
        self.add("text", "name", words(place), box, x=f"{x + wide / 2:.1f}", y=f"{y + 18:.1f}")
        top = y + 26
        rooms = self.chart.rooms[place]
        for number, (room, who) in enumerate(rooms.items()):
            height = self.room_height(who)
            if number:
                self.add(
                    "line", "cell", "", box, x1=f"{x:.1f}", y1=f"{top:.1f}", x2=f"{x + wide:.1f}",
                    y2=f"{top:.1f}",
                )  # fmt: skip
            if len(rooms) > 1:
                self.add("text", "axis", room, box, x=f"{x + 10:.1f}", y=f"{top + 16:.1f}")
            for index, name in enumerate(who):
                row = who[index - index % 3 : index - index % 3 + 3]
                right = (index % 3 - (len(row) - 1) / 2) * (2 * TOKEN + 4)
                self.put_token(
                    name, x + wide / 2 + right, top + 6 + TOKEN + index // 3 * (2 * TOKEN + 4)
                )
            top += height

    def put_token(self, name: str, x: float, y: float) -> None:
        box = self.add("g")
        self.add("title", text=capital(words(name)), within=box)
        kind = f"hue{self.hues[name]} ring"
        self.add("circle", kind, "", box, cx=f"{x:.1f}", cy=f"{y:.1f}", r=str(TOKEN))
        self.add(
            "text", "initial", capital(name[:4]), box, x=f"{x:.1f}", y=f"{y + 3.5:.1f}",
            font_size="10",
        )  # fmt: skip


def chart_lines_plain(chart: Chart) -> list[str]:
    """The chart in words."""
    from pymorph.views.layout import PLAIN

    return [" ".join(line.split()) for line in chart_lines(chart, True, PLAIN) if line.strip()]
