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
    how = (
        ", ".join(
            f"{who} plays {policy}" if who != policy else f"all play {policy}"
            for who, policy in answer.by.items()
        )
        or "all play at random"
    )
    first = [style.bold(f"{count(answer.games, 'games')}: {how}; seed {answer.seed}")]
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
    rows = []
    for end in answer.over:
        rule = answer.ruleset.rules.get(end.rule)
        title = f"{rule.title} " if rule and rule.title else ""
        rows.append((f"{title}{rule_ids([end.rule])} after {end.after}", *_numbers(end.share)))
    return [style.bold("over by which rule, after whose action"), *_aligned(rows)] if rows else []


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


def _lengths(answer: Simulation, style: Style) -> list[str]:
    """The lengths as bars, some of them together where they are many."""
    if not answer.lengths:
        return []
    low, high = answer.lengths[0][0], answer.lengths[-1][0]
    step = -(-(high - low + 1) // BARS)
    sums: dict[int, int] = {}
    for length, games in answer.lengths:
        at = low + (length - low) // step * step
        sums[at] = sums.get(at, 0) + games
    most = max(sums.values())
    rows = []
    for at in range(low, high + 1, step):
        games = sums.get(at, 0)
        last = min(at + step - 1, high)
        name = str(at) if at == last else f"{at}-{last}"
        rows.append((name, str(games), "#" * round(WIDE * games / most)))
    wide = [max(len(row[i]) for row in rows) for i in range(2)]
    lines = [f"  {a.rjust(wide[0])}  {n.rjust(wide[1])}  {bar}".rstrip() for a, n, bar in rows]
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
            lines += wrapped(f"{kind} never seen: {', '.join(names)}", "", "  ")
    return lines
