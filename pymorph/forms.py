"""Actions that differ in a value or two, drawn together into few."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from pymorph.terms import Term

Form = tuple[tuple[Term, ...], ...]  # for each argument the values that it may have


def ranges(rows: Sequence[tuple[Term, str]]) -> list[tuple[str, str]]:
    """Actions with their rules, those of one name and the same rules drawn together.

    ``wait(anna, 1)`` to ``wait(anna, 3)`` are ``wait(anna, 1..3)``; names stand side by side, as in
    ``sail(anna, b1|b2)``, and of many the first three, with their number.
    """
    groups: dict[tuple[str, str], list[tuple[tuple[Term, ...], ...]]] = defaultdict(list)
    for action, rules in rows:
        groups[action.name, rules].append(tuple((argument,) for argument in action.arguments))
    return [
        (f"{name}({', '.join(map(choice, form))})" if form else name, rules)
        for (name, rules), forms in groups.items()
        for form in drawn_together(forms)
    ]


def together(alike: Iterable[Term]) -> str:
    """Actions that differ in the last argument alone, as ``roll(chance, anna, 1..6)``."""
    return ranges([(action, "") for action in alike])[0][0]


def drawn_together(forms: Sequence[Form]) -> list[Form]:
    """The same actions in fewer forms: those that differ in one argument alone become one."""
    current = list(forms)
    for index in reversed(range(len(current[0]))):
        merged: dict[Form, list[Term]] = {}
        for form in current:
            merged.setdefault((*form[:index], (), *form[index + 1 :]), []).extend(form[index])
        current = [
            (*form[:index], tuple(values), *form[index + 1 :]) for form, values in merged.items()
        ]
    return current


def choice(values: Sequence[Term]) -> str:
    """The values of an argument: one, a range of numbers, or some of many names."""
    if len(values) == 1:
        return str(values[0])
    numbers = [value.number for value in values if value.number is not None]
    if len(numbers) == len(values) and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}..{numbers[-1]}"
    shown = "|".join(map(str, values[:3]))
    return shown if len(values) <= 3 else f"{shown}|... ({len(values)})"
