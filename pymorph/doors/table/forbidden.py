"""The forbidden actions that somebody is likely to look for, each with its rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, permutations, product
from math import prod
from typing import NamedTuple

from clingo import Function, Symbol

from pymorph.dynamics.asking.legal import Verdict, judged
from pymorph.state.position import Position, belongs, members_of
from pymorph.terms import ANY

Verdicts = dict[Symbol, Verdict]


class ForbiddenLimits(NamedTuple):
    """How many actions are judged at most."""

    wanted: int = 300  # where somebody looks for something
    listed: int = 60  # of them that are listed
    of_name: int = 24  # of each name, if nobody looks for anything
    sample: int = 4  # of a name that has more than that


MOST = ForbiddenLimits()


class Wanted(NamedTuple):
    """What somebody looks for."""

    name: str = ""  # of the actions; empty: any
    parts: tuple[Symbol, ...] = ()  # the arguments, _ for any; empty: any
    clicked: Sequence[Sequence[Symbol]] = ()  # what occurs in it, each under one of several names
    actors: frozenset[Symbol] = frozenset()  # who acts; empty: anybody
    legal: frozenset[str] = frozenset()  # the names of actions of which some are legal


class Prefix(NamedTuple):
    """How an action may be meant: what each argument may be, and which ones were clicked."""

    open: int  # the number of actions
    places: tuple[int, ...]
    name: str
    domains: tuple[tuple[Symbol, ...], ...]

    def actions(self) -> Iterator[tuple[Symbol, Prefix]]:
        return ((Function(self.name, each), self) for each in product(*self.domains))


def forbidden(position: Position, wanted: Wanted) -> Verdicts:
    """What is wanted and forbidden, with the verdict on each, the likeliest first.

    If nothing is said of the action, a name with many forms has one, if none of it is legal.
    """
    if not (wanted.name or wanted.clicked):
        return _overview(position, wanted)
    ways = sorted(_ways(position, wanted), key=lambda way: way.open)
    forms = dict(islice((form for way in ways for form in way.actions()), MOST.wanted))
    verdicts = judged(position, list(forms))
    wrong = [action for action, verdict in verdicts.items() if not verdict.legal]

    def strangeness(action: Symbol) -> tuple[bool, int, int]:
        places = forms[action].places
        rest = len(action.arguments) - len(places)
        return list(places) != sorted(places), len(verdicts[action].rules), rest

    ranked = sorted(wrong, key=strangeness) if wanted.clicked else wrong
    return {action: verdicts[action] for action in ranked[: MOST.listed]}


def _overview(position: Position, wanted: Wanted) -> Verdicts:
    """Of each name all that is forbidden, or where that is too much, one example."""
    samples: dict[str, list[Symbol]] = {}
    large: set[str] = set()
    for way in _ways(position, wanted):
        if wanted.actors and wanted.actors.isdisjoint(*way.domains[:1]):
            continue
        samples[way.name] = [action for action, _ in islice(way.actions(), MOST.of_name)]
        if way.open > MOST.of_name:
            large.add(way.name)
            del samples[way.name][MOST.sample :]
    verdicts = judged(position, [action for some in samples.values() for action in some])
    found: Verdicts = {}
    for name, actions in samples.items():
        wrong = [action for action in actions if not verdicts[action].legal]
        if name in large:
            fewest = sorted(wrong, key=lambda action: len(verdicts[action].rules))
            wrong = [] if name in wanted.legal else fewest[:1]
        found |= {action: verdicts[action] for action in wrong}
    return found


def _ways(position: Position, wanted: Wanted) -> Iterator[Prefix]:
    """How actions may be meant, name by name."""
    actions = position.ruleset.vocabulary.actions
    for name in [wanted.name] if wanted.name else actions:
        sorts = actions[name].sorts
        parts = wanted.parts or (ANY,) * len(sorts)
        free = [number for number, part in enumerate(parts) if part == ANY]
        if len(parts) != len(sorts):
            continue
        clicked = [names for names in wanted.clicked if not {*names} & {*parts}]
        for places in permutations(free, len(clicked)):
            chosen = dict(zip(places, clicked, strict=True))
            domains = tuple(
                tuple(_fitting(position, chosen.get(n, [part]), sort))
                if n in chosen or part != ANY
                else _open(position, n, sort, wanted)
                for n, (part, sort) in enumerate(zip(parts, sorts, strict=True))
            )
            if all(domains):
                yield Prefix(prod(map(len, domains)), places, name, domains)


def _fitting(position: Position, names: Iterable[Symbol], sort: str) -> Iterator[Symbol]:
    return (name for name in names if belongs(position, name, sort))


def _open(position: Position, number: int, sort: str, wanted: Wanted) -> tuple[Symbol, ...]:
    """What an argument may be of which nothing was said."""
    elided = position.ruleset.vocabulary.elided
    if sort in elided:
        return (elided[sort],)
    members = members_of(position, sort)
    acting = tuple(member for member in members if member in wanted.actors)
    return acting if number == 0 and acting else members
