"""What is legal in many positions, and the verdict on each action that is asked about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import NamedTuple

from clingo import Function, Symbol

from pymorph.asp.grounding import Atoms
from pymorph.asp.passes.partial_answers import OVER_IF
from pymorph.dynamics.asking import batch
from pymorph.dynamics.asking.chance import rolls_in
from pymorph.dynamics.asking.endings import awaited_in, outcomes_in
from pymorph.dynamics.results import Doubt, Legality
from pymorph.errors import Fault, RulesetError, clipped
from pymorph.runtime.arguments import checked
from pymorph.state.position import Position
from pymorph.terms import Term, sorted_symbols, text_of

# Where each atom has its situation.
SAID = {"legal": 1, "unsettled": 2, "chance": 3, "about": 2, OVER_IF: 1}
SAID |= {"awaited": 1, "awaited_most": 3}
PROPOSING = ("proposed", "forced", "chance")


@batch.uncollected()
@checked
def legal_of(positions: Sequence[Position]) -> tuple[Legality, ...]:
    """What `legal` says of each of many positions.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> [len(answer.actions) for answer in pymorph.legal_of([start])]
    [9]
    """
    answers: dict[int, Legality] = {}
    for first, numbers in batch.batches(positions):
        atoms = batch.ask("legal", first, batch.facts_of(positions, numbers))
        answers |= legal_in(atoms, {number: positions[number] for number in numbers})
    return tuple(answers[number] for number in range(len(positions)))


def legal_in(atoms: Atoms, positions: Mapping[int, Position]) -> dict[int, Legality]:
    """What the atoms of an answer say of *positions*, by the numbers of their situations."""
    rows = {name: batch.by_situation(atoms.get(name, ()), place) for name, place in SAID.items()}
    endings, answers = outcomes_in(atoms), dict[int, Legality]()
    for number, position in positions.items():
        said = (each.get(number, ()) for each in rows.values())
        legal, doubtful, chances, about, over_by, entries, bounds = said
        hold_to_sorts(position, (row[0] for row in legal))
        actions = sorted((Term(row[0]) for row in legal), key=batch.by_actor)
        rolls = rolls_in(chances, {action.symbol for action in actions}, about)
        doubts = doubts_in(doubtful, {})
        if doubts:  # those about actions that nothing forbids anyway
            verdicts = judged(position, [doubt.action.symbol for doubt in doubts])
            doubts = tuple(doubt for doubt in doubts if not verdicts[doubt.action.symbol].rules)
        (over, outcome), awaited = endings[number], awaited_in(entries, bounds)
        found = (tuple(actions), doubts, None, rolls, over, awaited, over_if(over_by), outcome)
        answers[number] = Legality(position.ruleset, *found)
    return answers


def doubts_in(
    rows: Iterable[Sequence[Symbol]], reasons: Mapping[Symbol, tuple[str, ...]]
) -> tuple[Doubt, ...]:
    items: dict[Symbol, set[Symbol]] = defaultdict(set)
    rules: dict[Symbol, set[str]] = defaultdict(set)
    for action, item, _, rule in rows:
        if action not in reasons:
            items[action].add(item)
            rules[action].add(rule.name)
    found = (
        Doubt(Term(a), tuple(map(Term, sorted_symbols(items[a]))), tuple(sorted(rules[a])))
        for a in items
    )
    return tuple(sorted(found, key=lambda doubt: batch.by_actor(doubt.action)))


class Verdict(NamedTuple):
    """What the rules say of one action that was asked about."""

    legal: bool
    rules: tuple[str, ...]
    depends_on: tuple[Symbol, ...]


def judged(
    position: Position, actions: Sequence[Symbol], excused: Iterable[tuple[Symbol, str]] = ()
) -> dict[Symbol, Verdict]:
    """The verdict on each of *actions*, whether anybody would propose it or not.

    *excused* are pairs of an action and the id of a rule that shall not count against it.
    """
    here = batch.situation(0)
    facts = position.facts(here)
    facts += [Function("asked", [action, here]) for action in actions]
    facts += [Function("excused", [action, here, Function(rule)]) for action, rule in excused]
    atoms = batch.ask("asked", position, facts)
    allowed = {atom.arguments[0] for atom in atoms["legal"]}
    reasons = batch.grouped((atom.arguments[0], atom.arguments[2]) for atom in atoms["reason"])
    doubts: dict[Symbol, set[Symbol]] = defaultdict(set)
    for atom in atoms["unsettled"]:
        doubts[atom.arguments[0]].add(atom.arguments[1])
    return {
        a: Verdict(a in allowed, reasons.get(a, ()), tuple(sorted_symbols(doubts.get(a, ()))))
        for a in actions
    }


def over_if(rows: Iterable[Sequence[Symbol]]) -> tuple[Term, ...]:
    """On what it hangs whether the game is over."""
    return tuple(map(Term, sorted_symbols({row[0] for row in rows})))


# -- are the actions that rules propose those that the vocabulary declares? ------------------------


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
    here = batch.situation(0)
    facts = [*position.facts(here), Function("asked", [action, here])]
    proposed = batch.ask("why", position, facts)["proposed"]
    rules = sorted({a.arguments[2].name for a in proposed if a.arguments[0] == action})
    fault = Fault(f"{', '.join(rules) or 'a rule'} proposes {text_of(action)}: {wrong}")
    return batch.blamed(fault, position.ruleset, "why", PROPOSING, action.name, rules)
