"""Records: a position and what was played from it, step by step, to and from YAML."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import dropwhile
from pathlib import Path

from pymorph import yamlio
from pymorph.answers import brief, frozen
from pymorph.board.lengths.length_units import Rulers
from pymorph.errors import Fault, InputError, Place, in_order, printable
from pymorph.ruleset.vocabulary import GIVEN, RECORDED
from pymorph.runtime.arguments import checked
from pymorph.state.files.fields import GROUP, RECORD, RESULT
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
    end, *end* says how the players ended the game, and *seed* is that of the dice of a game with
    seats; all five may be missing.

    >>> import pymorph
    >>> record = pymorph.Record.load("examples/rulesets/chess/records/to_and_fro.yaml")
    >>> [move.action for move in record.steps][:2]
    ['move(white, g1, f3)', 'move(black, g8, f6)']
    """

    position: Position
    steps: tuple[Move, ...] = ()
    version: str = ""
    hash: str = ""
    result: Position | None = None
    end: StatedEnd | None = None
    seed: str = ""

    @classmethod
    @checked
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """The record in a file; ``-`` is standard input.

        Raises: InputError with every fault of the file, each at its line and column.
        """
        return cls.parse(*yamlio.contents(path))

    @classmethod
    @checked
    def parse(cls, text: str, name: str = "<text>", base: Path | None = None) -> Record:
        """The record in a YAML text; the files that it names are in *base*, or here."""
        root, faults = yamlio.parse(text, name, yamlio.LIMITS.long_nodes)
        return RecordReading(base, faults).record(root)

    def yaml(self, folder: Path | None = None) -> str:
        """The text of a file in *folder*, or here; `load` reads an equal record from it."""
        texts = {"version": self.version, "hash": self.hash, "seed": self.seed}
        head = head_of(self.position, folder, texts)
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

    first: Position  # where what is read begins
    most = yamlio.LIMITS.bytes  # of a file beside it that holds the position

    def record(self, root: Node) -> Record:
        root = self.whole(root, RECORD)
        position = self.start(root)
        values = self.values(root, RECORD)
        result, end = values.pop("result", (None, None))
        steps = tuple(values.pop(RECORDED, ()))
        keys = [key for key, _ in root.entries]
        for key in [*dropwhile(lambda key: key.text != RECORDED, keys)][1:2]:
            self.fault("'play' must be the last key", key.place)
        self.check()
        return Record(position, steps, result=result, end=end, **values)

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
            self.first = position
            self.words, self.scene = position.ruleset.vocabulary, position.scene
            self.veiled = position.ruleset.veiled
            self.typed = cache(self._typed)  # the same actions come again and again
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

    def result(self, node: Node, key: Scalar) -> tuple[Position | None, StatedEnd | None]:
        """The position that a record came to, and how the players ended the game."""
        if not isinstance(node, Keys) or node.get("ruleset") is not None:
            return self.final(node, key), None
        values = self.values(node, RESULT)
        if (node.get("wins") is None) == (node.get("drawn") is None):
            self.fault("a result needs 'wins: NAME' or 'drawn: yes'", node.place)
            return values.get("position"), None
        end = StatedEnd(values.get("wins", ()), "drawn" in values, values.get("by", ""))
        return values.get("position"), end

    def drawn_game(self, node: Node, _: Scalar) -> bool | None:
        if isinstance(node, Scalar) and node.text == "yes":
            return True
        self.fault("expected 'drawn: yes'", node.place)
        return None

    def winners(self, node: Node, _: Scalar) -> tuple[str, ...]:
        """The names of those who have won; one may stand alone."""
        players = names_of(self.first)
        items = [node] if isinstance(node, Scalar) else self.items(node)
        return tuple(self.one_of(item, "winner", players) or "" for item in items)

    def final(self, node: Node, _: Scalar) -> Position | None:
        """The position at the end of a record, in one line."""
        if not isinstance(node, Scalar):
            self.fault("expected a position in one line, in quotes, as the result", node.place)
            return None
        with self.blaming(node.place):
            final, start = self.one_line(node), self.first
            same = (start.ruleset, start.board, start.listed)
            if (final.ruleset, final.board, final.listed) != same:
                message = "the game, the board or the players differ from those of the start"
                raise InputError(message)
            return final
        return None

    # -- what was played -------------------------------------------------------------------------

    def play(self, node: Node, _: Scalar) -> Iterator[Move]:
        """The steps of a record, those in groups as well."""
        for item in self.items(node):
            if isinstance(item, Keys) and any(key.text in ("at", "do") for key, _ in item.entries):
                group = self.values(item, GROUP)
                steps = group.get("do", [])
                if not steps:
                    self.fault("the group needs actions under 'do'", item.place)
                yield from (replace(step, heading=group.get("at", ())) for step in steps[:1])
                yield from steps[1:]
            else:
                yield from self.step(item)

    def steps(self, node: Node, _: Scalar) -> list[Move]:
        return [move for item in self.items(node) for move in self.step(item)]

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

    def heading(self, node: Node, _: Scalar) -> Heading:
        if not isinstance(node, Keys) or not node.entries:
            self.fault("expected a mapping for 'at', such as {turn: NAME}", node.place)
            return ()
        known = [name for name, fluent in self.words.fluents.items() if not fluent.sorts]
        values: dict[str, str] = {}
        for key, value in node.entries:
            if self.one_of(key, "key", known, " of a heading"):
                term = self.value_of(self.words.fluents[key.text], value)
                values |= {} if term is None else {key.text: text_of(term)}
        return tuple(values.items())

    def action(self, node: Node) -> str:
        """The action as a term, or nothing, if the vocabulary cannot type it."""
        if not isinstance(node, Scalar):
            self.fault("expected an action, or an action: [ROLL, ...]", node.place)
            return ""
        text, wrong = self.typed(node.text)
        if wrong:
            self.fault(wrong, node.place)
        return text

    def _typed(self, text: str) -> tuple[str, str]:
        """The term of an action, and what is wrong with it, if anything."""
        try:
            symbol = parse_named(self.words.rulers.plain(text))
        except InputError as error:
            return "", error.faults[0].message
        return text_of(symbol), self.mistyped(text, symbol)
