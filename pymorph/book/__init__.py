"""The book of precedents: cases with their verdicts, kept in a file, found and judged again."""

from pymorph.book.entries import Entry, Judgement, clean, date_of, now
from pymorph.book.rechecking import Change, Judge, Rechecked, judgement, junit, recheck
from pymorph.book.store import Book
from pymorph.book.transfer import read, written

__all__ = [
    "Book",
    "Change",
    "Entry",
    "Judge",
    "Judgement",
    "Rechecked",
    "clean",
    "date_of",
    "judgement",
    "junit",
    "now",
    "read",
    "recheck",
    "written",
]
