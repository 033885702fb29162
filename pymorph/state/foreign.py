"""Files of other programs, read safely: what is amiss in one is told in words."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pymorph.errors import clipped

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MOST_DIGITS = 12


class Amiss(Exception):
    """What keeps a file from being what it should be, in words."""


def number(value: object) -> Fraction:
    """A number, exactly as it is written."""
    try:
        found = value if isinstance(value, Decimal) else Decimal(str(value).strip())
    except InvalidOperation:
        raise Amiss(f"found {clipped(str(value))}; expected a number") from None
    if isinstance(value, bool) or not found.is_finite() or abs(found.adjusted()) > MOST_DIGITS:
        raise Amiss(f"found {clipped(str(value))}; expected a number")
    return Fraction(found)


def read_json(text: str) -> Any:
    """The data of a JSON file, its numbers as they are written."""

    def odd(text: str) -> Any:
        raise Amiss(f"found {text}; expected a number")

    try:
        return json.loads(text, parse_float=Decimal, parse_constant=odd)
    except RecursionError:
        raise Amiss("nested too deeply") from None
    except ValueError as error:
        raise Amiss(f"not JSON: {str(error)[:100]}") from None


def within(data: object, key: str, kind: type) -> Any:
    """What a mapping has at a key, if it is of that kind."""
    found = data.get(key) if isinstance(data, Mapping) else None
    if not isinstance(found, kind):
        raise Amiss(f"the key {key!r} is missing, or is something else")
    return found


def read_xml(text: str) -> Element:
    """The root of an XML file. Files that define entities are refused."""
    import xml.etree.ElementTree as ET

    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise Amiss("a file with a document type of its own is not read")
    try:
        return ET.fromstring(text)
    except (ET.ParseError, ValueError) as error:
        raise Amiss(f"not XML: {str(error)[:100]}") from None


def unpacked(data: bytes, most: int) -> bytes:
    """The one file in a ZIP archive, one byte more than *most* if it is larger; or *data* itself,
    if that is no archive."""
    if not data.startswith(b"PK\x03\x04"):
        return data
    import zipfile
    import zlib

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if len(names) != 1:
                raise Amiss(f"an archive of {len(names)} files; expected one")
            with archive.open(names[0]) as file:
                return file.read(most + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError, ValueError) as error:
        raise Amiss(f"not a sound archive: {str(error)[:100]}") from None
