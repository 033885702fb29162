"""Shares of what was seen in samples: how far the true ones may lie, and whether two differ."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from typing import NamedTuple

from pymorph.answers import below, json_keys

SURE = 1.96  # standard deviations on either side of what 95 of 100 samples show


class RoundedShare(NamedTuple):
    """A share of games, with its interval in four digits."""

    games: int
    share: float
    least: float
    most: float


@json_keys(without=["games", "of"], spread=["_rounded"])
class Share(NamedTuple):
    """In how many of a number of games something was so."""

    what: str
    games: int
    of: int

    @property
    def part(self) -> float:
        return self.games / max(self.of, 1)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the share (Wilson)."""
        n, square = max(self.of, 1), SURE * SURE
        share = self.part
        middle = (share + square / (2 * n)) / (1 + square / n)
        reach = SURE / (1 + square / n) * sqrt(share * (1 - share) / n + square / (4 * n * n))
        return max(middle - reach, 0.0), min(middle + reach, 1.0)

    @property
    def _rounded(self) -> RoundedShare:
        """The share as an answer has it."""
        low, high = (round(end, 4) for end in self.interval)
        return RoundedShare(self.games, self.part, low, high)


@json_keys(also=["beyond_chance"], paths={**below("_rounded", "seen", "least", "most")})
class ShareDifference(NamedTuple):
    """How much more something is in the second of two samples: as it was seen, and between which
    numbers it truly is, with a confidence of 95 of 100."""

    seen: float
    least: float
    most: float

    @property
    def beyond_chance(self) -> bool:
        """Are the two not the same?"""
        return self.least > 0 or self.most < 0

    @property
    def _rounded(self) -> ShareDifference:
        """The same in four digits, as an answer has it."""
        return ShareDifference(*(round(number, 4) for number in self))


def difference(one: Share, other: Share) -> ShareDifference:
    """How far two shares are apart (Newcombe, of the intervals of each)."""
    (low, high), (least, most) = one.interval, other.interval
    seen = other.part - one.part
    if not one.of or not other.of:
        return ShareDifference(seen, -1.0, 1.0)
    below = hypot(other.part - least, high - one.part)
    above = hypot(most - other.part, one.part - low)
    return ShareDifference(seen, seen - below, seen + above)


class Mean(NamedTuple):
    """The mean of a number of values, and their standard deviation."""

    number: int
    mean: float
    spread: float


def mean_of(counted: Sequence[tuple[int, int]]) -> Mean:
    """The mean of numbers, each with how often it is there."""
    number = sum(times for _, times in counted)
    mean = sum(n * times for n, times in counted) / max(number, 1)
    square = sum((n - mean) ** 2 * times for n, times in counted) / max(number - 1, 1)
    return Mean(number, mean, sqrt(square))


def mean_difference(one: Mean, other: Mean) -> ShareDifference | None:
    """How far two means are apart (Welch, of large samples); nothing, if one is of no two."""
    if min(one.number, other.number) < 2:
        return None
    seen = other.mean - one.mean
    reach = SURE * hypot(one.spread / sqrt(one.number), other.spread / sqrt(other.number))
    return ShareDifference(seen, seen - reach, seen + reach)
