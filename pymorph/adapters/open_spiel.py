"""Any game as a Python game of OpenSpiel: `game("my_game")`, or
`pyspiel.load_game("pymorph(game=my_game)")` once this module is imported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pymorph.adapters.game_graph import Nobody, graph_of
from pymorph.adapters.observations import observations_of
from pymorph.adapters.table import most_outcomes
from pymorph.runtime.installation import extra

with extra("rl"):
    import pyspiel

NAME = "pymorph"
PARAMETERS = {"game": "", "start": "", "players": "", "length": 1000}


def game(name: str, start: str = "", players: str = "", length: int = 1000) -> pyspiel.Game:
    """A game of OpenSpiel, from the start of a ruleset, or the one that *start* names.

    *players* are names with spaces between them, if they are not those that the rules give; a game
    is drawn after *length* actions of theirs.
    Raises: InputError, if it is no game that can be learnt; UnknownName, if there is no such one.
    """
    return RefereedGame({"game": name, "start": start, "players": players, "length": length})


def _type_of(
    title: str, players: int = 0, hides: bool = True, rolls: bool = True, vectors: bool = True
) -> pyspiel.GameType:
    """What kind of game it is; with no number of players, any."""
    kinds = pyspiel.GameType
    chance, information = kinds.ChanceMode, kinds.Information
    return kinds(
        short_name=NAME,
        long_name=title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if rolls else chance.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION if hides else information.PERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM if players == 1 else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=players or 100,
        min_num_players=players or 1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=vectors,
        parameter_specification=PARAMETERS,
        default_loadable=False,
    )


class RefereedGame(pyspiel.Game):
    """A game whose rules are a ruleset."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        graph = graph_of(given["game"], given["start"], given["players"].split())
        self.graph, self.length = graph, given["length"]
        self.observations = observations_of(graph)
        count, outcomes = len(graph.players.names), most_outcomes(graph.position)
        outcomes = outcomes or bool(given["players"])  # others may have single actions
        seen = self.observations
        kind = _type_of(graph.ruleset.title, count, seen.hides, outcomes > 0, seen.size > 0)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(graph.numbers.forms),
            max_chance_outcomes=outcomes,
            num_players=count,
            min_utility=-1.0 if count == 1 else 1.0 - count,
            max_utility=1.0,
            utility_sum=None if count == 1 else 0.0,
            max_game_length=self.length,
        )
        super().__init__(kind, info, params or {})

    def new_initial_state(self) -> RefereedState:
        return RefereedState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> StateObserver:
        """What observes states; see `pyspiel.Game.make_py_observer`."""
        if params:
            raise ValueError(f"an observer takes no parameters, such as {params}")
        return StateObserver(self, bool(kind and kind.perfect_recall))


class RefereedState(pyspiel.State):
    """A state of a game: a node of its graph, and how many actions of players led here."""

    def __init__(self, game: RefereedGame) -> None:
        super().__init__(game)
        self._graph, self._length = game.graph, game.length
        self.node, self._taken = game.graph.start, 0

    def current_player(self) -> int:
        return Nobody.OVER if self._taken >= self._length else self.node.player

    def is_terminal(self) -> bool:
        return self.node.player == Nobody.OVER or self._taken >= self._length

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(enumerate(self.node.odds))

    def _apply_action(self, action: int) -> None:
        self._taken += self.node.player >= 0
        self.node = self._graph.follow(self.node, action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self._graph.text(self.node, action)

    def returns(self) -> list[float]:
        return list(self.node.rewards) or [0.0] * len(self._graph.players.names)

    def __str__(self) -> str:
        return self._graph.at(self.node).line()


class StateObserver:
    """What a player sees of a state: its position, or all that the player saw and did so far."""

    def __init__(self, game: RefereedGame, recalls: bool) -> None:
        self._seen, self._recalls = game.observations, recalls
        size = 0 if recalls else game.observations.size
        self.tensor = np.zeros(size, np.float32) if size else None
        self.dict = {"observation": self.tensor} if size else {}

    def set_from(self, state: RefereedState, player: int) -> None:
        """Fill the tensor."""
        if self.tensor is not None:
            self.tensor[:] = self._seen.vector(state.node, player)

    def string_from(self, state: RefereedState, player: int) -> str:
        """What the player sees, as a text."""
        if self._recalls:
            return self._seen.recalled(state.history(), player)
        return self._seen.text(state.node, player)


pyspiel.register_game(_type_of("a game refereed by pymorph"), RefereedGame)
