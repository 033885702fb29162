"""The scope of an answer: what was checked, what was assumed, and what may be given next."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from math import prod
from typing import NamedTuple

from clingo import Symbol

from pymorph.answers import frozen, json_keys
from pymorph.asp.dependency import Reads
from pymorph.dynamics.asking.batch import situation
from pymorph.dynamics.results import Awaited, Roll, together
from pymorph.ruleset.catalogue import file_path
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.position import Position
from pymorph.terms import Term

DEFAULT, RULING, GIVEN = "default", "ruling", "given"  # by what a reading is in force
ENTRY, ROLL = "entry", "roll"  # what may be missing


@json_keys()
class Checked(NamedTuple):
    """The things that were checked, such as `actions`, their number, and under how many readings.

    An answer under the readings in force is one under one reading.
    """

    what: str
    number: int
    readings: int = 1


@json_keys()
class AssumedReading(NamedTuple):
    """How an open question was read: *by* `default`, by a `ruling`, or as `given` by the user."""

    question: str
    option: str
    by: str


@json_keys()
class Assumed(NamedTuple):
    """The readings that the rules asked for, the hidden items that were treated as unknown, and the
    keys of the position that stand at their defaults, because the position does not give them."""

    readings: tuple[AssumedReading, ...] = ()
    hidden: tuple[Term, ...] = ()
    defaults: tuple[str, ...] = ()


@json_keys()
class Missing(NamedTuple):
    """What play waits for, an `entry` or a `roll`, and the *form* in which to give it next."""

    kind: str
    name: str
    form: str


@json_keys()
@frozen
class AnswerScope:
    """What an answer checked, what it assumed, and what is missing and may be given next."""

    checked: Checked
    assumed: Assumed
    missing: tuple[Missing, ...] = ()


def scope_of(
    position: Position,
    verb: str,
    checked: Checked,
    given: Container[str] = (),
    awaited: Iterable[Awaited] = (),
    rolls: Iterable[Roll] = (),
) -> AnswerScope:
    """The scope of an answer about a position, by the rules that answer a *verb*.

    *given* are the questions that the user decides. A verb without rules assumes no reading.
    """
    reads = _reads(position, verb)
    questions = {*reads.questions, *position.rulings}
    readings = readings_in_force(position.ruleset, position.rulings, questions, given)
    missing = (
        *(Missing(ENTRY, each.form.name, str(each.form)) for each in awaited),
        *(Missing(ROLL, roll.what.name, together(o for o, _ in roll.outcomes)) for roll in rolls),
    )
    defaults = keys_by_default(position, reads.fluents)
    return AnswerScope(checked, Assumed(readings, hidden_items(position), defaults), missing)


def scope_of_claims(position: Position, number: int, given: Container[str] = ()) -> AnswerScope:
    """The scope of verdicts on claims about a position: every reading that no ruling excludes."""
    options = position.ruleset.options
    number_of_readings = prod(len(options[q]) for q in options if q not in position.rulings)
    readings = readings_in_force(position.ruleset, position.rulings, position.rulings, given)
    defaults = keys_by_default(position, position.ruleset.vocabulary.fluents)
    return AnswerScope(
        Checked("claims", number, number_of_readings),
        Assumed(readings, hidden_items(position), defaults),
    )


def scope_of_files(game: Ruleset, number: int) -> AnswerScope:
    """The scope of the tests of a game's files: what none of them rules is read by default."""
    assumed = Assumed(readings_in_force(game, {}, game.questions))
    return AnswerScope(Checked("files", number), assumed)


def readings_in_force(
    ruleset: Ruleset,
    rulings: Mapping[str, str],
    questions: Container[str],
    given: Container[str] = (),
) -> tuple[AssumedReading, ...]:
    """How some questions of a game are read, under some rulings."""
    return tuple(
        AssumedReading(
            question,
            rulings.get(question, default),
            GIVEN if question in given else RULING if question in rulings else DEFAULT,
        )
        for question, default in ruleset.defaults.items()
        if question in questions
    )


def readings_one_by_one(position: Position, verb: str) -> int:
    """The number of readings that differ from the one in force in one question at most."""
    options = position.ruleset.options
    return 1 + sum(len(options[q]) - 1 for q in _reads(position, verb).questions)


def hidden_items(position: Position) -> tuple[Term, ...]:
    """The fluents of a position whose values are hidden."""
    return tuple(sorted(Term(f) for f, value in position.fluents.items() if value == HIDDEN))


def _reads(position: Position, verb: str) -> Reads:
    """The questions and the fluents that the rules for a verb can read in a position."""
    if not verb:
        return Reads()
    ruleset = position.ruleset
    facts = position.facts(situation(0))
    return ruleset.slices[verb].reads(facts, ruleset.options, ruleset.vocabulary.fluents)


def keys_by_default(position: Position, fluents: Iterable[str]) -> tuple[str, ...]:
    """The keys of some fluents that the file of a position does not have."""
    stated: set[Symbol] = {*position.fluents, *(position.origin.defined if position.origin else ())}
    names = {fluent.name for fluent in stated}
    known = position.ruleset.vocabulary.fluents
    return tuple(file_path(known[name]) for name in fluents if name not in names)
