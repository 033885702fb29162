"""Evaluation of claims about a position: under one reading in batches, or under all at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from clingo import Function, Number, Supremum, Symbol

from pymorph.answers import json_keys
from pymorph.asp.facts import Key
from pymorph.dynamics.asking.batch import ask, batches, situation
from pymorph.dynamics.asking.ledgers import figures_in, short_name
from pymorph.dynamics.results import Figure, Why
from pymorph.questions.explanation import why_by
from pymorph.questions.legality import claimed_actions
from pymorph.questions.readings.partition import Choices
from pymorph.questions.readings.readings import query_class
from pymorph.state.claim import (
    INAPPLICABLE,
    NEVER,
    REJECTED,
    UPHELD,
    Claim,
    ClaimPart,
    Operand,
    settled_by_events,
)
from pymorph.state.names import forms_of
from pymorph.state.position import Position, value_of
from pymorph.terms import ANY, Term, sorted_symbols

TRUE, FALSE, VOID, OPEN = "true", "false", "void", "open"
WORDS = {TRUE: UPHELD, FALSE: REJECTED, VOID: INAPPLICABLE, OPEN: "hidden"}
OPERATORS = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
FIGURED = ("total", "never", "finding", "unknown", "entry", "ground")
ENDED = ("over", "wins", "drawn")
REASONED = ("reason", "unsettled", "costs")
MOST_ACCOUNTS = 24
KNOWN, TIMES = "claims_known", "claims_times"

ReachedState = tuple[Position, tuple[Symbol, ...]]  # a position, and the events on the way to it


@json_keys()
@dataclass(frozen=True, slots=True)
class Account:
    """What a verdict depends on: rules, figures with their ledgers, what is missing or hidden.

    *facts* are the values of fluents, and events with their rules, that decide it. *line* is a line
    of play that shows what can happen; *positions* is the number of positions that were searched.
    If there were too many readings to check, they may agree in the verdict only: then *alike* is
    false, and the account is that of the reading nearest to the defaults. *failed* are the false
    parts of a rejected claim with several parts.
    """

    verdict: str
    rules: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    facts: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    line: tuple[str, ...] = ()
    positions: int = 0
    alike: bool = True
    failed: tuple[str, ...] = ()


def conjunction(truths: Iterable[str]) -> str:
    """The truth of all parts: no subject if one has none, else false if one is."""
    present = set(truths)
    return next((truth for truth in (VOID, FALSE, OPEN) if truth in present), TRUE)


@dataclass(frozen=True, slots=True)
class ClaimQuery:
    """A query for one part of a claim; its *number* is that of its verdict."""

    number: int
    part: ClaimPart
    actions: tuple[Symbol, ...] = ()  # any of them will do

    def facts(self, position: Position, here: Symbol) -> Iterator[Symbol]:
        """The facts by which the rules give a verdict."""
        number = Number(self.number)
        for action in self.actions:
            yield Function("asked", [action, here])
            yield Function("claims_legal", [number, action, here])
        if self.part.kind == "outcome":
            yield Function("claims_outcome", [number, self.part.terms[0].symbol, here])
            return
        if self.actions:
            return
        left, right = self.part.left, self.part.right
        assert left is not None
        assert right is not None
        operator = Function(OPERATORS[self.part.operator])
        sides = [_counted(left), _counted(right)]
        yield Function("claims_value", [number, operator, *sides, here])
        for side in (left, right):
            yield from _known(position, side, here)

    def truth(self, verdicts: Mapping[int, str]) -> str:
        """The truth of the part, which may be a negated one, from verdicts by number."""
        verdict = verdicts.get(self.number, VOID)
        turned = {TRUE: FALSE, FALSE: TRUE}
        return verdict if self.part.positive else turned.get(verdict, verdict)


def _verdicts(atoms: Iterable[Symbol]) -> dict[int, str]:
    """The verdicts among the atoms of an answer, by number."""
    return {
        atom.arguments[0].number: atom.arguments[1].name for atom in atoms if atom.name == "verdict"
    }


def _counted(side: Operand) -> Symbol:
    """The term of a side, with its factor if that is not 1."""
    symbol = side.term.symbol
    return symbol if side.times == 1 else Function(TIMES, [Number(side.times), symbol])


def _known(position: Position, side: Operand, here: Symbol) -> Iterator[Symbol]:
    term = side.term.symbol
    if side.sort == "fluent":
        value = value_of(position, term)
        yield Function(KNOWN, [term, value, here])
    elif side.sort == "value":
        yield Function(KNOWN, [term, Supremum if term == NEVER else term, here])
    else:
        yield Function("wanted", [term, here])


def claim_queries(position: Position, claim: Claim, first: int) -> list[ClaimQuery]:
    """Queries for the parts of a claim about a position, numbered from *first*.

    Where an argument of an action is ``_``, every action of that form is meant: one of them is said
    to be legal, or each of them illegal. So it is where one is left out, and no form is legal.
    Raises: UnknownName or InputError, if an action that it names is none, or may be several.
    """
    queries = []
    for number, part in enumerate(claim.here, first):
        actions: tuple[Symbol, ...] = ()
        if part.kind == "legal":
            text = str(part.terms[0])
            if ANY in part.terms[0].symbol.arguments:
                actions = tuple(forms_of(position, text))
            else:
                actions = claimed_actions(position, text)
        queries.append(ClaimQuery(number, part, actions))
    return queries


def _facts(position: Position, queries: Sequence[ClaimQuery], here: Symbol) -> list[Symbol]:
    facts = position.facts(here)
    if any(_figures(query.part) for query in queries):
        facts += [Function("surveying", [here]), Function("wide", [here])]
    return facts + [fact for query in queries for fact in query.facts(position, here)]


def truths(claim: Claim, nodes: Sequence[ReachedState]) -> list[str]:
    """Whether a claim is so at each of many nodes: true, false, void (no subject) or open.

    Each under its own rulings and the defaults; in one grounding for each board.
    """
    return truths_of_all([claim] * len(nodes), nodes)


def truths_of_all(claims: Sequence[Claim], nodes: Sequence[ReachedState]) -> list[str]:
    """The same of many claims, each at a node of its own."""
    truths_of = [
        [truth_of(so) for _, so in settled_by_events(claim, events)]
        for claim, (_, events) in zip(claims, nodes, strict=True)
    ]
    firsts = list(accumulate((len(claim.here) for claim in claims), initial=0))
    asking = [n for n, claim in enumerate(claims) if claim.here]
    positions = [nodes[n][0] for n in asking]
    for first, places in batches(positions):
        numbers = [asking[place] for place in places]
        queries = {n: claim_queries(nodes[n][0], claims[n], firsts[n]) for n in numbers}
        facts = [f for n in numbers for f in _facts(nodes[n][0], queries[n], situation(n))]
        verdicts = _verdicts(ask("claims", first, facts)["verdict"])
        for n in numbers:
            truths_of[n] += [query.truth(verdicts) for query in queries[n]]
    return [conjunction(parts) for parts in truths_of]


def truth_of(so: bool | None) -> str:
    """The truth word of an answer; none is void."""
    return VOID if so is None else TRUE if so else FALSE


# -- under all readings ----------------------------------------------------------------------------


class ClaimEvaluation:
    """Claims of one position under every reading, in one grounding."""

    def __init__(self, position: Position, claims: Sequence[Claim], fixed: Choices) -> None:
        self.position = position
        self.claims = claims
        self.queries: list[list[ClaimQuery]] = []
        number = 0
        for claim in claims:
            self.queries.append(claim_queries(position, claim, number))
            number += len(self.queries[-1])
        every = [query for queries in self.queries for query in queries]
        self._opened = None
        if every:
            facts = _facts(position, every, situation(0))
            self._opened = query_class(facts)(
                position,
                position.ruleset.slices["claims"],
                facts,
                fixed,
                list(_wanted(position, every)),
                proposing=_proposing(position, every),
            )

    def truths(self, number: int, fixed: Choices) -> Iterator[tuple[Choices, list[str]]]:
        """The truth of each part of a claim, by the readings on which it depends."""
        if self._opened is None or not self.queries[number]:
            yield fixed, []
            return
        mine = {query.number for query in self.queries[number]}

        def about(atom: Symbol) -> bool:
            return atom.name == "verdict" and atom.arguments[0].number in mine

        some = {q: options[0] for q, options in self._opened.questions.items()}
        for choices, _ in self._opened.cells(fixed, about):
            answer = self._opened.under({**some, **choices})
            verdicts = _verdicts(answer)
            yield choices, [query.truth(verdicts) for query in self.queries[number]]

    def full_text(self, number: int) -> str:
        """The text of a claim with its actions in full."""
        claim = self.claims[number]
        full = {
            id(query.part): query.actions[0]
            for query in self.queries[number]
            if len(query.actions) == 1
        }
        parts = [
            replace(part, terms=(Term(full[id(part)]),)) if id(part) in full else part
            for part in claim.parts
        ]
        return str(replace(claim, parts=tuple(parts)))

    def accounts(
        self, number: int, choices: Choices, defaults: Choices
    ) -> Iterator[tuple[Choices, Account]]:
        """The accounts of a claim, one for each set of readings with the same account."""
        if self._opened is None or not self.queries[number]:
            yield choices, Account("")
            return
        queries = self.queries[number]
        actions = {action for query in queries for action in query.actions}
        operands = {side.term.symbol for query in queries for side in _figures(query.part)}
        ending = any(query.part.kind == "outcome" for query in queries)

        def about(atom: Symbol) -> bool:
            if atom.name in FIGURED:
                return atom.arguments[0] in operands
            if atom.name in ENDED:
                return ending
            return atom.name in REASONED and atom.arguments[0] in actions

        for under, alike in self._opened.cells(choices, about, MOST_ACCOUNTS):
            answer = self._opened.under({**defaults, **under})
            account = self._account(queries, answer)
            yield under, replace(account, alike=alike)

    def _account(self, queries: Sequence[ClaimQuery], answer: Iterable[Symbol]) -> Account:
        words = self.position.ruleset.vocabulary
        spoken = words.rulers.spoken
        atoms: dict[str, list[Symbol]] = defaultdict(list)
        for atom in answer:
            atoms[atom.name].append(atom)
        sides = [side for query in queries for side in (query.part.left, query.part.right) if side]
        telling = {side.term.symbol for side in sides if side.sort in ("figure", "finding")}
        figures = figures_in(self.position, atoms, telling)
        known = {figure.name for figure in figures}
        wanted = [Term(short_name(self.position, symbol)) for symbol in sorted_symbols(telling)]
        rules: set[str] = set()
        hidden = {str(g) for f in figures if f.value == "unknown" for g in f.grounds}
        if any(query.part.kind == "outcome" for query in queries) and atoms["over"]:
            rules |= {atom.arguments[-1].name for name in ENDED for atom in atoms[name]}
        for query in queries:
            for reasons in resting_on(why_by(self.position, Term(a), atoms) for a in query.actions):
                rules |= {reason.rule.id for reason in reasons.reasons}
                hidden |= set(map(str, reasons.depends_on))
                figures += [figure for figure in reasons.figures if figure not in figures]
        return Account(
            "",
            tuple(sorted(rules.union(*map(cited_by, figures)))),
            tuple(figures),
            tuple(
                f"{spoken(text)} is {words.said(side.term.name, self.position.value(text).symbol)}"
                for side in sides
                if side.sort == "fluent"
                for text in [str(side.term)]
            ),
            tuple(spoken(f"this position has no {name}") for name in wanted if name not in known),
            tuple(sorted(hidden)),
        )


def resting_on(answers: Iterable[Why]) -> list[Why]:
    """The answers on which a verdict about several actions rests.

    That is what is said of those that are legal; if none is, of those against which no rule speaks
    but some that speak against another one too.
    """
    answers = list(answers)
    allowed = [answer for answer in answers if answer.legal]
    if allowed or len(answers) == 1:
        return allowed or answers
    against = [{reason.rule.id for reason in answer.reasons} for answer in answers]
    return [
        answer
        for answer, rules in zip(answers, against, strict=True)
        if not any(other < rules for other in against)
    ]


def cited_by(figure: Figure) -> set[str]:
    """The rules that a figure comes from."""
    return {*figure.rules, *(entry.rule for entry in figure.entries)}


def compares_figures(claim: Claim) -> bool:
    """Does a claim compare figures? Some figures depend on every action that is possible."""
    return any(map(_figures, claim.parts))


def _figures(part: ClaimPart) -> list[Operand]:
    """The figures and findings that a part compares."""
    return [s for s in (part.left, part.right) if s is not None and s.sort in ("figure", "finding")]


def relevant_fluents(position: Position, claim: Claim) -> frozenset[str] | None:
    """The names of the fluents on which the truth of a claim depends; None: any."""
    named = {
        side.term.name
        for part in claim.here
        for side in (part.left, part.right)
        if side is not None and side.sort == "fluent"
    }
    queries = claim_queries(position, claim, 0)
    asking = [
        query
        for query in queries
        if query.actions or query.part.kind == "outcome" or _figures(query.part)
    ]
    if not asking:
        return frozenset(named)
    facts = _facts(position, asking, situation(0))
    read = position.ruleset.slices["claims"].fluents(facts, tuple(_wanted(position, asking)))
    return None if read is None else read | named


def _wanted(position: Position, queries: Sequence[ClaimQuery]) -> Iterator[Key]:
    """The atoms that bear on these parts."""
    yield ("verdict", 2, None)
    if any(query.part.kind == "outcome" for query in queries):
        yield from (("over", 2, None), ("wins", 3, None), ("drawn", 2, None))
    named = {side.term.name for query in queries for side in _figures(query.part)}
    functors = sorted({action.name for query in queries for action in query.actions})
    if functors:
        yield from (("costs", 6, None), ("waits", 3, None), ("weighs", 4, None))
        yield from (("proposed", 3, functor) for functor in functors)
        named |= position.ruleset.weighing
    for name in sorted(named):
        yield from (("total", 3, name), ("never", 3, name), ("entry", 5, name))
        yield from (("finding", 4, name), ("unknown", 4, name), ("ground", 4, name))


def _proposing(position: Position, queries: Sequence[ClaimQuery]) -> frozenset[str] | None:
    """The actions whose proposals matter to the verdict; None: all.

    Some figures depend on every possible action, and some rules read what others may do.
    """
    if any(_figures(query.part) for query in queries) or position.ruleset.reads_proposals:
        return None
    return frozenset(action.name for query in queries for action in query.actions)
