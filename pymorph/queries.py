"""The questions, each a function from positions to an answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TypeVar

from clingo import Function, Number, Symbol, SymbolType

from pymorph import solver
from pymorph.answers import (
    Change,
    Check,
    Doubt,
    Entry,
    Event,
    Figure,
    Flaw,
    Forbidden,
    Forecast,
    Legality,
    LineOfPlay,
    Outcome,
    Reason,
    Step,
    Why,
    combined,
)
from pymorph.errors import (
    Fault,
    IllegalAction,
    IllFormed,
    InputError,
    RulesetError,
    UnknownName,
    Unsettled,
    clipped,
    nearest,
)
from pymorph.position import Position, positions_by_board
from pymorph.ruleset import Rule
from pymorph.solver import Atoms
from pymorph.terms import Term, order, parse_symbol, sorted_symbols, text_of
from pymorph.vocabulary import HIDDEN, Declared

MAX_COMPLETIONS = 4000
MAX_SETTLING = 100
BATCH = 200

Answer = TypeVar("Answer")


def _ask(verb: str, position: Position, facts: Iterable[Symbol]) -> Atoms:
    return solver.solve(position.ruleset.slices[verb], facts, position.geometry)


def _situation(number: int) -> Symbol:
    return Number(number)


# -- legal -----------------------------------------------------------------------------------------


def legal_actions(position: Position) -> tuple[Term, ...]:
    """The actions that may be taken in *position*, sorted by actor, then by text.

    Where readings differ, the position's own ruling is used, or the default.
    Raises: RulesetError if the ruleset does not ground.
    """
    return legal(position).actions


def legal_actions_of(positions: Sequence[Position]) -> tuple[tuple[Term, ...], ...]:
    """What `legal_actions` says of each of many positions, in one grounding for each board."""
    return tuple(answer.actions for answer in legal_of(positions))


def legal(position: Position) -> Legality:
    """What is legal in *position*, and what hangs on something hidden."""
    return legal_of([position])[0]


def legal_of(positions: Sequence[Position]) -> tuple[Legality, ...]:
    """What `legal` says of each of many positions."""
    answers: dict[int, Legality] = {}
    for first, numbers in _batches(positions):
        facts = [fact for number in numbers for fact in positions[number].facts(_situation(number))]
        atoms = _ask("legal", first, facts)
        legal_in = _by_situation(atoms["legal"], 1)
        doubts_in = _by_situation(atoms["unsettled"], 2)
        for number in numbers:
            position = positions[number]
            found = sorted((Term(row[0]) for row in legal_in.get(number, ())), key=_by_actor)
            doubts = _doubts(doubts_in.get(number, ()), {})
            if doubts:
                doubts = _real_doubts(position, doubts)
            answers[number] = Legality(position.ruleset, tuple(found), doubts)
    return tuple(answers[number] for number in range(len(positions)))


def _real_doubts(position: Position, doubts: tuple[Doubt, ...]) -> tuple[Doubt, ...]:
    """Those doubts about actions that nothing forbids anyway."""
    verdicts = judged(position, [doubt.action.symbol for doubt in doubts])
    return tuple(doubt for doubt in doubts if not verdicts[doubt.action.symbol].rules)


def _doubts(rows: Iterable[Sequence[Symbol]], reasons: Mapping[Symbol, tuple[str, ...]]) -> tuple[Doubt, ...]:
    items: dict[Symbol, set[Symbol]] = defaultdict(set)
    rules: dict[Symbol, set[str]] = defaultdict(set)
    for action, item, _, rule in rows:
        if action not in reasons:
            items[action].add(item)
            rules[action].add(rule.name)
    found = (
        Doubt(Term(a), tuple(map(Term, sorted_symbols(items[a]))), tuple(sorted(rules[a]))) for a in items
    )
    return tuple(sorted(found, key=lambda doubt: _by_actor(doubt.action)))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say of one action that was asked about."""

    legal: bool
    rules: tuple[str, ...]
    depends_on: tuple[Symbol, ...]


