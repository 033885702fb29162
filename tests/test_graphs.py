"""Graphs that rules give: a railway whose tracks players lay, and a canal that is always there."""

from __future__ import annotations

import shutil
from itertools import pairwise, permutations
from pathlib import Path
from random import Random

import pytest
from clingo import Function, Number, Supremum, Symbol, parse_term

from pymorph.board.graphs import GraphError, Graphs
from pymorph.dynamics.asking.legal import legal_of
from pymorph.errors import RulesetError
from pymorph.questions import figures, legality
from pymorph.ruleset import loader
from pymorph.state.position import Position
from tests.games import RULESETS, file_text, write_game
from tests.tables import parametrized

GAME = file_text("rails/rules/game.lp")
PLAY = file_text("rails/encodings/play.lp")
START = file_text("rails/positions/start.yaml")


@pytest.fixture
def rails(tmp_path: Path) -> Path:
    return shutil.copytree(RULESETS / "rails", tmp_path / "rails")


def start(rails: Path, line: str) -> Position:
    text = f"{{ruleset: .., turn: ada, train: ash, line: {{{line}}}}}"
    (rails / "positions" / "mine.yaml").write_text(text, encoding="utf-8")
    return Position.load(str(rails / "positions" / "mine.yaml"))


def rides(position: Position) -> set[str]:
    answer = legality.legal(position)
    return {str(a.arguments[1]) for a in answer.actions if a.name == "ride"}


def test_a_graph_without_edges_is_one(tmp_path: Path) -> None:
    """Where nothing joins anything there is still a graph, and the train reaches its own town."""
    game = GAME.replace("edge(line, elm, fir, 5).", "")
    bare = write_game(tmp_path / "bare", game, PLAY, {})
    (bare / "positions").mkdir()
    (far,) = figures.forecast(start(bare, ""), "far").figures
    assert (str(far.name), far.value) == ("far(ash)", 0)


def test_positions_in_one_batch_keep_their_edges(rails: Path) -> None:
    """Each position of a batch has the answer that it has alone."""
    lines = ["", "ash: {fir: 1}", "ash: {birch: 1}, birch: {cedar: 3}", "ash: {birch: 2}"]
    several = [start(rails, line) for line in lines]
    assert [a.actions for a in legal_of(several)] == [
        legality.legal(each).actions for each in several
    ]


@parametrized
def test_slips_are_found_when_loading(tmp_path: Path, old: str, new: str, says: str) -> None:
    """A graph, a place or a cost that cannot be is told with its place and the nearest name."""
    assert old in GAME + PLAY
    game, play = GAME.replace(old, new, 1), PLAY.replace(old, new, 1)
    folder = write_game(tmp_path / "slip", game, play, {})
    with pytest.raises(RulesetError) as caught:
        loader.load(str(folder))
    assert says in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_cost_below_nothing_is_told(tmp_path: Path) -> None:
    """What a rule makes of a position is told where it is walked; 0 is a cost."""
    play = PLAY.replace("holds(line(P, Q), N, S).", "holds(line(P, Q), M, S), N = M - 2.")
    folder = write_game(tmp_path / "less", GAME, play, {})
    (folder / "positions").mkdir()
    assert rides(start(folder, "ash: {birch: 2}")) == {"birch"}
    with pytest.raises(RulesetError, match="edge from ash to birch costs -1; expected 0 or more"):
        rides(start(folder, "ash: {birch: 1}"))


# -- the functions, against what comes of trying everything


def graph_of(edges: dict[tuple[str, str], int]) -> Symbol:
    rows: dict[str, str] = {}
    for (one, other), cost in edges.items():
        rows[one] = f"(({other},{cost}),{rows.get(one, '()')})"
    term = "()"
    for one, row in rows.items():
        term = f"(({one},{row}),{term})"
    return parse_term(term)


def listed(*places: str) -> Symbol:
    found = Function("", [])
    for place in reversed(places):
        found = Function("", [Function(place), found])
    return found


def told(answer: Symbol | list[Symbol]) -> set[str]:
    return {str(each) for each in (answer if isinstance(answer, list) else [answer])}


@pytest.mark.parametrize("seed", range(12))
def test_all_ways_are_found(seed: int) -> None:
    """Ways, the shortest of them and what is reached are those of all orders of five places."""
    dice = Random(seed)
    places = list("abcde")
    edges = {
        (one, other): dice.randint(0, 4)
        for one, other in permutations(places, 2)
        if dice.random() < 0.5
    }
    graph, asked = graph_of(edges), Graphs()
    for start, goal in permutations(places, 2):
        ways = [
            (sum(edges[e] for e in pairwise(way)), len(way) - 1, way)
            for size in range(4)
            for middle in permutations([p for p in places if p not in (start, goal)], size)
            for way in [(start, *middle, goal)]
            if all(e in edges for e in pairwise(way))
        ]
        one, two = Function(start), Function(goal)
        for most in (1, 2, 4):
            wanted = {f"({cost},{listed(*way)})" for cost, n, way in ways if n <= most}
            assert told(asked.chains(graph, one, two, Number(most))) == wanted
        assert len(told(asked.chains(graph, one, two, Supremum))) == len(ways)
        best = {f"({cost},{listed(*way)})" for cost, _, way in [min(ways)]} if ways else set()
        assert told(asked.shortest(graph, one, two)) == best
        near = [min(ways)[0]] if ways else []  # what the goal costs
        for most in range(5):
            reached = [
                each for each in told(asked.nearby(graph, one, Number(most)))
                if each.startswith(f"({goal},")
            ]  # fmt: skip
            assert reached == [f"({goal},{cost})" for cost in near if cost <= most]


def test_what_is_no_question_has_no_answer() -> None:
    """A term that is no graph, a limit below nothing and a place that no edge joins."""
    asked, graph = Graphs(), graph_of({("a", "b"): 1})
    a, b, z = map(Function, "abz")
    assert asked.nearby(a, a, Number(1)) == asked.nearby(graph, a, Number(-1)) == []
    assert asked.shortest(graph, b, a) == asked.shortest(graph, a, z) == []
    assert asked.chains(graph, a, z, Number(1)) == asked.chains(graph, a, b, Number(0)) == []
    assert told(asked.shortest(graph, z, z)) == {"(0,(z,()))"}
    assert told(asked.nearby(graph, z, Supremum)) == {"(z,0)"}


def test_of_two_edges_the_cheaper_counts() -> None:
    graph = parse_term("((a,((b,3),((b,2),()))),())")
    a, b = Function("a"), Function("b")
    assert told(Graphs().chains(graph, a, b, Number(9))) == {"(2,(a,(b,())))"}


def test_too_many_ways_are_refused() -> None:
    """Between two of ten places that are all joined there are 109,601 ways; in three steps, 65."""
    graph = graph_of(dict.fromkeys(permutations("abcdefghij", 2), 1))
    a, b = Function("a"), Function("b")
    with pytest.raises(GraphError, match="too many paths from a to b; ask @chains"):
        Graphs().chains(graph, a, b, Supremum)
    assert len(told(Graphs().chains(graph, a, b, Number(3)))) == 65
    dear = graph_of({("a", "b"): 2**31 - 1, ("b", "c"): 1})
    with pytest.raises(GraphError, match="the path from a to c costs more than 2147483647"):
        Graphs().shortest(dear, a, Function("c"))
