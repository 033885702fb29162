"""Ways along points: where they come within reach or into view, beside all their whole points."""

import random
from math import dist
from typing import Any

from pymorph.board.lengths import distances, first_contact, lines
from pymorph.board.lengths.shapes import Disc, Point, Wall
from tests.tables import trials


def first_by_hand(start: Point, end: Point, radius: int, body: Disc, limit: int) -> Point | None:
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    for step in range(1, steps + 1):
        point = first_contact.step_on(start, end, step)
        if distances.gap(Disc(*point, radius), body) <= limit:
            return point
    return None


@trials(1000)
def test_where_a_base_comes_within_reach(number: int) -> None:
    """Beside all whole points of a way, tried one by one: no later than by a unit's depth."""
    rng = random.Random(3)
    for _ in range(number):
        start, end = ((rng.randint(-60, 60), rng.randint(-60, 60)) for _ in range(2))
        body, radius = Disc(rng.randint(-9, 9), rng.randint(-9, 9), rng.randint(1, 9)), 4
        limit = rng.randint(0, 12)
        if distances.gap(Disc(*start, radius), body) <= limit:
            continue
        first = first_by_hand(start, end, radius, body, limit)
        found = first_contact.first_within(start, end, radius, body, limit)
        if found != first:  # a line that but grazes the reach, whose whole points lie beside it
            assert first is not None
            assert distances.gap(Disc(*first, radius), body) >= limit - 1
            assert found is None or distances.gap(Disc(*found, radius), body) <= limit


def some_screen(rng: random.Random) -> Any:
    x, y = rng.randint(-30, 30), rng.randint(-30, 30)
    wide, high = rng.randint(2, 15), rng.randint(2, 15)
    square = ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))
    return rng.choice([square, square[:3], Wall(((x, y), (x + wide, y + rng.randint(-9, 9))))])


@trials(1000)
def test_where_a_way_comes_into_view(number: int) -> None:
    """Beside all whole points of a way, tried one by one: the first that is seen is a turn, but
    where a way runs along the border of what is seen, within a unit of it."""
    rng = random.Random(5)
    for _ in range(number):
        screens = [some_screen(rng) for _ in range(rng.randint(1, 4))]
        boxes = [lines.boxed(screen) for screen in screens]
        start, end, eye = ((rng.randint(-50, 50), rng.randint(-50, 50)) for _ in range(3))
        steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
        way = [first_contact.step_on(start, end, step) for step in range(1, steps + 1)]
        met = {p: any(m.kind == "crosses" for m in lines.crossed(eye, p, boxes)) for p in way}
        turns = first_contact.turns_in_view(start, end, eye, screens)
        assert turns == [point for point in way if point in set(turns)]
        first = [p for p in way if not met[p]][:1]
        if first != [p for p in turns if not met[p]][:1]:
            assert min(off_border(first[0], eye, screen) for screen in screens) <= 1


def off_border(point: Point, eye: Point, screen: Any) -> float:
    """How far a point is from the line through an eye and a corner, or from a side."""
    corners = screen.points if isinstance(screen, Wall) else screen
    lines_of = [(eye, corner) for corner in corners if corner != eye]
    lines_of += list(zip(corners, (*corners[1:], corners[0]), strict=True))
    return min(
        abs((d[0] - c[0]) * (point[1] - c[1]) - (d[1] - c[1]) * (point[0] - c[0])) / dist(c, d)
        for c, d in lines_of
    )


@trials(1000)
def test_so_far_along_a_line(number: int) -> None:
    rng = random.Random(4)
    for _ in range(number):
        start, end = ((rng.randint(-60, 60), rng.randint(-60, 60)) for _ in range(2))
        units = rng.randint(0, 100)
        x, y = first_contact.toward(start, end, units)
        size = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
        part = min(1.0, units / size) if size else 0.0
        assert abs(start[0] + (end[0] - start[0]) * part - x) <= 0.5 + 1e-9
        assert abs(start[1] + (end[1] - start[1]) * part - y) <= 0.5 + 1e-9
