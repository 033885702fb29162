"""Why did that happen? Events with their rules, figures and causes, worked out from the rules."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import pymorph as package
from pymorph import Position, Record, Session, UnknownName, why_event, why_event_in
from pymorph.asp.passes.provenance import recordings
from pymorph.cli import app
from pymorph.dynamics.outcomes import Happening, WhyEvent
from pymorph.errors import InputError
from pymorph.explore.execution.event_explanation import is_event
from pymorph.ruleset import loader, locations
from pymorph.state.record import Move
from pymorph.views.lines import happenings
from tests.conftest import EXAMPLES
from tests.games import file_text, write_game
from tests.tables import expected, parametrized

VENICE = EXAMPLES / "rulesets" / "diplomacy" / "positions" / "venice.yaml"
ROUND = EXAMPLES / "yard" / "round.yaml"
LEAVING = EXAMPLES / "yard" / "leaving.yaml"

GAME = file_text("ward/rules/game.lp")
PLAY = file_text("ward/encodings/play.lp")
START = file_text("ward/positions/start.yaml")
BLOW = ("strike(ada, bo)", "answer(bo, raise)")


@pytest.fixture
def ward(tmp_path: Path) -> Position:
    """A blow that just misses: force 3, guard 1 and two shields."""
    folder = write_game(tmp_path / "ward", GAME, PLAY, {"start.yaml": START})
    return Position.load(folder / "positions" / "start.yaml")


def where(found: WhyEvent) -> Happening:
    assert found.at is not None
    return found.at


def events(found: WhyEvent) -> list[str]:
    return [str(each.event) for each in found.causes]


def ledgers(found: WhyEvent) -> dict[str, list[tuple[str, int, str]]]:
    return {
        str(figure.name): [(str(e.item), e.amount, e.rule) for e in figure.entries]
        for figure in found.figures
    }


# What an event rests on


def test_a_support_that_was_cut() -> None:
    """The support of Tyrolia counts nothing, for Vienna has cut it: Venice is dislodged."""
    found = why_event(Position.load(VENICE), "dislodged(ven, tri)")
    assert str(where(found).step) == "resolve(judge)"
    assert [reason.rule.id for reason in found.reasons] == ["dip_11"]
    assert events(found) == ["moved(tri, ven)", "cut_off(tyr, vie)"]
    assert ledgers(found)["defence(ven)"] == [
        ("itself", 1, "dip_11"),
        ("support(tyr)", 0, "dip_14"),
    ]
    assert ledgers(found)["attack(tri)"] == [("itself", 1, "dip_11"), ("support(adr)", 1, "dip_07")]
    assert "defence(tyr)" not in ledgers(found)
    facts = {str(fact.fluent): str(fact.value) for fact in found.facts}
    assert facts["deed(vie)"] == "move"
    assert facts["aided(tyr)"] == "ven"


def test_a_support_that_holds() -> None:
    """With Vienna at home nothing is cut, and nobody is dislodged: that is what is missing."""
    position = Position.load(VENICE)
    held = package.apply(position, "hold(austria, vie)").position
    found = why_event(held, "dislodged(ven, tri)")
    assert found.happens is False
    assert [str(each.event) for each in found.instead] == []
    [unmet] = found.unmet
    assert (unmet.rule, [*map(str, unmet.missing)]) == ("dip_11", ["goes(tri)", "lost(ven)"])
    bounced = why_event(held, "bounced(tri)")
    assert ledgers(bounced)["defence(ven)"][1] == ("support(tyr)", 1, "dip_07")
    assert events(bounced) == []


def test_what_hangs_on_the_orders_of_others_depends() -> None:
    seen = package.as_seen_by(Position.load(VENICE), "italy")
    found = why_event(seen, "dislodged(ven, tri)")
    assert found.happens is None
    assert "deed(tri)" in map(str, found.depends_on)


def test_a_reaction_that_made_a_blow_miss() -> None:
    """It had hit by 16 against 15; a ward makes that 17."""
    record = Record.load(ROUND)
    found = why_event_in(replace(record, steps=record.steps[:14], result=None), "miss")
    assert where(found).settled
    assert (where(found).move, str(where(found).action)) == (14, "react(bram, shield_ward, bram)")
    assert events(found)[:2] == ["reacts(bram, shield_ward)", "declares(grub, hit)"]
    assert [each.move for each in found.causes] == [14, 13, 12]
    assert [(name, amount) for name, amount, _ in ledgers(found)["defence(bram)"]] == [
        ("guard", 2),
        ("own", 15),
    ]
    since = {str(fact.fluent): fact.move for fact in found.facts}
    assert (since["guard(0)"], since["score(0)"], since["defence(bram)"]) == (14, 13, None)
    assert [(str(each.event), each.move) for each in found.also] == [("miss(kara, snag)", 6)]


def test_rolls_are_given() -> None:
    """Of Kara's defence, 14, the roll is on either side; without it nothing is hit."""
    record = Record.load(LEAVING)
    found = why_event_in(record, "hit")
    assert not found.happens
    assert [*map(str, found.rolling)] == ["react(grub, parting_shot, kara)"]
    start = Session(record).position
    for roll, verb in ((14, "hit"), (13, "miss")):
        found = why_event(
            start, verb, "react(grub, parting_shot, kara)", given=[f"roll(chance, {roll})"]
        )
        assert str(where(found).step) == f"roll(chance, {roll})"
        assert "attacks(grub, kara)" in events(found)
    due = package.apply(start, "react(grub, parting_shot, kara)").position
    found = why_event(due, "hit")
    assert str(where(found).step) == "roll(chance, 14)"
    assert [str(each.step) for each in found.also] == [f"roll(chance, {n})" for n in range(15, 21)]
    found = why_event(due, "hit", given=["roll(chance, 15)"])
    assert str(where(found).step) == "roll(chance, 15)"
    assert where(found).action is None
    with pytest.raises(InputError, match="no step calls for the given roll"):
        why_event(start, "hit", given=["harm(chance, 3)"])


