"""Bodies on a table in lengths, against fractions in two ways, long decimals, and shapely.

A plain run tries a sample, the campaign 100,000 by chance and as many that were built to touch.
"""

import random
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import Any

import pytest
import shapely
from clingo import Function, Number, Symbol

from pymorph.board.lengths import distances, exact, outlines
from pymorph.board.lengths.length_units import point_term
from pymorph.board.lengths.measuring import Measuring, square
from pymorph.board.lengths.plane import Plane
from pymorph.board.lengths.shapes import Disc, Point, Polygon, Wall
from pymorph.terms import list_term
from tests import bodies, measuring
from tests.bodies import around, lies_over, shared, square_between
from tests.measuring import meets
from tests.test_exact import (
    SIZES,
    TRIPLES,
    is_simple,
    path_of,
    some_polygon,
    some_wall,
    trials,
    vector,
)

Body = Disc | Polygon | Wall


def some_body(rng: random.Random, size: int) -> Body:
    kind = rng.randrange(4)
    at = (rng.randint(-size, size), rng.randint(-size, size))
    if kind == 0:
        return Disc(*at, rng.randint(1, size))
    if kind == 1:
        return square(at, rng.randint(1, size))
    return some_wall(rng, size) if kind == 2 else some_polygon(rng, size)


def middle_of(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) // 2, (a[1] + b[1]) // 2


# Gaps


def check_gap(one: Body, other: Body) -> None:
    told = (one, other)
    radii = sum(body.r for body in told if isinstance(body, Disc))
    found = distances.gap(one, other)
    assert found == distances.gap(other, one), told
    apart = square_between(one, other)
    if apart < (radii + 1) ** 2:
        assert found == 0, told
        assert bodies.from_decimals(one, other, radii + 1) < 0, told
    else:
        assert (found + radii) ** 2 >= apart > (found + radii - 1) ** 2, told
        assert bodies.from_decimals(one, other, radii + found) <= 0, told
        assert bodies.from_decimals(one, other, radii + found - 1) > 0, told
    whole = apart.denominator == 1 and isqrt(int(apart)) ** 2 == apart
    assert distances.is_whole(one, other) == distances.is_whole(other, one) == whole, told


@trials(250)
def test_gaps_are_rounded_up_and_contact_is_nought(number: int) -> None:
    rng = random.Random("gaps")
    for _ in range(number):
        size = rng.choice(list(SIZES.values()))
        check_gap(some_body(rng, size), some_body(rng, size))


def above(rng: random.Random, height: int, *kinds: str) -> tuple[Any, ...]:
    """A body no lower than a height and just so high at x = 0: its kind, points and radius."""
    kind = rng.choice(kinds or ("disc", "polygon", "wall"))
    if kind == "disc":
        r = rng.randint(1, 9)
        return kind, [(0, height + r)], r
    points = some_polygon(rng, 6) if kind == "polygon" else some_wall(rng, 6).points
    low = min(y for _, y in points)
    x = next(a for a, b in points if b == low)
    return kind, [(a - x, b - low + height) for a, b in points], 0


def made(kind: str, points: list[Point], r: int) -> Body:
    if kind == "disc":
        return Disc(*points[0], r)
    return Wall(tuple(points)) if kind == "wall" else tuple(points)


@trials(150)
def test_gaps_built_to_be_whole(number: int) -> None:
    """Two bodies with a gap of so many units at a slant, and one unit beside it."""
    rng = random.Random("built")
    for _ in range(number):
        wide = rng.choice((0, 0, 1, 3, 8))
        p, q, h = rng.choice(TRIPLES)
        p, q = rng.choice([(p, q), (q, p), (-p, q), (q, -p)])
        found = []
        for up, (kind, points, r) in ((1, above(rng, wide)), (-1, above(rng, 0))):
            turned = [(x * p - up * y * q, x * q + up * y * p) for x, y in points]
            found.append((kind, turned, r * h))
        one, other = (made(*body) for body in found)
        assert distances.gap(one, other) == wide * h, (one, other)
        kind, points, r = found[0]
        aside = [(x + rng.randint(-1, 1), y + rng.randint(-1, 1)) for x, y in points]
        if kind == "disc":
            assert distances.is_whole(one, other)
            for more in (-1, 1):
                grown = Disc(*points[0], r + more)
                assert distances.gap(grown, other) == max(0, wide * h - more)
                exactly = distances.overlap(grown, other) if isinstance(other, Disc) else False
                assert distances.overlap(grown, other) == exactly
        elif not (
            is_simple(aside) if kind == "polygon" else all(a != b for a, b in pairwise(aside))
        ):
            continue
        check_gap(made(kind, aside, r), other)


# Overlaps


