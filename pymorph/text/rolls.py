"""Rolls and what they may bring: as lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

from pymorph.answers import Roll
from pymorph.forms import together
from pymorph.terms import Term
from pymorph.text.layout import PLAIN, Style, rule_ids


def pending(rolls: Iterable[Roll], style: Style = PLAIN) -> list[str]:
    """A line for each roll that is due: ``pending: roll(chance, anna, 1..6), each 1/6 [rule]``."""
    lines = []
    for roll in rolls:
        told = "; ".join(f"{form}, {odds}" for form, odds in outcomes(roll))
        lines.append(f"{style.bold('pending:')} {told} {style.dim(rule_ids([roll.rule]))}")
    return lines


def outcomes(roll: Roll) -> list[tuple[str, str]]:
    """The outcomes of a roll, those of the same odds drawn together, with the odds of each."""
    by_odds: dict[Fraction, list[Term]] = defaultdict(list)
    for outcome, odds in roll.outcomes:
        by_odds[odds].append(outcome)
    return [
        (together(alike), f"each {odds}" if len(alike) > 1 else str(odds))
        for odds, alike in by_odds.items()
    ]
