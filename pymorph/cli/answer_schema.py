"""JSON Schema of the answers of verbs, made from the types of the answers."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pymorph.adjudication.case import Case, Stated
from pymorph.answers import fields_of, keys_of
from pymorph.cli.app import MODULES, ErrorAnswer
from pymorph.cli.verb import KINDS, AboutPosition, CommandLine, FileByFile
from pymorph.errors import Fault, UnknownName, clipped, nearest
from pymorph.explore.sampling.game_comparison import Contrast
from pymorph.explore.sampling.simulation import Simulation
from pymorph.questions.answer_scope import AnswerScope
from pymorph.ruleset.loader import Ruleset
from pymorph.state.files.schema import DRAFT, TEXT, Schema, either
from pymorph.state.position import Position
from pymorph.state.rulings import Ruling

# What the schemas are called, with a version: it rises if a key goes, or gets another meaning.
ANSWERS = "urn:pymorph:answers:1"
ERROR = "error"  # the name of the schema of errors
SCALARS: Mapping[Any, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    NoneType: {"type": "null"},
    Any: {},
}
CHECKED_ONLY = {  # types that their modules import for the type checker alone
    **{k.__name__: k for k in (AnswerScope, Case, Contrast, Position, Ruleset, Simulation, Stated)},
    "Data": Any,
}


def answers() -> dict[str, Any]:
    """What has a schema: each verb with a JSON answer, and errors, with their types."""
    for module in MODULES:
        importlib.import_module(f"pymorph.{module}")
    in_json = {verb: answer_of(kind) for verb, kind in sorted(KINDS.items()) if kind.has_json()}
    return {**in_json, ERROR: ErrorAnswer}


def answer_of(kind: type[CommandLine]) -> Any:
    """The type of the answer of a verb."""
    methods: tuple[Any, ...] = (kind.data, kind.ask, kind.work)
    return next(kind for kind in map(result_type, methods) if kind is not Any)


def schema(name: str) -> Schema:
    """The schema of the answer of a verb, such as `legal` or `book add`, or of an error.

    Raises: UnknownName, if there is none of that name.
    """
    known = answers()
    if name not in known:
        raise UnknownName(Fault(f"unknown answer {clipped(name)}{nearest(name, known)}"))
    return schema_of(name, KINDS.get(name))


def schema_of(name: str, verb: type[CommandLine] | None) -> Schema:
    """The schema of the answer of a verb, called *name*; None: of an error."""
    writer = AnswerSchema()
    more = {} if verb is None else writer.more(verb)
    answer = ErrorAnswer if verb is None else answer_of(verb)
    records = [writer.record(kind) for kind in parts_of(answer)]
    drawn = [{**record, "properties": record["properties"] | more} for record in records]
    title = "An error of pymorph" if name == ERROR else f"The answer of pymorph {name}"
    return {
        "$schema": DRAFT,
        "$id": f"{ANSWERS}:{name.replace(' ', '-')}",
        "title": f"{title} --json",
        **either(*drawn),
        "$defs": dict(sorted(writer.shared.items())),
    }


class AnswerSchema:
    """Draws the schemas of types; those of records are *shared*."""

    def __init__(self) -> None:
        self.shared: dict[str, Schema] = {}

    def more(self, kind: type[CommandLine]) -> Schema:
        """The keys that a verb adds to its answer: its heading, and the house rulings."""
        heading = result_type(kind.heading)
        more: Schema = {} if heading is Any else self.record(heading)["properties"]
        scope = result_type(kind.scope)
        if scope is not Any:
            more["scope"] = self.of(scope)
        if issubclass(kind, FileByFile):
            more["errors"] = self.of(tuple[ErrorAnswer, ...])
        if issubclass(kind, AboutPosition):
            more["rulings"] = self.of(Mapping[str, Ruling | str])
        return more

    def of(self, kind: Any) -> Schema:
        """The schema of the JSON of a type."""
        origin, arguments = get_origin(kind) or kind, get_args(kind)
        if origin in (Union, UnionType):
            return self.either(arguments)
        if origin is Literal:
            return {"enum": list(arguments)}
        if kind in SCALARS:
            return SCALARS[kind]
        if keys_of(origin):
            return self.share(origin)
        if is_mapping(origin):
            items = self.of(arguments[1]) if arguments else {}
            return {"type": "object", "additionalProperties": items}
        if is_list(origin):
            return {
                "type": "array",
                "items": self.either(part for part in arguments if part is not ...),
            }
        return TEXT

    def either(self, kinds: Any) -> Schema:
        """One of some types."""
        drawn = [self.of(kind) for kind in kinds]
        return either(*(one for n, one in enumerate(drawn) if one not in drawn[:n]))

    def share(self, record: type) -> Schema:
        """A reference to the schema of a record."""
        name = record.__name__
        if name not in self.shared:
            self.shared[name] = {}  # for what refers to itself
            self.shared[name] = self.record(record)
        return {"$ref": f"#/$defs/{name}"}

    def record(self, cls: type) -> Schema:
        """The schema of a record by its keys."""
        keys = keys_of(cls)
        assert keys is not None
        properties: Schema = {}
        needed: set[str] = set()
        is_open = False
        for path in keys.spread:
            kinds = parts_of(type_at(cls, path))
            drawn = [self.record(kind) for kind in kinds if keys_of(kind)]
            is_open |= any(is_mapping(get_origin(kind)) for kind in kinds)
            for one in drawn:
                for key, below in one["properties"].items():
                    properties[key] = alternatives(properties.get(key), below)
            if drawn and len(drawn) == len(kinds):
                needed |= set.intersection(*(set(one["required"]) for one in drawn))
        for key, path in keys.all_paths.items():
            kind = type_at(cls, path)
            if key in keys.parts:
                below = self.named(kind, keys.parts[key])
            elif key in keys.items:
                below = self.listed(kind, keys.items[key])
            else:
                below = self.of(kind)
            below = alternatives(below, {"type": "null"}) if key in keys.or_null else below
            properties[key] = below
            if key not in keys.optional and key not in keys.when:
                needed.add(key)
        more = {"additionalProperties": True} if is_open else {}
        return {"type": "object", "properties": properties, "required": sorted(needed), **more}

    def named(self, kind: Any, names: Sequence[str]) -> Schema:
        """A tuple as an object with these names, or null."""
        drawn: list[Schema] = []
        for alternative in parts_of(kind):
            if alternative is NoneType:
                drawn.append(self.of(alternative))
                continue
            data: Schema = {}
            for name, part in zip(names, get_args(alternative), strict=True):
                inner = self.record(part)["properties"] if name == "*" else {name: self.of(part)}
                data |= inner if name else {}
            drawn.append({"type": "object", "properties": data, "required": sorted(data)})
        return either(*drawn)

    def listed(self, kind: Any, names: Sequence[str]) -> Schema:
        """A list of tuples as objects with these names, or null."""
        lists = [k for k in parts_of(kind) if k is not NoneType]
        drawn = [{"type": "array", "items": self.named(get_args(k)[0], names)} for k in lists]
        return either(*drawn, *[self.of(NoneType)] * (len(lists) < len(parts_of(kind))))


def alternatives(one: Schema | None, other: Schema) -> Schema:
    """What fits one of two schemas."""
    return other if one is None or one == other else {"anyOf": [one, other]}


def type_at(cls: Any, path: str) -> Any:
    """The type of what a path leads to from a value of a class."""
    name, _, rest = path.partition(".")
    kinds = parts_of(cls)
    if len(kinds) > 1:
        return reduce(or_, (kind if kind is NoneType else type_at(kind, path) for kind in kinds))
    if is_list(get_origin(cls)):
        return list[type_at(get_args(cls)[0], path)]  # type: ignore[misc]
    if name in fields_of(cls):
        value = field_type(cls, name)
    else:
        member = getattr(cls, name)
        value = result_type(getattr(member, "fget", None) or getattr(member, "func", member))
    return type_at(value, rest) if rest else value


def field_type(cls: type, name: str) -> Any:
    """The type of a field of a class."""
    return evaluated(cls.__annotations__[name], vars(sys.modules[cls.__module__]))


def result_type(function: Any) -> Any:
    """The type of what a function returns."""
    return evaluated(function.__annotations__["return"], function.__globals__)


def evaluated(annotation: Any, names: dict[str, Any]) -> Any:
    """The type that an annotation stands for in a module with these names."""
    alone = SimpleNamespace(__annotations__={"kind": annotation})
    return get_type_hints(alone, names, CHECKED_ONLY)["kind"]


def parts_of(kind: Any) -> tuple[Any, ...]:
    """The members of a union, or the type itself."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def is_mapping(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Mapping)


def is_list(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Sequence | set) and kind is not str
