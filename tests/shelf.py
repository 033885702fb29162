"""Books of precedents for the tests, and what stands in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pymorph.book import Book, Entry, Judgement

Run = Callable[..., tuple[int, str, str]]

CASE = """\
ruleset: ..
title: May Anna take two again?
position: {players: {anna: {}, bo: {taken: 2}}, turn: anna, heap: 7, last: 2}
claims:
  - {by: anna, claim: "legal(take(anna, 2))"}
  - {by: bo, claim: "legal(take(anna, 4))"}
"""
WHOLE = 'position: "{heap: 7}"\nclaims: [{by: anna, claim: "legal(take(anna, 2))"}]\n'
SHELF = {"same_again": "allowed"}, {"same_again": "barred"}


def claim(verdict: str = "upheld", *rules: str, **more: Any) -> dict[str, Any]:
    found = {"by": "anna", "claim": "legal(take(anna, 2))", "verdict": verdict, "defaults": verdict}
    return {**found, "rules": list(rules), "depends_on": [], **more}


def divided(*verdicts: str) -> dict[str, Any]:
    """A claim that hangs on one question; a rule for each reading."""
    cells = [
        {"under": under, "verdict": word, "rules": [f"heap_{number:02}"]}
        for number, (under, word) in enumerate(zip(SHELF, verdicts, strict=True), 1)
    ]
    word = verdicts[0] if len(set(verdicts)) == 1 else "depends"
    asked = ["same_again"] if word == "depends" else []
    return claim(word, depends_on=asked, readings=cells, defaults=verdicts[0])


def entry(title: str = "May Anna?", *claims: dict[str, Any], **more: Any) -> Entry:
    judged = Judgement("2026-05-01", "1.0.0", "abcd", claims or (claim("upheld", "heap_01"),))
    given: dict[str, Any] = {"date": "2026-05-01", "ruleset": "heap", "rulings": {}, "note": ""}
    given |= {"case": f"title: {json.dumps(title)}\n{WHOLE}", "judged": judged, **more}
    return Entry(title=title, **given)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the book is, or will be."""
    found = tmp_path / "shelf" / "book.db"
    monkeypatch.setenv("PYMORPH_BOOK", str(found))
    return found


@pytest.fixture
def filled(path: Path) -> Path:
    """A book with three entries."""
    entries = (
        entry("Who lifts the Anvil?", claim("upheld", "heap_01"), note="Große Hämmer zählen."),
        entry("Twice the same", divided("upheld", "rejected")),
        entry("Ruled on", rulings={"last_one": {"option": "loses", "from": "rulings.yaml"}}),
    )
    with Book.writing(path, create=True) as found:
        for one in entries:
            found.add(one)
    return path


@pytest.fixture
def dispute(my_game: Path, path: Path) -> Path:
    """A case of the heap game."""
    found = my_game / "table" / "again.yaml"
    found.parent.mkdir(exist_ok=True)
    found.write_text(CASE)
    return found


def entries_of(path: Path) -> list[Entry]:
    with Book.reading(path) as found:
        return found.entries()


def titles(found: list[Entry]) -> list[str]:
    return [one.title for one in found]
