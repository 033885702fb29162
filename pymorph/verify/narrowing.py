"""What an edit bears on: the actions of which an answer may hang on what changed, and the cards."""

from __future__ import annotations

from dataclasses import dataclass

from clingo import Symbol

from pymorph.slices import Index, Key, paired
from pymorph.verify.domain import edited, indexing
from pymorph.verify.search import bears_on
from pymorph.verify.setting import Setting
from pymorph.vocabulary import Vocabulary


def given(words: Vocabulary, name: str) -> frozenset[Key]:
    """What comes with a question about an action of a name that is asked about and carried out."""
    known: set[Key] = {("situation", 1, None), ("checking", 1, None), ("present", 2, None)}
    known |= {("holds", 3, fluent) for fluent in words.fluents}
    return frozenset({*known, ("asked", 2, name), ("does", 3, name)})


@dataclass(frozen=True, slots=True)
class Bearing:
    """A piece of work for each action of which an answer with *sought* atoms may hang on what
    changed; for every action, where all is looked at."""

    sought: frozenset[Key]

    def __call__(self, setting: Setting) -> list[str]:
        names = list(setting.ruleset.vocabulary.actions)
        if setting.changed is None:
            return names
        return [name for name in names if _bears(setting, name, self.sought)]


def _bears(setting: Setting, name: str, sought: frozenset[Key]) -> bool:
    """May a statement that changed, or is gone, fire with an action of a name and lead to atoms
    that are sought?"""
    changed = setting.changed or frozenset()
    moved = [part for n, part in setting.sources.numbered if n in changed]
    moved += setting.gone
    parts = [*(part for _, part in setting.sources.numbered), *setting.gone]
    if not setting.ruleset.reads_proposals:
        parts = [part for part in parts if bears_on(part, name)]
    index = Index(parts)
    known = set(given(setting.ruleset.vocabulary, name))
    known |= {("ruled", 3, paired(q, o)) for q, row in setting.ruleset.options.items() for o in row}
    kept = {id(part) for part in index.leading_to(sought, index.firing(known), figured=True)}
    return any(id(part) in kept for part in moved)


def cards_only(setting: Setting) -> int:
    """How many cards an edit touched; 0, if it touched anything else as well."""
    statements = setting.sources.statements
    words = setting.ruleset.vocabulary
    cards: set[Symbol] = set()
    for n in setting.changed or ():
        found = {m for s in indexing(words) for m in edited(words.sorts[s], [statements[n].text])}
        if statements[n].kind == "rule" or not found:
            return 0
        cards |= found
    about = {key[:2] for n in setting.changed or () for key in statements[n].head_keys}
    gone = {key[:2] for part in setting.gone for key, _ in part.signs.gives}
    if gone - about or any(part.signs.needs for part in setting.gone):
        return 0
    return len(cards)
