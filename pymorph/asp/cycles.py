"""Rules that rest on their own opposite: which one leaves open what follows."""

from __future__ import annotations

from collections.abc import Iterable

from clingo.ast import AST, ASTType, Sign, parse_string

from pymorph.asp.facts import Signature
from pymorph.asp.trees import atoms_of, signatures


def looping(
    texts: Iterable[str], doubtful: Iterable[Signature]
) -> tuple[str, Signature, Signature] | None:
    """The rule, of those in *texts*, by which one of the *doubtful* predicates rests on its own
    opposite, with that predicate and the one that it denies; the first, if there are several."""
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

    def leads(start: Signature, end: Signature) -> bool:
        seen, agenda = {start}, [start]
        while agenda:
            current = agenda.pop()
            if current == end:
                return True
            further = reading.get(current, set()) - seen
            seen |= further
            agenda += further
        return False

    return next((found for found in denying if leads(found[2], found[1])), None)
