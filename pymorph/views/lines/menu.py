"""What may be done, numbered, in as few lines as a person reads: kinds of actions stand folded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from pymorph.dynamics.results import Legality
from pymorph.errors import Fault, InputError, clipped
from pymorph.terms import Term
from pymorph.views.layout import LIMITS, PLAIN, Style, count
from pymorph.views.lines.answers import awaited, standstill
from pymorph.views.width import columns

FILLED_IN = re.compile("[A-Z]")  # where a form begins that somebody has to fill in


class MenuLine(NamedTuple):
    """A line of a menu: an action with its number, or several of a kind that it stands for."""

    number: int
    actions: tuple[Term, ...]

    @property
    def last(self) -> int:
        return self.number + len(self.actions) - 1

    @property
    def kind(self) -> str:
        """What the actions have in common: ``take(anna, ...)``."""
        first = self.actions[0]
        alike = [str(a) for a in first.arguments[: common(self.actions)]]
        return f"{first.name}({', '.join([*alike, '...'])})"


class Menu:
    """The actions by their numbers from 1, and those of the numbers that are in sight."""

    def __init__(self, actions: Sequence[Term] = ()) -> None:
        self.actions = actions
        self.entries: list[MenuLine] = []
        self.forms: list[str] = []  # of what is to be entered

    def text(self, answer: Legality, everything: bool = False, style: Style = PLAIN) -> list[str]:
        """What is legal, folded unless *everything* is wanted."""
        numbered = list(enumerate(self.actions, 1))
        lines = self.opened(numbered, None if everything else LIMITS.actions, style)
        if answer.unsettled:
            number = len(answer.unsettled)
            depend = "depends" if number == 1 else "depend"
            lines.append(f"{count(number, 'actions')} {depend} on hidden information")
        lines = lines or [standstill(answer, style)]
        lines += chain(*awaited(answer.ruleset, answer.awaited, style))
        self.forms = [typed(answer, form) for form, *_ in answer.awaited]
        if self.forms:
            name, *two = one_name(self.forms[:2])
            several = f", or several at once: {name}({'; '.join(two)})" if len(two) > 1 else ""
            lines.append(f"type {self.forms[0]}{several}")
        return lines

    def opened(
        self,
        numbered: Sequence[tuple[int, Term]],
        few: int | None = LIMITS.of_a_kind,
        style: Style = PLAIN,
    ) -> list[str]:
        """Some of the actions, folded where they are more than a *few*; these are in sight now.

        Without a number all are listed, one to a line.
        """
        self.entries = []
        lines: list[str] = []
        for actor, group in groupby(numbered, key=lambda pair: pair[1].actor):
            part = list(group)
            entries = list(folded(part, len(part) if few is None else few))
            lines += [style.bold(f"{actor} may"), *self._rows(entries, few is None, style)]
            self.entries += entries
        return lines

    def beginnings(self, text: str) -> list[str]:
        """What may be typed for an action: up to the bracket, where several begin so."""
        forms = [FILLED_IN.split(form)[0] for form in self.forms]
        if "(" in text:
            return [*map(str, self.actions), *forms]
        starts = Counter(f"{action.name}(" for action in self.actions if action.arguments)
        return [
            *(start if starts[start := f"{a.name}("] > 1 else str(a) for a in self.actions),
            *forms,
        ]

    def of(self, name: str, *words: str) -> list[tuple[int, Term]]:
        """The actions of a name, or of any, in which all the *words* occur, with their numbers."""
        wanted = set(words)
        return [
            (number, action)
            for number, action in enumerate(self.actions, 1)
            if name in ("", action.name) and wanted <= set(words_in(action))
        ]

    def numbered(self, text: str) -> str:
        """The action of a number, or what was typed."""
        if not text.isdigit():
            return text
        most = len(self.actions)
        if not 0 < int(text[:9]) <= most:
            known = f"expected 1 to {most}" if most else "nothing to choose now"
            raise InputError(Fault(f"no action has the number {clipped(text)}; {known}"))
        return str(self.actions[int(text) - 1])

    def behind(self, number: int) -> list[tuple[int, Term]]:
        """What a folded line stands for, of which one has this number; nothing, if none is."""
        for entry in self.entries:
            if entry.number <= number <= entry.last and len(entry.actions) > 1:
                return list(enumerate(entry.actions, entry.number))
        return []

    def _rows(self, entries: Sequence[MenuLine], one_by_one: bool, style: Style) -> list[str]:
        """A line for each; many single ones stand beside one another."""
        wide = max([len(str(len(self.actions))), *(len(label(entry)) for entry in entries)])
        cells = [f"{label(entry):>{wide}}  {entry_text(entry, style)}" for entry in entries]
        several = any(len(entry.actions) > 1 for entry in entries)
        if one_by_one or several or len(entries) <= LIMITS.actions:
            return [f"  {cell}" for cell in cells]
        lengths = [len(str(entry.actions[0])) for entry in entries]
        across = max(1, columns() // (wide + max(lengths) + 5))
        down = -(-len(cells) // across)
        pairs = zip(cells, lengths, strict=True)
        padded = [cell + " " * (max(lengths) - length) for cell, length in pairs]
        return [f"  {'   '.join(padded[line::down])}".rstrip() for line in range(down)]


def typed(answer: Legality, form: Term) -> str:
    """An action that is to be entered as it may be typed: in capitals what is to be filled in."""
    words = answer.ruleset.vocabulary
    sorts = [words.sorts[sort] for sort in words.actions[form.name].sorts]
    texts = [
        str(argument).upper() if str(argument) == sort.name else str(argument)
        for argument, sort in zip(form.arguments, sorts, strict=True)
        if sort.kind != "listed" or len(sort.members) > 1
    ]
    return f"{form.name}({', '.join(texts)})"


def one_name(forms: Sequence[str]) -> list[str]:
    """The name of the first form, and the arguments of those that bear it."""
    name = forms[0].partition("(")[0]
    return [name, *(form[len(name) + 1 : -1] for form in forms if form.startswith(f"{name}("))]


def label(entry: MenuLine) -> str:
    return f"{entry.number}..{entry.last}" if len(entry.actions) > 1 else str(entry.number)


def entry_text(entry: MenuLine, style: Style) -> str:
    if len(entry.actions) == 1:
        return style.good(str(entry.actions[0]))
    return f"{style.good(entry.kind)}  {count(len(entry.actions), 'actions')}"


def folded(numbered: Sequence[tuple[int, Term]], few: int) -> Iterator[MenuLine]:
    """Lines for the actions of one actor: those alike stand in one, where they are many."""
    # Alike are those with the same name and the same arguments, one more than all have in common.
    alike = common([action for _, action in numbered]) + 1
    for _, group in groupby(numbered, key=lambda pair: (pair[1].name, pair[1].arguments[:alike])):
        part = list(group)
        if len(numbered) > few and len(part) >= LIMITS.folded:
            yield MenuLine(part[0][0], tuple(action for _, action in part))
        else:
            yield from (MenuLine(number, (action,)) for number, action in part)


def common(actions: Sequence[Term]) -> int:
    """How many arguments are the same in all, if the names are; else -1."""
    first = actions[0]
    if any(a.name != first.name for a in actions):
        return -1
    pairs = zip(*(a.arguments for a in actions), strict=True)
    return next((n for n, column in enumerate(pairs) if len(set(column)) > 1), 0)


def words_in(term: Term) -> Iterator[str]:
    """The words by which an action may be asked for: names and numbers in it."""
    yield term.name
    for argument in term.arguments:
        yield from words_in(argument)
