"""Where a ruleset is searched by its name: folders and packages.

The first place with that name counts: the folders of `PYMORPH_PATH`; the games that ship; a
folder of that name beside the file that names it, or here; the examples that come with pymorph;
installed packages. So a package cannot take the name of one that comes with pymorph.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from pymorph.errors import RulesetError, UnknownName, clipped, close_to, nearest
from pymorph.runtime.installation import ROOT

VARIABLE = "PYMORPH_PATH"
GROUP = "pymorph.rulesets"  # entry points of packages
MOST_FOLDERS = 400  # that are searched for a game that is not where it was named
EXAMPLES = "examples/rulesets"  # below where the shipped rules are
NAME = re.compile(r"[A-Za-z_][\w-]{0,63}", re.ASCII)


class Location(NamedTuple):
    """A ruleset of a name: the folders of its files, and where it is located."""

    name: str
    folders: tuple[Path, ...]
    origin: str


def name_of(folder: Path) -> str | None:
    """The name by which the search path finds the ruleset of a folder, if it has one."""
    name = next((place.name for place in on_path() if place.folders == (folder,)), None)
    return name if name and found(name) == (folder,) else None


# Folders and packages


def on_path() -> Iterator[Location]:
    """The rulesets in the folders of the search path, in its order."""
    for part in os.environ.get(VARIABLE, "").split(os.pathsep):
        top = Path(part).expanduser()
        try:
            folders = sorted(top.iterdir()) if part else []
            for folder in folders:
                if NAME.fullmatch(folder.name) and (folder / "rules").is_dir():
                    yield Location(folder.name, (folder.resolve(),), VARIABLE)
        except (OSError, ValueError):
            continue  # a folder that is not there has none


def below(top: Path, levels: int = 4) -> Iterator[Path]:
    """The rulesets in a folder or below it, within the limits of a quick search."""
    agenda = [(top, levels)]
    for folder, left in islice(agenda, MOST_FOLDERS):
        try:
            inner = sorted(path for path in folder.iterdir() if path.is_dir())
        except (OSError, ValueError):
            continue
        if any(path.name == "rules" for path in inner) and any((folder / "rules").glob("*.lp")):
            yield folder
        elif left:
            agenda += [(path, left - 1) for path in inner if NAME.fullmatch(path.name)]


@lru_cache(maxsize=1)
def packages() -> Mapping[str, Location]:
    """The rulesets of installed packages, by name; the code of a package is not run for it.

    An entry point names a package, and after a colon a folder in it: ``games:orchard``.
    """
    from importlib.metadata import entry_points

    by_name: dict[str, Location] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
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
                located = Location(point.name, (folder.resolve(),), f"package {package}")
                by_name.setdefault(point.name, located)
    return by_name


# Names, and what they stand for


def sources_root() -> Path:
    """Where the shipped rules and encodings are: in the checkout, or in the installed package."""
    for root in (ROOT / "data", ROOT.parent):
        if (root / "encodings" / "core").is_dir():
            return root
    raise RulesetError("the installation has no rules; install pymorph again")


def shipped() -> list[str]:
    """The names of the rulesets that come with pymorph."""
    return sorted(folder.name for folder in (sources_root() / "rules").iterdir() if folder.is_dir())


def examples() -> dict[str, Path]:
    """The rulesets that come with pymorph as examples, by name: the folder of each."""
    return dict(_examples(sources_root() / EXAMPLES))


@lru_cache(maxsize=1)
def _examples(top: Path) -> Mapping[str, Path]:
    folders = sorted(top.iterdir()) if top.is_dir() else []
    return {path.name: path.resolve() for path in folders if (path / "rules").is_dir()}


def included() -> list[str]:
    """The names of all that come with pymorph: what ships, then the examples."""
    return [*shipped(), *examples()]


def everywhere(name: str = "", base: Path | None = None) -> Iterator[Location]:
    """The rulesets that can be loaded by a name, and those that a folder of this *name* has, in the
    order in which they count."""
    yield from on_path()
    root = sources_root()
    for own in shipped():
        yield Location(own, (root / "rules" / own, root / "encodings" / own), "shipped")
    yield from beside(name, base)
    for own, folder in examples().items():
        yield Location(own, (folder,), "example")
    if not name or NAME.fullmatch(name):
        yield from packages().values()


def beside(path: str, base: Path | None = None) -> Iterator[Location]:
    """The ruleset in the folder with a *path* from *base*, or from here."""
    try:
        for start in (base, Path.cwd()) if path else ():
            folder = (start or Path.cwd()) / path
            if (folder / "rules").is_dir():
                yield Location(path, (folder.resolve(),), "")
    except (OSError, ValueError):
        pass


def names() -> list[str]:
    """The names by which a ruleset can be loaded from anywhere."""
    return sorted({place.name for place in everywhere()})


def folders_of(name: str, base: Path | None = None) -> tuple[Path, ...]:
    """The folders of a ruleset's files: those of a name, or the one that a path leads to.

    A path is taken from *base*, the folder of the file that names it, or else from here; `finding`
    says where a name is looked for. Raises: UnknownName.
    """
    folders = found(name, base)
    if folders:
        return folders
    if "/" in name or "\\" in name:
        hint = "; the folder of a ruleset contains a folder 'rules'"
    else:
        hint = nearest(name, names())
    if "did you mean" not in hint:
        hint = similar(name, base) or hint
    raise UnknownName(f"unknown ruleset {clipped(name)}{hint}")


def found(name: str, base: Path | None = None) -> tuple[Path, ...]:
    """The folders that `folders_of` gives, or none."""
    is_path = "/" in name or "\\" in name
    places = beside(name, base) if is_path else everywhere(name, base)
    return next((place.folders for place in places if place.name == name), ())


def similar(name: str, base: Path | None = None) -> str:
    """A phrase that suggests the paths of rulesets with a similar name."""
    here = base or Path.cwd()
    folders: dict[str, Path] = {}
    for top in (here, Path.cwd()):
        for folder in below(top):
            folders.setdefault(folder.name, folder)
    close = close_to(re.split(r"[/\\]", name)[-1], folders)
    paths = [(os.path.relpath(folders[key], here), str(folders[key])) for key in close]
    shortest = [clipped(min(pair, key=len), 80) for pair in paths]
    return f"; did you mean {' or '.join(shortest)}?" if shortest else ""
