"""The places of statements in the files of a ruleset."""

from __future__ import annotations

from pymorph.errors import Fault, Place, RulesetError
from pymorph.ruleset.compiler import checked
from pymorph.ruleset.hints import cut, statement
from pymorph.ruleset.loader import files_of


def place_of(folders: tuple[str, ...], text: str) -> tuple[Place | None, str]:
    """The place of a checked statement in the files of a ruleset, and its text there.

    All files are read and checked again, so this is for error messages.
    """
    try:
        own, core = files_of(folders)
        for candidate in checked(own, core).everything:
            if candidate.text == text and not candidate.trusted:
                place = candidate.place
                lines = dict(own)[place.file].decode(errors="replace").split("\n")
                return place, statement(lines, place.line)
    except (RulesetError, KeyError):
        pass
    return None, cut(text)


def placed(fault: Fault, folders: tuple[str, ...], text: str) -> Fault:
    """A *fault* of the rules with the place and the text of its statement."""
    place, written = place_of(folders, text) if folders else (None, cut(text))
    return fault._replace(place=place, text=written)
