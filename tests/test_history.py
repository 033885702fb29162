"""How often a position came up before: in a record, in play and in a session, and in no other."""

import pickle
from pathlib import Path

import pytest

from pymorph import Position, Record, RulesetError, Session, apply, legal, replay, why
from pymorph.dynamics.history import begun
from tests.conftest import Run
from tests.games import file_text, write_game

ROOT = Path(__file__).parent.parent

# A lamp is lit and put out, a shutter goes up and down, which counts while the lamp is lit, and a
# bell counts the strokes. The fourth time that all is as it was the game is over.
GAME = file_text("lamp/rules/game.lp")
PLAY = file_text("lamp/encodings/play.lp")


@pytest.fixture
def lamp(tmp_path: Path) -> Path:
    return write_game(tmp_path / "lamp", GAME, PLAY, {})


def started(folder: Path, *more: str) -> Position:
    return Position.parse("{" + ", ".join([f"ruleset: '{folder}'", *more]) + "}")


def test_counted_from_where_play_begins(lamp: Path) -> None:
    game = Session(started(lamp))
    assert game.position.occurred == 0
    counted = [game.push(f"{action}(anna)").position.occurred for action in ["press"] * 5]
    assert counted == [0, 1, 1, 2, 2]
    game.pop()
    assert game.position.occurred == 2
    assert game.push("press(anna)").position.occurred == 2
    game.push("press(anna)")
    assert game.is_over
    assert game.outcome is not None
    assert game.outcome.rules == ("lam_02",)


def test_what_sometimes_counts(lamp: Path) -> None:
    """The shutter counts where the lamp is lit, and is a clock where it is not."""
    game = Session(started(lamp))
    assert game.push("pull(anna)").position.occurred == 1
    assert game.push("press(anna)").position.occurred == 0
    assert game.push("pull(anna)").position.occurred == 0
    assert game.push("pull(anna)").position.occurred == 1


def test_a_position_alone(lamp: Path) -> None:
    """It is the first of its game for what comes by itself; what came before is not settled."""
    alone = started(lamp)
    assert alone.occurred is None
    assert legal(alone).over == ()
    found = why(alone, "claim(anna)")
    assert (found.legal, list(map(str, found.depends_on))) == (None, ["course"])
    played = apply(alone, "press(anna)", "press(anna)").position
    assert played.occurred == 1
    assert why(played, "claim(anna)").legal
    assert not why(apply(alone, "press(anna)").position, "claim(anna)").legal


def test_actions_that_are_played_together_end_a_game(lamp: Path) -> None:
    presses = ["press(anna)"] * 6
    assert legal(apply(started(lamp), *presses).position).over == ("lam_02",)
    one_by_one = started(lamp)
    for action in presses:
        one_by_one = apply(one_by_one, action).position
    assert one_by_one == apply(started(lamp), *presses).position


def test_a_record(lamp: Path, pymorph: Run) -> None:
    game = Session(started(lamp))
    for _ in range(6):
        game.push("press(anna)")
    file = lamp / "played.yaml"
    game.save(str(file))
    found = replay(Record.load(str(file)))
    assert (found.good, found.position.occurred) == (True, 3)
    assert found.ending is not None
    _, out, _ = pymorph("legal", file)
    assert "the game is over" in out
    code, out, _ = pymorph("replay", file, "--to", "5")
    assert code == 0
    assert "over" not in out


def test_it_goes_with_a_position_to_another_process(lamp: Path) -> None:
    played = apply(started(lamp), *["press(anna)"] * 6).position
    again = pickle.loads(pickle.dumps(played))
    assert again == played
    assert again.occurred == 3
    assert again != played.with_history(None)


def test_equal_until_it_came_up_before(lamp: Path) -> None:
    """A file has no history: what is read back is equal, but where the position came up before."""
    once = apply(started(lamp), "press(anna)").position
    assert Position.parse(once.yaml()) == once
    twice = apply(once, "press(anna)", "press(anna)").position
    assert Position.parse(twice.yaml()) != twice


def test_rules_that_ask_for_nothing() -> None:
    start = Position.load(ROOT / "examples/rulesets/tictactoe/positions/start.yaml")
    assert begun(start) is start
    assert Session(start).position.occurred is None


def test_what_is_due_by_itself(lamp: Path) -> None:
    """What is carried out without a choice cannot hang on it: that is told, and how to say it."""
    (lamp / "encodings/due.lp").write_text("forced(press(anna), S, lam_01) :- occurred(2, S).\n")
    with pytest.raises(RulesetError, match=r"forced steps.*over"):
        Session(started(lamp))


def test_count_and_plan_say_what_they_leave_out(lamp: Path, pymorph: Run) -> None:
    file = lamp / "start.yaml"
    file.write_text(started(lamp).yaml(lamp), "utf-8")
    _, out, _ = pymorph("count", file, "--depth", "2")
    assert out.startswith("left out: how often a position occurred before")
    _, out, _ = pymorph("plan", file, "--goal", "rung = 3", "--within", "2")
    assert "left out: how often a position occurred before" in out
    _, out, _ = pymorph("simulate", file, "--games", "2", "--most", "3")
    assert "left out: how often a position occurred before" in out
