"""Names as cards and pieces have them printed: with capitals and blanks, and what is like them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import chain, islice, product
from typing import TypeVar

from clingo import SymbolType

from pymorph.board.lengths.length_units import AMOUNT
from pymorph.errors import InputError, UnknownName, clipped, close_to
from pymorph.state.position import Position, members_of
from pymorph.terms import MAX_LENGTH, spoken, text_of

_T = TypeVar("_T")

BETWEEN = re.compile(r"([(),=<>!]+)")
WORDY = re.compile(r"[^\W\d_][\w '’.-]*")
MAX_WAYS = 16


def one_of(position: Position, text: str, known: Sequence[str]) -> str:
    """The one of the *known* names that is meant, also as it is printed; or else the text."""
    if text in known:
        return text
    names = [name for name in _printed(position).get(spoken(text), ()) if name in known]
    return names[0] if len(names) == 1 else text


def as_meant(position: Position, text: str, read: Callable[[str], _T]) -> list[_T]:
    """What *read* makes of a text; if nothing, then of it with names taken as they are printed.

    A name that several are printed as has several meanings. Raises: InputError.
    """
    try:
        return [read(text)]
    except InputError as error:
        if len(text) > MAX_LENGTH:
            raise
        meanings: list[_T] = []
        last: InputError | None = None
        readings, hint = _as_printed(position, text)
        for reading in readings:
            try:
                meanings.append(read(reading))
            except UnknownName as other:
                last = other
            except InputError:
                continue
        if meanings:
            return meanings
        cause = error if last is None or isinstance(error, UnknownName) else last
        if hint and "did you mean" not in str(cause):
            raise UnknownName(hint) from None
        raise cause from None


def _as_printed(position: Position, text: str) -> tuple[list[str], str]:
    """The ways to take names in a text as they are printed, and a word on what is like none.

    What is no such name is written in small letters, with _ for what is between its words.
    """
    printed, original = _printed(position), text
    for name, title in position.ruleset.vocabulary.titles.items():
        if BETWEEN.search(title):
            text = re.sub(re.escape(title), name, text, flags=re.IGNORECASE)
    known = {name for names in printed.values() for name in names}
    options: list[Sequence[str]] = []
    hint = ""
    for part in BETWEEN.split(text):
        word = part.strip()
        if word in known or not WORDY.fullmatch(word) or AMOUNT.fullmatch(word):
            options.append([part])
            continue
        words = spoken(word)
        if words not in printed:
            near = close_to(words, printed, 1, 0.75)
            titles = position.ruleset.vocabulary.titles
            names = [name for title in near for name in printed[title] if name in titles]
            titled = " or ".join(f"{titles[name]!r} ({name})" for name in names[:3])
            hint = f"unknown name {clipped(word)}; did you mean {titled}?" if names else hint
        names = printed.get(words) or [words.strip().replace(" ", "_")]
        options.append([part.replace(word, name) for name in names])
    combinations = islice(product(*options), MAX_WAYS)
    return [reading for reading in map("".join, combinations) if reading != original], hint


def _printed(position: Position) -> dict[str, list[str]]:
    """The names there are in a position, by the words of their titles and by their own."""
    words = position.ruleset.vocabulary
    sorts = (sort for sort in words.sorts.values() if sort.kind not in ("range", "union"))
    members = (member for sort in sorts for member in members_of(position, sort.name))
    texts = [text_of(member) for member in members if member.type == SymbolType.Function]
    declared = (words.actions, words.figures, words.findings, words.fluents, words.events)
    names = dict.fromkeys(chain(texts, *declared))
    by_words: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if name in words.titles:
            by_words[spoken(words.titles[name])].append(name)
    for name in names:
        if spoken(name) not in by_words:
            by_words[spoken(name)].append(name)
    return by_words
