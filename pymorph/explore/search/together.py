"""Lines of play that all follow together, by breadth on compiled rules, where nothing else matters
than the positions that they lead to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from clingo import Symbol

from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics import bitsliced
from pymorph.dynamics.asking.proposals import actions_at
from pymorph.dynamics.bits import compiled
from pymorph.explore.perft import layers as layers_module
from pymorph.explore.search.aim import Aim
from pymorph.explore.search.players import TOGETHER, Policies
from pymorph.explore.search.search import PIECE
from pymorph.state.claim import Bound
from pymorph.state.position import Position

if TYPE_CHECKING:
    from pymorph.explore.perft.layers import Layers

WIDE = 300  # positions of a layer from which on compiling the rules takes less than it saves
NARROW = 8  # times as many actions take so long to compile that it is not worth it for a layer
SPECIAL = (("awaited", 3), ("unfolds", 4), ("chance", 5))  # what makes more of a line than actions


class Together:
    """What `Search` finds where all play for the goal, and periods do not count.

    It is *apt* where that is so. It looks beyond at most so many positions. *line* is the shortest
    line to the goal, of several the one whose first actions come first; None, if there is none
    within the bound. *done*: it was looked for here.
    """

    def __init__(self, sides: Policies, start: Position, aim: Aim, bound: Bound, most: int) -> None:
        words, game = start.ruleset.vocabulary, start.ruleset
        special = any(action.told or action.trifling for action in words.actions.values())
        special |= any(any(game.giving("branch", key)) for key in SPECIAL)
        self.eventful = len(aim.claim.parts) == 1 and aim.awaits_event
        events = bool(aim.claim.tracked) and not self.eventful
        self.apt = not (special or events or sides.against != TOGETHER or bound.period)
        self.start = start
        self.aim = aim
        self.bound = bound
        self.most = most
        self.done = self.given_up = self.complete = False
        self.depth = self.positions = self.expanded = 0
        self.line: list[Symbol] | None = None

    def run(self, told: int, wide: int, tell: Callable[[Together], None]) -> bool:
        """Look for a line, where the last layer is *wide* enough for that to be worth the while; is
        it known then whether there is one? *tell* is called where a layer has been looked at, but
        for those of which it was *told*."""
        if not self.apt or wide < WIDE:
            return False
        actions = actions_at(self.start)
        if wide < actions // NARROW or self.most < actions:
            return False
        self.apt = False
        try:
            matters = self.aim.matters if self.eventful else None
            dynamics = bitsliced.BitSliced(compiled.CompiledScene(self.start))
            self._look(layers_module.Layers(dynamics, [self.start], matters), told, tell)
        except Uncompiled:
            return False
        self.done = True
        return True

    def _look(self, layers: Layers, told: int, tell: Callable[[Together], None]) -> None:
        while True:
            self.depth, self.positions = layers.depth, layers.positions
            won = self._won(layers)
            if won:
                self.line = layers.line_to(self.depth, won).actions
                return
            if self.depth > told:
                tell(self)
            if not layers.size or self.depth == self.bound.most:
                self.complete = not layers.size
                return
            begun = range(self.expanded, self.expanded + layers.size, PIECE)
            if begun[-1] >= self.most:
                self.given_up = True
                return
            self.expanded += layers.size
            layers.grow()
            if layers.eventful:
                self.depth = layers.depth
                self.line = self._eventful(layers)
                return

    def _won(self, layers: Layers) -> list[int]:
        """The positions of the last layer in which the goal is met."""
        if self.eventful:
            return []
        fluents = self.aim.plain_fluents
        fits = {fluent: partial(self.aim.may_be, fluent) for fluent in fluents}
        numbers = layers.fitting(fits, self.aim.awaits_end)
        positions = [(layers.position(layers.depth, n), ()) for n in numbers]
        return [n for n, met in zip(numbers, self.aim.met(positions), strict=True) if met]

    def _eventful(self, layers: Layers) -> list[Symbol]:
        """The line to the event that is sought."""
        line = layers.line_to(layers.depth - 1, list(layers.eventful))
        return [*line.actions, layers.eventful[line.end]]
