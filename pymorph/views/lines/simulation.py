"""Many games as lines: how they ended, how long they were, what was done and what was not."""

from __future__ import annotations

from collections.abc import Sequence

from pymorph.dynamics.results import left_out
from pymorph.explore.sampling.proportions import Share
from pymorph.explore.sampling.simulation import Simulation, Width
from pymorph.ruleset.loader import Ruleset
from pymorph.views import layout
from pymorph.views.lines.answers import outcome_words

# The kinds of what is counted in games, by what the answers have them under.
TITLES = {
    "outcomes": "who wins",
    "ends": "how games ended (rule, last to act)",
    "endings": "events of the last action",
    "events": "other events (number of games)",
    "rules": "rules that had an effect",
}


def simulation(answer: Simulation, style: layout.Style = layout.PLAIN) -> list[str]:
    """How the games ended and how long they were, then what happened in them, then what did not."""

    def part(title: str, rows: Sequence[Sequence[str]]) -> list[str]:
        return layout.section(title, layout.aligned(rows), style)

    def shares(kind: str) -> list[str]:
        rows = [(name, *_numbers(share)) for name, share in shares_of(answer, kind)]
        return part(TITLES[kind], rows)

    head = style.bold(f"{layout.count(answer.games, 'games')}: {how_played(answer)}")
    points = [(s.player, f"{s.points.mean:.1f}", f"{s.points.spread:.1f}") for s in answer.scores]
    actions = [(use.name, str(use.taken), str(use.offered)) for use in answer.actions]
    rules = [
        (rule_name(answer.ruleset, use.rule), *_numbers(use.share), str(use.steps))
        for use in answer.rules
    ]
    blocks = [
        [head, *given_up(answer), *(f"left out: {what}" for what in left_out(answer.ruleset))],
        shares("outcomes"),
        part("points at the end: average, standard deviation", points),
        shares("ends"),
        shares("endings"),
        _lengths(answer, style),
        shares("events"),
        part("actions: times taken, number of positions where they were legal", actions),
        _widths(answer, style),
        part(f"{TITLES['rules']}: number of games, number of steps", rules),
        _never(answer),
    ]
    return layout.spaced(filter(None, blocks))


def shares_of(answer: Simulation, kind: str) -> list[tuple[str, Share]]:
    """In how many games each thing of a kind was seen, by its name; events only where they did not
    just happen at the end."""
    if kind == "outcomes":
        return [(outcome_words(end.winners, end.drawn), end.share) for end in answer.outcomes]
    if kind == "ends":
        return [(end_name(answer.ruleset, end.rule, end.after), end.share) for end in answer.over]
    if kind == "rules":
        return [(rule_name(answer.ruleset, use.rule), use.share) for use in answer.rules]
    shares, last = (answer.endings, ()) if kind == "endings" else (answer.events, answer.endings)
    at_the_end = {(share.what, share.games) for share in last}
    return [(s.what, s) for s in shares if (s.what, s.games) not in at_the_end]


def end_name(ruleset: Ruleset, rule: str, after: str) -> str:
    """How a game ended: by which rule, after whose action."""
    how = rule_name(ruleset, rule) if rule else "no rule: no action is legal"
    return how + (f" after {after}" if after else "")


def rule_name(ruleset: Ruleset, name: str) -> str:
    """A rule by its title and its id."""
    rule = ruleset.rules.get(name)
    return f"{rule.title if rule else ''} {layout.rule_ids([name])}".strip()


def given_up(answer: Simulation) -> list[str]:
    """How many games came to no end, in a line, if some did."""
    left = answer.games - answer.finished
    if answer.partial:
        return [f"partial: {layout.TIME_UP}; {layout.count(left, 'games')} unfinished"]
    return [f"{layout.count(left, 'games')} given up after {answer.most} actions"] if left else []


def how_played(answer: Simulation) -> str:
    """Who chose by what."""
    named = [f"all play {p}" if w == p else f"{w} plays {p}" for w, p in answer.by.items()]
    return f"{', '.join(named) or 'all play at random'}; seed {answer.seed}"


