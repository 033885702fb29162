"""Connect four, an example of a ruleset of one's own, against published numbers and programs."""

from random import Random

import pytest

from pymorph.errors import IllegalAction
from pymorph.explore.execution import application
from pymorph.explore.perft import counting
from pymorph.questions import consistency, explanation, legality
from pymorph.state.position import Position
from tests import boards
from tests.conftest import EXAMPLES, ended, position_of, rules
from tests.tables import parametrized, with_campaign

FOLDER = EXAMPLES / "rulesets" / "connect_four"
START = FOLDER / "positions" / "start.yaml"
SEQUENCES = (7, 49, 343, 2401, 16807, 117649, 823536, 5673234)
POSITIONS = (7, 49, 238, 1120, 4263, 16422, 54859, 184275)  # OEIS A212693, without the first


def position(turn: str = "red", **columns: str) -> Position:
    """A position by its columns, each from the bottom up, as in ``a="ry"``."""
    colours = {"r": "red", "y": "yellow"}
    discs = {f"{c}{n}": colours[d] for c, row in columns.items() for n, d in enumerate(row, 1)}
    return position_of({"ruleset": str(FOLDER), "turn": turn, "discs": discs})


def of_game(game: boards.ConnectFour) -> Position:
    return position_of({"ruleset": str(FOLDER), **game.data()})


def flaws(at: Position) -> list[str]:
    return sorted({rule for flaw in consistency.check(at).flaws for rule in flaw.rules})


# -- the rules -------------------------------------------------------------------------------------


def test_con_01_in_turn() -> None:
    """con_01: red begins as the file says; then it is for yellow, and not for red."""
    start = Position.load(START)
    assert rules(start, "drop(yellow, d)") == ["con_01"]
    after = application.apply(start, "drop(red, d)").position
    assert {action.actor for action in legality.legal_actions(after)} == {"yellow"}
    with pytest.raises(IllegalAction, match="con_01"):
        application.apply(after, "drop(red, d)")


def test_con_02_a_disc_falls() -> None:
    """con_02: into an empty column down to the floor, into another one onto the topmost disc."""
    at = position("red", d="ry")
    assert application.apply(at, "drop(red, c)").position == position("yellow", d="ry", c="r")
    assert application.apply(at, "drop(red, d)").position == position("yellow", d="ryr")


def test_con_03_a_full_column() -> None:
    """con_03: a sixth disc goes into a column, a seventh does not."""
    assert explanation.why(position("red", a="ryryr"), "drop(red, a)").legal
    assert rules(position("red", a="ryryry"), "drop(red, a)") == ["con_03"]


@parametrized
def test_con_04_four_in_a_row(columns: dict[str, str], last: str) -> None:
    """con_04: three are not enough; with a fourth, in whatever direction, the game is over."""
    three = position("red", **columns)
    assert len(legality.legal_actions(three)) == 7
    outcome = application.apply(three, f"drop(red, {last})")
    assert ended(outcome.position) == "red"
    assert legality.legal_actions(outcome.position) == ()
    assert rules(outcome.position, "drop(yellow, a)") == ["con_04"]


def test_con_04_three_and_another_colour() -> None:
    """con_04: four in a row of two colours are none, nor are three at the edge of the board."""
    at = position("red", e="r", f="r", g="r", d="y")
    assert legality.legal_actions(at)
    after = application.apply(at, "drop(red, d)")
    assert ended(after.position) == "open"
    assert legality.legal_actions(after.position)


LAST = {
    "a": "yryrrr", "b": "yryyyr", "c": "yryryr", "d": "ryryr", "e": "rrryrr", "f": "yyyryy",
    "g": "ryrryy",
}  # fmt: skip
FULL = {"a": "rryyrr", "b": "yyrryy", "c": "rryyrr", "d": "yyrryy", "e": "rryyrr", "f": "yyrryy"}


def test_con_05_a_full_board() -> None:
    """con_05: with one square left there is one thing to do, with none the game is drawn."""
    last = position("yellow", **FULL, g="rryyr")
    assert [str(action) for action in legality.legal_actions(last)] == ["drop(yellow, g)"]
    outcome = application.apply(last, "drop(yellow, g)")
    assert ended(outcome.position) == "drawn"
    assert legality.legal(outcome.position).over == ("con_05",)


def test_con_05_the_last_disc_wins() -> None:
    """con_05: a full board on which somebody has four in a row is no draw."""
    last = position("yellow", **LAST)
    assert ended(last) == "open"
    won = application.apply(last, "drop(yellow, d)").position
    assert (ended(won), legality.legal(won).over) == ("yellow", ("con_04",))


