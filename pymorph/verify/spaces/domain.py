"""The positions that are looked at: what each fluent may be, and a program that leaves it open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import log10

from clingo import Function, Number, Symbol, SymbolType

from pymorph.asp.facts import Key
from pymorph.asp.guard import words_in
from pymorph.board.grid import Board
from pymorph.board.lattice import LATTICES
from pymorph.board.lengths.plane import Plane
from pymorph.errors import Place
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import (
    HIDDEN,
    MEASURED,
    Declared,
    Fluent,
    Scene,
    Sort,
    Vocabulary,
    lists_of,
    longest,
)
from pymorph.state.position import Position
from pymorph.terms import parse_symbol, plural, sorted_symbols, text_of
from pymorph.verify.effort import EFFORT
from pymorph.verify.scope import Scope, once
from pymorph.verify.sources import keys

HERE = Number(0)


@dataclass(frozen=True)
class Domain:
    """The positions within some bounds: one scene, and the values that each fluent may have.

    *left_out* are the members of each sort that the bounds leave out, or the extents that a ruleset
    names for single sorts, and *unsaid* what facts there are without those that speak of such
    cards, by what was written; *cropped*: of the game's own board, some places are left out. Where
    nothing is, and no number is cut off, the domain is all that the vocabulary can form in this
    scene. *extent* has how much of single sorts is looked at. *ranges*: no positions are looked at
    in which a figure goes further. With *acting* only the actions of that one are looked at.
    """

    ruleset: Ruleset
    board: Board | Plane | None
    scene: Scene
    copies: int
    numbers: int
    left_out: Mapping[str, frozenset[Symbol]]
    unsaid: Mapping[str, str]
    ranges: Mapping[str, tuple[int, int]]
    extent: Mapping[str, int]
    cropped: bool = False
    acting: Symbol | None = None

    @staticmethod
    @once
    def of(scope: Scope) -> Domain:
        """The domain of a scope."""
        ruleset, bounds, extent = scope.ruleset, scope.bounds, scope.extents.most
        words, start = ruleset.vocabulary, next(iter(scope.starts), None)
        names = start.listed if start else {}
        listed = {
            s.name: listed_names(s, extent.get(s.name, bounds.characters), names.get(s.name, ()))
            for s in words.file_sorts()
        }
        table = start.table if start is not None else None
        board, cropped = _board(scope)
        scene = Scene.of(board or table, listed)
        if table is not None:
            scene = scene._replace(measures={s: _measures(scope, s) for s in words.sorts})
        left_out = _left_out(scope)
        ranges = dict(ruleset.bounds)  # of all cards they are too narrow
        for name, (low, high) in ruleset.bounds.items() if bounds.cards else ():
            most = extent.get(name, max(-low, high))
            ranges[name] = (max(low, -most), min(high, most))
        return Domain(
            ruleset, board or table, scene, bounds.copies, bounds.numbers,
            left_out, unsaid(scope, left_out), ranges, extent, cropped,
        )  # fmt: skip

    @property
    def words(self) -> Vocabulary:
        return self.ruleset.vocabulary

    def members(self, name: str) -> list[Symbol]:
        """The members of a sort within the bounds."""
        sort = self.words.sorts[name]
        if sort.kind == "list":
            return list(lists_of(self.members(sort.of), self.longest(name)))
        if sort.kind == "union":
            parts = (m for part in sort.members for m in self.members(part.name))
            return list(dict.fromkeys(parts))[: self.extent.get(name)]
        missing = {*self.left_out.get(name, ()), HIDDEN}
        members = [m for m in self.words.members(name, self.scene) if m not in missing]
        if sort.from_facts or sort.kind == "length":  # numbers, but no counters
            return members
        lowest, highest = -self.numbers, self.numbers
        if name in self.extent:
            lowest = sort.low
            highest = sort.low + self.extent[name] - 1 if sort.kind == "range" else highest
        return [m for m in members if m.type != SymbolType.Number or lowest <= m.number <= highest]

    def longest(self, name: str) -> int:
        """The longest list of a sort that is looked at."""
        sort = self.words.sorts[name]
        most = self.extent.get(name, EFFORT.list_length)
        return min(sort.high, most, longest(len(self.members(sort.of))))

    def with_cards(self, scope: Scope, cards: Iterable[Symbol]) -> Domain:
        """The domain in which these cards are looked at as well, and those that facts name with
        one of them."""
        asked = set(cards)
        facts = (fact for placed in scope.sources.facts.values() for fact, _ in placed)
        more = asked.union(*(f.arguments for f in facts if not asked.isdisjoint(f.arguments)))
        left_out = {sort: members - more for sort, members in self.left_out.items()}
        return replace(self, left_out=left_out, unsaid=unsaid(scope, left_out))

    @property
    def narrowed(self) -> frozenset[str]:
        """The figures that do not go as far as they are declared to."""
        declared = self.ruleset.bounds
        return frozenset(name for name, range_ in self.ranges.items() if range_ != declared[name])

    def within(self, sorts: Iterable[str]) -> frozenset[str]:
        """These sorts, and those that their unions and lists are made of."""
        return frozenset(part for name in sorts for part in parts_of(self.words, name))

    @cached_property
    def cut(self) -> frozenset[str]:
        """The sorts of which the bounds leave something out."""
        cropped = {name for name in self.words.sorts if self.cropped and self._of_board(name)}
        return frozenset(filter(self._shorter, self.words.sorts)) | cropped

    def _shorter(self, name: str) -> bool:
        """Do the bounds leave out a member of a sort?"""
        sort = self.words.sorts[name]
        if sort.kind in MEASURED:
            return True  # nobody looks at all points of a table
        if sort.kind == "list":
            return self.longest(name) < sort.high or self._shorter(sort.of)
        return len(self.members(name)) < len(self.words.members(name, self.scene))

    def _of_board(self, name: str) -> bool:
        """Are places of the board among the members of a sort?"""
        return any(self.words.sorts[part].kind == "board" for part in parts_of(self.words, name))

    @cached_property
    def fluents(self) -> Mapping[Symbol, tuple[Symbol, ...]]:
        """Each fluent with the values, other than its default, that it may have."""
        fluents = {}
        cards = card_sorts(self.words)
        for fluent in self.words.fluents.values():
            values = self._values(fluent)
            if values and values[0].type == SymbolType.Number:
                values = values[: self.copies if cards & self.within(fluent.sorts) else None]
            for arguments in product(*map(self.members, fluent.sorts)):
                fluents[Function(fluent.name, list(arguments))] = values
        return fluents

    def _values(self, fluent: Fluent) -> tuple[Symbol, ...]:
        """The values within its sort that a fluent may have, other than its default."""
        return tuple(v for v in self.members(fluent.value) if v != fluent.default)

    @cached_property
    def shortened(self) -> frozenset[str]:
        """The fluents that have more values within their sort than are looked at."""
        most = {f.name: len(self._values(f)) for f in self.words.fluents.values()}
        return frozenset(f.name for f, values in self.fluents.items() if len(values) < most[f.name])

    def has_default(self, fluent: Symbol) -> bool:
        """Need nothing be said of a fluent?"""
        return self.words.has_default(self.words.fluents[fluent.name], self.scene)

    def usual(self, fluent: Symbol) -> Symbol | None:
        """The value that a smallest example has; None, if it is the default."""
        declared = self.words.fluents[fluent.name]
        value = self.words.usual.get(fluent.name)
        if value is None and not self.has_default(fluent):
            value = next(iter(self.fluents[fluent]), None)
        return None if value == declared.default else value

    def actions(self, declared: Declared) -> list[Symbol]:
        """Every term of a declared action or figure that can be typed within the bounds."""
        domains = [*map(self.members, declared.sorts)]
        if domains and self.acting in domains[0]:
            domains[0] = [self.acting]
        return [Function(declared.name, list(arguments)) for arguments in product(*domains)]

    def wanted(self, figures: Iterable[Declared]) -> str:
        """A rule by which any figure of some names may be asked for, or none."""
        terms = (term for declared in figures for term in self.actions(declared))
        typed = "; ".join(f"wanted({term},{HERE})" for term in terms)
        return f"{{ {typed} }} 1."

    def lists_among(self, name: str, asked: str) -> Iterator[str]:
        """Rules that give ``verify_list(name, X)`` of each list X of a sort that *asked* has."""
        sort, of = self.words.sorts[name], self.words.sorts[self.words.sorts[name].of]
        item = f"verify_item({of.name},X)"
        if of.kind == "range":
            item = f"{of.low} <= X, X <= {of.high}"
        else:
            items = ";".join(map(str, self.words.members(of.name, self.scene)))
            yield f"verify_item({of.name},({items}))." if items else "#defined verify_item/2."
        yield f"verify_rest({name},X,X,0) :- {asked}."
        step = f"verify_rest({name},L,(X,Y),N), N < {sort.high}, {item}"
        yield f"verify_rest({name},L,Y,N+1) :- {step}."
        yield f"verify_list({name},L) :- verify_rest({name},L,(),_)."

    def opened(self, names: frozenset[str] | None) -> dict[Symbol, tuple[Symbol, ...]]:
        """The fluents of these names, and those that every position has; None: all."""
        if names is None:
            return dict(self.fluents)
        return {f: v for f, v in self.fluents.items() if f.name in names or not self.has_default(f)}

    @cached_property
    def bound(self) -> str:
        """What the bounds leave of what the ruleset has, in words."""
        words = self.words
        parts = []
        if isinstance(self.board, Plane):
            parts.append("the table, points and lengths of the starts")
        elif self.board is not None and (self.cropped or not words.surface):
            parts.append("{}x{} board".format(*self.board.shape()))
        parts += [_counted(len(members), sort) for sort, members in self.scene.listed.items()]
        cards = card_sorts(words)
        parts += self._parts_of(cards & self.cut)
        if any(cards & self.within(words.fluents[name].sorts) for name in self.shortened):
            parts.append(f"each card {'once' if self.copies == 1 else f'{self.copies} times'}")
        extents = {n for n in self.cut & self.extent.keys() - cards if not self._of_board(n)}
        extents |= {n for n in self.cut if words.sorts[n].of}
        parts += self._parts_of(extents)
        if any(words.sorts[name].kind == "range" for name in self.cut - extents):
            parts.append(f"numbers up to {self.numbers}")
        alike = defaultdict(list)
        for name in sorted(self.narrowed):
            alike[self.extent[name]].append(name.replace("_", " "))
        parts += [f"{' and '.join(names)} up to {most}" for most, names in sorted(alike.items())]
        return ", ".join(parts) or "all positions"

    def _parts_of(self, sorts: Iterable[str]) -> Iterator[str]:
        """How many members of some sorts are looked at, in words."""
        for name in sorted(sorts):
            several = plural(name.replace("_", " "))
            every = len(self.words.members(name, self.scene))
            looked = f"{len(self.members(name))} of {every} {several}"
            of_lists = self.words.sorts[name].of
            yield f"{several} of up to {self.longest(name)}" if of_lists else looked

    @cached_property
    def size(self) -> float:
        """The logarithm, to base ten, of the number of positions, well formed or not."""
        sizes = (len(values) + self.has_default(f) for f, values in self.fluents.items())
        return sum(log10(max(1, size)) for size in sizes)

    def program(self, names: frozenset[str] | None) -> Iterator[str]:
        """Rules that leave the fluents of these names open."""
        for fluent, values in self.opened(names).items():
            if values:
                given = not self.has_default(fluent)
                choice = ";".join(f"holds({fluent},{value},0)" for value in values)
                yield f"{'1 ' if given else ''}{{ {choice} }} 1."

    def preferred(self, names: frozenset[str] | None) -> Iterator[str]:
        """Statements that prefer what is usual, then little of anything, then low numbers."""
        for fluent, values in self.opened(names).items():
            if not values:
                continue
            usual = self.usual(fluent)
            if usual is None:
                yield f"#minimize {{ 1@2,{fluent} : holds({fluent},_,0) }}."
            else:
                yield f"#minimize {{ 1@2,{fluent} : not holds({fluent},{usual},0) }}."
                yield f"#minimize {{ 1@1,{fluent} : not holds({fluent},_,0) }}."
            if any(value.type == SymbolType.Number for value in values):
                yield f"#minimize {{ N@0,{fluent} : holds({fluent},N,0), N > 0 }}."

    def position(self, held: Iterable[Symbol], rulings: Mapping[str, str]) -> Position:
        """The position in which these atoms of ``holds`` are so."""
        fluents = {atom.arguments[0]: atom.arguments[1] for atom in held}
        for fluent in self.opened(frozenset()):
            if fluent not in fluents and (usual := self.usual(fluent)) is not None:
                fluents[fluent] = usual
        return Position(self.ruleset, self.board, self.scene.listed, fluents, rulings)


def _board(scope: Scope) -> tuple[Board | None, bool]:
    """The board that is looked at, and whether it is a part of the game's own."""
    words, size = scope.ruleset.vocabulary, scope.bounds.board
    start = next(iter(scope.starts), None)
    board = start.grid if start is not None else None
    if words.surface:
        board = board or words.own_board()
        cropped = size is not None and not _fits(board, size)
        return (board.corner(*size) if size and cropped else board), cropped
    if words.symbols and (start is None or start.table is None):
        columns, rows = size or (EFFORT.board_side, EFFORT.board_side)
        if board is None or not _fits(board, (columns, rows)):
            line = " ".join([next(iter(words.symbols))] * columns)
            drawing = "\n".join(" " * (number % 2) + line for number in range(rows))
            lattice = LATTICES[words.boards[0]] if board is None else board.lattice
            marks = (words.symbols, words.join_symbols)
            board = Board.from_drawing(drawing, *marks, lattice=lattice)
    return board, False


