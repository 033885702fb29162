"""Plans in Phases of Play: can Ash fell Cole before the spell?"""

from functools import cache

import pytest

from pymorph.errors import UnknownName
from pymorph.explore.execution.application import apply
from pymorph.explore.search.planning import plan
from pymorph.state.claim import bound_of
from pymorph.state.position import Position
from pymorph.views.lines import lookahead as text
from tests.conftest import EXAMPLES
from tests.tables import parametrized, tables

PASSAGE = tables(__name__)["passage"]
FIRST = tables(__name__)["first"]  # fmt: skip
GOAL = "before(felled(cole), effect(cole, cast_spell))"


@cache
def second_segment(ash: int, cole: int) -> Position:
    """Cole has begun a spell in the first segment, and Ash has come near."""
    entered = (f"initiative(ash, {ash})", f"initiative(cole, {cole})")
    return apply(Position.parse(PASSAGE), *FIRST, *entered).position


def test_slow_caster_caught() -> None:
    """PHA-GC-30: Ash, who comes first, can fell Cole; if the dice are with him, it says."""
    found = plan(second_segment(14, 9), GOAL, by="ash")
    assert found.found
    assert str(found.actions[-1]) == "resolve(ash, felling)"
    rules = {event.rule for moment in found.timeline for event in moment.events}
    assert {"pha_reso_04", "pha_reso_08"} <= rules
    wished = "chance favours ash: resolve(ash, felling)"
    assert wished in found.assumed
    line = apply(second_segment(14, 9), *map(str, found.actions))
    assert str(line.position.value("vitality(cole)")) == "0"


def test_slow_caster_not_caught() -> None:
    """PHA-GC-31: with the higher Initiative the spell comes first, whatever Ash does."""
    found = plan(second_segment(9, 14), GOAL, by="ash")
    assert (found.found, found.complete) == (False, True)
    assert found.deadline is not None
    assert str(found.deadline.event) == "effect(cole, cast_spell)"
    assert not any("dice" in told for told in found.assumed)


def test_what_is_left_out() -> None:
    """Who turns changes nothing else: it is left out, but for a goal that speaks of it."""
    start = second_segment(14, 9)
    assert any(t.startswith("drop and turn are left out") for t in plan(start, GOAL).assumed)
    for goal in ("posture(ash) = lying", "happens(drops(ash))"):
        found = plan(start, goal, by="ash")
        assert str(found.actions[-1]) == "drop(ash)"
    assert plan(start, "facing(ash) = east", by="ash").decisions == 3
    assert plan(start, "legal(rise(ash))", by="ash").decisions == 3


def test_play_waits_for_an_entry() -> None:
    """pha_init_03: what comes after an entry of the master is not settled, and is no 'never'."""
    start = Position.load(EXAMPLES / "courtyard" / "start.yaml")
    found = plan(start, "happens(felled(cole))", by="ash")
    assert found.found is None
    assert found.stops == ("play waits for initiative(master, ash, score)",)
    assert text.plan(found)[1].startswith(
        "not settled: no line of 1 decision, some lines end early"
    )


@pytest.mark.campaign
@pytest.mark.parametrize("within", range(3, 8))
def test_leaving_out_changes_no_answer(within: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every drop and turn tried as well, the same is found."""
    for ash, cole in ((14, 9), (9, 14)):
        short = plan(second_segment(ash, cole), GOAL, f"{within} decisions", by="ash")
        monkeypatch.setattr("pymorph.explore.search.players.Goal.needless", lambda *_: False)
        whole = plan(second_segment(ash, cole), GOAL, f"{within} decisions", by="ash")
        monkeypatch.undo()
        assert (short.found, short.actions) == (whole.found, whole.actions)


def test_a_side_plays_for_a_goal() -> None:
    """PHA-GC-30: the heroes are those of their side, here Ash alone."""
    found = plan(second_segment(14, 9), GOAL, by="heroes")
    alone = plan(second_segment(14, 9), GOAL, by="ash")
    assert (found.found, found.by, found.actions) == (True, "heroes", alone.actions)
    with pytest.raises(UnknownName, match="unknown actor 'heros'"):
        plan(second_segment(14, 9), GOAL, by="heros")


@parametrized
def test_units_of_bounds(text: str, bound: list[int | str]) -> None:
    """A number of periods may be said in the singular and in the plural; half a word is neither."""
    ruleset = second_segment(14, 9).ruleset
    found = bound_of(ruleset, text)
    assert [found.most, found.unit] == bound
    with pytest.raises(UnknownName, match="unknown unit 'pas'"):
        bound_of(ruleset, "2 pas")
