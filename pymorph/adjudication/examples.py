"""The smallest examples that come with a game: for a question, a case that its options decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pymorph.adjudication.adjudication import ClaimLine, adjudicate, line_of, reaches, word_of
from pymorph.adjudication.case import Case, Stated
from pymorph.adjudication.query_batcher import batched
from pymorph.answers import json_keys
from pymorph.asp import solver
from pymorph.questions.board import drawing
from pymorph.questions.evaluation import VOID, WORDS, truths_of_all
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import Question

if TYPE_CHECKING:
    from pymorph.asp.solver import Solver
    from pymorph.questions.board.drawing import DrawnPairs
    from pymorph.state.position import Position

FOLDER = "disputes"
ClaimAt = tuple["Position", Stated]  # a claim and the position that it is about


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
    options = [option for option, _ in question.options]
    words = verdicts([under(case, {question.id: option}) for option in options])
    return Example(case, tuple(zip(options, words, strict=True)), drawing.drawn(case.position))


def under(case: Case, choices: Mapping[str, str]) -> ClaimAt:
    """The first claim of a case where some questions are read so, all others by default, or as the
    position rules."""
    position = case.position
    rulings = {**position.ruleset.defaults, **position.rulings, **choices}
    return position.with_rulings(rulings), case.claims[0]


def verdicts(asked: Sequence[ClaimAt]) -> list[str]:
    """The verdict on each claim under the readings in force in its position, as `adjudicate` gives
    it; claims share groundings."""

    def line(position: Position, stated: Stated, answers: Solver) -> ClaimLine:
        start = replace(position, answers=answers)
        return line_of(start, stated.after) if stated.after else ClaimLine(start)

    lines = [run.result() for run in batched(partial(line, *one) for one in asked)]
    words = [WORDS[VOID]] * len(asked)
    judged = []
    for number, ((position, stated), line_here) in enumerate(zip(asked, lines, strict=True)):
        if stated.claim.mode:
            answer = adjudicate(Case(position, (stated,)))
            words[number] = answer.claims[0].verdict
        elif reaches(line_here, stated.claim):
            judged.append(number)
    claims = [asked[number][1].claim for number in judged]
    nodes = [
        (
            replace(lines[number].position, answers=solver),
            tuple(event.event.symbol for event in lines[number].events),
        )
        for number in judged
    ]
    for number, truth in zip(judged, truths_of_all(claims, nodes), strict=True):
        words[number] = word_of(WORDS[truth])
    return words
