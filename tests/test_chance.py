"""Chance as an actor: rolls that are due, given, made by dice, or all told with their odds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies

from pymorph.asp import solver
from pymorph.dynamics import transitions
from pymorph.dynamics.asking import chance
from pymorph.dynamics.results import Roll
from pymorph.errors import IllegalAction, InputError, RulesetError, UnknownName
from pymorph.explore.execution import application
from pymorph.explore.sampling import odds as queries_odds
from pymorph.questions import explanation
from pymorph.questions import legality as queries_legality
from pymorph.state.position import Position
from pymorph.terms import Term, parse
from pymorph.views.lines import answers
from tests.conftest import position_of
from tests.dice import PLAY, write_stall
from tests.tables import parametrized, parametrized_and

Run = Callable[..., tuple[int, str, str]]


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


def points(position: Position) -> tuple[int | None, int | None]:
    return position.value("points(anna)").number, position.value("points(bo)").number


# What is due


def test_nothing_is_due_before_anybody_throws(start: Position) -> None:
    assert chance.rolls_due(start) == ()
    assert application.apply(start, "pass(anna)").pending == ()


def test_a_die_is_due_after_a_throw(start: Position) -> None:
    outcome = application.apply(start, "throw(anna)")
    [roll] = chance.rolls_due(outcome.position)
    assert outcome.pending == (roll,)
    assert outcome.rolls == ()
    assert (str(roll.what), roll.rule) == ("roll(chance, anna)", "stall_02")
    assert [(str(a), odds) for a, odds in roll.outcomes] == [
        (f"roll(chance, anna, {n})", Fraction(1, 6)) for n in range(1, 7)
    ]


def test_everything_else_waits_for_a_roll(start: Position) -> None:
    thrown = application.apply(start, "throw(anna)").position
    legality = queries_legality.legal(thrown)
    assert shown(legality.actions) == [f"roll(chance, anna, {n})" for n in range(1, 7)]
    assert legality.rolls == chance.rolls_due(thrown) == queries_legality.judge_all(thrown).rolls
    with pytest.raises(IllegalAction) as refused:
        application.apply(thrown, "pass(anna)")
    assert refused.value.rules == ("stall_02",)
    [reason] = explanation.why(thrown, "pass(anna)").reasons
    assert (reason.role, reason.rule.id) == ("delays", "stall_02")


def test_a_step_without_choice_waits_too(stall: Path) -> None:
    """Anna has enough points to close the stall, but her die is still in the air."""
    game = str(stall)
    data = {"ruleset": game, "turn": "anna", "players": {"anna": {"points": 20, "dice": 1}}}
    outcome = application.apply(position_of(data))
    assert outcome.steps == ()
    assert shown([roll.what for roll in outcome.pending]) == ["roll(chance, anna)"]
    rolled = application.apply(position_of(data), given=["roll(2)"])
    assert shown([step.action for step in rolled.steps]) == [
        "roll(chance, anna, 2)",
        "close(clock)",
    ]


def test_odds_that_do_not_add_up(tmp_path: Path) -> None:
    flawed = other_play(tmp_path, ("1, 6, S, stall_02", "1, 7, S, stall_02"))
    with pytest.raises(RulesetError) as error:
        application.apply(flawed, "throw(anna)")
    said = "the odds of the roll roll(chance, anna) (stall_02) add up to 6/7, not to 1"
    assert str(error.value) == said
    thrown = position_of(
        {"ruleset": flawed.ruleset.folders[0], "turn": "bo", "players": {"bo": {"dice": 1}}}
    )
    with pytest.raises(RulesetError, match=r"roll\(chance, bo\) .* add up to 6/7"):
        queries_legality.legal(thrown)


@parametrized
def test_flaws_of_a_ruleset(tmp_path: Path, old: str, new: str, said: str) -> None:
    flawed = other_play(tmp_path, (old, new))
    with pytest.raises(RulesetError) as error:
        application.apply(flawed, "throw(anna)", given=["roll(6)", "flip(plain)"])
    assert said in str(error.value)
    with pytest.raises(RulesetError):
        queries_odds.odds(flawed, "throw(anna)")


# Rolls that are given


def test_a_given_roll_is_taken(start: Position) -> None:
    outcome = application.apply(start, "throw(anna)", given=["roll(chance, anna, 4)"])
    assert shown(outcome.actions) == ["throw(anna)"]
    assert shown(outcome.rolls) == ["roll(chance, anna, 4)"]
    assert (points(outcome.position), outcome.pending) == ((4, 0), ())
    stepwise = application.apply(start, "throw(anna)", "roll(chance, anna, 4)")
    assert stepwise.position == outcome.position
    assert shown(stepwise.actions) == ["throw(anna)", "roll(chance, anna, 4)"]
    assert stepwise.rolls == ()


def test_a_roll_that_follows_a_roll(start: Position) -> None:
    """A six calls for the coin; the coin is taken though it was named before the six."""
    outcome = application.apply(
        start, "throw(anna)", given=["flip(gold)", parse("roll(chance, anna, 6)")]
    )
    assert shown(outcome.rolls) == ["roll(chance, anna, 6)", "flip(chance, anna, gold)"]
    assert points(outcome.position) == (11, 0)
    six = application.apply(start, "throw(anna)", given=["roll(6)"])
    assert shown([roll.what for roll in six.pending]) == ["flip(chance, anna)"]
    assert [odds for _, odds in six.pending[0].outcomes] == [Fraction(1, 3), Fraction(2, 3)]


def test_two_rolls_at_once_in_any_order(start: Position) -> None:
    rolls = ["roll(chance, bo, 2)", "roll(chance, anna, 5)"]
    one = application.apply(start, "duel(anna)", given=rolls)
    other = application.apply(start, "duel(anna)", given=rolls[::-1])
    assert one.position == other.position
    assert shown(one.rolls) == rolls
    assert points(one.position) == (5, 4)
    half = application.apply(start, "duel(anna)", given=rolls[:1])
    assert shown([roll.what for roll in half.pending]) == ["roll(chance, anna)"]
    assert application.apply(half.position, given=rolls[1:]).position == one.position


@parametrized_and(
    ("throw(anna)", [Term(parse("roll(chance, anna, 7)").symbol)], "expected 1 to 6"),
    ("throw(anna)", [parse("roll(anna)")], "unknown action 'roll(anna)'"),
)
def test_given_rolls_that_do_not_fit(
    start: Position, action: str, rolls: list[str], said: str
) -> None:
    with pytest.raises(InputError) as error:
        application.apply(start, action, given=rolls)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_one_line_for_each_roll_left_over(start: Position) -> None:
    with pytest.raises(InputError) as error:
        application.play_through(start, ["pass(anna)"], given=["roll(bo, 1)", "flip(gold)"])
    assert [fault.message for fault in error.value.faults] == [
        "no step calls for the given roll 'roll(bo, 1)'",
        "no step calls for the given roll 'flip(gold)'",
    ]


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


# Macros


def test_a_macro_stops_at_a_roll(start: Position) -> None:
    outcome = application.apply(start, "throws(anna, 3)")
    assert shown([step.action for step in outcome.steps]) == ["throw(anna)"]
    assert shown(outcome.rest) == ["throws(anna, 2)"]
    assert len(outcome.pending) == 1


def test_a_macro_goes_on_after_its_rolls(start: Position) -> None:
    outcome = application.apply(start, "throws(anna, 3)", given=["roll(2)", "roll(3)"])
    assert shown([step.action for step in outcome.steps]) == [
        "throw(anna)",
        "roll(chance, anna, 2)",
        "throw(anna)",
        "roll(chance, anna, 3)",
        "throw(anna)",
    ]
    assert (outcome.rest, len(outcome.pending)) == ((), 1)
    done = application.apply(start, "throws(anna, 3)", given=["roll(2)", "roll(3)", "roll(4)"])
    assert (points(done.position), done.rest, done.pending) == ((9, 0), (), ())


def test_a_roll_may_halt_a_macro(start: Position) -> None:
    """Bo is bold: a one ends what he wanted to do."""
    outcome = application.apply(start, "pass(anna)", "throws(bo, 3)", given=["roll(5)", "roll(1)"])
    assert shown(outcome.rest) == ["throw(bo)"]
    assert outcome.pending == ()
    assert outcome.steps[-1].halted


def test_a_macro_ends_where_the_game_does(stall: Path) -> None:
    data = {"ruleset": str(stall), "turn": "anna", "players": {"anna": {"points": 18}}}
    outcome = application.apply(position_of(data), "throws(anna, 2)", given=["roll(5)"])
    assert shown([step.action for step in outcome.steps])[-1] == "close(clock)"
    assert shown(outcome.rest) == ["throw(anna)"]
    assert str(outcome.position.value("winner")) == "anna"


# Figures behind a step


def test_figures_account_for_a_step(start: Position) -> None:
    """Bo is bold, so his stake of 2 is behind each of his rolls; a throw has nothing behind it."""
    outcome = application.apply(start, "duel(anna)", given=["roll(bo, 3)", "roll(anna, 3)"])
    told = [
        [(str(f.name), f.value, shown([e.item for e in f.entries])) for f in step.figures]
        for step in outcome.steps
    ]
    assert told == [
        [],
        [("stake(bo)", 2, ["bold", "player"])],
        [("stake(anna)", 1, ["player"])],
    ]
    data = outcome.json()["steps"]
    assert data[0]["figures"] == []
    assert data[1]["figures"] == [
        {"name": "stake(bo)", "value": 2, "unit": "points", "rules": [], "grounds": [], "entries": [
            {"item": "bold", "amount": 1, "rule": "stall_05"},
            {"item": "player", "amount": 1, "rule": "stall_05"}]},
    ]  # fmt: skip
    assert answers.step_lines(outcome.steps[1]) == [
        "roll(chance, bo, 3)",
        "  dice(bo):    1 -> 0  [stall_02]",
        "  points(bo):  0 -> 6  [stall_05]",
        "  stake(bo)  2 points  Bold 1 + Player 1 [stall_05]",
    ]


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


def test_rolls_to_the_same_position_are_one_branch(start: Position) -> None:
    """Two throws: 2 in one way, 3 in two, and so on; 7 also by a six whose coin shows plain."""
    answer = queries_odds.odds(start, "throw(anna)", "throw(anna)")
    assert shown(answer.actions) == ["throw(anna)", "throw(anna)"]
    chances = {points(b.position)[0]: (b.probability, b.every) for b in answer.branches}
    assert chances[2] == (Fraction(1, 36), True)
    assert chances[3] == (Fraction(2, 36), False)
    assert chances[7] == (Fraction(4, 36) + Fraction(2, 36) * Fraction(2, 3), False)
    [three] = [b for b in answer.branches if points(b.position)[0] == 3]
    both = ["roll(chance, anna, 1)", "roll(chance, anna, 2)"]
    assert [shown(outcomes) for outcomes in three.rolls] == [both, both]


def test_all_of_a_die_that_does_not_matter(tmp_path: Path) -> None:
    """Where only a six counts, one to five are one branch, by every one of them."""
    game = other_play(tmp_path, ("adds(points(C), N * K, pips,", "adds(points(C), N / 6, pips,"),
                      (", total(stake(C), K, S).", "."))  # fmt: skip
    few, *_ = answer = queries_odds.odds(game, "throw(anna)").branches
    assert (few.probability, few.every) == (Fraction(5, 6), True)
    assert [len(outcomes) for outcomes in few.rolls] == [5]
    assert few.changes == ()
    assert answers.odds(queries_odds.odds(game, "throw(anna)"))[2:4] == [
        " 5/6   83.33%  roll(chance, anna, 1..5)",
        "  nothing changes",
    ]
    assert len(answer) == 3
    duel = queries_odds.odds(game, "duel(anna)").branches[0]
    assert (duel.probability, duel.every) == (Fraction(25, 36), True)
    assert [len(outcomes) for outcomes in duel.rolls] == [5, 5]


def test_an_event_by_another_rule_in_each_branch(tmp_path: Path) -> None:
    """Odd and even pips bring the same event about by different rules: it happens in any case."""
    pips = "happens(shown(C), T, stall_0%d) :- does(roll(_, C, N), _, T), N \\ 2 = %d.\n"
    six = "happens(six(C), T, stall_03)"
    game = other_play(tmp_path, (six, pips % (2, 0) + pips % (4, 1) + six))
    answer = queries_odds.odds(game, "throw(anna)")
    assert {e.rule for e in answer.branches[0].events if str(e.event) == "shown(anna)"} == {
        "stall_04"
    }
    told = answers.odds(answer)
    always = told[told.index("in every outcome") :][:3]
    assert [" ".join(line.split()) for line in always[1:]] == [
        "event: shown(anna) [stall_04]",
        "event: shown(anna) [stall_02]",
    ]
    assert sum("shown(anna)" in line for line in told) == 2
    assert answer.of("shown(anna)") == 1


def test_an_event_by_several_rules_in_one_branch(tmp_path: Path) -> None:
    """Where pips count nothing, the ways of one branch are one: its event has the rules of all."""
    pips = "happens(shown(C), T, stall_0%d) :- does(roll(_, C, N), _, T), N \\ 2 = %d.\n"
    six = "happens(six(C), T, stall_03)"
    game = other_play(tmp_path, (six, pips % (2, 0) + pips % (4, 1) + six),
                      ("adds(points(C), N * K, pips,", "adds(points(C), N / 6, pips,"),
                      (", total(stake(C), K, S).", "."))  # fmt: skip
    few = queries_odds.odds(game, "throw(anna)").branches[0]
    assert {(str(e.event), e.rule) for e in few.events} == {
        ("shown(anna)", "stall_02"),
        ("shown(anna)", "stall_04"),
    }


def test_a_branch_says_that_the_game_is_over(stall: Path) -> None:
    """stall_06: with 18 points every throw but a one closes the stall."""
    data = {"ruleset": str(stall), "turn": "anna", "players": {"anna": {"points": 18}, "bo": {}}}
    answer = queries_odds.odds(position_of(data), "throw(anna)")
    over = [branch for branch in answer.branches if branch.outcome is not None]
    assert sum(branch.probability for branch in over) == Fraction(5, 6)
    ended = "  the game is over: nobody wins, Closing [stall_06]"
    assert answers.odds(answer).count(ended) == len(over)
    assert [b.json()["outcome"] is None for b in answer.branches].count(True) == 1


def test_an_action_that_only_some_branches_allow(stall: Path) -> None:
    """With 18 points the first throw may end the game; then the second is left undone."""
    data = {"ruleset": str(stall), "turn": "anna", "players": {"anna": {"points": 18}, "bo": {}}}
    answer = queries_odds.odds(position_of(data), "throw(anna)", "throw(anna)")
    assert sum(branch.probability for branch in answer.branches) == 1
    over = [branch for branch in answer.branches if shown(branch.rest) == ["throw(anna)"]]
    assert sum(branch.probability for branch in over) == Fraction(5, 6)
    with pytest.raises(IllegalAction) as refused:
        queries_odds.odds(position_of(data), "throw(bo)")
    assert refused.value.rules == ("stall_01",)
    with pytest.raises(UnknownName):
        queries_odds.odds(position_of(data), parse("throw(carl)"))


def test_too_many_branches(start: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries_odds, "MAX_BRANCHES", 40)
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
