"""A board as a person draws it in characters: read with every fault placed, and written."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from clingo import Symbol

from pymorph.errors import MAX_FAULTS, Fault, InputError, Place, clipped, nearest
from pymorph.terms import parse_symbol, text_of

MAX_SIZE = 144
MAX_LINE = 1000
UPRIGHT_ONLY = "|"
FLAT_ONLY = "-"
CROSSING = "+"
USUAL = 4  # columns from cell to cell
MARGIN = f"{CROSSING}\n"  # before a first row of hexes that is to the right of others
UNKNOWN = parse_symbol("unknown")
ONE_JOIN = "expected one join between two cells"


DrawnCell = tuple[int, int]


class Drawing(NamedTuple):
    """What a drawing says. A cell is its row and column, which count from 0 at the top left.

    *joins* has the labelled joins, each under its two cells as one reads them. On hexes *shifts*
    has for each row whether it is half a cell to the right of the others, 1 or 0.
    """

    rows: tuple[tuple[Symbol, ...], ...]
    joins: Mapping[tuple[DrawnCell, DrawnCell], Symbol]
    shifts: tuple[int, ...] = ()


class Row:
    """A row of cells while it is read: where each cell is."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.columns: list[int] = []
        self.labels: list[Symbol] = []
        self.sound = True


class Reader:
    """Reads one drawing and gathers its faults; lines and columns count from 0 in here.

    Raises: InputError, if a character cannot be a sign.
    """

    def __init__(self, symbols: Mapping[str, str], join_symbols: Mapping[str, str]) -> None:
        check_symbols(symbols, join_symbols)
        self.cells = {symbol: parse_symbol(label) for symbol, label in symbols.items()}
        joins = {symbol: parse_symbol(label) for symbol, label in join_symbols.items()}
        self.upright = {symbol: joins[symbol] for symbol in joins if symbol != FLAT_ONLY}
        self.flat = {symbol: joins[symbol] for symbol in joins if symbol != UPRIGHT_ONLY}
        self.join_symbols = frozenset(joins)
        self.joins: dict[tuple[DrawnCell, DrawnCell], Symbol] = {}
        self.faults: list[tuple[int, int, str]] = []
        self.rows: list[Row] = []
        self.row_of_joins: tuple[int, int] | None = None

    def fault(self, line: int, column: int, message: str) -> None:
        self.faults.append((line, column, message))

    def reject(self, row: Row, column: int, message: str) -> None:
        """Note a fault in a row, whose number of cells then does not count."""
        self.fault(row.line, column, message)
        row.sound = False

    def read(self, text: str) -> Drawing:
        """What the drawing *text* says.

        Raises: InputError with every fault at its line and column (the first hundred or so of a
        text that is no drawing at all).
        """
        for number, line in enumerate(text.split("\n")):
            marks = set(line := line.rstrip(" \r")) - {" ", CROSSING}
            if not marks:
                continue
            if len(line) > MAX_LINE:
                self.fault(number, MAX_LINE, f"a line has at most {MAX_LINE} characters")
            elif self.is_row_of_joins(marks):
                self.read_joins(number, line)
            else:
                self.read_cells(number, line)
            if len(self.rows) > MAX_SIZE or len(self.faults) >= MAX_FAULTS:
                break
        else:
            if self.row_of_joins and self.rows:
                self.fault(*self.row_of_joins, "a row of joins has no row of cells below it")
        self.compare_rows()
        if not self.rows and not self.faults:
            self.fault(0, 0, "the drawing has no cells")
        if self.faults:
            raise InputError(
                [
                    Fault(message, Place("drawing", line + 1, column + 1))
                    for line, column, message in sorted(self.faults)
                ]
            )
        return self.drawing()

    def drawing(self) -> Drawing:
        """What the rows say, if there is no fault in them."""
        return Drawing(tuple(tuple(row.labels) for row in self.rows), self.joins)

    def is_row_of_joins(self, marks: set[str]) -> bool:
        """Whether a line of *marks* is one, or was meant as one but for an unknown character."""
        if marks <= self.join_symbols:
            return True
        return bool(marks & self.flat.keys()) and not marks & self.cells.keys()

    def read_cells(self, number: int, line: str) -> None:
        """Read a row of cells with the joins between them."""
        row = Row(number)
        self.row_of_joins = None
        join: tuple[int, str] | None = None
        for column, mark in enumerate(line):
            if mark == " ":
                continue
            if mark in self.join_symbols:
                if mark not in self.upright:
                    message = f"found {clipped(mark)} in a row of cells"
                    self.reject(row, column, message + nearest(mark, self.upright))
                elif join or not row.columns:
                    self.reject(row, column, f"found {clipped(mark)}; {ONE_JOIN}")
                else:
                    join = (column, mark)
                continue
            if row.columns[-1:] == [column - 1]:
                if row.columns[-2:-1] != [column - 2]:
                    message = f"found {clipped(mark)} right after {clipped(line[column - 1])}"
                    self.fault(number, column, message + "; expected a space or a join between")
                row.sound = False
            if len(row.columns) == MAX_SIZE:
                self.reject(row, column, f"a row has at most {MAX_SIZE} cells")
                break
            if join:
                i, j = len(self.rows), len(row.columns)
                self.joins[(i, j - 1), (i, j)] = self.upright[join[1]]
                join = None
            if mark not in self.cells:
                self.fault(number, column, f"found {clipped(mark)}{nearest(mark, self.cells)}")
            row.columns.append(column)
            row.labels.append(self.cells.get(mark, UNKNOWN))
        if join:
            self.reject(row, join[0], f"found {clipped(join[1])}; {ONE_JOIN}")
        if len(self.rows) == MAX_SIZE:
            self.fault(number, row.columns[0], f"a board has at most {MAX_SIZE} rows of cells")
        self.rows.append(row)

    def read_joins(self, number: int, line: str) -> None:
        """Read a row of joins, each under a cell of the row above."""
        first = len(line) - len(line.lstrip(" " + CROSSING))
        if not self.rows:
            self.fault(number, first, "a row of joins has no row of cells above it")
            return
        if self.row_of_joins:
            self.fault(number, first, "a second row of joins between the same rows of cells")
            return
        self.row_of_joins = (number, first)
        row = self.rows[-1]
        for column, mark in enumerate(line):
            if mark in (" ", CROSSING):
                continue
            if mark not in self.flat:
                message = f"found {clipped(mark)} in a row of joins"
                self.fault(number, column, message + nearest(mark, self.flat))
            else:
                self.put_join(row, number, column, mark)

    def put_join(self, row: Row, number: int, column: int, mark: str) -> None:
        """Note a join under a row, found in the line of that number."""
        if column in row.columns:
            i, j = len(self.rows), row.columns.index(column)
            self.joins[(i - 1, j), (i, j)] = self.flat[mark]
        else:
            self.misplaced(number, column, mark, "with no cell above it", row.columns)

    def misplaced(
        self, number: int, column: int, mark: str, where: str, places: Iterable[int]
    ) -> None:
        """Note a join that stands where none can stand; the nearest of *places* is told."""
        near = min(places, key=lambda c: (abs(c - column), c)) - column
        move = f"{abs(near)} column{'s' * (abs(near) > 1)} to the {'right' if near > 0 else 'left'}"
        self.fault(number, column, f"found {clipped(mark)} {where}; the nearest place is {move}")

    def compare_rows(self) -> None:
        """Hold every row against the number of cells that most rows have."""
        sound = [row for row in self.rows if row.sound]
        counts = Counter(len(row.columns) for row in sound)
        if len(counts) < 2:
            return
        width, rows = counts.most_common(1)[0]
        others = "the other rows have" if rows > 1 else "the first row has"
        for row in sound:
            count = len(row.columns)
            if count != width:
                column = row.columns[width] if count > width else row.columns[-1] + 1
                cells = f"{count} cell{'s' * (count != 1)}"
                self.fault(row.line, column, f"found a row of {cells}; {others} {width}")


