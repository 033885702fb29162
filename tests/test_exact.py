"""Exact questions about a table in lengths, against fractions, long decimals and shapely.

Each is tried on small whole numbers, where touching is common, on large ones, and on touches built
in fractions, turned by a whole triangle and stretched until all is whole: there the verdict is
known, and so are those one unit to either side. A plain run tries a sample, the campaign 100,000.
"""

import math
import random
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from math import isqrt, lcm
from typing import Any

import pytest
import shapely
from clingo import parse_term
from hypothesis import given
from hypothesis import strategies as st

from pymorph.board.lengths import distances, lines
from pymorph.board.lengths.exact import KINDS, cover, holds, into
from pymorph.board.lengths.length_units import FARTHEST
from pymorph.board.lengths.lines import boxed, crossed
from pymorph.board.lengths.measuring import template_of
from pymorph.board.lengths.shapes import Disc, HalfDisc, HalfPlane, Point, Shape, Wall, cone
from tests import measuring
from tests.measuring import meets, sign
from tests.tables import parametrized, tables, trials, tupled

TRIPLES = [(1, 0, 1), (3, 4, 5), (5, 12, 13), (8, 15, 17), (20, 21, 29), (7, 24, 25)]
SIZES = {"small": 6, "middle": 60, "large": 10**6}


# Shapes by chance


def is_simple(corners: list[Point]) -> bool:
    return len(set(corners)) == len(corners) and shapely.Polygon(corners).is_valid


def some_wall(rng: random.Random, size: int) -> Wall:
    """A wall of a few points, closed now and then; it may meet itself."""
    while True:
        points = [
            (rng.randint(-size, size), rng.randint(-size, size)) for _ in range(rng.randint(2, 5))
        ]
        points += points[:1] if len(points) > 2 and rng.random() < 0.3 else []
        if all(a != b for a, b in pairwise(points)):
            return Wall(tuple(points))


def some_polygon(rng: random.Random, size: int) -> tuple[Point, ...]:
    """A simple polygon, convex or not, in either sense."""
    while True:
        corners = [
            (rng.randint(-size, size), rng.randint(-size, size)) for _ in range(rng.randint(3, 7))
        ]
        if is_simple(corners):
            return tuple(corners)


def vector(rng: random.Random, size: int, whole: bool) -> Point:
    """A vector that is not (0, 0), of a whole length or of any."""
    if whole:
        x, y, _ = rng.choice(TRIPLES)
        x, y = rng.choice([(x, y), (y, x)])
        return x * rng.choice((-1, 1)), y * rng.choice((-1, 1))
    while True:
        x, y = rng.randint(-size, size), rng.randint(-size, size)
        if x or y:
            return x, y


def some_disc(rng: random.Random, size: int) -> Disc:
    return Disc(rng.randint(-size, size), rng.randint(-size, size), rng.randint(0, size))


def some_half_disc(rng: random.Random, size: int) -> HalfDisc:
    x, y, r = some_disc(rng, size)
    return HalfDisc(x, y, r + 1, *vector(rng, size, rng.random() < 0.6))


def some_half_plane(rng: random.Random, size: int) -> HalfPlane:
    x, y, _ = some_disc(rng, size)
    return HalfPlane(x, y, *vector(rng, size, rng.random() < 0.6))


MAKERS: dict[str, Callable[[random.Random, int], Shape]] = {
    "disc": some_disc,
    "polygon": some_polygon,
    "half_disc": some_half_disc,
    "half_plane": some_half_plane,
}
KINDS_OF_SHAPES = pytest.mark.parametrize("name", MAKERS)


def some_way(rng: random.Random, size: int, name: str = "") -> tuple[Point, Point, int]:
    """A way and a radius: a line, a base that stands, or one that goes; before a template with a
    facing it stands."""
    start, end = ((rng.randint(-size, size), rng.randint(-size, size)) for _ in "ab")
    kind = rng.random()
    stands = kind > 0.8 or name.startswith("half")
    return start, start if stands else end, 0 if kind < 0.4 else rng.randint(0, size)


# A disc on its way against each shape


