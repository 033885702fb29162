"""The words of a game: as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pymorph.text.layout import PLAIN, Style, one_line, plain, table, wrapped
from pymorph.vocabulary import GIVEN

if TYPE_CHECKING:
    from pymorph.glossary import Glossary


def word_list(found: Glossary, style: Style = PLAIN) -> list[str]:
    """Keys of a position with their defaults, actions, figures, fluents, events and sorts."""
    needed = str(GIVEN)
    keys = [(k.path, k.value, "needed" if k.default == needed else k.default) for k in found.keys]
    lines = [style.dim(one_line(found.ruleset.title)), ""]
    lines += [style.bold("keys of a position"), *table(keys, "  ", (plain, plain, style.dim)), ""]
    lines += [style.bold("actions"), *(f"  {action}" for action in found.actions), ""]
    if found.figures:
        figures = table(found.figures, "  ", (plain, style.dim))
        lines += [style.bold("figures"), *figures, ""]
    lines += [style.bold("fluents, as a claim names them")]
    lines += [*wrapped(", ".join(found.fluents), "  ", "  "), ""]
    if found.events:
        lines += [style.bold("events, as a claim names them")]
        lines += [*wrapped(", ".join(found.events), "  ", "  "), ""]
    lines.append(style.bold("what the words in capitals stand for"))
    for name, members in found.sorts:
        lines += wrapped(f"{name.upper()}: {members}", "      ", "  ")
    return lines
