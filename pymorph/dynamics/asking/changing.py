"""What a single step changes and brings about, read from the atoms that the rules give of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import inf

from clingo import Number, Symbol, SymbolType

from pymorph.dynamics.asking.batch import Arguments, ArgumentsByPredicate, blamed
from pymorph.dynamics.asking.proposals import misfit
from pymorph.dynamics.outcomes import Change, Event
from pymorph.errors import Fault, RulesetError, clipped
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.position import Position, value_of
from pymorph.terms import Term, functor, order, sorted_symbols, text_of

ABOUT = "add a condition that says what its arguments are"
FITTING = "forbid what leads there, widen the sort, or use 'adds', which stays in the range"
CHANGING = ("sets", "clears", "adds")


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
    told = ", ".join(sorted(rules))
    return RulesetError(Fault(f"two values at once for {text_of(fluent)}: {told}"))


def _require_fitting(
    position: Position, after: Mapping[Symbol, Symbol], rows: ArgumentsByPredicate
) -> None:
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
        raise RulesetError(blamed(fault, position.ruleset, "apply", ways, fluent.name, rules))


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
