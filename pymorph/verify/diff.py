"""What tells two versions of a ruleset apart: words and questions, and positions that show it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from typing import Any

from clingo import Symbol

from pymorph.asp.rewrite import gives
from pymorph.errors import PymorphError
from pymorph.queries import application, consistency, explanation, legality
from pymorph.queries import figures as queries_figures
from pymorph.ruleset.loader import Ruleset, head
from pymorph.ruleset.vocabulary import GIVEN, SIGNATURES, Vocabulary
from pymorph.state.position import Position
from pymorph.terms import text_of
from pymorph.verify.citations import ABOUT
from pymorph.verify.differential import Contrast, Difference, DifferencePiece
from pymorph.verify.domain import fitting
from pymorph.verify.pool import Hired, Told, shared
from pymorph.verify.report import (
    UNKNOWN,
    VIOLATED,
    WITHIN,
    Finding,
    Property,
    PropertyResult,
    Witness,
    finding,
    merged,
)
from pymorph.verify.report import Piece as Result
from pymorph.verify.runner import EACH, selected
from pymorph.verify.scope import Bounds, Scope
from pymorph.verify.topics import FIGURES, LEGAL, POSITIONS, TOPICS

DIFFERENT = "different"
SAME = "same within bound"
ALIKE = "the same"
OTHERWISE = " under other readings"
STATUSES = {VIOLATED: DIFFERENT, WITHIN: SAME, UNKNOWN: UNKNOWN}
Answer = tuple[frozenset[str], ...]  # what is said, the weightiest first


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

    @property
    def status(self) -> str:
        statuses = {topic.status for topic in self.topics}
        if self.words or DIFFERENT in statuses:
            return DIFFERENT
        if UNKNOWN in statuses or self.interrupted:
            return UNKNOWN
        return SAME if SAME in statuses else ALIKE

    def as_json(self, timings: bool = False) -> dict[str, Any]:
        """With *timings* also the seconds that each topic took, which differ from run to run."""
        rows = [topic.as_json() for topic in self.topics]
        for row, topic in zip(rows, self.topics, strict=True):
            for name in ("accepted", "place", "reached"):
                for found in row["findings"]:
                    found.pop(name, None)
                    (found["witness"] or {}).pop(name, None)
            del row["witness"], row["subjects"]
            row |= {"seconds": round(topic.seconds, 3)} if timings else {}
        return {
            "old": head(self.old),
            "new": head(self.new),
            "status": self.status,
            "bounds": asdict(self.bounds),
            "words": list(self.words),
            "topics": rows,
            "notes": list(self.notes),
            "interrupted": self.interrupted,
            **({"seconds": round(self.seconds, 3)} if timings else {}),
        }


def compare(
    old: Ruleset,
    new: Ruleset,
    shown: Ruleset | None = None,
    bounds: Bounds | None = None,
    rulings: Mapping[str, str] | None = None,
    ids: Iterable[str] = (),
    jobs: int = 0,
    seconds: float | None = None,
    seconds_each: float | None = EACH,
    told: Told | None = None,
    scheduler: str = "",
) -> Comparison:
    """Where two versions of a ruleset answer differently, within some bounds.

    Witnesses are positions of the ruleset *shown*, by default the new one. The rest is as in
    `running.verify`.

    Raises: UnknownName, if there is no such topic; InputError, if the bounds are too wide;
    RulesetError, if the files have changed.
    """
    start = time.monotonic()
    scope = Scope(old, bounds or Bounds.of(old), dict(rulings or {}))
    about = partial(_studied, new, shown or new)
    topics = tuple(
        Property(name, topic.meaning, partial(about, name), partial(_pieces, new, name))
        for name, topic in TOPICS.items()
    )
    chosen = selected(topics, ids)
    strangers = tuple(_strangers(old.vocabulary, new.vocabulary))
    words = tuple(told_apart(old, new))
    contrast = _contrast(scope, new)
    if strangers:
        return Comparison(old, new, scope.bounds, "", words, (), strangers)
    fitting(scope)
    tasks = [(each, name) for each in chosen for name in each.pieces(scope)]
    hired = Hired(jobs, scheduler, seconds_each, told)
    end = None if seconds is None else start + seconds
    outcomes, interrupted = shared(scope, chosen, tasks, hired, end)
    found: dict[str, list[Result]] = {each.id: [] for each in chosen}
    took = dict.fromkeys(found, 0.0)
    for (each, _), (piece, spent) in zip(tasks, outcomes, strict=True):
        assert isinstance(piece, Result)
        found[each.id].append(piece)
        took[each.id] += spent
    bound = contrast.domain.bound
    checked = tuple(_checked(each, found[each.id], bound, took[each.id]) for each in chosen)
    notes = tuple(_notes(contrast)) if len(chosen) == len(topics) else ()
    spent = time.monotonic() - start
    return Comparison(old, new, scope.bounds, bound, words, checked, notes, spent, interrupted)


def _checked(about: Property, pieces: list[Result], bound: str, seconds: float) -> PropertyResult:
    found = merged(pieces)
    findings = tuple(_together(found.findings))
    statuses = {each.status for each in findings}
    status = next((STATUSES[s] for s in (VIOLATED, UNKNOWN) if s in statuses), SAME)
    return PropertyResult(
        about.id, about.meaning, status if pieces else ALIKE, bound if pieces else "",
        found.looked, 0, found.more, findings, found.notes, seconds,
    )  # fmt: skip


def _together(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Findings with the same witness that say the same, as one of all their rules."""
    rows: dict[object, Finding] = {}
    for each in findings:
        key = (each.subject, each.says, each.witness, each.status)
        rules = {*(rows[key].rules if key in rows else ()), *each.rules}
        rows[key] = replace(each, rules=tuple(sorted(rules)))
    yield from rows.values()


