"""What comes of actions, and its JSON shapes: changes, events, steps, branches with their odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pymorph.queries.awaiting import FollowUp, afterwards
from pymorph.queries.encoding import record_json
from pymorph.queries.endings import outcome
from pymorph.queries.results import ours_in
from pymorph.ruleset.loader import head
from pymorph.terms import Term, brief
from pymorph.yamlio import Json

if TYPE_CHECKING:
    from pymorph.queries.results import Awaited, Figure, GameOutcome, Reason, Roll, Why
    from pymorph.ruleset.loader import Ruleset
    from pymorph.state.position import Position


@brief
class Change(NamedTuple):
    """A fluent that has another value than before, and the rules that made it so."""

    fluent: Term
    before: Term
    after: Term
    rules: tuple[str, ...]

    def json(self) -> Json:
        return {
            "fluent": str(self.fluent),
            "from": value(self.before),
            "to": value(self.after),
            "rules": list(self.rules),
        }


@brief
class Event(NamedTuple):
    """What came about, the rule that says so, and the text that the ruleset has for it."""

    event: Term
    rule: str
    text: str = ""

    def json(self) -> Json:
        return record_json(self, *(() if self.text else ("text",)))


@brief
class Happening(NamedTuple):
    """An event that came about: in which *step*, which is *settled* where nobody asked for it, of
    what *action*, if one was carried out, and in which *move* of a record."""

    event: Term
    rules: tuple[str, ...]
    step: Term
    settled: bool = False
    action: Term | None = None
    move: int | None = None

    def json(self) -> Json:
        return record_json(self)


@brief
class Fact(NamedTuple):
    """A fluent with the value that it had, and the step that gave it that, if one is known."""

    fluent: Term
    value: Term
    step: Term | None = None
    move: int | None = None

    def json(self) -> Json:
        return record_json(self, value=value(self.value))


@brief
class Unmet(NamedTuple):
    """A rule that could have brought an event about in a *step*: what was *missing* for that, and
    what stood *against* it; an argument ``_`` is any. If there is neither, its conditions did not
    hold together. *figures* are those that it compares, or that are behind the step."""

    rule: str
    step: Term
    missing: tuple[Term, ...]
    against: tuple[Term, ...]
    figures: tuple[Figure, ...] = ()

    def json(self) -> Json:
        return record_json(self)


@brief
class Later(NamedTuple):
    """An event that comes about after some *actions*, if all play by a *policy*."""

    policy: str
    actions: tuple[Term, ...]
    at: Happening

    def json(self) -> Json:
        return record_json(self)


@brief
class WhyEvent(NamedTuple):
    """Why an event came about, or that it does not.

    *at* is where it did, if it *happens*, and *also* where else; *happens* is None where that hangs
    on what *depends_on* has. Its *causes* are the events that it rests on, the nearest first, in
    its own step and before; *facts* are the fluents that it rests on, *without* is what its rule
    wants not to hold, and *readings* has the option in force of each question that decides it. If
    it does not come about, *instead* are events that are like it, *unmet* tells of the rules, and a
    roll is due first after the actions in *rolling*. Where it was looked for in what may be done
    now, *tried* is how many actions that are, *over* has the rules by which the game is over,
    *bringing* those that bring such events about; *later* is when it does come.
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

    def json(self) -> Json:
        ours = ours_in(self.ruleset, self.figures)
        return record_json(self, "ruleset", **head(self.ruleset), ours=ours)


@brief
class Step(NamedTuple):
    """One action carried out: what it changed and brought about, and the position after it.

    *figures* are those that account for what it brought about, as they were before it. A step
    without choice, which nobody asked for, is *settled*.
    """

    action: Term
    changes: tuple[Change, ...]
    events: tuple[Event, ...]
    position: Position
    halted: bool = False
    figures: tuple[Figure, ...] = ()
    settled: bool = False

    def json(self) -> Json:
        return record_json(self, "position", "halted", "settled")


