"""A board of squares or hexes: places with labels, which are joined, and where they lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from types import MappingProxyType
from typing import Any

from clingo import Function, Symbol

from pymorph.board import graph as place_graph
from pymorph.board.drawing import Drawing, Reader, write_drawing
from pymorph.board.hex_drawing import HexReader
from pymorph.board.lattice import HEXES, SQUARES, Lattice
from pymorph.errors import Fault, InputError, Place
from pymorph.terms import order, sorted_symbols

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
NO_FILE = Place("drawing", 1, 1)
READERS: Mapping[str, type[Reader]] = {"board": Reader, "hexes": HexReader}


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """Places with their labels, which of them are joined, and where they lie.

    *labels* and *coordinates* (column and row, one place each) have every place; *joins* has the
    labels of each join under its two places, most often none. All are kept in one order, row by
    row from the lowest, and boards of the same content are equal, in whatever order they were
    given. Joined places are edge neighbours; facings and lines are read from the coordinates, which
    are those of the *lattice*: of hexes they are doubled.
    """

    labels: Mapping[Symbol, tuple[Symbol, ...]]
    joins: Mapping[tuple[Symbol, Symbol], tuple[Symbol, ...]]
    coordinates: Mapping[Symbol, tuple[int, int]]
    lattice: Lattice = SQUARES

    def __post_init__(self) -> None:
        at = self.coordinates
        if at.keys() != self.labels.keys() or len(set(at.values())) != len(at):
            raise ValueError("each place of a board needs labels and coordinates of its own")
        places = sorted(at, key=lambda place: (at[place][1], at[place][0], order(place)))
        rank = {place: number for number, place in enumerate(places)}
        joins: dict[tuple[Symbol, Symbol], tuple[Symbol, ...]] = {}
        for pair, labels in self.joins.items():
            if not (pair[0] in rank and pair[1] in rank) or pair[0] == pair[1]:
                raise ValueError("a join must be between two places of its board")
            one, other = sorted(pair, key=rank.__getitem__)
            if (one, other) in joins:
                raise ValueError("two places of a board can have only one join")
            joins[one, other] = unique(labels)
        pairs = sorted(joins, key=lambda pair: (rank[pair[0]], rank[pair[1]]))
        labels_of = MappingProxyType({place: unique(self.labels[place]) for place in places})
        object.__setattr__(self, "labels", labels_of)
        object.__setattr__(self, "joins", MappingProxyType({pair: joins[pair] for pair in pairs}))
        object.__setattr__(self, "coordinates", MappingProxyType({p: at[p] for p in places}))

    @classmethod
    def from_drawing(
        cls,
        text: str,
        symbols: Mapping[str, str],
        join_symbols: Mapping[str, str],
        place: Place = NO_FILE,
        lattice: Lattice = SQUARES,
    ) -> Board:
        """The board that *text* draws, its first character standing at *place*::

            .   .   T
                -
            .   . | .
            .   W   _

        - A row of cells is a line of single characters of *symbols*, each the label of a place.
          Between two cells stand spaces, or one character of *join_symbols* with or without spaces
          around it: ``. | .`` and ``.|.`` are the same. Each row has as many cells as the others.
        - A row of joins, between two rows of cells, has nothing but characters of *join_symbols*
          and spaces. Each stands right under a cell of the row above and labels the join between
          that cell and the one below it. There need not be one where all joins are open.
        - ``|`` stands only within a row of cells, ``-`` only in a row of joins, other characters in
          both. A ``+`` in a row of joins is an ornament; lines of nothing else are skipped, and so
          are empty lines and spaces before and after.

        The lowest row is row 1, the first column a: the places are a1, b1, ..., aa1, ab1, ...

        On hexes every other row begins half a cell farther to the right, and cells stand as far
        apart as they do in the first row, most often four columns. A join between two rows stands
        midway between the two cells that it parts. Where the first row is one of those that stand
        to the right, a line with a ``+`` before it shows where the others begin::

            .   .   T
             -   -
              . | .   .
            .   W   _

        Raises: InputError with every fault at its line and column; more than 144 rows or 144 cells
        in a row are one, and so is a character that *symbols* and *join_symbols* both have.
        """
        try:
            return drawn(text, tuple(symbols.items()), tuple(join_symbols.items()), lattice)
        except InputError as error:
            raise InputError([placed(fault, place) for fault in error.faults]) from None

    @classmethod
    def of_drawing(cls, drawn: Drawing) -> Board:
        """The board that a drawing says once it is read; of hexes, if its rows are shifted."""
        lattice, top = HEXES if drawn.shifts else SQUARES, len(drawn.rows) - 1
        shifts = drawn.shifts or (0,) * len(drawn.rows)
        labels = {(i, j): label for i, row in enumerate(drawn.rows) for j, label in enumerate(row)}
        at = {(i, j): (lattice.width * j + shifts[i], top - i) for i, j in labels}
        places = {(i, j): Function(f"{column_name(j)}{top - i + 1}") for i, j in labels}
        cells = {xy: cell for cell, xy in at.items()}
        joins: dict[tuple[Symbol, Symbol], tuple[Symbol, ...]] = {}
        for cell, (x, y) in at.items():
            for right, up in lattice.edges_ahead:
                other = cells.get((x + right, y + up))
                if other is not None:
                    label = drawn.joins.get((cell, other))
                    joins[places[cell], places[other]] = (label,) if label else ()
        return cls(
            labels={places[cell]: (label,) for cell, label in labels.items()},
            joins=joins,
            coordinates={places[cell]: xy for cell, xy in at.items()},
            lattice=lattice,
        )

    def corner(self, columns: int, rows: int) -> Board:
        """The lowest left part of it: no more than so many columns and rows, as they are."""
        wide = self.lattice.width
        places = {
            place: (x, y)
            for place, (x, y) in self.coordinates.items()
            if x // wide < columns and y < rows
        }
        left = min((x for x, _ in places.values()), default=0)  # 1, if there is one row of hexes
        joins = {pair: labels for pair, labels in self.joins.items() if places.keys() >= {*pair}}
        return Board(
            labels={place: self.labels[place] for place in places},
            joins=joins,
            coordinates={place: (x - left, y) for place, (x, y) in places.items()},
            lattice=self.lattice,
        )

    def shape(self) -> tuple[int, int]:
        """The columns and rows that it has."""
        wide = self.lattice.width
        return len({x // wide for x, _ in self.cells}), len({y for _, y in self.cells})

    def drawing(self, symbols: Mapping[str, str], join_symbols: Mapping[str, str]) -> str:
        """The canonical drawing of this board; reading it back gives the same board.

        Raises: InputError, if a label has no character, or this is no board that can be drawn.
        """
        wide, (width, height) = self.lattice.width, self.shape()
        at = {p: (height - 1 - y, x // wide) for p, (x, y) in self.coordinates.items()}
        places = {cell: place for place, cell in at.items()}
        full = places.keys() == {*product(range(height), range(width))}
        if full and places and all(self.labels.values()):
            shifts = [self.coordinates[places[i, 0]][0] % wide for i in range(height)]
            drawn = Drawing(
                tuple(
                    tuple(self.labels[places[i, j]][0] for j in range(width)) for i in range(height)
                ),
                {
                    (min(at[one], at[other]), max(at[one], at[other])): labels[0]
                    for (one, other), labels in self.joins.items()
                    if labels
                },
                tuple(shifts) if self.lattice is HEXES else (),
            )
            if Board.of_drawing(drawn) == self:
                return write_drawing(drawn, symbols, join_symbols)
        raise InputError(
            "cannot draw this board: it is not a full grid with one label for each place"
        )

    @property
    def places(self) -> tuple[Symbol, ...]:
        """All places, row by row from the lowest."""
        return tuple(self.labels)

    @cached_property
    def cells(self) -> Mapping[tuple[int, int], Symbol]:
        """The place at each pair of coordinates."""
        return MappingProxyType({at: place for place, at in self.coordinates.items()})

    @cached_property
    def joined(self) -> dict[Symbol, dict[Symbol, dict[str, tuple[Symbol, ...]]]]:
        """The adjacency of `graph`: for each place those joined to it, each with its `labels`."""
        joined: dict[Symbol, dict[Symbol, dict[str, tuple[Symbol, ...]]]] = {
            place: {} for place in self.labels
        }
        for (one, other), labels in self.joins.items():
            joined[one][other] = joined[other][one] = {"labels": labels}
        return joined

    @cached_property
    def graph(self) -> place_graph.PlaceGraph:
        """The places, each with its `labels` and `at`, and the joins with their `labels`.

        It is a graph of NetworkX that cannot be changed; a copy of it can.
        """
        at = self.coordinates
        places = {p: {"labels": labels, "at": at[p]} for p, labels in self.labels.items()}
        return place_graph.PlaceGraph(places, self.joined)

    @cached_property
    def numbers(self) -> Mapping[Symbol, int]:
        """The number of each place in the order of the board."""
        return {place: number for number, place in enumerate(self.labels)}

    def labelled(self, labels: Iterable[Symbol]) -> frozenset[Symbol]:
        """The places that have one of the labels."""
        wanted = frozenset(labels)
        return frozenset(p for p, has in self.labels.items() if not wanted.isdisjoint(has))

    def is_rim(self, cell: tuple[int, int]) -> bool:
        """Is that the cell of no place, right beside the outermost of a row or column?"""
        return cell not in self.cells and any(
            at in (low, high) for at, (low, high) in zip(cell, self._beyond, strict=True)
        )

    @cached_property
    def _beyond(self) -> tuple[tuple[int, int], ...]:
        along = zip(*self.cells, strict=True)
        return tuple((min(numbers) - 1, max(numbers) + 1) for numbers in along)

    @cached_property
    def answers(self) -> dict[str, dict[Any, Any]]:
        """What was found out about this board, for `Geometry` to keep; no part of the value."""
        return {}

    @cached_property
    def content(self) -> tuple[object, ...]:
        """What makes two boards equal."""
        return (
            self.lattice.key,
            tuple(self.coordinates.items()),
            tuple(self.labels.values()),
            tuple(self.joins.items()),
        )

    @cached_property
    def _hash(self) -> int:
        return hash(self.content)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Board):
            return NotImplemented
        return self._hash == other._hash and self.content == other.content

    def __repr__(self) -> str:
        return f"<Board of {len(self.labels)} places>"

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Board, (dict(self.labels), dict(self.joins), dict(self.coordinates), self.lattice)


@lru_cache(maxsize=32)
def drawn(
    text: str,
    symbols: tuple[tuple[str, str], ...],
    join_symbols: tuple[tuple[str, str], ...],
    lattice: Lattice,
) -> Board:
    """The board of a drawing: one for all positions that are drawn alike."""
    return Board.of_drawing(READERS[lattice.key](dict(symbols), dict(join_symbols)).read(text))


def placed(fault: Fault, start: Place) -> Fault:
    """A fault of a drawing whose first character is at *start*."""
    if fault.place is None:
        return fault
    line, column = fault.place.line - 1, fault.place.column - 1
    at = start.line and start.line + line, start.column and start.column + column
    return fault._replace(place=Place(start.file, *at))


def unique(labels: Iterable[Symbol]) -> tuple[Symbol, ...]:
    return tuple(sorted_symbols(set(labels)))


def column_name(number: int) -> str:
    """The letters of a column that counts from 0: a to z, then aa, ab and so on."""
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, len(ALPHABET))
        name = ALPHABET[letter] + name
    return name
