"""What is seen of many games as they are played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from clingo import Symbol


@dataclass(slots=True)
class Tally:
    """What was seen so far."""

    games: int = 0
    finished: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    endings: Counter[Symbol] = field(default_factory=Counter)
    events: Counter[Symbol] = field(default_factory=Counter)
    over: Counter[tuple[str, str]] = field(default_factory=Counter)
    ending_kinds: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    offered: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)
    positions: int = 0
    choices: int = 0
    least: int = 0
    widest: int = 0

    def chosen_among(self, numbers: Sequence[int], times: int = 1) -> None:
        """Note how many actions could be chosen, in each of some positions, so many times."""
        if len(numbers):
            least = min(numbers)
            self.least = min(self.least, least) if self.positions else least
            self.widest = max(self.widest, *numbers)
            self.positions += len(numbers) * times
            self.choices += sum(numbers) * times
