"""What all properties are checked against: a ruleset, its sources, bounds, readings, starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, wraps
from math import isqrt
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from clingo import Symbol, SymbolType

from pymorph.asp.dependency import Statement
from pymorph.errors import InputError, PymorphError, clipped, nearest
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import Vocabulary
from pymorph.state.position import Position
from pymorph.terms import parse_symbol, text_of
from pymorph.verify.effort import EFFORT
from pymorph.verify.sources import Sources

# What a ruleset may say of its bounds, beside how many members of a sort are looked at.
BOUNDED = ("characters", "columns", "rows", "cards", "copies", "numbers")

Given = ParamSpec("Given")
_T = TypeVar("_T")


class Extents(NamedTuple):
    """How many members of a sort are looked at, or how far a figure goes; and the members of sorts
    that are among them in any case."""

    most: Mapping[str, int]
    named: Mapping[str, tuple[Symbol, ...]]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far positions are looked for.

    *characters*: how many of each kind of thing that a file lists; *board*: columns and rows, of a
    board that the game draws its lowest left corner (None: all of it); *cards*: how many of each
    sort that is made from cards, the most different ones (0: all); *copies*: how often a counter
    has each card; *numbers*: the highest number that any other counter may have; *extent*: of
    some sorts how many members, or which, as ``SORT=N`` or ``SORT=MEMBER,MEMBER``.
    """

    characters: int = 2
    board: tuple[int, int] | None = None
    cards: int = 4
    copies: int = 1
    numbers: int = 12
    extent: tuple[str, ...] = ()

    @classmethod
    def of(cls, ruleset: Ruleset, **given: Any) -> Bounds:
        """Those that are *given*, else those that a ruleset names, else the usual ones."""
        words = ruleset.vocabulary
        named: dict[str, Any] = {n: words.extent[n] for n in BOUNDED if n in words.extent}
        sides = [named.pop(side, None) for side in ("columns", "rows")]
        most = extents(words, given.get("extent", ())).most
        places = [most[n] for n, s in words.sorts.items() if n in most and s.kind == "board"]
        if any(sides) or places or not words.surface:
            named["board"] = _board(sides, min(places, default=0))
        return cls(**{**named, **{n: value for n, value in given.items() if value is not None}})


def _board(sides: Sequence[int | None], places: int) -> tuple[int, int]:
    """Columns and rows: those that are named, of a square that has no more than so many places, or
    as usual."""
    side = isqrt(places) or EFFORT.board_side
    columns = sides[0] or (places // sides[1] if places and sides[1] else side)
    rows = sides[1] or (places // columns if places else side)
    return max(columns, 1), max(rows, 1)


@dataclass(frozen=True)
class Scope:
    """A ruleset as it is verified. *changed* are the numbers of the statements that an edit
    touched; None: all of it is looked at. *gone* is what it took away. *rulings* (question:
    option) fix readings. *checked* are the ids of the properties that are checked; None: all.
    *named*: somebody asks for just these bounds, so no others are tried. *share*: of the time for
    what is tried on known positions and lines of play, if not all of it."""

    ruleset: Ruleset
    bounds: Bounds = Bounds()
    rulings: Mapping[str, str] = field(default_factory=dict)
    changed: frozenset[int] | None = None
    gone: tuple[Statement, ...] = ()
    checked: frozenset[str] | None = None
    named: bool = False
    share: float = 1.0

    def __getstate__(self) -> dict[str, Any]:
        """What travels to other processes: what else is known here is worked out again."""
        state = {f.name: getattr(self, f.name) for f in fields(self)}
        return {**state, "rulings": dict(self.rulings), "starts": self.starts}

    @cached_property
    def sources(self) -> Sources:
        return Sources.of(self.ruleset)

    @cached_property
    def extents(self) -> Extents:
        """How much of single sorts is looked at, by the bounds and by the ruleset."""
        return extents(self.ruleset.vocabulary, self.bounds.extent)

    @cached_property
    def memo(self) -> dict[object, Any]:
        """What is worked out once for this scope."""
        return {}

    def checks(self, name: str) -> bool:
        """Is this property checked?"""
        return self.checked is None or name in self.checked

    def checking(self, names: Iterable[str]) -> Scope:
        """The same, where no properties but these are checked."""
        narrowed = self.replaced(checked=frozenset(names))
        vars(narrowed)["memo"] = self.memo
        return narrowed

    def within(self, **changes: Any) -> Scope:
        """The same within other bounds."""
        return self.replaced(bounds=replace(self.bounds, **changes))

    def replaced(self, **changes: Any) -> Scope:
        """The same but for some *changes* that leave the ruleset as it is."""
        changed = replace(self, **changes)
        vars(changed)["sources"] = self.sources  # which is slow to read again
        return changed

    @cached_property
    def starts(self) -> tuple[Position, ...]:
        """The positions in which play begins, from the ruleset's own files, under the rulings."""
        positions = readable(self.ruleset, Position.load, self.ruleset.starts)
        return tuple(position.with_rulings(self.rulings) for position in positions)

    @cached_property
    def accepted(self) -> Mapping[str, Mapping[str, str]]:
        """What the ruleset accepts of each property: the reason for a subject, with its source."""
        documents = self.sources.arguments_of("document", 2)
        titles = {text_of(key): text_of(title) for key, title in documents}
        reasons: dict[str, dict[str, str]] = {}
        for arguments in self.sources.arguments_of("accepted", 5):
            name, subject, because, document, section = map(text_of, arguments)
            where = f"{titles.get(document, document)}, {section}"
            reasons.setdefault(name, {})[subject] = f"{because} ({where})"
        return reasons

    @cached_property
    def reading(self) -> Mapping[str, str]:
        """How each question is read."""
        defaults = {q.id: q.default for q in self.ruleset.questions.values()}
        return {**defaults, **self.rulings}


def once(
    work: Callable[Concatenate[Scope, Given], _T],
) -> Callable[Concatenate[Scope, Given], _T]:
    """A function that is evaluated once for each scope and each of its other arguments."""

    @wraps(work)
    def known(scope: Scope, /, *given: Given.args, **named: Given.kwargs) -> _T:
        key = (work, *given, *named.items())
        if key not in scope.memo:
            scope.memo[key] = work(scope, *given, **named)
        result: _T = scope.memo[key]
        return result

    return known


def wider_scopes(scope: Scope) -> Iterator[tuple[Scope, bool]]:
    """Where else to look for what ought to be found somewhere: under other readings (then they are
    left open), with every card, with one character more, on a larger corner of the game's board."""
    bounds = scope.bounds
    if scope.ruleset.questions:
        yield scope, True
    if bounds.cards:
        yield scope.within(cards=0), False
    if any(True for _ in scope.ruleset.vocabulary.file_sorts()):
        yield scope.within(characters=bounds.characters + 1), False
    if bounds.board and scope.ruleset.vocabulary.surface:
        yield scope.within(board=(2 * bounds.board[0], 2 * bounds.board[1])), False


def readable(
    ruleset: Ruleset, load: Callable[[Path], Position], paths: Iterable[Path]
) -> Iterator[Position]:
    """The positions of a ruleset in some files; it is for the verbs that ask about a file to say
    what is wrong with one that cannot be read."""
    for path in paths:
        with suppress(PymorphError):
            position = load(path)
            if position.ruleset == ruleset:
                yield position


# -- how much of single sorts ---------------------------------------------------------------------


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


def extent_fault(words: Vocabulary, text: str) -> str | None:
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