def _left_out(scope: Scope) -> dict[str, frozenset[Symbol]]:
    """The members that are not looked at, of each sort of which there may be some."""
    words, extent, bounds = scope.ruleset.vocabulary, scope.extents.most, scope.bounds
    cards = card_sorts(words)
    left_out: dict[str, frozenset[Symbol]] = {}
    for name, sort in words.sorts.items():
        most = extent.get(name, bounds.cards if name in cards else None)
        if most is None or (name in cards and not bounds.cards):
            continue
        if sort.from_facts:
            left_out[name] = frozenset(sort.members).difference(most_different(scope, sort, most))
        elif sort.kind == "listed":
            first = scope.extents.named.get(name, ())
            rest = [member for member in sort.members if member not in first]
            left_out[name] = frozenset(rest[most - len(first) :])
    return left_out


def _measures(scope: Scope, name: str) -> tuple[Symbol, ...]:
    """The points or lengths of a sort that are looked at: those that stand in the starts, or as
    many of them as the ruleset names."""
    words = scope.ruleset.vocabulary
    if words.sorts[name].kind not in MEASURED:
        return ()
    fluents = [item for start in scope.starts for item in start.fluents.items()]
    values = {v for f, v in fluents if words.fluents[f.name].value == name}
    return tuple(sorted_symbols(values)[: scope.extents.most.get(name)])


