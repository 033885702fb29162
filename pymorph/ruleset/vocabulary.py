"""The vocabulary of a ruleset: sorts, fluents, actions, figures, and their keys in a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from clingo import Function, Number, Symbol, SymbolType

from pymorph.errors import Fault, InputError, RulesetError, clipped, nearest
from pymorph.terms import brief, text_of


@brief
class Rule(NamedTuple):
    """An entry of the catalogue; *sources* are (document, title of the document, section)."""

    id: str
    title: str
    says: str
    sources: tuple[tuple[str, str, str], ...]
    status: str
    questions: tuple[str, ...] = ()
    waived: str = ""


@brief
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
RESERVED = ("ruleset", "version", "hash", "board", "rulings")
RECORDED = "play"  # the key by which a record is told from a position
NO_ITEMS = Function("", [])
MAX_LISTED = 64  # names that a file has under one heading
MOST_LISTS = 400  # of one sort, that are written out
Marks = tuple[tuple[str, str], ...]
Facts = Mapping[tuple[str, int], list[tuple[Symbol, ...]]]
# What a ruleset's vocabulary is written in: name and number of arguments of each predicate.
SIGNATURES = frozenset(
    {
        ("ruleset", 3), ("sort", 2), ("member", 2), ("heading", 2), ("elided", 2), ("event", 2),
        ("fluent", 4), ("written", 2), ("action", 2), ("open", 1), ("figure", 5), ("finding", 2),
        ("symbol", 2), ("join_symbol", 2), ("surface", 1), ("named", 2),
        ("usual", 2), ("table", 2), ("extent", 2), ("backstage", 1), ("told", 1), ("trifling", 1),
        ("unit", 3),
    }
)  # fmt: skip


@brief
class Sort(NamedTuple):
    """A set of values: *members* are fixed, a *file* or *board* sort depends on the position.

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
    headings: Mapping[str, str]
    elided: Mapping[str, Symbol]
    symbols: Mapping[str, str]
    join_symbols: Mapping[str, str]
    surface: str
    titles: Mapping[str, str]
    events: Mapping[str, int]
    usual: Mapping[str, Symbol]
    extent: Mapping[str, int]
    tables: Mapping[str, tuple[str, ...]]
    units: Mapping[str, tuple[int, str]]

    def file_sorts(self) -> Iterator[Sort]:
        return (sort for sort in self.sorts.values() if sort.kind == "file")

    def acting(self) -> frozenset[str]:
        """The sorts of those who act."""
        return frozenset(action.sorts[0] for action in self.actions.values() if action.sorts)

    def uses_board(self) -> bool:
        return bool(self.symbols)

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
        if sort.kind == "file":
            return scene.listed.get(name, ())
        if sort.kind == "board":
            return scene.places
        if sort.kind == "range":
            return tuple(Number(n) for n in range(sort.low, sort.high + 1))
        return sort.members

    def belongs(self, value: Symbol, name: str, scene: Scene) -> bool:
        """Is *value* a member of the sort?"""
        sort = self.sorts[name]
        if sort.kind == "union":
            return any(self.belongs(value, part.name, scene) for part in sort.members)
        if sort.kind == "range":
            return value.type == SymbolType.Number and sort.low <= value.number <= sort.high
        if sort.kind == "file":
            return value in scene.known.get(name, ())
        if sort.kind == "board":
            return value in scene.known_places
        if sort.kind == "list":
            items = items_of(value)
            fits = items is not None and len(items) <= sort.high
            return fits and all(self.belongs(item, sort.of, scene) for item in items or ())
        return value in sort.known

    def expected(self, value: str, name: str, scene: Scene, also: Iterable[str] = ()) -> str:
        """What to say of a value that is no member of the sort: the nearest ones, or the range."""
        sort = self.sorts[name]
        if sort.kind == "range":
            extra = "".join(f" or {word}" for word in also)
            return f"; expected {sort.low} to {sort.high}{extra}"
        if sort.kind == "board" and not scene.places:
            return "; the position has no board"
        if sort.kind == "list":
            some = [text_of(member) for member in self.members(sort.of, scene)[:2]]
            such = f", such as ({', ('.join(some)}, (){')' * len(some)}" if some else ""
            return f"; expected a list of up to {sort.high} of {self.sorts[sort.of]}{such}"
        return nearest(value, [*map(text_of, self.members(name, scene)), *also])

    def stranger(self, value: Symbol, name: str) -> str:
        """What to say of a value that is not of the sort; nothing if that hangs on a position.

        A place is held against the board of the ruleset, if it has one.
        """
        scene = self.usual_scene()
        kinds = {part.kind for part in self.parts(self.sorts[name].of or name)}
        if "file" in kinds or ("board" in kinds and not scene.places):
            return ""
        if self.belongs(value, name, scene):
            return ""
        found = text_of(value)
        return f"{clipped(found)} is no {self.sorts[name]}{self.expected(found, name, scene)}"

    def usual_scene(self) -> Scene:
        """What a position has of which nothing is known: the places of the ruleset's own board."""
        if not self.surface:
            return Scene()
        symbols, joins = self.symbols.items(), self.join_symbols.items()
        return _surface(self.surface, tuple(symbols), tuple(joins))

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

    @classmethod
    def of(
        cls, places: tuple[Symbol, ...], listed: Mapping[str, tuple[Symbol, ...]] | None = None
    ) -> Scene:
        """The scene of some places and members, which are sooner found in sets."""
        rows = listed or {}
        known = {name: frozenset(members) for name, members in rows.items()}
        return cls(places, rows, frozenset(places), known)


