"""The graph of a board, and that NetworkX is what answers range and reach on it."""

import subprocess
import sys
from types import ModuleType

import networkx as nx  # type: ignore[import-untyped]
import pytest
from clingo import Function, Number, Symbol, parse_term

from pymorph.board import graph, movement
from pymorph.board.geometry import Geometry
from pymorph.board.grid import Board

TERMS = [
    *map(parse_term, ("prices(2, 3, 1, 4, needed)", "bars((), (), (), (), (), never_blocked)"))
]
A1, B2, NORTH, NO_GATES = map(parse_term, ("a1", "b2", "north", "()"))


def drawn() -> Board:
    """Nine squares: a wall between two of them, and grass in opposite corners."""
    symbols = {".": "plain", "g": "grass"}
    return Board.from_drawing(". . g\n. . .\ng | . .\n", symbols, {"|": "wall"})


class Recorder(ModuleType):
    """NetworkX, which keeps a list of the functions that are used."""

    def __init__(self) -> None:
        super().__init__("networkx")
        self.used: list[str] = []

    def __getattr__(self, name: str) -> object:
        self.used.append(name)
        return getattr(nx, name)


def test_networkx_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reach, routes and connected pieces are its answers."""
    recorder = Recorder()
    for module in (graph, movement):
        monkeypatch.setattr(module, "nx", recorder)
    geometry = Geometry(drawn())
    geometry.reach(A1, NORTH, Number(4), *TERMS, NO_GATES)
    geometry.route(A1, NORTH, B2, *TERMS, NO_GATES)
    geometry.piece(Function("cell", [A1]), Function("grass"))
    asked = {name for name in recorder.used if "dijkstra" in name or "component" in name}
    assert asked >= {
        "single_source_dijkstra_path_length",
        "dijkstra_predecessor_and_distance",
        "node_connected_component",
    }


def test_the_graph_of_a_board() -> None:
    """Places and joins have their labels; line of sight and movement read the same edges."""
    board = drawn()
    places = board.graph
    assert [*places] == [*board.places]
    assert {frozenset(edge) for edge in places.edges} == {frozenset(pair) for pair in board.joins}
    assert places.nodes[A1] == {"labels": (Function("grass"),), "at": (0, 0)}
    assert places.edges[Function("b1"), A1] == {"labels": (Function("wall"),)}
    assert places.adj[A1] == board.joined[A1]
    with pytest.raises(nx.NetworkXError, match="Frozen"):
        places.remove_node(A1)
    changed = places.copy()
    changed.remove_node(A1)
    assert A1 in board.graph
    assert nx.has_path(changed, B2, Function("c3"))


def test_moves_are_made_when_they_are_looked_up() -> None:
    """A search makes the moves from what it reaches, and no others."""
    board = drawn()
    moves = movement.MovementGraph(board, *TERMS, NO_GATES, False)
    assert dict(moves.adj) == {}
    costs: list[tuple[Symbol, int]] = moves.costs(A1, 0, 2)
    assert [(str(place), cost) for place, cost in costs] == [("a1", 0), ("a2", 2)]
    assert len(moves.adj) == 2


def test_networkx_is_imported_only_where_a_path_is_asked_for() -> None:
    code = """
import sys
import pymorph
position = pymorph.Position.load("examples/rulesets/chess/positions/start.yaml")
assert pymorph.legal_actions(position) and "networkx" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
