"""Speed and memory as ratios within one run: `python -m benchmarks [NAME]...`.

Each benchmark checks its answers before it is timed. What counts is the ratio to plain clingo (its
Python API: the ruleset's whole text and the same facts added, grounded, solved, the shown atoms
read) or to an import in the same run; milliseconds are those of the machine it ran on.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import networkx as nx  # type: ignore[import-untyped]
from clingo import Function, Number, Symbol, parse_term

import pymorph
from benchmarks.agents import agents
from benchmarks.compiled import answers, compiled
from benchmarks.crowd import crowds
from benchmarks.disputes import suite, verdicts
from benchmarks.duels import duels
from benchmarks.editing import editing
from benchmarks.learning import learning
from benchmarks.lengths import lengths
from benchmarks.looking import lookings
from benchmarks.results import ROOT, Result, grounded, median
from benchmarks.serving import serving
from benchmarks.sharing import sharing
from benchmarks.skirmish import challenges
from benchmarks.tables import tabling
from benchmarks.tabletop import tabletops
from benchmarks.verify import verifying
from pymorph.board.grid import Board
from pymorph.board.movement import MovementGraph
from pymorph.dynamics import transitions
from pymorph.explore.execution import application, replay
from pymorph.explore.sampling import odds as queries_odds
from pymorph.explore.search import planning
from pymorph.explore.search.planning import Plan
from pymorph.questions import legality
from pymorph.state.position import Position
from pymorph.state.record import Record

EMPTY = Function("", [])
EXAMPLE = ROOT / "examples" / "positions" / "right_cross.yaml"
DUEL = ROOT / "examples" / "duel" / "duel.yaml"
GAMES = {"": EXAMPLE, " yard": ROOT / "examples" / "yard" / "start.yaml"}


def plainly(position: Position, shows: str, *more: Symbol) -> list[Symbol]:
    """The atoms that are shown, with *more* facts, by plain clingo on the whole ruleset."""
    program = f"{position.ruleset.slices['whole'].text}\n#show. {shows}"
    control = grounded(position, program, [*position.facts(Number(0)), *more])
    with control.solve(yield_=True) as handle:
        return next(iter([model.symbols(shown=True) for model in handle]))


def plain_legal(position: Position) -> list[Symbol]:
    """What is legal."""
    return plainly(position, "#show A : legal(A, S).")


def plain_step(position: Position, action: Symbol) -> list[Symbol]:
    """What one action sets, clears and adds."""
    here = Number(0)
    done = (Function("asked", [action, here]), Function("does", [action, here, here]))
    return plainly(position, "#show sets/4. #show clears/3. #show adds/5.", *done)


def many(start: Position, number: int) -> list[Position]:
    """So many different positions that play leads to from *start*."""
    found = {start: None}
    frontier = [start]
    while len(found) < number:
        frontier = list(
            dict.fromkeys(s for row in transitions.successors_of(frontier[:60]) for _, s in row)
        )
        found.update(dict.fromkeys(frontier))
    return list(found)[:number]


def single() -> list[Result]:
    """(a) A warm `legal`: on the Right Cross, and in the other game's yard."""
    results = []
    for name, path in GAMES.items():
        position = Position.load(str(path))
        ours = {action.symbol for action in legality.legal_actions(position)}
        assert ours == set(plain_legal(position)), "the answers differ"
        plain = median(lambda position=position: plain_legal(position))
        fast = median(lambda position=position: legality.legal_actions(position))
        told = f"{fast:.1f} ms against {plain:.1f} ms of plain clingo"
        results.append(Result(f"single{name}", fast / plain, 0.5, told))
    return results


def batch() -> list[Result]:
    """(b) Two hundred positions at once, and every legal action of them carried out."""
    return [result for name, path in GAMES.items() for result in batches(name, path)]


