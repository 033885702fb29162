"""What may be done in many positions, and where it leads, in one process or shared by several."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from clingo import Symbol, parse_term

from pymorph.claims import matches
from pymorph.errors import PymorphError
from pymorph.limits import out_of_earshot, start_method, work_for
from pymorph.position import Position
from pymorph.queries.asking import BATCH, ask, batches, by_situation, facts_of
from pymorph.queries.growing import Grower
from pymorph.ruleset import Ruleset
from pymorph.terms import Term

SHARE = 2 * BATCH  # positions that are looked at together
KEPT = 100_000  # terms whose texts are remembered


class Step(NamedTuple):
    """An action, the position that it leads to, if that was asked, and whether it is the last."""

    action: Symbol
    after: Position | None = None
    last: bool = False


Row = tuple[Position, list[Step]]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which actions are followed: those *of* some actors, or of all, but for the forms in
    *without*; none after the end of a period *until*."""

    of: frozenset[str] = frozenset()
    without: tuple[Symbol, ...] = ()
    until: str = ""

    def follows(self, action: Symbol) -> bool:
        """Is an action one of them?"""
        if self.of and Term(action).actor not in self.of:
            return False
        return not any(matches(pattern, action) for pattern in self.without)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.of, tuple(map(str, self.without)), self.until)


def _rebuilt(of: frozenset[str], without: tuple[str, ...], until: str) -> Chosen:
    return Chosen(of, tuple(map(parse_term, without)), until)


class Stepper:
    """Takes every action that is followed in some positions, in as many processes as *jobs*."""

    def __init__(self, ruleset: Ruleset, chosen: Chosen, jobs: int) -> None:
        self._walker = _Walker(ruleset, chosen)
        # A process that may have none of its own does it all itself.
        jobs = 1 if multiprocessing.current_process().daemon else jobs
        self._helpers = [_Helper(ruleset, chosen) for _ in range(jobs if jobs > 1 else 0)]

    def __enter__(self) -> Stepper:
        return self

    def __exit__(self, *_: object) -> None:
        for helper in self._helpers:
            helper.stop()

    def steps(self, positions: Sequence[Position], bare: bool = False) -> Iterator[list[Row]]:
        """The steps of each of the positions, share by share, in whatever order.

        *bare*: where they lead is not asked.
        Raises: PymorphError, if a process that works on it dies; whatever the rules raise.
        """
        if len(positions) < len(self._helpers) or not self._helpers:
            for share in _shares(positions, SHARE):
                yield self._walker.rows(share, bare)
            return
        size = min(SHARE, ceil(len(positions) / len(self._helpers)))
        waiting = deque(_shares(positions, size))
        busy: dict[Connection, _Helper] = {}
        idle = list(self._helpers)
        while waiting or busy:
            while waiting and idle:
                helper = idle.pop()
                helper.take(waiting.popleft(), bare)
                busy[helper.pipe] = helper
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                idle.append(busy.pop(pipe))
                yield idle[-1].rows()


def _shares(positions: Sequence[Position], size: int) -> Iterator[Sequence[Position]]:
    for start in range(0, len(positions), size):
        yield positions[start : start + size]


class _Helper:
    """A process that takes actions, seen from outside."""

    def __init__(self, ruleset: Ruleset, chosen: Chosen) -> None:
        context: Any = multiprocessing.get_context(start_method())
        self.pipe, theirs = context.Pipe()
        with theirs:
            given = (theirs, os.getpid(), ruleset, chosen)
            self.process = context.Process(target=_help, args=given, daemon=True)
            with out_of_earshot():
                self.process.start()

    def take(self, positions: Sequence[Position], bare: bool) -> None:
        self.positions = positions
        with suppress(OSError):  # if it has died, that shows when it is heard
            self.pipe.send((positions, bare))

    def rows(self) -> list[Row]:
        """What it found."""
        try:
            worked, found = self.pipe.recv()
        except (EOFError, OSError):
            raise PymorphError("a process died, perhaps for want of memory") from None
        if not worked:
            raise found
        told = zip(self.positions, found, strict=True)
        return [(before, [_read(before, step) for step in steps]) for before, steps in told]

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class _Walker:
    """Takes the actions that are followed, in this process."""

    def __init__(self, ruleset: Ruleset, chosen: Chosen) -> None:
        self._grower = Grower(ruleset)
        self._chosen = chosen

    def rows(self, positions: Sequence[Position], bare: bool) -> list[Row]:
        steps = self._bare(positions) if bare else self._full(positions)
        return list(zip(positions, steps, strict=True))

    def _full(self, positions: Sequence[Position]) -> list[list[Step]]:
        legs = self._grower.legs_of(positions, self._chosen.follows)
        self._grower.forget()
        until = self._chosen.until
        return [
            [Step(action, leg.position, until in leg.ended) for action, leg in row.items()]
            for row in legs
        ]

    def _bare(self, positions: Sequence[Position]) -> list[list[Step]]:
        found: list[list[Step]] = [[] for _ in positions]
        for first, numbers in batches(positions):
            facts = facts_of(positions, numbers)
            for n, rows in by_situation(ask("legal", first, facts)["legal"], 1).items():
                found[n] = [Step(row[0]) for row in rows if self._chosen.follows(row[0])]
        return found


# -- in a process of its own -----------------------------------------------------------------------

# Terms do not travel, so a step is told as texts: the action, what it changes, is it the last?
Told = tuple[str, list[tuple[str, str]] | None, bool]


def _help(pipe: Connection, parent: int, ruleset: Ruleset, chosen: Chosen) -> None:
    """Answer what is asked through the pipe: whether all went well, and the steps or the error."""
    work_for(parent)
    walker = _Walker(ruleset, chosen)
    with suppress(EOFError, ConnectionError):  # nobody is there to ask, or to be told
        while True:
            positions, bare = pipe.recv()
            found: tuple[bool, Any]
            try:
                rows = walker.rows(positions, bare)
                found = (True, [[_told(before, step) for step in steps] for before, steps in rows])
            except PymorphError as error:
                found = (False, error)
            pipe.send(found)


def _told(before: Position, step: Step) -> Told:
    if step.after is None:
        return _text(step.action), None, step.last
    old, new = before.fluents, step.after.fluents
    changes = [(_text(f), _text(v)) for f, v in new.items() if old.get(f) != v]
    changes += [(_text(f), _text(before.default(f))) for f in old if f not in new]
    return _text(step.action), changes, step.last


def _read(before: Position, told: Told) -> Step:
    action, changes, last = told
    if changes is None:
        return Step(_term(action), None, last)
    changed = {_term(fluent): _term(value) for fluent, value in changes}
    return Step(_term(action), before.with_changes(changed), last)


_text = lru_cache(maxsize=KEPT)(str)
_term = lru_cache(maxsize=KEPT)(parse_term)
