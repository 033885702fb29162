"""A game as a graph of nodes, in each of which one player chooses, or a roll is made: what learning
environments play on. Nodes are remembered, so that nothing is asked of the rules twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import Any

import numpy as np

from pymorph.adapters import table
from pymorph.adapters.table import LIMITS, ActionNumbers, PlayerNumbers
from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics import engine, history
from pymorph.dynamics.asking.legal import legal_of
from pymorph.dynamics.bits.planes import Matrix
from pymorph.dynamics.bitsliced import BitSliced
from pymorph.dynamics.protocol import Endings, Follow, Mask, Moves
from pymorph.errors import InputError, RulesetError
from pymorph.explore.execution.application import apply
from pymorph.state.position import Position
from pymorph.state.position import position as position_of
from pymorph.terms import Term, order, text_of


class Nobody(IntEnum):
    """Who acts where no player does: chance, or nobody because the game is over."""

    CHANCE = -1
    OVER = -4


@dataclass(slots=True, eq=False, repr=False)
class GameNode:
    """A state of a game: whose turn it is, and what *legal* actions have by number; those of a roll
    are numbered in each node from 0, with their *odds*. *rewards* are those of a game that is over.

    *key* is what equal states share; *actions* has the numbers by which the dynamics know the
    actions, and *after* the nodes that are known to follow.
    """

    graph: GameGraph
    key: Hashable
    player: int
    legal: list[int]
    actions: dict[int, int]
    odds: tuple[float, ...] = ()
    rewards: tuple[float, ...] = ()
    after: dict[int, GameNode] = field(default_factory=dict)
    vectors: dict[int, Any] = field(default_factory=dict)  # what each player sees
    texts: dict[int, str] = field(default_factory=dict)

    def __deepcopy__(self, memo: object) -> GameNode:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _node_at, (self.graph, self.key)


NextChoice = tuple[GameNode, int]  # a node, and the number of an action


class GameGraph:
    """The nodes of a game from a position on.

    >>> graph = graph_of("tictactoe")
    >>> graph.players.names, len(graph.numbers.forms), graph.start.legal
    (('x', 'o'), 9, [0, 1, 2, 3, 4, 5, 6, 7, 8])
    >>> node = graph.follow(graph.start, 4)
    >>> graph.text(graph.start, 4), node.player, node.legal
    ('put(x, b2)', 1, [0, 1, 2, 3, 5, 6, 7, 8])
    """

    def __init__(self, position: Position, players: Sequence[str] = ()) -> None:
        """Raises: InputError, if it is no game that can be learnt; UnknownName, if there is no such
        player."""
        table.require_learnable(position)
        self._given = position, players
        begin = apply(history.begun(position)).position
        self.players = PlayerNumbers.of(begin, players)
        self.numbers = ActionNumbers(begin, self.players)
        self.position, self.ruleset = begin, begin.ruleset
        self.dynamics = engine.dynamics_of(begin)
        self._compiled = isinstance(self.dynamics, BitSliced)
        self._known: dict[Hashable, GameNode] = {}
        self._recent: dict[GameNode, tuple[Moves, int]] = {}  # of the last batch
        self._mine: list[tuple[int, int] | None] = []  # by action: the player, the number
        key = self._keys([begin])[0]
        self.start = self.node(key)
        if self._compiled:
            self._explore()

    def __deepcopy__(self, memo: object) -> GameGraph:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _graph_at, self._given

    def node(self, key: Hashable) -> GameNode:
        """The node of a state."""
        return self._nodes([key])[0]

    # -- play ------------------------------------------------------------------------------------

    def follow(self, node: GameNode, number: int) -> GameNode:
        """The node after a legal action. Raises: KeyError, if none has that number."""
        after = node.after.get(number)
        if after is None:
            if len(self._known) > LIMITS.nodes:
                self._forget()
            # A game that is played through once follows one action of a node. A search soon wants
            # all of them, which take little longer than one.
            numbers = [n for n in node.legal if n not in node.after] if node.after else [number]
            self._expand([(node, n) for n in numbers])
            after = node.after[number]
        return after

    def _explore(self) -> None:
        """Find the first nodes, ply by ply, which compiled rules do at next to no cost."""
        pairs = [(self.start, number) for number in self.start.legal]
        while pairs and len(self._known) < LIMITS.ahead:
            known = set(self._known)
            self._expand(pairs)
            new = (node for key, node in self._known.items() if key not in known)
            pairs = [(node, number) for node in new for number in node.legal][: LIMITS.ahead]

    def _expand(self, pairs: Sequence[NextChoice]) -> None:
        """Find the nodes after some actions, which are evaluated together."""
        try:
            keys, moves = self._successors(pairs)
            after = self._nodes(keys, moves)
        except Uncompiled as error:
            raise RulesetError(f"{self.ruleset.title}: {error}") from None
        for (node, number), each in zip(pairs, after, strict=True):
            node.after[number] = each

    def _successors(self, pairs: Sequence[NextChoice]) -> tuple[list[Hashable], Moves | None]:
        """The keys of the states after some actions, and their moves if these are at hand."""
        moves, first = self._recent.get(pairs[0][0], (None, 0)) if len(pairs) == 1 else (None, 0)
        if moves is None:
            rows = self._rows([node.key for node, _ in pairs])
            moves = self.dynamics.states(rows).legal(Follow.ONE)
        chosen: dict[int, Mask] = defaultdict(int)
        for place, (node, number) in enumerate(pairs, first):
            chosen[node.actions[number]] |= 1 << place
        step = moves.step(list(chosen.items()))
        rows = step.rows(np.arange(first, first + len(pairs)))
        if self.ruleset.reads_history:
            return self._followed([node for node, _ in pairs], rows), None
        keys = self._keys_of(rows)
        evaluated = len(pairs) == len(moves.states) == 1 and keys[0] not in self._known
        return keys, step.after.legal(Follow.ONE) if evaluated else None

    def _followed(self, nodes: Sequence[GameNode], rows: Matrix) -> list[Hashable]:
        """The keys of the states of some rows, each as the next one of the game after a node."""
        after = [position.with_history(None) for position in self.dynamics.decode(rows)]
        self._forget_rows()  # or positions would count as those that stood at another time
        pairs = zip(nodes, after, strict=True)
        return self._keys([history.followed(self.at(node), position) for node, position in pairs])

    # -- nodes -----------------------------------------------------------------------------------

    def _nodes(self, keys: Sequence[Hashable], moves: Moves | None = None) -> list[GameNode]:
        """The nodes of some states, new ones evaluated together."""
        new = [key for key in dict.fromkeys(keys) if key not in self._known]
        if new:
            moves = moves or self.dynamics.states(self._rows(new)).legal(Follow.ONE)
            made = self._made(new, moves)
            self._recent = {node: (moves, k) for k, node in enumerate(made)}
            self._known.update(zip(new, made, strict=True))
        return [self._known[key] for key in keys]

    def _made(self, keys: Sequence[Hashable], moves: Moves) -> list[GameNode]:
        legal: list[list[int]] = [[] for _ in keys]
        for action, bits in moves.legal:
            for k in _places(bits):
                legal[k].append(action)
        odds: dict[int, dict[int, float]] = defaultdict(dict)
        for roll in moves.rolls() if moves.rolling else ():
            for action, share, bits in roll.outcomes:
                for k in _places(bits):
                    odds[k][action] = float(share)
        endings = None if all(legal) else moves.endings()
        return [
            self._rolled(key, odds[k])
            if k in odds
            else self._chosen(key, actions)
            if actions
            else self._ended(key, k, endings)
            for k, (key, actions) in enumerate(zip(keys, legal, strict=True))
        ]

    def _rolled(self, key: Hashable, odds: dict[int, float]) -> GameNode:
        """The node of a roll."""
        symbols = self.dynamics.actions.symbols
        outcomes = sorted(odds, key=lambda action: order(symbols[action]))
        actions = dict(enumerate(outcomes))
        return GameNode(
            self, key, Nobody.CHANCE, list(actions), actions, tuple(odds[a] for a in outcomes)
        )

    def _chosen(self, key: Hashable, actions: Sequence[int]) -> GameNode:
        """The node of a choice, of the first player who has one. A single action of somebody who is
        no player is a roll with one outcome. Raises: InputError, if there are several."""
        mine: dict[int, dict[int, int]] = defaultdict(dict)
        for action in actions:
            owned = self._owned(action)
            if owned is not None:
                mine[owned[0]][owned[1]] = action
        if mine:
            player = min(mine)
            return GameNode(self, key, player, sorted(mine[player]), mine[player])
        if len(actions) == 1:
            return self._rolled(key, {actions[0]: 1.0})
        who = Term(self.dynamics.actions.symbols[actions[0]]).actor
        raise InputError(f"{who} can choose among {len(actions)} actions; make {who} a player")

    def _owned(self, action: int) -> tuple[int, int] | None:
        """The player of an action and its number; None, if it is no player's."""
        symbols, players = self.dynamics.actions.symbols, self.players.number_of
        while len(self._mine) < len(symbols):
            symbol = symbols[len(self._mine)]
            player = players.get(Term(symbol).actor)
            self._mine.append(None if player is None else (player, self.numbers.of(symbol)))
        return self._mine[action]

    def _ended(self, key: Hashable, place: int, endings: Endings | None) -> GameNode:
        """The node of a game that is over. Raises: InputError, if play waits for an entry."""
        assert endings is not None
        over = any(bits >> place & 1 for _, bits in endings.over)
        if not over and legal_of([self._position_of(key)])[0].awaited:
            raise table.refusal(self.position, "play waits for an entry")
        winners = [winner for winner, bits in endings.wins if bits >> place & 1]
        rewards = self.players.rewards(winners, bool(endings.drawn >> place & 1))
        return GameNode(self, key, Nobody.OVER, [], {}, (), rewards)

    def _forget(self) -> None:
        """Let go of all nodes but those that are in use."""
        for node in self._known.values():
            node.after.clear()
        self._known, self._recent = {}, {}
        self._forget_rows()

    def _forget_rows(self) -> None:
        """Let go of what the dynamics remember of states."""
        self.dynamics.forget(self.dynamics.encode([]))

    # -- states ----------------------------------------------------------------------------------
    # A state is known by the octets of its row where rules are compiled, or else by its position,
    # with what came before it where rules ask for that.

    def _keys(self, given: Sequence[Position]) -> list[Hashable]:
        if self._compiled:
            return self._keys_of(self.dynamics.encode(given))
        return [(each, each.history.stood if each.history else ()) for each in given]

    def _keys_of(self, rows: Matrix) -> list[Hashable]:
        if self._compiled:
            return [row.tobytes() for row in rows]
        return self._keys(self.dynamics.decode(rows))

    def _rows(self, keys: Sequence[Any]) -> Matrix:
        if self._compiled:
            return np.frombuffer(b"".join(keys), np.uint8).reshape(len(keys), -1)
        return self.dynamics.encode([position for position, _ in keys])

    def _position_of(self, key: Any) -> Position:
        if self._compiled:
            return self.dynamics.decode(self._rows([key]))[0]
        position: Position = key[0]
        return position

    def at(self, node: GameNode) -> Position:
        """The position of a node."""
        return self._position_of(node.key)

    def text(self, node: GameNode, number: int) -> str:
        """The action with a number, as it is written in a node."""
        action = node.actions.get(number)
        if action is None:
            return text_of(self.numbers.forms[number])
        return text_of(self.dynamics.actions.symbols[action])


def _places(bits: Mask) -> Iterator[int]:
    """The places of the bits that are set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def graph_of(game: str | Position, start: str = "", players: Sequence[str] = ()) -> GameGraph:
    """The graph of a game, from its first start, the one that *start* names, or a position. The
    graphs of the last few positions are kept.

    Raises: InputError, if it is no game that can be learnt; UnknownName, if there is no such game,
    start or player.
    """
    position = position_of(game, start) if isinstance(game, str) else game
    return _graph_at(position, tuple(players))


@lru_cache(maxsize=4)
def _graph_at(position: Position, players: tuple[str, ...]) -> GameGraph:
    return GameGraph(position, players)


def _node_at(graph: GameGraph, key: Hashable) -> GameNode:
    return graph.node(key)
