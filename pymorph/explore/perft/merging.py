"""Equal rows of states put together, with the sums of what leads to each."""

from __future__ import annotations

import numpy as np

from pymorph.dynamics.bits.planes import Matrix

MOST_WAITING = 1 << 22  # shares of rows that are remembered before equal ones are put together
MIXING = 0x9E3779B97F4A7C15  # an odd number, whose bits are as if thrown


class Gathered:
    """Rows of states to which others lead, each with the sum of the *shares* of those."""

    def __init__(self, rows: Matrix, shares: Matrix) -> None:
        self._rows, self._sums = rows[:0], shares[:0]
        self._shares = shares
        self._waiting: list[tuple[Matrix, Matrix]] = []
        self._size = 0

    def add(self, rows: Matrix, origin: Matrix) -> None:
        """Add rows to which those of such numbers lead."""
        self._waiting.append((rows, origin))
        self._size += len(rows)
        if self._size > len(self._rows) + MOST_WAITING // (1 + self._shares.shape[1]):
            self.merged()

    def merged(self) -> tuple[Matrix, Matrix]:
        """The rows, each once, and the sums."""
        if self._size:
            rows = np.concatenate([self._rows, *(rows for rows, _ in self._waiting)])
            origin = np.concatenate([origin for _, origin in self._waiting])
            self._waiting, self._size = [], 0
            order, first = _equal(rows)
            self._rows = rows.take(order.take(first), axis=0)
            shares = np.concatenate([self._sums, self._shares.take(origin, axis=0)])
            self._sums = _summed(shares, order, first)
        return self._rows, self._sums


def _summed(shares: Matrix, order: Matrix, first: Matrix) -> Matrix:
    """The sums of shares in an order, from each *first* one to the next."""
    most = int(np.diff(first, append=len(order)).max())  # shares of a sum
    enough = np.min_scalar_type(most * int(shares.max(initial=0)))
    return np.add.reduceat(shares.take(order, axis=0), first, axis=0, dtype=enough)


def distinct(some: Matrix, others: Matrix) -> Matrix:
    """Some rows and others, each once."""
    if not len(others):
        return some
    rows = np.concatenate([some, others])
    order, first = _equal(rows)
    return rows.take(order.take(first), axis=0)


def first_of_equal(rows: Matrix) -> Matrix:
    """For each row the number of the first that is equal to it."""
    firsts = np.zeros(len(rows), np.int64)
    if len(rows):
        order, first = _equal(rows)
        sizes = np.diff(np.append(first, len(rows)))
        firsts[order] = np.repeat(np.minimum.reduceat(order, first), sizes)
    return firsts


def _equal(rows: Matrix) -> tuple[Matrix, Matrix]:
    """An order in which equal rows are side by side, and where in it the first of each is."""
    words = np.ascontiguousarray(
        np.pad(rows, ((0, 0), (0, -rows.shape[1] % np.uint64().itemsize)))
    ).view(np.uint64)
    mixed = np.zeros(len(words), np.uint64)
    for column in words.T:
        mixed ^= column
        mixed = (mixed ^ mixed >> np.uint64(32)) * MIXING
        mixed ^= mixed >> np.uint64(29)
    order = np.argsort(mixed)
    begins = _begins(mixed[order, np.newaxis])
    again = np.flatnonzero(~begins)
    if (words.take(order[again], axis=0) != words.take(order[again - 1], axis=0)).any():
        order = np.lexsort(words.T)  # of two that are not equal the same was mixed
        begins = _begins(words[order])
    return order, np.flatnonzero(begins)


def _begins(rows: Matrix) -> Matrix:
    """Which rows are not equal to the one before."""
    different = (column[1:] != column[:-1] for column in rows.T)
    return np.append(True, np.logical_or.reduce(list(different)))
