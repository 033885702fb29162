"""Slices as they are kept in the cache of a ruleset, as plain values, and put together again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from pymorph.asp.dependency import Signs, Slice, Statement, StatementKind, StatementLike
from pymorph.asp.facts import Key

STATEMENTS = "statements"  # the section with all of them
AS_READ = ("drawn", "concealed")  # verbs that take what is hidden for what is written there
NO_BOUNDS: Mapping[str, tuple[int, int]] = {}
Section = Mapping[str, Any]  # of what is kept of a ruleset, as plain values


class Slices(Mapping[str, Slice]):
    """The slices of a ruleset by verb, each put together when it is first asked for.

    *section* gives what `stored` makes: of a verb its statements, of all the `STATEMENTS`.
    """

    def __init__(
        self,
        section: Callable[[str], Section],
        folders: tuple[str, ...] = (),
        bounds: Mapping[str, tuple[int, int]] = NO_BOUNDS,
    ) -> None:
        self._section = section
        self._folders = folders
        self._bounds = bounds
        self._made: dict[str, Slice] = {}

    def __getitem__(self, verb: str) -> Slice:
        if verb not in self._made:
            row = self._section(verb)
            shown = tuple((name, arity) for name, arity in row["shown"])
            made = Slice(statements_of(row), shown, self._folders)
            made.as_read, made.unveil = verb in AS_READ, self._unveiled
            self._made[verb] = made
        return self._made[verb]

    def _unveiled(self, part: Slice) -> Slice:
        """A slice with what makes a position ill formed, its figures kept in their bounds."""
        checks = self["check"]
        own = {each.text for each in part.parts}
        more = (each for each in checks.parts if each.text not in own)
        shown = tuple(dict.fromkeys((*part.shown, *checks.shown)))
        return Slice((*part.parts, *more), shown, self._folders, bounds=self._bounds)

    @cached_property
    def _whole(self) -> Section:
        return self._section(STATEMENTS)

    @property
    def written(self) -> Sequence[tuple[int | None, int, int, StatementKind, bool]]:
        """Of each statement the number of its file (None: no file has it), line and column, its
        kind, and whether it is trusted."""
        found: Sequence[tuple[int | None, int, int, StatementKind, bool]] = self._whole["written"]
        return found

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Every statement of the ruleset, whether a slice has it or not."""
        return statements_of(self._whole)

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole["verbs"])

    def __len__(self) -> int:
        return len(self._whole["verbs"])


class Numbered(dict[Key, int]):
    """Keys by number, in the order in which they were met, and what is said with them."""

    def __missing__(self, key: Key) -> int:
        self[key] = number = len(self)
        return number

    def row(self, keys: Iterable[Key]) -> list[int]:
        return [self[key] for key in sorted(keys, key=lambda k: (k[0], k[1], k[2] or ""))]

    def signs(self, signs: Signs) -> list[Any]:
        gives = [[self[key], self[(*s, None)] if s else None] for key, s in signs.gives]
        return [[self.row(keys) for keys in signs.needs], gives, self.row(signs.reads)]


def signs_of(row: Sequence[Any], keys: Sequence[Key]) -> Signs:
    """The signs that stand in a *row* as numbers of *keys*."""
    needs, gives, reads = row
    return Signs(
        tuple(frozenset(keys[n] for n in alternatives) for alternatives in needs),
        tuple((keys[n], None if f is None else keys[f][:2]) for n, f in gives),
        frozenset(keys[n] for n in reads),
    )


def statements_of(row: Section) -> tuple[Statement, ...]:
    """The statements of a section."""
    keys = [(name, arity, word) for name, arity, word in row["keys"]]
    return tuple(Statement(text, signs_of(signs, keys)) for text, *signs in row["parts"])


def stored(
    statements: Sequence[StatementLike], verbs: Mapping[str, Any], written: Sequence[Any]
) -> dict[str, Section]:
    """What `Slices` is made from, as plain values: a section for each verb, and the whole."""

    def section(numbers: Iterable[int]) -> dict[str, Any]:
        keys = Numbered()
        parts = [[statements[n].text, *keys.signs(statements[n].signs)] for n in numbers]
        return {"parts": parts, "keys": [list(key) for key in keys]}

    found: dict[str, Section] = {
        verb: {**section(row["parts"]), "shown": row["shown"]} for verb, row in verbs.items()
    }
    return {
        **found,
        STATEMENTS: {**section(range(len(statements))), "verbs": verbs, "written": written},
    }
