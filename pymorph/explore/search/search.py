"""Lines of play by breadth: positions kept once, layer by layer, won or not by what follows."""

from __future__ import annotations

import heapq
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from clingo import Symbol

from pymorph.dynamics import bitsliced, engine
from pymorph.dynamics.asking.legal import actions_at
from pymorph.dynamics.bits import compiled
from pymorph.dynamics.carrying import Trajectory
from pymorph.dynamics.transitions import NodeExpander
from pymorph.explore.perft import layers
from pymorph.explore.search.players import TOGETHER, AdversaryModel, Continuation, Goal, NodeKey
from pymorph.state.claim import Bound
from pymorph.state.position import Position
from pymorph.terms import order


class SearchLimits(NamedTuple):
    """How far a search goes, at most."""

    by_rote: int = 60  # actions of a line along which nobody chooses
    alike: int = 4  # times in a row that one of the others takes an action, if there is another
    piece: int = 250  # nodes that are expanded together


LIMITS = SearchLimits()
WIDE = 300  # positions of a layer from which on compiling the rules takes less than it saves
NARROW = 8  # times as many actions take so long to compile that it is not worth it for a layer
SPECIAL = (("awaited", 3), ("unfolds", 4), ("chance", 5))  # what makes more of a line than actions


class Edge(NamedTuple):
    """An action taken at a node: where it leads, and whether it is a decision (1) or a roll (0)."""

    action: Symbol
    ours: bool
    target: int
    cost: int
    leg: Trajectory


@dataclass(slots=True)
class SearchNode:
    """A position on the way: is the goal met there, or out of reach, and was it looked beyond?

    *before* is a node that leads to it; *held_back*: the others may stall there, and do not.
    """

    key: NodeKey
    depth: int
    before: int = 0
    edges: list[Edge] = field(default_factory=list)
    won: bool = False
    lost: bool = False
    expanded: bool = False
    held_back: bool = False

    @property
    def open(self) -> bool:
        """Is there more to be looked for beyond it?"""
        return not (self.won or self.lost or self.expanded)


