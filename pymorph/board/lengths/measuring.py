"""What a program may ask of a table in lengths while it is grounded: exact, in whole units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isqrt
from typing import NamedTuple

from clingo import Function, Number, Symbol, SymbolType

from pymorph.board.geometry import FUNCTIONS, Geometry, unanswered
from pymorph.board.graphs import CallResult, Graphs, GraphsAlone
from pymorph.board.lattice import SQUARES
from pymorph.board.lengths import angles, distances, exact, first_contact, lines, unions
from pymorph.board.lengths.exact import meets
from pymorph.board.lengths.length_units import END, point_of, point_term
from pymorph.board.lengths.lines import Body, boxed
from pymorph.board.lengths.overlap_relation import cover
from pymorph.board.lengths.plane import Plane, Terrain
from pymorph.board.lengths.shapes import (
    Disc,
    HalfDisc,
    HalfPlane,
    Point,
    Polygon,
    Shape,
    Triangle,
    Wall,
    Wedge,
    checked,
)

TABLE_FUNCTIONS: frozenset[str] = frozenset(
    {
        "angle/2",
        "covered/2",
        "crossed/3",
        "crossings/3",
        "enters/3",
        "flanks/3",
        "gap/2",
        "inside/2",
        "length/1",
        "off/3",
        "overlap/2",
        "path/2",
        "piece/2",
        "pinched/3",
        "reached/7",
        "size/0",
        "span/2",
        "stopped/4",
        "swept/4",
        "terrain/0",
        "toward/3",
        "turns/4",
        "vector/1",
        "within/3",
    }
)
YES, NO = Number(1), Number(0)


Boxes = tuple[list[Symbol], list[Body]]
Kinds = list[list[tuple[Symbol, Polygon | Wall]]]


class Named(NamedTuple):
    """A body as a program has it: what it is called in answers, and its shape."""

    item: Symbol
    shape: Disc | Polygon | Wall


class Measuring(Graphs):
    """The functions that encodings call on one table, by the names in `TABLE_FUNCTIONS`.

    Lengths and points are in whole units: a length is a number, a point (X, Y). A list is
    ``(First, Rest)``, and ``()`` at its end. A body is ``disc(F, Point, Radius)``, ``square(F,
    Point, Side)`` with sides along the table's, or a piece of terrain, ``area(T)`` or ``edge(T)``;
    in answers the first two are ``base(F)``. There is no answer for what is not as described here,
    and none at all without a table. A gap below one unit is contact, for bases at a slant have no
    whole points that are nearer a touch.
    """

    def __init__(self, board: Plane | None) -> None:
        self.board = board
        self._lists: dict[Symbol, list[Named] | None] = {}
        self._boxes: dict[Symbol, Boxes | None] = {}
        self._sorted: dict[Symbol, Kinds | None] = {}

    # -- the table -------------------------------------------------------------------------------

    def size(self) -> CallResult:
        """How wide and how deep the table is, as a pair (Width, Depth)."""
        return point_term(self.board.size) if self.board else []

    def terrain(self) -> CallResult:
        """A pair (Item, Label) for each piece of terrain; Item is ``area(T)`` or ``edge(T)``."""
        pieces = self.board.terrain if self.board else ()
        return [Function("", [item_of(piece), Function(piece.label)]) for piece in pieces]

    # -- lengths ---------------------------------------------------------------------------------

    def span(self, point: Symbol, other: Symbol) -> CallResult:
        """How far it is from one point to another, rounded up to a whole unit."""
        return self.length(Function("", [point, Function("", [other, Function("", [])])]))

    def within(self, point: Symbol, other: Symbol, limit: Symbol) -> CallResult:
        """1 if it is no farther from one point to another than the limit, else 0."""
        one, two, most = point_of(point), point_of(other), number_of(limit)
        if self.board is None or one is None or two is None or most is None:
            return []
        return YES if most >= 0 and lines.compare_length((one, two), most) <= 0 else NO

    def length(self, points: Symbol) -> CallResult:
        """The length of a path along a list of points, rounded up to a whole unit."""
        path = points_of(points)
        if self.board is None or path is None:
            return []
        units, more = lines.length(path)
        return Number(units + more)

    def path(self, points: Symbol, limit: Symbol) -> CallResult:
        """1 if the path along a list of points is longer than the limit, 0 if as long, or -1."""
        path, most = points_of(points), number_of(limit)
        if self.board is None or path is None or most is None:
            return []
        return Number(lines.compare_length(path, most))

    def angle(self, way: Symbol, other: Symbol) -> CallResult:
        """The angle between two vectors, counted from 0 to 8.

        Even numbers are exactly 0, 45, 90, 135 and 180 degrees. Odd numbers are between these.
        """
        one, two = point_of(way), point_of(other)
        if self.board is None or not one or not two or (0, 0) in (one, two):
            return []
        return Number(angles.angle(one, two))

    def off(self, point: Symbol, start: Symbol, way: Symbol) -> CallResult:
        """How far a point is off a line through another along a vector, rounded up to a unit."""
        at, one, ahead = point_of(point), point_of(start), point_of(way)
        if self.board is None or at is None or one is None or not ahead or ahead == (0, 0):
            return []
        return Number(angles.off(at, one, ahead))

    # -- bodies ----------------------------------------------------------------------------------

    def gap(self, body: Symbol, other: Symbol) -> CallResult:
        """The gap between two bodies, rounded up to a whole unit; 0 if they are in contact."""
        one, two = self._body(body), self._body(other)
        if one is None or two is None:
            return []
        return Number(distances.gap(one.shape, two.shape))

    def overlap(self, body: Symbol, other: Symbol) -> CallResult:
        """1 if two bases overlap by more than one unit, as no two may, else 0."""
        one, two = self._body(body), self._body(other)
        if one is None or two is None or not one.item.name == two.item.name == "base":
            return []
        return YES if distances.overlap(one.shape, two.shape) else NO

    def crossed(self, point: Symbol, other: Symbol, bodies: Symbol) -> CallResult:
        """What the line between two points meets of some bodies and all terrain: pairs (I, Item).

        I counts from 1, in the order in which the line meets them. If the line runs inside, or
        over to the other side of an edge, the Item is ``base(F)``, ``area(T)`` or ``edge(T)``. If
        it only meets the border, the Item is ``touched(Item)``. An item that is touched first and
        crossed later is listed twice. Terrain with one label that is connected is one piece here.
        A line that runs between its parts, or over the place where they meet, crosses them.
        """
        one, two, among = point_of(point), point_of(other), self._among(bodies)
        if one is None or two is None or among is None:
            return []
        items, boxes = among
        met = lines.crossed(one, two, boxes)
        over = self._crossed_together(one, two, met, boxes)
        told = [marked(items[n], kind == "crosses" or n in over) for n, kind in met]
        return [Function("", [Number(n), item]) for n, item in enumerate(told, 1)]

    def _crossed_together(
        self, start: Point, end: Point, met: Sequence[lines.Meeting], boxes: Sequence[Body]
    ) -> set[int]:
        """The bodies that a line only touches, and that make one with others that it goes over."""
        if self.board is None or all(each.kind == "crosses" for each in met):
            return set()
        bases, wholes = len(boxes) - len(self.board.terrain), self.board.wholes
        kinds: dict[int, list[int]] = {}
        for number in dict.fromkeys(each.body for each in met if each.body >= bases):
            kinds.setdefault(wholes[number - bases], []).append(number)
        found: set[int] = set()
        for numbers in kinds.values():
            shapes = [self.board.terrain[number - bases].shape for number in numbers]
            found |= {numbers[n] for n in unions.over(start, end, shapes)}
        return found

    def enters(self, point: Symbol, other: Symbol, area: Symbol) -> CallResult:
        """1 if the line from one point to another comes into an area from outside it, else 0."""
        one, two, found = point_of(point), point_of(other), self._terrain(area)
        if one is None or two is None or found is None or found.edge:
            return []
        return NO if exact.along(one, two, found.points, entering=True)[1] is None else YES

    def crossings(self, point: Symbol, other: Symbol, item: Symbol) -> CallResult:
        """How often the line from one point to another goes over terrain, or comes into it.

        A piece of terrain, area or edge, counts together with all terrain that makes one piece
        with it (see `piece`). An area in which the line starts is only left.
        """
        one, two, found = point_of(point), point_of(other), self._terrain(item)
        if self.board is None or one is None or two is None or found is None:
            return []
        whole = self.board.wholes[self.board.terrain.index(found)]
        bodies = [
            self.board.bodies[n] for n, first in enumerate(self.board.wholes) if first == whole
        ]
        shapes = [
            shape for _, shape in lines.nearby(one, two, 0, bodies) if not isinstance(shape, Disc)
        ]
        return Number(unions.times_over(one, two, shapes))

    def piece(self, item: Symbol, label: Symbol) -> CallResult:
        """The name of the piece with that label to which a piece of terrain belongs.

        What has one label and shares a point is one piece, however it was drawn. It is named by
        one of its Items, which is the same for all of them.
        """
        found = self._terrain(item)
        if self.board is None or found is None or label != Function(found.label):
            return []
        number = self.board.terrain.index(found)
        return item_of(self.board.terrain[self.board.wholes[number]])

    def pinched(self, point: Symbol, other: Symbol, terrain: Symbol) -> CallResult:
        """The Items of a list of terrain between which a line cannot pass, though it only touches
        each. They are connected there, and are on both sides of the line.
        """
        one, two, kinds = point_of(point), point_of(other), self._kinds(terrain)
        if one is None or two is None or kinds is None:
            return []
        shapes = [[shape for _, shape in kind] for kind in kinds]
        return [kinds[kind][n][0] for kind, n in unions.pinched(one, two, shapes)]

    def flanks(self, point: Symbol, radius: Symbol, other: Symbol) -> CallResult:
        """The two points of a rim that lie farthest to the sides, as seen from another point.

        They are rounded to whole units towards the middle.
        """
        one, two, r = point_of(point), point_of(other), number_of(radius)
        if self.board is None or one is None or two is None or r is None or r < 0 or one == two:
            return []
        dx, dy = two[0] - one[0], two[1] - one[1]
        square = dx * dx + dy * dy
        x, y = (isqrt(r * r * n * n // square) for n in (dy, dx))
        x, y = (-x if dy > 0 else x), (y if dx > 0 else -y)
        return [point_term((one[0] + k * x, one[1] + k * y)) for k in (1, -1)]

    def swept(self, point: Symbol, other: Symbol, radius: Symbol, bodies: Symbol) -> CallResult:
        """What a round base meets whose centre goes straight from one point to another: Items.

        They are those of `crossed`, of some bodies and all terrain, in no order. What the base
        comes within a unit of is ``touched``, and what it overlaps by no more than a unit.
        """
        one, two, r = point_of(point), point_of(other), number_of(radius)
        among = self._among(bodies)
        if one is None or two is None or r is None or r < 1 or among is None:
            return []
        items, boxes = among
        near = lines.swept(one, two, r + 1, boxes)
        over = {each.body for each in lines.swept(one, two, r - 1, boxes) if each.kind == "crosses"}
        return [marked(items[n], n in over) for n, kind in near if kind == "crosses"]

    def stopped(self, point: Symbol, other: Symbol, radius: Symbol, bodies: Symbol) -> CallResult:
        """The last whole point of a straight way on which a round base meets none of the bodies.

        Terrain stops it only where it is among them. A base that meets one at the start has none.
        """
        one, two, r = point_of(point), point_of(other), number_of(radius)
        found = self._bodies(bodies)
        if one is None or two is None or r is None or r < 0 or found is None:
            return []
        end = two
        for body in found:
            if exact.meets(one, end, r, body.shape) == "clear":
                continue
            last = exact.last_before(one, two, r, body.shape)
            if last is None:
                return []
            end = min(end, last, key=lambda p: abs(p[0] - one[0]) + abs(p[1] - one[1]))
        return point_term(end)

    def reached(
        self,
        point: Symbol,
        other: Symbol,
        radius: Symbol,
        base: Symbol,
        limit: Symbol,
        facing: Symbol,
        screens: Symbol,
    ) -> CallResult:
        """The first whole point of a straight path within a limit of a base, past its start.

        A round base goes from one point to another, and the other base is ``disc(F, Point, R)``.
        If its facing is a vector, and not (), nothing behind it counts. Nothing counts that a
        piece of terrain among the screens, a list, hides from its middle.
        """
        one, two, r, most = point_of(point), point_of(other), number_of(radius), number_of(limit)
        body, ahead, found = self._body(base), point_of(facing), self._bodies(screens)
        if one is None or two is None or r is None or r < 0 or most is None or found is None:
            return []
        if body is None or not isinstance(body.shape, Disc) or (facing != END and not ahead):
            return []
        shapes = [each.shape for each in found if not isinstance(each.shape, Disc)]
        last = first_contact.first_within(one, two, r, body.shape, most, ahead, shapes)
        return [] if last is None else point_term(last)

    def turns(self, point: Symbol, other: Symbol, eye: Symbol, terrain: Symbol) -> CallResult:
        """The whole points of a straight way where what a line to it meets may change.

        The line comes from another point, and what it meets is a list of terrain. Past the start
        of the way they are its first whole points, those around each change, and its end.
        """
        one, two, three = point_of(point), point_of(other), point_of(eye)
        found = self._bodies(terrain)
        if one is None or two is None or three is None or found is None:
            return []
        shapes = [each.shape for each in found if not isinstance(each.shape, Disc)]
        return [point_term(spot) for spot in first_contact.turns_in_view(one, two, three, shapes)]

    def toward(self, point: Symbol, other: Symbol, length: Symbol) -> CallResult:
        """The point so far from one point to another, rounded to the nearest whole point."""
        one, two, units = point_of(point), point_of(other), number_of(length)
        if self.board is None or one is None or two is None or units is None or units < 0:
            return []
        return point_term(first_contact.toward(one, two, units))

    def vector(self, facing: Symbol) -> CallResult:
        """The vector (X, Y) of one of the eight facings, or one that is stated, as it is."""
        found = SQUARES.steps.get(facing) or point_of(facing)
        return [] if self.board is None or found in (None, (0, 0)) else point_term(found)

    # -- templates -------------------------------------------------------------------------------

    def inside(self, point: Symbol, template: Symbol) -> CallResult:
        """1 if a point is in a template or an area, or on its border, else 0."""
        at, shape = point_of(point), self._template(template)
        if at is None or shape is None:
            return []
        return NO if meets(at, at, 0, shape) == "clear" else YES

    def covered(self, template: Symbol, bodies: Symbol) -> CallResult:
        """A pair (Item, How) for each body that a template meets: ``touched``, ``partly``,
        ``wholly``.

        A template is ``circle(Point, Radius)``, ``half(Point, Radius, Facing)``,
        ``cone(Point, Facing, Length, Width)``, ``wedge(Point, Right, Left)``, or a piece of terrain
        ``area(T)``. A ``cone(Point, Facing, Length, Width, Shift)`` has its far end moved to the
        left. ``front(Point, Facing)`` is everything that is not behind the point. A facing is a
        vector (X, Y) of whole numbers, whose length does not matter.
        """
        shape, found = self._template(template), self._bodies(bodies)
        if shape is None or found is None:
            return []
        answers = []
        for body in found:
            how = cover(shape, body.shape)
            if how:
                answers.append(Function("", [body.item, Function(how)]))
        return answers

    # -- terms as shapes -------------------------------------------------------------------------

    def _terrain(self, term: Symbol) -> Terrain | None:
        """The piece of terrain that a term ``area(T)`` or ``edge(T)`` names."""
        if self.board is None or term.type != SymbolType.Function:
            return None
        if len(term.arguments) != 1 or term.name not in ("area", "edge"):
            return None
        name = term.arguments[0]
        if name.type != SymbolType.Function or name.arguments:
            return None
        found = self.board.pieces.get(name.name)
        return found if found and found.edge == (term.name == "edge") else None

    def _body(self, term: Symbol) -> Named | None:
        if self.board is None or term.type != SymbolType.Function:
            return None
        if term.name in ("disc", "square") and len(term.arguments) == 3:
            name, at, size = term.arguments
            point, n = point_of(at), number_of(size)
            if point is None or n is None or n < 1:
                return None
            item = Function("base", [name])
            if term.name == "disc":
                return Named(item, Disc(*point, n))
            return Named(item, square(point, n))
        found = self._terrain(term)
        return Named(term, found.shape) if found else None

    def _bodies(self, term: Symbol) -> list[Named] | None:
        """The bodies of a list, which is asked about again and again; none at all, if one of them
        is no body."""
        if term not in self._lists:
            self._lists[term] = self._listed(term)
        return self._lists[term]

    def _kinds(self, term: Symbol) -> Kinds | None:
        """The terrain of a list, by which pieces it makes among itself."""
        if term not in self._sorted:
            self._sorted[term] = self._by_kind(term)
        return self._sorted[term]

    def _by_kind(self, term: Symbol) -> Kinds | None:
        found = self._bodies(term)
        if found is None or self.board is None:
            return None
        pieces = [(item, piece) for item, _ in found if (piece := self._terrain(item))]
        roots = unions.connected([p.shape for _, p in pieces], [p.label for _, p in pieces])
        kinds: dict[int, list[tuple[Symbol, Polygon | Wall]]] = {}
        for (item, piece), root in zip(pieces, roots, strict=True):
            kinds.setdefault(root, []).append((item, piece.shape))
        return list(kinds.values())

    def _listed(self, term: Symbol) -> list[Named] | None:
        items = items_of(term)
        if self.board is None or items is None:
            return None
        found = [self._body(item) for item in items]
        kept = [body for body in found if body is not None]
        return kept if len(kept) == len(found) else None

    def _among(self, term: Symbol) -> Boxes | None:
        """Some bodies and all terrain: what each is called, and each in its box."""
        if term not in self._boxes:
            self._boxes[term] = self._boxed(term)
        return self._boxes[term]

    def _boxed(self, term: Symbol) -> Boxes | None:
        found = self._bodies(term)
        if found is None or self.board is None:
            return None
        own = [body for body in found if body.item.name == "base"]
        items = [body.item for body in own] + [item_of(piece) for piece in self.board.terrain]
        return items, [*(boxed(body.shape) for body in own), *self.board.bodies]

    def _template(self, term: Symbol) -> Shape | None:
        if self.board is None or term.type != SymbolType.Function or not term.arguments:
            return None
        piece = self._terrain(term)
        if piece is not None:
            return None if piece.edge else piece.points
        try:
            shape = template_of(term.name, term.arguments)
            return checked(shape) if shape else None
        except ValueError:
            return None


Context = Geometry | Measuring | GraphsAlone  # what answers the grounder


class OnTable(Measuring):
    """A table in a game that is played on drawn boards as well, of which it answers nothing."""

    def crossed(self, *asked: Symbol) -> CallResult:
        """As of a table; of a board there are two arguments."""
        return super().crossed(*asked) if len(asked) == 3 else []

    def __getattr__(self, name: str) -> Callable[..., CallResult]:
        if any(each.partition("/")[0] == name for each in FUNCTIONS):
            return unanswered
        raise AttributeError(name)


def template_of(name: str, arguments: Sequence[Symbol]) -> Shape | None:
    """The template that a term names, if it is put as described."""
    at = point_of(arguments[0])
    parts = [point_of(a) or number_of(a) for a in arguments[1:]]
    match name, parts:
        case _ if at is None:
            return None
        case "circle", [int(r)]:
            return Disc(*at, r)
        case "half", [int(r), (int(x), int(y))]:
            return HalfDisc(*at, r, x, y)
        case "cone", [(int(x), int(y)), int(length), int(width)]:
            return Triangle(*at, length, width, x, y)
        case "cone", [(int(x), int(y)), int(length), int(width), int(shift)]:
            return Triangle(*at, length, width, x, y, shift)
        case "front", [(int(x), int(y))]:
            return HalfPlane(*at, x, y)
        case "wedge", [(int(x), int(y)), (int(u), int(v))]:
            return Wedge(*at, (x, y), (u, v))
    return None


def square(centre: Point, side: int) -> Polygon:
    """A square base; a side that is odd reaches half a unit farther to the right and up."""
    x, y = centre[0] - side // 2, centre[1] - side // 2
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def item_of(piece: Terrain) -> Symbol:
    return Function("edge" if piece.edge else "area", [Function(piece.name)])


def marked(item: Symbol, crosses: bool) -> Symbol:
    return item if crosses else Function("touched", [item])


def number_of(term: Symbol) -> int | None:
    return term.number if term.type == SymbolType.Number else None


def items_of(term: Symbol) -> list[Symbol] | None:
    """The items of a list, which is (First, Rest), and () after the last."""
    found = []
    while term.type == SymbolType.Function and not term.name and len(term.arguments) == 2:
        first, term = term.arguments
        found.append(first)
    empty = term.type == SymbolType.Function and not term.name and not term.arguments
    return found if empty else None


def points_of(term: Symbol) -> list[Point] | None:
    items = items_of(term)
    points = [point_of(item) for item in items or ()]
    kept = [point for point in points if point is not None]
    return kept if items and len(kept) == len(items) else None
