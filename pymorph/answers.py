"""Answers as JSON: which keys the values of a class have, declared beside its fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from pymorph.yamlio import Json

_T = TypeVar("_T")
BRIEF = 100  # characters of a value's repr, at most
PICTURES = "pymorph.views.html.pages"


def brief(cls: type[_T]) -> type[_T]:
    """Gives the values of a class a repr of one short line: what is large by its length."""

    def line(self: Any) -> str:
        names = getattr(self, "_fields", None) or self.__dataclass_fields__
        parts = [f"{name}={_in_brief(getattr(self, name))}" for name in names if name[0] != "_"]
        text = f"{cls.__name__}({', '.join(parts)})"
        return text if len(text) <= BRIEF else f"{text[: BRIEF - 4]}...)"

    setattr(cls, "__repr__", line)  # noqa: B010
    return pictured(cls)


def summarized(summary: Callable[[Any], str]) -> Callable[[type[_T]], type[_T]]:
    """Gives the values of a class a repr of what a *summary* says of one."""

    def declare(cls: type[_T]) -> type[_T]:
        setattr(cls, "__repr__", lambda value: f"<{cls.__name__}: {summary(value)}>")  # noqa: B010
        return cls

    return declare


def pictured(cls: type[_T]) -> type[_T]:
    """Gives the values of a class what a notebook shows of them, or None.

    The pictures are in a room above, which is asked when one is wanted.
    """
    setattr(cls, "_repr_html_", lambda value: import_module(PICTURES).page_of(value))  # noqa: B010
    return cls


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[_T]) -> type[_T]:
    """Makes a class a frozen dataclass with slots and a brief repr."""
    return brief(dataclass(frozen=True, slots=True)(cls))


def _in_brief(value: object) -> str:
    if isinstance(value, tuple | list | dict | set | frozenset | Mapping):
        return f"<{len(value)}>" if len(value) else "()"
    text = repr(str(value)) if hasattr(value, "symbol") else repr(value)  # a term by its text
    return text if len(text) <= BRIEF // 2 else f"{text[: BRIEF // 2 - 3]}..."


@dataclass(frozen=True)
class JsonKeys:
    """The keys that the values of a class have in JSON: its *fields* by their names, and more.

    A path, such as `action.actor`, leads along fields, properties and methods without arguments.

    - *also*: properties that are keys, too.
    - *paths*: keys with the path to their value. A field that is a path here loses its own name.
    - *without*: fields that have no key.
    - *spread*: paths to values whose keys become keys of this one.
    - *parts*: keys of tuples, with a name for each part; "" drops a part, and the keys of a part
      that is called "*" stand beside the other names. *items*: keys of lists of such tuples.
    - *optional*: keys that are absent if the value is None, false or empty.
    - *when*: keys that are absent unless a path leads to something.
    - *or_null*: keys that have null for an empty text.
    """

    fields: Sequence[str]
    also: Sequence[str] = ()
    paths: Mapping[str, str] = field(default_factory=dict)
    without: Sequence[str] = ()
    spread: Sequence[str] = ()
    parts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    items: Mapping[str, Sequence[str]] = field(default_factory=dict)
    optional: Sequence[str] = ()
    when: Mapping[str, str] = field(default_factory=dict)
    or_null: Sequence[str] = ()

    @cached_property
    def all_paths(self) -> dict[str, str]:
        """Each key with the path to its value."""
        spread = (path.partition(".")[0] for path in self.spread)
        taken = {*self.without, *spread, *self.paths.values()}
        fields = (name for name in self.fields if name not in taken)
        return {name: name for name in (*fields, *self.also)} | dict(self.paths)

    def encode(self, record: Any) -> Json:
        """A value as JSON."""
        data: Json = {}
        for path in self.spread:
            data |= encode(value_at(record, path)) or {}
        for key, path in self.all_paths.items():
            if key in self.when and not value_at(record, self.when[key]):
                continue
            value = value_at(record, path)
            if key in self.optional and is_empty(value):
                continue
            value = None if key in self.or_null and not value else value
            if value is not None and key in self.parts:
                data[key] = named(value, self.parts[key])
            elif value is not None and key in self.items:
                data[key] = [named(item, self.items[key]) for item in value]
            else:
                data[key] = encode(value)
        return data


PLAIN = frozenset({str, int, float, bool, type(None)})  # what is itself in JSON
KEYS: dict[type, JsonKeys | None] = {}  # of each class of which a value was encoded


def json_keys(only: Sequence[str] = (), **declared: Any) -> Callable[[type[_T]], type[_T]]:
    """Declare the JSON keys of a class, of all its fields or *only* of some.

    Its values get the method `json`, and a short repr.
    """

    def declare(cls: type[_T]) -> type[_T]:
        KEYS[cls] = JsonKeys(only or fields_of(cls), **declared)
        setattr(cls, "json", lambda record: encode(record))  # noqa: B010
        return brief(cls)

    return declare


def keys_of(cls: type) -> JsonKeys | None:
    """The keys of a class; None, if its values are no objects in JSON, or are texts."""
    if cls not in KEYS:
        is_text = "__str__" in vars(cls)
        KEYS[cls] = None if is_text or not fields_of(cls) else JsonKeys(fields_of(cls))
    return KEYS[cls]


def fields_of(cls: type) -> Sequence[str]:
    """The names of the fields of a class, if it is a record."""
    return getattr(cls, "_fields", None) or tuple(getattr(cls, "__dataclass_fields__", ()))


def encode(value: Any) -> Any:
    """A value as JSON: a record as an object; what is no number and no collection as text."""
    if type(value) in PLAIN:
        return value
    keys = keys_of(type(value))
    if keys is not None:
        return keys.encode(value)
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, set):
        return sorted(value)
    if isinstance(value, list | tuple):
        return [encode(item) for item in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)


def named(value: Sequence[Any], names: Sequence[str]) -> Json:
    """A tuple as an object with these names."""
    data: Json = {}
    for name, item in zip(names, value, strict=True):
        data |= encode(item) if name == "*" else {name: encode(item)} if name else {}
    return data


def value_at(record: Any, path: str) -> Any:
    """What a path leads to; from a tuple it goes on in each item."""
    name, _, rest = path.partition(".")
    value = getattr(record, name)
    value = value() if callable(value) else value
    if not rest or value is None:
        return value
    return (
        [value_at(item, rest) for item in value] if type(value) is tuple else value_at(value, rest)
    )


def below(path: str, *names: str) -> dict[str, str]:
    """The paths to some attributes of what a path leads to, by their names."""
    return {name: f"{path}.{name}" for name in names}


def is_empty(value: Any) -> bool:
    """Is it nothing? Numbers never are, not even 0."""
    return value is None or value is False or (isinstance(value, Sized) and not len(value))
