"""YAML read safely with the line of every value; files written whole or not at all."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from pymorph.errors import Fault, InputError, Place, clipped, close_to, printable, reason, visible

Json = dict[str, Any]


class FileLimits(NamedTuple):
    """How large a file may be, and how much of it a message goes into."""

    bytes: int = 1_000_000
    nodes: int = 60_000
    long_bytes: int = 8_000_000  # of a file with what was played in it
    long_nodes: int = 400_000
    rules_bytes: int = 256 * 1024  # of a file of rules, which is no YAML
    depth: int = 12
    name: int = 32  # letters of a name that a file lists
    terrain: int = 2000  # pieces on a table
    points: int = 5000  # of one piece
    odd_lines: int = 20  # that are listed, with characters that are not allowed
    hints: int = 20  # faults of which the nearest names are looked for
    entries: int = 2000  # of a folder, that are compared with a misspelt one


LIMITS = FileLimits()
TOO_DEEP = f"nested deeper than {LIMITS.depth} levels"
LEADS_OUT = "cannot follow a link that leads out of the folder; copy the file into it"
# What YAML knows no place for, and line ends that editors do not count as such.
ODD = "[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_()-]*")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Scalar(NamedTuple):
    """A single value as it was typed, and where its text begins."""

    text: str
    place: Place
    literal: tuple[int, int] | None = None  # first line and indent of a block scalar
    end: Place | None = None  # the place after it


class Items(NamedTuple):
    """A list."""

    items: tuple[Node, ...]
    place: Place
    flow: bool = False  # in brackets, where a comma parts what stands in parentheses too


class Keys(NamedTuple):
    """A mapping: each key with what stands there."""

    entries: tuple[tuple[Scalar, Node], ...]
    place: Place

    def get(self, key: str) -> Node | None:
        return next((value for name, value in self.entries if name.text == key), None)


Node = Scalar | Items | Keys


class _Reader:
    """Builds the tree of one document from YAML events, without tags, anchors or aliases."""

    def __init__(self, name: str, lines: list[str], events: Iterator[Any], most: int) -> None:
        self.name, self.lines, self.events, self.most = name, lines, events, most
        self.nodes = 0
        self.faults: list[Fault] = []

    def place(self, mark: Any) -> Place:
        return Place(self.name, mark.line + 1, mark.column + 1)

    def fault(self, message: str, mark: Any) -> None:
        self.faults.append(Fault(message, self.place(mark)))

    def document(self) -> Node:
        """The one document that there has to be."""
        next(self.events)
        if isinstance(next(self.events), yaml.StreamEndEvent):
            raise InputError("the file is empty", Place(self.name, 1))
        root = self.node(next(self.events))
        next(self.events)
        after = next(self.events)
        if not isinstance(after, yaml.StreamEndEvent):
            self.fault("the file has more than one YAML document; expected one", after.start_mark)
        return root

    def node(self, event: Any, depth: int = 0) -> Node:
        self.nodes += 1
        mark, place = event.start_mark, self.place(event.start_mark)
        if depth > LIMITS.depth or self.nodes > self.most:
            most = f"the file has more than {self.most} values"
            message = TOO_DEEP if depth > LIMITS.depth else most
            raise InputError([*self.faults, Fault(message, place)])
        if isinstance(event, yaml.AliasEvent):
            self.fault("YAML aliases (*name) are not allowed; write the value out", mark)
            return Scalar("", place)
        if event.anchor:
            self.fault("YAML anchors (&name) are not allowed; write the value out", mark)
        elif event.tag not in (None, "!"):
            self.fault(f"YAML tags ({clipped(event.tag)}) are not allowed; remove it", mark)
        if isinstance(event, yaml.ScalarEvent):
            return Scalar(event.value, place, self.literal(event), self.place(event.end_mark))
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Node] = []
            while not isinstance(inner := next(self.events), yaml.SequenceEndEvent):
                items.append(self.node(inner, depth + 1))
            return Items(tuple(items), place, bool(event.flow_style))
        return self.mapping(mark, depth)

    def mapping(self, mark: Any, depth: int) -> Keys:
        entries: dict[str, tuple[Scalar, Node]] = {}
        while not isinstance(inner := next(self.events), yaml.MappingEndEvent):
            key = self.node(inner, depth + 1)
            value = self.node(next(self.events), depth + 1)
            if not isinstance(key, Scalar):
                self.fault("expected a single word as the key", inner.start_mark)
            elif key.text in entries:
                first = entries[key.text][0].place
                message = f"{clipped(key.text)} is given twice, first in line {first.line}"
                self.faults.append(Fault(message, key.place))
            else:
                entries[key.text] = (key, value)
        return Keys(tuple(entries.values()), self.place(mark))

    def literal(self, event: Any) -> tuple[int, int] | None:
        """First line (from 1) and indent of a block scalar, so that faults in it can be placed."""
        if event.style != "|":
            return None
        first = event.start_mark.line + 1
        for number, text in enumerate(event.value.split("\n")):
            if text and first + number < len(self.lines):
                return (first + 1, max(len(self.lines[first + number]) - len(text), 0))
        return (first + 1, 0)


def parse(text: str, name: str, most: int = LIMITS.nodes) -> tuple[Node, list[Fault]]:
    """The tree of a YAML document, every value as the text that was typed, and what is amiss in it.

    Raises: InputError, if there is no tree: not YAML, nothing in it, too deep or too much.
    """
    reader = _Reader(name, text.split("\n"), iter(yaml.parse(text, Loader=LOADER)), most)
    try:
        return reader.document(), reader.faults
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = reader.place(mark) if mark else Place(name)
        what = (error.problem or error.context or "not readable").strip().rstrip(".")
        # libyaml reads ahead, and has a bound of its own where it does not know one from a key.
        message = TOO_DEEP if "maximum nesting depth" in what else f"not YAML: {what}"
        raise InputError([*reader.faults, Fault(message, place)]) from None
    except yaml.YAMLError as error:
        what = str(error).strip().split("\n")[0][:120]
        raise InputError([*reader.faults, Fault(f"not YAML: {what}", Place(name))]) from None


def decode(data: bytes, name: str, most: int = LIMITS.bytes) -> str:
    """*data* as text. Raises: InputError if it is too large, not UTF-8, or holds odd characters."""
    if len(data) > most:
        raise InputError(f"the file is larger than {most:,} bytes", Place(name))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        start = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[start : error.start].decode("utf-8", "replace")) + 1
        message = f"not UTF-8 text: byte {data[error.start]:#04x}"
        raise InputError(message, Place(name, line, column)) from None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if odd(text):
        raise InputError(_odd_faults(text, name))
    return text


@lru_cache(maxsize=2)
def _pattern(ascii_alone: bool) -> re.Pattern[str]:
    return re.compile("[^\t\n\x20-\x7e]" if ascii_alone else ODD)  # which takes a while


def odd(text: str) -> re.Match[str] | None:
    """The first odd character of a text."""
    return _pattern(text.isascii()).search(text)


def _odd_faults(text: str, name: str) -> list[Fault]:
    """The first odd character of each line that has one, as far as a person would read on."""
    faults = [
        Fault(f"the character {match[0]!r} is not allowed", Place(name, number, match.start() + 1))
        for number, line in enumerate(text.split("\n"), 1)
        if (match := odd(line))
    ]
    if (more := len(faults) - LIMITS.odd_lines) > 0:
        message = f"and characters that are not allowed in {more} more lines"
        faults[LIMITS.odd_lines :] = [Fault(message, Place(name))]
    return faults


def name_of(path: str) -> str:
    """What messages call a FILE: ``-`` is <stdin>, a text that opens with { is <line>."""
    if path == "-":
        return "<stdin>"
    return "<line>" if path.lstrip().startswith("{") else printable(path) or "''"


def folder_of(path: str) -> Path | None:
    """The folder in which a file looks for what it names; None for standard input: here."""
    return None if path == "-" else Path(path).parent


def leads_out(path: Path, *folders: Path) -> bool:
    """Is a file, or a folder on the way to it, a link to what lies in none of the *folders*?"""
    target = Path(os.path.realpath(path))
    return not any(target.is_relative_to(os.path.realpath(folder)) for folder in folders)


def path_in(folder: Path, name: str) -> str:
    """The path of a file that is read since it lies in a folder, though nobody has named it.

    Raises: InputError, if it is a link out of the folder.
    """
    path = folder / name
    if leads_out(path, folder):
        raise InputError(LEADS_OUT, Place(name_of(str(path))))
    return str(path)


def contents(
    path: str | os.PathLike[str], most: int = LIMITS.long_bytes
) -> tuple[str, str, Path | None]:
    """The text of a file, which may be a long one, its name, and where it looks for others."""
    name = os.fspath(path)
    return *read(name, most), folder_of(name)


def read(path: str, most: int = LIMITS.bytes) -> tuple[str, str]:
    """The text of a file and the name it goes by; ``-`` is standard input, called <stdin>.

    Raises: InputError if it cannot be read.
    """
    data, name = read_bytes(path, most)
    return decode(data, name, most), name


def read_bytes(path: str, most: int) -> tuple[bytes, str]:
    """What `read` makes text of; of a file that is larger than *most*, one byte more than that.

    Raises: InputError if it cannot be read.
    """
    name = name_of(path)
    try:
        if path == "-":
            if sys.stdin is None:
                raise OSError(0, "it is closed")
            return sys.stdin.buffer.read(most + 1), name
        with open(path, "rb") as file:
            return file.read(most + 1), name
    except (OSError, ValueError) as error:
        absent = isinstance(error, FileNotFoundError | IsADirectoryError)
        near = near_file(path) if absent else ""
        raise InputError(f"cannot be read: {reason(error)}{near}", Place(name)) from None


def near_file(path: str) -> str:
    """A phrase that names the files nearest to one that is not there, or those in a folder."""
    if os.path.isdir(path):
        inside = sorted([*Path(path).glob("*.yaml"), *Path(path).glob("positions/*.yaml")])
        listed = [clipped(str(file), 80) for file in inside[:3]]
        return f"; it contains {', '.join(listed)}{', ...' * (len(inside) > 3)}" if listed else ""
    steps = [*reversed(Path(path).parents), Path(path)]
    number = next((n for n, step in enumerate(steps) if not step.exists()), 0)
    there: dict[str, list[str]] = {}
    try:
        for entry in sorted(os.listdir(steps[number - 1]))[: LIMITS.entries] if number else ():
            there.setdefault(Path(entry).stem.lower(), []).append(entry)
    except OSError:
        return ""
    close = close_to(steps[number].stem.lower(), there)
    names = [clipped(str(steps[number - 1] / name), 80) for stem in close for name in there[stem]]
    return f"; did you mean {' or '.join(names[:3])}?" if names else ""


def write(path: str | Path, text: str) -> None:
    """Write *text* to *path*, whole or not at all; what is no plain file, such as a pipe, directly.

    Raises: InputError if that is not possible; the old file is then untouched.
    """
    import tempfile

    temporary = None
    try:
        data = text.encode("utf-8")
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file() and not target.is_dir():
            with target.open("wb") as device:
                device.write(data)
            return
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        os.chmod(temporary, mode)
        os.replace(temporary, target)
        temporary = None
    except (OSError, ValueError) as error:
        place = Place(printable(str(path)) or "''")
        raise InputError(f"cannot be written: {reason(error)}", place) from None
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def written(node: Node) -> str:
    """A value as it could have been typed in one line, lists in brackets."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Items):
        return f"[{', '.join(map(written, node.items))}]"
    return "{}"


Data = str | int | list["Data"] | dict[str, "Data"]


def flow(data: Data) -> str:
    """*data* in one line of flow style, which `parse` reads back."""
    if isinstance(data, dict):
        return "{" + ", ".join(f"{_scalar(k)}: {flow(v)}" for k, v in data.items()) + "}"
    if isinstance(data, list):
        return "[" + ", ".join(map(flow, data)) + "]"
    return _scalar(data)


def block(data: dict[str, Data], indent: str = "") -> str:
    """*data* in block style, as people write it."""
    lines = []
    for name, value in data.items():
        key = _scalar(name)
        plain = isinstance(value, str) and visible(value, "\n\t") == value
        if isinstance(value, str) and plain and value.strip() and value == value.strip() + "\n":
            drawing = "\n".join(f"{indent}  {row}" for row in value[:-1].split("\n"))
            lines.append(f"{indent}{key}: |\n{drawing}\n")
        elif isinstance(value, dict) and value and len(indent) < 4 and not _short(value):
            lines.append(f"{indent}{key}:\n{block(value, indent + '  ')}")
        else:
            lines.append(f"{indent}{key}: {flow(value)}\n")
    return "".join(lines)


def _short(value: dict[str, Data]) -> bool:
    return len(flow(value)) <= 76 and not any(isinstance(v, dict) for v in value.values())


def _scalar(value: str | int) -> str:
    if isinstance(value, int):
        return str(value)
    if PLAIN.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + visible(escaped, "\t") + '"'


def is_day(text: str) -> bool:
    """Is *text* a day, written as 2026-05-01?"""
    try:
        return DAY.fullmatch(text) is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False
