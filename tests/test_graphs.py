"""Graphs that rules give: a railway whose tracks players lay, and a canal that is always there."""

from __future__ import annotations

from itertools import pairwise, permutations
from pathlib import Path
from random import Random

import pytest
from clingo import Function, Number, Supremum, Symbol, parse_term

from pymorph.board.graphs import GraphError, Graphs
from pymorph.dynamics.asking.legal import legal_of
from pymorph.errors import RulesetError
from pymorph.explore.execution import application
from pymorph.questions import figures, legality
from pymorph.ruleset import loader
from pymorph.state.position import Position
from tests.inn import write_game

GAME = """
ruleset(rails, "1", "Rails").
sort(player, listed).  member(player, (ada; bo)).
sort(town, listed).    member(town, (ash; birch; cedar; elm; fir)).
sort(days, range(0, 9)).
sort(way, list(town, 5)).
fluent(turn, (), player, given).
fluent(line, (town, town), days, none).
fluent(train, (), town, given).
fluent(trip, (), way, ()).
action(lay, (player, town, town, days)).
action(ride, (player, town)).
figure(longest, (), days, 0, 9).
figure(far, (town,), days, 0, 9).
graph(line, town).
edge(line, elm, fir, 5).

document(d, "The leaflet of Rails").
rule(rls_01). title(rls_01, "Tracks").
says(rls_01, "A track joins two towns that none joins, both ways; a canal leads to Fir.").
source(rls_01, d, "Play"). status(rls_01, stated).
rule(rls_02). title(rls_02, "Rides").
says(rls_02, "A train goes the shortest way, for four days at most.").
source(rls_02, d, "Play"). status(rls_02, stated).
rule(rls_03). title(rls_03, "The longest line").
says(rls_03, "The longest line is the one with the most days that comes to no town twice.").
source(rls_03, d, "End"). status(rls_03, stated).
"""
PLAY = """
% rls_01
edge(line, P, Q, N, S) :- holds(line(P, Q), N, S).
edge(line, Q, P, N, S) :- holds(line(P, Q), N, S).
proposed(lay(C, P, Q, N), S, rls_01) :-
    holds(turn, C, S), member(town, P), member(town, Q), P < Q, N = 1..3.
joined(P, Q, S) :- holds(line(P, Q), _, S).
forbidden(lay(C, P, Q, N), S, rls_01) :- considered(lay(C, P, Q, N), S), joined(P, Q, S).
sets(line(P, Q), N, T, rls_01) :- does(lay(_, P, Q, N), _, T).

% rls_02
reached(Q, N, S) :- graph(line, L, S), holds(train, P, S), (Q, N) = @nearby(L, P, 4).
route(Q, N, W, S) :-
    reached(Q, _, S), graph(line, L, S), holds(train, P, S), (N, W) = @shortest(L, P, Q).
proposed(ride(C, Q), S, rls_02)  :- holds(turn, C, S), member(town, Q).
forbidden(ride(C, Q), S, rls_02) :- considered(ride(C, Q), S), not reached(Q, _, S).
forbidden(ride(C, Q), S, rls_02) :- considered(ride(C, Q), S), holds(train, Q, S).
sets(train, Q, T, rls_02) :- does(ride(_, Q), _, T).
sets(trip, W, T, rls_02)  :- does(ride(_, Q), S, T), route(Q, _, W, S).
entry(far(Q), days, N, S, rls_02) :- reached(Q, N, S).

% rls_03
chain(N, W, S) :-
    graph(line, L, S), member(town, P), member(town, Q), P < Q, (N, W) = @chains(L, P, Q, #sup).
most(N, S) :- situation(S), N = #max { 0; X : chain(X, _, S) }.
best(W, S) :- most(N, S), W = #min { X : chain(N, X, S) }, W != #sup.
entry(longest, W, N, S, rls_03) :- most(N, S), best(W, S).
"""
LINES = "ash: {birch: 2, cedar: 1}, birch: {elm: 3}, cedar: {elm: 3}"
START = f"{{ruleset: .., turn: ada, train: ash, line: {{{LINES}}}}}"


@pytest.fixture
def rails(tmp_path: Path) -> Path:
    return write_game(tmp_path / "rails", GAME, PLAY, {"start.yaml": START})


