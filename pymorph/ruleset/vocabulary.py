"""The vocabulary of a ruleset: sorts, fluents, actions, figures, and their keys in a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from clingo import Function, Number, Symbol, SymbolType

from pymorph.answers import brief, json_keys
from pymorph.board import grid
from pymorph.board import lattice as lattices
from pymorph.board.lengths.length_units import FARTHEST, Rulers, point_of
from pymorph.errors import InputError, clipped, nearest
from pymorph.terms import NO_ITEMS, items_of, pair, text_of

if TYPE_CHECKING:
    from pymorph.board.grid import Board
    from pymorph.board.lattice import Lattice
    from pymorph.board.lengths.plane import Plane


Marks = tuple[tuple[str, str], ...]


SOURCE = ("", "document", "section")  # the JSON keys of the items of a source


@json_keys(items={"sources": SOURCE})
class Rule(NamedTuple):
    """An entry of the catalogue; *sources* are (document, title of the document, section).

    *refusals* are (action, text): why the rule refuses an action of that name, {1} its first part.
    """

    id: str
    title: str
    says: str
    sources: tuple[tuple[str, str, str], ...]
    status: str
    questions: tuple[str, ...] = ()
    waived: str = ""
    refusals: Marks = ()


@json_keys(paths={"question": "id"}, without=["rules"], items={"options": ("option", "means")})
class Question(NamedTuple):
    """Where the text admits several readings: its options with their meanings, and the default."""

    id: str
    asks: str
    options: tuple[tuple[str, str], ...]
    default: str
    because: str
    rules: tuple[str, ...]


GIVEN = Function("given")
HIDDEN = Function("hidden")
UNFINISHED = "unfinished"  # the key of the actions that a roll interrupted
RESERVED = ("ruleset", "version", "hash", "board", "rulings", UNFINISHED)
BOARDS = {"squares": "board", "hexes": "hexes"}  # the key of a drawing of each kind
TABLE = "table"  # the key of a table in lengths, in games that have one
MEASURED = ("point", "vector", "length")
PAIRS = ("point", "vector")  # of two lengths each
RECORDED = "play"  # the key by which a record is told from a position
NO_TABLE = (-1, -1)
NONE: frozenset[Symbol] = frozenset()
MAX_LISTED = 64  # names that a file has under one heading
# The kinds of what can be described.
DESCRIBED = ("fluent", "sort", "action", "figure", "finding", "template", "event")
# The colours that have a name; pictures show them in light and in dark.
COLOURS = ("blue", "red", "green", "purple", "yellow", "teal", "pink", "grey", "black", "white")
PART = re.compile(r"\{(\d+)\}")  # of a text for terms: the part with that number, from 1


class SortLimits(NamedTuple):
    """How large sorts may be."""

    items: int = 20  # of a list: as much as a term can be nested
    lists: int = 400  # of one sort, that are written out
    values: int = 1000  # of a hidden fluent, that are tried


LIMITS = SortLimits()


@brief
class Sort(NamedTuple):
    """A set of values: *members* are fixed, a *file* or *board* sort depends on the position.

    A *point* is one of a table in lengths, a *length* is so many of its whole units, a *vector* is
    a direction there, and *terrain* are the names of its pieces.

    A *list* sort has the lists of up to *high* members *of* another sort.
    """

    name: str
    kind: str
    members: tuple[Symbol, ...] = ()
    known: frozenset[Symbol] = frozenset()
    low: int = 0
    high: int = 0
    from_facts: bool = False
    of: str = ""

    def __str__(self) -> str:
        return self.name.replace("_", " ")


@brief
class Fluent(NamedTuple):
    """A fluent: the sorts of its arguments and of its value, its default, its keys in a file.

    People who play are not told what becomes of one that stands *backstage*.
    """

    name: str
    sorts: tuple[str, ...]
    value: str
    default: Symbol
    path: tuple[str | int, ...]  # a key, or the index of an argument
    backstage: bool = False


@brief
class Declared(NamedTuple):
    """An action, a figure or a finding: its name and the sorts of its arguments.

    An action may be *open*, *told* or *trifling*: encodings/core/vocabulary.lp.
    """

    name: str
    sorts: tuple[str, ...]
    unit: str = ""
    low: int = 0
    high: int = 0
    open: bool = False
    told: bool = False
    trifling: bool = False


@brief
class Vocabulary(NamedTuple):
    """All that a ruleset can speak of."""

    sorts: Mapping[str, Sort]
    fluents: Mapping[str, Fluent]
    actions: Mapping[str, Declared]
    figures: Mapping[str, Declared]
    findings: Mapping[str, Declared]
    templates: Mapping[str, Declared]
    headings: Mapping[str, str]
    elided: Mapping[str, Symbol]
    symbols: Mapping[str, str]
    join_symbols: Mapping[str, str]
    surface: str
    titles: Mapping[str, str]
    events: Mapping[str, int]
    usual: Mapping[str, Symbol]
    extent: Mapping[str, int]
    always_included: Mapping[str, tuple[Symbol, ...]]  # members that `verify` includes, by sort
    tables: Mapping[str, tuple[str, ...]]
    policy_fluent: str  # the fluent that tells who is played by which policy, if there is one
    sight: tuple[str, str]  # the finding that tells who sees whom, and its word for a free line
    cover: tuple[str, str]  # the one that tells of cover, and its word for none
    units: Mapping[str, tuple[int, str]]
    rulers: Rulers = Rulers()
    point_fluent: str = ""  # the one that tells at which point of a table somebody stands
    in_order: Mapping[str, str] = MappingProxyType({})  # what keeps the order of a sort
    clocks: frozenset[str] = frozenset()  # the fluents that tell no position from another
    boards: tuple[str, ...] = ("board",)  # the keys under which a file may draw one
    ground: tuple[str, ...] = ()  # the labels that terrain on a table may have
    phrases: Mapping[str, str] = MappingProxyType({})  # texts for terms, by name: {1} is a part
    # What something is, by its kind and its name.
    descriptions: Mapping[tuple[str, str], str] = MappingProxyType({})

    # How pictures show something by its name: a sign, a colour, and where on a map it is.
    glyphs: Mapping[str, str] = MappingProxyType({})
    colours: Mapping[str, str] = MappingProxyType({})
    located: Mapping[str, tuple[int, int]] = MappingProxyType({})

    def phrase(self, term: Symbol) -> str:
        """The text that the ruleset has for such a term; empty, if it has none.

        Its parts have their own: a text, a title, or their names as words.
        """
        if not self.phrases or term.type != SymbolType.Function or term.name not in self.phrases:
            return ""
        return self.filled_in(self.phrases[term.name], term)

    def filled_in(self, text: str, term: Symbol) -> str:
        """A text with the parts of *term* for {1}, {2}...; empty, if it has no such part."""
        parts = term.arguments
        if not all(0 < int(number) <= len(parts) for number in PART.findall(text)):
            return ""
        return PART.sub(lambda match: self.words_for(parts[int(match[1]) - 1]), text)

    def words_for(self, term: Symbol) -> str:
        """A term in words, as part of a text: what it is called, of a list all items."""
        items = items_of(term) or ()
        name = text_of(term)
        if items:
            return ", ".join(map(self.words_for, items))
        return self.phrase(term) or self.titles.get(name) or name.replace("_", " ")

    def file_sorts(self) -> Iterator[Sort]:
        return (sort for sort in self.sorts.values() if sort.kind == "file")

    def acting(self) -> frozenset[str]:
        """The sorts of those who act."""
        return frozenset(action.sorts[0] for action in self.actions.values() if action.sorts)

    def own_board(self) -> grid.Board:
        """The board that a position has anyway. Raises: InputError, if it cannot be drawn."""
        lattice = lattices.LATTICES[self.boards[0]]
        return grid.Board.from_drawing(
            self.surface, self.symbols, self.join_symbols, lattice=lattice
        )

    def uses_board(self) -> bool:
        return bool(self.symbols)

    def uses_table(self) -> bool:
        """Is it played on a table in lengths?"""
        return bool(self.rulers.units)

    def reserved(self) -> tuple[str, ...]:
        """The keys that mean the same in the file of every game, or of every game with a table."""
        table = (TABLE,) if self.uses_table() else ()
        return tuple(dict.fromkeys((*RESERVED, *self.boards, *table)))

    def is_measured(self, name: str) -> bool:
        """Are the members of a sort lengths, points or lists of points?"""
        sort = self.sorts[name]
        return sort.kind in MEASURED or (bool(sort.of) and self.sorts[sort.of].kind in MEASURED)

    def rulers_of(self, name: str) -> Rulers | None:
        """The units in which people type and read the numbers of a fluent or a figure: those of the
        tables for a length, or the one that the figure declares. None: they have no unit."""
        if name in self.fluents:
            kinds = {part.kind for part in self.parts(self.fluents[name].value)}
            return self.rulers if "length" in kinds and "range" not in kinds else None
        unit = self.figures[name].unit if name in self.figures else ""
        return self.rulers.of_figures(*self.units.get(unit, (1, unit))) if unit else None

    def said(self, name: str, value: Symbol) -> str:
        """A value of a fluent or a figure as people read it, and can type it."""
        rulers = self.rulers_of(name)
        if rulers is not None and value.type == SymbolType.Number:
            return rulers.with_unit(value.number)
        return self.rulers.spoken(text_of(value))

    def is_length(self, value: Symbol, name: str) -> bool:
        """Is *value*, of that sort, a length, a point or a list of points?

        Of a union that has points those are told from its other members by being pairs."""
        measured = any(part.kind in PAIRS for part in self.parts(name))
        return self.is_measured(name) or (measured and point_of(value) is not None)

    def is_aimed(self, name: str) -> bool:
        """May a value of a sort be stated as a direction towards somebody?"""
        return bool(self.point_fluent) and any(part.kind == "vector" for part in self.parts(name))

    def points_among(self, name: str) -> str:
        """The sort of points that a union has; or the sort itself."""
        points = (part.name for part in self.parts(name) if part.kind in PAIRS)
        return next(points, name) if self.sorts[name].kind == "union" else name

    def parts(self, name: str) -> Iterator[Sort]:
        """The sorts that a union unites, theirs too; any other sort is its own part."""
        sort = self.sorts[name]
        if sort.kind != "union":
            yield sort
            return
        for part in sort.members:
            yield from self.parts(part.name)

    def beside(self, name: str) -> list[Sort]:
        """The sorts that nothing tells from this one: others of a union, and all that may act."""
        mixed = [[sort.name] for sort in self.sorts.values() if sort.kind == "union"]
        mixed.append([action.sorts[0] for action in self.actions.values() if action.sorts])
        found: dict[str, Sort] = {}
        for names in mixed:
            parts = {part.name: part for each in names for part in self.parts(each)}
            found |= parts if name in parts else {}
        return [part for part in found.values() if part.name != name]

    def members(self, name: str, scene: Scene) -> tuple[Symbol, ...]:
        """The members of a sort in a scene, in the order of the vocabulary.

        Of a sort of lists there are none where they are too many to be written out.
        """
        sort = self.sorts[name]
        if sort.kind == "list":
            items = self.members(sort.of, scene)
            return lists_of(items, sort.high) if longest(len(items)) >= sort.high else ()
        if sort.kind == "union":
            return tuple(
                dict.fromkeys(m for part in sort.members for m in self.members(part.name, scene))
            )
        if sort.kind in MEMBERS:
            return MEMBERS[sort.kind](sort, scene)
        lacking = self.lacking(sort, scene)
        return tuple(m for m in sort.members if m not in lacking) if lacking else sort.members

    def is_listed(self, name: str, scene: Scene) -> bool:
        """Can the members of a sort in a scene be told one by one?"""
        return all(
            bool(scene.measures.get(part.name))
            if part.kind in MEASURED
            else part.kind != "list" or bool(self.members(part.name, scene))
            for part in self.parts(name)
        )

    def belongs(self, value: Symbol, name: str, scene: Scene) -> bool:
        """Is *value* a member of the sort?"""
        sort = self.sorts[name]
        if sort.kind == "union":
            return any(self.belongs(value, part.name, scene) for part in sort.members)
        if sort.kind in BELONGS:
            return BELONGS[sort.kind](value, sort, scene)
        if sort.kind == "list":
            items = items_of(value)
            fits = items is not None and len(items) <= sort.high
            return fits and all(self.belongs(item, sort.of, scene) for item in items or ())
        return value in sort.known and value not in self.lacking(sort, scene)

    def lacking(self, sort: Sort, scene: Scene) -> frozenset[Symbol]:
        """The facings of a sort that the board lacks: a sort of facings has all that it has."""
        return scene.lacking if scene.facings and scene.facings <= sort.known else NONE

    def has_default(self, fluent: Fluent, scene: Scene) -> bool:
        """Need nothing be said of a fluent? Its default may be a facing that the board lacks."""
        lacking = (self.lacking(part, scene) for part in self.parts(fluent.value))
        return fluent.default != GIVEN and not any(fluent.default in each for each in lacking)

    def expected(self, value: str, name: str, scene: Scene, also: Iterable[str] = ()) -> str:
        """What to say of a value that is no member of the sort: the nearest ones, or the range."""
        sort = self.sorts[self.points_among(name) if scene.size >= (0, 0) else name]
        if sort.kind == "range":
            extra = "".join(f" or {word}" for word in also)
            return f"; expected {sort.low} to {sort.high}{extra}"
        if sort.kind == "board" and not scene.places:
            return "; the position has no board"
        if self.is_measured(sort.name):
            return self._measure_expected(sort, scene)
        if sort.kind == "list":
            some = [text_of(member) for member in self.members(sort.of, scene)[:2]]
            such = f", such as [{', '.join(some)}]" if some else ""
            return f"; expected a list of up to {sort.high} of {self.sorts[sort.of]}{such}"
        return nearest(value, [*map(text_of, self.members(name, scene)), *also])

    def _measure_expected(self, sort: Sort, scene: Scene) -> str:
        if sort.kind == "length":
            return "; expected a length of 0 or more"
        if scene.size < (0, 0):
            return "; the position has no table"
        if sort.kind == "vector":
            return "; expected a direction, across and up, such as [3, 1]"
        table = " by ".join(map(self.rulers.text, scene.size))
        if sort.kind == "point":
            return f"; expected a point of the table, which is {table}"
        return f"; expected up to {sort.high} points of the table, which is {table}"

    def stranger(self, value: Symbol, name: str) -> str:
        """What to say of a value that is not of the sort; nothing if that hangs on a position.

        A place is held against the board of the ruleset, if it has one.
        """
        scene = self.usual_scene()
        kinds = {part.kind for part in self.parts(self.sorts[name].of or name)}
        if {"file", "terrain", *PAIRS} & kinds or ("board" in kinds and not scene.places):
            return ""
        if self.belongs(value, name, scene):
            return ""
        found = text_of(value)
        hint = self.expected(found, name, scene)
        return f"{clipped(found)} is not in the sort {self.sorts[name]}{hint}"

    def usual_scene(self) -> Scene:
        """What a position has of which nothing is known: the places of the ruleset's own board."""
        if not self.surface:
            return Scene()
        symbols, joins = self.symbols.items(), self.join_symbols.items()
        return _surface(self.surface, tuple(symbols), tuple(joins), self.boards[0])

    def typed(self, declared: Declared, scene: Scene) -> Iterator[Symbol]:
        """Every term that the declaration can form."""
        domains = [self.members(sort, scene) for sort in declared.sorts]
        return (Function(declared.name, list(arguments)) for arguments in product(*domains))