@KINDS_OF_SHAPES
@trials(90)
def test_by_chance(name: str, number: int) -> None:
    rng = random.Random(f"chance {name}")
    seen = set()
    for trial in range(number):
        size = SIZES["small" if trial % 3 else "middle" if trial % 2 else "large"]
        shape = MAKERS[name](rng, size)
        start, end, radius = some_way(rng, size, name)
        kind = meets(start, end, radius, shape)
        seen.add(kind)
        told = f"{start}, {end}, {radius}, {shape!r}"
        assert kind == KINDS[measuring.by_decimals(start, end, radius, shape)], told
        fractions = measuring.by_fractions(start, end, radius, shape)
        assert fractions is None or kind == KINDS[fractions], told
    assert seen >= {"clear", "crosses"}


def tangent(rng: random.Random, name: str, radius: int) -> tuple[dict[str, Any], Fraction]:
    """The points, lengths and vectors of a shape above the line y = radius, and where it touches.

    They are fractions, and it touches at an x; with more of its border, from there on or up to it.
    """

    def some(low: int = 1, high: int = 12) -> Fraction:
        return Fraction(rng.randint(low, high), rng.randint(1, 3))

    x, touch = some(-9, 9), Fraction(radius)
    if name == "disc":
        r = some()
        return {"at": (x, touch + r), "r": r}, x
    if name == "half_disc":
        r, (fx, fy) = some(), vector(rng, 5, True)
        if fy < 0 and rng.random() < 0.5:  # the arc looks down
            return {"at": (x, touch + r), "r": r, "facing": (fx, fy)}, x
        fy = abs(fy)
        size = Fraction(isqrt(fx * fx + fy * fy))
        low = r * abs(fx) / size  # the lower end of the diameter
        side = -1 if fx > 0 else 1
        return {"at": (x, touch + low), "r": r, "facing": (fx, fy)}, x - side * r * fy / size
    if name == "half_plane":
        return {"at": (x, touch), "facing": (0, rng.randint(1, 4))}, x
    polygon = [(Fraction(a), Fraction(b)) for a, b in some_polygon(rng, 6)]
    low = min(y for _, y in polygon)
    at = next(cx for cx, cy in polygon if cy == low)
    return {"corners": [(a + x, b - low + touch) for a, b in polygon]}, x + at


def built(rng: random.Random, name: str) -> tuple[Point, Point, int, Shape]:
    """A way that touches a shape and no more, in whole numbers."""
    radius = rng.choice((0, 0, 1, 2, 5))
    ideal, at = tangent(rng, name, radius)
    before, after = (Fraction(rng.choice((0, 1, 2, 7)), rng.randint(1, 3)) for _ in "ab")
    if name.startswith("half"):
        before = after = Fraction(0)
    ends = [(at - before, Fraction(0)), (at + after, Fraction(0))]
    p, q, h = rng.choice(TRIPLES)
    p, q = rng.choice([(p, q), (q, p), (-p, q), (q, -p)])

    def turn(point: tuple[Any, Any]) -> tuple[Fraction, Fraction]:
        x, y = point
        return Fraction(x * p - y * q, h), Fraction(x * q + y * p, h)

    vectors = {
        k: (v[0] * p - v[1] * q, v[0] * q + v[1] * p) for k, v in ideal.items() if k == "facing"
    }
    points = [*map(turn, ends), *map(turn, ideal.get("corners", [ideal.get("at", (0, 0))]))]
    lengths = {k: Fraction(ideal[k]) for k in ("r",) if k in ideal}
    stretch = lcm(*(c.denominator for point in points for c in point))
    stretch = lcm(stretch, *(c.denominator for c in lengths.values()))
    (start, end, *rest) = [(int(x * stretch), int(y * stretch)) for x, y in points]
    whole = {k: int(v * stretch) for k, v in lengths.items()}
    shapes: dict[str, Callable[[], Shape]] = {
        "disc": lambda: Disc(*rest[0], whole["r"]),
        "half_disc": lambda: HalfDisc(*rest[0], whole["r"], *vectors["facing"]),
        "half_plane": lambda: HalfPlane(*rest[0], *vectors["facing"]),
        "polygon": lambda: tuple(rest),
    }
    return start, end, radius * stretch, shapes[name]()


@KINDS_OF_SHAPES
@trials(60)
def test_built_to_touch(name: str, number: int) -> None:
    rng = random.Random(f"built {name}")
    for _ in range(number):
        start, end, radius, shape = built(rng, name)
        told = f"{start}, {end}, {radius}, {shape!r}"
        assert meets(start, end, radius, shape) == "touches", told
        assert meets(start, end, radius + 1, shape) == "crosses", told
        assert measuring.by_fractions(start, end, radius, shape) == 0, told
        assert measuring.by_decimals(start, end, radius, shape) == 0, told
        if radius:
            assert meets(start, end, radius - 1, shape) == "clear", told


