"""Which points make an outline: a simple polygon, whose sides meet at its corners alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pymorph.board.lengths.exact import parts, turn
from pymorph.board.lengths.lines import box_pairs, boxed
from pymorph.board.lengths.shapes import Point, Wall, sides_of


def flaw(corners: Sequence[Point]) -> str:
    """What keeps some points from being a simple polygon, in words; nothing, if they are one."""
    if len(corners) < 3:
        return "an area needs at least three corners"
    if len(set(corners)) < len(corners):
        return "a corner is given twice"
    sides = sides_of(tuple(corners))
    for (a, b), (_, c) in pairwise((*sides, sides[0])):
        if turn(a, b, c) == 0 and (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0:
            return f"the outline turns back on itself at the {_th(corners.index(b))} corner"
    for pair in box_pairs([boxed(Wall(side)) for side in sides]):
        one, other = sorted(pair)
        apart = other - one not in (1, len(sides) - 1)
        if apart and parts(*sides[other], Wall(sides[one])):
            return f"the sides from the {_th(one)} and the {_th(other)} corner cross or touch"
    return ""


def _th(index: int) -> str:
    """The number of a corner, counted from 1."""
    number = index + 1
    last = "th" if number % 100 in (11, 12, 13) else "stndrd"[2 * (number % 10) - 2 :][:2]
    return f"{number}{last if 0 < number % 10 < 4 or last == 'th' else 'th'}"
