"""Checks the properties of a ruleset, piece by piece in several processes: the verdicts."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import NamedTuple

from pymorph.answers import json_keys
from pymorph.errors import Fault, UnknownName, clipped, nearest
from pymorph.ruleset.loader import Ruleset
from pymorph.verify.effort import EFFORT
from pymorph.verify.pieces import POSITIONS, Listener, PieceResult, Resources, run
from pymorph.verify.properties import (
    coverage,
    effects,
    figures,
    integrity,
    invariants,
    knowledge,
    legality,
    questions,
    symmetry,
    termination,
)
from pymorph.verify.properties.coverage import DEAD
from pymorph.verify.report import (
    NOT_TRIED,
    PROVED,
    UNKNOWN,
    VIOLATED,
    WITHIN,
    Checker,
    Finding,
    Piece,
    Property,
    PropertyResult,
    merge,
    unsettled,
)
from pymorph.verify.scope import Bounds, Scope
from pymorph.verify.spaces.bounded_reachability import Play, followed, preferred
from pymorph.verify.spaces.domain import Domain
from pymorph.verify.spaces.space_size import (
    BOUNDS,
    check_size,
    exclusion,
    hint,
    narrower,
    searched_first,
)
from pymorph.verify.spaces.state_space import explored
from pymorph.verify.versions.changes import AND, BY


@json_keys(
    paths={"properties": "checked"},
    without=["bound", "timed"],
    spread=["ruleset.edition"],
    when={"seconds": "timed"},
)
@dataclass(frozen=True, slots=True)
class Report:
    """What the properties of a ruleset came to; *properties* are those of *checked*, in order.

    *bound* says in words among which positions it was looked, *play* how far from the starts.
    """

    ruleset: Ruleset
    bounds: Bounds
    bound: str
    properties: tuple[Property, ...]
    checked: tuple[PropertyResult, ...]
    seconds: float = field(default=0.0, compare=False)
    interrupted: bool = False
    play: Play | None = None
    timed: bool = field(default=False, compare=False)

    @property
    def statuses(self) -> frozenset[str]:
        return frozenset(result.status for result in self.checked)

    def with_timings(self) -> Report:
        """The same; its JSON says how long each property took, which differs from run to run."""
        return replace(
            self,
            seconds=round(self.seconds, 3),
            timed=True,
            checked=tuple(r.with_timings() for r in self.checked),
        )


@json_keys(spread=["ruleset.edition"])
class Checkable(NamedTuple):
    """The properties that can be checked of a ruleset."""

    ruleset: Ruleset
    properties: tuple[Property, ...]


def named(properties: Sequence[Property], ids: Collection[str]) -> tuple[Property, ...]:
    """Those of some properties that have one of these ids, or are of such a family; or else all."""
    return tuple(p for p in properties if not ids or {p.id, p.family}.intersection(ids))


def selected(properties: Sequence[Property], ids: Iterable[str]) -> tuple[Property, ...]:
    """The same, where each name has to be that of a property or of a family.

    Raises: UnknownName with the nearest names.
    """
    wanted = set(ids)
    known = {name for p in properties for name in (p.id, p.family) if name}
    unknown = (f"{clipped(name)}{nearest(name, known)}" for name in sorted(wanted - known))
    faults = [Fault(f"unknown property {name}") for name in unknown]
    if faults:
        raise UnknownName(faults)
    return named(properties, wanted)


def verify(
    scope: Scope,
    ids: Iterable[str] = (),
    jobs: int = 0,
    seconds: float | None = None,
    seconds_each: float | None = EFFORT.piece_seconds,
    listener: Listener | None = None,
    properties: Sequence[Property] | None = None,
    scheduler: str = "",
) -> Report:
    """Check the properties of a ruleset, by default all that it has.

    *jobs* processes share the work (0: one for each core, up to four), or those of the cluster
    whose *scheduler* has this address. What is not settled within *seconds* altogether, or within
    *seconds_each* for a piece of the work, or within the memory that there is for it, is unknown;
    so is what Ctrl-C left undone. Where nobody gives *seconds*, there is a usual time for the size
    of the ruleset, and notes say what was not searched in it. Where nobody named the bounds,
    narrower ones are searched as well where it helps, and the notes say so. The *listener* hears
    how far it is.

    Raises: UnknownName, if there is no such property; InputError, if the bounds are too wide;
    RulesetError, if the files have changed.
    """
    start = time.monotonic()
    chosen = selected(properties_of(scope) if properties is None else properties, ids)
    check_size(scope)
    bound = Domain.of(scope).bound
    if scope.changed is not None and not (scope.changed or scope.gone):
        chosen = ()
    pieces = {about: about.pieces(scope) for about in chosen}
    if scope.changed is not None:  # an edit breaks nothing but what it touches
        pieces = {about: names for about, names in pieces.items() if names}
        chosen = tuple(pieces)
    scope = scope.checking(about.id for about in chosen)
    end = None if seconds is None else start + seconds
    resources = Resources(jobs, scheduler, seconds_each, listener, end)
    if end is None:
        usual = usual_seconds(scope)
        resources = resources._replace(usual=usual)
        share = max(usual / EFFORT.sampling_seconds, EFFORT.sampling_share)
        scope = scope.replaced(share=share)
    scopes = searched_first(scope)
    results, took, interrupted = check_pieces(scopes, pieces, resources)
    follow = scope.changed is None and not interrupted and not resources.over
    play = _with_play(results, scope) if follow else None
    unmet = [(p, results[p.id]) for p in chosen if p.settle and results[p.id].due]
    if unmet and not interrupted:
        outcomes, interrupted = run(scopes[-1], chosen, unmet, resources)
        for (about, _), (piece, more) in zip(unmet, outcomes, strict=True):
            assert isinstance(piece, Piece)
            results[about.id] = piece
            took[about.id] += more
    closed = scope.changed is None and inductive(results)
    results |= _barred(scope, {about: results[about.id] for about in chosen if pieces[about]})
    checked = tuple(_verdict(scope, p, results[p.id], closed, bound, took[p.id]) for p in chosen)
    if not interrupted:
        try:
            checked = with_lines(scope, checked)
        except KeyboardInterrupt:
            interrupted = True
    spent = time.monotonic() - start
    return Report(scope.ruleset, scope.bounds, bound, chosen, checked, spent, interrupted, play)


def _with_play(results: dict[str, Piece], scope: Scope) -> Play | None:
    """Add what play from the starts comes to; gives how far it was followed."""
    play, reached, fired = followed(scope)
    for of in results.keys() & reached.keys():
        results[of] = preferred(results[of], reached[of])
    if DEAD in results:
        results[DEAD] = replace(results[DEAD], met=results[DEAD].met.union(map(str, fired)))
    return play


def with_lines(scope: Scope, checked: tuple[PropertyResult, ...]) -> tuple[PropertyResult, ...]:
    """The same, where each witness has the line of play that leads to it, if one was found."""
    witnesses = {f.witness for result in checked for f in result.findings if f.witness}
    if not scope.starts or not witnesses:
        return checked
    play = explored(scope.starts, EFFORT.witness_positions, EFFORT.witness_seconds)

    def with_line(finding: Finding) -> Finding:
        witness = finding.witness
        if witness is None or witness.line is not None:
            return finding
        return replace(finding, witness=replace(witness, line=play.line_to(witness.position)))

    return tuple(replace(r, findings=tuple(map(with_line, r.findings))) for r in checked)


Parts = dict[str, dict[str, Piece]]  # by the property's id, by the name of the piece
Searches = Mapping[Property, Sequence[str]]


def check_pieces(
    scopes: Sequence[Scope], pieces: Searches, resources: Resources
) -> tuple[dict[str, Piece], dict[str, float], bool]:
    """What the pieces of each property came to, and how long it took; was it interrupted?

    They are searched within the last of some bounds, then within narrower ones where something is
    not settled, and within the others while there is time.
    """
    tried, first = [*scopes], len(scopes) - 1
    parts, took, interrupted = _search(tried[first], pieces, resources)
    settled = {(p.id, name): first for p in pieces if p.bounded for name in pieces[p]}

    def again(number: int, left: Searches, given: Resources) -> None:
        """Search the pieces that are *left* once more, and keep what is settled now."""
        nonlocal interrupted
        fresh, more, interrupted = _search(tried[number], left, given.after(sum(took.values())))
        for of, news in fresh.items():
            took[of] += more[of]
            for name, new in news.items():
                if not new.open and new.looked:
                    parts[of][name] = _settled_again(parts[of][name], new)
                    settled[of, name] = number

    def where(meant: Callable[[Piece], bool]) -> Searches:
        """The pieces within bounds that are so, those first that took least."""
        bounded = sorted((p for p in pieces if p.bounded), key=lambda p: took[p.id])
        named = {p: [n for n in pieces[p] if meant(parts[p.id][n])] for p in bounded}
        return {about: names for about, names in named.items() if names}

    def going(left: Searches, given: Resources) -> bool:
        return bool(left) and not interrupted and not given.after(sum(took.values())).over

    while len(tried) <= first + EFFORT.narrowings and going(
        left := where(lambda piece: bool(piece.open)), resources
    ):
        narrow = narrower(tried[-1])
        if narrow is None:
            break
        tried.append(narrow)
        again(len(tried) - 1, left, resources)
    end = resources.end or time.monotonic() + EFFORT.widening_seconds
    widening = resources._replace(end=end)
    for number in reversed(range(first)):
        left = where(lambda piece: not (piece.open or piece.closed or piece.broken or piece.left))
        if going(left, widening):
            again(number, left, widening)
    for (of, name), number in settled.items():
        piece = parts[of][name]
        if number and not (piece.open or piece.closed or piece.broken):
            within, beyond = (Domain.of(tried[n]).bound for n in (number, number - 1))
            note = f"{name or of}: searched within {within}; not finished within {beyond}"
            parts[of][name] = replace(piece, notes=(*piece.notes, note))
    merged = {of: merge(list(_without_repeats(pieces))) for of, pieces in parts.items()}
    return merged, took, interrupted


def _settled_again(old: Piece, new: Piece) -> Piece:
    """A piece that was searched once more within other bounds, where all is settled."""
    findings = [finding for finding in old.findings if finding not in old.open]
    known = {(finding.subject, finding.rules) for finding in findings}
    findings += [f for f in new.findings if (f.subject, f.rules) not in known]
    due, met = old.due | new.due, old.met | new.met
    closed = new.closed and not old.open
    return replace(new, findings=tuple(findings), closed=closed, due=due, met=met)


def _search(
    scope: Scope, pieces: Searches, resources: Resources
) -> tuple[Parts, dict[str, float], bool]:
    """Each piece of each property within some bounds; what several share is done once."""
    tasks: dict[tuple[Checker, str], list[Property]] = {}
    for about, name in in_turns(pieces):
        tasks.setdefault((about.check, name), []).append(about)
    work = [(sharing[0], name) for (_, name), sharing in tasks.items()]
    outcomes, interrupted = run(scope, tuple(pieces), work, resources)
    parts: Parts = {about.id: {} for about in pieces}
    took = dict.fromkeys(parts, 0.0)
    for ((_, name), sharing), (result, seconds) in zip(tasks.items(), outcomes, strict=True):
        for about in sharing:
            parts[about.id][name] = _share(result, sharing[0], about)
            took[about.id] += seconds / len(sharing)
    return parts, took, interrupted


def in_turns(pieces: Searches) -> list[tuple[Property, str]]:
    """Each piece with its property: what asks no position first, then one piece of each property,
    and so on; in each round known positions before searches, and small searches before large."""
    turns: list[tuple[bool, int, bool, Property, str]] = []
    for about, names in pieces.items():
        ordered = enumerate(reversed(names) if about.bounded else names)
        turns += [(not about.static, n, about.bounded, about, name) for n, name in ordered]
    return [turn[-2:] for turn in sorted(turns, key=itemgetter(0, 1, 2))]


def usual_seconds(scope: Scope) -> float:
    """How long a run takes at most, where nobody says."""
    return EFFORT.run_seconds + len(scope.sources.statements) / EFFORT.run_statements


def _without_repeats(pieces: Mapping[str, Piece]) -> Iterator[Piece]:
    """Pieces of work by their names; where one was cut by who acts, without what is found of the
    same actions of somebody else already."""
    seen: set[object] = set()
    for name, piece in pieces.items():
        names, cut, _ = name.partition(BY)
        keys = [(names, f.subject, f.status, f.rules) for f in piece.findings]
        fresh = (f for f, key in zip(piece.findings, keys, strict=True) if key not in seen)
        yield replace(piece, findings=tuple(fresh)) if cut else piece
        seen.update(keys)


def _share(result: PieceResult, worker: Property, about: Property) -> Piece:
    """The part of a shared result that is about one property; what is open is open for each."""
    if not isinstance(result, Piece):
        return result[about.id]
    own = (replace(f, subject=about.id) if f.subject == worker.id else f for f in result.findings)
    return replace(result, findings=tuple(own))


# -- what it comes to ------------------------------------------------------------------------------
def inductive(pieces: Mapping[str, Piece]) -> bool:
    """Do the rules lead from the positions that were looked at to no others?

    Then what was found of those is true of all that play can come to from them.
    """
    closure = pieces.get(effects.KEPT)  # that play does not leave them
    return closure is not None and closure.closed and not closure.findings


def _barred(scope: Scope, pieces: Mapping[Property, Piece]) -> dict[str, Piece]:
    """What looked at no position, as left open, if the bounds keep all positions out."""
    empty = {
        about.id: piece
        for about, piece in pieces.items()
        if about.counted == POSITIONS and not (piece.looked or piece.findings or about.static)
    }
    why = exclusion(scope) if empty else ""
    finding = (unsettled(BOUNDS, why),)
    return {of: replace(piece, findings=finding) for of, piece in empty.items()} if why else {}


def _verdict(
    scope: Scope, about: Property, piece: Piece, closed: bool, within: str, seconds: float
) -> PropertyResult:
    """The verdict on a property; *closed*: play stays among the positions that were looked at."""
    reasons = scope.accepted.get(about.id, {})
    findings = tuple(replace(f, accepted=reasons.get(f.subject, "")) for f in piece.findings)
    status = WITHIN
    if any(finding.status == VIOLATED and not finding.accepted for finding in findings):
        status = VIOLATED
    elif any(finding.status == UNKNOWN for finding in findings):
        status = UNKNOWN
    elif not piece.looked:
        status = UNKNOWN if piece.left else NOT_TRIED
    elif not piece.partial and (about.static or (closed and piece.closed)):
        status = PROVED
    notes = piece.notes
    if piece.left:
        time_given = f"{usual_seconds(scope):.0f} seconds; --timeout gives more time"
        notes += (f"not finished: {AND.join(dict.fromkeys(piece.left))} (in {time_given})",)
    if status == NOT_TRIED:
        rules = f"no rule gives {about.speaks_of}"
        what = rules if about.counted == POSITIONS else f"there are no {about.counted}"
        notes += (f"nothing to check: {what}",)
    elif status in (PROVED, WITHIN) and about.speaks_of and not (piece.subjects or piece.partial):
        notes += (f"the search did not find {about.speaks_of}, so nothing was tested",)
    elif status == UNKNOWN:
        open_ones = [f.subject for f in findings if f.open]
        hints = ((subject, hint(scope, subject)) for subject in open_ones if not about.static)
        notes += tuple(f"{subject}: {says}" for subject, says in hints if says)
    unmet = sorted((piece.due - piece.met) & scope.ruleset.vocabulary.actions.keys())
    if unmet and piece.subjects:
        notes += (f"{', '.join(unmet)}: not tested, because no case was found",)
    decided = not piece.partial and all(finding.status != UNKNOWN for finding in findings)
    if scope.changed is None and decided:
        idle = sorted(reasons.keys() - {finding.subject for finding in findings})
        notes += tuple(f"{name}: accepted, but it holds; remove the acceptance" for name in idle)
    bound = "" if about.static else "all positions" if status == PROVED else within
    if scope.changed is not None and not about.static:
        bound = f"only what changed; {bound}"
    return PropertyResult(
        about.id, about.meaning, status, bound,
        piece.looked, piece.subjects, piece.more, findings, notes, seconds,
    )  # fmt: skip


def properties_of(scope: Scope) -> tuple[Property, ...]:
    """All properties of a ruleset, in the order in which they are reported."""
    every = (integrity, legality, effects, figures, questions, symmetry, termination, knowledge)
    before = (about for module in every for about in module.PROPERTIES)
    return (*before, *invariants.properties(scope), *coverage.PROPERTIES)
