"""The reference of the vocabulary is whole, and as the headers have it."""

from __future__ import annotations

from pymorph.board.geometry import FUNCTIONS
from tests import reference


def test_page_is_up_to_date() -> None:
    """`python -m tests.docs` writes it."""
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page()


def test_every_predicate_is_told() -> None:
    assert reference.untold() == []


def test_every_function_is_told() -> None:
    told = {
        entry.atom.partition("(")[0].removeprefix("@"): entry for entry in reference.functions()
    }
    assert told.keys() == {name.partition("/")[0] for name in FUNCTIONS}
    for name in FUNCTIONS:
        entry = told[name.partition("/")[0]]
        arguments = entry.atom.partition("(")[2].rstrip(")")
        assert (arguments.count(",") + 1 if arguments else 0) == int(name.partition("/")[2])
        assert entry.says


def test_each_entry_says_something() -> None:
    for path in (reference.VOCABULARY, reference.CONTRACT_FILE):
        for entries in reference.sections(path.read_text(encoding="utf-8")).values():
            for entry in entries:
                assert entry.says, entry.atom
