"""Facts and their keys: what a fact, or an atom of a rule, is about as far as that matters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from clingo import Function, Symbol, SymbolType

from pymorph.terms import functor

Signature = tuple[str, int]
Key = tuple[str, int, str | None]
HOLDS: Signature = ("holds", 3)
PRESENT: Signature = ("present", 2)
# Stated once for all situations of a question: a fluent with its value; a name.
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


def parse_signatures(text: str) -> frozenset[Signature]:
    """The signatures that a text lists, such as ``holds/3 legal/2``."""
    pairs = (word.split("/") for word in text.split())
    return frozenset((name, int(arity)) for name, arity in pairs)


class Signs(NamedTuple):
    """What a statement requires, defines and uses, as keys.

    *requires* has a set of alternatives for each atom that has to hold. What it *defines* comes
    with a signature if its functor is whatever functor an atom of that signature has. *uses* are
    all keys that the statement looks at, also behind a ``not``.
    """

    requires: tuple[frozenset[Key], ...]
    defines: tuple[tuple[Key, Signature | None], ...]
    uses: frozenset[Key]

    @property
    def heads(self) -> frozenset[Signature]:
        """The predicates that the statement defines."""
        return frozenset([key[:2] for key, _ in self.defines])

    @property
    def body(self) -> frozenset[Signature]:
        """The predicates that it uses."""
        return frozenset([key[:2] for key in self.uses])

    def renamed(self, names: Mapping[Signature, str], head_only: bool = False) -> Signs:
        """The same with other *names* for some predicates; in the head alone, perhaps."""

        def key(old: Key) -> Key:
            return (names.get(old[:2], old[0]), *old[1:])

        def source(old: Signature | None) -> Signature | None:
            return old if old is None or head_only else (names.get(old, old[0]), old[1])

        defines = tuple((key(old), source(of)) for old, of in self.defines)
        if head_only:
            return self._replace(defines=defines)
        requires = tuple(frozenset(map(key, alternatives)) for alternatives in self.requires)
        return Signs(requires, defines, frozenset(map(key, self.uses)))


StatementKind = Literal["fact", "facts", "rule", "defined", "show"]


def paired(question: str | None, option: str | None) -> str | None:
    """The functor that stands for an option of a question."""
    return None if question is None or option is None else f"{question}={option}"


def rulings(options: Mapping[str, Iterable[str]]) -> set[Key]:
    """The keys of all that may be ruled on some questions."""
    return {(*RULED, paired(question, o)) for question, some in options.items() for o in some}


@lru_cache(maxsize=20_000)
def key_of(fact: Symbol) -> Key:
    """The key of a fact."""
    arguments = fact.arguments
    arity = len(arguments)
    first = arguments[0].name if arity and arguments[0].type == SymbolType.Function else None
    if (fact.name, arity) in PAIRED:
        first = paired(first, arguments[1].name)
    return (fact.name, arity, first or None)


@lru_cache(maxsize=20_000)
def keys_of_fact(fact: Symbol) -> tuple[Key, ...]:
    """The key of a fact; of what a hidden fluent may be, that it has a value and is hidden."""
    key = key_of(fact)
    return (VEILED, (*HOLDS, functor(fact.arguments[0]))) if key[:2] == MAY else (key,)


class Facts(list[Symbol]):
    """Facts with their keys: those of many positions are few, and slow to read off each fact."""

    def __init__(self, facts: Iterable[Symbol] = (), keys: Iterable[Key] | None = None) -> None:
        super().__init__(facts)
        self.keys = (
            {key for fact in self for key in keys_of_fact(fact)} if keys is None else set(keys)
        )

    @classmethod
    def of(cls, facts: Iterable[Symbol]) -> Facts:
        """The facts with the keys that they have, or that are read off them."""
        return facts if isinstance(facts, Facts) else cls(facts)

    def append(self, fact: Symbol) -> None:
        self.keys.update(keys_of_fact(fact))
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
        """The facts that state it, once for all situations."""
        facts = [Function(EVERYBODY[0], [name]) for name in self.names]
        facts += [Function(EVERYWHERE[0], item) for item in self.items]
        keys: set[Key] = {(*PRESENT, functor(name)) for name in self.names}
        keys |= {(*HOLDS, functor(fluent)) for fluent, _ in self.items}
        keys |= {(*EVERYBODY, None)} if self.names else set()
        keys |= {(*EVERYWHERE, None)} if self.items else set()
        return Facts(facts, keys)


def spread(facts: Facts) -> Facts:
    """The same, where what is stated once is stated of each situation."""
    common = {(*EVERYWHERE, None), (*EVERYBODY, None)}
    if facts.keys.isdisjoint(common):
        return facts
    rest = [fact for fact in facts if fact.name != EVERYWHERE[0]]
    situations = [fact.arguments[0] for fact in rest if fact.name == "situation"]
    for arguments in (fact.arguments for fact in facts if fact.name == EVERYWHERE[0]):
        name = HOLDS[0] if len(arguments) == EVERYWHERE[1] else PRESENT[0]
        rest += [Function(name, [*arguments, situation]) for situation in situations]
    return Facts(rest, facts.keys - common)


def keys_of(facts: Iterable[Symbol]) -> frozenset[Key]:
    """The keys of facts."""
    return frozenset(Facts.of(facts).keys)
