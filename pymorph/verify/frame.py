"""The frame that all properties share: what a search over open positions comes to, what is tried
while there is time, and the sentences that say what each property means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from time import monotonic, process_time
from typing import Any, TypeVar

from clingo import Symbol

from pymorph.adjudication.query_batcher import batched
from pymorph.asp.solver import Solver
from pymorph.ruleset.vocabulary import Declared
from pymorph.state.position import Position
from pymorph.terms import text_of
from pymorph.verify.report import Checker, Finding, Piece, Property, Witness, undivided
from pymorph.verify.scope import Scope
from pymorph.verify.sources import encoding
from pymorph.verify.spaces.domain import any_term
from pymorph.verify.spaces.model_search import ModelSearch
from pymorph.verify.spaces.witnesses import legal_in_known

MEANING = re.compile(r'^meaning\((\w+), "(.*)"\)\.$', re.MULTILINE)
MEANINGS = dict(MEANING.findall("".join(encoding("meanings").values())))
_Item = TypeVar("_Item")


def described(
    name: str, check: Checker, pieces: Callable[[Scope], list[str]] = undivided, **about: Any
) -> Property:
    """A property of every ruleset, or a topic, with the sentence that says what it means."""
    return Property(name, MEANINGS[name], check, pieces, **about)


# -- searches over open positions ------------------------------------------------------------------


def name_rule(schema: Declared) -> str:
    """A rule that gives the name of an action."""
    return f"verify_name(A,{schema.name}) :- asked(A,0), A = {any_term(schema)}."


def subjects(goals: Iterable[Symbol]) -> frozenset[str]:
    """What goals are about: their first arguments."""
    return frozenset(text_of(goal.arguments[0]) for goal in goals if goal.arguments)


def tested(
    search: ModelSearch, acting: Iterable[Declared]
) -> tuple[frozenset[str], frozenset[str]]:
    """The names of actions of which a case has to be met with, and of which one was."""
    due = frozenset(schema.name for schema in acting)
    return due - subjects(search.late("case")), subjects(search.goals("case"))


def in_known(
    scope: Scope, piece: Piece, fault: Callable[[Position, Symbol], Iterable[Finding]]
) -> Piece:
    """What a search met with no case of is looked at in known positions: the *fault* of a legal
    action, if there is one."""
    cases = legal_in_known(scope, piece.due - piece.met)
    if not cases:
        return piece

    def tried(position: Position, action: Symbol, answers: Solver) -> list[Finding]:
        found = fault(replace(position, answers=answers), action)
        return [replace(f, witness=Witness(position, text_of(action))) for f in found]

    runs = batched(partial(tried, *case) for case in cases)
    findings = {finding.subject: finding for run in runs for finding in run.result()}
    names = frozenset(action.name for _, action in cases)
    note = f"{', '.join(sorted(names))}: tested in {len(cases)} known positions"
    return replace(
        piece,
        findings=(*piece.findings, *findings.values()),
        notes=(*piece.notes, note),
        met=piece.met | names,
        closed=False,
    )


# -- what is tried while there is time -------------------------------------------------------------


class Trials:
    """What is tried while there is time: so many seconds of work, and on the clock, from now on."""

    def __init__(self, seconds: float = inf, longest: float = inf) -> None:
        self.tried = self.every = 0
        self._until, self._latest = process_time() + seconds, monotonic() + longest

    def of(self, items: Sequence[_Item]) -> Iterator[_Item]:
        """These things, one after the other, as far as there is time."""
        self.every = len(items)
        for item in items:
            if process_time() > self._until or monotonic() > self._latest:
                return
            self.tried += 1
            yield item

    def __str__(self) -> str:
        """How many of them were tried, in words."""
        return f"{self.tried} of {self.every}" if self.tried < self.every else f"all {self.tried}"