@lru_cache(maxsize=4)
def _surface(drawn: str, symbols: Marks, joins: Marks) -> Scene:
    """The places of a board; none, if it cannot be drawn, which a position says that needs it."""
    from pymorph.board.grid import Board

    try:
        places = Board.from_drawing(drawn, dict(symbols), dict(joins)).places
    except InputError:
        return Scene()
    return Scene.of(places)


def tuple_of(symbol: Symbol) -> tuple[Symbol, ...]:
    """The parts of a tuple; anything else is one part."""
    if symbol.type == SymbolType.Function and not symbol.name:
        return tuple(symbol.arguments)
    return (symbol,)


def items_of(value: Symbol) -> list[Symbol] | None:
    """The items of a list, which is (First, Rest), and () after the last; None, if it is none."""
    found = []
    while value.type == SymbolType.Function and not value.name and len(value.arguments) == 2:
        first, value = value.arguments
        found.append(first)
    return found if value == NO_ITEMS else None


def lists_of(items: Iterable[Symbol], most: int) -> tuple[Symbol, ...]:
    """All lists of up to *most* of some items, the shortest first."""
    every, found = list(items), [NO_ITEMS]
    ends = found
    for _ in range(most):
        ends = [Function("", [item, rest]) for item in every for rest in ends]
        found = [*found, *ends]
    return tuple(found)


def longest(items: int) -> int:
    """How long lists of so many items may be, if all are to be written out."""
    if items < 2:
        return MOST_LISTS
    length, count = 0, 1
    while count + items ** (length + 1) <= MOST_LISTS:
        length += 1
        count += items**length
    return length


def tables(facts: Facts) -> frozenset[str]:
    """The predicates whose facts make sorts."""
    kinds = (kind for _, kind in facts.get(("sort", 2), ()))
    return frozenset(kind.arguments[0].name for kind in kinds if kind.name == "from")


def texts(facts: Facts) -> list[str]:
    """Those of some *facts* from which a vocabulary is built, tables that make sorts among them."""
    names = {name for name, _ in SIGNATURES} | tables(facts)
    return [
        str(Function(name, row))
        for (name, _), rows in facts.items()
        for row in rows
        if name in names
    ]


