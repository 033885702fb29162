"""The positions that a count has come to, and all that comes of them: one by one, or compiled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from pymorph.asp.compile import Uncompiled
from pymorph.queries.expansion import Chosen, Key, Shared, Shares, Stepper, Stretch, difference
from pymorph.state.position import Position

if TYPE_CHECKING:
    import numpy as np

    from pymorph.queries.compiled import CompiledScene, Matrix

    Numbers = np.ndarray[Any, np.dtype[Any]]

WORTH = 300  # positions of a layer from which on compiling the rules takes less than it saves
LARGEST = 1 << 62  # number that is added up in a machine word
MOST_APART = 1 << 20  # columns that are kept before equal ones are put together
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

    With *sharing*, work that is worth it and cannot be compiled is shared out.
    """

    start: Position
    steps: Stepper | Shared
    chosen: Chosen
    layer: dict[Key, Shares]
    seen: set[Key] = field(default_factory=set)
    closed: int = 0
    sharing: Callable[[], Shared] | None = None
    small: bool = True

    @property
    def size(self) -> int:
        return len(self.layer)

    @property
    def positions(self) -> int:
        """How many different positions were seen."""
        return len(self.seen)

    def step(self, bare: bool, wide: bool, told: Callable[[int], None]) -> Layer:
        """Go on by one action; if *bare*, only count them; if *wide*, all positions are seen."""
        whole = Stretch(ended=self.closed)
        for each in self.steps.stretches(self.layer, bare, wide):
            whole.add(each)
            told(whole.looked)
        self.closed = whole.closed
        reached = whole.beyond | whole.following.keys() if wide else set[Key]()
        self.seen |= reached
        self.layer = whole.following
        return Layer(whole.found, whole.ended, whole.closed, len(reached) if wide else None)

    def quicker(self) -> Frontier | CompiledFrontier:
        """The same, where there are so many positions that it is worth the while: compiled, if the
        rules can be, or else shared out."""
        if not self.small or self.size < WORTH or not isinstance(self.steps, Stepper):
            return self
        from pymorph.queries.compiled import CompiledScene

        self.small = False
        try:
            return CompiledFrontier(CompiledScene(self.start), self)
        except Uncompiled:
            if self.sharing:
                self.steps = self.sharing()
                self.layer = {self._sent(key): shares for key, shares in self.layer.items()}
                self.seen = {self._sent(key) for key in self.seen}
            return self

    def _sent(self, key: Key) -> str:
        return difference(self.start, key) if isinstance(key, Position) else key


