"""The book of precedents: what is entered stays, is found again, and is judged again."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pymorph import book
from pymorph.book import Book, database, judging
from pymorph.book.entries import clean, date_of, spoken
from pymorph.errors import InputError
from tests.conftest import ROOT
from tests.shelf import CASE, Run, claim, dispute, entries_of, entry, filled, path, titles

__all__ = ["dispute", "filled", "path"]

# -- entering --------------------------------------------------------------------------------------


def test_a_case_is_entered_whole(dispute: Path, path: Path, pymorph: Run) -> None:
    """Moved away from its game's folder, the text in the book is judged as the file was."""
    code, out, err = pymorph(
        "book", "add", dispute, "--note", "We allow it.", "--date", "2026-05-01"
    )
    assert (code, out.split(), err) == (
        0,
        ["1", "1", "rejected,", "1", "depends", "May", "Anna", "take", "two", "again?"],
        "",
    )
    [found] = entries_of(path)
    assert (found.number, found.note, found.date) == (1, "We allow it.", "2026-05-01")
    assert found.ruleset == str(dispute.parent.parent)
    assert (found.judged.version, len(found.judged.hash)) == ("0.1.0", 16)
    assert found.questions == {"same_again"}
    assert {"heap_01", "heap_02"} <= found.rules
    os.chdir("/")
    assert list(found.judged.claims) == judging.judge(found.case)["claims"]


def test_the_same_case_keeps_its_number(dispute: Path, path: Path, pymorph: Run) -> None:
    """The same case under the same rules is entered once; under other rules it is another."""
    pymorph("book", "add", dispute)
    again = dispute.with_name("copy.yaml")
    again.write_text(CASE.replace("turn: anna, heap: 7", "heap: 7, turn: anna"))
    assert pymorph("book", "add", again)[1].startswith("already 1 ")
    game = dispute.parent.parent / "rules" / "game.lp"
    game.write_text(game.read_text().replace("most(3).", "most(4)."))
    assert pymorph("book", "add", dispute)[1].startswith("2 ")
    assert [one.number for one in entries_of(path)] == [1, 2]


def test_rulings_in_force_are_kept(dispute: Path, path: Path, pymorph: Run) -> None:
    """A ruling beside the case settles it, is told with its source, and holds without its file."""
    house = dispute.with_name("rulings.yaml")
    house.write_text("ruleset: ..\nrulings: [{question: same_again, option: barred, why: dull}]\n")
    pymorph("book", "add", dispute)
    house.unlink()
    assert pymorph("book", "recheck")[0] == 0
    [found] = entries_of(path)
    assert found.judged.claims[0]["verdict"] == "rejected"
    ruling = found.rulings["same_again"]
    assert (ruling["option"], ruling["why"]) == ("barred", "dull")
    shown = pymorph("book", "show", 1)[1]
    told = " ".join(shown.split())
    assert "ruled: same_again = barred (" in told
    assert "rulings.yaml: dull)" in told


def test_a_bad_case_enters_nothing(dispute: Path, path: Path, pymorph: Run) -> None:
    bad = dispute.with_name("bad.yaml")
    bad.write_text(CASE.replace("take(anna, 4)", "tkae(anna, 4)"))
    code, out, err = pymorph("book", "add", dispute, bad)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"{bad}:6:")
    assert not path.exists()


def test_a_folder_and_two_books(dispute: Path, path: Path, tmp_path: Path, pymorph: Run) -> None:
    other = tmp_path / "other.db"
    dispute.with_name("second.yaml").write_text(CASE.replace("two", "three"))
    code, out, _ = pymorph("book", "add", dispute.parent, "--book", other, "--json")
    answer = json.loads(out)
    assert (code, answer["book"], len(answer["entries"])) == (0, str(other), 2)
    assert all(one["new"] for one in answer["entries"])
    assert len(entries_of(other)) == 2
    assert not path.exists()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("2026-05-01", "2026-05-01"),
        ("2026-05-01T20:00", "2026-05-01T20:00:00Z"),
        ("2026-05-01T20:00:00+02:00", "2026-05-01T18:00:00Z"),
        ("2026-02-30", None),
        ("May", None),
    ],
)
def test_dates_are_in_utc(given: str, kept: str | None) -> None:
    assert date_of(given) == kept
    assert date_of(book.now()) is not None


def test_what_cannot_stand_in_a_file_is_no_note() -> None:
    assert clean(" a\r\nb\n", "note") == "a\nb"
    with pytest.raises(InputError, match="is not allowed in the note"):
        clean("a\x07", "note")


# -- looking up ------------------------------------------------------------------------------------


