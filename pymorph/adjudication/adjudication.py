"""Disputes: each claim of a case under every reading, and which questions decide it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial

from pymorph.adjudication.case import Case, Stated
from pymorph.adjudication.verdicts import Adjudication, ClaimVerdict
from pymorph.asp.solver import Recorder
from pymorph.dynamics.outcomes import Change, Event
from pymorph.errors import Fault, IllegalAction, InputError, RulesetError, Unsettled
from pymorph.explore.execution.application import Execution
from pymorph.explore.search.planning import Plan, plan
from pymorph.questions.evaluation import (
    FALSE,
    OPEN,
    TRUE,
    VOID,
    WORDS,
    Account,
    ClaimEvaluation,
    claim_queries,
    compares_figures,
    conjunction,
    relevant_fluents,
    truth_of,
    truths,
)
from pymorph.questions.legality import action_of
from pymorph.questions.readings.partition import Cell, Choices, Partition, defaults_of, merge
from pymorph.questions.readings.readings import Cone, Trace, explore
from pymorph.ruleset.vocabulary import HIDDEN as NOT_SHOWN
from pymorph.runtime.arguments import checked
from pymorph.state.claim import (
    DEPENDS,
    UNDECIDED,
    Bound,
    Claim,
    bound_of,
    matches,
    settled_by_events,
)
from pymorph.state.names import forms_of
from pymorph.state.position import Position
from pymorph.state.record import Move
from pymorph.terms import Term

OnClaim = Callable[[int, ClaimVerdict], None]
Accounts = list[tuple[Choices, Account]]

HIDDEN = WORDS[OPEN]
MOST_POSITIONS = 100  # of a plan, up to which its other readings are searched
MOST_PLANS = 12  # readings under which a plan is looked for, for one claim


@checked
def adjudicate(case: Case, on_claim: OnClaim | None = None) -> Adjudication:
    """Judge each claim of *case* under all readings that no ruling excludes.

    *on_claim* is called with the number of each claim, from 0, and its verdict.
    Raises: InputError, if an action of a claim may be several.

    >>> import pymorph
    >>> case = pymorph.Case.load("examples/disputes/right_cross.yaml")
    >>> answer = pymorph.adjudicate(case)
    >>> answer.claims[0].verdict, answer.claims[0].turned_by
    ('depends', (({'inertia_score': 'whole_card'}, 'rejected'),))
    """
    verdicts: dict[int, ClaimVerdict] = {}
    groups: dict[tuple[bool, int, tuple[Move, ...]], list[int]] = {}  # what is judged at once
    for number, stated in enumerate(case.claims):
        plays = bool(stated.claim.mode)
        groups.setdefault((plays, number if plays else 0, stated.after), []).append(number)
    for (_, _, steps), numbers in sorted(groups.items(), key=lambda group: group[0][0]):
        with _placing_faults(case, numbers):
            claims = {number: case.claims[number] for number in numbers}
            accounts, texts = _accounts_after(case.position, steps, claims)
        for number in numbers:
            verdicts[number] = _verdict_on(case, claims[number], texts[number], accounts[number])
            if on_claim is not None:
                on_claim(number, verdicts[number])
    return Adjudication(case, tuple(verdicts[number] for number in sorted(verdicts)))


@contextmanager
def _placing_faults(case: Case, numbers: Sequence[int]) -> Iterator[None]:
    """Give input errors the place of the claim: the first one whose queries are faulty."""
    try:
        yield
    except InputError as error:
        faulty = (n for n in numbers if not _can_be_asked(case, case.claims[n].claim))
        place = case.claims[next(faulty, numbers[0])].place
        raise type(error)([Fault(f.message, f.place or place) for f in error.faults]) from None


def _can_be_asked(case: Case, claim: Claim) -> bool:
    try:
        claim_queries(case.position, claim, 0)
    except InputError:
        return False
    return True


def _accounts_of(
    evaluation: ClaimEvaluation, number: int, fixed: Choices, defaults: Choices, line: ClaimLine
) -> Iterator[tuple[Choices, Account]]:
    """The accounts of a claim, by readings."""
    for choices, parts in evaluation.truths(number, fixed):
        texts = (str(query.part) for query in evaluation.queries[number])
        pairs = list(zip(texts, parts, strict=False))
        trail, truth = _line_account(evaluation.claims[number], line, pairs)
        for under, account in evaluation.accounts(number, choices, defaults):
            yield (
                under,
                replace(
                    account,
                    verdict=WORDS[truth],
                    rules=tuple(sorted({*account.rules, *trail.rules})),
                    facts=(*trail.facts, *account.facts),
                    missing=(*trail.missing, *account.missing) if truth == VOID else (),
                    hidden=account.hidden if truth == OPEN else (),
                    failed=trail.failed if truth == FALSE else (),
                ),
            )


def _line_account(
    claim: Claim, line: ClaimLine, parts: Sequence[tuple[str, str]]
) -> tuple[Account, str]:
    """The account of a claim's events and changes along a line, and the truth of the claim.

    *parts* are its parts about the last position, each with its truth.
    """
    truths = list(parts)
    rules: set[str] = set()
    facts: list[str] = []
    missing: list[str] = []
    for part, so in settled_by_events(claim, [e.event.symbol for e in line.events]):
        truths.append((str(part), truth_of(so)))
        for term in part.terms:
            events = [e for e in line.events if matches(term.symbol, e.event.symbol)]
            rules |= {e.rule for e in events or line.events}
            facts.append(f"{events[0].event} happens" if events else f"{term} does not happen")
        if so is None:
            missing.append("neither happens")
    if any(fact.endswith("does not happen") for fact in facts) and line.events:
        facts.append(f"what happens instead: {', '.join(str(e.event) for e in line.events)}")
    named = {side.term for p in claim.here for side in (p.left, p.right) if side is not None}
    rules.update(*(change.rules for change in line.changes if change.fluent in named))
    failed = tuple(part for part, truth in truths if truth == FALSE) if len(truths) > 1 else ()
    account = Account("", tuple(sorted(rules)), (), tuple(facts), tuple(missing), failed=failed)
    return account, conjunction(truth for _, truth in truths)


def _verdict_on(case: Case, stated: Stated, text: str, accounts: Accounts) -> ClaimVerdict:
    """The verdict on a claim from its accounts under all readings, the defaults first."""
    if any(account.verdict == UNDECIDED for _, account in accounts):
        return _verdict_in_part(case, stated, accounts)
    options, defaults = case.position.ruleset.options, defaults_of(case.position)
    fixed = case.position.rulings
    cells = [({q: o for q, o in u.items() if q not in fixed}, account) for u, account in accounts]
    verdicts = merge([(u, account.verdict) for u, account in cells], options)
    by_account = merge(cells, options)
    deciding = verdicts.relevant()
    words = {cell.value for cell in verdicts.cells}
    verdict = DEPENDS if len(words) > 1 else min(words)
    return ClaimVerdict(
        stated,
        text,
        word_of(verdict),
        word_of(verdicts.at(defaults)),
        tuple(
            (cell.under, replace(cell.value, verdict=word_of(cell.value.verdict)))
            for cell in by_account.cells
        ),
        deciding,
        {word_of(word): tuple(verdicts.sufficient(word)) for word in sorted(words) if deciding},
        tuple(
            (change, word_of(word))
            for change, word in (verdicts.fewest_changes(defaults) if deciding else ())
        ),
        tuple(q for q in by_account.relevant() if q not in deciding),
        all(account.alike for _, account in cells),
        quantifier=_quantifier(case, stated),
    )


def word_of(truth: str) -> str:
    """The word for a verdict: what is hidden makes it depend."""
    return DEPENDS if truth == HIDDEN else truth


# -- what follows ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClaimLine:
    """Where some steps lead, and what happened on the way.

    *stopped* says why they go no further, *pending* whether it is only for a roll, which is that
    of *rolling*.
    """

    position: Position
    events: tuple[Event, ...] = ()
    stopped: str = ""
    rules: tuple[str, ...] = ()
    pending: bool = False
    changes: tuple[Change, ...] = ()
    rolling: str = ""


def _accounts_after(
    start: Position, steps: Sequence[Move], stated: Mapping[int, Stated]
) -> tuple[dict[int, Accounts], dict[int, str]]:
    """The accounts of claims about what some steps lead to, and the claims in full; by number."""
    claims = {number: one.claim for number, one in stated.items()}
    accounts_of: dict[int, Accounts] = {number: [] for number in claims}
    texts = {number: str(claim) for number, claim in claims.items()}
    fixed, defaults = dict(start.rulings), defaults_of(start)

    @cache
    def evaluation_of(position: Position, claims: tuple[Claim, ...]) -> ClaimEvaluation:
        return ClaimEvaluation(position, claims, fixed)

    for under, line in explore(
        start, start.rulings, partial(_trace_of, start, steps, claims.values())
    ):
        groups: tuple[list[int], list[int]] = ([], [])
        for number, claim in claims.items():
            if not reaches(line, claim):
                account = Account(WORDS[VOID], line.rules, missing=(line.stopped,))
                accounts_of[number].append((under, account))
            elif claim.mode:
                plans = Plans(line.position, stated[number])
                accounts_of[number] += explore(start, under, plans.under)
            else:
                groups[not compares_figures(claim)].append(number)
        for group in groups:
            plain = replace(line.position, rulings=fixed)
            evaluation = evaluation_of(plain, tuple(claims[number] for number in group))
            for at, number in enumerate(group):
                texts[number] = evaluation.full_text(at)
                accounts_of[number] += _accounts_of(evaluation, at, under, defaults, line)
    return accounts_of, texts


def _trace_of(
    start: Position,
    steps: Sequence[Move],
    claims: Iterable[Claim],
    under: Choices,
    recorder: Recorder,
) -> Trace[ClaimLine]:
    """Where some steps lead under one reading, and what was asked on the way that bears on it."""
    if not steps:
        return Trace(ClaimLine(start))
    line = line_of(replace(start.with_rulings(under), answers=recorder), steps)
    line = replace(line, position=replace(line.position, answers=start.answers))
    fluents: frozenset[str] | None = frozenset()
    events: frozenset[str] = frozenset()
    for claim in claims:
        events |= {term.name for term in claim.tracked}
        if claim.mode:
            fluents = None
        elif fluents is not None and (line.pending or not line.stopped):
            read = relevant_fluents(line.position, claim)
            fluents = None if read is None else fluents | read
    return Trace(line, Cone(fluents, events))


def line_of(position: Position, steps: Sequence[Move]) -> ClaimLine:
    """Carry out steps as far as they go.

    Each step asks the rules anew: an answer that is remembered from an earlier position would hide
    that what happened since bears on it.
    """
    course = Execution(position, remember=False)
    for number, move in enumerate(steps, 1):
        before = course.position
        try:
            course.take(move.rolls)
            course.act(move.action)
            course.require_all_taken()
        except (IllegalAction, Unsettled, InputError) as stop:
            refusal, rules = _refusal(before, move, stop)
            events = course.outcome().events
            return ClaimLine(course.position, events, f"step {number}: {refusal}", rules)
    events, changes = course.outcome().events, course.outcome().changes
    if course.pending:
        what = f"{course.pending[0].what} is due, but no roll is given for it"
        rolling = course.pending[0].outcomes[0][0].actor
        rules = (course.pending[0].rule,)
        return ClaimLine(course.position, events, what, rules, pending=True, rolling=rolling)
    return ClaimLine(course.position, events, changes=changes)


def reaches(line: ClaimLine, claim: Claim) -> bool:
    """Do the steps lead as far as a claim is about, or so far that it can be judged?"""
    return not line.stopped or (line.pending and bool(claim.mode or _needs_no_roll(claim, line)))


def _needs_no_roll(claim: Claim, line: ClaimLine) -> bool:
    """Is all that is claimed so before the roll that is due, or is it about that roll?"""
    so_far = settled_by_events(claim, [event.event.symbol for event in line.events])
    if not all(so and part.positive for part, so in so_far):
        return False
    return not claim.here or any(
        Term(form).actor == line.rolling
        for part in claim.here
        if part.kind == "legal"
        for form in forms_of(line.position, str(part.terms[0]))
    )


def _refusal(position: Position, move: Move, stop: Exception) -> tuple[str, tuple[str, ...]]:
    """Why a step is not carried out, and by which rules."""
    spoken = position.ruleset.vocabulary.rulers.spoken
    if isinstance(stop, IllegalAction):
        return f"{spoken(str(action_of(position, move.action)))} is not legal", stop.rules
    if isinstance(stop, Unsettled):
        return f"{spoken(str(stop.action))} depends on {', '.join(stop.depends_on)}", stop.rules
    assert isinstance(stop, InputError)
    return stop.faults[0].message, ()


# -- claims with can and cannot --------------------------------------------------------------------


def _verdict_in_part(case: Case, stated: Stated, accounts: Accounts) -> ClaimVerdict:
    """The verdict on a claim that was searched under some readings only, the defaults first."""
    first = accounts[0][1].verdict
    decided = [pair for pair in accounts if UNDECIDED not in (first, pair[1].verdict)]
    cells = tuple(Cell(under, account.verdict) for under, account in decided)
    deciding = Partition(cells, case.position.ruleset.options).relevant()
    by_choices: dict[tuple[tuple[str, str], ...], Account] = {}
    for under, account in decided:
        by_choices.setdefault(tuple((q, under[q]) for q in deciding if q in under), account)
    return ClaimVerdict(
        stated,
        str(stated.claim),
        DEPENDS,
        first,
        tuple((dict(choices), account) for choices, account in by_choices.items())
        or (accounts[0],),
        deciding,
        complete=False,
        quantifier=_quantifier(case, stated),
    )


class Plans:
    """Plans for the goal of a claim, reading by reading."""

    def __init__(self, position: Position, stated: Stated) -> None:
        self._position = position
        self._stated = stated
        self._goal = stated.claim.plainly()
        self._made = 0
        self._too_many = False

    def under(self, choices: Choices, recorder: Recorder) -> Trace[Account]:
        """The account under one reading, with all queries that it depends on."""
        self._made += 1
        if self._made > MOST_PLANS or self._too_many:
            return Trace(Account(UNDECIDED))
        stated = self._stated
        start = replace(self._position.with_rulings(choices), answers=recorder)
        within = bound_of(start.ruleset, stated.within) if stated.within else ""
        word = stated.rolls[0] if stated.rolls else ""
        rolls = word if word in ("", "chosen", "adversarial") else stated.rolls
        answer = plan(start, self._goal, within, by=stated.who, against=stated.against, rolls=rolls)
        if answer.found and not stated.who:  # nobody stands against it: the line is enough
            recorder.queries.clear()
            self._play(start, answer)
        asked = (fact for query in recorder.queries for fact in query.facts)
        size = sum(fact.name == "situation" for fact in asked)
        self._too_many = size > MOST_POSITIONS or answer.found is None
        return Trace(self._account(answer), coarse=self._too_many)

    def _play(self, start: Position, answer: Plan) -> None:
        """Carry out the line of a plan; it has to reach the goal."""
        course = Execution(start)
        for action in answer.actions:
            course.act(action)
        events = tuple(event.event.symbol for event in course.outcome().events)
        if truths(self._goal, [(course.position, events)]) != [TRUE]:
            raise RulesetError(f"the line found for {self._goal} does not lead to it")

    def _account(self, answer: Plan) -> Account:
        if answer.found is None:
            reached = bound_text(Bound(answer.decisions))
            text = f"no line of {reached} under these assumptions"
            if answer.limit:
                text = f"no line of {reached} so far; stopped after {answer.limit} positions; "
                text += f"to search further, add within: {bound_text(answer.bound)}"
            if answer.unproposed:
                text = f"no line of {reached} without {', '.join(answer.unproposed)}"
                text += ", which no search proposes"
            return Account(UNDECIDED, facts=(text, *answer.assumed), positions=answer.positions)
        so = bool(answer.found) == (self._stated.claim.mode == "can")
        timeline = answer.timeline or (answer.deadline.timeline if answer.deadline else ())
        text = f"no line within {bound_text(answer.bound)}"
        if answer.found:
            text = f"it takes {bound_text(Bound(answer.decisions))}"
        return Account(
            WORDS[TRUE if so else FALSE],
            tuple(sorted({event.rule for moment in timeline for event in moment.events})),
            (),
            (text, *answer.stops, *answer.assumed),
            line=tuple(str(moment.action) for moment in timeline),
            positions=answer.positions,
        )


def bound_text(bound: Bound) -> str:
    """A bound in words."""
    unit = bound.unit if bound.most != 1 else bound.unit.removesuffix("s")
    plural = "" if unit.endswith("s") or bound.most == 1 else "s"
    return f"{bound.most} {unit}{plural}"


def _quantifier(case: Case, stated: Stated) -> str:
    """Over what a claim asks whether there is a way: players, rolls, and what is hidden."""
    if not stated.claim.mode:
        return ""
    who = (
        f"by {stated.who} against {stated.against or 'whatever'}"
        if stated.who
        else ("by everybody together" if not stated.against else f"by everybody, {stated.against}")
    )
    word = stated.rolls[0] if stated.rolls else "adversarial" if stated.who else "chosen"
    rolls = word if word in ("chosen", "adversarial") else "given"
    hidden = NOT_SHOWN in case.position.fluents.values()
    return f"{who}; rolls {rolls}" + ("; hidden items are not played" if hidden else "")
