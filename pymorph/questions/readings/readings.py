"""Questions asked under every reading at once: one grounding in which readings are left open.

All of an answer follows from the readings, so the program has one answer set for each of them.
What all have is its cautious consequences, what some have its brave ones; where these are the same
nothing depends on a reading. Otherwise there are two readings with different answers: going from
one to the other, halving the way, leads to a question that turns it; and so on for each of its
options.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from clingo import Function, MessageCode, Model, Symbol

from pymorph.asp.dependency import Slice
from pymorph.asp.facts import VEILED, Facts, Key, Signature
from pymorph.asp.grounding import IGNORED, Atoms, grounded
from pymorph.asp.solver import Query
from pymorph.questions.readings.hidden_readings import About, ReadingsQuery, VeiledReadings
from pymorph.questions.readings.partition import Answered, Choices
from pymorph.ruleset.loader import Ruleset


class OpenReadings(ReadingsQuery):
    """A question about a position with nothing hidden: one program for all readings."""

    def _openings(self, questions: Iterable[str]) -> list[Symbol]:
        return [Function("left_open", [Function(question)]) for question in questions]

    def _prepare(self, program: str, compared: Sequence[Signature]) -> None:
        situations = [fact.arguments[0] for fact in self._facts if fact.name == "situation"]
        given = list(self._facts)
        for question, option in self._fixed.items():
            words = [Function(question), Function(option)]
            given += [Function("reading", [*words, here]) for here in situations]
        lines = []
        if self.questions:
            first, *others = situations
            for question, options in self.questions.items():
                lines.append(f"1 {{ reading({question}, ({'; '.join(options)}), {first}) }} 1.")
            for here in others:
                lines += [
                    f"reading({q}, O, {here}) :- reading({q}, O, {first})." for q in self.questions
                ]
        lines += [f"#show {name}/{arity}." for name, arity in compared]
        ignored = IGNORED | {MessageCode.OperationUndefined}
        text = "\n".join((program, *lines))
        self._control = grounded(text, given, self._geometry, ignored)
        self._literals: dict[Symbol, int] = {}
        for name, arity in compared:
            for atom in self._control.symbolic_atoms.by_signature(name, arity):
                if atom.is_fact:
                    self.certain.append(atom.symbol)
                else:
                    self._literals[atom.symbol] = atom.literal
        self._choices = {
            (question, option): self._literal(question, option, situations[0])
            for question, options in self.questions.items()
            for option in options
        }

    def _literal(self, question: str, option: str, here: Symbol) -> int:
        atom = self._control.symbolic_atoms[
            Function("reading", [Function(question), Function(option), here])
        ]
        assert atom is not None
        return atom.literal

    # -- solving ---------------------------------------------------------------------------------

    def _solve(self, mode: str, literals: Sequence[int], atoms: Iterable[Symbol]) -> Answered:
        """The last model of a search that has one, which in the modes of consequences is their set.

        Of its atoms only those that are among *atoms*.
        """
        wanted = [(symbol, self._literals[symbol]) for symbol in atoms]
        models: list[Answered] = []

        def keep(model: Model) -> None:
            models[:] = [
                Answered(
                    {q: o for (q, o), literal in self._choices.items() if model.is_true(literal)},
                    frozenset(symbol for symbol, literal in wanted if model.is_true(literal)),
                )
            ]

        solving = self._control.configuration.solve
        solving.enum_mode = mode  # type: ignore[union-attr]
        solving.models = 1 if mode == "auto" else 0  # type: ignore[union-attr]
        self._control.solve(assumptions=list(literals), on_model=keep)
        return models[0]

    def _assumed(self, choices: Choices) -> list[int]:
        return [self._choices[item] for item in choices.items() if item in self._choices]

    def under(self, reading: Choices) -> Answered:
        chosen = {question: reading[question] for question in self.questions}
        return self._solve("auto", self._assumed(chosen), self._literals)

    def _holds(self, atom: Symbol, reading: Choices) -> bool:
        return bool(self._solve("auto", self._assumed(reading), [atom]).atoms)

    def open_atoms(self, choices: Choices, about: About) -> list[Symbol]:
        wanted = [atom for atom in self._literals if about(atom)]
        if not wanted:
            return []
        assumed = self._assumed(choices)
        brave = self._solve("brave", assumed, wanted)
        cautious = self._solve("cautious", assumed, wanted)
        return sorted(brave.atoms - cautious.atoms)

    def pivot(self, choices: Choices, about: About, reading: Choices | None = None) -> str | None:
        varying = self.open_atoms(choices, about)
        if not varying:
            return None
        atom, assumed = varying[0], self._assumed(choices)
        literal = self._literals[atom]
        holds = reading is None or self._holds(atom, reading)
        one = reading or self._solve("auto", [*assumed, literal], ()).reading
        other = self._solve("auto", [*assumed, -literal if holds else literal], ()).reading
        turned = [q for q in sorted(self.questions) if one[q] != other[q]]
        low, high = 0, len(turned)
        while high - low > 1:  # halve the way from one reading to the other
            middle = (low + high) // 2
            step = {**one, **{q: other[q] for q in turned[:middle]}}
            if self._holds(atom, step) == holds:
                low = middle
            else:
                high = middle
        return turned[low]


def query_class(facts: Iterable[Symbol]) -> type[ReadingsQuery]:
    """The class of a query with open readings, by whether its facts have something hidden."""
    return VeiledReadings if VEILED in Facts.of(facts).keys else OpenReadings


_T = TypeVar("_T")
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


EVERYTHING = Cone()


@dataclass(frozen=True, slots=True)
class Trace(Generic[_T]):
    """A *result*, the queries *asked* for it in order, and what of the last answer bears on it.

    With *stepwise*, each question is about the position that those before it led to. A *coarse* one
    has too many questions to ask them again: it is said of the reading that it was gone through
    under, in whatever they look at.
    """

    result: _T
    asked: Sequence[Query] = ()
    bearing: Cone = EVERYTHING
    stepwise: bool = False
    coarse: bool = False


ReadingQuery = tuple[int, frozenset[Symbol]]  # what is asked, whatever the reading


class AnswerCache:
    """Known answers, each with the choices of a reading by which it is that one."""

    def __init__(self) -> None:
        self._known: dict[ReadingQuery, list[tuple[Choices, Atoms]]] = defaultdict(list)
        self.reading: Choices = {}

    def recall(self, part: Slice, facts: Sequence[Symbol]) -> Atoms | None:
        """The answer to a question under the reading in force, as far as it bears on the end."""
        for choices, atoms in self._known.get(_question(part, facts), ()):
            if choices.items() <= self.reading.items():
                return atoms
        return None

    def keep(self, asked: Query, choices: Choices) -> None:
        """Remember an answer for all readings that make these choices."""
        known = self._known[_question(asked.part, asked.facts)]
        if not any(atoms is asked.atoms for _, atoms in known):
            known.append((dict(choices), asked.atoms))


def explore(
    ruleset: Ruleset,
    fixed: Choices,
    defaults: Choices,
    run: Callable[[Choices, AnswerCache], Trace[_T]],
) -> Iterator[tuple[Choices, _T]]:
    """The results of a run of queries, by readings under which it goes alike.

    *run* is called for one reading, with the choices that are not by default and the cache of
    earlier answers.
    """
    cache = AnswerCache()
    agenda: list[Choices] = [fixed]
    known: dict[object, ReadingsQuery] = {}
    while agenda:
        here = agenda.pop(0)
        reading = cache.reading = {**defaults, **here}
        trace = run(here, cache)
        needed = dict(here)
        bearing = trace.bearing
        for question in reversed(trace.asked):
            signatures = _deciding_signatures(question)
            bears = [key for signature in signatures for key in bearing.keys(signature)]
            wanted = [(*signature, None) for signature in signatures]
            by_answer: dict[str, str] = {}  # by which all of the answer is as it is
            for facts in _by_situation(question):
                opening = question.part.open_program(facts, ruleset.options, ruleset.bounds, wanted)
                looked_at = {name: reading[name] for name in opening.questions}
                if trace.coarse:
                    needed.update(looked_at)
                if needed.keys() >= looked_at.keys():
                    by_answer.update(looked_at)
                    continue
                key = (id(question.part), frozenset(facts), tuple(signatures))
                if key not in known:
                    known[key] = query_class(facts)(
                        ruleset, question.part, facts, question.geometry, fixed, wanted, signatures
                    )
                needed.update(known[key].choices_keeping(reading, needed, bearing.about))
                by_answer.update(known[key].choices_keeping(reading, by_answer))
            if question.atoms:  # it has an answer
                cache.keep(question, by_answer)
            if trace.stepwise:
                bearing = bearing.before(question.part.fluents(question.facts, bears))
        yield needed, trace.result
        before = dict(here)
        for name, option in needed.items():
            if name not in here:
                others = [other for other in ruleset.options[name] if other != option]
                agenda += [{**before, name: other} for other in others]
                before[name] = option


def _question(part: Slice, facts: Iterable[Symbol]) -> ReadingQuery:
    return id(part), frozenset(fact for fact in facts if fact.name != "ruled")


def _deciding_signatures(question: Query) -> list[Signature]:
    """What of an answer says how it goes on: of what is refused, only that it is and why."""
    names = ACCOUNTING
    if any(atom.name == "asked" for atom in question.facts):
        names |= REASONING if question.atoms.get("legal") else OF_DOING
    return [signature for signature in question.part.shown if signature[0] not in names]


def _by_situation(question: Query) -> list[list[Symbol]]:
    """The facts of each situation of a question that was asked of many at once."""
    by_situation: dict[Symbol, list[Symbol]] = defaultdict(list)
    for fact in question.facts:
        if fact.name == "ruled":
            continue
        by_situation[fact.arguments[1 if fact.name == "does" else -1]].append(fact)
    return list(by_situation.values())