def judged(position: Position, actions: Sequence[Symbol], excused: Iterable[tuple[Symbol, str]] = ()) -> dict[Symbol, Verdict]:
    """The verdict on each of *actions*, whether anybody would propose it or not.

    *excused* are pairs of an action and the id of a rule that shall not count against it.
    """
    here = _situation(0)
    facts = position.facts(here)
    facts += [Function("asked", [action, here]) for action in actions]
    facts += [Function("excused", [action, here, Function(rule)]) for action, rule in excused]
    atoms = _ask("asked", position, facts)
    allowed = {atom.arguments[0] for atom in atoms["legal"]}
    reasons = _grouped((atom.arguments[0], atom.arguments[2]) for atom in atoms["reason"])
    doubts: dict[Symbol, set[Symbol]] = defaultdict(set)
    for atom in atoms["unsettled"]:
        doubts[atom.arguments[0]].add(atom.arguments[1])
    return {
        action: Verdict(action in allowed, reasons.get(action, ()), tuple(sorted_symbols(doubts.get(action, ()))))
        for action in actions
    }


def judge_all(position: Position) -> Legality:
    """Every action that the vocabulary can type: the legal ones, and the others with their rules."""
    here = _situation(0)
    actions = typed_actions(position)
    atoms = _ask("asked", position, [*position.facts(here), *(Function("asked", [a, here]) for a in actions)])
    found = sorted((Term(atom.arguments[0]) for atom in atoms["legal"]), key=_by_actor)
    reasons = _grouped((atom.arguments[0], atom.arguments[2]) for atom in atoms["reason"])
    doubts = _doubts([atom.arguments for atom in atoms["unsettled"]], reasons)
    forbidden = sorted((Forbidden(Term(a), rules) for a, rules in reasons.items()), key=lambda f: _by_actor(f.action))
    return Legality(position.ruleset, tuple(found), doubts, tuple(forbidden))


def typed_actions(position: Position, openly: bool = False) -> list[Symbol]:
    """Every action that the vocabulary can form here; with *openly* also those never proposed."""
    words = position.ruleset.vocabulary
    return [
        action
        for declared in words.actions.values()
        if openly or not declared.open
        for action in words.typed(declared, position.scene)
    ]


def actors(position: Position) -> tuple[str, ...]:
    """All that could act, by the first sort of each action."""
    words = position.ruleset.vocabulary
    firsts = dict.fromkeys(a.sorts[0] for a in words.actions.values() if a.sorts)
    return tuple(dict.fromkeys(text_of(m) for sort in firsts for m in words.members(sort, position.scene)))


# -- naming an action ------------------------------------------------------------------------------


def action_of(position: Position, text: str) -> Term:
    """The action that *text* names; arguments that go without saying may be left out.

    If several actions fit, it is the one that is legal; if none is, the one with fewest rules
    against it, in the order of the vocabulary.
    Raises: UnknownName, if the name or an argument is unknown; InputError, if several legal ones fit.
    """
    symbol = parse_symbol(text)
    words = position.ruleset.vocabulary
    declared = words.actions.get(symbol.name)
    if declared is None or symbol.type != SymbolType.Function:
        raise UnknownName(Fault(f"unknown action {clipped(symbol.name or text)}{nearest(symbol.name, words.actions)}"))
    if len(symbol.arguments) == len(declared.sorts):
        _check_arguments(position, declared, symbol)
        return Term(symbol)
    fitting = list(_completions(position, declared, tuple(symbol.arguments)))
    if not fitting:
        form = f"{declared.name}({', '.join(declared.sorts)})"
        raise UnknownName(Fault(f"{clipped(text, 80)} does not fit {form}{_misfit(position, declared, symbol)}"))
    if len(fitting) == 1:
        return Term(fitting[0])
    verdicts = judged(position, fitting)
    legal_ones = [action for action in fitting if verdicts[action].legal]
    if len(legal_ones) > 1:
        listed = " or ".join(map(text_of, legal_ones[:4])) + (" or ..." if len(legal_ones) > 4 else "")
        raise InputError(Fault(f"{clipped(text, 80)} may be {listed}; say which"))
    if legal_ones:
        return Term(legal_ones[0])
    doubtful = [action for action in fitting if verdicts[action].depends_on and not verdicts[action].rules]
    return Term(doubtful[0] if doubtful else min(fitting, key=lambda a: len(verdicts[a].rules)))


