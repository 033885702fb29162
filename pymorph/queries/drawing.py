"""What the rules say that a picture of a position shows."""

from __future__ import annotations

from clingo import Symbol

from pymorph.errors import Fault, InputError
from pymorph.queries.batch import ask, situation
from pymorph.queries.figures import forecast
from pymorph.queries.results import Figure
from pymorph.state.position import Position

Drawn = list[tuple[Symbol, Symbol]]


def drawn(position: Position) -> Drawn:
    """The pairs of What and Where that a picture of *position* shows."""
    atoms = ask("drawn", position, position.facts(situation(0)))["drawn"]
    return [(atom.arguments[0], atom.arguments[1]) for atom in atoms]


def sight_between(position: Position, one: str, other: str) -> Figure:
    """What the rules say of the sight from one to the other.

    Raises: InputError, if there is no board; UnknownName, if one of the two is not known.
    """
    if position.board is None:
        raise InputError(Fault("this position has no board to draw"))
    name = f"sight({one}, {other})"
    found = forecast(position, name).figures
    if len(found) != 1:
        raise InputError(Fault(f"{name} is nothing that this position tells"))
    return found[0]
