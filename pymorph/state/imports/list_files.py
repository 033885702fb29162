"""What army lists of other programs say: tables of names and counts."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pymorph.errors import Fault, InputError, Place, clipped, in_order, nearest
from pymorph.state.imports.import_errors import Amiss
from pymorph.terms import spoken

MOST_WHERE = 5  # columns that are named
NAMES, COUNTS, BASES = {" name"}, {" count", " number", " quantity"}, {" base", " base size"}
COUNT = re.compile(r"[x×]?\s*([0-9]{1,6})\s*[x×]?")
MOST_COLUMNS, MOST_ROWS = 500, 20_000
UTF_8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
DECIMAL = re.compile(r"(-?[0-9]+),([0-9]+)([^0-9]*)")  # as it is written where a comma is a point
# A name with how many there are of it: before it, `3x NAME`; or after it, `NAME (3)`, `NAME x4`. A
# number alone may belong to the name.
BEFORE = re.compile(r"([0-9]+) ?(?:[xX×] |×|x(?=[^\Wa-z0-9_]))(.+)")
AFTER = re.compile(
    r"(.*\S)(?: ?\( ?[xX×]? ?([0-9]+) ?[xX×]? ?\)| [xX×] ?([0-9]+)| ([0-9]+) ?[xX×])"
)
BARE = re.compile(r"[0-9]+ \w.*|.*\w [0-9]+")


class Line(NamedTuple):
    """A line of a list: so many of a name, what it says of each by column, and their base."""

    name: str
    many: int
    said: Mapping[str, str]
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
    found = COUNT.fullmatch(text.strip())
    if found is None:
        raise Amiss(f"found {clipped(text)}; expected a count")
    return int(found[1])


def in_name(text: str) -> tuple[str, str]:
    """A name, and the count that is written before or after it, if one is."""
    text = " ".join(text.split())
    for pattern, at in ((BEFORE, 2), (AFTER, 1)):
        found = pattern.fullmatch(text)
        if found and re.search(r"[^\W\d_]", found[at]):
            return found[at].strip(), next(filter(None, found.groups()[at % 2 :]))
    return text, ""


def is_windows_1252(data: bytes) -> bool:
    """Is a text no UTF-8, nor meant to be, but the character set that spreadsheets had before?"""
    try:
        data.decode("utf-8")
        return False
    except UnicodeDecodeError:
        odd = {*b"\0\x81\x8d\x8f\x90\x9d"}
        return odd.isdisjoint(data) and not UTF_8.search(data)


def read_csv(text: str, file: str, wished: Mapping[str, str]) -> Read:
    """The lines of a table in which a comma, a semicolon, a tab or a | stands between cells."""
    between, rows = csv_rows(text, file)
    header = [cell.strip() for cell in next(rows, (0, ()))[1]]
    if not header:
        raise Amiss("the file is empty")
    if len(header) > MOST_COLUMNS:
        raise Amiss(f"the list has {len(header):,} columns; at most {MOST_COLUMNS} are allowed")
    kinds = columns_of(header, wished)
    if "name" not in kinds:
        there = ", ".join(clipped(c) for c in header[:8] if c)
        raise Amiss(f"no column 'name'; there are {there}; choose one with --column name=COLUMN")
    twice = [cell for cell, number in Counter(filter(None, header)).items() if number > 1]
    if twice:
        raise Amiss(f"two columns are called {clipped(twice[0])}")
    lines, left_out, faults, notes = [], [], [], []
    nameless: set[int] = set()
    for number, cells in rows:
        place = Place(file, number)
        cells = [cell.strip() for cell in cells]
        nameless.update(
            n for n, (key, cell) in enumerate(zip(header, cells, strict=False)) if cell and not key
        )
        said = dict(zip(header, cells, strict=False))
        name = said.pop(header[kinds["name"]], "")
        if between != ",":
            said = {
                key: DECIMAL.sub(r"\1.\2\3", cell) if DECIMAL.fullmatch(cell) else cell
                for key, cell in said.items()
            }
        base = said.pop(header[kinds["base"]], "") if "base" in kinds else ""
        column = said.pop(header[kinds["count"]], "") if "count" in kinds else ""
        name, counted = in_name(name)
        many = column or counted or ("" if "count" in kinds else "1")
        said = {wished_key(key, wished): cell for key, cell in said.items() if key}
        if any(cells[len(header) :]):
            faults.append(Fault(f"the line has more cells than the {len(header)} columns", place))
            continue
        if not name or not many:
            left_out.append(f"line {number}: no {'count' if name else 'name'}")
            continue
        try:
            lines.append(Line(name, count_of(many), said, base, place))
            if column and counted and count_of(counted) != count_of(column):
                notes.append(f"line {number}: the count is {column}; the name says {counted}")
        except Amiss as error:
            faults.append(Fault(str(error), place))
        if not column and (BARE.fullmatch(name) or in_name(name)[1]):
            notes.append(f"line {number}: {clipped(name)} is read as a name without a count")
        if len(cells) < len(header):
            notes.append(f"line {number}: {len(cells)} cells for {len(header)} columns")
    if faults:
        raise InputError(in_order(faults))
    if nameless:
        told = ", ".join(str(n + 1) for n in sorted(nameless)[:MOST_WHERE])
        left_out.append(f"columns without a name: {told}")
    taken = {header[number] for number in kinds.values()}
    columns = [wished_key(cell, wished) for cell in header if cell and cell not in taken]
    return Read(tuple(columns), tuple(lines), tuple(left_out), tuple(notes))


def csv_rows(text: str, file: str) -> tuple[str, Iterator[tuple[int, list[str]]]]:
    """What is between cells; and the rows that are not blank, each with the line where it ends."""
    first, _, rest = text.partition("\n")
    said = re.fullmatch(r"sep=(.)", first.strip("\n"))
    before = 1 if said else 0
    text = rest if said else text
    opening = next((line for line in io.StringIO(text) if line.strip()), "")
    bare = re.sub(r'"[^"]*"', "", opening)
    between = said[1] if said else max(",;\t|", key=bare.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=between, strict=True)

    def rows() -> Iterator[tuple[int, list[str]]]:
        try:
            for number, row in enumerate(reader):
                if number > MOST_ROWS:
                    raise Amiss(f"the file has more than {MOST_ROWS:,} lines")
                if any(cell.strip() for cell in row):
                    yield reader.line_num + before, row
        except csv.Error as error:
            place = Place(file, reader.line_num + before)
            raise InputError(Fault(f"not CSV: {str(error)[:100]}", place)) from None

    return between, rows()


def columns_of(header: Sequence[str], wished: Mapping[str, str]) -> dict[str, int]:
    """The columns of names, counts and bases, by their number."""
    for key, column in wished.items():
        if column not in header:
            raise Amiss(f"unknown column {clipped(column)} for {key}{nearest(column, header)}")
    found: dict[str, int] = {}
    for kind, words in (("name", NAMES), ("count", COUNTS), ("base", BASES)):
        if kind in wished:
            found[kind] = header.index(wished[kind])
            continue
        free = [n for n, cell in enumerate(header) if cell not in wished.values()]
        like = [n for n in free if spoken(header[n]) in words]
        if len(like) > 1:
            told = ", ".join(clipped(header[n]) for n in like)
            raise Amiss(f"the {kind} may be in {told}; choose one with --column {kind}=COLUMN")
        found |= {kind: like[0]} if like else {}
    return found


def wished_key(column: str, wished: Mapping[str, str]) -> str:
    """The key that a column is wished to have, or what it is called."""
    return next((key for key, name in wished.items() if name == column), column)
