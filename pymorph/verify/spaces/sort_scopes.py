"""How much of each sort is looked at, and which members of it: by a ruleset, and by who asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from clingo import Symbol, SymbolType

from pymorph.errors import InputError, clipped, nearest
from pymorph.ruleset.vocabulary import Vocabulary
from pymorph.terms import parse_symbol, text_of


class Extents(NamedTuple):
    """How many members of a sort are looked at, or how far a figure goes; and the members of sorts
    that are among them in any case."""

    most: Mapping[str, int]
    named: Mapping[str, tuple[Symbol, ...]]


def extents(words: Vocabulary, given: Iterable[str] = ()) -> Extents:
    """Those of a vocabulary, or of what is *given*: ``SORT=N``, ``SORT=MEMBER,MEMBER`` or both."""
    most, named = dict(words.extent), dict(words.always_included)
    for text in given:
        name, values = _parts(text)
        numbers = [value.number for value in values if value.type == SymbolType.Number]
        most.pop(name, None)
        named[name] = tuple(value for value in values if value.type != SymbolType.Number)
        most |= {name: numbers[0]} if numbers else {}
    for name, members in named.items():
        most[name] = max(most.get(name, 0), len(members))
    return Extents(most, named)


def _parts(text: str) -> tuple[str, tuple[Symbol, ...]]:
    """A name, and what is said of it. Raises: ValueError."""
    name, mark, values = (part.strip() for part in text.partition("="))
    if not mark:
        raise ValueError
    return name, tuple(parse_symbol(f"({values},)").arguments)


def fault(words: Vocabulary, text: str) -> str | None:
    """What is wrong with what a user gives, in words; None, if nothing is."""
    try:
        name, values = _parts(text)
    except (ValueError, InputError):
        return f"cannot read {clipped(text)}; expected SORT=N or SORT=MEMBER,MEMBER"
    known = [*words.sorts, *words.figures]
    if name not in known:
        return f"unknown sort {clipped(name)}{nearest(name, known)}"
    numbers = [value for value in values if value.type == SymbolType.Number]
    if len(numbers) > 1 or any(value.number < 0 for value in numbers) or not values:
        return f"cannot read {clipped(text)}; expected SORT=N or SORT=MEMBER,MEMBER"
    faults = (stranger(words, name, value) for value in values if value not in numbers)
    return next(filter(None, faults), None)


def stranger(words: Vocabulary, name: str, member: Symbol) -> str | None:
    """Why a bound cannot keep this member of a sort, in words; None, if it can."""
    sort = words.sorts.get(name)
    if sort is None or not (sort.kind == "listed" or sort.from_facts):
        return f"expected a number for the extent of {name}, not {clipped(text_of(member))}"
    if member not in sort.members:
        hint = nearest(text_of(member), map(text_of, sort.members))
        return f"unknown {name} {clipped(text_of(member))}{hint}"
    return None
