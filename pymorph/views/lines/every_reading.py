"""Answers under every reading as lines: what each changes, held against the one in force."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from pymorph.adjudication.per_reading import EveryReading, GameShares, Readings
from pymorph.explore.perft.counting import Count
from pymorph.explore.sampling.game_comparison import Contrast
from pymorph.explore.sampling.simulation import Simulation
from pymorph.views.layout import PLAIN, Style, choices_text, count, listed, spaced, table, wrapped
from pymorph.views.lines import contrast
from pymorph.views.lines.contrast import by_how_many, name_of, percents, share_words, verdict
from pymorph.views.lines.lookahead import columns_of, restrictions
from pymorph.views.lines.simulation import (
    choice_words,
    given_up,
    how_played,
    length_words,
    simulation,
)

Remark = TypeVar("Remark")


def lines_of(answer: Simulation | Contrast | EveryReading, style: Style = PLAIN) -> list[str]:
    """The games of one version, or of two, or under each of some readings."""
    if isinstance(answer, EveryReading):
        return simulations(answer, style)
    if isinstance(answer, Contrast):
        return contrast.contrast(answer, style)
    return simulation(answer, style)


def readings(answer: EveryReading, style: Style) -> list[str]:
    """The readings by their numbers, and which of them were not looked at."""
    alternatives = answer.readings
    rows = texts_of(alternatives)
    if alternatives.one_by_one:
        title = f"{len(rows)} of {alternatives.there_are} readings: one question at a time"
    else:
        title = count(len(rows), "readings")
    lines = table([(str(n), text) for n, text in enumerate(rows, 1)])
    left = range(len(answer.answers) + 1, len(rows) + 1)
    if left:
        lines += [f"not checked, time limit reached: {_ranges(left)}"]
    return [style.bold(f"{title}; reading 1 is in force"), *lines]


def texts_of(readings: Readings) -> list[str]:
    """The readings in words: by what they choose, or by how they differ from the first."""
    if not readings.one_by_one:
        return [choices_text(choices) for choices in readings.choices]
    first = readings.choices[0].items()
    return [choices_text(dict(c.items() - first)) or "as in force" for c in readings.choices]


# -- sequences -------------------------------------------------------------------------------------


def counts(answer: EveryReading, style: Style = PLAIN) -> list[str]:
    """A row of numbers for each reading, and from which length on they are others."""
    every = [perft for perft in answer.answers if isinstance(perft, Count)]
    followed = restrictions(every[0])
    longest = max(len(perft.lengths) for perft in every)
    positions = [] if every[0].positions is None else ["positions"]
    numbers = [
        (
            *map(str, perft.sequences),
            *[""] * (longest - len(perft.lengths)),
            *("" if perft.positions is None else str(perft.positions) for _ in positions),
            _remark(answer, number),
        )
        for number, perft in enumerate(every)
    ]
    merged = _alike(numbers)
    wide = max(len(who) for who, _ in merged)
    rows = [[who.ljust(wide), *cells] for who, cells in merged]
    titles = ["", *map(str, range(1, longest + 1)), *positions, ""]
    blocks = [
        [style.dim(f"followed: {followed}")] if followed else [],
        readings(answer, style),
        [style.bold("sequences, by length"), *columns_of(titles, rows)[not longest :]],
    ]
    return spaced(filter(None, blocks))


def _remark(answer: EveryReading, number: int) -> str:
    """From which length on sequences are others than under the first reading, and how far they
    were counted."""
    perft = answer.answers[number]
    assert isinstance(perft, Count)
    length = answer.differs_from(number)
    remarks = [] if length is None else [f"differs from length {length}"]
    if not perft.complete:
        remarks.append(f"length {len(perft.lengths) + 1} is incomplete")
    elif perft.final:
        remarks.append("no sequence is longer" if perft.lengths else "no action is legal")
    return "; ".join(remarks)


# -- games -----------------------------------------------------------------------------------------


def simulations(answer: EveryReading, style: Style = PLAIN) -> list[str]:
    """How the games ended under each reading and how long they were, then what happened in them."""
    every = answer.simulations
    head = f"{count(every[0].games, 'games')} under each reading: {how_played(every[0])}"
    left = [f"{n}: {line}" for n, run in enumerate(every, 1) for line in given_up(run)]
    blocks = [
        [style.bold(head), *left],
        readings(answer, style),
        _shares("who wins", answer, answer.figures("outcomes"), style),
        _shares("how games ended (rule, last to act)", answer, answer.figures("ends"), style),
        _shares("events of the last action", answer, answer.figures("endings"), style),
        _lengths(answer, style),
        _shares("other events (number of games)", answer, other_events(answer), style),
        _actions(every, style),
        _shares("rules that had an effect", answer, answer.figures("rules"), style),
        _only(every),
    ]
    return spaced(filter(None, blocks))


def other_events(answer: EveryReading) -> list[GameShares]:
    """In how many games events happened, but for those that only did so at the end."""
    last = {(row.seen, *(share.games for share in row.shares)) for row in answer.figures("endings")}
    rows = answer.figures("events")
    return [row for row in rows if (row.seen, *(share.games for share in row.shares)) not in last]


def _alike(remarks: Iterable[Remark]) -> list[tuple[str, Remark]]:
    """What is said of the readings, with the numbers of all of which the same is."""
    groups: dict[Remark, list[int]] = {}
    for number, remark in enumerate(remarks, 1):
        groups.setdefault(remark, []).append(number)
    return [(_ranges(numbers), remark) for remark, numbers in groups.items()]


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers that go up, three or more in a row by the first and the last."""
    runs: list[list[int]] = []
    for number in numbers:
        if not runs or runs[-1][-1] != number - 1:
            runs.append([])
        runs[-1].append(number)
    return ", ".join(f"{r[0]}-{r[-1]}" if len(r) > 2 else listed(r) for r in runs)