def test_list_and_show(filled: Path, pymorph: Run) -> None:
    code, out, _ = pymorph("book", "list")
    assert (code, len(out.splitlines())) == (0, 3)
    assert " ".join(out.splitlines()[1].split()) == "2 2026-05-01 heap depends Twice the same"
    code, out, _ = pymorph("book", "show", 2)
    assert code == 0
    assert "depends on same_again; by default upheld" in out
    assert "upheld    under same_again = allowed [heap_01]" in out
    assert "rejected  under same_again = barred [heap_02]" in out
    shown = json.loads(pymorph("book", "show", 2, "--json")[1])
    assert (shown["number"], shown["rules"]) == (2, ["heap_01", "heap_02"])
    code, _, err = pymorph("book", "show", 4)
    assert (code, err) == (2, f"{filled}: no entry 4; the last one is 3\n")


FOUND = [
    (("anvil",), [1]),
    (("anv",), [1]),
    (("nvil",), []),
    (("GROSSE", "hammer"), [1]),
    (("legal(take(anna",), [1, 2, 3]),
    (("take(bo",), []),
    (("twice", "anvil"), []),
    (("heap_02",), [2]),
    (("heap_01",), [1, 2]),
    (("--rule", "HEAP-01"), [1, 2]),
    (("--rule", "heap_02"), [2]),
    (("--question", "same_again"), [2]),
    (("--question", "last_one"), [3]),
    (("twice", "--rule", "heap_01"), [2]),
    (("--rule", "heap_1"), []),
]


