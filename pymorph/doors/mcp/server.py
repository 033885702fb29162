"""The server of the Model Context Protocol: it passes on what agents ask, and the answers."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar

import anyio
import mcp_types as types
from anyio import to_thread
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID, client_supports_apps
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from pymorph.answers import encode
from pymorph.cli.app import ErrorAnswer, explained, faults_of
from pymorph.doors.mcp import page, tools
from pymorph.doors.seats import UNSAID
from pymorph.doors.table.jobs import Jobs
from pymorph.errors import InputError, PymorphError
from pymorph.runtime.installation import VERSION

_T = TypeVar("_T")
SCHEME = "pymorph://rules/"
TEMPLATES = {
    "rules": (f"{SCHEME}{{game}}", "The rules of a game."),
    "rule": (f"{SCHEME}{{game}}/{{rule}}", "One rule of a game."),
}
INSTRUCTIONS = (
    "Ask pymorph what the rules of a tabletop game allow; do not guess. Open a game with new_game "
    "or open_position. Call show to see it, why before you claim that an action is legal or not, "
    "and apply to carry an action out. Every answer cites the ids of its rules; the tool rules "
    "explains them."
)
REFEREE = (
    "You referee a tabletop game with the tools of pymorph. For each action that a player names, "
    "ask why. If it is legal, apply it, and say what changed and by which rules. If it is not, "
    "cite the rules that forbid it, and offer the alternatives. Never roll dice yourself: apply "
    "rolls them. To play a character fairly, give it a seat with deal_seat, and ask with its token."
)


class Settings(NamedTuple):
    """How a server is started, as the options of the verb have it."""

    file: str = ""
    seat: str = ""
    folder: str = ""
    lists: bool = True
    timeout: float = 30.0


class Door:
    """Answers the requests of the protocol; the rules are imported at the first of them."""

    def __init__(self, settings: Settings, folder: str) -> None:
        self.settings, self.folder = settings, folder
        self._referee: tools.Referee | None = None
        self._page: page.PageTools | None = None
        self._jobs: Jobs | None = None
        self._one = anyio.CapacityLimiter(1)

    def referee(self) -> tools.Referee:
        if self._referee is None:
            asked = self.settings
            self._referee = tools.Referee(self.folder, asked.file, asked.seat, asked.lists)
        return self._referee

    def page_tools(self) -> page.PageTools:
        if self._page is None:
            self._page = page.PageTools(self.referee())
        return self._page

    def jobs(self) -> Jobs:
        if self._jobs is None:
            self._jobs = Jobs()
            atexit.register(self._jobs.close)
        return self._jobs

    def shows_page(self, context: Any) -> bool:
        """Does the client show pages? One that lists legal actions is no page for all servers."""
        return self.settings.lists and client_supports_apps(context)

    async def work(self, question: Callable[[], _T]) -> _T:
        """The answer to a question, from a thread that is left alone when its time is up.

        Raises: PymorphError; TimeoutError, after which the question may still be worked on.
        """
        with anyio.fail_after(self.settings.timeout):
            answer: _T = await to_thread.run_sync(
                question, abandon_on_cancel=True, limiter=self._one
            )
        return answer

    async def ask(self, question: Callable[[], _T]) -> _T:
        """The same for what is no tool, whose errors belong to the protocol."""
        try:
            return await self.work(question)
        except (PymorphError, TimeoutError) as error:
            raise MCPError(types.INVALID_PARAMS, str(error) or "no answer in time") from None

    # -- tools -----------------------------------------------------------------------------------

    async def list_tools(self, context: Any, _: Any) -> types.ListToolsResult:
        found = await self.ask(partial(self._tools, self.shows_page(context)))
        return types.ListToolsResult(tools=found)

    def _tools(self, shows_page: bool) -> list[types.Tool]:
        referee = self.referee()
        changing = ("new_game", "open_position", "apply", "undo", "deal_seat")
        found = [
            types.Tool(
                name=name,
                description=tool.does,
                input_schema=referee.keys(name),
                output_schema=tools.output_schema(name),
                annotations=hints(name not in changing, name == "undo"),
                _meta=page.meta("model", "app") if tool.page and shows_page else None,
            )
            for name, tool in referee.tools.items()
        ]
        own = [
            types.Tool(
                name=name,
                description=does,
                input_schema=page.input_schema(name, bool(referee.only)),
                annotations=hints(name == "table_ask"),
                _meta=page.meta("app"),
            )
            for name, does in page.TOOLS.items()
        ]
        return [*found, *(own if shows_page else [])]

    async def call_tool(
        self, context: Any, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        given = params.arguments or {}
        shows_page = self.shows_page(context)
        if params.name in page.TOOLS and shows_page:
            return await self.call_from_page(params.name, given)
        try:
            answer = await self.work(lambda: self.referee().call(params.name, given))
            result = self.result(answer, given)
        except Exception as error:
            result = types.CallToolResult(content=[_text(self.wrong(error))], is_error=True)
        if shows_page:
            handle = "" if self.settings.seat else self.referee().handle(given)
            result.meta = {page.HANDLE: handle}
        return result

    async def call_from_page(self, name: str, given: dict[str, Any]) -> types.CallToolResult:
        """What the page is answered; an error is that of `--json`."""
        try:
            answer = await self.answer_to_page(name, given)
        except Exception as error:
            late = isinstance(error, TimeoutError)
            ours, _ = explained(InputError(self.wrong(error)) if late else error)
            if not (late or ours is error) and (self.settings.seat or given.get("seat")):
                ours = PymorphError(UNSAID)
            text = _text("\n".join(map(str, faults_of(ours))))
            data = encode(ErrorAnswer.of(ours))
            return types.CallToolResult(content=[text], structured_content=data, is_error=True)
        text = _text(f"{given['task']}: answered on the page")
        return types.CallToolResult(content=[text], structured_content={"answer": answer})

    async def answer_to_page(self, name: str, given: dict[str, Any]) -> Any:
        """The answer to a task; a long question starts, stops, or says how far it is."""
        answer = await self.work(lambda: self.page_tools().call(name, given))
        if not isinstance(answer, page.LongQuestion):
            return answer
        seat, asked = answer
        if asked.get("kind"):
            return await self.jobs().start(*seat, asked)
        return (self.jobs().stop if asked.get("stop") else self.jobs().state)(*seat)

    def result(self, answer: tools.ToolAnswer, given: dict[str, Any]) -> types.CallToolResult:
        """An answer as the protocol has it."""
        content: list[types.ContentBlock] = [_text(answer.text)]
        if answer.picture:
            uri = f"pymorph://board/{given.get('game') or 'game'}.svg"
            picture = types.TextResourceContents(
                uri=uri, mime_type="image/svg+xml", text=answer.picture
            )
            content.append(types.EmbeddedResource(type="resource", resource=picture))
        return types.CallToolResult(content=content, structured_content=answer.data)

    def wrong(self, error: Exception) -> str:
        """What is wrong, and what to do."""
        if isinstance(error, TimeoutError):
            return (
                f"no answer within {self.settings.timeout:g} seconds; ask less at once, or start "
                "the server with a longer --timeout. Look at the position before you repeat apply."
            )
        ours, _ = explained(error)
        return "\n".join(map(str, faults_of(ours)))

    # -- rules as resources ----------------------------------------------------------------------

    async def list_resources(self, context: Any, _: Any) -> types.ListResourcesResult:
        games = await self.ask(partial(self._known, ""))
        rows = [
            types.Resource(name=game, uri=f"{SCHEME}{game}", mime_type="text/plain")
            for game in games
        ]
        table = types.Resource(
            name="table", uri=page.URI, mime_type=APP_MIME_TYPE, description=page.DOES
        )
        shown = [table] if self.shows_page(context) else []
        return types.ListResourcesResult(resources=[*shown, *rows])

    async def list_templates(self, _: Any, __: Any) -> types.ListResourceTemplatesResult:
        rows = [
            types.ResourceTemplate(name=name, uri_template=uri, description=says)
            for name, (uri, says) in TEMPLATES.items()
        ]
        return types.ListResourceTemplatesResult(resource_templates=rows)

    async def read(
        self, _: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        if uri == page.URI:
            text = types.TextResourceContents(
                uri=uri, mime_type=APP_MIME_TYPE, text=page.html(), _meta=page.RIGHTS
            )
            return types.ReadResourceResult(contents=[text])
        names = uri.removeprefix(SCHEME).split("/")
        if not uri.startswith(SCHEME) or len(names) > len(TEMPLATES):
            known = " or ".join(uri for uri, _ in TEMPLATES.values())
            raise MCPError(types.INVALID_PARAMS, f"unknown resource {uri}; expected {known}")
        found = await self.ask(lambda: self.referee().call("rules", {"names": names}).text)
        text = types.TextResourceContents(uri=uri, mime_type="text/plain", text=found)
        return types.ReadResourceResult(contents=[text])

    def _known(self, game: str) -> list[str]:
        """The names of all games, or the ids of the rules of one."""
        name, given = ("rules", {"names": [game]}) if game else ("games", {})
        data = self.referee().call(name, given).data
        return (
            [row["id"] for row in data["rules"]] if game else [r["name"] for r in data["rulesets"]]
        )

    async def complete(self, _: Any, params: types.CompleteRequestParams) -> types.CompleteResult:
        given = params.context.arguments if params.context else None
        game = (given or {}).get("game", "") if params.argument.name == "rule" else ""
        unsure = params.argument.name == "rule" and not game
        names = [] if unsure else await self.ask(partial(self._known, game))
        values = [name for name in names if name.startswith(params.argument.value)]
        found = types.Completion(values=values[: tools.MOST.completed], total=len(values))
        return types.CompleteResult(completion=found)

    # -- a prompt --------------------------------------------------------------------------------

    async def list_prompts(self, _: Any, __: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[types.Prompt(name="referee", description="How to referee a game.")]
        )

    async def get_prompt(
        self, _: Any, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        if params.name != "referee":
            raise MCPError(types.INVALID_PARAMS, f"unknown prompt {params.name}; expected referee")
        message = types.PromptMessage(role="user", content=_text(REFEREE))
        return types.GetPromptResult(messages=[message])


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)


def hints(only_reads: bool, destroys: bool = False) -> types.ToolAnnotations:
    """What a host may tell people of a tool before it is called."""
    return types.ToolAnnotations(
        read_only_hint=only_reads, destructive_hint=destroys, open_world_hint=False
    )


def server_of(settings: Settings, folder: str) -> Server[Any]:
    """A server with these settings, whose new games are recorded in a folder."""
    door = Door(settings, folder)
    server: Server[Any] = Server(
        "pymorph",
        version=VERSION,
        title="pymorph, a rules referee",
        instructions=INSTRUCTIONS,
        on_list_tools=door.list_tools,
        on_call_tool=door.call_tool,
        on_list_resources=door.list_resources,
        on_list_resource_templates=door.list_templates,
        on_read_resource=door.read,
        on_completion=door.complete,
        on_list_prompts=door.list_prompts,
        on_get_prompt=door.get_prompt,
    )
    if settings.lists:
        server.extensions[EXTENSION_ID] = {}
    return server


def serve(settings: Settings) -> None:
    """Serve the program that started this one, over its standard streams, until it hangs up."""
    folder = settings.folder or tempfile.mkdtemp(prefix="pymorph-")
    try:
        anyio.run(_serve, server_of(settings, folder))
    finally:
        if not settings.folder:
            shutil.rmtree(folder, ignore_errors=True)


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
