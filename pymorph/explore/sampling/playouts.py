"""Games at random or by policies, many side by side."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import partial
from math import lcm
from typing import Any

import numpy as np
from clingo import Symbol

from pymorph.asp.bitslice.bit_program import total
from pymorph.dynamics import protocol
from pymorph.dynamics.asking.batch import BATCH
from pymorph.dynamics.bits import planes
from pymorph.dynamics.engine import Engine
from pymorph.dynamics.protocol import Dynamics, Follow, Mask, Moves, Placed
from pymorph.explore.sampling.game_statistics import GameStatistics, Keep
from pymorph.explore.sampling.policies import Players
from pymorph.state.position import Position
from pymorph.terms import Term, order

FEW = 1 << 10  # games side by side, fewer of which take as long

Choose = Callable[[Moves, Mask, planes.Matrix], Placed]
"""Which action is carried out in each of the games that go on; the matrix has for each game the
number of its legal actions."""


def play(
    engine: Engine,
    start: Position,
    asked: tuple[int, int, int],
    players: Players | None = None,
    told: Callable[[int, int], None] = lambda *_: None,
    keep: Keep = lambda _: None,
) -> GameStatistics:
    """What is seen in a number of games with a seed, each at most so long.

    Raises: Uncompiled, where rules turn out not to compile.
    """
    games, seed, most = asked
    dynamics, tally = engine.dynamics, GameStatistics()
    if engine.compiled:
        choose, size = at_random(np.random.default_rng(seed)), dynamics.batch
    else:
        choose, size = one_by_one(dynamics, random.Random(seed), players), BATCH
    while tally.games < games:
        rows = dynamics.encode([start]).repeat(min(games - tally.games, size), axis=0)
        Playouts(dynamics, rows, choose, tally).play(most, told, keep)
    return tally


class Playouts:
    """A game from each of some states, whose rows are given. Bit k of every mask is that of the
    k-th; games that are over stay for a while."""

    def __init__(
        self, dynamics: Dynamics, rows: planes.Matrix, choose: Choose, tally: GameStatistics
    ) -> None:
        self._dynamics, self._choose, self._tally = dynamics, choose, tally
        self._states = dynamics.states(rows)
        self._going = (1 << len(rows)) - 1
        self._last = {"": self._going}  # by actor, where the last action was theirs
        self._seen: dict[int, Mask] = defaultdict(int)  # where each event happened
        self._happened: Mapping[int, Mask] = {}  # with the last action
        self._used: dict[str, Mask] = defaultdict(int)  # where each rule had an effect

    def play(self, most: int, told: Callable[[int, int], None], keep: Keep) -> None:
        """Carry all games on to their ends, or for that many actions."""
        games = len(self._states)
        for length in range(most + 1):
            moves = self._states.legal(Follow.ONE)
            self._end(moves, length)
            if not self._going or length == most:
                break
            left = self._going.bit_count()
            wasteful = self._dynamics.batch < FEW or max(2 * left, FEW) < len(self._states)
            if wasteful and left < len(self._states):
                self._drop()
                moves = self._states.legal(Follow.ONE)
            numbers = self._note_choices(moves, length)
            chosen = self._choose(moves, self._going, numbers)
            self.note(chosen, moves.step(chosen))
            told(self._tally.games + games - left, self._tally.positions)
            keep(partial(self._so_far, games))
        self._tally.games += games
        self._note_all(~0)

    def _end(self, moves: Moves, length: int) -> None:
        """Note the games in which nothing may be done any more."""
        over = self._going & ~moves.open
        if not over:
            return
        number, tally, endings = over.bit_count(), self._tally, moves.endings()
        self._going ^= over
        tally.finished += number
        tally.lengths[length] += number
        by_rule = [(rule, bits & over) for rule, bits in endings.over]
        unsaid = over & ~protocol.union(bits for _, bits in by_rule)
        for rule, bits in by_rule:
            self._used[rule] |= bits
        for rule, bits in [*by_rule, ("", unsaid)]:
            for actor, acted in self._last.items():
                if acted & bits:
                    tally.over[rule, actor] += (acted & bits).bit_count()
        groups: dict[tuple[str, ...], Mask] = {(): over}
        for winner, won in endings.wins:
            split = {(*winners, winner): bits & won for winners, bits in groups.items()}
            split |= {winners: bits & ~won for winners, bits in groups.items()}
            groups = {winners: bits for winners, bits in split.items() if bits}
        for winners, bits in groups.items():
            for drawn, some in ((True, bits & endings.drawn), (False, bits & ~endings.drawn)):
                if some:
                    tally.outcomes[tuple(sorted(winners)), drawn] += some.bit_count()
        for score, bits in endings.scores:
            if bits & over:
                tally.scores[score] += (bits & over).bit_count()
        self._note(self._happened, over, tally.endings, tally.ending_kinds)

    def _note_choices(self, moves: Moves, length: int) -> planes.Matrix:
        """Note how many actions may be chosen and of which names, but for rolls; for each game how
        many are legal."""
        size, symbols = len(self._states), self._dynamics.actions.symbols
        numbers = planes.numbers_of(total((1, bits) for _, bits in moves.legal), size)
        free = self._going & ~moves.rolling
        among = np.bincount(numbers[planes.where(free, size)] if moves.rolling else numbers)
        for number in np.flatnonzero(among[1:]) + 1:
            self._tally.positions += int(among[number])
            self._tally.widths[length, int(number)] += int(among[number])
        offered: dict[str, Mask] = defaultdict(int)
        for action, bits in moves.legal:
            offered[symbols[action].name] |= bits & free
        self._tally.offered.update({n: bits.bit_count() for n, bits in offered.items() if bits})
        return numbers

    def note(self, chosen: Placed, step: protocol.Transitions) -> None:
        """Note the result of an action in each game, and go on to it."""
        last: dict[str, Mask] = defaultdict(int)
        for action, bits in chosen:
            symbol = self._dynamics.actions.symbols[action]
            self._tally.taken[symbol.name] += bits.bit_count()
            last[Term(symbol).actor] |= bits
        self._last, self._happened, self._states = last, step.events(), step.after
        for event, bits in self._happened.items():
            self._seen[event] |= bits
        for rule, bits in step.rules():
            self._used[rule] |= bits
            self._tally.steps[rule] += bits.bit_count()

    def _drop(self) -> None:
        """Let go of the games that are over."""
        self._note_all(~self._going)
        going = planes.where(self._going, len(self._states))
        rows = self._states.rows[going]
        self._dynamics.forget(rows)
        self._states = self._dynamics.states(rows)
        self._seen, self._used = _part(self._seen, going), _part(self._used, going)
        self._going = (1 << len(rows)) - 1

    def _so_far(self, games: int) -> GameStatistics:
        """What was seen so far, also in the games that go on, of so many that began."""
        now = copy(self)
        now._tally = self._tally.with_games(games)
        now._note_all(~0)
        return now._tally

    def _note_all(self, over: Mask) -> None:
        """Count what was seen in some games from the first action on."""
        self._note(self._seen, over, self._tally.events, self._tally.kinds)
        for rule, bits in self._used.items():
            self._tally.used[rule] += (bits & over).bit_count()

    def _note(
        self, seen: Mapping[int, Mask], over: Mask, by_event: Counter[Symbol], by_name: Counter[str]
    ) -> None:
        """Count in how many of some games events happened, one by one and by their names."""
        named: dict[str, Mask] = defaultdict(int)
        for number, bits in seen.items():
            event = self._dynamics.events.symbols[number]
            if bits & over:
                by_event[event] += (bits & over).bit_count()
                named[event.name] |= bits & over
        by_name.update({name: bits.bit_count() for name, bits in named.items()})


def at_random(source: np.random.Generator) -> Choose:
    """An action at random in all games at once, a roll by its odds: a number below the sum of the
    weights is drawn, and the weights are taken off it until one is more than what is left."""

    def choose(moves: Moves, going: Mask, numbers: planes.Matrix) -> Placed:
        weighted = [(action, 1, bits & ~moves.rolling) for action, bits in moves.legal]
        for roll in moves.rolls() if moves.rolling else ():
            scale = lcm(*(odds.denominator for _, odds, _ in roll.outcomes))
            weighted += [(action, int(odds * scale), bits) for action, odds, bits in roll.outcomes]
        if moves.rolling:
            sums = total((weight, bits) for _, weight, bits in weighted)
            numbers = planes.numbers_of(sums, len(numbers))
        drawn = (source.random(len(numbers)) * numbers).astype(np.int64)
        left = planes.of_numbers(drawn, int(numbers.max()).bit_length())
        chosen = [(action, planes.lessen(left, weight, x)) for action, weight, x in weighted if x]
        return [(action, bits) for action, bits in chosen if bits]

    return choose


def one_by_one(dynamics: Dynamics, source: random.Random, players: Players | None) -> Choose:
    """The action that a policy prefers, or one at random, in one game after the other."""
    number, symbols = dynamics.actions.number, dynamics.actions.symbols

    def preferred(states: protocol.States, games: Sequence[int]) -> list[list[int]]:
        if not players:
            return [[] for _ in games]
        rows = states.rows[games]
        positions = dynamics.decode(rows)
        dynamics.forget(rows[:0])
        return [list(map(number, choices)) for choices in players.choices(positions)]

    def choose(moves: Moves, going: Mask, _: planes.Matrix) -> Placed:
        size, games = len(moves.states), protocol.numbers_in(going, len(moves.states)).tolist()
        legal: dict[int, list[int]] = defaultdict(list)
        outcomes: dict[int, dict[int, float]] = defaultdict(dict)
        for action, bits in moves.legal:
            for game in protocol.numbers_in(bits, size).tolist():
                legal[game].append(action)
        for action, odds, bits in (each for roll in moves.rolls() for each in roll.outcomes):
            for game in protocol.numbers_in(bits, size).tolist():
                outcomes[game][action] = float(odds)
        chosen: dict[int, Mask] = defaultdict(int)
        for game, choices in zip(games, preferred(moves.states, games), strict=True):
            actions = [action for action in choices if action in legal[game]]
            if game in outcomes:
                action = source.choices(list(outcomes[game]), list(outcomes[game].values()))[0]
            elif actions:
                action = actions[0]
            else:
                action = source.choice(sorted(legal[game], key=lambda n: order(symbols[n])))
            chosen[action] |= 1 << game
        return list(chosen.items())

    return choose


def _part(noted: Mapping[Any, Mask], going: planes.Matrix) -> defaultdict[Any, Mask]:
    """What was noted of some of the games."""
    octets = planes.octets_of(list(noted.values()), len(going))[going]
    return defaultdict(int, zip(noted, planes.planes_of(octets, len(noted)), strict=True))
