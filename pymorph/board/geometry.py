"""What a program may ask of a board while it is grounded: exact, pure, no answer where none is."""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import chain
from math import isqrt
from typing import TYPE_CHECKING, TypeVar, TypeVarTuple

from clingo import Function, Number, Symbol, SymbolType

from pymorph.board import paths
from pymorph.board.graphs import CallResult, Graphs
from pymorph.board.grid import Board
from pymorph.board.lattice import SQUARES
from pymorph.board.lengths.quadratic import sign_of
from pymorph.board.traversal import Beginning, items_met
from pymorph.terms import Term, sorted_symbols

if TYPE_CHECKING:
    from pymorph.board.paths import PathSearch

Asked = TypeVarTuple("Asked")
Kept = TypeVar("Kept")

STEPS = Function("steps")
KING = Function("king")
STRAIGHT = Function("straight")
SQUARED = Function("squared")

# Past so many, what was found is forgotten: a search holds every state of the board.
MOST_ANSWERS = 100_000
MOST_SEARCHES = 32


_known: set[str] = set()


def remembered(
    function: Callable[[Geometry, *Asked], CallResult],
) -> Callable[[Geometry, *Asked], CallResult]:
    """Keep the answers of *function* with the board that they are about, and its name."""
    name = function.__name__
    _known.add(f"{name}/{function.__code__.co_argcount - 1}")

    @functools.wraps(function)
    def answer(self: Geometry, *asked: *Asked) -> CallResult:
        answers: dict[tuple[*Asked], CallResult] = self._answers.setdefault(name, {})
        try:
            return answers[asked]
        except KeyError:
            pass
        if len(answers) >= MOST_ANSWERS:
            answers.clear()
        found = answers[asked] = function(self, *asked)
        return found

    return answer


def unanswered(*_: Symbol) -> CallResult:
    """The answer to what is asked of another kind of board: none."""
    return []


