"""Do the rules say what test cases expect of them? Many cases are asked in shared groundings."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial

from clingo import Function

from pymorph.adjudication.query_batcher import batched
from pymorph.asp import solver
from pymorph.board.lengths.length_units import AMOUNT
from pymorph.dynamics.asking.batch import ask, situation
from pymorph.dynamics.outcomes import Outcome
from pymorph.dynamics.results import Figure, Why
from pymorph.errors import Fault, Faulty, IllegalAction, InputError, PymorphError
from pymorph.explore.execution.application import apply
from pymorph.questions.board.drawing import drawn
from pymorph.questions.consistency import as_seen_by, check
from pymorph.questions.explanation import reasons_of
from pymorph.questions.figures import forecast
from pymorph.questions.legality import legal
from pymorph.ruleset.loader import Ruleset
from pymorph.state.claim import check_winner
from pymorph.state.position import Position
from pymorph.state.test_case import (
    DRAWN,
    IN_WORDS,
    NOBODY,
    OPEN,
    CaseStep,
    Expectation,
    GoldenCase,
    misnamed,
)
from pymorph.terms import Term, parse_symbol

ABSENT = "absent"
WHOLE = re.compile(r"-?\d+")
NUMBERED = ("figures", "survey", "wide", "holds")  # kinds whose subject has a value
Assertion = tuple[object, object]  # what is expected, and what the rules say


def faults_of(cases: Sequence[GoldenCase]) -> list[tuple[Fault, ...]]:
    """Where the rules do not say what each case expects, asked as if it stood alone."""

    def run(case: GoldenCase, answers: solver.Solver) -> tuple[Fault, ...]:
        return tuple(faults(case, answers=answers))

    return [result.result() for result in batched(partial(run, case) for case in cases)]


def faults(
    case: GoldenCase, start: Position | None = None, answers: solver.Solver = solver
) -> Iterator[Fault]:
    """Where the rules do not say what a case expects, which may begin at another *start*."""
    try:
        position = replace(start or case.position(), answers=answers)
    except InputError as error:
        yield from error.faults
        return
    unknown = misnamed(case, position.ruleset, partial(subjects_of, position.ruleset))
    yield from unknown or _faults(position, case.items)


@lru_cache(maxsize=64)
def subjects_of(game: Ruleset, verb: str, predicate: str) -> frozenset[str]:
    """The functors that the atoms of a predicate can be about for a verb; empty: any."""
    gives = {
        k[2] for part in game.slices[verb].parts for k, _ in part.signs.defines if k[0] == predicate
    }
    return frozenset(filter(None, gives)) if None not in gives else frozenset()


def _faults(start: Position, items: Sequence[CaseStep]) -> Iterator[Fault]:
    here = Here(start)
    for item in items:
        if item.items:
            try:
                ruled = here.position.with_rulings(item.under)
            except InputError as error:
                yield from (Fault(fault.message, item.place) for fault in error.faults)
                continue
            under = ", ".join(f"{q}={o}" for q, o in item.under.items())
            for fault in _faults(ruled, item.items):
                yield Fault(f"under {under}: {fault.message}", fault.place)
            continue
        if item.do:
            try:
                done = apply(here.position, *item.do)
            except PymorphError as error:
                yield Fault(f"do {', '.join(item.do)}: {message_of(error)}", item.place)
                return  # the rest is expected of a position that is not reached
            here = Here(done.position, done)
            undone = tuple(map(str, done.rest))
            if undone != item.undone:
                yield Fault(difference("undone", list(item.undone), list(undone)), item.place)
        for one in item.expected:
            what = f"{one.kind} {one.subject}".strip()
            try:
                wanted, said = KINDS[one.kind](here, in_terms(here.position, one))
            except PymorphError as error:
                yield Fault(f"{what}: {message_of(error)}", one.place)
                continue
            if wanted != said:
                yield Fault(difference(what, wanted, said), one.place)


def in_terms(position: Position, one: Expectation) -> Expectation:
    """An expectation with its points and lengths, which stand in brackets, in whole units."""
    rulers = position.ruleset.vocabulary.rulers

    def term(text: object) -> object:
        if isinstance(text, Mapping):
            return {key: term(value) for key, value in text.items()}
        if not isinstance(text, str) or "[" not in text or not rulers.units:
            return text
        if one.kind in IN_WORDS and " @ " in text:
            return " @ ".join(str(term(part)) for part in text.split(" @ "))
        return str(Term(parse_symbol(rulers.plain(text))))

    subject, wanted = term(one.subject), term(one.wanted)
    if one.kind in NUMBERED and isinstance(one.wanted, str):
        wanted = amount_of(position, one) or wanted
    return one._replace(subject=str(subject), wanted=wanted)


def amount_of(position: Position, one: Expectation) -> str:
    """The whole units of an amount such as ``25 mm``, where the subject has a unit; a number alone
    is one in the unit of the game for a length, and for a figure that of its parts."""
    words = position.ruleset.vocabulary
    name = str(one.subject).partition("(")[0]
    rulers = words.rulers_of(name)
    text = str(one.wanted)
    if rulers is None or not AMOUNT.fullmatch(text):
        return ""
    if name in words.figures and WHOLE.fullmatch(text):
        return ""
    try:
        return str(rulers.length(text))
    except ValueError as error:
        raise InputError(str(error)) from None


def difference(what: str, wanted: object, said: object) -> str:
    return f"{what}: expected {one_line(wanted)}, but the rules say {one_line(said)}"


def one_line(value: object) -> str:
    """An answer in one line."""
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {one_line(v)}" for k, v in value.items()) or "nothing"
    if isinstance(value, list | tuple):
        return ", ".join(map(one_line, value)) or "nothing"
    return str(value)


def message_of(error: PymorphError) -> str:
    """An error in one line."""
    if isinstance(error, Faulty):
        return "; ".join(fault.message for fault in error.faults)
    return str(error)


class Here:
    """A position of a case and what led to it; what is asked of it twice is asked once."""

    def __init__(self, position: Position, outcome: Outcome | None = None) -> None:
        self.position = position
        self._outcome = outcome
        self.why: Callable[[str], Why] = cache(partial(reasons_of, position))
        self.legal = cache(partial(legal, position))
        self.check = cache(partial(check, position))
        self.figures: Callable[..., tuple[Figure, ...]] = cache(self._figures)
        self.picture = cache(partial(picture, position))

    @property
    def outcome(self) -> Outcome:
        assert self._outcome is not None  # a case is read only if there is a `do` before
        return self._outcome

    def _figures(self, *names: str, wide: bool = False) -> tuple[Figure, ...]:
        return forecast(self.position, *names, wide=wide).figures

    def figure(self, name: str) -> Figure:
        """The figure of that name, as the forecast of it has it."""
        matches = [figure for figure in self.figures(name) if str(figure.name) == name]
        if not matches:
            raise InputError("no such figure in this position")
        return matches[0]


def verdict(here: Here, action: str) -> object:
    """The verdict on an action, in the words of expectations about actions."""
    answer = here.why(action)
    if answer.legal is None:
        return "it depends on " + ", ".join(map(str, answer.depends_on))
    return "legal" if answer.legal else "illegal by " + ", ".join(rules_of(answer))


def rules_of(answer: Why) -> list[str]:
    return sorted(reason.rule.id for reason in answer.reasons)


def is_legal(here: Here, one: Expectation) -> Assertion:
    said = verdict(here, one.subject)
    if said == "legal":
        action = here.why(one.subject).action
        openly = here.position.ruleset.vocabulary.actions[action.name].open
        legality = here.legal()
        if not (openly or action in legality.actions or legality.awaits(action)):
            said = "legal, but 'legal' does not list it"
    return "legal", said


def is_illegal(here: Here, one: Expectation) -> Assertion:
    return "illegal by " + ", ".join(one.wanted), verdict(here, one.subject)


def is_refused(here: Here, one: Expectation) -> Assertion:
    wanted, said = is_illegal(here, one)
    if wanted != said:
        return wanted, said
    try:
        apply(here.position, one.subject)
    except IllegalAction as error:
        return wanted, "illegal by " + ", ".join(sorted(error.rules))
    return wanted, "carried out"


def is_unsettled(here: Here, one: Expectation) -> Assertion:
    answer = here.why(one.subject)
    if answer.legal is None:
        return one.wanted, sorted(map(str, answer.depends_on))
    return "it depends on " + ", ".join(one.wanted), verdict(here, one.subject)


def is_doubted(here: Here, one: Expectation) -> Assertion:
    doubts = {str(doubt.action): sorted(doubt.rules) for doubt in here.legal().unsettled}
    return one.wanted, doubts.get(one.subject, [])


def has_value(figures: Sequence[Figure], one: Expectation) -> Assertion:
    return one.wanted, values(figures).get(one.subject, ABSENT)


def has_items(here: Here, one: Expectation) -> Assertion:
    items_of = {str(figure.name): items(figure) for figure in here.figures(one.subject)}
    return one.wanted, items_of.get(one.subject, {})


def items(figure: Figure) -> dict[str, str]:
    """The items of a figure, each with its number and rule."""
    return {str(e.item): f"{e.amount} by {e.rule}" for e in figure.entries}


def values(figures: Sequence[Figure]) -> dict[str, str]:
    return {str(figure.name): str(figure.value) for figure in figures}


def is_accounted(here: Here, one: Expectation) -> Assertion:
    return one.wanted, values([f for step in here.outcome.steps for f in step.figures])


def is_event(here: Here, one: Expectation) -> Assertion:
    happened = [str(event.event) for event in here.outcome.events]
    return among(one, happened, {"events": "it happens", "no_events": "it does not happen"})


def among(one: Expectation, known: Collection[str], words: Mapping[str, str]) -> Assertion:
    """Whether the subject is one of those known, as the first of the kinds in *words* wants it."""
    if (one.kind == next(iter(words))) == (one.subject in known):
        return (), ()
    return words[one.kind], known


def is_changed(here: Here, one: Expectation) -> Assertion:
    changed = {str(c.fluent): sorted(c.rules) for c in here.outcome.changes}
    return one.wanted, changed.get(one.subject, "unchanged")


def is_seen(here: Here, one: Expectation) -> Assertion:
    view = as_seen_by(here.position, one.subject)
    return one.wanted, {fluent: str(view.value(fluent)) for fluent in one.wanted}


def is_drawn(here: Here, one: Expectation) -> Assertion:
    words = {"drawn": "it is shown", "undrawn": "it is not shown"}
    return among(one, sorted(here.picture()), words)


def picture(position: Position) -> frozenset[str]:
    """What a picture of a position is made of, each as `WHAT @ WHERE`."""
    return frozenset(f"{Term(what)} @ {Term(where)}" for what, where in drawn(position))


def is_later(here: Here, one: Expectation) -> Assertion:
    """How many turns have to end before an event, at the least, and the rules that say so."""
    now = situation(0)
    facts = here.position.facts(now)
    facts.append(Function("sought", [parse_symbol(one.subject), now]))
    results = [atom.arguments for atom in ask("later", here.position, facts)["later"]]
    return one.wanted, sorted(f"{more} by {rule}" for _, _, more, _, rule in results)


def is_played(here: Here, one: Expectation) -> Assertion:
    """What is legal and comes first under a policy; "" if nothing does."""
    position = here.position
    able = {str(action) for action in here.legal().actions}
    atoms = ask("policy", position, position.facts(situation(0)))["inclined"]
    ranked = []
    for policy, action, rank, *_ in (atom.arguments for atom in atoms):
        if str(policy) == one.subject and str(Term(action)) in able:
            ranked.append((rank.number, str(Term(action))))
    return one.wanted, min(ranked, default=(0, ""))[1]


def is_ended(here: Here, one: Expectation) -> Assertion:
    """How the game has ended, by who has won; or that it has not, or that nobody can tell."""
    for said in map(parse_symbol, one.wanted):
        if said.name in ("wins", DRAWN):
            check_winner(here.position, said)
    legality = here.legal()
    if legality.over_if:
        return one.wanted, "it depends on " + ", ".join(map(str, legality.over_if))
    ended = legality.outcome
    if ended is None:
        return one.wanted, [OPEN]
    endings = [f"wins({winner})" for winner in ended.winners] + [DRAWN] * ended.drawn
    return one.wanted, sorted(endings) or [NOBODY]


def is_flawed(here: Here, one: Expectation) -> Assertion:
    return one.wanted, {str(flaw.what): sorted(flaw.rules) for flaw in here.check().flaws}


KINDS: dict[str, Callable[[Here, Expectation], Assertion]] = {
    "legal": is_legal,
    "illegal": is_illegal,
    "refused": is_refused,
    "unsettled": is_unsettled,
    "doubted": is_doubted,
    "figures": lambda here, one: has_value(here.figures(one.subject), one),
    "survey": lambda here, one: has_value(here.figures(), one),
    "wide": lambda here, one: has_value(here.figures(wide=True), one),
    "ledger": has_items,
    "cites": lambda here, one: (one.wanted, sorted(here.figure(one.subject).rules)),
    "grounds": lambda here, one: (
        one.wanted,
        sorted(map(str, here.figure(one.subject).grounds)),
    ),
    "weighs": lambda here, one: (one.wanted, values(here.why(one.subject).figures)),
    "instead": lambda here, one: (one.wanted, sorted(map(str, here.why(one.subject).instead))),
    "holds": lambda here, one: (one.wanted, str(here.position.value(one.subject))),
    "events": is_event,
    "no_events": is_event,
    "changes": is_changed,
    "told": is_accounted,
    "later": is_later,
    "seen": is_seen,
    "drawn": is_drawn,
    "undrawn": is_drawn,
    "plays": is_played,
    "outcome": is_ended,
    "flaws": is_flawed,
}
