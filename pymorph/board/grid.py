"""The eight facings of a grid of squares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any

from clingo import Function, Symbol

from pymorph.board.drawing import Drawing, read_drawing, write_drawing
from pymorph.errors import Fault, InputError, Place
from pymorph.terms import order, parse_symbol, sorted_symbols, text_of

# Clockwise from north, each with its step in columns and rows; the odd ones are diagonal.
DIRECTIONS: dict[Symbol, tuple[int, int]] = {
    Function("north"): (0, 1),
    Function("north_east"): (1, 1),
    Function("east"): (1, 0),
    Function("south_east"): (1, -1),
    Function("south"): (0, -1),
    Function("south_west"): (-1, -1),
    Function("west"): (-1, 0),
    Function("north_west"): (-1, 1),
}
FACINGS: tuple[Symbol, ...] = tuple(DIRECTIONS)
EIGHTHS: dict[Symbol, int] = {facing: number for number, facing in enumerate(FACINGS)}
TOWARD: dict[tuple[int, int], Symbol] = {step: facing for facing, step in DIRECTIONS.items()}
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
NO_FILE = Place("drawing", 1, 1)


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """Places with their labels, which of them are joined, and where they lie.

    *labels* and *coordinates* (column and row, one place each) have every place; *joins* has the
    labels of each join under its two places, most often none. All are kept in one order, row by
    row from the lowest, and boards of the same content are equal, in whatever order they were
    given. Joined places are edge neighbours; facings and lines are read from the coordinates.
    """

    labels: Mapping[Symbol, tuple[Symbol, ...]]
    joins: Mapping[tuple[Symbol, Symbol], tuple[Symbol, ...]]
    coordinates: Mapping[Symbol, tuple[int, int]]

    def __post_init__(self) -> None:
        at = self.coordinates
        if at.keys() != self.labels.keys() or len(set(at.values())) != len(at):
            raise ValueError("each place of a board has labels and coordinates of its own")
        places = sorted(at, key=lambda place: (at[place][1], at[place][0], order(place)))
        rank = {place: number for number, place in enumerate(places)}
        joins: dict[tuple[Symbol, Symbol], tuple[Symbol, ...]] = {}
        for pair, labels in self.joins.items():
            if not (pair[0] in rank and pair[1] in rank) or pair[0] == pair[1]:
                raise ValueError("a join stands between two places of its board")
            one, other = sorted(pair, key=rank.__getitem__)
            if (one, other) in joins:
                raise ValueError("two places of a board have one join")
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
    ) -> Board:
        """The grid of squares that *text* draws, its first character standing at *place*::

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

        Raises: InputError with every fault at its line and column; more than 144 rows or 144 cells
        in a row are one, and so is a character that *symbols* and *join_symbols* both have.
        """
        try:
            return drawn(text, tuple(symbols.items()), tuple(join_symbols.items()))
        except InputError:  # its faults are told at their places in this file
            return cls.of_drawing(read_drawing(text, symbols, join_symbols, place))

    @classmethod
    def of_drawing(cls, drawn: Drawing) -> Board:
        """The grid of squares that a drawing says once it is read."""
        top = len(drawn.rows)
        grid = [
            [Function(f"{column_name(j)}{top - i}") for j in range(len(row))]
            for i, row in enumerate(drawn.rows)
        ]
        joins: dict[tuple[Symbol, Symbol], tuple[Symbol, ...]] = {}
        for i, row in enumerate(grid):
            for j, here in enumerate(row):
                if j + 1 < len(row):
                    label = drawn.upright.get((i, j))
                    joins[here, row[j + 1]] = (label,) if label else ()
                if i + 1 < top:
                    label = drawn.flat.get((i, j))
                    joins[here, grid[i + 1][j]] = (label,) if label else ()
        cells = [(i, j, here) for i, row in enumerate(grid) for j, here in enumerate(row)]
        return cls(
            labels={here: (drawn.rows[i][j],) for i, j, here in cells},
            joins=joins,
            coordinates={here: (j, top - 1 - i) for i, j, here in cells},
        )

    def corner(self, columns: int, rows: int) -> Board:
        """The lowest left part of it: no more than so many columns and rows, as they are."""
        kept = {p: at for p, at in self.coordinates.items() if at[0] < columns and at[1] < rows}
        joins = {pair: labels for pair, labels in self.joins.items() if kept.keys() >= {*pair}}
        return Board({place: self.labels[place] for place in kept}, joins, kept)

    def drawing(self, symbols: Mapping[str, str], join_symbols: Mapping[str, str]) -> str:
        """The canonical drawing of this board; reading it back gives the same board.

        Raises: InputError, if a label has no character, or this is no grid that can be drawn.
        """
        cells = self.cells
        width = 1 + max((x for x, _ in cells), default=-1)
        height = 1 + max((y for _, y in cells), default=-1)
        upright: dict[tuple[int, int], Symbol] = {}
        flat: dict[tuple[int, int], Symbol] = {}
        for (one, other), labels in self.joins.items():
            (x, y), (_, v) = self.coordinates[one], self.coordinates[other]
            for label in labels:
                if y == v:
                    upright[height - 1 - y, x] = label
                else:
                    flat[height - 1 - v, x] = label
        if len(cells) == width * height > 0 and all(self.labels.values()):
            rows = tuple(
                tuple(self.labels[cells[x, y]][0] for x in range(width))
                for y in reversed(range(height))
            )
            drawn = Drawing(rows, upright, flat)
            if Board.of_drawing(drawn) == self:
                return write_drawing(drawn, symbols, join_symbols)
        raise InputError(Fault("only a full grid with one label to a place can be drawn"))

    @property
    def places(self) -> tuple[Symbol, ...]:
        """All places, row by row from the lowest."""
        return tuple(self.labels)

    @cached_property
    def cells(self) -> Mapping[tuple[int, int], Symbol]:
        """The place at each pair of coordinates."""
        return MappingProxyType({at: place for place, at in self.coordinates.items()})

    @cached_property
    def joined(self) -> Mapping[Symbol, Mapping[Symbol, tuple[Symbol, ...]]]:
        """For each place the places joined to it, each with the labels of the join."""
        joined: dict[Symbol, dict[Symbol, tuple[Symbol, ...]]] = {p: {} for p in self.labels}
        for (one, other), labels in self.joins.items():
            joined[one][other] = labels
            joined[other][one] = labels
        return MappingProxyType({p: MappingProxyType(found) for p, found in joined.items()})

    @cached_property
    def answers(self) -> dict[str, dict[Any, Any]]:
        """What was found out about this board, for `Geometry` to keep; no part of the value."""
        return {}

    @cached_property
    def content(self) -> tuple[object, ...]:
        """What makes two boards equal."""
        return (
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
        number = {place: n for n, place in enumerate(self.labels)}
        return restored, (
            [text_of(place) for place in self.labels],
            [[text_of(label) for label in labels] for labels in self.labels.values()],
            list(self.coordinates.values()),
            [
                (number[one], number[other], [text_of(label) for label in labels])
                for (one, other), labels in self.joins.items()
            ],
        )


@lru_cache(maxsize=32)
def drawn(
    text: str, symbols: tuple[tuple[str, str], ...], join_symbols: tuple[tuple[str, str], ...]
) -> Board:
    """The board of a drawing: one for all positions that are drawn alike."""
    return Board.of_drawing(read_drawing(text, dict(symbols), dict(join_symbols), NO_FILE))


def restored(
    names: list[str],
    labels: list[list[str]],
    coordinates: list[tuple[int, int]],
    joins: list[tuple[int, int, list[str]]],
) -> Board:
    """The board that was pickled as texts: a symbol is worthless in another process."""
    known: dict[str, Symbol] = {}

    def symbols(texts: Iterable[str]) -> tuple[Symbol, ...]:
        for text in texts:
            if text not in known:
                known[text] = parse_symbol(text)
        return tuple(known[text] for text in texts)

    places = symbols(names)
    return Board(
        labels=dict(zip(places, map(symbols, labels), strict=True)),
        joins={(places[p], places[q]): symbols(texts) for p, q, texts in joins},
        coordinates=dict(zip(places, coordinates, strict=True)),
    )


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
