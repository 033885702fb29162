"""The successor state as a part of a program: the frame rule, and rules read after an action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from clingo import Symbol

from pymorph.asp.dependency import DependencyGraph, Statement, bounded
from pymorph.asp.facts import HOLDS, Key
from pymorph.asp.passes.renaming import Renaming, downstream, gives, reads_affected, renamed_text
from pymorph.ruleset.vocabulary import GIVEN, Vocabulary

CHANGES: tuple[Key, ...] = (("sets", 4, None), ("clears", 3, None), ("adds", 5, None))
PREFIX = "after_"

# The frame: a fluent keeps its value unless a transition sets it, clears it or adds to it. What is
# added leads no further than from one end of its range to the other.
FRAME = """
#defined sets/4. #defined clears/3. #defined adds/5.
verify_set(F,V)    :- sets(F,V,0,_).
verify_set(F,D)    :- clears(F,0,_), verify_default(F,D).
verify_summed(F)   :- adds(F,_,_,0,_).
verify_base(F,V)   :- verify_summed(F), verify_set(F,V).
verify_base(F,V)   :- verify_summed(F), holds(F,V,0), not verify_set(F,_).
verify_base(F,0)   :- verify_summed(F), not holds(F,_,0), not verify_set(F,_).
verify_wide(F,H-L) :- verify_summed(F), verify_range(F,L,H).
verify_delta(F,N)  :- verify_wide(F,W), N = #sum { A,I,R : adds(F,A,I,0,R) }, -W < N, N < W.
verify_delta(F,W)  :- verify_wide(F,W), #sum { A,I,R : adds(F,A,I,0,R) } >= W.
verify_delta(F,-W) :- verify_wide(F,W), #sum { A,I,R : adds(F,A,I,0,R) } <= -W.
verify_total(F,B+N) :- verify_base(F,B), verify_delta(F,N).
verify_after(F,N)  :- verify_total(F,N), verify_range(F,L,H), L <= N, N <= H.
verify_after(F,L)  :- verify_total(F,N), verify_range(F,L,_), N < L.
verify_after(F,H)  :- verify_total(F,N), verify_range(F,_,H), N > H.
verify_after(F,V)  :- verify_set(F,V), not verify_summed(F).
verify_after(F,V)  :- holds(F,V,0), not verify_set(F,_), not verify_summed(F).
next(F,V,0)        :- verify_after(F,V), not verify_default(F,V).
"""


def frame(words: Vocabulary, fluents: Iterable[Symbol]) -> list[str]:
    """The frame rule, with the default and the range of each fluent."""
    lines = [FRAME]
    for fluent in fluents:
        declared = words.fluents[fluent.name]
        if declared.default != GIVEN:
            lines.append(f"verify_default({fluent},{declared.default}).")
        sort = words.sorts[declared.value]
        if sort.kind == "range":
            lines.append(f"verify_range({fluent},{sort.low},{sort.high}).")
    return lines


def in_successor(
    index: DependencyGraph,
    sought: Sequence[Key],
    known: Iterable[Key],
    changing: frozenset[str],
    bounds: Mapping[str, tuple[int, int]],
) -> list[str]:
    """The rules behind *sought* atoms, read after a transition that changes the fluents of some
    names: ``ill_formed`` becomes ``after_ill_formed``, and what it reads of them is ``next``.

    Rules that read nothing that has changed are left out where they give what is sought: they say
    what they have said before.
    """
    relevant = index.leading_to(sought, index.firing(known), figured=True)
    affected = downstream(relevant, affected={HOLDS: changing})
    copied = affected.keys() - {HOLDS}
    names = tuple(sorted(((name, arity), PREFIX + name) for name, arity in copied))
    helpers = copied - {key[:2] for key in sought}
    return [
        _in_successor(bounded(part, bounds), names, changing)
        for part in relevant
        if reads_affected(part, affected) or gives(part) & helpers
    ]


def _in_successor(part: Statement, names: Renaming, changing: frozenset[str]) -> str:
    """A statement read after the transition. It is renamed by what stands in it alone, so that the
    text of one that was met before is known, whatever changes besides."""
    keys = {*part.signs.reads, *(key for key, _ in part.signs.gives)}
    signatures = {key[:2] for key in keys}
    fluents = frozenset(key[2] for key in keys if key[:2] == HOLDS and key[2] in changing)
    named = tuple(key for key in names if key[0] in signatures)
    return renamed_text(part.text, named, changing=fluents)
