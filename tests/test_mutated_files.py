"""Files of other programs with a few bytes changed: read, and nothing is left out in silence."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pymorph.errors import InputError
from pymorph.ruleset import loader
from pymorph.ruleset.loader import Ruleset
from pymorph.state.imports import list_files, lists, maps
from tests.conftest import EXAMPLES
from tests.tables import tables

STANDOFF = EXAMPLES / "rulesets" / "standoff"
HALL = tables(__name__)["hall"]
ARMY = tables(__name__)["army"]
OWN = list_files.NAMES | list_files.COUNTS | list_files.BASES | {" side", " at", " state"}
LISTS_OF_A_MAP = ("line_of_sight", "objects_line_of_sight", "portals")
READ = maps.NO_TERRAIN | {*LISTS_OF_A_MAP}


def mutated(chance: random.Random, data: bytes) -> bytes:
    """A file with one to three places changed: a byte, or a part that is dropped or there twice."""
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data))
        size = chance.choice((1, 1, 1, 4, 30))
        part = data[at : at + size]
        new = chance.choice((b"", part * 2, bytes([chance.randrange(256)]), chance.choice(SIGNS)))
        data = data[:at] + new + data[at + size :]
    return data


SIGNS = [sign.encode() for sign in ("0", "-", ",", ";", '"', "\n", "e", ".", " x", "null", "[]")]


def of_a_map(path: Path, game: Ruleset) -> None:
    """Each wall, object and door is on the table, or there is a word about it."""
    found = maps.imported(str(path), game, label="wall")
    data = json.loads(path.read_bytes().decode("utf-8-sig"))
    told = "\n".join((*found.left_out, *found.notes))
    unnamed = 0
    for key in LISTS_OF_A_MAP:
        items = data.get(key)
        if isinstance(items, list):
            unnamed += sum(f"{key}[{number}]" not in told for number in range(len(items)))
        else:
            assert items is None or key in told
    assert len(found.plane.terrain) >= unnamed
    assert all(ascii(key)[1:-1][:30] in ascii(told) for key in data.keys() - READ)
    portals = data.get("portals") if isinstance(data.get("portals"), list) else []
    shut = [each for each in portals or [] if isinstance(each, dict) and each.get("closed") is True]
    drawn = [name for name in found.plane.pieces if name.startswith("door")]
    assert len(drawn) + told.count("door portals[") >= len(shut)


def bare(text: object) -> str:
    """The letters and digits of a text, which no quoting changes."""
    return re.sub(r"[\W_]", "", ascii(text))


def of_an_army(path: Path, game: Ruleset) -> None:
    """Each line is figures, or there is a word about it; so it is with each column and base."""
    found = lists.imported(str(path), game, lists.ListOptions(defaults={"side": "red"}))
    data = path.read_bytes()
    text = data.decode("cp1252" if list_files.is_windows_1252(data) else "utf-8-sig")
    _, rows = list_files.csv_rows(text.replace("\r\n", "\n"), "")
    (_, header), *lines = rows
    told = "\n".join((*found.left_out, *found.notes))
    said, everything = bare(told), bare(f"{told}{found.members}")
    assert len(found.members) + len(found.left_out) >= len(lines)
    assert all(f"line {n}:" in told for n, line in lines if len(line) < len(header))
    silent = [line for n, line in lines if f"line {n}:" not in told]
    for column, cell in enumerate(map(str.strip, header)):
        word = list_files.spoken(cell)
        values = [line[column].strip() for line in silent]
        if not cell:
            assert not any(values) or "columns without a name" in told
        elif word in list_files.BASES and "a count of 0" not in told:
            assert all(bare(value)[:25] in everything for value in values)
        elif word not in OWN:
            assert bare(cell)[:25] in said or "..." in told


TRIED: dict[str, tuple[bytes, Callable[[Path, Ruleset], Any]]] = {
    "uvtt": (HALL.encode(), of_a_map),
    "csv": (ARMY.encode(), of_an_army),
    "csv-1252": (ARMY.encode("cp1252"), of_an_army),
}


def tries(kind: str, seed: int, number: int, folder: Path) -> int:
    """How many of so many files are read; each of the others has its fault.

    Raises: AssertionError with the trial.
    """
    data, look = TRIED[kind]
    game = loader.load(str(STANDOFF))
    path, good = folder / "file", 0
    for trial in range(number):
        path.write_bytes(mutated(random.Random(f"{kind} {seed} {trial}"), data))
        try:
            look(path, game)
            good += 1
        except InputError as error:
            faults = error.faults
            if not all(fault.place and fault.place.file == str(path) for fault in faults):
                raise AssertionError(f"{kind}, seed {seed}, trial {trial}: no place") from error
        except Exception as error:
            raise AssertionError(f"{kind}, seed {seed}, trial {trial}: {error!r}") from error
    return good


@pytest.mark.parametrize("kind", TRIED)
def test_changed_files(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maps, "LIMITS", maps.LIMITS._replace(places=1000))
    assert tries(kind, 0, 70, tmp_path)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("kind", TRIED)
def test_changed_files_for_long(
    kind: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maps, "LIMITS", maps.LIMITS._replace(places=1000))
    assert tries(kind, seed, 1000, tmp_path)