def start(rails: Path, text: str = START) -> Position:
    (rails / "positions" / "mine.yaml").write_text(text, encoding="utf-8")
    return Position.load(str(rails / "positions" / "mine.yaml"))


def rides(position: Position) -> set[str]:
    answer = legality.legal(position)
    return {str(a.arguments[1]) for a in answer.actions if a.name == "ride"}


def laid(line: str) -> str:
    return f"{{ruleset: .., turn: ada, train: ash, line: {{{line}}}}}"


def test_reach_hangs_on_what_is_laid(rails: Path) -> None:
    """Elm is 4 days off by Cedar and 5 by Birch; where a track is a day longer it is too far."""
    assert rides(start(rails)) == {"birch", "cedar", "elm"}
    far = start(rails, laid("ash: {birch: 2, cedar: 2}, birch: {elm: 3}, cedar: {elm: 3}"))
    assert rides(far) == {"birch", "cedar"}
    assert rides(start(rails, laid(""))) == set()  # ash, which no edge joins, reaches itself


def test_the_shortest_way_is_a_list_of_places(rails: Path) -> None:
    """A ride is told with the towns that it goes through."""
    after = application.apply(start(rails), "ride(ada, elm)").position
    assert str(after.value("trip")) == "(ash, (cedar, (elm, ())))"


def test_an_edge_that_is_always_there_joins_those_of_a_position(rails: Path) -> None:
    """The canal makes the longest line 11; without tracks it is all there is."""
    told = {str(f.name): f for f in figures.forecast(start(rails), "longest").figures}
    assert told["longest"].value == 11
    assert str(told["longest"].entries[0].item) == "(birch, (ash, (cedar, (elm, (fir, ())))))"
    (alone,) = figures.forecast(start(rails, laid("")), "longest").figures
    assert (alone.value, str(alone.entries[0].item)) == (5, "(elm, (fir, ()))")


def test_a_graph_without_edges_is_one(tmp_path: Path) -> None:
    """Where nothing joins anything there is still a graph, and the train reaches its own town."""
    game = GAME.replace("edge(line, elm, fir, 5).", "")
    bare = write_game(tmp_path / "bare", game, PLAY, {})
    (bare / "positions").mkdir()
    (far,) = figures.forecast(start(bare, laid("")), "far").figures
    assert (str(far.name), far.value) == ("far(ash)", 0)


def test_positions_in_one_batch_keep_their_edges(rails: Path) -> None:
    """Each position of a batch has the answer that it has alone."""
    lines = ["", "ash: {fir: 1}", "ash: {birch: 1}, birch: {cedar: 3}", "ash: {birch: 2}"]
    several = [start(rails, laid(line)) for line in lines]
    assert [a.actions for a in legal_of(several)] == [
        legality.legal(each).actions for each in several
    ]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("edge(line, elm, fir, 5).", "edge(lime, elm, fir, 5).",
         "game.lp:16:1: in 'edge(lime, elm, fir, 5)' unknown graph 'lime'; did you mean 'line'?"),
        ("edge(line, elm, fir, 5).", "edge(line, elm, fit, 5).",
         "game.lp:16:1: in 'edge(line, elm, fit, 5)' 'fit' is not in the sort town; did you mean "
         "'fir'?"),
        ("edge(line, elm, fir, 5).", "edge(line, elm, fir, -1).",
         "wrong cost '-1' of an edge; expected a number of 0 or more"),
        ("graph(line, town).", "graph(line, twon).", "graph line uses an unknown sort 'twon'"),
        ("graph(line, L, S), holds", "graph(lime, L, S), holds",
         "play.lp:12:1: unknown graph 'lime'; did you mean 'line'?"),
        ("edge(line, P, Q, N, S)", "edge(line, P, fit, N, S)", "'fit' is not in the sort town"),
        ("@nearby(L", "@near(L", "@near"),
    ],
)  # fmt: skip
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
    assert rides(start(folder, laid("ash: {birch: 2}"))) == {"birch"}
    with pytest.raises(RulesetError, match="edge from ash to birch costs -1; expected 0 or more"):
        rides(start(folder, laid("ash: {birch: 1}")))


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
