"""Records: a position and what was played from it, step by step, to and from YAML."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile
from pathlib import Path

from clingo import Symbol

from pymorph import yamlio
from pymorph.answers import brief, frozen
from pymorph.board.lengths.length_units import Rulers
from pymorph.errors import Fault, InputError, Place, clipped, in_order, printable
from pymorph.ruleset.vocabulary import GIVEN, RECORDED
from pymorph.state.files.directions import is_towards
from pymorph.state.files.fields import EDITION, GROUP, RECORD, RESULT, in_quotes, keys_of
from pymorph.state.files.reader import Reading
from pymorph.state.names import names_of
from pymorph.state.position import Position
from pymorph.terms import parse_named, text_of
from pymorph.yamlio import Data, Keys, Node, Scalar

Heading = tuple[tuple[str, str], ...]  # fluents without arguments, each with its value


@frozen
class Move:
    """A step as it is written: an action, the rolls it needs, and what has to hold before it."""

    action: str
    rolls: tuple[str, ...] = ()
    heading: Heading = ()
    place: Place | None = field(default=None, compare=False)


@frozen
class StatedEnd:
    """How a game ended that no rule had ended: who won, or that it was *drawn*, and the *reason*,
    such as that somebody gave up."""

    winners: tuple[str, ...]
    drawn: bool
    reason: str

    def data(self) -> dict[str, Data]:
        """What stands in a file for it."""
        who: dict[str, Data] = {"drawn": "yes"} if self.drawn else {"wins": list(self.winners)}
        return {**who, "by": self.reason}


@brief
@dataclass(frozen=True)
class Record:
    """A position and what was played from it.

    *version* and *hash* are those of the ruleset that was used, *result* is the position at the
    end, and *end* says how the players ended the game; all four may be missing.
    """

    position: Position
    steps: tuple[Move, ...] = ()
    version: str = ""
    hash: str = ""
    result: Position | None = None
    end: StatedEnd | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """The record in a file; ``-`` is standard input.

        Raises: InputError with every fault of the file, each at its line and column.
        """
        return cls.parse(*yamlio.contents(path))

    @classmethod
    def parse(cls, text: str, name: str = "<text>", base: Path | None = None) -> Record:
        """The record in a YAML text; the files that it names are in *base*, or here."""
        root, faults = yamlio.parse(text, name, yamlio.LIMITS.long_nodes)
        return RecordReading(base, faults).record(root)

    def yaml(self, folder: Path | None = None) -> str:
        """The text of a file in *folder*, or here; `load` reads an equal record from it."""
        head = head_of(self.position, folder, {"version": self.version, "hash": self.hash})
        if self.result is not None:
            head["result"] = line_in(self.result, folder)
        if self.end is not None:
            place: dict[str, Data] = {"position": head["result"]} if self.result else {}
            head["result"] = {**self.end.data(), **place}
        spoken = lines(self.steps, self.position.ruleset.vocabulary.rulers)
        return yamlio.block(head) + "play:\n" + "".join(f"{line}\n" for line in spoken)


def head_of(position: Position, folder: Path | None, texts: Mapping[str, str]) -> dict[str, Data]:
    """How a file in *folder* begins: its game, the *texts* that are not empty, its position."""
    data = position.data(folder)
    stated = {key: text for key, text in texts.items() if text}
    return {"ruleset": data.pop("ruleset"), **stated, "position": data}


def line_in(position: Position, folder: Path | None) -> str:
    """The one-line form of a position, for a file in *folder*."""
    return yamlio.flow(position.data(folder))


def heading_of(position: Position) -> Heading:
    """What a file has to say of a position as a whole, such as whose turn it is."""
    fluents = position.ruleset.vocabulary.fluents.values()
    names = [f.name for f in fluents if not f.sorts and f.default == GIVEN]
    return tuple((name, str(position.value(name))) for name in names)


def lines(
    steps: Iterable[Move], rulers: Rulers, indent: str = "  ", inner: str | None = None
) -> Iterator[str]:
    """The lines of steps, those below a heading as a group; *inner* is that of a group begun.

    Points of a table stand in the units of its *rulers*.
    """
    for step in steps:
        if step.heading:
            yield f"{indent}- at: {yamlio.flow(dict(step.heading))}"
            yield f"{indent}  do:"
            inner = f"{indent}    "
        rolls = f": [{', '.join(step.rolls)}]" if step.rolls else ""
        yield f"{indent if inner is None else inner}- {rulers.spoken(step.action)}{rolls}"


class RecordReading(Reading):
    """One reading of a record: collects every fault before it gives up."""

    most = yamlio.LIMITS.bytes  # of a file beside it that holds the position

    def __init__(self, base: Path | None, faults: Iterable[Fault] = ()) -> None:
        super().__init__(base, faults)
        self.actions: dict[str, tuple[str, str]] = {}  # as written: the term, what is wrong with it

    def record(self, root: Node) -> Record:
        root = self.mapping(root, "a record: a mapping with 'position' and, at its end, 'play'")
        self.require(root, "record", "position", RECORDED)
        self.known(root, keys_of(RECORD))
        position = self.start(root)
        self.words, self.scene = position.ruleset.vocabulary, position.scene
        steps = tuple(self.moves(root))
        result, end = self.result(root, position)
        record = Record(position, steps, result=result, end=end, **self.texts_at(root, EDITION))
        self.check()
        return record

    def start(self, root: Keys) -> Position:
        """The position that the record begins with, under its rulings.

        Raises: InputError, if it cannot be read.
        """
        node = root.get("position")
        try:
            if node is None:
                message = "the key 'position' is missing; expected a file or a position"
                raise InputError(message, root.place)
            position = self.placed(node, root)
            position = position.with_rulings(self.rulings(root, position.ruleset))
            position.require_roll(node)
            if root.get("ruleset") is not None and self.ruleset(root) != position.ruleset:
                message = f"the position is of another game, {position.ruleset.name}"
                self.fault(message, node.place)
        except InputError as error:
            file = root.place.file
            here = [f for f in self.faults if f not in error.faults]
            if any(fault.place and fault.place.file != file for fault in error.faults):
                raise
            raise type(error)(in_order([*here, *error.faults])) from None
        return position

    def placed(self, node: Node, root: Keys) -> Position:
        if isinstance(node, Keys):
            named = [entry for entry in root.entries if entry[0].text == "ruleset"]
            entries = node.entries if node.get("ruleset") else (*named, *node.entries)
            return Position(**Reading(self.base).contents(Keys(entries, node.place)))
        if not isinstance(node, Scalar) or not node.text:
            raise InputError("expected a file beside the record, or a position", node.place)
        if node.text.lstrip().startswith("{"):
            return self.one_line(node)
        path = os.path.join(self.base or ".", node.text)
        name = printable(os.path.normpath(path))
        try:
            text = yamlio.decode(yamlio.read_bytes(path, self.most)[0], name, self.most)
        except InputError as error:
            faults = [Fault(f"{name}: {fault.message}", node.place) for fault in error.faults]
            raise InputError(faults) from None
        return self.beside(text, name, Path(path).parent, node)

    def beside(self, text: str, name: str, base: Path, node: Scalar) -> Position:
        """The position of a file beside it, which *node* names."""
        return Position.parse(text, name, base)

    def one_line(self, node: Scalar) -> Position:
        """A position that stands in one line; what is wrong with it is wrong at that line."""
        try:
            return Position.parse(node.text, "", self.base)
        except InputError as error:
            faults = [Fault(f"in the line: {fault.message}", node.place) for fault in error.faults]
            raise InputError(faults[:1]) from None

    def result(self, root: Keys, start: Position) -> tuple[Position | None, StatedEnd | None]:
        """The position that a record came to, and how the players ended the game."""
        node = root.get("result")
        if not isinstance(node, Keys) or node.get("ruleset") is not None:
            return self.came_to(node, start), None
        self.known(node, keys_of(RESULT), " of a result")
        end = self.end(node, start)
        return self.came_to(node.get("position"), start), end

    def end(self, node: Keys, start: Position) -> StatedEnd | None:
        """How the players ended the game."""
        winners, drawn = node.get("wins"), node.get("drawn")
        reason = self.word(node, "by", "a text")
        if (winners is None) == (drawn is None):
            self.fault("a result needs 'wins: NAME' or 'drawn: yes'", node.place)
            return None
        if drawn is not None and not (isinstance(drawn, Scalar) and drawn.text == "yes"):
            self.fault("expected 'drawn: yes'", drawn.place)
        if not reason:
            message = "a result needs the key 'by', such as by: resignation, agreement or time"
            self.fault(message, node.place)
        names = []
        players = names_of(start)
        for item in [winners] if isinstance(winners, Scalar) else self.items(winners):
            names.append(item.text if isinstance(item, Scalar) else "")
            if names[-1] not in players:
                hint = self.near(names[-1], players)
                self.fault(f"unknown winner {clipped(names[-1])}{hint}", item.place)
        return StatedEnd(tuple(names), drawn is not None, reason)

    def came_to(self, node: Node | None, start: Position) -> Position | None:
        if node is None:
            return None
        if not isinstance(node, Scalar):
            self.fault("expected a position in one line, in quotes, as the result", node.place)
            return None
        with self.blaming(node.place):
            final = self.one_line(node)
            same = (start.ruleset, start.board, start.listed)
            if (final.ruleset, final.board, final.listed) != same:
                message = "the game, the board or the players differ from those of the start"
                raise InputError(message)
            return final
        return None

    # -- what was played -------------------------------------------------------------------------

    def moves(self, root: Keys) -> Iterator[Move]:
        node = root.get("play")
        if node is None:
            self.fault("the key 'play' is missing; expected a list of actions", root.place)
            return
        _, *after = dropwhile(lambda key: key.text != RECORDED, [key for key, _ in root.entries])
        if after:
            self.fault("'play' must be the last key", after[0].place)
        for item in self.items(node):
            if isinstance(item, Keys) and any(key.text in ("at", "do") for key, _ in item.entries):
                yield from self.group(item)
            else:
                yield from self.step(item)

    def group(self, node: Keys) -> Iterator[Move]:
        self.known(node, keys_of(GROUP), " of a group")
        heading = self.heading(node.get("at"))
        steps = [move for item in self.items(node.get("do")) for move in self.step(item)]
        if not steps:
            self.fault("the group needs actions under 'do'", node.place)
            return
        yield replace(steps[0], heading=heading)
        yield from steps[1:]

    def step(self, node: Node) -> Iterator[Move]:
        """An action, or an action with its rolls; nothing, if it is not to be understood."""
        rolls: list[str] = []
        action = node
        if isinstance(node, Keys) and len(node.entries) == 1:
            action, value = node.entries[0]
            for item in [value] if isinstance(value, Scalar) else self.items(value):
                rolls.append(self.action(item))
        text = self.action(action)
        if text:
            yield Move(text, tuple(rolls), (), node.place)

    def heading(self, node: Node | None) -> Heading:
        if node is None:
            return ()
        if not isinstance(node, Keys) or not node.entries:
            self.fault("expected a mapping for 'at', such as {turn: NAME}", node.place)
            return ()
        known = [name for name, fluent in self.words.fluents.items() if not fluent.sorts]
        values = {}
        for key, value in node.entries:
            if key.text not in known:
                hint = self.near(key.text, known)
                self.fault(f"unknown key {clipped(key.text)} of a heading{hint}", key.place)
                continue
            fluent = self.words.fluents[key.text]
            term = self.term(value.text) if isinstance(value, Scalar) else None
            if term is None or (term != fluent.default and not self.belongs(term, fluent.value)):
                hint = self.expected(in_quotes(value).strip("'"), fluent.value)
                self.fault(f"found {in_quotes(value)} for {key.text}{hint}", value.place)
            else:
                values[key.text] = text_of(term)
        return tuple(values.items())

    def action(self, node: Node) -> str:
        """The action as a term, or nothing, if the vocabulary cannot type it."""
        if not isinstance(node, Scalar):
            self.fault("expected an action, or an action: [ROLL, ...]", node.place)
            return ""
        if node.text not in self.actions:
            try:
                symbol = parse_named(self.words.rulers.plain(node.text))
                wrong = self.mistyped(node.text, symbol.name, symbol.arguments)
                self.actions[node.text] = (text_of(symbol), wrong)
            except InputError as error:
                self.actions[node.text] = ("", error.faults[0].message)
        text, wrong = self.actions[node.text]
        if wrong:
            self.fault(wrong, node.place)
        return text

    def mistyped(self, text: str, name: str, arguments: Sequence[Symbol]) -> str:
        """What is wrong with an action, whatever the position; some arguments may be left out."""
        declared = self.words.actions.get(name)
        if declared is None:
            return self.unknown_action(name)
        if len(arguments) == len(declared.sorts):
            pairs = zip(arguments, declared.sorts, strict=True)
            for number, (argument, sort) in enumerate(pairs, 1):
                if is_towards(argument) and self.words.is_aimed(sort):
                    continue  # where that leads is told when the record comes so far
                if not self.belongs(argument, sort):
                    where = f", argument {number} of {name}"
                    return self.unknown_member(text_of(argument), sort, where)
            return ""
        sorts = iter(declared.sorts)
        if all(any(self.belongs(argument, sort) for sort in sorts) for argument in arguments):
            return ""
        return f"{clipped(text, 80)} does not fit {name}({', '.join(declared.sorts)})"
