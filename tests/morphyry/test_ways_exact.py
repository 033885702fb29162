"""Ways cost what walking them costs: every figure against a search that plays its Move Ups."""

from pymorph.dynamics import transitions
from pymorph.questions import figures, legality
from pymorph.state.position import Position
from pymorph.terms import parse_symbol
from tests.conftest import position_of
from tests.tables import sampled, tables

FACINGS = ["north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west"]
FURTHEST = {"any_angle": 4, "one_quarter": 2, "one_eighth": 1}

STARTS = {entry["id"]: entry for entry in tables(__name__)["starts"]}


def start(name: str) -> Position:
    """The position of a case, with nothing out and Baganal to act."""
    case = STARTS[name]
    people = {who: {"attributes": {"electra": 4}, **case[who]} for who in ("baganal", "lathana")}
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


def altered(position: Position, changes: dict[str, str]) -> Position:
    return position.with_changes(
        {parse_symbol(fluent): parse_symbol(value) for fluent, value in changes.items()}
    )


def turned(position: Position) -> list[Position]:
    """The positions after one Turn; that a Turn does just this is tested with the rules."""
    facing = FACINGS.index(str(position.value("facing(baganal)")))
    most = FURTHEST[position.rulings.get("turn_angle", "any_angle")]
    flat = position.rulings.get("diagonal_price") == "flat_17"
    found = []
    for number, other in enumerate(FACINGS):
        eighths = min((number - facing) % 8, (facing - number) % 8)
        if 0 < eighths <= most or (eighths == 0 and flat and number % 2):
            changes = {"facing(baganal)": other, "halfway(baganal)": "none"}
            found.append(altered(position, changes | ({"turned(baganal)": "yes"} if flat else {})))
    return found


def moved_up(positions: list[Position]) -> list[Position]:
    """The positions after a Default Move Up, played from those where it may be begun."""
    legal = legality.legal_actions_of(positions)
    last_tick = {"technique": "move_up", "die": "1"}
    changes = {f"{fluent}(baganal, main)": value for fluent, value in last_tick.items()}
    begun = [
        altered(position, changes | {"speed_left(baganal)": "1"})
        for position, actions in zip(positions, legal, strict=True)
        if "begin(baganal, main, move_up)" in map(str, actions)
    ]
    return [
        after
        for row in transitions.successors_of(begun)
        for done, after in row
        if str(done) == "advance(baganal, main, 1)"
    ]


def costs(position: Position) -> dict[str, int]:
    """The ticks that it takes to be in each square, found by playing."""
    known: set[Position] = set()
    ahead = {0: {position}}
    cheapest: dict[str, int] = {}
    while ahead:
        cost = min(ahead)
        here = sorted(ahead.pop(cost) - known, key=Position.line)
        known.update(here)
        for reached in here:
            cheapest.setdefault(str(reached.value("at(baganal)")), cost)
            ahead.setdefault(cost + 3, set()).update(turned(reached))
        if here:
            ahead.setdefault(cost + 7, set()).update(moved_up(here))
    return cheapest


@sampled("name", STARTS, list(STARTS)[:2])
def test_mor_move_14_ways_cost_what_they_take(name: str) -> None:
    """mor_move_14: a way costs the ticks of the Move Ups and Turns that lead there."""
    position = start(name)
    cheapest = costs(position)
    assert position.board is not None
    names = {
        place: f"ticks_to_reach(baganal, {place})" for place in map(str, position.board.places)
    }
    found = {str(f.name): f.value for f in figures.forecast(position, *names.values()).figures}
    assert found == {name: cheapest.get(place, "never") for place, name in names.items()}
