"""Single steps: what the rules say of actions in many positions, asked in few groundings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple, TypeVar

from clingo import Function, Number, Symbol, SymbolType

from pymorph.asp.facts import Facts
from pymorph.asp.grounding import Atoms
from pymorph.dynamics.asking import batch
from pymorph.dynamics.asking.batch import Arguments, ArgumentsByPredicate
from pymorph.dynamics.asking.ledgers import figures_in
from pymorph.dynamics.asking.legal import misfit
from pymorph.dynamics.outcomes import Change, Event, Step
from pymorph.dynamics.results import Figure
from pymorph.errors import Fault, IllegalAction, RulesetError, Unsettled, clipped
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.position import Fluents, Position, value_of
from pymorph.terms import Term, functor, order, sorted_symbols, text_of

_T = TypeVar("_T")
PositionAction = tuple[Position, Symbol]  # an action, and where it is carried out

# Where a transition stands among the arguments of what it brings about.
OF_TRANSITION = {"sets": 2, "clears": 1, "adds": 3, "halts": 0, "happens": 1, "ends": 0}
OF_SITUATION = {"legal": 1, "reason": 1, "unsettled": 2, "unfolds": 3}
LEDGER = ("entry", "total", "never")
NO_ROWS: ArgumentsByPredicate = dict.fromkeys(OF_TRANSITION, ())
ABOUT = "add a condition that says what its arguments are"
FITTING = "forbid what leads there, widen the sort, or use 'adds', which stays in the range"
CHANGING = ("sets", "clears", "adds")
ALONE = batch.situation(0)


@dataclass(frozen=True, slots=True)
class SingleStep:
    """A single step: the position after it, what it brought about, which periods it ended.

    *happens* has the arguments of the atoms that say so. *halted*: what was to follow it is left
    undone. *settled*: nobody chose it. What it *changes*, and by which rules, is told where it was
    asked about by itself, and the *figures* that account for it where these were asked for.
    """

    action: Symbol
    position: Position
    happens: Sequence[Arguments]
    ended: tuple[str, ...] = ()
    halted: bool = False
    changes: tuple[Change, ...] = ()
    figures: tuple[Figure, ...] = ()
    settled: bool = False

    @classmethod
    def of(cls, action: Symbol, position: Position, rows: ArgumentsByPredicate) -> SingleStep:
        """The step that some rows, the arguments of atoms, describe."""
        ended = tuple(sorted({period.name for _, period, _ in rows["ends"]}))
        return cls(action, position, tuple(rows["happens"]), ended, bool(rows["halts"]))

    @property
    def events(self) -> tuple[Event, ...]:
        """What it brought about, in the order in which it is told."""
        return happened(self.position, self.happens)

    @property
    def step(self) -> Step:
        """The same for an answer."""
        result = (self.changes, self.events, self.position, self.halted)
        return Step(Term(self.action), *result, self.figures, self.settled)


class MacroAction(NamedTuple):
    """An action that is made of several: its first step, and the rest."""

    first: Symbol
    rest: Symbol


class Refusal(NamedTuple):
    """An action is not legal: the rules against it, or else what it hangs on, and by which rules;
    all of that is told where it was asked for."""

    rules: tuple[str, ...] = ()
    items: tuple[Symbol, ...] = ()
    decided: tuple[str, ...] = ()

    def of(self, action: Symbol) -> IllegalAction | Unsettled:
        """Why *action*, of which this is a part, is not carried out."""
        if self.rules or not self.items:
            return IllegalAction(text_of(action), self.rules)
        return Unsettled(text_of(action), tuple(map(text_of, self.items)), self.decided)


StepResult = SingleStep | MacroAction | Refusal


class StepAnswers:
    """What the rules say of some actions that were asked about in one grounding: by the number of
    each, where it is carried out, and in which situation that is."""

    def __init__(self, atoms: Atoms, asked: Mapping[int, tuple[PositionAction, Symbol]]) -> None:
        self._atoms, self._asked = atoms, asked
        self._rows = by_transition(atoms)
        self._told: dict[tuple[str, Symbol, Symbol], list[Arguments]] = defaultdict(list)
        for name, index in OF_SITUATION.items():
            for atom in atoms.get(name, ()):
                row = atom.arguments
                self._told[name, row[0], row[index]].append(row)

    def step(self, number: int) -> StepResult:
        """What comes of an action, if it is legal."""
        (_, action), here = self._asked[number]
        if ("legal", action, here) not in self._told:
            unsettled = self._told["unsettled", action, here]
            rules = {row[2].name for row in self._told["reason", action, here]}
            items = sorted_symbols({row[1] for row in unsettled})
            decided = {row[3].name for row in unsettled}
            return Refusal(tuple(sorted(rules)), tuple(items), tuple(sorted(decided)))
        for _, first, rest, _ in self._told["unfolds", action, here]:
            return MacroAction(first, rest)
        return self.link(number)

    def link(self, number: int) -> SingleStep:
        """What comes of an action as a single step, be it legal or not."""
        (position, action), here = self._asked[number]
        rows = self._rows.get(batch.situation(number), NO_ROWS)
        changes = changes_in(position, rows)
        after = position.with_changes({c.fluent.symbol: c.after.symbol for c in changes})
        figures = tuple(self._accounts(position, here, batch.situation(number)))
        return replace(SingleStep.of(action, after, rows), changes=changes, figures=figures)

    def forced(self, number: int) -> SingleStep:
        """What comes of a step that nobody chose."""
        return replace(self.link(number), settled=True)

    def _accounts(self, position: Position, here: Symbol, number: Symbol) -> Sequence[Figure]:
        """The figures that account for what a transition brought about."""
        rows = (atom.arguments for atom in self._atoms.get("accounts", ()))
        telling = {figure for figure, transition, _ in rows if transition == number}
        if not telling:
            return ()
        mine = {
            name: [a for a in self._atoms.get(name, ()) if a.arguments[batch.situated(a)] == here]
            for name in LEDGER
        }
        return figures_in(position, mine, telling)


def facts_of_doing(position: Position, action: Symbol) -> Facts:
    """What the rules are told where one action is carried out."""
    facts = position.facts(ALONE)
    facts += [Function("asked", [action, ALONE]), Function("does", [action, ALONE, ALONE])]
    return facts


def answered(
    pairs: Sequence[PositionAction], verb: str, read: Callable[[StepAnswers, int], _T]
) -> dict[PositionAction, _T]:
    """The answers about each of some actions where it is carried out, as *read* by its number; one
    situation for each position. With the verb ``apply`` also what speaks against an action, and the
    figures behind it."""
    numbered: dict[object, int] = {}
    wanted: dict[int, dict[int, PositionAction]] = defaultdict(dict)
    for index, (position, action) in enumerate(pairs):
        # What hangs on something hidden, and the figures, are those of a single action.
        alone = verb == "apply" or HIDDEN in position.fluents.values()
        number = numbered.setdefault((position, action if alone else None), len(numbered))
        wanted[number][index] = (position, action)
    positions = [next(iter(row.values()))[0] for row in wanted.values()]
    results: dict[PositionAction, _T] = {}
    for first, numbers in batch.batches(positions):
        facts = batch.facts_of(positions, numbers)
        asked = {i: (pair, batch.situation(n)) for n in numbers for i, pair in wanted[n].items()}
        for index, ((_, action), here) in asked.items():
            facts.append(Function("asked", [action, here]))
            facts.append(Function("does", [action, here, batch.situation(index)]))
        answers = StepAnswers(batch.ask(verb, first, facts), asked)
        results |= {pairs[index]: read(answers, index) for index in asked}
    return results


def by_transition(atoms: Atoms) -> Mapping[Symbol, ArgumentsByPredicate]:
    """The arguments of the atoms that tell what a transition changes and brings about."""
    found = defaultdict[Symbol, dict[str, list[Arguments]]](lambda: {n: [] for n in OF_TRANSITION})
    for name, index in OF_TRANSITION.items():
        for atom in atoms.get(name, ()):
            row = atom.arguments
            found[row[index]][name].append(row)
    return found


# -- what a single step changes --------------------------------------------------------------------


def changes_in(position: Position, rows: ArgumentsByPredicate) -> tuple[Change, ...]:
    """The fluents that a transition changes, each with the rules that do so."""
    rules: dict[Symbol, set[str]] = defaultdict(set)
    after = changed(position, rows, rules)
    return tuple(
        Change(Term(fluent), Term(before), Term(after[fluent]), tuple(sorted(rules[fluent])))
        for fluent in sorted_symbols(after)
        if (before := value_of(position, fluent)) != after[fluent]
    )


def happened(position: Position, rows: Iterable[Arguments]) -> tuple[Event, ...]:
    """What one transition brings about, in the order in which it is told; *rows* have the arguments
    of the atoms that say so."""
    ranks, phrase = position.ruleset.vocabulary.events, position.ruleset.vocabulary.phrase

    def by_rank(pair: tuple[Symbol, str]) -> tuple[object, ...]:
        """In the order of the vocabulary; all others after that, by rule."""
        event, rule = pair
        rank = ranks.get(event.name)
        return (inf, rule, order(event)) if rank is None else (rank, "", order(event))

    events = sorted({(event, rule.name) for event, _, rule in rows}, key=by_rank)
    return tuple(Event(Term(event), rule, phrase(event)) for event, rule in events)


def changed(
    position: Position, rows: ArgumentsByPredicate, rules: dict[Symbol, set[str]] | None = None
) -> dict[Symbol, Symbol]:
    """The new value of each fluent that a transition sets, clears or adds to.

    *rows* have the arguments of the atoms that say so; *rules*, if given, is told whose they are.
    Raises: RulesetError, where two rules give one fluent two values, or one none of its sort.
    """
    after: dict[Symbol, Symbol] = {}
    values = [(fluent, value) for fluent, value, *_ in rows["sets"]]
    values += [(fluent, position.default(fluent)) for fluent, *_ in rows["clears"]]
    for fluent, value in values:
        if after.setdefault(fluent, value) != value:
            raise _conflict(fluent, rows)
    sums: dict[Symbol, int] = defaultdict(int)
    for fluent, more, _, _ in {(f, n, item, r) for f, n, item, _, r in rows["adds"]}:
        sums[fluent] += more.number
    if rules is not None:
        for fluent, *_, rule in (row for name in CHANGING for row in rows[name]):
            rules[fluent].add(rule.name)
    words = position.ruleset.vocabulary
    for fluent, amount in sums.items():
        before = after.get(fluent, value_of(position, fluent))
        if before == HIDDEN and fluent.name in position.ruleset.veiled:
            continue  # it is as hidden as before
        sort = words.sorts[words.fluents[functor(fluent)].value]
        number = (before.number if before.type == SymbolType.Number else 0) + amount
        after[fluent] = Number(max(sort.low, min(sort.high, number)))
    _require_fitting(position, after, rows)
    return after


def _conflict(fluent: Symbol, rows: ArgumentsByPredicate) -> RulesetError:
    rules = {row[-1].name for name in ("sets", "clears") for row in rows[name] if row[0] == fluent}
    return RulesetError(f"two values at once for {text_of(fluent)}: {', '.join(sorted(rules))}")


def _require_fitting(position: Position, after: Fluents, rows: ArgumentsByPredicate) -> None:
    """Raises: RulesetError, where a fluent would have a value that is none of its sort, or is told
    of something that it cannot be told of."""
    new = [(f, value) for f, value in after.items() if position.fluents.get(f) != value]
    wrong = [(f, misfit) for f, value in new if (misfit := _misfit(position, f, value))]
    if wrong:
        fluent, (says, meant) = min(wrong, key=lambda pair: order(pair[0]))
        about = {name: [row for row in rows[name] if row[0] == fluent] for name in CHANGING}
        rules = sorted({row[-1].name for found in about.values() for row in found})
        fault = Fault(f"{says} ({', '.join(rules)})", meant=meant)
        ways = [name for name, found in about.items() if found]
        raise RulesetError(batch.blamed(fault, position.ruleset, "apply", ways, fluent.name, rules))


def _misfit(position: Position, fluent: Symbol, value: Symbol) -> tuple[str, str] | None:
    """What is wrong with the new value of a fluent, and what to do."""
    default = position.default(fluent)
    words, scene = position.ruleset.vocabulary, position.scene
    declared = words.fluents[functor(fluent)]
    if len(fluent.arguments) != len(declared.sorts):
        form = f"{declared.name}({', '.join(declared.sorts)})" if declared.sorts else declared.name
        return f"{text_of(fluent)} would change, but the fluent is declared as {form}", ABOUT
    if wrong := misfit(position, fluent.arguments, declared.sorts):
        return f"{text_of(fluent)} would change, but {wrong}", ABOUT
    sort = declared.value
    if value == default or words.belongs(value, sort, scene):
        return None
    found = text_of(value)
    hint = words.expected(found, sort, scene)
    says = f"{text_of(fluent)} would be {clipped(found)}, which is not in the sort "
    return f"{says}{words.sorts[sort]}{hint}", FITTING
