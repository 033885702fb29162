"""How games end, against programs that know it: games played at random, to the end."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import chess
import pytest

from pymorph.adjudication import test_runner
from pymorph.dynamics import transitions
from pymorph.dynamics.asking.endings import outcome
from pymorph.errors import InputError
from pymorph.explore.sampling.simulation import simulate
from pymorph.state import test_case
from pymorph.state.position import Position
from pymorph.views.lines.simulation import shares_of
from tests import boards
from tests.conftest import EXAMPLES, ended, position_of, start_of
from tests.games import RULESETS, file_text
from tests.tables import parametrized, tables, tupled

GAMES = EXAMPLES / "rulesets"
SIDES = {True: "white", False: "black"}


def following(position: Position) -> tuple[tuple[Any, Position], ...]:
    return transitions.successors_of([position])[0]


def course(position: Position, seed: int) -> list[Position]:
    """The positions of a game that is played at random, to its end."""
    source = Random(seed)
    found = [position]
    while row := following(found[-1]):
        found.append(source.choice(row)[1])
    return found


# -- chess -----------------------------------------------------------------------------------------


def of_chess(board: chess.Board) -> str:
    """How a game has ended by itself, repetition left out."""
    found = board.outcome()
    if found is None or found.termination is chess.Termination.FIVEFOLD_REPETITION:
        return "open"
    return "drawn" if found.winner is None else SIDES[found.winner]


def chess_games(count: int, thin: bool) -> Iterator[chess.Board]:
    """The last three boards of games played at random; *thin* ones begin with few men."""
    for seed in range(count):
        source = Random(seed)
        board = chess.Board("4k3/8/8/2q5/5R2/8/8/4K3 w - - 0 1" if thin else chess.STARTING_FEN)
        row = []
        while of_chess(board) == "open":
            row.append(board.copy(stack=False))
            board.push(source.choice(list(board.legal_moves)))
        yield from [*row[-2:], board]


@pytest.mark.parametrize(("count", "thin"), [(6, False), (40, True)])
def test_chess(count: int, thin: bool) -> None:
    """Checkmate, stalemate, men that cannot mate, seventy-five moves: as `chess` has it."""
    boards_ = list(chess_games(count, thin))
    told = list(map(of_chess, boards_))
    assert {"open", "drawn"} <= set(told)
    assert thin or set(SIDES.values()) & set(told)
    assert list(map(ended, map(boards.of_board, boards_))) == told


# -- boards of plain programs ----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_connect_four(seed: int) -> None:
    """Who moved last has won, or the board is full and it is drawn; before that it is open."""
    games = boards.played(boards.ConnectFour(), seed)[0]
    last = games[-1]
    told = ("yellow", "red")[last.player] if last.over else "drawn"
    folder = str(GAMES / "connect_four")
    found = [ended(position_of({"ruleset": folder, **game.data()})) for game in games]
    assert found == ["open"] * (len(games) - 1) + [told]


@pytest.mark.parametrize("seed", range(3))
def test_breakthrough(seed: int) -> None:
    """Who moved last has won."""
    games = boards.played(boards.Breakthrough(), seed)[0]
    folder = str(GAMES / "breakthrough")
    found = [ended(position_of({"ruleset": folder, **game.data()})) for game in games[-3:]]
    assert found == ["open", "open", ("black", "white")[games[-1].player]]


@pytest.mark.parametrize("seed", range(4))
def test_othello(seed: int) -> None:
    """Each side's discs are its points, and more of them win; while one can play it is open."""
    *before, last = course(start_of("othello"), seed)
    discs = [str(v) for f, v in last.fluents.items() if str(f).startswith("disc(")]
    counts = {side: discs.count(side) for side in ("black", "white")}
    found = outcome(last)
    assert found is not None
    assert found.scores == counts
    most = [side for side, n in counts.items() if n == max(counts.values())]
    assert ended(last) == (most[0] if len(most) == 1 else "drawn")
    assert found.rules == ("oth_05", "oth_07")
    assert ended(before[-1]) == "open"


@pytest.mark.parametrize(("game", "games"), [("draughts", 2), ("nine_mens_morris", 1)])
def test_who_cannot_go_on_has_lost(game: str, games: int) -> None:
    """Whoever has the turn at the end has lost: with no move, or with two men."""
    for seed in range(games):
        *before, last = course(start_of(game), seed)
        other = {"white": "black", "black": "white"}[str(last.value("turn"))]
        assert [ended(before[-1]), ended(last)] == ["open", other]


