"""The work of a count in pieces, for whichever of several processes, or of a cluster, is free."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice
from math import ceil
from typing import TYPE_CHECKING, Any, TypeVar

from pymorph.dynamics.asking.batch import BATCH
from pymorph.dynamics.bits import open_scene
from pymorph.explore.perft import side_by_side
from pymorph.explore.perft.expansion import SHARE, ActionFilter, Expansion, Stretch, TextStepper
from pymorph.runtime import limits
from pymorph.state.position import Position

if TYPE_CHECKING:
    from pymorph.dynamics.bits.open_scene import OpenScene
    from pymorph.dynamics.bits.planes import Matrix
    from pymorph.explore.perft.side_by_side import Ahead
    from pymorph.runtime.executor import Task, Tasks

LEAST = BATCH // 4  # of a piece, for fewer cost more to ground together than they save
SECONDS = 1.0  # that a piece of the work should take
AHEAD = 2  # pieces for each worker that are handed out
_T = TypeVar("_T")


class Shared:
    """Has actions taken by workers, which may begin when there is something for them, in pieces.

    Terms do not travel, and a whole position is long: where rules are not compiled, what is sent
    and kept of each is the text of how it differs from the first one.
    """

    def __init__(
        self, steps: WorkerSteps, seconds: float | None, workers: Callable[[], Tasks]
    ) -> None:
        self.steps = steps
        self._workers = workers
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        self._pace = SECONDS / SHARE  # seconds that a position takes

    def fair(self, number: int) -> int:
        """How many of so many positions a piece has at most, so that all get some."""
        return max(ceil(number / (AHEAD * self._workers().jobs)), LEAST)

    def stretches(self, layer: Expansion, bare: bool, wide: bool) -> Iterator[Stretch]:
        """The same as a `Stepper` finds, in whatever order and pieces that take about a second.

        Raises: PymorphError, if a worker dies; OutOfTime; whatever the rules raise.
        """
        keys = sorted(map(str, layer))  # neighbours have most in common, and are read the quicker

        def pieces() -> Iterator[tuple[Expansion, bool, bool]]:
            first = 0
            while first < len(keys):
                size = min(max(int(SECONDS / self._pace), LEAST), self.fair(len(keys) - first))
                yield {key: layer[key] for key in keys[first : first + size]}, bare, wide
                first += size

        for task in self._completed(stretch, pieces()):
            found: Stretch = task.result()
            self._pace = max(task.seconds / found.looked, 1e-6)
            yield found

    def done(self, function: Callable[..., _T], pieces: Iterator[Any]) -> Iterator[_T]:
        """What a function finds of each piece, in whatever order. Raises: the same."""
        for task in self._completed(function, pieces):
            yield task.result()

    def _completed(self, function: Callable[..., Any], pieces: Iterator[Any]) -> Iterator[Task]:
        tasks: list[Task] = []
        while True:
            more = islice(pieces, AHEAD * self._workers().jobs - len(tasks))
            tasks += [self._workers().submit(function, *piece) for piece in more]
            if not tasks:
                return
            self._workers().wait()
            for task in [task for task in tasks if task.done()]:
                tasks.remove(task)
                yield task
            if self._seconds is not None and self._end and time.monotonic() > self._end:
                raise limits.late(self._seconds)


# -- in a worker -----------------------------------------------------------------------------------


class WorkerSteps:
    """How a worker takes actions from positions: from their texts; or by *compiled* rules, those of
    the process that it is a copy of, or its own, made or read from the cache when first asked."""

    def __init__(self, start: Position, chosen: ActionFilter, opened: OpenScene | None) -> None:
        self._given = start, chosen, opened

    def __reduce__(self) -> tuple[Any, ...]:
        return WorkerSteps, self._given

    @cached_property
    def by_text(self) -> TextStepper:
        return TextStepper(*self._given[:2])

    @cached_property
    def compiled(self) -> side_by_side.ChosenSteps:
        start, chosen, opened = self._given
        return side_by_side.ChosenSteps(open_scene.scene_at(start, opened), chosen)


def begun(steps: WorkerSteps) -> WorkerSteps:
    """What a worker begins with."""
    return steps


def stretch(steps: WorkerSteps, piece: Expansion, bare: bool, wide: bool) -> Stretch:
    """What comes of a piece of the work."""
    return steps.by_text.stretch(piece, bare, wide)


def look_ahead(steps: WorkerSteps, keys: Matrix, shares: Matrix) -> Ahead:
    """What comes of a piece of it by two actions on compiled rules."""
    return steps.compiled.look_ahead(keys, shares)
