"""Chance as an actor: rolls that are due, given, made by dice, or all told with their odds."""

from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies

from pymorph.asp import solver
from pymorph.dynamics import transitions
from pymorph.dynamics.asking import chance
from pymorph.dynamics.results import Roll
from pymorph.errors import IllegalAction, InputError, RulesetError
from pymorph.explore.execution import application
from pymorph.explore.sampling import odds as queries_odds
from pymorph.questions import legality as queries_legality
from pymorph.state.position import Position
from pymorph.terms import Term, parse
from tests.conftest import Run, position_of
from tests.dice import PLAY, write_stall
from tests.tables import parametrized


@pytest.fixture(scope="session")
def stall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_stall(tmp_path_factory.mktemp("games") / "stall")


@pytest.fixture(scope="session")
def start(stall: Path) -> Position:
    """Anna and Bo have no points yet, it is Anna's turn, and Bo is bold."""
    return Position.load(stall / "positions" / "start.yaml")


@pytest.fixture
def file(stall: Path) -> str:
    return str(stall / "positions" / "start.yaml")


def other_play(tmp_path: Path, *changes: tuple[str, str]) -> Position:
    """The start of a game whose rules differ a little."""
    play = PLAY
    for old, new in changes:
        assert old in play
        play = play.replace(old, new)
    return Position.load(write_stall(tmp_path / "stall", play) / "positions" / "start.yaml")


def shown(terms: object) -> list[str]:
    assert isinstance(terms, (tuple, list))
    return [str(term) for term in terms]


# What is due


@parametrized
def test_flaws_of_a_ruleset(tmp_path: Path, old: str, new: str, said: str) -> None:
    flawed = other_play(tmp_path, (old, new))
    with pytest.raises(RulesetError) as error:
        application.apply(flawed, "throw(anna)", given=["roll(6)", "flip(plain)"])
    assert said in str(error.value)
    with pytest.raises(RulesetError):
        queries_odds.odds(flawed, "throw(anna)")


# Dice


def test_dice_make_what_is_not_given(start: Position) -> None:
    def sixes(roll: Roll) -> Term:
        return max(outcome for outcome, _ in roll.outcomes)

    outcome = application.apply(start, "duel(anna)", given=["roll(bo, 3)"], dice=sixes)
    assert shown(outcome.rolls) == [
        "roll(chance, bo, 3)", "roll(chance, anna, 6)", "flip(chance, anna, plain)",
    ]  # fmt: skip
    with pytest.raises(
        InputError, match=r"the dice show pass\(bo\), which is not an outcome of roll\("
    ):
        application.apply(start, "throw(anna)", dice=lambda _: parse("pass(bo)"))


def test_one_seed_makes_the_same_rolls(start: Position) -> None:
    def course(seed: str) -> list[str]:
        dice = chance.seeded(seed)
        return shown(application.apply(start, *["throw(anna)"] * 3, dice=dice).rolls)

    assert course("harvest") == course("harvest")
    assert len({tuple(course(f"seed {number}")) for number in range(20)}) > 15
    # What a seed makes is promised: records name seeds.
    assert course("harvest") == HARVEST


HARVEST = ["roll(chance, anna, 5)", "roll(chance, anna, 1)", "roll(chance, anna, 3)"]


def test_dice_fall_by_the_odds() -> None:
    """Of 6,000 throws of a coin that falls on gold one time in three, about 2,000 do."""
    gold, plain = parse("flip(chance, anna, gold)"), parse("flip(chance, anna, plain)")
    coin = Roll(parse("flip(chance, anna)"), ((gold, Fraction(1, 3)), (plain, Fraction(2, 3))), "r")
    dice = chance.seeded("fair")
    found = [dice(coin) for _ in range(6000)]
    assert 1850 < found.count(gold) < 2150
    assert set(found) == {gold, plain}


