"""What is seen of many games as they are played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace

from clingo import Symbol

Keep = Callable[[Callable[[], "Tally"]], None]  # is given how to say what was seen so far


def keep_nothing(_: Callable[[], Tally]) -> None:
    pass


@dataclass(slots=True)
class Tally:
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

    def with_games(self, number: int) -> Tally:
        """A copy that counts so many more games, which are not at their end."""
        found = replace(self, games=self.games + number)
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, Counter):
                setattr(found, each.name, value.copy())
        return found

    def chosen_among(self, length: int, number: int, times: int = 1) -> None:
        """Note how many actions could be chosen after so many, in so many positions."""
        self.positions += times
        self.widths[length, number] += times
