"""The names that a shell may be told of a position, each kind by itself."""

from __future__ import annotations

from collections.abc import Sequence

from pymorph.questions import consistency
from pymorph.questions import figures as figures_module
from pymorph.questions.board import drawing, measuring, sight
from pymorph.state import names
from pymorph.state import position as positions


def actors(position: positions.Position) -> Sequence[str]:
    return names.actors(position)


def figures(position: positions.Position) -> Sequence[str]:
    """The kinds of figures, and those that there are."""
    words = position.ruleset.vocabulary
    return [
        *words.figures,
        *words.findings,
        *(str(f.name) for f in figures_module.forecast(position).figures),
    ]


def listed(position: positions.Position) -> Sequence[str]:
    """Those whom the file of a position lists."""
    from pymorph.terms import text_of

    return [text_of(member) for members in position.listed.values() for member in members]


def viewers(position: positions.Position) -> Sequence[str]:
    """Those who look at the position."""
    return list(consistency.observers(position))


def measured(position: positions.Position) -> Sequence[str]:
    """What a ruler may be laid on."""
    return measuring.names(position)


def seen(position: positions.Position) -> Sequence[str]:
    """Those who may see and be seen; where nobody may, those who are listed."""
    from pymorph.terms import text_of

    both = [text_of(member) for part in sight.viewers(position) for member in part]
    return list(dict.fromkeys(both)) or listed(position)


def threatening(position: positions.Position) -> Sequence[str]:
    """Those who are listed, sides among them."""
    return list(
        dict.fromkeys([*listed(position), *sight.sides_of(drawing.drawn(position)).values()])
    )


def templates(position: positions.Position) -> Sequence[str]:
    """The templates that the ruleset declares, each with its bracket."""
    return [f"{name}(" for name in position.ruleset.vocabulary.templates]


def choices(position: positions.Position) -> Sequence[str]:
    """How each question may be read."""
    asked = position.ruleset.questions.values()
    return [f"{question.id}={option}" for question in asked for option, _ in question.options]