class Geometry(Graphs):
    """The functions that encodings call on one board, by the names in `FUNCTIONS`.

    Each takes terms and answers with a term or a list of terms: several answers, or none. There is
    none for what is no place of the board, no facing, no metric or otherwise not as described
    here, and none at all without a board. The eight facings are north, north_east, east and so on;
    north is up in the drawing. On hexes there are six, and north and south are none of them.
    Answers are kept with the board: do not change a list given back.
    """

    def __init__(self, board: Board | None) -> None:
        self.board = board
        self._at = board.coordinates if board else {}
        self._cells = board.cells if board else {}
        self._lattice = board.lattice if board else SQUARES
        self._number = self._lattice.numbers if board else {}
        self._answers = board.answers if board else {}
        self._joined = board.joined if board else {}

    @remembered
    def places(self) -> CallResult:
        """All places, row by row from the lowest."""
        return list(self._at)

    @remembered
    def centre(self) -> CallResult:
        """The place in the middle, or the two or four around it."""
        if not self._cells:
            return []
        columns = [x for x, _ in self._cells]
        rows = [y for _, y in self._cells]
        width = min(columns) + max(columns)
        height = min(rows) + max(rows)
        wide = self._lattice.width
        return [
            place
            for place, (x, y) in self._at.items()
            if abs(2 * x - width) <= wide and abs(2 * y - height) <= 1
        ]

    @remembered
    def facings(self) -> CallResult:
        """The facings of this board, clockwise from north: eight of squares, six of hexes."""
        return list(self._lattice.facings) if self.board else []

    @remembered
    def corners(self) -> CallResult:
        """The facings in which a place has a corner: four of squares, and of hexes six, which are
        north, north_east, south_east, south, south_west and north_west."""
        return list(self._lattice.corners) if self.board else []

    @remembered
    def neighbour(self, place: Symbol, facing: Symbol) -> CallResult:
        """The next place in the direction of a facing."""
        if place not in self._at or facing not in self._number:
            return []
        (x, y), (right, up) = self._at[place], self._lattice.steps[facing]
        return self._cells.get((x + right, y + up), [])

    @remembered
    def neighbours(self, place: Symbol) -> CallResult:
        """The places joined to this one: those that share an edge with it."""
        return list(self._joined.get(place, ()))

    @remembered
    def around(self, place: Symbol, steps: Symbol) -> CallResult:
        """The places within Steps steps in any of the facings, without this one."""
        most = Term(steps).number
        if place not in self._at or most is None:
            return []
        x, y = self._at[place]
        return [
            other
            for other, (u, v) in self._at.items()
            if self._lattice.king(u - x, v - y) <= most and other != place
        ]

    @remembered
    def labels(self, place: Symbol) -> CallResult:
        """The labels of a place."""
        return list(self.board.labels.get(place, ())) if self.board else []

    @remembered
    def labelled(self, label: Symbol) -> CallResult:
        """The places that have a label."""
        labels = self.board.labels if self.board else {}
        return [place for place, here in labels.items() if label in here]

    @remembered
    def joined(self, label: Symbol) -> CallResult:
        """A pair (P, Q) for each two neighbours whose join has a label, both ways."""
        joined = self._joined.items()
        return [pair(p, q) for p, row in joined for q, here in row.items() if label in here]

    @remembered
    def all_labels(self) -> CallResult:
        """All labels that any place or join of the board has."""
        if self.board is None:
            return []
        found = {*chain(*self.board.labels.values(), *self.board.joins.values())}
        return sorted_symbols(found)

    @remembered
    def edge(self, place: Symbol, other: Symbol) -> CallResult:
        """The labels of the join between two neighbours."""
        return list(self._joined.get(place, {}).get(other, ()))

    @remembered
    def beside(self, place: Symbol) -> CallResult:
        """A pair (Q, Label) for each label of each join between this place and a neighbour Q."""
        joined = self._joined.get(place, {})
        return [pair(other, label) for other in joined for label in joined[other]]

    @remembered
    def distance(self, place: Symbol, other: Symbol, metric: Symbol) -> CallResult:
        """How far apart the centres of two places are, by one of four metrics.

        `steps` goes along edges, `king` in any of the facings, which on hexes is the same.
        `straight` is the length of the line in widths of a place, rounded up, and `squared` the
        square of that length, which is a whole number.
        """
        if place not in self._at or other not in self._at:
            return []
        across, up = self._way(place, other)
        if metric == STEPS:
            return Number(self._lattice.edges(across, up))
        if metric == KING:
            return Number(self._lattice.king(across, up))
        square = self._lattice.squared(across, up)
        if metric == SQUARED:
            return Number(square)
        if metric == STRAIGHT:
            return Number(isqrt(square - 1) + 1 if square else 0)
        return []

    def _way(self, place: Symbol, other: Symbol) -> tuple[int, int]:
        (x, y), (u, v) = self._at[place], self._at[other]
        return u - x, v - y

    @remembered
    def offset(self, place: Symbol, facing: Symbol, other: Symbol) -> CallResult:
        """Where the other place is, seen from here with this facing: a pair (Ahead, Right).

        Ahead is the square of the half widths of a place to the front, and less than 0 for those to
        the back; Right is that of those to the right, and less than 0 to the left. Both are whole.
        """
        number = self._number.get(facing)
        if place not in self._at or other not in self._at or number is None:
            return []
        lattice, way = self._lattice, self._way(place, other)
        unit = lattice.width**4 * lattice.squared(*lattice.ways[number])  # of the products below
        ahead, right = lattice.ahead(number, *way), lattice.rightward(number, *way)
        return pair(
            Number(sign_of(ahead) * (4 * ahead * ahead // unit)),
            Number(sign_of(right) * (4 * lattice.rise * right * right // unit)),
        )

    @remembered
    def facing(self, place: Symbol, other: Symbol) -> CallResult:
        """The facing that points exactly from one place to another, if one does."""
        if place not in self._at or other not in self._at:
            return []
        number = self._lattice.toward(*self._way(place, other))
        return [] if number is None else self._lattice.facings[number]

    @remembered
    def side(self, place: Symbol, facing: Symbol, other: Symbol) -> CallResult:
        """1 if the other place is in front, with this facing from here; 0 beside, -1 behind."""
        if place not in self._at or other not in self._at or facing not in self._number:
            return []
        if place == other:
            return []
        return Number(sign_of(self._lattice.ahead(self._number[facing], *self._way(place, other))))

    @remembered
    def turn(self, facing: Symbol, other: Symbol) -> CallResult:
        """The eighths of a full turn between two facings, 0 to 4.

        A part of an eighth counts as one: the sixths of hexes are 2, 3 and 4 eighths, so that 2
        are a right angle at most.
        """
        if facing not in self._number or other not in self._number:
            return []
        return Number(self._lattice.turn(self._number[facing], self._number[other]))

    @remembered
    def opposite(self, facing: Symbol) -> CallResult:
        """The facing half a turn away."""
        return self.turned(facing, Number(4))

    @remembered
    def turned(self, facing: Symbol, eighths: Symbol) -> CallResult:
        """The facing a number of eighths clockwise, as `turn` counts them. A negative number is
        counterclockwise. On hexes there is one at 2, 3, 4, 5 and 6 eighths, and none at 1 and 7."""
        turns = Term(eighths).number
        if facing not in self._number or turns is None:
            return []
        number = self._lattice.turned(self._number[facing], turns)
        return [] if number is None else self._lattice.facings[number]

    @remembered
    def crossed(self, start: Symbol, other: Symbol) -> CallResult:
        """What the line between two places meets, in order: pairs (I, Item).

        It goes from centre to centre, or from or to a corner of a place: with
        ``corner(P, north_east)`` that of P, and so for the others of `corners`.

        I counts from 1. An item is ``join(X, Y)`` where the line passes from X to Y through their
        common edge, ``corner(X, Y, A, B)`` where it passes from X to Y through a corner, between A
        and B, and ``cell(X)`` for each place it passes through, without the two of its ends. Read
        backwards the same line has the same items in reverse order, with X and Y, and A and B, in
        each other's place. There is no line across a gap, and nothing is met between two corners
        that are one.

        On squares A is in the row of X and B in its column. From a corner to a corner the line may
        run along edges: it has ``along(A, B)`` for each, with A on its left and B on its right, and
        ``point(A, B, C, D)`` where it passes on from the edge of A and B to that of C and D.

        On hexes A is to the left and B to the right, and the line runs on between them, along the
        edge that parts them. Where it comes at once into Y, which has an edge with X, that edge is
        one of the two, and is written ``edge``. A line from a corner that begins along an edge
        begins in its place, if that edge is one of it; if not, X is ``start``, and so is Y ``end``
        at the corner to which it goes. What is no place of the board is ``outside``.
        """
        begins, ends = self._begins(start), self._begins(other)
        if self.board is None or begins is None or ends is None:
            return []
        items = items_met(self.board, begins, ends)
        return [pair(Number(i), item) for i, item in enumerate(items, start=1)]

    def _begins(self, start: Symbol) -> Beginning | None:
        """Where a line begins or ends; None if that is neither a place nor a corner of one."""
        if start in self._at:
            return Beginning(start, self._lattice.middle(*self._at[start]), None)
        if start.type != SymbolType.Function or (start.name, len(start.arguments)) != ("corner", 2):
            return None
        place, facing = start.arguments
        if place not in self._at or facing not in self._lattice.corners:
            return None
        (x, y), (right, up) = self._lattice.middle(*self._at[place]), self._lattice.corners[facing]
        return Beginning(place, (x + right, y + up), list(self._lattice.corners).index(facing))

    @remembered
    def piece(self, item: Symbol, label: Symbol) -> CallResult:
        """The name of the piece with that label to which a place or join belongs.

        The item is ``cell(X)`` or ``join(X, Y)``. What has one label and touches, be it at a
        corner, is one piece. It is named by one of its items, which is the same for all of them.
        """
        return self._pieces(label).get(item, [])

    @remembered
    def adjoining(self, start: Symbol, label: Symbol) -> CallResult:
        """The names of the pieces with that label that touch a place, or a corner of it.

        A corner is written as for `crossed`, and a piece named as by `piece`. A place is touched by
        what lies in it, at its edges, or at a corner of it.
        """
        begins = self._begins(start)
        if begins is None:
            return []
        names = self._touched(label)
        outline = self._lattice.outline(*self._at[begins.place])
        found: list[Symbol] = []
        for each in outline if begins.corner is None else [begins.point]:
            if each in names and names[each] not in found:
                found.append(names[each])
        return found

    def _touched(self, label: Symbol) -> dict[tuple[int, int], Symbol]:
        """The piece with that label at each corner that it touches; there is no second."""
        pieces = self._pieces(label)
        return self._kept(
            "touched",
            label,
            lambda: {point: name for item, name in pieces.items() for point in self._points(item)},
        )

    def _pieces(self, label: Symbol) -> dict[Symbol, Symbol]:
        """The piece of each place and join with that label."""
        return self._kept("pieces", label, lambda: self._found_pieces(label))

    def _found_pieces(self, label: Symbol) -> dict[Symbol, Symbol]:
        if self.board is None:
            return {}
        items = [Function("cell", [p]) for p, has in self.board.labels.items() if label in has]
        items += [
            Function("join", [one, other])
            for one in self._joined
            for other, has in self._joined[one].items()
            if label in has
        ]
        at: dict[tuple[int, int], list[Symbol]] = {}
        for item in items:
            for point in self._points(item):
                at.setdefault(point, []).append(item)
        names: dict[Symbol, Symbol] = {}
        for item in items:
            if item in names:
                continue
            names[item], ahead = item, [item]
            while ahead:
                for point in self._points(ahead.pop()):
                    for neighbour in at[point]:
                        if neighbour not in names:
                            names[neighbour] = item
                            ahead.append(neighbour)
        return names

    def _points(self, item: Symbol) -> list[tuple[int, int]]:
        """The corners that a place or a join has, as points."""
        corners = [self._lattice.outline(*self._at[place]) for place in item.arguments]
        return [point for point in corners[0] if all(point in others for others in corners)]

    @remembered
    def route(
        self,
        start: Symbol,
        facing: Symbol,
        goal: Symbol,
        prices: Symbol,
        bars: Symbol,
        gates: Symbol,
    ) -> CallResult:
        """The cheapest way from one place to another, as one pair (Cost, Way), or no answer.

        Way is a list of ``turn(Facing)`` and ``step(Place)`` in order. One steps only where one
        faces. Of the cheapest ways it is one with the fewest steps, of those one with the fewest
        turns; where two such ways part, the one that steps on at once, or else the one that turns
        to the facing that comes first clockwise from north. The way to where one is costs nothing.

        - ``prices(Straight, Diagonal, Turn, MostEighths, Always)``: the price of a step along a row
          or column, of a step along a diagonal, and of a turn by at most so many eighths. If
          Always is ``always``, a turn, be it by no eighth, comes right before each diagonal step;
          if it is ``needed``, only where one does not face so already.
        - ``bars(JoinLabels, PlaceLabels, Joins, Places, Opened, Corner)``: lists of the labels
          that close a join and a place, of other closed joins ``join(X, Y)`` and places, and of
          places whose label counts for nothing. Corner says when a diagonal step past a corner is
          barred: ``blocked_if_both_sides``, ``blocked_if_any_side`` or ``never_blocked``. Each of
          the two flanking places is a side, closed if its join with either end is. As
          ``corner(When, Labels, Places)`` it says as well which places close their side: those
          with such a label, unless they are opened, and those of the second list; other closed
          places bar no corner. Nobody enters a closed place; one may stand in it at the start.
        - ``gates``: a list of ``gate(Place, Turns)``. Who has entered the place with some facing
          leaves it only with one that is so many eighths clockwise from that as the list Turns
          has. ``gate(label(Label), Turns)`` holds for each place with that label. Several gates of
          one place all hold. ``start(Facings)`` says with which facings one may leave the start,
          until one enters it again; without it one leaves it as one likes.

        A list is ``(First, Rest)``, and ``()`` at its end: ``(wall, (hedge, ()))`` has two items.
        What is said of a place that is not on the board says nothing.
        """
        search = self._search(start, facing, None, True, prices, bars, gates)
        if search is None or goal not in self._at:
            return []
        found = search.way(goal)
        if found is None:
            return []
        cost, way = found
        steps = [
            Function("step", [what])
            if isinstance(what, Symbol)
            else Function("turn", [self._lattice.facings[what]])
            for what in way
        ]
        listed = Function("", [])
        for each in reversed(steps):
            listed = pair(each, listed)
        return [pair(Number(cost), listed)]

    @remembered
    def reach(
        self,
        start: Symbol,
        facing: Symbol,
        limit: Symbol,
        prices: Symbol,
        bars: Symbol,
        gates: Symbol,
    ) -> CallResult:
        """A pair (Place, Cost) for each place whose `route` costs no more than the limit.

        The start is among them at no cost.
        """
        most = Term(limit).number
        if most is None or most < 0:
            return []
        search = self._search(start, facing, most, False, prices, bars, gates)
        if search is None:
            return []
        return [pair(place, Number(cost)) for place, cost in search.costs()]

    def _search(
        self,
        start: Symbol,
        facing: Symbol,
        limit: int | None,
        exact: bool,
        prices: Symbol,
        bars: Symbol,
        gates: Symbol,
    ) -> PathSearch | None:
        """All cheapest ways from the start, or None if what is asked is not as described."""
        if self.board is None or start not in self._at or facing not in self._number:
            return None
        board = self.board
        ground = self._kept("grounds", bars, lambda: paths.ground_of(board, bars))
        if ground is None:
            return None
        key = (prices, bars, gates)
        ways = self._kept("ways", key, lambda: paths.ways_of(ground, prices, gates))
        if ways is None:
            return None
        number = self._number[facing]
        return self._kept(
            "searches",
            (start, facing, limit, *key),
            lambda: paths.PathSearch(ways, start, number, limit, exact),
        )

    def _kept(self, kind: str, key: object, find: Callable[[], Kept]) -> Kept:
        """What was found under a key, or is found now; the oldest makes room for it."""
        kept: dict[object, Kept] = self._answers.setdefault(kind, {})
        if key not in kept:
            while len(kept) >= MOST_SEARCHES:
                del kept[next(iter(kept))]
            kept[key] = find()
        return kept[key]


def pair(one: Symbol, other: Symbol) -> Symbol:
    return Function("", [one, other])


# What encodings may call, with the number of arguments.
FUNCTIONS: frozenset[str] = frozenset(_known)
