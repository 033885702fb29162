"""Facts and their keys: what a fact, or an atom of a rule, is about as far as that matters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from clingo import Function, Symbol, SymbolType

from pymorph.terms import functor

Signature = tuple[str, int]
Key = tuple[str, int, str | None]
HOLDS: Signature = ("holds", 3)
PRESENT: Signature = ("present", 2)
# Told once of all situations that are asked about: a fluent with its value; a name.
EVERYWHERE: Signature = ("everywhere", 2)
EVERYBODY: Signature = ("everywhere", 1)
READING: Signature = ("reading", 3)
DEFAULT: Signature = ("default", 2)
RULED: Signature = ("ruled", 3)
OCCURRED: Signature = ("occurred", 2)
# A hidden fluent with each value that it may have, and with that of them which is its default.
MAY: Signature = ("_may", 3)
BY_DEFAULT: Signature = ("_by_default", 3)
# Predicates whose keys have two words: a question and an option.
PAIRED: frozenset[Signature] = frozenset({READING, DEFAULT, RULED})
VEILED: Key = (*MAY, None)  # something is hidden


# The arity that stands for the values of a fluent: by their functors the keys of its name go.
VALUE = -1


@lru_cache(maxsize=20_000)
def value_key(fluent: Symbol, value: Symbol) -> Key:
    """The key of the value of a fluent."""
    named = value.type == SymbolType.Function and value.name
    return (fluent.name, VALUE, named or None)


def paired(question: str | None, option: str | None) -> str | None:
    """The functor that stands for an option of a question."""
    return None if question is None or option is None else f"{question}={option}"


def rulings(options: Mapping[str, Iterable[str]]) -> set[Key]:
    """The keys of all that may be ruled on some questions."""
    return {(*RULED, paired(question, o)) for question, row in options.items() for o in row}


def key_of(fact: Symbol) -> Key:
    """The key of a fact."""
    arguments = fact.arguments
    arity = len(arguments)
    first = arguments[0].name if arity and arguments[0].type == SymbolType.Function else None
    if (fact.name, arity) in PAIRED:
        first = paired(first, arguments[1].name)
    return (fact.name, arity, first or None)


def all_keys_of(fact: Symbol) -> tuple[Key, ...]:
    """The key of a fact, and that of the value that it tells of a fluent."""
    found = key_of(fact)
    if found[:2] == MAY:
        fluent, value, _ = fact.arguments
        return VEILED, (*HOLDS, fluent.name), value_key(fluent, value)
    if found[:2] != HOLDS:
        return (found,)
    fluent, value, _ = fact.arguments
    return found, value_key(fluent, value)


class Facts(list[Symbol]):
    """Facts with their keys: those of many positions are few, and slow to read off each fact."""

    def __init__(self, facts: Iterable[Symbol] = (), keys: Iterable[Key] | None = None) -> None:
        super().__init__(facts)
        self.keys = (
            {key for fact in self for key in all_keys_of(fact)} if keys is None else set(keys)
        )

    @classmethod
    def of(cls, facts: Iterable[Symbol]) -> Facts:
        """The facts with the keys that they have, or that are read off them."""
        return facts if isinstance(facts, Facts) else cls(facts)

    def append(self, fact: Symbol) -> None:
        self.keys.update(all_keys_of(fact))
        super().append(fact)

    def extend(self, facts: Iterable[Symbol]) -> None:
        more = Facts.of(facts)
        self.keys |= more.keys
        super().extend(more)

    def __iadd__(self, facts: Iterable[Symbol]) -> Facts:  # type: ignore[override,misc]
        self.extend(facts)
        return self


class Common(NamedTuple):
    """What positions have in common: names that their files list, fluents with their values."""

    names: frozenset[Symbol] = frozenset()
    items: frozenset[tuple[Symbol, Symbol]] = frozenset()

    def facts(self) -> Facts:
        """It as it is told, once for all situations."""
        found = Facts()
        for told, said, rows in (
            (EVERYBODY, PRESENT, [(name,) for name in self.names]),
            (EVERYWHERE, HOLDS, self.items),
        ):
            keys: set[Key] = {(*said, functor(row[0])) for row in rows}
            keys |= {value_key(*row) for row in rows if said == HOLDS}
            facts = [Function(told[0], row) for row in rows]
            found += Facts(facts, {(*told, None), *keys} if facts else ())
        return found


def spread(facts: Facts) -> Facts:
    """The same, where what is told once is told of each situation."""
    told = {(*EVERYWHERE, None), (*EVERYBODY, None)}
    if facts.keys.isdisjoint(told):
        return facts
    rest = [fact for fact in facts if fact.name != EVERYWHERE[0]]
    common = [fact.arguments for fact in facts if fact.name == EVERYWHERE[0]]
    here = [fact.arguments[0] for fact in rest if fact.name == "situation"]
    for row in common:
        name = HOLDS[0] if len(row) == EVERYWHERE[1] else PRESENT[0]
        rest += [Function(name, [*row, each]) for each in here]
    return Facts(rest, facts.keys - told)


def keys_of(facts: Iterable[Symbol]) -> frozenset[Key]:
    """The keys of facts."""
    return frozenset(Facts.of(facts).keys)
