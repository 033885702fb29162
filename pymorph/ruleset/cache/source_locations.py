"""The places of statements in the files of a ruleset."""

from __future__ import annotations

from contextlib import suppress

from pymorph.errors import Fault, RulesetError
from pymorph.ruleset.hints import cut, statement
from pymorph.ruleset.loader import files_of, of_contents


def placed(fault: Fault, folders: tuple[str, ...], text: str) -> Fault:
    """A *fault* of the rules with the place of its statement in *folders*, and its text there.

    The text as it was checked, and no place, if no file there has the statement.
    """
    with suppress(RulesetError):
        own = files_of(folders)[0] if folders else ()
        place = of_contents(own, folders).place_of(lambda s: s.text == text) if own else None
        if place is not None and place.file in dict(own):
            lines = dict(own)[place.file].decode(errors="replace").split("\n")
            return fault._replace(place=place, text=statement(lines, place.line))
    return fault._replace(place=None, text=cut(text))
