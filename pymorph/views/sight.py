"""What the rules say of a line of sight, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pymorph.views.layout import capital, ground, rule_ids, words

if TYPE_CHECKING:
    from pymorph.queries.results import Figure


def sight_text(figure: Figure) -> str:
    """A finding in words, with what it rests on and its rules."""
    two = [capital(words(str(a))) for a in figure.name.arguments]
    grounds = ", ".join(map(ground, figure.grounds))
    told = f"{capital(words(figure.name.name))} from {two[0]} to {two[1]}: {figure.value}"
    return f"{told}{f' by {grounds}' if grounds else ''} {rule_ids(figure.rules)}"
