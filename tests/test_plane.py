"""A table in lengths: what is read, what is measured, and what encodings may ask of it."""

import inspect
import json
import pickle
import random
import re
import time
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import shapely
from clingo import Function, Number, Symbol, parse_term

from pymorph import yamlio
from pymorph.board.lengths import distances, exact, lines, outlines
from pymorph.board.lengths.length_units import FARTHEST, Rulers
from pymorph.board.lengths.measuring import TABLE_FUNCTIONS, Measuring
from pymorph.board.lengths.plane import Plane, Terrain
from pymorph.board.lengths.shapes import Disc, Point, Wall
from pymorph.cli import app
from pymorph.errors import InputError, UnknownName
from pymorph.explore.execution import application
from pymorph.questions import explanation, legality
from pymorph.questions.board import measuring, overlays
from pymorph.questions.board.sight import sight
from pymorph.ruleset import loader
from pymorph.state.imports import maps
from pymorph.state.position import Position
from pymorph.terms import Term, parse_symbol
from pymorph.views.lines.sight import sight_text
from pymorph.yamlio import LIMITS
from tests.conftest import EXAMPLES
from tests.measuring import meets, sign, square_from
from tests.tables import parametrized, parametrized_and, tables, trials, tupled
from tests.test_exact import SIZES, is_simple, some_wall

STANDOFF = EXAMPLES / "rulesets" / "standoff"
START = STANDOFF / "positions" / "start.yaml"
INCH = 15240
RULERS = Rulers({"inch": INCH, "millimetre": 600}, "inch", {"inch": "in", "millimetre": "mm"})


# Lengths as people write them


@parametrized
def test_lengths_are_read_exactly(text: str, units: int) -> None:
    assert RULERS.length(text) == units
    assert RULERS.length(RULERS.text(units)) == units


@parametrized
def test_what_is_no_length_is_told(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told.replace("(", r"\(")):
        RULERS.length(text)