def _completions(position: Position, declared: Declared, given: tuple[Symbol, ...]) -> Iterator[Symbol]:
    """The full actions that *given* can stand for, its arguments being some of theirs, in order."""
    words, scene = position.ruleset.vocabulary, position.scene
    size = len(declared.sorts)
    if len(given) > size:
        return
    seen: set[Symbol] = set()
    for places in combinations(range(size), len(given)):
        at = dict(zip(places, given, strict=True))
        if not all(words.belongs(value, declared.sorts[i], scene) for i, value in at.items()):
            continue
        domains = [(at[i],) if i in at else words.members(sort, scene) for i, sort in enumerate(declared.sorts)]
        total = 1
        for domain in domains:
            total *= len(domain)
        if total > MAX_COMPLETIONS:
            continue
        for arguments in product(*domains):
            symbol = Function(declared.name, list(arguments))
            if symbol not in seen:
                seen.add(symbol)
                yield symbol


def _check_arguments(position: Position, declared: Declared, symbol: Symbol) -> None:
    words, scene = position.ruleset.vocabulary, position.scene
    for number, (argument, sort) in enumerate(zip(symbol.arguments, declared.sorts, strict=True), 1):
        if not words.belongs(argument, sort, scene):
            text = text_of(argument)
            known = words.expected(text, sort, scene)
            kind = str(words.sorts[sort])
            raise UnknownName(Fault(f"unknown {kind} {clipped(text)}, argument {number} of {declared.name}{known}"))


def _misfit(position: Position, declared: Declared, symbol: Symbol) -> str:
    """The first argument that fits nowhere, with the nearest value that would."""
    words, scene = position.ruleset.vocabulary, position.scene
    for argument in symbol.arguments:
        if not any(words.belongs(argument, sort, scene) for sort in declared.sorts):
            text = text_of(argument)
            known = [text_of(m) for s in declared.sorts if words.sorts[s].kind != "range" for m in words.members(s, scene)]
            return f": unknown {clipped(text)}{nearest(text, known)}"
    return ""


# -- why -------------------------------------------------------------------------------------------


def why(position: Position, action: Term | str) -> Why:
    """Why *action* is legal or not: all rules that forbid it, or those that allow and price it.

    Raises: UnknownName or InputError, if *action* is a text that names none.
    """
    term = action_of(position, action) if isinstance(action, str) else action
    here = _situation(0)
    ruleset = position.ruleset
    atoms = _ask("why", position, [*position.facts(here), Function("asked", [term.symbol, here])])
    mine = {name: [a.arguments for a in rows if term.symbol in a.arguments[:2]] for name, rows in atoms.items()}
    allowed = any(True for _ in mine["legal"])
    items = sorted_symbols({row[1] for row in mine["unsettled"]})
    waiting = {row[2].name for row in mine["waits"]}
    against = sorted({row[2].name for row in mine["reason"]})
    reasons: list[Reason] = []
    if against:
        reasons += [Reason(_rule(position, r), "delays" if r in waiting else "forbids") for r in against]
    elif items:
        reasons += [Reason(_rule(position, r), "decides") for r in sorted({row[3].name for row in mine["unsettled"]})]
    else:
        reasons += [Reason(_rule(position, r), "allows") for r in sorted({row[2].name for row in mine["proposed"]})]
        for row in sorted(mine["costs"], key=lambda row: order(row[1])):
            if row[3].number:
                text = f"{row[3].number} of {text_of(row[1])} for {text_of(row[2])}"
                reasons.append(Reason(_rule(position, row[5].name), "costs", text))
    priced = {row[1] for row in mine["costs"] if against}
    weighed = [row[0] for row in mine["weighs"]]
    figures = _figures(position, atoms, set(weighed))
    figures += [_budget(position, fluent) for fluent in sorted_symbols(priced)]
    cited = {reason.rule.id for reason in reasons} | {e.rule for f in figures for e in f.entries}
    readings = []
    for row in sorted(atoms["reading"], key=lambda a: order(a.arguments[0])):
        question = ruleset.questions.get(row.arguments[0].name)
        if question and cited & set(question.rules):
            readings.append((question.id, row.arguments[1].name, question.id in position.rulings))
    verdict = None if items and not against else allowed
    return Why(ruleset, term, verdict, tuple(reasons), tuple(figures), tuple(map(Term, items)), tuple(readings))


def _rule(position: Position, name: str) -> Rule:
    return position.ruleset.rule(name)


