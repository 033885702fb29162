"""The smallest examples that come with a game: for a question, a case that its options decide."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pymorph.adjudication import adjudication
from pymorph.adjudication.case import Case, Stated
from pymorph.answers import json_keys
from pymorph.questions.board import drawing
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import Question

if TYPE_CHECKING:
    from pymorph.questions.board.drawing import DrawnPairs

FOLDER = "disputes"


@json_keys(
    paths={
        "title": "case.title",
        "position": "case.position.data",
        "line": "case.position.line",
        "after": "stated.after.action",
        "claim": "stated.claim",
    },
    without=["case", "drawn"],
    items={"verdicts": ("option", "verdict")},
)
@dataclass(frozen=True)
class Example:
    """A case with one claim, and the verdict on it under each option of a question.

    Everything else is read by default, or as the position rules. *drawn* is what a picture of the
    position shows.
    """

    case: Case
    verdicts: tuple[tuple[str, str], ...]
    drawn: DrawnPairs

    @property
    def stated(self) -> Stated:
        return self.case.claims[0]


def folder_of(game: Ruleset) -> Path:
    """Where the examples of a game are: below its rules."""
    return Path(game.folders[0]) / ("rules" if game.from_path else "") / FOLDER


def files(game: Ruleset, name: str = "*") -> list[Path]:
    """The examples of a game, or that of a name.

    Raises: RulesetError, if one is a link that leads out of the game's folder.
    """
    return game.find(f"{'rules/' if game.from_path else ''}{FOLDER}/{name}.yaml")


def of_questions(game: Ruleset, questions: Iterable[Question]) -> dict[str, Example]:
    """The examples of those of the questions that have one.

    Raises: InputError with every fault of the first file that has one.
    """
    return {
        question.id: example(Case.load(path), question)
        for question in questions
        for path in files(game, question.id)
    }


def example(case: Case, question: Question) -> Example:
    """A case as an example of a question: the first claim, under each option."""
    game = case.position.ruleset
    others = {**game.defaults, **case.position.rulings}
    verdicts = []
    for option, _ in question.options:
        position = case.position.with_rulings({**others, question.id: option})
        answer = adjudication.adjudicate(replace(case, position=position, claims=case.claims[:1]))
        verdicts.append((option, answer.claims[0].verdict))
    return Example(case, tuple(verdicts), drawing.drawn(case.position))
