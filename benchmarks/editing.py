"""What a designer waits for who has changed a card and asks for one property."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.results import ROOT, Result

GAME, CARD = "morphyry", "rules/morphyry/techniques.lp"
OLD, NEW = "3, punch, 5, 2", "3, punch, 4, 2"  # the ticks of a pay-off
PROPERTIES = ("dead", "conflict", "range", "ledger", "kept")
SECONDS = 5.0
ROUNDS = 3


def editing() -> list[Result]:
    """(j) `verify --changed FILE --property ID` from the shell, when a card was edited and nothing
    was asked since, in a copy of the project under version control."""
    with tempfile.TemporaryDirectory() as folder:
        copy, cache, kept = (Path(folder, name) for name in ("copy", "cache", "kept"))
        for part in ("pymorph", "rules", "encodings"):
            shutil.copytree(ROOT / part, copy / part)
        environment = {**os.environ, "PYTHONPATH": str(copy), "PYMORPH_CACHE": str(cache)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)

        def run(*command: str) -> float:
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True, cwd=copy, env=environment)
            return time.perf_counter() - start

        run("git", "init", "--quiet")
        run("git", "add", "--all")
        author = ("-c", "user.name=x", "-c", "user.email=x@x")
        run("git", *author, "commit", "--quiet", "-m", "as it was")
        python = (sys.executable, "-m", "pymorph")
        run(*python, "rules", GAME)
        shutil.copytree(cache, kept)
        card = copy / CARD
        text = card.read_text(encoding="utf-8")
        assert text.count(OLD) == 1, "the card is another one"
        card.write_text(text.replace(OLD, NEW), encoding="utf-8")
        ask = (*python, "verify", GAME, "--changed", CARD, "--property")
        run(*ask, PROPERTIES[0])  # so that no module has to be compiled
        results = []
        for name in PROPERTIES:
            times = []
            for _ in range(ROUNDS):
                shutil.rmtree(cache)
                shutil.copytree(kept, cache)
                times.append(run(*ask, name))
            seconds = statistics.median(times)
            told = f"{seconds:.1f} s, at best {min(times):.1f}"
            results.append(Result(f"edit {name}", seconds, SECONDS, told))
        return results
