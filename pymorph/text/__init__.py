"""Answers as aligned, short lines for people; nothing is printed here.

Each function gives the lines of one answer. What a person may type again (an action, a figure, a
rule id) stands as a term; what a figure is made of is told in words, and exactly in the JSON.
"""

from pymorph.forms import ranges, together
from pymorph.text.judging import check, figure_line, forecast, legality, reason_lines, verdict, why
from pymorph.text.layout import (
    PLAIN,
    TIE,
    WIDTH,
    Style,
    capital,
    count,
    frame,
    ground,
    heading,
    ledger,
    one_line,
    plain,
    rule_ids,
    table,
    title,
    words,
    wrapped,
)
from pymorph.text.playing import line_of_play, odds, outcome, step_lines
from pymorph.text.rolls import outcomes, pending
from pymorph.text.rules import (
    catalogue,
    house_rulings,
    questions,
    rule,
    rule_body,
    rule_head,
    shelf,
)
from pymorph.text.wordlist import word_list

__all__ = [
    "PLAIN",
    "TIE",
    "WIDTH",
    "Style",
    "capital",
    "catalogue",
    "check",
    "count",
    "figure_line",
    "forecast",
    "frame",
    "ground",
    "heading",
    "house_rulings",
    "ledger",
    "legality",
    "line_of_play",
    "odds",
    "one_line",
    "outcome",
    "outcomes",
    "pending",
    "plain",
    "questions",
    "ranges",
    "reason_lines",
    "rule",
    "rule_body",
    "rule_head",
    "rule_ids",
    "shelf",
    "step_lines",
    "table",
    "title",
    "together",
    "verdict",
    "why",
    "word_list",
    "words",
    "wrapped",
]