def _budget(position: Position, fluent: Symbol) -> Figure:
    """What there is of a budget, as a figure without items."""
    value = position.fluents.get(fluent, position.default(fluent))
    return Figure(Term(fluent), value.number if value.type == SymbolType.Number else 0, "left")


# -- forecast --------------------------------------------------------------------------------------


def forecast(position: Position, *names: str, wide: bool = False) -> Forecast:
    """Every figure of what is in play, with its items; with names, those figures alone.

    A name is that of a kind of figure (``inertia``) or a figure (``inertia(baganal)``), also one
    that is computed on demand, such as the ticks of a way. *wide* adds what may come next.
    Raises: UnknownName, if a name is none of the ruleset's.
    """
    here = _situation(0)
    facts = [*position.facts(here), Function("surveying", [here])]
    if wide or names:
        facts.append(Function("wide", [here]))
    kinds: set[str] = set()
    wanted: list[Symbol] = []
    for name in names:
        found = _figure_names(position, name)
        if found is None:
            kinds.add(name)
        else:
            wanted += found
    facts += [Function("wanted", [figure, here]) for figure in wanted]
    atoms = _ask("forecast", position, facts)
    figures = _figures(position, atoms, None)
    if names:
        asked = set(wanted)
        figures = [f for f in figures if f.name.name in kinds or _full(position, f.name.symbol) in asked]
    return Forecast(position.ruleset, tuple(figures))


def _figure_names(position: Position, text: str) -> list[Symbol] | None:
    """The figures that *text* may mean, or None if it is the name of a kind."""
    words, scene = position.ruleset.vocabulary, position.scene
    known = {**words.figures, **words.findings}
    symbol = parse_symbol(text)
    declared = known.get(symbol.name) if symbol.type == SymbolType.Function else None
    if declared is None:
        raise UnknownName(Fault(f"unknown figure {clipped(symbol.name or text)}{nearest(symbol.name, known)}"))
    if not symbol.arguments and declared.sorts:
        return None
    full = _full(position, symbol)
    if len(full.arguments) == len(declared.sorts):
        _check_arguments(position, declared, full)
        return [full]
    fitting = list(_completions(position, declared, tuple(symbol.arguments)))
    if not fitting:
        form = f"{declared.name}({', '.join(declared.sorts)})"
        raise UnknownName(Fault(f"{clipped(text, 80)} does not fit {form}{_misfit(position, declared, symbol)}"))
    return fitting


def _full(position: Position, symbol: Symbol) -> Symbol:
    """A figure with the arguments that go without saying."""
    words = position.ruleset.vocabulary
    declared = words.figures.get(symbol.name) or words.findings.get(symbol.name)
    if declared is None or len(symbol.arguments) >= len(declared.sorts):
        return symbol
    given = list(symbol.arguments)
    full: list[Symbol] = []
    missing = len(declared.sorts) - len(given)
    for sort in declared.sorts:
        if missing and sort in words.elided and not (given and words.belongs(given[0], sort, position.scene)):
            full.append(words.elided[sort])
            missing -= 1
        elif given:
            full.append(given.pop(0))
    return Function(symbol.name, full) if not missing and not given else symbol


def _short(position: Position, symbol: Symbol) -> Symbol:
    """A figure without the arguments that go without saying."""
    words = position.ruleset.vocabulary
    declared = words.figures.get(symbol.name) or words.findings.get(symbol.name)
    if declared is None:
        return symbol
    kept = [a for a, sort in zip(symbol.arguments, declared.sorts, strict=True) if words.elided.get(sort) != a]
    return Function(symbol.name, kept)


