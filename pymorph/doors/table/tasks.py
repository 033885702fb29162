"""What the processes of the server work on: a question or a move of one seat of a game."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from pymorph.doors.seats import MASTER, Seat, Table
from pymorph.doors.table import screen
from pymorph.errors import Fault, InputError, UnknownName
from pymorph.questions import consistency
from pymorph.state.record import Move
from pymorph.yamlio import Json

GAMES = 128  # that a process keeps in mind

Given = Mapping[str, Any]


@lru_cache(maxsize=GAMES)
def table_at(path: str) -> Table:
    """The table whose record is in a file."""
    return Table(path)


def work(_: object, path: str, name: str, task: str, given: Given) -> Any:
    """What a task of a seat comes to. Raises: PymorphError, in words for that seat."""
    return done(table_at(path).seat(name), task, given)


def done(seat: Seat, task: str, given: Given) -> Any:
    """What a task comes to at a seat. Raises: PymorphError."""
    if given.get("step") is not None:
        seat = Seat(seat.table, seat.name, screen.moment(seat, whole_number(given, "step")))
    return TASKS[task](seat, given)


# -- tasks -----------------------------------------------------------------------------------------


def show(seat: Seat, _: Given) -> Json:
    return screen.screen(seat)


def choices(seat: Seat, given: Given) -> Json:
    return screen.choices(seat, text(given, "action"))


def ask(seat: Seat, given: Given) -> Json:
    """The answer of a verb, as JSON and as lines."""
    options = given.get("options") or {}
    if not isinstance(options, dict):
        raise InputError(Fault("'options' is an object"))
    return dict(seat.ask(text(given, "verb"), options)._asdict())


def play(seat: Seat, given: Given) -> Json:
    """Carry out an action, with the rolls that were entered."""
    if given.get("rolls") is None:
        return dict(seat.apply(text(given, "action"))._asdict())
    rolls = [str(roll) for roll in given["rolls"]] if isinstance(given["rolls"], list) else []
    return dict(seat.apply(text(given, "action"), rolls=rolls)._asdict())


def undo(seat: Seat, given: Given) -> list[Move]:
    """Take back steps; gives them."""
    masters(seat)
    return seat.table.undo(whole_number(given, "steps") or 1)


def redo(seat: Seat, given: Given) -> Json:
    """Carry out again what was taken back."""
    masters(seat)
    for move in given["moves"]:
        seat.table.play(move.action, given=move.rolls)
    return {}


def record(seat: Seat, _: Given) -> Json:
    return {"text": seat.record()}


def version(seat: Seat, _: Given) -> Json:
    """What changes whenever the game goes on, as far as this seat sees it."""
    seen = json.dumps([seat.view().data(), screen.record(seat)], sort_keys=True, default=str)
    return {"version": hashlib.sha256(seen.encode()).hexdigest()}


def players(seat: Seat, _: Given) -> list[str]:
    """All who may have a seat."""
    masters(seat)
    return list(consistency.observers(seat.table.position))


TASKS: dict[str, Callable[[Seat, Given], Any]] = {
    "screen": show,
    "choices": choices,
    "ask": ask,
    "play": play,
    "undo": undo,
    "redo": redo,
    "record": record,
    "version": version,
    "players": players,
}


def masters(seat: Seat) -> None:
    """Raises: InputError, if this is not the seat of who runs the game."""
    if not seat.is_master:
        raise InputError(Fault(f"only the {MASTER} of the game may do that"))


def text(given: Given, key: str) -> str:
    """A text of a request. Raises: InputError."""
    if not isinstance(given.get(key), str):
        raise UnknownName(Fault(f"{key!r} is missing; it is a text"))
    return str(given[key])


def whole_number(given: Given, key: str) -> int:
    """A whole number of a request, 0 where it is missing. Raises: InputError."""
    number = given.get(key) or 0
    if isinstance(number, bool) or not isinstance(number, int):
        raise InputError(Fault(f"{key!r} is a whole number"))
    return number
