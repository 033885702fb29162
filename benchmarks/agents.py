"""How soon the server of agents answers, beside the import of the protocol alone."""

import json
import statistics
import subprocess
import sys
import time
from importlib.util import find_spec

from benchmarks.results import ROOT, Result

PAIRS = 7
MOST = 1.4
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}


def agents() -> list[Result]:
    """(n) From the start of `pymorph mcp` to its answer to `initialize`, in turns with the import
    of the protocol's package; nothing without that package."""
    if find_spec("mcp") is None:
        return []
    pairs = [(imported(), ready()) for _ in range(PAIRS + 1)][1:]  # the first one compiles
    alone, served = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(second / first for first, second in pairs)
    told = f"ready {served:.2f} s, import {alone:.2f} s"
    return [Result("mcp: ready, beside `import mcp`", ratio, MOST, told)]


def imported() -> float:
    """The seconds that the import takes, with the start of Python."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import mcp"], check=True)
    return time.perf_counter() - start


def ready() -> float:
    """The seconds until the server has answered the first message."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "pymorph", "mcp"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=ROOT) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        server.stdin.flush()
        answer = json.loads(server.stdout.readline())
        seconds = time.perf_counter() - start
        server.stdin.close()
    assert answer["result"]["serverInfo"]["name"] == "pymorph"
    return seconds


if __name__ == "__main__":
    for result in agents():
        sys.stdout.write(f"{result.name}: {result.ratio:.2f} ({result.told})\n")
