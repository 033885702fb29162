"""The games of two versions of a ruleset side by side: what differs beyond chance, what is new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pymorph import yamlio
from pymorph.answers import frozen, json_keys
from pymorph.errors import InputError, Place
from pymorph.explore.sampling import proportions
from pymorph.explore.sampling.proportions import (
    Share,
    ShareDifference,
    mean_of,
)
from pymorph.questions.consistency import require_well_formed
from pymorph.state.position import Position

if TYPE_CHECKING:
    from pymorph.explore.sampling.simulation import Simulation
    from pymorph.ruleset.loader import Ruleset

KINDS = ("outcomes", "ends", "endings", "events", "rules")


@json_keys(
    optional=["after"], when={"what": "_is_event", "winners": "_is_outcome", "drawn": "_is_outcome"}
)
class Seen(NamedTuple):
    """What is counted in games: an event, what a rule did, or an outcome; *after* is whose action
    ended the game by that rule, and an outcome has the *winners*, or is *drawn*."""

    what: str
    after: str = ""
    winners: tuple[str, ...] | None = None
    drawn: bool = False

    @property
    def _is_outcome(self) -> bool:
        return self.winners is not None

    @property
    def _is_event(self) -> bool:
        return self.winners is None


@json_keys(
    also=["difference"], paths={"one": "one._rounded", "other": "other._rounded"}, spread=["seen"]
)
class Contrasted(NamedTuple):
    """In how many games of each version something was *seen*."""

    seen: Seen
    one: Share
    other: Share

    @property
    def difference(self) -> ShareDifference:
        return proportions.difference(self.other, self.one)


@json_keys(also=["partial"], optional=["partial"])
@frozen
class Contrast:
    """Games of a position and of an *other* one, by their rulesets, with the same seed.

    *names* are what the two are called. A difference is how much more there is in the *one*.
    *outcomes* are who has won, *ends* by which rule and after whose action games were over;
    *endings*, *events* and *rules* as in
    a simulation, each in both; *length* how many more actions a game has on average, if enough
    came to an end. *only_one* has what was seen in the one and never in the other, *only_other* the
    other way round.
    """

    names: tuple[str, str]
    one: Simulation
    other: Simulation
    outcomes: tuple[Contrasted, ...]
    ends: tuple[Contrasted, ...]
    endings: tuple[Contrasted, ...]
    length: ShareDifference | None
    events: tuple[Contrasted, ...]
    rules: tuple[Contrasted, ...]
    only_one: Mapping[str, tuple[str, ...]]
    only_other: Mapping[str, tuple[str, ...]]

    @property
    def all_finished(self) -> bool:
        """Did all games come to an end?"""
        return self.one.all_finished and self.other.all_finished

    @property
    def partial(self) -> bool:
        """Was it stopped before all games of both were played?"""
        return self.one.partial or self.other.partial


def contrast(one: Simulation, other: Simulation, names: tuple[str, str]) -> Contrast:
    """What two simulations say, side by side."""

    def by_difference(row: Contrasted) -> tuple[float, float]:
        return (-abs(row.difference.seen), -row.one.part)

    by_kind = {
        kind: tuple(sorted((Contrasted(each, *of) for each, of in rows), key=by_difference))
        for kind, rows in ((kind, beside((one, other), kind)) for kind in KINDS)
    }
    length = proportions.mean_difference(mean_of(other.lengths), mean_of(one.lengths))
    mine, theirs = _only(one, other), _only(other, one)
    return Contrast(names, one, other, length=length, only_one=mine, only_other=theirs, **by_kind)


def beside(every: Sequence[Simulation], kind: str) -> list[tuple[Seen, tuple[Share, ...]]]:
    """What was seen in some simulations, of a kind, with its share in each of them."""
    if kind == "outcomes":
        found = [{Seen("", "", e.winners, e.drawn): e.share for e in s.outcomes} for s in every]
    elif kind == "ends":
        found = [{Seen(e.rule, e.after): e.share for e in each.over} for each in every]
    elif kind == "rules":
        found = [{Seen(use.rule): use.share for use in each.rules} for each in every]
    else:
        found = _by_event(every, kind)
    at_the_end = kind in ("outcomes", "ends", "endings")
    of = [each.finished if at_the_end else each.games for each in every]
    return [
        (key, tuple(row.get(key, Share(key.what, 0, n)) for row, n in zip(found, of, strict=True)))
        for key in dict.fromkeys(key for row in found for key in row)
    ]


def _by_event(every: Sequence[Simulation], kind: str) -> list[dict[Seen, Share]]:
    """The events of each, one by one, or by name where there are many of it in one of them."""
    told = [getattr(each, kind) for each in every]
    named = {share.what for row in told for share in row if "(" not in share.what}
    found = []
    for each, row in zip(every, told, strict=True):
        rows = [share for share in row if share.what.partition("(")[0] not in named]
        rows += [share for share in getattr(each, f"{kind}_by_name") if share.what in named]
        found.append({Seen(share.what): share for share in rows})
    return found


def _only(one: Simulation, other: Simulation) -> dict[str, tuple[str, ...]]:
    """What was seen in one simulation and never in the other."""
    theirs = other.seen
    return {k: tuple(n for n in names if n not in theirs[k]) for k, names in one.seen.items()}


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
        found = replace(Position.parse(yamlio.block(data), file).with_rulings(known), origin=None)
    except InputError as error:
        told = f"not a position of {name}: {error.faults[0].message}"
        raise InputError(told, Place(file)) from None
    require_well_formed(found, f"{file}, by {name}")
    return found
