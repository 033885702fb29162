"""Every way in which rolls may come out, with exact odds, by breadth."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import NamedTuple

from clingo import Symbol

from pymorph.dynamics.asking.endings import outcomes_of
from pymorph.dynamics.asking.steps import Refusal
from pymorph.dynamics.carrying import Carrier, Leg
from pymorph.dynamics.outcomes import Branch, Change, Event, EventOdds, Odds, common_events
from pymorph.dynamics.results import Roll, ours_about
from pymorph.errors import Fault, InputError, RulesetError
from pymorph.explore.execution.application import apply, meant
from pymorph.explore.sampling.policies import Inclinations, Seats
from pymorph.state.position import Position, of_position
from pymorph.terms import Term, brief, order

MAX_BRANCHES = 10_000
CHUNK, SMALL_CHUNK = 2000, 200  # outcomes of rolls at once; fewer where somebody is told so far
EVERY = 0.5  # seconds after which it is said again what there is so far
MAX_DEPTH = 20  # rolls that follow one another
MAX_FOLLOWED = 200  # actions by a policy
EVERYBODY = "everybody"

Changed = dict[Term, tuple[str, ...]]  # the rules by which a fluent changed
Rolled = dict[tuple[Term, int], frozenset[Term]]  # outcomes by roll and its number among its like
Met = dict[Term, Fraction]  # how likely it is that an event came about on the way, and one is here


@brief
@dataclass(frozen=True, slots=True)
class RollPath:
    """One way in which things may go, or several that come to the same.

    *agenda* is what is left of the action in hand, *rest* what is left undone; *held* is what goes
    on after the *pending* rolls. *combinations* is the number of ways drawn together, 0 where they
    are made of different rolls.
    """

    position: Position
    probability: Fraction = Fraction(1)
    agenda: tuple[Symbol, ...] = ()
    rest: tuple[Symbol, ...] = ()
    held: tuple[Symbol, ...] = ()
    rolls: Rolled = field(default_factory=dict)
    combinations: int = 1
    changes: Changed = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    pending: tuple[Roll, ...] = ()
    met: Met = field(default_factory=dict)
    cited: Changed = field(default_factory=dict)  # the rules of those events


class TooManyWays(InputError):
    """Rolls may come out in more ways than are followed."""


class Watcher(NamedTuple):
    """What is *kept* now and then: the ways that are at their end, and those that are not.

    Beside those in hand are some that have *ended*, and *others*; where play goes *on* after what
    is in hand, none of that has ended.
    """

    kept: Callable[[list[RollPath], list[RollPath]], None] | None = None
    ended: tuple[RollPath, ...] = ()
    others: tuple[RollPath, ...] = ()
    on: bool = False

    @property
    def chunk(self) -> int:
        return CHUNK if self.kept is None else SMALL_CHUNK

    def beside(self, done: Iterable[RollPath]) -> Watcher:
        """The same, with more ways of which what is in hand is done."""
        if self.kept is None:
            return self
        if self.on:
            return self._replace(others=(*self.others, *done))
        return self._replace(ended=(*self.ended, *done))

    def see(self, done: Sequence[RollPath], going: Sequence[RollPath]) -> None:
        """Keep what there is, with ways of which what is in hand is done, and others."""
        if self.kept is not None:
            ended = [way for way in done if not (self.on or way.agenda)]
            more = [way for way in done if self.on or way.agenda]
            self.kept([*self.ended, *ended], [*self.others, *more, *going])


NOBODY = Watcher()
Throw = tuple[RollPath, Roll, Term, Fraction]  # where, what is rolled, one outcome, its odds


@of_position
def odds(
    position: Position,
    *actions: Term | str,
    policies: str | Mapping[str, str] = "",
) -> Odds:
    """All results of *actions*, by the outcomes of rolls, with exact odds that add up to 1.

    Then whoever has to act follows a policy: one for everybody, or those of *policies* by name of
    who plays, such as a player or a character. It ends where none of them is inclined to anything.

    Rolls that lead to the same position are one branch. An action that is not legal in some
    branches is left undone there. After 20 rolls in a row a branch ends with the next one pending.
    Raises: IllegalAction or Unsettled, if an action is legal in no branch; InputError, if there are
    more than 10,000 branches; UnknownName, if there is no such policy.
    """
    return odds_in_parts(position, actions, policies)


def odds_in_parts(
    position: Position,
    actions: Sequence[Term | str],
    policies: str | Mapping[str, str] = "",
    kept: Callable[[Odds], None] | None = None,
) -> Odds:
    """The same; *kept* is given an answer of what there is so far, each time after a while."""
    seats = Seats(position, policies) if policies else None
    before = apply(position if seats is None else seats.told())
    told = {change.fluent: change.rules for change in before.changes}
    begun, unfinished = before.position.with_unfinished(()), before.position.unfinished
    ways = [_with_events(RollPath(begun, agenda=unfinished, changes=told), before.events)]
    terms: list[Term] = []
    carrier = Carrier(position.ruleset)
    due = 0.0

    def keep(finished: list[RollPath], going: list[RollPath]) -> None:
        nonlocal due
        began = time.monotonic()
        if kept is not None and began >= due:
            rows = (finished, list(map(_cut_off, going)))
            kept(_answer(position, terms, rows, policies, seats)._replace(partial=True))
            due = time.monotonic() + max(EVERY, 4 * (time.monotonic() - began))

    stages = len(actions) + (seats is not None)
    watcher = NOBODY if kept is None else Watcher(keep, on=stages > 0)
    try:
        ways = _carried_out(_after_rolls(ways, carrier, watcher), carrier, None, watcher)
        for number, action in enumerate(actions, 1):
            watcher = watcher._replace(on=number < stages)
            term = meant(ways[0].position, action)
            terms.append(term)
            acting = [replace(way, agenda=(term.symbol,), pending=()) for way in ways]
            ways = _carried_out(acting, carrier, term, watcher)
        if seats is not None:
            ways = _by_policy(ways, seats, carrier, watcher)
    except TooManyWays as error:
        empty = " or ".join(seats.empty()) if seats is not None else ""
        if not empty:
            raise
        raise InputError(Fault(f"{error}; no policy plays {empty}")) from None
    return _answer(position, terms, (ways, []), policies, seats)


def _cut_off(way: RollPath) -> RollPath:
    """A way that is not followed to its end, with what is left of it to go on with."""
    return replace(way, agenda=(), held=(*way.agenda, *way.held))


def _answer(
    position: Position,
    terms: Sequence[Term],
    rows: tuple[Sequence[RollPath], Sequence[RollPath]],
    policies: str | Mapping[str, str],
    seats: Seats | None,
) -> Odds:
    """The answer: ways that are at their end, and ways that are not."""
    branches = [_branch(position, way) for way in rows[0]]
    endings = outcomes_of([branch.position for branch in branches])
    branches = [b._replace(outcome=end) for b, end in zip(branches, endings, strict=True)]
    branches += [_branch(position, way)._replace(unfinished=True) for way in rows[1]]
    branches.sort(key=_by_rolls)
    named = [*terms, *(event.event for branch in branches for event in branch.events)]
    usual = [fluent.default for fluent in position.ruleset.vocabulary.fluents.values()]
    return Odds(
        position.ruleset,
        tuple(terms),
        tuple(branches),
        _in_some([*rows[0], *rows[1]]),
        {EVERYBODY: policies} if isinstance(policies, str) and policies else policies or {},
        seats.texts if seats else {},
        ours_about(position, [*(term.symbol for term in named), *usual]),
    )


def _in_some(ways: Sequence[RollPath]) -> tuple[EventOdds, ...]:
    """The events that come about on some of the ways and not on others."""
    likely: Met = {}
    cited: Changed = {}
    for way in ways:
        likely = _sum(likely, way.met)
        cited = _with_rules(cited, way.cited)
    return tuple(
        EventOdds(event, share, cited[event]) for event, share in likely.items() if share < 1
    )


def _by_policy(
    ways: Sequence[RollPath], seats: Seats, carrier: Carrier, watcher: Watcher
) -> list[RollPath]:
    """What comes of each way by the policies of those who have to act there."""
    inclinations = Inclinations(seats.position.ruleset)
    finished: list[RollPath] = []
    going = list(ways)
    for _ in range(MAX_FOLLOWED):
        able = [way for way in going if not way.pending]
        finished += [way for way in going if way.pending]
        watcher.see(finished, able)
        next_one = watcher.beside(finished)._replace(on=True)
        inclinations.look([way.position for way in able])
        wishes = [seats.wishes(inclinations.of(way.position)) for way in able]
        wished = [(w.position, each) for w, row in zip(able, wishes, strict=True) for each in row]
        steps = carrier.steps(wished)
        legal = {p for p, step in zip(wished, steps, strict=True) if not isinstance(step, Refusal)}
        acting = []
        for way, row in zip(able, wishes, strict=True):
            wish = next((wish for wish in row if (way.position, wish) in legal), None)
            if wish is None:
                finished.append(way)
            else:
                acting.append(replace(way, agenda=(wish,)))
        if not acting:
            return _merge(finished)
        going = _carried_out(acting, carrier, None, next_one)
    raise InputError(Fault(f"the policy leads to more than {MAX_FOLLOWED} actions"))


def _carried_out(
    ways: Sequence[RollPath],
    carrier: Carrier,
    action: Term | None,
    watcher: Watcher,
) -> list[RollPath]:
    """What comes of what each way has on its agenda; of *action*, if it is that on all of them."""
    going = [way for way in ways if way.agenda]
    finished = [way for way in ways if not way.agenda]
    while going:
        legs = [Leg(way.position, (*way.agenda, *way.held)) for way in going]
        carrier.carry_on(legs)
        if action is not None and not any(leg.links for leg in legs):
            apply(ways[0].position, action)  # says why it is not legal
        action = None
        after = [_taken_on(way, leg) for way, leg in zip(going, legs, strict=True)]
        rolled = _after_rolls(after, carrier, watcher.beside(finished))
        finished += [way for way in rolled if not way.agenda]
        going = [way for way in rolled if way.agenda]
    return _merge(finished)


def _after_rolls(ways: Iterable[RollPath], carrier: Carrier, watcher: Watcher) -> list[RollPath]:
    """What comes of the rolls that are due in some ways, and of those that they call for."""
    finished: list[RollPath] = []
    going = _merge(ways)
    for depth in range(MAX_DEPTH + 1):
        throws: list[Throw] = []
        watcher.see(finished, going)
        for way, due in zip(going, carrier.rolls([way.position for way in going]), strict=True):
            if not due:
                finished.append(way)
            elif depth == MAX_DEPTH:
                finished.append(replace(way, agenda=(), held=way.agenda, pending=due))
            else:
                throws += [(way, due[0], outcome, share) for outcome, share in due[0].outcomes]
        if not throws:
            break
        going = []
        for start in range(0, len(throws), watcher.chunk):
            end = start + watcher.chunk
            going = _merge([*going, *_after_throws(throws[start:end], carrier)])
            watcher.see(finished, [*going, *_not_thrown(throws[end:])])
            if len(going) + len(finished) > MAX_BRANCHES:
                many = f"{MAX_BRANCHES:,}"
                raise TooManyWays(Fault(f"the rolls have more than {many} outcomes"))
    return _merge(finished)


def _not_thrown(throws: Iterable[Throw]) -> list[RollPath]:
    """The ways of which a roll is still to be made, as likely as the outcomes that are left."""
    left: dict[int, Fraction] = {}
    found: dict[int, tuple[RollPath, Roll]] = {}
    for way, roll, _, share in throws:
        left[id(way)] = left.get(id(way), Fraction(0)) + share
        found[id(way)] = way, roll
    return [
        replace(
            way,
            probability=way.probability * left[name],
            pending=(roll,),
            met={event: likely * left[name] for event, likely in way.met.items()},
        )
        for name, (way, roll) in found.items()
    ]


def _after_throws(throws: Sequence[Throw], carrier: Carrier) -> Iterator[RollPath]:
    """Each way after its roll, with what follows of itself."""
    legs = [Leg(way.position, (outcome.symbol,)) for way, _, outcome, _ in throws]
    carrier.carry_on(legs)
    for (way, roll, outcome, share), leg in zip(throws, legs, strict=True):
        if leg.position == way.position:
            raise RulesetError(Fault(f"the roll {outcome} changes nothing"))
        number = sum(what == roll.what for what, _ in way.rolls)
        after = replace(
            way,
            probability=way.probability * share,
            rolls={**way.rolls, (roll.what, number): frozenset({outcome})},
            met={event: likely * share for event, likely in way.met.items()},
        )
        yield _after_leg(after, leg)


def _end(way: RollPath) -> RollPath:
    """The way with what is left of the action in hand left undone."""
    return replace(way, agenda=(), rest=(*way.rest, *way.agenda))


def _taken_on(way: RollPath, leg: Leg) -> RollPath:
    """The way after what it has on its agenda; what a roll holds up waits on if that is refused."""
    if way.held and not leg.links:
        return replace(way, agenda=way.held, held=(), rest=(*way.rest, *way.agenda))
    return _after_leg(replace(way, agenda=leg.agenda, held=()), leg)


def _after_leg(way: RollPath, leg: Leg) -> RollPath:
    """The way after some more steps."""
    changes = way.changes
    for link in leg.links:
        for change in link.changes:
            changes = _with_rules(changes, {change.fluent: change.rules})
    gone = _with_events(replace(way, position=leg.position, changes=changes), leg.events)
    return _end(gone) if leg.stopped else gone


def _with_events(way: RollPath, events: Sequence[Event]) -> RollPath:
    """The way, on all of which these have come about as well."""
    met, cited = dict(way.met), way.cited
    for event, rule, _ in events:
        met[event] = way.probability
        cited = _with_rules(cited, {event: (rule,)})
    return replace(way, events=(*way.events, *events), met=met, cited=cited)


def _merge(ways: Iterable[RollPath]) -> list[RollPath]:
    """The ways, those that lead to the same position with the same left to do drawn together."""
    found: dict[object, RollPath] = {}
    for way in ways:
        key = (way.position, way.agenda, way.rest, way.held)
        found[key] = _merge_two(found[key], way) if key in found else way
    return list(found.values())


def _merge_two(one: RollPath, other: RollPath) -> RollPath:
    """Two ways to the same position as one."""
    alike = one.rolls.keys() == other.rolls.keys() and one.combinations and other.combinations
    rolls = dict(one.rolls)
    for key, outcomes in other.rolls.items():
        rolls[key] = rolls.get(key, frozenset()) | outcomes
    return replace(
        one,
        probability=one.probability + other.probability,
        rolls=rolls,
        combinations=one.combinations + other.combinations if alike else 0,
        changes=_with_rules(one.changes, other.changes),
        events=common_events(one.events, other.events),
        met=_sum(one.met, other.met),
        cited=_with_rules(one.cited, other.cited),
    )


def _sum(one: Met, other: Met) -> Met:
    """What is told of both, added up."""
    found = dict(one)
    for key, share in other.items():
        found[key] = found.get(key, 0) + share
    return found


def _with_rules(one: Changed, other: Changed) -> Changed:
    """The fluents that changed, each with the rules of both."""
    changes = dict(one)
    for fluent, rules in other.items():
        changes[fluent] = tuple(dict.fromkeys((*changes.get(fluent, ()), *rules)))
    return changes


def _by_rolls(branch: Branch) -> tuple[object, ...]:
    return tuple(tuple(order(outcome.symbol) for outcome in row) for row in branch.rolls)


def _branch(start: Position, way: RollPath) -> Branch:
    changes = []
    for fluent, rules in sorted(way.changes.items()):
        before, after = _value(start, fluent), _value(way.position, fluent)
        if before != after:
            changes.append(Change(fluent, before, after, rules))
    rolls = tuple(tuple(sorted(outcomes)) for outcomes in way.rolls.values())
    return Branch(
        way.probability,
        rolls,
        way.combinations == prod(map(len, rolls)),
        way.position.with_unfinished(way.held),
        tuple(changes),
        way.events,
        tuple(map(Term, (*way.rest, *way.held))),
        way.pending,
    )


def _value(position: Position, fluent: Term) -> Term:
    return Term(position.fluents.get(fluent.symbol, position.default(fluent.symbol)))
