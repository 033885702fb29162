"""What a program may ask of a board while it is grounded: exact, pure, no answer where none is."""

from __future__ import annotations

from itertools import chain

from clingo import Function, Number, Symbol

from pymorph.board import graph, movement
from pymorph.board.calls import CallResult, Calls, functions_of, memoized, remembered
from pymorph.board.grid import Board
from pymorph.board.lengths.exact import sign_of
from pymorph.board.lengths.shapes import ceil_root
from pymorph.board.traversal import Beginning, GridCell, items_met
from pymorph.terms import MAX_NUMBER, list_term, pair, sorted_symbols

STEPS, KING, STRAIGHT, SQUARED = map(Function, ("steps", "king", "straight", "squared"))
NO_BOARD = Board({}, {}, {})


class Geometry(Calls):
    """The functions that encodings call on one board, by the names in `FUNCTIONS`.

    Each takes terms and answers with a term or a list of terms: several answers, or none. There is
    none for what is no place of the board, no facing, no metric or otherwise not as described
    here, and none at all without a board. The eight facings are north, north_east, east and so on;
    north is up in the drawing. On hexes there are six, and north and south are none of them.
    Answers are kept with the board: do not change a list given back.
    """

    board: Board | None

    def __init__(self, board: Board | None) -> None:
        self.board, self._board = board, board or NO_BOARD
        self._at, self._cells = self._board.coordinates, self._board.cells
        self._lattice, self._labels = self._board.lattice, self._board.labels
        self.answers, self._joined = self._board.answers, self._board.joined

    def _place(self, term: Symbol) -> Symbol | None:
        return term if term in self._at else None

    def _facing(self, term: Symbol) -> int | None:
        return self._lattice.numbers.get(term)

    @remembered()
    def places(self) -> CallResult:
        """All places, row by row from the lowest."""
        return list(self._at)

    @remembered()
    def centre(self) -> CallResult:
        """The place in the middle, or the two or four around it."""
        width, height = (min(along) + max(along) for along in zip(*self._cells, strict=True))
        wide = self._lattice.width
        return [
            place
            for place, (x, y) in self._at.items()
            if abs(2 * x - width) <= wide and abs(2 * y - height) <= 1
        ]

    @remembered()
    def facings(self) -> CallResult:
        """The facings of this board, clockwise from north: eight of squares, six of hexes."""
        return list(self._lattice.facings)

    @remembered()
    def corners(self) -> CallResult:
        """The facings in which a place has a corner: four of squares, and of hexes six, which are
        north, north_east, south_east, south, south_west and north_west."""
        return list(self._lattice.corners)

    @remembered("_place", "_facing")
    def neighbour(self, place: Symbol, facing: int) -> CallResult:
        """The next place in the direction of a facing."""
        (x, y), (right, up) = self._at[place], self._lattice.ways[facing]
        return self._cells.get((x + right, y + up), [])

    @remembered("_place")
    def neighbours(self, place: Symbol) -> CallResult:
        """The places joined to this one: those that share an edge with it."""
        return list(self._joined[place])

    @remembered("_place", "_integer")
    def around(self, place: Symbol, steps: int) -> CallResult:
        """The places within Steps steps in any of the facings, without this one."""
        x, y = self._at[place]
        return [
            other
            for other, (u, v) in self._at.items()
            if self._lattice.king(u - x, v - y) <= steps and other != place
        ]

    @remembered("_any")
    def labels(self, place: Symbol) -> CallResult:
        """The labels of a place."""
        return list(self._labels.get(place, ()))

    @remembered("_any")
    def labelled(self, label: Symbol) -> CallResult:
        """The places that have a label."""
        return [place for place, here in self._labels.items() if label in here]

    @remembered("_any")
    def joined(self, label: Symbol) -> CallResult:
        """A pair (P, Q) for each two neighbours whose join has a label, both ways."""
        return [
            pair(place, other)
            for place, joins in self._joined.items()
            for other, join in joins.items()
            if label in join["labels"]
        ]

    @remembered()
    def all_labels(self) -> CallResult:
        """All labels that any place or join of the board has."""
        return sorted_symbols({*chain(*self._labels.values(), *self._board.joins.values())})

    @remembered("_any", "_any")
    def edge(self, place: Symbol, other: Symbol) -> CallResult:
        """The labels of the join between two neighbours."""
        join = self._joined.get(place, {}).get(other)
        return list(join["labels"]) if join else []

    @remembered("_any")
    def beside(self, place: Symbol) -> CallResult:
        """A pair (Q, Label) for each label of each join between this place and a neighbour Q."""
        joined = self._joined.get(place, {})
        return [pair(other, label) for other in joined for label in joined[other]["labels"]]

    @remembered("_place", "_place", "_any")
    def distance(self, place: Symbol, other: Symbol, metric: Symbol) -> CallResult:
        """How far apart the centres of two places are, by one of four metrics.

        `steps` goes along edges, `king` in any of the facings, which on hexes is the same.
        `straight` is the length of the line in widths of a place, rounded up, and `squared` the
        square of that length, which is a whole number.
        """
        lattice = self._lattice
        lengths = {
            STEPS: lattice.edges,
            KING: lattice.king,
            STRAIGHT: lambda *vector: ceil_root(lattice.squared(*vector)),
            SQUARED: lattice.squared,
        }
        length = lengths.get(metric)
        return Number(length(*self._vector(place, other))) if length else []

    def _vector(self, place: Symbol, other: Symbol) -> tuple[int, int]:
        (x, y), (u, v) = self._at[place], self._at[other]
        return u - x, v - y

    @remembered("_place", "_facing", "_place")
    def offset(self, place: Symbol, facing: int, other: Symbol) -> CallResult:
        """Where the other place is, seen from here with this facing: a pair (Ahead, Right).

        Ahead is the square of the half widths of a place to the front, and less than 0 for those to
        the back; Right is that of those to the right, and less than 0 to the left. Both are whole.
        """
        lattice, vector = self._lattice, self._vector(place, other)
        unit = lattice.width**4 * lattice.squared(*lattice.ways[facing])  # of the products below
        ahead, right = lattice.ahead(facing, *vector), lattice.rightward(facing, *vector)
        return pair(
            Number(sign_of(ahead) * (4 * ahead * ahead // unit)),
            Number(sign_of(right) * (4 * lattice.rise * right * right // unit)),
        )

    @remembered("_place", "_place")
    def facing(self, place: Symbol, other: Symbol) -> CallResult:
        """The facing that points exactly from one place to another, if one does."""
        number = self._lattice.toward(*self._vector(place, other))
        return [] if number is None else self._lattice.facings[number]

    @remembered("_place", "_facing", "_place")
    def side(self, place: Symbol, facing: int, other: Symbol) -> CallResult:
        """1 if the other place is in front, with this facing from here; 0 beside, -1 behind."""
        if place == other:
            return []
        return Number(sign_of(self._lattice.ahead(facing, *self._vector(place, other))))

    @remembered("_facing", "_facing")
    def turn(self, facing: int, other: int) -> CallResult:
        """The eighths of a full turn between two facings, 0 to 4.

        A part of an eighth counts as one: the sixths of hexes are 2, 3 and 4 eighths, so that 2
        are a right angle at most.
        """
        return Number(self._lattice.turn(facing, other))

    @remembered("_facing")
    def opposite(self, facing: int) -> CallResult:
        """The facing half a turn away."""
        return self._turned(facing, 4)

    @remembered("_facing", "_integer")
    def turned(self, facing: int, eighths: int) -> CallResult:
        """The facing a number of eighths clockwise, as `turn` counts them. A negative number is
        counterclockwise. On hexes there is one at 2, 3, 4, 5 and 6 eighths, and none at 1 and 7."""
        return self._turned(facing, eighths)

    def _turned(self, facing: int, eighths: int) -> CallResult:
        number = self._lattice.turned(facing, eighths)
        return [] if number is None else self._lattice.facings[number]

    @remembered("_begins", "_begins")
    def crossed(self, start: Beginning, other: Beginning) -> CallResult:
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
        items = items_met(self._board, start, other)
        return [pair(Number(i), item) for i, item in enumerate(items, start=1)]

    def _begins(self, start: Symbol) -> Beginning | None:
        """Where a line begins or ends; None if that is neither a place nor a corner of one."""
        if start in self._at:
            return Beginning(start, self._lattice.middle(*self._at[start]), False)
        if not start.match("corner", 2):
            return None
        place, facing = start.arguments
        if place not in self._at or facing not in self._lattice.corners:
            return None
        (x, y), (right, up) = self._lattice.middle(*self._at[place]), self._lattice.corners[facing]
        return Beginning(place, (x + right, y + up), True)

    @remembered("_any", "_any")
    def piece(self, item: Symbol, label: Symbol) -> CallResult:
        """The name of the piece with that label to which a place or join belongs.

        The item is ``cell(X)`` or ``join(X, Y)``. What has one label and touches, be it at a
        corner, is one piece. It is named by one of its items, which is the same for all of them.
        """
        return self._pieces(label).get(item, [])

    @remembered("_begins", "_any")
    def adjoining(self, start: Beginning, label: Symbol) -> CallResult:
        """The names of the pieces with that label that touch a place, or a corner of it.

        A corner is written as for `crossed`, and a piece named as by `piece`. A place is touched by
        what lies in it, at its edges, or at a corner of it.
        """
        pieces = self._pieces(label)
        outline = self._lattice.outline(*self._at[start.place])
        points = [start.point] if start.is_corner else outline
        return list(dict.fromkeys(pieces[point] for point in points if point in pieces))

    @memoized
    def _pieces(self, label: Symbol) -> dict[Symbol | GridCell, Symbol]:
        """The piece of each place and join with that label, and of each point of theirs."""
        items = [Function("cell", [p]) for p, has in self._labels.items() if label in has]
        items += [
            Function("join", [one, other])
            for one, joins in self._joined.items()
            for other, join in joins.items()
            if label in join["labels"]
        ]
        return graph.components({item: self._points(item) for item in items})

    def _points(self, item: Symbol) -> list[tuple[int, int]]:
        """The corners that a place or a join has, as points."""
        corners = [self._lattice.outline(*self._at[place]) for place in item.arguments]
        return [point for point in corners[0] if all(point in others for others in corners)]

    @remembered("_place", "_facing", "_place", "_any", "_any", "_any")
    def route(
        self, start: Symbol, facing: int, goal: Symbol, prices: Symbol, bars: Symbol, gates: Symbol
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
        moves = movement.movement_graph(self._board, prices, bars, gates, True)
        path = moves.path(start, facing, goal) if moves is not None else None
        if path is None or path[0] > MAX_NUMBER:
            return []
        return pair(Number(path[0]), list_term(path[1]))

    @remembered("_place", "_facing", "_integer", "_any", "_any", "_any")
    def reach(
        self, start: Symbol, facing: int, limit: int, prices: Symbol, bars: Symbol, gates: Symbol
    ) -> CallResult:
        """A pair (Place, Cost) for each place whose `route` costs no more than the limit.

        The start is among them at no cost.
        """
        moves = movement.movement_graph(self._board, prices, bars, gates, False)
        if moves is None or limit < 0:
            return []
        return [pair(place, Number(cost)) for place, cost in moves.costs(start, facing, limit)]


# What encodings may call, with the number of arguments.
FUNCTIONS: frozenset[str] = functions_of(Geometry)