# A game made for it


def test_a_blow_that_misses_and_one_that_lands(ward: Position) -> None:
    found = why_event(ward, "misses", *BLOW)
    assert where(found).settled
    assert (str(where(found).step), str(where(found).action)) == (
        "settle(judge)",
        "answer(bo, raise)",
    )
    assert events(found) == ["answers(bo, raise)", "strikes(ada, bo)"]
    assert ledgers(found) == {
        "force(ada)": [("arm", 3, "ward_03"), ("charm", 0, "ward_04")],
        "guard(bo)": [("shields", 2, "ward_05"), ("skin", 1, "ward_05")],
    }
    facts = {str(fact.fluent): str(fact.step) for fact in found.facts}
    assert facts["answer(bo)"] == "answer(bo, raise)"
    assert facts["struck(bo)"] == "strike(ada, bo)"
    assert facts["shield(bo, left)"] == facts["shield(bo, right)"] == "None"
    lands = why_event(ward, "lands", "strike(ada, bo)", "answer(bo, bear)")
    assert lands.happens
    assert events(lands) == ["strikes(ada, bo)"]
    assert ledgers(lands)["guard(bo)"] == [("skin", 1, "ward_05")]


def test_moves_of_a_record(ward: Position) -> None:
    """The last blow that missed is told, or the last up to a move; what came before is named."""
    moves = tuple(map(Move, (*BLOW, *BLOW, "strike(ada, bo)", "answer(bo, bear)")))
    record = Record(ward, moves)
    found = why_event_in(record, "misses(ada, bo)")
    assert where(found).move == 4
    assert [each.move for each in found.also] == [2]
    assert [each.move for each in found.causes] == [4, 3]
    assert {str(fact.fluent): fact.move for fact in found.facts}["struck(bo)"] == 3
    earlier = why_event_in(record, "misses(ada, bo)", 3)
    assert where(earlier).move == 2
    assert not earlier.also
    with pytest.raises(InputError):
        why_event_in(record, "misses", 7)
    never = why_event_in(record, "misses(bo, ada)")
    assert not never.happens
    assert [each.move for each in never.instead] == [2, 4]


def test_what_a_record_does_not_have_is_looked_for_after_it(ward: Position) -> None:
    found = why_event_in(Record(ward, (Move("strike(ada, bo)"),)), "lands(ada, bo)")
    assert where(found).move is None
    assert str(found.at.action) == "answer(bo, bear)"


def test_forced_steps_that_are_due_are_looked_at_first(ward: Position) -> None:
    due = START.replace("  bo: {", "  bo: {struck: ada, answer: bear, ")
    found = why_event(Position.parse(due.replace("..", ward.ruleset.folders[0])), "lands(ada, bo)")
    assert where(found).settled
    assert where(found).action is None


