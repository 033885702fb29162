"""The answer to a question where something is hidden: what is certain, and what hangs on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from clingo import Function, Symbol, SymbolType

from pymorph.asp.facts import Facts
from pymorph.asp.passes.consequences import Worlds, as_written, by_situation
from pymorph.errors import Unsettled
from pymorph.terms import sorted_symbols, text_of

if TYPE_CHECKING:
    from pymorph.asp.dependency import Slice
    from pymorph.asp.grounding import Atoms
    from pymorph.board.lengths.measuring import Context

Answering = Callable[["Slice", Facts, "Context | None"], "Atoms"]
WORTH = ("total", "never", "finding")  # what a figure is
LEDGER = ("entry", "ground")
CHANGES = ("happens", "sets", "clears", "adds", "halts", "unfolds", "ends")
STEPS = ("due", "chance")  # what comes before a choice
OPEN = Function("open")
OVER_IF = "over_if"  # on what it hangs whether the game is over


def unveiled(part: Slice, facts: Facts, geometry: Context | None, answering: Answering) -> Atoms:
    """What *part* shows where something is hidden; *answering* tells it where nothing is.

    An action that is legal for some of what it may be is unsettled, on what it hangs on; a figure
    that is not always the same is unknown. Raises: Unsettled, where what an action that is carried
    out brings about, or what comes before all choice, hangs on it.
    """
    if part.as_read:
        return answering(part, as_written(facts), geometry)
    plain, veiled = by_situation(facts)
    found = answering(part, plain, geometry) if plain else {name: [] for name, _ in part.shown}
    for told in veiled.values():
        for name, rows in PartialAnswer(part, told, geometry).atoms().items():
            found.setdefault(name, []).extend(rows)
    return found


class PartialAnswer:
    """The answer about one situation."""

    def __init__(self, part: Slice, facts: Facts, geometry: Context | None) -> None:
        self._facts = facts
        self._shown = {name for name, _ in part.shown}
        self._worlds = Worlds(part, facts, geometry)
        self._certain = _by_name(self._worlds.certain)
        self._open = _by_name(self._worlds.open)
        self._found: Atoms = {name: sorted_symbols(self._certain[name]) for name, _ in part.shown}

    def atoms(self) -> Atoms:
        """The atoms that are certain, and those that say what hangs on something."""
        self._figures()
        self._verdicts()
        self._steps()
        self._changes()
        self._legality()
        return self._found

    # -- figures ---------------------------------------------------------------------------------

    def _figures(self) -> None:
        """A figure that is not the same everywhere is unknown."""
        turning: dict[Symbol, list[Symbol]] = defaultdict(list)
        for name in WORTH:
            for atom in self._open[name]:
                turning[atom.arguments[0]].append(atom)
        for name in LEDGER:  # the figure is the same, and what it is made of is not
            for atom in self._open[name]:
                self._drop(atom.arguments[0], (name,))
        self._found.setdefault("unknown", [])
        self._found["unknown"] += sorted_symbols(self._open["unknown"])
        for figure, atoms in turning.items():
            self._drop(figure, (*WORTH, *LEDGER))
            rules = self._rules_of(figure)
            for item in self._worlds.hangs_on(atoms):
                for rule in rules:
                    row = [figure, item, self._worlds.here, rule]
                    self._found["unknown"].append(Function("unknown", row))

    def _drop(self, figure: Symbol, names: Iterable[str]) -> None:
        for name in names:
            if name in self._found:
                self._found[name] = [a for a in self._found[name] if a.arguments[0] != figure]

    def _rules_of(self, figure: Symbol) -> list[Symbol]:
        """The rules by which a figure may be another one; or else all that it comes from."""
        for source in (self._open, self._certain):
            rows = (a for name in ("entry", "finding", "never") for a in source[name])
            found = {atom.arguments[-1] for atom in rows if atom.arguments[0] == figure}
            if found:
                return sorted_symbols(found)
        return []

    # -- claims ----------------------------------------------------------------------------------

    def _verdicts(self) -> None:
        """A part of a claim that is so for some of what it may be is open."""
        numbers = {atom.arguments[0] for atom in self._open["verdict"]}
        if numbers:
            rows = [a for a in self._found["verdict"] if a.arguments[0] not in numbers]
            rows += [Function("verdict", [number, OPEN]) for number in sorted_symbols(numbers)]
            self._found["verdict"] = rows

    # -- what comes of itself --------------------------------------------------------------------

    def _steps(self) -> None:
        """Steps and rolls that are due for some of what it may be."""
        for name in STEPS:
            atoms = self._open[name]
            if not atoms or name not in self._shown:
                continue
            if "legal" not in self._shown:
                action = min(text_of(atom.arguments[0]) for atom in atoms)
                raise self._unsettled(action, atoms, ())
            self._found[name] = []

    def _changes(self) -> None:
        """What is carried out has to bring about the same, whatever it may be."""
        atoms = [a for name in CHANGES if name in self._shown for a in self._open[name]]
        atoms = [atom for atom in atoms if not self._is_idle(atom)]
        doubtful = {atom.arguments[0] for atom in self._open["legal"]}
        if not atoms:
            return
        done = [f.arguments[0] for f in self._facts if f.name == "does"]
        if not done:  # whatever is legal is carried out
            turning = set(map(_carried_out, atoms))
            rows = self._found["legal"]
            self._found["legal"] = [atom for atom in rows if atom.arguments[0] not in turning]
        elif doubtful.isdisjoint(done) and not self._is_refused(done):
            events = [atom for atom in atoms if atom.name == "happens"]
            told = sorted({text_of(atom.arguments[0]) for atom in events or atoms})
            raise self._unsettled(text_of(done[0]), atoms, tuple(told))

    def _is_refused(self, actions: Collection[Symbol]) -> bool:
        legal = {atom.arguments[0] for atom in self._certain["legal"]}
        return "legal" in self._shown and legal.isdisjoint(actions)

    def _is_idle(self, atom: Symbol) -> bool:
        """Does it give a fluent the value that it has anyway?"""
        if atom.name != "sets":
            return False
        fluent, value, *_ = atom.arguments
        others = (*self._open["sets"], *self._certain["sets"])
        same = all(a.arguments[1] == value for a in others if a.arguments[0] == fluent)
        return same and Function("holds", [fluent, value, self._worlds.here]) in self._facts

    def _unsettled(self, action: str, atoms: Collection[Symbol], may: tuple[str, ...]) -> Unsettled:
        items = tuple(map(text_of, self._worlds.hangs_on(atoms)))
        rules = {a.arguments[-1].name for a in atoms if a.arguments[-1].type == SymbolType.Function}
        return Unsettled(action, items, tuple(sorted(rules)), may)

    # -- what may be done ------------------------------------------------------------------------

    def _legality(self) -> None:
        """An action that is legal for some of what it may be is unsettled."""
        if "over" in self._shown and self._open["over"]:
            items = self._worlds.hangs_on(self._open["over"])
            self._found[OVER_IF] = [Function(OVER_IF, [each, self._worlds.here]) for each in items]
        legal = {atom.arguments[0] for atom in self._certain["legal"]}
        doubtful = {atom.arguments[0]: atom for atom in self._open["legal"]}
        for name in ("reason", "waits"):
            if name in self._shown:
                self._found[name] += self._either(name, legal | doubtful.keys())
        if "proposed" in self._shown:
            known = {atom.arguments[0] for atom in self._certain["proposed"]}
            self._found["proposed"] += [
                a for a in self._open["proposed"] if a.arguments[0] not in known
            ]
        if "unsettled" not in self._shown:
            return
        rows = set(self._open["unsettled"])
        for action, atom in doubtful.items():
            items = self._worlds.hangs_on([atom])
            for rule in self._turning(action):
                rows |= {
                    Function("unsettled", [action, item, self._worlds.here, rule]) for item in items
                }
        self._found["unsettled"] += sorted_symbols(rows)

    def _either(self, name: str, but: Collection[Symbol]) -> Iterator[Symbol]:
        """What speaks against actions that are never legal, now by one rule and now by another."""
        known = {atom.arguments[0] for atom in self._certain["reason"]} | set(but)
        for atom in sorted_symbols(self._open[name]):
            if atom.arguments[0] not in known:
                yield atom

    def _turning(self, action: Symbol) -> list[Symbol]:
        """The rules by which an action may be legal or not."""
        over = {atom.arguments[1] for atom in self._open["over"]}
        for name in ("forbidden", "waits", "proposed", "unsettled"):
            rows = (atom.arguments for atom in self._open[name])
            found = {row[-1] for row in rows if row[0] == action}
            if found:
                return sorted_symbols(found)
        return sorted_symbols(over)


def _carried_out(atom: Symbol) -> Symbol:
    """The action that a change comes from, where whatever is legal is carried out."""
    if atom.name == "unfolds":
        return atom.arguments[0]
    return atom.arguments[0 if atom.name == "ends" else -2].arguments[0]


def _by_name(atoms: Iterable[Symbol]) -> defaultdict[str, list[Symbol]]:
    found: defaultdict[str, list[Symbol]] = defaultdict(list)
    for atom in atoms:
        found[atom.name].append(atom)
    return found
