"""Games at random: as often as they have to come out in one way or the other, compiled or not."""

import json
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pytest
from clingo import Symbol

from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics.bits.compiled import CompiledScene
from pymorph.dynamics.bitsliced import BitSliced
from pymorph.dynamics.engine import Engine
from pymorph.dynamics.grounded import Grounded
from pymorph.dynamics.protocol import Dynamics, Follow
from pymorph.dynamics.transitions import NodeExpander
from pymorph.errors import InputError
from pymorph.explore.sampling import game_statistics, simulation
from pymorph.explore.sampling.game_statistics import GameStatistics
from pymorph.explore.sampling.playouts import Playouts, play
from pymorph.explore.sampling.proportions import Share, difference, mean_difference, mean_of
from pymorph.explore.sampling.simulation import rules_at_work, simulate
from pymorph.ruleset.loader import load
from pymorph.state.position import Position
from pymorph.terms import order
from tests.conftest import EXAMPLES, Run
from tests.dice import WITHOUT_TIES, write_stall

TICTACTOE = EXAMPLES / "rulesets" / "tictactoe" / "positions" / "start.yaml"
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@cache
def chances(board: str = "." * 9, turn: str = "x") -> dict[tuple[str, int], Fraction]:
    """How likely random play is to end with a line of x or o, or with none, after so many marks."""
    for who in "xo":
        if any(all(board[at] == who for at in line) for line in LINES):
            return {(who, 9 - board.count(".")): Fraction(1)}
    free = [at for at, mark in enumerate(board) if mark == "."]
    found: Counter[tuple[str, int]] = Counter()
    for at in free:
        after = chances(board[:at] + turn + board[at + 1 :], "o" if turn == "x" else "x")
        for key, odds in after.items():
            found[key] += odds / len(free)
    return dict(found) if free else {("", 9): Fraction(1)}


def counted(engine: str, start: Position, games: int) -> GameStatistics:
    chosen = Engine(start)
    if engine == "compiled":
        chosen.compile()
    return play(chosen, start, (games, 7, 100))


def near(number: int, odds: float, games: int) -> bool:
    """Within four standard deviations."""
    return abs(number - odds * games) <= 4 * (games * odds * (1 - odds)) ** 0.5


@pytest.mark.parametrize(("engine", "games"), [("compiled", 20_000), ("grounded", 400)])
def test_as_often_as_it_has_to_be(engine: str, games: int) -> None:
    exact = chances()
    tally = counted(engine, Position.load(TICTACTOE), games)
    assert tally.finished == tally.games == games
    for length in range(5, 10):
        odds = float(sum(share for (_, n), share in exact.items() if n == length))
        assert near(tally.lengths[length], odds, games), length
    for who in "xo":
        odds = float(sum(share for (winner, _), share in exact.items() if winner == who))
        assert near(tally.over["ttt_03", who], odds, games), who
    assert tally.positions == tally.taken["put"] == sum(n * k for n, k in tally.lengths.items())
    assert tally.widths[0, 9] == games
    assert {number for _, number in tally.widths} == set(range(1, 10))
    assert tally.steps == dict.fromkeys(("ttt_01", "ttt_02"), tally.positions)
    assert tally.used["ttt_03"] == sum(tally.over["ttt_03", who] for who in "xo")


@pytest.mark.parametrize(("engine", "games"), [("compiled", 3_000), ("grounded", 60)])
def test_rolls_fall_by_their_odds(tmp_path: Path, engine: str, games: int) -> None:
    start = Position.load(write_stall(tmp_path / "stall", WITHOUT_TIES) / "positions/start.yaml")
    tally = counted(engine, start, games)
    rolls, flips = tally.taken["roll"], tally.taken["flip"]
    assert rolls > games
    sixes = tally.events
    assert {str(event) for event in sixes} == {"six(anna)", "six(bo)"}
    # Each six calls for one flip of the coin, unless it was called for already.
    assert flips / rolls == pytest.approx(1 / 6, abs=0.02 if engine == "compiled" else 0.06)
    assert not {"roll", "flip"} & tally.offered.keys()


def test_an_answer() -> None:
    start = Position.load(TICTACTOE)
    answer = simulate(start, 50, seed=3)
    assert answer.compiled
    assert answer == simulate(start, 50, seed=3)
    assert answer != simulate(start, 50, seed=4)
    cut = simulate(start, 50, seed=3, most=5)
    assert 0 < cut.finished < 50
    assert {length for length, _ in cut.lengths} == {5}
    with pytest.raises(InputError, match="1 or more"):
        simulate(start, 0)
    with pytest.raises(InputError, match="has no policies"):
        simulate(start, 1, by="boldly")


def test_shares() -> None:
    low, high = Share("won", 50, 100).interval
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    assert Share("won", 0, 100).interval[0] == 0.0
    assert Share("won", 100, 100).interval[1] == pytest.approx(1.0)


