"""A search over all positions of a domain: one grounding in which the position is left open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from clingo import Function, HeuristicType, MessageCode, Model, Symbol, parse_term

from pymorph.asp.dependency import Statement, bounded, written
from pymorph.asp.facts import DEFAULT, HOLDS, READING, Key, key_of, rulings
from pymorph.asp.solver import IGNORED, grounded
from pymorph.board.geometry import Geometry
from pymorph.errors import OutOfTime
from pymorph.ruleset.vocabulary import Declared
from pymorph.state.position import Position
from pymorph.verify.domain import HERE, Domain
from pymorph.verify.scope import Scope

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


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A position that was found, and the action asked about in it."""

    position: Position
    action: Symbol | None


class ModelSearch:
    """Positions of a domain in which atoms ``verify_goal(X)`` hold.

    *extra* are rules that say what a goal is, and *sought* the keys of what they read. With
    *schemas*, one action of these names is asked about, whichever; if it is *done*, it is carried
    out where it is legal. *told* are facts that come along. *well_formed*: no others are looked at.
    *context* has the functions that *extra* and the rules call, if it is not the board.
    """

    def __init__(
        self,
        scope: Scope,
        domain: Domain,
        extra: str,
        sought: Iterable[Key],
        schemas: Sequence[Declared] = (),
        done: bool = False,
        told: Sequence[str] = (),
        parts: Sequence[Statement] | None = None,
        well_formed: bool = True,
        opening: bool = False,
        context: Geometry | None = None,
    ) -> None:
        self.scope, self.domain = scope, domain
        ruleset = scope.ruleset
        self.rulings = dict(scope.rulings)
        facts = [Function("situation", [HERE]), Function("checking", [HERE])]
        for members in domain.scene.listed.values():
            facts += [Function("present", [member, HERE]) for member in members]
        facts += [
            Function("ruled", [Function(q), Function(o), HERE]) for q, o in self.rulings.items()
        ]
        known = {key_of(fact) for fact in facts}
        free = {q: o for q, o in ruleset.options.items() if opening and q not in self.rulings}
        known |= rulings(free)
        known |= {(*HOLDS, name) for name in ruleset.vocabulary.fluents}
        known |= {key for text in told for key in keys_told(text)}
        sought = {*sought}
        if well_formed:
            sought.add(("ill_formed", 3, None))
        for schema in schemas:
            known.add(("asked", 2, schema.name))
            if done:
                known.add(("does", 3, schema.name))
                sought |= {("legal", 2, schema.name), ("unfolds", 4, schema.name)}
        index = scope.sources.index(parts)
        idle = index.proposing_others({schema.name for schema in schemas})
        among = index.firing(known, () if ruleset.reads_proposals or not schemas else idle)
        kept = index.leading_to(sought, among, figured=True)
        read = {key[2] for key in sought if key[:2] == HOLDS}
        read |= {key[2] for part in kept for key in part.signs.reads if key[:2] == HOLDS}
        names = None if None in read else frozenset(name for name in read if name)
        if free:
            kept = [part for part in kept if not tells_readings(part)]
        lines = [written(bounded(part, ruleset.bounds) for part in kept)]
        self._preferred = list(domain.preferred(names))
        if opening:
            for question, option in self._questions(kept):
                if question in free:
                    lines.append(f"1 {{ reading({question},({';'.join(free[question])}),0) }} 1.")
                    rather = f"1@3,{question} : not reading({question},{option},0)"
                    self._preferred.append(f"#minimize {{ {rather} }}.")
                else:
                    lines.append(f"reading({question},{option},0).")
        lines += domain.program(names)
        if schemas:
            actions = [action for schema in schemas for action in domain.actions(schema)]
            lines.append(f"1 {{ asked(({';'.join(map(str, actions))}),0) }} 1.")
            if done:
                lines.append("#defined unfolds/4.")
                lines.append("does(A,0,0) :- asked(A,0), legal(A,0), not unfolds(A,_,_,0).")
        if well_formed:
            lines.append("#defined ill_formed/3. :- ill_formed(_,0,_).")
        lines += told
        lines.append(extra)
        lines.append(GOALS)
        words = ruleset.vocabulary
        used = {fluent.name for fluent in domain.opened(names)}
        sorts = {
            s for name in used for s in (*words.fluents[name].sorts, words.fluents[name].value)
        }
        self.closed = not (
            sorts | {s for schema in schemas for s in schema.sorts}
        ) & domain.cut and not (used & domain.shortened)
        self.unsettled: set[Symbol] = set()
        self.control = grounded(
            "\n".join(lines), facts, context or ruleset_geometry(domain), QUIET, OPTIONS
        )
        atoms = self.control.symbolic_atoms
        self.literals = {
            atom.symbol.arguments[0]: atom.literal for atom in atoms.by_signature("verify_goal", 1)
        }
        self._held = [
            (a.symbol, a.literal)
            for a in atoms.by_signature("holds", 3)
            if a.symbol.arguments[2] == HERE
        ]
        self._asked = [
            (a.symbol, a.literal)
            for a in atoms.by_signature("asked", 2)
            if a.symbol.arguments[1] == HERE
        ]
        self._read_as = [
            (a.symbol, a.literal)
            for a in atoms.by_signature("reading", 3)
            if opening and a.symbol.arguments[2] == HERE
        ]
        with self.control.backend() as backend:
            chosen = sorted(atoms.by_signature("verify_sought", 1), key=lambda atom: atom.symbol)
            for place, atom in enumerate(chosen):
                backend.add_heuristic(atom.literal, HeuristicType.True_, len(chosen) - place, 1, [])
        self._settled = {
            atom.symbol.arguments[0]: atom.symbol
            for atom in atoms.by_signature("verify_settled", 1)
        }

    def _questions(self, kept: Sequence[Statement]) -> Iterator[tuple[str, str]]:
        """The questions that statements read, each with its usual option."""
        read = {key[2] for part in kept for key in part.signs.reads if key[:2] == READING}
        named = {(pair or "").partition("=")[0] for pair in read}
        for question, option in self.scope.reading.items():
            if question in named or None in read:
                yield question, option

    # -- solving ---------------------------------------------------------------------------------

    def _solve(
        self,
        assumed: Sequence[int],
        keep: Callable[[Model], None],
        most: int = 1,
        patience: int = PATIENCE,
    ) -> int:
        """How many models there are under assumptions, up to *most*, each of them told to *keep*; 0
        for *most*: better and better ones, up to the best.

        Raises: OutOfTime, if none was found, nor that there is none, in so many conflicts.
        """
        found = 0

        def told(model: Model) -> None:
            nonlocal found
            found += 1
            keep(model)

        solving = self.control.configuration.solve
        solving.opt_mode = "ignore" if most else "opt"  # type: ignore[union-attr]
        solving.models = most  # type: ignore[union-attr]
        solving.solve_limit = str(patience)  # type: ignore[union-attr]
        with self.control.solve(assumptions=list(assumed), on_model=told, async_=True) as handle:
            if not handle.wait(LONGEST):
                handle.cancel()
            settled = handle.get().satisfiable is not None
        if not found and not settled:
            raise OutOfTime(f"no answer within {patience} conflicts")
        return found

    def _read(self, model: Model) -> FoundModel:
        held = [symbol for symbol, literal in self._held if model.is_true(literal)]
        asked = [s.arguments[0] for s, literal in self._asked if model.is_true(literal)]
        usual = self.scope.reading
        chosen = [symbol.arguments for symbol, literal in self._read_as if model.is_true(literal)]
        other = {q.name: o.name for q, o, _ in chosen if usual[q.name] != o.name}
        position = self.domain.position(held, {**self.rulings, **other})
        return FoundModel(position, asked[0] if asked else None)

    def some(self, goal: Symbol) -> FoundModel | None:
        """Any position with a goal."""
        found: list[FoundModel] = []
        if goal in self.literals:
            self._solve([self.literals[goal]], lambda model: found.append(self._read(model)))
        return found[-1] if found else None

    def smallest(self, goal: Symbol) -> FoundModel | None:
        """A position with a goal in which as much as possible is as usual, and numbers are low."""
        found = self.some(goal)  # that there is none is seen soonest so
        if found is None:
            return None
        better: list[FoundModel] = []
        self._prefer()
        with suppress(OutOfTime):
            self._solve([self.literals[goal]], lambda m: better.append(self._read(m)), most=0)
        return better[-1] if better else found

    def _prefer(self) -> None:
        """Tell the solver what is preferred, which most searches need not know."""
        if self._preferred:
            self.control.add("preferred", [], "\n".join(self._preferred))
            self.control.ground([("preferred", [])])
            self._preferred = []

    def reached(self) -> set[Symbol]:
        """Each goal that some position reaches.

        What could not be settled in time stands in *unsettled* then.
        """
        found: set[Symbol] = set()
        fresh: list[Symbol] = []

        def keep(model: Model) -> None:
            fresh.extend(
                goal
                for goal, literal in self.literals.items()
                if goal not in found and model.is_true(literal)
            )

        def reaches(literal: int, patience: int = PATIENCE) -> bool:
            fresh.clear()
            met = bool(self._solve([literal], keep, patience=patience))
            for goal in fresh:
                self.control.assign_external(self._settled[goal], True)
            found.update(fresh)
            return met

        sought = self.control.symbolic_atoms[SOUGHT]
        if sought is None:
            return found
        self.control.assign_external(SEEKING, True)
        try:
            while reaches(sought.literal, HASTE):
                pass
        except OutOfTime:
            for goal in sorted(self.literals.keys() - found):
                if goal not in found:
                    try:
                        reaches(self.literals[goal])
                    except OutOfTime:
                        self.unsettled.add(goal)
        for symbol in (*self._settled.values(), SEEKING):
            self.control.assign_external(symbol, False)
        self.unsettled -= found
        return found

    most = COUNTED

    def counted(self, goal: Symbol | None = None) -> int:
        """How many positions there are, or with a goal; counting stops at *most*."""
        if goal is not None and goal not in self.literals:
            return 0
        assumed = [] if goal is None else [self.literals[goal]]
        return self._solve(assumed, lambda _: None, self.most)

    def counts(self, goal: Symbol) -> tuple[int, int]:
        """How many positions there are, and how many with a goal; counting stops at *most*."""
        found = self.counted(goal)
        return (found if found >= self.most else self.counted()), found


# Many restarts: of what takes long by one way, most is found soon by another.
OPTIONS = (
    "-t1", "--configuration=tweety", "--restarts=L,30", "--save-progress=0",
    "--opt-strategy=usc", "--seed=1", "--heuristic=Domain",
)  # fmt: skip


def ruleset_geometry(domain: Domain):  # type: ignore[no-untyped-def]
    """What the grounder may ask of the board of a domain."""
    return domain.position([], {}).geometry


def tells_readings(part: Statement) -> bool:
    """Does a statement say how a question is read?"""
    return any(key[:2] in (READING, DEFAULT) for key, _ in part.signs.gives)


def keys_told(text: str) -> list[Key]:
    """The keys of facts that are told as text."""
    if not text.startswith("{"):
        return [key_of(parse_term(text.removesuffix(".")))]
    name, _, rest = text.lstrip("{ ").partition("(")
    arity = rest.count(",") + 1
    return [(name.strip(), arity, None)]
