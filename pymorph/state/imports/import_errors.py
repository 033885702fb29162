"""Files of other programs, read safely: errors say in words what is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from pymorph.errors import clipped

MOST_DIGITS = 12  # before the point of a number
SHORT = 30  # signs of a number that is taken as it is
FINEST = Decimal("1e-30")  # what is written more finely is rounded to it
WIDE = Context(prec=60, Emin=MIN_EMIN, Emax=MAX_EMAX)
MOST_LISTS, MOST_VALUES = 200_000, 5_000_000  # of a JSON file, as brackets and commas count them


class Invalid(Exception):
    """What keeps a file from being what it should be, in words."""


def number(value: object) -> Fraction:
    """A number, exactly as it is written down to thirty digits after the point."""
    text = "null" if value is None else str(value).strip()
    decimals = value if isinstance(value, Decimal) else decimal(text)
    if (
        not isinstance(decimals, Decimal)
        or not decimals.is_finite()
        or (decimals and decimals.adjusted() > MOST_DIGITS)
    ):
        raise Invalid(f"found {clipped(text)}; expected a number")
    long = len(text) > SHORT or "E" in text.upper()
    return Fraction(decimals.quantize(FINEST, context=WIDE) if long else decimals)


def decimal(text: str) -> Decimal | str:
    """The number of a text; the text itself where it has none."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def read_json(text: str) -> Any:
    """The data of a JSON file, its numbers as they are written, those that are none as well."""
    if text.count("{") + text.count("[") > MOST_LISTS:
        raise Invalid(f"the file has more than {MOST_LISTS:,} points and lists")
    if text.count(",") > MOST_VALUES:
        raise Invalid(f"the file has more than {MOST_VALUES:,} values")
    try:
        return json.loads(
            text,
            parse_float=decimal,
            parse_int=whole_number,
            parse_constant=decimal,
            object_pairs_hook=unique_keys,
        )
    except RecursionError:
        raise Invalid("nested too deeply") from None
    except ValueError as error:
        raise Invalid(f"not JSON: {str(error)[:100]}") from None


def whole_number(text: str) -> int | Decimal | str:
    """A whole number, as a decimal if it is long."""
    return int(text) if len(text) <= SHORT else decimal(text)


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
