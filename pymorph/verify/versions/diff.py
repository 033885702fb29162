"""How two versions of a ruleset differ: words and questions, and positions that show it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from pymorph.answers import below, json_keys
from pymorph.ruleset.declarations import SIGNATURES
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import GIVEN, Sort, Vocabulary
from pymorph.terms import text_of
from pymorph.verify.citations import ABOUT
from pymorph.verify.effort import EFFORT
from pymorph.verify.frame import described
from pymorph.verify.pieces import Resources
from pymorph.verify.report import (
    UNKNOWN,
    VIOLATED,
    Finding,
    Piece,
    Property,
    PropertyResult,
    Witness,
    confirm,
    unsettled,
)
from pymorph.verify.runner import check_pieces, selected
from pymorph.verify.scope import Bounds, Scope, once
from pymorph.verify.spaces.space_size import check_size
from pymorph.verify.versions.compared_answers import ProductAnswer, answer
from pymorph.verify.versions.differential import (
    TOPICS,
    Difference,
    DifferencePiece,
    DifferentialSearch,
)

DIFFERENT = "different"
SAME = "same within bound"
ALIKE = "the same"
OTHERWISE = " under other readings"
STATUSES = {VIOLATED: DIFFERENT, UNKNOWN: UNKNOWN}  # the weightier first


@json_keys(
    paths={"position": "witness.position.data", **below("witness", "action", "readings")},
    without=["witness"],
    or_null=["action"],
)
class ComparedWitness(NamedTuple):
    """What an answer says of the position that shows a difference."""

    witness: Witness


@json_keys(
    also=["witness"],
    paths=below("finding", "subject", "says", "rules", "status"),
    without=["finding"],
)
class ComparedFinding(NamedTuple):
    """What an answer says of a difference."""

    finding: Finding

    @property
    def witness(self) -> ComparedWitness | None:
        witness = self.finding.witness
        return None if witness is None else ComparedWitness(witness)


@json_keys(
    also=["findings"],
    paths={
        **below("topic", "id", "meaning", "status", "bound", "looked", "more", "notes"),
        "seconds": "topic.seconds",
    },
    without=["topic"],
    when={"seconds": "topic.timed"},
)
class ComparedTopic(NamedTuple):
    """What an answer says of a topic."""

    topic: PropertyResult

    @property
    def findings(self) -> tuple[ComparedFinding, ...]:
        return tuple(map(ComparedFinding, self.topic.findings))


@json_keys(
    also=["status"],
    paths={"old": "old.edition", "new": "new.edition", "topics": "compared"},
    without=["bound", "timed"],
    when={"seconds": "timed"},
)
@dataclass(frozen=True, slots=True)
class Comparison:
    """Two versions side by side: what differs in *words*, and what was found of each topic.

    A topic that nothing bears on which differs is the same, whatever the position.
    """

    old: Ruleset
    new: Ruleset
    bounds: Bounds
    bound: str
    words: tuple[str, ...]
    topics: tuple[PropertyResult, ...]
    notes: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)
    interrupted: bool = False
    timed: bool = field(default=False, compare=False)

    @property
    def status(self) -> str:
        statuses = {topic.status for topic in self.topics}
        if self.words or DIFFERENT in statuses:
            return DIFFERENT
        if UNKNOWN in statuses or self.interrupted:
            return UNKNOWN
        return SAME if SAME in statuses else ALIKE

    @property
    def compared(self) -> tuple[ComparedTopic, ...]:
        return tuple(map(ComparedTopic, self.topics))

    def with_timings(self) -> Comparison:
        """The same; its JSON says how long each topic took, which differs from run to run."""
        return replace(
            self,
            seconds=round(self.seconds, 3),
            timed=True,
            topics=tuple(t.with_timings() for t in self.topics),
        )


def compare(
    old: Ruleset,
    new: Ruleset,
    target: Ruleset | None = None,
    bounds: Bounds | None = None,
    rulings: Mapping[str, str] | None = None,
    ids: Iterable[str] = (),
    resources: Resources | None = None,
) -> Comparison:
    """Where two versions of a ruleset answer differently, within some bounds.

    Witnesses are positions of the ruleset *target*, by default the new one.

    Raises: UnknownName, if there is no such topic; InputError, if the bounds are too wide;
    RulesetError, if the files have changed.
    """
    start = time.monotonic()
    scope = Scope(old, bounds or Bounds.of(old), dict(rulings or {}))
    target = target or new
    topics = tuple(
        described(n, partial(_study, new, target, n), partial(_pieces, new, n)) for n in TOPICS
    )
    chosen = selected(topics, ids)
    obstacles = tuple(_obstacles(old.vocabulary, new.vocabulary))
    words = tuple(differing_words(old, new))
    search = _search(scope, new)
    if obstacles:
        return Comparison(old, new, scope.bounds, "", words, (), obstacles)
    check_size(scope)
    pieces = {topic: topic.pieces(scope) for topic in chosen}
    pieces_of, took, interrupted = check_pieces([scope], pieces, resources or Resources())
    bound = search.domain.bound
    checked = tuple(
        _result(topic, pieces_of[topic.id], bound if pieces[topic] else "", took[topic.id])
        for topic in chosen
    )
    notes = tuple(_notes(search)) if len(chosen) == len(topics) else ()
    spent = time.monotonic() - start
    return Comparison(old, new, scope.bounds, bound, words, checked, notes, spent, interrupted)


def _result(about: Property, piece: Piece, bound: str, seconds: float) -> PropertyResult:
    """What was found of a topic; it is the same, if there is no *bound* within which it differs."""
    findings = tuple(_merged(piece.findings))
    statuses = {finding.status for finding in findings}
    status = next((says for s, says in STATUSES.items() if s in statuses), SAME)
    return PropertyResult(
        about.id, about.meaning, status if bound else ALIKE, bound,
        piece.looked, 0, piece.more, findings, piece.notes, seconds,
    )  # fmt: skip


def _merged(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Findings with the same witness that say the same, as one of all their rules."""
    merged: dict[object, Finding] = {}
    for finding in findings:
        key = (finding.subject, finding.says, finding.witness, finding.status)
        rules = {*(merged[key].rules if key in merged else ()), *finding.rules}
        merged[key] = replace(finding, rules=tuple(sorted(rules)))
    yield from merged.values()


