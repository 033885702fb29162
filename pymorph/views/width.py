"""How wide lines are, and where they are broken: between words only."""

from __future__ import annotations

import os
import sys
import textwrap
import unicodedata

WIDTH, WIDEST, NARROWEST = 88, 120, 20  # columns: where there is no terminal, and of one
HANGING = 4  # columns that the rest of a line which is too wide is set in
TIE = "\x01"  # stands for a space at which no line is broken


def columns(usual: int = WIDTH) -> int:
    """How wide lines are: what COLUMNS says, or the terminal is; *usual* where there is neither."""
    given = os.environ.get("COLUMNS", "")
    try:
        width = int(given) if given.isdecimal() else os.get_terminal_size(sys.stdout.fileno())[0]
    except (AttributeError, OSError, ValueError):
        width = 0
    return max(min(width, WIDEST), NARROWEST) if width else usual


def fitted(line: str, width: int) -> list[str]:
    """A line that may be too wide, in several: what goes on is set in further than it begins."""
    inside = len(line) - len(line.lstrip())
    parts = broken(line.strip(), max(width - inside - HANGING, NARROWEST)) if line.strip() else []
    if len(line) <= width or len(parts) < 2:
        return [line]
    return [" " * (inside + (HANGING if n else 0)) + part for n, part in enumerate(parts)]


def broken(text: str, width: int) -> list[str]:
    lines = textwrap.wrap(
        text, max(width, NARROWEST), break_long_words=False, break_on_hyphens=False
    )
    return [line.replace(TIE, " ") for line in lines] or [""]


# The nearest in ASCII, one for one, of signs that are no letters.
NEAREST = dict(zip("‐‑‒–—−‘’‚“”„…·•×", "------'''" + '"' * 3 + "..*x", strict=True))


def in_ascii(text: str) -> str:
    """A line in ASCII: letters without their accents, the nearest sign, or else a question mark."""
    bare = unicodedata.normalize("NFKD", "".join(NEAREST.get(sign, sign) for sign in text))
    letters = "".join(sign for sign in bare if not unicodedata.combining(sign))
    return letters.encode("ascii", "replace").decode()