def build(facts: Facts, name: str) -> Vocabulary:
    """The vocabulary that *facts* declare. Raises: RulesetError naming what does not fit."""
    faults: list[Fault] = []
    listed = defaultdict(list)
    for sort, member in facts.get(("member", 2), []):
        listed[sort.name].append(member)
    sorts: dict[str, Sort] = {}
    for sort, kind in facts.get(("sort", 2), []):
        sorts[sort.name] = _sort(sort.name, kind, listed, facts)
    headings = {sort.name: key.name for sort, key in facts.get(("heading", 2), [])}
    paths = {fluent.name: tuple_of(path) for fluent, path in facts.get(("written", 2), [])}
    backstage = {fluent.name for (fluent,) in facts.get(("backstage", 1), [])}
    fluents: dict[str, Fluent] = {}
    for fluent, arguments, value, default in facts.get(("fluent", 4), []):
        names = tuple(part.name for part in tuple_of(arguments))
        if fluent.name in paths:
            path: tuple[str | int, ...] = tuple(map(_step, paths[fluent.name]))
        elif names and names[0] in headings:
            path = (headings[names[0]], 0, fluent.name, *range(1, len(names)))
        else:
            path = (fluent.name, *range(len(names)))
        hidden = fluent.name in backstage
        fluents[fluent.name] = Fluent(fluent.name, names, value.name, default, path, hidden)
    marks = ("open", "told", "trifling")
    marked = {mark: {action.name for (action,) in facts.get((mark, 1), [])} for mark in marks}
    actions = {
        action.name: Declared(
            action.name,
            tuple(s.name for s in tuple_of(arguments)),
            open=action.name in marked["open"],
            told=action.name in marked["told"],
            trifling=action.name in marked["trifling"],
        )
        for action, arguments in facts.get(("action", 2), [])
    }
    figures = {
        figure.name: Declared(
            figure.name,
            tuple(s.name for s in tuple_of(arguments)),
            unit.name,
            low.number,
            high.number,
        )
        for figure, arguments, unit, low, high in facts.get(("figure", 5), [])
    }
    findings = {
        finding.name: Declared(finding.name, tuple(s.name for s in tuple_of(arguments)))
        for finding, arguments in facts.get(("finding", 2), [])
    }
    used = [
        *((f"fluent {f.name}", s) for f in fluents.values() for s in (*f.sorts, f.value)),
        *((f"action {a.name}", s) for a in actions.values() for s in a.sorts),
        *((f"table {t.name}", s.name) for t, a in facts.get(("table", 2), []) for s in tuple_of(a)),
        *(
            (f"figure {f.name}", s)
            for f in (*figures.values(), *findings.values())
            for s in f.sorts
        ),
        *(
            (f"sort {s.name}", p.name)
            for s in sorts.values()
            if s.kind == "union"
            for p in s.members
        ),
        *((f"sort {s.name}", s.of) for s in sorts.values() if s.of),
    ]
    for where, sort_name in used:
        if sort_name not in sorts:
            faults.append(
                Fault(
                    f"{name}: {where} uses an unknown sort {sort_name!r}{nearest(sort_name, sorts)}"
                )
            )
    faults += [
        Fault(f"{name}: the sort {kind.name} is from the file but has no heading")
        for kind in sorts.values()
        if kind.kind == "file" and kind.name not in headings
    ]
    faults += [Fault(f"{name}: {what}") for what in _ways_amiss(fluents.values())]
    faults += [
        Fault(f"{name}: the sort {kind.name} is a union of itself")
        for kind in sorts.values()
        if _within_itself(kind, sorts)
    ]
    lists = {kind.name for kind in sorts.values() if kind.of}
    faults += [
        Fault(f"{name}: the sort {kind.name} is made of lists, which only an argument or value is")
        for kind in sorts.values()
        if kind.of in lists or (kind.kind == "union" and not lists.isdisjoint(_names(kind.members)))
    ]
    surfaces = facts.get(("surface", 1), [])
    if faults:
        raise RulesetError(faults)
    return Vocabulary(
        sorts=sorts,
        fluents=fluents,
        actions=actions,
        figures=figures,
        findings=findings,
        headings=headings,
        elided={sort.name: member for sort, member in facts.get(("elided", 2), [])},
        symbols={mark.string: label.name for mark, label in facts.get(("symbol", 2), [])},
        join_symbols={mark.string: label.name for mark, label in facts.get(("join_symbol", 2), [])},
        surface=surfaces[0][0].string if surfaces else "",
        titles={text_of(card): title.string for card, title in facts.get(("named", 2), [])},
        events={name.name: rank.number for rank, name in facts.get(("event", 2), [])},
        usual={fluent.name: value for fluent, value in facts.get(("usual", 2), [])},
        extent={name.name: most.number for name, most in facts.get(("extent", 2), [])},
        tables={
            table.name: tuple(s.name for s in tuple_of(arguments))
            for table, arguments in facts.get(("table", 2), [])
        },
        units={part.name: (n.number, whole.name) for part, n, whole in facts.get(("unit", 3), [])},
    )


