"""The table as a page in a chat: one file, whose questions are tools that no model sees."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from pymorph.doors import table
from pymorph.doors.mcp.tools import GAME, SEAT, Referee
from pymorph.doors.seats import Seat
from pymorph.doors.table import screen
from pymorph.doors.table.given import RequestData
from pymorph.doors.table.tasks import CHANGING, at_step, steps_of
from pymorph.doors.table.tasks import TASKS as TABLE_TASKS
from pymorph.errors import Fault, InputError, UnknownName, clipped, nearest
from pymorph.runtime.installation import VERSION
from pymorph.state.record import Move
from pymorph.yamlio import Json

URI = "ui://pymorph/table.html"
DOES = "The board of a game, with what may be done, why not, and what was done."
HANDLE = "pymorph/game"  # where a result says in its `_meta` which game it is about
# What the page may fetch, as the host is told: nothing.
RIGHTS: Json = {
    "ui": {"csp": {"connectDomains": [], "resourceDomains": []}, "prefersBorder": True},
}
# The modules that the page has in a chat instead of those that it has in a browser.
INSTEAD = {"api.js": "chat_api.js"}
STYLES = re.compile(r'<link rel="stylesheet" href="/page/([\w.]+)">')
SCRIPT = re.compile(r'<script type="module" src="/page/([\w.]+)"></script>')
IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"\./([\w.]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|let|class|function) (\w+))", re.MULTILINE)


# -- one file --------------------------------------------------------------------------------------


@cache
def html() -> str:
    """The page with all its styles and scripts, as a host wants it."""
    text = STYLES.sub(lambda found: f"<style>\n{text_of(found[1])}</style>", text_of("table.html"))
    return SCRIPT.sub(lambda found: f'<script type="module">\n{script(found[1])}</script>', text)


def script(name: str) -> str:
    """A module and all that it imports, as one script: each is a function that gives its exports.

    Raises: ValueError, if a module imports or exports in another form than those of the page.
    """
    parts: dict[str, str] = {}
    include(name, parts)
    known = f'const VERSION = "{VERSION}", CHANGING = {json.dumps(CHANGING)}, modules = {{}};'
    lines = [known, *parts.values()]
    return "\n".join(lines).replace("</script", "<\\/script")


def include(name: str, parts: dict[str, str]) -> None:
    """Add a module to the *parts* of a script, after all that it imports."""
    if name in parts:
        return
    parts[name] = ""
    text = text_of(name)
    for _, other in IMPORT.findall(text):
        include(INSTEAD.get(other, other), parts)
    exports = ", ".join(EXPORT.findall(text))
    body = EXPORT.sub("", IMPORT.sub(constants, text))
    if strange := re.search(r"^(import|export)\b.*", body, re.MULTILINE):
        raise ValueError(f"{name}: {strange[0]}")
    del parts[name]
    parts[name] = f'modules["{name}"] = (() => {{\n{body}return {{ {exports} }};\n}})();'


def constants(found: re.Match[str]) -> str:
    """The names that a module imports, as constants."""
    names, other = found[1], INSTEAD.get(found[2], found[2])
    return f'const {{{names.replace(" as ", ": ")}}} = modules["{other}"];' if names else ""


def text_of(name: str) -> str:
    """A file of the page."""
    return resources.files(table).joinpath("page", name).read_text(encoding="utf-8")


# -- its questions ---------------------------------------------------------------------------------

TOOLS = {
    "table_ask": "Answer a question of the page in which people see the game.",
    "table_play": "Carry out what somebody chose on the page in which people see the game.",
}


def meta(*who: str) -> Json:
    """What links a tool to the page, and says who calls it: a model, or the page (app)."""
    return {"ui": {"resourceUri": URI, "visibility": list(who)}}


def input_schema(name: str, seat_server: bool) -> Json:
    """The JSON Schema of the arguments of a tool of the page."""
    known = [task for task in TASKS if (task in CHANGING) == (name == "table_play")]
    about_game = {} if seat_server else {**GAME, **SEAT}
    given = {"type": "object", "description": "What the task needs."}
    properties = {"task": {"type": "string", "enum": known}, "given": given, **about_game}
    return {
        "type": "object",
        "properties": properties,
        "required": ["task"],
        "additionalProperties": False,
    }


def version(seat: Seat, _: RequestData) -> Json:
    """What changes whenever the game goes on, as far as this seat sees it."""
    seen = json.dumps([seat.view().data(), screen.record(seat)], sort_keys=True, default=str)
    return {"version": hashlib.sha256(seen.encode()).hexdigest()}


class LongQuestion(NamedTuple):
    """What the page asks of a question that takes long: the game and the seat, and the request."""

    seat: tuple[str, str]
    given: RequestData


def job(seat: Seat, given: RequestData) -> LongQuestion:
    return LongQuestion((seat.table.path, seat.title), given)


TASKS: dict[str, Callable[[Seat, RequestData], Any]] = {
    **TABLE_TASKS,
    "version": version,
    "job": job,
}


class PageTools:
    """Answers the page; it keeps what was taken back in each game, to carry it out again."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self._undone: dict[str, tuple[str, list[Move]]] = {}  # of a record: its text, and moves

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """What a task of the page comes to. Raises: PymorphError."""
        schema = input_schema(name, bool(self.referee.only))["properties"]
        for key in arguments:
            if key not in schema:
                raise UnknownName(Fault(f"{name} has no argument {clipped(key)}"))
        task, given = str(arguments.get("task", "")), arguments.get("given") or {}
        if task not in schema["task"]["enum"]:
            about = nearest(task, schema["task"]["enum"])
            raise UnknownName(Fault(f"{name} has no task {clipped(task)}{about}"))
        if not isinstance(given, dict):
            raise InputError(Fault("'given' is an object"))
        seat = self.referee.seat(arguments)
        if task not in ("undo", "redo"):
            return TASKS[task](seat if task == "job" else at_step(seat, given), given)
        return self.moved(seat, task, given)

    def moved(self, seat: Seat, task: str, given: Mapping[str, Any]) -> Json:
        """Take back steps, or carry out again some that were taken back last."""
        path = seat.table.path
        text, moves = self._undone.get(path, ("", []))
        if text != seat.table.text():
            moves = []  # the game went on since
        last = len(moves) - steps_of(given) if task == "redo" else len(moves)
        answer = TASKS[task](seat, {**given, "moves": moves[max(last, 0) :][::-1]})
        moves = moves[: max(last, 0)] if task == "redo" else [*moves, *answer]
        self._undone[path] = (seat.table.text(), moves)
        return {}
