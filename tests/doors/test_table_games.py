"""Games at the table: nothing that was shown is lost, many go on at once; and the command."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.doors.browsers import PATIENCE, Laid
from tests.doors.clients import Client

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

pytestmark = pytest.mark.doors


# -- nothing is lost -------------------------------------------------------------------------------


def test_a_server_that_is_killed_loses_nothing_that_was_shown(tmp_path: Path) -> None:
    """The same links show the same screens, byte by byte; a game that was opened in the page is
    there, and the computer plays on."""
    server = Laid(tmp_path, "connect_four")
    try:
        seats = {name: Client(link) for name, link in server.links.items()}
        opened = seats["master"].ask("open", {"game": "tictactoe"}).data["link"]
        other = f"http://{seats['master'].url.netloc}{opened}"
        assert Client(other).ask("computers", {"seat": "o", "how": "random"}).status == 200
        assert Client(other).ask("play", {"action": "put(x, b2)"}).status == 200
        wait_until(lambda: len(Client(other).ask("screen").data["record"]) == 2)
        shown = {}
        for number in range(6):
            who = ("red", "yellow")[number % 2]
            seats[who].ask("play", {"action": f"drop({who}, {'abc'[number % 3]})"})
            shown = {name: client.ask("screen").text for name, client in seats.items()}
        there = Client(other).ask("screen").text
        server.stop(signal.SIGKILL)
        server.start()
        seats = {name: Client(link) for name, link in server.links.items() if "//" in link}
        assert {name: client.ask("screen").text for name, client in seats.items()} == shown
        assert Client(other).ask("screen").text == there
        free = Client(other).ask("screen").data["legal"][0]
        assert Client(other).ask("play", {"action": f"put(x, {free[2]})"}).status == 200
        wait_until(lambda: len(Client(other).ask("screen").data["record"]) == 4)
    finally:
        server.stop()


def wait_until(holds: Any) -> None:
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_slow_question_stops_no_other_seat(tmp_path: Path) -> None:
    """At three tables somebody counts far ahead, twice each, so all processes are busy; at a fourth
    one people play on meanwhile."""
    server = Laid(tmp_path, "chess")
    try:
        master, white = (Client(server.links[name]) for name in ("master", "white"))
        white.ask("screen")
        opened = [master.ask("open", {"game": "chess"}).data["link"] for _ in range(3)]
        answers: list[int] = []

        def count_far(link: str) -> None:
            options = {"verb": "count", "options": {"depth": 6}}
            with suppress(OSError, HTTPException):  # the server ends before
                other = Client(f"http://{master.url.netloc}{link}")
                answers.append(other.ask("ask", options).status)

        slow = [
            threading.Thread(target=count_far, args=(link,), daemon=True) for link in opened * 2
        ]
        for thread in slow:
            thread.start()
        time.sleep(0.5)
        start = time.monotonic()
        assert white.ask("play", {"action": "move(white, e2, e4)"}).status == 200
        assert "black" in white.ask("screen").data["waiting"]
        waited = time.monotonic() - start
        assert not answers, "the slow questions were not slow"
        assert waited < PATIENCE / 2
        assert master.ask("undo", {}).status == 200
    finally:
        server.stop(signal.SIGKILL)


def test_many_games_at_once(tmp_path: Path) -> None:
    """Eight games of connect four, each with two seats in a thread of its own, to their end."""
    server = Laid(tmp_path, "connect_four")
    try:
        master = Client(server.links["master"])
        links = [master.ask("open", {"game": "connect_four"}).data["link"] for _ in range(8)]
        ends: list[list[str]] = []

        def game(link: str) -> None:
            client = Client(f"http://{master.url.netloc}{link}")
            rows = client.ask("seats").data["seats"]
            seats = {
                row["name"]: Client(f"http://{master.url.netloc}{row['link']}") for row in rows
            }
            for number in range(7):
                who, column = (("red", "a"), ("yellow", "b"))[number % 2]
                answer = seats[who].ask("play", {"action": f"drop({who}, {column})"})
                assert answer.status == 200, answer
                assert len(seats["spectator"].ask("screen").data["record"]) == number + 1
            ends.append(seats["yellow"].ask("screen").data["over"])

        threads = [threading.Thread(target=game, args=(link,)) for link in links]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        assert len(ends) == 8
        assert all(any("red" in line for line in end) for end in ends)
    finally:
        server.stop()


# -- the command -----------------------------------------------------------------------------------


def run(folder: Path, *words: str) -> subprocess.Popen[str]:
    """The command, with its output in a pipe."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", "pymorph", "table", *words, "--no-browser"],
        cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**environment, "PYMORPH_DATA": str(folder / "data")},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("tictactoe", "--host", "no.such.host.example"), "cannot listen at no.such.host.example"),
        (("tictactoe", "--host", "192.0.2.7"), "cannot listen at 192.0.2.7"),
        (("tictactoe", "--port", "BUSY"), "Address already in use"),
        (("tictactoe", "--computer", "o=clever"), "unknown computer player 'clever'"),
        (("tictactoe", "--computer", "y=random"), "unknown player 'y'"),
        (("broken.yaml",), "broken.yaml:"),
        (("empty",), "has no record, position or case"),
        (("nothing.yaml",), "nothing.yaml: cannot be read: no such file"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    tmp_path: Path, words: tuple[str, ...], expected: str
) -> None:
    (tmp_path / "empty").mkdir()
    broken = "ruleset: tictactoe\nposition: {turn: x}\nplay:\n  - put(o, a1)\n"
    (tmp_path / "broken.yaml").write_text(broken, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = str(busy.getsockname()[1])
        process = run(tmp_path, *(port if word == "BUSY" else word for word in words))
        printed, _ = process.communicate(timeout=60)
    assert expected in printed
    assert printed.count("\n") == 1, printed
    assert process.returncode in (1, 2)
    assert not list(tmp_path.glob("*.game*.yaml"))


def test_ctrl_c_says_where_the_record_is(tmp_path: Path) -> None:
    process = run(tmp_path, "tictactoe", "--host", "0.0.0.0", "--port", "0")
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "")
    starts = ("record: tictactoe.game1.yaml", "master: http://", "warning: ", "press Ctrl-C")
    first = [next(line for line in lines if line.startswith(start)) for start in starts]
    assert "plain HTTP" in first[2]
    news = Client(first[1].split()[1]).listen()  # a page is open
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=30)
    assert rest.splitlines() == [
        "the record is tictactoe.game1.yaml; continue it with: pymorph table tictactoe.game1.yaml"
    ]
    assert process.returncode == 130
    news.close()


def test_version_6(tmp_path: Path) -> None:
    """Of the protocol: where the machine has it, links have an address in brackets."""
    process = run(tmp_path, "tictactoe", "--host", "::1", "--port", "0")
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "")
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            link = next(line for line in lines if line.startswith("x: http://[::1]:")).split()[1]
            assert Client(link).ask("screen").status == 200
    except OSError:
        assert "cannot listen at ::1" in next(lines)
    process.kill()
    process.communicate()


def test_a_folder_goes_on_with_its_last_game(tmp_path: Path) -> None:
    server = Laid(tmp_path, "tictactoe")
    server.stop()
    process = run(tmp_path.parent, tmp_path.name, "--port", "0")
    assert process.stdout is not None
    assert process.stdout.readline().strip() == f"record: {tmp_path.name}/tictactoe.game1.yaml"
    process.kill()
    process.communicate()
