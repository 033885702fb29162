"""The interface between the rules of a table and everything that explores play.

It speaks of *batches* of states and of *masks*: a mask is a Python integer whose bit k is that of
state k of the batch. Two implementations: `bitsliced.BitSliced` evaluates compiled rules for
thousands of states at once; `grounded.Grounded` asks the grounder, and serves every ruleset.

The examples below are about two positions of one game. In the first, white has one man and is to
move; in the second, black has won:

    >>> import pymorph
    >>> race, won = (
    ...     pymorph.Position.parse(f"{{ruleset: breakthrough, turn: white, men: {men}}}")
    ...     for men in ("{d4: white, c5: black, b2: black}", "{a3: white, d1: black}")
    ... )
    >>> dynamics = pymorph.dynamics_of(race)
    >>> states = dynamics.states(dynamics.encode([race, won]))
    >>> moves = states.legal()
    >>> step = moves.step(moves.legal[:1])
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
    """Numbers of symbols: actions, events, fluents or values. A number never changes.

    >>> [str(dynamics.actions.symbols[number]) for number, _ in moves.legal]
    ['move(white,d4,left)', 'move(white,d4,ahead)', 'move(white,d4,right)']
    """

    def __init__(self, symbols: Iterable[Symbol] = ()) -> None:
        self.symbols = list(dict.fromkeys(symbols))
        self._numbers = {symbol: number for number, symbol in enumerate(self.symbols)}

    def number(self, symbol: Symbol) -> int:
        """The number of a symbol; a new one for a symbol that has none yet.

        >>> numbers = Numbering(dynamics.actions.symbols[:2])
        >>> [numbers.number(symbol) for symbol in dynamics.actions.symbols[:3]]
        [0, 1, 2]
        """
        number = self._numbers.setdefault(symbol, len(self.symbols))
        if number == len(self.symbols):
            self.symbols.append(symbol)
        return number


class ChanceNode(NamedTuple):
    """A roll that is due in the states *where*: each outcome, by the number of its action, with its
    odds and the states in which it has them. In each state the odds add up to 1.

    >>> from fractions import Fraction
    >>> coin = ChanceNode(0b11, [(0, Fraction(1, 2), 0b11), (1, Fraction(1, 2), 0b11)])
    >>> sum(odds for _, odds, _ in coin.outcomes)
    Fraction(1, 1)
    """

    where: Mask
    outcomes: Sequence[tuple[int, Fraction, Mask]]


class Endings(NamedTuple):
    """How the game ends, each with the states: *over* by rule, *wins* by player, *drawn*, and the
    *scores* by player and points.

    >>> [(rule, where) for rule, where in moves.endings().over if where]
    [('brk_05', 2)]
    """

    over: Sequence[tuple[str, Mask]]
    wins: Sequence[tuple[str, Mask]]
    drawn: Mask
    scores: Sequence[tuple[tuple[str, int], Mask]]


class Follow(Enum):
    """How many actions of each state will be carried out: none, one or all.

    >>> states.legal(Follow.NONE).open == moves.open
    True
    """

    NONE, ONE, ALL = range(3)


class States(Protocol):
    """A batch of states of one table. What a roll interrupted and the rulings are part of a state,
    so one batch may have the same position under several readings.

    >>> len(states), states.rows.shape
    (2, (2, 17))
    """

    def __len__(self) -> int: ...

    @property
    def rows(self) -> Matrix:
        """A row of octets for each state. Equal states have equal rows."""

    def legal(self, follow: Follow = Follow.ALL) -> Moves:
        """The legal actions. With `Follow.NONE`, only `Moves.legal` and `Moves.open` are known.

        >>> [mask for _, mask in states.legal(Follow.NONE).legal]  # all in the first state alone
        [1, 1, 1]
        """

    def values(self, fluent: int) -> Placed:
        """Each value that a fluent has, by number, with the states.

        >>> symbols = dynamics.fluents.symbols
        >>> [a3] = [number for number, fluent in enumerate(symbols) if str(fluent) == "man(a3)"]
        >>> [(str(dynamics.values.symbols[value]), mask) for value, mask in states.values(a3)]
        [('none', 1), ('white', 2)]
        """


class Moves(Protocol):
    """The legal actions of each state of a batch.

    >>> moves.states is states, len(moves.legal), moves.open, moves.rolling
    (True, 3, 1, 0)
    """

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
        """The rolls that are due, in each state the first one.

        >>> blow = pymorph.Position.load("examples/positions/spear_against_mail.yaml")
        >>> struck = pymorph.apply(blow, "advance(lathana, 3)").position
        >>> duel = pymorph.dynamics_of(struck, bit_sliced=False)
        >>> [node] = duel.states(duel.encode([struck])).legal().rolls()
        >>> [str(odds) for _, odds, _ in node.outcomes][:3], len(node.outcomes)
        (['1/10', '1/10', '1/10'], 10)
        """

    def endings(self) -> Endings:
        """How the game ends in these states.

        >>> [(player, mask) for player, mask in moves.endings().wins if mask]
        [('black', 2)]
        """

    def step(self, chosen: Placed) -> Transitions:
        """Carry out an action in each of some states; no two in one state.

        >>> step = moves.step(moves.legal[:1])
        >>> after = pymorph.apply(race, "move(white, d4, left)").position
        >>> dynamics.decode(step.after.rows) == [after, won]
        True
        """

    def steps(self, chosen: Placed) -> Iterator[Transitions]:
        """Carry out each of some actions by itself, in all of its states.

        >>> [len(step.events()) for step in moves.steps(moves.legal)]  # one captures a man
        [1, 0, 0]
        """


class Transitions(Protocol):
    """The result of an action in each of some states, with all that follows automatically: the
    parts of a macro-action and forced steps, up to the next choice or roll.

    >>> [str(position.value("turn")) for position in dynamics.decode(step.after.rows)]
    ['black', 'white']
    """

    @property
    def after(self) -> States:
        """The batch of states after it. States in which no action was carried out are as before."""

    def rows(self, numbers: Matrix) -> Matrix:
        """The rows of some of the states after it, by their numbers; quicker than `after.rows`.

        >>> bool((step.rows(numbers_in(0b01, 2)) == step.after.rows[:1]).all())
        True
        """

    def ended(self, period: str) -> Mask:
        """The states in which a period ended on the way.

        >>> step.ended("round")  # the game has no rounds
        0
        """

    def events(self) -> Mapping[int, Mask]:
        """The events that happened on the way, by number, with the states.

        >>> {str(dynamics.events.symbols[event]): mask for event, mask in step.events().items()}
        {'captured(black,c5)': 1}
        """

    def rules(self) -> Iterator[tuple[str, Mask]]:
        """For each single step, the rules that changed a fluent or caused an event, each with the
        states. The grounded dynamics know them only with `Follow.ONE`.

        >>> sorted(step.rules())
        [('brk_01', 1), ('brk_02', 1), ('brk_04', 1)]
        """


class Dynamics(Protocol):
    """The rules of one table: its ruleset, board and names.

    Raises: Uncompiled (any method of the bit-sliced ones), where the rules cannot be evaluated so,
    or do what they must not. The grounded ones raise RulesetError then.

    >>> len(dynamics.encode([race, won])) <= dynamics.batch
    True
    """

    actions: Numbering
    events: Numbering
    fluents: Numbering
    values: Numbering

    @property
    def batch(self) -> int:
        """How many states are best evaluated together."""

    def encode(self, positions: Sequence[Position]) -> Matrix:
        """Positions of this table as rows.

        >>> dynamics.encode([race, won, race]).shape
        (3, 17)
        """

    def decode(self, rows: Matrix) -> list[Position]:
        """Rows as positions.

        >>> dynamics.decode(states.rows) == [race, won]
        True
        """

    def states(self, rows: Matrix) -> States:
        """A batch of the states of some rows.

        >>> len(dynamics.states(states.rows[:1]))
        1
        """

    def pack(self, rows: Matrix) -> Any:
        """Rows in a form that another process can `unpack`.

        >>> dynamics.decode(dynamics.unpack(dynamics.pack(states.rows))) == [race, won]
        True
        """

    def unpack(self, packed: Any) -> Matrix:
        """What another process packed, as rows.

        >>> dynamics.unpack(dynamics.pack(states.rows[:1])).shape
        (1, 17)
        """

    def forget(self, rows: Matrix) -> None:
        """Forget all states but these.

        >>> grounded = pymorph.dynamics_of(race, bit_sliced=False)
        >>> rows = grounded.encode([race, won])
        >>> grounded.forget(rows[1:])
        >>> grounded.decode(rows[1:]) == [won]
        True
        """


def batches(
    states: Callable[[Matrix], Batch], rows: Matrix, size: int
) -> Iterator[tuple[int, Batch]]:
    """The *states* of some rows in batches of a *size*, each with the number of its first one.

    >>> [(first, len(batch)) for first, batch in batches(dynamics.states, states.rows, 1)]
    [(0, 1), (1, 1)]
    """
    for first in range(0, len(rows), size):
        yield first, states(rows[first : first + size])


def numbers_in(mask: Mask, size: int) -> Matrix:
    """The numbers of the states in a mask, of a batch of that size.

    >>> numbers_in(0b101, 3).tolist()
    [0, 2]
    """
    return np.flatnonzero(where(mask, size))


def union(masks: Iterable[Mask]) -> Mask:
    """The states that are in any of some masks.

    >>> union([0b001, 0b100])
    5
    """
    states = 0
    for mask in masks:
        states |= mask
    return states
