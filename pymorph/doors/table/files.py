"""The files of the table: the folder of a server, and the record of a game that starts."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

from pymorph import yamlio
from pymorph.adjudication.case import Case
from pymorph.doors.seats import Table, seats_around
from pymorph.errors import InputError, Place, UnknownName, clipped, nearest
from pymorph.questions import consistency
from pymorph.ruleset import locations, scaffold
from pymorph.state import test_case
from pymorph.state.files import position_file
from pymorph.state.position import Position
from pymorph.state.record import Record
from pymorph.yamlio import Json

FOLDERS = ("", "positions", "records", "cases", "disputes")  # in which files are looked for
HEAD = 64 << 10  # bytes of a file by which its kind is known
# What is in a file, by its keys; the first that fits.
KINDS = {
    "record": re.compile(rb"^play:", re.M),
    "case": re.compile(rb"^claims:", re.M),
    "cases": re.compile(rb"^- id: *(\S+)", re.M),
    "position": re.compile(rb"^ruleset:", re.M),
}


class FileBounds(NamedTuple):
    """How much is listed at most."""

    files: int = 400
    cases: int = 400  # of a file


MOST = FileBounds()


def listed(folder: str) -> list[Json]:
    """The records, positions and cases in a folder: each with its name, its kind, and the ids of
    the cases in it. A link that leads out of the folder is left out."""
    files: list[Json] = []
    top = Path(folder)
    for below in FOLDERS:
        names = sorted((top / below).glob("*.yaml")) if (top / below).is_dir() else []
        for path in islice(names, MOST.files - len(files)):
            kind, found = kind_of(path, top)
            if kind:
                cases = [one.decode("utf-8", "replace") for one in found] if kind == "cases" else []
                name = path.relative_to(top).as_posix()
                files.append({"name": name, "kind": kind, "cases": cases[: MOST.cases]})
    return files


def kind_of(path: Path, top: Path) -> tuple[str, list[bytes]]:
    """The kind of a file in the folder *top*, "" if it is none of ours; and what shows it."""
    if yamlio.leads_out(path, top) or not path.is_file():
        return "", []
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError:
        return "", []
    kinds = ((kind, form.findall(head)) for kind, form in KINDS.items())
    return next(((kind, found) for kind, found in kinds if found), ("", []))


def records(folder: str) -> list[str]:
    """The paths of the records in a folder."""
    return [
        os.path.join(folder, each["name"]) for each in listed(folder) if each["kind"] == "record"
    ]


def offered(_: object, folder: str) -> Json:
    """What can be opened: the files of a folder, and the games that can start."""
    return {"files": listed(folder), "games": locations.names()}


def opened(_: object, folder: str, given: Json) -> str:
    """The record of what somebody chose of what is offered; it is a new one, unless that is a
    record itself. Raises: InputError, if it is not offered."""
    name, wanted = given.get("game"), given.get("file")
    if isinstance(name, str):
        games = locations.names()
        if name not in games:
            raise UnknownName(f"unknown game {clipped(name)}{nearest(name, games)}")
        start = given.get("start")
        start = start if isinstance(start, str) else ""
        begun = begin(name, os.path.join(folder, "new.yaml"), start)
        return written(begun, "", stem(name), "", folder)
    files = {each["name"]: each["kind"] for each in listed(folder)}
    if not isinstance(wanted, str) or wanted not in files:
        raise UnknownName(f"unknown file {clipped(str(wanted))}{nearest(str(wanted), files)}")
    path = os.path.join(folder, wanted)
    if files[wanted] == "record":
        Table(path)
        return path
    return written(begun_in(path, files[wanted], given.get("case")), "", stem(path), "", folder)


def begun_in(path: str, kind: str, case: object) -> Position | Record:
    """The position of a file, or of one of the cases in it. Raises: InputError."""
    if kind == "case":
        return Case.load(path).position
    if kind == "cases":
        cases = {each.id: each for each in test_case.load(path)}
        if case not in cases:
            raise UnknownName(f"unknown case {clipped(str(case))}{nearest(str(case), cases)}")
        return cases[str(case)].position()
    return position_file.load(path)


def laid(source: str, target: str, start: str, seed: str, check: Callable[[Position], None]) -> str:
    """The record of the game in a file, or of one that starts now, if *check* lets it pass.

    Of a folder, that is the record that was written to last, or else its first file.

    Raises: InputError, if there is no such file or game.
    """
    if os.path.isdir(source) and not os.path.isdir(os.path.join(source, "rules")):
        source = latest(source)
    if not os.path.isfile(source) and not source.endswith(".yaml"):
        begun: Position | Record = begin(source, target, start)
    else:
        begun = position_file.load(source)
    check(begun if isinstance(begun, Position) else begun.position)
    if isinstance(begun, Record) and not target:
        Table(source)
        return source
    return written(begun, target, stem(source), seed, "")


def latest(folder: str) -> str:
    """The record in a folder that was written to last, or else its first file."""
    if known := records(folder):
        return max(known, key=os.path.getmtime)
    if not (found := listed(folder)):
        message = "has no record, position or case; name a game to start one"
        raise InputError(message, Place(folder))
    return os.path.join(folder, found[0]["name"])


def begin(game: str, beside: str, start: str) -> Position | Record:
    """Where a game begins, for a file *beside* which it finds its ruleset, or here."""
    text = scaffold.start(game, beside, start)
    return position_file.parse(text, game, yamlio.folder_of(beside) if beside else None)


def written(begun: Position | Record, target: str, name: str, seed: str, folder: str) -> str:
    """The new file of a game that starts so."""
    path = target or next(
        path
        for n in count(1)
        if not os.path.exists(path := os.path.join(folder, f"{name}.game{n}.yaml"))
    )
    Table.laid(path, begun, seed)
    return path


def stem(path: str) -> str:
    """What the record of a game from a file, or of that name, is called."""
    return os.path.basename(path.rstrip("/")).partition(".")[0]


def seats_of(path: str) -> list[str]:
    """All seats of a game."""
    return seats_around(consistency.observers(Table(path).position))
