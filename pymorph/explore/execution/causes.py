"""What brought an event about in one step: figures, fluents and other events, from the rules alone.

A step is carried out once more with rules that record what each atom rests on (`asp.proofs`); of
the ways to derive an atom the shortest is told. What did not come about is held against each rule
that could have brought it about: which of its conditions nothing fits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from clingo import Symbol

from pymorph.asp.dependency import Slice
from pymorph.asp.passes.provenance import BECAUSE, COUNTED, GIVEN_BY, recorded
from pymorph.asp.passes.why_not_provenance import conditions_of, testing
from pymorph.dynamics.asking.batch import solve
from pymorph.dynamics.asking.ledgers import figures_in
from pymorph.dynamics.asking.steps import facts_of_doing
from pymorph.dynamics.results import Figure
from pymorph.questions.figures import full_name
from pymorph.ruleset.loader import Ruleset
from pymorph.state.position import Position
from pymorph.terms import order, sorted_symbols

ACCOUNTS = ("accounts", 3)
FIGURES = (("entry", 5), ("total", 3), ("never", 3), ("finding", 4), ("ground", 4), ("unknown", 4))
SHOWN = (("happens", 3), ("sets", 4), ("clears", 3), ("adds", 5), ACCOUNTS, *FIGURES)
VALUED = frozenset({"total", "never", "finding", "unknown"})
CHANGING = ("sets", "clears", "adds")
LEAVES = frozenset({"holds", "does", "reading", "happens"})  # what rests on nothing further here
Way = tuple[Symbol, ...]  # the atoms that a rule gives another by
Distances = dict[Symbol, int]  # of atoms from the one that is asked about


class Lacking(NamedTuple):
    """What kept a rule from bringing an event about: see `lacks.Shortfall`; and the figures that it
    compares, or that are told of whom the event is about."""

    rule: str
    missing: tuple[Symbol, ...]
    against: tuple[Symbol, ...]
    figures: tuple[Figure, ...]


@lru_cache(maxsize=8)
def _recording(part: Slice) -> Slice:
    return recorded(part, SHOWN)


class Causes:
    """What each thing rests on that one action brings about in one step."""

    def __init__(self, position: Position, action: Symbol) -> None:
        self._position = position
        part = _recording(position.ruleset.slices["apply"])
        self._atoms = solve(part, facts_of_doing(position, action), position)
        self._ways: dict[Symbol, set[Way]] = defaultdict(set)
        self._counted: dict[Symbol, set[Symbol]] = defaultdict(set)
        self._denied: dict[Symbol, set[Symbol]] = defaultdict(set)
        for atom in self._atoms[BECAUSE[0]]:
            head, body, kind = atom.arguments
            if kind.name == GIVEN_BY:
                self._ways[head].add(tuple(body.arguments))
            elif kind.name == COUNTED:
                self._counted[head].update(body.arguments)
            else:
                self._denied[head].update(body.arguments)

    @cached_property
    def events(self) -> list[Symbol]:
        """The atoms that tell of events."""
        return sorted(self._atoms["happens"], key=order)

    def of_event(self, event: Symbol) -> Distances:
        """What an event rests on, the figures by which what its rule denies does not hold too."""
        atoms = [atom for atom in self.events if atom.arguments[0] == event]
        return self._proof([*atoms, *self._deciding(self.denied_for(event))])

    def denied_for(self, event: Symbol) -> list[Symbol]:
        """What the rules that bring an event about want not to hold."""
        atoms = (atom for atom in self.events if atom.arguments[0] == event)
        return sorted_symbols({each for atom in atoms for each in self._denied.get(atom, ())})

    def _deciding(self, denied: Iterable[Symbol]) -> Iterator[Symbol]:
        """The figures that the rules compare which could derive what is denied: there is no way to
        derive what does not hold."""
        part = self._position.ruleset.slices["apply"]
        read = {each for atom in denied for each in conditions_of(part, atom)}
        figures = {each.arguments[0] for each in read if each.name in VALUED}
        for name in VALUED:
            yield from (each for each in self._atoms[name] if each.arguments[0] in figures)

    def of_changes(self, fluents: Collection[Symbol]) -> Distances:
        """What the changes of some fluents rest on."""
        rows = (atom for name in CHANGING for atom in self._atoms[name])
        return self._proof([atom for atom in rows if atom.arguments[0] in fluents])

    def events_in(self, proof: Distances) -> list[Symbol]:
        """The atoms of those events that a proof contains, the nearest first: whatever such an
        event is derived from is in the proof, too. Where its rule also denies something, that has
        to be more than stands in one rule with what is asked about."""
        found = []
        for atom in self.events:
            near = [0] if atom in proof else self.nearness(atom, proof)
            if near and (atom in proof or atom not in self._denied or min(near) > 1):
                found.append((min(near), order(atom), atom))
        return [atom for _, _, atom in sorted(found, key=lambda row: row[:2])]

    def figures_in(self, proof: Distances) -> list[Figure]:
        """The figures that a proof rests on, the nearest first, and then those behind the step that
        are told of what is in the proof; items that count nothing stand in their ledgers."""
        nearest: Distances = {}
        for atom, far in proof.items():
            if atom.name in VALUED:
                nearest.setdefault(atom.arguments[0], far)
        for atom in self._atoms["accounts"]:
            if self.nearness(atom, proof):
                nearest.setdefault(atom.arguments[0], len(proof))
        figures = figures_in(self._position, self._atoms, set(nearest), whole=True)
        return sorted(figures, key=lambda f: nearest[full_name(self._position, f.name.symbol)])

    def nearness(self, atom: Symbol, proof: Distances) -> list[int]:
        """How near the atoms lie from which an atom is derived, if a proof contains them all."""
        found = []
        for way in self._ways.get(atom, ()):
            # Facts of the ruleset tell nothing.
            telling = [each for each in way if each.name in LEAVES or each in self._ways]
            if telling and all(each in proof for each in telling):
                found.append(max(proof[each] for each in telling))
        return found

    def _proof(self, goals: Sequence[Symbol]) -> Distances:
        """The atoms that some atoms rest on, by the shortest way to derive each, with how far from
        them they are."""
        chosen = self._chosen(goals)
        found = dict.fromkeys(goals, 0)
        pending = list(goals)
        for atom in pending:
            if atom.name in LEAVES and found[atom]:
                continue
            below = {*chosen.get(atom, ()), *self._counted.get(atom, ())}
            for each in sorted(below - found.keys(), key=order):
                found[each] = found[atom] + 1
                pending.append(each)
        return found

    def _chosen(self, goals: Iterable[Symbol]) -> dict[Symbol, Way]:
        """The shortest way to derive each of the atoms that bear on some."""
        chosen: dict[Symbol, Way] = {}
        waiting = self._bearing(goals) & self._ways.keys()
        while True:
            new = {}
            for atom in waiting:
                ways = [way for way in self._ways[atom] if waiting.isdisjoint(way)]
                if ways:
                    new[atom] = min(ways, key=lambda way: tuple(map(order, way)))
            if not new:
                return chosen
            chosen |= new
            waiting -= new.keys()

    def _bearing(self, goals: Iterable[Symbol]) -> set[Symbol]:
        """The atoms on which some atoms may rest, those included."""
        bearing = set(goals)
        pending = list(bearing)
        for atom in pending:
            ways = (each for way in self._ways.get(atom, ()) for each in way)
            new = {*ways, *self._counted.get(atom, ())} - bearing
            bearing |= new
            pending += new
        return bearing


def lacking(position: Position, action: Symbol, event: Symbol) -> Iterator[Lacking]:
    """What kept each rule that tells of such events from bringing one about in a step."""
    tests = testing(position.ruleset.slices["apply"], "happens", event, (ACCOUNTS, *FIGURES))
    if tests is None:
        return
    atoms = solve(tests.part, facts_of_doing(position, action), position)
    known = {*event.arguments}  # figures are told that are about nobody else
    about = {atom.arguments[0] for atom in atoms[ACCOUNTS[0]]}
    about = {figure for figure in about if figure.arguments and known.issuperset(figure.arguments)}
    for rule, missing, against, conditions in tests.shortfalls(atoms):
        compared = {each.arguments[0] for each in conditions if each.name in VALUED}
        figures = figures_in(position, atoms, about | compared, whole=True)
        yield Lacking(rule, missing, against, tuple(figures))


def rules_bringing(ruleset: Ruleset, event: Symbol) -> tuple[str, ...]:
    """The ids of the rules that tell of such events, sorted."""
    tests = testing(ruleset.slices["apply"], "happens", event, ())
    return tuple(sorted({each.rule for each in tests.candidates if each.rule})) if tests else ()


def names_in_conditions(ruleset: Ruleset, event: Symbol) -> frozenset[str]:
    """The names in the conditions of the rules that tell of such events: actions, predicates."""
    tests = testing(ruleset.slices["apply"], "happens", event, ())
    rows = tests.candidates if tests else ()
    return frozenset(each.atom.name for row in rows for each in row.conditions)
