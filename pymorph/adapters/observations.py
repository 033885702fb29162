"""What a player of a learning environment sees of a node: as a position, a text, a vector."""

from __future__ import annotations

import numpy as np
from clingo import SymbolType
from numpy.typing import NDArray

from pymorph import yamlio
from pymorph.adapters.game_graph import GameGraph, Node
from pymorph.adapters.table import LIMITS
from pymorph.errors import InputError
from pymorph.questions.consistency import as_seen_by
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.position import Position

CONCEALING = (("concealed", 5), ("feigned", 4), ("feigned", 5))


class Observations:
    """What the players of a game see."""

    def __init__(self, graph: GameGraph) -> None:
        self._graph = graph
        self.hides = any(
            any(graph.ruleset.giving("concealed", signature)) for signature in CONCEALING
        )

    def seen(self, node: Node, player: int) -> Position:
        """The position of a node as a player knows it."""
        here = self._graph.at(node)
        return as_seen_by(here, self._graph.players.names[player]) if self.hides else here

    def text(self, node: Node, player: int) -> str:
        """The same in a line, without the name of the game."""
        told = node.seen.get(("text", player if self.hides else None))
        if told is None:
            data = self.seen(node, player).data()
            told = yamlio.flow({key: value for key, value in data.items() if key != "ruleset"})
            node.seen["text", player if self.hides else None] = told
        return str(told)

    def recalled(self, history: list[int], player: int) -> str:
        """All that a player saw and did in a game, by the numbers of its actions from the start: a
        line for each. Where nothing is hidden, that is what everybody did."""
        graph, node, lines = self._graph, self._graph.start, list[str]()
        for number in history:
            if self.hides and [self.text(node, player)] != lines[-1:]:
                lines.append(self.text(node, player))
            if not self.hides or node.player == player:
                lines.append(graph.text(node, number))
            node = graph.follow(node, number)
        return "\n".join([*lines, self.text(node, player)] if self.hides else lines)


class Features:
    """Positions as vectors: for each fluent a 1 at its value, or where numbers have a long range,
    the part of the range. Before them, a 1 at the player who looks.

    >>> from pymorph.adapters.game_graph import graph_of
    >>> graph = graph_of("tictactoe")
    >>> features = Features(graph, Observations(graph))
    >>> features.size, features.vector(graph.start, 0).sum()
    (32, 11.0)
    """

    def __init__(self, graph: GameGraph, observations: Observations) -> None:
        """Raises: InputError, if the values of a fluent cannot be listed, or are too many."""
        self._graph, self._observations = graph, observations
        words, scene = graph.ruleset.vocabulary, graph.position.scene
        self._places: dict[object, int] = {}  # of each fluent with a value
        self._scales: dict[object, tuple[int, int, int]] = {}  # place, least, length of the range
        self.size = len(graph.players.names)
        defaults = []
        for fluent in words.fluents.values():
            for sort in (*fluent.sorts, fluent.value):
                if not words.is_listed(sort, scene):
                    told = f"the fluent {fluent.name} takes any {sort}, and those cannot be listed"
                    raise InputError(f"{graph.ruleset.title} has no vectors: {told}; use its texts")
            sort = words.sorts[fluent.value]
            ranged = sort.kind == "range" and sort.high - sort.low > LIMITS.scaled
            others = (HIDDEN,) if observations.hides else ()
            listed = () if ranged else (fluent.default, *words.members(fluent.value, scene))
            for term in words.typed(fluent, scene):
                if ranged:
                    self._scales[term] = (self.size, sort.low, sort.high - sort.low)
                    self.size += 1
                for value in dict.fromkeys((*listed, *others)):
                    self._places[term, value] = self.size
                    self.size += 1
                defaults.append((term, fluent.default))
            if self.size > LIMITS.values:
                told = f"its fluents have more than {LIMITS.values:,} values"
                raise InputError(f"{graph.ruleset.title} has no vectors: {told}; use its texts")
        self._blank = np.zeros(self.size, np.float32)
        for term, value in defaults:
            self._set(self._blank, term, value, 1.0)

    def _set(self, vector: NDArray[np.float32], fluent: object, value: object, one: float) -> None:
        place = self._places.get((fluent, value))
        if place is not None:
            vector[place] = one
        elif fluent in self._scales and getattr(value, "type", None) == SymbolType.Number:
            place, low, length = self._scales[fluent]
            vector[place] = one * (value.number - low) / length  # type: ignore[attr-defined]

    def vector(self, node: Node, player: int) -> NDArray[np.float32]:
        """What a player sees of a node; not to be changed."""
        known = node.seen.get(player)
        if known is None:
            position = self._observations.seen(node, player)
            vector = self._blank.copy()
            for fluent, value in position.fluents.items():
                self._set(vector, fluent, position.default(fluent), 0.0)
                self._set(vector, fluent, value, 1.0)
            vector[player] = 1.0
            node.seen[player] = known = vector
        assert isinstance(known, np.ndarray)
        return known
