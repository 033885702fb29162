"""Nothing hangs on what the characters of a position are called, or on the order of their names.

Where no statement that an answer hangs on can tell one name from another (see `naming`), that is
proved of all positions. Else two names are exchanged in a position and in what is asked of it, and
a position is sought in which the answer is not the same one with the names exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from clingo import Function, Symbol, SymbolType

from pymorph.board.geometry import Geometry
from pymorph.board.grid import Board
from pymorph.state.position import Position
from pymorph.terms import sorted_symbols, text_of
from pymorph.verify.domain import Domain
from pymorph.verify.model_search import FoundModel
from pymorph.verify.name_flow import Naming
from pymorph.verify.product import (
    Answer,
    ComparedAnswers,
    answers,
    asked_of,
    bearing,
    found_in,
    kinds_of_answer,
    related,
    rules_in,
    search_of,
    two,
)
from pymorph.verify.report import UNKNOWN, Finding, Piece, Property, Witness, finding
from pymorph.verify.scope import Scope
from pymorph.verify.sources import shown

_known: dict[str, Naming] = {}


def pieces(scope: Scope) -> list[str]:
    """A piece of work for each kind of answer, where a position's file lists anybody."""
    named = any(True for _ in scope.ruleset.vocabulary.file_sorts())
    if not named:
        return [""]
    naming_of(scope)  # once, before it is shared out
    return kinds_of_answer(scope)


def check(scope: Scope, name: str) -> Piece:
    """Is what is answered about an action, or of figures, the same whatever the names are?"""
    if not name:
        return Piece(closed=True)
    naming = naming_of(scope)
    asked = asked_of(scope, name)
    partial = naming.partialities.keys() & related(scope, asked)
    if partial:
        partial &= bearing(scope, asked)
    if not partial:
        return Piece(1, 1, closed=True)
    statements = scope.sources.statements
    places = [shown(statements[n].place) for n in sorted(partial)]
    notes = tuple(
        f"{shown(statements[n].place)} {naming.partialities[n]}: {statements[n].text}"
        for n in sorted(partial)
    )
    for each in (scope, scope.within(characters=scope.bounds.characters + 1)):
        domain = peopled(Domain.of(each), naming.strangers)
        for one, other in exchanges(domain):
            told = _told(each, domain, asked, one, other)
            if told is not None:
                return Piece(1, 1, findings=(replace(told, place=places[0]),), notes=notes)
    return Piece(1, 1, notes=notes)


def naming_of(scope: Scope) -> Naming:
    """The statements of a ruleset that may be partial to a name; worked out once for each."""
    key = scope.ruleset.hash
    if key not in _known:
        _known.clear()
        _known[key] = Naming(scope.ruleset, scope.sources)
    return _known[key]


def peopled(domain: Domain, strangers: frozenset[Symbol]) -> Domain:
    """A domain in which the names that rules know are borne by somebody."""
    listed = {}
    for sort, members in domain.scene.listed.items():
        fresh = sorted_symbols(strangers.difference(members))
        listed[sort] = (*fresh, *members)[: len(members)]
    return replace(domain, scene=replace(domain.scene, listed=listed))


def exchanges(domain: Domain) -> Iterator[tuple[Symbol, Symbol]]:
    """The pairs of names to exchange: any order of the names is some of these, one by one."""
    for members in domain.scene.listed.values():
        yield from pairwise(members)


class Exchanging(Geometry):
    """The functions of a board, and one that exchanges two names in a term."""

    def __init__(self, board: Board | None, one: Symbol, other: Symbol) -> None:
        super().__init__(board)
        self.image: Mapping[Symbol, Symbol] = {one: other, other: one}

    def exchanged(self, term: Symbol) -> Symbol:
        if term in self.image:
            return self.image[term]
        if term.type == SymbolType.Function and term.arguments:
            return Function(term.name, [self.exchanged(each) for each in term.arguments])
        return term

    def position(self, position: Position) -> Position:
        """The position in which each is what the other was."""
        exchanged = self.exchanged
        fluents = {exchanged(f): exchanged(v) for f, v in position.fluents.items()}
        return replace(position, fluents=fluents)

    def answer(self, answer: Answer) -> Answer:
        """An answer with the names exchanged."""
        return tuple(self.exchanged(part) if isinstance(part, Symbol) else part for part in answer)


def _told(
    scope: Scope, domain: Domain, asked: ComparedAnswers, one: Symbol, other: Symbol
) -> Finding | None:
    """What is found of exchanging two names, if anything."""
    both = f"{text_of(one)} and {text_of(other)}"
    exchanging = Exchanging(domain.board, one, other)
    search = search_of(scope, domain, asked, two(asked, "exchanged"), context=exchanging)
    found = found_in(search)
    if found is None:
        if not search.unsettled:
            return None
        return Finding(asked.name, f"not settled for {both}", status=UNKNOWN)
    goal, example = found
    asked_about = goal.arguments[0] if goal.arguments else example.action
    about = "what is well formed" if asked_about is None else text_of(asked_about)
    rules, sure = _confirmed(exchanging, goal, example)
    action = text_of(example.action) if example.action is not None else ""
    says = f"{about}: another answer where {both} are exchanged"
    return finding(asked.name, says, rules, Witness(example.position, action), sure)


def _confirmed(
    exchanging: Exchanging, goal: Symbol, found: FoundModel
) -> tuple[tuple[str, ...], bool]:
    """The rules by which the ordinary verbs answer otherwise, and whether they do."""
    figure = goal.arguments[0] if goal.arguments else None
    here = answers(found.position, found.action, figure)
    there = answers(
        exchanging.position(found.position),
        found.action and exchanging.exchanged(found.action),
        figure and exchanging.exchanged(figure),
    )
    differing = {exchanging.answer(each) for each in here} ^ there
    return rules_in(found.position.ruleset, differing), bool(differing)


PROPERTY = Property(
    "asymmetry",
    "No answer hangs on what the characters are called, or on the order of their names.",
    check,
    pieces,
    speaks_of="names",
    counted="kinds of answer",
)
