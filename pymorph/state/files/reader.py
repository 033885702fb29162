"""From the tree of a YAML file to a position: every part of it against the vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from clingo import Function, Number, Symbol, SymbolType

from pymorph import errors, terms
from pymorph.answers import brief
from pymorph.errors import Fault, InputError, Place, clipped, nearest
from pymorph.ruleset import vocabulary
from pymorph.ruleset.loader import Ruleset, load
from pymorph.ruleset.vocabulary import (
    GIVEN,
    HIDDEN,
    MAX_LISTED,
    TABLE,
    Declared,
    Fluent,
    Vocabulary,
)
from pymorph.state.files import board_drawing
from pymorph.state.files.directions import is_towards
from pymorph.state.files.fields import POSITION, in_quotes
from pymorph.state.files.fluents import FluentReading
from pymorph.yamlio import LIMITS, Keys, Node, Scalar

if TYPE_CHECKING:
    from pymorph.board.grid import Board
    from pymorph.board.lengths.plane import Plane


@brief
class Origin(NamedTuple):
    """Where a position was read: its top, each name that it lists, each fluent that it defines."""

    top: Place
    names: Mapping[Symbol, Place]
    defined: Mapping[Symbol, Place]

    def place_of(self, what: Symbol) -> Place:
        """Where the file says *what*, or else speaks of the first name in it that it lists."""
        if what in self.defined:
            return self.defined[what]
        listed = (argument for argument in what.arguments if argument in self.names)
        return next((self.names[argument] for argument in listed), self.top)


class Reading(FluentReading):
    """One reading of a file with a position: collects every fault before it gives up.

    Where a part cannot be read (a board drawn wrong, a name that will not do), what refers to it
    is taken as it stands: one mistake is one fault.
    """

    def __init__(self, base: Path | None, faults: Iterable[Fault] = ()) -> None:
        super().__init__(faults)
        self.base = base

    def contents(self, root: Node) -> dict[str, Any]:
        """What the tree of a position's file says: the fields of a `Position`."""
        root = self.whole(root, POSITION)
        ruleset = self.ruleset(root)
        self.pinned(root, ruleset)
        self.words = ruleset.vocabulary
        self.veiled = ruleset.veiled
        board = self.board(root)
        table = self.table(root)
        listed = self.listed(root, (board.places if board else ()))
        self.scene = vocabulary.Scene.of(board or table, listed)
        rulings = self.rulings(root, ruleset)
        self.walk(root, [(fluent, 0, ()) for fluent in self.words.fluents.values()], top=True)
        self.aim()
        self.in_order(listed)
        self.missing(root.place)
        unfinished = self.unfinished(root)
        self.check()
        return {
            "ruleset": ruleset,
            "board": table or board,
            "listed": listed,
            "fluents": MappingProxyType(self.fluents),
            "rulings": rulings,
            "unfinished": unfinished,
            "origin": Origin(root.place, self.places, self.defined),
        }

    def ruleset(self, root: Keys) -> Ruleset:
        node = root.get("ruleset")
        if not isinstance(node, Scalar) or not node.text:
            place = (node or root).place
            message = "the key 'ruleset' is missing; expected the name of a game"
            raise InputError(errors.in_order([*self.faults, Fault(message, place)]))
        try:
            return load(node.text, self.base)
        except errors.UnknownName as error:
            unknown = [Fault(f.message, f.place or node.place) for f in error.faults]
            raise errors.UnknownName(errors.in_order([*self.faults, *unknown])) from None

    def pinned(self, root: Keys, ruleset: Ruleset) -> None:
        """A position may say of which version or hash of its ruleset it is one, and no other."""
        for key, known in (("version", ruleset.version), ("hash", ruleset.hash)):
            node = root.get(key)
            if node is not None and (not isinstance(node, Scalar) or node.text != known):
                message = f"pinned to {key} {in_quotes(node)}, but {ruleset.name} here has {known}"
                self.fault(message, node.place)

    def listed(self, root: Keys, places: Sequence[Symbol]) -> dict[str, tuple[Symbol, ...]]:
        members: dict[str, tuple[Symbol, ...]] = {}
        earlier: set[Symbol] = set()
        for sort in self.words.file_sorts():
            heading = self.words.headings[sort.name]
            node = root.get(heading)
            members[sort.name] = ()
            if node is None and sort.name not in self.words.acting():
                continue  # there are none
            if not isinstance(node, Keys):
                self.unread.add(sort.name)
                what = f"the key {heading!r}"
                if node is None:
                    self.faults.append(Fault(f"{what} is missing", root.place))
                else:
                    message = f"{what} needs a mapping of names; write {{}} if there are none"
                    self.fault(message, node.place)
                continue
            names: dict[Symbol, None] = {}
            taken = earlier | taken_words(self.words, sort.name, places)
            for key, _ in node.entries[:MAX_LISTED]:
                name = Function(key.text[: LIMITS.name])
                if not terms.NAME.fullmatch(key.text) or len(key.text) > LIMITS.name:
                    self.fault(terms.misnamed(key.text, LIMITS.name), key.place)
                    self.odd.add(key.text)
                    name = self.term(key.text) or name
                elif name in taken:
                    message = f"{key.text!r} is a word of the game; choose another name"
                    self.fault(message, key.place)
                names[name] = None
                self.places.setdefault(name, key.place)
            if len(node.entries) > MAX_LISTED:
                self.unread.add(sort.name)
                key, _ = node.entries[MAX_LISTED]
                self.fault(f"more than {MAX_LISTED} {heading}", key.place)
            members[sort.name] = tuple(terms.sorted_symbols(names))
            earlier |= names.keys()
        return members

    def in_order(self, listed: Mapping[str, tuple[Symbol, ...]]) -> None:
        """Keep the order of a file's names by numbers, where that of the alphabet is another."""
        for sort, name in self.words.in_order.items():
            fluent = self.words.fluents[name]
            highest = self.words.sorts[fluent.value].high
            members = [member for member in self.places if member in listed.get(sort, ())]
            stated = {m: self.fluents.get(Function(name, [m]), fluent.default) for m in members}
            if any(number.type != SymbolType.Number for number in stated.values()):
                continue  # one of them is a fault, or hidden
            before: tuple[int, tuple[object, ...]] = (fluent.default.number, ())
            for member in sorted(stated, key=lambda who: stated[who].number):
                number = max(stated[member].number, before[0])
                if (number, terms.order(member)) < before:
                    number += 1
                before = (number, terms.order(member))
                if number > highest:
                    message = f"the order of the names needs a {name} of {number}; the highest is"
                    self.fault(f"{message} {highest}", self.places[member])
                    break
                if number != fluent.default.number:
                    self.fluents[Function(name, [member])] = Number(number)

    def members(self, words: Vocabulary, sort: str, root: Keys) -> None:
        """Hold what is said of the members of a sort against the vocabulary, while nothing else of
        the position is known."""
        self.words = words
        node = root.get(words.headings[sort])
        keys = [key.text for key, _ in node.entries] if isinstance(node, Keys) else []
        scene, members = words.usual_scene(), tuple(map(Function, keys))
        self.scene = scene._replace(listed={sort: members}, known={sort: frozenset(members)})
        for name, other in words.sorts.items():
            kind = words.sorts[other.of or name].kind
            elsewhere = other.kind == "file" and name != sort
            if elsewhere or kind in ("point", "terrain") or (kind == "board" and not scene.places):
                self.unread.add(name)
        self.walk(root, [(fluent, 0, ()) for fluent in words.fluents.values()], top=True)

    def board(self, root: Keys) -> Board | None:
        """The drawn board, if there is one."""
        drawn = [node for key in ("board", *self.words.boards) if (node := root.get(key))]
        on_table = self.words.uses_table() and root.get(TABLE) is not None
        if on_table and drawn and self.words.symbols:
            self.fault("a position has a board or a table, not both", drawn[0].place)
        if (on_table and (not drawn or self.words.symbols)) or not (self.words.surface or drawn):
            return None
        try:
            return board_drawing.drawn_board(root, self.words)
        except InputError as error:
            self.faults += error.faults
            self.unread |= {n for n, sort in self.words.sorts.items() if sort.kind == "board"}
            return None

    def table(self, root: Keys) -> Plane | None:
        """The table in lengths, in games that have one."""
        node = root.get(TABLE)
        if not self.words.uses_table() or node is None:
            return None
        table = self.plane(node)
        if table is None:
            self.unread |= {name for name in self.words.sorts if self.words.is_measured(name)}
        return table

    def rulings(self, root: Keys, ruleset: Ruleset) -> dict[str, str]:
        rulings = {}
        message = "expected a mapping of questions to options"
        for key, value in self.entries(root.get("rulings"), message):
            if not isinstance(value, Scalar):
                self.fault(f"expected one word as the ruling on {clipped(key.text)}", value.place)
                continue
            place = value.place if key.text in ruleset.questions else key.place
            fault = ruling_fault(ruleset, key.text, value.text)
            if fault:
                self.fault(fault.message, place)
            else:
                rulings[key.text] = value.text
        return dict(sorted(rulings.items()))

    def unfinished(self, root: Keys) -> tuple[Symbol, ...]:
        """The actions that a roll interrupted, each with all its arguments."""
        actions = []
        for item in self.items(root.get(vocabulary.UNFINISHED)):
            if not isinstance(item, Scalar):
                self.fault("expected an action with all its arguments", item.place)
                continue
            with self.blaming(item.place):
                symbol = terms.parse_named(self.words.rulers.plain(item.text))
                wrong = self.mistyped(item.text, symbol)
                if not wrong and len(symbol.arguments) < len(self.words.actions[symbol.name].sorts):
                    form = form_of(self.words.actions[symbol.name])
                    wrong = f"found {clipped(item.text, 80)}; expected all of {form}"
                if wrong:
                    raise InputError(wrong)
                actions.append(symbol)
        return tuple(actions)

    def mistyped(self, text: str, action: Symbol) -> str:
        """What is wrong with an action, whatever the position; some arguments may be left out."""
        name, arguments = action.name, action.arguments
        declared = self.words.actions.get(name)
        if declared is None:
            return f"unknown action {clipped(name)}{self.near(name, self.words.actions)}"
        if len(arguments) != len(declared.sorts):
            sorts = iter(declared.sorts)
            fits = all(any(self.belongs(value, sort) for sort in sorts) for value in arguments)
            return "" if fits else f"{clipped(text, 80)} does not fit {form_of(declared)}"
        for number, (argument, sort) in enumerate(zip(arguments, declared.sorts, strict=True), 1):
            # Where a direction towards somebody leads is known when the record is played so far.
            aimed = is_towards(argument) and self.words.is_aimed(sort)
            if not aimed and not self.belongs(argument, sort):
                where = f", argument {number} of {name}"
                return self.unknown_member(terms.text_of(argument), sort, where)
        return ""


def taken_words(words: Vocabulary, sort: str, places: Sequence[Symbol]) -> set[Symbol]:
    """What no member of a sort may be called, being a word of the game."""
    beside = words.beside(sort)
    drawn = places if any(other.kind == "board" for other in beside) else ()
    defaults = (fluent.default for fluent in words.fluents.values())
    return {GIVEN, HIDDEN, *defaults, *drawn, *(m for other in beside for m in other.members)}


def form_of(declared: Declared | Fluent) -> str:
    """How it is written, with its sorts for arguments."""
    return f"{declared.name}({', '.join(declared.sorts)})"


def ruling_fault(ruleset: Ruleset, question: str, option: str) -> Fault | None:
    """What is wrong with a ruling, if anything."""
    known = ruleset.questions.get(question)
    if known is None:
        return Fault(f"unknown question {clipped(question)}{nearest(question, ruleset.questions)}")
    options = dict(known.options)
    if option not in options:
        return Fault(f"unknown option {clipped(option)} of {question}{nearest(option, options)}")
    return None
