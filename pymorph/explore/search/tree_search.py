"""Monte-Carlo tree search: which action is best, by games that are played on at random.

Play is explored in batches: many leaves of the tree are chosen, then their successors are evaluated
together, then a game is played from each, side by side. A node is decided where the rules end the
game there, or where its player can choose a decided win, or only what is decided."""

from __future__ import annotations

import random
import sys
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import inf, log, sqrt
from statistics import mean
from typing import NamedTuple

import numpy as np
from clingo import Symbol

from pymorph.asp.bitslice.bit_program import total
from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics.bits import planes
from pymorph.dynamics.bits.planes import Matrix
from pymorph.dynamics.bitsliced import BitSliced
from pymorph.dynamics.engine import dynamics_of
from pymorph.dynamics.protocol import (
    Dynamics,
    Follow,
    Mask,
    Moves,
    Transitions,
    numbers_in,
)
from pymorph.explore.sampling.playouts import at_random, one_by_one
from pymorph.explore.search.players import sides_of
from pymorph.state.position import Position, table_of
from pymorph.terms import Term


class TreeLimits(NamedTuple):
    """How a tree grows: the weight of what was seldom tried; how many games are played at a time
    at most; after how many visits of the root one more; after how many visits a node gets
    successors. A game is played on for so many *actions*, or until all but a part of those beside
    it have ended. If it has not ended then, the last *looked* actions are compared."""

    curiosity: float
    most: int
    slowly: int
    visits: int
    actions: int
    part: int = 10
    looked: int = 6


COMPILED = TreeLimits(curiosity=0.6, most=384, slowly=4, visits=0, actions=150)
GROUNDED = TreeLimits(curiosity=0.2, most=16, slowly=6, visits=3, actions=8)


class Late(Exception):
    """The time is up."""


class GameResult(NamedTuple):
    """What a game paid, from 0 to 1: some players by name, and all others the *rest*."""

    paid: tuple[tuple[str, float], ...] = ()
    rest: float = 0.5  # as a draw does

    def payoff(self, player: str) -> float:
        """What a player gets."""
        return dict(self.paid).get(player, self.rest)


@dataclass(slots=True, eq=False)
class TreeNode:
    """A state, by its *row*; who chooses there, with successors by action, or the *odds* of a roll.

    *worth* is what those games paid that came here, to the player who chose to. *result* is known
    where the node is decided, in a *distance* of so many actions from the end.
    """

    row: Matrix
    result: GameResult | None = None
    distance: int = 0
    player: str = ""
    odds: list[float] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    successors: list[TreeNode] = field(default_factory=list)
    visits: int = 0
    worth: float = 0.0


