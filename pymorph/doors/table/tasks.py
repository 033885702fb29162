"""What the processes of the server work on: a question or a move of one seat of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from pymorph.doors.seats import ASKED, MASTER, Seat, Table
from pymorph.doors.table import screen
from pymorph.errors import Fault, InputError, UnknownName
from pymorph.questions import consistency
from pymorph.state.record import Move
from pymorph.yamlio import Json

GAMES = 128  # that a process keeps in mind
MOST_CLICKED = 4  # places and pieces in one action

Given = Mapping[str, Any]


@lru_cache(maxsize=GAMES)
def table_at(path: str) -> Table:
    """The table whose record is in a file."""
    return Table(path)


def work(_: object, path: str, name: str, task: str, given: Given) -> Any:
    """What a task of a seat comes to. Raises: PymorphError, in words for that seat."""
    seat = table_at(path).seat(name)
    if given.get("step") is not None:
        seat = Seat(seat.table, seat.name, screen.moment(seat, whole_number(given, "step")))
    return TASKS[task](seat, given)


# -- tasks -----------------------------------------------------------------------------------------


def show(seat: Seat, given: Given) -> Json:
    """The page of a seat, with the answers to what is asked *over* its board."""
    over = given.get("over") or {}
    if not isinstance(over, dict) or not over.keys() <= {*ASKED["show"]}:
        raise InputError(Fault(f"'over' is an object with {', '.join(ASKED['show'])}"))
    asked = {key: texts(over, key) for key in over}
    plain = {key: tuple(words) if key == "sight" else words[0] for key, words in asked.items()}
    return screen.screen(seat, plain)


def choices(seat: Seat, given: Given) -> Json:
    return screen.choices(seat, text(given, "action"))


def not_legal(seat: Seat, given: Given) -> Json:
    clicked = given.get("clicked") or []
    if not isinstance(clicked, list) or len(clicked) > MOST_CLICKED:
        raise InputError(Fault(f"'clicked' is a list of up to {MOST_CLICKED} lists of texts"))
    names = [texts({"clicked": each}, "clicked") for each in clicked]
    parts = texts(given, "parts") if given.get("parts") else []
    return screen.not_legal(seat, str(given.get("name") or ""), parts, names)


def ask(seat: Seat, given: Given) -> Json:
    """The answer of a verb, as JSON and as lines."""
    options = given.get("options") or {}
    if not isinstance(options, dict):
        raise InputError(Fault("'options' is an object"))
    return dict(seat.ask(text(given, "verb"), options)._asdict())


def play(seat: Seat, given: Given) -> Json:
    """Carry out an action, with the rolls that the master enters; of real dice that others roll,
    none is made. Without an action, the rolls are made that are due."""
    if not given.get("action"):
        masters(seat)
        seat.table.play()
        return {"data": {}, "lines": []}
    rolls = texts(given, "rolls") if given.get("rolls") else []
    if rolls:
        masters(seat)
    made = given.get("rolls") is None
    return dict(seat.apply(text(given, "action"), rolls=None if made else rolls)._asdict())


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
    "forbidden": not_legal,
    "ask": ask,
    "play": play,
    "undo": undo,
    "redo": redo,
    "record": record,
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


def texts(given: Given, key: str) -> list[str]:
    """A text of a request, or a list of them. Raises: InputError."""
    found = given.get(key)
    words = found if isinstance(found, list) else [found]
    if not words or not all(isinstance(word, str) for word in words):
        raise InputError(Fault(f"{key!r} is a text, or a list of texts"))
    return words


def whole_number(given: Given, key: str) -> int:
    """A whole number of a request, 0 where it is missing. Raises: InputError."""
    number = given.get(key) or 0
    if isinstance(number, bool) or not isinstance(number, int):
        raise InputError(Fault(f"{key!r} is a whole number"))
    return number
