"""Two versions of a ruleset in one program: the position is open and shared, and so is the action.

Of what differs between them, and of all that depends on it, the new version's rules stand beside
the old ones under other names: ``legal`` of the new one is ``new_legal``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from clingo import Function, Symbol

from pymorph.asp.dependency import Statement
from pymorph.asp.facts import RULED, Key, Signature, paired, rulings
from pymorph.asp.guard import words_in
from pymorph.asp.passes.renaming import (
    PREFIX,
    Affected,
    carrying_out,
    downstream,
    framed,
    is_affected,
    product,
    reads_affected,
)
from pymorph.errors import OutOfTime
from pymorph.ruleset.vocabulary import Declared, Vocabulary
from pymorph.terms import text_of
from pymorph.verify.scope import Scope, once
from pymorph.verify.sources import Sources, encoding
from pymorph.verify.spaces.domain import Domain, action_keys, any_term, position_keys
from pymorph.verify.spaces.model_search import ModelSearch, OpenModel, bearing, keys_in
from pymorph.verify.spaces.successor import CHANGES, frame
from pymorph.verify.versions.compared_answers import (
    EFFECT,
    FIGURES,
    LEGAL,
    POSITIONS,
    SURVEYED,
    WORKED_OUT,
)

RULES = encoding("versions")
ANY = Function("any")
OLD, NEW = "old", "new"
# The same answer for another reason: of interest where a rule makes no answer another.
WEAKER = {"reason": "legal", "lets": "offer", "cause": "change", "flaw": "form"}
OF_VERSION = re.compile(r"\b(verify_)?(this|that)_(\w+)")
SIDES = re.compile(r"\b(this|that)\b")
ASKED: tuple[Signature, ...] = (
    ("legal", 2), ("reason", 3), ("proposed", 3), ("forced", 3), ("chance", 5), ("unfolds", 4),
)  # fmt: skip
EFFECTS: tuple[Signature, ...] = (*(key[:2] for key in CHANGES), ("happens", 3), ("halts", 2))


class Topic(NamedTuple):
    """Something in which versions may differ: the *signatures* of what says so, and by which facts.

    *acting*: it is about an action that is asked about.
    """

    signatures: tuple[Signature, ...]
    acting: bool = False
    facts: tuple[str, ...] = ()

    def sought(self, name: str) -> tuple[Key, ...]:
        """The keys of the atoms that say so of an action or a figure."""
        about = name if self.signatures in (ASKED, WORKED_OUT) else None
        return tuple((*signature, about) for signature in self.signatures)


TOPICS = {
    POSITIONS: Topic((("ill_formed", 3),)),
    LEGAL: Topic(ASKED, True),
    EFFECT: Topic(EFFECTS, True),
    FIGURES: Topic(WORKED_OUT, facts=SURVEYED),
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


@dataclass(frozen=True, slots=True)
class DifferencePiece:
    """A topic, and the action or the figure that it is about; *opening* leaves readings open."""

    topic: str
    name: str = ""
    opening: bool = False


class Difference(NamedTuple):
    """A *kind* of answer in which two versions differ, by a *rule* of one *side*, and where."""

    kind: str
    side: str
    about: str
    rule: str
    model: OpenModel


@dataclass(frozen=True)
class SharedDomain(Domain):
    """The positions and actions that two versions have in common."""

    theirs: Vocabulary = field(kw_only=True)

    @classmethod
    def by(cls, scope: Scope, theirs: Vocabulary) -> SharedDomain:
        base = Domain.of(scope)
        return cls(**{f.name: getattr(base, f.name) for f in fields(base)}, theirs=theirs)

    def members(self, name: str) -> list[Symbol]:
        members = super().members(name)
        if name not in self.theirs.sorts:
            return []
        return [m for m in members if self.theirs.belongs(m, name, self.scene)]

    @cached_property
    def fluents(self) -> dict[Symbol, tuple[Symbol, ...]]:
        own = Domain.fluents.func(self)  # type: ignore[attr-defined]
        return {f: values for f, values in own.items() if self.alike(f.name)}

    def alike(self, name: str) -> bool:
        """Do both versions declare a fluent of that name in the same way?"""
        declared = [words.fluents.get(name) for words in (self.words, self.theirs)]
        ours, other = ((f.sorts, f.value, f.default) if f else None for f in declared)
        return ours is not None and ours == other


@once
def slice_of(scope: Scope, piece: DifferencePiece) -> tuple[Statement, ...]:
    """The statements of a version that bear on a piece."""
    ruleset, topic = scope.ruleset, TOPICS[piece.topic]
    known = position_keys(ruleset.vocabulary)
    known |= {(*RULED, paired(q, o)) for q, o in scope.rulings.items()}
    known |= {key for text in topic.facts for key in keys_in(text)}
    acting = {piece.name} if topic.acting else set[str]()
    if acting:
        known |= action_keys(piece.name, piece.topic == EFFECT)
    if piece.opening:
        known |= rulings(ruleset.options)
    return tuple(bearing(scope, topic.sought(piece.name), known, acting, piece.opening))


@dataclass(frozen=True)
class DifferentialSearch:
    """Two versions of a ruleset, and the search for positions in which they answer differently."""

    old: Scope
    new: Scope

    @cached_property
    def removed(self) -> frozenset[Statement]:
        """The statements that only the old one has."""
        return frozenset(self.old.sources.parts) - frozenset(self.new.sources.parts)

    @cached_property
    def added(self) -> frozenset[Statement]:
        """The statements that only the new one has."""
        return frozenset(self.new.sources.parts) - frozenset(self.old.sources.parts)

    @cached_property
    def replaced(self) -> bool:
        """Does all that is new wait for the same as something that is gone, and give the same?"""
        known = {(part.signs.requires, part.signs.defines) for part in self.removed}
        return all((part.signs.requires, part.signs.defines) in known for part in self.added)

    @cached_property
    def affected(self) -> Affected:
        """All that depends on what differs."""
        return downstream([*self.old.sources.parts, *self.added], self.removed | self.added)

    @cached_property
    def domain(self) -> SharedDomain:
        """The positions of both, with those cards first that the difference is about."""
        sources = self.old.sources
        texts = {part.text for part in self.removed | self.added}
        statements = (*sources.statements, *self.new.sources.statements)
        differing = tuple(s for s in statements if s.text in texts)
        joint = replace(self.old, changed=frozenset(range(len(differing))))
        vars(joint)["sources"] = Sources(differing, sources.facts)
        vars(joint)["starts"] = self.old.starts
        return SharedDomain.by(joint, self.new.ruleset.vocabulary)

    def pieces(self) -> Iterator[DifferencePiece]:
        """The topics, each of what both versions have: actions, figures and findings."""
        ours, theirs = self.old.ruleset.vocabulary, self.new.ruleset.vocabulary
        actions = [n for n in ours.actions if alike(ours.actions, theirs.actions, n)]
        yield DifferencePiece(POSITIONS)
        yield from (DifferencePiece(LEGAL, name) for name in actions)
        yield from (DifferencePiece(EFFECT, name) for name in actions)
        for here, there in ((ours.figures, theirs.figures), (ours.findings, theirs.findings)):
            yield from (DifferencePiece(FIGURES, name) for name in here if alike(here, there, name))

    def differing(self, piece: DifferencePiece) -> frozenset[str]:
        """The statements of one version alone that bear on a piece."""
        sought = TOPICS[piece.topic].sought(piece.name)
        if not any(is_affected(key, self.affected) for key in sought):
            return frozenset()
        if self.replaced and self.removed.isdisjoint(slice_of(self.old, piece)):
            return frozenset()
        ours, theirs = self._parts(piece)
        return frozenset({p.text for p in ours} ^ {p.text for p in theirs})

    def _parts(self, piece: DifferencePiece) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
        return slice_of(self.old, piece), slice_of(self.new, piece)

    # -- searching -------------------------------------------------------------------------------

    def search(self, piece: DifferencePiece, first: bool = False) -> ModelSearch:
        """The positions in which the versions differ, for each way; just `ANY` way, if *first*."""
        topic = TOPICS[piece.topic]
        schemas = [self.old.ruleset.vocabulary.actions[piece.name]] if topic.acting else []
        wanted = [piece]
        if piece.topic == EFFECT:
            wanted.append(replace(piece, topic=LEGAL))
        if piece.topic != POSITIONS:
            wanted.append(replace(piece, topic=POSITIONS, name=""))
        sides = zip(*map(self._parts, wanted), strict=True)
        ours, theirs = ([*dict.fromkeys(chain.from_iterable(parts))] for parts in sides)
        here, there = frozenset(ours), frozenset(theirs)
        affected = downstream([*here, *(there - here)], here ^ there)
        doubled = frozenset(affected)
        parts = list(product(ours, theirs, affected, self.new.ruleset.bounds))
        if piece.topic == EFFECT:
            parts.append(carrying_out(piece.name, doubled))
        sought = {key for part in wanted for key in TOPICS[part.topic].sought(part.name)}
        sought |= {(PREFIX + n, a, f) for n, a, f in sought if (n, a) in doubled}
        goal = f"verify_goal({ANY}) :- verify_apart(_)." if first else RULES["goals"]
        named = here ^ there | {part for part in here if reads_affected(part, affected)}
        lines = [*self._rules(piece, affected), *self._cited(named), goal]
        if piece.topic != POSITIONS and ("ill_formed", 3) in doubled:
            lines.append(f":- {PREFIX}ill_formed(_,0,_).")
        return ModelSearch(
            self.old, self.domain, "\n".join(lines), sought, schemas,
            facts=topic.facts, parts=parts, well_formed=piece.topic != POSITIONS,
            opening=piece.opening,
        )  # fmt: skip

    def _cited(self, parts: Iterable[Statement]) -> Iterator[str]:
        """By what name each rule is cited: its own, if it stands in some statements, else none."""
        words = {word for part in parts for word in words_in(part.text)}
        known = {rule for scope in (self.old, self.new) for rule in scope.ruleset.rules}
        yield "verify_as(#sup,none)."
        yield from (f"verify_as({rule},none)." for rule in sorted(known - words))
        yield from (f"verify_as({word},{word})." for word in sorted(words))

    def _rules(self, piece: DifferencePiece, affected: Affected) -> Iterator[str]:
        """What is looked for, said of each version against the other."""
        doubled = {name for name, _ in affected}
        if piece.topic == EFFECT:
            for words, prefix in ((self.old, ""), (self.new, PREFIX)):
                rules = frame(words.ruleset.vocabulary, self.domain.fluents)
                yield from framed("\n".join(rules), doubled, prefix)
            doubled.add("next")
            kinds = {name for key in CHANGES for name in affected.get(key[:2], ())}
            for fluent in self.domain.fluents:
                if None in kinds or fluent.name in kinds:
                    yield f"verify_kind({fluent},{fluent.name})."
        if piece.topic == FIGURES:
            declared = {**self.domain.words.figures, **self.domain.words.findings}[piece.name]
            term = any_term(declared, "X")
            for name, arity in WORKED_OUT:
                for prefix in ("", PREFIX) if name in doubled else ("",):
                    rest = ",_" * (arity - 1)
                    yield f"verify_of({term}) :- {prefix}{name}({term}{rest})."
        for side in (OLD, NEW):
            yield sided(RULES[piece.topic], doubled, side)

    def differences(self, piece: DifferencePiece, search: ModelSearch) -> Iterator[Difference]:
        """Every way in which the versions differ, with the smallest position that shows it."""
        goals = {tuple(map(text_of, goal.arguments)): goal for goal in search.reached}
        for (kind, side, about, rule), goal in sorted(goals.items()):
            stronger = WEAKER.get(kind)
            if stronger and any((k, r) == (stronger, rule) for k, _, _, r in goals):
                continue
            try:
                model = search.smallest(goal)
            except OutOfTime:
                model = search.some(goal)
            if model is not None:
                yield Difference(kind, side, about, rule, model)


def alike(ours: Mapping[str, Declared], theirs: Mapping[str, Declared], name: str) -> bool:
    """Do both declare this name with the same sorts?"""
    return name in theirs and ours[name].sorts == theirs[name].sorts
