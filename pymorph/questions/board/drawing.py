"""What the rules say that a picture of a position shows."""

from __future__ import annotations

from clingo import Symbol, SymbolType

from pymorph.board.lengths import distances
from pymorph.board.lengths.length_units import point_of
from pymorph.board.lengths.measuring import square
from pymorph.board.lengths.shapes import Disc, Point, Polygon, Wall
from pymorph.dynamics.asking.batch import ask, situation
from pymorph.state.position import Position

DrawnPairs = list[tuple[Symbol, Symbol]]


def drawn(position: Position) -> DrawnPairs:
    """The pairs of What and Where that a picture of *position* shows."""
    atoms = ask("drawn", position, position.facts(situation(0)))["drawn"]
    return [(atom.arguments[0], atom.arguments[1]) for atom in atoms]


def bases(pictured: DrawnPairs) -> dict[Symbol, Disc | Polygon]:
    """The bases on a table that a picture shows, each with whom it carries."""
    bodies: dict[Symbol, Disc | Polygon] = {}
    for what, where in pictured:
        at = point_of(where)
        if at is None or what.type != SymbolType.Function or len(what.arguments) != 2:
            continue
        name, size = what.arguments
        if size.type == SymbolType.Number and size.number > 0:
            if what.name == "base":
                bodies[name] = Disc(*at, size.number)
            elif what.name == "square":
                bodies[name] = square(at, size.number)
    return bodies


def centre(body: Disc | Polygon | Wall) -> Point | None:
    """The centre of a base."""
    if isinstance(body, Disc):
        return body.x, body.y
    if isinstance(body, Wall) or not distances.is_square(body):
        return None
    return (body[0][0] + body[2][0]) // 2, (body[0][1] + body[2][1]) // 2
