"""Legality: whatever is legal is proposed, and no prohibition or requirement is redundant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import partial

from clingo import Function, Symbol

from pymorph.asp.facts import Key
from pymorph.dynamics.asking.legal import judged
from pymorph.errors import RulesetError
from pymorph.questions import legality
from pymorph.ruleset.vocabulary import Declared
from pymorph.state.position import Position
from pymorph.terms import Term, actor_of, text_of
from pymorph.verify.frame import described, in_known, name_rule, subjects, tested
from pymorph.verify.report import UNKNOWN, VIOLATED, Finding, Piece, Witness, confirm, unsettled
from pymorph.verify.scope import Scope, wider_scopes
from pymorph.verify.sources import encoding, keys
from pymorph.verify.spaces.domain import Domain, any_term
from pymorph.verify.spaces.model_search import ModelSearch
from pymorph.verify.spaces.witnesses import judged_in, known
from pymorph.verify.versions.changes import BY, actions_of, cards_only, pieces_about, pieces_of

RULES = encoding("legality")
REDUNDANT, INCOMPLETE, REQUIRED = "redundant", "incomplete", "required"
REASONS = keys("reason/3 over/2")
DEMANDS = keys("required/3 required_one/3 forbidden/3 actor/2 permitted/2 over/2")
OTHERS = keys("legal/2 proposed/3 ill_formed/3")
LEGAL = Function("legal")
AGAINST = Function("against")
schemas = partial(pieces_about, REASONS | DEMANDS | OTHERS)


def searched(
    scope: Scope, piece: str, about: Collection[str], opening: bool = False
) -> ModelSearch:
    """The search over all positions and all actions of some names, for what some properties are
    *about*."""
    schemas, domain = actions_of(scope, piece)
    sought: list[Key] = [("legal", 2, s.name) for s in schemas]
    rules = [RULES["legality"]]
    if INCOMPLETE in about:
        sought += [("proposed", 3, s.name) for s in schemas]
        closed = (schema for schema in schemas if not schema.open)  # others are proposed
        rules += [RULES[INCOMPLETE], *map(name_rule, closed)]
        rules += astray(domain, schemas)
    for of, read in ((REDUNDANT, REASONS), (REQUIRED, DEMANDS)):
        if of in about:
            sought += read
            rules.append(RULES[of])
    return ModelSearch(scope, domain, "\n".join(rules), sought, schemas, opening=opening)


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


def study(scope: Scope, name: str) -> dict[str, Piece]:
    """What is found of actions: of being proposed, of each rule, of requirements."""
    about = [of for of in (INCOMPLETE, REDUNDANT, REQUIRED) if scope.checks(of)]
    search = searched(scope, name, about)
    looked, legal, more = search.counts(LEGAL)
    incomplete = (*_astray(search), *_incomplete(search))
    due, met = tested(search, (s for s in actions_of(scope, name)[0] if not s.open))
    against = frozenset(f"{rule} {name}" for rule in subjects(search.goals("against")))
    alone, forbidden = subjects(search.goals("sole")), search.counted(AGAINST)
    return {
        INCOMPLETE: Piece(looked, legal, more, incomplete, closed=search.closed, due=due, met=met),
        REDUNDANT: Piece(looked, forbidden, more, due=against, met=alone),
        REQUIRED: Piece(looked, legal, more, (*_required(search),), closed=search.closed),
    }


def _astray(search: ModelSearch) -> Iterator[Finding]:
    """What is proposed and is no action of the vocabulary: of each name, the first that is."""
    for goal, example in search.examples(["astray"], lambda goal: goal.arguments[0]):
        witness = replace(example.witness, action=text_of(goal.arguments[1]))
        try:
            legality.legal_actions(witness.position)
        except RulesetError as error:
            fault = error.faults[0]
            finding = confirm(True, text_of(goal.arguments[0]), fault.message, witness)
            yield replace(finding, place=str(fault.place or ""))


def _incomplete(search: ModelSearch) -> Iterator[Finding]:
    late = search.late(INCOMPLETE)
    for goal in sorted([*search.goals(INCOMPLETE), *late]):
        name = text_of(goal.arguments[0])
        if goal in late:
            says = f"the time ran out before it was known whether every legal {name} is proposed"
            yield unsettled(name, says)
            continue
        example = search.example(goal)
        action = example.witness.action
        legal = judged(example.position, [example.asked])[example.asked].legal
        try:
            proposed = {str(term) for term in legality.legal_actions(example.position)}
        except RulesetError as error:
            yield unsettled(name, f"cannot list the proposed actions: {error}")
            continue
        says = f"{action} is legal when asked about, but no rule proposes it"
        yield confirm(legal and action not in proposed, name, says, example.witness)


def proposed_in_known(scope: Scope, piece: Piece) -> Piece:
    """Are the actions without a case proposed where they are legal in known positions?"""

    def fault(position: Position, action: Symbol) -> Iterator[Finding]:
        if Term(action) not in legality.legal_actions(position):
            says = f"{text_of(action)} is legal when asked about, but no rule proposes it"
            yield Finding(action.name, says, witness=Witness(position, text_of(action)))

    return in_known(scope, piece, fault)


def _demanding(goal: Symbol) -> tuple[str, ...]:
    """The two rules that contradict each other."""
    return tuple(map(text_of, goal.arguments[:2]))


def _required(search: ModelSearch) -> Iterator[Finding]:
    for goal, example in search.examples(["barred", "both", "none"], _demanding):
        one, other = rules = _demanding(goal)
        action, asked = example.witness.action, [example.asked, *goal.arguments[2:]]
        verdicts = judged(example.position, asked)
        against = [verdicts[term].rules for term in asked]
        if goal.name == "barred":
            says = f"{one} requires {action}, but {other} forbids it"
            sure = other in against[0]
        elif goal.name == "none":
            says = f"every action that {one} requires is forbidden: {other} forbids {action}"
            left = legality.legal_actions(example.position)
            sure = all(term.actor != actor_of(example.asked) for term in left)
        else:
            says = f"{action} and {text_of(asked[1])} are both required before anything else"
            sure = other in against[0] and one in against[1]
        yield confirm(sure, "_".join(dict.fromkeys(rules)), says, example.witness, rules)


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
    # Those too that speak against nothing that was looked at, if that was all within the bounds.
    idle = scope.ruleset.rules.keys() - result.met if scope.changed is None else frozenset()
    accepted = scope.accepted.get(REDUNDANT, {}).keys() & {*due, *idle}
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
    findings = (Finding(r, f"{r} {says}", (r,), status=status) for r in sorted({*due, *accepted}))
    return replace(result, findings=(*result.findings, *findings))


def _alone_in_known(scope: Scope) -> frozenset[str]:
    """The rules that in a known position are all there is against an action."""
    entries = [entry for entry in known(scope).entries if entry.actions and not entry.flawed]
    against = (verdict.rules for verdicts in judged_in(entries) for verdict in verdicts.values())
    return frozenset(rules[0] for rules in against if len(rules) == 1)


PROPERTIES = (
    described(
        REDUNDANT,
        study,
        schemas,
        speaks_of="a forbidden action",
        settle=still_redundant,
        bounded=True,
    ),
    described(
        INCOMPLETE,
        study,
        schemas,
        speaks_of="a legal action",
        bounded=True,
        settle=proposed_in_known,
    ),
    described(
        REQUIRED, study, schemas, family="contradiction", speaks_of="a legal action", bounded=True
    ),
)
