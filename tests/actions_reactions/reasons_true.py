"""What the rules of Actions and Reactions say, as reasons against an action, in plain Python."""

from __future__ import annotations

from collections.abc import Callable

from tests.reasons import Plain, Sentence, View

TRUE: dict[str, Sentence] = {}
Arguments = tuple[Plain, ...]


def says(*rules: str) -> Callable[[Sentence], Sentence]:
    """Puts a sentence into the table, under each of its rules."""

    def enter(sentence: Sentence) -> Sentence:
        TRUE.update(dict.fromkeys(rules, sentence))
        return sentence

    return enter


@says("act_econ_15")
def turn_of_another(view: View, action: str, arguments: Arguments) -> bool:
    """It is not that one's turn, or that of no one who can end it."""
    return action == "end_turn" and view("turn") != arguments[0]
