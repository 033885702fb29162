"""What the server lets in: requests for its own address, small and prompt ones, not too many."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from contextlib import suppress
from typing import Any, NamedTuple

from uvicorn.protocols.http.h11_impl import H11Protocol

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+))(?::\d{1,5})?", re.ASCII)


class RequestBounds(NamedTuple):
    """How large a request may be, and how many are worked on."""

    body: int = 64 << 10  # bytes
    seconds: float = 10.0  # in which a request has come in whole
    of_a_seat: int = 8  # questions of one seat that wait
    at_once: int = 2  # of these are worked on
    listeners: int = 16  # pages of one seat that are open
    of_an_address: int = 64  # connections of one machine beside this one
    connections: int = 512  # of everybody
    games: int = 256  # that are open


BOUNDS = RequestBounds()


class Refused(Exception):
    """A request that is not let in: the status and the reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Guard:
    """An ASGI application around another one: it refuses what other sites may have sent."""

    def __init__(self, inner: Any, names: set[str]) -> None:
        self.inner = inner
        self.names = own_names() | names

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return
        started = False

        async def with_headers(message: Any) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                own = [(k.encode(), v.encode()) for k, v in HEADERS.items()]
                message["headers"] = [*message.get("headers", ()), *own]
            await send(message)

        try:
            self.check(scope["method"], scope["headers"])
            await self.inner(scope, RequestBody(receive), with_headers)
        except Refused as refused:
            if not started:
                await answer(with_headers, refused.status, str(refused))

    def check(self, method: str, raw: list[tuple[bytes, bytes]]) -> None:
        """Raises: Refused, if a request is not let in."""
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in raw}
        host = HOST.fullmatch(headers.get("host", ""))
        if host is None or not self.is_own(host[1] or host[2]):
            raise Refused(421, "this server has another name")
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != headers["host"]:
            raise Refused(403, "a page of another site asked")
        whence, how = (headers.get(f"sec-fetch-{key}") for key in ("site", "mode"))
        if whence == "cross-site" and how != "navigate":
            raise Refused(403, "a page of another site asked")
        if method not in ("GET", "POST"):
            raise Refused(405, "expected GET or POST")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if method == "POST" and kind != "application/json":
            raise Refused(415, "expected application/json")
        if "transfer-encoding" in headers and "content-length" in headers:
            raise Refused(400, "the request has two lengths")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length[:20]) > BOUNDS.body:
            raise Refused(413, "the request is too large")

    def is_own(self, host: str) -> bool:
        """Is that a name of this machine, which no other site can give to itself?"""
        if host.lower() in self.names:
            return True
        try:
            return bool(ipaddress.ip_address(host))
        except ValueError:
            return False


def own_names() -> set[str]:
    """What this machine calls itself."""
    own = socket.gethostname().lower()
    names = {own, f"{own}.local"}
    with suppress(OSError):
        name, others, _ = socket.gethostbyaddr("127.0.0.1")
        names |= {name.lower(), *map(str.lower, others)}
    return names


class RequestBody:
    """The body of a request as it comes in. Raises: Refused, if it is too long, or late."""

    def __init__(self, receive: Any) -> None:
        self.receive, self.left, self.more = receive, BOUNDS.body, True
        self.end = asyncio.get_running_loop().time() + BOUNDS.seconds

    async def __call__(self) -> Any:
        if not self.more:  # what still comes is that the other side has gone
            return await self.receive()
        try:
            async with asyncio.timeout_at(self.end):
                message = await self.receive()
        except TimeoutError:
            raise Refused(408, "the request came in too slowly") from None
        self.more = bool(message.get("more_body"))
        self.left -= len(message.get("body", b""))
        if self.left < 0:
            raise Refused(413, "the request is too large")
        return message


async def answer(send: Any, status: int, text: str) -> None:
    """A short answer as text, after which the connection ends."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


class Connection(H11Protocol):
    """A connection that has to say soon what it wants; one machine has not too many of them."""

    timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        same = [each for each in self.connections if each.client and each.client[0] == host]
        far = bool(host) and not ipaddress.ip_address(host).is_loopback
        if far and len(same) > BOUNDS.of_an_address:
            transport.abort()
        self.watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.watch()

    def connection_lost(self, exc: Exception | None) -> None:
        # A process of the pool that was forked meanwhile has the socket, too: closing it here would
        # not end the connection, and a browser would send its next question into it.
        with suppress(OSError):
            self.transport.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        super().connection_lost(exc)
        if self.timer:
            self.timer.cancel()

    def is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def watch(self) -> None:
        """Wait for the rest of what a request says of itself, but not for long."""
        if not self.is_idle():
            if self.timer:
                self.timer.cancel()
            self.timer = None
        elif self.timer is None:
            later = asyncio.get_running_loop().call_later
            self.timer = later(BOUNDS.seconds, self.give_up)

    def give_up(self) -> None:
        self.timer = None
        if self.is_idle():
            self.transport.abort()
