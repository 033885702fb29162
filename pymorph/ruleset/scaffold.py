"""Writes what one starts from: a small commented ruleset, a copy of another, a first position."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pymorph import yamlio
from pymorph.errors import InputError, Place, UnknownName, clipped, nearest, printable, reason
from pymorph.ruleset.cache.file_contents import leads_out
from pymorph.ruleset.loader import Ruleset, load
from pymorph.runtime.installation import ROOT

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
TEMPLATE = ROOT / "ruleset" / "template"
COPIED = (".lp", ".yaml", ".txt", ".py", ".csv", ".uvtt")


def write(path: str) -> list[str]:
    """Write the starter into the new folder *path*, whole or not at all, and say what to try.

    Raises: InputError, if the name will not do, or the folder is there already.
    """
    path = str(Path(path))
    write_folder(path, {TEMPLATE: "."}, ("starter",))
    return [
        f"wrote {path}: rules/game.lp, rules/disputes/same_again.yaml, encodings/play.lp, "
        "positions/start.yaml, records/first.yaml, cases/last.yaml",
        f"try: pymorph legal {shlex.quote(f'{path}/positions/start.yaml')}",
    ]


def copy(path: str, game: str) -> list[str]:
    """Write a copy of a ruleset into the new folder *path*, under the name of that folder.

    Raises: as `write`, and UnknownName or RulesetError, if there is no such ruleset.
    """
    path, ruleset = str(Path(path)), load(game)
    folders = [Path(folder) for folder in ruleset.folders]
    places = {folders[0]: "."}
    if not ruleset.from_path:
        rules, encodings = folders
        places = {rules / "positions": "positions", rules: "rules", encodings: "encodings"}
    write_folder(path, places, (ruleset.name, game))
    starts = [f"{path}/positions/{first.name}" for first in ruleset.starts[:1]]
    return [
        f"wrote {path}: a copy of {ruleset.name} {ruleset.version}",
        *(f"try: pymorph legal {shlex.quote(first)}" for first in starts),
        f"try: pymorph verify {shlex.quote(path if '/' in path else f'./{path}')}",
    ]


def write_folder(path: str, places: Mapping[Path, str], names: Sequence[str]) -> None:
    """Write what lies in some folders, each at its place below the new folder *path*.

    The ruleset that had one of the *names* is called as the folder is, and its files say where it
    lies. Raises: InputError.
    """
    target = Path(path)
    name = target.name
    if not NAME.fullmatch(name) or name == "not":
        raise InputError(
            f"{clipped(name)} is not a valid name; expected a small letter, then small "
            "letters, digits and _"
        )
    if target.exists():
        raise InputError(f"{clipped(str(target), 80)} already exists; nothing was written")
    either = "|".join(map(re.escape, names))
    heads = re.compile(rf"\bruleset\(({either}),")
    named = re.compile(rf"\bruleset: ({either})(?=[,}}\s])")
    files = dict(_copied(places))
    try:
        with tempfile.TemporaryDirectory(
            prefix=f".{name}.", dir=target.parent, ignore_cleanup_errors=True
        ) as made:
            draft = Path(made)
            for place, text in files.items():
                file = draft / place
                file.parent.mkdir(parents=True, exist_ok=True)
                text = heads.sub(f"ruleset({name},", text)
                if file.suffix != ".lp":
                    origin = os.path.relpath(draft, file.parent).replace(os.sep, "/")
                    text = named.sub(f"ruleset: {origin}", text)
                file.write_text(text, encoding="utf-8")
            draft.chmod(0o755)
            draft.rename(target)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write {clipped(str(target), 80)}: {reason(error)}") from None


def _copied(places: Mapping[Path, str]) -> Iterator[tuple[Path, str]]:
    """The texts of the files below some folders, each with its place in the copy.

    Raises: InputError, if one is a link out of them, or too long, or no text; or they are too many.
    """
    seen: set[Path] = set()
    left = yamlio.LIMITS.long_bytes
    for folder, place in places.items():
        for source in sorted(folder.rglob("*")):
            if source.suffix not in COPIED or source in seen or not source.is_file():
                continue
            seen.add(source)
            if leads_out(source, [*places]):
                raise InputError(yamlio.LEADS_OUT, Place(printable(str(source))))
            text, _ = yamlio.read(str(source), left)
            left -= len(text)
            yield Path(place) / source.relative_to(folder), text


def starts(game: str) -> dict[str, str]:
    """The positions in which play of a ruleset may begin, by name: what its first line says.

    Raises: UnknownName or RulesetError, if there is no such ruleset; InputError, if it has none.
    """
    descriptions = {}
    for path in _starting(load(game)).values():
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        descriptions[path.stem] = first.removeprefix("#").strip() if first.startswith("#") else ""
    return descriptions


def _starting(ruleset: Ruleset) -> dict[str, Path]:
    """The files of the starts, by name. Raises: InputError, if there are none."""
    if not ruleset.starts:
        raise InputError(f"{ruleset.name} has no positions/start.yaml", None)
    return {path.stem: path for path in ruleset.starts}


def start_file(game: str, name: str = "") -> Path:
    """The file of the first position in which play of a ruleset begins, or of the one of a *name*.

    Raises: UnknownName or RulesetError, if there is no such ruleset, or no such start; InputError,
    if it has none.
    """
    ruleset = load(game)
    paths = _starting(ruleset)
    if name and name not in paths:
        raise UnknownName(f"unknown start {clipped(name)} of {ruleset.name}{nearest(name, paths)}")
    return paths[name or next(iter(paths))]


def start(game: str, path: str = "", name: str = "") -> str:
    """The first position in which play of a ruleset begins, or the one of a *name*, as its file has
    it, for a file at *path*.

    Raises: UnknownName or RulesetError, if there is no such ruleset, or no such start; InputError,
    if it has none.
    """
    text = start_file(game, name).read_text(encoding="utf-8")
    origin = load(game).named_from(Path(path).parent if path else None)
    if not origin.isprintable() and printable(origin) != origin:
        message = (
            f"a file cannot name {printable(origin)}; write yours into that folder, or rename it"
        )
        raise InputError(message)
    return re.sub(r"(?m)^ruleset: .*$", lambda _: f"ruleset: {yamlio.flow(origin)}", text, count=1)


def write_start(game: str, path: str, name: str = "") -> list[str]:
    """Write that position into the new file *path*, and say what to try. Raises: InputError."""
    text = start(game, path, name)
    if os.path.lexists(path):
        raise InputError(f"{clipped(path, 80)} already exists; nothing was written")
    yamlio.write(path, text)
    lines = [f"wrote {path}", f"try: pymorph legal {shlex.quote(path)}"]
    others = starts(game)
    if len(others) > 1 and not name:
        lines.append(f"other starts: {', '.join([*others][1:])} (--start NAME)")
    return lines
