"""Somebody who asks the server of a table over sockets, without a browser."""

import json
import socket
from http.client import HTTPConnection, HTTPResponse
from typing import Any, NamedTuple
from urllib.parse import urlsplit


class Answer(NamedTuple):
    """An answer of the server."""

    status: int
    text: str

    @property
    def data(self) -> Any:
        return json.loads(self.text)


class Client:
    """Asks the server as somebody who has a link."""

    def __init__(self, link: str) -> None:
        self.url = urlsplit(link)
        self.connection = HTTPConnection(self.url.hostname or "", self.url.port, timeout=60)

    def ask(
        self, task: str, body: Any = None, headers: dict[str, str] | None = None, verb: str = ""
    ) -> Answer:
        """GET a task, or POST it with a body."""
        path = task if task.startswith("/") else self.url.path + task
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        kind = {} if body is None else {"content-type": "application/json"}
        given = {**kind, **(headers or {})}
        self.connection.request(verb or ("GET" if body is None else "POST"), path, data, given)
        response = self.connection.getresponse()
        answer = Answer(response.status, response.read().decode())
        self.connection.close()
        return answer

    def raw(self, text: bytes, seconds: float = 20) -> bytes:
        """What comes back for some bytes."""
        address = (self.url.hostname or "", self.url.port or 0)
        with socket.create_connection(address, seconds) as sent:
            sent.sendall(text)
            found = b""
            while part := sent.recv(1 << 16):
                found += part
        return found

    def listen(self) -> HTTPResponse:
        """The news of the seat, as they come in."""
        connection = HTTPConnection(self.url.hostname or "", self.url.port, timeout=60)
        connection.request("GET", self.url.path + "events")
        return connection.getresponse()
