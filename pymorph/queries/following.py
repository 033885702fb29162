"""What a whole course of questions comes to, under every reading.

It is gone through under one reading. Each question on the way is asked again with the readings
open, which tells the choices by which its answer stays the same, as far as it bears on what comes
of it all. What other readings there are is gone through under one of those.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from clingo import Symbol

from pymorph.facts import Key, Signature
from pymorph.partition import Choices
from pymorph.queries.opening import Opened
from pymorph.ruleset import Ruleset
from pymorph.slices import Slice
from pymorph.solver import Asked, Atoms

Found = TypeVar("Found")

# What is shown to be told only; what follows from carrying out an action; changes of fluents.
ACCOUNTING = frozenset({"accounts", "entry", "total", "never", "finding", "ground"})
OF_DOING = frozenset({"sets", "clears", "adds", "happens", "halts", "unfolds"})
CHANGING = frozenset({"sets", "clears", "adds"})
REASONING = frozenset({"reason", "waits"})


@dataclass(frozen=True, slots=True)
class Bearing:
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

    def before(self, fluents: frozenset[str] | None) -> Bearing:
        """The same before a question that hangs on some fluents."""
        if self.fluents is None or fluents is None:
            return Bearing(None, self.events)
        return Bearing(self.fluents | fluents, self.events)


EVERYTHING = Bearing()


@dataclass(frozen=True, slots=True)
class Trace(Generic[Found]):
    """What was *found*, what was *asked* for it in order, and what of the last answer bears on it.

    With *stepwise*, each question is about the position that those before it led to. A *coarse* one
    has too many questions to ask them again: it is said of the reading that it was gone through
    under, in whatever they look at.
    """

    found: Found
    asked: Sequence[Asked] = ()
    bearing: Bearing = EVERYTHING
    stepwise: bool = False
    coarse: bool = False


Question = tuple[int, frozenset[Symbol]]  # what is asked, whatever the reading


class Memory:
    """Answers that are known, each with the choices of a reading by which it is that one."""

    def __init__(self) -> None:
        self._known: dict[Question, list[tuple[Choices, Atoms]]] = defaultdict(list)
        self.reading: Choices = {}

    def recall(self, part: Slice, facts: Sequence[Symbol]) -> Atoms | None:
        """The answer to a question under the reading in force, as far as it bears on the end."""
        for choices, atoms in self._known.get(_question(part, facts), ()):
            if choices.items() <= self.reading.items():
                return atoms
        return None

    def keep(self, asked: Asked, choices: Choices) -> None:
        """Remember an answer for all readings that make these choices."""
        known = self._known[_question(asked.part, asked.facts)]
        if not any(atoms is asked.atoms for _, atoms in known):
            known.append((dict(choices), asked.atoms))


def explored(
    ruleset: Ruleset,
    fixed: Choices,
    defaults: Choices,
    run: Callable[[Choices, Memory], Trace[Found]],
) -> Iterator[tuple[Choices, Found]]:
    """What comes of a course of questions, by readings under which it goes alike.

    *run* goes through it under one reading, of which it is given the choices that are not by
    default, and may recall what was asked before.
    """
    memory = Memory()
    agenda: list[Choices] = [fixed]
    known: dict[object, Opened] = {}
    while agenda:
        here = agenda.pop(0)
        reading = memory.reading = {**defaults, **here}
        trace = run(here, memory)
        needed = dict(here)
        bearing = trace.bearing
        for question in reversed(trace.asked):
            signatures = _telling(question)
            wanted = [key for signature in signatures for key in bearing.keys(signature)]
            for facts in _by_situation(question):
                opening = question.part.opened(facts, ruleset.options, ruleset.bounds, wanted)
                if needed.keys() >= set(opening.questions):
                    continue
                if trace.coarse:
                    needed.update((name, reading[name]) for name in opening.questions)
                    continue
                key = (id(question.part), frozenset(facts), tuple(wanted))
                if key not in known:
                    known[key] = Opened(
                        ruleset, question.part, facts, question.geometry, fixed, wanted, signatures
                    )
                needed.update(known[key].kept_by(reading, needed, bearing.about))
            memory.keep(question, needed)
            if trace.stepwise:
                bearing = bearing.before(question.part.fluents(question.facts, wanted))
        yield needed, trace.found
        before = dict(here)
        for name, option in needed.items():
            if name not in here:
                others = [other for other in ruleset.options[name] if other != option]
                agenda += [{**before, name: other} for other in others]
                before[name] = option


def _question(part: Slice, facts: Iterable[Symbol]) -> Question:
    return id(part), frozenset(fact for fact in facts if fact.name != "ruled")


def _telling(question: Asked) -> list[Signature]:
    """What of an answer says how it goes on: of what is refused, only that it is and why."""
    names = ACCOUNTING
    if any(atom.name == "asked" for atom in question.facts):
        names |= REASONING if question.atoms.get("legal") else OF_DOING
    return [signature for signature in question.part.shown if signature[0] not in names]


def _by_situation(question: Asked) -> list[list[Symbol]]:
    """The facts of each situation of a question that was asked of many at once."""
    found: dict[Symbol, list[Symbol]] = defaultdict(list)
    for fact in question.facts:
        if fact.name == "ruled":
            continue
        found[fact.arguments[1 if fact.name == "does" else -1]].append(fact)
    return list(found.values())
