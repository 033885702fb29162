"""Computer players: what each chooses, that it knows no more than its player, and how it plays."""

import pickle
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path
from random import Random

import pytest

from pymorph.errors import InputError, UnknownName
from pymorph.explore.execution.application import apply
from pymorph.explore.search.computer import (
    LIMITS,
    ComputerPlayer,
    Computers,
    computer_move,
    kinds_of,
    possible_worlds,
)
from pymorph.questions.consistency import as_seen_by, check
from pymorph.questions.legality import legal
from pymorph.state.position import Position
from pymorph.state.record import Record
from tests.conftest import EXAMPLES, Run, start_of, started
from tests.games import RULESETS, write_game
from tests.test_hidden_hands import FILE, PAGE, written

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
    assert list(kinds_of(picks.ruleset)) == ["random", "aloft", "search"]
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


# -- by search -------------------------------------------------------------------------------------


def test_it_wins_at_once() -> None:
    """Of a win at once and one in three actions, the search takes the first."""
    game = "{ruleset: tictactoe, turn: x, cells: {a1: x, b1: x, a2: o, b3: o, c3: o}}"
    for seed in "12":
        assert best(Position.parse(game), "x", seed) == "put(x, c1)"


def test_it_stops_a_loss() -> None:
    """With the next action, x would have a row."""
    for cells, stop in (("{a1: x, b1: x, b2: o}", "c1"), ("{a1: x, b2: x, b1: o}", "c3")):
        position = Position.parse(f"{{ruleset: tictactoe, turn: o, cells: {cells}}}")
        assert best(position, "o", "1") == f"put(o, {stop})"


def test_a_seed_and_a_number_of_games() -> None:
    start = start_of("connect_four")
    one, other = (best(start, "red", "3", games=40) for _ in range(2))
    assert one == other
    assert len({best(start, "red", seed, games=7) for seed in "1234"}) > 1


def test_it_never_loses_at_tictactoe() -> None:
    """Whoever begins: against random play, and against itself, where the game is drawn."""
    start = start_of("tictactoe")
    for number in range(2):
        for mine in "xo":
            assert played(start, {mine: SEARCH}, number)[0] in ([mine], ["drawn"])
    assert played(start, {"x": SEARCH, "o": SEARCH}, 3)[0] == ["drawn"]


@pytest.mark.parametrize(
    ("game", "players", "games", "number", "least"),
    [
        ("connect_four", ("red", "yellow"), 60, 20, 19),
        ("breakthrough", ("white", "black"), 40, 2, 2),
        ("othello", ("white",), 40, 1, 1),
    ],
)
def test_it_beats_random_play(
    game: str, players: tuple[str, ...], games: int, number: int, least: int
) -> None:
    """With so few games for each choice, in all but at most one of twenty."""
    won = 0
    for n in range(number):
        mine = players[n % len(players)]
        won += played(start_of(game), {mine: games}, n)[0] == [mine]
    assert won >= least


SEARCH = 800.0  # games of a search


def best(position: Position, name: str, seed: str, games: float = SEARCH) -> str:
    """What a search chooses that is limited by a number of games alone."""
    return str(ComputerPlayer.of(position, "search", 1e6, seed, games).choose(position, name))


def played(start: Position, searching: dict[str, float], number: int) -> tuple[list[str], int]:
    """How a game ends in which some players search, with so many games, and the others play at
    random; and how many actions it has."""
    here, actions = start, 0
    while not (answer := legal(here)).over and answer.actions:
        name = answer.actions[0].actor
        games = searching.get(name)
        how = "random" if games is None else "search"
        computer = ComputerPlayer.of(here, how, 1e6, f"{number} {actions}", games or 1)
        here, actions = apply(here, str(computer.choose(here, name))).position, actions + 1
    assert answer.outcome
    return [*map(str, answer.outcome.winners), *["drawn"] * answer.outcome.drawn], actions


