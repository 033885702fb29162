"""Any game as an environment of PettingZoo (AEC): `env("my_game")`."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pymorph.adapters.game_graph import Nobody, graph_of
from pymorph.adapters.observations import observations_of
from pymorph.adapters.table import refusal
from pymorph.runtime.installation import extra

with extra("rl"):
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

Observed = dict[str, NDArray[Any]]


def env(game: str, **given: Any) -> AECEnv:
    """The environment of a game with PettingZoo's usual wrappers; see `GameEnv`."""
    wrapped = wrappers.TerminateIllegalWrapper(GameEnv(game, **given), illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class GameEnv(AECEnv):
    """A game whose players are the agents. The environment makes the rolls, from the seed.

    An observation is what the player sees, as a vector, and its *action_mask*. Rewards are given at
    the end; a game is cut off after *length* actions.
    """

    def __init__(
        self,
        game: str,
        start: str = "",
        players: str = "",
        length: int = 1000,
        render_mode: str | None = None,
    ) -> None:
        """*players* are names with spaces between them, if they are not those that the rules give.

        Raises: InputError, if it is no game that can be learnt; UnknownName, if there is no such
        game, start or player.
        """
        super().__init__()
        self.graph, self.length = graph_of(game, start, players.split()), length
        self.metadata = {
            "name": f"pymorph_{self.graph.ruleset.name}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode, self._dice = render_mode, Random()
        self._seen = observations_of(self.graph)
        if self._seen.refused:
            raise refusal(self.graph.position, self._seen.refused)
        self.possible_agents = list(self.graph.players.names)
        self._actions = len(self.graph.numbers.forms)
        self.action_spaces, self.observation_spaces = {}, {}
        seen = spaces.Box(0.0, 1.0, (self._seen.size,), np.float32)
        mask = spaces.Box(0, 1, (self._actions,), np.int8)
        for player in self.possible_agents:
            self.action_spaces[player] = spaces.Discrete(self._actions)
            self.observation_spaces[player] = spaces.Dict(observation=seen, action_mask=mask)

    def observation_space(self, player: str) -> spaces.Space[Any]:
        return self.observation_spaces[player]

    def action_space(self, player: str) -> spaces.Space[Any]:
        return self.action_spaces[player]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; without a seed, rolls continue from those before."""
        if seed is not None:
            self._dice = Random(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection, self._taken = self.agents[0], 0
        self.node = self.graph.start
        self._go_on()

    def step(self, action: int | None) -> None:
        """Carry out an action by its number, which has to be legal, and the rolls after it."""
        player = self.agent_selection
        if self.terminations[player] or self.truncations[player]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[player] = 0.0
        self.node = self.graph.follow(self.node, int(action))  # type: ignore[arg-type]
        self._taken += 1
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Make the rolls that are due, and see who acts next, or how the game has ended."""
        while self.node.player == Nobody.CHANCE:
            [number] = self._dice.choices(self.node.legal, self.node.odds)
            self.node = self.graph.follow(self.node, number)
        if self.node.player == Nobody.OVER:
            self.rewards = dict(zip(self.agents, self.node.rewards, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._taken >= self.length:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.node.player]
        self.infos = {player: {"action_mask": self._mask(player)} for player in self.agents}

    def _mask(self, player: str) -> NDArray[np.int8]:
        """A 1 for each action that is legal for an player now."""
        mask = np.zeros(self._actions, np.int8)
        going = not (self.terminations.get(player, True) or self.truncations[player])
        if going and player == self.agent_selection:
            mask[self.node.legal] = 1
        return mask

    def observe(self, player: str) -> Observed:
        """What an player sees, and its legal actions."""
        number = self.possible_agents.index(player)
        vector = self._seen.vector(self.node, number).copy()
        return {"observation": vector, "action_mask": self._mask(player)}

    def render(self) -> str:
        """The position in a line."""
        return self.graph.at(self.node).line()

    def close(self) -> None:
        """Nothing is open."""
