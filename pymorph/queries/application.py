"""Carrying out actions: what they change, what follows of itself, the rolls that they call for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import inf

from clingo import Function, Number, Symbol, SymbolType

from pymorph.asp.facts import Facts
from pymorph.asp.grounding import Atoms
from pymorph.errors import (
    Fault,
    IllegalAction,
    InputError,
    RulesetError,
    UnknownName,
    Unsettled,
    clipped,
)
from pymorph.queries.batch import ask, situation
from pymorph.queries.chance import Dice, rolls_due
from pymorph.queries.explanation import why_not
from pymorph.queries.figures import figures_in
from pymorph.queries.legality import action_of
from pymorph.queries.outcomes import Change, Event, LineOfPlay, Outcome, Step, combined
from pymorph.queries.results import Roll, together
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.names import ambiguous, check_arguments, forms_of
from pymorph.state.position import Position, of_position
from pymorph.terms import Term, functor, order, sorted_symbols, text_of

ABOUT = "a condition that says what its arguments are"
FITTING = "a rule that forbids what leads there, a wider sort, or 'adds', which keeps to the range"
CHANGING = ("sets", "clears", "adds")
MAX_SETTLING = 100
MAX_ROLLS = 1000
Row = Sequence[Symbol]  # the arguments of an atom
Rows = Mapping[str, Sequence[Row]]  # by predicate


@of_position
def apply(
    position: Position,
    *actions: Term | str,
    given: Sequence[Term | str] = (),
    dice: Dice | None = None,
) -> Outcome:
    """Carry out *actions* one after the other, with what follows of itself.

    A roll that is due is taken from *given*, in whatever order they stand there, or else made by
    the *dice*; without either it stays pending, and whatever comes after it must wait.
    Raises: IllegalAction at the first action that is forbidden, with all its rules; Unsettled, if
    one hangs on something hidden; InputError, if a given roll was never due.
    """
    course = Course(position, given, dice)
    for action in actions:
        course.act(action)
    course.require_all_taken()
    return course.outcome()


def play_through(
    position: Position,
    actions: Sequence[str],
    given: Sequence[Term | str] = (),
    dice: Dice | None = None,
) -> LineOfPlay:
    """Carry out *actions* as far as they are legal; where one is not, say which and why.

    Rolls are taken as `apply` takes them. Raises: InputError, if all actions were carried out and
    a given roll was never due.
    """
    course = Course(position, given, dice)
    for number, action in enumerate(actions, 1):
        try:
            course.act(action)
        except (IllegalAction, Unsettled) as stop:
            items = stop.depends_on if isinstance(stop, Unsettled) else ()
            told = why_not(course.position, action, stop)
            return LineOfPlay(course.outcome(), number, told, items)
    course.require_all_taken()
    return LineOfPlay(course.outcome())


class Course:
    """Actions carried out one after the other, each with what follows: how far things are."""

    def __init__(
        self, position: Position, given: Sequence[Term | str] = (), dice: Dice | None = None
    ) -> None:
        self.position = position
        self.pending: tuple[Roll, ...] = ()
        self._actions: list[Term] = []
        self._steps: list[Step] = []
        self._rolls: list[Term] = []
        self._rest: list[Term] = []
        self._settled: set[Term] = set()
        self._given: list[tuple[str, list[Symbol]]] = []
        self.take(given)
        self._dice = dice
        self._follow()

    def act(self, action: Term | str) -> None:
        """Carry out one action, as far as nothing stops it on the way.

        A step without choice has been carried out by then: to ask for it again is to agree.
        """
        try:
            term = meant(self.position, action)
        except InputError as error:
            if not self._actions:
                raise
            told = f"at action {len(self._actions) + 1}, with nothing carried out: "
            faults = [fault._replace(message=told + fault.message) for fault in error.faults]
            raise type(error)(faults) from None
        agenda = [term.symbol]
        begun = False
        while agenda:
            current = agenda.pop(0)
            atoms = _asked(self.position, current)
            if not any(atom.arguments[0] == current for atom in atoms["legal"]):
                if not begun and term in self._settled:
                    break
                if not begun:
                    raise _refusal(term.symbol, current, atoms)
                agenda.insert(0, current)
                break
            parts = [a.arguments[1:3] for a in atoms["unfolds"] if a.arguments[0] == current]
            if parts:
                agenda[:0] = parts[0]
                continue
            begun = True
            halted = self._step(current, atoms).halted
            if self._follow() or halted or self.pending:
                break
        self._actions.append(term)
        self._rest += map(Term, agenda)

    def take(self, rolls: Sequence[Term | str]) -> None:
        """Give rolls for what comes next."""
        self._given += [(str(roll), _forms(self.position, roll)) for roll in rolls]

    def require_all_taken(self) -> None:
        """Raises: InputError, if a given roll was never due."""
        if self._given:
            due = " and ".join(together(a for a, _ in roll.outcomes) for roll in self.pending)
            also = f"; what is due is {due}" if due else ""
            raise InputError(
                [Fault(f"{clipped(text, 80)} was never due{also}") for text, _ in self._given]
            )

    def outcome(self) -> Outcome:
        """What has come of the actions so far."""
        return Outcome(
            self.position.ruleset,
            tuple(self._actions),
            tuple(self._steps),
            self.position,
            combined(self._steps),
            tuple(self._rest),
            tuple(self._rolls),
            self.pending,
        )

    def _step(self, action: Symbol, atoms: Atoms) -> Step:
        step = _step_of(self.position, action, atoms)
        self._steps.append(step)
        self.position = step.position
        return step

    def _follow(self) -> bool:
        """Settle and make the rolls that are due; does that stop what was to follow?"""
        stopped = False
        self._settled = set()
        for _ in range(MAX_ROLLS):
            for step in settle(self.position):
                self._steps.append(step)
                self._settled.add(step.action)
                self.position = step.position
                stopped = True
            self.pending = rolls_due(self.position)
            roll = self._roll()
            if roll is None:
                return stopped
            step = self._step(roll, _asked(self.position, roll))
            if not step.changes:
                raise RulesetError(Fault(f"{step.action} is a roll that changes nothing"))
            self._rolls.append(step.action)
            stopped = stopped or step.halted
        raise RulesetError(Fault(f"rolls do not come to an end: {self.pending[0].what} is due"))

    def _roll(self) -> Symbol | None:
        """The next roll that is made: the first one given that is due, or else what dice show."""
        due = {outcome.symbol for roll in self.pending for outcome, _ in roll.outcomes}
        for number, (text, forms) in enumerate(self._given):
            fitting = [form for form in forms if form in due]
            if len(fitting) > 1:
                raise ambiguous(text, fitting)
            if fitting:
                del self._given[number]
                return fitting[0]
        if self._dice is None or not self.pending:
            return None
        shown = self._dice(self.pending[0])
        if shown not in dict(self.pending[0].outcomes):
            what = self.pending[0].what
            raise InputError(Fault(f"the dice show {shown}, which is no outcome of {what}"))
        return shown.symbol


def meant(position: Position, action: Term | str) -> Term:
    """The action that is meant. Raises: UnknownName or InputError, if it is none or several."""
    if isinstance(action, str):
        return action_of(position, action)
    declared = position.ruleset.vocabulary.actions.get(action.name)
    if declared is None or len(declared.sorts) != len(action.arguments):
        raise UnknownName(Fault(f"unknown action {clipped(str(action))}"))
    check_arguments(position, declared, action.symbol)
    return action


def _forms(position: Position, action: Term | str) -> list[Symbol]:
    """The actions that may be meant."""
    if isinstance(action, str):
        return forms_of(position, action)
    return [meant(position, action).symbol]


def facts_of_doing(position: Position, action: Symbol) -> Facts:
    """What the rules are told where one action is carried out."""
    here = situation(0)
    facts = position.facts(here)
    facts += [Function("asked", [action, here]), Function("does", [action, here, here])]
    return facts


def _asked(position: Position, action: Symbol) -> Atoms:
    """What the rules say of carrying out one action."""
    return ask("apply", position, facts_of_doing(position, action))


def _refusal(action: Symbol, part: Symbol, atoms: Atoms) -> IllegalAction | Unsettled:
    """Why *action* is not carried out: what speaks against *part* of it."""
    rules = sorted({a.arguments[2].name for a in atoms["reason"] if a.arguments[0] == part})
    rows = [a.arguments for a in atoms["unsettled"] if a.arguments[0] == part]
    if rules or not rows:
        return IllegalAction(text_of(action), tuple(rules))
    items = sorted_symbols({row[1] for row in rows})
    decided = sorted({row[3].name for row in rows})
    return Unsettled(text_of(action), tuple(map(text_of, items)), tuple(decided))


def _step_of(position: Position, action: Symbol, atoms: Atoms) -> Step:
    rows = {name: [a.arguments for a in atoms.get(name, ())] for name in (*CHANGING, "happens")}
    changes, events = transition(position, rows)
    after = position.with_changes({c.fluent.symbol: c.after.symbol for c in changes})
    telling = {atom.arguments[0] for atom in atoms["accounts"]}
    figures = tuple(figures_in(position, atoms, telling)) if telling else ()
    return Step(Term(action), changes, events, after, bool(atoms["halts"]), figures)


def _require_fitting(position: Position, after: Mapping[Symbol, Symbol], rows: Rows) -> None:
    """Raises: RulesetError, where a fluent would have a value that is none of its sort, or is told
    of something that it cannot be told of."""
    known = position.fluents
    wrong = [
        (fluent, misfit)
        for fluent, value in after.items()
        if known.get(fluent) != value and (misfit := _misfit(position, fluent, value))
    ]
    if wrong:
        fluent, (says, meant) = min(wrong, key=lambda pair: order(pair[0]))
        about = {name: [row for row in rows[name] if row[0] == fluent] for name in CHANGING}
        rules = sorted({row[-1].name for found in about.values() for row in found})
        fault = Fault(f"{says} ({', '.join(rules)})", meant=meant)
        ways = [name for name, found in about.items() if found]
        raise RulesetError(blamed(fault, position.ruleset, ways, fluent.name, rules))


def _misfit(position: Position, fluent: Symbol, value: Symbol) -> tuple[str, str] | None:
    """What does not fit in what becomes of a fluent, and what is usually meant."""
    default = position.default(fluent)
    words, scene = position.ruleset.vocabulary, position.scene
    declared = words.fluents[functor(fluent)]
    if len(fluent.arguments) != len(declared.sorts):
        form = f"{declared.name}({', '.join(declared.sorts)})" if declared.sorts else declared.name
        return f"{text_of(fluent)} would change, but the fluent is {form}", ABOUT
    for term, sort in zip(fluent.arguments, declared.sorts, strict=True):
        if not words.belongs(term, sort, scene):
            hint = words.expected(text_of(term), sort, scene)
            told = f"{clipped(text_of(term))} is no {words.sorts[sort]}{hint}"
            return f"{text_of(fluent)} would change, but {told}", ABOUT
    sort = declared.value
    if value == default or words.belongs(value, sort, scene):
        return None
    found = text_of(value)
    hint = words.expected(found, sort, scene)
    says = f"{text_of(fluent)} would be {clipped(found)}, which is no {words.sorts[sort]}{hint}"
    return says, FITTING


def blamed(
    fault: Fault, ruleset: Ruleset, names: Collection[str], functor: str, rules: Sequence[str]
) -> Fault:
    """*fault* with the place of the first statement that gives an atom of one of some names, about
    *functor*, by one of *rules*."""
    from pymorph.ruleset.placing import placed

    for part in ruleset.slices["apply"].parts:
        gives = any(key[0] in names and key[2] in (functor, None) for key, _ in part.signs.gives)
        if gives and any(f",{rule})" in part.text for rule in rules):
            return placed(fault, ruleset.folders, part.text)
    return fault


def settle(position: Position) -> Iterator[Step]:
    """Carry out the steps without choice, one after the other, until none is due."""
    part = position.ruleset.slices["settle"]
    if not part.parts:
        return
    here = situation(0)
    for _ in range(MAX_SETTLING):
        atoms = ask("settle", position, position.facts(here))["due"]
        due = sorted_symbols({atom.arguments[0] for atom in atoms})
        if not due:
            return
        step = _step_of(position, due[0], _asked(position, due[0]))
        if not step.changes:
            raise RulesetError(Fault(f"the step {step.action} is due but changes nothing"))
        position = step.position
        yield step._replace(settled=True)
    raise RulesetError(
        Fault(f"steps without choice do not come to an end: {text_of(due[0])} is due again")
    )


def transition(position: Position, rows: Rows) -> tuple[tuple[Change, ...], tuple[Event, ...]]:
    """What one transition changes and brings about."""
    rules: dict[Symbol, set[str]] = defaultdict(set)
    after = changed(position, rows, rules)
    changes = []
    for fluent in sorted_symbols(after):
        before = position.fluents.get(fluent, position.default(fluent))
        if before != after[fluent]:
            changes.append(
                Change(
                    Term(fluent), Term(before), Term(after[fluent]), tuple(sorted(rules[fluent]))
                )
            )
    return tuple(changes), happened(position, rows["happens"])


def happened(position: Position, rows: Iterable[Row]) -> tuple[Event, ...]:
    """What one transition brings about, in the order in which it is told; *rows* have the arguments
    of the atoms that say so."""
    events = sorted(
        {(event, rule.name) for event, _, rule in rows},
        key=partial(_by_event, position.ruleset.vocabulary.events),
    )
    phrase = position.ruleset.vocabulary.phrase
    return tuple(Event(Term(event), rule, phrase(event)) for event, rule in events)


def _by_event(ranks: Mapping[str, int], pair: tuple[Symbol, str]) -> tuple[object, ...]:
    """In the order in which the ruleset wants its events told; all others after that, by rule."""
    event, rule = pair
    return (
        ranks.get(event.name, inf),
        rule if event.name not in ranks else "",
        order(event),
    )


def changed(
    position: Position,
    rows: Rows,
    rules: dict[Symbol, set[str]] | None = None,
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
        before = after.get(fluent, position.fluents.get(fluent, position.default(fluent)))
        if before == HIDDEN and fluent.name in position.ruleset.veiled:
            continue  # it is as hidden as before
        sort = words.sorts[words.fluents[functor(fluent)].value]
        number = (before.number if before.type == SymbolType.Number else 0) + amount
        after[fluent] = Number(max(sort.low, min(sort.high, number)))
    _require_fitting(position, after, rows)
    return after


def _conflict(fluent: Symbol, rows: Rows) -> RulesetError:
    rules = {row[-1].name for name in ("sets", "clears") for row in rows[name] if row[0] == fluent}
    told = ", ".join(sorted(rules))
    return RulesetError(Fault(f"two values at once for {text_of(fluent)}: {told}"))
