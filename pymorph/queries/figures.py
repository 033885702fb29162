"""The forecast: figures with their ledgers, and findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

from clingo import Function, Symbol, SymbolType

from pymorph.asp.grounding import Atoms
from pymorph.errors import Fault, UnknownName, clipped, nearest
from pymorph.queries.batch import situation
from pymorph.queries.consistency import ask_checked, blamed_on_flaws
from pymorph.queries.results import Entry, Figure, Forecast
from pymorph.ruleset.vocabulary import Declared
from pymorph.state.names import check_arguments, filled, fitting
from pymorph.state.position import Position, of_position
from pymorph.state.printed import as_meant
from pymorph.terms import Term, order, parse_named, sorted_symbols, text_of


@of_position
def forecast(position: Position, *names: str, wide: bool = False, unchecked: str = "") -> Forecast:
    """Every figure of what is in play, with its items; with names, only those figures.

    A name is that of a kind of figure (``score``) or a figure (``score(anna)``), also one
    that is computed on demand, such as the length of a way; what nobody here has is `absent`.
    *wide* adds what may come next. One that is still *unchecked* has a name to be called by.
    Raises: UnknownName, if a name is none of the ruleset's; IllFormed, if the position is none.
    """
    with blamed_on_flaws(position, unchecked):
        return _forecast(position, names, wide or bool(names), unchecked)


def forecast_in_parts(
    position: Position,
    names: Sequence[str],
    wide: bool,
    unchecked: str,
    kept: Callable[[Forecast], None],
) -> Forecast:
    """The same, some kinds of figures after others, in more time; *kept* is given what is worked
    out so far, each time when there is more."""
    words = position.ruleset.vocabulary
    parts = list(names) or [*words.figures, *words.findings]
    wide, some, found = wide or bool(names), 1, Forecast(position.ruleset, ())
    with blamed_on_flaws(position, unchecked):
        while parts:
            now, parts = parts[:some], parts[some:]
            more = _forecast(position, now, wide, unchecked)
            absent = (*found.absent, *more.absent) if names else ()
            figures = (*found.figures, *more.figures)
            found, unchecked, some = Forecast(position.ruleset, figures, absent), "", 2 * some
            if parts:
                kept(replace(found, partial=True, left=tuple(parts)))
    rank = {name: number for number, name in enumerate((*words.figures, *words.findings))}

    def place(figure: Figure) -> tuple[object, ...]:
        name = figure.name.symbol
        return rank.get(name.name, 0), order(full_name(position, name))

    return replace(found, figures=tuple(sorted(dict.fromkeys(found.figures), key=place)))


def _forecast(position: Position, names: Sequence[str], wide: bool, unchecked: str) -> Forecast:
    here = situation(0)
    facts = position.facts(here)
    facts.append(Function("surveying", [here]))
    if wide:
        facts.append(Function("wide", [here]))
    kinds: set[str] = set()
    wanted: list[Symbol] = []
    meant: dict[str, set[Symbol]] = {}
    for text in names:
        for name, found in as_meant(position, text, lambda t: (t, _figure_names(position, t))):
            if found is None:
                kinds.add(name)
            else:
                wanted += found
            meant[name] = set(found or ())
    facts += [Function("wanted", [figure, here]) for figure in wanted]
    asked = frozenset(kinds | {figure.name for figure in wanted})
    atoms = ask_checked("forecast", position, facts, unchecked, asked)
    figures = figures_in(position, atoms, None)
    if names:
        single = set(wanted)
        figures = [
            f
            for f in figures
            if f.name.name in kinds or full_name(position, f.name.symbol) in single
        ]
    there = {full_name(position, f.name.symbol) for f in figures}
    kept = {f.name.name for f in figures}
    absent = [
        name
        for name, full in meant.items()
        if (name not in kept if name in kinds else there.isdisjoint(full))
    ]
    return Forecast(position.ruleset, tuple(figures), tuple(absent))


def _figure_names(position: Position, text: str) -> list[Symbol] | None:
    """The figures that *text* may mean, or None if it is the name of a kind."""
    words = position.ruleset.vocabulary
    known = {**words.figures, **words.findings}
    symbol = parse_named(words.rulers.plain(text))
    declared = known.get(symbol.name) if symbol.type == SymbolType.Function else None
    if declared is None:
        raise UnknownName(
            Fault(f"unknown figure {clipped(symbol.name or text)}{nearest(symbol.name, known)}")
        )
    if not symbol.arguments and declared.sorts:
        return None
    full = full_name(position, symbol)
    if len(full.arguments) == len(declared.sorts):
        check_arguments(position, declared, full)
        return [full]
    return fitting(position, declared, symbol, text)


def full_name(position: Position, symbol: Symbol) -> Symbol:
    """A figure with the arguments that go without saying."""
    declared = _declared(position, symbol)
    return symbol if declared is None else filled(position, declared, symbol) or symbol


def short_name(position: Position, symbol: Symbol) -> Symbol:
    """A figure without the arguments that go without saying."""
    declared, elided = _declared(position, symbol), position.ruleset.vocabulary.elided
    if declared is None:
        return symbol
    pairs = zip(symbol.arguments, declared.sorts, strict=True)
    return Function(symbol.name, [a for a, sort in pairs if elided.get(sort) != a])


def _declared(position: Position, symbol: Symbol) -> Declared | None:
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
    for atom in atoms["never"]:
        values[atom.arguments[0]] = "never"
        rules[atom.arguments[0]].add(atom.arguments[2].name)
    for atom in atoms.get("unknown", []):
        name, item, _, rule = atom.arguments
        values[name] = "unknown"
        rules[name].add(rule.name)
    grounds: dict[Symbol, list[Symbol]] = defaultdict(list)
    for atom in atoms.get("ground", []):
        grounds[atom.arguments[0]].append(atom.arguments[1])
    for atom in atoms.get("unknown", []):
        grounds[atom.arguments[0]].append(atom.arguments[1])
    for atom in atoms.get("finding", []):
        name, found, _, rule = atom.arguments
        values[name] = text_of(found)
        rules[name].add(rule.name)
    rank = {name: number for number, name in enumerate((*words.figures, *words.findings))}
    figures = []
    for name in sorted(values, key=lambda s: (rank.get(s.name, 0), order(s))):
        if only is not None and name not in only:
            continue
        unit = words.figures[name.name].unit if name.name in words.figures else ""
        ledger = () if values[name] in ("never", "unknown") else _ledger(entries[name], whole)
        figures.append(
            Figure(
                Term(short_name(position, name)),
                values[name],
                unit,
                ledger,
                tuple(sorted(rules[name])),
                tuple(map(Term, sorted_symbols(grounds[name]))),
            )
        )
    return figures


def _ledger(entries: list[Entry], whole: bool) -> tuple[Entry, ...]:
    """The items in order, those of nothing left out unless they are all there is or the *whole* is
    wanted."""
    telling = [entry for entry in entries if entry.amount or whole]
    return tuple(sorted(telling or entries, key=lambda e: (e.amount < 0, e.item, e.rule)))