@brief
class Scene(NamedTuple):
    """What a position takes for granted: its places, and the members that its file lists."""

    places: tuple[Symbol, ...] = ()
    listed: Mapping[str, tuple[Symbol, ...]] = MappingProxyType({})
    known_places: frozenset[Symbol] = frozenset()
    known: Mapping[str, frozenset[Symbol]] = MappingProxyType({})  # what is listed
    size: tuple[int, int] = NO_TABLE  # of the table, in whole units
    pieces: tuple[Symbol, ...] = ()  # of its terrain
    # The points and lengths that alone are looked at, by their sort; none, where any may be.
    measures: Mapping[str, tuple[Symbol, ...]] = MappingProxyType({})
    facings: frozenset[Symbol] = NONE  # of the board, and those that others have
    lacking: frozenset[Symbol] = NONE
    fitting: set[Symbol] | None = None  # actions that were found to be of the vocabulary

    @classmethod
    def of(
        cls,
        board: Board | Plane | None = None,
        listed: Mapping[str, tuple[Symbol, ...]] | None = None,
    ) -> Scene:
        """The scene of a board or table and some members, which are sooner found in sets."""
        rows = listed or {}
        known = {name: frozenset(members) for name, members in rows.items()}
        places = board.places if board else ()
        size = getattr(board, "size", NO_TABLE)
        found = cls(places, rows, frozenset(places), known, size, fitting=set())
        pieces = tuple(map(Function, getattr(board, "pieces", ())))
        found = found._replace(pieces=pieces) if pieces else found
        lattice: Lattice | None = getattr(board, "lattice", None)
        if lattice is None:
            return found
        return found._replace(facings=frozenset(lattice.facings), lacking=lattice.lacking)


