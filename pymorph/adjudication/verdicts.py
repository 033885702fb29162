"""The frozen answer to a dispute: a verdict on each claim, what it rests and what it depends on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pymorph.answers import below, brief, json_keys
from pymorph.errors import Fault, Place
from pymorph.questions.evaluation import Account
from pymorph.questions.readings.partition import Choices, defaults_of
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import SOURCE, Rule
from pymorph.state.claim import UNDECIDED

if TYPE_CHECKING:
    from pymorph.adjudication.case import Case, Stated


@brief
class VerdictTurn(NamedTuple):
    """The verdict before and after, under some choices."""

    under: Choices
    before: str
    after: str


@json_keys(
    also=["rules", "hidden"],
    paths={
        "readings": "accounts",
        "by": "stated.by",
        "said": "stated.claim",
        "after": "stated.after.action",
    },
    without=["stated"],
    items={"readings": ("under", "*"), "turned_by": ("choices", "verdict")},
)
@dataclass(frozen=True)
class ClaimVerdict:
    """The verdict on a *claim*, in full, under all readings that no ruling excludes.

    *accounts* group the readings that are alike: the choices made, and the account under them.
    *depends_on* are the questions that decide. *suffices* has for each verdict the smallest sets of
    choices that lead to it, whatever the other options. *turned_by* has the smallest changes to the
    defaults that change the verdict, and the new verdict. *varies_with* are questions on which only
    the reasons depend. *complete* is false if there were more accounts than are listed.
    """

    stated: Stated
    claim: str
    verdict: str
    defaults: str
    accounts: tuple[tuple[Choices, Account], ...]
    depends_on: tuple[str, ...] = ()
    suffices: Mapping[str, tuple[Choices, ...]] = field(default_factory=dict)
    turned_by: tuple[tuple[Choices, str], ...] = ()
    varies_with: tuple[str, ...] = ()
    complete: bool = True
    quantifier: str = ""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that it cites, under any reading."""
        return tuple(sorted({rule for _, account in self.accounts for rule in account.rules}))

    @property
    def hidden(self) -> tuple[str, ...]:
        """The hidden items on which it depends."""
        return tuple(sorted({item for _, account in self.accounts for item in account.hidden}))

    def under(self, choices: Choices, defaults: Choices) -> Account:
        """The account under some choices, and the defaults for the others."""
        reading = {**defaults, **choices}
        for made, account in self.accounts:
            if all(reading[question] == option for question, option in made.items()):
                return account
        raise KeyError(str(dict(choices)))

    def word_under(self, choices: Choices, defaults: Choices) -> str:
        """The verdict under some choices; undecided, if these were not checked."""
        try:
            return self.under(choices, defaults).verdict
        except KeyError:
            return UNDECIDED

    def surprises(self, defaults: Choices) -> list[VerdictTurn]:
        """The verdicts that differ from what the file of the case expects."""
        expected = ((dict(pairs), word) for pairs, word in self.stated.expect)
        turns = (VerdictTurn(u, word, self.word_under(u, defaults)) for u, word in expected)
        return [turn for turn in turns if turn.before != turn.after]


@json_keys(
    paths={
        "cited": "_cited",
        "id": "case.id",
        "title": "case.title",
        "undecided": "undecided.claim",
        "rulings": "case.position.rulings",
    },
    without=["case"],
    spread=["ruleset.edition"],
)
@dataclass(frozen=True)
class Adjudication:
    """The verdicts on the claims of a case, in the order of the file.

    *undecided* are claims that the time limit left open.

    >>> import pymorph
    >>> case = pymorph.Case.load("examples/disputes/right_cross.yaml")
    >>> for claim in pymorph.adjudicate(case).claims[:2]:
    ...     print(claim.claim, "|", claim.verdict, claim.depends_on)
    readies(baganal, main) = 0 | depends ('inertia_score',)
    readies(baganal, main) = 2 | depends ('inertia_score',)
    """

    case: Case
    claims: tuple[ClaimVerdict, ...]
    undecided: tuple[Stated, ...] = ()

    @property
    def ruleset(self) -> Ruleset:
        return self.case.position.ruleset

    def rules(self) -> tuple[Rule, ...]:
        """Every rule that is cited."""
        cited = sorted({rule for ruling in self.claims for rule in ruling.rules})
        return tuple(self.ruleset.rule(rule) for rule in cited)

    @property
    def _cited(self) -> tuple[CitedRule, ...]:
        return tuple(map(CitedRule, self.rules()))


def unexpected(answer: Adjudication) -> int:
    """The number of claims of which the file expects no verdict."""
    return sum(not ruling.stated.expect for ruling in answer.claims)


def expectation_faults(answer: Adjudication) -> Iterator[Fault]:
    """Where a case expects another verdict than the rules give, or does not say all that decides.

    A claim has its verdict by default, each question on which it depends, and the fewest choices
    that turn it; it names no other question. A file that expects no verdict at all has no fault.
    """
    if unexpected(answer) == len(answer.claims):
        return
    defaults = defaults_of(answer.case.position)
    ruled = answer.case.position.rulings
    for ruling in answer.claims:
        for message, place in _expectation_faults(ruling, defaults, ruled):
            yield Fault(f"{message}: {ruling.claim}", place)


def _expectation_faults(
    ruling: ClaimVerdict, defaults: Choices, ruled: Choices
) -> Iterator[tuple[str, Place | None]]:
    stated, every = ruling.stated, ruling.stated.place
    places = stated.expect_at or (every,) * len(stated.expect)
    known = dict(zip((choices for choices, _ in stated.expect), places, strict=True))
    named: dict[str, Place | None] = {}
    for choices, place in known.items():
        named = {question: place for question, _ in choices} | named
    for under, word, verdict in ruling.surprises(defaults):
        choices = tuple(under.items())
        yield f"expected {word} {_under(choices)}, but the rules say {verdict}", known[choices]
    if () not in known:
        yield f"expected no verdict by default, but the rules say {ruling.defaults}", every
    turned = [
        (tuple(sorted(choices.items())), word)
        for choices, word in ruling.turned_by
        if tuple(sorted(choices.items())) not in known
    ]
    for choices, word in turned:
        yield f"expected no other verdict {_under(choices)}, but the rules say {word}", every
    untold = {*ruling.depends_on} - named.keys() - {q for choices, _ in turned for q, _ in choices}
    for question in sorted(untold):
        yield f"the verdict depends on {question}, which 'expect' does not name", every
    for question in sorted(named.keys() - {*ruling.depends_on}):
        said = f"'expect' names {question}, on which the verdict does not depend"
        if question in ruled:
            said = f"'expect' names {question}, which is ruled as {ruled[question]}"
        yield said, named[question]


def _under(choices: tuple[tuple[str, str], ...]) -> str:
    """Under which choices, in words."""
    text = ", ".join(f"{question}={option}" for question, option in choices)
    return f"if {text}" if text else "by default"


@json_keys(
    paths={"rule": "rule.id", **below("rule", "title", "says", "sources")},
    items={"sources": SOURCE},
)
class CitedRule(NamedTuple):
    """A rule as an answer quotes it: our statement of it, and where it is written."""

    rule: Rule
