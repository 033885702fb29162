"""`pymorph mcp`: what agents are answered, over the protocol, and what no seat is told."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pymorph import legal_actions
from pymorph.state.position import Position
from tests.conftest import ROOT
from tests.doors.test_seats import games, laid, pairs_of, questions

pytestmark = pytest.mark.doors
anyio = pytest.importorskip("anyio")
mcp = pytest.importorskip("mcp")
__all__ = ["games"]  # the fixture

INSPECTOR = "@modelcontextprotocol/inspector@1.0.3"  # the last that runs on Node.js 20
Calls = Callable[[Any], Awaitable[Any]]


def apart(work: Callable[[], Any]) -> Any:
    """What comes of work in a thread of its own: in this one a browser's loop may run."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def asked(folder: Path, calls: Calls, pages: bool = False, **settings: Any) -> Any:
    """What comes of some calls to a server in this process, by a client that may show *pages*."""
    from mcp.client.extension import advertise
    from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

    from pymorph.doors.mcp.server import Settings, server_of

    shown = [advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})] if pages else []

    async def run() -> Any:
        server = server_of(Settings(**settings), str(folder))
        async with mcp.Client(server, extensions=shown) as client:
            return await calls(client)

    return apart(lambda: anyio.run(run))


def told(folder: Path, *calls: tuple[str, dict[str, Any]], **settings: Any) -> list[Any]:
    """The answers of tools, one after the other."""

    async def each(client: Any) -> list[Any]:
        return [await client.call_tool(name, given) for name, given in calls]

    answers: list[Any] = asked(folder, each, **settings)
    return answers


