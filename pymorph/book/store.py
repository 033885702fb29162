"""A book of precedents in one SQLite file: read, searched, and written an entry at a time."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from pymorph.book import database
from pymorph.book.entries import Entry, Judgement, claims_fault, rulings_fault, spoken
from pymorph.errors import Fault, InputError, UnknownName

WITH_HISTORY = 2  # the version from which on a book has one
INDEX = """CREATE VIRTUAL TABLE IF NOT EXISTS entry_words
    USING fts5 (words, content='entry', content_rowid='number')"""
COLUMNS = "number, title, date, case_text, ruleset, rulings, note, version, hash, claims, digest"


class Book:
    """A book of precedents that is open, for reading or for writing."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection

    @classmethod
    def reading(cls, path: str | os.PathLike[str]) -> Book:
        """The book in a file, which is left as it is.

        Raises: InputError, if there is none, it is damaged, or made by a newer pymorph.
        """
        return cls(Path(path), database.readable(Path(path)))

    @classmethod
    def writing(cls, path: str | os.PathLike[str], create: bool = False) -> Book:
        """The book in a file, to be written to; *create* makes one where there is no file.

        Raises: InputError, if it is damaged, made by a newer pymorph, or cannot be written.
        """
        book = cls(Path(path), database.writable(Path(path), create))
        with book._writing():
            database.migrate(book.connection)
            book._bring_index_up()
        return book

    def __enter__(self) -> Book:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.connection.close()

    # -- reading ---------------------------------------------------------------------------------

    def entries(self) -> list[Entry]:
        """All entries, by number. Raises: InputError, if one is not as it was written."""
        return self._entries("")

    def entry(self, number: int) -> Entry:
        """The entry of that number. Raises: UnknownName, if there is none."""
        found = self._entries("WHERE number = ?", number)
        if not found:
            last = self._value("SELECT max(number) FROM entry")
            hint = f"the last one is {last}" if last else "the book is empty"
            raise UnknownName(Fault(f"no entry {number}; {hint}", database.place_of(self.path)))
        return found[0]

    def search(
        self, words: Sequence[str] = (), rule: str | None = None, question: str | None = None
    ) -> list[Entry]:
        """The entries in which each of *words* begins some word, that cite *rule*, and so on."""
        indexed = self._has_index()
        wanted: list[tuple[str, str]] = []
        for term in filter(None, map(spoken, words)):
            if indexed:
                text = "number IN (SELECT rowid FROM entry_words WHERE entry_words MATCH ?)"
                wanted.append((text, f'"{term[1:]}"*'))
            else:
                wanted.append(("words LIKE ?", f"%{term}%"))
        for kind, name in (("rule", rule), ("question", question)):
            if name is not None:
                text = f"number IN (SELECT number FROM topic WHERE kind = '{kind}' AND name = ?)"
                wanted.append((text, name))
        where = " AND ".join(["TRUE", *(text for text, _ in wanted)])
        return self._entries(f"WHERE {where}", *(value for _, value in wanted))

    def names(self, kind: str) -> list[str]:
        """The rules or the questions that entries can be found by."""
        text = "SELECT DISTINCT name FROM topic WHERE kind = ? ORDER BY name"
        with database.told(self.path):
            return [row[0] for row in self.connection.execute(text, (kind,))]

    def _entries(self, where: str, *values: Any) -> list[Entry]:
        ask = self.connection.execute
        with database.told(self.path):
            judged, history = "date", dict[int, list[Judgement]]()
            if database.version_of(self.connection) >= WITH_HISTORY:
                judged = "judged"
                text = f"""SELECT number, judged, version, hash, claims FROM history
                    WHERE number IN (SELECT number FROM entry {where}) ORDER BY number, place"""
                for number, *row in ask(text, values):
                    history.setdefault(number, []).append(self._judgement(number, *row))
            rows = ask(f"SELECT {COLUMNS}, {judged} FROM entry {where} ORDER BY number", values)
            return [self._entry(row, history.get(row[0], [])) for row in rows]

    def _entry(self, row: Sequence[Any], history: Sequence[Judgement]) -> Entry:
        number, title, date, case, ruleset, told, note, version, digest, claims, seal, judged = row
        found = Entry(
            title,
            date,
            case,
            ruleset,
            self._loaded(number, told, rulings_fault),
            note,
            self._judgement(number, judged, version, digest, claims),
            tuple(history),
            number,
        )
        if found.digest != seal:
            raise self._spoilt(number)
        return found

    def _judgement(self, number: int, date: str, version: str, digest: str, told: str) -> Judgement:
        return Judgement(date, version, digest, tuple(self._loaded(number, told, claims_fault)))

    def _loaded(self, number: int, text: str, fault: Any) -> Any:
        try:
            found = json.loads(text)
        except (ValueError, TypeError, RecursionError):
            raise self._spoilt(number) from None
        if fault(found):
            raise self._spoilt(number)
        return found

    def _spoilt(self, number: int) -> InputError:
        return database.refused(self.path, f"damaged: entry {number} is not as it was written")

    def _value(self, text: str, *values: Any) -> Any:
        with database.told(self.path):
            row = self.connection.execute(text, values).fetchone()
            return row[0] if row else None

    # -- the index -------------------------------------------------------------------------------

    def _has_index(self) -> bool:
        """Is there an index that knows every entry? A SQLite without FTS5 writes none."""
        made = "SELECT 1 FROM sqlite_master WHERE name = 'entry_words'"
        behind = "SELECT 1 FROM entry WHERE NOT indexed LIMIT 1"
        return bool(
            database.has_fts5(self.connection) and self._value(made) and not self._value(behind)
        )

    def _bring_index_up(self) -> None:
        if database.has_fts5(self.connection) and not self._has_index():
            self.connection.execute(INDEX)
            self.connection.execute("INSERT INTO entry_words (entry_words) VALUES ('rebuild')")
            self.connection.execute("UPDATE entry SET indexed = 1 WHERE NOT indexed")

    # -- writing ---------------------------------------------------------------------------------

    def add(self, entry: Entry) -> tuple[int, bool]:
        """The number of *entry*, and whether it is new: its case under these rules was not there.

        Raises: InputError, if it cannot be written.
        """
        return self._added(entry, "sameness", entry.sameness)

    def put(self, entry: Entry) -> tuple[int, bool]:
        """As `add`, of an entry of another book: it is new unless it is there from word to word."""
        return self._added(entry, "digest", entry.digest)

    def accept(self, number: int, judged: Judgement) -> Entry:
        """The entry with *judged* for its verdicts; those before are kept in its history."""
        with self._writing() as write:
            before = self.entry(number)
            history = (*before.history, before.judged)
            after = replace(before, judged=judged, history=history)
            old = before.judged
            row = (number, len(history), old.date, old.version, old.hash, _dumped(old.claims))
            write("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?)", row)
            was = self._value("SELECT indexed FROM entry WHERE number = ?", number)
            indexed = database.has_fts5(self.connection) and bool(was)
            if indexed:
                text = "INSERT INTO entry_words (entry_words, rowid, words) VALUES ('delete', ?, ?)"
                write(text, (number, before.words))
            write("DELETE FROM topic WHERE number = ?", (number,))
            write("DELETE FROM entry WHERE number = ?", (number,))
            self._insert(after, indexed)
        return after

    def _added(self, entry: Entry, column: str, value: str) -> tuple[int, bool]:
        with self._writing() as write:
            known = f"SELECT number FROM entry WHERE {column} = ? ORDER BY number LIMIT 1"
            if number := self._value(known, value):
                return int(number), False
            number = self._value("SELECT coalesce(max(number), 0) + 1 FROM entry")
            self._insert(replace(entry, number=number), database.has_fts5(self.connection))
            for place, old in enumerate(entry.history, 1):
                row = (number, place, old.date, old.version, old.hash, _dumped(old.claims))
                write("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?)", row)
            return int(number), True

    def _insert(self, entry: Entry, indexed: bool) -> None:
        judged, write = entry.judged, self.connection.execute
        row = (
            *(entry.number, entry.title, entry.date, entry.case, entry.ruleset),
            *(_dumped(entry.rulings), entry.note, judged.version, judged.hash),
            *(_dumped(judged.claims), entry.digest, judged.date),
            *(entry.sameness, entry.words, indexed),
        )
        marks = ", ".join("?" * len(row))
        names = f"{COLUMNS}, judged, sameness, words, indexed"
        write(f"INSERT INTO entry ({names}) VALUES ({marks})", row)
        if indexed:
            text = "INSERT INTO entry_words (rowid, words) VALUES (?, ?)"
            write(text, (entry.number, entry.words))
        topics = [("rule", rule) for rule in sorted(entry.rules)]
        topics += [("question", question) for question in sorted(entry.questions)]
        for kind, name in topics:
            write("INSERT INTO topic VALUES (?, ?, ?)", (kind, name, entry.number))

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        """One change to the book, made whole or not at all, by one process at a time."""
        with database.told(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection.execute
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise


def _dumped(data: Any) -> str:
    return json.dumps(data, sort_keys=True, ensure_ascii=False)