def batches(name: str, path: Path) -> list[Result]:
    position = Position.load(str(path))
    positions = many(position, 200)
    assert legality.legal_actions_of(positions)[17] == legality.legal_actions(positions[17])
    assert {a.symbol for a in legality.legal_actions(positions[40])} == set(
        plain_legal(positions[40])
    )
    plain = median(lambda: plain_legal(position))
    legal = median(lambda: legality.legal_actions_of(positions), 7) / len(positions)
    branches = transitions.successors_of(positions)
    action, after = branches[3][0]
    assert application.apply(positions[3], action).position == after, "single and batch differ"
    number = sum(map(len, branches))
    branching = median(lambda: transitions.successors_of(positions), 5) / len(positions)
    each = f"{branching:.2f} ms a position with all its {number / len(positions):.1f} actions"
    return [
        Result(f"batch{name}", legal / plain, 0.1, f"{legal:.2f} ms a position of 200"),
        Result(f"branching{name}", branching / plain, 0.15, each),
    ]


def board() -> Result:
    """(c) `legal` on a board of 5x5 and on one of 20x20."""

    def on(size: int) -> Position:
        data = Position.load(str(EXAMPLE)).data()
        data["board"] = "\n".join(" ".join("." * size) for _ in range(size))
        return Position.parse(json.dumps(data))

    small, large = on(5), on(20)
    assert legality.legal_actions(small) == legality.legal_actions(large)
    times = (
        median(lambda: legality.legal_actions(small)),
        median(lambda: legality.legal_actions(large)),
    )
    return Result(
        "board", times[1] / times[0], 1.3, f"{times[1]:.1f} ms on 20x20, {times[0]:.1f} ms on 5x5"
    )


