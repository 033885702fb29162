"""Whole random games of Diplomacy, by the rules and by a published engine, phase by phase.

After each phase everything is compared: units with their coasts, dislodged units and where each may
retreat, centres, what may be built or has to go. Where the two differ there has to be a cause in
the orders of that phase (see `diplomacy_causes`). The engine then goes on from where our rules are.

    python -m tests.diplomacy_games --games 1000 --seasons 20
"""

import argparse
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pymorph.state.position import Position
from tests.diplomacy_causes import explained
from tests.diplomacy_sides import (
    LETTERS,
    START,
    Order,
    Resolved,
    State,
    engine_at,
    new_game,
    our_place,
    possible,
    processed,
    resolved,
    theirs,
    with_orders,
)


class Compared(NamedTuple):
    """What both sides make of some orders, and the causes of a difference, if any explain it."""

    before: Position
    orders: list[Order]
    theirs: State
    ours: Resolved
    causes: tuple[str, ...]

    @property
    def agree(self) -> bool:
        return self.theirs == self.ours.state


@dataclass
class Played:
    """What came of a game: how many phases and orders were compared, and differences."""

    phases: Counter[str] = field(default_factory=Counter)
    differences: list[Compared] = field(default_factory=list)

    @property
    def unexplained(self) -> list[Compared]:
        return [found for found in self.differences if not found.causes]


def compared(game: Any, at: Position, orders: list[Order]) -> Compared:
    """Let both sides read the orders of a phase; the engine then stands after it."""
    before, entered = with_orders(at, orders), game.phase_type
    for power in game.powers:
        game.set_orders(power, [order.text for order in orders if order.power == power])
    results = processed(game)
    after, other = resolved(before), theirs(game)
    causes: tuple[str, ...] = ()
    if other != after.state and entered == "M":
        causes = explained(results, before, orders, other, after)
    return Compared(before, orders, other, after, causes)


def play(seed: int, seasons: int) -> Played:
    """A game of random orders from the start, as long as that, or until somebody has won."""
    chance, found = random.Random(seed), Played()
    game, at = new_game(), Position.load(START)
    moves = 0
    while game.phase_type and moves < seasons + (game.phase_type != "M"):
        moves += game.phase_type == "M"
        orders = chosen(game, chance)
        found.phases[LETTERS[game.phase_type]] += 1
        found.phases.update(order.deed for order in orders)
        phase = compared(game, at, orders)
        at = phase.ours.position
        if not phase.agree:
            found.differences.append(phase)
            if phase.ours.state.phase == "over":
                break
            game = engine_at(at)
    return found


def chosen(game: Any, chance: random.Random) -> list[Order]:
    orders = possible(game)
    if game.phase_type == "M":
        seas = {our_place(at) for at, kind in game.map.loc_type.items() if kind == "WATER"}
        return moves_of(orders, seas, chance)
    if game.phase_type == "R":
        return retreats_of(orders, chance)
    return winter_of(game, orders, chance)


def moves_of(orders: list[Order], seas: set[str], chance: random.Random) -> list[Order]:
    """Half of the units move, some by convoy; the rest supports and convoys what others do."""
    by_unit: dict[str, list[Order]] = {}
    for order in orders:
        by_unit.setdefault(order.unit, []).append(order)
    units, taken = sorted(by_unit), {order.at for order in orders}
    chance.shuffle(units)
    number = round(len(units) * chance.uniform(0.3, 0.7))
    found, moves = [], set()
    for unit in units[:number]:
        own = [order for order in by_unit[unit] if order.deed in ("move", "via")]
        by_sea = [order for order in own if order.deed == "via"]
        fights = [order for order in own if order.to[:3] in taken]
        at_sea = [order for order in own if order.to in seas]
        order = chance.choice(liked(chance, by_sea, by_sea, fights, at_sea, own) or by_unit[unit])
        moves.add((order.place, order.to))
        # A convoy may be meant without its being said; where there is a way by land, too.
        if order.deed == "via" and chance.random() < 0.5:
            order = Order(order.power, order.text.removesuffix(" VIA"))
        found.append(order)
    for unit in units[number:]:
        own = by_unit[unit]
        fitting = [order for order in own if (order.of, order.to) in moves]
        convoys = [order for order in fitting if order.deed == "convoy"]
        holding = [order for order in own if order.deed == "support" and not order.to]
        found.append(chance.choice(liked(chance, convoys, convoys, fitting, fitting, holding, own)))
    return found


def liked(chance: random.Random, *some: list[Order]) -> list[Order]:
    """One of those lists that have something, the more often the oftener it is named."""
    return chance.choice([one for one in some if one] or [[]])


def retreats_of(orders: list[Order], chance: random.Random) -> list[Order]:
    found = []
    for unit in sorted({order.unit for order in orders}):
        own = [order for order in orders if order.unit == unit]
        goes = [order for order in own if order.deed == "retreat"]
        if chance.random() < 0.95:
            found.append(chance.choice(goes if goes and chance.random() < 0.9 else own))
    return found


def winter_of(game: Any, orders: list[Order], chance: random.Random) -> list[Order]:
    """As many builds or removals as are due, or now and then fewer."""
    found = []
    for power in game.powers.values():
        due = len(power.centers) - len(power.units)
        own = [order for order in orders if order.power == power.name]
        chance.shuffle(own)
        places: set[str] = set()
        for order in own:
            if len(places) < abs(due) and order.at not in places and chance.random() < 0.9:
                places.add(order.at)
                found.append(order)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Random games of Diplomacy beside an engine.")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seasons", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    given = parser.parse_args()
    phases: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    began = time.monotonic()
    for seed in range(given.first, given.first + given.games):
        found = play(seed, given.seasons)
        phases += found.phases
        causes.update(" + ".join(d.causes) or "unexplained" for d in found.differences)
        for difference in found.unexplained:
            print(f"seed {seed}: {told(difference)}", flush=True)
    print(f"{given.games} games, {time.monotonic() - began:.0f} s: {dict(phases)}")
    print(f"differences: {dict(causes)}")


def told(found: Compared) -> str:
    """A difference, to be looked into."""
    lines = [found.before.line()]
    lines += [f"  {order.power}: {order.text}" for order in found.orders]
    for name, one, two in zip(State._fields, found.theirs, found.ours.state, strict=True):
        if one != two and isinstance(one, frozenset) and isinstance(two, frozenset):
            lines.append(f"  {name}: theirs {sorted(one - two)}, ours {sorted(two - one)}")
        elif one != two:
            lines.append(f"  {name}: theirs {one}, ours {two}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
