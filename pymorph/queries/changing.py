"""Carrying out actions: what they change, what follows of itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from clingo import Function, Number, Symbol, SymbolType

from pymorph import solver
from pymorph.answers import Change, Event, LineOfPlay, Outcome, Step, combined
from pymorph.errors import Fault, IllegalAction, RulesetError, UnknownName, Unsettled, clipped
from pymorph.position import Position
from pymorph.queries.asking import ask, situation
from pymorph.queries.naming import action_of, check_arguments
from pymorph.queries.reasons import why
from pymorph.solver import Atoms
from pymorph.terms import Term, order, sorted_symbols, text_of

MAX_SETTLING = 100


def apply(position: Position, *actions: Term | str) -> Outcome:
    """Carry out *actions* one after the other, with what follows of itself.

    Raises: IllegalAction at the first that is forbidden, with all its rules; Unsettled, if one
    hangs on something hidden.
    """
    steps: list[Step] = list(settle(position))
    current = steps[-1].position if steps else position
    taken: list[Term] = []
    rest: list[Term] = []
    for action in actions:
        term = action_of(current, action) if isinstance(action, str) else action
        if isinstance(action, Term):
            _known_action(current, term)
        done, left = carry_out(current, term.symbol)
        taken.append(term)
        steps += done
        rest += left
        if done:
            current = done[-1].position
    return Outcome(
        position.ruleset, tuple(taken), tuple(steps), current, combined(steps), tuple(rest)
    )


def play_through(position: Position, actions: Sequence[str]) -> LineOfPlay:
    """Carry out *actions* as far as they are legal; where one is not, say which and why."""
    outcome = apply(position)
    for number, action in enumerate(actions, 1):
        try:
            more = apply(outcome.position, action)
        except (IllegalAction, Unsettled) as stop:
            answer = why(outcome.position, action)
            items = stop.depends_on if isinstance(stop, Unsettled) else ()
            return LineOfPlay(outcome, number, answer, items)
        steps = (*outcome.steps, *more.steps)
        outcome = Outcome(
            position.ruleset,
            (*outcome.actions, *more.actions),
            steps,
            more.position,
            combined(steps),
            more.rest,
        )
    return LineOfPlay(outcome)


def _known_action(position: Position, term: Term) -> None:
    declared = position.ruleset.vocabulary.actions.get(term.name)
    if declared is None or len(declared.sorts) != len(term.arguments):
        raise UnknownName(Fault(f"unknown action {clipped(str(term))}"))
    check_arguments(position, declared, term.symbol)


def carry_out(position: Position, action: Symbol) -> tuple[list[Step], list[Term]]:
    """The steps of one action; what is left of it undone, if something stopped it on the way."""
    here = situation(0)
    steps: list[Step] = []
    agenda = [action]
    while agenda:
        current = agenda.pop(0)
        facts = position.facts(here)
        facts += [Function("asked", [current, here]), Function("does", [current, here, here])]
        atoms = ask("apply", position, facts)
        allowed = any(atom.arguments[0] == current for atom in atoms["legal"])
        if not allowed:
            rules = sorted(
                {a.arguments[2].name for a in atoms["reason"] if a.arguments[0] == current}
            )
            items = [a.arguments[1] for a in atoms["unsettled"] if a.arguments[0] == current]
            if steps:
                return steps, [Term(current), *map(Term, agenda)]
            if items and not rules:
                decided = {
                    a.arguments[3].name for a in atoms["unsettled"] if a.arguments[0] == current
                }
                raise Unsettled(
                    text_of(action),
                    tuple(map(text_of, sorted_symbols(set(items)))),
                    tuple(sorted(decided)),
                )
            raise IllegalAction(text_of(action), tuple(rules))
        parts = [a.arguments[1:3] for a in atoms["unfolds"] if a.arguments[0] == current]
        if parts:
            agenda[:0] = parts[0]
            continue
        changes, events = transition(position, atoms)
        position = position.with_changes({c.fluent.symbol: c.after.symbol for c in changes})
        halted = bool(atoms["halts"])
        steps.append(Step(Term(current), changes, events, position, halted))
        settled = list(settle(position))
        steps += settled
        if settled:
            position = settled[-1].position
        if halted or settled:
            return steps, [Term(a) for a in agenda]
    return steps, []


def settle(position: Position) -> Iterator[Step]:
    """Carry out the steps without choice, one after the other, until none is due."""
    part = position.ruleset.slices["settle"]
    if not part.text:
        return
    here = situation(0)
    for _ in range(MAX_SETTLING):
        facts = [f for f in position.facts(here) if f.name in part.reads]
        due = sorted_symbols(
            {atom.arguments[0] for atom in solver.solve(part, facts, position.geometry)["due"]}
        )
        if not due:
            return
        atoms = ask(
            "apply",
            position,
            [
                *position.facts(here),
                Function("asked", [due[0], here]),
                Function("does", [due[0], here, here]),
            ],
        )
        changes, events = transition(position, atoms)
        if not changes:
            raise RulesetError(Fault(f"the step {text_of(due[0])} is due but changes nothing"))
        position = position.with_changes({c.fluent.symbol: c.after.symbol for c in changes})
        yield Step(Term(due[0]), changes, events, position)
    raise RulesetError(
        Fault(f"steps without choice do not come to an end: {text_of(due[0])} is due again")
    )


def transition(position: Position, atoms: Atoms) -> tuple[tuple[Change, ...], tuple[Event, ...]]:
    """What one transition changes and brings about."""
    rules: dict[Symbol, set[str]] = defaultdict(set)
    after = changed(position, atoms, rules)
    changes = []
    for fluent in sorted_symbols(after):
        before = position.fluents.get(fluent, position.default(fluent))
        if before != after[fluent]:
            changes.append(
                Change(
                    Term(fluent), Term(before), Term(after[fluent]), tuple(sorted(rules[fluent]))
                )
            )
    events = sorted(
        {(atom.arguments[0], atom.arguments[2].name) for atom in atoms.get("happens", [])},
        key=_by_event,
    )
    return tuple(changes), tuple(Event(Term(event), rule) for event, rule in events)


def _by_event(pair: tuple[Symbol, str]) -> tuple[object, ...]:
    return (pair[1], order(pair[0]))


def changed(
    position: Position, atoms: Atoms, rules: dict[Symbol, set[str]]
) -> dict[Symbol, Symbol]:
    """The new value of each fluent that a transition sets, clears or adds to.

    Raises: RulesetError, where two rules give one fluent two values.
    """
    after: dict[Symbol, Symbol] = {}
    for atom in atoms["sets"]:
        fluent, value, _, rule = atom.arguments
        if after.setdefault(fluent, value) != value:
            raise _conflict(fluent, rules[fluent] | {rule.name})
        rules[fluent].add(rule.name)
    for atom in atoms["clears"]:
        fluent, _, rule = atom.arguments
        value = position.default(fluent)
        if after.setdefault(fluent, value) != value:
            raise _conflict(fluent, rules[fluent] | {rule.name})
        rules[fluent].add(rule.name)
    sums: dict[Symbol, int] = defaultdict(int)
    for fluent, amount, _, source in {
        (a.arguments[0], a.arguments[1].number, a.arguments[2], a.arguments[4].name)
        for a in atoms["adds"]
    }:
        sums[fluent] += amount
        rules[fluent].add(source)
    words = position.ruleset.vocabulary
    for fluent, amount in sums.items():
        before = after.get(fluent, position.fluents.get(fluent, position.default(fluent)))
        sort = words.sorts[words.fluents[fluent.name].value]
        number = (before.number if before.type == SymbolType.Number else 0) + amount
        after[fluent] = Number(max(sort.low, min(sort.high, number)))
    return after


def _conflict(fluent: Symbol, rules: set[str]) -> RulesetError:
    return RulesetError(
        Fault(f"two values at once for {text_of(fluent)}: {', '.join(sorted(rules))}")
    )