def _names(symbols: Iterable[Symbol]) -> Iterator[str]:
    return (symbol.name for symbol in symbols)


def _within_itself(sort: Sort, sorts: Mapping[str, Sort]) -> bool:
    """Does a union lead back to itself?"""
    seen: set[str] = set()
    agenda = [sort]
    while agenda:
        current = agenda.pop()
        parts = current.members if current.kind == "union" else ()
        for part in parts:
            if part.name == sort.name:
                return True
            if part.name in sorts and part.name not in seen:
                seen.add(part.name)
                agenda.append(sorts[part.name])
    return False


def _ways_amiss(fluents: Iterable[Fluent]) -> Iterator[str]:
    """What is wrong with the keys under which a file has the fluents."""
    ways: dict[tuple[str, ...], str] = {}
    for fluent in fluents:
        arguments = [step for step in fluent.path if isinstance(step, int)]
        if not fluent.path or sorted(arguments) != list(range(len(fluent.sorts))):
            yield f"the keys of fluent {fluent.name} name each of its arguments once, as by(1)"
        elif fluent.path[0] in RESERVED:
            yield f"fluent {fluent.name} is written as {fluent.path[0]!r}, a key of every file"
        elif fluent.path[0] == RECORDED:
            yield f"fluent {fluent.name} is written as {RECORDED!r}, the key of every record"
        else:
            way = tuple("*" if isinstance(step, int) else step for step in fluent.path)
            if way in ways:
                yield f"fluents {ways[way]} and {fluent.name} are written under the same keys"
            ways.setdefault(way, fluent.name)
    for way, found in ways.items():
        for size in range(1, len(way)):
            if way[:size] in ways:
                yield f"fluent {found} is written below the value of {ways[way[:size]]}"


def _step(part: Symbol) -> str | int:
    """A step of a path: a key, or by(I), the argument I counted from 1."""
    return part.arguments[0].number - 1 if part.arguments else part.name


def _sort(name: str, kind: Symbol, listed: Mapping[str, list[Symbol]], facts: Facts) -> Sort:
    if kind.name == "range":
        low, high = kind.arguments
        return Sort(name, "range", low=low.number, high=high.number)
    if kind.name == "from":
        source = kind.arguments[0].name
        found = [row[0] for (label, _), rows in facts.items() if label == source for row in rows]
        members = tuple(dict.fromkeys(found))
        return Sort(name, "listed", members, frozenset(members), from_facts=True)
    if kind.name == "union":
        return Sort(name, "union", tuple_of(kind.arguments[0]))
    if kind.name == "list":
        of, most = kind.arguments
        return Sort(name, "list", high=most.number, of=of.name)
    members = tuple(listed.get(name, ()))
    return Sort(name, kind.name, members, frozenset(members))
