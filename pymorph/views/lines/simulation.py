"""Many games as lines: how they ended, how long they were, what was done and what was not."""

from __future__ import annotations

from collections.abc import Sequence

from pymorph.dynamics.results import left_out
from pymorph.explore.sampling.proportions import Share
from pymorph.explore.sampling.simulation import Simulation, Width
from pymorph.ruleset.loader import Ruleset
from pymorph.views.layout import PLAIN, TIME_UP, Style, count, rule_ids, spaced, table, wrapped
from pymorph.views.lines.answers import outcome_words

BARS = 12  # rows of a picture of the lengths
WIDE = 40  # signs of its longest bar


def simulation(answer: Simulation, style: Style = PLAIN) -> list[str]:
    """How the games ended and how long they were, then what happened in them, then what did not."""
    head = style.bold(f"{count(answer.games, 'games')}: {how_played(answer)}")
    blocks = [
        [head, *given_up(answer), *(f"left out: {what}" for what in left_out(answer.ruleset))],
        _shares("who wins", outcomes(answer), style),
        _scores(answer, style),
        _shares("how games ended (rule, last to act)", how_they_end(answer), style),
        _shares("events of the last action", named(answer.endings), style),
        _lengths(answer, style),
        _shares("other events (number of games)", named(other_events(answer)), style),
        _actions(answer, style),
        _widths(answer, style),
        _rules(answer, style),
        _never(answer, style),
    ]
    return spaced(filter(None, blocks))


def outcomes(answer: Simulation) -> list[tuple[str, Share]]:
    """Who has won, in words, and in how many games."""
    return [(outcome_words(end.winners, end.drawn), end.share) for end in answer.outcomes]


def _scores(answer: Simulation, style: Style) -> list[str]:
    """With how many points the games ended."""
    rows = [(s.player, f"{s.points.mean:.1f}", f"{s.points.spread:.1f}") for s in answer.scores]
    title = style.bold("points at the end: average, standard deviation")
    return [title, *_aligned(rows)] if rows else []


def how_they_end(answer: Simulation) -> list[tuple[str, Share]]:
    """By which rule games were over, after whose action, and in how many of them."""
    return [(end_name(answer.ruleset, end.rule, end.after), end.share) for end in answer.over]


def end_name(ruleset: Ruleset, rule: str, after: str) -> str:
    """How a game ended: by which rule, after whose action."""
    how = rule_name(ruleset, rule) if rule else "no rule: no action is legal"
    return how + (f" after {after}" if after else "")


def rule_name(ruleset: Ruleset, name: str) -> str:
    """A rule by its title and its id."""
    rule = ruleset.rules.get(name)
    return f"{rule.title if rule else ''} {rule_ids([name])}".strip()


def given_up(answer: Simulation) -> list[str]:
    """How many games came to no end, in a line, if some did."""
    left = answer.games - answer.finished
    if answer.partial:
        return [f"partial: {TIME_UP}; {count(left, 'games')} unfinished"]
    return [f"{count(left, 'games')} given up after {answer.most} actions"] if left else []


def other_events(answer: Simulation) -> list[Share]:
    """In how many games events happened, but for those that only did so at the end."""
    last = {(share.what, share.games) for share in answer.endings}
    return [share for share in answer.events if (share.what, share.games) not in last]


def how_played(answer: Simulation) -> str:
    """Who chose by what."""
    named = [f"all play {p}" if w == p else f"{w} plays {p}" for w, p in answer.by.items()]
    return f"{', '.join(named) or 'all play at random'}; seed {answer.seed}"


def _numbers(share: Share) -> tuple[str, str, str]:
    """In how many games, which part that is, and between which the true one lies."""
    low, high = share.interval
    return str(share.games), f"{100 * share.part:.1f}%", f"{100 * low:.1f}% to {100 * high:.1f}%"


def named(shares: Sequence[Share]) -> list[tuple[str, Share]]:
    """Shares with the names of what they count."""
    return [(share.what, share) for share in shares]


