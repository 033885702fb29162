"""python -m tools.agents: write the transcript of a game that two agents play, each in its seat.

Each agent has a server of its own, `pymorph mcp --game FILE --seat NAME`; the record in the file is
their table. They play by a simple rule, so that the transcript is the same every time.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from pymorph.doors.seats import Table
from pymorph.state.position import Position

ROOT = Path(__file__).parent.parent
TRANSCRIPT = "examples/mcp/skirmish.md"
START = "examples/mcp/skirmish.yaml"
SEED = "1"
SEATS = ("watch", "foxes")
# What an agent prefers, the first that is legal; of the cards that it may select, the highest.
WISHES = ("attack", "select", "finish", "activate", "forgo", "decline", "end")
MOST = 60  # actions
HEAD = f"""# A skirmish that two agents play

Two agents play a short game of Quick Start Skirmish. Each has a server that holds only its own
seat. `python -m tools.agents` plays it from [the start](skirmish.yaml), with the seed {SEED}, and
writes this page. [The page about agents](../../docs/howto/agents.md) explains the servers.

Each block shows which seat calls a tool, with its arguments, and what the server answers. Cards in
the hand of the other crew stay hidden. At the end, both see the whole record.
"""


def command(file: str, seat: str) -> StdioServerParameters:
    """How the server of a seat is started."""
    words = ["-m", "pymorph", "mcp", "--game", file, "--seat", seat]
    return StdioServerParameters(command=sys.executable, args=words, cwd=str(ROOT))


def wish(actions: list[str]) -> str:
    """The action that an agent takes."""

    def rank(action: str) -> tuple[int, int]:
        name, _, rest = action.rstrip(")").partition("(")
        card = int(rest.split(", ")[-1]) if name == "select" else 0
        return WISHES.index(name) if name in WISHES else len(WISHES), -card

    return min(actions, key=rank)


async def played(folder: str) -> str:
    """The transcript of a game whose record is written in a folder."""
    file = str(Path(folder, "skirmish.yaml"))
    Table.laid(file, Position.load(ROOT / START), SEED)
    blocks: list[str] = [HEAD]

    async def call(seat: str, tool: str, **given: Any) -> Any:
        answer = await clients[seat].call_tool(tool, given)
        assert not answer.is_error, answer.content
        told = json.dumps(given) if given else ""
        blocks.append(
            f"```text\n{seat}> {tool} {told}".rstrip() + f"\n{answer.content[0].text}\n```\n"
        )
        return answer.structured_content

    async with (
        Client(stdio_client(command(file, SEATS[0]))) as first,
        Client(stdio_client(command(file, SEATS[1]))) as second,
    ):
        clients = dict(zip(SEATS, (first, second), strict=True))
        for seat in SEATS:
            await call(seat, "show")
        for _ in range(MOST):
            free = {seat: await legal(clients[seat]) for seat in SEATS}
            seat = next((seat for seat in SEATS if free[seat]), None)
            if seat is None:
                break
            await call(seat, "apply", action=wish(free[seat]))
        await call(SEATS[1], "seen")
        await call(SEATS[1], "record")
    return "\n".join(blocks)


async def legal(client: Client) -> list[str]:
    """The actions that a seat may take."""
    answer = await client.call_tool("legal_actions", {})
    return [row["action"] for row in answer.structured_content["actions"]]


def transcript() -> str:
    """The transcript of the game."""
    with TemporaryDirectory() as folder:
        return anyio.run(played, folder)


if __name__ == "__main__":
    (ROOT / TRANSCRIPT).write_text(transcript(), encoding="utf-8")
