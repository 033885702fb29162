"""A wall on a board is the same wall, whichever way it is drawn: as a square that it fills or as
the edges around it, in any order, from either side."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import pytest
from clingo import Function
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pymorph.board.grid import Board
from pymorph.board.lattice import HEXES
from pymorph.questions import figures, legality
from pymorph.questions.board.sight import sight
from pymorph.state.position import Position
from tests.conftest import position_of

Square = tuple[int, int]
Edge = frozenset[Square]
COLUMNS, ROWS = 5, 4
SIGNS = ("#", "*", "*")
SQUARES = [(x, y) for x in range(COLUMNS) for y in range(ROWS)]
WAYS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
CORNERS = ("blocked_if_both_sides", "blocked_if_any_side", "never_blocked")


def name(square: Square) -> str:
    return f"{'abcde'[square[0]]}{square[1] + 1}"


def around(squares: Iterable[Square]) -> set[Edge]:
    """The edges of some squares, without those of the board."""
    found = set()
    for x, y in squares:
        for right, up in WAYS.values():
            if (x + right, y + up) in SQUARES:
                found.add(frozenset(((x, y), (x + right, y + up))))
    return found


def drawing(
    filled: Collection[Square], edges: Collection[Edge], signs: tuple[str, str, str] = SIGNS
) -> str:
    """A board in characters: what fills a square, an upright edge, and one that lies."""
    full, upright, flat = signs
    lines = []
    for y in reversed(range(ROWS)):
        cells = [full if (x, y) in filled else "." for x in range(COLUMNS)]
        row = cells[0]
        for x, cell in enumerate(cells[1:], start=1):
            row += f" {upright if frozenset(((x - 1, y), (x, y))) in edges else ' '} {cell}"
        lines.append(row)
        if y:
            below = (frozenset(((x, y), (x, y - 1))) in edges for x in range(COLUMNS))
            lines.append("   ".join(flat if wall else " " for wall in below).rstrip())
    return "\n".join(line for line in lines if line)


def moves(position: Position, *speeds: str) -> set[str]:
    """Where the moves of whoever acts lead."""
    return {
        str(action)
        for action in legality.legal_actions(position)
        if action.name == "move" and (not speeds or str(action.arguments[1]) in speeds)
    }


def seen(position: Position, one: str, other: str) -> str:
    return sight(position, one, other).lines[0].sight


@st.composite
def walled(draw: st.DrawFn) -> tuple[set[Square], set[Square], list[Square], str]:
    """Some squares that are walls, those of them that are drawn as edges, where two stand, and how
    corners are read."""
    squares = draw(st.lists(st.sampled_from(SQUARES), unique=True, min_size=4, max_size=12))
    one, other, *walls = squares
    as_edges = draw(st.sets(st.sampled_from(walls)))
    return set(walls), as_edges, [one, other], draw(st.sampled_from(CORNERS))


def skirmish(
    board: str, stand: list[Square], corners: str, card: str, lattice: str = "board"
) -> Position:
    return position_of(
        {
            "ruleset": "quick_start_skirmish",
            lattice: board,
            "rulings": {"corner_walls": corners},
            "active": "ada",
            "figures": {
                "ada": {
                    "card": card, "crew": "watch", "at": name(stand[0]), "facing": "east",
                    "activated": "yes",
                },
                "finn": {"card": "scout", "crew": "foxes", "at": name(stand[1]), "facing": "west"},
            },
            "crews": {
                "watch": {"initiative": 9, "discards": {9: 1}},
                "foxes": {"initiative": 3, "discards": {3: 1}},
            },
        }
    )  # fmt: skip


@settings(deadline=None, max_examples=40)
@given(case=walled(), card=st.sampled_from(["warden", "runner"]))
def test_skirmish_squares_or_edges(
    case: tuple[set[Square], set[Square], list[Square], str], card: str
) -> None:
    """qsr_terr_05, qsr_obst_16: house walls around a space part the others as one in it does.

    What is too high is climbed (qsr_move_18), and a space that a wall fills is not: of that and of
    crossing it is not asked. Where corners close nothing, one gets in between such edges.
    """
    walls, as_edges, stand, corners = case
    assume(corners != "never_blocked")
    speeds = ("walk", "run", "rush", "surge")
    whole = skirmish(drawing(walls, ()), stand, corners, card)
    parts = skirmish(drawing(walls - as_edges, around(as_edges)), stand, corners, card)
    assert moves(whole, *speeds) == moves(parts, *speeds)
    assert seen(whole, "ada", "finn") == seen(parts, "ada", "finn")


HEX_GRID = Board.from_drawing(
    "\n".join(("  " if row % 2 else "") + "   ".join("." * COLUMNS) for row in range(ROWS)),
    {".": "space"},
    {},
    lattice=HEXES,
)


def hexes(filled: Collection[str], edged: Collection[str]) -> str:
    """A board of hexes as it is drawn, with walls that fill some, and edges around others."""
    labels = {
        place: (Function("wall" if str(place) in filled else "space"),) for place in HEX_GRID.places
    }
    joins = {
        pair: (Function("house_wall"),) if {str(place) for place in pair} & {*edged} else ()
        for pair in HEX_GRID.joins
    }
    board = Board(labels, joins, HEX_GRID.coordinates, HEXES)
    return board.drawing({".": "space", "#": "wall"}, {"*": "house_wall"})


@settings(deadline=None, max_examples=30)
@given(case=walled())
def test_skirmish_hexes_or_edges(case: tuple[set[Square], set[Square], list[Square], str]) -> None:
    """qsr_terr_05, qsr_obst_16: the same on hexes, where a line runs along edges."""
    walls, as_edges, stand, corners = case
    whole = skirmish(hexes({*map(name, walls)}, ()), stand, corners, "warden", "hexes")
    parted = hexes({*map(name, walls - as_edges)}, {*map(name, as_edges)})
    parts = skirmish(parted, stand, corners, "warden", "hexes")
    assert moves(whole, "walk", "rush") == moves(parts, "walk", "rush")
    assert seen(whole, "ada", "finn") == seen(parts, "ada", "finn")


def battle(board: str, stand: list[Square], corners: str, things: Mapping[str, Any]) -> Position:
    return position_of(
        {
            "ruleset": "phases_of_play",
            "board": board,
            "rulings": {"corner_walls": corners},
            "phase": "declaration",
            "combatants": {
                "ann": {
                    "initiative": 18, "side": "heroes", "movement": 4, "at": name(stand[0]),
                    "declared": "dash", "target": "nothing", "settled": "yes",
                },
                "cy": {"initiative": 12, "side": "foes", "movement": 6, "at": name(stand[1])},
            },
            "objects": things,
        }
    )  # fmt: skip


@settings(deadline=None, max_examples=40)
@given(case=walled(), gates=st.booleans())
def test_phases_walls_obstacles_or_gates(
    case: tuple[set[Square], set[Square], list[Square], str], gates: bool
) -> None:
    """pha_move_12, pha_icpt_04: what fills its square does so alike, drawn or laid there."""
    walls, laid, stand, corners = case
    kind = {"kind": "gate", "shut": "yes"} if gates else {"kind": "obstacle"}
    things = {f"thing_{name(square)}": {**kind, "lies": name(square)} for square in laid}
    whole = battle(drawing(walls, ()), stand, corners, {})
    parts = battle(drawing(walls - laid, ()), stand, corners, things)
    assert moves(whole) == moves(parts)
    assert seen(whole, "ann", "cy") == seen(parts, "ann", "cy")


def duel(board: str, edges: Mapping[str, dict[str, str]], case: tuple[Any, ...]) -> Position:
    (one, other), facing, corners = case
    return position_of(
        {
            "ruleset": "morphyry",
            "board": board,
            "rulings": {"corner_walls": corners},
            "turn": "baganal",
            "phase": "advance",
            "walled": edges,
            "characters": {
                "baganal": {"at": name(one), "facing": facing},
                "lathana": {"at": name(other), "facing": "south"},
            },
        }
    )


@settings(deadline=None, max_examples=30)
@given(
    edges=st.lists(st.sampled_from(sorted(map(sorted, around(SQUARES)))), unique_by=str),
    stand=st.lists(st.sampled_from(SQUARES), unique=True, min_size=2, max_size=2),
    corners=st.sampled_from(CORNERS),
    facing=st.sampled_from(["north", "north_east", "south_west"]),
    data=st.data(),
)
def test_morphyry_drawn_or_laid(
    edges: list[list[Square]], stand: list[Square], corners: str, facing: str, data: st.DataObject
) -> None:
    """mor_move_09: a wall is the join of two squares, drawn or laid there from either side."""
    assume(edges)
    laid = data.draw(st.lists(st.sampled_from(edges), unique_by=str))
    rest = {frozenset(edge) for edge in edges if edge not in laid}
    cards: dict[str, dict[str, str]] = {}
    for edge in laid:
        (x, y), (u, v) = edge if data.draw(st.booleans()) else edge[::-1]
        way = next(each for each, step in WAYS.items() if step == (u - x, v - y))
        cards.setdefault(name((x, y)), {})[way] = "temple_wall"
    whole = duel(
        drawing((), {frozenset(e) for e in edges}, (".", "|", "-")), {}, (stand, facing, corners)
    )
    parts = duel(drawing((), rest, (".", "|", "-")), cards, (stand, facing, corners))
    goals = [f"ticks_to_reach(baganal, {name(goal)})" for goal in SQUARES if goal not in stand]
    told = [
        [(each.name, each.value) for each in figures.forecast(position, *goals, wide=True).figures]
        for position in (whole, parts)
    ]
    assert told[0] == told[1]
    assert seen(whole, "baganal", "lathana") == seen(parts, "baganal", "lathana")


@pytest.mark.parametrize("corners", CORNERS)
def test_a_closed_corner_is_one_on_every_board(corners: str) -> None:
    """Between two walls that meet nobody steps and nobody sees, unless it is so read."""
    open_ = corners == "never_blocked"
    stand = [(1, 1), (2, 2)]
    for case in (drawing({(1, 2), (2, 1)}, ()), drawing({(1, 2)}, around([(2, 1)]))):
        fight = skirmish(case, stand, corners, "warden")
        assert (seen(fight, "ada", "finn") == "clear") is open_
    fight = battle(drawing({(1, 2), (2, 1)}, ()), stand, corners, {})
    assert (seen(fight, "ann", "cy") == "clear") is open_