class CompiledFrontier:
    """The same as a matrix of positions, and one of how many sequences begin with which action."""

    def __init__(self, scene: CompiledScene, before: Frontier) -> None:
        import numpy as np

        from pymorph.queries.compiled_steps import CompiledSteps

        self.scene = scene
        self._steps = CompiledSteps(scene)
        self.closed = before.closed
        self._before = before
        layer = {key: row for key, row in before.layer.items() if isinstance(key, Position)}
        self.first = sorted({name for shares in layer.values() for name in shares})
        self.rows = scene.rows_of(list(layer))
        told = [[shares.get(name, 0) for name in self.first] for shares in layer.values()]
        self.shares = np.array(told, dtype=object)
        self._seen = scene.rows_of([key for key in before.seen if isinstance(key, Position)])

    @property
    def size(self) -> int:
        return int(self.rows.shape[1])

    @property
    def positions(self) -> int:
        return int(self._seen.shape[1])

    def quicker(self) -> CompiledFrontier:
        return self

    def plain(self) -> Frontier:
        """The same one by one, for good."""
        one_by_one = self._before
        one_by_one.layer = {
            self.scene.position_of(column): {
                name: int(n) for name, n in zip(self.first, row, strict=True) if n
            }
            for column, row in zip(self.rows.T, self.shares, strict=True)
        }
        one_by_one.seen = {self.scene.position_of(column) for column in self._seen.T}
        one_by_one.closed = self.closed
        return one_by_one

    def step(self, bare: bool, wide: bool, told: Callable[[int], None]) -> Layer:
        """As `Frontier.step` does it. Raises: Uncompiled, where rules bring about what they must
        not: whoever goes one by one says what."""
        import numpy as np

        from pymorph.queries.compiled import CHUNK

        most = int(self.shares.max(initial=0)) * self.size * (len(self.scene.actions) + 1)
        shares = self.shares.astype(object if most > LARGEST else np.int64)
        found = np.zeros(len(self.first), shares.dtype)
        ended, closed = self.closed, 0
        following = Gathered(self.rows, shares)
        reached = Gathered(self.rows, shares[:, :0])
        chosen = self._before.chosen
        for first in range(0, self.size, CHUNK):
            rows, here = self.rows[:, first : first + CHUNK], shares[first : first + CHUNK]
            idle = np.ones(rows.shape[1], bool)
            for _, walk in self._steps.successors(rows, chosen.follows, chosen.until, bare):
                idle[walk.origin] = False
                more = here[walk.origin]
                found += more.sum(axis=0)
                closed += int(more[walk.last].sum())
                if not bare:
                    following.add(walk.rows[:, ~walk.last], more[~walk.last])
                if wide:
                    reached.add(walk.rows, more[:, :0])
            ended += int(here[idle].sum())
            told(first + rows.shape[1])
        self.rows, self.shares = following.merged()
        self.closed = closed
        number = None
        if wide:
            new, none = reached.merged()
            number = int(new.shape[1])
            both = Gathered(new, none)
            both.add(self._seen, np.zeros((self.positions, 0), none.dtype))
            both.add(new, none)
            self._seen, _ = both.merged()
        counts = {name: int(n) for name, n in zip(self.first, found, strict=True) if n}
        return Layer(counts, ended, closed, number)


class Gathered:
    """Columns with numbers, such as those that are given; equal ones are put together."""

    def __init__(self, rows: Matrix, numbers: Matrix) -> None:
        self._pieces = [(rows[:, :0], numbers[:0])]
        self._size = self._least = 0

    def add(self, rows: Matrix, numbers: Matrix) -> None:
        self._pieces.append((rows, numbers))
        self._size += rows.shape[1]
        if self._size > 2 * self._least + MOST_APART:
            self._pieces = [self.merged()]
            self._size = self._least = self._pieces[0][0].shape[1]

    def merged(self) -> tuple[Matrix, Matrix]:
        """The columns, each once, with the sums of their numbers."""
        import numpy as np

        every = np.ascontiguousarray(np.concatenate([rows for rows, _ in self._pieces], axis=1).T)
        numbers = np.concatenate([each for _, each in self._pieces])
        if not len(every):
            return self._pieces[0]
        order, first = _equal(every)
        numbers = numbers[order]
        summed = np.add.reduceat(numbers, first, axis=0) if numbers.size else numbers[first]
        return np.ascontiguousarray(every[order[first]].T), summed


def _equal(rows: Matrix) -> tuple[Matrix, Matrix]:
    """An order in which equal rows stand side by side, and where in it the first of each stands."""
    import numpy as np

    octets = rows.view(np.uint8).reshape(len(rows), -1)
    width = -octets.shape[1] % 8
    words = np.ascontiguousarray(np.pad(octets, ((0, 0), (0, width)))).view(np.uint64)
    mixed = np.zeros(len(words), np.uint64)
    for column in words.T:
        mixed = (mixed ^ column) * MIXING
        mixed ^= mixed >> np.uint64(29)
    order = np.argsort(mixed, kind="stable")
    if not _apart(words, mixed, order):
        order = np.lexsort(words.T)
    different = np.ones(len(order), bool)
    different[1:] = (words[order[1:]] != words[order[:-1]]).any(axis=1)
    return order, np.flatnonzero(different)


def _apart(words: Matrix, mixed: Matrix, order: Matrix) -> bool:
    """Are rows equal wherever what is mixed of them is?"""
    one, other = order[1:], order[:-1]
    same = mixed[one] == mixed[other]
    return bool((words[one[same]] == words[other[same]]).all())
