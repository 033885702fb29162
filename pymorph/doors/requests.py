"""Questions as JSON objects: the methods are the verbs, with their own options and answers.

A message is a request of JSON-RPC 2.0. Positions stay under handles, of which one request at a time
may change what is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import IntEnum
from functools import cache
from importlib import import_module
from threading import Lock
from types import MappingProxyType
from typing import Any, NamedTuple

import click

from pymorph.answers import encode, json_keys
from pymorph.cli import answer_schema, values
from pymorph.cli.app import VERBS, ErrorAnswer, Exit, code_of, explained
from pymorph.cli.loading import Kept
from pymorph.cli.options import argument, option
from pymorph.cli.texts import misused
from pymorph.cli.verb import KINDS, AboutPosition, CommandLine, InJson
from pymorph.errors import InputError, clipped, nearest
from pymorph.ruleset import scaffold
from pymorph.runtime.installation import VERSION
from pymorph.state import rulings
from pymorph.state.files import position_file
from pymorph.state.position import Position
from pymorph.state.record import Record
from pymorph.yamlio import Json

JSON_RPC = {"jsonrpc": "2.0"}
MEMBERS = {
    "jsonrpc": "'2.0', or left out",
    "id": "a text or a whole number",
    "method": "a text, such as 'legal'",
    "params": "an object: each option with its value",
}
STDIN = "-"
UNSET = getattr(click.core, "UNSET", None)  # what some releases of click give for no value


class RpcCode(IntEnum):
    """The codes of errors that JSON-RPC has; other errors have the exit code of the verb."""

    NOT_JSON = -32700
    REQUEST = -32600
    METHOD = -32601
    PARAMS = -32602


class BadRequest(InputError):
    """A message that is no request which can be answered."""

    def __init__(self, code: RpcCode, message: str) -> None:
        super().__init__(message)
        self.code = code


class Requests:
    """Answers the questions of a program, one at a time, and keeps positions for it.

    >>> requests = Requests()
    >>> message = {"id": 1, "method": "load", "params": {"ruleset": "tictactoe", "handle": "@game"}}
    >>> requests.answer(message)["result"]["answer"]["handle"]
    '@game'
    >>> answer, code = requests.ask("legal", {"file": "@game"})
    >>> int(code), answer["actions"][0]
    (0, {'actor': 'x', 'action': 'put(x, a1)'})
    """

    def __init__(self) -> None:
        self.handles: dict[str, Kept] = {}
        self.lock = Lock()

    def ask(self, method: str, params: Mapping[str, Any]) -> tuple[Json, Exit]:
        """The answer of a verb with these options, as with `--json`, and its exit code.

        Raises: BadRequest or UsageError, if there is no such verb, or not with such options;
        whatever the verb raises.
        """
        verb = self.verb(method, {"as_json": True}, params)
        with self.lock:
            return verb.reply()

    def verb(self, method: str, given: dict[str, Any], params: Mapping[str, Any]) -> CommandLine:
        """A verb with these options, ready to be asked. Raises: as `ask`, for what is given."""
        asked = method_of(method)
        for key, value in params.items():
            if key not in asked.params:
                what = f"unknown option {clipped(key)} of {method}"
                raise BadRequest(RpcCode.PARAMS, what + nearest(key, asked.params))
            if value is not None:
                given[asked.params[key].name or key] = in_words(key, asked.params[key], value)
        options = asked.options(given)
        verb = asked.kind(**{k: value for k, value in options.items() if value is not UNSET})
        verb.handles = self.handles
        return verb

    def answer(self, message: Any) -> Json:
        """The response to a message: a result, or an error."""
        try:
            method, params = request_of(message)
            answer, code = self.ask(method, params)
        except Exception as error:
            return failure(error, message)
        return {**JSON_RPC, "id": message["id"], "result": {"code": int(code), "answer": answer}}


# -- what is asked -----------------------------------------------------------------------------


def request_of(message: Any) -> tuple[str, dict[str, Any]]:
    """The method and the parameters of a request. Raises: BadRequest."""
    if not isinstance(message, dict):
        raise BadRequest(RpcCode.REQUEST, "a request is an object with 'id', 'method', 'params'")
    for key in message.keys() - MEMBERS:
        what = f"unknown member {clipped(key)} of the request{nearest(key, MEMBERS)}"
        raise BadRequest(RpcCode.REQUEST, f"{what}; options belong in 'params'")
    method, params = message.get("method"), message.get("params", {})
    for key, good in (
        ("jsonrpc", message.get("jsonrpc", "2.0") == "2.0"),
        ("id", id_of(message) is not None),
        ("method", isinstance(method, str)),
        ("params", isinstance(params, dict)),
    ):
        if not good:
            raise BadRequest(RpcCode.REQUEST, f"the {key!r} of a request is {MEMBERS[key]}")
    return str(method), params


def id_of(message: Any) -> str | int | None:
    """The id of a request, if it has one."""
    given = message.get("id") if isinstance(message, dict) else None
    return given if isinstance(given, str | int) and not isinstance(given, bool) else None


def failure(error: Exception, message: Any = None) -> Json:
    """The response to a message that has no answer."""
    ours, _ = explained(error)
    wrong_params = RpcCode.PARAMS if isinstance(error, click.UsageError) else code_of(ours)
    code = error.code if isinstance(error, BadRequest) else wrong_params
    data = ErrorAnswer.of(ours)
    said = {"code": int(code), "message": str(data.first), "data": encode(data)}
    return {**JSON_RPC, "id": id_of(message), "error": said}


class Method(NamedTuple):
    """A verb as a method: its parameters by the keys of requests, and what each is by default."""

    kind: type[CommandLine]
    command: click.Command
    params: dict[str, click.Parameter]
    defaults: Mapping[str, Any] = MappingProxyType({})

    def options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options of the verb, if these words are given. Raises: UsageError."""
        context = click.Context(self.command)
        for param in self.command.params:
            if param.name in given or param.name not in self.defaults:
                param.handle_parse_result(context, given, [])
        return {**self.defaults, **context.params}


