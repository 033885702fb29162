"""Many games as a sheet of SVG: how they end, how long they are, what there is to choose, what is
done; of two versions side by side, or under each of some readings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pymorph.adjudication.per_reading import EveryReading, GameShares
from pymorph.explore.sampling.game_comparison import Contrast, Contrasted
from pymorph.explore.sampling.proportions import Share
from pymorph.explore.sampling.simulation import Simulation
from pymorph.views.layout import count, listed
from pymorph.views.lines import every_reading
from pymorph.views.lines.contrast import name_of, other_events, verdict
from pymorph.views.lines.simulation import (
    BARS,
    choice_words,
    given_up,
    how_played,
    how_they_end,
    length_words,
    named,
    outcomes,
    rule_name,
)
from pymorph.views.lines.simulation import other_events as events_of_one
from pymorph.views.pictures.style import SvgFile

SheetSubject = Simulation | Contrast | EveryReading

# In pixels: margins; a panel with axes; a row; the columns of a row: its name, its bars, numbers.
EDGE, TOP, PANEL, ROW = 28, 60, 190, 26
NAME, BAR, NUMBERS = 300, 290, 236
WIDTH = 2 * EDGE + NAME + BAR + NUMBERS
GAP = 34  # between two parts
THICK, THIN = 18, 7  # the bars of a row together, and each of several
LEFT = 44  # of a panel, for the numbers of its axis
LETTER = 7.4  # what a letter takes
MOST = 16  # rows of a kind that a picture shows
RARE = 100  # of so many games one at least has to go on for what it can choose to be drawn
START, END = "text-anchor: start", "text-anchor: end"
HUES = tuple(f"hue{number}" for number in range(8))


class BarRow(NamedTuple):
    """What a row of bars is about, the share of each simulation, and what is noted of them; without
    *sure* the true ones lie nobody knows how near."""

    name: str
    shares: tuple[Share, ...]
    verdict: str = ""
    sure: bool = True


class Sheet(SvgFile):
    """Draws one simulation, or some side by side: in parts, one below the other."""

    def __init__(self, answer: SheetSubject) -> None:
        self.all: tuple[Simulation, ...]
        self.names: tuple[str, ...]
        if isinstance(answer, EveryReading):
            self.all, self.names = answer.simulations, names_of(answer)
            games = count(self.all[0].games, "games")
            head = f"{self.all[0].ruleset.title}: {games} under each of {len(self.all)} readings"
        elif isinstance(answer, Contrast):
            self.all, self.names = (answer.one, answer.other), answer.names
            head = f"{' and '.join(answer.names)}: {count(answer.one.games, 'games')} of each"
        else:
            self.all, self.names = (answer,), (answer.ruleset.title,)
            head = f"{answer.ruleset.title}: {count(answer.games, 'games')}"
        self.few = len(self.all) <= 2
        self.thick = THICK if self.few else THIN * len(self.all)
        self.row = ROW - THICK + self.thick
        parts = [shortened(*part) for part in parts_of(answer)]
        panels = sum(bool(run) for run in (self.lengths(), self.widths()))
        legend = 30 * (len(self.all) > 1) if self.few else 18 * len(self.all) + 12
        high: float = TOP + legend + panels * (PANEL + GAP + 45) + EDGE
        high += sum(GAP + self.row * (len(rows) + 0.4) for _, rows in parts if rows)
        texts = [f"{name}, actions per game: {length_words(run)}" for name, run in self.named()]
        for title, rows in filter(has_bars, parts):
            texts.append(f"{title}: {', '.join(f'{bars.name} {percents(bars)}' for bars in rows)}")
        super().__init__(WIDTH, high, head, ". ".join(texts))
        self.page()
        self.add("text", "head", head, x=WIDTH / 2, y=26)
        played = [how_played(self.all[0]), *(line for run in self.all for line in given_up(run))]
        self.add("text", "axis", "; ".join(played), x=WIDTH / 2, y=47)
        y = float(TOP)
        if len(self.all) > 1:
            self.put_legend(y + 12)
            y += legend
        for title, rows in filter(has_bars, parts[:3]):
            y = self.put_shares(title, rows, y + GAP)
        if self.lengths():
            y = self.put_lengths(y + GAP)
        if self.widths():
            y = self.put_widths(y + GAP)
        for title, rows in filter(has_bars, parts[3:]):
            y = self.put_shares(title, rows, y + GAP)

    def named(self) -> list[tuple[str, Simulation]]:
        return list(zip(self.names, self.all, strict=True))

    def lengths(self) -> bool:
        return any(run.lengths for run in self.all)

    def widths(self) -> bool:
        return any(run.widths for run in self.all)

    def put_legend(self, y: float) -> None:
        """Whose bars have which colour."""
        if not self.few:
            for number, (hue, name) in enumerate(zip(HUES, self.names, strict=False)):
                self.add("rect", hue, x=EDGE, y=y - 11 + 18 * number, width=20, height=12)
                self.add("text", "note", name, x=EDGE + 28, y=y + 18 * number, style=START)
            return
        sizes = [30 + LETTER * len(name) + 24 for name in self.names]
        x = (WIDTH - sum(sizes) + 24) / 2
        for hue, name, size in zip(HUES, self.names, sizes, strict=False):
            self.add("rect", hue, x=x, y=y - 11, width=20, height=12)
            self.add("text", "note", name, x=x + 28, y=y)
            x += size

    # -- rows of bars ----------------------------------------------------------------------------

    def put_shares(self, title: str, rows: Sequence[BarRow], top: float) -> float:
        """A bar for each share, with a mark at its end, pale in the range of the true one."""
        self.add("text", "name", title, x=EDGE, y=top, style=START)
        for number, bars in enumerate(rows):
            self.put_bars(bars, top + 12 + self.row * number)
        return top + self.row * (len(rows) + 0.4)

    def put_bars(self, bars: BarRow, y: float) -> None:
        group = self.group(f"{bars.name}: {percents(bars)}")
        self.add("text", "note", fitting(bars.name, NAME), group, x=EDGE, y=y + 14)
        left, high = EDGE + NAME, self.thick / len(bars.shares)
        self.add("rect", "usual", "", group, x=left, y=y, width=BAR, height=self.thick)
        for number, (share, hue) in enumerate(zip(bars.shares, HUES, strict=False)):
            at = y + number * high
            low, most = share.interval if bars.sure else (share.part, share.part)
            self.add("rect", hue, "", group, x=left, y=at, width=BAR * low, height=high - 1)
            if bars.sure:
                x, wide = left + BAR * low, BAR * (most - low)
                pale = self.add("rect", hue, "", group, x=x, y=at, width=wide, height=high - 1)
                pale.set("fill-opacity", "0.4")
                line = f"M{left + BAR * share.part:.1f} {at:.1f}v{high - 1:.1f}"
                self.add("path", "wall", "", group, d=line, style="stroke-linecap: butt")
            if self.few:
                x, text = left + BAR + 62 * (number + 1), f"{100 * share.part:.1f}%"
                self.add("text", "note", text, group, x=x, y=y + 14, style=END)
        one = len(bars.shares) == 1
        text = f"({bars.shares[0].games})" if one else bars.verdict
        if text != "within chance":
            x = left + BAR + 62 * len(bars.shares) * self.few + 10
            self.add("text", "note", text, group, x=x, y=y + 14)

    # -- panels ----------------------------------------------------------------------------------

    def put_axis(self, title: str, top: float, most: float, unit: str) -> float:
        """The title of a panel, and lines at round numbers; where its foot is."""
        self.add("text", "name", title, x=EDGE, y=top, style=START)
        foot = top + 14 + PANEL
        step = round_step(most)
        for number in range(int(most / step) + 1):
            y = foot - PANEL * number * step / most
            self.add("line", "cell", x1=EDGE + LEFT, y1=y, x2=WIDTH - EDGE, y2=y)
            text = f"{number * step:g}{unit}"
            self.add("text", "axis", text, x=EDGE + LEFT - 8, y=y + 4.5, style=END)
        return foot

    def titled(self, title: str, words: Callable[[Simulation], str]) -> str:
        """The title of a panel with words on each, where there is room for that."""
        return f"{title}: {'; '.join(map(words, self.all))}" if self.few else title

    def put_lengths(self, top: float) -> float:
        """Which part of the games has how many actions, as bars."""
        bars, names = self.bars()
        most = max(part for column in bars for part in column)
        foot = self.put_axis(self.titled("actions per game", length_words), top, most, "%")
        wide = (WIDTH - 2 * EDGE - LEFT) / len(names)
        for number, (name, parts) in enumerate(zip(names, zip(*bars, strict=True), strict=True)):
            x = EDGE + LEFT + number * wide
            text = ", ".join(f"{part:.1f}%" for part in parts)
            group = self.group(f"{name} actions: {text} of the games")
            thick = (wide - 6) / len(parts)
            for place, (part, hue) in enumerate(zip(parts, HUES, strict=False)):
                high = PANEL * part / most
                at = x + 3 + place * thick
                self.add("rect", hue, "", group, x=at, y=foot - high, width=thick - 1, height=high)
            self.add("text", "axis", name, group, x=x + wide / 2, y=foot + 17)
        return foot + 26

    def bars(self) -> tuple[list[list[float]], list[str]]:
        """Which part of the games of each has how many actions, some lengths together where they
        are many, and what these are called."""
        counted = [dict(run.lengths) for run in self.all]
        low, high = (pick(n for counts in counted for n in counts) for pick in (min, max))
        step = -(-(high - low + 1) // BARS)
        starts = range(low, high + 1, step)
        bars = []
        for counts, run in zip(counted, self.all, strict=True):
            sums = [sum(counts.get(n, 0) for n in range(at, at + step)) for at in starts]
            bars.append([100 * games / max(run.finished, 1) for games in sums])
        ends = [min(at + step - 1, high) for at in starts]
        rows = zip(starts, ends, strict=True)
        return bars, [str(at) if at == end else f"{at}-{end}" for at, end in rows]

    def put_widths(self, top: float) -> float:
        """How many actions there are to choose from, after so many: the mean as a line, and around
        it the middle 80 of 100 positions."""
        drawn = [[w for w in run.widths if w.positions * RARE >= run.games] for run in self.all]
        last = max(w.length for band in drawn for w in band)
        most = max(w.high for band in drawn for w in band)
        title = self.titled("actions to choose from, after N actions", choice_words)
        foot = self.put_axis(title, top, most, "")
        left, wide = EDGE + LEFT + 6, WIDTH - 2 * EDGE - LEFT - 12
        for hue, (name, run), band in zip(HUES, self.named(), drawn, strict=False):
            points = [
                (left + wide * w.length / max(last, 1), *(PANEL * n / most for n in w[2:]))
                for w in band
            ]
            group = self.group(f"{name}: {choice_words(run)}")
            upper = [f"{x:.1f} {foot - high:.1f}" for x, _, _, high in points]
            lower = [f"{x:.1f} {foot - low:.1f}" for x, _, low, _ in reversed(points)]
            area = f"M{'L'.join([*upper, *lower])}Z"
            self.add("path", hue, "", group, d=area, fill_opacity=0.18)
            line = f"M{'L'.join(f'{x:.1f} {foot - mean:.1f}' for x, mean, _, _ in points)}"
            style = "fill: none; stroke: currentColor; stroke-width: 2.5"
            self.add("path", hue, "", group, d=line, style=style)
        step = max(int(round_step(last)), 1)
        for number in range(0, last + 1, step):
            x = left + wide * number / max(last, 1)
            self.add("text", "axis", str(number), x=x, y=foot + 17)
        if any(len(band) < len(run.widths) for band, run in zip(drawn, self.all, strict=True)):
            note = f"drawn while at least 1 game in {RARE} lasts"
            self.add("text", "axis", note, x=WIDTH - EDGE, y=foot + 34, style=END)
        return foot + 36


def has_bars(part: tuple[str, Sequence[BarRow]]) -> bool:
    return bool(part[1])


def shortened(title: str, rows: Sequence[BarRow]) -> tuple[str, Sequence[BarRow]]:
    """The rows that there is room for, under a title that says so."""
    return (f"{title} ({MOST} of {len(rows)})", rows[:MOST]) if len(rows) > MOST else (title, rows)


def parts_of(answer: SheetSubject) -> list[tuple[str, list[BarRow]]]:
    """The rows of bars, under their titles: how games end, then what is done in them."""
    titles = (
        "who wins",
        "how games ended (rule, last to act)",
        "events of the last action",
        "other events (number of games)",
        "rules that had an effect",
    )
    if isinstance(answer, EveryReading):
        names = ("outcomes", "ends", "endings", "events", "rules")
        figures = [answer.figures(name) for name in names]
        figures[3] = tuple(every_reading.other_events(answer))
        rows = [[bars_of(answer, figure) for figure in kind] for kind in figures]
    elif isinstance(answer, Contrast):
        kinds = (answer.outcomes, answer.ends, answer.endings, other_events(answer), answer.rules)
        rows = [[two_bars(answer, figure) for figure in kind] for kind in kinds]
    else:
        rules = [(rule_name(answer.ruleset, use.rule), use.share) for use in answer.rules]
        events = (named(answer.endings), named(events_of_one(answer)))
        shares = (outcomes(answer), how_they_end(answer), *events, rules)
        rows = [[BarRow(name, (share,)) for name, share in kind] for kind in shares]
    parts = list(zip(titles, rows, strict=True))
    parts.insert(3, ("actions, share of all actions taken", actions_of(every_of(answer))))
    return parts


def two_bars(answer: Contrast, figure: Contrasted) -> BarRow:
    return BarRow(
        name_of((answer.one, answer.other), figure.seen),
        (figure.one, figure.other),
        verdict(figure.difference),
    )


def bars_of(answer: EveryReading, figure: GameShares) -> BarRow:
    """A figure, with the readings under which it differs from the first one beyond chance."""
    beyond = [n for n, difference in enumerate(figure.differences, 2) if difference.beyond_chance]
    text = f"beyond chance: {listed(beyond)}" if beyond else "within chance"
    return BarRow(name_of(answer.simulations[:1], figure.seen), figure.shares, text)


def names_of(answer: EveryReading) -> tuple[str, ...]:
    """What the readings that were looked at are called."""
    texts = every_reading.texts_of(answer.readings)[: len(answer.answers)]
    return tuple(f"{number}  {text}" for number, text in enumerate(texts, 1))


def actions_of(every: Sequence[Simulation]) -> list[BarRow]:
    """Which part of the actions that are taken is of which name."""
    taken = [{use.name: use.taken for use in run.actions} for run in every]
    sums = [sum(uses.values()) for uses in taken]
    names = dict.fromkeys(name for uses in taken for name in uses)
    return [
        BarRow(
            name,
            tuple(Share(name, t.get(name, 0), n) for t, n in zip(taken, sums, strict=True)),
            sure=False,
        )
        for name in names
    ]


def percents(bars: BarRow) -> str:
    """The shares of a row with their ranges, in words."""
    texts = []
    for share in bars.shares:
        low, high = share.interval
        sure = f" ({100 * low:.1f} to {100 * high:.1f})" if bars.sure else ""
        texts.append(f"{100 * share.part:.1f}%{sure}")
    return " and ".join(texts) + (f", {bars.verdict}" if bars.verdict else "")


def fitting(text: str, width: float) -> str:
    """A text that is cut where there is no more room."""
    letters = int(width / LETTER)
    return text if len(text) <= letters else f"{text[: letters - 3]}..."


def round_step(most: float) -> float:
    """A round number of which four to eight come up to another one."""
    step = 0.001
    while True:
        for factor in (1, 2, 5):
            if most / (step * factor) <= 8:
                return step * factor
        step *= 10


def every_of(answer: SheetSubject) -> tuple[Simulation, ...]:
    if isinstance(answer, EveryReading):
        return answer.simulations
    return (answer.one, answer.other) if isinstance(answer, Contrast) else (answer,)


def simulation_svg(answer: SheetSubject) -> str:
    """The games as an SVG file."""
    return Sheet(answer).text()
