"""Where the files of a ruleset have the statement that a fault is about."""

from __future__ import annotations

from pymorph.errors import Fault, Place, RulesetError
from pymorph.ruleset.compiler import checked
from pymorph.ruleset.hints import cut, statement
from pymorph.ruleset.loader import files_of


def place_of(folders: tuple[str, ...], text: str) -> tuple[Place | None, str]:
    """Where the files of a ruleset have a checked statement, and how they have it.

    All files are read and checked again, so this is for where something went wrong.
    """
    try:
        own, core = files_of(folders)
        for found in checked(own, core).everything:
            if found.text == text and not found.trusted:
                lines = dict(own)[found.place.file].decode(errors="replace").split("\n")
                return found.place, statement(lines, found.place.line)
    except (RulesetError, KeyError):
        pass
    return None, cut(text)


def placed(fault: Fault, folders: tuple[str, ...], text: str) -> Fault:
    """A *fault* of the rules with the place and the text of the statement that is to blame."""
    place, told = place_of(folders, text) if folders else (None, cut(text))
    return fault._replace(place=place, text=told)
