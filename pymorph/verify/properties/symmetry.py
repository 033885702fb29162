"""No answer depends on what the characters of a position are called, or on their order.

Where no statement in the cone of an answer can tell one name from another (see `name_flow`), that
is proved of all positions. Else two names are exchanged in a position and in what is asked of it,
and a position is sought in which the answer is not the same one with the names exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

from clingo import Function, Symbol, SymbolType

from pymorph.board.lengths.measuring import Context
from pymorph.state.position import Position
from pymorph.terms import sorted_symbols, text_of
from pymorph.verify.name_flow import Naming
from pymorph.verify.report import Finding, Piece, Property, confirm, unsettled
from pymorph.verify.scope import Scope
from pymorph.verify.sources import location
from pymorph.verify.spaces.domain import Domain
from pymorph.verify.spaces.model_search import FoundModel
from pymorph.verify.spaces.product import (
    ComparedAnswers,
    ProductAnswer,
    answers,
    compared,
    composition,
    cone,
    difference_search,
    first_difference,
    kinds_of_answer,
    rules_in,
    widest_cone,
)

ASYMMETRY = "asymmetry"

_known: dict[str, Naming] = {}


def pieces(scope: Scope) -> list[str]:
    """A piece of work for each kind of answer, where a position's file lists anybody."""
    named = any(True for _ in scope.ruleset.vocabulary.file_sorts())
    if not named:
        return [""]
    naming_of(scope)  # once, before it is shared out
    return kinds_of_answer(scope)


def check(scope: Scope, name: str) -> Piece:
    """Is what is answered about an action, or of figures, the same whatever the names are?

    Where the ruleset accepts that it may not be, no position is sought.
    """
    if not name:
        return Piece(closed=True)
    naming = naming_of(scope)
    asked = compared(scope, name)
    partial = naming.partialities.keys() & widest_cone(scope, asked)
    if partial:
        partial &= cone(scope, asked)
    if not partial:
        return Piece(1, 1, closed=True)
    statements = [(n, scope.sources.statements[n]) for n in sorted(partial)]
    places = [location(statement.place) for _, statement in statements]
    notes = tuple(
        f"{place} {naming.partialities[n]}: {statement.text}"
        for place, (n, statement) in zip(places, statements, strict=True)
    )
    if asked.name in scope.accepted.get(ASYMMETRY, {}):
        told = Finding(asked.name, f"{asked.name}: it may depend on a name", place=places[0])
        return Piece(1, 1, findings=(told,), notes=notes)
    for each in (scope, scope.within(characters=scope.bounds.characters + 1)):
        domain = peopled(Domain.of(each), naming.strangers)
        for one, other in exchanges(domain):
            found = _asymmetry(each, domain, asked, one, other)
            if found is not None:
                return Piece(1, 1, findings=(replace(found, place=places[0]),), notes=notes)
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
    return replace(domain, scene=domain.scene._replace(listed=listed))


def exchanges(domain: Domain) -> Iterator[tuple[Symbol, Symbol]]:
    """The pairs of names to exchange: any order of the names is some of these, one by one."""
    for members in domain.scene.listed.values():
        yield from pairwise(members)


class Exchange:
    """The functions of a board or a table, and one that exchanges two names in a term."""

    def __init__(self, asked: Context | None, one: Symbol, other: Symbol) -> None:
        self._asked = asked
        self.image: Mapping[Symbol, Symbol] = {one: other, other: one}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._asked, name)

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

    def answer(self, answer: ProductAnswer) -> ProductAnswer:
        """An answer with the names exchanged."""
        return tuple(self.exchanged(part) if isinstance(part, Symbol) else part for part in answer)


def _asymmetry(
    scope: Scope, domain: Domain, asked: ComparedAnswers, one: Symbol, other: Symbol
) -> Finding | None:
    """What is found of exchanging two names, if anything."""
    both = f"{text_of(one)} and {text_of(other)}"
    exchange = Exchange(domain.position([], {}).geometry, one, other)
    rules = composition(asked, "exchanged")
    search = difference_search(scope, domain, asked, rules, context=cast(Context, exchange))
    found = first_difference(search)
    if found is None:
        return unsettled(asked.name, f"the time ran out for {both}") if search.unsettled else None
    figure, example = found
    about = example.action if figure is None else figure
    subject = "valid positions" if about is None else text_of(about)
    differing = _differing(exchange, figure, example)
    cited = rules_in(example.position.ruleset, differing)
    says = f"{subject}: the answer changes if {both} change places"
    return confirm(bool(differing), asked.name, says, example.witness, cited)


def _differing(exchange: Exchange, figure: Symbol | None, found: FoundModel) -> set[ProductAnswer]:
    """What the ordinary verbs answer before or after the exchange, and not both times."""
    here = answers(found.position, found.action, figure)
    there = answers(
        exchange.position(found.position),
        found.action and exchange.exchanged(found.action),
        figure and exchange.exchanged(figure),
    )
    return {exchange.answer(each) for each in here} ^ there


PROPERTY = Property(
    ASYMMETRY,
    "no answer depends on the names of the characters, or on the order of these",
    check,
    pieces,
    speaks_of="names",
    counted="kinds of answer",
)