def _counted(number: int, sort: str) -> str:
    name = sort.replace("_", " ")
    return f"{number} {name if number == 1 else plural(name)}"


def _fits(board: Board, most: tuple[int, int]) -> bool:
    return all(size <= side for size, side in zip(board.shape(), most, strict=True))


def card_sorts(words: Vocabulary) -> frozenset[str]:
    """The sorts made from cards of which a fluent has one instance for each member."""
    sorts = {name for fluent in words.fluents.values() for name in fluent.sorts}
    parts = (part for name in sorts for part in parts_of(words, name))
    return frozenset(part for part in parts if words.sorts[part].from_facts)


def parts_of(words: Vocabulary, name: str) -> Iterator[str]:
    """A sort, and whatever it is a union or has lists of."""
    yield name
    sort = words.sorts[name]
    for part in [part.name for part in sort.members] if sort.kind == "union" else [sort.of]:
        yield from parts_of(words, part) if part else ()


def listed_names(sort: Sort, most: int, known: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
    """So many names for members of a sort that files list: those *known* first."""
    fresh = (parse_symbol(f"{sort.name}_{n}") for n in range(1, most + 1))
    return (*known, *(name for name in fresh if name not in known))[:most]


def members_named(sort: Sort, texts: Iterable[str]) -> list[Symbol]:
    """The members of a sort that the texts of statements name."""
    words = {word for text in texts for word in words_in(text)}
    return [member for member in sort.members if text_of(member) in words]


def most_different(scope: Scope, sort: Sort, most: int) -> list[Symbol]:
    """At *most* so many members of a sort made from cards, as different as can be.

    Two cards are the more alike, the more of their facts say the same. Those that are named come
    first, then those that an edit touched.
    """
    sources = scope.sources
    members = set(sort.members)
    traits: dict[Symbol, set[object]] = {member: set() for member in sort.members}
    for (name, arity), facts in sources.facts.items():
        for symbol, _ in facts:
            for member in members.intersection(symbol.arguments):
                traits[member] |= {(name, arity), *((name, a) for a in symbol.arguments[1:])}
    texts = [sources.statements[number].text for number in sorted(scope.changed or ())]
    first = (*scope.extents.named.get(sort.name, ()), *members_named(sort, texts))
    chosen = list(dict.fromkeys(first))[:most]
    seen: set[object] = set().union(*(traits[member] for member in chosen))
    while len(chosen) < min(most, len(sort.members)):
        rest = [member for member in sort.members if member not in chosen]
        best = max(rest, key=lambda member: len(traits[member] - seen))
        chosen.append(best)
        seen |= traits[best]
    return chosen


def unsaid(scope: Scope, left_out: Mapping[str, frozenset[Symbol]]) -> dict[str, str]:
    """The facts of declared tables that are about cards that are *left out*, as their first
    argument: what is written, and what is left of it."""
    sources, words = scope.sources, scope.ruleset.vocabulary
    cards = card_sorts(words) & left_out.keys()

    def gone(symbol: Symbol) -> bool:
        sort, *_ = words.tables.get(symbol.name, ("",))
        known = cards.intersection(parts_of(words, sort)) if sort else ()
        return any(symbol.arguments[0] in left_out[part] for part in known)

    facts_at: dict[Place, list[Symbol]] = defaultdict(list)
    for facts in sources.facts.values():
        for symbol, place in facts:
            facts_at[place].append(symbol)
    written: dict[str, str] = {}
    for statement in sources.statements:
        stated = facts_at.get(statement.place, []) if statement.kind in ("fact", "facts") else []
        remaining = [symbol for symbol in stated if not gone(symbol)]
        if len(remaining) < len(stated):
            written[statement.text] = " ".join(f"{symbol}." for symbol in remaining)
    return written


def any_term(declared: Declared | Fluent, letter: str = "") -> str:
    """A term for every action, figure or fluent of a name, with numbered variables or without."""
    places = ",".join(f"{letter}{n}" if letter else "_" for n, _ in enumerate(declared.sorts))
    return f"{declared.name}({places})" if places else declared.name


def position_keys(words: Vocabulary) -> frozenset[Key]:
    """The keys of the facts about any position that is looked at."""
    table = "on_table/1" if words.uses_table() and not words.uses_board() else ""
    held = {("holds", 3, fluent) for fluent in words.fluents}
    return keys(f"situation/1 checking/1 present/2 {table}") | held


def action_keys(name: str, applied: bool = True) -> frozenset[Key]:
    """The keys of the facts by which an action of a name is asked about, and carried out."""
    keys: list[Key] = [("asked", 2, name), ("does", 3, name)]
    return frozenset(keys if applied else keys[:1])
