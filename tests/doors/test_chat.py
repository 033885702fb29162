"""The table as a page in a chat: a host in Chromium that shows it, and `pymorph mcp` behind it.

The host is what the specification of MCP Apps asks of one: a frame that may only run scripts, the
strictest Content-Security-Policy that it names, and messages that are passed on to the server.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pymorph.runtime.installation import VERSION
from pymorph.state.position import Position
from tests.conftest import ROOT
from tests.doors.test_seats import games, laid

pytestmark = pytest.mark.doors
mcp = pytest.importorskip("mcp")
from_thread = pytest.importorskip("anyio.from_thread")
stdio = pytest.importorskip("mcp.client.stdio")
extension = pytest.importorskip("mcp.client.extension")
__all__ = ["games"]  # the fixture

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

MIME = "text/html;profile=mcp-app"
URI = "ui://pymorph/table.html"
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; media-src 'self' data:; connect-src 'none'"
)
HOST = """<!doctype html><html lang="en"><head><title>A chat</title></head><body>
<main><h1>A chat</h1><iframe title="The table" sandbox="allow-scripts" width="700"></iframe></main>
<script>
const frame = document.querySelector("iframe");
const heard = [];
const tell = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
addEventListener("message", async ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  heard.push(data);
  if (data.method === "ui/notifications/size-changed") frame.height = data.params.height;
  if (data.id === undefined || data.method === undefined) return;
  const own = {
    "ui/initialize": {
      protocolVersion: "2026-01-26", hostInfo: { name: "test", version: "1" },
      hostCapabilities: { serverTools: {}, message: {}, updateModelContext: {} },
      hostContext: { theme: "light", containerDimensions: { width: 700 } },
    },
    "ui/message": {}, "ui/update-model-context": {},
  };
  if (data.method in own) tell({ id: data.id, result: own[data.method] });
  else if (data.method === "tools/call") {
    tell({ id: data.id, result: await serverTool(data.params) });
  } else tell({ id: data.id, error: { code: -32601, message: data.method } });
});
</script></body></html>"""


class Chat:
    """A chat with an agent: its tools are those of a server, and the page of one is shown."""

    def __init__(self, page: Page, call: Callable[..., Any], html: str) -> None:
        self.page, self.call = page, call
        self.answers: list[Any] = []  # to the page
        page.expose_function("serverTool", self.asked)
        page.set_content(HOST)
        policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        self.html = html.replace("<head>", f"<head>{policy}")

    def agent(self, tool: str, **given: Any) -> Any:
        """The agent calls a tool, and the page of its answer is shown."""
        result = self.call(tool, given)
        self.page.evaluate("html => { heard.length = 0; frame.srcdoc = html; }", self.html)
        self.until("initialized")
        self.tell("tool-input", {"arguments": given})
        self.tell("tool-result", result)
        return result

    def tell(self, name: str, params: Any) -> None:
        """The host tells the page something."""
        notification = {"method": f"ui/notifications/{name}", "params": params}
        self.page.evaluate("message => tell(message)", notification)

    def until(self, notification: str) -> None:
        """Wait until the page has sent a notification."""
        name = f"ui/notifications/{notification}"
        self.page.wait_for_function("name => heard.some((data) => data.method === name)", arg=name)

    def heard(self, method: str) -> list[Any]:
        """What the page has sent to the host."""
        code = "name => heard.filter((data) => data.method === name).map((data) => data.params)"
        found: list[Any] = self.page.evaluate(code, method)
        return found

    def part(self, selector: str, **how: Any) -> Locator:
        return self.page.frame_locator("iframe").locator(selector, **how)

    def sees(self, selector: str, pattern: str) -> None:
        """Wait until a part of the page has a text."""
        self.part(selector, has_text=re.compile(pattern)).first.wait_for(state="attached")

    def click(self, place: str) -> None:
        """Click a place of the board that has no piece."""
        self.part(f"pymorph-board button.place[data-term={place}]").click()

    def asked(self, params: Any) -> Any:
        """What the server answers to the page."""
        self.answers.append(self.call(params["name"], params["arguments"]))
        return self.answers[-1]


Open = Callable[..., Chat]


@pytest.fixture
def chat(chromium: Browser) -> Iterator[Open]:
    """Starts `pymorph mcp` with some options, and a chat with it: `chat("--seat", "cat")`."""
    contexts, faults = [], list[str]()
    with from_thread.start_blocking_portal() as portal:
        clients = []

        def start(*options: str) -> Chat:
            command = ["-m", "pymorph", "mcp", "--timeout", "60", *options]
            server = stdio.StdioServerParameters(
                command=sys.executable, args=command, cwd=str(ROOT)
            )
            shown = extension.advertise("io.modelcontextprotocol/ui", {"mimeTypes": [MIME]})
            client = mcp.Client(stdio.stdio_client(server), extensions=[shown])
            opened = portal.wrap_async_context_manager(client)
            opened.__enter__()
            clients.append(opened)

            def call(name: str, given: dict[str, Any]) -> Any:
                result = portal.call(client.call_tool, name, given)
                return result.model_dump(mode="json", by_alias=True, exclude_none=True)

            (content,) = portal.call(client.read_resource, URI).contents
            context = chromium.new_context()
            context.set_default_timeout(30_000)
            contexts.append(context)
            page = context.new_page()
            page.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
            page.on("pageerror", lambda error: faults.append(str(error)))
            return Chat(page, call, content.text)

        yield start
        for context in contexts:
            context.close()
        for client in clients:
            client.__exit__(None, None, None)
    assert faults == []


def test_a_game_is_played_on_the_page_and_by_the_agent(chat: Open) -> None:
    here = chat()
    here.agent("new_game", ruleset="tictactoe")
    here.sees("#title", "Tic-tac-toe")
    here.click("b2")
    here.sees("pymorph-record", r"put\(x, b2\)")
    told = here.heard("ui/update-model-context")[-1]["content"][0]["text"]
    assert "game-1" in told
    assert "put(x, b2)" in told
    here.call("apply", {"action": "put(o, a1)"})
    here.sees("pymorph-record", r"put\(o, a1\)")  # the page looks by itself after some seconds
    shown = here.agent("apply", action="put(x, c1)")
    here.sees("pymorph-record", r"put\(x, c1\)")
    here.sees("pymorph-answer", re.escape(shown["content"][0]["text"].splitlines()[0]))
    here.click("c2")
    here.sees("pymorph-record", r"put\(o, c2\)")
    here.click("a3")
    here.sees("#headline", "x wins")
    assert "x wins" in here.call("legal_actions", {})["content"][0]["text"]
    frame_axe(here)


def test_why_not(chat: Open) -> None:
    """On the page and from the agent; in a frame that may submit no forms."""
    here = chat()
    here.agent("new_game", ruleset="tictactoe")
    here.part("input[name=action]").fill("put(o, b2)")
    here.part("button[value=why]").click()
    here.sees("pymorph-answer", "ttt_01")
    here.part("input[name=action]").fill("why put(o, a1)")
    here.part("input[name=action]").press("Enter")
    here.sees("pymorph-answer", r"put\(o, a1\)")
    here.agent("why", what="put(o, c3)")
    here.sees("pymorph-answer", r"put\(o, c3\)[^$]*ttt_")
    here.agent("show", game="game-7")
    here.sees("pymorph-answer", "unknown game 'game-7'")


def test_undo_and_redo(chat: Open) -> None:
    """What was taken back is carried out again, unless the game went on."""
    here = chat()
    here.agent("new_game", ruleset="tictactoe")
    page = {"given": {}, "game": "game-1"}
    for action in ("put(x, b2)", "put(o, a1)"):
        here.call("apply", {"action": action})

    def record() -> list[str]:
        answer = here.call("table_ask", {"task": "screen", **page})["structuredContent"]["answer"]
        return [row["action"] for row in answer["record"]]

    here.call("table_play", {"task": "undo", **page})
    here.call("table_play", {"task": "undo", **page})
    assert record() == []
    here.call("table_play", {"task": "redo", **page})
    assert record() == ["put(x, b2)"]
    here.call("apply", {"action": "put(o, c3)"})
    here.call("table_play", {"task": "redo", **page})
    assert record() == ["put(x, b2)", "put(o, c3)"]


def test_a_plan_is_worked_out_beside_the_game(chat: Open) -> None:
    here = chat()
    here.call("new_game", {"ruleset": "tictactoe"})

    def job(**given: Any) -> Any:
        answer = here.call("table_ask", {"task": "job", "given": given, "game": "game-1"})
        return answer["structuredContent"]["answer"]

    assert job()["state"] == "none"
    job(kind="plan", options={"goal": "wins(x)", "within": "5"})
    assert here.call("show", {})["structuredContent"]["ruleset"] == "tictactoe"
    assert eventually(lambda: job()["state"] == "done", here.page)
    assert job()["answer"]["data"]["found"] is True


def test_a_seat_sees_no_bid_of_others(chat: Open, games: Path, tmp_path: Path) -> None:
    """The page is the same, letter by letter, whatever the others have bid."""
    pages = []
    for name, bids in (("one", "{ann: 3, bob: 2}"), ("two", "{ann: 1, bob: 3}")):
        file = games / f"{name}.yaml"
        file.write_text(f"ruleset: ./sealed\nbid: {bids}\n", encoding="utf-8")
        table = laid(tmp_path, name, Position.load(file))
        here = chat("--game", table.path, "--seat", "cat")
        here.agent("show")
        here.sees("pymorph-tableau", "ann hidden")
        here.part("input[name=action]").fill("seal(ann, 2)")
        here.part("button[value=why]").click()
        here.sees("pymorph-answer", r"seal\(ann, 2\)")
        answers = {json.dumps(answer, sort_keys=True) for answer in here.answers}
        pages.append((here.part("body").evaluate("body => body.innerHTML"), answers))
    assert pages[0] == pages[1]
    assert len(pages[0][1]) > 2


def test_a_token_shows_its_seat(chat: Open, games: Path, tmp_path: Path) -> None:
    here = chat("--game", laid(tmp_path, "bids", Position.load(games / "bids.yaml")).path)
    token = here.call("deal_seat", {"name": "cat"})["structuredContent"]["token"]
    here.agent("show", seat=token)
    here.sees("pymorph-tableau", "ann hidden")
    here.agent("show")
    here.sees("pymorph-tableau", "ann 3")


def test_the_host_is_told_the_size_and_asked_to_go_on(chat: Open) -> None:
    here = chat()
    here.agent("new_game", ruleset="tictactoe")
    here.sees("#title", "Tic-tac-toe")
    here.until("size-changed")
    fits = "root => Math.abs(root.getBoundingClientRect().height - innerHeight) < 2"
    assert eventually(lambda: here.part("html").evaluate(fits), here.page)
    (hello,) = here.heard("ui/initialize")
    assert hello["protocolVersion"] == "2026-01-26"
    assert hello["appInfo"] == {"name": "pymorph", "version": VERSION}
    here.part("header button", has_text="Ask the agent").click()
    (message,) = here.heard("ui/message")
    assert message["role"] == "user"
    here.tell("host-context-changed", {"theme": "dark"})
    here.page.wait_for_function("() => heard.length > 0")
    scheme = here.part("html").evaluate("root => getComputedStyle(root).colorScheme")
    assert scheme == "dark"
    frame_axe(here)


def eventually(true: Callable[[], Any], page: Page) -> bool:
    """Does something become true within half a minute?"""
    for _ in range(150):
        if true():
            return True
        page.wait_for_timeout(200)
    return False


def frame_axe(here: Chat) -> None:
    """Fail on every fault that axe-core finds in the page in the frame."""
    axe = pytest.importorskip("axe_playwright_python.base")
    frame = here.page.frames[1]
    frame.evaluate(axe.AXE_FILE_PATH.read_text(encoding="utf-8"))
    found = frame.evaluate("async () => (await axe.run()).violations")
    assert [each["id"] for each in found] == []
