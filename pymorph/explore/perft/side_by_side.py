"""What can follow in thousands of positions, on compiled rules: by one action, or by two.

For two, actions are taken side by side: in each position its first, then in each its second, and so
on. Where they lead is looked at and let go of again, so that nothing is kept of what is longest,
and pieces of the work need nothing of each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pymorph.asp.bitslice.bit_program import total
from pymorph.dynamics.bits.compiled_steps import CompiledSteps, LegalLayer
from pymorph.dynamics.bits.planes import Matrix, numbers_of

if TYPE_CHECKING:
    from pymorph.dynamics.bits.compiled import CompiledAction, CompiledScene, Positions
    from pymorph.explore.perft.expansion import ActionFilter

Placed = list[tuple["CompiledAction", int]]  # actions, each with the positions where it is legal


class Ahead(NamedTuple):
    """What comes of so many positions that were *looked* at: how many sequences were *found* of two
    actions more, by the columns of their shares, and how many of one more had *ended*."""

    looked: int
    found: list[int]
    ended: int


class ChosenSteps:
    """Steps by the actions that are followed at the table of a compiled scene."""

    def __init__(self, scene: CompiledScene, chosen: ActionFilter) -> None:
        self.scene = scene
        self.steps = CompiledSteps(scene)
        self.until = chosen.until
        self._actions = set(filter(chosen.follows, scene.actions))

    def options(self, positions: Positions) -> LegalLayer:
        """Which of them may be taken. Raises: Uncompiled, as `CompiledSteps` does."""
        options = self.steps.options(positions)
        legal = [(a, bits) for a, bits in options.legal if a.symbol in self._actions]
        return options._replace(legal=legal)

    def look_ahead(self, keys: Matrix, shares: Matrix) -> Ahead:
        """What comes of two of them in positions that have such keys and shares."""
        options = self.options(self.scene.side_by_side(keys))
        ended: list[int] = []
        number = numbers_of(total((1, bits) for bits in self._second(options, ended)), len(keys))
        none = numbers_of(total((1, bits) for bits in ended), len(keys))
        return Ahead(len(keys), weighed(number, shares), sum(weighed(none, shares)))

    def _second(self, options: LegalLayer, ended: list[int]) -> Iterator[int]:
        """For each way to take one after the other, where it is open; where none is after the
        first, *ended* is told."""
        left = options.legal
        while left:
            chosen, left, here = _first_of_each(left)
            carried = self.steps.carry_out(options, chosen, self.until)
            open_, none = here & ~carried.last, here
            for _, bits in self.options(carried.after).legal:
                none &= ~(bits & open_)
                yield bits & open_
            ended.append(none)


def _first_of_each(legal: Placed) -> tuple[Placed, Placed, int]:
    """For each position the first of the actions that are legal there, all others, and where there
    is one."""
    first, others, here = [], [], 0
    for action, bits in legal:
        if bits & ~here:
            first.append((action, bits & ~here))
        if bits & here:
            others.append((action, bits & here))
        here |= bits
    return first, others, here


def weighed(numbers: Matrix, shares: Matrix) -> list[int]:
    """The sum of each column of shares, where each row counts so many times."""
    most = int(numbers.max(initial=0)) * int(shares.max(initial=0)) * len(numbers)
    enough = np.min_scalar_type(most)
    return [int(n) for n in numbers.astype(enough) @ shares.astype(enough)]
