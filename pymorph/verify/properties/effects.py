"""What comes of an action that is carried out: one value for each fluent, and a position again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from clingo import Function, Symbol

from pymorph.asp.facts import Key
from pymorph.errors import Fault, RulesetError
from pymorph.queries import application, consistency
from pymorph.state.position import Position
from pymorph.terms import text_of
from pymorph.verify.changes import ChangeImpact, looked_at
from pymorph.verify.domain import Domain, told_of_positions
from pymorph.verify.model_search import FoundModel, ModelSearch
from pymorph.verify.properties.legality import settled
from pymorph.verify.report import UNKNOWN, Finding, Piece, Property, Witness, finding
from pymorph.verify.scope import Scope
from pymorph.verify.successor import CHANGES, FRAME, afterwards, kinds

DONE = Function("done")
VALUES = tuple(key for key in CHANGES if key[0] != "adds")
schemas = ChangeImpact(frozenset([*CHANGES, ("legal", 2, None), ("ill_formed", 3, None)]))
CONFLICT, KEPT = "conflict", "kept"
RULES = """
#defined does/3. #defined sets/4. #defined clears/3.
verify_goal(done) :- does(_,0,0).
"""
CONFLICTS = """
verify_goal(conflict(R,R)) :- sets(F,V,0,R), sets(F,W,0,R), V < W.
verify_goal(conflict(R,X)) :- sets(F,V,0,R), sets(F,W,0,X), V != W, R < X.
verify_goal(conflict(R,X)) :- sets(F,V,0,R), clears(F,0,X), not verify_default(F,V).
"""
LEADING = """
#defined after_ill_formed/3.
verify_clash                 :- sets(F,V,0,_), sets(F,W,0,_), V < W.
verify_clash                 :- sets(F,V,0,_), clears(F,0,_), not verify_default(F,V).
verify_goal(ill_formed(R))   :- after_ill_formed(_,0,R), not verify_clash.
verify_goal(misfit(K))       :-
    next(F,V,0), verify_kind(F,K), not verify_fits(K,V), not verify_clash.
