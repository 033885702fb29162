"""Diplomacy against a published engine, `diplomacy` 1.1.2, where it is installed: random orders.

How the two are compared, and what may be behind a difference, is in `diplomacy_games` and
`diplomacy_causes`.
"""

import random
from typing import Any

import pytest

from pymorph.questions import legality
from tests import diplomacy_games as games
from tests import diplomacy_sides as sides
from tests.tables import tables, tupled

pytest.importorskip("diplomacy.engine.game")

NEAR = [*tupled(tables(__name__)["near"])]  # fmt: skip


def crowded(chance: random.Random) -> Any:
    """A game with two dozen units, close together."""
    game = sides.new_game()
    game.clear_units()
    types, taken = game.map.loc_type, set()
    first = chance.choice((0, 0, 28))
    for place in chance.sample(NEAR[first : first + 30], 24):
        if place[:3] in taken:
            continue
        taken.add(place[:3])
        kind = {"WATER": "F", "LAND": "A"}.get(types[place], chance.choice("AF"))
        where = place[:3] if kind == "A" else place
        game.set_units(
            chance.choice(("ENGLAND", "FRANCE", "GERMANY", "TURKEY")), [f"{kind} {where}"]
        )
    return game


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(0, 1000, 100))
def test_random_orders(first: int) -> None:
    """A thousand times the moves of two dozen units that are close together."""
    for seed in range(first, first + 100):
        chance = random.Random(seed)
        game = crowded(chance)
        at = sides.position_from(sides.theirs(game))
        orders = games.chosen(game, chance)
        found = games.compared(game, at, orders)
        assert found.agree or found.causes, (seed, games.told(found))


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(60))
def test_whole_games(seed: int) -> None:
    """Ten years of random orders, all phases of them."""
    assert [games.told(found) for found in games.play(seed, 20).unexplained] == []


def convoys_in(game: Any) -> set[str]:
    """Each fleet at sea that lies on some way of an army from shore to shore, none taken twice."""
    water = {at for at, kind in game.map.loc_type.items() if kind == "WATER"}
    units = sides.theirs(game).units
    fleets = {at for _, _, at in units if at.upper() in water}
    near: dict[str, set[str]] = {
        fleet: {at.lower()[:3] for at in game.map.loc_abut[fleet.upper()]} for fleet in fleets
    }
    found = set()

    def sail(way: tuple[str, ...], start: str) -> None:
        for end in near[way[-1]]:
            if end in fleets - set(way):
                sail((*way, end), start)
            elif end.upper() not in water and end != start:
                found.update(f"{fleet}, {start}, {end}" for fleet in way)

    for _, kind, start in units:
        for fleet in fleets if kind == "army" else ():
            if start in near[fleet]:
                sail((fleet,), start)
    return found


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(40))
def test_legal_orders(seed: int) -> None:
    """What the engine takes may be written, and more is of three kinds: an army may be sent to a
    coast, it may go over sea without saying so, and ways over sea need not be the shortest."""
    game = crowded(random.Random(seed))
    theirs = {order.action() for order in sides.possible(game)}
    at = sides.position_from(sides.theirs(game))
    ours = set(map(str, legality.legal_actions(at))) - {"resolve(judge)"}
    assert theirs <= ours
    armies = {at for _, kind, at in sides.theirs(game).units if kind == "army"}
    convoys = {action for action in ours if action.startswith("convoy(")}
    named = {a.partition(", ")[2].rstrip(")") for a in convoys if "_" not in a.split(", ")[3]}
    assert named == convoys_in(game)
    for action in ours - theirs - convoys:
        name, _, inside = action.rstrip(")").partition("(")
        places = inside.split(", ")[1:]
        if "_" in places[-1] and places[-2] in armies:
            continue
        if name == "move":
            assert action.replace("move", "move_via") in theirs
        else:
            start, end = places[1:]
            ways = {way.split(", ", 1)[1] for way in convoys_in(game) if places[0] not in way}
            assert name == "support_move"
            assert f"{start}, {end}" in ways, action