def drawn(shape: Shape) -> shapely.Geometry:
    """The shape as shapely has it; what has no end is cut off, and arcs have many corners."""
    if isinstance(shape, Disc):
        centre = shapely.Point(shape.x, shape.y)
        return centre.buffer(shape.r, quad_segs=400) if shape.r else centre
    if isinstance(shape, HalfDisc | HalfPlane):
        x, y, size, far = shape.x, shape.y, math.hypot(shape.fx, shape.fy), 1e4
        ux, uy = shape.fx / size * far, shape.fy / size * far
        plane = shapely.Polygon(
            [
                (x - uy, y + ux),
                (x - uy + ux, y + ux + uy),
                (x + uy + ux, y - ux + uy),
                (x + uy, y - ux),
            ]
        )
        return plane & drawn(Disc(x, y, shape.r)) if isinstance(shape, HalfDisc) else plane
    return shapely.Polygon(shape)


@KINDS_OF_SHAPES
@trials(60)
def test_as_shapely_has_it(name: str, number: int) -> None:
    """Away from touch, by a thousandth of the size: there shapely has it right."""
    rng = random.Random(f"shapely {name}")
    compared = 0
    for _ in range(number):
        shape = MAKERS[name](rng, 60)
        start, end, radius = some_way(rng, 60, name)
        area = drawn(shape)
        line = shapely.Point(start) if start == end else shapely.LineString([start, end])
        away = shapely.distance(line, area) - radius
        if abs(away) < 0.06:
            if away or radius:
                continue
            inside = shapely.intersection(line, area.buffer(-0.06))
            if inside.is_empty:
                continue
            away = -1
        compared += 1
        found = meets(start, end, radius, shape)
        assert found == ("clear" if away > 0 else "crosses"), (start, end, radius, shape)
    assert compared > number // 2


# Order along a line


@trials(150)
def test_order_by_chance(number: int) -> None:
    rng = random.Random("order")
    twice = 0
    for trial in range(number):
        size = SIZES["large" if trial % 5 == 0 else "small"]
        shapes = [rng.choice((some_disc, some_polygon))(rng, size) for _ in range(5)]
        start, end, _ = some_way(rng, size)
        found = crossed(start, end, [boxed(shape) for shape in shapes])
        if start == end:
            kinds = [meets(start, end, 0, shape) for shape in shapes]
            assert list(found) == [(n, kind) for n, kind in enumerate(kinds) if kind != "clear"]
            continue
        expected = measuring.entries(start, end, shapes)
        assert [(m.body, m.kind) for m in found] == [(n, KINDS[k]) for _, n, k in expected], (
            start,
            end,
            shapes,
        )
        twice += len(found) > len({meeting.body for meeting in found})
        for meeting in found:
            kind = "crosses" if (meeting.body, "crosses") in found else "touches"
            assert meets(start, end, 0, shapes[meeting.body]) == kind
    assert twice or number < 1000


@trials(80)
def test_order_of_what_is_met_at_one_point(number: int) -> None:
    """Discs and polygons that a line enters at one point, in the order given, and one unit on."""
    rng = random.Random("one point")
    for _ in range(number):
        dx, dy = vector(rng, 9, False)
        bodies: list[Shape] = []
        while len(bodies) < 4:
            p, q = vector(rng, 9, True)
            r = rng.randint(1, 9)
            if p * dx + q * dy > 0:
                size = isqrt(p * p + q * q)
                bodies.append(
                    Disc(p * r, q * r, r * size)
                    if rng.random() < 0.7
                    else ((0, 0), (p * r - q, q * r + p), (p * r + q, q * r - p))
                )
        far = rng.randint(1000, 2000)
        start, end = (-dx * far, -dy * far), (dx * far, dy * far)
        rng.shuffle(bodies)
        found = crossed(start, end, [boxed(body) for body in bodies])
        crossing = [meeting.body for meeting in found if meeting.kind == "crosses"]
        assert crossing == [n for n in range(4) if (n, "crosses") in found], (start, end, bodies)
        first = bodies[0]
        if isinstance(first, Disc):
            # As far along as the line is straight: the first is moved on, and stands last.
            moved = [Disc(first.x + dx, first.y + dy, first.r), *bodies[1:]]
            found = crossed(start, end, [boxed(body) for body in moved])
            assert [m.body for m in found if m.kind == "crosses"][-1] == 0


