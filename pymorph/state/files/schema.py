"""JSON Schema of the files of a game, from its vocabulary, for editors.

A schema is more lenient than the reader, which knows the board and the names of a file: what it
refuses is wrong, and what it lets pass is for `pymorph check` to judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clingo import Symbol, SymbolType

from pymorph.board.lengths.length_units import TOWARDS
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import GIVEN, HIDDEN, PAIRS, TABLE, Fluent, Scene
from pymorph.state.claim import VERDICTS
from pymorph.state.files import fields
from pymorph.state.files.fields import FileForm
from pymorph.terms import text_of

Schema = dict[str, Any]
Open = tuple[Fluent, int]  # a fluent, and how many of its keys have been gone through

DRAFT = "https://json-schema.org/draft/2020-12/schema"
KINDS = ("position", "record", "case", "rulings")
FORMS = {"record": fields.RECORD, "case": fields.CASE, "rulings": fields.HOUSE}
TEXT: Schema = {"type": "string"}
WORD: Schema = {"type": ["string", "number"]}
NAME = "^[a-z][A-Za-z0-9_]*$"
PLACE = "^[a-z]{1,2}[0-9]{1,3}$"
NUMBER = "^-?[0-9]+$"
LIST = r"^\(.*\)$"
DRAWINGS = {"board": "board", "hexes": "board of hexes"}
PATTERNS = {"file": NAME, "terrain": NAME, "board": PLACE, "range": NUMBER, "list": LIST}
LENGTH: Schema = {
    "type": ["number", "string"],
    "description": "A length: 12, 5 1/2, 3.6, 25 mm, about 3.14159.",
}
TEXTS: Schema = {"type": "array", "items": TEXT}
ACTIONS = "The actions that a roll interrupted, in the order in which they continue."
PLAIN: Mapping[str, Schema] = {  # kinds that are alike in all games
    "text": WORD,
    "line": WORD,
    "claim": TEXT,
    "final": TEXT,
    "day": {**TEXT, "pattern": r"^\d{4}-\d{2}-\d{2}$"},
    "drawn_game": {"enum": ["yes", True]},
    "ids": TEXTS,
    "rolls": {"anyOf": [TEXT, TEXTS]},
    "winners": {"anyOf": [TEXT, {**TEXTS, "minItems": 1}]},
    "interrupted": {**TEXTS, "description": ACTIONS},
}
POINT: Schema = {"type": "array", "items": LENGTH, "minItems": 2, "maxItems": 2}


def schema(ruleset: Ruleset, kind: str = "position") -> Schema:
    """The schema of the files of one *kind*: ``position``, ``record``, ``case`` or ``rulings``."""
    writer = SchemaWriter(ruleset)
    drawn = writer.position() if kind == "position" else writer.form(FORMS[kind])
    title = {"rulings": "House rulings on"}.get(kind, f"A {kind} of")
    return {
        "$schema": DRAFT,
        "title": f"{title} {ruleset.title}",
        **drawn,
        "$defs": dict(sorted(writer.shared.items())),
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


class SchemaWriter:
    """Draws the schemas of one game; what recurs in them is *shared*.

    Each method without arguments draws what may stand at a key: `FileForm` names it.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.words = ruleset.vocabulary
        self.shared: dict[str, Schema] = {}

    def share(self, name: str, drawn: Schema) -> Schema:
        self.shared[name] = drawn
        return {"$ref": f"#/$defs/{name}"}

    def form(self, form: FileForm, **more: Any) -> Schema:
        """A mapping with the keys of a form."""
        return mapping(self.drawn(form), form.needed, **more)

    def drawn(self, form: FileForm) -> Schema:
        """What may stand at each key of a form."""
        kinds = form.kinds.items()
        return {key: PLAIN.get(kind) or getattr(self, kind)() for key, kind in kinds}

    # -- positions -------------------------------------------------------------------------------

    def position(self, within: bool = False) -> Schema:
        """A position; the game need not be named where the file around it does."""
        schema = self.keys([(fluent, 0) for fluent in self.words.fluents.values()])
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
            schema["properties"][TABLE] = self.form(fields.SIZED)
        schema["properties"] |= self.drawn(fields.POSITION)
        if not within:
            schema["required"] = sorted({*schema.get("required", ()), "ruleset"})
        return {**schema, "type": "object"}

    def point(self) -> Schema:
        return self.share("table_point", POINT)

    size = point

    def outline(self) -> Schema:
        return {"type": "array", "items": self.point(), "minItems": 2}

    def label(self) -> Schema:
        return {"enum": list(self.words.ground)}

    def terrain(self) -> Schema:
        """Terrain by name."""
        return {"type": ["object", "null"], "additionalProperties": self.form(fields.TERRAIN)}

    def game(self) -> Schema:
        description = {"description": "The name of the game, or the path to its folder."}
        path = {**TEXT, "pattern": r"[./\\]"}
        named = TEXT if self.ruleset.from_path else either({"const": self.ruleset.name}, path)
        return description | named

    def rulings(self) -> Schema:
        questions = self.ruleset.questions.values()
        drawn = {q.id: {"description": q.asks, "enum": list(dict(q.options))} for q in questions}
        return mapping(drawn)

    def keys(self, paths: Sequence[Open]) -> Schema:
        """The mapping whose keys lead on along some *paths*."""
        exact: dict[str, list[Open]] = {}
        alike: dict[str, list[Open]] = {}
        for fluent, depth in paths:
            step = fluent.path[depth]
            names, patterns = ([step], []) if isinstance(step, str) else self.named(fluent, step)
            for name in names:
                exact.setdefault(name, []).append((fluent, depth + 1))
            for pattern in patterns:
                alike.setdefault(pattern, []).append((fluent, depth + 1))
        properties = {name: self.titled(name, self.below(inner)) for name, inner in exact.items()}
        given = [fluent.path[depth:] for fluent, depth in paths if fluent.default == GIVEN]
        needed = [str(keys[0]) for keys in given if all(isinstance(key, str) for key in keys)]
        schema = mapping(properties, needed)
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
        if all(fields.is_counted(self.words, fluent, depth) for fluent, depth in paths):
            sorts = [self.sort(f.sorts[i]) for f, d in paths if isinstance(i := f.path[d], int)]
            return either(schema, {"type": "array", "items": either(*sorts)})
        return schema

    def value(self, fluent: Fluent) -> Schema:
        value = self.sort(fluent.value)
        if self.words.is_aimed(fluent.value):
            value = either(value, {**TEXT, "pattern": rf"^{TOWARDS}\b"})
        veiled = fluent.name in self.ruleset.veiled
        if veiled and not self.words.belongs(HIDDEN, fluent.value, Scene()):
            value = either(value, {"const": plain(HIDDEN)})
        if fluent.default != GIVEN:
            default = plain(fluent.default)
            value = {**either(value, {"const": default}), "default": default}
        says = self.words.descriptions.get(("fluent", fluent.name))
        return {**value, "description": says} if says else value

    def titled(self, name: str, drawn: Schema) -> Schema:
        title = self.words.titles.get(name)
        return {"description": title, **drawn} if title else drawn

    def named(self, fluent: Fluent, index: int) -> tuple[list[str], list[str]]:
        """What an argument may be called as a key: names, and patterns of others."""
        parts = list(self.words.parts(fluent.sorts[index]))
        names = [text_of(member) for sort in parts for member in sort.members]
        patterns = dict.fromkeys(PATTERNS[sort.kind] for sort in parts if sort.kind in PATTERNS)
        return names, list(patterns)

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
        return self.point() if kind in PAIRS else {"type": "array", "items": self.point()}

    # -- what is played, and what is claimed -----------------------------------------------------

    def action(self) -> str:
        """The pattern of an action, or of a piece of one: YAML cuts it at commas in a list in
        brackets."""
        names = "|".join(map(re.escape, self.words.actions))
        return rf"^\s*({names})\s*\(|^(?!\s*\w+\s*\(.*\)\s*$)"

    def step(self) -> Schema:
        action = {**TEXT, "pattern": self.action()}
        rolls = either(action, {"type": "array", "items": action})
        rolled = {"type": "object", "maxProperties": 1, "additionalProperties": False}
        rolling = {**rolled, "patternProperties": {self.action(): rolls}}
        return self.share("step", either(action, rolling))

    def steps(self) -> Schema:
        return {"type": "array", "items": self.step()}

    def one_or_more_steps(self) -> Schema:
        return either(self.step(), self.steps())

    def heading(self) -> Schema:
        """The fluents without arguments."""
        fluents = self.words.fluents.items()
        return mapping({name: self.value(f) for name, f in fluents if not f.sorts})

    def play(self) -> Schema:
        played = {"type": "array", "items": either(self.form(fields.GROUP), self.step())}
        return either(played, {"type": "null"})

    def result(self) -> Schema:
        return either(TEXT, self.form(fields.RESULT))

    def start(self) -> Schema:
        file = {**TEXT, "description": "A file beside this one, or a position in one line."}
        return either(file, self.share("position_here", self.position(within=True)))

    def played_start(self) -> Schema:
        """A position, or a record that leads to one."""
        return either(self.start(), self.share("record_here", self.form(fields.RECORD)))

    def verdicts(self) -> Schema:
        verdict = {"enum": list(VERDICTS)}
        return either(verdict, {"type": "object", "additionalProperties": verdict})

    def claims(self) -> Schema:
        return {"type": "array", "minItems": 1, "items": either(TEXT, self.form(fields.CLAIM))}

    def question(self) -> Schema:
        return {"enum": list(self.ruleset.questions)}

    def house_rulings(self) -> Schema:
        options = [
            {
                "if": {"properties": {"question": {"const": question.id}}},
                "then": {"properties": {"option": {"enum": [o for o, _ in question.options]}}},
            }
            for question in self.ruleset.questions.values()
        ]
        ruling = self.form(fields.RULING, **({"allOf": options} if options else {}))
        return {"type": "array", "items": ruling}
