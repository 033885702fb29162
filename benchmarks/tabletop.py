"""A full table: `legal` with all destinations, reach, many lines at once, and how it all grows.

Twenty a side stand among thirty pieces of terrain. Every position and every start is new.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import combinations

from clingo import Control, Number, Symbol, parse_term

from benchmarks.crowd import plain
from benchmarks.lengths import SIDE, Floats
from benchmarks.lengths import table as lengths_table
from benchmarks.looking import shuffled
from benchmarks.results import Result
from benchmarks.skirmish import crowd
from pymorph.board.geometry import Geometry
from pymorph.board.grid import Board
from pymorph.board.lengths.length_units import list_term, point_term
from pymorph.board.lengths.measuring import Measuring
from pymorph.board.lengths.plane import Plane, Terrain
from pymorph.explore.execution import application
from pymorph.questions import legality
from pymorph.state.position import Position
from pymorph.terms import text_of

SEEDS, TABLES = range(8), 3
GROUNDS = {"rough": 40, "difficult": 20, "chasm": 10}  # spaces of each
COURSES = (("rough", "difficult", "chasm"), ("difficult", "chasm"), ("chasm",))


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


# Reach


def field(seed: int) -> Board:
    """24x24 spaces with some ground of each kind."""
    rng = random.Random(seed)
    rows = [["."] * 24 for _ in range(24)]
    spaces = [(x, y) for x in range(24) for y in range(24)]
    rng.shuffle(spaces)
    signs = {name: name[0] for name in GROUNDS}
    for name, number in GROUNDS.items():
        for _ in range(number):
            x, y = spaces.pop()
            rows[y][x] = signs[name]
    labels = {".": "space", **{sign: name for name, sign in signs.items()}}
    return Board.from_drawing("\n".join(map(" ".join, rows)), labels, {})


def reach() -> Result:
    """All that a Rush of 12 inches comes to, in three graphs, from 40 spaces of new boards."""
    import networkx  # type: ignore[import-untyped]

    prices, none = parse_term("prices(1, 1, 0, 4, needed)"), parse_term("()")
    ours: list[Callable[[], object]] = []
    theirs: list[Callable[[], object]] = []
    for seed in range(5):
        board, rng = field(seed), random.Random(seed)
        geometry = Geometry(board)
        asked, graphs = [], []
        for closed in COURSES:
            listed = "()"
            for label in closed:
                listed = f"({label}, {listed})"
            bars = parse_term(f"bars((), {listed}, (), (), (), blocked_if_both_sides)")
            asked.append(bars)
            graphs.append(graph_of(geometry, board, bars, networkx))
        for start in rng.sample(board.places, 8):
            north, most = parse_term("north"), Number(12)
            search = [partial(geometry.reach, start, north, most, prices, b, none) for b in asked]
            way = networkx.single_source_dijkstra_path_length
            ready = [partial(way, graph, start, cutoff=12) for graph in graphs if start in graph]
            if len(ready) == len(graphs):
                for one, other in zip(search, ready, strict=True):
                    found = {tuple(pair.arguments) for pair in Geometry(board).reach(*one.args)}
                    assert found == {(place, Number(n)) for place, n in other().items()}
                board.answers.clear()
                ours.append(lambda search=search: [call() for call in search])
                theirs.append(lambda ready=ready: [call() for call in ready])
    rush, graph = took(ours), took(theirs)
    told = f"{rush:.2f} ms against {graph:.2f} ms of NetworkX, in three graphs of 24x24"
    return Result("reach", rush / graph, 1, told)


def graph_of(geometry: Geometry, board: Board, bars: Symbol, networkx: object) -> object:
    """The steps that are open, as a graph."""
    graph = networkx.DiGraph()  # type: ignore[attr-defined]
    prices, none = parse_term("prices(1, 1, 0, 4, needed)"), parse_term("()")
    for place in board.places:
        found = geometry.reach(place, parse_term("north"), Number(1), prices, bars, none)
        assert isinstance(found, list)
        for pair in found:
            to, price = pair.arguments
            if to != place:
                graph.add_edge(place, to, weight=price.number)
    board.answers.clear()
    return graph


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
    return [*legal(), reach(), many_lines(), growth()]
