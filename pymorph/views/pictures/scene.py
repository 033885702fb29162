"""What a picture shows, as the ruleset says it: pieces, grounds, walls, and how far things are.

A ruleset says `drawn(What, Where, S)`. Where is

    a place; corner(P, Q), the corner that two places share; toward(P, Q), in P right against Q;
    join(P, Q), the edge between two places; way(P, Q), a line from one to the other, whatever What
    is; or a fluent, whose value is shown in the tableau;

and What is, on the board,

    token(X, Facing), token(X)   a piece that faces somewhere, or nowhere;
    mark(X), mark(X, "Sign")     a piece that takes the whole place, and how it is written there;
    side(X, D)                   the piece X there is of D's side; else it is a side of its own;
    card(X)                      the ground of a place, instead of what the board has there;
    bare, solid                  a place without ground, and one that stands in the way;
    reachable                    where whoever has the turn can come;

on a table in lengths, at a point,

    base(X, N), square(X, N)     a round base, N from its centre to its rim, or a square of side N;
    side(X, D)                   as above;

any What at a join is a wall, and any other on a place is a mark. Without a board there are rooms
and ways, of which `chart` tells. Of a fluent What is

    progress(N, K)               N of K are done;
    notch(N), goal(N)            something is completed at N; what it is all for comes at N.

Those who have turns stand in a line, at line(K, C), the lowest K first. What is past, now, to_come
or waiting, and may be progress(N, K) as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeVar

from clingo import Symbol, SymbolType

from pymorph.board.grid import Board
from pymorph.board.lattice import SQUARES, Lattice
from pymorph.board.lengths.length_units import point_of
from pymorph.board.lengths.plane import Plane
from pymorph.board.lengths.shapes import Point
from pymorph.errors import Fault, RulesetError
from pymorph.state.position import Position
from pymorph.terms import sorted_symbols, text_of
from pymorph.views.layout import called, capital, natural, title, words
from pymorph.views.pictures.chart import Chart, chart_of, is_on_chart
from pymorph.views.pictures.labels import WORD, labels_of
from pymorph.views.pictures.measures import (
    TURNS,
    Measure,
    SceneTurn,
    TurnState,
    functor,
    is_term,
    numbers_in,
)
from pymorph.views.pictures.overlay import NOTHING, Overlay
from pymorph.views.pictures.style import DISC, USUAL, Ground, Look, ground_of, look_of

Labelled = TypeVar("Labelled", Symbol, tuple[Symbol, Symbol])
BASES = ("base", "square")
SITES = ("corner", "toward", "join")
MEASURES = ("progress", "notch", "goal")
FLAT = ("bare", "solid", "reachable")


@dataclass(frozen=True, slots=True)
class ScenePiece:
    """A token or mark: who it is, the label it bears, where it stands and where it looks.

    *site* says where about *place* it stands: in the middle (empty), toward *other*, or on the
    corner between the two.
    """

    name: str
    label: str
    place: Symbol
    site: str = ""
    other: Symbol | None = None
    facing: Symbol | None = None
    mark: bool = False


class SceneBase(NamedTuple):
    """A base on a table in lengths: its centre, and how far it is from there to its rim.

    It looks along *facing*, a vector, if it looks anywhere.
    """

    name: str
    label: str
    at: Point
    rim: int
    square: bool = False
    facing: Point | None = None


@dataclass
class PictureScene:
    """All that a picture of a position shows; `scene_of` adds it fact by fact."""

    position: Position
    board: Board | None
    table: Plane | None
    grounds: dict[Symbol, str]
    walls: dict[tuple[Symbol, Symbol], str]
    pieces: Sequence[ScenePiece] = ()
    bare: set[Symbol] = field(default_factory=set)
    solid: set[Symbol] = field(default_factory=set)
    reachable: set[Symbol] = field(default_factory=set)
    ways: list[tuple[Symbol, Symbol]] = field(default_factory=list)
    measures: dict[Symbol, Measure] = field(default_factory=dict)
    sides: dict[str, str] = field(default_factory=dict)
    turns: dict[Symbol, SceneTurn] = field(default_factory=dict)
    bases: list[SceneBase] = field(default_factory=list)
    fronts: dict[str, Point] = field(default_factory=dict)
    chart: Chart | None = None
    overlay: Overlay = NOTHING

    def add_aside(self, what: Symbol, where: Symbol) -> bool:
        """Add a fact about something that is not on a place of the board, if this is one.

        Raises: RulesetError, if that cannot be drawn.
        """
        kind = functor(what)
        if is_term(where, "line", 2):
            name = called(self.position.ruleset, text_of(where.arguments[1]))
            self.turns.setdefault(where, SceneTurn(name)).add(what)
        elif kind in MEASURES and where not in self.grounds:
            self.measures.setdefault(where, Measure()).add(what)
        elif is_term(what, "side", 2):
            self.sides[subject(what)] = text_of(what.arguments[1])
        elif self.table is not None and kind in BASES and (at := point_of(where)):
            self.bases.append(SceneBase(subject(what), "", at, base_size(what), kind == "square"))
        elif self.table is not None and kind == "front" and (ahead := vector(what)):
            self.fronts[subject(what)] = ahead
        else:
            return self.board is None and is_on_chart(where)
        return True

    def add_on_board(self, what: Symbol, where: Symbol) -> bool:
        """Add a fact about the board, if this is not a piece. Raises: RulesetError, if it is about
        no place of the board."""
        if not is_on_board(self.board, where):
            message = f"drawn({text_of(what)}, {text_of(where)}, S) is not on the board"
            raise RulesetError(Fault(message))
        site, kind = functor(where), functor(what)
        if site == "join" and self.board is not None:
            one, other = where.arguments
            pair = (one, other) if (one, other) in self.board.joins else (other, one)
            self.walls[pair] = subject(what)
        elif site == "way":
            self.ways.append((where.arguments[0], where.arguments[1]))
        elif kind in FLAT and where in self.grounds:
            getattr(self, kind).add(where)
        elif kind == "card" and where in self.grounds:
            self.grounds[where] = subject(what)
        else:
            return False
        return True

    @property
    def line(self) -> tuple[SceneTurn, ...]:
        """Those who have turns, in their order."""
        return tuple(turn for _, turn in sorted(self.turns.items()) if turn.state)

    @cached_property
    def usual(self) -> str:
        """The ground that most places have; of as many, the one that is declared first."""
        counts = Counter(dict.fromkeys(self.position.ruleset.vocabulary.symbols.values(), 0))
        counts.update(self.grounds.values())
        return counts.most_common(1)[0][0] if self.grounds else ""

    @cached_property
    def rare(self) -> set[str]:
        """The grounds that at most a third of all places have."""
        counts = Counter(self.grounds.values())
        return {label for label in counts if counts[label] <= counts.total() / 3}

    @property
    def tokens(self) -> list[ScenePiece]:
        """The pieces that do not take all of their place, by name."""
        tokens = (piece for piece in self.pieces if not piece.mark)
        return sorted(tokens, key=lambda piece: natural(piece.name))

    @property
    def wall_kinds(self) -> list[str]:
        """The kinds of walls that there are."""
        return list(dict.fromkeys(self.walls.values()))

    @property
    def turn_states(self) -> list[TurnState]:
        """The states that turns are in."""
        names = {turn.state for turn in self.line}
        return [state for name, state in TURNS.items() if name in names]

    def side(self, name: str) -> str:
        """Whose side a piece is on."""
        return self.sides.get(name, name)

    @cached_property
    def tones(self) -> Mapping[str, int]:
        """The tone of each side that is there: by its place in the vocabulary, if it has one."""
        names = {piece.name for piece in self.pieces} | {base.name for base in self.bases}
        if self.chart is not None:
            names |= set(self.chart.names)
        places: dict[str, int] = {}
        for sort in self.position.ruleset.vocabulary.sorts.values():
            for number, member in enumerate(sort.members if sort.kind == "listed" else ()):
                places.setdefault(text_of(member), number)
        tones: dict[str, int] = {}
        sides = {self.side(name) for name in names}
        for side in sorted(sides, key=lambda side: (side not in places, side)):
            tone = places.get(side, 0)
            while tone in tones.values():
                tone += 1
            tones[side] = tone
        return tones

    def look(self, name: str) -> Look:
        """How a piece looks: like all of its side, unless it has a colour of its own."""
        side = self.side(name)
        return self.look_of_side(side, self.position.ruleset.vocabulary.colours.get(name, ""))

    def look_of_side(self, side: str, colour: str = "") -> Look:
        """How the pieces of a side look, in that colour or in the one of the side."""
        colours = self.position.ruleset.vocabulary.colours
        return look_of(side, self.tones[side], colour or colours.get(side, ""))

    def sign(self, name: str, label: str, mark: bool = False) -> tuple[str, bool]:
        """What is written for a piece, its sign or else a *label*, and whether on a disc."""
        sign = self.position.ruleset.vocabulary.glyphs.get(name, "")
        if sign.startswith(DISC):
            return sign.removeprefix(DISC), True
        return sign or label, not (sign and mark)

    @cached_property
    def ground_looks(self) -> Mapping[str, Ground]:
        """How each ground looks: in its colour, or by its place in the vocabulary. The usual one is
        plain, unless it has a colour."""
        words = self.position.ruleset.vocabulary
        others = [piece.label for piece in self.table.terrain] if self.table else []
        others += self.chart.grounds.values() if self.chart else []
        known = [*words.symbols.values(), *words.ground]
        labels = dict.fromkeys([*known, *sorted({*self.grounds.values(), *others})])
        looks = {
            label: ground_of(words.colours.get(label, ""), n) for n, label in enumerate(labels)
        }
        if self.usual and self.usual not in words.colours:
            looks[self.usual] = USUAL
        return looks

    @property
    def side_notes(self) -> list[tuple[str, Look]]:
        """The sides that have pieces of other names, each with its look."""
        sides = [side for side in self.tones if side in self.sides.values()]
        return [(self.title(side), self.look_of_side(side)) for side in sides]

    @property
    def at(self) -> Mapping[Symbol, Point]:
        """Column and row of each place."""
        return self.board.coordinates if self.board else {}

    @property
    def lattice(self) -> Lattice:
        """Whether it is drawn in squares or in hexes."""
        return self.board.lattice if self.board else SQUARES

    def size(self) -> Point:
        """The number of columns and rows."""
        return self.board.shape() if self.board else (0, 0)

    def across(self) -> int:
        """How wide the board is, in coordinates."""
        return max((x for x, _ in self.at.values()), default=0) + self.lattice.width

    def step(self, piece: ScenePiece) -> Point:
        """The step in columns and rows from the place of a piece to the other that it leans on."""
        if piece.other is None:
            return (0, 0)
        (x, y), (u, v) = self.at[piece.place], self.at[piece.other]
        return (u - x, v - y)

    def axes(self) -> tuple[dict[int, str], dict[int, str]]:
        """The names of the columns and of the rows: the letters and the digits of their places.

        A column of hexes, which is crooked, is told where it is farthest left.
        """
        columns, rows = {}, {}
        wide = self.lattice.width
        for place, (x, y) in self.at.items():
            name = text_of(place)
            letters = columns[x - x % wide] = name.rstrip("0123456789")
            rows[y] = name[len(letters) :]
        return columns, rows

    def title(self, label: str) -> str:
        """What a ground or a wall is called, a piece or a side."""
        return title(self.position.ruleset, label)

    def called(self, name: str) -> str:
        """A piece by its title, with its side if that does not say it."""
        title, side = self.title(name), called(self.position.ruleset, self.side(name))
        known = self.side(name) == name or side.lower() in WORD.findall(title.lower())
        return title if known else f"{title} ({side})"

    def whereabouts(self, piece: ScenePiece) -> str:
        """Where a piece stands and looks, in words."""
        spot = text_of(piece.place)
        if piece.other is not None and piece.site in ("corner", "join"):
            both = " and ".join(sorted_names([piece.place, piece.other]))
            spot = f"on the corner of {both}" if piece.site == "corner" else f"between {both}"
        elif piece.other is not None:
            spot += f", at the edge of {text_of(piece.other)}"
        ground = self.grounds[piece.place]
        if ground != self.usual:
            spot += f" ({capital(self.title(ground))})"
        return spot + (f", facing {words(text_of(piece.facing))}" if piece.facing else "")

    @cached_property
    def points(self) -> set[Symbol]:
        """The places on the lines of the board, if it has some."""
        return {end for way in self.ways for end in way}

    @cached_property
    def crossed(self) -> set[Symbol]:
        """The bare places that are only drawn across, by a line between others."""
        places = self.bare - self.points if self.points else set()
        return places - {piece.place for piece in self.pieces}

    @cached_property
    def is_lined(self) -> bool:
        """Is it a board of points on lines, such as that of a mill game?"""
        return bool(self.points) and self.at.keys() <= self.points | self.bare

    def inside(self, place: Symbol) -> list[ScenePiece]:
        """The pieces in a place, be it in the middle, at an edge or on a corner."""
        return [piece for piece in self.pieces if piece.place == place]

    def described(self, piece: ScenePiece) -> str:
        """A token in words: who it is, where it stands and looks, and what is measured of it."""
        texts = [self.whereabouts(piece), *self.measured(piece.name)]
        return f"{self.called(piece.name)}: {'; '.join(texts)}"

    def standing(self, place: Symbol) -> str:
        """What is in a place, in words, with its ground if that is a rare one."""
        texts = [self.called(piece.name) for piece in self.inside(place)] or ["empty"]
        ground = self.grounds[place]
        texts += [self.title(ground)] if ground in self.rare - {self.usual} else []
        texts += ["blocks the way"] if place in self.solid else []
        return ", ".join(texts + (["in reach this turn"] if place in self.reachable else []))

    def counts(self, name: str) -> list[tuple[int, int]]:
        """How much of how much there is, of everything measured of somebody that has begun."""
        return [
            (measure.done, measure.total)
            for fluent, measure in sorted(self.measures.items())
            if measure.total and measure.done and not measure.notches
            if fluent.arguments and text_of(fluent.arguments[0]) == name
        ]

    def measured(self, name: str) -> list[str]:
        """How far everything has come that is measured of somebody, in words."""
        texts = []
        for fluent, measure in self.measures.items():
            whose, *rest = map(text_of, fluent.arguments) if fluent.arguments else ("",)
            if whose == name and measure.total:
                what = words(" ".join([fluent.name, *rest]))
                texts.append(f"{what} {measure.done} of {measure.total}")
        return sorted(texts)


def scene_of(position: Position, drawn: Iterable[tuple[Symbol, Symbol]]) -> PictureScene:
    """The scene of *position* with everything that is *drawn*, as pairs of What and Where.

    Raises: RulesetError, if the ruleset draws something where nothing can be.
    """
    board, facts, pieces = position.grid, sorted(drawn), []
    places, joins = (board.labels, board.joins) if board else ({}, {})
    scene = PictureScene(position, board, position.table, first_label(places), first_label(joins))
    for what, where in facts:
        if not (scene.add_aside(what, where) or scene.add_on_board(what, where)):
            pieces.append((what, where))
    signs = signs_of(what for what, _ in pieces)
    names = [subject(what) for what, _ in pieces] + [base.name for base in scene.bases]
    labels = labels_of(dict.fromkeys(names), signs.values()) | signs
    scene.pieces = [piece_of(what, where, labels[subject(what)]) for what, where in pieces]
    scene.bases = [
        base._replace(label=labels[base.name], facing=scene.fronts.get(base.name))
        for base in scene.bases
    ]
    if board is None and position.table is None:
        words = position.ruleset.vocabulary
        scene.chart = chart_of(facts, words.titles, words.located)
    return scene


def first_label(labels: Mapping[Labelled, Sequence[Symbol]]) -> dict[Labelled, str]:
    """The first label of each place or join that has one."""
    return {what: text_of(some[0]) for what, some in labels.items() if some}


def vector(what: Symbol) -> Point | None:
    """The vector along which a base looks, if it is one."""
    direction = point_of(what.arguments[1]) if len(what.arguments) == 2 else None
    return None if direction == (0, 0) else direction


def base_size(what: Symbol) -> int:
    """From the centre of a base to its rim. Raises: RulesetError, if it has no size."""
    sizes = numbers_in(what.arguments[1:])
    if len(sizes) != 1 or sizes[0] < 1:
        message = f"expected base(X, N) or square(X, N) with a length N; found {text_of(what)}"
        raise RulesetError(Fault(message))
    return sizes[0] if functor(what) == "base" else sizes[0] // 2


def is_on_board(board: Board | None, where: Symbol) -> bool:
    """Is *where* a place, or a pair of places such as ``join(P, Q)``?"""
    if board is None:
        return False
    if functor(where) in (*SITES, "way") and len(where.arguments) == 2:
        return all(place in board.coordinates for place in where.arguments)
    return where in board.coordinates


def subject(what: Symbol) -> str:
    """What is drawn, by name: the first argument, or itself if it has none."""
    arguments = what.arguments if functor(what) else []
    return text_of(arguments[0] if arguments else what)


def piece_of(what: Symbol, where: Symbol, label: str) -> ScenePiece:
    """The piece that *what* stands for."""
    places = where.arguments if functor(where) in SITES else [where]
    token = functor(what) == "token"
    facing = what.arguments[1] if token and len(what.arguments) == 2 else None
    return ScenePiece(
        name=subject(what),
        label=label,
        place=places[0],
        site=functor(where) if len(places) > 1 else "",
        other=places[1] if len(places) > 1 else None,
        facing=facing,
        mark=not token,
    )


def signs_of(marks: Iterable[Symbol]) -> dict[str, str]:
    """The sign that a ruleset gives to some marks, by name.

    Raises: RulesetError, if one is too long for a place.
    """
    signs = {}
    for mark in marks:
        texts = [a.string for a in mark.arguments[1:] if a.type == SymbolType.String]
        if functor(mark) == "mark" and texts:
            signs[subject(mark)] = texts[0].strip()
            if not 0 < len(signs[subject(mark)]) <= 2:
                text = f"expected mark(X, Sign) with one or two characters; found {text_of(mark)}"
                raise RulesetError(Fault(text))
    return signs


def sorted_names(places: Iterable[Symbol]) -> list[str]:
    return [text_of(place) for place in sorted_symbols(places)]


def hyphened(pair: Iterable[Symbol]) -> str:
    """The places of a wall or a way."""
    return "-".join(sorted_names(pair))
