"""Facts and their keys: what a fact, or an atom of a rule, is about as far as that matters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from clingo import Function, Symbol, SymbolType

from pymorph.terms import functor

Signature = tuple[str, int]
Key = tuple[str, int, str | None]
HOLDS: Signature = ("holds", 3)
EVERYWHERE: Signature = ("everywhere", 2)  # a fluent with its value in every situation asked about
READING: Signature = ("reading", 3)
DEFAULT: Signature = ("default", 2)
RULED: Signature = ("ruled", 3)
# Predicates whose keys have two words: a question and an option.
PAIRED: frozenset[Signature] = frozenset({READING, DEFAULT, RULED})


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


class Facts(list[Symbol]):
    """Facts with their keys: those of many positions are few, and slow to read off each fact."""

    def __init__(self, facts: Iterable[Symbol] = (), keys: Iterable[Key] | None = None) -> None:
        super().__init__(facts)
        self.keys = set(map(key_of, self)) if keys is None else set(keys)

    @classmethod
    def of(cls, facts: Iterable[Symbol]) -> Facts:
        """The facts with the keys that they have, or that are read off them."""
        return facts if isinstance(facts, Facts) else cls(facts)

    def append(self, fact: Symbol) -> None:
        self.keys.add(key_of(fact))
        super().append(fact)

    def extend(self, facts: Iterable[Symbol]) -> None:
        more = Facts.of(facts)
        self.keys |= more.keys
        super().extend(more)

    def __iadd__(self, facts: Iterable[Symbol]) -> Facts:  # type: ignore[override,misc]
        self.extend(facts)
        return self


def shared(common: Iterable[tuple[Symbol, Symbol]]) -> Facts:
    """What is told of fluents, with their values, that are the same in every situation."""
    found = [Function(EVERYWHERE[0], row) for row in common]
    keys = {(*HOLDS, functor(fact.arguments[0])) for fact in found}
    return Facts(found, {(*EVERYWHERE, None), *keys} if found else ())


def spread(facts: Facts) -> Facts:
    """The same, where what is shared is told of each situation."""
    if (*EVERYWHERE, None) not in facts.keys:
        return facts
    rest = [fact for fact in facts if fact.name != EVERYWHERE[0]]
    common = [fact.arguments for fact in facts if fact.name == EVERYWHERE[0]]
    here = [fact.arguments[0] for fact in rest if fact.name == "situation"]
    rest += [Function(HOLDS[0], [*row, each]) for each in here for row in common]
    return Facts(rest, facts.keys - {(*EVERYWHERE, None)})


def keys_of(facts: Iterable[Symbol]) -> frozenset[Key]:
    """The keys of facts."""
    return frozenset(Facts.of(facts).keys)
