"""The games of two versions as lines: each figure of both, and whether it differs beyond chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pymorph.adjudication.per_reading import EveryReading
from pymorph.explore.sampling.game_comparison import Contrast, Seen
from pymorph.explore.sampling.proportions import Share, ShareDifference
from pymorph.explore.sampling.simulation import Simulation
from pymorph.views.layout import PLAIN, Style, count, paragraphs, spaced, table
from pymorph.views.lines import simulation as views
from pymorph.views.lines.answers import outcome_words

ONLY = {"actions": "actions taken", "events": "events", "rules": "rules that had an effect"}


class GameFigure(NamedTuple):
    """In how many games of each simulation something was seen, and how the shares differ."""

    name: str
    shares: tuple[Share, ...]
    differences: tuple[ShareDifference, ...]


def figures_of(answer: Contrast | EveryReading, kind: str) -> list[GameFigure]:
    """The figures of a kind; events only where they did not just happen at the end."""
    rows: list[tuple[Seen, tuple[Share, ...], tuple[ShareDifference, ...]]]
    if isinstance(answer, Contrast):
        runs = [answer.one, answer.other]
        rows = [(r.seen, (r.one, r.other), (r.difference,)) for r in getattr(answer, kind)]
    else:
        runs = [answer.simulations[0]]
        rows = [(*figure, figure.differences) for figure in answer.figures(kind)]
    figures = [GameFigure(name_of(runs, seen), shares, gaps) for seen, shares, gaps in rows]
    last = figures_of(answer, "endings") if kind == "events" else []
    at_the_end = {(f.name, *(share.games for share in f.shares)) for f in last}
    return [f for f in figures if (f.name, *(s.games for s in f.shares)) not in at_the_end]


def name_of(every: Sequence[Simulation], seen: Seen) -> str:
    """What is counted: an outcome in words, a rule by its title, an event as it is."""
    if seen.winners is not None:
        return outcome_words(seen.winners, seen.drawn)
    for run in every:
        if seen.what in run.ruleset.rules or not seen.what:
            return views.end_name(run.ruleset, seen.what, seen.after)
    return seen.what


def contrast(answer: Contrast, style: Style = PLAIN) -> list[str]:
    """How the games of both ended and how long they were, then what happened in them."""
    both = (answer.one, answer.other)
    head = f"{count(answer.one.games, 'games')} of each: {views.how_played(answer.one)}"
    pairs = zip(answer.names, both, strict=True)
    left = [f"{name}: {line}" for name, run in pairs for line in views.given_up(run)]
    rows: list[Sequence[str]] = [("", *answer.names)]
    rows += [(name, *means) for name, means in actions_per_game(both).items()]
    widths = list(zip(answer.names, map(views.choice_words, both), strict=True))
    return side_by_side(
        [[style.bold(head), *left]],
        lambda kind: _shares(answer, kind, style),
        _lengths(answer, style),
        actions_taken(rows, widths, style),
        _only(answer),
    )


def side_by_side(
    head: Sequence[Sequence[str]],
    shares: Callable[[str], Sequence[str]],
    lengths: Sequence[str],
    actions: Sequence[str],
    only: Sequence[str],
) -> list[str]:
    """The parts of a comparison in their order."""
    ends = map(shares, ("outcomes", "ends", "endings"))
    parts = [*head, *ends, lengths, shares("events"), actions, shares("rules"), only]
    return spaced(filter(None, parts))


def _shares(answer: Contrast, kind: str, style: Style) -> list[str]:
    """Each figure with its name, and below it both shares and their difference."""
    figures = figures_of(answer, kind)
    numbers = [(*answer.names, "difference", "")]
    for _, (one, other), (gap,) in figures:
        numbers.append((share_words(one), share_words(other), percents(gap), verdict(gap)))
    top, *lines = table(numbers, "    ", wrap=False)
    block = [style.bold(views.TITLES[kind]), style.dim(top)]
    for figure, line in zip(figures, lines, strict=True):
        block += [f"  {figure.name}", line]
    return block if figures else []


def share_words(share: Share) -> str:
    low, high = share.interval
    return f"{100 * share.part:.1f}% ({100 * low:.1f} to {100 * high:.1f})"


def percents(gap: ShareDifference) -> str:
    """A difference of shares, with the range in which the true one lies."""
    return f"{100 * gap.seen:+.1f} ({100 * gap.least:+.1f} to {100 * gap.most:+.1f})"


def by_how_many(gap: ShareDifference | None) -> tuple[str, str]:
    """A difference of numbers, with the range in which the true one lies, and what to make of
    it; nothing, if none is known."""
    if gap is None:
        return "", ""
    return f"{gap.seen:+.1f} ({gap.least:+.1f} to {gap.most:+.1f})", verdict(gap)


def verdict(gap: ShareDifference) -> str:
    return "beyond chance" if gap.beyond_chance else "within chance"


def _lengths(answer: Contrast, style: Style) -> list[str]:
    words = map(views.length_words, (answer.one, answer.other))
    rows = list(zip(answer.names, words, strict=True))
    if answer.length:
        rows.append(("difference", "  ".join(by_how_many(answer.length))))
    return [style.bold("actions per game"), *table(rows)]


def actions_per_game(runs: Sequence[Simulation]) -> dict[str, list[str]]:
    """How often each action is taken in a game of each simulation."""
    games = [max(run.games, 1) for run in runs]
    return {
        name: [f"{times / n:.1f}" for times, n in zip(numbers, games, strict=True)]
        for name, numbers in views.times_taken(runs).items()
    }


def actions_taken(
    rows: Sequence[Sequence[str]], widths: Sequence[Sequence[str]], style: Style
) -> list[str]:
    """How often each action is taken in a game, and how many there are to choose from."""
    lines = [style.bold("actions taken per game, on average"), *table(rows, wrap=False)]
    return [*lines, "", style.bold("actions to choose from"), *table(widths)]


def _only(answer: Contrast) -> list[str]:
    """What was seen with one of the two alone."""
    both = zip(answer.names, (answer.only_one, answer.only_other), strict=True)
    texts = (
        f"{ONLY[kind]}, only with {name}: {', '.join(names)}"
        for name, only in both
        for kind, names in only.items()
        if names
    )
    return paragraphs(texts, "  ", "")
