"""Questions asked under every reading at once: one grounding in which readings are left open.

All of an answer follows from the readings, so the program has one answer set for each of them.
What all have is its cautious consequences, what some have its brave ones; where these are the same
nothing depends on a reading. Otherwise there are two readings with different answers: going from
one to the other, halving the way, leads to a question that turns it; and so on for each of its
options. Where something is hidden, the hidden values are left open too. A question about readings
can then turn the answer only if it turns an atom between two readings in the same world.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Generic, TypeVar

from clingo import Function, String, Symbol

from pymorph.asp.dependency import FreeReadings, Slice
from pymorph.asp.facts import READING, RULED, VEILED, Facts, Key, Signature
from pymorph.asp.grounding import Atoms
from pymorph.asp.open_program import OpenProgram, flip
from pymorph.asp.passes.consequences import Worlds, by_situation, checked
from pymorph.asp.passes.partial_answers import PartialAnswer, bears
from pymorph.asp.solver import Query, Recorder
from pymorph.errors import Unsettled
from pymorph.questions.readings.partition import Choices, defaults_of
from pymorph.ruleset.loader import Ruleset
from pymorph.state.position import Position

_T = TypeVar("_T")
About = Callable[[Symbol], bool]
# Two readings with different answers, and whether another has the answer of the first.
Apart = tuple[Choices, Choices, Callable[[Choices], bool]]
ABOUT_ANY: About = lambda _: True  # noqa: E731
STOPPED = "_stopped"
ILL_FORMED: Key = ("ill_formed", 3, None)


class ReadingsQuery(ABC):
    """One question about a position with the readings open, but for those that are *fixed*.

    *questions* are those that it looks at and that are open, with their options.
    """

    def __init__(
        self,
        position: Position,
        part: Slice,
        facts: Iterable[Symbol],
        fixed: Choices,
        wanted: Iterable[Key],
        compared: Sequence[Signature] = (),
        proposing: frozenset[str] | None = None,
    ) -> None:
        ruleset = position.ruleset
        every = ruleset.options
        self._facts = Facts(f for f in facts if (f.name, len(f.arguments)) != RULED)
        self._facts += [Function("left_open", [Function(q)]) for q in every if q not in fixed]
        opening, self._facts = opened(part, self._facts, ruleset, wanted, proposing)
        self.questions = {q: every[q] for q in opening.questions if q not in fixed}
        self._part, self._position = part, position
        self._situations = [f.arguments[0] for f in self._facts if f.name == "situation"]
        ruled = [(Function(q), Function(fixed[q])) for q in opening.questions if q in fixed]
        self._facts += [Function("reading", [*w, s]) for w in ruled for s in self._situations]
        self._prepare(opening.text, compared or part.shown)

    @abstractmethod
    def _prepare(self, program: str, compared: Sequence[Signature]) -> None:
        """Get ready to answer by a program, with the atoms of the signatures *compared*."""

    @abstractmethod
    def under(self, reading: Choices) -> Set[Symbol]:
        """The atoms of the answer under one reading, as far as it is about these questions."""

    @abstractmethod
    def _apart(self, choices: Choices, about: About, reading: Choices | None) -> Apart | None:
        """Two readings with these choices and different answers; None, if there are none.

        The first is *reading*, if there is one.
        """

    def pivot(self, choices: Choices, about: About, reading: Choices | None = None) -> str | None:
        """A question that alone turns the answer under these choices; None, if nothing does.

        Of a *reading* that makes them it is one that turns the answer under that.
        """
        apart = self._apart(choices, about, reading)
        return apart and flip(*apart)

    def may_turn(self, about: About) -> bool:
        """Can another reading turn the answer? Where that takes long to know, it says yes."""
        return self.pivot({}, about) is not None

    def cells(
        self, choices: Choices, about: About = ABOUT_ANY, most: int = 0
    ) -> Iterator[tuple[dict[str, str], bool]]:
        """Cells of readings with one answer each, by the choices that make them.

        Only atoms that the answer is *about* count. With more than *most* cells, the rest comes in
        cells whose readings may differ in their answers; the second value says whether all readings
        of a cell are known to be alike.
        """
        agenda = [dict(choices)]
        given = 0
        while agenda:
            here = agenda.pop(0)
            looked = not most or given + len(agenda) < most
            pivot = self.pivot(here, about) if looked else None
            if pivot is None:
                given += 1
                yield here, looked
            else:
                agenda += [{**here, pivot: option} for option in self.questions[pivot]]

    def choices_keeping(
        self, reading: Choices, given: Choices, about: About = ABOUT_ANY
    ) -> dict[str, str]:
        """Choices of *reading* by which the answer is as under it, in what it is *about*.

        They come on top of those *given*, which it makes too.
        """
        chosen = {question: reading[question] for question in self.questions}
        needed = dict(given)
        while (pivot := self.pivot(needed, about, chosen)) is not None:
            needed[pivot] = chosen[pivot]
        return needed


class OpenReadings(ReadingsQuery):
    """A question about a position with nothing hidden: one program for all readings."""

    def _prepare(self, program: str, compared: Sequence[Signature]) -> None:
        lines = []
        first, *others = self._situations
        for question, options in self.questions.items():
            lines.append(f"1 {{ reading({question}, ({'; '.join(options)}), {first}) }} 1.")
            same = f"reading({question}, O, {first})"
            lines += [f"reading({question}, O, {here}) :- {same}." for here in others]
        lines += [f"#show {name}/{arity}." for name, arity in compared]
        text = "\n".join((program, *lines))
        self._program = OpenProgram(text, self._facts, self._position.geometry)
        self._certain, self._literals = self._program.atoms(compared)
        self._choices: dict[tuple[str, str], int] = {}
        for atom, literal in self._program.atoms([READING])[1].items():
            of, chosen, here = atom.arguments
            if here == first:
                self._choices[of.name, chosen.name] = literal

    def _model(
        self, literals: Mapping[_T, int], choices: Choices, *more: int, mode: str = "auto"
    ) -> set[_T]:
        """What `OpenProgram.model` gives under some choices, which always has something to give."""
        assumed = [self._choices[item] for item in choices.items() if item in self._choices]
        true = self._program.model(literals, [*assumed, *more], mode)
        assert true is not None
        return true

    def under(self, reading: Choices) -> Set[Symbol]:
        return self._model(self._literals, reading).union(self._certain)

    def _apart(self, choices: Choices, about: About, reading: Choices | None) -> Apart | None:
        wanted = {atom: literal for atom, literal in self._literals.items() if about(atom)}
        if not wanted:
            return None
        some, every = (self._model(wanted, choices, mode=mode) for mode in ("brave", "cautious"))
        if some == every:
            return None
        atom = min(some - every)
        literal = self._literals[atom]

        def holds(reading: Choices) -> bool:
            return bool(self._model({atom: literal}, reading))

        so = reading is None or holds(reading)
        one = reading or dict(self._model(self._choices, choices, literal))
        other = dict(self._model(self._choices, choices, -literal if so else literal))
        return one, other, lambda step: holds(step) == so


class VeiledReadings(ReadingsQuery):
    """A question about a position with something hidden: one program for all readings and worlds.

    The answer under a reading is what is certain, whatever is hidden. Only questions that turn
    something in some world can turn it: all options of these are tried.
    """

    def _prepare(self, program: str, compared: Sequence[Signature]) -> None:
        names = {name for name, _ in compared}
        self._compared = names | {STOPPED} | ({"unknown"} if "total" in names else set())
        shown, geometry = self._part.shown, self._position.geometry
        self._worlds = Worlds(program, self._facts, shown, geometry, self.questions)
        self._known: dict[frozenset[tuple[str, str]], frozenset[Symbol]] = {}

    def under(self, reading: Choices) -> Set[Symbol]:
        chosen = {question: reading[question] for question in self.questions}
        key = frozenset(chosen.items())
        if key not in self._known:
            try:
                atoms = PartialAnswer(self._part, self._worlds, chosen).atoms()
            except Unsettled as stop:
                atoms = {STOPPED: [Function(STOPPED, [String(str(stop))])]}
            self._known[key] = frozenset(
                atom for name in self._compared & atoms.keys() for atom in atoms[name]
            )
        return self._known[key]

    def may_turn(self, about: About) -> bool:
        return bool(self._worlds.turning({}, partial(bears, about)))

    def _apart(self, choices: Choices, about: About, reading: Choices | None) -> Apart | None:
        one = reading or {q: choices.get(q, options[0]) for q, options in self.questions.items()}
        turning = self._worlds.turning(choices, partial(bears, about))
        answer = self._said(one, about)

        def alike(reading: Choices) -> bool:
            return self._said(reading, about) == answer

        for options in product(*map(self.questions.__getitem__, turning)):
            other = {**one, **dict(zip(turning, options, strict=True))}
            if not alike(other):
                return one, other, alike
        return None

    def _said(self, reading: Choices, about: About) -> frozenset[Symbol]:
        """What the answer under one reading says, as far as it is *about* something."""
        return frozenset(filter(about, self.under(reading)))


def opened(
    part: Slice,
    facts: Facts,
    ruleset: Ruleset,
    wanted: Iterable[Key],
    proposing: frozenset[str] | None = None,
) -> tuple[FreeReadings, Facts]:
    """What answers a question however it is read, and its facts.

    Where something is hidden, that includes what makes a position ill formed.
    """
    if VEILED in facts.keys:
        part, facts = checked(part, facts)
        wanted = (*wanted, ILL_FORMED)
    opening = part.open_program(facts, ruleset.options, ruleset.bounds, wanted, proposing)
    return opening, facts


def query_class(facts: Iterable[Symbol]) -> type[ReadingsQuery]:
    """The class of a query with open readings, by whether its facts have something hidden."""
    return VeiledReadings if VEILED in Facts.of(facts).keys else OpenReadings


# Atoms of accounts only; of what carrying out an action does; of changes of fluents.
ACCOUNTING = frozenset({"accounts", "entry", "total", "never", "finding", "ground"})
OF_DOING = frozenset({"sets", "clears", "adds", "happens", "halts", "unfolds"})
CHANGING = frozenset({"sets", "clears", "adds"})
REASONING = frozenset({"reason", "waits"})


@dataclass(frozen=True, slots=True)
class Cone:
    """What bears on the end of a run: fluents and events by their names; None: all."""

    fluents: frozenset[str] | None = None
    events: frozenset[str] | None = None

    def names(self, predicate: str) -> frozenset[str] | None:
        """What the atoms of a predicate that bear on it are about; None: anything."""
        if predicate in CHANGING:
            return self.fluents
        return self.events if predicate == "happens" else None

    def about(self, atom: Symbol) -> bool:
        """Does an atom of an answer bear on it?"""
        names = self.names(atom.name)
        return names is None or atom.arguments[0].name in names

    def keys(self, signature: Signature) -> Iterator[Key]:
        """The atoms of a signature that bear on it."""
        names = self.names(signature[0])
        for name in [None] if names is None else sorted(names):
            yield (*signature, name)

    def before(self, fluents: frozenset[str] | None) -> Cone:
        """The same before a question that depends on some fluents."""
        if self.fluents is None or fluents is None:
            return Cone(None, self.events)
        return Cone(self.fluents | fluents, self.events)


@dataclass(frozen=True, slots=True)
class Trace(Generic[_T]):
    """A *result* of queries.

    With a cone, each query is about the position that those before it led to, and the cone is what
    of the last answer *bears* on the result. A *coarse* one has too many questions to ask them
    again: it is said of the reading that it was gone through under, in whatever they look at.
    """

    result: _T
    bearing: Cone | None = None
    coarse: bool = False


def explore(
    start: Position, fixed: Choices, run: Callable[[Choices, Recorder], Trace[_T]]
) -> Iterator[tuple[Choices, _T]]:
    """The results of a run of queries from a position, by readings under which it goes alike.

    *run* is called for one reading, with the choices that are not by default and a recorder, which
    it asks.
    """
    ruleset, defaults = start.ruleset, defaults_of(start)
    answers: dict[object, list[tuple[Choices, Atoms]]] = defaultdict(list)  # by what was asked
    agenda: list[Choices] = [fixed]
    known: dict[object, ReadingsQuery] = {}
    while agenda:
        here = agenda.pop(0)
        reading = {**defaults, **here}
        recorder = Recorder(partial(_recalled, answers, reading))
        trace = run(here, recorder)
        needed = dict(here)
        bearing = trace.bearing or Cone()
        for question in reversed(recorder.queries):
            signatures = _deciding_signatures(question)
            bears = [key for signature in signatures for key in bearing.keys(signature)]
            wanted = [(*signature, None) for signature in signatures]
            by_answer: dict[str, str] = {}  # by which all of the answer is as it is
            asked = [fact for fact in question.facts if fact.name != RULED[0]]
            for facts in map(Facts, by_situation(asked)):
                opening, _ = opened(question.part, facts, ruleset, wanted)
                looked_at = {name: reading[name] for name in opening.questions}
                if trace.coarse:
                    needed.update(looked_at)
                if needed.keys() >= looked_at.keys():
                    by_answer.update(looked_at)
                    continue
                key = (id(question.part), frozenset(facts), tuple(signatures))
                if key not in known:
                    known[key] = query_class(facts)(
                        start, question.part, facts, fixed, wanted, signatures
                    )
                needed.update(known[key].choices_keeping(reading, needed, bearing.about))
                by_answer.update(known[key].choices_keeping(reading, by_answer))
            same = answers[id(question.part), frozenset(asked)]
            if question.atoms and all(atoms is not question.atoms for _, atoms in same):
                same.append((by_answer, question.atoms))
            if trace.bearing:
                bearing = bearing.before(question.part.fluents(question.facts, bears))
        yield needed, trace.result
        before = dict(here)
        for name, option in needed.items():
            if name not in here:
                others = [other for other in ruleset.options[name] if other != option]
                agenda += [{**before, name: other} for other in others]
                before[name] = option


def _recalled(
    answers: Mapping[object, Sequence[tuple[Choices, Atoms]]],
    reading: Choices,
    part: Slice,
    facts: Sequence[Symbol],
) -> Atoms | None:
    """The answer to a question under a reading, as far as it bears on the end of a run.

    The known *answers* are by what was asked, whatever the reading. They come with the choices by
    which a reading has them.
    """
    asked = frozenset(fact for fact in facts if fact.name != RULED[0])
    same = answers.get((id(part), asked), ())
    return next((atoms for made, atoms in same if made.items() <= reading.items()), None)


def _deciding_signatures(question: Query) -> list[Signature]:
    """What of an answer says how it goes on: of what is refused, only that it is and why.

    There is no answer where what follows depends on something hidden.
    """
    names = ACCOUNTING
    if any(atom.name == "asked" for atom in question.facts):
        names |= REASONING if question.atoms.get("legal", True) else OF_DOING
    return [signature for signature in question.part.shown if signature[0] not in names]