# The members of sorts that depend on a position.
MEMBERS: Mapping[str, Callable[[Sort, Scene], tuple[Symbol, ...]]] = {
    "file": lambda sort, scene: scene.listed.get(sort.name, ()),
    "board": lambda _, scene: scene.places,
    "terrain": lambda _, scene: scene.pieces,
    "range": lambda sort, _: tuple(map(Number, range(sort.low, sort.high + 1))),
    **dict.fromkeys(MEASURED, lambda sort, scene: scene.measures.get(sort.name, ())),
}
# Whether a value is one of them.
BELONGS: Mapping[str, Callable[[Symbol, Sort, Scene], bool]] = {
    "file": lambda value, sort, scene: value in scene.known.get(sort.name, ()),
    "board": lambda value, _, scene: value in scene.known_places,
    "terrain": lambda value, _, scene: value in scene.pieces,
    "range": lambda value, sort, _: _is_between(value, sort.low, sort.high),
    "length": lambda value, *_: _is_between(value, 0, FARTHEST),
    "vector": lambda way, _, scene: scene.size >= (0, 0) and point_of(way) not in (None, (0, 0)),
    "point": lambda value, _, scene: _is_on_table(point_of(value), scene),
}


def _is_between(value: Symbol, low: int, high: int) -> bool:
    return value.type == SymbolType.Number and low <= value.number <= high


