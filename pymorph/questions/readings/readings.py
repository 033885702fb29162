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
from typing import TYPE_CHECKING, Generic, TypeVar

from clingo import Function, MessageCode, Model, Symbol

from pymorph.asp.dependency import Slice
from pymorph.asp.facts import RULED, VEILED, Facts, Key, Signature
from pymorph.asp.grounding import IGNORED, Atoms, grounded
from pymorph.asp.solver import Query
from pymorph.questions.readings.hidden_readings import VeiledReadings
from pymorph.questions.readings.partition import Answered, Choices
from pymorph.ruleset.loader import Ruleset

if TYPE_CHECKING:
    from pymorph.board.lengths.measuring import Context
    from pymorph.ruleset.loader import Ruleset

ABOUT_ANY: Callable[[Symbol], bool] = lambda _: True  # noqa: E731


class OpenReadings:
    """One question with the readings open, but for those that are *fixed*."""

    def __init__(
        self,
        ruleset: Ruleset,
        part: Slice,
        facts: Iterable[Symbol],
        geometry: Context | None,
        fixed: Choices,
        wanted: Iterable[Key] = (),
        compared: Sequence[Signature] = (),
        proposing: frozenset[str] | None = None,
    ) -> None:
        told = [fact for fact in facts if (fact.name, len(fact.arguments)) != RULED]
        every = ruleset.options
        told += [Function("left_open", [Function(q)]) for q in every if q not in fixed]
        opening = part.open_program(told, every, ruleset.bounds, wanted, proposing)
        situations = [fact.arguments[0] for fact in told if fact.name == "situation"]
        self.questions = {q: every[q] for q in opening.questions if q not in fixed}
        for question in opening.questions:
            if question in fixed:
                words = [Function(question), Function(fixed[question])]
                told += [Function("reading", [*words, here]) for here in situations]
        lines = []
        if self.questions:
            first, *others = situations
            for question, options in self.questions.items():
                lines.append(f"1 {{ reading({question}, ({'; '.join(options)}), {first}) }} 1.")
            for here in others:
                lines += [
                    f"reading({q}, O, {here}) :- reading({q}, O, {first})." for q in self.questions
                ]
        compared = compared or part.shown
        lines += [f"#show {name}/{arity}." for name, arity in compared]
        ignored = IGNORED | {MessageCode.OperationUndefined}
        program = "\n".join((opening.text, *lines))
        self._control = grounded(program, told, geometry, ignored)
        self.certain: list[Symbol] = []
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
        found: list[Answered] = []

        def keep(model: Model) -> None:
            found[:] = [
                Answered(
                    {q: o for (q, o), literal in self._choices.items() if model.is_true(literal)},
                    frozenset(symbol for symbol, literal in wanted if model.is_true(literal)),
                )
            ]

        solving = self._control.configuration.solve
        solving.enum_mode = mode  # type: ignore[union-attr]
        solving.models = 1 if mode == "auto" else 0  # type: ignore[union-attr]
        self._control.solve(assumptions=list(literals), on_model=keep)
        return found[0]

    def _assumed(self, choices: Choices) -> list[int]:
        return [self._choices[item] for item in choices.items() if item in self._choices]

    def under(self, reading: Choices) -> Answered:
        """The answer under one reading: of its choices, those that this question looks at."""
        chosen = {question: reading[question] for question in self.questions}
        return self._solve("auto", self._assumed(chosen), self._literals)

    def _holds(self, atom: Symbol, reading: Choices) -> bool:
        return bool(self._solve("auto", self._assumed(reading), [atom]).atoms)

    def open_atoms(self, choices: Choices, about: Callable[[Symbol], bool]) -> list[Symbol]:
        """The atoms that hold under some of the readings with these choices, but not under all."""
        wanted = [atom for atom in self._literals if about(atom)]
        if not wanted:
            return []
        assumed = self._assumed(choices)
        brave = self._solve("brave", assumed, wanted)
        cautious = self._solve("cautious", assumed, wanted)
        return sorted(brave.atoms - cautious.atoms)

    def _pair(self, atom: Symbol, choices: Choices) -> tuple[Choices, Choices]:
        """A reading with an atom, and one without it."""
        assumed, literal = self._assumed(choices), self._literals[atom]
        having = self._solve("auto", [*assumed, literal], ())
        lacking = self._solve("auto", [*assumed, -literal], ())
        return having.reading, lacking.reading

    # -- walking ---------------------------------------------------------------------------------

    def cells(
        self, choices: Choices, about: Callable[[Symbol], bool] = ABOUT_ANY, most: int = 0
    ) -> Iterator[tuple[dict[str, str], bool]]:
        """Cells of readings with one answer each, by the choices that make them.

        Only atoms that the answer is *about* count. With *most*, what is left over when there are
        more cells than that comes in cells whose readings may differ in their answers: whether all
        in a cell are known to be alike is told with it.
        """
        agenda = [dict(choices)]
        given = 0
        while agenda:
            here = agenda.pop(0)
            looked = not most or given + len(agenda) < most
            varying = self.open_atoms(here, about) if looked else []
            if not varying:
                given += 1
                yield here, looked
                continue
            having, lacking = self._pair(varying[0], here)
            pivot = self._pivot(having, lacking, varying[0], holds=True)
            agenda += [{**here, pivot: option} for option in self.questions[pivot]]

    def _pivot(self, one: Choices, other: Choices, atom: Symbol, holds: bool) -> str:
        """A question that alone turns *atom*, on the way from one reading to another.

        *holds*: does it hold under the first? It does not under the other then, or the reverse.
        """
        ways = [q for q in sorted(self.questions) if one[q] != other[q]]
        low, high = 0, len(ways)
        while high - low > 1:
            middle = (low + high) // 2
            step = {**one, **{q: other[q] for q in ways[:middle]}}
            if self._holds(atom, step) == holds:
                low = middle
            else:
                high = middle
        return ways[low]

    def choices_keeping(
        self, reading: Choices, given: Choices, about: Callable[[Symbol], bool] = ABOUT_ANY
    ) -> dict[str, str]:
        """Choices of *reading* by which the answer is as under it, in what it is *about*.

        They come on top of those *given*, which it makes too.
        """
        chosen = {question: reading[question] for question in self.questions}
        needed = dict(given)
        while varying := self.open_atoms(needed, about):
            atom = varying[0]
            holds = self._holds(atom, chosen)
            literal = -self._literals[atom] if holds else self._literals[atom]
            other = self._solve("auto", [*self._assumed(needed), literal], ())
            pivot = self._pivot(chosen, other.reading, atom, holds)
            needed[pivot] = chosen[pivot]
        return needed


