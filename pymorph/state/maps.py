"""Maps of other programs, read as the table of a position: Universal VTT, and Tiled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from pymorph import yamlio
from pymorph.board import outlines
from pymorph.board.plane import Plane, Terrain
from pymorph.board.rulers import FARTHEST
from pymorph.board.shapes import Point
from pymorph.errors import Fault, InputError, Place, clipped, nearest
from pymorph.ruleset.loader import Ruleset
from pymorph.state import table
from pymorph.state.foreign import Amiss, number, read_json, read_xml, within
from pymorph.state.table import MOST_POINTS, MOST_TERRAIN

MOST_BYTES = 64_000_000  # a map has its picture in it
DEEPEST = 8  # groups within one another
Spot = tuple[Fraction, Fraction]


class Drawn(NamedTuple):
    """An outline of a map, in its own lengths and with up as less: what it is called, and by which
    words its label may be known."""

    name: str
    kinds: tuple[str, ...]
    spots: tuple[Spot, ...]
    edge: bool


class ImportedTable(NamedTuple):
    """A table made of a map: the largest distance by which a point was moved, and what is not on
    the table, with the reason."""

    ruleset: Ruleset
    plane: Plane
    snap: Fraction  # in whole units
    left_out: tuple[str, ...]

    @property
    def data(self) -> dict[str, yamlio.Data]:
        return {"table": dict(table.data(self.plane, self.ruleset.vocabulary))}

    def json(self) -> yamlio.Json:
        from pymorph.ruleset.loader import head

        found: yamlio.Json = {**head(self.ruleset), **self.data}
        return {**found, "snap": str(self.snap), "left_out": list(self.left_out)}


class Snapping:
    """Makes outlines terrain: turns them up side up, and moves their points to a grid."""

    def __init__(self, ruleset: Ruleset, size: Spot, unit: int, grid: int, place: Place) -> None:
        if not ruleset.vocabulary.uses_table():
            told = f"{ruleset.name} is not played on a table in lengths"
            raise InputError(Fault(told, place))
        self.ruleset, self.unit, self.grid = ruleset, unit, grid
        self.snap, self.deep = Fraction(0), size[1]
        across, up = (self.whole(n) for n in size)
        if not (0 < across <= FARTHEST and 0 < up <= FARTHEST):
            raise InputError(Fault("the map has no size that a table could have", place))
        self.size = (across, up)
        self.snap = Fraction(0)
        self.left_out: list[str] = []
        self.terrain: dict[str, Terrain] = {}

    def whole(self, number: Fraction) -> int:
        """A length of the map in whole units, on the grid."""
        exact = number * self.unit
        found = round(exact / self.grid) * self.grid
        self.snap = max(self.snap, abs(exact - found))
        return found

    def point(self, spot: Spot) -> Point:
        return self.whole(spot[0]), self.whole(self.deep - spot[1])

    def add(self, drawn: Drawn, label: str) -> None:
        """Put an outline on the table, or note why not."""
        words = self.ruleset.vocabulary.ground
        known = next((kind for kind in drawn.kinds if kind in words), label)
        if not known:
            kind = f"the game has no label {clipped(drawn.kinds[0])}" if drawn.kinds else "no label"
            self.left_out.append(f"{drawn.name}: {kind}; --label gives it one")
            return
        before = self.snap
        points = [self.point(spot) for spot in drawn.spots]
        kept = [p for n, p in enumerate(points) if n == 0 or p != points[n - 1]]
        if not drawn.edge and len(kept) > 1 and kept[0] == kept[-1]:
            kept.pop()
        flaw = self.flaw(kept, drawn.edge)
        if flaw:
            self.snap = before
            self.left_out.append(f"{drawn.name}: {flaw}")
            return
        name = self.free(drawn.name)
        self.terrain[name] = Terrain(name, known, tuple(kept), drawn.edge)

    def flaw(self, points: list[Point], edge: bool) -> str:
        """What keeps an outline from the table."""
        if len(self.terrain) >= MOST_TERRAIN:
            return f"more than {MOST_TERRAIN} pieces"
        if len(points) > MOST_POINTS:
            return f"more than {MOST_POINTS} points"
        if not all(0 <= x <= self.size[0] and 0 <= y <= self.size[1] for x, y in points):
            return "it lies beside the map"
        if edge:
            return "" if len(points) > 1 else "it has no length"
        return outlines.flaw(points)

    def free(self, text: str) -> str:
        """A name for a piece that no other has."""
        bare = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:48]
        name = bare if re.match("[a-z]", bare) else f"piece_{bare}".rstrip("_")
        number, found = 1, name
        while found in self.terrain:
            number, found = number + 1, f"{name}_{number + 1}"
        return found

    def table(self) -> ImportedTable:
        plane = Plane.of(self.size, self.terrain.values())
        return ImportedTable(self.ruleset, plane, self.snap, tuple(self.left_out))


def imported(
    kind: str, path: str, ruleset: Ruleset, scale: str = "", grid: str = "", label: str = ""
) -> ImportedTable:
    """The table that a map makes, of a *kind*: ``uvtt`` or ``tiled``.

    A square of the map is as wide as *scale*, one of the usual unit if it is not said; points are
    moved to the nearest of a *grid*, by default whole units. What the map has no label for has
    that one. Raises: InputError, with the place.
    """
    data, name = yamlio.read_bytes(path, MOST_BYTES)
    place = Place(name)
    rulers = ruleset.vocabulary.rulers
    words = ruleset.vocabulary.ground
    if rulers.units and label and label not in words:
        raise InputError(Fault(f"unknown label {clipped(label)}{nearest(label, words)}"))
    try:
        unit = rulers.length(scale) if scale and rulers.units else rulers.whole
        step = rulers.length(grid) if grid and rulers.units else 1
    except ValueError as error:
        raise InputError(Fault(str(error))) from None
    if unit < 1 or step < 1:
        raise InputError(Fault("a square, and a grid, are longer than 0"))
    text = yamlio.decode(data, name, MOST_BYTES)
    try:
        size, drawn = READERS[kind](text)
        snapping = Snapping(ruleset, size, unit, step, place)
        for outline in drawn:
            snapping.add(outline, label)
    except Amiss as error:
        raise InputError(Fault(str(error), place)) from None
    return snapping.table()


def spot(data: object) -> Spot:
    """A point with x and y."""
    if not isinstance(data, Mapping):
        raise Amiss("expected a point with x and y")
    return number(data.get("x")), number(data.get("y"))


# Universal VTT


def uvtt(text: str) -> tuple[Spot, Iterator[Drawn]]:
    """The size of a Universal VTT map in squares, and its walls and doors."""
    data = read_json(text)
    resolution = within(data, "resolution", dict)
    size = spot(within(resolution, "map_size", dict))
    left, top = spot(resolution.get("map_origin") or {"x": 0, "y": 0})

    def moved(points: Iterable[object]) -> tuple[Spot, ...]:
        return tuple((x - left, y - top) for x, y in map(spot, points))

    def drawn() -> Iterator[Drawn]:
        for key, name in (("line_of_sight", "wall"), ("objects_line_of_sight", "object")):
            for line in within({"": [], **data, key: data.get(key) or []}, key, list):
                if not isinstance(line, list):
                    raise Amiss(f"the key {key!r} has lines that are no lists of points")
                yield Drawn(name, (name,), moved(line), True)
        for portal in within({**data, "portals": data.get("portals") or []}, "portals", list):
            yield Drawn("door", ("door",), moved(within(portal, "bounds", list)), True)

    return size, drawn()


# Tiled


def tiled(text: str) -> tuple[Spot, Iterator[Drawn]]:
    """The size of a Tiled map in squares, and the objects on it."""
    xml = text.lstrip().startswith("<")
    data = map_of(read_xml(text)) if xml else read_json(text)
    if not isinstance(data, dict) or data.get("orientation", "orthogonal") != "orthogonal":
        raise Amiss("only orthogonal maps lie flat on a table")
    if data.get("infinite") in (True, "1"):
        raise Amiss("an infinite map has no size")
    wide, high = number(data.get("tilewidth")), number(data.get("tileheight"))
    if wide <= 0 or high <= 0:
        raise Amiss("the squares of the map have no size")
    size = number(data.get("width")), number(data.get("height"))
    return size, (each for layer in layers(data) for each in objects(layer, wide, high))


def layers(data: Mapping[str, Any], depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """The layers with objects, those of groups too."""
    for layer in within(data, "layers", list):
        if not isinstance(layer, dict) or depth > DEEPEST:
            raise Amiss("a layer is no layer, or lies too deep")
        if layer.get("type") == "group":
            yield from layers(layer, depth + 1)
        elif layer.get("type") == "objectgroup":
            yield layer


def objects(layer: Mapping[str, Any], wide: Fraction, high: Fraction) -> Iterator[Drawn]:
    """The outlines of a layer, in squares; points, texts, pictures and ellipses are none."""
    off_x, off_y = (number(layer.get(key, 0)) for key in ("offsetx", "offsety"))
    for each in within(layer, "objects", list):
        if not isinstance(each, dict):
            raise Amiss("an object is no object")
        x, y = number(each.get("x")) + off_x, number(each.get("y")) + off_y
        edge = "polyline" in each
        if edge or "polygon" in each:
            spots = [spot(p) for p in within(each, "polyline" if edge else "polygon", list)]
        elif {"point", "text", "gid", "ellipse", "template", "capsule"} & each.keys():
            continue
        else:
            u, v = number(each.get("width", 0)), number(each.get("height", 0))
            zero = Fraction(0)
            spots = [(zero, zero), (u, zero), (u, v), (zero, v)] if u and v else []
        if not spots:
            continue
        if number(each.get("rotation", 0)):
            raise Amiss(f"object {each.get('id', '?')} is turned; give it its points as they lie")
        own = each.get("class") or each.get("type")
        kinds = [own] if own else [each.get("name"), layer.get("name")]
        told = [str(kind).lower() for kind in kinds if kind]
        name = str(each.get("name") or each.get("class") or each.get("type") or layer.get("name"))
        moved = tuple(((x + u) / wide, (y + v) / high) for u, v in spots)
        yield Drawn(name, tuple(told), moved, edge)


def map_of(root: Any) -> dict[str, Any]:
    """A map in XML, as if it were JSON."""
    if root.tag != "map":
        raise Amiss("expected a Tiled map, which opens with <map>")
    return {**root.attrib, "layers": list(map(layer_of, root))}


def layer_of(element: Any, depth: int = 0) -> dict[str, Any]:
    """A layer of a map in XML, with its objects."""
    if depth > DEEPEST:
        raise Amiss("nested too deeply")
    found: dict[str, Any] = {**element.attrib, "type": element.tag}
    if element.tag == "group":
        found["layers"] = [layer_of(each, depth + 1) for each in element]
    elif element.tag == "objectgroup":
        found["objects"] = [object_of(each) for each in element if each.tag == "object"]
    return found


def object_of(element: Any) -> dict[str, Any]:
    found: dict[str, Any] = dict(element.attrib)
    for inner in element:
        if inner.tag in ("polygon", "polyline"):
            pairs = [pair.split(",") for pair in inner.get("points", "").split()]
            if any(len(pair) != 2 for pair in pairs):
                raise Amiss("expected points such as 0,0 32,16")
            found[inner.tag] = [{"x": x, "y": y} for x, y in pairs]
        else:
            found[inner.tag] = True
    return found


READERS = {"uvtt": uvtt, "tiled": tiled}
