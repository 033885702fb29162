"""The answer of `plan`: a line of play that brings something about, or how far there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pymorph.answers import Event, Json, head
from pymorph.terms import Term

if TYPE_CHECKING:
    from pymorph.ruleset import Ruleset

DECISIONS = "decisions"


@dataclass(frozen=True, slots=True)
class Bound:
    """How far is looked: so many decisions, or until so many periods of the game have ended."""

    most: int
    unit: str = DECISIONS

    @property
    def period(self) -> str:
        """The period that is counted; empty where decisions are."""
        return "" if self.unit == DECISIONS else self.unit

    def json(self) -> Json:
        return {"most": self.most, "of": self.unit}


@dataclass(frozen=True, slots=True)
class Moment:
    """A step of a line: a decision or a roll, with what follows of it.

    *step* counts the decisions so far. *then* are the steps without choice after it, *ended* the
    periods that ended.
    """

    step: int
    action: Term
    then: tuple[Term, ...] = ()
    events: tuple[Event, ...] = ()
    ended: tuple[str, ...] = ()

    def json(self) -> Json:
        return {
            "step": self.step,
            "actor": self.action.actor,
            "action": str(self.action),
            "then": [str(action) for action in self.then],
            "events": [event.json() for event in self.events],
            "ended": list(self.ended),
        }


@dataclass(frozen=True, slots=True)
class Reply:
    """What somebody else, or a roll, may bring, and the number of the choice that it leads to.

    *to* is None where the goal is met then.
    """

    action: Term
    to: int | None

    def json(self) -> Json:
        return {"action": str(self.action), "to": self.to}


@dataclass(frozen=True, slots=True)
class Choice:
    """A moment of a strategy: what to *do* there, if anything, and what others may do."""

    number: int
    do: Reply | None = None
    replies: tuple[Reply, ...] = ()

    def json(self) -> Json:
        return {
            "number": self.number,
            "do": self.do.json() if self.do else None,
            "replies": [reply.json() for reply in self.replies],
        }


@dataclass(frozen=True, slots=True)
class Deadline:
    """An event that comes first, where another was to, and the line along which it does.

    *longest*: it can be put off no longer; or else it comes so if the player only passes.
    """

    event: Term
    longest: bool
    timeline: tuple[Moment, ...]

    def json(self) -> Json:
        return {
            "event": str(self.event),
            "longest": self.longest,
            "timeline": [moment.json() for moment in self.timeline],
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """Can it be brought about, and how, or how far not?

    *decisions* is how many it takes at worst, or how many were looked at; *positions* is how many
    different ones the answer rests on, *expanded* of how many every action was carried out. Where
    it is not found and *complete*, a larger bound would change nothing. *stops* tells why lines
    went no further: a step of a file that is not legal, a roll that was not given. *rules* are
    those by which it was clear without looking that there is no time left. *found* is None where
    the time was up.
    """

    ruleset: Ruleset
    goal: str
    found: bool | None
    bound: Bound
    by: str
    against: str
    rolls: str
    decisions: int
    positions: int
    expanded: int
    complete: bool = False
    timeline: tuple[Moment, ...] = ()
    strategy: tuple[Choice, ...] = ()
    deadline: Deadline | None = None
    stops: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def actions(self) -> tuple[Term, ...]:
        return tuple(moment.action for moment in self.timeline)

    def json(self) -> Json:
        return {
            **head(self.ruleset),
            "goal": self.goal,
            "found": self.found,
            "bound": self.bound.json(),
            "by": self.by,
            "against": self.against,
            "rolls": self.rolls,
            "actions": [str(action) for action in self.actions],
            "decisions": self.decisions,
            "positions": self.positions,
            "expanded": self.expanded,
            "complete": self.complete,
            "timeline": [moment.json() for moment in self.timeline],
            "strategy": [choice.json() for choice in self.strategy],
            "deadline": self.deadline.json() if self.deadline else None,
            "stops": list(self.stops),
            "rules": list(self.rules),
        }
