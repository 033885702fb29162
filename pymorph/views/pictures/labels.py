"""The labels of pieces: as few letters of a name as tell it from all others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

WORD = re.compile(r"[^\W_]+")


def labels_of(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """A label for each name: the first letters that no other has, three at most, and that are not
    *taken*; or the first of its first word with one or two of its last; or the first with the
    number that ends it, or with its place among the names."""
    everyone, signs = list(names), {*taken}
    labels: dict[str, str] = {}
    for number, name in enumerate(everyone, 1):
        alone = beginnings_of(name, [other for other in everyone if other != name])
        bare = name.rstrip(")")
        own = bare[len(bare.rstrip("0123456789")) :]
        ends = [name[0] + end for end in (own, str(number)) if end and len(end) < 3]
        used = {*signs, *labels.values()}
        free = (label.capitalize() for label in (*alone, *ends) if label.capitalize() not in used)
        labels[name] = next(free, f"{name[0]}{number}".capitalize())
    return labels


def beginnings_of(name: str, others: Sequence[str]) -> list[str]:
    """The first letters of a name, three at most, and its initials, where no other has them."""
    starts = [name[:length] for length in (1, 2, 3)]
    alone = [start for start in starts if not any(other.startswith(start) for other in others)]
    theirs = {label for other in others for label in initials(other)}
    return alone + [label for label in initials(name) if label not in theirs]


def initials(name: str) -> list[str]:
    """The first letter of a name of several words with one of its last word, and with two."""
    words_in = WORD.findall(name)
    if len(words_in) < 2 or words_in[-1].isdecimal():
        return []
    return [words_in[0][0] + words_in[-1][:length] for length in (1, 2)]
