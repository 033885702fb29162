"""The words of a game: the keys of its positions, its actions and its figures; and all rulesets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from clingo import Symbol

from pymorph.answers import json_keys
from pymorph.errors import PymorphError, UnknownName, clipped, nearest
from pymorph.ruleset import loader, locations
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import GIVEN, HIDDEN, Declared, Fluent, Sort, Vocabulary
from pymorph.terms import text_of

UNTOLD = "none"
SORT = re.compile(r"\b[A-Z][A-Z0-9_]*\b")
# What changes a fluent, in rules.
CHANGES = (("sets", 4), ("adds", 5), ("clears", 3), ("lapses", 4))
# What may be written for a member of a sort that depends on the position.
SAMPLES = {"board": "b2", "point": "[12, 5 1/2]", "vector": "[3, 1]", "length": "6"}


@json_keys(optional=["example", "rules"])
class FileKey(NamedTuple):
    """A key of a position: its path, its values, its default, what it is, an example, its fluent.

    The default is ``given`` if a file must have the key, and empty if there is no value then.
    The example is a line of a file. A key that was looked up has *rules* that change it.
    """

    path: str
    value: str
    default: str
    description: str = ""
    example: str = ""
    fluent: str = ""
    rules: tuple[str, ...] = ()

    @property
    def names(self) -> set[str]:
        """What it is found by: its path, each key of that, and the name of its fluent."""
        return {self.path, *filter(str.islower, self.path.split(".")), _name(self.fluent)} - {""}


NEEDED, PIECE = text_of(GIVEN), "table.terrain.NAME"
SIZE = "table: {size: [48, 36]}"
TABLE_KEYS = (  # of a position on a table in lengths
    FileKey("table.size", "two lengths", NEEDED, "how far it goes across and up", SIZE),
    FileKey(f"{PIECE}.label", "LABEL", NEEDED, "what the piece of terrain is"),
    FileKey(f"{PIECE}.area", "points", "", "the corners of a piece that has an area"),
    FileKey(f"{PIECE}.edge", "points", "", "the points of a piece that is a line"),
)


@json_keys(
    also=["ours"],
    without=["in_full"],
    spread=["ruleset.edition"],
    items={
        "figures": ("figure", "unit"),
        "sorts": ("sort", "members"),
        "descriptions": ("kind", "name", "description"),
    },
)
@dataclass(frozen=True, slots=True)
class Glossary:
    """The words of a game, or those that were looked up, which are *in_full*.

    A word in capitals is any member of the sort of that name. The *descriptions* are those of
    anything but keys: each with its kind, such as ``action``, and its name.
    """

    ruleset: Ruleset
    keys: tuple[FileKey, ...]
    actions: tuple[str, ...]
    figures: tuple[tuple[str, str], ...]
    fluents: tuple[str, ...]
    events: tuple[str, ...]
    sorts: tuple[tuple[str, str], ...]
    descriptions: tuple[tuple[str, str, str], ...]
    in_full: bool = False

    @property
    def ours(self) -> dict[str, str]:
        """The cards that no source has so, each with its status."""
        return self.ruleset.ours_in(name for _, ms in self.sorts for name in ms.split(", "))

    @property
    def names(self) -> list[str]:
        """What its words are found by, keys first."""
        keys = (name for key in self.keys for name in sorted(key.names))
        forms = (*self.actions, *dict(self.figures), *self.events, *dict(self.sorts))
        return list(dict.fromkeys((*keys, *map(_name, forms))))

    def description(self, form: str, *kinds: str) -> str:
        """What something is that has one of some *kinds*, by its name or its form."""
        name = _name(form)
        return next((text for k, n, text in self.descriptions if n == name and k in kinds), "")


def glossary(ruleset: Ruleset) -> Glossary:
    """The words of a game, in the order in which its vocabulary has them."""
    words = ruleset.vocabulary
    units = {part: name for part, (_, name) in words.units.items()}
    figures = [
        (_form(f), units.get(f.unit, f.unit).replace("_", " ")) for f in words.figures.values()
    ]
    figures += [(_form(f), "a word") for f in words.findings.values()]
    on_table = TABLE_KEYS if words.uses_table() else ()
    labels = [("label", ", ".join(words.ground))] if words.ground else []
    return Glossary(
        ruleset,
        (*on_table, *(file_key(fluent, words) for fluent in words.fluents.values())),
        tuple(map(_form, words.actions.values())),
        tuple(figures),
        tuple(map(_form, words.fluents.values())),
        tuple(sorted(ruleset.happenings)),
        (*((sort.name, _members(sort)) for sort in words.sorts.values()), *labels),
        tuple((*of, text) for of, text in words.descriptions.items() if of[0] != "fluent"),
    )


def looked_up(ruleset: Ruleset, names: Iterable[str]) -> Glossary:
    """The words of a game that have these *names*, in full, with the sorts that they use.

    A key is found by its path, a part of that, or its fluent. Raises: UnknownName.
    """
    every = glossary(ruleset)
    known = {name.lower(): name for name in every.names}
    for name in names:
        if name.lower() not in known:
            raise UnknownName(f"unknown word {clipped(name)}{nearest(name, known.values())}")
    wanted = {known[name.lower()] for name in names}
    keys = tuple(
        key._replace(rules=_changing(_name(key.fluent), ruleset))
        for key in every.keys
        if wanted & key.names
    )
    actions = tuple(form for form in every.actions if _name(form) in wanted)
    figures = tuple(row for row in every.figures if _name(row[0]) in wanted)
    sorts = dict(every.sorts)
    used = _sorts_in(*(f"{key.path} {key.value}" for key in keys), *actions, *dict(figures))
    used = (wanted | used) & sorts.keys()
    while more := _sorts_in(*map(sorts.__getitem__, used)) & sorts.keys() - used:
        used |= more
    return replace(
        every,
        keys=keys,
        actions=actions,
        figures=figures,
        fluents=tuple(key.fluent for key in keys if key.fluent),
        events=tuple(event for event in every.events if event in wanted),
        sorts=tuple(row for row in every.sorts if row[0] in used),
        descriptions=tuple(row for row in every.descriptions if row[1] in wanted | used),
        in_full=True,
    )


def _sorts_in(*texts: str) -> set[str]:
    return {name.lower() for name in SORT.findall(" ".join(texts))}


def _changing(fluent: str, ruleset: Ruleset) -> tuple[str, ...]:
    """The rules that change a fluent by name."""
    return ruleset.rules_giving("apply", [(*change, fluent) for change in CHANGES])


def _example(fluent: Fluent, words: Vocabulary) -> str:
    """A line of a file with the key of a fluent."""
    first, *steps = [
        s if isinstance(s, str) else _sample(words, fluent.sorts[s]) for s in fluent.path
    ]
    value = _sample(words, fluent.value, fluent.default)
    for step in reversed(steps):
        value = f"{{{step}: {value}}}"
    return f"{first}: {value}"


def _sample(words: Vocabulary, name: str, default: Symbol = GIVEN) -> str:
    """A member of a sort as a file has it; the *default* only if there is no other."""
    if item := words.sorts[name].of:
        return f"[{_sample(words, item)}]"
    members = words.members(name, words.usual_scene())
    for member in (*(m for m in members if m not in (default, HIDDEN)), *members):
        return text_of(member)
    kinds = {part.kind for part in words.parts(name)}
    return next((SAMPLES[kind] for kind in SAMPLES if kind in kinds), f"{name}_1")


def file_key(fluent: Fluent, words: Vocabulary) -> FileKey:
    """The key of a fluent in the file of a position."""
    default = words.said(fluent.name, fluent.default)
    known = words.sorts[fluent.value]
    value = f"{known.low} to {known.high}" if known.kind == "range" else fluent.value.upper()
    path, default = file_path(fluent), "" if default == UNTOLD else default
    says = words.descriptions.get(("fluent", fluent.name), "")
    return FileKey(path, value, default, says, _example(fluent, words), _form(fluent))


def file_path(fluent: Fluent) -> str:
    """The keys that lead to the value of a fluent in the file of a position."""
    return ".".join(fluent.sorts[s].upper() if isinstance(s, int) else s for s in fluent.path)


def _form(declared: Declared | Fluent) -> str:
    inner = ", ".join(sort.upper() for sort in declared.sorts)
    return f"{declared.name}({inner})" if inner else declared.name


def _name(form: str) -> str:
    return form.partition("(")[0]


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
