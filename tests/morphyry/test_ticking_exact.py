"""What cases cannot say of ticking: how the cards are made, and what the other side sees."""

from functools import cache

from clingo import Control, Symbol

from pymorph.terms import text_of
from tests.conftest import ROOT

CATEGORIES = {"combat", "spell", "miscellaneous"}


@cache
def facts(predicate: str, arity: int) -> list[list[Symbol]]:
    """The rows of one predicate in the cards as data."""
    control = Control()
    control.load(str(ROOT / "rules" / "morphyry" / "techniques.lp"))
    control.ground([("base", [])])
    return [a.symbol.arguments for a in control.symbolic_atoms.by_signature(predicate, arity)]


def actions() -> dict[str, list[tuple[int, int, int]]]:
    """For each card its actions in order: number, ticks, skill calls."""
    found: dict[str, list[tuple[int, int, int]]] = {}
    for card, _ in facts("technique", 2):
        found[card.name] = []
    for card, act in facts("acts", 2):
        number, _, ticks, calls = act.arguments
        found[card.name].append((number.number, ticks.number, calls.number))
    return {card: sorted(rows) for card, rows in found.items()}


def test_mor_tick_01_every_card_is_a_string_of_actions() -> None:
    """mor_tick_01: actions are numbered from 1 without a gap, each of 1 tick or more."""
    for card, rows in actions().items():
        assert [number for number, _, _ in rows] == list(range(1, len(rows) + 1)), card
        assert rows, card
        assert all(ticks >= 1 and calls >= 0 for _, ticks, calls in rows), card


def test_mor_tick_02_every_card_has_one_category() -> None:
    """mor_tick_02: Combat, Spell or Miscellaneous; a Default Action is no card."""
    cards = facts("technique", 2)
    assert {category.name for _, category in cards} == CATEGORIES
    assert len({card.name for card, _ in cards}) == len(cards)
    defaults = {text_of(action) for action, _ in facts("default_action", 2)}
    assert not defaults & {card.name for card, _ in cards}


def test_mor_tick_06_one_action_of_each_card_pays_off() -> None:
    """mor_tick_06: each card has one pay-off, at one of its actions, with its damage."""
    payoffs = {card.name: number.number for card, number in facts("payoff", 2)}
    assert len(facts("payoff", 2)) == len(payoffs)
    rows = actions()
    assert payoffs.keys() == rows.keys()
    assert all(1 <= number <= len(rows[card]) for card, number in payoffs.items())
    for card, number, _ in facts("damage", 3):
        assert payoffs[card.name] == number.number, card