@pytest.mark.parametrize("index", ["full", "none", "behind"])
def test_search(
    index: str, path: Path, request: pytest.FixtureRequest, pymorph: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """With full-text search, without, and in a book that was written without: the same is found."""
    if index != "full":
        monkeypatch.setattr(database, "has_fts5", lambda _: False)
    request.getfixturevalue("filled")
    if index == "behind":
        monkeypatch.undo()
        monkeypatch.setenv("PYMORPH_BOOK", str(path))
    third = replace(entries_of(path)[2], judged=replace(entry().judged, claims=(claim("upheld"),)))
    with Book.writing(path) as found:
        found.accept(3, third.judged)
        assert found._has_index() == (index != "none")
    for words, numbers in FOUND:
        code, out, _ = pymorph("book", "search", *words, "--json")
        assert [one["number"] for one in json.loads(out)["entries"]] == numbers, words
        assert code == (0 if numbers else 1)


def test_search_knows_what_is_near(filled: Path, pymorph: Run) -> None:
    code, out, _ = pymorph("book", "search", "--rule", "heap_1")
    assert (code, out.splitlines()[0]) == (1, "nothing found")
    assert "no entry has to do with the rule 'heap_1'; did you mean 'heap_01'" in out
    assert pymorph("book", "search")[0] == pymorph("book", "search", "()")[0] == 2


def test_what_is_missing_is_shown(dispute: Path, path: Path, pymorph: Run) -> None:
    """Where a claim has no subject, the entry says why."""
    dispute.write_text(CASE.replace("legal(take(anna, 4))", 'happens(won(bo))", after: "take(9)'))
    pymorph("book", "add", dispute)
    shown = pymorph("book", "show", 1)[1]
    assert "bo: happens(won(bo)) after take(9)\n  inapplicable  [heap_02]\n  step 1: " in shown


def test_words_of_a_text() -> None:
    assert spoken("Ünder readies_count = 2, Straße") == " under readies count 2 strasse"


# -- several at once, and the end at any moment ----------------------------------------------------

ADDER = """
import sys
from pymorph.book import Book
from tests.shelf import entry
with Book.writing(sys.argv[1], create=True) as book:
    for number in range(int(sys.argv[3])):
        print(book.add(entry(f"{sys.argv[2]} {number}"))[0], flush=True)
"""


def adding(path: Path, name: str, many: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ADDER, str(path), name, str(many)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_two_processes_add_at_once(path: Path) -> None:
    """Two begin a book at the same moment; forty entries come to stand in it, each once."""
    path.parent.mkdir()
    both = [adding(path, name, 20) for name in ("left", "right")]
    told = [int(line) for one in both for line in one.communicate()[0].split()]
    assert [one.returncode for one in both] == [0, 0]
    assert sorted(told) == list(range(1, 41))
    found = entries_of(path)
    assert [one.number for one in found] == list(range(1, 41))
    assert len(set(titles(found))) == 40
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("after", [0, 1, 7, 30])
def test_killed_while_adding(after: int, path: Path) -> None:
    """Killed after some entries, a book has these, at most one more, and takes new ones."""
    path.parent.mkdir()
    process = adding(path, "entry", 1000)
    assert process.stdout
    told = [process.stdout.readline() for _ in range(after)]
    if not after:
        time.sleep(0.3)
    process.send_signal(signal.SIGKILL)
    rest = process.communicate()[0].split()
    whole = len(told) + len(rest)
    if not path.exists():
        assert not whole
        return
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    found = entries_of(path)
    assert whole <= len(found) <= whole + 1
    assert titles(found) == [f"entry {number}" for number in range(len(found))]
    with Book.writing(path) as again:
        assert again.add(entry("after that")) == (len(found) + 1, True)
        assert titles(again.search(["that"])) == ["after that"]


def test_killed_in_the_middle_of_an_entry(filled: Path) -> None:
    """Half an entry is on the disk already; whoever reads next finds the book as it was."""
    before = entries_of(filled)
    script = f"""
import os, sqlite3
book = sqlite3.connect({str(filled)!r}, isolation_level=None)
book.execute("PRAGMA cache_size = 1")
book.execute("BEGIN IMMEDIATE")
book.execute("UPDATE entry SET title = 'half', note = ?", ("x" * 500_000,))
os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", script], check=False)
    assert filled.with_name("book.db-journal").exists()
    assert entries_of(filled) == before


def test_reading_leaves_no_trace(filled: Path, tmp_path: Path, pymorph: Run) -> None:
    """In a folder that nobody may write to, all is looked up, and nothing entered."""
    data = filled.read_bytes()
    pymorph("book", "export", tmp_path / "all.yaml")
    filled.parent.chmod(0o555)
    filled.chmod(0o444)
    try:
        for words in (["list"], ["show", 1], ["search", "anvil"], ["export"]):
            assert pymorph("book", *words)[0] == 0, words
        assert "3 cannot be judged" in pymorph("book", "recheck")[1]
        if not os.access(filled, os.W_OK):  # else nothing is forbidden to this user
            for words in (["import", tmp_path / "all.yaml"], ["recheck", "--accept"]):
                told = f"{filled}: cannot be written: permission denied\n"
                assert pymorph("book", *words) == (2, "", told)
    finally:
        filled.parent.chmod(0o755)
    assert filled.read_bytes() == data
    assert os.listdir(filled.parent) == [filled.name]


def test_while_another_writes(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits in vain for another process is told so."""
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    with closing(sqlite3.connect(filled, isolation_level=None)) as raw:
        raw.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError, match="in use by another process"):
            Book.writing(filled)
        assert len(entries_of(filled)) == 3


# -- what is no book -------------------------------------------------------------------------------


def flipped(data: bytes, *places: int) -> bytes:
    return bytes(byte ^ 0xFF if number in places else byte for number, byte in enumerate(data))


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "first byte": lambda data: flipped(data, 0),
    "page size": lambda data: flipped(data, 16, 17),
    "application": lambda data: flipped(data, 68),
    "schema": lambda data: flipped(data, *range(100, 140)),
    "half": lambda data: data[: len(data) // 2],
    "a page missing": lambda data: data[:-4096],
    "a page blank": lambda data: data[:-4096] + bytes(4096),
    "ten bytes": lambda data: data[:10],
    "nothing": lambda data: b"",
    "text": lambda data: b"title: no book at all\n" * 50,
    "a word": lambda data: data.replace(b"Twice the same", b"Twice the sane"),
    "a verdict": lambda data: data.replace(b'"upheld"', b'"uphold"'),
    "a cover": lambda data: data.replace(b"CREATE TABLE entry", b"CREATE TABLE entrz"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_book_is_told_and_left(
    damage: str, filled: Path, dispute: Path, pymorph: Run
) -> None:
    """Every verb says in one line which file is no book, or damaged, and touches nothing."""
    exported = filled.with_name("all.yaml")
    pymorph("book", "export", exported)
    spoilt = DAMAGE[damage](filled.read_bytes())
    filled.write_bytes(spoilt)
    inner = damage in ("a word", "a verdict")  # seen when the entry is read
    verbs: list[list[Any]] = [["list"], ["search", "twice"], ["recheck"], ["recheck", "--accept"]]
    for words in [*verbs, *([] if inner else [["add", dispute], ["import", exported]])]:
        code, out, err = pymorph("book", *words)
        assert (code, out, err.count("\n")) == (2, "", 1), (words, out, err)
        assert err.startswith(f"{filled}: ")
        assert "damaged" in err or "no book" in err
        assert filled.read_bytes() == spoilt


def test_another_database_is_no_book(path: Path, dispute: Path, pymorph: Run) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE entry (number)")
    data = path.read_bytes()
    for words in (["list"], ["add", dispute]):
        code, _, err = pymorph("book", *words)
        assert (code, err) == (
            2,
            f"{path}: no book of precedents: it is a database of something else\n",
        )
    assert path.read_bytes() == data


def test_no_book_yet(path: Path, tmp_path: Path, pymorph: Run) -> None:
    code, out, err = pymorph("book", "list")
    assert (code, out) == (2, "")
    assert err == f"{path}: there is no book here; 'pymorph book add' begins one\n"
    assert not path.parent.exists()
    assert pymorph("book", "list", "--book", tmp_path)[2].endswith("it is no file\n")


def test_a_book_that_cannot_be_made(tmp_path: Path, dispute: Path, pymorph: Run) -> None:
    code, out, err = pymorph("book", "add", dispute, "--book", dispute / "book.db")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"{dispute / 'book.db'}: cannot be written: ")


def test_a_book_in_the_users_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run
) -> None:
    monkeypatch.delenv("PYMORPH_BOOK", raising=False)
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path))
    assert pymorph("book", "list")[2].startswith(f"{tmp_path / 'precedents.db'}: there is no book")