# Discs among themselves, templates that cover, and ways that end at a touch


@trials(300)
def test_discs(number: int) -> None:
    rng = random.Random("discs")
    for trial in range(number):
        size = SIZES[("small", "middle", "large")[trial % 3]]
        one, other = some_disc(rng, size), some_disc(rng, size)
        limit = rng.randint(-2, size)
        if trial % 2:  # a gap of just the limit, and one unit beside it
            x, y, h = rng.choice(TRIPLES)
            k = -(-(one.r + other.r + limit + 2) // h)
            other = Disc(one.x + k * x, one.y - k * y, k * h - one.r - limit + rng.randint(-1, 1))
            if other.r < 0:
                continue
        square = Fraction((one.x - other.x) ** 2 + (one.y - other.y) ** 2)
        both = one.r + other.r
        with localcontext() as context:
            context.prec = measuring.DIGITS
            apart = Decimal(int(square)).sqrt() - both
        if limit >= 0:
            kind = meets(one[:2], one[:2], one.r + limit, other)
            assert (kind != "clear") == (apart <= limit) == (square <= (both + limit) ** 2)
        assert distances.overlap(one, other) == distances.overlap(other, one) == (apart < -1)


@KINDS_OF_SHAPES
@trials(60)
def test_covers(name: str, number: int) -> None:
    rng = random.Random(f"covers {name}")
    seen = set()
    for trial in range(number):
        size = SIZES["large" if trial % 4 == 0 else "small"]
        shape, disc = MAKERS[name](rng, size), some_disc(rng, size)
        disc = disc._replace(r=disc.r if trial % 3 == 0 else disc.r // 4)
        corners = measuring.corners_of(shape, math.hypot(*measuring.facing_of(shape)), float)
        if trial % 2 and corners:
            x, y = (round(sum(column) / len(corners)) for column in zip(*corners, strict=True))
            disc = Disc(x, y, disc.r // 2)
        with localcontext() as context:
            context.prec = measuring.DIGITS
            depth = measuring.deep_in(shape, Decimal(disc.x), Decimal(disc.y))
            expected = depth + disc.r <= measuring.HAIR
        assert holds(shape, disc) == expected, (shape, disc)
        assert not expected or meets(disc[:2], disc[:2], disc.r, shape) != "clear"
        seen.add(expected)
    assert seen == {True, False}


def test_a_gap_of_one_unit_is_no_contact() -> None:
    base = Disc(3, 4, 3)
    assert distances.gap(Disc(0, 0, 1), base) == 1
    assert distances.gap(Disc(0, 0, 2), base) == 0


def stretched(shape: Shape, k: int) -> Shape:
    """The shape in a plane k times as large; vectors stay."""
    match shape:
        case Disc(x, y, r):
            return Disc(x * k, y * k, r * k)
        case HalfDisc(x, y, r, fx, fy):
            return HalfDisc(x * k, y * k, r * k, fx, fy)
        case HalfPlane(x, y, fx, fy):
            return HalfPlane(x * k, y * k, fx, fy)
    return tuple((x * k, y * k) for x, y in shape)


# What may not change a verdict


def moved(shape: Shape, turn: Callable[[Point], Point], mirror: bool, by: Point) -> Shape:
    """The shape after a turn or a reflection, and then a shift."""

    def at(x: int, y: int) -> Point:
        a, b = turn((x, y))
        return a + by[0], b + by[1]

    match shape:
        case Disc(x, y, r):
            return Disc(*at(x, y), r)
        case HalfDisc(x, y, r, fx, fy):
            return HalfDisc(*at(x, y), r, *turn((fx, fy)))
        case HalfPlane(x, y, fx, fy):
            return HalfPlane(*at(x, y), *turn((fx, fy)))
    return tuple(at(x, y) for x, y in shape)


TURNS: list[tuple[Callable[[Point], Point], bool]] = [
    (lambda p: (-p[1], p[0]), False),
    (lambda p: (-p[0], -p[1]), False),
    (lambda p: (-p[0], p[1]), True),
    (lambda p: (p[1], p[0]), True),
]
SHIFTS = st.tuples(*[st.integers(-(10**9), 10**9)] * 2)


@KINDS_OF_SHAPES
@given(seed=st.integers(0, 2**40), turn=st.sampled_from(TURNS), by=SHIFTS, k=st.integers(1, 10**6))
def test_turns_mirrors_shifts_and_stretches(
    name: str, seed: int, turn: tuple[Callable[[Point], Point], bool], by: Point, k: int
) -> None:
    rng = random.Random(seed)
    shape = MAKERS[name](rng, 8)
    start, end, radius = some_way(rng, 8, name)
    kind = meets(start, end, radius, shape)
    assert meets(end, start, radius, shape) == kind
    (a, b), (c, d) = (turn[0](point) for point in (start, end))
    there = moved(shape, *turn, by)
    ends = (a + by[0], b + by[1]), (c + by[0], d + by[1])
    assert meets(*ends, radius, there) == kind
    disc = Disc(*start, radius)
    assert holds(there, Disc(*ends[0], radius)) == holds(shape, disc)
    large = stretched(shape, k)
    ways = [(x * k, y * k) for x, y in (start, end)]
    assert meets(*ways, radius * k, large) == kind


@given(seed=st.integers(0, 2**40), first=st.integers(0, 6), backwards=st.booleans())
def test_where_a_polygon_begins(seed: int, first: int, backwards: bool) -> None:
    rng = random.Random(seed)
    shape = some_polygon(rng, 6)
    start, end, radius = some_way(rng, 6)
    first %= len(shape)
    other = (*shape[first:], *shape[:first])[:: -1 if backwards else 1]
    assert meets(start, end, radius, other) == meets(start, end, radius, shape)
    assert holds(other, Disc(*start, radius)) == holds(shape, Disc(*start, radius))
    bodies = [boxed(some_disc(rng, 6)), boxed(shape)]
    assert crossed(start, end, bodies) == crossed(start, end, [bodies[0], boxed(other)])


@given(seed=st.integers(0, 2**40), k=st.integers(2, 9))
def test_how_long_a_facing_is_does_not_matter(seed: int, k: int) -> None:
    rng = random.Random(seed)
    start, end, radius = some_way(rng, 8, "half")
    for shape in (some_half_disc(rng, 8), some_half_plane(rng, 8)):
        other = shape._replace(fx=shape.fx * k, fy=shape.fy * k)
        assert meets(start, end, radius, other) == meets(start, end, radius, shape)


@given(seed=st.integers(0, 2**40))
def test_boxes_rule_out_nothing_that_is_met(seed: int) -> None:
    rng = random.Random(seed)
    shapes = [rng.choice((some_disc, some_polygon))(rng, 9) for _ in range(8)]
    start, end, radius = some_way(rng, 20)
    kinds = [meets(start, end, radius, shape) for shape in shapes]
    found = lines.swept(start, end, radius, [boxed(shape) for shape in shapes])
    assert list(found) == [(n, kind) for n, kind in enumerate(kinds) if kind != "clear"]


# Paths


def leg(square: int) -> Point | None:
    """A leg of which this is the square of the length, if there is one."""
    for x in range(isqrt(square // 2) + 1):
        y = isqrt(square - x * x)
        if x * x + y * y == square:
            return x, y
    return None


def path_of(legs: list[Point]) -> list[Point]:
    path = [(0, 0)]
    for x, y in legs:
        path.append((path[-1][0] + x, path[-1][1] + y))
    return path


@trials(300)
def test_length(number: int) -> None:
    rng = random.Random("length")
    for trial in range(number):
        size = SIZES[("small", "middle", "large")[trial % 3]]
        if trial % 2:  # of whole legs
            legs = []
            for _ in range(rng.randint(1, 6)):
                x, y, _ = rng.choice(TRIPLES)
                k = rng.randint(-size, size)
                legs.append(rng.choice([(x * k, y * k), (-y * k, x * k)]))
            limit = sum(isqrt(x * x + y * y) for x, y in legs)
            assert lines.length(path_of(legs)) == (limit, False)
        else:
            legs = [vector(rng, size, False) for _ in range(rng.randint(1, 6))]
            if trial % 4 == 0:  # one slanted leg among whole ones, or two alike
                legs += [(0, 3), (-4, 3), legs[0]]
        with localcontext() as context:
            context.prec = measuring.DIGITS
            true = sum((Decimal(x * x + y * y).sqrt() for x, y in legs), Decimal(0))
            whole = math.floor(true + measuring.HAIR)
            over = measuring.within(true - whole, measuring.HAIR)
        assert lines.length(path_of(legs)) == (whole, bool(over)), legs
        for limit in (whole - 1, whole, whole + 1):
            expected = sign(whole - limit) or over
            assert lines.compare_length(path_of(legs), limit) == expected
        assert lines.length(path_of(legs)[::-1]) == (whole, bool(over))


def test_length_where_many_digits_decide() -> None:
    """Twice (k, 1) and (x, x) with 2x² = k² - 1: less than 4k, by less than 1/k³."""
    k, x = 3, 2
    for _ in range(60):
        legs = [(k, 1), (x, x)]
        assert lines.length(path_of(legs)) == (2 * k - 1, True)
        assert lines.compare_length(path_of(legs), 2 * k) == -1
        assert lines.compare_length(path_of(legs), 2 * k - 1) == 1
        k, x = 3 * k + 4 * x, 2 * k + 3 * x


def test_length_of_no_way() -> None:
    assert lines.length([]) == lines.length([(3, 4)]) == lines.length([(3, 4)] * 2) == (0, False)
    assert lines.compare_length([(0, 0)], 0) == 0


# What is told in words


def test_what_touching_is() -> None:
    wall = ((0, 0), (6, 0), (6, 3), (3, 1), (0, 3))
    for start, end, kind in tupled(tables(__name__)["touching"]):
        assert meets(start, end, 0, wall) == kind, (start, end)
    assert crossed((-5, 3), (9, 3), [boxed(wall), boxed(Disc(3, 4, 1))]) == (
        (0, "touches"),
        (1, "touches"),
    )
    # Along the first side of a step, and then into the step itself.
    step = ((0, 0), (4, 0), (4, 2), (8, 2), (8, 6), (0, 6))
    bodies = [boxed(step), boxed(Disc(2, 3, 1))]
    assert crossed((0, 2), (3, 2), bodies) == ((0, "crosses"), (1, "touches"))
    assert crossed((9, 2), (2, 2), bodies) == ((0, "touches"), (0, "crosses"), (1, "touches"))


@parametrized
def test_no_template(template: str) -> None:
    term = parse_term(template)
    assert template_of(term.name, term.arguments) is None


@trials(100)
def test_corners_of_a_cone_are_the_nearest_whole_points(number: int) -> None:
    rng = random.Random("cones")
    for _ in range(number):
        apex, facing = (rng.randint(-99, 99), rng.randint(-99, 99)), vector(rng, 9, False)
        length, width, shift = rng.randint(1, 999), rng.randint(1, 999), rng.randint(-99, 99)
        corners = cone(apex, facing, length, width, shift)
        assert corners[0] == apex
        with localcontext() as context:
            context.prec = measuring.DIGITS
            fx, fy = (n / Decimal(facing[0] ** 2 + facing[1] ** 2).sqrt() for n in facing)
            for corner, side in zip(corners[1:], (-1, 1), strict=True):
                left = shift + side * Decimal(width) / 2
                at = apex[0] + length * fx - left * fy, apex[1] + length * fy + left * fx
                assert all(abs(a - b) <= Decimal("0.5") for a, b in zip(corner, at, strict=True))


@trials(100)
def test_a_template_lies_over_a_disc(number: int) -> None:
    """In words, as the signs of distance and depth have it."""
    rng = random.Random("cover")
    for trial in range(number):
        shape = MAKERS[rng.choice(list(MAKERS))](rng, 6)
        disc = some_disc(rng, 3 + trial % 4)
        kind = meets(disc[:2], disc[:2], disc.r, shape)
        expected = {"clear": "", "touches": "touched", "crosses": "partly"}[kind]
        if kind == "crosses" and holds(shape, disc):
            expected = "wholly"
        assert cover(shape, disc) == expected, (shape, disc)


@trials(100)
def test_places_on_a_line_that_differ_by_little(number: int) -> None:
    """On the largest table, of two discs that are entered nearly at one place, the first is."""
    rng = random.Random("places")
    far = FARTHEST
    for _ in range(number):
        end = (far - rng.randint(0, 99), rng.randint(0, far))
        discs = []
        for _ in range(2):
            x, y = rng.randint(far // 2, far), rng.randint(0, far)
            r = isqrt((x - end[0] // 2) ** 2 + (y - end[1] // 2) ** 2) + rng.randint(0, 1)
            discs.append(Disc(x, y, r))
        with localcontext() as context:
            context.prec = measuring.DIGITS
            at = [(t, n) for t, n, _ in measuring.entries((0, 0), end, discs)]
        places = [(into((0, 0), end, disc), n) for n, disc in enumerate(discs)]
        assert [n for _, n in sorted(places)] == [n for _, n in sorted(at)], (end, discs)