def _shares(
    title: str, answer: EveryReading, rows: Iterable[GameShares], style: Style
) -> list[str]:
    """Each figure with its name, and below it the share under each reading, and how far that is
    from the first one."""
    blocks = []
    for figure in rows:
        first, *others = figure.shares
        remarks = [("", "")]
        for share, apart in zip(others, figure.differences, strict=True):
            remarks.append(("", "") if share == first else (percents(apart), verdict(apart)))
        shares = map(share_words, figure.shares)
        blocks.append(
            (
                f"  {name_of(answer.simulations[:1], figure.seen)}",
                _alike(zip(shares, remarks, strict=True)),
            )
        )
    cells = [(who, share, *apart) for _, group in blocks for who, (share, apart) in group]
    lines = iter(table(cells, "    ", wrap=False))
    result = [style.bold(title)] if blocks else []
    for name, group in blocks:
        result += [name, *(next(lines) for _ in group)]
    return result


def _lengths(answer: EveryReading, style: Style) -> list[str]:
    first, *others = answer.simulations
    texts = [(length_words(first), "", "")]
    for run, apart in zip(others, answer.lengths, strict=True):
        same = run.lengths == first.lengths
        texts.append((length_words(run), *(("", "") if same else by_how_many(apart))))
    rows = [(who, *words) for who, words in _alike(texts)]
    return [style.bold("actions per game"), *table(rows, wrap=False)]


def _actions(every: Sequence[Simulation], style: Style) -> list[str]:
    """How often each action is taken in a game, and how many there are to choose from."""
    taken = [{use.name: use.taken for use in run.actions} for run in every]
    rows = []
    for name in dict.fromkeys(name for uses in taken for name in uses):
        means = (use.get(name, 0) / run.games for use, run in zip(taken, every, strict=True))
        rows += [(name, *cells) for cells in _alike(f"{mean:.1f}" for mean in means)]
    lines = [style.bold("actions taken per game, on average"), *table(rows, wrap=False)]
    widths = _alike(map(choice_words, every))
    return [*lines, "", style.bold("actions to choose from"), *table(widths)]


def _only(every: Sequence[Simulation]) -> list[str]:
    """What was seen under some of the readings and not under others."""
    lines = []
    for kind, title in contrast.ONLY.items():
        seen = [run.seen[kind] for run in every]
        for name in dict.fromkeys(name for names in seen for name in names):
            under = [number for number, names in enumerate(seen, 1) if name in names]
            if len(under) < len(every):
                lines += wrapped(f"{title}, only under {_ranges(under)}: {name}", "  ", "")
    return lines
