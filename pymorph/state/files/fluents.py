"""The keys of a file that give fluents their values, each against the vocabulary of its game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, product

from clingo import Function, Number, Symbol, SymbolType

from pymorph import errors, terms
from pymorph.board.lengths.length_units import TOWARDS
from pymorph.errors import Fault, InputError, Place, clipped, nearest
from pymorph.ruleset import vocabulary
from pymorph.ruleset.vocabulary import GIVEN, HIDDEN, Fluent
from pymorph.state.files.directions import is_towards, resolved
from pymorph.state.files.fields import is_counted
from pymorph.state.files.table import TableReading
from pymorph.yamlio import LIMITS, Items, Keys, Node, Scalar, written

Names = tuple[Symbol, ...]
OpenPath = tuple[Fluent, int, Names]


class FluentReading(TableReading):
    """Reads the values of fluents in the *words* of a game; those in *veiled* may be hidden."""

    scene: vocabulary.Scene
    veiled: Mapping[str, bool]

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        super().__init__(faults)
        self.unread: set[str] = set()  # sorts whose members could not be read
        self.odd: set[str] = set()  # names that will not do
        self.places: dict[Symbol, Place] = {}
        self.fluents: dict[Symbol, Symbol] = {}
        self.defined: dict[Symbol, Place] = {}
        self.tried: set[Symbol] = set()
        self.aimed: list[tuple[Fluent, Names, Symbol, Scalar, Scalar]] = []

    def walk(self, node: Node, open_paths: list[OpenPath], top: bool = False) -> None:
        """Follow the keys of *node*; an open path is a fluent, how far it is, its arguments."""
        if isinstance(node, Scalar) and not node.text:
            return
        if not isinstance(node, Keys):
            keys = ", ".join(self.next_keys(open_paths)[:4])
            forms = "a list, or a mapping" if self.counts(open_paths) else "a mapping"
            self.fault(f"expected {forms} with keys such as {keys}", node.place)
            return
        for key, value in node.entries:
            if top and key.text in self.words.reserved():
                continue
            following: list[OpenPath] = []
            for fluent, depth, arguments in open_paths:
                step = fluent.path[depth]
                if isinstance(step, str):
                    if step == key.text:
                        following.append((fluent, depth + 1, arguments))
                    continue
                argument = self.term(key.text)
                if argument is not None and self.belongs(argument, fluent.sorts[step]):
                    following.append((fluent, depth + 1, (*arguments, argument)))
            if not following:
                if top and key.text in self.words.headings.values():
                    self.bare(value)
                else:
                    self.fault(self.unknown(key.text, open_paths), key.place)
                continue
            done = [path for path in following if path[1] == len(path[0].path)]
            if done:
                fluent, _, arguments = done[0]
                self.assign(fluent, arguments, value, key)
            elif isinstance(value, Items) and self.counts(following):
                self.count(following, value)
            else:
                self.walk(value, following)

    def bare(self, node: Node) -> None:
        """Names of which there is nothing more to say in this game."""
        for name, value in node.entries if isinstance(node, Keys) else ():
            blank = not value.text if isinstance(value, Scalar) else value == Keys((), value.place)
            if not blank:
                message = f"{clipped(name.text)} has no keys in this game; remove what it has"
                self.fault(message, value.place)

    def missing(self, top: Place) -> None:
        """Note what the file has to say and does not."""
        for fluent in self.words.fluents.values():
            parts = (part.name for sort in fluent.sorts for part in self.words.parts(sort))
            if self.words.has_default(fluent, self.scene) or not self.unread.isdisjoint(parts):
                continue
            such = self.words.members(fluent.value, self.scene) if fluent.default != GIVEN else ()
            more = f"; expected one of {', '.join(map(terms.text_of, such))}" if such else ""
            domains = [self.words.members(sort, self.scene) for sort in fluent.sorts]
            for arguments in islice(product(*domains), errors.MAX_FAULTS):
                if Function(fluent.name, arguments) in self.tried:
                    continue
                keys = [arguments[s] if isinstance(s, int) else s for s in fluent.path]
                written = ": ".join(k if isinstance(k, str) else terms.text_of(k) for k in keys)
                place = next((self.places[a] for a in arguments if a in self.places), top)
                self.faults.append(Fault(f"the key '{written}' is missing{more}", place))

    def next_keys(self, open_paths: list[OpenPath]) -> list[str]:
        known: dict[str, None] = {}
        for fluent, depth, _ in open_paths:
            step = fluent.path[depth]
            if isinstance(step, str):
                known[step] = None
            else:
                members = self.words.members(fluent.sorts[step], self.scene)
                known.update(dict.fromkeys(map(terms.text_of, members)))
        return list(known)

    def unknown(self, key: str, open_paths: list[OpenPath]) -> str:
        literal = any(isinstance(f.path[d], str) for f, d, _ in open_paths)
        sorts = {f.sorts[s] for f, d, _ in open_paths if isinstance(s := f.path[d], int)}
        what = str(self.words.sorts[sorts.pop()]) if len(sorts) == 1 and not literal else "key"
        reserved = [key for key in self.words.reserved() if key != vocabulary.UNFINISHED]
        reserved = reserved if any(depth == 0 for _, depth, _ in open_paths) else []
        hint = self.hint(lambda: nearest(key, [*self.next_keys(open_paths), *reserved]))
        return f"unknown {what} {clipped(key)}{hint}"

    def counts(self, paths: list[OpenPath]) -> bool:
        return all(is_counted(self.words, fluent, at) for fluent, at, _ in paths)

    def count(self, paths: list[OpenPath], value: Items) -> None:
        """A list of things, each as often as there are copies of it."""
        fluent, _, arguments = paths[0]
        last = fluent.path[-1]
        assert isinstance(last, int)
        sort = fluent.sorts[last]
        copies: dict[Symbol, list[Place]] = {}
        for item in value.items:
            if not isinstance(item, Scalar):
                kind = self.words.sorts[sort]
                self.fault(f"expected the name of a {kind}, not a list or mapping", item.place)
                continue
            symbol = self.term(item.text)
            if symbol is None or not self.belongs(symbol, sort):
                self.fault(self.unknown_member(item.text, sort), item.place)
            else:
                copies.setdefault(symbol, []).append(item.place)
        for symbol, places in copies.items():
            self.put(fluent, (*arguments, symbol), Number(len(places)), places[0])

    def assign(self, fluent: Fluent, arguments: Names, node: Node, key: Scalar) -> None:
        self.tried.add(named(fluent, arguments))
        if isinstance(node, Scalar) and self.is_aimed(fluent, arguments, node, key):
            return
        value = self.value_of(fluent, node)
        if value is not None:
            self.put(fluent, arguments, value, key.place)

    def value_of(self, fluent: Fluent, node: Node) -> Symbol | None:
        """The value of a fluent that is written there; None after a fault."""
        value = self.term(node.text) if isinstance(node, Scalar) else None
        points = self.words.points_among(fluent.value)
        measured = self.words.is_measured(fluent.value if isinstance(node, Scalar) else points)
        if measured and (value is None or value == GIVEN or value != fluent.default):
            value = self.measure(node, self.words.sorts[points].kind)
            if value is None or self.belongs(value, fluent.value):
                return value
            hint = self.words.expected(written(node), fluent.value, self.scene)
            self.fault(f"found {clipped(written(node))}{hint}", node.place)
            return None
        if not isinstance(node, Scalar):
            self.fault(f"expected one value for {fluent.name}, not a list or mapping", node.place)
            return None
        has_default = self.words.has_default(fluent, self.scene)
        by_default = has_default and value == fluent.default
        hidden = value == HIDDEN and fluent.name in self.veiled
        if value is not None and (by_default or hidden or self.belongs(value, fluent.value)):
            return value
        also = [terms.text_of(fluent.default)] if has_default else []
        sort = self.words.sorts[fluent.value]
        if sort.kind == "range":
            word = has_default and fluent.default.type != SymbolType.Number
            extra = f" or {also[0]}" if word else ""
            message = f"found {clipped(node.text)}; expected {sort.low} to {sort.high}{extra}"
        else:
            hint = self.expected(node.text, fluent.value, also)
            message = f"unknown {sort} {clipped(node.text)} for {fluent.name}{hint}"
        self.fault(message, node.place)
        return None

    def is_aimed(self, fluent: Fluent, arguments: Names, node: Scalar, key: Scalar) -> bool:
        """Is a direction stated there by what lies there? It waits until all of it is read."""
        aims = node.text.startswith(TOWARDS) and self.words.is_aimed(fluent.value)
        if not aims or self.scene.size < (0, 0):
            return False
        try:
            direction = self.term(self.words.rulers.plain(node.text))
        except InputError as error:
            self.fault(error.faults[0].message, node.place)
            return True
        if direction is None or not is_towards(direction):
            return False
        self.aimed.append((fluent, arguments, direction, node, key))
        return True

    def aim(self) -> None:
        """Resolve the directions of a file that are stated by what lies there."""
        for fluent, arguments, direction, node, key in self.aimed:
            with self.blaming(node.place):
                value = resolved(direction, arguments[0], self.words, self.scene, self.fluents)
                self.put(fluent, arguments, value, key.place)

    def put(self, fluent: Fluent, arguments: Names, value: Symbol, place: Place) -> None:
        symbol = named(fluent, arguments)
        if symbol in self.defined:
            first = self.defined[symbol].line
            self.fault(f"{terms.text_of(symbol)} is given twice, first in line {first}", place)
            return
        self.defined[symbol] = place
        self.tried.add(symbol)
        if value != fluent.default:
            if value != HIDDEN and not self.belongs(value, fluent.value):
                sort = self.words.sorts[fluent.value]
                stated = f"found {terms.text_of(arguments[-1])} {value.number} times"
                self.fault(f"{stated}; expected {sort.low} to {sort.high}", place)
            self.fluents[symbol] = value

    def belongs(self, value: Symbol, name: str) -> bool:
        """Is *value* a member of the sort, or may it be one of a sort that could not be read?"""
        if self.unread and any(part.name in self.unread for part in self.words.parts(name)):
            return True
        return self.words.belongs(value, name, self.scene)

    def unknown_member(self, text: str, sort: str, where: str = "") -> str:
        """What to say of a text that names no member of a sort."""
        return f"unknown {self.words.sorts[sort]} {clipped(text)}{where}{self.expected(text, sort)}"

    def expected(self, text: str, sort: str, also: Sequence[str] = ()) -> str:
        return self.hint(lambda: self.words.expected(text, sort, self.scene, also))

    def term(self, text: str) -> Symbol | None:
        if terms.NAME.fullmatch(text):
            return Function(text)
        if terms.INTEGER.fullmatch(text):
            return Number(int(text))
        if text in self.odd:
            return Function(text[: LIMITS.name])
        try:
            return terms.parse_symbol(text)
        except errors.PymorphError:
            return None


def named(fluent: Fluent, arguments: Sequence[Symbol]) -> Symbol:
    """A fluent whose arguments come in the order of its keys in the file."""
    steps = [step for step in fluent.path if isinstance(step, int)]
    placed = sorted(zip(steps, arguments, strict=True), key=lambda pair: pair[0])
    return Function(fluent.name, [argument for _, argument in placed])
