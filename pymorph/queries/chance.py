"""Chance as an actor: the rolls that are due, and dice that make them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import comb, lcm
from operator import add, mul, sub
from typing import TYPE_CHECKING

from clingo import Function, Symbol, SymbolType

from pymorph.errors import Fault, RulesetError
from pymorph.queries import batch
from pymorph.queries.batch import ask, batches, by_situation, facts_of
from pymorph.queries.results import Roll
from pymorph.state.position import Position, of_position
from pymorph.terms import Term, order, text_of

if TYPE_CHECKING:
    from fractions import Fraction

Dice = Callable[[Roll], Term]


@of_position
def rolls_due(position: Position) -> tuple[Roll, ...]:
    """The rolls and draws that come before anything else in *position*, sorted.

    Several may be due at once, to be made in any order.
    Raises: RulesetError, where the odds of a roll do not add up to 1.
    """
    return rolls_due_of([position])[0]


def rolls_due_of(positions: Sequence[Position]) -> tuple[tuple[Roll, ...], ...]:
    """What `rolls_due` says of each of many positions."""
    found: dict[int, tuple[Roll, ...]] = {}
    for first, numbers in batches(positions):
        part = first.ruleset.slices["chance"]
        if not part.parts:
            continue
        facts = facts_of(positions, numbers)
        atoms = batch.solve(part, facts, first.geometry)
        rows, told = by_situation(atoms["chance"], 3), by_situation(atoms["about"], 2)
        if not rows:
            continue
        facts = facts_of(positions, rows)
        facts += [Function("asked", [row[0], row[3]]) for here in rows.values() for row in here]
        allowed = by_situation(ask("asked", first, facts)["legal"], 1)
        for number, here in rows.items():
            legal = {row[0] for row in allowed.get(number, ())}
            found[number] = rolls_in(here, legal, told.get(number, ()))
    return tuple(found.get(number, ()) for number in range(len(positions)))


def rolls_in(
    rows: Iterable[Sequence[Symbol]],
    allowed: set[Symbol],
    told: Iterable[Sequence[Symbol]] = (),
) -> tuple[Roll, ...]:
    """The rolls of one position, from the arguments of its atoms `chance` and what is legal.

    With those of `about`, what they are rolled for is *told*.
    """
    odds: dict[Symbol, dict[Symbol, Fraction]] = defaultdict(dict)
    rules: dict[Symbol, set[str]] = defaultdict(set)
    for outcome, part, whole, _, rule in rows:
        what = _without_last(outcome)
        share = _share(outcome, part, whole)
        if not share:
            continue  # a number of ways that is worked out may come to none
        if odds[what].setdefault(outcome, share) != share:
            raise RulesetError(Fault(f"the odds of {text_of(outcome)} are told in two ways"))
        rules[what].add(rule.name)
    about: dict[Symbol, set[Symbol]] = defaultdict(set)
    for outcome, matter, *_ in told:
        about[_without_last(outcome)].add(matter)
    rolls = []
    for what in sorted(odds, key=order):
        total = sum(odds[what].values())
        named = f"the roll {text_of(what)} ({', '.join(sorted(rules[what]))})"
        if total != 1:
            raise RulesetError(Fault(f"the odds of {named} add up to {total}, not to 1"))
        legal = odds[what].keys() & allowed
        if not legal:
            continue
        if len(legal) < len(odds[what]):
            other = min(odds[what].keys() - legal, key=order)
            raise RulesetError(Fault(f"{named} may bring {text_of(other)}, which is not legal"))
        outcomes = [(Term(outcome), odds[what][outcome]) for outcome in sorted(legal, key=order)]
        matters = tuple(map(Term, sorted(about[what], key=order)))
        rolls.append(Roll(Term(what), tuple(outcomes), min(rules[what]), matters))
    return tuple(rolls)


def _without_last(outcome: Symbol) -> Symbol:
    """What is rolled: an outcome without its last argument."""
    if outcome.type != SymbolType.Function or not outcome.arguments:
        raise RulesetError(Fault(f"{text_of(outcome)} has odds but is no action"))
    return Function(outcome.name, outcome.arguments[:-1])


def _share(outcome: Symbol, part: Symbol, whole: Symbol) -> Fraction:
    """The odds of one outcome."""
    told = f"the odds of {text_of(outcome)} are {text_of(part)}/{text_of(whole)}"
    amount, total = _count(part), _count(whole)
    if amount is None or total is None or amount < 0 or total <= 0:
        raise RulesetError(Fault(f"{told}, not above 0"))
    if amount == 0 and part.type == SymbolType.Number:
        raise RulesetError(Fault(f"{told}, not above 0"))
    from fractions import Fraction  # not at the top: few positions have a roll

    return Fraction(amount, total)


COUNTS: dict[str, Callable[[int, int], int]] = {
    "choose": lambda n, k: comb(n, k) if n >= 0 and k >= 0 else 0,
    "plus": add,
    "minus": sub,
    "times": mul,
}


def _count(term: Symbol) -> int | None:
    """The number that is told, as itself or as a term of COUNTS: numbers of ways may be large."""
    if term.type == SymbolType.Number:
        return term.number
    if term.type != SymbolType.Function or len(term.arguments) != 2 or term.name not in COUNTS:
        return None
    one, other = map(_count, term.arguments)
    return None if one is None or other is None else COUNTS[term.name](one, other)


def seeded(seed: str) -> Dice:
    """Dice that fall by the odds, and for one *seed* always and everywhere in the same way."""
    from fractions import Fraction
    from random import Random

    source = Random(seed)

    def thrown(roll: Roll) -> Term:
        whole = lcm(*(odds.denominator for _, odds in roll.outcomes))
        at = Fraction(source.randrange(whole), whole)
        for outcome, odds in roll.outcomes:
            if at < odds:
                return outcome
            at -= odds
        raise AssertionError("odds add up to 1")

    return thrown
