"""Play followed from the starts on compiled rules: what it leads to, and what it never does."""

from __future__ import annotations

from pathlib import Path

import pytest

from pymorph.explore.execution.application import apply
from pymorph.ruleset import loader
from pymorph.state.position import Position
from pymorph.verify.report import VIOLATED
from pymorph.verify.runner import verify
from pymorph.verify.scope import Bounds, Scope
from pymorph.verify.spaces.bounded_reachability import Play, ReachedPositions, followed
from pymorph.views.lines.reports import report
from tests.conftest import EXAMPLES
from tests.games import file_text
from tests.tables import with_campaign

OWN = file_text("heap/properties.lp")


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
    play, found, _ = followed(scope_of(owned))
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
    told = "play from the start: all 124 positions that it reaches; proved for these:"
    assert told in "\n".join(report(found))


def test_how_far_play_was_followed() -> None:
    """A layer that was not looked at whole does not count."""
    scope = scope_of(EXAMPLES / "rulesets" / "tictactoe")
    names = ("conflict", "kept", "stuck")
    assert followed(scope)[:2] == (Play(5478, 9, True, names), {})
    assert followed(scope, most=400)[:2] == (Play(334, 3, False, names), {})
    assert followed(scope, seconds=0.0)[:2] == (Play(0, 0, False, names), {})


def test_a_dead_end(owned: Path) -> None:
    """Where nobody can act, and nothing says that the game is over, play says how it comes to
    that; where a table has many actions, play is not followed."""
    rules = owned / "encodings" / "play.lp"
    rules.write_text(rules.read_text().replace("over(S, heap_03) :-", "ended(S, heap_03) :-"))
    play, found, _ = followed(scope_of(owned))
    [finding] = found["stuck"]
    assert finding.witness is not None
    assert finding.witness.line
    assert play is not None
    assert "stuck" not in play.properties
    assert followed(scope_of(EXAMPLES / "rulesets" / "chess")) == ReachedPositions()


def add(game: Path, rules: str) -> None:
    """Write further rules into the encoding of a ruleset."""
    with (game / "encodings" / "play.lp").open("a") as file:
        file.write(f"\n{rules}\n")


CAMPAIGN = pytest.mark.campaign
FAULTS = {
    "conflict": (
        "sets(turn, C, T, heap_03) :- does(take(C, N), S, T), holds(heap, K, S), K - N = {}.",
        "heap_01_heap_03: take(bo, 3) gives a fluent two values at once, by heap_01 and heap_03",
        ("take(anna, 3)",),
    ),
    "kept": (
        "sets(marks, -1, T, heap_02) :- does(take(_, N), S, T), holds(heap, K, S), K - N = {}.",
        "marks: take(bo, 3) gives marks a value that it cannot have",
        ("take(anna, 3)",),
    ),
    "incomplete": (
        "proposed(go(C, K), S, heap_02) :- holds(turn, C, S), holds(heap, K, S), K = {}.",
        "go: heap_02 proposes go(anna, 4): '4' is not in the sort side; expected 1 to 2",
        ("take(anna, 3)", "take(bo, 3)"),
    ),
    "endless": (
        "chance(go(anna, N), 1, 3, S, heap_03) :- holds(heap, {}, S), N = 1..2.",
        "settling: the odds of the roll go(anna) (heap_03) add up to 2/3, not to 1",
        ("take(anna, 3)", "take(bo, 3)"),
    ),
}  # of a ruleset, by the property under which it is told


@with_campaign("name", ["conflict", "incomplete"], ["kept", "endless"])
def test_faults(my_game: Path, name: str) -> None:
    """What rules must not bring about comes with the actions that lead to it. Of a heap of eleven,
    to which play does not lead, it says nothing."""
    more = "sort(side, range(1, 2)). action(go, (player, side)). fluent(marks, (), counters, 0)."
    (my_game / "rules" / "more.lp").write_text(more)
    rules = my_game / "encodings" / "play.lp"
    text = rules.read_text()
    rule, says, line = FAULTS[name]
    rules.write_text(text + rule.format(11))
    assert name not in followed(scope_of(my_game)).findings
    rules.write_text(text + rule.format(4))
    [finding] = followed(scope_of(my_game)).findings[name]
    assert f"{finding.subject}: {finding.says}" == says
    assert finding.witness is not None
    assert finding.witness.line == line


def test_conflict_is_told_by_play_first(my_game: Path) -> None:
    """A conflict to which play leads stands for the same one in a position of which nothing is
    known."""
    rules = my_game / "encodings" / "play.lp"
    rules.write_text(rules.read_text() + FAULTS["conflict"][0].format(4))
    [checked] = verify(scope_of(my_game), ["conflict"], jobs=1).checked
    [finding] = checked.findings
    assert finding.witness is not None
    assert finding.witness.line == FAULTS["conflict"][2]


IDLE = """
happens(even(C), T, heap_03) :- does(take(C, N), S, T), holds(heap, {}, S).
"""


def test_what_is_of_no_use(my_game: Path) -> None:
    """Where play has no more positions, what never fires there is told, and what is never legal;
    where it has, or the rule fires, nothing is. What judges what is asked about is left out."""
    (my_game / "rules" / "more.lp").write_text("action(wait, (player,)).")
    rules = my_game / "encodings" / "play.lp"
    text = rules.read_text()
    place = f"my_game/encodings/play.lp:{len(text.splitlines()) + 2}"
    for heap, idle in ((1, ("wait",)), (11, (f"heap_03 ({place})", "wait"))):
        rules.write_text(text + IDLE.format(heap))
        found = followed(scope_of(my_game))
        assert found.play is not None
        assert found.play.complete
        assert found.play.idle == idle
    part = followed(scope_of(my_game), most=50).play
    assert part is not None
    assert part.idle == ()


def test_dead_is_settled_by_play(my_game: Path) -> None:
    """A statement that fires in a position to which play leads is not searched for any more; one
    that fires in none is."""
    rules = my_game / "encodings" / "play.lp"
    text = rules.read_text()
    for more, found in (("", []), (", N > K", ["heap_03"])):
        rules.write_text(f"{text}{IDLE.format('K').rstrip()[:-1]}, K = 1{more}.")
        scope = scope_of(my_game)
        fired = followed(scope).fired
        told = [n for n in fired if scope.sources.statements[n].text.startswith("happens(even(")]
        assert bool(told) == (not found)
        [checked] = verify(scope, ["dead"], jobs=1).checked
        assert [finding.subject for finding in checked.findings] == found