class TreeSearch:
    """A search of the best among some *actions* of one player in a position, until a time *end* on
    the monotonic clock. The same seed of the *source* gives the same tree.

    Raises: Uncompiled (all methods), where rules turn out not to compile.
    """

    def __init__(
        self,
        dynamics: Dynamics,
        position: Position,
        actions: Collection[Symbol],
        source: random.Random,
        end: float = inf,
    ) -> None:
        self.dynamics, self.source, self.end = dynamics, source, end
        self._side_of = {m: side for side, members in sides_of(position).items() for m in members}
        self._compiled = isinstance(dynamics, BitSliced)
        self._limits = COMPILED if self._compiled else GROUNDED
        self._heard, self._pause = (
            time.monotonic(),
            0.0,
        )  # when the clock was read; the longest time between
        seed = source.randrange(sys.maxsize)
        self._choose = (
            at_random(np.random.default_rng(seed))
            if self._compiled
            else one_by_one(dynamics, random.Random(seed), None)
        )
        self._players: list[str] = []  # of the actions, by number
        self.root = TreeNode(dynamics.encode([position])[0])
        self._wanted = {dynamics.actions.number(action) for action in actions}

    # -- growing ---------------------------------------------------------------------------------

    def grow(self, games: float = inf) -> None:
        """Play games until so many were played, the time is up, or the root is decided."""
        limits, root = self._limits, self.root
        try:
            self._extend([root])
            self._try_best()
            while root.successors and root.visits < games and not root.result:
                beside = max(len(root.successors), GROUNDED.most) + root.visits // limits.slowly
                self._round(min(beside, limits.most))
                self._try_best()
        except Late:
            return

    def _try_best(self) -> None:
        """See to it that what looks best is not lost with the next action."""
        root = self.root
        while root.successors and not root.result:
            best = max(root.successors, key=lambda each: _rank(each, root.player))
            if best.result or best.successors:
                return
            self._extend([best])
            self._decide(root)

    def ranked(self) -> list[Symbol]:
        """The actions, the best one first."""
        symbols, root = self.dynamics.actions.symbols, self.root
        pairs = zip(root.actions, root.successors, strict=True)
        ranks = {symbols[action]: _rank(node, root.player) for action, node in pairs}
        return sorted(ranks, key=lambda action: ranks[action], reverse=True)

    def _round(self, games: int) -> None:
        """Choose so many leaves, evaluate their successors, and play a game from each."""
        paths = [self._path() for _ in range(games)]
        visits = self._limits.visits
        ends = dict.fromkeys(path[-1] for path in paths)
        self._extend([node for node in ends if not node.result and node.visits > visits])
        for path in paths:
            if path[-1].successors and not path[-1].result:
                path.append(self._chosen(path[-1]))
                path[-1].visits += 1
        played = iter(self._played([path[-1] for path in paths if not path[-1].result]))
        for path in paths:
            result = path[-1].result or next(played)
            for before, node in pairwise(path):
                node.worth += result.payoff(before.player)
        for path in paths:
            for node in reversed(path):
                if node.result is None and not self._decide(node):
                    break

    def _path(self) -> list[TreeNode]:
        """A path from the root to a leaf. Its visits count at once, as if they were lost, so that
        the next path differs."""
        path = [self.root]
        while path[-1].successors and path[-1].result is None:
            path.append(self._chosen(path[-1]))
        for node in path:
            node.visits += 1
        return path

    def _chosen(self, node: TreeNode) -> TreeNode:
        """The successor to look at next: by its odds, or the best by the UCT formula."""
        if node.odds:
            return self.source.choices(node.successors, node.odds)[0]
        best, most = node.successors[0], -inf
        curiosity = self._limits.curiosity * sqrt(log(node.visits + 1))
        for each in node.successors:
            if each.result is not None:
                value = each.result.payoff(node.player)
            elif each.visits == 0:
                return each
            else:
                value = each.worth / each.visits + curiosity / sqrt(each.visits)
            if value > most:
                best, most = each, value
        return best

    def _decide(self, node: TreeNode) -> bool:
        """Is a node decided by its successors? Its player takes a win where there is one, the
        soonest, and puts off a loss."""
        known = [each for each in node.successors if each.result]
        whole = bool(known) and len(known) == len(node.successors)
        if node.odds:
            if not whole or len({each.result for each in known}) > 1:
                return False
            best = max(known, key=lambda each: each.distance)
        else:
            best = max(known, key=lambda each: _rank(each, node.player), default=node)
            if best.result is None or not (whole or best.result.payoff(node.player) == 1):
                return False
        node.result, node.distance = best.result, best.distance + 1
        return True

    # -- states ----------------------------------------------------------------------------------

    def _extend(self, nodes: Sequence[TreeNode]) -> None:
        """Give nodes their successors, all of which are evaluated together."""
        if not nodes:
            return
        self._note_choices(nodes)
        pairs = [(node, action) for node in nodes for action in node.actions]
        if not pairs:
            return
        moves = self._moves([node for node, _ in pairs])
        chosen: dict[int, Mask] = defaultdict(int)
        for place, (_, action) in enumerate(pairs):
            chosen[action] |= 1 << place
        after = moves.step(list(chosen.items())).after
        moves, rows = after.legal(Follow.ONE), after.rows
        made = [TreeNode(row) for row in rows]
        for place, result in self._results(moves, ~moves.open & (1 << len(made)) - 1):
            made[place].result = result
        for (node, _), each in zip(pairs, made, strict=True):
            node.successors.append(each)
        for node in nodes:
            self._decide(node)

    def _note_choices(self, nodes: Sequence[TreeNode]) -> None:
        """Note who chooses at nodes, and among which actions. Where several players may act, the
        first of them chooses before the others."""
        moves = self._moves(nodes)
        legal: list[dict[str, list[int]]] = [defaultdict(list) for _ in nodes]
        for action, bits in moves.legal:
            if nodes[0] is not self.root or action in self._wanted:
                for place in numbers_in(bits, len(nodes)).tolist():
                    legal[place][self._player(action)].append(action)
        for node, choices in zip(nodes, legal, strict=True):
            node.player, node.actions = next(iter(choices.items()), ("", []))
            self.source.shuffle(node.actions)
        for roll in moves.rolls() if moves.rolling else ():
            for place in numbers_in(roll.where, len(nodes)).tolist():
                nodes[place].actions.clear()
            for action, odds, bits in roll.outcomes:
                for place in numbers_in(bits, len(nodes)).tolist():
                    nodes[place].actions.append(action)
                    nodes[place].odds.append(float(odds))

    def _player(self, action: int) -> str:
        """Who chooses an action: a side, or somebody who acts without one."""
        for symbol in self.dynamics.actions.symbols[len(self._players) :]:
            actor = Term(symbol).actor
            self._players.append(self._side_of.get(actor, actor))
        return self._players[action]

    def _moves(self, nodes: Sequence[TreeNode]) -> Moves:
        """The legal actions at some nodes. Raises: Late."""
        if self._is_late():
            raise Late
        return self.dynamics.states(np.stack([node.row for node in nodes])).legal(Follow.ONE)

    def _is_late(self) -> bool:
        """Is the time up, or will it be when the clock is read next?"""
        now = time.monotonic()
        self._pause, self._heard = max(self._pause, now - self._heard), now
        return now + self._pause > self.end

    def _results(self, moves: Moves, over: Mask) -> Iterator[tuple[int, GameResult]]:
        """How the game ended in some states that are *over*, each with its number."""
        if not over:
            return
        size, endings = len(moves.states), moves.endings()
        winners: dict[int, set[str]] = {n: set() for n in numbers_in(over, size).tolist()}
        for winner, bits in endings.wins:
            for number in numbers_in(bits & over, size).tolist():
                winners[number].add(self._side_of.get(str(winner), str(winner)))
        for number, names in winners.items():
            won = tuple((name, 1.0) for name in sorted(names))
            yield number, GameResult(won, 0.0) if won else GameResult()

    def _played(self, nodes: Sequence[TreeNode]) -> list[GameResult]:
        """What a game pays that is played on at random from each of some nodes. If it does not end
        soon, or not in time, that depends on how many actions its players could choose from."""
        results: dict[int, GameResult] = {}
        if not nodes:
            return []
        limits, choices = self._limits, [defaultdict[str, list[int]](list) for _ in nodes]
        moves, places = self._moves(nodes), np.arange(len(nodes))
        for length in range(limits.actions):
            size = len(places)
            for number, result in self._results(moves, ~moves.open & (1 << size) - 1):
                results[int(places[number])] = result
            left = moves.open.bit_count()
            if left <= len(nodes) // limits.part or self._is_late():
                break
            if length >= limits.actions - limits.looked:
                self._note_mobility(moves, places, choices)
            if 2 * left <= size:
                going = numbers_in(moves.open, size)
                moves = self.dynamics.states(moves.states.rows[going]).legal(Follow.ONE)
                places = places[going]
            moves = self._at_random(moves, len(places)).after.legal(Follow.ONE)
        return [results.get(place) or _estimate(choices[place]) for place in range(len(nodes))]

    def _note_mobility(
        self, moves: Moves, places: Matrix, choices: Sequence[dict[str, list[int]]]
    ) -> None:
        """Note how many actions the players of some games can choose from."""
        counts: dict[tuple[int, str], int] = defaultdict(int)
        for action, bits in moves.legal:
            for number in numbers_in(bits & ~moves.rolling, len(places)).tolist():
                counts[int(places[number]), self._player(action)] += 1
        for (place, player), count in counts.items():
            choices[place][player].append(count)

    def _at_random(self, moves: Moves, size: int) -> Transitions:
        """The states after an action at random in each state where one is legal."""
        if not self._compiled:
            return moves.step(self._choose(moves, moves.open, np.zeros(0)))
        numbers = planes.numbers_of(total((1, bits) for _, bits in moves.legal), size)
        return moves.step(self._choose(moves, moves.open, numbers))


