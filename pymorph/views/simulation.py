"""Many games as lines: how they ended, how long they were, what was done and what was not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pymorph.views.layout import PLAIN, Style, count, rule_ids, spaced, table, wrapped

if TYPE_CHECKING:
    from pymorph.queries.simulation import Share, Simulation

BARS = 12  # rows of a picture of the lengths
WIDE = 40  # signs of its longest bar


def simulation(answer: Simulation, style: Style = PLAIN) -> list[str]:
    """How the games ended and how long they were, then what happened in them, then what did not."""
    first = [style.bold(f"{count(answer.games, 'games')}: {how_played(answer)}")]
    unfinished = answer.games - answer.finished
    if unfinished:
        first.append(f"{count(unfinished, 'games')} given up after {answer.most} actions")
    blocks = [
        first,
        _ends(answer, style),
        _shares("what happened with the last action", answer.endings, style),
        _lengths(answer, style),
        _shares("what happened in how many games", answer.events, style),
        _actions(answer, style),
        _never(answer, style),
    ]
    return spaced(filter(None, blocks))


def _ends(answer: Simulation, style: Style) -> list[str]:
    """By which rules the games were over, and after whose action."""
    rows = [(name, *_numbers(share)) for name, share in how_they_end(answer)]
    return [style.bold("over by which rule, after whose action"), *_aligned(rows)] if rows else []


def how_they_end(answer: Simulation) -> list[tuple[str, Share]]:
    """By which rule games were over, after whose action, and in how many of them."""
    rows = []
    for end in answer.over:
        rule = answer.ruleset.rules.get(end.rule)
        title = f"{rule.title} " if rule and rule.title else ""
        after = f" after {end.after}" if end.after else ""
        rows.append((f"{title}{rule_ids([end.rule])}{after}", end.share))
    return rows


def how_played(answer: Simulation) -> str:
    """Who chose by what."""
    named = [f"all play {p}" if w == p else f"{w} plays {p}" for w, p in answer.by.items()]
    return f"{', '.join(named) or 'all play at random'}; seed {answer.seed}"


def _numbers(share: Share) -> tuple[str, str, str]:
    """In how many games, which part that is, and between which the true one lies."""
    low, high = share.interval
    part = f"{100 * share.games / max(share.of, 1):.1f}%"
    return str(share.games), part, f"{100 * low:.1f}% to {100 * high:.1f}%"


def _shares(title: str, shares: Sequence[Share], style: Style) -> list[str]:
    rows = [(share.what, *_numbers(share)) for share in shares]
    return [style.bold(title), *_aligned(rows)] if rows else []


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns, of which all but the first are numbers."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return table(
        [(row[0], *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))) for row in rows],
        wrap=False,
    )


def lengths_by_bar(answer: Simulation) -> list[tuple[str, int]]:
    """How many games had how many actions, some lengths together where they are many."""
    low, high = answer.lengths[0][0], answer.lengths[-1][0]
    step = -(-(high - low + 1) // BARS)
    sums = dict.fromkeys(range(low, high + 1, step), 0)
    for length, games in answer.lengths:
        sums[low + (length - low) // step * step] += games
    ends = {at: min(at + step - 1, high) for at in sums}
    return [(str(at) if at == ends[at] else f"{at}-{ends[at]}", n) for at, n in sums.items()]


def _lengths(answer: Simulation, style: Style) -> list[str]:
    """The lengths as bars."""
    if not answer.lengths:
        return []
    rows = lengths_by_bar(answer)
    most = max(games for _, games in rows)
    names, numbers = (max(len(str(row[i])) for row in rows) for i in range(2))
    lines = [
        f"  {name.rjust(names)}  {games:{numbers}}  {'#' * round(WIDE * games / most)}".rstrip()
        for name, games in rows
    ]
    low, high = answer.lengths[0][0], answer.lengths[-1][0]
    mean = f"{answer.mean_length:.1f} on average, {low} to {high}"
    return [style.bold(f"actions in a game: {mean}"), *lines]


def _actions(answer: Simulation, style: Style) -> list[str]:
    mean, least, most = answer.choices
    rows = [(use.name, str(use.taken), str(use.offered)) for use in answer.actions]
    if not rows:
        return []
    title = f"actions taken, and in how many positions there were any to choose: {mean:.1f} each"
    return [style.bold(f"{title}, {least} to {most}"), *_aligned(rows)]


def _never(answer: Simulation, style: Style) -> list[str]:
    lines = []
    for kind, names in answer.never.items():
        if names:
            lines += wrapped(f"{kind} never seen: {', '.join(names)}", "  ", "")
    return lines
