"""Files of other programs, read safely: errors say in words what is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, NamedTuple

from pymorph.errors import clipped

FINEST = Decimal("1e-30")  # what is written more finely is rounded to it
WIDE = Context(prec=60, Emin=MIN_EMIN, Emax=MAX_EMAX)


class ImportLimits(NamedTuple):
    """How much a file of another program may have, and how much of it a remark names."""

    map_bytes: int = 64_000_000  # a map has its picture in it
    json_lists: int = 200_000  # as brackets count them
    json_values: int = 5_000_000  # as commas count them
    digits: int = 12  # before the point of a number
    signs: int = 30  # of a number that is taken as it is
    terrain_values: int = 50_000  # in the file of a position, which has few besides
    aside: int = 6  # values of a piece of terrain besides its points, of which each has three
    places: int = 3  # that a remark on a map names
    list_bytes: int = 16_000_000
    rows: int = 20_000
    columns: int = 500
    columns_named: int = 5  # of those without a name
    column_keys: int = 2000  # of one fluent, that a column may be called by


LIMITS = ImportLimits()


class Invalid(Exception):
    """What keeps a file from being what it should be, in words."""


def number(value: object) -> Fraction:
    """A number, exactly as it is written down to thirty digits after the point."""
    text = "null" if value is None else str(value).strip()
    decimals = value if isinstance(value, Decimal) else decimal(text)
    if (
        not isinstance(decimals, Decimal)
        or not decimals.is_finite()
        or (decimals and decimals.adjusted() > LIMITS.digits)
    ):
        raise Invalid(f"found {clipped(text)}; expected a number")
    long = len(text) > LIMITS.signs or "E" in text.upper()
    return Fraction(decimals.quantize(FINEST, context=WIDE) if long else decimals)


def decimal(text: str) -> Decimal | str:
    """The number of a text; the text itself where it has none."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def read_json(text: str) -> Any:
    """The data of a JSON file, its numbers as they are written, those that are none as well."""
    if text.count("{") + text.count("[") > LIMITS.json_lists:
        raise Invalid(f"the file has more than {LIMITS.json_lists:,} points and lists")
    if text.count(",") > LIMITS.json_values:
        raise Invalid(f"the file has more than {LIMITS.json_values:,} values")
    try:
        return json.loads(
            text,
            parse_float=decimal,
            parse_int=lambda text: int(text) if len(text) <= LIMITS.signs else decimal(text),
            parse_constant=decimal,
            object_pairs_hook=unique_keys,
        )
    except RecursionError:
        raise Invalid("nested too deeply") from None
    except ValueError as error:
        raise Invalid(f"not JSON: {str(error)[:100]}") from None


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping that has each key once."""
    mapping: dict[str, Any] = {}
    for key, value in pairs:
        if key in mapping:
            raise Invalid(f"the key {clipped(key)} is given twice")
        mapping[key] = value
    return mapping


def mapping_at(data: object, key: str) -> dict[str, Any]:
    """The mapping that a mapping has at a key."""
    inner = data.get(key) if isinstance(data, Mapping) else None
    if not isinstance(inner, dict):
        raise Invalid(f"the key {key!r} is missing or has a wrong value")
    return inner
