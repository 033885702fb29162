"""The server of the table: pages, the questions of each seat, and news of what was played."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from importlib import resources
from typing import Any, NamedTuple

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from pymorph.answers import encode
from pymorph.cli.app import ErrorAnswer, explained
from pymorph.doors.seats import MASTER, UNSAID, seats_around
from pymorph.doors.table import computers, files
from pymorph.doors.table.computers import ComputerSeats
from pymorph.doors.table.game import Game
from pymorph.doors.table.guard import BOUNDS, Connection, Guard, Refused
from pymorph.doors.table.jobs import Jobs
from pymorph.doors.table.links import Link, Links
from pymorph.doors.table.pool import ProcessPool
from pymorph.doors.table.tasks import CHANGING, TASKS, steps_of
from pymorph.errors import Fault, InputError, PymorphError
from pymorph.runtime.executor import usual_jobs

PAGE = resources.files(__package__).joinpath("page")
KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
SEAT = "/{game}/{seat}/{token}"


class TableSettings(NamedTuple):
    """How a server is started."""

    folder: str  # of the records
    host: str = "127.0.0.1"
    processes: int = usual_jobs() + 1
    spare: int = 8  # more processes, where all have long questions
    seconds: float = 30.0  # that a question may take
    glance: float = 1.0  # seconds between looks at files that others may have written to


class NoSuchSeat(Exception):
    """A link that leads nowhere."""


class TableServer:
    """The games of a server, and what it answers."""

    def __init__(self, settings: TableSettings, links: Links) -> None:
        self.settings, self.links = settings, links
        self.pool = ProcessPool(settings.processes, settings.seconds, settings.spare)
        self.jobs = Jobs()
        self.games: dict[str, Game] = {}
        self.computers: dict[str, ComputerSeats] = {}
        self._looked = 0.0  # when the folder was searched
        self._records: dict[str, str] = {}  # that were there, by the names of games

    def add(self, path: str) -> Game:
        """The game whose record is in a file."""
        name = self.links.game(path)
        if name not in self.games:
            if len(self.games) >= BOUNDS.games:
                raise InputError(Fault("too many games are open; start the server again"))
            game = self.games[name] = Game(path, self.pool)
            self.computers[name] = ComputerSeats(game, name)
        return self.games[name]

    def sit(self, path: str, how: Mapping[str, str]) -> list[str]:
        """All seats of the game in a file, some of them for computers. Raises: InputError."""
        self.add(path)
        for seat, way in how.items():
            chosen = computers.checked(None, path, {"seat": seat, "how": way})
            self.computers[self.links.game(path)].assign(*chosen)
        return files.seats_of(path)

    def game(self, name: str) -> Game | None:
        """The game of a link: one that is open, or else a record in the folder."""
        now = time.monotonic()
        if name not in self.games and now - self._looked > self.settings.glance:
            self._looked = now  # however many ask for games that are nowhere
            paths = files.records(self.settings.folder)
            self._records = {self.links.game(path): path for path in paths}
        if name not in self.games and name in self._records:
            return self.add(self._records[name])
        return self.games.get(name)

    # -- requests --------------------------------------------------------------------------------

    def seat(self, request: Request) -> tuple[Game, Link]:
        """The game and the seat of a request. Raises: NoSuchSeat."""
        given = request.path_params
        link = Link(given["game"], given["seat"], given["token"])
        game = self.game(link.game)
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
        try:
            async with bounded(game, link):
                given = await given_in(request)
                if task == "screen" and given.keys().isdisjoint(("step", "over")):
                    shown = await game.screen(link.seat)
                    return Response(shown.data, media_type="application/json")
                if task in CHANGING:
                    if request.method != "POST":
                        raise Refused(405, "use POST")
                    return JSONResponse(await self.change(game, link, task, given))
                async with game.questions[link.seat]:
                    return JSONResponse(await game.ask(link.seat, task, given))
        except Exception as error:
            return error_response(error, link.seat)

    async def change(self, game: Game, link: Link, task: str, given: dict[str, Any]) -> Any:
        """The answer to a task that changes the game; one at a time."""
        async with game.one_changes:
            if task == "redo":
                given = {**given, "moves": game.undone[-steps_of(given) :][::-1]}
            before = game.stamp()
            data = await game.ask(link.seat, task, given)
            if task == "undo":
                game.undone += data
                data = {"undone": [move.action for move in data]}
            elif task == "redo":
                del game.undone[len(game.undone) - len(given["moves"]) :]
            elif task == "play":
                if game.stamp() == before:  # it was refused
                    return data
                game.undone.clear()
            game.changed(link.seat)
        self.computers[link.game].rest(task != "play")
        return data

    async def events(self, request: Request) -> Response:
        """News, as server-sent events: which screen the seat has now, whenever it changes."""
        game, link = self.seat(request)
        if len(game.pages[link.seat]) >= BOUNDS.listeners:
            raise Refused(429, "too many pages of this seat are open")
        self.computers[link.game].start()
        news = game.news(link.seat, link.seat == MASTER)
        return StreamingResponse(news, media_type="text/event-stream")

    # -- what only the master of a game may ask --------------------------------------------------

    async def run(self, request: Request) -> Response:
        """What the master does with seats and files; others hear that they may not."""
        game, link = self.seat(request)
        act = {"seats": self.seats, "files": self.files, "open": self.open}
        act["computers"] = self.assign
        try:
            async with bounded(game, link):
                names = await game.ask(link.seat, "players", {})
                given = await given_in(request)
                return JSONResponse(
                    await act[request.url.path.rpartition("/")[2]](game, names, given)
                )
        except Exception as error:
            return error_response(error, link.seat)

    async def seats(self, game: Game, names: list[str], _: Any) -> Any:
        """All seats: their links, how many pages are open, and who is played by a computer."""
        seen = self.computers[self.links.game(game.path)]
        ways = await self.pool.ask(computers.ways, game.path, about=game.path)
        rows = [
            {
                "name": name,
                "link": self.links.to(game.path, name).path(),
                "pages": len(game.pages[name]),
                **seen.of(name),
            }
            for name in seats_around(names)
        ]
        return {"seats": rows, "ways": ways, **seen.state()}

    async def assign(self, game: Game, names: list[str], given: dict[str, Any]) -> Any:
        """Let a computer play a seat, or a person again; or let all of them rest, or go on."""
        seen = self.computers[self.links.game(game.path)]
        if "seat" in given:
            seen.assign(*await self.pool.ask(computers.checked, game.path, given, about=game.path))
        seen.hold(bool(given.get("stop")))
        game.seats_changed()
        return await self.seats(game, names, {})

    async def files(self, *_: Any) -> Any:
        """What can be opened; records with their links."""
        found = await self.pool.ask(files.offered, self.settings.folder)
        for each in found["files"]:
            if each["kind"] == "record":
                path = os.path.join(self.settings.folder, each["name"])
                each["link"] = self.links.to(path, MASTER).path()
        return found

    async def open(self, _: Game, __: Any, given: dict[str, Any]) -> Any:
        """Open a file of the folder, or start a game; gives the link to it."""
        path = await self.pool.ask(files.opened, self.settings.folder, given)
        self.add(path)
        return {"name": os.path.basename(path), "link": self.links.to(path, MASTER).path()}

    async def job(self, request: Request) -> Response:
        """How the long question of a seat goes; a new one, or its end, if that is asked for."""
        game, link = self.seat(request)
        try:
            if request.method != "POST":
                return JSONResponse(self.jobs.state(game.path, link.seat))
            async with bounded(game, link):
                given = await given_in(request)
            if given.get("stop"):
                return JSONResponse(self.jobs.stop(game.path, link.seat))
            return JSONResponse(await self.jobs.start(game.path, link.seat, given))
        except Exception as error:
            return error_response(error, link.seat)

    # -- the application -------------------------------------------------------------------------

    def app(self) -> Guard:
        """The application, as a server of ASGI runs it."""
        routes = [
            Route("/page/{name}", static),
            Route(f"{SEAT}/", self.page),
            Route(f"{SEAT}/events", self.events),
            Route(f"{SEAT}/job", self.job, methods=["GET", "POST"]),
            Route(f"{SEAT}/seats", self.run),
            Route(f"{SEAT}/files", self.run),
            Route(f"{SEAT}/open", self.run, methods=["POST"]),
            Route(f"{SEAT}/computers", self.run, methods=["POST"]),
            Route(f"{SEAT}/{{task}}", self.answer, methods=["GET", "POST"]),
        ]

        @asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            beside = [asyncio.create_task(self.watch())]
            beside += [asyncio.create_task(self.warm_up()) for _ in range(self.settings.processes)]
            yield
            for task in beside:
                task.cancel()
            self.pool.close()
            self.jobs.close()

        handlers: Mapping[Any, Any] = {NoSuchSeat: no_such_seat, 404: no_such_seat}
        handlers = {**handlers, Refused: refused}
        inner = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
        inner.router.redirect_slashes = False
        return Guard(inner, {self.settings.host.lower()})

    async def warm_up(self) -> None:
        """Let a process read the first game before somebody asks about it."""
        for game in list(self.games.values())[:1]:
            with suppress(PymorphError):
                await game.ask(MASTER, "screen", {})

    async def watch(self) -> None:
        """Notice what others write to the records."""
        while True:
            await asyncio.sleep(self.settings.glance)
            for game in self.games.values():
                if any(game.pages.values()):
                    game.notice()


@asynccontextmanager
async def bounded(game: Game, link: Link) -> AsyncIterator[None]:
    """Count a question of a seat. Raises: Refused, if too many are waiting."""
    if game.waiting[link.seat] >= BOUNDS.of_a_seat:
        raise Refused(429, "too many questions at once")
    game.waiting[link.seat] += 1
    try:
        yield
    finally:
        game.waiting[link.seat] -= 1


async def given_in(request: Request) -> dict[str, Any]:
    """What a request gives: an object in JSON, or a query. Raises: InputError."""
    if request.method != "POST":
        query: dict[str, Any] = dict(request.query_params)
        return {**query, "step": number} if (number := number_in(query)) is not None else query
    data = await request.body()
    try:
        given = json.loads(data or b"{}")
        json.dumps(given, ensure_ascii=False).encode()  # half a sign cannot be written again
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise InputError(Fault("expected an object in JSON"))
    return given


def number_in(query: Mapping[str, str]) -> int | None:
    """The step of a query."""
    text = query.get("step", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


async def no_such_seat(_: Request, __: Exception) -> Response:
    return PlainTextResponse("There is no seat here. Use a link that pymorph table printed.", 404)


async def refused(_: Request, error: Refused) -> Response:
    return PlainTextResponse(str(error), error.status, {"connection": "close"})


async def static(request: Request) -> Response:
    return file(request.path_params["name"])


def file(name: str) -> Response:
    """A file of the page."""
    known = {each.name: each for each in PAGE.iterdir()}
    kind = KINDS.get(os.path.splitext(name)[1])
    if name not in known or kind is None:
        return PlainTextResponse("no such file", 404)
    return Response(known[name].read_bytes(), media_type=kind)


def error_response(error: Exception, seat: str) -> Response:
    """An error, as `--json` has it; of one that is ours a seat hears only that there is one."""
    if isinstance(error, Refused):
        raise error
    ours, _ = explained(error)
    if ours is not error and seat != MASTER:
        ours = PymorphError(UNSAID)
    return JSONResponse(encode(ErrorAnswer.of(ours)), 400)


def serve(table: TableServer, listener: socket.socket) -> None:
    """Serve until somebody ends it."""
    config = uvicorn.Config(
        table.app(),
        http=Connection,
        ws="none",
        loop="asyncio",
        access_log=False,
        log_level="critical",
        limit_concurrency=BOUNDS.connections,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
        server_header=False,
        proxy_headers=False,
    )
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run([listener])


def listening(host: str, port: int, fixed: bool) -> socket.socket:
    """A socket that listens at a port, or if that is in use and not *fixed*, at another one.

    Raises: InputError, if there is no such host, or the port is in use.
    """
    reason = ""
    for wanted in (port,) if fixed else (port, 0):
        try:
            [(family, *_, address), *_] = socket.getaddrinfo(host, wanted, type=socket.SOCK_STREAM)
            return socket.create_server(
                address[:2],
                family=family,
                backlog=BOUNDS.connections,
                dualstack_ipv6=host == "::" and socket.has_dualstack_ipv6(),
            )
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
    raise InputError(Fault(f"cannot listen at {host}, port {port}: {reason}"))
