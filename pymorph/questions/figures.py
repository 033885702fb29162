"""The forecast: figures with their ledgers, and findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from clingo import Function, Symbol, SymbolType

from pymorph.dynamics.asking.batch import situation
from pymorph.dynamics.asking.ledgers import declared_figure, figures_in
from pymorph.dynamics.results import Figure, Forecast
from pymorph.errors import Fault, UnknownName, clipped, nearest
from pymorph.questions.consistency import ask_checked, blamed_on_flaws
from pymorph.runtime.arguments import checked
from pymorph.state.files.display_names import as_meant
from pymorph.state.names import check_arguments, filled, fitting
from pymorph.state.position import Position
from pymorph.terms import order, parse_named


@checked
def forecast(position: Position, *names: str, wide: bool = False, unchecked: str = "") -> Forecast:
    """Every figure of what is in play, with its items; with names, only those figures.

    A name is that of a kind of figure (``score``) or a figure (``score(anna)``), also one
    that is computed on demand, such as the length of a way; what nobody here has is `absent`.
    *wide* adds what may come next. One that is still *unchecked* has a name to be called by.
    Raises: UnknownName, if a name is none of the ruleset's; IllFormed, if the position is none.

    >>> import pymorph
    >>> position = pymorph.Position.load("examples/positions/right_cross.yaml")
    >>> answer = pymorph.forecast(position, "inertia")
    >>> answer["inertia(baganal)"]
    7
    >>> [(str(entry.item), entry.amount, entry.rule) for entry in answer.figures[0].entries][:2]
    [('calls(1, ready)', 1, 'mor_int_03'), ('calls(2, ready)', 1, 'mor_int_03')]
    """
    with blamed_on_flaws(position, unchecked):
        return _forecast(position, names, wide or bool(names), unchecked)


def forecast_in_parts(
    position: Position,
    names: Sequence[str],
    wide: bool,
    unchecked: str,
    on_progress: Callable[[Forecast], None],
) -> Forecast:
    """The same, some kinds of figures after others, in more time.

    *on_progress* is given the figures so far, each time when there are more.
    """
    words = position.ruleset.vocabulary
    parts = list(names) or [*words.figures, *words.findings]
    wide, some, forecast = wide or bool(names), 1, Forecast(position.ruleset, ())
    with blamed_on_flaws(position, unchecked):
        while parts:
            now, parts = parts[:some], parts[some:]
            more = _forecast(position, now, wide, unchecked)
            absent = (*forecast.absent, *more.absent) if names else ()
            figures = (*forecast.figures, *more.figures)
            forecast, unchecked, some = Forecast(position.ruleset, figures, absent), "", 2 * some
            if parts:
                on_progress(replace(forecast, partial=True, left=tuple(parts)))
    rank = {name: number for number, name in enumerate((*words.figures, *words.findings))}

    def place(figure: Figure) -> tuple[object, ...]:
        name = figure.name.symbol
        return rank.get(name.name, 0), order(full_name(position, name))

    return replace(forecast, figures=tuple(sorted(dict.fromkeys(forecast.figures), key=place)))


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
        for name, symbols in as_meant(position, text, lambda t: (t, _figure_names(position, t))):
            if symbols is None:
                kinds.add(name)
            else:
                wanted += symbols
            meant[name] = set(symbols or ())
    facts += [Function("wanted", [figure, here]) for figure in wanted]
    asked = frozenset(kinds | {figure.name for figure in wanted})
    atoms = ask_checked("forecast", position, facts, unchecked, asked)
    figures = figures_in(position, atoms, None)
    named = [(figure, full_name(position, figure.name.symbol)) for figure in figures]
    if names:
        named = [(f, symbol) for f, symbol in named if symbol.name in kinds or symbol in wanted]
    present = {symbol for _, symbol in named}
    kinds_present = {symbol.name for symbol in present}
    absent = [
        name
        for name, symbols in meant.items()
        if (name not in kinds_present if name in kinds else present.isdisjoint(symbols))
    ]
    return Forecast(position.ruleset, tuple(figure for figure, _ in named), tuple(absent))


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
    declared = declared_figure(position, symbol)
    return symbol if declared is None else filled(position, declared, symbol) or symbol