def _notes(search: DifferentialSearch) -> Iterator[str]:
    """What differs and was not looked at."""
    pieces = [replace(piece, opening=o) for piece in search.pieces() for o in (False, True)]
    seen = frozenset[str]().union(*(search.differing(piece) for piece in pieces))
    static = SIGNATURES | ABOUT
    idle = {p.text for p in search.removed | search.added if not p.signs.heads <= static} - seen
    if idle:
        text = min(idle, key=lambda t: (len(t), t))
        yield f"differences that affect nothing that was compared: {len(idle)}, such as {text}"


# -- pieces of the work ----------------------------------------------------------------------------


@once
def _search(scope: Scope, new: Ruleset) -> DifferentialSearch:
    def of(version: Ruleset) -> Scope:
        rulings = {q: o for q, o in scope.rulings.items() if q in version.questions}
        return Scope(version, scope.bounds, rulings)

    return DifferentialSearch(of(scope.ruleset), of(new))


def _pieces(new: Ruleset, topic: str, scope: Scope) -> list[str]:
    """The actions or figures of a topic on which something bears that differs; those on which more
    does under other readings a second time."""
    search = _search(scope, new)
    names = []
    for piece in search.pieces():
        if piece.topic == topic:
            usual = search.differing(piece)
            names += [piece.name] if usual else []
            more = search.differing(replace(piece, opening=True)) - usual
            names += [piece.name + OTHERWISE] if more else []
    return names


def _study(new: Ruleset, target: Ruleset, topic: str, scope: Scope, name: str) -> Iterator[Piece]:
    """What is found of a piece; if that is nothing under the readings in force, under all."""
    search = _search(scope, new)
    otherwise = name.endswith(OTHERWISE)
    piece = DifferencePiece(topic, name.removesuffix(OTHERWISE), otherwise)
    differs = False
    for result in _searched(search, target, piece):
        differs = differs or bool(result.findings)
        yield result
    wider = replace(piece, opening=True)
    again = search.differing(wider)
    if again and not differs and not otherwise and not again - search.differing(piece):
        yield from _searched(search, target, wider)


def _searched(
    versions: DifferentialSearch, target: Ruleset, piece: DifferencePiece
) -> Iterator[Piece]:
    """How many positions were looked at, then each finding as it comes."""
    search = versions.search(piece)
    looked = search.counted()
    yield Piece(looked, 0, looked >= EFFORT.positions_counted)
    differs = False
    for difference in versions.differences(piece, search):
        differs = True
        yield Piece(findings=(_finding(versions, target, piece, difference),))
    if search.unsettled and not differs:
        says = "the time ran out before both versions were compared"
        yield Piece(findings=(unsettled(piece.name or piece.topic, says),))


