"""Diplomacy against a published engine, `diplomacy` 1.1.2, where it is installed: random orders.

What is compared is where units stand after the moves. The engine has faults, by the rules and by
the published test cases, and is not asked where one of them may be behind a difference:

- it calls a convoy disrupted though nobody dislodges its fleet;
- a power helps to dislodge its own unit if the attack comes by convoy (against 6.D.12);
- head to head, a support against a unit of one's own does not count in defence (against 6.E.6).
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from pymorph.queries import application
from tests.conftest import EXAMPLES, position_of

engine = pytest.importorskip("diplomacy.engine.game")

FOLDER = EXAMPLES / "rulesets" / "diplomacy"
NEAR = [
    "BEL", "BRE", "BUR", "CLY", "DEN", "EDI", "ENG", "GAS", "HEL", "HOL",
    "IRI", "KIE", "LON", "LVP", "MAO", "MUN", "NAO", "NTH", "NWG", "NWY",
    "PAR", "PIC", "RUH", "SKA", "SWE", "WAL", "YOR", "SPA/NC", "SPA/SC", "POR",
    "MAR", "LYO", "WES", "ADR", "AEG", "ALB", "APU", "BUL/EC", "CON", "GRE",
    "ION", "NAP", "ROM", "SER", "SMY", "TRI", "TUN", "TUS", "TYS", "VEN",
    "BLA", "RUM", "SEV",
]  # fmt: skip
Order = tuple[str, str]  # power, in the words of the engine


def placed(chance: random.Random) -> Any:
    """A game with two dozen units, close together."""
    game = engine.Game()
    game.clear_units()
    types, taken = game.map.loc_type, set()
    first = chance.choice((0, 0, 28))
    near = NEAR[first : first + 30]
    for place in chance.sample(near, 24):
        if place[:3] in taken:
            continue
        taken.add(place[:3])
        kind = {"WATER": "F", "LAND": "A"}.get(types[place], chance.choice("AF"))
        where = place[:3] if kind == "A" else place
        power = chance.choice(("ENGLAND", "FRANCE", "GERMANY", "TURKEY"))
        game.set_units(power, [f"{kind} {where}"])
    return game


def ordered(game: Any, chance: random.Random) -> list[Order]:
    """Moves for most, and for the rest supports and convoys of what the others do."""
    possible = {at: sorted(orders) for at, orders in game.get_all_possible_orders().items()}
    units = [(power, unit) for power in game.powers for unit in game.get_units(power)]
    chance.shuffle(units)
    movers, helpers = units[: len(units) // 2], units[len(units) // 2 :]
    orders, moves = [], set()
    for power, unit in movers:
        own = [o for o in possible[unit[2:]] if o.startswith(f"{unit} - ")]
        by_sea = [o for o in own if o.endswith("VIA")]
        chosen = chance.choice(by_sea if by_sea and chance.random() < 0.5 else own or [f"{unit} H"])
        orders.append((power, chosen))
        moves.add(chosen.removesuffix(" VIA"))
    for power, unit in helpers:
        fitting = [o for o in possible[unit[2:]] if o[len(unit) + 3 :] in moves]
        other = [o for o in possible[unit[2:]] if " S " in o or o.endswith(" H")]
        orders.append((power, chance.choice(fitting or other or [f"{unit} H"])))
    return orders


def told(order: str) -> tuple[str, dict[str, str]]:
    """The same order as a position has it."""
    words = order.lower().replace("/", "_").split()
    at, verb = words[1], words[2]
    if verb == "h":
        return at[:3], {"do": "hold"}
    if verb == "-":
        return at[:3], {"do": "via" if words[-1] == "via" else "move", "to": words[3]}
    found = {"do": {"s": "support", "c": "convoy"}[verb], "of": words[4][:3]}
    return at[:3], found | ({"to": words[6]} if len(words) > 6 else {})


def standing(units: dict[str, list[str]]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {"armies": {}, "fleets": {}}
    for power, own in units.items():
        for unit in own:
            kind, at = unit.lower().replace("/", "_").split()
            found["armies" if kind == "a" else "fleets"][at] = power.lower()
    return found


def helps_against_own(orders: list[Order]) -> bool:
    """Does a power support an attack on its own unit, by convoy or head to head?"""
    done = {order.split()[1][:3]: (power, order.split()) for power, order in orders}
    for power, order in orders:
        words = order.split()
        if words[2] == "S" and len(words) > 6:
            start, end = words[4][:3], words[6][:3]
            whose, there = done.get(end, ("", [""]))
            by_sea = start in done and done[start][1][-1] == "VIA"
            met = there[2:3] == ["-"] and there[3][:3] == start
            if whose == power and (by_sea or met):
                return True
    return False


def both(seed: int) -> tuple[dict[str, Any], dict[str, Any], list[Order], bool]:
    """Where units stand after the moves, by the engine and by the rules; was a convoy disrupted?"""
    chance = random.Random(seed)
    game = placed(chance)
    orders = ordered(game, chance)
    before = standing({power: game.get_units(power) for power in game.powers})
    for power in game.powers:
        game.set_orders(power, [order for whose, order in orders if whose == power])
    game.process()
    units = {p: [u for u in game.get_units(p) if u[0] != "*"] for p in game.powers}
    results = game.result_history.last_value()
    faulty = any("disrupted" in str(found).lower() for found in results.values())
    at = position_of(
        {"ruleset": str(FOLDER), **before, "orders": dict(told(order) for _, order in orders)}
    )
    data: dict[str, Any] = dict(application.apply(at, "resolve(judge)").position.data())
    ours = {key: dict(data.get(key, {})) for key in ("armies", "fleets")}
    return standing(units), ours, orders, faulty


@pytest.mark.campaign
def test_random_orders() -> None:
    wrong = []
    for seed in range(1000):
        theirs, ours, orders, faulty = both(seed)
        if theirs != ours and not (faulty or helps_against_own(orders)):
            wrong.append(seed)
    assert wrong == []
