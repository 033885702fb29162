"""Ways cost what playing them costs: every figure against a search that plays move by move."""

from __future__ import annotations

import heapq
from itertools import count

import pytest

from pymorph import queries
from pymorph.position import Position
from pymorph.terms import parse_symbol
from tests.conftest import position_of

FACINGS = ["north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west"]

CASES = {
    "walls and a tree": {
        "board": ".   T | .\n-\n.   .   _",
        "baganal": {"at": "a1", "facing": "east"},
        "lathana": {"at": "c2", "facing": "south"},
    },
    "past another": {
        "board": ".   .   .\n.   .   .",
        "baganal": {"at": "b1", "facing": "west", "entered": "west"},
        "lathana": {"at": "b1", "facing": "south"},
    },
    "past another, who may not be touched within a square": {
        "board": ".   .   .\n. | .   W",
        "rulings": {
            "character_contact": "touch_across_join",
            "corner_walls": "blocked_if_any_side",
        },
        "baganal": {"at": "a1", "facing": "north"},
        "lathana": {"at": "b2", "facing": "south"},
    },
    "from a well, back alone": {
        "board": ".   .   .\n.   W   .",
        "rulings": {"obstacle_exits": "back_only", "turn_angle": "one_quarter"},
        "baganal": {"at": "b1", "facing": "east", "entered": "south"},
        "lathana": {"at": "c2", "facing": "south"},
    },
    "half a diagonal is done, all others cost 17": {
        "board": ".   T   .\n.   .   .",
        "rulings": {"diagonal_price": "flat_17"},
        "baganal": {"at": "a1", "facing": "north_east", "halfway": "north_east"},
        "lathana": {"at": "c2", "facing": "south"},
    },
}


def start(name: str) -> Position:
    """The position of a case, with nothing out and Baganal to act."""
    case = CASES[name]
    people = {
        who: {"attributes": {"electra": 4}, **case[who]}  # type: ignore[dict-item]
        for who in ("baganal", "lathana")
    }
    return position_of(
        {
            "ruleset": "morphyry",
            "board": case["board"],
            "rulings": case.get("rulings", {}),
            "turn": "baganal",
            "phase": "advance",
            "characters": people,
        },
        name,
    )


def played(positions: list[Position], action: str, ticks: int) -> list[Position | None]:
    """Each position after that Default Action of Baganal, or None where it may not be begun."""
    begin = f"begin(baganal, main, {action})"
    legal = queries.legal_actions_of(positions)
    found: list[Position | None] = [None] * len(positions)
    for number, actions in enumerate(legal):
        if begin in map(str, actions):
            ready = positions[number].with_changes(
                {
                    parse_symbol("technique(baganal, main)"): parse_symbol(action),
                    parse_symbol("die(baganal, main)"): parse_symbol(str(ticks)),
                    parse_symbol("speed_left(baganal)"): parse_symbol(str(ticks)),
                    **(unhalved(positions[number]) if action != "move_up" else {}),
                }
            )
            found[number] = queries.apply(ready, f"advance(baganal, main, {ticks})").position
    return found


def unhalved(position: Position) -> dict[object, object]:
    """What beginning anything but a Move Up does to the half of a diagonal."""
    return {parse_symbol("halfway(baganal)"): parse_symbol("none")}


def costs(position: Position) -> dict[str, int]:
    """The ticks that it takes to be in each square, found by playing."""
    known: dict[Position, int] = {position: 0}
    queue = [(0, 0, position)]
    order = count(1)
    cheapest: dict[str, int] = {}
    while queue:
        cost, _, here = heapq.heappop(queue)
        if known[here] < cost:
            continue
        cheapest.setdefault(str(here.value("at(baganal)")), cost)
        for action, ticks in [("move_up", 7), *((f"turn({facing})", 3) for facing in FACINGS)]:
            for after in played([here], action, ticks):
                if after is not None and cost + ticks < known.get(after, 10_000):
                    known[after] = cost + ticks
                    heapq.heappush(queue, (cost + ticks, next(order), after))
    return cheapest


@pytest.mark.parametrize("name", CASES)
def test_mor_move_14_ways_cost_what_they_take(name: str) -> None:
    """mor_move_14: a way costs the ticks of the Move Ups and Turns that lead there."""
    position = start(name)
    cheapest = costs(position)
    assert position.board is not None
    for place in map(str, position.board.places):
        figure = queries.forecast(position, f"ticks_to_reach(baganal, {place})").figures[0]
        assert figure.value == cheapest.get(place, "never"), place