@dataclass
class Search:
    """A search from one position, a layer of decisions at a time.

    The *expander* expands up to *most* positions; then the search has *given_up*. With *waiting*,
    who plays for the goal may wait, and the others have to act then.
    """

    start: NodeKey
    goal: Goal
    adversary: AdversaryModel
    bound: Bound
    most: int
    expander: NodeExpander
    waiting: bool = False
    depth: int = 0
    complete: bool = True
    given_up: bool = False
    left_out: set[str] = field(default_factory=set)  # the rules by which nodes were not expanded
    needless: set[str] = field(default_factory=set)  # actions on which nothing depends, not taken
    waits: dict[int, tuple[Symbol, ...]] = field(default_factory=dict)  # entries awaited at nodes

    def __post_init__(self) -> None:
        self.nodes = [SearchNode(self.start, 0)]
        self._numbers = {self.start: 0}
        self._frontier = [0]

    def with_waiting(self) -> Search:
        """The same search, in which who plays for the goal may wait."""
        question = (self.start, self.goal, self.adversary, self.bound)
        return Search(*question, self.most + self.expander.looked, self.expander, True)

    def run(
        self,
        on_layer: Callable[[Search], None],
        quicker: Callable[[int, int], bool] = lambda *_: False,
    ) -> Solution | None:
        """The quickest way to the goal, counted by its decisions at worst; None within the bound,
        or where all was found *quicker*, from a layer of so many nodes on.

        A way that is longer than the layers so far has to wait: in one of those between there may
        be a quicker one.
        """
        while True:
            self._make_rolls()
            if self.given_up:
                self.depth -= 1
                return None
            won = [n for n, node in enumerate(self.nodes) if node.won]
            solution = self.solved(won, lambda edge: edge.ours) if won else None
            going = self._within([n for n in self._frontier if self.nodes[n].open])
            most = sys.maxsize if self.bound.period else self.bound.most
            if solution is not None and solution.at_worst[0] <= (self.depth if going else most):
                return solution
            on_layer(self)
            if not going or self.depth == most:
                self.complete = self.complete and not going and solution is None
                return None
            if quicker(self.depth, len(going)):
                return None
            self.depth += 1
            self._frontier = self._expand(going, 1)

    @property
    def positions(self) -> int:
        """How many different positions there are in the layers that have been looked at."""
        return len({node.key.position for node in self.nodes if node.depth <= self.depth})

    @property
    def expanded(self) -> int:
        """Of how many positions every action was carried out."""
        return self.expander.looked

    def solved(self, won: Iterable[int], ours: Callable[[Edge], bool]) -> Solution | None:
        """The nodes from which *won* ones can be reached whatever the other side does.

        A node is won if every action of the other side leads to won nodes and, where *ours* has
        actions, one of these does. Nodes are settled in the order of the decisions that it takes
        at worst, so each is settled for the least. Where one side may wait, what the other does
        has to lead to won nodes, or, once it has done something, one of its own actions.
        """
        above: dict[int, list[tuple[int, Edge]]] = defaultdict(list)
        left = [0] * len(self.nodes)  # how much has to lead to settled nodes still
        free: set[int] = set()  # nodes at which it may wait
        for number, node in enumerate(self.nodes):
            for edge in node.edges:
                above[edge.target].append((number, edge))
            theirs = sum(not ours(e) for e in node.edges)
            if self.waiting and 0 < theirs < len(node.edges):
                free.add(number)
            left[number] = theirs + (len(node.edges) > theirs and number not in free)
        at_worst: dict[int, int] = {}
        chosen: set[int] = set()
        pending = [(0, number) for number in won]
        while pending:
            cost, number = heapq.heappop(pending)
            if number in at_worst:
                continue
            at_worst[number] = cost
            for before, edge in above[number]:
                if ours(edge) and before in chosen:
                    continue
                chosen |= {before} if ours(edge) else set()
                enough = before in free and ours(edge)
                if enough and not self.nodes[before].key.waited:
                    continue
                left[before] -= 1
                if enough or not left[before]:
                    heapq.heappush(pending, (cost + edge.cost, before))
        return Solution(self.nodes, at_worst, ours) if 0 in at_worst else None

    def by_rote(self) -> list[Edge]:
        """The line from the first node on along which nobody chooses, until the goal is lost."""
        edges: list[Edge] = []
        key = self.nodes[0].key
        while not self.goal.lost(key.seen) and len(edges) < LIMITS.by_rote:
            [legs] = self.expander.expand([key.position])
            rolling = self.expander.moves_at(key.position).rolls
            way = None if rolling else self.adversary.by_rote(key, list(legs))
            if way is None:
                return []
            leg = legs[way.action]
            key = self._after(key, way, leg, 1)
            edges.append(Edge(way.action, way.ours, 0, 1, leg))
        return edges if self.goal.lost(key.seen) else []

    def _within(self, numbers: list[int]) -> list[int]:
        """Those of the nodes beyond which the goal may be met before too many periods have ended.

        What is left out has no part in a line within the bound: too many of them end before any
        step that could bring the goal about, whatever is done until then.
        """
        period, most = self.bound.period, self.bound.most
        if not period:
            return numbers
        nodes = [self.nodes[number].key for number in numbers]
        off = self.goal.far_off([(key.position, key.seen) for key in nodes], period)
        kept = []
        for number, key, (more, rule) in zip(numbers, nodes, off, strict=True):
            if key.ended + more < most:
                kept.append(number)
            elif key.ended < most:
                self.left_out.add(rule)
        self.complete = self.complete and len(kept) == len(numbers)
        return kept

    def _make_rolls(self) -> None:
        """Judge the nodes of this layer, and those that rolls lead to from there."""
        new, layer = self._frontier, []
        while new and not self.given_up:
            nodes = [self.nodes[number] for number in new]
            for node in nodes:
                node.lost = self.goal.lost(node.key.seen)
                if self.bound.period and node.key.ended > self.bound.most:
                    node.lost, self.complete = True, False
            going = [node for node in nodes if not node.lost]
            answers = self.goal.met([(node.key.position, node.key.seen) for node in going])
            for node, met in zip(going, answers, strict=True):
                node.won = met
            layer += new
            # A roll that is due comes about even where the last period has just ended.
            waiting = [n for n in new if not (self.nodes[n].won or self.nodes[n].lost)]
            rolls = self.expander.rolls([self.nodes[n].key.position for n in waiting])
            new = self._expand([n for n, due in zip(waiting, rolls, strict=True) if due], 0)
        self._frontier = layer

    def _expand(self, numbers: Sequence[int], cost: int) -> list[int]:
        """Take every action at some nodes; the numbers of the nodes that are new."""
        new: list[int] = []
        for first in range(0, len(numbers), LIMITS.piece):
            if self.expander.looked >= self.most:
                self.given_up = True
                break
            self._expand_piece(numbers[first : first + LIMITS.piece], cost, new)
        return new

    def _expand_piece(self, numbers: Sequence[int], cost: int, new: list[int]) -> None:
        nodes = [self.nodes[number] for number in numbers]
        positions = list(dict.fromkeys(node.key.position for node in nodes))
        legs = dict(zip(positions, self.expander.expand(positions), strict=True))
        keys = [node.key for node in nodes]
        if cost:
            ways = self.adversary.ways(keys, [list(legs[key.position]) for key in keys])
        else:
            rolls = [self.expander.moves_at(key.position).rolls for key in keys]
            ways = [self.adversary.ways_of_rolls(*pair) for pair in zip(keys, rolls, strict=True)]
        for number, node, row in zip(numbers, nodes, ways, strict=True):
            node.expanded = True
            here = legs[node.key.position]
            awaited = self.expander.moves_at(node.key.position).awaited
            if awaited and not row:
                self.waits[number] = awaited
            row = self._without_needless(node.key.position, row, here) if cost else row
            for way in self._without_stalling(number, row, here) if cost else row:
                leg = here[way.action]
                key = self._after(node.key, way, leg, cost)
                target = self._numbers.get(key)
                if target is None:
                    target = self._numbers[key] = len(self.nodes)
                    self.nodes.append(SearchNode(key, self.depth, number))
                    new.append(target)
                node.edges.append(Edge(way.action, way.ours, target, cost, leg))

    def _without_stalling(
        self, number: int, ways: list[Continuation], legs: Mapping[Symbol, Trajectory]
    ) -> list[Continuation]:
        """The ways but those by which the others only keep who plays for the goal waiting.

        Where that one may act, the others act once before it does. Where not, they take no action
        for the fifth time in a row if they may do something else. They never go back to a position
        of that row. Whatever the goal, they could put it off for ever else. Nor is that one kept
        from waiting for them by what it could do and what changes nothing.
        """
        node = self.nodes[number]
        theirs = [way for way in ways if not way.ours]
        if not theirs or not self.adversary.at_will:
            return ways
        key = node.key
        own = [way for way in ways if way.ours and self._moves_on(key, legs[way.action])]
        been = {key.position}
        at = number
        while self.nodes[at].key.row:
            at = self.nodes[at].before
            been.add(self.nodes[at].key.position)

        def stalls(way: Continuation) -> bool:
            leg = legs[way.action]
            if not leg.ended and leg.after in been and not self._notable(key, leg):
                return True
            once = own and not self.waiting
            return key.waited if once else key.row.count(way.action) >= LIMITS.alike

        playing = [way for way in theirs if not stalls(way)]
        if not own and not playing:
            playing = theirs
        node.held_back = len(playing) < len(theirs)
        return own + [way._replace(waits=bool(own)) for way in playing]

    def _without_needless(
        self, position: Position, ways: list[Continuation], legs: Mapping[Symbol, Trajectory]
    ) -> list[Continuation]:
        """The ways but those that can be left out, if there are others."""
        kept, needless = [], set()
        for way in ways:
            if self.goal.needless(way.action, position, legs[way.action]):
                needless.add(way.action.name)
            else:
                kept.append(way)
        if not kept:
            return ways
        self.needless |= needless
        return kept

    def _moves_on(self, key: NodeKey, leg: Trajectory) -> bool:
        return leg.after != key.position or self._notable(key, leg)

    def _notable(self, key: NodeKey, leg: Trajectory) -> bool:
        """Does it bring about an event that counts for the goal?"""
        return self.goal.noted(key.seen, leg.noted(self.goal.matters)) != key.seen

    def _after(self, key: NodeKey, way: Continuation, leg: Trajectory, cost: int) -> NodeKey:
        seen = self.goal.noted(key.seen, leg.noted(self.goal.matters))
        period = self.bound.period
        over = leg.ended
        ended = key.ended + (over.count(period) if period else 0)
        row, since = key.row, key.since
        if way.ours or over:
            return NodeKey(leg.after, seen, ended, way.taken, way.made)
        if cost and self.adversary.at_will:
            row, since = tuple(sorted((*row, way.action))), since or key.position
        waited = key.waited or way.waits
        return NodeKey(leg.after, seen, ended, way.taken, way.made, row, since, waited)


