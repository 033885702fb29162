"""No player is told what nobody in its place can know.

A known position is taken, and what one player does not see of it is changed, so that the two look
alike to that player. What it is told of an action holds in both then, and what it may do itself is
the same in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from random import Random
from typing import NamedTuple

from clingo import Function, Number, Symbol

from pymorph.dynamics.asking.batch import ask, situation
from pymorph.dynamics.asking.legal import Verdict, judged, legal_of
from pymorph.dynamics.results import Legality
from pymorph.errors import PymorphError
from pymorph.questions.consistency import as_seen_by, check_of, observers
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.position import Position, value_of
from pymorph.terms import actor_of, sorted_symbols, text_of
from pymorph.verify.effort import EFFORT
from pymorph.verify.frame import Trials, described
from pymorph.verify.report import Finding, Piece, Witness, confirm
from pymorph.verify.scope import Scope
from pymorph.verify.spaces.witnesses import sample

LEAK = "leak"
CONCEALED = ("concealed", 5)
COUNTED = "pairs of positions that look alike to a player"

Changes = Mapping[Symbol, Symbol]


class Looking(NamedTuple):
    """What one player sees of a position, and with whose eyes; the position as far as it may be
    told from that (*here*), and the fluents that are *hidden*, each with what is shown instead."""

    viewer: str
    eyes: frozenset[str]
    view: Position
    here: Position
    hidden: tuple[tuple[Symbol, Symbol], ...]


def pieces(scope: Scope) -> list[str]:
    """One piece of work, if any rule conceals something."""
    return [""] if any(CONCEALED in s.heads for s in scope.sources.statements) else []


def check(scope: Scope, _: str = "") -> Piece:
    """What players are told in positions that look alike to them, as far as time allows."""
    trials = Trials(EFFORT.leak_seconds * scope.share, EFFORT.leak_longest)
    known = sample(scope, EFFORT.leak_play)
    chance = Random(len(known))
    worst: dict[tuple[str, str], Finding] = {}
    pairs: list[int] = []  # of each position
    for position in trials.of(chance.sample(known, len(known))):
        pairs.append(0)
        for looking in lookings(position):
            others = list(alike(looking, chance))
            pairs[-1] += len(others)
            for finding in leaks(looking, others) if others else ():
                key = (finding.subject, finding.status)
                worst[key] = min(worst.get(key, finding), finding, key=_size)
    note = f"{sum(pairs)} {COUNTED}, from {trials} known positions"
    findings = tuple(worst[key] for key in sorted(worst))
    subjects = sum(map(bool, pairs))
    return Piece(sum(pairs), subjects, findings=findings, notes=(note,), partial=True)


# -- what looks alike ------------------------------------------------------------------------------


def lookings(position: Position) -> Iterator[Looking]:
    """How those look at a position from whom something is concealed, one of each knowledge."""
    atoms = ask("concealed", position, position.facts(situation(0)))["concealed"]
    if not atoms:
        return
    seen: set[frozenset[str]] = set()
    for viewer, whose in observers(position).items():
        eyes = frozenset({viewer, *whose})
        concealed = [atom.arguments for atom in atoms if text_of(atom.arguments[1]) not in eyes]
        if not concealed or frozenset(whose) in seen:
            continue
        seen.add(frozenset(whose))
        view = as_seen_by(position, viewer)
        hidden = {arguments[0]: arguments[2] for arguments in concealed}
        here = view.with_changes({f: value_of(position, f) for f in {*hidden, *hidden.values()}})
        written = (HIDDEN in f.arguments and f in here.fluents for f in hidden.values())
        if not any(written):  # the position itself hides something under that name
            yield Looking(viewer, eyes, view, here, tuple(sorted(hidden.items())))


def alike(looking: Looking, chance: Random) -> Iterator[Position]:
    """Positions that look the same, and differ in what is hidden."""
    here = looking.here
    changes = list(_changes(looking))
    some = chance.sample(changes, min(len(changes), EFFORT.leak_changes))
    tried = [here.with_changes(change) for change in some]
    if not tried:
        return
    first, *checks = check_of([here, *tried])
    if not first.consistent:  # what is feigned is no position of the game
        return
    valid = (other for other, check in zip(tried, checks, strict=True) if check.consistent)
    same = (other for other in valid if _seen(other, looking.viewer) == looking.view)
    yield from islice(same, EFFORT.leak_pairs)


def _seen(position: Position, viewer: str) -> Position | None:
    try:
        return as_seen_by(position, viewer)
    except PymorphError:  # who looks on only in some of them
        return None


def _changes(looking: Looking) -> Iterator[Changes]:
    """Changes of what is hidden: two values exchanged, another value, a card for another."""
    here, words = looking.here, looking.here.ruleset.vocabulary
    own = [fluent for fluent, instead in looking.hidden if fluent == instead]
    for one, other in combinations(own, 2):
        mine, its = value_of(here, one), value_of(here, other)
        if one.name == other.name and mine != its:
            yield {one: its, other: mine}
    for fluent in own:
        for value in words.members(words.fluents[fluent.name].value, here.scene):
            if value not in (HIDDEN, value_of(here, fluent)):
                yield {fluent: value}
    for fluent, instead in looking.hidden:
        if fluent != instead and fluent.name == instead.name:
            for other in _siblings(fluent, instead, here):
                number, more = value_of(here, fluent), value_of(here, other)
                yield {fluent: Number(number.number - 1), other: Number(more.number + 1)}


def _siblings(fluent: Symbol, instead: Symbol, here: Position) -> Iterator[Symbol]:
    """The fluents of other cards that would be shown in the same way."""
    words = here.ruleset.vocabulary
    sorts = words.fluents[fluent.name].sorts
    for n, (mine, written) in enumerate(zip(fluent.arguments, instead.arguments, strict=True)):
        if mine == written:
            continue
        for member in words.members(sorts[n], here.scene):
            if member not in (mine, HIDDEN):
                arguments = [*fluent.arguments[:n], member, *fluent.arguments[n + 1 :]]
                yield Function(fluent.name, arguments)


# -- what is told ----------------------------------------------------------------------------------


def leaks(looking: Looking, others: Sequence[Position]) -> Iterator[Finding]:
    """What the player is told of actions and does not hold in a position that looks the same; and
    what it may do itself in one of two such positions alone."""
    both = (looking.here, *others)
    answers = legal_of(both)
    seen = legal_of([looking.view])[0]
    possible, believed = [_may_come(answer) for answer in answers], _may_come(seen)
    rolled = _rolled(seen).union(*map(_rolled, answers))  # which nobody chooses
    doubtful = believed.union(*possible) - believed.intersection(*possible)
    asked = [symbol for symbol in sorted_symbols(doubtful) if HIDDEN not in symbol.arguments]
    open_ones = {doubt.action.symbol for doubt in seen.unsettled}
    rest = [symbol for symbol in asked if symbol not in open_ones][: EFFORT.leak_actions]
    verdicts = judged(looking.view, rest) if rest else {}
    for action in asked:
        so = [action in actions for actions in possible]
        verdict = verdicts.get(action)
        wrong = verdict is not None and not verdict.depends_on and (not verdict.legal) in so
        # What a roll may bring, for all that a player knows, is as likely as it knows.
        if verdict is not None and wrong and not (verdict.legal and action in rolled):
            number = so.index(not verdict.legal)
            yield _misinformed(looking, action, verdict, both[number], both[0 if number else 1])
        elif action not in rolled and actor_of(action) in looking.eyes and len(set(so)) > 1:
            yield _chosen(looking, action, both[so.index(True)], both[so.index(False)])


def _may_come(answer: Legality) -> set[Symbol]:
    """What is legal, and what a roll that is due may bring."""
    return {action.symbol for action in answer.actions} | _rolled(answer)


def _rolled(answer: Legality) -> set[Symbol]:
    return {action.symbol for roll in answer.rolls for action, _ in roll.outcomes}


def _misinformed(
    looking: Looking, action: Symbol, verdict: Verdict, place: Position, beside: Position
) -> Finding:
    """What the player is told of an action is not so in a position that looks like another."""
    says, is_so = ("legal", "not legal") if verdict.legal else ("not legal", "legal")
    text = f"to {looking.viewer}, {text_of(action)} is {says}, but it is {is_so} here; "
    text += f"this looks the same to {looking.viewer} as {_differing(place, beside)}"
    sure = judged(place, [action])[action].legal != verdict.legal
    witness = Witness(place, text_of(action))
    return confirm(sure, action.name, text, witness, () if verdict.legal else verdict.rules)


def _chosen(looking: Looking, action: Symbol, place: Position, beside: Position) -> Finding:
    """What the player may do tells it in which of two positions it is."""
    verdicts = [judged(position, [action])[action] for position in (place, beside)]
    text = f"{looking.viewer} may {text_of(action)} here; "
    text += f"this looks the same as {_differing(place, beside)}, where it may not"
    sure = verdicts[0].legal and not verdicts[1].legal
    return confirm(sure, action.name, text, Witness(place, text_of(action)), verdicts[1].rules)


def _differing(here: Position, beside: Position) -> str:
    """In what the other position differs."""
    fluents = sorted_symbols({fluent for fluent, _ in here.items ^ beside.items})
    return ", ".join(f"{text_of(f)} = {text_of(value_of(beside, f))}" for f in fluents)


def _size(finding: Finding) -> int:
    return len(finding.witness.position.fluents) if finding.witness else 0


PROPERTIES = (
    described(LEAK, check, pieces, family="play", speaks_of="something concealed", counted=COUNTED),
)
