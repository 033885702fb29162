"""Breakthrough, an example of a ruleset of one's own, against other programs."""

from random import Random

import pytest

from pymorph.errors import IllegalAction
from pymorph.explore.execution import application
from pymorph.explore.perft import counting
from pymorph.questions import consistency, explanation, legality
from pymorph.state.position import Position
from tests import boards
from tests.conftest import EXAMPLES, ended, position_of, rules
from tests.tables import parametrized

FOLDER = EXAMPLES / "rulesets" / "breakthrough"
START = FOLDER / "positions" / "start.yaml"
SEQUENCES = (22, 484, 11132, 256036, 6182818)
POSITIONS = (22, 484, 5544, 63504)


def position(turn: str, white: str, black: str) -> Position:
    """A position by the squares of both sides, as in ``"a2 b2"``."""
    men = {**dict.fromkeys(white.split(), "white"), **dict.fromkeys(black.split(), "black")}
    return position_of({"ruleset": str(FOLDER), "turn": turn, "men": men})


def of_game(game: boards.Breakthrough) -> Position:
    return position_of({"ruleset": str(FOLDER), **game.data()})


def legal(at: Position) -> list[str]:
    return [str(action) for action in legality.legal_actions(at)]


# -- the rules -------------------------------------------------------------------------------------


def test_brk_01_in_turn_and_with_an_own_man() -> None:
    """brk_01: white moves a man of its own; black's turn comes after that."""
    at = position("white", "d4", "e7")
    assert rules(at, "move(black, e7, ahead)") == ["brk_01"]
    assert rules(at, "move(white, e7, ahead)") == ["brk_01"]
    assert rules(at, "move(white, a1, ahead)") == ["brk_01"]
    after = application.apply(at, "move(white, d4, ahead)").position
    assert after == position("black", "d5", "e7")
    assert {action.actor for action in legality.legal_actions(after)} == {"black"}


def test_brk_02_one_step_forward() -> None:
    """brk_02: ahead, or diagonally; at the edge of the board there is one way less."""
    assert legal(position("white", "d4", "h8")) == [
        "move(white, d4, ahead)", "move(white, d4, left)", "move(white, d4, right)",
    ]  # fmt: skip
    at = position("white", "a4", "h8")
    assert legal(at) == ["move(white, a4, ahead)", "move(white, a4, right)"]
    assert rules(at, "move(white, a4, left)") == ["brk_02"]
    ways = {
        way: application.apply(at, f"move(white, a4, {way})").position for way in ("ahead", "right")
    }
    assert ways["ahead"] == position("black", "a5", "h8")
    assert ways["right"] == position("black", "b5", "h8")


def test_brk_02_black_sees_the_board_from_the_other_side() -> None:
    """brk_02: what is left for black is toward h, and its men go down."""
    at = position("black", "h1", "d4")
    assert application.apply(at, "move(black, d4, left)").position == position("white", "h1", "e3")
    assert application.apply(at, "move(black, d4, right)").position == position("white", "h1", "c3")


def test_brk_03_own_men_are_in_the_way() -> None:
    """brk_03: an own man bars the square, be it straight or diagonally ahead."""
    at = position("white", "d4 d5 e5", "h8")
    assert rules(at, "move(white, d4, ahead)") == rules(at, "move(white, d4, right)") == ["brk_03"]
    assert explanation.why(at, "move(white, d4, left)").legal


def test_brk_04_captures_are_diagonal() -> None:
    """brk_04: a man diagonally ahead is captured, one straight ahead is not."""
    at = position("white", "d4", "d5 e5")
    with pytest.raises(IllegalAction, match="brk_04"):
        application.apply(at, "move(white, d4, ahead)")
    outcome = application.apply(at, "move(white, d4, right)")
    assert outcome.position == position("black", "e5", "d5")
    assert [str(event.event) for event in outcome.events] == ["captured(black, e5)"]
    assert not application.apply(at, "move(white, d4, left)").events


@parametrized
def test_brk_05_breaking_through(turn: str, before: tuple[str, str], move: str, won: bool) -> None:
    """brk_05: on the farthest row a man has won, on the last but one it has not."""
    outcome = application.apply(position(turn, *before), move)
    assert ended(outcome.position) == (turn if won else "open")
    assert legality.legal(outcome.position).over == (("brk_05",) if won else ())
    assert bool(legal(outcome.position)) != won


