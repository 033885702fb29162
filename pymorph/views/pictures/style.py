"""How the sides of a game look in pictures, and by what our pictures are recognised."""

from __future__ import annotations

from typing import NamedTuple

HUES = 8
TINTS = 11
MIDDLE = "#969696"  # on what is lighter, letters are dark
PACES = 4  # shades for paces; those past them have the last
# The hue of pieces and the tint of places of a colour that has a name. A side that is called by one
# has that colour; `black` and `white` are classes of their own.
NAMED = {
    "blue": ("hue0", "tint1"),
    "red": ("hue1", "tint3"),
    "green": ("hue2", "tint0"),
    "purple": ("hue3", "tint5"),
    "yellow": ("hue4", "tint6"),
    "teal": ("hue5", "tint7"),
    "pink": ("hue6", "tint8"),
    "grey": ("hue7", "tint4"),
    "black": ("black", "tint9"),
    "white": ("white", "plain"),
}
SHADES = {"black": False, "white": True}  # is it a ring?
OWN = "own"  # the class of a colour that a game declares by its digits
DISC = "●"  # a sign that starts so is written on a disc


class Ground(NamedTuple):
    """How places look: the class of their fill, and its colour if a game declares that."""

    kind: str
    colour: str = ""

    @property
    def paint(self) -> dict[str, str]:
        """The attribute that the class takes the colour from."""
        return {"color": self.colour} if self.colour else {}


USUAL = Ground("usual")


def ground_of(colour: str, number: int) -> Ground:
    """How a ground looks that has a declared *colour*, or else is the one of that number."""
    if colour in NAMED:
        return Ground(NAMED[colour][1])
    return Ground(OWN, colour) if colour else Ground(f"tint{number % TINTS}")


class Look(NamedTuple):
    """The classes of a side's pieces: its hue, their disc and letters. By turns they are filled
    and rings, to be told apart without colours. The class `own` takes its *colour* from a game."""

    hue: str
    disc: str
    letters: str
    ring: bool
    colour: str = ""

    @property
    def paint(self) -> dict[str, str]:
        """The attribute that the classes take the colour from."""
        return {"color": self.colour} if self.colour else {}


def look_of(side: str, tone: int, colour: str = "") -> Look:
    """How the pieces of a side look, which is the one of that number, in a declared *colour*."""
    name = colour or side
    if name in SHADES:
        return Look(name, name, f"initial on_{name}", SHADES[name])
    if name in NAMED:
        hue, colour = NAMED[name][0], ""
    else:
        hue = OWN if colour else f"hue{tone % HUES}"
    if tone % 2:
        return Look(hue, f"{hue} hollow", f"initial {hue}", True, colour)
    letters = "initial on_white" if is_light(colour) else "initial"
    return Look(hue, f"{hue} ring", letters, False, colour)


def is_light(colour: str) -> bool:
    """Are dark letters easier to read than white ones on a colour in hexadecimal digits?"""
    return bool(colour) and brightness(colour) > brightness(MIDDLE)


def brightness(colour: str) -> float:
    """How bright a colour seems, from 0 to 255."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return 0.299 * red + 0.587 * green + 0.114 * blue


MARK = 'role="img" aria-labelledby="title desc"'  # what our pictures have in their first line


def is_drawn_here(text: str) -> bool:
    """Does a file begin as our pictures do?"""
    return text.startswith("<svg ") and MARK in text.partition(">")[0]