def test_every_length_is_written_so_that_it_reads_back() -> None:
    rng = random.Random(1)
    every = (rng.randint(-most, most) for most in (100, 10**5, FARTHEST) for _ in range(1000))
    for units in (*every, FARTHEST, *range(INCH // 8)):
        for text in (RULERS.text(units), RULERS.text(units, "inch")):
            assert RULERS.length(text) == units
            assert len(text) < 20


@parametrized
def test_lengths_are_written_as_short_as_they_can_be_read(units: int, text: str) -> None:
    """In full as a short fraction of the usual unit or in tenths of another, or else nearly."""
    assert RULERS.text(units) == text


def test_only_what_is_said_to_be_rounded_is() -> None:
    """A decimal is read as a decimal, and refused where it is no whole number of units."""
    with pytest.raises(ValueError, match=r"the nearest is about 11\.4415"):
        RULERS.length("11.44147")
    spoken = RULERS.spoken("go(ada, run, ((174368, 117848), ()))")
    assert spoken == "go(ada, run, [[about 11.4415, about 7.7328]])"
    assert RULERS.plain(spoken) == "go(ada, run, ((174368, 117848), ()))"


def test_points_in_brackets_are_terms_and_back() -> None:
    plain = RULERS.plain("move(bea, [[12, 5 1/2], [25 mm, 3]])")
    assert plain == "move(bea, ((182880, 83820), ((15000, 45720), ())))"
    assert RULERS.spoken(plain) == "move(bea, [[12, 5 1/2], [25 mm, 3]])"
    assert RULERS.plain("reach([5 1/2])") == "reach(83820)"
    assert RULERS.spoken("near(3, 4)") == "near(3, 4)"
    for wrong in tables(__name__)["wrong_points"]:
        with pytest.raises(InputError):
            RULERS.plain(wrong)


# Outlines, against shapely


@trials(1500)
def test_outlines_are_simple_as_shapely_has_it(number: int) -> None:
    rng = random.Random(2)
    for _ in range(number):
        size = rng.choice((3, 6, 10**6))
        corners = [
            (rng.randint(-size, size), rng.randint(-size, size)) for _ in range(rng.randint(3, 8))
        ]
        assert (not outlines.flaw(corners)) == is_simple(corners), corners


def test_large_outlines_are_told_soon() -> None:
    ring = [(n, n * n) for n in range(-900, 900)]
    assert outlines.flaw(ring) == ""
    ring[3], ring[4] = ring[4], ring[3]
    assert "cross" in outlines.flaw(ring)


# Walls, against fractions


def over_by_fractions(start: Point, end: Point, wall: Wall) -> int:
    """1, 0 or -1, from where two copies of the line a hair to its left and right meet the wall."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    points = [(Fraction(x), Fraction(y)) for x, y in wall.points]
    span = dx * dx + dy * dy
    hair, near = Fraction(1, 10**12), Fraction(1, 10**8)

    def along(x: Fraction, y: Fraction) -> Fraction:
        return ((x - start[0]) * dx + (y - start[1]) * dy) / span

    def beside(x: Fraction, y: Fraction) -> Fraction:
        return dx * (y - start[1]) - dy * (x - start[0])

    stretches: list[list[Fraction]] = []
    for a, b in pairwise(points):
        s, t = beside(*a), beside(*b)
        if s == t == 0:
            stretches.append(sorted((along(*a), along(*b))))
        elif s * t <= 0:
            share = s / (s - t)
            here = along(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
            stretches.append([here, here])
    if not any(low <= 1 and high >= 0 for low, high in stretches):
        return 1
    merged: list[list[Fraction]] = []
    for low, high in sorted(stretches):
        if merged and low <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], high)
        else:
            merged.append([low, high])
    for low, high in merged:
        sides = set()
        for side in (-1, 1):
            for a, b in pairwise(points):
                s, t = beside(*a) - side * hair, beside(*b) - side * hair
                if s * t < 0:
                    share = s / (s - t)
                    here = along(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
                    if low - near <= here <= high + near:
                        sides.add(side)
        if sides == {-1, 1} and low > 0 and high < 1:
            return -1
    return 0


def is_plain(start: Point, end: Point, wall: Wall) -> bool:
    """Does the wall pass each point of the line but once, so that sides can be told locally?"""
    line = shapely.LineString(wall.points)
    return bool(line.is_simple) and start != end


@trials(1500)
def test_lines_against_walls(number: int) -> None:
    rng = random.Random(3)
    tried = 0
    while tried < number:
        size = rng.choice((2, 4, 6))
        wall = some_wall(rng, size)
        start, end = ((rng.randint(-size, size), rng.randint(-size, size)) for _ in range(2))
        if not is_plain(start, end, wall):
            continue
        tried += 1
        kind = meets(start, end, 0, wall)
        assert kind == exact.KINDS[over_by_fractions(start, end, wall)], (start, end, wall)
        back = meets(end, start, 0, wall)
        assert back == kind
        met = lines.crossed(start, end, [lines.boxed(wall)])
        assert {each.kind for each in met} <= {kind, "touches"}
        assert bool(met) == (kind != "clear")


def test_a_line_through_the_corner_of_a_wall_crosses_it() -> None:
    bent = Wall(((0, 0), (4, 4), (8, 0)))
    assert meets((4, 8), (4, 0), 0, bent) == "crosses"
    assert meets((0, 4), (8, 4), 0, bent) == "touches"
    assert meets((4, 8), (4, 4), 0, bent) == "touches"
    step = Wall(((0, 2), (2, 2), (4, 2), (4, 0), (6, 0)))
    assert meets((4, 4), (4, -2), 0, step) == "crosses"
    assert meets((4, 2), (4, -2), 0, step) == "touches"


def from_wall(start: Point, end: Point, wall: Wall) -> Fraction:
    """The square of a line's distance from a wall, 0 where they meet."""
    best = None
    one, other = ((Fraction(x), Fraction(y)) for x, y in (start, end))
    for a, b in pairwise([(Fraction(x), Fraction(y)) for x, y in wall.points]):
        if exact.parts(start, end, Wall(((int(a[0]), int(a[1])), (int(b[0]), int(b[1]))))):
            return Fraction(0)
        found = [square_from(*one, a, b), square_from(*other, a, b)]
        if start != end:
            found += [square_from(*a, one, other), square_from(*b, one, other)]
        best = min([best, *found] if best is not None else found)
    assert best is not None
    return best


@trials(1000)
def test_bases_against_walls(number: int) -> None:
    rng = random.Random(4)
    for _ in range(number):
        size = rng.choice(list(SIZES.values()))
        wall = some_wall(rng, size)
        start, end = ((rng.randint(-size, size), rng.randint(-size, size)) for _ in range(2))
        radius = rng.randint(1, size)
        wanted = sign(from_wall(start, end, wall) - radius * radius)
        assert meets(start, end, radius, wall) == exact.KINDS[wanted]


# What encodings ask

GROVE = Terrain("grove", "woods", ((10, 0), (20, 0), (20, 10), (10, 10)))
BANK = Terrain("bank", "wall", ((30, -5), (30, 5)), edge=True)
TABLE = Plane.of((100, 100), [GROVE, BANK])


def ask(table: Plane | None, question: str) -> list[str]:
    symbol: Symbol = parse_term(question)
    found = getattr(Measuring(table), symbol.name)(*symbol.arguments)
    return [str(each) for each in (found if isinstance(found, list) else [found])]


def test_functions_of_the_table_are_named() -> None:
    public = {
        f"{name}/{len(inspect.signature(method).parameters) - 1}"
        for name, method in inspect.getmembers(Measuring, inspect.isfunction)
        if not name.startswith("_")
    }
    assert public == TABLE_FUNCTIONS
    asked = [
        parse_term(entry["question"]) for entry in tables(__name__)["test_functions_of_the_table"]
    ]
    assert {f"{term.name}/{len(term.arguments)}" for term in asked} == TABLE_FUNCTIONS


@parametrized
def test_functions_of_the_table(question: str, answer: str) -> None:
    assert " ".join(ask(TABLE, question)) == answer
    assert ask(None, question) == []


def test_nonsense_has_no_answer() -> None:
    rng = random.Random(7)
    junk = [
        Number(-1), Number(3), Function("x"), Function("", []), parse_term("(1,2)"),
        parse_term("((1,2),())"), parse_term("disc(a,(1,2),0)"), parse_term("(disc(a,(1,2),3),())"),
        parse_term("cone((1,2),(0,0),3,3)"), parse_term("area(nowhere)"), parse_term('"text"'),
        parse_term("circle((1,2),-3)"), parse_term("wedge((0,0),(0,1),(1,0))"),
    ]  # fmt: skip
    for name in TABLE_FUNCTIONS:
        name, _, arity = name.partition("/")
        for _ in range(300):
            getattr(Measuring(TABLE), name)(*(rng.choice(junk) for _ in range(int(arity))))
    assert ask(TABLE, "swept((0, 0), (1, 1), 2, (nobody, ()))") == []
    assert ask(TABLE, "inside((0, 0), circle((0, 0), -1))") == []


# Files


def table(size: str = "[24, 24]", terrain: str = "{}") -> str:
    return (
        f"ruleset: {STANDOFF}\nturn: red\ntable:\n  size: {size}\n  terrain: {terrain}\n"
        "figures:\n  ann: {side: red, at: [6, 5 1/2], base: 25 mm}\n"
    )


def test_positions_are_read_and_written() -> None:
    position = Position.load(START)
    assert str(position.value("at(bea)")) == f"({15 * INCH}, {13 * INCH // 2})"
    assert position.table is not None
    assert [piece.name for piece in position.table.terrain] == ["grove", "old_wall"]
    for text in (position.yaml(), position.line()):
        assert Position.parse(text) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert position.value("at(ann)") == f"({6 * INCH}, {5 * INCH})"


@parametrized
def test_hostile_tables_get_one_clear_line(text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        Position.parse(text.replace("STANDOFF", str(STANDOFF)), "f.yaml")
    assert str(caught.value) == f"f.yaml:{told}"


def test_a_hundred_thousand_points_get_one_line() -> None:
    points = ", ".join(["[1, 1]"] * 100_000)
    with pytest.raises(InputError) as caught:
        Position.parse(table(terrain=f"{{bow: {{label: woods, area: [{points}]}}}}"), "f.yaml")
    assert len(str(caught.value).splitlines()) == 1
    many = ", ".join(f"[{n % 20}, {n // 20 % 20}]" for n in range(5001))
    with pytest.raises(InputError, match="more than 5000 points"):
        Position.parse(table(terrain=f"{{bow: {{label: woods, area: [{many}]}}}}"), "f.yaml")


def test_a_board_has_no_table_and_a_table_no_board() -> None:
    with pytest.raises(InputError, match="this game has no board"):
        Position.parse(table() + "board: |\n  .\n")
    assert yamlio.flow({"a": [1, "5 1/2"]}) == '{a: [1, "5 1/2"]}'


# Standoff


def standing(**at: str) -> Position:
    """The start with figures somewhere else."""
    text = START.read_text(encoding="utf-8").replace("ruleset: ..", f"ruleset: {STANDOFF}")
    usual = {"ann": "[6, 5]", "bea": "[15, 6 1/2]", "col": "[15, 16]", "dan": "[6, 18]"}
    for name, where in at.items():
        text = text.replace(f"at: {usual[name]}", f"at: {where}")
    return Position.parse(text)


def against(position: Position, action: str) -> set[str]:
    return {r.rule.id for r in explanation.why(position, action).reasons if r.role == "forbids"}


def test_six_inches_are_six_inches() -> None:
    """sto_02: a slanted move of exactly 6 inches is legal, and of a hair more is not."""
    start = standing()
    assert against(start, "move(ann, [[9.6, 9.8]])") == set()
    assert against(start, "move(ann, [[9.6, 9.8], [9.6, 9 3001/3810]])") == {"sto_02"}
    assert against(start, f"move(ann, (({96 * 1524}, {98 * 1524 + 1}), ()))") == {"sto_02"}


def test_bases_in_contact_are_no_bases_moved_over() -> None:
    """sto_03: a base may be moved until it touches another, also at a slant, and no further."""
    start = standing(bea="[8, 7]")
    spot, two = (110571, 95330), Disc(8 * INCH, 7 * INCH, 8550)
    assert against(start, f"move(ann, ({spot}, ()))") == set()
    assert distances.gap(Disc(*spot, 7500), two) == 0
    inner = (spot[0] + 2, spot[1] + 2)
    assert against(start, f"move(ann, ({inner}, ()))") == {"sto_03"}


def test_a_stated_way_is_carried_out() -> None:
    outcome = application.apply(standing(), "move(bea, [[15, 9], [17, 9]])")
    assert outcome.position.value("at(bea)") == f"({17 * INCH}, {9 * INCH})"
    assert [str(a) for a in legality.legal_actions(outcome.position)] == ["shoot(col, bea)"]


# Maps of other programs


def test_a_map_of_uvtt_is_read(tmp_path: Path) -> None:
    found = maps.imported(str(STANDOFF / "maps" / "hall.uvtt"), loader.load(str(STANDOFF)))
    assert found.plane.size == (12 * INCH, 8 * INCH)
    wall = found.plane.pieces["wall"]
    assert wall.edge
    assert wall.points[:2] == ((INCH, 7 * INCH), (9 * INCH // 2, 7 * INCH))
    assert 0 < found.snap < 1
    told = "door portals[0]: unknown label 'door'; give it one with --label"
    assert found.left_out == (told,)
    again = f"ruleset: {STANDOFF}\nturn: red\nfigures: {{}}\n{yamlio.block(found.data)}"
    assert Position.parse(again).table == found.plane


def of_uvtt(tmp_path: Path, game: Path | str = STANDOFF, **told: Any) -> maps.ImportedTable:
    """The table of a map of 6 by 5 squares, on which walls and the like are pairs of numbers."""

    def points(data: Any) -> Any:
        if isinstance(data, tuple):
            return {"x": data[0], "y": data[1]}
        return list(map(points, data)) if isinstance(data, list) else data

    label, origin = told.pop("label", ""), told.pop("origin", (0, 0))
    size = {"map_origin": points(origin), "map_size": {"x": 6, "y": 5}, **told.pop("size", {})}
    path = tmp_path / "map.uvtt"
    data = {"resolution": size, **{key: points(value) for key, value in told.items()}}
    path.write_text(json.dumps(data), encoding="utf-8")
    return maps.imported(str(path), loader.load(str(game)), label=label)


def lines_of(found: maps.ImportedTable) -> dict[str, list[list[float]]]:
    inches = {p.name: [[x / INCH, y / INCH] for x, y in p.points] for p in found.plane.terrain}
    again = f"ruleset: {STANDOFF}\nturn: red\nfigures: {{}}\n{yamlio.block(found.data)}"
    if found.ruleset.name == "standoff":
        assert Position.parse(again).table == found.plane
    return inches


def test_a_wall_is_cut_at_the_edge_of_its_map(tmp_path: Path) -> None:
    """A wall along the edge is on the map; one that only touches it from outside is not."""
    walls = [[*map(tuple, wall)] for wall in tables(__name__)["walls"]]
    found = of_uvtt(tmp_path, origin=(4, 3), line_of_sight=walls)
    assert lines_of(found) == tables(__name__)["walls_cut"]
    cut, beside = found.notes
    assert cut == "cut at the edge of the map: " + ", ".join(
        f"wall line_of_sight[{n}]" for n in (0, 1, 2)
    )
    assert beside == "not on the map: wall line_of_sight[3], wall line_of_sight[4]"
    assert found.left_out == ()


@pytest.mark.parametrize("seed", range(20))
def test_walls_are_cut_as_shapely_has_it(seed: int) -> None:
    rng = random.Random(seed)
    spots = tuple(
        (Fraction(rng.randint(-8, 20), 2), Fraction(rng.randint(-8, 18), 2)) for _ in range(9)
    )
    runs = maps.on_map(spots, (Fraction(6), Fraction(5)))
    line = shapely.LineString([(float(x), float(y)) for x, y in spots])
    whole = line.intersection(shapely.box(0, 0, 6, 5)).length
    parts = [shapely.LineString([(float(x), float(y)) for x, y in run]) for run in runs]
    assert shapely.union_all(parts).length == pytest.approx(whole)
    assert all(0 <= x <= 6 and 0 <= y <= 5 for run in runs for x, y in run)
    assert all(a[-1] != b[0] for a, b in pairwise(runs))


def test_an_object_is_a_ring(tmp_path: Path) -> None:
    """A ring that is closed already stays so, two points are no ring, one off the map is cut."""
    rings = [[*map(tuple, ring)] for ring in tables(__name__)["rings"]]
    found = of_uvtt(tmp_path, objects_line_of_sight=rings, label="wall")
    assert lines_of(found) == tables(__name__)["rings_cut"]


def test_a_portal_is_shut_or_open(tmp_path: Path) -> None:
    """An open portal is an opening, also where all that has no label is given one."""
    bounds = [(3, 2), (3, 3)]
    for closed, told in tupled(tables(__name__)["portals"]):
        points = [{"x": x, "y": y} for x, y in bounds]
        portal = {"bounds": points, **closed}
        walls = [[(3, 0), (3, 2)], [(3, 3), (3, 5)]]
        for game, label in (("quick_start_skirmish", ""), (STANDOFF, "wall")):
            found = of_uvtt(tmp_path, game, portals=[portal], line_of_sight=walls, label=label)
            assert ("door" in lines_of(found)) == (closed.get("closed", True))
            assert found.notes == told
            assert len(found.plane.terrain) == 2 + closed.get("closed", True)


@parametrized
def test_a_broken_piece_costs_no_other(
    tmp_path: Path, given: dict[str, Any], left_out: str
) -> None:
    sound = [[(1, 1), (4, 1)], [(2, 2), (4, 2), (2, 3)]]
    found = of_uvtt(tmp_path, objects_line_of_sight=sound, label="wall", **given)
    assert len(found.plane.terrain) == 2
    (line,) = found.left_out
    assert line.startswith(left_out)


def test_what_a_map_says_besides_is_named(tmp_path: Path) -> None:
    found = of_uvtt(tmp_path, line_of_sihgt=[], lights=[], size={"map_orign": 3, "z": 1})
    assert found.notes == ("ignored keys: line_of_sihgt, resolution.map_orign, resolution.z",)


def test_large_maps_come_whole(tmp_path: Path) -> None:
    """A long wall goes on from one piece to the next; what a position has no room for is named."""
    walls = [[(1 + n % 30 / 10, 1 + n // 30 / 30), (1.05 + n % 30 / 10, 1)] for n in range(600)]
    cave = [(0.5 + n % 50 / 10, 0.5 + n // 50 / 50 + n % 2 / 100) for n in range(2500)]
    found = of_uvtt(tmp_path, line_of_sight=[*walls, cave])
    assert not found.left_out
    assert len(lines_of(found)) == 601
    assert len(found.plane.pieces["wall_601"].points) == 2500
    found = of_uvtt(tmp_path, line_of_sight=[[*cave, *cave, *cave]])
    first, second = (piece.points for piece in found.plane.terrain)
    assert (len(first), len(second), first[-1]) == (LIMITS.points, 2501, second[0])
    assert len(set(found.plane.unions)) == 1
    found = of_uvtt(tmp_path, line_of_sight=[walls[0]] * (LIMITS.terrain + 1))
    assert found.left_out == (
        f"wall line_of_sight[{LIMITS.terrain}]: more than {LIMITS.terrain} pieces",
    )
    found = of_uvtt(tmp_path, line_of_sight=[cave] * 7)
    assert len(lines_of(found)) == 6
    assert found.left_out == ("wall line_of_sight[6]: a position has no room for more points",)


def test_numbers_are_read_exactly_and_soon(tmp_path: Path) -> None:
    """What is written more finely than thirty digits after the point is rounded there."""
    text = (
        '{"resolution": {"map_size": {"x": 6, "y": 5e0}}, "line_of_sight": ['
        f'[{{"x": 1.5, "y": 1}}, {{"x": 1.{"3" * 10**6}, "y": 2E0}}],'
        '[{"x": 1e-999999999, "y": 0e99999999}, {"x": 6.1e-17, "y": 2}],'
        f'[{{"x": {"9" * 10**6}, "y": 1}}, {{"x": 2, "y": 2}}],'
        '[{"x": 1, "y": 1}, {"x": 1e-9999999999999999999, "y": 2}],'
        '[{"x": 1, "y": 1}, {"x": -1e999999999, "y": 2}]]}'
    )
    path = tmp_path / "map.uvtt"
    path.write_text(text, encoding="utf-8")
    start = time.process_time()
    found = maps.imported(str(path), loader.load(str(STANDOFF)))
    assert time.process_time() - start < 2
    assert found.plane.pieces["wall"].points == ((22860, 4 * INCH), (20320, 3 * INCH))
    assert found.plane.pieces["wall_2"].points == ((0, 5 * INCH), (0, 3 * INCH))
    left_out = [line.partition(": found")[0] for line in found.left_out]
    assert left_out == tables(__name__)["numbers_left_out"]


def test_the_exit_code_says_whether_a_map_is_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of_uvtt(tmp_path, line_of_sight=[[(1, 1), (4, 1)], [(1, 1)]])
    words = ["import", "uvtt", str(tmp_path / "map.uvtt"), str(STANDOFF)]
    assert app.run(words) == 1
    assert capsys.readouterr().err == (
        "1 pieces of terrain; no point moved\nleft out: wall line_of_sight[1]: it has no length\n"
    )
    assert app.run([*words, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["left_out"]
    of_uvtt(tmp_path, line_of_sight=[[(1, 1), (9, 1)], *[[(8, 1), (9, 1)]] * 5])
    assert app.run([*words, "--timeout", "60"]) == 0
    assert capsys.readouterr().err == (
        "1 pieces of terrain; no point moved\n"
        "cut at the edge of the map: wall line_of_sight[0]\n"
        "not on the map: wall line_of_sight[1], wall line_of_sight[2], wall line_of_sight[3] "
        "and 2 more\n"
    )


@parametrized_and(
    ("[" * 100_000, "nested too deeply"),
    (f'{{"resolution": {{"map_size": {{"x": {"9" * 10**6}}}}}}}', "expected a number"),
    (f"[{'[],' * 1_000_000}0]", "the file has more than 200,000 points and lists"),
    (f"[{'1,' * 5_000_001}0]", "the file has more than 5,000,000 values"),
)
def test_hostile_maps_get_one_clear_line(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "map"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        maps.imported(str(path), loader.load(str(STANDOFF)))
    (line,) = str(caught.value).splitlines()
    assert line.startswith(f"{path}: ")
    assert told in line


def test_a_map_needs_a_game_with_tables(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no table that is measured"):
        maps.imported(str(STANDOFF / "maps" / "hall.uvtt"), loader.load("morphyry"))


# Rulers and pictures


def told(*measured: str, at: Position | None = None) -> dict[str, str]:
    found = measuring.measure(at or Position.load(START), *measured)
    return {each.name: each.text for each in found.measures}


def test_a_ruler_on_a_table() -> None:
    assert told("[0, 0]", "[3, 4]") == {"centres": "5 in", "gap": "5 in"}
    assert told("ann", "bea")["centres"].startswith("about ")
    assert told("Ann", "old_wall") == {"gap": "about 6.5079 in"}
    assert told("[10, 10]", "grove") == {"gap": "they overlap"}
    assert told("[5, 12]", "old_wall") == {"gap": "none: in contact"}
    near = standing(bea="[176.45 mm, 5]", ann="[150 mm, 5]")
    assert told("ann", "bea", at=near)["gap"] == "they overlap"
    with pytest.raises(UnknownName, match="unknown name 'nobody' on the table"):
        told("ann", "nobody")


def test_a_ruler_on_a_board() -> None:
    race = Position.load(EXAMPLES / "rulesets" / "breakthrough" / "positions" / "race.yaml")
    assert told("a1", "c8", at=race) == {"steps": "9", "king": "7", "straight": "8, rounded up"}
    assert told("a1", "d5", at=race)["straight"] == "5"
    assert "a1" in measuring.names(race)
    assert measuring.names(Position.load(START))[:2] == ["ann", "bea"]


def test_a_picture_of_a_table_has_the_line_of_sight(tmp_path: Path) -> None:
    path = tmp_path / "table.svg"
    words = ["show", str(START), "--svg", str(path), "--sight", "ann", "dan"]
    assert app.run(words) == app.Exit.YES
    text = path.read_text(encoding="utf-8")
    assert "Sight from Ann to Dan: blocked by edge old wall [sto_06]" in text
    assert 'class="line met"' in text
    assert 'class="line free"' in text
    assert 'class="block"' in text
    assert text.count("<circle") == 8


def test_what_stops_a_line_on_a_table_comes_in_its_order() -> None:
    """sto_06: the base of Bea is nearer to Col, and the grove to Ann."""
    position = standing(bea="[15, 17 1/2]", col="[16, 20]")
    for names, met in (
        (("col", "ann"), ["base(bea)", "area(grove)"]),
        (("ann", "col"), ["area(grove)", "base(bea)"]),
    ):
        [line] = sight(position, *names).lines
        assert (line.free, [*map(str, line.stopped_by)]) == (False, met)
    pairs = [(line.viewer, line.other) for line in sight(position).lines]
    assert pairs == [(a, b) for a in ("ann", "bea") for b in ("col", "dan")] + [
        (a, b) for a in ("col", "dan") for b in ("ann", "bea")
    ]
    alone = {pair: sight(position, *pair).lines[0] for pair in pairs}
    assert [alone[pair] for pair in pairs] == [*sight(position).lines]


def test_a_way_is_laid_over_a_table(tmp_path: Path) -> None:
    """sto_02, sto_04: along its points, as wide as the base; one that is not legal says so."""
    position = Position.load(START)
    way = overlays.route(position, "move(bea, [[15, 9 1/2], [18, 9.5]])")
    centres = [(15, 6.5), (15, 9.5), (18, 9.5)]
    shapes = [f"circle(({int(x * INCH)}, {int(y * INCH)}), 8550)" for x, y in centres]
    assert [*way.places] == shapes
    assert (way.rules, way.stopped_short, way.against) == (("sto_02",), (), ())
    path = tmp_path / "table.svg"
    words = ["show", str(START), "--svg", str(path), "--path"]
    assert app.run([*words, "move(bea, [[15, 9 1/2], [18, 9.5]])"]) == app.Exit.YES
    drawn = path.read_text(encoding="utf-8")
    told = "goes from [15, 6 1/2] via [15, 9 1/2] to [18, 9 1/2], 6 in [sto_02]"
    assert told in drawn
    (wide,) = re.findall(r'class="swept" d="[^"]*" stroke-width="([^"]*)"', drawn)
    assert float(wide) == pytest.approx(28.5 / 25.4 * 720 / 24, abs=0.1)
    assert 'class="line met"' not in drawn
    assert app.run([*words, "move(ann, [[5, 12]])"]) == app.Exit.YES
    assert "Not legal [sto_02, sto_04]" in path.read_text(encoding="utf-8")
    assert app.run([*words, "move(ann, [])"]) == app.Exit.YES
    assert "goes from [6, 5] to [6, 5], 0 in" in path.read_text(encoding="utf-8")


def test_what_is_only_touched_may_hide() -> None:
    """sto_06: read so, the corner of the grove that the line meets hides Dan."""
    position = standing(ann="[10, 7]", dan="[6, 11]").with_rulings({"grazing": "blocked"})
    [line] = sight(position, "ann", "dan").lines
    assert [*map(str, line.stopped_by)] == ["area(grove)"]
    assert "blocked by area grove" in sight_text(line, position)
    touched = line._replace(stopped_by=(Term(parse_symbol("touched(area(grove))")),))
    assert "blocked by touched area grove" in sight_text(touched, position)


def test_who_is_out_sees_nobody() -> None:
    """sto_08: nothing is told of the line to one who is out."""
    position = application.apply(Position.load(START), "shoot(bea, col)").position
    assert "col" not in {name for line in sight(position).lines for name in line[:2]}
    with pytest.raises(InputError, match="this position has no sight"):
        sight(position, "ann", "col")


def test_what_a_table_does_not_tell() -> None:
    """Nothing is laid over a table that the rules do not tell."""
    position = Position.load(START)
    with pytest.raises(InputError, match=r"no rule gives a path for shoot\(bea, col\)"):
        overlays.route(position, "shoot(bea, col)")
    for ask in (overlays.reach, overlays.threat, overlays.template):
        with pytest.raises(InputError, match="Standoff has no rule that says"):
            ask(position, "ann")


def test_which_part_of_a_line_is_before_what_it_meets() -> None:
    """For pictures: of a disc, of an edge and of an area, entered or touched, or not met at all."""
    start, end = (0, 0), (100, 0)
    assert lines.part_before(start, end, Disc(50, 0, 10)) == pytest.approx(0.4)
    assert lines.part_before(start, end, Wall(((30, -5), (30, 5)))) == pytest.approx(0.3)
    assert lines.part_before(start, end, Wall(((30, 5), (30, 9)))) == 1
    step = ((20, 0), (60, -10), (60, 10), (40, 10), (40, 0))
    assert lines.part_before(start, end, step, touching=True) == pytest.approx(0.2)
    assert lines.part_before(start, start, step) == 1


def test_a_table_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["show", str(START)]) == app.Exit.YES
    out = capsys.readouterr().out
    assert "a table of 24 by 24 in" in out
    assert "edge [4, 12], [7, 12], [7, 15]" in out
    assert "side red, at [15, 6 1/2], base 28.5 mm" in out
