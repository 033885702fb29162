"""Angles and distances from a line, beside other ways to tell them."""

import random
from fractions import Fraction

from pymorph.board.lengths import angles
from pymorph.board.lengths.length_units import point_term
from pymorph.board.lengths.measuring import Measuring
from pymorph.board.lengths.plane import Plane
from tests.tables import parametrized, trials


@parametrized
def test_angles_to_the_last_unit(other: tuple[int, int], told: int) -> None:
    assert angles.angle((3, 0), other) == told
    assert angles.angle(other, (3, 0)) == told


@trials(1000)
def test_angles_turned_and_mirrored(number: int) -> None:
    """Whatever turns both vectors, or mirrors them, leaves the angle as it is."""
    rng = random.Random(5)
    for _ in range(number):
        (a, b), (c, d) = ((rng.randint(-9, 9), rng.randint(1, 9)) for _ in range(2))
        told = angles.angle((a, b), (c, d))
        assert angles.angle((-b, a), (-d, c)) == told
        assert angles.angle((a, -b), (c, -d)) == told
        assert angles.angle((-a, -b), (c, d)) == 8 - told
        x, y = rng.randint(1, 9), rng.randint(-9, 9)
        turned = [(u * x - v * y, u * y + v * x) for u, v in ((a, b), (c, d))]
        assert angles.angle(*turned) == told


@trials(1000)
def test_angles_built_to_be_just_so(number: int) -> None:
    """A vector turned by a multiple of 45 degrees, and one unit to either side of that; fractions
    of the squares of cosines tell the same."""
    rng = random.Random(7)
    size = 10**6
    for _ in range(number):
        x, y = rng.randint(-size, size), rng.randint(1, size)
        eighths, by = rng.randrange(8), rng.randint(1, 9)
        u, v = [(x, y), (x - y, x + y), (-y, x), (-x - y, x - y)][eighths % 4]
        u, v = (-u, -v) if eighths >= 4 else (u, v)
        steps = eighths if eighths <= 4 else 8 - eighths
        assert angles.angle((x, y), (by * u, by * v)) == 2 * steps
        for way in ((by * u + 1, by * v), (by * u, by * v - 1), (by * u - 1, by * v + 1)):
            assert angles.angle((x, y), way) == by_cosine((x, y), way), (x, y, way)


def by_cosine(one: tuple[int, int], other: tuple[int, int]) -> int:
    """The angle by its cosine, whose square is a fraction; 2 for each 45 degrees, 1 between."""
    dot = one[0] * other[0] + one[1] * other[1]
    lengths = (one[0] ** 2 + one[1] ** 2) * (other[0] ** 2 + other[1] ** 2)
    cosine = Fraction(dot * abs(dot), lengths)
    marks = [Fraction(1), Fraction(1, 2), Fraction(0), Fraction(-1, 2), Fraction(-1)]
    for n, mark in enumerate(marks):
        if cosine == mark:
            return 2 * n
        if cosine > mark:
            return 2 * n - 1
    raise AssertionError


@trials(1000)
def test_off_a_line(number: int) -> None:
    rng = random.Random(6)
    for _ in range(number):
        (px, py), (x, y) = ((rng.randint(-99, 99), rng.randint(-99, 99)) for _ in range(2))
        way = rng.randint(-9, 9), rng.randint(1, 9)
        square = Fraction((way[0] * (py - y) - way[1] * (px - x)) ** 2, way[0] ** 2 + way[1] ** 2)
        found = angles.off((px, py), (x, y), way)
        assert square <= found**2
        assert found == 0 or (found - 1) ** 2 < square


def test_no_direction() -> None:
    table = Measuring(Plane((9, 9)))
    nowhere, somewhere = point_term((0, 0)), point_term((1, 0))
    assert table.angle(nowhere, somewhere) == table.angle(somewhere, nowhere) == []
    assert table.off(somewhere, somewhere, nowhere) == []
