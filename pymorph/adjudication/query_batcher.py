"""Runs of queries, such as test cases, that go side by side and share groundings.

Grounding the rules once for many situations costs a fraction of grounding them for each. A run is
any function that asks queries one after the other, in a thread of its own; one thread works at a
time. When all runs wait, the batcher takes the query of the run that has asked least, and grounds
it with all others of its kind, a situation each: runs that keep in step share more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from queue import SimpleQueue
from threading import Thread, stack_size
from typing import Generic, TypeVar

from clingo import Function, Symbol, SymbolType

from pymorph.asp import solver
from pymorph.asp.dependency import Slice
from pymorph.asp.facts import Facts
from pymorph.asp.grounding import Atoms
from pymorph.asp.passes.consequences import moved, place_of
from pymorph.board.lengths.measuring import Context
from pymorph.dynamics.asking.batch import BATCH, situation, uncollected
from pymorph.errors import PymorphError

_T = TypeVar("_T")
ALONE = situation(0)
STACK = 2**20  # bytes for a run, whose queries are answered elsewhere


@dataclass(frozen=True, eq=False)
class SharedQuery:
    """A query for which a run waits: its rules, its facts and its board.

    It is the query of that *number* in its run.
    """

    part: Slice
    facts: Facts
    geometry: Context | None
    number: int

    @cached_property
    def shared_with(self) -> object:
        """Queries that agree in this can share a grounding."""
        return id(self.part), self.geometry.board if self.geometry else None

    @cached_property
    def content(self) -> object:
        """Queries that agree in this have one answer."""
        return self.shared_with, frozenset(self.facts)

    @cached_property
    def single(self) -> bool:
        """Is it about one situation?"""
        return [f for f in self.facts if f.name == "situation"] == [Function("situation", [ALONE])]


class QueryRun(Generic[_T]):
    """A run of queries, which it answers: it continues until it asks one, then with the answer."""

    def __init__(self, run: Callable[[solver.Solver], _T]) -> None:
        self.query: SharedQuery | None = None
        self.result: Future[_T] = Future()
        self._run = run
        self._asked = 0
        self._queries: SimpleQueue[SharedQuery | None] = SimpleQueue()
        self._answers: SimpleQueue[Atoms | PymorphError] = SimpleQueue()
        usual = stack_size(STACK)
        Thread(target=self._work, daemon=True).start()
        stack_size(usual)

    def resume(self, answer: Atoms | PymorphError) -> bool:
        """Carry it on with the answer to its query, or start it; does it ask another?"""
        self._answers.put(answer)
        self.query = self._queries.get()
        return self.query is not None

    def _work(self) -> None:
        self._answers.get()
        try:
            self.result.set_result(self._run(self))
        except BaseException as error:
            self.result.set_exception(error)
        self._queries.put(None)

    def solve(self, part: Slice, facts: Iterable[Symbol], geometry: Context | None) -> Atoms:
        self._asked += 1
        self._queries.put(SharedQuery(part, Facts.of(facts), geometry, self._asked))
        answer = self._answers.get()
        if isinstance(answer, PymorphError):
            raise answer
        return answer


@uncollected()
def batched(runs: Iterable[Callable[[solver.Solver], _T]]) -> list[Future[_T]]:
    """The result of each run, or its error, as if it went alone.

    A run asks its questions of the answers that it is given.
    """
    started = [QueryRun(run) for run in runs]
    known: dict[object, Atoms | PymorphError] = {}
    waiting = [run for run in started if run.resume({})]
    while waiting:
        groups: dict[object, dict[object, SharedQuery]] = defaultdict(dict)
        for run in waiting:
            while run.query and run.query.content in known:
                run.resume(known[run.query.content])
            if run.query:
                groups[run.query.shared_with][run.query.content] = run.query
        waiting = [run for run in waiting if run.query]
        if groups:
            asked = dict(islice(min(groups.values(), key=earliest).items(), BATCH))
            known.update(zip(asked, answered(list(asked.values())), strict=True))
    return [run.result for run in started]


def earliest(group: Mapping[object, SharedQuery]) -> tuple[int, int]:
    """The lowest number of its queries, then how many there are: the most come first."""
    return min(query.number for query in group.values()), -len(group)


def answered(queries: Sequence[SharedQuery]) -> Sequence[Atoms | PymorphError]:
    """The answers to queries that can share a grounding; each alone where all together have
    none."""
    if len(queries) > 1 and all(query.single for query in queries):
        facts = Facts()
        for number, query in enumerate(queries):
            here = situation(number)
            facts += Facts((moved(fact, here) for fact in query.facts), query.facts.keys)
        first = queries[0]
        try:
            return split(solver.solve(first.part, facts, first.geometry), len(queries))
        except PymorphError:
            pass  # it may be the fault of one of them
    return [alone(query) for query in queries]


def alone(query: SharedQuery) -> Atoms | PymorphError:
    try:
        return solver.solve(query.part, query.facts, query.geometry)
    except PymorphError as error:
        return error


def split(atoms: Atoms, number: int) -> list[Atoms]:
    """The atoms of each of so many situations, as they are where nothing else is asked."""
    by_number: list[Atoms] = [{name: [] for name in atoms} for _ in range(number)]
    for name, instances in atoms.items():
        for atom in instances:
            arguments = atom.arguments
            at = place_of(name, arguments)
            if at is not None and arguments[at].type == SymbolType.Number:
                by_number[arguments[at].number][name].append(moved(atom, ALONE))
            else:  # it holds in all of them
                for own in by_number:
                    own[name].append(atom)
    return by_number
