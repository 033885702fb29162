"""Pages of help, as wide as the terminal: no word is broken, nor an option at its hyphens."""

from __future__ import annotations

from collections.abc import Iterable

import click

from pymorph.views.layout import LIMITS
from pymorph.views.width import HANGING, broken, columns, fitted

USUAL = 80  # columns


class HelpPage(click.HelpFormatter):
    """What click writes of a command, in our lines."""

    def __init__(self) -> None:
        super().__init__(width=columns(USUAL) - 2)

    def lines(self, lines: Iterable[str]) -> None:
        self.write("".join(f"{' ' * self.current_indent * bool(line)}{line}\n" for line in lines))

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        opening = f"{prefix or 'Usage: '}{prog} "
        if self.width - len(opening) >= LIMITS.last_column:
            first, *rest = broken(args, self.width - len(opening))
            self.lines([opening + first, *(" " * len(opening) + line for line in rest)])
        else:
            self.lines(fitted(opening + args, self.width))

    def write_text(self, text: str) -> None:
        lines: list[str] = []
        for paragraph in text.split("\n\n"):
            as_it_is, mark, rest = paragraph.strip("\n").partition("\b\n")
            room = self.width - self.current_indent
            if mark and not as_it_is.strip():
                lines += ["", *(part for line in rest.split("\n") for part in fitted(line, room))]
            else:
                lines += ["", *broken(" ".join(paragraph.split()), room)]
        self.lines(lines[1:])

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        rows = list(rows)
        start = min(max(len(name) for name, _ in rows), col_max) + col_spacing
        room = self.width - self.current_indent - start
        beside = room >= LIMITS.last_column
        for name, text in rows:
            lines = broken(text, room if beside else room + start - HANGING)
            if beside and len(name) + col_spacing <= start:
                self.lines([name.ljust(start) + lines.pop(0)])
            else:
                self.lines([name])
            self.lines(" " * (start if beside else HANGING) + line for line in lines)
