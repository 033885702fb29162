"""All outcomes of rolls, with exact odds, breadth first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import NamedTuple

from clingo import Symbol

from pymorph.dynamics.asking.batch import BATCH
from pymorph.dynamics.asking.endings import outcomes_of
from pymorph.dynamics.asking.steps import Refusal
from pymorph.dynamics.carrying import SuccessorGenerator, Trajectory
from pymorph.dynamics.outcomes import Branch, Change, Event, EventOdds, Odds, common_events
from pymorph.dynamics.results import Roll, ours_about
from pymorph.errors import InputError, RulesetError
from pymorph.explore.execution.application import apply, meant
from pymorph.explore.sampling.game_statistics import Pace
from pymorph.explore.sampling.policies import Players
from pymorph.ruleset.loader import Ruleset
from pymorph.runtime.arguments import checked
from pymorph.state.position import Position, value_of
from pymorph.terms import Term, order

EVERYBODY = "everybody"

Rules = tuple[str, ...]
Happened = dict[Term, tuple[Fraction, Rules]]  # events, each with its share and its rules
Rolled = dict[tuple[Term, int], frozenset[Term]]  # outcomes by roll and its number among its like


class RollLimits(NamedTuple):
    """How far rolls are followed."""

    branches: int = 10_000
    depth: int = 20  # rolls that follow one another
    actions: int = 200  # by a policy


LIMITS = RollLimits()


@dataclass(frozen=True, slots=True)
class RollPath:
    """Actions with one outcome of each roll, or several such paths to the same position.

    *actions* are still to be carried out; those of *undone* are left undone, and those that are
    *postponed* go on after the *pending* rolls. *combinations* is the number of paths, 0 where they
    have different rolls. *happened* has each event that happened on some of them, with the share of
    these, and its rules.
    """

    position: Position
    probability: Fraction = Fraction(1)
    actions: tuple[Symbol, ...] = ()
    undone: tuple[Symbol, ...] = ()
    postponed: tuple[Symbol, ...] = ()
    rolls: Rolled = field(default_factory=dict)
    combinations: int = 1
    changes: dict[Term, Rules] = field(default_factory=dict)  # the rules by which fluents changed
    events: tuple[Event, ...] = ()  # those that happened on all of them
    pending: tuple[Roll, ...] = ()
    happened: Happened = field(default_factory=dict)


class TooManyBranches(InputError):
    """Rolls have more outcomes than are followed."""


OnPaths = Callable[[list[RollPath], list[RollPath]], None]
Throw = tuple[RollPath, Roll, Term, Fraction]  # where, the roll, one outcome, its odds


@checked
def odds(position: Position, *actions: Term | str, policies: str | Mapping[str, str] = "") -> Odds:
    """All results of *actions*, by the outcomes of rolls, with exact odds that add up to 1.

    Then whoever has to act follows a policy: one for everybody, or those of *policies* by name of
    who plays, such as a player or a character. It ends where none of them is inclined to anything.

    Rolls that lead to the same position are one branch. An action that is not legal in some
    branches is left undone there. After 20 rolls in a row a branch ends with the next one pending.
    Raises: IllegalAction or Unsettled, if an action is legal in no branch; InputError, if there are
    more than 10,000 branches; UnknownName, if there is no such policy.

    >>> import pymorph
    >>> position = pymorph.Position.load("examples/positions/spear_against_mail.yaml")
    >>> answer = pymorph.odds(position, "advance(lathana, 3)")
    >>> [(str(event.event), str(event.probability)) for event in answer.events]
    [('holds_out(baganal, leather_jerkin)', '1/2'), ('breaks(baganal, leather_jerkin)', '1/2')]
    """
    return odds_in_parts(position, actions, policies)


def odds_in_parts(
    position: Position,
    actions: Sequence[Term | str],
    policies: str | Mapping[str, str] = "",
    kept: Callable[[Odds], None] | None = None,
) -> Odds:
    """The same; *kept* is given an answer of what there is so far, each time after a while."""
    players = Players(position, policies) if policies else None
    before = apply(position if players is None else players.told())
    terms: list[Term] = []

    def answer(ended: Sequence[RollPath], going: Sequence[RollPath] = ()) -> Odds:
        by = {EVERYBODY: policies} if isinstance(policies, str) and policies else policies or {}
        means = players.texts if players else {}
        return _answer(position, terms, ended, going)._replace(policies=by, means=means)

    def report(ended: list[RollPath], going: list[RollPath]) -> None:
        assert kept is not None
        cut = [replace(p, actions=(), postponed=(*p.actions, *p.postponed)) for p in going]
        kept(answer(ended, cut)._replace(partial=True))

    begun, unfinished = before.position.with_unfinished(()), before.position.unfinished
    changes = {change.fluent: change.rules for change in before.changes}
    start = _with_events(RollPath(begun, actions=unfinished, changes=changes), before.events)
    stages = len(actions) + (players is not None)
    tree = RollTree(position.ruleset, report if kept else None)
    tree.going_on = stages > 0
    try:
        paths = tree.carried_out(tree.after_rolls([start]))
        for number, action in enumerate(actions, 1):
            tree.going_on = number < stages
            term = meant(paths[0].position, action)
            terms.append(term)
            acting = [replace(path, actions=(term.symbol,), pending=()) for path in paths]
            paths = tree.carried_out(acting, term)
        if players is not None:
            paths = tree.by_policy(paths, players)
    except TooManyBranches as error:
        empty = " or ".join(players.empty()) if players is not None else ""
        if not empty:
            raise
        raise InputError(f"{error}; no policy plays {empty}") from None
    return answer(paths)


def _answer(
    position: Position, terms: Sequence[Term], ended: Sequence[RollPath], going: Sequence[RollPath]
) -> Odds:
    """The answer: paths that are at their end, and paths that are not."""
    branches = [_branch(position, path) for path in ended]
    endings = outcomes_of([branch.position for branch in branches])
    branches = [b._replace(outcome=end) for b, end in zip(branches, endings, strict=True)]
    branches += [_branch(position, path)._replace(unfinished=True) for path in going]
    branches.sort(key=lambda b: [[order(outcome.symbol) for outcome in row] for row in b.rolls])
    named = [*terms, *(event.event for branch in branches for event in branch.events)]
    usual = [fluent.default for fluent in position.ruleset.vocabulary.fluents.values()]
    happened: Happened = {}
    for path in (*ended, *going):
        happened = _added(happened, path.happened, path.probability)
    events = tuple(EventOdds(event, *of) for event, of in happened.items() if of[0] < 1)
    ours = ours_about(position, [*(term.symbol for term in named), *usual])
    return Odds(position.ruleset, tuple(terms), tuple(branches), events, ours=ours)


class RollTree:
    """Expands paths by the outcomes of rolls.

    *report*, if there is one, is given the paths that are at their end, and all others, now and
    then. None is at its end where play is *going_on* after the action in hand.
    """

    def __init__(self, ruleset: Ruleset, report: OnPaths | None) -> None:
        self._carrier = SuccessorGenerator(ruleset)
        self._report = report
        self._pace = Pace()
        self.going_on = False

    def _show(self, done: Iterable[RollPath], going: Sequence[RollPath]) -> None:
        """Report the paths that are done with the action in hand, and others, if it is time to."""
        if self._report is None or not self._pace.due:
            return
        ended, others = list[RollPath](), list[RollPath]()
        for path in done:
            (others if self.going_on or path.actions else ended).append(path)
        with self._pace:
            self._report(ended, [*others, *going])

    def by_policy(self, paths: Sequence[RollPath], players: Players) -> list[RollPath]:
        """The result of each path by the policies of those who have to act there."""
        done: list[RollPath] = []
        going = list(paths)
        for _ in range(LIMITS.actions):
            able = [path for path in going if not path.pending]
            done += [path for path in going if path.pending]
            self._show(done, able)
            choices = players.choices([path.position for path in able])
            pairs = zip(able, choices, strict=True)
            wished = [(path.position, each) for path, row in pairs for each in row]
            steps = zip(wished, self._carrier.steps(wished), strict=True)
            legal = {pair for pair, step in steps if not isinstance(step, Refusal)}
            acting = []
            for path, row in zip(able, choices, strict=True):
                choice = next((each for each in row if (path.position, each) in legal), None)
                if choice is None:
                    done.append(path)
                else:
                    acting.append(replace(path, actions=(choice,)))
            if not acting:
                return _merge(done)
            going = self.carried_out(acting, None, done)
        raise InputError(f"the policy leads to more than {LIMITS.actions} actions")

    def carried_out(
        self, paths: Sequence[RollPath], action: Term | None = None, beside: Sequence[RollPath] = ()
    ) -> list[RollPath]:
        """The paths after their actions; after *action*, if that is the one of all of them.

        What is reported has the paths *beside*, too.
        """
        going = [path for path in paths if path.actions]
        done = [path for path in paths if not path.actions]
        while going:
            legs = [Trajectory(p.position, (*p.actions, *p.postponed)) for p in going]
            self._carrier.carry_on(legs)
            if action is not None and not any(leg.links for leg in legs):
                apply(paths[0].position, action)  # says why it is not legal
            action = None
            after = [_continued(path, leg) for path, leg in zip(going, legs, strict=True)]
            rolled = self.after_rolls(after, (*beside, *done))
            done += [path for path in rolled if not path.actions]
            going = [path for path in rolled if path.actions]
        return _merge(done)

    def after_rolls(
        self, paths: Iterable[RollPath], beside: Sequence[RollPath] = ()
    ) -> list[RollPath]:
        """The paths after the rolls that are due, and those that these call for."""
        done: list[RollPath] = []
        going = _merge(paths)
        for depth in range(LIMITS.depth + 1):
            throws: list[Throw] = []
            self._show((*beside, *done), going)
            rolls = self._carrier.rolls([path.position for path in going])
            for path, due in zip(going, rolls, strict=True):
                if not due:
                    done.append(path)
                elif depth == LIMITS.depth:
                    done.append(replace(path, actions=(), postponed=path.actions, pending=due))
                else:
                    throws += [(path, due[0], *outcome) for outcome in due[0].outcomes]
            if not throws:
                break
            going = []
            for start in range(0, len(throws), BATCH):
                end = start + BATCH
                going = _merge([*going, *self._after_throws(throws[start:end])])
                self._show((*beside, *done), [*going, *_not_thrown(throws[end:])])
                if len(going) + len(done) > LIMITS.branches:
                    many = f"the rolls have more than {LIMITS.branches:,} outcomes"
                    raise TooManyBranches(many)
        return _merge(done)

    def _after_throws(self, throws: Sequence[Throw]) -> Iterator[RollPath]:
        """Each path after its roll, with what follows automatically."""
        legs = [Trajectory(path.position, (outcome.symbol,)) for path, _, outcome, _ in throws]
        self._carrier.carry_on(legs)
        for (path, roll, outcome, share), leg in zip(throws, legs, strict=True):
            if leg.position == path.position:
                raise RulesetError(f"the roll {outcome} changes nothing")
            number = sum(what == roll.what for what, _ in path.rolls)
            rolls = {**path.rolls, (roll.what, number): frozenset({outcome})}
            yield _after_leg(replace(path, probability=path.probability * share, rolls=rolls), leg)


def _not_thrown(throws: Iterable[Throw]) -> list[RollPath]:
    """The paths of which a roll is still to be made, with the probability that is left."""
    left: dict[int, RollPath] = {}
    for path, roll, _, share in throws:
        old = left.get(id(path))
        more = path.probability * share + (old.probability if old else 0)
        left[id(path)] = replace(path, probability=more, pending=(roll,))
    return list(left.values())


def _continued(path: RollPath, leg: Trajectory) -> RollPath:
    """The path after its actions; those that a roll interrupted go on if these are refused."""
    if path.postponed and not leg.links:
        undone = (*path.undone, *path.actions)
        return replace(path, actions=path.postponed, postponed=(), undone=undone)
    return _after_leg(replace(path, actions=leg.pending, postponed=()), leg)


def _after_leg(path: RollPath, leg: Trajectory) -> RollPath:
    """The path after some more steps."""
    made = ((change.fluent, change.rules) for link in leg.links for change in link.changes)
    changes = _with_rules(path.changes, made)
    after = _with_events(replace(path, position=leg.position, changes=changes), leg.events)
    if not leg.stopped:
        return after
    return replace(after, actions=(), undone=(*after.undone, *after.actions))


def _with_events(path: RollPath, events: Sequence[Event]) -> RollPath:
    """The path, on all of which these events have happened as well."""
    happened = dict(path.happened)
    for event, rule, _ in events:
        _, rules = happened.get(event, (0, ()))
        happened[event] = Fraction(1), tuple(dict.fromkeys((*rules, rule)))
    return replace(path, events=(*path.events, *events), happened=happened)


def _merge(paths: Iterable[RollPath]) -> list[RollPath]:
    """The paths, those to the same position with the same left to do as one."""
    merged: dict[object, RollPath] = {}
    for path in paths:
        key = (path.position, path.actions, path.undone, path.postponed)
        merged[key] = _merge_two(merged[key], path) if key in merged else path
    return list(merged.values())


def _merge_two(one: RollPath, other: RollPath) -> RollPath:
    """Two paths to the same position as one."""
    alike = one.rolls.keys() == other.rolls.keys() and one.combinations and other.combinations
    rolls = dict(one.rolls)
    for key, outcomes in other.rolls.items():
        rolls[key] = rolls.get(key, frozenset()) | outcomes
    probability = one.probability + other.probability
    happened = _added({}, one.happened, one.probability / probability)
    return replace(
        one,
        probability=probability,
        rolls=rolls,
        combinations=one.combinations + other.combinations if alike else 0,
        changes=_with_rules(one.changes, other.changes.items()),
        events=common_events(one.events, other.events),
        happened=_added(happened, other.happened, other.probability / probability),
    )


def _added(one: Happened, other: Happened, weight: Fraction) -> Happened:
    """The shares and rules of events, with others of a weight added."""
    happened = dict(one)
    for event, (share, rules) in other.items():
        before, cited = happened.get(event, (Fraction(0), ()))
        happened[event] = before + share * weight, tuple(dict.fromkeys((*cited, *rules)))
    return happened


def _with_rules(one: dict[Term, Rules], other: Iterable[tuple[Term, Rules]]) -> dict[Term, Rules]:
    """The fluents that changed, each with the rules of both."""
    changes = dict(one)
    for fluent, rules in other:
        changes[fluent] = tuple(dict.fromkeys((*changes.get(fluent, ()), *rules)))
    return changes


def _branch(start: Position, path: RollPath) -> Branch:
    changes = []
    for fluent, rules in sorted(path.changes.items()):
        before, after = (Term(value_of(p, fluent.symbol)) for p in (start, path.position))
        if before != after:
            changes.append(Change(fluent, before, after, rules))
    rolls = tuple(tuple(sorted(outcomes)) for outcomes in path.rolls.values())
    every = path.combinations == prod(map(len, rolls))
    position = path.position.with_unfinished(path.postponed)
    rest = tuple(map(Term, (*path.undone, *path.postponed)))
    result = (position, tuple(changes), path.events, rest, path.pending)
    return Branch(path.probability, rolls, every, *result)
