"""Questions as JSON objects, and as lines on standard input."""

import json
import os
import shlex
import signal
import subprocess
import sys
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest

from pymorph.answers import encode
from pymorph.cli import answer_schema
from pymorph.doors import stdio
from pymorph.doors.requests import Requests, method_of, methods, schema_of
from pymorph.explore.execution.session import Session
from tests.conftest import ROOT, Run, start_of, started
from tests.tables import parametrized

START = "my_game/positions/start.yaml"
RULED = """ruleset: ./my_game
rulings: [{question: same_again, option: barred, source: club evening}]
"""


def filled(value: Any) -> Any:
    """A value of the table with the file of the position."""
    return json.loads(json.dumps(value).replace("START", START))


def by_command(pymorph: Run, words: str) -> tuple[Any, int]:
    """What a command line prints, and its exit code."""
    code, out, _ = pymorph(*shlex.split(words.replace("START", START)), "--json")
    return json.loads(out), code


def told(lines: bytes) -> list[Any]:
    """The responses to some lines."""
    out = StringIO()
    stdio.answer_lines(BytesIO(lines), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def in_line(method: str, **params: object) -> bytes:
    return json.dumps({"id": method, "method": method, "params": params}).encode() + b"\n"


@parametrized
def test_same_answer(
    method: str, params: dict[str, Any], words: str, my_game: Path, pymorph: Run
) -> None:
    """A request has the answer, or the error, and the exit code of its command with --json."""
    [response] = told(in_line(method, **filled(params)))
    if "error" in response:
        data = response["error"]["data"]
        assert (data, data["code"]) == by_command(pymorph, words)
    else:
        result = response["result"]
        assert (result["answer"], result["code"]) == by_command(pymorph, words)


@parametrized
def test_handle(
    method: str, params: dict[str, Any], words: str, my_game: Path, pymorph: Run
) -> None:
    """A position under a handle has the answers of its file, and the rulings beside that."""
    Path("my_game/positions/rulings.yaml").write_text(RULED.replace("./my_game", ".."))
    requests = Requests()
    requests.ask("load", {"file": START, "handle": "@start"})
    answer, code = requests.ask(method, {"file": "@start", **params})
    assert (json.loads(json.dumps(answer)), int(code)) == by_command(pymorph, words)
    assert "rulings" in answer or "readings" in answer


@parametrized
def test_error(line: str, code: int, says: str, my_game: Path) -> None:
    """What is wrong is said in one response, and the next request has its answer."""
    load = in_line("load", file=START, handle="@start")
    lines = [load, line.replace("START", START).encode(), b"\n\n", in_line("forget")]
    loaded, error, after = told(b"".join(lines))
    assert loaded["result"]["code"] == 0
    said, says = error["error"], says.replace("START", START)
    assert (said["code"], said["message"], said["data"]["code"]) == (code, says, 2)
    assert after == {
        "jsonrpc": "2.0",
        "id": "forget",
        "result": {"code": 0, "answer": {"handles": ["@start"]}},
    }


def test_lines_that_are_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that are not UTF-8, brackets without end, a line that is too long."""
    monkeypatch.setattr(stdio, "LONGEST", 300_000)
    good = in_line("forget").removesuffix(b"\n")
    wrong = [b'{"id": "\xff"}', b"[" * 200_000, b" " * 700_000 + good]
    *errors, last = told(b"\n".join([*wrong, good]))
    assert [error["error"]["message"] for error in errors] == [
        "byte 9 of the line is not UTF-8",
        "the line is nested too deeply",
        "a line has up to 300000 bytes",
    ]
    assert {error["error"]["code"] for error in errors} == {-32700}
    assert last["result"]["answer"] == {"handles": []}


def test_positions_follow_one_another(my_game: Path) -> None:
    """`apply` keeps a position under a handle, or writes it to a file; a record is kept whole."""
    requests = Requests()
    asked: list[tuple[str, dict[str, Any]]] = [
        ("load", {"file": "my_game/records/first.yaml", "handle": "@record"}),
        ("load", {"ruleset": "./my_game", "handle": "@game"}),
        ("apply", {"file": "@game", "actions": "take(anna, 2)", "output": "@next"}),
        ("apply", {"file": "@next", "actions": "take(anna, 2)", "output": "@next"}),
        ("apply", {"file": "@next", "actions": "take(bo, 3)", "output": "after.yaml"}),
        ("show", {"file": "@game"}),
        ("show", {"file": "@next"}),
        ("show", {"file": "after.yaml"}),
        ("why", {"file": "@record", "what": "emptied(anna)"}),
        ("forget", {"handles": ["@game", "@game"]}),
    ]
    answers = [requests.ask(*each) for each in asked]
    assert [int(code) for _, code in answers[:-2]] == [0, 0, 0, 1, 0, 0, 0, 0]
    heaps = [answer["position"]["heap"] for answer, _ in answers[5:8]]
    assert heaps == [10, 8, 5]
    asked_of_file = {"file": "my_game/records/first.yaml", "what": "emptied(anna)"}
    assert answers[-2] == Requests().ask("why", asked_of_file)
    assert answers[-1] == ({"handles": ["@record", "@next"]}, 0)


def test_schemas() -> None:
    """Each method has a schema of its parameters and of its answer."""
    jsonschema = pytest.importorskip("jsonschema")
    requests = Requests()
    answer, _ = requests.ask("help", {})
    assert answer["methods"].keys() == methods().keys() >= {"legal", "book add", "load", "help"}
    asked: dict[str, dict[str, Any]] = {
        "load": {"ruleset": "tictactoe", "handle": "@game"},
        "help": {"method": "legal"},
        "forget": {"handles": "@game"},
    }
    for method in [*asked, *methods()]:
        shown, _ = requests.ask("help", {"method": method})
        for name in ("params", "answer"):
            jsonschema.Draft202012Validator.check_schema(shown[name])
        if method in asked:
            jsonschema.validate(requests.ask(method, asked.pop(method))[0], shown["answer"])
    drawn = schema_of(method_of("count").params)
    jsonschema.validate({"file": "@game", "depth": 2, "of": ["x"], "timeout": 0.5}, drawn)
    for wrong in ({"file": "@game"}, {"file": "a", "depth": 0}, {"file": "a", "depth": 1, "x": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, drawn)
    assert answer_schema.ERROR not in methods()


# -- as a process --------------------------------------------------------------------------------


def served(**options: Any) -> subprocess.Popen[str]:
    return started("serve", "--stdio", stdin=subprocess.PIPE, **options)


def test_process_ends_with_its_input(my_game: Path) -> None:
    """Standard output has responses and nothing else, also where a verb says that it wrote a file;
    the last line needs no end."""
    asked = [
        in_line("load", ruleset="tictactoe", handle="@game"),
        in_line("show", file="@game", svg="board.svg"),
        in_line("help").removesuffix(b"\n"),
    ]
    process = served()
    out, err = process.communicate(b"".join(asked).decode(), timeout=60)
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["load", "show", "help"]
    assert (process.returncode, err) == (0, "wrote board.svg\n")
    assert "<svg" in Path("board.svg").read_text()
    assert started("serve").communicate(timeout=60)[1] == (
        "pymorph: serve needs --stdio (see pymorph serve --help)\n"
    )


def test_time_limit() -> None:
    """A question that is out of time has the answer so far, and others follow."""
    load = in_line("load", ruleset="chess", handle="@game")
    slow = in_line("count", file="@game", depth=6, timeout=0.05)
    out, _ = served().communicate((load + slow + in_line("forget")).decode(), timeout=60)
    _, late, after = map(json.loads, out.splitlines())
    answer = late.get("result") or late["error"]
    assert answer["code"] == 3
    assert after["result"]["answer"] == {"handles": ["@game"]}


def test_ctrl_c_ends_a_question() -> None:
    process = served(start_new_session=True)
    assert process.stdin is not None
    assert process.stdout is not None
    asked = in_line("load", ruleset="chess", handle="@game")
    asked += in_line("count", file="@game", depth=9)
    process.stdin.write(asked.decode())
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == "load"
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert process.stderr is not None
    assert process.stderr.read() == "interrupted\n"
    process.stdin.close()


def test_reader_that_is_gone() -> None:
    process = served()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.close()
    process.stdin.write(in_line("forget").decode() * 2)
    process.stdin.flush()
    assert process.wait(60) == 141
    process.stdin.close()


# -- the clients -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        pytest.param((sys.executable, "bot.py", "7"), id="python"),
        pytest.param(("node", "bot.mjs"), id="node", marks=pytest.mark.doors),
    ],
)
def test_bot_plays_a_game(command: tuple[str, ...], tmp_path: Path) -> None:
    """What a bot prints is a whole game by the rules, and how that ended."""
    script = tmp_path / "pymorph"
    script.write_text(f'#!/bin/sh\ncd {ROOT} && exec {sys.executable} -m pymorph "$@"\n')
    script.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    printed = subprocess.run(
        command,
        cwd=ROOT / "examples" / "clients",
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout
    *actions, outcome = printed.splitlines()
    game = Session(start_of("connect_four"))
    for action in actions:
        game.push(action)
    assert game.is_over
    assert json.loads(outcome) == json.loads(json.dumps(encode(game.outcome)))