def test_rolls_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A coin that is flipped again whenever it shows its plain side, and always does."""
    again = other_play(tmp_path, ("does(flip(_, C, _), _, T).", "does(flip(_, C, gold), _, T).\n"
                       "adds(points(C), 1, plain, T, stall_03) :- does(flip(_, C, plain), _, T)."),
                       ("goal(M), N >= M", "goal(M), N >= M * 99"))  # fmt: skip
    monkeypatch.setattr(application, "MAX_ROLLS", 12)
    with pytest.raises(RulesetError, match=r"rolls never end: flip\(chance, anna\) is due"):
        application.apply(again, "throw(anna)", dice=lambda roll: roll.outcomes[-1][0])
    answer = queries_odds.odds(again, "throw(anna)")
    assert sum(branch.probability for branch in answer.branches) == 1
    [last] = [branch for branch in answer.branches if branch.pending]
    assert len(last.rolls) == 20
    assert last.probability == Fraction(1, 6) * Fraction(2, 3) ** 19


# All that may come


def by_hand(position: Position, action: str) -> dict[Position, Fraction]:
    """The odds of every end, by applying each outcome of each roll by itself."""
    found: dict[Position, Fraction] = defaultdict(Fraction)

    def follow(rolls: list[Term], share: Fraction) -> None:
        outcome = application.apply(position, action, given=rolls)
        if not outcome.pending:
            found[outcome.position] += share
        for roll in outcome.pending[:1]:
            for shown, odds in roll.outcomes:
                follow([*rolls, shown], share * odds)

    follow([], Fraction(1))
    return dict(found)


@pytest.mark.parametrize("action", ["pass(anna)", "throw(anna)", "duel(anna)", "throws(anna, 2)"])
def test_odds_are_those_of_each_way_by_itself(start: Position, action: str) -> None:
    answer = queries_odds.odds(start, action)
    found = {branch.position: branch.probability for branch in answer.branches}
    assert len(found) == len(answer.branches)
    assert found == by_hand(start, action)
    assert sum(found.values()) == 1


@settings(max_examples=10)
@given(
    strategies.fixed_dictionaries(
        {"points": strategies.sampled_from([0, 14, 17, 19]), "dice": strategies.integers(0, 1)},
        optional={"bold": strategies.just("on"), "coin": strategies.just("on")},
    ),
    strategies.sampled_from(["throw(anna)", "throws(anna, 2)", "pass(anna)", ""]),
)
def test_odds_of_any_start(stall: Path, anna: dict[str, object], action: str) -> None:
    data = {"ruleset": str(stall), "turn": "anna", "players": {"anna": anna, "bo": {}}}
    position = position_of(data)
    actions = [action] * bool(action)
    if actions and anna["points"] == 19 and anna["dice"]:  # whatever is rolled ends the game
        with pytest.raises(IllegalAction, match="stall_06"):
            queries_odds.odds(position, *actions)
        return
    answer = queries_odds.odds(position, *actions)
    assert sum(branch.probability for branch in answer.branches) == 1
    for branch in answer.branches:
        if branch.every and shown(branch.rest) != actions:
            rolls = [outcomes[-1] for outcomes in branch.rolls]
            outcome = application.apply(position, *actions, given=rolls)
            assert outcome.position == branch.position
            assert (outcome.changes, outcome.rest) == (branch.changes, branch.rest)
            assert set(branch.events) <= set(outcome.events)


def test_too_many_branches(start: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries_odds, "LIMITS", queries_odds.RollLimits(branches=40))
    assert len(queries_odds.odds(start, "throws(anna, 2)").branches) < 40
    with pytest.raises(InputError, match="the rolls have more than 40 outcomes"):
        queries_odds.odds(start, "duel(anna)")


def test_successors_stop_at_a_roll(start: Position) -> None:
    """Branching carries out what `apply` does where no roll is given."""
    thrown = application.apply(start, "throw(anna)").position
    six = application.apply(thrown, given=["roll(6)"]).position
    positions = [start, thrown, six]
    for position, found in zip(positions, transitions.successors_of(positions), strict=True):
        assert [action for action, _ in found] == list(queries_legality.legal_actions(position))
        for action, after in found:
            assert application.apply(position, action).position == after


def test_no_question_of_chance_without_chance(inn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in which nothing is rolled is not asked for rolls."""
    dinner = Position.load(inn / "positions" / "dinner.yaml")
    monkeypatch.setattr(solver, "solve", None)
    assert chance.rolls_due(dinner) == ()


# The command line


def test_roll_twice_with_one_seed(file: str, pymorph: Run) -> None:
    words = ("apply", file, "throws(anna, 4)", "--roll", "kettle")
    for more in ((), ("--json",), ("--line",)):
        first = pymorph(*words, *more)
        assert first[0] == 0
        assert pymorph(*words, *more) == first
    several = {pymorph("apply", file, "throws(anna, 4)", "--roll", n)[1] for n in range(6)}
    assert len(several) > 3
