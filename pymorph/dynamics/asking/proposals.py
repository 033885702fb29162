"""Are the actions that rules propose those that the vocabulary declares?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from clingo import Function, Symbol

from pymorph.dynamics.asking.batch import ask, blamed, situation
from pymorph.errors import Fault, RulesetError, clipped
from pymorph.state.position import Position
from pymorph.terms import text_of

PROPOSING = ("proposed", "forced", "chance")


def hold_to_sorts(position: Position, actions: Iterable[Symbol]) -> None:
    """Raises: RulesetError, if one of the *actions* has an argument that is none of its sort."""
    fitting = position.scene.fitting
    assert fitting is not None
    for action in actions:
        if action in fitting:
            continue
        wrong = astray(position, action)
        if wrong:
            raise RulesetError(_blamed(position, action, wrong))
        fitting.add(action)


def actions_at(position: Position) -> int:
    """How many actions there are at a table, legal or not."""
    words, scene = position.ruleset.vocabulary, position.scene
    sorts = [declared.sorts for declared in words.actions.values()]
    return sum(prod(len(words.members(sort, scene)) for sort in each) for each in sorts)


def astray(position: Position, action: Symbol) -> str:
    """What is wrong with the arguments of an action; nothing, if it is one of the vocabulary."""
    declared = position.ruleset.vocabulary.actions.get(action.name)
    if declared is None or len(declared.sorts) != len(action.arguments):
        return "the vocabulary has no such action"
    return misfit(position, action.arguments, declared.sorts)


def misfit(position: Position, arguments: Sequence[Symbol], sorts: Sequence[str]) -> str:
    """What is wrong with arguments of some sorts, as many; nothing, if each is of its own."""
    words, scene = position.ruleset.vocabulary, position.scene
    for argument, sort in zip(arguments, sorts, strict=True):
        if not words.belongs(argument, sort, scene):
            text = text_of(argument)
            hint = words.expected(text, sort, scene)
            return f"{clipped(text)} is not in the sort {words.sorts[sort]}{hint}"
    return ""


def _blamed(position: Position, action: Symbol, wrong: str) -> Fault:
    """The fault of an action that is *wrong*, with the rule that proposes it and its place."""
    here = situation(0)
    facts = [*position.facts(here), Function("asked", [action, here])]
    rules = sorted(
        {a.arguments[2].name for a in ask("why", position, facts)["proposed"]
         if a.arguments[0] == action}
    )  # fmt: skip
    fault = Fault(f"{', '.join(rules) or 'a rule'} proposes {text_of(action)}: {wrong}")
    return blamed(fault, position.ruleset, "why", PROPOSING, action.name, rules)
