"""Play followed from the starts on compiled rules: what it leads to, and what it never does."""

from __future__ import annotations

from pathlib import Path

import pytest

from pymorph.queries.application import apply
from pymorph.ruleset import loader
from pymorph.state.position import Position
from pymorph.verify.played import Play, followed
from pymorph.verify.report import VIOLATED
from pymorph.verify.runner import verify
from pymorph.verify.scope import Bounds, Scope
from pymorph.views.reports import report
from tests.conftest import EXAMPLES

OWN = """
property(never_one).
meaning(never_one, "the heap is never one").
speaks(never_one, S) :- holds(heap, _, S).
violated(never_one, heap, S, heap_01) :- holds(heap, 1, S).

property(never_twelve).
meaning(never_twelve, "the heap is never twelve").
speaks(never_twelve, S) :- holds(heap, _, S).
violated(never_twelve, heap, S, heap_01) :- holds(heap, 12, S).

property(never_last).
meaning(never_last, "nobody takes two of three").
speaks(never_last, S) :- does(_, S, _).
violated(never_last, C, S, heap_01) :- does(take(C, _), S, T), holds(heap, 3, S), next(heap, 1, T).

property(few_taken).
meaning(few_taken, "nobody has taken more than five after a move").
speaks(few_taken, S) :- does(_, S, _).
violated(few_taken, C, S, heap_01) :- does(take(C, _), S, T), next(taken(C), N, T), N > 5.
"""


@pytest.fixture
def owned(my_game: Path) -> Path:
    """The starter game, which begins with ten counters, with properties of its own."""
    (my_game / "properties").mkdir()
    (my_game / "properties" / "own.lp").write_text(OWN)
    return my_game


def scope_of(folder: Path) -> Scope:
    game = loader.load(str(folder))
    return Scope(game, Bounds.of(game))


def test_lines_of_play(owned: Path) -> None:
    """What breaks a property comes with actions that lead there; of what asks for the value of a
    sum after an action nothing is said."""
    play, found = followed(scope_of(owned))
    assert play == Play(124, 6, True, ("conflict", "kept", "never_twelve", "stuck"))
    assert found.keys() == {"never_one", "never_last"}
    start = Position.load(owned / "positions" / "start.yaml")
    for [finding] in found.values():
        assert finding.witness is not None
        assert finding.witness.line
        assert apply(start, *finding.witness.line).position == finding.witness.position


def test_what_is_preferred(owned: Path) -> None:
    """A witness that play leads to stands for one of which nothing is known; where play has no more
    positions, a property that breaks nowhere is said to be proved for them."""
    found = verify(scope_of(owned), ["never_one", "never_twelve"], jobs=1)
    lines = {}
    for each in found.checked:
        [finding] = each.findings
        assert finding.status == VIOLATED
        assert finding.witness is not None
        lines[each.id] = finding.witness.line
    assert lines["never_one"]
    assert lines["never_twelve"] is None
    told = "play from the starts: all 124 positions to which it leads; proved for these:"
    assert told in "\n".join(report(found))


def test_how_far_play_was_followed() -> None:
    """A layer that was not looked at whole does not count."""
    scope = scope_of(EXAMPLES / "rulesets" / "tictactoe")
    names = ("conflict", "kept", "stuck")
    assert followed(scope) == (Play(5478, 9, True, names), {})
    assert followed(scope, most=400) == (Play(334, 3, False, names), {})
    assert followed(scope, seconds=0.0) == (Play(0, 0, False, names), {})


def test_a_dead_end(owned: Path) -> None:
    """Where nobody can act, and nothing says that the game is over, play says how it comes to
    that; where a table has many actions, play is not followed."""
    rules = owned / "encodings" / "play.lp"
    rules.write_text(rules.read_text().replace("over(S, heap_03) :-", "won(S, heap_03) :-"))
    play, found = followed(scope_of(owned))
    [finding] = found["stuck"]
    assert finding.witness is not None
    assert finding.witness.line
    assert play is not None
    assert "stuck" not in play.properties
    assert followed(scope_of(EXAMPLES / "rulesets" / "chess")) == (None, {})
