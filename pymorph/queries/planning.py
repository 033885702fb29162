"""Can something be brought about? A shortest line of play, or a proof that there is none."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clingo import Function, Symbol, SymbolType

from pymorph.asp.facts import Facts
from pymorph.queries.application import apply
from pymorph.queries.batch import ask, batches, situation
from pymorph.queries.carrying import Leg, Relevant, RelevantState
from pymorph.queries.encoding import record_json
from pymorph.queries.evaluation import TRUE, truths
from pymorph.queries.outcomes import Event
from pymorph.queries.players import (
    ADVERSARIAL,
    AFTERWARDS,
    CHOSEN,
    FILE,
    GIVEN,
    TOGETHER,
    WHATEVER,
    Policies,
)
from pymorph.queries.policies import policies
from pymorph.queries.search import MOST_ALIKE, Edge, Node, NodeKey, Search, Solution
from pymorph.ruleset.loader import Ruleset, head
from pymorph.state import claim as claims
from pymorph.state.claim import Bound, Claim, ClaimPart, bound_of
from pymorph.state.position import Position, of_position
from pymorph.state.record import Move
from pymorph.terms import Term, brief, text_of
from pymorph.yamlio import Json

if TYPE_CHECKING:
    from pymorph.ruleset.loader import Ruleset


@brief
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
        return record_json(self, actor=self.action.actor)


@brief
@dataclass(frozen=True, slots=True)
class Reply:
    """What somebody else, or a roll, may bring, and the number of the choice that it leads to.

    *to* is None where the goal is met then.
    """

    action: Term
    to: int | None

    def json(self) -> Json:
        return record_json(self)


@brief
@dataclass(frozen=True, slots=True)
class Choice:
    """A moment of a strategy: what to *do* there, if anything, and what others may do."""

    number: int
    do: Reply | None = None
    replies: tuple[Reply, ...] = ()

    def json(self) -> Json:
        return record_json(self)


@brief
@dataclass(frozen=True, slots=True)
class Deadline:
    """An event that comes first, where another was to, and the line along which it does.

    *longest*: it can be put off no longer; or else it comes so if the player only passes.
    """

    event: Term
    longest: bool
    timeline: tuple[Moment, ...]

    def json(self) -> Json:
        return record_json(self)


@brief
@dataclass(frozen=True, slots=True)
class Plan:
    """Can it be brought about, and how, or how far not?

    *decisions* is how many it takes at worst, or how many were looked at; *positions* is how many
    different ones the answer rests on, *expanded* of how many every action was carried out. Where
    it is not found and *complete*, a larger bound would change nothing. *stops* tells why lines
    went no further: a step of a file that is not legal, a roll that was not given. *rules* are
    those by which it was clear without looking that there is no time left. *assumed* is what the
    others were taken not to do, what was left out, and what is told as it is wished. *found* is
    None where it is not settled: the time was up, there is no line as long as nobody else has to
    act, or before something is entered, or more than *limit* positions were to be looked beyond,
    and no bound was given.
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
    assumed: tuple[str, ...] = ()
    limit: int = 0

    @property
    def actions(self) -> tuple[Term, ...]:
        return tuple(moment.action for moment in self.timeline)

    def json(self) -> Json:
        return record_json(self, "ruleset", **head(self.ruleset), actions=self.actions)


USUAL = Bound(12)
MOST_POSITIONS = 3_000  # that are looked beyond, where no bound is given


