"""The rulesets that can be named, with version and hash."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pymorph import finding, ruleset
from pymorph.answers import Json
from pymorph.errors import Fault, PymorphError, UnknownName, clipped, nearest

SHIPPED = "shipped"


@dataclass(frozen=True, slots=True)
class Shelved:
    """A ruleset by the *name* that it is found under; *fault* says why it cannot be used."""

    name: str
    version: str
    hash: str
    title: str
    origin: str
    folder: str
    fault: str = ""

    def json(self) -> Json:
        told = {"name": self.name, "version": self.version, "hash": self.hash, "title": self.title}
        found = {**told, "from": self.origin, "folder": self.folder}
        return {**found, "fault": self.fault} if self.fault else found


def shelf(names: Iterable[str] = ()) -> tuple[Shelved, ...]:
    """The rulesets of these *names*, or all that there are, by name.

    Raises: UnknownName.
    """
    origins = {name: each.origin for name, each in finding.packages().items()}
    origins |= dict.fromkeys(ruleset.shipped(), SHIPPED)
    on_path = list(finding.on_path())
    origins |= {each.name: each.origin for each in reversed(on_path)}
    wanted = list(dict.fromkeys(names)) or sorted(origins)
    for name in wanted:
        if name not in origins:
            raise UnknownName(Fault(f"unknown ruleset {clipped(name)}{nearest(name, origins)}"))
    return tuple(_shelved(name, origins[name]) for name in wanted)


def _shelved(name: str, origin: str) -> Shelved:
    folders = ruleset.folders_of(name)
    try:
        game = ruleset.load(name)
    except PymorphError as error:
        fault = str(error).splitlines()[0]
        return Shelved(name, "", "", "", origin, str(folders[0]), fault)
    return Shelved(name, game.version, game.hash, game.title, origin, str(folders[0]))
