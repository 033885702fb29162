"""Sorts of lists: a frog leaps over others, as often as it can, and its way is one argument."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pymorph.errors import RulesetError
from pymorph.explore.execution import application
from pymorph.questions import explanation, legality
from pymorph.ruleset import loader
from pymorph.ruleset.catalogue import glossary
from pymorph.state.files.schema import schema
from pymorph.state.position import Position
from pymorph.verify.report import VIOLATED, WITHIN
from pymorph.verify.runner import verify
from pymorph.verify.scope import Scope
from pymorph.verify.spaces.domain import Domain
from tests.inn import write_game

Run = Callable[..., tuple[int, str, str]]
GAME = r"""
ruleset(frogs, "1", "Frogs").
surface(". . . .\n. . . .\n. . . .").  symbol(".", pad).
sort(side, listed).  member(side, (green; brown)).
sort(pad, board).
sort(way, list(pad, 3)).
extent(pad, 3). extent(way, 1).
fluent(turn, (), side, given).
fluent(frog, (pad,), side, none).
fluent(trail, (), way, ()).
action(leap, (side, pad, way)).
document(d, "The leaflet of Frogs").
rule(frog_01). title(frog_01, "Leaps").
says(frog_01, "A frog leaps over a frog beside it to the free pad beyond, up to three times.").
source(frog_01, d, "Play"). status(frog_01, stated).
rule(frog_02). title(frog_02, "Turns"). says(frog_02, "The sides take turns.").
source(frog_02, d, "Play"). status(frog_02, stated).
"""
PLAY = """
pad(P) :- P = @places().
across(P, M, Q) :- pad(P), facing(D), M = @neighbour(P, D), Q = @neighbour(M, D).
facing((north; east; south; west)).
turns(green, brown). turns(brown, green).
leaps(P, Q, S) :- situation(S), across(P, M, Q), holds(frog(M), _, S), not holds(frog(Q), _, S).

% From P there are N leaps along the list W.
along(P, (), 0, S)         :- situation(S), pad(P).
along(P, (Q, W), N + 1, S) :- leaps(P, Q, S), along(Q, W, N, S), N < 3.
proposed(leap(C, P, W), S, frog_01) :-
    holds(turn, C, S), holds(frog(P), C, S), along(P, W, N, S), N > 0.

