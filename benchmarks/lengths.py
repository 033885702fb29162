"""Lines and paths over a table in lengths, against shapely on the same table.

40 bases and 30 pieces of terrain stand on 48 by 48 inches, in a unit that makes inches and tenths
of a millimetre whole. Each line and each path is new, and asked about once.
"""

import math
import random
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from benchmarks.results import Result
from pymorph.board.lengths.lines import boxed, compare_length, crossed, swept
from pymorph.board.lengths.shapes import Disc, Point, Polygon

INCH = 15_240
SIDE, RADIUS = 48 * INCH, INCH // 2
TABLES, LINES, PATHS = 5, 400, 200


def table(rng: random.Random) -> tuple[list[Disc], list[Polygon]]:
    """Bases that do not overlap, and convex terrain, on which bases may stand."""
    discs: list[Disc] = []
    while len(discs) < 40:
        x, y = rng.randint(RADIUS, SIDE - RADIUS), rng.randint(RADIUS, SIDE - RADIUS)
        if all((x - a) ** 2 + (y - b) ** 2 >= INCH * INCH for a, b, _ in discs):
            discs.append(Disc(x, y, RADIUS))
    polygons = []
    for _ in range(30):
        x, y, size = rng.randint(0, SIDE), rng.randint(0, SIDE), rng.randint(RADIUS, 2 * INCH)
        turns = sorted(rng.uniform(0, 2 * math.pi) for _ in range(rng.randint(4, 8)))
        polygons.append(
            tuple((x + round(size * math.cos(t)), y + round(size * math.sin(t))) for t in turns)
        )
    return discs, polygons


def path(rng: random.Random, start: Point) -> list[Point]:
    """Four legs of three inches or less, on the table."""
    found = [start]
    while len(found) < 5:
        turn, far = rng.uniform(0, 2 * math.pi), rng.uniform(INCH / 2, 3 * INCH)
        x, y = (
            found[-1][0] + round(far * math.cos(turn)),
            found[-1][1] + round(far * math.sin(turn)),
        )
        if 0 <= x <= SIDE and 0 <= y <= SIDE:
            found.append((x, y))
    return found


class Floats:
    """The same questions to shapely, with a tree of the bases and one of the terrain."""

    def __init__(self, discs: Sequence[Disc], polygons: Sequence[Polygon]) -> None:
        import shapely

        self.shapely = shapely
        self.centres = shapely.points([(x, y) for x, y, _ in discs])
        self.areas = shapely.polygons([shapely.linearrings(polygon) for polygon in polygons])
        shapely.prepare(self.areas)
        self.bases, self.terrain = shapely.STRtree(self.centres), shapely.STRtree(self.areas)

    def cut(self, ends: tuple[Point, Point]) -> set[int]:
        line = self.shapely.LineString(ends)
        met = {
            int(base)
            for base in self.bases.query(line, "dwithin", RADIUS)
            if self.shapely.distance(self.centres[base], line) < RADIUS
        }
        for area in self.terrain.query(line):
            if self.shapely.relate_pattern(line, self.areas[area], "T********"):
                met.add(40 + int(area))
        return met

    def walked(self, legs: Sequence[Point]) -> tuple[set[int], bool]:
        line = self.shapely.LineString(legs)
        met = set(map(int, self.bases.query(line, "dwithin", 2 * RADIUS)))
        met.update(40 + int(area) for area in self.terrain.query(line, "dwithin", RADIUS))
        return met, self.shapely.length(line) > 9 * INCH


class Whole:
    """What a line cuts, and what a base on its way overlaps and if it goes past nine inches."""

    def __init__(self, discs: Sequence[Disc], polygons: Sequence[Polygon]) -> None:
        self.bodies = [boxed(shape) for shape in (*discs, *polygons)]

    def cut(self, ends: tuple[Point, Point]) -> set[int]:
        return {met.body for met in crossed(*ends, self.bodies) if met.kind == "crosses"}

    def walked(self, legs: Sequence[Point]) -> tuple[set[int], bool]:
        met = {
            meeting.body
            for one, other in pairwise(legs)
            for meeting in swept(one, other, RADIUS, self.bodies)
            if meeting.kind == "crosses"
        }
        return met, compare_length(legs, 9 * INCH) > 0


def lengths() -> list[Result]:
    """A line with all that it meets, in order, and a stated path of four legs, judged."""
    took = {"line": [0.0, 0.0], "path": [0.0, 0.0]}
    for seed in range(TABLES):
        rng = random.Random(seed)
        discs, polygons = table(rng)
        whole, floats = Whole(discs, polygons), Floats(discs, polygons)
        lines = [tuple(disc[:2] for disc in rng.sample(discs, 2)) for _ in range(LINES)]
        paths = [path(rng, rng.choice(discs)[:2]) for _ in range(PATHS)]
        timed(took["line"], lines, whole.cut, floats.cut)
        timed(took["path"], paths, whole.walked, floats.walked)
    results = []
    for name, number, most in (("line", LINES, 0.8), ("path", PATHS, 2.5)):
        ours, theirs = (1000 * seconds / TABLES / number for seconds in took[name])
        told = f"{ours:.3f} ms against {theirs:.3f} ms of shapely, past 40 discs and 30 polygons"
        results.append(Result(name, ours / theirs, most, told))
    return results


def timed(
    took: list[float], asked: list[Any], ours: Callable[[Any], Any], theirs: Callable[[Any], Any]
) -> None:
    """Adds what both took to *took*, in seconds of the processor.

    Their answers agree, for nothing here is near enough to a touch.
    """
    answers = []
    for number, answer in enumerate((ours, theirs)):
        start = time.process_time()
        answers.append([answer(each) for each in asked])
        took[number] += time.process_time() - start
    assert answers[0] == answers[1], "the answers differ"
