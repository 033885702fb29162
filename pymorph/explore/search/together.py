"""Lines of play that all follow together, by breadth on compiled rules, where nothing else matters
than the positions that they lead to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from clingo import Symbol

from pymorph.dynamics import bitsliced, engine
from pymorph.dynamics.asking.proposals import actions_at
from pymorph.dynamics.bits import compiled
from pymorph.explore.perft import layers as layers_module
from pymorph.explore.search.players import TOGETHER
from pymorph.explore.search.search import LIMITS, Search

if TYPE_CHECKING:
    from pymorph.explore.perft.layers import BreadthFirst

WIDE = 300  # positions of a layer from which on compiling the rules takes less than it saves
NARROW = 8  # times as many actions take so long to compile that it is not worth it for a layer
SPECIAL = (("awaited", 3), ("unfolds", 4), ("chance", 5))  # what makes more of a line than actions


class CooperativeSearch:
    """What `Search` finds where all play for the goal, and periods do not count.

    It is *apt* where that is so. It looks beyond at most so many positions. *line* is the shortest
    line to the goal, of several the one whose first actions come first; None, if there is none
    within the bound. *done*: it was looked for here.
    """

    def __init__(self, search: Search) -> None:
        self.start = search.nodes[0].key.position
        self.goal, self.bound, self.most = search.goal, search.bound, search.most
        words, game = search.words, self.start.ruleset
        apart = search.adversary.against != TOGETHER or self.bound.period
        special = any(action.told or action.trifling for action in words.actions.values())
        special |= any(any(game.giving("branch", key)) for key in SPECIAL)
        self.eventful = len(self.goal.claim.parts) == 1 and self.goal.awaits_event
        events = bool(self.goal.claim.tracked) and not self.eventful
        self.apt = not (special or events or apart)
        self.done = self.given_up = self.complete = False
        self.depth = self.positions = self.expanded = 0
        self.line: list[Symbol] | None = None

    def run(self, told: int, wide: int, tell: Callable[[CooperativeSearch], None]) -> bool:
        """Look for a line, where the last layer is *wide* enough for that to be worth the while; is
        it known then whether there is one? *tell* is called where a layer has been looked at, but
        for those of which it was *told*."""
        if not self.apt or wide < WIDE:
            return False
        actions = actions_at(self.start)
        if wide < actions // NARROW or self.most < actions:
            return False
        self.apt = False
        self.done = bool(engine.attempted(partial(self._look, told, tell)))
        return self.done

    def _look(self, told: int, tell: Callable[[CooperativeSearch], None]) -> bool:
        """Look for a line; it was done then. Raises: Uncompiled."""
        matters = self.goal.matters if self.eventful else None
        dynamics = bitsliced.BitSliced(compiled.CompiledScene(self.start))
        layers = layers_module.BreadthFirst(dynamics, [self.start], matters)
        while True:
            self.depth, self.positions = layers.depth, layers.positions
            won = self._won(layers)
            if won:
                self.line = layers.line_to(self.depth, won).actions
                return True
            if self.depth > told:
                tell(self)
            if not layers.size or self.depth == self.bound.most:
                self.complete = not layers.size
                return True
            begun = range(self.expanded, self.expanded + layers.size, LIMITS.piece)
            if begun[-1] >= self.most:
                self.given_up = True
                return True
            self.expanded += layers.size
            layers.grow()
            if layers.eventful:
                self.depth = layers.depth
                line = layers.line_to(layers.depth - 1, list(layers.eventful))
                self.line = [*line.actions, layers.eventful[line.end]]
                return True

    def _won(self, layers: BreadthFirst) -> list[int]:
        """The positions of the last layer in which the goal is met."""
        if self.eventful:
            return []
        fluents = self.goal.plain_fluents
        fits = {fluent: partial(self.goal.may_be, fluent) for fluent in fluents}
        numbers = layers.fitting(fits, self.goal.awaits_end)
        positions = [(layers.position(layers.depth, n), ()) for n in numbers]
        return [n for n, met in zip(numbers, self.goal.met(positions), strict=True) if met]
