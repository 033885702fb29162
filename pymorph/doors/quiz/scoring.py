"""Asks an answerer the questions of a quiz, and counts what it knows: by game, by kind, in all."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from queue import Empty, SimpleQueue
from subprocess import PIPE, Popen
from threading import Thread
from typing import NamedTuple

from pymorph.answers import json_keys
from pymorph.doors.quiz import quiz_lines
from pymorph.doors.quiz.quiz_lines import QuizAnswer, QuizLine
from pymorph.errors import Fault, InputError, clipped, reason
from pymorph.explore.sampling.proportions import Share
from pymorph.yamlio import LIMITS

QuizReply = QuizAnswer | str
"""An answer, or why there is none."""


@json_keys(also=["share", "least", "most"])
class Points(NamedTuple):
    """How many answers are right, of how many that can be: the share, and the ends of its 95 %
    confidence interval."""

    right: int
    of: int

    @property
    def share(self) -> float:
        return round(self.right / max(self.of, 1), 4)

    @property
    def least(self) -> float:
        return round(Share("", self.right, self.of).interval[0], 4)

    @property
    def most(self) -> float:
        return round(Share("", self.right, self.of).interval[1], 4)


class QuizGroup(NamedTuple):
    """The points for some questions: the exact verdict, the right rules, and, where the verdict
    depends on something, on what."""

    name: str
    verdict: Points
    rules: Points
    depends_on: Points


class Unanswered(NamedTuple):
    """A question without an answer, and why."""

    id: str
    why: str


class QuizScore(NamedTuple):
    """The points of an answerer."""

    total: QuizGroup
    games: tuple[QuizGroup, ...]
    kinds: tuple[QuizGroup, ...]
    unanswered: tuple[Unanswered, ...]


def score(lines: Sequence[QuizLine], given: Sequence[QuizReply]) -> QuizScore:
    """The points for the answers to the questions of a quiz, which have their keys."""
    pairs = list(zip(lines, given, strict=True))

    def groups(name_of: Callable[[QuizLine], str]) -> tuple[QuizGroup, ...]:
        names = sorted({name_of(line) for line in lines})
        return tuple(
            group(name, [pair for pair in pairs if name_of(pair[0]) == name]) for name in names
        )

    return QuizScore(
        group("total", pairs),
        groups(lambda line: line.game),
        groups(lambda line: line.key.kind if line.key else ""),
        tuple(Unanswered(line.id, why) for line, why in pairs if isinstance(why, str)),
    )


def group(name: str, pairs: Iterable[tuple[QuizLine, QuizReply]]) -> QuizGroup:
    """The points for some questions."""
    verdicts, rules, dependences = [], [], []
    for line, given in pairs:
        key = line.key
        assert key is not None
        answer = given if isinstance(given, QuizAnswer) else None
        verdicts.append(answer is not None and answer.verdict == key.verdict)
        if key.rules:
            rules.append(answer is not None and names_some(answer.rules, key.rules))
        if key.depends_on:
            dependences.append(answer is not None and names_some(answer.depends_on, key.depends_on))
    points = (Points(sum(some), len(some)) for some in (verdicts, rules, dependences))
    return QuizGroup(name, *points)


def names_some(named: Sequence[str], right: Sequence[str]) -> bool:
    """Is at least one of the right ones named, and no other?"""
    return bool(named) and set(named) <= set(right)


# -- answers ---------------------------------------------------------------------------------------


def answers_in(path: str, lines: Sequence[QuizLine]) -> list[QuizReply]:
    """The answers that a file has to the questions; a line of it that is no answer counts as none.

    Raises: InputError, if the file cannot be read.
    """
    given: dict[str, QuizReply] = {}
    for place, text in quiz_lines.texts_of(path):
        try:
            answer: QuizAnswer = quiz_lines.parse(QuizAnswer, text)
        except InputError as error:
            given.setdefault("", str(Fault(error.faults[0].message, place)))
            continue
        twice = answer.id in given
        given[answer.id] = f"{place}: answered twice" if twice else answer
    return [given.get(line.id, given.get("", "no answer")) for line in lines]


def answers_of(command: str, lines: Iterable[QuizLine], wait: float) -> Iterator[QuizReply]:
    """What a program answers to each question, as it comes.

    Raises: InputError, if the program cannot be started.
    """
    answerer = Answerer(command, wait)
    try:
        for line in lines:
            yield answerer.ask(line)
    finally:
        answerer.stop()


class Answerer:
    """A program that reads a question as a line, and writes an answer as a line.

    It is started again where it ended, or was late.
    """

    def __init__(self, command: str, wait: float) -> None:
        self.words = shlex.split(command, posix=os.name != "nt")
        self.wait = wait
        self.process: Popen[bytes] | None = None

    def ask(self, line: QuizLine) -> QuizReply:
        """The answer to a question, or why there is none. Raises: InputError."""
        question = quiz_lines.written(line._replace(key=None)).encode()
        said: SimpleQueue[bytes] = SimpleQueue()
        Thread(target=exchange, args=(self.running(), question, said), daemon=True).start()
        try:
            text = said.get(timeout=self.wait)
        except Empty:
            self.stop()
            return f"no answer within {self.wait:g} seconds"
        if not text.endswith(b"\n"):
            self.stop()
            return "the answerer ended without an answer" if not text else "the line has no end"
        try:
            answer: QuizAnswer = quiz_lines.parse(QuizAnswer, text.decode("utf-8", "replace"))
        except InputError as error:
            return error.faults[0].message
        wrong = f"the answer has the id {clipped(answer.id)}, not {clipped(line.id)}"
        return answer if answer.id == line.id else wrong

    def running(self) -> Popen[bytes]:
        """The program, started if it is not. Raises: InputError, if it cannot be."""
        if self.process is None or self.process.poll() is not None:
            self.stop()
            try:
                self.process = Popen(self.words, stdin=PIPE, stdout=PIPE)
            except (OSError, ValueError, IndexError) as error:
                why = reason(error) if isinstance(error, OSError) else "no command"
                named = clipped(self.words[0] if self.words else "")
                raise InputError(f"cannot start the answerer {named}: {why}") from None
        return self.process

    def stop(self) -> None:
        """End the program."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def exchange(process: Popen[bytes], question: bytes, said: SimpleQueue[bytes]) -> None:
    """Write a question to a program, and put what it says: nothing, if it has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(question)
        process.stdin.flush()
        said.put(process.stdout.readline(LIMITS.bytes))
    except (OSError, ValueError):
        said.put(b"")
