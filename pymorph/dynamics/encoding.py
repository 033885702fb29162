"""Answers as JSON: a record by its fields, and whatever is no text, number or list by its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from pymorph.yamlio import Json


def encode(value: Any) -> Any:
    """What stands for a value in an answer."""
    if hasattr(value, "json"):
        return value.json()
    if isinstance(value, Mapping):
        return {str(key): encode(each) for key, each in value.items()}
    if hasattr(value, "_fields"):
        return record_json(value)
    if isinstance(value, list | tuple):
        return [encode(each) for each in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)


def record_json(record: Any, *left_out: str, **more: Any) -> Json:
    """The fields of a record but for some, and whatever else is to be said of it."""
    names = getattr(record, "_fields", None) or [field.name for field in fields(record)]
    found = {name: getattr(record, name) for name in names if name not in left_out}
    return {name: encode(value) for name, value in {**found, **more}.items()}


def empty(record: Any, *names: str) -> tuple[str, ...]:
    """Those of some fields of a record that have no value."""
    return tuple(name for name in names if not getattr(record, name))
