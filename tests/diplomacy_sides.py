"""Diplomacy from two sides: orders and how things stand, by our rules and by an engine.

The engine is the package `diplomacy`, 1.1.2. What it gives and takes is told here in our words.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from clingo import Function, Symbol

from pymorph.explore.execution import application
from pymorph.questions import legality
from pymorph.state.position import Position
from tests.conftest import EXAMPLES, position_of

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
    return import_module("diplomacy.engine.game").Game()


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


def position_from(state: State) -> Position:
    """The position with those units and centres, in which moves are ordered."""
    centres = {at: power for power, at in state.centres}
    data: dict[str, Any] = {"ruleset": str(FOLDER), "centres": centres, "armies": {}, "fleets": {}}
    for power, kind, at in state.units:
        data["armies" if kind == "army" else "fleets"][at] = power
    return position_of(data)
