"""What is asked of play under every reading of some questions, the answers side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from pymorph.answers import below, brief, json_keys
from pymorph.asp.dependency import questions_read
from pymorph.errors import InputError, UnknownName, clipped, nearest
from pymorph.explore.perft.counting import Count
from pymorph.explore.sampling.game_comparison import KINDS, Seen, beside
from pymorph.explore.sampling.proportions import (
    Share,
    ShareDifference,
    difference,
    mean_difference,
    mean_of,
)
from pymorph.explore.sampling.simulation import Simulation
from pymorph.questions.readings.partition import Choices, defaults_of
from pymorph.ruleset.loader import Edition

if TYPE_CHECKING:
    from pymorph.ruleset.loader import Ruleset
    from pymorph.state.position import Position

ALL = "all"  # every question that play depends on
MOST = 16  # readings that are looked at; where there are more, each question is by itself
OF_PLAY = ("branch", "pause", "policy")


@brief
class Readings(NamedTuple):
    """The readings of some *questions*, by their options: all that there are, the one in force
    first; or *one_by_one* that one, and those that differ from it in one question."""

    questions: Mapping[str, tuple[str, ...]]
    choices: tuple[Choices, ...]
    one_by_one: bool

    @property
    def there_are(self) -> int:
        """How many readings there are of all questions together."""
        return prod(map(len, self.questions.values()))


def readings_of(position: Position, asked: Sequence[str], fixed: Iterable[str] = ()) -> Readings:
    """The readings of the questions that are *asked*, or of all that play depends on and that
    no ruling decides; those that are *fixed* are not left open.

    Raises: UnknownName or InputError, if a question cannot be left open, or there is none.
    """
    every, fixed = position.ruleset.options, set(fixed)
    for name in asked:
        if name != ALL and name not in every:
            raise UnknownName(f"unknown question {clipped(name)}{nearest(name, every)}")
        if name in fixed:
            raise InputError(f"{name} cannot be left open and have a fixed reading at once")
    open_ones = [name for name in asked if name != ALL]
    if ALL in asked:
        ruled = {*position.rulings, *fixed}
        open_ones += [q for q in sorted(questions_of_play(position.ruleset)) if q not in ruled]
    if not open_ones:
        raise InputError("play depends on no question without a ruling")
    in_force = defaults_of(position)
    questions = {
        name: tuple(sorted(every[name], key=lambda option: option != in_force[name]))
        for name in dict.fromkeys(open_ones)
    }
    one_by_one = prod(map(len, questions.values())) > MOST
    if one_by_one:
        first = {name: options[0] for name, options in questions.items()}
        others = ((name, option) for name, options in questions.items() for option in options[1:])
        choices = (first, *({**first, name: option} for name, option in others))
    else:
        rows = product(*questions.values())
        choices = tuple(dict(zip(questions, options, strict=True)) for options in rows)
    return Readings(questions, choices, one_by_one)


def questions_of_play(ruleset: Ruleset) -> frozenset[str]:
    """The questions that rules read which say what may be done and what comes of it."""
    parts = [part for verb in OF_PLAY for part in ruleset.slices[verb].parts]
    return frozenset(questions_read(parts, ruleset.options))


@json_keys(also=["differences"], paths={"shares": "shares._rounded"}, spread=["seen"])
class GameShares(NamedTuple):
    """The share of games in which something was *seen*, under each reading."""

    seen: Seen
    shares: tuple[Share, ...]

    @property
    def differences(self) -> tuple[ShareDifference, ...]:
        """How much more of it there is than under the first reading, under each other one."""
        first, *others = self.shares
        return tuple(difference(first, share) for share in others)

    @property
    def apart(self) -> float:
        """How far a reading is from the first one."""
        return max((abs(d.seen) for d in self.differences), default=0.0)


class SharesByKind(NamedTuple):
    """The figures of simulations of each kind."""

    outcomes: tuple[GameShares, ...]
    ends: tuple[GameShares, ...]
    endings: tuple[GameShares, ...]
    events: tuple[GameShares, ...]
    rules: tuple[GameShares, ...]


@json_keys(spread=["answer"], when={"differs_from_length": "is_count"})
class ReadingAnswer(NamedTuple):
    """An answer under some choices; of a count, the first length at which it differs."""

    under: Choices
    answer: Count | Simulation
    differs_from_length: int | None = None

    @property
    def is_count(self) -> bool:
        return isinstance(self.answer, Count)


@json_keys(
    also=["complete"],
    paths={
        **below("readings", "questions", "one_by_one", "there_are"),
        "readings": "_by_reading",
        "length": "lengths",
    },
    without=["answers"],
    spread=["_edition", "_by_kind"],
    when={"length": "simulations"},
)
class EveryReading(NamedTuple):
    """The *answers* under so many of the readings as time allowed, in their order."""

    readings: Readings
    answers: tuple[Count | Simulation, ...]

    @property
    def complete(self) -> bool:
        """Was each of the readings looked at, and counted to the end?"""
        counted = all(answer.complete for answer in self.answers if isinstance(answer, Count))
        return counted and len(self.answers) == len(self.readings.choices)

    @property
    def all_finished(self) -> bool:
        """Did all games come to an end, under each reading?"""
        return self.complete and all(
            answer.all_finished for answer in self.answers if isinstance(answer, Simulation)
        )

    @property
    def simulations(self) -> tuple[Simulation, ...]:
        return tuple(answer for answer in self.answers if isinstance(answer, Simulation))

    def figures(self, kind: str) -> tuple[GameShares, ...]:
        """What was seen of a kind in games, those first that are the farthest apart."""
        figures = (GameShares(*pair) for pair in beside(self.simulations, kind))
        return tuple(sorted(figures, key=lambda figure: (-figure.apart, -figure.shares[0].part)))

    @property
    def lengths(self) -> tuple[ShareDifference | None, ...]:
        """How many more actions a game has on average than under the first reading, if enough came
        to an end."""
        first, *others = (mean_of(simulation.lengths) for simulation in self.simulations)
        return tuple(mean_difference(first, simulation) for simulation in others)

    def differs_from(self, number: int) -> int | None:
        """Of counts, the first length of which there are other sequences under a reading, by its
        number, than under the one in force; None, if there is none as far as was counted."""
        first, other = self.answers[0], self.answers[number]
        assert isinstance(first, Count)
        assert isinstance(other, Count)
        pairs = list(zip(first.lengths, other.lengths, strict=False))
        for one, two in pairs:
            if one.sequences != two.sequences or one.by_first != two.by_first:
                return one.length
        shorter = min(first, other, key=lambda answer: len(answer.lengths))
        apart = shorter.final and len(first.lengths) != len(other.lengths)
        return len(pairs) + 1 if apart else None

    @property
    def _edition(self) -> Edition:
        return self.answers[0].ruleset.edition

    @property
    def _by_reading(self) -> tuple[ReadingAnswer, ...]:
        """The answers with their choices."""
        pairs = zip(self.readings.choices, self.answers, strict=False)
        return tuple(
            ReadingAnswer(
                under, answer, self.differs_from(n) if isinstance(answer, Count) else None
            )
            for n, (under, answer) in enumerate(pairs)
        )

    @property
    def _by_kind(self) -> SharesByKind | None:
        return SharesByKind(*map(self.figures, KINDS)) if self.simulations else None
