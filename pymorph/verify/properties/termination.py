"""Termination: nothing that costs nothing can be repeated for ever.

Lines of play are followed from the starts, and from the other positions that the ruleset ships. A
loop is a chain of actions that comes back to the position in which it began and ends no period on
the way. In a game without periods one actor alone goes round in it; others have no part but that
of chance. Where the ruleset declares measures, each action that ends no period has to lower one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import NamedTuple

from clingo import Symbol, SymbolType

from pymorph.asp.dependency import Slice
from pymorph.asp.facts import Signature
from pymorph.dynamics.asking import batch
from pymorph.dynamics.asking.batch import batches, by_situation, facts_of
from pymorph.errors import PymorphError, RulesetError
from pymorph.explore.execution.application import apply
from pymorph.questions.explanation import why
from pymorph.questions.legality import legal_actions
from pymorph.ruleset.loader import Ruleset
from pymorph.state.claim import periods
from pymorph.state.position import Position
from pymorph.terms import Term, actor_of, sorted_symbols, text_of
from pymorph.verify.effort import EFFORT
from pymorph.verify.frame import described
from pymorph.verify.report import UNKNOWN, Finding, Piece, Witness
from pymorph.verify.scope import Scope
from pymorph.verify.spaces.state_space import Explored, Transition, explored
from pymorph.verify.spaces.witnesses import shipped
from pymorph.verify.versions.changes import cards_only

ENDLESS = "endless"
SETTLING = "settling"  # the subject, where the steps without choice do not end by themselves
MEASURE: Signature = ("measure", 3)

TransitionRows = tuple[Transition, ...]
StateCost = Callable[[int], tuple[int, int]]  # of a position, by its number


def check(scope: Scope, _: str = "") -> Piece:
    """What can be repeated for ever, as far as lines of play were followed."""
    share = EFFORT.endless_share if cards_only(scope) else 1

    def followed(roots: Iterable[Position], most: int, played: bool) -> Lines:
        seconds = EFFORT.endless_seconds * scope.share
        return Lines(scope, explored(roots, most // share, seconds), played)

    both = (
        followed(scope.starts, EFFORT.endless_starts, True),
        followed(shipped(scope), EFFORT.endless_others, False),
    )
    findings = {**_unsettled(both), **_loops(both)}
    notes = [*map(_reach, both)]
    part = measuring(scope)
    if part is not None:
        values = [measured(part, lines.explored.positions) for lines in both]
        names = [text_of(name) for name in _in_order(chain.from_iterable(values))]
        notes += [f"measures, in this order: {', '.join(names)}"] if names else []
        named = {name for subject in findings for name in subject.split(", ")}
        unmeasured = _unmeasured(both, values)
        findings |= {name: unmeasured[name] for name in unmeasured.keys() - named}
    cut_off = any(not lines.explored.complete for lines in both)
    looked = sum(lines.explored.looked for lines in both)
    free = sum(len(lines.free) for lines in both)
    ordered = tuple(findings[subject] for subject in sorted(findings))
    return Piece(looked, free, cut_off, ordered, tuple(notes), partial=cut_off)


PROPERTIES = (described(ENDLESS, check, family="play", speaks_of=""),)


class Lines(NamedTuple):
    """Lines of play that were followed: from the starts (*played*), or from other positions."""

    scope: Scope
    explored: Explored
    played: bool

    @property
    def free(self) -> list[Transition]:
        """The ways on which no period ends."""
        return [way for way in self.explored.ways if not way.ended]

    def size(self, number: int) -> tuple[int, int]:
        """How much there is in a position; of two that are alike, the nearer one is smaller."""
        position = self.explored.positions[number]
        return (sum(map(len, position.listed.values())) + len(position.fluents), number)

    def rank(self, ways: TransitionRows) -> tuple[object, ...]:
        """Shorter before longer, then what is reached in play, then the smaller position."""
        return (len(ways), not self.played, self.size(ways[0].source))

    def finding(self, ways: TransitionRows, subject: str, says: str) -> Finding:
        """What is wrong with a line of play; unknown, if it does not come to what was found."""
        start, end = ways[0].source, ways[-1].target
        position = self.explored.positions[start]
        actions = [Term(way.action) for way in ways]
        try:
            confirmed = apply(position, *actions).position == self.explored.positions[end]
        except PymorphError:
            confirmed = False
        witness = self.witness(start, text_of(ways[0].action))
        finding = Finding(subject, says, self._rules(ways), witness=witness)
        if confirmed:
            return finding
        says = f"{says}; played step by step, the result differs"
        return replace(finding, says=says, status=UNKNOWN)

    def witness(self, number: int, action: str) -> Witness:
        """A position as a witness, with the line of play that leads to it, if one does."""
        position = self.explored.positions[number]
        other = {q: o for q, o in position.rulings.items() if self.scope.reading.get(q) != o}
        line = self.explored.line_to(position) if self.played else None
        return Witness(position, action, line, tuple(sorted(other.items())))

    def _rules(self, ways: TransitionRows) -> tuple[str, ...]:
        """The rules that let these actions be done."""
        answers = (why(self.explored.positions[w.source], Term(w.action)) for w in ways)
        reasons = chain.from_iterable(answer.reasons for answer in answers)
        return tuple(sorted({r.rule.id for r in reasons if r.role == "allows"}))


# -- loops -----------------------------------------------------------------------------------------


def _loops(both: Sequence[Lines]) -> dict[str, Finding]:
    """The smallest loop of each set of actions, unless some of these go round by themselves."""
    best: dict[frozenset[str], tuple[Lines, TransitionRows]] = {}
    for lines in both:
        for loop in chain.from_iterable(smallest(ways, lines.size) for ways in _alone(lines)):
            names = _names(loop)
            if names not in best or lines.rank(loop) < best[names][0].rank(best[names][1]):
                best[names] = (lines, loop)
    findings = {}
    for names, (lines, loop) in best.items():
        if not any(other < names for other in best):
            subject = ", ".join(sorted(names))
            findings[subject] = lines.finding(loop, subject, _describe(lines.scope.ruleset, loop))
    return findings


def _alone(lines: Lines) -> Iterator[list[Transition]]:
    """The ways of which a loop may consist: those of one actor, where a game has no periods."""
    if any(lines.scope.ruleset.giving("branch", ("ends", 3))):
        yield lines.free
        return
    for actor in sorted({actor_of(way.action) for way in lines.free if not way.rolled}):
        yield [way for way in lines.free if way.rolled or actor_of(way.action) == actor]


def _names(ways: Iterable[Transition]) -> frozenset[str]:
    return frozenset(way.action.name for way in ways)


def _describe(game: Ruleset, loop: TransitionRows) -> str:
    unended = " and ".join(f"no {period} ends" for period in periods(game))
    actions = [text_of(way.action) for way in loop]
    if len(loop) == 1:
        return f"{actions[0]} changes nothing{unended and f', {unended}'}"
    return f"{', '.join(actions)}: back to the same position{unended and f', {unended}'}"


def smallest(ways: Sequence[Transition], size: StateCost) -> Iterator[TransitionRows]:
    """Shortest loops: one of all actions, then one for each choice of actions to do without.

    Of two loops of one length, that which begins in the smaller position.
    """
    loops: list[TransitionRows] = []
    agenda: list[frozenset[str]] = [frozenset()]
    for without in agenda:
        loop = next((old for old in loops if not _names(old) & without), None)
        if loop is None and len(agenda) < EFFORT.endless_loops:
            loop = _shortest([way for way in ways if way.action.name not in without], size)
            if loop is not None:
                loops.append(loop)
                yield loop
        for name in sorted(_names(loop or ())):
            if without | {name} not in agenda:
                agenda.append(without | {name})


def _shortest(ways: Sequence[Transition], size: StateCost) -> TransitionRows | None:
    """A shortest loop of these ways."""
    after: dict[int, list[Transition]] = defaultdict(list)
    for way in _circling(ways):
        after[way.source].append(way)
    best: TransitionRows | None = None
    for number in sorted(after, key=size):
        most = len(best) - 1 if best else len(after)
        best = _round(after, number, most) or best
        if best and len(best) == 1:
            break
    return best


def _circling(ways: Sequence[Transition]) -> Sequence[Transition]:
    """Those of the ways that may be part of a loop: what leads to them, and on, never ends."""
    while True:
        sources, targets = {way.source for way in ways}, {way.target for way in ways}
        left = [way for way in ways if way.source in targets and way.target in sources]
        if len(left) == len(ways):
            return left
        ways = left


def _round(
    after: Mapping[int, Sequence[Transition]], start: int, most: int
) -> TransitionRows | None:
    """A shortest loop from *start*, if it has at most so many actions."""
    lines: dict[int, TransitionRows] = {start: ()}
    agenda = [start]
    for number in agenda:
        if len(lines[number]) == most:
            return None
        for way in after.get(number, ()):
            if way.target == start:
                return (*lines[number], way)
            if way.target not in lines:
                lines[way.target] = (*lines[number], way)
                agenda.append(way.target)
    return None


# -- what does not come to rest --------------------------------------------------------------------


def _unsettled(both: Sequence[Lines]) -> dict[str, Finding]:
    """The actions that the rules do not carry to an end, in the first position where one fails."""
    findings: dict[str, Finding] = {}
    for lines in both:
        for number, fault in sorted(lines.explored.faults.items())[:1]:
            witness = partial(lines.witness, number)
            known = list(unfinished_actions(lines.explored.positions[number], witness))
            says = fault.faults[0].message
            unknown = Finding(SETTLING, says, witness=witness(""), status=UNKNOWN)
            for finding in known or [unknown]:
                findings.setdefault(finding.subject, finding)
    return findings


def unfinished_actions(position: Position, witness: Callable[[str], Witness]) -> Iterator[Finding]:
    """What the rules do not carry to an end in a position; *witness* is that of an action there."""
    try:
        rolling = bool(apply(position).pending)
        actions = legal_actions(position)
    except RulesetError as error:
        yield Finding(SETTLING, error.faults[0].message, witness=witness(""))
        return
    for action in actions:
        try:
            apply(position, *([] if rolling else [action]), given=[action] if rolling else [])
        except RulesetError as error:
            says = f"{action} does not finish: {error.faults[0].message}"
            yield Finding(action.name, says, witness=witness(str(action)))


# -- measures --------------------------------------------------------------------------------------


def measuring(scope: Scope) -> Slice | None:
    """The program that gives the measures of a ruleset; None, if it declares none."""
    parts = scope.sources.behind([(*MEASURE, None)])
    return Slice(parts, (MEASURE,)) if parts else None


def measured(part: Slice, positions: Sequence[Position]) -> list[dict[Symbol, int]]:
    """The value of each measure in each of some positions: the highest number that it has."""
    values: list[dict[Symbol, int]] = [{} for _ in positions]
    for first, numbers in batches(positions):
        atoms = batch.solve(part, facts_of(positions, numbers), first)[MEASURE[0]]
        for n, measures in by_situation(atoms, 2).items():
            for name, value, _ in measures:
                if value.type == SymbolType.Number:
                    values[n][name] = max(value.number, values[n].get(name, value.number))
    return values


def _unmeasured(
    both: Sequence[Lines], values: Sequence[Sequence[Mapping[Symbol, int]]]
) -> dict[str, Finding]:
    """The actions that end no period and lower no measure, each in the smallest position."""
    best: dict[str, tuple[Lines, Transition, str]] = {}
    for lines, value in zip(both, values, strict=True):
        for way in lines.free:
            fault = _unlowered(value[way.source], value[way.target])
            old = best.get(way.action.name)
            if fault and (old is None or lines.rank((way,)) < old[0].rank((old[1],))):
                best[way.action.name] = (lines, way, fault)
    return {
        name: lines.finding((way,), name, f"{text_of(way.action)} ends no period and {fault}")
        for name, (lines, way, fault) in best.items()
    }


def _unlowered(before: Mapping[Symbol, int], after: Mapping[Symbol, int]) -> str:
    """What is wrong with how measures change, in the order of their names; empty, if nothing is.

    A measure that says nothing is 0.
    """
    for name in _in_order((before, after)):
        old, new = before.get(name, 0), after.get(name, 0)
        if new < old:
            return ""
        if new > old:
            return f"raises {text_of(name)} from {old} to {new} before it lowers any measure"
    return "lowers no measure"


def _in_order(values: Iterable[Mapping[Symbol, int]]) -> list[Symbol]:
    """The measures that have a value anywhere, in the order in which they count."""
    return sorted_symbols({name for measures in values for name in measures})


# -- what was looked at ----------------------------------------------------------------------------


def _reach(lines: Lines) -> str:
    """How far lines of play were followed, in words."""
    explored, begun = lines.explored, "start positions" if lines.played else "other positions"
    if not explored.positions:
        return f"no line of play: there are no {begun}"
    number = f"{explored.looked} position{'s' * (explored.looked != 1)}"
    if explored.complete:
        return f"every position that play reaches from {begun} ({number})"
    farthest = len(explored.ways_to(explored.looked - 1))
    return f"{number} that play reaches from {begun}, up to {farthest} actions away"
