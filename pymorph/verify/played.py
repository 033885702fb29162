"""What play comes to from where it begins: every position within a bound, on compiled rules.

What induction over well-formed positions finds may never come about. What is found here does, and
comes with the actions that lead there; where play has no more positions, nothing else can come.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from clingo import Symbol

from pymorph.asp.dependency import Signs, Slice, Statement
from pymorph.asp.facts import Key, rulings
from pymorph.asp.observed import Uncompiled
from pymorph.errors import RulesetError
from pymorph.queries import consistency, legality
from pymorph.queries.application import apply
from pymorph.ruleset.vocabulary import GIVEN, Fluent
from pymorph.state.position import Position
from pymorph.terms import text_of
from pymorph.verify.domain import position_keys
from pymorph.verify.properties import invariants
from pymorph.verify.properties.effects import CONFLICT, KEPT
from pymorph.verify.properties.invariants import BROKEN, NEXT
from pymorph.verify.report import Finding, Piece, Witness
from pymorph.verify.scope import Scope

if TYPE_CHECKING:
    from pymorph.queries.compiled_steps import LegalLayer
    from pymorph.queries.layers import Layers

MOST = 20_000  # positions from which play is followed further
SECONDS = 10.0  # of work, in case that takes too long
MOST_ACTIONS, MOST_RULES = 1_500, 25_000  # of a table whose rules are compiled here
GOAL = ("verify_goal", 1)
STUCK, VIOLATED = "stuck", "violated"
SOUGHT: tuple[Key, ...] = (
    ("legal", 2, None), ("awaited", 3, None), ("over", 2, None), ("ill_formed", 3, None),
    ("violated", 4, None),
)  # fmt: skip
# In the position before them all actions are carried out, each as a transition of its own.
GOALS = """
#defined over/2. #defined awaited/3. #defined ill_formed/3. #defined violated/4.
#defined sets/4. #defined clears/3. #defined does/3. #defined next/3.
checking(0).
verify_able                 :- legal(_,0).
verify_able                 :- awaited(_,0,_).
verify_able                 :- over(0,_).
verify_goal(stuck)          :- not verify_able.
verify_goal(kept(R))        :- ill_formed(_,0,R).
verify_goal(violated(P,R))  :- violated(P,_,0,R).
"""


class Reached(NamedTuple):
    """What holds in a position to which play leads, first of all in this one; *before* the last
    action of the line it was in another."""

    goal: Symbol
    position: Position
    before: Position
    line: tuple[str, ...]


class Followed(NamedTuple):
    """Play from one start: how many positions were looked at, how many actions away at most, if
    there are no others, and what was *reached*."""

    positions: int
    actions: int
    complete: bool
    reached: tuple[Reached, ...]
    summed: frozenset[str]


class Play(NamedTuple):
    """How far play was followed from the starts, and which *properties* nothing broke there.

    *complete*: there are no positions but those to which play leads, so they are proved for it.
    """

    positions: int
    actions: int
    complete: bool
    properties: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {**self._asdict(), "properties": list(self.properties)}


def followed(
    scope: Scope, most: int = MOST, seconds: float = SECONDS
) -> tuple[Play | None, dict[str, list[Finding]]]:
    """How far play was followed from the starts, and what breaks properties there; nothing, where
    the rules cannot be compiled."""
    from pymorph.queries.layers import actions_at

    names = {text_of(row[0]) for row in scope.sources.rows("property", 1)}
    beside, told = _beside(scope, names)
    told |= {name: set() for name in (CONFLICT, KEPT, STUCK)}
    names = {name for name in told if scope.checks(name)}
    rows: list[Followed] = []
    findings: dict[str, list[Finding]] = defaultdict(list)
    for start in scope.starts if names else ():
        try:
            if actions_at(start) > MOST_ACTIONS:
                continue
            settled = apply(start).position
            rows.append(_followed(settled, beside, most, seconds / len(scope.starts)))
        except (Uncompiled, RulesetError):
            continue
        names -= {name for name in names if told[name] & rows[-1].summed}
        for each in rows[-1].reached:
            about = (
                text_of(each.goal.arguments[0]) if each.goal.name == VIOLATED else each.goal.name
            )
            if about in names:
                findings[about] += _confirmed(scope, about, each)
    if not rows:
        return None, {}
    silent = tuple(sorted(names - findings.keys()))
    complete = len(rows) == len(scope.starts) and all(each.complete for each in rows)
    play = Play(sum(r.positions for r in rows), max(r.actions for r in rows), complete, silent)
    return play, findings


def _followed(start: Position, beside: Slice, most: int, seconds: float) -> Followed:
    from pymorph.queries.compiled import CompiledScene
    from pymorph.queries.layers import Layers

    layers = Layers(CompiledScene(start, beside, MOST_RULES), [start])
    found: dict[Symbol, tuple[int, int]] = {}

    def look(depth: int, first: int, options: LegalLayer) -> None:
        for literal, (goal,) in layers.scene.noted[GOAL[0]]:
            bits = options.truth.atoms[literal]
            if bits and goal not in found:
                found[goal] = (depth, first + (bits & -bits).bit_length() - 1)

    layers.look = look
    until = process_time() + seconds
    going = True
    while going and layers.size:
        try:
            going = layers.positions <= most and layers.grow(lambda: process_time() < until)
        except Uncompiled:  # whoever goes one by one says what it is
            going = False
    acting = layers.scene.actions.values()
    summed = frozenset(layers.scene.fluents[row].name for action in acting for row in action.sums)
    looked = layers.positions - layers.size
    rows = tuple(_reached(layers, goal, *found[goal]) for goal in sorted(found))
    return Followed(looked, max(layers.depth - 1, 0), going, rows, summed)


def _reached(layers: Layers, goal: Symbol, depth: int, number: int) -> Reached:
    line = layers.line_to(depth, [number])
    before, position = line.positions[-2:] if depth else line.positions * 2
    return Reached(goal, position, before, tuple(map(text_of, line.actions)))


def _confirmed(scope: Scope, about: str, found: Reached) -> Iterator[Finding]:
    """What was reached, as a finding, if the ordinary verbs say the same."""
    position, line = found.position, found.line
    if about == STUCK:
        if not legality.legal_actions(position):
            says = "nobody has a legal action, and nothing says that the game is over"
            yield Finding(STUCK, says, witness=Witness(position, line=line))
    elif about == KEPT:
        rule = text_of(found.goal.arguments[0])
        flaws = consistency.check(position).flaws if line else ()
        if any(rule in flaw.rules for flaw in flaws):
            says = f"{line[-1]} leads to a position that {rule} says is none of the game"
            yield Finding(rule, says, (rule,), witness=Witness(found.before, line[-1], line[:-1]))
    else:
        yield from _broken(scope, about, found)


def _broken(scope: Scope, about: str, found: Reached) -> Iterator[Finding]:
    """What breaks a property in a position, or by an action there."""
    rule = text_of(found.goal.arguments[1])
    for action in (None, *legality.legal_actions(found.position)):
        done = action.symbol if action else None
        rows = invariants.broken(scope, about, found.position, done)
        what = ", ".join(text_of(each) for each, of in rows if of == rule)
        if what:
            witness = Witness(found.position, str(action or ""), found.line)
            subject, says = (done.name, f"{action}: {what}") if done else (rule, what)
            yield Finding(subject, says, (rule,), witness=witness)
            return


def preferred(piece: Piece, found: Sequence[Finding]) -> Piece:
    """What a property came to, where what play leads to stands for what it may not lead to."""
    by = {(each.subject, each.rules): each for each in found}
    kept = [by.pop((each.subject, each.rules), each) for each in piece.findings]
    return replace(piece, findings=(*kept, *by.values()))


def _beside(scope: Scope, properties: Collection[str]) -> tuple[Slice, dict[str, set[str]]]:
    """The rules by which what is sought shows in a position, and the properties of which they tell,
    each with the fluents of which it asks what comes next."""
    game, index = scope.ruleset, scope.sources.index()
    words = game.vocabulary
    known = position_keys(words) | rulings({q: [o] for q, o in scope.reading.items()})
    known |= {("does", 3, name) for name in words.actions}
    known |= {("next", 3, name) for name in words.fluents}
    firing = index.firing(known)
    parts = index.leading_to(SOUGHT, firing, figured=True)
    told: dict[str, set[str]] = {}
    for name in properties:
        leading = index.leading_to([(*BROKEN, name)], range(len(index.parts)), figured=True)
        read = {key[2] for part in leading for key in part.signs.reads if key[:2] == NEXT}
        names = set(words.fluents if None in read else filter(None, read))
        speaking = {
            number
            for number, part in enumerate(index.parts)
            if (*BROKEN, name) in {key for key, _ in part.signs.gives}
        }
        if speaking <= firing:
            told[name] = names
    names = set().union(*told.values())
    signs = Signs((), (((*GOAL, None), None),), frozenset())
    text = "\n".join([GOALS, *(_frame(words.fluents[name]) for name in sorted(names))])
    return Slice((*parts, Statement(text, signs)), (GOAL,)), told


def _frame(fluent: Fluent) -> str:
    """The value of the fluents of a name after each of the actions."""
    letters = ",".join(f"X{n}" for n in range(len(fluent.sorts)))
    term = f"{fluent.name}({letters})" if letters else fluent.name
    other = "" if fluent.default == GIVEN else f", V != {fluent.default}"
    return f"""
verify_set({term},T) :- sets({term},_,T,_).
verify_set({term},T) :- clears({term},T,_).
next({term},V,T) :- sets({term},V,T,_){other}.
next({term},V,T) :- does(_,S,T), holds({term},V,S), not verify_set({term},T)."""
