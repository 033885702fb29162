"""What it takes for a statement to fire: its body as a goal, and the actions with which it may."""

from __future__ import annotations

from functools import lru_cache

from clingo.ast import AST

from pymorph.asp.dependency import Statement
from pymorph.asp.facts import OCCURRED, Key, rulings
from pymorph.asp.syntax_trees import positive, rules_in, signatures, variables
from pymorph.verify.scope import Scope, once
from pymorph.verify.sources import keys, of_play
from pymorph.verify.spaces.domain import action_keys, position_keys

OF_PROPERTIES = frozenset({("violated", 4), ("speaks", 2), ("measure", 3)})
WANTED = ("wanted", 2)
SOUGHT = ("sought", 2)
# What a picture is asked to show: the zone of somebody, an area, the way of an action.
LOOKED = keys("threat_of/2 area_of/2 route_of/2")


def candidates(scope: Scope) -> list[int]:
    """The numbers of the statements that ought to fire: the ruleset's own rules with a body."""
    statements = scope.sources.statements
    return [
        n
        for n in scope.sources.own
        if statements[n].kind == "rule"
        and statements[n].body
        and of_play(statements[n])
        and not statements[n].heads & OF_PROPERTIES
        and "/properties/" not in f"/{statements[n].place.file}"
        and (scope.changed is None or n in scope.changed)
        and n not in pictured(scope)
    ]


@once
def pictured(scope: Scope) -> frozenset[int]:
    """The statements that have a say only where somebody asks for a picture: play needs none."""
    index, names = scope.sources.index(), scope.ruleset.vocabulary.actions
    known = question_keys(scope, "").union(*map(action_keys, names))
    return scope.sources.numbers(index.firing(known | LOOKED) - index.firing(known))


@once
def judges(scope: Scope) -> frozenset[int]:
    """The statements that lead to ``ill_formed``: they may speak of what is no position."""
    index = scope.sources.index()
    every = range(len(index.parts))
    return scope.sources.numbers(index.numbers([("ill_formed", 3, None)], every, figured=True))


def firing(scope: Scope, name: str) -> frozenset[int]:
    """The statements that may fire where an action of a name is asked about and carried out; or
    none, if there is no name."""
    return scope.sources.numbers(scope.sources.index().firing(question_keys(scope, name)))


def question_keys(scope: Scope, name: str) -> frozenset[Key]:
    """The keys of all facts that a question may come with, about an action of a name if any."""
    known = position_keys(scope.ruleset.vocabulary) | rulings(scope.ruleset.options)
    known |= {(*WANTED, None), (*SOUGHT, None), (*OCCURRED, None)} | keys("wide/1 surveying/1")
    return known | action_keys(name) if name else known


def goal_rule(number: int, text: str) -> str:
    """A rule by which the statement with that number is a goal where its body holds."""
    bodies = ("; ".join(map(str, rule.body)) for rule in rules_in(unsought_text(text)))
    return "\n".join(f"verify_goal({number}) :- {body}." for body in bodies)


@once
def goal_rules(scope: Scope) -> dict[int, str]:
    """A rule for each of the statements that ought to fire, by its number."""
    return {n: goal_rule(n, scope.sources.statements[n].text) for n in candidates(scope)}


@once
def all_unsought(scope: Scope) -> list[Statement]:
    """All statements, as `unsought` has them."""
    return [unsought(part) for part in scope.sources.parts]


def unsought(part: Statement) -> Statement:
    """A statement that takes for granted that whatever it asks about is sought."""
    if not any(key[:2] == SOUGHT for key in part.signs.uses):
        return part
    needs = tuple(n for n in part.signs.requires if not any(key[:2] == SOUGHT for key in n))
    return Statement(unsought_text(part.text), part.signs._replace(requires=needs))


@lru_cache(maxsize=10000)
def unsought_text(text: str) -> str:
    """The same statement where whatever there is may be sought."""
    if "sought(" not in text:
        return text
    rules = ((rule.head, map(anything, rule.body)) for rule in rules_in(text))
    return "\n".join(f"{head} :- {'; '.join(body)}." for head, body in rules)


def anything(part: AST) -> str:
    """A part of a body; instead of an atom of ``sought``, that its variables may be anything."""
    if not positive(part) or SOUGHT not in [atom[:2] for atom in signatures(part.atom.symbol)]:
        return str(part)
    return "; ".join(f"verify_any({name})" for name in variables(part))
