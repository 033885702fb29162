"""Answers under partial information: what is certain, and what depends on hidden fluents.

>>> from clingo import parse_term
>>> from pymorph.asp.dependency import Slice, Statement
>>> from pymorph.asp.solver import solve
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from clingo import Function, Symbol, SymbolType

from pymorph.asp.facts import MAY, Facts, spread
from pymorph.asp.passes.consequences import Worlds, as_written, by_situation, checked
from pymorph.errors import Unsettled
from pymorph.terms import sorted_symbols, text_of

if TYPE_CHECKING:
    from pymorph.asp.dependency import Slice
    from pymorph.asp.grounding import Atoms
    from pymorph.board.lengths.measuring import Context

Solve = Callable[["Slice", Facts, "Context | None"], "Atoms"]
VALUES = ("total", "never", "finding")  # of a figure
LEDGER = ("entry", "ground")
CHANGES = ("happens", "sets", "clears", "adds", "halts", "unfolds", "ends")
STEPS = ("due", "chance")  # what comes before a choice
OPEN = Function("open")
OVER_IF = "over_if"  # the hidden fluents that decide whether the game is over
OF_FIGURE = (*VALUES, *LEDGER, "unknown")
OF_ACTION = ("legal", "reason", "unsettled", "forbidden", "waits", "proposed")


def unveiled(part: Slice, facts: Facts, geometry: Context | None, solve: Solve) -> Atoms:
    """The answer of *part* where something is hidden; *solve* gives it where nothing is.

    An action that is legal in some worlds is unsettled, by the fluents that it depends on; a figure
    that is not the same in all is unknown. Raises: Unsettled, if the effects of an action that is
    taken, or the steps and rolls before a choice, depend on something hidden.

    >>> rules = "proposed(call,S,holder) :- holds(card,ace,S).", "legal(A,S) :- proposed(A,S,_)."
    >>> part = Slice(tuple(map(Statement.of, rules)), (("legal", 2), ("unsettled", 4)))
    >>> facts = map(parse_term, ["_may(card,ace,0)", "_may(card,ten,0)", "situation(0)"])
    >>> print(*unveiled(part, Facts(facts), None, solve)["unsettled"])
    unsettled(call,card,0,holder)
    """
    if part.as_read:
        return solve(part, as_written(facts), geometry)
    situations = by_situation(spread(facts))
    veiled = [some for some in situations if any(fact.name == MAY[0] for fact in some)]
    plain = Facts(fact for some in situations if some not in veiled for fact in some)
    answer = solve(part, plain, geometry) if plain else {name: [] for name, _ in part.shown}
    for some in veiled:
        checking, facts = checked(part, Facts(some))
        worlds = Worlds(checking.program(facts), facts, part.shown, geometry, {})
        for name, atoms in PartialAnswer(part, worlds, {}).atoms().items():
            answer.setdefault(name, []).extend(atoms)
    return answer


class PartialAnswer:
    """The answer about one situation, under some choices of readings."""

    def __init__(self, part: Slice, worlds: Worlds, choices: Mapping[str, str]) -> None:
        self._facts = worlds.facts
        self._shown = {name for name, _ in part.shown}
        self._here = worlds.here
        found = worlds.under(choices)
        self._certain, self._open = _by_name(found.certain), _by_name(found.open)
        self._depends_on = partial(worlds.depends_on, found)
        self._atoms: Atoms = {name: sorted_symbols(self._certain[name]) for name, _ in part.shown}

    def atoms(self) -> Atoms:
        """The certain atoms, and those that say what depends on something hidden."""
        self._figures()
        self._verdicts()
        self._steps()
        self._changes()
        self._legality()
        return self._atoms

    # -- figures ---------------------------------------------------------------------------------

    def _figures(self) -> None:
        """A figure that is not the same in all worlds is unknown."""
        open_values: dict[Symbol, list[Symbol]] = defaultdict(list)
        for name in VALUES:
            for atom in self._open[name]:
                open_values[atom.arguments[0]].append(atom)
        for name in LEDGER:  # the figure is the same, but not its entries
            for atom in self._open[name]:
                self._drop(atom.arguments[0], (name,))
        self._atoms.setdefault("unknown", [])
        self._atoms["unknown"] += sorted_symbols(self._open["unknown"])
        for figure, atoms in open_values.items():
            self._drop(figure, (*VALUES, *LEDGER))
            rules = self._rules_of(figure)
            for item in self._depends_on(atoms):
                for rule in rules:
                    unknown = Function("unknown", [figure, item, self._here, rule])
                    self._atoms["unknown"].append(unknown)

    def _drop(self, figure: Symbol, names: Iterable[str]) -> None:
        for name in names:
            if name in self._atoms:
                self._atoms[name] = [a for a in self._atoms[name] if a.arguments[0] != figure]

    def _rules_of(self, figure: Symbol) -> list[Symbol]:
        """The rules of the open entries of a figure; or else those of all its entries."""
        for source in (self._open, self._certain):
            atoms = (a for name in ("entry", "finding", "never") for a in source[name])
            rules = {atom.arguments[-1] for atom in atoms if atom.arguments[0] == figure}
            if rules:
                return sorted_symbols(rules)
        return []

    # -- claims ----------------------------------------------------------------------------------

    def _verdicts(self) -> None:
        """A part of a claim that is true in some worlds is open."""
        numbers = {atom.arguments[0] for atom in self._open["verdict"]}
        if numbers:
            verdicts = [a for a in self._atoms["verdict"] if a.arguments[0] not in numbers]
            verdicts += [Function("verdict", [number, OPEN]) for number in sorted_symbols(numbers)]
            self._atoms["verdict"] = verdicts

    # -- automatic changes -----------------------------------------------------------------------

    def _steps(self) -> None:
        """Steps and rolls that are due in some worlds."""
        for name in STEPS:
            atoms = self._open[name]
            if not atoms or name not in self._shown:
                continue
            if "legal" not in self._shown:
                action = min(text_of(atom.arguments[0]) for atom in atoms)
                raise self._unsettled(action, atoms, ())
            self._atoms[name] = []

    def _changes(self) -> None:
        """The effects of an action must be the same in all worlds."""
        atoms = [a for name in CHANGES if name in self._shown for a in self._open[name]]
        atoms = [atom for atom in atoms if not self._is_idle(atom)]
        doubtful = {atom.arguments[0] for atom in self._open["legal"]}
        if not atoms:
            return
        done = [f.arguments[0] for f in self._facts if f.name == "does"]
        if not done:  # every legal action is taken
            unsure = set(map(_action_of, atoms))
            legal = self._atoms["legal"]
            self._atoms["legal"] = [atom for atom in legal if atom.arguments[0] not in unsure]
        elif doubtful.isdisjoint(done) and not self._is_refused(done):
            events = [atom for atom in atoms if atom.name == "happens"]
            texts = sorted({text_of(atom.arguments[0]) for atom in events or atoms})
            raise self._unsettled(text_of(done[0]), atoms, tuple(texts))

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
        return same and Function("holds", [fluent, value, self._here]) in self._facts

    def _unsettled(self, action: str, atoms: Collection[Symbol], may: tuple[str, ...]) -> Unsettled:
        items = tuple(map(text_of, self._depends_on(atoms)))
        rules = {a.arguments[-1].name for a in atoms if a.arguments[-1].type == SymbolType.Function}
        return Unsettled(action, items, tuple(sorted(rules)), may)

    # -- legal actions ---------------------------------------------------------------------------

    def _legality(self) -> None:
        """An action that is legal in some worlds is unsettled."""
        if "over" in self._shown and self._open["over"]:
            items = self._depends_on(self._open["over"])
            self._atoms[OVER_IF] = [Function(OVER_IF, [item, self._here]) for item in items]
        legal = {atom.arguments[0] for atom in self._certain["legal"]}
        doubtful = {atom.arguments[0]: atom for atom in self._open["legal"]}
        for name in ("reason", "waits"):
            if name in self._shown:
                self._atoms[name] += self._either(name, legal | doubtful.keys())
        if "proposed" in self._shown:
            known = {atom.arguments[0] for atom in self._certain["proposed"]}
            self._atoms["proposed"] += [
                a for a in self._open["proposed"] if a.arguments[0] not in known
            ]
        if "unsettled" not in self._shown:
            return
        unsettled = set(self._open["unsettled"])
        here = self._here
        for action, atom in doubtful.items():
            items, rules = self._depends_on([atom]), self._deciding_rules(action)
            for item, rule in product(items, rules):
                unsettled.add(Function("unsettled", [action, item, here, rule]))
        self._atoms["unsettled"] += sorted_symbols(unsettled)

    def _either(self, name: str, but: Collection[Symbol]) -> Iterator[Symbol]:
        """The reasons against actions that no world allows, by different rules."""
        known = {atom.arguments[0] for atom in self._certain["reason"]} | set(but)
        for atom in sorted_symbols(self._open[name]):
            if atom.arguments[0] not in known:
                yield atom

    def _deciding_rules(self, action: Symbol) -> list[Symbol]:
        """The rules by which an action may be legal or not."""
        over = {atom.arguments[1] for atom in self._open["over"]}
        for name in ("forbidden", "waits", "proposed", "unsettled"):
            rules = {a.arguments[-1] for a in self._open[name] if a.arguments[0] == action}
            if rules:
                return sorted_symbols(rules)
        return sorted_symbols(over)


def bears(about: Callable[[Symbol], bool], atom: Symbol) -> bool:
    """May what an answer is *about* change with an atom of a world?"""
    groups = (names for names in (OF_FIGURE, OF_ACTION) if atom.name in names)
    said = (Function(name, atom.arguments) for name in next(groups, (atom.name,)))
    return atom.name in ("over", *STEPS, *CHANGES) or any(map(about, said))


def _action_of(atom: Symbol) -> Symbol:
    """The action that causes a change, where every legal action is taken."""
    if atom.name == "unfolds":
        return atom.arguments[0]
    return atom.arguments[0 if atom.name == "ends" else -2].arguments[0]


def _by_name(atoms: Iterable[Symbol]) -> defaultdict[str, list[Symbol]]:
    by_name: defaultdict[str, list[Symbol]] = defaultdict(list)
    for atom in atoms:
        by_name[atom.name].append(atom)
    return by_name
