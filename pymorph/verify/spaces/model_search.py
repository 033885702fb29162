"""A search over all positions of a domain: one grounding in which the position is left open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from clingo import Function, Model, Symbol, parse_term

from pymorph.asp.dependency import Statement, bounded, gives_readings, questions_read, written
from pymorph.asp.facts import HOLDS, Key, key_of, rulings
from pymorph.asp.open_program import OpenProgram, SolveLimits
from pymorph.errors import OutOfTime
from pymorph.ruleset.vocabulary import Declared
from pymorph.state.position import Position
from pymorph.terms import text_of
from pymorph.verify.effort import EFFORT
from pymorph.verify.report import Witness
from pymorph.verify.scope import Scope
from pymorph.verify.sources import encoding
from pymorph.verify.spaces.domain import HERE, Domain, action_keys, any_term

RULES = encoding("search")
LIMITS = SolveLimits(EFFORT.conflicts, EFFORT.search_seconds)


# The goals are sought in one search, one after the other, so what is learnt of one serves the next.
SEEKING, SOUGHT = Function("verify_seeking"), Function("verify_sought")


class OpenModel(NamedTuple):
    """A position that was found, and the action asked about in it."""

    position: Position
    action: Symbol | None

    @property
    def asked(self) -> Symbol:
        """The action, where one is asked about."""
        assert self.action is not None
        return self.action

    @property
    def witness(self) -> Witness:
        return Witness(self.position, "" if self.action is None else text_of(self.action))


@dataclass(eq=False)
class ModelSearch:
    """Positions of a domain in which atoms ``verify_goal(X)`` hold.

    *extra* are rules that say what a goal is, and *sought* the keys of what they read. With
    *schemas*, one action of these names is asked about, whichever; with *applied* it is carried
    out where it is legal. *facts* come along. *well_formed*: no other positions are looked at.
    *opening*: readings that nobody fixed are left open.

    What could not be settled in time is in *unsettled*, once the goals are *reached*.
    """

    scope: Scope
    domain: Domain
    extra: str
    sought: Iterable[Key]
    schemas: Sequence[Declared] = ()
    applied: bool = False
    facts: Sequence[str] = ()
    parts: Sequence[Statement] | None = None
    well_formed: bool = True
    opening: bool = False
    unsettled: set[Symbol] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        domain, words = self.domain, self.domain.words
        listed, ruled = domain.scene.listed, self.scope.rulings
        shared = Position(domain.ruleset, domain.board, listed, {}, ruled)
        given = shared.facts(HERE)  # in every position that is looked at
        given.insert(1, Function("checking", [HERE]))
        relevant = self._slice(given)
        names = self._fluents_read(relevant)
        self._preferences = list(domain.preferred(names))
        said = (part._replace(text=domain.unsaid.get(part.text, part.text)) for part in relevant)
        lines = [written(bounded(part, domain.ranges) for part in said)]
        lines += self._readings(relevant) if self.opening else []
        lines += domain.program(names)
        if self.schemas:
            actions = [action for schema in self.schemas for action in domain.actions(schema)]
            lines.append(f"1 {{ asked(({';'.join(map(str, actions))}),0) }} 1.")
            lines += [RULES["applying"]] if self.applied else []
        lines += ["#defined ill_formed/3. :- ill_formed(_,0,_)."] if self.well_formed else []
        summed = {key[2] for part in relevant for key, _ in part.signs.defines if key[0] == "total"}
        beyond = sorted(domain.narrowed.intersection(filter(None, summed)))
        lines += [RULES["beyond"].replace("@Q", any_term(words.figures[name])) for name in beyond]
        lines += [*self.facts, self.extra, RULES["goals"]]
        opened = {fluent.name for fluent in domain.opened(names)}
        fluents = [words.fluents[name] for name in opened]
        sorts = {sort for fluent in fluents for sort in (*fluent.sorts, fluent.value)}
        sorts |= {sort for schema in self.schemas for sort in schema.sorts}
        self.closed = not (sorts & domain.cut or opened & domain.shortened or beyond)
        self.program = OpenProgram("\n".join(lines), given, shared.geometry, OPTIONS)
        self.literals = {goal.arguments[0]: n for goal, n in self._literals("verify_goal", 1)}
        self._held = self._literals("holds", 3)
        self._asked = self._literals("asked", 2)
        self._read_as = self._literals("reading", 3) if self.opening else []
        self._settled = {x.arguments[0]: x for x, _ in self._literals("verify_settled", 1)}

    @cached_property
    def _free(self) -> Mapping[str, Sequence[str]]:
        """The questions whose readings are left open, with their options."""
        options, ruled = self.scope.ruleset.options, self.scope.rulings
        return {q: o for q, o in options.items() if self.opening and q not in ruled}

    def _slice(self, given: Iterable[Symbol]) -> list[Statement]:
        """The statements that bear on the goals, with what is given and what is left open."""
        words = self.scope.ruleset.vocabulary
        known = {key_of(fact) for fact in given} | rulings(self._free)
        known |= {(*HOLDS, name) for name in words.fluents}
        known |= {key for text in self.facts for key in keys_in(text)}
        self.sought = {*self.sought, *([("ill_formed", 3, None)] if self.well_formed else ())}
        for schema in self.schemas:
            known |= action_keys(schema.name, self.applied)
            if self.applied:
                self.sought |= {("legal", 2, schema.name), ("unfolds", 4, schema.name)}
        acting = {schema.name for schema in self.schemas}
        return bearing(self.scope, self.sought, known, acting, bool(self._free), self.parts)

    def _fluents_read(self, relevant: Iterable[Statement]) -> frozenset[str] | None:
        """The names of the fluents that the goals and their rules read; None: any."""
        read = chain(self.sought, *(part.signs.uses for part in relevant))
        names = {key[2] for key in read if key[:2] == HOLDS}
        return None if None in names else frozenset(filter(None, names))

    def _literals(self, name: str, arity: int) -> list[tuple[Symbol, int]]:
        """The atoms of a predicate, each with its literal, but for those of other situations."""
        atoms = self.program.control.symbolic_atoms.by_signature(name, arity)
        here = (atom for atom in atoms if arity == 1 or atom.symbol.arguments[-1] == HERE)
        return [(atom.symbol, atom.literal) for atom in here]

    def _readings(self, relevant: Sequence[Statement]) -> Iterator[str]:
        """How the questions that statements read are read: where that is left open, as is usual
        rather than otherwise."""
        usual = self.scope.reading
        for question in questions_read(relevant, usual):
            option = usual[question]
            if question in self._free:
                yield f"1 {{ reading({question},({';'.join(self._free[question])}),0) }} 1."
                rather = f"1@3,{question} : not reading({question},{option},0)"
                self._preferences.append(f"#minimize {{ {rather} }}.")
            else:
                yield f"reading({question},{option},0)."

    # -- solving ---------------------------------------------------------------------------------

    def _read(self, model: Model) -> OpenModel:
        held = [symbol for symbol, literal in self._held if model.is_true(literal)]
        asked = [s.arguments[0] for s, literal in self._asked if model.is_true(literal)]
        usual = self.scope.reading
        chosen = [symbol.arguments for symbol, literal in self._read_as if model.is_true(literal)]
        other = {q.name: o.name for q, o, _ in chosen if usual[q.name] != o.name}
        position = self.domain.position(held, {**self.scope.rulings, **other})
        return OpenModel(position, asked[0] if asked else None)

    def _models(self, goal: Symbol, most: int = 1) -> list[OpenModel]:
        if goal not in self.literals:
            return []
        return self.program.models(self._read, [self.literals[goal]], most, LIMITS)

    def some(self, goal: Symbol) -> OpenModel | None:
        """Any position with a goal."""
        return next(iter(self._models(goal)), None)

    def smallest(self, goal: Symbol) -> OpenModel | None:
        """A position with a goal in which as much as possible is as usual, and numbers are low."""
        model = self.some(goal)  # that there is none is seen soonest so
        if model is not None:
            if self._preferences:  # which most searches need not know
                self.program.control.add("preferred", [], "\n".join(self._preferences))
                self.program.control.ground([("preferred", [])])
                self._preferences = []
            with suppress(OutOfTime):
                *_, model = self._models(goal, 0)
        return model

    def example(self, goal: Symbol) -> OpenModel:
        """The smallest position with a goal that some position reaches."""
        model = self.smallest(goal)
        assert model is not None
        return model

    def goals(self, *names: str) -> list[Symbol]:
        """The goals of some names that some position reaches, in order."""
        return sorted(goal for goal in self.reached if goal.name in names)

    def late(self, *names: str) -> list[Symbol]:
        """The goals of some names that could not be settled in time, in order."""
        return sorted(goal for goal in self.unsettled if goal.name in names)

    def examples(
        self, names: Sequence[str], about: Callable[[Symbol], object]
    ) -> Iterator[tuple[Symbol, OpenModel]]:
        """The first goal of some names that is reached of those *about* the same, with its smallest
        position; a position is sought when it is asked for."""
        seen: set[object] = set()
        for goal in self.goals(*names):
            if about(goal) not in seen:
                seen.add(about(goal))
                yield goal, self.example(goal)

    @cached_property
    def reached(self) -> set[Symbol]:
        """Each goal that some position reaches.

        What could not be settled in time stands in *unsettled* then.
        """
        goals: set[Symbol] = set()

        def fresh(model: Model) -> list[Symbol]:
            satisfied = (g for g, literal in self.literals.items() if model.is_true(literal))
            return [goal for goal in satisfied if goal not in goals]

        def reaches(literal: int, limits: SolveLimits = LIMITS) -> bool:
            models = self.program.models(fresh, [literal], 1, limits)
            for goal in chain.from_iterable(models):
                self.program.control.assign_external(self._settled[goal], True)
                goals.add(goal)
            return bool(models)

        sought = self.program.control.symbolic_atoms[SOUGHT]
        if sought is None:
            return goals
        self.program.control.assign_external(SEEKING, True)
        try:
            while reaches(sought.literal, LIMITS._replace(conflicts=EFFORT.conflicts_of_all)):
                pass
        except OutOfTime:
            for goal in sorted(self.literals.keys() - goals):
                if goal not in goals:
                    try:
                        reaches(self.literals[goal])
                    except OutOfTime:
                        self.unsettled.add(goal)
        for symbol in (*self._settled.values(), SEEKING):
            self.program.control.assign_external(symbol, False)
        self.unsettled -= goals
        return goals

    def counted(self, goal: Symbol | None = None) -> int:
        """How many positions there are, or with a goal; counting stops at *most*."""
        if goal is not None and goal not in self.literals:
            return 0
        assumed = [] if goal is None else [self.literals[goal]]
        return len(self.program.models(lambda _: None, assumed, EFFORT.positions_counted, LIMITS))

    def counts(self, goal: Symbol) -> tuple[int, int, bool]:
        """How many positions there are, how many with a goal, and whether counting stopped."""
        having = self.counted(goal)
        looked = having if having >= EFFORT.positions_counted else self.counted()
        return looked, having, max(looked, having) >= EFFORT.positions_counted


# Many restarts: of what takes long by one way, most is found soon by another.
OPTIONS = (
    "-t1", "--configuration=tweety", "--restarts=L,30", "--save-progress=0",
    "--opt-strategy=usc", "--seed=1",
)  # fmt: skip


def bearing(
    scope: Scope,
    sought: Iterable[Key],
    known: Iterable[Key],
    acting: Collection[str],
    opening: bool,
    parts: Sequence[Statement] | None = None,
) -> list[Statement]:
    """The statements that bear on what is *sought*, where facts are *known*.

    If actions of some names are asked about, others need not be proposed, unless rules read that.
    *opening*: how questions are read is left open, so no statement says that.
    """
    index = scope.sources.index(parts)
    every = scope.ruleset.reads_proposals or not acting
    idle = () if every else index.proposing_others(acting)
    relevant = index.leading_to(sought, index.firing(known, idle), figured=True)
    return [part for part in relevant if not (opening and gives_readings(part))]


def keys_in(text: str) -> list[Key]:
    """The keys of a fact that is given as text, or of those of which one may hold."""
    if not text.startswith("{"):
        return [key_of(parse_term(text.removesuffix(".")))]
    name, _, rest = text.lstrip("{ ").partition("(")
    return [(name.strip(), rest.count(",") + 1, None)]
