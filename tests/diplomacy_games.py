"""Whole random games of Diplomacy, by the rules and by a published engine, phase by phase.

After each phase everything is compared: units with their coasts, dislodged units and where each may
retreat, centres, what may be built or has to go. Where the two differ there has to be a cause in
the orders of that phase, and it is tried: our rules with that cause built in have to come to what
the engine has, to the last unit (see `diplomacy_causes`). The engine then goes on from where our
rules are.

    python -m tests.diplomacy_games --games 1000 --seasons 20
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from clingo import Function, Symbol

from pymorph.queries import application, legality
from pymorph.state.position import Position
from tests.conftest import EXAMPLES

FOLDER = EXAMPLES / "rulesets" / "diplomacy"
START = FOLDER / "positions" / "start.yaml"
KINDS = {"A": "army", "F": "fleet"}
DEEDS = {"H": "hold", "-": "move", "S": "support", "C": "convoy", "R": "retreat", "D": "disband"}
LETTERS = {"M": "moves", "R": "retreats", "A": "builds"}
Changes = dict[Symbol, Symbol]
Lent = Mapping[str, tuple[Symbol, Symbol]]
NOBODY: Lent = MappingProxyType({})
Unit = tuple[str, str, str]  # power, kind, place


class Order(NamedTuple):
    """An order in the words of the engine; its places are told in ours."""

    power: str
    text: str

    @property
    def words(self) -> list[str]:
        return self.text.split()

    @property
    def unit(self) -> str:
        return " ".join(self.words[:2])

    @property
    def place(self) -> str:
        return our_place(self.words[1])

    @property
    def at(self) -> str:
        return self.place[:3]

    @property
    def deed(self) -> str:
        return "via" if self.words[-1] == "VIA" else DEEDS.get(self.words[2], "build")

    @property
    def of(self) -> str:
        """Whom it supports or convoys: a place."""
        return our_place(self.words[4]) if self.deed in ("support", "convoy") else ""

    @property
    def to(self) -> str:
        words = self.words
        number = 3 if self.deed in ("move", "via", "retreat") else 6
        return our_place(words[number]) if len(words) > number else ""

    def changes(self) -> Changes:
        """What it sets in a position."""
        if self.deed == "build":
            return {fluent("building", self.place): Function(KINDS[self.text[0]])}
        found = {fluent("deed", self.at): Function(self.deed)}
        if self.of:
            found[fluent("aided", self.at)] = Function(self.of[:3])
        if self.to:
            found[fluent("goal", self.at)] = Function(self.to)
        return found

    def action(self) -> str:
        """The same as an action."""
        power = self.power.lower()
        if self.deed == "build":
            return f"build({power}, {KINDS[self.text[0]]}, {self.place})"
        deed = {"via": "move_via"}.get(self.deed, self.deed)
        deed += "_move" if deed == "support" and self.to else ""
        return f"{deed}({', '.join(filter(None, (power, self.place, self.of, self.to)))})"


def fluent(name: str, place: str) -> Symbol:
    return Function(name, [Function(place)])


def our_place(text: str) -> str:
    return text.lower().replace("/", "_")


def engine_place(text: str) -> str:
    return text.upper().replace("_", "/")


class State(NamedTuple):
    """How things stand after a phase. *beaten* are units that may retreat, *choices* all retreats,
    builds and removals that may be ordered."""

    phase: str
    units: frozenset[Unit]
    beaten: frozenset[Unit]
    centres: frozenset[tuple[str, str]]
    choices: frozenset[str]


# -- the engine ------------------------------------------------------------------------------------


def new_game() -> Any:
    from diplomacy.engine.game import Game

    return Game()


def theirs(game: Any) -> State:
    """How things stand in the engine."""
    units, beaten = set(), set()
    orders = [] if game.phase_type == "M" else possible(game)
    choices = {order.action() for order in orders}
    for power in game.powers.values():
        units |= {unit_of(power.name, unit) for unit in power.units}
        able = {order.unit for order in orders if order.deed == "retreat"}
        beaten |= {unit_of(power.name, unit) for unit in power.retreats if unit in able}
    if game.phase_type == "R":
        choices = {order.action() for order in orders if order.deed == "retreat"}
    centres = {(p.name.lower(), at.lower()) for p in game.powers.values() for at in p.centers}
    phase = LETTERS.get(game.phase_type or "", "over")
    return State(phase, *map(frozenset, (units, beaten, centres, choices)))  # type: ignore[arg-type]


def processed(game: Any) -> dict[str, set[str]]:
    """Read all orders; phases in which nobody has a choice pass by. What came of them, by place."""
    game.process()
    found = game.result_history.last_value()
    while game.phase_type in ("R", "A") and not theirs(game).choices:
        game.process()
    return {
        our_place(unit.split()[1])[:3]: {str(one).lower() for one in told}
        for unit, told in found.items()
        if unit != "WAIVE"
    }


def unit_of(power: str, unit: str) -> Unit:
    return power.lower(), KINDS[unit[0]], our_place(unit[2:])


def possible(game: Any) -> list[Order]:
    """All orders that the engine would take."""
    texts = {text for found in game.get_all_possible_orders().values() for text in found}
    return [Order(owner(game, text), text) for text in sorted(texts - {"WAIVE"})]


def owner(game: Any, text: str) -> str:
    """Whose order that is."""
    kind, at, deed = text.split()[:3]
    unit = f"{kind} {at}"
    for power in game.powers.values():
        mine = {"A": power.units, "R": power.retreats}.get(game.phase_type, power.units)
        if at[:3] in power.homes if deed == "B" else unit in mine:
            return str(power.name)
    raise AssertionError(text)


def engine_at(position: Position) -> Any:
    """The engine, set to how things stand."""
    game, state, data = new_game(), ours(position), position.data()
    letter = {name: letter for letter, name in LETTERS.items()}[state.phase]
    season = "W" if letter == "A" else str(data.get("season", "spring"))[0].upper()
    units: dict[str, list[str]] = {power: [] for power in game.powers}
    goes: dict[str, dict[str, list[str]]] = {power: {} for power in game.powers}
    centres: dict[str, list[str]] = {power: [] for power in game.powers}
    for power, kind, at in sorted(state.units):
        units[power.upper()].append(f"{kind[0].upper()} {engine_place(at)}")
    for power, kind, at in sorted(state.beaten):
        unit = f"{kind[0].upper()} {engine_place(at)}"
        units[power.upper()].append(f"*{unit}")
        retreats = [c for c in state.choices if c.startswith(f"retreat({power}, {at}, ")]
        goes[power.upper()][unit] = [engine_place(c.rstrip(")").split(", ")[2]) for c in retreats]
    for power, at in sorted(state.centres):
        centres[power.upper()].append(at.upper())
    name = f"{season}{data.get('year', 1901)}{letter}"
    game.clear_centers()
    game.set_state({"name": name, "units": units, "retreats": goes, "centers": centres})
    return game


# -- our rules -------------------------------------------------------------------------------------


def ours(position: Position, lenient: bool = False) -> State:
    """How things stand in a position. *lenient*: as `open_to_the_beaten` would have it."""
    data: dict[str, Any] = dict(position.data())
    phase = "over" if is_over(data) else str(data.get("phase", "moves"))
    choices: set[str] = set()
    if phase in ("retreats", "builds"):
        choices = {str(action) for action in legality.legal_actions(position)}
        if lenient:
            choices |= open_to_the_beaten(position)
        wanted = ("retreat",) if phase == "retreats" else ("build", "disband")
        choices = {action for action in choices if action.startswith(wanted)}
    able = {tuple(action.partition("(")[2].split(", ")[:2]) for action in choices}
    beaten = {unit for unit in placed(data.get("routed", {})) if (unit[0], unit[2]) in able}
    return State(phase, placed(data), frozenset(beaten), owned(data), frozenset(choices))


def open_to_the_beaten(position: Position) -> set[str]:
    """Retreats to where others bounced, of units whose attacker came by convoy.

    The engine bars neither these places nor any other to such a unit.
    """
    flags = {at: Function("no") for at in position.fluents if at.name == "contested"}
    data: dict[str, Any] = dict(position.data())
    known = data.get("routed", {}).get("from", {})
    found = map(str, legality.legal_actions(position.with_changes(flags)))
    return {a for a in found if a.startswith("retreat") and a.split(", ")[1][:3] not in known}


def is_over(data: Mapping[str, Any]) -> bool:
    return max(Counter(power for power, _ in owned(data)).values(), default=0) >= 18


def placed(data: Mapping[str, Any]) -> frozenset[Unit]:
    return frozenset(
        (power, kind, at)
        for kind, key in (("army", "armies"), ("fleet", "fleets"))
        for at, power in data.get(key, {}).items()
    )


def owned(data: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    return frozenset((power, at) for at, power in data.get("centres", {}).items())


@dataclass
class Resolved:
    """What our rules make of some orders."""

    position: Position
    state: State
    events: frozenset[str]


def resolved(position: Position, lenient: bool = False, lent: Lent = NOBODY) -> Resolved:
    """Read all orders; phases in which nobody has a choice pass by.

    *lent*: provinces of units that are given back afterwards, stay they or be they dislodged; from
    whom, and to whom.
    """
    outcome = application.apply(position, "resolve(judge)")
    back = {}
    for found, value in outcome.position.fluents.items():
        if found.name in ("army", "fleet", "routed_army", "routed_fleet"):
            other, mine = lent.get(str(found.arguments[0])[:3], (None, None))
            if mine is not None and value == other:
                back[found] = mine
    at = outcome.position.with_changes(back)
    state = ours(at, lenient)
    while state.phase in ("retreats", "builds") and not state.choices:
        at = application.apply(at, "resolve(judge)").position
        state = ours(at, lenient)
    events = {str(event.event) for step in outcome.steps for event in step.events}
    return Resolved(at, state, frozenset(events))


def with_orders(position: Position, orders: Iterable[Order]) -> Position:
    return position.with_changes({f: v for order in orders for f, v in order.changes().items()})


# -- a game ----------------------------------------------------------------------------------------


@dataclass
class Difference:
    """A phase in which the two differ, with the causes that explain it, if any do."""

    seed: int
    before: Position
    orders: list[Order]
    theirs: State
    ours: State
    causes: tuple[str, ...]


@dataclass
class Played:
    """What came of a game: phases and orders compared, and differences."""

    seed: int
    phases: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)

    @property
    def unexplained(self) -> list[Difference]:
        return [found for found in self.differences if not found.causes]


def play(seed: int, seasons: int) -> Played:
    """A game of random orders from the start, as long as that, or until somebody has won."""
    from tests.diplomacy_causes import explained

    chance, found = random.Random(seed), Played(seed)
    game, at = new_game(), Position.load(START)
    moves = 0
    while game.phase_type and moves < seasons + (game.phase_type != "M"):
        moves += game.phase_type == "M"
        orders = chosen(game, chance)
        before = with_orders(at, orders)
        found.phases[LETTERS[game.phase_type]] += 1
        found.phases.update(order.deed for order in orders)
        entered = game.phase_type
        for power in game.powers:
            game.set_orders(power, [order.text for order in orders if order.power == power])
        results = processed(game)
        after, other = resolved(before), theirs(game)
        if other != after.state:
            causes = explained(results, entered, before, orders, other, after)
            found.differences.append(Difference(seed, before, orders, other, after.state, causes))
            if after.state.phase == "over":
                break
            game = engine_at(after.position)
        at = after.position
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
    parser = argparse.ArgumentParser(description=__doc__)
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
        for d in found.unexplained:
            print(told(d), flush=True)
    print(f"{given.games} games, {time.monotonic() - began:.0f} s: {dict(phases)}")
    print(f"differences: {dict(causes)}")


def told(found: Difference) -> str:
    """A difference, to be looked into."""
    lines = [f"seed {found.seed}, {found.before.line()}"]
    lines += [f"  {order.power}: {order.text}" for order in found.orders]
    for name, one, two in zip(State._fields, found.theirs, found.ours, strict=True):
        if one != two and isinstance(one, frozenset):
            lines.append(f"  {name}: theirs {sorted(one - two)}, ours {sorted(two - one)}")
        elif one != two:
            lines.append(f"  {name}: theirs {one}, ours {two}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
