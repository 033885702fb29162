"""YAML read safely with the line of every value; files written whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from pymorph.errors import Fault, InputError, Place, clipped

MAX_BYTES = 1_000_000
MAX_DEPTH = 12
MAX_NODES = 20_000
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value as it was typed, and where its text begins."""

    text: str
    place: Place
    literal: tuple[int, int] | None = None  # first line and indent of a block scalar


@dataclass(frozen=True, slots=True)
class Sequence:
    items: tuple[Node, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Mapping:
    entries: tuple[tuple[Scalar, Node], ...]
    place: Place

    def get(self, key: str) -> Node | None:
        return next((value for name, value in self.entries if name.text == key), None)


Node = Scalar | Sequence | Mapping


@dataclass(slots=True)
class _Reader:
    """Builds the tree of one document from YAML events, without tags, anchors or aliases."""

    name: str
    lines: list[str]
    events: Iterator[Any]
    nodes: int = 0
    faults: list[Fault] = field(default_factory=list)

    def place(self, mark: Any) -> Place:
        return Place(self.name, mark.line + 1, mark.column + 1)

    def refuse(self, message: str, mark: Any) -> InputError:
        return InputError([*self.faults, Fault(message, self.place(mark))])

    def node(self, event: Any, depth: int = 0) -> Node:
        self.nodes += 1
        mark = event.start_mark
        if depth > MAX_DEPTH:
            raise self.refuse(f"nested deeper than {MAX_DEPTH} levels", mark)
        if self.nodes > MAX_NODES:
            raise self.refuse(f"more than {MAX_NODES} values in one file", mark)
        if isinstance(event, yaml.AliasEvent):
            raise self.refuse("aliases (*name) are not used here; write the value out", mark)
        if event.anchor:
            raise self.refuse("anchors (&name) are not used here; write the value out", mark)
        if event.tag not in (None, "!"):
            raise self.refuse(f"tags ({clipped(event.tag)}) are not used here", mark)
        if isinstance(event, yaml.ScalarEvent):
            return Scalar(event.value, self.place(mark), self.literal(event))
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Node] = []
            while not isinstance(inner := next(self.events), yaml.SequenceEndEvent):
                items.append(self.node(inner, depth + 1))
            return Sequence(tuple(items), self.place(mark))
        entries: dict[str, tuple[Scalar, Node]] = {}
        while not isinstance(inner := next(self.events), yaml.MappingEndEvent):
            key = self.node(inner, depth + 1)
            value = self.node(next(self.events), depth + 1)
            if not isinstance(key, Scalar):
                raise self.refuse("a key is a single word", inner.start_mark)
            if key.text in entries:
                first = entries[key.text][0].place
                message = f"{clipped(key.text)} is given twice, first in line {first.line}"
                self.faults.append(Fault(message, key.place))
            else:
                entries[key.text] = (key, value)
        return Mapping(tuple(entries.values()), self.place(mark))

    def literal(self, event: Any) -> tuple[int, int] | None:
        """First line (from 1) and indent of a block scalar, so that faults in it can be placed."""
        if event.style != "|":
            return None
        first = event.start_mark.line + 1
        content = event.value.split("\n")
        for number, text in enumerate(content):
            if text and first + number < len(self.lines):
                raw = self.lines[first + number]
                return (first + 1, max(raw.find(text), 0))
        return (first + 1, 0)


def parse(text: str, name: str) -> Node:
    """The tree of a YAML document, every value as the text that was typed.

    Raises: InputError with every fault that can be told apart.
    """
    lines = text.split("\n")
    try:
        events = yaml.parse(text, Loader=LOADER)
        reader = _Reader(name, lines, iter(events))
        if not isinstance(next(reader.events), yaml.StreamStartEvent):
            raise InputError(Fault("not a YAML document", Place(name, 1)))
        start = next(reader.events)
        if isinstance(start, yaml.StreamEndEvent):
            raise InputError(Fault("the file is empty", Place(name, 1)))
        root = reader.node(next(reader.events))
        next(reader.events)
        after = next(reader.events)
        if not isinstance(after, yaml.StreamEndEvent):
            raise reader.refuse("more than one document in the file", after.start_mark)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(name, mark.line + 1, mark.column + 1) if mark else Place(name)
        what = (error.problem or error.context or "not readable").strip().rstrip(".")
        raise InputError(Fault(f"not YAML: {what}", place)) from None
    except yaml.YAMLError as error:
        raise InputError(Fault(f"not YAML: {_first_line(error)}", Place(name))) from None
    if reader.faults:
        raise InputError(reader.faults)
    return root


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0][:120]


def decode(data: bytes, name: str) -> str:
    """*data* as text. Raises: InputError if it is too large, not UTF-8, or holds odd characters."""
    if len(data) > MAX_BYTES:
        raise InputError(Fault(f"larger than {MAX_BYTES:,} bytes", Place(name)))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(Fault("not UTF-8 text", Place(name, line))) from None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    for number, line_text in enumerate(text.split("\n"), 1):
        for column, letter in enumerate(line_text, 1):
            if (ord(letter) < 32 and letter != "\t") or 127 <= ord(letter) < 160:
                message = f"the character {letter!r} is not allowed"
                raise InputError(Fault(message, Place(name, number, column)))
    return text


def read(path: str) -> tuple[str, str]:
    """The text of a file and the name it goes by; ``-`` is standard input, called <stdin>.

    Raises: InputError if it cannot be read.
    """
    if path == "-":
        return decode(sys.stdin.buffer.read(MAX_BYTES + 1), "<stdin>"), "<stdin>"
    try:
        with open(path, "rb") as file:
            return decode(file.read(MAX_BYTES + 1), path), path
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a readable file"
        raise InputError(
            Fault(reason[:1].lower() + reason[1:], Place(clipped(path, 200)[1:-1]))
        ) from None


def write(path: str | Path, text: str) -> None:
    """Write *text* to *path*, whole or not at all.

    Raises: InputError if that is not possible; the old file is then untouched.
    """
    target = Path(path)
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except (OSError, ValueError) as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or "not a writable file"
        raise InputError(Fault(f"cannot write: {reason}", Place(str(path)))) from None


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


Data = str | int | list["Data"] | dict[str, "Data"]


def flow(data: Data) -> str:
    """*data* in one line of flow style, which `parse` reads back."""
    if isinstance(data, dict):
        return "{" + ", ".join(f"{key}: {flow(value)}" for key, value in data.items()) + "}"
    if isinstance(data, list):
        return "[" + ", ".join(map(flow, data)) + "]"
    return _scalar(data)


def block(data: dict[str, Data], indent: str = "") -> str:
    """*data* in block style, as people write it."""
    lines = []
    for key, value in data.items():
        if isinstance(value, str) and "\n" in value:
            rows = "\n".join(f"{indent}  {row}" for row in value.rstrip("\n").split("\n"))
            lines.append(f"{indent}{key}: |\n{rows}\n")
        elif isinstance(value, dict) and (len(indent) < 4 and not _short(value)):
            lines.append(f"{indent}{key}:\n{block(value, indent + '  ')}")
        else:
            lines.append(f"{indent}{key}: {flow(value)}\n")
    return "".join(lines)


def _short(value: dict[str, Data]) -> bool:
    return (
        bool(value)
        and len(flow(value)) <= 76
        and not any(isinstance(v, dict) for v in value.values())
    )


def _scalar(value: str | int) -> str:
    if isinstance(value, int):
        return str(value)
    if value and all(c.isalnum() or c in "_-" for c in value) and value.isascii():
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