def _figures(position: Position, atoms: Atoms, only: set[Symbol] | None) -> list[Figure]:
    """The figures and findings of an answer, in the order of the vocabulary, then by argument."""
    words = position.ruleset.vocabulary
    entries: dict[Symbol, list[Entry]] = defaultdict(list)
    for atom in atoms["entry"]:
        name, item, amount, _, rule = atom.arguments
        entries[name].append(Entry(Term(item), amount.number, rule.name))
    values: dict[Symbol, int | str] = {}
    rules: dict[Symbol, set[str]] = defaultdict(set)
    for atom in atoms["total"]:
        values[atom.arguments[0]] = atom.arguments[1].number
    for atom in atoms["never"]:
        values[atom.arguments[0]] = "never"
        rules[atom.arguments[0]].add(atom.arguments[2].name)
    for atom in atoms.get("unknown", []):
        name, item, _, rule = atom.arguments
        values[name] = "unknown"
        rules[name].add(rule.name)
    grounds: dict[Symbol, list[Symbol]] = defaultdict(list)
    for atom in atoms.get("ground", []):
        grounds[atom.arguments[0]].append(atom.arguments[1])
    for atom in atoms.get("unknown", []):
        grounds[atom.arguments[0]].append(atom.arguments[1])
    for atom in atoms.get("finding", []):
        name, found, _, rule = atom.arguments
        values[name] = text_of(found)
        rules[name].add(rule.name)
    rank = {name: number for number, name in enumerate((*words.figures, *words.findings))}
    figures = []
    for name in sorted(values, key=lambda s: (rank.get(s.name, 0), order(s))):
        if only is not None and name not in only:
            continue
        unit = words.figures[name.name].unit if name.name in words.figures else ""
        ledger = () if values[name] in ("never", "unknown") else _ledger(entries[name])
        figures.append(
            Figure(
                Term(_short(position, name)),
                values[name],
                unit,
                ledger,
                tuple(sorted(rules[name])),
                tuple(map(Term, sorted_symbols(grounds[name]))),
            )
        )
    return figures


def _ledger(entries: list[Entry]) -> tuple[Entry, ...]:
    """The items in order, those of nothing left out unless they are all there is."""
    telling = [entry for entry in entries if entry.amount]
    return tuple(sorted(telling or entries, key=lambda e: (e.amount < 0, e.item, e.rule)))


# -- apply -----------------------------------------------------------------------------------------


def apply(position: Position, *actions: Term | str) -> Outcome:
    """Carry out *actions* one after the other, with what follows of itself.

    Raises: IllegalAction at the first that is forbidden, with all its rules; Unsettled, if one
    hangs on something hidden.
    """
    steps: list[Step] = list(_settle(position))
    current = steps[-1].position if steps else position
    taken: list[Term] = []
    rest: list[Term] = []
    for action in actions:
        term = action_of(current, action) if isinstance(action, str) else action
        if isinstance(action, Term):
            _known_action(current, term)
        done, left = _carry_out(current, term.symbol)
        taken.append(term)
        steps += done
        rest += left
        if done:
            current = done[-1].position
    return Outcome(position.ruleset, tuple(taken), tuple(steps), current, combined(steps), tuple(rest))


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
    _check_arguments(position, declared, term.symbol)


def _carry_out(position: Position, action: Symbol) -> tuple[list[Step], list[Term]]:
    """The steps of one action; what is left of it undone, if something stopped it on the way."""
    here = _situation(0)
    steps: list[Step] = []
    agenda = [action]
    while agenda:
        current = agenda.pop(0)
        facts = position.facts(here)
        facts += [Function("asked", [current, here]), Function("does", [current, here, here])]
        atoms = _ask("apply", position, facts)
        allowed = any(atom.arguments[0] == current for atom in atoms["legal"])
        if not allowed:
            rules = sorted({a.arguments[2].name for a in atoms["reason"] if a.arguments[0] == current})
            items = [a.arguments[1] for a in atoms["unsettled"] if a.arguments[0] == current]
            if steps:
                return steps, [Term(current), *map(Term, agenda)]
            if items and not rules:
                decided = {a.arguments[3].name for a in atoms["unsettled"] if a.arguments[0] == current}
                raise Unsettled(text_of(action), tuple(map(text_of, sorted_symbols(set(items)))), tuple(sorted(decided)))
            raise IllegalAction(text_of(action), tuple(rules))
        parts = [a.arguments[1:3] for a in atoms["unfolds"] if a.arguments[0] == current]
        if parts:
            agenda[:0] = parts[0]
            continue
        changes, events = _transition(position, atoms)
        position = position.with_changes({c.fluent.symbol: c.after.symbol for c in changes})
        halted = bool(atoms["halts"])
        steps.append(Step(Term(current), changes, events, position, halted))
        settled = list(_settle(position))
        steps += settled
        if settled:
            position = settled[-1].position
        if halted or settled:
            return steps, [Term(a) for a in agenda]
    return steps, []


