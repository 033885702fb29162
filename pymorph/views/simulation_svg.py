"""Many games as SVG: how long they were, how they ended, what happened in how many of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pymorph.views.layout import count
from pymorph.views.simulation import how_played, how_they_end, lengths_by_bar
from pymorph.views.style import SvgFile

if TYPE_CHECKING:
    from pymorph.queries.simulation import Share, Simulation

# In pixels: margins; the space for bars; a row; the columns of a row: its name, its bar, numbers.
EDGE, TOP, BARS, ROW = 28, 56, 180, 26
NAME, BAR, NUMBERS = 300, 300, 150
LETTER = 7.4  # what a letter takes
MOST = 16  # rows of a kind that a picture shows


class SimulationPicture(SvgFile):
    """Draws the lengths as a histogram, and below it shares with the range of each."""

    def __init__(self, answer: Simulation) -> None:
        ends = [(name, share) for name, share in how_they_end(answer)]
        events = [(share.what, share) for share in answer.events]
        parts = [("over by which rule, after whose action", ends[:MOST])]
        parts.append(("what happened in how many games", events[:MOST]))
        self.parts = [(title, rows) for title, rows in parts if rows]
        width = 2 * EDGE + NAME + BAR + NUMBERS
        high = TOP + (BARS + 3 * ROW if answer.lengths else 0)
        high += sum(ROW * (len(rows) + 2) for _, rows in self.parts)
        head = f"{answer.ruleset.title}: {count(answer.games, 'games')}"
        told = [f"{count(games, 'games')} of {name} actions" for name, games in bars_of(answer)]
        for title, rows in self.parts:
            shown = ", ".join(f"{name} {percent(share)}" for name, share in rows)
            told.append(f"{title}: {shown}")
        super().__init__(width, high, head, ". ".join(told))
        self.page()
        self.add("text", "head", head, x=width / 2, y=24)
        self.add("text", "axis", how_played(answer), x=width / 2, y=44)
        y = float(TOP)
        if answer.lengths:
            y = self.put_lengths(answer, width, y)
        for title, rows in self.parts:
            y = self.put_shares(title, rows, y + ROW)

    def put_lengths(self, answer: Simulation, width: float, top: float) -> float:
        """The lengths as bars, so many actions under each; where they end."""
        rows = bars_of(answer)
        most = max(games for _, games in rows)
        wide = (width - 2 * EDGE) / len(rows)
        foot = top + ROW + BARS
        for number, (name, games) in enumerate(rows):
            x, high = EDGE + number * wide, BARS * games / most
            group = self.group(f"{name} actions: {count(games, 'games')}")
            self.add("rect", "hue0", "", group, x=x + 2, y=foot - high, width=wide - 4, height=high)
            self.add("text", "axis", name, group, x=x + wide / 2, y=foot + 16)
        low, high_ = answer.lengths[0][0], answer.lengths[-1][0]
        told = f"actions in a game: {answer.mean_length:.1f} on average, {low} to {high_}"
        self.add("text", "note", told, x=EDGE, y=top + 12)
        return foot + ROW

    def put_shares(self, title: str, rows: Sequence[tuple[str, Share]], top: float) -> float:
        """A bar for each share, and on it a line as long as the range of the true one."""
        self.add("text", "note", title, x=EDGE, y=top)
        for number, (name, share) in enumerate(rows):
            y = top + ROW * (number + 0.5)
            low, high = share.interval
            part = share.games / max(share.of, 1)
            group = self.group(f"{name}: {percent(share)}, {100 * low:.1f}% to {100 * high:.1f}%")
            letters = int(NAME / LETTER)
            short = name if len(name) <= letters else f"{name[: letters - 3]}..."
            self.add("text", "note", short, group, x=EDGE, y=y + 14)
            left, middle = EDGE + NAME, y + 9
            self.add("rect", "usual", "", group, x=left, y=y, width=BAR, height=18)
            self.add("rect", "hue0", "", group, x=left, y=y, width=BAR * part, height=18)
            line = f"M{left + BAR * low:.1f} {middle:.1f}H{left + BAR * high:.1f}"
            self.add("path", "wall", "", group, d=line, stroke_width=3)
            told = f"{percent(share)}  ({share.games})"
            self.add("text", "note", told, group, x=left + BAR + 12, y=y + 14)
        return top + ROW * (len(rows) + 0.5)


def bars_of(answer: Simulation) -> list[tuple[str, int]]:
    return lengths_by_bar(answer) if answer.lengths else []


def percent(share: Share) -> str:
    return f"{100 * share.games / max(share.of, 1):.1f}%"


def simulation_svg(answer: Simulation) -> str:
    """The games as an SVG file."""
    return SimulationPicture(answer).text()