@cache
def method_of(name: str) -> Method:
    """The method of that name, such as `legal` or `book add`. Raises: BadRequest."""
    word = name.partition(" ")[0]
    if word in VERBS:
        import_module(f"pymorph.{VERBS[word]}")
    kind = {**KINDS, **OWN}.get(name)
    if kind is None:
        what = f"unknown method {clipped(name)}{nearest(name, methods())}"
        raise BadRequest(RpcCode.METHOD, what)
    if kind.talks or not kind.has_json():
        why = "is a conversation" if kind.talks else "has no answer in JSON"
        raise BadRequest(RpcCode.METHOD, f"{name} {why}; use it at a terminal")
    command = click.Command(name, params=kind.params())
    keys = {key_of(param): param for param in command.params if param.name != "as_json"}
    fixed = [one for one in command.params if not (one.required or one.callback)]
    defaults = Method(kind, click.Command(name, params=fixed), keys).options({})
    return Method(kind, command, keys, defaults)


def methods() -> dict[str, type[CommandLine]]:
    """All methods by name."""
    verbs = {name: KINDS[name] for name in answer_schema.answers() if name in KINDS}
    return {**OWN, **{name: kind for name, kind in verbs.items() if not kind.talks}}


def key_of(param: click.Parameter) -> str:
    """What a request calls a parameter: the name of its option, with _ for each hyphen in it."""
    return max(param.opts, key=len).lstrip("-").replace("-", "_")


def in_words(key: str, param: click.Parameter, value: Any) -> Any:
    """The value of a parameter, in the words of a command line. Raises: BadRequest."""
    if is_flag(param):
        if isinstance(value, bool):
            return value
        raise BadRequest(RpcCode.PARAMS, f"{key!r} is true or false, not {clipped(str(value))}")
    items = value if takes_list(param) and isinstance(value, list) else [value]
    for item in items:
        if isinstance(item, bool) or not isinstance(item, str | int | float):
            form = "a text or a number" + ", or a list of them" * takes_list(param)
            what = f"{key!r} is {form}, not {clipped(str(item))}"
            raise BadRequest(RpcCode.PARAMS, what)
        if item == STDIN:
            what = f"{key!r} cannot be standard input, which has the requests; expected a path"
            raise BadRequest(RpcCode.PARAMS, what)
    words = tuple(map(str, items))
    return words if takes_list(param) else words[0]


def is_flag(param: click.Parameter) -> bool:
    return isinstance(param, click.Option) and param.is_flag


