"""What a player of a learning environment sees of a node: as a position, a text, a vector."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
from clingo import Function, Symbol, SymbolType
from numpy.typing import NDArray

from pymorph import yamlio
from pymorph.adapters.game_graph import GameGraph, GameNode
from pymorph.adapters.table import LIMITS
from pymorph.questions.consistency import as_seen_by
from pymorph.ruleset.vocabulary import HIDDEN, Fluent
from pymorph.state.position import Position

CONCEALING = (("concealed", 5), ("feigned", 4), ("feigned", 5))
Vector = NDArray[np.float32]


class Observations:
    """What the players of a game see: *hides*, whether they may see different things.

    A vector has a 1 at the player who looks, and for each fluent a 1 at its value; of a long range
    it has the number itself, as a part of the range. Its *size* is 0 if there are none: *refused*
    says why.

    >>> from pymorph.adapters.game_graph import graph_of
    >>> graph = graph_of("tictactoe")
    >>> seen = observations_of(graph)
    >>> seen.size, int(seen.vector(graph.start, 0).sum()), seen.text(graph.start, 0)
    (32, 11, '{turn: x}')
    """

    def __init__(self, graph: GameGraph) -> None:
        self._graph = graph
        self.hides = any(any(graph.ruleset.giving("concealed", key)) for key in CONCEALING)
        self._places: dict[tuple[Symbol, Symbol], int] = {}  # of each fluent with a value
        self._ranges: dict[Symbol, tuple[int, int, int]] = {}  # place, least number, length
        self.size, self.refused, fluents = len(graph.players.names), "", list[Symbol]()
        for fluent in graph.ruleset.vocabulary.fluents.values():
            fluents += self._placed(fluent)
        if self.size > LIMITS.values:
            self.refused = f"its fluents have more than {LIMITS.values:,} values"
        self.size = 0 if self.refused else self.size
        self._blank: Vector = np.zeros(self.size, np.float32)
        for each in fluents if self.size else ():
            self._set(self._blank, each, graph.position.default(each), 1.0)

    def _placed(self, fluent: Fluent) -> list[Symbol]:
        """Give the values of fluents places; returns the fluents."""
        words, scene = self._graph.ruleset.vocabulary, self._graph.position.scene
        for sort in (*fluent.sorts, fluent.value):
            if not words.is_listed(sort, scene):
                self.refused = f"{fluent.name} takes any {sort}, and those cannot be listed"
        if self.refused or self.size > LIMITS.values:
            return []
        range_ = words.sorts[fluent.value]
        scaled = range_.kind == "range" and range_.high - range_.low > LIMITS.scaled
        values = () if scaled else (fluent.default, *words.members(fluent.value, scene))
        values = (*dict.fromkeys(values), *([HIDDEN] if self.hides else []))
        domains = [words.members(sort, scene) for sort in fluent.sorts]
        terms = [Function(fluent.name, list(arguments)) for arguments in product(*domains)]
        for term in terms:
            if scaled:
                self._ranges[term] = (self.size, range_.low, range_.high - range_.low)
                self.size += 1
            self._places |= {(term, value): self.size + k for k, value in enumerate(values)}
            self.size += len(values)
        return terms

    def _set(self, vector: Vector, fluent: Symbol, value: Symbol, one: float) -> None:
        place = self._places.get((fluent, value))
        if place is not None:
            vector[place] = one
        elif fluent in self._ranges and value.type == SymbolType.Number:
            place, low, length = self._ranges[fluent]
            vector[place] = one * (value.number - low) / length

    def seen(self, node: GameNode, player: int) -> Position:
        """The position of a node as a player knows it."""
        here = self._graph.at(node)
        return as_seen_by(here, self._graph.players.names[player]) if self.hides else here

    def vector(self, node: GameNode, player: int) -> Vector:
        """What a player sees of a node; it is not to be changed."""
        known = node.vectors.get(player)
        if known is None:
            known, position = self._blank.copy(), self.seen(node, player)
            for fluent, value in position.fluents.items():
                self._set(known, fluent, position.default(fluent), 0.0)
                self._set(known, fluent, value, 1.0)
            known[player] = 1.0
            node.vectors[player] = known
        return known

    def text(self, node: GameNode, player: int) -> str:
        """The same in a line, without the name of the game."""
        player = player if self.hides else 0
        if player not in node.texts:
            data = self.seen(node, player).data()
            del data["ruleset"]
            node.texts[player] = yamlio.flow(data)
        return node.texts[player]

    def recalled(self, history: list[int], player: int) -> str:
        """All that a player saw and did in a game, by the numbers of its actions from the start: a
        line for each. Where nothing is hidden, that is what everybody did."""
        graph, node, lines = self._graph, self._graph.start, list[str]()
        for number in history:
            if self.hides and self.text(node, player) not in lines[-1:]:
                lines.append(self.text(node, player))
            if not self.hides or node.player == player:
                lines.append(graph.text(node, number))
            node = graph.follow(node, number)
        return "\n".join([*lines, self.text(node, player)] if self.hides else lines)


@lru_cache(maxsize=4)
def observations_of(graph: GameGraph) -> Observations:
    """What the players see of the nodes of a graph."""
    return Observations(graph)
