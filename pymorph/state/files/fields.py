"""The keys of each kind of file, declared once: they are read by them, and are in the schema.

What a position may have besides is in the vocabulary of its game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, NamedTuple

from pymorph.errors import Fault, InputError, Place, clipped, in_order, nearest
from pymorph.ruleset.vocabulary import RECORDED, UNFINISHED, Fluent, Vocabulary
from pymorph.terms import MAX_LENGTH, depth
from pymorph.yamlio import LIMITS, Items, Keys, Node, Scalar, is_day

APART = ("game", "start", "played_start", "rulings")  # read before the others, which need it


class FileForm(NamedTuple):
    """A mapping with declared keys, each with its kind; *such* describes the mapping in messages.

    A kind is the name of the method of a `FileReading` that reads what is at the key, and of the
    schema that is drawn of it. What is *needed* is what messages expect, if the key is missing. The
    *whole* of a file has such keys, or a part of it.
    """

    name: str
    such: str
    kinds: Mapping[str, str]
    needed: Mapping[str, str] = MappingProxyType({})
    whole: bool = False


EDITION = {"version": "text", "hash": "text"}  # of the ruleset that was used
GAME = {"ruleset": "the name of a game"}
START = {"position": "a file or a position"}
POSITION = FileForm(
    "a position",
    "a mapping that starts with 'ruleset: NAME'",
    {"ruleset": "game", **EDITION, "rulings": "rulings", UNFINISHED: "interrupted"},
    GAME,
    whole=True,
)
SIZED = FileForm(
    "a table",
    "a mapping, such as 'table: {size: [48, 36]}'",
    {"size": "size", "terrain": "terrain"},
    {"size": "its width and depth, such as [48, 36]"},
)
OUTLINES = {"area": "outline", "edge": "outline"}
LIKE = "such as 'grove: {label: woods, area: [[12, 5 1/2], [14, 5.5], [14, 8]]}'"
TERRAIN = FileForm(
    "terrain",
    f"a label and an outline, {LIKE}",
    {"label": "label", **OUTLINES},
    {"label": "a label of terrain"},
)
RECORD = FileForm(
    "a record",
    "a mapping with 'position' and, at its end, 'play'",
    {"ruleset": "game", **EDITION, "seed": "text", "position": "start", "rulings": "rulings"}
    | {"result": "result", RECORDED: "play"},
    {**START, RECORDED: "a list of actions"},
    whole=True,
)
GROUP = FileForm(
    "a group",
    "a mapping with 'at' and 'do'",
    {"at": "heading", "do": "steps"},
    {"do": "a list of actions"},
)
RESULT = FileForm(
    "a result",
    "a mapping with 'by', and 'wins' or 'drawn'",
    {"wins": "winners", "drawn": "drawn_game", "by": "line", "position": "final"},
    {"by": "a reason, such as resignation, agreement or time"},
)
CASE_TEXTS = dict.fromkeys(("id", "title", "tells", "decided", "note"), "text")
CASE = FileForm(
    "a case",
    "a mapping with 'position' and 'claims'",
    {"ruleset": "game", "position": "played_start", "rulings": "rulings", "claims": "claims"}
    | {**EDITION, **CASE_TEXTS, "date": "day"},
    {**START, "claims": "a list of items with 'claim' and 'by'"},
    whole=True,
)
# What may be claimed.
CLAIMS = ("legal(ACTION)", "illegal(ACTION)", "FIGURE = VALUE", "happens(EVENT)",
          "before(EVENT, EVENT)", "wins(NAME)", "drawn")  # fmt: skip
EXPECTED = f"{', '.join(CLAIMS[:-1])} or {CLAIMS[-1]}"
CLAIM = FileForm(
    "a claim",
    "a text, or a mapping with 'by' and 'claim'",
    {"by": "text", "claim": "claim", "after": "one_or_more_steps"}
    | dict.fromkeys(("within", "who", "against"), "text")
    | {"rolls": "rolls", "expect": "verdicts", "rules": "ids"},
    {"claim": EXPECTED},
)
HOUSE = FileForm(
    "house rulings",
    "a mapping with 'ruleset' and a list 'rulings'",
    {"ruleset": "game", "rulings": "house_rulings"},
    {**GAME, "rulings": "a list, each item with 'question' and 'option'"},
    whole=True,
)
RULING = FileForm(
    "a ruling",
    "a mapping with 'question' and 'option'",
    {"question": "question", "option": "line", "date": "day", "why": "line", "source": "line"},
    {"question": "the id of a question", "option": "one of its options"},
)


def is_counted(words: Vocabulary, fluent: Fluent, at: int) -> bool:
    """May there be a list: is the last key an argument, and the value a number?"""
    last = at == len(fluent.path) - 1 and isinstance(fluent.path[at], int)
    return last and words.sorts[fluent.value].kind == "range"


class FileReading:
    """One reading of one file: collects every fault before it gives up.

    A method that a `FileForm` names takes the value at a key, and the key. It returns
    what is read, or None after a fault.
    """

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

    def check(self) -> None:
        """Raises: InputError with the faults of the file, if there are any."""
        if self.faults:
            raise InputError(in_order(self.faults))

    def hint(self, nearest_names: Callable[[], str]) -> str:
        """The nearest names, which take a while to find, for the first faults of a file only."""
        return nearest_names() if len(self.faults) < LIMITS.hints else ""

    def near(self, text: str, known: Iterable[str]) -> str:
        return self.hint(lambda: nearest(text, known))

    # -- mappings --------------------------------------------------------------------------------

    def whole(self, root: Node, form: FileForm) -> Keys:
        """A file, if it is a mapping with one of the keys that it needs. Raises: InputError."""
        if not isinstance(root, Keys):
            message = f"expected {form.name}: {form.such}"
        elif len(form.needed) > 1 and all(root.get(key) is None for key in form.needed):
            keys = " and ".join(map(repr, form.needed))
            message = f"not {form.name}: the keys {keys} are missing"
        else:
            return root
        raise InputError(in_order([*self.faults, Fault(message, root.place)]))

    def values(self, node: Node, form: FileForm) -> dict[str, Any]:
        """What a mapping has, by its keys, as far as it can be read; not what is read apart."""
        values: dict[str, Any] = {}
        if not isinstance(node, Keys):
            self.fault(f"expected {form.name}: {form.such}", node.place)
            return values
        of = "" if form.whole else f" of {form.name}"
        hints = ""
        for key, below in node.entries:
            kind = form.kinds.get(key.text)
            if kind is None:
                hints += (hint := self.near(key.text, form.kinds))
                self.fault(f"unknown key {clipped(key.text)}{of}{hint}", key.place)
            elif kind not in APART:
                value = getattr(self, kind)(below, key)
                values |= {} if value is None else {key.text: value}
        for name, expected in form.needed.items():
            absent = form.kinds[name] not in APART and node.get(name) is None
            if absent and repr(name) not in hints:
                self.fault(f"the key {name!r} is missing; expected {expected}", node.place)
        return values

    def entries(self, node: Node | None, message: str) -> tuple[tuple[Scalar, Node], ...]:
        """The keys and values of a mapping that may be missing; of anything else a fault."""
        if isinstance(node, Keys):
            return node.entries
        if node is not None:
            self.fault(message, node.place)
        return ()

    # -- single values ---------------------------------------------------------------------------

    def text(self, node: Node, key: Scalar) -> str | None:
        """A single value as it is written."""
        if isinstance(node, Scalar):
            return node.text.strip()
        self.fault(f"expected a text for {key.text!r}", node.place)
        return None

    def line(self, node: Node, key: Scalar) -> str | None:
        """A text that is not empty, in one line."""
        if isinstance(node, Scalar) and node.text.strip():
            return " ".join(node.text.split())
        self.fault(f"expected a line of text for {key.text!r}", node.place)
        return None

    def one_of(self, node: Node, what: str, known: Collection[str], of: str = "") -> str | None:
        """One of the names that are known."""
        text = node.text if isinstance(node, Scalar) else ""
        if text in known:
            return text
        self.fault(f"unknown {what} {clipped(text)}{of}{self.near(text, known)}", node.place)
        return None

    def day(self, node: Node, _: Scalar) -> str | None:
        """A day, such as 2026-05-01."""
        if isinstance(node, Scalar) and is_day(node.text):
            return node.text
        self.fault(f"found {in_quotes(node)}; expected a day, such as 2026-05-01", node.place)
        return None

    # -- lists -----------------------------------------------------------------------------------

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
