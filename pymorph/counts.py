"""The answer of `count`: how many sequences of actions there are, of each length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pymorph.answers import Json, head
from pymorph.terms import Term

if TYPE_CHECKING:
    from pymorph.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Length:
    """The sequences of one *length*: how many, and how many of them begin with each action.

    *ended* is how many of them nothing can follow, None where that was not looked at; *positions*
    to how many different positions they lead, None where that was not asked.
    """

    length: int
    sequences: int
    by_first: tuple[tuple[Term, int], ...]
    ended: int | None = None
    positions: int | None = None

    def json(self) -> Json:
        return {
            "length": self.length,
            "sequences": self.sequences,
            "ended": self.ended,
            "positions": self.positions,
            "by_first": [
                {"actor": action.actor, "action": str(action), "sequences": number}
                for action, number in self.by_first
            ],
        }


@dataclass(frozen=True, slots=True)
class Count:
    """How many sequences of actions there are of each length, up to a *depth*.

    *of*, *without* and *until* say which were followed, as they were asked. *final*: there is
    none that is longer than those. *positions*, if that was asked, is to how many different ones
    they lead altogether, the first among them.
    """

    ruleset: Ruleset
    depth: int
    of: tuple[str, ...]
    without: tuple[str, ...]
    until: str
    lengths: tuple[Length, ...] = ()
    final: bool = False
    positions: int | None = None

    @property
    def complete(self) -> bool:
        """Was every length counted?"""
        return self.final or len(self.lengths) == self.depth

    @property
    def sequences(self) -> tuple[int, ...]:
        """How many there are of each length, from 1."""
        return tuple(each.sequences for each in self.lengths)

    def json(self) -> Json:
        return {
            **head(self.ruleset),
            "depth": self.depth,
            "of": list(self.of),
            "without": list(self.without),
            "until": self.until or None,
            "complete": self.complete,
            "final": self.final,
            "positions": self.positions,
            "lengths": [each.json() for each in self.lengths],
        }
