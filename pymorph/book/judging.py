"""Where a book meets the judge: a case becomes an entry, and the text of an entry a case again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pymorph.book.entries import Entry, Rulings, clean
from pymorph.book.rechecking import judgement
from pymorph.case import Case
from pymorph.errors import OutOfTime
from pymorph.queries.adjudicating import adjudicate


def judge(text: str) -> Mapping[str, Any]:
    """The adjudication of a case that is told whole, as JSON.

    Raises: InputError, if it is no case of its game any more; OutOfTime, if it is not settled.
    """
    found = adjudicate(Case.parse(text, "<case>", _root())).json()
    if found["undecided"]:
        raise OutOfTime("the case is not settled in time")
    return found


def draft(case: Case, rulings: Rulings, note: str, date: str) -> Entry:
    """*case* as an entry for a book, judged as it stands there.

    *rulings* tell of those that its position is under. Raises: InputError, if it cannot be told in
    a book; OutOfTime, if it is not settled.
    """
    game = case.position.ruleset
    text = clean(case.yaml(_root()), "case") + "\n"
    title = case.title or case.id or str(case.claims[0].claim)
    found = Entry(
        title=clean(title, "title"),
        date=date,
        case=text,
        ruleset=os.fspath(game.folders[0]) if game.from_path else game.name,
        rulings=rulings,
        note=clean(note, "note"),
        judged=judgement(judge(text), date),
    )
    clean(found.text(), "entry")
    return found


def _root() -> Path:
    """Seen from there, a ruleset that is a folder has its absolute path."""
    return Path(Path.cwd().anchor)