def _finding(
    versions: DifferentialSearch, target: Ruleset, piece: DifferencePiece, difference: Difference
) -> Finding:
    """A difference, if the ordinary verbs tell it too."""
    old, new = versions.old, versions.new
    position, action = difference.model.position, difference.model.action
    rulings = dict(position.rulings)
    if piece.opening:  # what the versions read differently is read as the old one has it
        rulings = {q: o for q, o in old.reading.items() if new.reading.get(q) != o} | rulings
    here = replace(position, rulings={**old.rulings, **rulings})
    there = replace(position, ruleset=new.ruleset, rulings={**new.rulings, **rulings})
    says, sure = compared(*(answer(p, piece.topic, piece.name, action) for p in (here, there)))
    choices = tuple(sorted((q, o) for q, o in rulings.items() if old.rulings.get(q) != o))
    known = {q: o for q, o in here.rulings.items() if q in target.questions}
    about = difference.model.witness.action
    witness = Witness(replace(position, ruleset=target, rulings=known), about, None, choices)
    rules = (difference.rule,) if difference.rule != "none" else ()
    return confirm(sure, about or piece.name or piece.topic, says, witness, rules)


def compared(old: ProductAnswer, new: ProductAnswer) -> tuple[str, bool]:
    """What both say, of the weightiest thing of which they say something else."""
    for ours, theirs in zip(old, new, strict=True):
        if ours != theirs:
            differing = (ours - theirs, theirs - ours)
            here, there = ("; ".join(sorted(says)) or "nothing" for says in differing)
            return f"old: {here}; new: {there}", True
    return "both versions give the same answer", False


# -- in words --------------------------------------------------------------------------------------


def differing_words(old: Ruleset, new: Ruleset) -> Iterator[str]:
    """What one version can speak of and the other cannot; questions that are read differently."""
    ours, theirs = old.vocabulary, new.vocabulary
    for kind in ("action", "figure", "finding", "fluent"):
        here, there = getattr(ours, f"{kind}s"), getattr(theirs, f"{kind}s")
        yield from _listed(kind, here, there)
        both = [name for name in here if name in there]
        yield from (f"{kind} {n}: declared differently" for n in both if here[n] != there[n])
    yield from _listed("sort", ours.sorts, theirs.sorts)
    for name, sort in ours.sorts.items():
        if name in theirs.sorts and sort != theirs.sorts[name]:
            yield from _members(sort, theirs.sorts[name])
    yield from _listed("question", old.questions, new.questions)
    for name in old.questions.keys() & new.questions.keys():
        yield from _listed(f"option of {name}", old.options[name], new.options[name])
        if old.defaults[name] != new.defaults[name]:
            yield f"question {name}: the default was {old.defaults[name]}, now {new.defaults[name]}"
    yield from _listed("rule", old.rules, new.rules)


def _listed(kind: str, here: Iterable[str], there: Iterable[str]) -> Iterator[str]:
    ours, theirs = list(here), list(there)
    yield from (f"{kind} {name}: removed" for name in ours if name not in theirs)
    yield from (f"{kind} {name}: added" for name in theirs if name not in ours)


def _members(old: Sort, new: Sort) -> Iterator[str]:
    """The members that a sort has in one version only."""
    if (old.kind, old.low, old.high, old.of) != (new.kind, new.low, new.high, new.of):
        yield f"sort {old.name}: declared differently"
    members = [[text_of(m) for m in sort.members if sort.kind != "union"] for sort in (old, new)]
    yield from _listed(old.name, *members)


def _obstacles(old: Vocabulary, new: Vocabulary) -> Iterator[str]:
    """Why no position of one is a position of the other."""
    for ours, theirs, which in ((old, new, "new"), (new, old, "old")):
        for fluent in ours.fluents.values():
            other = theirs.fluents.get(fluent.name)
            same = other and (other.sorts, other.value) == (fluent.sorts, fluent.value)
            if fluent.default == GIVEN and not same:
                says = f"each has {fluent.name}, declared differently in the {which} one"
                yield f"no position is valid in both versions, so none was compared: {says}"
