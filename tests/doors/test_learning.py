"""Learning environments: the libraries' own tests, OpenSpiel's games beside ours, the page."""

import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import chess
import numpy as np
import pytest

from pymorph.adapters import game_graph
from pymorph.adapters.game_graph import GameGraph, Nobody, graph_of
from pymorph.adapters.observations import Observations, observations_of
from pymorph.adapters.table import LIMITS, PlayerNumbers
from pymorph.errors import InputError, PymorphError, UnknownName
from tests import test_breakthrough, test_nine_mens_morris, test_outcome
from tests.conftest import ROOT, start_of
from tests.games import RULESETS
from tests.tables import parametrized
from tools import readme

pytestmark = pytest.mark.doors
pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test  # noqa: E402

from pymorph.adapters import open_spiel, pettingzoo  # noqa: E402

PAGE, HIDDEN_PAGE = "docs/howto/learning.md", "docs/howto/hidden.md"


def written(page: str, folder: Path) -> None:
    """Write the files of a page."""
    for match in readme.BLOCK.finditer(readme.read(page)):
        if match["how"] == "file":
            path = folder / match["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(match["text"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the games of two pages: one with chance, one with sealed bids."""
    path = tmp_path_factory.mktemp("games")
    written(PAGE, path)
    written(HIDDEN_PAGE, path)
    (path / "sealed/positions").mkdir()
    (path / "sealed/positions/start.yaml").write_text("ruleset: ../\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        yield path


GAMES = ["tictactoe", "connect_four", "./stairs", "./sealed"]


# -- the libraries' own tests ----------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.filterwarnings("ignore:.*:UserWarning")
def test_pettingzoo(folder: Path, game: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(pettingzoo.env(game), num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out
    seed_test(lambda: pettingzoo.env(game), num_cycles=40)


@pytest.mark.parametrize("game", [*GAMES, "othello"])
def test_random_games_of_open_spiel(folder: Path, game: str) -> None:
    """Clones, texts and vectors, what is written and read again: as OpenSpiel tests each game."""
    pyspiel.random_sim_test(open_spiel.game(game), num_sims=2, serialize=True, verbose=False)


def test_states_travel(folder: Path) -> None:
    """A state that was pickled goes on alike."""
    state = open_spiel.game("./stairs").new_initial_state()
    state.apply_action(2)
    other = pickle.loads(pickle.dumps(state))
    assert str(other) == str(state)
    assert other.chance_outcomes() == state.chance_outcomes() == [(0, 0.8), (1, 0.2)]
    assert pyspiel.load_game("pymorph(game=connect_four,length=7)").max_game_length() == 7


# -- the same games, by OpenSpiel ------------------------------------------------------------------


def chess_text(state: Any, action: int) -> str:
    """What a move of chess is called here."""
    move = chess.Board(str(state)).parse_san(state.action_to_string(action))
    side = ("black", "white")[state.current_player()]
    squares = f"{chess.square_name(move.from_square)}, {chess.square_name(move.to_square)}"
    if move.promotion:
        return f"promote({side}, {squares}, {chess.piece_name(move.promotion)})"
    return f"move({side}, {squares})"


def text_in(theirs: str) -> Callable[[Any, int], str]:
    """What the actions of one of OpenSpiel's games are called here."""
    if theirs == "breakthrough":
        spelt = test_breakthrough.spelt
        return lambda state, a: spelt(state.action_to_string(a), state.current_player())
    if theirs == "nine_mens_morris":
        return test_nine_mens_morris.spelt
    if theirs == "chess":
        return chess_text
    return lambda state, a: test_outcome.entered(state, theirs, a)


@parametrized
def test_games_of_open_spiel(
    ours: str, theirs: str, games: int, most: int, first: int, also: list[str]
) -> None:
    """In games at random, the same actions are legal and the returns are the same.

    *first* is the number that the player who begins has there; *also* are the actions that only
    our rules have: a draw has to be claimed (chs_17), where OpenSpiel ends the game by itself.
    """
    mine, spelt = open_spiel.game(ours), text_in(theirs)
    for seed in range(games):
        source = Random(seed)
        here, there = mine.new_initial_state(), pyspiel.load_game(theirs).new_initial_state()
        while not there.is_terminal() and there.move_number() < most:
            assert here.current_player() == there.current_player() ^ first
            numbers = {here.action_to_string(number): number for number in here.legal_actions()}
            texts = {spelt(there, action): action for action in there.legal_actions()}
            assert {text for text in numbers if text.split("(")[0] not in also} == set(texts)
            text = source.choice(sorted(texts))
            here.apply_action(numbers[text])
            there.apply_action(texts[text])
        if there.is_terminal() and there.move_number() < most:
            assert here.is_terminal()
            returns = there.returns()
            assert here.returns() == (returns[::-1] if first else returns)


def test_repetition_is_counted() -> None:
    """chs_17, chs_18: a draw can be claimed at the third time, and the fifth ends the game."""
    state, claims = open_spiel.game("chess").new_initial_state(), []
    for number in range(16):
        texts = {state.action_to_string(a): a for a in state.legal_actions()}
        claims.append(any(text.startswith("claim_draw") for text in texts))
        squares = ("g1, f3", "g8, f6", "f3, g1", "f6, g8")[number % 4]
        state.apply_action(texts[f"move({('white', 'black')[number % 2]}, {squares})"])
    assert claims.index(True) == 8
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


# -- players, actions, what they see ---------------------------------------------------------------


def test_sealed_bids(folder: Path) -> None:
    """One after the other bids in secret; nobody sees the bids of others before all are read."""
    game = open_spiel.game("./sealed")
    assert game.num_players() == 3
    state = game.new_initial_state()
    told = []
    for bid in (2, 0, 0):
        told.append([state.observation_string(player) for player in range(3)])
        state.apply_action(state.legal_actions()[bid])
    assert told[0] == ["{}"] * 3
    assert told[1] == ["{bid: {ann: 3}}", "{bid: {ann: hidden}}", "{bid: {ann: hidden}}"]
    assert state.returns() == [1.0, -0.5, -0.5]
    assert state.information_state_string(1).splitlines()[:4] == [
        "{}",
        "{bid: {ann: hidden}}",
        "seal(bob, 1)",
        "{bid: {ann: hidden, bob: 1}}",
    ]
    other = game.new_initial_state()
    for bid in (0, 0):
        other.apply_action(other.legal_actions()[bid])
    same = game.new_initial_state()
    for bid in (2, 0):
        same.apply_action(same.legal_actions()[bid])
    assert other.information_state_string(2) == same.information_state_string(2)
    assert other.information_state_string(0) != same.information_state_string(0)
    assert other.observation_tensor(2) == same.observation_tensor(2)
    assert other.observation_tensor(0) != same.observation_tensor(0)


def test_vectors_tell_states_apart() -> None:
    """Two nodes have the same vector only if they have the same position."""
    graph = graph_of("tictactoe")
    seen, nodes = observations_of(graph), [graph.start]
    for node in nodes:
        if len(nodes) > 800:
            break
        nodes += [graph.follow(node, number) for number in node.legal]
    nodes = list(dict.fromkeys(nodes))
    vectors = {seen.vector(node, 0).tobytes() for node in nodes}
    assert len(vectors) == len(nodes) > 300
    assert all(seen.vector(node, 1)[1] == 1 and seen.vector(node, 1)[0] == 0 for node in nodes)


def test_the_same_seed_rolls_the_same(folder: Path) -> None:
    def course(seed: int) -> list[str]:
        env = pettingzoo.GameEnv("./stairs")
        env.reset(seed=seed)
        lines = []
        while not any(env.terminations.values()):
            env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
            lines.append(env.render())
        assert sum(env.rewards.values()) == 0
        return lines

    assert course(3) == course(3)
    assert len({tuple(course(seed)) for seed in range(6)}) > 1


def test_a_long_game_is_cut_off() -> None:
    env = pettingzoo.GameEnv("tictactoe", length=2)
    env.reset()
    for _ in range(2):
        env.step(env.node.legal[0])
    assert set(env.truncations.values()) == {True} != set(env.terminations.values())
    state = open_spiel.game("tictactoe", length=2).new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


@parametrized
def test_rewards(winners: list[str], drawn: bool, rewards: list[float], players: list[str]) -> None:
    seats = PlayerNumbers(tuple(players), {name: number for number, name in enumerate(players)})
    assert list(seats.rewards(winners, drawn)) == pytest.approx(rewards)


def test_sides_are_players() -> None:
    """Where a side acts by several, all of them are one player."""
    players = PlayerNumbers.of(start_of("standoff"))
    assert players.names == ("red", "blue")
    assert players.number_of == {"red": 0, "blue": 1, "ann": 0, "bea": 0, "dan": 1, "col": 1}


def test_players_may_be_named() -> None:
    assert graph_of("connect_four").players.names == ("red", "yellow")
    assert graph_of("connect_four", "", ("yellow", "red")).start.player == 1
    assert graph_of("morphyry").players.names == ("baganal", "lathana")
    with pytest.raises(UnknownName, match="unknown player 'gren'"):
        graph_of("connect_four", "", ("gren", "red"))
    with pytest.raises(InputError, match="make yellow a player"):
        graph_of("connect_four", "", ("red",))


@pytest.mark.parametrize("compiled", [True, False])
def test_nodes_are_the_same_compiled_or_not(compiled: bool, monkeypatch: Any) -> None:
    """Numbers, turns and rewards do not depend on whether rules are compiled, nor on what is
    remembered."""
    expected = graph_of("tictactoe")
    monkeypatch.setattr(game_graph, "LIMITS", LIMITS._replace(nodes=3, ahead=1))
    make = game_graph.engine.dynamics_of
    monkeypatch.setattr(game_graph.engine, "dynamics_of", lambda position: make(position, compiled))
    graph, source = GameGraph(expected.position), Random(1)
    for _ in range(3):
        one, other = expected.start, graph.start
        while one.player != Nobody.OVER:
            assert (one.player, one.legal) == (other.player, other.legal)
            number = source.choice(one.legal)
            one, other = expected.follow(one, number), graph.follow(other, number)
            assert expected.at(one) == graph.at(other)
        assert other.rewards == one.rewards


@parametrized
def test_refused(game: str, told: str) -> None:
    """Each game that cannot be learnt says why in one line."""
    name = str(RULESETS / game[2:]) if game.startswith("./") else game
    with pytest.raises(PymorphError) as refused:
        open_spiel.game(name)
    assert re.fullmatch(told, str(refused.value))


def test_texts_where_there_are_no_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pymorph.adapters.observations.LIMITS", LIMITS._replace(values=20))
    seen = Observations(graph_of("tictactoe"))
    assert (seen.size, seen.refused) == (0, "its fluents have more than 20 values")
    assert seen.text(graph_of("tictactoe").start, 0) == "{turn: x}"


def test_the_page(folder: Path) -> None:
    """Each program of the page prints what the page shows, and the trained player wins."""
    shown = re.findall(
        r"<!-- file: (\w+\.py) -->.*?```text\n(.*?)```", readme.read(PAGE), re.DOTALL
    )
    assert len(shown) == 3
    for name, output in shown:
        command = [sys.executable, name]
        environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
        ran = subprocess.run(command, cwd=folder, env=environment, text=True, capture_output=True)
        assert ran.stdout == output, ran.stderr
