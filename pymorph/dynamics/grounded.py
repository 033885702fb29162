"""Dynamics by the grounder: for every ruleset, hundreds of states in each grounding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from clingo import Function, parse_term

from pymorph.answers import summarized
from pymorph.dynamics.asking.batch import BATCH, uncollected
from pymorph.dynamics.bits.planes import Matrix
from pymorph.dynamics.carrying import LegalMoves, SuccessorGenerator, Trajectory
from pymorph.dynamics.protocol import (
    ChanceNode,
    Endings,
    Follow,
    Mask,
    Numbering,
    Placed,
    numbers_in,
)
from pymorph.dynamics.transitions import NodeExpander
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.position import Position


@summarized(lambda dynamics: dynamics.start.ruleset.name)
class Grounded:
    """The rules of one table, asked of the grounder; equal positions are asked about once.

    A row is the number under which a position is remembered, or its text, until it is needed.
    """

    batch = 2 * BATCH

    def __init__(self, start: Position) -> None:
        self.start = start
        self.actions, self.events, self.fluents, self.values = (Numbering() for _ in range(4))
        self.expander = NodeExpander(start.ruleset)
        hidden = HIDDEN in start.fluents.values()
        self.carrier = self.expander if hidden else SuccessorGenerator(start.ruleset)
        self._numbers: dict[Position | str, int] = {}
        self._states: dict[int, Position | str] = {}
        self._next = 0

    def encode(self, positions: Iterable[Position | str]) -> Matrix:
        numbers = []
        for state in positions:
            number = self._numbers.setdefault(state, self._next)
            if number == self._next:
                self._states[number] = state
                self._next += 1
            numbers.append(number)
        return np.array(numbers, np.int64)[:, np.newaxis].view(np.uint8)

    def _remembered(self, rows: Matrix) -> list[Position | str]:
        return [self._states[number] for number in _numbers(rows)]

    def decode(self, rows: Matrix) -> list[Position]:
        states = self._remembered(rows)
        return [with_delta(self.start, each) if isinstance(each, str) else each for each in states]

    def states(self, rows: Matrix) -> GroundedStates:
        return GroundedStates(self, self.decode(rows))

    def pack(self, rows: Matrix) -> list[str]:
        states = self._remembered(rows)
        return [each if isinstance(each, str) else delta(self.start, each) for each in states]

    unpack = encode

    def forget(self, rows: Matrix) -> None:
        self._states = {number: self._states[number] for number in _numbers(rows)}
        self._numbers = {state: number for number, state in self._states.items()}
        self.expander.forget()


@summarized(lambda states: f"{len(states)} states")
class GroundedStates:
    """A batch of positions, which have rows when these are needed."""

    def __init__(self, dynamics: Grounded, positions: Sequence[Position]) -> None:
        self.dynamics, self.positions = dynamics, positions

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def rows(self) -> Matrix:
        return self.dynamics.encode(self.positions)

    @uncollected()
    def legal(self, follow: Follow = Follow.ALL) -> GroundedMoves:
        dynamics = self.dynamics
        carrier = dynamics.expander if follow is Follow.ALL else dynamics.carrier
        if follow is Follow.ONE or dynamics.expander.looked >= dynamics.batch:
            carrier.forget()
        alike = list(dict.fromkeys(self.positions))
        if follow is Follow.NONE:
            rows = SuccessorGenerator.legal_moves(carrier, alike, rolls=False)
        else:
            rows = carrier.legal_moves(alike)
        moves = dict(zip(alike, rows, strict=True))
        return GroundedMoves(self, [moves[position] for position in self.positions], carrier)

    def values(self, fluent: int) -> Placed:
        symbol, values = self.dynamics.fluents.symbols[fluent], self.dynamics.values
        default = self.dynamics.start.default(symbol)
        return _by_key((values.number(p.fluents.get(symbol, default)),) for p in self.positions)


@summarized(lambda moves: f"{len(moves.legal)} legal actions in {len(moves.states)} states")
class GroundedMoves:
    """The legal actions of a batch of positions."""

    def __init__(
        self, states: GroundedStates, moves: Sequence[LegalMoves], carrier: SuccessorGenerator
    ) -> None:
        self.states, self._moves, self._carrier = states, moves, carrier
        self.legal = _by_key(map(states.dynamics.actions.number, each.actions) for each in moves)
        self.open = sum(bool(p.actions) << n for n, p in enumerate(moves))
        self.rolling = sum(bool(p.rolls) << n for n, p in enumerate(moves))

    def rolls(self) -> list[ChanceNode]:
        number = self.states.dynamics.actions.number
        due = [(1 << n, p.rolls[0].outcomes) for n, p in enumerate(self._moves) if p.rolls]
        return [
            ChanceNode(here, [(number(action.symbol), odds, here) for action, odds in outcomes])
            for here, outcomes in due
        ]

    def endings(self) -> Endings:
        outcomes = [each.outcome for each in self._moves]
        return Endings(
            _by_key(each.over for each in self._moves),
            _by_key(map(str, o.winners) if o else () for o in outcomes),
            sum(bool(o and o.drawn) << n for n, o in enumerate(outcomes)),
            _by_key(o.scores.items() if o else () for o in outcomes),
        )

    def step(self, chosen: Placed) -> GroundedTransitions:
        legs = {n: leg for each in self._begun(chosen) for n, leg in each.items()}
        return self._carried_on([legs])[0]

    def steps(self, chosen: Placed) -> Iterator[GroundedTransitions]:
        return iter(self._carried_on(self._begun(chosen)))

    def _begun(self, chosen: Placed) -> list[dict[int, Trajectory]]:
        """The actions, each in its states, by the numbers of the states."""
        positions, symbols = self.states.positions, self.states.dynamics.actions.symbols
        size = len(positions)
        return [
            {n: Trajectory.of(positions[n], symbols[a]) for n in numbers_in(bits, size).tolist()}
            for a, bits in chosen
        ]

    @uncollected()
    def _carried_on(self, groups: Sequence[dict[int, Trajectory]]) -> list[GroundedTransitions]:
        self._carrier.carry_on([leg for legs in groups for leg in legs.values()])
        return [GroundedTransitions(self.states, legs) for legs in groups]


@summarized(lambda step: f"to {len(step.after)} states")
class GroundedTransitions:
    """The result of actions, by the numbers of the states in which they were carried out."""

    def __init__(self, before: GroundedStates, legs: dict[int, Trajectory]) -> None:
        self._before, self._dynamics, self._legs = before, before.dynamics, legs

    @property
    def after(self) -> GroundedStates:
        positions = list(self._before.positions)
        for number, leg in self._legs.items():
            positions[number] = leg.after
        return GroundedStates(self._dynamics, positions)

    def rows(self, numbers: Matrix) -> Matrix:
        return self._dynamics.encode([self._legs[n].after for n in numbers.tolist()])

    def ended(self, period: str) -> Mask:
        return sum(1 << n for n, leg in self._legs.items() if period in leg.ended)

    def events(self) -> dict[int, Mask]:
        number = self._dynamics.events.number
        events: dict[int, Mask] = defaultdict(int)
        for n, leg in self._legs.items():
            for link in leg.links:
                for row in link.happens:
                    events[number(row[0])] |= 1 << n
        return events

    def rules(self) -> Iterator[tuple[str, Mask]]:
        for n, leg in self._legs.items():
            for link in leg.links:
                rules = {rule for change in link.changes for rule in change.rules}
                yield from ((rule, 1 << n) for rule in rules | {x[-1].name for x in link.happens})


def _by_key(groups: Iterable[Iterable[Any]]) -> list[tuple[Any, Mask]]:
    """Each of the keys that the states have, with the states."""
    masks: dict[Any, Mask] = defaultdict(int)
    for number, keys in enumerate(groups):
        for key in keys:
            masks[key] |= 1 << number
    return list(masks.items())


def _numbers(rows: Matrix) -> list[int]:
    numbers: list[int] = np.ascontiguousarray(rows).view(np.int64).ravel().tolist()
    return numbers


def delta(start: Position, position: Position) -> str:
    """The difference of a position to the first one, as a text that travels: a line for each fluent
    with its value, and one without a name for what is unfinished."""
    new = dict(position.items - start.items)
    for fluent, _ in start.items - position.items:
        new.setdefault(fluent, position.default(fluent))
    if position.unfinished:
        new[UNFINISHED] = Function("", position.unfinished)
    return "\n".join(sorted(f"{_text(fluent)}\0{_text(value)}" for fluent, value in new.items()))


def with_delta(start: Position, text: str) -> Position:
    """The position that differs so from the first one."""
    lines = (line.split("\0") for line in text.split("\n") if line)
    new = {_term(fluent): _term(value) for fluent, value in lines}
    unfinished = new.pop(UNFINISHED, UNFINISHED).arguments
    return start.with_changes(new).with_unfinished(unfinished)


UNFINISHED = Function("", [])  # stands for what is unfinished, which is no fluent
_text, _term = cache(str), cache(parse_term)
