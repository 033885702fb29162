"""Where a ruleset is looked for that is named, not given by a path: folders and packages.

The first place that knows a name has it: the folders of `PYMORPH_PATH`; the games that ship; a
folder of that name beside the file that names it, or here; the examples that come with pymorph;
installed packages. So a package cannot take the name of one that comes with pymorph.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

VARIABLE = "PYMORPH_PATH"
GROUP = "pymorph.rulesets"  # entry points of packages
MOST_FOLDERS = 400  # that are looked through for a game that is not where it was named
NAME = re.compile(r"[A-Za-z_][\w-]{0,63}", re.ASCII)


class Location(NamedTuple):
    """A ruleset of a name: its folder, and where it was found."""

    name: str
    folder: Path
    origin: str


def stated(name: str) -> Location | None:
    """The ruleset that a folder of the search path has under a name."""
    return next((each for each in on_path() if each.name == name), None)


def name_of(folder: Path) -> str | None:
    """The name by which the search path finds the ruleset of a folder, if it has one."""
    found = next((each for each in on_path() if each.folder == folder), None)
    return found.name if found is not None and stated(found.name) == found else None


def packaged(name: str) -> Location | None:
    """The ruleset that an installed package has under a name."""
    return packages().get(name) if NAME.fullmatch(name) else None


# Folders and packages


def on_path() -> Iterator[Location]:
    """The rulesets in the folders of the search path, in its order."""
    for part in os.environ.get(VARIABLE, "").split(os.pathsep):
        top = Path(part).expanduser()
        try:
            folders = sorted(top.iterdir()) if part else []
            for folder in folders:
                if NAME.fullmatch(folder.name) and (folder / "rules").is_dir():
                    yield Location(folder.name, folder.resolve(), VARIABLE)
        except (OSError, ValueError):
            continue  # a folder that is not there has none


def below(top: Path, levels: int = 4) -> Iterator[Path]:
    """The rulesets that lie in a folder or below, as far as it is quickly looked through."""
    agenda = [(top, levels)]
    for folder, left in islice(agenda, MOST_FOLDERS):
        try:
            inner = sorted(each for each in folder.iterdir() if each.is_dir())
        except (OSError, ValueError):
            continue
        if any(each.name == "rules" for each in inner) and any((folder / "rules").glob("*.lp")):
            yield folder
        elif left:
            agenda += [(each, left - 1) for each in inner if NAME.fullmatch(each.name)]


@lru_cache(maxsize=1)
def packages() -> Mapping[str, Location]:
    """The rulesets of installed packages, by name; the code of a package is not run for it.

    An entry point names a package, and after a colon a folder in it: ``games:orchard``.
    """
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    found: dict[str, Location] = {}
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
                found.setdefault(point.name, Location(point.name, folder.resolve(), where))
    return found
