"""Why an event came about: which action or forced step brought it about, by what, after what."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from clingo import Symbol

from pymorph.errors import IllegalAction, InputError, Unsettled, nearest
from pymorph.queries.application import Course
from pymorph.queries.causes import Causes, Distances
from pymorph.queries.legality import legal
from pymorph.queries.outcomes import Event, Fact, Missed, Occurrence, Outcome, Step, WhyEvent
from pymorph.queries.replay import end_of
from pymorph.queries.results import Reason
from pymorph.queries.transitions import Expander, Leg
from pymorph.ruleset.loader import Ruleset
from pymorph.state.claim import check_event, matches
from pymorph.state.names import ambiguous
from pymorph.state.position import Position, of_position
from pymorph.state.printed import as_meant
from pymorph.state.record import Move, Record
from pymorph.terms import ANY, Term, parse_named, sorted_symbols, spoken

MOST_STEPS = 8  # earlier steps of which it is looked into what they brought about
MOST_INSTEAD = 8  # events that came about instead, of which the nearest are told
HAPPENS = "happens"


class Moment(NamedTuple):
    """A step that was carried out, where it was, of what action, in which move of a record."""

    before: Position
    step: Step
    action: Term | None = None
    move: int | None = None


@of_position
def why_event(
    position: Position, event: Term | str, *actions: Term | str, given: Sequence[Term | str] = ()
) -> WhyEvent:
    """Why *event* comes about in what follows from *position*, or that it does not.

    It is looked for in the forced steps that are due and then in what each legal action comes to;
    or else in what *actions* come to, one after the other. Rolls are taken from those *given*. Of
    an event arguments may be left out.
    Raises: UnknownName or InputError, if there are no such events; as `apply`, with *actions*.
    """
    pattern = event_of(position, event)
    begun = _played(position)
    if not actions and not any(True for _ in _met(begun, pattern)):
        return _searched(begun[-1].step.position if begun else position, pattern, given)
    moments = _played(position, actions, given) if actions else begun
    return _explained(position.ruleset, pattern, moments, moments)


def why_event_in(record: Record, event: Term | str, to: int | None = None) -> WhyEvent:
    """Why *event* came about in a record, or in its first *to* moves: the last time that it did.

    If it never did, it is looked for in what follows from there.
    Raises: UnknownName or InputError, if there are no such events, or if a move is not legal.
    """
    pattern = event_of(record.position, event)
    moments = _played(record.position)
    here = moments[-1].step.position if moments else record.position

    def keep(number: int, _: Move, outcome: Outcome) -> None:
        nonlocal here
        for step in outcome.steps:
            moments.append(Moment(here, step, outcome.actions[-1], number))
            here = step.position

    end = end_of(record, keep, to)
    answer = _explained(record.position.ruleset, pattern, moments, last=True)
    if answer.happens:
        return answer
    coming = _searched(end, pattern, ())
    return coming if coming.happens else coming._replace(instead=answer.instead or coming.instead)


def is_event(ruleset: Ruleset, text: str) -> bool:
    """Is *text* an event, also one that is misspelt, rather than an action?"""
    name = "_".join(spoken(text.partition("(")[0]).split())
    words, events = ruleset.vocabulary, ruleset.happenings
    if name in words.actions or name in events or name == HAPPENS:
        return name not in words.actions
    known = {"_".join(spoken(title).split()) for title in words.titles.values()}
    if name in known:
        return False
    hint = nearest(name, [*words.actions, *known, *events])
    return any(f"did you mean {event!r}" in hint for event in events)


def event_of(position: Position, event: Term | str) -> Symbol:
    """The event that is meant, of which arguments may be left out.

    Raises: UnknownName, if no rule speaks of such an event, or of such an argument.
    """
    if isinstance(event, Term):
        check_event(position, event.symbol)
        return event.symbol

    def read(text: str) -> Symbol:
        symbol = parse_named(position.ruleset.vocabulary.rulers.plain(text), wild=True)
        if symbol.name == HAPPENS and len(symbol.arguments) == 1:
            symbol = symbol.arguments[0]
        check_event(position, symbol)
        return symbol

    ways = as_meant(position, event, read)
    if len(ways) > 1:
        raise ambiguous(event, ways)
    return ways[0]


# -- where it comes about --------------------------------------------------------------------------


def _played(
    position: Position, actions: Sequence[Term | str] = (), given: Sequence[Term | str] = ()
) -> list[Moment]:
    """The steps that some actions come to, those first that are due anyway."""
    course = Course(position, given)
    moments: list[Moment] = []

    def keep(action: Term | None) -> None:
        for step in course.outcome().steps[len(moments) :]:
            before = moments[-1].step.position if moments else position
            moments.append(Moment(before, step, action))

    keep(None)
    for action in actions:
        course.act(action)
        keep(course.outcome().actions[-1])
    if actions:
        course.require_all_taken()
    return moments


def _occurrences(
    events: Iterable[Event], step: Term, settled: bool, action: Term | None, move: int | None
) -> Iterator[Occurrence]:
    rules: dict[Term, list[str]] = defaultdict(list)
    for event, rule in events:
        rules[event].append(rule)
    for event, cited in rules.items():
        yield Occurrence(event, tuple(cited), step, settled, action, move)


def _of_moment(moment: Moment) -> Iterator[Occurrence]:
    step = moment.step
    return _occurrences(step.events, step.action, step.settled, moment.action, moment.move)


def _of_leg(action: Term, leg: Leg) -> Iterator[Occurrence]:
    for link in leg.links:
        settled = link.action in leg.forced
        yield from _occurrences(link.events, Term(link.action), settled, action, None)


def _met(moments: Iterable[Moment], pattern: Symbol) -> Iterator[tuple[Moment, Occurrence]]:
    """Where events of a form come about."""
    for moment in moments:
        for each in _of_moment(moment):
            if matches(pattern, each.event.symbol):
                yield moment, each


def _searched(position: Position, pattern: Symbol, given: Sequence[Term | str]) -> WhyEvent:
    """Why an event comes about by the first of those legal actions that bring it about."""
    expander = Expander(position.ruleset)
    legs = {Term(action): leg for action, leg in expander.legs_of([position])[0].items()}
    actions = sorted(legs, key=lambda action: (action.actor, action))
    every: list[Occurrence] = []
    for action in actions:
        if given:
            try:
                moments = _played(position, [action], given)
            except (IllegalAction, Unsettled, InputError):
                continue
            every += [each for moment in moments for each in _of_moment(moment)]
        else:
            every += _of_leg(action, legs[action])
    found = [each for each in every if matches(pattern, each.event.symbol)]
    if found and found[0].action is not None:
        moments = _played(position, [found[0].action], given)
        answer = _explained(position.ruleset, pattern, moments)
        return answer._replace(also=tuple(each for each in found if each != answer.at))
    instead = _instead(pattern, every)
    # What could have brought it about: what has such events, or else the only one that has any.
    eventful = list(dict.fromkeys(each.action for each in every)) or actions
    tried = next((e.action for e in instead if e.event.name == pattern.name), None)
    tried = tried or (eventful[0] if len(eventful) == 1 else None)
    tested = _played(position, [tried], given if every else ()) if tried else []
    answer = _explained(position.ruleset, pattern, [], tested)
    rolls = expander.rolls_of(legs[action].position for action in actions)
    items = {item.symbol for doubt in legal(position).unsettled for item in doubt.depends_on}
    return answer._replace(
        happens=None if items else False,
        instead=instead,
        rolling=tuple(action for action, due in zip(actions, rolls, strict=True) if due),
        depends_on=tuple(map(Term, sorted_symbols(items))),
    )


def _instead(pattern: Symbol, every: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
    """Events of the same name, or told of the same, those first that are most alike."""
    same = Term(pattern).arguments
    named = [e for e in every if e.event.name == pattern.name or e.event.arguments == same != ()]
    matcher = difflib.SequenceMatcher(b=str(Term(pattern)))

    def unlike(occurrence: Occurrence) -> float:
        matcher.set_seq1(str(occurrence.event))
        return -matcher.ratio()

    return tuple(sorted(named, key=unlike)[:MOST_INSTEAD])


# -- why -------------------------------------------------------------------------------------------


def _explained(
    ruleset: Ruleset,
    pattern: Symbol,
    moments: Sequence[Moment],
    tested: Sequence[Moment] = (),
    last: bool = False,
) -> WhyEvent:
    """Why an event came about in one of some steps, the first or the *last* of these; if in none,
    what was missing in those *tested*."""
    found = list(_met(moments, pattern))
    if not found:
        instead = _instead(pattern, (each for moment in moments for each in _of_moment(moment)))
        missed = tuple(_missed(tested, pattern))
        return WhyEvent(ruleset, Term(pattern), False, instead=instead, missed=missed)
    moment, at = found[-1 if last else 0]
    before = moments[: moments.index(moment)]
    causes = Causes(moment.before, moment.step.action.symbol)
    proof = causes.of_event(at.event.symbol)
    facts = tuple(_facts(proof, before))
    return WhyEvent(
        ruleset,
        at.event,
        True,
        at,
        tuple(each for _, each in found if each != at),
        tuple(Reason(ruleset.rule(rule), "causes") for rule in at.rules),
        (*_beside(at, moment, causes, proof), *_earlier(facts, before)),
        tuple(causes.figures_in(proof)),
        facts,
        {a.arguments[0].name: a.arguments[1].name for a in proof if a.name == "reading"},
    )


def _missed(tested: Sequence[Moment], pattern: Symbol) -> Iterator[Missed]:
    """What kept an event of which nothing is left out from coming about in some steps, by the rules
    that came nearest to it."""
    if ANY in pattern.arguments:
        return
    found = []
    for moment in tested:
        action = moment.step.action
        for rule, missing, against in Causes(moment.before, action.symbol).lacking(pattern):
            told = Missed(rule, action, tuple(map(Term, missing)), tuple(map(Term, against)))
            found.append((len(missing) + len(against), told))
    least = min((wrong for wrong, _ in found), default=0)
    yield from dict.fromkeys(told for wrong, told in found if wrong == least)


def _beside(
    at: Occurrence, moment: Moment, causes: Causes, proof: Distances
) -> Iterator[Occurrence]:
    """The events of the same step that an event rests on, and that do not rest on it as well."""
    mine = [atom for atom in causes.events if atom.arguments[0] == at.event.symbol]
    told = {each.event.symbol: each for each in _of_moment(moment)}
    for event in dict.fromkeys(atom.arguments[0] for atom in causes.events_in(proof)):
        if event != at.event.symbol:
            other = causes.of_event(event)
            if not any(causes.rests_on(atom, other) for atom in mine):
                yield told[event]


def _facts(proof: Distances, before: Sequence[Moment]) -> Iterator[Fact]:
    """The fluents that a proof rests on, and the steps that gave them their values."""
    for atom in proof:
        if atom.name == "holds":
            fluent, value, _ = map(Term, atom.arguments)
            moment = _changed_in(before, fluent)
            step, move = (moment.step.action, moment.move) if moment else (None, None)
            yield Fact(fluent, value, step, move)


def _changed_in(before: Sequence[Moment], fluent: Term) -> Moment | None:
    """The last step that changed a fluent."""
    return next(
        (m for m in reversed(before) if any(c.fluent == fluent for c in m.step.changes)), None
    )


def _earlier(facts: Iterable[Fact], before: Sequence[Moment]) -> Iterator[Occurrence]:
    """The events of earlier steps with which the fluents came to be what they were, the last
    first."""
    fluents: dict[int, set[Symbol]] = defaultdict(set)
    for fact in facts:
        moment = _changed_in(before, fact.fluent)
        if moment is not None and moment.step.events:
            fluents[before.index(moment)].add(fact.fluent.symbol)
    for number in sorted(fluents, reverse=True)[:MOST_STEPS]:
        moment = before[number]
        causes = Causes(moment.before, moment.step.action.symbol)
        told = {each.event.symbol: each for each in _of_moment(moment)}
        proof = causes.of_changes(fluents[number])
        for event in dict.fromkeys(atom.arguments[0] for atom in causes.events_in(proof)):
            yield told[event]
