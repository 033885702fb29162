"""What comes of actions, and its JSON shapes: changes, events, steps, branches with their odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from pymorph.answers import json_keys
from pymorph.dynamics.asking.endings import FollowUp, afterwards, outcome
from pymorph.dynamics.results import Awaited, Figure, GameOutcome, Reason, Roll, Why, ours_in
from pymorph.ruleset.loader import Ruleset
from pymorph.state.position import Position
from pymorph.terms import Term

WRITTEN = {"position": "position.data", "line": "position.line"}  # as a file has it, and in a line


@json_keys(paths={"from": "before._plain", "to": "after._plain"}, without=["before", "after"])
class Change(NamedTuple):
    """A fluent whose value changed, and the rules that changed it."""

    fluent: Term
    before: Term
    after: Term
    rules: tuple[str, ...]


@json_keys(optional=["text"])
class Event(NamedTuple):
    """What happened, the rule that says so, and the ruleset's text for it."""

    event: Term
    rule: str
    text: str = ""


@json_keys()
class Happening(NamedTuple):
    """An event that happened: in which *step* (*settled* if it was a forced one), of which
    *action*, if one was carried out, and in which *move* of a record."""

    event: Term
    rules: tuple[str, ...]
    step: Term
    settled: bool = False
    action: Term | None = None
    move: int | None = None


@json_keys(paths={"value": "value._plain"})
class Fact(NamedTuple):
    """A fluent with its value, and the step that set it, if one is known."""

    fluent: Term
    value: Term
    step: Term | None = None
    move: int | None = None


@json_keys()
class Unmet(NamedTuple):
    """A rule that could have caused an event in a *step*: what was *missing*, and what was
    *against* it; an argument `_` is any. If both are empty, its conditions did not hold at the same
    time. *figures* are those that it compares, or that are behind the step."""

    rule: str
    step: Term
    missing: tuple[Term, ...]
    against: tuple[Term, ...]
    figures: tuple[Figure, ...] = ()


@json_keys()
class Later(NamedTuple):
    """An event that happens after some *actions*, if all play by a *policy*."""

    policy: str
    actions: tuple[Term, ...]
    at: Happening


@json_keys(paths={"ours": "_ours"}, spread=["ruleset.edition"])
class WhyEvent(NamedTuple):
    """Why an event happened, or that it did not.

    If it *happens*, *at* is where, and *also* has where else; *happens* is None if that depends on
    the items in *depends_on*. *causes* are the events on which it depends, the nearest first, in
    its own step and before. *facts* are the fluents on which it depends, *without* is what must not
    hold for its rule, and *readings* has the option in force of each question that decides it.

    If it does not happen, *instead* has similar events, *unmet* the rules that could have caused
    it, and *rolling* the actions after which a roll is due. If the legal actions were searched,
    *tried* is their number, *over* has the rules that ended the game, *bringing* the rules that
    cause such events, and *later* is when it happens.
    """

    ruleset: Ruleset
    event: Term
    happens: bool | None
    at: Happening | None = None
    also: tuple[Happening, ...] = ()
    reasons: tuple[Reason, ...] = ()
    causes: tuple[Happening, ...] = ()
    figures: tuple[Figure, ...] = ()
    facts: tuple[Fact, ...] = ()
    without: tuple[Term, ...] = ()
    readings: Mapping[str, str] = MappingProxyType({})
    instead: tuple[Happening, ...] = ()
    unmet: tuple[Unmet, ...] = ()
    rolling: tuple[Term, ...] = ()
    depends_on: tuple[Term, ...] = ()
    tried: int | None = None
    over: tuple[str, ...] = ()
    bringing: tuple[str, ...] = ()
    later: Later | None = None

    @property
    def _ours(self) -> dict[str, str]:
        """The rules and cards in the figures that no source has so, each with its status."""
        return ours_in(self.ruleset, self.figures)


@json_keys(without=["position", "halted", "settled"])
class Step(NamedTuple):
    """One action carried out: its changes and events, and the position after it.

    *figures* explain its effects, with their values before it. A forced step is *settled*.
    """

    action: Term
    changes: tuple[Change, ...]
    events: tuple[Event, ...]
    position: Position
    halted: bool = False
    figures: tuple[Figure, ...] = ()
    settled: bool = False


@json_keys(
    also=["events"],
    paths={"ours": "_ours", "left_undone": "rest", **WRITTEN},
    without=["before"],
    spread=["ruleset.edition", "afterwards"],
)
class Outcome(NamedTuple):
    """The result of one or more actions: the position after them, with every step on the way.

    *rest* is what was left undone; its last part is what is *unfinished* in the position. *rolls*
    are the rolls that were given or made; *pending* are those that come before anything else now.
    *before* is the position before the last action.
    """

    ruleset: Ruleset
    actions: tuple[Term, ...]
    steps: tuple[Step, ...]
    position: Position
    changes: tuple[Change, ...]
    rest: tuple[Term, ...] = ()
    rolls: tuple[Term, ...] = ()
    pending: tuple[Roll, ...] = ()
    before: Position | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for step in self.steps for event in step.events)

    @property
    def ending(self) -> GameOutcome | None:
        """Who has won, if the game is over then."""
        return self.afterwards().outcome

    @property
    def awaited(self) -> tuple[Awaited, ...]:
        """What play waits for: the answers of others, or an entry."""
        return self.afterwards().awaited

    def afterwards(self) -> FollowUp:
        """Both, in one query."""
        if self.before is None or not self.actions or self.pending:
            return FollowUp((), outcome(self.position))
        return afterwards(self.before, self.actions[-1], self.position)

    @property
    def _ours(self) -> dict[str, str]:
        """The rules and cards in the figures that no source has so, each with its status."""
        return ours_in(self.ruleset, [figure for step in self.steps for figure in step.figures])