"""
# It matters where something is to be proved, as it is not of an edit.
BEYOND = """
verify_goal(leaves) :- next(F,V,0), verify_kind(F,K), verify_fits(K,V), not verify_value(K,V).
"""


def study(scope: Scope, name: str) -> dict[str, Piece]:
    """What is found of carrying out the actions of a name: conflicts, and what it leads to."""
    return settled(scope, name, _study)


def _study(scope: Scope, name: str) -> dict[str, Piece]:
    acting, domain = looked_at(scope, name)
    words = scope.ruleset.vocabulary
    index = scope.sources.index()
    known = told_of_positions(words)
    extra, changes = [RULES, *kinds(words, domain.fluents)], VALUES
    if scope.seeks(CONFLICT):
        extra.append(CONFLICTS)
    if scope.seeks(KEPT):
        changes = CHANGES
        extra += [LEADING, FRAME, *fitting(domain)]
        extra += [BEYOND] if scope.changed is None else []
        changing = changed_by(scope, known, {schema.name for schema in acting})
        sought = [("ill_formed", 3, None)]
        extra += afterwards(index, sought, known, changing, scope.ruleset.bounds)
    search = ModelSearch(scope, domain, "\n".join(extra), changes, acting, done=True)
    looked, done = search.counts(DONE)
    reached = search.reached()
    more = max(looked, done) >= search.most
    conflicts = [goal for goal in reached if goal.name == CONFLICT]
    broken = [goal for goal in reached if goal.name in ("ill_formed", "misfit")]
    late = sorted(search.unsettled)
    closed = search.closed and not any(goal.name == "leaves" for goal in reached)
    return {
        CONFLICT: Piece(
            looked,
            done,
            more,
            (*_conflicts(search, conflicts), *_late(name, late, CONFLICT)),
            closed=search.closed,
        ),
        KEPT: Piece(
            looked,
            done,
            more,
            (*_broken(search, broken), *_late(name, late, "ill_formed", "misfit")),
            closed=closed,
        ),
    }


def changed_by(scope: Scope, known: Iterable[Key], names: Collection[str]) -> frozenset[str]:
    """The names of the fluents that actions of some names can change."""
    index = scope.sources.index()
    acting = {*known, *(key for name in names for key in (("asked", 2, name), ("does", 3, name)))}
    among = index.firing(acting, index.proposing_others(names))
    kept = index.leading_to(CHANGES, among, figured=True)
    given = {key for part in kept for key, _ in part.signs.gives if (*key[:2], None) in CHANGES}
    every = scope.ruleset.vocabulary.fluents
    return frozenset(every if any(key[2] is None for key in given) else (k[2] or "" for k in given))


def fitting(domain: Domain) -> Iterator[str]:
    """For each fluent the values of its sort, and those of them that are looked at."""
    kinds: dict[str, tuple[Symbol, ...]] = {}
    for fluent, values in domain.fluents.items():
        yield f"verify_kind({fluent},{fluent.name})."
        kinds[fluent.name] = values
    for kind, values in kinds.items():
        every = domain.words.members(domain.words.fluents[kind].value, domain.scene)
        if every:
            yield f"verify_fits({kind},({';'.join(map(str, every))}))."
        if values:
            yield f"verify_value({kind},({';'.join(map(str, values))}))."


def _late(name: str, goals: Iterable[Symbol], *kinds: str) -> Iterator[Finding]:
    """What could not be settled in time."""
    left = [text_of(a) for goal in goals if goal.name in kinds for a in goal.arguments]
    if left:
        rules = ", ".join(dict.fromkeys(left))
        yield Finding(name, f"{name} is not settled in time for {rules}", status=UNKNOWN)


def _conflicts(search: ModelSearch, goals: Iterable[Symbol]) -> Iterator[Finding]:
    seen: set[frozenset[str]] = set()
    for goal in sorted(goals):
        rules = tuple(dict.fromkeys(map(text_of, goal.arguments)))
        if frozenset(rules) in seen:
            continue
        seen.add(frozenset(rules))
        found = search.smallest(goal)
        assert found is not None
        assert found.action is not None
        action = text_of(found.action)
        told = _carried_out(found)
        says = f"{action} gives a fluent two values at once, by {' and '.join(rules)}"
        yield finding(
            "_".join(rules), says, rules, Witness(found.position, action), isinstance(told, Fault)
        )


def _broken(search: ModelSearch, goals: Iterable[Symbol]) -> Iterator[Finding]:
    for goal in sorted(goals):
        subject = text_of(goal.arguments[0])
        found = search.smallest(goal)
        assert found is not None
        assert found.action is not None
        action = text_of(found.action)
        told = _carried_out(found)
        if goal.name == "ill_formed":
            says = f"{action} leads to a position that {subject} says is none of the game"
            flaws = consistency.check(told).flaws if isinstance(told, Position) else ()
            sure = any(subject in flaw.rules for flaw in flaws)
            if isinstance(told, Position) and not flaws:
                continue  # what follows of itself sets it right
            rules: tuple[str, ...] = (subject,)
        else:
            says = f"{action} gives {subject} a value that it cannot have"
            sure, rules = isinstance(told, Fault) or _misfits(told, subject), ()
        yield finding(subject, says, rules, Witness(found.position, action), sure)


def _carried_out(found: FoundModel) -> Position | Fault:
    """The position after the action, as the verb apply has it, or what is wrong with the rules."""
    try:
        return application.apply(found.position, str(found.action)).position
    except RulesetError as error:
        return error.faults[0]


def _misfits(position: Position, name: str) -> bool:
    words = position.ruleset.vocabulary
    return any(
        not words.belongs(value, words.fluents[name].value, position.scene)
        for fluent, value in position.fluents.items()
        if fluent.name == name
    )


PROPERTIES = (
    Property(
        CONFLICT,
        "no action gives one fluent two values at once",
        study,
        schemas,
        "contradiction",
        speaks_of="an action carried out",
    ),
    Property(
        KEPT,
        "a legal action leads from a position of the game to another one",
        study,
        schemas,
        "contradiction",
        speaks_of="an action carried out",
    ),
)
