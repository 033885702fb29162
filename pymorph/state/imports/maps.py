"""Universal VTT maps, read as the table of a position."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count, pairwise
from typing import Any, NamedTuple

from pymorph import yamlio
from pymorph.answers import json_keys
from pymorph.board.lengths.length_units import FARTHEST
from pymorph.board.lengths.plane import Plane, Terrain
from pymorph.board.lengths.shapes import Point
from pymorph.errors import InputError, Place, clipped, nearest
from pymorph.ruleset.loader import Ruleset
from pymorph.state.files import table
from pymorph.state.imports.import_errors import LIMITS, Invalid, mapping_at, number, read_json

CUT, BESIDE = "cut at the edge of the map", "not on the map"
OPEN, SHUT = "open, so not terrain", "treated as shut, without the key 'closed'"
MANY, LONG = f"more than {yamlio.LIMITS.terrain} pieces", "a position has no room for more points"
UNREAD = "ignored keys"
Spot = tuple[Fraction, Fraction]


class Drawn(NamedTuple):
    """A line of a map, in its own lengths and with up as less: its name, which is its label as well
    if the game has that label.

    *where* is its place in the map, *flaw* what keeps it from the table, and *remark* what there is
    to say about it besides.
    """

    name: str
    spots: tuple[Spot, ...] = ()
    where: str = ""
    flaw: str = ""
    remark: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.where}".strip()


@json_keys(without=["plane"], spread=["ruleset.edition", "data"])
class ImportedTable(NamedTuple):
    """A table made of a map: the largest distance by which a point was moved, what is missing on
    the table, with the reason, and other remarks."""

    ruleset: Ruleset
    plane: Plane
    snap: Fraction  # in whole units
    left_out: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def data(self) -> dict[str, yamlio.Data]:
        return {"table": dict(table.data(self.plane, self.ruleset.vocabulary))}


class Snapping:
    """Makes lines terrain: turns them up side up, and moves their points to a grid."""

    def __init__(self, ruleset: Ruleset, size: Spot, unit: int, grid: int, place: Place) -> None:
        if not ruleset.vocabulary.uses_table():
            raise InputError(f"{ruleset.name} has no table that is measured in lengths", place)
        self.ruleset, self.unit, self.grid = ruleset, unit, grid
        self.snap, self.extent = Fraction(0), size
        across, up = (self.snapped(n) for n in size)
        if not (0 < across <= FARTHEST and 0 < up <= FARTHEST):
            raise InputError("the map does not have a size that a table can have", place)
        self.size = (across, up)
        self.snap = Fraction(0)
        self.left_out: list[str] = []
        self.remarks: dict[str, list[str]] = defaultdict(list)
        self.terrain: dict[str, Terrain] = {}
        self.numbers: dict[str, Iterator[int]] = {}
        self.room = LIMITS.terrain_values

    def snapped(self, number: Fraction) -> int:
        """A length of the map in whole units, on the grid."""
        exact = number * self.unit
        snapped = round(exact / self.grid) * self.grid
        self.snap = max(self.snap, abs(exact - snapped))
        return snapped

    def point(self, spot: Spot) -> Point:
        return self.snapped(spot[0]), self.snapped(self.extent[1] - spot[1])

    def add(self, drawn: Drawn, label: str) -> None:
        """Put a line on the table as far as it is on the map, or note why not."""
        if drawn.remark:
            self.remarks[drawn.remark].append(str(drawn))
        known = drawn.name if drawn.name in self.ruleset.vocabulary.ground else label
        if drawn.flaw:
            self.left_out.append(f"{drawn}: {drawn.flaw}")
        elif not known and drawn.spots:
            unknown = f"unknown label {clipped(drawn.name)}; give it one with --label"
            self.left_out.append(f"{drawn}: {unknown}")
        elif drawn.spots and len(self.terrain) >= yamlio.LIMITS.terrain:
            self.left_out.append(f"{drawn}: {MANY}")
        elif len(drawn.spots) > LIMITS.terrain_values:
            self.left_out.append(f"{drawn}: {LONG}")
        elif len(drawn.spots) > 1:
            runs = on_map(drawn.spots, self.extent)
            if runs != [drawn.spots]:
                self.remarks[CUT if runs else BESIDE].append(str(drawn))
            for run in runs:
                self.put(drawn, run, known)
        elif drawn.spots:
            self.put(drawn, drawn.spots, known)

    def put(self, drawn: Drawn, spots: Sequence[Spot], label: str) -> None:
        """Put a line on the table: a long one as several that continue one another, which are one
        piece there."""
        before = self.snap
        points = [self.point(spot) for spot in spots]
        distinct = [p for n, p in enumerate(points) if n == 0 or p != points[n - 1]]
        flaw = self.flaw(distinct)
        if flaw:
            self.snap = before
            self.left_out.append(f"{drawn}: {flaw}")
            return
        self.room -= LIMITS.aside + 3 * len(distinct)
        for first in range(0, len(distinct) - 1, yamlio.LIMITS.points - 1):
            name = self.free(drawn.name)
            part = tuple(distinct[first : first + yamlio.LIMITS.points])
            self.terrain[name] = Terrain(name, label, part, True)

    def flaw(self, points: list[Point]) -> str:
        """What keeps a line from the table."""
        if len(self.terrain) + len(points) // yamlio.LIMITS.points >= yamlio.LIMITS.terrain:
            return MANY
        if LIMITS.aside + 3 * len(points) > self.room:
            return LONG
        if not all(0 <= x <= self.size[0] and 0 <= y <= self.size[1] for x, y in points):
            return "it is outside the map"
        return "" if len(points) > 1 else "it has no length"

    def free(self, name: str) -> str:
        """A name for a piece that no other has."""
        numbers = self.numbers.setdefault(name, count(2))
        return f"{name}_{next(numbers)}" if name in self.terrain else name

    def table(self) -> ImportedTable:
        plane = Plane.of(self.size, self.terrain.values())
        notes = tuple(f"{text}: {some(who)}" for text, who in self.remarks.items())
        return ImportedTable(self.ruleset, plane, self.snap, tuple(self.left_out), notes)


def some(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - LIMITS.places
    return ", ".join(names[: LIMITS.places]) + (f" and {more} more" if more > 0 else "")


def on_map(spots: tuple[Spot, ...], size: Spot) -> list[tuple[Spot, ...]]:
    """The parts of a line that are on a map of a size, from (0, 0), each as long as it can be."""
    if all(0 <= x <= size[0] and 0 <= y <= size[1] for x, y in spots):
        return [spots]
    runs: list[list[Spot]] = []
    for side in pairwise(spots):
        start, end = within_map(*side, size)
        if start == end:
            continue
        if runs and runs[-1][-1] == start:
            runs[-1].append(end)
        else:
            runs.append([start, end])
    if len(runs) > 1 and runs[0][0] == runs[-1][-1] == spots[0] == spots[-1]:
        runs[0] = runs.pop() + runs[0][1:]
    return list(map(tuple, runs))


def within_map(start: Spot, end: Spot, size: Spot) -> tuple[Spot, Spot]:
    """The part of a side that is on a map; where there is none, nothing but a point."""
    if any(max(ends) < 0 or min(ends) > most for *ends, most in zip(start, end, size, strict=True)):
        return start, start
    low, high = Fraction(0), Fraction(1)
    steps = end[0] - start[0], end[1] - start[1]
    for at, step, most in zip(start, steps, size, strict=True):
        if step:
            first, last = sorted((-at / step, (most - at) / step))
            low, high = max(low, first), min(high, last)
    if low >= high:
        return start, start
    near, far = ((start[0] + part * steps[0], start[1] + part * steps[1]) for part in (low, high))
    return near, far


def imported(
    path: str, ruleset: Ruleset, scale: str = "", grid: str = "", label: str = ""
) -> ImportedTable:
    """The table that a Universal VTT map makes.

    A square of the map is as wide as *scale*, one of the usual unit if it is not said; points are
    moved to the nearest of a *grid*, by default whole units. What the map has no label for has
    that one. Raises: InputError, with the place.
    """
    data, name = yamlio.read_bytes(path, LIMITS.map_bytes)
    place = Place(name)
    rulers = ruleset.vocabulary.rulers
    words = ruleset.vocabulary.ground
    if rulers.units and label and label not in words:
        raise InputError(f"unknown label {clipped(label)}{nearest(label, words)}")
    try:
        unit = rulers.length(scale) if scale and rulers.units else rulers.usual_size
        step = rulers.length(grid) if grid and rulers.units else 1
    except ValueError as error:
        raise InputError(str(error)) from None
    if unit < 1 or step < 1:
        raise InputError("a square and a grid must be longer than 0")
    try:
        size, drawn = uvtt(yamlio.decode(data, name, LIMITS.map_bytes))
        snapping = Snapping(ruleset, size, unit, step, place)
        for line in drawn:
            snapping.add(line, label)
    except Invalid as error:
        raise InputError(str(error), place) from None
    return snapping.table()


def spot(data: object) -> Spot:
    """A point with x and y."""
    if not isinstance(data, Mapping):
        raise Invalid("expected a point with x and y")
    return number(data.get("x")), number(data.get("y"))


# What a map says of light, of its picture and of itself is no terrain.
NO_TERRAIN = {"format", "resolution", "image", "environment", "lights", "software", "creator"}
LINES = {"line_of_sight": "wall", "objects_line_of_sight": "object"}
OF_SIZE = {"map_origin", "map_size", "pixels_per_grid"}
OF_PORTALS = {"position", "bounds", "rotation", "closed", "freestanding"}


def uvtt(text: str) -> tuple[Spot, Iterator[Drawn]]:
    """The size of a Universal VTT map in squares, and its walls and doors.

    What is wrong with one of them is no matter for the others.
    """
    data = read_json(text)
    resolution = mapping_at(data, "resolution")
    size = spot(mapping_at(resolution, "map_size"))
    origin = resolution.get("map_origin")
    corner = (Fraction(0), Fraction(0)) if origin is None else spot(origin)

    def drawn() -> Iterator[Drawn]:
        yield from unread(data, {*NO_TERRAIN, *LINES, "portals"})
        yield from unread(resolution, OF_SIZE, "resolution.")
        for key, name in LINES.items():
            for where, line in listed(data, key):
                yield placed(Drawn(name, where=where), line, corner, key == "objects_line_of_sight")
        for where, portal in listed(data, "portals"):
            yield from door(portal, where, corner)

    return size, drawn()


def unread(data: Mapping[str, Any], known: set[str], where: str = "") -> Iterator[Drawn]:
    """Remarks on keys that are none of those that are known."""
    for key in data:
        if key not in known:
            yield Drawn("", where=f"{where}{clipped(key)[1:-1]}", remark=UNREAD)


def listed(data: Mapping[str, Any], key: str) -> Iterator[tuple[str, object]]:
    """Each of a list with its place; what is no list is one thing, and wrong."""
    items = data.get(key)
    if isinstance(items, list):
        yield from ((f"{key}[{number}]", item) for number, item in enumerate(items))
    elif items is not None:
        yield key, items


def placed(piece: Drawn, points: object, corner: Spot, ring: bool = False) -> Drawn:
    """A piece with its points, counted from a corner of the map, or with what is wrong with one."""
    if not isinstance(points, list):
        return piece._replace(flaw="expected a list of points")
    spots = []
    for place, point in enumerate(points, 1):
        try:
            x, y = spot(point)
        except Invalid as error:
            return piece._replace(flaw=f"point {place}: {error}")
        spots.append((x - corner[0], y - corner[1]))
    if ring and len(spots) > 2 and spots[0] != spots[-1]:
        spots.append(spots[0])
    return piece._replace(spots=tuple(spots), flaw="" if spots else "it has no points")


def door(portal: object, where: str, corner: Spot) -> Iterator[Drawn]:
    """A portal: a door if it is closed, and nothing but an opening if not."""
    piece = Drawn("door", where=where)
    if not isinstance(portal, dict):
        yield piece._replace(flaw="expected a portal with bounds")
        return
    yield from unread(portal, OF_PORTALS, f"{where}.")
    closed = portal.get("closed")
    if closed is False:
        yield piece._replace(remark=OPEN)
    elif closed is True or closed is None:
        piece = piece._replace(remark=SHUT if closed is None else "")
        yield placed(piece, portal.get("bounds"), corner)
    else:
        yield piece._replace(flaw="expected true or false for the key 'closed'")
