"""Books of precedents as YAML: written out, and read back with every fault at its line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from pymorph import files
from pymorph.book.entries import Entry, Judgement, claims_fault, date_of, rulings_fault
from pymorph.errors import Fault, InputError, Place, clipped, nearest
from pymorph.files import Mapping as Keys
from pymorph.files import Node, Scalar
from pymorph.files import Sequence as Sequenced

MAX_BYTES = 200_000_000
MAX_VALUES = 4_000_000
FORMAT = "1"
JUDGED = ("judged", "version", "hash", "claims")
KEYS = ("title", "date", "note", "ruleset", "rulings", "case", *JUDGED, "history")


def written(entries: Iterable[Entry]) -> str:
    """The entries as a file, which `read` gives back but for their numbers."""
    items = "".join(entry.text() for entry in entries)
    return f"book: {FORMAT}\nentries:" + (f"\n{items}" if items else " []\n")


def read(path: str) -> list[Entry]:
    """The entries that a file was written with, ``-`` for standard input.

    Raises: InputError with every fault of the file, each at its line and column.
    """
    data, name = files.read_bytes(path, MAX_BYTES)
    root, faults = files.parse(files.decode(data, name, MAX_BYTES), name, MAX_VALUES)
    reading = _Reading(faults)
    found = reading.book(root)
    if reading.faults:
        key = [(f.place.line, f.place.column) if f.place else (0, 0) for f in reading.faults]
        order = sorted(range(len(key)), key=key.__getitem__)
        raise InputError([reading.faults[number] for number in order])
    return found


@dataclass(slots=True)
class _Reading:
    """One reading of a book: collects every fault before it gives up."""

    faults: list[Fault] = field(default_factory=list)

    def fault(self, message: str, node: Node) -> None:
        self.faults.append(Fault(message, node.place))

    def book(self, root: Node) -> list[Entry]:
        if not isinstance(root, Keys) or root.get("entries") is None:
            self.fault("no book of precedents: expected the keys 'book' and 'entries'", root)
            return []
        self.known(root, ("book", "entries"))
        made = self.text(root, "book")
        if made not in ("", FORMAT):
            message = f"a book of format {clipped(made)}; this pymorph reads format {FORMAT}"
            self.fault(message, root.get("book") or root)
        entries = root.get("entries")
        if not isinstance(entries, Sequenced):
            self.fault("expected a list, with a dash before each entry", entries or root)
            return []
        return [found for node in entries.items if (found := self.entry(node)) is not None]

    def known(self, node: Keys, keys: tuple[str, ...]) -> None:
        for key, _ in node.entries:
            if key.text not in keys:
                self.fault(f"unknown key {clipped(key.text)}{nearest(key.text, keys)}", key)

    def entry(self, node: Node) -> Entry | None:
        if not isinstance(node, Keys):
            self.fault("expected an entry with a title, a date, a case and its claims", node)
            return None
        self.known(node, KEYS)
        date = self.date(node, "date")
        old = node.get("history")
        if old is not None and not isinstance(old, Sequenced):
            self.fault("expected a list of judgements", old)
        found = Entry(
            self.text(node, "title"),
            date,
            self.case(node),
            self.text(node, "ruleset"),
            self.rulings(node.get("rulings")),
            self.text(node, "note", needed=False),
            self.judgement(node, date),
            tuple(map(self.past, old.items)) if isinstance(old, Sequenced) else (),
        )
        return None if self.faults else found

    def text(self, node: Keys, key: str, needed: bool = True) -> str:
        found = node.get(key)
        if isinstance(found, Scalar) and (found.text or not needed):
            return found.text
        if found is not None:
            self.fault(f"the {key} is a text", found)
        elif needed:
            self.fault(f"the key {key!r} is missing", node)
        return ""

    def date(self, node: Keys, key: str) -> str:
        text = self.text(node, key)
        if text and date_of(text) != text:
            message = (
                f"found {clipped(text)} for {key}; expected 2000-12-31 or 2000-12-31T23:59:59Z"
            )
            self.fault(message, node.get(key) or node)
        return text

    def past(self, node: Node) -> Judgement:
        if not isinstance(node, Keys):
            self.fault("expected a judgement with a date and its claims", node)
            return Judgement("", "", "", ())
        self.known(node, JUDGED)
        return self.judgement(node, "")

    def judgement(self, node: Keys, date: str) -> Judgement:
        told = node.get("judged") is not None or not date
        judged = self.date(node, "judged") if told else date
        version, digest = self.text(node, "version"), self.text(node, "hash")
        return Judgement(judged, version, digest, tuple(self.claims(node)))

    def claims(self, node: Keys) -> list[dict[str, Any]]:
        text = self.text(node, "claims")
        if not text:
            return []
        value = node.get("claims")
        assert isinstance(value, Scalar)
        try:
            found = json.loads(text)
        except json.JSONDecodeError as error:
            place = _within(value, error.lineno, error.colno)
            self.faults.append(Fault(f"no JSON: {error.msg.lower()}", place))
            return []
        except RecursionError:
            self.fault("nested too deeply", value)
            return []
        wrong = claims_fault(found)
        if wrong:
            self.fault(wrong, value)
        return [] if wrong else found

    def rulings(self, node: Node | None) -> dict[str, dict[str, str]]:
        if node is None:
            return {}
        found = _plain(node)
        wrong = rulings_fault(found)
        if wrong:
            self.fault(wrong, node)
        return {} if wrong else found

    def case(self, node: Keys) -> str:
        text = self.text(node, "case")
        value = node.get("case")
        if text and isinstance(value, Scalar):
            self.faults += case_faults(text, lambda place: _moved(value, place))
        return text


def case_faults(text: str, placed: Callable[[Place | None], Place | None]) -> list[Fault]:
    """What keeps *text* from being a whole case, as far as that shows without its ruleset."""
    try:
        root, faults = files.parse(text, "")
    except InputError as error:
        return [Fault(fault.message, placed(fault.place)) for fault in error.faults]
    found = [Fault(fault.message, placed(fault.place)) for fault in faults]
    position = root.get("position") if isinstance(root, Keys) else None
    if position is None or not isinstance(root, Keys) or root.get("claims") is None:
        found.append(Fault("no case: it has no 'position', or no 'claims'", placed(root.place)))
    elif isinstance(position, Scalar) and not position.text.lstrip().startswith("{"):
        message = "the position is not in the case, but in another file"
        found.append(Fault(message, placed(position.place)))
    return found


def _moved(value: Scalar, place: Place | None) -> Place:
    return _within(value, place.line, place.column) if place else value.place


def _within(value: Scalar, line: int, column: int) -> Place:
    """The place in the file of a place in a text of several lines."""
    if value.literal is None:
        return value.place
    first, indent = value.literal
    return Place(value.place.file, first + line - 1, indent + column)


def _plain(node: Node) -> Any:
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequenced):
        return [_plain(item) for item in node.items]
    return {key.text: _plain(value) for key, value in node.entries}
