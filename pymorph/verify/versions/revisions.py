"""A ruleset as it was at a revision of its git repository, and which of its files have changed."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pymorph.asp.dependency import Statement, meets
from pymorph.asp.passes.own_names import as_named
from pymorph.asp.program import Encoding, Findings, GateRules
from pymorph.asp.statements import CheckedStatement, Source
from pymorph.errors import InputError, Place, clipped, printable
from pymorph.ruleset.loader import STARTS, Ruleset
from pymorph.ruleset.locations import folders_of, sources_root
from pymorph.verify.effort import EFFORT
from pymorph.verify.scope import Scope
from pymorph.verify.spaces.witnesses import FILE as KNOWN
from pymorph.verify.versions.changes import cards_only
from pymorph.yamlio import LIMITS

RULES = ".lp"
KEPT = (RULES, ".yaml", KNOWN)  # what a ruleset is made of: how the names of its files end
FILE = {"100644", "100755"}  # how git calls a plain file
# What a hook of git sets for the commands in it, and which repository it is about.
SET_BY_HOOKS = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"}


class Repository(NamedTuple):
    """A git repository, known by the folder at its top."""

    top: Path

    @classmethod
    def around(cls, folder: Path) -> Repository:
        """The one that a folder is in. Raises: InputError, if there is none, or no git."""
        try:
            top = _git(folder, "rev-parse", "--show-toplevel")
        except InputError as error:
            if "not a git repository" not in str(error):
                raise
            message = "there are no revisions: not in a git repository"
            raise InputError(message, Place(str(folder))) from None
        return cls(Path(os.fsdecode(top).removesuffix("\n")).resolve())

    def commit(self, revision: str) -> str:
        """The commit that a revision stands for. Raises: InputError, if there is none."""
        unknown = InputError(f"unknown revision {clipped(revision)} in {self.top}")
        if not revision or revision.startswith("-"):
            raise unknown
        try:
            digest = _git(self.top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        except InputError:
            raise unknown from None
        return digest.decode("ascii").strip()

    def changed(self, revision: str, folders: Iterable[Path]) -> tuple[Path, ...]:
        """The files in some folders that are not as they were: changed, new, or gone."""
        commit = self.commit(revision)
        ways = [f":(literal){self._way(folder)}" for folder in folders]
        plain = ("--name-only", "--no-renames", "--no-ext-diff", "-z")
        known = _git(self.top, "diff", *plain, commit, "--", *ways)
        new = _git(self.top, "ls-files", "--others", "--exclude-standard", "-z", "--", *ways)
        return tuple(self.top / name for name in sorted({*_names(known), *_names(new)}))

    def files(self, commit: str, folder: Path) -> dict[PurePosixPath, bytes]:
        """The rules of a folder, as they were at a commit, by their paths in it.

        Raises: InputError, if a link is among them, or something larger than a file of rules.
        """
        way = self._way(folder)
        listed = _git(self.top, "ls-tree", "-r", "-z", "-l", "--full-tree", commit, "--", way)
        digests: dict[PurePosixPath, str] = {}
        for entry in _names(listed):
            about, _, name = entry.partition("\t")
            mode, _, digest, size = about.split()
            place = Place(name)
            if mode not in FILE:
                raise InputError("cannot follow a link in a ruleset", place)
            if not name.endswith(KEPT):
                continue
            if int(size) > LIMITS.bytes:
                raise InputError(f"the file is larger than {LIMITS.bytes:,} bytes", place)
            inner = PurePosixPath(name).relative_to("" if way == "." else way)
            if ".." in inner.parts or inner.is_absolute():
                raise InputError("the path leads out of the ruleset's folder", place)
            digests[inner] = digest
        given = "".join(f"{digest}\n" for digest in digests.values()).encode()
        output = BytesIO(_git(self.top, "cat-file", "--batch", given=given))
        return {inner: _content(output) for inner in digests}

    def _way(self, folder: Path) -> str:
        try:
            return folder.resolve().relative_to(self.top).as_posix()
        except ValueError:
            message = f"not in the repository {self.top}"
            raise InputError(message, Place(str(folder))) from None


def _names(data: bytes) -> list[str]:
    return [os.fsdecode(name) for name in data.split(b"\0") if name]


def _content(output: BytesIO) -> bytes:
    """The next of some objects: there is a line with the size before each, an empty one after."""
    data = output.read(int(output.readline().split()[2]))
    output.readline()
    return data


def _git(folder: Path, *words: str, given: bytes = b"") -> bytes:
    """What git answers. Raises: InputError with what it complains of."""
    command = ["git", "-c", "core.fsmonitor=false", "-C", str(folder), *words]
    around = {name: value for name, value in os.environ.items() if name not in SET_BY_HOOKS}
    around |= {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
    seconds = EFFORT.git_seconds
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, env=around, timeout=seconds, check=False
        )
    except FileNotFoundError:
        raise InputError("revisions need git, which is not installed") from None
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise InputError(f"git failed: {printable(str(error))}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise InputError(f"git: {printable(said.removeprefix('fatal: '))}")
    return done.stdout


@contextmanager
def at_revision(name: str, revision: str) -> Iterator[Path]:
    """A folder with a ruleset as it was at a revision, for as long as the context lasts.

    *name* is that of a shipped ruleset, or the path of a folder with one; in either case it is laid
    out like such a folder, and its rules are read by today's core.
    Raises: UnknownName, if there is no such ruleset now; InputError, if there is no git, no such
    revision, or the ruleset was not there.
    """
    folders = folders_of(name)
    repository = Repository.around(folders[0])
    commit = repository.commit(revision)
    with TemporaryDirectory(prefix="pymorph-", ignore_cleanup_errors=True) as place:
        top = Path(place).resolve()
        for folder in folders:
            room = top / folder.parent.name if len(folders) > 1 else top
            for inner, data in repository.files(commit, folder).items():
                (room / inner).parent.mkdir(parents=True, exist_ok=True)
                (room / inner).write_bytes(data)
        if not (top / "rules").is_dir():
            message = f"unknown ruleset {clipped(name)} at revision {clipped(revision)}"
            raise InputError(message)
        yield top


# -- what has changed ------------------------------------------------------------------------------


def changed_since(ruleset: Ruleset, revision: str) -> tuple[Path, ...]:
    """The files of a ruleset that are not as they were at a revision; some may be gone.

    Raises: InputError, if there is no git, or no such revision.
    """
    return Repository.around(Path(ruleset.folders[0])).changed(revision, _folders(ruleset))


def holds(ruleset: Ruleset, file: Path) -> bool:
    """Is a file part of a ruleset, or of the core that is kept with it?"""
    return any(file.resolve().is_relative_to(folder.resolve()) for folder in _folders(ruleset))


def changed_scope(scope: Scope, files: Iterable[Path], revision: str = "") -> Scope:
    """The same, where only the statements of some files that are new or gone are looked at.

    They are compared with those of a revision; if none is named, with those of the last one, and
    where that does not have a file, all of it is new. An edit of nothing but cards is looked at
    among no more cards than it touched. All is looked at where a file has a start: no statement
    tells of that.
    Raises: InputError, if there is no such revision.
    """
    wanted = sorted({path.resolve() for path in files})
    if any(path.match(STARTS) for path in wanted):
        return scope
    wanted = [path for path in wanted if path.suffix == RULES]
    statements = scope.sources.statements
    left = Counter(s for file in wanted for s in earlier(scope.ruleset, file, revision))
    texts = Counter({s.text: number for s, number in left.items()})
    changed = set()
    for number in sorted(_numbers_in(scope, wanted)):
        text = as_named(statements[number].text)
        if texts[text]:
            texts[text] -= 1
        else:
            changed.add(number)
    gone = [statement for statement in left if texts[statement.text]]
    changed |= _bereft(scope, changed, gone)
    taken = tuple(Statement(s.text, s.signs) for s in gone)
    edited = scope.replaced(changed=frozenset(changed), gone=taken)
    cards = cards_only(edited)
    return edited.within(cards=cards) if 0 < cards < scope.bounds.cards else edited


def earlier(ruleset: Ruleset, file: Path, revision: str = "") -> list[CheckedStatement]:
    """The statements of a file as it was at a revision; none, if it was not there, or not read.

    Raises: InputError, if a revision is named that there is not.
    """
    try:
        repository = Repository.around(next(f for f in file.parents if f.is_dir()))
        commit = repository.commit(revision or "HEAD")
    except InputError:
        if revision:
            raise
        return []
    try:
        (data,) = repository.files(commit, file).values()
    except (InputError, ValueError):
        return []
    own = any(file.is_relative_to(Path(folder).resolve()) for folder in ruleset.folders)
    encoding = Encoding(Source(file.name, data, trusted=not own), GateRules(), Findings())
    return [encoding.statement(*node) for node in encoding.nodes] if encoding.parse() else []


def _bereft(scope: Scope, changed: Iterable[int], gone: Iterable[CheckedStatement]) -> set[int]:
    """The ruleset's own statements that read what is gone, unless something else gives it."""
    statements = scope.sources.statements
    given = {key for n in changed for key, _ in statements[n].signs.defines}
    lost = {key for statement in gone for key, _ in statement.signs.defines} - given
    reads = ((n, read) for n in scope.sources.own for read in statements[n].signs.uses)
    return {n for n, read in reads if any(meets(read, key) for key in lost)}


def _folders(ruleset: Ruleset) -> tuple[Path, ...]:
    """The folders of a ruleset; of a shipped one, the core's with them."""
    own = tuple(map(Path, ruleset.folders))
    return own if ruleset.from_path else (*own, sources_root() / "encodings" / "core")


def _numbers_in(scope: Scope, files: Collection[Path]) -> frozenset[int]:
    """The numbers of the statements that stand in some files, whose names are resolved."""
    here, root = Path.cwd(), sources_root()
    shipped = not scope.ruleset.from_path
    statements = scope.sources.statements
    places = {(s.place.file, root if s.trusted or shipped else here) for s in statements}
    names = {file for file, folder in places if (folder / file).resolve() in files}
    return frozenset(n for n, s in enumerate(statements) if s.place.file in names)
