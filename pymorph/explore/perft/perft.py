"""Counts of sequences of actions by breadth, in which equal states are expanded once.

The state of a count is a matrix of rows of states, and one of *shares*: for each state how many
sequences lead there, by their first action.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from clingo import Symbol, parse_term

from pymorph.asp.bitslice.bit_program import total
from pymorph.dynamics import protocol
from pymorph.dynamics.bits.planes import Matrix, numbers_of
from pymorph.dynamics.engine import Engine
from pymorph.dynamics.protocol import Follow, Mask, Moves, Placed
from pymorph.explore.perft.merging import Gathered, distinct
from pymorph.runtime.executor import Tasks
from pymorph.state.claim import matches
from pymorph.state.position import Position
from pymorph.terms import Term

LARGE = 1 << 13  # states from which on the last two lengths are better counted together
SOON = 1.0  # seconds that are not worth sharing out
SHARED_FROM = 300  # states that are worth sharing out where rules are not compiled
LEAST = 50  # states of a piece, for fewer cost more to ground together than they save
AHEAD = 2  # pieces for each worker, at least
OnProgress = Callable[[int], None]
Pool = Callable[[], Tasks]  # which start when they are called first


@dataclass(frozen=True, slots=True)
class ActionFilter:
    """Which actions are followed: those *of* some actors, or of all, but for the forms in
    *without*; none after the end of a period *until*."""

    of: frozenset[str] = frozenset()
    without: tuple[str, ...] = ()
    until: str = ""


@cache
def follows(actions: ActionFilter, action: Symbol) -> bool:
    """Is an action one of those that are followed?"""
    if actions.of and Term(action).actor not in actions.of:
        return False
    return not any(matches(parse_term(text), action) for text in actions.without)


class Plies(Enum):
    """How far states are expanded: which actions are legal; where they lead; or which actions are
    legal after each, without a look at where these lead."""

    LEGAL, ONE, TWO = range(3)


class Expansion(NamedTuple):
    """The result of expanding a number of states (*looked*): by first action the number of
    *sequences* that are longer, how many had *ended* before, and how many a period *closed*.

    It leads to the states of *rows*, with their *shares*; and *beyond* the end of a period to
    others, if all states are wanted. The rows that a worker gives are packed.
    """

    looked: int
    sequences: list[int]
    ended: int
    closed: int
    rows: Any
    shares: Matrix
    beyond: Any


@dataclass(frozen=True, slots=True)
class Successors:
    """Expands states by the actions that are followed, here or in a worker; *everywhere*, all
    states that they lead to are wanted."""

    engine: Engine
    actions: ActionFilter
    everywhere: bool = False

    def legal(self, moves: Moves, actions: protocol.Numbering) -> list[tuple[int, Mask]]:
        """The legal actions that are followed."""
        followed, symbols = self.actions, actions.symbols
        return [(n, bits) for n, bits in moves.legal if follows(followed, symbols[n])]

    def expand(
        self,
        rows: Matrix,
        shares: Matrix,
        plies: Plies,
        only: Sequence[int] = (),
        on_progress: OnProgress = lambda _: None,
    ) -> Expansion:
        """Expand the states of some rows; with *only*, each by one of these actions, in turn."""
        dynamics, until = self.engine.dynamics, self.actions.until
        following, beyond = Gathered(rows, shares), Gathered(rows, shares[:, :0])
        sequences, ended, closed = [0] * shares.shape[1], 0, 0
        for first, states in protocol.batches(dynamics.states, rows, dynamics.batch):
            weights = shares[first : first + len(states)]
            moves = states.legal(Follow.NONE if plies is Plies.LEGAL else Follow.ALL)
            legal = self.legal(moves, dynamics.actions)
            if only:
                here = only[first : first + len(states)]
                legal = [(action, 1 << number) for number, action in enumerate(here)]
            dead, closing = list[Mask](), list[Mask]()
            if plies is Plies.TWO:
                masks: Iterable[Mask] = self._second(moves, legal, dead)
            else:
                masks = [bits for _, bits in legal]
                dead.append((1 << len(states)) - 1 & ~protocol.union(masks))
            counts = _weighed(masks, weights)
            sequences = [n + more for n, more in zip(sequences, counts, strict=True)]
            ended += sum(_weighed(dead, weights))
            steps = zip(legal, moves.steps(legal), strict=True) if plies is Plies.ONE else ()
            for (_, bits), step in steps:
                last = step.ended(until) & bits if until else 0
                going = protocol.numbers_in(bits ^ last, len(states))
                following.add(step.rows(going), first + going)
                if last:
                    closing.append(last)
                    numbers = protocol.numbers_in(last if self.everywhere else 0, len(states))
                    beyond.add(step.rows(numbers), first + numbers)
            closed += sum(_weighed(closing, weights))
            on_progress(first + len(states))
        reached = *following.merged(), beyond.merged()[0]
        return Expansion(len(rows), sequences, ended, closed, *reached)

    def _second(self, moves: Moves, legal: Placed, dead: list[Mask]) -> Iterator[Mask]:
        """For each sequence of two actions the states in which it is legal; *dead* gets those in
        which no action is legal after the first one. First actions are carried out side by side:
        in each state its first legal one, then in each its second, and so on."""
        while legal:
            chosen, others, taken = list[tuple[int, Mask]](), list[tuple[int, Mask]](), 0
            for action, bits in legal:
                if bits & ~taken:
                    chosen.append((action, bits & ~taken))
                if bits & taken:
                    others.append((action, bits & taken))
                taken |= bits
            step = moves.step(chosen)
            going = none = taken
            if self.actions.until:
                going &= ~step.ended(self.actions.until)
            for _, bits in self.legal(step.after.legal(Follow.NONE), self.engine.dynamics.actions):
                none &= ~(bits & going)
                yield bits & going
            dead.append(none)
            legal = others


def _weighed(masks: Iterable[Mask], shares: Matrix) -> list[int]:
    """The sum of each column of shares, where each row counts once for each mask that has it."""
    return weighed(numbers_of(total((1, bits) for bits in masks), len(shares)), shares)


def weighed(numbers: Matrix, shares: Matrix) -> list[int]:
    """The sum of each column of shares, where each row counts so many times."""
    most = int(numbers.max(initial=0)) * int(shares.max(initial=0)) * len(numbers)
    enough = np.min_scalar_type(most)
    return [int(n) for n in numbers.astype(enough) @ shares.astype(enough)]


class Layer(NamedTuple):
    """The counts of one length: the *sequences* by first action; how many of the length before had
    *ended*, and how many a period *closed* here; to how many states they lead, if that is asked."""

    sequences: Mapping[Symbol, int]
    ended: int
    closed: int
    reached: int | None = None


class Perft:
    """A count by breadth from a position, one length after the other.

    *workers* may share the work, until *end*; they start when there is something for them.
    """

    def __init__(
        self, start: Position, successors: Successors, workers: Pool | None, end: float | None
    ) -> None:
        self._engine, self._successors = successors.engine, successors
        self._workers, self._end = workers, end
        self._dynamics = self._engine.dynamics
        self._rows = self._dynamics.encode([start])
        self._seen = self._rows if successors.everywhere else self._rows[:0]
        self._shares: Matrix | None = None
        self._first: list[Symbol] = []
        self._closed, self._sequences = 0, 0
        self._behind = False  # the rows are those of the length before
        self._seconds = 0.0  # that the last length will take

    @property
    def size(self) -> int:
        """How many states are to be expanded."""
        return len(self._rows)

    @property
    def positions(self) -> int:
        """How many different states were seen."""
        return len(self._seen)

    def step(self, left: int, on_progress: OnProgress) -> Layer:
        """Count the sequences that are longer by one action, where *left* lengths are left to
        count with this one; of the last one, states are not asked for. With `left` 0, they are.

        Raises: Uncompiled; RulesetError.
        """
        self._reencode()
        if self._shares is None:
            return self._begin(left, on_progress)
        if self._behind and not self._engine.compiled:
            self._advance(self._run(Plies.ONE, lambda _: None))
        if self._behind:
            expansion = self._run(Plies.TWO, on_progress)
            return self._layer(expansion, 0)
        self._behind = left == 2 and self._engine.compiled and self.size >= LARGE
        legal_only, begun = left == 1 or self._behind, time.monotonic()
        expansion = self._run(Plies.LEGAL if legal_only else Plies.ONE, on_progress)
        layer = self._layer(expansion, self._closed)
        if self._behind:
            longer = sum(expansion.sequences) / self._sequences
            self._seconds = longer * (time.monotonic() - begun)
        else:
            layer = layer._replace(reached=self._advance(expansion))
        self._sequences = sum(expansion.sequences)
        return layer

    def _reencode(self) -> None:
        """Go over to the dynamics in use."""
        before, self._dynamics = self._dynamics, self._engine.dynamics
        if before is not self._dynamics:
            self._rows = self._dynamics.encode(before.decode(self._rows))
            self._seen = self._dynamics.encode(before.decode(self._seen))

    def _begin(self, left: int, on_progress: OnProgress) -> Layer:
        """Count the first actions, which are the columns of the shares."""
        actions = self._dynamics.actions
        moves = self._dynamics.states(self._rows).legal(Follow.NONE if left == 1 else Follow.ALL)
        numbers = [number for number, _ in self._successors.legal(moves, actions)]
        self._first = [actions.symbols[number] for number in numbers]
        layer = Layer(dict.fromkeys(self._first, 1), 0, 0)
        if left != 1 and numbers:
            self._sequences = len(numbers)
            rows = np.repeat(self._rows, len(numbers), axis=0)
            shares = np.eye(len(numbers), dtype=np.uint8)
            expansion = self._successors.expand(rows, shares, Plies.ONE, numbers)
            layer = layer._replace(closed=expansion.closed, reached=self._advance(expansion))
        on_progress(1)
        return layer

    def _layer(self, expansion: Expansion, closed: int) -> Layer:
        """The counts of a length, where that many had been *closed* before."""
        pairs = zip(self._first, expansion.sequences, strict=True)
        sequences = {action: number for action, number in pairs if number}
        return Layer(sequences, closed + expansion.ended, expansion.closed)

    def _advance(self, expansion: Expansion) -> int | None:
        """Go on to the states that an expansion leads to; how many states it leads to, if all of
        them are wanted."""
        self._rows, self._shares = expansion.rows, expansion.shares
        self._closed, self._behind = expansion.closed, False
        if not self._successors.everywhere:
            self._dynamics.forget(self._rows)
            return None
        reached = distinct(self._rows, expansion.beyond)
        self._seen = distinct(self._seen, reached)
        self._dynamics.forget(self._seen)
        return len(reached)

    def _run(self, plies: Plies, on_progress: OnProgress) -> Expansion:
        """Expand all states, by workers if that is worth it."""
        assert self._shares is not None
        many = self._engine.refused and self.size >= SHARED_FROM
        if not self._workers or not (self._seconds > SOON if plies is Plies.TWO else many):
            return self._successors.expand(self._rows, self._shares, plies, (), on_progress)
        dynamics, workers = self._dynamics, self._workers()
        pack, unpack = dynamics.pack, dynamics.unpack
        self._rows, self._seen = unpack(pack(self._rows)), unpack(pack(self._seen))
        fair = ceil(self.size / (AHEAD * workers.jobs))
        size = min(max(fair, LEAST), dynamics.batch)
        pieces = [slice(first, first + size) for first in range(0, self.size, size)]
        submit, rows, shares = workers.submit, self._rows, self._shares
        tasks = [submit(expand, pack(rows[piece]), shares[piece], plies) for piece in pieces]

        def report() -> None:
            on_progress(sum(task.result().looked for task in tasks if task.done()))

        workers.finish(tasks, self._end, report)
        report()
        return self._joined([task.result() for task in tasks])

    def _joined(self, parts: Sequence[Expansion]) -> Expansion:
        """The expansion of all states, from those of parts of them."""
        dynamics = self._dynamics
        rows = np.concatenate([dynamics.unpack(part.rows) for part in parts])
        beyond = np.concatenate([dynamics.unpack(part.beyond) for part in parts])
        shares = np.concatenate([part.shares for part in parts])
        following = Gathered(rows, shares)
        following.add(rows, np.arange(len(rows)))
        rows, shares = following.merged()
        sequences = [sum(column) for column in zip(*(p.sequences for p in parts), strict=True)]
        ended, closed = sum(part.ended for part in parts), sum(part.closed for part in parts)
        beyond = distinct(beyond[:0], beyond)
        return Expansion(self.size, sequences, ended, closed, rows, shares, beyond)


def begun(successors: Successors) -> Successors:
    """What a worker begins with."""
    return successors


def expand(successors: Successors, packed: Any, shares: Matrix, plies: Plies) -> Expansion:
    """Expand the states of a piece of the work, in a worker."""
    engine = successors.engine
    if plies is Plies.TWO:
        engine.require()
    rows = engine.dynamics.unpack(packed)
    engine.dynamics.forget(rows)
    expansion, pack = successors.expand(rows, shares, plies), engine.dynamics.pack
    return expansion._replace(rows=pack(expansion.rows), beyond=pack(expansion.beyond))
