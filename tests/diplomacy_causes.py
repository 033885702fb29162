"""Why the published engine differs from our rules, where it does.

Each cause is looked for in the orders of the phase, and proposes what our rules have to be told to
do as the engine does: a ruling on a question, orders that are not there, an army that stays. It
explains a difference if our rules, told so, come to the very state of the engine. What no cause
explains, alone or with one or two others, is a fault of ours or an unknown one of the engine.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

from clingo import Function, Symbol

from pymorph.state.position import Position
from tests.diplomacy_sides import NOBODY, Lent, Order, Resolved, State, fluent, resolved


class Cause(NamedTuple):
    """What the engine does, and what our rules are told to do likewise."""

    name: str
    changes: Mapping[Symbol, Symbol] = MappingProxyType({})
    rulings: Mapping[str, str] = MappingProxyType({})
    lenient: bool = False
    lent: Lent = NOBODY  # units of another power meanwhile, and whose


class Phase(NamedTuple):
    """A phase of moves in which the two differ."""

    results: Mapping[str, set[str]]  # of the engine, by province
    before: Position
    orders: Mapping[str, Order]  # by province
    theirs: State
    after: Resolved

    def power(self, at: str) -> str:
        return self.orders[at].power if at in self.orders else ""

    def helpers(self, deed: str, start: str, end: str) -> list[str]:
        """Who is ordered to support that move, or to convoy it."""
        return [
            order.at
            for order in self.orders.values()
            if order.deed == deed and (order.of[:3], order.to[:3]) == (start, end)
        ]

    def convoyers(self, start: str, end: str) -> list[str]:
        return self.helpers("convoy", start, end)

    def supporters(self, start: str, end: str) -> list[str]:
        return self.helpers("support", start, end)

    def moves(self, *deeds: str) -> Iterator[tuple[str, str]]:
        for order in self.orders.values():
            if order.deed in deeds:
                yield order.at, order.to[:3]


def by_a_reading(_: Phase) -> Iterator[Cause]:
    """What the test cases leave open, and the engine takes otherwise."""
    for option in ("uncut_1982", "uncut_2000"):
        yield Cause(f"4.A.2 {option}", rulings={"paradox": option})
    yield Cause("4.B.4 ignored", rulings={"support_coast": "ignored"})


def by_land_after_all(phase: Phase) -> Iterator[Cause]:
    """An army that was not told `VIA` goes by land if its convoy is broken, by 4.A.3 of old."""
    for start, end in phase.moves("move"):
        if f"no_convoy({start}, {end})" in phase.after.events:
            fleets = phase.convoyers(start, end)
            yield Cause("4.A.3 by land", {fluent("deed", at): Function("hold") for at in fleets})


def convoys_called_disrupted(phase: Phase) -> Iterator[Cause]:
    """An army has to stay for a convoy of which the engine itself dislodges no fleet."""
    for start, end in phase.moves("move", "via"):
        fleets = phase.convoyers(start, end)
        safe = not any("dislodged" in phase.results.get(fleet, ()) for fleet in fleets)
        ours = {f"no_convoy({start}, {end})", f"paradox({start})"} & phase.after.events
        if fleets and safe and not ours and "no convoy" in phase.results.get(start, ()):
            yield Cause("disrupted", {fluent("stranded", start): Function("yes")})


def against_its_own_by_sea(phase: Phase) -> Iterator[Cause]:
    """The support of a power for what comes `VIA` convoy to its own unit counts, against 6.D.12.

    Our rules do likewise if one of the two units is of another power, which has no part in it.
    """
    for start, end in phase.moves("via"):
        for at in phase.supporters(start, end):
            if phase.power(at) == phase.power(end) != phase.power(start):
                for given in (at, end):
                    other = bystander(phase, given, start)
                    changes = {f: other for f in phase.before.fluents if stands(f, given)}
                    mine = Function(phase.power(given).lower())
                    yield Cause("own by sea", changes, lent={given: (other, mine)})


def bystander(phase: Phase, at: str, start: str) -> Symbol:
    """A power that attacks neither of the two."""
    near = {phase.power(other) for other, end in phase.moves("move", "via") if end == at}
    near |= {phase.power(at), phase.power(start)}
    other = next(p for p in ("TURKEY", "ITALY", "AUSTRIA", "RUSSIA", "ENGLAND") if p not in near)
    return Function(other.lower())


def stands(found: Any, at: str) -> bool:
    return found.name in ("army", "fleet") and str(found.arguments[0])[:3] == at


def head_to_head(phase: Phase) -> Iterator[Cause]:
    """Head to head, supports that are against a unit of one's own do not defend, against 6.E.6."""
    for start, end in phase.moves("move"):
        if (end, start) in set(phase.moves("move")):
            for at in phase.supporters(start, end):
                if phase.power(at) == phase.power(end) != phase.power(start):
                    yield Cause("head to head", {fluent("deed", at): Function("hold")})


def after_a_convoy(phase: Phase) -> Iterator[Cause]:
    """A unit that was dislodged by convoy may go where others bounced."""
    for start, end in phase.moves("move", "via"):
        if phase.convoyers(start, end) and "dislodged" in phase.results.get(end, ()):
            yield Cause("retreat after a convoy", lenient=True)
            return


CAUSES: tuple[Callable[[Phase], Iterator[Cause]], ...] = (
    by_a_reading,
    by_land_after_all,
    convoys_called_disrupted,
    against_its_own_by_sea,
    head_to_head,
    after_a_convoy,
)


def explained(
    results: Mapping[str, set[str]],
    before: Position,
    orders: list[Order],
    theirs: State,
    after: Resolved,
) -> tuple[str, ...]:
    """The fewest causes that bring our rules to where the engine is; none, if there are none."""
    by_province = {order.at: order for order in orders}
    phase = Phase(results, before, by_province, theirs, after)
    causes = [cause for of in CAUSES for cause in of(phase)]
    for number in (1, 2, 3):
        for some in combinations(causes, number):
            told = before
            for cause in some:
                told = told.with_changes(cause.changes).with_rulings(cause.rulings)
            lenient = any(cause.lenient for cause in some)
            lent = {at: powers for cause in some for at, powers in cause.lent.items()}
            if resolved(told, lenient, lent).state == theirs:
                return tuple(cause.name for cause in some)
    return ()
