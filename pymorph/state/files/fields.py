"""The keys of each kind of file, declared once: they are read by them, and are in the schema.

What a position may have besides is in the vocabulary of its game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from pymorph.errors import Fault, InputError, Place, clipped, in_order, nearest
from pymorph.ruleset.vocabulary import RECORDED, UNFINISHED, Fluent, Vocabulary
from pymorph.terms import MAX_LENGTH, depth
from pymorph.yamlio import LIMITS, Items, Keys, Node, Scalar, is_day

Schema = dict[str, Any]
Near = Callable[[str, Iterable[str]], str]


class Field(NamedTuple):
    """A key: what may stand there, by a schema or the method of `SchemaWriter` that draws one.

    *form* is what messages call a single text that stands there.
    """

    key: str
    schema: Schema | str
    needed: bool = False
    form: str = ""


TEXT: Schema = {"type": "string"}
DAY: Schema = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}
TEXTS: Schema = {"type": "array", "items": TEXT}
ACTIONS = "The actions that a roll interrupted, in the order in which they continue."

EDITION = (  # of the ruleset that was used
    Field("version", {"type": ["string", "number"]}, form="one word"),
    Field("hash", {"type": ["string", "integer"]}, form="one word"),
)
POSITION = (
    Field("ruleset", "game"),
    *EDITION,
    Field("rulings", "rulings"),
    Field(UNFINISHED, {**TEXTS, "description": ACTIONS}),
)
TABLE = (Field("size", "point", needed=True), Field("terrain", "terrain"))
OUTLINES = (Field("area", "outline"), Field("edge", "outline"))
TERRAIN = (Field("label", "labels", needed=True), *OUTLINES)
RECORD = (
    Field("ruleset", "game"),
    *EDITION,
    Field("position", "start", needed=True),
    Field("rulings", "rulings"),
    Field("result", "result"),
    Field(RECORDED, "play", needed=True),
)
GROUP = (Field("at", "heading"), Field("do", "steps", needed=True))
RESULT = (
    Field("wins", {"anyOf": [TEXT, {**TEXTS, "minItems": 1}]}),
    Field("drawn", {"enum": ["yes", True]}),
    Field("by", TEXT, needed=True),
    Field("position", TEXT),
)
CASE_TEXTS = tuple(
    Field(key, TEXT, form="a text") for key in ("id", "title", "tells", "decided", "note")
)
CASE = (
    Field("ruleset", "game"),
    Field("position", "played_start", needed=True),
    Field("rulings", "rulings"),
    Field("claims", "claims", needed=True),
    *EDITION,
    *CASE_TEXTS,
    Field("date", DAY),
)
CLAIM = (
    Field("by", TEXT, form="a text"),
    Field("claim", TEXT, needed=True),
    Field("after", "one_or_more_steps"),
    Field("within", {"type": ["string", "integer"]}, form="a text"),
    Field("who", TEXT, form="a text"),
    Field("against", TEXT, form="a text"),
    Field("rolls", {"anyOf": [TEXT, TEXTS]}),
    Field("expect", "verdicts"),
    Field("rules", TEXTS),
)
HOUSE = (Field("ruleset", "game", needed=True), Field("rulings", "house_rulings", needed=True))
RULING = (
    Field("question", "questions", needed=True),
    Field("option", TEXT, needed=True),
    Field("date", DAY),
    Field("why", TEXT),
    Field("source", TEXT),
)


def is_counted(words: Vocabulary, fluent: Fluent, at: int) -> bool:
    """May there be a list: is the last key an argument, and the value a number?"""
    last = at == len(fluent.path) - 1 and isinstance(fluent.path[at], int)
    return last and words.sorts[fluent.value].kind == "range"


def keys_of(fields: Iterable[Field]) -> list[str]:
    """The keys of some fields."""
    return [field.key for field in fields]


class FileReading:
    """One reading of one file: collects every fault before it gives up."""

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        self.faults = list(faults)
        self.blamed = {fault.place for fault in self.faults}

    def fault(self, message: str, place: Place) -> None:
        """Note a fault, unless there is one at that place already."""
        if place not in self.blamed:
            self.blamed.add(place)
            self.faults.append(Fault(message, place))

    @contextmanager
    def blaming(self, place: Place) -> Iterator[None]:
        """What goes wrong within is a fault at that place."""
        try:
            yield
        except InputError as error:
            self.fault(error.faults[0].message, place)

    def entries(self, node: Node | None, message: str) -> tuple[tuple[Scalar, Node], ...]:
        """The keys and values of a mapping that may be missing; of anything else a fault."""
        if isinstance(node, Keys):
            return node.entries
        if node is not None:
            self.fault(message, node.place)
        return ()

    def check(self) -> None:
        """Raises: InputError with the faults of the file, if there are any."""
        if self.faults:
            raise InputError(in_order(self.faults))

    def mapping(self, root: Node, what: str) -> Keys:
        """The file, if it is a mapping. Raises: InputError that says *what* it should be."""
        if not isinstance(root, Keys):
            raise InputError([*self.faults, Fault(f"expected {what}", root.place)])
        return root

    def require(self, root: Keys, kind: str, *keys: str) -> None:
        """Raises: InputError, if a file of a kind has none of the two keys that it needs."""
        if all(root.get(key) is None for key in keys):
            named = " and ".join(map(repr, keys))
            message = f"not a {kind}: the keys {named} are missing"
            raise InputError(in_order([*self.faults, Fault(message, root.place)]))

    def hint(self, nearest_names: Callable[[], str]) -> str:
        """The nearest names, which take a while to find, for the first faults of a file only."""
        return nearest_names() if len(self.faults) < LIMITS.hints else ""

    def near(self, text: str, known: Iterable[str]) -> str:
        return self.hint(lambda: nearest(text, known))

    def known(
        self, node: Keys, keys: Collection[str], of: str = "", near: Near | None = None
    ) -> None:
        """Note the keys that a mapping may not have."""
        for key, _ in node.entries:
            if key.text not in keys:
                hint = (near or self.near)(key.text, keys)
                self.fault(f"unknown key {clipped(key.text)}{of}{hint}", key.place)

    def word(self, node: Keys, key: str, form: str = "one word") -> str:
        """What stands at a key that may be missing."""
        value = node.get(key)
        if value is None or isinstance(value, Scalar):
            return value.text if value else ""
        self.fault(f"expected {form} for {key!r}", value.place)
        return ""

    def texts_at(self, node: Keys, fields: Sequence[Field]) -> dict[str, str]:
        """The single texts that a mapping has, by their keys."""
        return {f.key: self.word(node, f.key, f.form).strip() for f in fields if f.form}

    def day(self, node: Keys, key: str) -> str:
        """The day that a key has, such as 2026-05-01, if it is there."""
        value = node.get(key)
        if value is None:
            return ""
        if isinstance(value, Scalar) and is_day(value.text):
            return value.text
        self.fault(f"found {in_quotes(value)}; expected a day, such as 2026-05-01", value.place)
        return ""

    def items(self, node: Node | None) -> Iterator[Node]:
        """The items of a list; what YAML has cut at a comma within parentheses is whole again."""
        if node is None or (isinstance(node, Scalar) and not node.text):
            return
        if not isinstance(node, Items):
            self.fault("expected a list, with a dash before each step", node.place)
            return
        begun: Scalar | None = None
        for item in node.items:
            current = item
            if begun is not None:
                if isinstance(item, Scalar) and len(begun.text) <= MAX_LENGTH:
                    current = Scalar(f"{begun.text}, {item.text}", begun.place)
                else:
                    yield begun
            begun = None
            if node.flow and isinstance(current, Scalar) and depth(current.text) > 0:
                begun = current
            else:
                yield current
        if begun is not None:
            yield begun

    def one_or_more(self, node: Node | None) -> Iterator[Node]:
        """The items of a list; one may stand alone."""
        if isinstance(node, Scalar) and node.text:
            yield node
        else:
            yield from self.items(node)


def in_quotes(node: Node) -> str:
    """A single value as messages quote it."""
    return clipped(node.text) if isinstance(node, Scalar) else "more than one word"
