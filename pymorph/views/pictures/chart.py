"""Places that hang together by ways, where no board is drawn: a graph, and its lines.

A ruleset says `drawn(What, Where, S)`, where Where is

    room(P, X)      part X of the place P: What is `empty`, or token(C), somebody who is there; and
                    on a map mark(X), a sign beside it, or card(X), its ground;
    way(P, Q)       What is both(Label), a way in both directions, or one_way(Label);
    pair(C, D)      What is the name of something that the two are for each other, as `in_reach`.

Every place has at least one room. A place is told in the order of the graph: from one end of it,
the nearer ones first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from clingo import Symbol, SymbolType

from pymorph.terms import order, text_of
from pymorph.views.layout import PLAIN, Style, capital, one_line, words

SITES = ("room", "way", "pair")


@dataclass(frozen=True)
class Chart:
    """Places with their rooms, who is where, the ways, and what some are for each other.

    *rooms* has the names of the tokens of each room of each place; *ways* are pairs of places with
    a label and whether one gets back; *pairs* are names by what the two are. On a map each place
    has a spot, and some have marks and a ground.
    """

    rooms: Mapping[str, Mapping[str, Sequence[str]]]
    ways: Sequence[tuple[str, str, str, bool]]
    pairs: Mapping[str, Sequence[tuple[str, str]]]
    titles: Mapping[str, str]
    spots: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    marks: Mapping[str, Sequence[str]] = field(default_factory=dict)
    grounds: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_map(self) -> bool:
        """Does each place have a spot?"""
        return self.rooms.keys() <= self.spots.keys()

    def inside(self, place: str) -> list[str]:
        """All who are in a place, and its marks."""
        tokens = [name for who in self.rooms[place].values() for name in who]
        return [*tokens, *self.marks.get(place, ())]

    def called(self, name: str) -> str:
        """What a place or a token is called."""
        return one_line(self.titles.get(name, "")) or words(name)

    @cached_property
    def layers(self) -> list[list[str]]:
        """The places by their distance from one at an end, those without a way to it last."""
        import networkx  # type: ignore[import-untyped]

        graph = networkx.Graph()
        graph.add_nodes_from(self.rooms)
        graph.add_edges_from((one, other) for one, other, _, _ in self.ways)
        layers: list[list[str]] = []
        rest = dict.fromkeys(self.rooms)
        while rest:
            group = networkx.node_connected_component(graph, next(iter(rest)))
            far = networkx.eccentricity(graph.subgraph(group))
            end = max((p for p in rest if p in group), key=lambda place: far[place])
            for layer in networkx.bfs_layers(graph, [end]):
                layers.append([place for place in self.rooms if place in set(layer)])
            for place in group:
                del rest[place]
        return layers

    @property
    def names(self) -> list[str]:
        """All who are somewhere, and all marks."""
        return [name for place in self.rooms for name in self.inside(place)]

    @property
    def places(self) -> list[str]:
        """The places in the order in which they are told."""
        return [place for layer in self.layers for place in layer]

    @property
    def notes(self) -> list[str]:
        """What some are for each other, in words."""
        texts = []
        for what, pairs in self.pairs.items():
            names = (" and ".join(capital(self.called(name)) for name in pair) for pair in pairs)
            texts.append(f"{capital(words(what))}: {', '.join(names)}")
        return texts

    def ways_from(self, place: str) -> list[str]:
        """Where one gets from a place, with what the way asks for, the plain ones first."""
        there = [(b, label) for a, b, label, _ in self.ways if a == place]
        there += [(a, label) for a, b, label, both in self.ways if b == place and both]
        labels_by_place: dict[str, list[str]] = defaultdict(list)
        for other, label in there:
            labels_by_place[other] += [words(label)] if label else []
        texts = [
            f"{self.called(p)} ({' or '.join(labels)})" if labels else self.called(p)
            for p, labels in labels_by_place.items()
        ]
        return sorted(texts, key=lambda text: ("(" in text, text))


def chart_of(
    drawn: Iterable[tuple[Symbol, Symbol]],
    titles: Mapping[str, str] = {},
    spots: Mapping[str, tuple[int, int]] = {},
) -> Chart | None:
    """The chart of what is drawn, pairs of What and Where; none if nothing has a room."""
    marks: dict[str, list[str]] = defaultdict(list)
    grounds: dict[str, str] = {}
    rooms: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    ways = []
    pairs: dict[str, list[tuple[str, str]]] = defaultdict(list)
    facts = (fact for fact in drawn if is_on_chart(fact[1]))
    for what, where in sorted(facts, key=lambda fact: (order(fact[1]), order(fact[0]))):
        one, other = map(text_of, where.arguments)
        if where.name == "room":
            room = rooms[one][other]
            names = [text_of(argument) for argument in what.arguments[:1]]
            if what.name == "card":
                grounds.update((one, name) for name in names)
            elif what.name in ("token", "mark"):
                (room if what.name == "token" else marks[one]).extend(names)
        elif where.name == "way":
            label = text_of(what.arguments[0]) if what.arguments else ""
            ways.append((one, other, label, what.name == "both"))
        elif (other, one) not in pairs[text_of(what)]:
            pairs[text_of(what)].append((one, other))
    if not rooms:
        return None
    ways = [way for way in ways if way[0] in rooms and way[1] in rooms]
    return Chart(rooms, ways, pairs, titles, spots, marks, grounds)


def is_on_chart(where: Symbol) -> bool:
    """Is that a room, a way or a pair?"""
    return where.type == SymbolType.Function and where.name in SITES and len(where.arguments) == 2


def chart_lines(chart: Chart, plain: bool = True, style: Style = PLAIN) -> list[str]:
    """The lines of a chart: each place with where one gets from it, and who is in it."""
    arrow = "->" if plain else "→"
    width = max(len(chart.called(place)) for place in chart.places)
    lines = []
    for place in chart.places:
        ways = ", ".join(chart.ways_from(place))
        name = chart.called(place)
        bold = style.bold(name.ljust(width) if ways else name)
        lines.append(f"  {bold}  {arrow} {ways}" if ways else f"  {bold}")
        rooms = chart.rooms[place]
        for room, who in rooms.items():
            if who or len(rooms) > 1:
                label = f"{room}: " if len(rooms) > 1 else ""
                names = ", ".join(capital(chart.called(name)) for name in who)
                lines.append(f"  {' ' * width}    {label}{names or style.dim('nobody')}")
    for note in chart.notes:
        lines += ["", f"  {note}"]
    return lines