def _is_on_table(point: tuple[int, int] | None, scene: Scene) -> bool:
    if point is None:
        return False
    return all(0 <= n <= most for n, most in zip(point, scene.size, strict=True))


@lru_cache(maxsize=4)
def _surface(drawn: str, symbols: Marks, joins: Marks, key: str) -> Scene:
    """The places of a board; none, if it cannot be drawn, which a position says that needs it."""
    try:
        return Scene.of(
            grid.Board.from_drawing(
                drawn, dict(symbols), dict(joins), lattice=lattices.LATTICES[key]
            )
        )
    except InputError:
        return Scene()


def tuple_of(symbol: Symbol) -> tuple[Symbol, ...]:
    """The parts of a tuple; anything else is one part."""
    if symbol.type == SymbolType.Function and not symbol.name:
        return tuple(symbol.arguments)
    return (symbol,)


def lists_of(items: Iterable[Symbol], most: int) -> tuple[Symbol, ...]:
    """All lists of up to *most* of some items, the shortest first."""
    every, found = list(items), [NO_ITEMS]
    ends = found
    for _ in range(most):
        ends = [pair(item, rest) for item in every for rest in ends]
        found = [*found, *ends]
    return tuple(found)


def longest(items: int) -> int:
    """How long lists of so many items may be, if all are to be written out."""
    if items < 2:
        return LIMITS.lists
    length, count = 0, 1
    while count + items ** (length + 1) <= LIMITS.lists:
        length += 1
        count += items**length
    return length
