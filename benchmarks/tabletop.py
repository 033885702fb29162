"""A full table: `legal` with all destinations, many lines at once, and how it all grows.

Twenty a side stand among thirty pieces of terrain. Every position is new.
"""

import json
import random
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import combinations

from clingo import Control, parse_term

from benchmarks.crowd import plain
from benchmarks.lengths import SIDE, Floats
from benchmarks.lengths import table as lengths_table
from benchmarks.looking import shuffled
from benchmarks.results import Result
from benchmarks.skirmish import crowd
from pymorph.board.lengths.length_units import point_term
from pymorph.board.lengths.measuring import Measuring
from pymorph.board.lengths.plane import Plane, Terrain
from pymorph.explore.execution import application
from pymorph.questions import legality
from pymorph.state.position import Position
from pymorph.terms import list_term, text_of

SEEDS, TABLES = range(8), 3


def took(calls: Iterable[Callable[[], object]]) -> float:
    """Milliseconds of the processor that one of some calls takes, each of which is made once."""
    times = []
    for call in calls:
        start = time.process_time()
        call()
        times.append((time.process_time() - start) * 1000)
    return sorted(times)[len(times) // 2]


# What is legal


def moving() -> Iterator[Position]:
    """A figure about to move, with all its inches before it, everybody being somewhere new."""
    for seed in SEEDS:
        rng = random.Random(seed)
        start = shuffled(seed + 100)
        whom = rng.choice([str(a) for a in legality.legal_actions(start) if a.name == "activate"])
        yield application.apply(start, whom).position


def spent(position: Position) -> Position:
    """The same after a Rush as far as it goes."""
    for _ in range(6):
        moves = [a for a in legality.legal_actions(position) if a.name == "move"]
        if not moves:
            return position
        position = application.apply(position, moves[len(moves) // 2]).position
    return position


def legal() -> list[Result]:
    """With all destinations, alone and in a batch, and without a move left."""
    positions = list(moving())
    after = [spent(position) for position in positions]
    rows = []
    for these in (positions, after):
        ours = took([partial(legality.legal_actions, position) for position in these])
        rows.append((ours, took([partial(plain, position) for position in these])))
    for position in (positions[0], after[0]):
        found = {action.symbol for action in legality.legal_actions(position)}
        assert found == set(plain(position)), "the answers differ"
    (whole, floor), (rest, least) = rows
    count = len(legality.legal_actions(positions[0]))
    batch = took([partial(legality.legal_actions_of, positions)]) / len(positions)
    told = f"{whole:.1f} ms against {floor:.1f} ms of clingo, such as {count} actions"
    each = f"{batch:.1f} ms a position of {len(positions)}"
    return [
        Result("legal all", whole / floor, 1, told),
        Result("legal batch", batch / floor, 0.6, each),
        Result("legal spent", rest / least, 1, f"{rest:.1f} ms against {least:.1f} ms of clingo"),
    ]


# Many lines


LINES = """
met(A, B, I, X) :- pair(A, B, P, Q), bodies(L), (I, X) = @crossed(P, Q, L).
"""


def many_lines() -> Result:
    """All 780 lines between 40 bases past 30 areas, asked for by the grounder."""
    times = [0.0, 0.0]
    for seed in range(TABLES):
        rng = random.Random(seed + 50)
        discs, polygons = lengths_table(rng)
        moved = [
            tuple((min(max(x, 0), SIDE), min(max(y, 0), SIDE)) for x, y in p) for p in polygons
        ]
        plane = Plane.of((SIDE, SIDE), [Terrain(f"t{n}", "w", p) for n, p in enumerate(moved)])
        bodies = list_term(
            [parse_term(f"disc({n}, ({x}, {y}), {r})") for n, (x, y, r) in enumerate(discs)]
        )
        pairs = [
            f"pair({a}, {b}, {point_term(discs[a][:2])}, {point_term(discs[b][:2])})."
            for a, b in combinations(range(len(discs)), 2)
        ]
        floats = Floats(discs, moved)
        start = time.process_time()
        control = Control(["-t1", "--warn=none"])
        control.add("base", [], f"{LINES}bodies({text_of(bodies)}).{''.join(pairs)}")
        control.ground([("base", [])], context=Measuring(plane))
        times[0] += time.process_time() - start
        found: dict[tuple[int, int], set[str]] = {}
        for atom in control.symbolic_atoms.by_signature("met", 4):
            a, b, _, item = atom.symbol.arguments
            found.setdefault((a.number, b.number), set()).add(str(item))
        start = time.process_time()
        cut = {
            (a, b): floats.cut((discs[a][:2], discs[b][:2]))
            for a, b in combinations(range(len(discs)), 2)
        }
        times[1] += time.process_time() - start
        names = [f"base({n})" for n in range(40)] + [f"area(t{n})" for n in range(30)]
        for ends, items in found.items():
            crossed = {item for item in items if not item.startswith("touched")}
            assert crossed == {names[n] for n in cut[ends]}, "the answers differ"
    ours, theirs = (1000 * seconds / TABLES for seconds in times)
    told = f"{ours:.0f} ms for 780 lines in one grounding against {theirs:.0f} ms of shapely"
    return Result("lines", ours / theirs, 2.5, told)


# Growth


def grown(position: Position) -> Position:
    """The same figures on 72x48 spaces."""
    data = position.data()
    data["board"] = "\n".join(" ".join("." * 72) for _ in range(48))
    return Position.parse(json.dumps(data))


def growth() -> Result:
    """`legal` for a figure in a corner of 24x24 spaces, and of 72x48."""
    pairs = []
    for seed in SEEDS:
        small = application.apply(crowd(20, seed), "activate(ada)").position
        large = grown(small)
        found = legality.legal_actions(small)
        assert found == legality.legal_actions(large), "the answers differ"
        pairs.append((small, large))
    times = [
        took([partial(legality.legal_actions, p) for p in column])
        for column in zip(*pairs, strict=True)
    ]
    told = f"{times[1]:.1f} ms on 72x48, {times[0]:.1f} ms on 24x24"
    return Result("growth", times[1] / times[0], 1.3, told)


def tabletops() -> list[Result]:
    return [*legal(), many_lines(), growth()]
