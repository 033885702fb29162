"""What the server lets in: requests for its own address, small ones, and not too many."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any, NamedTuple
from urllib.parse import urlsplit

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


class Bounds(NamedTuple):
    """How large a request may be, and how many are worked on."""

    body: int = 64 << 10  # bytes
    of_a_seat: int = 8  # questions of one seat that wait
    listeners: int = 16  # pages of one seat that are open
    connections: int = 512  # of everybody


BOUNDS = Bounds()


class Guard:
    """An ASGI application around another one: it refuses what other sites may have sent."""

    def __init__(self, inner: Any, names: set[str]) -> None:
        self.inner = inner
        self.names = {"localhost", socket.gethostname().lower(), *names}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        status = self.refused(scope["method"], headers)
        if status:
            await answer(send, *status)
            return
        bounded = Body(receive, BOUNDS.body)

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = [(k.encode(), v.encode()) for k, v in HEADERS.items()]
                message["headers"] = [*message.get("headers", ()), *own]
            await send(message)

        await self.inner(scope, bounded, with_headers)

    def refused(self, method: str, headers: dict[str, str]) -> tuple[int, str] | None:
        """The status and the reason of a request that is not let in."""
        host = headers.get("host", "")
        if not self.is_own(urlsplit(f"//{host}").hostname or ""):
            return 421, "this server has another name"
        origin = headers.get("origin")
        if origin and urlsplit(origin).netloc != host:
            return 403, "a page of another site asked"
        if method not in ("GET", "HEAD", "POST"):
            return 405, "expected GET or POST"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > BOUNDS.body:
            return 413, "the request is too large"
        return None

    def is_own(self, host: str) -> bool:
        """Is that a name of this machine, which no other site can give to itself?"""
        if host.lower() in self.names:
            return True
        try:
            return bool(ipaddress.ip_address(host))
        except ValueError:
            return False


class Body:
    """The body of a request as it comes in; what is too long is cut off."""

    def __init__(self, receive: Any, most: int) -> None:
        self.receive, self.left = receive, most

    async def __call__(self) -> Any:
        message = await self.receive()
        if message["type"] == "http.request":
            self.left -= len(message.get("body", b""))
            if self.left < 0:
                return {"type": "http.disconnect"}
        return message


async def answer(send: Any, status: int, text: str) -> None:
    """A short answer as text."""
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    headers += [(k.encode(), v.encode()) for k, v in HEADERS.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})