def _notes(contrast: Contrast) -> Iterator[str]:
    """What differs and was not looked at."""
    pieces = [replace(piece, opening=o) for piece in contrast.pieces() for o in (False, True)]
    seen = frozenset[str]().union(*(contrast.apart(piece) for piece in pieces))
    told = SIGNATURES | ABOUT
    idle = {p.text for p in contrast.gone | contrast.come if not gives(p) <= told} - seen
    if idle:
        text = min(idle, key=lambda t: (len(t), t))
        yield f"of what differs, {len(idle)} bears on nothing that was compared, such as {text}"


# -- pieces of the work ----------------------------------------------------------------------------


def _contrast(scope: Scope, new: Ruleset) -> Contrast:
    rulings = tuple(sorted(scope.rulings.items()))
    return _contrasted(scope.ruleset, new, scope.bounds, rulings)


@lru_cache(maxsize=4)
def _contrasted(
    old: Ruleset, new: Ruleset, bounds: Bounds, rulings: tuple[tuple[str, str], ...]
) -> Contrast:
    known = [{q: o for q, o in rulings if q in each.questions} for each in (old, new)]
    return Contrast(Scope(old, bounds, known[0]), Scope(new, bounds, known[1]))


def _pieces(new: Ruleset, topic: str, scope: Scope) -> list[str]:
    """The actions or figures of a topic on which something bears that differs; those on which more
    does under other readings a second time."""
    contrast = _contrast(scope, new)
    names = []
    for piece in contrast.pieces():
        if piece.topic == topic:
            usual, open_ones = contrast.apart(piece), contrast.apart(replace(piece, opening=True))
            names += [piece.name] if usual else []
            names += [piece.name + OTHERWISE] if open_ones - usual else []
    return names


def _studied(new: Ruleset, shown: Ruleset, topic: str, scope: Scope, name: str) -> Iterator[Result]:
    """What is found of a piece; if that is nothing under the readings in force, under all."""
    contrast = _contrast(scope, new)
    otherwise = name.endswith(OTHERWISE)
    piece = DifferencePiece(topic, name.removesuffix(OTHERWISE), otherwise)
    findings = False
    for found in _searched(contrast, shown, piece):
        findings = findings or bool(found.findings)
        yield found
    wider = replace(piece, opening=True)
    again = contrast.apart(wider)
    if again and not findings and not otherwise and not again - contrast.apart(piece):
        yield from _searched(contrast, shown, wider)


