"""Which rules the encodings of a ruleset cite: the ids that stand, or end up, in the last place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from clingo.ast import AST, ASTType

from pymorph.asp.facts import parse_signatures
from pymorph.asp.statements import CheckedStatement
from pymorph.asp.syntax_trees import positive, rules_in, signatures
from pymorph.errors import Place
from pymorph.ruleset.checks.readings import constants
from pymorph.ruleset.contract import CATALOGUE, CONTRACT
from pymorph.ruleset.declarations import SIGNATURES

ArgumentPosition = tuple[str, int, int]  # an argument of a predicate: its name, arity and the index

PROPERTIES = "properties"  # the folder of a ruleset's own properties, which carry out no rule
SPLITTING = str.maketrans(dict.fromkeys("%,.;:()\"'", " "))

# What a ruleset gives without a rule, in play and beside it; whatever else it gives ends in one.
UNRULED = parse_signatures(
    """
    unfolds/4 about/3 drawn/3 item/3 list/2 most_frames/1 frame_fluent/2 deck_copies/3
    most_modifiers/1 per_surplus/1 edge_step/1
    """
)
ABOUT = parse_signatures(
    "question/1 option/2 default/2 status/2 policy/2 speaks/2 violated/4 measure/3"
) | {signature for signature in CONTRACT if signature[0] in CATALOGUE}
CITING = CONTRACT - UNRULED - ABOUT


class Encoded(NamedTuple):
    """A rule or a fact of an encoding: its place, and its tree."""

    place: Place
    tree: AST

    @property
    def arguments(self) -> Iterator[tuple[ArgumentPosition, AST]]:
        """The arguments of its head."""
        return arguments_of(self.tree.head.atom.symbol)


def arguments_of(atom: AST) -> Iterator[tuple[ArgumentPosition, AST]]:
    """The arguments of an atom, or of each atom of a pool."""
    for name, arity, arguments in signatures(atom):
        yield from (((name, arity, index), term) for index, term in enumerate(arguments))


def encoded(statements: Iterable[CheckedStatement]) -> Iterator[Encoded]:
    """What a ruleset's own statements say but for its catalogue, vocabulary and properties."""
    for statement in statements:
        if statement.trusted or Path(statement.place.file).parent.name == PROPERTIES:
            continue
        if statement.heads and not statement.heads <= SIGNATURES | ABOUT:
            yield Encoded(statement.place, rules_in(statement.text)[-1])


def cited(encodings: Iterable[Encoded]) -> Iterator[tuple[str, Place]]:
    """Each constant that stands where a rule id belongs, with the place of its statement.

    An id may be handed on: what a rule cites by a variable is cited where its value is written.
    """
    rules = list(encodings)
    sources: dict[ArgumentPosition, set[ArgumentPosition]] = defaultdict(set)
    for encoding in rules:
        origins = dict(_variables(encoding.tree.body))
        for spot, argument in encoding.arguments:
            if argument.ast_type == ASTType.Variable:
                sources[spot] |= origins.get(argument.name, set())
    agenda = [(name, arity, arity - 1) for name, arity in CITING]
    spots: set[ArgumentPosition] = set()
    while agenda:
        spot = agenda.pop()
        if spot not in spots:
            spots.add(spot)
            agenda += sources[spot]
    for encoding in rules:
        for spot, argument in encoding.arguments:
            if spot in spots:
                yield from ((text, encoding.place) for text in constants(argument))


def _variables(body: Iterable[AST]) -> dict[str, set[ArgumentPosition]]:
    """Where variables of a body get their values: that of an aggregate, from what it counts."""
    origins: dict[str, set[ArgumentPosition]] = defaultdict(set)
    for literal in body:
        if positive(literal):
            for spot, argument in arguments_of(literal.atom.symbol):
                if argument.ast_type == ASTType.Variable:
                    origins[argument.name].add(spot)
        elif literal.ast_type == ASTType.Literal and (
            literal.atom.ast_type == ASTType.BodyAggregate and literal.atom.left_guard
        ):
            value = literal.atom.left_guard.term
            for element in literal.atom.elements:
                counted = element.terms[0] if element.terms else value
                if ASTType.Variable == value.ast_type == counted.ast_type:
                    origins[value.name] |= _variables(element.condition).get(counted.name, set())
    return origins


def named_above(
    files: Iterable[tuple[str, bytes]], encodings: Iterable[Encoded]
) -> Iterator[tuple[str, Place]]:
    """The words of the comments that stand above statements, of which a rule's id may be one."""
    starts: set[tuple[str, int]] = {(e.place.file, e.place.line) for e in encodings}
    for file, data in files:
        waiting: list[tuple[str, Place]] = []
        for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
            if line.startswith("%") and not line.startswith("%*"):
                words = line.translate(SPLITTING).split()
                waiting += [(word, Place(file, number)) for word in words]
            elif line.strip():
                if (file, number) in starts:
                    yield from waiting
                waiting = []
