"""What a program may ask of a graph while it is grounded: what is reached, and by which ways."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from functools import lru_cache
from heapq import heappop, heappush

from clingo import Function, Number, Supremum, Symbol, SymbolType

from pymorph.terms import sorted_symbols, text_of

CallResult = Symbol | list[Symbol]
WaysByPlace = Mapping[
    int, tuple[int, int, tuple[int, ...]]
]  # to each place: its cost, its steps, the way

GRAPH_FUNCTIONS: frozenset[str] = frozenset({"nearby/3", "shortest/3", "chains/4"})
HIGHEST = 2**31 - 1
MOST_CHAINS = 10_000  # ways without a place twice that one question may have
MOST_STEPS = 500_000  # steps that are tried for them


class GraphError(RuntimeError):
    """What a graph cannot be asked; the grounder passes it on, and the rules do not ground."""


class Graphs:
    """The functions that encodings call on a graph, by the names in `GRAPH_FUNCTIONS`.

    A graph is the term L of ``graph(G, L, S)``. What is no graph, no place of one that an edge
    leads to, or no number has no answer. Of several edges from one place to another the cheapest
    counts. Raises: GraphError, if an edge costs less than 0, a way more than a number of clingo
    holds, or there are too many chains.
    """

    def nearby(self, graph: Symbol, place: Symbol, limit: Symbol) -> CallResult:
        """A pair (Q, N) for each place Q that edges lead to at a cost N of no more than the limit.

        The place itself is among them at 0. A limit of ``#sup`` is none.
        """
        found, most = _read(graph), _most(limit)
        if found is None or most is None:
            return []
        if place not in found.numbers:
            return [_pair(place, Number(0))]
        ways = _ways(graph, found.numbers[place])
        return [
            _pair(found.places[to], Number(cost))
            for to, (cost, _, _) in sorted(ways.items())
            if cost <= most
        ]

    def shortest(self, graph: Symbol, place: Symbol, goal: Symbol) -> CallResult:
        """The cheapest way from one place to another, as one pair (N, Way), or no answer.

        N is what it costs, Way the list of its places, both ends among them. Of the cheapest ways
        it is one with the fewest steps, of those the first by the names of its places.
        """
        found = _read(graph)
        if found is None:
            return []
        if place == goal:
            return [_pair(Number(0), _listed([place]))]
        if place not in found.numbers or goal not in found.numbers:
            return []
        way = _ways(graph, found.numbers[place]).get(found.numbers[goal])
        if way is None:
            return []
        return [_pair(Number(way[0]), _listed([found.places[each] for each in way[2]]))]

    def chains(self, graph: Symbol, place: Symbol, goal: Symbol, steps: Symbol) -> CallResult:
        """A pair (N, Way) for each path of at most Steps steps that visits no place twice.

        It leads from the place to the goal; N and Way are as for `shortest`. With ``#sup`` a path
        may have any number of steps.
        """
        found, most = _read(graph), _most(steps)
        if found is None or most is None:
            return []
        if place == goal:
            return [_pair(Number(0), _listed([place]))]
        if place not in found.numbers or goal not in found.numbers:
            return []
        answers: list[Symbol] = []
        for cost, way in _simple(found, found.numbers[place], found.numbers[goal], most):
            if len(answers) == MOST_CHAINS:
                raise _too_many(found, way[0], way[-1])
            answers.append(_pair(Number(cost), _listed([found.places[each] for each in way])))
        return answers


class GraphsAlone(Graphs):
    """What a program may ask where there is neither a board nor a table."""

    board = None


class Graph:
    """The places of a graph, sorted, and what is next to each by its number, at what cost."""

    def __init__(self, edges: Mapping[tuple[Symbol, Symbol], int]) -> None:
        self.places = sorted_symbols({place for edge in edges for place in edge})
        self.numbers = {place: number for number, place in enumerate(self.places)}
        self.after: list[dict[int, int]] = [{} for _ in self.places]
        self.before: list[list[int]] = [[] for _ in self.places]
        by_number = {(self.numbers[p], self.numbers[q]): cost for (p, q), cost in edges.items()}
        for (one, other), cost in sorted(by_number.items()):
            self.after[one][other] = cost
            self.before[other].append(one)


@lru_cache(maxsize=256)
def _read(term: Symbol) -> Graph | None:
    """The graph that a term is, a list of places with lists of edges; None, if it is none."""
    rows = _items(term)
    edges: dict[tuple[Symbol, Symbol], int] = {}
    for row in rows or ():
        leads = _items(row.arguments[1]) if _is_pair(row) else None
        if leads is None or not all(map(_is_pair, leads)):
            return None
        place = row.arguments[0]
        for other, cost in (lead.arguments for lead in leads):
            if cost.type != SymbolType.Number or cost.number < 0:
                ends = f"from {text_of(place)} to {text_of(other)}"
                raise GraphError(f"the edge {ends} costs {text_of(cost)}; expected 0 or more")
            edges[place, other] = min(cost.number, edges.get((place, other), HIGHEST))
    return None if rows is None else Graph(edges)


@lru_cache(maxsize=1024)
def _ways(term: Symbol, start: int) -> WaysByPlace:
    """The best way from a place to each that edges lead to; a search by the cheapest first."""
    graph = _read(term)
    assert graph is not None
    found: dict[int, tuple[int, int, tuple[int, ...]]] = {}
    heap: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, (start,))]
    while heap:
        cost, steps, way = heappop(heap)
        if way[-1] in found:
            continue
        if cost > HIGHEST:
            ends = f"from {text_of(graph.places[start])} to {text_of(graph.places[way[-1]])}"
            raise GraphError(f"the path {ends} costs more than {HIGHEST}")
        found[way[-1]] = cost, steps, way
        for there, more in graph.after[way[-1]].items():
            if there not in found:
                heappush(heap, (cost + more, steps + 1, (*way, there)))
    return found


def _simple(graph: Graph, start: int, goal: int, most: int) -> Iterator[tuple[int, list[int]]]:
    """Each way that comes to no place twice, with its cost; no step that leads too far away."""
    left = {goal: 0}  # the fewest steps from a place to the goal
    agenda = deque([goal])
    while agenda:
        here = agenda.popleft()
        for place in graph.before[here]:
            if place not in left:
                left[place] = left[here] + 1
                agenda.append(place)
    way, costs, tried = [start], [0], 0
    ahead = [iter(graph.after[start].items())]
    while ahead:
        there, cost = next(ahead[-1], (-1, 0))
        if there < 0:
            for each in (ahead, way, costs):
                each.pop()
            continue
        if there in way or len(way) + left.get(there, HIGHEST) > most:
            continue
        tried += 1
        if tried > MOST_STEPS:
            raise _too_many(graph, start, goal)
        total = costs[-1] + cost
        if total > HIGHEST:
            raise GraphError(
                f"a path from {text_of(graph.places[start])} costs more than {HIGHEST}"
            )
        if there == goal:
            yield total, [*way, goal]
            continue
        way.append(there)
        costs.append(total)
        ahead.append(iter(graph.after[there].items()))


def _too_many(graph: Graph, start: int, goal: int) -> GraphError:
    ends = f"from {text_of(graph.places[start])} to {text_of(graph.places[goal])}"
    return GraphError(f"too many paths {ends}; ask @chains for fewer steps")


def _items(term: Symbol) -> list[Symbol] | None:
    """The items of a list; None, if it is none."""
    found = []
    while _is_pair(term):
        first, term = term.arguments
        found.append(first)
    return found if term == Function("", []) else None


def _is_pair(term: Symbol) -> bool:
    return term.type == SymbolType.Function and not term.name and len(term.arguments) == 2


def _most(limit: Symbol) -> int | None:
    """A limit of 0 or more; None, if it is none."""
    if limit == Supremum:
        return HIGHEST
    return limit.number if limit.type == SymbolType.Number and limit.number >= 0 else None


def _pair(one: Symbol, other: Symbol) -> Symbol:
    return Function("", [one, other])


def _listed(places: list[Symbol]) -> Symbol:
    found = Function("", [])
    for place in reversed(places):
        found = _pair(place, found)
    return found