@of_position
def plan(
    position: Position,
    goal: Claim | str,
    within: Bound | str = "",
    *,
    by: str = "",
    against: str = "",
    rolls: str | Sequence[str] = "",
    moves: Sequence[Move] = (),
    on_layer: Callable[[Plan], None] | None = None,
) -> Plan:
    """A shortest line of play from *position* that brings *goal* about, or that there is none.

    With *by*, that one plays for it, and the others play *against*: ``whatever`` they like, a
    policy of the ruleset, or with *moves* these, one after the other. Without *by* all play for it
    together. *rolls* are ``chosen`` by whoever plays for it, ``adversarial``, or a list of those
    that are made, in order. *within* is a bound such as ``8 decisions`` or ``2 turns``, that
    is searched through whatever it takes; without one the search goes as far as 12 decisions, but
    gives up where it comes to too many positions, and the answer is not settled.

    Others who do whatever they like do not stall: what they could go on with for ever does not
    keep the goal from being met. Where there is no line, but might be one if others had to act
    while *by* waits, it is not settled. *assumed* says what that comes to, where it mattered.

    The goal is met where it is so between two decisions, or before a roll; the line found has the
    fewest decisions at worst. *on_layer* is told how far the search is: so many decisions that do
    not do, over so many positions.
    Raises: UnknownName or InputError, if the goal, a name or the bound cannot be used.
    """
    claim = claims.parse(position, goal) if isinstance(goal, str) else goal
    bound = bound_of(position.ruleset, within) if isinstance(within, str) and within else within
    most = sys.maxsize if bound else MOST_POSITIONS
    if not isinstance(bound, Bound):
        bound = USUAL
    if not against:
        against = FILE if moves else WHATEVER if by else TOGETHER
    given: tuple[str, ...] = ()
    if not rolls:
        rolls = ADVERSARIAL if by else CHOSEN
    elif not isinstance(rolls, str):
        rolls, given = GIVEN, tuple(rolls)
    sides = Policies(position, by, against, rolls, given, tuple(moves))
    by = sides.by
    aim = Aim(position.ruleset, claim.plainly())
    begun = apply(position)
    seen = aim.noted((), [event.event.symbol for event in begun.events])
    search = Search(NodeKey(begun.position, seen), aim, sides, bound, most)
    asked = Plan(position.ruleset, str(aim.claim), None, bound, by, against, rolls, 0, 0, 0)

    def so_far(plan: Plan) -> Plan:
        done, expanded = search.depth, len(search.grower.forks)
        return replace(plan, decisions=done, positions=search.positions, expanded=expanded)

    def layer() -> None:
        if on_layer is not None:
            on_layer(so_far(asked))

    solution = search.run(layer)
    answer = so_far(asked)
    reached = range(len(search.nodes)) if solution is None else solution.reached()
    assumed = []
    if any(search.nodes[number].held_back for number in reached):
        assumed.append(_no_stalling(by))
    if search.needless:
        names = " and ".join(sorted(search.needless))
        assumed.append(f"{names} are left out: nothing hangs on them but what they change")
    told = _told(search, solution) if solution else ""
    if told:
        assumed.append(f"what dice or the like bring is as {by or 'all'} would have it: {told}")
    answer = replace(answer, assumed=tuple(assumed))
    if search.given_up:
        return replace(answer, expanded=most, limit=most)
    if solution is None and sides.at_will and any(map(_mixed, search.nodes)):
        other = Search(
            NodeKey(begun.position, seen),
            aim,
            sides,
            bound,
            most,
            waiting=True,
            grower=search.grower,
        )
        if other.run(lambda: None) is not None or other.given_up:
            waiting = f"while {by} may act, nobody else has to"
            return replace(
                answer,
                assumed=(*answer.assumed, waiting),
                limit=most if other.given_up else 0,
            )
    entering = [number for number in search.waits if not search.nodes[number].lost]
    won = [number for number, node in enumerate(search.nodes) if node.won]
    if solution is None and entering and search.solved([*won, *entering], lambda e: e.ours):
        forms = dict.fromkeys(text_of(form) for n in entering for form in search.waits[n])
        return replace(answer, stops=(f"play waits for {next(iter(forms))}",))
    if solution is None:
        return replace(
            answer,
            found=False,
            complete=search.complete and not sides.stops,
            deadline=_deadline(search, aim, sides),
            stops=tuple(sorted(sides.stops)),
            rules=tuple(sorted(search.left_out)),
        )
    return replace(
        answer,
        found=True,
        decisions=solution.at_worst[0],
        positions=len({search.nodes[n].key.position for n in reached}),
        timeline=tuple(_timeline(solution.line())),
        strategy=tuple(_strategy(solution)),
    )


def _mixed(node: Node) -> bool:
    """May both sides act there?"""
    return len({edge.ours for edge in node.edges}) > 1


