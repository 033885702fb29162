"""What is seen of many games as they are played."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from clingo import Symbol

Keep = Callable[[Callable[[], "GameStatistics"]], None]  # is given how to say what was seen so far


EVERY = 0.5  # seconds


class Pace:
    """When an answer of what there is so far is *due*: each is made in a `with`, after a while, in
    a fifth of the time at most."""

    def __init__(self) -> None:
        self._next = self._began = 0.0

    @property
    def due(self) -> bool:
        return time.monotonic() >= self._next

    def __enter__(self) -> None:
        self._began = time.monotonic()

    def __exit__(self, *_: object) -> None:
        now = time.monotonic()
        self._next = now + EVERY * max(1.0, 8 * (now - self._began))


@dataclass(slots=True)
class GameStatistics:
    """What was seen so far.

    *widths* has in how many positions, after so many actions, so many could be chosen; *steps* in
    how many single steps a rule changed something or had an event happen, and *used* in how many
    games, where it may also have ended them. *outcomes* are how many games had such winners, or
    were drawn, and *scores* in how many somebody came to so many points.
    """

    games: int = 0
    finished: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    endings: Counter[Symbol] = field(default_factory=Counter)
    events: Counter[Symbol] = field(default_factory=Counter)
    over: Counter[tuple[str, str]] = field(default_factory=Counter)
    outcomes: Counter[tuple[tuple[str, ...], bool]] = field(default_factory=Counter)
    scores: Counter[tuple[str, int]] = field(default_factory=Counter)
    ending_kinds: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    offered: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)
    positions: int = 0
    widths: Counter[tuple[int, int]] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)

    def with_games(self, number: int) -> GameStatistics:
        """A copy that counts so many more games, which are not at their end."""
        values = ((each.name, getattr(self, each.name)) for each in fields(self))
        counters: Any = {name: each.copy() for name, each in values if isinstance(each, Counter)}
        return replace(self, games=self.games + number, **counters)