@dataclass(frozen=True, slots=True)
class Solution:
    """The nodes from which a side can bring about what it wants, with its decisions at worst."""

    nodes: Sequence[SearchNode]
    at_worst: dict[int, int]
    ours: Callable[[Edge], bool]

    def best(self, number: int) -> Edge | None:
        """What the side does at a node, if it has to do anything."""
        own = [e for e in self.nodes[number].edges if self.ours(e) and e.target in self.at_worst]
        return min(own, key=lambda e: (self._cost(e), order(e.action)), default=None)

    def replies(self, number: int) -> list[Edge]:
        """What the other side may do at a node, sorted."""
        found = [edge for edge in self.nodes[number].edges if not self.ours(edge)]
        return sorted(found, key=lambda edge: order(edge.action))

    def line(self) -> Iterator[Edge]:
        """The line along which it takes longest, from the first node."""
        number = 0
        while True:
            best, replies = self.best(number), self.replies(number)
            worst = max(replies, key=lambda e: (self._cost(e), e.cost), default=None)
            if worst is not None and (best is None or self._cost(worst) > self._cost(best)):
                edge = worst
            elif best is not None:
                edge = best
            else:
                return
            yield edge
            number = edge.target

    def reached(self) -> list[int]:
        """The nodes that may come about where the side plays so, the first one first."""
        found = {0: None}
        pending = [0]
        for number in pending:
            for edge in self.next_of(number):
                if edge.target not in found:
                    found[edge.target] = None
                    pending.append(edge.target)
        return list(found)

    def next_of(self, number: int) -> list[Edge]:
        """What may come next at a node where the side plays so."""
        best = self.best(number)
        return [*([best] if best is not None else []), *self.replies(number)]

    def _cost(self, edge: Edge) -> int:
        return self.at_worst[edge.target] + edge.cost


