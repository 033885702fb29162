"""Invariants of a ruleset: what `violated` says of a position, or after an action in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial

from clingo import Function, Symbol

from pymorph.asp.dependency import DependencyGraph, Slice, Statement
from pymorph.asp.facts import HOLDS, Key, Signs
from pymorph.dynamics.asking import batch
from pymorph.errors import IllegalAction
from pymorph.explore.execution import application
from pymorph.state.position import Position
from pymorph.terms import sorted_symbols, text_of
from pymorph.verify.frame import name_rule
from pymorph.verify.report import Finding, Piece, Property, Witness, confirm, unsettled
from pymorph.verify.scope import Scope
from pymorph.verify.sources import Sources, encoding, location
from pymorph.verify.spaces.domain import HERE, position_keys
from pymorph.verify.spaces.model_search import ModelSearch
from pymorph.verify.spaces.successor import CHANGES, frame
from pymorph.verify.versions.changes import actions_of, applied_keys, change_impact, pieces_about

RULES = encoding("own")
BROKEN, SPOKEN = ("violated", 4), ("speaks", 2)
ASKED, DOES, NEXT = ("asked", 2), ("does", 3), ("next", 3)
SPEAKS = Function("speaks")
STATIC = "facts"  # the piece of a property of what is written down, which depends on no position
ANYWHERE = "position"  # the piece of a property of positions, whatever is done in them


def properties(scope: Scope) -> tuple[Property, ...]:
    """The properties that the ruleset brings along."""
    sources = scope.sources
    meanings = {text_of(name): text_of(text) for name, text in sources.arguments_of("meaning", 2)}
    names = dict.fromkeys(text_of(name) for (name,) in sources.arguments_of("property", 1))
    return tuple(_property(scope, name, meanings.get(name, name)) for name in names)


def _property(scope: Scope, name: str, meaning: str) -> Property:
    read = {key[:2] for part in _leading(scope, name) for key in part.signs.uses}
    static = read.isdisjoint({HOLDS, ASKED, DOES}) and pieces(name, scope) == [STATIC]
    work, own = partial(check, name), partial(pieces, name)
    counted = "facts" if static else "positions"
    return Property(
        name, meaning, work, own, "own", "a subject", counted, static=static, bounded=not static
    )


def check(name: str, scope: Scope, piece: str) -> Piece:
    """One piece of a property: the facts alone, any position, or any action of a name in it."""
    if piece == STATIC:
        return _static(scope, name)
    acting, domain = actions_of(scope, "" if piece == ANYWHERE else piece)
    parts = scope.sources.parts
    changing = read_next(scope, _leading(scope, name))
    rules = RULES["actions" if acting else "positions"].replace("@P", name)
    lines = [rules, *map(name_rule, acting)]
    if changing:
        lines += frame(scope.ruleset.vocabulary, (f for f in domain.fluents if f.name in changing))
    parts += tuple(map(_frame_statement, sorted(changing)))
    search = ModelSearch(
        scope, domain, "\n".join(lines), _sought(name), acting, applied=bool(acting), parts=parts
    )
    counts = search.counts(SPEAKS)
    findings = []
    for goal in sorted(search.reached - {SPEAKS}):
        rule, example = text_of(goal.arguments[0]), search.example(goal)
        findings.append(finding(scope, name, rule, example.witness, example.action))
    for goal in sorted(search.unsettled - {SPEAKS}):
        rule, *action = map(text_of, goal.arguments)
        says = f"the time ran out before {rule} was checked"
        findings.append(unsettled(" ".join((*action, "by", rule)), says, (rule,)))
    return Piece(*counts, tuple(findings), closed=search.closed)


def finding(scope: Scope, name: str, rule: str, witness: Witness, action: Symbol | None) -> Finding:
    """What breaks a property by a rule in a position, or when an action is carried out there."""
    what = [text_of(x) for x, r in broken(scope, name, witness.position, action) if r == rule]
    says = ", ".join(what) or "it is broken"
    subject, says = (action.name, f"{witness.action}: {says}") if action else (rule, says)
    return confirm(bool(what), subject, says, witness, (rule,))


def broken(
    scope: Scope, name: str, position: Position | None = None, action: Symbol | None = None
) -> list[tuple[Symbol, str]]:
    """What breaks a property, and by which rule: in a position, when an action is carried out.

    Whether it is legal, and what comes of it, say the ordinary verbs.
    """
    facts = [Function("situation", [HERE])] if position is None else position.facts(HERE)
    if position is not None and action is not None:
        facts.append(Function("asked", [action, HERE]))
        with suppress(IllegalAction):
            after = application.apply(position, text_of(action)).steps[0].position
            facts.append(Function("does", [action, HERE, HERE]))
            facts += [Function("next", [f, v, HERE]) for f, v in after.fluents.items()]
    atoms = batch.solve(Slice(_leading(scope, name), (BROKEN,)), facts, position)["violated"]
    violations = [atom.arguments for atom in sorted_symbols(atoms)]
    return [(what, rule.name) for of, what, _, rule in violations if of.name == name]


def _static(scope: Scope, name: str) -> Piece:
    """A property of what is written down: what breaks it, with its place."""
    sources, ruleset = scope.sources, scope.ruleset
    read = [part for part in _leading(scope, name) if not part.signs.uses]
    findings = []
    for what, rule in broken(scope, name):
        known = ruleset.rules.get(rule)
        says = f"{text_of(what)} does not fit: {known.says}" if known else text_of(what)
        findings.append(Finding(text_of(what), says, (rule,), _place(sources, what)))
    return Piece(len(read), len(read), findings=tuple(findings), closed=True)


def _place(sources: Sources, what: Symbol) -> str:
    """Where the first fact about a thing stands."""
    facts = (fact for of_signature in sources.facts.values() for fact in of_signature)
    places = [place for symbol, place in facts if what in symbol.arguments[:1]]
    return location(places[0]) if places else ""


# -- what a property depends on --------------------------------------------------------------------


def pieces(name: str, scope: Scope) -> list[str]:
    """The pieces of a property: for each action, if it is about what is asked or done, and if an
    edit bears on that."""
    parts = _leading(scope, name)
    index = DependencyGraph(parts)
    words = scope.ruleset.vocabulary
    read = {key[:2] for part in parts for key in part.signs.uses}
    everywhere = index.firing(position_keys(words))
    heads = breaking(parts, name)
    names = [ANYWHERE if HOLDS in read else STATIC] if everywhere & heads else []
    own = [*_sought(name), ("ill_formed", 3, None)]
    if names == [ANYWHERE] and scope.changed is not None:
        names = names if change_impact(scope, position_keys(words))(own) else []
    if ASKED in read or DOES in read:
        schemas = [
            n for n in words.actions if heads & index.firing(applied_keys(words, n)) - everywhere
        ]
        names += pieces_about(frozenset([*own, *CHANGES, ("legal", 2, None)]), scope, schemas)
    return names


def _sought(name: str) -> list[Key]:
    return [(*BROKEN, name), (*SPOKEN, name)]


def _leading(scope: Scope, name: str) -> tuple[Statement, ...]:
    """The statements that bear on a property."""
    return scope.sources.behind(_sought(name))


def breaking(parts: Iterable[Statement], name: str) -> set[int]:
    """The places of those statements that say what breaks a property."""
    known = (*BROKEN, name)
    return {n for n, part in enumerate(parts) if known in {key for key, _ in part.signs.defines}}


def read_next(scope: Scope, parts: Iterable[Statement]) -> frozenset[str]:
    """The names of the fluents of which some statements ask what comes next."""
    read = {key[2] for part in parts for key in part.signs.uses if key[:2] == NEXT}
    return frozenset(scope.ruleset.vocabulary.fluents if None in read else filter(None, read))


def _frame_statement(fluent: str) -> Statement:
    """The frame, as far as it is for the fluents of a name: it reads what they are, and changes."""
    reads: Iterator[Key] = ((name, arity, fluent) for name, arity, _ in (*CHANGES, (*HOLDS, None)))
    return Statement("", Signs((), (((*NEXT, fluent), None),), frozenset(reads)))
