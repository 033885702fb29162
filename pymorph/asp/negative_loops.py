"""Negative loops: rules whose atoms depend on their own negation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import networkx as nx  # type: ignore[import-untyped]

from pymorph.asp.facts import Signature
from pymorph.asp.syntax_trees import occurrences_in, rules_in


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
    reading = nx.DiGraph()
    denying: list[tuple[str, Signature, Signature]] = []
    for text in texts:
        every = [one for rule in rules_in(text)[-1:] for one in occurrences_in(rule)]
        atoms = [(one, atom[:2]) for one in every for atom in one.atoms if atom[:2] in among]
        heads = [predicate for one, predicate in atoms if one.derived]
        for one, predicate in atoms:
            pairs = [(head, predicate) for head in heads if not one.derived]
            reading.add_edges_from(pairs)
            denying += [(text, *pair) for pair in pairs if not one.needed]
    loops = list(map(frozenset, nx.strongly_connected_components(reading)))
    for text, head, read in denying:
        for loop in loops:
            if {head, read} <= loop:
                return NegativeLoop(text, head, read, loop)
    return None
