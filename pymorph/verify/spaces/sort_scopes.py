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
    kept: Mapping[str, tuple[Symbol, ...]]


def extents(words: Vocabulary, given: Iterable[str] = ()) -> Extents:
    """Those of a vocabulary, or of what is *given*: ``SORT=N``, ``SORT=MEMBER,MEMBER`` or both."""
    most, kept = dict(words.extent), dict(words.always_included)
    for text in given:
        name, told = _parts(text)
        numbers = [each.number for each in told if each.type == SymbolType.Number]
        most.pop(name, None)
        kept[name] = tuple(each for each in told if each.type != SymbolType.Number)
        most |= {name: numbers[0]} if numbers else {}
    for name, members in kept.items():
        most[name] = max(most.get(name, 0), len(members))
    return Extents(most, kept)


def _parts(text: str) -> tuple[str, tuple[Symbol, ...]]:
    """A name, and what is said of it. Raises: ValueError."""
    name, mark, told = (part.strip() for part in text.partition("="))
    if not mark:
        raise ValueError
    return name, tuple(parse_symbol(f"({told},)").arguments)


def fault(words: Vocabulary, text: str) -> str | None:
    """What is wrong with what a user gives, in words; None, if nothing is."""
    try:
        name, told = _parts(text)
    except (ValueError, InputError):
        return f"cannot read {clipped(text)}; expected SORT=N or SORT=MEMBER,MEMBER"
    known = [*words.sorts, *words.figures]
    if name not in known:
        return f"unknown sort {clipped(name)}{nearest(name, known)}"
    numbers = [each for each in told if each.type == SymbolType.Number]
    if len(numbers) > 1 or any(each.number < 0 for each in numbers) or not told:
        return f"cannot read {clipped(text)}; expected SORT=N or SORT=MEMBER,MEMBER"
    found = (stranger(words, name, each) for each in told if each not in numbers)
    return next(filter(None, found), None)


def stranger(words: Vocabulary, name: str, member: Symbol) -> str | None:
    """Why a bound cannot keep this member of a sort, in words; None, if it can."""
    sort = words.sorts.get(name)
    if sort is None or not (sort.kind == "listed" or sort.from_facts):
        return f"expected a number for the extent of {name}, not {clipped(text_of(member))}"
    if member not in sort.members:
        hint = nearest(text_of(member), map(text_of, sort.members))
        return f"unknown {name} {clipped(text_of(member))}{hint}"
    return None
