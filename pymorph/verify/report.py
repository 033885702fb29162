"""Properties, and what checking them comes to: verdicts, findings and witnesses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pymorph.answers import brief, json_keys
from pymorph.verify.scope import Scope

if TYPE_CHECKING:
    from pymorph.state.position import Position

PROVED = "proved"
WITHIN = "holds within bound"
VIOLATED = "violated"
UNKNOWN = "unknown"
NOT_TRIED = "not tried"  # there is nothing to look at
STATUSES = (PROVED, WITHIN, VIOLATED, UNKNOWN, NOT_TRIED)


@json_keys(
    also=["readings"],
    paths={"position": "position.data", "reached": "line"},
    without=["choices"],
    or_null=["action"],
)
@dataclass(frozen=True, slots=True)
class Witness:
    """The smallest position that was found to break a property; checked with the ordinary verbs.

    *action* is what is asked about or carried out in it. *line* is a line of play that leads to it
    from a start, empty if it is one; None: it is well formed, and nothing more is known.
    *choices* are readings (question, option) under which it shows, beside those in force.
    """

    position: Position
    action: str = ""
    line: tuple[str, ...] | None = None
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def ruled(self) -> Position:
        """The position with the readings under which it shows."""
        return self.position.with_rulings(dict(self.choices))

    @property
    def readings(self) -> dict[str, str]:
        return dict(self.choices)


@json_keys(or_null=["place", "accepted"])
@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not hold, or could not be settled (then *status* is ``unknown``).

    *subject* is what it is about: a rule, a question, a fluent, a card, a statement's place.
    *accepted* says why it is meant so, with the source, where the ruleset lists it.
    """

    subject: str
    says: str
    rules: tuple[str, ...] = ()
    place: str = ""
    witness: Witness | None = None
    status: str = VIOLATED
    accepted: str = ""

    @property
    def open(self) -> bool:
        """Is it unknown, without a witness?"""
        return self.status == UNKNOWN and self.witness is None


@brief
@dataclass(frozen=True, slots=True)
class Piece:
    """What one piece of work on a property came to: what was looked at, and what was found.

    *looked* counts positions (or whatever the property is about: facts, statements), *subjects*
    those that have the thing it speaks of; counting stops at a limit (*more*). *closed*: it holds
    of all the positions of the domain, not just of those that were tried. *partial*: of what is
    there within the bound, some was not looked at. *due* names what has to be met with in one
    piece or another, and *met* what was met with. *left* names what there was no time for.
    """

    looked: int = 0
    subjects: int = 0
    more: bool = False
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    closed: bool = False
    due: frozenset[str] = frozenset()
    met: frozenset[str] = frozenset()
    partial: bool = False
    left: tuple[str, ...] = ()

    @property
    def open(self) -> tuple[Finding, ...]:
        """The findings that are unknown, without a witness."""
        return tuple(finding for finding in self.findings if finding.open)

    @property
    def broken(self) -> bool:
        """Is there a finding that stays one, however much else is looked at?"""
        return any(finding.status == VIOLATED for finding in self.findings)


@json_keys(
    also=["witness"],
    paths={},
    without=["timed"],
    when={"seconds": "timed"},
)
@dataclass(frozen=True, slots=True)
class PropertyResult:
    """A property with its verdict. *bound* says in words within what it was looked for."""

    id: str
    meaning: str
    status: str
    bound: str
    looked: int = 0
    subjects: int = 0
    more: bool = False
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)
    timed: bool = field(default=False, compare=False)

    @property
    def witness(self) -> Witness | None:
        """The first witness against it."""
        broken = (f for f in self.findings if f.status == VIOLATED and not f.accepted)
        return next((f.witness for f in broken if f.witness), None)

    def with_timings(self) -> PropertyResult:
        """The same; its JSON says how long it took, which differs from run to run."""
        return replace(self, seconds=round(self.seconds, 3), timed=True)


def merge(pieces: Sequence[Piece]) -> Piece:
    """What several pieces of work came to, as one."""
    return Piece(
        sum(piece.looked for piece in pieces),
        sum(piece.subjects for piece in pieces),
        any(piece.more for piece in pieces),
        tuple(finding for piece in pieces for finding in piece.findings),
        tuple(dict.fromkeys(note for piece in pieces for note in piece.notes)),
        all(piece.closed for piece in pieces),
        frozenset().union(*(piece.due for piece in pieces)),
        frozenset().union(*(piece.met for piece in pieces)),
        any(piece.partial for piece in pieces),
        tuple(name for piece in pieces for name in piece.left),
    )


def confirm(
    sure: bool, subject: str, says: str, witness: Witness, rules: tuple[str, ...] = ()
) -> Finding:
    """A finding, *sure* if the ordinary verbs say the same of its witness; else it is unknown."""
    if sure:
        return Finding(subject, says, rules, witness=witness)
    return Finding(subject, f"not confirmed: {says}", rules, witness=witness, status=UNKNOWN)


def unsettled(subject: str, says: str, rules: tuple[str, ...] = ()) -> Finding:
    """That something could not be settled."""
    return Finding(subject, says, rules, status=UNKNOWN)


Checker = Callable[[Scope, str], Piece | Mapping[str, Piece] | Iterator[Piece]]


def undivided(_: Scope) -> list[str]:
    """The pieces of a property that is checked in one go; a function that other processes find."""
    return [""]


@json_keys(only=["id", "family", "meaning"], or_null=["family"])
@dataclass(frozen=True, slots=True)
class Property:
    """Something that ought to hold of every ruleset.

    *pieces* names the pieces of work that it consists of, which know nothing of each other (one
    for each action, say); *check* does one of them, or tells bit by bit what it comes to, so that
    what was found is not lost where it is ended. Properties with one and the same *check* share
    the work: it gives a result for each, by its id. *settle* has another look at what all pieces
    came to together. *speaks_of* says what is counted as subject. What is *static* is said of the
    ruleset as it is written, not of positions. What is *bounded* is asked of all positions within
    the bounds, so it may be settled within narrower ones, or wider ones.
    """

    id: str
    meaning: str
    check: Checker
    pieces: Callable[[Scope], list[str]] = undivided
    family: str = ""
    speaks_of: str = "subjects"
    counted: str = "positions"
    settle: Callable[[Scope, Piece], Piece] | None = None
    static: bool = False
    bounded: bool = False
