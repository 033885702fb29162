"""Directions on a table that are stated by what lies there: `towards gar`, `towards [3, 4]`."""

from __future__ import annotations

from collections.abc import Mapping

from clingo import Function, Symbol, SymbolType

from pymorph.board.lattice import reduced
from pymorph.board.lengths.length_units import FARTHEST, TOWARDS, point_of, point_term
from pymorph.board.lengths.shapes import Point
from pymorph.errors import InputError, UnknownName, clipped, nearest
from pymorph.ruleset.vocabulary import Scene, Vocabulary
from pymorph.terms import text_of


def is_towards(value: Symbol) -> bool:
    """Is it a direction that is stated so?"""
    stated = value.type == SymbolType.Function and value.name == TOWARDS
    return stated and len(value.arguments) == 1


def resolved(
    value: Symbol, owner: Symbol, words: Vocabulary, scene: Scene, fluents: Mapping[Symbol, Symbol]
) -> Symbol:
    """The vector from where the owner stands to what a direction is stated by.

    It is the one that a file states in the least whole numbers, if these are not too large.
    Raises: UnknownName, if there is nobody of that name; InputError, if there is no direction.
    """
    (other,) = value.arguments
    start, end = place_of(owner, words, fluents), point_of(other)
    if end is None:
        sort = words.fluents[words.point_fluent].sorts[0]
        if other.type == SymbolType.Number:
            message = f"found a length; expected a {words.sorts[sort]} or a point, such as [3, 4]"
            raise InputError(message)
        if not words.belongs(other, sort, scene):
            name = text_of(other)
            near = nearest(name, map(text_of, words.members(sort, scene)))
            raise UnknownName(f"unknown {words.sorts[sort]} {clipped(name)}{near}")
        end = place_of(other, words, fluents)
    if start is None or end is None:
        who = text_of(owner if start is None else other)
        raise InputError(f"{who} is not at a point of the table")
    if end == start:
        message = f"{text_of(owner)} is at that point itself; expected another point to face"
        raise InputError(message)
    vector = end[0] - start[0], end[1] - start[1]
    x, y = reduced(*vector)
    unit = words.rulers.usual_size
    least = max(abs(x), abs(y)) * unit <= FARTHEST
    return point_term((x * unit, y * unit) if least else vector)


def place_of(who: Symbol, words: Vocabulary, fluents: Mapping[Symbol, Symbol]) -> Point | None:
    """The point at which somebody stands, if it is known."""
    at = fluents.get(Function(words.point_fluent, [who]))
    return None if at is None else point_of(at)
