"""Odds by a policy: hands in one roll against all the hands that can be drawn, told one by one."""

from __future__ import annotations

import re
import time
from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from pymorph import Position
from pymorph.errors import UnknownName
from pymorph.queries.application import play_through
from pymorph.queries.figures import forecast
from pymorph.queries.odds import odds
from pymorph.views import answers
from tests.conftest import position_of
from tests.quick_start_skirmish.simulator import DECK

POLICY = "highest_card"
ATTACK = "attack(ada, sword, finn, basic)"
FEW = dict.fromkeys((1, 3, 4, 6, 7, 9, 10), 4)
OTHERS = dict.fromkeys(range(1, 11), 3)


def duel(fight: int, manv: int, watch: dict[int, int], foxes: dict[int, int]) -> Position:
    """Two figures side by side, with conditions on Fight and Manv, before the attack.

    A 2 is in the Buff Hand of the one, so that it is not in the deck.
    """
    crews: dict[str, Any] = {
        "watch": {"push": 1, "initiative": 9, "discards": watch, "buffs": {2: 1}},
        "foxes": {"push": 1, "initiative": 3, "discards": foxes},
    }
    figures: dict[str, Any] = {
        "ada": {"card": "warden", "crew": "watch", "at": "a1", "facing": "east"},
        "finn": {"card": "scout", "crew": "foxes", "at": "b1", "facing": "west"},
    }
    figures["ada"] |= {"ready": "sword", "condition": {"fight": fight}}
    figures["finn"] |= {"condition": {"manv": manv}}
    start = {"ruleset": "quick_start_skirmish", "board": ". . .", "crews": crews}
    return play_through(position_of({**start, "figures": figures}), ["activate(ada)"])[0].position


def hands(gone: dict[int, int], net: int) -> Counter[int]:
    """How many hands there are in which each card is the one that opens."""
    cards = list((DECK - Counter(gone)).elements())
    best = min if net < 0 else max
    return Counter(best(hand) for hand in combinations(cards, 1 + min(abs(net), 3)))


def enumerated(position: Position) -> dict[str, Fraction]:
    """How likely each outcome of the attack is, of all hands of both sides."""
    line = (ATTACK, "react(finn, manv)")
    here = play_through(position, line).outcome.position
    told = forecast(here, "net", "number", "conversion").figures
    worth = {str(figure.name): int(str(figure.value)) for figure in told}
    ahead = sum(worth[f"{name}(ada)"] - worth[f"{name}(finn)"] for name in ("number", "conversion"))
    rows = [hands({**FEW, 2: 1}, worth["net(ada)"]), hands(OTHERS, worth["net(finn)"])]
    ways: Counter[str] = Counter()
    for (mine, n), (theirs, m) in product(rows[0].items(), rows[1].items()):
        margin = ahead + mine - theirs
        ways["hits" if margin > 0 else "misses" if margin < 0 else "weak_hit"] += n * m
    return {f"{name}(ada, finn, sword)": Fraction(n, ways.total()) for name, n in ways.items()}


MOST = pytest.mark.campaign


@pytest.mark.parametrize(
    ("fight", "manv"),
    [(0, 3), (4, 0)]
    + [
        pytest.param(*each, marks=MOST) for each in ((1, 2), (2, 1), (3, 1), (5, 2), (6, 3), (0, 0))
    ],
)
def test_a_hand_in_one_roll_comes_out_as_all_hands_do(fight: int, manv: int) -> None:
    position = duel(fight, manv, FEW, OTHERS)
    answer = odds(position, ATTACK, policies=POLICY)
    found = {str(each.event): each.probability for each in answer.events}
    for event, share in enumerated(position).items():
        assert found.get(event, 1) == share == answer.of(event)
    assert sum(branch.probability for branch in answer.branches) == 1
    # It ends before the check of whoever was hit.
    assert not any(event.startswith(("passes", "fails", "suffers")) for event in found)


def test_who_plays_by_a_policy_is_told_by_name() -> None:
    position = duel(5, 3, FEW, OTHERS)
    answer = odds(position, ATTACK, policies={"watch": POLICY, "finn": POLICY})
    assert answer.events == odds(position, ATTACK, policies=POLICY).events
    text = answers.odds(answer)
    assert text[1:3] == ["watch by highest_card", "finn by highest_card"]
    assert any("misses(ada, finn, sword)" in line and "%" in line for line in text[5:10])
    assert answer.json()["policies"] == {"watch": POLICY, "finn": POLICY}
    # With nobody to answer for the other side, it ends where that is asked.
    assert [
        str(b.position.value("stage(0)"))
        for b in odds(position, ATTACK, policies={"watch": POLICY}).branches
    ] == ["react"]


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("highest", "unknown policy 'highest'; did you mean 'highest_card'?"),
        ({"watsch": POLICY}, "unknown player 'watsch'; did you mean 'watch'?"),
    ],
)
def test_unknown_policies_and_players_are_told(by: Any, message: str) -> None:
    with pytest.raises(UnknownName, match=re.escape(message)):
        odds(duel(0, 0, FEW, OTHERS), policies=by)


@pytest.mark.campaign
def test_two_hands_of_four_take_a_second_at_most() -> None:
    position = duel(0, 3, {}, {})
    odds(duel(0, 3, FEW, OTHERS), ATTACK, policies=POLICY)
    begun = time.process_time()
    odds(position, ATTACK, policies=POLICY)
    assert time.process_time() - begun < 1
