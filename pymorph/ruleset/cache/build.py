"""A compiled ruleset: its statements as plain values in the cache, and its slices.

After an edit only the edited files are checked. A file is not checked again if its bytes are the
same and nothing that its statements were compared with is gone: words of the vocabulary, rules of
the catalogue, names that facts bring. Additions to these make no right statement wrong.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from pymorph.asp import serialization
from pymorph.asp.dependency import Slice, Statement
from pymorph.asp.facts import Key
from pymorph.asp.program import CheckedFile
from pymorph.asp.statements import CheckedStatement, Source
from pymorph.ruleset.cache.store import SPOILT, Values

AS_READ = ("drawn", "concealed")  # verbs that read the word `hidden` as the value


class CheckedFiles(NamedTuple):
    """The checked files of a ruleset, and all that their statements were *compared* with."""

    files: Mapping[Source, CheckedFile]
    compared: frozenset[str]


def encoded(
    base: Mapping[str, Any],
    verbs: Mapping[str, Mapping[str, Any]],
    everything: Sequence[CheckedStatement],
    checked: CheckedFiles,
    names: Sequence[str],
) -> Values:
    """The plain values of a `Build`: one for each statement and for each verb; then the checked
    files, what all verbs share, and what every question needs.

    The *verbs* have the places of their statements in *everything*; *names* are those of the files.
    """
    keys = serialization.Numbered()
    numbers = {name: number for number, name in enumerate(names)}
    stated = chain.from_iterable(file.statements for file in checked.files.values())
    statements = {id(s): s for s in (*stated, *everything)}  # some are in both
    places = {identity: place for place, identity in enumerate(statements)}
    lines = [
        serialization.statement_json(s, numbers.get(s.place.file, s.place.file), keys)
        for s in statements.values()
    ]
    files = [
        [_digest(source), len(file.statements), *serialization.file_json(file, keys)]
        for source, file in checked.files.items()
    ]
    shared = {
        "verbs": {verb: number for number, verb in enumerate(verbs, len(lines))},
        "order": [places[id(statement)] for statement in everything],
        "keys": list(keys),
    }
    return Values.of([*lines, *verbs.values(), [files, sorted(checked.compared)], shared, base])


class Build(dict[str, Slice]):
    """A compiled ruleset: its slices by verb, each put together when it is first asked for.

    *plain* are its values, the *base* among them is what every question needs; *names* are those
    of its files. Figures stay in their *bounds* where something is hidden.
    """

    def __init__(
        self, plain: Values, names: Sequence[str] = (), folders: tuple[str, ...] = ()
    ) -> None:
        super().__init__()
        self.plain = plain
        self.base: Mapping[str, Any] = plain[-1] if plain.lines else {}
        self.bounds: Mapping[str, tuple[int, int]] = {}
        self._names = dict[Any, str](enumerate(names))
        self._folders = folders
        self._parts: dict[int, Statement] = {}

    def __missing__(self, verb: str) -> Slice:
        values = self.plain[self.shared["verbs"][verb]]
        numbers = [self.shared["order"][place] for place in values["parts"]]
        new = [number for number in numbers if number not in self._parts]
        parts = (serialization.part_of(line, self._keys) for line in self.plain.some(new))
        self._parts.update(zip(new, parts, strict=True))
        part = self[verb] = Slice(
            tuple([self._parts[number] for number in numbers]),
            tuple((name, arity) for name, arity in values["shown"]),
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
        return Slice((*part.parts, *more), shown, self._folders, bounds=self.bounds)

    @cached_property
    def statements(self) -> tuple[CheckedStatement, ...]:
        """Every statement of the ruleset, whether a slice has it or not."""
        return tuple(
            serialization.statement_of(line, self._names.get(line[1], line[1]), self._keys)
            for line in self.plain.some(self.shared["order"])
        )

    def known(self, sources: Iterable[Source]) -> CheckedFiles:
        """The checked files of those *sources* that have not changed since."""
        try:
            files, compared = self.plain[-3]
            unchanged = self._unchanged(files, {_digest(source): source for source in sources})
            return CheckedFiles(dict(unchanged), frozenset(compared))
        except SPOILT:
            return CheckedFiles({}, frozenset())

    def _unchanged(
        self, files: Iterable[Any], sources: Mapping[str, Source]
    ) -> Iterator[tuple[Source, CheckedFile]]:
        end = 0
        for digest, size, *file in files:
            end += size
            if digest in sources:
                source, lines = sources[digest], self.plain.some(range(end - size, end))
                yield source, serialization.file_of(file, lines, source.name, self._keys)

    @cached_property
    def shared(self) -> Mapping[str, Any]:
        """The numbers of the verbs, the order of the statements, and the keys in their signs."""
        shared: Mapping[str, Any] = self.plain[-2]
        return shared

    @cached_property
    def _keys(self) -> list[Key]:
        return [(name, arity, word) for name, arity, word in self.shared["keys"]]


def _digest(source: Source) -> str:
    head = f"{source.name}\0{source.trusted}\0".encode("utf-8", "surrogateescape")
    return hashlib.sha256(head + source.text).hexdigest()[:32]
