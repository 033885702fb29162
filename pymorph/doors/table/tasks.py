"""What the processes of the server work on: a question or a move of one seat of a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from pymorph.doors.seats import Seat, Table
from pymorph.doors.table import disputes, screen
from pymorph.doors.table.given import Given, masters, text, whole_number
from pymorph.doors.table.shown import Shown
from pymorph.errors import Fault, InputError
from pymorph.questions import consistency
from pymorph.state.record import Move
from pymorph.yamlio import Json

GAMES = 128  # that a process keeps in mind


@lru_cache(maxsize=GAMES)
def table_at(path: str) -> Table:
    """The table whose record is in a file."""
    return Table(path)


def work(_: object, path: str, name: str, task: str, given: Given) -> Any:
    """What a task of a seat comes to. Raises: PymorphError, in words for that seat."""
    return TASKS[task](seat_of(path, name, given), given)


def seat_of(path: str, name: str, given: Given) -> Seat:
    """A seat that looks at the step that is given, if one is."""
    seat = table_at(path).seat(name)
    if given.get("step") is not None:
        seat = Seat(seat.table, seat.name, screen.moment(seat, whole_number(given, "step")))
    return seat


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
    shown = Shown()
    return shown.with_tree(seat.ask(text(given, "verb"), options, shown.keep))


def play(seat: Seat, given: Given) -> Json:
    """Carry out an action, with the rolls that were entered."""
    shown = Shown()
    if given.get("rolls") is None:
        return shown.with_tree(seat.apply(text(given, "action"), shown.keep))
    rolls = [str(roll) for roll in given["rolls"]] if isinstance(given["rolls"], list) else []
    return shown.with_tree(seat.apply(text(given, "action"), shown.keep, rolls=rolls))


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
    "players": players,
    "claims": disputes.claims,
    "dispute": disputes.dispute,
    "forecast": disputes.forecast,
    "rulings": disputes.in_force,
    "rule": disputes.rule,
    "withdraw": disputes.withdraw,
    "save": disputes.save,
}
