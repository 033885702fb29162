"""The eight facings of a grid of squares."""

from __future__ import annotations

from clingo import Function, Symbol

# Clockwise from north, each with its step in columns and rows; the odd ones are diagonal.
DIRECTIONS: dict[Symbol, tuple[int, int]] = {
    Function("north"): (0, 1),
    Function("north_east"): (1, 1),
    Function("east"): (1, 0),
    Function("south_east"): (1, -1),
    Function("south"): (0, -1),
    Function("south_west"): (-1, -1),
    Function("west"): (-1, 0),
    Function("north_west"): (-1, 1),
}
FACINGS: tuple[Symbol, ...] = tuple(DIRECTIONS)
EIGHTHS: dict[Symbol, int] = {facing: number for number, facing in enumerate(FACINGS)}
TOWARD: dict[tuple[int, int], Symbol] = {step: facing for facing, step in DIRECTIONS.items()}
