"""The server of the table: what it gives to whom, and what it refuses.

All of it without a browser, over sockets.
"""

import os
import re
import threading
import time
from collections.abc import Iterator
from http.client import HTTPResponse
from pathlib import Path

import pytest

from pymorph.cli.app import VERBS
from pymorph.doors.requests import method_of, methods
from tests.doors.browsers import PATIENCE, Laid
from tests.doors.clients import Answer, Client

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
        client.ask("forbidden", {"name": "write", "parts": ["bob", "_"]}),
        client.ask("forbidden", {"name": "write", "parts": ["ann", "_"]}),
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
    first = [next_of(stream) for stream in news]
    assert len(set(first)) == 3
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
    heard = next_of(news[0])
    assert heard != first[0]  # the first thing that Bob hears is his own step
    again = bob.listen()
    assert heard == next_of(again)
    assert seats["master"].ask("undo", {"steps": 1}).status == 200
    for stream in (*news, again):
        stream.close()


def next_of(stream: HTTPResponse) -> bytes:
    """What the news say next; now and then they say only that the server is there."""
    return next(line for line in iter(stream.readline, b"") if line.startswith(b"data: "))


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
        ({"origin": "http://["}, 403),
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
