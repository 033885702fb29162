"""What a request of a seat gives, and what only the seat of who runs the game may do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pymorph.doors.seats import MASTER, Seat
from pymorph.errors import Fault, InputError, UnknownName

RequestData = Mapping[str, Any]


def masters(seat: Seat) -> None:
    """Raises: InputError, if this is not the seat of who runs the game."""
    if not seat.is_master:
        raise InputError(Fault(f"only the {MASTER} of the game may do that"))


def text(given: RequestData, key: str) -> str:
    """A text of a request. Raises: InputError."""
    if not isinstance(given.get(key), str):
        raise UnknownName(Fault(f"{key!r} is missing; it is a text"))
    return str(given[key])


def texts(given: RequestData, key: str) -> list[str]:
    """A text of a request, or a list of them. Raises: InputError."""
    found = given.get(key)
    words = found if isinstance(found, list) else [found]
    texts = [word for word in words if isinstance(word, str)]
    if not texts or len(texts) < len(words):
        raise InputError(Fault(f"{key!r} is a text, or a list of texts"))
    return texts


def whole_number(given: RequestData, key: str) -> int:
    """A whole number of a request, 0 where it is missing. Raises: InputError."""
    number = given.get(key) or 0
    if isinstance(number, bool) or not isinstance(number, int):
        raise InputError(Fault(f"{key!r} is a whole number"))
    return number