def printed(*words: str) -> Any:
    """What a command prints as JSON."""
    command = [sys.executable, "-m", "pymorph", *words, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    return json.loads(done.stdout)


# -- what is answered ------------------------------------------------------------------------------


def test_answers_are_those_of_the_verbs(tmp_path: Path) -> None:
    """The client checks each against the schema of its tool, too."""
    start, action = "examples/positions/right_cross.yaml", "interrupt(baganal, block_and_evade)"
    verbs = {
        "legal_actions": ("legal", {}, ()),
        "why": ("why", {"what": "advance(baganal, 3)"}, ("advance(baganal, 3)",)),
        "forecast": ("forecast", {"names": ["readies"]}, ("readies",)),
        "odds": ("apply", {"actions": [action]}, (action,)),
        "show": ("show", {}, ()),
    }
    opened, *answers = told(
        tmp_path,
        ("open_position", {"file": start}),
        *((tool, given) for tool, (_, given, _) in verbs.items()),
    )
    assert opened.structured_content["game"] == "game-1"
    for (tool, (verb, _, words)), answer in zip(verbs.items(), answers, strict=True):
        said = printed(verb, start, *words, *(["--odds"] if tool == "odds" else []))
        assert not answer.is_error, answer.content
        data = answer.structured_content
        more = {"alternatives"} if tool == "why" else set()
        assert {key: data[key] for key in data.keys() - more} == said, tool
        assert answer.content[0].text
    assert len(answers[1].structured_content["alternatives"]) > 1
    assert "may be done instead: " in answers[1].content[0].text


def test_a_game_goes_on_under_its_handle(tmp_path: Path) -> None:
    case = (ROOT / "examples/disputes/five_ticks.yaml").read_text(encoding="utf-8")
    answers = told(
        tmp_path,
        ("new_game", {"ruleset": "tictactoe"}),
        ("apply", {"action": "put(x, b2)"}),
        ("new_game", {"ruleset": "connect_four"}),
        ("legal_actions", {"game": "game-1", "actor": "o"}),
        ("show", {"game": "game-1", "picture": True}),
        ("plan", {"game": "game-1", "goal": "wins(x)", "within": "6"}),
        ("undo", {"game": "game-1"}),
        ("record", {"game": "game-1"}),
        ("rules", {"names": ["tictactoe", "ttt_02"]}),
        ("questions", {"names": ["morphyry"], "search": "time"}),
        ("words", {"ruleset": "tictactoe", "names": ["turn"]}),
        ("games", {}),
        ("adjudicate", {"case": case}),
    )
    assert [answer.is_error for answer in answers] == [False] * len(answers)
    legal, shown, plan, undone, record = (answers[n].structured_content for n in range(3, 8))
    assert len(legal["actions"]) == 8
    assert plan["found"] is True
    assert answers[4].content[1].resource.mime_type == "image/svg+xml"
    assert answers[4].content[1].resource.text.startswith("<svg")
    assert shown["position"]["cells"] == {"b2": "x"}
    assert undone == {"undone": ["put(x, b2)"]}
    assert re.search(r"^seed: ", record["record"], re.MULTILINE)
    assert (tmp_path / "game-1.yaml").is_file()


@pytest.mark.parametrize(
    ("tool", "given", "says"),
    [
        ("show", {}, "unknown game '': open one with new_game"),
        ("new_game", {"ruleset": "tictacto"}, "did you mean 'tictactoe'"),
        ("shwo", {}, "did you mean 'show'"),
        ("rules", {"nams": []}, "did you mean 'names'"),
        ("why", {}, "why needs 'what'"),
        ("why", {"what": 3}, "'what' is of the type string"),
        ("open_position", {"text": "{ruleset: tictactoe, trun: x}"}, "did you mean 'turn'"),
        ("rules", {"names": ["/etc/passwd"]}, "passwd"),
    ],
)
def test_an_error_says_what_to_do(tool: str, given: Any, says: str, tmp_path: Path) -> None:
    (answer,) = told(tmp_path, (tool, given))
    assert answer.is_error
    assert says.replace("'': ", "''; ") in answer.content[0].text
    assert "Traceback" not in answer.content[0].text


def test_a_question_has_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server then answers the next one, whatever the last one still does."""
    from pymorph.doors.mcp.tools import Referee

    monkeypatch.setattr(Referee, "do_games", lambda *_: time.sleep(6), raising=False)
    _, late, soon = told(
        tmp_path, ("new_game", {"ruleset": "tictactoe"}), ("games", {}), ("show", {}), timeout=5.0
    )
    assert late.is_error
    assert "no answer within 5 seconds" in late.content[0].text
    assert not soon.is_error


def test_rules_are_resources(tmp_path: Path) -> None:
    async def calls(client: Any) -> Any:
        from mcp_types import ResourceTemplateReference

        ref = ResourceTemplateReference(type="ref/resource", uri="pymorph://rules/{game}/{rule}")
        return (
            await client.list_resources(),
            await client.read_resource("pymorph://rules/tictactoe/ttt_02"),
            await client.complete(ref, {"name": "game", "value": "tic"}),
            await client.complete(ref, {"name": "rule", "value": "ttt_0"}, {"game": "tictactoe"}),
            await client.get_prompt("referee"),
        )

    listed, rule, game, rules, prompt = asked(tmp_path, calls)
    assert "pymorph://rules/chess" in {str(row.uri) for row in listed.resources}
    assert "Empty squares" in rule.contents[0].text
    assert game.completion.values == ["tictactoe"]
    assert "ttt_02" in rules.completion.values
    assert "deal_seat" in prompt.messages[0].content.text


# -- a page in a chat ------------------------------------------------------------------------------


async def offered(client: Any) -> dict[str, Any]:
    """The tools that are listed, each with what its metadata says of the page."""
    return {tool.name: (tool.meta or {}).get("ui") for tool in (await client.list_tools()).tools}


def test_tools_have_a_page_where_it_is_shown(tmp_path: Path) -> None:
    """A client that shows no pages is answered as before, and has no tools of the page."""
    uri = "ui://pymorph/table.html"

    async def calls(client: Any) -> Any:
        listed = await client.list_resources()
        started = await client.call_tool("new_game", {"ruleset": "tictactoe"})
        screen = await client.call_tool("table_ask", {"task": "screen", "game": "game-1"})
        resource = (await client.read_resource(uri)).contents[0]
        resources = {str(row.uri) for row in listed.resources}
        return await offered(client), resources, started, screen, resource

    tools, resources, started, screen, resource = asked(tmp_path, calls, True)
    (tmp_path / "game-1.yaml").unlink()
    plain, others, same, refused, _ = asked(tmp_path, calls)
    shown = {"new_game", "open_position", "show", "legal_actions", "why", "apply"}
    both = {"resourceUri": uri, "visibility": ["model", "app"]}
    own = {"resourceUri": uri, "visibility": ["app"]}
    pages = {name: ui for name, ui in tools.items() if ui}
    assert pages == {**dict.fromkeys(shown, both), "table_ask": own, "table_play": own}
    assert plain == dict.fromkeys(tools.keys() - {"table_ask", "table_play"})
    assert resources - others == {uri}
    assert started.meta["pymorph/game"] == "game-1"
    assert "pymorph/game" not in same.meta
    assert (started.content, started.structured_content) == (same.content, same.structured_content)
    assert screen.structured_content["answer"]["game"]["ruleset"] == "tictactoe"
    assert "unknown tool 'table_ask'" in refused.content[0].text
    assert resource.mime_type == "text/html;profile=mcp-app"
    assert resource.meta["ui"]["csp"] == {"connectDomains": [], "resourceDomains": []}


def test_hide_legal_has_no_page(tmp_path: Path) -> None:
    tools = asked(tmp_path, offered, True, lists=False)
    assert set(tools.values()) == {None}
    assert not tools.keys() & {"table_ask", "table_play"}


# -- what is not told ------------------------------------------------------------------------------


def test_hide_legal_lists_no_legal_action(tmp_path: Path) -> None:
    """Not even in an error, or where an action is refused."""
    position = Position.load("examples/positions/right_cross.yaml")
    legal = set(map(str, legal_actions(position)))
    calls = [
        ("open_position", {"file": "examples/positions/right_cross.yaml"}),
        ("why", {"what": "advance(baganal, 3)"}),
        ("why", {"what": "advance(baganal)"}),
        ("why", {"what": "interrupt"}),
        ("apply", {"action": "advance(baganal, 3)"}),
        ("apply", {"action": "interrupt(baganal, _, _, _)"}),
        ("show", {"reach": "baganal"}),
        ("legal_actions", {}),
        ("plan", {"goal": "wins(baganal)"}),
        ("forecast", {}),
    ]
    answers = told(tmp_path, *calls, lists=False)
    everything = " ".join(answer.model_dump_json() for answer in answers)
    assert not [action for action in legal if action in everything]
    assert [answer.is_error for answer in answers[6:9]] == [True] * 3

    async def names(client: Any) -> set[str]:
        return {tool.name for tool in (await client.list_tools()).tools}

    assert asked(tmp_path, names) - asked(tmp_path, names, lists=False) == {"legal_actions", "plan"}


def attacks(truths: tuple[Position, Position]) -> list[tuple[str, dict[str, Any]]]:
    """Every way in which a seat may ask, those that it should not have among them."""
    actions = questions(truths)
    own = [(tool, {key: action}) for action in actions for tool, key in (("why", "what"),)]
    plain: list[tuple[str, dict[str, Any]]] = [
        (tool, {})
        for tool in ("show", "legal_actions", "forecast", "seen", "record", "undo", "games")
    ]
    return [
        *plain,
        *own,
        ("show", {"picture": True}),
        ("show", {"seat": "x"}),
        ("show", {"game": "game-1"}),
        ("legal_actions", {"actor": "ann", "all": True}),
        ("legal_actions", {"as": "ann"}),
        ("why", {"what": "best_bid(ann, 3)"}),
        ("why", {"what": "best_bid(bob, 2)"}),
        ("forecast", {"names": ["highest"], "next": True}),
        ("odds", {"actions": actions[:1]}),
        ("plan", {"goal": "wins(ann)"}),
        ("adjudicate", {"case": "{}"}),
        ("open_position", {"file": "a-0.yaml"}),
        ("deal_seat", {"name": "master"}),
        ("rules", {"names": ["../a-0.yaml"]}),
        ("words", {"names": ["a-0.yaml"]}),
        *pages_attacks(actions),
    ]


def pages_attacks(actions: list[str]) -> list[tuple[str, dict[str, Any]]]:
    """The same as the page of a seat asks it."""
    given: dict[str, dict[str, Any]] = {
        "screen": {},
        "version": {},
        "job": {},
        "players": {},
        "record": {},
        "rulings": {},
        "claims": {},
        "forecast": {},
        "forbidden": {"clicked": [["ann"]]},
    }
    asks = [{"task": task, "given": more} for task, more in given.items()]
    parts = [action.rstrip(")").partition("(")[::2] for action in actions]
    asks += [
        {"task": "forbidden", "given": {"name": name, "parts": [rest.partition(",")[0], "_"]}}
        for name, rest in parts
    ]
    asks += [
        {"task": "ask", "given": {"verb": "why", "options": {"what": action}}} for action in actions
    ]
    asks += [{"task": "screen", "seat": "x"}, {"task": "screen", "given": {"step": 0}}]
    changes = [{"task": task} for task in ("undo", "redo", "rule", "withdraw", "save")]
    return [("table_ask", one) for one in asks] + [("table_play", one) for one in changes]


def test_seats_are_told_the_same_of_what_looks_the_same(games: Path, tmp_path: Path) -> None:
    """Two servers, of two games that look the same to their seat: each answer is the same."""
    positions = [Position.load(games / name) for name in ("bids.yaml", "hand.yaml")]
    pairs = [next(iter(pairs_of(position))) for position in positions]
    for number, (viewer, *truths) in enumerate(pairs):
        tables = [laid(tmp_path, f"{n}-{number}", p) for n, p in zip("ab", truths, strict=True)]
        calls = attacks((truths[0], truths[1]))
        settings = {"pages": True, "seat": viewer, "timeout": 120.0}  # on a busy machine, too
        answers = [told(tmp_path, *calls, file=table.path, **settings) for table in tables]
        for call, one, other in zip(calls, *answers, strict=True):
            assert one.model_dump_json() == other.model_dump_json(), call
        assert sum(not answer.is_error for answer in answers[0]) > 7


def test_a_token_asks_as_its_seat(games: Path, tmp_path: Path) -> None:
    table = laid(tmp_path, "bids", Position.load(games / "bids.yaml"))

    async def calls(client: Any) -> list[Any]:
        dealt = await client.call_tool("deal_seat", {"name": "cat"})
        token = dealt.structured_content["token"]
        return [
            await client.call_tool("show", {"seat": token}),
            await client.call_tool("show", {}),
            await client.call_tool("apply", {"seat": token, "action": "seal(ann, 1)"}),
            await client.call_tool("show", {"seat": "x" + token}),
        ]

    seen, all_of_it, other, strange = asked(tmp_path, calls, file=table.path)
    assert seen.structured_content["position"]["bid"] == {"ann": "hidden", "bob": "hidden"}
    assert all_of_it.structured_content["position"]["bid"] == {"ann": 3, "bob": 2}
    assert other.content[0].text == "this seat plays for cat, not for ann"
    assert strange.content[0].text == "no seat has this token"


# -- other programs --------------------------------------------------------------------------------


def test_two_agents_play_a_game_to_its_end() -> None:
    """Over standard streams, each with a server of its own; `python -m tools.agents` writes it."""
    from tools import agents

    assert apart(agents.transcript) == (ROOT / agents.TRANSCRIPT).read_text(encoding="utf-8")


def test_the_inspector_lists_and_calls() -> None:
    """The command line of the MCP Inspector, another client of the protocol."""

    def inspect(*words: str) -> Any:
        server = [sys.executable, "-m", "pymorph", "mcp"]
        command = ["npx", "--yes", INSPECTOR, "--cli", *server, "--method", *words]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
        return json.loads(done.stdout[done.stdout.index("{") :])

    tools = {tool["name"]: tool for tool in inspect("tools/list")["tools"]}
    assert tools["why"]["inputSchema"]["required"] == ["what"]
    words = ("--tool-name", "new_game", "--tool-arg", "ruleset=tictactoe")
    answer = inspect("tools/call", *words)
    assert answer["structuredContent"]["game"] == "game-1"
    assert inspect("resources/list")["resources"]


def test_the_verb_says_what_to_install() -> None:
    """Without the extra, in one line."""
    code = "import sys; sys.modules['mcp'] = None; from pymorph.cli.app import main; main()"
    command = [sys.executable, "-c", code, "mcp"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "pymorph: the Model Context Protocol is not installed; pip install 'pymorph-referee[mcp]'"
    ]


def test_the_page_has_every_tool() -> None:
    from pymorph.doors.mcp.tools import TOOLS

    page = (ROOT / "docs/howto/agents.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", page, re.MULTILINE))
    assert rows == {name: tool.does for name, tool in TOOLS.items()}
