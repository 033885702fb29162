"""Odds by a policy: hands in one roll against all the hands that can be drawn, told one by one."""

import re
import time
from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from pymorph import Position
from pymorph.errors import InputError, UnknownName
from pymorph.explore.execution.application import play_through
from pymorph.explore.sampling.odds import RollLimits, odds
from pymorph.questions.explanation import why
from pymorph.questions.figures import forecast
from pymorph.views.lines import answers, lookahead
from tests.conftest import position_of
from tests.quick_start_skirmish.simulator import DECK
from tests.tables import parametrized, with_campaign

POLICY, LOWEST = "highest_card", "lowest_card"
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


def hands(gone: dict[int, int], net: int, policy: str) -> Counter[int]:
    """How many hands there are in which each card is the one that opens."""
    cards = list((DECK - Counter(gone)).elements())
    best = min if net < 0 or policy == "lowest_card" else max
    return Counter(best(hand) for hand in combinations(cards, 1 + min(abs(net), 3)))


def stakes(position: Position) -> tuple[int, int, int]:
    """By how much the attack is ahead before a card is drawn, and the net of either side."""
    line = (ATTACK, "react(finn, manv)")
    here = play_through(position, line).outcome.position
    told = forecast(here, "net", "number", "conversion").figures
    worth = {str(figure.name): int(str(figure.value)) for figure in told}
    ahead = sum(worth[f"{name}(ada)"] - worth[f"{name}(finn)"] for name in ("number", "conversion"))
    return ahead, worth["net(ada)"], worth["net(finn)"]


def outcome(margin: int) -> str:
    return "hits" if margin > 0 else "misses" if margin < 0 else "weak_hit"


def enumerated(position: Position, mine: str, theirs: str) -> dict[str, Fraction]:
    """How likely each outcome of the attack is, of all hands of both sides."""
    ahead, net, other_net = stakes(position)
    rows = [hands({**FEW, 2: 1}, net, mine), hands(OTHERS, other_net, theirs)]
    ways: Counter[str] = Counter()
    for (card, n), (other, m) in product(rows[0].items(), rows[1].items()):
        ways[outcome(ahead + card - other)] += n * m
    return {f"{name}(ada, finn, sword)": Fraction(n, ways.total()) for name, n in ways.items()}


def drawn(position: Position, draws: int) -> Counter[str]:
    """The outcomes of so many attacks with the whole deck, drawn from it card by card."""
    random = Random(draws)
    ahead, net, other = stakes(position)
    decks = [list((DECK - Counter({2: 1})).elements()), list(DECK.elements())]
    ways: Counter[str] = Counter()
    for _ in range(draws):
        mine, theirs = (
            (min if by < 0 else max)(random.sample(deck, 1 + min(abs(by), 3)))
            for deck, by in zip(decks, (net, other), strict=True)
        )
        ways[outcome(ahead + mine - theirs)] += 1
    return ways


@with_campaign("fight, manv", [(0, 3), (4, 0)], [(1, 2), (2, 1), (3, 1), (5, 2), (6, 3), (0, 0)])
def test_a_hand_in_one_roll_comes_out_as_all_hands_do(fight: int, manv: int) -> None:
    position = duel(fight, manv, FEW, OTHERS)
    answer = odds(position, ATTACK, policies=POLICY)
    found = {str(each.event): each.probability for each in answer.events}
    for event, share in enumerated(position, POLICY, POLICY).items():
        assert found.get(event, 1) == share == answer.of(event)
    assert sum(branch.probability for branch in answer.branches) == 1
    # It ends before the check of whoever was hit.
    assert not any(event.startswith(("passes", "fails", "suffers")) for event in found)


@with_campaign(
    "fight, manv, draws",
    [(4, 0, 20_000)],
    [(fight, manv, 1_000_000) for fight, manv in ((0, 3), (4, 0), (6, 1), (5, 3))],
)
def test_odds_are_what_many_draws_come_to(fight: int, manv: int, draws: int) -> None:
    """Within five standard deviations: one true answer in 1.7 million lies farther off."""
    position = duel(fight, manv, {}, {})
    answer = odds(position, ATTACK, policies=POLICY)
    found = drawn(position, draws)
    assert found.total() == draws
    for name in ("hits", "weak_hit", "misses"):
        share = answer.of(f"{name}(ada, finn, sword)")
        assert (found[name] - share * draws) ** 2 <= 25 * draws * share * (1 - share), name


@with_campaign("mine, theirs", [(LOWEST, POLICY)], [(POLICY, LOWEST), (LOWEST, LOWEST)])
def test_each_side_by_a_policy_of_its_own(mine: str, theirs: str) -> None:
    position = duel(0, 0, FEW, OTHERS)
    answer = odds(position, ATTACK, "react(finn, manv)", policies={"watch": mine, "foxes": theirs})
    for event, share in enumerated(position, mine, theirs).items():
        assert answer.of(event) == share


@pytest.mark.campaign
def test_a_side_without_a_policy_is_named_where_there_are_too_many_ways(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Hands that no policy plays are drawn card by card: 10,000 ways take two minutes to find."""
    monkeypatch.setattr("pymorph.explore.sampling.odds.LIMITS", RollLimits(branches=100))
    position = duel(0, 0, {}, {})
    with pytest.raises(InputError, match=r"more than 100 outcomes; no policy plays foxes"):
        odds(position, ATTACK, "react(finn, manv)", policies={"watch": POLICY})


@pytest.mark.campaign
def test_who_plays_by_a_policy_is_told_by_name() -> None:
    position = duel(5, 3, FEW, OTHERS)
    answer = odds(position, ATTACK, policies={"watch": POLICY, "finn": POLICY})
    assert answer.events == odds(position, ATTACK, policies=POLICY).events
    text = lookahead.odds(answer)
    assert text[1:3] == ["watch by highest_card", "finn by highest_card"]
    assert any("misses(ada, finn, sword)" in line and "%" in line for line in text[5:10])
    assert answer.json()["policies"] == {"watch": POLICY, "finn": POLICY}
    assert "uses scout~, standard~, sword~, warden~" in text
    assert answer.json()["ours"] == dict.fromkeys(("scout", "standard", "sword", "warden"), "own")
    # With nobody to answer for the other side, it ends where that is asked.
    assert [
        str(b.position.value("stage(0)"))
        for b in odds(position, ATTACK, policies={"watch": POLICY}).branches
    ] == ["react"]


def test_why_says_what_is_no_card_of_the_game() -> None:
    answer = why(duel(0, 0, FEW, OTHERS), ATTACK)
    assert answers.why(answer)[-2] == "uses scout~, sword~, warden~"
    assert answer.json()["ours"].items() >= {(n, "own") for n in ("scout", "sword", "warden")}


@parametrized
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
