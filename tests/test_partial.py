"""What an answer has when the time is up, or when the user ends it."""

import json
from fractions import Fraction
from typing import Any, NoReturn

import pytest

from pymorph.errors import OutOfTime
from pymorph.explore.sampling import game_statistics, odds, simulation
from pymorph.questions import figures
from pymorph.questions.board import sight
from pymorph.state.files import position_file
from tests.conftest import EXAMPLES, Run

HIDDEN = str(EXAMPLES / "field" / "hidden.yaml")
HAMMER = str(EXAMPLES / "duel" / "earthhammer.yaml")
PIT = str(EXAMPLES / "positions" / "edge_of_the_pit.yaml")
TICTACTOE = str(EXAMPLES / "rulesets" / "tictactoe" / "positions" / "start.yaml")
VERBS = {
    "sight": (("sight", HIDDEN, "--all"), sight, "_lines", 2),
    "forecast": (("forecast", HAMMER), figures, "_forecast", 3),
    "odds": (("apply", PIT, "advance(baganal, 2)", "--odds"), odds.RollTree, "_after_throws", 2),
    "against": (
        ("simulate", TICTACTOE, "--games", "40", "--against", TICTACTOE),
        simulation, "carry_out", 1,
    ),
}  # fmt: skip


@pytest.fixture(params=VERBS)
def asked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A verb that keeps what it has after each small step."""
    monkeypatch.setattr(sight, "LINES_AT_ONCE", 2)
    monkeypatch.setattr(game_statistics, "EVERY", 0)
    monkeypatch.setattr(odds, "BATCH", 2)
    return str(request.param)


@pytest.mark.parametrize("by_hand", [False, True])
def test_what_there_was(
    asked: str, by_hand: bool, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text and JSON say that it is partial; the exit code is 3, or 130 after Ctrl-C."""
    words, module, name, steps = VERBS[asked]
    done, whole = [0], getattr(module, name)

    def stopping(*given: Any, **more: Any) -> Any:
        done[0] += 1
        if done[0] > steps:
            stop(by_hand)
        return whole(*given, **more)

    monkeypatch.setattr(module, name, stopping)
    code, out, err = pymorph(*words, "--timeout", "50")
    assert code == (130 if by_hand else 3)
    assert err == ("interrupted\n" if by_hand else "")
    assert f"partial: {'interrupted' if by_hand else 'time limit reached'}; " in out
    done[0] = 0
    code, out, err = pymorph(*words, "--timeout", "50", "--json")
    assert (code, json.loads(out)["partial"]) == (130 if by_hand else 3, True)


def stop(by_hand: bool) -> NoReturn:
    raise KeyboardInterrupt if by_hand else OutOfTime("no answer within 50 seconds")


def test_whole_answers_are_the_same(asked: str, pymorph: Run) -> None:
    """However small the steps: an answer that comes in time has no word of it."""
    if asked != "against":
        whole = pymorph(*VERBS[asked][0], "--json")
        assert pymorph(*VERBS[asked][0], "--json", "--timeout", "100") == whole
        assert '"partial"' not in whole[1]


def test_odds_add_up_to_one(asked: str) -> None:
    """Of a partial answer as well; what is not followed to the end says so."""
    if asked == "odds":
        kept: list[odds.Odds] = []
        position = position_file.load(PIT)
        whole = odds.odds_in_parts(position, ["advance(baganal, 2)"], kept=kept.append)
        assert {sum(b.probability for b in each.branches) for each in kept} == {Fraction(1)}
        assert all(each.partial and any(b.unfinished for b in each.branches) for each in kept)
        assert whole == odds.odds(position, "advance(baganal, 2)")


def test_nothing_yet(pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sight, "_lines", lambda *_: stop(by_hand=False))
    found = pymorph("sight", HIDDEN, "--all", "--timeout", "50")
    assert found == (3, "", "pymorph: no answer within 50 seconds\n")
