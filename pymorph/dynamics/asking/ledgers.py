"""Figures and their ledgers, read from the atoms that the rules give of a position."""

from __future__ import annotations

from collections import defaultdict

from clingo import Function, Symbol

from pymorph.asp.grounding import Atoms
from pymorph.dynamics.results import Entry, Figure
from pymorph.ruleset.vocabulary import Declared
from pymorph.state.position import Position
from pymorph.terms import Term, order, sorted_symbols, text_of


def short_name(position: Position, symbol: Symbol) -> Symbol:
    """A figure without the arguments that go without saying."""
    declared, elided = declared_figure(position, symbol), position.ruleset.vocabulary.elided
    if declared is None:
        return symbol
    pairs = zip(symbol.arguments, declared.sorts, strict=True)
    return Function(symbol.name, [a for a, sort in pairs if elided.get(sort) != a])


def declared_figure(position: Position, symbol: Symbol) -> Declared | None:
    words = position.ruleset.vocabulary
    return words.figures.get(symbol.name) or words.findings.get(symbol.name)


def figures_in(
    position: Position, atoms: Atoms, only: set[Symbol] | None, whole: bool = False
) -> list[Figure]:
    """The figures and findings of an answer, in the order of the vocabulary, then by argument.

    With the *whole* ledger of each, also items that count nothing.
    """
    words = position.ruleset.vocabulary
    entries: dict[Symbol, list[Entry]] = defaultdict(list)
    for atom in atoms["entry"]:
        name, item, amount, _, rule = atom.arguments
        entries[name].append(Entry(Term(item), amount.number, rule.name, words.phrase(item)))
    values: dict[Symbol, int | str] = {}
    rules: dict[Symbol, set[str]] = defaultdict(set)
    for atom in atoms["total"]:
        values[atom.arguments[0]] = atom.arguments[1].number
    for word in ("never", "unknown", "finding"):
        for name, *items, _, rule in (atom.arguments for atom in atoms.get(word, ())):
            values[name] = text_of(items[0]) if word == "finding" else word
            rules[name].add(rule.name)
    grounds: dict[Symbol, list[Symbol]] = defaultdict(list)
    for atom in (*atoms.get("ground", ()), *atoms.get("unknown", ())):
        grounds[atom.arguments[0]].append(atom.arguments[1])
    rank = {name: number for number, name in enumerate((*words.figures, *words.findings))}
    figures = []
    for name in sorted(values, key=lambda s: (rank.get(s.name, 0), order(s))):
        if only is not None and name not in only:
            continue
        unit = words.figures[name.name].unit if name.name in words.figures else ""
        ledger = () if values[name] in ("never", "unknown") else _ledger(entries[name], whole)
        cited, behind = tuple(sorted(rules[name])), map(Term, sorted_symbols(grounds[name]))
        figure = Term(short_name(position, name))
        figures.append(Figure(figure, values[name], unit, ledger, cited, tuple(behind)))
    return figures


def _ledger(entries: list[Entry], whole: bool) -> tuple[Entry, ...]:
    """The items in order, those of nothing left out unless they are all there is or the *whole* is
    wanted."""
    telling = [entry for entry in entries if entry.amount or whole]
    return tuple(sorted(telling or entries, key=lambda e: (e.amount < 0, e.item, e.rule)))
