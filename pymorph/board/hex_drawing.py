"""A board of hexes as a person draws it: rows of cells, every other half a cell to the right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from pymorph.board.drawing import USUAL, Drawing, Reader, Row
from pymorph.errors import clipped


class HexReader(Reader):
    """Reads one drawing of hexes, in which it matters where each cell stands."""

    def __init__(self, symbols: Mapping[str, str], join_symbols: Mapping[str, str]) -> None:
        super().__init__(symbols, join_symbols)
        self.apart = 0
        self.below: list[tuple[int, int, int, str]] = []

    def put_join(self, row: Row, number: int, column: int, mark: str) -> None:
        """Note a join; which cell it leads to is known with the row below."""
        self.below.append((len(self.rows) - 1, number, column, mark))

    def compare_rows(self) -> None:
        super().compare_rows()
        if self.faults or not self.rows:
            return
        gaps = Counter(b - a for row in self.rows for a, b in pairwise(row.columns))
        shift = self.rows[1].columns[0] - self.rows[0].columns[0] if len(self.rows) > 1 else 0
        self.apart = gaps.most_common(1)[0][0] if gaps else 2 * abs(shift) or USUAL
        self.check_cells()
        for join in self.below if not self.faults else ():
            self.lead(*join)

    def check_cells(self) -> None:
        """Hold each cell against the place where it should stand."""
        half = self.apart // 2
        first = self.rows[0].columns[0]
        step = half
        if len(self.rows) > 1 and self.rows[1].columns[0] < first:
            step = -half
        for number, row in enumerate(self.rows):
            due = first + step * (number % 2)
            if row.columns[0] != due:
                message = f"found a row that starts in column {row.columns[0] + 1}; expected column"
                self.fault(
                    row.line, row.columns[0], f"{message} {due + 1}, half a cell to the side"
                )
                continue
            for index, column in enumerate(row.columns):
                if column != due + index * self.apart:
                    message = f"found a cell in column {column + 1}; expected column"
                    more = f"{due + index * self.apart + 1}, as cells are {self.apart} apart"
                    self.fault(row.line, column, f"{message} {more}")
                    break
        if self.apart % 2 and not self.faults:
            message = f"cells are {self.apart} columns apart; expected an even number"
            self.fault(self.rows[0].line, first, message)

    def lead(self, upper: int, number: int, column: int, mark: str) -> None:
        """Note the join between two rows that stands in a column, midway between two cells."""
        above, below = self.rows[upper], self.rows[upper + 1]
        half = self.apart // 2
        if half % 2:
            message = f"found {clipped(mark)}; joins between rows need cells {USUAL} columns apart"
            self.fault(number, column, message)
            return
        quarter = half // 2
        midway = {
            c + lean: ((upper, index), (upper + 1, below.columns.index(c + 2 * lean)))
            for index, c in enumerate(above.columns)
            for lean in (-quarter, quarter)
            if c + 2 * lean in below.columns
        }
        if column not in midway:
            self.misplaced(number, column, mark, "that is not midway between two cells", midway)
        else:
            self.joins[midway[column]] = self.flat[mark]

    def drawing(self) -> Drawing:
        least = min(row.columns[0] for row in self.rows)
        shifts = tuple(int(row.columns[0] > least) for row in self.rows)
        return super().drawing()._replace(shifts=shifts)
