"""A claim as the goal of a search: is it met, and what does it speak of?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from clingo import Function, Symbol, SymbolType

from pymorph.asp.facts import Facts
from pymorph.dynamics.asking.batch import ask, batches, situation
from pymorph.dynamics.carrying import Relevant, RelevantState, Trajectory
from pymorph.questions.evaluation import TRUE, truths
from pymorph.ruleset.loader import Ruleset
from pymorph.state import claim as claims
from pymorph.state.claim import Claim, ClaimPart
from pymorph.state.position import Position, value_of


class Goal:
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

    @property
    def awaits_event(self) -> bool:
        """Does it say that events come about, and nothing else?"""
        return all(part.kind == "happens" and part.positive for part in self.claim.parts)

    @property
    def awaits_end(self) -> bool:
        """Is it met only where the game is over?"""
        return any(part.kind == "outcome" and part.positive for part in self._here.parts)

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


def _holds_plainly(part: ClaimPart, position: Position) -> bool | None:
    """Whether a fluent has a value, or has it not; None for what the rules have to be asked."""
    fluent = _plain_fluent(part)
    if fluent is None:
        return None
    return _is_so(part, value_of(position, fluent))


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