# -- versions --------------------------------------------------------------------------------------

FIRST = """
CREATE TABLE entry (number INTEGER PRIMARY KEY, title TEXT NOT NULL, date TEXT NOT NULL,
    case_text TEXT NOT NULL, ruleset TEXT NOT NULL, rulings TEXT NOT NULL, note TEXT NOT NULL,
    version TEXT NOT NULL, hash TEXT NOT NULL, claims TEXT NOT NULL, sameness TEXT NOT NULL,
    digest TEXT NOT NULL, words TEXT NOT NULL, indexed INTEGER NOT NULL);
CREATE INDEX entry_sameness ON entry (sameness);
CREATE INDEX entry_digest ON entry (digest);
CREATE INDEX entry_unindexed ON entry (number) WHERE NOT indexed;
CREATE TABLE topic (kind TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (kind, name, number)) WITHOUT ROWID;
PRAGMA user_version = 1;
"""


@pytest.fixture
def old(path: Path) -> Path:
    """A book of version 1, which had no history."""
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(FIRST + f"PRAGMA application_id = {database.APPLICATION};")
        for number, title in enumerate(("One", "Two"), 1):
            one = entry(title, note="an old one")
            judged = one.judged
            row = (
                *(number, title, one.date, one.case, one.ruleset, "{}", one.note),
                *(judged.version, judged.hash, json.dumps(judged.claims)),
                *(one.sameness, one.digest, one.words, 0),
            )
            raw.execute(f"INSERT INTO entry VALUES ({', '.join('?' * len(row))})", row)
            raw.execute("INSERT INTO topic VALUES ('rule', 'heap_01', ?)", (number,))
        raw.commit()
    return path


def version_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as raw:
        return int(raw.execute("PRAGMA user_version").fetchone()[0])


def test_an_old_book_is_read_as_it_is(old: Path, pymorph: Run) -> None:
    data = old.read_bytes()
    assert titles(entries_of(old)) == ["One", "Two"]
    assert pymorph("book", "show", 2)[0] == pymorph("book", "search", "old")[0] == 0
    assert old.read_bytes() == data


def test_an_old_book_is_brought_up_when_written_to(old: Path) -> None:
    before = entries_of(old)
    with Book.writing(old) as found:
        assert found.add(entry("Three")) == (3, True)
        assert found.add(entry("Two")) == (2, False)
        assert found.accept(1, entry().judged).history == (before[0].judged,)
    assert version_of(old) == database.NEWEST == 2
    after = entries_of(old)
    assert titles(after) == ["One", "Two", "Three"]
    assert after[1] == before[1]
    assert titles(after[:0]) + titles(Book.reading(old).search(["old"])) == ["One", "Two"]


def test_a_migration_that_fails_changes_nothing(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = entries_of(old)
    broken = (*database.MIGRATIONS[1], "INSERT INTO nowhere VALUES (1)")
    monkeypatch.setattr(database, "MIGRATIONS", (database.MIGRATIONS[0], broken))
    with pytest.raises(InputError, match="nowhere"):
        Book.writing(old)
    assert (version_of(old), entries_of(old)) == (1, before)


def test_a_newer_book_is_refused(filled: Path, pymorph: Run) -> None:
    with closing(sqlite3.connect(filled)) as raw:
        raw.execute("PRAGMA user_version = 3")
    for words in (["list"], ["recheck", "--accept"]):
        code, out, err = pymorph("book", *words)
        assert (code, out) == (2, "")
        assert err == (
            f"{filled}: a book of version 3; this pymorph reads up to 2, so a newer one is needed\n"
        )
    assert version_of(filled) == 3
