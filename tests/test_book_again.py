"""The book of precedents: judged again, and taken from one book to another."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pymorph import book
from pymorph.book import Book, Entry, Judgement, Rechecked
from pymorph.errors import Fault, InputError, PymorphError
from tests.shelf import CASE, Run, claim, dispute, divided, entries_of, entry, filled, path, titles

__all__ = ["dispute", "filled", "path"]

LATER = "2027-01-01T00:00:00Z"


def answer(*claims: Mapping[str, Any], digest: str = "abcd") -> dict[str, Any]:
    """What a judge says."""
    return {"version": "1.0.0", "hash": digest, "claims": list(claims)}


def again(one: Entry, *claims: Mapping[str, Any], digest: str = "abcd") -> Rechecked:
    """An entry that is judged again, with these verdicts."""
    [found] = book.recheck([one], lambda _: answer(*claims, digest=digest), LATER)
    return found


def edited(dispute: Path, old: str = "most(3).", new: str = "most(5).") -> None:
    """The heap game with another rule."""
    game = dispute.parent.parent / "rules" / "game.lp"
    assert old in game.read_text()
    game.write_text(game.read_text().replace(old, new))


# -- what has changed ------------------------------------------------------------------------------


def test_nothing_changed() -> None:
    """New reasons for the old verdict are no change, but there is something to accept."""
    found = again(entry(), claim("upheld", "heap_09"))
    assert (found.changes, found.error, found.edition_changed) == ((), "", False)
    assert found.differs
    assert not again(entry(), claim("upheld", "heap_01")).differs
    assert again(entry(), claim("upheld", "heap_01"), digest="ffff").differs


def test_a_verdict_changed_with_its_rules() -> None:
    one = entry("A", claim("upheld", "heap_01", "heap_02"), claim("upheld", "heap_01"))
    found = again(one, claim("rejected", "heap_02", "heap_03"), claim("upheld"), digest="ffff")
    [change] = found.changes
    assert (change.before, change.after) == ("upheld", "rejected")
    assert (change.added, change.removed) == (("heap_03",), ("heap_01",))
    assert found.edition_changed


def test_a_verdict_changed_in_one_reading() -> None:
    """The verdict hangs on the same question still, but another way in one of its readings."""
    [change] = again(
        entry("A", divided("upheld", "rejected")), divided("upheld", "inapplicable")
    ).changes
    [turn] = change.turns
    assert (change.before, change.after) == ("depends", "depends")
    assert (turn.under, turn.before, turn.after) == (
        {"same_again": "barred"}, "rejected", "inapplicable"
    )  # fmt: skip


def test_a_verdict_comes_to_depend() -> None:
    """Of a verdict that all readings had, those are told that have another now."""
    [change] = again(entry("A", claim("upheld")), divided("upheld", "rejected")).changes
    assert (change.before, change.after) == ("upheld", "depends")
    assert [turn.under for turn in change.turns] == [{"same_again": "barred"}]


def test_the_same_verdicts_cut_otherwise_are_no_change() -> None:
    """Two readings with one verdict are the same as one for both."""
    assert not again(entry("A", claim("upheld")), divided("upheld", "upheld")).changes


def test_another_default_turns_the_verdict() -> None:
    one = divided("upheld", "rejected")
    [change] = again(entry("A", one), {**one, "defaults": "rejected"}).changes
    assert (change.defaults, change.turns) == (("upheld", "rejected"), ())


def test_what_cannot_be_judged_stops_nobody() -> None:
    def judge(text: str) -> dict[str, Any]:
        if "A" in text:
            raise InputError(Fault("unknown word"))
        if "B" in text:
            raise PymorphError("no such thing\nat all")
        return answer(claim(), claim()) if "C" in text else answer(claim("upheld", "heap_01"))

    entries = [entry(title) for title in "ABCD"]
    entries.append(entry("E", ruleset="/nowhere/heap"))
    found = list(book.recheck(entries, judge, LATER))
    assert [one.error for one in found] == [
        "unknown word",
        "no such thing",
        "1 claims were judged, but the case makes 2",
        "",
        "its ruleset /nowhere/heap is gone",
    ]


# -- the verb --------------------------------------------------------------------------------------


def test_recheck_after_a_rule_is_edited(dispute: Path, path: Path, pymorph: Run) -> None:
    """Five may be taken now: the claim that four may be is upheld, and its rule is told."""
    pymorph("book", "add", dispute)
    assert pymorph("book", "recheck")[:2] == (0, "1 entry judged again, all as they were\n")
    edited(dispute)
    code, out, err = pymorph("book", "recheck")
    assert (code, err) == (1, "")
    assert "bo: legal(take(anna, 4))\n    rejected -> upheld\n" in out
    assert "no longer cited: heap_02" in out
    assert "anna: legal(take(anna, 2))" not in out
    [old] = entries_of(path)
    told = json.loads(pymorph("book", "recheck", "--json")[1])
    [one] = told["entries"]
    assert (told["changed"], told["failed"], told["left"]) == (1, 0, [])
    assert one["before"]["hash"] == old.judged.hash != one["after"]["hash"]
    assert [change["claim"] for change in one["changes"]] == ["legal(take(anna, 4))"]
    assert entries_of(path) == [old]


def test_accepting_keeps_what_was(
    dispute: Path, path: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pymorph("book", "add", dispute, "--date", "2026-05-01")
    [old] = entries_of(path)
    edited(dispute)
    code, out, _ = pymorph("book", "recheck", "--accept")
    assert (code, "1 changed, accepted" in out) == (1, True)
    assert pymorph("book", "recheck", "--accept")[0] == 0
    [new] = entries_of(path)
    assert new.history == (old.judged,)
    assert [one["verdict"] for one in new.judged.claims] == ["depends", "upheld"]
    shown = pymorph("book", "show", 1)[1]
    assert "judged 2026-05-01, 0.1.0 (" in shown
    assert shown.rindex("rejected  [heap_02]") > shown.index("judged 2026-05-01")
    assert pymorph("book", "add", dispute)[1].startswith("already 1 ")


def test_recheck_where_a_ruleset_is_gone(dispute: Path, path: Path, pymorph: Run) -> None:
    """One game is deleted, another edited: the first is told, and the second still judged."""
    gone = dispute.parent.parent.with_name("gone")
    shutil.copytree(dispute.parent.parent, gone)
    pymorph("book", "add", gone / "table", dispute)
    shutil.rmtree(gone)
    edited(dispute)
    code, out, err = pymorph("book", "recheck", "--junit", "out.xml")
    assert (code, err) == (2, "")
    assert f"cannot be judged: its ruleset {gone} is gone" in " ".join(out.split())
    assert "rejected -> upheld" in out
    [suite] = ElementTree.parse("out.xml").getroot()
    assert [suite.get(name) for name in ("tests", "failures", "errors")] == ["2", "1", "1"]
    first, second = suite
    assert first[0].tag == "error"
    assert second.get("name") == "2 May Anna take two again?"
    assert second[0].get("message") == "legal(take(anna, 4)): rejected -> upheld"
    assert "no longer cited: heap_02" in (second[0].text or "")


def test_recheck_where_a_rule_no_longer_knows_the_words(
    dispute: Path, path: Path, pymorph: Run
) -> None:
    pymorph("book", "add", dispute)
    edited(dispute, "range(1, 9)", "range(1, 3)")
    code, out, _ = pymorph("book", "recheck")
    assert code == 2
    assert "cannot be judged: " in out
    assert "1 cannot be judged" in out


def test_recheck_out_of_time(filled: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second case takes too long: the first is told, the rest are left, nothing hangs."""

    def judge(text: str) -> dict[str, Any]:
        if "Twice" in text:
            time.sleep(5)
        return answer(claim("rejected", "heap_01"))

    monkeypatch.setattr("pymorph.book.judging.judge", judge)
    code, out, err = pymorph("book", "recheck", "--timeout", "0.3", "--json")
    told = json.loads(out)
    assert (code, err) == (3, "pymorph: no answer within 0.3 seconds\n")
    assert [one["number"] for one in told["entries"]] == [1]
    assert told["left"] == [2, 3]
    code, out, _ = pymorph("book", "recheck", "--timeout", "0.3", "--junit", filled.parent / "x")
    assert "1 changed, 2 not reached in time" in out
    assert (filled.parent / "x").read_text().count("<skipped") == 2


