"""Positions as they are: deadlock, how games end, and whether each figure adds up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from clingo import Function, Symbol

from pymorph.asp.dependency import Slice, Statement, bounded
from pymorph.asp.facts import Key, Signature, Signs
from pymorph.asp.grounding import Atoms
from pymorph.dynamics.asking.batch import ask, batches, situation, solve
from pymorph.dynamics.asking.endings import points_of
from pymorph.errors import OutOfTime
from pymorph.questions import legality
from pymorph.ruleset.vocabulary import Declared
from pymorph.state.position import Position
from pymorph.terms import sorted_symbols, text_of
from pymorph.verify.effort import EFFORT
from pymorph.verify.frame import described
from pymorph.verify.report import Finding, Piece, Witness, confirm, merge, unsettled
from pymorph.verify.scope import Scope, once
from pymorph.verify.sources import encoding, keys
from pymorph.verify.spaces.domain import HERE, Domain, any_term, position_keys
from pymorph.verify.spaces.model_search import ModelSearch
from pymorph.verify.spaces.witnesses import asking_for, shipped
from pymorph.verify.versions.changes import AND, change_impact, packed

RULES = encoding("figures")
Entries = dict[Symbol, list[tuple[Symbol, int, str]]]
Discrepancy = tuple[str, tuple[str, ...]]  # what is wrong, and by which rules

STUCK, ON, HAVING = map(Function, ("stuck", "on", "having"))
ENDED, BOTH = map(Function, ("ended", "both"))
OUTCOME: tuple[Signature, ...] = (("over", 2), ("wins", 3), ("drawn", 2), ("score", 4))
OUTCOME_KEYS: list[Key] = [(*signature, None) for signature in OUTCOME]
LEDGER, RANGE = "ledger", "range"
GIVEN, TWICE, OUTSIDE = "given", "twice", "outside"
WANTED, SURVEYED, WIDER = ("wanted", 2), ("surveying", 1), ("wide", 1)
SURVEYING, WIDE = "surveying(0).", "wide(0)."
LISTED = ("listed", 3)
shipped_once = once(shipped)


# -- somebody can act ------------------------------------------------------------------------------


def deadlock(scope: Scope, _: str) -> Piece:
    """Is there a position in which nobody has a legal action, and the game is not over?"""
    # Whatever anybody may do is looked at in one program, so there is less of everything else.
    bounds, most = scope.bounds, EFFORT.acting_cards
    cards, numbers = min(bounds.cards or most, most), min(bounds.numbers, EFFORT.low_numbers)
    smaller = scope.within(cards=cards, numbers=numbers)
    sought = keys("legal/2 over/2 awaited/3")
    search = ModelSearch(smaller, Domain.of(smaller), RULES["acting"], sought)
    counts = search.counts(ON)
    findings = []
    dead_end = search.smallest(STUCK)
    if dead_end is not None:
        says = "nobody has a legal action, but no rule says that the game is over"
        over = _atoms_of(scope, dead_end.position)["over"]
        sure = not legality.legal_actions(dead_end.position) and not over
        findings.append(confirm(sure, "stuck", says, dead_end.witness))
    bound, usual = Domain.of(smaller).bound, Domain.of(scope).bound
    notes = () if bound == usual else (f"searched within {bound}",)
    return Piece(*counts, tuple(findings), notes, search.closed)


# -- how games end ---------------------------------------------------------------------------------


def ending(scope: Scope, _: str) -> Piece:
    """Is there a position in which a game is won and drawn, or somebody has two scores?"""
    search = ModelSearch(scope, Domain.of(scope), RULES["ending"], OUTCOME_KEYS)
    findings = []
    for goal in sorted(search.reached - {ENDED}):
        example = search.example(goal)
        atoms = _atoms_of(scope, example.position)
        if goal == BOTH:
            subject, says = "both", "somebody wins, but the game is drawn"
            sure = bool(atoms["wins"]) and bool(atoms["drawn"])
            cited = [*atoms["wins"], *atoms["drawn"]]
        else:
            player = goal.arguments[0]
            subject = text_of(player)
            cited = [a for a in atoms["score"] if a.arguments[0] == player]
            points = sorted({points_of(*atom.arguments) for atom in cited})
            says = f"{subject} ends with {' and with '.join(map(str, points))} points"
            sure = len(points) > 1
        rules = tuple(sorted({atom.arguments[-1].name for atom in cited}))
        findings.append(confirm(sure, subject, says, example.witness, rules))
    return Piece(*search.counts(ENDED), tuple(findings), closed=search.closed)


def _atoms_of(scope: Scope, position: Position) -> Atoms:
    """The atoms of the outcome in a position."""
    part = Slice(scope.sources.behind(OUTCOME_KEYS), OUTCOME)
    return solve(part, position.facts(HERE), position)


# -- each figure adds up ---------------------------------------------------------------------------


def figures(scope: Scope) -> list[str]:
    """Pieces of work on the figures, or those that may depend on what changed: those that depend
    on much, those for which lists are made, and the plain ones, some of each together."""
    words = scope.ruleset.vocabulary
    names = list(words.figures)
    if scope.changed is not None:
        asked = {(*WANTED, name) for name in names} | {(*SURVEYED, None), (*WIDER, None)}
        affects = change_impact(scope, position_keys(words) | asked)
        names = [n for n in names if affects([*_ledger(n), ("ill_formed", 3, None)])]
    plain = [name for name in names if _plain(scope, name)]
    listing = [name for name in names if _lists(scope, name)]
    deep = [name for name in names if name not in (*plain, *listing)]
    few = EFFORT.piece_terms // EFFORT.figures_at_once
    sizes = ((name, len(Domain.of(scope).actions(words.figures[name]))) for name in plain)
    # what takes longest first
    return [*packed((n, few) for n in deep), *packed((n, few) for n in listing), *packed(sizes)]


def _ledger(name: str) -> list[Key]:
    """What tells of a figure."""
    return [("entry", 5, name), ("never", 3, name), ("unknown", 4, name)]


def study(scope: Scope, piece: str) -> dict[str, Piece]:
    """What is found of the ledgers of figures: items that count twice, sums out of their range."""
    names = piece.split(AND)
    figures = [scope.ruleset.vocabulary.figures[name] for name in names]
    if _plain(scope, names[0]):
        return _searched(scope, figures)
    if _lists(scope, names[0]):
        return _tried(scope, figures)
    # A figure that depends on many others has too many values for larger numbers.
    most = EFFORT.figure_numbers
    within = scope.within(cards=EFFORT.fewest_cards, numbers=most)
    ranges = {name: (low, low + most) for name, (low, _) in scope.ruleset.bounds.items()}
    pieces = _searched(within, figures, [bounded(part, ranges) for part in scope.sources.parts])
    note = f"{piece}: searched and calculated within {Domain.of(within).bound}"
    return {of: replace(result, notes=(note,)) for of, result in pieces.items()}


def _searched(
    scope: Scope, figures: Sequence[Declared], parts: Sequence[Statement] | None = None
) -> dict[str, Piece]:
    """What is found of some figures in one search; what may come next is asked for only for those
    that there are none of without."""
    parts = scope.sources.parts if parts is None else parts
    by_property: dict[str, list[Piece]] = {of: [] for of in FAULTS}
    left = list(figures)
    for facts in ([SURVEYING], [SURVEYING, WIDE]):
        if not left:
            break
        search = _search(scope, left, parts, facts)
        given = {goal.arguments[0].name for goal in search.literals if goal.name == GIVEN}
        here = [figure for figure in left if figure.name in given or WIDE in facts]
        left = [figure for figure in left if figure not in here]
        wrong = {of: tuple(_findings(search, of, here)) for of in FAULTS}
        counts = search.counts(HAVING)  # which is quick with what was learnt by now
        for of in FAULTS:
            by_property[of].append(Piece(*counts, wrong[of], closed=search.closed))
    return {of: merge(pieces) for of, pieces in by_property.items()}


def _search(
    scope: Scope, figures: Sequence[Declared], parts: Sequence[Statement], facts: Sequence[str]
) -> ModelSearch:
    """The search for what is wrong with figures; its goals have their names."""
    domain = replace(Domain.of(scope), ranges=scope.ruleset.bounds)
    wanted = {key[2] for part in parts for key in part.signs.uses if key[:2] == WANTED}
    asked = [figure for figure in figures if wanted & {figure.name, None}]
    if asked:  # for any of these figures, or for none
        given = tuple((((*WANTED, figure.name)), None) for figure in asked)
        parts = [*parts, Statement(domain.wanted(asked), Signs((), given, frozenset()))]
    rules = [RULES["all_adding"]]
    for figure in figures:
        text = "".join(RULES[part] for part in ("adding", *filter(scope.checks, FAULTS)))
        low, high = figure.low, figure.high
        marks = {"@Q": any_term(figure, "V"), "@N": figure.name, "@L": low, "@H": high}
        for mark, value in marks.items():
            text = text.replace(mark, str(value))
        rules.append(text)
    sought = [key for name in sorted(figure.name for figure in figures) for key in _ledger(name)]
    return ModelSearch(scope, domain, "\n".join(rules), sought, facts=facts, parts=parts)


def _plain(scope: Scope, name: str) -> bool:
    """Can a figure be looked at as it is? It makes no lists, and depends on few others."""
    read = {key for part in _slice(scope, name) for key in part.signs.uses}
    totals = sum(key[0] == "total" for key in read)
    return not _lists(scope, name) and totals <= EFFORT.figure_totals


def _lists(scope: Scope, name: str) -> bool:
    """Are lists made for a figure?"""
    return any(key[:2] == LISTED for part in _slice(scope, name) for key in part.signs.uses)


@once
def _slice(scope: Scope, name: str) -> Sequence[Statement]:
    """The statements that a figure depends on."""
    index = scope.sources.index()
    known = position_keys(scope.ruleset.vocabulary) - {("checking", 1, None)}
    known |= {("surveying", 1, None), (*WANTED, name)}
    return index.leading_to([("entry", 5, name)], index.firing(known), figured=True)


def _tried(scope: Scope, figures: Sequence[Declared]) -> dict[str, Piece]:
    """What is found of some figures in the positions that come with the ruleset.

    An open position has more lists than can be told apart, so where lists are made of what it
    holds, positions are tried: the starts, those that ask for one of the figures, and others.
    """
    asking = asking_for(scope, {figure.name for figure in figures})
    entries = (entry.position for entry in asking)
    every = list(dict.fromkeys([*scope.starts, *entries, *shipped_once(scope)]))
    positions = every[: EFFORT.figure_positions]
    ledgers = _ledgers(Domain.of(scope), figures, positions)
    findings: dict[str, list[Finding]] = {of: [] for of in FAULTS}
    for of, (_, fault) in FAULTS.items():
        for figure in figures:
            faults = ((p, fault(figure, entries_of[figure.name])) for p, entries_of in ledgers)
            wrong = ((p, says) for p, says in faults if says is not None)
            for position, says in islice(wrong, 1):
                findings[of].append(Finding(figure.name, *says, witness=Witness(position)))
    subjects = sum(any(entries_of.values()) for _, entries_of in ledgers)
    names, looked = ", ".join(figure.name for figure in figures), len(positions)
    notes = (f"{names}: searched in {looked} positions that come with the ruleset",)
    return {of: Piece(looked, subjects, False, tuple(findings[of]), notes) for of in FAULTS}


def _findings(search: ModelSearch, of: str, figures: Iterable[Declared]) -> Iterator[Finding]:
    """What is wrong with some figures, each in the smallest position in which it is, if any is."""
    kind, fault = FAULTS[of]
    for figure in figures:
        try:
            example = search.smallest(Function(kind, [Function(figure.name)]))
        except OutOfTime as late:
            yield unsettled(figure.name, str(late))
            continue
        if example is not None:
            ((_, ledgers),) = _ledgers(search.domain, [figure], [example.position])
            wrong = fault(figure, ledgers[figure.name])
            says, rules = wrong or ("its value does not match its range and its items", ())
            yield confirm(wrong is not None, figure.name, says, example.witness, rules)


def _ledgers(
    domain: Domain, figures: Sequence[Declared], positions: Sequence[Position]
) -> list[tuple[Position, dict[str, Entries]]]:
    """Each position with the items of each figure of some names that has a value, as forecast."""
    names = [declared.name for declared in figures]
    ledgers_of: list[dict[str, Entries]]
    ledgers_of = [{name: defaultdict(list) for name in names} for _ in positions]
    for first, numbers in batches(positions):
        facts: list[Symbol] = []
        for n in numbers:
            position, here = positions[n], situation(n)
            there = replace(domain, scene=position.scene)
            facts += position.facts(here)
            facts += [Function(name, [here]) for name in ("surveying", "wide")]
            asked = chain.from_iterable(map(there.actions, figures))
            facts += [Function("wanted", [figure, here]) for figure in asked]
        atoms = ask("forecast", first, facts)
        denied = (*atoms["never"], *atoms["unknown"])
        without = {(atom.arguments[0], atom.arguments[-2]) for atom in denied}
        for atom in sorted_symbols(atoms["entry"]):
            figure, item, amount, here, rule = atom.arguments
            ledgers = ledgers_of[here.number].get(figure.name)
            if ledgers is not None and (figure, here) not in without:
                ledgers[figure].append((item, amount.number, rule.name))
    return list(zip(positions, ledgers_of, strict=True))


def _twice(_: Declared, ledgers: Entries) -> Discrepancy | None:
    """The first item that has two amounts, or two rules."""
    for figure, entries in ledgers.items():
        for item in dict.fromkeys(entry[0] for entry in entries):
            same = [(amount, rule) for other, amount, rule in entries if other == item]
            if len(same) > 1:
                amounts = " and ".join(f"{amount} by {rule}" for amount, rule in same)
                says = f"{text_of(figure)} has the item {text_of(item)} twice: {amounts}"
                return says, tuple(dict.fromkeys(rule for _, rule in same))
    return None


def _outside(declared: Declared, ledgers: Entries) -> Discrepancy | None:
    """The first figure that is out of its range."""
    for figure, entries in ledgers.items():
        value = sum(amount for _, amount, _ in entries)
        if not declared.low <= value <= declared.high:
            says = f"{text_of(figure)} is {value}, but declared {declared.low} to {declared.high}"
            return says, tuple(dict.fromkeys(rule for _, _, rule in entries))
    return None


# By property: the goal that is sought, and what is wrong with a figure there.
FAULTS = {LEDGER: (TWICE, _twice), RANGE: (OUTSIDE, _outside)}
PROPERTIES = (
    described("stuck", deadlock, family="play", speaks_of="a game that is not over", bounded=True),
    described(
        "outcome", ending, family="contradiction", speaks_of="a game that is over", bounded=True
    ),
    described(
        LEDGER,
        study,
        figures,
        family="contradiction",
        speaks_of="a figure with an item",
        bounded=True,
    ),
    described(
        RANGE, study, figures, family="data", speaks_of="a figure with an item", bounded=True
    ),
)
