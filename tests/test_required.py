"""One of several captures has to be taken: a small game in the manner of draughts."""

from __future__ import annotations

from pathlib import Path

import pytest

from pymorph.explore.execution import application
from pymorph.questions import explanation, legality
from pymorph.ruleset import loader
from pymorph.state.position import Position
from pymorph.verify.report import VIOLATED
from pymorph.verify.runner import verify
from pymorph.verify.scope import Scope
from tests.inn import write_game

GAME = r"""
ruleset(leap, "1", "Leap").
surface(". . . . .\n. . . . .\n. . . . .").  symbol(".", square).
sort(player, listed).  member(player, (white; black)).
sort(square, board).
fluent(turn, (), player, given).
fluent(at, (square,), player, none).
action(step, (player, square, square)).
action(jump, (player, square, square)).
rival(white, black). rival(black, white).
document(d, "The leaflet of Leap").
rule(leap_01). title(leap_01, "Step"). says(leap_01, "A piece steps to a free square beside it.").
source(leap_01, d, "Play"). status(leap_01, stated).
rule(leap_02). title(leap_02, "Jump"). says(leap_02, "It jumps over a rival and takes it.").
source(leap_02, d, "Play"). status(leap_02, stated).
rule(leap_03). title(leap_03, "Take"). says(leap_03, "Who can take has to; which, is free.").
source(leap_03, d, "Play"). status(leap_03, stated).
"""
PLAY = """
square(P) :- P = @places().
beside(P, Q, D) :- square(P), way(_, D), Q = @neighbour(P, D).
way(white, (north_west; north_east)). way(black, (south_west; south_east)).
proposed(step(C, P, Q), S, leap_01) :- steps(C, P, Q, S).
proposed(jump(C, P, Q), S, leap_02) :- taking(C, P, _, Q, S).
own(C, P, S) :- holds(turn, C, S), holds(at(P), C, S).
free(Q, S) :- situation(S), square(Q), not holds(at(Q), _, S).
taking(C, P, O, Q, S) :-
    own(C, P, S), way(C, D), beside(P, O, D), holds(at(O), E, S), rival(C, E),
    beside(O, Q, D), free(Q, S).
takes(C, P, Q, S) :- taking(C, P, _, Q, S).
steps(C, P, Q, S) :- own(C, P, S), way(C, D), beside(P, Q, D), free(Q, S).
forbidden(step(C, P, Q), S, leap_01) :- considered(step(C, P, Q), S), not steps(C, P, Q, S).
forbidden(jump(C, P, Q), S, leap_02) :- considered(jump(C, P, Q), S), not takes(C, P, Q, S).
required_one(jump(C, P, Q), S, leap_03) :- taking(C, P, _, Q, S).
clears(at(P), T, leap_01) :- does(step(_, P, _), _, T).
sets(at(Q), C, T, leap_01) :- does(step(C, _, Q), _, T).
clears(at((P; O)), T, leap_02) :- does(jump(C, P, Q), S, T), taking(C, P, O, Q, S).
sets(at(Q), C, T, leap_02) :- does(jump(C, _, Q), _, T).
sets(turn, D, T, leap_01) :- does(A, S, T), actor(A, C), rival(C, D).
"""
START = "{ruleset: .., at: {b2: black, e3: black, c1: white, e2: white}, turn: black}\n"


@pytest.fixture
def leap(tmp_path: Path) -> Path:
    return write_game(tmp_path / "leap", GAME, PLAY, {"start.yaml": START})


def closed_in(leap: Path) -> Position:
    """Black closes in, and white may take to the left or to the right."""
    start = Position.load(str(leap / "positions" / "start.yaml"))
    return application.apply(start, "step(black, e3, d2)").position


def test_one_capture_of_two_has_to_be_taken(leap: Path) -> None:
    after = closed_in(leap)
    captures = {"jump(white, c1, a3)", "jump(white, c1, e3)"}
    assert set(map(str, legality.legal_actions(after))) == captures
    told = explanation.why(after, "step(white, e2, d3)")
    assert [reason.rule.id for reason in told.reasons] == ["leap_03"]
    for capture in captures:
        assert explanation.why(after, capture).legal
        assert str(application.apply(after, capture).position.value("turn")) == "black"


# `required` of two alternatives makes both illegal; a second "one of these" may do the same.
DEADLOCKS = {
    "each required": (
        "required_one(jump(C, P, Q), S, leap_03) :-",
        "required(jump(C, P, Q), S, leap_03) :-",
        "are both required before anything else",
    ),
    "one of none that may be": (
        "",
        "forbidden(jump(C, P, Q), S, leap_01) :- considered(jump(C, P, Q), S), free(Q, S).",
        "every action that leap_03 requires is forbidden: leap_01 forbids jump(",
    ),
    "one of these and one of those": (
        "",
        "required_one(step(C, P, Q), S, leap_01) :- steps(C, P, Q, S), takes(C, _, _, S).",
        "every action that leap_01 requires is forbidden: leap_03 forbids step(",
    ),
}


@pytest.mark.parametrize("name", DEADLOCKS)
def test_verify_finds_the_deadlock(name: str, leap: Path) -> None:
    old, new, said = DEADLOCKS[name]
    rules = leap / "encodings" / "play.lp"
    rules.write_text(PLAY.replace(old, new) if old else f"{PLAY}{new}\n")
    assert legality.legal_actions(closed_in(leap)) == ()
    [told] = verify(Scope(loader.load(str(leap))), ["required"], jobs=1).checked
    assert told.status == VIOLATED
    assert any(said in each.says for each in told.findings), told.findings


def test_verify_finds_none_where_one_may_be_taken(leap: Path) -> None:
    [told] = verify(Scope(loader.load(str(leap))), ["required"], jobs=1).checked
    assert told.findings == ()
    assert told.subjects > 0
