"""Why an event came about: which action or forced step brought it about, by what, after what."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from typing import NamedTuple

from clingo import Symbol

from pymorph.dynamics.asking.batch import ask
from pymorph.dynamics.asking.steps import facts_of_doing
from pymorph.dynamics.outcomes import Fact, Happening, Later, Outcome, Step, Unmet, WhyEvent
from pymorph.dynamics.results import Reason
from pymorph.dynamics.transitions import NodeExpander
from pymorph.errors import IllegalAction, InputError, Unsettled, nearest
from pymorph.explore.execution.application import Execution, Typed
from pymorph.explore.execution.causes import (
    Causes,
    Distances,
    lacking,
    names_in_conditions,
    rules_bringing,
)
from pymorph.explore.execution.replay import end_of
from pymorph.explore.sampling.policies import Players, policies
from pymorph.questions.legality import legal, legal_actions
from pymorph.ruleset.loader import Ruleset
from pymorph.runtime.arguments import checked
from pymorph.state.claim import check_event, matches
from pymorph.state.files.display_names import as_meant
from pymorph.state.names import ambiguous
from pymorph.state.position import Position
from pymorph.state.record import Move, Record
from pymorph.terms import Term, parse_named, sorted_symbols, spoken

HAPPENS = "happens"


class ExplanationLimits(NamedTuple):
    """How much is explained, at most."""

    steps: int = 8  # earlier steps whose events are explained
    unmet: int = 3  # rules that could have caused an event
    tried: int = 6  # actions of which it is asked what they lack
    later: int = 40  # actions by a policy
    instead: int = 8  # similar events


LIMITS = ExplanationLimits()


class StepTaken(NamedTuple):
    """A step that was carried out, where it was, of what action, in which move of a record."""

    before: Position
    step: Step
    action: Term | None = None
    move: int | None = None


Moments = Sequence[StepTaken]


@checked
def why_event(
    position: Position, event: Term | str, *actions: Term | str, given: Sequence[Term | str] = ()
) -> WhyEvent:
    """Why *event* happens in what follows from *position*, or that it does not.

    It is looked for in the forced steps that are due and then in what each legal action comes to;
    or else in what *actions* come to, one after the other. Rolls are taken from those *given*. Of
    an event arguments may be left out.
    Raises: UnknownName or InputError, if there are no such events; as `apply`, with *actions*.

    >>> import pymorph
    >>> position = pymorph.Position.load("examples/rulesets/diplomacy/positions/venice.yaml")
    >>> answer = pymorph.why_event(position, "moved(vie, tyr)")
    >>> answer.happens, [str(happening.event) for happening in answer.instead]
    (False, ['bounced(vie, tyr)', 'moved(tri, ven)'])
    """
    pattern = event_of(position, event)
    moments = _played(position, actions, given)
    events = (each.event.symbol for moment in moments for each in moment.step.events)
    if actions or any(matches(pattern, event) for event in events):
        return _explained(position.ruleset, pattern, moments, moments[-LIMITS.steps :])
    here = moments[-1].step.position if moments else position
    return _searched(here, pattern, given if here == position else ())


def why_event_in(record: Record, event: Term | str, to: int | None = None) -> WhyEvent:
    """Why *event* happened in a record, or in its first *to* moves: the last time that it did.

    If it never did, it is looked for in what follows from there.
    Raises: UnknownName or InputError, if there are no such events, or if a move is not legal.

    >>> import pymorph
    >>> record = pymorph.Record.load("examples/yard/leaving.yaml")
    >>> answer = pymorph.why_event_in(record, "miss")
    >>> answer.happens, [unmet.rule for unmet in answer.unmet][:2]
    (False, ['act_data_01'])
    """
    pattern = event_of(record.position, event)
    moments = _played(record.position)

    def keep(number: int, _: Move, outcome: Outcome) -> None:
        for step in outcome.steps:
            before = moments[-1].step.position if moments else record.position
            moments.append(StepTaken(before, step, outcome.actions[-1], number))

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


def _played(position: Position, actions: Typed = (), given: Typed = ()) -> list[StepTaken]:
    """The steps that some actions come to, those first that are due anyway."""
    course = Execution(position, given)
    taken: list[Term | None] = [None] * len(course.steps)
    for action in actions:
        course.act(action)
        taken += [course.outcome().actions[-1]] * (len(course.steps) - len(taken))
    if actions:
        course.require_all_taken()
    before = [position, *(step.position for step in course.steps)]
    return [StepTaken(*moment) for moment in zip(before, course.steps, taken, strict=False)]


def _of_moment(moment: StepTaken) -> Iterator[Happening]:
    """The events of a step, each with all its rules."""
    step = moment.step
    rules: dict[Term, list[str]] = defaultdict(list)
    for event, rule, _ in step.events:
        rules[event].append(rule)
    for event, cited in rules.items():
        yield Happening(event, tuple(cited), step.action, step.settled, moment.action, moment.move)


def _searched(position: Position, pattern: Symbol, given: Typed) -> WhyEvent:
    """Why an event comes about by the first of those legal actions that bring it about."""
    expander = NodeExpander(position.ruleset)
    legs = {Term(action): leg for action, leg in expander.expand([position])[0].items()}
    actions = sorted(legs, key=lambda action: (action.actor, action))
    if given:
        every = _by_rolls(position, actions, given)
    else:
        steps = ((action, link.step) for action in actions for link in legs[action].links)
        done = (StepTaken(position, step, action) for action, step in steps)
        every = [each for moment in done for each in _of_moment(moment)]
    found = [each for each in every if matches(pattern, each.event.symbol)]
    if found and found[0].action is not None:
        answer = _explained(position.ruleset, pattern, _played(position, [found[0].action], given))
        return answer._replace(also=tuple(each for each in found if each != answer.at))
    instead = _instead(pattern, every)
    # What could have brought it about: what has events like it, the only one that has any, or else
    # those that its rules speak of.
    eventful = list(dict.fromkeys(each.action for each in (*instead, *every)))
    tried = eventful[:1] if (instead or len(eventful) == 1) else _tried(position, pattern, actions)
    examined: list[StepTaken] = []
    for action in filter(None, tried):
        with suppress(InputError) if given else nullcontext():
            examined += _played(position, [action], given if every else ())
    answer = _explained(position.ruleset, pattern, [], examined)
    rolls = expander.rolls([legs[action].after for action in actions])
    items = {item.symbol for doubt in legal(position).unsettled for item in doubt.depends_on}
    return answer._replace(
        happens=None if items else False,
        instead=instead,
        tried=len(actions),
        over=legal(position).over,
        bringing=rules_bringing(position.ruleset, pattern),
        later=_later(position, pattern) if not given else None,
        rolling=tuple(action for action, due in zip(actions, rolls, strict=True) if due),
        depends_on=tuple(map(Term, sorted_symbols(items))),
    )


def _tried(position: Position, pattern: Symbol, actions: Sequence[Term]) -> list[Term]:
    """An action of each name, those first that the rules of an event speak of, and those that share
    most with it."""
    spoken_of = names_in_conditions(position.ruleset, pattern)
    told = set(Term(pattern).arguments)

    def strangeness(action: Term) -> tuple[bool, int]:
        return (action.name not in spoken_of, -len(told & {*action.arguments}))

    named = {action.name: action for action in sorted(actions, key=strangeness, reverse=True)}
    return sorted(named.values(), key=strangeness)[: LIMITS.tried]


def _later(position: Position, pattern: Symbol) -> Later | None:
    """When an event comes about if all play by a policy of the ruleset, the first that leads to it.

    It is looked for up to the first roll, or to where nobody is inclined to anything.
    """
    for policy in policies(position.ruleset):
        players = Players(position, policy)
        course = Execution(players.told())
        done: list[Term] = []
        met: set[Position] = set()
        while len(done) < LIMITS.later and not course.pending and course.position not in met:
            here = course.position
            met.add(here)
            able = set(legal_actions(here))
            choice = next((w for w in players.choices([here])[0] if Term(w) in able), None)
            if choice is None:
                break
            before = len(course.steps)
            done.append(Term(choice))
            course.act(done[-1])
            for step in course.steps[before:]:
                for each in _of_moment(StepTaken(here, step, done[-1])):
                    if matches(pattern, each.event.symbol):
                        return Later(policy, tuple(done), each)
    return None


def _by_rolls(position: Position, actions: Iterable[Term], given: Typed) -> list[Happening]:
    """What comes about by each of some actions that calls for the rolls that are given.

    Raises: InputError, if none does.
    """
    played: list[list[StepTaken]] = []
    errors: list[InputError] = []
    for action in actions:
        with suppress(IllegalAction, Unsettled):
            try:
                played.append(_played(position, [action], given))
            except InputError as error:
                errors.append(error)
    if errors and not played:
        raise errors[0]
    return [each for moments in played for moment in moments for each in _of_moment(moment)]


def _instead(pattern: Symbol, every: Iterable[Happening]) -> tuple[Happening, ...]:
    """Events of the same name, or told of the same, those first that are most alike."""
    same = Term(pattern).arguments
    named = [e for e in every if e.event.name == pattern.name or e.event.arguments == same != ()]
    matcher = difflib.SequenceMatcher(b=str(Term(pattern)))

    def unlike(happening: Happening) -> float:
        matcher.set_seq1(str(happening.event))
        return -matcher.ratio()

    return tuple(sorted(named, key=unlike)[: LIMITS.instead])


# -- why -------------------------------------------------------------------------------------------


def _explained(
    ruleset: Ruleset, pattern: Symbol, moments: Moments, examined: Moments = (), last: bool = False
) -> WhyEvent:
    """Why an event came about in one of some steps, the first or the *last* of these; if in none,
    what was missing in those *examined*."""
    every = ((n, each) for n, moment in enumerate(moments) for each in _of_moment(moment))
    found = [(n, each) for n, each in every if matches(pattern, each.event.symbol)]
    if not found:
        instead = _instead(pattern, (each for moment in moments for each in _of_moment(moment)))
        unmet = tuple(_unmet(examined, pattern))
        return WhyEvent(ruleset, Term(pattern), False, instead=instead, unmet=unmet)
    number, at = found[-1 if last else 0]
    moment, before = moments[number], moments[:number]
    causes = Causes(moment.before, moment.step.action.symbol)
    proof = causes.of_event(at.event.symbol)
    facts = tuple(_facts(proof, before))
    also = tuple(each for _, each in found if each != at)
    reasons = tuple(Reason(ruleset.rule(rule), "causes") for rule in at.rules)
    earlier = (*_beside(at, moment, causes, proof), *_earlier(facts, before))
    figures = tuple(causes.figures_in(proof))
    without = tuple(map(Term, causes.denied_for(at.event.symbol)))
    readings = _deciding(moment, at.event.symbol, proof)
    behind = (figures, facts, without, readings)
    return WhyEvent(ruleset, at.event, True, at, also, reasons, earlier, *behind)


def _deciding(moment: StepTaken, event: Symbol, proof: Distances) -> dict[str, str]:
    """The readings that an event rests on and that decide it: by another option of one of them it
    does not come about in that step."""
    ruleset = moment.before.ruleset
    found = {a.arguments[0].name: a.arguments[1].name for a in proof if a.name == "reading"}

    def comes_about(question: str, option: str) -> bool:
        ruled = moment.before.with_rulings({question: option})
        atoms = ask("apply", ruled, facts_of_doing(ruled, moment.step.action.symbol))
        return any(atom.arguments[0] == event for atom in atoms["happens"])

    return {
        question: mine
        for question, mine in found.items()
        if not all(comes_about(question, o) for o in ruleset.options[question] if o != mine)
    }


def _unmet(examined: Moments, pattern: Symbol) -> Iterator[Unmet]:
    """What kept an event from coming about in some steps, by the rules that came nearest to it."""
    found = []
    for moment in examined:
        action = moment.step.action
        for each in lacking(moment.before, action.symbol, pattern):
            missing, against = (tuple(map(Term, part)) for part in (each.missing, each.against))
            told = Unmet(each.rule, action, missing, against, each.figures)
            found.append((len(missing) + len(against), told))
    least = min((wrong for wrong, _ in found), default=0)
    nearest_ones = {told[:1] + told[2:]: told for wrong, told in reversed(found) if wrong == least}
    yield from list(reversed(nearest_ones.values()))[: LIMITS.unmet]


def _beside(
    at: Happening, moment: StepTaken, causes: Causes, proof: Distances
) -> Iterator[Happening]:
    """The events of the same step that an event rests on, and that do not rest on it as well."""
    mine = [atom for atom in causes.events if atom.arguments[0] == at.event.symbol]
    told = {each.event.symbol: each for each in _of_moment(moment)}
    for event in dict.fromkeys(atom.arguments[0] for atom in causes.events_in(proof)):
        if event != at.event.symbol:
            other = causes.of_event(event)
            if not any(causes.nearness(atom, other) for atom in mine):
                yield told[event]


def _facts(proof: Distances, before: Moments) -> Iterator[Fact]:
    """The fluents that a proof rests on, and the steps that gave them their values."""
    for atom in proof:
        if atom.name == "holds":
            fluent, value, _ = map(Term, atom.arguments)
            number = _changed_in(before, fluent)
            if number is None:
                yield Fact(fluent, value)
            else:
                yield Fact(fluent, value, before[number].step.action, before[number].move)


def _changed_in(before: Moments, fluent: Term) -> int | None:
    """The number of the last step that changed a fluent."""
    for number in reversed(range(len(before))):
        if any(change.fluent == fluent for change in before[number].step.changes):
            return number
    return None


def _earlier(facts: Iterable[Fact], before: Moments) -> Iterator[Happening]:
    """The events of earlier steps with which the fluents came to be what they were, the last
    first."""
    fluents: dict[int, set[Symbol]] = defaultdict(set)
    for fact in facts:
        number = _changed_in(before, fact.fluent)
        if number is not None and before[number].step.events:
            fluents[number].add(fact.fluent.symbol)
    for number in sorted(fluents, reverse=True)[: LIMITS.steps]:
        moment = before[number]
        causes = Causes(moment.before, moment.step.action.symbol)
        told = {each.event.symbol: each for each in _of_moment(moment)}
        proof = causes.of_changes(fluents[number])
        for event in dict.fromkeys(atom.arguments[0] for atom in causes.events_in(proof)):
            yield told[event]
