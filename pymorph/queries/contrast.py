"""The games of two versions of a ruleset side by side: what differs beyond chance, what is new."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pymorph import yamlio
from pymorph.errors import Fault, InputError, Place
from pymorph.queries.consistency import require_well_formed
from pymorph.queries.encoding import record_json
from pymorph.queries.shares import Difference, Share, difference, mean_difference, mean_of
from pymorph.state.position import Position
from pymorph.terms import brief
from pymorph.yamlio import Json

if TYPE_CHECKING:
    from pymorph.queries.simulation import Simulation
    from pymorph.ruleset.loader import Ruleset


class Contrasted(NamedTuple):
    """In how many games of each version something was so: an event, or what a rule did; *after* is
    whose action it was that ended the game by it."""

    what: str
    after: str
    one: Share
    other: Share

    @property
    def difference(self) -> Difference:
        return difference(self.other, self.one)

    def json(self) -> Json:
        pair = {name: share.json() for name, share in (("one", self.one), ("other", self.other))}
        for told in pair.values():
            del told["what"]
        after = {"after": self.after} if self.after else {}
        return {"what": self.what, **after, **pair, "difference": self.difference.json()}


@brief
@dataclass(frozen=True, slots=True)
class Contrast:
    """Games of a position and of an *other* one, by their rulesets, with the same seed.

    *names* are what the two are called. A difference is how much more there is in the *one*. *ends*
    are by which rule and after whose action games were over; *endings*, *events* and *rules* as in
    a simulation, each in both; *length* how many more actions a game has on average, if enough
    came to an end. *only_one* has what was seen in the one and never in the other, *only_other* the
    other way round.
    """

    names: tuple[str, str]
    one: Simulation
    other: Simulation
    ends: tuple[Contrasted, ...]
    endings: tuple[Contrasted, ...]
    length: Difference | None
    events: tuple[Contrasted, ...]
    rules: tuple[Contrasted, ...]
    only_one: Mapping[str, tuple[str, ...]]
    only_other: Mapping[str, tuple[str, ...]]

    @property
    def all_finished(self) -> bool:
        """Did all games come to an end?"""
        return self.one.all_finished and self.other.all_finished

    def json(self) -> Json:
        return record_json(self)


def contrast(one: Simulation, other: Simulation, names: tuple[str, str]) -> Contrast:
    """What two simulations say, side by side."""
    ends = [{(e.rule, e.after): e.share for e in each.over} for each in (one, other)]
    rules = [{(use.rule, ""): use.share for use in each.rules} for each in (one, other)]
    return Contrast(
        names,
        one,
        other,
        _beside(ends, one.finished, other.finished),
        _beside(_by_event(one, other, "endings"), one.finished, other.finished),
        mean_difference(mean_of(other.lengths), mean_of(one.lengths)),
        _beside(_by_event(one, other, "events"), one.games, other.games),
        _beside(rules, one.games, other.games),
        _only(one, other),
        _only(other, one),
    )


def _by_event(one: Simulation, other: Simulation, kind: str) -> list[dict[tuple[str, str], Share]]:
    """The events of both, one by one, or by name where there are many of it in one of them."""
    told = [getattr(each, kind) for each in (one, other)]
    named = {share.what for row in told for share in row if "(" not in share.what}
    found = []
    for each, row in zip((one, other), told, strict=True):
        rows = [share for share in row if share.what.partition("(")[0] not in named]
        rows += [share for share in getattr(each, f"{kind}_by_name") if share.what in named]
        found.append({(share.what, ""): share for share in rows})
    return found


def _beside(
    found: Iterable[Mapping[tuple[str, str], Share]], of_one: int, of_other: int
) -> tuple[Contrasted, ...]:
    """Shares that belong together, those that are the farthest apart first."""
    one, other = found
    rows = [
        Contrasted(
            *key, one.get(key, Share(key[0], 0, of_one)), other.get(key, Share(key[0], 0, of_other))
        )
        for key in dict.fromkeys([*one, *other])
    ]
    return tuple(sorted(rows, key=lambda row: (-abs(row.difference.seen), -row.one.part)))


def _only(one: Simulation, other: Simulation) -> dict[str, tuple[str, ...]]:
    """What was seen in one simulation and never in the other."""
    found = (one.seen, other.seen)
    return {
        kind: tuple(name for name in names if name not in found[1][kind])
        for kind, names in found[0].items()
    }


def read_by(position: Position, ruleset: Ruleset, file: str, name: str) -> Position:
    """A position as another ruleset reads it, with the rulings that this one knows.

    *file* and *name* are what the two are called.
    Raises: InputError or IllFormed, where it is no position of that ruleset.
    """
    data = position.data()
    data["ruleset"] = ruleset.folders[0] if ruleset.from_path else ruleset.name
    known = {q: o for q, o in position.rulings.items() if o in ruleset.options.get(q, ())}
    data.pop("rulings", None)
    try:
        found = Position.parse(yamlio.block(data), file).with_rulings(known)
    except InputError as error:
        told = f"no position of {name}: {error.faults[0].message}"
        raise InputError(Fault(told, Place(file))) from None
    require_well_formed(found, f"{file}, by {name}")
    return found
