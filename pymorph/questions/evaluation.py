"""Claims of a position put to the rules: under one reading in batches, or under all at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from clingo import Function, Number, Supremum, Symbol

from pymorph.asp.facts import Key
from pymorph.dynamics.asking.batch import ask, batches, situation
from pymorph.dynamics.asking.ledgers import figures_in, short_name
from pymorph.dynamics.encoding import record_json
from pymorph.dynamics.results import Figure, Why
from pymorph.questions.explanation import why_by
from pymorph.questions.legality import claimed_actions
from pymorph.questions.readings.partition import Choices
from pymorph.questions.readings.readings import opened
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
from pymorph.state.position import Position
from pymorph.terms import ANY, Term, brief, sorted_symbols
from pymorph.yamlio import Json

TRUE, FALSE, VOID, OPEN = "true", "false", "void", "open"
WORDS = {TRUE: UPHELD, FALSE: REJECTED, VOID: INAPPLICABLE, OPEN: "hidden"}
OPERATORS = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
FIGURED = ("total", "never", "finding", "unknown", "entry", "ground")
ENDED = ("over", "wins", "drawn")
REASONED = ("reason", "unsettled", "costs")
MOST_ACCOUNTS = 24
KNOWN, TIMES = "claims_known", "claims_times"

ReachedState = tuple[Position, tuple[Symbol, ...]]  # a position, and the events on the way to it


@brief
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

    def json(self) -> Json:
        return record_json(self)


def conjunction(truths: Iterable[str]) -> str:
    """The truth of all parts: no subject if one has none, else false if one is."""
    found = set(truths)
    return next((truth for truth in (VOID, FALSE, OPEN) if truth in found), TRUE)


@dataclass(frozen=True, slots=True)
class PosedClaim:
    """A part of a claim as it is put to the rules, with the number that its verdict has."""

    number: int
    part: ClaimPart
    actions: tuple[Symbol, ...] = ()  # any of them will do

    def facts(self, position: Position, here: Symbol) -> Iterator[Symbol]:
        """What the rules are told, so that they give a verdict."""
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

    def verdict(self, atoms: Iterable[Symbol]) -> str:
        """Its truth, among the atoms of an answer."""
        for atom in atoms:
            if atom.name == "verdict" and atom.arguments[0].number == self.number:
                return self.truth(atom.arguments[1].name)
        return VOID

    def truth(self, verdict: str) -> str:
        """The truth of the part, whose negation may have been put."""
        turned = {TRUE: FALSE, FALSE: TRUE}
        return verdict if self.part.positive else turned.get(verdict, verdict)


def _counted(side: Operand) -> Symbol:
    """A side as the rules are told of it: with how many times it counts, if it is more than one."""
    symbol = side.term.symbol
    return symbol if side.times == 1 else Function(TIMES, [Number(side.times), symbol])


def _known(position: Position, side: Operand, here: Symbol) -> Iterator[Symbol]:
    term = side.term.symbol
    if side.sort == "fluent":
        value = position.fluents.get(term, position.default(term))
        yield Function(KNOWN, [term, value, here])
    elif side.sort == "value":
        yield Function(KNOWN, [term, Supremum if term == NEVER else term, here])
    else:
        yield Function("wanted", [term, here])


def pose(position: Position, claim: Claim, first: int) -> list[PosedClaim]:
    """The parts of a claim that are about a position, numbered from *first*.

    Where an argument of an action is ``_``, every action of that form is meant: one of them is said
    to be legal, or each of them illegal. So it is where one is left out, and no form is legal.
    Raises: UnknownName or InputError, if an action that it names is none, or may be several.
    """
    found = []
    for number, part in enumerate(claim.here, first):
        actions: tuple[Symbol, ...] = ()
        if part.kind == "legal":
            text = str(part.terms[0])
            if ANY in part.terms[0].symbol.arguments:
                actions = tuple(forms_of(position, text))
            else:
                actions = claimed_actions(position, text)
        found.append(PosedClaim(number, part, actions))
    return found


def _facts(position: Position, puts: Sequence[PosedClaim], here: Symbol) -> list[Symbol]:
    facts = position.facts(here)
    if any(_figures(one.part) for one in puts):
        facts += [Function("surveying", [here]), Function("wide", [here])]
    return facts + [fact for one in puts for fact in one.facts(position, here)]


def truths(claim: Claim, nodes: Sequence[ReachedState]) -> list[str]:
    """Whether a claim is so at each of many nodes: true, false, void (no subject) or open.

    Each under its own rulings and the defaults; in one grounding for each board.
    """
    found = [[_truth_of_events(so) for _, so in settled_by_events(claim, e)] for _, e in nodes]
    if not claim.here:
        return [conjunction(row) for row in found]
    positions = [position for position, _ in nodes]
    for first, numbers in batches(positions):
        puts = {n: pose(positions[n], claim, n * len(claim.here)) for n in numbers}
        facts = [f for n in numbers for f in _facts(positions[n], puts[n], situation(n))]
        verdicts = {
            atom.arguments[0].number: atom.arguments[1].name
            for atom in ask("claims", first, facts)["verdict"]
        }
        for n in numbers:
            found[n] += [one.truth(verdicts.get(one.number, VOID)) for one in puts[n]]
    return [conjunction(row) for row in found]


def _truth_of_events(so: bool | None) -> str:
    return VOID if so is None else TRUE if so else FALSE


# -- under all readings ----------------------------------------------------------------------------


class ClaimEvaluation:
    """Claims of one position under every reading, in one grounding."""

    def __init__(self, position: Position, claims: Sequence[Claim], fixed: Choices) -> None:
        self.position = position
        self.claims = claims
        self.puts: list[list[PosedClaim]] = []
        number = 0
        for claim in claims:
            self.puts.append(pose(position, claim, number))
            number += len(self.puts[-1])
        every = [one for row in self.puts for one in row]
        self._opened = None
        if every:
            facts = _facts(position, every, situation(0))
            self._opened = opened(
                position.ruleset,
                position.ruleset.slices["claims"],
                facts,
                position.geometry,
                fixed,
                list(_wanted(position, every)),
                proposing=_proposing(position, every),
            )

    def truths(self, number: int, fixed: Choices) -> Iterator[tuple[Choices, list[str]]]:
        """The truth of each part of a claim, by the readings that it turns on."""
        if self._opened is None or not self.puts[number]:
            yield fixed, []
            return
        mine = {one.number for one in self.puts[number]}

        def about(atom: Symbol) -> bool:
            return atom.name == "verdict" and atom.arguments[0].number in mine

        some = {q: options[0] for q, options in self._opened.questions.items()}
        for choices, _ in self._opened.cells(fixed, about):
            atoms = [*self._opened.certain, *self._opened.under({**some, **choices}).atoms]
            yield choices, [one.verdict(atoms) for one in self.puts[number]]

    def whole(self, number: int) -> str:
        """The claim with its actions in full."""
        claim = self.claims[number]
        full = {id(one.part): one.actions[0] for one in self.puts[number] if len(one.actions) == 1}
        parts = [
            replace(part, terms=(Term(full[id(part)]),)) if id(part) in full else part
            for part in claim.parts
        ]
        return str(replace(claim, parts=tuple(parts)))

    def accounts(
        self, number: int, choices: Choices, defaults: Choices
    ) -> Iterator[tuple[Choices, Account]]:
        """What speaks for the verdict on a claim, for each of the readings that differ in that."""
        if self._opened is None or not self.puts[number]:
            yield choices, Account("")
            return
        puts = self.puts[number]
        actions = {action for one in puts for action in one.actions}
        operands = {side.term.symbol for one in puts for side in _figures(one.part)}
        ending = any(one.part.kind == "outcome" for one in puts)

        def about(atom: Symbol) -> bool:
            if atom.name in FIGURED:
                return atom.arguments[0] in operands
            if atom.name in ENDED:
                return ending
            return atom.name in REASONED and atom.arguments[0] in actions

        for under, alike in self._opened.cells(choices, about, MOST_ACCOUNTS):
            answer = self._opened.under({**defaults, **under})
            account = self._account(puts, (*self._opened.certain, *answer.atoms))
            yield under, replace(account, alike=alike)

    def _account(self, puts: Sequence[PosedClaim], answer: Iterable[Symbol]) -> Account:
        words = self.position.ruleset.vocabulary
        spoken = words.rulers.spoken
        atoms: dict[str, list[Symbol]] = defaultdict(list)
        for atom in answer:
            atoms[atom.name].append(atom)
        sides = [side for one in puts for side in (one.part.left, one.part.right) if side]
        telling = {side.term.symbol for side in sides if side.sort in ("figure", "finding")}
        figures = figures_in(self.position, atoms, telling)
        known = {figure.name for figure in figures}
        wanted = [Term(short_name(self.position, symbol)) for symbol in sorted_symbols(telling)]
        rules: set[str] = set()
        hidden = {str(g) for f in figures if f.value == "unknown" for g in f.grounds}
        if any(one.part.kind == "outcome" for one in puts) and atoms["over"]:
            rules |= {atom.arguments[-1].name for name in ENDED for atom in atoms[name]}
        for one in puts:
            for reasons in resting_on(why_by(self.position, Term(a), atoms) for a in one.actions):
                rules |= {reason.rule.id for reason in reasons.reasons}
                hidden |= set(map(str, reasons.depends_on))
                figures += [figure for figure in reasons.figures if figure not in figures]
        return Account(
            "",
            _sorted(rules.union(*map(cited_by, figures))),
            tuple(figures),
            tuple(
                f"{spoken(str(side.term))} is {words.said(side.term.name, self._value(side))}"
                for side in sides
                if side.sort == "fluent"
            ),
            tuple(spoken(f"this position has no {name}") for name in wanted if name not in known),
            _sorted(hidden),
        )

    def _value(self, side: Operand) -> Symbol:
        return self.position.value(str(side.term)).symbol


class ClaimEvaluations:
    """Hearings of claims at one position and another, each opened once for all readings."""

    def __init__(self, fixed: Choices) -> None:
        self._fixed = fixed
        self._held: dict[tuple[Position, tuple[Claim, ...]], ClaimEvaluation] = {}

    def __call__(self, position: Position, claims: Sequence[Claim]) -> ClaimEvaluation:
        plain = replace(position, rulings=dict(self._fixed))
        key = (plain, tuple(claims))
        if key not in self._held:
            self._held[key] = ClaimEvaluation(plain, claims, self._fixed)
        return self._held[key]


def resting_on(answers: Iterable[Why]) -> list[Why]:
    """Of what is said of several actions, that on which a verdict rests.

    That is what is said of those that are legal; if none is, of those against which no rule speaks
    but some that speak against another one too.
    """
    found = list(answers)
    allowed = [answer for answer in found if answer.legal]
    if allowed or len(found) == 1:
        return allowed or found
    against = [{reason.rule.id for reason in answer.reasons} for answer in found]
    return [
        answer
        for answer, rules in zip(found, against, strict=True)
        if not any(other < rules for other in against)
    ]


def cited_by(figure: Figure) -> set[str]:
    """The rules that a figure comes from."""
    return {*figure.rules, *(entry.rule for entry in figure.entries)}


def _sorted(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(texts))


def compares_figures(claim: Claim) -> bool:
    """Does a claim compare figures? Some are of whatever somebody may do."""
    return any(map(_figures, claim.parts))


def _figures(part: ClaimPart) -> list[Operand]:
    """The figures and findings that a part compares."""
    return [s for s in (part.left, part.right) if s is not None and s.sort in ("figure", "finding")]


def relevant_fluents(position: Position, claim: Claim) -> frozenset[str] | None:
    """The names of the fluents on which the truth of a claim hangs; None: any."""
    named = {
        side.term.name
        for part in claim.here
        for side in (part.left, part.right)
        if side is not None and side.sort == "fluent"
    }
    puts = pose(position, claim, 0)
    asking = [
        one for one in puts if one.actions or one.part.kind == "outcome" or _figures(one.part)
    ]
    if not asking:
        return frozenset(named)
    facts = _facts(position, asking, situation(0))
    read = position.ruleset.slices["claims"].fluents(facts, tuple(_wanted(position, asking)))
    return None if read is None else read | named


def _wanted(position: Position, puts: Sequence[PosedClaim]) -> Iterator[Key]:
    """The atoms that bear on these parts."""
    yield ("verdict", 2, None)
    if any(one.part.kind == "outcome" for one in puts):
        yield from (("over", 2, None), ("wins", 3, None), ("drawn", 2, None))
    named = {side.term.name for one in puts for side in _figures(one.part)}
    functors = sorted({action.name for one in puts for action in one.actions})
    if functors:
        yield from (("costs", 6, None), ("waits", 3, None), ("weighs", 4, None))
        yield from (("proposed", 3, functor) for functor in functors)
        named |= position.ruleset.weighing
    for name in sorted(named):
        yield from (("total", 3, name), ("never", 3, name), ("entry", 5, name))
        yield from (("finding", 4, name), ("unknown", 4, name), ("ground", 4, name))


def _proposing(position: Position, puts: Sequence[PosedClaim]) -> frozenset[str] | None:
    """The actions of which it matters whether somebody proposes them; None: all.

    Some figures are of whatever somebody may do, and some rules read what others may.
    """
    if any(_figures(one.part) for one in puts) or position.ruleset.reads_proposals:
        return None
    return frozenset(action.name for one in puts for action in one.actions)