GAMBLE = """
    ruleset(gamble, "1.0.0", "Gamble"). contract(2).
    document(rules, "Rules").
    rule(gam_01). title(gam_01, "A roll"). says(gam_01, "One of four wins, or three.").
    source(gam_01, rules, "1"). status(gam_01, stated).
    sort(player, listed). member(player, (anna; bo)).
    sort(chancer, listed). member(chancer, chance).
    sort(bet, listed). member(bet, (bold; careful)).
    sort(side, range(1, 4)).
    fluent(bet, (), bet, none).
    fluent(winner, (), player, none).
    action(choose, (player, bet)).
    action(roll, (chancer, side)).
"""
ROLLING = """
    done(S) :- holds(winner, _, S).
    proposed(choose(anna, B), S, gam_01) :- situation(S), member(bet, B), not holds(bet, _, S).
    forbidden(choose(C, B), S, gam_01) :- considered(choose(C, B), S), holds(bet, _, S).
    forbidden(choose(bo, B), S, gam_01) :- considered(choose(bo, B), S).
    sets(bet, B, T, gam_01) :- does(choose(_, B), _, T).
    chance(roll(chance, N), 1, 4, S, gam_01) :- holds(bet, _, S), not done(S), N = 1..4.
    least(bold, 4). least(careful, 2).
    sets(winner, anna, T, gam_01) :- does(roll(_, N), S, T), holds(bet, B, S), least(B, M), N >= M.
    sets(winner, bo, T, gam_01)   :- does(roll(_, N), S, T), holds(bet, B, S), least(B, M), N < M.
    over(S, gam_01)    :- done(S).
    wins(C, S, gam_01) :- holds(winner, C, S).
"""


def test_it_knows_the_odds(tmp_path: Path) -> None:
    game = write_game(tmp_path / "gamble", GAMBLE, ROLLING, {})
    start = Position.parse(f"{{ruleset: {game}}}")
    assert [best(start, "anna", seed, games=60) for seed in "123"] == ["choose(anna, careful)"] * 3


def test_a_search_knows_what_its_player_sees(tmp_path: Path) -> None:
    """seal_01: whatever the others have written, Cat writes the same."""
    text = PAGE.read_text(encoding="utf-8")
    for name, file in FILE.findall(text):
        if name.startswith("sealed/"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(file)
    game = tmp_path / "sealed"
    for seed in "12":
        chosen = set()
        for bids in ("{ann: 3, bob: 2}", "{ann: 1, bob: 1}", "{ann: 2, bob: 3}"):
            here = Position.parse(f"{{ruleset: {game}, bid: {bids}}}")
            chosen.add(best(here, "cat", seed, games=30))
        assert len(chosen) == 1


def test_worlds_that_look_alike(tmp_path: Path) -> None:
    """fol_03: all are valid, and look as the view does to Bob; they differ from each other."""
    game = written(tmp_path)
    deal = Position.parse(HAND.format(game=game, place=DEALS[0]))
    view = as_seen_by(deal, "bob")
    worlds = possible_worlds(view, Random("1"))
    assert len(worlds) == LIMITS.worlds
    assert {as_seen_by(world, "bob") for world in worlds} == {view}
    assert all(check(world).consistent for world in worlds)
    assert len(set(worlds)) > 1
    assert possible_worlds(deal, Random("1")) == [deal]


def test_no_goal(stall: Path) -> None:
    start = Position.load(stall / "positions" / "start.yaml")
    told = "no rule of The Dice Stall says who wins, so a search has no goal; choose random"
    with pytest.raises(InputError, match=re.escape(told)):
        computer_move(start, "anna", "search")


def test_the_time_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that moves when it is read; what takes long is not begun shortly before."""
    read, start = [0.0], start_of("tictactoe")
    computer = ComputerPlayer.of(start, "search:2", seed="1")

    def clock() -> float:
        read.append(read[-1] + 0.15)
        return read[-1]

    monkeypatch.setattr(time, "monotonic", clock)
    assert computer.choose(start, "x") in start.legal_actions()
    assert 1.5 < read[-1] < 2.5


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


def test_ctrl_c_while_it_thinks() -> None:
    """It ends at once, whatever is left of the time for the search."""
    start = EXAMPLES / "rulesets" / "connect_four" / "positions" / "start.yaml"
    process = started("play", start, "--computer", "red=search:600", stdin=subprocess.PIPE)
    assert process.stdout
    assert "turn red" in process.stdout.readline()
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 130


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
