"""Consequences where something is hidden: certain atoms, possible atoms, and what these depend on.

Each hidden fluent has one of its possible values: a program that chooses them has one answer set,
a world, for each choice. Atoms of all worlds are certain (cautious consequences); atoms of only
some worlds (brave ones) depend on hidden fluents. A program of two worlds finds these fluents: if
no two worlds that agree in some fluents differ in an atom, it depends on no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from clingo import Control, Function, MessageCode, Model, Number, Symbol, SymbolType

from pymorph.asp.dependency import Slice
from pymorph.asp.facts import BY_DEFAULT, HOLDS, MAY, Facts, spread
from pymorph.asp.grounding import IGNORED, grounded
from pymorph.terms import sorted_symbols

if TYPE_CHECKING:
    from pymorph.board.lengths.measuring import Context

HIDDEN = Function("hidden")
# One value for each fluent; no ill-formed worlds, unless all are.
CHOOSING = """
1 { _is(F,V,S) : _may(F,V,S) } 1 :- _may(F,_,S).
holds(F,V,S) :- _is(F,V,S), not _by_default(F,V,S).
{ _sane }.
:- _sane, ill_formed(_,_,_).
#defined _may/3. #defined _by_default/3. #defined ill_formed/3.
"""
# Two worlds that agree in some of what is hidden.
AGREEING = """
{ _same(F) : _may(F,_,_) }.
:- _same(F), _is(F,V,0), not _is(F,V,1).
"""
SANE = Function("_sane")
# The predicates whose rules decide whether an action is legal, whatever is shown.
AGAINST = (("forbidden", 3), ("waits", 3), ("proposed", 3), ("over", 2))


def as_written(facts: Facts) -> Facts:
    """The same facts, with the word `hidden` as the value of each hidden fluent."""
    written = [fact for fact in facts if fact.name not in (MAY[0], BY_DEFAULT[0])]
    veiled = {(f.arguments[0], f.arguments[2]) for f in facts if f.name == MAY[0]}
    written += [Function(HOLDS[0], [fluent, HIDDEN, here]) for fluent, here in veiled]
    return Facts(written)


def by_situation(facts: Facts) -> tuple[Facts, dict[Symbol, Facts]]:
    """The facts of situations in which nothing is hidden, and those of each of the others."""
    facts = spread(facts)
    plain: list[Symbol] = []
    veiled: dict[Symbol, list[Symbol]] = {f.arguments[2]: [] for f in facts if f.name == MAY[0]}
    for fact in facts:
        arguments = fact.arguments
        at = place_of(fact.name, arguments)
        here = None if at is None else arguments[at]
        for some in (plain, *veiled.values()) if here is None else (veiled.get(here, plain),):
            some.append(fact)
    has_plain = any(fact.name == "situation" for fact in plain)
    return Facts(plain if has_plain else ()), {here: Facts(some) for here, some in veiled.items()}


def place_of(name: str, arguments: Sequence[Symbol]) -> int | None:
    """The index of the situation: the last one, or the one before a rule."""
    if name in ("does", "ends"):
        return 1 if name == "does" else 0
    for at in (-1, -2):
        if len(arguments) >= -at and arguments[at].type == SymbolType.Number:
            return at
    return None


def moved(atom: Symbol, here: Symbol) -> Symbol:
    """The same atom of another situation."""
    arguments = atom.arguments
    at = place_of(atom.name, arguments)
    if at is None:
        return atom
    if atom.name == "does" and arguments[2] == arguments[1]:
        arguments[2] = here
    arguments[at] = here
    return Function(atom.name, arguments)


@lru_cache(maxsize=64)
def _unveiled(part: Slice) -> Slice:
    """The slice that answers instead of another where something is hidden."""
    return part if part.unveil is None else part.unveil(part)


class Worlds:
    """A question about one situation, with a choice of its hidden values."""

    def __init__(self, part: Slice, facts: Facts, geometry: Context | None) -> None:
        self.part, self.geometry = part, geometry
        self.facts = Facts(facts)
        self.here = next(f.arguments[2] for f in facts if f.name == MAY[0])
        self.hidden = sorted_symbols({f.arguments[0] for f in facts if f.name == MAY[0]})
        checking = Function("checking", [self.here])
        if checking not in facts:
            self.facts.append(checking)
        self.program = _unveiled(part).program(self.facts) + CHOOSING
        self._control = _grounded(self.program, self.facts, geometry)
        facts_shown: set[Symbol] = set()
        self._literals: dict[Symbol, int] = {}
        for name, arity in dict.fromkeys((*part.shown, *AGAINST)):
            for atom in self._control.symbolic_atoms.by_signature(name, arity):
                if atom.is_fact:
                    facts_shown.add(atom.symbol)
                else:
                    self._literals[atom.symbol] = atom.literal
        sane = self._control.symbolic_atoms[SANE]
        self._sane = 0 if sane is None else sane.literal
        self.sane = True
        certain = self._consequences("cautious", self._sane)
        if certain is None:  # all worlds are ill formed
            self.sane = False
            certain = self._consequences("cautious", -self._sane) or set()
        self.certain = facts_shown | certain
        possible = self._consequences("brave", self._sane if self.sane else -self._sane) or set()
        self.open = possible - certain

    def _consequences(self, mode: str, sane: int) -> set[Symbol] | None:
        """The atoms of all worlds, or of some; None, if there are no worlds."""
        atoms: set[Symbol] | None = None

        def on_model(model: Model) -> None:
            nonlocal atoms
            atoms = {s for s, literal in self._literals.items() if model.is_true(literal)}

        solving = self._control.configuration.solve
        solving.enum_mode = mode  # type: ignore[union-attr]
        solving.models = 0  # type: ignore[union-attr]
        self._control.solve(assumptions=[sane] if sane else [], on_model=on_model)
        return atoms

    def depends_on(self, atoms: Iterable[Symbol]) -> tuple[Symbol, ...]:
        """The hidden fluents on which some open *atoms* depend, sorted."""
        fluents: set[Symbol] = set()
        for atom in sorted_symbols(set(atoms)):
            fluents |= self._pair.depends_on(atom, fluents)
        return tuple(sorted_symbols(fluents))

    @cached_property
    def _pair(self) -> Pair:
        return Pair(self)


class Pair:
    """Two worlds in one program, as two situations."""

    def __init__(self, worlds: Worlds) -> None:
        first, second = Number(0), Number(1)
        facts = {moved(fact, here) for fact in worlds.facts for here in (first, second)}
        program = worlds.program + AGREEING
        control = self._control = _grounded(program, facts, worlds.geometry)
        same = {f: control.symbolic_atoms[Function("_same", [f])] for f in worlds.hidden}
        self._same = {fluent: atom.literal for fluent, atom in same.items() if atom}
        sane = control.symbolic_atoms[SANE]
        literal = 0 if sane is None else sane.literal if worlds.sane else -sane.literal
        self._assumed = [literal] if literal else []
        self._sane = literal if worlds.sane else 0

    def _literal(self, atom: Symbol, here: int) -> int | None:
        known = self._control.symbolic_atoms[moved(atom, Number(here))]
        return None if known is None or known.is_fact else known.literal

    def depends_on(self, atom: Symbol, known: set[Symbol]) -> set[Symbol]:
        """The hidden fluents on which an atom depends, if on more than those *known*."""
        one, other = self._literal(atom, 0), self._literal(atom, 1)
        if one is None or other is None:
            return set()
        differing = [*self._assumed, one, -other]
        if self._agreeing(differing, known) is not None:
            return set()
        # Of values that constrain each other, such as the hands of cards where hands are counted,
        # several sets would do: so the fluents that the rules read come first.
        apart = [-self._sane, one, -other] if self._sane else differing
        core = self._least(apart, set(self._same))
        if core is not None and self._sane:
            core = self._least(differing, core)
        # Worlds that agree in all fluents differ: the cause is unknown.
        return set(self._same) if core is None else core

    def _least(self, differing: Sequence[int], fluents: set[Symbol]) -> set[Symbol] | None:
        """A minimal set of these fluents such that no two worlds that agree in them differ; None,
        if some that agree in all do."""
        core = self._agreeing(differing, fluents)
        for fluent in sorted_symbols(core or ()):
            assert core is not None
            less = self._agreeing(differing, core - {fluent}) if fluent in core else None
            core = core if less is None else less
        return core

    def _agreeing(self, differing: Sequence[int], fluents: Iterable[Symbol]) -> set[Symbol] | None:
        """A set of these fluents where no two worlds that agree in them differ; None: some do."""
        literals = {self._same[fluent]: fluent for fluent in fluents}
        with self._control.solve(assumptions=[*differing, *literals], yield_=True) as handle:
            if handle.get().satisfiable:
                return None
            return {literals[literal] for literal in handle.core() if literal in literals}


def _grounded(program: str, facts: Iterable[Symbol], geometry: Context | None) -> Control:
    return grounded(program, facts, geometry, IGNORED | {MessageCode.OperationUndefined})
