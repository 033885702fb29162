"""Army lists in CSV, read as the figures of a position.

Names, counts and base sizes are imported, and each column that is called like a key of the game.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count, product
from math import prod
from typing import NamedTuple

from clingo import Symbol

from pymorph import yamlio
from pymorph.answers import json_keys
from pymorph.errors import InputError, Place, clipped, in_order, nearest
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import GIVEN, MAX_LISTED, Fluent, Sort
from pymorph.state.files.reader import Reading, taken_words
from pymorph.state.imports.import_errors import LIMITS, Invalid
from pymorph.state.imports.list_files import BASES, Line, Read, is_windows_1252, read_csv
from pymorph.terms import spoken, text_of

SIZES = re.compile(r"[0-9.,/ ]+(mm|cm|in)?\s*[x×]\s*[0-9]")
BARE = re.compile(r"[0-9./ ]+")


@json_keys(without=["heading", "members"], spread=["ruleset.edition", "data"])
class ImportedList(NamedTuple):
    """The members of a *heading* made of a list, what is not there, with the reason, the keys that
    a position has to have besides, and how something was read that may be meant otherwise."""

    ruleset: Ruleset
    heading: str
    members: dict[str, yamlio.Data]
    left_out: tuple[str, ...]
    missing: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def data(self) -> dict[str, yamlio.Data]:
        return {self.heading: self.members}


class ListOptions(NamedTuple):
    """How to read a list: under which heading, its bases as which key and in which unit, the
    default values, and which column has what."""

    under: str = ""
    base: str = ""
    unit: str = ""
    defaults: Mapping[str, str] = {}
    columns: Mapping[str, str] = {}


def imported(path: str, ruleset: Ruleset, options: ListOptions) -> ImportedList:
    """The figures that a list makes.

    Raises: InputError, with the place.
    """
    listing = Listing(ruleset, options)
    data, name = yamlio.read_bytes(path, LIMITS.list_bytes)
    try:
        old = is_windows_1252(data)
        data = data.decode("cp1252").encode() if old else data
        read = read_csv(yamlio.decode(data, name, LIMITS.list_bytes), name, options.columns)
        notes = ("read as Windows-1252, because it is not UTF-8",) if old else ()
        return listing.members(read._replace(notes=(*notes, *read.notes)))
    except Invalid as error:
        raise InputError(str(error), Place(name)) from None


class Listing:
    """Makes the lines of a list members of a sort, as the keys of the game allow."""

    def __init__(self, ruleset: Ruleset, options: ListOptions) -> None:
        self.ruleset, self.options = ruleset, options
        self.words = ruleset.vocabulary
        self.sort = self.sort_under(options.under)
        self.heading = self.words.headings[self.sort.name]
        self.keys: dict[str, tuple[str, ...]] = {}
        self.fluents: dict[str, Fluent] = {}
        for fluent in self.words.fluents.values():
            if fluent.path[:2] == (self.heading, 0):
                self.add_keys(fluent)
        self.base = self.base_key(options.base)
        self.unit = self.unit_of(options.unit)
        stated = options.defaults.items()
        self.defaults = {self.key(k): value_of(text, Place(f"--set {k}")) for k, text in stated}

    def sort_under(self, heading: str) -> Sort:
        """The sort of the heading that is wished; else the only one of those who act."""
        known = {self.words.headings[sort.name]: sort for sort in self.words.file_sorts()}
        acting = [name for name, sort in known.items() if sort.name in self.words.acting()]
        if heading in known:
            return known[heading]
        if heading:
            raise InputError(f"unknown heading {clipped(heading)}{nearest(heading, known)}")
        if len(acting) != 1:
            problem = "has no heading for a list" if not known else "has several headings"
            hint = f"; choose one with --under: {', '.join(known)}" if known else ""
            raise InputError(f"{self.ruleset.name} {problem}{hint}")
        return known[acting[0]]

    def add_keys(self, fluent: Fluent) -> None:
        """By which words a column may be known that has the values of a fluent."""
        scene = self.words.usual_scene()
        parts: list[Sequence[str | Symbol]] = [
            [step] if isinstance(step, str) else self.words.members(fluent.sorts[step], scene)
            for step in fluent.path[2:]
        ]
        if prod(map(len, parts)) > LIMITS.column_keys:
            return
        for path in product(*parts):
            keys = tuple(key if isinstance(key, str) else text_of(key) for key in path)
            self.keys.setdefault(spoken(" ".join(keys)), keys)
            self.fluents.setdefault(" ".join(keys), fluent)
        title = self.words.titles.get(fluent.name)
        if title and len(fluent.path) == 3:
            self.keys.setdefault(spoken(title), (str(fluent.path[2]),))

    def key(self, text: str) -> tuple[str, ...]:
        """The keys in a file that some words stand for. Raises: InputError."""
        keys = self.keys.get(spoken(text))
        if keys is None:
            raise InputError(f"unknown key {clipped(text)} of a {self.sort}{self.near(text)}")
        return keys

    def near(self, text: str) -> str:
        return nearest(text, [" ".join(keys) for keys in self.keys.values()])

    def base_key(self, name: str) -> tuple[str, ...] | str:
        """The key that has a length, of several the one that is wished, or is called a base; or why
        there is none."""
        sorts = self.words.sorts
        lengths = [name for name, f in self.fluents.items() if sorts[f.value].kind == "length"]
        if name:
            keys = self.key(name)
            if " ".join(keys) not in lengths:
                raise InputError(f"{clipped(name)} is not a length in {self.ruleset.name}")
            return keys
        called = [name for name in lengths if spoken(name) in BASES] or lengths
        if len(called) == 1:
            return self.keys[spoken(called[0])]
        several = f"has several lengths ({', '.join(sorted(called))}); choose one with --base"
        return f"a {self.sort} {several if called else 'has no length'}"

    def unit_of(self, text: str) -> str:
        try:
            return self.words.rulers.unit(text) if text else ""
        except ValueError as error:
            raise InputError(str(error)) from None

    # -- members -----------------------------------------------------------------------------------

    def members(self, read: Read) -> ImportedList:
        """The members that the lines make, checked."""
        self.left_out = list(read.left_out)
        columns = {c: self.key(c) for c in read.columns if spoken(c) in self.keys}
        total = sum(line.many for line in read.lines)
        if not total:
            raise Invalid("the list is empty")
        if total > MAX_LISTED:
            most = f"a position has at most {MAX_LISTED}"
            raise Invalid(f"the list has {total} {self.heading}; {most}")
        nodes: list[tuple[yamlio.Scalar, yamlio.Node]] = []
        unkeyed: set[tuple[str, ...]] = set()  # keys that a line does not have
        for line, names in self.named(read.lines):
            if not names:
                self.left_out.append(f"{clipped(line.name)[1:-1]}: a count of 0")
                continue
            values = {columns[c]: text for c, text in line.values.items() if c in columns and text}
            values |= dict(self.base_of(line))
            written = {keys: value_of(text, line.place) for keys, text in values.items()}
            keyed = {**self.defaults, **written}
            unkeyed |= set(self.keys.values()) - keyed.keys()
            node = node_of(keyed, line.place)
            nodes += [(yamlio.Scalar(name, line.place), node) for name in names]
        place = Place(read.lines[0].place.file)
        members = yamlio.Keys(tuple(nodes), place)
        self.leave_out([column for column in read.columns if column not in columns])
        reading = Reading(None)
        key = yamlio.Scalar(self.heading, place)
        reading.members(self.words, self.sort.name, yamlio.Keys(((key, members),), place))
        if reading.faults:
            raise InputError(in_order(reading.faults))
        data = {name.text: data_of(node) for name, node in nodes}
        given = (name for name, fluent in self.fluents.items() if fluent.default == GIVEN)
        missing = tuple(name for name in given if self.keys[spoken(name)] in unkeyed)
        left_out = tuple(self.left_out)
        return ImportedList(self.ruleset, self.heading, data, left_out, missing, read.notes)

    def leave_out(self, columns: Iterable[str]) -> None:
        """Note columns of which the game has no key, those together that are like none."""
        unknown: dict[str, list[str]] = {}
        for column in columns:
            unknown.setdefault(self.near(column), []).append(clipped(column))
        for near, names in unknown.items():
            word = "column" if len(names) == 1 else "columns"
            self.left_out.append(f"unknown {word} {', '.join(names)}{near}")

    def named(self, lines: Iterable[Line]) -> Iterator[tuple[Line, list[str]]]:
        """Each line with the names of its members, of which no two are alike."""
        lines = list(lines)
        places = self.words.usual_scene().places
        taken = {text_of(word) for word in taken_words(self.words, self.sort.name, places)}
        totals: Counter[str] = Counter()
        for line in lines:
            totals[self.plain(line.name)] += line.many
        for line in lines:
            plain, numbers = self.plain(line.name), count(1)
            names: list[str] = []
            while len(names) < line.many:
                name = plain
                if totals[plain] > 1 or plain in taken:
                    end = f"_{next(numbers)}"
                    name = plain[: yamlio.LIMITS.name - len(end)].rstrip("_") + end
                if name not in taken:
                    taken.add(name)
                    names.append(name)
            yield line, names

    def plain(self, text: str) -> str:
        """A name as a file may have it, in small letters of ASCII."""
        bare = re.sub(r"[^a-z0-9_]", "", "_".join(spoken(text).split())).strip("_")
        name = bare if re.match("[a-z]", bare) else f"{self.sort.name}_{bare}".rstrip("_")
        return name[: yamlio.LIMITS.name].rstrip("_")

    def base_of(self, line: Line) -> list[tuple[tuple[str, ...], str]]:
        """The key and the value of a base, if it can be one; what cannot is left out."""
        text = line.base.strip()
        if not text:
            return []
        try:
            if isinstance(self.base, str):
                raise ValueError(self.base)
            if SIZES.match(text):
                raise ValueError("a base of two sizes is not round")
            if BARE.fullmatch(text) and not self.unit:
                raise ValueError("no unit; give it with --unit")
            if BARE.fullmatch(text):
                text = f"{text} {self.words.rulers.signs.get(self.unit, self.unit)}"
            if self.words.rulers.length(text) <= 0:
                raise ValueError("a base must be larger than 0")
            return [(self.base, text)]
        except ValueError as error:
            reason = f"{clipped(line.name)[1:-1]}: base {clipped(text)}: {error}"
        if reason not in self.left_out:
            self.left_out.append(reason)
        return []


def node_of(values: Mapping[tuple[str, ...], yamlio.Node], place: Place) -> yamlio.Keys:
    """What is said by keys as it stands in a file."""
    nodes: dict[str, yamlio.Node] = {}
    deeper: dict[str, dict[tuple[str, ...], yamlio.Node]] = {}
    for (first, *further), value in values.items():
        nodes.setdefault(first, value)
        if further:
            deeper.setdefault(first, {})[tuple(further)] = value
    nodes |= {key: node_of(inner, place) for key, inner in deeper.items()}
    return yamlio.Keys(tuple((yamlio.Scalar(k, place), v) for k, v in nodes.items()), place)


def value_of(text: str, place: Place) -> yamlio.Node:
    """A value as it is written: in brackets a list, such as a point."""

    def placed(node: yamlio.Node) -> yamlio.Node:
        if isinstance(node, yamlio.Items):
            return yamlio.Items(tuple(map(placed, node.items)), place, True)
        return yamlio.Scalar(yamlio.written(node), place)

    if text.startswith("["):
        with suppress(InputError):
            return placed(yamlio.parse(text, place.file)[0])
    return yamlio.Scalar(text, place)


def data_of(node: yamlio.Node) -> yamlio.Data:
    if isinstance(node, yamlio.Keys):
        return {key.text: data_of(value) for key, value in node.entries}
    if isinstance(node, yamlio.Items):
        return list(map(data_of, node.items))
    return int(node.text) if re.fullmatch(r"0|-?[1-9][0-9]{0,8}", node.text) else node.text
