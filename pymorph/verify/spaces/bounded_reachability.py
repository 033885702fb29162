"""What play comes to from where it begins: every position within a bound, on compiled rules.

What induction over well-formed positions finds may never come about. What is found here does, and
comes with the actions that lead there; where play has no more positions, nothing else can come.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import process_time
from typing import NamedTuple

from clingo import Function, Symbol, SymbolType

from pymorph.answers import json_keys
from pymorph.asp.dependency import Slice, Statement
from pymorph.asp.facts import Key, Signature, Signs, rulings
from pymorph.dynamics import bitsliced, engine
from pymorph.dynamics.asking.legal import actions_at
from pymorph.dynamics.bits import compiled
from pymorph.errors import RulesetError
from pymorph.explore.execution.application import apply
from pymorph.explore.perft import layers
from pymorph.questions import consistency, legality
from pymorph.ruleset.vocabulary import GIVEN, Fluent
from pymorph.state.position import Position
from pymorph.terms import text_of
from pymorph.verify.effort import EFFORT
from pymorph.verify.properties import effects, invariants
from pymorph.verify.properties.coverage import DEAD, subject
from pymorph.verify.properties.effects import CONFLICT, KEPT
from pymorph.verify.properties.invariants import BROKEN
from pymorph.verify.properties.legality import INCOMPLETE
from pymorph.verify.properties.termination import ENDLESS, unfinished_actions
from pymorph.verify.report import Finding, Piece, Witness
from pymorph.verify.scope import Scope
from pymorph.verify.sources import encoding, keys, location
from pymorph.verify.spaces.activation_goals import candidates, goal_rule, judges
from pymorph.verify.spaces.domain import any_term, position_keys

RULES = encoding("play")
GOAL = ("verify_goal", 1)
STUCK, VIOLATED, FAULT = "stuck", "violated", "fault"
JUDGED: Signature = ("considered", 2)
SOUGHT = keys("legal/2 awaited/3 over/2 ill_formed/3 violated/4")


class Reached(NamedTuple):
    """What holds in a position to which play leads, first of all in this one; *before* the last
    action of the line it was in another."""

    goal: Symbol
    position: Position
    before: Position
    line: tuple[str, ...]


class Followed(NamedTuple):
    """Play from one start: how many positions were looked at, how many actions away at most, if
    there are no others, and what was *reached*; the numbers of the statements that *fired*, the
    names of the actions that were *legal*, and of the fluents to which some add."""

    positions: int
    actions: int
    complete: bool
    reached: tuple[Reached, ...]
    fired: frozenset[int]
    legal: frozenset[str]
    summed: frozenset[str]


@json_keys()
class Play(NamedTuple):
    """How far play was followed from the starts, and which *properties* nothing broke there.

    *complete*: there are no positions but those to which play leads, so they are proved for it; and
    *idle* is what is of no use at the tables where it begins: statements by rule and place, which
    never fire, and actions, which are never legal.
    """

    positions: int
    actions: int
    complete: bool
    properties: tuple[str, ...]
    idle: tuple[str, ...] = ()


class ReachedPositions(NamedTuple):
    """What following play came to: how far it was followed, None if rules cannot be compiled; what
    breaks properties, and the numbers of the statements that *fired*."""

    play: Play | None = None
    findings: Mapping[str, list[Finding]] = {}
    fired: frozenset[int] = frozenset()


def followed(
    scope: Scope, most: int = EFFORT.play_positions, seconds: float = EFFORT.play_seconds
) -> ReachedPositions:
    """How far play was followed from the starts, and what it comes to."""
    declared = {text_of(name) for (name,) in scope.sources.arguments_of("property", 1)}
    nexts = _breakable(scope, declared)
    nexts |= {name: frozenset() for name in (CONFLICT, KEPT, STUCK)}
    names = {name for name in nexts if scope.checks(name)}
    firing = _firing(scope) if scope.checks(DEAD) else []
    asked = [_beside(scope, nexts, numbers) for numbers in ([firing, []] if firing else [[]])]
    plays: list[Followed] = []
    findings: dict[str, list[Finding]] = defaultdict(list)
    summarised = bool(names or firing)
    wanted = summarised or scope.checks(INCOMPLETE) or scope.checks(ENDLESS)
    for start in scope.starts if wanted else ():
        played = _layers(start, asked)
        if played is None:
            continue
        plays.append(_followed(played, most, seconds / len(scope.starts)))
        names -= {name for name in names if nexts[name] & plays[-1].summed}
        for goal in plays[-1].reached:
            for about, finding in _confirmed(scope, goal, names):
                findings[about].append(finding)
    if not plays:
        return ReachedPositions()
    complete = len(plays) == len(scope.starts) and all(play.complete for play in plays)
    fired = frozenset().union(*(play.fired for play in plays))
    idle = _idle(scope, set(firing) - fired, plays) if complete and firing else ()
    looked, depth = sum(play.positions for play in plays), max(play.actions for play in plays)
    summary = Play(looked, depth, complete, tuple(sorted(names - findings.keys())), idle)
    return ReachedPositions(summary if summarised else None, findings, fired)


def _layers(start: Position, asked: Sequence[Slice]) -> layers.BreadthFirst | None:
    """Play from a start, with the first of what is *asked* of each position that can be compiled
    beside its rules; None, if none can."""
    if actions_at(start) > EFFORT.play_actions:
        return None
    for beside in asked:
        with suppress(RulesetError):
            begun = apply(start).position
            scene = engine.attempted(
                partial(compiled.CompiledScene, begun, beside, EFFORT.play_rules)
            )
            if scene is not None:
                return layers.BreadthFirst(bitsliced.BitSliced(scene), [begun])
    return None


def _followed(played: layers.BreadthFirst, most: int, seconds: float) -> Followed:
    first_at: dict[Symbol, tuple[int, int]] = {}
    legal: set[str] = set()
    scene, symbols = played.dynamics.scene, played.dynamics.actions.symbols

    def look(depth: int, first: int, moves: bitsliced.BitMoves) -> None:
        legal.update(symbols[action].name for action, _ in moves.legal)
        for literal, (goal,) in scene.noted[GOAL[0]]:
            bits = moves.truth.atoms[literal]
            if bits and goal not in first_at:
                first_at[goal] = (depth, first + (bits & -bits).bit_length() - 1)

    played.look = look
    until = process_time() + seconds
    going: bool | None = True
    while going and played.size:
        going = played.positions <= most and engine.attempted(
            lambda: played.grow(lambda: process_time() < until)
        )
    if going is None and (fault := played.fault()):
        number, action = fault
        first_at[Function(FAULT, [action] if action else [])] = (played.depth, number)
    sums = (number for action in scene.actions.values() for number in action.sums)
    fired = {goal for goal in first_at if goal.type == SymbolType.Number}
    reached = []
    for goal in sorted(first_at.keys() - fired):
        depth, number = first_at[goal]
        line = played.line_to(depth, [number])
        before, position = line.positions[-2:] if depth else line.positions * 2
        reached.append(Reached(goal, position, before, tuple(map(text_of, line.actions))))
    return Followed(
        played.positions - played.size,
        max(played.depth - 1, 0),
        bool(going),
        tuple(reached),
        frozenset(goal.number for goal in fired),
        frozenset(legal),
        frozenset(scene.fluents[number].name for number in sums),
    )


def _confirmed(
    scope: Scope, reached: Reached, names: Collection[str]
) -> Iterator[tuple[str, Finding]]:
    """What was reached, as findings on some properties, if the ordinary verbs say the same."""
    name, position, line = reached.goal.name, reached.position, reached.line
    about = text_of(reached.goal.arguments[0]) if name == VIOLATED else name
    if name == FAULT:
        yield from _faults(scope, reached)
    elif about not in names:
        return
    elif about == STUCK:
        if not legality.legal_actions(position):
            says = "nobody has a legal action, but no rule says that the game is over"
            yield STUCK, Finding(STUCK, says, witness=Witness(position, line=line))
    elif about == KEPT:
        rule = text_of(reached.goal.arguments[0])
        flaws = consistency.check(position).flaws if line else ()
        if any(rule in flaw.rules for flaw in flaws):
            says = f"{line[-1]} leads to a position that {rule} does not allow"
            witness = Witness(reached.before, line[-1], line[:-1])
            yield KEPT, Finding(rule, says, (rule,), witness=witness)
    else:
        yield from ((about, finding) for finding in _broken(scope, about, reached))


def _faults(scope: Scope, reached: Reached) -> Iterator[tuple[str, Finding]]:
    """What is wrong with the rules in a position, or where an action is carried out there, so that
    play does not go on, by property."""
    position, action = reached.position, next(iter(reached.goal.arguments), None)
    witness = Witness(position, text_of(action) if action else "", reached.line)
    try:
        legality.legal_actions(position)
    except RulesetError as error:
        fault = error.faults[0]
        if action:
            place = str(fault.place or "")
            yield INCOMPLETE, Finding(action.name, fault.message, place=place, witness=witness)
    else:
        yield from effects.faults_of(scope, witness, action) if action else ()
    if scope.checks(ENDLESS):
        findings = unfinished_actions(position, lambda done: replace(witness, action=done))
        yield from ((ENDLESS, finding) for finding in findings)


def _broken(scope: Scope, about: str, reached: Reached) -> Iterator[Finding]:
    """What breaks a property in a position, or by an action there."""
    rule = text_of(reached.goal.arguments[1])
    for action in (None, *legality.legal_actions(reached.position)):
        witness = Witness(reached.position, str(action or ""), reached.line)
        finding = invariants.finding(scope, about, rule, witness, action.symbol if action else None)
        if finding.status == VIOLATED:
            yield finding
            return


def preferred(piece: Piece, findings: Sequence[Finding]) -> Piece:
    """What a property came to, where what play leads to comes first, and stands for what it may
    not lead to."""
    by = {(f.subject, f.rules): f for f in findings}
    others = (f for f in piece.findings if (f.subject, f.rules) not in by)
    return replace(piece, findings=(*by.values(), *others))


def _known(scope: Scope) -> frozenset[Key]:
    """What may be given or come about in play, under the readings in force."""
    words = scope.ruleset.vocabulary
    known = position_keys(words) | rulings({q: [o] for q, o in scope.reading.items()})
    known |= {("does", 3, name) for name in words.actions}
    return known | {("next", 3, name) for name in words.fluents}


def _breakable(scope: Scope, properties: Collection[str]) -> dict[str, frozenset[str]]:
    """The properties of which positions tell whether they are broken, each with the fluents of
    which it asks what comes next."""
    sources = scope.sources
    firing = sources.index().firing(_known(scope))
    own = [name for name in properties if invariants.breaking(sources.parts, name) <= firing]
    return {n: invariants.read_next(scope, sources.behind([(*BROKEN, n)])) for n in own}


def _firing(scope: Scope) -> list[int]:
    """The numbers of the statements that may fire in play: not of those by which it is found that
    something is no position, nor of those that judge whatever is asked about."""
    statements, index = scope.sources.statements, scope.sources.index()
    may = scope.sources.numbers(index.firing(_known(scope))) - judges(scope)
    judging = {n for n in may if any(key[:2] == JUDGED for key in statements[n].signs.uses)}
    return [n for n in candidates(scope) if n in may - judging]


def _beside(scope: Scope, nexts: Mapping[str, frozenset[str]], firing: Collection[int]) -> Slice:
    """The rules by which what is sought shows in a position: what breaks the properties that are
    *nexts*, and which of some statements are *firing*."""
    statements, index = scope.sources.statements, scope.sources.index()
    sought = {*SOUGHT, *(key for n in firing for key in statements[n].signs.uses)}
    parts = index.leading_to(sought, index.firing(_known(scope)), figured=True)
    fluents = scope.ruleset.vocabulary.fluents
    frames = (_frame(fluents[name]) for name in sorted(frozenset().union(*nexts.values())))
    rules = (goal_rule(n, statements[n].text) for n in firing)
    signs = Signs((), (((*GOAL, None), None),), frozenset())
    return Slice((*parts, Statement("\n".join([RULES["goals"], *frames, *rules]), signs)), (GOAL,))


def _idle(scope: Scope, silent: Collection[int], plays: Sequence[Followed]) -> tuple[str, ...]:
    """Statements that are silent, and actions that are legal nowhere."""
    statements = scope.sources.statements
    rules = [f"{subject(scope, n)} ({location(statements[n].place)})" for n in sorted(silent)]
    actions = set(scope.ruleset.vocabulary.actions).difference(*(play.legal for play in plays))
    return (*rules, *sorted(actions))


def _frame(fluent: Fluent) -> str:
    """The value of the fluents of a name after each of the actions."""
    term = any_term(fluent, "X")
    other = "" if fluent.default == GIVEN else f", V != {fluent.default}"
    return RULES["frame"].replace("@F", term).replace("@D", other)