def _settle(position: Position) -> Iterator[Step]:
    """Carry out the steps without choice, one after the other, until none is due."""
    part = position.ruleset.slices["settle"]
    if not part.text:
        return
    here = _situation(0)
    for _ in range(MAX_SETTLING):
        facts = [f for f in position.facts(here) if f.name in part.reads]
        due = sorted_symbols({atom.arguments[0] for atom in solver.solve(part, facts, position.geometry)["forced"]})
        if not due:
            return
        atoms = _ask(
            "apply",
            position,
            [*position.facts(here), Function("asked", [due[0], here]), Function("does", [due[0], here, here])],
        )
        changes, events = _transition(position, atoms)
        if not changes:
            raise RulesetError(Fault(f"the step {text_of(due[0])} is due but changes nothing"))
        position = position.with_changes({c.fluent.symbol: c.after.symbol for c in changes})
        yield Step(Term(due[0]), changes, events, position)
    raise RulesetError(Fault(f"steps without choice do not come to an end: {text_of(due[0])} is due again"))


def _transition(position: Position, atoms: Atoms) -> tuple[tuple[Change, ...], tuple[Event, ...]]:
    """What one transition changes and brings about."""
    rules: dict[Symbol, set[str]] = defaultdict(set)
    after = _changed(position, atoms, rules)
    changes = []
    for fluent in sorted_symbols(after):
        before = position.fluents.get(fluent, position.default(fluent))
        if before != after[fluent]:
            changes.append(Change(Term(fluent), Term(before), Term(after[fluent]), tuple(sorted(rules[fluent]))))
    events = sorted({(atom.arguments[0], atom.arguments[2].name) for atom in atoms.get("happens", [])}, key=_by_event)
    return tuple(changes), tuple(Event(Term(event), rule) for event, rule in events)


def _by_event(pair: tuple[Symbol, str]) -> tuple[object, ...]:
    return (pair[1], order(pair[0]))


def _changed(position: Position, atoms: Atoms, rules: dict[Symbol, set[str]]) -> dict[Symbol, Symbol]:
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
    for fluent, amount, _, rule in {
        (a.arguments[0], a.arguments[1].number, a.arguments[2], a.arguments[4].name) for a in atoms["adds"]
    }:
        sums[fluent] += amount
        rules[fluent].add(rule)
    words = position.ruleset.vocabulary
    for fluent, amount in sums.items():
        before = after.get(fluent, position.fluents.get(fluent, position.default(fluent)))
        sort = words.sorts[words.fluents[fluent.name].value]
        number = (before.number if before.type == SymbolType.Number else 0) + amount
        after[fluent] = Number(max(sort.low, min(sort.high, number)))
    return after


def _conflict(fluent: Symbol, rules: set[str]) -> RulesetError:
    return RulesetError(Fault(f"two values at once for {text_of(fluent)}: {', '.join(sorted(rules))}"))


# -- successors ------------------------------------------------------------------------------------


def successors_of(positions: Sequence[Position]) -> tuple[tuple[tuple[Term, Position], ...], ...]:
    """For each position every legal action with the position that `apply` gives, many at once."""
    actions = legal_actions_of(positions)
    pairs = [(number, action.symbol) for number, row in enumerate(actions) for action in row]
    after = _carried_out([(positions[number], action) for number, action in pairs])
    found: list[list[tuple[Term, Position]]] = [[] for _ in positions]
    for (number, action), position in zip(pairs, after, strict=True):
        found[number].append((Term(action), position))
    return tuple(map(tuple, found))


