"""Positions, and whole games to step through, as parts of a page in a notebook."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from importlib import resources

from pymorph.dynamics import history
from pymorph.dynamics.outcomes import Outcome
from pymorph.explore.execution import replay
from pymorph.explore.execution.application import apply
from pymorph.state.position import Position
from pymorph.state.record import Move, Record
from pymorph.views import layout
from pymorph.views.html.elements import STYLE, block, image, page, table, tag
from pymorph.views.layout import LIMITS
from pymorph.views.lines import answers
from pymorph.views.picture import Picture, draw
from pymorph.views.pictures import ascii

# What a button or a key does. A game looks within itself alone, so that several are on one page.
SCRIPT = resources.files(__package__).joinpath("game.js").read_text("utf-8")
KEYS = {"first": "Home", "back": "ArrowLeft", "next": "ArrowRight", "last": "End"}
HANDLERS = {"onclick": SCRIPT, "onkeydown": SCRIPT, "tabindex": "0"}
HANDLERS |= {"data-lm-suppress-shortcuts": "true"}  # JupyterLab leaves it the keys


def boards(drawn: Picture) -> list[ET.Element]:
    """The board of a position as a picture; nothing, if it has none."""
    head = layout.headline(drawn.scene.position)
    return [image(drawn.svg, head)] if drawn.has_surface else []


def position_parts(position: Position) -> list[ET.Element]:
    """A position: its board, and a table of what is in front of each player."""
    drawn = draw(position)
    parts = boards(drawn) or [tag("p", "bold", layout.headline(position))]
    tableau = ascii.Tableau(drawn.scene, False)
    rows = [(head, block(line.strip() for line in lines)) for head, lines in tableau.blocks()]
    return [*parts, table(rows)] if rows else parts


def game(record: Record) -> ET.Element:
    """A game to step through, by buttons and arrow keys; without scripts, its last board.

    A step that cannot be carried out ends it, with the reasons.
    """
    begun = apply(history.begun(record.position)).position
    steps = [("start", "", begun)]

    def keep(number: int, move: Move, done: Outcome) -> None:
        rolls = f": {', '.join(move.rolls)}" if move.rolls else ""
        events = (layout.phrase(done.ruleset, event.event) for event in done.events)
        head = f"step {number} of {len(record.steps)}: {move.action}{rolls}"
        steps.append((head, "; ".join(dict.fromkeys(events)), done.position))

    found = replay.replay(record, on_step=keep)
    figures = [figure(*step) for step in steps[-LIMITS.boards :]]
    for early in figures[:-1]:
        early.set("hidden", "hidden")
    parts = [tag("div", "game", *buttons(len(figures)), *figures, **HANDLERS)]
    if steps[LIMITS.boards :]:
        parts.append(tag("p", "dim", f"the last {LIMITS.boards} of {len(steps)} boards"))
    if not found.good or found.ending or found.pending:
        parts.append(block(answers.replay(found, "the record", STYLE)))
    return page(record.position.ruleset, *parts)


def buttons(boards: int) -> list[ET.Element]:
    """What leads from one board of a game to another, if there are several."""
    keys = KEYS if boards > 1 else {}
    return [
        tag("nav", "", *(tag("button", "", n, value=n, data_key=key) for n, key in keys.items()))
    ]


def figure(head: str, events: str, position: Position) -> ET.Element:
    """A board of a game, under the step that led to it, and what happened."""
    caption = tag("figcaption", "", tag("span", "bold", head), f" {events}" if events else "")
    return tag("figure", "", caption, *position_parts(position))
