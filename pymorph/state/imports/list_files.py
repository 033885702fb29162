"""What army lists of other programs say: tables of names and counts."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pymorph.errors import Fault, InputError, Place, clipped, in_order, nearest
from pymorph.state.imports.import_errors import LIMITS, Invalid
from pymorph.terms import spoken

NAMES, COUNTS, BASES = {" name"}, {" count", " number", " quantity"}, {" base", " base size"}
COUNT = re.compile(r"[x×]?\s*([0-9]{1,6})\s*[x×]?")
UTF_8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
# A number as it is written where a comma is a point.
DECIMAL = re.compile(r"\A(-?[0-9]+),([0-9]+)([^0-9]*)\Z")
# A name with how many there are of it: before it, `3x NAME`; or after it, `NAME (3)`, `NAME x4`. A
# number alone may belong to the name.
BEFORE = re.compile(r"([0-9]+) ?(?:[xX×] |×|x(?=[^\Wa-z0-9_]))(.+)")
AFTER = re.compile(
    r"(.*\S)(?: ?\( ?[xX×]? ?([0-9]+) ?[xX×]? ?\)| [xX×] ?([0-9]+)| ([0-9]+) ?[xX×])"
)
BARE = re.compile(r"[0-9]+ \w.*|.*\w [0-9]+")


class Line(NamedTuple):
    """A line of a list: so many of a name, their values by column, and their base."""

    name: str
    many: int
    values: Mapping[str, str]
    base: str
    place: Place


class Read(NamedTuple):
    """What a list says, what of it is not taken, with the reason, and what may be meant
    otherwise than it is read."""

    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def count_of(text: str) -> int:
    match = COUNT.fullmatch(text.strip())
    if match is None:
        raise Invalid(f"found {clipped(text)}; expected a count")
    return int(match[1])


def in_name(text: str) -> tuple[str, str]:
    """A name, and the count that is written before or after it, if one is."""
    text = " ".join(text.split())
    for pattern, at in ((BEFORE, 2), (AFTER, 1)):
        match = pattern.fullmatch(text)
        if match and re.search(r"[^\W\d_]", match[at]):
            return match[at].strip(), next(filter(None, match.groups()[at % 2 :]))
    return text, ""


def is_windows_1252(data: bytes) -> bool:
    """Is a text no UTF-8, nor meant to be, but the character set that spreadsheets had before?"""
    try:
        data.decode("utf-8")
        return False
    except UnicodeDecodeError:
        return {*b"\0\x81\x8d\x8f\x90\x9d"}.isdisjoint(data) and not UTF_8.search(data)


def read_csv(text: str, file: str, chosen: Mapping[str, str]) -> Read:
    """The lines of a table in which a comma, a semicolon, a tab or a | stands between cells."""
    between, lines = csv_rows(text, file)
    header = [cell.strip() for cell in next(lines, (0, ()))[1]]
    if not header:
        raise Invalid("the file is empty")
    if len(header) > LIMITS.columns:
        raise Invalid(f"the list has {len(header):,} columns; at most {LIMITS.columns} are allowed")
    kinds = columns_of(header, chosen)
    if "name" not in kinds:
        there = ", ".join(clipped(c) for c in header[:8] if c)
        raise Invalid(f"no column 'name'; there are {there}; choose one with --column name=COLUMN")
    twice = [cell for cell, count in Counter(filter(None, header)).items() if count > 1]
    if twice:
        raise Invalid(f"two columns are called {clipped(twice[0])}")
    parsed, left_out, faults, notes = [], [], [], []
    nameless: set[int] = set()
    for line_number, cells in lines:
        place = Place(file, line_number)
        cells = [cell.strip() for cell in cells]
        keyed = enumerate(zip(header, cells, strict=False))
        nameless.update(n for n, (key, cell) in keyed if cell and not key)
        values = dict(zip(header, cells, strict=False))
        name = values.pop(header[kinds["name"]], "")
        if between != ",":
            values = {key: DECIMAL.sub(r"\1.\2\3", cell) for key, cell in values.items()}
        base = values.pop(header[kinds["base"]], "") if "base" in kinds else ""
        column = values.pop(header[kinds["count"]], "") if "count" in kinds else ""
        name, counted = in_name(name)
        many = column or counted or ("" if "count" in kinds else "1")
        values = {key_of(key, chosen): cell for key, cell in values.items() if key}
        if any(cells[len(header) :]):
            faults.append(Fault(f"the line has more cells than the {len(header)} columns", place))
            continue
        if not name or not many:
            left_out.append(f"line {line_number}: no {'count' if name else 'name'}")
            continue
        try:
            parsed.append(Line(name, count_of(many), values, base, place))
            if column and counted and count_of(counted) != count_of(column):
                notes.append(f"line {line_number}: the count is {column}; the name says {counted}")
        except Invalid as error:
            faults.append(Fault(str(error), place))
        if not column and (BARE.fullmatch(name) or in_name(name)[1]):
            notes.append(f"line {line_number}: {clipped(name)} is read as a name without a count")
        if len(cells) < len(header):
            notes.append(f"line {line_number}: {len(cells)} cells for {len(header)} columns")
    if faults:
        raise InputError(in_order(faults))
    if nameless:
        numbers = ", ".join(str(n + 1) for n in sorted(nameless)[: LIMITS.columns_named])
        left_out.append(f"columns without a name: {numbers}")
    taken = {header[column] for column in kinds.values()}
    columns = [key_of(cell, chosen) for cell in header if cell and cell not in taken]
    return Read(tuple(columns), tuple(parsed), tuple(left_out), tuple(notes))


def csv_rows(text: str, file: str) -> tuple[str, Iterator[tuple[int, list[str]]]]:
    """What is between cells; and the rows that are not blank, each with the line where it ends."""
    first, _, after = text.partition("\n")
    stated = re.fullmatch(r"sep=(.)", first.strip("\n"))
    before = 1 if stated else 0
    text = after if stated else text
    opening = next((line for line in io.StringIO(text) if line.strip()), "")
    bare = re.sub(r'"[^"]*"', "", opening)
    between = stated[1] if stated else max(",;\t|", key=bare.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=between, strict=True)

    def rows() -> Iterator[tuple[int, list[str]]]:
        try:
            for number, cells in enumerate(reader):
                if number > LIMITS.rows:
                    raise Invalid(f"the file has more than {LIMITS.rows:,} lines")
                if any(cell.strip() for cell in cells):
                    yield reader.line_num + before, cells
        except csv.Error as error:
            place = Place(file, reader.line_num + before)
            raise InputError(f"not CSV: {str(error)[:100]}", place) from None

    return between, rows()


def columns_of(header: Sequence[str], chosen: Mapping[str, str]) -> dict[str, int]:
    """The columns of names, counts and bases, by their number."""
    for key, column in chosen.items():
        if column not in header:
            raise Invalid(f"unknown column {clipped(column)} for {key}{nearest(column, header)}")
    columns: dict[str, int] = {}
    for kind, words in (("name", NAMES), ("count", COUNTS), ("base", BASES)):
        if kind in chosen:
            columns[kind] = header.index(chosen[kind])
            continue
        free = [n for n, cell in enumerate(header) if cell not in chosen.values()]
        like = [n for n in free if spoken(header[n]) in words]
        if len(like) > 1:
            names = ", ".join(clipped(header[n]) for n in like)
            raise Invalid(f"the {kind} may be in {names}; choose one with --column {kind}=COLUMN")
        columns |= {kind: like[0]} if like else {}
    return columns


def key_of(column: str, chosen: Mapping[str, str]) -> str:
    """The key that is chosen for a column, or its own name."""
    return next((key for key, name in chosen.items() if name == column), column)
