"""A position: frozen, hashable, to and from YAML, its one line, and facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from clingo import Function, Number, Symbol, SymbolType

from pymorph import files
from pymorph.errors import Fault, InputError, Place, PymorphError, clipped, nearest
from pymorph.files import Data
from pymorph.files import Mapping as Keys
from pymorph.files import Node, Scalar, Sequence
from pymorph.ruleset import Ruleset, load
from pymorph.terms import INTEGER, NAME, Term, order, parse_symbol, sorted_symbols, text_of
from pymorph.vocabulary import GIVEN, Fluent, Scene, Vocabulary

if TYPE_CHECKING:
    from pymorph.board import Board, Geometry

MAX_LISTED = 8
MAX_NAME = 32
RESERVED = ("ruleset", "board", "rulings")

Fluents = Mapping[Symbol, Symbol]


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """All that holds at one moment of a game; compares and hashes by content.

    *fluents* has the value of every fluent that is not at its default; *listed* has the members
    that the file names for each sort of that kind (the characters); *rulings* fix readings.
    """

    ruleset: Ruleset
    board: Board | None
    listed: Mapping[str, tuple[Symbol, ...]]
    fluents: Fluents
    rulings: Mapping[str, str] = field(default_factory=dict)

    # -- reading ---------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: str) -> Position:
        """The position in a file, ``-`` for standard input; a text that opens with { is one itself.

        Raises: InputError with every fault of the file, each at its line and column.
        """
        if path.lstrip().startswith("{"):
            return cls.parse(path, "<line>")
        text, name = files.read(path)
        return cls.parse(text, name, None if path == "-" else Path(path).parent)

    @classmethod
    def parse(cls, text: str, name: str = "<text>", base: Path | None = None) -> Position:
        """The position that a YAML text describes, be it a file's or the one-line form."""
        return _Reading(name, base).position(files.parse(files.decode(text.encode("utf-8", "replace"), name), name))

    @cached_property
    def scene(self) -> Scene:
        places = self.board.places if self.board else ()
        return Scene(places, self.listed, frozenset(places))

    @cached_property
    def geometry(self) -> Geometry | None:
        """What the grounder may ask of the board; None where the ruleset knows no board."""
        if self.board is None and not self.ruleset.vocabulary.uses_board():
            return None
        from pymorph.board import Geometry

        return Geometry(self.board)

    # -- values ----------------------------------------------------------------------------------

    def value(self, fluent: str) -> Term:
        """The value of a fluent such as ``ticks(baganal, main)``, the default if nothing else is told.

        Raises: InputError, if there is no such fluent.
        """
        symbol = parse_symbol(fluent)
        declared = self.ruleset.vocabulary.fluents.get(symbol.name)
        if declared is None or len(declared.sorts) != len(symbol.arguments):
            known = nearest(symbol.name, self.ruleset.vocabulary.fluents)
            raise InputError(Fault(f"unknown fluent {clipped(fluent)}{known}"))
        return Term(self.fluents.get(symbol, declared.default))

    def default(self, fluent: Symbol) -> Symbol:
        return self.ruleset.vocabulary.fluents[fluent.name].default

    def with_changes(self, changes: Mapping[Symbol, Symbol]) -> Position:
        """This position with some fluents at other values; a default value is left out."""
        fluents = dict(self.fluents)
        for fluent, value in changes.items():
            if value == self.default(fluent):
                fluents.pop(fluent, None)
            else:
                fluents[fluent] = value
        return Position(self.ruleset, self.board, self.listed, MappingProxyType(fluents), self.rulings)

    def with_rulings(self, rulings: Mapping[str, str]) -> Position:
        """This position under other house rulings (question: option), on top of its own.

        Raises: InputError naming an unknown question or option.
        """
        faults = [fault for item in rulings.items() if (fault := ruling_fault(self.ruleset, *item))]
        if faults:
            raise InputError(faults)
        merged = dict(sorted({**self.rulings, **rulings}.items()))
        return Position(self.ruleset, self.board, self.listed, self.fluents, merged)

    def facts(self, situation: Symbol) -> list[Symbol]:
        """What a query is told of this position as *situation*."""
        facts = [Function("situation", [situation])]
        for members in self.listed.values():
            facts += [Function("present", [member, situation]) for member in members]
        facts += [Function("holds", [f, v, situation]) for f, v in self.fluents.items()]
        for question, option in self.rulings.items():
            facts.append(Function("ruled", [Function(question), Function(option), situation]))
        return facts

    # -- identity --------------------------------------------------------------------------------

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        return (
            self.ruleset.hash,
            self.board,
            tuple(sorted((k, frozenset(v)) for k, v in self.listed.items())),
            frozenset(self.fluents.items()),
            frozenset(self.rulings.items()),
        )

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._hash == other._hash and self._key == other._key

    def __repr__(self) -> str:
        return f"<Position {self.line()}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, (self.ruleset, self.board, _texts(self.listed), _pairs(self.fluents), dict(self.rulings)))

    # -- writing ---------------------------------------------------------------------------------

    def data(self) -> dict[str, Data]:
        """The position as a file has it, in the order of the vocabulary; defaults are left out."""
        words = self.ruleset.vocabulary
        name = self.ruleset.name if len(self.ruleset.folders) == 2 else self.ruleset.folders[0]
        found: dict[str, Data] = {"ruleset": name}
        if self.board is not None:
            drawing = self.board.drawing(words.symbols, words.join_symbols)
            if drawing.rstrip("\n") != words.surface.rstrip("\n"):
                found["board"] = drawing
        if self.rulings:
            found["rulings"] = dict(sorted(self.rulings.items()))
        rank = {fluent: number for number, fluent in enumerate(words.fluents)}
        items = sorted(self.fluents.items(), key=lambda item: (rank[item[0].name], order(item[0])))
        inner: dict[str, Data] = {}
        for sort in words.file_sorts():
            heading: dict[str, Data] = {}
            for member in sorted_symbols(self.listed.get(sort.name, ())):
                heading[text_of(member)] = {}
            inner[words.headings[sort.name]] = heading
        for fluent, value in items:
            declared = words.fluents[fluent.name]
            target = inner if declared.path[0] in inner else found
            keys = [text_of(fluent.arguments[s]) if isinstance(s, int) else s for s in declared.path]
            for key in keys[:-1]:
                step = target.setdefault(key, {})
                assert isinstance(step, dict)
                target = step
            target[keys[-1]] = value.number if value.type == SymbolType.Number else text_of(value)
        found.update(inner)
        return found

    def yaml(self) -> str:
        """The position as a file that `load` reads back to an equal one."""
        return files.block(self.data())

    def line(self) -> str:
        """The canonical one-line form: equal positions have equal lines, and `parse` reads it back."""
        return files.flow(self.data())


def _texts(listed: Mapping[str, tuple[Symbol, ...]]) -> dict[str, list[str]]:
    return {sort: [text_of(m) for m in members] for sort, members in listed.items()}


def _pairs(fluents: Fluents) -> list[tuple[str, str]]:
    return [(text_of(f), text_of(v)) for f, v in fluents.items()]


def _rebuilt(
    ruleset: Ruleset,
    board: Board | None,
    listed: dict[str, list[str]],
    pairs: list[tuple[str, str]],
    rulings: dict[str, str],
) -> Position:
    return Position(
        ruleset,
        board,
        {sort: tuple(map(parse_symbol, names)) for sort, names in listed.items()},
        MappingProxyType({parse_symbol(f): parse_symbol(v) for f, v in pairs}),
        rulings,
    )


def ruling_fault(ruleset: Ruleset, question: str, option: str, place: Place | None = None) -> Fault | None:
    """What is wrong with a ruling, if anything."""
    known = ruleset.questions.get(question)
    if known is None:
        return Fault(f"unknown question {clipped(question)}{nearest(question, ruleset.questions)}", place)
    options = [name for name, _ in known.options]
    if option not in options:
        return Fault(f"unknown option {clipped(option)} of {question}{nearest(option, options)}", place)
    return None


class _Reading:
    """One reading of one file: collects every fault before it gives up."""

    def __init__(self, name: str, base: Path | None) -> None:
        self.name = name
        self.base = base
        self.faults: list[Fault] = []

    def fault(self, message: str, place: Place) -> None:
        self.faults.append(Fault(message, place))

    def position(self, root: Node) -> Position:
        if not isinstance(root, Keys):
            raise InputError(Fault("a position is a mapping that opens with 'ruleset: NAME'", root.place))
        ruleset = self.ruleset(root)
        self.words: Vocabulary = ruleset.vocabulary
        listed = self.listed(root)
        board = self.board(root)
        places = board.places if board else ()
        self.scene = Scene(places, listed, frozenset(places))
        rulings = self.rulings(root, ruleset)
        self.fluents: dict[Symbol, Symbol] = {}
        self.given: dict[Symbol, Place] = {}
        self.walk(root, [(fluent, 0, ()) for fluent in self.words.fluents.values()], top=True)
        for fluent in self.words.fluents.values():
            if fluent.default == GIVEN and not fluent.sorts and Function(fluent.name) not in self.given:
                known = nearest("", self.words.fluents) if False else ""
                self.fault(f"the key {fluent.path[0]!r} is missing{known}", root.place)
        if self.faults:
            raise InputError(sorted(self.faults, key=_by_place))
        return Position(ruleset, board, listed, MappingProxyType(self.fluents), rulings)

    def ruleset(self, root: Keys) -> Ruleset:
        node = root.get("ruleset")
        if not isinstance(node, Scalar):
            place = node.place if node else root.place
            raise InputError([*self.faults, Fault("the key 'ruleset' with the name of a game is missing", place)])
        try:
            return load(node.text, self.base)
        except InputError as error:
            raise type(error)([Fault(f.message, f.place or node.place) for f in error.faults]) from None

    def listed(self, root: Keys) -> dict[str, tuple[Symbol, ...]]:
        found: dict[str, tuple[Symbol, ...]] = {}
        for sort in self.words.file_sorts():
            heading = self.words.headings[sort.name]
            node = root.get(heading)
            if not isinstance(node, Keys) or not node.entries:
                place = node.place if node else root.place
                self.fault(f"the key {heading!r} needs a mapping of names", place)
                found[sort.name] = ()
                continue
            if len(node.entries) > MAX_LISTED:
                self.fault(f"more than {MAX_LISTED} {heading}", node.place)
            names = []
            for key, _ in node.entries[:MAX_LISTED]:
                if not NAME.fullmatch(key.text) or len(key.text) > MAX_NAME:
                    self.fault(
                        f"{clipped(key.text)} is no name: small letter first, then letters, digits, _, "
                        f"at most {MAX_NAME}",
                        key.place,
                    )
                elif self.is_taken(key.text):
                    self.fault(f"{key.text!r} is a word of the game; choose another name", key.place)
                else:
                    names.append(Function(key.text))
            found[sort.name] = tuple(sorted_symbols(names))
        return found

    def is_taken(self, name: str) -> bool:
        symbol = Function(name)
        return any(symbol in sort.known for sort in self.words.sorts.values())

    def board(self, root: Keys) -> Board | None:
        node = root.get("board")
        if node is None and not self.words.surface:
            return None
        from pymorph.board import Board

        words = self.words
        if node is None:
            return Board.from_drawing(words.surface, words.symbols, words.join_symbols)
        if not words.symbols:
            self.fault("this game has no board", node.place)
            return None
        if not isinstance(node, Scalar):
            self.fault("a board is drawn as a block of text: 'board: |' and the rows below", node.place)
            return None
        place = node.place
        if node.literal:
            place = Place(place.file, node.literal[0], node.literal[1] + 1)
        try:
            return Board.from_drawing(node.text, words.symbols, words.join_symbols, place)
        except InputError as error:
            self.faults += error.faults
            return None

    def rulings(self, root: Keys, ruleset: Ruleset) -> dict[str, str]:
        node = root.get("rulings")
        if node is None:
            return {}
        if not isinstance(node, Keys):
            self.fault("rulings are a mapping of questions to options", node.place)
            return {}
        found = {}
        for key, value in node.entries:
            if not isinstance(value, Scalar):
                self.fault(f"the ruling on {clipped(key.text)} is one word", value.place)
                continue
            fault = ruling_fault(ruleset, key.text, value.text, value.place)
            if fault:
                self.faults.append(Fault(fault.message, key.place if "question" in fault.message else value.place))
            else:
                found[key.text] = value.text
        return dict(sorted(found.items()))

    def walk(self, node: Node, open_paths: list[tuple[Fluent, int, tuple[Symbol, ...]]], top: bool = False) -> None:
        """Follow the keys of *node*; each open path is a fluent, how far its path has come, its arguments."""
        if not isinstance(node, Keys):
            known = self.keys_of(open_paths)
            self.fault(f"expected a mapping with keys such as {', '.join(known[:4])}", node.place)
            return
        for key, value in node.entries:
            if top and key.text in RESERVED:
                continue
            following: list[tuple[Fluent, int, tuple[Symbol, ...]]] = []
            for fluent, depth, arguments in open_paths:
                step = fluent.path[depth]
                if isinstance(step, str):
                    if step == key.text:
                        following.append((fluent, depth + 1, arguments))
                    continue
                argument = self.term(key.text)
                if argument is not None and self.words.belongs(argument, fluent.sorts[step], self.scene):
                    following.append((fluent, depth + 1, (*arguments, argument)))
            if not following:
                if not any(key.place == f.place for f in self.faults):
                    self.fault(self.unknown(key.text, open_paths), key.place)
                continue
            done = [path for path in following if path[1] == len(path[0].path)]
            if done:
                fluent, _, arguments = done[0]
                self.assign(fluent, arguments, value)
            elif isinstance(value, Sequence) and self.counts(following):
                self.count(following, value)
            else:
                self.walk(value, following)

    def keys_of(self, open_paths: list[tuple[Fluent, int, tuple[Symbol, ...]]]) -> list[str]:
        known: dict[str, None] = {}
        for fluent, depth, _ in open_paths:
            step = fluent.path[depth]
            if isinstance(step, str):
                known[step] = None
            else:
                known.update(dict.fromkeys(map(text_of, self.words.members(fluent.sorts[step], self.scene))))
        return list(known)

    def unknown(self, key: str, open_paths: list[tuple[Fluent, int, tuple[Symbol, ...]]]) -> str:
        steps = {f.path[d] if isinstance(f.path[d], str) else f.sorts[f.path[d]] for f, d, _ in open_paths}  # type: ignore[index]
        sorts = {f.sorts[s] for f, d, _ in open_paths if isinstance(s := f.path[d], int)}
        what = sorts.pop().replace("_", " ") if len(sorts) == 1 and len(steps) == 1 else "key"
        known = self.keys_of(open_paths)
        if any(depth == 0 for _, depth, _ in open_paths):
            known += list(RESERVED)
        return f"unknown {what} {clipped(key)}{nearest(key, known)}"

    def counts(self, paths: list[tuple[Fluent, int, tuple[Symbol, ...]]]) -> bool:
        """Could a list stand here: the last key is an argument, and the value a number?"""
        return all(
            depth == len(f.path) - 1 and isinstance(f.path[-1], int) and self.words.sorts[f.value].kind == "range"
            for f, depth, _ in paths
        )

    def count(self, paths: list[tuple[Fluent, int, tuple[Symbol, ...]]], value: Sequence) -> None:
        fluent, _, arguments = paths[0]
        sort = fluent.sorts[-1]
        seen: dict[Symbol, int] = {}
        for item in value.items:
            symbol = self.term(item.text) if isinstance(item, Scalar) else None
            if symbol is None or not self.words.belongs(symbol, sort, self.scene):
                text = item.text if isinstance(item, Scalar) else "a list or mapping"
                known = self.words.expected(text, sort, self.scene)
                self.fault(f"unknown {sort.replace('_', ' ')} {clipped(text)}{known}", item.place)
                continue
            seen[symbol] = seen.get(symbol, 0) + 1
        for symbol, number in seen.items():
            self.put(fluent, (*arguments, symbol), Number(number), value.place)

    def assign(self, fluent: Fluent, arguments: tuple[Symbol, ...], node: Node) -> None:
        if not isinstance(node, Scalar):
            self.fault(f"{fluent.name} has one value, not a list or mapping", node.place)
            return
        value = self.term(node.text)
        if value is not None and value == fluent.default and value != GIVEN:
            self.put(fluent, arguments, value, node.place)
        elif value is None or not self.words.belongs(value, fluent.value, self.scene):
            also = [] if fluent.default == GIVEN else [text_of(fluent.default)]
            known = self.words.expected(node.text, fluent.value, self.scene, also)
            kind = str(self.words.sorts[fluent.value])
            self.fault(f"unknown {kind} {clipped(node.text)} for {fluent.name}{known}", node.place)
        else:
            self.put(fluent, arguments, value, node.place)

    def put(self, fluent: Fluent, arguments: tuple[Symbol, ...], value: Symbol, place: Place) -> None:
        symbol = Function(fluent.name, list(arguments))
        sort = self.words.sorts[fluent.value]
        if sort.kind == "range" and value.type == SymbolType.Number and value.number > sort.high:
            self.fault(f"{value.number} is too many for {fluent.name}; at most {sort.high}", place)
            return
        self.given[symbol] = place
        if value != fluent.default:
            self.fluents[symbol] = value

    def term(self, text: str) -> Symbol | None:
        if NAME.fullmatch(text):
            return Function(text)
        if INTEGER.fullmatch(text):
            return Number(int(text))
        try:
            return parse_symbol(text)
        except PymorphError:
            return None


def _by_place(fault: Fault) -> tuple[int, int, str]:
    place = fault.place or Place("")
    return (place.line, place.column, fault.message)


def positions_by_board(positions: Iterable[Position]) -> Iterator[tuple[Position, list[int]]]:
    """The numbers of the positions that can share a grounding: those of one ruleset and board."""
    groups: dict[tuple[str, object], list[int]] = {}
    kept = list(positions)
    for number, position in enumerate(kept):
        groups.setdefault((position.ruleset.hash, position.board), []).append(number)
    for numbers in groups.values():
        yield kept[numbers[0]], numbers
