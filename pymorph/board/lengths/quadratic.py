"""Numbers with one square root in them, and their signs, in whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt


@dataclass(frozen=True, slots=True)
class Surd:
    """The number a + b√n. Two that meet share their n, which is no square."""

    a: int
    b: int
    n: int

    def __add__(self, other: Number) -> Surd:
        a, b = (other, 0) if isinstance(other, int) else (other.a, other.b)
        return Surd(self.a + a, self.b + b, self.n)

    __radd__ = __add__

    def __mul__(self, other: Number) -> Surd:
        a, b = (other, 0) if isinstance(other, int) else (other.a, other.b)
        return Surd(self.a * a + self.b * b * self.n, self.a * b + self.b * a, self.n)

    __rmul__ = __mul__

    def __sub__(self, other: Number) -> Surd:
        return self + -1 * other

    def __rsub__(self, other: Number) -> Surd:
        return -1 * self + other

    def __lt__(self, other: Number) -> bool:
        return sign_of(self - other) < 0

    def __gt__(self, other: Number) -> bool:
        return sign_of(self - other) > 0

    def __le__(self, other: Number) -> bool:
        return sign_of(self - other) <= 0

    def __ge__(self, other: Number) -> bool:
        return sign_of(self - other) >= 0


Number = int | Surd


def root(n: int) -> Number:
    """√n itself."""
    side = isqrt(n)
    return side if side * side == n else Surd(0, 1, n)


def sign_of(value: Number) -> int:
    """1, 0 or -1: where a and b differ in sign, a + b√n has that of a² - b²n, or the opposite."""
    if isinstance(value, int):
        return (value > 0) - (value < 0)
    a, b = sign_of(value.a), sign_of(value.b)
    if a * b >= 0:
        return a or b
    return a * sign_of(value.a * value.a - value.b * value.b * value.n)


def sign_of_roots(a: int, b: int, c: int) -> int:
    """The sign of a - √b + √c, with b and c of at least 0, found by squaring twice."""
    if b == c:
        return sign_of(a)
    without = sign_of(c - a * a) if a < 0 else sign_of(a + c)
    if without <= 0:
        return -1 if without or b else 0
    return sign_of(Surd(a * a + c - b, 2 * a, c) if c else a * a - b)