def ways() -> list[Result]:
    """All places within limits of play on 24x24 squares, against NetworkX on whole graphs."""
    board = Board.from_drawing("\n".join(" ".join("." * 24) for _ in range(24)), {".": "plain"}, {})
    bars = parse_term("bars((), (), (), (), (), never_blocked)")
    start = board.places[300]
    results = []
    for name, turn in (("", 0), (" turning", 1)):
        prices = parse_term(f"prices(2, 3, {turn}, 4, needed)")
        moves = MovementGraph(board, prices, bars, EMPTY, False)
        graph = nx.DiGraph({state: moves.moves_from(state) for state in range(2 * moves.size)})
        origin = moves.state_of(start, 0)
        for limit in (6, 12, 20):
            weights = nx.single_source_dijkstra_path_length(graph, origin, cutoff=limit)
            assert len({s % moves.size // 8 for s in weights}) == len(moves.costs(start, 0, limit))

            def new(limit: int = limit, prices: Symbol = prices) -> None:
                MovementGraph(board, prices, bars, EMPTY, False).costs(start, 0, limit)

            plain = partial(nx.single_source_dijkstra_path_length, graph, origin, cutoff=limit)
            ours, theirs = median(partial(moves.costs, start, 0, limit)), median(plain)
            told = f"{ours:.2f} ms, {median(new):.2f} from nothing; {theirs:.2f} ms of NetworkX"
            results.append(Result(f"ways{name} {limit}", ours / theirs, 2, told))
    return results


def cold() -> Result:
    """(d) `pymorph legal FILE` from the shell, start-up of Python included, in pairs.

    What Python compiles is kept, as after an installation, and so is the checked ruleset.
    """
    surroundings = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def run(*command: str) -> float:
        start = time.perf_counter()
        words = [sys.executable, *command]
        subprocess.run(words, check=True, capture_output=True, cwd=ROOT, env=surroundings)
        return (time.perf_counter() - start) * 1000

    ask = ("-m", "pymorph", "legal", str(EXAMPLE))
    bare = ("-c", "import clingo, click, yaml")
    for _ in range(2):
        run(*ask)
    rows = [(run(*ask), run(*bare)) for _ in range(15)]
    ratio = statistics.median(ours / libraries for ours, libraries in rows)
    ours, libraries = (statistics.median(column) for column in zip(*rows, strict=True))
    told = f"{ours:.0f} ms; import clingo, click, yaml {libraries:.0f} ms"
    return Result("cold", ratio, 2.2, told)


def memory() -> Result:
    """(e) Resident memory after ten thousand warm queries and after one thousand."""
    program = f"""
import statistics
import sys
sys.path.insert(0, {str(ROOT)!r})
import pymorph
from pymorph import Position
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])
position = Position.load({str(EXAMPLE)!r})
for number in range(10000):
    if number == 1000:
        first = resident()
    pymorph.legal_actions(position)
print(first, resident())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    first, last = map(int, done.stdout.split())
    return Result(
        "memory",
        last / first,
        1.1,
        f"{last * 4 // 1024} MB after 10,000 queries, {first * 4 // 1024} MB after 1,000",
    )


def replaying() -> Result:
    """(f) Replaying the example duel, a step of it against one step of plain clingo."""
    record = Record.load(DUEL)
    found = replay.replay(record)
    assert found.stop is None, "the duel is not legal"
    assert found.steps == len(record.steps)
    start = time.perf_counter()
    replay.replay(record)
    step = (time.perf_counter() - start) * 1000 / found.steps
    position = application.apply(record.position).position
    action = legality.legal_actions(position)[-1].symbol
    assert plain_step(position, action)
    plain = median(lambda: plain_step(position, action))
    return Result(
        "replay", step / plain, 0.5, f"{step:.1f} ms a step, {1000 / step:.0f} steps a second"
    )


def odds() -> Result:
    """(g) Every outcome of an action with three rolls, against one step of plain clingo."""
    position = Position.load(str(ROOT / "benchmarks" / "three_rolls.yaml"))
    action = "advance(baganal, 2)"
    answer = queries_odds.odds(position, action)
    assert sum(branch.probability for branch in answer.branches) == 1
    assert len(answer.branches) == 8, len(answer.branches)
    symbol = legality.action_of(position, action).symbol
    plain = median(lambda: plain_step(position, symbol))
    ours = median(lambda: queries_odds.odds(position, action), 7)
    return Result("odds", ours / plain, 2, f"{ours:.0f} ms for 1000 ways in 8 outcomes")


BLOCK_FIRST = "before(paid_off(baganal, block_and_evade), paid_off(lathana, overhead_blow))"


def plan() -> list[Result]:
    """(h) A position expanded in a search, against `legal` of it in a batch; G-115 and G-114."""
    late = Position.load(EXAMPLE.with_name("block_too_late.yaml"))

    def search() -> Plan:
        return planning.plan(late, BLOCK_FIRST, "6", by="baganal")

    found = search()
    assert found.found is False
    positions = many(late, found.expanded)
    legal = median(lambda: legality.legal_actions_of(positions), 5) / len(positions)
    ours = median(search, 3) / found.expanded
    told = f"{ours:.2f} ms for each of {found.expanded} positions, {legal:.2f} ms for `legal`"
    results = [Result("plan", ours / legal, 3, told)]
    in_time = Position.load(EXAMPLE.with_name("block_in_time.yaml"))
    for name, start, expected in (("G-115", in_time, True), ("G-114", late, False)):

        def answer(start: Position = start) -> Plan:
            return planning.plan(start, BLOCK_FIRST, "2 turns", by="baganal", against="goes_on")

        assert answer().found is expected
        seconds = median(answer, 5) / 1000
        results.append(Result(name, seconds, 1, f"seconds; {answer().positions} positions"))
    return results


BENCHMARKS: dict[str, Callable[[], Result | list[Result]]] = {
    "single": single,
    "batch": batch,
    "board": board,
    "crowd": crowds,
    "sight": lookings,
    "challenge": challenges,
    "table": tabletops,
    "ways": ways,
    "lengths": lengths,
    "cold": cold,
    "memory": memory,
    "replay": replaying,
    "odds": odds,
    "plan": plan,
    "verdicts": verdicts,
    "disputes": suite,
    "verify": verifying,
    "edit": editing,
    "jobs": sharing,
    "compiled": compiled,
    "answers": answers,
    "learning": learning,
    "duels": duels,
    "serve": serving,
    "agents": agents,
    "seats": tabling,
}


def main(names: Sequence[str]) -> int:
    """Run the benchmarks named, or all; 1 if a ratio is larger than it may be."""
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(
            f"unknown benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}", file=sys.stderr
        )
        return 2
    print(
        f"pymorph {pymorph.__version__}, Python {platform.python_version()}, {platform.machine()}"
    )
    kept = True
    for name in names or BENCHMARKS:
        found = BENCHMARKS[name]()
        for result in found if isinstance(found, list) else [found]:
            kept = kept and result.kept
            mark = "" if result.kept else "  TOO LARGE"
            limits = f"{result.ratio:6.3f}  at most {result.most:.2f}"
            print(f"{result.name:14} {limits}  {result.told}{mark}", flush=True)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
