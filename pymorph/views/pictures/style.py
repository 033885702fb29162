"""How the sides of a game look in pictures, and by what our pictures are recognised."""

from __future__ import annotations

from typing import NamedTuple

HUES = 8
TINTS = 11
PACES = 4  # shades for paces; those past them have the last
# A side that is called by a colour has that one; `black` and `white` are classes of their own.
COLOURS = {"blue": "hue0", "red": "hue1", "green": "hue2", "purple": "hue3", "yellow": "hue4"}
SHADES = {"black": False, "white": True}  # is it a ring?


class Look(NamedTuple):
    """The classes of a side's pieces: its hue, their disc and letters. By turns they are filled
    and rings, to be told apart without colours."""

    hue: str
    disc: str
    letters: str
    ring: bool


def look_of(side: str, tone: int) -> Look:
    """How the pieces of a side look, which is the one of that number."""
    if side in SHADES:
        return Look(side, side, f"initial on_{side}", SHADES[side])
    hue = COLOURS.get(side, f"hue{tone % HUES}")
    if tone % 2:
        return Look(hue, f"{hue} hollow", f"initial {hue}", True)
    return Look(hue, f"{hue} ring", "initial", False)


MARK = 'role="img" aria-labelledby="title desc"'  # what our pictures have in their first line


def is_drawn_here(text: str) -> bool:
    """Does a file begin as our pictures do?"""
    return text.startswith("<svg ") and MARK in text.partition(">")[0]
