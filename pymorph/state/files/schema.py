"""JSON Schema of the files of a game, from its vocabulary, for editors.

A schema is more lenient than the reader, which knows the board and the names of a file: what it
refuses is wrong, and what it lets pass is for `pymorph check` to judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from clingo import Symbol, SymbolType

from pymorph.board.lengths.length_units import TOWARDS
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import (
    GIVEN,
    HIDDEN,
    PAIRS,
    RECORDED,
    TABLE,
    UNFINISHED,
    Fluent,
    Scene,
)
from pymorph.state import record, rulings
from pymorph.state.claim import VERDICTS
from pymorph.terms import text_of

Schema = dict[str, Any]
Open = tuple[Fluent, int]  # a fluent, and how many of its keys have been gone through

DRAFT = "https://json-schema.org/draft/2020-12/schema"
KINDS = ("position", "record", "case", "rulings")
NAME = "^[a-z][A-Za-z0-9_]*$"
PLACE = "^[a-z]{1,2}[0-9]{1,3}$"
NUMBER = "^-?[0-9]+$"
LIST = r"^\(.*\)$"
DRAWINGS = {"board": "board", "hexes": "board of hexes"}
PATTERNS = {"file": NAME, "terrain": NAME, "board": PLACE, "range": NUMBER, "list": LIST}
TEXT: Schema = {"type": "string"}
LENGTH: Schema = {
    "type": ["number", "string"],
    "description": "A length: 12, 5 1/2, 3.6, 25 mm, about 3.14159.",
}
POINT: Schema = {"type": "array", "items": LENGTH, "minItems": 2, "maxItems": 2}
EDITION: Schema = {
    "version": {"type": ["string", "number"]},
    "hash": {"type": ["string", "integer"]},
}
DAY: Schema = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}


def schema(ruleset: Ruleset, kind: str = "position") -> Schema:
    """The schema of the files of one *kind*: ``position``, ``record``, ``case`` or ``rulings``."""
    drawer = _Drawer(ruleset)
    drawn: Schema = {
        "position": drawer.position,
        "record": drawer.record,
        "case": drawer.case,
        "rulings": drawer.house,
    }[kind]()
    title = {"rulings": "House rulings on"}.get(kind, f"A {kind} of")
    return {
        "$schema": DRAFT,
        "title": f"{title} {ruleset.title}",
        **drawn,
        "$defs": dict(sorted(drawer.shared.items())),
    }


def mapping(properties: Schema, required: Iterable[str] = (), **more: Any) -> Schema:
    """A mapping with these keys and no others."""
    needed = {"required": sorted(required)} if required else {}
    found = {"type": "object", "properties": properties, **needed}
    return {**found, "additionalProperties": False, **more}


def either(*parts: Schema) -> Schema:
    return parts[0] if len(parts) == 1 else {"anyOf": list(parts)}


def plain(symbol: Symbol) -> int | str:
    return symbol.number if symbol.type == SymbolType.Number else text_of(symbol)


class _Drawer:
    """Draws the schemas of one game; what recurs in them is *shared*."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.words = ruleset.vocabulary
        self.shared: dict[str, Schema] = {}

    def share(self, name: str, drawn: Schema) -> Schema:
        self.shared[name] = drawn
        return {"$ref": f"#/$defs/{name}"}

    # -- positions -------------------------------------------------------------------------------

    def position(self, within: bool = False) -> Schema:
        """A position; the game need not be named where the file around it does."""
        fluents = [(fluent, 0) for fluent in self.words.fluents.values()]
        found = self.keys(fluents)
        for sort in self.words.file_sorts():
            heading = self.words.headings[sort.name]
            below = found["properties"].setdefault(heading, self.keys([]))
            below.setdefault("patternProperties", {}).setdefault(NAME, self.keys([]))
            below |= {"type": "object"}
            if sort.name in self.words.acting():
                found["required"] = sorted({*found.get("required", ()), heading})
        if self.words.uses_board():
            for key in self.words.boards:
                what = DRAWINGS[key]
                found["properties"][key] = {**TEXT, "description": f"The {what}, drawn row by row."}
        if self.words.uses_table():
            found["properties"][TABLE] = self.table()
        found["properties"] |= {"ruleset": self.game(), **EDITION, "rulings": self.rulings()}
        found["properties"][UNFINISHED] = self.unfinished()
        if not within:
            found["required"] = sorted({*found.get("required", ()), "ruleset"})
        return {**found, "type": "object"}

    def table(self) -> Schema:
        """The table in lengths: its size, and terrain by name."""
        point = self.share("table_point", POINT)
        outline = {"type": "array", "items": point, "minItems": 2}
        label = {"enum": list(self.words.ground)}
        piece = mapping({"label": label, "area": outline, "edge": outline}, ["label"])
        below = {"type": ["object", "null"], "additionalProperties": piece}
        return mapping({"size": point, "terrain": below}, ["size"])

    def game(self) -> Schema:
        told = {"description": "The name of the game, or the path to its folder."}
        way = {**TEXT, "pattern": r"[./\\]"}
        return told | (
            TEXT if self.ruleset.from_path else either({"const": self.ruleset.name}, way)
        )

    def unfinished(self) -> Schema:
        told = "The actions that a roll interrupted, in the order in which they continue."
        return {"type": "array", "items": TEXT, "description": told}

    def rulings(self) -> Schema:
        return mapping(
            {
                each.id: {"description": each.asks, "enum": [option for option, _ in each.options]}
                for each in self.ruleset.questions.values()
            }
        )

    def keys(self, paths: Sequence[Open]) -> Schema:
        """The mapping whose keys lead on along some *paths*."""
        exact: dict[str, list[Open]] = {}
        alike: dict[str, list[Open]] = {}
        for fluent, depth in paths:
            step = fluent.path[depth]
            names, patterns = ([step], []) if isinstance(step, str) else self.names(fluent, step)
            for name in names:
                exact.setdefault(name, []).append((fluent, depth + 1))
            for pattern in patterns:
                alike.setdefault(pattern, []).append((fluent, depth + 1))
        properties = {name: self.titled(name, self.below(row)) for name, row in exact.items()}
        needed = [f.path[d] for f, d in paths if f.default == GIVEN and not _open(f, d)]
        found = mapping(properties, [name for name in needed if isinstance(name, str)])
        found["type"] = ["object", "null"]
        if alike:
            found["patternProperties"] = {p: self.below(row) for p, row in alike.items()}
        return found

    def below(self, paths: Sequence[Open]) -> Schema:
        """What stands under a key."""
        for fluent, depth in paths:
            if depth == len(fluent.path):
                return self.value(fluent)
        found = self.keys(paths)
        if all(self.counted(fluent, depth) for fluent, depth in paths):
            sorts = [self.sort(f.sorts[i]) for f, d in paths if isinstance(i := f.path[d], int)]
            return either(found, {"type": "array", "items": either(*sorts)})
        return found

    def counted(self, fluent: Fluent, depth: int) -> bool:
        """Could a list stand here: the last key is an argument, and the value a number?"""
        last = depth == len(fluent.path) - 1 and isinstance(fluent.path[-1], int)
        return last and self.words.sorts[fluent.value].kind == "range"

    def value(self, fluent: Fluent) -> Schema:
        found = self.sort(fluent.value)
        if self.words.is_aimed(fluent.value):
            found = either(found, {**TEXT, "pattern": rf"^{TOWARDS}\b"})
        if fluent.name in self.ruleset.veiled and not self.words.belongs(
            HIDDEN, fluent.value, Scene()
        ):
            found = either(found, {"const": plain(HIDDEN)})
        if fluent.default == GIVEN:
            return found
        return {**either(found, {"const": plain(fluent.default)}), "default": plain(fluent.default)}

    def titled(self, name: str, drawn: Schema) -> Schema:
        title = self.words.titles.get(name)
        return {"description": title, **drawn} if title else drawn

    def names(self, fluent: Fluent, index: int) -> tuple[list[str], list[str]]:
        """What an argument may be called as a key: names, and patterns of others."""
        names: list[str] = []
        patterns: list[str] = []
        for sort in self.words.parts(fluent.sorts[index]):
            if sort.kind in PATTERNS:
                patterns.append(PATTERNS[sort.kind])
            names += map(text_of, sort.members)
        return names, list(dict.fromkeys(patterns))

    def sort(self, name: str) -> Schema:
        """A member of a sort, as a value."""
        found: list[Schema] = []
        known: dict[int | str, None] = {}
        for sort in self.words.parts(name):
            if self.words.is_measured(sort.name):
                found.append(self.measured(sort.kind))
            elif sort.kind == "range":
                found.append({"type": "integer", "minimum": sort.low, "maximum": sort.high})
            elif sort.kind in PATTERNS:
                found.append({**TEXT, "pattern": PATTERNS[sort.kind]})
            known.update(dict.fromkeys(map(plain, sort.members)))
        if known or not found:
            found.append({"enum": list(known)})
        return self.share(name, either(*found))

    def measured(self, kind: str) -> Schema:
        """A length, a point or a list of points."""
        if kind == "length":
            return LENGTH
        point = self.share("table_point", POINT)
        return point if kind in PAIRS else {"type": "array", "items": point}

    # -- what is played, and what is claimed -----------------------------------------------------

    def action(self) -> str:
        """The pattern of an action, or of a piece of one: YAML cuts it at commas in a list in
        brackets."""
        names = "|".join(map(re.escape, self.words.actions))
        return rf"^\s*({names})\s*\(|^(?!\s*\w+\s*\(.*\)\s*$)"

    def steps(self) -> tuple[Schema, Schema]:
        """A step, and a list of steps."""
        action = {**TEXT, "pattern": self.action()}
        rolls = either(action, {"type": "array", "items": action})
        rolled = {"type": "object", "maxProperties": 1, "additionalProperties": False}
        step = self.share(
            "step", either(action, {**rolled, "patternProperties": {self.action(): rolls}})
        )
        return step, {"type": "array", "items": step}

    def record(self) -> Schema:
        step, steps = self.steps()
        whole = {name: self.value(f) for name, f in self.words.fluents.items() if not f.sorts}
        group = mapping({"at": mapping(whole), "do": steps}, ["do"])
        played = {"type": "array", "items": either(group, step)}
        keys = {
            "ruleset": self.game(),
            **EDITION,
            "position": self.start(),
            "rulings": self.rulings(),
            "result": either(TEXT, self.end()),
            RECORDED: either(played, {"type": "null"}),
        }
        assert set(keys) == set(record.KEYS)
        return mapping(keys, ["position", RECORDED])

    def end(self) -> Schema:
        names = either(TEXT, {"type": "array", "items": TEXT, "minItems": 1})
        keys = {"wins": names, "drawn": {"enum": ["yes", True]}, "by": TEXT, "position": TEXT}
        assert set(keys) == set(record.RESULT)
        return mapping(keys, ["by"])

    def start(self) -> Schema:
        told = {**TEXT, "description": "A file beside this one, or a position in one line."}
        return either(told, self.share("position_here", self.position(within=True)))

    def case(self) -> Schema:
        step, steps = self.steps()
        verdict = {"enum": list(VERDICTS)}
        keys = {
            "by": TEXT,
            "claim": TEXT,
            "after": either(step, steps),
            "within": {"type": ["string", "integer"]},
            "who": TEXT,
            "against": TEXT,
            "rolls": either(TEXT, {"type": "array", "items": TEXT}),
            "expect": either(verdict, {"type": "object", "additionalProperties": verdict}),
            "rules": {"type": "array", "items": TEXT},
        }
        claim = either(TEXT, mapping(keys, ["claim"]))
        record_here = self.share("record_here", self.record())
        whole = {
            "ruleset": self.game(),
            "position": either(self.start(), record_here),
            "rulings": self.rulings(),
            "claims": {"type": "array", "minItems": 1, "items": claim},
            **EDITION,
            **dict.fromkeys(("id", "title", "tells", "decided", "note"), TEXT),
            "date": DAY,
        }
        return mapping(whole, ["claims", "position"])

    def house(self) -> Schema:
        questions = self.ruleset.questions.values()
        keys = {
            "question": {"enum": [each.id for each in questions]},
            "option": TEXT,
            "date": DAY,
            **dict.fromkeys(("why", "source"), TEXT),
        }
        assert set(keys) == set(rulings.TOLD)
        options = [
            {
                "if": {"properties": {"question": {"const": each.id}}},
                "then": {"properties": {"option": {"enum": [o for o, _ in each.options]}}},
            }
            for each in questions
        ]
        ruling = mapping(keys, ["question", "option"], **({"allOf": options} if options else {}))
        rows = {"type": "array", "items": ruling}
        return mapping({"ruleset": self.game(), "rulings": rows}, rulings.KEYS)


def _open(fluent: Fluent, depth: int) -> bool:
    """Does any of the keys that are left stand for an argument?"""
    return any(isinstance(step, int) for step in fluent.path[depth:])