@lru_cache(maxsize=8)
def _known_at(_table: object) -> list[Dynamics]:
    """The dynamics that were made for a table."""
    return []


def dynamics_at(position: Position, bit_sliced: bool = True) -> Dynamics:
    """The dynamics of the table of a position, as they were made before if they fit."""
    known = _known_at(table_of(position))
    try:
        if bit_sliced and known:
            known[0].encode([position])
            return known[0]
    except Uncompiled:
        pass
    known[:] = [dynamics_of(position, bit_sliced)]
    return known[0]


def searched(
    world: Position, actions: Collection[Symbol], source: random.Random, end: float, games: float
) -> TreeSearch:
    """A search in a position, on compiled rules if it can be."""
    try:
        tree = TreeSearch(dynamics_at(world), world, actions, source, end)
        tree.grow(games)
    except Uncompiled:
        tree = TreeSearch(dynamics_at(world, bit_sliced=False), world, actions, source, end)
        tree.grow(games)
    tree.dynamics.forget(tree.dynamics.encode([]))
    return tree


def _estimate(choices: Mapping[str, Sequence[int]]) -> GameResult:
    """What a game may pay in which the players could choose among so many actions, time by time:
    those who have more to choose from tend to win."""
    means = {player: mean(counts) for player, counts in choices.items()}
    whole, others = sum(means.values()), len(means) - 1
    paid = [(p, own / (own + (whole - own) / others)) for p, own in means.items() if others]
    return GameResult(tuple(paid))


def _rank(node: TreeNode, player: str) -> tuple[float, ...]:
    """How good it is for a player to choose a node: a decided win, the soonest first; then what
    was tried most; a decided loss, the latest first."""
    gain = node.result.payoff(player) if node.result else None
    if gain == 1:
        return 2, -node.distance
    if gain == 0:
        return 0, node.distance
    return 1, node.visits, node.worth
