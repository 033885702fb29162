"""Planning with cards: is the block up in time, what the policies do, and what bounds leave out."""

import pytest

from pymorph.explore.execution import application
from pymorph.explore.sampling.policies import policies
from pymorph.explore.search import planning, players
from pymorph.explore.search.planning import Plan
from pymorph.explore.search.players import AdversaryModel, NodeKey
from pymorph.questions import legality
from pymorph.state.claim import Bound
from pymorph.state.position import Position
from pymorph.terms import Term, parse
from tests.conftest import EXAMPLES, Run
from tests.tables import tables, with_campaign

POSITIONS = EXAMPLES / "positions"
IN_TIME = POSITIONS / "block_in_time.yaml"
TOO_LATE = POSITIONS / "block_too_late.yaml"
UP_FIRST = "before(paid_off(baganal, block_and_evade), paid_off(lathana, overhead_blow))"


def events_of(found: Plan) -> list[str]:
    return [str(event.event) for moment in found.timeline for event in moment.events]


def test_block_in_time() -> None:
    """G-115: with Electra 5 and no Ready owed, 3 points bring the block in the same turn."""
    position = Position.load(IN_TIME)
    found = planning.plan(position, UP_FIRST, "2 turns", by="baganal", against="goes_on")
    assert list(map(str, found.actions)) == tables(__name__)["block_in_time"]
    assert events_of(found)[-1] == "paid_off(baganal, main, block_and_evade)"
    assert planning.plan(position, UP_FIRST, "3", by="baganal", against="goes_on").found is False
    # Whatever she does, as it is still his turn.
    assert planning.plan(position, UP_FIRST, "4", by="baganal").decisions == 4


def test_block_too_late() -> None:
    """G-114: 11 ticks at 3 points a turn; her blow lands in her next turn, and he has no line."""
    position = Position.load(TOO_LATE)
    found = planning.plan(position, UP_FIRST, "2 turns", by="baganal", against="goes_on")
    assert (found.found, found.complete, found.actions) == (False, False, ())
    assert found.positions > 50
    assert found.rules == ("mor_game_05", "mor_tick_03")
    assert found.deadline is not None
    assert str(found.deadline.event) == "paid_off(lathana, main, overhead_blow)"
    assert [moment.step for moment in found.deadline.timeline if moment.ended] == [3]
    assert str(found.deadline.timeline[-1].action) == "advance(lathana, main, 4)"


@pytest.mark.campaign
def test_block_while_she_passes() -> None:
    """W-09, played on: with one tick uncovered the block comes in his next turn, and no sooner."""
    position = Position.load(POSITIONS / "right_cross_3.yaml")
    goal = "happens(paid_off(baganal, block_and_evade))"
    short = planning.plan(position, goal, "2 turns", by="baganal", against="passes")
    assert (short.found, short.complete, short.deadline) == (False, False, None)
    found = planning.plan(position, goal, "3 turns", by="baganal", against="passes")
    assert list(map(str, found.actions)) == tables(__name__)["block_while_she_passes"]
    assert [moment.step for moment in found.timeline if moment.ended] == [1, 4]


@with_campaign("most", [1], [2])
def test_bounds_change_no_answer(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """mor_tick_03: what cannot come yet, as the rules say, is not found where one looks either."""
    position = application.apply(
        Position.load(TOO_LATE), "invoke(baganal)", "next_phase(baganal)"
    ).position
    short = planning.plan(position, UP_FIRST, Bound(most, "turn"), by="baganal", against="goes_on")
    monkeypatch.setattr(players.Goal, "far_off", lambda _, nodes, period: [(0, "")] * len(nodes))
    whole = planning.plan(position, UP_FIRST, Bound(most, "turn"), by="baganal", against="goes_on")
    assert short.found is whole.found is False
    assert short.positions < whole.positions


def rote(position: Position, policy: str, steps: int) -> list[str]:
    """What lathana and baganal do in turn, if both follow the policy."""
    done = []
    for _ in range(steps):
        actions = legality.legal_actions(position)
        [actor] = {action.actor for action in actions if action.name in ("invoke", "next_phase")}
        other = {"baganal": "lathana", "lathana": "baganal"}[actor]
        sides = AdversaryModel(position, other, policy, "adversarial")
        [ways] = sides.ways([NodeKey(position)], [[action.symbol for action in actions]])
        [way] = [way for way in ways if not way.ours]
        done.append(str(Term(way.action)))
        position = application.apply(position, Term(way.action)).position
    return done


def test_passing() -> None:
    """mor_game_06: who passes invokes Speed, goes from phase to phase, and does nothing else."""
    assert rote(Position.load(TOO_LATE), "passes", 5) == tables(__name__)["passing"]


def test_going_on() -> None:
    """mor_tick_03, mor_int_09: the Readies first, or what is out, as far as the Speed goes."""
    assert rote(Position.load(TOO_LATE), "goes_on", 7) == tables(__name__)["going_on"]
    breaking_off = Position.load(POSITIONS / "right_cross_2.yaml")
    breaking_off = breaking_off.with_changes(
        {parse("speed_left(baganal)").symbol: parse("3").symbol}
    )
    assert rote(breaking_off, "goes_on", 3) == tables(__name__)["going_on_after_breaking_off"]


def test_going_on_with_what_is_planned() -> None:
    """mor_plan_05: what is planned follows as soon as the place is free."""
    position = Position.load(POSITIONS / "planned_next.yaml")
    assert rote(position, "goes_on", 3) == tables(__name__)["going_on_with_what_is_planned"]


def test_policies() -> None:
    """There are two, and each says what it does."""
    found = policies(Position.load(IN_TIME).ruleset)
    assert list(found) == ["goes_on", "passes"]
    assert all(text.endswith(".") for text in found.values())


def test_verb(pymorph: Run) -> None:
    """The timeline is told with its events, and where the turn ends; an unknown policy is named."""
    words = ["plan", TOO_LATE, "--goal", UP_FIRST, "--by", "baganal", "--within", "2 turns"]
    code, out, err = pymorph(*words, "--against", "goes_on")
    assert (code, err) == (1, "")
    assert "no line within 2 turns: proved over" in out
    assert "comes first, after 6 decisions if baganal only passes" in out
    assert "  -- end of the turn --" in out
    code, out, err = pymorph(*words, "--against", "go_on")
    assert (code, out) == (2, "")
    assert err == "pymorph: unknown policy 'go_on'; did you mean 'goes_on'?\n"
    code, out, err = pymorph(*words[:-1], "2 tuns")
    assert (code, out) == (2, "")
    assert "unknown unit 'tuns'; did you mean 'turns'?" in err