def _searched(contrast: Contrast, shown: Ruleset, piece: DifferencePiece) -> Iterator[Result]:
    """How many positions were looked at, then each finding as it comes."""
    search = contrast.search(piece)
    looked = search.counted()
    yield Result(looked, 0, looked >= search.most)
    settled = False
    for each in contrast.differences(piece, search):
        settled = True
        yield Result(findings=(_finding(contrast, shown, piece, each),))
    if search.unsettled and not settled:
        says = "not settled in time whether both versions answer alike"
        unknown = Finding(piece.name or piece.topic, says, status=UNKNOWN)
        yield Result(findings=(unknown,))


def _finding(
    contrast: Contrast, shown: Ruleset, piece: DifferencePiece, found: Difference
) -> Finding:
    """A difference, if the ordinary verbs tell it too."""
    action = found.found.action
    position = found.found.position
    rulings = dict(position.rulings)
    if piece.opening:  # what the versions read differently is read as the old one has it
        ours, theirs = contrast.old.reading, contrast.new.reading
        rulings = {q: o for q, o in ours.items() if theirs.get(q) != o} | rulings
    here = replace(position, rulings={**contrast.old.rulings, **rulings})
    there = replace(
        position, ruleset=contrast.new.ruleset, rulings={**contrast.new.rulings, **rulings}
    )
    answers = [answer(each, piece, action) for each in (here, there)]
    says, sure = apart(*answers)
    usual = contrast.old.rulings
    choices = tuple(sorted((q, o) for q, o in rulings.items() if usual.get(q) != o))
    known = {q: o for q, o in here.rulings.items() if q in shown.questions}
    witness = Witness(
        replace(position, ruleset=shown, rulings=known),
        text_of(action) if action else "",
        None,
        choices,
    )
    subject = text_of(action) if action else piece.name or piece.topic
    rules = (found.rule,) if found.rule != "none" else ()
    return finding(subject, says, rules, witness, sure)


def apart(old: Answer, new: Answer) -> tuple[str, bool]:
    """What both say, of the weightiest thing of which they say something else."""
    for ours, theirs in zip(old, new, strict=True):
        if ours != theirs:
            shown = [
                "; ".join(sorted(a - b)) or "nothing" for a, b in ((ours, theirs), (theirs, ours))
            ]
            return f"old: {shown[0]}; new: {shown[1]}", True
    return "both versions answer alike", False


def answer(position: Position, piece: DifferencePiece, action: Symbol | None) -> Answer:
    """What the ordinary verbs say of a position."""
    try:
        if piece.topic == POSITIONS:
            flaws = consistency.check(position).flaws
            found = {f"no position {_by(flaw.rules)}" for flaw in flaws}
            return (frozenset(found or {"a position"}),)
        if piece.topic == FIGURES:
            return _worked_out(position, piece.name)
        assert action is not None
        return (_judged if piece.topic == LEGAL else _done)(position, action)
    except PymorphError as error:
        said = frozenset({" ".join(str(error).split())})
        return (said,) * (4 if piece.topic == LEGAL else 1 if piece.topic == POSITIONS else 2)


def _judged(position: Position, action: Symbol) -> Answer:
    """Whether an action is legal, or what speaks against it; who offers it; the rules behind it."""
    verdict = legality.judged(position, [action])[action]
    word = "forbidden " + _by(verdict.rules) if verdict.rules else "legal"
    if verdict.depends_on and not verdict.rules:
        word = "hangs on " + ", ".join(map(text_of, verdict.depends_on))
    listed = legality.legal(position)
    offered = any(each.symbol == action for each in listed.actions)
    rolls = {
        f"{outcome} has odds {odds}"
        for roll in listed.rolls
        for outcome, odds in roll.outcomes
        if outcome.symbol == action
    }
    why = explanation.why(position, text_of(action))
    reasons = {f"{reason.role} {_by([reason.rule.id])}" for reason in why.reasons}
    listing = {"listed" if offered else "legal when asked about, and not listed"}
    return (
        frozenset({word}),
        frozenset(listing if verdict.legal else ()),
        frozenset(rolls),
        frozenset(reasons),
    )