@trials(400)
def test_bases_overlap_past_a_unit(number: int) -> None:
    rng = random.Random("overlap")
    for trial in range(number):
        size = SIZES[("small", "middle", "large")[trial % 3]]
        one, other = (
            (rng.choice((Disc(*at, rng.randint(1, size)), square(at, rng.randint(1, size)))))
            for at in [(rng.randint(-size, size), rng.randint(-size, size)) for _ in "ab"]
        )
        if trial % 2 and isinstance(one, Disc):  # near a touch, or an overlap of just one unit
            other = beside(rng, one, size)
        check_overlap(one, other)


def test_a_base_within_another_overlaps_it_however_small() -> None:
    large, small = square((5, 5), 6), square((5, 5), 1)
    assert distances.overlap(large, small)
    assert distances.overlap(Disc(5, 5, 3), Disc(5, 5, 1))


def beside(rng: random.Random, disc: Disc, size: int) -> Body:
    """A base that overlaps a disc by a unit or so."""
    (x, y, h), k, deep = rng.choice(TRIPLES), rng.randint(1, size), rng.randint(-1, 2)
    r = k * h - disc.r + deep
    if rng.random() < 0.5 and r > 0:
        return Disc(disc.x + k * x, disc.y + k * y, r)
    side = rng.randint(1, size)
    left, low = disc.x + disc.r - deep, disc.y - rng.randint(0, side)
    return ((left, low), (left + side, low), (left + side, low + side), (left, low + side))


def check_overlap(one: Body, other: Body) -> None:
    told, found = (one, other), distances.overlap(one, other)
    assert found == distances.overlap(other, one), told
    if isinstance(other, Disc):
        one, other = other, one
    if isinstance(one, Disc) and isinstance(other, Disc):
        with localcontext() as context:
            context.prec = measuring.DIGITS
            apart = Decimal((one.x - other.x) ** 2 + (one.y - other.y) ** 2).sqrt()
            assert found == (apart - one.r - other.r < -1), told
    elif isinstance(one, Disc):
        assert found == (measuring.by_decimals(one[:2], one[:2], one.r - 1, other) < 0), told
        assert found == (measuring.by_fractions(one[:2], one[:2], one.r - 1, other) == -1), told
    else:
        assert not isinstance(one, Wall)
        assert not isinstance(other, Wall)
        assert not isinstance(other, Disc)
        ways = [(1, 0), (-1, 0), (0, 1), (0, -1)]
        moved = [tuple((x + dx, y + dy) for x, y in other) for dx, dy in ways]
        assert found == all(shared(one, each) > 0 for each in (other, *moved)), told


@trials(60)
def test_areas_overlap_where_their_insides_do(number: int) -> None:
    """Polygons that are no bases, among them such as share corners and sides, or all of them."""
    rng = random.Random("areas")
    for trial in range(number):
        one, other = polygons(rng, trial)
        if distances.is_square(one) and distances.is_square(other):
            continue
        expected = bool(lies_over(one, other))
        assert expected == bool(lies_over(other, one)), (one, other)
        assert distances.overlap(one, other) == expected, (one, other)
        assert distances.overlap(other, one) == expected, (one, other)


def polygons(rng: random.Random, trial: int) -> tuple[Polygon, Polygon]:
    """Two polygons; of three pairs one is by chance, one shares corners, one lies in the other."""
    one = some_polygon(rng, 6)
    if trial % 3 == 0:
        return one, some_polygon(rng, 6)
    double: list[Point] = [(2 * x, 2 * y) for x, y in one]
    middles = [middle_of(*side) for side in around(double)]
    known = [*double, *middles]
    for _ in range(40):
        some = rng.sample(known, rng.randint(3, min(6, len(known))))
        if trial % 3 == 2 and rng.random() < 0.2:  # the same, with corners that are straight
            some = [p for pair in zip(double, middles, strict=True) for p in pair]
        some = some[:: rng.choice((1, -1))]
        if is_simple(some):
            return tuple(double), tuple(some)
    return tuple(double), tuple(double)


# Outlines


@trials(300)
def test_outlines_are_simple(number: int) -> None:
    """By chance, and with a corner on another side, or one unit beside it."""
    rng = random.Random("outlines")
    seen = set()
    for trial in range(number):
        size = SIZES[("small", "middle", "large")[trial % 3]]
        corners = [
            (rng.randint(-size, size), rng.randint(-size, size)) for _ in range(rng.randint(3, 8))
        ]
        if trial % 2:
            corners = [(2 * x, 2 * y) for x, y in some_polygon(rng, size)]
            middle = middle_of(*rng.choice(around(corners)))
            dx, dy = (rng.choice((0, 0, 1, -1)) for _ in "xy")
            corners.insert(rng.randrange(len(corners) + 1), (middle[0] + dx, middle[1] + dy))
        simple = not outlines.flaw(corners)
        assert simple == is_simple(corners), corners
        assert simple == (not outlines.flaw(corners[::-1])), corners
        seen.add(simple)
    assert seen == {True, False}