def test_the_first_of_the_actions_that_bring_it_about(ward: Position) -> None:
    struck = package.apply(ward, "strike(ada, bo)").position
    found = why_event(struck, "answers(bo, _)")
    assert str(found.event) == "answers(bo, bear)"
    assert [(str(each.event), str(each.action)) for each in found.also] == [
        ("answers(bo, raise)", "answer(bo, raise)")
    ]


def test_what_was_missing_and_what_stood_against_it(ward: Position) -> None:
    found = why_event(ward, "bares(bo)", *BLOW)
    [unmet] = found.unmet
    assert (unmet.rule, unmet.missing) == ("ward_05", ())
    assert [*map(str, unmet.against)] == ["shielded(bo)"]
    bare = why_event(ward, "bares(ada)", *BLOW)
    assert [*map(str, bare.unmet[0].missing)] == ["blow(_, ada)"]
    other = why_event(ward, "misses(bo, ada)", *BLOW)
    assert [str(each.event) for each in other.instead] == ["misses(ada, bo)"]
    assert [*map(str, other.unmet[0].missing)] == ["blow(bo, ada)"]
    left_open = why_event(ward, "misses(_, ada)", *BLOW)
    assert [*map(str, left_open.unmet[0].missing)] == ["blow(_, ada)"]
    struck = why_event(ward, "strikes(ada, ada)", *BLOW)
    assert {str(told) for each in struck.unmet for told in each.missing} == {"strike(ada, ada)"}


def test_an_event_that_no_action_brings_about_now(ward: Position) -> None:
    """Before any blow nothing lands: how far it looked, what is missing, by which rule."""
    found = why_event(ward, "lands(ada, bo)")
    assert (found.happens, found.tried, found.over, found.later) == (False, 1, (), None)
    assert found.bringing == ("ward_03",)
    [unmet] = found.unmet
    assert [*map(str, unmet.missing)] == ["blow(ada, bo)"]
    told = happenings.why_event(found)
    assert told[0] == "it does not happen now: lands(ada, bo)"
    assert "legal now: 1 action; none causes it" in told[1]
    assert any('pymorph plan FILE --goal "happens(lands(ada,' in line for line in told)


def test_an_event_of_which_arguments_are_left_out(ward: Position) -> None:
    """What is left out may be anything, also in what is missing."""
    [unmet] = why_event(ward, "lands(ada)", "strike(ada, bo)").unmet
    assert (unmet.rule, [*map(str, unmet.missing)]) == ("ward_03", ["blow(ada, _)"])


POLICY = """
policy(meek, "Bears it, or else strikes.").
inclined(meek, answer(D, bear), 1, S, ward_02) :- present(D, S).
inclined(meek, strike(C, D), 2, S, ward_01) :- present(C, S), present(D, S).
"""


def test_an_event_that_comes_later(tmp_path: Path) -> None:
    """The blow lands two actions on, if all play by the policy; a miss never comes so."""
    folder = write_game(tmp_path / "ward", GAME, PLAY + POLICY, {"start.yaml": START})
    start = Position.load(folder / "positions" / "start.yaml")
    found = why_event(start, "lands(ada, bo)")
    assert found.happens is False
    assert found.later is not None
    assert [*map(str, found.later.actions)] == ["strike(ada, bo)", "answer(bo, bear)"]
    assert any("later, if all play by meek: lands(ada, bo)" in line
               for line in happenings.why_event(found))  # fmt: skip
    assert why_event(start, "misses(ada, bo)").later is None


def test_a_question_that_decides_nothing_is_not_named(tmp_path: Path) -> None:
    """A reading is told where another option keeps the event away, and not where it does not."""
    asked = """
question(hits). asks(hits, "Does a blow land?"). because(hits, "It is not said.").
option(hits, yes). means(hits, yes, "It lands."). option(hits, no). means(hits, no, "It fails.").
default(hits, yes).
"""
    open_ones = (
        PLAY
        + """
happens(sounds(C), T, ward_03) :- does(strike(C, _), S, T), reading(hits, yes, S).
happens(rings(C), T, ward_03) :- does(strike(C, _), S, T), reading(hits, O, S).
"""
    )
    folder = write_game(tmp_path / "ward", GAME + asked, open_ones, {"start.yaml": START})
    start = Position.load(folder / "positions" / "start.yaml")
    assert why_event(start, "sounds(ada)").readings == {"hits": "yes"}
    assert why_event(start, "rings(ada)").readings == {}


