"""Random legal play keeps every invariant; single and batch calls agree; reasons are exact."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pymorph.errors import IllegalAction, Unsettled
from pymorph.explore.execution import application
from pymorph.questions import legality
from pymorph.state import names
from pymorph.state.position import Position
from tests import exactness
from tests.conftest import EXAMPLES
from tests.morphyry import play
from tests.morphyry.worlds import worlds
from tests.tables import with_campaign

CAMPAIGN = pytest.mark.campaign
POSITIONS = sorted((EXAMPLES / "positions").glob("*.yaml"))
SEEDS = st.integers(0, 2**32 - 1)


def told(faults: list[str]) -> str:
    return "\n".join(faults[:5])


def test_one_step_keeps_every_invariant() -> None:
    start = Position.load(EXAMPLES / "positions" / "right_cross.yaml")
    actions, faults = play.cohort([start], 1, random.Random(0))
    assert (actions, faults) == (15, [])


@with_campaign("seed, number", [(0, 1)], [(seed, 40) for seed in range(4)])
def test_thousands_of_actions_keep_every_invariant(seed: int, number: int) -> None:
    """Well-formed positions stay so, no card is lost or doubled, all values are in range.

    Some hundreds by default; with those of `-m campaign` they are ten thousand and more.
    """
    actions, faults = play.cohort(worlds(seed, number), 9, random.Random(seed))
    assert not faults, told(faults)
    assert actions >= 60 * number


@settings(max_examples=1)
@given(SEEDS)
def test_batches_say_what_single_questions_say(seed: int) -> None:
    faults = play.faults_of_batches(worlds(seed, 2))
    assert not faults, told(faults)


@settings(max_examples=1)
@given(SEEDS)
def test_advancing_by_parts_is_advancing_by_the_sum(seed: int) -> None:
    faults = [
        f for world in worlds(seed, 2) for f in play.faults_of_sums(world, random.Random(seed))
    ]
    assert not faults, told(faults)


@settings(max_examples=1)
@given(SEEDS)
def test_apply_does_what_legal_offers_and_refuses_the_rest(seed: int) -> None:
    rng = random.Random(seed)
    position = worlds(seed, 1)[0]
    offered = set(legality.legal_actions(position))
    for action in offered:
        application.apply(position, action)
    for symbol in rng.sample(names.typed_actions(position), 10):
        action = legality.action_of(position, str(symbol).replace(",", ", "))
        if action in offered:
            continue
        with pytest.raises((IllegalAction, Unsettled)) as caught:
            application.apply(position, action)
        assert caught.value.rules


@with_campaign(
    "path, alike",
    [(POSITIONS[0], 2)],
    [(path, 8) for path in POSITIONS],
    ids=lambda value: getattr(value, "stem", None),
)
def test_reasons_are_exact_in_every_example(path: Path, alike: int) -> None:
    """Asked and proposed agree; excused from just the rules cited an action is legal.

    By default one example is tried, of two actions of a kind; with `-m campaign` all are.
    """
    faults = exactness.faults(Position.load(path), alike)
    assert not faults, told(faults)


@CAMPAIGN
@settings(max_examples=10)
@given(SEEDS)
def test_reasons_are_exact_in_random_positions(seed: int) -> None:
    faults = exactness.faults(worlds(seed, 1)[0], alike=2)
    assert not faults, told(faults)


@CAMPAIGN
@pytest.mark.parametrize("seed", range(100, 140))
def test_a_long_campaign(seed: int) -> None:
    """A hundred thousand actions and more, and exact reasons in four hundred positions."""
    rng = random.Random(seed)
    some = worlds(seed, 40)
    number, faults = play.cohort(some, 15, rng)
    faults += play.faults_of_batches(some[:10])
    for world in some[:10]:
        faults += play.faults_of_sums(world, rng)
        faults += exactness.faults(world, alike=0)
    assert not faults, told(faults)
    assert number > 2000