def check_symbols(symbols: Mapping[str, str], join_symbols: Mapping[str, str]) -> None:
    """Raise: InputError, if a character cannot serve or would serve twice."""
    faults = [
        Fault(f"{clipped(symbol)} cannot be drawn; expected one visible character other than '+'")
        for symbol in (*symbols, *join_symbols)
        if len(symbol) != 1 or not symbol.isprintable() or symbol in (" ", CROSSING)
    ]
    faults += [
        Fault(f"{clipped(symbol)} is the sign of both a place and a join")
        for symbol in symbols
        if symbol in join_symbols
    ]
    if faults:
        raise InputError(faults)


def characters(
    drawing: Drawing, symbols: Mapping[str, str], join_symbols: Mapping[str, str]
) -> tuple[dict[Symbol, str], dict[Symbol, str], dict[Symbol, str]]:
    """The first character for each label of a cell, of a join in a row, and of one between rows.

    Raises: InputError, if a label has none.
    """
    check_symbols(symbols, join_symbols)
    cells = inverted(symbols)
    upright = inverted({s: label for s, label in join_symbols.items() if s != FLAT_ONLY})
    flat = inverted({s: label for s, label in join_symbols.items() if s != UPRIGHT_ONLY})
    beside, below = (
        {label for (one, other), label in drawing.joins.items() if (one[0] < other[0]) == is_below}
        for is_below in (False, True)
    )
    missing = [
        f"there is no character for a {what} labelled {label}"
        for what, known, labels in (
            ("place", cells, {label for row in drawing.rows for label in row}),
            ("join between two cells of a row", upright, beside),
            ("join between two rows", flat, below),
        )
        for label in sorted(text_of(label) for label in labels if label not in known)
    ]
    if missing:
        raise InputError([Fault(message) for message in missing])
    return cells, upright, flat


def write_drawing(
    drawing: Drawing, symbols: Mapping[str, str], join_symbols: Mapping[str, str]
) -> str:
    """The canonical characters of *drawing*: cells four columns apart, no empty rows of joins.

    Of several characters for one label the first is used.
    Raises: InputError, if a label has no character.
    """
    cells, upright, flat = characters(drawing, symbols, join_symbols)
    shifts = drawing.shifts or (0,) * len(drawing.rows)
    written: dict[int, dict[int, str]] = defaultdict(dict)  # rows of joins are between, by number

    def column(cell: DrawnCell) -> int:
        return USUAL * cell[1] + 2 * shifts[cell[0]]

    for i, row in enumerate(drawing.rows):
        written[2 * i] |= {column((i, j)): cells[label] for j, label in enumerate(row)}
    for (one, other), label in drawing.joins.items():
        marks = upright if one[0] == other[0] else flat
        written[one[0] + other[0]][(column(one) + column(other)) // 2] = marks[label]
    lines = [
        "".join(line.get(number, " ") for number in range(max(line) + 1)) + "\n"
        for _, line in sorted(written.items())
    ]
    return "".join([MARGIN * shifts[0], *lines])


def inverted(symbols: Mapping[str, str]) -> dict[Symbol, str]:
    """The first character for each label."""
    return {parse_symbol(label): symbol for symbol, label in reversed([*symbols.items()])}
