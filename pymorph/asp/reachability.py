"""Which statements can fire with known facts, derived from what most questions have in common.

The facts of two questions to the same rules hardly differ, and what can fire by some of them can
fire by all: so the common part is derived once, and each question adds its own facts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pymorph.asp.facts import READING, Key, Signature, Signs

Waiting = dict[Signature, dict[str | None, list[int]]]
NOTHING: frozenset[str | None] = frozenset()


@dataclass(eq=False)
class Closure:
    """The statements that fire with some keys, and the keys for which the others wait."""

    signs: Sequence[Signs]
    first: Mapping[Signature, Mapping[str | None, Sequence[int]]]  # by their first condition
    known: frozenset[Key] = frozenset()
    fired: set[int] = field(default_factory=set)
    _available: dict[Signature, set[str | None]] = field(default_factory=lambda: defaultdict(set))
    _waiting: Waiting = field(default_factory=lambda: defaultdict(dict))
    _flowing: dict[Signature, list[Signature]] = field(default_factory=lambda: defaultdict(list))

    def with_keys(self, keys: frozenset[Key], without: Container[int] = ()) -> Closure:
        """The closure of more keys, *without* some statements; this one stays as it is."""
        more = Closure(self.signs, self.first, keys, set(self.fired))
        more._available.update((key, set(functors)) for key, functors in self._available.items())
        more._waiting.update(
            (key, {functor: list(numbers) for functor, numbers in waiting.items()})
            for key, waiting in self._waiting.items()
            if waiting
        )
        more._flowing.update((key, list(targets)) for key, targets in self._flowing.items())
        agenda = [*(keys - self.known)]
        if not self.known:
            free = (n for n, signs in enumerate(self.signs) if not signs.requires)
            more._look(free, agenda, without)
        more._spread(agenda, without)
        return more

    def _spread(self, agenda: list[Key], without: Container[int]) -> None:
        while agenda:
            key = agenda.pop()
            functors = self._available[key[:2]]
            if key[2] in functors:
                continue
            first = not functors
            functors.add(key[2])
            agenda += [(*target, key[2]) for target in self._flowing.get(key[:2], ())]
            waiting, untried = self._waiting.pop(key[:2], {}), self.first.get(key[:2], {})
            if key[2] is None:
                woken = [n for numbers in (*waiting.values(), *untried.values()) for n in numbers]
            else:
                woken = [*waiting.pop(key[2], ()), *waiting.pop(None, ())]
                woken += [*untried.get(key[2], ()), *(untried.get(None, ()) if first else ())]
                self._waiting[key[:2]] = waiting
            self._look(woken, agenda, without)

    def _look(self, numbers: Iterable[int], agenda: list[Key], without: Container[int]) -> None:
        """Fire statements, or let each wait for the first of its conditions that is missing."""
        for number in numbers:
            if number in self.fired or number in without:
                continue
            signs = self.signs[number]
            missing = next(
                (need for need in signs.requires if not any(map(self._holds, need))), None
            )
            if missing is not None:
                for key in missing:
                    self._waiting[key[:2]].setdefault(key[2], []).append(number)
                continue
            self.fired.add(number)
            for key, source in signs.defines:
                if key[:2] == READING:
                    continue
                if source is None:
                    agenda.append(key)
                else:
                    self._flowing[source].append(key[:2])
                    available = self._available.get(source, NOTHING)
                    agenda.extend((*key[:2], functor) for functor in available)

    def _holds(self, key: Key) -> bool:
        functors = self._available.get(key[:2], NOTHING)
        return bool(functors) and (key[2] is None or key[2] in functors or None in functors)