@brief
class Outcome(NamedTuple):
    """What comes of one action or several: the position after them, with every step on the way.

    *rest* is what was left undone, and at its end what is `unfinished` in the position; *rolls* are
    those that were given or made on the way, *pending* those that come before anything else now.
    *before* is the position before the last of the actions.
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
        """For what play waits then: the answers of others, or what somebody has to enter."""
        return self.afterwards().awaited

    def afterwards(self) -> FollowUp:
        """Both, in one look at the rules."""
        if self.before is None or not self.actions or self.pending:
            return FollowUp((), outcome(self.position))
        return afterwards(self.before, self.actions[-1], self.position)

    def json(self) -> Json:
        then = self.afterwards()
        figures = [figure for step in self.steps for figure in step.figures]
        more = {
            "events": self.events,
            "outcome": then.outcome,
            "awaited": then.awaited,
            "left_undone": self.rest,
            **written(self.position),
        }
        more["ours"] = ours_in(self.ruleset, figures)
        return record_json(self, "ruleset", "rest", "before", **head(self.ruleset), **more)


@brief
class LineOfPlay(NamedTuple):
    """Several actions carried out as far as they go; *stopped* counts from 1, 0 where all went."""

    outcome: Outcome
    stopped: int = 0
    why: Why | None = None
    depends_on: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        return not self.stopped

    def json(self) -> Json:
        found = self.outcome.json()
        if self.why is not None:
            found["illegal"] = {
                "step": self.stopped,
                "action": str(self.why.action),
                "rules": sorted({reason.rule.id for reason in self.why.reasons}),
                "depends_on": list(self.depends_on),
                **({"may": list(self.why.may)} if self.why.may else {}),
            }
        return found


@brief
class Branch(NamedTuple):
    """One thing that rolls may come to, with its probability.

    *rolls* has for each roll on the way the outcomes that may lead here; all combinations of them
    do so if *every* is true, and some do if not. *events* are those that come about whichever it
    is, by whatever rule; *pending* is what is still due where too many rolls follow one another.
    *outcome* is who has won, if the game is over then. It is *unfinished* where the answer is
    partial, and this was not followed to its end.
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

    def json(self) -> Json:
        unsaid = ("rest", *["unfinished"] * (not self.unfinished))
        return record_json(self, *unsaid, left_undone=self.rest, **written(self.position))


@brief
class EventOdds(NamedTuple):
    """An event that comes about in some ways and not in others, and how likely it is."""

    event: Term
    probability: Fraction
    rules: tuple[str, ...]

    def json(self) -> Json:
        return record_json(self)


@brief
class Odds(NamedTuple):
    """All that may come of some actions, by what is rolled; the probabilities add up to 1.

    *events* are those that come about in some ways only. *policies* has for each seat, or for
    `everybody`, the policy that is followed after the actions, and *means* what each says of it.
    *ours* are the cards that all of this is about and that no source has so, with their status.
    It is *partial* where it was stopped before its end, with branches that are unfinished: events
    are then as likely as told, or more.
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
        """How likely it is that an event comes about. Raises: KeyError, if it never does."""
        for found in self.events:
            if found.event == event:
                return found.probability
        if any(found.event == event for found in self.branches[0].events):
            return Fraction(1)
        raise KeyError(event)

    def json(self) -> Json:
        unsaid = () if self.policies else ("events", "policies", "means")
        unsaid = (*unsaid, *["partial"] * (not self.partial))
        return record_json(self, "ruleset", *unsaid, **head(self.ruleset))


def written(position: Position) -> Json:
    """A position as a file has it, and in one line."""
    return {"position": position.data(), "line": position.line()}


def value(term: Term) -> int | str:
    return str(term) if term.number is None else term.number


def combined(steps: Iterable[Step]) -> tuple[Change, ...]:
    """The changes of several steps as one: from the first value to the last, with all rules."""
    merged: dict[Term, Change] = {}
    for step in steps:
        for change in step.changes:
            old = merged.get(change.fluent)
            rules = (
                change.rules if old is None else tuple(dict.fromkeys((*old.rules, *change.rules)))
            )
            before = change.before if old is None else old.before
            merged[change.fluent] = Change(change.fluent, before, change.after, rules)
    return tuple(c for _, c in sorted(merged.items()) if c.before != c.after)


def common_events(one: Sequence[Event], other: Sequence[Event]) -> tuple[Event, ...]:
    """The events of *one* that come about in *other* as well, as often, by the rules of both."""
    mine, theirs = Counter(one), Counter(other)
    often = _by_event(theirs)
    most = {event: min(n, often.get(event, 0)) for event, n in _by_event(mine).items()}
    either = mine | theirs
    found: list[Event] = []
    for event in (*one, *other):
        if found.count(event) < min(either[event], most.get(event.event, 0)):
            found.append(event)
    return tuple(found)


def _by_event(counted: Counter[Event]) -> dict[Term, int]:
    """How often each event comes about, by whatever rule: the rule that tells it most often."""
    found: dict[Term, int] = {}
    for event, times in counted.items():
        found[event.event] = max(times, found.get(event.event, 0))
    return found
