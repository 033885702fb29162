"""The games of two versions as lines: each figure of both, and whether it differs beyond chance."""

from __future__ import annotations

from collections.abc import Sequence

from pymorph.explore.sampling.game_comparison import Contrast, Contrasted, Seen
from pymorph.explore.sampling.proportions import Share, ShareDifference
from pymorph.explore.sampling.simulation import Simulation
from pymorph.views.layout import PLAIN, Style, count, spaced, table, wrapped
from pymorph.views.lines.answers import outcome_words
from pymorph.views.lines.simulation import (
    choice_words,
    end_name,
    given_up,
    how_played,
    length_words,
)

ONLY = {"actions": "actions taken", "events": "events", "rules": "rules that had an effect"}


def contrast(answer: Contrast, style: Style = PLAIN) -> list[str]:
    """How the games of both ended and how long they were, then what happened in them."""
    one = answer.one
    head = f"{count(one.games, 'games')} of each: {how_played(one)}"
    blocks = [
        [style.bold(head), *_given_up(answer)],
        _shares("who wins", answer, answer.outcomes, style),
        _shares("how games ended (rule, last to act)", answer, answer.ends, style),
        _shares("events of the last action", answer, answer.endings, style),
        _lengths(answer, style),
        _shares("other events (number of games)", answer, other_events(answer), style),
        _actions(answer, style),
        _shares("rules that had an effect", answer, answer.rules, style),
        _only(answer),
    ]
    return spaced(filter(None, blocks))


def _given_up(answer: Contrast) -> list[str]:
    pairs = zip(answer.names, (answer.one, answer.other), strict=True)
    return [f"{name}: {line}" for name, run in pairs for line in given_up(run)]


def other_events(answer: Contrast) -> list[Contrasted]:
    """In how many games events happened, but for those that only did so at the end."""
    last = {(row.seen, row.one.games, row.other.games) for row in answer.endings}
    return [r for r in answer.events if (r.seen, r.one.games, r.other.games) not in last]


def name_of(every: Sequence[Simulation], seen: Seen) -> str:
    """What is counted: an outcome in words, a rule by its title, an event as it is."""
    if seen.winners is not None:
        return outcome_words(seen.winners, seen.drawn)
    for run in every:
        if seen.what in run.ruleset.rules or not seen.what:
            return end_name(run.ruleset, seen.what, seen.after)
    return seen.what


def _shares(title: str, answer: Contrast, rows: Sequence[Contrasted], style: Style) -> list[str]:
    """Each figure with its name, and below it both shares and their difference."""
    if not rows:
        return []
    numbers = [(*answer.names, "difference", "")]
    numbers += [
        (
            share_words(figure.one),
            share_words(figure.other),
            percents(figure.difference),
            verdict(figure.difference),
        )
        for figure in rows
    ]
    top, *lines = table(numbers, "    ", wrap=False)
    block = [style.bold(title), style.dim(top)]
    for figure, line in zip(rows, lines, strict=True):
        block += [f"  {name_of((answer.one, answer.other), figure.seen)}", line]
    return block


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
    rows = list(zip(answer.names, map(length_words, (answer.one, answer.other)), strict=True))
    if answer.length:
        rows.append(("difference", "  ".join(by_how_many(answer.length))))
    return [style.bold("actions per game"), *table(rows)]


def _actions(answer: Contrast, style: Style) -> list[str]:
    """How often each action is taken in a game of each, and how many there are to choose from."""
    both = (answer.one, answer.other)
    taken = [{use.name: use.taken for use in run.actions} for run in both]
    rows: list[Sequence[str]] = [("", *answer.names)]
    for name in dict.fromkeys([*taken[0], *taken[1]]):
        pairs = zip(taken, both, strict=True)
        means = (use.get(name, 0) / max(run.games, 1) for use, run in pairs)
        rows.append([name, *(f"{mean:.1f}" for mean in means)])
    lines = [style.bold("actions taken per game, on average"), *table(rows, wrap=False)]
    widths = list(zip(answer.names, map(choice_words, both), strict=True))
    return [*lines, "", style.bold("actions to choose from"), *table(widths)]


def _only(answer: Contrast) -> list[str]:
    """What was seen with one of the two alone."""
    lines = []
    for name, only in zip(answer.names, (answer.only_one, answer.only_other), strict=True):
        for kind, names in only.items():
            if names:
                lines += wrapped(f"{ONLY[kind]}, only with {name}: {', '.join(names)}", "  ", "")
    return lines