def _carried_out(pairs: Sequence[tuple[Position, Symbol]]) -> list[Position]:
    """The position after each legal action, in as few groundings as unfolding allows."""
    results: list[Position | None] = [None] * len(pairs)
    # What still has to be done for each pair: a position and a list of actions.
    pending = {number: (position, [action]) for number, (position, action) in enumerate(pairs)}
    while pending:
        firsts = {number: (position, agenda[0]) for number, (position, agenda) in pending.items()}
        unfolded = _unfolded(list(dict.fromkeys(firsts.values())))
        for number, pair in firsts.items():
            if pair in unfolded:
                position, agenda = pending[number]
                pending[number] = (position, [*unfolded[pair], *agenda[1:]])
        steps = list(dict.fromkeys((position, agenda[0]) for position, agenda in pending.values()))
        outcome = dict(zip(steps, _stepped(steps), strict=True))
        going: dict[int, tuple[Position, list[Symbol]]] = {}
        for number, (position, agenda) in pending.items():
            after, stopped = outcome[position, agenda[0]]
            if stopped or len(agenda) == 1:
                results[number] = after
            else:
                going[number] = (after, agenda[1:])
        allowed = _still_legal([(after, agenda[0]) for after, agenda in going.values()])
        for number, (after, agenda) in list(going.items()):
            if (after, agenda[0]) not in allowed:
                results[number] = after
                del going[number]
        pending = going
    return [position for position in results if position is not None]


def _asked_in_batches(
    verb: str, pairs: Sequence[tuple[Position, Symbol]], predicate: str
) -> Iterator[tuple[Atoms, dict[int, Position]]]:
    """Ask *verb* about pairs of a position and an action: one situation for each position."""
    numbered: dict[Position, int] = {}
    wanted: dict[int, list[tuple[int, Symbol]]] = defaultdict(list)
    for number, (position, action) in enumerate(pairs):
        wanted[numbered.setdefault(position, len(numbered))].append((number, action))
    positions = list(numbered)
    for first, numbers in _batches(positions):
        facts: list[Symbol] = []
        for number in numbers:
            here = _situation(number)
            facts += positions[number].facts(here)
            for index, action in wanted[number]:
                facts.append(Function("asked", [action, here]))
                if predicate == "does":
                    facts.append(Function("does", [action, here, _situation(index)]))
        yield _ask(verb, first, facts), {number: positions[number] for number in numbers}


def _unfolded(pairs: Sequence[tuple[Position, Symbol]]) -> dict[tuple[Position, Symbol], tuple[Symbol, Symbol]]:
    if not pairs or not pairs[0][0].ruleset.slices["unfold"].text:
        return {}
    found = {}
    for atoms, positions in _asked_in_batches("unfold", pairs, "asked"):
        for atom in atoms["unfolds"]:
            action, first, rest, here = atom.arguments
            found[positions[here.number], action] = (first, rest)
    return found


def _still_legal(pairs: Sequence[tuple[Position, Symbol]]) -> set[tuple[Position, Symbol]]:
    found: set[tuple[Position, Symbol]] = set()
    for atoms, positions in _asked_in_batches("asked", pairs, "asked") if pairs else ():
        for atom in atoms["legal"]:
            found.add((positions[atom.arguments[1].number], atom.arguments[0]))
    return found


def _stepped(pairs: Sequence[tuple[Position, Symbol]]) -> list[tuple[Position, bool]]:
    """The position after each single step, settled, and whether something stopped what was to follow."""
    rows: dict[int, Atoms] = defaultdict(lambda: {"sets": [], "clears": [], "adds": [], "halts": []})
    at = {"sets": 2, "clears": 1, "adds": 3, "halts": 0}
    for atoms, _ in _asked_in_batches("successors", pairs, "does"):
        for name, index in at.items():
            for atom in atoms[name]:
                rows[atom.arguments[index].number][name].append(atom)
    after = []
    for number, (position, _) in enumerate(pairs):
        changed = _changed(position, rows[number], defaultdict(set))
        after.append(position.with_changes(changed))
    settled = _settled(after)
    return [
        (final, bool(rows[number]["halts"]) or final is not after[number]) for number, final in enumerate(settled)
    ]


def _settled(positions: list[Position]) -> list[Position]:
    """Each position with the steps without choice carried out."""
    found = list(positions)
    waiting = list(range(len(found)))
    if not found or not found[0].ruleset.slices["settle"].text:
        return found
    for _ in range(MAX_SETTLING):
        due: dict[int, Symbol] = {}
        current = [found[number] for number in waiting]
        for first, numbers in _batches(current):
            part = first.ruleset.slices["settle"]
            facts = [f for n in numbers for f in current[n].facts(_situation(n)) if f.name in part.reads]
            for atom in solver.solve(part, facts, first.geometry)["forced"]:
                number, action = waiting[atom.arguments[1].number], atom.arguments[0]
                due[number] = min(due.get(number, action), action, key=order)
        if not due:
            return found
        pairs = list(dict.fromkeys((found[number], action) for number, action in due.items()))
        rows: dict[int, Atoms] = defaultdict(lambda: {"sets": [], "clears": [], "adds": []})
        at = {"sets": 2, "clears": 1, "adds": 3}
        for atoms, _positions in _asked_in_batches("successors", pairs, "does"):
            for name, index in at.items():
                for atom in atoms[name]:
                    rows[atom.arguments[index].number][name].append(atom)
        after = {
            pair: pair[0].with_changes(_changed(pair[0], rows[number], defaultdict(set)))
            for number, pair in enumerate(pairs)
        }
        for number, action in due.items():
            found[number] = after[found[number], action]
        waiting = list(due)
    raise RulesetError(Fault("steps without choice do not come to an end"))


