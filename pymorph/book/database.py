"""The SQLite file of a book of precedents: made, looked over, migrated, and its complaints."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pymorph.errors import Fault, InputError, Place, printable, reason

APPLICATION = 0x706D6263
PATIENCE = 20.0  # seconds that another process may take to write
# Step N leads from version N to the next; a new book takes them all.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE entry (
            number INTEGER PRIMARY KEY,
            title TEXT NOT NULL,
            date TEXT NOT NULL,
            case_text TEXT NOT NULL,
            ruleset TEXT NOT NULL,
            rulings TEXT NOT NULL,
            note TEXT NOT NULL,
            version TEXT NOT NULL,
            hash TEXT NOT NULL,
            claims TEXT NOT NULL,
            sameness TEXT NOT NULL,
            digest TEXT NOT NULL,
            words TEXT NOT NULL,
            indexed INTEGER NOT NULL
        )""",
        "CREATE INDEX entry_sameness ON entry (sameness)",
        "CREATE INDEX entry_digest ON entry (digest)",
        "CREATE INDEX entry_unindexed ON entry (number) WHERE NOT indexed",
        """CREATE TABLE topic (
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            number INTEGER NOT NULL REFERENCES entry,
            PRIMARY KEY (kind, name, number)
        ) WITHOUT ROWID""",
    ),
    (
        "ALTER TABLE entry ADD COLUMN judged TEXT NOT NULL DEFAULT ''",
        "UPDATE entry SET judged = date",
        """CREATE TABLE history (
            number INTEGER NOT NULL REFERENCES entry,
            place INTEGER NOT NULL,
            judged TEXT NOT NULL,
            version TEXT NOT NULL,
            hash TEXT NOT NULL,
            claims TEXT NOT NULL,
            PRIMARY KEY (number, place)
        ) WITHOUT ROWID""",
    ),
)
NEWEST = len(MIGRATIONS)


def place_of(path: Path) -> Place:
    return Place(printable(str(path)))


def refused(path: Path, message: str) -> InputError:
    """What is wrong with the file, to be raised."""
    return InputError(Fault(message, place_of(path)))


def readable(path: Path) -> sqlite3.Connection:
    """A connection that only reads, to what was looked over and is a book.

    Raises: InputError, if there is none, or not one that this pymorph can read.
    """
    if not os.path.lexists(path):
        raise refused(path, "there is no book here; 'pymorph book add' begins one")
    if not path.is_file():
        raise refused(path, "no book of precedents: it is no file")
    connection = _opened(path, "ro")
    try:
        with told(path):
            _look_over(connection, path)
    except _Unfinished:
        connection.close()
        _take_back(path)
        return readable(path)
    except BaseException:
        connection.close()
        raise
    return connection


def writable(path: Path, create: bool) -> sqlite3.Connection:
    """A connection that begins no transactions of its own; *create* makes a book if none is there.

    Raises: InputError, if it is no book that this pymorph can write to.
    """
    if create and not os.path.lexists(path):
        _create(path)
    readable(path).close()
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise refused(path, "cannot be written: permission denied")
    return _opened(path, "rw")


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    """A connection that begins no transactions of its own; *mode* as in the address of a file."""
    with told(path):
        address = f"{path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(address, PATIENCE, isolation_level=None, uri=True)


def _look_over(connection: sqlite3.Connection, path: Path) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION:
        empty = not path.stat().st_size
        what = "the file is empty" if empty else "it is a database of something else"
        raise refused(path, f"no book of precedents: {what}")
    _check_version(connection, path)
    [(found, *_), *_] = connection.execute("PRAGMA quick_check(1)").fetchall()
    if found != "ok":
        told = " ".join(found.split())
        raise refused(path, f"damaged: {printable(told, 80)}")


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    version = version_of(connection)
    if not 0 < version <= NEWEST:
        message = f"a book of version {version}; this pymorph reads up to {NEWEST}"
        raise refused(path, f"{message}, so a newer one is needed")


def _take_back(path: Path) -> None:
    """Undo what a process that died had not finished, as SQLite does by itself on writing."""
    connection = _opened(path, "rw")
    try:
        with told(path):
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    finally:
        connection.close()


def _create(path: Path) -> None:
    """A new book at *path*, where it appears whole, or not at all if another was quicker."""
    draft = path.with_name(f".{path.name[:40]}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        with told(path):
            connection = sqlite3.connect(draft, isolation_level=None)
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                migrate(connection)
                connection.execute("COMMIT")
            finally:
                connection.close()
        _appear(draft, path)
    except (OSError, ValueError) as error:
        raise refused(path, f"cannot be written: {reason(error)}") from None
    finally:
        with suppress(OSError):
            draft.unlink()


def _appear(draft: Path, path: Path) -> None:
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        if not path.exists():
            os.replace(draft, path)


def version_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a book to the newest version, within the transaction that is open."""
    for number, step in enumerate(MIGRATIONS[version_of(connection) :], version_of(connection) + 1):
        for statement in step:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")


def has_fts5(connection: sqlite3.Connection) -> bool:
    """Can this SQLite search full texts?"""
    text = "SELECT 1 FROM pragma_module_list WHERE name = 'fts5'"
    return connection.execute(text).fetchone() is not None


class _Unfinished(InputError):
    """A process died while it wrote, which has to be taken back before anything is read."""


@contextmanager
def told(path: Path) -> Iterator[None]:
    """What SQLite complains of, as one line about the file.

    Raises: InputError.
    """
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None) or 0
        if code == sqlite3.SQLITE_READONLY_ROLLBACK:
            message = "a process died while it wrote to it; try again"
            raise _Unfinished(Fault(message, place_of(path))) from None
        raise refused(path, _complaint(error, code & 0xFF)) from None


def _complaint(error: sqlite3.Error, code: int) -> str:
    told = printable(" ".join(str(error).split()), 80)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "in use by another process"
    if code == sqlite3.SQLITE_NOTADB:
        return f"no book of precedents, or damaged: {told}"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_PERM):
        return f"cannot be written: {told}"
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR):
        return f"cannot be opened: {told}"
    return f"damaged: {told}"
