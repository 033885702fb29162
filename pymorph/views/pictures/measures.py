"""How far things have come in a picture, and who has a turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from clingo import Symbol, SymbolType

from pymorph.errors import Fault, RulesetError
from pymorph.terms import text_of


class TurnState(NamedTuple):
    """What may be said of a turn: what it means, how its box looks, and its sign in characters,
    also in plain ones."""

    meaning: str
    box: str
    signs: str


TURNS = {  # who waits has no turn for now
    "past": TurnState("has acted", "tick mark", "✓x"),
    "now": TurnState("acting now", "thick frame", "▸>"),
    "to_come": TurnState("still to act", "plain frame", "·."),
    "waiting": TurnState("waiting", "dashed frame", "…-"),
}


@dataclass(slots=True)
class Measure:
    """How far something has come: *done* of *total*, and the numbers at which something happens."""

    done: int = 0
    total: int = 0
    notches: set[int] = field(default_factory=set)
    goals: set[int] = field(default_factory=set)

    def add(self, what: Symbol) -> None:
        """Add a progress, a notch or a goal."""
        numbers = numbers_in(what.arguments)
        if what.name == "progress" and len(numbers) == 2:
            self.done, self.total = numbers
        elif len(numbers) == 1:
            (self.notches if what.name == "notch" else self.goals).add(numbers[0])


@dataclass(slots=True)
class SceneTurn:
    """Somebody in the line of those who have turns: in which state, and how far."""

    name: str
    state: str = ""
    progress: Measure = field(default_factory=Measure)

    def __str__(self) -> str:
        done, total = self.progress.done, self.progress.total
        return self.name + (f" {done}/{total}" if total else "")

    def add(self, what: Symbol) -> None:
        """Add a progress or the state. Raises: RulesetError, if *what* is neither."""
        if functor(what) in TURNS:
            self.state = what.name
        elif functor(what) == "progress" and len(numbers_in(what.arguments)) == 2:
            self.progress.add(what)
        else:
            expected = f"progress(N, M), or one of {', '.join(TURNS)}"
            message = f"cannot draw {text_of(what)} for a turn; expected {expected}"
            raise RulesetError(Fault(message))


def functor(symbol: Symbol) -> str:
    """The name of a term; empty for a number or a text."""
    return symbol.name if symbol.type == SymbolType.Function else ""


def is_term(symbol: Symbol, name: str, arguments: int) -> bool:
    """Is that a term of a name with so many arguments?"""
    return functor(symbol) == name and len(symbol.arguments) == arguments


def numbers_in(terms: Iterable[Symbol]) -> list[int]:
    """The numbers among some terms."""
    return [term.number for term in terms if term.type == SymbolType.Number]