# -- check -----------------------------------------------------------------------------------------


def check(position: Position) -> Check:
    """Is this a position of its game? Each flaw has the rules that it breaks."""
    return check_of([position])[0]


def check_of(positions: Sequence[Position]) -> tuple[Check, ...]:
    """What `check` says of each of many positions."""
    found: dict[int, list[Flaw]] = defaultdict(list)
    for first, numbers in _batches(positions):
        facts: list[Symbol] = []
        for number in numbers:
            facts += [*positions[number].facts(_situation(number)), Function("checking", [_situation(number)])]
        atoms = _ask("check", first, facts)
        for number, rows in _by_situation(atoms["ill_formed"], 1).items():
            grouped = _grouped((row[0], row[2]) for row in rows)
            found[number] = [Flaw(Term(what), grouped[what]) for what in sorted_symbols(grouped)]
    return tuple(Check(position.ruleset, tuple(found[number])) for number, position in enumerate(positions))


def require_well_formed(position: Position, name: str) -> None:
    """Raises: IllFormed, if *position* is none of its game."""
    flaws = check(position).flaws
    if flaws:
        raise IllFormed(
            [
                Fault(f"{name}: no position of this game: {flaw.what} breaks {', '.join(flaw.rules)}", rules=flaw.rules)
                for flaw in flaws
            ]
        )


def as_seen_by(position: Position, viewer: str) -> Position:
    """The position as *viewer* knows it: what is concealed from it is written ``hidden``.

    Raises: UnknownName, if no such actor is in the position.
    """
    actors = {text_of(member) for members in position.listed.values() for member in members}
    if viewer not in actors:
        raise UnknownName(Fault(f"unknown character {clipped(viewer)}{nearest(viewer, actors)}"))
    here = _situation(0)
    changes: dict[Symbol, Symbol] = {}
    counts: dict[Symbol, int] = defaultdict(int)
    for atom in _ask("concealed", position, position.facts(here))["concealed"]:
        fluent, owner, instead, _, _ = atom.arguments
        if text_of(owner) == viewer:
            continue
        if fluent == instead:
            changes[fluent] = HIDDEN
        else:
            changes[fluent] = position.default(fluent)
            counts[instead] += position.fluents[fluent].number
    for fluent, number in counts.items():
        changes[fluent] = Number(number + position.fluents.get(fluent, position.default(fluent)).number)
    return position.with_changes(changes)


# -- helpers ---------------------------------------------------------------------------------------


def _batches(positions: Sequence[Position]) -> Iterator[tuple[Position, list[int]]]:
    """The numbers of positions that are asked about in one grounding, in groups of a bounded size."""
    for first, numbers in positions_by_board(positions):
        for start in range(0, len(numbers), BATCH):
            yield first, numbers[start : start + BATCH]


def _by_situation(atoms: Iterable[Symbol], index: int) -> dict[int, list[list[Symbol]]]:
    rows: dict[int, list[list[Symbol]]] = defaultdict(list)
    for atom in atoms:
        arguments = atom.arguments
        rows[arguments[index].number].append(arguments)
    return rows


def _grouped(pairs: Iterable[tuple[Symbol, Symbol]]) -> dict[Symbol, tuple[str, ...]]:
    found: dict[Symbol, set[str]] = defaultdict(set)
    for key, rule in pairs:
        found[key].add(rule.name)
    return {key: tuple(sorted(rules)) for key, rules in found.items()}


def _by_actor(term: Term) -> tuple[object, ...]:
    return (term.actor, order(term.symbol))

