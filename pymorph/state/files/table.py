"""The table of a position's file: how large it is, and the terrain on it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from clingo import Number, Symbol

from pymorph.board.lengths import outlines
from pymorph.board.lengths.length_units import point_term
from pymorph.board.lengths.plane import Plane, Terrain
from pymorph.board.lengths.shapes import Point
from pymorph.errors import Place, clipped
from pymorph.ruleset.vocabulary import PAIRS, Vocabulary
from pymorph.state.files.fields import LIKE, OUTLINES, SIZED, TERRAIN, FileReading
from pymorph.terms import NAME, list_term, misnamed
from pymorph.yamlio import LIMITS, Data, Items, Keys, Node, Scalar, written


class TableReading(FileReading):
    """Reads the lengths, points and terrain of a table in the *words* of its game."""

    words: Vocabulary

    def measure(self, node: Node, kind: str) -> Symbol | None:
        """A length, a point, or a list of points as a term; or nothing, and a fault is told."""
        if kind == "length":
            length = self.length(node)
            return None if length is None else Number(length)
        if kind in PAIRS:
            point = self.point(node)
            return None if point is None else point_term(point)
        points = self.points(node)
        return None if points is None else list_term(map(point_term, points))

    def length(self, node: Node) -> int | None:
        """A length, or nothing, and then a fault is told."""
        if not isinstance(node, Scalar):
            self.fault("expected one length, not a list or mapping", node.place)
            return None
        try:
            return self.words.rulers.length(node.text)
        except ValueError as error:
            self.fault(str(error), node.place)
            return None

    def point(self, node: Node) -> Point | None:
        """Two lengths in brackets."""
        if not isinstance(node, Items) or len(node.items) != 2:
            text = clipped(written(node))
            self.fault(f"found {text}; expected a point, such as [12, 5 1/2]", node.place)
            return None
        x, y = (self.length(part) for part in node.items)
        return None if x is None or y is None else (x, y)

    def outline(self, node: Node, _: Scalar) -> list[Point] | None:
        return self.points(node)

    def points(self, node: Node) -> list[Point] | None:
        """A list of points; of wrong ones only the first few are told."""
        if not isinstance(node, Items):
            self.fault("expected points, such as [[12, 5 1/2], [14, 8]]", node.place)
            return None
        if len(node.items) > LIMITS.points:
            self.fault(f"more than {LIMITS.points} points", node.place)
            return None
        points: list[Point] = []
        for item in node.items:
            point = self.point(item)
            if point is None:
                return None
            points.append(point)
        return points

    def plane(self, node: Node) -> Plane | None:
        """The table, as far as it can be read."""
        values = self.values(node, SIZED)
        size: Point | None = values.get("size")
        pieces = []
        for piece, place in values.get("terrain", ()):
            flaw = self.flaw(piece, size)
            if flaw:
                self.fault(f"{piece.name}: {flaw}", place)
            pieces.append(piece)
        return None if size is None else Plane.of(size, pieces)

    def size(self, node: Node, _: Scalar) -> Point | None:
        size = self.point(node)
        if size is not None and min(size) <= 0:
            self.fault("a table must be longer and wider than 0", node.place)
            return None
        return size

    def terrain(self, node: Node, _: Scalar) -> list[tuple[Terrain, Place]]:
        """Each piece that can be read, with the place of its outline."""
        blank = isinstance(node, Scalar) and not node.text
        message = f"expected a mapping of names for terrain, {LIKE}"
        entries = self.entries(None if blank else node, message)
        if len(entries) > LIMITS.terrain:
            self.fault(f"more than {LIMITS.terrain} pieces of terrain", node.place)
            return []
        return [piece for key, value in entries for piece in self.piece(key, value)]

    def piece(self, key: Scalar, node: Node) -> Iterator[tuple[Terrain, Place]]:
        """A piece of terrain, with the place of its outline, if it can be read."""
        if not NAME.fullmatch(key.text):
            self.fault(misnamed(key.text), key.place)
            return
        values = self.values(node, TERRAIN)
        if not isinstance(node, Keys) or "label" not in values:
            return
        drawn = [(k, value) for k in OUTLINES if (value := node.get(k)) is not None]
        if len(drawn) != 1:
            self.fault("terrain needs either an 'area' or an 'edge'", key.place)
            return
        ((kind, outline),) = drawn
        if kind in values:
            points = tuple(values[kind])
            yield Terrain(key.text, values["label"], points, kind == "edge"), outline.place

    def label(self, node: Node, _: Scalar) -> str | None:
        return self.one_of(node, "label", self.words.ground)

    def flaw(self, piece: Terrain, size: Point | None) -> str:
        """What is wrong with an outline on a table of that size, if anything."""
        _, _, points, edge = piece
        if size is not None:
            for x, y in points:
                if not (0 <= x <= size[0] and 0 <= y <= size[1]):
                    table = " by ".join(map(self.words.rulers.text, size))
                    at = self.words.rulers.point(x, y)
                    return f"{at} is outside the table, which is {table}"
        if not edge:
            return outlines.flaw(list(points))
        if len(points) < 2:
            return "an edge needs at least two points"
        if any(a == b for a, b in pairwise(points)):
            return "a point is given twice in a row"
        return ""


def data(table: Plane, words: Vocabulary) -> dict[str, Data]:
    """The table as a file has it, which `TableReading` reads back to an equal one."""
    table_data: dict[str, Data] = {"size": _point(table.size, words)}
    terrain: dict[str, Data] = {}
    for name, label, points, edge in table.terrain:
        outline: Data = [_point(point, words) for point in points]
        terrain[name] = {"label": label, "edge" if edge else "area": outline}
    if terrain:
        table_data["terrain"] = terrain
    return table_data


def _point(point: Point, words: Vocabulary) -> Data:
    return [int(length) if length.isdigit() else length for length in map(words.rulers.text, point)]