def takes_list(param: click.Parameter) -> bool:
    return param.multiple or param.nargs != 1


def schema_of(params: Mapping[str, click.Parameter]) -> Json:
    """The JSON Schema of the parameters of a method."""
    drawn: Json = {}
    for key, param in params.items():
        kind: Any = param.type
        of_one: Json = {"type": "string"}
        if is_flag(param):
            of_one = {"type": "boolean"}
        elif isinstance(kind, click.Choice):
            of_one = {"enum": list(kind.choices)}
        elif isinstance(kind, type(click.INT)):
            ends = {"minimum": getattr(kind, "min", None), "maximum": getattr(kind, "max", None)}
            of_one = {"type": "integer", **{k: end for k, end in ends.items() if end is not None}}
        elif getattr(kind, "func", None) is values.seconds:
            of_one = {"type": "number", "exclusiveMinimum": 0}
        drawn[key] = {"type": "array", "items": of_one} if takes_list(param) else of_one
        drawn[key] |= {"description": getattr(param, "help", None) or param.metavar or key.upper()}
    required = [key for key, param in params.items() if param.required]
    return {
        "type": "object",
        "properties": drawn,
        "required": required,
        "additionalProperties": False,
    }


# -- what only programs ask ------------------------------------------------------------------------


@json_keys(spread=["position.ruleset.edition"], without=["position"])
class Loaded(NamedTuple):
    """The handle of a position, and its game."""

    handle: str
    position: Position


class LoadMethod(AboutPosition):
    """Keep a position or a record under a handle, which is its FILE in later requests."""

    file: str | None = argument(values.POSITION_FILE, required=False)
    handle: str = option("--handle", "The handle: @ and a name.", required=True)
    ruleset: str | None = option("--ruleset", "Load a start position of this game.", values.GAME)
    start: str = option("--start", "Load this one of several start positions.", default="")

    def check(self) -> None:
        if (self.file is None) == (self.ruleset is None):
            raise misused("load needs a file or a ruleset")

    def ask(self) -> Loaded:
        if self.file is not None:
            name, source = self.file, self.load(self.file)
        else:
            name, text = STDIN, scaffold.start(self.ruleset or "", name=self.start)
            source = position_file.parse(text, f"{self.ruleset}", None)
        position, record = self.reached(source, name), None
        if isinstance(source, Record) and self.viewer is None:
            start = source.position.with_rulings(rulings.options(self.ruled))
            record = replace(source, position=start)
        self.keep_under(self.handle, position, record)
        return Loaded(self.handle, position)


class Handles(NamedTuple):
    """The handles that are in use."""

    handles: tuple[str, ...]


class ForgetMethod(InJson):
    """Forget the positions under some handles; gives those that are left."""

    names: tuple[str, ...] = option("--handles", "The handles.", multiple=True)

    def ask(self) -> Handles:
        assert self.handles is not None
        for handle in self.names:
            if self.kept(handle) is None:
                raise misused(f"{clipped(handle)} is no handle")
        for handle in dict.fromkeys(self.names):
            del self.handles[handle]
        return Handles(tuple(self.handles))


class Protocol(NamedTuple):
    """What each method does, and the versions of pymorph and of the protocol.

    That of the protocol rises if a request gets another meaning.
    """

    methods: dict[str, str]
    version: str = VERSION
    protocol: int = 1


class MethodHelp(NamedTuple):
    """What a method does, and the JSON Schema of its parameters and of its answer."""

    method: str
    says: str
    params: Json
    answer: Json


class HelpMethod(InJson):
    """List the methods, or show the parameters and the answer of one."""

    method: str | None = argument(required=False)

    def ask(self) -> Protocol | MethodHelp:
        if self.method is None:
            says = {name: sentence_of(kind) for name, kind in sorted(methods().items())}
            return Protocol(says)
        kind, _, params, _ = method_of(self.method)
        answer = answer_schema.schema_of(self.method, kind)
        return MethodHelp(self.method, sentence_of(kind), schema_of(params), answer)


OWN: dict[str, type[CommandLine]] = {
    "forget": ForgetMethod,
    "help": HelpMethod,
    "load": LoadMethod,
}


def sentence_of(kind: type[CommandLine]) -> str:
    """What a verb does."""
    return " ".join((kind.__doc__ or "").partition("\n\n")[0].split())
