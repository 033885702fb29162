"""What the rules say that a picture of a position shows."""

from __future__ import annotations

from clingo import Symbol

from pymorph.queries.batch import ask, situation
from pymorph.state.position import Position

Drawn = list[tuple[Symbol, Symbol]]


def drawn(position: Position) -> Drawn:
    """The pairs of What and Where that a picture of *position* shows."""
    atoms = ask("drawn", position, position.facts(situation(0)))["drawn"]
    return [(atom.arguments[0], atom.arguments[1]) for atom in atoms]
