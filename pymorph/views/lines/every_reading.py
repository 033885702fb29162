"""Answers under every reading as lines: what each changes, held against the one in force."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from pymorph.adjudication.per_reading import EveryReading, Readings
from pymorph.explore.perft.counting import Count
from pymorph.explore.sampling.game_comparison import Contrast
from pymorph.explore.sampling.simulation import Simulation
from pymorph.views.layout import (
    PLAIN,
    Style,
    aligned,
    choices_text,
    count,
    listed,
    spaced,
    table,
    wrapped,
)
from pymorph.views.lines import contrast
from pymorph.views.lines import simulation as views
from pymorph.views.lines.lookahead import restrictions

Remark = TypeVar("Remark")


def lines_of(answer: Simulation | Contrast | EveryReading, style: Style = PLAIN) -> list[str]:
    """The games of one version, or of two, or under each of some readings."""
    if isinstance(answer, EveryReading):
        return simulations(answer, style)
    if isinstance(answer, Contrast):
        return contrast.contrast(answer, style)
    return views.simulation(answer, style)


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
        [style.bold("sequences, by length"), *aligned([titles, *rows], first=True)[not longest :]],
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
    head = f"{count(every[0].games, 'games')} under each reading: {views.how_played(every[0])}"
    left = [f"{n}: {line}" for n, run in enumerate(every, 1) for line in views.given_up(run)]
    means = contrast.actions_per_game(every)
    rows = [(name, *cells) for name, numbers in means.items() for cells in _alike(numbers)]
    return contrast.side_by_side(
        [[style.bold(head), *left], readings(answer, style)],
        lambda kind: _shares(answer, kind, style),
        _lengths(answer, style),
        contrast.actions_taken(rows, _alike(map(views.choice_words, every)), style),
        _only(every),
    )


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


def _shares(answer: EveryReading, kind: str, style: Style) -> list[str]:
    """Each figure with its name, and below it the share under each reading, and how far that is
    from the first one."""
    blocks = []
    for name, shares, differences in contrast.figures_of(answer, kind):
        remarks = [("", "")]
        for share, gap in zip(shares[1:], differences, strict=True):
            same = share == shares[0]
            remarks.append(("", "") if same else (contrast.percents(gap), contrast.verdict(gap)))
        texts = map(contrast.share_words, shares)
        blocks.append((f"  {name}", _alike(zip(texts, remarks, strict=True))))
    cells = [(who, share, *remark) for _, group in blocks for who, (share, remark) in group]
    lines = iter(table(cells, "    ", wrap=False))
    result = [style.bold(views.TITLES[kind])] if blocks else []
    for name, group in blocks:
        result += [name, *(next(lines) for _ in group)]
    return result


def _lengths(answer: EveryReading, style: Style) -> list[str]:
    first, *others = answer.simulations
    texts = [(views.length_words(first), "", "")]
    for run, gap in zip(others, answer.lengths, strict=True):
        remark = contrast.by_how_many(None if run.lengths == first.lengths else gap)
        texts.append((views.length_words(run), *remark))
    rows = [(who, *words) for who, words in _alike(texts)]
    return [style.bold("actions per game"), *table(rows, wrap=False)]


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
