"""Where work is shared out: to processes of this machine, or to a cluster to which rulesets travel.

What is sent speaks of a ruleset by its hash and folders. With the first message to a worker go its
files: the worker uses its own, if those of a game that ships, or of the same folder, have the same
hash; otherwise they are written to its cache.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from pymorph.errors import PymorphError, RulesetError
from pymorph.ruleset import loader as games
from pymorph.ruleset.cache.file_contents import FileContents
from pymorph.ruleset.cache.store import cache_folder
from pymorph.ruleset.loader import Ruleset
from pymorph.runtime import cluster
from pymorph.runtime.executor import Tasks, Workers, stateless

SUFFIXES = {".lp", ".yaml", ".toml"}  # of the files of a ruleset that a worker may want
MOST = 16 << 20  # bytes of them
# Of what a worker answers only values are made: these, errors, and what pymorph calls its own.
REBUILDING = {"lattice_of"}
VALUES = {
    "builtins": {"set", "frozenset", "bytearray", "complex", "range", "slice"},
    "collections": {"Counter", "OrderedDict", "defaultdict", "deque"},
    "clingo.symbol": {"parse_term"},
    "fractions": {"Fraction"},
    "pathlib": {"Path", "PosixPath", "PurePosixPath", "WindowsPath", "PureWindowsPath"},
    "numpy": {"ndarray", "dtype"},
    "numpy.core.multiarray": {"_reconstruct", "scalar"},
    "numpy._core.multiarray": {"_reconstruct", "scalar"},
    "numpy._core.numeric": {"_frombuffer"},
    "numpy.core.numeric": {"_frombuffer"},
}
# The hash of a ruleset, and its folders where it comes from.
RulesetKey = tuple[str, tuple[str, ...]]

_met: dict[RulesetKey, Ruleset] = {}  # the rulesets of which messages speak


class Sent(NamedTuple):
    """A ruleset on its way: its checked files as they are called where it comes from, and all files
    of each folder by their ways below it."""

    key: RulesetKey
    name: str
    own: FileContents
    files: tuple[dict[str, bytes], ...]


def executor(
    jobs: int,
    scheduler: str = "",
    initializer: Callable[..., Any] = stateless,
    initargs: tuple[Any, ...] = (),
    seconds_each: float | None = None,
) -> Tasks:
    """So many processes, or the cluster whose *scheduler* has this address.

    Raises: InputError, if there is no such scheduler, or what it takes to speak with it.
    """
    if not scheduler:
        return Workers(jobs, initializer, initargs, seconds_each)
    return cluster.Cluster(scheduler, initializer, initargs, seconds_each, dumps, loads, answered)


def dumps(value: Any, whole: bool) -> bytes:
    """A value as it travels; *whole*: with the files of the rulesets of which it speaks."""
    file = io.BytesIO()
    pickler = _Pickler(file)
    pickler.dump(value)
    sent = [_sent(*item) for item in pickler.rulesets.items()] if whole else []
    return pickle.dumps((sent, file.getvalue()))


def loads(data: bytes) -> Any:
    """The value that travelled. Raises: RulesetError, if a ruleset cannot be made of its files."""
    sent, value = pickle.loads(data)
    for message in sent:
        if message.key not in _met:
            _met[message.key] = _arrived(message)
    return _Unpickler(io.BytesIO(value)).load()


def answered(data: bytes) -> Any:
    """What a worker answered, of which nothing is made but values.

    Raises: pickle.UnpicklingError, if it asks for anything else.
    """
    _, value = _Reader(io.BytesIO(data)).load()
    return _Reader(io.BytesIO(value)).load()


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file)
        self.rulesets: dict[RulesetKey, Ruleset] = {}

    def persistent_id(self, value: Any) -> RulesetKey | None:
        if not isinstance(value, Ruleset):
            return None
        key = next((key for key, known in _met.items() if known is value), None)
        if key is None:
            key = (value.hash, value.folders)
            _met[key] = value
        self.rulesets[key] = value
        return key

    def reducer_override(self, value: Any) -> Any:
        """An error as it pickles by itself, whatever others have registered for errors."""
        return value.__reduce__() if isinstance(value, Exception) else NotImplemented


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, key: RulesetKey) -> Ruleset:
        # One that was read from a file of a ruleset that was sent has its like where it goes.
        like = (each for known, each in _met.items() if known[0] == key[0])
        ruleset = _met.get(key) or next(like, None)
        if ruleset is None:
            raise PymorphError(f"the worker did not get the ruleset with the hash {key[0]}")
        return ruleset


class _Reader(_Unpickler):
    """Reads values, and calls nothing."""

    def find_class(self, module: str, name: str) -> Any:
        if name in VALUES.get(module, ()):
            return super().find_class(module, name)
        if module == "builtins" or module.startswith("pymorph."):
            value = super().find_class(module, name)
            kind = Exception if module == "builtins" else object
            if isinstance(value, type) and issubclass(value, kind):
                return value
            if module != "builtins" and name in REBUILDING:
                return value
        raise pickle.UnpicklingError(
            f"a worker answered with {module}.{name}, which is not a value"
        )


def _sent(key: RulesetKey, ruleset: Ruleset) -> Sent:
    """A ruleset as it travels. Raises: RulesetError, if it is too large, or its files changed."""
    folders = tuple(map(Path, ruleset.folders))
    paths = [
        (folder, path)
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix in SUFFIXES and path.is_file()
    ]
    if sum(path.stat().st_size for _, path in paths) > MOST:
        raise RulesetError(f"{ruleset.name} has too many files to send")
    files = tuple(
        {p.relative_to(top).as_posix(): p.read_bytes() for top, p in paths if top == folder}
        for folder in folders
    )
    own, _ = games.files_of(ruleset.folders)
    return Sent(key, ruleset.name, own, files)


def _arrived(sent: Sent) -> Ruleset:
    """A ruleset as it is known here, or made of the files that were sent."""
    content, folders = sent.key
    try:
        ruleset = games.load(sent.name if len(folders) == 2 else folders[0])
        places = ruleset.folders if ruleset.hash == content else ()
    except PymorphError:
        places = ()
    if len(places) != len(folders):
        digest = hashlib.sha256(repr(sent.key).encode()).hexdigest()[:16]
        root = cache_folder() / "sent" / digest
        paths = [root / str(n) / Path(folder).name for n, folder in enumerate(folders)]
        if not root.is_dir():
            _write(root, dict(zip(paths, sent.files, strict=True)))
        places = tuple(map(str, paths))
    ruleset = games.of_contents(sent.own, places)
    if ruleset.hash != content:
        raise RulesetError(f"the files of {sent.name} changed during the work; start again")
    return ruleset


def _write(root: Path, files: dict[Path, dict[str, bytes]]) -> None:
    """Write the files of a ruleset; whoever else does so at the same time writes the same."""
    made = root.with_name(f"{root.name}.{os.getpid()}")
    for folder, contents in files.items():
        for name, data in contents.items():
            path = made / folder.relative_to(root) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    try:
        made.rename(root)
    except OSError:
        shutil.rmtree(made, ignore_errors=True)
