"""Three evaluators agree: one by one, in batches, and compiled; on games and on random rulesets."""

import warnings
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings

from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics.bits.compiled import CompiledScene
from pymorph.errors import RulesetError, RulesetWarning
from pymorph.explore.perft.counting import count
from pymorph.state.position import Position
from tests.agreement import Said, Tally, compare, counted, counted_by_apply, explored, same_odds
from tests.conftest import EXAMPLES
from tests.dice import WITHOUT_TIES, write_stall
from tests.random_rulesets import CONSTRUCTS, RandomRuleset, rulesets
from tests.tables import tables, with_campaign

MOST = 60  # positions from each start
DEPTH = 3
MOST_ODDS = 3  # positions whose odds are looked at


@dataclass(slots=True)
class Survey:
    """How much was compared, and which constructs the rulesets had that could be compiled."""

    tally: Tally = field(default_factory=Tally)
    compiled: Counter[str] = field(default_factory=Counter)
    number: int = 0
    given_up: int = 0
    apart: int = 0


@pytest.fixture(scope="module")
def survey() -> Survey:
    return Survey()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where every ruleset is written, one over the other: what is the same is read once."""
    return tmp_path_factory.mktemp("random")


def survey_one(ruleset: RandomRuleset, folder: Path, survey: Survey) -> None:
    """Compare what is said of the positions of a ruleset."""
    survey.number += 1
    compiled = False
    for number, path in enumerate(ruleset.write(folder)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RulesetWarning)
            start = Position.load(path)
        try:
            scene = CompiledScene(start)
        except Uncompiled as error:
            event(f"grounded: {error}")
            continue
        compiled = True
        answers = explored(start, MOST)
        compare(scene, answers, 1, survey.tally)
        survey.apart += compare_readings(start, survey)
        one_by_one = counted(start, DEPTH, compiling=False)
        assert counted(start, DEPTH, compiling=True) == one_by_one
        survey.tally.counts += 1
        if "interrupted" in ruleset.constructs and not number:
            compare_interrupted(start, answers, survey.tally)
    if compiled:
        survey.compiled.update(ruleset.constructs)
        for construct in sorted(ruleset.constructs):
            event(f"compiled: {construct}")
    survey.given_up += not compiled


def compare_interrupted(start: Position, answers: dict[Position, Said], tally: Tally) -> None:
    """Hold counts and odds against each other and `apply`, where rolls may interrupt actions."""
    if None in answers.values():
        return  # the rules fail, and each question says so in its own place
    try:
        one_by_one = counted_by_apply(start, 2)
    except RulesetError:
        return
    assert list(count(start, 2).sequences) == one_by_one
    for position in list(answers)[:MOST_ODDS]:
        with suppress(RulesetError):
            tally.odds += same_odds(position)


def compare_readings(start: Position, survey: Survey) -> bool:
    """Hold positions under each ruling, side by side in one scene with the question left open,
    against what is said of each; does any of it hang on the ruling?"""
    try:
        scene = CompiledScene(start, questions=["doubt"])
    except Uncompiled as error:  # one option compiles, and both together do not
        event(f"not under all readings: {error}")
        survey.tally.refused += 1
        return False
    rows = [explored(start.with_rulings({"doubt": way}), MOST // 4) for way in ("left", "right")]
    compare(scene, rows[0] | rows[1], 0, survey.tally)
    left, right = ([said and said.actions.keys() for said in row.values()] for row in rows)
    return left != right


SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture)


@settings(max_examples=4, suppress_health_check=SLOW)
@given(ruleset=rulesets())
def test_some_random_rulesets(ruleset: RandomRuleset, folder: Path) -> None:
    survey_one(ruleset, folder, Survey())


@pytest.mark.campaign
@settings(max_examples=2000, suppress_health_check=SLOW)
@given(ruleset=rulesets())
def test_random_rulesets(ruleset: RandomRuleset, folder: Path, survey: Survey) -> None:
    survey_one(ruleset, folder, survey)


@pytest.mark.campaign
def test_how_much_was_compared(survey: Survey) -> None:
    """After the campaign above: each construct was met in rulesets that compile."""
    assert survey.tally.actions >= 50_000
    assert survey.tally.refused < survey.tally.positions / 100
    assert survey.given_up < survey.number / 5
    assert survey.apart > survey.number / 50
    assert survey.tally.interrupted > survey.number / 5
    assert survey.tally.odds > survey.number / 50
    assert set(CONSTRUCTS) <= survey.compiled.keys()


@with_campaign(
    "name", ["tictactoe/fork"], ["breakthrough/race", "connect_four/three", "othello/start"]
)
def test_games(name: str) -> None:
    game, position = name.split("/")
    start = Position.load(EXAMPLES / "rulesets" / game / "positions" / f"{position}.yaml")
    tally = Tally()
    compare(CompiledScene(start), explored(start, 30), 1, tally)
    assert tally.positions > 20
    assert (tally.errors, tally.refused) == (0, 0)
    assert counted(start, 2, compiling=True) == counted(start, 2, compiling=False)


TWICE = tables(__name__)["twice"]
CHANGING = tables(__name__)["changing"]
ALIKE = """
chance(flip(chance, C, side), 1, 2, S, stall_03) :- holds(coin(C), on, S), holds(bold(C), on, S).
"""


def test_two_rules_may_tell_the_same_odds(tmp_path: Path) -> None:
    start = Position.load(
        write_stall(tmp_path / "stall", WITHOUT_TIES + TWICE) / "positions/start.yaml"
    )
    tally = Tally()
    compare(CompiledScene(start), explored(start, 40), 2, tally)
    assert (tally.positions, tally.refused, tally.errors) == (40, 0, 0)


def test_odds_may_hang_on_the_position(tmp_path: Path) -> None:
    play = WITHOUT_TIES
    for head, condition in CHANGING:
        assert head in play
        play = play.replace(head, f"{head} {condition}")
    play += ALIKE.replace("side", "gold") + ALIKE.replace("side", "plain")
    start = Position.load(write_stall(tmp_path / "stall", play) / "positions/start.yaml")
    tally = Tally()
    scene = CompiledScene(start)
    answers = explored(start, 120)
    compare(scene, answers, 0, tally)
    odds = {frozenset(said.odds.values()) for said in answers.values() if said}
    assert {frozenset({Fraction(1, 2)}), frozenset({Fraction(1, 3), Fraction(2, 3)})} <= odds
    assert (tally.refused, tally.errors) == (0, 0)
