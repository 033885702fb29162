"""In what two versions of a ruleset may differ, and the rules that look for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from pymorph.asp.facts import Key, Signature
from pymorph.asp.passes.renaming import PREFIX
from pymorph.verify.spaces.successor import CHANGES

OLD, NEW = "old", "new"
# What is looked for, of one version (this) and the other (that): (kind, this, what of, rule);
# rules are named that stand in what differs or depends on it; of all others it says none.
LEGALITY = """
verify_apart((legal,this,none,Z)) :-
    asked(A,0), verify_as(R,Z), that_legal(A,0), not this_legal(A,0), this_reason(A,0,R).
verify_apart((doubt,this,none,none)) :-
    asked(A,0), that_legal(A,0), not this_legal(A,0), not this_reason(A,0,_).
verify_apart((offer,this,none,none)) :-
    asked(A,0), this_legal(A,0), that_legal(A,0),
    this_proposed(A,0,_), not that_proposed(A,0,_).
verify_apart((lets,this,none,Z)) :-
    asked(A,0), verify_as(R,Z), this_legal(A,0), that_legal(A,0),
    this_proposed(A,0,R), that_proposed(A,0,_), not that_proposed(A,0,R).
verify_apart((steps,this,none,none)) :-
    asked(A,0), this_legal(A,0), that_legal(A,0),
    this_unfolds(A,X,Y,0), not that_unfolds(A,X,Y,0).
verify_apart((reason,this,none,Z)) :-
    asked(A,0), verify_as(R,Z), not this_legal(A,0), not that_legal(A,0),
    this_reason(A,0,R), not that_reason(A,0,R).
verify_apart((odds,this,none,Z)) :-
    asked(A,0), verify_as(R,Z), this_chance(A,N,D,0,R), not that_chance(A,N,D,0,R).
verify_apart((forced,this,none,none)) :-
    asked(A,0), this_forced(A,0,_), not that_forced(A,0,_).
"""
# Behind the frame, once for each version; what is done is the same.
DONE = """
verify_this_cause(F,R) :- this_sets(F,_,0,R).
verify_this_cause(F,R) :- this_clears(F,0,R).
verify_this_cause(F,R) :- this_adds(F,_,_,0,R).
verify_moved(F) :- this_next(F,V,0), not holds(F,V,0).
verify_moved(F) :- holds(F,V,0), not this_next(F,V,0).
verify_differs(F) :- this_next(F,V,0), not that_next(F,V,0).
verify_apart((change,this,K,Z)) :-
    verify_differs(F), verify_kind(F,K), verify_this_cause(F,R), verify_as(R,Z).
verify_apart((cause,this,K,Z)) :-
    verify_as(R,Z),
    verify_moved(F), verify_kind(F,K), not verify_differs(F),
    verify_this_cause(F,R), not verify_that_cause(F,R).
verify_apart((event,this,none,Z)) :-
    verify_as(R,Z), this_happens(E,0,R), not that_happens(E,0,R).
verify_apart((halt,this,none,Z)) :- verify_as(R,Z), this_halts(0,R), not that_halts(0,_).
"""
# The items are compared, not the sums: those are hard to look for, and hang on nothing else.
FIGURED = """
verify_apart((figure,this,none,Z)) :-
    verify_as(R,Z), this_entry(Q,I,N,0,R), N != 0, not that_entry(Q,I,N,0,R), verify_of(Q).
verify_apart((figure,this,none,Z)) :-
    verify_as(R,Z), this_never(Q,0,R), not that_never(Q,0,R), verify_of(Q).
verify_apart((figure,this,none,Z)) :-
    verify_as(R,Z), this_finding(Q,X,0,R), not that_finding(Q,X,0,R), verify_of(Q).
verify_apart((figure,this,none,Z)) :-
    verify_as(R,Z), this_unknown(Q,I,0,R), not that_unknown(Q,I,0,R), verify_of(Q).
"""
FORM = """
verify_apart((form,this,none,Z)) :-
    verify_as(R,Z), this_ill_formed(_,0,R), not that_ill_formed(_,0,_).
verify_apart((flaw,this,none,Z)) :-
    verify_as(R,Z), this_ill_formed(_,0,R), that_ill_formed(_,0,_), not that_ill_formed(_,0,R).
"""
# Each way is a goal, and all that no rule is named for together.
GOALS = """
verify_goal((X,S,K,R)) :- verify_apart((X,S,K,R)), R != none.
verify_goal((other,both,none,none)) :- verify_apart((_,_,_,none)).
"""
# The same answer for another reason: of interest where a rule makes no answer another.
WEAKER = {"reason": "legal", "lets": "offer", "cause": "change", "flaw": "form"}
OF_VERSION = re.compile(r"\b(verify_)?(this|that)_(\w+)")
SIDES = re.compile(r"\b(this|that)\b")
ASKED: tuple[Signature, ...] = (
    ("legal", 2), ("reason", 3), ("proposed", 3), ("forced", 3), ("chance", 5), ("unfolds", 4),
)  # fmt: skip
EFFECTS: tuple[Key, ...] = (*CHANGES, ("happens", 3, None), ("halts", 2, None))
WORKED_OUT: tuple[Signature, ...] = (("entry", 5), ("never", 3), ("finding", 4), ("unknown", 4))
SURVEYED = ("surveying(0).", "wide(0).")


class Topic(NamedTuple):
    """Something in which versions may differ: what is sought of it, and by which facts.

    *acting*: it is about an action that is asked about.
    """

    meaning: str
    rules: str
    sought: Callable[[str], tuple[Key, ...]]
    acting: bool = False
    facts: tuple[str, ...] = ()


def of_name(signatures: tuple[Signature, ...]) -> Callable[[str], tuple[Key, ...]]:
    return lambda name: tuple((*signature, name) for signature in signatures)


POSITIONS, LEGAL, EFFECT, FIGURES = ("positions", "legality", "changes", "figures")
TOPICS = {
    POSITIONS: Topic("Which positions are valid.", FORM, lambda _: (("ill_formed", 3, None),)),
    LEGAL: Topic(
        "Which actions are legal, and which rules forbid the others.",
        LEGALITY,
        of_name(ASKED),
        True,
    ),
    EFFECT: Topic(
        "What an action that both versions allow changes and causes.", DONE, lambda _: EFFECTS, True
    ),
    FIGURES: Topic(
        "What the value of each figure is, and from which items.",
        FIGURED,
        of_name(WORKED_OUT),
        facts=SURVEYED,
    ),
}


def sided(rules: str, doubled: Collection[str], side: str) -> str:
    """Rules on this version and that one, where this is the one of a *side*.

    Predicates that are *doubled* have another name in the new version.
    """

    def name(match: re.Match[str]) -> str:
        new = (match[2] == "this") == (side == NEW)
        if match[1]:
            return f"verify_{PREFIX if new else ''}{match[3]}"
        return f"{PREFIX if new and match[3] in doubled else ''}{match[3]}"

    return SIDES.sub(side, OF_VERSION.sub(name, rules))
