"""Chance as an actor: the rolls that are due, and dice that make them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence, Set
from fractions import Fraction
from math import lcm
from random import Random

from clingo import Function, Symbol, SymbolType

from pymorph.dynamics.asking.batch import Arguments, ask, batches, by_situation, facts_of, situation
from pymorph.dynamics.results import Roll
from pymorph.errors import RulesetError
from pymorph.runtime.arguments import checked
from pymorph.state.position import Position
from pymorph.terms import Term, order, text_of

Dice = Callable[[Roll], Term]


@checked
def rolls_due(position: Position) -> tuple[Roll, ...]:
    """The rolls and draws that come before any other action in *position*, sorted.

    Several may be due at once, to be made in any order.
    Raises: RulesetError, where the odds of a roll do not add up to 1.

    >>> import pymorph
    >>> position = pymorph.Position.load("examples/positions/spear_against_mail.yaml")
    >>> roll = pymorph.rolls_due(pymorph.apply(position, "advance(lathana, 3)").position)[0]
    >>> str(roll.what), len(roll.outcomes), str(roll.outcomes[0][1])
    ('roll_breakage(chance, baganal, leather_jerkin)', 10, '1/10')
    """
    if not any(True for _ in position.ruleset.giving("pause", ("chance", 5))):
        return ()
    atoms = ask("pause", position, position.facts(situation(0)))
    return rolls_with([position], [[atom.arguments for atom in atoms["chance"]]])[0]


def rolls_with(
    positions: Sequence[Position], rows: Sequence[Sequence[Arguments]]
) -> tuple[tuple[Roll, ...], ...]:
    """The rolls in each of some positions, from the arguments of its atoms `chance`."""
    found: dict[int, tuple[Roll, ...]] = {}
    rolling = [number for number, here in enumerate(rows) if here]
    asked = [positions[number] for number in rolling]
    for first, numbers in batches(asked):
        facts = facts_of(asked, numbers)
        for n in numbers:
            facts += [Function("asked", [row[0], situation(n)]) for row in rows[rolling[n]]]
        atoms = ask("asked", first, facts)
        legal, told = by_situation(atoms["legal"], 1), by_situation(atoms["about"], 2)
        for n in numbers:
            allowed = {row[0] for row in legal.get(n, ())}
            found[rolling[n]] = rolls_in(rows[rolling[n]], allowed, told.get(n, ()))
    return tuple(found.get(number, ()) for number in range(len(positions)))


def rolls_in(
    rows: Iterable[Sequence[Symbol]], allowed: Set[Symbol], told: Iterable[Sequence[Symbol]] = ()
) -> tuple[Roll, ...]:
    """The rolls of one position, from the arguments of its atoms `chance` and what is legal.

    With those of `about`, what they are rolled for is *told*.
    """
    odds: dict[Symbol, dict[Symbol, Fraction]] = defaultdict(dict)
    rules: dict[Symbol, set[str]] = defaultdict(set)
    for outcome, part, whole, _, rule in rows:
        what = _without_last(outcome)
        share = _share(outcome, part, whole)
        if odds[what].setdefault(outcome, share) != share:
            raise RulesetError(f"two different odds for {text_of(outcome)}")
        rules[what].add(rule.name)
    about: dict[Symbol, set[Symbol]] = defaultdict(set)
    for outcome, matter, *_ in told:
        about[_without_last(outcome)].add(matter)
    rolls = []
    for what in sorted(odds, key=order):
        total = sum(odds[what].values())
        named = f"the roll {text_of(what)} ({', '.join(sorted(rules[what]))})"
        if total != 1:
            raise RulesetError(f"the odds of {named} add up to {total}, not to 1")
        legal = odds[what].keys() & allowed
        if not legal:
            continue
        if len(legal) < len(odds[what]):
            other = min(odds[what].keys() - legal, key=order)
            raise RulesetError(f"{named} can result in {text_of(other)}, which is not legal")
        outcomes = [(Term(outcome), odds[what][outcome]) for outcome in sorted(legal, key=order)]
        matters = tuple(map(Term, sorted(about[what], key=order)))
        rolls.append(Roll(Term(what), tuple(outcomes), min(rules[what]), matters))
    return tuple(rolls)


def _without_last(outcome: Symbol) -> Symbol:
    """What is rolled: an outcome without its last argument."""
    if outcome.type != SymbolType.Function or not outcome.arguments:
        raise RulesetError(f"{text_of(outcome)} has odds but is not an action")
    return Function(outcome.name, outcome.arguments[:-1])


def _share(outcome: Symbol, part: Symbol, whole: Symbol) -> Fraction:
    """The odds of one outcome."""
    numbers = part.type == whole.type == SymbolType.Number
    if not numbers or part.number <= 0 or whole.number <= 0:
        told = f"{text_of(part)}/{text_of(whole)}"
        raise RulesetError(f"the odds of {text_of(outcome)} are {told}, not above 0")
    return Fraction(part.number, whole.number)


@checked
def seeded(seed: str | int) -> Dice:
    """Dice that follow the odds; the same *seed* gives the same rolls on every machine.

    >>> import pymorph
    >>> position = pymorph.Position.load("examples/positions/spear_against_mail.yaml")
    >>> outcome = pymorph.apply(position, "advance(lathana, 3)", dice=pymorph.seeded("7"))
    >>> outcome.rolls
    (Term('roll_breakage(chance, baganal, leather_jerkin, 10)'),)
    """
    source = Random(str(seed))

    def thrown(roll: Roll) -> Term:
        whole = lcm(*(odds.denominator for _, odds in roll.outcomes))
        at = Fraction(source.randrange(whole), whole)
        for outcome, odds in roll.outcomes:
            if at < odds:
                return outcome
            at -= odds
        raise AssertionError("odds add up to 1")

    return thrown
