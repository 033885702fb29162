"""Courses of questions, such as test cases, that go side by side and share groundings.

Grounding the rules once for many situations costs a fraction of grounding them for each. A course
is any function that asks questions one after the other. Each runs in a thread of its own, one at a
time, until it asks something or is done; when all of them wait, the question of the course that
has asked least is put for all that ask it, as situations of one grounding for each board: courses
that keep in step ask the same more often.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from threading import Semaphore, Thread, stack_size
from typing import Generic, TypeVar

from clingo import Function, Symbol, SymbolType

from pymorph.asp import solver
from pymorph.asp.dependency import Slice
from pymorph.asp.facts import Facts
from pymorph.asp.grounding import Atoms
from pymorph.board.lengths.measuring import Context
from pymorph.dynamics.asking.batch import BATCH, situated, situation
from pymorph.errors import PymorphError

_T = TypeVar("_T")
ALONE = situation(0)
STACK = 2**20  # bytes for a course, whose questions are answered elsewhere


@dataclass(frozen=True, eq=False)
class SharedQuestion:
    """What a course waits for: the rules it asks, what they are told, and the board.

    It is the question of that *number* in its course.
    """

    part: Slice
    facts: Facts
    geometry: Context | None
    number: int

    @cached_property
    def shared_with(self) -> object:
        """Questions that agree in this can be put in one grounding."""
        return id(self.part), self.geometry.board if self.geometry else None

    @cached_property
    def told(self) -> object:
        """Questions that agree in this have one answer."""
        return self.shared_with, frozenset(self.facts)

    @cached_property
    def single(self) -> bool:
        """Is it about one situation?"""
        return [f for f in self.facts if f.name == "situation"] == [Function("situation", [ALONE])]


class CourseOfQuestions(Generic[_T]):
    """One course: carried on until it asks something, and then with the answer."""

    def __init__(self, run: Callable[[], _T]) -> None:
        self.question: SharedQuestion | None = None
        self._asked = 0
        self.found: Future[_T] = Future()
        self._run = run
        self._answer: Atoms | PymorphError = {}
        self._its_turn, self._our_turn = Semaphore(0), Semaphore(0)
        usual = stack_size(STACK)
        Thread(target=self._work, daemon=True).start()
        stack_size(usual)

    def resume(self, answer: Atoms | PymorphError | None = None) -> bool:
        """Carry it on with the answer to its question; does it ask another?"""
        self.question = None
        if answer is not None:
            self._answer = answer
        self._its_turn.release()
        self._our_turn.acquire()
        return self.question is not None

    def _work(self) -> None:
        self._its_turn.acquire()
        with solver.answered_by(self._ask):
            try:
                self.found.set_result(self._run())
            except BaseException as error:
                self.found.set_exception(error)
        self._our_turn.release()

    def _ask(self, part: Slice, facts: Facts, geometry: Context | None) -> Atoms:
        self._asked += 1
        self.question = SharedQuestion(part, facts, geometry, self._asked)
        self._our_turn.release()
        self._its_turn.acquire()
        if isinstance(self._answer, PymorphError):
            raise self._answer
        return self._answer


def together(runs: Iterable[Callable[[], _T]]) -> list[Future[_T]]:
    """What each of some courses comes to, be it an error, as if it went alone."""
    courses = [CourseOfQuestions(run) for run in runs]
    known: dict[object, Atoms | PymorphError] = {}
    going = [course for course in courses if course.resume()]
    while going:
        groups: dict[object, dict[object, SharedQuestion]] = defaultdict(dict)
        for course in going:
            while course.question and course.question.told in known:
                course.resume(known[course.question.told])
            if course.question:
                groups[course.question.shared_with][course.question.told] = course.question
        going = [course for course in going if course.question]
        if groups:
            asked = dict(islice(min(groups.values(), key=earliest).items(), BATCH))
            known.update(zip(asked, answered(list(asked.values())), strict=True))
    return [course.found for course in courses]


def earliest(group: Mapping[object, SharedQuestion]) -> tuple[int, int]:
    """How early its first question stands in a course, and how many there are: less comes first."""
    return min(question.number for question in group.values()), -len(group)


def answered(questions: Sequence[SharedQuestion]) -> Sequence[Atoms | PymorphError]:
    """The answers to questions that can share a grounding; each alone where all together have
    none."""
    if len(questions) > 1 and all(question.single for question in questions):
        facts = Facts()
        for number, question in enumerate(questions):
            here = situation(number)
            facts += Facts((told_of(fact, here) for fact in question.facts), question.facts.keys)
        first = questions[0]
        try:
            return parted(solver.solve(first.part, facts, first.geometry), len(questions))
        except PymorphError:
            pass  # it may be the fault of one of them
    return [alone(question) for question in questions]


def alone(question: SharedQuestion) -> Atoms | PymorphError:
    try:
        return solver.solve(question.part, question.facts, question.geometry)
    except PymorphError as error:
        return error


def parted(atoms: Atoms, number: int) -> list[Atoms]:
    """The atoms of each of so many situations, as they are where nothing else is asked."""
    found: list[Atoms] = [{name: [] for name in atoms} for _ in range(number)]
    for name, rows in atoms.items():
        for atom in rows:
            arguments = atom.arguments
            at = situated(atom)
            here = arguments[at]
            if here == ALONE:
                found[0][name].append(atom)
            elif here.type == SymbolType.Number:
                arguments[at] = ALONE
                found[here.number][name].append(Function(name, arguments))
            else:  # it holds in all of them
                for each in found:
                    each[name].append(atom)
    return found


@lru_cache(maxsize=50_000)
def told_of(fact: Symbol, here: Symbol) -> Symbol:
    """The same of another situation; what is carried out in it has its number."""
    arguments = fact.arguments
    at = situated(fact)
    arguments[at] = here
    if fact.name == "does":
        arguments[at - 1] = here
    return Function(fact.name, arguments)
