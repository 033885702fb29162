"""What the command line prints: all of it goes through here, and nothing else reaches a terminal.

Words of files come along that somebody else wrote. What in them would steer a terminal or turn the
writing around is shown as signs. Our own colours are marks until the end, which no text can hold.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import click

from pymorph.answers import encode
from pymorph.errors import Fault, InputError, Place, printable, visible
from pymorph.views import layout
from pymorph.views import width as widths
from pymorph.views.pictures import style

MARKED = 1000  # bytes by which a picture is known

# Lone surrogates, which UTF-8 has no bytes for, and what they stand for.
COLOURS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("\ud800", {"bold": True}),
    ("\ud801", {"dim": True}),
    ("\ud802", {"fg": "green"}),
    ("\ud803", {"fg": "red"}),
)
PLAIN_AGAIN = "\ud804"


def put_line(*lines: str, err: bool = False) -> None:
    """Print lines, each as several where it is wider than the terminal; no word is broken for that.

    An error stays in one line, for those that read it from a pipe.
    """
    width = sys.maxsize if err and not watched() else widths.columns(sys.maxsize)
    for text in (visible(line, PAINTED) for line in lines):
        fits = len(text.translate(UNPAINTED)) <= width
        for line in [text] if fits else widths.fitted(text, width):
            click.echo(line.translate(SIGNS), err=err)


def put_json(answer: Any) -> None:
    """Print an answer as JSON, with its keys in order."""
    put_text(json.dumps(encode(answer), indent=2, sort_keys=True, ensure_ascii=False) + "\n")


def put_text(lines: str, err: bool = False) -> None:
    """Print a text of lines as it is, with no line end of our own."""
    click.echo(visible(lines, "\n\t"), nl=False, err=err)


def style_of() -> layout.Style:
    """Colours on a terminal that shows them, none elsewhere."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if sys.stdout is None or not sys.stdout.isatty() or plain:
        return layout.PLAIN
    return layout.Style(*(partial(painted, mark) for mark, _ in COLOURS))


def painted(mark: str, words: str) -> str:
    return f"{mark}{words}{PLAIN_AGAIN}"


SEQUENCES = {
    **{mark: click.style("", **colour, reset=False) for mark, colour in COLOURS},
    PLAIN_AGAIN: click.style(""),
}
PAINTED = "".join(SEQUENCES)
SIGNS = str.maketrans(SEQUENCES)
UNPAINTED = str.maketrans("", "", PAINTED)


class BarFrom(NamedTuple):
    """The least number of pieces of work for which a terminal shows a progress bar."""

    cases: int = 20
    files: int = 6
    steps: int = 200


BAR_FROM = BarFrom()


def watched() -> bool:
    """Does a terminal show standard error?"""
    return sys.stderr is not None and sys.stderr.isatty()


def bar_file(wanted: bool) -> TextIO:
    """Where a progress bar is drawn: the terminal, if there is one and it is wanted, or nowhere."""
    return sys.stderr if wanted and watched() else StringIO()


class ProgressLine:
    """A line on a terminal that tells how far something has come, each time over the last one."""

    def __init__(self, visible: bool) -> None:
        self.visible = visible
        self.width = 0

    def write(self, words: str) -> None:
        if self.visible:
            text = visible(words)
            click.echo(f"\r{text.ljust(self.width)}", nl=False, err=True)
            self.width = len(text)

    def clear(self) -> None:
        if self.width:
            click.echo(f"\r{' ' * self.width}\r", nl=False, err=True)


def keep_others(file: str) -> None:
    """Raises: InputError, if a file is there that is no picture of ours, so that it is kept."""
    path = Path(file)
    try:
        with path.open("rb") if path.is_file() else BytesIO() as there:
            head = there.read(MARKED).decode(errors="replace")
    except (OSError, ValueError):
        return  # whoever writes it tells why that is not possible
    if head and not style.is_drawn_here(head):
        message = (
            "not a picture that pymorph drew; choose another file, or use --force to replace it"
        )
        raise InputError(Fault(message, Place(printable(file))))
