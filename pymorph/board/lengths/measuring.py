"""What a program may ask of a table in lengths while it is grounded: exact, in whole units."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import isqrt
from typing import NamedTuple, cast

from clingo import Function, Number, Symbol, SymbolType

from pymorph.board.calls import (
    Answer,
    CallResult,
    Calls,
    asked,
    functions_of,
    memoized,
    number_of,
)
from pymorph.board.lattice import SQUARES
from pymorph.board.lengths import angles, distances, exact, first_contact, lines, unions
from pymorph.board.lengths.length_units import point_of, point_term
from pymorph.board.lengths.lines import Body, boxed
from pymorph.board.lengths.plane import Plane, Terrain
from pymorph.board.lengths.shapes import (
    Disc,
    HalfDisc,
    HalfPlane,
    Point,
    Polygon,
    Shape,
    Solid,
    Wall,
    cone,
)
from pymorph.terms import NO_ITEMS, items_of, pair

YES, NO = Number(1), Number(0)
NO_TABLE = Plane((0, 0))
Boxes = tuple[list[Symbol], list[Body]]
Pieces = list[dict[Symbol, Polygon | Wall]]


class Named(NamedTuple):
    """A body as a program has it: what it is called in answers, and its shape."""

    item: Symbol
    shape: Solid


class Measuring(Calls):
    """The functions that encodings call on one table, by the names in `TABLE_FUNCTIONS`.

    Lengths and points are in whole units: a length is a number, a point (X, Y). A list is
    ``(First, Rest)``, and ``()`` at its end. A body is ``disc(F, Point, Radius)``, ``square(F,
    Point, Side)`` with sides along the table's, or a piece of terrain, ``area(T)`` or ``edge(T)``;
    in answers the first two are ``base(F)``. There is no answer for what is not as described here,
    and none at all without a table. A gap below one unit is contact, for bases at a slant have no
    whole points that are nearer a touch.
    """

    board: Plane | None

    def __init__(self, board: Plane | None) -> None:
        self.board = board
        self._plane = board or NO_TABLE
        self.answers = {}

    # -- the table -------------------------------------------------------------------------------

    @asked()
    def size(self) -> CallResult:
        """How wide and how deep the table is, as a pair (Width, Depth)."""
        return point_term(self._plane.size)

    @asked()
    def terrain(self) -> CallResult:
        """A pair (Item, Label) for each piece of terrain; Item is ``area(T)`` or ``edge(T)``."""
        pieces = self._plane.terrain
        return [pair(piece.item, Function(piece.label)) for piece in pieces]

    # -- lengths ---------------------------------------------------------------------------------

    @asked("_point", "_point")
    def span(self, point: Point, other: Point) -> CallResult:
        """How far it is from one point to another, rounded up to a whole unit."""
        return self._length([point, other])

    @asked("_point", "_point", "_integer")
    def within(self, point: Point, other: Point, limit: int) -> CallResult:
        """1 if it is no farther from one point to another than the limit, else 0."""
        return YES if limit >= 0 and lines.compare_length((point, other), limit) <= 0 else NO

    @asked("_points")
    def length(self, points: list[Point]) -> CallResult:
        """The length of a path along a list of points, rounded up to a whole unit."""
        return self._length(points)

    def _length(self, points: list[Point]) -> Symbol:
        units, more = lines.length(points)
        return Number(units + more)

    @asked("_points", "_integer")
    def path(self, points: list[Point], limit: int) -> CallResult:
        """1 if the path along a list of points is longer than the limit, 0 if as long, or -1."""
        return Number(lines.compare_length(points, limit))

    @asked("_vector", "_vector")
    def angle(self, way: Point, other: Point) -> CallResult:
        """The angle between two vectors, counted from 0 to 8.

        Even numbers are exactly 0, 45, 90, 135 and 180 degrees. Odd numbers are between these.
        """
        return Number(angles.angle(way, other))

    @asked("_point", "_point", "_vector")
    def off(self, point: Point, start: Point, way: Point) -> CallResult:
        """How far a point is off a line through another along a vector, rounded up to a unit."""
        return Number(angles.off(point, start, way))

    # -- bodies ----------------------------------------------------------------------------------

    @asked("_body", "_body")
    def gap(self, body: Named, other: Named) -> CallResult:
        """The gap between two bodies, rounded up to a whole unit; 0 if they are in contact."""
        return Number(distances.gap(body.shape, other.shape))

    @asked("_body", "_body")
    def overlap(self, body: Named, other: Named) -> CallResult:
        """1 if two bases overlap by more than one unit, as no two may, else 0."""
        if not body.item.name == other.item.name == "base":
            return []
        return YES if distances.overlap(body.shape, other.shape) else NO

    @asked("_point", "_point", "_among")
    def crossed(self, point: Point, other: Point, bodies: Boxes) -> CallResult:
        """What the line between two points meets of some bodies and all terrain: pairs (I, Item).

        I counts from 1, in the order in which the line meets them. If the line runs inside, or
        over to the other side of an edge, the Item is ``base(F)``, ``area(T)`` or ``edge(T)``. If
        it only meets the border, the Item is ``touched(Item)``. An item that is touched first and
        crossed later is listed twice. Terrain with one label that is connected is one piece here.
        A line that runs between its parts, or over the place where they meet, crosses them.
        """
        items, boxes = bodies
        met = lines.crossed(point, other, boxes)
        over = self._crossed_unions(point, other, met, boxes)
        answers = [marked(items[n], kind == "crosses" or n in over) for n, kind in met]
        return [pair(Number(n), item) for n, item in enumerate(answers, 1)]

    def _crossed_unions(
        self, start: Point, end: Point, met: Sequence[lines.Meeting], boxes: Sequence[Body]
    ) -> set[int]:
        """The bodies that a line only touches, and that make one with others that it goes over."""
        if all(meeting.kind == "crosses" for meeting in met):
            return set()
        bases, unions_of = len(boxes) - len(self._plane.terrain), self._plane.unions
        terrain = sorted({meeting.body - bases for meeting in met if meeting.body >= bases})
        crossed: set[int] = set()
        for union in {unions_of[n] for n in terrain}:
            numbers = [n for n in terrain if unions_of[n] == union]
            shapes = {bases + n: self._plane.terrain[n].shape for n in numbers}
            crossed |= unions.over(start, end, shapes)
        return crossed

    @asked("_point", "_point", "_terrain")
    def enters(self, point: Point, other: Point, area: Terrain) -> CallResult:
        """1 if the line from one point to another comes into an area from outside it, else 0."""
        if area.edge:
            return []
        on_line = exact.parts(point, other, area.points)
        return YES if any(part.crosses and part.low for part in on_line) else NO

    @asked("_point", "_point", "_terrain")
    def crossings(self, point: Point, other: Point, item: Terrain) -> CallResult:
        """How often the line from one point to another goes over terrain, or comes into it.

        A piece of terrain, area or edge, counts together with all terrain that makes one piece
        with it (see `piece`). An area in which the line starts is only left.
        """
        unions_of = self._plane.unions
        union = unions_of[self._plane.terrain.index(item)]
        bodies = [self._plane.bodies[n] for n, first in enumerate(unions_of) if first == union]
        nearby = lines.nearby(point, other, 0, bodies)
        shapes = {n: shape for n, shape in nearby if not isinstance(shape, Disc)}
        return Number(unions.times_over(point, other, shapes))

    @asked("_terrain", "_any")
    def piece(self, item: Terrain, label: Symbol) -> CallResult:
        """The name of the piece with that label to which a piece of terrain belongs.

        What has one label and shares a point is one piece, however it was drawn. It is named by
        one of its Items, which is the same for all of them.
        """
        if label != Function(item.label):
            return []
        terrain = self._plane.terrain
        return terrain[self._plane.unions[terrain.index(item)]].item

    @asked("_point", "_point", "_pieces")
    def pinched(self, point: Point, other: Point, terrain: Pieces) -> CallResult:
        """The Items of a list of terrain between which a line cannot pass, though it only touches
        each. They are connected there, and are on both sides of the line.
        """
        pinching = unions.pinched(point, other, terrain)
        return [item for piece in terrain for item in piece if item in pinching]

    @asked("_point", "_integer", "_point")
    def flanks(self, point: Point, radius: int, other: Point) -> CallResult:
        """The two points of a rim that lie farthest to the sides, as seen from another point.

        They are rounded to whole units towards the middle.
        """
        if radius < 0 or point == other:
            return []
        dx, dy = other[0] - point[0], other[1] - point[1]
        square = dx * dx + dy * dy
        x, y = (isqrt(radius * radius * n * n // square) for n in (dy, dx))
        x, y = (-x if dy > 0 else x), (y if dx > 0 else -y)
        return [point_term((point[0] + k * x, point[1] + k * y)) for k in (1, -1)]

    @asked("_point", "_point", "_integer", "_among")
    def swept(self, point: Point, other: Point, radius: int, bodies: Boxes) -> CallResult:
        """What a round base meets whose centre goes straight from one point to another: Items.

        They are those of `crossed`, of some bodies and all terrain, in no order. What the base
        comes within a unit of is ``touched``, and what it overlaps by no more than a unit.
        """
        if radius < 1:
            return []
        items, boxes = bodies
        near = lines.swept(point, other, radius + 1, boxes)
        inner = lines.swept(point, other, radius - 1, boxes)
        over = {number for number, kind in inner if kind == "crosses"}
        return [marked(items[n], n in over) for n, kind in near if kind == "crosses"]

    @asked("_point", "_point", "_integer", "_body", "_integer", "_any", "_bodies")
    def reached(
        self,
        point: Point,
        other: Point,
        radius: int,
        base: Named,
        limit: int,
        facing: Symbol,
        screens: list[Named],
    ) -> CallResult:
        """The first whole point of a straight path within a limit of a base, past its start.

        A round base goes from one point to another, and the other base is ``disc(F, Point, R)``.
        If its facing is a vector, and not (), nothing behind it counts. Nothing counts that a
        piece of terrain among the screens, a list, hides from its middle.
        """
        disc, ahead = base.shape, point_of(facing)
        if radius < 0 or not isinstance(disc, Disc) or (facing != NO_ITEMS and not ahead):
            return []
        shapes = [body.shape for body in screens if not isinstance(body.shape, Disc)]
        last = first_contact.first_within(point, other, radius, disc, limit, ahead, shapes)
        return [] if last is None else point_term(last)

    @asked("_point", "_point", "_point", "_bodies")
    def turns(self, point: Point, other: Point, eye: Point, terrain: list[Named]) -> CallResult:
        """The whole points of a straight way where what a line to it meets may change.

        The line comes from another point, and what it meets is a list of terrain. Past the start
        of the way they are its first whole points, those around each change, and its end.
        """
        shapes = [body.shape for body in terrain if not isinstance(body.shape, Disc)]
        spots = first_contact.turns_in_view(point, other, eye, shapes)
        return [point_term(spot) for spot in spots]

    @asked("_point", "_point", "_integer")
    def toward(self, point: Point, other: Point, length: int) -> CallResult:
        """The point so far from one point to another, rounded to the nearest whole point."""
        return [] if length < 0 else point_term(first_contact.toward(point, other, length))

    @asked("_any")
    def vector(self, facing: Symbol) -> CallResult:
        """The vector (X, Y) of one of the eight facings, or one that is stated, as it is."""
        vector = SQUARES.steps.get(facing) or self._vector(facing)
        return point_term(vector) if vector else []

    # -- templates -------------------------------------------------------------------------------

    @asked("_point", "_template")
    def inside(self, point: Point, template: Shape) -> CallResult:
        """1 if a point is in a template or an area, or on its border, else 0."""
        return NO if exact.over(template, Disc(*point, 0)) > 0 else YES

    @asked("_template", "_bodies")
    def covered(self, template: Shape, bodies: list[Named]) -> CallResult:
        """A pair (Item, How) for each round base that a template meets: ``touched``, ``partly``,
        ``wholly``.

        A template is ``circle(Point, Radius)``, ``half(Point, Radius, Facing)``,
        ``cone(Point, Facing, Length, Width)``, or a piece of terrain ``area(T)``. A
        ``cone(Point, Facing, Length, Width, Shift)`` has its far end moved to the left. Its corners
        are rounded to whole units. ``front(Point, Facing)`` is everything that is not behind the
        point. A facing is a vector (X, Y) of whole numbers, whose length does not matter.
        """
        covers = [
            (b.item, exact.cover(template, b.shape)) for b in bodies if isinstance(b.shape, Disc)
        ]
        return [pair(item, Function(how)) for item, how in covers if how]

    # -- terms as shapes -------------------------------------------------------------------------

    _point = staticmethod(point_of)

    def _points(self, term: Symbol) -> list[Point] | None:
        items = items_of(term)
        return all_known(map(point_of, items)) if items else None

    def _vector(self, term: Symbol) -> Point | None:
        vector = point_of(term)
        return None if vector == (0, 0) else vector

    def _terrain(self, term: Symbol) -> Terrain | None:
        """The piece of terrain that a term ``area(T)`` or ``edge(T)`` names."""
        return self._plane.items.get(term)

    def _body(self, term: Symbol) -> Named | None:
        if term.match("disc", 3) or term.match("square", 3):
            name, at, size = term.arguments
            point, n = point_of(at), number_of(size)
            if point is None or n is None or n < 1:
                return None
            shape = Disc(*point, n) if term.name == "disc" else square(point, n)
            return Named(Function("base", [name]), shape)
        piece = self._terrain(term)
        return Named(term, piece.shape) if piece else None

    @memoized
    def _bodies(self, term: Symbol) -> list[Named] | None:
        """The bodies of a list; None, if one of them is no body."""
        items = items_of(term)
        return None if items is None else all_known(map(self._body, items))

    @memoized
    def _pieces(self, term: Symbol) -> Pieces | None:
        """The terrain of a list, by which pieces it makes among itself."""
        bodies = self._bodies(term)
        if bodies is None:
            return None
        pieces = [(item, piece) for item, _ in bodies if (piece := self._terrain(item))]
        roots = unions.connected([p.shape for _, p in pieces], [p.label for _, p in pieces])
        shapes: dict[int, dict[Symbol, Polygon | Wall]] = defaultdict(dict)
        for (item, piece), root in zip(pieces, roots, strict=True):
            shapes[root][item] = piece.shape
        return list(shapes.values())

    @memoized
    def _among(self, term: Symbol) -> Boxes | None:
        """Some bodies and all terrain: what each is called, and each in its box."""
        bodies = self._bodies(term)
        if bodies is None:
            return None
        own = [body for body in bodies if body.item.name == "base"]
        items = [body.item for body in own] + [*self._plane.items]
        return items, [*(boxed(body.shape) for body in own), *self._plane.bodies]

    def _template(self, term: Symbol) -> Shape | None:
        if term.type != SymbolType.Function or not term.arguments:
            return None
        piece = self._terrain(term)
        if piece is not None:
            return None if piece.edge else piece.points
        return template_of(term.name, term.arguments)


Context = Calls  # what answers the grounder


def template_of(name: str, arguments: Sequence[Symbol]) -> Shape | None:
    """The template that a term names, if it is put as described."""
    at = point_of(arguments[0])
    parts = [point_of(a) or number_of(a) for a in arguments[1:]]
    match name, parts:
        case _ if at is None or (0, 0) in parts:
            return None
        case "circle", [int(r)] if r >= 0:
            return Disc(*at, r)
        case "half", [int(r), (int(x), int(y))] if r > 0:
            return HalfDisc(*at, r, x, y)
        case "cone", [_, _, _]:
            return template_of(name, [*arguments, NO])
        case "cone", [tuple(facing), int(length), int(width), int(left)] if length > 0 < width:
            return cone(at, facing, length, width, left)
        case "front", [(int(x), int(y))]:
            return HalfPlane(*at, x, y)
    return None


def square(centre: Point, side: int) -> Polygon:
    """A square base; a side that is odd reaches half a unit farther to the right and up."""
    x, y = centre[0] - side // 2, centre[1] - side // 2
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def marked(item: Symbol, crosses: bool) -> Symbol:
    return item if crosses else Function("touched", [item])


def all_known(values: Iterable[Answer | None]) -> list[Answer] | None:
    """Some values; None, if one of them is."""
    known = list(values)
    return None if None in known else cast("list[Answer]", known)


# What encodings may call, with the number of arguments.
TABLE_FUNCTIONS: frozenset[str] = functions_of(Measuring)
