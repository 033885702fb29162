"""What the processes of the server work on: a question or a move of one seat of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import lru_cache
from typing import Any

from pymorph.doors.seats import ASKED, MASTER, Seat, Table, open_to, unsaid
from pymorph.doors.table import disputes, screen
from pymorph.doors.table.given import RequestData, masters, text, texts, whole_number
from pymorph.doors.table.shown import Shown
from pymorph.errors import Fault, InputError
from pymorph.questions import consistency
from pymorph.state.record import Move
from pymorph.yamlio import Json

GAMES = 128  # that a process keeps in mind
MOST_CLICKED = 4  # places and pieces in one action

# The verbs that the master may ask, with the options that read no file and write none: the link
# may be used on another machine.
SAME = ("as", "reading")
MASTERS: Mapping[str, tuple[str, ...]] = {
    **{verb: (*options, *SAME) for verb, options in ASKED.items()},
    "apply": ("actions", "given", "roll", "odds", "all", *SAME),
    "count": ("depth", "of", "without", "until", "positions", *SAME),
    "measure": ("one", "other", *SAME),
    "plan": ("goal", "within", "by", "against", "rolls", "given", *SAME),
    "sight": ("names", "all", *SAME),
    "why": ("what", "after", "given", *SAME),
}


@lru_cache(maxsize=GAMES)
def table_at(path: str) -> Table:
    """The table whose record is in a file."""
    return Table(path)


def work(_: object, path: str, name: str, task: str, given: RequestData) -> Any:
    """What a task of a seat comes to. Raises: PymorphError, in words for that seat."""
    return TASKS[task](seat_of(path, name, given), given)


def seat_of(path: str, name: str, given: RequestData) -> Seat:
    """A seat of the game in a file, looking at the step that is given, if one is."""
    with nullcontext() if name == MASTER else unsaid():  # of a record that cannot be read
        seat = table_at(path).seat(name)
    return at_step(seat, given)


def at_step(seat: Seat, given: RequestData) -> Seat:
    """The seat, looking at the step that is given, if one is."""
    if given.get("step") is not None:
        seat = Seat(seat.table, seat.name, screen.moment(seat, whole_number(given, "step")))
    return seat


# -- tasks -----------------------------------------------------------------------------------------


def show(seat: Seat, given: RequestData) -> Json:
    """The page of a seat, with the answers to what is asked *over* its board."""
    over = given.get("over") or {}
    if not isinstance(over, dict) or not over.keys() <= {*ASKED["show"]}:
        raise InputError(Fault(f"'over' is an object with {', '.join(ASKED['show'])}"))
    asked = {key: texts(over, key) for key in over}
    plain = {key: tuple(words) if key == "sight" else words[0] for key, words in asked.items()}
    return screen.screen(seat, plain)


def not_legal(seat: Seat, given: RequestData) -> Json:
    clicked = given.get("clicked") or []
    if not isinstance(clicked, list) or len(clicked) > MOST_CLICKED:
        raise InputError(Fault(f"'clicked' is a list of up to {MOST_CLICKED} lists of texts"))
    names = [texts({"clicked": each}, "clicked") for each in clicked]
    parts = texts(given, "parts") if given.get("parts") else []
    return screen.not_legal(seat, str(given.get("name") or ""), parts, names)


def ask(seat: Seat, given: RequestData) -> Json:
    """The answer of a verb, as JSON and as lines; none reads a file, or writes one."""
    options = given.get("options") or {}
    if not isinstance(options, dict):
        raise InputError(Fault("'options' is an object"))
    if seat.is_master:
        open_to(MASTERS, text(given, "verb"), options)
    shown = Shown()
    return shown.with_tree(seat.ask(text(given, "verb"), options, shown.keep))


def play(seat: Seat, given: RequestData) -> Json:
    """Carry out an action, with the rolls that the master enters; of real dice that others roll,
    none is made. Without an action, the rolls are made that are due."""
    if not given.get("action"):
        masters(seat)
        seat.table.play()
        return {"data": {}, "lines": []}
    rolls = texts(given, "rolls") if given.get("rolls") else []
    if rolls:
        masters(seat)
    made, shown = given.get("rolls") is None, Shown()
    answer = seat.apply(text(given, "action"), shown.keep, rolls=None if made else rolls)
    return shown.with_tree(answer)


def undo(seat: Seat, given: RequestData) -> list[Move]:
    """Take back steps; gives them."""
    masters(seat)
    return seat.table.undo(steps_of(given))


def redo(seat: Seat, given: RequestData) -> Json:
    """Carry out again what was taken back."""
    masters(seat)
    for move in given["moves"]:
        seat.table.play(move.action, given=move.rolls)
    return {}


def record(seat: Seat, _: RequestData) -> Json:
    return {"text": seat.record()}


def players(seat: Seat, _: RequestData) -> list[str]:
    """All who may have a seat."""
    masters(seat)
    return list(consistency.observers(seat.table.position))


TASKS: dict[str, Callable[[Seat, RequestData], Any]] = {
    "screen": show,
    "forbidden": not_legal,
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
CHANGING = ("play", "undo", "redo", "rule", "withdraw", "save")


def steps_of(given: RequestData) -> int:
    """How many steps are taken back, or carried out again: 1 or more. Raises: InputError."""
    return max(whole_number(given, "steps"), 1)
