"""The files that come with a ruleset, each tried: positions, records, disputes, test cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pymorph import yamlio
from pymorph.adjudication import examples
from pymorph.adjudication.adjudication import adjudicate
from pymorph.adjudication.case import Case
from pymorph.adjudication.test_runner import faults_of
from pymorph.adjudication.verdicts import expectation_faults, unexpected
from pymorph.answers import json_keys
from pymorph.errors import PymorphError
from pymorph.explore.execution.replay import replay
from pymorph.questions.consistency import check
from pymorph.ruleset.loader import Edition, Ruleset
from pymorph.ruleset.vocabulary import RECORDED
from pymorph.state import test_case
from pymorph.state.position import Position
from pymorph.state.record import Record
from pymorph.state.test_case import BASES

KINDS = ("positions", "records", "cases")
OTHERS = ("rulings.yaml", BASES)  # what is never tried by itself
EXPECTATIONS = "expectations"  # what a file of cases is that is a list


@json_keys(without=["error"])
@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a file: how much of it was *tried*, what is wrong, what has to be noted.

    *kind* is one of `KINDS` or `EXPECTATIONS`; what is tried of a position is one thing, of a
    record its actions, of a dispute its verdicts, of a file of test cases each of them. *error* is
    why the file cannot be used, if it cannot.
    """

    file: str
    kind: str
    tried: int
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    error: PymorphError | None = None


@json_keys(spread=["edition"])
class Tests(NamedTuple):
    """The files of a game that were tested; *left* is how many were not."""

    edition: Edition
    files: Sequence[Tried]
    left: int


def files_of(game: Ruleset) -> list[tuple[str, Path]]:
    """The files that are tried of a ruleset, each with its kind, in a fixed order.

    They lie in its folders ``positions``, ``records`` and ``cases``, at any depth, and in
    ``disputes`` below its rules, where each question has its example. A file of cases that is a
    list is one of test cases.
    """
    places = ("", "rules/") if game.from_path else ("",)
    files = [
        (kind, path)
        for kind in KINDS
        for path in game.find(*(f"{below}{kind}/**/*.yaml" for below in places))
        if path.name not in OTHERS
    ]
    files = [
        (EXPECTATIONS if kind == "cases" and test_case.is_list(path) else kind, path)
        for kind, path in files
    ]
    return files + [("cases", path) for path in examples.files(game)]


def within(path: Path) -> list[Path]:
    """A file itself; of a folder, the files in it that are tried, at any depth."""
    if not path.is_dir():
        return [path]
    return [file for file in sorted(path.glob("**/*.yaml")) if file.name not in OTHERS]


def kind_of(path: Path) -> str:
    """What a file is by what stands in it, wherever it lies; nothing if it is none that is tried.

    Raises: InputError, if it cannot be read.
    """
    if test_case.is_list(path):
        return EXPECTATIONS
    text, name, _ = yamlio.contents(path)
    root, _ = yamlio.parse(text, name, yamlio.LIMITS.long_nodes)
    keys = root if isinstance(root, yamlio.Keys) else None
    marks = (("claims", "cases"), (RECORDED, "records"), ("ruleset", "positions"))
    return next((kind for key, kind in marks if keys and keys.get(key) is not None), "")


def game_of(kind: str, path: Path) -> Ruleset | None:
    """The game that a file is about, of its first case; None if it cannot be read that far."""
    try:
        return READERS[kind][0](str(path)).ruleset
    except (PymorphError, StopIteration):
        return None


def try_file(kind: str, path: Path) -> Tried:
    """What becomes of one file. What cannot be read is a fault of it, and raises nothing."""
    name = str(path)
    try:
        return READERS[kind][1](name)
    except PymorphError as error:
        return Tried(name, kind, 0, tuple(str(error).splitlines()), error=error)


def _position(name: str) -> Tried:
    faults = tuple(flaw.says for flaw in check(Position.load(name)).flaws)
    return Tried(name, "positions", 1, faults)


def _record(name: str) -> Tried:
    record = Record.load(name)
    answer = replay(record)
    faults = []
    if answer.stop is not None:
        says = f", {answer.stop.says}" if answer.stop.says else ""
        faults.append(f"step {answer.stop.step} cannot be carried out: {answer.stop.action}{says}")
    faults += [f"{d.fluent} is {d.now} at the end, not {d.recorded}" for d in answer.differs]
    return Tried(name, "records", answer.steps, tuple(faults))


def _case(name: str) -> Tried:
    answer = adjudicate(Case.load(name))
    faults = (f"{fault.place}: {fault.message}" for fault in expectation_faults(answer))
    left = unexpected(answer)
    notes = [f"{left} claim{'s' * (left > 1)} without an expected verdict"] * bool(left)
    expected = sum(len(ruling.stated.expect) for ruling in answer.claims)
    return Tried(name, "cases", expected, tuple(faults), tuple(notes))


def _expectations(name: str) -> Tried:
    cases = test_case.load(name)
    pairs = zip(cases, faults_of(cases), strict=True)
    faults = (f"{f.place}: {case.id}: {f.message}" for case, faults in pairs for f in faults)
    return Tried(name, EXPECTATIONS, len(cases), tuple(faults))


# By the kind of a file: the position that it begins with, and what becomes of it.
READERS: Mapping[str, tuple[Callable[[str], Position], Callable[[str], Tried]]] = {
    "positions": (Position.load, _position),
    "records": (lambda name: Record.load(name).position, _record),
    "cases": (lambda name: Case.load(name).position, _case),
    EXPECTATIONS: (lambda name: next(iter(test_case.load(name))).position(), _expectations),
}
