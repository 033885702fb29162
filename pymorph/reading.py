"""From the tree of a YAML file to a position: every key and value against the vocabulary."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from clingo import Function, Number, Symbol, SymbolType

from pymorph.errors import Fault, InputError, Place, PymorphError, clipped, nearest
from pymorph.files import Mapping as Keys
from pymorph.files import Node, Scalar, Sequence
from pymorph.position import Position, ruling_fault
from pymorph.ruleset import Ruleset, load
from pymorph.terms import INTEGER, NAME, parse_symbol, sorted_symbols, text_of
from pymorph.vocabulary import GIVEN, Fluent, Scene, Vocabulary

if TYPE_CHECKING:
    from pymorph.board import Board

MAX_LISTED = 8
MAX_NAME = 32
RESERVED = ("ruleset", "board", "rulings")


class Reading:
    """One reading of one file: collects every fault before it gives up."""

    def __init__(self, name: str, base: Path | None) -> None:
        self.name = name
        self.base = base
        self.faults: list[Fault] = []

    def fault(self, message: str, place: Place) -> None:
        self.faults.append(Fault(message, place))

    def position(self, root: Node) -> Position:
        if not isinstance(root, Keys):
            raise InputError(
                Fault("a position is a mapping that opens with 'ruleset: NAME'", root.place)
            )
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
            if (
                fluent.default == GIVEN
                and not fluent.sorts
                and Function(fluent.name) not in self.given
            ):
                self.fault(f"the key {fluent.path[0]!r} is missing", root.place)
        if self.faults:
            raise InputError(sorted(self.faults, key=_by_place))
        return Position(ruleset, board, listed, MappingProxyType(self.fluents), rulings)

    def ruleset(self, root: Keys) -> Ruleset:
        node = root.get("ruleset")
        if not isinstance(node, Scalar):
            place = node.place if node else root.place
            raise InputError(
                [*self.faults, Fault("the key 'ruleset' with the name of a game is missing", place)]
            )
        try:
            return load(node.text, self.base)
        except InputError as error:
            raise type(error)(
                [Fault(f.message, f.place or node.place) for f in error.faults]
            ) from None

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
                        f"{clipped(key.text)} is no name: a small letter, then letters, digits "
                        f"and _, at most {MAX_NAME}",
                        key.place,
                    )
                elif self.is_taken(key.text):
                    self.fault(
                        f"{key.text!r} is a word of the game; choose another name", key.place
                    )
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
            self.fault(
                "a board is drawn as a block of text: 'board: |' and the rows below", node.place
            )
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
                self.faults.append(
                    Fault(fault.message, key.place if "question" in fault.message else value.place)
                )
            else:
                found[key.text] = value.text
        return dict(sorted(found.items()))

    def walk(
        self,
        node: Node,
        open_paths: list[tuple[Fluent, int, tuple[Symbol, ...]]],
        top: bool = False,
    ) -> None:
        """Follow the keys of *node*; an open path is a fluent, how far it has come, its arguments."""
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
                if argument is not None and self.words.belongs(
                    argument, fluent.sorts[step], self.scene
                ):
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
                known.update(
                    dict.fromkeys(map(text_of, self.words.members(fluent.sorts[step], self.scene)))
                )
        return list(known)

    def unknown(self, key: str, open_paths: list[tuple[Fluent, int, tuple[Symbol, ...]]]) -> str:
        literal = any(isinstance(f.path[d], str) for f, d, _ in open_paths)
        sorts = {f.sorts[s] for f, d, _ in open_paths if isinstance(s := f.path[d], int)}
        what = sorts.pop().replace("_", " ") if len(sorts) == 1 and not literal else "key"
        known = self.keys_of(open_paths)
        if any(depth == 0 for _, depth, _ in open_paths):
            known += list(RESERVED)
        return f"unknown {what} {clipped(key)}{nearest(key, known)}"

    def counts(self, paths: list[tuple[Fluent, int, tuple[Symbol, ...]]]) -> bool:
        """Could a list stand here: the last key is an argument, and the value a number?"""
        return all(
            depth == len(f.path) - 1
            and isinstance(f.path[-1], int)
            and self.words.sorts[f.value].kind == "range"
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

    def put(
        self, fluent: Fluent, arguments: tuple[Symbol, ...], value: Symbol, place: Place
    ) -> None:
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
