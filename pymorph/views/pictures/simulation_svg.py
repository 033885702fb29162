"""Many games as a sheet of SVG: how they end, how long they are, what there is to choose, what is
done; of two versions side by side, or under each of some readings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pymorph.adjudication.per_reading import EveryReading
from pymorph.explore.sampling.game_comparison import Contrast
from pymorph.explore.sampling.proportions import Share
from pymorph.explore.sampling.simulation import Simulation
from pymorph.views.layout import count, listed
from pymorph.views.lines import contrast, every_reading
from pymorph.views.lines import simulation as views
from pymorph.views.pictures.svg_file import SvgFile, path, round_step

SheetSubject = Simulation | Contrast | EveryReading

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

    # In pixels: the margins and what is between two parts; the columns of a row: its name, its
    # bars, numbers; its height, that of its bars together, and of each of several; a panel with
    # axes, and on its left the numbers of one.
    edge, top, gap, name, bar, numbers = 28, 60, 34, 300, 290, 236
    width = 2 * edge + name + bar + numbers
    row_height, thick, thin, panel, left = 26, 18, 7, 190, 44
    letter = 7.4
    most, most_lines = 16, 8  # rows of a kind, and round numbers on an axis
    rare = 100  # of so many games one at least has to go on for what it can choose to be drawn

    def __init__(self, answer: SheetSubject) -> None:
        self.all, self.names, head = heads_of(answer)
        self.few = len(self.all) <= 2
        if not self.few:
            self.row_height += self.thin * len(self.all) - self.thick
            self.thick = self.thin * len(self.all)
        parts = [self.shortened(views.TITLES[kind], bars_of(answer, kind)) for kind in views.TITLES]
        actions = self.shortened("actions, share of all actions taken", actions_of(self.all))
        parts.insert(3, actions)
        lengths = any(run.lengths for run in self.all)
        widths = any(run.widths for run in self.all)
        legend = 30 * (len(self.all) > 1) if self.few else 18 * len(self.all) + 12
        panels = (lengths + widths) * (self.panel + self.gap + 45)
        high: float = self.top + legend + panels + self.edge
        high += sum(self.gap + self.row_height * (len(rows) + 0.4) for _, rows in parts if rows)
        super().__init__(self.width, high, head, self.description(parts))
        self.page(head, self.width / 2)
        left = (line for run in self.all for line in views.given_up(run))
        played = "; ".join([views.how_played(self.all[0]), *left])
        self.add("text", "axis", played, x=self.width / 2, y=47)
        if len(self.all) > 1:
            self.put_legend(self.top + 12)
        y = self.put_parts(parts[:3], float(self.top + legend))
        if lengths:
            y = self.put_lengths(y + self.gap)
        if widths:
            y = self.put_widths(y + self.gap)
        self.put_parts(parts[3:], y)

    def description(self, parts: Sequence[tuple[str, Sequence[BarRow]]]) -> str:
        """The sheet in words."""
        runs = self.named()
        texts = [f"{name}, actions per game: {views.length_words(run)}" for name, run in runs]
        for title, rows in parts:
            bars = ", ".join(f"{bars.name} {percents(bars)}" for bars in rows)
            texts += [f"{title}: {bars}"] if rows else []
        return ". ".join(texts)

    def named(self) -> list[tuple[str, Simulation]]:
        return list(zip(self.names, self.all, strict=True))

    def put_legend(self, y: float) -> None:
        """Whose bars have which colour."""
        sizes = [30 + self.letter * len(name) + 24 for name in self.names]
        x = (self.width - sum(sizes) + 24) / 2 if self.few else self.edge
        more = {} if self.few else {"style": START}
        for hue, name, size in zip(HUES, self.names, sizes, strict=False):
            self.box(hue, (x, y - 11), (20, 12))
            self.add("text", "note", name, x=x + 28, y=y, **more)
            x, y = (x + size, y) if self.few else (x, y + 18)

    # -- rows of bars ----------------------------------------------------------------------------

    def put_parts(self, parts: Sequence[tuple[str, Sequence[BarRow]]], y: float) -> float:
        """The parts that have bars, from *y* down; where they end."""
        for title, rows in parts:
            if rows:
                y = self.put_shares(title, rows, y + self.gap)
        return y

    def shortened(self, title: str, rows: Sequence[BarRow]) -> tuple[str, Sequence[BarRow]]:
        """The rows that there is room for, under a title that says so."""
        more = f" ({self.most} of {len(rows)})" if len(rows) > self.most else ""
        return title + more, rows[: self.most]

    def put_shares(self, title: str, rows: Sequence[BarRow], top: float) -> float:
        """A bar for each share, with a mark at its end, pale in the range of the true one."""
        self.add("text", "name", title, x=self.edge, y=top, style=START)
        for number, bars in enumerate(rows):
            self.put_bars(bars, top + 12 + self.row_height * number)
        return top + self.row_height * (len(rows) + 0.4)

    def put_bars(self, bars: BarRow, y: float) -> None:
        group = self.group(f"{bars.name}: {percents(bars)}")
        letters, name = int(self.name / self.letter), bars.name
        name = name if len(name) <= letters else f"{name[: letters - 3]}..."
        group.add("text", "note", name, x=self.edge, y=y + 14)
        left, high = self.edge + self.name, self.thick / len(bars.shares)
        group.box("usual", (left, y), (self.bar, self.thick))
        for number, (share, hue) in enumerate(zip(bars.shares, HUES, strict=False)):
            at = y + number * high
            low, most = share.interval if bars.sure else (share.part, share.part)
            group.box(hue, (left, at), (self.bar * low, high - 1))
            if bars.sure:
                size = (self.bar * (most - low), high - 1)
                group.box(hue, (left + self.bar * low, at), size, fill_opacity=0.4)
                line = f"M{left + self.bar * share.part:.1f} {at:.1f}v{high - 1:.1f}"
                group.add("path", "wall", d=line, style="stroke-linecap: butt")
            if self.few:
                x, text = left + self.bar + 62 * (number + 1), f"{100 * share.part:.1f}%"
                group.add("text", "note", text, x=x, y=y + 14, style=END)
        one = len(bars.shares) == 1
        text = f"({bars.shares[0].games})" if one else bars.verdict
        if text != "within chance":
            x = left + self.bar + 62 * len(bars.shares) * self.few + 10
            group.add("text", "note", text, x=x, y=y + 14)

    # -- panels ----------------------------------------------------------------------------------

    def put_axis(self, title: str, top: float, most: float, unit: str) -> float:
        """The title of a panel, and lines at round numbers; where its foot is."""
        self.add("text", "name", title, x=self.edge, y=top, style=START)
        foot, step = top + 14 + self.panel, round_step(most, self.most_lines)
        left, right = self.edge + self.left, self.width - self.edge
        for number in range(int(most / step) + 1):
            y = foot - self.panel * number * step / most
            self.line("cell", (left, y), (right, y))
            text = f"{number * step:g}{unit}"
            self.add("text", "axis", text, x=left - 8, y=y + 4.5, style=END)
        return foot

    def titled(self, title: str, words: Callable[[Simulation], str]) -> str:
        """The title of a panel with words on each, where there is room for that."""
        return f"{title}: {'; '.join(map(words, self.all))}" if self.few else title

    def put_lengths(self, top: float) -> float:
        """Which part of the games has how many actions, as bars."""
        names, bars = self.bars()
        most = max(part for column in bars for part in column)
        foot = self.put_axis(self.titled("actions per game", views.length_words), top, most, "%")
        wide = (self.width - 2 * self.edge - self.left) / len(names)
        for number, (name, parts) in enumerate(zip(names, zip(*bars, strict=True), strict=True)):
            x = self.edge + self.left + number * wide
            text = ", ".join(f"{part:.1f}%" for part in parts)
            group = self.group(f"{name} actions: {text} of the games")
            thick = (wide - 6) / len(parts)
            for place, (part, hue) in enumerate(zip(parts, HUES, strict=False)):
                high = self.panel * part / most
                at = x + 3 + place * thick
                group.box(hue, (at, foot - high), (thick - 1, high))
            group.add("text", "axis", name, x=x + wide / 2, y=foot + 17)
        return foot + 26

    def bars(self) -> tuple[list[str], list[list[float]]]:
        """What the lengths are called, and for each simulation which part of its games has them."""
        names, counted = views.lengths_by_bar(self.all)
        finished = [max(run.finished, 1) for run in self.all]
        pairs = zip(counted, finished, strict=True)
        return names, [[100 * games / all_of for games in numbers] for numbers, all_of in pairs]

    def put_widths(self, top: float) -> float:
        """How many actions there are to choose from, after so many: the mean as a line, and around
        it the middle 80 of 100 positions."""
        drawn = [
            [w for w in run.widths if w.positions * self.rare >= run.games] for run in self.all
        ]
        last = max(w.length for band in drawn for w in band)
        most = max(w.high for band in drawn for w in band)
        title = self.titled("actions to choose from, after N actions", views.choice_words)
        foot = self.put_axis(title, top, most, "")
        left, wide = self.edge + self.left + 6, self.width - 2 * self.edge - self.left - 12
        for hue, (name, run), band in zip(HUES, self.named(), drawn, strict=False):
            places = [left + wide * w.length / max(last, 1) for w in band]
            mean, low, high = (
                [(x, foot - self.panel * w[n] / most) for x, w in zip(places, band, strict=True)]
                for n in (2, 3, 4)
            )
            group = self.group(f"{name}: {views.choice_words(run)}")
            area = path([*high, *reversed(low)], "Z")
            group.add("path", hue, d=area, fill_opacity=0.18)
            style = "fill: none; stroke: currentColor; stroke-width: 2.5"
            group.add("path", hue, d=path(mean), style=style)
        step = max(int(round_step(last, self.most_lines)), 1)
        for number in range(0, last + 1, step):
            x = left + wide * number / max(last, 1)
            self.add("text", "axis", str(number), x=x, y=foot + 17)
        if any(len(band) < len(run.widths) for band, run in zip(drawn, self.all, strict=True)):
            note = f"drawn while at least 1 game in {self.rare} lasts"
            self.add("text", "axis", note, x=self.width - self.edge, y=foot + 34, style=END)
        return foot + 36


def bars_of(answer: SheetSubject, kind: str) -> list[BarRow]:
    """A row for each figure of a kind; of several simulations with whether they differ."""
    if isinstance(answer, Simulation):
        return [BarRow(name, (share,)) for name, share in views.shares_of(answer, kind)]
    rows = []
    for name, shares, differences in contrast.figures_of(answer, kind):
        beyond = [n for n, gap in enumerate(differences, 2) if gap.beyond_chance]
        text = "beyond chance" if beyond else "within chance"
        text += f": {listed(beyond)}" if beyond and isinstance(answer, EveryReading) else ""
        rows.append(BarRow(name, shares, text))
    return rows


def heads_of(answer: SheetSubject) -> tuple[Sequence[Simulation], Sequence[str], str]:
    """The simulations, what each is called, and the heading of their sheet."""
    if isinstance(answer, Simulation):
        name = answer.ruleset.title
        return [answer], [name], f"{name}: {count(answer.games, 'games')}"
    if isinstance(answer, Contrast):
        head = f"{' and '.join(answer.names)}: {count(answer.one.games, 'games')} of each"
        return [answer.one, answer.other], answer.names, head
    every = answer.simulations
    texts = every_reading.texts_of(answer.readings)[: len(answer.answers)]
    games = f"{count(every[0].games, 'games')} under each of {len(every)} readings"
    names = [f"{number}  {text}" for number, text in enumerate(texts, 1)]
    return every, names, f"{every[0].ruleset.title}: {games}"


def actions_of(every: Sequence[Simulation]) -> list[BarRow]:
    """Which part of the actions that are taken is of which name."""
    taken = views.times_taken(every)
    sums = list(map(sum, zip(*taken.values(), strict=True)))
    rows = []
    for name, times in taken.items():
        shares = tuple(Share(name, n, of) for n, of in zip(times, sums, strict=True))
        rows.append(BarRow(name, shares, sure=False))
    return rows


def percents(bars: BarRow) -> str:
    """The shares of a row with their ranges, in words."""
    texts = []
    for share in bars.shares:
        low, high = share.interval
        sure = f" ({100 * low:.1f} to {100 * high:.1f})" if bars.sure else ""
        texts.append(f"{100 * share.part:.1f}%{sure}")
    return " and ".join(texts) + (f", {bars.verdict}" if bars.verdict else "")


def simulation_svg(answer: SheetSubject) -> str:
    """The games as an SVG file."""
    return Sheet(answer).file_text()
