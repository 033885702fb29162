"""Random games on compiled rules, thousands side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from pymorph.queries.compiled import CompiledScene, Matrix, packed
from pymorph.queries.compiled_steps import CompiledSteps, LegalLayer, joined
from pymorph.terms import Term

if TYPE_CHECKING:
    from clingo import Symbol

    from pymorph.queries.tally import Tally
    from pymorph.state.position import Position

SIDE_BY_SIDE = 1 << 13  # games


def play_compiled(
    start: Position,
    games: int,
    seed: int,
    most: int,
    tally: Tally,
    told: Callable[[int, int], None],
) -> None:
    """Play games from a position at random, and put what was seen into the tally.

    Raises: Uncompiled, where the rules cannot be, or bring about what they must not.
    """
    scene = CompiledScene(start)
    source = np.random.default_rng(seed)
    first = scene.rows_of([start])
    while tally.games < games:
        number = min(games - tally.games, SIDE_BY_SIDE)
        Playout(scene, np.repeat(first, number, axis=1), source, tally).play(most, told)


class Playout:
    """So many games from the positions of a matrix on."""

    def __init__(
        self, scene: CompiledScene, rows: Matrix, source: np.random.Generator, tally: Tally
    ) -> None:
        self._scene = scene
        self._steps = CompiledSteps(scene)
        self._rows = rows
        self._source = source
        self._tally = tally
        self._names = np.arange(rows.shape[1])  # the games that go on
        self._seen: dict[Symbol, Matrix] = defaultdict(lambda: np.zeros(rows.shape[1], bool))
        self._actors = np.full(rows.shape[1], "", object)  # whose the last action was
        self._happened: dict[Symbol, Matrix] = {}  # with the last action, in which games

    def play(self, most: int, told: Callable[[int, int], None]) -> None:
        """Carry all games on to their ends, or for so many actions."""
        number = len(self._names)
        for length in range(most + 1):
            options = self._steps.options(self._rows)
            going = self._end(options, length)
            if not going.any() or length == most:
                self._names = self._names[going]
                break
            self._step(options, going)
            told(self._tally.games + number - len(self._names), self._tally.positions)
        self._tally.games += number
        kinds: dict[str, Matrix] = {}
        for event, seen in self._seen.items():
            self._tally.events[event] += int(seen.sum())
            kinds[event.name] = kinds.get(event.name, np.zeros_like(seen)) | seen
        self._tally.kinds.update({name: int(seen.sum()) for name, seen in kinds.items()})

    def _end(self, options: LegalLayer, length: int) -> Matrix:
        """Note the games in which nothing may be done, and which of them go on."""
        some = 0
        for _, legal in options.legal:
            some |= legal
        going = options.truth.where(some)
        over = ~going
        number = int(over.sum())
        if not number:
            return going
        self._tally.finished += number
        self._tally.lengths[length] += number
        ended = self._names[over]
        for rule, literals in self._scene.over.items():
            here = options.truth.where(options.truth.any_of(literals)) & over
            actors, times = np.unique(self._actors[self._names[here]], return_counts=True)
            for actor, number_of in zip(actors, times, strict=True):
                self._tally.over[rule, str(actor)] += int(number_of)
        kinds: dict[str, Matrix] = {}
        for event, names in self._happened.items():
            here = np.intersect1d(names, ended)
            if len(here):
                self._tally.endings[event] += len(here)
                kinds[event.name] = np.union1d(kinds.get(event.name, here[:0]), here)
        self._tally.ending_kinds.update({name: len(each) for name, each in kinds.items()})
        return going

    def _step(self, options: LegalLayer, going: Matrix) -> None:
        """Choose an action for each of the games that go on, and carry it out."""
        truth = options.truth
        table = np.array([truth.where(legal) for _, legal in options.legal])
        picked = np.where(going, self._pick(options, table, going), -1)
        happened: dict[Symbol, list[Matrix]] = defaultdict(list)
        names = self._names

        def heard(event: Symbol, origin: Matrix) -> None:
            happened[event].append(names[origin])
            self._seen[event][names[origin]] = True

        self._steps.heard = heard
        walks = []
        for number, (action, _) in enumerate(options.legal):
            chosen = picked == number
            if chosen.any():
                self._tally.taken[action.symbol.name] += int(chosen.sum())
                self._actors[names[chosen]] = Term(action.symbol).actor
                walks.append(self._steps.carry_out(options, action, packed(chosen)))
        self._steps.heard = None
        after = joined(walks)
        self._rows, self._names = after.rows, names[after.origin]
        self._happened = {event: np.concatenate(rows) for event, rows in happened.items()}

    def _pick(self, options: LegalLayer, table: Matrix, going: Matrix) -> Matrix:
        """The number of the action that each of the games goes on with."""
        rolling = options.truth.where(options.rolling)
        weights = table.astype(float)
        if rolling.any():
            weights[:, rolling] = self._steps.odds(options)[:, rolling]
        free = table[:, going & ~rolling]
        self._tally.chosen_among(free.sum(axis=0).tolist())
        offered: dict[str, Matrix] = {}
        for (action, _), row in zip(options.legal, free, strict=True):
            name = action.symbol.name
            offered[name] = offered.get(name, np.zeros_like(row)) | row
        self._tally.offered.update(
            {name: int(row.sum()) for name, row in offered.items() if row.any()}
        )
        sums = weights.cumsum(axis=0)
        thrown = self._source.random(table.shape[1]) * sums[-1]
        picked: Matrix = (sums > thrown).argmax(axis=0)
        return picked