SPIEL = tupled(tables(__name__)["spiel"])


def entered(state: Any, game: str, action: int) -> str:
    """What an action is called here."""
    side = SPIEL[game][1][state.current_player()]
    if game == "connect_four":
        return f"drop({side}, {'abcdefg'[action]})"
    if game == "othello":
        place = f"{'abcdefgh'[action % 8]}{action // 8 + 1}"
        return f"pass({side})" if action == 64 else f"place({side}, {place})"
    return f"put({side}, {'abc'[action % 3]}{action // 3 + 1})"


@pytest.mark.parametrize("game", SPIEL)
def test_open_spiel(game: str) -> None:
    """Games played at random are won by the same side, and drawn alike."""
    pyspiel = pytest.importorskip("pyspiel")
    folder, sides = SPIEL[game]
    for seed in range(5):
        source = Random(seed)
        state, at = pyspiel.load_game(game).new_initial_state(), start_of(folder)
        while not state.is_terminal():
            assert ended(at) == "open"
            action = source.choice(state.legal_actions())
            row = {str(name): after for name, after in following(at)}
            at = row[entered(state, game, action)]
            state.apply_action(action)
        first = state.returns()[0]
        assert ended(at) == ("drawn" if first == 0 else sides[first < 0])


# -- winners together, and none --------------------------------------------------------------------

SLIP = "{ruleset: ./picks, turn: anna}"


@pytest.fixture
def picks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(RULESETS / "picks", tmp_path / "picks")
    monkeypatch.chdir(tmp_path)
    return tmp_path


CASE = file_text("picks/case.yaml")


def faults(picks: Path, anna: str, bo: str, ends: str) -> list[str]:
    text = CASE.replace("ANNA", anna).replace("BO", bo).replace("ENDS", ends)
    try:
        (row,) = test_runner.faults_of(test_case.parse(text, "c.yaml", picks))
    except InputError as error:
        row = error.faults
    return [fault.message for fault in row]


@parametrized
def test_cases_tell_the_outcome(picks: Path, anna: str, bo: str, ends: str) -> None:
    assert faults(picks, anna, bo, ends) == []


@parametrized
def test_outcomes_that_are_wrong(picks: Path, ends: str, told: str) -> None:
    assert faults(picks, "high", "high", ends) == [told]


def test_no_rule_says_who_wins(picks: Path) -> None:
    """Where no rule tells of a winner, none is expected."""
    play = picks / "picks" / "encodings" / "play.lp"
    lines = play.read_text().splitlines()
    play.write_text("\n".join(line for line in lines if not line.startswith("wins(")))
    told = "outcome: no rule of Picks says who wins"
    assert faults(picks, "high", "low", "wins(anna)") == [told]


@pytest.mark.parametrize(("by", "games"), [("", 900), ({"bo": "aloft"}, 90)])
def test_outcomes_add_up(picks: Path, by: Any, games: int) -> None:
    """Each game that is over is counted once, by who has won together, compiled and not."""
    answer = simulate(Position.parse(SLIP), games, seed=2, by=by)
    assert answer.compiled == (not by)
    assert answer.finished == games == sum(each.share.games for each in answer.outcomes)
    found = {name: share.games for name, share in shares_of(answer, "outcomes")}
    together = {"anna and bo win", "bo wins", "nobody wins"}
    assert set(found) == (together if by else {*together, "anna wins", "a draw"})
    # Anna is away in one game of three, and then Bo does not pick; or Bo is in one of three.
    odds = {"nobody wins": (5, 9), "anna wins": (1, 9)} if not by else {"nobody wins": (1, 3)}
    for name, (part, whole) in odds.items():
        assert found[name] / games == pytest.approx(part / whole, abs=0.05 if not by else 0.15)


@pytest.mark.parametrize("game", ["connect_four", "othello", "breakthrough"])
def test_outcomes_add_up_in_games(game: str) -> None:
    answer = simulate(start_of(game), 200, seed=1)
    assert answer.finished == 200 == sum(each.share.games for each in answer.outcomes)
    assert all(each.drawn or each.winners for each in answer.outcomes)
