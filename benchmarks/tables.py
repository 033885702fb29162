"""The table in a browser: a hundred games at once on one core, and an answer over HTTP."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from benchmarks.results import ROOT, Result
from benchmarks.serving import timed
from pymorph.doors.seats import Table
from pymorph.state.position import Position

GAME = "connect_four"
START = ROOT / "examples/rulesets/connect_four/positions/start.yaml"
SESSIONS = 100
# Red wins with the fourth in column a.
PLAY = [("red", "a"), ("yellow", "b")] * 3 + [("red", "a")]
MOST_STEP = 4.0  # times what a step takes in Python: a step is shown to two seats as well
MOST_BESIDE = 100.0  # milliseconds from a click to its answer and the new screen, beside the step
ROUNDS = 100


class Visitor:
    """Asks the server over one connection, as a page does."""

    def __init__(self, address: str) -> None:
        self.connection = HTTPConnection(address, timeout=300)

    def ask(self, path: str, body: Any = None) -> Any:
        """The answer at a path, or to a body that is sent there."""
        data = None if body is None else json.dumps(body)
        self.connection.request(
            "GET" if body is None else "POST", path, data, {"content-type": "application/json"}
        )
        response = self.connection.getresponse()
        text = response.read()
        assert response.status == 200, text
        return json.loads(text)


@contextmanager
def served(folder: str) -> Iterator[tuple[str, str]]:
    """A server of one game: its address, and the path of the master's link."""
    command = [sys.executable, "-m", "pymorph", "table", GAME, "--no-browser", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYMORPH_DATA": f"{folder}/data"}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=folder, env={**environment, "PYTHONUNBUFFERED": "1"}, stdout=pipe, text=True
    ) as server:
        assert server.stdout is not None
        line = next(line for line in server.stdout if line.startswith("master: "))
        url = urlsplit(line.split()[1])
        try:
            yield url.netloc, url.path
        finally:
            server.terminate()


def links_of(visitor: Visitor, master: str) -> dict[str, str]:
    """The paths of all seats of a new game."""
    opened = visitor.ask(f"{master}open", {"game": GAME})["link"]
    return {row["name"]: row["link"] for row in visitor.ask(f"{opened}seats")["seats"]}


def whole_game(address: str, links: dict[str, str]) -> int:
    """Play a game, each step shown to both seats; gives the number of steps that are shown."""
    visitor = Visitor(address)
    shown: list[Any] = []
    for who, column in PLAY:
        visitor.ask(f"{links[who]}play", {"action": f"drop({who}, {column})"})
        screens = [visitor.ask(f"{links[seat]}screen") for seat in ("red", "yellow")]
        shown.append(screens)
        assert all(len(screen["record"]) == len(shown) for screen in screens), "a step is lost"
    assert all(screen["over"] for screen in shown[-1]), "the game is not over"
    return len(shown)


def sessions(folder: str) -> Result:
    """A hundred games at once, server and visitors on one core."""
    with served(folder) as (address, master):
        visitor = Visitor(address)
        links = [links_of(visitor, master) for _ in range(SESSIONS)]
        start = time.perf_counter()
        with ThreadPoolExecutor(SESSIONS) as visitors:
            steps = sum(visitors.map(lambda each: whole_game(address, each), links))
        each = (time.perf_counter() - start) * 1000 / steps
    assert steps == SESSIONS * len(PLAY)
    times = [
        timed(partial(table.seat(who).apply, f"drop({who}, {column})"))
        for table in tables(folder, range(10))
        for who, column in PLAY
    ]
    alone = statistics.mean(times)
    said = f"{each:.0f} ms a step that two seats see, against {alone:.0f} ms in Python"
    return Result(f"seats: {SESSIONS} games", each / alone, MOST_STEP, said)


def tables(folder: str, numbers: Iterable[int]) -> Iterator[Table]:
    """New games in Python."""
    for n in numbers:
        yield Table.laid(f"{folder}/alone{n}.yaml", Position.load(str(START)), "4711")


def clicks(folder: str) -> Result:
    """By turns: an action over HTTP with the screen that follows, and in Python."""
    beside: list[float] = []
    with served(folder) as (address, master):
        visitor = Visitor(address)
        for table in tables(folder, range(ROUNDS // len(PLAY) + 1)):
            beside += game_by_turns(visitor, links_of(visitor, master), table)
    late = statistics.median(beside[:ROUNDS])
    said = f"{late:.0f} ms from a click to the new screen, beside the step in Python"
    return Result("seats: click", late / MOST_BESIDE, 1.0, said)


def game_by_turns(visitor: Visitor, links: dict[str, str], table: Table) -> list[float]:
    """What each step takes more over HTTP, in milliseconds, while two seats have a page open."""
    pages = [HTTPConnection(visitor.connection.host, visitor.connection.port) for _ in range(2)]
    for page, seat in zip(pages, ("red", "yellow"), strict=True):
        page.request("GET", f"{links[seat]}events")
    rows = []
    for who, column in PLAY:
        action = f"drop({who}, {column})"
        start = time.perf_counter()
        visitor.ask(f"{links[who]}play", {"action": action})
        visitor.ask(f"{links[who]}screen")
        over = (time.perf_counter() - start) * 1000
        rows.append(over - timed(partial(table.seat(who).apply, action)))
    for page in pages:
        page.close()
    return rows


def tabling() -> list[Result]:
    """(p) Both; the hundred games on one core. Nothing without the packages of the server."""
    if find_spec("uvicorn") is None:
        return []
    cores = os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        single = clicks(other)
        os.sched_setaffinity(0, {min(cores)})
        try:
            return [sessions(folder), single]
        finally:
            os.sched_setaffinity(0, cores)
