"""Games made to measure for disputes: functions of how the rules are read, as rules of a game.

Each function is a tree of questions with a value at each leaf. In the game it is a figure, a
prohibition, and what comes of a step; the tests know what it is for each reading.
"""

import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pymorph import Case, yamlio
from pymorph.questions.readings.partition import Choices
from pymorph.yamlio import Data
from tests.games import file_text, write_game
from tests.tables import tables

Options = Mapping[str, tuple[str, ...]]
Valued = Callable[[Choices], str]
VALUES = ("0", "1", "2", "3", "never", "void")
START = "ruleset: ..\nturn: anna\nplayers: {anna: {}, bo: {}}\n"

GAME = file_text("open/rules/game.lp")
RULE = tables("open_readings")["rule"]
QUESTION = """
question({0}). asks({0}, "How is {0} read?"). default({0}, {1}). because({0}, "So it is.").
"""
PLAY = tables("open_readings")["play"]


@dataclass(frozen=True)
class Function:
    """A value for each reading: at the leaf that its choices lead to."""

    number: int
    leaves: tuple[tuple[tuple[tuple[str, str], ...], str], ...]

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions that it looks at, sorted; some may change nothing."""
        return tuple(sorted({question for path, _ in self.leaves for question, _ in path}))

    def __call__(self, reading: Choices) -> str:
        (found,) = {value for path, value in self.leaves if all(reading[q] == o for q, o in path)}
        return found


# -- what is so, by running through all readings ---------------------------------------------------


def readings(options: Options, choices: Choices = {}) -> Iterator[dict[str, str]]:  # noqa: B006
    """All readings that make these choices."""
    rows = [[choices[q]] if q in choices else list(row) for q, row in options.items()]
    for row in itertools.product(*rows):
        yield dict(zip(options, row, strict=True))


def deciding(options: Options, valued: Valued, choices: Choices = {}) -> tuple[str, ...]:  # noqa: B006
    """The questions of which another option alone gives another value in some reading."""
    return tuple(
        sorted(
            question
            for question in options
            if question not in choices
            and any(
                len({valued({**reading, question: option}) for option in options[question]}) > 1
                for reading in readings(options, choices)
            )
        )
    )


def sufficient(options: Options, valued: Valued, value: str) -> list[dict[str, str]]:
    """The smallest sets of choices that come to *value* in every reading; sorted."""
    for size in range(len(options) + 1):
        found = [
            choices
            for questions in itertools.combinations(sorted(options), size)
            for row in itertools.product(*(options[q] for q in questions))
            for choices in [dict(zip(questions, row, strict=True))]
            if all(valued(reading) == value for reading in readings(options, choices))
        ]
        if found:
            return sorted(found, key=lambda choices: sorted(choices.items()))
    return []


def fewest_changes(
    options: Options, valued: Valued, here: Choices
) -> list[tuple[dict[str, str], str]]:
    """The least that has to be read otherwise for another value, each with that value; sorted."""
    turned = [
        ({q: o for q, o in sorted(reading.items()) if o != here[q]}, valued(reading))
        for reading in readings(options)
        if valued(reading) != valued(here)
    ]
    least = min((len(change) for change, _ in turned), default=0)
    return sorted(
        [(change, value) for change, value in turned if len(change) == least],
        key=lambda pair: sorted(pair[0].items()),
    )


# -- as a game -------------------------------------------------------------------------------------


def some_options(rnd: random.Random, number: int) -> dict[str, tuple[str, ...]]:
    """So many questions with two options, or sometimes three."""
    return {
        f"q{n:02}": ("left", "right", "both")[: rnd.choice((2, 2, 2, 3))] for n in range(number)
    }


def some_function(
    rnd: random.Random, options: Options, number: int, most: int = 6, values: Sequence[str] = VALUES
) -> Function:
    """A function of at most so many of the questions."""
    chosen = rnd.sample(sorted(options), rnd.randint(0, min(most, len(options))))
    few = rnd.sample(values, min(len(values), rnd.randint(2, 4)))

    def grown(path: tuple[tuple[str, str], ...], left: list[str]) -> Iterator[tuple]:  # type: ignore[type-arg]
        if not left or rnd.random() < 0.12 * len(path):
            yield path, rnd.choice(few)
            return
        question = rnd.choice(left)
        for option in options[question]:
            yield from grown((*path, (question, option)), [q for q in left if q != question])

    return Function(number, tuple(grown((), chosen)))


def rules_of(function: Function, options: Options, rnd: random.Random) -> str:
    """A function as a figure, a prohibition, and what comes of a step."""
    k = function.number
    lines = [f"numbered({k})."]
    for path, value in function.leaves:
        read = "".join(f", {_read(question, o, options, rnd)}" for question, o in path)
        rule = f"f_{k:02}"
        if value == "never":
            lines.append(f"never(worth({k}), S, {rule}) :- situation(S){read}.")
            lines.append(f"happens(rang(C), T, {rule}) :- does(go(C, {k}), S, T){read}.")
        elif value != "void":
            lines.append(f"entry(worth({k}), told, {value}, S, {rule}) :- situation(S){read}.")
            lines.append(f"sets(mark({k}), {value}, T, {rule}) :- does(go(_, {k}), S, T){read}.")
        else:
            lines.append(f"forbidden(go(C, {k}), S, {rule}) :- considered(go(C, {k}), S){read}.")
        if value in ("0", "1", "void"):
            lines.append(f"forbidden(act(C, {k}), S, {rule}) :- considered(act(C, {k}), S){read}.")
    return "\n".join(lines)


def _read(question: str, option: str, options: Options, rnd: random.Random) -> str:
    """A condition that a question is read so, said in one way or another."""
    others = [o for o in options[question] if o != option]
    if rnd.random() < 0.3:
        return ", ".join(f"not reading({question}, {o}, S)" for o in others)
    return f"reading({question}, {option}, S)"


def write_open(
    folder: Path,
    options: Options,
    functions: Sequence[Function],
    rnd: random.Random,
    shuffled: bool = True,
) -> Path:
    """The game of these functions in a new *folder*; the first option of a question is its default.

    Its questions come in an order of chance, and so do their options if they are *shuffled*; those
    that no function looks at count in a figure of their own, ``worth(99)``.
    """
    looked_at = {question for function in functions for question in function.questions}
    idle = sorted(set(options) - looked_at)
    game = [GAME, RULE.format("turn_01", "; ".join([*idle, min(options)]))]
    order = sorted(options)
    rnd.shuffle(order)
    for question in order:
        row = options[question]
        game.append(QUESTION.format(question, row[0]))
        for option in rnd.sample(row, len(row)) if shuffled else row:
            game.append(f'option({question}, {option}). means({question}, {option}, "{option}").')
    for function in functions:
        raised = "; ".join(function.questions or (min(options),))
        game.append(RULE.format(f"f_{function.number:02}", raised))
    play = [PLAY, *(rules_of(function, options, rnd) for function in functions)]
    play.append("entry(worth(99), always, 1, S, turn_01) :- situation(S).")
    for number, question in enumerate(idle):
        row = options[question]
        play.append(f"entry(worth(99), idle({number}), 1, S, turn_01) :- ")
        play[-1] += f"situation(S), reading({question}, {row[-1]}, S)."
    return write_game(folder, "\n".join(game), "\n".join(play), {"start.yaml": START})


def case_of(folder: Path, claims: Sequence[Data], rulings: Choices = {}) -> Case:  # noqa: B006
    """A case of such a game; a claim is a text, or a mapping as a file has it."""
    data: dict[str, Data] = {
        "ruleset": ".",
        "position": "positions/start.yaml",
        "rulings": dict(rulings),
        "claims": list(claims),
    }
    return Case.parse(yamlio.flow(data), base=folder)
