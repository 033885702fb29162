"""The interface between the rules of a table and everything that explores play.

It speaks of *batches* of states and of *masks*: a mask is a Python integer whose bit k is that of
state k of the batch. Two implementations: `bitsliced.BitSliced` evaluates compiled rules for
thousands of states at once; `grounded.Grounded` asks the grounder, and serves every ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from clingo import Symbol

from pymorph.dynamics.bits.planes import Matrix, where
from pymorph.state.position import Position

Mask = int
Batch = TypeVar("Batch", bound="States")
Placed = Sequence[tuple[int, Mask]]  # numbers, such as those of actions, each with its states


class Numbering:
    """Numbers of symbols: actions, events, fluents or values. A number never changes."""

    def __init__(self, symbols: Iterable[Symbol] = ()) -> None:
        self.symbols = list(dict.fromkeys(symbols))
        self._numbers = {symbol: number for number, symbol in enumerate(self.symbols)}

    def number(self, symbol: Symbol) -> int:
        """The number of a symbol; a new one for a symbol that has none yet."""
        number = self._numbers.setdefault(symbol, len(self.symbols))
        if number == len(self.symbols):
            self.symbols.append(symbol)
        return number


class ChanceNode(NamedTuple):
    """A roll that is due in the states *where*: each outcome, by the number of its action, with its
    odds and the states in which it has them. In each state the odds add up to 1."""

    where: Mask
    outcomes: Sequence[tuple[int, Fraction, Mask]]


class Endings(NamedTuple):
    """How the game ends, each with the states: *over* by rule, *wins* by player, *drawn*, and the
    *scores* by player and points."""

    over: Sequence[tuple[str, Mask]]
    wins: Sequence[tuple[str, Mask]]
    drawn: Mask
    scores: Sequence[tuple[tuple[str, int], Mask]]


class Follow(Enum):
    """How many actions of each state will be carried out: none, one or all."""

    NONE, ONE, ALL = range(3)


class States(Protocol):
    """A batch of states of one table. What a roll interrupted and the rulings are part of a state,
    so one batch may have the same position under several readings."""

    def __len__(self) -> int: ...

    @property
    def rows(self) -> Matrix:
        """A row of octets for each state. Equal states have equal rows."""

    def legal(self, follow: Follow = Follow.ALL) -> Moves:
        """The legal actions. With `Follow.NONE`, only `Moves.legal` and `Moves.open` are known."""

    def values(self, fluent: int) -> Placed:
        """Each value that a fluent has, by number, with the states."""


class Moves(Protocol):
    """The legal actions of each state of a batch."""

    @property
    def states(self) -> States: ...

    @property
    def legal(self) -> Placed:
        """Each action that is legal in some state, with the states."""

    @property
    def open(self) -> Mask:
        """The states in which an action is legal."""

    @property
    def rolling(self) -> Mask:
        """The states in which a roll is due: the legal actions are its outcomes."""

    def rolls(self) -> Sequence[ChanceNode]:
        """The rolls that are due, in each state the first one."""

    def endings(self) -> Endings:
        """How the game ends in these states."""

    def step(self, chosen: Placed) -> Transitions:
        """Carry out an action in each of some states; no two in one state."""

    def steps(self, chosen: Placed) -> Iterator[Transitions]:
        """Carry out each of some actions by itself, in all of its states."""


class Transitions(Protocol):
    """The result of an action in each of some states, with all that follows automatically: the
    parts of a macro-action and forced steps, up to the next choice or roll."""

    @property
    def after(self) -> States:
        """The batch of states after it. States in which no action was carried out are as before."""

    def rows(self, numbers: Matrix) -> Matrix:
        """The rows of some of the states after it, by their numbers; quicker than `after.rows`."""

    def ended(self, period: str) -> Mask:
        """The states in which a period ended on the way."""

    def events(self) -> Mapping[int, Mask]:
        """The events that happened on the way, by number, with the states."""

    def rules(self) -> Iterator[tuple[str, Mask]]:
        """For each single step, the rules that changed a fluent or caused an event, each with the
        states. The grounded dynamics know them only with `Follow.ONE`."""


class Dynamics(Protocol):
    """The rules of one table: its ruleset, board and names.

    Raises: Uncompiled (any method of the bit-sliced ones), where the rules cannot be evaluated so,
    or do what they must not. The grounded ones raise RulesetError then.
    """

    actions: Numbering
    events: Numbering
    fluents: Numbering
    values: Numbering

    @property
    def batch(self) -> int:
        """How many states are best evaluated together."""

    def encode(self, positions: Sequence[Position]) -> Matrix:
        """Positions of this table as rows."""

    def decode(self, rows: Matrix) -> list[Position]:
        """Rows as positions."""

    def states(self, rows: Matrix) -> States:
        """A batch of the states of some rows."""

    def pack(self, rows: Matrix) -> Any:
        """Rows in a form that another process can `unpack`."""

    def unpack(self, packed: Any) -> Matrix:
        """What another process packed, as rows."""

    def forget(self, rows: Matrix) -> None:
        """Forget all states but these."""


def batches(
    states: Callable[[Matrix], Batch], rows: Matrix, size: int
) -> Iterator[tuple[int, Batch]]:
    """The *states* of some rows in batches of a *size*, each with the number of its first one."""
    for first in range(0, len(rows), size):
        yield first, states(rows[first : first + size])


def numbers_in(mask: Mask, size: int) -> Matrix:
    """The numbers of the states in a mask, of a batch of that size."""
    return np.flatnonzero(where(mask, size))


def union(masks: Iterable[Mask]) -> Mask:
    """The states that are in any of some masks."""
    states = 0
    for mask in masks:
        states |= mask
    return states
