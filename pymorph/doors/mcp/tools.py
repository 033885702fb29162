"""The tools of agents: what each asks, and the games that they ask about."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pymorph.answers import encode
from pymorph.cli import answer_schema
from pymorph.doors.requests import method_of, schema_of
from pymorph.doors.seats import ASKED, Seat, SeatAnswer, SeenSteps, Table, answered
from pymorph.dynamics.outcomes import LineOfPlay
from pymorph.dynamics.results import Legality, Why
from pymorph.errors import Fault, InputError, UnknownName, clipped, nearest
from pymorph.questions import legality
from pymorph.ruleset import scaffold
from pymorph.state.files import position_file
from pymorph.state.names import forms_of
from pymorph.state.position import Position
from pymorph.state.record import Record
from pymorph.views.picture import scene_of
from pymorph.views.pictures import svg
from pymorph.yamlio import Json


class Most(NamedTuple):
    """How much is listed at most."""

    instead: int = 12  # legal actions that are offered instead of one that is refused
    completed: int = 100  # values, which the protocol allows


MOST = Most()
KINDS_OF_VALUES = {"string": str, "boolean": bool, "integer": int, "array": list}
TEXT: Json = {"type": "string"}
GAME = {"game": {**TEXT, "description": "The game's handle; default: the last one opened."}}
SEAT = {"seat": {**TEXT, "description": "The token of a seat, to ask and play as that seat."}}
PICTURE = {"picture": {"type": "boolean", "description": "Add the board as an SVG picture."}}
PLAIN = re.compile(r"[\w ()'-]*")  # a name or words, no path of a file


class Tool(NamedTuple):
    """A tool: what it does, the verb it asks with some *keys* of its options, and *more* keys.

    *seats*: any seat has it. *lists*: it shows which actions are legal. *page*: in a chat that can
    show pages, the table is there beside its answer.
    """

    does: str
    verb: str = ""
    keys: tuple[str, ...] = ()
    more: Json = {}  # noqa: RUF012
    needs: tuple[str, ...] = ()
    seats: bool = False
    lists: bool = False
    page: bool = False

    def input_schema(self, more: Json) -> Json:
        """The JSON Schema of its arguments, *more* among them."""
        params = method_of(self.verb).params if self.verb else {}
        own = {key: params[key] for key in self.keys}
        schema = schema_of(own)
        schema["properties"] |= self.more | more
        schema["required"] = sorted({*schema["required"], *self.needs})
        return schema


def of_text(name: str, says: str) -> Json:
    """An argument that is a text."""
    return {name: {**TEXT, "description": says}}


ACTION = of_text("action", "The action, such as put(x, b2).")
TOOLS = {
    "games": Tool("List the games, each with its version and title.", "rulesets", seats=True),
    "rules": Tool(
        "Search the rules of a game by words, or show some by their ids.",
        "rules",
        ("names", "search"),
        seats=True,
    ),
    "questions": Tool(
        "List the questions that the rules leave open, or explain some.",
        "questions",
        ("names", "search", "rule"),
        seats=True,
    ),
    "words": Tool(
        "List what can be written in a position of a game: keys, actions, figures.",
        "words",
        ("ruleset", "names"),
        seats=True,
    ),
    "new_game": Tool(
        "Start a game at a start position; gives its handle and its position.",
        more=of_text("ruleset", "The game.") | of_text("start", "One of several start positions."),
        needs=("ruleset",),
        page=True,
    ),
    "open_position": Tool(
        "Open a position or a record; gives its handle and its position.",
        more=of_text("text", "Its YAML.") | of_text("file", "The path of a file instead."),
        page=True,
    ),
    "show": Tool(
        "Show the position, as text and as data.", "show", ASKED["show"], seats=True, page=True
    ),
    "legal_actions": Tool(
        "List the legal actions.", "legal", ASKED["legal"], seats=True, lists=True, page=True
    ),
    "why": Tool(
        "Explain why an action is legal, or which rules forbid it and what may be done instead.",
        "why",
        ASKED["why"],
        seats=True,
        page=True,
    ),
    "forecast": Tool("Show what the rules calculate.", "forecast", ASKED["forecast"], seats=True),
    "apply": Tool(
        "Carry out one action in the game, and make the rolls that it calls for.",
        more=ACTION,
        needs=("action",),
        seats=True,
        page=True,
    ),
    "odds": Tool(
        "Show all possible results of actions, with exact odds; nothing is carried out.",
        "apply",
        ("actions", "policy"),
    ),
    "plan": Tool(
        "Find a shortest line of play to a goal, or prove that there is none.",
        "plan",
        ("goal", "within", "by", "against", "rolls"),
        lists=True,
    ),
    "adjudicate": Tool(
        "Judge the claims of a case under every reading of the rules.",
        more=of_text("case", "The case as YAML: ruleset, position, claims."),
        needs=("case",),
    ),
    "seen": Tool("List what the seat has seen of each step since the game began.", seats=True),
    "record": Tool("Show the record: the seed of the rolls and all actions.", seats=True),
    "undo": Tool(
        "Take back the last steps.",
        more={"number": {"type": "integer", "minimum": 1, "description": "How many (1)."}},
    ),
    "deal_seat": Tool(
        "Give out the seat of a player, a character or a spectator; gives its token.",
        more=of_text("name", "Whose seat: a name, or spectator."),
        needs=("name",),
    ),
}


def texts(*names: str) -> Json:
    """The schema of an answer that has a text at each key."""
    return {"type": "object", "properties": dict.fromkeys(names, TEXT), "required": list(names)}


def output_schema(name: str) -> Json:
    """The JSON Schema of the answer of a tool: that of its verb, or its own."""
    own = {
        "record": texts("game", "record"),
        "deal_seat": texts("game", "name", "token", "record"),
        "undo": {"type": "object", "properties": {"undone": {"type": "array", "items": TEXT}}},
    }
    if name in own:
        return own[name]
    if name == "seen":
        writer = answer_schema.AnswerSchema()
        return {**writer.record(SeenSteps), "$defs": writer.shared}
    verbs = {"apply": "apply", "new_game": "show", "open_position": "show"}
    verb = TOOLS[name].verb or verbs.get(name, name)
    schema = answer_schema.schema_of(verb, method_of(verb).kind)
    more = {"game": TEXT} if verb == "show" else {}
    if name == "why":
        more = {"alternatives": {"type": "array", "items": TEXT}}
    return {**schema, "type": "object", "properties": {**schema.get("properties", {}), **more}}


class ToolAnswer(NamedTuple):
    """What a tool answers: data, text, and a picture of the board if one was asked for."""

    data: Json
    text: str
    picture: str = ""


class Referee:
    """What the tools of one server answer: about any game, or as one seat of one game."""

    def __init__(self, folder: str, file: str = "", seat: str = "", lists: bool = True) -> None:
        """New games are recorded in *folder*. *file* is the record of a game that is played, and
        *seat* the name of the only one that this server holds there. Without *lists*, nothing
        shows which actions are legal.

        Raises: InputError, if the file has no record; UnknownName, if nobody has such a seat.
        """
        self.folder, self.lists, self.only = folder, lists, seat
        self.tables: dict[str, Table] = {}
        if file:
            self.tables["game-1"] = Table(file)
            self.seat({})

    @property
    def tools(self) -> dict[str, Tool]:
        """The tools of this server, by name."""
        return {
            name: tool
            for name, tool in TOOLS.items()
            if (tool.seats or not self.only) and (self.lists or not tool.lists)
        }

    def keys(self, name: str) -> Json:
        """The JSON Schema of the arguments of a tool."""
        tool = self.tools[name]
        about_game = {**GAME, **(SEAT if tool.seats else {})}
        catalogue = ("games", "rules", "questions", "words", "new_game", "open_position")
        apart = name in (*catalogue, "adjudicate") or self.only
        more = PICTURE if name == "show" else {}
        schema = tool.input_schema(more if apart else {**more, **about_game})
        for key, without in (("reach", not self.lists), ("ruleset", bool(self.only))):
            if without and schema["properties"].pop(key, None):
                schema["required"] = [name for name in schema["required"] if name != key]
        return schema

    def call(self, name: str, given: Mapping[str, Any]) -> ToolAnswer:
        """What a tool answers. Raises: PymorphError, which says what to do."""
        if name not in self.tools:
            raise UnknownName(Fault(f"unknown tool {clipped(name)}{nearest(name, self.tools)}"))
        schema = self.keys(name)
        for key in given:
            if key not in schema["properties"]:
                about = nearest(key, schema["properties"])
                raise UnknownName(Fault(f"{name} has no argument {clipped(key)}{about}"))
            kind = schema["properties"][key]["type"]
            if not isinstance(given[key], KINDS_OF_VALUES[kind]):
                raise InputError(Fault(f"{key!r} is of the type {kind}"))
        for key in schema["required"]:
            if given.get(key) in (None, ""):
                raise InputError(Fault(f"{name} needs {key!r}"))
        own: Callable[[Mapping[str, Any]], ToolAnswer] | None = getattr(self, f"do_{name}", None)
        if own is not None:
            return own(given)
        tool = TOOLS[name]
        options = {key: given[key] for key in tool.keys if given.get(key) is not None}
        if "game" in schema["properties"] or (self.only and tool.verb in ASKED):
            return with_text(self.seat(given).ask(tool.verb, options))
        return with_text(answered(tool.verb, None, self.named(tool, options)))

    # -- the game that is asked about ------------------------------------------------------------

    def table(self, given: Mapping[str, Any]) -> Table:
        """The game that is meant. Raises: UnknownName."""
        handle = self.handle(given)
        if handle not in self.tables:
            told = nearest(handle, self.tables) if handle else "; open one with new_game"
            raise UnknownName(Fault(f"unknown game {clipped(handle)}{told}"))
        return self.tables[handle]

    def handle(self, given: Mapping[str, Any]) -> str:
        return given.get("game") or next(reversed(self.tables), "")

    def seat(self, given: Mapping[str, Any]) -> Seat:
        """The seat that asks: the one of this server, that of a token, or the master's."""
        table = self.table(given)
        if self.only:
            return table.seat(self.only)
        token = given.get("seat")
        return table.held(token) if token else Seat(table, "")

    def named(self, tool: Tool, options: Json) -> Json:
        """Options about a game; a seat asks about its own.

        Raises: InputError, if a seat names a file.
        """
        if not self.only or not tool.keys:
            return options
        words = [word for value in options.values() for word in _listed(value)]
        strange = next((word for word in words if not PLAIN.fullmatch(word)), None)
        if strange is not None:
            raise InputError(Fault(f"a seat names rules and words, not {clipped(strange)}"))
        own = str(self.table({}).position.data()["ruleset"])
        if "ruleset" in tool.keys:
            return {**options, "ruleset": own}
        return {**options, "names": [own, *options.get("names", ())]}

    # -- tools of their own ----------------------------------------------------------------------

    def do_new_game(self, given: Mapping[str, Any]) -> ToolAnswer:
        text = scaffold.start(given["ruleset"], name=given.get("start") or "")
        return self.opened(position_file.parse(text, given["ruleset"], None))

    def do_open_position(self, given: Mapping[str, Any]) -> ToolAnswer:
        text, file = given.get("text"), given.get("file")
        if bool(text) == bool(file):
            raise InputError(Fault("open_position needs 'text' or 'file'"))
        if file:
            return self.opened(position_file.load(file))
        return self.opened(position_file.parse(str(text), "text", Path.cwd()))

    def opened(self, source: Position | Record) -> ToolAnswer:
        """A new game, under a handle."""
        handle = f"game-{len(self.tables) + 1}"
        self.tables[handle] = Table.laid(str(Path(self.folder, f"{handle}.yaml")), source)
        answer = Seat(self.tables[handle], "").ask("show", {})
        return ToolAnswer(
            {"game": handle, **answer.data}, "\n".join([f"game: {handle}", *answer.lines])
        )

    def do_show(self, given: Mapping[str, Any]) -> ToolAnswer:
        keys = self.keys("show")["properties"].keys() & {*ASKED["show"]}
        options = {key: given[key] for key in keys if given.get(key) is not None}
        seat = self.seat(given)
        answer = with_text(seat.ask("show", options))
        if not given.get("picture"):
            return answer
        return answer._replace(picture=svg.board_svg(scene_of(seat.view())))

    def do_why(self, given: Mapping[str, Any]) -> ToolAnswer:
        seat = self.seat(given)
        if not self.lists:
            in_full(seat.view(), given["what"])
        answer = with_text(seat.ask("why", {"what": given["what"]}, self.kept))
        if answer.data.get("legal") is not False or not self.lists:
            return answer
        view = seat.view()
        own = seat.part(view, legality.legal(view))
        instead = alternatives(answer.data["action"], own)
        told = [f"may be done instead: {', '.join(instead)}"] if instead else []
        text = "\n".join([answer.text, "", *told]).rstrip()
        return ToolAnswer({**answer.data, "alternatives": instead}, text)

    def do_apply(self, given: Mapping[str, Any]) -> ToolAnswer:
        seat = self.seat(given)
        if not self.lists:
            in_full(seat.view(), given["action"])
        return with_text(seat.apply(given["action"], self.kept))

    def kept(self, answer: Any) -> Any:
        """What is left of an answer, if no legal actions are to be listed."""
        if self.lists:
            return answer
        if isinstance(answer, LineOfPlay) and answer.why:
            return answer._replace(why=answer.why._replace(instead=()))
        return answer._replace(instead=()) if isinstance(answer, Why) else answer

    def do_odds(self, given: Mapping[str, Any]) -> ToolAnswer:
        options = {"actions": given.get("actions") or [], "policy": given.get("policy") or []}
        return with_text(self.seat(given).ask("apply", {**options, "odds": True}))

    def do_adjudicate(self, given: Mapping[str, Any]) -> ToolAnswer:
        file = Path(self.folder, "case.yaml")
        file.write_text(given["case"], encoding="utf-8")
        try:
            return with_text(answered("adjudicate", None, {"files": [str(file)]}))
        finally:
            file.unlink()

    def do_seen(self, given: Mapping[str, Any]) -> ToolAnswer:
        seen = self.seat(given).seen()
        lines = []
        for step in seen.seen:
            changes = [f"  {c.fluent}: {c.before} -> {c.after}" for c in step.changes]
            lines += [step.action or "somebody else", *changes]
        return ToolAnswer(encode(seen), "\n".join(lines) or "nothing yet")

    def do_record(self, given: Mapping[str, Any]) -> ToolAnswer:
        text = self.seat(given).record()
        return ToolAnswer({"game": self.handle(given), "record": text}, text)

    def do_undo(self, given: Mapping[str, Any]) -> ToolAnswer:
        moves = self.table(given).undo(int(given.get("number") or 1))
        undone = [move.action for move in moves]
        return ToolAnswer({"undone": undone}, "\n".join(f"undone: {action}" for action in undone))

    def do_deal_seat(self, given: Mapping[str, Any]) -> ToolAnswer:
        table, name = self.table(given), given["name"]
        token = table.deal(name)
        data = {"game": self.handle(given), "name": name, "token": token, "record": table.path}
        alone = f"a server of its own: pymorph mcp --game {table.path} --seat {name}"
        return ToolAnswer(data, f"the seat of {name}: pass seat={token}; {alone}")


def with_text(answer: SeatAnswer) -> ToolAnswer:
    return ToolAnswer(answer.data, "\n".join(answer.lines))


def _listed(value: Any) -> list[str]:
    return [str(item) for item in (value if isinstance(value, list) else [value])]


def in_full(position: Position, text: str) -> None:
    """Raises: InputError, if a text may name several actions: then one would be told the legal."""
    if len(forms_of(position, text)) > 1:
        raise InputError(Fault(f"write {clipped(text)} with all its arguments"))


def alternatives(action: str, answer: Legality) -> list[str]:
    """The legal actions most like one that is refused: of its name, with most of its arguments."""
    name, words = action.partition("(")[0], set(re.findall(r"\w+", action))

    def unlike(other: str) -> tuple[bool, int]:
        return other.partition("(")[0] != name, -len(words & set(re.findall(r"\w+", other)))

    return sorted(map(str, answer.actions), key=unlike)[: MOST.instead]