def test_adding_out_of_time(
    dispute: Path, path: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was judged in time is entered."""

    def draft(case: Any, *_: Any) -> Entry:
        if "slow" in case.title:
            time.sleep(5)
        return entry(case.title)

    monkeypatch.setattr("pymorph.book.judging.draft", draft)
    slow = dispute.with_name("slow.yaml")
    slow.write_text(CASE.replace("title: ", "title: slow "))
    code, out, err = pymorph("book", "add", dispute, slow, "--timeout", "1")
    assert (code, err) == (3, "pymorph: no answer within 1 second\n")
    assert out.startswith("1  ")
    assert len(entries_of(path)) == 1


def test_a_bar_on_a_terminal(filled: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pymorph.book.judging.judge", lambda _: answer(claim()))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert "recheck" in pymorph("book", "recheck")[2]
    assert pymorph("book", "recheck", "--json")[2] == ""


# -- other books -----------------------------------------------------------------------------------


@pytest.fixture
def varied(filled: Path) -> Path:
    """A book with notes of several lines, signs of all kinds, and a history."""
    odd = entry('"Quoted": {a}, #1 - ü € \\n', claim("upheld", "heap_01", told='a "b"\tc'))
    with Book.writing(filled) as found:
        found.add(replace(odd, note="- first\n\n  second: x", date=LATER))
        for digest in ("cccc", "dddd"):
            judged = Judgement(LATER, "1.1.0", digest, (divided("rejected", "upheld"),))
            found.accept(2, judged)
    return filled


def test_export_and_import(varied: Path, tmp_path: Path, pymorph: Run) -> None:
    """Exported, imported into a new book and exported again, a book is the same to the byte."""
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    other = tmp_path / "other.db"
    assert pymorph("book", "export", first)[:2] == (0, f"4 entries in {first}\n")
    assert (
        pymorph("book", "import", first, "--book", other)[1]
        == "4 entries entered, 0 there already\n"
    )
    assert entries_of(other) == entries_of(varied)
    pymorph("book", "export", second, "--book", other)
    assert second.read_bytes() == first.read_bytes()
    assert pymorph("book", "export")[1].encode() == first.read_bytes()
    assert len(entries_of(varied)[1].history) == 2


def test_nothing_is_written_over_the_book(filled: Path, pymorph: Run) -> None:
    data = filled.read_bytes()
    for words in (["export", filled], ["recheck", "--junit", filled]):
        code, _, err = pymorph("book", *words)
        assert (code, err) == (2, f"{filled}: this is the book itself; nothing was written\n")
    assert filled.read_bytes() == data


def test_import_passes_over_what_is_there(varied: Path, tmp_path: Path, pymorph: Run) -> None:
    exported = tmp_path / "all.yaml"
    pymorph("book", "export", exported)
    more = exported.read_text().replace('title: "Ruled on"', 'title: "Another"')
    exported.write_text(more)
    told = json.loads(pymorph("book", "import", exported, "--json")[1])
    assert (told["entered"], told["there"]) == (1, 3)
    assert titles(entries_of(varied))[-1] == "Another"
    assert pymorph("book", "search", "another")[0] == 0


def test_an_empty_book(tmp_path: Path, path: Path, pymorph: Run) -> None:
    empty = tmp_path / "empty.yaml"
    empty.write_text("book: 1\nentries: []\n")
    assert pymorph("book", "import", empty)[0] == 0
    assert pymorph("book", "list")[:2] == (1, "nothing found\n")
    assert pymorph("book", "show", 1)[2] == f"{path}: no entry 1; the book is empty\n"
    assert pymorph("book", "recheck")[:2] == (0, "nothing to judge\n")
    assert pymorph("book", "export")[1] == empty.read_text()


# What stands there, what instead, where the fault is, and what it says.
FAULTS = [
    ("- title: Ruled", "- titel: Ruled", "titel: ", "unknown key 'titel'; did you mean 'title'?"),
    ("- title: Ruled", "- titel: Ruled", "titel: ", "the key 'title' is missing"),
    ("date: 2026-05-01", "date: 2026-5-1", "2026-5-1", "found '2026-5-1' for date"),
    ("ruleset: heap", "ruleset: [heap]", "[heap]", "the ruleset is a text"),
    ("option: loses", "optoin: loses", "{last_one", "the ruling on 'last_one' has no 'option'"),
    ('"upheld"', '"uphold"', "|\n      [\n", "claim 1: found 'uphold' for 'verdict'"),
    ('"verdict": ', '"verdict" ', '"upheld"}', "no JSON: expecting ':' delimiter"),
    ('["heap_01"]', '"heap_01"', "|\n      [\n", "claim 1: 'rules' is missing, or no list"),
    ("{heap: 7}", "start.yaml", '"start.yaml"', "the position is not in the case, but in another"),
    ("claims: [{by", "clams: [{by", "title: Ruled on\n      pos", "no case: it has no 'position'"),
    ("claims: [{by", "claims: {{by", "{by: ", "a key is a single word"),
    ("book: 1", "book: 2", "2\nentries", "a book of format '2'; this pymorph reads format 1"),
    ("entries:", "entrys:", "book: 1", "no book of precedents: expected the keys 'book'"),
]


@pytest.mark.parametrize(("old", "new", "anchor", "message"), FAULTS)
def test_faults_of_an_import_have_their_places(
    old: str, new: str, anchor: str, message: str, filled: Path, tmp_path: Path, pymorph: Run
) -> None:
    """Each is told where it stands, in the text of a case and in the claims too; nothing enters."""
    file, other = tmp_path / "all.yaml", tmp_path / "other.db"
    pymorph("book", "export", file)
    text = file.read_text().replace('"Ruled on"', "Ruled on")
    at = text.rindex(old)
    text = text[:at] + new + text[at + len(old) :]
    file.write_text(text)
    code, out, err = pymorph("book", "import", file, "--book", other)
    place = text.rindex(anchor)
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    assert (code, out) == (2, "")
    assert f"{file}:{line}:{column}: {message}" in err
    assert not other.exists()


def test_an_import_that_is_no_book(tmp_path: Path, path: Path, pymorph: Run) -> None:
    assert pymorph("book", "import", tmp_path / "none.yaml")[0] == 2
    odd = tmp_path / "odd.yaml"
    for text in ("[1, 2]", "entries: {a: b}", "book: 1\nentries: [a]", "entries: [{}]"):
        odd.write_text(text)
        code, _, err = pymorph("book", "import", odd)
        assert code == 2
        assert all(line.startswith(f"{odd}:") for line in err.splitlines())
    assert not path.exists()
