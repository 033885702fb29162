"""Random duels: nothing is lost on the way, and written down they come to the same end again."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import pytest

from pymorph.dynamics.outcomes import Outcome
from pymorph.dynamics.transitions import NodeExpander
from pymorph.explore.execution import application, replay
from pymorph.explore.search import players
from pymorph.questions import legality
from pymorph.state import claim
from pymorph.state.position import Position
from pymorph.state.record import Move, Record
from tests.conftest import ROOT
from tests.morphyry.duels import duels
from tests.tables import with_campaign

FOLDER = ROOT / "examples" / "duel"
DUEL = FOLDER / "duel.yaml"
MOMENTS = {"earthhammer": 47, "spin": 87, "block": 145, "last_blow": 184}


CAMPAIGN = pytest.mark.campaign
SOME, WHOLE = 70, pytest.param(None, marks=CAMPAIGN)  # steps of the example


@with_campaign("first, number", [(0, 1)], [(first, 4) for first in range(0, 100, 4)])
def test_a_hundred_duels(first: int, number: int) -> None:
    """Damage is soaked or passed on, cards stay, the dead do nothing more, and what was written
    down replays to the same position, byte for byte.

    By default two are played, with `-m campaign` a hundred.
    """
    played_again(range(first, first + number), 24 if number > 2 else 14)


@CAMPAIGN
@pytest.mark.parametrize("first", range(1000, 1100, 10))
def test_longer_duels(first: int) -> None:
    """A hundred more, to the end or to 200 decisions."""
    played_again(range(first, first + 10), 200)


def played_again(seeds: Sequence[int], length: int) -> None:
    records, faults = duels(seeds, length)
    assert not faults, "\n".join(faults[:5])
    for record in records:
        text = record.yaml()
        read = Record.parse(text)
        assert read.yaml() == text
        again = replay.replay(read)
        assert again.stop is None
        assert again.differs == ()
        assert record.result is not None
        assert again.position.line() == record.result.line()


@cache
def example(steps: int | None) -> tuple[replay.Replay, list[Position], list[tuple[str, ...]]]:
    """The example replayed, or some steps of it: what comes of it, the position before each step
    and after the last, and the events of each step.
    """
    record = Record.load(DUEL)
    before = [application.apply(record.position).position]
    events: list[tuple[str, ...]] = []

    def step(number: int, move: Move, outcome: Outcome) -> None:
        before.append(outcome.position)
        events.append(tuple(str(event.event) for event in outcome.events))

    return replay.replay(record, to=steps, on_step=step), before, events


@pytest.mark.parametrize("steps", [SOME, WHOLE])
def test_the_example(steps: int | None) -> None:
    """The files beside it are the positions that it comes to on the way; a page replays it all."""
    found, positions, _ = example(steps)
    assert found.stop is None
    for name, step in MOMENTS.items():
        if step < len(positions):
            assert positions[step] == Position.load(str(FOLDER / f"{name}.yaml")), name


def test_its_end() -> None:
    """With the last blow one of the two is out."""
    record = Record.load(DUEL)
    last = record.steps[MOMENTS["last_blow"] :]
    start = Position.load(str(FOLDER / "last_blow.yaml"))
    found = replay.replay(Record(start, last))
    assert found.stop is None
    assert str(found.position.value("dead(baganal)")) == "yes"
    assert legality.legal_actions(found.position) == ()


@pytest.mark.parametrize("steps", [SOME, WHOLE])
def test_bounds_of_plans(steps: int | None) -> None:
    """mor_tick_03, mor_game_05: no pay-off of the duel came sooner than the bounds allow."""
    _, before, events = example(steps)
    turns = [0]
    for one, other in pairwise(before):
        turns.append(turns[-1] + (one.value("turn") != other.value("turn")))
    paid_off = [(at, e) for at, row in enumerate(events) for e in row if e.startswith("paid_off(")]
    told = 0
    for at, event in paid_off:
        aim = players.Goal(before[0].ruleset, claim.parse(before[0], f"happens({event})"))
        recent = range(max(0, at - 20), at + 1, 1 if steps is None else 4)
        off = aim.far_off([(before[n], ()) for n in recent], "turn")
        assert all(more <= turns[at] - turns[n] for n, (more, _) in zip(recent, off, strict=True))
        told += sum(more for more, _ in off)
    assert len(paid_off) > (5 if steps is None else 1)
    assert told > (20 if steps is None else 5)


@with_campaign("first", [2], [8, 14])
def test_legs(first: int) -> None:
    """All carried out at once comes to the same as action by action, rolls and penalties too."""
    kept = example(SOME)[1][1:61][first::18]
    legs = NodeExpander(kept[0].ruleset).expand(kept)
    for position, row in zip(kept, legs, strict=True):
        assert {action: leg.after for action, leg in row.items()} == {
            action.symbol: application.apply(position, action).position
            for action in legality.legal_actions(position)
        }
