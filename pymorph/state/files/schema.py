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
    schema = {"type": "object", "properties": properties, **needed}
    return {**schema, "additionalProperties": False, **more}


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
        schema = self.keys(fluents)
        for sort in self.words.file_sorts():
            heading = self.words.headings[sort.name]
            below = schema["properties"].setdefault(heading, self.keys([]))
            below.setdefault("patternProperties", {}).setdefault(NAME, self.keys([]))
            below |= {"type": "object"}
            if sort.name in self.words.acting():
                schema["required"] = sorted({*schema.get("required", ()), heading})
        if self.words.uses_board():
            for key in self.words.boards:
                description = f"The {DRAWINGS[key]}, drawn row by row."
                schema["properties"][key] = {**TEXT, "description": description}
        if self.words.uses_table():
            schema["properties"][TABLE] = self.table()
        schema["properties"] |= {"ruleset": self.game(), **EDITION, "rulings": self.rulings()}
        schema["properties"][UNFINISHED] = self.unfinished()
        if not within:
            schema["required"] = sorted({*schema.get("required", ()), "ruleset"})
        return {**schema, "type": "object"}

    def table(self) -> Schema:
        """The table in lengths: its size, and terrain by name."""
        point = self.share("table_point", POINT)
        outline = {"type": "array", "items": point, "minItems": 2}
        label = {"enum": list(self.words.ground)}
        piece = mapping({"label": label, "area": outline, "edge": outline}, ["label"])
        below = {"type": ["object", "null"], "additionalProperties": piece}
        return mapping({"size": point, "terrain": below}, ["size"])

    def game(self) -> Schema:
        description = {"description": "The name of the game, or the path to its folder."}
        path = {**TEXT, "pattern": r"[./\\]"}
        return description | (
            TEXT if self.ruleset.from_path else either({"const": self.ruleset.name}, path)
        )

    def unfinished(self) -> Schema:
        description = "The actions that a roll interrupted, in the order in which they continue."
        return {"type": "array", "items": TEXT, "description": description}

    def rulings(self) -> Schema:
        return mapping(
            {
                question.id: {"description": question.asks, "enum": list(dict(question.options))}
                for question in self.ruleset.questions.values()
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
        properties = {name: self.titled(name, self.below(inner)) for name, inner in exact.items()}
        needed = [f.path[d] for f, d in paths if f.default == GIVEN and not _open(f, d)]
        schema = mapping(properties, [name for name in needed if isinstance(name, str)])
        schema["type"] = ["object", "null"]
        if alike:
            schema["patternProperties"] = {p: self.below(inner) for p, inner in alike.items()}
        return schema

    def below(self, paths: Sequence[Open]) -> Schema:
        """What stands under a key."""
        for fluent, depth in paths:
            if depth == len(fluent.path):
                return self.value(fluent)
        schema = self.keys(paths)
        if all(self.counted(fluent, depth) for fluent, depth in paths):
            sorts = [self.sort(f.sorts[i]) for f, d in paths if isinstance(i := f.path[d], int)]
            return either(schema, {"type": "array", "items": either(*sorts)})
        return schema

    def counted(self, fluent: Fluent, depth: int) -> bool:
        """Could a list stand here: the last key is an argument, and the value a number?"""
        last = depth == len(fluent.path) - 1 and isinstance(fluent.path[-1], int)
        return last and self.words.sorts[fluent.value].kind == "range"

    def value(self, fluent: Fluent) -> Schema:
        value = self.sort(fluent.value)
        if self.words.is_aimed(fluent.value):
            value = either(value, {**TEXT, "pattern": rf"^{TOWARDS}\b"})
        if fluent.name in self.ruleset.veiled and not self.words.belongs(
            HIDDEN, fluent.value, Scene()
        ):
            value = either(value, {"const": plain(HIDDEN)})
        if fluent.default == GIVEN:
            return value
        return {**either(value, {"const": plain(fluent.default)}), "default": plain(fluent.default)}

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
        schemas: list[Schema] = []
        known: dict[int | str, None] = {}
        for sort in self.words.parts(name):
            if self.words.is_measured(sort.name):
                schemas.append(self.measured(sort.kind))
            elif sort.kind == "range":
                schemas.append({"type": "integer", "minimum": sort.low, "maximum": sort.high})
            elif sort.kind in PATTERNS:
                schemas.append({**TEXT, "pattern": PATTERNS[sort.kind]})
            known.update(dict.fromkeys(map(plain, sort.members)))
        if known or not schemas:
            schemas.append({"enum": list(known)})
        return self.share(name, either(*schemas))

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
        heading = {name: self.value(f) for name, f in self.words.fluents.items() if not f.sorts}
        group = mapping({"at": mapping(heading), "do": steps}, ["do"])
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
        file = {**TEXT, "description": "A file beside this one, or a position in one line."}
        return either(file, self.share("position_here", self.position(within=True)))

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
        properties = {
            "ruleset": self.game(),
            "position": either(self.start(), record_here),
            "rulings": self.rulings(),
            "claims": {"type": "array", "minItems": 1, "items": claim},
            **EDITION,
            **dict.fromkeys(("id", "title", "tells", "decided", "note"), TEXT),
            "date": DAY,
        }
        return mapping(properties, ["claims", "position"])

    def house(self) -> Schema:
        questions = self.ruleset.questions.values()
        keys = {
            "question": {"enum": [question.id for question in questions]},
            "option": TEXT,
            "date": DAY,
            **dict.fromkeys(("why", "source"), TEXT),
        }
        assert set(keys) == set(rulings.RULING_KEYS)
        options = [
            {
                "if": {"properties": {"question": {"const": question.id}}},
                "then": {"properties": {"option": {"enum": [o for o, _ in question.options]}}},
            }
            for question in questions
        ]
        ruling = mapping(keys, ["question", "option"], **({"allOf": options} if options else {}))
        listed = {"type": "array", "items": ruling}
        return mapping({"ruleset": self.game(), "rulings": listed}, rulings.KEYS)


def _open(fluent: Fluent, depth: int) -> bool:
    """Does any of the keys that are left stand for an argument?"""
    return any(isinstance(step, int) for step in fluent.path[depth:])