% Where the frog of a leap stands after each pad, and what is left of its way.
left_of(leap(C, P, W), P, W, S) :- considered(leap(C, P, W), S).
left_of(A, Q, W, S)             :- left_of(A, _, (Q, W), S).
ends_at(A, Q, S)                :- left_of(A, Q, (), S).
forbidden(A, S, frog_01) :- left_of(A, P, (Q, _), S), not leaps(P, Q, S).
forbidden(leap(C, P, ()), S, frog_01) :- considered(leap(C, P, ()), S).
forbidden(leap(C, P, W), S, frog_02) :- considered(leap(C, P, W), S), not holds(turn, C, S).
forbidden(leap(C, P, W), S, frog_02) :- considered(leap(C, P, W), S), not holds(frog(P), C, S).
clears(frog(P), T, frog_01)  :- does(leap(C, P, W), S, T), not ends_at(leap(C, P, W), P, S).
sets(frog(Q), C, T, frog_01) :- does(leap(C, P, W), S, T), ends_at(leap(C, P, W), Q, S).
sets(trail, W, T, frog_01)   :- does(leap(_, _, W), _, T).
sets(turn, D, T, frog_02)    :- does(leap(C, _, _), _, T), turns(C, D).
"""
START = "{ruleset: .., turn: green, frog: {a1: green, b1: brown, c2: brown, b3: green}}\n"


@pytest.fixture
def frogs(tmp_path: Path) -> Path:
    return write_game(tmp_path / "frogs", GAME, PLAY, {"start.yaml": START})


def start(frogs: Path) -> Position:
    return Position.load(str(frogs / "positions" / "start.yaml"))


def test_a_way_is_one_argument(frogs: Path) -> None:
    position = start(frogs)
    legal = {str(action) for action in legality.legal_actions(position)}
    assert legal == {
        "leap(green, a1, (c1, ()))",
        "leap(green, a1, (c1, (c3, ())))",
        "leap(green, a1, (c1, (c3, (a3, ()))))",
        "leap(green, a1, (c1, (c3, (c1, ()))))",
    }
    after = application.apply(position, "leap(green, a1, (c1, (c3, ())))").position
    assert {str(after.value(f"frog({pad})")) for pad in ("a1", "c1")} == {"none"}
    assert str(after.value("frog(c3)")) == "green"
    assert Position.parse(after.yaml(), str(frogs / "positions" / "x.yaml")) == after
    assert 'trail: "(c1, (c3, ()))"' in after.yaml()
    told = explanation.why(position, "leap(green, a1, (c1, (c2, ())))")
    assert [reason.rule.id for reason in told.reasons] == ["frog_01"]


@pytest.mark.parametrize(
    ("way", "says"),
    [
        ("(c1, (c4, ()))", "argument 3 of leap; expected a list of up to 3 of pad, such as "),
        ("(c1, (c3, (a3, (a1, ()))))", "; expected a list of up to 3 of pad, such as [a1, b1]"),
        ("(c1, c3)", "unknown way '(c1, c3)', argument 3 of leap; expected a list of up to 3"),
        ("c1", "unknown way 'c1', argument 3 of leap; expected a list of up to 3 of pad"),
    ],
)
def test_what_is_no_list_of_it(way: str, says: str, frogs: Path, pymorph: Run) -> None:
    path = frogs / "positions" / "start.yaml"
    code, out, err = pymorph("why", path, f"leap(green, a1, {way})")
    assert (code, out) == (2, "")
    assert says in err


def test_claims_and_everything_that_can_be_typed(frogs: Path, pymorph: Run) -> None:
    path = frogs / "positions" / "start.yaml"
    case = frogs / "positions" / "case.yaml"
    claims = ["legal(leap(green, a1, (c1, ())))", "trail = ()", "legal(leap(green, a1, ()))"]
    rows = "".join(f"  - claim: {claim}\n" for claim in claims)
    case.write_text(f"position: start.yaml\nclaims:\n{rows}", "utf-8")
    _, out, err = pymorph("adjudicate", case, "--json")
    assert not err
    assert [told["verdict"] for told in json.loads(out)["claims"]] == [
        "upheld", "upheld", "rejected",
    ]  # fmt: skip
    _, out, _ = pymorph("legal", path, "--all", "--json")
    told = json.loads(out)
    assert len(told["actions"]) == 4
    assert told["forbidden"] == []  # the others are too many to be written out
    game = frogs / "rules" / "game.lp"
    game.write_text(GAME.replace("list(pad, 3)", "list(pad, 1)"), "utf-8")
    play = frogs / "encodings" / "play.lp"
    play.write_text(PLAY.replace("N < 3", "N < 1"), "utf-8")
    _, out, _ = pymorph("legal", path, "--all", "--json")
    told = json.loads(out)
    assert len(told["actions"]) == 1
    assert len(told["forbidden"]) == 2 * 12 * (1 + 12) - 1


def test_words_and_schema(frogs: Path) -> None:
    game = loader.load(str(frogs))
    assert ("way", "lists of up to 3 PAD") in glossary(game).sorts
    assert schema(game)["$defs"]["way"] == {"type": "string", "pattern": r"^\(.*\)$"}


def test_verified(frogs: Path) -> None:
    """As long as the extent says; what is longer is told."""
    game = loader.load(str(frogs))
    domain = Domain.of(Scope(game))
    assert [*map(str, domain.members("way"))][:3] == ["()", "(a1,())", "(b1,())"]
    assert "ways of up to 1" in domain.bound
    told = verify(Scope(game), ["incomplete", "kept"], jobs=1).checked
    assert [(each.status, each.findings) for each in told] == [(WITHIN, ())] * 2
    play = frogs / "encodings" / "play.lp"
    play.write_text(PLAY.replace("W, N, S), N < 3.", "W, N, S), N < 4."), "utf-8")
    [found] = verify(Scope(loader.load(str(frogs))), ["incomplete"], jobs=1).checked
    assert found.status == VIOLATED


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("list(pad, 3)", "list(pat, 3)", "sort way uses an unknown sort 'pat'; did you mean 'pad'"),
        ("list(pad, 3)", "list(pad, 0)", "union((sort, sort)) or list(sort, N), N up to 20"),
        ("list(pad, 3)", "list(pad, 3)). sort(both, union((way, pad))",
         "the sort both contains lists; only an argument or a value can be one"),
        ("trail, (), way, ()).", "trail, (), way, ()). table(usual_way, (way,)). "
         "usual_way((a1, (d9, ()))).", "'(a1, (d9, ()))' is not in the sort way; expected a list "
                                       "of up to 3 of"),
    ],
)  # fmt: skip
def test_slips(old: str, new: str, says: str, frogs: Path) -> None:
    rules = frogs / "rules" / "game.lp"
    assert old in GAME
    rules.write_text(GAME.replace(old, new), "utf-8")
    with pytest.raises(RulesetError) as raised:
        loader.load(str(frogs))
    assert any(says in str(fault) for fault in raised.value.faults), raised.value.faults
