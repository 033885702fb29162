"""The words of a game: the keys of its positions, its actions and its figures; and all rulesets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pymorph.answers import json_keys
from pymorph.errors import PymorphError, UnknownName, clipped, nearest
from pymorph.ruleset import loader, locations
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import GIVEN, Declared, Fluent, Sort, Vocabulary
from pymorph.terms import text_of

UNTOLD = "none"


class FileKey(NamedTuple):
    """A key of a position: its path, its values, and its default.

    The default is ``given`` if a file must have the key, and empty if there is no value then.
    """

    path: str
    value: str
    default: str


@json_keys(
    also=["ours"],
    spread=["ruleset.edition"],
    items={"figures": ("figure", "unit"), "sorts": ("sort", "members")},
)
@dataclass(frozen=True, slots=True)
class Glossary:
    """The words of a game. A word in capitals is any member of the sort of that name."""

    ruleset: Ruleset
    keys: tuple[FileKey, ...]
    actions: tuple[str, ...]
    figures: tuple[tuple[str, str], ...]
    fluents: tuple[str, ...]
    events: tuple[str, ...]
    sorts: tuple[tuple[str, str], ...]

    @property
    def ours(self) -> dict[str, str]:
        """The cards that no source has so, each with its status."""
        return self.ruleset.ours_in(name for _, ms in self.sorts for name in ms.split(", "))


def glossary(ruleset: Ruleset) -> Glossary:
    """The words of a game, in the order in which its vocabulary has them."""
    words = ruleset.vocabulary
    units = {part: name for part, (_, name) in words.units.items()}
    figures = [
        (_form(f), units.get(f.unit, f.unit).replace("_", " ")) for f in words.figures.values()
    ]
    figures += [(_form(f), "a word") for f in words.findings.values()]
    return Glossary(
        ruleset,
        (*_table_keys(words), *(_key(fluent, words) for fluent in words.fluents.values())),
        tuple(map(_form, words.actions.values())),
        tuple(figures),
        tuple(map(_form, words.fluents.values())),
        tuple(sorted(ruleset.happenings)),
        tuple((sort.name, _members(sort)) for sort in words.sorts.values()),
    )


def _table_keys(words: Vocabulary) -> Iterator[FileKey]:
    """The keys of a table in lengths, in games that are played on one."""
    if words.uses_table():
        labels = ", ".join(words.ground)
        yield FileKey("table.size", "two lengths, such as [48, 36]", text_of(GIVEN))
        yield FileKey("table.terrain.NAME.label", labels, text_of(GIVEN))
        yield FileKey("table.terrain.NAME.area", "corners; for an .edge, points", "")


def _key(fluent: Fluent, words: Vocabulary) -> FileKey:
    steps = [fluent.sorts[s].upper() if isinstance(s, int) else s for s in fluent.path]
    default = words.said(fluent.name, fluent.default)
    known = words.sorts[fluent.value]
    value = f"{known.low} to {known.high}" if known.kind == "range" else fluent.value.upper()
    return FileKey(".".join(steps), value, "" if default == UNTOLD else default)


def _form(declared: Declared | Fluent) -> str:
    inner = ", ".join(sort.upper() for sort in declared.sorts)
    return f"{declared.name}({inner})" if inner else declared.name


def _members(sort: Sort) -> str:
    """What belongs to a sort, in words."""
    members = {
        "range": f"{sort.low} to {sort.high}",
        "file": "names of the file",
        "board": "places of the board",
        "terrain": "terrain of the table",
        "point": "points of the table, such as [12, 5 1/2]",
        "vector": "directions on the table, such as [3, 1]",
        "length": "lengths",
        "list": f"lists of up to {sort.high} {sort.of.upper()}",
        "union": "any of " + ", ".join(text_of(part).upper() for part in sort.members),
    }
    return members.get(sort.kind) or ", ".join(map(text_of, sort.members))


SHIPPED, EXAMPLE = "shipped", "example"


@json_keys(paths={"from": "origin"}, optional=["fault"])
@dataclass(frozen=True, slots=True)
class ListedRuleset:
    """A ruleset by the *name* that loads it; *fault* says why it cannot be used."""

    name: str
    version: str
    hash: str
    title: str
    origin: str
    folder: str
    fault: str = ""


def listed(names: Iterable[str] = ()) -> tuple[ListedRuleset, ...]:
    """The rulesets of these *names*, or all that there are, by name.

    Raises: UnknownName.
    """
    origins: dict[str, str] = {}
    for place in locations.everywhere():
        origins.setdefault(place.name, place.origin)
    wanted = list(dict.fromkeys(names)) or sorted(origins)
    for name in wanted:
        if name not in origins:
            raise UnknownName(f"unknown ruleset {clipped(name)}{nearest(name, origins)}")
    return tuple(_listed(name, origins[name]) for name in wanted)


def _listed(name: str, origin: str) -> ListedRuleset:
    folders = locations.folders_of(name)
    try:
        game = loader.load(name)
    except PymorphError as error:
        fault = str(error).splitlines()[0]
        return ListedRuleset(name, "", "", "", origin, str(folders[0]), fault)
    return ListedRuleset(name, game.version, game.hash, game.title, origin, str(folders[0]))