class CooperativeSearch:
    """What `Search` finds where all play for the goal, and periods do not count.

    It is *apt* where that is so. It looks beyond at most so many positions. *line* is the shortest
    line to the goal, of several the one whose first actions come first; None, if there is none
    within the bound. *done*: it was looked for here.
    """

    def __init__(self, search: Search) -> None:
        self.start = search.nodes[0].key.position
        self.goal, self.bound, self.most = search.goal, search.bound, search.most
        game = self.start.ruleset
        apart = search.adversary.against != TOGETHER or self.bound.period
        special = any(action.told or action.trifling for action in game.vocabulary.actions.values())
        special |= any(any(game.giving("branch", key)) for key in SPECIAL)
        parts = self.goal.claim.parts
        self.eventful = len(parts) == 1 and parts[0].kind == "happens" and parts[0].positive
        self.apt = not (special or (bool(self.goal.claim.tracked) and not self.eventful) or apart)
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
        play = layers.BreadthFirst(dynamics, [self.start], matters)
        while True:
            self.depth, self.positions = play.depth, play.positions
            won = self._won(play)
            if won:
                self.line = play.line_to(self.depth, won).actions
                return True
            if self.depth > told:
                tell(self)
            if not play.size or self.depth == self.bound.most:
                self.complete = not play.size
                return True
            begun = range(self.expanded, self.expanded + play.size, LIMITS.piece)
            if begun[-1] >= self.most:
                self.given_up = True
                return True
            self.expanded += play.size
            play.grow()
            if play.eventful:
                self.depth = play.depth
                line = play.line_to(play.depth - 1, list(play.eventful))
                self.line = [*line.actions, play.eventful[line.end]]
                return True

    def _won(self, play: layers.BreadthFirst) -> list[int]:
        """The positions of the last layer in which the goal is met."""
        if self.eventful:
            return []
        fits = {fluent: partial(self.goal.may_be, fluent) for fluent in self.goal.plain_fluents}
        over = any(part.kind == "outcome" and part.positive for part in self.goal.claim.here)
        numbers = play.fitting(fits, over)
        positions = [(play.position(play.depth, n), ()) for n in numbers]
        return [n for n, met in zip(numbers, self.goal.met(positions), strict=True) if met]