@json_keys(optional=["may"])
class IllegalStep(NamedTuple):
    """The action at which a line of play stops, and the rules that forbid it."""

    step: int
    action: Term
    rules: tuple[str, ...]
    depends_on: tuple[str, ...]
    may: tuple[str, ...] = ()


@json_keys(
    paths={"illegal": "_illegal"},
    without=["stopped", "why", "depends_on"],
    spread=["outcome"],
    optional=["illegal"],
)
class LineOfPlay(NamedTuple):
    """Several actions carried out as far as they go; *stopped* counts from 1, 0 where all went."""

    outcome: Outcome
    stopped: int = 0
    why: Why | None = None
    depends_on: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        return not self.stopped

    @property
    def _illegal(self) -> IllegalStep | None:
        """The step that is not legal, if there is one."""
        why = self.why
        if why is None:
            return None
        rules = tuple(sorted({reason.rule.id for reason in why.reasons}))
        return IllegalStep(self.stopped, why.action, rules, self.depends_on, why.may)


@json_keys(paths={"left_undone": "rest", **WRITTEN}, optional=["unfinished"])
class Branch(NamedTuple):
    """One result of the rolls, with its probability.

    *rolls* has for each roll on the way the outcomes that may lead here; if *every* is true, all
    combinations of them do, otherwise some. *events* are those that happen in each of these cases,
    by any rule. *pending* is what is still due if too many rolls follow one another. *outcome* is
    who has won, if the game is over. In a partial answer, a branch that was not followed to its end
    is *unfinished*.
    """

    probability: Fraction
    rolls: tuple[tuple[Term, ...], ...]
    every: bool
    position: Position
    changes: tuple[Change, ...]
    events: tuple[Event, ...]
    rest: tuple[Term, ...] = ()
    pending: tuple[Roll, ...] = ()
    outcome: GameOutcome | None = None
    unfinished: bool = False


@json_keys()
class EventOdds(NamedTuple):
    """An event that happens in some branches and not in others, and its probability."""

    event: Term
    probability: Fraction
    rules: tuple[str, ...]


@json_keys(
    spread=["ruleset.edition"],
    optional=["partial"],
    when=dict.fromkeys(("events", "policies", "means"), "policies"),
)
class Odds(NamedTuple):
    """All results of some actions, by the outcomes of rolls; the probabilities add up to 1.

    *events* are those that happen in some branches only. *policies* has for each player, or for
    `everybody`, the policy that is followed after the actions; *means* has the meaning of each
    policy. *ours* are the cards involved that are not from the source, with their status. If it was
    stopped before its end, it is *partial* and has unfinished branches: then the probabilities of
    events are lower bounds.
    """

    ruleset: Ruleset
    actions: tuple[Term, ...]
    branches: tuple[Branch, ...]
    events: tuple[EventOdds, ...] = ()
    policies: Mapping[str, str] = MappingProxyType({})
    means: Mapping[str, str] = MappingProxyType({})
    ours: Mapping[str, str] = MappingProxyType({})
    partial: bool = False

    def of(self, event: str) -> Fraction:
        """The probability of an event. Raises: KeyError, if it never happens."""
        for found in self.events:
            if found.event == event:
                return found.probability
        if any(found.event == event for found in self.branches[0].events):
            return Fraction(1)
        raise KeyError(event)


def combined(steps: Iterable[Step]) -> tuple[Change, ...]:
    """The changes of several steps as one: from the first value to the last, with all rules."""
    merged: dict[Term, Change] = {}
    for step in steps:
        for change in step.changes:
            first = merged.get(change.fluent, change)
            rules = tuple(dict.fromkeys((*first.rules, *change.rules)))
            merged[change.fluent] = Change(change.fluent, first.before, change.after, rules)
    return tuple(c for _, c in sorted(merged.items()) if c.before != c.after)


def common_events(one: Sequence[Event], other: Sequence[Event]) -> tuple[Event, ...]:
    """The events of *one* that come about in *other* as well, as often, by the rules of both."""
    mine, theirs = Counter(one), Counter(other)
    most = _by_event(mine) & _by_event(theirs)
    either = mine | theirs
    found: list[Event] = []
    for event in (*one, *other):
        if found.count(event) < min(either[event], most[event.event]):
            found.append(event)
    return tuple(found)


def _by_event(counted: Counter[Event]) -> Counter[Term]:
    """How often each event comes about, by whatever rule: the rule that tells it most often."""
    often: Counter[Term] = Counter()
    for event, times in counted.items():
        often[event.event] = max(times, often[event.event])
    return often
