"""Where a ruleset is looked for that is named, not given by a path: files, folders and packages.

The first place that knows a name has it: `pymorph.toml`, found from the folder of the file that
names the ruleset upwards; the folders of `PYMORPH_PATH`; the games that ship; a folder of that name
beside the file, or here; installed packages. So a package cannot take the name of one that ships.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pymorph.errors import Fault, InputError, Place, clipped, nearest, reason

FILE = "pymorph.toml"
TABLE = "rulesets"
VARIABLE = "PYMORPH_PATH"
GROUP = "pymorph.rulesets"  # entry points of packages
NAME = re.compile(r"[A-Za-z_][\w-]{0,63}", re.ASCII)
KEYS = ("path", "version", "hash")
WRONG = re.compile(r"^(.*?)(?: \(at (?:line (\d+), column (\d+)|end of document)\))?$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Found:
    """A ruleset of a name: its folder, and where that is written; a *version* and *hash* it must
    have, if they are pinned."""

    name: str
    folder: Path
    origin: str
    place: Place | None = None
    version: str = ""
    hash: str = ""

    def require(self, version: str, content: str) -> None:
        """Raises: InputError, if a ruleset is not the one that is pinned."""
        for what, pinned, is_ in (("version", self.version, version), ("hash", self.hash, content)):
            if pinned and pinned != is_:
                message = f"{self.name} is pinned to {what} {pinned}, and {self.folder} has {is_}"
                raise InputError(Fault(message, self.place))


def stated(name: str, base: Path | None = None) -> Found | None:
    """The ruleset that `pymorph.toml` or a folder of the search path has under a name.

    Raises: InputError, if the file is wrong.
    """
    if not NAME.fullmatch(name):
        return None
    found = listed(base).get(name)
    if found is not None:
        return found
    return next((each for each in on_path() if each.name == name), None)


def name_of(folder: Path, base: Path) -> str | None:
    """The name by which a file in *base* finds the ruleset of a folder, if it has one.

    Raises: InputError, if a `pymorph.toml` is wrong.
    """
    for found in (*listed(base).values(), *on_path()):
        if found.folder == folder and stated(found.name, base) == found:
            return found.name
    return None


def packaged(name: str) -> Found | None:
    """The ruleset that an installed package has under a name."""
    return packages().get(name) if NAME.fullmatch(name) else None


# pymorph.toml


def listed(base: Path | None = None) -> Mapping[str, Found]:
    """The rulesets of the nearest `pymorph.toml`, from *base* or from here upwards, by name."""
    start = (base or Path.cwd()).resolve()
    for folder in (start, *start.parents):
        path = folder / FILE
        if path.is_file():
            return _read(path)
    return {}


def _read(path: Path) -> Mapping[str, Found]:
    shown = str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(Fault(f"cannot be read: {reason(error)}", Place(shown))) from None
    return _parsed(text, shown, path.parent)


@lru_cache(maxsize=32)
def _parsed(text: str, shown: str, folder: Path) -> Mapping[str, Found]:
    import tomllib

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = WRONG.match(str(error))
        what, line, column = match.groups() if match else (str(error), None, None)
        last = len(text.splitlines()) or 1
        place = Place(shown, int(line or last), int(column or 0))
        raise InputError(Fault(f"not TOML: {what[:1].lower()}{what[1:]}", place)) from None
    faults = [
        Fault(f"unknown key {clipped(key)}{nearest(key, [TABLE])}", _place(text, shown, key))
        for key in data
        if key != TABLE
    ]
    rows = data.get(TABLE, {})
    found: dict[str, Found] = {}
    if not isinstance(rows, dict):
        faults.append(Fault(f"'{TABLE}' is a table of names", _place(text, shown, TABLE)))
        rows = {}
    for name, value in rows.items():
        place = _place(text, shown, name)
        wrong = _wrong(name, value, folder)
        if wrong:
            faults.append(Fault(wrong, place))
        else:
            row = {"path": value} if isinstance(value, str) else value
            target = (folder / row["path"]).resolve()
            pins = row.get("version", ""), row.get("hash", "")
            found[name] = Found(name, target, str(place), place, *pins)
    if faults:
        raise InputError(faults)
    return found


def _wrong(name: str, value: Any, folder: Path) -> str:
    """What is wrong with an entry of the table."""
    if not NAME.fullmatch(name):
        return f"{clipped(name)} is no name: letters, digits, _ and -, a letter first"
    row = {"path": value} if isinstance(value, str) else value
    if not isinstance(row, dict) or not all(isinstance(part, str) for part in row.values()):
        return f'{name} is a path in quotes, or {{path = "...", version = "...", hash = "..."}}'
    for key in row:
        if key not in KEYS:
            return f"unknown key {clipped(key)} of {name}{nearest(key, KEYS)}"
    if "path" not in row:
        return f"{name} has no 'path'"
    try:
        if (folder / row["path"] / "rules").is_dir():
            return ""
    except (OSError, ValueError):
        pass
    return f"{name}: no ruleset in {clipped(row['path'])}; its folder has a folder 'rules' in it"


def _place(text: str, shown: str, key: str) -> Place:
    """Where a key of the file is written."""
    word = re.escape(key)
    pattern = re.compile(rf"""^\s*(?:\[+\s*(?:{TABLE}\s*\.\s*)?)?["']?{word}["']?\s*[\]=.]""")
    for number, line in enumerate(text.splitlines(), 1):
        if pattern.match(line):
            return Place(shown, number)
    return Place(shown, 1)


# Folders and packages


def on_path() -> Iterator[Found]:
    """The rulesets in the folders of the search path, in its order."""
    for part in os.environ.get(VARIABLE, "").split(os.pathsep):
        top = Path(part).expanduser()
        try:
            folders = sorted(top.iterdir()) if part else []
            for folder in folders:
                if NAME.fullmatch(folder.name) and (folder / "rules").is_dir():
                    yield Found(folder.name, folder.resolve(), VARIABLE)
        except (OSError, ValueError):
            continue  # a folder that is not there has none


@lru_cache(maxsize=1)
def packages() -> Mapping[str, Found]:
    """The rulesets of installed packages, by name; the code of a package is not run for it.

    An entry point names a package, and after a colon a folder in it: ``games:orchard``.
    """
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    found: dict[str, Found] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda each: (each.name, each.value)):
        module, _, below = point.value.partition(":")
        try:
            spec = find_spec(module.strip())
            places = list(spec.submodule_search_locations or ()) if spec else []
        except (ImportError, ValueError):
            continue
        for place in places:
            folder = Path(place, *below.strip().split(".")) if below.strip() else Path(place)
            if (folder / "rules").is_dir():
                package = point.dist.name if point.dist else module
                where = f"package {package}"
                found.setdefault(point.name, Found(point.name, folder.resolve(), where))
    return found