def _shares(title: str, shares: Sequence[tuple[str, Share]], style: Style) -> list[str]:
    """In how many games something happened: a line for each name with its share."""
    rows = [(name, *_numbers(share)) for name, share in shares]
    return [style.bold(title), *_aligned(rows)] if rows else []


def _aligned(rows: Sequence[Sequence[str]], first: bool = False) -> list[str]:
    """Columns, of which all but the first, or that too, are numbers."""
    widths = [max(len(line[i]) for line in rows) for i in range(len(rows[0]))]
    if not first:
        widths[0] = 0
    cells = [[c.rjust(w) for c, w in zip(line, widths, strict=True)] for line in rows]
    return table(cells, wrap=False)


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
    if answer.lengths[-1][0] == 0:
        return ["no game can start: no action is legal in the position ('pymorph legal' says why)"]
    bars = lengths_by_bar(answer)
    most = max(games for _, games in bars)
    names, numbers = (max(len(str(bar[i])) for bar in bars) for i in range(2))
    lines = [
        f"  {name.rjust(names)}  {games:{numbers}}  {'#' * round(WIDE * games / most)}".rstrip()
        for name, games in bars
    ]
    return [style.bold(f"actions per game: {length_words(answer)}"), *lines]


def length_words(answer: Simulation) -> str:
    """How long games are, which came to an end."""
    if not answer.lengths:
        return "no game ended"
    low, high = answer.lengths[0][0], answer.lengths[-1][0]
    return f"{answer.mean_length:.1f} on average, {low} to {high}"


def choice_words(answer: Simulation) -> str:
    """How many actions there are to choose from."""
    mean, least, most = answer.choices
    return f"{mean:.1f} on average, {least} to {most}"


def _actions(answer: Simulation, style: Style) -> list[str]:
    rows = [(use.name, str(use.taken), str(use.offered)) for use in answer.actions]
    title = "actions: times taken, number of positions where they were legal"
    return [style.bold(title), *_aligned(rows)] if rows else []


def _widths(answer: Simulation, style: Style) -> list[str]:
    """How many actions there were to choose from, as games went on."""
    rows = [(name, f"{w.mean:.1f}", f"{w.low} to {w.high}") for name, w in widths_by_bar(answer)]
    title = f"actions to choose from: {choice_words(answer)}"
    legend = "after N actions: average, and the range in 80 % of positions"
    return [style.bold(title), f"  {legend}", *_aligned(rows, first=True)] if rows else []


def widths_by_bar(answer: Simulation) -> list[tuple[str, Width]]:
    """How many actions could be chosen after so many, some lengths together where they are many:
    the least and the most of them."""
    widths = answer.widths
    if not widths:
        return []
    step = -(-(widths[-1].length + 1) // BARS)
    groups: dict[int, list[Width]] = {}
    for width in widths:
        groups.setdefault(width.length // step * step, []).append(width)
    bars = []
    for at, some in groups.items():
        positions = sum(width.positions for width in some)
        mean = sum(width.positions * width.mean for width in some) / positions
        low, high = min(width.low for width in some), max(width.high for width in some)
        end = min(at + step - 1, widths[-1].length)
        name = str(at) if at == end else f"{at}-{end}"
        bars.append((name, some[0]._replace(positions=positions, mean=mean, low=low, high=high)))
    return bars


def _rules(answer: Simulation, style: Style) -> list[str]:
    """In how many games each rule was at work."""
    rows = [
        (rule_name(answer.ruleset, use.rule), *_numbers(use.share), str(use.steps))
        for use in answer.rules
    ]
    title = "rules that had an effect: number of games, number of steps"
    return [style.bold(title), *_aligned(rows)] if rows else []


def _never(answer: Simulation, style: Style) -> list[str]:
    lines = []
    for kind, names in answer.never.items():
        if names:
            title = "rules that had no effect" if kind == "rules" else f"{kind} never seen"
            lines += wrapped(f"{title}: {', '.join(names)}", "  ", "")
    return lines
