"""A goal, who plays for it, what the others do, and how rolls come out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from clingo import Function, Symbol, SymbolType

from pymorph.asp.facts import Facts
from pymorph.dynamics.asking.batch import ask, batches, situation
from pymorph.dynamics.carrying import Relevant, RelevantAnswers, Trajectory, fluents_read, relevant
from pymorph.dynamics.results import Roll
from pymorph.errors import InputError, UnknownName, clipped, nearest
from pymorph.explore.sampling.policies import Preferences, policies, preferences
from pymorph.questions.consistency import observers
from pymorph.questions.evaluation import TRUE, truths
from pymorph.ruleset import vocabulary
from pymorph.ruleset.loader import Ruleset
from pymorph.state import claim as claims
from pymorph.state.claim import Claim, ClaimPart
from pymorph.state.files.display_names import one_of
from pymorph.state.names import actor, actors, ambiguous, forms_of
from pymorph.state.position import Position, value_of
from pymorph.state.record import Move
from pymorph.terms import Term, parse_named, text_of

TOGETHER, WHATEVER, FILE = "together", "whatever", "file"
CHOSEN, ADVERSARIAL, GIVEN = "chosen", "adversarial", "given"
AFTERWARDS = "passes"  # what somebody does whose file has come to its end


class NodeKey(NamedTuple):
    """What tells one node from another.

    *ended* counts periods, where these are bounded; *taken* the steps that the other side has
    taken of a file, and *made* the rolls of those given. Where the others do whatever they like,
    *row* has what they have done in a row, sorted, *since* the position in which they began, and
    *waited*: they did so once while the other side might have acted.
    """

    position: Position
    seen: tuple[Symbol, ...] = ()
    ended: int = 0
    taken: int = 0
    made: int = 0
    row: tuple[Symbol, ...] = ()
    since: Position | None = None
    waited: bool = False


class Continuation(NamedTuple):
    """An action that may be taken at a node: by whoever plays for the goal (*ours*), or not.

    *waits*: by one of the others, while whoever plays for the goal may act.
    """

    action: Symbol
    ours: bool
    taken: int = 0
    made: int = 0
    waits: bool = False


@dataclass(slots=True)
class AdversaryModel:
    """Who plays for a goal, what the others do, and how rolls come out.

    *against* is ``together``, ``whatever``, ``file`` (the *moves*, but for those of *by*, and then
    the policy passes), or a policy of the ruleset. *rolls* is ``chosen``, ``adversarial`` or
    ``given``.
    """

    position: Position
    by: str = ""
    against: str = ""
    rolls: str = ""
    given: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()
    stops: set[str] = field(default_factory=set)
    _policy: str = ""
    _mine: frozenset[str] = frozenset()
    _preferences: RelevantAnswers[Preferences] | None = None

    def __post_init__(self) -> None:
        """Raises: UnknownName or InputError, if a name is unknown or two do not go together."""
        self.against = self.against or (FILE if self.moves else WHATEVER if self.by else TOGETHER)
        self.rolls = self.rolls or (ADVERSARIAL if self.by else CHOSEN)
        if self.by:
            self.by, self._mine = _side(self.position, self.by)
        if bool(self.by) == (self.against == TOGETHER):
            told = f"{self.by} plays alone" if self.by else "everybody plays for the goal"
            raise InputError(f"{told}, so the others cannot play {clipped(self.against)}")
        if self.rolls not in (CHOSEN, ADVERSARIAL, GIVEN):
            hint = nearest(self.rolls, (CHOSEN, ADVERSARIAL))
            known = "rolls are chosen, adversarial or given"
            raise UnknownName(f"{known}, not {clipped(self.rolls)}{hint}")
        movers = ((move, _actor(parse_named(move.action))) for move in self.moves)
        self.moves = tuple(move for move, mover in movers if mover not in self._mine)
        if self.against in (TOGETHER, WHATEVER):
            return
        found = policies(self.position.ruleset)
        if self.against != FILE and self.against not in found:
            hint = nearest(self.against, (WHATEVER, *found))
            raise UnknownName(f"unknown policy {clipped(self.against)}{hint}")
        policy = AFTERWARDS if self.against == FILE else self.against
        self._policy = policy if policy in found else ""
        self._preferences = preferences(self.position.ruleset)

    @property
    def at_will(self) -> bool:
        """Do the others do whatever they like?"""
        return self.against == WHATEVER

    def ways(
        self, keys: Sequence[NodeKey], legal: Sequence[Sequence[Symbol]]
    ) -> list[list[Continuation]]:
        """Which of the legal actions may be taken at each of some nodes, and by which side."""
        if self._preferences is not None:
            self._preferences.of([key.position for key in keys])
        return [self._ways_at(key, actions) for key, actions in zip(keys, legal, strict=True)]

    def _ways_at(self, key: NodeKey, actions: Sequence[Symbol]) -> list[Continuation]:
        mine = [a for a in actions if not self.by or _actor(a) in self._mine]
        ways = [Continuation(action, True, key.taken, key.made) for action in mine]
        others: dict[str, list[Symbol]] = defaultdict(list)
        for action in actions:
            if self.by and _actor(action) not in self._mine:
                others[_actor(action)].append(action)
        if self.against == WHATEVER:
            rest = [action for row in others.values() for action in row]
        elif self.against == FILE and others and key.taken < len(self.moves):
            return ways + self._from_file(key, others, waiting=bool(ways))
        else:
            choices = [self._inclination(key, row, self._policy) for row in others.values()]
            rest = [action for action in choices if action is not None]
            for name in others if not (rest or ways) else ():
                policy = self._policy or f"the missing policy {AFTERWARDS}"
                self.stops.add(f"{policy} proposes nothing for {name}")
        return ways + [Continuation(action, False, key.taken, key.made) for action in rest]

    def _from_file(
        self, key: NodeKey, others: dict[str, list[Symbol]], waiting: bool
    ) -> list[Continuation]:
        """The next step of the file, if it is legal; while others act it may have to wait."""
        move = self.moves[key.taken]
        forms = forms_of(key.position, move.action)
        fitting = [form for row in others.values() for form in row if form in forms]
        if len(fitting) == 1:
            return [Continuation(fitting[0], False, key.taken + 1, key.made)]
        place = f"{move.place}: " if move.place else ""
        if fitting:
            raise ambiguous(move.action, fitting, move.place)
        if not waiting:
            self.stops.add(
                f"{place}step {key.taken + 1}, {move.action}, is not legal at that point"
            )
        return []

    def by_rote(self, key: NodeKey, actions: Sequence[Symbol]) -> Continuation | None:
        """What comes next at a node where nobody chooses: who plays for the goal just passes."""
        if self._preferences is None:
            return None
        [ways] = self.ways([key], [actions])
        choice = self._inclination(key, [way.action for way in ways if way.ours], AFTERWARDS)
        theirs = [way for way in ways if not way.ours]
        return next((way for way in ways if way in theirs or way.action == choice), None)

    def _inclination(self, key: NodeKey, actions: Sequence[Symbol], policy: str) -> Symbol | None:
        """What a policy has one player do: the first of its wishes that is legal."""
        if self._preferences is None:
            return None
        choices = self._preferences.of([key.position])[0].get(policy, ())
        return next((choice for choice in choices if choice in actions), None)

    def ways_of_rolls(self, key: NodeKey, rolls: Sequence[Roll]) -> list[Continuation]:
        """The outcomes that the next roll may have there."""
        if self.rolls != GIVEN:
            outcomes = [outcome.symbol for outcome, _ in rolls[0].outcomes]
            return [Continuation(a, self.rolls == CHOSEN, key.taken, key.made) for a in outcomes]
        due = {outcome.symbol for roll in rolls for outcome, _ in roll.outcomes}
        if key.made == len(self.given):
            self.stops.add(f"{rolls[0].what} is due, but no roll is given for it")
            return []
        text = self.given[key.made]
        fitting = [form for form in forms_of(key.position, text) if form in due]
        if len(fitting) > 1:
            raise ambiguous(text, fitting)
        if not fitting:
            self.stops.add(f"{rolls[0].what} is due, but the given roll is {text}")
        return [Continuation(action, False, key.taken, key.made + 1) for action in fitting]


def sides_of(position: Position) -> dict[str, set[str]]:
    """For each side those who act for it.

    Members of a side are those who act and of whom a fluent says that it is theirs, such as
    ``side(bryn)``: one for which the side looks, or one of a list that each file has to state.
    """
    able = {*actors(position)}
    eyes = observers(position)
    sides: dict[str, set[str]] = defaultdict(set)
    words = position.ruleset.vocabulary
    for fluent, value in position.fluents.items():
        if len(fluent.arguments) != 1 or text_of(fluent.arguments[0]) not in able:
            continue
        side, member = text_of(value), text_of(fluent.arguments[0])
        declared = words.fluents[fluent.name]
        kind = words.sorts[declared.value].kind
        stated = kind == "listed" and declared.default == vocabulary.GIVEN
        alike = words.belongs(value, declared.sorts[0], position.scene)
        if not alike and (stated or member in eyes.get(side, ())):
            sides[side].add(member)
    return sides


def _side(position: Position, text: str) -> tuple[str, frozenset[str]]:
    """Who plays for a goal, and all who act for that one: an actor, or a side with its members.

    Raises: UnknownName.
    """
    sides = sides_of(position)
    named = one_of(position, text, list(sides))
    name = named if named in sides else actor(position, text)
    return name, frozenset({name, *sides.get(name, ())})


@lru_cache(maxsize=10_000)
def _actor(action: Symbol) -> str:
    return Term(action).actor


# -- the goal --------------------------------------------------------------------------------------


class Goal:
    """A claim as the goal of a search."""

    def __init__(self, ruleset: Ruleset, claim: Claim) -> None:
        self.claim = claim
        self.ruleset = ruleset
        self._patterns = [term.symbol for term in claim.tracked]
        self._matching: dict[Symbol, list[int]] = {}
        self._here = Claim(claim.here)
        self._known: dict[Position, bool] = {}
        self._later = fluents_read(ruleset, "later")
        self._actions = ruleset.vocabulary.actions
        sides = [side for part in claim.here for side in (part.left, part.right) if side]
        self._judged = any(part.kind in ("legal", "outcome") for part in claim.here)
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
            patterns = enumerate(self._patterns)
            self._matching[event] = [n for n, each in patterns if claims.matches(each, event)]
        return self._matching[event]

    def met(self, nodes: Sequence[tuple[Position, tuple[Symbol, ...]]]) -> list[bool]:
        """Is it so at each of these nodes? What is plain is not put to the rules."""
        found = [all(so for _, so in claims.settled_by_events(self.claim, e)) for _, e in nodes]
        if not self._here.parts:
            return found
        new = [p for (p, _), so in zip(nodes, found, strict=True) if so and p not in self._known]
        open_to_doubt = []
        for position in dict.fromkeys(new):
            fluents = [(part, _plain_fluent(part)) for part in self._here.parts]
            plain = [f and _is_so(part, value_of(position, f)) for part, f in fluents]
            if False in plain or None not in plain:
                self._known[position] = False not in plain
            else:
                open_to_doubt.append(position)
        answers = truths(self._here, [(position, ()) for position in open_to_doubt])
        for position, truth in zip(open_to_doubt, answers, strict=True):
            self._known[position] = truth == TRUE
        return [so and self._known[p] for so, (p, _) in zip(found, nodes, strict=True)]

    @property
    def plain_fluents(self) -> list[Symbol]:
        """The fluents of which it speaks plainly."""
        return list(dict.fromkeys(filter(None, map(_plain_fluent, self._here.parts))))

    def may_be(self, fluent: Symbol, value: Symbol) -> bool:
        """May it be met where a fluent has this value?"""
        about = (part for part in self._here.parts if _plain_fluent(part) == fluent)
        return all(_is_so(part, value) is not False for part in about)

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
                new[relevant(position, self._later), needed].append(number)
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

    def needless(self, action: Symbol, position: Position, leg: Trajectory) -> bool:
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


def _plain_fluent(part: ClaimPart) -> Symbol | None:
    """The fluent of which a part says that it has a value, or has it not."""
    left, right = part.left, part.right
    if part.operator not in ("=", "!=") or left is None or right is None:
        return None
    if left.sort != "fluent" or right.sort != "value" or right.term.symbol == claims.NEVER:
        return None
    return left.term.symbol


def _is_so(part: ClaimPart, value: Symbol) -> bool | None:
    """Is it so where the fluent has this value?"""
    assert part.right is not None
    wanted = part.right.term.symbol
    if (value.type == SymbolType.Number) != (wanted.type == SymbolType.Number):
        return None
    return (value == wanted) == (part.operator == "=")
