"""Distances between two pieces, places or points of a position, without rules of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from clingo import Symbol

from pymorph.answers import json_keys
from pymorph.board.geometry import Geometry
from pymorph.board.lengths import distances, lines
from pymorph.board.lengths.length_units import point_of
from pymorph.board.lengths.shapes import Disc, Solid
from pymorph.errors import Fault, InputError, UnknownName, clipped, nearest
from pymorph.questions.board.drawing import DrawnPairs, bases, centre, drawn
from pymorph.runtime.arguments import checked
from pymorph.state.files.display_names import one_of
from pymorph.state.position import Position
from pymorph.terms import parse_symbol, text_of

if TYPE_CHECKING:
    from pymorph.board.lengths.plane import Plane
    from pymorph.ruleset.loader import Ruleset


@json_keys()
class DistanceMeasure(NamedTuple):
    """One number: whole units of a table, or places of a board; *exact*, or rounded up to one."""

    name: str
    value: int
    exact: bool
    text: str


@json_keys(paths={"from": "one", "to": "other"}, spread=["ruleset.edition"])
class Distance(NamedTuple):
    """What a ruler says of two: from what to what, and by which measures."""

    ruleset: Ruleset
    one: str
    other: str
    measures: tuple[DistanceMeasure, ...]


@checked
def measure(position: Position, one: str, other: str) -> Distance:
    """How far it is between two that stand there: pieces, places, terrain, or points.

    On a table: from centre to centre, and the gap between the two. On a board: by each of its
    metrics. Raises: InputError, if there is neither; UnknownName.

    >>> import pymorph
    >>> position = pymorph.Position.load("examples/rulesets/standoff/positions/start.yaml")
    >>> [(one.name, one.text) for one in pymorph.measure(position, "ann", "bea").measures]
    [('centres', 'about 9.1241 in'), ('gap', 'about 8.0710 in')]
    """
    if position.table is not None:
        return _on_table(position, position.table, one, other)
    if position.grid is None:
        raise InputError(Fault("this position has no board or table to measure on"))
    return _on_board(position, one, other)


def names(position: Position) -> list[str]:
    """What may be measured, by name."""
    pictured = drawn(position)
    pieces = _bases(pictured) if position.table else _places(pictured, position)
    terrain = [piece.name for piece in position.table.terrain] if position.table else []
    places = map(text_of, position.grid.places) if position.grid else ()
    return [*pieces, *terrain, *places]


# A table in lengths


def _on_table(position: Position, table: Plane, one: str, other: str) -> Distance:
    rulers = position.ruleset.vocabulary.rulers
    known = _bases(drawn(position))
    ends = [_body(position, table, known, text) for text in (one, other)]
    bodies = [body for _, body in ends]
    centres = [centre(body) for body in bodies]
    measures: list[DistanceMeasure] = []
    if centres[0] is not None and centres[1] is not None:
        units, more = lines.length([centres[0], centres[1]])
        text = rulers.display(units, rounded=more)
        measures.append(DistanceMeasure("centres", units + more, not more, text))
    gap = distances.gap(*bodies)
    exact = distances.is_whole(*bodies)
    if gap == 0:
        text = "they overlap" if distances.overlap(*bodies) else "none: in contact"
    else:
        text = rulers.display(gap, rounded=not exact)
    measures.append(DistanceMeasure("gap", gap, exact, text))
    return Distance(position.ruleset, ends[0][0], ends[1][0], tuple(measures))


def _bases(pictured: DrawnPairs) -> dict[str, Solid]:
    """The bases that a picture shows, by name."""
    return {text_of(name): body for name, body in bases(pictured).items()}


def _body(
    position: Position, table: Plane, standing: Mapping[str, Solid], text: str
) -> tuple[str, Solid]:
    """What a text names, as answers call it: a base, a piece of terrain, a point."""
    rulers = position.ruleset.vocabulary.rulers
    if "[" in text:
        point = point_of(parse_symbol(rulers.plain(text)))
        if point is None:
            raise InputError(Fault(f"found {clipped(text)}; expected a point, such as [12, 5 1/2]"))
        return rulers.point(*point), Disc(*point, 0)
    known = [*standing, *table.pieces]
    name = one_of(position, text, known)
    if name in standing:
        return name, standing[name]
    if name in table.pieces:
        return name, table.pieces[name].shape
    raise UnknownName(Fault(f"unknown name {clipped(text)} on the table{nearest(name, known)}"))


# A drawn board


def _places(pictured: DrawnPairs, position: Position) -> dict[str, Symbol]:
    """Where the pieces stand that a picture shows, by name."""
    return {
        text_of(what.arguments[0]): where
        for what, where in pictured
        if where in position.spaces and what.name in ("token", "mark") and what.arguments
    }


def _on_board(position: Position, one: str, other: str) -> Distance:
    grid = position.grid
    assert grid is not None
    pieces = _places(drawn(position), position)
    names_of = {text_of(place): place for place in grid.places}
    ends, labels = [], []
    for text in (one, other):
        name = one_of(position, text, [*pieces, *names_of])
        place = pieces.get(name) or names_of.get(name)
        if place is None:
            hint = nearest(name, pieces)
            raise UnknownName(Fault(f"unknown name {clipped(text)} on the board{hint}"))
        ends.append(place)
        labels.append(name if name in names_of else f"{name} at {text_of(place)}")
    board = Geometry(grid)
    measures = []
    for metric in grid.lattice.metrics:
        length = board.distance(ends[0], ends[1], parse_symbol(metric))
        square = board.distance(ends[0], ends[1], parse_symbol("squared"))
        if not isinstance(length, list) and not isinstance(square, list):
            exact = metric != "straight" or square.number == length.number**2
            text = str(length) if exact else f"{length}, rounded up"
            measures.append(DistanceMeasure(metric, length.number, exact, text))
    return Distance(position.ruleset, labels[0], labels[1], tuple(measures))