def test_what_is_told_of_what_a_rule_denies(tmp_path: Path) -> None:
    start = {"start.yaml": START.replace(", shield: {left: yes, right: yes}", "")}
    folder = write_game(tmp_path / "ward", GAME, PLAY, start)
    found = why_event(Position.load(folder / "positions" / "start.yaml"), "bares", *BLOW)
    assert [*map(str, found.without)] == ["shielded(bo)"]
    assert found.figures == ()


def test_the_figure_by_which_something_does_not_hold(ward: Position) -> None:
    """Bo stands, for his guard is not beaten: it is told, and what gave it."""
    found = why_event(ward, "stands", *BLOW)
    assert [*map(str, found.without)] == ["beaten(bo)"]
    assert ledgers(found) == {"guard(bo)": [("shields", 2, "ward_05"), ("skin", 1, "ward_05")]}
    assert "answers(bo, raise)" in events(found)


def test_a_comparison_that_does_not_come_out(ward: Position) -> None:
    """Nothing is missing for a blow that is too weak by one, and its figures are told."""
    found = why_event(ward, "lands(ada, bo)", *BLOW)
    [unmet] = found.unmet
    assert (unmet.missing, unmet.against) == ((), ())
    assert [(str(figure.name), figure.value) for figure in unmet.figures] == [
        ("force(ada)", 3),
        ("guard(bo)", 3),
    ]
    assert [str(each.event) for each in found.instead] == ["misses(ada, bo)", "strikes(ada, bo)"]


def test_an_event_or_an_action(ward: Position) -> None:
    ruleset = ward.ruleset
    assert is_event(ruleset, "misses(ada, bo)")
    assert is_event(ruleset, "mises(ada)")
    assert is_event(ruleset, "happens(misses(ada))")
    assert not is_event(ruleset, "strike(ada, bo)")
    assert not is_event(ruleset, "Strike(Ada, bo)")
    assert not is_event(ruleset, "strik(ada, bo)")
    assert not is_event(ruleset, "nonsense")
    with pytest.raises(UnknownName, match="unknown event 'mises'; did you mean 'misses'"):
        why_event(ward, "mises(ada)")
    with pytest.raises(
        UnknownName, match="unknown argument 'boo' of event misses; did you mean 'bo'"
    ):
        why_event(ward, "misses(boo)")


# From the command line


def test_from_the_command_line(
    ward: Position, pymorph: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    start = tmp_path / "ward" / "positions" / "start.yaml"
    after = [word for action in BLOW for word in ("--after", action)]
    code, text, _ = pymorph("why", start, "misses(ada, bo)", *after)
    assert code == app.Exit.YES
    assert text == (expected("happenings/from_the_command_line_1"))
    code, text, _ = pymorph("why", start, "lands(ada, bo)", *after)
    assert code == app.Exit.NO
    assert text == (expected("happenings/from_the_command_line_2"))
    code, text, _ = pymorph("why", start, "misses", *after, "--json")
    found = json.loads(text)
    assert found["at"]["step"] == "settle(judge)"
    assert found["happens"] is True
    assert found["figures"][0]["entries"][1] == {"item": "charm", "amount": 0, "rule": "ward_04"}
    code, text, _ = pymorph("why", start, "strike(ada, bo)")
    assert (code, text.splitlines()[0]) == (app.Exit.YES, "legal: strike(ada, bo)")
    for wrong in (["strike(ada, bo)", "--after", "strike(ada, bo)"], ["misses", "--to", "1"]):
        code, _, error = pymorph("why", start, *wrong)
        assert code == app.Exit.WRONG
        assert len(error.splitlines()) == 1


# The rules that record


@parametrized
def test_what_is_recorded(statement: str, recorded: list[str]) -> None:
    assert [*recordings(statement)] == [f"because_{rule}." for rule in recorded]


# Every game


@pytest.mark.campaign
@pytest.mark.parametrize("game", locations.shipped())
def test_every_event_of_random_play(game: str) -> None:
    """Whatever comes about is explained by a rule, and by no event that comes after it."""
    rng = random.Random(7)
    for path in loader.load(game).starts:
        session = Session(Position.load(path))
        for _ in range(40):
            if not session.legal_actions:
                break
            kind = rng.choice(sorted({action.name for action in session.legal_actions}))
            action = rng.choice([each for each in session.legal_actions if each.name == kind])
            before = session.position
            session.push(action)
            for event in package.apply(before, action).events:
                found = why_event(before, event.event, action)
                assert found.at is not None
                assert event.rule in {reason.rule.id for reason in found.reasons}
                assert all(each.event != event.event for each in found.causes)