# Walls


@trials(150)
def test_walls_built_to_be_touched(number: int) -> None:
    """A base on its way past a wall: it touches; a unit more crosses it, a unit less is clear."""
    rng = random.Random("walls")
    for _ in range(number):
        radius = rng.choice((1, 2, 5))
        _, points, _ = above(rng, radius, "wall")
        p, q, h = rng.choice(TRIPLES)
        p, q = rng.choice([(p, q), (q, p), (-p, q), (q, -p)])
        ends = [(-rng.choice((0, 1, 7)), 0), (rng.choice((0, 1, 7)), 0)]
        start, end, *rest = [(x * p - y * q, x * q + y * p) for x, y in (*ends, *points)]
        wall, told = Wall(tuple(rest)), (ends, points, p, q, h)
        for more, kind in ((0, "touches"), (1, "crosses"), (-1, "clear")):
            r = radius * h + more
            expected = "crosses" if r == 0 else kind
            if r > 0:
                assert meets(start, end, r, wall) == expected, told
                near = min(
                    measuring.by_decimals(start, end, r, (a, b)) for a, b in bodies.ways_of(wall)
                )
                assert exact.KINDS[near] == kind, told


@trials(200)
def test_walls_and_areas_as_shapely_has_it(number: int) -> None:
    """Away from touch a gap is what shapely has, but for the rounding."""
    rng = random.Random("shapely")
    for _ in range(number):
        one, other = (some_body(rng, 60) for _ in "ab")
        drawn, radii = [], 0
        for body in (one, other):
            if isinstance(body, Disc):
                drawn.append(shapely.Point(body.x, body.y))
                radii += body.r
            elif isinstance(body, Wall):
                drawn.append(shapely.LineString(body.points))
            else:
                drawn.append(shapely.Polygon(body))
        apart = shapely.distance(*drawn) - radii
        found = distances.gap(one, other)
        assert abs(found - max(apart, 0)) < 1 + 1e-6, (one, other)


# What encodings are told, rounded


TABLE = Measuring(Plane((10**9, 10**9)))


def told(symbol: Symbol | list[Symbol]) -> int:
    assert isinstance(symbol, Symbol)
    return symbol.number


@trials(300)
def test_lengths_are_rounded_up(number: int) -> None:
    """`span`, `within`, `length` and `path` go together, to the last unit."""
    rng = random.Random("rounding")
    for trial in range(number):
        size = SIZES[("small", "middle", "large")[trial % 3]]
        x, y = vector(rng, size, False)
        if trial % 2:
            p, q, _ = rng.choice(TRIPLES)
            k = rng.randint(1, size)
            x, y = k * p + rng.choice((0, 0, 1)), k * q
        at = (rng.randint(0, size), rng.randint(0, size))
        one, two = point_term(at), point_term((at[0] + x, at[1] + y))
        with localcontext() as context:
            context.prec = measuring.DIGITS
            exactly = Decimal(x * x + y * y).sqrt()
            up = int(exactly.to_integral_value(rounding="ROUND_CEILING"))
        found = told(TABLE.span(one, two))
        assert found == up
        assert (found - 1) ** 2 < Fraction(x * x + y * y) <= found**2
        for limit in (found - 1, found, found + 1):
            assert told(TABLE.within(one, two, Number(limit))) == (exactly <= limit)
        bends = [vector(rng, size, rng.random() < 0.5) for _ in range(rng.randint(1, 4))]
        path = list_term([point_term(point) for point in path_of(bends)])
        long = told(TABLE.length(path))
        for limit in (long - 1, long, long + 1):
            with localcontext() as context:
                context.prec = measuring.DIGITS
                all_of = sum((Decimal(a * a + b * b).sqrt() for a, b in bends), Decimal(0))
                expected = measuring.within(all_of - limit, measuring.HAIR)
            assert told(TABLE.path(path, Number(limit))) == expected, bends
        body = [
            Function("disc", [Function(n), at_, Number(1)]) for n, at_ in (("a", one), ("b", two))
        ]
        assert told(TABLE.gap(*body)) == (0 if exactly < 3 else up - 2)


@pytest.mark.parametrize("shape", [((0, 0), (4, 0), (4, 3)), ((0, 0), (4, 0), (2, 1), (3, 5))])
def test_an_area_overlaps_itself(shape: Polygon) -> None:
    middle = ((shape[0][0] + shape[1][0]) // 2, shape[0][1])
    straight = (shape[0], middle, *shape[1:])
    for other in (shape, shape[::-1], shape[1:] + shape[:1], straight):
        assert distances.overlap(shape, other)