def _done(position: Position, action: Symbol) -> Answer:
    """What carrying out an action changes and brings about; and the same with its rules."""
    outcome = application.apply(position, text_of(action))
    changes = [change for step in outcome.steps for change in step.changes]
    events = [event for step in outcome.steps for event in step.events]
    plain = {f"{c.fluent} from {c.before} to {c.after}" for c in changes}
    plain |= {str(e.event) for e in events}
    plain |= {"stops" for step in outcome.steps if step.halted}
    cited = {f"{c.fluent} from {c.before} to {c.after} {_by(c.rules)}" for c in changes}
    cited |= {f"{e.event} {_by([e.rule])}" for e in events}
    return frozenset(plain), frozenset(cited)


def _worked_out(position: Position, name: str) -> Answer:
    """What the figures of a name come to; and from what."""
    figures = queries_figures.forecast(position, name, wide=True).figures
    values = {f"{figure.name} is {figure.value}" for figure in figures}
    ledgers = {
        f"{figure.name}: {entry.item} {entry.amount} {_by([entry.rule])}"
        for figure in figures
        for entry in figure.entries
    }
    ledgers |= {f"{figure.name} {_by(figure.rules)}" for figure in figures if figure.rules}
    return frozenset(values), frozenset(ledgers)


def _by(rules: Iterable[str]) -> str:
    return f"by {' and '.join(rules)}"


# -- in words --------------------------------------------------------------------------------------


def told_apart(old: Ruleset, new: Ruleset) -> Iterator[str]:
    """What one version can speak of and the other cannot; questions that are read differently."""
    ours, theirs = old.vocabulary, new.vocabulary
    for kind in ("action", "figure", "finding"):
        here, there = getattr(ours, f"{kind}s"), getattr(theirs, f"{kind}s")
        yield from _listed(kind, here, there)
        yield from (
            f"{kind} {name}: declared otherwise"
            for name in here
            if name in there and here[name] != there[name]
        )
    yield from _listed("fluent", ours.fluents, theirs.fluents)
    yield from (
        f"fluent {name}: declared otherwise"
        for name, fluent in ours.fluents.items()
        if name in theirs.fluents and fluent != theirs.fluents[name]
    )
    yield from _listed("sort", ours.sorts, theirs.sorts)
    for name, sort in ours.sorts.items():
        if name in theirs.sorts and sort != theirs.sorts[name]:
            yield from _resorted(name, ours, theirs)
    yield from _listed("question", old.questions, new.questions)
    for name in old.questions.keys() & new.questions.keys():
        yield from _listed(f"option of {name}", old.options[name], new.options[name])
        if old.defaults[name] != new.defaults[name]:
            yield f"question {name}: read as {old.defaults[name]}, now as {new.defaults[name]}"
    yield from _listed("rule", old.rules, new.rules)


def _listed(kind: str, here: Iterable[str], there: Iterable[str]) -> Iterator[str]:
    ours, theirs = list(here), list(there)
    yield from (f"{kind} {name}: gone" for name in ours if name not in theirs)
    yield from (f"{kind} {name}: new" for name in theirs if name not in ours)


def _resorted(name: str, ours: Vocabulary, theirs: Vocabulary) -> Iterator[str]:
    """The members that a sort has in one version only."""
    old, new = ours.sorts[name], theirs.sorts[name]
    if (old.kind, old.low, old.high) != (new.kind, new.low, new.high):
        yield f"sort {name}: declared otherwise"
    members = [[text_of(m) for m in sort.members if sort.kind != "union"] for sort in (old, new)]
    yield from _listed(f"{name}", *members)


def _strangers(old: Vocabulary, new: Vocabulary) -> Iterator[str]:
    """Why no position of one is a position of the other."""
    for ours, theirs, which in ((old, new, "new"), (new, old, "old")):
        for fluent in ours.fluents.values():
            other = theirs.fluents.get(fluent.name)
            same = other and (other.sorts, other.value) == (fluent.sorts, fluent.value)
            if fluent.default == GIVEN and not same:
                told = f"every position has {fluent.name}, which the {which} one does not know so"
                yield f"no position is one of both, and none was looked at: {told}"
