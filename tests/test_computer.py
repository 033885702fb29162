"""Computer players: what each chooses, that it knows no more than its player, and how it plays."""

import pickle
import re
import shutil
from pathlib import Path

import pytest

from pymorph.errors import UnknownName
from pymorph.explore.execution.application import apply
from pymorph.explore.search.computer import Computers, computer_move, kinds_of
from pymorph.questions.legality import legal
from pymorph.state.position import Position
from pymorph.state.record import Record
from tests.conftest import Run, start_of
from tests.games import RULESETS, write_game
from tests.test_hidden_hands import written

HAND = "{{ruleset: {game}, turn: bob, led: oak, cards: {{ann: 1, bob: 2, cat: 2}}, place: {place}}}"
# Two deals that look alike to Bob.
DEALS = (
    "{oak(1): middle, oak(2): ann, elm(1): bob, elm(2): bob, oak(3): cat, elm(3): cat}",
    "{oak(1): middle, oak(3): ann, elm(1): bob, elm(2): bob, oak(2): cat, elm(3): cat}",
)


@pytest.fixture(scope="module")
def picks(tmp_path_factory: pytest.TempPathFactory) -> Position:
    """A game with a policy."""
    game = shutil.copytree(RULESETS / "picks", tmp_path_factory.mktemp("games") / "picks")
    return Position.parse(f"{{ruleset: {game}, turn: anna}}")


def test_at_random() -> None:
    """Each legal action is chosen in time; a seed chooses the same in every process."""
    start = start_of("tictactoe")
    chosen = {computer_move(start, "x", "random", seed=str(n)) for n in range(100)}
    assert chosen == set(map(str, start.legal_actions()))
    assert computer_move(start, "o", "random") is None
    again = pickle.loads(pickle.dumps((start, "x", "random", 1.0, "7")))
    assert computer_move(*again) == computer_move(start, "x", "random", seed="7")


def test_by_policy(picks: Position) -> None:
    """A policy's wish comes first; where it has none, any legal action is taken."""
    assert list(kinds_of(picks.ruleset)) == ["random", "aloft"]
    assert {computer_move(picks, "anna", "aloft") for _ in range(5)} == {"pick(anna, high)"}
    after = apply(picks, "pick(anna, low)").position
    assert computer_move(after, "bo", "aloft") == "pick(bo, high)"
    wishless = Position.parse(picks.line().replace("turn: anna", "pick: {anna: away}, turn: bo"))
    assert computer_move(wishless, "bo", "aloft") is None


def test_a_roll_is_nobodys_choice(stall: Path) -> None:
    start = Position.load(stall / "positions" / "start.yaml")
    seller = legal(start).actions[0].actor
    action = computer_move(start, seller, "random", seed="1")
    due = apply(start, str(action)).position
    assert legal(due).rolls
    for name in (seller, "chance"):
        assert computer_move(due, name, "random") is None


def test_it_knows_what_its_player_sees(tmp_path: Path) -> None:
    """fol_03: in two deals that look alike to Bob, the computer plays the same for him."""
    game = written(tmp_path)
    deals = [Position.parse(HAND.format(game=game, place=place)) for place in DEALS]
    for seed in map(str, range(8)):
        chosen = {computer_move(deal, "bob", "random", seed=seed) for deal in deals}
        assert len(chosen) == 1
        assert chosen <= {"play(bob, elm(1))", "play(bob, elm(2))"}
    assert computer_move(deals[0], "ann", "random") is None


def test_unknown_names(picks: Position) -> None:
    for name, how, told in (
        ("x", "rando", "unknown computer player 'rando'; did you mean 'random'?"),
        ("anna", "alof", "unknown computer player 'alof'; did you mean 'aloft'?"),
        ("ana", "random", "unknown viewer 'ana'; did you mean 'anna'?"),
    ):
        with pytest.raises(UnknownName, match=re.escape(told)):
            computer_move(picks, name, how)


# -- at a table ------------------------------------------------------------------------------------


def test_computers_alone(my_game: Path, pymorph: Run) -> None:
    """They play to the end, before anybody is asked."""
    seats = [f"--computer={name}=random" for name in ("anna", "bo")]
    code, out, err = pymorph("play", "my_game/positions/start.yaml", *seats, "--record", "r.yaml")
    assert (code, err) == (0, "")
    done = Record.load("r.yaml").steps
    assert out.count(" (computer)\n") == len(done)
    assert "the game is over" in out.replace("\n", " ")
    assert {move.action.partition("(")[0] for move in done} == {"take"}


SWITCHES = """
    ruleset(switches, "1.0.0", "Switches"). contract(2).
    document(rules, "Rules").
    rule(swi_01). title(swi_01, "Switches"). says(swi_01, "Each player turns its switch.").
    source(swi_01, rules, "1"). status(swi_01, stated).
    sort(player, listed). member(player, (anna; bo)).
    sort(flag, listed). member(flag, (on; off)).
    fluent(switch, (player,), flag, off).
    action(turn, (player,)).
"""
TURNING = """
    proposed(turn(C), S, swi_01) :- situation(S), member(player, C).
    sets(switch(C), on, T, swi_01) :- does(turn(C), S, T), not holds(switch(C), on, S).
    clears(switch(C), T, swi_01)   :- does(turn(C), S, T), holds(switch(C), on, S).
"""


def test_it_does_not_take_back_its_actions_for_ever(tmp_path: Path) -> None:
    """Where a person may act as well, a computer rests as soon as an action would lead back."""
    game = write_game(tmp_path / "switches", SWITCHES, TURNING, {})
    here = Position.parse(f"{{ruleset: {game}}}")
    seated = Computers(here, {"bo": "random"})
    assert seated.at_work(here, legal(here)) == (["bo"], True)
    for _ in range(2):
        here, done = followed(seated, here)
        assert done == ["turn(bo)"]
        here = apply(here, "turn(anna)").position
        seated.wake()
    seated.rest()
    assert followed(seated, here)[1] == []
    assert seated.did("turn(bo)", here)
    assert not seated.did("turn(anna)", here)


def followed(seated: Computers, here: Position) -> tuple[Position, list[str]]:
    """What the computer players do until a person has to act."""
    done: list[str] = []
    while (action := seated.move(here, legal(here))) is not None:
        here = apply(here, action).position
        done.append(str(action))
    return here, done
