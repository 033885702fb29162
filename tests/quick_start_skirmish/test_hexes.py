"""What areas cover on hexes and squares, beside their true shapes, which are laid out on paper."""

from math import cos, pi, sin, sqrt

import pytest

from pymorph.board.lattice import SQUARES
from pymorph.errors import InputError
from pymorph.questions.board.overlays import template
from pymorph.state.position import Position
from tests.tables import tables

ROWS = "\n".join(("    " if n % 2 else "  ") + ".   " * 15 for n in range(15))
HEXER = f"""
ruleset: quick_start_skirmish
hexes: |
{ROWS}
crews: {{watch: {{push: 0, initiative: 9}}, foxes: {{push: 0, initiative: 3}}}}
figures:
  ada: {{card: warden, crew: watch, at: a1, facing: east, ready: sword}}
  hexer: {{card: hexer, crew: foxes, at: h8, facing: FACING, ready: chill}}
"""
BEARINGS = tables(__name__)["bearings"]
EVEN = 1e-9


def position(facing: str = "east") -> Position:
    return Position.parse(HEXER.replace("FACING", facing))


def inches(found: Position) -> dict[str, tuple[float, float]]:
    """How far east and north of h8 the middle of each hex lies."""
    at = {str(place): where for place, where in found.spaces.items()}
    x, y = at["h8"]
    return {name: ((u - x) / 2, (v - y) * sqrt(3) / 2) for name, (u, v) in at.items()}


@pytest.mark.parametrize("wide", range(1, 8))
def test_qsr_aoe_04_a_circle_covers_the_hexes_whose_middle_is_in_it(wide: int) -> None:
    """qsr_aoe_04: half as far from the middle as it is wide; no hex lies just on the border but
    those that do so along a row."""
    found = position()
    within = {n for n, (x, y) in inches(found).items() if x * x + y * y <= wide * wide / 4 + EVEN}
    assert {*template(found, f"circle(h8, {wide})").places} == within


@pytest.mark.parametrize("facing", BEARINGS)
@pytest.mark.parametrize(("long", "wide"), [(6, 3), (5, 4), (4, 1)])
def test_qsr_aoe_05_a_cone_covers_the_hexes_whose_middle_is_in_it(
    facing: str, long: int, wide: int
) -> None:
    """qsr_aoe_05: to its length, and there as wide as is said, from the middle of a hex."""
    found = position()
    bearing = BEARINGS[facing] * pi / 180
    inside = set()
    for name, (x, y) in inches(found).items():
        ahead = x * sin(bearing) + y * cos(bearing)
        beside = x * cos(bearing) - y * sin(bearing)
        if EVEN < ahead <= long + EVEN and abs(beside) <= wide / 2 * ahead / long + EVEN:
            inside.add(name)
    assert {*template(found, f"cone(hexer, {long}, {wide}, {facing})").places} == inside


@pytest.mark.parametrize("eighth", range(8))
@pytest.mark.parametrize(("long", "wide"), [(6, 3), (5, 4), (4, 1)])
def test_qsr_aoe_05_a_cone_covers_the_squares_whose_middle_is_in_it(
    eighth: int, long: int, wide: int
) -> None:
    """qsr_aoe_05: along a row, a column or a diagonal of squares."""
    named = str(SQUARES.facings[eighth])
    rows = "\n".join("  " + ". " * 15 for _ in range(15))
    found = Position.parse(
        HEXER.replace(f"hexes: |\n{ROWS}", f"board: |\n{rows}").replace("FACING", named)
    )
    bearing = eighth * pi / 4
    at = {str(place): (x - 7, y - 7) for place, (x, y) in found.spaces.items()}
    inside = set()
    for name, (x, y) in at.items():
        ahead = x * sin(bearing) + y * cos(bearing)
        beside = x * cos(bearing) - y * sin(bearing)
        if EVEN < ahead <= long + EVEN and abs(beside) <= wide / 2 * ahead / long + EVEN:
            inside.add(name)
    assert {*template(found, f"cone(hexer, {long}, {wide}, {named})").places} == inside


@pytest.mark.parametrize("facing", BEARINGS)
def test_qsr_aoe_06_half_a_pulse_covers_the_front(facing: str) -> None:
    """qsr_aoe_06: on the border between front and back there are hexes for each facing."""
    text = HEXER.replace("FACING", facing).replace("ready: chill", "ready: roar")
    found = Position.parse(text)
    bearing = BEARINGS[facing] * pi / 180
    inside = {
        name
        for name, (x, y) in inches(found).items()
        if name != "h8" and x * x + y * y <= 16 + EVEN
        if x * sin(bearing) + y * cos(bearing) >= -EVEN
    }
    assert {*template(found, "burst(hexer, roar, h8)").places} == inside


def test_a_figure_faces_a_side() -> None:
    """qsr_move_15: on hexes nobody faces north, and nothing is taken for granted."""
    with pytest.raises(InputError, match="unknown bearing 'north' for facing; did you mean"):
        position("north")
    with pytest.raises(InputError, match="'figures: hexer: facing' is missing; expected one of"):
        Position.parse(HEXER.replace("facing: FACING, ", ""))
