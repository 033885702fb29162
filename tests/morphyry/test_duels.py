"""Random duels: nothing is lost on the way, and written down they come to the same end again."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pymorph.queries import legality, replay
from pymorph.state.position import Position
from pymorph.state.record import Record
from tests.conftest import ROOT
from tests.morphyry.duels import duels

FOLDER = ROOT / "examples" / "duel"
MOMENTS = {"earthhammer": 47, "spin": 87, "block": 145, "last_blow": 184}


CAMPAIGN = pytest.mark.campaign
LATER = [pytest.param(first, marks=CAMPAIGN) for first in range(4, 100, 4)]


@pytest.mark.parametrize("first", [0, *LATER])
def test_a_hundred_duels(first: int) -> None:
    """Four of a hundred: damage is soaked or passed on, cards stay, the dead do nothing more, and
    what was written down replays to the same position, byte for byte.

    By default four are played, with `-m campaign` the others.
    """
    played_again(range(first, first + 4), 24)


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


def test_the_example() -> None:
    """More than forty actions, and then one of the two is out; the files beside it are the
    positions that it comes to on the way.
    """
    record = Record.load(FOLDER / "duel.yaml")
    reached: dict[int, Position] = {}
    found = replay.replay(record, on_step=lambda n, _, after: reached.update({n: after.position}))
    assert found.stop is None
    assert found.steps >= 40
    for name, step in MOMENTS.items():
        assert reached[step] == Position.load(str(FOLDER / f"{name}.yaml")), name
    assert str(found.position.value("dead(baganal)")) == "yes"
    assert legality.legal_actions(found.position) == ()
