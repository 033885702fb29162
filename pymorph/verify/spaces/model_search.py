"""A search over all positions of a domain: one grounding in which the position is left open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from clingo import Function, MessageCode, Model, Symbol, parse_term

from pymorph.asp.dependency import Statement, bounded, written
from pymorph.asp.facts import DEFAULT, HOLDS, READING, Key, key_of, rulings
from pymorph.asp.grounding import IGNORED, grounded
from pymorph.errors import OutOfTime
from pymorph.ruleset.vocabulary import Declared
from pymorph.state.position import Position
from pymorph.terms import text_of
from pymorph.verify.report import Witness
from pymorph.verify.scope import Scope
from pymorph.verify.spaces.domain import HERE, Domain, action_keys, any_term

QUIET = IGNORED | {MessageCode.OperationUndefined}
COUNTED = 10
PATIENCE = 40_000  # conflicts that one search may meet with, so that every run is alike
HASTE = 10_000  # conflicts for all goals together
LONGEST = 30.0  # seconds


# The goals are sought in one search, one after the other, so what is learnt of one serves the next.
SEEKING, SOUGHT = Function("verify_seeking"), Function("verify_sought")
GOALS = """
#defined verify_goal/1.
#external verify_seeking.
#external verify_settled(X) : verify_goal(X).
{ verify_sought(X) : verify_goal(X), not verify_settled(X) } 1 :- verify_seeking.
verify_sought :- verify_sought(_).
"""
# What is asked about is carried out.
APPLYING = """
#defined unfolds/4.
does(A,0,0) :- asked(A,0), legal(A,0), not unfolds(A,_,_,0).
"""
# No positions are looked at in which a figure goes further than the bounds have it.
BEYOND = """
#defined never/3. #defined unknown/4.
:- entry(Q,_,_,S,_), Q = @Q, not never(Q,S,_), not unknown(Q,_,S,_), not total(Q,_,S).
"""


@dataclass(frozen=True, slots=True)
class OpenModel:
    """A position that was found, and the action asked about in it."""

    position: Position
    action: Symbol | None

    @property
    def witness(self) -> Witness:
        return Witness(self.position, "" if self.action is None else text_of(self.action))


class ModelSearch:
    """Positions of a domain in which atoms ``verify_goal(X)`` hold.

    *extra* are rules that say what a goal is, and *sought* the keys of what they read. With
    *schemas*, one action of these names is asked about, whichever; with *applied* it is carried
    out where it is legal. *facts* come along. *well_formed*: no other positions are looked at.
    *opening*: readings that nobody fixed are left open.
    """

    def __init__(
        self,
        scope: Scope,
        domain: Domain,
        extra: str,
        sought: Iterable[Key],
        schemas: Sequence[Declared] = (),
        applied: bool = False,
        facts: Sequence[str] = (),
        parts: Sequence[Statement] | None = None,
        well_formed: bool = True,
        opening: bool = False,
    ) -> None:
        self.scope, self.domain = scope, domain
        ruleset, words = scope.ruleset, scope.ruleset.vocabulary
        self.rulings = dict(scope.rulings)
        free = {q: o for q, o in ruleset.options.items() if opening and q not in self.rulings}
        given = self._facts()
        known = {key_of(fact) for fact in given} | rulings(free)
        known |= {(*HOLDS, name) for name in words.fluents}
        known |= {key for text in facts for key in keys_in(text)}
        sought = {*sought, *([("ill_formed", 3, None)] if well_formed else ())}
        for schema in schemas:
            known |= action_keys(schema.name, applied)
            if applied:
                sought |= {("legal", 2, schema.name), ("unfolds", 4, schema.name)}
        index = scope.sources.index(parts)
        idle = index.proposing_others({schema.name for schema in schemas})
        among = index.firing(known, () if ruleset.reads_proposals or not schemas else idle)
        relevant = index.leading_to(sought, among, figured=True)
        read = {key[2] for key in sought if key[:2] == HOLDS}
        read |= {key[2] for part in relevant for key in part.signs.reads if key[:2] == HOLDS}
        names = None if None in read else frozenset(filter(None, read))
        if free:
            relevant = [part for part in relevant if not gives_readings(part)]
        self._preferences = list(domain.preferred(names))
        said = (part._replace(text=domain.unsaid.get(part.text, part.text)) for part in relevant)
        lines = [written(bounded(part, domain.ranges) for part in said)]
        lines += self._readings(relevant, free) if opening else []
        lines += domain.program(names)
        if schemas:
            actions = [action for schema in schemas for action in domain.actions(schema)]
            lines.append(f"1 {{ asked(({';'.join(map(str, actions))}),0) }} 1.")
            lines += [APPLYING] if applied else []
        lines += ["#defined ill_formed/3. :- ill_formed(_,0,_)."] if well_formed else []
        summed = {key[2] for part in relevant for key, _ in part.signs.gives if key[0] == "total"}
        beyond = sorted(domain.narrowed.intersection(filter(None, summed)))
        lines += [BEYOND.replace("@Q", any_term(words.figures[name])) for name in beyond]
        lines += [*facts, extra, GOALS]
        opened = {fluent.name for fluent in domain.opened(names)}
        sorts = {
            s for name in opened for s in (*words.fluents[name].sorts, words.fluents[name].value)
        }
        sorts |= {sort for schema in schemas for sort in schema.sorts}
        self.closed = not (sorts & domain.cut or opened & domain.shortened or beyond)
        self.unsettled: set[Symbol] = set()
        geometry = domain.position([], {}).geometry
        self.control = grounded("\n".join(lines), given, geometry, QUIET, OPTIONS)
        self.literals = {goal.arguments[0]: n for goal, n in self._literals("verify_goal", 1)}
        self._held = self._literals("holds", 3)
        self._asked = self._literals("asked", 2)
        self._read_as = self._literals("reading", 3) if opening else []
        self._settled = {x.arguments[0]: x for x, _ in self._literals("verify_settled", 1)}

    def _facts(self) -> list[Symbol]:
        """What is so in every position that is looked at."""
        facts = [Function("situation", [HERE]), Function("checking", [HERE])]
        if self.domain.scene.size >= (0, 0):
            facts.append(Function("on_table", [HERE]))
        for members in self.domain.scene.listed.values():
            facts += [Function("present", [member, HERE]) for member in members]
        ruled = self.rulings.items()
        return facts + [Function("ruled", [Function(q), Function(o), HERE]) for q, o in ruled]

    def _literals(self, name: str, arity: int) -> list[tuple[Symbol, int]]:
        """The atoms of a predicate, each with its literal, but for those of other situations."""
        atoms = self.control.symbolic_atoms.by_signature(name, arity)
        return [
            (atom.symbol, atom.literal)
            for atom in atoms
            if arity == 1 or atom.symbol.arguments[-1] == HERE
        ]

    def _readings(
        self, relevant: Sequence[Statement], free: Mapping[str, Sequence[str]]
    ) -> Iterator[str]:
        """How the questions that statements read are read: of the *free* ones, as is usual rather
        than otherwise."""
        read = {key[2] for part in relevant for key in part.signs.reads if key[:2] == READING}
        named = {(pair or "").partition("=")[0] for pair in read}
        for question, option in self.scope.reading.items():
            if question not in named and None not in read:
                continue
            if question in free:
                yield f"1 {{ reading({question},({';'.join(free[question])}),0) }} 1."
                rather = f"1@3,{question} : not reading({question},{option},0)"
                self._preferences.append(f"#minimize {{ {rather} }}.")
            else:
                yield f"reading({question},{option},0)."

    # -- solving ---------------------------------------------------------------------------------

    def _solve(
        self,
        assumed: Sequence[int],
        keep: Callable[[Model], None],
        most: int = 1,
        patience: int = PATIENCE,
    ) -> int:
        """How many models there are under assumptions, up to *most*, each of them handed to *keep*;
        0 for *most*: better and better ones, up to the best.

        Raises: OutOfTime, if none was found, nor that there is none, in so many conflicts.
        """
        models = 0

        def count(model: Model) -> None:
            nonlocal models
            models += 1
            keep(model)

        solving = self.control.configuration.solve
        solving.opt_mode = "ignore" if most else "opt"  # type: ignore[union-attr]
        solving.models = most  # type: ignore[union-attr]
        solving.solve_limit = str(patience)  # type: ignore[union-attr]
        with self.control.solve(assumptions=list(assumed), on_model=count, async_=True) as handle:
            if not handle.wait(LONGEST):
                handle.cancel()
            decided = handle.get().satisfiable is not None
        if not models and not decided:
            raise OutOfTime(f"no answer within {patience} conflicts")
        return models

    def _read(self, model: Model) -> OpenModel:
        held = [symbol for symbol, literal in self._held if model.is_true(literal)]
        asked = [s.arguments[0] for s, literal in self._asked if model.is_true(literal)]
        usual = self.scope.reading
        chosen = [symbol.arguments for symbol, literal in self._read_as if model.is_true(literal)]
        other = {q.name: o.name for q, o, _ in chosen if usual[q.name] != o.name}
        position = self.domain.position(held, {**self.rulings, **other})
        return OpenModel(position, asked[0] if asked else None)

    def some(self, goal: Symbol) -> OpenModel | None:
        """Any position with a goal."""
        models: list[OpenModel] = []
        if goal in self.literals:
            self._solve([self.literals[goal]], lambda model: models.append(self._read(model)))
        return models[-1] if models else None

    def smallest(self, goal: Symbol) -> OpenModel | None:
        """A position with a goal in which as much as possible is as usual, and numbers are low."""
        model = self.some(goal)  # that there is none is seen soonest so
        if model is None:
            return None
        better: list[OpenModel] = []
        self._prefer()
        with suppress(OutOfTime):
            self._solve([self.literals[goal]], lambda m: better.append(self._read(m)), most=0)
        return better[-1] if better else model

    def example(self, goal: Symbol) -> OpenModel:
        """The smallest position with a goal that some position reaches."""
        model = self.smallest(goal)
        assert model is not None
        return model

    def _prefer(self) -> None:
        """Tell the solver what is preferred, which most searches need not know."""
        if self._preferences:
            self.control.add("preferred", [], "\n".join(self._preferences))
            self.control.ground([("preferred", [])])
            self._preferences = []

    def goals(self, *names: str) -> list[Symbol]:
        """The goals of some names that some position reaches, in order."""
        return sorted(goal for goal in self.reached if goal.name in names)

    @cached_property
    def reached(self) -> set[Symbol]:
        """Each goal that some position reaches.

        What could not be settled in time stands in *unsettled* then.
        """
        goals: set[Symbol] = set()
        fresh: list[Symbol] = []

        def keep(model: Model) -> None:
            fresh.extend(
                goal
                for goal, literal in self.literals.items()
                if goal not in goals and model.is_true(literal)
            )

        def reaches(literal: int, patience: int = PATIENCE) -> bool:
            fresh.clear()
            satisfiable = bool(self._solve([literal], keep, patience=patience))
            for goal in fresh:
                self.control.assign_external(self._settled[goal], True)
            goals.update(fresh)
            return satisfiable

        sought = self.control.symbolic_atoms[SOUGHT]
        if sought is None:
            return goals
        self.control.assign_external(SEEKING, True)
        try:
            while reaches(sought.literal, HASTE):
                pass
        except OutOfTime:
            for goal in sorted(self.literals.keys() - goals):
                if goal not in goals:
                    try:
                        reaches(self.literals[goal])
                    except OutOfTime:
                        self.unsettled.add(goal)
        for symbol in (*self._settled.values(), SEEKING):
            self.control.assign_external(symbol, False)
        self.unsettled -= goals
        return goals

    most = COUNTED

    def counted(self, goal: Symbol | None = None) -> int:
        """How many positions there are, or with a goal; counting stops at *most*."""
        if goal is not None and goal not in self.literals:
            return 0
        assumed = [] if goal is None else [self.literals[goal]]
        return self._solve(assumed, lambda _: None, self.most)

    def counts(self, goal: Symbol) -> tuple[int, int, bool]:
        """How many positions there are, how many with a goal, and whether counting stopped."""
        having = self.counted(goal)
        looked = having if having >= self.most else self.counted()
        return looked, having, max(looked, having) >= self.most


# Many restarts: of what takes long by one way, most is found soon by another.
OPTIONS = (
    "-t1", "--configuration=tweety", "--restarts=L,30", "--save-progress=0",
    "--opt-strategy=usc", "--seed=1",
)  # fmt: skip


def gives_readings(part: Statement) -> bool:
    """Does a statement say how a question is read?"""
    return any(key[:2] in (READING, DEFAULT) for key, _ in part.signs.gives)


def keys_in(text: str) -> list[Key]:
    """The keys of a fact that is given as text, or of those of which one may hold."""
    if not text.startswith("{"):
        return [key_of(parse_term(text.removesuffix(".")))]
    name, _, rest = text.lstrip("{ ").partition("(")
    return [(name.strip(), rest.count(",") + 1, None)]
