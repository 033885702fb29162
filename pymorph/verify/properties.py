"""The properties that verification knows, and those that a ruleset brings along."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pymorph.verify.results import Piece
from pymorph.verify.setting import Setting

Check = Callable[[Setting, str], Piece | Mapping[str, Piece] | Iterator[Piece]]


def whole(_: Setting) -> list[str]:
    """The pieces of a property that is checked in one go."""
    return [""]


@dataclass(frozen=True, slots=True)
class Property:
    """Something that ought to hold of every ruleset.

    *pieces* names the pieces of work that it consists of, which know nothing of each other (one
    for each action, say); *check* does one of them, or tells bit by bit what it comes to, so that
    what was found is not lost where it is ended. Properties with one and the same *check* share
    the work: it gives a result for each, by its id. *settle* has another look at what all pieces
    came to together. *speaks_of* says what is counted as subject. What is *static* is said of the
    ruleset as it is written, not of positions.
    """

    id: str
    meaning: str
    check: Check
    pieces: Callable[[Setting], list[str]] = whole
    family: str = ""
    speaks_of: str = "subjects"
    counted: str = "positions"
    settle: Callable[[Setting, Piece], Piece] | None = None
    static: bool = False


def properties_of(setting: Setting) -> tuple[Property, ...]:
    """All properties of a ruleset, in the order in which they are reported."""
    from pymorph.verify import asked, asymmetry, data, dead, done, endless, moot, own, still

    return (
        data.PROPERTY,
        *asked.PROPERTIES,
        *done.PROPERTIES,
        *still.PROPERTIES,
        moot.PROPERTY,
        asymmetry.PROPERTY,
        endless.PROPERTY,
        *own.properties(setting),
        *dead.PROPERTIES,
    )
