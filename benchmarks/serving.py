"""Questions of another program: a round trip by `pymorph serve --stdio`, and the call in Python."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from benchmarks.results import ROOT, Result
from pymorph.answers import encode
from pymorph.questions import legality
from pymorph.state.position import Position

# A request costs some tenths of a millisecond more than a call, which a small game shows.
POSITIONS = {
    "serve": (ROOT / "examples/rulesets/connect_four/positions/start.yaml", 1.3),
    "serve duel": (ROOT / "examples/duel/earthhammer.yaml", 1.2),
}
ROUNDS = 200


def timed(call: Callable[[], object]) -> float:
    """The time of a call in milliseconds."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def serving() -> list[Result]:
    """By turns: `legal` for a position under a handle, over pipes; and in Python, as JSON."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "pymorph", "serve", "--stdio"]
    results = []
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as server:
        assert server.stdin is not None
        assert server.stdout is not None

        def ask(method: str, **params: str) -> dict[str, object]:
            print(
                json.dumps({"id": 1, "method": method, "params": params}),
                file=server.stdin,
                flush=True,
            )
            assert server.stdout is not None
            answer: dict[str, object] = json.loads(server.stdout.readline())["result"]["answer"]
            return answer

        for name, (path, most) in POSITIONS.items():
            position = Position.load(str(path))
            ask("load", file=str(path), handle="@asked")

            def call(position: Position = position) -> dict[str, object]:
                answer: dict[str, object] = encode(legality.legal(position))
                return answer

            def trip() -> dict[str, object]:
                return ask("legal", file="@asked")

            assert trip().items() >= call().items(), "the answers differ"
            rows = [(timed(trip), timed(call)) for _ in range(ROUNDS)]
            served, called = (statistics.median(column) for column in zip(*rows, strict=True))
            told = f"{served:.2f} ms a request against {called:.2f} ms a call"
            results.append(Result(name, served / called, most, told))
        server.stdin.close()
    return results
