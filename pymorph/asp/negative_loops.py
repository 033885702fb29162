"""Rules that rest on their own opposite: which one leaves open what follows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from clingo.ast import AST, ASTType, Sign, parse_string

from pymorph.asp.facts import Signature
from pymorph.asp.syntax_trees import atoms_of, signatures


class Circle(NamedTuple):
    """The text of a rule that gives *head* and denies *read*, which rests on *head*; *members* are
    the predicates on the way round."""

    text: str
    head: Signature
    read: Signature
    members: frozenset[Signature]


def looping(texts: Iterable[str], doubtful: Iterable[Signature]) -> Circle | None:
    """The rule, of those in *texts*, by which one of the *doubtful* predicates rests on its own
    opposite; the first, if there are several."""
    among = set(doubtful)
    reading: dict[Signature, set[Signature]] = {}
    denying: list[tuple[str, Signature, Signature]] = []
    for text in texts:
        trees: list[AST] = []
        parse_string(text, trees.append)
        if trees[-1].ast_type != ASTType.Rule or not hasattr(trees[-1].head, "atom"):
            continue
        heads = {a[:2] for a in signatures(trees[-1].head.atom.symbol)} & among
        for part in trees[-1].body:
            literal = part.ast_type == ASTType.Literal
            denied = (literal and part.sign == Sign.Negation) or not literal
            for atom in atoms_of(part):
                for head in heads if atom[:2] in among else ():
                    reading.setdefault(head, set()).add(atom[:2])
                    if denied or part.atom.ast_type != ASTType.SymbolicAtom:
                        denying.append((text, head, atom[:2]))

    def behind(start: Signature) -> set[Signature]:
        """What it rests on, and itself."""
        seen, agenda = {start}, [start]
        while agenda:
            further = reading.get(agenda.pop(), set()) - seen
            seen |= further
            agenda += further
        return seen

    for text, head, read in denying:
        below = behind(read)
        if head in below:
            around = frozenset(each for each in below if head in behind(each))
            return Circle(text, head, read, around)
    return None