def _told(search: Search, solution: Solution) -> str:
    """What is told of dice or the like so that it serves the goal, where it might be otherwise."""
    found: dict[str, None] = {}
    for number in solution.reached():
        best = solution.best(number)
        rows = [edge.action for edge in search.nodes[number].edges if edge.ours]
        if best is None or not search.words.actions[best.action.name].told:
            continue
        alike = [a for a in rows if a.arguments[:-1] == best.action.arguments[:-1]]
        if sum(a.name == best.action.name for a in alike) > 1:
            found[text_of(best.action)] = None
    return ", ".join(found)


def _no_stalling(by: str) -> str:
    """What others who do whatever they like are taken not to do, in words."""
    return (
        f"the others do not stall: while {by} may act, they act at most once before {by} does; "
        f"else none takes the same action more than {MOST_ALIKE} times in a row where there is "
        "another; and they do not go back to a position"
    )


class Aim:
    """A claim as the goal of a search."""

    def __init__(self, ruleset: Ruleset, claim: Claim) -> None:
        self.claim = claim
        self.ruleset = ruleset
        self._patterns = [term.symbol for term in claim.tracked]
        self._matching: dict[Symbol, list[int]] = {}
        self._here = Claim(claim.here)
        self._known: dict[Position, bool] = {}
        self._later = RelevantState(ruleset, "later")
        self._actions = ruleset.vocabulary.actions
        sides = [side for part in claim.here for side in (part.left, part.right) if side]
        self._judged = any(part.kind == "legal" for part in claim.here)
        self._judged |= any(side.sort in ("figure", "finding") for side in sides)
        self._names = {pattern.name for pattern in self._patterns}
        self._names |= {side.term.symbol.name for side in sides if side.sort == "fluent"}

    def matters(self, event: Symbol) -> bool:
        """Is it an event of which the claim speaks?"""
        return bool(self._patterns) and bool(self._kinds(event))

    def noted(self, seen: tuple[Symbol, ...], events: Iterable[Symbol]) -> tuple[Symbol, ...]:
        """The first event of each kind that the claim speaks of; later ones make no difference."""
        found = list(seen)
        for event in events:
            kinds = self._kinds(event)
            if kinds and not set(kinds) <= {k for old in found for k in self._kinds(old)}:
                found.append(event)
        return tuple(found)

    def _kinds(self, event: Symbol) -> list[int]:
        if event not in self._matching:
            self._matching[event] = [
                number
                for number, pattern in enumerate(self._patterns)
                if claims.matches(pattern, event)
            ]
        return self._matching[event]

    def met(self, nodes: Sequence[tuple[Position, tuple[Symbol, ...]]]) -> list[bool]:
        """Is it so at each of these nodes? What is plain is not put to the rules."""
        found = [all(so for _, so in claims.settled_by_events(self.claim, e)) for _, e in nodes]
        if not self._here.parts:
            return found
        new = [p for (p, _), so in zip(nodes, found, strict=True) if so and p not in self._known]
        open_to_doubt = []
        for position in dict.fromkeys(new):
            plain = [_holds_plainly(part, position) for part in self._here.parts]
            if False in plain or None not in plain:
                self._known[position] = False not in plain
            else:
                open_to_doubt.append(position)
        answers = truths(self._here, [(position, ()) for position in open_to_doubt])
        for position, truth in zip(open_to_doubt, answers, strict=True):
            self._known[position] = truth == TRUE
        return [
            so and self._known[position] for so, (position, _) in zip(found, nodes, strict=True)
        ]

    def far_off(
        self, nodes: Sequence[tuple[Position, tuple[Symbol, ...]]], period: str
    ) -> list[tuple[int, str]]:
        """How many more of the periods have to end before the last of what it still needs.

        The rules say so of an event; of all that look alike to them, it is the same.
        """
        found = [(0, "")] * len(nodes)
        new: dict[tuple[Relevant, tuple[Symbol, ...]], list[int]] = defaultdict(list)
        for number, (position, seen) in enumerate(nodes):
            needed = self._needed(seen)
            if needed and position.ruleset.slices["later"].parts:
                new[self._later.of(position), needed].append(number)
        rows = list(new.values())
        asked = [(nodes[row[0]][0], key[1]) for key, row in new.items()]
        for first, numbers in batches([position for position, _ in asked]):
            facts = Facts()
            for n in numbers:
                here = situation(n)
                facts += asked[n][0].facts(here)
                facts += [Function("sought", [event, here]) for event in asked[n][1]]
            for atom in ask("later", first, facts)["later"]:
                _, counted, more, here, rule = atom.arguments
                if counted.name == period:
                    for number in rows[here.number]:
                        found[number] = max(found[number], (more.number, rule.name))
        return found

    def _needed(self, seen: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
        """The events that have to come about still."""
        parts = [part for part in self.claim.parts if part.eventful and part.positive]
        wanted = dict.fromkeys(part.terms[0].symbol for part in parts)
        return tuple(e for e in wanted if not any(claims.matches(e, old) for old in seen))

    def lost(self, seen: tuple[Symbol, ...]) -> bool:
        """Which of two events came first does not change, nor that one has come about."""
        return self.spoilt_by(seen) is not None

    def needless(self, action: Symbol, position: Position, leg: Leg) -> bool:
        """Does nothing hang on it, and does it change nothing of which the claim speaks?"""
        if self._judged or not self._actions[action.name].trifling:
            return False
        changed = {fluent.name for fluent, _ in position.items ^ leg.position.items}
        changed |= {event.name for link in leg.links for event, *_ in link.happens}
        return changed.isdisjoint(self._names)

    def spoilt_by(self, seen: tuple[Symbol, ...]) -> Symbol | None:
        """The event by which the claim cannot be so any more, if there is one among these."""
        for part, so in claims.settled_by_events(self.claim, seen):
            if so is False and (part.kind == "before" or not part.positive):
                pattern = part.terms[part.kind == "before" and part.positive].symbol
                return next(event for event in seen if claims.matches(pattern, event))
        return None


def _holds_plainly(part: ClaimPart, position: Position) -> bool | None:
    """Whether a fluent has a value, or has it not; None for what the rules have to be asked."""
    left, right = part.left, part.right
    if part.operator not in ("=", "!=") or left is None or right is None:
        return None
    if left.sort != "fluent" or right.sort != "value" or right.term.symbol == claims.NEVER:
        return None
    value = position.fluents.get(left.term.symbol, position.default(left.term.symbol))
    if (value.type == SymbolType.Number) != (right.term.symbol.type == SymbolType.Number):
        return None
    return (value == right.term.symbol) == (part.operator == "=")


# -- what is told of a search ----------------------------------------------------------------------
def _timeline(edges: Iterable[Edge]) -> list[Moment]:
    step, found = 0, []
    for edge in edges:
        step += edge.cost
        leg = edge.leg
        found.append(
            Moment(
                step,
                Term(edge.action),
                tuple(Term(link.action) for link in leg.links if link.settled),
                tuple(leg.events),
                tuple(leg.ended),
            )
        )
    return found


def _strategy(solution: Solution) -> list[Choice]:
    """What to do after each reply; nothing, where there is one line, whatever happens."""
    reached = solution.reached()
    if all(len(solution.next_of(number)) <= 1 for number in reached):
        return []
    choices = [number for number in reached if solution.nodes[number].edges]
    numbers = {number: at for at, number in enumerate(choices, 1)}

    def reply(edge: Edge) -> Reply:
        return Reply(Term(edge.action), numbers.get(edge.target))

    found = []
    for number in choices:
        best = solution.best(number)
        replies = tuple(map(reply, solution.replies(number)))
        found.append(Choice(numbers[number], reply(best) if best else None, replies))
    return found


def _deadline(search: Search, aim: Aim, sides: Policies) -> Deadline | None:
    """Which event comes first, where it is not the one that was to; how long that can be put off.

    Where the search had no need to look so far, or the player could put it off for ever without
    coming nearer, it is told what comes if all pass.
    """
    lost = [n for n, node in enumerate(search.nodes) if aim.lost(node.key.seen)]
    solution = search.solved(lost, lambda edge: not edge.ours)
    if solution is None and lost and sides.at_will and AFTERWARDS in policies(aim.ruleset):
        search.players = Policies(sides.position, sides.by, AFTERWARDS, sides.rolls, sides.given)
    edges = search.by_rote() if solution is None else list(solution.line())
    seen = search.nodes[0].key.seen
    for edge in edges:
        seen = aim.noted(seen, edge.leg.noted(aim.matters))
    event = aim.spoilt_by(seen)
    if event is None:
        return None
    return Deadline(Term(event), solution is not None, tuple(_timeline(edges)))
