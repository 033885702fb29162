"""What a program may ask while it is grounded, and what of a graph that its rules give."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from heapq import heappop, heappush
from typing import Any, TypeVar

from clingo import Number, Supremum, Symbol, SymbolType

from pymorph.terms import MAX_NUMBER, items_of, list_term, pair, sorted_symbols, text_of

CallResult = Symbol | list[Symbol]
Answer = TypeVar("Answer")
GrounderCall = Callable[..., CallResult]
PathsByPlace = Mapping[
    int, tuple[int, int, tuple[int, ...]]
]  # to each place: its cost, its steps, the way

GRAPH_FUNCTIONS: frozenset[str] = frozenset({"nearby/3", "shortest/3", "chains/4"})

# Past so many, the answers to one kind of question are dropped.
MOST_ANSWERS = 100_000
MOST_CHAINS = 10_000  # ways without a place twice that one question may have
MOST_STEPS = 500_000  # steps that are tried for them


class GraphError(RuntimeError):
    """What a graph cannot be asked; the grounder passes it on, and the rules do not ground."""


def memoized(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """Keep the answers of a method with the board or table that they are about."""

    @functools.wraps(function)
    def answer(self: Graphs, *terms: Symbol) -> Answer:
        answers: dict[tuple[Symbol, ...], Answer] = self.answers.setdefault(function.__name__, {})
        try:
            return answers[terms]
        except KeyError:
            pass
        if len(answers) >= MOST_ANSWERS:
            answers.clear()
        result = answers[terms] = function(self, *terms)
        return result

    return answer


def asked(*kinds: str) -> Callable[[GrounderCall], GrounderCall]:
    """Let encodings call a method: its arguments are read by the methods that *kinds* names.

    There is no answer without a board, or where an argument cannot be read.
    """

    def decorated(function: GrounderCall) -> GrounderCall:
        @functools.wraps(function)
        def answer(self: Graphs, *terms: Symbol) -> CallResult:
            arguments = []
            for kind, term in zip(kinds, terms, strict=True):
                argument = getattr(self, kind)(term)
                if argument is None:
                    return []
                arguments.append(argument)
            return [] if self.board is None else function(self, *arguments)

        setattr(answer, "arity", len(kinds))  # noqa: B010
        return answer

    return decorated


def remembered(*kinds: str) -> Callable[[GrounderCall], GrounderCall]:
    """As `asked`, `memoized`."""
    return lambda function: memoized(asked(*kinds)(function))


def functions_of(asking: type[Graphs]) -> frozenset[str]:
    """What encodings may call of a class, without what it inherits: each name with its arity."""
    members = vars(asking).items()
    return frozenset(f"{name}/{m.arity}" for name, m in members if hasattr(m, "arity"))


class Graphs:
    """The functions that encodings call on a graph, by the names in `GRAPH_FUNCTIONS`.

    A graph is the term L of ``graph(G, L, S)``. What is no graph, no place of one that an edge
    leads to, or no number has no answer. Of several edges from one place to another the cheapest
    counts. Raises: GraphError, if an edge costs less than 0, a way more than a number of clingo
    holds, or there are too many chains.
    """

    board: Any = None
    answers: dict[str, dict[Any, Any]]  # that are kept

    def _any(self, term: Symbol) -> Symbol:
        return term

    def _integer(self, term: Symbol) -> int | None:
        return number_of(term)

    def nearby(self, graph: Symbol, place: Symbol, limit: Symbol) -> CallResult:
        """A pair (Q, N) for each place Q that edges lead to at a cost N of no more than the limit.

        The place itself is among them at 0. A limit of ``#sup`` is none.
        """
        parsed, most = _read(graph), _most(limit)
        if parsed is None or most is None:
            return []
        if place not in parsed.numbers:
            return [pair(place, Number(0))]
        paths = _paths(graph, parsed.numbers[place])
        return [
            pair(parsed.places[to], Number(cost))
            for to, (cost, _, _) in sorted(paths.items())
            if cost <= most
        ]

    def shortest(self, graph: Symbol, place: Symbol, goal: Symbol) -> CallResult:
        """The cheapest way from one place to another, as one pair (N, Way), or no answer.

        N is what it costs, Way the list of its places, both ends among them. Of the cheapest ways
        it is one with the fewest steps, of those the first by the names of its places.
        """
        parsed = _read(graph)
        if parsed is None:
            return []
        if place == goal:
            return [pair(Number(0), list_term([place]))]
        if place not in parsed.numbers or goal not in parsed.numbers:
            return []
        path = _paths(graph, parsed.numbers[place]).get(parsed.numbers[goal])
        if path is None:
            return []
        return [pair(Number(path[0]), list_term([parsed.places[number] for number in path[2]]))]

    def chains(self, graph: Symbol, place: Symbol, goal: Symbol, steps: Symbol) -> CallResult:
        """A pair (N, Way) for each path of at most Steps steps that visits no place twice.

        It leads from the place to the goal; N and Way are as for `shortest`. With ``#sup`` a path
        may have any number of steps.
        """
        parsed, most = _read(graph), _most(steps)
        if parsed is None or most is None:
            return []
        if place == goal:
            return [pair(Number(0), list_term([place]))]
        if place not in parsed.numbers or goal not in parsed.numbers:
            return []
        answers: list[Symbol] = []
        for cost, path in _simple(parsed, parsed.numbers[place], parsed.numbers[goal], most):
            if len(answers) == MOST_CHAINS:
                raise _too_many(parsed, path[0], path[-1])
            answers.append(
                pair(Number(cost), list_term([parsed.places[number] for number in path]))
            )
        return answers


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


@functools.lru_cache(maxsize=256)
def _read(term: Symbol) -> Graph | None:
    """The graph that a term is, a list of places with lists of edges; None, if it is none."""
    entries = items_of(term)
    edges: dict[tuple[Symbol, Symbol], int] = {}
    for entry in entries or ():
        leads = items_of(entry.arguments[1]) if _is_pair(entry) else None
        if leads is None or not all(map(_is_pair, leads)):
            return None
        place = entry.arguments[0]
        for other, cost in (lead.arguments for lead in leads):
            if cost.type != SymbolType.Number or cost.number < 0:
                ends = f"from {text_of(place)} to {text_of(other)}"
                raise GraphError(f"the edge {ends} costs {text_of(cost)}; expected 0 or more")
            edges[place, other] = min(cost.number, edges.get((place, other), MAX_NUMBER))
    return None if entries is None else Graph(edges)


@functools.lru_cache(maxsize=1024)
def _paths(term: Symbol, start: int) -> PathsByPlace:
    """The best way from a place to each that edges lead to; a search by the cheapest first."""
    graph = _read(term)
    assert graph is not None
    paths: dict[int, tuple[int, int, tuple[int, ...]]] = {}
    heap: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, (start,))]
    while heap:
        cost, steps, path = heappop(heap)
        if path[-1] in paths:
            continue
        if cost > MAX_NUMBER:
            ends = f"from {text_of(graph.places[start])} to {text_of(graph.places[path[-1]])}"
            raise GraphError(f"the path {ends} costs more than {MAX_NUMBER}")
        paths[path[-1]] = cost, steps, path
        for there, more in graph.after[path[-1]].items():
            if there not in paths:
                heappush(heap, (cost + more, steps + 1, (*path, there)))
    return paths


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
    path, costs, tried = [start], [0], 0
    ahead = [iter(graph.after[start].items())]
    while ahead:
        there, cost = next(ahead[-1], (-1, 0))
        if there < 0:
            for stack in (ahead, path, costs):
                stack.pop()
            continue
        if there in path or len(path) + left.get(there, MAX_NUMBER) > most:
            continue
        tried += 1
        if tried > MOST_STEPS:
            raise _too_many(graph, start, goal)
        total = costs[-1] + cost
        if total > MAX_NUMBER:
            raise GraphError(
                f"a path from {text_of(graph.places[start])} costs more than {MAX_NUMBER}"
            )
        if there == goal:
            yield total, [*path, goal]
            continue
        path.append(there)
        costs.append(total)
        ahead.append(iter(graph.after[there].items()))


def _too_many(graph: Graph, start: int, goal: int) -> GraphError:
    ends = f"from {text_of(graph.places[start])} to {text_of(graph.places[goal])}"
    return GraphError(f"too many paths {ends}; ask @chains for fewer steps")


def _is_pair(term: Symbol) -> bool:
    return term.type == SymbolType.Function and not term.name and len(term.arguments) == 2


def number_of(term: Symbol) -> int | None:
    return term.number if term.type == SymbolType.Number else None


def _most(limit: Symbol) -> int | None:
    """A limit of 0 or more; None, if it is none."""
    if limit == Supremum:
        return MAX_NUMBER
    return limit.number if limit.type == SymbolType.Number and limit.number >= 0 else None