def opened(
    ruleset: Ruleset,
    part: Slice,
    facts: Iterable[Symbol],
    geometry: Context | None,
    fixed: Choices,
    wanted: Sequence[Key] = (),
    compared: Sequence[Signature] = (),
    proposing: frozenset[str] | None = None,
) -> OpenReadings | VeiledReadings:
    """One question with the readings open, be something hidden or not; see `OpenReadings`."""
    told = Facts.of(facts)
    kind = VeiledReadings if VEILED in told.keys else OpenReadings
    return kind(ruleset, part, told, geometry, fixed, wanted, compared, proposing)


_T = TypeVar("_T")
# What is shown to be told only; what follows from carrying out an action; changes of fluents.
ACCOUNTING = frozenset({"accounts", "entry", "total", "never", "finding", "ground"})
OF_DOING = frozenset({"sets", "clears", "adds", "happens", "halts", "unfolds"})
CHANGING = frozenset({"sets", "clears", "adds"})
REASONING = frozenset({"reason", "waits"})


@dataclass(frozen=True, slots=True)
class Cone:
    """What bears on the end of a course: fluents and events by their names; None: all."""

    fluents: frozenset[str] | None = None
    events: frozenset[str] | None = None

    def about(self, atom: Symbol) -> bool:
        """Does an atom of an answer bear on it?"""
        if atom.name in CHANGING and self.fluents is not None:
            return atom.arguments[0].name in self.fluents
        if atom.name == "happens" and self.events is not None:
            return atom.arguments[0].name in self.events
        return True

    def keys(self, signature: Signature) -> Iterator[Key]:
        """The atoms of a signature that bear on it."""
        names: frozenset[str] | None = None
        if signature[0] in CHANGING:
            names = self.fluents
        elif signature[0] == "happens":
            names = self.events
        if names is None:
            yield (*signature, None)
        else:
            yield from ((*signature, name) for name in sorted(names))

    def before(self, fluents: frozenset[str] | None) -> Cone:
        """The same before a question that hangs on some fluents."""
        if self.fluents is None or fluents is None:
            return Cone(None, self.events)
        return Cone(self.fluents | fluents, self.events)


EVERYTHING = Cone()


@dataclass(frozen=True, slots=True)
class Trace(Generic[_T]):
    """What was *found*, what was *asked* for it in order, and what of the last answer bears on it.

    With *stepwise*, each question is about the position that those before it led to. A *coarse* one
    has too many questions to ask them again: it is said of the reading that it was gone through
    under, in whatever they look at.
    """

    found: _T
    asked: Sequence[Query] = ()
    bearing: Cone = EVERYTHING
    stepwise: bool = False
    coarse: bool = False


ReadingQuery = tuple[int, frozenset[Symbol]]  # what is asked, whatever the reading


class Memory:
    """Answers that are known, each with the choices of a reading by which it is that one."""

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
    run: Callable[[Choices, Memory], Trace[_T]],
) -> Iterator[tuple[Choices, _T]]:
    """What comes of a course of questions, by readings under which it goes alike.

    *run* goes through it under one reading, of which it is given the choices that are not by
    default, and may recall what was asked before.
    """
    memory = Memory()
    agenda: list[Choices] = [fixed]
    known: dict[object, OpenReadings | VeiledReadings] = {}
    while agenda:
        here = agenda.pop(0)
        reading = memory.reading = {**defaults, **here}
        trace = run(here, memory)
        needed = dict(here)
        bearing = trace.bearing
        for question in reversed(trace.asked):
            signatures = _deciding_signatures(question)
            bears = [key for signature in signatures for key in bearing.keys(signature)]
            wanted = [(*signature, None) for signature in signatures]
            whole: dict[str, str] = {}  # by which all of the answer is as it is
            for facts in _by_situation(question):
                opening = question.part.open_program(facts, ruleset.options, ruleset.bounds, wanted)
                looked_at = {name: reading[name] for name in opening.questions}
                if trace.coarse:
                    needed.update(looked_at)
                if needed.keys() >= looked_at.keys():
                    whole.update(looked_at)
                    continue
                key = (id(question.part), frozenset(facts), tuple(signatures))
                if key not in known:
                    known[key] = opened(
                        ruleset, question.part, facts, question.geometry, fixed, wanted, signatures
                    )
                needed.update(known[key].choices_keeping(reading, needed, bearing.about))
                whole.update(known[key].choices_keeping(reading, whole))
            if question.atoms:  # it has an answer
                memory.keep(question, whole)
            if trace.stepwise:
                bearing = bearing.before(question.part.fluents(question.facts, bears))
        yield needed, trace.found
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
    found: dict[Symbol, list[Symbol]] = defaultdict(list)
    for fact in question.facts:
        if fact.name == "ruled":
            continue
        found[fact.arguments[1 if fact.name == "does" else -1]].append(fact)
    return list(found.values())
