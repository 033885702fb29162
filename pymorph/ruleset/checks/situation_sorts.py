"""Situations and transitions: rules that use one where only the other can be.

Fluents hold in a situation; the effects of an action belong to a transition. A rule that asks what
holds in a transition is an error: nothing does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from clingo.ast import AST, ASTType

from pymorph.asp.facts import Signature
from pymorph.asp.statements import CheckedStatement
from pymorph.asp.syntax_trees import Atom, variables
from pymorph.errors import Fault
from pymorph.ruleset.contract import CONTRACT, places_of

SituationSort = Literal["situation", "transition"]
OF_PROPERTIES: frozenset[Signature] = frozenset({("violated", 4), ("speaks", 2), ("measure", 3)})
DOES: Signature = ("does", 3)
NEXT: Signature = ("next", 3)

# The argument of each shared predicate that is a situation, and the one that is a transition.
SITUATIONS = places_of("situation")
TRANSITIONS = places_of("transition")
PLACES: Mapping[SituationSort, Mapping[Signature, int]] = {
    "situation": SITUATIONS,
    "transition": TRANSITIONS,
}
PLACED = SITUATIONS.keys() | TRANSITIONS.keys()
STATING = ("rule", "fact", "facts")
LETTERS: Mapping[SituationSort, str] = {"situation": "S", "transition": "T"}


def sort_errors(statements: Sequence[CheckedStatement]) -> Iterator[Fault]:
    """The atoms that rules of a ruleset read of a transition and that only situations have."""
    sorts = SituationSorts(statements)
    judged = {statement.place.file for statement in statements if statement.heads & OF_PROPERTIES}
    for statement in statements:
        if statement.trusted:
            continue
        if statement.kind in STATING and not statement.heads.isdisjoint(PLACED):
            for message in dict.fromkeys(sorts.errors_of_heads(statement)):
                yield Fault(message, statement.place)
        if statement.kind != "rule":
            continue
        elsewhere = statement.place.file not in judged or statement.heads & CONTRACT - OF_PROPERTIES
        if NEXT in statement.body and elsewhere:
            says = "only the rules of properties can read next/3"
            yield Fault(says, statement.place, meant=_before("holds", ("F", "V"), ()))
        if DOES in statement.body:
            for message, meant in dict.fromkeys(sorts.errors(statement)):
                yield Fault(message, statement.place, meant=meant)


def _before(name: str, before: Sequence[str], behind: Sequence[str]) -> str:
    """What to write for an atom whose situation is between other arguments."""
    return f"write {name}({', '.join((*before, 'S', *behind))}) for the position before the action"


class SituationSorts:
    """Which arguments are situations and which are transitions, derived from the rules."""

    def __init__(self, statements: Sequence[CheckedStatement]) -> None:
        self._giving: dict[Signature, list[CheckedStatement]] = defaultdict(list)
        self._known: dict[tuple[Signature, int], SituationSort | None] = {}
        for statement in statements:
            for signature in statement.heads:
                self._giving[signature].append(statement)

    def errors(self, statement: CheckedStatement) -> Iterator[tuple[str, str]]:
        """The atoms with a transition where only a situation can be; each with what to write."""
        _, positives, every = statement.atoms
        does = [arguments for *signature, arguments in positives if tuple(signature) == DOES]
        transitions = {_variable(arguments[2]) for arguments in does}
        transitions -= {"", *(_variable(arguments[1]) for arguments in does)}
        for name, arity, arguments in every if transitions else ():
            for index, argument in enumerate(arguments):
                word = _variable(argument)
                if word in transitions and self._sort((name, arity), index, set()) == "situation":
                    texts = list(map(str, arguments))
                    message = f"{name}/{arity} takes a situation, but {word} is a transition"
                    yield message, _before(name, texts[:index], texts[index + 1 :])

    def errors_of_heads(self, statement: CheckedStatement) -> Iterator[str]:
        """The atoms that a rule gives of something that is no situation, or no transition."""
        heads, positives, _ = statement.atoms
        for name, arity, arguments in heads:
            for wanted, places in PLACES.items():
                index = places.get((name, arity))
                if index is None:
                    continue
                argument = arguments[index]
                sorts = self._of(_variable(argument), positives, set())
                if other := sorts & {*PLACES} - {wanted}:
                    yield f"{name}/{arity} takes a {wanted}, but {argument} is a {other.pop()}"
                elif not any(variables(argument)):
                    what = f"argument {index + 1} of {name}/{arity} is a {wanted}, not {argument}"
                    yield f"{what}; write {LETTERS[wanted]}, and say in the body which it is"

    def _sort(
        self, signature: Signature, index: int, asked: set[tuple[Signature, int]]
    ) -> SituationSort | None:
        """The sort of an argument of a predicate; None, if it is unknown or may be anything."""
        if SITUATIONS.get(signature) == index:
            return "situation"
        if TRANSITIONS.get(signature) == index:
            return "transition"
        if signature in SITUATIONS or signature in TRANSITIONS:
            return None
        key = (signature, index)
        if key not in self._known:
            self._known[key] = self._derived(signature, index, asked | {key})
        return self._known[key]

    def _derived(
        self, signature: Signature, index: int, asked: set[tuple[Signature, int]]
    ) -> SituationSort | None:
        sorts: set[SituationSort | None] = set()
        for statement in self._giving[signature]:
            heads, positives, _ = statement.atoms
            for name, arity, arguments in heads:
                if (name, arity) == signature:
                    word = _variable(arguments[index])
                    sorts |= self._of(word, positives, asked) if word else {None}
        return sorts.pop() if len(sorts) == 1 else None

    def _of(
        self, word: str, positives: Sequence[Atom], asked: set[tuple[Signature, int]]
    ) -> set[SituationSort | None]:
        """The sort of a variable; none, if it depends only on what is being asked."""
        places = [
            ((name, arity), index)
            for name, arity, arguments in positives
            for index, argument in enumerate(arguments)
            if _variable(argument) == word
        ]
        rest = [place for place in places if place not in asked]
        for place in sorted(rest, key=lambda place: place[0] not in SITUATIONS | TRANSITIONS):
            sort = self._sort(*place, asked)
            if sort is not None:
                return {sort}
        return {None} if rest or not places else set()


def _variable(term: AST) -> str:
    return str(term.name) if term.ast_type == ASTType.Variable and term.name != "_" else ""
