"""What is legal, alone and in batches; every action that can be typed, judged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from clingo import Function, Symbol

from pymorph.asp.unveiling import OVER_IF
from pymorph.queries.awaiting import awaited_in
from pymorph.queries.batch import (
    ask,
    batches,
    by_actor,
    by_situation,
    facts_of,
    grouped,
    situation,
    uncollected,
)
from pymorph.queries.chance import rolls_in
from pymorph.queries.consistency import ask_checked, blamed_on_flaws
from pymorph.queries.endings import outcomes_in
from pymorph.queries.proposals import hold_to_sorts
from pymorph.queries.results import Doubt, Forbidden, Legality
from pymorph.state.names import ambiguous, forms_of, typed_actions
from pymorph.state.position import Position, of_position
from pymorph.terms import Term, sorted_symbols


def action_of(position: Position, text: str) -> Term:
    """The action that *text* names; arguments that go without saying may be left out.

    If several actions fit, it is the one that is legal; if none is, the one whose arguments go
    without saying, of whoever has the turn, with fewest rules against it. Where several are as
    good, none of them is made up.
    Raises: UnknownName, if the name or an argument is unknown; InputError, if several legal
    ones fit, or if none is legal and several are as likely to be meant.
    """
    likely, legal_ones = _meant(position, text)
    if len(likely) > 1:
        raise ambiguous(text, likely, all_illegal=not legal_ones)
    return Term(likely[0])


def claimed_actions(position: Position, text: str) -> tuple[Symbol, ...]:
    """The action that *text* names, as `action_of` has it, or all that it may name if none is
    legal: to call that illegal, nobody has to say which.

    Raises: UnknownName or InputError, as `action_of` does.
    """
    likely, legal_ones = _meant(position, text)
    if len(likely) > 1 and legal_ones:
        raise ambiguous(text, likely)
    return tuple(likely)


def _meant(position: Position, text: str) -> tuple[list[Symbol], bool]:
    """The actions that *text* is likely to mean, and whether they are legal."""
    fitting = forms_of(position, text)
    if len(fitting) == 1:
        return fitting, False
    verdicts = judged(position, fitting)
    legal_ones = [action for action in fitting if verdicts[action].legal]
    if legal_ones:
        return legal_ones, True
    doubtful = [
        action for action in fitting if verdicts[action].depends_on and not verdicts[action].rules
    ]
    words = position.ruleset.vocabulary
    declared = words.actions[fitting[0].name]
    silent = [words.elided.get(sort) for sort in declared.sorts]
    turns = [f for f in words.fluents.values() if not f.sorts and f.value in declared.sorts[:1]]
    in_turn = {position.fluents.get(Function(f.name), f.default) for f in turns}

    def strangeness(action: Symbol) -> tuple[int, bool, int]:
        spoken = sum(
            s is not None and s != a for s, a in zip(silent, action.arguments, strict=True)
        )
        other = bool(in_turn) and action.arguments[0] not in in_turn
        return spoken, other, len(verdicts[action].rules)

    among = doubtful or fitting
    least = min(map(strangeness, among))
    return [action for action in among if strangeness(action) == least], False


@of_position
def legal_actions(position: Position) -> tuple[Term, ...]:
    """The legal actions in *position*, sorted by actor, then by text.

    Where readings differ, the position's own ruling is used, or the default.
    Raises: RulesetError if the ruleset does not ground.
    """
    return legal(position).actions


def legal_actions_of(positions: Sequence[Position]) -> tuple[tuple[Term, ...], ...]:
    """What `legal_actions` says of each of many positions, in one grounding for each board."""
    return tuple(answer.actions for answer in legal_of(positions))


@of_position
def legal(position: Position, unchecked: str = "") -> Legality:
    """What is legal in *position*, and what depends on hidden information.

    One that is still *unchecked* has a name to be called by. Raises: IllFormed, if it is none.
    """
    return legal_of([position], unchecked)[0]


@uncollected()
def legal_of(positions: Sequence[Position], unchecked: str = "") -> tuple[Legality, ...]:
    """What `legal` says of each of many positions, or of a single one that is *unchecked*."""
    answers: dict[int, Legality] = {}
    for first, numbers in batches(positions):
        facts = facts_of(positions, numbers)
        with blamed_on_flaws(first, unchecked):
            atoms = ask_checked("legal", first, facts, unchecked)
        legal_in = by_situation(atoms["legal"], 1)
        doubtful = by_situation(atoms["unsettled"], 2)
        chances = by_situation(atoms["chance"], 3)
        told = by_situation(atoms["about"], 2)
        endings = outcomes_in(atoms)
        over_if = by_situation(atoms.get(OVER_IF, ()), 1)
        entries = by_situation(atoms["awaited"], 1)
        bounds = by_situation(atoms["awaited_most"], 3)
        for number in numbers:
            position = positions[number]
            hold_to_sorts(position, (row[0] for row in legal_in.get(number, ())))
            found = sorted((Term(row[0]) for row in legal_in.get(number, ())), key=by_actor)
            allowed = {action.symbol for action in found}
            rolls = rolls_in(chances.get(number, ()), allowed, told.get(number, ()))
            doubts = doubts_in(doubtful.get(number, ()), {})
            if doubts:
                doubts = real_doubts(position, doubts)
            awaited = awaited_in(entries.get(number, ()), bounds.get(number, ()))
            answers[number] = Legality(
                position.ruleset,
                tuple(found),
                doubts,
                None,
                rolls,
                endings[number].over,
                awaited,
                _over_if(over_if.get(number, ())),
                endings[number].outcome,
            )
    return tuple(answers[number] for number in range(len(positions)))


def real_doubts(position: Position, doubts: tuple[Doubt, ...]) -> tuple[Doubt, ...]:
    """Those doubts about actions that nothing forbids anyway."""
    verdicts = judged(position, [doubt.action.symbol for doubt in doubts])
    return tuple(doubt for doubt in doubts if not verdicts[doubt.action.symbol].rules)


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
    return tuple(sorted(found, key=lambda doubt: by_actor(doubt.action)))


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
    here = situation(0)
    facts = position.facts(here)
    facts += [Function("asked", [action, here]) for action in actions]
    facts += [Function("excused", [action, here, Function(rule)]) for action, rule in excused]
    atoms = ask("asked", position, facts)
    allowed = {atom.arguments[0] for atom in atoms["legal"]}
    reasons = grouped((atom.arguments[0], atom.arguments[2]) for atom in atoms["reason"])
    doubts: dict[Symbol, set[Symbol]] = defaultdict(set)
    for atom in atoms["unsettled"]:
        doubts[atom.arguments[0]].add(atom.arguments[1])
    return {
        action: Verdict(
            action in allowed,
            reasons.get(action, ()),
            tuple(sorted_symbols(doubts.get(action, ()))),
        )
        for action in actions
    }


def judge_all(position: Position, unchecked: str = "") -> Legality:
    """Every action that can be typed: the legal ones, and the others with their rules.

    One that is still *unchecked* has a name to be called by. Raises: IllFormed, if it is none.
    """
    here = situation(0)
    with blamed_on_flaws(position, unchecked):
        plain = ask_checked("legal", position, position.facts(here), unchecked)
    proposed = [atom.arguments[0] for atom in plain["legal"]]
    hold_to_sorts(position, proposed)
    actions = dict.fromkeys([*typed_actions(position), *proposed])
    facts = position.facts(here)
    facts += [Function("asked", [action, here]) for action in actions]
    atoms = ask("asked", position, facts)
    found = sorted((Term(atom.arguments[0]) for atom in atoms["legal"]), key=by_actor)
    reasons = grouped((atom.arguments[0], atom.arguments[2]) for atom in atoms["reason"])
    doubts = doubts_in([atom.arguments for atom in atoms["unsettled"]], reasons)
    forbidden = sorted(
        (Forbidden(Term(a), rules) for a, rules in reasons.items()),
        key=lambda f: by_actor(f.action),
    )
    chances, told = ([a.arguments for a in atoms[name]] for name in ("chance", "about"))
    rolls = rolls_in(chances, {a.symbol for a in found}, told)
    ended = outcomes_in(atoms)[0]
    entries, bounds = ([a.arguments for a in plain[name]] for name in ("awaited", "awaited_most"))
    return Legality(
        position.ruleset,
        tuple(found),
        doubts,
        tuple(forbidden),
        rolls,
        ended.over,
        awaited_in(entries, bounds),
        _over_if(atom.arguments for atom in atoms.get(OVER_IF, ())),
        ended.outcome,
    )


def _over_if(rows: Iterable[Sequence[Symbol]]) -> tuple[Term, ...]:
    """On what it hangs whether the game is over."""
    return tuple(map(Term, sorted_symbols({row[0] for row in rows})))
