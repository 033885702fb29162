"""Random games on compiled rules, thousands side by side."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from pymorph.asp.bitslice.bit_program import total
from pymorph.dynamics.bits.compiled import CompiledAction, CompiledScene, Truth
from pymorph.dynamics.bits.compiled_steps import ChosenActions, CompiledSteps, LegalLayer
from pymorph.dynamics.bits.open_scene import scene_at
from pymorph.dynamics.bits.planes import (
    Matrix,
    lessen,
    numbers_of,
    octets_of,
    of_numbers,
    planes_of,
    where,
)
from pymorph.explore.sampling.game_statistics import keep_nothing
from pymorph.terms import Term

if TYPE_CHECKING:
    from clingo import Symbol

    from pymorph.dynamics.bits.open_scene import OpenScene
    from pymorph.explore.sampling.game_statistics import Keep, Tally
    from pymorph.state.position import Position

_T = TypeVar("_T")
FEW = 1 << 10  # games side by side, fewer of which take as long


def play_compiled(
    start: Position,
    games: int,
    seed: int,
    most: int,
    tally: Tally,
    told: Callable[[int, int], None],
    opened: OpenScene | None = None,
    keep: Keep = keep_nothing,
) -> None:
    """Play games from a position at random, and put what was seen into the tally. What is *opened*
    are the rules of its table for several readings.

    Raises: Uncompiled, where the rules cannot be, or bring about what they must not.
    """
    scene = scene_at(start, opened)
    source = np.random.default_rng(seed)
    first = scene.keys_of([start])
    while tally.games < games:
        number = min(games - tally.games, scene.together)
        Playout(scene, np.repeat(first, number, axis=0), source, tally).play(most, told, keep)


class Playout:
    """A game from each of some positions, whose keys are given. Bit k of whatever is noted of them
    is that of the k-th; those that are over stay for a while."""

    def __init__(
        self, scene: CompiledScene, keys: Matrix, source: np.random.Generator, tally: Tally
    ) -> None:
        self._scene = scene
        self._steps = CompiledSteps(scene)
        self._steps.heard = self._hear
        self._source = source
        self._tally = tally
        self._positions = scene.side_by_side(keys)
        self._going = (1 << len(keys)) - 1
        self._after = {"": self._going}  # by actor, where the last action was theirs
        self._seen: dict[Symbol, int] = defaultdict(int)  # where each event happened
        self._happened: dict[Symbol, int] = defaultdict(int)  # with the last action
        self._used: dict[str, int] = defaultdict(int)  # where each rule brought something about

    def play(self, most: int, told: Callable[[int, int], None], keep: Keep = keep_nothing) -> None:
        """Carry all games on to their ends, or for so many actions."""
        number = self._positions.number
        for length in range(most + 1):
            options = self._steps.options(self._positions)
            self._end(options, length)
            if not self._going or length == most:
                break
            left = self._going.bit_count()
            if max(2 * left, FEW) < self._positions.number:
                self._drop()
                options = self._steps.options(self._positions)
            self._step(options, length)
            told(self._tally.games + number - left, self._tally.positions)
            keep(partial(self._so_far, number))
        self._tally.games += number
        self._note_all(~0)

    def _end(self, options: LegalLayer, length: int) -> None:
        """Note the games in which nothing may be done any more."""
        some = 0
        for _, legal in options.legal:
            some |= legal
        over = self._going ^ some
        if not over:
            return
        number = over.bit_count()
        self._going ^= over
        self._tally.finished += number
        self._tally.lengths[length] += number
        left = over
        for rule, literals in self._scene.over.items():
            here = options.truth.any_of(literals) & over
            left &= ~here
            self._used[rule] |= here
            self._count_ends(rule, here)
        self._count_ends("", left)
        self._count_outcomes(options.truth, over)
        self._note(self._happened, over, self._tally.endings, self._tally.ending_kinds)

    def _count_ends(self, rule: str, over: int) -> None:
        """Count the games that are over by a rule, or by none, by whose action was the last."""
        for actor, bits in self._after.items():
            if bits & over:
                self._tally.over[rule, actor] += (bits & over).bit_count()

    def _count_outcomes(self, truth: Truth, over: int) -> None:
        """Count how games have ended, where some are over."""
        groups: dict[tuple[Symbol, ...], int] = {(): over}
        for winner, literals in self._scene.wins.items():
            won = truth.any_of(literals)
            split = {(*winners, winner): bits & won for winners, bits in groups.items()}
            split |= {winners: bits & ~won for winners, bits in groups.items()}
            groups = {winners: bits for winners, bits in split.items() if bits}
        drawn = truth.any_of(self._scene.drawn)
        for winners, bits in groups.items():
            told = tuple(sorted(str(Term(winner)) for winner in winners))
            for is_drawn, some in ((True, bits & drawn), (False, bits & ~drawn)):
                if some:
                    self._tally.outcomes[told, is_drawn] += some.bit_count()
        for (player, points), literals in self._scene.scores.items():
            some = truth.any_of(literals) & over
            if some:
                self._tally.scores[str(Term(player)), points] += some.bit_count()

    def _step(self, options: LegalLayer, length: int) -> None:
        """Choose an action for each of the games that go on, and carry it out."""
        self.carry_out(options, self._chosen(options, length))

    def carry_out(self, options: LegalLayer, chosen: ChosenActions) -> None:
        """Carry out actions, each in the games in which it is *chosen*, and note what comes of
        them."""
        self._after, self._happened = defaultdict(int), defaultdict(int)
        for action, bits in chosen:
            self._tally.taken[action.symbol.name] += bits.bit_count()
            self._after[Term(action.symbol).actor] |= bits
        self._positions = self._steps.carry_out(options, chosen).after
        for event, bits in self._happened.items():
            self._seen[event] |= bits

    def _hear(
        self, action: CompiledAction, bits: int, truth: Truth, turned: Mapping[int, int]
    ) -> None:
        for event, literals in action.happens.items():
            here = truth.any_of(literals) & bits
            if here:
                self._happened[event] |= here
        for rule, brings in action.brings.items():
            found = 0
            for literal, row in brings:
                found |= truth.atoms[literal] & (bits if row is None else turned.get(row, 0))
            found &= bits
            if found:
                self._used[rule] |= found
                self._tally.steps[rule] += found.bit_count()

    def _chosen(self, options: LegalLayer, length: int) -> list[tuple[CompiledAction, int]]:
        """In which of the games each action is chosen: a number below the sum of the weights is
        thrown, and the weights are taken off it until one is more than what is left."""
        weighed = self._steps.weights(options)
        number = self._positions.number
        sums = total((weight, bits) for _, weight, bits in weighed)
        most = numbers_of(sums, number)
        free = self._going & ~options.rolling
        among = np.bincount(most[where(free, number)] if options.rolling else most)
        for each in np.flatnonzero(among[1:]) + 1:
            self._tally.chosen_among(length, int(each), int(among[each]))
        offered: dict[str, int] = defaultdict(int)
        for action, legal in options.legal:
            offered[action.symbol.name] |= legal
        self._tally.offered.update(
            {name: (bits & free).bit_count() for name, bits in offered.items() if bits & free}
        )
        left = of_numbers((self._source.random(number) * most).astype(np.int64), len(sums))
        chosen = [(action, lessen(left, weight, bits)) for action, weight, bits in weighed]
        return [(action, bits) for action, bits in chosen if bits]

    def _drop(self) -> None:
        """Let go of the games that are over."""
        self._note_all(~self._going)
        number = self._positions.number
        going = where(self._going, number)
        self._positions = self._scene.side_by_side(self._scene.keys(self._positions)[going])
        self._seen = _part(self._seen, going)
        self._used = _part(self._used, going)
        self._going = (1 << self._positions.number) - 1

    def _so_far(self, number: int) -> Tally:
        """What was seen so far, also in the games that go on, of so many that began."""
        found = copy(self)
        found._tally = self._tally.with_games(number)
        found._note_all(~0)
        return found._tally

    def _note_all(self, over: int) -> None:
        """Count what was seen in some games from the first action on."""
        self._note(self._seen, over, self._tally.events, self._tally.kinds)
        for rule, bits in self._used.items():
            self._tally.used[rule] += (bits & over).bit_count()

    @staticmethod
    def _note(
        events: dict[Symbol, int], where: int, each: Counter[Symbol], by_name: Counter[str]
    ) -> None:
        """Count in how many of some games events happened, one by one and by their names."""
        named: dict[str, int] = defaultdict(int)
        for event, bits in events.items():
            if bits & where:
                each[event] += (bits & where).bit_count()
                named[event.name] |= bits & where
        by_name.update({name: bits.bit_count() for name, bits in named.items()})


def _part(noted: dict[_T, int], going: Matrix) -> defaultdict[_T, int]:
    """What was noted of some of the games."""
    kept = octets_of(list(noted.values()), len(going))[going]
    return defaultdict(int, zip(noted, planes_of(kept, len(noted)), strict=True))
