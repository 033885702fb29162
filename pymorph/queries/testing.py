"""The files that come with a ruleset, each tried: positions, records, and cases with verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pymorph.answers import Json
from pymorph.case import Case
from pymorph.errors import PymorphError
from pymorph.examples import FOLDER as DISPUTES
from pymorph.position import Position
from pymorph.queries.adjudicating import adjudicate
from pymorph.queries.checking import check
from pymorph.queries.replaying import replay
from pymorph.record import Record
from pymorph.ruleset import Ruleset
from pymorph.verdicts import Adjudication, Ruling

KINDS = ("positions", "records", "cases")


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a file: how much of it was *tried*, what is wrong, what has to be noted.

    *kind* is one of `KINDS`; what is tried of a position is one thing, of a record its actions, of
    a case its verdicts.
    """

    file: str
    kind: str
    tried: int
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def json(self) -> Json:
        return {
            "file": self.file,
            "kind": self.kind,
            "tried": self.tried,
            "faults": list(self.faults),
            "notes": list(self.notes),
        }


def files_of(game: Ruleset) -> list[tuple[str, Path]]:
    """The files that are tried of a ruleset, each with its kind, in a fixed order.

    They lie in its folders ``positions``, ``records`` and ``cases``, at any depth, and in
    ``disputes`` below its rules, where each question has its example.
    """
    root = Path(game.folders[0])
    below = root / "rules" if game.from_path else root
    found = [
        (kind, path)
        for kind in KINDS
        for path in sorted({*root.glob(f"{kind}/**/*.yaml"), *below.glob(f"{kind}/**/*.yaml")})
        if path.name != "rulings.yaml"
    ]
    return found + [("cases", path) for path in sorted(below.glob(f"{DISPUTES}/*.yaml"))]


def tried(kind: str, path: Path) -> Tried:
    """What becomes of one file. What cannot be read is a fault of it, and raises nothing."""
    name = str(path)
    try:
        return TRIALS[kind](name)
    except PymorphError as error:
        return Tried(name, kind, 0, tuple(str(error).splitlines()))


def _position(name: str) -> Tried:
    flaws = check(Position.load(name)).flaws
    return Tried(
        name,
        "positions",
        1,
        tuple(f"{flaw.what} breaks {', '.join(flaw.rules)}" for flaw in flaws),
    )


def _record(name: str) -> Tried:
    record = Record.load(name)
    found = replay(record)
    faults = []
    if found.stop is not None:
        says = f", {found.stop.says}" if found.stop.says else ""
        faults.append(f"step {found.stop.step} cannot be carried out: {found.stop.action}{says}")
    faults += [f"{one.fluent} is {one.now} at the end, not {one.recorded}" for one in found.differs]
    return Tried(name, "records", found.steps, tuple(faults))


def _case(name: str) -> Tried:
    answer = adjudicate(Case.load(name))
    told = [ruling for ruling in answer.claims if ruling.stated.expect]
    untold = len(answer.claims) - len(told)
    notes = []
    if untold:
        notes.append(f"of {untold} claim{'s' * (untold > 1)} no verdict is expected")
    return Tried(
        name,
        "cases",
        sum(len(ruling.stated.expect) for ruling in told),
        tuple(fault for ruling in told for fault in surprises(answer, ruling)),
        tuple(notes),
    )


TRIALS = {"positions": _position, "records": _record, "cases": _case}


def surprises(answer: Adjudication, ruling: Ruling) -> Iterator[str]:
    """Where the verdict on a claim is not what its file expects."""
    defaults = {**answer.ruleset.defaults, **answer.case.position.rulings}
    for choices, word in ruling.stated.expect:
        verdict = ruling.under(dict(choices), defaults).verdict
        if verdict != word:
            under = ", ".join(f"{q}={o}" for q, o in choices) or "the defaults"
            yield f"{ruling.claim}: {verdict} under {under}, expected {word}"


def failed(found: Iterable[Tried]) -> bool:
    """Is something wrong with any of them?"""
    return any(one.faults for one in found)