@pytest.mark.parametrize(("black", "over"), [("e5", ("brk_06",)), ("e5 a7", ())])
def test_brk_06_nobody_left(black: str, over: tuple[str, ...]) -> None:
    """brk_06: with the last man the game is lost, with the last but one it goes on."""
    outcome = application.apply(position("white", "d4", black), "move(white, d4, right)")
    events = {str(event.event) for event in outcome.events}
    assert events == {"captured(black, e5)"}
    assert ended(outcome.position) == ("white" if over else "open")
    assert legality.legal(outcome.position).over == over


@parametrized
def test_brk_07_the_loser_to_move(
    turn: str, white: str, black: str, flaws: list[list[str]]
) -> None:
    """brk_07: when the game is over, whoever has won does not have the turn."""
    assert [
        [*flaw.rules] for flaw in consistency.check(position(turn, white, black)).flaws
    ] == flaws


# -- the numbers -----------------------------------------------------------------------------------


def test_numbers_of_sequences_and_positions() -> None:
    """So many sequences of each length; more lead to one position than there are moves in it."""
    found = counting.count(Position.load(START), 3)
    assert found.sequences == SEQUENCES[:3]
    assert [n for _, n in found.lengths[1].by_first] == [22] * 22
    found = counting.count(Position.load(START), 2, positions=True)
    assert tuple(each.positions for each in found.lengths) == POSITIONS[:2]


@pytest.mark.campaign
def test_numbers_further_on() -> None:
    found = counting.count(Position.load(START), 5)
    assert found.sequences == SEQUENCES


def test_numbers_of_a_plain_program() -> None:
    sequences, positions = boards.counts(boards.Breakthrough(), 3)
    assert (tuple(sequences), tuple(positions)) == (SEQUENCES[:3], POSITIONS[:3])


@pytest.mark.campaign
def test_numbers_of_a_plain_program_further_on() -> None:
    sequences, positions = boards.counts(boards.Breakthrough(), 5)
    assert (tuple(sequences), tuple(positions[:4])) == (SEQUENCES, POSITIONS)


def test_random_games_of_a_plain_program() -> None:
    """Whatever comes up in games played at random, the rules allow the same, and it comes to the
    same."""
    for seed in range(2):
        assert boards.agreed(boards.Breakthrough(), seed, of_game)


def test_numbers_of_few_men() -> None:
    """With few men left games end soon, in both ways; the numbers of sequences are alike."""
    for seed in range(3):
        games, _ = boards.played(boards.Breakthrough(), seed)
        game = boards.thinned(games[-len(games) // 3], seed, 3)
        sequences = [number for number in boards.counts(game, 4)[0] if number]
        assert list(counting.count(of_game(game), 4).sequences) == sequences


def test_numbers_of_open_spiel() -> None:
    """Another program's games, played at random: the same may be done, and they end together.

    There the first player goes down, so its rows are counted from the other end.
    """
    pyspiel = pytest.importorskip("pyspiel")
    source = Random(5)
    for _ in range(3):
        state = pyspiel.load_game("breakthrough").new_initial_state()
        game = boards.Breakthrough()
        games, told = [], []
        while True:
            allowed = [] if state.is_terminal() else state.legal_actions()
            names = {spelt(state.action_to_string(a), game.player): a for a in allowed}
            games.append(game)
            told.append(set(names))
            if not names:
                break
            name = source.choice(sorted(names))
            game = dict(game.moves())[name]
            state.apply_action(names[name])
        answers = legality.legal_actions_of(list(map(of_game, games)))
        assert [set(map(str, row)) for row in answers] == told


def spelt(move: str, player: int) -> str:
    """What is called ``b7a6`` there, by the first player, is `move(white, b2, left)` here."""
    columns = [boards.COLUMNS.index(move[0]), boards.COLUMNS.index(move[2])]
    right = (columns[1] - columns[0]) * (1, -1)[player]
    way = ("left", "ahead", "right")[right + 1]
    return f"move({('white', 'black')[player]}, {move[0]}{9 - int(move[1])}, {way})"
