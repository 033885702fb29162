"""Angles and distances from a line, beside other ways to tell them."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from pymorph.board import bearings


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ((7, 0), 0),
        ((10**9, 1), 1),
        ((10**9, 10**9 - 1), 1),
        ((10**9, -(10**9)), 2),
        ((10**9 - 1, 10**9), 3),
        ((1, 10**9), 3),
        ((0, -3), 4),
        ((-1, 10**9), 5),
        ((-5, 5), 6),
        ((-6, 5), 7),
        ((-2, 0), 8),
    ],
)
def test_angles_to_the_last_unit(other: tuple[int, int], told: int) -> None:
    assert bearings.angle((3, 0), other) == told
    assert bearings.angle(other, (3, 0)) == told


def test_angles_turned_and_mirrored() -> None:
    """Whatever turns both vectors, or mirrors them, leaves the angle as it is."""
    rng = random.Random(5)
    for _ in range(1000):
        (a, b), (c, d) = ((rng.randint(-9, 9), rng.randint(1, 9)) for _ in range(2))
        told = bearings.angle((a, b), (c, d))
        assert bearings.angle((-b, a), (-d, c)) == told
        assert bearings.angle((a, -b), (c, -d)) == told
        assert bearings.angle((-a, -b), (c, d)) == 8 - told
        x, y = rng.randint(1, 9), rng.randint(-9, 9)
        turned = [(u * x - v * y, u * y + v * x) for u, v in ((a, b), (c, d))]
        assert bearings.angle(*turned) == told


def test_off_a_line() -> None:
    rng = random.Random(6)
    for _ in range(2000):
        (px, py), (x, y) = ((rng.randint(-99, 99), rng.randint(-99, 99)) for _ in range(2))
        way = rng.randint(-9, 9), rng.randint(1, 9)
        square = Fraction((way[0] * (py - y) - way[1] * (px - x)) ** 2, way[0] ** 2 + way[1] ** 2)
        found = bearings.off((px, py), (x, y), way)
        assert square <= found**2
        assert found == 0 or (found - 1) ** 2 < square


def test_no_direction() -> None:
    with pytest.raises(ValueError, match="no direction"):
        bearings.angle((0, 0), (1, 0))
    with pytest.raises(ValueError, match="no direction"):
        bearings.off((1, 1), (0, 0), (0, 0))
