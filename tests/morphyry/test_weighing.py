"""What `why` adds of figures, and in which order `apply` tells what came about."""

from pymorph.explore.execution import application
from pymorph.questions import explanation
from pymorph.state.position import Position
from tests.conftest import EXAMPLES
from tests.tables import tables


def example(name: str) -> Position:
    return Position.load(str(EXAMPLES / "positions" / f"{name}.yaml"))


def test_the_call_on_the_way_weighs() -> None:
    """mor_call_01: to advance to the end of the spin brings its call, score 3 against 4."""
    answer = explanation.why(example("jump_and_spin"), "advance(baganal, 3)")
    figures = {str(figure.name): figure.value for figure in answer.figures}
    assert figures == {"score(baganal, spin)": 3, "difficulty(baganal, 2)": 4}


def test_a_call_beyond_it_does_not() -> None:
    """mor_call_04: a tick short of the line there is no call; on entry it comes with the first."""
    position = example("jump_and_spin")
    assert explanation.why(position, "advance(baganal, 2)").figures == ()
    entering = position.with_rulings({"call_timing": "on_entry"})
    figures = explanation.why(entering, "advance(baganal, 1)").figures
    assert [str(figure.name) for figure in figures] == [
        "score(baganal, spin)",
        "difficulty(baganal, 2)",
    ]


def test_a_hit_is_told_as_it_happens() -> None:
    """Calls, pay-off, hit, damage dealt, soaked and suffered, and what has to be rolled for."""
    outcome = application.apply(example("spear_against_mail"), "advance(lathana, 3)")
    names = list(dict.fromkeys(event.event.name for event in outcome.events))
    assert names == tables(__name__)["a_hit_as_it_happens"]


def test_the_ledger_of_a_hit() -> None:
    """A blow item by item: 11 is Power and the Blow; the mail takes 3 of 4 Wound."""
    outcome = application.apply(example("spear_against_mail"), "advance(lathana, 3)")
    (step,) = outcome.steps
    ledgers = {
        str(figure.name): (figure.value, {str(e.item): e.amount for e in figure.entries})
        for figure in step.figures
    }
    assert ledgers["damage(lathana)"] == (11, {"power": 4, "overhead_blow": 7})
    assert ledgers["dealt(lathana, wound)"] == (4, {"main(barbed_spear)": 4})
    assert ledgers["dealt(lathana, drain)"] == (2, {"special(barbed_spear)": 2})
    assert ledgers["dealt(lathana, crush)"] == (5, {"rest": 5})
    assert ledgers["left(lathana, wound)"] == (1, {"dealt": 4, "chain_mail_hauberk": -3})
    assert ledgers["left(lathana, crush)"] == (4, {"dealt": 5, "leather_jerkin": -1})
