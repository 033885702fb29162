"""Effects: an action gives each fluent one value, and leads from one position to another."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import combinations

from clingo import Function, Symbol

from pymorph.asp.dependency import Slice
from pymorph.asp.facts import Key, rulings
from pymorph.dynamics.asking import batch
from pymorph.errors import Fault, RulesetError
from pymorph.explore.execution import application
from pymorph.questions import consistency
from pymorph.state.position import Position
from pymorph.terms import text_of
from pymorph.verify.frame import described, in_known, name_rule, tested
from pymorph.verify.report import Finding, Piece, Property, Witness, confirm, unsettled
from pymorph.verify.scope import Scope, once
from pymorph.verify.sources import encoding, keys
from pymorph.verify.spaces.domain import HERE, Domain, action_keys, position_keys
from pymorph.verify.spaces.model_search import ModelSearch, OpenModel
from pymorph.verify.spaces.successor import CHANGES, frame, in_successor
from pymorph.verify.versions.changes import actions_of, pieces_about

RULES = encoding("effects")
CARRIED_OUT = Function("done")
VALUES = tuple(key for key in CHANGES if key[0] != "adds")
SETTING = tuple(key[:2] for key in VALUES)
schemas = partial(pieces_about, keys("legal/2 ill_formed/3").union(CHANGES))
CONFLICT, KEPT = "conflict", "kept"


def study(scope: Scope, name: str) -> dict[str, Piece]:
    """What is found of carrying out the actions of a name: conflicts, and what it leads to."""
    acting, domain = actions_of(scope, name)
    words = scope.ruleset.vocabulary
    rule, *defaults = frame(words, domain.fluents)
    extra, changes = [RULES["done"], *defaults, *map(name_rule, acting)], VALUES
    if scope.checks(CONFLICT):
        extra.append(RULES["conflicts"])
    if scope.checks(KEPT):
        changes = CHANGES
        extra += [RULES["leading"], rule, *values(domain)]
        extra += [RULES["beyond"]] if scope.changed is None else []
        known = position_keys(words) | rulings({q: [o] for q, o in scope.rulings.items()})
        changing = changed_by(scope, known, {schema.name for schema in acting})
        extra += in_successor(scope, domain, known, changing)
    search = ModelSearch(scope, domain, "\n".join(extra), changes, acting, applied=True)
    counts = search.counts(CARRIED_OUT)
    conflicts = (*_conflicts(search), *_unsettled(search, name, CONFLICT))
    outside = (*_broken(search), *_unsettled(search, name, "ill_formed", "misfit"))
    due, met = tested(search, acting)
    closed = search.closed and not search.goals("leaves")
    return {
        CONFLICT: Piece(*counts, conflicts, closed=search.closed, due=due, met=met),
        KEPT: Piece(*counts, outside, closed=closed, due=due, met=met),
    }


def changed_by(scope: Scope, known: Iterable[Key], names: Collection[str]) -> frozenset[str]:
    """The names of the fluents that actions of some names can change."""
    index = scope.sources.index()
    acting = {*known, *(key for name in names for key in action_keys(name))}
    among = index.firing(acting, index.proposing_others(names))
    relevant = index.leading_to(CHANGES, among, figured=True)
    given = {
        key for part in relevant for key, _ in part.signs.defines if (*key[:2], None) in CHANGES
    }
    every = scope.ruleset.vocabulary.fluents
    return frozenset(every if any(key[2] is None for key in given) else (k[2] or "" for k in given))


def values(domain: Domain) -> Iterator[str]:
    """For each fluent the values of its sort, and those of them that are looked at."""
    kinds: dict[str, tuple[Symbol, ...]] = {}
    for fluent, values in domain.fluents.items():
        yield f"verify_kind({fluent},{fluent.name})."
        kinds[fluent.name] = values
    for kind, values in kinds.items():
        sort = domain.words.fluents[kind].value
        every = domain.words.members(sort, domain.scene)
        if domain.words.sorts[sort].kind == "list":
            yield from domain.lists_among(sort, f"next(F,X,0), verify_kind(F,{kind})")
            yield f"verify_fits({kind},V) :- verify_list({sort},V)."
        elif every:
            yield f"verify_fits({kind},({';'.join(map(str, every))}))."
        if values:
            yield f"verify_value({kind},({';'.join(map(str, values))}))."


def _unsettled(search: ModelSearch, name: str, *kinds: str) -> Iterator[Finding]:
    rules = dict.fromkeys(text_of(a) for goal in search.late(*kinds) for a in goal.arguments)
    if rules:
        yield unsettled(name, f"the time ran out before {name} was checked for {', '.join(rules)}")


def in_known_positions(of: str, scope: Scope, piece: Piece) -> Piece:
    """The actions without a case are carried out in known positions."""

    def fault(position: Position, action: Symbol) -> Iterator[Finding]:
        witness = Witness(position, text_of(action))
        try:
            after = application.apply(position, witness.action).position
        except RulesetError:
            yield from (f for about, f in faults_of(scope, witness, action) if about == of)
        else:
            flaws = consistency.check(after).flaws if of == KEPT else ()
            rules = {rule for flaw in flaws for rule in flaw.rules}
            yield from (_astray(True, witness, rule) for rule in sorted(rules))

    return in_known(scope, piece, fault)


def _conflicts(search: ModelSearch) -> Iterator[Finding]:
    for goal, example in search.examples([CONFLICT], lambda goal: frozenset(goal.arguments)):
        rules = tuple(dict.fromkeys(map(text_of, goal.arguments)))
        yield _conflict(isinstance(_carried_out(example), Fault), example.witness, rules)


def _broken(search: ModelSearch) -> Iterator[Finding]:
    for goal, example in search.examples(["ill_formed", "misfit"], lambda goal: goal):
        subject, after = text_of(goal.arguments[0]), _carried_out(example)
        if goal.name == "misfit":
            sure = isinstance(after, Fault) or subject in _misfits(after, after.fluents.items())
            yield _misfit(sure, example.witness, subject)
            continue
        flaws = consistency.check(after).flaws if isinstance(after, Position) else ()
        if flaws or isinstance(after, Fault):  # else what follows automatically corrects it
            sure = any(subject in flaw.rules for flaw in flaws)
            yield _astray(sure, example.witness, subject)


def _astray(sure: bool, witness: Witness, rule: str) -> Finding:
    says = f"{witness.action} leads to a position that {rule} does not allow"
    return confirm(sure, rule, says, witness, (rule,))


def _conflict(sure: bool, witness: Witness, rules: tuple[str, ...]) -> Finding:
    says = f"{witness.action} gives a fluent two values at once, by {' and '.join(rules)}"
    return confirm(sure, "_".join(rules), says, witness, rules)


def _misfit(sure: bool, witness: Witness, name: str) -> Finding:
    says = f"{witness.action} gives {name} a value that it cannot have"
    return confirm(sure, name, says, witness)


def faults_of(scope: Scope, witness: Witness, action: Symbol) -> Iterator[tuple[str, Finding]]:
    """Why an action cannot be carried out in a position: what its rules give fluents, by property,
    that is two values at once, or a value that is none."""
    position = witness.position
    facts = position.facts(HERE)
    facts += [Function("asked", [action, HERE]), Function("does", [action, HERE, HERE])]
    atoms = batch.solve(_setting(scope), facts, position)
    sets = sorted((atom.arguments for atom in atoms["sets"]), key=lambda a: (a[-1], a[0], a[1]))
    gives = [(fluent, value, rule) for fluent, value, *_, rule in sets]
    clears = [(f, position.default(f), r) for f, _, r in (a.arguments for a in atoms["clears"])]
    clashes = {
        tuple(dict.fromkeys((rule.name, other.name)))
        for (fluent, value, rule), (same, another, other) in combinations([*gives, *clears], 2)
        if fluent == same and value != another
    }
    yield from ((CONFLICT, _conflict(True, witness, rules)) for rules in sorted(clashes))
    if not clashes:
        values = ((f, value) for f, value, _ in gives if value != position.default(f))
        misfits = _misfits(position, values)
        yield from ((KEPT, _misfit(True, witness, name)) for name in sorted(misfits))


@once
def _setting(scope: Scope) -> Slice:
    """What gives fluents their values."""
    return Slice(scope.sources.behind(VALUES), SETTING)


def _carried_out(model: OpenModel) -> Position | Fault:
    """The position after the action, as the verb apply has it, or what is wrong with the rules."""
    try:
        return application.apply(model.position, str(model.action)).position
    except RulesetError as error:
        return error.faults[0]


def _misfits(position: Position, values: Iterable[tuple[Symbol, Symbol]]) -> set[str]:
    """The names of the fluents to which some of these values do not belong."""
    words, scene = position.ruleset.vocabulary, position.scene
    sorted_values = ((f.name, value, words.fluents[f.name].value) for f, value in values)
    return {name for name, value, sort in sorted_values if not words.belongs(value, sort, scene)}


def _property(of: str) -> Property:
    how = {"family": "contradiction", "speaks_of": "an action carried out", "bounded": True}
    return described(of, study, schemas, settle=partial(in_known_positions, of), **how)


PROPERTIES = (_property(CONFLICT), _property(KEPT))
