"""Which bounds are tried: narrow ones where a search is too large, wider ones if time is left."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pymorph.ruleset import loader
from pymorph.verify import runner
from pymorph.verify.effort import EFFORT
from pymorph.verify.properties import effects, legality
from pymorph.verify.report import UNKNOWN, WITHIN, Finding, Piece, Property, PropertyResult
from pymorph.verify.report import unsettled as left_open
from pymorph.verify.runner import verify
from pymorph.verify.scope import Bounds, Scope
from pymorph.verify.spaces.domain import Domain
from pymorph.verify.spaces.space_size import narrower, searched_first
from pymorph.verify.spaces.state_space import explored
from tests.conftest import EXAMPLES

GAME = Path(__file__).parents[1] / "rulesets" / "tafl"  # on 7x7 squares, without an extent


@pytest.fixture(scope="module")
def tafl() -> Scope:
    game = loader.load(str(GAME))
    return Scope(game, Bounds.of(game))


def squares(scope: Scope) -> int:
    return len(Domain.of(scope).members("square"))


# Stand-ins for properties, which look at as many positions as there are squares.


def quick(scope: Scope, name: str) -> Piece:
    return Piece(squares(scope), 1)


def hard(scope: Scope, name: str) -> Piece:
    findings = (left_open("hard", "too hard"),) if squares(scope) > 24 else ()
    return Piece(squares(scope), 1, findings=findings)


def harder(scope: Scope, name: str) -> Piece:
    findings = (left_open("harder", "too hard"),) if squares(scope) > 9 else ()
    return Piece(squares(scope), 1, findings=findings)


def wrong(scope: Scope, name: str) -> Piece:
    return Piece(squares(scope), 1, findings=(Finding("move", "is wrong"),))


def looked_at(scope: Scope, *checks: object) -> list[PropertyResult]:
    known = [Property(c.__name__, "It holds.", c, bounded=True) for c in checks]  # type: ignore
    return list(verify(scope, properties=known, jobs=1).checked)


def test_small_bounds_are_first(tafl: Scope) -> None:
    assert [squares(scope) for scope in searched_first(tafl)] == [49, 24]
    assert narrower(replace(tafl, named=True)) is None
    small = loader.load(str(EXAMPLES / "rulesets" / "tictactoe"))
    assert searched_first(Scope(small)) == [Scope(small)]


def test_wider_bounds_are_tried(tafl: Scope) -> None:
    """What is settled there is the answer; else the note says what was, and what was not."""
    settled, narrow, narrowest, found = looked_at(tafl, quick, hard, harder, wrong)
    assert (settled.status, settled.looked, settled.notes) == (WITHIN, 49, ())
    assert (narrow.status, narrow.looked) == (WITHIN, 24)
    assert narrow.notes == ("hard: searched within 4x6 board; not finished within all positions",)
    assert (narrowest.status, narrowest.looked) == (WITHIN, 6)
    assert narrowest.notes == ("harder: searched within 2x3 board; not finished within 3x4 board",)
    assert (found.looked, found.notes) == (24, ())  # which is broken anyway


def test_named_bounds_are_kept(tafl: Scope) -> None:
    settled, narrow = looked_at(replace(tafl, named=True), quick, hard)
    assert (settled.looked, narrow.looked, narrow.status) == (49, 49, UNKNOWN)


def test_widening_ends(tafl: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "EFFORT", EFFORT._replace(widening_seconds=0.0))
    [settled] = looked_at(tafl, quick)
    assert settled.looked == 24
    assert settled.notes == ("quick: searched within 4x6 board; not finished within all positions",)


@pytest.mark.campaign
def test_all_of_a_game_is_settled(tafl: Scope) -> None:
    assert {UNKNOWN} & verify(tafl).statuses == set()


# What known positions and entries help


@pytest.fixture(scope="module")
def phases() -> Scope:
    game = loader.load("phases_of_play")
    return Scope(game, Bounds.of(game))


def test_entries_are_opened(phases: Scope) -> None:
    """The master enters the scores of four combatants, then they declare."""
    [start] = phases.starts
    space = explored([start], 100)
    names = {way.action.name for way in space.ways}
    assert {"initiative", "announce"} <= names
    scores = {way.action.arguments[-1].number for way in space.ways if way.source == 0}
    sort = start.ruleset.vocabulary.members("score", start.scene)
    assert len(scores) == 3
    assert {sort[0].number, sort[-1].number} <= scores


def test_what_no_search_meets_is_tried_in_known_positions(phases: Scope) -> None:
    piece = Piece(1, 1, due=frozenset({"swing", "announce"}), met=frozenset({"announce"}))
    kept = effects.in_known_positions(effects.KEPT, phases, piece)
    assert (kept.met, kept.findings) == (frozenset({"swing", "announce"}), ())
    assert [note.partition(":")[0] for note in kept.notes] == ["swing"]
    assert legality.proposed_in_known(phases, piece).findings == ()
