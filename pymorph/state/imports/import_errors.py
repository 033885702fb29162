"""Files of other programs, read safely: what is amiss in one is told in words."""

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


class Amiss(Exception):
    """What keeps a file from being what it should be, in words."""


def number(value: object) -> Fraction:
    """A number, exactly as it is written down to thirty digits after the point."""
    told = "null" if value is None else str(value).strip()
    found = value if isinstance(value, Decimal) else decimal(told)
    if (
        not isinstance(found, Decimal)
        or not found.is_finite()
        or (found and found.adjusted() > MOST_DIGITS)
    ):
        raise Amiss(f"found {clipped(told)}; expected a number")
    long = len(told) > SHORT or "E" in told.upper()
    return Fraction(found.quantize(FINEST, context=WIDE) if long else found)


def decimal(text: str) -> Decimal | str:
    """The number of a text; the text itself where it has none."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def read_json(text: str) -> Any:
    """The data of a JSON file, its numbers as they are written, those that are none as well."""
    if text.count("{") + text.count("[") > MOST_LISTS:
        raise Amiss(f"the file has more than {MOST_LISTS:,} points and lists")
    if text.count(",") > MOST_VALUES:
        raise Amiss(f"the file has more than {MOST_VALUES:,} values")
    try:
        return json.loads(
            text,
            parse_float=decimal,
            parse_int=whole,
            parse_constant=decimal,
            object_pairs_hook=once,
        )
    except RecursionError:
        raise Amiss("nested too deeply") from None
    except ValueError as error:
        raise Amiss(f"not JSON: {str(error)[:100]}") from None


def whole(text: str) -> int | Decimal | str:
    """A whole number, as a decimal if it is long."""
    return int(text) if len(text) <= SHORT else decimal(text)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping that says everything once."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Amiss(f"the key {clipped(key)} is given twice")
        found[key] = value
    return found


def mapping_at(data: object, key: str) -> dict[str, Any]:
    """The mapping that a mapping has at a key."""
    inner = data.get(key) if isinstance(data, Mapping) else None
    if not isinstance(inner, dict):
        raise Amiss(f"the key {key!r} is missing or has a wrong value")
    return inner
