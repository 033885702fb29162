"""The server of the table: what it gives to whom, what it refuses, and what it loses: nothing.

All of it without a browser, over sockets.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from pymorph.cli.app import VERBS
from pymorph.doors.requests import method_of, methods
from tests.conftest import ROOT
from tests.doors.browsers import PATIENCE, Laid

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

pytestmark = pytest.mark.doors

SECRET = "nobody reads this"
# A game whose steps leave no trace for others: each player notes a number in secret.
NOTES = {
    "notes/rules/game.lp": """
ruleset(notes, "1.0.0", "Notes"). contract(2).
sort(player, listed). member(player, (ann; bob)).
sort(number, range(1, 9)).
fluent(note, (player,), number, none).
action(write, (player, number)).
document(booklet, "Notes").
rule(note_01). title(note_01, "In secret"). status(note_01, stated).
source(note_01, booklet, "Notes").
says(note_01, "Each player may write another number at any time.").
""",
    "notes/encodings/notes.lp": """
% note_01: each player may write another number at any time.
proposed(write(C, N), S, note_01) :- situation(S), member(player, C), member(number, N).
forbidden(write(C, N), S, note_01) :- considered(write(C, N), S), holds(note(C), N, S).
sets(note(C), N, T, note_01) :- does(write(C, N), _, T).
concealed(note(C), C, note(C), S, note_01) :- holds(note(C), _, S).
""",
    "notes.yaml": "ruleset: ./notes\nnote: {ann: 1, bob: 2}\n",
    "outside.txt": SECRET,
}


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


def files_in(folder: Path) -> dict[str, bytes]:
    """All files of a folder, with what is in them."""
    paths = [path for path in folder.rglob("*") if path.is_file() and "data" not in path.parts]
    return {str(path): path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laid]:
    """A server of the game of notes."""
    folder = tmp_path_factory.mktemp("notes")
    for name, text in NOTES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    os.symlink("/etc/hostname", folder / "away.yaml")
    server = Laid(folder, "notes.yaml")
    yield server
    server.stop()


@pytest.fixture
def seats(laid: Laid) -> dict[str, Client]:
    return {name: Client(link) for name, link in laid.links.items() if "//" in link}


# -- who sees what ---------------------------------------------------------------------------------


def questions(client: Client) -> list[Answer]:
    """All that a seat can ask, with what it hears."""
    asked = [
        client.ask("screen"),
        client.ask("screen?step=0"),
        client.ask("screen?step=1"),
        client.ask("screen?step=7"),
        client.ask("choices", {"action": "write(bob, _)"}),
        client.ask("choices", {"action": "write(ann, _)"}),
        client.ask("record"),
        client.ask("undo", {"steps": 1}),
        client.ask("redo", {"steps": 1, "moves": [{"action": "write(ann, 1)"}]}),
        client.ask("players"),
        client.ask("seats"),
        client.ask("files"),
        client.ask("open", {"game": "tictactoe"}),
        client.ask("computers", {"seat": "ann", "how": "random"}),
        client.ask("play", {"action": "write(ann, 3)"}),
        client.ask("play", {"action": "write(bob, 2)", "rolls": ["write(ann, 3)"]}),
        client.ask("play", {"action": "write(bob, 2)"}),
    ]
    verbs = ("show", "legal", "forecast", "why", "plan", "replay", "check")
    asked += [client.ask("ask", {"verb": verb, "options": {}}) for verb in verbs]
    for number in (1, 2, 4):
        options = {"what": f"write(ann, {number})"}
        asked.append(client.ask("ask", {"verb": "why", "options": options}))
    return asked


def test_a_step_that_a_seat_cannot_see_is_no_news_for_it(seats: dict[str, Client]) -> None:
    """Ann writes other numbers: all that Bob and a spectator can ask has the same answer, byte by
    byte; their pages hear nothing."""
    bob, spectator, ann = seats["bob"], seats["spectator"], seats["ann"]
    news = [bob.listen(), spectator.listen(), ann.listen()]
    first = [[stream.readline() for _ in range(2)] for stream in news]
    assert len({tuple(lines) for lines in first}) == 3
    before = questions(bob), questions(spectator)
    for number in (4, 1):
        assert ann.ask("play", {"action": f"write(ann, {number})"}).status == 200
        after = questions(bob), questions(spectator)
        if number == 1:
            assert ann.ask("screen").text.count("write(ann, 1)") >= 1
        assert after == before
    assert seats["master"].ask("undo", {"steps": 2}).data["undone"]
    assert (questions(bob), questions(spectator)) == before
    assert bob.ask("play", {"action": "write(bob, 6)"}).status == 200
    heard = [[stream.readline() for _ in range(2)] for stream in news]
    assert heard[0] != first[0]  # the first thing that Bob hears is his own step
    assert heard[0] == [b"data: " + digest_of(bob) + b"\n", b"\n"]
    assert seats["master"].ask("undo", {"steps": 1}).status == 200
    for stream in news:
        stream.close()


def digest_of(client: Client) -> bytes:
    """What the news say of the screen that a seat has now."""
    stream = client.listen()
    line = stream.readline()
    stream.close()
    return line.removeprefix(b"data: ").strip()


def test_an_unreadable_record_is_not_explained_to_a_seat(
    laid: Laid, seats: dict[str, Client]
) -> None:
    """Whoever runs the game hears what is wrong; a seat hears only that it cannot be answered."""
    whole = laid.record.read_text(encoding="utf-8")
    try:
        laid.record.write_text(whole.rstrip() + "\n  - write(ann, 99)\n", encoding="utf-8")
        bob, master = seats["bob"].ask("screen"), seats["master"].ask("screen")
    finally:
        laid.record.write_text(whole, encoding="utf-8")
    assert (bob.status, master.status) == (400, 400)
    assert "99" in master.text
    assert bob.data["message"].startswith("this seat cannot be answered now")
    assert "99" not in bob.text
    assert laid.record.name not in bob.text
    assert seats["bob"].ask("screen").status == 200


# -- what is refused -------------------------------------------------------------------------------


def test_links_of_others(laid: Laid, seats: dict[str, Client]) -> None:
    """A token opens its own seat of its own game, and nothing else."""
    path = seats["bob"].url.path.strip("/").split("/")
    game, seat, token = path
    other = seats["ann"].url.path.strip("/").split("/")[2]
    opened = seats["master"].ask("open", {"game": "tictactoe"}).data["link"].strip("/").split("/")
    wrong = [
        (game, "ann", token), (game, seat, other), (game, seat, token[:-1]), (game, seat, "%ff"),
        (game, "master", token), (opened[0], seat, token), (opened[0], "master", token),
        (game, "master", opened[2]), ("AAAAAAAA", seat, token), (game, "%00", token),
        (game, "%0d%0aset-cookie:a", token), (game, "..%2fmaster", token),
        (game, "__proto__", token), ("", "", ""),
    ]  # fmt: skip
    for parts in wrong:
        for task in ("", "screen", "events", "seats"):
            answer = seats["bob"].ask(f"/{'/'.join(parts)}/{task}")
            assert answer.status == 404, (parts, task)
            assert "There is no seat here" in answer.text or "no such" in answer.text
    assert seats["bob"].ask("nothing").status == 404
    assert seats["bob"].ask("__class__").status == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "evil.example:8017"}, 421),
        ({"host": "evil@127.0.0.1"}, 421),
        ({"host": ""}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 200),
        ({"host": "127.0.0.1"}, 200),
        ({"host": "[::1]:8017"}, 200),
    ],
)
def test_pages_of_other_sites(
    seats: dict[str, Client], headers: dict[str, str], status: int
) -> None:
    assert seats["bob"].ask("screen", headers=headers).status == status
    answer = seats["bob"].ask("", headers=headers)
    assert answer.status == status


def test_no_other_site_may_read(seats: dict[str, Client]) -> None:
    """No answer lets other sites read it, put it into a frame, or keep it."""
    bob = seats["bob"]
    for text in (f"GET {bob.url.path}screen", f"GET {bob.url.path}", "GET /page/table.js", "GET /x",
                 f"OPTIONS {bob.url.path}play", f"GET {bob.url.path}nothing"):  # fmt: skip
        head = bob.raw(f"{text} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n".encode())
        head = head.partition(b"\r\n\r\n")[0].lower()
        assert b"access-control" not in head
        assert b"content-security-policy: default-src 'none'" in head
        assert b"cache-control: no-store" in head
        assert b"set-cookie" not in head


def test_bodies(seats: dict[str, Client]) -> None:
    """What is too large, too deep or no JSON is refused in a line; the server goes on."""
    bob = seats["bob"]
    for body, status in (
        (b"x" * (65 << 10), 413),
        (b"[" * 60_000, 400),
        (b'{"action": ' + b"[" * 50_000, 400),
        (b'{"action": "\xff\xfe"}', 400),
        (b'{"action": "\\ud800"}', 400),
        (b'{"action": 1e999}', 400),
        (b'{"action": ' + b"9" * 5000 + b"}", 400),
        (b'{"action": ["write(bob, 2)"]}', 400),
        (b'{"__proto__": {"action": "write(bob, 3)"}}', 400),
        (b'{"action": "write(bob, 2)\\r\\nset-cookie: a"}', 400),
        (b'{"action": "' + b"f(" * 20_000 + b'"}', 400),
        (b"null", 400),
        (b"", 400),
    ):
        answer = bob.ask("play", body)
        assert answer.status == status, (body[:30], answer)
        assert len(answer.text) < 2000
    assert bob.ask("play", {}, {"content-type": "text/plain"}).status == 415
    assert bob.ask("play", {}, verb="PUT").status == 405
    assert bob.ask("screen", verb="HEAD").status == 405
    assert bob.ask("play?action=write(bob,7)").status == 405  # a link changes nothing
    assert bob.ask("undo", {"steps": "x"}).status == 400
    assert seats["master"].ask("redo", {"steps": {"a": 1}}).status == 400
    assert bob.ask("screen").status == 200


def test_a_body_without_a_length(seats: dict[str, Client]) -> None:
    """It is read in parts, and cut off where it is too long."""
    bob = seats["bob"]
    head = f"POST {bob.url.path}play HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n"
    head += "connection: close\r\ncontent-type: application/json\r\n\r\n"
    part = b"1000\r\n" + b" " * 4096 + b"\r\n"
    assert b" 413 " in bob.raw(head.encode() + part * 20 + b"0\r\n\r\n")
    both = head.replace("\r\n\r\n", "\r\ncontent-length: 2\r\n\r\n").encode() + b"0\r\n\r\n"
    assert b" 400 " in bob.raw(both)  # of two lengths, neither is believed
    for text in (
        b"GET / HTTP/9.9\r\n\r\n",
        b"\0\0\0\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nhost: a\r\n\r\n",
    ):
        assert re.match(rb"HTTP/1.1 (400|404|421) ", bob.raw(text))


def test_paths(seats: dict[str, Client]) -> None:
    """Only the files of the page are served."""
    for path in ("../server.py", "..%2fserver.py", "%2e%2e/server.py", "/etc/passwd",
                 "table.html%00", "__pycache__", "", "table", ".js", "%ff"):  # fmt: skip
        assert seats["bob"].ask(f"/page/{path}").status == 404, path
    assert seats["bob"].ask("/page/table.js").status == 200
    assert seats["bob"].ask("/").status == 404


def test_slow_requests_end(seats: dict[str, Client]) -> None:
    """A request that does not come in whole is given up."""
    bob = seats["bob"]
    slow = f"POST {bob.url.path}play HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n"
    slow += "content-type: application/json\r\n"
    answers: dict[str, bytes] = {}

    def send(name: str, text: str) -> None:
        answers[name] = bob.raw(text.encode())

    threads = [threading.Thread(target=send, args=each) for each in
               (("head", slow), ("body", slow + "\r\n{"), ("nothing", ""))]  # fmt: skip
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert answers["head"] == answers["nothing"] == b""
    assert b" 408 " in answers["body"]


def test_floods(seats: dict[str, Client]) -> None:
    """Who asks too much at once, or opens too many pages, is refused; others are answered."""
    bob, ann = seats["bob"], seats["ann"]
    statuses: list[int] = []

    def flood() -> None:
        client = Client(bob.url.geturl())
        for _ in range(3):
            question = {"verb": "why", "options": {"what": "write(bob, 3)"}}
            statuses.append(client.ask("ask", question).status)

    threads = [threading.Thread(target=flood) for _ in range(24)]
    for thread in threads:
        thread.start()
    start = time.monotonic()
    assert ann.ask("ask", {"verb": "why", "options": {"what": "write(ann, 3)"}}).status == 200
    waited = time.monotonic() - start
    for thread in threads:
        thread.join(60)
    assert set(statuses) == {200, 429}
    assert waited < PATIENCE
    pages = [bob.listen() for _ in range(17)]
    assert [page.status for page in pages] == [*[200] * 16, 429]
    assert ann.ask("screen").status == 200
    for page in pages:
        page.close()


# -- files -----------------------------------------------------------------------------------------


def test_no_verb_reads_or_writes_a_file(laid: Laid, seats: dict[str, Client]) -> None:
    """Whatever verb and option the master or a seat sends with the path of a file: nothing of the
    file is in an answer, and nothing is written."""
    before = files_in(laid.folder)
    secret = str(laid.folder / "outside.txt")
    new = str(laid.folder / "new.txt")
    tried = 0
    for word in VERBS:
        __import__(f"pymorph.{VERBS[word]}")
    for verb in methods():
        for option in method_of(verb).params:
            for path in (secret, new):
                for value in (path, [path]):
                    options = {
                        option: value,
                        **({"what": "write(bob, 3)"} if verb == "why" else {}),
                    }
                    for name in ("master", "bob") if path == secret else ("master",):
                        answer = seats[name].ask("ask", {"verb": verb, "options": options})
                        assert SECRET not in answer.text, (verb, option)
                        tried += 1
    assert tried > 300
    assert files_in(laid.folder) == before


def test_only_what_is_listed_can_be_opened(laid: Laid, seats: dict[str, Client]) -> None:
    master = seats["master"]
    found = master.ask("files").data
    names = {each["name"]: each["kind"] for each in found["files"]}
    assert names["notes.yaml"] == "position"
    assert names[laid.record.name] == "record"
    assert "away.yaml" not in names  # a link that leads out of the folder
    assert "chess" in found["games"]
    before = files_in(laid.folder)
    for given in ({"file": "away.yaml"}, {"file": "../notes.yaml"}, {"file": "/etc/passwd"}, {},
                  {"file": ["notes.yaml"]}, {"game": "../notes"}, {"game": "/etc"}, {"game": 1},
                  {"file": "outside.txt"}, {"game": "chess", "start": "../x"}):  # fmt: skip
        assert master.ask("open", given).status == 400, given
    assert files_in(laid.folder) == before
    opened = master.ask("open", {"file": "notes.yaml"}).data
    assert opened["name"] == "notes.game2.yaml"
    again = Client(f"http://{master.url.netloc}{opened['link']}")
    assert again.ask("screen").data["game"]["title"] == "Notes"
    assert master.ask("open", {"file": opened["name"]}).data == opened  # a record goes on as it is


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
    """One seat counts far ahead, more often than there are processes; others play on meanwhile."""
    server = Laid(tmp_path, "chess")
    try:
        master, white = (Client(server.links[name]) for name in ("master", "white"))
        white.ask("screen")
        answers: list[int] = []

        def count_far() -> None:
            options = {"verb": "count", "options": {"depth": 5}}
            answers.append(Client(server.links["master"]).ask("ask", options).status)

        slow = [threading.Thread(target=count_far, daemon=True) for _ in range(6)]
        for thread in slow:
            thread.start()
        time.sleep(0.3)
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
        (("nothing.yaml",), "nothing.yaml"),
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
    if not socket.has_ipv6:
        pytest.skip("this machine has no version 6 of the protocol")
    process = run(tmp_path, "tictactoe", "--host", "::1", "--port", "0")
    assert process.stdout is not None
    link = next(line for line in process.stdout if line.startswith("x: http://[::1]:")).split()[1]
    assert Client(link).ask("screen").status == 200
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
