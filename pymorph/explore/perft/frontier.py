"""The positions that a count has come to, and all that comes of them: one by one, or compiled."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import starmap
from typing import TYPE_CHECKING, NamedTuple

from pymorph.asp.bitslice import bit_program
from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics.asking.proposals import actions_at
from pymorph.dynamics.bits import compiled as compileds
from pymorph.dynamics.bits import open_scene, planes
from pymorph.explore.perft import side_by_side
from pymorph.explore.perft.expansion import (
    ActionFilter,
    PositionKey,
    Shares,
    Stepper,
    Stretch,
    difference,
)
from pymorph.explore.perft.pieces import Shared, look_ahead
from pymorph.state.position import Position

if TYPE_CHECKING:
    from pymorph.dynamics.bits.compiled import CompiledAction, CompiledScene
    from pymorph.dynamics.bits.compiled_steps import LegalLayer
    from pymorph.dynamics.bits.open_scene import OpenScene
    from pymorph.dynamics.bits.planes import Matrix

FEW = 300  # actions of a table for which compiling the rules takes next to no time
LEAST_WIDTH = 3  # times as many positions as one length has the next one, about
WORTH = 300  # positions of a layer from which on compiling the rules takes less than it saves
PARTS = 8  # of the keys that are put together
MOST_APART = 1 << 17  # keys of each that are kept before that
LARGE = 1 << 13  # positions of which two lengths are better counted together
SOON = 1.0  # seconds that are not worth sharing out
WORD = 8  # octets
MIXING = 0x9E3779B97F4A7C15  # an odd number, whose bits are as if thrown


class Layer(NamedTuple):
    """What was counted of one length: how many sequences were *found*, by the action that they
    begin with; how many of the length before had *ended*, and how many come to an end here; to how
    many positions they lead, if that was asked."""

    found: Shares
    ended: int
    closed: int
    reached: int | None = None


@dataclass(slots=True)
class Frontier:
    """The positions that sequences of one length lead to, with how many there are of them.

    Work that is worth it is *shared* out, if it can be. It has *begun*: one action was taken. What
    is *opened* are the rules of its table for several readings.
    """

    start: Position
    steps: Stepper | Shared
    chosen: ActionFilter
    layer: dict[PositionKey, Shares]
    seen: set[PositionKey] = field(default_factory=set)
    closed: int = 0
    shared: Shared | None = None
    small: bool = True
    why_not: str = "no length has enough positions to make it worthwhile"
    compiled: bool = False
    begun: bool = False
    opened: OpenScene | None = None

    @property
    def size(self) -> int:
        return len(self.layer)

    @property
    def positions(self) -> int:
        """How many different positions were seen."""
        return len(self.seen)

    def step(self, left: int, wide: bool, told: Callable[[int], None]) -> Layer:
        """Go on by one action; if *wide*, all positions are seen. Where that is not asked, so many
        lengths are *left* to count, with this one: of the last, only how many there are."""
        whole = Stretch(ended=self.closed)
        for each in self.steps.stretches(self.layer, left == 1, wide):
            whole.add(each)
            told(whole.looked)
        self.closed = whole.closed
        reached = whole.beyond | whole.following.keys() if wide else set[PositionKey]()
        self.seen |= reached
        self.begun = self.layer.keys() == {self.start}
        self.layer = whole.following
        return Layer(whole.found, whole.ended, whole.closed, len(reached) if wide else None)

    def quicker(self, left: int) -> Frontier | CompiledFrontier:
        """The same compiled, if the rules can be: after one action, if they are kept, or where so
        many positions are worth the while; if they cannot be, it is shared out there. So many
        lengths are *left* to count."""
        if not self.small or not isinstance(self.steps, Stepper):
            return self
        many = self._to_come(left) >= WORTH
        if not (self.begun or many):
            return self
        self.small, self.begun = self.size < WORTH, False
        try:
            return CompiledFrontier(
                open_scene.scene_at(self.start, self.opened, kept=not many), self
            )
        except compileds.NotKept:
            return self
        except Uncompiled as error:
            self.why_not = str(error)
            if self.shared and not self.small:
                self.steps = self.shared
                self.layer = {self._sent(key): shares for key, shares in self.layer.items()}
                self.seen = {self._sent(key) for key in self.seen}
            return self

    def _to_come(self, left: int) -> int:
        """About how many positions are to be looked at: where there are few actions, so that
        compiling takes next to no time, also those of the lengths that follow the first one."""
        first = not all(self.layer.values())
        if first or left < 2 or actions_at(self.start) > FEW:
            return self.size
        return self.size * int(LEAST_WIDTH ** (left - 1))

    def _sent(self, key: PositionKey) -> str:
        return difference(self.start, key) if isinstance(key, Position) else key


class CompiledFrontier:
    """The same as keys of positions, and a matrix of how many sequences begin with which action.

    Of a count of two lengths more, where many positions are left, the second is looked at from the
    same ones: those between are never put together, and are not kept. What is held are the keys and
    shares of one length; of the next, while they are found, twice as many, and a million more; and,
    where all positions are wanted, the keys of those that were seen.
    """

    def __init__(self, scene: CompiledScene, before: Frontier) -> None:
        import numpy as np

        self.scene = scene
        self._steps = side_by_side.ChosenSteps(scene, before.chosen)
        self.closed = before.closed
        self._before = before
        self._behind = False  # by one length
        self._seconds = 0.0  # that the last length will take
        layer = {key: row for key, row in before.layer.items() if isinstance(key, Position)}
        self.first = sorted({name for shares in layer.values() for name in shares})
        self.keys = scene.keys_of(list(layer))
        told = [[shares.get(name, 0) for name in self.first] for shares in layer.values()]
        self.shares = np.array(told, dtype=object)
        self.shares = self.shares.astype(np.min_scalar_type(self.shares.max(initial=0)))
        self._seen = scene.keys_of([key for key in before.seen if isinstance(key, Position)])

    compiled = True
    why_not = ""

    @property
    def size(self) -> int:
        return len(self.keys)

    @property
    def positions(self) -> int:
        return len(self._seen)

    def quicker(self, left: int) -> CompiledFrontier:
        return self

    def plain(self) -> Frontier:
        """The same one by one, for good."""
        one_by_one = self._before
        one_by_one.layer = {
            self.scene.position_of(key): {
                name: int(n) for name, n in zip(self.first, row, strict=True) if n
            }
            for key, row in zip(self.keys, self.shares, strict=True)
        }
        one_by_one.seen = set(map(self.scene.position_of, self._seen))
        one_by_one.closed = self.closed
        if self._behind:
            one_by_one.step(2, False, lambda _: None)
        return one_by_one

    def step(self, left: int, wide: bool, told: Callable[[int], None]) -> Layer:
        """As `Frontier.step` does it. Raises: Uncompiled, where rules bring about what they must
        not: whoever goes one by one says what."""
        import numpy as np

        if self._behind:
            return self._look_ahead(told)
        behind = left == 2 and self.size >= LARGE
        found = [0] * len(self.first)
        ended, closed = self.closed, 0
        numbers, begun = [], time.monotonic()
        following = Gathered(self.keys, self.shares)
        beyond = Gathered(self.keys, self.shares[:, :0])
        for first in range(0, self.size, self.scene.together):
            keys = self.keys[first : first + self.scene.together]
            here = self.shares[first : first + len(keys)]
            options = self._steps.options(self.scene.side_by_side(keys))
            number = planes.numbers_of(
                bit_program.total((1, bits) for _, bits in options.legal), len(keys)
            )
            numbers.append(number)
            found = [
                n + more for n, more in zip(found, side_by_side.weighed(number, here), strict=True)
            ]
            ended += sum(side_by_side.weighed(number == 0, here))
            closing = np.zeros(len(keys), np.int64)
            for action, bits in () if behind or left == 1 else options.legal:
                after, origin, last = self._carry_out(options, keys, action, bits)
                following.add(after[~last], first + origin[~last])
                closing[origin[last]] += 1
                if wide and last.any():
                    beyond.add(after[last], first + origin[last])
            closed += sum(side_by_side.weighed(closing, here))
            told(first + len(keys))
        counts = {name: n for name, n in zip(self.first, found, strict=True) if n}
        if behind:
            self._stay(np.concatenate(numbers), time.monotonic() - begun)
            return Layer(counts, ended, 0)
        self.closed = closed
        self.keys, self.shares = following.merged()
        return Layer(counts, ended, closed, self._see(beyond) if wide else None)

    def _see(self, beyond: Gathered) -> int:
        """Note that these positions were seen, and others beyond; how many are they?"""
        new = distinct(self.keys, beyond.merged()[0])
        self._seen = distinct(self._seen, new)
        return len(new)

    def _carry_out(
        self, options: LegalLayer, keys: Matrix, action: CompiledAction, bits: int
    ) -> tuple[Matrix, Matrix, Matrix]:
        """Where an action leads from some of the positions, from which of them, and whether it is
        the last one."""
        import numpy as np

        carry_out, until = self._steps.steps.carry_out, self._steps.until
        after, last, _ = carry_out(options, [(action, bits)], until)
        origin = np.flatnonzero(planes.where(bits, len(keys)))
        found = self.scene.keys_after(keys, options.positions, after, origin)
        return found, origin, planes.where(last, len(keys))[origin]

    def _stay(self, numbers: Matrix, seconds: float) -> None:
        """Stay at these positions, those with the most actions first, without those with none; to
        look at all of them took so many *seconds*."""
        import numpy as np

        self._behind, self._seconds = True, seconds * int(numbers.sum()) / len(numbers)
        order = np.argsort(-numbers)[: np.count_nonzero(numbers)]
        self.keys, self.shares = self.keys.take(order, axis=0), self.shares.take(order, axis=0)

    def _look_ahead(self, told: Callable[[int], None]) -> Layer:
        """The last length, from one before: shared out, if that is worth the while."""
        shared = self._before.shared if self._seconds > SOON else None
        if shared:
            shared.steps.compiled = self._steps
            size = min(self.scene.together, shared.fair(self.size))
            done = shared.done(look_ahead, self._pieces(size))
        else:
            done = starmap(self._steps.look_ahead, self._pieces(self.scene.together))
        found, ended, looked = [0] * len(self.first), 0, 0
        for ahead in done:
            found = [n + more for n, more in zip(found, ahead.found, strict=True)]
            ended += ahead.ended
            looked += ahead.looked
            told(looked)
        counts = {name: n for name, n in zip(self.first, found, strict=True) if n}
        return Layer(counts, ended, 0)

    def _pieces(self, size: int) -> Iterator[tuple[Matrix, Matrix]]:
        """The keys and shares of so many positions at a time."""
        for first in range(0, self.size, size):
            yield self.keys[first : first + size], self.shares[first : first + size]


class Gathered:
    """Keys of positions to which others lead, by their rows; equal ones are put together. They are
    in parts, by what is mixed of them, that are so small that each is quickly at hand."""

    def __init__(self, keys: Matrix, shares: Matrix) -> None:
        self._parts = [_Part(keys[:0], shares) for _ in range(PARTS)]

    def add(self, keys: Matrix, origin: Matrix) -> None:
        import numpy as np

        part = (_mixed(_words(keys)) % PARTS).astype(np.uint8)
        rows, sizes = np.argsort(part, kind="stable"), np.bincount(part, minlength=PARTS)
        for each, here in zip(self._parts, np.split(rows, np.cumsum(sizes)[:-1]), strict=True):
            each.add(keys.take(here, axis=0), origin.take(here))

    def merged(self) -> tuple[Matrix, Matrix]:
        """The keys, each once, with the sums of the shares of those that lead to it."""
        import numpy as np

        for each in self._parts:
            each.merge()
        keys, shares = ([each.keys for each in self._parts], [each.shares for each in self._parts])
        return np.concatenate(keys), np.concatenate(shares)


class _Part:
    """A part of them: those that were put together, and others that came since."""

    def __init__(self, none: Matrix, others: Matrix) -> None:
        self.keys, self.shares = none, others[:0]
        self._others = others  # the shares of those that lead here
        self._waiting: list[tuple[Matrix, Matrix]] = []
        self._size = 0

    def add(self, keys: Matrix, origin: Matrix) -> None:
        self._waiting.append((keys, origin))
        self._size += len(keys)
        if self._size > len(self.keys) + MOST_APART:
            self.merge()

    def merge(self) -> None:
        import numpy as np

        if not self._size:
            return
        keys = np.concatenate([self.keys, *(keys for keys, _ in self._waiting)])
        origin = np.concatenate([origin for _, origin in self._waiting])
        self._waiting, self._size = [], 0
        order, first = _equal(keys)
        self.keys = keys.take(order.take(first), axis=0)
        rows = np.concatenate([self.shares, self._others.take(origin, axis=0)])
        self.shares = _summed(rows, order, first)


def _summed(shares: Matrix, order: Matrix, first: Matrix) -> Matrix:
    """The sums of rows in an order, from each *first* one to the next: as many numbers at once as a
    machine word has of the smallest that hold them."""
    import numpy as np

    columns = shares.shape[1]
    if not columns:
        return np.zeros((len(first), 0), np.uint8)
    most = int(np.diff(first, append=len(order)).max())  # rows of a sum
    enough = np.min_scalar_type(most * int(shares.max()))
    shares = shares.astype(enough, copy=False)
    if enough.kind == "u":
        more = -columns % (WORD // enough.itemsize)
        shares = np.pad(shares, ((0, 0), (0, more))).view(np.uint64)
    summed = np.add.reduceat(shares.take(order, axis=0), first, axis=0)
    return summed.view(enough)[:, :columns]


def distinct(some: Matrix, others: Matrix) -> Matrix:
    """Some keys and others, each once."""
    import numpy as np

    if not len(others):
        return some
    keys = np.concatenate([some, others])
    order, first = _equal(keys)
    return keys.take(order.take(first), axis=0)


def first_of_equal(keys: Matrix) -> Matrix:
    """For each key the number of the first that is equal to it."""
    import numpy as np

    found = np.zeros(len(keys), np.int64)
    if len(keys):
        order, first = _equal(keys)
        sizes = np.diff(np.append(first, len(keys)))
        found[order] = np.repeat(np.minimum.reduceat(order, first), sizes)
    return found


def _equal(keys: Matrix) -> tuple[Matrix, Matrix]:
    """An order in which equal keys stand side by side, and where in it the first of each stands."""
    import numpy as np

    words = _words(keys)
    mixed = _mixed(words)
    order = np.argsort(mixed)
    begins = _begins(mixed[order, np.newaxis])
    again = np.flatnonzero(~begins)
    if (words.take(order[again], axis=0) != words.take(order[again - 1], axis=0)).any():
        order = np.lexsort(words.T)  # of two that are not equal the same was mixed
        begins = _begins(words[order])
    return order, np.flatnonzero(begins)


def _words(keys: Matrix) -> Matrix:
    """Keys as rows of machine words."""
    import numpy as np

    return np.ascontiguousarray(np.pad(keys, ((0, 0), (0, -keys.shape[1] % WORD)))).view(np.uint64)


def _mixed(words: Matrix) -> Matrix:
    """A number for each row of them, hardly ever the same for two that are not equal."""
    import numpy as np

    mixed = np.zeros(len(words), np.uint64)
    for column in words.T:
        mixed ^= column
        mixed = (mixed ^ mixed >> np.uint64(32)) * MIXING
        mixed ^= mixed >> np.uint64(29)
    return mixed


def _begins(rows: Matrix) -> Matrix:
    """Which rows are not equal to the one before."""
    import numpy as np

    different = (column[1:] != column[:-1] for column in rows.T)
    return np.append(True, np.logical_or.reduce(list(different)))
