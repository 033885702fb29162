"""The verbs about quizzes of disputed situations."""

from __future__ import annotations

import json
from typing import Any

import click

from pymorph import yamlio
from pymorph.cli import values
from pymorph.cli.app import Verbs, cli
from pymorph.cli.options import JSON, TIMEOUT, argument, option
from pymorph.cli.output import put_line, put_text
from pymorph.cli.texts import misused
from pymorph.cli.verb import CommandLine, verb
from pymorph.doors.quiz import quiz_lines, scoring, situations
from pymorph.errors import Fault, InputError, Place
from pymorph.ruleset import locations
from pymorph.views import layout

FILE = argument(click.Path(), "FILE")


@cli.group(cls=Verbs, no_args_is_help=False)
def quiz() -> None:
    """Make a quiz of disputed situations, and score the answers of a program or a person.

    Half of the questions are from the cases that come with the games, half from random play.

    \b
    Example:
      pymorph quiz make tictactoe --number 4 --to quiz.jsonl
      pymorph quiz ask quiz.jsonl
    """


class Printing(CommandLine):
    """A verb that prints a text for programs, as it is."""

    def put(self, answer: str) -> None:
        put_text(answer)


@verb("make", quiz)
class MakeVerb(Printing):
    """Make a quiz: a question a line, as JSON, with its key.

    Without GAME, it is about all games that come with pymorph. The same seed makes the same lines
    on every machine.

    \b
    Example:
      pymorph quiz make tictactoe nine_mens_morris --number 6 --seed 2
    """

    games: tuple[str, ...] = argument(values.GAME, "[GAME]...", nargs=-1)
    number: int = option(
        "--number N", "The number of questions (20).", click.IntRange(1), default=20
    )
    seed: int = option("--seed SEED", "The seed of the random choices (1).", int, default=1)
    file: str | None = option("--to FILE", "Write the quiz to FILE.", click.Path())
    timeout: float | None = TIMEOUT

    def ask(self) -> str:
        games = self.games or (*locations.shipped(), *locations.examples())
        lines = situations.quiz(games, self.number, self.seed)
        return "".join(map(quiz_lines.written, lines))

    def put(self, answer: str) -> None:
        if self.file is None:
            super().put(answer)
        else:
            yamlio.write(self.file, answer)
            made = layout.count(len(answer.splitlines()), "questions")
            put_line(f"wrote {self.file}: {made}")


@verb("ask", quiz)
class AskVerb(Printing):
    """Print the questions of a quiz without their keys.

    \b
    Example:
      pymorph quiz make tictactoe --number 4 --to quiz.jsonl
      pymorph quiz ask quiz.jsonl
    """

    file: str = FILE

    def ask(self) -> str:
        lines = quiz_lines.load(self.file)
        return "".join(quiz_lines.written(line._replace(key=None)) for line in lines)


@verb("score", quiz)
class ScoreVerb(CommandLine):
    """Score the answers to a quiz, with 95 % confidence intervals.

    The answerer is a command. It reads one question as a line of JSON, writes one answer as a line,
    and so on. A question without a valid answer in time gets no points. In the example, `cat`
    repeats each question, which is no valid answer.

    \b
    Example:
      pymorph quiz make tictactoe --number 4 --to quiz.jsonl
      pymorph quiz score quiz.jsonl --answerer cat
    """

    file: str = FILE
    command: str | None = option("--answerer COMMAND", "Ask this program.")
    answers: str | None = option("--answers FILE", "Score the answers in FILE.", click.Path())
    wait: float = option(
        "--wait SECONDS", "Wait SECONDS for each answer (60).", values.seconds, default="60"
    )
    as_json: bool = JSON

    def check(self) -> None:
        if (self.command is None) == (self.answers is None):
            raise misused("score needs either --answerer or --answers")

    def ask(self) -> scoring.QuizScore:
        lines = quiz_lines.load(self.file)
        if any(line.key is None for line in lines):
            missing = "the questions have no key; score the file that 'quiz make' wrote"
            raise InputError(Fault(missing, Place(yamlio.name_of(self.file))))
        if self.answers is not None:
            return scoring.score(lines, scoring.answers_in(self.answers, lines))
        given = []
        for answer in scoring.answers_of(self.command or "", lines, self.wait):
            given.append(answer)
            self.progress.write(f"{len(given)} of {len(lines)} questions")
        return scoring.score(lines, given)

    def lines(self, answer: scoring.QuizScore) -> list[str]:
        blocks = [
            table("", [answer.total], self.style),
            table("by kind", answer.kinds, self.style),
            table("by game", answer.games, self.style),
            [f"{one.id}: {one.why}" for one in answer.unanswered],
        ]
        return layout.spaced(filter(None, blocks))


def table(title: str, groups: Any, style: layout.Style) -> list[str]:
    """The points of some groups, a row each."""
    rows = [(title, "exact verdict", "right rules", "depends on")]
    rows += [(one.name, *map(points_text, one[1:])) for one in groups]
    return layout.table(rows)


def points_text(points: scoring.Points) -> str:
    """Points as people read them, with the interval of the share."""
    if not points.of:
        return "-"
    interval = f"{100 * points.least:.0f} to {100 * points.most:.0f} %"
    return f"{points.right} of {points.of} ({interval})"


@verb("schema", quiz)
class QuizSchemaVerb(Printing):
    """Print the JSON Schema of a line of a quiz, or of an answer.

    \b
    Example:
      pymorph quiz schema answer
    """

    kind: str = argument(click.Choice([*quiz_lines.KINDS]))

    def ask(self) -> str:
        return json.dumps(quiz_lines.schema(self.kind), indent=2, ensure_ascii=False) + "\n"
