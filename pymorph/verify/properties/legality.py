"""Legality: whatever is legal is proposed, and no prohibition or requirement is redundant."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import wraps

from clingo import Function, Symbol

from pymorph.asp.facts import Key
from pymorph.dynamics.asking.legal import judged
from pymorph.errors import RulesetError
from pymorph.questions import legality
from pymorph.ruleset.vocabulary import Declared
from pymorph.terms import Term, text_of
from pymorph.verify.report import (
    UNKNOWN,
    VIOLATED,
    Finding,
    Piece,
    Property,
    confirm,
    unsettled,
)
from pymorph.verify.scope import Scope, narrower, wider_scopes
from pymorph.verify.spaces.domain import Domain, any_term
from pymorph.verify.spaces.model_search import ModelSearch
from pymorph.verify.spaces.witnesses import known
from pymorph.verify.versions.changes import BY, ChangeImpact, actions_of, cards_only, pieces_of

REDUNDANT, INCOMPLETE, REQUIRED = "redundant", "incomplete", "required"
LEGALITY = "verify_goal(legal) :- asked(A,0), legal(A,0)."
PROPOSING = """
#defined verify_name/2. #defined proposed/3.
verify_goal(incomplete(N)) :- verify_name(A,N), asked(A,0), legal(A,0), not proposed(A,0,_).
verify_goal(case(N))       :- verify_name(A,N), asked(A,0), legal(A,0).
"""
FORBIDDING = """
#defined reason/3. #defined over/2.
verify_against(R)          :- asked(A,0), reason(A,0,R), not over(0,R).
verify_goal(sole(R))       :- verify_against(R), #count { X : verify_against(X) } = 1.
verify_goal(against(R))    :- verify_against(R).
verify_goal(against)       :- verify_against(_).
"""
REQUIRING = """
#defined required/3. #defined required_one/3. #defined forbidden/3. #defined actor/2.
#defined permitted/2. #defined over/2.
verify_goal(barred(R,X))   :- asked(A,0), required(A,0,R), forbidden(A,0,X), not required(_,0,X).
verify_goal(both(R,X,B))   :- asked(A,0), required(A,0,R), required(B,0,X), A < B,
                              actor(A,C), actor(B,C).
verify_free(R,C)           :- required_one(B,0,R), actor(B,C), permitted(B,0).
verify_goal(none(R,X))     :- asked(A,0), required_one(A,0,R), forbidden(A,0,X), actor(A,C),
                              not verify_free(R,C), not over(0,_).
