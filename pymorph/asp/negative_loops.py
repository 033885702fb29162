"""Negative loops: rules whose atoms depend on their own negation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from clingo.ast import ASTType, Sign

from pymorph.asp.facts import Signature
from pymorph.asp.syntax_trees import atoms_of, rules_in, signatures


class NegativeLoop(NamedTuple):
    """The text of a rule that defines *head* and negates *read*, which depends on *head*; *members*
    are the predicates of the loop."""

    text: str
    head: Signature
    read: Signature
    members: frozenset[Signature]


def negative_loop(texts: Iterable[str], doubtful: Iterable[Signature]) -> NegativeLoop | None:
    """The first rule, of those in *texts*, by which one of the *doubtful* predicates depends on its
    own negation."""
    among = set(doubtful)
    reading: dict[Signature, set[Signature]] = {}
    denying: list[tuple[str, Signature, Signature]] = []
    for text in texts:
        rules = rules_in(text)
        if not rules or not hasattr(rules[-1].head, "atom"):
            continue
        heads = {a[:2] for a in signatures(rules[-1].head.atom.symbol)} & among
        for part in rules[-1].body:
            denied = part.ast_type != ASTType.Literal or part.sign == Sign.Negation
            for atom in atoms_of(part):
                for head in heads if atom[:2] in among else ():
                    reading.setdefault(head, set()).add(atom[:2])
                    if denied or part.atom.ast_type != ASTType.SymbolicAtom:
                        denying.append((text, head, atom[:2]))

    def behind(start: Signature) -> set[Signature]:
        """The predicates that it depends on, and itself."""
        seen, agenda = {start}, [start]
        while agenda:
            further = reading.get(agenda.pop(), set()) - seen
            seen |= further
            agenda += further
        return seen

    for text, head, read in denying:
        below = behind(read)
        if head in below:
            members = frozenset(predicate for predicate in below if head in behind(predicate))
            return NegativeLoop(text, head, read, members)
    return None