def _numbers(share: Share) -> tuple[str, str, str]:
    """In how many games, which part that is, and between which the true one lies."""
    low, high = share.interval
    return str(share.games), f"{100 * share.part:.1f}%", f"{100 * low:.1f}% to {100 * high:.1f}%"


def lengths_by_bar(runs: Sequence[Simulation]) -> tuple[list[str], list[list[int]]]:
    """How many games of each simulation had how many actions, some lengths together where they are
    many: what these are called, and for each simulation a number for each."""
    counted = [dict(run.lengths) for run in runs]
    every = [length for counts in counted for length in counts]
    low, high = min(every), max(every)
    step = -(-(high - low + 1) // layout.LIMITS.bars)
    starts = range(low, high + 1, step)
    names = [_span(at, min(at + step - 1, high)) for at in starts]
    return names, [
        [sum(counts.get(n, 0) for n in range(at, at + step)) for at in starts] for counts in counted
    ]


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _lengths(answer: Simulation, style: layout.Style) -> list[str]:
    """The lengths as bars."""
    if not answer.lengths:
        return []
    if answer.lengths[-1][0] == 0:
        return ["no game can start: no action is legal in the position ('pymorph legal' says why)"]
    names, (numbers,) = lengths_by_bar([answer])
    bars = ["#" * round(layout.LIMITS.bar * games / max(numbers)) for games in numbers]
    counts = map(str, numbers)
    rows = layout.aligned(list(zip(names, counts, strict=True)), first=True)
    lines = [f"{line}  {bar}".rstrip() for line, bar in zip(rows, bars, strict=True)]
    return [style.bold(f"actions per game: {length_words(answer)}"), *lines]


def length_words(answer: Simulation) -> str:
    """How long games are, which came to an end."""
    if not answer.lengths:
        return "no game ended"
    low, high = answer.lengths[0][0], answer.lengths[-1][0]
    return f"{answer.mean_length:.1f} on average, {low} to {high}"


def times_taken(runs: Sequence[Simulation]) -> dict[str, list[int]]:
    """How often each action is taken in the games of each simulation."""
    taken = [{use.name: use.taken for use in run.actions} for run in runs]
    names = dict.fromkeys(name for uses in taken for name in uses)
    return {name: [uses.get(name, 0) for uses in taken] for name in names}


def choice_words(answer: Simulation) -> str:
    """How many actions there are to choose from."""
    mean, least, most = answer.choices
    return f"{mean:.1f} on average, {least} to {most}"


def _widths(answer: Simulation, style: layout.Style) -> list[str]:
    """How many actions there were to choose from, as games went on."""
    rows = [(name, f"{w.mean:.1f}", f"{w.low} to {w.high}") for name, w in widths_by_bar(answer)]
    title = f"actions to choose from: {choice_words(answer)}"
    legend = "after N actions: average, and the range in 80 % of positions"
    return [style.bold(title), f"  {legend}", *layout.aligned(rows, first=True)] if rows else []


def widths_by_bar(answer: Simulation) -> list[tuple[str, Width]]:
    """How many actions could be chosen after so many, some lengths together where they are many:
    the least and the most of them."""
    widths = answer.widths
    if not widths:
        return []
    step = -(-(widths[-1].length + 1) // layout.LIMITS.bars)
    groups: dict[int, list[Width]] = {}
    for width in widths:
        groups.setdefault(width.length // step * step, []).append(width)
    bars = []
    for at, some in groups.items():
        positions = sum(width.positions for width in some)
        mean = sum(width.positions * width.mean for width in some) / positions
        low, high = min(width.low for width in some), max(width.high for width in some)
        name = _span(at, min(at + step - 1, widths[-1].length))
        bars.append((name, some[0]._replace(positions=positions, mean=mean, low=low, high=high)))
    return bars


def _never(answer: Simulation) -> list[str]:
    titles = {"rules": "rules that had no effect"}
    texts = (
        f"{titles.get(kind, f'{kind} never seen')}: {', '.join(names)}"
        for kind, names in answer.never.items()
        if names
    )
    return layout.paragraphs(texts, "  ", "")
