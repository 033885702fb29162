"""Slices to and from the plain values in the cache of a ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pymorph.asp.dependency import Slice, Statement
from pymorph.asp.facts import Key, Signs, StatementKind

if TYPE_CHECKING:
    from pymorph.asp.statements import CheckedStatement

STATEMENTS = "statements"  # the section with all statements
AS_READ = ("drawn", "concealed")  # verbs that read the word `hidden` as the value
NO_BOUNDS: Mapping[str, tuple[int, int]] = {}
Section = Mapping[str, Any]  # a part of a compiled ruleset, as plain values


class Slices(dict[str, Slice]):
    """The slices of a ruleset by verb, each put together when it is first asked for.

    *section* gives what `stored` makes: of a verb its statements, of all the `STATEMENTS`.
    """

    def __init__(
        self,
        section: Callable[[str], Section],
        folders: tuple[str, ...] = (),
        bounds: Mapping[str, tuple[int, int]] = NO_BOUNDS,
    ) -> None:
        super().__init__()
        self._section = section
        self._folders = folders
        self._bounds = bounds

    def __missing__(self, verb: str) -> Slice:
        section = self._section(verb)
        shown = tuple((name, arity) for name, arity in section["shown"])
        part = self[verb] = Slice(
            statements_of(section),
            shown,
            self._folders,
            as_read=verb in AS_READ,
            unveil=self._unveiled,
        )
        return part

    def _unveiled(self, part: Slice) -> Slice:
        """A slice that also checks the position, with its figures in their bounds."""
        checks = self["check"]
        own = {statement.text for statement in part.parts}
        more = (statement for statement in checks.parts if statement.text not in own)
        shown = tuple(dict.fromkeys((*part.shown, *checks.shown)))
        return Slice((*part.parts, *more), shown, self._folders, bounds=self._bounds)

    @cached_property
    def _all(self) -> Section:
        return self._section(STATEMENTS)

    @property
    def written(self) -> Sequence[tuple[int | None, int, int, StatementKind, bool]]:
        """Of each statement the number of its file (None: no file has it), line and column, its
        kind, and whether it is trusted."""
        written: Sequence[tuple[int | None, int, int, StatementKind, bool]] = self._all["written"]
        return written

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Every statement of the ruleset, whether a slice has it or not."""
        return statements_of(self._all)


class Numbered(dict[Key, int]):
    """Keys by number, in the order in which they were first used."""

    def __missing__(self, key: Key) -> int:
        self[key] = number = len(self)
        return number

    def numbers(self, keys: Iterable[Key]) -> list[int]:
        return [self[key] for key in sorted(keys, key=lambda k: (k[0], k[1], k[2] or ""))]

    def signs(self, signs: Signs) -> list[Any]:
        defines = [[self[key], self[(*s, None)] if s else None] for key, s in signs.defines]
        return [[self.numbers(keys) for keys in signs.requires], defines, self.numbers(signs.uses)]


def signs_of(numbers: Sequence[Any], keys: Sequence[Key]) -> Signs:
    """The signs whose keys are given as *numbers* of *keys*."""
    requires, defines, uses = numbers
    return Signs(
        tuple(frozenset(keys[n] for n in alternatives) for alternatives in requires),
        tuple((keys[n], None if f is None else keys[f][:2]) for n, f in defines),
        frozenset(keys[n] for n in uses),
    )


def statements_of(section: Section) -> tuple[Statement, ...]:
    """The statements of a section."""
    keys = [(name, arity, word) for name, arity, word in section["keys"]]
    return tuple(Statement(text, signs_of(signs, keys)) for text, *signs in section["parts"])


def stored(
    statements: Sequence[CheckedStatement], verbs: Mapping[str, Any], written: Sequence[Any]
) -> dict[str, Section]:
    """The sections that `Slices` reads: one for each verb, and `STATEMENTS`."""

    def section(numbers: Iterable[int]) -> dict[str, Any]:
        keys = Numbered()
        parts = [[statements[n].text, *keys.signs(statements[n].signs)] for n in numbers]
        return {"parts": parts, "keys": [list(key) for key in keys]}

    every = {**section(range(len(statements))), "verbs": verbs, "written": written}
    of_verbs = {
        verb: {**section(part["parts"]), "shown": part["shown"]} for verb, part in verbs.items()
    }
    return {**of_verbs, STATEMENTS: every}
