"""Names as cards and pieces have them printed: with capitals and blanks, and what is like them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import islice, product
from typing import TypeVar

from clingo import SymbolType

from pymorph.board.lengths.length_units import AMOUNT
from pymorph.errors import Fault, InputError, UnknownName, clipped
from pymorph.state.position import Position
from pymorph.terms import MAX_LENGTH, spoken, text_of

_T = TypeVar("_T")

BETWEEN = re.compile(r"([(),=<>!]+)")
WORDY = re.compile(r"[^\W\d_][\w '’.-]*")
MAX_WAYS = 16


def one_of(position: Position, text: str, known: Sequence[str]) -> str:
    """The one of the *known* names that is meant, also as it is printed; or else the text."""
    if text in known:
        return text
    found = [name for name in _printed(position).get(spoken(text), ()) if name in known]
    return found[0] if len(found) == 1 else text


def as_meant(position: Position, text: str, read: Callable[[str], _T]) -> list[_T]:
    """What *read* makes of a text; if nothing, then of it with names taken as they are printed.

    A name that several are printed as has several meanings. Raises: InputError.
    """
    try:
        return [read(text)]
    except InputError as error:
        if len(text) > MAX_LENGTH:
            raise
        found: list[_T] = []
        last: InputError | None = None
        ways, hint = _as_printed(position, text)
        for way in ways:
            try:
                found.append(read(way))
            except UnknownName as other:
                last = other
            except InputError:
                continue
        if found:
            return found
        told = error if last is None or isinstance(error, UnknownName) else last
        if hint and "did you mean" not in str(told):
            raise UnknownName(Fault(hint)) from None
        raise told from None


def _as_printed(position: Position, text: str) -> tuple[list[str], str]:
    """The ways to take names in a text as they are printed, and a word on what is like none.

    What is no such name is written in small letters, with _ for what is between its words.
    """
    import difflib

    printed, given = _printed(position), text
    for name, title in position.ruleset.vocabulary.titles.items():
        if BETWEEN.search(title):
            text = re.sub(re.escape(title), name, text, flags=re.IGNORECASE)
    known = {name for names in printed.values() for name in names}
    ways: list[Sequence[str]] = []
    hint = ""
    for part in BETWEEN.split(text):
        word = part.strip()
        if word in known or not WORDY.fullmatch(word) or AMOUNT.fullmatch(word):
            ways.append([part])
            continue
        said = spoken(word)
        if said not in printed:
            near = difflib.get_close_matches(said, printed, n=1, cutoff=0.75)
            titles = position.ruleset.vocabulary.titles
            names = [name for each in near for name in printed[each] if name in titles]
            shown = " or ".join(f"{titles[name]!r} ({name})" for name in names[:3])
            hint = f"unknown name {clipped(word)}; did you mean {shown}?" if names else hint
        names = printed.get(said) or [said.strip().replace(" ", "_")]
        ways.append([part.replace(word, name) for name in names])
    found = islice(product(*ways), MAX_WAYS)
    return [way for way in map("".join, found) if way != given], hint


def _printed(position: Position) -> dict[str, list[str]]:
    """The names there are in a position, by the words of their titles and by their own."""
    words = position.ruleset.vocabulary
    listed = (
        member
        for sort in words.sorts.values()
        if sort.kind not in ("range", "union")
        for member in words.members(sort.name, position.scene)
    )
    members = (text_of(m) for m in listed if m.type == SymbolType.Function)
    named = (words.actions, words.figures, words.findings, words.fluents, words.events)
    names = dict.fromkeys([*members, *(name for each in named for name in each)])
    found: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if name in words.titles:
            found[spoken(words.titles[name])].append(name)
    for name in names:
        if spoken(name) not in found:
            found[spoken(name)].append(name)
    return found
