"""The server of the table: pages, the questions of each seat, and news of what was played."""

from __future__ import annotations

import asyncio
import socket
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib import resources
from typing import Any, NamedTuple

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from pymorph.answers import encode
from pymorph.cli.app import ErrorAnswer, explained
from pymorph.doors.seats import MASTER, SPECTATOR
from pymorph.doors.table.guard import BOUNDS, Guard
from pymorph.doors.table.jobs import Jobs
from pymorph.doors.table.links import Link, Links
from pymorph.doors.table.pool import Pool
from pymorph.doors.table.tasks import TASKS, work
from pymorph.errors import Fault, InputError
from pymorph.state.record import Move

PAGE = resources.files(__package__).joinpath("page")
KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
SEAT = "/{game}/{seat}/{token}"
CHANGING = ("play", "undo", "redo", "rule", "withdraw", "save")
BEAT = 15.0  # seconds after which a listener hears that the server is there


class Settings(NamedTuple):
    """How a server is started."""

    files: tuple[str, ...]  # the records of games
    host: str = "127.0.0.1"
    port: int = 8017
    processes: int = 4
    seconds: float = 30.0  # that a question may take


class Game:
    """A game that people sit at: its file, who listens, and what was taken back."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.version = 0
        self.undone: list[Move] = []
        self.listeners: dict[str, set[asyncio.Event]] = defaultdict(set)
        self.waiting: dict[str, int] = defaultdict(int)
        self.one_changes = asyncio.Lock()

    def changed(self) -> None:
        """Tell all who listen that the game went on."""
        self.version += 1
        for events in self.listeners.values():
            for event in events:
                event.set()


class NoSuchSeat(Exception):
    """A link that leads nowhere."""


class TableServer:
    """The games of a server, and what it answers."""

    def __init__(self, settings: Settings, links: Links) -> None:
        self.settings, self.links = settings, links
        self.games = {links.game(path): Game(path) for path in settings.files}
        self.pool = Pool(settings.processes, settings.seconds)
        self.jobs = Jobs()

    # -- requests --------------------------------------------------------------------------------

    def seat(self, request: Request) -> tuple[Game, Link]:
        """The game and the seat of a request. Raises: NoSuchSeat."""
        given = request.path_params
        link = Link(given["game"], given["seat"], given["token"])
        game = self.games.get(link.game)
        if game is None or not self.links.is_good(link, game.path):
            raise NoSuchSeat
        return game, link

    async def page(self, request: Request) -> Response:
        self.seat(request)
        return file("table.html")

    async def answer(self, request: Request) -> Response:
        """The answer to a question, or what a move led to."""
        game, link = self.seat(request)
        task = request.path_params["task"]
        if task not in TASKS:
            raise NoSuchSeat
        given: dict[str, Any]
        given = await body_of(request) if request.method == "POST" else dict(request.query_params)
        if request.method != "POST":
            if task in CHANGING:
                return PlainTextResponse("use POST", 405)
            given = {
                **given,
                **({"step": int(given["step"])} if given.get("step", "").isdigit() else {}),
            }
        if game.waiting[link.seat] >= BOUNDS.of_a_seat:
            return error_response(InputError(Fault("too many questions at once")), 429)
        game.waiting[link.seat] += 1
        try:
            data = await self.worked_out(game, link, task, given)
        except Exception as error:
            return error_response(error)
        finally:
            game.waiting[link.seat] -= 1
        return JSONResponse(data)

    async def worked_out(self, game: Game, link: Link, task: str, given: dict[str, Any]) -> Any:
        """What a task comes to; of those that change the game, one at a time."""
        if task not in CHANGING:
            return await self.pool.ask(work, game.path, link.seat, task, given)
        async with game.one_changes:
            if task == "redo":
                given = {**given, "moves": game.undone[-(given.get("steps") or 1) :][::-1]}
            data = await self.pool.ask(work, game.path, link.seat, task, given)
            if task == "undo":
                game.undone += data
                data = {"undone": [move.action for move in data]}
            elif task == "redo":
                del game.undone[len(game.undone) - len(given["moves"]) :]
            else:
                game.undone.clear()
            game.changed()
        return data

    async def events(self, request: Request) -> Response:
        """News, as server-sent events: a number that rises whenever the game goes on."""
        game, link = self.seat(request)
        if len(game.listeners[link.seat]) >= BOUNDS.listeners:
            return PlainTextResponse("too many pages of this seat are open", 429)
        return StreamingResponse(news(game, link.seat), media_type="text/event-stream")

    async def seats(self, request: Request) -> Response:
        """The links to all seats, for who runs the game."""
        game, link = self.seat(request)
        try:
            names = await self.pool.ask(work, game.path, link.seat, "players", {})
        except Exception as error:
            return error_response(error)
        seats = [MASTER, *names, SPECTATOR]
        return JSONResponse({name: self.links.to(game.path, name).path() for name in seats})

    async def job(self, request: Request) -> Response:
        """How the long question of a seat goes; a new one, or its end, if that is asked for."""
        game, link = self.seat(request)
        try:
            if request.method != "POST":
                return JSONResponse(self.jobs.state(game.path, link.seat))
            given = await body_of(request)
            if given.get("stop"):
                return JSONResponse(self.jobs.stop(game.path, link.seat))
            return JSONResponse(await self.jobs.start(game.path, link.seat, given))
        except Exception as error:
            return error_response(error)

    # -- the application -------------------------------------------------------------------------

    def app(self) -> Guard:
        """The application, as a server of ASGI runs it."""
        routes = [
            Route("/page/{name}", static),
            Route(f"{SEAT}/", self.page),
            Route(f"{SEAT}/events", self.events),
            Route(f"{SEAT}/seats", self.seats),
            Route(f"{SEAT}/job", self.job, methods=["GET", "POST"]),
            Route(f"{SEAT}/{{task}}", self.answer, methods=["GET", "POST"]),
        ]

        @asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            yield
            self.pool.close()
            self.jobs.close()

        handlers: Mapping[Any, Any] = {NoSuchSeat: no_such_seat, 404: no_such_seat}
        inner = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
        return Guard(inner, {self.settings.host.lower()})


async def news(game: Game, seat: str) -> AsyncIterator[str]:
    """The version of the game, whenever there is a new one."""
    event = asyncio.Event()
    game.listeners[seat].add(event)
    try:
        while True:
            event.clear()
            yield f"data: {game.version}\n\n"
            try:
                await asyncio.wait_for(event.wait(), BEAT)
            except TimeoutError:
                yield ": still here\n\n"
    finally:
        game.listeners[seat].discard(event)


async def body_of(request: Request) -> dict[str, Any]:
    """The object that a request sends. Raises: InputError."""
    try:
        given = await request.json()
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise InputError(Fault("expected an object in JSON"))
    return given


async def no_such_seat(_: Request, __: Exception) -> Response:
    return PlainTextResponse("There is no seat here. Use a link that pymorph table printed.", 404)


async def static(request: Request) -> Response:
    return file(request.path_params["name"])


def file(name: str) -> Response:
    """A file of the page."""
    known = {each.name: each for each in PAGE.iterdir()}
    if name not in known:
        return PlainTextResponse("no such file", 404)
    ending = name[name.rindex(".") :]
    return Response(known[name].read_bytes(), media_type=KINDS[ending])


def error_response(error: Exception, status: int = 400) -> Response:
    """An error, as `--json` has it."""
    ours, _ = explained(error)
    return JSONResponse(encode(ErrorAnswer.of(ours)), status)


def serve(settings: Settings, links: Links) -> None:
    """Serve until somebody ends it."""
    app = TableServer(settings, links).app()
    uvicorn.run(
        app,
        host=settings.host,
        port=settings.port,
        access_log=False,
        log_level="warning",
        limit_concurrency=BOUNDS.connections,
        timeout_graceful_shutdown=2,
        server_header=False,
    )


def free_port(host: str, port: int) -> int:
    """That port, or if it is in use, another one. Raises: InputError, if there is no such host."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (port, 0):
        with socket.socket(family) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind((host, wanted))
            except OSError as error:
                reason = error
                continue
            return int(trial.getsockname()[1])
    raise InputError(Fault(f"cannot listen at {host}: {reason.strerror}"))
