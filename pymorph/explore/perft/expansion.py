"""What comes of every action in many positions, told as such or as texts, which travel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from clingo import Function, Symbol, parse_term

from pymorph.dynamics.asking.batch import BATCH, ask, batches, by_situation, facts_of
from pymorph.dynamics.asking.proposals import hold_to_sorts
from pymorph.dynamics.transitions import Expander
from pymorph.state.claim import matches
from pymorph.state.position import Position
from pymorph.terms import Term

SHARE = 2 * BATCH  # positions that are looked at together
KEPT = 100_000  # terms whose texts are remembered

Shares = dict[str, int]  # how many sequences, by the action that they begin with
PositionKey = Position | str  # a position, or how it differs from the first one
Expansion = Mapping[PositionKey, Shares]


class Successor(NamedTuple):
    """An action, the position that it leads to, if that was asked, and whether it is the last."""

    action: Symbol
    after: Position | None = None
    last: bool = False


@dataclass(slots=True)
class Stretch:
    """What comes of some positions: how many sequences there *found* are of one action more, those
    that lead on to the *following* positions, those *closed* by a last action, and those that had
    *ended* before. *beyond* are the other positions they lead to, if those were asked for."""

    looked: int = 0
    found: Shares = field(default_factory=dict)
    following: dict[PositionKey, Shares] = field(default_factory=dict)
    closed: int = 0
    ended: int = 0
    beyond: set[PositionKey] = field(default_factory=set)

    def add(self, other: Stretch) -> None:
        """Put what comes of other positions on top."""
        self.looked += other.looked
        self.closed += other.closed
        self.ended += other.ended
        self.beyond |= other.beyond
        add(self.found, other.found)
        for key, shares in other.following.items():
            add(self.following.setdefault(key, {}), shares)


@dataclass(frozen=True, slots=True)
class ActionFilter:
    """Which actions are followed: those *of* some actors, or of all, but for the forms in
    *without*; none after the end of a period *until*."""

    of: frozenset[str] = frozenset()
    without: tuple[Symbol, ...] = ()
    until: str = ""

    def follows(self, action: Symbol) -> bool:
        """Is an action one of them?"""
        if self.of and Term(action).actor not in self.of:
            return False
        return not any(matches(pattern, action) for pattern in self.without)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.of, tuple(map(str, self.without)), self.until)


def _rebuilt(of: frozenset[str], without: tuple[str, ...], until: str) -> ActionFilter:
    return ActionFilter(of, tuple(map(parse_term, without)), until)


class Stepper:
    """Takes every action that is followed from some positions, in this process."""

    def __init__(self, start: Position, chosen: ActionFilter) -> None:
        self._grower = Expander(start.ruleset)
        self._chosen = chosen

    def stretches(self, layer: Expansion, bare: bool, wide: bool) -> Iterator[Stretch]:
        """What comes of the positions of a layer, share by share.

        *bare*: where they lead is not asked; *wide*: all positions are asked for.
        """
        keys = list(layer)
        for first in range(0, len(keys), SHARE):
            yield self.stretch({key: layer[key] for key in keys[first : first + SHARE]}, bare, wide)

    def stretch(self, layer: Expansion, bare: bool, wide: bool) -> Stretch:
        """What comes of the positions of a layer together."""
        whole = Stretch(len(layer))
        positions = self.read(layer)
        for shares, before, steps in zip(
            layer.values(), positions, self.steps(positions, bare), strict=True
        ):
            whole.ended += 0 if steps else sum(shares.values())
            for action, after, last in steps:
                more = shares or {_text(action): 1}
                add(whole.found, more)
                if last:
                    whole.closed += sum(more.values())
                if after is not None and not last:
                    add(whole.following.setdefault(self.key(before, after), {}), more)
                elif after is not None and wide:
                    whole.beyond.add(self.key(before, after))
        self.forget()
        return whole

    def read(self, keys: Iterable[PositionKey]) -> list[Position]:
        """The positions of some keys."""
        return [key for key in keys if isinstance(key, Position)]

    def key(self, before: Position, after: Position) -> PositionKey:
        """The key of a position to which an action leads from another."""
        return after

    def forget(self) -> None:
        """Let go of what was found of single positions, which may be too much to keep."""
        self._grower.forget()

    def steps(self, positions: Sequence[Position], bare: bool) -> list[list[Successor]]:
        """The steps of each of the positions."""
        if bare:
            return self._bare(positions)
        until = self._chosen.until
        return [
            [Successor(action, leg.after, until in leg.ended) for action, leg in row.items()]
            for row in self._grower.legs_of(positions, self._chosen.follows)
        ]

    def _bare(self, positions: Sequence[Position]) -> list[list[Successor]]:
        found: list[list[Successor]] = [[] for _ in positions]
        for first, numbers in batches(positions):
            facts = facts_of(positions, numbers)
            for n, rows in by_situation(ask("legal", first, facts)["legal"], 1).items():
                hold_to_sorts(positions[n], (row[0] for row in rows))
                found[n] = [Successor(row[0]) for row in rows if self._chosen.follows(row[0])]
        return found


def add(shares: Shares, more: Mapping[str, int]) -> None:
    """Put numbers of sequences on top of others."""
    for action, number in more.items():
        shares[action] = shares.get(action, 0) + number


# -- as texts --------------------------------------------------------------------------------------


def difference(start: Position, position: Position) -> str:
    """How a position differs from the first one, as it is sent."""
    new = dict(position.items - start.items)
    for fluent, _ in start.items - position.items:
        new.setdefault(fluent, position.default(fluent))
    told = {_text(fluent): _text(value) for fluent, value in new.items()} | _unfinished(position)
    return "\n".join(sorted(map("\0".join, told.items())))


def _unfinished(position: Position) -> dict[str, str]:
    """What is unfinished in a position, as a line without a name."""
    return {"": _text(Function("", position.unfinished))} if position.unfinished else {}


class TextStepper(Stepper):
    """Takes actions from positions that are told as texts, and tells the same of where they lead.

    A text has a line for each fluent that differs from the first position: its name, its value; and
    one without a name for what is unfinished.
    """

    def __init__(self, start: Position, chosen: ActionFilter) -> None:
        super().__init__(start, chosen)
        self._start = start
        self._known: dict[Position, dict[str, str]] = {}
        self._keys: dict[Position, str] = {}

    def stretch(self, layer: Expansion, bare: bool, wide: bool) -> Stretch:
        if len(layer) <= SHARE:
            return super().stretch(layer, bare, wide)
        whole = Stretch()
        for each in self.stretches(layer, bare, wide):
            whole.add(each)
        return whole

    def read(self, keys: Iterable[PositionKey]) -> list[Position]:
        at, known, found = self._start.with_unfinished(()), dict[str, str](), []
        for key in keys:
            told = dict(line.split("\0") for line in str(key).split("\n") if line)
            left = told.pop("", "")
            changes = {_term(f): _term(v) for f, v in told.items() if known.get(f) != v}
            for fluent in map(_term, known.keys() - told.keys()):
                changes[fluent] = self._value(fluent)
            at, known = at.with_changes(changes), told
            whole = at.with_unfinished(_term(left).arguments) if left else at
            self._known[whole] = told
            found.append(whole)
        return found

    def key(self, before: Position, after: Position) -> PositionKey:
        found = self._keys.get(after)
        if found is None:
            told = dict(self._known[before])
            new = dict(after.items - before.items)
            for fluent, _ in before.items - after.items:
                new.setdefault(fluent, after.default(fluent))
            for fluent, value in new.items():
                if value == self._value(fluent):
                    told.pop(_text(fluent), None)
                else:
                    told[_text(fluent)] = _text(value)
            told |= _unfinished(after)
            found = "\n".join(sorted(map("\0".join, told.items())))
            self._keys[after] = found
        return found

    def forget(self) -> None:
        super().forget()
        self._known.clear()
        self._keys.clear()

    def _value(self, fluent: Symbol) -> Symbol:
        found = self._start.fluents.get(fluent)
        return self._start.default(fluent) if found is None else found


_text = lru_cache(maxsize=KEPT)(str)
_term = lru_cache(maxsize=KEPT)(parse_term)