def test_con_06_no_disc_in_the_air() -> None:
    """con_06: a disc may stand on another or on the floor, and on nothing else."""
    data = {"ruleset": str(FOLDER), "turn": "red", "discs": {"a1": "red", "a2": "yellow"}}
    assert consistency.check(position_of(data)).consistent
    data["discs"] = {"a2": "red", "b1": "yellow"}
    [flaw] = consistency.check(position_of(data)).flaws
    assert (str(flaw.what), flaw.rules) == ("disc(a2)", ("con_06",))


def test_con_07_the_loser_to_move() -> None:
    """con_07: red has four in a row, so that it is for yellow, who may not."""
    assert flaws(position("yellow", a="rrrr", b="yyy")) == []
    assert flaws(position("red", a="rrrr", b="yyy", c="y")) == ["con_07"]
    assert flaws(position("red", a="rrr", b="yyy")) == []


def test_con_08_no_disc_too_many() -> None:
    """con_08: one disc ahead is the most, and then it is the other's turn; either may begin."""
    assert flaws(position("yellow", a="r")) == flaws(position("red", a="y")) == []
    assert flaws(position("yellow", a="ry")) == flaws(position("red", a="ry")) == []
    assert flaws(position("red", a="r")) == ["con_08"]
    assert flaws(position("yellow", a="rr", b="rry")) == ["con_08"]


def test_con_09_nobody_plays_on() -> None:
    """con_09: the last disc makes all fours, and nothing is on it."""
    assert flaws(position("yellow", a="rrrr", b="yyy")) == []
    assert flaws(position("yellow", a="rrrry", b="yyy")) == ["con_09"]
    seven = position("yellow", a="ryy", b="ryy", c="r", d="r", e="r", f="ryy", g="r")
    assert flaws(seven) == []
    assert flaws(position("yellow", a="rrrr", b="yyy", d="yyy", f="y", g="rrrr")) == ["con_09"]


# -- the numbers -----------------------------------------------------------------------------------


def test_numbers_of_sequences_and_positions() -> None:
    """As published: so many sequences of each length, and so many positions."""
    found = counting.count(Position.load(START), 5, positions=True)
    assert found.sequences == SEQUENCES[:5]
    assert tuple(each.positions for each in found.lengths) == POSITIONS[:5]
    assert found.positions == 1 + sum(POSITIONS[:5])


@pytest.mark.campaign
def test_numbers_further_on() -> None:
    """The first columns are full after six, the first games over after seven discs."""
    found = counting.count(Position.load(START), 8)
    assert found.sequences == SEQUENCES
    assert found.lengths[6].ended == 13032


@pytest.mark.campaign
def test_numbers_of_a_plain_program_further_on() -> None:
    sequences, positions = boards.counts(boards.ConnectFour(), 8)
    assert (tuple(sequences), tuple(positions)) == (SEQUENCES, POSITIONS)


def test_numbers_of_a_plain_program() -> None:
    sequences, positions = boards.counts(boards.ConnectFour(), 6)
    assert (tuple(sequences), tuple(positions)) == (SEQUENCES[:6], POSITIONS[:6])


def test_random_games_of_a_plain_program() -> None:
    """Whatever comes up in games played at random, the rules allow the same, and it comes to the
    same; and toward the end, the numbers of sequences are alike."""
    for seed in range(2):
        games = boards.agreed(boards.ConnectFour(), seed, of_game)
        found = counting.count(of_game(games[-6]), 5).sequences
        assert list(found) == [number for number in boards.counts(games[-6], 5)[0] if number]


@with_campaign("seeds", [range(8)], [range(8, 1000)])
def test_play_breaks_no_condition(seeds: range) -> None:
    """Whatever comes up in games played at random is a position of the game."""
    for seed in seeds:
        games, _ = boards.played(boards.ConnectFour(), seed)
        for game, found in zip(games, consistency.check_of(list(map(of_game, games))), strict=True):
            assert found.consistent, game


def test_numbers_of_open_spiel() -> None:
    """Another program's games, played at random: the same may be done, and they end together."""
    pyspiel = pytest.importorskip("pyspiel")
    source = Random(4)
    for _ in range(6):
        state = pyspiel.load_game("connect_four").new_initial_state()
        discs = dict.fromkeys("abcdefg", "")
        seen: list[tuple[Position, set[str]]] = []
        while True:
            turn = ("red", "yellow")[len("".join(discs.values())) % 2]
            allowed = [] if state.is_terminal() else state.legal_actions()
            told = {f"drop({turn}, {'abcdefg'[action]})" for action in allowed}
            seen.append((position(turn, **discs), told))
            if not allowed:
                break
            action = source.choice(allowed)
            discs["abcdefg"[action]] += turn[0]
            state.apply_action(action)
        answers = legality.legal_actions_of([at for at, _ in seen])
        assert [set(map(str, row)) for row in answers] == [told for _, told in seen]
