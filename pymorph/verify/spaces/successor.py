"""The successor state as a part of a program: the frame rule, and rules read after an action."""

from __future__ import annotations

from collections.abc import Iterable

from clingo import Symbol

from pymorph.asp.dependency import Statement, bounded
from pymorph.asp.facts import HOLDS, Key
from pymorph.asp.passes.renaming import Renaming, downstream, reads_affected, renamed_text
from pymorph.ruleset.vocabulary import GIVEN, Vocabulary
from pymorph.verify.scope import Scope
from pymorph.verify.sources import encoding
from pymorph.verify.spaces.domain import Domain

RULES = encoding("successor")
CHANGES: tuple[Key, ...] = (("sets", 4, None), ("clears", 3, None), ("adds", 5, None))
PREFIX = "after_"


def frame(words: Vocabulary, fluents: Iterable[Symbol]) -> list[str]:
    """The frame rule, with the default and the range of each fluent."""
    lines = [RULES["frame"]]
    for fluent in fluents:
        declared = words.fluents[fluent.name]
        if declared.default != GIVEN:
            lines.append(f"verify_default({fluent},{declared.default}).")
        sort = words.sorts[declared.value]
        if sort.kind == "range":
            lines.append(f"verify_range({fluent},{sort.low},{sort.high}).")
    return lines


def in_successor(
    scope: Scope, domain: Domain, known: Iterable[Key], changing: frozenset[str]
) -> list[str]:
    """The rules behind ``ill_formed``, read after a transition that changes the fluents of some
    names: it becomes ``after_ill_formed``, and what it reads of them is ``next``.

    Rules that read nothing that has changed are left out where they give ``ill_formed``: they say
    what they have said before.
    """
    index, sought = scope.sources.index(), ("ill_formed", 3)
    relevant = index.leading_to([(*sought, None)], index.firing(known), figured=True)
    affected = downstream(relevant, affected={HOLDS: changing})
    copied = affected.keys() - {HOLDS}
    names = tuple(sorted(((name, arity), PREFIX + name) for name, arity in copied))
    helpers = copied - {sought}
    differing = (p for p in relevant if reads_affected(p, affected) or p.signs.heads & helpers)
    return [_in_successor(bounded(part, domain.ranges), names, changing) for part in differing]


def _in_successor(part: Statement, names: Renaming, changing: frozenset[str]) -> str:
    """A statement read after the transition. It is renamed by what stands in it alone, so that the
    text of one that was met before is known, whatever changes besides."""
    keys = {*part.signs.uses, *(key for key, _ in part.signs.defines)}
    signatures = {key[:2] for key in keys}
    fluents = frozenset(key[2] for key in keys if key[:2] == HOLDS and key[2] in changing)
    named = tuple(key for key in names if key[0] in signatures)
    return renamed_text(part.text, named, changing=fluents)