"""
REASONS: tuple[Key, ...] = (("reason", 3, None), ("over", 2, None))
DEMANDS: tuple[Key, ...] = (
    ("required", 3, None), ("required_one", 3, None), ("forbidden", 3, None),
    ("actor", 2, None), ("permitted", 2, None), ("over", 2, None),
)  # fmt: skip
Study = Callable[[Scope, str], dict[str, Piece]]
LEGAL = Function("legal")
AGAINST = Function("against")
OTHERS: tuple[Key, ...] = (("legal", 2, None), ("proposed", 3, None), ("ill_formed", 3, None))
schemas = ChangeImpact(frozenset([*REASONS, *DEMANDS, *OTHERS]))


def searched(
    scope: Scope, piece: str, about: Collection[str], opening: bool = False
) -> ModelSearch:
    """The search over all positions and all actions of some names, for what some properties are
    *about*."""
    schemas, domain = actions_of(scope, piece)
    sought: list[Key] = [("legal", 2, s.name) for s in schemas]
    rules = [LEGALITY]
    if INCOMPLETE in about:
        sought += [("proposed", 3, s.name) for s in schemas]
        rules += [PROPOSING, *(name_rule(s) for s in schemas if not s.open)]  # others are proposed
        rules += astray(domain, schemas)
    if REDUNDANT in about:
        sought += REASONS
        rules.append(FORBIDDING)
    if REQUIRED in about:
        sought += DEMANDS
        rules.append(REQUIRING)
    return ModelSearch(scope, domain, "\n".join(rules), sought, schemas, opening=opening)


def name_rule(schema: Declared) -> str:
    """A rule that tells the name of an action."""
    return f"verify_name(A,{schema.name}) :- asked(A,0), A = {any_term(schema)}."


def astray(domain: Domain, schemas: Iterable[Declared]) -> Iterator[str]:
    """Rules that tell what is legal and has an argument that is none of its sort."""
    words = domain.words
    for sort in sorted({name for schema in schemas for name in schema.sorts}):
        open_ended = words.sorts[sort].kind in ("range", "list")
        members = () if open_ended else words.members(sort, domain.scene)
        yield "#defined verify_member/2."
        yield from (f"verify_member({sort},{member})." for member in members)
    for schema in schemas:
        names = [f"X{i}" for i in range(len(schema.sorts))]
        term = any_term(schema, "X")
        body = f"proposed({term},0,_), legal({term},0)"
        for name, sort in zip(names, schema.sorts, strict=True):
            kind = words.sorts[sort]
            wrong = [f"not verify_member({sort},{name})"]
            if kind.kind == "range":
                wrong = [f"{name} < {kind.low}", f"{name} > {kind.high}"]
            elif kind.kind == "list":
                wrong = [f"not verify_list({sort},{name})"]
                yield from domain.lists_among(sort, f"proposed({term},0,_), X = {name}")
            for fault in wrong:
                yield f"verify_goal(astray({schema.name},{term})) :- {body}, {fault}."


def retried_narrower(work: Study) -> Study:
    """A study that looks once more within narrower bounds, and notes that, where something is too
    hard to settle."""

    @wraps(work)
    def study(scope: Scope, name: str) -> dict[str, Piece]:
        pieces = work(scope, name)
        narrow = narrower(scope)
        if narrow is None or not any(f.open for p in pieces.values() for f in p.findings):
            return pieces
        again = work(narrow, name)
        for key, piece in pieces.items():
            late = [f for f in piece.findings if f.open]
            if late and not any(f.open for f in again[key].findings):
                findings = [f for f in piece.findings if f not in late]
                known = {f.subject for f in findings}
                findings += [f for f in again[key].findings if f.subject not in known]
                where = f"searched within {Domain.of(narrow).bound}"
                notes = (*piece.notes, f"{'; '.join(f.says for f in late)}: {where}")
                pieces[key] = replace(piece, findings=tuple(findings), notes=notes, closed=False)
        return pieces

    return study


@retried_narrower
def study(scope: Scope, name: str) -> dict[str, Piece]:
    """What is found of actions: of being proposed, of each rule, of requirements."""
    about = [of for of in (INCOMPLETE, REDUNDANT, REQUIRED) if scope.checks(of)]
    search = searched(scope, name, about)
    looked, legal, more = search.counts(LEGAL)
    incomplete = (*_astray(search), *_incomplete(search))
    due, met = cases(search, (s for s in actions_of(scope, name)[0] if not s.open))
    return {
        INCOMPLETE: Piece(looked, legal, more, incomplete, closed=search.closed, due=due, met=met),
        REDUNDANT: Piece(
            looked,
            search.counted(AGAINST),
            more,
            due=frozenset(f"{rule} {name}" for rule in _rules(search.reached, "against")),
            met=_rules(search.reached, "sole"),
        ),
        REQUIRED: Piece(looked, legal, more, _required(search), closed=search.closed),
    }


def cases(search: ModelSearch, acting: Iterable[Declared]) -> tuple[frozenset[str], frozenset[str]]:
    """The names of actions of which a case has to be met with, and of which one was."""
    names = frozenset(schema.name for schema in acting)
    return names - _rules(search.unsettled, "case"), _rules(search.reached, "case")


def _rules(reached: Iterable[Symbol], name: str) -> frozenset[str]:
    arguments = (goal.arguments for goal in reached if goal.name == name and goal.arguments)
    return frozenset(text_of(rule) for rule, *_ in arguments)


def _astray(search: ModelSearch) -> Iterator[Finding]:
    """What is proposed and is no action of the vocabulary: of each name, the first that is."""
    named: set[str] = set()
    for goal in search.goals("astray"):
        name, action = text_of(goal.arguments[0]), goal.arguments[1]
        if name in named:
            continue
        named.add(name)
        witness = replace(search.example(goal).witness, action=text_of(action))
        try:
            legality.legal_actions(witness.position)
        except RulesetError as error:
            fault = error.faults[0]
            place = str(fault.place) if fault.place else ""
            yield replace(confirm(True, name, fault.message, witness), place=place)


def _incomplete(search: ModelSearch) -> Iterator[Finding]:
    late = {goal for goal in search.unsettled if goal.name == "incomplete"}
    for goal in sorted({*search.goals("incomplete"), *late}):
        name = text_of(goal.arguments[0])
        if goal in late:
            says = f"the time ran out before it was known whether every legal {name} is proposed"
            yield unsettled(name, says)
            continue
        example = search.example(goal)
        position, action = example.position, example.witness.action
        assert example.action is not None
        legal = judged(position, [example.action])[example.action].legal
        try:
            proposed = {str(term) for term in legality.legal_actions(position)}
        except RulesetError as error:
            yield unsettled(name, f"cannot list the proposed actions: {error}")
            continue
        says = f"{action} is legal when asked about, but no rule proposes it"
        yield confirm(legal and action not in proposed, name, says, example.witness)


def _required(search: ModelSearch) -> tuple[Finding, ...]:
    findings: dict[str, Finding] = {}
    for goal in search.goals("barred", "both", "none"):
        rules = tuple(text_of(rule) for rule in goal.arguments[:2])
        subject = "_".join(dict.fromkeys(rules))
        if subject in findings:
            continue
        example = search.example(goal)
        action = example.witness.action
        assert example.action is not None
        asked = [example.action, *goal.arguments[2:]]
        verdicts = judged(example.position, asked)
        against = [verdicts[term].rules for term in asked]
        if goal.name == "barred":
            says = f"{rules[0]} requires {action}, but {rules[1]} forbids it"
            sure = rules[1] in against[0]
        elif goal.name == "none":
            says = f"every action that {rules[0]} requires is forbidden"
            says += f": {rules[1]} forbids {action}"
            left = legality.legal_actions(example.position)
            sure = all(term.actor != Term(example.action).actor for term in left)
        else:
            says = f"{action} and {text_of(asked[1])} are both required before anything else"
            sure = rules[1] in against[0] and rules[0] in against[1]
        findings[subject] = confirm(sure, subject, says, example.witness, rules)
    return tuple(findings.values())


def still_redundant(scope: Scope, result: Piece) -> Piece:
    """The rules that speak against actions, but never alone: also not in a known position, or among
    more positions.

    After an edit the actions count as well that it does not bear on, and an edit of cards makes no
    rule idle. Where some of the work was not settled, no rule is known to be. Of what the ruleset
    accepts as redundant no other position is sought.
    """
    if cards_only(scope):
        return result
    due: dict[str, list[str]] = {}
    for pair in sorted(result.due):
        rule, _, piece = pair.partition(" ")
        if rule not in result.met:
            names, _, _ = piece.partition(BY)  # elsewhere others may act
            due.setdefault(rule, []).append(names)
    accepted = _accepted(scope, result, due)
    for rule in accepted.union(_alone_in_known(scope) if due.keys() - accepted else ()):
        due.pop(rule, None)
    scopes = list(wider_scopes(scope))
    if scope.changed is not None:
        due = dict.fromkeys(due, pieces_of(scope, scope.ruleset.vocabulary.actions))
        scopes = [(scope, False), *scopes]
    for wider, opening in scopes:
        for piece in sorted({piece for pieces in due.values() for piece in pieces}):
            sought = {rule for rule, pieces in due.items() if piece in pieces}
            if not sought:
                continue
            search = searched(wider, piece, [REDUNDANT], opening)
            for rule in sought:
                if search.some(Function("sole", [Function(rule)])) is not None:
                    del due[rule]
    says = "forbids only actions that other rules forbid as well"
    status = UNKNOWN if any(finding.status == UNKNOWN for finding in result.findings) else VIOLATED
    rules = sorted({*due, *accepted})
    findings = (Finding(r, f"{r} {says}", (r,), status=status) for r in rules)
    return replace(result, findings=(*result.findings, *findings))


def _alone_in_known(scope: Scope) -> frozenset[str]:
    """The rules that in a known position are all there is against an action."""
    entries = [entry for entry in known(scope).entries if entry.actions and not entry.flawed]
    answers = (judged(entry.position, entry.actions).values() for entry in entries)
    against = (verdict.rules for verdicts in answers for verdict in verdicts)
    return frozenset(rules[0] for rules in against if len(rules) == 1)


def _accepted(scope: Scope, piece: Piece, due: Collection[str]) -> frozenset[str]:
    """The rules that may be redundant and are not known to be otherwise: those that are *due*, and
    those that speak against nothing that was looked at, if that was all within the bounds."""
    known = scope.accepted.get(REDUNDANT, {}).keys()
    idle = scope.ruleset.rules.keys() - piece.met if scope.changed is None else frozenset()
    return frozenset(known & {*due, *idle})


PROPERTIES = (
    Property(
        REDUNDANT,
        "each prohibition forbids something that no other rule forbids",
        study,
        schemas,
        speaks_of="a forbidden action",
        settle=still_redundant,
    ),
    Property(
        INCOMPLETE,
        "every legal action is proposed, and every proposed action is declared",
        study,
        schemas,
        speaks_of="a legal action",
    ),
    Property(
        REQUIRED,
        "no action is both required and forbidden, and no two are required at once",
        study,
        schemas,
        "contradiction",
        speaks_of="a legal action",
    ),
)