def test_differences() -> None:
    """The example of Newcombe, 1998: 56 of 70 against 48 of 80."""
    found = difference(Share("", 48, 80), Share("", 56, 70))
    assert (round(found.least, 4), round(found.most, 4)) == (0.0524, 0.3339)
    assert found.beyond_chance
    assert not difference(Share("", 5, 10), Share("", 6, 10)).beyond_chance
    assert not difference(Share("", 0, 0), Share("", 6, 10)).beyond_chance
    few, many = mean_of([(1, 50), (3, 50)]), mean_of([(2, 50), (4, 50)])
    assert (few.mean, many.mean) == (2, 3)
    longer = mean_difference(few, many)
    assert longer
    assert longer.beyond_chance
    assert mean_difference(mean_of([]), many) is None


@pytest.mark.parametrize(
    ("game", "length"), [("tictactoe", 9), ("connect_four", 8), ("breakthrough", 2), ("stall", 12)]
)
def test_rules_at_work_compiled_and_not(tmp_path: Path, game: str, length: int) -> None:
    """Each action that can be taken on a way at random, by the compiled rules and by the others."""
    folder = EXAMPLES / "rulesets" / game
    if game == "stall":
        folder = write_stall(tmp_path / "stall", WITHOUT_TIES)
    position = Position.load(folder / "positions" / "start.yaml")
    source, expander = random.Random(3), NodeExpander(position.ruleset)
    both = BitSliced(CompiledScene(position)), Grounded(position)
    for _ in range(length):
        legs = expander.expand([position])[0]
        if not legs:
            break
        for action in legs:
            compiled, grounded = (_rules_of(each, position, action) for each in both)
            assert compiled == grounded, action
        position = legs[source.choice(sorted(legs, key=order))].after


@pytest.mark.parametrize(
    ("game", "rule", "only_forbids"),
    [
        ("chess", "chs_17", "chs_10"),
        ("morphyry", "mor_break_07", "mor_arm_02"),
        ("quick_start_skirmish", "qsr_chk_02", "qsr_aoe_03"),
    ],
)
def test_rules_that_another_predicate_gives(game: str, rule: str, only_forbids: str) -> None:
    """A rule may have an effect also where `sets` takes its id from another atom."""
    at_work = rules_at_work(load(game), veiled=False)
    assert rule in at_work
    assert only_forbids not in at_work


def _rules_of(dynamics: Dynamics, position: Position, action: Symbol) -> Counter[str]:
    """In how many single steps each rule has an effect."""
    tally, rows = GameStatistics(), dynamics.encode([position])
    moves, chosen = dynamics.states(rows).legal(Follow.ONE), [(dynamics.actions.number(action), 1)]
    Playouts(dynamics, rows, lambda *_: chosen, tally).note(chosen, moves.step(chosen))
    return tally.steps


def test_against_a_revision(pymorph: Run, tmp_path: Path) -> None:
    """A row of three is enough since then."""
    copy = tmp_path / "three"
    shutil.copytree(EXAMPLES / "rulesets" / "tictactoe", copy)
    names = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "As it was")):
        subprocess.run(["git", *names, *words], cwd=copy, check=True, capture_output=True)
    play = next((copy / "encodings").glob("*.lp"))
    play.write_text(play.read_text().replace("toward((east; north;", "toward((east;"))
    words = ["simulate", copy / "positions" / "start.yaml", "--games", "300", "--against"]
    code, out, err = pymorph(*words, "HEAD")
    assert (code, err) == (0, "")
    assert "tictactoe here" in out
    assert "tictactoe at HEAD" in out
    assert "beyond chance" in out
    assert pymorph(*words, "HEAD~7")[2].startswith("pymorph: unknown ruleset or revision 'HEAD~7'")


@pytest.mark.parametrize("engine", ["compiled", "plain"])
def test_what_was_seen_when_the_time_is_up(
    engine: str, pymorph: Run, monkeypatch: pytest.MonkeyPatch, time_is_up: Callable[[], NoReturn]
) -> None:
    """After some marks a few games are over; the others have begun, and it is partial."""
    monkeypatch.setattr(game_statistics, "EVERY", 0)
    if engine == "plain":
        monkeypatch.setattr(CompiledScene, "__init__", uncompiled)
    answer_of, kept = simulation.answer_of, []

    def slowly(*given: Any) -> simulation.Simulation:
        if len(kept) == 6:
            time_is_up()
        kept.append(answer_of(*given))
        return kept[-1]

    monkeypatch.setattr(simulation, "answer_of", slowly)
    words = ("simulate", TICTACTOE, "--games", "60", "--timeout", "50")
    code, out, err = pymorph(*words)
    assert (code, err) == (3, "")
    assert "\npartial: time limit reached; " in out
    last = kept[-1]
    assert (last.games, last.all_finished) == (60, False)
    assert 0 < last.finished < 60
    assert sum(each.share.games for each in last.outcomes) == last.finished
    kept.clear()
    assert json.loads(pymorph(*words, "--json")[1])["partial"] is True


def uncompiled(*_: object, **__: object) -> NoReturn:
    raise Uncompiled("it is to be played one by one")
