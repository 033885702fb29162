"""A challenge, step by step, with six and with twenty a side, against clingo itself."""

import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import yaml

from benchmarks.crowd import plain
from benchmarks.results import Result
from pymorph.explore.execution import application
from pymorph.questions import legality
from pymorph.state.position import Position

Found = TypeVar("Found")
SIDES, WIDE, SEEDS, MOST = (6, 20), 24, range(5), 60
DATA = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
READY: dict[str, str] = DATA["ready"]
WISHES: list[str] = DATA["wishes"]


def crowd(side: int, seed: int) -> Position:
    """So many a side on 24x24 squares; the first two stand face to face."""
    rng = random.Random(seed)
    squares = [f"{chr(97 + x)}{y}" for x in range(WIDE) for y in range(3, WIDE + 1)]
    rng.shuffle(squares)
    figures = {
        "ada": "card: warden, crew: watch, at: b1, facing: east, ready: sword",
        "finn": "card: scout, crew: foxes, at: c1, facing: west, ready: knife",
    }
    for number in range(2 * side - 2):
        card = rng.choice(sorted(READY))
        figures[f"f{number}"] = (
            f"card: {card}, crew: {'foxes' if number % 2 else 'watch'}, at: {squares[number]}, "
            f"facing: {rng.choice(('north', 'east', 'south', 'west'))}, ready: {READY[card]}"
        )
    rows = "\n".join("  " + " ".join("." * WIDE) for _ in range(WIDE))
    people = "\n".join(f"  {name}: {{{told}}}" for name, told in figures.items())
    return Position.parse(
        f"ruleset: quick_start_skirmish\nboard: |\n{rows}\ncrews:\n"
        "  watch: {push: 2, initiative: 9, discards: {9: 1}, buffs: {2: 1, 4: 1, 5: 1, 8: 2}}\n"
        "  foxes: {push: 2, initiative: 3, discards: {3: 1}, buffs: {3: 1, 4: 1, 6: 1, 7: 2}}\n"
        f"figures:\n{people}\n"
    )


def challenge(side: int, seed: int) -> dict[str, Position]:
    """Positions by how far a challenge is, from the attack to the check of a hit."""
    rng = random.Random(seed)
    position = crowd(side, seed)
    found: dict[str, Position] = {}
    for _ in range(MOST):
        legal = [str(action) for action in legality.legal_actions(position)]
        wished = [action for wish in WISHES for action in legal if action.startswith(wish)]
        position = application.apply(position, (wished or [rng.choice(legal)])[0]).position
        event, stage = (str(position.value(f"{name}(0)")) for name in ("event", "stage"))
        if event == "none" and len(found) > 1:
            break
        found.setdefault("declare" if event == "none" else f"{event}, {stage}", position)
    return found


def challenges() -> list[Result]:
    """`legal` in each step, of positions that nobody has asked about; of each size the worst."""
    found = []
    for side in SIDES:
        times: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for seed in SEEDS:
            for stage, position in challenge(side, seed).items():
                ours, legal = took(lambda position=position: legality.legal_actions(position))
                clingo, atoms = took(lambda position=position: plain(position))
                assert {action.symbol for action in legal} == set(atoms), "the answers differ"
                times[stage].append((ours, clingo))
        rows = []
        for stage, pairs in times.items():
            ours, clingo = (statistics.median(column) for column in zip(*pairs, strict=True))
            rows.append((ours / clingo, f"{stage}: {ours:.1f} ms against {clingo:.1f} ms"))
        ratio, told = max(rows)
        told = f"{told} of clingo; the worst of {len(rows)} steps"
        found.append(Result(f"challenge {side}", ratio, 1.5, told))
    return found


def took(call: Callable[[], Sequence[Found]]) -> tuple[float, Sequence[Found]]:
    """Milliseconds of one call, and what it gave."""
    start = time.perf_counter()
    found = call()
    return (time.perf_counter() - start) * 1000, found
